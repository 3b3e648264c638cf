"""M(t) − 1 without cancellation: what is left of a moment when its first-order identity is subtracted.

For a mixture pair P = γP₀ + (1−γ)Q, r = dP₀/dQ, u = γ(r − 1), U = 1+u = dP/dQ, and t ≥ 0,

    remove (P ‖ Q):  M = E_Q[U^{1+t}] = 1 + t·E_Q[G],        G(u) = (U^{1+t} − 1 − (1+t)u)/t
    add    (Q ‖ P):  M = E_Q[U^{−t}]  = 1 + t·(E_Q[G] + s),   G(u) = (U^{−t} − 1 + t·u)/t,    s = γ·P₀{dQ = 0}

because E_Q[u] = −s (and M = ∞ for remove when s > 0). Every G ≥ 0 by convexity, so sums of G keep their relative digits; t = 0 is the
Kullback–Leibler limit (1+u)log(1+u) − u, or u − log(1+u). γ = 1 is the pair without sampling.
"""

from __future__ import annotations

from typing import TypeVar

from flint import acb, arb

Ball = TypeVar("Ball", arb, acb)


def excess(t: arb, u: Ball, log_u1: Ball, add: bool) -> Ball:
    """G(u) for log_u1 = log(1+u), U > 0.

    >>> excess(arb(1), arb(2), arb(3).log(), False).overlaps(arb(4))
    True
    """
    if add:
        return u - log_u1 if t == 0 else u + (-t * log_u1).expm1() / t
    scaled = log_u1 if t == 0 else (t * log_u1).expm1() / t
    return (1 + u) * scaled - u


def divergence_from_excess(t: arb, value: arb) -> arb:
    """D_{1+t} = log(1 + tJ)/t, or J itself at t = 0.

    >>> divergence_from_excess(arb(0), arb(2)) == 2
    True
    """
    return value if t == 0 or not value.is_finite() else (t * value).log1p() / t
