"""The loss of two densities of the user's as cells of the complex plane, where its modulus is bounded.

On a piece between kinks let p, q be the densities, ℓ = log p − log q and γ the rate of Poisson sampling, 1 for none. The upper density a
and the loss L are

    remove: a = q·U, L = log U;      add: a = q, L = −log U;      U = 1 − γ + γe^ℓ, L′ = ±γe^ℓℓ′/U (ℓ and ℓ′ where γ = 1),

so that nothing cancels where γ is small. On a cell c + τe, −1 ≤ τ ≤ 1, of a path, with the slopes A ⊇ (log a)′ and B ⊇ L′ on a box around
it, log f_z(c + τe) − log f_z(c) ∈ τe(A + zB) for f_z = a·e^{zL}, a box being convex. With [lo, hi] the real part of e(A + zB),

    ∫_cell |f_z ds| ≤ |e|·|f_z(c)|·(E(hi) + E(−lo)),    E(v) = ∫_0^1 e^{vt}dt.

Cells on the real axis are where the law lives. Between the ends of a run of them on which L′ > 0 (< 0), Cauchy's theorem lets the path rise
(fall) to a height A and come back, at 45°: below each of its cells a box on which the slopes are analytic and Re L′ keeps its sign. So
Im L ≥ 0 on the path and |f_{x+iy}| falls in y there: a bound for y is one for all y′ ≥ y.

What is left out: the mass of a beyond the last cells, towards infinity or where a logarithm is not analytic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import sympy
from flint import acb, arb, ctx

from dpbounds.errors import InputError, PrecisionError
from dpbounds.language.analytic import Function, compile_analytic, compile_log, log_derivative
from dpbounds.language.enclose import ball_of
from dpbounds.language.pieces import Piece, cut
from dpbounds.laws.density.density_moments import IntegrandPiece, _cut_off, _mass
from dpbounds.laws.mixture_model import moments_of
from dpbounds.mechanisms import DensityPair
from dpbounds.numbers.balls import precision
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball

BITS = 80
_MOST_CELLS = 3000
_MOST_TRIES = 40_000
_FLATTEST = 1e-7
_HEIGHTS = ((8.0, 0.49), (4.0, 0.4), (2.0, 0.3), (1.0, 0.2), (0.5, 0.1), (0.25, 0.05), (0.12, 0.02), (0.06, 0.01), (0.03, 0.005))
_SMOOTH = 0.1
_STRAIGHT = 0.004
_REAL = 0.05
_CHANGE = 2.0
_NOTHING = 1e-200
_NEGLIGIBLE = -60.0
_ORDER = 5


@dataclass
class Work:
    """How many cells may still be tried."""

    left: int


@lru_cache(maxsize=256)
def _length(length: sympy.Expr, bits: int) -> arb:
    return ball_of(length, bits)


@dataclass(frozen=True)
class Side:
    """What is used of a piece: x = scale·t for t from `low` to `high`, both exact floats, where a and L are analytic."""

    log_p: Function | None
    log_q: Function
    slope_q: Function
    slope_ratio: Function | None
    bend_ratio: Function | None
    rate: Exact
    add: bool
    length: sympy.Expr | None
    low: float = 0.0
    high: float = 1.0

    def place(self, t: acb) -> acb:
        """x."""
        return t * self.jacobian()

    def jacobian(self) -> arb:
        """dx/dt > 0."""
        return arb(1) if self.length is None else _length(self.length, ctx.prec)

    def _mixed(self, x: acb, analytic: bool) -> tuple[acb, acb, acb]:
        """log U, γe^ℓ/U and ℓ′ at x."""
        gamma = exact_ball(self.rate, "q")
        if self.log_p is None or self.slope_ratio is None:  # p = 0
            return acb((1 - gamma).log()), acb(0), acb(0)
        middle = acb(x.real.mid(), x.imag.mid())
        slope = self._slope_ratio(x, middle, analytic)
        ratio = self.log_p(middle, False) - self.log_q(middle, False) + slope * (x - middle)
        if self.rate == 1:
            return ratio, acb(1), slope
        grown = gamma * ratio.exp()
        total = 1 - gamma + grown
        share = 1 / (1 + (1 - gamma) / grown) if abs(grown) > 1 else grown / total
        return total.log(analytic=analytic), share, slope

    def _slope_ratio(self, x: acb, middle: acb, analytic: bool) -> acb:
        """ℓ′, on a box by the mean value theorem where that is narrower."""
        assert self.slope_ratio is not None and self.bend_ratio is not None
        plain = self.slope_ratio(x, analytic)
        if x.is_exact() or not plain.is_finite():
            return plain
        centred = self.slope_ratio(middle, False) + self.bend_ratio(x, analytic) * (x - middle)
        return centred if centred.is_finite() and _radius(centred) < _radius(plain) else plain

    def logs(self, t: acb, analytic: bool = False) -> tuple[acb, acb]:
        """log a and L; with `analytic` finite only where all logarithms in them, that of p too, are analytic on all of t."""
        x = self.place(t)
        if analytic and self.log_p is not None and not self.log_p(x, True).is_finite():
            return acb("nan"), acb("nan")  # the value at the middle of t may lie on another branch than the real axis
        mixed, own = self._mixed(x, analytic)[0], self.log_q(x, analytic)
        return (own, -mixed) if self.add else (own + mixed, mixed)

    def slopes(self, t: acb) -> tuple[acb, acb]:
        """d(log a)/dt and dL/dt; finite only where both are analytic on all of t."""
        x = self.place(t)
        _, share, ratio = self._mixed(x, True)
        own, loss = self.slope_q(x, True), share * ratio
        step = self.jacobian()
        return (own * step, -loss * step) if self.add else ((own + loss) * step, loss * step)


@dataclass(frozen=True)
class DensityCell:
    """c + τe, its real part from `left` to `right`: log a and L at c, their slopes on a box around it, and L′ on all that is under it.

    e is a ball that holds the rounding of c.
    """

    left: float
    right: float
    centre: acb
    half: acb
    log_size: acb
    loss: acb
    slope: acb
    loss_slope: acb
    under: acb

    def bound(self, z: acb) -> arb:
        """∫ |f_z ds| at most; multiplied by dx/dt elsewhere."""
        ahead = (self.half * (self.slope + z * self.loss_slope)).real
        size = abs(self.half) * (self.log_size + z * self.loss).real.exp()
        return arb((size * (_mean(arb(ahead.upper())) + _mean(arb(-ahead.lower())))).upper())

    def approx(self) -> tuple[float, complex, complex, complex, float, float]:
        """log of |e|·a(c), L, the mean changes of log a and L over half the cell and how far those may be off, in float64."""
        reach = abs(self.half)
        size = float((self.log_size.real + reach.log()).mid())
        half = complex(self.half)
        off = float((_radius(self.slope) * reach).mid()), float((_radius(self.loss_slope) * reach).mid())
        return size, complex(self.loss), half * _middle(self.slope), half * _middle(self.loss_slope), *off


def _middle(value: acb) -> complex:
    return complex(float(value.real.mid()), float(value.imag.mid()))


def _mean(v: arb) -> arb:
    """∫_0^1 e^{vt}dt for an exact v."""
    return v.expm1() / v if abs(v) > 1e-3 else arb(1).max(v.exp())


@dataclass(frozen=True)
class Run:
    """Neighbouring real cells on which L′ has one sign, or one cell where it has none, and the paths that may take their place."""

    side: Side
    cells: tuple[DensityCell, ...]
    paths: tuple[tuple[DensityCell, ...], ...]


@dataclass
class DensityLaw:
    """The law of the loss.

    Args:
        lost: a bound on the mass of each of the two that is left out.
        whole: neither shows an outcome that the other one never shows.
    """

    sides: list[Side]
    runs: list[Run]
    lost: arb
    whole: bool
    _known: dict[float, tuple[float, float, float]] = field(default_factory=dict, repr=False)

    def decay(self, z: acb) -> arb:
        """A bound on |M(x + iy′)| for all y′ ≥ y, z = x + iy."""
        total = arb(0)
        for run in self.runs:
            best = sum((cell.bound(acb(z.real)) for cell in run.cells), arb(0))
            for path in run.paths:
                best = best.min(sum((cell.bound(z) for cell in path), arb(0)))
            total += best * run.side.jacobian()
        return arb(total.upper())

    def loss_bound(self) -> arb:
        """A bound on the loss."""
        found = arb.neg_inf()
        for run in self.runs:
            for cell in run.cells:
                found = found.max(arb((cell.loss + cell.half * cell.loss_slope * arb(0, 1)).real.upper()))
        return found

    # floats, for planning ---------------------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> list[list[tuple[float, float]]]:
        """log of mass and L at Gauss–Legendre nodes of the real cells, run by run."""
        found = []
        with precision(BITS):
            rule = [arb.legendre_p_root(_ORDER, index, weight=True) for index in range(_ORDER)]
            for run in self.runs:
                rows = []
                for cell in run.cells:
                    scale = run.side.jacobian() * abs(cell.half)
                    for node, weight in rule:
                        size, loss = run.side.logs(acb((cell.centre + cell.half * node).real.mid()))
                        rows.append((float((size.real + (weight * scale).log()).mid()), float(loss.real.mid())))
                found.append(rows)
        return found

    @cached_property
    def _paths(self) -> list[list[list[tuple[float, complex, complex, complex, float, float]]]]:
        found = []
        for run in self.runs:
            scale = math.log(float(run.side.jacobian()))
            rows: list[list[tuple[float, complex, complex, complex, float, float]]] = []
            for path in run.paths:
                entries = (cell.approx() for cell in path)
                rows.append([(entry[0] + scale, *entry[1:]) for entry in entries])
            found.append(rows)
        return found

    @cached_property
    def columns(self) -> tuple[list[float], list[float]]:
        """The same of all runs, masses and losses apart."""
        rows = [row for run in self.rows for row in run]
        return [size for size, _ in rows], [loss for _, loss in rows]

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x)."""
        if x not in self._known:
            self._known[x] = moments_of(*self.columns, x)
        return self._known[x]

    def approx_decay(self, x: float, y: float) -> float:
        """About log(decay/M)."""
        log_moment, total, height = self.approx_log_moments(x)[0], 0.0, math.hypot(x, y)
        for rows, paths in zip(self.rows, self._paths, strict=True):
            own = math.fsum(math.exp(min(700.0, size + x * loss - log_moment)) for size, loss in rows)
            for path in paths:
                found = 0.0
                for size, point, slope, rise, off, further in path:
                    size += x * point.real - y * point.imag - log_moment
                    v, spread = slope.real + x * rise.real - y * rise.imag, off + height * further
                    if size + abs(v) + spread > _NEGLIGIBLE:
                        found += math.exp(min(700.0, size)) * (_approx_mean(v + spread) + _approx_mean(spread - v))
                own = min(own, found)
            total += own
        return math.log(max(total, 1e-300))


def _approx_mean(v: float) -> float:
    """∫_0^1 e^{vt}dt in float64."""
    return math.expm1(min(v, 700.0)) / v if abs(v) > 1e-6 else 1.0


@lru_cache(maxsize=32)
def density_law_of(densities: DensityPair, add: bool, rate: Exact, most: float) -> DensityLaw:
    """The law, cut where each end of a piece loses at most `most` of p and of q.

    Raises:
        PrecisionError: the cells are too many.
    """
    with precision(BITS):
        sides, lost, whole = [], arb(0), True
        for piece in cut((densities.p, densities.q), densities.variable, densities.support):
            shown = [expression != 0 for expression in piece.expressions]
            whole = whole and (shown[1] or not shown[0]) and (shown[0] or not shown[1] or rate != 1)
            for side, mass in _sides(piece, add, rate, arb(most)):
                lost += mass
                sides.append(side)
        cells, paths = Work(_MOST_TRIES), Work(_MOST_TRIES)
        runs = [run for side in sides for run in _runs(side, cells, paths)]
        if not runs:
            raise PrecisionError("no piece of the densities could be enclosed; no digit was reached")
        return DensityLaw(sides, runs, arb(lost.upper()), whole)


def _sides(piece: Piece, add: bool, rate: Exact, most: arb) -> list[tuple[Side, arb]]:
    """What is used of a piece, and a bound on the mass of p and q that is not; none where a = 0, or b = 0, which is for others to count."""
    p, q = piece.expressions
    if q == 0 or (p == 0 and rate == 1):
        return []
    variable = piece.variable
    log_q, slope_q = compile_log(q, variable), compile_analytic(log_derivative(q, variable), variable)
    log_p = compile_log(p, variable) if p != 0 else None
    ratio = bend = None
    if p != 0:
        difference = _difference(log_derivative(p, variable), log_derivative(q, variable), variable)
        ratio, bend = compile_analytic(difference, variable), compile_analytic(sympy.diff(difference, variable), variable)
    masses = [_mass(piece, position) for position in (0, 1) if piece.expressions[position] != 0]
    length, lost = None if piece.high.is_infinite else piece.high, arb(0)
    ends = {-1: 0.0, 1: 1.0}
    for direction in (-1, 1):
        if (piece.low if direction < 0 else piece.high).is_infinite:
            cuts = [_cut_off(mass, direction, most) for mass in masses]
            ends[direction] = direction * max(float(abs(place).upper()) for place, _ in cuts) * (1 + 1e-15)
            lost += sum((beyond.upper() for _, beyond in cuts), arb(0))
    side = Side(log_p, log_q, slope_q, ratio, bend, rate, add, length, ends[-1], ends[1])
    if not piece.low.is_infinite:
        start, missing = _start(side, masses, most)
        side, lost = replace(side, low=start), lost + missing
    return [(side, lost)]


def _difference(left: sympy.Expr, right: sympy.Expr, variable: sympy.Symbol) -> sympy.Expr:
    """left − right in a form without much cancellation."""
    plain = sympy.expand(left - right)
    return sympy.factor(plain) if plain.is_rational_function(variable) else plain


def _start(side: Side, masses: Sequence[IntegrandPiece], most: arb) -> tuple[float, arb]:
    """Where the slopes become analytic, and the mass before that."""
    near = acb(arb(0).union(arb(2) ** -20))
    if all(value.is_finite() for value in side.slopes(near)):
        return 0.0, arb(0)
    start, lost = math.inf, arb(0)
    for mass in masses:
        place, beyond = _cut_off(mass, -1, most)
        if not place > 0:
            room = side.jacobian().min(arb(1)) * arb(2) ** -20
            highest = arb(abs(mass.f(acb(arb(0).union(room)), True)).upper())
            place = arb((room / 2).min(most / highest).lower())
            beyond = highest * place
        start, lost = min(start, float((place / side.jacobian()).lower()) * (1 - 1e-15)), lost + beyond.upper()
    return start, lost


def _box(left: float, right: float, low: float, high: float) -> acb:
    """[left, right] × [low, high], or × [high, low]."""
    return acb(arb(left).union(arb(right)), arb(low).union(arb(high)))


def _cell(side: Side, start: tuple[float, float], end: tuple[float, float]) -> DensityCell | None:
    """The cell between two points (t, height); None where the slopes are not analytic on the box under it."""
    (left, below), (right, above) = start, end
    top = above if abs(above) > abs(below) else below
    region = _box(left, right, 0.0, top)
    below_slope, under = side.slopes(region)
    if not (below_slope.is_finite() and under.is_finite()):
        return None
    slope, gain = side.slopes(_box(left, right, below, above)) if top else (below_slope, under)
    first, second = acb(left, below), acb(right, above)
    centre = acb(((first + second) / 2).real.mid(), ((first + second) / 2).imag.mid())
    ahead, behind = second - centre, centre - first
    half = acb(ahead.real.union(behind.real), ahead.imag.union(behind.imag))
    if top and not all(value.is_finite() for value in side.logs(region, True)):
        return None
    size, loss = side.logs(centre)
    if not (size.is_finite() and loss.is_finite()):
        return None
    if not top:
        if side.log_p is not None and not side.log_p(side.place(centre), False).imag.contains(0):
            raise InputError(
                "a density is negative on a part of its support; correct the density or the support"
            )  # a mixture with q may hide it
        if not (size.imag.contains(0) and loss.imag.contains(0)):
            raise InputError("a density is negative on a part of its support; correct the density or the support")
        size, loss, slope, gain = acb(size.real), acb(loss.real), acb(slope.real), acb(gain.real)
    return DensityCell(left, right, centre, half, size, loss, slope, gain, under)


def _good(cell: DensityCell | None) -> bool:
    if cell is None:
        return False
    reach = abs(cell.half)
    # what the bound may exceed the truth by is the exponential of |y| times this; on a path it falls by the exponential of y·Im L
    straight = arb(_STRAIGHT).max(abs(cell.loss.imag) / 8) if cell.centre.imag else arb(_REAL)
    return bool(_radius(cell.slope) * reach <= _SMOOTH and _radius(cell.loss_slope) * reach <= straight)


def _radius(value: acb) -> arb:
    return value.real.rad().max(value.imag.rad())


def _refined(
    side: Side, start: tuple[float, float], end: tuple[float, float], good: Callable[[DensityCell | None, int], bool], work: Work
) -> list[DensityCell] | None:
    """Cells from one point to another, bisected until they are good; None where they are too many."""
    found: list[DensityCell] = []
    waiting = [(start, end, 0)]
    while waiting:
        if work.left <= 0:
            return None
        work.left -= 1
        first, second, depth = waiting.pop()
        cell = _cell(side, first, second)
        if cell is not None and good(cell, depth):
            found.append(cell)
            continue
        middle = ((first[0] + second[0]) / 2, (first[1] + second[1]) / 2)
        if len(found) + len(waiting) > _MOST_CELLS or depth > 400 or not first[0] < middle[0] < second[0]:
            return None
        waiting += [(middle, second, depth + 1), (first, middle, depth + 1)]
    return found


def _runs(side: Side, work: Work, path_work: Work) -> list[Run]:
    """Real cells by the sign of L′, with their paths, which may be left out once their work is done.

    Raises:
        PrecisionError: the real cells are too many.
    """

    def clear(cell: DensityCell | None, depth: int) -> bool:
        if cell is None or not _good(cell):
            return False
        gain, reach = cell.loss_slope.real, abs(cell.half)
        if (
            not (abs(cell.slope) * reach <= _CHANGE and abs(gain) * reach <= _CHANGE)
            and not cell.bound(acb(0)) * side.jacobian() <= _NOTHING
        ):
            return False
        if gain > 0 or gain < 0 or gain == 0 or depth > 300:
            return True
        return bool(cell.bound(acb(0)) * side.jacobian() <= _FLATTEST)

    cells = _refined(side, (side.low, 0.0), (side.high, 0.0), clear, work)
    if cells is None:
        raise PrecisionError(
            f"the densities vary too much: more than {_MOST_CELLS} cells on a piece, or {_MOST_TRIES} tries; no digit was reached"
        )
    grouped: list[tuple[int, list[DensityCell]]] = []
    for cell in cells:
        gain = cell.loss_slope.real
        sign = 1 if gain > 0 else -1 if gain < 0 else 0
        if grouped and sign and grouped[-1][0] == sign:
            grouped[-1][1].append(cell)
        else:
            grouped.append((sign, [cell]))
    width = _width(cells)
    return [Run(side, tuple(group), tuple(_paths(side, group, sign, width, path_work)) if sign else ()) for sign, group in grouped]


def _width(cells: Sequence[DensityCell]) -> float:
    """The length that holds the middle half of the mass, about."""
    masses = [float(cell.bound(acb(0))) for cell in cells]
    total, whole, kept = 0.0, sum(masses), []
    for cell, mass in zip(cells, masses, strict=True):
        if 0.25 * whole <= total + mass and total <= 0.75 * whole:
            kept.append(cell)
        total += mass
    return kept[-1].right - kept[0].left


def _paths(side: Side, cells: Sequence[DensityCell], sign: int, width: float, work: Work) -> list[tuple[DensityCell, ...]]:
    """Paths over a run, up to several heights; those without enough analyticity, or for which no work is left, are left out."""
    left, right = cells[0].left, cells[-1].right
    found: list[tuple[DensityCell, ...]] = []
    tried: set[float] = set()
    for height in (min(share * width, own * (right - left)) for share, own in _HEIGHTS):
        if height in tried or not (left < left + height < right - height < right):
            continue
        tried.add(height)
        points = [(left, 0.0), (left + height, sign * height), (right - height, sign * height), (right, 0.0)]

        def rising(cell: DensityCell | None, depth: int) -> bool:
            return _good(cell) and cell is not None and bool(sign * cell.under.real >= 0)

        parts = [_refined(side, first, second, rising, work) for first, second in zip(points, points[1:], strict=False)]
        if all(part is not None for part in parts):
            found.append(tuple(cell for part in parts if part for cell in part))
    return found
