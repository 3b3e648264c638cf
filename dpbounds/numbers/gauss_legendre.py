"""Gauss–Legendre panels with a certified error, chosen from a bound on the modulus of the integrand alone.

If f is analytic with |f| ≤ B in the ellipse with the ends of a panel of half-length w as foci and semi-axes w(ρ ± 1/ρ)/2, the rule with N
nodes misses the integral by at most 8Bw·ρ^{−2N}/(1 − ρ^{−2}): see `dpbounds.laws.sampled_laplace`. Here ρ = 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from flint import arb, ctx

from dpbounds.errors import PrecisionError

RHO = 3
ALONG, ACROSS = 5 / 3 * (1 + 1e-15), 4 / 3 * (1 + 1e-15)
"""(ρ ± 1/ρ)/2, rounded up."""
_LEAST_ORDER, _MOST_ORDER = 40, 400
_MOST_PANELS = 3000


@dataclass(frozen=True)
class Panel:
    """[low, high], the number of nodes, and bounds on the error of the rule and on the integral of |f| over the panel."""

    low: float
    high: float
    order: int
    error: arb
    size: arb

    @property
    def half(self) -> arb:
        """Half the length."""
        return (arb(self.high) - arb(self.low)) / 2

    @property
    def middle(self) -> arb:
        """The midpoint."""
        return (arb(self.high) + arb(self.low)) / 2

    def nodes(self) -> list[tuple[arb, arb]]:
        """Nodes and weights at the current precision."""
        half, middle = self.half, self.middle
        return [(middle + half * node, half * weight) for node, weight in _rule(self.order, ctx.prec)]


@lru_cache(maxsize=512)
def _rule(order: int, bits: int) -> tuple[tuple[arb, arb], ...]:
    return tuple(arb.legendre_p_root(order, index, weight=True) for index in range(order))


def panel_error(half: arb, bound: arb, order: int, rho: float = RHO) -> arb:
    """8Bw·ρ^{−2N}/(1 − ρ^{−2}), also for another ellipse.

    >>> bool(panel_error(arb(1), arb(1), 1) < 1.1)
    True
    """
    return 8 * bound * half * arb(rho) ** (-2 * order) / (1 - arb(rho) ** -2)


def panels_error(panels: Iterable[Panel]) -> arb:
    """The errors of all panels.

    >>> panels_error([Panel(0.0, 1.0, 4, arb(1), arb(2)), Panel(1.0, 2.0, 4, arb(2), arb(2))]) == 3
    True
    """
    return sum((panel.error for panel in panels), arb(0))


def cover(
    start: float,
    first: float,
    bound: Callable[[float, float], arb],
    goal: arb,
    end: float | None,
    rest: Callable[[float], arb] | None = None,
    growth: float = 1.3,
    most: int = _MOST_PANELS,
) -> list[Panel]:
    """Panels from `start` to `end`, or on to where `rest`, a bound on what is left, is below the goal.

    Args:
        first: length of the first panel to try; later ones grow, `growth` times at least, or shrink.
        bound: of |f| on the ellipse of a panel (left, right); infinite where f is not known to be analytic.
        goal: the error that each panel may make. most: panels.

    Raises:
        PrecisionError: too many panels.
    """
    found: list[Panel] = []
    left, length, allowed = start, first, _LEAST_ORDER
    while end is None or left < end:
        if rest is not None and rest(left) <= goal:
            break
        for attempt in range(200):
            right = left + length if end is None else min(left + length, end)
            size, half = bound(left, right), (arb(right) - arb(left)) / 2
            excess = _excess(size * half, goal)
            if excess <= 2 * allowed * math.log(RHO):
                break
            if attempt % 4 == 0:  # what a short panel needs, and some more
                short = _excess(bound(left, left + length / 1000) * half, goal)
                if short.is_finite():
                    allowed = min(_MOST_ORDER, max(_LEAST_ORDER, math.ceil(float(short.upper()) / (2 * math.log(RHO))) + _LEAST_ORDER // 2))
                    if excess <= 2 * allowed * math.log(RHO):
                        break
            length /= 2
        else:
            raise PrecisionError("the integrand is not smooth enough for panels; no digit was reached")
        order = max(4, math.ceil(float(excess.upper()) / (2 * math.log(RHO)))) if excess.is_finite() else 4
        found.append(Panel(left, right, order, arb(panel_error(half, size, order).upper()), arb((2 * size * half).upper())))
        if len(found) > most:
            raise PrecisionError(f"more than {most} panels would be needed; no digit was reached")
        left, length = right, length * max(growth, 2 if order < allowed // 2 else 0)
    return found


def _excess(size: arb, goal: arb) -> arb:
    """About log of the error of a rule without nodes over the goal; −∞ for an integrand that is 0."""
    size = arb(size.upper())
    if not size.is_finite():
        return arb.pos_inf()
    return (size / goal).log() + 3 if size > 0 else arb.neg_inf()
