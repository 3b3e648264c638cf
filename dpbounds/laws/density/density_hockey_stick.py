"""The hockey-stick divergence of two densities of the user's, by certified quadrature between certified changes of sign.

    δ(ε) = ∫ (a − e^ε·b)₊ dx,    a the upper density, b the lower one (a = γp + (1−γ)q for a sampled pair, or swapped).

Each piece between kinks is bisected until log a − log b − ε has a certain sign; where it is positive Arb integrates a − e^ε b. What stays
open is so short that ∫(a − e^ε b)₊ there, between 0 and length·sup a, or length·sup|a − e^ε b|, is negligible. Towards an end at infinity,
or one where a is not finite, at most ∫a is left, bounded as in `density`.
"""

from __future__ import annotations

import heapq
import math
from itertools import count

from flint import acb, arb, ctx

from dpbounds.errors import InputError
from dpbounds.language.analytic import Function, compile_analytic, compile_log
from dpbounds.language.pieces import Piece, cut
from dpbounds.laws.density.density_moments import ATTEMPTS, _cut_off, _mass, _total
from dpbounds.mechanisms import DensityPair
from dpbounds.numbers.exact import Exact, to_sympy
from dpbounds.numbers.precise import relative
from dpbounds.numbers.quadrature import integrate
from dpbounds.numbers.trapezoid import between_zero_and

_MOST_PARTS = 10_000
_MASS_BITS = 70  # 21 digits, more than are usually asked for: 40 bits let pass what is wrong in the 13th digit


def pieces_of(densities: DensityPair, *, add: bool, rate: Exact) -> list[Piece]:
    """The pieces between kinks, with (a, b).

    Raises:
        InputError: a density that does not integrate to 1.
    """
    gamma = to_sympy(rate)
    mixed = densities.p if rate == 1 else gamma * densities.p + (1 - gamma) * densities.q
    pieces = cut((densities.q, mixed) if add else (mixed, densities.q), densities.variable, densities.support)
    for position, name in ((0, "upper"), (1, "lower")):
        mass = relative(lambda position=position: _total([_mass(piece, position) for piece in pieces]), _MASS_BITS, attempts=ATTEMPTS)  # type: ignore[misc]
        if not mass.contains(1):
            raise InputError(f"the {name} density must integrate to 1 on its support, got {mass.str(20, radius=False)}")
    return pieces


def lost_mass(pieces: list[Piece]) -> arb:
    """The mass of a where b is 0."""
    parts = [_mass(piece, 0) for piece in pieces if piece.expressions[1] == 0 and piece.expressions[0] != 0]
    return _total(parts) if parts else arb(0)


def hockey_stick(pieces: list[Piece], epsilon: arb) -> arb:
    """δ(ε) at the current precision, any real ε.

    >>> import sympy
    >>> from fractions import Fraction
    >>> x = sympy.Symbol("x")
    >>> normal = sympy.exp(-x**2 / 2) / sympy.sqrt(2 * sympy.pi)
    >>> pieces = pieces_of(DensityPair(normal.subs(x, x - 1), normal, x), add=False, rate=Fraction(1))
    >>> bool(abs(hockey_stick(pieces, arb(0)) - arb("0.3829249225480262")) < 1e-12)
    True
    """
    total = lost_mass(pieces)
    for piece in pieces:
        if 0 not in piece.expressions:
            total += _piece(piece, epsilon)
    return total


def _piece(piece: Piece, epsilon: arb) -> arb:
    bits = ctx.prec - 20
    goal = arb(2) ** -bits
    mass = _mass(piece, 0)
    (low, below), (high, above) = _cut_off(mass, -1, goal), _cut_off(mass, 1, goal)
    upper, lower = compile_analytic(piece.expressions[0], piece.variable), compile_analytic(piece.expressions[1], piece.variable)
    logs = compile_log(piece.expressions[0], piece.variable), compile_log(piece.expressions[1], piece.variable)
    scale = epsilon.exp()

    def surplus(z: acb, analytic: bool) -> acb:
        return upper(z, analytic) - scale * lower(z, analytic)

    positive, rest = _signs(upper, surplus, logs, epsilon, low, high, goal)
    total = below + above + rest
    for left, right in positive:
        total += integrate(surplus, left, right, bits, arb(1))
    return total


def _signs(
    upper: Function, surplus: Function, logs: tuple[Function, Function], epsilon: arb, low: arb, high: arb, goal: arb
) -> tuple[list[tuple[arb, arb]], arb]:
    """The stretches where a > e^ε b for certain, and a ball around the integral over what is open."""
    found: list[tuple[arb, arb]] = []
    rest = arb(0)
    waiting: list[tuple[float, int, arb, arb, arb]] = []
    tickets = count()

    def judge(left: arb, right: arb) -> None:
        nonlocal rest
        box = acb(left.union(right))
        above, below = logs[0](box, False), logs[1](box, False)
        if not (above.imag.contains(0) and below.imag.contains(0)):
            raise InputError("a density is negative on a part of its support; correct the density or the support")
        sign = (above - below).real - epsilon
        if sign < 0:
            return
        if sign > 0:
            found.append((left, right))
            return
        size, difference = abs(upper(box, False)), abs(surplus(box, False))
        most = (right - left) * (size.min(difference) if difference.is_finite() else size)  # b may have no bound
        if most <= goal / 1024:
            rest += open_part(most)
        else:
            weight = float(most.upper()) if most.is_finite() else math.inf
            heapq.heappush(waiting, (-weight, next(tickets), left, right, most))

    judge(low, high)
    for _ in range(_MOST_PARTS):
        if not waiting:
            break
        _, _, left, right, most = heapq.heappop(waiting)
        middle = arb(((left + right) / 2).mid())
        if middle > left and middle < right:
            judge(left, middle)
            judge(middle, right)
        else:
            rest += open_part(most)
    for entry in waiting:
        rest += open_part(entry[4])
    return _joined(found), rest


def _joined(found: list[tuple[arb, arb]]) -> list[tuple[arb, arb]]:
    """Stretches in order, those that share an end as one."""
    joined: list[tuple[arb, arb]] = []
    for left, right in sorted(found, key=lambda stretch: stretch[0].mid()):
        if joined and joined[-1][1] is left:
            joined[-1] = joined[-1][0], right
        else:
            joined.append((left, right))
    return joined


def open_part(most: arb) -> arb:
    """[0, most], what the integral may be where the sign is open."""
    return between_zero_and(most)
