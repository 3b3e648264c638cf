"""Rows of binomial coefficients with e^{h(k)} at its greatest h. Nothing here is believed: each step is one of the checker's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import ONE, ZERO, at_most, instantiate, minus, node, times, variable

if TYPE_CHECKING:
    from dpbounds.claims.evidence.reductions.growing_rows import GrowingRow

_J = variable("j_", "Z")
_WORK = 10


def growing_row_document(name: str, claim: tuple[Any, Sequence[Any]], way: GrowingRow, order: str, left: str) -> str:
    """The document of a claim about Σ C(n, k)·c·x^k·y^{n−k}·e^{h(k)}.

    Args:
        name: of the document.
        claim: conclusion and premises.
        way: the sum.
        order, left: documents of what is left; no text where there is nothing.

    Raises:
        NotWritten: a step is not seen.
    """
    return _GrowingRow(*claim).document_of_row(name, way, order, left)


class _GrowingRow(ClaimCompiler):
    def document_of_row(self, name: str, way: GrowingRow, order: str, left: str) -> str:
        """As `growing_row_document`."""
        self.steps.write.work *= _WORK
        steps, write, known = self.steps, self.steps.write, self.known
        low, n, body = self.read.term(way.total).parts
        x, y, c = map(self.read.term, way.parts)
        signs = [self.order(ZERO, t) for t in (x, y, c)]
        inside = [steps.assume(at_most(low, _J)), steps.assume(at_most(_J, n))]
        self.known = [*inside, *known]
        grown = write("exp_monotone", self.taken_again(order, {way.index.name: _J}))
        self.known = known
        some = write("part", write("binomial_positive", *inside), number=0)
        weight = times(c, times(node("binom", n, _J), times(node("pow", x, _J), node("pow", y, minus(n, _J)))))
        greatest = steps.formula(grown).parts[1]
        goal = at_most(instantiate(body, _J), times(weight, greatest))
        term = steps.attempt("linear", grown, some, *signs, *inside, *known, formula=goal, multipliers=[weight])
        if term is None:
            raise NotWritten("a term of a growing row")
        whole = write("sum_termwise", term, variable=_J, low=low, high=n)
        theorem = write("binomial_theorem", self.order(ZERO, n), left=x, right=y)
        factor = self.read.term(way.factor)
        by = [whole, theorem, *([self.taken_again(left, {})] if left else [])]
        scales = [factor, times(factor, times(c, greatest)), *[ONE] * bool(left)]
        return self.ended(name, steps.sum_of(self.goal, by, [*signs, *known], scales))
