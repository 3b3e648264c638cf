"""Dominating pairs: the two distributions that decide a mechanism's privacy.

`dominating_pairs` turns a mechanism, a relation, a direction and a guarantee into products of elementary pairs.
Each pair is (P ‖ Q) with P the upper distribution; `Factor.reversed` swaps them. `pair_kinds` has the pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import singledispatch

from dpbounds.errors import InputError
from dpbounds.mechanisms import (
    Direction,
    FixedSizeSampling,
    Gaussian,
    GroupPoissonSampling,
    Guarantee,
    Mechanism,
    Noise,
    PoissonSampling,
    RandomAllocation,
    Relation,
    Sampled,
    Sampling,
    TruncatedPoissonSampling,
    WithReplacementSampling,
    member,
)
from dpbounds.mechanisms.pair_kinds import (  # noqa: F401
    MOST_HITS, AllocationPair, AtomicPair, ContinuousPair, FinitePair, FixedSizePair, GaussianMixturePair, GaussianPair, LaplacePair, Pair,
    PoissonPair, RandomizedResponsePair, ShiftedPair, SubstitutePair, TruncatedPair, WithReplacementPair, binomial_masses, mixture_pair,
)  # fmt: skip


@dataclass(frozen=True)
class Factor:
    """`steps` uses of one pair; `reversed` swaps P and Q."""

    pair: Pair
    steps: int = 1
    reversed: bool = False


@dataclass(frozen=True)
class Product:
    """The product of independent factors: what an adaptive composition is dominated by.

    `direction` is REMOVE, ADD or SYMMETRIC, never WORST.
    """

    factors: tuple[Factor, ...]
    relation: Relation
    direction: Direction
    guarantee: Guarantee

    @property
    def notes(self) -> tuple[str, ...]:
        """What to say beside a value: each note of a pair once."""
        alone = len({type(factor.pair) for factor in self.factors}) == 1
        return tuple(dict.fromkeys(note for factor in self.factors for note in factor.pair.notes(alone=alone)))

    def splits(self) -> Iterator[tuple[Product, Product]]:
        """Each factor and the others; of two factors once."""
        for place in range(len(self.factors) if len(self.factors) > 2 else len(self.factors) - 1):
            others = (*self.factors[:place], *self.factors[place + 1 :])
            yield replace(self, factors=(self.factors[place],)), replace(self, factors=others)

    def one_of_many(self) -> Product | None:
        """One use of a product of one factor that is used more often; None of others."""
        (factor, *others) = self.factors
        return None if others or factor.steps == 1 else replace(self, factors=(replace(factor, steps=1),))


def default_relation(mechanism: Mechanism) -> Relation:
    """Substitute where some part samples a batch of fixed size, add-or-remove otherwise.

    >>> default_relation(Gaussian(1)).value
    'add-or-remove'
    """
    substituted = any(part.default_relation is Relation.SUBSTITUTE for part, _ in mechanism.counted_parts())
    return Relation.SUBSTITUTE if substituted else Relation.ADD_OR_REMOVE


def dominating_pairs(
    mechanism: Mechanism,
    relation: Relation | str | None = None,
    direction: Direction | str = Direction.WORST,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
    *,
    upper_bounds: bool = False,
) -> tuple[Product, ...]:
    """The products of pairs whose largest δ (or Rényi divergence) is the mechanism's.

    One product for REMOVE, ADD or SYMMETRIC; two for WORST, or one where both directions coincide.

    Args:
        mechanism: what is run; `Repeated` and `Composed` become products.
        relation: neighbouring relation; None means `default_relation`.
        direction: REMOVE = (with ‖ without), ADD = (without ‖ with); under SUBSTITUTE only WORST or SYMMETRIC.
        guarantee: MECHANISM is refused where only the published pair is known.
        upper_bounds: rather than refuse, take a pair that dominates the mechanism without being attained under composition
            (`FixedSizePair`).

    Raises:
        InputError: a direction under substitution, or a combination without a known dominating pair.

    >>> from dpbounds.mechanisms import Sampled, PoissonSampling, Gaussian, Repeated
    >>> mechanism = Repeated(Sampled(Gaussian(2), PoissonSampling("0.01")), 100)
    >>> [product.direction.value for product in dominating_pairs(mechanism)]
    ['remove', 'add']
    """
    if not hasattr(mechanism, "counted_parts"):
        raise InputError(f"no dominating pair is known for {type(mechanism).__name__}")
    relation = default_relation(mechanism) if relation is None else member(Relation, relation, "relation")
    direction, guarantee = member(Direction, direction, "direction"), member(Guarantee, guarantee, "guarantee")
    if relation is Relation.SUBSTITUTE:
        if direction in (Direction.REMOVE, Direction.ADD):
            raise InputError(f"direction must be worst under the substitute relation (the pair is symmetric), got {direction.value}")
    elif direction is Direction.SYMMETRIC:
        raise InputError("direction must be remove, add or worst under the add-or-remove relation, got symmetric")
    if isinstance(mechanism, Noise) and (several := mechanism.alternatives()) is not None:
        if relation is not mechanism.default_relation:
            raise InputError(f"here {mechanism.adjacency}: leave --relation out, or give {mechanism.default_relation}, got {relation}")
        return tuple(Product((Factor(pair),), relation, Direction.SYMMETRIC, several[1]) for pair in several[0])
    counts: Counter[tuple[Pair, bool]] = Counter()
    for pair, steps in _factors(mechanism, relation, guarantee, upper_bounds):
        counts[pair, False] += steps
    forward = tuple(Factor(pair, steps) for (pair, _), steps in counts.items())
    symmetric = all(factor.pair.symmetric for factor in forward)
    if relation is Relation.SUBSTITUTE:
        if not symmetric:
            raise InputError(
                "under the substitute relation only Gaussian noise (plain or sampled) and pairs that are their own mirror image, such as "
                "Laplace noise and randomized response, have a known pair here; use --relation add-or-remove"
            )
        return (Product(forward, relation, Direction.SYMMETRIC, guarantee),)
    backward = tuple(Factor(f.pair, f.steps, reversed=not f.pair.symmetric) for f in forward)
    removal = Product(forward, relation, Direction.REMOVE, guarantee)
    addition = Product(backward, relation, Direction.ADD, guarantee)
    if direction is Direction.REMOVE:
        return (removal,)
    if direction is Direction.ADD:
        return (addition,)
    return (removal,) if symmetric else (removal, addition)


def _factors(mechanism: Mechanism, relation: Relation, guarantee: Guarantee, upper_bounds: bool) -> Iterator[tuple[Pair, int]]:
    for part, steps in mechanism.counted_parts():
        if isinstance(part, Sampled):
            pair = _sampled_pair(part.sampling, part.base, relation, guarantee, upper_bounds)
            yield pair, steps * part.sampling.participations
        else:
            yield part.pair(relation), steps


@singledispatch
def _sampled_pair(sampling: Sampling, base: Noise, relation: Relation, guarantee: Guarantee, upper_bounds: bool) -> Pair:
    raise InputError(f"no dominating pair is known for {type(sampling).__name__}")


@_sampled_pair.register(PoissonSampling)
def _(sampling: PoissonSampling, base: Noise, relation: Relation, guarantee: Guarantee, upper_bounds: bool) -> Pair:
    if relation is Relation.ADD_OR_REMOVE:
        return base.pair(relation).sampled(sampling.q)
    if sampling.q == 1:
        return base.pair(relation)
    if isinstance(base, Gaussian):
        return SubstitutePair(sampling.q, base.sigma)
    raise InputError("Poisson sampling under the substitute relation is known for Gaussian noise only; use --relation add-or-remove")


@_sampled_pair.register(FixedSizeSampling)
def _(sampling: FixedSizeSampling, base: Noise, relation: Relation, guarantee: Guarantee, upper_bounds: bool) -> Pair:
    _require_substitution("without-replacement", relation)
    if sampling.q == 1:
        return base.pair(relation)  # the batch is the whole data set
    noise = _gaussian("without-replacement", base)
    if guarantee is Guarantee.MECHANISM:
        if upper_bounds:
            return FixedSizePair(sampling.q, noise.sigma)
        raise _only_the_published_pair("without-replacement")
    return SubstitutePair(sampling.q, noise.sigma)


@_sampled_pair.register(WithReplacementSampling)
def _(sampling: WithReplacementSampling, base: Noise, relation: Relation, guarantee: Guarantee, upper_bounds: bool) -> Pair:
    _require_substitution("with-replacement", relation)
    noise = _gaussian("with-replacement", base)
    if guarantee is Guarantee.MECHANISM:
        raise _only_the_published_pair("with-replacement")
    return WithReplacementPair(sampling.population, sampling.batch, noise.sigma)


def _require_substitution(name: str, relation: Relation) -> None:
    if relation is Relation.ADD_OR_REMOVE:
        raise InputError(f"{name} sampling has a fixed batch size and is defined under --relation substitute only")


def _gaussian(name: str, base: Noise) -> Gaussian:
    if isinstance(base, Gaussian):
        return base
    raise InputError(f"{name} sampling is known for Gaussian noise only, got {type(base).__name__}")


def _only_the_published_pair(name: str) -> InputError:
    return InputError(
        f"{name} sampling: only the published pair is known, and it is not a guarantee of the mechanism; "
        "pass --guarantee pair to compute the pair"
    )


@_sampled_pair.register(GroupPoissonSampling)
def _(sampling: GroupPoissonSampling, base: Noise, relation: Relation, guarantee: Guarantee, upper_bounds: bool) -> Pair:
    """Of g records every subset may be drawn: Bin(g, q) of them, all moving the query the same way."""
    if not isinstance(base, Gaussian) or relation is not Relation.ADD_OR_REMOVE:
        raise InputError("a group of records is known for Poisson-sampled Gaussian noise under --relation add-or-remove only")
    if not isinstance(sampling.q, Fraction):
        raise InputError(f"q (the sampling rate) must be rational for a group, got {sampling.q}")
    if sampling.group > MOST_HITS:
        raise InputError(f"a group may have {MOST_HITS} records at most; take a smaller --group")
    return mixture_pair(dict(enumerate(binomial_masses(sampling.group, sampling.q))), base.sigma)


@_sampled_pair.register(TruncatedPoissonSampling)
def _(sampling: TruncatedPoissonSampling, base: Noise, relation: Relation, guarantee: Guarantee, upper_bounds: bool) -> Pair:
    if not isinstance(base, Gaussian) or relation is not Relation.ADD_OR_REMOVE:
        raise InputError("truncated Poisson sampling is known for Gaussian noise under --relation add-or-remove only")
    if not upper_bounds:
        raise InputError("truncated Poisson sampling has an upper bound only, and an exact value is needed here")
    if sampling.limit >= sampling.population:
        return base.pair(relation).sampled(sampling.q)
    if not isinstance(base.sigma, Fraction):
        raise InputError(f"sigma must be rational for truncated Poisson sampling, got {base.sigma}")
    return TruncatedPair(sampling.q, base.sigma, sampling.population - 1, sampling.limit)


@_sampled_pair.register(RandomAllocation)
def _(sampling: RandomAllocation, base: Noise, relation: Relation, guarantee: Guarantee, upper_bounds: bool) -> Pair:
    if not isinstance(base, Gaussian):
        raise InputError(f"random allocation is known for Gaussian noise only, got {type(base).__name__}")
    if relation is not Relation.ADD_OR_REMOVE:
        raise InputError("random allocation is known under --relation add-or-remove (and zero-out) only")
    count = sampling.participations
    if 1 < count < sampling.bins and not upper_bounds:
        raise InputError(f"random allocation with {count} participations has an upper bound only, and an exact value is needed here")
    if sampling.bins == count:
        return GaussianPair(base.sigma)  # the record takes part in every step
    return AllocationPair(sampling.bins // count, base.sigma, bound=count > 1)
