"""From a reading of a statement to mechanisms whose certified δ bounds the truth from above and from below.

The record that differs contributes a vector of norm at most 1, and σ is the noise multiplier. What each reading means:

* **poisson**: every record is in every batch independently with probability q. The pairs are those of `dpbounds.mechanisms.pairs`. A
  record that is zeroed out contributes nothing when it is drawn, as one that was removed: zero-out has the pair of add-or-remove.
* **without-replacement**: a uniform batch of fixed size. Another record takes the place that the differing one leaves, so the
  sum moves by up to 2. *Add-or-remove*, n records against n − 1: couple a batch with the record to one without it by exchanging
  one member. By joint convexity (1−q)N(0, σ²) + qN(2, σ²) against N(0, σ²) dominates every step. With all other records at −1
  and the differing one at +1 it is attained: this is Poisson sampling at σ/2, exactly. *Substitute*: the same data sets give it
  as a lower bound; the upper one is that of `accounting.delta` (Balle, Barthe & Gaboardi 2018, symmetrised). *Zero-out*: other
  records at 0 give Poisson sampling at σ as a lower bound; a zeroed record is a substituted one, which is the upper bound.
* **random-allocation**: once an epoch every record goes to one of t batches, each alike and independently of the others.
  Add-or-remove and zero-out have the pair of `dpbounds.mechanisms.pairs`. Substitute: with all other records at 0, a record at 1
  against one at 0 gives that pair as a lower bound; given the batch, one Gaussian step at σ/2 sees the record, so by joint
  convexity an epoch is at most as bad as that step.
* **shuffled**: a random order is cut into t batches of known sizes. The upper bound is one Gaussian step an epoch, as before: at
  σ for zero-out, at σ/2 for substitute. A shuffled order of n − 1 records has other batches, so add-or-remove has no upper bound.
  The lower bounds are data sets. *All other records at 0*, the record at 1 or nothing: an epoch is N(e_i, σ²I) against N(0, σ²I),
  which is the pair of random allocation where all batches have one size, so that i is uniform. *All others at −1*: as the sizes
  are known, a substitution of 1 by −1 is N(2e_i, σ²I) against N(0, σ²I), that pair at σ/2, and zeroing out is N(2e_i, σ²I)
  against N(e_i, σ²I). Whatever the sizes are, the event that some coordinate exceeds c gives a lower bound (Chua et al. 2024,
  arXiv 2403.17673), and its epochs compose as a pair of coins.
* **truncated-poisson**: a Poisson batch of more than b records is cut to b at random; of the two neighbours the larger has the printed
  number n of records. Add-or-remove alone: the upper bound is that of `dpbounds.mechanisms.pairs.TruncatedPair`. With all other
  records at 0 a step is Poisson sampling at the rate at which the record stays in, q·E[min(1, b/(m + 1))] ≥ q·P(m < b) for m of
  the other n − 1 records drawn, and a smaller rate is a post-processing: the lower bound.
* **none**: nothing is random. Every record is in one known batch an epoch, or in every step where there are no batches.

A group of g records is one user's. Without sampling all of them may be in one batch and move a sum the same way: the noise is σ/g.
With Poisson sampling under add-or-remove and zero-out, Bin(g, q) of them are drawn (`mechanisms.GroupPoissonSampling`). A pure ε
becomes gε, which randomized response attains; μ becomes gμ, which Gaussian noise attains (Dong, Roth & Su 2022, Theorem 2.14).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpbounds import accounting
from dpbounds.mechanisms import (
    Composed,
    FiniteTable,
    FixedSizeSampling,
    Gaussian,
    GroupPoissonSampling,
    Laplace,
    Mechanism,
    Noise,
    PoissonSampling,
    RandomAllocation,
    RandomizedResponse,
    Relation,
    Sampled,
    TruncatedPoissonSampling,
    repeated,
)
from dpbounds.mechanisms.registry import plain_noises
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.binomial import chance_of_at_least
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import normal_cdf
from dpbounds.verify.span import Span
from dpbounds.verify.statement import MechanismUse, Statement

_COIN_BITS = 60
"""Probabilities of the threshold test are rounded to so many bits, inward, so that the coin stays a weaker test."""
_FEW = 4
"""So many numbers of batches are tried one by one; a text that allows more gets no lower bound."""


class Missing(Exception):
    """What a reading lacks so that it can be settled; the message completes "not expressible: …"."""


@dataclass(frozen=True)
class SideBound:
    """A mechanism and a relation whose certified δ is a bound."""

    mechanism: Mechanism
    relation: Relation = Relation.ADD_OR_REMOVE

    def delta(self, epsilon: Fraction, digits: int) -> Enclosure:
        """Its certified δ(ε)."""
        return accounting.delta(self.mechanism, epsilon, digits=digits, relation=self.relation).enclosure

    def epsilon(self, delta: Fraction, digits: int) -> Enclosure:
        """Its certified ε(δ)."""
        return accounting.epsilon(self.mechanism, delta, digits=digits, relation=self.relation).enclosure


@dataclass(frozen=True)
class Sides:
    """Bounds on the δ of a reading.

    Args:
        upper: its δ is at least the truth; None where no such mechanism is known.
        lower: its δ is at most the truth; None where the tests of `coins` are the lower bound, or none is known.
        coins: composed threshold tests, one for each number of batches that the text allows; their threshold is chosen for the ε asked.
        assumed: what the reading takes for granted, for readers.
    """

    upper: SideBound | None
    lower: SideBound | None
    coins: tuple[Coins, ...]
    assumed: str

    @property
    def exact(self) -> bool:
        """Whether one mechanism bounds from both sides."""
        return self.upper is not None and self.upper == self.lower


@dataclass(frozen=True)
class Coins:
    """The threshold test of an epoch of t batches, and how many epochs there are.

    Args:
        sigma: the noise multiplier.
        batches: t.
        weight: the probability that the record is in some batch.
        epochs: how often.
        base: where the record's batch is centred without the record; with it 1 higher.
    """

    sigma: Fraction
    batches: int
    weight: Fraction
    epochs: int
    base: int = 0

    def bound(self, epsilon: Fraction) -> SideBound | None:
        """The composed coins at the threshold that looks best in float64, with probabilities rounded inward; None where none helps.

        Rounding p down and q up stays below the trade-off curve of the coin, so the rounded coin is a post-processing of it.
        """
        level = max((self._gain(c / 8 * float(self.sigma), float(epsilon)), c) for c in range(-8, 100))[1]
        p, q = self._coin(Fraction(level, 8) * self.sigma)
        if p <= q:
            return None
        coin = FiniteTable((p, 1 - p), (q, 1 - q))
        return SideBound(repeated(coin, self.epochs))

    def _gain(self, threshold: float, epsilon: float) -> float:
        sigma = float(self.sigma)
        centres = (0, self.base, self.base + 1)
        below, without, shifted = (math.erfc((x - threshold) / sigma / math.sqrt(2)) / 2 for x in centres)
        left_out = -math.expm1(self.batches * math.log(below)) if below > 0 else 1.0
        weight, others = float(self.weight), below ** (self.batches - 1)
        p, q = ((1 - weight) * left_out + weight * (1 - others * x) for x in (shifted, without))
        k, total = self.epochs, 0.0
        for hits in range(k + 1):
            try:
                left = math.comb(k, hits) * p**hits * (1 - p) ** (k - hits)
                right = math.comb(k, hits) * q**hits * (1 - q) ** (k - hits)
                total += max(0.0, left - math.exp(epsilon) * right)
            except OverflowError:
                return 0.0
        return total

    def _coin(self, threshold: Fraction) -> tuple[Fraction, Fraction]:
        with precision(200):
            centres = (0, self.base, self.base + 1)
            below, without, shifted = (normal_cdf(as_ball((threshold - x) / self.sigma)) for x in centres)
            weight, others = as_ball(self.weight), below ** (self.batches - 1)
            left_out = 1 - others * below
            p, q = ((1 - weight) * left_out + weight * (1 - others * x) for x in (shifted, without))
            low, high = Enclosure.of_ball(p).lower, Enclosure.of_ball(q).upper
        unit = Fraction(1, 2**_COIN_BITS)
        return max(Fraction(0), Fraction(low) // unit * unit), min(Fraction(1), -(-Fraction(high) // unit) * unit)


def sides_of(statement: Statement, sampling: str, relation: str, *, worst: bool) -> Sides:
    """The bounds of one reading at one end of the printed intervals.

    Args:
        statement: what is printed.
        sampling, relation: the reading.
        worst: True takes the ends where the privacy loss is largest, False those where it is smallest.

    Raises:
        Missing: what the text does not say, or what has no certified bound here.
    """
    if statement.formula is not None:
        ends = statement.formula.ends()
        upper = None if ends.upper is None else SideBound(ends.upper, ends.relation)
        return Sides(upper, SideBound(ends.lower, ends.relation), (), ends.assumed)
    found = [sides_of_part(part, sampling, relation, worst) for part in statement.parts]
    if len(found) == 1:
        return found[0]
    if any(sides.coins for sides in found):
        found = [Sides(sides.upper, None, (), sides.assumed) for sides in found]
    assumed = "; ".join(dict.fromkeys(sides.assumed for sides in found))
    return Sides(_composed([s.upper for s in found]), _composed([s.lower for s in found]), (), assumed)


def _composed(bounds: list[SideBound | None]) -> SideBound | None:
    known = [bound for bound in bounds if bound is not None]
    if len(known) < len(bounds) or len({bound.relation for bound in known}) > 1:
        return None
    return SideBound(Composed([bound.mechanism for bound in known]), known[0].relation)


def sides_of_part(part: MechanismUse, sampling: str, relation: str, worst: bool) -> Sides:
    """The bounds of one part of a statement, as `sides_of`."""
    if part.noise is None or part.amount is None:
        raise Missing("the noise: the text gives a target and no noise multiplier, so nothing can be checked")
    if part.noise in ("rho", "mu", "pure-epsilon"):
        return _premise(part, worst)
    if part.group > 1 and (part.noise == "randomized-response" or sampling not in ("none", "poisson")):
        raise Missing(f"a certified bound for {part.group} records of one user with {part.noise} and {sampling} sampling")
    if part.noise in plain_noises():
        return _of_registry(part, part.amount, sampling, relation, worst)
    amount = part.amount.low if worst != (part.noise == "randomized-response") else part.amount.high
    if part.noise == "randomized-response":
        if sampling != "none":
            raise Missing(f"a certified bound for randomized response with {sampling} sampling")
        return _exactly(repeated(RandomizedResponse(amount), count_of(part, worst)), "randomized response on one's own record")
    if part.noise == "laplace-scale":
        return _laplace(part, amount, sampling, relation, worst)
    return _READINGS[sampling](part, amount, relation, worst)


def _premise(part: MechanismUse, worst: bool) -> Sides:
    assert part.amount is not None and part.noise is not None
    amount, steps = part.group * (part.amount.high if worst else part.amount.low), count_of(part, worst)
    if part.noise == "pure-epsilon":
        return _exactly(
            repeated(RandomizedResponse(amount), steps),
            "nothing is known of the mechanism but its pure epsilon; randomized response is the worst such mechanism",
        )
    if part.noise == "mu":
        return _exactly(repeated(Gaussian(1 / amount), steps), "mu-GDP is the trade-off curve of Gaussian noise with sigma = 1/mu")
    raise Missing("a composition of rho-zCDP with other parts")


def _laplace(part: MechanismUse, scale: Fraction, sampling: str, relation: str, worst: bool) -> Sides:
    if sampling == "none":
        factor = part.group * (2 if relation == "substitute" else 1)
        return _exactly(repeated(Laplace(scale / factor), count_of(part, worst)), moves(part, relation))
    if sampling == "poisson" and relation != "substitute" and part.group == 1:
        step = Sampled(Laplace(scale), PoissonSampling(_rate(part, worst)))
        return _exactly(repeated(step, steps_of(part, worst)), _MOVES[relation])
    raise Missing(f"a certified bound for Laplace noise with {sampling} sampling under {relation}")


def _of_registry(part: MechanismUse, amount: Span, sampling: str, relation: str, worst: bool) -> Sides:
    """Noise from a file of its own: as printed without sampling, or each record drawn by itself; a zeroed record is a removed one."""
    kind, name = plain_noises()[str(part.noise)], str(part.noise)
    if part.group > 1 or sampling not in ("none", "poisson") or (sampling == "poisson" and relation == "substitute"):
        raise Missing(f"a certified bound for {name} with {sampling} sampling under {relation}, {part.group} records of one user")
    known = Relation.SUBSTITUTE if relation == "substitute" else Relation.ADD_OR_REMOVE

    def noise(value: Fraction) -> Noise:
        return kind.from_spec({name: exact.text(value), **dict(part.further)})

    rising = noise(amount.low).pair(known).parameters.get(kind.parameters[0].attribute)
    if rising is None and not amount.single:
        raise Missing(f"one value of {name}: which end of an interval is the more private one is not known")
    step = noise(amount.high if bool(rising) != worst else amount.low)
    if sampling == "none":
        bound = SideBound(repeated(step, count_of(part, worst)), known)
    else:
        bound = SideBound(repeated(Sampled(step, PoissonSampling(_rate(part, worst))), steps_of(part, worst)), known)
    return Sides(bound, bound, (), _MOVES[relation])


def _none(part: MechanismUse, sigma: Fraction, relation: str, worst: bool) -> Sides:
    factor = part.group * (2 if relation == "substitute" else 1)
    return _exactly(
        repeated(Gaussian(sigma / factor), count_of(part, worst)),
        f"no amplification: a record is in one known batch an epoch; {moves(part, relation)}",
    )


def _poisson(part: MechanismUse, sigma: Fraction, relation: str, worst: bool) -> Sides:
    if part.group > 1 and relation == "substitute":
        raise Missing(f"a certified bound for {part.group} records of one user with poisson sampling under substitute")
    rate = _rate(part, worst)
    step = Sampled(Gaussian(sigma), PoissonSampling(rate) if part.group == 1 else GroupPoissonSampling(rate, part.group))
    bound = SideBound(repeated(step, steps_of(part, worst)), Relation.SUBSTITUTE if relation == "substitute" else Relation.ADD_OR_REMOVE)
    return Sides(bound, bound, (), moves(part, relation))


def _without_replacement(part: MechanismUse, sigma: Fraction, relation: str, worst: bool) -> Sides:
    rate, steps = _rate(part, worst), steps_of(part, worst)
    reach = 1 if relation == "zero-out" else 2
    lower = SideBound(repeated(Sampled(Gaussian(sigma / reach), PoissonSampling(rate)), steps))
    if relation == "add-or-remove":
        return Sides(lower, lower, (), "batches of one fixed size, so that another record takes the place of the one that differs")
    fixed = repeated(Sampled(Gaussian(sigma), FixedSizeSampling(rate.denominator, rate.numerator)), steps)
    return Sides(SideBound(fixed, Relation.SUBSTITUTE), lower, (), f"batches of one fixed size; {_MOVES[relation]}")


def _random_allocation(part: MechanismUse, sigma: Fraction, relation: str, worst: bool) -> Sides:
    epochs = _Epochs.of_use(part)
    known = epochs.allocated(sigma)
    assumed = f"records put into one batch an epoch at random; {_MOVES[relation]}"
    if known is not None and relation != "substitute":
        return Sides(known, known, (), assumed)
    coins = tuple(Coins(sigma, count, Fraction(1), epochs.least) for count in epochs.counts)
    return Sides(_once_an_epoch(sigma / 2 if relation == "substitute" else sigma, epochs), known, coins, assumed)


def _shuffled(part: MechanismUse, sigma: Fraction, relation: str, worst: bool) -> Sides:
    epochs = _Epochs.of_use(part)
    near = sigma / 2 if relation == "substitute" else sigma
    bases = (0, 1) if relation == "zero-out" else (0,)
    coins = tuple(
        Coins(near, count, min(Fraction(1), count * epochs.rate), epochs.least, base) for count in epochs.counts for base in bases
    )
    lower = epochs.allocated(near) if epochs.counts and epochs.counts[0] * epochs.rate == 1 else None
    upper = None if relation == "add-or-remove" else _once_an_epoch(near, epochs)
    assumed = f"records shuffled, then cut into batches: between known data sets and no amplification; {_MOVES[relation]}"
    return Sides(upper, lower, coins, assumed)


def _once_an_epoch(sigma: Fraction, epochs: _Epochs) -> SideBound:
    return SideBound(repeated(Gaussian(sigma), epochs.most))


@dataclass(frozen=True)
class _Epochs:
    """Epochs in which every record is in one batch: how many there are at least and at most, and how many batches they may have."""

    least: int
    most: int
    counts: tuple[int, ...]
    rate: Fraction

    @classmethod
    def of_use(cls, part: MechanismUse) -> _Epochs:
        passes = require(part.passes(), "the number of epochs")
        batches, rate = require(part.batches(), "records and batch size, or q"), require(part.rate(), "records and batch size, or q")
        least, most = int(passes.low // 1), int(-(-passes.high // 1))
        counts = range(int(batches.low), int(batches.high) + 1)
        return cls(least, most, tuple(counts) if least >= 1 and len(counts) <= _FEW else (), rate.low)

    def allocated(self, sigma: Fraction) -> SideBound | None:
        """Random allocation, where the text leaves no doubt about the numbers of batches and epochs."""
        if len(self.counts) != 1 or self.least != self.most:
            return None
        return SideBound(repeated(Sampled(Gaussian(sigma), RandomAllocation(self.counts[0])), self.least))


def _with_replacement(part: MechanismUse, sigma: Fraction, relation: str, worst: bool) -> Sides:
    raise Missing("a certified bound for sampling with replacement: only a published pair is known")


def _truncated(part: MechanismUse, sigma: Fraction, relation: str, worst: bool) -> Sides:
    if relation != "add-or-remove":
        raise Missing(f"a certified bound for Poisson batches that are cut at a largest size under {relation}")
    limit = require(part.batch_limit, "batch-limit, the size at which a batch is cut")
    records, rate = require(part.records, "the number of records"), require(part.rate(), "the sampling rate: q, or batch and records")
    if not (limit.single and records.single and rate.single):
        raise Missing("one sampling rate, one number of records and one batch limit: no end of an interval is known to be the worse one")
    most, largest, steps = int(records.low), int(limit.low), steps_of(part, worst)
    if largest >= most:
        return _poisson(part, sigma, relation, worst)
    cut = repeated(Sampled(Gaussian(sigma), TruncatedPoissonSampling(rate.low, most, largest)), steps)
    kept = repeated(Sampled(Gaussian(sigma), PoissonSampling(_kept(rate.low, most, largest))), steps)
    assumed = f"a batch of more than {largest} records is cut to so many at random; the larger data set has {most} records"
    return Sides(SideBound(cut), SideBound(kept), (), f"{assumed}; {_MOVES[relation]}")


def _kept(rate: Fraction, records: int, limit: int) -> Fraction:
    """A rate at which a record is in a batch that is not cut, rounded down."""
    with precision(2 * _COIN_BITS):
        full = Enclosure.of_ball(chance_of_at_least(records - 1, rate, limit)).upper
    unit = Fraction(1, 2**_COIN_BITS)
    return max(Fraction(0), rate * (1 - Fraction(full)) // unit * unit)


_READINGS = {
    "none": _none, "poisson": _poisson, "without-replacement": _without_replacement, "with-replacement": _with_replacement,
    "random-allocation": _random_allocation, "shuffled": _shuffled, "truncated-poisson": _truncated,
}  # fmt: skip
_MOVES = {
    "add-or-remove": "one record is added or removed",
    "substitute": "one record becomes another, which moves a sum by up to 2",
    "zero-out": "one record is replaced by nothing",
}


def moves(part: MechanismUse, relation: str) -> str:
    """What differs between neighbours, in words."""
    return _MOVES[relation] if part.group == 1 else f"a user has {part.group} records, all of which differ; for each, {_MOVES[relation]}"


def _exactly(mechanism: Mechanism, assumed: str) -> Sides:
    bound = SideBound(mechanism)
    return Sides(bound, bound, (), assumed)


def _rate(part: MechanismUse, worst: bool) -> Fraction:
    rate = require(part.rate(), "the sampling rate: q, or batch and records")
    return rate.high if worst else rate.low


def steps_of(part: MechanismUse, worst: bool) -> int:
    """The number of steps at one end of what is printed."""
    steps = require(part.uses(), "the number of steps, or of epochs with batch and records")
    return int(steps.high if worst else steps.low)


def count_of(part: MechanismUse, worst: bool) -> int:
    """Uses of the record that is used most, without sampling: the passes, a part of one being one more; one where the text names none."""
    passes = part.passes()
    if passes is None:
        return 1
    return int(-(-(passes.high if worst else passes.low) // 1))


def require(value: Span | None, what: str) -> Span:
    """The number itself, or `Missing` with what it is."""
    if value is None:
        raise Missing(what)
    return value
