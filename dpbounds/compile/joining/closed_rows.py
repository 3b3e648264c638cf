"""Rows of binomial coefficients in closed form, for all real x and y, 0 included, and integers n ≥ 1:

    Σ_{k=0}^n C(n, k)·x^k·y^{n−k} = (x + y)^n,    Σ_{k=0}^n k·C(n, k)·x^k·y^{n−k} = n·x·(x + y)^{n−1},
    Σ_{k=0}^n k(k − 1)·C(n, k)·x^k·y^{n−k} = n(n − 1)·x²·(x + y)^{n−2},
    Σ_{k=0}^n C(n, k)·x^k·y^{n−k}/(k + 1) = ((x + y)^{n+1} − y^{n+1})/((n + 1)·x) for x > 0,

all but the first by k·C(n, k) = n·C(n − 1, k − 1). Nothing here is believed: each step is one of the checker's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from dpbounds.compile.inductions import with_value
from dpbounds.compile.joining.binomial_rows import absorbed
from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.steps import NotWritten
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
    number,
    over,
    plus,
    power,
    substitute,
    times,
    value,
    variable,
)

_WORK = 20
_J, _M = variable("j_", "Z"), variable("m_", "Z")


def closed_row_document(
    name: str, claim: tuple[Any, Sequence[Any]], total: Any, base: tuple[Any, Any], factors: Sequence[Any], text: str
) -> str:
    """The document of a claim with Σ_{k=s}^n C(n, k)·P(k)·c·x^k·y^{n−k}.

    Args:
        name: of the document.
        claim: conclusion and premises.
        total: the sum.
        base: x and y.
        factors: of the four sums.
        text: the document of the claim with the closed form.

    Raises:
        NotWritten: a step is not seen.
    """
    return _ClosedRow(*claim).document_of_row(name, total, base, factors, text)


class _ClosedRow(ClaimCompiler):
    def document_of_row(self, name: str, total: Any, base: tuple[Any, Any], factors: Sequence[Any], text: str) -> str:
        self.steps.write.work *= _WORK
        steps, write = self.steps, self.steps.write
        low, n, body = self.read.term(total).parts
        x, y = map(self.read.term, base)
        start = self._follows(at_most(ZERO, n))
        if start is None:
            raise NotWritten("a row that may be empty")
        shown = (self._whole, self._first_moment, self._second_moment, self._shared)
        rows = [row(x, y, n) for row, factor in zip(shown, factors, strict=True) if factor != 0]
        weights = [self.read.term(factor) for factor in factors if factor != 0]
        count, pieces, values = int(value(low) or 0), list[int](), list[int]()
        for i in map(number, range(count)):  # the terms that the sum lacks
            ends = [steps.sum_of(at_most(i, plus(i, ONE)), []), self._follows(at_most(i, n))]
            if None in ends:
                raise NotWritten("a row that may end before its start")
            pieces.append(write("sum_split", *(k for k in ends if k is not None), total=node("sum", i, n, body)))
            pieces.append(write("sum_single", total=node("sum", i, i, body)))
            values += self._coefficient(n, i)
        parts = [times(w, steps.formula(row).parts[1]) for row, w in zip(rows, weights, strict=True)]
        parts += [times(MINUS, instantiate(body, number(i))) for i in range(count)]
        goal = equal(node("sum", low, n, body), plus(*parts) if len(parts) > 1 else parts[0])
        closed = steps.sum_of(goal, [*rows, *pieces], self.known, [*weights, *[MINUS] * len(pieces)])
        found = self.taken_again(text, {})
        if closed is None:
            raise NotWritten("a row in closed form")
        known = [*values, *self.known]
        end = steps.sum_of(self.goal, [found], [closed, *known]) or steps.sum_of(
            self.goal, [found, closed], known, [ONE, self._factor(total)]
        )
        return self.ended(name, end)

    def _factor(self, total: Any) -> Term:
        """What the sum is multiplied by, on the smaller side."""
        whole = sympy.Dummy()
        return self.read.term(sympy.diff((self.then.lts - self.then.gts).xreplace({total: whole}), whole).xreplace({whole: total}))

    def _coefficient(self, n: Term, i: Term) -> list[int]:
        """C(n, 0) = 1, and C(n, 1) = n."""
        steps, zero = self.steps, self.steps.sum_of(at_most(ZERO, ZERO), [])
        order = self._follows(at_most(ZERO, n if i == ZERO else minus(n, ONE)))
        if zero is None or order is None:
            raise NotWritten("a coefficient")
        own = steps.write("part", steps.write("binomial_positive", zero, order), number=1)
        if i == ZERO:
            return [own]
        ends = [k for f in (at_most(ONE, n), at_most(ONE, ONE)) if (k := self._follows(f)) is not None]
        return [own, steps.write("absorption", *ends)]

    def _whole(self, x: Term, y: Term, n: Term) -> int:
        """Σ C(n, k)·x^k·y^{n−k} = (x + y)^n."""
        return self.steps.write("binomial_theorem", self._known(at_most(ZERO, n)), left=x, right=y)

    def _first_moment(self, x: Term, y: Term, n: Term) -> int:
        """Σ k·C(n, k)·x^k·y^{n−k} = n·x·(x + y)^{n−1}."""
        m = minus(n, ONE)
        goal = equal(_row(_J, x, y, n), times(times(n, x), node("pow", plus(x, y), m)))
        return self._moment(goal, x, y, n, ONE, self._whole(x, y, m))

    def _second_moment(self, x: Term, y: Term, n: Term) -> int:
        """Σ k(k − 1)·C(n, k)·x^k·y^{n−k} = n(n − 1)·x²·(x + y)^{n−2}, by the first one at n − 1, also for n = 1."""
        m, steps = minus(n, ONE), self.steps
        known, self.known = self.known, [steps.assume(at_most(ONE, _M)), *self.known]
        first = self._first_moment(x, y, _M)
        self.known = known
        at = steps.sum_of(substitute(steps.formula(first), {_M: ZERO}), [])
        if at is None:
            raise NotWritten("the first moment of a row of one term")
        first = with_value(steps, steps.formula(first), _M, 0, at, first)
        first = steps.write("cut", steps.write("substitution", first, terms={_M: m}, functions={}), self._known(at_most(ZERO, m)))
        last = node("pow", plus(x, y), minus(m, ONE))
        goal = equal(_row(times(_J, minus(_J, ONE)), x, y, n), times(times(times(n, m), power(x, 2)), last))
        return self._moment(goal, x, y, n, _J, first)

    def _moment(self, goal: Term, x: Term, y: Term, n: Term, weight: Term, before: int) -> int:
        """A moment with k·f(k − 1), from that with f = weight and n − 1, in a step."""
        steps, write, m = self.steps, self.steps.write, minus(n, ONE)
        here = self._known(at_most(ZERO, m))

        def beside(j: Term) -> Term:
            return times(substitute(weight, {_J: minus(j, ONE)}), times(node("pow", x, j), node("pow", y, minus(n, j))))

        moved = absorbed(steps, m, here, write("linear", here, formula=at_most(ONE, plus(m, ONE)), multipliers=[ONE]), beside)
        every = self._moved_up(m, times(weight, node("pow", y, minus(m, _J))), x)
        found = steps.sum_of(goal, [moved, every, before], self.known, [ONE, n, times(n, x)])
        if found is None:
            raise NotWritten("a moment of a row")
        return found

    def _moved_up(self, m: Term, rest: Term, x: Term) -> int:
        """Σ_{j=0}^m C(m, j)·r(j)·x^{j+1} = Σ_{j=0}^m x·C(m, j)·r(j)·x^j."""
        steps, write, weight = self.steps, self.steps.write, times(node("binom", m, _J), rest)
        inside = [steps.assume(at_most(ZERO, _J)), steps.assume(at_most(_J, m))]
        power_ = write("integer_power", inside[0], base=x)
        sides = times(weight, node("pow", x, plus(_J, ONE))), times(x, times(weight, node("pow", x, _J)))
        term = write("linear", power_, formula=equal(*sides), multipliers=[weight])
        return write("sum_termwise", term, variable=_J, low=ZERO, high=m)

    def _shared(self, x: Term, y: Term, n: Term) -> int:
        """Σ C(n, k)·x^k·y^{n−k}/(k + 1) = ((x + y)^{n+1} − y^{n+1})/((n + 1)·x)."""
        steps, write, later = self.steps, self.steps.write, plus(n, ONE)
        here, end, some = map(self._known, (at_most(ZERO, n), at_most(ZERO, later), below(ZERO, x)))

        def beside(j: Term) -> Term:
            return times(times(node("pow", x, j), node("pow", y, minus(later, j))), power(j, -1))

        moved = absorbed(steps, n, here, self._known(at_most(ONE, later)), beside)
        theorem = write("binomial_theorem", end, left=x, right=y)
        totals = [steps.formula(k).parts[0] for k in (moved, theorem)]
        splits = [write("sum_split", self._known(at_most(ZERO, plus(ZERO, ONE))), end, total=t) for t in totals]
        heads, tails = zip(*(steps.formula(k).parts[1].parts for k in splits), strict=True)
        low, _, _ = tails[0].parts
        first = steps.assume(at_most(low, _J))
        steps.assume(at_most(_J, later))
        term = write("linear", first, formula=equal(*(instantiate(t.parts[2], _J) for t in tails)), multipliers=[])
        every = write("sum_termwise", term, variable=_J, low=low, high=later)
        raised = self._moved_up(n, over(node("pow", y, minus(n, _J)), plus(_J, ONE)), x)
        share = over(ONE, times(later, x))
        goal = equal(_row(over(ONE, plus(_J, ONE)), x, y, n), times(share, minus(node("pow", plus(x, y), later), node("pow", y, later))))
        facts = [here, some, *self._coefficient(later, ZERO), *(write("sum_single", total=t) for t in heads)]
        by = [raised, moved, splits[0], every, splits[1], theorem]
        less = times(MINUS, share)
        found = steps.sum_of(goal, by, facts, [times(MINUS, over(ONE, x)), less, share, share, less, share])
        if found is None:
            raise NotWritten("a row with 1/(k + 1)")
        return found

    def _known(self, goal: Term) -> int:
        found = self._follows(goal)
        if found is None:
            raise NotWritten("the end of a row")
        return found


def _row(weight: Term, x: Term, y: Term, n: Term) -> Term:
    return binder("sum", _J, ZERO, n, times(weight, times(node("binom", n, _J), times(node("pow", x, _J), node("pow", y, minus(n, _J))))))
