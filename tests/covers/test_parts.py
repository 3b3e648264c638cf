"""Single functions of the checker of covers, on inputs chosen for what each of their conditions keeps out."""

from fractions import Fraction as F

import pytest

from dpbounds.covers.algebra import Known, derivative
from dpbounds.covers.check import Checker, Leaf, check, halves_of
from dpbounds.covers.document import read, reader_of
from dpbounds.covers.evaluate import Evaluator, Tools
from dpbounds.kernel.notation import show
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.terms import Refused
from tests.covers.test_documents import document

MIDDLES = [
    (None, None, 0), (None, 5, 0), (-5, None, 0), (0, None, 1), (F(1, 8), None, 1), (2, None, 4), (None, 0, -1), (None, F(-1, 8), -1),
    (None, -3, -6), (0, 3, F(3, 2)), (-3, 1, -1),
]  # fmt: skip


@pytest.mark.parametrize("low, high, middle", MIDDLES)
def test_the_halves_of_a_side_meet_in_its_middle(low, high, middle):
    side, middle = tuple(None if end is None else F(end) for end in (low, high)), F(middle)
    other = F(0), F(7)
    assert halves_of((side, other), 0, False) == (((side[0], middle), other), ((middle, side[1]), other))
    cut = F(middle.__floor__())
    assert halves_of((other, side), 1, True) == ((other, (side[0], cut)), (other, (cut + 1, side[1])))


@pytest.mark.parametrize("whole", [False, True])
def test_a_side_of_one_number_is_not_split(whole):
    with pytest.raises(Refused, match="length 0"):
        halves_of(((F(1), F(1)),), 0, whole)


@pytest.mark.parametrize("text, slope", [
    ("3*(x + y*2) + x*y - 5", 0), ("3*(x + y*2) + exp(y) - x/2", F(5, 2)), ("x*(1 + y) - x*y", 1), ("x**2", 0), ("x*(1 - x)", 0),
    ("y", 0), ("x*y/y", 0), ("x**2/x", 0), ("exp(log(x))", 0), ("x + f(x, y)", 0), ("x + f(y, y)", 1), ("abs(x)", 0),
])  # fmt: skip
def test_a_slope_is_a_number_where_the_term_is_linear_by_its_form(text, slope):
    assert Tools(80).slope(reader_of(["x", "y"], ["f"]).term(text), "x") == slope


def test_a_box_in_words_is_not_long():
    cover = read(document("x <= 1"))
    checker = Checker(cover.statement, cover.boxes)
    assert checker.text_of(((None, F(1, 3)),)) == "x in [-inf, 1/3]" and checker.text_of(((F(2), None),)) == "x in [2, inf]"
    assert len(checker.text_of(((F(1, 3**2000), None),))) == 200


def test_a_checker_has_the_budget_that_it_is_given():
    cover = read(document("exp(x) <= 3"))
    statement, boxes = cover.statement, cover.boxes
    assert Checker(statement, boxes).run().leaves == 1
    with pytest.raises(Refused, match="too much work"):
        Checker(statement, boxes, Budget(1)).run()


def test_the_engine_is_told_of_each_leaf_that_rests_on_it():
    told = []
    found = document("x <= f(x) and x <= 1/2", "0?!", ["0 <= x", "x <= 1/3"], [["0", "1"]], engine={"f": "1"})
    assert check(read(found), lambda leaf: not told.append(leaf)).by_engine == 2
    assert told == [Leaf(((F(0), F(1, 2)),), False), Leaf(((F(1, 2), F(1)),), True)]
    for refusing in (False, True):
        with pytest.raises(Refused, match="a leaf is not shown by the engine"):
            check(read(found), lambda leaf, refusing=refusing: leaf.outside is not refusing)


@pytest.mark.parametrize(
    "text, slope",
    [("Phi(2*x)", "2/(2*pi())**(1/2)*exp(-2*x**2)"), ("x**(x + 1)", "x**x*(x*log(x) + x + 1)"), ("log(x)/x**3", "(1 - 3*log(x))/x**4")],
)
def test_slopes_by_the_table(text, slope):
    read_term, tools = reader_of(["x"]).reader, Tools(80)
    for x in (F(1, 3), F(5, 4)):
        here = Evaluator({"x": tools.arithmetic.number(x)}, (), tools)
        found, wanted = (here.value(t) for t in (derivative(read_term(text), "x"), read_term(slope)))
        assert all(abs(F(p) - F(q)) < F(1, 10**18) for p in found for q in wanted)


SHOWN = ["(x + 1) * (x - -2)", "x - (y - x)", "(x / y)**2", "2**x", "(1/2)**x", "(-2)**x", "x / (y * x)", "x * (y + 1) / y", "x**2 * y"]
SHOWN += ["x == y", "x <= y and (x < y or not x == y)", "(x <= y and y <= x) or x != y", "not (x <= y or y <= x)"]
SHOWN += ["max(x, y + 1)", "f(x, y) <= x"]
IDLE = ["x + y + 2", "(x * y)**2", "2**x", "0**x", "x <= y"]


@pytest.mark.parametrize("text", SHOWN)
def test_what_is_shown_is_read_as_the_same_term(text):
    read_term = reader_of(["x", "y"], ["f"]).reader
    assert read_term(show(read_term(text))) == read_term(text)


@pytest.mark.parametrize("text", IDLE)
def test_what_is_shown_has_no_idle_parentheses(text):
    assert show(reader_of(["x", "y"], ["f"]).reader(text)) == text


def test_a_question_to_the_ring_costs_the_document_what_it_takes():
    """A unit of the ring takes some microseconds, and the budget of a document is in microseconds."""
    budget = Budget(10**6)
    known = Known((), budget)
    assert known.form(reader_of(["x", "y"]).term("(1 + x + y)**20"))
    assert 10**6 - budget.left >= 4 * (50_000 - known.ring.budget.left) > 10_000
