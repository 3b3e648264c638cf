"""Complex balls around zero."""

from __future__ import annotations

from flint import acb, arb


def ball_around_zero(radius: arb) -> acb:
    """A box that holds every complex number of modulus at most `radius`; NaN where that is not finite.

    >>> ball_around_zero(arb(1)).contains(acb(0.6, -0.8)), ball_around_zero(arb.pos_inf()).is_finite()
    (True, False)
    """
    if not radius.is_finite():
        return acb(arb.nan(), arb.nan())
    side = arb(0, radius.upper())
    return acb(side, side)
