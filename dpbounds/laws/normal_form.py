"""From a product of dominating pairs to the elements the evaluators work on.

Every factor of a `pairs.Product` becomes one of: Gaussian variance (summed over the product), a Gaussian mixture, or a finite law.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb

from dpbounds.errors import InputError
from dpbounds.laws.ball_numbers import BALLS
from dpbounds.laws.convolve import Use
from dpbounds.laws.finite_sums import FiniteLaw
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.one_step import is_one_step, one_step_loss
from dpbounds.mechanisms.atomic import AtomicLaw, AtomicPair
from dpbounds.mechanisms.pairs import (
    AllocationPair,
    Factor,
    FixedSizePair,
    GaussianPair,
    LaplacePair,
    PoissonPair,
    Product,
    SubstitutePair,
    WithReplacementPair,
)
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball


@dataclass(frozen=True)
class FiniteSource(AtomicLaw):
    """A pair with atoms in balls."""

    def law(self, steps: int) -> FiniteLaw:
        """The law at the current precision."""
        rows = self.rows(BALLS)
        lost, dropped = exact_ball(self.lost_mass()), arb(0).max(self.pair.dropped(BALLS))
        return FiniteLaw([p for p, _ in rows], [q for _, q in rows], lost, steps, dropped)


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

    def only_atoms(self) -> bool:
        """Whether the product is made of laws with atoms alone."""
        return not (self.variances or self.mixtures or self.laplace or self.fixed_size or self.single or self.allocations)

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

    def dropped(self) -> arb:
        """A ball around 0 and the mass of finite losses that laws with tails leave out, at the current precision: it adds to δ at most."""
        return arb(0).union(sum((law.steps * law.dropped for law in self.finite_laws()), arb(0)).upper())

    def nothing_finite(self) -> bool:
        """Whether a table has no outcome that both sides show, so that every loss is infinite."""
        return any(source.lost_mass() == 1 for source in self.finite)

    def laplace_uses(self) -> list[tuple[arb, int]]:
        """ε₀ of the Laplace noises, sampled or not, and how often each is used."""
        return [(source.largest(), steps) for source, steps in self.laplace.items()]

    def uses(self) -> list[Use]:
        """The finite laws with their exact losses, at the current precision."""
        return [Use(source.law(steps), source.losses(BALLS.bits)) for source, steps in self.finite.items()]

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
    elif not (source := _finite_source(factor)).is_trivial:
        found.finite[source] += steps


def _finite_source(factor: Factor) -> FiniteSource:
    sampled = factor.pair if isinstance(factor.pair, PoissonPair) else None
    pair = sampled.base if sampled else factor.pair
    if not isinstance(pair, AtomicPair):
        raise InputError(f"no certified delta is known for {type(pair).__name__}")
    rate = rational(sampled.q, "q") if sampled else Fraction(1)
    return FiniteSource(pair, rate, factor.reversed and not (rate == 1 and pair.symmetric))


def rational(value: Exact, name: str = "value") -> Fraction:
    """The number as a Fraction, or an InputError."""
    if not isinstance(value, Fraction):
        raise InputError(f"{name} must be rational, got {value}; write it as a decimal or a fraction")
    return value
