"""Certified integrals over finite intervals: Arb's adaptive Gauss–Legendre rule with a relative goal.

Reference: F. Johansson, "Numerical integration in arbitrary-precision ball arithmetic", ICMS 2018 (arXiv 1802.07942).
"""

from __future__ import annotations

from collections.abc import Callable

from flint import acb, arb

Integrand = Callable[[acb, bool], acb]
"""(z, analytic) → f(z); with analytic=True it must return a non-finite ball unless f is analytic on all of z."""
EVALUATIONS = 30_000
"""An integral that needs more comes back as a wide ball."""


def integrate(f: Integrand, low: arb, high: arb, bits: int, scale: arb) -> arb:
    """∫ f over [low, high] to about `bits` bits of max(scale, integral).

    Args:
        f: honours the `analytic` flag.
        low, high: finite ends.
        bits: the goal; the ball returned is right even where the goal is missed.
        scale: a quantity ≥ 0 that the integral is added to.

    >>> from dpbounds.numbers.balls import precision
    >>> with precision(80):
    ...     integrate(lambda z, analytic: z.sqrt(analytic=analytic), arb(1), arb(4), 60, arb(0)).contains(arb(14) / 3)
    True
    """
    goal = arb(2) ** -bits
    floor = scale.abs_lower() * goal if scale.is_finite() else arb(0)
    tiny = arb(2) ** -(1 << 40)
    return acb.integral(f, acb(low), acb(high), rel_tol=goal, abs_tol=floor.max(tiny).mid(), eval_limit=EVALUATIONS).real
