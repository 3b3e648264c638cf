"""Neighbours of one row of binomial coefficients: C(n, b + i) = C(n, b)·r_i, from (b + 1)·C(n, b + 1) = n·C(n − 1, b) = (n − b)·C(n, b).

Nothing here is believed: each step is one of the checker's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.recursions import pascal
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import ONE, ZERO, below, equal, minus, negative, node, over, plus, power, times, variable


def neighbours_document(name: str, claim: tuple[Any, Sequence[Any]], first: tuple[Any, Any], count: int, degree: int, text: str) -> str:
    """The document of a claim about C(n, b), …, C(n, b + count).

    Args:
        name: of the document.
        claim: conclusion and premises.
        first: n and b.
        count: of the steps from the first coefficient to the last one.
        degree: of the claim in the coefficients.
        text: the document of the claim divided by C(n, b) to the degree.

    Raises:
        NotWritten: a step is not seen.
    """
    return _Neighbours(*claim).document_of_neighbours(name, first, count, degree, text)


class _Neighbours(ClaimCompiler):
    def document_of_neighbours(self, name: str, first: tuple[Any, Any], count: int, degree: int, text: str) -> str:
        steps, write = self.steps, self.steps.write
        n, low = map(self.read.term, first)
        base, ratio = node("binom", n, low), ONE
        pascals = pascal(steps, variable("l_i", "Z"), variable("k_i", "Z"))
        some = write("part", write("binomial_positive", self.order(ZERO, low), self.order(low, n)), number=0)
        equations, signs = list[int](), [some]
        for i in range(count):
            b = self.read.term(first[1] + i)
            later = plus(b, ONE)
            above = write("linear", self.order(ZERO, b), formula=below(ZERO, later), multipliers=[ONE])
            up = write("absorption", self.order(ONE, n), self.order(ONE, later))
            every = write("detach", write("specialize", pascals, at=b), self.order(ZERO, b))
            across = write("detach", write("specialize", every, at=n), self.order(later, n))
            step = over(minus(n, b), later)
            ratio = times(ratio, step)
            goal = equal(node("binom", n, later), times(ratio, base))
            weights = [over(ONE, later), negative(over(ONE, later)), step]
            signs.append(above)
            same = steps.sum_of(goal, [up, across, *equations[-1:]], signs, weights[: 2 + len(equations[-1:])])
            if same is None:
                raise NotWritten("a neighbour of a binomial coefficient")
            equations.append(same)
        end = steps.sum_of(self.goal, [self.taken_again(text, {})], [*equations, *signs, *self.known], [power(base, degree)])
        return self.ended(name, end)
