"""What the sides of a claim about families need to be defined, and what its quantities ask for, as steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.compile.families.entries import entries_in
from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import ONE, ZERO, Refused, Term, at_most, below, instantiate, power
from dpbounds.language.typed.checker_terms import NotRead

if TYPE_CHECKING:
    from dpbounds.compile.families.search import Families


def asked_for(own: Families, condition: Any) -> int | None:
    """What a quantity asks for, from the premises."""
    try:
        if isinstance(condition, (sympy.Gt, sympy.Lt)) and (found := _mean_of_premises(own, condition)) is not None:
            return found
        return defined(own, own.read.formula(condition))
    except (NotWritten, NotRead, Refused):
        return None


def _mean_of_premises(own: Families, condition: Any) -> int | None:
    """0 < a where it is a sum of what premises say, with numbers ≥ 0."""
    plain = [p for p in own.premises if isinstance(p, (sympy.Le, sympy.Ge, sympy.Lt, sympy.Gt)) and not p.has(sympy.Indexed)]
    prover = OneTerm(own.steps, own.read.symbols, [(p, own.steps.assume(own.read.formula(p))) for p in plain])
    step = prover.combined(below(ZERO, own.read.term(condition.gts - condition.lts)), condition.gts - condition.lts)
    return None if step is None else own.steps.sum_of(own.read.formula(condition), [step])


def defined(own: Families, o: Term) -> int:
    """What must be shown to be defined."""
    found = own.steps.attempt("sign", *own.known, formula=o) if o.tag in ("<", "<=", "not") else None
    if found is None and o.tag in ("<", "<=", "not"):
        found = own.steps.attempt("ring", *own.known, formula=o)
    if found is None and o.tag == "all" and o.data == ("Z",):
        found = _defined_everywhere(own, o)
    found = found if found is not None else own.search.prove(o, own.known)
    if found is None:
        raise NotWritten("what must be defined", o.tag)
    return found


def _defined_everywhere(own: Families, o: Term) -> int | None:
    steps = own.steps
    body, conditions = instantiate(o.parts[0], own.at), []
    while body.tag == "->":
        conditions.append(body.parts[0])
        body = body.parts[1]
    here = [steps.assume(c) for c in conditions]
    plain = OneTerm(steps, {}, ())
    here += [plain.plain_order(steps.formula(k), k) for k in here if steps.formula(k).tag == "not"]
    own.within, kept = [*own.within, *here], own.within
    own.within += _facts_at_place(own)
    try:
        return _defined_here(own, body, conditions, here)
    finally:
        own.within = kept


def _facts_at_place(own: Families) -> list[int]:
    """What the premises say at the place, and what lies above something positive."""
    steps, found = own.steps, []
    for k in own.known:
        step = steps.attempt("specialize", k, at=own.at) if steps.formula(k).tag == "all" else None
        while step is not None and steps.formula(step).tag == "->":
            condition = own.short(steps.formula(step).parts[0])
            step = None if condition is None else steps.attempt("detach", step, condition)
        if step is not None:
            found += own.search.opened(step)
    least = {
        steps.formula(k).parts[1]: k for k in (*own.within, *found) if steps.formula(k).tag == "<" and steps.formula(k).parts[0] == ZERO
    }
    for k in list(found):
        f = steps.formula(k)
        if f.tag == "<=" and f.parts[0] in least and f.parts[1].tag == "*":
            above = steps.sum_of(below(ZERO, f.parts[1]), [k, least[f.parts[0]]])
            if above is None:
                continue
            for entry in entries_in(f.parts[1]):
                other = next((x for x in f.parts[1].parts if x != entry), ONE)
                found += [x for x in [steps.attempt("linear", above, formula=below(ZERO, entry), multipliers=[power(other, -1)])] if x]
    return found


def _defined_here(own: Families, body: Term, conditions: Sequence[Term], here: Sequence[int]) -> int | None:
    steps = own.steps
    for option in body.parts if body.tag == "or" else (body,):
        parts = [_shown_here(own, part, here) for part in (option.parts if option.tag == "and" else (option,))]
        if None in parts:
            continue
        found = steps.write("conjunction", *(k for k in parts if k is not None)) if option.tag == "and" else parts[0]
        assert found is not None
        found = steps.write("alternative", found, formula=body) if body.tag == "or" else found
        for c in reversed(conditions):
            found = steps.write("discharge", found, formula=c)
        return steps.attempt("generalize", found, variable=own.at)
    return None


def _shown_here(own: Families, f: Term, here: Sequence[int]) -> int | None:
    """A relation at the place, from a premise, from signs, or from what the sums say of their terms."""
    steps = own.steps
    if f.tag not in ("<=", "<", "not"):
        return None
    found = own.hypothesis(f) if f.tag != "not" else None
    if found is not None:
        return found
    signs = [k for e in entries_in(f) for k in [own.hypothesis(below(ZERO, e)) or own.hypothesis(at_most(ZERO, e))] if k]
    found = steps.attempt("sign", *signs, *here, *own.known, formula=f)
    if found is not None or f.tag == "not":
        return found
    return next((x for k in own.facts_there() if (x := steps.sum_of(f, [k], signs)) is not None), None)
