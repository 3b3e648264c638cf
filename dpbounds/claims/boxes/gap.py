"""One relation as a gap that must be ≥ 0 (or > 0), bounded from below on boxes in several ways.

Natural evaluation, monotonicity and mean-value forms from the gradient; where these fail on deep boxes, Taylor forms from places that are
known exactly (`expansions`) and case distinctions (`cases`). Boxes that reach to infinity are evaluated in `rays`, and fold up along the
variables in which the gap is monotone.

Moving a point of the domain to where the gap is smaller, or to a place of expansion, may take it out of the domain: from then on premises
about the variables that were moved are no longer used.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims.boxes import rays
from dpbounds.claims.boxes.bounds import Bound, Box, Moved
from dpbounds.claims.boxes.cases import cases_of
from dpbounds.claims.boxes.definedness import unsettled
from dpbounds.claims.boxes.expansions import Expansions, Memory
from dpbounds.claims.boxes.writings import Writings, smooth_conditions_of, vanishes
from dpbounds.claims.statement import zero
from dpbounds.errors import LanguageError
from dpbounds.language import definedness, enclose, functions, losses
from dpbounds.language.substitution import is_positive, substituted
from dpbounds.numbers import balls
from dpbounds.numbers.balls import Ball

NOT_SMOOTH = (
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


class Gap:
    """A relation `small <= large` (or `<`) over variables, as the gap `large - small`.

    Args:
        relation: a sympy `<=`, `<`, `>=` or `>`.
        variables: the coordinates of boxes.
        faces: for each variable the (low, high) bounds of the domain.
        premises: what holds on the domain; denominators that they make positive are cleared.
        memory: what the search learns, and the places of expansion that settled a box, for the certificate.
    """

    def __init__(
        self,
        relation: sympy.core.relational.Relational,
        variables: tuple[sympy.Symbol, ...],
        faces: Box,
        premises: tuple[Boolean, ...] = (),
        memory: Memory | None = None,
    ) -> None:
        if not isinstance(relation, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
            raise LanguageError(
                f"boxes decide <=, <, >= and >, not {type(relation).__name__}, which takes the evidence Proof(...): {relation}"
            )
        large, small = relation.gts, relation.lts
        for side in (large, small):
            enclose.compile_expression(side, variables)  # each side must be in the language, also what cancels in the difference
        difference = functions.expand_quantities(large) - functions.expand_quantities(small)
        strict = isinstance(relation, (sympy.Lt, sympy.Gt))
        if losses.cancels_infinite_parts(large, small, strict=strict):
            raise LanguageError("a part that may be infinite cancels; boxes decide the statement without it")
        expression = without_positive_denominators(difference, premises, _zeros(variables, faces))
        signs = signs_of(variables, faces)
        renamed = tuple(signs.get(v, v) for v in variables)
        known = tuple(substituted(premise, signs) for premise in premises)
        self._set(substituted(expression, signs), strict, renamed, faces, known, memory)

    @classmethod
    def of_expression(
        cls, expression: Any, strict: bool, variables: tuple[sympy.Symbol, ...], faces: Box, premises: tuple[Boolean, ...], memory: Memory
    ) -> Gap:
        """The gap `expression >= 0` (or `> 0`): a part of another one."""
        gap = cls.__new__(cls)
        gap._set(expression, strict, variables, faces, premises, memory)
        return gap

    def inner_gap(self, expression: Any, variables: tuple[sympy.Symbol, ...], faces: Box, premises: tuple[Boolean, ...]) -> Gap:
        """Another gap that belongs to this one."""
        return Gap.of_expression(expression, self.strict, variables, faces, premises, self.memory)

    def _set(self, expression: Any, strict: bool, variables: Any, faces: Box, premises: tuple[Boolean, ...], memory: Memory | None) -> None:
        self.expression, self.strict, self.variables, self.faces, self.premises = expression, strict, variables, faces, premises
        self.memory = Memory() if memory is None else memory
        self._writings = Writings(expression, variables)
        self.is_smooth = not (expression.has(*NOT_SMOOTH) or expression.has(functions.PrivacyQuantity))

    # what is compiled when it is needed

    @cached_property
    def gradient(self) -> list[Writings | None] | None:
        """The partial derivatives; None for a gap that is not smooth, None inside for a derivative outside the language."""
        return [self.derivative(v) for v in self.variables] if self.is_smooth else None

    def derivative(self, *by: sympy.Symbol) -> Writings | None:
        """A partial derivative, None outside the language."""
        try:
            return Writings(sympy.diff(self.expression, *by), self.variables)
        except LanguageError:
            return None  # a derivative outside the language, such as that of gamma

    @cached_property
    def _regular(self) -> list[enclose.Program]:
        """Conditions under which the gap is defined on a whole box, as slopes and Taylor forms need, points outside the domain included."""
        return [enclose.compile_expression(c, self.variables) for c in definedness.conditions_of(self.expression)]

    @cached_property
    def _smooth(self) -> tuple[list[Boolean], list[enclose.Program]]:
        # A reach may leave the domain, so nothing that the symbols assume about it may settle a condition.
        plain = {v: sympy.Dummy(v.name, real=True) for v in self.variables}
        rewritten = substituted(self.expression, plain)
        # Built anew, √(x²) is |x| and its condition x² > 0 is gone.
        everywhere = [sympy.false] if rewritten.has(*NOT_SMOOTH) else smooth_conditions_of(rewritten)
        programs = [enclose.compile_expression(c, tuple(plain.values())) for c in everywhere]
        return smooth_conditions_of(self.expression), programs

    def is_smooth_on(self, values: list[Ball]) -> bool:
        """True when the gap surely is analytic on a whole box, so that its derivatives may be rewritten."""
        return all(condition(values) is True for condition in self._smooth[1])

    @cached_property
    def expansions(self) -> Expansions:
        """The Taylor forms of this gap."""
        return Expansions(self)

    @cached_property
    def _said_about(self) -> list[frozenset[sympy.Symbol]]:
        """The variables of each premise that says that the gap is as it should be: what a case assumes is sometimes what it must show."""
        wanted = (sympy.Gt if self.strict else sympy.Ge)(self.expression, 0, evaluate=False)
        return [frozenset(premise.free_symbols) for premise in self.premises if not unsettled([wanted], [premise])]

    @cached_property
    def _cases(self) -> list[tuple[Gap, list[enclose.Program]]]:
        found = []
        for expression, conditions in cases_of(self.expression) or []:
            premises = (*self.premises, *conditions)
            gap = Gap.of_expression(expression, self.strict, self.variables, self.faces, premises, self.memory)
            found.append((gap, [enclose.compile_expression(c, self.variables) for c in conditions]))
        return found

    # bounds on boxes

    def bound_on(self, box: Box, values: list[Ball] | None = None, *, touching: bool = False, moved: Moved = frozenset()) -> Bound:
        """Bound the gap on a box at the precision that is set.

        Args:
            box: bounds of each variable.
            values: the same as balls, where the caller has them.
            touching: also try Taylor forms and case distinctions (they cost symbolic work the first time).
            moved: variables whose side is not that of a box any more but an end of it; premises about them say nothing here.
        """
        if any(isinstance(end, float) for side in box for end in side):
            return self._on_rays(box, touching, moved)
        values = values or [balls.interval(*side) for side in box]
        natural = self._writings.raw(values)
        if not natural.is_nan():
            if self._enough(natural):
                return Bound(True, natural.lower(), "natural", None)
            if natural < 0 or (self.strict and natural <= 0):
                return Bound(False, natural.lower(), "natural", None)
        slopes = None
        if self.gradient is not None:
            slopes = tuple(Ball.nan() if writings is None else writings.raw(values) for writings in self.gradient)
            better = self._by_slopes(box, values, slopes)
            if better is not None and all(condition(values) is True for condition in self._regular):
                return better
        if touching:
            better = self._touching(box, values, moved)
            if better is not None:
                return better
        return Bound(None, natural.lower() if not natural.is_nan() else natural, "natural", slopes)

    def _touching(self, box: Box, values: list[Ball], moved: Moved) -> Bound | None:
        if any(not about & moved for about in self._said_about):
            return Bound(True, Ball(0), "premise", None)
        tidy = self._writings.tidy(values)
        if tidy is not None and not tidy.is_nan() and self._enough(tidy):
            return Bound(True, tidy.lower(), "natural", None)
        if not self.is_smooth:
            return self._by_cases(box, values, moved)
        folded = self._folded(box, values)
        if folded is not None:
            inner = self.bound_on(folded, touching=True, moved=moved | self._folds(box, folded))
            if inner.truth is True:
                return Bound(True, inner.margin, "monotone", None)
        return self.expansions.bound(box, values, moved)

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
            value = self._writings.raw(corner)
            if not value.is_nan() and self._enough(value):
                return Bound(True, value.lower(), "monotone", slopes)
        if loose:
            centre = list(corner)
            for position in loose:
                low, high = box[position]
                centre[position] = balls.ball((low + high) / 2)
            value = self._writings.raw(centre)
            for position in loose:
                value = value + slopes[position] * (values[position] - centre[position])
            if not value.is_nan() and self._enough(value):
                return Bound(True, value.lower(), "mean-value", slopes)
        return None

    def _folded(self, box: Box, values: list[Ball]) -> Box | None:
        """The part of the box on which the gap is least, as far as the signs of its slopes tell; None when they tell nothing."""
        if self.gradient is None or not self.is_smooth_on(values):
            return None
        sides = list(box)
        for position, ((low, high), writings) in enumerate(zip(box, self.gradient, strict=True)):
            sign = 0 if writings is None or low == high else writings.sign(values)
            if sign:
                sides[position] = (low, low) if sign > 0 else (high, high)
        return tuple(sides) if tuple(sides) != box else None

    def _folds(self, box: Box, folded: Box) -> Moved:
        return frozenset(v for v, before, after in zip(self.variables, box, folded, strict=True) if before != after)

    def _by_cases(self, box: Box, values: list[Ball] | None, moved: Moved) -> Bound | None:
        """In every case that is possible on the box; without `values` the box reaches to infinity."""
        if not self._cases:
            return None
        ends = {v: rays.ends_of(*side) for v, side in zip(self.variables, box, strict=True)} if values is None else {}
        margins = [Ball.pos_inf()]
        for gap, conditions in self._cases:
            truths = (condition(values) if values is not None else rays.truth(condition.expression, ends) for condition in conditions)
            if any(truth is False for truth in truths):
                continue
            bound = gap.bound_on(box, values, touching=True, moved=moved)
            if bound.truth is not True:
                return None
            margins.append(bound.margin)
        return Bound(True, _least(margins), "cases", None)

    def _on_rays(self, box: Box, touching: bool, moved: Moved) -> Bound:
        """On a box that reaches to infinity: naturally, or on the finite box that is left when it folds up by monotonicity."""
        ends = {v: rays.ends_of(*side) for v, side in zip(self.variables, box, strict=True)}
        unknown = Bound(None, Ball.nan(), "natural", None)
        for expression in self._writings.expressions:
            low = _low_on_rays(expression, ends)
            if low is not None and self._enough(low):
                return Bound(True, low, "natural", None)
        if not self.is_smooth and touching:
            return self._by_cases(box, None, moved) or unknown
        if self.gradient is None or not all(rays.truth(c, ends) is True for c in self._smooth[0]):
            return unknown
        sides = list(box)
        for position, ((low, high), writings) in enumerate(zip(box, self.gradient, strict=True)):
            if writings is None or low == high:
                continue
            for form in writings.expressions:
                rising, falling = _low_on_rays(form, ends), _low_on_rays(-form, ends)
                if rising is not None and rising >= 0 and not isinstance(low, float):
                    sides[position] = (low, low)
                elif falling is not None and falling >= 0 and not isinstance(high, float):
                    sides[position] = (high, high)
        if tuple(sides) == box:
            return unknown
        folded = self.bound_on(tuple(sides), touching=touching, moved=moved | self._folds(box, tuple(sides)))
        return Bound(True, folded.margin, "monotone", None) if folded.truth is True else unknown


def _low_on_rays(expression: Any, ends: rays.Sides) -> Ball | None:
    try:
        return rays.value(expression, ends)[0]
    except rays.Unknown:
        return None


def _least(margins: Sequence[Ball]) -> Ball:
    best = margins[0]
    for margin in margins[1:]:
        best = best.min(margin)
    return best


def signs_of(variables: tuple[sympy.Symbol, ...], faces: Box) -> dict[sympy.Symbol, sympy.Symbol]:
    """Variables that the faces keep at or above 0, as symbols that know it: on the domain √(x²) is x then; all others as real ones.

    The gap that sympy simplifies under that assumption has the same values on the domain, and is used in its place everywhere. Of a
    symbol without assumptions sympy does not know that √(x²) is |x|, which has a kink.
    """
    found = {}
    for v, (low, _) in zip(variables, faces, strict=True):
        signs = (("positive", low > 0), ("nonnegative", low >= 0))
        name = next((sign for sign, holds in signs if holds and getattr(v, f"is_{sign}") is not False), "")  # it is, if no point is left
        if not v.is_real or (name and not getattr(v, f"is_{name}")):
            kept = {key: value for key, value in v._assumptions_orig.items() if value}
            found[v] = sympy.Symbol(v.name, **{**kept, "real": True, **({name: True} if name else {})})
    return found


def _zeros(variables: tuple[sympy.Symbol, ...], faces: Box) -> set[sympy.Symbol]:
    """The variables that have a face at 0."""
    return {v for v, side in zip(variables, faces, strict=True) if Fraction(0) in side}


def without_positive_denominators(gap: sympy.Expr, premises: tuple[Boolean, ...], at_zero: set[sympy.Symbol] | None = None) -> sympy.Expr:
    """The gap times its denominators that are positive on the whole domain: the sign is the same, and a face where both vanish is regular.

    Args:
        gap: the expression.
        premises: what holds on the domain.
        at_zero: variables whose domain ends at 0: their powers are cleared too.

    >>> x = sympy.Symbol("x", real=True)
    >>> without_positive_denominators(1 - sympy.log(x) / (x - 1), (x > 1,))
    x - log(x) - 1
    """
    denominators: dict[sympy.Expr, int] = {}
    for term in sympy.Add.make_args(gap):
        for factor in sympy.Mul.make_args(term):
            base, exponent = factor.as_base_exp()
            if exponent.is_Integer and exponent < 0 and (isinstance(base, sympy.Add) or base in (at_zero or ())):
                denominators[base] = max(denominators.get(base, 0), int(-exponent))
    corner = dict.fromkeys(at_zero or (), sympy.S.Zero)

    def is_cleared(base: sympy.Expr) -> bool:
        """Positive on the domain: by a premise, or by the assumptions of its symbols while a corner of the domain has it at 0."""
        if not unsettled([sympy.Gt(base, 0, evaluate=False)], premises):
            return True
        return is_positive(base) and bool(substituted(base, corner) == 0)

    factor = sympy.Mul(*(base**power for base, power in denominators.items() if is_cleared(base)))
    if factor == 1:
        return gap
    cleared = sympy.Add(*(sympy.cancel(factor * term) for term in sympy.Add.make_args(gap)))
    return cleared if zero.is_equal(cleared, factor * gap) else gap


__all__ = ["NOT_SMOOTH", "Bound", "Box", "Gap", "vanishes", "without_positive_denominators"]
