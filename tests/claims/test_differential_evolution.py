"""The global search finds small values in narrow places, inside of the ranges, and the same ones each time."""

import pytest

from dpbounds.claims.counterexamples.differential_evolution import least


def valley(point):
    x, y = point
    return (1 - x) ** 2 + 100 * (y - x * x) ** 2


@pytest.mark.parametrize("seed", range(3))
def test_a_narrow_valley(seed):
    point, value = least(valley, [(-5, 5), (-5, 5)], seed=seed, generations=200)
    assert value == valley(point) <= 1e-3


def test_it_stays_in_the_ranges_and_repeats_itself():
    seen = []

    def outward(point):
        seen.append(point)
        return -sum(point)

    first = least(outward, [(0, 1), (-3, -2)], seed=5, generations=30)
    assert all(0 <= x <= 1 and -3 <= y <= -2 for x, y in seen) and 1 <= first[1] <= 1.05
    assert least(outward, [(0, 1), (-3, -2)], seed=5, generations=30) == first


def test_it_ends_early_where_all_is_alike():
    calls = []
    least(lambda point: calls.append(point) or 1.0, [(0, 1)], seed=0, generations=1000)
    assert len(calls) <= 30


def test_what_has_no_value_is_passed_over():
    _, value = least(lambda point: float("inf") if point[0] > 0.1 else point[0], [(0, 1)], seed=0, generations=40)
    assert value <= 0.01
