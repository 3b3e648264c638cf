"""The end of the contour: what the nodes beyond |y| = Y can add.

For y ≥ Y, |M(c+iy)| ≤ B (the product of the factors' `decay` bounds, each decreasing in y) and |z(z+1)| ≥ y². With Y the last
included node, (h/2π)·2·Σ_{y_j > Y} B e^{−cε}/y_j² ≤ B e^{−cε}/(πY), because 1/y² decreases.
"""

from __future__ import annotations

from flint import arb


def contour_truncation_bound(decay: arb, c: arb, epsilon: arb, last: arb) -> arb:
    """An upper bound on both omitted tails of the sum; `decay` bounds |M(c+iy)| for y ≥ last, `last` is the last included node.

    >>> contour_truncation_bound(arb(10) ** -20, arb(1), arb(1), arb(50)) < 1e-18
    True
    """
    return decay * (-c * epsilon).exp() / (arb.pi() * last)
