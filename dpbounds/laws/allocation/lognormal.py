"""The Laplace transform of a lognormal variable on a ray, every error term inside the ball.

    φ(s) = E e^{−sY},   Y = exp(u/σ − 1/(2σ²)),   u ~ N(0, 1),   E Y = 1,

at s = e^{x+iθ}, x = x₀, x₀ + h, …, 0 ≤ θ < π/2. With n the normal density, the path of u is moved down by η ≥
0, which turns the exponent:

    φ(s) = ∫ n(u − iη) exp(−e^{ξ+iψ}) du,    ξ = x + u/σ − 1/(2σ²),   ψ = θ − η/σ,   |ψ| ≤ π/2.

**Step.** For f analytic in −b ≤ Im u ≤ a the trapezoid sum of step k misses ∫f by at most

    ∫|f(u + ia)|du/(e^{2πa/k} − 1) + ∫|f(u − ib)|du/(e^{2πb/k} − 1).

Here |n(u − iη + ia)| = n(u)e^{(a−η)²/2}, and exp(−e^{…}) has modulus at most 1 while its angle θ − (η − a)/σ
stays within ±π/2. So, for a ≤ η + σ(π/2 − θ) and b ≤ σ(π/2 + θ) − η,

    |error| ≤ e^{(a−η)²/2}/(e^{2πa/k} − 1) + e^{(b+η)²/2}/(e^{2πb/k} − 1).

**Ends.** Nodes with |u| > U = Kk: |n(u − iη)| = n(u)e^{η²/2} decreases in |u|, so they add at most
e^{η²/2}·erfc(U/√2).

**Underflow.** Where e^ξ cos ψ > Λ, exp(−e^{ξ+iψ}) is replaced by 0, which changes a node by at most e^{−Λ},
all nodes together by at most e^{−Λ}e^{η²/2}·Σ k n(u_j) ≤ e^{η²/2−Λ}(1 + k), a sum of a unimodal function
being at most its integral and one term.

All points of the ray share the values exp(−e^{ξ+iψ}): with k = σqh, or k = σh/p, ξ runs through one
arithmetic progression, and the sum over u is a product of polynomials.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from flint import acb, acb_poly, arb

from dpbounds.numbers.balls import precision
from dpbounds.numbers.discs import ball_around_zero

_LN2 = math.log(2)
_GUARD = 40
_SHIFTS = 12


@dataclass(frozen=True)
class InnerRule:
    """The sum over u: shift η, step k = σ·fine/coarse·h with one of them 1, last node K, and the shifts a, b
    of the error bound.

    Args:
        eta: η ≥ 0. fine, coarse: q and p. last: K. up, down: a and b. cut: Λ.
    """

    eta: float
    fine: int
    coarse: int
    last: int
    up: float
    down: float
    cut: float

    def step(self, sigma: arb, h: arb) -> arb:
        """The step of u."""
        return sigma * h * self.fine / self.coarse

    def with_ratio(self, fine: int, coarse: int) -> InnerRule:
        """The same with another ratio of the steps."""
        return replace(self, fine=fine, coarse=coarse)


def approx_inner_rule(sigma: float, theta: float, h: float, count: int, tolerance: float) -> tuple[float, InnerRule]:
    """A rule with errors of about e^{−tolerance} for `count` points, and its cost in microseconds, in float64."""
    best: tuple[float, InnerRule] | None = None
    for index in range(_SHIFTS):
        eta = min(sigma * theta, 1.2 * math.sqrt(tolerance)) * index / _SHIFTS
        step = 2 * math.pi / _least_frequency(sigma, theta, eta, tolerance + 2)
        fine = max(1, math.floor(step / (sigma * h)))
        coarse = 1 if step >= sigma * h else math.ceil(sigma * h / step)
        step = sigma * h * fine / coarse
        last = math.ceil(math.sqrt(2 * (tolerance + 2) + eta * eta) / step)
        bits = (tolerance + eta * eta + 10) / _LN2 + _GUARD
        cost = (coarse * count + 2 * fine * last) * (10 + 0.04 * bits + bits * bits / 20000) * (1 + 0.03 * math.log2(last + 1))
        if best is None or cost < best[0]:
            quarter, frequency = math.pi / 2, 2 * math.pi / step
            up = min((eta + sigma * (quarter - theta)) * (1 - 1e-9), eta + frequency)
            down = min((sigma * (quarter + theta) - eta) * (1 - 1e-9), max(frequency - eta, 1e-3))
            best = cost, InnerRule(eta, fine, coarse, last, up, down, tolerance + eta * eta / 2 + 10)
    assert best is not None
    return best


def _least_frequency(sigma: float, theta: float, eta: float, tolerance: float) -> float:
    """The least g = 2π/k with (a−η)²/2 − ag ≤ −D and (b+η)²/2 − bg ≤ −D at the best a, b: η + g, g − η or their largest values."""
    root = math.sqrt(eta * eta + 2 * tolerance)
    up, down = eta + sigma * (math.pi / 2 - theta), sigma * (math.pi / 2 + theta) - eta
    above = root - eta if up >= root else (tolerance + (up - eta) ** 2 / 2) / up
    below = root + eta if down >= root else (tolerance + (down + eta) ** 2 / 2) / down
    return max(above, below)


def step_error(sigma: arb, theta: arb, rule: InnerRule, step: arb) -> arb:
    """The error of the step; infinite where the shifts do not keep the angle within ±π/2."""
    eta, up, down = arb(rule.eta), arb(rule.up), arb(rule.down)
    quarter = arb.pi() / 2
    inside = (
        rule.eta >= 0
        and rule.up > 0
        and rule.down > 0
        and up <= eta + sigma * (quarter - theta)
        and down <= sigma * (quarter + theta) - eta
        and abs(theta - eta / sigma) <= quarter
    )
    if not inside:
        return arb.pos_inf()
    above = ((up - eta) ** 2 / 2).exp() / (2 * arb.pi() * up / step).expm1()
    below = ((down + eta) ** 2 / 2).exp() / (2 * arb.pi() * down / step).expm1()
    return above + below


def ends_error(rule: InnerRule, step: arb) -> arb:
    """The nodes beyond ±U."""
    return (arb(rule.eta) ** 2 / 2).exp() * (step * rule.last / arb(2).sqrt()).erfc()


def underflow_error(rule: InnerRule, step: arb) -> arb:
    """What is taken for 0."""
    return (arb(rule.eta) ** 2 / 2 - arb(rule.cut)).exp() * (1 + step)


def transform_on_ray(sigma: arb, theta: arb, start: arb, h: arb, count: int, rule: InnerRule) -> list[acb]:
    """Balls around φ(e^{x+iθ}) at x = start + jh, 0 ≤ j < count.

    Args:
        sigma: σ > 0. theta: 0 ≤ θ < π/2. h: any step. rule: any rule; a poor one widens the balls.
    """
    with precision(int((rule.cut + rule.eta**2 / 2) / _LN2) + _GUARD):
        step = rule.step(sigma, h)
        error = step_error(sigma, theta, rule, step) + ends_error(rule, step) + underflow_error(rule, step)
        weights = _weights(rule, step)
        factors = _double_exponentials(sigma, theta, start, h, count, rule)
        spread = ball_around_zero(error)
        return [value + spread for value in _correlated(weights, factors, rule, count)]


def _weights(rule: InnerRule, step: arb) -> list[acb]:
    """k·n(u_j − iη), |j| ≤ K."""
    eta = arb(rule.eta)
    scale = step / (2 * arb.pi()).sqrt() * (eta * eta / 2).exp()
    half = []
    for j in range(rule.last + 1):
        u = step * j
        size = scale * (-u * u / 2).exp()
        sine, cosine = (u * eta).sin_cos()
        half.append(acb(size * cosine, size * sine))
    return [value.conjugate() for value in reversed(half[1:])] + half


def _double_exponentials(sigma: arb, theta: arb, start: arb, h: arb, count: int, rule: InnerRule) -> list[acb]:
    """exp(−e^{ξ+iψ}) for all ξ that occur, in order."""
    unit = h / rule.coarse
    origin = start - 1 / (2 * sigma * sigma)
    sine, cosine = (theta - arb(rule.eta) / sigma).sin_cos()
    margin = rule.fine * rule.last
    largest = arb(rule.cut)
    values: list[acb] = []
    nothing = acb(0)
    for m in range(-margin, rule.coarse * (count - 1) + margin + 1):
        size = (origin + unit * m).exp()
        if size * cosine > largest:
            values.append(nothing)
        else:
            values.append(acb(-size * cosine, -size * sine).exp())
    return values


def _correlated(weights: list[acb], values: list[acb], rule: InnerRule, count: int) -> list[acb]:
    """Σ_a weights[a]·values[p·j + q·a] for 0 ≤ j < count."""
    if rule.coarse == 1:
        found = [acb(0)] * count
        for residue in range(min(rule.fine, count)):
            part = values[residue :: rule.fine]
            found[residue :: rule.fine] = _products(weights, part, len(range(residue, count, rule.fine)))
        return found
    total = [acb(0)] * count
    for residue in range(rule.coarse):
        part = _products(weights[residue :: rule.coarse], values[residue :: rule.coarse], count)
        total = [left + right for left, right in zip(total, part, strict=True)]
    return total


def _products(weights: list[acb], values: list[acb], count: int) -> list[acb]:
    """Σ_a weights[a]·values[i + a] for 0 ≤ i < count, as coefficients of a product."""
    if not weights:
        return [acb(0)] * count
    if count == 1:
        return [sum((weight * value for weight, value in zip(weights, values, strict=False)), acb(0))]
    product = acb_poly(values) * acb_poly(weights[::-1])
    first = len(weights) - 1
    return [product[first + i] for i in range(count)]
