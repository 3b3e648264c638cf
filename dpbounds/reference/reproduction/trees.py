"""Numbers of binary trees of sums: DP-FTRL (Kairouz et al. 2021), the expected values of its tests and the first model that it trained.

A record is in at most k of n steps; the code counts the steps between two uses, which are one fewer than `min-sep` here.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from dpbounds.matrix.read import Matrix
from dpbounds.matrix.sensitivity import sensitivity_of
from dpbounds.mechanisms.formula import gaussian_delta
from dpbounds.numbers.balls import ball
from dpbounds.numbers.to_digits import decide, least_epsilon, surely_at_most
from dpbounds.reference.reproduction.row import PrintedComparison, PrintedRelation, PrintedRow, printed_row

_TESTS = "tree_aggregation_accountant_test of TensorFlow Privacy (github.com/tensorflow/privacy)"
_NOTEBOOK = "notebook of the model's release (github.com/google-research/federated, dp_ftrl)"
SQUARES = (
    (1, 8, 8, 4), (3, 4, 9, 11), (3, 3, 7, 9), (8, 3, 24, 88), (2, 1, 3, 6), (2, 1, 8, 14), (2, 1, 11, 14), (2, 1, 19, 18), (3, 1, 3, 7),
    (8, 1, 8, 120), (11, 1, 11, 127), (19, 1, 19, 503),
)  # fmt: skip
"""k, b, n and the expected squared sensitivity."""
DEPLOYED = (2000, 314, 6)
"""Of the tree of the released model: 2000 steps, 6 uses, 313 steps between two of them."""
_ON_THE_TREE = "certified epsilon of Gaussian noise on the tree"


def rows() -> Iterator[PrintedRow]:
    """All rows of this source.

    >>> next(iter(rows())).source
    'kairouz2021'
    """
    for k, b, n, square in SQUARES:
        quantity = f"squared sensitivity of the tree of {n} steps, {k} uses, {b} apart"
        yield printed_row(f"kairouz2021.tests.{k}-of-{n}-{b}-apart", _TESTS, quantity, str(square), ("exact", _square, n, b, k))
    for sigma, printed in (("1.13", "19.74"), ("8.83", "2.04")):
        quantity = f"epsilon of one use in 1600 steps, sigma {sigma}, delta 1e-6"
        recipe = (_ON_THE_TREE, _epsilon_below, (1600, 1600, 1), Fraction(sigma), Fraction(1, 10**6), printed)
        yield printed_row(f"kairouz2021.stack-overflow.{sigma}", _TESTS, quantity, f"less than {printed}", recipe)
    quantity = "rho of zCDP: 2000 steps, 6 uses, 313 steps between two of them, sigma 7"
    rho = ("exact squared sensitivity 79, over 2 sigma^2", lambda: _square(*DEPLOYED) / 98)
    yield printed_row("kairouz2021.keyboard.rho", _NOTEBOOK, quantity, "0.81", rho)
    yield printed_row(
        "kairouz2021.keyboard.epsilon",
        _NOTEBOOK,
        "epsilon of the same at delta 1e-10",
        "epsilon <= 8.90",
        (_ON_THE_TREE, _epsilon_below, DEPLOYED, Fraction(7), Fraction(1, 10**10), "8.90"),
        note="from the Rényi divergence at some orders; the exact value is 0.37 less",
    )


@functools.cache
def _square(steps: int, apart: int, uses: int) -> Fraction:
    """The squared sensitivity of a tree, exactly."""
    found = sensitivity_of(Matrix(leaves=steps), apart, uses)
    return found.upper_squared if found.is_exact else Fraction(-1)


def _epsilon_below(tree: tuple[int, int, int], sigma: Fraction, delta: Fraction, printed: str) -> PrintedComparison:
    mu_squared = _square(*tree) / sigma**2

    def fails(candidate: Fraction) -> bool:
        return not decide(lambda: surely_at_most(gaussian_delta(ball(mu_squared).sqrt(), ball(candidate)), ball(delta)), "delta")

    return PrintedComparison(least_epsilon(fails, 8), PrintedRelation.AT_MOST, Fraction(printed))
