"""Results of privacy accounting: a certified number together with what it speaks about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dpbounds.errors import PrecisionError
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Noise, Relation
from dpbounds.mechanisms.specs import mechanism_to_spec
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least_one

if TYPE_CHECKING:
    from dpbounds.numbers.balls import Enclosure

SCHEMA = "dpbounds/1"


@dataclass(frozen=True)
class PrivacyResult:
    """A certified δ, ε or Rényi divergence of a mechanism.

    Args:
        quantity: "delta", "epsilon" or "rdp".
        enclosure: certified interval of the value.
        mechanism: what is run.
        argument: name and exact value of what was asked, such as ("epsilon", 1).
        relation, direction, guarantee: what the number speaks about; direction WORST is the larger of both.
        method: how the number was found.
        digits: certified digits asked for.
    """

    quantity: str
    enclosure: Enclosure
    mechanism: Mechanism
    argument: tuple[str, exact.Exact]
    relation: Relation
    direction: Direction
    guarantee: Guarantee
    method: str
    digits: int = 15
    notes: tuple[str, ...] = field(default=())

    @property
    def lower(self) -> str:
        """The lower end as a decimal, rounded down, two digits more than asked for."""
        return self.enclosure.lower_decimal(self.digits + 2)

    @property
    def upper(self) -> str:
        """The upper end as a decimal, rounded up, two digits more than asked for."""
        return self.enclosure.upper_decimal(self.digits + 2)

    def document(self) -> dict[str, Any]:
        """The JSON document: numbers are decimal strings rounded outward, never JSON floats."""
        name, value = self.argument
        document = {
            "schema": SCHEMA,
            "quantity": self.quantity,
            "lower": self.lower,
            "upper": self.upper,
            "relation": self.relation.value,
            "direction": self.direction.value,
            "guarantee": self.guarantee.value,
            "method": self.method,
            "inputs": {"mechanism": mechanism_to_spec(self.mechanism), name: exact.text(value), "digits": self.digits},
        }
        if isinstance(self.mechanism, Noise):
            document |= self.mechanism.described(self)
        return document | ({"notes": list(self.notes)} if self.notes else {})

    def text(self) -> str:
        """A few lines for people."""
        name, value = self.argument
        if isinstance(self.mechanism, Noise) and (own := self.mechanism.lines(self)):
            return "\n".join(own)
        lines = [
            f"{self.quantity} in [{self.lower}, {self.upper}]",
            f"  at {name} = {exact.text(value)}; relation {self.relation.value}, direction {self.direction.value}, "
            f"guarantee {self.guarantee.value}",
            f"  method: {self.method}",
        ]
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])

    def __str__(self) -> str:
        return self.text()


def read_digits(digits: exact.Number) -> int:
    """How many digits are asked for: a whole number, at least 1.

    Raises:
        InputError: anything else.

    >>> read_digits("30")
    30
    """
    return at_least_one(digits, "digits")


def require_digits(enclosure: Enclosure, digits: int, quantity: str) -> Enclosure:
    """The enclosure itself if it has one digit more than asked for, so that it can be printed; else a PrecisionError.

    Raises:
        PrecisionError: naming the digits that were reached.

    >>> from dpbounds.numbers.balls import Enclosure
    >>> require_digits(Enclosure.exactly(2), 10, "delta").contains(2)
    True
    """
    if enclosure.meets(digits + 1):
        return enclosure
    reached = max(0, int(enclosure.digits()) - 1) if enclosure.digits() > 0 else 0
    if not reached:
        raise PrecisionError(f"{quantity}: no digit was reached: {enclosure}; the value is 0 or the inputs are too extreme")
    raise PrecisionError(f"{quantity}: {digits} digits were asked for, {reached} were reached: {enclosure}; ask for fewer digits")
