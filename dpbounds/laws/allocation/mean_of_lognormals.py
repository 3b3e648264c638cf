"""Moments of the mean of lognormal variables at complex orders, every error term inside the ball.

S is the mean of t independent Y_i = exp(u_i/σ − 1/(2σ²)), u_i standard normal, so E S = 1. With a whole number
n ≥ 0, the *weight*, the moments are

    G(w) = E S^{n−w},   Re w = c > 0.

Weight 0 gives negative orders; a weight above the order gives positive ones.

**Mellin integral.** Let Φ_n(s) = E S^n e^{−sS}. By Fubini, turning the path in Re s > 0,

    Γ(w)G(w) = ∫_ℝ f(x)dx,   f(x) = e^{w(x+iθ)}Φ_n(e^{x+iθ}),    |θ| < π/2.

Φ_n(s)/n! is the coefficient of ζ^n in (Σ_k E Y^k e^{−sY/t}·(ζ/t)^k/k!)^t, and moving the mean of u by k/σ gives
E Y^k e^{−rY} = e^{k(k−1)/(2σ²)}φ(r e^{k/σ²}), φ(s) = E e^{−sY} (`lognormal`).

The sum h·Σ f(jh), first ≤ j ≤ last, misses at most the following, w = c + iy. All are multiples of e^{−yθ} or
less, and divided by |Γ(w)|.

* **Step.** |Φ_n(re^{iψ})| ≤ E S^n e^{−r cos ψ S} = Φ_n(r cos ψ) for |ψ| < π/2, so ∫|f(x + ia)|dx ≤
  e^{−y(θ+a)}∫e^{cx}Φ_n(e^x cos(θ+a))dx = e^{−y(θ+a)}cos(θ+a)^{−c}·Γ(c)G(c) =: B(a), and f is analytic there.
  The trapezoid rule misses at most B(a)/(e^{2πa/h} − 1) + B(−b)/(e^{2πb/h} − 1), any a, b > 0 with θ + a <
  π/2, θ − b > −π/2.
* **Left end.** |Φ_n| ≤ E S^n: E S^n·h·Σ_{j<first} e^{cjh} = E S^n·h·e^{c·first·h}/(e^{ch} − 1).
* **Right end.** r^p e^{−rS} ≤ (p/e)^p S^{−p}. Let p = n + q, q ≥ 0. S is at least the geometric mean of the Y_i, so
  Φ_n(r) ≤ (p/e)^p r^{−p} E S^{−q} ≤ C r^{−p}, C = (p/e)^p·(E Y^{−q/t})^t = (p/e)^p·exp((q + q²/t)/(2σ²)), and for
  p > c  h·Σ_{j>last} e^{cjh}Φ_n(e^{jh}cos θ) ≤ C cos(θ)^{−p}·h·e^{(c−p)·last·h}/(e^{(p−c)h} − 1).

At y = 0, θ = 0 the error of the step is a known multiple ρ of Γ(c)G(c) itself, so G(c) = sum/(1 ± ρ): no
bound on G(c) is needed first.

**Decay.** The mean ū of the u_i is independent of the differences u_i − ū, and S = e^{ū/σ}·H with H a function of
the differences. So G(w) = E e^{(n−w)ū/σ}·E H^{n−w}, ū is normal with variance 1/t, and for every real c

    |G(c+iy)| ≤ G(c)·e^{−y²/(2tσ²)},

with equality for t = 1.

**Whole orders.** E(Y_1 + … + Y_t)^n/n! is the coefficient of x^n in (Σ_k E Y^k x^k/k!)^t, E Y^k =
e^{k(k−1)/(2σ²)}.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from flint import acb, acb_series, arb, arb_series, ctx, fmpq

from dpbounds.laws.allocation.lognormal import approx_inner_rule, transform_on_ray
from dpbounds.laws.paths.allocation_model import AllocationModel, model_of
from dpbounds.laws.paths.ray_planning import RaySum, best_ray
from dpbounds.numbers.balls import precision, working_bits
from dpbounds.numbers.discs import ball_around_zero
from dpbounds.numbers.inputs import exact_ball

_LN2 = math.log(2)
_BOUND_BITS = 64
LARGEST_POWER = 1024
"""The largest whole order: a power series of this length takes a tenth of a second."""
_BY_SQUARING = 64
"""Below so many bins a power is found by multiplication, which loses fewer bits than a logarithm."""
_LONGEST_TRANSFORM = 2**17
"""A transform of so many values takes seconds; a longer one could not be interrupted for minutes, since it is one call."""
_BLOCK = 64
"""Terms of a sum that share the turns within their block."""


Series = TypeVar("Series", arb_series, acb_series)


@dataclass
class MeanOfLognormals:
    """Moments of S: `bins` is t, `weight` is n."""

    bins: int
    sigma: Fraction
    weight: int = 0
    _model: AllocationModel | None = field(default=None, repr=False)
    _moments: dict[tuple[str, int, int], arb] = field(default_factory=dict, repr=False)
    _powers: list[arb] = field(default_factory=list, repr=False)
    _power_bits: int = field(default=0, repr=False)

    @property
    def model(self) -> AllocationModel:
        """Float64 estimates."""
        if self._model is None:
            self._model = model_of(float(self.sigma), self.bins, self.weight)
        return self._model

    def noise(self) -> arb:
        """σ at the current precision."""
        return exact_ball(self.sigma, "sigma")

    def decay(self, y: arb) -> arb:
        """A bound on |G(c + iy')|/G(c), y' ≥ y ≥ 0, for every c."""
        return (-(y * y) / (2 * self.bins * self.noise() ** 2)).exp()

    def approx_log_decay(self, y: float) -> float:
        """The logarithm of `decay`."""
        return -y * y / (2 * self.bins * float(self.sigma) ** 2)

    def power_moment(self, n: int, bits: int = _BOUND_BITS) -> arb:
        """E S^n, n ≥ 0, to about `bits` bits; infinite beyond the largest power."""
        if n > LARGEST_POWER:
            return arb.pos_inf()
        if len(self._powers) <= n or self._power_bits < bits:
            self._power_bits = max(bits, self._power_bits)
            self._powers = self._power_moments(min(LARGEST_POWER, 2 * n + 16), self._power_bits)
        return self._powers[n]

    def _power_moments(self, largest: int, bits: int) -> list[arb]:
        with precision(bits + 60):
            before, ctx.cap = ctx.cap, largest + 1
            try:
                growth, share = 1 / (2 * self.noise() ** 2), arb(1) / self.bins
                one = arb_series([(growth * k * (k - 1)).exp() * share**k / arb(k).fac() for k in range(largest + 1)])
                total = _power_by_squaring(one, self.bins)  # sums of positive terms: nothing cancels
                return [total[n] * arb(n).fac() for n in range(largest + 1)]
            finally:
                ctx.cap = before

    def power_between(self, power: arb) -> arb:
        """An interval around E S^p, p ≥ 1.

        For n ≤ p ≤ n+1 it is at least (E S^n)^{p/n} (Lyapunov) and at most (E S^n)^{n+1−p}(E S^{n+1})^{p−n}
        (log-convexity). A ball of p that no such n holds: E S^p does not fall for p ≥ 1, as it is log-convex and E S = 1.
        """
        low = max(1, int(power.lower().floor().unique_fmpz() or 1))
        if power == low:
            return self.power_moment(low)
        if not (power >= low and power <= low + 1):
            top = power.upper().ceil().unique_fmpz()
            return self.power_moment(low).union(self.power_moment(LARGEST_POWER + 1 if top is None else int(top)))
        below, above = self.power_moment(low), self.power_moment(low + 1)
        part = power - low
        return (below ** (power / low)).union(below ** (1 - part) * above**part)

    def approx_log_power(self, power: float) -> tuple[float, float]:
        """log E S^p, p ≥ 1, on a straight line between whole orders, and its slope."""
        low = max(1, math.floor(power))
        values = [float(self.power_moment(n).log().mid()) for n in (low, low + 1)]
        slope = values[1] - values[0]
        return values[0] + (power - low) * slope, slope

    def moment(self, x: arb, tolerance: float) -> arb:
        """`precise_moment`, kept for an exact x."""
        if not x.is_exact():
            return self.precise_moment(x, tolerance)
        key = (str(x.man_exp()), working_bits(), math.ceil(tolerance))
        if key not in self._moments:
            self._moments[key] = self.precise_moment(x, tolerance)
        return self._moments[key]

    def precise_moment(self, x: arb, tolerance: float) -> arb:
        """G(x), x > 0, to about e^{−tolerance}, on the ray θ = 0."""
        ray = best_ray(self.model, float(x.mid()), 0.0, tolerance)[1]
        return self.moment_on(ray, x)

    def moment_on(self, ray: RaySum, x: arb) -> arb:
        """G(x) from a given ray with θ = 0, whatever its other parameters."""
        with precision(max(working_bits(), int(ray.tolerance / _LN2) + 60)):
            h = arb(ray.step)
            total, rest = self.mellin_sums(x, ray, h, None)
            rho = step_error(x, arb(0), ray, h)
            known = ray.theta == 0 and rho < 1 and rest.is_finite()
            value = (total[0].real + arb(0, rest.upper())) / (1 + arb(0, rho.upper())) if known else arb.nan()
            return value / x.gamma()

    def line(self, x: arb, h: arb, count: int, tolerance: float, size: arb) -> list[acb]:
        """Balls around G(x + ijh), j = 0 … count−1, all of them from one ray; `size` is at least G(x)."""
        if count == 1:
            return [acb(self.precise_moment(x, tolerance))]
        ray = best_ray(self.model, float(x.mid()), float(h) * (count - 1), tolerance + 2)[1]
        return self.line_on(ray, x, h, count, size)

    def approx_line_cost(self, x: float, height: float, tolerance: float) -> float:
        """About the microseconds that a line takes."""
        return best_ray(self.model, x, height, tolerance)[0]

    def line_on(self, ray: RaySum, x: arb, h: arb, count: int, size: arb) -> list[acb]:
        """`line` on a given ray, whatever its parameters; the step of x is made a fraction 1/N of 2π/h."""
        period = max(count, math.ceil(2 * math.pi / (float(h) * ray.step)))
        total = (x.gamma() * size).upper()
        with precision(max(working_bits(), int((ray.tolerance) / _LN2) + 60 + 2 * int(math.log2(period + ray.count)))):
            inner = 2 * arb.pi() / (h * period)
            ray = _stretched(ray, float(inner))
            sums, rest = self.mellin_sums(x, ray, inner, (count, period))
            theta = arb(ray.theta)
            turn = acb(0, x * theta).exp()
            found = []
            shrink = (-h * theta).exp()
            for k in range(count):
                y = h * k
                w = acb(x, y)
                error = rest + total * step_error(x, y, ray, inner)
                value = (sums[k] + ball_around_zero(error)) * turn * shrink**k
                found.append(value * w.rgamma())
        return found

    def mellin_sums(self, x: arb, ray: RaySum, inner: arb, comb: tuple[int, int] | None) -> tuple[list[acb], arb]:
        """h·Σ e^{cx_j}Φ_n(e^{x_j+iθ})·e^{iyx_j} for y = kη, k = 0 … n−1, h = 2π/(Nη), (n, N) = `comb`, or y =
        0; and a bound on both ends.

        e^{ikηjh} = e^{2πikj/N}, so the terms are folded modulo N and transformed at once; where N is far above what is asked for, they are
        added up as they stand.
        """
        theta = arb(ray.theta)
        values = self.transform(ray, inner)
        terms = []
        for j, value in enumerate(values, ray.first):
            terms.append(value * (inner * j * x).exp())
        rest = self.ends_error(x, theta, ray, inner)
        if comb is None:
            return [sum(terms, acb(0)) * inner], rest
        count, period = comb
        if period > _LONGEST_TRANSFORM:
            return [_turned(terms, ray.first, fmpq(k, period)) * inner for k in range(count)], rest
        folded = [acb(0)] * period
        for j, term in enumerate(terms, ray.first):
            folded[j % period] += term
        # the inverse transform has e^{+2πijk/N} and divides by N
        return [value * inner * period for value in acb.dft(folded, inverse=True)], rest

    def transform(self, ray: RaySum, inner: arb) -> list[acb]:
        """Φ_n at the nodes of the ray."""
        sigma = self.noise()
        rule = approx_inner_rule(float(self.sigma), ray.theta, float(inner), ray.count, ray.tolerance)[1]
        start = inner * ray.first - arb(self.bins).log()
        rows = []
        for k in range(self.weight + 1):
            row = transform_on_ray(sigma, arb(ray.theta), start + k / sigma**2, inner, ray.count, rule)
            scale = (k * (k - 1) / (2 * sigma**2)).exp() / (arb(self.bins) ** k * arb(k).fac())
            rows.append([value * scale for value in row] if k else row)
        if self.weight == 0:
            return [power_of(value, self.bins) for value in rows[0]]
        factorial = arb(self.weight).fac()
        return [last_of_power(column, self.bins) * factorial for column in zip(*rows, strict=True)]

    def ends_error(self, x: arb, theta: arb, ray: RaySum, inner: arb) -> arb:
        """The nodes beyond both ends, without the common factor e^{−yθ}; infinite unless c > 0."""
        return self.left_end(x, ray, inner) + self.right_end(x, theta, ray, inner) if x > 0 else arb.pos_inf()

    def left_end(self, x: arb, ray: RaySum, inner: arb) -> arb:
        """The nodes before the first one."""
        return self.power_moment(self.weight) * inner * (x * inner * ray.first).exp() / (x * inner).expm1()

    def right_end(self, x: arb, theta: arb, ray: RaySum, inner: arb) -> arb:
        """The nodes beyond the last one; infinite unless p > c and p ≥ n."""
        p = arb(ray.power)
        q = p - self.weight
        if not (p > x and q >= 0):
            return arb.pos_inf()
        log_constant = p * p.log() - p + (q + q * q / self.bins) / (2 * self.noise() ** 2)
        exponent = log_constant - p * theta.cos().log() + (x - p) * inner * ray.last
        return exponent.exp() * inner / ((p - x) * inner).expm1()


def step_error(x: arb, y: arb, ray: RaySum, inner: arb) -> arb:
    """The error of the step over Γ(c)G(c)e^{−yθ}; infinite where a shift leaves the right half-plane."""
    theta, up, down = arb(ray.theta), arb(ray.up), arb(ray.down)
    quarter = arb.pi() / 2
    if not (up > 0 and down > 0 and theta + up < quarter and theta - down > -quarter):
        return arb.pos_inf()
    above = (-y * up - x * (theta + up).cos().log()).exp() / (2 * arb.pi() * up / inner).expm1()
    below = (y * down - x * (theta - down).cos().log()).exp() / (2 * arb.pi() * down / inner).expm1()
    return above + below


def power_of(value: acb, bins: int) -> acb:
    """value^t; around zero a ball of the largest modulus."""
    if bins < _BY_SQUARING:
        return value**bins
    if value.contains(acb(0)):
        return ball_around_zero(abs(value) ** bins)
    return (value.log() * bins).exp()


def last_of_power(coefficients: Sequence[acb], bins: int) -> acb:
    """The coefficient of ζ^n in (a_0 + a_1 ζ + … + a_n ζ^n)^t; where a_0 may be 0 and t is large, a ball around 0.

    That ball is the coefficient for the moduli |a_k|, with an upper bound on |a_0| in its place: the coefficient is a polynomial in
    the a_k whose own coefficients are not negative.
    """
    before, ctx.cap = ctx.cap, len(coefficients)
    try:
        if bins < _BY_SQUARING:
            return _power_by_squaring(acb_series(list(coefficients)), bins)[len(coefficients) - 1]
        if coefficients[0].contains(acb(0)):
            sizes = [arb(abs(value).upper()) for value in coefficients]
            if not (sizes[0] > 0 and all(size.is_finite() for size in sizes)):
                return ball_around_zero(arb.nan())
            return ball_around_zero((arb_series(sizes).log() * bins).exp()[len(coefficients) - 1])
        return (acb_series(list(coefficients)).log() * bins).exp()[len(coefficients) - 1]
    finally:
        ctx.cap = before


def _power_by_squaring(series: Series, exponent: int) -> Series:
    """series^exponent, exponent ≥ 1, up to the cap."""
    result = None
    while True:
        if exponent & 1:
            result = series if result is None else result * series
        exponent >>= 1
        if not exponent:
            assert result is not None
            return result
        series = series * series


def _stretched(ray: RaySum, step: float) -> RaySum:
    """The same ends with another step."""
    ratio = ray.step / step
    first, last = math.floor(ray.first * ratio), math.ceil(ray.last * ratio)
    return RaySum(ray.theta, step, first, last, ray.up, ray.down, ray.power, ray.tolerance, ray.lost)


def _turned(terms: Sequence[acb], first: int, share: fmpq) -> acb:
    """Σ_j t_j·e^{2πi·share·j}, the first one at j = `first`; in blocks, so that a term is turned twice, not once for each before it."""

    def turn(j: int) -> acb:
        return acb(arb(2 * share * j)).exp_pi_i()

    near = [turn(j) for j in range(_BLOCK)]
    blocks = ((start, zip(terms[start : start + _BLOCK], near, strict=False)) for start in range(0, len(terms), _BLOCK))
    return sum((sum((t * z for t, z in block), acb(0)) * turn(first + start) for start, block in blocks), acb(0))
