"""One record changes the sum of clipped gradients by at most the clipping norm, in exact arithmetic, whatever the record is."""

import numpy as np
import pytest

from dpbounds.errors import InputError
from dpbounds.sgd.clipping import GRID_BITS, clipped_rows, clipped_sum

UNIT = 2**GRID_BITS


def square_of(row):
    return sum(int(entry) ** 2 for entry in np.asarray(row).ravel())


@pytest.mark.parametrize("seed", range(30))
def test_every_row_stays_within_the_norm(seed):
    generator = np.random.default_rng(seed)
    size = int(generator.integers(1, 400))
    rows = generator.normal(size=(20, size)) * 10.0 ** generator.uniform(-200, 200, size=(20, 1))
    clip = 10.0 ** generator.uniform(-6, 6)
    assert all(square_of(row) <= UNIT**2 for row in clipped_rows(rows, (size,), clip))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 100, 4096])
def test_rows_of_equal_entries_are_clipped_closely_and_never_above(size):
    found = clipped_rows(np.full((1, size), 1e9), (size,), 1.0)[0]
    assert (1 - size / 2**20) * UNIT**2 <= square_of(found) <= UNIT**2


def test_without_the_room_for_rounding_the_bound_would_fail():
    """The norm of a row that is scaled to 1 in float64 exceeds 1 in the reals for some rows: the room is needed."""
    from fractions import Fraction

    generator = np.random.default_rng(0)
    worst = Fraction(0)
    for _ in range(200):
        row = generator.normal(size=7)
        scaled = row * (1.0 / np.sqrt((row * row).sum()))
        worst = max(worst, sum((Fraction(float(x)) ** 2 for x in scaled), Fraction(0)))
    assert worst > 1


BAD = {
    "nan": [np.nan, 1.0, 1.0],
    "infinity": [np.inf, 0.0, 0.0],
    "minus infinity": [0.0, -np.inf, 1.0],
    "nan and infinity": [np.nan, np.inf, -np.inf],
}
EXTREME = {
    "overflow of the square": [1e200, 1e200, -1e200],
    "overflow of the norm": [1.7e308, 1.7e308, 1.7e308],
    "subnormal": [5e-324, 5e-324, 0.0],
    "subnormal and large": [5e-324, 1e300, 0.0],
    "squares underflow": [1e-170, 2e-170, 3e-170],
    "zero": [0.0, -0.0, 0.0],
}


@pytest.mark.parametrize("name", BAD)
def test_a_record_that_is_not_a_number_counts_as_zero(name):
    good = np.array([[0.3, 0.4, 0.0], [3.0, 0.0, 4.0]])
    total = clipped_sum(np.vstack((good, [BAD[name]])), (3,), 1.0)
    assert np.array_equal(total, clipped_sum(good, (3,), 1.0)) and np.any(total != 0)


@pytest.mark.parametrize("name", EXTREME)
@pytest.mark.parametrize("clip", [1.0, 1e-30, 1e30])
def test_extreme_records_stay_within_the_norm(name, clip):
    found = clipped_rows(np.array([EXTREME[name]]), (3,), clip)[0]
    assert square_of(found) <= UNIT**2


def test_a_norm_that_overflows_is_clipped_to_the_norm_not_to_zero():
    found = clipped_rows(np.array([EXTREME["overflow of the norm"]]), (3,), 1.0)[0]
    assert square_of(found) >= 0.99 * UNIT**2
    tiny = clipped_rows(np.array([EXTREME["squares underflow"]]), (3,), 1e-170)[0]
    assert square_of(tiny) >= 0.99 * UNIT**2


def test_small_gradients_are_left_as_they_are():
    row = np.array([[0.125, -0.25, 0.5]])
    assert clipped_rows(row, (3,), 1.0)[0].tolist() == [UNIT // 8, -UNIT // 4, UNIT // 2]
    assert clipped_rows(row.astype(np.float32), (3,), 2.0)[0].tolist() == [UNIT // 16, -UNIT // 8, UNIT // 4]


def test_the_sum_does_not_depend_on_the_order():
    rows = np.random.default_rng(5).normal(size=(500, 11))
    total = clipped_sum(rows, (11,), 0.7)
    for seed in range(5):
        assert np.array_equal(clipped_sum(np.random.default_rng(seed).permutation(rows), (11,), 0.7), total)
    assert square_of(total - clipped_sum(rows[1:], (11,), 0.7)) <= UNIT**2


def test_whole_numbers_are_gradients_too_and_are_clipped():
    for kind in (np.int8, np.uint64, np.int64):
        largest = np.iinfo(kind).max
        found = clipped_rows(np.array([[1, 0, 0], [largest, largest, 0]], dtype=kind), (3,), 2.0)
        assert found[0].tolist() == [UNIT // 2, 0, 0] and 0.99 * UNIT**2 <= square_of(found[1]) <= UNIT**2
    least = np.array([[np.iinfo(np.int64).min, 0, 0]])
    assert square_of(clipped_rows(least, (3,), 1.0)[0]) <= UNIT**2


def test_a_subnormal_gradient_is_no_division_by_zero():
    found = clipped_rows(np.array([[5e-324, -0.0, 0.0], [5e-324, 1.0, 0.0], [-0.0, -0.0, -0.0]]), (3,), 1.0)
    assert found[0].tolist() == [0, 0, 0] and square_of(found[1]) <= UNIT**2 and found[2].tolist() == [0, 0, 0]
    assert square_of(clipped_rows(np.array([[5e-324, 5e-324, 0.0]]), (3,), 5e-324)[0]) <= UNIT**2


def test_what_float64_cannot_hold_counts_as_zero():
    wide = np.array([[np.finfo(np.longdouble).max, 0, 0], [np.longdouble("1e-4000"), 0.25, 0]], dtype=np.longdouble)
    with np.errstate(over="ignore", under="ignore"):
        found = clipped_rows(wide, (3,), 1.0)
    assert found.tolist() == [[0, 0, 0], [0, UNIT // 4, 0]]


@pytest.mark.parametrize(
    "rows",
    [
        np.zeros(3),
        np.zeros((4, 2)),
        np.zeros((4, 3, 1)),
        np.zeros((4, 3), dtype=complex),
        np.zeros((4, 3), dtype=bool),
        np.array([["a", "b", "c"]]),
        np.array([[None, 1.0, 2.0]], dtype=object),
    ],
    ids=["summed over the records", "too short", "one axis more", "complex", "truth values", "text", "objects"],
)
def test_a_wrong_shape_or_kind_is_refused(rows):
    with pytest.raises(InputError, match="gradients must be real numbers, one row of shape"):
        clipped_sum(rows, (3,), 1.0)
