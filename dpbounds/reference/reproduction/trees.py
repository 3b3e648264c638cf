"""Numbers of binary trees of sums: DP-FTRL (Kairouz et al. 2021), the expected values of its tests and the first model that it trained.

A record is in at most k of n steps; the code counts the steps between two uses, which are one fewer than `min-sep` here.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from dpbounds.matrix.read import Matrix
from dpbounds.matrix.sensitivity import Sensitivity, sensitivity_of
from dpbounds.mechanisms.formula import gaussian_delta
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.to_digits import decide, least_epsilon, surely_at_most
from dpbounds.reference.reproduction.row import Computation, PrintedComparison, PrintedRelation, PrintedRow

_KEY = "kairouz2021"
_TESTS = "tree_aggregation_accountant_test of TensorFlow Privacy (github.com/tensorflow/privacy)"
_NOTEBOOK = "notebook of the model's release (github.com/google-research/federated, dp_ftrl)"
SQUARES = (
    (1, 8, 8, 4),
    (3, 4, 9, 11),
    (3, 3, 7, 9),
    (8, 3, 24, 88),
    (2, 1, 3, 6),
    (2, 1, 8, 14),
    (2, 1, 11, 14),
    (2, 1, 19, 18),
    (3, 1, 3, 7),
    (8, 1, 8, 120),
    (11, 1, 11, 127),
    (19, 1, 19, 503),
)
"""k, b, n and the expected squared sensitivity."""


@functools.cache
def deployed() -> Sensitivity:
    """Of the tree of the released model: 2000 steps, 6 uses, 313 steps between two of them."""
    return sensitivity_of(Matrix(leaves=2000), 314, 6)


def rows() -> Iterator[PrintedRow]:
    """All rows of this source.

    >>> next(iter(rows())).source
    'kairouz2021'
    """
    for k, b, n, square in SQUARES:
        yield PrintedRow(
            f"{_KEY}.tests.{k}-of-{n}-{b}-apart",
            _KEY,
            _TESTS,
            f"squared sensitivity of the tree of {n} steps, {k} uses, {b} apart",
            str(square),
            Computation("exact", lambda k=k, b=b, n=n: _exact(sensitivity_of(Matrix(leaves=n), b, k))),  # type: ignore[misc]
        )
    for sigma, printed in (("1.13", "19.74"), ("8.83", "2.04")):
        yield PrintedRow(
            f"{_KEY}.stack-overflow.{sigma}",
            _KEY,
            _TESTS,
            f"epsilon of one use in 1600 steps, sigma {sigma}, delta 1e-6",
            f"less than {printed}",
            Computation(
                "certified epsilon of Gaussian noise on the tree",
                lambda sigma=sigma, printed=printed: PrintedComparison(  # type: ignore[misc]
                    _epsilon(_exact(sensitivity_of(Matrix(leaves=1600), 1600, 1)) / Fraction(sigma) ** 2, Fraction(1, 10**6)),
                    PrintedRelation.AT_MOST,
                    Fraction(printed),
                ),
            ),
        )
    yield PrintedRow(
        f"{_KEY}.keyboard.rho",
        _KEY,
        _NOTEBOOK,
        "rho of zCDP: 2000 steps, 6 uses, 313 steps between two of them, sigma 7",
        "0.81",
        Computation("exact squared sensitivity 79, over 2 sigma^2", lambda: _exact(deployed()) / 98),
    )
    yield PrintedRow(
        f"{_KEY}.keyboard.epsilon",
        _KEY,
        _NOTEBOOK,
        "epsilon of the same at delta 1e-10",
        "epsilon <= 8.90",
        Computation(
            "certified epsilon of Gaussian noise on the tree",
            lambda: PrintedComparison(_epsilon(_exact(deployed()) / 49, Fraction(1, 10**10)), PrintedRelation.AT_MOST, Fraction("8.90")),
        ),
        note="from the Rényi divergence at some orders; the exact value is 0.37 less",
    )


def _exact(found: Sensitivity) -> Fraction:
    return found.upper_squared if found.is_exact else Fraction(-1)


def _epsilon(mu_squared: Fraction, delta: Fraction) -> Enclosure:
    def fails(candidate: Fraction) -> bool:
        return not decide(lambda: surely_at_most(_delta(mu_squared, candidate), ball(delta)), "delta")

    return least_epsilon(fails, 8)


def _delta(mu_squared: Fraction, epsilon: Fraction) -> Ball:
    return gaussian_delta(ball(mu_squared).sqrt(), ball(epsilon))
