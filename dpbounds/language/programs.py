"""Expressions as programs on balls: arithmetic, functions, conditions and cases.

Sums, integrals, extrema and privacy quantities are added by `language.enclose`, which has the words for all of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import sympy
from flint import arb, fmpq, fmpz
from sympy.logic.boolalg import Boolean, BooleanFalse, BooleanTrue

from dpbounds.errors import ForeignError, LanguageError
from dpbounds.language import functions
from dpbounds.language.kinds import entry_for
from dpbounds.language.normal import normal_cdf, normal_quantile
from dpbounds.language.outside import way_round
from dpbounds.language.quantifiers import ForAll, range_of
from dpbounds.numbers import balls

Truth = bool | None
"""True and False are certain for the whole box; None is unknown."""
NAN = arb.nan()
MOST_TERMS = 100_000
_RADIUS_BITS = 64  # more than the mantissa of a radius, so that a radius is a midpoint without rounding


class Program:
    """A compiled expression: call it with one ball for each variable, at the precision that is set.

    Attributes:
        expression: what was compiled.
        variables: the order of the arguments.
    """

    def __init__(self, expression: Any, variables: Sequence[sympy.Symbol], steps: list[tuple[Callable[..., Any], tuple[int, ...]]]) -> None:
        self.expression = expression
        self.variables = tuple(variables)
        self._steps = steps

    def __call__(self, values: Sequence[arb]) -> Any:
        registers: list[Any] = list(values)
        append = registers.append
        for operation, sources in self._steps:
            append(operation(*[registers[source] for source in sources]))
        return registers[-1]


def compile_expression(expression: Any, variables: Sequence[sympy.Symbol]) -> Program:
    """Compile an expression (to balls) or a condition (to True, False, None) over the given variables.

    Raises:
        LanguageError: a free symbol that is not a variable, or a construct outside the claim language.
    """
    compiler = Compiler(tuple(variables))
    compiler.visit(sympy.sympify(expression))
    if not compiler.steps:
        compiler.emit(lambda value: value, compiler.visit(sympy.sympify(expression)))
    return Program(expression, variables, compiler.steps)


class Compiler:
    """Turns the nodes of an expression into steps; a node that occurs again is one step."""

    def __init__(self, variables: tuple[sympy.Symbol, ...]) -> None:
        self.variables = variables
        self.steps: list[tuple[Callable[..., Any], tuple[int, ...]]] = []
        self.known: dict[Any, int] = {variable: position for position, variable in enumerate(variables)}

    def emit(self, operation: Callable[..., Any], *sources: int) -> int:
        """The register of one more step."""
        self.steps.append((operation, sources))
        return len(self.variables) + len(self.steps) - 1

    def visit(self, node: Any) -> int:
        """The register of a node."""
        if node not in self.known:
            self.known[node] = self._build(node)
        return self.known[node]

    def _build(self, node: Any) -> int:
        if node in (sympy.nan, sympy.zoo):
            return self.emit(arb.nan)
        if (build := entry_for(BUILDERS, node)) is not None:
            return build(self, node)
        raise ForeignError(f"{type(node).__name__} is not part of the claim language: {shortened(node)}{way_round(node)}")


def shortened(node: Any) -> str:
    """The text of a node for a message."""
    text = str(node)
    return text if len(text) < 100 else text[:97] + "..."


# --- numbers -------------------------------------------------------------------------------------------------------


def _refuse_float(compiler: Compiler, node: sympy.Float) -> int:
    raise ForeignError(f"the Float {node} is not exact; write Rational or a string such as '0.01'")


def _build_integer(compiler: Compiler, node: sympy.Integer) -> int:
    whole = fmpz(int(node))
    return compiler.emit(lambda: arb(whole))


def _build_rational(compiler: Compiler, node: sympy.Rational) -> int:
    ratio = fmpq(int(node.p), int(node.q))
    return compiler.emit(lambda: arb(ratio))


def _build_number(compiler: Compiler, node: sympy.Number) -> int:
    if node is sympy.oo:
        return compiler.emit(arb.pos_inf)
    if node is sympy.S.NegativeInfinity:
        return compiler.emit(arb.neg_inf)
    raise LanguageError(f"{node} is not a real number")


_CONSTANTS: dict[Any, Callable[[], arb]] = {
    sympy.pi: arb.pi,
    sympy.E: arb.const_e,
    sympy.EulerGamma: arb.const_euler,
    sympy.Catalan: arb.const_catalan,
}


def _build_constant(compiler: Compiler, node: sympy.NumberSymbol) -> int:
    if node not in _CONSTANTS:
        raise ForeignError(f"the constant {node} is not part of the claim language{way_round(node)}")
    return compiler.emit(_CONSTANTS[node])


# --- arithmetic ----------------------------------------------------------------------------------------------------


def _add(*terms: arb) -> arb:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    # Radii are rounded up, so a sum of terms >= 0 may seem to reach a little below 0.
    if not (total >= 0 or total <= 0):
        if all(term >= 0 for term in terms):
            return from_zero(total)
        if all(term <= 0 for term in terms):
            return -from_zero(-total)
    return total


def _multiply(*factors: arb) -> arb:
    total = factors[0]
    for factor in factors[1:]:
        total = total * factor
    return _with_sign(total, factors)


def _divide(numerator: arb, denominator: arb) -> arb:
    return _with_sign(numerator / denominator, (numerator, denominator))


def _with_sign(total: arb, factors: Sequence[arb]) -> arb:
    """A product that reaches a little over 0 by rounding alone, cut off at 0: the signs of its factors are known."""
    if total >= 0 or total <= 0 or not total.is_finite():
        return total
    positive = [factor >= 0 for factor in factors]
    if not all(up or factor <= 0 for up, factor in zip(positive, factors, strict=True)):
        return total
    return from_zero(total) if positive.count(False) % 2 == 0 else -from_zero(-total)


def _build_add(compiler: Compiler, node: sympy.Add) -> int:
    return compiler.emit(_add, *(compiler.visit(part) for part in node.args))


def _build_multiply(compiler: Compiler, node: sympy.Mul) -> int:
    if node.args[0] is sympy.S.NegativeOne:
        # A change of sign is exact; a product rounds, and could reach over 0 or 1.
        return compiler.emit(operator.neg, compiler.visit(sympy.Mul(*node.args[1:], evaluate=False)))
    top, bottom = [], []
    for part in node.args:
        if isinstance(part, sympy.Pow) and part.exp.is_Rational and part.exp.is_negative:
            bottom.append(compiler.visit(part.base**-part.exp))
        else:
            top.append(compiler.visit(part))
    if not bottom:
        return compiler.emit(_multiply, *top)
    numerator = compiler.emit(_multiply, *top) if top else compiler.emit(lambda: arb(1))
    denominator = compiler.emit(_multiply, *bottom)
    return compiler.emit(_divide, numerator, denominator)


def _whole_power(exponent: int) -> Callable[[arb], arb]:
    size = abs(exponent)
    return (lambda base: integer_power(base, size)) if exponent >= 0 else (lambda base: 1 / integer_power(base, size))


def integer_power(base: arb, exponent: int) -> arb:
    """base^exponent for an integer exponent ≥ 0, by monotonicity at the ends when the base may be 0 or negative.

    (Arb's own power of a ball centred at 0 is NaN.)
    """
    if exponent == 0:
        return arb(1)
    if base > 0 or base.is_exact() or not base.is_finite():
        return base**exponent
    if base < 0:
        return (-base) ** exponent if exponent % 2 == 0 else -((-base) ** exponent)
    if exponent % 2 == 0:
        least, largest = base.abs_lower(), base.abs_upper() ** exponent
        return (least**exponent).union(largest) if least > 0 else from_zero(largest)
    if base >= 0:
        return from_zero(base.upper() ** exponent)
    if base <= 0:
        return -from_zero((-base).upper() ** exponent)
    return (base.lower() ** exponent).union(base.upper() ** exponent)


def from_zero(high: arb) -> arb:
    """A ball around [0, high] whose lower end is exactly 0 (a union would reach a little below)."""
    if not high.is_finite():
        return arb(0).union(high)
    with balls.precision(_RADIUS_BITS):
        around = arb(0, (high.upper() / 2).upper())
        return around + around.rad()  # the radius becomes the midpoint, exactly


def _build_power(compiler: Compiler, node: sympy.Pow) -> int:
    base, exponent = node.args
    if exponent.is_Integer:
        return compiler.emit(_whole_power(int(exponent)), compiler.visit(base))
    if base is sympy.E:
        return compiler.emit(_exp, compiler.visit(exponent))
    if exponent == sympy.Rational(1, 2):
        return compiler.emit(_sqrt, compiler.visit(base))
    if exponent == sympy.Rational(-1, 2):
        return compiler.emit(lambda value: 1 / _sqrt(value), compiler.visit(base))
    operation = _signed_power_ball if exponent.is_integer else _power_ball
    return compiler.emit(operation, compiler.visit(base), compiler.visit(exponent))


def _exp(value: arb) -> arb:
    return value.exp()


def _sqrt(value: arb) -> arb:
    """√ over the part of the ball where it is defined; NaN when that part is empty or the ball says nothing."""
    if value.upper() < 0 or value.is_nan():
        return NAN
    return value.sqrt() if value > 0 or value == 0 else from_zero(value.upper().sqrt())


def _power_ball(base: arb, exponent: arb) -> arb:
    """base^exponent for base ≥ 0 and a real exponent, by monotonicity at the ends when the base reaches 0."""
    if base > 0:
        return (exponent * base.log()).exp()
    if base.is_nan() or exponent.is_nan() or not base.upper() >= 0:
        return NAN
    if not exponent > 0:
        return NAN
    top = base.upper()
    if top == 0:
        return arb(0)
    return from_zero((exponent * top.log()).exp())


def _signed_power_ball(base: arb, exponent: arb) -> arb:
    """base^exponent for an exponent that takes integer values only: a base below 0 counts, with both signs unless the exponent is known."""
    if exponent.is_exact() and exponent.is_integer() and abs(exponent) < MOST_TERMS:
        whole = whole_of(exponent)
        return integer_power(base, whole) if whole >= 0 else 1 / integer_power(base, -whole)
    if base > 0:
        return (exponent * base.log()).exp()
    size = _power_ball(abs(base), exponent)
    return size if base >= 0 else size.union(-size)


# --- elementary functions ------------------------------------------------------------------------------------------


def _log(value: arb) -> arb:
    """log over the part of the ball where it is defined; −∞ at 0 makes the result unbounded, hence NaN."""
    return value.log() if value > 0 else NAN


def _minimum(*values: arb) -> arb:
    result = values[0]
    for value in values[1:]:
        result = NAN if value.is_nan() or result.is_nan() else result.min(value)
    return result


def _maximum(*values: arb) -> arb:
    result = values[0]
    for value in values[1:]:
        result = NAN if value.is_nan() or result.is_nan() else result.max(value)
    return result


def whole_of(value: arb) -> int:
    """The integer that an exact integral ball is."""
    return int(balls.to_fraction(value))


def _factorial(value: arb) -> arb:
    return value.fac() if value >= 0 else NAN


def _binomial(n: arb, k: arb) -> arb:
    """Binomial coefficient for an exact integer k; n may be any ball."""
    if not (k.is_exact() and k.is_integer()):
        return NAN
    lower = whole_of(k)
    if lower < 0:
        return arb(0)
    result = arb(1)
    for i in range(lower):
        result = result * (n - i) / (i + 1)
    return result


_FUNCTIONS: dict[type, Callable[..., arb]] = {
    sympy.exp: _exp,
    sympy.log: _log,
    sympy.erf: lambda x: x.erf(),
    sympy.erfc: lambda x: x.erfc(),
    sympy.Abs: lambda x: x if x >= 0 else -x if x <= 0 else from_zero(x.abs_upper()),
    sympy.Min: _minimum,
    sympy.Max: _maximum,
    sympy.sinh: lambda x: x.sinh(),
    sympy.cosh: lambda x: x.cosh(),
    sympy.tanh: lambda x: x.tanh(),
    sympy.gamma: lambda x: x.gamma(),
    sympy.factorial: _factorial,
    sympy.binomial: _binomial,
    sympy.floor: lambda x: x.floor(),
    sympy.ceiling: lambda x: x.ceil(),
    functions.NormalCDF: normal_cdf,
    functions.NormalQuantile: normal_quantile,
}


def _build_function(compiler: Compiler, node: sympy.Expr) -> int:
    if type(node) is sympy.log and len(node.args) != 1:
        raise ForeignError(f"a logarithm with a base is not part of the claim language: {shortened(node)}; write log(x)/log(b)")
    return compiler.emit(_FUNCTIONS[type(node)], *(compiler.visit(part) for part in node.args))


# --- conditions ----------------------------------------------------------------------------------------------------


def compare(relation: type, left: arb, right: arb) -> Truth:
    """Decide a relation between two balls; ∞ ≤ ∞ holds, NaN decides nothing."""
    if left.is_nan() or right.is_nan():
        return None
    if relation in (sympy.Ge, sympy.Gt):
        relation, left, right = (sympy.Le if relation is sympy.Ge else sympy.Lt), right, left
    if not left.is_finite() or not right.is_finite():
        ends = balls.Enclosure.of_ball(left), balls.Enclosure.of_ball(right)
        low, high = (ends[0].lower, ends[0].upper), (ends[1].lower, ends[1].upper)
    else:
        if relation is sympy.Le:
            return True if left <= right else (False if left > right else None)
        if relation is sympy.Lt:
            return True if left < right else (False if left >= right else None)
        same = left.is_exact() and right.is_exact() and left == right
        apart = left < right or left > right
        truth = True if same else (False if apart else None)
        return truth if relation is sympy.Eq or truth is None else not truth
    if relation is sympy.Le:
        return True if low[1] <= high[0] else (False if low[0] > high[1] else None)
    if relation is sympy.Lt:
        return True if low[1] < high[0] else (False if low[0] >= high[1] else None)
    disjoint = low[1] < high[0] or high[1] < low[0]
    point = low[0] == low[1] == high[0] == high[1]
    truth = False if disjoint else (True if point else None)
    return truth if relation is sympy.Eq or truth is None else not truth


def both(*truths: Truth) -> Truth:
    """A conjunction, which is unknown where a part is."""
    if any(truth is False for truth in truths):
        return False
    return True if all(truth is True for truth in truths) else None


def either(*truths: Truth) -> Truth:
    """A disjunction, which is unknown where a part is."""
    if any(truth is True for truth in truths):
        return True
    return False if all(truth is False for truth in truths) else None


def negated(truth: Truth) -> Truth:
    """The opposite."""
    return None if truth is None else not truth


def _build_relation(compiler: Compiler, node: sympy.core.relational.Relational) -> int:
    relation = type(node)
    return compiler.emit(lambda a, b: compare(relation, a, b), compiler.visit(node.lhs), compiler.visit(node.rhs))


def _refuse_boolean(compiler: Compiler, node: Boolean) -> int:
    raise ForeignError(f"{type(node).__name__} is not part of the claim language: {shortened(node)}")


def _joined(operation: Callable[..., Truth]) -> Callable[[Compiler, Any], int]:
    """A builder that applies an operation to the truths of the parts."""
    return lambda compiler, node: compiler.emit(operation, *(compiler.visit(part) for part in node.args))


def _build_for_all(compiler: Compiler, node: ForAll) -> int:
    """`body` for every value between two ends: True when it surely holds on the whole range and at its ends, else unknown."""
    ends = range_of(node)
    if ends is None:
        raise LanguageError(f"a range needs the form low <= {node.variable} <= high: {shortened(node)}")
    inner = compile_expression(node.body, (*compiler.variables, node.variable))
    width = len(compiler.variables)

    def throughout(low: arb, high: arb, *outer: arb) -> Truth:
        if low.is_nan() or high.is_nan():
            return None
        return True if low > high or inner([*outer, low.union(high)]) is True else None

    return compiler.emit(throughout, compiler.visit(ends[0]), compiler.visit(ends[1]), *range(width))


def _build_piecewise(compiler: Compiler, node: sympy.Piecewise) -> int:
    flat = [compiler.visit(part) for branch in node.args for part in (branch.expr, branch.cond)]

    def choose(*parts: Any) -> arb:
        result: arb | None = None
        for value, condition in zip(parts[::2], parts[1::2], strict=True):
            if condition is False:
                continue
            result = value if result is None else result.union(value)
            if condition is True:
                return result
        return NAN

    return compiler.emit(choose, *flat)


# --- sums, integrals, quantities -----------------------------------------------------------------------------------


def where_surely(compiler: Compiler, value: int, conditions: Sequence[Boolean]) -> int:
    """A value where conditions surely hold on the whole box, NaN elsewhere."""
    if not conditions:
        return value
    truths = map(compiler.visit, conditions)
    return compiler.emit(lambda found, *holds: found if both(*holds) is True else NAN, value, *truths)


BUILDERS: dict[Any, Callable[[Compiler, Any], int]] = {
    sympy.Float: _refuse_float,
    sympy.Integer: _build_integer,
    sympy.Rational: _build_rational,
    sympy.Number: _build_number,
    sympy.NumberSymbol: _build_constant,
    sympy.Add: _build_add,
    sympy.Mul: _build_multiply,
    sympy.Pow: _build_power,
    sympy.Piecewise: _build_piecewise,
    **dict.fromkeys(_FUNCTIONS, _build_function),
    sympy.core.relational.Relational: _build_relation,
    BooleanTrue: lambda compiler, node: compiler.emit(lambda: True),
    BooleanFalse: lambda compiler, node: compiler.emit(lambda: False),
    ForAll: _build_for_all,
    sympy.And: _joined(both),
    sympy.Or: _joined(either),
    sympy.Not: _joined(negated),
    sympy.Implies: _joined(lambda a, b: either(negated(a), b)),
    Boolean: _refuse_boolean,
}
"""What each kind of node becomes; `enclose` adds sums, integrals and quantities."""
