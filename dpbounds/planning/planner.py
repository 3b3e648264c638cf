"""Plans: the smallest noise for a privacy target, certified on both sides.

δ at fixed ε does not increase with σ: for σ' > σ, adding N(0, σ'²−σ²) to the output turns the mechanism at σ into the one at σ' for every
sampling scheme, and data processing applies. So one σ that meets the target and its neighbour, one last digit less, that does not, are a
certificate: nothing smaller on the decimal grid meets it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import (
    Direction,
    FixedSizeSampling,
    Gaussian,
    GroupPoissonSampling,
    Guarantee,
    Mechanism,
    PoissonSampling,
    RandomAllocation,
    Relation,
    Sampled,
    Sampling,
    TruncatedPoissonSampling,
    WithReplacementSampling,
    repeated,
)
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.domains import at_least_one
from dpbounds.planning.edge import EdgePlan, PlanTarget
from dpbounds.renyi.conversions import delta_of
from dpbounds.renyi.curves import PoissonGaussianCurve, composed

SCHEMES = (PoissonSampling, GroupPoissonSampling, TruncatedPoissonSampling, FixedSizeSampling, WithReplacementSampling, RandomAllocation)
"""Of each, more Gaussian noise on the released sums is a function of less; so it is for each pair that a bound is made of."""
_SMALLEST, _LARGEST = Fraction(1, 2**10), Fraction(2**24)
_RATIO = Fraction(5, 4)


@dataclass(frozen=True)
class NoisePlan(EdgePlan):
    """The smallest noise multiplier on a decimal grid that meets (ε, δ): `sigma`. `below` is one last digit less and misses it."""

    keys = ("below", "delta_at_sigma", "delta_below")
    praise = "is enough"

    @property
    def sigma(self) -> Fraction:
        """The smallest noise multiplier."""
        return self.value

    @property
    def below(self) -> Fraction:
        """One last digit less."""
        return self.beyond


_LARGEST_LOSS, _SMALLEST_CHANCE = 10**9, Fraction(1, 10**1000)
"""Beyond these each δ takes long, and dozens are needed."""


def smallest_sigma_of(
    epsilon: exact.Number,
    delta: exact.Number,
    sampling: Sampling | None = None,
    steps: exact.Number = 1,
    digits: int = 4,
    relation: Relation | str | None = None,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> NoisePlan:
    """The smallest σ with `digits` significant digits for which the composition is (ε, δ)-DP, and the proof that one digit less is not.

    Args:
        epsilon: ε ≥ 0.
        delta: 0 < δ < 1.
        sampling: one of `SCHEMES`, or None.
        steps: number of adaptive uses.
        digits: significant digits of σ.
        relation: neighbouring relation, None for the scheme's own.
        guarantee: PAIR plans for the published pair of the fixed-size schemes, which is no guarantee of the mechanism.

    Returns:
        A `NoisePlan`; both of its δ's are certified.

    Raises:
        InputError: no σ between 2^-10 and 2^24 lies at the edge of the target, or it is far from any that is used.
        PrecisionError: δ could not be enclosed, or not be told from the target.

    >>> plan = smallest_sigma_of(1, "1e-5", digits=4)
    >>> plan.sigma, plan.below
    (Fraction(3731, 1000), Fraction(373, 100))
    """
    target, places = PlanTarget.read(epsilon, delta, relation, guarantee), at_least_one(digits, "digits")
    noise = _Noise(target, sampling, at_least_one(steps, "steps"))
    if target.epsilon > _LARGEST_LOSS or target.delta < _SMALLEST_CHANCE:
        raise InputError("noise is planned for epsilon up to 1e9 and delta from 1e-1000 on; ask for the delta of one sigma instead")
    if sampling is not None and not isinstance(sampling, SCHEMES):
        known = ", ".join(scheme.__name__ for scheme in SCHEMES)
        raise InputError(f"sampling must be {known} or None, got {sampling!r}")
    low, high = _bracket(noise.met)
    power = Fraction(10) ** math.floor(math.log10(high))
    if low < power < high:  # numbers on both sides of a power of ten have different digits
        low, high = (low, power) if noise.met(power) else (power, high)
    unit = Fraction(10) ** (math.ceil(math.log10(high)) - places)
    lower, upper = math.floor(low / unit), math.ceil(high / unit)
    while upper - lower > 1:
        middle = (lower + upper) // 2
        lower, upper = (lower, middle) if noise.met(middle * unit) else (middle, upper)
    if lower == 0:
        raise InputError(f"{places} digits are too few for this target; ask for more")
    plan: NoisePlan = target.plan("sigma", upper * unit, lower * unit, noise.mechanism, NoisePlan)
    return plan


@dataclass(frozen=True)
class _Noise:
    """Whether a σ meets a target, with one sampling and so many uses."""

    target: PlanTarget
    sampling: Sampling | None
    steps: int

    def mechanism(self, sigma: Fraction) -> Mechanism:
        """What is run at σ."""
        noise = Gaussian(sigma)
        return repeated(noise if self.sampling is None else Sampled(noise, self.sampling), self.steps)

    def met(self, sigma: Fraction) -> bool:
        """Whether δ at σ is at most the target, certified: by the exact δ, or far from the edge by its Rényi bound."""
        try:
            return self.target.decision(self.mechanism(sigma))[0]
        except PrecisionError:
            if self.bound(sigma) <= exact.rational(self.target.delta):
                return True
            raise

    def bound(self, sigma: Fraction) -> Enclosure:
        """An upper bound on δ from the Rényi curves of both directions; 1 where no curve is known."""
        if not (self.sampling is None or isinstance(self.sampling, PoissonSampling)):
            return Enclosure.exactly(1)
        if self.target.relation not in (None, Relation.ADD_OR_REMOVE):
            return Enclosure.exactly(1)
        rate = exact.number(1) if self.sampling is None else self.sampling.q
        both = [composed((PoissonGaussianCurve(sigma, rate, side), self.steps)) for side in (Direction.REMOVE, Direction.ADD)]
        return delta_of(both[0], self.target.epsilon, 3).maximum(delta_of(both[1], self.target.epsilon, 3))


def _bracket(met: Callable[[Fraction], bool]) -> tuple[Fraction, Fraction]:
    """Two neighbours on a geometric grid around the edge: met at the upper one, not at the lower one, both certified.

    The walk keeps close to the edge, where δ is of the size of its target; points where δ cannot be had are passed over.
    """
    start, failure = Fraction(1), None
    high = low = None
    for ratio in (_RATIO, 1 / _RATIO):  # up until met, then down until not met
        sigma = start
        while low is None if ratio < 1 else high is None:
            if not _SMALLEST <= sigma <= _LARGEST:
                break
            try:
                answer = met(sigma)
            except PrecisionError as error:
                failure = error
            else:
                if answer:
                    high = sigma if high is None else min(high, sigma)
                else:
                    low = sigma if low is None else max(low, sigma)
            sigma = _short(sigma * ratio)
    if high is not None and low is not None:
        return low, high
    if failure is not None:
        raise failure
    if high is None:
        raise InputError(f"no sigma up to {exact.text(_LARGEST)} meets the target")
    raise InputError(f"the target is met at sigma {exact.text(_SMALLEST)} already; no noise plan is needed")


def _short(sigma: Fraction) -> Fraction:
    """σ rounded to nine binary digits, so that the numbers stay short."""
    shift = 8 - math.floor(math.log2(sigma))
    return Fraction(round(sigma * Fraction(2) ** shift)) / Fraction(2) ** shift
