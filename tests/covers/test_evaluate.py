"""Values and conditions on a box: what the evaluator may say of them, and what it must not."""

import itertools
from fractions import Fraction as F

import pytest

from dpbounds.covers.algebra import inequalities_of, minus, relation_of
from dpbounds.covers.algebra import real as variable
from dpbounds.covers.document import reader_of
from dpbounds.covers.evaluate import MOST_WORK, Evaluator, Tools
from dpbounds.covers.intervals import Undefined
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.terms import Refused, number
from tests.covers.test_ends import real

READ = reader_of(["x", "y"], ["f"]).reader
X, Y = variable("x"), variable("y")
INF = float("inf")


def on(x=(0, 1), y=(0, 1), *premises):
    tools = Tools(60)
    box = {name: tools.arithmetic.side(*(None if end is None else F(end) for end in side)) for name, side in (("x", x), ("y", y))}
    return Evaluator(box, [READ(premise) for premise in premises], tools)


ORDERS = [
    ("x <= y", (0, 1), (2, 3), True), ("x <= y", (0, 1), (1, 2), True), ("x <= y", (0, 1), (F(1, 2), 2), None),
    ("x <= y", (1, 2), (0, 1), None), ("x <= y", (2, 3), (0, 1), False), ("x < y", (0, 1), (2, 3), True),
    ("x < y", (0, 1), (1, 2), None), ("x < y", (0, 1), (F(1, 2), 2), None), ("x < y", (1, 2), (0, 1), False),
    ("x < y", (2, 3), (0, 1), False), ("x == y", (0, 1), (2, 3), False), ("x == y", (2, 3), (0, 1), False),
    ("x == y", (0, 1), (1, 2), None), ("x == y", (1, 2), (0, 1), None), ("x == y", (1, 1), (0, 1), None),
    ("x == y", (1, 1), (1, 2), None), ("x == y", (1, 1), (1, 1), True), ("log(x) <= y", (0, 1), (5, 6), None),
    ("f(x, y) == 1", (0, 1), (0, 1), None),
]  # fmt: skip


@pytest.mark.parametrize("formula, x, y, truth", ORDERS)
def test_what_is_known_of_a_condition(formula, x, y, truth):
    assert on(x, y).truth(READ(formula)) is truth
    assert on(x, y).truth(READ(f"not {formula}")) is (None if truth is None else not truth)


def test_conditions_are_joined_as_three_values_are():
    known = {"x <= 2": 1, "x <= 1/2": 0, "x <= -1": -1}
    for (a, p), (b, q) in itertools.product(known.items(), repeat=2):
        for word, value in (("and", min(p, q)), ("or", max(p, q))):
            assert on().truth(READ(f"{a} {word} {b}")) is {1: True, 0: None, -1: False}[value]


def test_a_number_is_no_condition():
    assert on().truth(X) is None


VALUES = [
    ("x*x", (-1, 2), (), 0, 4), ("x*y", (-1, 2), (), -1, 2), ("-1*x", (-1, 2), (), -2, 1), ("x + y", (-1, 2), (), -1, 3),
    ("x**3", (-1, 2), (), -1, 8), ("abs(x)", (-3, 2), (), 0, 3), ("max(x, y)", (-3, 2), (), 0, 2), ("min(x, y)", (-3, 2), (), -3, 1),
    ("1/x", (1, 2), ("0 < x",), F(1, 2), 1), ("1/x", (-2, -1), ("x < 0",), -1, F(-1, 2)), ("1/x", (0, 1), ("0 < x",), 1, INF),
    ("1/x", (0, 1), ("x <= 1", "x != 0"), 1, INF), ("1/x", (0, 1), ("x <= 1", "0 != x"), 1, INF), ("1/x", (0, 1), ("-x != 0",), 1, INF),
    ("1/x", (-1, 0), ("x < 0",), -INF, -1), ("1/x", (-1, 1), ("0 < x",), 1, INF), ("1/x", (-1, 1), ("x < 0",), -INF, -1),
    ("log(x)", (0, 1), ("0 < x",), -INF, 0), ("log(x)", (-1, 1), ("0 < x",), -INF, 0), ("log(-x)", (-1, 1), ("x < 0",), -INF, 0),
    ("x**(1/2)", (0, 4), (), 0, 2), ("x**(1/2)", (-1, 4), ("0 <= x",), 0, 2), ("x**(-1/2)", (1, 4), (), F(1, 2), 1),
    ("x**(-1/2)", (0, 1), ("0 < x",), 1, INF), ("x**y", (0, 1), ("0 < x",), 0, 1), ("x**(-y)", (0, 1), ("0 < x",), 1, INF),
    ("x**(y + 1)", (0, 1), (), 0, 1), ("ite(x <= 3, x, 1/x)", (0, 2), (), 0, 2), ("ite(3 <= x, 1/x, x)", (0, 2), (), 0, 2),
    ("ite(x <= 1, x, x + 5)", (0, 2), (), 0, 7), ("ite(x <= 3 and y <= 2, x, 9)", (0, 2), (), 0, 2),
]  # fmt: skip


@pytest.mark.parametrize("text, x, premises, low, high", VALUES)
def test_values_on_a_box(text, x, premises, low, high):
    found = on(x, (0, 1), *premises).value(READ(text))
    for end, exact in zip(found, (low, high), strict=True):
        assert real(end) == exact if abs(exact) == INF else abs(real(end) - exact) < F(1, 10**9)
    assert real(found[0]) <= low and high <= real(found[1])


def test_constants_are_enclosed():
    low, high = map(F, on().value(READ("pi()")))
    assert low < F(314159265358979324, 10**17) and F(314159265358979323, 10**17) < high and high - low < F(1, 10**12)
    assert [F(end) for end in on().value(READ("x + y - x - y + 3"))] == [1, 5]


# What may have no value: at 0 or below it, with premises that do not keep out what they seem to.
WITHOUT = [
    ("1/x", (0, 1), ()), ("1/x", (0, 1), ("0 <= x",)), ("1/x", (0, 1), ("x == 0 and y <= 1",)), ("1/x", (0, 1), ("not x < 0",)),
    ("1/x", (0, 1), ("y != 0",)), ("1/x", (-1, 1), ("x != 0",)), ("1/(x - y)", (0, 1), ("x + y != 0",)), ("log(x)", (0, 1), ()),
    ("log(x)", (-1, 1), ("0 <= x",)), ("log(x)", (-1, 1), ("x != 0",)), ("x**(1/2)", (-1, 1), ()), ("x**(1/2)", (-1, 1), ("x <= 0",)),
    ("x**(-1/2)", (0, 1), ()), ("x**(-y)", (0, 1), ()), ("x**y", (0, 1), ()), ("x**y", (-1, 1), ("x != 0",)),
    ("ite(x <= 1, 1/x, x)", (0, 2), ()), ("ite(log(x) <= 1 or x <= 2, 1, 2)", (0, 1), ()),
    ("ite(not (log(x) <= 1 and 2 <= x), 1, 2)", (0, 1), ()), ("f(x, y)", (0, 1), ()),
]  # fmt: skip


@pytest.mark.parametrize("text, x, premises", WITHOUT)
def test_what_may_have_no_value_has_none_on_the_box(text, x, premises):
    here = on(x, (0, 1), *premises)
    for _ in range(2):
        with pytest.raises(Undefined):
            here.value(READ(text))


# (goal, strict, x, premises, whether it follows), y on [0, 1].
FOLLOWS = [
    ("1", True, (0, 1), (), True), ("x - x", False, (0, 1), (), True), ("x - x", True, (0, 1), (), False),
    ("x - x - 1", False, (0, 1), (), False), ("x - x - 1", True, (0, 1), (), False), ("x + x**2", True, (1, 2), (), True),
    ("x + x**2", True, (0, 1), (), False), ("x + x**2", True, (-1, 1), ("0 < x",), True),
    ("x + x**2", True, (-1, 1), ("y <= 1", "1/9 <= x"), True), ("x + x**2", True, (-1, 1), ("0 <= x",), False),
    ("x + x**2", True, (-1, 1), ("-1 < x",), False), ("x + x**2", True, (-1, 1), ("-1 <= x",), False),
    ("x + x**2", True, (-1, 1), ("x < 1",), False), ("x + x**2", True, (-1, 1), ("y <= x",), False),
    ("x + x**2", True, (-1, 1), ("0 < y",), False), ("x + x**2", True, (-1, 1), ("x != 1/2",), False),
    ("x - x**2", True, (1, 2), (), False), ("-x", True, (1, 2), (), False), ("x - y", False, (0, 1), ("y <= x",), True),
    ("x - y", True, (0, 1), ("y <= x",), False), ("x - y", False, (0, 1), ("y < x",), True),
    ("x - y", True, (0, 1), ("x <= 1", "y < x"), True), ("2*x - 2*y", True, (0, 1), ("y < x",), True),
    ("x - y + 1", True, (0, 1), ("y < x",), True), ("x - y - 1", True, (0, 1), ("y < x",), False),
    ("y - x", True, (0, 1), ("y < x",), False), ("x*(x - y)", True, (1, 2), ("y < x",), True),
    ("x*(x - y)", True, (-1, 2), ("y < x",), True), ("x*(x - y + 1)", True, (-1, 2), ("y - 1 < x",), False),
    ("x - y", True, (0, 1), ("not x <= y",), True), ("x - y", False, (0, 1), ("not x < y",), True),
    ("x - y", True, (0, 1), ("not x < y",), False), ("y - x", False, (0, 1), ("not x <= y",), False),
    ("x - y", False, (0, 1), ("x == y",), True), ("y - x", False, (0, 1), ("x == y",), True),
    ("x - y", True, (0, 1), ("x == y",), False), ("x - y", True, (0, 1), ("x <= 1 and y < x",), True),
    ("x - y", True, (0, 1), ("x <= 1 or y < x",), False), ("x - y", False, (0, 1), ("x != y",), False),
]  # fmt: skip


@pytest.mark.parametrize("goal, strict, x, premises, follows", FOLLOWS)
def test_what_follows_from_premises(goal, strict, x, premises, follows):
    assert on(x, (0, 1), *premises).follows(READ(goal), strict) is follows


@pytest.mark.parametrize("low, is_zero", [(0, True), (1, True), (-1, False)])
def test_an_identity_holds_by_the_signs_of_the_box(low, is_zero):
    assert on((low, 2)).facts.is_zero(minus(*READ("max(x, -x) == x").parts)) is is_zero
    assert on((low, 2)).is_zero(minus(*READ("max(x, -x) == x").parts)) is is_zero
    assert on((low, 2), (0, 1), "0 <= x").facts.is_zero(minus(*READ("max(x, -x) == x").parts))


def test_the_inequalities_of_a_premise():
    right, left = minus(Y, X), minus(X, Y)
    assert relation_of(READ("x <= y")) == (right, False) and relation_of(READ("x < y")) == (right, True)
    assert relation_of(READ("not x <= y")) == (left, True) and relation_of(READ("not x < y")) == (left, False)
    for other in ("x == y", "x != y", "x <= y and y <= x", "not (x <= y and y <= x)", "f(x, y) == 1"):
        assert relation_of(READ(other)) is None
    assert inequalities_of(READ("x <= y and x < y")) == [(right, False), (right, True)]
    assert inequalities_of(READ("x == y")) == [(left, False), (right, False)] and inequalities_of(READ("x != y")) == []


def test_work_is_counted_up_to_its_bound():
    budget = Budget(3)
    budget.spend(3)
    with pytest.raises(Refused):
        budget.spend(1)
    assert Tools(60).budget.left == MOST_WORK and Tools(60, budget).budget is budget
    tools = Tools(60)
    for _ in range(2):
        tools.spend(number(2**4_000))
    assert MOST_WORK - tools.budget.left == 2 * (2 + 40)
    here = on()
    spent = {here.value(READ("exp(x)")) and here.tools.budget.left for _ in range(2)}
    assert len(spent) == 1
