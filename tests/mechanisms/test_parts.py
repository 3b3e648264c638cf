"""The plan by parts against exact sums and mpmath: both ends hold, each term is needed, and the search ends."""

import itertools
from fractions import Fraction

import mpmath as mp
import pytest

from dpbounds import mechanisms as m
from dpbounds.mechanisms.pairs import FinitePair, dominating_pairs
from dpbounds.mechanisms.parts import MOST_ASKED, SHARES, Parts
from tests.truths import gaussian_delta

TABLES = [
    m.FiniteTable((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))),
    m.FiniteTable((Fraction(3, 5), Fraction(2, 5)), (Fraction(2, 5), Fraction(3, 5))),
    m.FiniteTable((Fraction(1, 10), Fraction(9, 10)), (Fraction(1, 8), Fraction(7, 8))),
]


def product_of(*mechanisms):
    return dominating_pairs(m.Composed(mechanisms), direction="remove")[0]


def exact_delta(product, epsilon):
    """Σ (p − e^ε·q)₊ over every outcome."""
    rows = [list(zip(factor.pair.p, factor.pair.q, strict=True)) for factor in product.factors for _ in range(factor.steps)]
    scale, total = mp.e ** (mp.mpf(epsilon.numerator) / epsilon.denominator), mp.mpf(0)
    for outcome in itertools.product(*rows):
        p, q = (mp.mpf(part.numerator) / part.denominator for part in map(mp_product, zip(*outcome, strict=True)))
        total += max(p - scale * q, mp.mpf(0))
    return total


def mp_product(values):
    found = Fraction(1)
    for value in values:
        found *= value
    return found


def parts_of(value, plus=lambda more, less: more + less, near=lambda low, high: False):
    """Only single factors are answered, and the least and largest value of the others known."""
    asked = []

    def ask(part, at):
        asked.append((part, at))
        return (mp.mpf(0), mp.inf) if len(part.factors) > 1 or part.factors[0].steps > 1 else (value(part, at),) * 2

    return Parts(ask, plus, near, mp.mpf(0)), asked


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1, 3), Fraction(7, 10)])
def test_both_ends_hold_for_every_delta(epsilon):
    assert all(isinstance(factor.pair, FinitePair) for factor in product_of(*TABLES).factors)
    for mechanisms in (TABLES[:2], TABLES[1:], TABLES):
        product = product_of(*mechanisms)
        truth = exact_delta(product, epsilon)
        low, high = parts_of(exact_delta)[0].ends(product, epsilon)
        assert 0 <= low <= truth * (1 + mp.mpf(10) ** -12) and truth <= high < 1


def delta_of_gaussians(product, epsilon):
    size = mp.sqrt(sum(factor.steps / mp.mpf(str(float(factor.pair.sigma))) ** 2 for factor in product.factors))
    return gaussian_delta(size, float(epsilon))


def gaussian_epsilon(product, delta):
    return mp.findroot(
        lambda e: mp.log(delta_of_gaussians(product, e) / delta.numerator * delta.denominator), (mp.mpf(3), mp.mpf(4)), tol=1e-20
    )


GAUSSIANS = product_of(m.Gaussian(1), m.Gaussian("1.25"))


def test_delta_and_epsilon_of_gaussian_noise_and_each_term():
    """With one of both terms alone the upper end misses the truth."""
    truth = delta_of_gaussians(GAUSSIANS, Fraction(1))
    low, high = parts_of(delta_of_gaussians)[0].ends(GAUSSIANS, Fraction(1))
    assert 0 < low <= truth <= high < 1
    for one in (lambda more, less: more, lambda more, less: less):
        assert parts_of(delta_of_gaussians, plus=one)[0].ends(GAUSSIANS, Fraction(1))[1] < truth
    root = gaussian_epsilon(GAUSSIANS, Fraction(1, 1000))
    low, high = parts_of(gaussian_epsilon)[0].ends(GAUSSIANS, Fraction(1, 1000))
    assert 0 < low <= root <= high < 3 * root
    for one in (lambda more, less: more, lambda more, less: less):
        assert parts_of(gaussian_epsilon, plus=one)[0].ends(GAUSSIANS, Fraction(1, 1000))[1] < root


def test_shares_add_up():
    """What both parts are asked for is ε, and never more."""
    search, asked = parts_of(delta_of_gaussians)
    search.ends(GAUSSIANS, Fraction(1))
    shares = {at for _, at in asked}
    assert shares == {Fraction(1), *SHARES, *(1 - share for share in SHARES)}


def test_one_use_bounds_many_from_below():
    product = dominating_pairs(m.Repeated(TABLES[0], 4), direction="remove")[0]
    low, high = parts_of(exact_delta)[0].ends(product, Fraction(1, 5))
    assert 0 < low < exact_delta(product, Fraction(1, 5)) and high == mp.inf


def test_no_part_is_asked_twice_and_the_search_ends():
    many = product_of(*(m.Gaussian(str(1 + index / 10)) for index in range(9)))
    search, asked = parts_of(delta_of_gaussians)
    low, high = search.ends(many, Fraction(2))
    assert len(asked) == len(set(asked)) == MOST_ASKED and 0 < low <= delta_of_gaussians(many, Fraction(2)) <= high


def test_ends_that_are_near_end_the_search():
    search, asked = parts_of(delta_of_gaussians, near=lambda low, high: high < mp.inf)
    search.ends(GAUSSIANS, Fraction(1))
    assert len(asked) == 5  # the whole, both parts, and one share


def test_ends_of_parts_that_are_apart():
    """The upper end of a sum is that of both upper ends, the lower one is a lower one."""
    truth = delta_of_gaussians(GAUSSIANS, Fraction(1))
    search, _ = parts_of(delta_of_gaussians)
    exactly = search.ends(GAUSSIANS, Fraction(1))

    def apart(part, at):
        low, high = parts_of(delta_of_gaussians)[0].ask(part, at)
        return low / 2, high * 2

    low, high = Parts(apart, lambda more, less: more + less, lambda low, high: False, mp.mpf(0)).ends(GAUSSIANS, Fraction(1))
    assert low == exactly[0] / 2 < truth < exactly[1] < high and abs(high - 2 * exactly[1]) < high * mp.mpf(10) ** -12
