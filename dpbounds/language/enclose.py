"""Expression + box → ball: the one reading of a sympy expression in interval arithmetic.

`compile_expression` turns an expression into a `Program`, a straight-line list of ball operations, evaluated on one ball for each
variable; the result contains the expression's value at every point of the box where the expression is defined.
A NaN ball means "undefined somewhere, or unknown" and never decides anything.

What an expression may contain is listed in `docs/claim-language.md`; anything else raises `LanguageError` naming it.
Quantities of `dpbounds.language.functions` are evaluated by functions that modules above register with `register`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy
from flint import acb, arb, ctx, fmpq

from dpbounds.errors import ForeignError, LanguageError, PrecisionError
from dpbounds.language import functions
from dpbounds.language.binders import conditions_of_range
from dpbounds.language.extrema import supremum
from dpbounds.language.improper import is_nonnegative, series, with_open_ends, with_tails
from dpbounds.language.outside import way_round
from dpbounds.language.programs import BUILDERS, MOST_TERMS, NAN, Compiler, compile_expression, shortened, where_surely, whole_of
from dpbounds.language.programs import Program as Program
from dpbounds.language.programs import compare as compare
from dpbounds.language.programs import from_zero as from_zero
from dpbounds.numbers import balls
from dpbounds.numbers.exact import Exact

Evaluator = Callable[..., arb]

_REGISTRY: dict[type, Evaluator] = {}
_FEWEST_EVALUATIONS, _EVALUATIONS_A_BIT = 1000, 250


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
        return balls.Enclosure.of_ball(compile_expression(expression, names)(values))


def _between(low: Any, high: Any, bits: int) -> arb:
    if all(isinstance(end, (int, Fraction, sympy.Rational)) for end in (low, high)):
        return balls.interval(*(Fraction(int(sympy.Rational(end).p), int(sympy.Rational(end).q)) for end in (low, high)))
    return _to_ball(low, bits).union(_to_ball(high, bits)) if low != high else _to_ball(low, bits)


def _to_ball(value: Any, bits: int) -> arb:
    if isinstance(value, sympy.Rational):
        return arb(fmpq(int(value.p), int(value.q)))
    return ball_of(value, bits)


def _build_sum(compiler: Compiler, node: sympy.Sum) -> int:
    if len(node.limits) != 1 or len(node.limits[0]) != 3:
        raise ForeignError(f"a sum needs one index with two limits: {shortened(node)}")
    variable, low, high = node.limits[0]
    inner = compile_expression(node.function, (*compiler.variables, variable))
    width = len(compiler.variables)
    if low == -sympy.oo:
        raise ForeignError(f"a sum starts at a number: {shortened(node)}; write it as two sums, or turn the index around")

    def total(first: arb, last: arb, *outer: arb) -> arb:
        if not (first.is_exact() and first.is_integer() and last.is_exact() and last.is_integer()):
            return NAN
        start, stop = whole_of(first), whole_of(last)
        # Conventions differ on sums that run backwards, so they have no value here; one step back is the empty sum.
        if not -1 <= stop - start <= MOST_TERMS:
            return NAN
        result = arb(0)
        for position in range(start, stop + 1):
            result = result + inner([*outer, arb(position)])
        return result

    if high == sympy.oo:
        total = series(total, node.function, variable, compiler.variables, _goal_of)
    value = compiler.emit(total, compiler.visit(low), compiler.visit(high), *range(width))
    return where_surely(compiler, value, conditions_of_range("sum", variable, low, high))


def _goal_of(values: Sequence[arb]) -> arb:
    """What an integral aims at: on a box its value is as wide as the box makes it, and finer nodes only cost time.

    The goal decides how much work is done; what comes out is an enclosure whatever it is.
    """
    widest = max((float(value.rad()) for value in values if value.is_finite()), default=0.0)
    return arb(max(2.0**-ctx.prec, min(2.0**-6, widest / 64)))


def _evaluations(goal: arb) -> int:
    """How many are worth their time; an integral that needs more comes back as a wide ball."""
    return _FEWEST_EVALUATIONS + round(_EVALUATIONS_A_BIT * -math.log2(float(goal)))


def _build_integral(compiler: Compiler, node: sympy.Integral) -> int:
    if len(node.limits) != 1 or len(node.limits[0]) != 3:
        raise ForeignError(f"an integral needs one variable with two limits: {shortened(node)}")
    variable, low, high = node.limits[0]
    if variable.is_integer or variable.is_nonpositive:
        raise ForeignError(f"an integral runs over a real or a positive variable: {shortened(node)}")
    integrand = _compile_complex(node.function, (*compiler.variables, variable))
    width = len(compiler.variables)
    infinite = (low == -sympy.oo, high == sympy.oo)
    if sympy.oo == low or high == -sympy.oo:
        raise ForeignError(f"an integral runs from its smaller limit to its larger one where one is infinite: {shortened(node)}")

    def total(first: arb, last: arb, *outer: arb) -> arb:
        if not (first.is_finite() and last.is_finite()):
            return NAN
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
        return value.real if value.imag.contains(0) else NAN

    if low.is_Rational or high.is_Rational:
        total = with_open_ends(total, node.function, variable, (low, high), compiler.variables, _goal_of)
    if any(infinite):
        total = with_tails(total, node.function, variable, infinite, compiler.variables, _goal_of)
    ends = [sympy.S.Zero if without_end else end for end, without_end in zip((low, high), infinite, strict=True)]
    value = compiler.emit(total, compiler.visit(ends[0]), compiler.visit(ends[1]), *range(width))
    return where_surely(compiler, value, conditions_of_range("integral", variable, low, high))


def _build_quantity(compiler: Compiler, node: functions.PrivacyQuantity) -> int:
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
                return NAN

        return compiler.emit(evaluate, *sources)
    if isinstance(node, functions.Extremum):
        return _build_extremum(compiler, node)
    meaning = node.definition()
    if meaning == node:
        raise LanguageError(f"no evaluator is known for {type(node).__name__} in this form: {shortened(node)}")
    if isinstance(node, functions.Divergence) and not node.is_table and any(end.is_infinite for end in node.args[3][1:]):
        return _of_measures(compiler, node, meaning)
    return compiler.visit(meaning)


def _build_extremum(compiler: Compiler, node: functions.Extremum) -> int:
    variable, low, high = node.args[1]
    largest = isinstance(node, functions.Supremum)
    if variable.is_integer:
        raise ForeignError(f"an extremum runs over a real variable: {shortened(node)}; state it with {variable} as a variable of the claim")
    if low.is_infinite or high.is_infinite:
        name, way, back = ("Supremum", "<=", ">=") if largest else ("Infimum", ">=", "<=")
        raise ForeignError(
            f"an extremum over an unbounded range has no enclosure; {name}(f, ...) {way} c says f {way} c for all {variable}: state it "
            f"with {variable} as a variable; {name}(f, ...) {back} c follows from f {back} c at one {variable}: state it there"
        )
    inner = compile_expression(node.args[0], (*compiler.variables, variable))
    width = len(compiler.variables)

    def extreme(first: arb, last: arb, *outer: arb) -> arb:
        found = supremum(lambda t: inner([*outer, t]) if largest else -inner([*outer, t]), first, last, _goal_of((first, last, *outer)))
        return found if largest else -found

    value = compiler.emit(extreme, compiler.visit(low), compiler.visit(high), *range(width))
    return where_surely(compiler, value, [sympy.sympify(c) for c in node.conditions()])


def _of_measures(compiler: Compiler, node: functions.Divergence, meaning: sympy.Expr) -> int:
    """A divergence over an unbounded range: it has a value where both densities are surely nonnegative on the whole box.

    Where the definition divides by q, sympy may have cancelled what is 0 in p and in q, so that q has to be positive.
    """
    p, q, (variable, *_) = node.args[1:]
    shown = [is_nonnegative(p, variable, compiler.variables), is_nonnegative(q, variable, compiler.variables, strictly=node.divides)]

    def guarded(value: arb, *values: arb) -> arb:
        return value if all(check(values) for check in shown) else NAN

    return compiler.emit(guarded, compiler.visit(meaning), *range(len(compiler.variables)))


BUILDERS |= {sympy.Sum: _build_sum, sympy.Integral: _build_integral, functions.PrivacyQuantity: _build_quantity}


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
        raise ForeignError(f"{type(node).__name__} cannot stand inside an integral: {shortened(node)}{way_round(node)}")

    return build(expression)
