"""A source and its claims: `paper = Source("yu2019", "Theorem 3")`, then `name = paper.claim(premises, conclusion, evidence)`.

A claim takes its id from the source and the variable that it is assigned to, and what it is expected to be from its evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sympy.logic.boolalg import Boolean

from dpbounds.claims.claim import UNNAMED, Claim, Mutant
from dpbounds.claims.plans import Boxes, Citation, Counterexample, Identity, OrderRange, Proof, Search
from dpbounds.claims.statement.typed import as_term, is_formula, opened
from dpbounds.claims.verdict import ASSUMED, FAILS, HOLDS, Expectation
from dpbounds.errors import ClaimError
from dpbounds.language.substitution import substituted
from dpbounds.language.typed.bridge import to_sympy
from dpbounds.logic.signatures import QUANTITIES
from dpbounds.logic.terms import Family, Term, number, walk
from dpbounds.numbers import exact

_WORDS: dict[Any, str] = {
    str: "caption",
    (list, tuple): "list of premises",
    (bool, Boolean, Term): "conclusion",
    (Mapping, Boxes, Citation, Counterexample, Identity, OrderRange, Proof, Search): "evidence",
}


@dataclass(frozen=True)
class Source:
    """Where claims come from.

    Args:
        id: a key of the bibliography, and what else the ids of the claims begin with, such as "yu2019.appendix-g"; may be left out.
        place: where in the source; without it the claims have no source, only the beginning of their ids.

    >>> from dpbounds.language.symbols import real
    >>> x = real("x")
    >>> claim = Source("mill1843", "page 7").claim([x >= 0], x**2 + 1 >= 2*x, mutant=x**2 >= 2*x)
    >>> claim.source, str(claim.expect), str(claim.mutant.then)
    (('mill1843', 'page 7'), 'Expectation.HOLDS', 'x**2 >= 2*x')
    """

    id: str = ""
    place: str = ""

    def at(self, place: str) -> Source:
        """Another place of the same source."""
        return replace(self, place=place)

    def claim(
        self,
        *statement: Any,
        mutant: Any = None,
        tight: tuple[Any, ...] | None = None,
        id: str = UNNAMED,
        expect: Expectation | None = None,
        corrects: Claim | str | None = None,
        uses: Iterable[Claim | str] = (),
        witness: Mapping[Any, Any] | None = None,
        example: Mapping[Any, Any] | None = None,
        note: str = "",
    ) -> Claim:
        """A claim of this source.

        Args:
            statement: a caption, a list of premises, the conclusion, the evidence; the conclusion is needed. A point is evidence that the
                claim fails.
            mutant: what changes to make it false: a conclusion, a list of premises or both, and the evidence (a search, if there is none).
            tight: a constant of the conclusion, the value for which it holds, and one for which it fails, the mutant; then, perhaps, the
                point where that fails. Those are both ends of a bracket of `dpbounds tighten`.
            id: what follows the id of the source; the name of the variable, if it is left out.
            expect: what it is expected to be, where the evidence does not say so: FAILS by a point or a search, ASSUMED by a citation,
                HOLDS by all else. Without evidence a claim of a source holds, and one of nobody's just wants a verdict.
            corrects, uses, witness, example, note: as in `Claim`; claims of the same file may be named as objects.

        Raises:
            ClaimError: a part that is none of these, or two of one kind; `mutant` beside `tight`; what `Claim` refuses.
        """
        parts = _parts(statement)
        if tight is not None:
            if mutant is not None:
                raise ClaimError("a claim with tight=(constant, holds, fails) has its mutant; leave mutant= out")
            parts["conclusion"], mutant = _at_both_ends(parts.get("conclusion"), *tight)
        by = parts.get("evidence")
        if expect is None:
            expect = HOLDS if by is not None or self.place else None
            expect = FAILS if isinstance(by, (Counterexample, Search)) else ASSUMED if isinstance(by, Citation) else expect
        text, given, then = parts.get("caption", ""), parts.get("list of premises", ()), parts.get("conclusion")
        if "finitely many" not in text and _is_about_laws((then, *opened(given))):
            text = f"On finitely many outcomes: {text}"
        return Claim(
            f"{self.id}.{id}" if self.id else id,
            text,
            then,
            given,
            (self.id.partition(".")[0], self.place) if self.place else None,
            expect,
            by,
            None if mutant is None else _mutant(mutant, then),
            corrects,
            tuple(uses),
            witness or {},
            example,
            note,
        )


claim = Source().claim
"""A claim of one's own, called as its variable."""


def _is_about_laws(statement: Iterable[Any]) -> bool:
    """Whether a family stands for masses of outcomes: in a quantity, or summing to one."""
    nodes = [node for part in statement if (formula := as_term(part)) is not None for node in walk(formula)]
    return any(_families_in(node) for node in nodes if node.tag in QUANTITIES or _is_total(node))


def _families_in(t: Term) -> bool:
    return any(isinstance(x, Family) for x in t.free)


def _is_total(t: Term) -> bool:
    return t.tag == "=" and t.lhs.tag == "Sum" and t.rhs == 1


def _parts(statement: tuple[Any, ...]) -> dict[str, Any]:
    """The parts of a statement by their kinds."""
    parts: dict[str, Any] = {}
    for part in statement:
        word = next((word for kind, word in _WORDS.items() if isinstance(part, kind)), None)
        if word is None:
            raise ClaimError(f"a claim takes {', '.join(_WORDS.values())} (in any order), got {part!r}")
        if word in parts:
            instead = "; premises stand in a list, [x > 0, x < 1]" if word == "conclusion" else ""
            raise ClaimError(f"a claim has one {word}, got a second one, {part!r}{instead}")
        parts[word] = Counterexample(part) if isinstance(part, Mapping) else part
    return parts


def _at_both_ends(then: Any, constant: Any = None, holds: Any = None, fails: Any = None, *evidence: Any) -> tuple[Any, Mutant]:
    """The conclusion at the constant for which it holds, and the mutant at the one for which it fails."""
    formula = as_term(then) if is_formula(then) else None
    x = None if formula is None or constant is None else as_term(constant)
    if formula is None or x not in formula.free or holds is None or fails is None:
        raise ClaimError("tight=(constant, holds, fails) names a symbol of the conclusion and two numbers")
    numbers = (number(exact.rational(to_sympy(value), str(constant))) for value in (holds, fails))
    if isinstance(then, Term):
        good, far = (formula.subs(x, value) for value in numbers)
    else:
        good, far = (substituted(then, {constant: to_sympy(value)}) for value in numbers)
    return good, Mutant(far, None, _parts(evidence).get("evidence"))


def _mutant(change: Any, then: Any) -> Mutant:
    if isinstance(change, Mutant):
        return change
    parts = _parts(change if isinstance(change, tuple) else (change,))
    if not {"conclusion", "list of premises"} & set(parts):
        raise ClaimError(f"a mutant changes the conclusion or the premises, got {change!r}")
    return Mutant(parts.get("conclusion", then), parts.get("list of premises"), parts.get("evidence"))
