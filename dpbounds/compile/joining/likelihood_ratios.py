"""Integrals over two normal densities, from an inequality between functions of their ratio. Each step is one of the checker's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.steps import NotWritten, positive, sum_of_terms
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
    negative,
    node,
    number,
    over,
    plus,
    power,
    substitute,
    times,
    transform,
)
from dpbounds.prover.rewriting.half_lines import reflected
from dpbounds.prover.rewriting.roots import HALF

if TYPE_CHECKING:
    from dpbounds.claims.evidence.reductions.likelihood_ratios import Moments, Ratio

_WORK = 10


def ratio_document(name: str, claim: tuple[Any, Sequence[Any]], way: Ratio, *texts: Sequence[str]) -> str:
    """The document of a claim about such integrals.

    Args:
        name: of the document.
        claim: conclusion and premises.
        way: how it is read.
        texts: the documents of h ≤ g, of signs, of both bounds of each integral, and of what is left.

    Raises:
        NotWritten: a step is not seen.
    """
    return _Ratio(*claim).document_of_ratio(name, way, *texts)


class _Ratio(ClaimCompiler):
    def document_of_ratio(self, name: str, way: Ratio, *texts: Sequence[str]) -> str:
        """As `ratio_document`."""
        self.steps.write.work *= _WORK
        self.mean, self.distance, self.deviation = (self.read.term(e) for e in (way.mean, way.distance, way.deviation))
        self.shares = [self.read.term(e) for e in way.shares]
        self.x, sign = self.steps.fresh("x"), self._follows(positive(self.deviation))
        if sign is None:
            raise NotWritten("a deviation that may be 0")
        self.known, self.sign = [sign, *self.known], sign
        self.c_, self.y = self.steps.fresh("c"), self.steps.fresh("y")
        self.signs = [self.steps.assume(positive(v)) for v in (self.c_, self.y)]
        orders = {self.read.term(k) for m in (way.above, *(own[0] for own in way.bounds)) for k in m}
        self.orders = list(dict.fromkeys([ZERO, ONE, *orders, *(minus(ONE, k) for k in orders)]))
        (point,), signs, own, left = ([self.taken_again(text, {way.y.name: self.y}) for text in group if text] for group in texts)
        self.signs += signs
        rows, integrals = list[tuple[int, Term]](), list[int]()
        for k, ((_, e), (moments, *_)) in enumerate(zip(way.integrals, way.bounds, strict=True)):
            integrals.append(self._exists(self.read.term(e), moments, own[2 * k], own[2 * k + 1]))
        self.closed.integrals += integrals
        shares = [
            self.steps.write("integrable_multiple", k, factor=self.read.term(a)) for (a, _), k in zip(way.integrals, integrals, strict=True)
        ]
        whole = self._added(shares, rows, MINUS)
        if way.mirrored:
            line = binder("line", self.x, self._body(whole))
            image, same = reflected(self.c, whole, self.steps.write("reflexive", term=line), plus(self.mean, times(HALF, self.distance)))
            rows.append((same, MINUS))
            whole = self._added([whole, image], rows, MINUS)
        large, value = self._moments(way.above, mirrored=way.mirrored)
        rows.append((value, ONE))
        goal = at_most(self._body(whole), self._body(large))
        below = self._at(point, goal)
        grown = self.steps.write("integral_monotone", below, whole, large, variable=self.x)
        weight, fixed = HALF if way.mirrored else ONE, [k for k in signs if self.y not in self.steps.formula(k).free]
        rows = [(grown, weight), *((k, times(weight, w)) for k, w in rows), *((k, ONE) for k in left)]
        end = self.steps.attempt("linear", *(k for k, _ in rows), *fixed, *self.known, formula=self.goal, multipliers=[w for _, w in rows])
        return self.ended(name, end)

    def _logarithm(self) -> Term:
        """log y at x."""
        gap = minus(minus(self.x, self.mean), times(HALF, self.distance))
        return over(times(self.distance, gap), power(self.deviation, 2))

    def _at(self, step: int, goal: Term) -> int:
        """An inequality about integrands at x from one about functions of y, times φ: shown for any φ and y, which stand for the bells."""
        steps, names, same = self.steps, dict[Term, Term](), list[int]()
        at = {self.c_: self._density(), self.y: node("exp", self._logarithm())}
        for part in dict.fromkeys(self._places(goal)):
            for form in self._forms(part):
                equation = steps.attempt("ring", *self.known, formula=equal(substitute(form, at), part))
                if equation is not None:
                    names[part] = form
                    same.append(equation)
                    break
            else:
                raise NotWritten("an integrand with another bell")
        general = transform(goal, lambda t, depth: names.get(t))
        found = steps.attempt("linear", step, *self.signs, *self.known, formula=general, multipliers=[self.c_])
        if found is None:
            raise NotWritten("an integrand in other words")
        found = steps.write("substitution", found, terms=at, functions={})
        found = reduce(lambda k, equation: steps.write("rewrite", k, equation), same, self._from_given(found))
        return steps.write("linear", found, *self.known, formula=goal, multipliers=[ONE])  # two bells may be one

    def _places(self, t: Term) -> Iterator[Term]:
        """Bells, squares and x itself outside of them."""
        if self.x in t.free:
            whole = t.tag == "exp" or t == self.x or t.tag == "^" and t.data == (2,)
            yield from [t] if whole else (place for part in t.parts for place in self._places(part))

    def _forms(self, t: Term) -> Iterator[Term]:
        """What a bell, a square or x may be in terms of φ and y."""
        height, square = self._height(), times(number(-2), power(self.deviation, 2))
        if t.tag != "exp":
            yield times(square, minus(node("log", self.c_), node("log", height)))
            yield times(square, minus(plus(node("log", self.c_), node("log", self.y)), node("log", height)))
            shift = over(times(power(self.deviation, 2), node("log", self.y)), self.distance)
            yield plus(plus(self.mean, times(HALF, self.distance)), shift)
            return
        for k in self.orders:
            level, power_ = node("exp", negative(self._level(k))), self.y if k == ONE else node("pow", self.y, k)
            yield over(times(self.c_, level) if k == ZERO else times(times(self.c_, power_), level), height)

        for share in self.shares:
            for base in (self.c_, times(self.c_, self.y)):
                yield node("pow", over(base, height), share)

    def _level(self, k: Term) -> Term:
        """log E_k."""
        return times(times(k, minus(k, ONE)), times(HALF, power(over(self.distance, self.deviation), 2)))

    def _bell(self, mean: Term) -> Term:
        return node("exp", negative(over(power(minus(self.x, mean), 2), times(number(2), power(self.deviation, 2)))))

    def _height(self) -> Term:
        return over(node("pow", times(number(2), node("pi")), number("-1/2")), self.deviation)

    def _density(self) -> Term:
        return times(self._height(), self._bell(self.mean))

    def _body(self, integrable: int) -> Term:
        return instantiate(self.steps.formula(integrable).parts[0], self.x)

    def _moments(self, moments: Moments, *, mirrored: bool = False) -> tuple[int, int]:
        """That φ·Σ c_k·y^k is integrable, and what its integral is: shown for any weights c_k·E_k."""
        steps, rows, found, values = self.steps, list[tuple[int, Term]](), list[int](), dict[Term, Term]()
        for k, c in moments.items():
            order, weight = self.read.term(k), steps.fresh("w")
            values[weight] = times(self.read.term(c), node("exp", self._level(order)))
            for own in (order, minus(ONE, order)) if mirrored else (order,):
                mean = plus(self.mean, times(own, self.distance))
                bell, value = self.c.search.opened(steps.write("gaussian_integral", self.sign, mean=mean))
                factor = times(weight, self._height())
                found.append(steps.write("integrable_multiple", bell, factor=factor))
                rows.append((value, factor))
        whole = self._added(found, rows, ONE)
        total = times(number(2 if mirrored else 1), sum_of_terms(values))
        goal = equal(binder("line", self.x, self._body(whole)), total)
        equation = steps.write("linear", *(k for k, _ in rows), *self.known, formula=goal, multipliers=[w for _, w in rows])
        whole, equation = (steps.write("substitution", k, terms=values, functions={}) for k in (whole, equation))
        return whole, equation

    def _added(self, parts: Sequence[int], rows: list[tuple[int, Term]], weight: Term) -> int:
        """That a sum is integrable; rows that say that its integral is that of its parts."""

        def both(a: int, b: int) -> int:
            whole, split = self.c.search.opened(self.steps.write("integral_sum", a, b))
            rows.append((split, weight))
            return whole

        return reduce(both, parts)

    def _exists(self, line: Term, moments: Moments, high: int, low: int) -> int:
        """That an integral exists, from −g ≤ h and h ≤ g."""
        steps, f = self.steps, instantiate(line.parts[0], self.x)
        large, _ = self._moments(moments)
        g = self._body(large)
        sides = at_most(f, g), at_most(negative(g), f)
        shown = [self._at(k, goal) for k, goal in zip((high, low), sides, strict=True)]
        size, branches = node("abs", f), []
        split = steps.write("total_order", left=ZERO, right=f)
        for order, by in zip(steps.formula(split).parts, shown, strict=True):
            here = steps.assume(order)
            weak = here if order.tag == "<=" else steps.write("linear", here, formula=at_most(*order.parts), multipliers=[ONE])
            same = self._extreme(size, weak)
            branches.append(steps.write("linear", by, same, formula=at_most(size, g), multipliers=[ONE, ONE]))
            if weak != here:
                branches[-1] = self._without(branches[-1], steps.formula(weak), weak)
        return steps.write("integrable_dominated", steps.write("cases", split, *branches), large, variable=self.x)
