"""Terms and conditions on a box. What is found holds at every point of the box that satisfies the premises in use."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from dpbounds.covers import intervals
from dpbounds.covers.identity import Forms, TooLarge, is_positive
from dpbounds.covers.intervals import Arithmetic, Interval, Undefined, hull, less
from dpbounds.covers.terms import Refused, Term, minus, number, value_of, variable

Box = dict[str, Interval]
MOST_WORK = 20_000_000
"""Units of work for one document, of about a microsecond: half a minute. The longest cover of the catalogue takes a tenth of it."""
_COST = {"exp": 10, "log": 40, "pow": 50, "erf": 60, "erfc": 60, "Phi": 60, "pi": 5}
"""What a function costs at 100 bits, where arithmetic costs 2."""
_HALF = Fraction(1, 2)
_MINUS_ONE = number(-1)


class Budget:
    """The work that a document may ask for.

    Args:
        most: how much.
    """

    def __init__(self, most: int | None = None) -> None:
        self.work, self.most = 0, MOST_WORK if most is None else most

    def spend(self, work: int) -> None:
        """Count some work.

        Raises:
            Refused: the document asks for too much.
        """
        self.work += work
        if self.work > self.most:
            raise Refused("the document asks for too much work")


class Tools:
    """What the evaluations of one cover share: arithmetic, forms and the budget of the document.

    Args:
        bits: the precision.
        budget: the budget.
        nonnegative: variables that are >= 0 at all points that are looked at.
    """

    def __init__(self, bits: int, budget: Budget | None = None, nonnegative: Collection[str] = ()) -> None:
        self.budget = budget or Budget()
        self.arithmetic, self.forms = Arithmetic(bits), Forms(nonnegative, self.budget.spend)
        self._scale = (1 + bits // 100) ** 2
        self._costs: dict[Term, int] = {}
        self._numbers: dict[Term, Interval] = {}

    def spend(self, t: Term) -> None:
        """Count the evaluation of a term."""
        cost = self._costs.get(t)
        if cost is None:
            digits = t.data.numerator.bit_length() + t.data.denominator.bit_length() if isinstance(t.data, Fraction) else 0
            cost = self._costs[t] = _COST.get(t.op, 2) * self._scale + digits // 100
        self.budget.spend(cost)

    def number(self, t: Term, value: Fraction) -> Interval:
        """The interval about a term that is a number, made once."""
        found = self._numbers.get(t)
        if found is None:
            found = self._numbers[t] = self.arithmetic.number(value)
        return found


def relation_of(formula: Term) -> tuple[Term, bool] | None:
    """(e, strict) of a condition e > 0 or e >= 0."""
    if formula.op in ("<=", "<"):
        return minus(formula.parts[1], formula.parts[0]), formula.op == "<"
    if formula.op == "not" and formula.parts[0].op in ("<=", "<"):
        small, large = formula.parts[0].parts
        return minus(small, large), formula.parts[0].op == "<="
    return None


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
        self.positive = {name: side[0][0] > 0 or any(_says_positive(p, name) for p in premises) for name, side in box.items()}

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
        if (q := value_of(t)) is not None:
            return self.tools.number(t, q)
        if t.op == "v":
            return self.box[str(t.data)]
        if t.op == "pi":
            return a.pi
        if t.op == "engine":
            raise Undefined("only the engine evaluates this")
        if t.op == "ite":
            truth = self.truth(t.parts[0])
            # Where the condition has no value, neither has the term.
            self.defined(t.parts[0])
            if truth is not None:
                return self.value(t.parts[1 if truth else 2])
            return hull(self.value(t.parts[1]), self.value(t.parts[2]))
        x = self.value(t.parts[0])
        y = self.value(t.parts[1]) if len(t.parts) > 1 else x
        match t.op:
            case "+":
                return a.add(x, y)
            case "*":
                first, second = t.parts
                return a.integer_power(x, 2) if first is second else (a.negative(y) if first is _MINUS_ONE else a.multiply(x, y))
            case "^":
                assert isinstance(t.data, int)
                return a.integer_power(x, t.data)
            case "inv":
                x = self._clipped(t.parts[0], x)
                return a.reciprocal(x, nonzero=_touches(x) and self._is_nonzero(t.parts[0]))
            case "log":
                x = self._clipped(t.parts[0], x)
                return a.log(x, nonzero=_touches(x) and self._is_nonzero(t.parts[0]))
            case "exp":
                return a.exp(x)
            case "pow":
                return self._power(t, self._clipped(t.parts[0], x), y)
            case "erf":
                return a.erf(x)
            case "erfc":
                return a.erfc(x)
            case "Phi":
                return a.normal_cdf(x)
            case "abs":
                return a.absolute(x)
            case "max":
                return a.maximum(x, y)
            case "min":
                return a.minimum(x, y)
        raise Undefined(f"no value of {t.op}")

    def _power(self, t: Term, x: Interval, y: Interval) -> Interval:
        a, exponent = self.arithmetic, value_of(t.parts[1])
        if exponent == _HALF:
            return a.root(x)
        if exponent == -_HALF:
            root = a.root(x)
            return a.reciprocal(root, nonzero=_touches(root) and self._is_nonzero(t.parts[0]))
        if _touches(x) and y[0][0] <= 0 and self._is_nonzero(t.parts[0]):
            return a.exp(a.multiply(y, a.log(x, nonzero=True)))
        return a.power(x, y)

    def _clipped(self, t: Term, x: Interval) -> Interval:
        """The part of an interval that the premises leave."""
        if less(x[0], intervals.ZERO) and less(intervals.ZERO, x[1]):
            if self.follows(t, False):
                return intervals.ZERO, x[1]
            if self.follows(minus(number(0), t), False):
                return x[0], intervals.ZERO
        return x

    def _is_nonzero(self, t: Term) -> bool:
        return (
            self.follows(t, True)
            or self.follows(minus(number(0), t), True)
            or any(p.op == "not" and p.parts[0].op == "=" and self._same(t, minus(*p.parts[0].parts)) for p in self.premises)
        )

    def _same(self, a: Term, b: Term) -> bool:
        forms = self.tools.forms
        return forms.is_zero(minus(a, b)) or forms.is_zero(minus(a, minus(number(0), b)))

    # conditions

    def follows(self, goal: Term, strict: bool) -> bool:
        """goal > 0 (or >= 0): by its form, or by its parts, or as a positive multiple of a premise."""
        forms = self.tools.forms
        self.tools.budget.spend(len(self.premises))
        constant = forms.constant(goal)
        if constant is not None:
            return constant > 0 or (constant == 0 and not strict)
        try:
            form = forms.of(goal)
        except TooLarge:
            return False
        if all(c > 0 and is_positive(m, self.positive) for m, c in form.items()):
            return True
        for premise in self.premises:
            for p, p_strict in inequalities_of(premise):
                if strict and not p_strict:
                    continue
                if any(c > 0 and is_positive(m, self.positive) for c, m in forms.multiples(goal, p)):
                    return True
        return False

    def truth(self, formula: Term) -> bool | None:
        """Whether a condition surely holds, or surely fails, at all points in question; None when neither is known."""
        if formula.op in ("and", "or"):
            truths = [self.truth(part) for part in formula.parts]
            decisive = formula.op == "or"
            if decisive in truths:
                return decisive
            return None if None in truths else not decisive
        if formula.op == "not":
            inner = self.truth(formula.parts[0])
            return None if inner is None else not inner
        if formula.op not in ("<=", "<", "="):
            return None
        try:
            x, y = (self.value(part) for part in formula.parts)
        except Undefined:
            return None
        if formula.op == "=":
            if less(x[1], y[0]) or less(y[1], x[0]):
                return False
            return None if less(x[0], y[1]) or less(y[0], x[1]) else True
        strict = formula.op == "<"
        if less(x[1], y[0]) or not (strict or less(y[0], x[1])):
            return True
        if less(y[1], x[0]) or (strict and not less(x[0], y[1])):
            return False
        return None

    def defined(self, formula: Term) -> None:
        """Check that every part of a condition has a value.

        Raises:
            Undefined: some part may have none.
        """
        for part in formula.parts:
            if part.op in ("<=", "<", "=", "and", "or", "not"):
                self.defined(part)
            else:
                self.value(part)


def _touches(x: Interval) -> bool:
    return x[0][0] == 0 or x[1][0] == 0


def inequalities_of(premise: Term) -> list[tuple[Term, bool]]:
    """(e, strict) of each inequality e > 0 or e >= 0 that a premise says."""
    if premise.op == "and":
        return [found for part in premise.parts for found in inequalities_of(part)]
    if premise.op == "=":
        a, b = premise.parts
        return [(minus(a, b), False), (minus(b, a), False)]
    found = relation_of(premise)
    return [found] if found is not None else []


def _says_positive(premise: Term, name: str) -> bool:
    """The premise is 0 < name, or c <= name with a number c > 0."""
    if premise.op not in ("<", "<=") or premise.parts[1] is not variable(name):
        return False
    low = value_of(premise.parts[0])
    return low is not None and (low > 0 or (low == 0 and premise.op == "<"))
