"""Losses on a lattice: M is periodic along the Bromwich line, and the trapezoid rule over one period is exact up to aliases.

With s_j = s₀ + j·u the values of the loss, z = c + 2πim/(Nu), Λ = Nu, and J the first index with s_J > ε, d = s_J − ε,

    S = (1/N)·Σ_{0≤m<N} M(z)·e^{−z·s_J}·Γ(z),    Γ(z) = Σ_{r≥0} (1 − e^{−d−ru})e^{−zru} = 1/(1 − e^{−zu}) − e^{−d}/(1 − e^{−(z+1)u}).

E_P e^{z(L − s_J)} = Σ_j P(L = s_j)e^{c(s_j − s_J)}e^{2πim(j−J)/N}, so the sum over m keeps the pairs with j ≡ J + r mod N:

    S = Σ_{l∈Z} e^{clΛ}·δ_l,    δ_l = Σ_j P(L = s_j)(1 − e^{ε + lΛ − s_j})₊ = δ(ε + lΛ),

the aliases of the line with the period Λ (`aliases`): all terms are ≥ 0, δ_0 is what is wanted, l < 0 adds at most Σ e^{−cmΛ}, and
l > 0 what a Chernoff bound at c′ > c says. Nothing is cut off, because there is no other height.

Far from the real line M is tiny after many uses. With w_j = P(loss j)e^{cs_j} for one use, m their sum and θ the angle 2πm/N of a node,

    |Σ_j w_j e^{ijθ}| ≤ m − Σ_{disjoint pairs j, j+1} (w_j + w_{j+1} − |w_j + w_{j+1}e^{iθ}|),

which falls for 0 ≤ θ ≤ π: the nodes from J to N/2, with their mirror images, are at most the product of these at θ_J, to the numbers of
uses, times |Γ| ≤ 1/(1 − e^{−cu}) + e^{−d}/(1 − e^{−(c+1)u}), times e^{−cs_J}·2(N/2 − J + 1)/N.

Where balls cannot tell s_J from ε, J is the next index and the one in doubt adds between 0 and max(0, d), its probability being at most 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import acb, arb

from dpbounds.accounting.bromwich_planning import Model, right_period
from dpbounds.accounting.left_out.aliases import left_alias_bound, no_right_alias, right_alias_bound
from dpbounds.accounting.nearby import Nearby
from dpbounds.errors import PrecisionError
from dpbounds.laws.convolve import Group, OrderedUse, groups_of
from dpbounds.laws.normal_form import Elements
from dpbounds.laws.paths.phase_sums import phase_sums
from dpbounds.numbers.balls import BITS_PER_DIGIT, Enclosure, precision
from dpbounds.numbers.inputs import exact_ball

METHOD = "Bromwich line over one period of a lattice"
SHORTEST = 3_000
"""Values of the loss below which a power of a polynomial is as quick."""
_MOST_NODES = 1_000_000
_FRACTIONS = (1.0, 0.7, 0.45)
"""Shares of the saddle point: a smaller abscissa lets the right aliases fall faster and costs digits."""
_FEW_NODES, _END_MARGIN = 4_000, 5.0
"""Nodes that are all evaluated, and nats by which the others are smaller than they need be."""
_ROUNDS = 4
_LN10 = math.log(10)


@dataclass(frozen=True)
class LatticePlan:
    """Abscissa c, number of nodes N, order c′ of the right alias (0: there is none), log(integrand at c/δ), log δ, about, and J."""

    c: float
    count: int
    right: float
    amplitude: float
    log_value: float
    kept: int | None = None

    @property
    def nodes(self) -> int:
        """How many nodes of the upper half are evaluated."""
        return self.count // 2 + 1 if self.kept is None else self.kept


def are_one_lattice(groups: Sequence[Group]) -> bool:
    """Whether all laws share a lattice, one with many values."""
    return len(groups) == 1 and bool(groups[0].spacings) and groups[0].points >= SHORTEST


def _joined(elements: Elements) -> Group:
    """The same group at the current precision; laws with tails have more values at a higher one, which costs the line little."""
    (group,) = groups_of(elements.listed(), most=math.inf)
    return group


def lattice_delta(elements: Elements, epsilon: Fraction, digits: int, nearby: Nearby | None = None) -> tuple[Enclosure, str]:
    """δ(ε) of laws that share a lattice.

    Returns:
        An enclosure that has the digits, or the best of the attempts.

    Raises:
        PrecisionError: too many nodes would be needed.
    """
    if nearby is not None and (kept := nearby.delta(lambda: exact_ball(epsilon), digits, elements.unlisted_mass)) is not None:
        return kept, nearby.method
    best, extra, method = Enclosure.between(arb(0), arb(1)), 0.0, METHOD
    for _ in range(_ROUNDS):
        with precision(128):
            chosen = plan(elements, float(epsilon), digits * _LN10 + 4 + extra)
        with precision(128):  # tails are cut at 2^−bits, which must be small against δ
            small = max(0.0, -chosen.log_value) if any(use.law.dropped > 0 for use in elements.listed()) else 0.0
        nats = small + digits * _LN10 + 4 + extra + max(0.0, chosen.amplitude) + 2 * math.log(elements.steps * chosen.count)
        bits = int(nats / _LN10 * BITS_PER_DIGIT) + 40
        with precision(bits):
            line = LatticeLine(elements, chosen)
            found = Enclosure.of_ball(line.delta(exact_ball(epsilon)) + elements.unlisted_mass())
        if found.digits() > best.digits():
            best, method = found, f"{METHOD}, {chosen.nodes} nodes"
        if best.meets(digits):
            if nearby is not None:
                nearby.keep(line, bits, digits, method)
            break
        reached = found.digits()
        extra += (min(digits - reached, digits + 10.0) if math.isfinite(reached) else digits) * _LN10 + 3
    return best, method


def plan(elements: Elements, epsilon: float, tolerance: float) -> LatticePlan:
    """The cheapest of a few abscissas for aliases of about e^{−tolerance}·δ; float64, and nothing of it enters a bound."""
    unit = float(_joined(elements).unit().mid())
    model = Model(elements.factors(), epsilon)
    saddle = model.saddle()
    log_value = model.log_delta(saddle)
    found: list[tuple[float, LatticePlan]] = []
    for share in _FRACTIONS:
        c = saddle * share
        amplitude = model.exponent(c) - math.log(c) - math.log1p(c) - log_value
        period, right = right_period(model, c, log_value - tolerance)
        if model.largest_loss - epsilon < period:
            period, right = (model.largest_loss - epsilon) * (1 + 1e-9), 0.0
        period = 1.01 * max(period, (tolerance - log_value) / c, 4 * unit)
        count = math.ceil(min(period / unit, 1e15)) + 1
        found.append((count * (tolerance + max(0.0, amplitude)), LatticePlan(c, count, right, amplitude, log_value)))
    chosen = min(found, key=lambda row: row[0])[1]
    if chosen.count > _FEW_NODES:
        goal = tolerance + max(0.0, chosen.amplitude) + math.log(chosen.count) + math.log1p(1 / (chosen.c * unit)) + _END_MARGIN
        chosen = replace(chosen, kept=_first_small(_joined(elements), chosen, goal))
    if chosen.nodes > _MOST_NODES:
        raise PrecisionError(f"the lattice of losses would need {chosen.nodes} nodes; no digit was reached; ask for fewer digits")
    return chosen


def _first_small(group: Group, chosen: LatticePlan, goal: float) -> int | None:
    """J from which on M is about e^{−goal} of M(c), in float64; None where there is none."""
    rows = []
    for use, masses in tilted(group, arb(chosen.c)):
        pairs = [(float(a), float(b)) for a, b in neighbours(masses)]
        rows.append((use.law.steps, float(sum(masses.values(), arb(0))), pairs))

    def fallen(node: int) -> float:
        turn, total = 2 * math.sin(math.pi * node / chosen.count) ** 2, 0.0
        for steps, whole, pairs in rows:
            lost = sum(2 * a * b * turn / (a + b + math.sqrt(max(0.0, (a + b) ** 2 - 2 * a * b * turn))) for a, b in pairs if a + b > 0)
            total += steps * math.log1p(-min(lost / whole, 1 - 1e-16))
        return total

    low, high = 0, chosen.count // 2
    if fallen(high) > -goal:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fallen(middle) <= -goal else (middle, high)
    return high


def tilted(group: Group, c: arb) -> list[tuple[OrderedUse, dict[int, arb]]]:
    """Each use with w_j of its indices j on the lattice of its own."""
    found, unit = [], group.unit()
    for use, own in zip(group.uses, group.spacings, strict=True):
        masses: dict[int, arb] = {}
        for index, mass in zip(own.indices, use.law.p, strict=True):
            masses[index] = masses.get(index, arb(0)) + (c * unit * index).exp() * mass
        found.append((use, masses))
    return found


def neighbours(masses: dict[int, arb]) -> list[tuple[arb, arb]]:
    """Disjoint pairs of neighbouring indices."""
    found, index = [], min(masses)
    while index <= max(masses):
        if index in masses and index + 1 in masses:
            found.append((masses[index], masses[index + 1]))
            index += 1
        index += 1
    return found


def modulus_bound(masses: dict[int, arb], angle: arb) -> arb:
    """A bound on |Σ w_j e^{ijθ}| for every θ from `angle` to π."""
    bound = sum(masses.values(), arb(0))
    for a, b in neighbours(masses):
        bound -= (a + b - ((a + b) ** 2 - 2 * a * b * (1 - angle.cos())).nonnegative_part().sqrt()).nonnegative_part().lower()
    return arb(bound.upper())


class LatticeLine:
    """A planned line and M at its nodes, which does not depend on ε.

    Args:
        elements: laws of one lattice; balls are at the current precision, at which every δ must be asked for too.
        chosen: the plan.
    """

    is_short = True
    lost = arb(0)

    def __init__(self, elements: Elements, chosen: LatticePlan) -> None:
        group = _joined(elements)
        self.chosen, self.c = chosen, arb(chosen.c)
        self.unit, self.start = group.unit(), group.start()
        self.losses = [factor.loss_bound() * factor.steps for factor in elements.factors()]
        self.right = arb(1)
        for factor in elements.factors():
            self.right *= factor.moment(arb(chosen.right)) ** factor.steps if chosen.right else arb(1)
        # Σ_j P(L = s_j)e^{z(s_j − s₀)} at the nodes: indices are whole, so one angle turns all of them
        self.values, self.small, angle = [acb(1)] * chosen.nodes, arb(1), 2 * arb.pi() / chosen.count
        for use, masses in tilted(group, self.c):
            sums = phase_sums(list(masses.values()), [arb(index) for index in masses], angle, len(self.values))
            self.values = [value * entry**use.law.steps for value, entry in zip(self.values, sums, strict=True)]
            self.small *= modulus_bound(masses, angle * chosen.nodes) ** use.law.steps

    def delta(self, epsilon: arb) -> arb:
        """The ball of δ(ε)."""
        count, c, unit = self.chosen.count, self.c, self.unit
        if not c > 0:  # Γ has its sum for c > 0 alone
            return arb(0).union(arb(1))
        first, doubt = self._first(epsilon)
        total = self._sum(epsilon, first)
        period = unit * count
        if self.chosen.right:
            above = right_alias_bound(period, c, epsilon, arb(self.chosen.right), self.right)
        else:
            above = no_right_alias(period, epsilon, self.losses)
        above += left_alias_bound(period, c)
        rest = self.left_out(epsilon, first)
        return (total.lower() - above.upper() - rest).max(arb(0)).union(total.upper() + rest + doubt)

    def left_out(self, epsilon: arb, first: int) -> arb:
        """A bound on what the nodes that are not evaluated add."""
        c, unit, left = self.c, self.unit, self.chosen.count // 2 + 1 - self.chosen.nodes
        if left == 0:
            return arb(0)
        distance = self.start + first * unit - epsilon
        kernel = 1 / (1 - (-c * unit).exp()) + (-distance).exp() / (1 - (-(c + 1) * unit).exp())
        return arb((self.small * kernel * (-c * unit * first).exp() * 2 * left / self.chosen.count).upper())

    def _sum(self, epsilon: arb, first: int) -> arb:
        """S."""
        count, c, unit = self.chosen.count, self.c, self.unit
        distance = self.start + first * unit - epsilon
        near, fall, more, total = (-distance).exp(), (-c * unit).exp(), (-(c + 1) * unit).exp(), arb(0)
        for m, value in enumerate(self.values):
            turn = acb(arb(-2 * m) / count).exp_pi_i()
            start = acb(arb(-2 * (m * first % count)) / count).exp_pi_i()
            term = (value * start * (1 / (1 - fall * turn) - near / (1 - more * turn))).real
            total += term if m == 0 or 2 * m == count else 2 * term
        return total * (-c * unit * first).exp() / count

    def _first(self, epsilon: arb) -> tuple[int, arb]:
        """J, certified above ε, and what an index in doubt may add."""
        place = (epsilon - self.start) / self.unit
        first = math.floor(float(place.mid())) + 1
        while not self.start + first * self.unit > epsilon:
            first += 1
        doubt = arb(0)
        while not self.start + (first - 1) * self.unit <= epsilon:
            if self.start + (first - 1) * self.unit > epsilon:
                first -= 1
            else:
                doubt = (self.start + (first - 1) * self.unit - epsilon).upper().max(arb(0))
                break
        return first, doubt
