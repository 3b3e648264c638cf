"""Claims about families that speak of single places too, as an exponential mechanism does: e^{g_m} beside Σ e^{g_i}.

Premises about every place hold at that one, a sum of terms ≥ 0 is at least its term there, and one sum is at most a multiple of another.
With these facts the claim is an inequality in finitely many symbols; or one of them, in which it is linear, goes to its bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.compile.families.masses import below_total
from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.steps import NotWritten
from dpbounds.compile.trials import fails, gap_of
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import parts_of_and
from dpbounds.language.typed.checker_terms import NotRead

if TYPE_CHECKING:
    from dpbounds.compile.families.search import Families

Fact = tuple[Any, int]
_RELATIONS = (sympy.Le, sympy.Ge, sympy.Lt, sympy.Gt)


def by_places(own: Families, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]]) -> int | None:
    """The goal small ≤ large in symbols of places and sums, as a step; None where the facts do not give it."""
    if not own.fixed or any(side.has(sympy.Piecewise) for side in (large, small)):
        return None
    there, compared, below_sums = list(_premises_there(own)), list(_sums_compared(own, units)), list(_terms_below_sums(own))
    for chosen in ([*there, *compared], [*there, *below_sums], [*there, *compared, *below_sums]):
        facts = [fact for fact in (*own.facts(), *chosen) if fact[0].free_symbols <= (large - small).free_symbols]
        facts += _exponentials(own, facts)
        prover = own.prover(facts)
        shown = None if prover.refuted(large - small) else own.patiently(partial(prover.shown, large - small))
        step = None if shown is None else own.anywhere(shown)
        if step is not None and (found := own.steps.sum_of(goal, [step], own.known)) is not None:
            return found
    found = _with_logarithm(own, large, small, goal, units, below_sums)
    return found if found is not None else _at_a_bound(own, large, small, goal, units, below_sums)


def _there(own: Families, e: Any) -> Iterator[tuple[Any, Any]]:
    """The single places, each with what an expression of the place at hand is there."""
    for index in sorted({entry.indices[0] for entry in own.fixed}, key=str):
        yield index, e.subs({own.i: index})


def _premises_there(own: Families) -> Iterator[Fact]:
    """What premises about every place say of the single ones."""
    for premise in own.premises:
        if isinstance(premise, ForAll):
            for _, relation in _there(own, premise.body.xreplace({premise.variable: own.i})):
                for part in parts_of_and(relation):
                    yield from _assumed(own, part)


def _assumed(own: Families, relation: Any) -> Iterator[Fact]:
    """A relation that holds, with what it says of |u|."""
    if not isinstance(relation, _RELATIONS):
        return
    try:
        moved = type(relation)(*map(own.in_symbols, relation.args), evaluate=False)
        reader = OneTerm(own.steps, own.symbols, ()).read
        step = own.steps.assume(reader.formula(moved))
    except (NotWritten, NotRead):
        return
    yield moved, step
    yield from own.sides_of_absolute(moved, step)


def _terms_below_sums(own: Families) -> Iterator[Fact]:
    """t(m) ≤ Σ t for sums of terms ≥ 0."""
    steps, length = own.steps, own.read.term(own.length)
    for mark, total in list(own.totals.items()):
        high = own.valued(OneTerm(steps, own.symbols, ()).term(total.body))
        least = own.nonnegative(high) if total.body.is_nonnegative else None
        whole = None if least is None else below_total(steps, high, least, own.at, length)
        for index, there in _there(own, mark.function):
            if whole is None:
                continue
            step = steps.write("substitution", whole, terms={own.at: own.read.term(index)}, functions={})
            proofs = [own.short(f, anywhere=True) for f in steps.write.steps[step].hypotheses if f not in own.given]
            if None not in proofs:
                step = steps.write("cut", step, *(k for k in proofs if k is not None)) if proofs else step
                yield own.fact(sympy.Le(own.in_symbols(there), total.symbol, evaluate=False), step)


def _sums_compared(own: Families, units: Sequence[tuple[Any, Any]]) -> Iterator[Fact]:
    """Σ a ≤ c·Σ b, where it holds at each place, with c = 1 or an exponential of a parameter of the premises."""
    premises = own.facts()
    inner = {s for t in own.totals.values() for s in (t.symbol, *t.body.free_symbols)} | set(own.entries.values())
    parameters = {s for r, _ in premises for s in r.free_symbols if r.free_symbols & set(own.entries.values())} - inner
    factors = [sympy.S.One, *(sympy.exp(k * s) for s in sorted(parameters, key=str) for k in (1, 2) if not s.is_integer)]
    totals = [t for t in own.totals.values() if t.body.is_nonnegative and t.body not in [u for u, _ in units]]
    for a in totals:
        for b in totals:
            gap = next((c for c in factors if not fails(c * b.body - a.body, own.symbols, premises)), None) if a is not b else None
            if gap is None:
                continue
            reader = OneTerm(own.steps, own.symbols, ())
            formula = own.valued(at_most(reader.term(a.symbol), reader.term(gap * b.symbol)))
            step = own.shown(gap * b.symbol, a.symbol, formula, units)
            if step is not None:
                yield own.fact(sympy.Le(a.symbol, gap * b.symbol, evaluate=False), step)


def _exponentials(own: Families, facts: Sequence[Fact]) -> Iterator[Fact]:
    """e^a ≤ e^b from a ≤ b for a symbol a of a place."""
    places = set(own.fixed.values())
    prover = OneTerm(own.steps, own.symbols, facts)
    for relation, _ in facts:
        gap = gap_of(relation)
        for a in sorted(places & gap.free_symbols, key=str) if gap is not None and gap.is_polynomial() else ():
            if gap.diff(a) == -1:
                low, high = sympy.exp(a), sympy.exp(sympy.expand(gap + a))
                if (step := prover.shown(high - low, descend=False)) is not None:
                    formula = prover.read.formula(sympy.Le(low, high, evaluate=False))
                    weaker = own.steps.sum_of(formula, [step])
                    if weaker is not None:
                        yield sympy.Le(low, high, evaluate=False), weaker


def _with_logarithm(
    own: Families, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]], below_sums: Sequence[Fact]
) -> int | None:
    """The goal from a stronger one, with log n − log S in the place of log n, where 1 ≤ S."""
    gap, reader = sympy.expand(large - small), OneTerm(own.steps, own.symbols, ())
    weight = gap.coeff(sympy.log(own.length))
    for relation, step in below_sums if weight != 0 else ():
        if relation.lts != 1:
            continue
        stronger = small + weight * sympy.log(relation.gts)
        inner = own.shown(large, stronger, own.valued(at_most(reader.term(stronger), reader.term(large))), units)
        if inner is not None and (found := _less_logarithms(own, goal, inner, step, weight)) is not None:
            return found
    return None


def _less_logarithms(own: Families, goal: Term, inner: int, step: int, weight: Any) -> int | None:
    """The goal from a stronger one and a multiple of log a ≤ log b, where a step says a ≤ b with a positive a."""
    first = own.anywhere(step)
    sign = None if first is None else own.steps.attempt("sign", formula=below(ZERO, own.steps.formula(first).parts[0]))
    order = None if first is None or sign is None else own.steps.attempt("log_monotone", first, sign)
    if order is None:
        return None
    scale = own.valued(OneTerm(own.steps, own.symbols, ()).term(weight))
    return own.steps.sum_of(goal, [inner, order], [*own.signs(), *own.known], [ONE, scale])


def _at_a_bound(
    own: Families, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]], below_sums: Sequence[Fact]
) -> int | None:
    """The goal at g_m = log(S)/c, from e^{c·g_m} ≤ S, where it is linear in g_m."""
    gap = sympy.expand(large - small)
    for relation, step in below_sums:
        low, total = relation.lts, relation.gts
        for a in sorted(low.free_symbols & set(own.fixed.values()), key=str):
            slope, scale = gap.diff(a), sympy.S.Zero if not isinstance(low, sympy.exp) else low.args[0].diff(a)
            if not scale.is_positive or slope.has(a) or slope == 0 or sympy.expand(low.args[0] - scale * a) != 0:
                continue
            reader = OneTerm(own.steps, own.symbols, ())
            high, least = (side.xreplace({a: sympy.log(total) / scale}) for side in (large, small))
            inner = own.shown(high, least, own.valued(at_most(reader.term(least), reader.term(high))), units)
            weight = sympy.factor(-slope / scale)
            if inner is not None and (found := _less_logarithms(own, goal, inner, step, weight)) is not None:
                return found
    return None
