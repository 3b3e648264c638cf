"""Expression + box → ball: the one reading of a sympy expression in interval arithmetic.

`compile_expression` turns an expression into a `Program`, a straight-line list of ball operations, evaluated on one ball for each
variable; the result contains the expression's value at every point of the box where the expression is defined.
A NaN ball means "undefined somewhere, or unknown" and never decides anything.

What an expression may contain is listed in `docs/claim-language.md`; anything else raises `LanguageError` naming it.
Quantities of `dpbounds.language.functions` are evaluated by functions that modules above register with `register`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy
from flint import acb, arb, ctx, fmpq, fmpz
from sympy.logic.boolalg import Boolean, BooleanFalse, BooleanTrue

from dpbounds.errors import ForeignError, LanguageError, PrecisionError
from dpbounds.language import functions
from dpbounds.language.binders import conditions_of_range
from dpbounds.language.normal import normal_cdf, normal_quantile
from dpbounds.language.outside import way_round
from dpbounds.language.quantifiers import ForAll, range_of
from dpbounds.language.substitution import is_whole
from dpbounds.numbers import balls
from dpbounds.numbers.exact import Exact

Evaluator = Callable[..., arb]
Truth = bool | None
"""True and False are certain for the whole box; None is unknown."""

_REGISTRY: dict[type, Evaluator] = {}
_NAN = arb.nan()
_MAX_TERMS = 100_000
_FEWEST_EVALUATIONS, _EVALUATIONS_A_BIT = 1000, 250
_RADIUS_BITS = 64  # more than the mantissa of a radius, so that a radius is a midpoint without rounding


def register(quantity: type[sympy.Expr], evaluator: Evaluator) -> None:
    """Let `evaluator` enclose a quantity.

    It receives one argument for each argument of the quantity: a ball for a number, the sympy object itself for tables, limits and
    directions. It must return a ball containing the quantity at every point of the balls, NaN where it cannot.
    """
    _REGISTRY[quantity] = evaluator


def ball_of(value: Exact | int, bits: int) -> arb:
    """An exact number (a `Fraction` or a closed sympy number) as a ball at `bits` bits.

    >>> (ball_of(sympy.sqrt(2), 60) ** 2).contains(2)
    True
    """
    with balls.precision(bits):
        if isinstance(value, (int, Fraction)):
            return balls.ball(value)
        return compile_expression(value, ())([])


def enclose(expression: sympy.Expr, box: Mapping[sympy.Symbol, Any], bits: int = 100) -> balls.Enclosure:
    """Enclose an expression over a box.

    Args:
        expression: a sympy expression of the claim language.
        box: for each free symbol an exact number, or a pair (low, high) of exact numbers.
        bits: working precision.

    Returns:
        An interval that contains the expression at every point of the box where it is defined.

    >>> x = sympy.Symbol("x", real=True)
    >>> interval = enclose(sympy.exp(x) - 1, {x: (0, 1)})
    >>> interval.lower <= 0, interval.upper >= Fraction(1718, 1000)
    (True, True)
    """
    names = tuple(box)
    with balls.precision(bits):
        values = []
        for entry in box.values():
            low, high = entry if isinstance(entry, tuple) else (entry, entry)
            values.append(_between(low, high, bits))
        return balls.Enclosure.of(compile_expression(expression, names)(values))


def _between(low: Any, high: Any, bits: int) -> arb:
    if all(isinstance(end, (int, Fraction, sympy.Rational)) for end in (low, high)):
        return balls.interval(*(Fraction(int(sympy.Rational(end).p), int(sympy.Rational(end).q)) for end in (low, high)))
    return _to_ball(low, bits).union(_to_ball(high, bits)) if low != high else _to_ball(low, bits)


def _to_ball(value: Any, bits: int) -> arb:
    if isinstance(value, sympy.Rational):
        return arb(fmpq(int(value.p), int(value.q)))
    return ball_of(value, bits)


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
    compiler = _Compiler(tuple(variables))
    compiler.visit(sympy.sympify(expression))
    if not compiler.steps:
        compiler.emit(lambda value: value, compiler.visit(sympy.sympify(expression)))
    return Program(expression, variables, compiler.steps)


class _Compiler:
    def __init__(self, variables: tuple[sympy.Symbol, ...]) -> None:
        self.variables = variables
        self.steps: list[tuple[Callable[..., Any], tuple[int, ...]]] = []
        self.known: dict[Any, int] = {variable: position for position, variable in enumerate(variables)}

    def emit(self, operation: Callable[..., Any], *sources: int) -> int:
        self.steps.append((operation, sources))
        return len(self.variables) + len(self.steps) - 1

    def visit(self, node: Any) -> int:
        if node not in self.known:
            self.known[node] = self._build(node)
        return self.known[node]

    def _build(self, node: Any) -> int:
        if node in (sympy.nan, sympy.zoo):
            return self.emit(arb.nan)
        for kind, build in _BUILDERS:
            if isinstance(node, kind):
                return build(self, node)
        if isinstance(node, sympy.Symbol):
            raise LanguageError(f"the symbol {node} is not a variable of the statement")
        raise ForeignError(f"{type(node).__name__} is not part of the claim language: {_short(node)}{way_round(node)}")


def _short(node: Any) -> str:
    text = str(node)
    return text if len(text) < 100 else text[:97] + "..."


# --- numbers -------------------------------------------------------------------------------------------------------


def _build_number(compiler: _Compiler, node: sympy.Number) -> int:
    if isinstance(node, sympy.Float):
        raise ForeignError(f"the Float {node} is not exact; write Rational or a string such as '0.01'")
    if isinstance(node, sympy.Integer):
        whole = fmpz(int(node))
        return compiler.emit(lambda: arb(whole))
    if isinstance(node, sympy.Rational):
        ratio = fmpq(int(node.p), int(node.q))
        return compiler.emit(lambda: arb(ratio))
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


def _build_constant(compiler: _Compiler, node: sympy.NumberSymbol) -> int:
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


def _build_add(compiler: _Compiler, node: sympy.Add) -> int:
    return compiler.emit(_add, *(compiler.visit(part) for part in node.args))


def _build_multiply(compiler: _Compiler, node: sympy.Mul) -> int:
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


def _build_power(compiler: _Compiler, node: sympy.Pow) -> int:
    base, exponent = node.args
    if exponent.is_Integer:
        return compiler.emit(_whole_power(int(exponent)), compiler.visit(base))
    if base is sympy.E:
        return compiler.emit(_exp, compiler.visit(exponent))
    if exponent == sympy.Rational(1, 2):
        return compiler.emit(_sqrt, compiler.visit(base))
    if exponent == sympy.Rational(-1, 2):
        return compiler.emit(lambda value: 1 / _sqrt(value), compiler.visit(base))
    operation = signed_power_ball if is_whole(exponent) else power_ball
    return compiler.emit(operation, compiler.visit(base), compiler.visit(exponent))


def _exp(value: arb) -> arb:
    return value.exp()


def _sqrt(value: arb) -> arb:
    """√ over the part of the ball where it is defined; NaN when that part is empty or the ball says nothing."""
    if value.upper() < 0 or value.is_nan():
        return _NAN
    return value.sqrt() if value > 0 or value == 0 else from_zero(value.upper().sqrt())


def power_ball(base: arb, exponent: arb) -> arb:
    """base^exponent for base ≥ 0 and a real exponent, by monotonicity at the ends when the base reaches 0."""
    if base > 0:
        return (exponent * base.log()).exp()
    if base.is_nan() or exponent.is_nan() or not base.upper() >= 0:
        return _NAN
    if not exponent > 0:
        return _NAN
    top = base.upper()
    if top == 0:
        return arb(0)
    return from_zero((exponent * top.log()).exp())


def signed_power_ball(base: arb, exponent: arb) -> arb:
    """base^exponent for an exponent that takes integer values only: a base below 0 counts, with both signs unless the exponent is known."""
    if exponent.is_exact() and exponent.is_integer() and abs(exponent) < _MAX_TERMS:
        whole = _whole(exponent)
        return integer_power(base, whole) if whole >= 0 else 1 / integer_power(base, -whole)
    if base > 0:
        return (exponent * base.log()).exp()
    size = power_ball(abs(base), exponent)
    return size if base >= 0 else size.union(-size)


# --- elementary functions ------------------------------------------------------------------------------------------


def _log(value: arb) -> arb:
    """log over the part of the ball where it is defined; −∞ at 0 makes the result unbounded, hence NaN."""
    return value.log() if value > 0 else _NAN


def _minimum(*values: arb) -> arb:
    result = values[0]
    for value in values[1:]:
        result = _NAN if value.is_nan() or result.is_nan() else result.min(value)
    return result


def _maximum(*values: arb) -> arb:
    result = values[0]
    for value in values[1:]:
        result = _NAN if value.is_nan() or result.is_nan() else result.max(value)
    return result


def _whole(value: arb) -> int:
    """The integer that an exact integral ball is."""
    return int(balls.to_fraction(value))


def _factorial(value: arb) -> arb:
    return value.fac() if value >= 0 else _NAN


def _binomial(n: arb, k: arb) -> arb:
    """Binomial coefficient for an exact integer k; n may be any ball."""
    if not (k.is_exact() and k.is_integer()):
        return _NAN
    lower = _whole(k)
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


def _build_function(compiler: _Compiler, node: sympy.Expr) -> int:
    if isinstance(node, sympy.log) and len(node.args) != 1:
        raise ForeignError(f"a logarithm with a base is not part of the claim language: {_short(node)}; write log(x)/log(b)")
    return compiler.emit(_FUNCTIONS[type(node)], *(compiler.visit(part) for part in node.args))


# --- conditions ----------------------------------------------------------------------------------------------------


def compare(relation: type, left: arb, right: arb) -> Truth:
    """Decide a relation between two balls; ∞ ≤ ∞ holds, NaN decides nothing."""
    if left.is_nan() or right.is_nan():
        return None
    if relation in (sympy.Ge, sympy.Gt):
        relation, left, right = (sympy.Le if relation is sympy.Ge else sympy.Lt), right, left
    if not left.is_finite() or not right.is_finite():
        ends = balls.Enclosure.of(left), balls.Enclosure.of(right)
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


def _both(*truths: Truth) -> Truth:
    if any(truth is False for truth in truths):
        return False
    return True if all(truth is True for truth in truths) else None


def _either(*truths: Truth) -> Truth:
    if any(truth is True for truth in truths):
        return True
    return False if all(truth is False for truth in truths) else None


def _negate(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _build_relation(compiler: _Compiler, node: sympy.core.relational.Relational) -> int:
    relation = type(node)
    return compiler.emit(lambda a, b: compare(relation, a, b), compiler.visit(node.lhs), compiler.visit(node.rhs))


def _build_boolean(compiler: _Compiler, node: Boolean) -> int:
    if isinstance(node, BooleanTrue):
        return compiler.emit(lambda: True)
    if isinstance(node, BooleanFalse):
        return compiler.emit(lambda: False)
    if isinstance(node, ForAll):
        return _build_for_all(compiler, node)
    parts = [compiler.visit(part) for part in node.args]
    if isinstance(node, sympy.And):
        return compiler.emit(_both, *parts)
    if isinstance(node, sympy.Or):
        return compiler.emit(_either, *parts)
    if isinstance(node, sympy.Not):
        return compiler.emit(_negate, *parts)
    if isinstance(node, sympy.Implies):
        return compiler.emit(lambda a, b: _either(_negate(a), b), *parts)
    raise ForeignError(f"{type(node).__name__} is not part of the claim language: {_short(node)}")


def _build_for_all(compiler: _Compiler, node: ForAll) -> int:
    """`body` for every value between two ends: True when it surely holds on the whole range and at its ends, else unknown."""
    ends = range_of(node)
    if ends is None:
        raise LanguageError(f"a range needs the form low <= {node.variable} <= high: {_short(node)}")
    inner = compile_expression(node.body, (*compiler.variables, node.variable))
    width = len(compiler.variables)

    def throughout(low: arb, high: arb, *outer: arb) -> Truth:
        if low.is_nan() or high.is_nan():
            return None
        return True if low > high or inner([*outer, low.union(high)]) is True else None

    return compiler.emit(throughout, compiler.visit(ends[0]), compiler.visit(ends[1]), *range(width))


def _build_piecewise(compiler: _Compiler, node: sympy.Piecewise) -> int:
    flat = [compiler.visit(part) for branch in node.args for part in (branch.expr, branch.cond)]

    def choose(*parts: Any) -> arb:
        result: arb | None = None
        for value, condition in zip(parts[::2], parts[1::2], strict=True):
            if condition is False:
                continue
            result = value if result is None else result.union(value)
            if condition is True:
                return result
        return _NAN

    return compiler.emit(choose, *flat)


# --- sums, integrals, quantities -----------------------------------------------------------------------------------


def _build_sum(compiler: _Compiler, node: sympy.Sum) -> int:
    if len(node.limits) != 1 or len(node.limits[0]) != 3:
        raise ForeignError(f"a sum needs one index with two limits: {_short(node)}")
    variable, low, high = node.limits[0]
    inner = compile_expression(node.function, (*compiler.variables, variable))
    width = len(compiler.variables)
    if low == -sympy.oo:
        raise ForeignError(f"a sum starts at a number: {_short(node)}; write it as two sums, or turn the index around")

    def total(first: arb, last: arb, *outer: arb) -> arb:
        if not (first.is_exact() and first.is_integer() and last.is_exact() and last.is_integer()):
            return _NAN
        start, stop = _whole(first), _whole(last)
        # Conventions differ on sums that run backwards, so they have no value here; one step back is the empty sum.
        if not -1 <= stop - start <= _MAX_TERMS:
            return _NAN
        result = arb(0)
        for position in range(start, stop + 1):
            result = result + inner([*outer, arb(position)])
        return result

    if high == sympy.oo:
        from dpbounds.language.improper import series

        total = series(total, node.function, variable, compiler.variables, _goal_of)
    value = compiler.emit(total, compiler.visit(low), compiler.visit(high), *range(width))
    return _where(compiler, value, conditions_of_range("sum", variable, low, high))


def _where(compiler: _Compiler, value: int, conditions: Sequence[Boolean]) -> int:
    """A value where conditions surely hold on the whole box, NaN elsewhere."""
    if not conditions:
        return value
    truths = map(compiler.visit, conditions)
    return compiler.emit(lambda found, *holds: found if _both(*holds) is True else _NAN, value, *truths)


def _goal_of(values: Sequence[arb]) -> arb:
    """What an integral aims at: on a box its value is as wide as the box makes it, and finer nodes only cost time.

    The goal decides how much work is done; what comes out is an enclosure whatever it is.
    """
    widest = max((float(value.rad()) for value in values if value.is_finite()), default=0.0)
    return arb(max(2.0**-ctx.prec, min(2.0**-6, widest / 64)))


def _evaluations(goal: arb) -> int:
    """How many are worth their time; an integral that needs more comes back as a wide ball."""
    return _FEWEST_EVALUATIONS + round(_EVALUATIONS_A_BIT * -math.log2(float(goal)))


def _build_integral(compiler: _Compiler, node: sympy.Integral) -> int:
    if len(node.limits) != 1 or len(node.limits[0]) != 3:
        raise ForeignError(f"an integral needs one variable with two limits: {_short(node)}")
    variable, low, high = node.limits[0]
    if variable.is_integer or variable.is_nonpositive:
        raise ForeignError(f"an integral runs over a real or a positive variable: {_short(node)}")
    integrand = _compile_complex(node.function, (*compiler.variables, variable))
    width = len(compiler.variables)
    infinite = (low == -sympy.oo, high == sympy.oo)
    if sympy.oo == low or high == -sympy.oo:
        raise ForeignError(f"an integral runs from its smaller limit to its larger one where one is infinite: {_short(node)}")

    def total(first: arb, last: arb, *outer: arb) -> arb:
        if not (first.is_finite() and last.is_finite()):
            return _NAN
        fixed = [acb(value) for value in outer]
        goal = _goal_of((first, last, *outer))
        value = acb.integral(
            lambda point, analytic: integrand([*fixed, point], analytic),
            acb(first),
            acb(last),
            rel_tol=goal,
            abs_tol=goal,
            eval_limit=_evaluations(goal),
        )
        return value.real if value.imag.contains(0) else _NAN

    if low.is_Rational or high.is_Rational:
        from dpbounds.language.improper import with_open_ends

        total = with_open_ends(total, node.function, variable, (low, high), compiler.variables, _goal_of)
    if any(infinite):
        from dpbounds.language.improper import with_tails

        total = with_tails(total, node.function, variable, infinite, compiler.variables, _goal_of)
    ends = [sympy.S.Zero if without_end else end for end, without_end in zip((low, high), infinite, strict=True)]
    value = compiler.emit(total, compiler.visit(ends[0]), compiler.visit(ends[1]), *range(width))
    return _where(compiler, value, conditions_of_range("integral", variable, low, high))


def _build_quantity(compiler: _Compiler, node: functions.PrivacyQuantity) -> int:
    """By the elementary form if there is one, else by the registered evaluator, else by the definition."""
    elementary = node.elementary()
    if elementary is not None:
        return compiler.visit(elementary)
    if type(node) in _REGISTRY:
        evaluator, fixed, sources = _REGISTRY[type(node)], {}, []
        for position, part in enumerate(node.args):
            if isinstance(part, (sympy.Tuple, sympy.core.symbol.Str)) or (
                isinstance(part, sympy.Symbol) and str(part) in functions.DIRECTIONS
            ):
                fixed[position] = part
            else:
                sources.append(compiler.visit(part))

        def evaluate(*values: arb) -> arb:
            supply = iter(values)
            try:
                return evaluator(*(fixed[i] if i in fixed else next(supply) for i in range(len(node.args))))
            except PrecisionError:
                return _NAN

        return compiler.emit(evaluate, *sources)
    if isinstance(node, functions.Extremum):
        return _build_extremum(compiler, node)
    meaning = node.definition()
    if meaning == node:
        raise LanguageError(f"no evaluator is known for {type(node).__name__} in this form: {_short(node)}")
    if isinstance(node, functions.Divergence) and not node.is_table and any(end.is_infinite for end in node.args[3][1:]):
        return _of_measures(compiler, node, meaning)
    return compiler.visit(meaning)


def _build_extremum(compiler: _Compiler, node: functions.Extremum) -> int:
    variable, low, high = node.args[1]
    largest = isinstance(node, functions.Supremum)
    if variable.is_integer:
        raise ForeignError(f"an extremum runs over a real variable: {_short(node)}; state it with {variable} as a variable of the claim")
    if low.is_infinite or high.is_infinite:
        name, way, back = ("Supremum", "<=", ">=") if largest else ("Infimum", ">=", "<=")
        raise ForeignError(
            f"an extremum over an unbounded range has no enclosure; {name}(f, ...) {way} c says f {way} c for all {variable}: state it "
            f"with {variable} as a variable; {name}(f, ...) {back} c follows from f {back} c at one {variable}: state it there"
        )
    inner = compile_expression(node.args[0], (*compiler.variables, variable))
    width = len(compiler.variables)

    def extreme(first: arb, last: arb, *outer: arb) -> arb:
        from dpbounds.language.extrema import supremum

        found = supremum(lambda t: inner([*outer, t]) if largest else -inner([*outer, t]), first, last, _goal_of((first, last, *outer)))
        return found if largest else -found

    value = compiler.emit(extreme, compiler.visit(low), compiler.visit(high), *range(width))
    return _where(compiler, value, [sympy.sympify(c) for c in node.conditions()])


def _of_measures(compiler: _Compiler, node: functions.Divergence, meaning: sympy.Expr) -> int:
    """A divergence over an unbounded range: it has a value where both densities are surely nonnegative on the whole box.

    Where the definition divides by q, sympy may have cancelled what is 0 in p and in q, so that q has to be positive.
    """
    from dpbounds.language.improper import is_nonnegative

    p, q, (variable, *_) = node.args[1:]
    shown = [is_nonnegative(p, variable, compiler.variables), is_nonnegative(q, variable, compiler.variables, strictly=node.divides)]

    def guarded(value: arb, *values: arb) -> arb:
        return value if all(check(values) for check in shown) else _NAN

    return compiler.emit(guarded, compiler.visit(meaning), *range(len(compiler.variables)))


_BUILDERS: list[tuple[Any, Callable[[_Compiler, Any], int]]] = [
    (sympy.Number, _build_number),
    (sympy.NumberSymbol, _build_constant),
    (sympy.Add, _build_add),
    (sympy.Mul, _build_multiply),
    (sympy.Pow, _build_power),
    (sympy.Piecewise, _build_piecewise),
    (tuple(_FUNCTIONS), _build_function),
    (sympy.Sum, _build_sum),
    (sympy.Integral, _build_integral),
    (functions.PrivacyQuantity, _build_quantity),
    (sympy.core.relational.Relational, _build_relation),
    (Boolean, _build_boolean),
]


# --- complex integrands --------------------------------------------------------------------------------------------


def _compile_complex(expression: sympy.Expr, variables: Sequence[sympy.Symbol]) -> Callable[[list[acb], bool], acb]:
    """An integrand over the complex plane that honours Arb's `analytic` flag (a branch cut inside the ball gives NaN)."""
    positions = {variable: position for position, variable in enumerate(variables)}

    def build(node: Any) -> Callable[[list[acb], bool], acb]:
        if node in positions:
            position = positions[node]
            return lambda values, analytic: values[position]
        if not node.free_symbols & set(positions):
            constant = compile_expression(node, ())
            return lambda values, analytic: acb(constant([]))
        if isinstance(node, sympy.Add):
            parts = [build(part) for part in node.args]
            return lambda values, analytic: sum((part(values, analytic) for part in parts), acb(0))
        if isinstance(node, sympy.Mul):
            parts = [build(part) for part in node.args]

            def product(values: list[acb], analytic: bool) -> acb:
                result = acb(1)
                for part in parts:
                    result = result * part(values, analytic)
                return result

            return product
        if isinstance(node, sympy.Pow):
            base, exponent = build(node.base), build(node.exp)
            if node.exp.is_Integer:
                whole = int(node.exp)
                return lambda values, analytic: base(values, analytic) ** whole
            return lambda values, analytic: base(values, analytic).pow(exponent(values, analytic), analytic=analytic)
        if isinstance(node, sympy.exp):
            inner = build(node.args[0])
            return lambda values, analytic: inner(values, analytic).exp()
        if isinstance(node, sympy.log):
            inner = build(node.args[0])
            return lambda values, analytic: inner(values, analytic).log(analytic=analytic)
        if isinstance(node, functions.NormalCDF):
            inner = build(node.args[0])
            return lambda values, analytic: (-inner(values, analytic) / arb(2).sqrt()).erfc() / 2
        if isinstance(node, (sympy.erf, sympy.erfc, sympy.sinh, sympy.cosh, sympy.tanh)):
            inner, name = build(node.args[0]), type(node).__name__
            return lambda values, analytic: getattr(inner(values, analytic), name)()
        if isinstance(node, (sympy.factorial, sympy.gamma)):  # analytic wherever it is finite
            inner, more = build(node.args[0]), int(isinstance(node, sympy.factorial))
            return lambda values, analytic: (inner(values, analytic) + more).gamma()
        if isinstance(node, sympy.Abs):
            inner = build(node.args[0])
            return lambda values, analytic: inner(values, analytic).real_abs(analytic=analytic)
        if isinstance(node, (sympy.Min, sympy.Max)):
            parts, name = [build(part) for part in node.args], "real_min" if isinstance(node, sympy.Min) else "real_max"

            def extreme(values: list[acb], analytic: bool) -> acb:
                result = parts[0](values, analytic)
                for part in parts[1:]:
                    result = getattr(result, name)(part(values, analytic), analytic=analytic)
                return result

            return extreme
        raise ForeignError(f"{type(node).__name__} cannot stand inside an integral: {_short(node)}{way_round(node)}")

    return build(expression)
