"""Few uses of noise whose moment function hardly decays: the contour turns where its terms decay, term by term.

With M_i(z) = Σ_j e^{zL_ij}E_ij(z) in the upper half-plane (`ends`), the integrand is a sum over states n, one end for each use,

    Π M_i^{k_i}·e^{−εz}/(z(z+1)) = Σ_n w_n Π E_ij^{n_ij}·e^{z·s_n}/(z(z+1)),    s_n = Σ n_ij L_ij − ε,

and M(z̄) is the conjugate of M(z), so δ(ε) = (1/π) Im ∫ over the upper half of the line Re z = c. Up to the height Y₀ it is integrated as
it is; from z₀ = c + iY₀ on the states with s_n > 0 go along the ray z₀ + t·e^{i(π/2+α)} and the others along z₀ + t·e^{i(π/2−α)}, where
e^{z·s_n} falls, as far as t, and from there straight up. Above Y₀ the E_ij are analytic and bounded, so the integrand is O(|z|⁻²) and
Cauchy's theorem applies, whatever the sign of s_n (it may be too small to be told).

Panels of Gauss–Legendre nodes (`gauss_legendre`) with |E_ij| bounded on each ellipse; past t, as the bounds on |E_ij| fall upwards, at most
Σ_n w_n Π|E_ij|^{n_ij}e^{x·s_n}/Im z is left. For sampling without replacement α = 20° keeps e^{zx} small on its rays. On the straight part
|M(z)| ≤ M(Re z), which is log-convex. Nothing but e^{−εz} depends on ε: a contour that was planned for one ε, its sides too, encloses δ at
any other, with the bounds of that ε.
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
from dpbounds.accounting.nearby import Nearby
from dpbounds.errors import PrecisionError
from dpbounds.laws.normal_form import Elements
from dpbounds.laws.paths.descent_transforms import Patch
from dpbounds.laws.paths.endpoint_expansion import ExpandedEnds, approx_states
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.gauss_legendre import ACROSS, ALONG, Panel, cover, panel_error
from dpbounds.numbers.inputs import exact_ball

Value = TypeVar("Value", arb, acb)

DESCENT_RAYS = "descent rays"
MOST_STATES = 4000
"""The most states that are followed."""
_ROUGH = 64
_SPLIT_LOSS = 15.0
_NEARBY, _STEEP = Fraction(1, 4), Fraction(1, 9)
"""α/π for atoms and Laplace noise, and where rays at 35° must decay too."""


@dataclass(frozen=True)
class State:
    """w_n, the counts n_ij part by part, and Σ n_ij L_ij = s_n + ε."""

    ways: int
    counts: tuple[tuple[int, ...], ...]
    loss: arb


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


@dataclass(frozen=True)
class StateBounds:
    """Bounds on what is integrated along a leg, without e^{−εz}: Σ sizes·e^{x·losses} for x from `low` to `high`.

    For M as a whole there is one size, with the loss 0.
    """

    sizes: tuple[arb, ...]
    losses: tuple[arb, ...]
    low: arb
    high: arb

    def with_damping(self, epsilon: arb) -> arb:
        """The bound with e^{−εz}: at the largest real part or the smallest, whichever sign the exponents have."""
        total = arb(0)
        for size, loss in zip(self.sizes, self.losses, strict=True):
            exponent = loss - epsilon
            total += size * (self.high * exponent).exp().max((self.low * exponent).exp())
        return arb(total.upper())


NOWHERE = StateBounds((arb.pos_inf(),), (arb(0),), arb(0), arb(0))
"""Where the integrand is not known to be analytic."""


@dataclass(frozen=True)
class PlannedLeg:
    """A leg with its panels, and all there that does not depend on ε.

    `terms`: for each panel the bits, and z with the weight times M(z)/(z(z+1)) at its nodes.
    """

    leg: Leg
    panels: tuple[tuple[Panel, StateBounds], ...]
    rest: StateBounds | None
    terms: tuple[tuple[int, list[tuple[acb, acb]]], ...]


def can_turn(elements: Elements) -> bool:
    """Whether every law has an endpoint expansion, with few states in all, and some law has a density."""
    if not elements.noise:
        return False
    with precision(_ROUGH):
        parts = elements.parts()
    return parts is not None and approx_states(parts) <= MOST_STATES


def integrate_turned(elements: Elements, epsilon: Fraction, digits: int, nearby: Nearby | None = None) -> Enclosure:
    """δ(ε), the mass of infinite loss included.

    Args:
        nearby: a contour of the same product for another ε; the one that is found here takes its place.

    Returns:
        An enclosure that has the digits, or the best of the attempts.

    Raises:
        PrecisionError: too many panels would be needed.
    """

    def level() -> arb:
        return exact_ball(epsilon)

    if nearby is not None and (found := nearby.delta(level, digits, elements.unlisted_mass)) is not None:
        return found
    best: Enclosure | None = None
    extra = 0.0
    with precision(128):
        model = Model(elements.factors(), float(epsilon))
        saddle = model.saddle()
        log_value = model.log_delta(saddle)
    for _ in range(4):
        tolerance = digits * math.log(10) + 4 + extra
        contour = RayContour(elements, epsilon, saddle, tolerance, log_value)
        found = contour.enclosure(epsilon)
        best = found if best is None or found.digits() > best.digits() else best
        if best.meets(digits):
            if nearby is not None:
                nearby.turned = True
                nearby.keep(contour, contour.bits, digits, DESCENT_RAYS)
            return best
        reached = found.digits()
        extra += (min(digits - reached, digits + 10.0) if math.isfinite(reached) else 5.0) * math.log(10) + 3
    assert best is not None
    return best


def parts_of(elements: Elements) -> list[ExpandedEnds]:
    """The parts at the current precision, of a product that has them."""
    parts = elements.parts()
    assert parts is not None
    return parts


class RayContour:
    """A contour planned for one ε, and all that does not depend on it: it gives δ(ε) for any ε, and the bounds there say how well.

    Args:
        c: abscissa. tolerance, log_value: errors of about e^{log_value − tolerance} are aimed at.
    """

    is_short = True

    def __init__(self, elements: Elements, epsilon: Fraction, c: float, tolerance: float, log_value: float) -> None:
        self.elements, self.c, self.tolerance = elements, c, tolerance
        self.lost = arb(0)
        # so that e^{x·s_n} stays near 1 as far out as 1/|z| takes, where s_n = 0
        self.bits = _ROUGH + int(2 * tolerance)
        with precision(_ROUGH):
            self.rough = parts_of(elements)
            self.goal = arb(log_value - tolerance).exp()
            self.states = approx_states(self.rough)
            self.height = self._height()
        with precision(self.bits):
            planned = exact_ball(epsilon)
        self.runs = [self._run(self.upright(), planned, self.height), *(self._run(leg, planned) for leg in self.turned(planned))]

    def enclosure(self, epsilon: Fraction) -> Enclosure:
        """δ(ε), the mass of infinite loss included."""
        with precision(self.bits):
            return Enclosure.of_ball(self.delta(exact_ball(epsilon)) + self.elements.unlisted_mass())

    def delta(self, epsilon: arb) -> arb:
        """The ball of δ(ε), without the mass of infinite loss."""
        total = arb(0)
        for run in self.runs:
            with precision(_ROUGH):
                error = sum((panel_error(panel.half, bounds.with_damping(epsilon), panel.order) for panel, bounds in run.panels), arb(0))
                if run.rest is not None:
                    error += run.rest.with_damping(epsilon)
            _, turn = run.leg.line()
            for bits, terms in run.terms:
                with precision(bits):
                    value = sum((term * (-epsilon * z).exp() for z, term in terms), acb(0))
                total += (value * turn).imag
            total += arb(0, error.upper())
        return total / arb.pi()

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

    def turned(self, epsilon: arb) -> Iterator[Leg]:
        """The rays from z₀ to the left and to the right."""
        angle = _STEEP if any(part.steep for part in self.rough) else _NEARBY
        with precision(self.bits):
            states = list(_states(parts_of(self.elements)))
            left = tuple(state for state in states if state.loss > epsilon)
            right = tuple(state for state in states if not state.loss > epsilon)
        for side, chosen in ((Fraction(1, 2) + angle, left), (Fraction(1, 2) - angle, right)):
            if chosen:
                yield Leg(self.c, self.height, side, chosen)

    def _run(self, leg: Leg, epsilon: arb, end: float | None = None) -> PlannedLeg:
        """One leg: its panels for the ε that the contour is planned for, and what is integrated at their nodes."""
        known: dict[tuple[float, float], StateBounds] = {}

        def bound(left: float, right: float) -> arb:
            known[left, right] = self.bound(leg, leg.patch(left, right, ALONG, ACROSS))
            return known[left, right].with_damping(epsilon)

        with precision(_ROUGH):
            rest = None if end is not None else (lambda t: self.beyond(leg, t).with_damping(epsilon))
            panels = cover(0.0, self.height / 4, bound, self.goal / 64, end, rest)
            last = None if end is not None else self.beyond(leg, panels[-1].high if panels else 0.0)
        terms = []
        for panel in panels:
            lost = max(0.0, float((panel.size / self.goal).log().upper())) if panel.size > 0 else 0.0
            size = sum(part.steps for part in self.rough) * (self.height + panel.high + 1)  # of the exponents z·n_ij·L_ij
            bits = max(_ROUGH, int(lost / math.log(2)) + 60 + int(math.log2(size)))
            self.bits = max(self.bits, bits)
            with precision(bits):
                terms.append((bits, self.terms(leg, panel)))
        return PlannedLeg(leg, tuple((panel, known[panel.low, panel.high]) for panel in panels), last, tuple(terms))

    def bound(self, leg: Leg, patch: Patch) -> StateBounds:
        """A bound on the modulus of what is integrated, on a patch."""
        poles = patch.distance(arb(0)) * patch.distance(arb(-1))
        if not poles > 0:
            return NOWHERE
        low, high = arb((-patch.reach(acb(-1))).lower()), arb(patch.reach(acb(1)).upper())
        if leg.states is None:
            size = arb(1)
            for part in self.rough:
                size *= part.bound(patch) ** part.steps
            return StateBounds((size / poles,), (arb(0),), low, high)
        if not patch.reach(acb(0, 1)) < 0:  # the largest −Im z
            return NOWHERE
        return StateBounds(self._sizes(leg.states, patch, poles), tuple(state.loss for state in leg.states), low, high)

    def beyond(self, leg: Leg, t: float) -> StateBounds:
        """A bound on the integral straight up from t."""
        start, turn = leg.line()
        here = Patch(start + turn * t, acb(1), arb(0), arb(0))
        assert leg.states is not None
        x = here.middle.real
        return StateBounds(self._sizes(leg.states, here, here.middle.imag), tuple(state.loss for state in leg.states), x, x)

    def _sizes(self, states: Sequence[State], patch: Patch, divisor: arb) -> tuple[arb, ...]:
        """w_n·Π|E_ij|^{n_ij}/divisor of each state, from above."""
        powers = [[_powers(arb(end.bound(patch).upper()), part.steps) for end in part.ends] for part in self.rough]
        return tuple(state.ways * _product(powers, state) / divisor for state in states)

    def terms(self, leg: Leg, panel: Panel) -> list[tuple[acb, acb]]:
        """z and the weight times M(z)/(z(z+1)), or what the states of the leg have of it, at the nodes of a panel."""
        parts = parts_of(self.elements)
        start, turn = leg.line()
        nodes = panel.nodes()
        points = [start + turn * node for node, _ in nodes]
        with precision(_ROUGH):
            segment = leg.patch(panel.low, panel.high, 1.0, 0.0)
            share = self.goal / (panel.size + self.goal) / sum(part.steps for part in parts) / 16
        values = self._whole(parts, points, segment, share) if leg.states is None else self._ends(leg.states, parts, points, segment, share)
        return [(z, weight * value / (z * (z + 1))) for z, (_, weight), value in zip(points, nodes, values, strict=True)]

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


def _states(parts: Sequence[ExpandedEnds]) -> Iterator[State]:
    """Every state."""

    def walk(index: int, ways: int, counts: tuple[tuple[int, ...], ...], loss: arb) -> Iterator[State]:
        if index == len(parts):
            yield State(ways, counts, loss)
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
