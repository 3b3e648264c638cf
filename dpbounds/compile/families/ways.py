"""Ways to a relation between sums that go through another relation: a sign, a mean for a parameter, the affinity of two laws."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Sum

from dpbounds.compile.families.first_words import in_first_words
from dpbounds.compile.families.forms import Form, forms_of
from dpbounds.compile.one_term import OneTerm
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most

if TYPE_CHECKING:
    from dpbounds.compile.families.search import Families


def by_sign(own: Families, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]]) -> int | None:
    """c·e^a ≥ s by the sign of s: a ≥ log(s/c) where it is positive."""
    steps, gap, totals = own.steps, sympy.expand(large - small), {t.symbol for t in own.totals.values()}
    reader = OneTerm(steps, own.symbols, ())
    for e in sorted((e for e in gap.atoms(sympy.exp) if e.free_symbols & totals and gap.coeff(e).is_positive), key=str):
        c, s = gap.coeff(e), sympy.expand(gap.coeff(e) * e - gap)
        if s.has(e) or s.is_positive or not s.free_symbols & totals:
            continue
        split = steps.write("total_order", left=own.valued(reader.term(s)), right=ZERO)
        least, some = (steps.assume(f) for f in steps.formula(split).parts)
        first = steps.sum_of(goal, [least], own.known)
        relation = sympy.Lt(0, s, evaluate=False)
        own.known.append(some)
        form = Form(e.args[0], sympy.log(s / c), (("exp", None), ("times", c)))
        fact = relation, steps.assume(reader.read.formula(relation))
        second = None if first is None else own.shown(large, small, goal, units, form, [fact])
        own.known.remove(some)
        if first is not None and second is not None:
            return steps.write("cases", split, first, second)
    return None


def by_bounded_sums(own: Families, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]]) -> int | None:
    """With the mean of sums for a parameter that premises say to lie above each of them, where the gap is linear in it."""
    sums, reader = {t.symbol for t in own.totals.values()}, OneTerm(own.steps, own.symbols, ())
    below_: dict[Any, list[Any]] = {}
    for relation, _ in own.facts():
        if relation.lts in sums and relation.gts.is_Symbol and isinstance(relation, (sympy.Le, sympy.Ge)):
            below_.setdefault(relation.gts, []).append(relation)
    for c, relations in below_.items():
        slope = sympy.factor(sympy.diff(large - small, c))
        if slope == 0 or slope.has(c):
            continue
        mean = sympy.Add(*(r.lts for r in relations)) / len(relations)
        high, low = (side.xreplace({c: mean}) for side in (large, small))
        step = own.shown(high, low, own.valued(at_most(reader.term(low), reader.term(high))), units)
        orders = [k for r in relations if (k := own.hypothesis(own.valued(reader.read.formula(r)))) is not None]
        weights = [ONE, *[own.valued(reader.term(slope / len(relations)))] * len(relations)]
        if step is None or len(orders) < len(relations):
            continue
        if (found := own.steps.sum_of(goal, [step, *orders], own.known, weights)) is not None:
            return found
    return None


def by_replacement(own: Families, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]]) -> int | None:
    """Through what is at least a part of the gap that counts against it, perhaps below a root: e ≤ v, and the claim with v for e."""
    for form in forms_of(large, small, sorted({t.symbol for t in own.totals.values()}, key=str)):
        gap = sympy.expand(form.large - form.small)
        for e, value in itertools.chain(_affinities(own, gap, units), _geometric_means(own, gap)):
            order = _through(own, form, e, value, -gap.coeff(e), units)
            if order is not None:
                return in_first_words(own, form, order, goal)
    return None


def _affinities(own: Families, gap: Any, units: Sequence[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """e^{−D} ≤ (Σ √(pq))² for a divergence D of two laws."""
    places, sums = {v: k for k, v in own.entries.items()}, {t.symbol for t in own.totals.values()}
    laws = [u for u, _ in units[:-1] if u in places]
    for e in [e for e in gap.atoms(sympy.exp) if -e.args[0] in sums and gap.coeff(e).is_negative]:
        for a, b in itertools.combinations(laws, 2):
            yield e, own.total(Sum(sympy.sqrt(places[a]) * sympy.sqrt(places[b]), (own.i, 1, own.length))).symbol ** 2


def _geometric_means(own: Families, gap: Any) -> Iterator[tuple[Any, Any]]:
    """Σ c·(r·x + (1 − r)·y)^{−a} ≤ Σ c·(x^r·y^{1 − r})^{−a}."""
    places = {v: k for k, v in own.entries.items()}
    for total in [t for t in own.totals.values() if gap.coeff(t.symbol).is_negative]:
        for power in (p for p in total.body.atoms(sympy.Pow) if p.base.is_Add and p.exp.is_negative):
            parts = [part.as_independent(*places, as_Add=False) for part in power.base.args]
            if sympy.expand(sympy.Add(*(w for w, _ in parts)) - 1) == 0 and all(x.is_positive for _, x in parts):
                mean = sympy.Mul(*(x ** (power.exp * w) for w, x in parts))
                body = sympy.powsimp(total.body.xreplace({power: mean})).xreplace(places)
                yield total.symbol, own.total(Sum(body, (own.i, 1, own.length))).symbol


def _through(own: Families, form: Form, e: Any, value: Any, weight: Any, units: Sequence[tuple[Any, Any]]) -> int | None:
    """A relation from e ≤ v for an expression that its gap has with a negative weight, and from what it is with v for e."""
    shown, reader = [], OneTerm(own.steps, own.symbols, ())
    for high, low in ((value, e), (form.large.xreplace({e: value}), form.small.xreplace({e: value}))):
        order = at_most(*(own.valued(reader.term(side)) for side in (low, high)))
        if (step := own.shown(high, low, order, units)) is None:
            return None
        shown.append(step)
    aim = at_most(*(own.valued(reader.term(side)) for side in (form.small, form.large)))
    return own.steps.sum_of(aim, shown, own.known, [reader.term(weight), ONE])
