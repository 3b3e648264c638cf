"""The record of a claim: a universal statement, where it comes from, and what is believed of it.

A claim says: for all values of its variables in the domain, `then` holds. The domain is what the symbols assume together with
`given`; every `<=` includes its boundary. Variables are real unless declared `integer=True`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, get_args

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims.plans import Citation, Identity, Plan, Proof
from dpbounds.claims.statement.assumptions import assumptions_of, unmodelled
from dpbounds.claims.statement.canonical import statement_digest
from dpbounds.claims.statement.expression_text import write_statement
from dpbounds.claims.statement.instance import truth_at
from dpbounds.claims.statement.typed import Typed, as_term, fault_of, is_formula, opened, parts_of, point_to_sympy, typed
from dpbounds.claims.statement.typeset import markdown_of
from dpbounds.claims.verdict import Expectation
from dpbounds.errors import ClaimError, EmptyDomainError, ForeignError, InputError
from dpbounds.language import functions
from dpbounds.language.binders import asked_of_range
from dpbounds.language.definedness import kind_of_range, limits_of
from dpbounds.language.substitution import substituted
from dpbounds.language.symbols import facts_of
from dpbounds.language.typed.bridge import from_sympy, to_sympy, variable_from
from dpbounds.logic.signatures import RELATIONS
from dpbounds.logic.terms import Term, TermError, conjuncts, term
from dpbounds.numbers import exact

_LONGEST_NUMBER = 13_000
"""In bits; Python writes no longer integers."""
UNNAMED = "unnamed"
"""The id of a claim that was given none; a claim file gives it the name of its variable."""
_IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9.~_-]*")


@dataclass(frozen=True)
class Mutant:
    """A false statement close to a claim; `check` must refute it, or the claim's checks prove nothing.

    Args:
        then: the false conclusion.
        given: premises, when they differ from the claim's.
        by: how to refute it (default: search).
    """

    then: Any = Typed()
    given: Any = Typed()
    by: Plan | None = None

    def __init__(self, then: Any, given: Iterable[Any] | None = None, by: Plan | None = None) -> None:
        object.__setattr__(self, "then", then)
        object.__setattr__(self, "given", None if given is None else tuple(opened(given)))
        object.__setattr__(self, "by", by)


def _reference(named: Any) -> Any:
    return named.id if isinstance(named, Claim) and not named.id.endswith(UNNAMED) else named


def _is(value: Any, kind: Any) -> bool:
    return value is None or isinstance(value, kind)


@dataclass(frozen=True, eq=False)
class Claim:
    """A universal statement about privacy quantities.

    Args:
        id: short name, lower case, such as "yu2019.appendix-g"; in a claim file the name of the variable, if it is left out.
        text: the claim in words, if there are any.
        then: a relation, or a combination with And, Or, Not, Implies: a term of the notation, or sympy's. What was typed is `conclusion`;
            reading `then` gives what sympy makes of it.
        given: premises; together with what is declared of the variables they are the domain. What was typed is `premises`.
        source: (source, place in it), for claims of the literature; `bibliography.BIBLIOGRAPHY` has the entries that the catalogue cites.
        expect: HOLDS, FAILS, OPEN or ASSUMED; None for a user's claim that just wants a verdict.
        by: how to settle it (`Proof`, `Identity`, `Boxes`, `Counterexample`, `Search`, or a `Citation` of the whole statement); None tries
            all.
        mutant: a false twin that must come out REFUTED: `Mutant(relation)`, or just the relation.
        corrects: the printed claim that this one repairs: its id, or the claim itself.
        uses: claims that this one rests on, likewise.
        witness: values of the constants that "there is a constant" claims assert.
        example: one point of the domain, where the search for one fails.
        note: anything a reader should know.

    Raises:
        ClaimError: a malformed id, statement or premise.

    >>> from dpbounds.language.symbols import real
    >>> x = real("x")
    >>> Claim(id="square", text="A square is at least 2x - 1.", then=x**2 >= 2*x - 1).variables
    (x,)
    """

    id: str = UNNAMED
    text: str = ""
    then: Any = Typed()
    given: Any = Typed(())
    source: tuple[str, str] | None = None
    expect: Expectation | None = None
    by: Plan | Any = None
    mutant: Mutant | Any = None
    corrects: Any = None
    uses: tuple[Any, ...] = ()
    witness: Mapping[sympy.Symbol, Any] = field(default_factory=dict)
    example: Mapping[Any, Any] | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if typed(self, "then") is None:
            raise ClaimError(f"claim {self.id}: the conclusion is missing, a relation such as x <= y")
        if is_formula(self.mutant):
            object.__setattr__(self, "mutant", Mutant(self.mutant))
        if not isinstance(self.id, str) or not _IDENTIFIER.fullmatch(self.id):
            raise ClaimError(f"claim id must be lower-case letters, digits, dots and dashes, got {self.id!r}")
        self._check_kinds()
        self.name_references()
        if self.example is not None:
            object.__setattr__(self, "example", point_to_sympy(self.example))
        if isinstance(self.witness, Mapping):
            object.__setattr__(self, "witness", point_to_sympy(self.witness))
        self._state()
        if isinstance(self.by, (Citation, Identity)):
            object.__setattr__(self, "by", self.by.proof_of(self))

    def _state(self) -> None:
        """Keep the statement: as terms where it was typed so, with the constants of the witness put in."""
        constants = self._constants()
        then, given = typed(self, "then"), typed(self, "given")
        premises = list(opened([given] if is_formula(given) or isinstance(given, bool) else given))
        if any(isinstance(part, Term) for part in (then, *premises)):
            read = {id(part): as_term(part) for part in (then, *premises)}
            then, *premises = (part if read[id(part)] is None else read[id(part)] for part in (then, *premises))
        if isinstance(then, Term) and all(isinstance(premise, Term) for premise in premises):
            values = {variable_from(symbol): from_sympy(value) for symbol, value in constants.items()}
            then = self._formula(then.subs(values), "the conclusion")
            premises = [self._formula(premise.subs(values), "a premise") for premise in premises]
            if fault := fault_of(then, premises, several=isinstance(self.by, Proof)):
                raise ClaimError(f"claim {self.id}: {fault}")
            object.__setattr__(self, "then", then)
            object.__setattr__(self, "given", tuple(part for premise in premises for part in conjuncts(premise)))
            return
        premises = [to_sympy(premise) for premise in premises]
        object.__setattr__(self, "given", tuple(self._premises(premises, constants)))
        object.__setattr__(self, "then", substituted(self._boolean(to_sympy(then), "the conclusion"), constants))
        self._check_symbols()

    def _formula(self, value: Term, where: str) -> Term:
        if value.sort != "F":
            raise ClaimError(f"claim {self.id}: {where} must be a relation such as x <= y, got {value!r}")
        if value.tag in ("true", "false"):
            self._boolean(value.tag == "true", where)
        closed = value.tag in RELATIONS and all(part.tag == "number" for part in value.parts)
        if where == "a premise" and closed and not value:
            raise EmptyDomainError(f"claim {self.id}: a premise is false for every value of its symbols, so the domain is empty")
        return value

    @cached_property
    def conclusion(self) -> Term | None:
        """What is claimed, as it was typed; None of what sympy gave and the notation has no term for."""
        return as_term(typed(self, "then"))

    @cached_property
    def premises(self) -> tuple[Term, ...] | None:
        """What is given, as it was typed; what is declared of variables is not among it."""
        found = [as_term(part) for part in typed(self, "given")]
        return None if None in found else tuple(part for part in found if part is not None)

    def name_references(self) -> None:
        """Put ids for the claims that this one names as objects; one that has no id yet stays until its file is read."""
        object.__setattr__(self, "corrects", _reference(self.corrects))
        object.__setattr__(self, "uses", tuple(_reference(used) for used in self.uses))

    def _check_kinds(self) -> None:
        """Each field is of its kind: what is of another would be passed over in silence."""
        source, uses = self.source, self.uses
        kinds = {
            "text must be words": (isinstance(self.text, str), self.text),
            "expect must be HOLDS, FAILS, OPEN or ASSUMED (the object, no string)": (_is(self.expect, Expectation), self.expect),
            "by must be Proof(...), Boxes(...), Counterexample(...) or Search(...)": (
                _is(self.by, (*get_args(Plan), Citation, Identity)),
                self.by,
            ),
            "mutant must be Mutant(relation)": (_is(self.mutant, Mutant), self.mutant),
            'uses must be a list of ids such as ["lemma-1"]': (
                not isinstance(uses, str) and all(isinstance(u, (str, Claim)) for u in uses),
                uses,
            ),
            "corrects must be a claim or its id": (_is(self.corrects, (str, Claim)), self.corrects),
            "witness must give values to symbols, such as {c: 2}": (isinstance(self.witness, Mapping), self.witness),
            'source must be a source and a place in it, such as ("smith2026", "Theorem 3")': (
                source is None or (isinstance(source, tuple) and len(source) == 2 and all(isinstance(part, str) for part in source)),
                source,
            ),
        }
        for rule, (good, value) in kinds.items():
            if not good:
                raise ClaimError(f"claim {self.id}: {rule}, got {value!r}")

    def _constants(self) -> dict[sympy.Symbol, sympy.Expr]:
        """The witness as exact numbers: a constant depends on no variable, and is what its symbol says it is."""
        constants = {}
        for symbol, value in self.witness.items():
            if not isinstance(symbol, sympy.Symbol):
                raise ClaimError(f"claim {self.id}: witness gives values to symbols, got {symbol!r}")
            try:
                constants[symbol] = exact.to_sympy(exact.number(value, f"witness of {symbol}"))
            except InputError as error:
                raise ClaimError(f"claim {self.id}: {error}") from error
            kind = [substituted(condition, constants) for condition in assumptions_of(symbol)]
            if any(truth_at(condition, {}) is not True for condition in kind) or (symbol.is_integer and not constants[symbol].is_Integer):
                raise ClaimError(f"claim {self.id}: the witness {symbol} = {value} breaks what the symbol {symbol} assumes")
        return constants

    def _premises(self, given: Iterable[Any], constants: Mapping[sympy.Symbol, sympy.Expr]) -> Iterable[Boolean]:
        for premise in given:
            condition = substituted(self._boolean(premise, "a premise"), constants)
            if condition is sympy.false:
                raise EmptyDomainError(f"claim {self.id}: a premise is false for every value of its symbols, so the domain is empty")
            yield from parts_of(condition)

    def _check_symbols(self) -> None:
        """Names mean one thing each, and no symbol assumes what the domain cannot express."""
        parts = (self.then, *self.given)
        if any(part.has(sympy.Dummy, sympy.Wild) for part in parts):
            raise ClaimError(f"claim {self.id}: Dummy and Wild symbols have no name that a certificate could keep; use Symbol")
        for part in (*self.variables, *self.families):
            if lost := unmodelled(part):
                raise ClaimError(
                    f"claim {self.id}: {part} assumes {', '.join(lost)}, which a domain cannot express; "
                    "use real=True, integer=True, a sign or a parity, and state the rest in given"
                )
        names = [str(part) for part in (*self.variables, *self.families)]
        if doubled := sorted({name for name in names if names.count(name) > 1}):
            raise ClaimError(f"claim {self.id}: two symbols with different assumptions are both called {doubled[0]}; use one symbol")
        if taken := [name for name in names if name in functions.DIRECTIONS]:
            raise ClaimError(f"claim {self.id}: {taken[0]} names a direction and cannot be a variable")
        for part in parts:
            for indexed in part.atoms(sympy.Indexed):
                if len(indexed.indices) != 1 and not isinstance(self.by, Proof):
                    raise ClaimError(f"claim {self.id}: families have one index, except in claims settled by a Proof, got {indexed}")
            for node in part.atoms(sympy.Sum, sympy.Integral, functions.PrivacyQuantity):
                for limit in limits_of(node):
                    self._check_bound(kind_of_range(node), *limit, names=names)

    def _check_bound(self, kind: str, bound: sympy.Symbol, low: Any, high: Any, *, names: list[str]) -> None:
        """Refuse a range between numbers that has values which its variable does not have; elsewhere the statement has no value there."""
        if str(bound) in names:
            free = [part for part in self.given if bound in part.free_symbols]
            members = [part for part in free if any(bound in node.indices for node in part.atoms(sympy.Indexed))]
            if members:
                every = f"ForAll({bound}, And({bound} >= {low}, {bound} <= {high}), {members[0]})"
                raise ClaimError(
                    f"claim {self.id}: {members[0]} speaks of one member, and {bound} counts all of them elsewhere; "
                    f"if every member is meant, write {every}"
                )
            raise ClaimError(f"claim {self.id}: {bound} is both a variable and bound by a sum, an integral or an extremum; rename one")
        for asked in asked_of_range(kind, bound, low, high):
            foreign = kind != "sum" and bound.is_integer  # the language says how to state it
            if foreign or asked.condition.free_symbols or truth_at(asked.condition, {}) is True:
                continue
            if asked.end is None:
                declared = f'index("{bound}")' if kind == "sum" else f'real("{bound}")'
                facts = ", ".join(name if value else f"not {name}" for name, value in facts_of(bound))
                raise ClaimError(
                    f"claim {self.id}: {bound} is {facts}, which not all values from {low} to {high} are; declare it as {declared}"
                )
            instead = f'; write {bound} = index("{bound}", start=0)' if asked.end == 0 and bound.is_integer and bound.is_positive else ""
            raise ClaimError(f"claim {self.id}: {bound} runs to {asked.end}, which its own assumptions exclude, or seem to{instead}")

    def _boolean(self, value: Any, where: str) -> Boolean:
        if isinstance(value, bool):
            raise ClaimError(
                f"claim {self.id}: {where} contains the Python value {value}, not a relation: Python compares with == and != at once, "
                "so write Eq(a, b) and Ne(a, b)"
            )
        if not isinstance(value, Boolean) or isinstance(value, sympy.Symbol):
            raise ClaimError(f"claim {self.id}: {where} must be a relation such as x <= y, got {value!r}")
        if floats := sorted(value.atoms(sympy.Float)):
            meant = exact.number(float(floats[0]))
            instead = f"Rational({meant.numerator}, {meant.denominator})"
            raise ClaimError(f"claim {self.id}: {where} contains the float {float(floats[0])}; numbers are exact, so write {instead}")
        if any(max(abs(number.p), number.q).bit_length() > _LONGEST_NUMBER for number in value.atoms(sympy.Rational)):
            raise ClaimError(f"claim {self.id}: {where} contains a number of more than 3900 digits; round it")
        return value

    @cached_property
    def variables(self) -> tuple[sympy.Symbol, ...]:
        """The real and integer variables, by name."""
        found = set().union(self.then.free_symbols, *(premise.free_symbols for premise in self.given))
        labels = {base.label for base in self.families}
        return tuple(sorted((s for s in found if isinstance(s, sympy.Symbol) and s not in labels), key=str))

    @cached_property
    def families(self) -> tuple[sympy.IndexedBase, ...]:
        """The families p[1], p[2], … of symbolic length, by name."""
        found = set().union(*(part.atoms(sympy.IndexedBase) for part in (self.then, *self.given)))
        return tuple(sorted(found, key=str))

    def twin(self, mutant: Mutant) -> Claim:
        """The mutant as a claim of its own, expected to fail."""
        return replace(
            self,
            id=f"{self.id}~mutant",
            then=typed(mutant, "then"),
            given=typed(self if typed(mutant, "given") is None else mutant, "given"),
            by=mutant.by,
            expect=Expectation.FAILS,
            mutant=None,
            uses=(),
        )

    @property
    def with_twin(self) -> list[Claim]:
        """The claim and, where it has a mutant, that as a claim of its own.

        >>> x = sympy.Symbol("x", real=True)
        >>> [part.id for part in Claim(id="square", text="", then=x**2 >= 0, mutant=Mutant(then=x**2 >= 1)).with_twin]
        ['square', 'square~mutant']
        """
        return [self] if self.mutant is None else [self, self.twin(self.mutant)]

    @property
    def statement(self) -> dict[str, Any]:
        """What is asserted, as text: premises, conclusion, and what is declared of every name."""
        return write_statement(*self.terms)

    @cached_property
    def statement_hash(self) -> str:
        """SHA-256 of the canonical statement: another one where any premise, assumption or conclusion says something else.

        It does not depend on names, the order of premises, or how a relation is turned.

        It is empty where the notation has no term for a part of the statement: such a claim is bad input, and has no certificate.

        >>> from dpbounds.language.symbols import real
        >>> x, y = real("x y")
        >>> Claim("a", "", x**2 >= 0).statement_hash == Claim("b", "", y**2 >= 0).statement_hash
        True
        """
        try:
            then, given = self.terms
        except ForeignError:
            return ""
        return statement_digest(given, then)

    @property
    def terms(self) -> tuple[Term, tuple[Term, ...]]:
        """Conclusion and premises as terms, the laws among the premises as what they say.

        Raises:
            ForeignError: the notation has no term for a part.
        """
        try:
            return term(typed(self, "then")), tuple(map(term, opened(typed(self, "given"))))
        except TermError as error:
            raise ForeignError(f"claim {self.id}: {error}") from error

    def _repr_markdown_(self) -> str:
        return markdown_of(self)
