"""From a product of dominating pairs to the elements the evaluators work on.

Every factor of a `pairs.Product` becomes one of: Gaussian variance (summed over the product), a Gaussian mixture, or a finite law.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb

from dpbounds.contour.convolve import Use
from dpbounds.contour.finite import FiniteLaw
from dpbounds.contour.inputs import exact_ball
from dpbounds.contour.mixture import Mixture
from dpbounds.contour.one_step import is_one_step, one_step_loss
from dpbounds.errors import InputError
from dpbounds.exact import Exact
from dpbounds.laws.ball_numbers import BALLS
from dpbounds.laws.exact_loss import ExactLoss
from dpbounds.pairs import (
    AtomicPair,
    Factor,
    FixedSizePair,
    GaussianPair,
    LaplacePair,
    PoissonPair,
    Product,
    SubstitutePair,
    WithReplacementPair,
)


@dataclass(frozen=True)
class FiniteSource:
    """A pair with atoms, Poisson-sampled at rate γ (1 = not sampled); `reversed` swaps what comes out.

    Sampled, P is γp + (1−γ)q: what only Q showed both show then, with the loss log(1−γ), and only γ of the mass is left where Q has none.
    """

    pair: AtomicPair
    rate: Fraction
    reversed: bool

    def lost_mass(self) -> Fraction:
        """The mass of P, sampled and swapped as asked, on outcomes that Q never shows."""
        ahead, behind = self.pair.singular()
        if self.reversed:
            return behind if self.rate == 1 else Fraction(0)
        return self.rate * ahead

    def says_something(self) -> bool:
        """False where P = Q, so that the loss is 0."""
        return self.rate != 0 and not self.pair.is_trivial

    def absolutely_continuous(self) -> bool:
        """Whether P and Q, sampled and swapped as asked, show the same outcomes, none of them dropped."""
        ahead, behind = self.pair.singular()
        return self.pair.bounded and ahead == 0 and (behind == 0 or self.rate < 1)

    def law(self, steps: int) -> FiniteLaw:
        """The law at the current precision."""
        rows, rate = self.pair.shared(BALLS), exact_ball(self.rate)
        if self.rate < 1:
            rows = [(rate * p + (1 - rate) * q, q) for p, q in rows]
            if behind := self.pair.singular()[1]:
                rows.append((exact_ball((1 - self.rate) * behind), exact_ball(behind)))
        if self.reversed:
            rows = [(q, p) for p, q in rows]
        lost, dropped = exact_ball(self.lost_mass()), arb(0).max(self.pair.dropped(BALLS))
        return FiniteLaw([p for p, _ in rows], [q for _, q in rows], lost, steps, dropped)

    def losses(self) -> tuple[ExactLoss, ...] | None:
        """The loss of each outcome of `law`, where it is known exactly: log(1−γ+γr) for a loss log r that is sampled."""
        found = self.pair.losses(BALLS.bits)
        if self.rate < 1:
            if any(loss.plain for loss in found):
                return None
            found = tuple(ExactLoss(ratio=self.rate * loss.ratio + 1 - self.rate) for loss in found)
            if self.pair.singular()[1]:
                found = (*found, ExactLoss(ratio=1 - self.rate))
        return tuple(-loss for loss in found) if self.reversed else found

    def largest_exact_loss(self) -> Fraction | None:
        """The largest loss where it is rational."""
        losses = self.losses()
        if not self.pair.bounded or losses is None or any(loss.ratio != 1 for loss in losses):
            return None
        return max((loss.plain for loss in losses if isinstance(loss.plain, Fraction)), default=None)


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

    def uses(self) -> list[Use]:
        """The finite laws with their exact losses, at the current precision."""
        return [Use(source.law(steps), source.losses()) for source, steps in self.finite.items()]

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
    if not isinstance(pair, AtomicPair):
        raise InputError(f"no certified delta is known for {type(pair).__name__}")
    rate = rational(sampled.q, "q") if sampled else Fraction(1)
    return FiniteSource(pair, rate, factor.reversed and not (rate == 1 and pair.symmetric))


def rational(value: Exact, name: str = "value") -> Fraction:
    """The number as a Fraction, or an InputError."""
    if not isinstance(value, Fraction):
        raise InputError(f"{name} must be rational, got {value}; write it as a decimal or a fraction")
    return value
