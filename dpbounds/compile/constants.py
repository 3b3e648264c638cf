"""Rational bounds of closed terms, as steps: of sums, products, powers, exp, log, roots and π."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import mpmath

from dpbounds.compile.factorials.central_binomials import central_bound
from dpbounds.compile.library import Library
from dpbounds.compile.limits_of_sequences import INDEX
from dpbounds.compile.normal_values import normal_above_zero
from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.kernel.terms import ZERO, Term, at_most, below, exponent_of, node, number, plus, power, times, value, variable

DIGITS = (5, 9, 12)
"""Digits of the brackets that are tried, one after the other."""
_PI = Fraction(78, 25), Fraction(1569, 500)
"""Numbers below π; the closer one makes steps longer."""
_WIDEST = 10**6
"""An exponent beyond this size is left alone."""


@dataclass(frozen=True)
class ConstantBracket:
    """low ≤ t ≤ high, with the steps low < t and t < high; None of a number, which needs none."""

    low: Fraction
    high: Fraction
    above_low: int | None = None
    below_high: int | None = None


class Constants:
    """Brackets of closed terms, each made once.

    Args:
        steps: the document.
    """

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self._known: dict[tuple[Term, int], ConstantBracket] = {}

    def bracket(self, t: Term, digits: int) -> ConstantBracket:
        """A bracket of a closed term, about 10^−digits wide.

        Raises:
            NotWritten: a function without bounds, or a divisor that may be 0.
        """
        if (t, digits) not in self._known:
            self._known[t, digits] = self._bracket(t, digits)
        return self._known[t, digits]

    def _bracket(self, t: Term, digits: int) -> ConstantBracket:
        q = value(t)
        if q is not None:
            return ConstantBracket(q, q)
        match t.tag, t.parts:
            case "pi", ():
                both = self.steps.write("bounds_of_pi")
                lower, upper = (self.steps.write("part", both, number=k) for k in (0, 1))
                low = Fraction(3)
                if digits > DIGITS[0]:
                    low = _PI[digits >= DIGITS[2]]
                    lower = self._below_pi(low)
                return ConstantBracket(low, Fraction(22, 7), lower, upper)
            case "+", (a, b):
                return self._sum(t, self.bracket(a, digits), self.bracket(b, digits))
            case "*", (a, b):
                return self._product(t, a, b, digits)
            case "^", (a,):
                return self._power(t, a, exponent_of(t), digits)
            case "exp", (a,):
                return self._exponential_of(t, a, digits)
            case "log", (a,):
                return self._inverse(t, a, digits, self._near_logarithm)
            case "pow", (a, r) if (s := value(r)) is not None and s.denominator > 1:
                return self._root_of(t, a, s, digits)
            case "Phi", (a,) if value(a) == 0:
                both = self.steps.write("normal_symmetry", term=a)
                half = Fraction(1, 2)
                at = self.steps.sum_of(node("=", t, number(half)), [both], (), [number(half)])
                assert at is not None
                lower = self._linear(below(number(half - Fraction(1, 10**9)), t), [at], [number(-1)])
                upper = self._linear(below(t, number(half + Fraction(1, 10**9))), [at])
                return ConstantBracket(half - Fraction(1, 10**9), half + Fraction(1, 10**9), lower, upper)
            case "Phi", (a,) if (s := value(a)) is not None:
                return self._normal(t, s, digits)
        raise NotWritten("a constant without bounds", t.tag)

    def _normal(self, t: Term, q: Fraction, digits: int) -> ConstantBracket:
        """Φ(q), from 1/2 and a bound on the other side."""
        bound, step = normal_above_zero(self.steps, abs(q))
        most, half = self.bracket(bound, digits), Fraction(1, 2)
        above = Library(self.steps).normal_above(number(abs(q)), self.steps.write("sign", formula=below(ZERO, number(abs(q)))))
        assert most.below_high is not None
        under = self._linear(below(node("Phi", number(abs(q))), number(most.high)), [step, most.below_high])
        if q > 0:
            return ConstantBracket(half, most.high, above, under)
        both = self.steps.write("normal_symmetry", term=number(-q))
        lower = self._linear(below(number(1 - most.high), t), [both, under], [number(-1)])
        return ConstantBracket(1 - most.high, half, lower, self._linear(below(t, number(half)), [both, above]))

    def _below_pi(self, low: Fraction) -> int:
        """low < π for low ≤ 1569/500, by 1 ≤ π·(2 + 1/4 + 1/64)·(C(4, 2)/16)²."""
        steps, write = self.steps, self.steps.write

        def order(*sides: int) -> int:
            return self._linear(at_most(*map(number, sides)), [])

        with steps.longer(20):
            bound = write("substitution", central_bound(steps, upper=False), terms={INDEX: number(2)}, functions={})
            bound = write("cut", bound, order(1, 2))
            four, three = write("absorption", order(1, 4), order(1, 2)), write("absorption", order(1, 3), order(1, 1))
            first = write("part", write("binomial_positive", order(0, 0), order(0, 2)), number=1)
            return self._linear(below(number(low), node("pi")), [bound], [number(Fraction(4096, 1305))], (first, three, four))

    def _sum(self, t: Term, a: ConstantBracket, b: ConstantBracket) -> ConstantBracket:
        low, high = a.low + b.low, a.high + b.high
        lower = self._linear(below(number(low), t), [s for s in (a.above_low, b.above_low) if s is not None])
        upper = self._linear(below(t, number(high)), [s for s in (a.below_high, b.below_high) if s is not None])
        return ConstantBracket(low, high, lower, upper)

    def _linear(self, goal: Term, steps: list[int], multipliers: list[Term] | None = None, facts: tuple[int, ...] = ()) -> int:
        step = self.steps.sum_of(goal, steps, facts, multipliers or [])
        if step is None:
            raise NotWritten("a bound of a constant")
        return step

    def _product(self, t: Term, a: Term, b: Term, digits: int) -> ConstantBracket:
        """a·b for b > 0 or b < 0, by a·b − l = (a − l₁)·b + l₁·(b − l₂)."""
        x, y = self.bracket(a, digits), self.bracket(b, digits)
        if y.low <= 0 <= y.high and not (x.low <= 0 <= x.high):
            a, b, x, y = b, a, y, x
        if y.above_low is None:
            return self._scaled(t, a, x, y.low)
        if x.above_low is None:
            return self._scaled(t, b, y, x.low)
        if y.high < 0:
            turned, opposite = times(number(-1), a), times(number(-1), b)
            other = self._product(times(turned, opposite), turned, opposite, digits)
            lower = None if other.above_low is None else self._linear(below(number(other.low), t), [other.above_low])
            upper = None if other.below_high is None else self._linear(below(t, number(other.high)), [other.below_high])
            return ConstantBracket(other.low, other.high, lower, upper)
        if y.low < 0 or y.high <= 0:
            raise NotWritten("a bound of a constant", "a product of what may be 0")
        assert y.below_high is not None and x.below_high is not None
        ends = []
        for end, step, upward in ((x.low, x.above_low, False), (x.high, x.below_high, True)):
            own = y.high if (end >= 0) == upward else y.low
            beyond = y.below_high if (end >= 0) == upward else y.above_low
            bound = end * own
            goal = below(t, number(bound)) if upward else below(number(bound), t)
            ends.append((bound, self._linear(goal, [step, beyond], [b, number(abs(end))], (y.above_low,))))
        (low, lower), (high, upper) = ends
        return ConstantBracket(low, high, lower, upper)

    def _scaled(self, t: Term, b: Term, y: ConstantBracket, c: Fraction) -> ConstantBracket:
        """c·b for a number c."""
        if y.above_low is None or y.below_high is None or c == 0:
            return ConstantBracket(c * y.low, c * y.high)
        pairs = [(y.low, y.above_low), (y.high, y.below_high)]
        (low, lower), (high, upper) = pairs if c > 0 else pairs[::-1]
        weight = [number(abs(c))]
        return ConstantBracket(
            c * low,
            c * high,
            self._linear(below(number(c * low), t), [lower], weight),
            self._linear(below(t, number(c * high)), [upper], weight),
        )

    def _power(self, t: Term, a: Term, n: int, digits: int) -> ConstantBracket:
        x = self.bracket(a, digits)
        if x.low == x.high and x.low:
            return ConstantBracket(x.low**n, x.low**n)
        if n < 0:
            inner = a if n == -1 else power(a, -n)
            y = self.bracket(inner, digits)
            if y.low <= 0 or y.above_low is None or y.below_high is None:
                raise NotWritten("a bound of a constant", "a divisor that may be 0")
            low, high = 1 / y.high, 1 / y.low
            lower = self._linear(below(number(low), t), [y.below_high], [times(number(low), power(inner, -1))], (y.above_low,))
            upper = self._linear(below(t, number(high)), [y.above_low], [times(number(high), power(inner, -1))], (y.above_low,))
            return ConstantBracket(low, high, lower, upper)
        if n == 1:
            return x
        rest = a if n == 2 else power(a, n - 1)
        return self._product(t, rest, a, digits)

    def _exponential_of(self, t: Term, a: Term, digits: int) -> ConstantBracket:
        """e^a, from the exponentials of the ends of a."""
        x = self.bracket(a, digits)
        ends = []
        for end, step, up in ((x.low, x.above_low, False), (x.high, x.below_high, True)):
            bound, at_end = self._exponential(end, up, digits)
            if step is None:
                ends.append((bound, at_end))
                continue
            grown = self.steps.write("exp_monotone", step)
            goal = below(t, number(bound)) if up else below(number(bound), t)
            ends.append((bound, self._linear(goal, [s for s in (at_end, grown) if s is not None])))
        (low, lower), (high, upper) = ends
        return ConstantBracket(low, high, lower, upper)

    def _inverse(self, t: Term, a: Term, digits: int, near: Callable[..., tuple[Fraction, int]]) -> ConstantBracket:
        """f(a), from numbers whose images under the inverse of f lie below and above a."""
        x = self.bracket(a, digits + 1)
        if x.low <= 0:
            raise NotWritten("a bound of a constant", "a logarithm or a root of what may be 0")
        ends = []
        for end, step, up in ((x.low, x.above_low, False), (x.high, x.below_high, True)):
            bound, grown = near(t, a, end, [] if step is None else [step], up, digits)
            goal = below(t, number(bound)) if up else below(number(bound), t)
            ends.append((bound, self._linear(goal, [grown])))
        (low, lower), (high, upper) = ends
        return ConstantBracket(low, high, lower, upper)

    def _near_logarithm(self, t: Term, a: Term, end: Fraction, by: list[int], up: bool, digits: int) -> tuple[Fraction, int]:
        """s with e^s < a (or a < e^s), and the step log e^s < log a."""
        with mpmath.workdps(30):
            near = Fraction(int(mpmath.log(mpmath.mpf(end.numerator) / end.denominator) * 10**digits), 10**digits)
        near += Fraction(2 if up else -2, 10**digits)
        e = node("exp", number(near))
        _, at = self._exponential(near, not up, digits + 2)
        order = self._linear(below(a, e) if up else below(e, a), [*by, *([] if at is None else [at])])
        least = self.steps.write("sign", formula=below(number(0), e)) if not up else self._positive(a)
        return near, self.steps.write("log_monotone", order, least)

    def _positive(self, a: Term) -> int:
        x = self.bracket(a, DIGITS[0])
        return self._linear(below(number(0), a), [] if x.above_low is None else [x.above_low])

    def _root_of(self, t: Term, a: Term, r: Fraction, digits: int) -> ConstantBracket:
        """a^r, from a root with numerator 1."""
        if r.numerator == 1:
            return self._inverse(t, a, digits, self._near_root)
        root = node("pow", a, number(Fraction(1, r.denominator)))
        x = self.bracket(power(root, r.numerator), digits)
        same = [self._positive(a)]
        lower = [] if x.above_low is None else [x.above_low]
        upper = [] if x.below_high is None else [x.below_high]
        low, high = below(number(x.low), t), below(t, number(x.high))
        return ConstantBracket(x.low, x.high, self._linear(low, lower, None, tuple(same)), self._linear(high, upper, None, tuple(same)))

    def _near_root(self, t: Term, a: Term, end: Fraction, by: list[int], up: bool, digits: int) -> tuple[Fraction, int]:
        """s with s^k < a (or a < s^k), and the step s < a^{1/k}."""
        r = value(t.parts[1])
        assert r is not None
        k = r.denominator
        with mpmath.workdps(30 + digits):
            root = mpmath.root(mpmath.mpf(end.numerator) / end.denominator, k)
            scale = 10 ** (digits + max(0, -int(mpmath.log10(root))))
            near = Fraction(int(root * scale) + (2 if up else -2), scale)
        if near <= 0 or k > 60:
            raise NotWritten("a bound of a constant", "a root near 0")
        steps, u, v = self.steps, variable("u_", "R"), variable("v_", "R")
        signs = [steps.assume(below(number(0), w)) for w in (u, v)]
        small, large = (v, power(u, k)) if up else (power(u, k), v)
        given = steps.assume(below(small, large))
        least = steps.write("sign", *signs, formula=node("<=", number(0), small))
        grown = steps.write("power_monotone", least, given, steps.write("sign", formula=below(number(0), t.parts[1])))
        root_ = node("pow", v, t.parts[1])
        lemma = steps.write("linear", grown, *signs, formula=below(root_, u) if up else below(u, root_), multipliers=[number(1)])
        placed = steps.write("substitution", lemma, terms={u: number(near), v: a}, functions={})
        order = self._linear(below(a, power(number(near), k)) if up else below(power(number(near), k), a), by)
        own = steps.write("sign", formula=below(number(0), number(near)))
        return near, steps.write("cut", placed, own, self._positive(a), order)

    def _exponential(self, q: Fraction, up: bool, digits: int) -> tuple[Fraction, int | None]:
        """a < e^q or e^q < a: 1 + t ≤ e^t at t = q/2^k, squared k times and rounded; for the upper bound, of e^−q."""
        if q == 0:
            return Fraction(1), None
        if abs(q) > _WIDEST:
            raise NotWritten("a bound of a constant", "a large exponent")
        steps, target = self.steps, -q if up else q
        digits += 3
        k = int(3.4 * digits) + 2 * max(0, abs(target).__ceil__().bit_length())
        k = min(k, 60)
        with mpmath.workdps(30 + digits):
            grid = 10 ** (digits + 8 + max(0, int(-target * Fraction(10, 23)) + 1 if target < 0 else 0))
        t = target / 2**k
        grid_first = 2 ** (k + 4 * digits)
        a = Fraction(int((1 + t) * grid_first), grid_first)
        step = steps.write("exp_above", term=number(t))
        step = self._linear(node("<=", number(a), node("exp", number(t))), [step])
        for n in range(k):
            factor = plus(number(a), node("exp", number(t)))
            fine = max(grid, 2 ** (k - n + 4 * digits))
            a, t = Fraction(int(a * a * fine), fine), 2 * t
            step = self._linear(node("<=", number(a), node("exp", number(t))), [step], [factor])
        e = node("exp", number(q))
        if not up:
            low = Fraction(int(a * grid) - 1, grid)
            return low, self._linear(below(number(low), e), [step])
        high = Fraction(int(grid / a) + 1, grid)
        return high, self._linear(below(e, number(high)), [step], [times(number(1 / a), e)])
