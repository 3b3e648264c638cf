"""The record of a claim: a universal statement, where it comes from, and what is believed of it.

A claim says: for all values of its variables in the domain, `then` holds. The domain is what the symbols assume together with
`given`; every `<=` includes its boundary. Variables are real unless declared `integer=True`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims.evidence import Evidence
from dpbounds.claims.verdict import Expectation, Grade
from dpbounds.errors import ClaimError, EmptyDomainError

_IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9.~_-]*")


@dataclass(frozen=True)
class Mutant:
    """A false statement close to a claim; `check` must refute it, or the claim's checks prove nothing.

    Args:
        then: the false conclusion.
        given: premises, when they differ from the claim's.
        by: how to refute it (default: search).
    """

    then: Boolean
    given: tuple[Boolean, ...] | None = None
    by: Evidence | None = None

    def __init__(self, then: Any, given: Iterable[Any] | None = None, by: Evidence | None = None) -> None:
        object.__setattr__(self, "then", then)
        object.__setattr__(self, "given", None if given is None else tuple(given))
        object.__setattr__(self, "by", by)


@dataclass(frozen=True, eq=False)
class Claim:
    """A universal statement about privacy quantities.

    Args:
        id: short name, lower case, such as "yu2019.appendix-g".
        text: the claim in words.
        then: a sympy relation, or a combination with And, Or, Not, Implies.
        given: premises; together with the assumptions of the symbols they are the domain.
        source: (key of `sources.BIBLIOGRAPHY`, place), for claims of the literature.
        expect: HOLDS, FAILS or OPEN; None for a user's claim that just wants a verdict.
        at_least: the weakest acceptable grade of a HOLDS claim.
        by: how to settle it (`Proof`, `Boxes`, `Counterexample`, `Search`); None tries all.
        mutant: a false twin that must come out REFUTED.
        corrects: the id of the printed claim that this one repairs.
        uses: ids of claims that this one rests on.
        witness: values of the constants that "there is a constant" claims assert.
        example: one point of the domain, where the search for one fails.
        note: anything a reader should know.

    Raises:
        ClaimError: a malformed id, statement or premise.

    >>> from dpbounds.symbols import real
    >>> x = real("x")
    >>> Claim(id="square", text="A square is at least 2x - 1.", then=x**2 >= 2*x - 1).variables
    (x,)
    """

    id: str
    text: str
    then: Boolean
    given: tuple[Boolean, ...] = ()
    source: tuple[str, str] | None = None
    expect: Expectation | None = None
    at_least: Grade | None = None
    by: Evidence | None = None
    mutant: Mutant | None = None
    corrects: str | None = None
    uses: tuple[str, ...] = ()
    witness: Mapping[sympy.Symbol, Any] = field(default_factory=dict)
    example: Mapping[Any, Any] | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not _IDENTIFIER.fullmatch(self.id):
            raise ClaimError(f"claim id must be lower-case letters, digits, dots and dashes, got {self.id!r}")
        if self.expect is not None and not isinstance(self.expect, Expectation):
            raise ClaimError(f"claim {self.id}: expect must be HOLDS, FAILS or OPEN, got {self.expect!r}")
        object.__setattr__(self, "uses", tuple(self.uses))
        object.__setattr__(self, "given", tuple(self._premises(self.given)))
        then = self._boolean(self.then, "then")
        if self.witness:
            then = then.subs({symbol: sympy.sympify(value) for symbol, value in self.witness.items()})
        object.__setattr__(self, "then", then)

    def _premises(self, given: Any) -> Iterable[Boolean]:
        if isinstance(given, (bool, Boolean)):
            given = (given,)
        for premise in given:
            condition = self._boolean(premise, "given")
            if condition is sympy.false:
                raise EmptyDomainError(
                    f"claim {self.id}: a premise is false for every value of its symbols, so the domain is empty "
                    "(an equality is written Eq(a, b), not a == b)"
                )
            yield from (sympy.And.make_args(condition) if condition is not sympy.true else ())

    def _boolean(self, value: Any, where: str) -> Boolean:
        if isinstance(value, bool):
            return sympy.true if value else sympy.false
        if not isinstance(value, Boolean) or isinstance(value, sympy.Symbol):
            raise ClaimError(f"claim {self.id}: {where} must be a relation such as x <= y, got {value!r}")
        if value.has(sympy.Float):
            raise ClaimError(f"claim {self.id}: {where} contains a float; write Rational(1, 100) instead of 0.01")
        return value

    @property
    def variables(self) -> tuple[sympy.Symbol, ...]:
        """The real and integer variables, by name."""
        found = set().union(self.then.free_symbols, *(premise.free_symbols for premise in self.given))
        labels = {base.label for base in self.families}
        return tuple(sorted((s for s in found if isinstance(s, sympy.Symbol) and s not in labels), key=str))

    @property
    def families(self) -> tuple[sympy.IndexedBase, ...]:
        """The families p[1], p[2], … of symbolic length, by name."""
        found = set().union(*(part.atoms(sympy.IndexedBase) for part in (self.then, *self.given)))
        return tuple(sorted(found, key=str))

    def twin(self, mutant: Mutant) -> Claim:
        """The mutant as a claim of its own, expected to fail."""
        return replace(
            self,
            id=f"{self.id}~mutant",
            then=mutant.then,
            given=self.given if mutant.given is None else mutant.given,
            by=mutant.by,
            expect=Expectation.FAILS,
            mutant=None,
            uses=(),
            at_least=None,
        )

    @property
    def statement(self) -> dict[str, Any]:
        """What is asserted, as text: premises, conclusion, and the assumptions of every symbol."""
        symbols = {str(s): sorted(name for name, value in s._assumptions_orig.items() if value) for s in self.variables}
        families = {str(base): sorted(name for name, value in base.assumptions0.items() if value) for base in self.families}
        return {
            "given": sorted(sympy.srepr(premise) for premise in self.given),
            "then": sympy.srepr(self.then),
            "symbols": symbols | families,
        }

    @property
    def statement_hash(self) -> str:
        """SHA-256 of the statement: it changes when any premise, assumption or conclusion changes."""
        return hashlib.sha256(repr(sorted(self.statement.items())).encode()).hexdigest()
