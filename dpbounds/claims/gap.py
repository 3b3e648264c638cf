"""One relation as a gap that must be ≥ 0 (or > 0), bounded from below on boxes in several ways.

Natural evaluation, monotonicity and mean-value forms from the gradient, and Taylor forms from a face x = a of the domain where the
gap vanishes identically: gap = Dᵐ gap(ξ)·(x−a)ᵐ/m! when all lower derivatives vanish on the face, so the sign of Dᵐ between the
face and the box decides.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds import balls, enclose, functions
from dpbounds.balls import Ball
from dpbounds.claims import definedness
from dpbounds.errors import LanguageError

Box = tuple[tuple[Fraction, Fraction], ...]
_MAX_TAYLOR_ORDER = 4
_NOT_SMOOTH = (
    sympy.Piecewise,
    sympy.Abs,
    sympy.Max,
    sympy.Min,
    sympy.floor,
    sympy.ceiling,
    sympy.Integral,
    sympy.Sum,
    sympy.factorial,
    sympy.binomial,
)


@dataclass(frozen=True)
class Bound:
    """What is known of a gap on a box.

    Attributes:
        truth: True when the relation surely holds on the whole box, False when it surely fails everywhere on it.
        margin: a lower bound of the gap (NaN when nothing is known).
        method: "natural", "monotone", "mean-value" or "taylor-face".
        slopes: bounds of the partial derivatives, where the gap is smooth.
    """

    truth: bool | None
    margin: Ball
    method: str
    slopes: tuple[Ball, ...] | None


class Gap:
    """A relation `small <= large` (or `<`) over variables, as the gap `large - small`.

    Args:
        relation: a sympy `<=`, `<`, `>=` or `>`.
        variables: the coordinates of boxes.
        faces: for each variable the exact (low, high) bounds of the domain, None where unbounded.
        premises: what holds on the domain; denominators that they make positive are cleared.
    """

    def __init__(
        self,
        relation: sympy.core.relational.Relational,
        variables: tuple[sympy.Symbol, ...],
        faces: Box | tuple[tuple[Fraction | None, Fraction | None], ...],
        premises: tuple[Boolean, ...] = (),
    ) -> None:
        if not isinstance(relation, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
            raise LanguageError(f"boxes decide <=, <, >= and >, not {type(relation).__name__}: {relation}")
        large, small = (relation.rhs, relation.lhs) if isinstance(relation, (sympy.Le, sympy.Lt)) else (relation.lhs, relation.rhs)
        self.relation, self.variables, self._bounds = relation, variables, faces
        self.strict = isinstance(relation, (sympy.Lt, sympy.Gt))
        for side in (large, small):
            enclose.compile_expression(side, variables)  # each side must be in the language, also what cancels in the difference
        difference = functions.expand_quantities(large) - functions.expand_quantities(small)
        self.expression = without_positive_denominators(difference, premises)
        self._value = enclose.compile_expression(self.expression, variables)

    @cached_property
    def _gradient(self) -> list[enclose.Program | None] | None:
        if self.expression.has(*_NOT_SMOOTH) or self.expression.has(functions.PrivacyQuantity):
            return None
        return [self._slope(v) for v in self.variables]

    def _slope(self, variable: sympy.Symbol) -> enclose.Program | None:
        try:
            return enclose.compile_expression(sympy.diff(self.expression, variable), self.variables)
        except LanguageError:
            return None  # a derivative outside the language, such as that of gamma

    @cached_property
    def _regular(self) -> list[enclose.Program]:
        """Conditions under which the gap is defined on a whole box, as slopes and Taylor forms need, points outside the domain included."""
        return [enclose.compile_expression(c, self.variables) for c in definedness.conditions_of(self.expression)]

    def _is_regular(self, values: list[Ball]) -> bool:
        return all(condition(values) is True for condition in self._regular)

    @cached_property
    def _taylor_faces(self) -> list[tuple[int, Fraction, bool, int, enclose.Program]]:
        """(variable, face, is the low face, order m, Dᵐ gap) for each face on which the gap vanishes identically."""
        if self._gradient is None:
            return []
        found = []
        for position, (variable, bounds) in enumerate(zip(self.variables, self._bounds, strict=True)):
            for face, low in zip(bounds, (True, False), strict=True):
                if face is None:
                    continue
                derivative, order = self.expression, 0
                at = sympy.Rational(face.numerator, face.denominator)
                while order <= _MAX_TAYLOR_ORDER and _vanishes(derivative, variable, at):
                    derivative, order = sympy.diff(derivative, variable), order + 1
                if 0 < order <= _MAX_TAYLOR_ORDER:
                    with suppress(LanguageError):
                        found.append((position, face, low, order, enclose.compile_expression(derivative, self.variables)))
        return found

    def on(self, box: Box, values: list[Ball] | None = None, *, touching: bool = False) -> Bound:
        """Bound the gap on a box at the precision that is set.

        Args:
            box: exact bounds of each variable.
            values: the same as balls, where the caller has them.
            touching: also try Taylor forms from faces of the domain (costs symbolic work the first time).
        """
        values = values or [_ball(side) for side in box]
        natural = self._value(values)
        if natural.is_nan():
            natural_truth: bool | None = None
        elif self._enough(natural):
            return Bound(True, natural.lower(), "natural", None)
        else:
            natural_truth = False if (natural < 0 or (self.strict and natural <= 0)) else None
        if natural_truth is False:
            return Bound(False, natural.lower(), "natural", None)
        slopes = None
        if self._gradient is not None:
            slopes = tuple(Ball.nan() if program is None else program(values) for program in self._gradient)
            better = self._by_slopes(box, values, slopes)
            if better is not None and self._is_regular(values):
                return better
        if touching and not self.strict:
            for position, face, low, order, derivative in self._taylor_faces:
                # The form needs the derivative on the whole segment from the face to the box.
                side = (face, box[position][1]) if low else (box[position][0], face)
                reach = [_ball(side) if i == position else value for i, value in enumerate(values)]
                signed = derivative(reach)
                if not signed.is_nan() and (signed >= 0 if low or order % 2 == 0 else signed <= 0) and self._is_regular(reach):
                    return Bound(True, Ball(0), "taylor-face", slopes)
        return Bound(None, natural.lower() if not natural.is_nan() else natural, "natural", slopes)

    def _enough(self, value: Ball) -> bool:
        return bool(value > 0) if self.strict else bool(value >= 0)

    def _by_slopes(self, box: Box, values: list[Ball], slopes: tuple[Ball, ...]) -> Bound | None:
        """By the slopes that are known; along every other side the whole interval stays."""
        corner, loose, monotone = list(values), [], False
        for position, ((low, high), slope) in enumerate(zip(box, slopes, strict=True)):
            if low == high or not slope.is_finite():
                continue
            if slope >= 0 or slope <= 0:
                corner[position], monotone = balls.ball(low if slope >= 0 else high), True
            else:
                loose.append(position)
        if monotone:
            value = self._value(corner)
            if not value.is_nan() and self._enough(value):
                return Bound(True, value.lower(), "monotone", slopes)
        if loose:
            centre = list(corner)
            for position in loose:
                low, high = box[position]
                centre[position] = balls.ball((low + high) / 2)
            value = self._value(centre)
            for position in loose:
                value = value + slopes[position] * (values[position] - centre[position])
            if not value.is_nan() and self._enough(value):
                return Bound(True, value.lower(), "mean-value", slopes)
        return None


def _ball(side: tuple[Fraction, Fraction]) -> Ball:
    return balls.interval(*side)


def without_positive_denominators(gap: sympy.Expr, premises: tuple[Boolean, ...]) -> sympy.Expr:
    """The gap times its denominators that are positive on the whole domain: the sign is the same, and a face where both vanish is regular.

    >>> x = sympy.Symbol("x", real=True)
    >>> without_positive_denominators(1 - sympy.log(x) / (x - 1), (x > 1,))
    x - log(x) - 1
    """
    denominators: dict[sympy.Expr, int] = {}
    for term in sympy.Add.make_args(gap):
        for factor in sympy.Mul.make_args(term):
            base, exponent = factor.as_base_exp()
            if exponent.is_Integer and exponent < 0 and isinstance(base, sympy.Add):
                denominators[base] = max(denominators.get(base, 0), int(-exponent))
    factor = sympy.Mul(*(base**power for base, power in denominators.items() if not definedness.unsettled([base > 0], premises)))
    return gap if factor == 1 else sympy.Add(*(sympy.cancel(factor * term) for term in sympy.Add.make_args(gap)))


def _vanishes(expression: sympy.Expr, variable: sympy.Symbol, at: sympy.Rational) -> bool:
    """True when the expression is identically zero on the face: not contradicted by balls (which costs little), and shown symbolically."""
    on_face = expression.subs(variable, at)
    if on_face == 0:
        return True
    if on_face.has(sympy.nan, sympy.zoo, sympy.oo):
        return False
    others = tuple(sorted(on_face.free_symbols, key=str))
    program = enclose.compile_expression(on_face, others)
    with balls.precision(128):
        samples = [program([balls.ball(Fraction(7 * k + 2 * i + 3, 5 + k)) for i in range(len(others))]) for k in range(3)]
    if not all(sample.is_nan() or sample.contains(0) for sample in samples):
        return False
    return bool(sympy.expand(on_face) == 0 or sympy.simplify(on_face) == 0)
