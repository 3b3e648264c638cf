"""Bounds of a positive expression far out, by monomials c·y^k·exp(Σ cᵢ y^{eᵢ}), valid for all y ≥ T > 0.

Sums are bounded term by term, products and powers factor by factor; exponents are read as sums of powers of y. A monomial whose logarithm
has slope ≤ −κ·y^{e−1}, e ≥ 1, on [T, ∞) integrates to at most m(T)/(κT^{e−1}); a pure power y^k with k < −1 to m(T)·T/(−k−1).
What does not fit raises `TailError`: nothing is guessed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

import sympy
from flint import acb, arb

from dpbounds.errors import InputError
from dpbounds.language.analytic import compile_analytic
from dpbounds.language.functions import NormalCDF
from dpbounds.language.programs import compile_expression
from dpbounds.numbers.balls import ball

_VALUES: ContextVar[Mapping[sympy.Symbol, arb]] = ContextVar("tail parameters", default=MappingProxyType({}))


class TailError(InputError):
    """A tail that the rules here cannot bound."""


@dataclass(frozen=True)
class Monomial:
    """c·y^k·exp(Σ cᵢ y^{eᵢ}) with c > 0 and eᵢ > 0."""

    scale: arb
    power: arb
    exponent: dict[Fraction, arb] = field(default_factory=dict)

    def times(self, other: Monomial) -> Monomial:
        """The product of two monomials."""
        merged = dict(self.exponent)
        for key, value in other.exponent.items():
            merged[key] = merged.get(key, arb(0)) + value
        return Monomial(self.scale * other.scale, self.power + other.power, merged)

    def to_the(self, exponent: arb) -> Monomial:
        """A real power of the monomial."""
        log_scale = self.scale.log()
        return Monomial((exponent * log_scale).exp(), self.power * exponent, {k: v * exponent for k, v in self.exponent.items()})

    def value_at(self, y: arb) -> arb:
        """The value at y > 0."""
        total = self.scale.log() + self.power * y.log()
        for key, value in self.exponent.items():
            total += value * y ** ball(key)
        return total.exp()

    def slope(self, start: arb) -> tuple[Fraction, arb]:
        """(e, κ) with (log m)′(y) ≤ −κ·y^{e−1} for all y ≥ start; e = 0 for a pure power."""
        kept = {key: value for key, value in self.exponent.items() if not value.is_zero()}
        if not kept:
            return Fraction(0), -self.power
        lead = max(kept)
        total = ball(lead) * kept[lead] + _positive(self.power) * start ** ball(-lead)
        for key, value in kept.items():
            if key != lead:
                total += ball(key) * _positive(value) * start ** ball(key - lead)
        return lead, -total

    def decreases(self, start: arb) -> bool:
        """True when m certainly does not increase on [start, ∞)."""
        return bool(self.slope(start)[1] >= 0)

    def integral(self, start: arb) -> arb:
        """A bound of ∫ m over [start, ∞); +∞ where none is known."""
        lead, kappa = self.slope(start)
        if lead == 0:
            return self.value_at(start) * start / (kappa - 1) if kappa > 1 else arb.pos_inf()
        return self.value_at(start) / (kappa * start ** ball(lead - 1)) if lead >= 1 and kappa > 0 else arb.pos_inf()

    def diverges(self, start: arb) -> bool:
        """True when ∫ m over [start, ∞) is certainly infinite."""
        kept = {key: value for key, value in self.exponent.items() if not value.is_zero()}
        if not kept:
            return bool(self.power >= -1)
        return bool(kept[max(kept)] > 0)


def upper(expression: sympy.Expr, y: sympy.Symbol, start: arb) -> list[Monomial]:
    """Monomials whose sum is ≥ the expression for y ≥ start.

    >>> y = sympy.Symbol("y", positive=True)
    >>> upper(sympy.exp(-y**2 / 2), y, arb(3))[0].integral(arb(3)) < 0.0038
    True
    """
    if not expression.has(y):
        return [Monomial(_constant(expression), arb(0))]
    if expression == y:
        return [Monomial(arb(1), arb(1))]
    if isinstance(expression, sympy.exp):
        return [_exponential(expression.args[0], y, start, above=True)]
    if _is_power_of_number(expression, y):
        return [_exponential(_exponent_of(expression), y, start, above=True)]
    if isinstance(expression, sympy.Mul):
        total = [Monomial(arb(1), arb(0))]
        for factor in _positive_factors(expression, y, start):
            total = [left.times(right) for left in total for right in upper(factor, y, start)]
        return total
    if isinstance(expression, sympy.Pow) and not expression.exp.has(y):
        exponent = _signed(expression.exp)
        if exponent > 0:
            return power_of_sum(upper(_positive_base(expression, y, start), y, start), exponent)
        return [lower(_positive_base(expression, y, start), y, start).to_the(exponent)]
    if isinstance(expression, sympy.Add):
        return [m for term in expression.args if sign_of(term, y, start) > 0 for m in upper(term, y, start)]
    if isinstance(expression, (sympy.erf, sympy.tanh)):
        return [Monomial(arb(2), arb(0))]
    if isinstance(expression, (sympy.erfc, NormalCDF)):
        return [_normal_tail(expression, y, start)]
    raise TailError(f"the tail of {expression} cannot be bounded")


def _normal_tail(expression: sympy.Expr, y: sympy.Symbol, start: arb) -> Monomial:
    """erfc(z) ≤ e^{−z²} and Φ(−z) ≤ e^{−z²/2}/2 where z ≥ 0 on [start, ∞), else 2.

    e^{z²} erfc(z) = 2/√π ∫_0^∞ e^{−u² − 2uz} du is at most its value 1 at z = 0; and Φ(−z) = erfc(z/√2)/2.
    """
    is_normal = isinstance(expression, NormalCDF)
    z = sympy.expand(-expression.args[0] if is_normal else expression.args[0])
    try:
        if sign_of(z, y, start) != 1:
            return Monomial(arb(2), arb(0))
        bound = _exponential(sympy.expand(-(z**2)) / (2 if is_normal else 1), y, start, above=True)
    except TailError:
        return Monomial(arb(2), arb(0))
    return bound.times(Monomial(arb(1) / (2 if is_normal else 1), arb(0)))


def lower(expression: sympy.Expr, y: sympy.Symbol, start: arb) -> Monomial:
    """One monomial ≤ the expression for y ≥ start.

    >>> y = sympy.Symbol("y", positive=True)
    >>> lower(1 + sympy.exp(y), y, arb(3)).exponent[Fraction(1)] == 1
    True
    """
    if not expression.has(y):
        return Monomial(_constant(expression), arb(0))
    if expression == y:
        return Monomial(arb(1), arb(1))
    if isinstance(expression, sympy.exp):
        return _exponential(expression.args[0], y, start, above=False)
    if _is_power_of_number(expression, y):
        return _exponential(_exponent_of(expression), y, start, above=False)
    if isinstance(expression, sympy.factorial) and expression.args[0] == y:
        return _factorial(start)
    if isinstance(expression, sympy.Mul):
        total = Monomial(arb(1), arb(0))
        for factor in _positive_factors(expression, y, start):
            total = total.times(lower(factor, y, start))
        return total
    if isinstance(expression, sympy.Pow) and not expression.exp.has(y):
        exponent = _signed(expression.exp)
        if exponent > 0:
            return lower(_positive_base(expression, y, start), y, start).to_the(exponent)
        return cover(upper(_positive_base(expression, y, start), y, start), start).to_the(exponent)
    if isinstance(expression, sympy.Add):
        return _leading(expression, y, start)
    raise TailError(f"the tail of {expression} cannot be bounded from below")


def power_of_sum(terms: list[Monomial], exponent: arb) -> list[Monomial]:
    """Monomials whose sum is ≥ (Σ terms)^a, a > 0: n^{max(a−1,0)}·Σ termsᵃ (convexity, or subadditivity for a ≤ 1)."""
    factor = arb(len(terms)) ** _positive(exponent - 1)
    return [Monomial(raised.scale * factor, raised.power, raised.exponent) for raised in (term.to_the(exponent) for term in terms)]


def cover(terms: list[Monomial], start: arb) -> Monomial:
    """One monomial ≥ the sum of several: the one that outgrows the others, times what they add up to at the start."""
    for head in terms:
        ratios = [other.times(head.to_the(arb(-1))) for other in terms if other is not head]
        if all(ratio.decreases(start) for ratio in ratios):
            factor = 1 + sum((ratio.value_at(start) for ratio in ratios), arb(0))
            return Monomial(head.scale * factor.upper(), head.power, head.exponent)
    raise TailError("a sum in a tail has no leading term")


def sign_of(expression: sympy.Expr, y: sympy.Symbol, start: arb) -> int:
    """1 if the expression is certainly ≥ 0 on [start, ∞), −1 if it is certainly ≤ 0.

    Raises:
        TailError: neither is certain.
    """
    if not expression.has(y) and _VALUES.get():
        value = _real(expression)
        if value >= 0 or value <= 0:
            return 1 if value >= 0 else -1
        raise TailError(f"the sign of {expression} in a tail is not clear")
    if expression.is_nonnegative:
        return 1
    if expression.is_nonpositive:
        return -1
    if isinstance(expression, sympy.factorial) and expression.args[0] == y:
        return 1
    if _is_power_of_number(expression, y):
        _constant(expression.base)  # raises where it may not be positive
        return 1
    if isinstance(expression, sympy.Mul):
        return math.prod(sign_of(factor, y, start) for factor in expression.args)
    if isinstance(expression, sympy.Pow) and not expression.exp.has(y):
        if expression.exp.is_even:
            return 1
        sign = sign_of(expression.base, y, start)
        if sign > 0 or expression.exp.is_odd:
            return sign
    if isinstance(expression, sympy.Add):
        for sign in (1, -1):
            try:
                _leading(sympy.Add(*(sign * term for term in expression.args)), y, start)
            except TailError:
                continue
            return sign
    raise TailError(f"the sign of {expression} in a tail is not clear")


def _positive_factors(product: sympy.Expr, y: sympy.Symbol, start: arb) -> list[sympy.Expr]:
    """The factors of a product ≥ 0, those that are ≤ 0 turned over in pairs."""
    signs = [sign_of(factor, y, start) for factor in product.args]
    if math.prod(signs) < 0:
        raise TailError(f"{product} is negative in a tail")
    return [factor if sign > 0 else _turned(factor) for sign, factor in zip(signs, product.args, strict=True)]


def _turned(factor: sympy.Expr) -> sympy.Expr:
    """−factor; an odd power of what is negative is one of what is positive."""
    return (-factor.base) ** factor.exp if isinstance(factor, sympy.Pow) and factor.exp.is_odd else -factor


def _positive_base(power: sympy.Pow, y: sympy.Symbol, start: arb) -> sympy.Expr:
    """|base|, where the sign of the base is certain and does not matter or is positive."""
    sign = sign_of(power.base, y, start)
    if sign < 0 and not power.exp.is_even:
        raise TailError(f"{power} has a negative base in a tail")
    return sign * power.base


def _leading(expression: sympy.Expr, y: sympy.Symbol, start: arb) -> Monomial:
    """The term of a sum that outgrows the others, less what the negative ones can take away."""
    signs = {term: sign_of(term, y, start) for term in expression.args}
    positive = [term for term, sign in signs.items() if sign > 0]
    negative = [m for term, sign in signs.items() if sign < 0 for m in upper(-term, y, start)]
    for term in positive:
        head = lower(term, y, start)
        ratios = [other.times(head.to_the(arb(-1))) for other in negative]
        largest = [lower(other, y, start).times(head.to_the(arb(-1))) for other in positive if other is not term]
        if all(ratio.decreases(start) for ratio in [*ratios, *largest]):
            share = 1 - sum((ratio.value_at(start) for ratio in ratios), arb(0))
            if share > 0:
                return Monomial(head.scale * share.lower(), head.power, head.exponent)
    if positive and not negative:
        return lower(positive[0], y, start)
    raise TailError(f"the tail of {expression} cannot be bounded from below")


def _exponential(argument: sympy.Expr, y: sympy.Symbol, start: arb, *, above: bool) -> Monomial:
    """exp of a sum of powers of y; negative powers and bounded parts go into the scale."""
    total = Monomial(arb(1), arb(0))
    for term in _terms_of(argument):
        coefficient, rest = term.as_coeff_mul(y)
        rest = sympy.Mul(*rest)
        value = _real(coefficient)
        base, power = rest.as_base_exp()
        if rest == 1:
            total = total.times(Monomial(value.exp(), arb(0)))
        elif base == y and power.is_Rational:
            key = Fraction(int(power.p), int(power.q))
            if key > 0:
                total = total.times(Monomial(arb(1), arb(0), {key: value}))
            else:
                reach = value * start ** ball(key)
                total = total.times(Monomial((_positive(reach) if above else -_positive(-reach)).exp(), arb(0)))
        else:
            total = total.times(_bounded_exponential(value, rest, y, start, above=above))
    return total


def _is_power_of_number(expression: sympy.Expr, y: sympy.Symbol) -> bool:
    """Whether it is b^e where y stands in e alone."""
    return isinstance(expression, sympy.Pow) and expression.exp.has(y) and not expression.base.has(y)


def _exponent_of(power: sympy.Pow) -> sympy.Expr:
    """e·log b of b^e = exp(e·log b), b > 0."""
    _constant(power.base)
    return sympy.Mul(power.exp, sympy.log(power.base))


def _factorial(start: arb) -> Monomial:
    """y! = Γ(y + 1) ≥ Γ(T + 1)·T^{y−T} for y ≥ T > 0: (log Γ(y + 1))′ = ψ(y + 1) ≥ log y ≥ log T."""
    return Monomial((start + 1).gamma() * (-start * start.log()).exp(), arb(0), {Fraction(1): start.log()})


def _bounded_exponential(value: arb, rest: sympy.Expr, y: sympy.Symbol, start: arb, *, above: bool) -> Monomial:
    """exp(c·H(y)) for a positive H that is not a power of y."""
    if not (value > 0 or value < 0):
        raise TailError(f"the sign of the exponent {rest} in a tail is not clear")
    from_below = bool(value < 0) == above
    bound = lower(rest, y, start) if from_below else cover(upper(rest, y, start), start)
    pure = all(coefficient.is_zero() for coefficient in bound.exponent.values())
    power = bound.power.unique_fmpz() if bound.power.is_exact() else None
    if pure and power is not None and int(str(power)) > 0:
        return Monomial(arb(1), arb(0), {Fraction(int(str(power))): value * bound.scale})
    if above and value < 0:
        return Monomial(arb(1), arb(0))
    raise TailError(f"the exponent {rest} in a tail is not a sum of powers")


def _constant(expression: sympy.Expr) -> arb:
    value = _real(expression)
    if not value > 0:
        raise TailError(f"a factor {expression} of a tail is not positive")
    return value


def _signed(expression: sympy.Expr) -> arb:
    """An exponent, whose sign must be certain."""
    value = _real(expression)
    if not (value > 0 or value <= 0):
        raise TailError(f"the sign of the exponent {expression} in a tail is not clear")
    return value


def _real(expression: sympy.Expr) -> arb:
    values = _VALUES.get()
    if not values:
        return compile_analytic(expression, sympy.Dummy())(acb(0), False).real
    if unknown := expression.free_symbols - set(values):
        raise TailError(f"the tail speaks of {', '.join(map(str, unknown))}, which has no value")
    return _program_of(expression, tuple(values))(list(values.values()))


@lru_cache(maxsize=4096)
def _program_of(expression: sympy.Expr, variables: tuple[sympy.Symbol, ...]) -> Callable[[list[arb]], arb]:
    return compile_expression(expression, variables)


@lru_cache(maxsize=4096)
def _terms_of(argument: sympy.Expr) -> tuple[sympy.Expr, ...]:
    return tuple(sympy.Add.make_args(sympy.expand(argument)))


@contextmanager
def parameters(values: Mapping[sympy.Symbol, arb]) -> Iterator[None]:
    """Balls for the symbols other than y: what is bounded in the block holds for every point of the balls."""
    token = _VALUES.set(values)
    try:
        yield
    finally:
        _VALUES.reset(token)


def magnitude(expression: sympy.Expr, y: sympy.Symbol, start: arb) -> list[Monomial]:
    """Monomials whose sum is ≥ |expression| for y ≥ start ≥ 1.

    Sums, maxima and branches are bounded by the sum of their parts; |log g| ≤ |log U| + |log L| for monomials L ≤ g ≤ U, and
    |log(c·y^k·exp(Σ cᵢy^{eᵢ}))| ≤ |log c| + |k|·y + Σ |cᵢ|·y^{eᵢ}.

    >>> y = sympy.Symbol("y", positive=True)
    >>> magnitude(-y * sympy.exp(-y), y, arb(2))[0].value_at(arb(2)).overlaps(2 * arb(-2).exp())
    True
    """
    if isinstance(expression, (sympy.Add, sympy.Max, sympy.Min)):
        return [m for part in expression.args for m in magnitude(part, y, start)]
    if isinstance(expression, sympy.Piecewise):
        return [m for branch in expression.args for m in magnitude(branch.expr, y, start)]
    if isinstance(expression, sympy.Abs):
        return magnitude(expression.args[0], y, start)
    if isinstance(expression, sympy.Mul):
        total = [Monomial(arb(1), arb(0))]
        for factor in expression.args:
            total = [left.times(right) for left in total for right in magnitude(factor, y, start)]
        return total
    if not expression.has(y):
        size = _real(expression).abs_upper()
        return [] if size.is_zero() else [Monomial(size, arb(0))]  # a value that is no number bounds nothing
    if isinstance(expression, sympy.log):
        inner = expression.args[0]
        if (near := _near_one(inner, y, start)) is not None:
            return near
        return [m for bound in (cover(upper(inner, y, start), start), lower(inner, y, start)) for m in _log_of(bound)]
    return upper(sign_of(expression, y, start) * expression, y, start)


def _near_one(inner: sympy.Expr, y: sympy.Symbol, start: arb) -> list[Monomial] | None:
    """log(1 + r) ≤ r for r ≥ 0, where r falls; None elsewhere."""
    rest = inner - 1
    if not (isinstance(inner, sympy.Add) and sympy.S.One in inner.args and sign_of(rest, y, start) > 0):
        return None
    found = upper(rest, y, start)
    return found if all(m.decreases(start) for m in found) else None


def _log_of(bound: Monomial) -> list[Monomial]:
    parts = [(bound.scale.log(), Fraction(0)), (bound.power, Fraction(1)), *((value, key) for key, value in bound.exponent.items())]
    return [Monomial(size, ball(key)) for value, key in parts if not (size := value.abs_upper()).is_zero()]


def _positive(value: arb) -> arb:
    return value.max(arb(0))
