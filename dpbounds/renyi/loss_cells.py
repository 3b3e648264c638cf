"""ε(δ) of composed additive noise from both sides, by cells of its privacy loss.

P is a symmetric log-concave noise shifted by 1, Q the noise. The loss L(x) = log p/q increases, L(1−x) = −L(x), and with edges x_i where
L(x_i) is near i·h, x_{−i} = 1 − x_i, the line falls into cells with masses P_i, Q_i and tails below x_{−n} and above x_n.

*From above*: connect-the-dots (Doroshenko et al. 2022). The hockey-stick curve H(x) = E_Q(e^L − x)₊ is convex, so its chords between the
points e^{L(x_i)} lie above it; in masses, cell i sends (P_i − e^{L(x_i)}Q_i)/(1 − e^{L(x_i)−L(x_{i+1})}) of its P-mass to its upper edge
and the rest to its lower edge. The tail below moves up to x_{−n}, the tail above to infinity, and every node up by η ≥ |L(x_i) − ih|: all
of this only raises δ(ε) = E_P(1 − e^{ε−S})₊.

*From below*: merging the outcomes of a cell is post-processing, which only lowers δ; a cell's loss becomes log(P_i/Q_i), near its middle.
Then losses go down to the next point of {(j + ½)h − κ}, and the tails of P are left out, which lowers δ further.

Both are k-fold convolutions of masses on a lattice, and domination in δ(·) for each step gives domination of the composition (Zhu, Dong &
Wang 2022, Thm 10; for the lower pair it is the merged pair that is dominated). Everything is ball arithmetic; floats only choose edges.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from flint import arb, arb_poly

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball

FIRST_CELLS = 64
MAX_CELLS = 2**14
TRIMMED = 1e-7
"""What may be trimmed off each end of a composed law, as a share of δ/k."""
HEAVY = 1e-9
"""Cells of more mass than this take part in the choice of κ."""


@dataclass(frozen=True)
class LogisticNoise:
    """Density ∝ 1/cosh²(x/2s).

    >>> float(LogisticNoise(arb(1)).tail(arb(0)))
    0.5
    """

    scale: arb

    def log_density(self, x: arb) -> arb:
        """−|x|/s − 2·log(1 + e^{−|x|/s}), up to a constant."""
        u = abs(x) / self.scale
        return -u - 2 * (-u).exp().log1p()

    def tail(self, x: arb) -> arb:
        """P(X > x) for x ≥ 0."""
        return 1 / (1 + (x / self.scale).exp())

    def approx_loss(self, x: float) -> float:
        """The loss in float64, to choose edges."""
        s = float(self.scale)
        first, second = abs(x) / s, abs(x - 1) / s
        return first - second + 2 * (math.log1p(math.exp(-first)) - math.log1p(math.exp(-second)))


@dataclass(frozen=True)
class GeneralizedNormalNoise:
    """Density ∝ e^{−|x/a|^β}, β ≥ 1.

    >>> float(GeneralizedNormalNoise(arb(2), arb(1)).tail(arb(0)))
    0.5
    """

    shape: arb
    scale: arb

    def log_density(self, x: arb) -> arb:
        """−|x/a|^β, up to a constant."""
        return arb(0) if x == 0 else -((abs(x) / self.scale) ** self.shape)

    def tail(self, x: arb) -> arb:
        """P(X > x) for x ≥ 0: half the upper incomplete gamma function at (x/a)^β with parameter 1/β."""
        return arb((x / self.scale) ** self.shape).gamma_upper(1 / self.shape, regularized=1) / 2

    def approx_loss(self, x: float) -> float:
        """The loss in float64, to choose edges."""
        beta, a = float(self.shape), float(self.scale)
        return float(abs(x / a) ** beta - abs((x - 1) / a) ** beta)


Noise = LogisticNoise | GeneralizedNormalNoise


@dataclass(frozen=True, eq=False)
class LossLattice:
    """Masses at the losses first + j·h, j = offset, offset+1, …, and the mass at infinity."""

    first: arb
    step: arb
    offset: int
    masses: list[arb]
    infinite: arb

    def composed(self, other: LossLattice, goal: arb, *, up: bool) -> LossLattice:
        """The sum of two independent losses. Masses at the ends that sum to at most `goal` move up (`up`) or are left out."""
        masses = list((arb_poly(self.masses) * arb_poly(other.masses)).coeffs())
        bottom, low = _end(masses, goal)
        top, high = _end(masses[::-1], goal)
        kept = masses[low : len(masses) - high]
        infinite = 1 - (1 - self.infinite) * (1 - other.infinite)
        if up:
            kept[0] += bottom
            infinite += top
        kept = [mass.upper() if up else mass.lower().max(arb(0)) for mass in kept]
        return LossLattice(self.first + other.first, self.step, self.offset + other.offset + low, kept, infinite)

    def node(self, j: int) -> arb:
        """The loss of mass j."""
        return self.first + self.step * (self.offset + j)

    @cached_property
    def suffixes(self) -> tuple[list[arb], list[arb]]:
        """A_j = Σ_{i≥j} m_i and B_j = Σ_{i≥j} m_i e^{−s_i}."""
        plain, damped = [arb(0)], [arb(0)]
        grow, factor = self.step.exp(), (-self.node(len(self.masses) - 1)).exp()
        for mass in reversed(self.masses):
            plain.append(plain[-1] + mass)
            damped.append(damped[-1] + mass * factor)
            factor *= grow
        return plain[::-1], damped[::-1]

    def delta(self, j: int) -> arb:
        """δ at the loss of node j."""
        plain, damped = self.suffixes
        return plain[j] + self.infinite - self.node(j).exp() * damped[j]

    def epsilon(self, delta: arb, *, up: bool) -> arb:
        """The ε with δ(ε) = delta, rounded up or down; at least 0.

        Between nodes j−1 and j the curve is A_j + infinite − e^εB_j, and elsewhere it lies above that line in e^ε, so the line's
        solution is never too large; from above the node j−1 helps where balls cannot tell on which side of it the solution is.
        """
        if not self.infinite < delta:
            return arb.pos_inf() if up else arb(0)
        low, high = 0, len(self.masses) - 1
        while high - low > 1:
            middle = (low + high) // 2
            below = self.delta(middle) <= delta
            low, high = (low, middle) if below else (middle, high)
        plain, damped = self.suffixes
        rest = (plain[high] + self.infinite - delta) / damped[high]
        if not rest.is_finite():
            return arb.pos_inf() if up else arb(0)
        end = rest.upper() if up else rest.lower()
        found = end.log() if end > 0 else arb.neg_inf()
        return (found.max(self.node(low)) if up else found).max(arb(0))


def _end(masses: list[arb], goal: arb) -> tuple[arb, int]:
    """The sum of the longest beginning with sum at most `goal`, and its length; at least two masses stay."""
    total, length = arb(0), 0
    for mass in masses[:-2]:
        if not total + mass <= goal:
            break
        total += mass
        length += 1
    return total, length


def epsilon_of_composed(noise: Callable[[], Noise], steps: int, delta: Exact, digits: int) -> Enclosure:
    """ε(δ) of k uses, enclosed.

    Args:
        noise: makes the noise at the precision that is set.
        steps: k ≥ 1.
        delta: 0 < δ < 1.
        digits: significant digits to certify.

    Raises:
        PrecisionError: more than MAX_CELLS cells would be needed; the message says how many digits were reached.

    >>> from fractions import Fraction
    >>> found = epsilon_of_composed(lambda: LogisticNoise(arb(2)), 3, Fraction(1, 1000), 3)
    >>> 0.9 < float(found.lower) <= float(found.upper) < 1.5
    True
    """
    cells, best = FIRST_CELLS, None
    while cells <= MAX_CELLS:
        with precision(96 + 2 * math.ceil(-math.log2(float(delta)))):
            found = Enclosure.between(*bounds(noise(), steps, as_ball(delta), cells))
            best = found if best is None else best.intersection(found)
        if best.meets(digits):
            return best
        cells *= 2
    reached = f"{int(best.digits())} digits" if best is not None and best.digits() >= 1 else "no digit"
    raise PrecisionError(f"the composed loss needs more than {2 * MAX_CELLS} cells; {reached} reached; ask for fewer digits")


def bounds(noise: Noise, steps: int, delta: arb, cells: int) -> tuple[arb, arb]:
    """A lower and an upper bound of ε(δ) with 2·cells cells for one step, `cells` a power of two; the upper one may be infinite."""
    edges = _edges(noise, steps, delta, cells)
    step = arb(noise.approx_loss(edges[-1])) / cells
    losses = [noise.log_density(arb(x) - 1) - noise.log_density(arb(x)) for x in edges]
    losses = [-value for value in reversed(losses[1:])] + losses
    tails = [(_tail(noise, arb(x) - 1), _tail(noise, arb(x))) for x in edges]
    p = [tails[i][0] - tails[i + 1][0] for i in range(cells)]
    q = [tails[i][1] - tails[i + 1][1] for i in range(cells)]
    p, q = q[::-1] + p, p[::-1] + q
    goal = delta * TRIMMED / steps
    upper = _repeated(above(p, q, losses, tails[-1], step), steps, goal, up=True)
    lower = _repeated(below(p, q, step), steps, goal, up=False)
    return lower.epsilon(delta, up=False), upper.epsilon(delta, up=True)


def _repeated(one: LossLattice, steps: int, goal: arb, *, up: bool) -> LossLattice:
    """The k-fold composition by squaring."""
    result = one
    for bit in bin(steps)[3:]:
        result = result.composed(result, goal, up=up)
        if bit == "1":
            result = result.composed(one, goal, up=up)
    return result


def _tail(noise: Noise, x: arb) -> arb:
    return noise.tail(x) if x >= 0 else 1 - noise.tail(-x)


def _edges(noise: Noise, steps: int, delta: arb, cells: int) -> list[float]:
    """x_0 = ½ < … < x_n with losses near 0, h, …, nh; P(X + 1 > x_n) is far below δ/k. Chosen in float64."""
    goal, reach = float(delta) * 1e-6 / steps, 1.0
    while float(noise.tail(arb(reach))) > goal:
        reach *= 1.1
    top = reach + 1
    step = noise.approx_loss(top) / cells
    edges, low, stride = [0.5], 0.5, (top - 0.5) / cells
    for i in range(1, cells):
        high = low + stride
        while noise.approx_loss(high) < i * step and high < top:
            low, high = high, high + 2 * (high - low)
        edge = _root(noise, i * step, low, min(high, top))
        stride = max(edge - edges[-1], 1e-12)
        edges.append(edge)
        low = edge
    return [*edges, top]


def _root(noise: Noise, goal: float, low: float, high: float) -> float:
    """Bisection down to neighbouring floats."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        low, high = (middle, high) if noise.approx_loss(middle) < goal else (low, middle)
    return high


def above(p: list[arb], q: list[arb], losses: list[arb], tails: tuple[arb, arb], step: arb) -> LossLattice:
    """Connect-the-dots for one step: nodes −n … n. `tails`: P-mass above x_n, and Q-mass there, which is the P-mass below x_{−n}."""
    half = len(p) // 2
    masses = [arb(0)] * (len(p) + 1)
    masses[0] = tails[1]
    for i, (mass, other) in enumerate(zip(p, q, strict=True)):
        right = (mass - losses[i].exp() * other) / -(losses[i] - losses[i + 1]).expm1()
        masses[i] += mass - right
        masses[i + 1] += right
    shift = arb(0)
    for i, loss in enumerate(losses):
        shift = shift.max((loss - step * (i - half)).abs_upper())
    return LossLattice(shift, step, -half, [mass.upper() for mass in masses], tails[0].upper())


def below(p: list[arb], q: list[arb], step: arb) -> LossLattice:
    """Merged cells for one step, their losses rounded down to (j + ½)h − κ; κ is chosen, it is no bound."""
    half = len(p) // 2
    losses = [(mass / other).log() for mass, other in zip(p, q, strict=True)]
    gaps = [float(step * (i - half) + step / 2 - losses[i]) for i, mass in enumerate(p) if mass > HEAVY]
    sink = arb(min(max([0.0, *gaps]) * (1 + 1e-9), 0.5 * float(step)))
    masses = [arb(0)] * (len(p) + 2)
    for mass, loss in zip(p, losses, strict=True):
        place = ((loss - step / 2 + sink) / step).lower().floor()
        index = int(float(place)) + half + 1 if place.is_finite() else -1
        if index >= 0:
            masses[index] += mass.lower().max(arb(0))
    return LossLattice(step / 2 - sink, step, -half - 1, [mass.lower() for mass in masses], arb(0))
