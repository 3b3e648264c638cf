"""Terms and conditions on a box. What is found holds at every point of the box that satisfies the premises in use."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from dpbounds.covers import intervals
from dpbounds.covers.algebra import Known, operations_of, real
from dpbounds.covers.intervals import Arithmetic, Interval, Undefined, hull
from dpbounds.kernel.polynomials import UNIT, Budget
from dpbounds.kernel.ring import NONNEGATIVE, NONZERO, POSITIVE
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Term, at_most, below, exponent_of, minus, negative, number, substitute, times, value

Box = dict[str, Interval]
MOST_WORK = 20_000_000
"""Units of work for one document, of about a microsecond: half a minute. The longest cover of the catalogue takes a tenth of it."""
_COST = {"exp": 10, "log": 40, "pow": 50, "Phi": 60, "pi": 5}
"""What a function costs at 100 bits, where arithmetic costs 2."""
_HALF = Fraction(1, 2)


class Tools:
    """What the evaluations of one cover share: arithmetic, rings and the budget of the document.

    Args:
        bits: the precision.
        budget: the budget.
    """

    def __init__(self, bits: int, budget: Budget | None = None) -> None:
        self.budget, self.arithmetic = budget or Budget(MOST_WORK), Arithmetic(bits)
        self._rings: dict[frozenset[Term], Known] = {}
        self._scale = (1 + bits // 100) ** 2
        self._costs: dict[Term, int] = {}

    def spend(self, t: Term) -> None:
        """Count the evaluation of a term."""
        cost = self._costs.get(t)
        if cost is None:
            q = value(t)
            digits = 0 if q is None else q.numerator.bit_length() + q.denominator.bit_length()
            cost = self._costs[t] = _COST.get(t.tag, 2) * self._scale + digits // 100
        self.budget.spend(cost)

    def known(self, premises: Sequence[Term]) -> Known:
        """What follows from premises."""
        key = frozenset(premises)
        if key not in self._rings:
            self._rings[key] = Known(premises, self.budget)
        return self._rings[key]

    def constant(self, t: Term) -> Fraction | None:
        """The number that a term is, if its form shows it."""
        form = self.known(()).form(t)
        return None if form is None or not set(form) <= {UNIT} else Fraction(form.get(UNIT, 0))

    def slope(self, t: Term, x: str) -> Fraction:
        """c where the term is c·x + rest by its form, with a number c and a rest without x; 0 where it is not."""
        at_0, at_1 = (substitute(t, {real(x): end}) for end in (ZERO, ONE))
        c = self.constant(minus(at_1, at_0))
        return c if c and self.known(()).is_zero(minus(minus(t, at_0), times(number(c), real(x)))) else Fraction(0)


class Evaluator:
    """Values on one box under some premises.

    Args:
        box: an interval for each variable.
        premises: conditions that hold at the points in question; only those may be given whose variables stand where they stood.
        tools: shared tools.
    """

    def __init__(self, box: Box, premises: Sequence[Term], tools: Tools) -> None:
        self.box, self.premises, self.tools = box, premises, tools
        self.arithmetic = tools.arithmetic
        self._known: dict[Term, Interval | str] = {}
        tools.budget.spend(1 + len(box) * len(premises) // 8)

    def value(self, t: Term) -> Interval:
        """An interval that contains the term.

        Raises:
            Undefined: it may have no value, or is left to the engine.
        """
        found = self._known.get(t)
        if found is None:
            self.tools.spend(t)
            try:
                found = self._find(t)
            except Undefined as reason:
                found = str(reason)
            self._known[t] = found
        if isinstance(found, str):
            raise Undefined(found)
        return found

    def _find(self, t: Term) -> Interval:
        a = self.arithmetic
        if (q := value(t)) is not None:
            return a.number(q)
        if t.tag == "v":
            return self.box[str(t.data[0])]
        if t.tag == "pi":
            return a.pi
        if t.tag not in _EVALUATED:
            raise Undefined(f"no value of {t.tag}")
        if t.tag == "ite":
            truth = self.truth(t.parts[0])
            # Where the condition has no value, neither has the term.
            self.defined(t.parts[0])
            if truth is not None:
                return self.value(t.parts[1 if truth else 2])
            return hull(self.value(t.parts[1]), self.value(t.parts[2]))
        x = self.value(t.parts[0])
        y = self.value(t.parts[1]) if len(t.parts) > 1 else x
        match t.tag:
            case "+":
                return a.add(x, y)
            case "*":
                first, second = t.parts
                return a.integer_power(x, 2) if first == second else (a.negative(y) if first == MINUS else a.multiply(x, y))
            case "^":
                n = exponent_of(t)
                if n < 0:
                    x = self._clipped(t.parts[0], x)
                    x = a.reciprocal(x, nonzero=_touches(x) and self._is_nonzero(t.parts[0]))
                return a.integer_power(x, abs(n)) if n else (intervals.ONE, intervals.ONE)
            case "log":
                x = self._clipped(t.parts[0], x)
                return a.log(x, nonzero=_touches(x) and self._is_nonzero(t.parts[0]))
            case "exp":
                return a.exp(x)
            case "pow":
                return self._power(t, self._clipped(t.parts[0], x), y)
            case "Phi":
                return a.normal_cdf(x)
            case "abs":
                return a.absolute(x)
            case "max":
                return a.maximum(x, y)
        return a.minimum(x, y)

    def _power(self, t: Term, x: Interval, y: Interval) -> Interval:
        a, exponent = self.arithmetic, value(t.parts[1])
        if exponent == _HALF:
            return a.root(x)
        if exponent == -_HALF:
            root = a.root(x)
            return a.reciprocal(root, nonzero=_touches(root) and self._is_nonzero(t.parts[0]))
        if _touches(x) and y[0] <= 0 and self._is_nonzero(t.parts[0]):
            return a.exp(a.multiply(y, a.log(x, nonzero=True)))
        return a.power(x, y)

    def _clipped(self, t: Term, x: Interval) -> Interval:
        """The part of an interval that the premises leave."""
        if x[0] < 0 < x[1]:
            if self.follows(t, False):
                return intervals.ZERO, x[1]
            if self.follows(negative(t), False):
                return x[0], intervals.ZERO
        return x

    def _is_nonzero(self, t: Term) -> bool:
        return self.facts.sign(t, NONZERO)

    # conditions

    @cached_property
    def said(self) -> list[Term]:
        """The premises and the signs of the box."""
        signs = ((below if low > 0 else at_most)(ZERO, real(name)) for name, (low, _) in self.box.items() if low >= 0)
        return [*self.premises, *signs]

    @cached_property
    def facts(self) -> Known:
        """What the premises and the signs of the box say."""
        return self.tools.known(self.said)

    def is_zero(self, t: Term) -> bool:
        """True only if t is 0 at all points in question where it has a value."""
        return self.tools.known([*self.said, *operations_of(t)]).is_zero(t)

    def follows(self, goal: Term, strict: bool) -> bool:
        """goal > 0 (or >= 0) by the premises and by its form."""
        self.tools.budget.spend(1 + len(self.premises))
        return self.facts.sign(goal, POSITIVE if strict else NONNEGATIVE)

    def truth(self, formula: Term) -> bool | None:
        """Whether a condition surely holds, or surely fails, at all points in question; None when neither is known."""
        if formula.tag in ("and", "or"):
            truths = [self.truth(part) for part in formula.parts]
            decisive = formula.tag == "or"
            if decisive in truths:
                return decisive
            return None if None in truths else not decisive
        if formula.tag == "not":
            inner = self.truth(formula.parts[0])
            return None if inner is None else not inner
        if formula.tag not in ("<=", "<", "="):
            return None
        try:
            (a, b), (c, d) = (self.value(part) for part in formula.parts)
        except Undefined:
            return None
        holds, fails = {"<": (b < c, d <= a), "<=": (b <= c, d < a), "=": (a == b == c == d, b < c or d < a)}[formula.tag]
        return True if holds else False if fails else None

    def defined(self, formula: Term) -> None:
        """Check that every part of a condition has a value.

        Raises:
            Undefined: some part may have none.
        """
        for part in formula.parts:
            if part.tag in ("<=", "<", "=", "and", "or", "not"):
                self.defined(part)
            else:
                self.value(part)


_EVALUATED = ("+", "*", "^", "log", "exp", "pow", "Phi", "abs", "max", "min", "ite")


def _touches(x: Interval) -> bool:
    return x[0] == 0 or x[1] == 0
