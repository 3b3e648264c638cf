"""Tails of rows of binomial coefficients by Chernoff's bound, as one lemma: for a, b ≥ 0, 0 ≤ m ≤ n and w ≥ 0,

    Σ_{j=m}^n C(n, j)·a^j·b^{n−j} ≤ e^{−w·m}·(a·e^w + b)^n,

because no term is less after a factor e^{w·(j − m)}, and terms ≥ 0 are added until the row is whole; so for Σ_{j=0}^m and w ≤ 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.limits_of_sequences import sum_of
from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.compile.towers.descents import Descents
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Term, at_most, binder, minus, negative, node, plus, times, variable

_WORK = 20
_J, _N, _M = variable("j_", "Z"), variable("n_", "Z"), variable("m_", "Z")
_A, _B, _W = variable("a_", "R"), variable("b_", "R"), variable("w_", "R")


def tilted_document(
    name: str, then: Any, given: Sequence[Any], row: tuple[Any, Any, tuple[Any, Any, Any, Any], bool], tilt: Any, exponent: Any,
    premise: tuple[Any, Any] | None, text: str, known: Sequence[str],
) -> str:  # fmt: skip
    """The document of factor·Σ C(n, j)·c·a^j·b^{n−j} ≤ R over a tail.

    Args:
        name: of the document.
        then, given: the claim.
        row: the sum, its factor, (n, a, b, c), and whether it is the tail above.
        tilt, exponent: w, and V with R = factor·c·e^V.
        premise: what says m ≥ E, or m ≤ E, and its slope in m; None where E is m.
        text: the document of log(a·e^w + b) ≤ (V + w·E)/n.
        known: documents of the sign of w and of a·e^w + b > 0.

    Raises:
        NotWritten: a step is not seen.
    """
    return _Tilted(then, given).document_of_tail(name, row, tilt, exponent, premise, text, known)


@cache
def chernoff_lemma(*, upper: bool) -> str:
    """The document of the bound of a tail above, or below."""
    steps = Steps(str(v.data[0]) for v in (_J, _N, _M, _A, _B, _W))
    steps.write.work *= _WORK
    write = steps.write
    signs = [at_most(ZERO, _A), at_most(ZERO, _B), at_most(ZERO, _W) if upper else at_most(_W, ZERO)]
    least, other, tilt, start, end = given = [steps.assume(f) for f in (*signs, at_most(ZERO, _M), at_most(_M, _N))]
    low, high = (_M, _N) if upper else (ZERO, _M)
    ends = [steps.assume(at_most(low, _J)), steps.assume(at_most(_J, high))]
    size, distance = (_W, minus(_J, _M)) if upper else (negative(_W), minus(_M, _J))
    room = [sum_of(steps, at_most(ZERO, size), tilt), sum_of(steps, at_most(ZERO, distance), ends[0 if upper else 1])]
    rising = write("exp_monotone", write("sign", *room, formula=at_most(ZERO, times(size, distance))))
    coefficient = node("binom", _N, _J)
    tilted = times(_A, node("exp", _W))
    start_, whole = node("exp", negative(times(_W, _M))), node("pow", plus(tilted, _B), _N)

    def term(a: Term) -> Term:
        return times(times(coefficient, node("pow", a, _J)), node("pow", _B, minus(_N, _J)))

    def some(*inside: int) -> int:
        return write("part", write("binomial_positive", *inside), number=0)

    inside = [ends[0] if not upper else sum_of(steps, at_most(ZERO, _J), start, ends[0])]
    inside.append(ends[1] if upper else sum_of(steps, at_most(_J, _N), ends[1], end))
    weight = term(_A)
    positive = write("sign", least, other, some(*inside), *inside, formula=at_most(ZERO, weight))
    goal = at_most(weight, times(start_, term(tilted)))
    shown = write("linear", rising, positive, least, *inside, formula=goal, multipliers=[weight])
    part = write("sum_termwise", shown, variable=_J, low=low, high=high)
    row = binder("sum", _J, ZERO, _N, term(tilted))
    if upper:
        cuts = [sum_of(steps, at_most(ZERO, plus(minus(_M, ONE), ONE)), start), sum_of(steps, at_most(minus(_M, ONE), _N), end)]
    else:
        cuts = [sum_of(steps, at_most(ZERO, plus(_M, ONE)), start), end]
    split = write("sum_split", *cuts, total=row)
    left_out = steps.formula(split).parts[1].parts[0 if upper else 1]
    first, last, _ = left_out.parts
    there = [steps.assume(at_most(first, _J)), steps.assume(at_most(_J, last))]
    inside = [there[0] if upper else sum_of(steps, at_most(ZERO, _J), there[0], start)]
    inside.append(sum_of(steps, at_most(_J, _N), there[1], end) if upper else there[1])
    term_sign = write("sign", least, other, some(*inside), *inside, formula=at_most(ZERO, term(tilted)))
    rest = write("sum_termwise", term_sign, variable=_J, low=first, high=last)
    theorem = write("binomial_theorem", sum_of(steps, at_most(ZERO, _N), start, end), left=tilted, right=_B)
    claim = at_most(binder("sum", _J, low, high, weight), times(start_, whole))
    found = write("linear", part, rest, split, theorem, formula=claim, multipliers=[ONE, start_, start_, start_])
    defined = [Descents(steps).search.prove(o, given) for o in write.obligations(list(map(steps.formula, given)), claim)]
    if None in defined:
        raise NotWritten("what must be defined in the lemma")
    return write.document("chernoff", [steps.formula(k) for k in given], found, [k for k in defined if k is not None])


class _Tilted(ClaimCompiler):
    def document_of_tail(
        self, name: str, row: tuple[Any, Any, tuple[Any, Any, Any, Any], bool], tilt: Any, exponent: Any,
        premise: tuple[Any, Any] | None, text: str, known: Sequence[str],
    ) -> str:  # fmt: skip
        self.steps.write.work *= _WORK
        steps, write, read = self.steps, self.steps.write, self.read.term
        sum_, factor, parts, upper = row
        low, high, _ = read(sum_).parts
        n, a, b, c = map(read, parts)
        m, w, v = (low if upper else high), read(tilt), read(exponent)
        more = [self.taken_again(part, {}) for part in known]
        self.known = [*self.known, *more]
        values = {"n_": n, "m_": m, "a_": a, "b_": b, "w_": w}
        bound = self.taken_again(chernoff_lemma(upper=upper), values)
        base = plus(times(a, node("exp", w)), b)
        by, weights = [self.taken_again(text, {})], [n]
        if premise is not None:
            by.append(self._follows_as(premise[0]))
            weights.append(times(w, node("pow", read(premise[1]), MINUS)))
        order = steps.sum_of(at_most(minus(times(n, node("log", base)), times(w, m)), v), by, self.known, weights)
        if order is None:
            raise NotWritten("the exponent of a tail")
        grown, scale = write("exp_monotone", order), times(read(factor), c)
        end = steps.attempt("linear", bound, grown, *self.known, formula=self.goal, multipliers=[read(factor), scale])
        end = end or steps.attempt("linear", bound, grown, *self.known, formula=self.goal, multipliers=[scale, scale])
        return self.ended(name, end)

    def _follows_as(self, premise: Any) -> int:
        """The step of a premise as it is given."""
        found = self._follows(self.read.formula(premise))
        if found is None:
            raise NotWritten("a premise that is not given")
        return found
