"""How many nodes of the contour integral certify how many digits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpbounds.accounting.asked import read_epsilon
from dpbounds.accounting.bromwich import evaluate, working_bits_of
from dpbounds.accounting.bromwich_planning import plan
from dpbounds.accounting.closed import beyond_largest_loss
from dpbounds.errors import InputError
from dpbounds.laws.law import rational
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms import Direction, Mechanism
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.inputs import exact_ball

_LN10 = math.log(10)


@dataclass(frozen=True)
class Convergence:
    """One trapezoid sum: the nodes c + ijh with |j| < nodes (conjugates cost nothing), and the enclosure of δ that they certify."""

    nodes: int
    abscissa: float
    enclosure: Enclosure

    @property
    def digits(self) -> float:
        """−log₁₀ of the relative width."""
        return self.enclosure.digits()


def convergence_of(
    mechanism: Mechanism, epsilon: exact.Number, digits: Sequence[int], direction: Direction | str = Direction.REMOVE
) -> tuple[Convergence, ...]:
    """Trapezoid sums of growing length, each with every error term inside the enclosure.

    Args:
        mechanism: a composition that the contour integral handles, such as `Repeated(Sampled(Gaussian(…), PoissonSampling(…)), k)`.
        epsilon: ε.
        digits: for each of these, the contour planned for about so many digits.
        direction: remove or add.

    Raises:
        InputError: digits < 1, a direction that is not one pair, an ε at or beyond the largest loss.
        PrecisionError: no contour could be planned.

    >>> from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
    >>> few, many = convergence_of(Repeated(Sampled(Gaussian("1.5"), PoissonSampling("0.01")), 10_000), 1, [5, 10])
    >>> few.nodes < many.nodes, few.enclosure.overlaps(many.enclosure)
    (True, True)
    """
    products = dominating_pairs(mechanism, direction=direction)
    if len(products) != 1 or any(value < 1 for value in digits):
        raise InputError("convergence needs one direction, remove or add, and digits >= 1")
    elements, level = elements_of(products[0]), rational(read_epsilon(epsilon), "epsilon")
    if beyond_largest_loss(elements, level):
        raise InputError(f"convergence needs epsilon below the largest privacy loss, where delta is not a closed form; got {level}")
    found = []
    for wanted in digits:
        with precision(128):
            factors = elements.factors()
            chosen = plan(factors, float(level), wanted * _LN10)
        with precision(working_bits_of(factors, chosen)):
            ball = evaluate(elements.factors(), exact_ball(level), chosen) + elements.certain_loss()
            found.append(Convergence(chosen.count, chosen.c, Enclosure.of_ball(ball)))
    return tuple(found)
