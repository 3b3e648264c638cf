"""Advanced composition against the worst mechanism of its kind, whose δ is an exact sum over outcomes."""

from fractions import Fraction
from math import comb

import mpmath as mp
import pytest

from dpbounds.accounting import delta as delta_of
from dpbounds.accounting import epsilon as epsilon_of
from dpbounds.budgets.composition import advanced_composition_of
from dpbounds.errors import InputError
from dpbounds.mechanisms import Repeated
from dpbounds.noise.epsilon_delta import EpsilonDelta


def hockey_stick(epsilon, delta, steps, total):
    """δ of the k-fold worst (ε, δ) mechanism, summed over its outcomes: each use reveals all with probability δ."""
    with mp.workdps(40):
        e, d = mp.exp(mp.mpf(epsilon)), mp.mpf(delta)
        inside = mp.mpf(0)
        for wins in range(steps + 1):
            p, q = e**wins / (1 + e) ** steps, e ** (steps - wins) / (1 + e) ** steps
            inside += comb(steps, wins) * max(mp.mpf(0), p - mp.exp(mp.mpf(total)) * q)
        return 1 - (1 - d) ** steps * (1 - inside)


@pytest.mark.parametrize(
    ("epsilon", "delta", "steps", "total"), [("0.3", "0", 7, "0.5"), ("0.1", "1e-6", 60, "1"), ("1", "0", 3, "0"), ("0.5", "1e-3", 4, "2")]
)
def test_the_worst_mechanism_reveals_all_or_answers_at_random(epsilon, delta, steps, total):
    found = delta_of(Repeated(EpsilonDelta(epsilon, delta), steps), total, digits=20).enclosure
    truth = hockey_stick(epsilon, delta, steps, total)
    with mp.workdps(40):
        assert mp.mpf(found.lower_decimal(30)) - mp.mpf(10) ** -25 <= truth <= mp.mpf(found.upper_decimal(30)) + mp.mpf(10) ** -25


@pytest.mark.parametrize(("epsilon", "steps"), [("0.01", 100), ("0.1", 50), ("1", 20)])
def test_the_bounds_are_in_order(epsilon, steps):
    optimal = epsilon_of(Repeated(EpsilonDelta(epsilon, 0), steps), "1e-5").enclosure
    sharp, printed = (advanced_composition_of(epsilon, 0, steps, "1e-5", constant) for constant in ("sharp", "printed"))
    assert optimal <= sharp.epsilon and sharp.epsilon <= printed.epsilon
    assert sharp.delta.contains(Fraction("1e-5")) and advanced_composition_of(epsilon, "1e-6", 10, "1e-5").delta.contains(Fraction("2e-5"))


@pytest.mark.parametrize("arguments", [(1, 0, 0, "1e-5"), (1, 0, 5, 0), (1, 0, 5, "1e-5", "best"), (-1, 0, 5, "1e-5"), (1, 2, 3, "1e-5")])
def test_bad_input(arguments):
    with pytest.raises(InputError):
        advanced_composition_of(*arguments)
