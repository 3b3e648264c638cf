"""Random allocation (balls in bins): every record takes part in one of t steps of an epoch, chosen uniformly.

One epoch is dominated by P = (1/t)Σ N(e_i, σ²I_t) against Q = N(0, σ²I_t) (Chua et al. 2024, arXiv
2412.16802; Feldman & Shenfeld 2025, arXiv 2502.08202). With u_i the coordinates over σ, dP/dQ = S is the mean
of t independent Y_i = exp(u_i/σ − 1/(2σ²)), E_Q S = 1.

This factor is the direction *add*, (Q ‖ P): its loss is −log S under Q, so

    M(z) = F(z) = E_Q S^{−z},    M(−1−w) = E_Q S^{1+w}.

**Mellin integral.** φ(s) = E e^{−sY}, Φ(s) = φ(s/t)^t = E e^{−sS} (`lognormal`). By Fubini, turning the path
in Re s > 0,

    Γ(w)F(w) = ∫_ℝ f(x)dx,   f(x) = e^{w(x+iθ)}Φ(e^{x+iθ}),    Re w = c > 0,  |θ| < π/2.

The sum h·Σ f(jh), first ≤ j ≤ last, misses at most the following, w = c + iy. All are multiples of e^{−yθ} or
less, and divided by |Γ(w)|.

* **Step.** |Φ(re^{iψ})| ≤ E e^{−r cos ψ S} = Φ(r cos ψ) for |ψ| < π/2, so ∫|f(x + ia)|dx ≤
  e^{−y(θ+a)}∫e^{cx}Φ(e^x cos(θ+a))dx = e^{−y(θ+a)}cos(θ+a)^{−c}·Γ(c)F(c) =: B(a), and f is analytic there.
  The trapezoid rule misses at most B(a)/(e^{2πa/h} − 1) + B(−b)/(e^{2πb/h} − 1), any a, b > 0 with θ + a <
  π/2, θ − b > −π/2.
* **Left end.** |Φ| ≤ 1: h·Σ_{j<first} e^{cjh} = h·e^{c·first·h}/(e^{ch} − 1).
* **Right end.** r^p e^{−rS} ≤ (p/e)^p S^{−p}, and S is at least the geometric mean of the Y_i, so
  Φ(r) ≤ C_p r^{−p}, C_p = (p/e)^p·(E Y^{−p/t})^t = (p/e)^p·exp((p + p²/t)/(2σ²)), and for p > c
  h·Σ_{j>last} e^{cjh}Φ(e^{jh}cos θ) ≤ C_p cos(θ)^{−p}·h·e^{(c−p)·last·h}/(e^{(p−c)h} − 1).

At y = 0, θ = 0 the error of the step is a known multiple ρ of Γ(c)F(c) itself, so F(c) = sum/(1 ± ρ): no
bound on F(c) is needed first.

**Decay.** The mean ū of the u_i is independent of the differences u_i − ū, and S = e^{ū/σ}·H with H a function of
the differences. So F(w) = E e^{−wū/σ}·E H^{−w}, ū is normal with variance 1/t, and for every real c

    |F(c+iy)| ≤ F(c)·e^{−y²/(2tσ²)},

with equality for t = 1.

**Positive moments.** E(Y_1 + … + Y_t)^n/n! is the coefficient of x^n in (Σ_k E Y^k x^k/k!)^t, E Y^k =
e^{k(k−1)/(2σ²)}.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from flint import acb, arb, arb_series, ctx

from dpbounds.laws.allocation_model import AllocationModel
from dpbounds.laws.factors import Factor, Hint, Need
from dpbounds.laws.law import Law, law_of, rational
from dpbounds.laws.lognormal import approx_inner_rule, transform_on_ray
from dpbounds.laws.ray_planning import Ray, best_ray
from dpbounds.mechanisms.pairs import AllocationPair
from dpbounds.numbers.balls import precision, working_bits
from dpbounds.numbers.discs import ball_around_zero
from dpbounds.numbers.inputs import exact_ball

_LN2 = math.log(2)
_BOUND_BITS = 64
_LARGEST_POWER = 1024


@dataclass
class AllocationFactor(Factor):
    """One epoch of random allocation among `bins` steps in the direction add, used `steps` times (epochs)."""

    bins: int
    sigma: Fraction
    steps: int = 1
    largest_tilt: float = 1e9
    largest_back_tilt: float = float(_LARGEST_POWER - 1)
    absolutely_continuous: bool = True
    _model: AllocationModel | None = field(default=None, repr=False)
    _moments: dict[tuple[str, int], arb] = field(default_factory=dict, repr=False)
    _powers: list[arb] = field(default_factory=list, repr=False)
    _power_bits: int = field(default=0, repr=False)

    @property
    def model(self) -> AllocationModel:
        """Float64 estimates."""
        if self._model is None:
            self._model = AllocationModel(float(self.sigma), self.bins)
        return self._model

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x); below −1 between whole numbers by a straight line."""
        if x > 0:
            return self.model.log_moments(x)
        power = -x
        low = max(1, math.floor(power))
        values = [float(self.power_moment(n).log().mid()) for n in (low, low + 1)]
        slope = values[1] - values[0]
        return values[0] + (power - low) * slope, -slope, 0.0

    def approx_drop(self, x: float, y: float) -> float:
        """0: nothing is assumed about the modulus."""
        return 0.0

    def approx_decay(self, x: float, y: float) -> tuple[float, Hint]:
        """The logarithm of the factor in `decay`, which needs no hint."""
        return -y * y / (2 * self.bins * float(self.sigma) ** 2), (0.0, 0.0)

    def noise(self) -> arb:
        """σ at the current precision."""
        return exact_ball(self.sigma, "sigma")

    def moment(self, x: arb) -> arb:
        """A ball around M(x), x > 0, to about e^{−25}/steps; for x ≤ −1 the moments of S, between whole
        numbers an interval.

        E S^p, n ≤ p ≤ n+1, is at least (E S^n)^{p/n} (Lyapunov) and at most (E S^n)^{n+1−p}(E S^{n+1})^{p−n}
        (log-convexity).
        """
        if x > 0:
            key = (str(x.man_exp()) if x.is_exact() else x.str(40), working_bits())
            if key not in self._moments:
                self._moments[key] = self.precise_moment(x, 25 + math.log(self.steps))
            return self._moments[key]
        if not x <= -1:
            return arb.nan()
        power = -x
        low = max(1, int(power.lower().floor().unique_fmpz() or 1))
        if power == low:
            return self.power_moment(low)
        below, above = self.power_moment(low), self.power_moment(low + 1)
        part = power - low
        return (below ** (power / low)).union(below ** (1 - part) * above**part)

    def power_moment(self, n: int, bits: int = _BOUND_BITS) -> arb:
        """E S^n, n ≥ 1, to about `bits` bits; infinite beyond the largest power."""
        if n > _LARGEST_POWER:
            return arb.pos_inf()
        if len(self._powers) <= n or self._power_bits < bits:
            self._power_bits = max(bits, self._power_bits)
            self._powers = self._power_moments(min(_LARGEST_POWER, 2 * n + 16), self._power_bits)
        return self._powers[n]

    def _power_moments(self, largest: int, bits: int) -> list[arb]:
        with precision(bits + 60):
            before, ctx.cap = ctx.cap, largest + 1
            try:
                growth, share = 1 / (2 * self.noise() ** 2), arb(1) / self.bins
                one = arb_series([(growth * k * (k - 1)).exp() * share**k / arb(k).fac() for k in range(largest + 1)])
                total = (one.log() * self.bins).exp()
                return [total[n] * arb(n).fac() for n in range(largest + 1)]
            finally:
                ctx.cap = before

    def precise_moment(self, x: arb, tolerance: float) -> arb:
        """F(x), x > 0, to about e^{−tolerance}, on the ray θ = 0."""
        c = float(x.mid())
        ray = best_ray(self.model, c, 0.0, tolerance)[1]
        with precision(int(ray.tolerance / _LN2) + 60):
            h = arb(ray.step)
            total, rest = self.mellin_sums(x, ray, h, None)
            rho = step_error(x, arb(0), ray, h)
            value = (total[0].real + arb(0, rest.upper())) / (1 + arb(0, rho.upper())) if rho < 1 and rest.is_finite() else arb.nan()
            return value / x.gamma()

    def line(self, x: arb, h: arb, count: int, need: Need) -> list[acb]:
        """Balls around M(x + ijh), all of them from one ray."""
        if count == 1:
            return [acb(self.precise_moment(x, need.tolerance))]
        c, top = float(x.mid()), float(h) * (count - 1)
        ray = best_ray(self.model, c, top, need.tolerance + 2)[1]
        return self.line_on(ray, x, h, count)

    def approx_line_cost(self, x: float, height: float, tolerance: float) -> float:
        """About the microseconds that a line takes."""
        return best_ray(self.model, x, height, tolerance)[0]

    def line_on(self, ray: Ray, x: arb, h: arb, count: int) -> list[acb]:
        """Balls around M(x + ijh) from a given ray, whatever its parameters; the step of x is made a fraction 1/N of 2π/h."""
        period = max(count, math.ceil(2 * math.pi / (float(h) * ray.step)))
        size = (x.gamma() * self.moment(x)).upper()
        with precision(max(working_bits(), int((ray.tolerance) / _LN2) + 60 + 2 * int(math.log2(period + ray.count)))):
            inner = 2 * arb.pi() / (h * period)
            ray = _stretched(ray, float(inner))
            sums, rest = self.mellin_sums(x, ray, inner, (h, period))
            theta = arb(ray.theta)
            turn = acb(0, x * theta).exp()
            found = []
            shrink = (-h * theta).exp()
            for k in range(count):
                y = h * k
                w = acb(x, y)
                error = rest + size * step_error(x, y, ray, inner)
                value = (sums[k] + ball_around_zero(error)) * turn * shrink**k
                found.append(value * w.rgamma())
        return found

    def mellin_sums(self, x: arb, ray: Ray, inner: arb, comb: tuple[arb, int] | None) -> tuple[list[acb], arb]:
        """h·Σ e^{cx_j}Φ(e^{x_j+iθ})·e^{iyx_j} for y = kη, k = 0 … N−1, h = 2π/(Nη), (η, N) = `comb`, or y =
        0; and a bound on both ends.

        e^{ikηjh} = e^{2πikj/N}, so the terms are folded modulo N and transformed at once.
        """
        theta = arb(ray.theta)
        values = self.transform(ray, inner)
        terms = []
        for j, value in enumerate(values, ray.first):
            terms.append(value * (inner * j * x).exp())
        rest = self.ends_error(x, theta, ray, inner)
        if comb is None:
            return [sum(terms, acb(0)) * inner], rest
        _, period = comb
        folded = [acb(0)] * period
        for j, term in enumerate(terms, ray.first):
            folded[j % period] += term
        # the inverse transform has e^{+2πijk/N} and divides by N
        return [value * inner * period for value in acb.dft(folded, inverse=True)], rest

    def transform(self, ray: Ray, inner: arb) -> list[acb]:
        """Φ at the nodes of the ray."""
        sigma = self.noise()
        rule = approx_inner_rule(float(self.sigma), ray.theta, float(inner), ray.count, ray.tolerance)[1]
        start = inner * ray.first - arb(self.bins).log()
        rows = transform_on_ray(sigma, arb(ray.theta), start, inner, ray.count, rule)
        return [power_of(value, self.bins) for value in rows]

    def ends_error(self, x: arb, theta: arb, ray: Ray, inner: arb) -> arb:
        """The nodes beyond both ends, without the common factor e^{−yθ}."""
        return left_end(x, ray, inner) + self.right_end(x, theta, ray, inner)

    def right_end(self, x: arb, theta: arb, ray: Ray, inner: arb) -> arb:
        """The nodes beyond the last one; infinite unless p > c."""
        p = arb(ray.power)
        if not p > x:
            return arb.pos_inf()
        log_constant = p * p.log() - p + (p + p * p / self.bins) / (2 * self.noise() ** 2)
        exponent = log_constant - p * theta.cos().log() + (x - p) * inner * ray.last
        return exponent.exp() * inner / ((p - x) * inner).expm1()

    def decay(self, x: arb, y: arb, hint: Hint) -> arb:
        """M(x)·e^{−y²/(2tσ²)}, a bound on |M(x + iy')|, y' ≥ y ≥ 0."""
        return self.moment(x) * (-(y * y) / (2 * self.bins * self.noise() ** 2)).exp()


def step_error(x: arb, y: arb, ray: Ray, inner: arb) -> arb:
    """The error of the step over Γ(c)F(c)e^{−yθ}; infinite where a shift leaves the right half-plane."""
    theta, up, down = arb(ray.theta), arb(ray.up), arb(ray.down)
    quarter = arb.pi() / 2
    if not (up > 0 and down > 0 and theta + up < quarter and theta - down > -quarter):
        return arb.pos_inf()
    above = (-y * up - x * (theta + up).cos().log()).exp() / (2 * arb.pi() * up / inner).expm1()
    below = (y * down - x * (theta - down).cos().log()).exp() / (2 * arb.pi() * down / inner).expm1()
    return above + below


def left_end(x: arb, ray: Ray, inner: arb) -> arb:
    """The nodes before the first one."""
    return inner * (x * inner * ray.first).exp() / (x * inner).expm1()


def power_of(value: acb, bins: int) -> acb:
    """value^t; around zero a ball of the largest modulus."""
    if bins < 64:
        return value**bins
    if value.contains(acb(0)):
        return ball_around_zero(abs(value) ** bins)
    return (value.log() * bins).exp()


def _stretched(ray: Ray, step: float) -> Ray:
    """The same ends with another step."""
    ratio = ray.step / step
    first, last = math.floor(ray.first * ratio), math.ceil(ray.last * ratio)
    return Ray(ray.theta, step, first, last, ray.up, ray.down, ray.power, ray.tolerance, ray.lost)


@dataclass(frozen=True)
class AllocationLaw(Law):
    """One epoch; `reversed` is the direction add, in which M is known."""

    bins: int
    sigma: Fraction
    reversed: bool
    epoch = True

    @property
    def by_parity(self) -> bool:  # type: ignore[override]
        """In the direction remove."""
        return not self.reversed

    def factor(self, steps: int, most: float = 0.0) -> AllocationFactor:
        """By the Mellin integral."""
        assert self.reversed
        return AllocationFactor(self.bins, self.sigma, steps)

    def swapped(self) -> AllocationLaw:
        """The other direction."""
        return AllocationLaw(self.bins, self.sigma, not self.reversed)


@law_of.register(AllocationPair)
def _(pair: AllocationPair, reversed: bool) -> Law:
    return AllocationLaw(pair.bins, rational(pair.sigma, "sigma"), reversed)
