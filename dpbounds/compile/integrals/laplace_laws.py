"""δ(ε) and moments of Laplace noise in closed form, as steps of a document.

With p and q the densities of Laplace(1, b) and Laplace(0, b), b > 0 and ε ≥ 0:

    ∫ max(0, p − e^ε·q) = max(0, 1 − e^{(ε − 1/b)/2}),
    ∫ p^α·q^{1 − α} = (α·e^{(α − 1)/b} + (α − 1)·e^{−α/b})/(2α − 1)   for α > 1,
    ∫ p·(log p − log q) = 1/b − 1 + e^{−1/b}.

What is integrated is an exponential on x ≤ 0, on 0 < x ≤ 1 (or what of it has p > e^ε·q, which is x > (1 + εb)/2) and on 1 < x.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from dpbounds.compile.integrals.antiderivatives import ClosedIntegral
from dpbounds.compile.steps import NotWritten, positive
from dpbounds.compile.towers.descents import Descents
from dpbounds.compile.towers.problems import subterms
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    TWO,
    ZERO,
    Term,
    at_most,
    binder,
    equal,
    instantiate,
    minus,
    negative,
    node,
    over,
    plus,
    power,
    times,
)
from dpbounds.language.typed.read_sympy import Statements
from dpbounds.prover.rewriting.case_distinctions import by_cases, order_shown
from dpbounds.prover.rewriting.documents import Emission
from dpbounds.prover.rewriting.half_lines import exponential, exponential_below, general
from dpbounds.prover.rewriting.roots import HALF


class LaplaceLaws:
    """Closed forms for one scale.

    Args:
        c: the document.
        read: the reader of the claim.
        scale: b.
        sign: the step 0 < b.
        known: what is given.
    """

    def __init__(self, c: Descents, read: Statements, scale: Term, sign: int, known: Sequence[int]) -> None:
        self.c, self.write, self.b, self.sign, self.known = c, c.write, scale, sign, [sign, *known]
        self.x = c.steps.fresh("x")
        self.e = Emission({})  # what is known of half-lines is written by the writers of proofs
        self.e.read, self.e.write, self.e.search = read, c.write, c.search

    def delta(self, total: Term, epsilon: Term, least: int) -> ClosedIntegral:
        """δ, as it stands in the claim, where a step says 0 ≤ ε."""
        write, b, x = self.write, self.b, self.x
        exponent = times(HALF, minus(epsilon, power(b, -1)))
        top = minus(ONE, node("exp", exponent))
        split = write("total_order", left=times(epsilon, b), right=ONE)
        low, high = write.hypotheses(write.formula(split).parts)
        a, tail = times(HALF, plus(ONE, times(epsilon, b))), general(self.e, exponential, self._rate(), ONE)
        exponents = minus(epsilon, over(x, b)), over(minus(x, ONE), b)
        found = []
        for case in (low, high):
            inside, facts, splits = case == low, [case, least], [(x, ZERO), (x, ONE)]
            factor = over(minus(node("exp", power(b, -1)), node("exp", epsilon)), times(TWO, b)) if inside else ZERO
            pieces = [(write("integrable_multiple", tail[0], factor=factor), self._scaled(tail[1], factor))]
            if inside:
                start = write.hypothesis(at_most(a, x))
                grown = write("exp_monotone", self._sum(at_most(*exponents), [(start, over(TWO, b))]))
                order = self._sum(at_most(a, ONE), [(case, HALF)])
                facts += [order, self._sum(positive(a), [(least, times(HALF, b))])]
                primitive = times(HALF, plus(*(node("exp", e) for e in reversed(exponents))))
                pieces.append(self._between(primitive, a, ONE, order, [(grown, power(times(TWO, b), -1))]))
                splits.insert(1, (x, a))
            whole = self._added(total, pieces, splits, (facts, epsilon))
            level = self._sum(at_most(*_turned(exponent, ZERO, inside)), [(case, over(HALF, b))])
            sign = self._sum(at_most(*_turned(ZERO, top, inside)), [(write("exp_monotone", level), ONE)])
            largest = write("part", write("larger", sign), number=int(not inside))
            equation = self._sum(equal(total, node("max", ZERO, top)), [(whole.equation, ONE), (largest, MINUS)])
            found.append((equation, whole.integrable))
        return ClosedIntegral(*(write("cases", split, *pair) for pair in zip(*found, strict=True)))

    def moment(self, total: Term, order: Term, above: int) -> tuple[ClosedIntegral, int]:
        """∫ p^α·q^{1 − α}, as it stands in the claim, where a step says 1 < α; and that it is positive."""
        write, b, x = self.write, self.b, self.x
        less, twice = minus(order, ONE), minus(times(TWO, order), ONE)
        self.known += [above, self._sum(positive(less), [(above, ONE)]), self._sum(positive(twice), [(above, TWO)])]
        pieces = self._outside(order, ONE, ONE)
        middle = node("exp", over(minus(times(twice, x), order), b))
        unit = self._sum(at_most(ZERO, ONE), [])
        pieces.append(self._between(over(middle, times(TWO, twice)), ZERO, ONE, unit, []))
        whole = self._added(total, pieces, [(x, ZERO), (x, ONE)])
        ends = node("exp", over(less, b)), node("exp", negative(over(order, b)))
        value = over(plus(times(order, ends[0]), times(less, ends[1])), twice)
        equation = self._sum(equal(total, value), [(whole.equation, ONE)])
        sign = write("sign", *self.known, formula=positive(value))
        return ClosedIntegral(equation, whole.integrable), self._sum(positive(total), [(equation, MINUS), (sign, ONE)])

    def divergence(self, total: Term) -> ClosedIntegral:
        """∫ p·(log p − log q), as it stands in the claim."""
        write, b, x, middle = self.write, self.b, self.x, HALF
        pieces = self._outside(ONE, power(b, -1), negative(power(b, -1)))
        for low, high, sign in ((ZERO, middle, MINUS), (middle, ONE, ONE)):
            bell, factor = node("exp", over(minus(x, ONE), b)), minus(minus(times(TWO, x), ONE), times(TWO, b))
            primitive = times(over(sign, times(TWO, b)), times(factor, bell))
            side = write.hypothesis(at_most(middle, x) if sign == ONE else at_most(x, middle))
            order = self._sum(at_most(low, high), [])
            integrable, area = self._between(primitive, low, high, order, [(side, over(bell, power(b, 2)))])
            pieces.append((write("integrable_multiple", integrable, factor=sign), self._scaled(area, sign)))
        whole = self._added(total, pieces, [(x, ZERO), (x, middle), (x, ONE)])
        value = plus(minus(power(b, -1), ONE), node("exp", negative(power(b, -1))))
        return ClosedIntegral(self._sum(equal(total, value), [(whole.equation, ONE)]), whole.integrable)

    def _outside(self, order: Term, *factors: Term) -> list[tuple[int, int]]:
        """c·e^{(α − x)/b}/(2b) on 1 < x, and d·e^{(x − α)/b}/(2b) on x ≤ 0."""
        tails = general(self.e, exponential, self._rate(), ONE), general(self.e, exponential_below, self._rate(), ZERO)
        found = []
        for (integrable, area), c, sign in zip(tails, factors, (ONE, MINUS), strict=True):
            factor = times(over(c, times(TWO, self.b)), node("exp", over(order, times(sign, self.b))))
            found.append((self.write("integrable_multiple", integrable, factor=factor), self._scaled(area, factor)))
        return found

    def _rate(self) -> int:
        return self.write("sign", *self.known, formula=positive(power(self.b, -1)))

    def _sum(self, goal: Term, rows: Sequence[tuple[int, Term]], *facts: int) -> int:
        found = self.c.steps.attempt("linear", *(k for k, _ in rows), *facts, *self.known, formula=goal, multipliers=[w for _, w in rows])
        if found is None:
            raise NotWritten("a closed form of Laplace noise")
        return found

    def _scaled(self, area: int, factor: Term) -> int:
        """∫ c·f = c·∫ f, shown for a variable, and so for every c."""
        line, value = self.write.formula(area).parts
        c = self.c.steps.fresh("c")
        whole = binder("line", self.x, times(c, instantiate(line.parts[0], self.x)))
        every = self._sum(equal(whole, times(c, value)), [(area, c)])
        return self.write("substitution", every, terms={c: factor}, functions={})

    def _between(self, primitive: Term, low: Term, high: Term, order: int, rows: Sequence[tuple[int, Term]]) -> tuple[int, int]:
        """That the derivative of a function, 0 off low < x ≤ high, is integrable, and its integral."""
        write, x = self.write, self.x
        signs = [self.sign, write("sign", *self.known, formula=node("not", equal(self.b, ZERO)))]
        slope = write("derivative", *signs, *self.known, function=primitive, variable=x)
        least = self._sum(at_most(ZERO, write.formula(slope).parts[1]), rows)
        both = write("fundamental_theorem", slope, least, order, variable=x, low=low, high=high)
        return write("part", both, number=0), write("part", both, number=1)

    def _added(
        self,
        total: Term,
        pieces: Sequence[tuple[int, int]],
        splits: Sequence[tuple[Term, Term]],
        more: tuple[list[int], Term] | None = None,
    ) -> ClosedIntegral:
        """That the total is the sum of the pieces, and exists."""
        write, x = self.write, self.x
        body = instantiate(total.parts[0], x)
        bodies = [instantiate(write.formula(k).parts[0], x) for k, _ in pieces]
        both, rows = pieces[0][0], []
        for k, _ in pieces[1:]:
            both, split = self.c.search.opened(write("integral_sum", both, k))
            rows.append(split)
        goal = equal(reduce(plus, bodies), body)

        facts = [] if more is None else more[0]
        pointwise = by_cases(self.e, goal, splits, [*facts, *self.known], lambda shown: self._here(goal, shown, more))
        if pointwise is None:
            raise NotWritten("a closed form of Laplace noise")
        moved = write("integral_congruence", pointwise, variable=x)
        value = reduce(plus, (write.formula(area).parts[1] for _, area in pieces))
        rows = [moved, *rows, *(area for _, area in pieces)]
        equation = self._sum(equal(total, value), [(moved, MINUS), *((k, ONE) for k in rows[1:])])
        return ClosedIntegral(equation, write("integrable_congruence", pointwise, both, variable=x))

    def _here(self, goal: Term, shown: list[int], more: tuple[list[int], Term] | None) -> int | None:
        """The sum of the pieces at x, where its order to every end is known."""
        steps, x = self.c.steps, self.x
        sizes = [self._size(t, shown) for t in (node("abs", minus(x, ONE)), node("abs", x))]
        known = [k for k in (*sizes, *shown) if k is not None]
        rows: list[int] = []
        if more is not None:
            top = next(t for t in subterms(goal) if t.tag == "max")
            sign = self._sign(next(part for part in top.parts if part != ZERO), more[1], known, more[0][0])
            if sign is None:
                return None
            rows.append(next(k for k in self.c.search.opened(self.write("larger", sign)) if steps.formula(k).parts[0] == top))
        return steps.attempt("linear", *rows, *known, formula=goal, multipliers=[MINUS] * len(rows))

    def _size(self, t: Term, shown: list[int]) -> int | None:
        """|a| = ±a."""
        write, (a,) = self.write, t.parts
        for least, value in ((a, a), (times(MINUS, a), times(MINUS, a))):
            order = order_shown(self.e, at_most(ZERO, least), shown)
            if order is None:
                continue
            for k in (0, 1):
                part = write("part", write("absolute", order), number=k)
                if (found := self.c.steps.attempt("ring", part, formula=equal(t, value))) is not None:
                    return found
        return None

    def _sign(self, gap: Term, epsilon: Term, known: list[int], case: int) -> int | None:
        """0 ≤ p − e^ε·q or the opposite, by the order of the exponents."""
        steps, b, x = self.c.steps, self.b, self.x
        ends = negative(over(node("abs", minus(x, ONE)), b)), minus(epsilon, over(node("abs", x), b))
        orders = [k for k in known if steps.formula(k).tag in ("<", "<=") and x in steps.formula(k).free]
        tried: list[list[tuple[int, Term]]] = [[], [(case, over(ONE, b))], *([(k, over(TWO, b))] for k in orders)]
        tried += [[(case, over(ONE, b)), (k, over(TWO, b))] for k in orders]
        for goal, formula in ((at_most(*ends), at_most(gap, ZERO)), (at_most(*reversed(ends)), at_most(ZERO, gap))):
            for rows in tried:
                found = steps.attempt("linear", *(k for k, _ in rows), *known, formula=goal, multipliers=[w for _, w in rows])
                if found is not None:
                    grown = self.write("exp_monotone", found)
                    return steps.attempt("linear", grown, *known, formula=formula, multipliers=[power(times(TWO, b), -1)])
        return None


def _turned(a: Term, b: Term, straight: bool) -> tuple[Term, Term]:
    return (a, b) if straight else (b, a)
