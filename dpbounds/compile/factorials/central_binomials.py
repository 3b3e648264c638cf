"""Bounds of central binomial coefficients by π, as lemmas. With w(n) = C(2n, n)/4^n, for n ≥ 1:

    π·(n + 1/4)·w(n)² ≤ 1 ≤ π·(n + 1/4 + 1/(32n))·w(n)².

Both middle terms go one way, for 2(n + 1)·w(n + 1) = (2n + 1)·w(n), and tend to 1. Their limits come from the normal distribution function:
y·Σ_{k≤n} w(k)·(1 − y²)^k has the derivative (2n + 1)·w(n)·(1 − y²)^n, and 1 − y² ≤ e^{−y²}; with y = x/√(1 + x²) it has the derivative
(2n + 1)·w(n)·(1 + x²)^{−n − 3/2} in x, and 1 + x² ≤ e^{x²}.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpbounds.compile.library import Library
from dpbounds.compile.limits_of_sequences import INDEX, SEQUENCE, limit_lemma, sum_of
from dpbounds.compile.recursions import last_term, pascal
from dpbounds.compile.steps import Steps
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    Term,
    at_most,
    below,
    binder,
    equal,
    implies,
    minus,
    negative,
    node,
    number,
    over,
    plus,
    power,
    substitute,
    times,
    variable,
)

_SHARE = ("share_", "Z>R")
_N, _K, _M = INDEX, variable("k_i", "Z"), variable("m_i", "Z")
_X, _B = variable("x_", "R"), variable("b_", "R")
_TWO, _HALF, _PI = number(2), number("1/2"), node("pi")


def _w(t: Term) -> Term:
    return node("f", t, data=_SHARE)


def _every(start: Term, formula: Term) -> Term:
    """∀m (a ≤ m → F)."""
    return binder("all", _M, implies([at_most(start, _M)], formula))


def _root(t: Term) -> Term:
    return node("pow", t, _HALF)


def _odd(t: Term) -> Term:
    """2t + 1."""
    return plus(times(_TWO, t), ONE)


class _Shares:
    """What is known of w: w(0) = 1, and for k ≥ 0 that 0 < w(k) and 2(k + 1)·w(k + 1) = (2k + 1)·w(k)."""

    def __init__(self, steps: Steps) -> None:
        self.steps, self.write = steps, steps.write
        later = plus(_M, ONE)
        self.first = steps.assume(equal(_w(ZERO), ONE))
        self.signs = steps.assume(_every(ZERO, below(ZERO, _w(_M))))
        self.ratios = steps.assume(_every(ZERO, equal(times(times(_TWO, later), _w(later)), times(_odd(_M), _w(_M)))))
        self.some = steps.assume(at_most(ONE, _N))
        self.order = sum_of(steps, at_most(ZERO, _N), self.some)
        self.sign = self.row_at(self.signs, _N, self.order)

    def row_at(self, row: int, t: Term, least: int) -> int:
        """What a row says at t, from 0 ≤ t."""
        return self.write("detach", self.write("specialize", row, at=t), least)

    def area(self, x: Term, base: Term, above: int, front: Term, exponent: Term, weights: Sequence[Term], value: Term) -> tuple[Term, int]:
        """F = front·Σ_{k≤n} w(k)·base^{±k} in x, and a step that says F' = (2n + 1)·w(n)·value, from 0 < base.

        Args:
            x: the variable.
            base, above: the base and a step that says it is positive.
            front: what stands before the sum.
            exponent: k or −k.
            weights: what stands before both sums in the derivative.
            value: base to an exponent that speaks of n.
        """
        steps, write, n = self.steps, self.write, _N
        total = times(front, binder("sum", _K, ZERO, n, times(_w(_K), node("pow", base, exponent))))
        slope = steps.formula(write("derivative", above, function=total, variable=x)).parts[1]
        formula = equal(slope, times(times(_odd(n), _w(n)), value))
        sums = _sums_in(slope)
        singles = [write("sum_single", total=substitute(t, {n: ZERO})) for t in sums]
        base_ = write("linear", *singles, self.first, above, formula=substitute(formula, {n: ZERO}), multipliers=[])
        order, here = steps.assume(at_most(ZERO, n)), steps.assume(formula)
        rows = [k for t in sums for k in last_term(steps, t, n, order)]
        factors = [ONE, negative(value), *(c for c in weights for _ in range(2))]
        goal = substitute(formula, {n: plus(n, ONE)})
        grown = write("linear", here, self.row_at(self.ratios, n, order), *rows, order, above, formula=goal, multipliers=factors)
        every = write("induction", base_, grown, variable=n, start=ZERO, formula=formula)
        return total, self.row_at(every, n, self.order)

    def first_term(self, base: Term, exponent: Term) -> int:
        """Σ_0^n w(k)·base^e = w(0) + Σ_1^n …."""
        total = binder("sum", _K, ZERO, _N, times(_w(_K), node("pow", base, exponent)))
        ends = [sum_of(self.steps, at_most(ZERO, plus(ZERO, ONE))), self.order]
        split = self.write("sum_split", *ends, total=total)
        head, tail = self.steps.formula(split).parts[1].parts
        goal = equal(total, plus(ONE, binder("sum", _K, ONE, _N, times(_w(_K), node("pow", base, exponent)))))
        return self.write("linear", split, self.write("sum_single", total=head), self.first, formula=goal, multipliers=[ONE, ONE])

    def lower(self) -> int:
        """1 ≤ c/2 for c = (2n + 1)·w(n)·√(π/n)."""
        steps, write, n, y, b = self.steps, self.write, _N, _X, _B
        small, wide = steps.assume(below(ZERO, b)), steps.assume(below(b, ONE))
        base = minus(ONE, power(y, 2))
        inside = [steps.assume(at_most(ZERO, y)), steps.assume(at_most(y, b))]
        below_one = sum_of(steps, below(y, ONE), inside[1], wide)
        above = write("linear", below_one, inside[0], formula=below(ZERO, base), multipliers=[plus(ONE, y)])
        total, slope = self.area(y, base, above, y, _K, (ONE, y), node("pow", base, n))
        c = times(times(_odd(n), _w(n)), _root(over(_PI, n)))
        normal = times(c, node("Phi", times(y, _root(times(_TWO, n)))))
        rise = write("derivative", above, function=minus(normal, total), variable=y)
        tangent = write("exp_above", term=negative(power(y, 2)))
        least = sum_of(steps, at_most(ZERO, base), above)
        grown = write("power_monotone", least, sum_of(steps, at_most(base, node("exp", negative(power(y, 2)))), tangent), self.order)
        signs = [self.sign, self.some, above]
        goal = at_most(ZERO, steps.formula(rise).parts[1])
        up = write("linear", grown, slope, *signs, formula=goal, multipliers=[times(_odd(n), _w(n)), ONE])
        order = write("monotone", rise, up, sum_of(steps, at_most(ZERO, b), small), variable=y, low=ZERO, high=b)
        at = {y: b}
        first = write("substitution", self.first_term(base, _K), terms=at, functions={})
        k = steps.assume(at_most(ONE, _K))
        steps.assume(at_most(_K, n))
        end = write("linear", wide, small, formula=below(ZERO, substitute(base, at)), multipliers=[plus(ONE, b)])
        body = times(_w(_K), node("pow", substitute(base, at), _K))
        term = write("sign", self.row_at(self.signs, _K, sum_of(steps, at_most(ZERO, _K), k)), end, formula=at_most(ZERO, body))
        rest = write("sum_termwise", term, variable=_K, low=ONE, high=n)
        halves = [write("normal_symmetry", term=t) for t in (ZERO, times(b, _root(times(_TWO, n))))]
        goal = at_most(b, times(_HALF, c))
        factors = [ONE, negative(b), b, times(negative(_HALF), c), c]
        bound = write("linear", order, first, rest, *halves, *signs[:2], end, small, formula=goal, multipliers=factors)
        goal = at_most(ONE, times(_HALF, c))
        split = write("total_order", left=ONE, right=times(_HALF, c))
        done, short = write.hypotheses(steps.formula(split).parts)
        middle = plus(_HALF, times(number("1/4"), c))
        below_ = write("linear", short, formula=below(middle, ONE), multipliers=[_HALF])
        plain = write("sign", *signs[:2], formula=below(ZERO, c))
        bound = write("cut", write("substitution", bound, terms={b: middle}, functions={}), below_, sum_of(
            steps, below(ZERO, middle), plain, weights=(number("1/4"),)))  # fmt: skip
        return write("cases", split, done, write("linear", bound, formula=goal, multipliers=[_TWO]))

    def upper(self) -> int:
        """c/2 ≤ 1 for c = (2n + 1)·w(n)·√(π/(n + 3/2))."""
        steps, write, n, x, b = self.steps, self.write, _N, _X, _B
        rate, base = plus(n, number("3/2")), plus(ONE, power(x, 2))
        above = sum_of(steps, below(ZERO, base), write.square(x))
        front = times(x, node("pow", base, negative(_HALF)))
        slope_of_front = plus(node("pow", base, negative(_HALF)), negative(times(power(x, 2), node("pow", base, number("-3/2")))))
        value = node("pow", base, negative(rate))
        total, slope = self.area(x, base, above, front, negative(_K), (slope_of_front, front), value)
        c = times(times(_odd(n), _w(n)), _root(over(_PI, rate)))
        place = times(x, _root(times(_TWO, rate)))
        fall = write("derivative", above, function=minus(total, times(c, node("Phi", place))), variable=x)
        grown = write("exp_above", term=power(x, 2))
        some_rate = sum_of(steps, below(ZERO, rate), self.some)
        weak, plain_rate = sum_of(steps, at_most(ZERO, base), above), sum_of(steps, at_most(ZERO, rate), some_rate)
        powers = write("power_monotone", weak, grown, plain_rate)
        signs = [self.sign, self.some, above]
        bell = node("exp", negative(times(rate, power(x, 2))))
        goal = at_most(ZERO, steps.formula(fall).parts[1])
        factors = [times(times(times(_odd(n), _w(n)), bell), value), MINUS]
        down = write("linear", powers, slope, *signs, formula=goal, multipliers=factors)
        far = steps.assume(at_most(ZERO, b))
        order = write("monotone", fall, down, far, variable=x, low=ZERO, high=b)
        at = {x: b}
        base, front, place = (substitute(t, at) for t in (base, front, place))
        above = write("substitution", above, terms=at, functions={})
        first = self.first_term(base, negative(_K))
        k, one = steps.assume(at_most(ONE, _K)), sum_of(steps, at_most(ONE, base), write.square(b))
        steps.assume(at_most(_K, n))
        least = sum_of(steps, at_most(ZERO, _K), k)
        more = write("power_monotone", sum_of(steps, at_most(ZERO, ONE)), one, sum_of(steps, at_most(ZERO, minus(_K, ONE)), k))
        share_ = node("pow", base, negative(_K))
        body, inverse = times(_w(_K), share_), power(base, -1)
        facts = [self.row_at(self.signs, _K, least), above]
        term = write(
            "linear", more, self.row_at(self.small(), _K, least), *facts, formula=at_most(body, inverse), multipliers=[share_, share_]
        )
        rest = write("sum_termwise", term, variable=_K, low=ONE, high=n)
        short = self._front(b, base, above, far)
        tail = Library(steps).normal_tail(place, write("sign", far, self.some, formula=at_most(ZERO, place)))
        less = write("exp_monotone", write("linear", self.some, formula=at_most(negative(times(rate, power(b, 2))), negative(power(b, 2))),
                                           multipliers=[power(b, 2)]))  # fmt: skip
        flat = write("exp_above", term=power(b, 2))
        halves = [write("normal_symmetry", term=t) for t in (ZERO, place)]
        goal = at_most(times(_HALF, c), plus(ONE, over(plus(n, c), base)))
        known, room = [self.sign, self.some, above, far, some_rate], plus(ONE, over(n, base))
        factors = [ONE, room, front, front, c, c, times(c, over(node("exp", negative(power(b, 2))), base)), times(_HALF, c), negative(c)]
        bound = write("linear", order, short, rest, first, tail, less, flat, *halves, *known, formula=goal, multipliers=factors)
        goal = at_most(times(_HALF, c), ONE)
        split = write("total_order", left=times(_HALF, c), right=ONE)
        done, large = write.hypotheses(steps.formula(split).parts)
        gap = minus(times(_HALF, c), ONE)
        some = [sum_of(steps, below(ZERO, gap), large), write("sign", *known[:2], some_rate, formula=below(ZERO, c))]
        share, least = over(plus(n, c), gap), steps.assume(below(ZERO, b))
        bound = write("linear", bound, above, formula=at_most(times(gap, base), plus(n, c)), multipliers=[base])
        root = write("sign", least, formula=at_most(ZERO, _root(b)))
        bound = write("cut", write("substitution", bound, terms={b: _root(b)}, functions={}), root)
        bound = write("linear", bound, least, formula=at_most(times(gap, plus(ONE, b)), plus(n, c)), multipliers=[ONE])
        least = write("sign", *some, self.some, formula=below(ZERO, share))
        bound = write("cut", write("substitution", bound, terms={b: share}, functions={}), least)
        return write("cases", split, done, write("linear", bound, *some, formula=goal, multipliers=[ONE]))

    def small(self) -> int:
        """∀m (0 ≤ m → w(m) ≤ 1)."""
        steps, write = self.steps, self.write
        formula = at_most(_w(_M), ONE)
        here, order = steps.assume(formula), steps.assume(at_most(ZERO, _M))
        rows = [self.row_at(row, _M, order) for row in (self.ratios, self.signs)]
        later = times(_HALF, power(plus(_M, ONE), -1))
        grown = write("linear", here, rows[0], rows[1], order, formula=substitute(formula, {_M: plus(_M, ONE)}), multipliers=[
            ONE, later, later])  # fmt: skip
        return write("induction", sum_of(steps, at_most(_w(ZERO), ONE), self.first), grown, variable=_M, start=ZERO, formula=formula)

    def _front(self, b: Term, base: Term, above: int, far: int) -> int:
        """b·(1 + b²)^{−1/2} ≤ 1, from 0 ≤ b."""
        write = self.write
        order = write("linear", formula=at_most(power(b, 2), base), multipliers=[])
        grown = write("power_monotone", write.square(b), order, write("sign", formula=at_most(ZERO, _HALF)))
        same = Library(self.steps).root_of_power(b, power(b, 2), _HALF, far)
        goal = at_most(times(b, node("pow", base, negative(_HALF))), ONE)
        return write("linear", grown, same, above, formula=goal, multipliers=[
            node("pow", base, negative(_HALF)), node("pow", base, negative(_HALF))])  # fmt: skip

    def bound(self, *, upper: bool) -> int:
        """π·(n + 1/4)·w(n)² ≤ 1, or 1 ≤ π·(n + 1/4 + 1/(32n))·w(n)²."""
        m, one = _M, self.steps.assume(at_most(ONE, _M))
        square, scale = times(_PI, power(_w(m), 2)), plus(m, number("1/4"))
        # The room from n to n + 1 is what the scale leaves of ((2n + 1)/(2n + 2))².
        if upper:
            room = over(times(number("1/4"), square), power(times(_TWO, plus(m, ONE)), 2))
            found = self._limit(minus(_TWO, times(scale, square)), self.upper(), MINUS, scale, plus(m, number("3/2")), room, one)
        else:
            scale = plus(scale, over(number("1/32"), m))
            room = over(times(plus(times(number(3), m), number(4)), square), times(times(number(128), m), power(plus(m, ONE), 3)))
            found = self._limit(times(scale, square), self.lower(), ONE, scale, m, room, one)
        value = substitute(times(scale, square), {m: _N})
        return sum_of(self.steps, at_most(value, ONE) if upper else at_most(ONE, value), found)

    def _limit(self, g: Term, bound: int, side: Term, scale: Term, rate: Term, room: Term, one: int) -> int:
        """1 ≤ g(n) for a sequence that falls to 1."""
        steps, write, m = self.steps, self.write, _M
        order = sum_of(steps, at_most(ZERO, m), one)
        sign, ratio = self.row_at(self.signs, m, order), self.row_at(self.ratios, m, order)
        bound = write("cut", write("substitution", bound, terms={_N: m}, functions={}), one)
        c = times(times(_odd(m), _w(m)), _root(over(_PI, rate)))
        squared = write("linear", bound, sign, one, formula=at_most(ZERO, times(side, minus(power(c, 2), number(4)))), multipliers=[
            plus(number(4), times(_TWO, c))])  # fmt: skip
        near = at_most(minus(ONE, over(ONE, m)), g)
        near_ = write("linear", squared, sign, one, formula=near, multipliers=[over(times(scale, rate), power(_odd(m), 2))])
        later = equal(_w(plus(m, ONE)), over(times(_odd(m), _w(m)), times(_TWO, plus(m, ONE))))
        next_ = write("linear", ratio, one, formula=later, multipliers=[over(_HALF, plus(m, ONE))])
        least = write("sign", sign, one, formula=at_most(ZERO, room))
        falls = write("linear", least, next_, sign, one, formula=at_most(substitute(g, {m: plus(m, ONE)}), g), multipliers=[ONE])
        rows = [write("generalize", write("discharge", k, formula=at_most(ONE, m)), variable=m) for k in (falls, near_)]
        lemma = write("substitution", limit_lemma(steps), terms={}, functions={SEQUENCE: ((m,), g)})
        return write("cut", lemma, *rows)


def _sums_in(t: Term) -> list[Term]:
    return [t] if t.tag == "sum" else [s for part in t.parts for s in _sums_in(part)]


def share(n: Term) -> Term:
    """C(2n, n)/4^n."""
    return times(node("binom", times(_TWO, n), n), node("pow", number(4), negative(n)))


def central_bound(steps: Steps, *, upper: bool) -> int:
    """π·(n + 1/4)·w(n)² ≤ 1, or 1 ≤ π·(n + 1/4 + 1/(32n))·w(n)², from 1 ≤ n, for w(n) = C(2n, n)·4^{−n}."""
    write, m = steps.write, _M
    order = steps.assume(at_most(ZERO, m))
    double, later = times(_TWO, m), plus(m, ONE)
    odd = plus(double, ONE)

    def linear(formula: Term, *by: int) -> int:
        return sum_of(steps, formula, *by)

    inside = write("binomial_positive", order, sum_of(steps, at_most(m, double), order))
    positive = write("sign", write("part", inside, number=0), formula=below(ZERO, share(m)))
    # (m + 1)·C(2m + 2, m + 1) = (2m + 2)·C(2m + 1, m), and (m + 1)·C(2m + 1, m) = (2m + 1)·C(2m, m).
    after = plus(double, _TWO)
    up = write("absorption", linear(at_most(ONE, after), order, order), linear(at_most(ONE, later), order))
    row = write("detach", write("specialize", pascal(steps, variable("l_i", "Z"), _K), at=m), order)
    row = write("detach", write("specialize", row, at=odd), linear(at_most(later, odd), order))
    ratio = equal(times(times(_TWO, later), share(later)), times(odd, share(m)))
    power_ = node("pow", number(4), negative(m))
    step = write("linear", up, row, order, formula=ratio, multipliers=[times(_HALF, power_), power_])
    none = linear(at_most(ZERO, ZERO))
    start = write(
        "linear", write("part", write("binomial_positive", none, none), number=1), formula=equal(share(ZERO), ONE), multipliers=[ONE]
    )
    return bound_of_shares(steps, m, share(m), (start, positive, step), upper=upper)


def bound_of_shares(steps: Steps, m: Term, w: Term, shown: tuple[int, int, int], *, upper: bool) -> int:
    """π·(n + 1/4)·w(n)² ≤ 1, or 1 ≤ π·(n + 1/4 + 1/(32n))·w(n)², from 1 ≤ n.

    Args:
        steps: where they are written.
        m, w: an integer variable and w(m).
        shown: w(0) = 1, and from 0 ≤ m that 0 < w(m) and 2(m + 1)·w(m + 1) = (2m + 1)·w(m).
        upper: which of the two.
    """
    write = steps.write
    rows = [write("generalize", write("discharge", k, formula=at_most(ZERO, m)), variable=m) for k in shown[1:]]
    found = write("substitution", _Shares(steps).bound(upper=upper), terms={}, functions={_SHARE: ((m,), w)})
    return write("cut", found, shown[0], *rows)
