"""Private selection as mechanisms; `formulas` has what is computed, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from dpbounds.errors import InputError
from dpbounds.mechanisms import Parameter
from dpbounds.mechanisms.formula import FormulaNoise, laplace_delta
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least_one, positive

if TYPE_CHECKING:
    from dpbounds.numbers.balls import Ball

MOST_USES = 400
EXPONENTIAL, NOISY_MAX, PERMUTE, ABOVE = "exponential-mechanism", "noisy-max", "permute-and-flip", "above-threshold"
KINDS = (EXPONENTIAL, NOISY_MAX, PERMUTE, ABOVE)
_BARE = "given"


@dataclass(frozen=True)
class Selection(FormulaNoise):
    """Uses of a mechanism that selects.

    Args:
        kind: one of `KINDS`. epsilon: its pure E > 0, the length of the range of its loss for the first two.
        uses: k ≥ 1, fixed beforehand.

    >>> from dpbounds.numbers.balls import ball
    >>> from dpbounds.numbers.to_digits import certified
    >>> certified(lambda: Selection("exponential-mechanism", 1).delta_ball(ball(0)), 5).lower_decimal(5)
    '0.24491'
    """

    kind: str
    epsilon: Fraction
    uses: int = 1

    def __init__(self, kind: str, epsilon: exact.Number, uses: exact.Number = 1) -> None:
        if kind not in KINDS:
            raise InputError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
        value = exact.rational(positive(epsilon, f"{kind} (its epsilon)"))
        count = at_least_one(uses, "steps")
        most = MOST_USES if kind in (EXPONENTIAL, NOISY_MAX) else 1
        if count > most:
            way = f"ask for at most {most}" if most > 1 else f"for an upper bound take --laplace-scale {exact.text(1 / value)}"
            raise InputError(f"{count} uses of {kind} have no exact value here; {way}")
        vars(self).update(kind=kind, epsilon=value, uses=count)

    parameters = (
        Parameter(EXPONENTIAL, "epsilon", "E", "Exponential mechanism, its loss in a range of length E; --steps uses.", bare=_BARE),
        Parameter(NOISY_MAX, "epsilon", "E", "The largest score with Gumbel noise; the same as --exponential-mechanism.", bare=_BARE),
        Parameter(PERMUTE, "epsilon", "E", "Permute-and-flip of pure epsilon E: the largest score with exponential noise.", bare=_BARE),
        Parameter(ABOVE, "epsilon", "E", "Above threshold of pure epsilon E, Laplace noise; both bounds.", bare=_BARE),
    )
    gaussian: ClassVar[bool] = False
    takes: ClassVar[frozenset[str]] = frozenset({"steps"})
    optional: ClassVar[frozenset[str]] = frozenset(KINDS)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The kinds."""
        return KINDS

    @classmethod
    def from_spec(cls, given: Mapping[str, Any]) -> Self:
        """One kind with its epsilon; on the command line the kind may stand alone beside another that has the value."""
        kinds, values = [kind for kind in KINDS if kind in given], [given[kind] for kind in KINDS if given.get(kind, _BARE) != _BARE]
        if len(kinds) == 2 and len(values) == 1:  # --exponential-mechanism 1 --permute-and-flip
            kinds = [kind for kind in kinds if given[kind] == _BARE]
        if len(kinds) != 1:
            raise InputError(f"give one of {', '.join(f'--{kind}' for kind in KINDS)}, got {len(kinds)}")
        if not values:
            raise InputError(f"--{kinds[0]} needs its epsilon, such as --{kinds[0]} 1")
        return cls(kinds[0], values[0], given.get("steps", 1))

    def to_spec(self) -> dict[str, Any]:
        """The kind with its epsilon, and the uses."""
        return {self.kind: exact.text(self.epsilon), "steps": self.uses}

    def event(self) -> tuple[str, dict[str, Any]] | None:
        """That of one use, which knows its pure ε."""
        name = {EXPONENTIAL: "ExponentialMechanismDpEvent", NOISY_MAX: "ExponentialMechanismDpEvent", PERMUTE: "PermuteAndFlipDpEvent"}
        return (name[self.kind], {"epsilon": float(self.epsilon)}) if self.uses == 1 and self.kind in name else None

    @property
    def adjacency(self) -> str:
        """Which neighbours."""
        if self.kind in (EXPONENTIAL, NOISY_MAX):
            return "neighbours whose losses lie in a range of this length"
        return "a neighbour moves each score by at most the sensitivity"

    @property
    def attained(self) -> bool:
        """Whether some scores have exactly this δ."""
        return self.kind != ABOVE

    def attains(self, quantity: str) -> bool:
        """Between rates where the worst tables of several uses change, the curve is a line that no table has."""
        return self.attained and (quantity != "curve" or self.uses == 1)

    @property
    def largest_loss(self) -> Fraction:
        """kE: there is no larger loss, and δ is 0 from there on."""
        return self.uses * self.epsilon

    @property
    def instead(self) -> str:
        """What has a certificate: the noise with the same loss for two of the kinds, an event of pure ε for the others."""
        if self.kind in (PERMUTE, ABOVE):
            return f"an upper bound that has one: --laplace-scale {exact.text(1 / self.epsilon)}"
        return f"an upper bound that has one: --epsilon-delta {exact.text(self.epsilon)} --steps {self.uses}"

    @property
    def assumes(self) -> str:
        """Of which uses the number speaks."""
        e = exact.text(self.epsilon)
        what = {
            EXPONENTIAL: f"exponential mechanism, range of the loss at most {e}",
            NOISY_MAX: f"noisy max with Gumbel noise (the exponential mechanism), range of the loss at most {e}",
            PERMUTE: f"permute-and-flip (noisy max with exponential noise), pure epsilon {e}",
            ABOVE: f"above threshold with Laplace noise, pure epsilon {e}; an upper bound",
        }[self.kind]
        return what if self.uses == 1 else f"{what}, {self.uses} uses fixed beforehand (adaptive ones can be worse)"

    def delta_ball(self, epsilon: Ball) -> Ball:
        """δ(ε) over all scores and neighbours, an upper bound where not `attained`."""
        formulas, e = self._formulas()
        return laplace_delta(e, epsilon) if self.kind in (PERMUTE, ABOVE) else formulas.range_bounded(e, self.uses, epsilon)

    def known_delta_ball(self, epsilon: Ball) -> Ball:
        """δ(ε) that some scores have."""
        formulas, e = self._formulas()
        return formulas.one_query_delta(e, epsilon) if self.kind == ABOVE else self.delta_ball(epsilon)

    def renyi_ball(self, t: Ball) -> Ball:
        """That of the worst table, uses added, or of the worst two candidates; of above threshold that of Laplace noise, an upper bound."""
        formulas, e = self._formulas()
        least = {PERMUTE: formulas.flipped_renyi, ABOVE: formulas.laplace_renyi}.get(self.kind, formulas.range_bounded_renyi)
        return self.uses * least(e, t)

    def rho_ends(self) -> tuple[Fraction, Fraction]:
        """Certified ends of the least ρ for which all uses are ρ-zCDP."""
        from dpbounds.numbers.balls import Enclosure, precision

        with precision(128):
            formulas, e = self._formulas()
            ends = {PERMUTE: formulas.flipped_rho, ABOVE: formulas.threshold_rho}.get(self.kind, formulas.range_bounded_rho)(e)
            low, high = (Enclosure.of_ball(self.uses * end) for end in ends)
            return Fraction(low.lower), Fraction(high.upper)

    def _formulas(self) -> tuple[ModuleType, Ball]:
        from dpbounds.numbers.balls import ball
        from dpbounds.selection import formulas

        return formulas, ball(self.epsilon)
