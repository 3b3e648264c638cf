"""δ(ε) of a product of factors as one contour integral, every error term inside the ball.

    δ(ε) = (1/2πi) ∫_{Re z = c} M(z) e^{−εz}/(z(z+1)) dz,    c > 0, M = Π M_i^{k_i}.

The trapezoid sum S_h over |j| < J, minus the aliases (`aliases`), plus the truncated nodes (`truncation`); M itself by `factors`.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import mul

from flint import acb, arb

from dpbounds.accounting.bromwich_planning import ContourPlan, Model, lost_mass, plan, target_of, whole_target, with_cuts
from dpbounds.accounting.bromwich_strips import known_part, plan_left
from dpbounds.accounting.left_out.aliases import left_alias_bound, left_alias_cut, left_alias_rest, no_right_alias, right_alias_bound
from dpbounds.accounting.left_out.recurrence import RecurrentLine
from dpbounds.accounting.left_out.returns import returns_of
from dpbounds.accounting.left_out.truncation import contour_truncation_bound
from dpbounds.accounting.nearby import Nearby, PlannedLine, finished
from dpbounds.accounting.rays.hyperbolic import SPARE_BITS, BentLine, BentPlan, bent_integrand
from dpbounds.accounting.rays.hyperbolic_planning import plan_bent
from dpbounds.errors import PrecisionError
from dpbounds.laws.contour_factor import LONGEST, ContourFactor, Need
from dpbounds.numbers.balls import BITS_PER_DIGIT, Enclosure, precision

LARGEST_COUNT = 4_000_000
_MANY = 1_500
_FEW, _FEW_OF_MANY, _MANY_DIGITS = 1_000, 3_000, 250.0
"""Nodes up to which a contour for all digits costs little more than one for a few. The second holds for a tolerance beyond the third,
for which contours left of the poles are tried too where δ is not tiny."""
_BENDS = 800_000
_ROUNDS = 6
_STRAIGHT = 3
_CHEAP = 100_000
_EXPONENTIALS = 250
"""So many exponentials of a hyperbola take about as long as a node of a line."""
_LN10 = math.log(10)
_COSTLY = 5_000
"""Nodes of a line that are made for no more digits than are needed."""
_KEPT = 2**17
"""Terms of a line that serve for another ε too, about twenty megabytes."""

Cuts = tuple[float | None, ...]
"""Where the noise of each factor is cut; None: it is whole."""
FactorMaker = Callable[[], list[ContourFactor]]
"""Builds the factors at the current precision."""


def integrate(
    make: FactorMaker,
    epsilon: Callable[[], arb],
    digits: int,
    certain: Callable[[], arb] | None = None,
    nearby: Nearby | None = None,
    most: int = LARGEST_COUNT,
) -> tuple[Enclosure, str]:
    """Certified δ(ε) by the contour integral, and which contour it was.

    Args:
        make: builds the factors at the current precision.
        epsilon: gives ε at the current precision.
        digits: certified digits asked for.
        certain: gives the mass of P where the loss is infinite, at the current precision; the factors leave it out.
        nearby: a line of the same product for another ε; the one that is found here takes its place.
        most: nodes of a contour.

    Returns:
        An enclosure that has the digits, or the best of the attempts if none has, and the contour with the nodes of its upper half.

    Raises:
        PrecisionError: the contour would need too many nodes.
    """
    if nearby is not None and (found := nearby.delta(epsilon, digits, certain)) is not None:
        return found, nearby.method
    best: Enclosure | None = None
    least = digits * _LN10 + 4
    extra, known, bent, method = 0.0, math.inf, None, ""
    hoped = max(digits, nearby.hoped if nearby is not None else 0)
    for attempt in range(_ROUNDS):
        with precision(128):
            cuts, chosen = _choose(make(), float(epsilon()), least + extra, known, bent, hoped * _LN10 + 4)
        if chosen.count > most:
            reached = f"{best.digits():.0f} digits were reached" if best is not None else "no digit was reached"
            raise PrecisionError(
                f"the contour for {digits} digits would need {chosen.count} nodes; {reached}; "
                "few steps with a tiny sampling rate and a small epsilon can be out of reach; ask for fewer digits"
            )
        with precision(128):
            bits = working_bits_of(make(), chosen) + _bits_beside(certain, chosen.log_value)
        with precision(bits):
            factors = with_cuts(make(), cuts)
            if nearby is not None:
                nearby.costly = chosen.count > _COSTLY or (isinstance(chosen, ContourPlan) and (chosen.recurrent or bool(chosen.levels)))
            if isinstance(chosen, ContourPlan):
                line: PlannedLine = Line(factors, chosen)
            else:
                line = BentLine(bent_integrand(factors, epsilon(), chosen.mixtures), chosen)
            found = finished(line.delta(epsilon()), line.lost, certain)
        if best is None or found.digits() > best.digits():
            best, method = found, f"{'Bromwich line' if isinstance(chosen, ContourPlan) else 'hyperbolic contour'}, {chosen.count} nodes"
        if best.meets(digits):
            if nearby is not None:
                nearby.keep(line, bits, hoped if chosen.tolerance >= hoped * _LN10 else digits, method)
            return best, method
        reached_digits = found.digits()
        known = min(known, _log_upper(found))
        missing = digits - reached_digits if math.isfinite(reached_digits) else 5.0
        extra += max(0.0, min(missing, digits + 10) * _LN10 - max(0.0, chosen.log_value - known)) + 3
        if not found.low > 0:  # nothing tells how far below the estimate δ is
            extra += 10 * (attempt + 1) * _LN10
        if isinstance(chosen, BentPlan):
            bent = chosen.tolerance + max(0.0, missing) * _LN10 + 3
        elif bent is None and (attempt + 1 == _STRAIGHT or _work(chosen) > _CHEAP):
            bent = least + 3  # what equal steps would have needed is no guide
    assert best is not None
    return best, method


def _bits_beside(certain: Callable[[], arb] | None, log_value: float) -> int:
    """Laws with tails leave out a mass of about one unit in the last place, which must be small against δ."""
    return int(max(0.0, -log_value) / math.log(2)) if certain is not None and certain().rad() > 0 else 0


def _log_upper(found: Enclosure) -> float:
    """log δ is at most this."""
    with precision(64):
        return float(found.high.log().mid()) if found.high > 0 and found.high.is_finite() else math.inf


def evaluate(factors: Sequence[ContourFactor], epsilon: arb, chosen: ContourPlan) -> arb:
    """The ball of the planned contour at the current precision."""
    return Line(factors, chosen).delta(epsilon)


class Line:
    """A planned contour and all that does not depend on ε: the moments at its nodes and at the orders of the alias bounds.

    It gives δ(ε) for any ε. A plan made for one ε serves its neighbours nearly as well; the bounds at each ε say how well.

    Args:
        factors: at the current precision, at which every δ must be asked for too.
        chosen: the plan.
    """

    def __init__(self, factors: Sequence[ContourFactor], chosen: ContourPlan) -> None:
        self.factors, self.chosen = factors, chosen
        self.c, self.h = arb(chosen.c), arb(chosen.step)
        last = self.h * (chosen.count - 1)
        falls = [factor.decay(self.c, last, hint) ** factor.steps for factor, hint in zip(factors, chosen.hints, strict=True)]
        self.decay = math.prod(falls, start=arb(1))
        self.recurrent = [
            partial(
                RecurrentLine(self.c, last, self.h, math.prod(falls[:place] + falls[place + 1 :], start=arb(1))).bound,
                atoms,
                factor.steps,
                fallen=partial(factor.decay, self.c, hint=hint),
            )
            for place, (factor, hint) in enumerate(zip(factors, chosen.hints, strict=True))
            if chosen.recurrent
            for atoms in factor.two_atoms(self.c)
        ]
        self.atoms = returns_of(factors, self.c) if chosen.levels else None
        self.right = _moment(factors, arb(chosen.right)) if chosen.right else arb(0)
        self.left = _moment(factors, -1 - arb(chosen.left)) if chosen.left else arb(0)
        self.lost = lost_mass(factors)
        self._kept = list(self._terms()) if self.is_short else []

    @property
    def is_short(self) -> bool:
        """Whether the terms are kept; those of a long line would fill the memory and are computed anew each time."""
        return self.chosen.count <= _KEPT

    def delta(self, epsilon: arb) -> arb:
        """The ball of δ(ε); NaN where the line does not give it."""
        c, chosen = self.c, self.chosen
        if not (c > 0 or all(factor.both_sides for factor in self.factors)):
            return arb.nan()
        period = 2 * arb.pi() / self.h
        total = self.sum(epsilon)
        truncation = self.truncation(epsilon)
        if chosen.right:
            above = right_alias_bound(period, c, epsilon, arb(chosen.right), self.right)
        else:
            above = no_right_alias(period, epsilon, [factor.loss_bound() * factor.steps for factor in self.factors])
        if chosen.left:
            total -= known_part(period, c, epsilon)
            truncation += self.lost * left_alias_cut(period, c, epsilon) if c > 0 else arb(0)  # nothing is cut elsewhere
            above += left_alias_rest(period, c, epsilon, arb(chosen.left), self.left)
        else:
            above += left_alias_bound(period, c)
        # S_h = δ + aliases, aliases in [0, above]; S_h = total ± truncation
        low, high = total - truncation.upper() - above.upper(), total + truncation.upper()
        return low.lower().max(arb(0)).union(high.upper())

    def truncation(self, epsilon: arb) -> arb:
        """What the nodes that are left out add at most."""
        last = self.h * (self.chosen.count - 1)
        bound = arb(contour_truncation_bound(self.decay, self.c, epsilon, last).upper())
        for recurrent in self.recurrent:
            bound = bound.min(recurrent(epsilon=epsilon))
        if self.atoms is not None:
            left = self.atoms.bound(self.chosen.levels, last, self.h, self.height_bound) * (-self.c * epsilon).exp()
            bound = bound.min(arb(left.upper())) if left.is_finite() else bound
        return bound

    def height_bound(self, height: arb) -> arb:
        """|M| at that height and above: M(c) of laws with atoms, what the others have fallen to."""
        bound = arb(1)
        for factor, hint in zip(self.factors, self.chosen.hints, strict=True):
            most = arb(factor.moment(self.c).upper())
            bound *= (most if factor.has_atoms else most.min(factor.decay(self.c, height, hint))) ** factor.steps
        return bound

    def sum(self, epsilon: arb) -> arb:
        """(h/2π)·Σ_{|j|<J} F(c + ijh), F conjugate-symmetric."""
        total = arb(0)
        for start, terms in self._kept or self._terms():
            for j, (term, phase) in enumerate(zip(terms, phases(-self.h * epsilon, len(terms), start), strict=True), start):
                real = (term * phase).real
                total += real if j else real / 2
        return total * (-self.c * epsilon).exp() * self.h / arb.pi()

    def _terms(self) -> Iterator[tuple[int, list[acb]]]:
        """M(z)/(z(z+1)) at the nodes of the upper half, in blocks with the number of their first node."""
        chosen = self.chosen
        slack = _slack(Model(self.factors, 0.0), chosen)
        lines = []
        for factor in self.factors:
            tolerance = chosen.tolerance + max(0.0, chosen.amplitude) + math.log(factor.steps) + 3
            need = Need(tolerance, slack, chosen.step * (chosen.count - 1))
            lines.append(factor.blocks(self.c, self.h, chosen.count, need))
        for start in range(0, chosen.count, LONGEST):
            count = min(LONGEST, chosen.count - start)
            values: list[acb] = [acb(1)] * count
            for factor, line in zip(self.factors, lines, strict=True):
                entries = next(line) if factor.steps == 1 else [entry**factor.steps for entry in next(line)]
                values = list(map(mul, values, entries))
            nodes = [acb(self.c, self.h * j) for j in range(start, start + count)]
            yield start, [value / (z * (z + 1)) for value, z in zip(values, nodes, strict=True)]


def phases(angle: arb, count: int, start: int = 0) -> list[acb]:
    """e^{ij·angle} for start ≤ j < start + count, each by its own exponential."""
    found = []
    for j in range(start, start + count):
        sine, cosine = (angle * j).sin_cos()
        found.append(acb(cosine, sine))
    return found


def _moment(factors: Sequence[ContourFactor], x: arb) -> arb:
    moment = arb(1)
    for factor in factors:
        moment *= factor.moment(x) ** factor.steps
    return arb(moment.upper())


def _slack(model: Model, chosen: ContourPlan) -> Callable[[float], float]:
    """How much relative accuracy of one M may be lost at height y: the modulus of the product has dropped by that much."""
    return lambda y: max(0.0, 0.8 * model.drop(chosen.c, y) - 1)


def _choose(
    factors: list[ContourFactor], epsilon: float, tolerance: float, known: float, bent: float | None, hoped: float
) -> tuple[Cuts, ContourPlan | BentPlan]:
    """The cheapest of equal steps with the noise whole or cut; of tolerance `hoped` where that is short.

    A bent contour of tolerance `hoped` where all of them are long, or of tolerance `bent` where equal steps fell short and it is asked for.
    """
    whole: Cuts = (None,) * len(factors)
    if bent is None and (short := _short_plan(factors, epsilon, max(tolerance, hoped), known)) is not None:
        return whole, short
    target = target_of(factors, epsilon, tolerance)
    target = replace(target, log_value=min(target.log_value, known))
    options = [whole] if target.cuts == whole else [whole, target.cuts, target.farther]
    best: tuple[Cuts, ContourPlan] | None = None
    failure = PrecisionError("the contour found no plan; no digit was reached")
    for cuts in options:
        try:
            chosen = plan(with_cuts(factors, cuts), epsilon, tolerance, target)
        except PrecisionError as error:
            failure = error
            continue
        if best is None or _work(chosen) < _work(best[1]):
            best = cuts, chosen
        if bent is None and _work(best[1]) < _MANY * tolerance:
            return best
    wanted = bent if bent is not None else max(tolerance, hoped)
    if best is None or bent is not None or _work(best[1]) * (wanted / tolerance) ** 2 > _BENDS:
        most = math.inf if best is None or bent is not None else _work(best[1]) * wanted / tolerance
        with contextlib.suppress(PrecisionError):
            curved = plan_bent(factors, epsilon, wanted, target, most * _EXPONENTIALS / wanted)
            if _bent_work(curved) < most:
                return whole, curved
    if best is None:
        raise failure
    return best


def _short_plan(factors: list[ContourFactor], epsilon: float, tolerance: float, known: float) -> ContourPlan | None:
    """Equal steps with the noise whole, if they are few."""
    target = whole_target(factors, epsilon, tolerance)
    if target is None:
        return None
    try:
        chosen = plan(factors, epsilon, tolerance, replace(target, log_value=min(target.log_value, known)))
    except PrecisionError:
        return None
    if tolerance < _MANY_DIGITS or -chosen.log_value > tolerance / 2:
        return chosen if chosen.count < _FEW else None
    left = plan_left(factors, epsilon, chosen.log_value, tolerance)
    best = chosen if left is None or _work(chosen) <= _work(left) else left
    return best if best.count < _FEW_OF_MANY else None


def _work(chosen: ContourPlan) -> float:
    """The nodes along the contour, weighed with the digits they need."""
    return chosen.count * (chosen.tolerance + max(0.0, chosen.amplitude))


def _bent_work(chosen: BentPlan) -> float:
    """The exponentials of a hyperbola, weighed with the digits they need, in the units of `_work`."""
    return chosen.work * (chosen.tolerance + max(0.0, chosen.amplitude)) / _EXPONENTIALS


def working_bits_of(factors: Sequence[ContourFactor], chosen: ContourPlan | BentPlan) -> int:
    """Digits asked for, digits lost by cancellation along the contour and against the left aliases, and a guard."""
    lost = max(0.0, chosen.amplitude)
    if isinstance(chosen, BentPlan):
        return int((chosen.tolerance + lost) / _LN10 * BITS_PER_DIGIT + SPARE_BITS)
    if chosen.left:
        lost = max(lost, -abs(chosen.c) * 2 * math.pi / chosen.step - chosen.log_value)
    height = max(2.0, abs(chosen.c) + chosen.step * chosen.count, chosen.right)
    powers = math.log2(sum(factor.steps for factor in factors)) + math.log2(height)
    return int((chosen.tolerance + lost) / _LN10 * BITS_PER_DIGIT + powers + 40)
