"""Values at the ends of ranges that need no certificate."""

from __future__ import annotations

from collections.abc import Sequence

from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.kernel.terms import ZERO, Term, below, equal


def at_sight(steps: Steps, goal: Term, known: Sequence[int]) -> int:
    """0 ≤ a or 0 < a at an end of a range, where powers of 0 and Φ(0) = 1/2 are all that is special.

    Raises:
        NotWritten: it is not seen.
    """
    found = steps.attempt("sign", *known, formula=goal)
    found = steps.attempt("linear", *known, formula=goal, multipliers=[]) if found is None else found
    if found is not None:
        return found
    powers = [t for t in dict.fromkeys(subterms(goal.parts[1])) if t.tag == "pow"]
    facts = []
    for t in powers:
        base = steps.attempt("ring", *known, formula=equal(t.parts[0], ZERO))
        sign = None if base is None else steps.attempt("sign", *known, formula=below(ZERO, t.parts[1]))
        if sign is not None and base is not None:
            moved = steps.write("congruence", base, term=t)
            facts += [steps.write("power_of_zero", sign), *([] if t.parts[0] == ZERO else [moved])]
    for t in [t for t in dict.fromkeys(subterms(goal.parts[1])) if t.tag == "Phi"]:
        middle = steps.attempt("ring", *known, formula=equal(t.parts[0], ZERO))
        if middle is not None:
            facts += [*([] if t.parts[0] == ZERO else [steps.write("congruence", middle, term=t)])]
            facts.append(steps.write("normal_symmetry", term=ZERO))
    if facts:
        for found in (
            steps.attempt("sign", *facts, *known, formula=goal),
            steps.attempt("linear", *facts, *known, formula=goal, multipliers=[]),
        ):
            if found is not None:
                return found
    raise NotWritten("a value at an end")


def subterms(t: Term) -> list[Term]:
    """A term and its parts; of formulas only the sides of relations."""
    return [t, *(s for part in t.parts for s in subterms(part))] if t.sort != "F" or t.tag in ("<=", "<", "=") else [t]
