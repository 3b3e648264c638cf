"""Every enclosure of the checker contains the truth, with parameters so coarse that each error term matters in turn."""

from fractions import Fraction as F

import mpmath
import pytest
from mpmath import mpf

from dpbounds.recheck.numbers import Numbers
from dpbounds.recheck.truncated_batch import upper_tail
from tests.recheck.probes import PROBES, exact, holds


@pytest.mark.parametrize("name", PROBES)
def test_the_truth_lies_inside(name):
    assert holds(name)


@pytest.mark.parametrize("q", [F(1, 100), F(1, 4), F(9, 10)])
@pytest.mark.parametrize("largest", [F(1, 4), F(2), F(8)])
def test_ends_hold_the_integral_of_sampled_laplace(largest, q):
    """∫ g <= 2(k(−ε₀) + k(ε₀)) at every order: a height y < 1 in the bound on the decay is of no use, and of no harm."""
    e0, rate = exact(largest), exact(q)

    def u(loss):
        return 1 - rate + rate * mpmath.exp(loss)

    for p in (mpf("-60"), mpf(-8), mpf(-1), mpf("-0.1"), mpf("1.01"), mpf("1.5"), mpf(3), mpf(20), mpf(90)):

        def g(loss, p=p):
            return u(loss) ** p * mpmath.exp(-(loss + e0) / 2) / 4

        ends = sum(g(loss) * u(loss) / (rate * mpmath.exp(loss)) for loss in (-e0, e0))
        assert mpmath.quad(g, [-e0, -e0 / 2, 0, e0 / 2, e0]) <= 2 * ends


def test_all_terms_of_a_long_tail_are_added():
    """By Hoeffding P(Bin(n, q) < b) <= e^{-2(nq − b)²/n}; the sum has its largest terms at its end."""
    low, high = upper_tail(45_000, F(9, 10), 20_000, Numbers(60)).bounds()
    rest = F(1, 2**26_000)  # e^{-18677}
    assert low <= 1 and 1 - rest <= high
    assert 1 - F(1, 10**6) <= low
