"""Rows of binomial coefficients in closed form, for all real x and y, 0 included, and integers n ≥ 1:

    Σ_{k=0}^n C(n, k)·x^k·y^{n−k} = (x + y)^n,    Σ_{k=0}^n k·C(n, k)·x^k·y^{n−k} = n·x·(x + y)^{n−1},

the second one by k·C(n, k) = n·C(n − 1, k − 1). Nothing here is believed: each step is one of the checker's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpbounds.compile.joining.binomial_rows import absorbed
from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    Term,
    at_most,
    binder,
    equal,
    instantiate,
    minus,
    node,
    number,
    plus,
    times,
    value,
    variable,
)

_WORK = 20
_J = variable("j_", "Z")


def closed_row_document(
    name: str, claim: tuple[Any, Sequence[Any]], total: Any, base: tuple[Any, Any], factors: tuple[Any, Any], text: str
) -> str:
    """The document of a claim with Σ_{k=s}^n C(n, k)·P(k)·c·x^k·y^{n−k}.

    Args:
        name: of the document.
        claim: conclusion and premises.
        total: the sum.
        base: x and y.
        factors: c times the coefficients of P.
        text: the document of the claim with the closed form.

    Raises:
        NotWritten: a step is not seen.
    """
    return _ClosedRow(*claim).document_of_row(name, total, base, factors, text)


class _ClosedRow(ClaimCompiler):
    def document_of_row(self, name: str, total: Any, base: tuple[Any, Any], factors: tuple[Any, Any], text: str) -> str:
        self.steps.write.work *= _WORK
        steps, write = self.steps, self.steps.write
        low, n, body = self.read.term(total).parts
        x, y, first, second = map(self.read.term, (*base, *factors))
        start = self._follows(at_most(ZERO, n))
        if start is None:
            raise NotWritten("a row that may be empty")
        rows, weights = [write("binomial_theorem", start, left=x, right=y)], [first]
        if factors[1] != 0:
            rows.append(self._first_moment(x, y, n))
            weights.append(second)
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
        end = steps.sum_of(self.goal, [found], [*values, closed, *self.known])
        return self.ended(name, end)

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

    def _first_moment(self, x: Term, y: Term, n: Term) -> int:
        """Σ k·C(n, k)·x^k·y^{n−k} = n·x·(x + y)^{n−1}."""
        steps, write, m = self.steps, self.steps.write, minus(n, ONE)
        one, here = self._follows(at_most(ONE, n)), self._follows(at_most(ZERO, m))
        if one is None or here is None:
            raise NotWritten("a row without a term")

        def beside(j: Term) -> Term:
            return times(node("pow", x, j), node("pow", y, minus(n, j)))

        moved = absorbed(steps, m, here, write("linear", here, formula=at_most(ONE, plus(m, ONE)), multipliers=[ONE]), beside)
        theorem = write("binomial_theorem", here, left=x, right=y)
        inside = [steps.assume(at_most(ZERO, _J)), steps.assume(at_most(_J, m))]
        power = write("integer_power", inside[0], base=x)
        small = times(node("binom", m, _J), beside(plus(_J, ONE)))
        large = times(x, times(node("binom", m, _J), times(node("pow", x, _J), node("pow", y, minus(m, _J)))))
        weight = times(node("binom", m, _J), node("pow", y, minus(m, _J)))
        term = write("linear", power, formula=equal(small, large), multipliers=[weight])
        every = write("sum_termwise", term, variable=_J, low=ZERO, high=m)
        total = binder("sum", _J, ZERO, n, times(_J, times(node("binom", n, _J), beside(_J))))
        goal = equal(total, times(times(n, x), node("pow", plus(x, y), m)))
        found = steps.sum_of(goal, [moved, every, theorem], self.known, [ONE, n, times(n, x)])
        if found is None:
            raise NotWritten("the first moment of a row")
        return found
