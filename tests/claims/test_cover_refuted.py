"""Leaves that rest on the engine and are seen to be false, and the terms of covers that are kept short."""

from fractions import Fraction as F

import pytest

from dpbounds.claims.covers.cover_refuted import is_refuted, points_of, refusing
from dpbounds.claims.statement.cover_text import add, power, times
from dpbounds.covers.algebra import real
from dpbounds.covers.check import Checker, Leaf, check
from dpbounds.covers.document import read
from dpbounds.kernel.terms import ONE, ZERO, Refused, node, number, value
from tests.covers.test_documents import document


def test_leaves_that_are_seen_to_be_false_are_refused():
    fields = document("f(x) <= 1 and x <= 1", "0??", engine={"f": "D(x)"})
    assert check(read(fields), refusing(read(fields), None)).by_engine == 2
    for edit in ({"then": "f(x) <= 1 and x <= 3/4"}, {"tree": "0!?"}):
        cover = read({**fields, **edit})
        for engine in (None, lambda leaf: True):
            with pytest.raises(Refused, match="refuted"):
                check(cover, refusing(cover, engine))


@pytest.mark.parametrize(
    "low, high, found",
    [
        (None, None, (-1000, 1000, 0)),
        (None, 5, (-995, 5, -495)),
        (2, None, (2, 1002, 502)),
        (-5000, None, (-5000, 1000, -2000)),
        (0, 3, (0, 3, F(3, 2))),
    ],
)
def test_points_of_a_box_are_its_corners_and_its_middle(low, high, found):
    sides = ((None if low is None else F(low), None if high is None else F(high)),)
    assert [point[0] for point in points_of(sides, [False])] == [(F(x), F(x)) for x in found]
    whole = [*found[:2], F(found[2]).__floor__()]
    assert [point[0] for point in points_of(sides, [True])] == [(F(x), F(x)) for x in whole]


def test_two_sides_have_four_corners():
    assert len(list(points_of(((F(0), F(1)), (F(0), F(1))), [False, False]))) == 5


@pytest.mark.parametrize("then, refuted", [("x <= -1", True), ("x <= 1", False), ("x <= 1/2", False)])
def test_a_leaf_is_refuted_as_a_whole_where_no_corner_is_known_to_be_inside(then, refuted):
    cover = read(document(then, "?", ["0 <= x", "x <= 1", "f(x) <= x"], engine={"f": "x"}) | {"root": [["0", "1"]]})
    found = Checker(cover.statement, cover.boxes)
    assert is_refuted(found, Leaf(found.boxes.root, False)) == refuted
    assert not is_refuted(found, Leaf(found.boxes.root, True))


def test_numbers_in_sums_products_and_powers_are_worked_out():
    x, zero, one, two = real("x"), number(0), number(1), number(2)
    assert add(two, one) == number(3) and add(zero, x) == x and add(x, zero) == x and add(x, one) == node("+", x, one)
    assert times(two, two) == number(4) and times(zero, x) == ZERO and times(x, zero) == ZERO
    assert times(one, x) == x and times(x, one) == x and times(two, x) == node("*", two, x)
    assert power(x, 0) == ONE and power(x, 1) == x and power(two, -2) == number("1/4") and power(zero, 2) == ZERO
    assert [power(t, n).tag for t, n in ((x, 2), (x, -2), (zero, -2))] == ["^", "^", "^"]
    assert value(power(x, 2)) is None
