"""The end of a line on which M does not decay because losses have atoms: how often two of them are in step again.

Let a and b be masses of two atoms of one use, tilted by e^{cL}, u > 0 the distance of their losses, m ≥ M(c), and P = 2π/u. Then

    |M(c+iy)| ≤ m − a − b + |a + b·e^{iuy}| = g(y) ≤ m·e^{−κ(1 − cos uy)},    κ = (3/4)·ab/((a+b)m),

because |a + be^{iθ}|² = (a+b)²(1 − 2t), t = ab(1 − cos θ)/(a+b)² ≤ 1/2, so that |a + be^{iθ}| ≤ (a+b)e^{−t} and 1 − e^{−t} ≥ (3/4)t.
With k uses, 1 − cos θ ≥ 2θ²/π² for |θ| ≤ π gives

    ∫_0^P g^k dy ≤ P·m^k·ρ,    ρ = min(1, √(π/(8kκ))).

Let Y, the last node, be at nP + d, 0 < d ≤ P/2, and E = (n+1)P − d. Nodes between Y and E have g ≤ g(d). From E on, in each stretch
of length P, g rises, falls and rises, so that the nodes at distances h have h·Σ g^k ≤ ∫g^k + 2h·m^k, and there y ≥ E + jP. With F for
what the other factors have at most, |z(z+1)| ≥ y² and Σ_{j≥0} (E+jP)^{−2} ≤ 1/E² + 1/(PE), the nodes left out at both ends add at most

    (F·e^{−cε}/π)·( g(d)^k/Y + m^k·(Pρ + 2h)·(1/E² + 1/(PE)) ).

Where |M| ≤ B from the height E on, because what there is besides the atoms has fallen, the last part is at most B^k·(1/E + h/E²) too:
the first of its nodes, and an integral for those after it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from flint import arb

from dpbounds.laws.contour_factor import ContourFactor, TwoAtoms
from dpbounds.numbers.balls import precision

_HALVINGS, _LARGEST, _FARTHEST = 40, 600.0, 1e15


@dataclass(frozen=True)
class RecurrentLine:
    """A line with the last node Y = `last` and the step h, and what the others than one factor have at most, F."""

    c: arb
    last: arb
    step: arb
    others: arb

    def bound(self, atoms: TwoAtoms, steps: int, epsilon: arb, fallen: Callable[[arb], arb] | None = None) -> arb:
        """The bound for k = `steps` uses; infinite where Y is in the wrong half of a period.

        Args:
            fallen: B of a height.
        """
        a, b, u, m, last = atoms.first, atoms.second, atoms.apart, atoms.moment, self.last
        if not (u > 0 and a > 0 and b > 0 and m > 0 and last > 0):
            return arb.pos_inf()
        period = 2 * arb.pi() / u
        passed = math.floor(float((last / period).mid()))
        d = last - passed * period
        if not (d > 0 and 2 * d <= period):
            return arb.pos_inf()
        kept = (arb(1) - 2 * a * b * (1 - (u * d).cos()) / (a + b) ** 2).nonnegative_part().sqrt()
        near = ((m - a - b).nonnegative_part() + (a + b) * kept).min(m)
        spread = (arb.pi() * (a + b) * m / (6 * steps * a * b)).sqrt().min(arb(1))
        far = (passed + 1) * period - d
        beyond = m**steps * (period * spread + 2 * self.step) * (1 / far**2 + 1 / (period * far))
        if fallen is not None:
            beyond = arb(beyond.upper()).min(arb((fallen(far) ** steps * (1 / far + self.step / far**2)).upper()))
        bound = self.others * (-self.c * epsilon).exp() / arb.pi() * (near**steps / last + beyond)
        return arb(bound.upper()) if bound.is_finite() else arb.pos_inf()


def approx_recurrence_end(factors: Sequence[ContourFactor], x: float, top: float, step: float) -> float:
    """About the lowest Y at which the bound is e^{−top} of the integrand at x, in float64; infinite where there is none."""
    best = math.inf
    for factor in factors:
        with precision(64):
            found = factor.two_atoms(arb(x), rough=True)
            rows = [tuple(map(float, (each.first / each.moment, each.second / each.moment, each.apart))) for each in found]
        for a, b, u in rows:
            if a > 0 and b > 0 and 0 < u < math.inf and top < _LARGEST:
                best = min(best, _end(_Turn(a, b, 2 * math.pi / u, factor.steps), partial(factor.approx_decay, x), top, step))
    return best


@dataclass(frozen=True)
class _Turn:
    """Relative masses of two atoms, the period, and the number of uses, in float64."""

    a: float
    b: float
    period: float
    steps: int

    def log_near(self, d: float) -> float:
        """k·log(g/m) at the distance d from where they are in step."""
        share = 2 * self.a * self.b / (self.a + self.b) ** 2
        kept = math.sqrt(max(0.0, 1 - 2 * share * math.sin(math.pi * d / self.period) ** 2))
        return self.steps * math.log1p(-min((self.a + self.b) * (1 - kept), 1 - 1e-16))

    def enough(self, goal: float, step: float) -> float:
        """E with (Pρ + 2h)(1/E² + 1/(PE)) ≤ goal."""
        spread = min(1.0, math.sqrt(math.pi * (self.a + self.b) / (6 * self.steps * self.a * self.b)))
        inverse = (-1 / self.period + math.sqrt(1 / self.period**2 + 4 * goal / (self.period * spread + 2 * step))) / 2
        return 1 / inverse if inverse > 0 else math.inf


def _end(turn: _Turn, decay: Callable[[float], tuple[float, object]], top: float, step: float) -> float:
    """The same for two atoms."""
    goal, period = math.exp(-top) * math.pi / 2, turn.period
    low, high = 0.0, period / 2 - 2 * step
    if not high > 0 or turn.log_near(high) - math.log(high) > math.log(goal):
        return math.inf
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if turn.log_near(middle) - math.log(middle) <= math.log(goal) else (middle, high)
    if turn.steps * decay(period - high)[0] - math.log(period - high) <= math.log(goal):
        return high
    far = turn.enough(goal, step)
    return max(0, math.ceil((far + high) / period - 1)) * period + high if far < _FARTHEST * period else math.inf
