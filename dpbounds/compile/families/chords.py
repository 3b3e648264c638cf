"""Means of a convex function of bounded entries: Σ u·f(x) ≤ f(a) + (f(b) − f(a))·(M − a)/(b − a) for Σ u = 1, a ≤ x ≤ b and M = Σ u·x.

With this chord in the place of the sum, a claim is an inequality in M and parameters, where a ≤ M ≤ b: Hoeffding's lemma is one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Sum

from dpbounds.compile.families.first_words import in_first_words
from dpbounds.compile.families.forms import Form, forms_of
from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.ratios import ends_of
from dpbounds.compile.trials import fails
from dpbounds.kernel.terms import ONE, Term, at_most

if TYPE_CHECKING:
    from dpbounds.compile.families.search import Families

_MOST = 3
"""Forms of a claim that are tried."""
_LAST_LEVEL = 1
"""Later turns leave the time to inequalities at each place."""
_FAVOUR = 7.0
"""How many times as much time as a candidate the inequality in the mean has: it has up to three variables."""


def by_chord_of_sum(own: Families, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]]) -> int | None:
    """The goal with the chord in the place of a mean that counts against it."""
    if own.level > _LAST_LEVEL:
        return None
    sums = sorted({t.symbol for t in own.totals.values()}, key=str)
    for form in itertools.islice(forms_of(large, small, sums), _MOST):
        for t, mean, a, b, chord in _chords(own, units):
            weight = sympy.diff(form.small, t)
            if weight == 0 or weight.has(t) or form.large.has(t):
                continue
            order = _with_chord(own, form, (t, mean, a, b, chord, weight), units)
            if order is not None and (found := in_first_words(own, form, order, goal)) is not None:
                return found
    return None


def _chords(own: Families, units: Sequence[tuple[Any, Any]]) -> Iterator[tuple[Any, Any, Any, Any, Any]]:
    """Means of functions of one bounded entry, each with the mean of this entry, its ends and its chord."""
    places, entries = {v: k for k, v in own.entries.items()}, set(own.entries.values())
    for total, u in itertools.product(list(own.totals.values()), [u for u, c in units if c == 1 and u in entries]):
        f = sympy.cancel(total.body / u) if total.body.is_rational_function() else total.body / u
        x = next(iter(f.free_symbols & entries), None)
        if x is None or f.has(u) or f.free_symbols & entries != {x} or f.is_polynomial(x) and sympy.degree(f, x) < 2:
            continue
        for a, b in itertools.product(*ends_of(own.facts(), x)):
            if not (a.free_symbols | b.free_symbols) & entries:
                mean = own.total(Sum(places[u] * places[x], (own.i, 1, own.length))).symbol
                low, high = f.subs(x, a), f.subs(x, b)
                yield total.symbol, mean, a, b, low + (high - low) * (mean - a) / (b - a)


def _with_chord(own: Families, form: Form, row: tuple[Any, Any, Any, Any, Any, Any], units: Sequence[tuple[Any, Any]]) -> int | None:
    """small ≤ large from T ≤ chord, and from what it says with the chord for T."""
    t, mean, a, b, chord, weight = row
    reader, steps = OneTerm(own.steps, own.symbols, ()), own.steps
    left = sympy.expand(form.large) - form.small.xreplace({t: chord})
    ends = [sympy.Le(a, mean, evaluate=False), sympy.Le(mean, b, evaluate=False)]
    if left.has(sympy.nan, sympy.zoo) or fails(left, own.symbols, [*own.facts(), *((r, 0) for r in ends)]):
        return None
    first = own.shown(chord, t, own.valued(at_most(reader.term(t), reader.term(chord))), units, plain=True)
    bounds = [own.shown(r.gts, r.lts, own.valued(reader.read.formula(r)), units, plain=True) for r in ends] if first is not None else [None]
    if first is None or None in bounds:
        return None
    facts = [own.fact(r, k) for r, k in zip(ends, bounds, strict=True) if k is not None]
    prover = own.prover([*(fact for fact in own.facts() if not fact[0].free_symbols & set(own.entries.values())), *facts])
    shown = own.patiently(partial(prover.shown, left), _FAVOUR)
    second = None if shown is None else own.anywhere(shown)
    if second is None:
        return None
    aim = at_most(*(own.valued(reader.term(side)) for side in (form.small, form.large)))
    return steps.sum_of(aim, [first, second], [*own.signs(), *own.known], [own.valued(reader.term(weight)), ONE])
