"""The kinds of pairs: what each noise, alone, in a batch or in random steps, is dominated by.

Sources: Koskela, Jälkö & Honkela 2020 §6 (Gaussian pairs); Zhu, Dong & Wang 2022 (dominating pairs, Poisson sampling);
Lebeda, Regehr, Kamath & Steinke 2024, arXiv 2405.20769 (which pairs do not dominate under composition).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from dpbounds.errors import InputError
from dpbounds.mechanisms.arithmetic import Number, RealArithmetic
from dpbounds.mechanisms.atomic import AtomicPair
from dpbounds.mechanisms.exact_loss import ExactLoss
from dpbounds.mechanisms.pair import Pair, PoissonPair, Rounding
from dpbounds.numbers.exact import Exact

if TYPE_CHECKING:
    from dpbounds.mechanisms.mechanism import DensityPair

MOST_HITS = 2000
"""Units between the centres of a mixture: sums over them are taken at every node."""


@dataclass(frozen=True)
class GaussianPair(Pair):
    """P = N(1, σ²), Q = N(0, σ²): its own mirror image."""

    sigma: Exact
    symmetric = True
    parameters: ClassVar[Mapping[str, bool]] = {"sigma": True}

    def loss_ends(self) -> tuple[ExactLoss, ...]:
        """None."""
        return ()


@dataclass(frozen=True)
class LaplacePair(Pair):
    """P = Laplace(1, b), Q = Laplace(0, b): its own mirror image."""

    scale: Exact
    symmetric = True
    parameters: ClassVar[Mapping[str, bool]] = {"scale": True}

    def loss_ends(self) -> tuple[ExactLoss, ...]:
        """±1/b."""
        return ExactLoss(1 / self.scale), ExactLoss(-1 / self.scale)


@dataclass(frozen=True)
class RandomizedResponsePair(AtomicPair):
    """P = (e^ε, 1, 1, …)/(n−1+e^ε), Q = (1, e^ε, 1, …)/(n−1+e^ε) for n answers: its own mirror image."""

    epsilon: Exact
    answers: int = 2
    parameters: ClassVar[Mapping[str, bool]] = {"epsilon": False}

    def definition(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """Answer by answer."""
        likely: Any = numbers.exp(numbers.number(self.epsilon))
        total = likely + (self.answers - 1)
        return [(likely / total, 1 / total), (1 / total, likely / total), *[(1 / total, 1 / total)] * (self.answers - 2)]

    def shared(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """The two answers, and the n−2 others as one outcome."""
        ratio: Any = numbers.exp(-numbers.number(self.epsilon))
        likely = 1 / (1 + (self.answers - 1) * ratio)
        unlikely = ratio * likely
        rows = [(likely, unlikely), (unlikely, likely)]
        others = (self.answers - 2) * ratio * likely
        return rows if self.answers == 2 else [*rows, (others, others)]

    def losses(self, bits: int = 64) -> tuple[ExactLoss, ...]:
        """ε, −ε and, for more than two answers, 0."""
        found = (ExactLoss(self.epsilon), ExactLoss(-self.epsilon))
        return found if self.answers == 2 else (*found, ExactLoss())


@dataclass(frozen=True)
class FinitePair(AtomicPair):
    """Two distributions on the same finite set of outcomes."""

    p: tuple[Fraction, ...]
    q: tuple[Fraction, ...]
    symmetric: ClassVar[bool] = False

    def definition(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """The rows."""
        return [(numbers.number(p), numbers.number(q)) for p, q in zip(self.p, self.q, strict=True)]

    def merged(self) -> dict[Fraction, tuple[Fraction, Fraction]]:
        """The outcomes that both show, those of one ratio p/q joined."""
        found: dict[Fraction, tuple[Fraction, Fraction]] = {}
        for p, q in zip(self.p, self.q, strict=True):
            if p and q:
                before = found.get(p / q, (Fraction(0), Fraction(0)))
                found[p / q] = (before[0] + p, before[1] + q)
        return found

    def shared(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """The merged outcomes."""
        return [(numbers.number(p), numbers.number(q)) for p, q in self.merged().values()]

    def losses(self, bits: int = 64) -> tuple[ExactLoss, ...]:
        """Logarithms of the ratios."""
        return tuple(ExactLoss(ratio=ratio) for ratio in self.merged())

    def singular(self) -> tuple[Fraction, Fraction]:
        """What only one side shows."""
        rows = list(zip(self.p, self.q, strict=True))
        return sum((p for p, q in rows if not q), Fraction(0)), sum((q for p, q in rows if not p), Fraction(0))


@dataclass(frozen=True)
class ContinuousPair(Pair):
    """Two densities of the user's."""

    densities: DensityPair


@dataclass(frozen=True)
class ShiftedPair(ContinuousPair):
    """A symmetric density, and the same moved: its own mirror image."""

    symmetric = True


@dataclass(frozen=True)
class GaussianMixturePair(Pair):
    """P = Σ w_ℓ N(ℓ, σ²), Q = N(0, σ²), ℓ = 0, 1, …, K: a query that moves by a random multiple of one unit; record, user or group removed.

    Source: arXiv 2310.15526 and 2401.10294, adaptive composition included. `mixture_pair` makes it.
    """

    weights: tuple[Fraction, ...]
    sigma: Fraction
    title = "a mixture of Gaussians or a group"

    def sampled(self, q: Exact) -> Pair:
        """Again a mixture."""
        if q == 1:
            return self
        if not isinstance(q, Fraction):
            raise InputError(f"q (the sampling rate) must be rational for a mixture of Gaussians, got {q}")
        left_out = {0: 1 - q + q * self.weights[0]}
        return mixture_pair(left_out | {hits: q * weight for hits, weight in enumerate(self.weights) if hits}, self.sigma)


@dataclass(frozen=True)
class SubstitutePair(Pair):
    """P = q·N(1,σ²) + (1−q)·N(0,σ²), Q = q·N(−1,σ²) + (1−q)·N(0,σ²): its own mirror image (t → −t)."""

    q: Exact
    sigma: Exact
    symmetric = True
    parameters: ClassVar[Mapping[str, bool]] = {"q": False, "sigma": True}

    def rounded(self, noise: Rounding, signal: Rounding) -> Pair:
        """At the rate 1 N(1, σ²) against N(−1, σ²)."""
        values = self._rounded(noise, signal)
        return SubstitutePair(**values) if values["q"] < 1 else GaussianPair(values["sigma"] / 2)


@dataclass(frozen=True)
class FixedSizePair(Pair):
    """A dominating pair of Gaussian noise on a batch of fixed size drawn without replacement, under substitution; its own mirror image.

    One step, conditional on the other m−1 records of the batch and on the record z that fills the slot when x is not drawn (a uniform
    batch is obtained this way), compares q·N(x) + (1−q)·N(z) with q·N(x′) + (1−q)·N(z), all within distance 2. By advanced joint
    convexity (Balle, Barthe & Gaboardi 2018, Theorems 2 and 9), for e^{ε′} = 1 + q(e^ε − 1) ≥ 1 its hockey-stick divergence is at most
    q·H_{e^ε}(N(2)‖N(0)), which is that of A = q·N(2) + (1−q)·N(0) against B = N(0), and is attained when x = 1 and all others are −1. For
    orders below 1, swap the data sets: H_α(P‖Q) = 1 − α + α·H_{1/α}(Q‖P). So h(α) = H_α(A‖B) for α ≥ 1, reflected for α < 1, bounds every
    neighbouring pair. It is convex (at α = 1 because A(u > 1) + B(u > 1) ≤ 1), hence the profile of a pair, which dominates, compositions
    included (Zhu, Dong & Wang 2022, Theorem 10):

        under Q the ratio R has the law of u = dA/dB under B on R > 1, of 1/u under A on R < 1, and the rest of its mass at R = 1.
    """

    q: Exact
    sigma: Exact
    symmetric = True
    parameters: ClassVar[Mapping[str, bool]] = {"sigma": True}
    attained = False
    title = "the dominating pair of sampling without replacement"

    @property
    def forced(self) -> Pair:
        """x = 1 in one data set, −1 in the other, and all other records −1.

        A step then compares q·N(2) + (1−q)·N(0) with N(0), in either order: the pair of Poisson sampling with half the noise.
        """
        return PoissonPair(self.q, GaussianPair(self.sigma / 2))


@dataclass(frozen=True)
class WithReplacementPair(Pair):
    """P = Σ b_ℓ N(ℓ,σ²), Q = Σ b_ℓ N(−ℓ,σ²), b = Binomial(batch, 1/population): its own mirror image."""

    population: int
    batch: int
    sigma: Exact
    symmetric = True
    parameters: ClassVar[Mapping[str, bool]] = {"sigma": True}


@dataclass(frozen=True)
class TruncatedPair(Pair):
    """Poisson batches of Gaussian noise that are cut at b records at random; one record of n is removed or added: an upper bound.

    Let m of the other n − 1 records be drawn, m ~ Bin(n−1, q). For m < b nothing is cut: q·N(s+x) + (1−q)·N(s) against N(s). For m ≥ b,
    x is in the batch with probability r = q·b/(m+1), and pushes out a uniform y of the b that would be there without it:
    r·N(s+x) + (1−r)·N(s+y) against N(s+y), |x − y| ≤ 2. By joint convexity (also over s and y) a step that tells m is dominated by the
    pairs of Poisson sampling (q, σ) and, with the probability τ of m ≥ b, (q·b/(b+1), σ/2): r is at most that, and a larger rate is less
    private.
    """

    q: Fraction
    sigma: Fraction
    others: int
    limit: int
    attained = False
    title = "truncated Poisson sampling"

    @property
    def uncut(self) -> Pair:
        """The pair of a step in which nothing is cut."""
        return GaussianPair(self.sigma).sampled(self.q)

    def notes(self, alone: bool) -> tuple[str, ...]:
        """An upper bound."""
        return ("upper bound: the pair also tells which batches were full",)

    @property
    def pushing(self) -> PoissonPair:
        """The pair of a step with a full batch."""
        return PoissonPair(self.q * Fraction(self.limit, self.limit + 1), GaussianPair(self.sigma / 2))


@dataclass(frozen=True)
class AllocationPair(Pair):
    """P = (1/t)·Σ N(e_i, σ²I_t), Q = N(0, σ²I_t), i = 1 … t: one epoch of random allocation among t = `bins` steps, record removed.

    It dominates the epoch under add-or-remove and under zero-out, steps chosen adaptively included (Chua et al. 2024, arXiv 2412.16802;
    Feldman & Shenfeld 2025, arXiv 2502.08202): the bins of other records are independent of that of the differing one.

    `bound`: the pair stands for a record in k > 1 of t′ ≥ kt steps. A uniform set of k steps arises from k disjoint blocks of t steps,
    placed at random, and one step of each; given the blocks an epoch is k adaptive uses of this pair, and a mixture over what is given is
    at least as private. So k uses dominate, without being attained (arXiv 2602.17284).
    """

    bins: int
    sigma: Exact
    bound: bool = False
    parameters: ClassVar[Mapping[str, bool]] = {"sigma": True}

    @property
    def attained(self) -> bool:
        """Whether it stands for one participation."""
        return not self.bound

    def notes(self, alone: bool) -> tuple[str, ...]:
        """About the zero-out relation, and about several participations."""
        found = ("random allocation: the same value holds under the zero-out relation",) if alone else ()
        said = "upper bound: a record that takes part k times in t steps is at least as private as k uses of 1 out of floor(t/k)"
        return (*found, said) if self.bound else found


def mixture_pair(weights: Mapping[int, Fraction], sigma: Exact) -> Pair:
    """The pair of a mixture on multiples ℓ ≥ 0 of one unit; one centre is plain noise.

    >>> mixture_pair({0: Fraction(3, 4), 2: Fraction(1, 4)}, Fraction(1)).weights
    (Fraction(3, 4), Fraction(0, 1), Fraction(1, 4))
    """
    furthest = max(hits for hits, weight in weights.items() if weight)
    if furthest > MOST_HITS:
        raise InputError(
            f"a mixture of Gaussians may reach over {MOST_HITS} units of its centres at most, got {furthest}; round the centres"
        )
    if furthest == 0:
        return FinitePair((Fraction(1),), (Fraction(1),))
    if weights.get(furthest) == 1:
        return GaussianPair(sigma / furthest)
    if not isinstance(sigma, Fraction):
        raise InputError(f"sigma must be rational for a group or a mixture of Gaussians, got {sigma}")
    return GaussianMixturePair(tuple(weights.get(hits, Fraction(0)) for hits in range(furthest + 1)), sigma)


def binomial_masses(count: int, q: Fraction) -> list[Fraction]:
    """Bin(count, q).

    >>> binomial_masses(2, Fraction(1, 3))
    [Fraction(4, 9), Fraction(4, 9), Fraction(1, 9)]
    """
    return [math.comb(count, hits) * q**hits * (1 - q) ** (count - hits) for hits in range(count + 1)]
