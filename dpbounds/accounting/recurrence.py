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
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from flint import arb

from dpbounds.laws.factors import ContourFactor, TwoAtoms

_HALVINGS = 40


def recurrence_bound(atoms: TwoAtoms, steps: int, others: arb, c: arb, epsilon: arb, last: arb, step: arb) -> arb:
    """The bound for k = `steps` uses and F = `others`, Y = `last`, h = `step`; infinite where Y is in the wrong half of a period."""
    a, b, u, m = atoms.first, atoms.second, atoms.apart, atoms.moment
    if not (u > 0 and a > 0 and b > 0 and m > 0 and last > 0):
        return arb.pos_inf()
    period = 2 * arb.pi() / u
    passed = math.floor(float((last / period).mid()))
    d = last - passed * period
    if not (d > 0 and 2 * d <= period):
        return arb.pos_inf()
    kept = (arb(1) - 2 * a * b * (1 - (u * d).cos()) / (a + b) ** 2).nonnegative_part().sqrt()
    rest = (m - a - b).nonnegative_part()
    near = ((rest + (a + b) * kept) / m).min(arb(1))
    spread = (arb.pi() * (a + b) * m / (6 * steps * a * b)).sqrt().min(arb(1))
    far = (passed + 1) * period - d
    beyond = (period * spread + 2 * step) * (1 / far**2 + 1 / (period * far))
    bound = others * m**steps * (-c * epsilon).exp() / arb.pi() * (near**steps / last + beyond)
    return arb(bound.upper()) if bound.is_finite() else arb.pos_inf()


def approx_recurrence_end(factors: Sequence[ContourFactor], x: float, top: float, step: float) -> float:
    """About the lowest Y at which the bound is e^{−top} of the integrand at x, in float64; infinite where there is none."""
    best = math.inf
    for factor in factors:
        for a, b, u, m in factor.approx_two_atoms(x):
            best = min(best, _end(a / m, b / m, u, factor.steps, top, step))
    return best


def _end(a: float, b: float, u: float, steps: int, top: float, step: float) -> float:
    """The same for one pair of atoms of relative masses a and b."""
    if not (a > 0 and b > 0 and 0 < u < math.inf) or top > 600:
        return math.inf
    period, goal = 2 * math.pi / u, math.exp(-top) * math.pi / 2
    spread = min(1.0, math.sqrt(math.pi * (a + b) / (6 * steps * a * b)))
    height = period * spread + 2 * step
    # height·(1/E² + 1/(PE)) ≤ goal
    inverse = (-1 / period + math.sqrt(1 / period**2 + 4 * goal / height)) / 2
    far = 1 / inverse if inverse > 0 else math.inf
    passed = math.ceil(max(0.0, far / period - 1)) if far < 1e17 * period else math.inf
    if passed == math.inf:
        return math.inf

    def fallen(d: float) -> float:
        kept = math.sqrt(max(0.0, 1 - 2 * a * b * 2 * math.sin(u * d / 2) ** 2 / (a + b) ** 2))
        return steps * math.log1p(-min((a + b) * (1 - kept), 1 - 1e-16)) - math.log(passed * period + d)

    low, high = 0.0, period / 2
    if fallen(high * 0.999) > math.log(goal):
        return math.inf
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if fallen(middle) <= math.log(goal) else (middle, high)
    if (passed + 1) * period - high < far:  # E is (n+1)P − d
        passed += 1
    return passed * period + high if high + 2 * step <= period / 2 else math.inf
