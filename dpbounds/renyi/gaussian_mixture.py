"""Rényi divergence of mixtures of Gaussians: one against N(0, σ²) in either order (a group or a user), or against its mirror image.

In units of the noise, u(s) = Σ w_ℓ e^{ℓs/σ} (`counts`), v(s) = u(−s), either of them 1 where that side is N(0, σ²),

    M(t) = ∫ f ds,   f = φ·u^{1+t}·v^{−t},   D_{1+t} = log M(t)/t,

by the trapezoid rule with step h. On the lines s ± ia, |φ| = φ·e^{a²/2}, |u| ≤ u, and v costs C = `Integrand.log_loss` at θ = a/σ, so that

    |h·Σ f − M| ≤ 2·e^{a²/2 + C}·M/(e^{2πa/h} − 1)

(`numbers.trapezoid`). Pairs: Koskela, Jälkö & Honkela 2020 §6.3 for sampling with replacement, whose pair is its own mirror image.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb

from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.mixture import cell_width
from dpbounds.mechanisms.pairs import FixedSizePair, GaussianMixturePair, SubstitutePair, WithReplacementPair
from dpbounds.numbers.balls import precision
from dpbounds.numbers.discs import ball_around_zero
from dpbounds.numbers.divergence import divergence_from_moment
from dpbounds.numbers.precise import Parameter, as_ball, relative
from dpbounds.numbers.trapezoid import aliasing
from dpbounds.renyi import one_pair
from dpbounds.renyi.counts import BinomialCounts, Counts, ListedCounts
from dpbounds.renyi.limits import large_order

_MOST_NODES = 200_000
_PLAN_BITS, _ROUNDS, _CLOSE, _APART = 64, 100, 0.05, 20.0
_SHIFTS = tuple(0.999 * 0.8**k for k in range(30))


@dataclass(frozen=True)
class IntegrandAt:
    """log u, log v and their slopes E_u/σ and −E_v/σ at some s; 0 where that side is N(0, σ²)."""

    s: arb
    log_u: arb
    log_v: arb
    up: arb
    down: arb


@dataclass(frozen=True)
class Integrand:
    """f = φ·u^p·v^{−n}; p = 0 and n = 0 stand for u = 1 and v = 1."""

    counts: Counts
    sigma: arb
    p: arb
    n: arb

    def at(self, s: arb) -> IntegrandAt:
        """What is known at a place."""
        found = []
        for power, sign in ((self.p, 1), (self.n, -1)):
            total, first = self.counts.side(sign * s / self.sigma) if power != 0 else (arb(1), arb(0))
            found.append((total.log(), sign * first / total / self.sigma))
        (log_u, up), (log_v, down) = found
        return IntegrandAt(s, log_u, log_v, up, down)

    def log_size(self, at: IntegrandAt) -> arb:
        """log(f·√2π)."""
        return self.p * at.log_u - self.n * at.log_v - at.s * at.s / 2

    def slope(self, at: IntegrandAt) -> arb:
        """(log f)′."""
        return self.p * at.up - self.n * at.down - at.s

    def log_loss(self, theta: arb) -> arb:
        """A bound of log(∫|φ u^p v^{−n}|/∫φ u^p v^{−n}) for u, v turned by θ and −θ, but for |φ|.

        By `Counts.turned` it is at most nL, and for c ≥ 0 that of b₀^{−n(1−c)}·∫φu^pv^{−nc}/∫φu^pv^{−n}. With E the mean under φv^{−n},
        where u^p rises in s and v^{n(1−c)} falls, ∫φu^pv^{−nc} ≤ ∫φu^pv^{−n}·E v^{n(1−c)} (Chebyshev), and by Jensen E v^{n(1−c)} =
        ∫φv^{−nc}/∫φv^{−n} ≤ (∫φv^{−n})^{c−1}. Far up ∫φv^{−n} is nearly b₀^{−n}, and nothing is lost.
        """
        loss, cosine = self.counts.turned(theta)
        if not self.n > 0 or not cosine >= 0 or not self.counts.ends[0].is_finite():
            return self.n * loss
        return (self.n * loss).min((1 - cosine) * (-self.n * self.counts.ends[0] - self.least))

    @cached_property
    def least(self) -> arb:
        """A lower bound on log ∫φv^{−n}: v falls in s, so that log Φ̄(S) − n·log v(S) is one for every S; and so is 0, as ∫φv = 1."""
        alone = Integrand(self.counts, self.sigma, arb(0), self.n)
        place = float(still(alone, 0))
        at = alone.at(arb(place - 1 / max(place, 1.0)))  # a little before the bulk, where less of φ is left out
        return (((at.s / arb(2).sqrt()).erfc() / 2).log() - self.n * at.log_v).max(arb(0))


@dataclass(frozen=True)
class SumPlan:
    """Nodes first·h … last·h, and the shift a of the error bound."""

    step: float
    first: int
    last: int
    shift: float


def moment(f: Integrand, chosen: SumPlan) -> arb:
    """M for a plan."""
    step, total = arb(chosen.step), arb(0)
    for n in range(chosen.first, chosen.last + 1):
        total += f.log_size(f.at(step * n)).exp()
    total *= step / (2 * arb.pi()).sqrt()
    omitted = tail(f, step * chosen.first, -1, step) + tail(f, step * chosen.last, 1, step)
    error = discretisation(f, chosen)
    if not error < 1:
        return arb(0).union(arb.pos_inf())
    return total + ball_around_zero(omitted + (total + omitted) / (1 - error) * error).real


def discretisation(f: Integrand, chosen: SumPlan) -> arb:
    """|h·Σ f − M|/M."""
    a = arb(chosen.shift)
    return (a * a / 2 + f.log_loss(a / f.sigma)).exp() * aliasing(a, arb(chosen.step))


def tail(f: Integrand, cut: arb, way: int, step: arb) -> arb:
    """A bound of h·Σ f over the nodes beyond `cut`, to the right for way 1 and to the left for −1.

    In cells, as `laws.mixture.Mixture.right_tail`: p·log u is convex and lies below its chord, and in the last, unbounded cell below the
    line of slope pm/σ to the right and below its value to the left; −n·log v is concave and lies below its tangent.
    Cells go as far as both slopes can reach, (p + n)m/σ to the right.
    """
    steepest, reach = (power * f.counts.most / f.sigma if way == 1 else arb(0) for power in (f.p, f.p + f.n))
    total, here, end = arb(0), f.at(cut), None
    most = f.log_size(here)
    while True:
        start, slope = way * here.s, -way * f.n * here.down
        if float(start) >= float(reach):
            there = None
            slope += steepest
            distance = start - slope
        else:
            end, there = _cell(f, here, way, float(way * cut), float(most - f.log_size(here)))
            slope += f.p * (there.log_u - here.log_u) / (end - start)
            distance = (start - slope).max(slope - end)
        fallen = distance.nonnegative_part() ** 2 / 2  # Φ̄(d) ≤ e^{−d²/2}, and φ is unimodal
        total += (f.p * here.log_u - f.n * here.log_v + slope * (slope / 2 - start) - fallen).exp()
        if there is None:
            return total * (1 + step / (2 * arb.pi()).sqrt())
        here = there


def _cell(f: Integrand, here: IntegrandAt, way: int, first: float, fallen: float) -> tuple[arb, IntegrandAt]:
    """The end of a cell, so narrow that its chord costs little against what f has fallen by."""
    start = float(way * here.s)
    width, least = cell_width(start, first), cell_width(start, start - (start - first) / 6)
    while True:
        end = (way * here.s + width).mid()
        there = f.at(way * end)
        if width <= least or float(f.p * abs(there.up - here.up)) * width / 8 <= 2 + fallen / 2:
            return end, there
        width /= 2


def plan(f: Integrand, tolerance: float) -> SumPlan:
    """A plan that seems to give M to about e^{−tolerance}."""
    with precision(_PLAN_BITS + max(0, int(float((1 + f.n).log().mid()) / math.log(2)))):
        f = Integrand(f.counts, f.sigma.mid(), f.p.mid(), f.n.mid())
        ends = [f.at(still(f, end)) for end in (0, 1)]
        sizes = [f.log_size(at) for at in ends]
        most = sizes[0].max(sizes[1]).mid()
        if ends[1].s - ends[0].s > _APART:  # only one of the two matters
            ends = [at for at, size in zip(ends, sizes, strict=True) if size - most >= -tolerance - _APART]
        step, shift = max(_step(f, share * f.counts.widest, tolerance) for share in _SHIFTS)
        first, last = (_far(f, end.s, way, most - tolerance) for end, way in ((ends[0], -1), (ends[-1], 1)))
    return SumPlan(step, math.floor(first / step), math.ceil(last / step), shift)


def still(f: Integrand, end: int) -> arb:
    """A place where f stands, looked for from 0 on, or from the right; of v alone there is one, as log f is concave."""
    low, high = arb(0), (f.p + f.n) * f.counts.most / f.sigma
    s = high if end else low
    for _ in range(_ROUNDS):
        before = s
        if f.p > 0:
            s = (f.slope(f.at(s)) + s).mid()
        else:
            s = ((low + high) / 2).mid()
            low, high = (s, high) if f.slope(f.at(s)) > 0 else (low, s)
        if abs(s - before) < _CLOSE:
            break
    return s


def _step(f: Integrand, theta: float, tolerance: float) -> tuple[float, float]:
    """The longest step for that shift, and the shift."""
    a = min(theta * float(f.sigma), 40.0 * theta)
    loss = float(f.log_loss(arb(a) / f.sigma))
    return 2 * math.pi * a / (tolerance + 2 + a * a / 2 + loss), a


def _far(f: Integrand, start: arb, way: int, goal: arb) -> float:
    """Where so little is left beyond that the tail is about e^goal."""

    def excess(distance: float) -> float:
        at = f.at(start + way * distance)
        return float(f.log_size(at) - goal) - math.log(max(-way * float(f.slope(at)), 0.3))

    low, high = 0.0, 2.0
    while excess(high) > 0:
        low, high = high, 1.5 * high
    for _ in range(5):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return float(start) + way * high


def _divergence(counts: Callable[[arb], Counts], sigma: Parameter, t: Parameter, bits: int, sides: tuple[bool, bool]) -> arb:
    """D_{1+t}; `counts` for σ, at the precision that is set; `sides`: whether P and Q are mixtures."""

    def value(order: arb, tolerance: float) -> arb:
        noise = as_ball(sigma)
        f = Integrand(counts(noise), noise, (1 + order) * sides[0], order * sides[1])
        chosen = plan(f, tolerance + 1)
        if chosen.last - chosen.first > _MOST_NODES:
            raise PrecisionError(f"the integral needs more than {_MOST_NODES} nodes; take a larger sigma or fewer digits")
        return moment(f, chosen)

    with precision(bits + _PLAN_BITS):
        noise, order = as_ball(sigma), as_ball(t)
        if not order > 0:
            raise InputError(f"a mixture of Gaussians: the order must be > 1, got {1 + float(order.mid())}")
        lost = -float((order * (1 + order) * (counts(noise).mean / noise) ** 2).log().mid())
        if sides[0] and (found := large_order(counts(noise), noise, order, both=sides[1])).rel_accuracy_bits() >= bits:
            return found
    try:
        return divergence_from_moment("a mixture of Gaussians", value, t, bits, max(0.0, lost))
    except (OverflowError, ValueError, ZeroDivisionError):
        raise PrecisionError("the parameters are too extreme to place the nodes; take sigma and q within 1e-100 and 1e100") from None


@one_pair.divergence.register(GaussianMixturePair)
def divergence(pair: GaussianMixturePair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    """D_{1+t} of (P ‖ Q), or of (Q ‖ P) when `reversed`, with `bits` relative bits.

    Args:
        t: order minus one, t > 0.

    Raises:
        InputError: t = 0. PrecisionError: the accuracy was not reached.

    >>> pair = GaussianMixturePair((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), Fraction(2))
    >>> divergence(pair, Fraction(1), 60).str(15, radius=False)
    '0.187503409159405'
    """
    return _divergence(
        lambda sigma: ListedCounts([as_ball(weight) for weight in pair.weights], sigma), pair.sigma, t, bits, (not reversed, reversed)
    )


@one_pair.divergence.register(WithReplacementPair)
def _(pair: WithReplacementPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    rate = Fraction(1, pair.population)
    if rate == 1:
        return relative(lambda: 2 * pair.batch**2 * (1 + as_ball(t)) / as_ball(pair.sigma) ** 2, bits)
    if pair.batch == 1:
        return one_pair.divergence(SubstitutePair(rate, pair.sigma), t, bits)
    return _divergence(lambda sigma: BinomialCounts(pair.batch, as_ball(rate), sigma), pair.sigma, t, bits, (True, True))


@one_pair.divergence.register(FixedSizePair)
def _(pair: FixedSizePair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    raise InputError(f"{pair.title} has no Rényi divergence here; pass --guarantee pair to compute the published pair")
