"""Sums over the lattice x = j·h: the trapezoid rule on the real line, with what it leaves out enclosed.

For f analytic in |Im x| ≤ a and N ≥ ∫|f(x ± ia)| dx on both edges, Poisson summation gives

    |h·Σ_j f(jh) − ∫ f| ≤ 2·N / (e^{2πa/h} − 1)

(Trefethen & Weideman, "The exponentially convergent trapezoidal rule", SIAM Review 56 (2014), Theorem 5.1). Long windows are walked in
blocks: a block whose majorant is negligible is skipped and its majorant, not zero, goes into the sum.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb

from dpbounds.errors import PrecisionError

LEAF = 8
"""Blocks of at most this many nodes are evaluated node by node."""
MOST_STEPS = 200_000
"""Nodes evaluated and blocks looked at, together, before a sum is given up."""
DENSE = 256
"""Windows of at most this many nodes are not divided into blocks at all."""

Sum = Callable[[int, int], arb]
"""(first, last) → Σ f(jh) for first ≤ j ≤ last."""
Majorant = Callable[[int, int], arb]
"""(first, last) → an upper bound of f on the interval from node `first` to node `last`."""


def between_zero_and(bound: arb) -> arb:
    """A ball that contains [0, bound], for what is known to be ≥ 0 and at most `bound`.

    >>> between_zero_and(arb(3)).contains(arb(0)), between_zero_and(arb(3)).contains(arb(3))
    (True, True)
    """
    return arb(0).union(bound.abs_upper())


def lattice_sum(block: Sum, majorant: Majorant, first: int, last: int, negligible: arb) -> arb:
    """Σ f(jh) for first ≤ j ≤ last and f ≥ 0, skipping blocks whose sum is at most `negligible`.

    Args:
        block: (i, j) → f(ih) + … + f(jh), f ≥ 0.
        majorant: (i, j) → an upper bound of f on [ih, jh].
        first, last: the window, both included.
        negligible: blocks with (number of nodes)·(majorant) below this are skipped; their bound stays in the result.

    Raises:
        PrecisionError: the window holds too many nodes that matter.

    >>> from dpbounds.numbers.balls import precision
    >>> with precision(64):
    ...     lattice_sum(lambda i, j: arb(2) ** (1 - i) - arb(2) ** -j, lambda i, j: arb(2) ** -i, 0, 400, arb("1e-20")).rad() < 1e-17
    True
    """
    total = arb(0)
    pending = [(first, last)]
    dense, steps = last - first < DENSE, 0
    while pending:
        low, high = pending.pop()
        count = high - low + 1
        steps += min(count, LEAF)
        if steps > MOST_STEPS:
            raise PrecisionError(f"the integral needs more than {MOST_STEPS} nodes; take a larger sigma or fewer digits")
        if dense or count <= LEAF:
            total += block(low, high)
            continue
        bound = skipped_block(majorant, low, high)
        if bound < negligible:
            total += between_zero_and(bound)
            continue
        middle = (low + high) // 2
        pending += [(middle + 1, high), (low, middle)]
    return total


def skipped_block(majorant: Majorant, first: int, last: int) -> arb:
    """An upper bound of the sum over a block: (number of nodes) · max f."""
    return majorant(first, last) * (last - first + 1)


def aliasing(shift: arb, step: arb) -> arb:
    """2/(e^{2πa/h} − 1): what multiplies N in the error bound of the trapezoid rule.

    >>> aliasing(arb(1), arb("0.1")) < arb("1e-26")
    True
    """
    return 2 / (2 * arb.pi() * shift / step).expm1()
