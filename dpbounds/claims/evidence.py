"""How a claim is to be settled: what `by=` may say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Union

import sympy


@dataclass(frozen=True)
class Proof:
    """By a derivation whose conclusion is the claim.

    Args:
        derivation: the name of a derivation of `dpbounds derive`, or a function without arguments that builds a `Derivation`;
            it is built when the claim is checked.
    """

    derivation: str | Callable[[], Any]

    def build(self) -> Any:
        """Build the derivation now."""
        if callable(self.derivation):
            return self.derivation()
        from dpbounds.derive.derivation import get

        return get(self.derivation)


@dataclass(frozen=True)
class Hint:
    """A declared shape of an expression in one variable, on the domain of the claim. Nothing is believed: it is proved or refused.

    Args:
        expression: a side of the statement, or the difference of its sides; what the rest of the statement adds must not depend on the
            variable (for `Convex` and `Concave`: must be linear in it).
        variable: the variable.
    """

    expression: Any
    variable: sympy.Symbol

    word: ClassVar[str] = ""
    order: ClassVar[int] = 1
    """Which derivative has a sign."""
    sign: ClassVar[int] = 1

    def __str__(self) -> str:
        return f"{self.expression} {self.word} in {self.variable}"


class Increasing(Hint):
    """The expression does not fall when the variable grows: one end of the variable's range decides the statement."""

    word = "increasing"


class Decreasing(Hint):
    """The expression does not grow when the variable grows: one end of the variable's range decides the statement."""

    word, sign = "decreasing", -1


class Convex(Hint):
    """The second derivative is not negative: on the small side of a statement the two ends of the variable's range decide it."""

    word, order = "convex", 2


class Concave(Hint):
    """The second derivative is not positive: on the large side of a statement the two ends of the variable's range decide it."""

    word, order, sign = "concave", 2, -1


@dataclass(frozen=True)
class Boxes:
    """By branch and bound over a box with ball arithmetic.

    Args:
        budget: how many boxes may be examined; a verdict must not depend on the machine's speed.
        bits: working precision.
        hints: declared shapes (`Increasing`, `Decreasing`, `Convex`, `Concave`); each is proved before it is used, and each of its parts
            has the budget. What is refused changes nothing: the boxes then go without it.
    """

    budget: int = 100_000
    bits: int = 80
    hints: tuple[Hint, ...] = ()


@dataclass(frozen=True)
class OrderRange:
    """By boxes of (1/σ, 1/log(1/(qσ))), for bounds of the sampled Gaussian on the orders 1 < α ≤ σ² log(1/(qσ)) + c.

    Args:
        budget: how many boxes may be examined.
        bits: working precision.
    """

    budget: int = 60_000
    bits: int = 80


@dataclass(frozen=True)
class Counterexample:
    """By one exact point.

    Args:
        point: an exact number for each variable, a sequence of exact numbers for each family.
    """

    point: Mapping[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Search:
    """By a counterexample that the tool finds itself.

    Args:
        tries: how many points may be evaluated.
        seed: of the random generator.
    """

    tries: int = 4000
    seed: int = 0


Evidence = Union[Proof, Boxes, OrderRange, Counterexample, Search]


def symbols_of(point: Mapping[Any, Any]) -> dict[Any, Any]:
    """A point with its values as exact sympy numbers, families as tuples."""
    exact = {}
    for key, value in point.items():
        if isinstance(key, sympy.IndexedBase):
            exact[key] = tuple(_exact(entry) for entry in value)
        else:
            exact[key] = _exact(value)
    return exact


def _exact(value: Any) -> sympy.Expr:
    from dpbounds import exact

    return exact.to_sympy(exact.number(value, "a coordinate of a point"))
