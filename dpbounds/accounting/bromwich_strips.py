"""Contours left of the poles of M(z)e^{−εz}/(z(z+1)): where Re z = c < 0, the integral is δ(ε) and its residues.

M(0) = M(−1) = 1 where P and Q are mutually absolutely continuous, so the residues at 0 and −1 are 1 and −e^ε. The integral over Re z = c is

    g_c(ε) = δ(ε),           c > 0,
             δ(ε) − 1,       −1 < c < 0: minus E_P[min(1, e^{ε−L})],
             δ(ε) − 1 + e^ε, c < −1:     E_P(e^{ε−L} − 1)₊.

A loss with a heavy right tail has few nodes left of −1, one whose δ is near 1 has them between the poles.

The trapezoid rule gives S_h = Σ_m e^{cmT}g_c(ε + mT). With r(s) = E_P(e^{s−L} − 1)₊ = δ(s) − 1 + e^s, the terms of m ≥ 1 are
e^{cmT}δ(ε + mT), which `aliases.right_alias_bound` bounds for any c below its c′ > 0, and a part that is known, and so are those of −m:
e^{−cmT}r(ε − mT), bounded by `aliases.left_alias_rest` for any c > −1 − w, and a known part:

    c > 0:       right 0,                          left Σ e^{−cmT}(1 − e^{ε−mT})
    −1 < c < 0:  right −Σ e^{cmT},                 left −Σ e^{−cmT}e^{ε−mT}
    c < −1:      right Σ e^{cmT}(e^{ε+mT} − 1),    left 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flint import arb

from dpbounds.accounting.bromwich_planning import ContourPlan, Model, highest_node, planned_at
from dpbounds.accounting.left_out.aliases import geometric, left_alias_main
from dpbounds.laws.contour_factor import ContourFactor

_ABSCISSAS = (-0.5, -1.5, -3.0, -5.0, -8.0, -12.0, -18.0, -27.0, -40.0)


def known_part(period: arb, c: arb, epsilon: arb) -> arb:
    """S_h without the aliases that have to be bounded, less δ(ε): the aliases that are known, and minus the residues left out.

    >>> bool(abs(known_part(arb(5), arb(-2), arb(1)) - (arb(1).exp() - 1)) < 0.02)
    True
    """
    if c > 0:
        return left_alias_main(period, c, epsilon)
    if c > -1:
        return -1 - geometric(-c * period) - epsilon.exp() * geometric((1 + c) * period)
    return epsilon.exp() * (1 + geometric(-(1 + c) * period)) - 1 - geometric(-c * period)


def plan_left(factors: Sequence[ContourFactor], epsilon: float, log_value: float, tolerance: float) -> ContourPlan | None:
    """The cheapest contour left of 0 for errors of about e^{−tolerance}·δ, log δ being about `log_value`; None where there is none."""
    if not all(factor.both_sides for factor in factors):
        return None
    model = Model(factors, epsilon)
    best: tuple[float, ContourPlan] | None = None
    for c in _ABSCISSAS:
        found = planned_at(model, c, log_value, tolerance)
        if found is not None and (best is None or found[0] < best[0]):
            best = found
        elif best is not None and c < -1 and best[1].c < -1:
            break
    if best is None:
        return None
    height, hints = highest_node(model, best[1].c, log_value - tolerance)
    lost = (0.0 if best[1].c > -1 else max(epsilon, 0.0)) - log_value  # the residues, which cancel
    return replace(best[1], count=int(min(height / best[1].step, 1e15)) + 2, hints=hints, amplitude=max(best[1].amplitude, lost))
