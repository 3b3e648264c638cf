"""Rényi divergence of the Gaussian mixture pairs under substitution: Poisson or without replacement, and with replacement.

φ the density of N(0,σ²), ξ = x/σ², weights w_ℓ = b_ℓ e^{−ℓ²/2σ²} with Σ b_ℓ = 1, ℓ = 0 … m,

    P = φ·u,  u = Σ w_ℓ e^{ℓξ};      Q = φ·v,  v = Σ w_ℓ e^{−ℓξ};      M(t) = ∫ φ u^{1+t} v^{−t} dx.

With r = u/v − 1, E_Q[r] = 0 and M(t) = 1 + t·J, J = ∫ f, f = φ·v·G(r) ≥ 0 (`excess`). The pair is its own mirror image.

**Tails**, with T > (1+t)m and slopes of log u and log v at most m/σ²:

* Right: there u ≥ v, and G ≤ (1+r)^{1+t}·log(1+r) because e^y − 1 ≤ y·e^y. So f ≤ φ·u^{1+t}·v^{−t}·log(u/v), v ≥ b₀, and with
  u(x) ≤ u(T)e^{m(x−T)/σ²}, c = log(u(T)/b₀), d = (T − (1+t)m)/σ²:   ∫_T^∞ f ≤ φ(T)·u(T)^{1+t}·b₀^{−t}·(c/d + m/(σ²d²)).
* Left: −1 ≤ r ≤ 0 and G decreases there from G(−1) = 1, so f ≤ φ·v and ∫_{−∞}^{−T} f ≤ φ(T)·v(−T)/d', d' = (T − m)/σ².

Between −T and T Arb integrates; f is analytic wherever u and v stay off the negative axis. Pairs: Koskela, Jälkö & Honkela 2020 §6.2, §6.3.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import acb, arb, ctx

from dpbounds.balls import precision
from dpbounds.moments.excess import divergence_from_excess, excess
from dpbounds.moments.integrate import integrate
from dpbounds.moments.lattice import between_zero_and
from dpbounds.moments.precise import Parameter, as_ball, relative


def two_points(q: Parameter) -> tuple[int, Parameter]:
    """One draw with probability q, as (m, rate)."""
    return 1, q


def binomial(population: int, batch: int) -> tuple[int, Parameter]:
    """`batch` draws that hit with probability 1/population each, as (m, rate)."""
    return batch, Fraction(1, population)


class Mixture:
    """u, v and f of a pair at the precision that is set when it is built.

    Args:
        most: m, the largest count.
        rate: probability of one hit, 0 < rate < 1; ℓ is Binomial(m, rate).
        t: order minus one.
        sigma: σ > 0.
    """

    def __init__(self, most: int, rate: arb, t: arb, sigma: arb) -> None:
        self.most, self.t, self.sigma = most, t, sigma
        self.half_v = 1 / (2 * sigma * sigma)
        self.norm = 1 / (sigma * (2 * arb.pi()).sqrt())
        self.none = (1 - rate) ** most
        self.odds = rate / (1 - rate)
        self._weights = [self.none]

    def weight(self, count: int) -> arb:
        """w_ℓ = b_ℓ e^{−ℓ²/2σ²}."""
        while len(self._weights) <= count:
            last = len(self._weights) - 1
            step = self.odds * (self.most - last) / (last + 1) * (-(2 * last + 1) * self.half_v).exp()
            self._weights.append(self._weights[-1] * step)
        return self._weights[count]

    def sums(self, z: acb) -> tuple[acb, acb, acb]:
        """u, v and u − v at z; long sums stop early with the rest enclosed.

        The ratios of successive |terms| do not increase, so the rest after a term s with ratio ρ < 1 is at most s·ρ/(1−ρ).
        """
        up, down = (2 * self.half_v * z).exp(), (-2 * self.half_v * z).exp()
        largest = up.abs_upper().max(down.abs_upper())
        u = v = acb(self.none)
        difference, power_up, power_down = acb(0), acb(1), acb(1)
        size = self.none
        for count in range(1, self.most + 1):
            power_up, power_down = power_up * up, power_down * down
            weight = self.weight(count)
            above, below = weight * power_up, weight * power_down
            u, v, difference = u + above, v + below, difference + (power_up - power_down) * weight
            if count < self.most and count % 8 == 0:
                term = (weight * largest**count).upper()
                ratio = (self.weight(count + 1) / weight * largest).upper()
                size = self.none + term
                if ratio < 0.5 and term < size * arb(2) ** (-ctx.prec - 8):
                    rest = remainder(term, ratio)
                    ball_rest = acb(arb(0, rest), arb(0, rest))
                    return u + ball_rest, v + ball_rest, difference + 2 * ball_rest
        return u, v, difference

    def __call__(self, z: acb, analytic: bool) -> acb:
        """f(z) = φ·v·G(u/v − 1)."""
        u, v, difference = self.sums(z)
        r = difference / v
        ratio = r.log1p() if abs(r) < 0.5 else u.log(analytic=analytic) - v.log(analytic=analytic)
        return self.norm * (-z * z * self.half_v).exp() * v * excess(self.t, r, ratio, False)


def remainder(term: arb, ratio: arb) -> arb:
    """What terms with ratios at most ρ < 1 add up to after a term s: s·ρ/(1−ρ)."""
    return (term * ratio / (1 - ratio)).upper()


def left_tail(f: Mixture, reach: arb) -> arb:
    """A bound of ∫ f over x ≤ −T."""
    slope = (reach - f.most) * 2 * f.half_v
    if not slope > 0:
        return arb.pos_inf()
    return f.norm * (-reach * reach * f.half_v).exp() * f.sums(acb(-reach))[1].real / slope


def right_tail(f: Mixture, reach: arb) -> arb:
    """A bound of ∫ f over x ≥ T."""
    steep = f.most * 2 * f.half_v
    slope = reach * 2 * f.half_v - (1 + f.t) * steep
    if not slope > 0:
        return arb.pos_inf()
    log_u, log_none = f.sums(acb(reach))[0].real.log(), f.none.log()
    size = (-reach * reach * f.half_v + (1 + f.t) * log_u - f.t * log_none).exp()
    return f.norm * size * ((log_u - log_none) / slope + steep / slope**2)


def divergence(counts: tuple[int, Parameter], t: Parameter, sigma: Parameter, bits: int) -> arb:
    """D_{1+t} of a mixture pair, in either order, with `bits` relative bits.

    Args:
        counts: (m, rate) of `two_points` or `binomial`.
        t: order minus one, t ≥ 0.
        sigma: σ > 0.
        bits: relative accuracy.

    Raises:
        PrecisionError: the accuracy was not reached.

    >>> divergence(two_points(Fraction(1, 100)), Fraction(1), Fraction(1), 60).str(12, radius=False)
    '0.000457554382538'
    """
    most, rate = counts
    if rate == 0:
        return arb(0)
    if rate == 1:
        return relative(lambda: 2 * most * most * (1 + as_ball(t)) / as_ball(sigma) ** 2, bits)

    def evaluate() -> arb:
        f = Mixture(most, as_ball(rate), as_ball(t), as_ball(sigma))
        reach, scale = window(f, bits)
        total = integrate(f, -reach, reach, ctx.prec - 30, scale)
        total += between_zero_and(left_tail(f, reach)) + between_zero_and(right_tail(f, reach))
        return divergence_from_excess(f.t, total)

    return relative(evaluate, bits, guard=_guard(rate, sigma, t))


def window(f: Mixture, bits: int) -> tuple[arb, arb]:
    """T, exact, with both tails below 2^{−bits−4} of a rough J, and that J. Nothing here is trusted: the tails are bounded afterwards."""
    edge = (1 + f.t) * f.most
    points = [f.sigma * k / 4 for k in range(-24, 25) if k] + [edge * k / 16 for k in range(1, 17)]
    scale = arb(0)
    for point in points:
        value = f(acb(point.mid()), False).real
        scale = scale.max(value.mid()) if value.is_finite() else scale
    scale = (scale * f.sigma).mid()
    goal = scale * arb(2) ** (-bits - 4)
    reach, stride = (edge + 4 * f.sigma).mid(), f.sigma.mid()
    while not (left_tail(f, reach) < goal and right_tail(f, reach) < goal) and reach < edge + f.sigma * 2.0**60:
        reach, stride = (reach + stride).mid(), stride * 1.5
    return reach, scale


def _guard(rate: Parameter, sigma: Parameter, t: Parameter) -> int:
    with precision(53):
        hit, noise, order = (float(as_ball(value).mid()) for value in (rate, sigma, t))
    return math.ceil(40 + math.log2(max(noise, 1.0)) - math.log2(max(hit, 1e-300)) + 2 * math.log2(1 + order))
