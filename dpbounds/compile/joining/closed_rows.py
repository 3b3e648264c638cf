"""Rows of binomial coefficients in closed form, for all real x and y, 0 included, and integers n ≥ 1:

    Σ_{k=0}^n C(n, k)·x^k·y^{n−k} = (x + y)^n,    Σ_{k=0}^n k·C(n, k)·x^k·y^{n−k} = n·x·(x + y)^{n−1},
    Σ_{k=0}^n k(k − 1)·C(n, k)·x^k·y^{n−k} = n(n − 1)·x²·(x + y)^{n−2},
    Σ_{k=0}^n C(n, k)/(k + 1)·x^k·y^{n−k} = ((x + y)^{n+1} − y^{n+1})/((n + 1)·x), where x > 0,

by k·C(n, k) = n·C(n − 1, k − 1). Beside weights w ≥ 0, f ≤ P at each k gives Σ w·f ≤ Σ w·P.

Nothing here is believed: each step is one of the checker's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
    plus,
    power,
    substitute,
    times,
    value,
    variable,
)

_WORK = 20
_J, _M = variable("j_", "Z"), variable("m_", "Z")


Place = tuple[Any, str, Mapping[str, Any], int]
"""The variable of a document, what stands for others, and the first value that it speaks of."""


def closed_row_document(name: str, claim: tuple[Any, Sequence[Any]], row: tuple[Any, ...], text: str, term: Place | None = None) -> str:
    """The document of a claim with Σ_{k=s}^n C(n, k)·f(k)·c·x^k·y^{n−k}.

    Args:
        name: of the document.
        claim: conclusion and premises.
        row: the sum, that with a polynomial P in the place of f, (x, y, c), and c times the factors of 1, k, k(k − 1) and 1/(k + 1) in P.
        text: the document of the claim with the closed form.
        term: the variable, and the document of f ≤ P or P ≤ f with what stands for its variables and from where on; P is f
            before. None where P is f.

    Raises:
        NotWritten: a step is not seen.
    """
    return _ClosedRow(*claim).document_of_row(name, row, text, term)


class _ClosedRow(ClaimCompiler):
    def document_of_row(self, name: str, row: tuple[Any, ...], text: str, term: Place | None) -> str:
        self.steps.write.work *= _WORK
        steps, write, (total, moment, base, factors) = self.steps, self.steps.write, row
        low, n, body = self.read.term(moment).parts
        x, y = map(self.read.term, base[:2])
        start = self._follows(at_most(ZERO, n))
        if start is None:
            raise NotWritten("a row that may be empty")
        ways = (
            lambda: write("binomial_theorem", start, left=x, right=y),
            lambda: self._first_moment(x, y, n, start),
            lambda: self._second_moment(x, y, n),
            lambda: self._inverse_moment(x, y, n, start),
        )
        chosen = [(way(), self.read.term(c)) for way, c in zip(ways, factors, strict=True) if c != 0]
        rows, weights = [k for k, _ in chosen], [w for _, w in chosen]
        count, pieces, values = int(value(low) or 0), list[int](), list[int]()
        for i in map(number, range(count)):  # the terms that the sum lacks
            ends = [steps.sum_of(at_most(i, plus(i, ONE)), []), self._follows(at_most(i, n))]
            if None in ends:
                raise NotWritten("a row that may end before its start")
            pieces.append(write("sum_split", *(k for k in ends if k is not None), total=node("sum", i, n, body)))
            pieces.append(write("sum_single", total=node("sum", i, i, body)))
            values += self._coefficient(n, i)
        parts = [times(w, steps.formula(k).parts[1]) for k, w in zip(rows, weights, strict=True)]
        parts += [times(MINUS, instantiate(body, number(i))) for i in range(count)]
        goal = equal(node("sum", low, n, body), plus(*parts) if len(parts) > 1 else parts[0])
        closed = steps.sum_of(goal, [*rows, *pieces], self.known, [*weights, *[MINUS] * len(pieces)])
        if closed is None:
            raise NotWritten("a row in closed form")
        found = self.taken_again(text, {})
        whole = [found] if term is None else [found, self._termwise(self.read.term(total), body, term, base)]
        facts = [*values, *self.known]
        tried = (steps.sum_of(self.goal, [*whole, closed], facts, [*[ONE] * len(whole), sign]) for sign in (ONE, MINUS))
        end = next((k for k in tried if k is not None), None)
        return self.ended(name, end)

    def _termwise(self, total: Term, other: Term, term: Place, base: tuple[Any, Any, Any]) -> int:
        """Σ w·f ≤ Σ w·P from f ≤ P, or the other way round, for weights w ≥ 0."""
        steps, (low, n, body) = self.steps, total.parts
        inside = [steps.assume(at_most(low, _J)), steps.assume(at_most(_J, n))]
        known, self.known = self.known, [*inside, *self.known]
        self.read.symbols[term[0]] = _J
        order = self._from(term)
        signs = [self._follows(at_most(ZERO, self.read.term(e))) for e in base]
        signs.append(steps.write("part", steps.write("binomial_positive", *inside), number=0))
        x, y, c = map(self.read.term, base)
        weight = times(times(node("binom", n, _J), c), times(node("pow", x, _J), node("pow", y, minus(n, _J))))
        least = steps.attempt("sign", *(k for k in signs if k is not None), *self.known, formula=at_most(ZERO, weight))
        facts = [k for k in (least, *signs, *self.known) if k is not None]
        bodies = [instantiate(part, _J) for part in (body, other)]
        found = next(
            (k for pair in (bodies, bodies[::-1]) if (k := steps.sum_of(at_most(*pair), [order], facts, [weight])) is not None), None
        )
        self.known = known
        if found is None:
            raise NotWritten("a row beside a polynomial")
        return steps.write("sum_termwise", found, variable=_J, low=low, high=n)

    def _from(self, term: Place) -> int:
        """f ≤ P or P ≤ f at j ≥ 0."""
        steps, (k, text, values, start) = self.steps, term
        known, self.known = self.known, [*([steps.assume(at_most(number(start), _J))] if start else []), *self.known]
        found = self.taken_again(text, {k.name: _J, **values})
        self.known, formula = known, steps.formula(found)
        for i in range(start - 1, -1, -1):
            here = steps.sum_of(substitute(formula, {_J: number(i)}), [])
            if here is None:
                raise NotWritten("the first terms of a row")
            found = with_value(steps, formula, _J, i, here, found)
        return found

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

    def _first_moment(self, x: Term, y: Term, n: Term, start: int) -> int:
        """Σ k·C(n, k)·x^k·y^{n−k} = n·x·(x + y)^{n−1} for n ≥ 0."""
        total = binder("sum", _J, ZERO, n, times(_J, times(node("binom", n, _J), self._powers(x, y, n, _J))))
        goal = equal(total, times(times(n, x), node("pow", plus(x, y), minus(n, ONE))))
        one = self._follows(at_most(ONE, n))
        if one is not None:
            return self._by_absorption(goal, (x, y, n), one)
        if n != _M:  # an equation is read for a variable
            order = self.steps.assume(at_most(ZERO, _M))
            found = self.steps.write("substitution", self._first_moment(x, y, _M, order), terms={_M: n}, functions={})
            return self.steps.write("cut", found, start)
        steps, write = self.steps, self.steps.write
        split = write("total_order", left=ONE, right=n)
        some, none = write.hypotheses(steps.formula(split).parts)
        first = self._by_absorption(goal, (x, y, n), some)
        upper = steps.sum_of(at_most(n, ZERO), [write("next_integer", none)])
        same = None if upper is None else write("antisymmetric", upper, start)
        single = write("sum_single", total=node("sum", ZERO, ZERO, total.parts[2]))
        other = None if same is None else steps.sum_of(goal, [single], [same])
        if other is None:
            raise NotWritten("the first moment of an empty row")
        return write("cases", split, first, other)

    def _second_moment(self, x: Term, y: Term, n: Term) -> int:
        """Σ k(k − 1)·C(n, k)·x^k·y^{n−k} = n(n − 1)·x²·(x + y)^{n−2} for n ≥ 1."""
        one = self._follows(at_most(ONE, n))
        if one is None:
            raise NotWritten("a row without a term")
        m, term = minus(n, ONE), times(minus(_J, ONE), times(node("binom", n, _J), self._powers(x, y, n, _J)))
        total = binder("sum", _J, ZERO, n, times(_J, term))
        goal = equal(total, times(times(times(n, m), times(x, x)), node("pow", plus(x, y), minus(m, ONE))))
        return self._by_absorption(goal, (x, y, n), one, second=True)

    @staticmethod
    def _powers(x: Term, y: Term, n: Term, j: Term) -> Term:
        return times(node("pow", x, j), node("pow", y, minus(n, j)))

    def _by_absorption(self, goal: Term, row: tuple[Term, Term, Term], one: int, *, second: bool = False) -> int:
        """Σ k·g(k)·C(n, k)·x^k·y^{n−k} = n·x·Σ_i g(i + 1)·C(n − 1, i)·x^i·y^{n−1−i}, in closed form, for n ≥ 1; g is 1, or k − 1."""
        steps, write, (x, y, n) = self.steps, self.steps.write, row
        m = minus(n, ONE)
        here = steps.sum_of(at_most(ZERO, m), [one])
        if here is None:
            raise NotWritten("a row without a term")

        def beside(j: Term) -> Term:
            return times(minus(j, ONE), self._powers(x, y, n, j)) if second else self._powers(x, y, n, j)

        moved = absorbed(steps, m, here, write("linear", here, formula=at_most(ONE, plus(m, ONE)), multipliers=[ONE]), beside)
        inner = self._first_moment(x, y, m, here) if second else write("binomial_theorem", here, left=x, right=y)
        inside = [steps.assume(at_most(ZERO, _J)), steps.assume(at_most(_J, m))]
        raised = write("integer_power", inside[0], base=x)
        weight = times(node("binom", m, _J), _J if second else ONE)
        small, rest = times(node("binom", m, _J), beside(plus(_J, ONE))), node("pow", y, minus(m, _J))
        term = write(
            "linear", raised, formula=equal(small, times(x, times(weight, self._powers(x, y, m, _J)))), multipliers=[times(weight, rest)]
        )
        every = write("sum_termwise", term, variable=_J, low=ZERO, high=m)
        found = steps.sum_of(goal, [moved, every, inner], self.known, [ONE, n, times(n, x)])
        if found is None:
            raise NotWritten("a moment of a row")
        return found

    def _inverse_moment(self, x: Term, y: Term, n: Term, start: int) -> int:
        """Σ C(n, k)/(k + 1)·x^k·y^{n−k} = ((x + y)^{n+1} − y^{n+1})/((n + 1)·x) for n ≥ 0 and x > 0.

        By (k + 1)·C(n + 1, k + 1) = (n + 1)·C(n, k).
        """
        steps, write, later = self.steps, self.steps.write, plus(n, ONE)
        order, some = steps.sum_of(at_most(ZERO, later), [start]), self._follows(below(ZERO, x))
        if order is None or some is None:
            raise NotWritten("a row beside 1/(k + 1)")
        theorem = write("binomial_theorem", order, left=x, right=y)
        whole = steps.formula(theorem).parts[0]
        ends = [k for f in (at_most(ZERO, plus(ZERO, ONE)), at_most(ZERO, later)) if (k := steps.sum_of(f, [], [order])) is not None]
        split, single = write("sum_split", *ends, total=whole), write("sum_single", total=node("sum", ZERO, ZERO, whole.parts[2]))
        zero = steps.sum_of(at_most(ZERO, ZERO), [])
        assert zero is not None
        first = write("part", write("binomial_positive", zero, order), number=1)
        inside = [steps.assume(at_most(ZERO, _J)), steps.assume(at_most(_J, n))]
        up = [k for f in (at_most(ONE, later), at_most(ONE, plus(_J, ONE))) if (k := steps.sum_of(f, [], [start, *inside])) is not None]
        absorbed_ = write("absorption", *up)
        raised = write("integer_power", inside[0], base=x)
        body = times(times(node("binom", n, _J), _inverse(plus(_J, ONE))), self._powers(x, y, n, _J))
        long = instantiate(whole.parts[2], plus(_J, ONE))
        rest = node("pow", y, minus(n, _J))
        share = _inverse(plus(_J, ONE))
        step = steps.sum_of(
            equal(times(times(later, x), body), long),
            [absorbed_, raised],
            [*inside, some],
            [
                times(MINUS, times(share, times(node("pow", x, plus(_J, ONE)), rest))),
                times(MINUS, times(times(later, share), times(node("binom", n, _J), rest))),
            ],
        )
        if step is None:
            raise NotWritten("a term of a row beside 1/(k + 1)")
        every = write("sum_termwise", step, variable=_J, low=ZERO, high=n)
        shift = write("sum_shift", total=steps.formula(every).parts[1], by=ONE)
        total = binder("sum", _J, ZERO, n, body)
        value_ = times(minus(node("pow", plus(x, y), later), node("pow", y, later)), _inverse(times(later, x)))
        weight = _inverse(times(later, x))
        signs = [k for k in (steps.sum_of(below(ZERO, later), [start]), some) if k is not None]
        found = steps.sum_of(
            equal(total, value_),
            [every, shift, split, single, first, theorem],
            [*signs, *self.known],
            [weight, weight, times(MINUS, weight), times(MINUS, weight), times(MINUS, times(weight, node("pow", y, later))), weight],
        )
        if found is None:
            raise NotWritten("a row beside 1/(k + 1)")
        return found


def _inverse(t: Term) -> Term:
    return power(t, -1)
