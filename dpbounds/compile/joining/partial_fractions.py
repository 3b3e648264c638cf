"""Sums of fractions by their parts: for f(j) = 1/j^p,
Σ_{i=a}^b f(e + i) = Σ_{j=a+e}^{b+e} f(j) and Σ_{i=a}^b f(e − i) = Σ_{j=e−b}^{e−a} f(j).

The second one is an induction over b. Nothing here is believed: each step is one of the checker's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.recursions import last_term
from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    Term,
    at_most,
    below,
    binder,
    equal,
    instantiate,
    minus,
    node,
    plus,
    power,
    substitute,
    times,
    variable,
)

_WORK = 20
_F = ("f_", "Z>R")
_I, _J = variable("i_", "Z"), variable("j_", "Z")


def fractions_document(
    name: str,
    claim: tuple[Any, Sequence[Any]],
    total: Any,
    parts: Sequence[tuple[Any, Any, int, int]],
    left: tuple[str, Any, Mapping[str, Any]],
) -> str:
    """The document of a claim with a sum of fractions.

    Args:
        name: of the document.
        claim: conclusion and premises.
        total: the sum.
        parts: (c, e, s, p) of each c/(e + s·i)^p.
        left: the document of the claim with sums of 1/j^p instead, what it is multiplied by, and the values of its variables.

    Raises:
        NotWritten: a step is not seen.
    """
    return _Fractions(*claim).document_of_fractions(name, total, parts, *left)


def reversal_lemma(steps: Steps) -> int:
    """a ≤ b + 1 → Σ_{i=a}^b f(e − i) = Σ_{j=e−b}^{e−a} f(j)."""
    write, a, b, e, k = steps.write, variable("a_", "Z"), variable("b_", "Z"), variable("e_", "Z"), variable("k_", "Z")

    def f(t: Term) -> Term:
        return node("f", t, data=_F)

    before = minus(a, ONE)
    left, right = binder("sum", _I, a, k, f(minus(e, _I))), binder("sum", _J, minus(e, k), minus(e, a), f(_J))
    formula = equal(left, right)

    def empty(total: Term) -> int:  # Σ_l^{l−1} = 0, for Σ_l^l is that and itself
        low, _, body = total.parts
        ends = [steps.sum_of(at_most(*pair), []) for pair in ((low, plus(minus(low, ONE), ONE)), (minus(low, ONE), low))]
        return write("sum_split", *(k for k in ends if k is not None), total=node("sum", low, low, body))

    start = [substitute(side, {k: before}) for side in (left, right)]
    base = steps.sum_of(equal(*start), [empty(start[0]), empty(start[1])], [], [MINUS, ONE])
    order, here, later = steps.assume(at_most(before, k)), steps.assume(formula), plus(k, ONE)
    single, split = last_term(steps, left, k, _shown(steps, at_most(a, later), order))
    grown = substitute(right, {k: later})
    low, high, body = grown.parts
    cut = [_shown(steps, at_most(low, plus(low, ONE))), _shown(steps, at_most(low, high), order)]
    first = [write("sum_split", *cut, total=grown), write("sum_single", total=node("sum", low, low, body))]
    step = steps.sum_of(substitute(formula, {k: later}), [here, split, single, *first], [], [ONE, ONE, ONE, MINUS, MINUS])
    if base is None or step is None:
        raise NotWritten("a reversal")
    every = write("specialize", write("induction", base, step, variable=k, start=before, formula=formula), at=b)
    inside = steps.assume(at_most(a, plus(b, ONE)))
    return write("discharge", write("detach", every, _shown(steps, at_most(before, b), inside)), formula=at_most(a, plus(b, ONE)))


def _shown(steps: Steps, goal: Term, *by: int) -> int:
    found = steps.sum_of(goal, by)
    if found is None:
        raise NotWritten("an order of a sum")
    return found


class _Fractions(ClaimCompiler):
    def document_of_fractions(
        self, name: str, total: Any, parts: Sequence[tuple[Any, Any, int, int]], text: str, factor: Any, values: Mapping[str, Any]
    ) -> str:
        self.steps.write.work *= _WORK
        steps, write = self.steps, self.steps.write
        low, high, body = self.read.term(total).parts
        order = self._follows(at_most(low, plus(high, ONE)))
        if order is None:
            raise NotWritten("a sum that may end before its start")
        inside = [steps.assume(at_most(low, _I)), steps.assume(at_most(_I, high))]
        known, rows, equations, signs = [*self.known, *inside], [], [], []
        for c, e, s, p in parts:
            at = plus(self.read.term(e), times(MINUS, _I) if s == -1 else _I)
            rows.append(times(self.read.term(c), power(at, -p)))
            self.known, before = known, self.known
            sign = self._above_zero(at)
            self.known = before
            signs.append(sign)
            equations.append(self._moved(low, high, order, self.read.term(e), s, p))
        divisors = [
            k for d in dict.fromkeys(d for row in rows for d in _fixed_divisors(row)) if (k := self._follows(below(ZERO, d))) is not None
        ]
        term = steps.sum_of(equal(instantiate(body, _I), plus(*rows)), [], [*signs, *divisors, *known])
        if term is None:
            raise NotWritten("partial fractions that are not seen")
        every = write("sum_termwise", term, variable=_I, low=low, high=high)
        found = self.taken_again(text, values)
        whole = [k for t in _sums(steps.formula(found)) for k in self._cut(t, high)]
        end = steps.sum_of(self.goal, [found], [*whole, *equations, every, *divisors, *self.known], [self.read.term(factor)])
        return self.ended(name, end)

    def _above_zero(self, t: Term) -> int:
        found = self._follows(below(ZERO, t)) or next(
            (
                k
                for pair in ((a, b) for a in self.known for b in self.known)
                if (k := self.steps.attempt("linear", *pair, formula=below(ZERO, t), multipliers=[ONE, ONE])) is not None
            ),
            None,
        )
        if found is None:
            raise NotWritten("a fraction that may have no value")
        return found

    def _moved(self, low: Term, high: Term, order: int, e: Term, s: int, p: int) -> int:
        """Σ_{i=a}^b 1/(e + s·i)^p as a sum of 1/j^p."""
        steps, write = self.steps, self.steps.write
        if s == 1:
            total = binder("sum", _J, plus(low, e), plus(high, e), power(_J, -p))
            return write("sum_shift", total=total, by=times(MINUS, e))
        values = {variable("a_", "Z"): low, variable("b_", "Z"): high, variable("e_", "Z"): e}
        lemma = write("substitution", reversal_lemma(steps), terms=values, functions={_F: ((_J,), power(_J, -p))})
        return write("detach", lemma, order)

    def _cut(self, total: Term, at: Term) -> list[int]:
        """A sum to more than b as two."""
        low, high, _ = total.parts
        if high == at or (orders := [self._follows(f) for f in (at_most(low, plus(at, ONE)), at_most(at, high))]) and None in orders:
            return []
        return [self.steps.write("sum_split", *(k for k in orders if k is not None), total=total)]


def _sums(t: Term) -> list[Term]:
    return [*([t] if t.tag == "sum" else []), *(s for part in t.parts for s in _sums(part))]


def _fixed_divisors(t: Term) -> list[Term]:
    own = [t.parts[0]] if t.tag == "^" and int(str(t.data[0])) < 0 and _I not in t.free else []
    return [*own, *(d for part in t.parts for d in _fixed_divisors(part))]
