"""From a product of dominating pairs to the elements the evaluators work on.

Every factor of a `pairs.Product` becomes one of: Gaussian variance (summed over the product), a Gaussian mixture, or a finite law.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb

from dpbounds.contour.finite import FiniteLaw
from dpbounds.contour.inputs import exact_ball
from dpbounds.contour.mixture import Mixture
from dpbounds.contour.one_step import is_one_step, one_step_loss
from dpbounds.errors import InputError
from dpbounds.exact import Exact
from dpbounds.pairs import (
    AllocationPair,
    Factor,
    FinitePair,
    FixedSizePair,
    GaussianPair,
    LaplacePair,
    PoissonPair,
    Product,
    RandomizedResponsePair,
    SubstitutePair,
    WithReplacementPair,
)


@dataclass(frozen=True)
class FiniteSource:
    """What a finite law is made of: a table (rational rows) or randomized response, Poisson-sampled at rate q (1 = not sampled)."""

    rows: tuple[tuple[Fraction, Fraction], ...] | None
    epsilon: Exact | None
    q: Fraction
    reversed: bool

    def lost_mass(self) -> Fraction:
        """The mass of P, sampled and swapped as asked, on outcomes that Q never shows."""
        if self.rows is None:
            return Fraction(0)
        merged = merge_rows([(self.q * p + (1 - self.q) * r, r) for p, r in self.rows], self.reversed)
        return sum((p for p, r in merged if r == 0), Fraction(0))

    def says_something(self) -> bool:
        """False where P = Q, so that the loss is 0."""
        if self.rows is None:
            return not (self.q == 0 or self.epsilon == 0)
        return self.q != 0 and any(p != r for p, r in self.rows)

    def absolutely_continuous(self) -> bool:
        """Whether P and Q, sampled and swapped as asked, show the same outcomes."""
        if self.rows is None:
            return True
        return all(p > 0 and r > 0 for p, r in merge_rows([(self.q * p + (1 - self.q) * r, r) for p, r in self.rows], self.reversed))

    def law(self, steps: int) -> FiniteLaw:
        """The law at the current precision."""
        if self.rows is not None:
            merged = merge_rows([(self.q * p + (1 - self.q) * r, r) for p, r in self.rows], self.reversed)
            lost = sum((p for p, r in merged if r == 0), Fraction(0))
            kept = [(exact_ball(p), exact_ball(r)) for p, r in merged if p > 0 and r > 0]
            return FiniteLaw([p for p, _ in kept], [r for _, r in kept], exact_ball(lost), steps)
        assert self.epsilon is not None
        likely = 1 / (1 + (-exact_ball(self.epsilon, "epsilon")).exp())
        q, unlikely = exact_ball(self.q), 1 - likely
        p = [q * likely + (1 - q) * unlikely, q * unlikely + (1 - q) * likely]
        r = [unlikely, likely]
        return FiniteLaw(r, p, arb(0), steps) if self.reversed else FiniteLaw(p, r, arb(0), steps)


@dataclass(frozen=True)
class LaplaceSource:
    """Laplace noise of the given scale, Poisson-sampled at rate q (1 = not sampled); `reversed` is the add direction."""

    scale: Exact
    q: Fraction
    reversed: bool

    def largest(self) -> arb:
        """ε₀ = 1/b at the current precision."""
        return 1 / exact_ball(self.scale, "laplace scale")


@dataclass
class Elements:
    """A product taken apart.

    `variances` are 1/σ² with multiplicity; `single` are densities and draws with replacement; the others are counted.
    """

    variances: list[tuple[Exact, int]]
    mixtures: Counter[Mixture]
    finite: Counter[FiniteSource]
    laplace: Counter[LaplaceSource]
    fixed_size: Counter[FixedSizePair]
    single: list[Factor] = field(default_factory=list)
    allocations: list[Factor] = field(default_factory=list)

    def gaussian_variance(self) -> arb:
        """Σ k/σ² at the current precision."""
        return sum((steps / exact_ball(sigma, "sigma") ** 2 for sigma, steps in self.variances), arb(0))

    def certain_loss(self) -> arb:
        """The probability under P of an outcome that Q never shows, at the current precision."""
        kept = arb(1)
        for factor in self.single:
            kept *= (1 - one_step_loss(factor)) ** factor.steps
        for source, steps in self.finite.items():
            kept *= exact_ball(1 - source.lost_mass()) ** steps
        return 1 - kept

    def nothing_finite(self) -> bool:
        """Whether a table has no outcome that both sides show, so that every loss is infinite."""
        return any(source.lost_mass() == 1 for source in self.finite)

    def finite_laws(self) -> list[FiniteLaw]:
        """The finite laws at the current precision."""
        return [source.law(steps) for source, steps in self.finite.items()]


def elements_of(product: Product) -> Elements:
    """Take a product apart.

    Raises:
        InputError: a pair that has no evaluator.
    """
    found = Elements([], Counter(), Counter(), Counter(), Counter())
    for factor in product.factors:
        _add(found, factor)
    return found


def merge_rows(rows: list[tuple[Fraction, Fraction]], swap: bool) -> list[tuple[Fraction, Fraction]]:
    """Join outcomes of the same ratio p/q; drop those of probability 0 under both."""
    totals: dict[Fraction | None, tuple[Fraction, Fraction]] = {}
    for p, q in rows:
        p, q = (q, p) if swap else (p, q)
        if p == q == 0:
            continue
        ratio = p / q if q else None
        before = totals.get(ratio, (Fraction(0), Fraction(0)))
        totals[ratio] = (before[0] + p, before[1] + q)
    return list(totals.values())


def _add(found: Elements, factor: Factor) -> None:
    pair, steps = factor.pair, factor.steps
    if isinstance(pair, PoissonPair) and pair.q == 0:
        return
    if isinstance(pair, (SubstitutePair,)) and pair.q == 0:
        return
    if isinstance(pair, WithReplacementPair) and pair.population == 1:  # every draw hits: N(m, σ²) against N(−m, σ²)
        found.variances.append((rational(pair.sigma, "sigma") / (2 * pair.batch), steps))
    elif isinstance(pair, WithReplacementPair) and pair.batch == 1:
        mixture = Mixture(Fraction(1, pair.population), rational(pair.sigma, "sigma"), numerator=True, denominator=True)
        found.mixtures[mixture] += steps
    elif isinstance(pair, AllocationPair):
        found.allocations.append(factor)
    elif is_one_step(factor):
        found.single.append(factor)
    elif isinstance(pair, GaussianPair):
        found.variances.append((pair.sigma, steps))
    elif isinstance(pair, PoissonPair) and isinstance(pair.base, GaussianPair):
        mixture = Mixture(
            rational(pair.q, "q"), rational(pair.base.sigma, "sigma"), numerator=not factor.reversed, denominator=factor.reversed
        )
        found.mixtures[mixture] += steps
    elif isinstance(pair, FixedSizePair):
        found.fixed_size[FixedSizePair(rational(pair.q, "q"), rational(pair.sigma, "sigma"))] += steps
    elif isinstance(pair, LaplacePair):
        found.laplace[LaplaceSource(pair.scale, Fraction(1), False)] += steps
    elif isinstance(pair, PoissonPair) and isinstance(pair.base, LaplacePair):
        found.laplace[LaplaceSource(pair.base.scale, rational(pair.q, "q"), factor.reversed)] += steps
    elif isinstance(pair, SubstitutePair):
        found.mixtures[Mixture(rational(pair.q, "q"), rational(pair.sigma, "sigma"), numerator=True, denominator=True)] += steps
    elif (source := _finite_source(factor)).says_something():
        found.finite[source] += steps


def _finite_source(factor: Factor) -> FiniteSource:
    sampled = factor.pair if isinstance(factor.pair, PoissonPair) else None
    pair = sampled.base if sampled else factor.pair
    q = rational(sampled.q, "q") if sampled else Fraction(1)
    if isinstance(pair, FinitePair):
        return FiniteSource(tuple(zip(pair.p, pair.q, strict=True)), None, q, factor.reversed)
    if isinstance(pair, RandomizedResponsePair):
        return FiniteSource(None, pair.epsilon, q, factor.reversed)
    raise InputError(f"no certified delta is known for {type(pair).__name__}")


def rational(value: Exact, name: str = "value") -> Fraction:
    """The number as a Fraction, or an InputError."""
    if not isinstance(value, Fraction):
        raise InputError(f"{name} must be rational, got {value}; write it as a decimal or a fraction")
    return value
