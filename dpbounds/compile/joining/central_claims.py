"""Claims about central binomial coefficients as documents, from a document of what is left with bounds in their place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.compile.factorials.central_binomials import central_bound, share
from dpbounds.compile.inductions import with_value
from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.library import Library
from dpbounds.compile.limits_of_sequences import INDEX, sum_of
from dpbounds.compile.steps import NotWritten
from dpbounds.compile.written_out import binomials_of
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, equal, instantiate, node, number, over, plus, power, substitute, times, variable

if TYPE_CHECKING:
    from dpbounds.claims.evidence.reductions.central import BoundedShare

_WORK = 20
_HALF = number("1/2")


def central_document(
    name: str, then: Any, given: Sequence[Any], text: str, rows: Sequence[BoundedShare], values: Sequence[tuple[int, str]] = ()
) -> str:
    """The document of a claim about central binomial coefficients.

    Args:
        name: of the document.
        then, given: the claim.
        text: the document of what is left.
        rows: what was replaced there.
        values: where this holds from a value of the only variable on, those before, each with a document of the claim there, empty where
            both sides are one number.

    Raises:
        NotWritten: it does not give the claim.
    """
    return _Central(then, given).document_of_bounds(name, text, rows, values)


class _Central(ClaimCompiler):
    def document_of_bounds(self, name: str, text: str, rows: Sequence[BoundedShare], values: Sequence[tuple[int, str]]) -> str:
        self.steps.write.work *= _WORK
        shown, weights, facts = [self.taken_again(text, {})], [ONE], list(self.known)
        for row in rows:
            factor = self.read.term(-row.factor if row.upper else row.factor)
            if row.term is None:
                found, scale = self._outside(row)
                by = [(found, times(factor, scale))]
            else:
                by = self._in_sum(row, factor)
            shown += [step for step, _ in by]
            weights += [weight for _, weight in by]
        whole = self.steps.attempt("linear", *shown, *facts, formula=self.goal, multipliers=weights)
        return self.ended(name, self._with_values(whole, values) if values and whole is not None else whole)

    def _power(self, n: Term, least: int, exponent: int, *, upper: bool) -> int:
        """w(n)^p ≤ bound, or bound ≤ w(n)^p, from 1 ≤ n."""
        steps, write = self.steps, self.steps.write
        lemma = central_bound(steps, upper=upper)
        step = write("cut", write("substitution", lemma, terms={INDEX: n}, functions={}), least)
        scale, _ = steps.formula(step).parts[0 if upper else 1].parts
        inverse = over(ONE, times(scale, node("pi")))
        square = power(share(n), 2)
        goal = at_most(square, inverse) if upper else at_most(inverse, square)
        found = write("linear", step, least, formula=goal, multipliers=[inverse])
        if exponent == 2:
            return found
        inside = sum_of(steps, at_most(n, times(number(2), n)), least)
        some = write("part", write("binomial_positive", sum_of(steps, at_most(ZERO, n), least), inside), number=0)
        low = write("sign", some, least, formula=at_most(ZERO, steps.formula(found).parts[0]))
        rise = write("power_monotone", low, found, write("sign", formula=at_most(ZERO, _HALF)))
        same = Library(steps).root_of_power(share(n), square, _HALF, write("sign", some, formula=at_most(ZERO, share(n))))
        root = node("pow", inverse, _HALF)
        goal = at_most(share(n), root) if upper else at_most(root, share(n))
        return sum_of(steps, goal, rise, same, weights=(ONE, number(-1 if upper else 1)))

    def _outside(self, row: BoundedShare) -> tuple[int, Term]:
        """A step about C(2n, n)^p/4^{pn}, and 4^{pn}."""
        n = self.read.term(row.where.args[1])
        least = self._follows(at_most(ONE, n))
        if least is None:
            raise NotWritten("a coefficient at 0")
        return self._power(n, least, row.power, upper=row.upper), node("pow", number(4), times(number(row.power), n))

    def _in_sum(self, row: BoundedShare, factor: Term) -> list[tuple[int, Term]]:
        """What a sum is less than, or more, with weights."""
        steps, write, k = self.steps, self.steps.write, variable("k_i", "Z")
        total = self.read.term(row.where)
        low, high, body = total.parts
        found, sign = [], number(1 if row.upper else -1)
        if low == ZERO:
            order = self._follows(at_most(ZERO, high))
            if order is None:
                raise NotWritten("a sum that may be empty")
            split = write("sum_split", sum_of(steps, at_most(ZERO, plus(ZERO, ONE))), order, total=total)
            head, total = steps.formula(split).parts[1].parts
            none = sum_of(steps, at_most(ZERO, ZERO))
            one = write("part", write("binomial_positive", none, none), number=1)
            first = write("linear", write("sum_single", total=head), one, formula=equal(head, self._first(row)), multipliers=[ONE])
            found = [(split, times(sign, factor)), (first, times(sign, factor))]
        start, end = steps.assume(at_most(ONE, k)), steps.assume(at_most(k, high))
        step = self._power(k, start, row.power, upper=row.upper)
        scale = self.read.term(sympy.sympify(row.term).subs(sympy.Symbol("w_", positive=True), 1))
        i = self.read.term(row.where.limits[0][0])
        scale = substitute(scale, {i: k})
        small, large = steps.formula(step).parts
        sides = [instantiate(body, k), times(scale, large if row.upper else small)]
        goal = at_most(*(sides if row.upper else sides[::-1]))
        term = write("linear", step, start, end, *self.known, formula=goal, multipliers=[scale])
        whole = write("sum_termwise", term, variable=k, low=ONE, high=high)
        return [*found, (whole, factor)]

    def _first(self, row: BoundedShare) -> Term:
        return self.read.term(row.where.function.subs(row.where.limits[0][0], 0))

    def _with_values(self, found: int, values: Sequence[tuple[int, str]]) -> int:
        """The claim from what it says from a value on, and at those before."""
        steps, (v,) = self.steps, self.names.values()
        for k, own in reversed(values):
            goal = substitute(self.goal, {v: number(k)})
            by = [self.taken_again(own, {})] if own else []
            at = steps.attempt("linear", *by, *binomials_of(steps, [goal]), formula=goal, multipliers=[ONE] * len(by))
            if at is None:
                raise NotWritten("a claim at a number")
            found = with_value(steps, self.goal, v, k, at, found)
        return self._from_given(found)
