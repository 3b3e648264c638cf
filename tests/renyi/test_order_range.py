"""Bounds of the sampled Gaussian over a range of orders: never below the truth, and each method where it should work."""

import math
from fractions import Fraction

import pytest
from flint import arb

from dpbounds.numbers.balls import Enclosure, ball, precision
from dpbounds.renyi.order_range import Range, excess, integral_bound, low_order_bound, method_for
from dpbounds.renyi.poisson_gaussian import divergence

ONE, SIXTEEN = Fraction(1), Fraction(16)
POINTS = [(Fraction(1), Fraction(3)), (Fraction(3, 2), Fraction(4)), (Fraction(4), Fraction(3)), (Fraction(9), Fraction(7))]


def ratio(order, sigma, log_inverse, *, add=False):
    """D_α σ²/(α q²) at q = e^{−L}/σ, as a ball."""
    with precision(120):
        rate = Enclosure.of_ball((-ball(log_inverse)).exp() / ball(sigma)).lower
        return divergence(order - 1, sigma, rate, 80, add=add) * ball(sigma) ** 2 / (ball(order) * ball(rate) ** 2)


def orders_at(sigma, log_inverse):
    top = sigma**2 * log_inverse + 1
    return [Fraction(101, 100), Fraction(3, 2), Fraction(2), (2 + top) / 2, top]


@pytest.mark.parametrize("sigma, log_inverse", POINTS)
@pytest.mark.parametrize("add", [False, True])
def test_the_integral_bounds_every_order_of_the_range(sigma, log_inverse, add):
    with precision(80):
        bound = integral_bound((1 / sigma, 1 / sigma), ball(log_inverse), add=add)
        low = low_order_bound(1 / sigma, ball(log_inverse))
        for order in orders_at(sigma, log_inverse):
            assert ratio(order, sigma, log_inverse, add=add) <= (bound.max(low) if not add else bound)


def test_the_integral_covers_a_box_and_the_limits():
    with precision(80):
        wide = integral_bound((Fraction(0), Fraction(1, 5)), ball(Fraction(3)))
        assert wide < 1
        for s in (Fraction(1, 5), Fraction(1, 7), Fraction(1, 100), Fraction(1, 10**6)):
            assert integral_bound((s, s), ball(Fraction(3))) <= wide
            assert integral_bound((s, s), ball(Fraction(30))) <= wide
        assert integral_bound((Fraction(0), Fraction(0)), ball(Fraction(40))) >= arb(1) / 2


def test_low_orders_rest_on_the_largest_rate():
    with precision(80):
        assert low_order_bound(ONE, ball(Fraction(3))) >= ratio(Fraction(2), ONE, Fraction(3))
        assert low_order_bound(ONE, ball(Fraction(3))) > (arb(1).exp() - 1) / 2


@pytest.mark.parametrize("order", [Fraction(2), Fraction(3), Fraction(9), Fraction(7, 2), Fraction(41, 4)])
def test_the_excess_agrees_with_the_divergence(order):
    with precision(100):
        rate, sigma = Fraction(1, 20), Fraction(3, 2)
        moment = (ball(order - 1) * divergence(order - 1, sigma, rate, 80)).expm1()
        truth = moment * ball(sigma) ** 2 / (ball(order * (order - 1)) * ball(rate) ** 2)
        assert abs(excess(order, 1 / sigma, ball(rate)) - truth) < 1e-10


@pytest.mark.parametrize(
    "sigma, inverse_log", [(Fraction(1), Fraction(9, 25)), (Fraction(11, 10), Fraction(1, 3)), (Fraction(2), Fraction(1, 4))]
)
@pytest.mark.parametrize("add", [False, True])
def test_nothing_below_the_truth_is_shown(sigma, inverse_log, add):
    top = max(
        Fraction(str(math.floor(float(ratio(order, sigma, 1 / inverse_log, add=add).lower()) * 10**6) / 10**6))
        for order in orders_at(sigma, 1 / inverse_log)
    )
    tiny = Fraction(1, 10**12)
    box = ((1 / sigma - tiny, 1 / sigma), (inverse_log - tiny, inverse_log))
    with precision(80):
        assert method_for(Range(top, sigma, SIXTEEN, ONE, add), box) is None
        assert method_for(Range(top * Fraction(3, 2), sigma, SIXTEEN, ONE, add), box) is not None


def test_a_single_box_settles_large_noise_and_rare_sampling_together():
    wanted = Range(ONE, Fraction(3), Fraction(70), ONE)
    with precision(80):
        assert method_for(wanted, wanted.root) == "integral"


def test_the_corner_settles_a_box_where_the_bound_nearly_fails():
    """The supremum over the orders up to 1 + log 16 is 1.15688…, at the last order."""
    box = ((1 - Fraction(1, 10**6), ONE), (Fraction(36067, 10**5), Fraction(360674, 10**6)))
    with precision(80):
        assert method_for(Range(Fraction("1.156"), ONE, SIXTEEN, ONE), box) is None
        assert method_for(Range(Fraction("1.157"), ONE, SIXTEEN, ONE), box) == "corner"


@pytest.mark.parametrize("numbers", [(0, 1, 16, 1), (1, 0, 16, 1), (1, 1, 2, 1), (1, 1, 16, 3)])
def test_ranges_outside_of_the_derivation_are_refused(numbers):
    with pytest.raises(ValueError, match="needs"):
        Range(*(Fraction(n) for n in numbers))


def test_few_orders_do_not_make_the_add_direction_small():
    with precision(80):
        few, none = (integral_bound((Fraction(0), Fraction(1, 10)), ball(Fraction(3)), add=True, slack=Fraction(c)) for c in (-6000, -1))
        assert few == none > arb(1) / 2
