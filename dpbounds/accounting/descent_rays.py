"""Few uses of noise whose moment function hardly decays: the contour turns where its terms decay, term by term.

With M_i(z) = Σ_j e^{zL_ij}E_ij(z) in the upper half-plane (`ends`), the integrand is a sum over states n, one end for each use,

    Π M_i^{k_i}·e^{−εz}/(z(z+1)) = Σ_n w_n Π E_ij^{n_ij}·e^{z·s_n}/(z(z+1)),    s_n = Σ n_ij L_ij − ε,

and M(z̄) is the conjugate of M(z), so δ(ε) = (1/π) Im ∫ over the upper half of the line Re z = c. Up to the height Y₀ it is integrated as
it is; from z₀ = c + iY₀ on the states with s_n > 0 go along the ray z₀ + t·e^{i(π/2+α)} and the others along z₀ + t·e^{i(π/2−α)}, where
e^{z·s_n} falls, as far as t, and from there straight up. Above Y₀ the E_ij are analytic and bounded, so the integrand is O(|z|⁻²) and
Cauchy's theorem applies, whatever the sign of s_n (it may be too small to be told).

Panels of Gauss–Legendre nodes (`gauss_legendre`) with |E_ij| bounded on each ellipse; past t, as the bounds on |E_ij| fall upwards, at most
Σ_n w_n Π|E_ij|^{n_ij}e^{x·s_n}/Im z is left. For sampling without replacement α = 20° keeps e^{zx} small on its rays. On the straight part
|M(z)| ≤ M(Re z), which is log-convex.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import TypeVar

from flint import acb, arb, fmpq

from dpbounds.accounting.bromwich_planning import Model
from dpbounds.errors import PrecisionError
from dpbounds.laws.descent_transforms import Patch
from dpbounds.laws.endpoint_expansion import ExpandedEnds, approx_states
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.gauss_legendre import ACROSS, ALONG, Panel, cover
from dpbounds.numbers.inputs import exact_ball

Value = TypeVar("Value", arb, acb)

MOST_STATES = 4000
"""The most states that are followed."""
_ROUGH = 64
_SPLIT_LOSS = 15.0
_NEARBY, _STEEP = Fraction(1, 4), Fraction(1, 9)
"""α/π for atoms and Laplace noise, and where rays at 35° must decay too."""


@dataclass(frozen=True)
class State:
    """w_n, the counts n_ij part by part, and s_n."""

    ways: int
    counts: tuple[tuple[int, ...], ...]
    exponent: arb


@dataclass(frozen=True)
class Leg:
    """A half-line c + iy + t·e^{iπ·side} with the states that go along it; None stands for M as a whole."""

    c: float
    y: float
    side: Fraction
    states: tuple[State, ...] | None

    def line(self) -> tuple[acb, acb]:
        """Start and direction at the current precision."""
        return acb(arb(self.c), arb(self.y)), acb(fmpq(self.side.numerator, self.side.denominator)).exp_pi_i()

    def patch(self, left: float, right: float, along: float, across: float) -> Patch:
        """The ellipse around a panel, or the panel itself."""
        (start, turn), half = self.line(), (arb(right) - arb(left)) / 2
        return Patch(start + turn * ((arb(left) + arb(right)) / 2), turn, half * along, half * across)


def can_turn(elements: Elements) -> bool:
    """Whether every law has an endpoint expansion, with few states in all, and some law has a density."""
    if not elements.noise:
        return False
    with precision(_ROUGH):
        parts = elements.parts()
    return parts is not None and approx_states(parts) <= MOST_STATES


def integrate_turned(elements: Elements, epsilon: Fraction, digits: int) -> Enclosure:
    """δ(ε), the mass of infinite loss included.

    Returns:
        An enclosure that has the digits, or the best of the attempts.

    Raises:
        PrecisionError: too many panels would be needed.
    """
    best: Enclosure | None = None
    extra = 0.0
    with precision(128):
        model = Model(elements.factors(), float(epsilon))
        saddle = model.saddle()
        log_value = model.log_delta(saddle)
    for _ in range(4):
        tolerance = digits * math.log(10) + 4 + extra
        found = turned_delta(elements, epsilon, saddle, log_value, tolerance)
        best = found if best is None or found.digits() > best.digits() else best
        if best.meets(digits):
            return best
        reached = found.digits()
        extra += (min(digits - reached, digits + 10.0) if math.isfinite(reached) else 5.0) * math.log(10) + 3
    assert best is not None
    return best


def turned_delta(elements: Elements, epsilon: Fraction, c: float, log_value: float, tolerance: float) -> Enclosure:
    """δ(ε) for errors of about e^{log_value − tolerance}."""
    contour = RayContour(elements, epsilon, c, tolerance, log_value)
    found = [contour.leg(contour.upright(), end=contour.height)] + [contour.leg(leg) for leg in contour.turned()]
    with precision(contour.finest):
        total = sum(found, arb(0))
        return Enclosure.of(total / arb.pi() + elements.unlisted_mass())


def parts_of(elements: Elements) -> list[ExpandedEnds]:
    """The parts at the current precision, of a product that has them."""
    parts = elements.parts()
    assert parts is not None
    return parts


class RayContour:
    """The legs of a contour and the integrals along them."""

    def __init__(self, elements: Elements, epsilon: Fraction, c: float, tolerance: float, log_value: float) -> None:
        self.elements, self.epsilon, self.c, self.tolerance = elements, epsilon, c, tolerance
        self.finest = _ROUGH
        with precision(_ROUGH):
            self.rough = parts_of(elements)
            self.goal = arb(log_value - tolerance).exp()
            self.states = approx_states(self.rough)
            self.height = self._height()

    def _height(self) -> float:
        """Y₀, where the ends together are not much larger than M at c."""
        point = self._corner(0.0)
        whole = [part.bound(point) for part in self.rough]
        height = self.c
        for _ in range(200):
            here = self._corner(height)
            loss = arb(0)
            for part, size in zip(self.rough, whole, strict=True):
                split = sum(((self.c * end.loss).exp() * end.bound(here) for end in part.ends), arb(0))
                loss += part.steps * (split / size).log()
            if loss <= _SPLIT_LOSS + sum(part.steps for part in self.rough) / 4:
                return height
            height *= 1.5
        raise PrecisionError("the ends of the privacy loss cannot be told apart; no digit was reached")

    def _corner(self, height: float) -> Patch:
        return Patch(acb(arb(self.c), arb(height)), acb(1), arb(0), arb(0))

    def upright(self) -> Leg:
        """From c to z₀."""
        return Leg(self.c, 0.0, Fraction(1, 2), None)

    def turned(self) -> Iterator[Leg]:
        """The rays from z₀ to the left and to the right."""
        angle = _STEEP if any(part.steep for part in self.rough) else _NEARBY
        with precision(_ROUGH + int(2 * self.tolerance)):  # so that e^{x·s_n} stays near 1 as far out as 1/|z| takes, where s_n = 0
            states = list(_states(parts_of(self.elements), exact_ball(self.epsilon)))
        left = tuple(state for state in states if state.exponent > 0)
        right = tuple(state for state in states if not state.exponent > 0)
        for side, chosen in ((Fraction(1, 2) + angle, left), (Fraction(1, 2) - angle, right)):
            if chosen:
                yield Leg(self.c, self.height, side, chosen)

    def leg(self, leg: Leg, end: float | None = None) -> arb:
        """Im ∫ along one leg, with the error in the ball."""
        with precision(_ROUGH):
            rest = None if end is not None else (lambda t: self.rest(leg, t))
            panels = cover(0.0, self.height / 4, lambda a, b: self.bound(leg, leg.patch(a, b, ALONG, ACROSS)), self.goal / 64, end, rest)
            error = sum((panel.error for panel in panels), arb(0))
            if rest is not None:
                error += rest(panels[-1].high if panels else 0.0)
        total = arb(0)
        for panel in panels:
            lost = max(0.0, float((panel.size / self.goal).log().upper())) if panel.size > 0 else 0.0
            size = sum(part.steps for part in self.rough) * (self.height + panel.high + 1)  # of the exponents z·n_ij·L_ij
            bits = max(_ROUGH, int(lost / math.log(2)) + 60 + int(math.log2(size)))
            self.finest = max(self.finest, bits)
            with precision(bits):
                value = self.panel(leg, panel)
            with precision(self.finest):
                total += value
        with precision(self.finest):
            return total + arb(0, error.upper())

    def bound(self, leg: Leg, patch: Patch) -> arb:
        """A bound on the modulus of what is integrated, on a patch."""
        poles = patch.distance(arb(0)) * patch.distance(arb(-1))
        if not poles > 0:
            return arb.pos_inf()
        if leg.states is None:
            size = arb(1)
            for part in self.rough:
                size *= part.bound(patch) ** part.steps
            at = exact_ball(self.epsilon)
            most = (at * patch.reach(acb(-1))).exp()
            return arb((size * most / poles).upper())
        if not patch.reach(acb(0, 1)) < 0:  # the largest −Im z
            return arb.pos_inf()
        powers = self._sizes(patch)
        right, left = arb(patch.reach(acb(1)).upper()), arb((-patch.reach(acb(-1))).lower())
        total = arb(0)
        for state in leg.states:
            # at the largest real part or the smallest, whichever sign s_n has
            most = (right * state.exponent).exp().max((left * state.exponent).exp())
            total += state.ways * _product(powers, state) * most
        return arb((total / poles).upper())

    def rest(self, leg: Leg, t: float) -> arb:
        """A bound on the integral straight up from t."""
        start, turn = leg.line()
        here = Patch(start + turn * t, acb(1), arb(0), arb(0))
        powers = self._sizes(here)
        total = arb(0)
        assert leg.states is not None
        for state in leg.states:
            total += state.ways * _product(powers, state) * (here.middle.real * state.exponent).exp()
        return arb((total / here.middle.imag).upper())

    def _sizes(self, patch: Patch) -> list[list[list[arb]]]:
        return [[_powers(arb(end.bound(patch).upper()), part.steps) for end in part.ends] for part in self.rough]

    def panel(self, leg: Leg, panel: Panel) -> arb:
        """Im of the Gauss–Legendre sum over one panel at the current precision."""
        parts, epsilon = parts_of(self.elements), exact_ball(self.epsilon)
        start, turn = leg.line()
        nodes = panel.nodes()
        points = [start + turn * node for node, _ in nodes]
        with precision(_ROUGH):
            segment = leg.patch(panel.low, panel.high, 1.0, 0.0)
            share = self.goal / (panel.size + self.goal) / sum(part.steps for part in parts) / 16
        values = self._whole(parts, points, segment, share) if leg.states is None else self._ends(leg.states, parts, points, segment, share)
        total = acb(0)
        for z, (_, weight), value in zip(points, nodes, values, strict=True):
            total += weight * value * (-epsilon * z).exp() / (z * (z + 1))
        return (total * turn).imag

    def _whole(self, parts: Sequence[ExpandedEnds], points: Sequence[acb], segment: Patch, share: arb) -> list[acb]:
        """Π M_i^{k_i} at each point."""
        found = [acb(1)] * len(points)
        for part, rough in zip(parts, self.rough, strict=True):
            with precision(_ROUGH):
                plans = [ray.plan(segment, share * ray.bound(segment)) for _, ray in rough.real]
            rows = [(shift, ray.values(points, plan)) for (shift, ray), plan in zip(part.real, plans, strict=True)]
            for index, z in enumerate(points):
                value = sum((end.atom * (z * end.loss).exp() for end in part.ends), acb(0))
                value += sum(((z * shift).exp() * row[index] for shift, row in rows), acb(0))
                found[index] *= value**part.steps
        return found

    def _ends(self, states: Sequence[State], parts: Sequence[ExpandedEnds], points: Sequence[acb], segment: Patch, share: arb) -> list[acb]:
        """The sum of the states at each point."""
        powers: list[list[list[list[acb]]]] = [[] for _ in points]
        for part, rough in zip(parts, self.rough, strict=True):
            rows: list[list[list[acb]]] = [[] for _ in points]
            for end, model in zip(part.ends, rough.ends, strict=True):
                with precision(_ROUGH):
                    plans = [ray.plan(segment, share * model.bound(segment)) for _, ray in model.rays]
                transforms = [(sign, ray.values(points, plan)) for (sign, ray), plan in zip(end.rays, plans, strict=True)]
                for index, z in enumerate(points):
                    value = sum((sign * row[index] for sign, row in transforms), acb(end.atom))
                    rows[index].append(_powers(value * (z * end.loss).exp(), part.steps))
            for row, own in zip(powers, rows, strict=True):
                row.append(own)
        return [sum((state.ways * _product(row, state) for state in states), acb(0)) for row in powers]


def _powers(base: Value, top: int) -> list[Value]:
    found = [base**0]
    for _ in range(top):
        found.append(found[-1] * base)
    return found


def _product(powers: Sequence[Sequence[Sequence[Value]]], state: State) -> Value:
    """Π E_ij^{n_ij} from the powers of every end."""
    entries = (row[n] for rows, counts in zip(powers, state.counts, strict=True) for row, n in zip(rows, counts, strict=True) if n)
    return reduce(mul, entries)


def _states(parts: Sequence[ExpandedEnds], epsilon: arb) -> Iterator[State]:
    """Every state."""

    def walk(index: int, ways: int, counts: tuple[tuple[int, ...], ...], loss: arb) -> Iterator[State]:
        if index == len(parts):
            yield State(ways, counts, loss - epsilon)
            return
        part = parts[index]
        for own in _compositions(part.steps, len(part.ends)):
            spent, factor = part.steps, 1
            for n in own:
                factor *= math.comb(spent, n)
                spent -= n
            added = sum((n * end.loss for n, end in zip(own, part.ends, strict=True)), loss)
            yield from walk(index + 1, ways * factor, (*counts, own), added)

    yield from walk(0, 1, (), arb(0))


def _compositions(total: int, size: int) -> Iterator[tuple[int, ...]]:
    if size == 1:
        yield (total,)
        return
    for n in range(total + 1):
        for others in _compositions(total - n, size - 1):
            yield (n, *others)
