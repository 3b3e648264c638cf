"""The constant C(c₁, c₂) and the three routes."""

import random
from fractions import Fraction

import mpmath
import pytest

from dpbounds.budgets import routes
from dpbounds.budgets.routes import constant
from dpbounds.errors import InputError
from dpbounds.numbers.balls import Enclosure, ball, precision
from dpbounds.renyi.conversions import zcdp_delta_of


def noise_of(n, c2):
    """A rational number at or just above √(n/c₂)."""
    with precision(100):
        return Enclosure.of_ball((ball(n) / ball(c2)).sqrt()).upper


@pytest.mark.parametrize(("c1", "c2"), [("1", "1"), ("1", "2"), ("2", "1")])
def test_no_order_exceeds_the_constant(c1, c2):
    found = routes.constant_of(c1, c2, 4)
    first, second = Fraction(c1), Fraction(c2)
    for n in (*range(int(second * first**2) + 1, 90, 7), found.order, 300, 5000):
        sigma = noise_of(n, second)
        assert routes.subsampled_moment_of(n, sigma, first / sigma).lower <= found.value.upper
    assert (
        routes.subsampled_moment_of(found.order, noise_of(found.order, second), first / noise_of(found.order, second)) >= found.value.lower
    )
    assert found.limit <= found.value


def test_the_constant_where_every_record_is_taken_counts():
    """c₁²c₂ large: σ = c₁, r = 1 and λ = c₂c₁² give e^{λ(λ−1)/2σ²} there."""
    found = routes.constant_of(3, "0.5", 3)
    whole = routes.subsampled_moment_of(4, 3, 1)
    assert found.value.upper >= whole.lower


def test_the_bound_far_out_is_above_the_values_and_falls():
    with precision(100):
        one = Fraction(1)
        near, far = constant._beyond(2**12, one, one), constant._beyond(2**16, one, one)
        assert far <= near
        for n in (2**16, 2**18):
            sigma = noise_of(n, one)
            assert routes.subsampled_moment_of(n, sigma, 1 / sigma).low <= far
        assert constant._beyond(2, one, one) == ball(1) / 0 or not constant._beyond(2, one, one).is_finite()
        limit = routes.constant_limit_of(1, 1).ball()
        assert far > limit


@pytest.mark.parametrize(("n", "cut"), [(2000, 3.0), (2000, 4.5), (40_000, 3.0)])
def test_both_parts_far_out_are_needed(monkeypatch, n, cut):
    """E(1 + r(e^{sZ}−1))^n on either side of Z = A, by quadrature: each part is at most its bound, and the sum counts the tail."""
    c1, c2 = Fraction(1, 2), Fraction(1)
    with mpmath.workdps(30):
        s = 1 / mpmath.sqrt(n)
        integrand = lambda z: (1 + s / 2 * mpmath.expm1(s * z)) ** n * mpmath.npdf(z)  # noqa: E731
        exact = [mpmath.quad(integrand, points) for points in ([-12, -4, 0, cut], [cut, cut + 2, cut + 5, 12])]
    with precision(80):
        parts = constant._parts_beyond(n, c1, c2, ball(Fraction(cut)))
        for bound, value in zip(parts, exact, strict=True):
            assert float(bound.lower()) >= value > 0
    original = constant._parts_beyond
    monkeypatch.setattr(constant, "_parts_beyond", lambda n, c1, c2, _: original(n, c1, c2, ball(Fraction(cut))))
    with precision(80):
        assert float((constant._beyond(n, c1, c2) - parts[0]).lower()) >= exact[1]


def test_the_constant_grows_in_both_arguments():
    table = {(a, b): routes.constant_of(a, b, 3).value for a in (1, 2) for b in (1, 2)}
    assert table[1, 1] < table[1, 2] and table[1, 1] < table[2, 1] and table[2, 1] < table[2, 2]


def test_route_2_is_the_unsampled_chernoff_bound():
    assert routes.route_2_of(2, 8, 4).overlaps(zcdp_delta_of(Fraction(4, 128), 2))
    assert routes.route_2_of("0.01", 1, 1).upper == 1


def test_route_1_is_no_larger_than_any_of_its_splits():
    found = routes.route_1_of(2, 8, "0.1", 1)
    for each in ("0.005", "0.02", "0.05"):
        azuma = routes.azuma_delta_of(2, 10, each)
        with precision(80):
            inner = ((ball(Fraction(each)).expm1() / ball(Fraction(1, 10))).log1p() - ball(Fraction(1, 128))).max(ball(0))
            split = azuma.ball() + (-(inner**2) * 32).exp()
            assert found.low <= split.upper()


def test_route_1_searches_the_whole_range():
    """One step with a large ε: the best split lies above √(ε/T) + log 2, and for very large σ near 0."""
    found = routes.route_1_of(9, 1, 1, 1)
    for each in ("3.5", "4", "4.4"):
        with precision(80):
            inner = (ball(Fraction(each)) - ball(1) / 2).max(ball(0))
            split = routes.azuma_delta_of(9, 1, each).ball() + (-(inner**2) / 2).exp()
            assert found.low <= split.upper()
    assert routes.route_1_of("0.001", 10**6, "0.1", 1).upper <= Fraction(1, 10**6)


def test_routes_on_one_scale():
    both = routes.routes_of(2, 8, "0.1", 1, 2)
    assert both.third is not None
    assert both.second.upper < 1 and both.third.upper < 1
    assert routes.route_3_of(2, 2, "0.1", 1, "0.3") is None
    assert routes.azuma_delta_of(1, 100, 1).upper == 1


def test_the_partition_covers_the_rectangle_and_agrees_with_the_routes_inside():
    """Random points of the decided cells, where the three values are computed anew."""
    rate, c2 = "1/1000", 1
    found = routes.partition_of((1, 4), ("1/4", 5), rate, 1, c2, depth=3)
    assert sum(cell.area for cell in found.cells) == 3 * Fraction("4.75")
    generator, answers = random.Random(1), set()
    for cell in generator.sample([cell for cell in found.cells if cell.best is not None], 12):
        sigma, epsilon = (low + (high - low) * Fraction(generator.randint(0, 16), 16) for low, high in (cell.sigma, cell.epsilon))
        values = routes.routes_of(epsilon, sigma, rate, 1, c2)
        bounds = [1 if value is None else value for value in (values.first, values.second, values.third)]
        answers.add(cell.best)
        low, high = ([value if value == 1 else getattr(value, end) for value in bounds] for end in ("lower", "upper"))
        if cell.best == 0:
            assert high == [1, 1, 1] or min(low) >= Fraction(99, 100)
        else:
            assert all(high[cell.best - 1] < low[other] for other in range(3) if other != cell.best - 1)
    assert len(answers) >= 2


def test_a_finer_partition_decides_more_and_changes_no_answer():
    coarse, fine = (routes.partition_of((1, 4), ("1/4", 4), "1/1000", 1, depth=depth) for depth in (1, 3))
    assert fine.share(None) < coarse.share(None)
    for cell in coarse.cells:
        if cell.best is not None:
            middle = [sum(ends) / 2 for ends in (cell.sigma, cell.epsilon)]
            around = [c.best for c in fine.cells if c.sigma[0] <= middle[0] <= c.sigma[1] and c.epsilon[0] <= middle[1] <= c.epsilon[1]]
            assert around and {*around} <= {cell.best, None}


def test_a_partition_refuses_what_its_bounds_do_not_cover():
    with pytest.raises(InputError, match="at most 1 on the range"):
        routes.partition_of((1, 20), (1, 2), "1/10", 1)
    with pytest.raises(InputError, match="0 < low < high"):
        routes.partition_of((1, 1), (1, 2), "1/10", 1)


def test_bad_input():
    with pytest.raises(InputError, match="integer"):
        routes.route_1_of(1, 8, "0.3", 1)
    with pytest.raises(InputError, match="> 0"):
        routes.route_3_of(1, 8, 0, 1, 1)
    with pytest.raises(InputError, match="c2"):
        routes.constant_of(1, 0)
