"""Rényi divergence of the Gaussian mixture pair of sampling with replacement.

φ the density of N(0,σ²), ξ = x/σ², ℓ ~ Binomial(m, rate) with weights w_ℓ = b_ℓ e^{−ℓ²/2σ²},

    P = φ·u,  u = Σ w_ℓ e^{ℓξ};      Q = φ·v,  v = Σ w_ℓ e^{−ℓξ};      M(t) = ∫ φ u^{1+t} v^{−t} dx.

With r = u/v − 1, E_Q[r] = 0 and M(t) = 1 + t·J, J = ∫ f, f = φ·v·G(r) ≥ 0 (`excess`), found by the trapezoid rule; `mixture_terms` has
the error bounds. The pair is its own mirror image (x → −x). The pair: Koskela, Jälkö & Honkela 2020 §6.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms.pairs import FixedSizePair, WithReplacementPair
from dpbounds.numbers.balls import precision
from dpbounds.numbers.excess import divergence_from_excess
from dpbounds.numbers.precise import Parameter, as_ball, relative
from dpbounds.numbers.trapezoid import aliasing, between_zero_and, lattice_sum
from dpbounds.renyi import mixture_terms as terms
from dpbounds.renyi import one_pair, poisson_gaussian
from dpbounds.renyi.mixture_terms import MOST_THETA, MixtureTerms


@dataclass(frozen=True)
class SumPlan:
    """How J is summed: nodes first·h … last·h, a strip of half-width θσ², and a block sum that is negligible. All fields are exact."""

    step: float
    theta: float
    first: int
    last: int
    negligible: arb


def divergence(most: int, rate: Fraction, t: Parameter, sigma: Parameter, bits: int) -> arb:
    """D_{1+t} of that pair, in either order, with `bits` relative bits.

    Args:
        most: m ≥ 2 draws.
        rate: probability that one of them hits, 0 < rate ≤ 1.
        t: order minus one, t ≥ 0.
        sigma: σ > 0.
        bits: relative accuracy.

    Raises:
        PrecisionError: the accuracy was not reached.

    >>> divergence(2, Fraction(1, 100), Fraction(1), Fraction(1), 60).rel_accuracy_bits() >= 60
    True
    """
    if rate == 1:
        return relative(lambda: 2 * most * most * (1 + as_ball(t)) / as_ball(sigma) ** 2, bits)

    def evaluate() -> arb:
        f = MixtureTerms(most, as_ball(rate), as_ball(t), as_ball(sigma))
        try:
            chosen = plan(f, bits + 6)
        except (OverflowError, ValueError, ZeroDivisionError):
            raise PrecisionError("the parameters are too extreme to place the nodes; take sigma and q within 1e-100 and 1e100") from None
        return divergence_from_excess(f.t, integral(f, chosen))

    return relative(evaluate, bits, guard=_guard(rate, sigma, t))


def integral(f: MixtureTerms, chosen: SumPlan) -> arb:
    """J for a plan: the lattice sum with tails, skipped blocks and aliasing in the ball."""
    step = arb(chosen.step)
    total = step * lattice_sum(
        lambda i, j: sum((f(step * n) for n in range(i, j + 1)), arb(0)),
        lambda i, j: terms.block_majorant(f, step * i, step * j),
        chosen.first,
        chosen.last,
        chosen.negligible,
    )
    total += between_zero_and(terms.left_tail(f, step * chosen.first)) + between_zero_and(terms.right_tail(f, step * chosen.last))
    theta = arb(chosen.theta)
    error = aliasing(theta / (2 * f.half_v), step) * terms.edge(f, theta, step * chosen.last)
    return total + error * arb(0, 1)


def plan(f: MixtureTerms, bits: int) -> SumPlan:
    """Step, strip and window that should give J to about `bits` bits; a bad plan makes the ball wide, never wrong."""
    scale = _scale(f)
    goal = scale * arb(2) ** -bits
    high = _first(lambda x: terms.right_tail(f, x), (1 + f.t) * f.most + 2 * f.sigma, f.sigma, goal)
    low = _first(lambda x: terms.left_tail(f, -x), f.most + f.sigma, f.sigma, goal)
    target = bits * math.log(2)
    natural = min(math.sqrt(2 * target) / float(f.sigma.mid()), MOST_THETA)
    best_step, best_theta = arb(0), natural
    for theta in (natural * 0.6**k for k in range(6)):
        shortfall = (2 * terms.edge(f, arb(theta), high) / goal).log()
        step = 2 * arb.pi() * theta / (2 * f.half_v) / shortfall.max(arb(1))
        if step > best_step:
            best_step, best_theta = step.mid(), theta
    mantissa, exponent = math.frexp(float(best_step) or 2.0**-1000)
    step_used = math.ldexp(math.floor(mantissa * 1024) / 1024, exponent)
    first, last = (int(float((end / step_used).mid())) + 1 for end in (low, high))
    return SumPlan(step=step_used, theta=best_theta, first=-first, last=last, negligible=(goal / (64 * step_used)).mid())


def _scale(f: MixtureTerms) -> arb:
    """J to an order of magnitude: the largest value of σ·f at some points, the saddle x = (1+t)E_u + tE_v among them (E_u(x) = E_v(−x))."""
    x = ((1 + 2 * f.t) * f.most).mid()
    for _ in range(60):
        x = ((1 + f.t) * f.tilt(-x).mean_v + f.t * f.tilt(x).mean_v).mid()
    best = arb(2) ** -10_000
    for point in [x, *(f.sigma * k / 4 for k in (-12, -8, -6, -4, -2, 2, 4, 6, 8, 12))]:
        value = f(point.mid()) * f.sigma
        best = best.max(value.mid()) if value.is_finite() else best
    return best.mid()


def _first(bound: object, start: arb, stride: arb, goal: arb) -> arb:
    """The first point from `start` on, in growing strides and then by bisection, with bound ≤ goal."""
    low = high = start.mid()
    stride = stride.mid()
    for _ in range(200):
        if bound(high) <= goal:  # type: ignore[operator]
            break
        low, high, stride = high, (high + stride).mid(), (stride * 1.5).mid()
    for _ in range(6):
        middle = ((low + high) / 2).mid()
        low, high = (low, middle) if bound(middle) <= goal else (middle, high)  # type: ignore[operator]
    return high


def _guard(rate: Parameter, sigma: Parameter, t: Parameter) -> int:
    """Working bits above the target: what cancels in u − v and in G, and the size of the exponents."""
    with precision(53):
        hit, noise, order = (float(as_ball(value).mid()) for value in (rate, sigma, t))
    return math.ceil(40 + 2 * math.log2(max(noise, 1.0)) - math.log2(max(hit, 1e-300)) + 2 * math.log2(1 + order))


@one_pair.divergence.register(WithReplacementPair)
def _(pair: WithReplacementPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    rate = Fraction(1, pair.population)
    if pair.batch == 1:
        return poisson_gaussian.divergence(t, pair.sigma, rate, bits, substitute=True)
    return divergence(pair.batch, rate, t, pair.sigma, bits)


@one_pair.divergence.register(FixedSizePair)
def _(pair: FixedSizePair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    raise InputError(f"{pair.title} has no Rényi divergence here; pass --guarantee pair to compute the published pair")
