"""Mechanisms whose δ(ε) is a formula of their own: the last iterate of a run, matrix mechanisms, private selection.

Such a mechanism has a formula for its largest δ(ε) over all neighbours of which it speaks (`assumes`). That is the δ of a pair: the
largest of privacy profiles is convex in e^ε, hence a profile, and a pair that has it dominates (Zhu, Dong & Wang 2022). So every quantity
of the pair, its trade-off curve and its Rényi divergence, bounds the mechanism.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from dpbounds.errors import InputError
from dpbounds.mechanisms.exact_loss import ExactLoss
from dpbounds.mechanisms.mechanism import Guarantee, Noise, Relation
from dpbounds.mechanisms.pair import Pair
from dpbounds.numbers import exact

if TYPE_CHECKING:
    from dpbounds.mechanisms.results import PrivacyResult
    from dpbounds.numbers.balls import Ball, Enclosure


class FormulaNoise(Noise):
    """What a formula has to offer; balls are at the precision that is set."""

    gaussian: ClassVar[bool] = True
    """Whether the pair is that of Gaussian noise with μ = `mu_ball`."""
    one_sided: ClassVar[bool] = False
    """Whether both orders of the pair are known apart, by `delta_in`."""
    guarantee: ClassVar[Guarantee] = Guarantee.MECHANISM

    @property
    def largest_loss(self) -> Fraction | None:
        """From where on δ is 0; None where it never is."""
        return None

    @property
    def attained(self) -> bool:
        """Whether the bound is the value."""
        return True

    def attains(self, quantity: str) -> bool:
        """The same of another quantity."""
        return self.attained

    @property
    def assumes(self) -> str:
        """Of which runs and neighbours the number speaks, in a few words."""
        return "a formula of its own"

    @property
    def instead(self) -> str:
        """What has a certificate, and bounds the same: Gaussian noise with this μ, rounded up."""
        if not self.gaussian:
            return ""
        return f"Gaussian noise with this mu, rounded up, has one: --sigma {exact.text(1 / exact.rational(self.mu(6).upper_decimal(6)))}"

    @property
    def no_certificate(self) -> str:  # type: ignore[override]
        """The refusal, with what has one."""
        return f"the small checker does not know this formula; {self.instead}"

    @property
    def adjacency(self) -> str:
        """The neighbours are part of the formula."""
        return "the neighbours are part of the formula"

    @property
    def beside(self) -> Noise | None:
        """What some case has at least, where that is less than the bound."""
        return None if self.attained else Known(self)

    def mu_ball(self) -> Ball:
        """μ, where the pair is Gaussian."""
        raise InputError(f"{self.assumes} has neither mu nor a Rényi divergence here; ask for delta or epsilon")

    def mu(self, digits: int = 15) -> Enclosure:
        """The same with so many digits.

        Raises:
            PrecisionError: they were not reached.
        """
        from dpbounds.numbers.to_digits import certified

        return certified(self.mu_ball, digits)

    def delta_ball(self, epsilon: Ball) -> Ball:
        """δ(ε) of the pair."""
        return gaussian_delta(self.mu_ball(), epsilon)

    def known_mu_ball(self) -> Ball:
        """A μ that some case has."""
        return self.mu_ball()

    def known_delta_ball(self, epsilon: Ball) -> Ball:
        """δ(ε) that some case has."""
        return gaussian_delta(self.known_mu_ball(), epsilon) if self.gaussian else self.delta_ball(epsilon)

    def delta_in(self, backwards: bool) -> Callable[[Ball], Ball]:
        """δ(ε) of one order of the pair."""
        return self.delta_ball

    def renyi_ball(self, t: Ball) -> Ball:
        """The Rényi divergence of order 1 + t, or a bound on it."""
        return (1 + t) * self.mu_ball() ** 2 / 2

    def rho_ends(self) -> tuple[Fraction, Fraction] | None:
        """Ends of the least ρ of zCDP, where they are known by another way than μ."""
        return None

    def event(self) -> tuple[str, dict[str, Any]] | None:
        """The class of dp_accounting and its fields that bound it: Gaussian noise, its multiplier rounded down; None where none does."""
        if not self.gaussian or self.guarantee is not Guarantee.MECHANISM:
            return None
        from dpbounds.numbers.to_digits import certified

        return "GaussianDpEvent", {"noise_multiplier": certified(lambda: 1 / self.mu_ball(), 20).lower_float}

    def pair(self, relation: Relation) -> Pair:
        """As a part of a composition: Gaussians add their μ²."""
        if self.gaussian:
            return FormulaPair(self)
        raise InputError(f"{self.assumes} is evaluated alone, not as a part of a composition or a sample; {self.instead}")

    def alternatives(self) -> tuple[tuple[Pair, ...], Guarantee]:
        """The pair, or both orders."""
        return tuple(FormulaPair(self, backwards) for backwards in ((False, True) if self.one_sided else (False,))), self.guarantee

    def described(self, result: PrivacyResult) -> dict[str, Any]:
        """What the JSON document says besides."""
        found = {result.quantity: {"lower": result.lower, "upper": result.upper}, "relation": None, "adjacency": self.adjacency}
        return found | self.said(result.digits) | {"attained": self.attains(result.quantity)}

    def said(self, digits: int) -> dict[str, Any]:
        """The part of it that does not depend on the question."""
        return {"attained": self.attained, "assumes": self.assumes}

    def lines(self, result: PrivacyResult) -> list[str]:
        """The text of a result; each line says what is assumed."""
        head = "at least" if self.guarantee is Guarantee.PAIR else "exactly" if self.attains(result.quantity) else "at most"
        found = [f"{result.quantity} {head} [{result.lower}, {result.upper}] for {self.assumes}"]
        if mu := self.said(12).get("mu"):
            found.append(f"  mu {head} [{mu['lower']}, {mu['upper']}] for {self.assumes}")
        return found


@dataclass(frozen=True)
class FormulaPair(Pair):
    """The pair of a formula; `backwards` exchanges P and Q where the formula tells them apart."""

    mechanism: FormulaNoise
    backwards: bool = False
    title = "this formula"

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        """Whether the formula is the larger of both orders."""
        return not self.mechanism.one_sided

    @property
    def attained(self) -> bool:
        """Whether it is the value."""
        return self.mechanism.attains("curve") or self.mechanism.one_sided

    def notes(self, alone: bool) -> tuple[str, ...]:
        """What is assumed."""
        return (self.mechanism.assumes,)

    def loss_ends(self) -> tuple[ExactLoss, ...] | None:
        """Gaussian losses have no ends."""
        return () if self.mechanism.gaussian else None


@dataclass(frozen=True)
class Known(FormulaNoise):
    """What some case of a formula has at least."""

    bound: FormulaNoise
    parameters = ()
    readable = False
    gaussian = property(lambda self: self.bound.gaussian)  # type: ignore[assignment]
    largest_loss = property(lambda self: self.bound.largest_loss)
    assumes = property(lambda self: f"some case of {self.bound.assumes}")

    def mu_ball(self) -> Ball:
        """A μ that some case has."""
        return self.bound.known_mu_ball()

    def delta_ball(self, epsilon: Ball) -> Ball:
        """δ of some case."""
        return self.bound.known_delta_ball(epsilon)

    def to_spec(self) -> dict[str, Any]:
        """That of the bound."""
        return {"at-least": self.bound.to_spec()}


def gaussian_delta(mu: Ball, epsilon: Ball) -> Ball:
    """δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) of N(μ, 1) against N(0, 1), at the precision that is set; μ > 0.

    >>> from dpbounds.numbers.balls import ball
    >>> 0.1269 < gaussian_delta(ball(1), ball(1)) < 0.127
    True
    """
    from dpbounds.numbers.to_digits import normal_cdf

    return normal_cdf(mu / 2 - epsilon / mu) - epsilon.exp() * normal_cdf(-mu / 2 - epsilon / mu)


def laplace_delta(e: Ball, epsilon: Ball) -> Ball:
    """δ(ε) of Laplace noise of scale 1/E: 1 − e^{(ε−E)/2} for ε ≤ E, and 0 beyond.

    >>> from dpbounds.numbers.balls import ball
    >>> laplace_delta(ball(1), ball(1)) == 0
    True
    """
    return (-((epsilon - e) / 2).expm1()).nonnegative_part()


def ends_of(value: Any, digits: int) -> dict[str, str]:
    """Both ends of an enclosure as decimals, rounded outward.

    >>> from dpbounds.numbers.balls import Enclosure
    >>> ends_of(Enclosure.exactly(2), 3)
    {'lower': '2', 'upper': '2'}
    """
    return {"lower": value.lower_decimal(digits + 2), "upper": value.upper_decimal(digits + 2)}
