"""Rényi divergence of two densities of the user's, by certified quadrature with certified tails.

With upper density a, lower density b (a = γp + (1−γ)q against q for a sampled pair, or swapped), L = log(a/b) and ∫a = ∫b = 1,

    M(t) = 1 + t·J,   J = ∫ f,   f = a·(e^{tL} − 1)/t − a + b ≥ 0.

The support is cut at the kinks of the densities. On the pieces Arb integrates. Towards an infinite end (y = |x|), or a finite one
where f is not finite (y = 1/|x − end|), f ≤ a^{1+t}b^{−t}/t + b is bounded by the monomials of `tails`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import sympy
from flint import acb, arb, ctx

from dpbounds.errors import InputError
from dpbounds.language.analytic import Function, compile_analytic, compile_log, log_derivative
from dpbounds.language.enclose import ball_of
from dpbounds.language.pieces import Piece, cut
from dpbounds.language.tails import Monomial, TailError, cover, lower, power_of_sum, upper
from dpbounds.mechanisms import DensityPair
from dpbounds.numbers.exact import Exact, to_sympy
from dpbounds.numbers.excess import divergence_from_excess
from dpbounds.numbers.precise import Parameter, as_ball, relative
from dpbounds.numbers.quadrature import integrate
from dpbounds.numbers.trapezoid import between_zero_and

ATTEMPTS = 3

Bound = Callable[[arb], arb]
"""y → an upper bound of the integral beyond y."""


def divergence(densities: DensityPair, t: Parameter, bits: int, *, add: bool = False, rate: Exact = Fraction(1)) -> arb:
    """D_{1+t} of a pair of densities, sampled or not, with `bits` relative bits.

    Args:
        densities: p, q, variable and support; both must integrate to 1, which is checked.
        t: order minus one, t > 0.
        bits: relative accuracy.
        add: swap the two.
        rate: Poisson sampling rate γ, 1 for none.

    Returns:
        A ball that contains the divergence, +∞ where the upper density has mass on an interval where the lower one is 0, or where the
        integral provably diverges in a tail.

    Raises:
        InputError: a density that does not integrate to 1, a tail that cannot be bounded, a construct that cannot be integrated.
        PrecisionError: the accuracy was not reached.

    >>> x = sympy.Symbol("x")
    >>> normal = sympy.exp(-x**2 / 2) / sympy.sqrt(2 * sympy.pi)
    >>> divergence(DensityPair(normal.subs(x, x - 1), normal, x), Fraction(1), 50).overlaps(arb(1))
    True
    """
    if rate == 0:
        return arb(0)
    if not as_ball(t) > 0:
        raise InputError("the Rényi divergence of densities needs an order > 1")
    p, q = densities.p, densities.q
    gamma = to_sympy(rate)
    mixed = p if rate == 1 else gamma * p + (1 - gamma) * q
    pieces = cut((q, mixed) if add else (mixed, q), densities.variable, densities.support)
    for position, name in ((0, "upper"), (1, "lower")):
        mass = relative(lambda position=position: _total([_mass(piece, position) for piece in pieces]), bits, attempts=ATTEMPTS)  # type: ignore[misc]
        if not mass.contains(1):
            raise InputError(f"the {name} density must integrate to 1 on its support, got {mass.str(8, radius=False)}")
    if any(piece.expressions[1] == 0 and piece.expressions[0] != 0 for piece in pieces):
        return arb.pos_inf()

    def evaluate() -> arb:
        order = as_ball(t)
        return divergence_from_excess(order, _total([_excess(piece, order) for piece in pieces]))

    return relative(evaluate, bits, attempts=ATTEMPTS)


@dataclass(frozen=True)
class IntegrandPiece:
    """An integrand on a piece, and bounds of what lies beyond a point towards each of its ends."""

    piece: Piece
    f: Function
    ends: tuple[Bound, Bound]
    height: Callable[[arb], arb] | None = None
    """x → the logarithm of the part of f that large orders blow up."""


def _excess(piece: Piece, t: arb) -> IntegrandPiece:
    """f on a piece; where the upper density is 0, f is the lower one."""
    above, below = piece.expressions
    if above == 0:
        return _mass(piece, 1)
    log_above, log_below = compile_log(above, piece.variable), compile_log(below, piece.variable)
    slope_above = log_derivative(above, piece.variable)
    slope_ratio = sympy.expand(slope_above - log_derivative(below, piece.variable))
    steep, gentle = compile_analytic(slope_ratio, piece.variable), compile_analytic(slope_above, piece.variable)

    def exponent(z: acb, plain: acb, analytic: bool) -> acb:
        """log a + tL on a wide ball: its value at the middle and the mean value theorem, where that is narrower than `plain`."""
        if t < 16 or plain.real.rad() < 0.5:
            return plain
        middle = acb(z.real.mid(), z.imag.mid())
        here = (1 + t) * log_above(middle, False) - t * log_below(middle, False)
        centred = here + (t * steep(z, analytic) + gentle(z, analytic)) * (z - middle)
        return centred if centred.is_finite() and centred.real.rad() < plain.real.rad() else plain

    def f(z: acb, analytic: bool) -> acb:
        first, second = log_above(z, analytic), log_below(z, analytic)
        if z.imag == 0 and not (first.imag.contains(0) and second.imag.contains(0)):
            raise InputError(
                f"a density is negative near {piece.origin_of(z.real.str(6, radius=False))}; correct the density or the support"
            )
        scaled = t * (first - second)
        size = first.exp()
        gain = size * scaled.expm1() if abs(scaled) < 1 else exponent(z, first + scaled, analytic).exp() - size
        return gain / t - size + second.exp()

    def end(side: int) -> Bound:
        y, tail_above, tail_below, weight = _towards(piece, side)

        def bound(start: arb) -> arb:
            bottom = lower(tail_below, y, start).to_the(-t).times(weight)
            power = [term.times(bottom) for term in power_of_sum(upper(tail_above, y, start), 1 + t)]
            rest = [term.times(weight) for term in upper(tail_below, y, start)]
            total = _sum(power, start) / t + _sum(rest, start)
            if not total.is_finite():
                least = lower(tail_above, y, start).to_the(1 + t).times(cover(upper(tail_below, y, start), start).to_the(-t)).times(weight)
                if least.diverges(start):
                    raise _Infinite
            return total

        return bound

    def height(x: arb) -> arb:
        return ((1 + t) * log_above(acb(x), False) - t * log_below(acb(x), False)).real.mid()

    return IntegrandPiece(piece, f, (end(-1), end(1)), height)


def _mass(piece: Piece, position: int) -> IntegrandPiece:
    """One of the densities itself on a piece."""
    f = compile_analytic(piece.expressions[position], piece.variable)

    def end(side: int) -> Bound:
        found = _towards(piece, side)
        y, expression, weight = found[0], found[1 + position], found[3]
        return lambda start: _sum([term.times(weight) for term in upper(expression, y, start)], start)

    return IntegrandPiece(piece, f, (end(-1), end(1)))


class _Infinite(Exception):
    """The integral diverges in a tail."""


def _sum(terms: list[Monomial], start: arb) -> arb:
    total = arb(0)
    for term in terms:
        total += term.integral(start)
    return total


def _towards(piece: Piece, side: int) -> tuple[sympy.Symbol, sympy.Expr, sympy.Expr, Monomial]:
    """Both densities in y → ∞ towards an end, and the weight |dx/dy|: 1 at an infinite end, y^{−2} at a finite one."""
    y = sympy.Dummy("y", positive=True)
    end = piece.low if side < 0 else piece.high
    x = side * y if end.is_infinite else end - side / y
    above, below = (_expanded(_exponentials(expression).subs(piece.variable, x), y) for expression in piece.expressions)
    return y, above, below, Monomial(arb(1), arb(0 if end.is_infinite else -2))


def _exponentials(expression: sympy.Expr) -> sympy.Expr:
    hyperbolic = (sympy.cosh, sympy.sinh, sympy.sech)
    return expression.replace(lambda part: isinstance(part, hyperbolic), lambda part: part.rewrite(sympy.exp))


def _expanded(expression: sympy.Expr, y: sympy.Symbol) -> sympy.Expr:
    """Polynomials inside are multiplied out, so that their leading term shows."""
    if not expression.args or not expression.has(y):
        return expression
    if isinstance(expression, sympy.Pow) and expression.exp.is_Integer and expression.base.is_polynomial(y):
        whole = sympy.expand(expression.base ** abs(expression.exp))
        return whole if expression.exp > 0 else 1 / whole
    inner = expression.func(*(_expanded(part, y) for part in expression.args))
    return sympy.expand(inner) if isinstance(inner, sympy.Add) and inner.is_polynomial(y) else inner


def _total(parts: list[IntegrandPiece]) -> arb:
    """Σ of the integrals over all pieces, tails included, to about 30 bits less than the working precision."""
    bits = ctx.prec - 30
    scale = sum((_rough(part) for part in parts), arb(0)).mid()
    goal = scale.max(arb(2) ** -10_000) * arb(2) ** -bits
    total = arb(0)
    for part in parts:
        try:
            (low, below), (high, above) = _cut_off(part, -1, goal), _cut_off(part, 1, goal)
        except _Infinite:
            return arb.pos_inf()
        total += integrate(part.f, low, high, bits, scale) + below + above
    return total


def _cut_off(part: IntegrandPiece, side: int, goal: arb) -> tuple[arb, arb]:
    """Where to stop towards one end, and a ball around what lies beyond."""
    end = part.piece.low if side < 0 else part.piece.high
    if not end.is_infinite:
        here = ball_of(end, ctx.prec)
        width = arb(2) ** -20
        near = part.f(acb((here - side * width).union(here)), True)
        if near.is_finite():
            return here, arb(0)
    other = part.piece.high if side < 0 else part.piece.low
    reach = arb(2) if other.is_infinite else abs(ball_of(other, ctx.prec)) + 2
    if not end.is_infinite and not other.is_infinite:
        reach = 2 / abs(ball_of(other, ctx.prec) - ball_of(end, ctx.prec))
    reach, growth = reach.mid(), 1.25
    beyond, reason = arb.pos_inf(), "its integral does not seem to converge"
    for _ in range(60):
        try:
            beyond = part.ends[side > 0](reach)
        except TailError as error:
            reason = str(error)
        if beyond <= goal:
            break
        reach, growth = (reach * growth).mid(), min(growth**1.2, 1e9)
    if not beyond.is_finite():
        raise TailError(f"the tail of a density towards {part.piece.origin(side)} cannot be bounded: {reason}")
    return (side * reach if end.is_infinite else ball_of(end, ctx.prec) - side / reach), between_zero_and(beyond)


def _rough(part: IntegrandPiece) -> arb:
    """∫ f from a few values, to an order of magnitude: only to choose cut-offs and tolerances."""
    low, high = part.piece.low, part.piece.high
    if high.is_infinite:
        points = [arb(1.3) ** k for k in range(-20, 110)]
        points = points if not low.is_infinite else [-point for point in reversed(points)] + points
    else:
        length = ball_of(high, ctx.prec)
        points = [length * (k + arb(0.5)) / 64 for k in range(64)]
    points = [point.mid() for point in points]
    total = arb(0)
    for left, here in zip(points, points[1:], strict=False):
        value = part.f(acb(here), False).real.mid()
        total += (here - left) * abs(value) if value.is_finite() else 0
    return total.mid() if part.height is None else total.mid().max(_summit(part.height, points))


def _summit(height: Callable[[arb], arb], points: list[arb]) -> arb:
    """The peak of e^{height}, times a guess of its width: the best of the points, improved by ternary search between its neighbours."""
    heights = [height(point) for point in points]
    finite = [k for k, value in enumerate(heights) if value.is_finite()]
    if not finite:
        return arb(0)
    best = max(finite, key=lambda k: heights[k])
    low, high = points[max(best - 1, 0)], points[min(best + 1, len(points) - 1)]
    width = high - low
    for _ in range(80):
        first, second = (low + (high - low) / 3).mid(), (high - (high - low) / 3).mid()
        if height(first) < height(second):
            low = first
        else:
            high = second
    return (height(low).exp() * width / 1024).mid()
