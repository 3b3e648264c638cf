"""The stratified grid of the benchmark: digits, times and refusals (minutes; run with `-m slow`)."""

import statistics
from fractions import Fraction

import pytest

from benchmarks.random_allocation import points, run


def test_the_points_fill_the_range():
    grid = list(points(200))
    assert len(grid) == 200 and len(set(grid)) == 200
    for column, (low, high) in zip(zip(*grid, strict=True), ((2, 10**6), (1, 10**4), (Fraction("0.3"), 20), (3, 50)), strict=True):
        assert min(column) == low and max(column) == high


@pytest.mark.slow
def test_the_grid_has_its_digits_in_seconds_or_is_refused_in_one_line():
    rows = [run(*point) for point in points(200)]
    answered = [row for row in rows if "lower" in row]
    for row in answered:
        low, high = Fraction(str(row["lower"])), Fraction(str(row["upper"]))
        assert 0 < low <= high and high - low <= high / 10**14
    assert all("\n" not in str(row["refused"]) for row in rows if "refused" in row)
    assert len(answered) >= 160
    assert statistics.median(float(str(row["seconds"])) for row in answered) <= 3
