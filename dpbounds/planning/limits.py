"""Plans with the noise given: how many steps, which sampling rate or batch, or which δ a target allows, certified on both sides.

δ at fixed ε grows with each of them: with the steps, because the first of them are a function of all; with the rate q of Poisson sampling,
because sampling at q′ < q is sampling at q in a random part of the steps only, where the output tells no more than of all of them, and δ is
jointly convex in the two laws. So one number that meets the target and its neighbour that does not are a certificate for all others.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

from dpbounds import accounting
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Gaussian, Guarantee, Mechanism, PoissonSampling, Relation, Sampled, member, repeated
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least_one
from dpbounds.numbers.exact import Exact
from dpbounds.planning.edge import DIGITS, EdgePlan, Judged, PlanTarget

_MOST_STEPS, _DECADES = 10**15, 12


def largest_steps_of(
    mechanism: Mechanism,
    epsilon: exact.Number,
    delta: exact.Number,
    relation: Relation | str | None = None,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> EdgePlan:
    """The largest number of adaptive uses of a mechanism that is (ε, δ)-DP, and the proof that one use more is not.

    Args:
        mechanism: one use.
        epsilon: ε ≥ 0. delta: 0 < δ < 1.
        relation, guarantee: as for `accounting.delta`.

    Raises:
        InputError: one use misses the target, or 10^15 meet it.
        PrecisionError: δ could not be enclosed, or not be told from the target.

    >>> plan = largest_steps_of(Gaussian(10), 1, "1e-5")
    >>> plan.value, plan.beyond
    (Fraction(7, 1), Fraction(8, 1))
    """
    target = PlanTarget.read(epsilon, delta, relation, guarantee)

    def build(steps: Fraction) -> Mechanism:
        return repeated(mechanism, int(steps))

    spread = _approx_loss_spread(mechanism)
    start = (_approx_spread(target.epsilon, target.delta) / spread) ** 2 if spread else 1.0
    found = _last_met(lambda steps: target.judged(build(Fraction(steps))), target.delta, 1, _MOST_STEPS, start)
    if found is None:
        raise InputError("one step misses the target already; take more noise or a smaller sampling rate")
    if found == _MOST_STEPS:
        raise InputError("10^15 steps meet the target; no plan of the steps is needed")
    return target.plan("steps", Fraction(found), Fraction(found + 1), build)


def largest_rate_of(
    sigma: exact.Number,
    epsilon: exact.Number,
    delta: exact.Number,
    steps: exact.Number = 1,
    digits: int = 4,
    relation: Relation | str | None = None,
) -> EdgePlan:
    """The largest rate of Poisson sampling, to some digits, with which Gaussian noise is (ε, δ)-DP; one last digit more is not.

    Args:
        sigma: the noise multiplier.
        epsilon: ε ≥ 0. delta: 0 < δ < 1.
        steps: number of adaptive uses.
        digits: significant digits of the rate.
        relation: neighbouring relation.

    Raises:
        InputError: every rate meets the target, or none that could be looked at.
        PrecisionError: δ could not be enclosed, or not be told from the target.

    >>> plan = largest_rate_of(1, 1, "1e-5", steps=100, digits=2)
    >>> plan.value, plan.beyond
    (Fraction(13, 1000), Fraction(7, 500))
    """
    target, count, places = PlanTarget.read(epsilon, delta, relation), at_least_one(steps, "steps"), at_least_one(digits, "digits")
    build = _sampled(sigma, count)
    start = _approx_rate(target, sigma, count)
    unit = Fraction(10) ** (math.floor(math.log10(start)) + 1 - places)
    for _ in range(_DECADES):

        def judge(count: int, unit: Fraction = unit) -> Judged:
            return target.judged(build(count * unit))

        found = _last_met(judge, target.delta, 1, math.floor(1 / unit), start / float(unit))
        if found == 1 / unit:
            raise InputError("every sampling rate meets the target; no plan of the rate is needed")
        if found is not None and 10 ** (places - 1) <= found < 10**places:
            return target.plan("q", found * unit, (found + 1) * unit, build)
        start = float((found or 1) * unit)
        unit = Fraction(10) ** (math.floor(math.log10(start)) + (1 if found else 0) - places)
    raise InputError("no sampling rate that could be looked at meets the target; take more noise or fewer steps")


def largest_batch_of(
    sigma: exact.Number,
    records: exact.Number,
    epsilon: exact.Number,
    delta: exact.Number,
    steps: exact.Number = 1,
    relation: Relation | str | None = None,
) -> EdgePlan:
    """The largest expected batch of Poisson sampling with which Gaussian noise is (ε, δ)-DP; one record more is not.

    Args:
        sigma: the noise multiplier.
        records: n ≥ 1; the rate is batch/n.
        epsilon: ε ≥ 0. delta: 0 < δ < 1.
        steps: number of adaptive uses.
        relation: neighbouring relation.

    Raises:
        InputError: every batch meets the target, or one record misses it.
        PrecisionError: δ could not be enclosed, or not be told from the target.

    >>> largest_batch_of(1, 60_000, 1, "1e-5", steps=100).value
    Fraction(834, 1)
    """
    target, count, total = PlanTarget.read(epsilon, delta, relation), at_least_one(steps, "steps"), at_least_one(records, "records")
    rate = _sampled(sigma, count)

    def build(batch: Fraction) -> Mechanism:
        return rate(batch / total)

    found = _last_met(
        lambda batch: target.judged(build(Fraction(batch))), target.delta, 1, total, _approx_rate(target, sigma, count) * total
    )
    if found is None:
        raise InputError("a batch of one record misses the target already; take more noise or fewer steps")
    if found == total:
        raise InputError("a batch of all records meets the target; no plan of the batch is needed")
    return target.plan("batch", Fraction(found), Fraction(found + 1), build)


def smallest_delta_of(
    mechanism: Mechanism,
    epsilon: exact.Number,
    digits: int = 4,
    relation: Relation | str | None = None,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> EdgePlan:
    """The smallest δ with some digits for which a mechanism is (ε, δ)-DP; one last digit less is not enough.

    Args:
        mechanism: all uses.
        epsilon: ε ≥ 0.
        digits: significant digits of δ.
        relation, guarantee: as for `accounting.delta`.

    Raises:
        PrecisionError: δ could not be enclosed, is 0, or cannot be told from a number with these digits.

    >>> plan = smallest_delta_of(Gaussian(1), 1, digits=3)
    >>> plan.value, plan.beyond
    (Fraction(127, 1000), Fraction(63, 500))
    """
    places, kind = at_least_one(digits, "digits"), member(Guarantee, guarantee, "guarantee")
    for extra in DIGITS:
        result = accounting.delta(mechanism, epsilon, digits=places + extra, relation=relation, guarantee=kind)
        low, high = Fraction(result.enclosure.lower), Fraction(result.enclosure.upper)
        if low <= 0:
            break
        unit = Fraction(10) ** (math.floor(math.log10(float(high)) if high > 1e-300 else -300) + 1 - places)
        if (value := -(-high // unit) * unit) - unit < low:
            return EdgePlan("delta", value, value - unit, exact.number(epsilon), value, result.enclosure, result.enclosure, result)
    raise PrecisionError(
        f"delta is too close to a decimal of {places} digits to be rounded up: {result.enclosure}; change epsilon by a little"
    )


def _sampled(sigma: exact.Number, steps: int) -> Callable[[Fraction], Mechanism]:
    noise = Gaussian(sigma)

    def build(rate: Fraction) -> Mechanism:
        return repeated(noise if rate == 1 else Sampled(noise, PoissonSampling(rate)), steps)

    return build


def _last_met(judge: Callable[[int], Judged], delta: Exact, first: int, last: int, start: float) -> int | None:
    """The last n in [first, last] that meets a target δ which is met up to some n; None where the first does not. `start` is a guess."""
    near, goal, ratio = round(min(max(start, first), last)), math.log(float(delta)), 2
    met, value = judge(near)
    while met and near < last:
        beyond = min(near * ratio, last)
        met_beyond, other = judge(beyond)
        if not met_beyond:
            return _between(judge, goal, (near, value), (beyond, other))
        near, value, ratio = beyond, other, min(ratio * ratio, 64)
    while not met and near > first:
        before = max(near // ratio, first)
        met_before, other = judge(before)
        if met_before:
            return _between(judge, goal, (before, other), (near, value))
        near, value, ratio = before, other, min(ratio * ratio, 64)
    return near if met else None


def _approx_spread(epsilon: Exact, delta: Exact) -> float:
    """About the μ at which a Gaussian loss meets (ε, δ): the walk begins there, and δ far below its target takes long."""
    loss, goal = float(epsilon), float(delta)
    low, high = 1e-6, 1e3
    while high > low * 1.01:
        mu = math.sqrt(low * high)
        ends = [math.erfc((loss / mu + way * mu / 2) / math.sqrt(2)) / 2 for way in (-1, 1)]
        met = ends[0] - math.exp(min(loss, 700.0)) * ends[1] <= goal
        low, high = (mu, high) if met else (low, mu)
    return low


def _approx_rate(target: PlanTarget, sigma: exact.Number, steps: int) -> float:
    """About the largest rate that meets the target."""
    of_half = _approx_loss_spread(Sampled(Gaussian(sigma), PoissonSampling("1/2")))
    return min(1.0, _approx_spread(target.epsilon, target.delta) / math.sqrt(steps) / (2 * (of_half or 1.0)))


def _approx_loss_spread(mechanism: Mechanism) -> float | None:
    """About the standard deviation of the loss of one use of Gaussian noise, sampled or not; None for others."""
    base, rate = (mechanism.base, mechanism.sampling) if isinstance(mechanism, Sampled) else (mechanism, None)
    if not isinstance(base, Gaussian) or not (rate is None or isinstance(rate, PoissonSampling)):
        return None
    sigma = float(base.sigma)
    return 1 / sigma if rate is None else float(rate.q) * math.sqrt(math.expm1(min(1 / sigma**2, 700.0)))


def _between(judge: Callable[[int], Judged], goal: float, low: tuple[int, float], high: tuple[int, float]) -> int:
    """The last n that meets the target, between one that does and one that does not, each with its log δ.

    False positions on log δ against log n, with the Illinois rule: an end that stays counts half, so that both ends come near. Every third
    place is half way, whatever log δ is.
    """
    below, above, last = low[1] - goal, high[1] - goal, 0
    (left, _), (right, _) = low, high
    for count in itertools.count(1):
        if right - left <= 1:
            break
        share = below / (below - above) if math.isfinite(below) and below < above and count % 3 else 0.5
        near = round(left * (right / left) ** share)
        near = min(max(near, left + 1), right - 1)
        met, value = judge(near)
        if met:
            left, below, above, last = near, min(value - goal, -1e-12), above / 2 if last > 0 else above, 1
        else:
            right, above, below, last = near, max(value - goal, 1e-12), below / 2 if last < 0 else below, -1
    return left
