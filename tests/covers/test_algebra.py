"""Terms of covers: what the ring says under premises, and what is only nearly true."""

import pytest

from dpbounds.claims.statement.cover_text import power
from dpbounds.covers.algebra import Known, inequalities_of, is_opaque, operations_of, relation_of
from dpbounds.covers.document import reader_of
from dpbounds.kernel.notation import show
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.ring import NONNEGATIVE, NONZERO, POSITIVE
from dpbounds.kernel.terms import ZERO, number

READ = reader_of(("w", "x", "y", "z"))


def known(*premises: str) -> Known:
    return Known([READ.formula(premise) for premise in premises], Budget(10_000_000))


@pytest.mark.parametrize(
    "premise, term, nonnegative, positive",
    [
        ("1 <= x", "x", True, True),
        ("1 <= x", "x - 1", True, False),
        ("1 <= x", "2*x - 2", True, False),
        ("1 <= x", "2*x - 1", True, True),
        ("1 <= x", "x - 2", False, False),
        ("1 <= x", "1 - x", False, False),
        ("1 < x", "x - 1", True, True),
        ("1 < x", "2*x - 3", False, False),
        ("not x <= y", "x - y", True, True),
        ("not x < y", "x - y", True, False),
        ("not x == y", "x - y", False, False),
        ("x == y", "x - y", True, False),
        ("x == y", "y - x", True, False),
        ("x <= y and y < z", "z - y", True, True),
        ("x <= y and y < z", "y - x", True, False),
        ("x <= y", "y - x + z", False, False),
        ("x <= y", "y - x - z", False, False),
        ("x <= y", "y - x + z + 1", False, False),
        ("x <= y or y < z", "y - x", False, False),
        ("x*y <= 3", "3 - x*y", True, False),
        ("x*y <= 3", "6 - 2*x*y", True, False),
        ("x*y <= 3", "4 - x*y", True, True),
        ("x*y <= 3", "2 - x*y", False, False),
        ("x*y <= 3", "x*y - 3", False, False),
        ("x*y < 3", "3 - x*y", True, True),
        ("exp(x) - x**2 <= y", "y - exp(x) + x**2 + 1", True, True),
        ("exp(x) - x**2 <= y", "y - exp(x) + x**2 + w + 1", False, False),
    ],
)
def test_signs_under_a_premise(premise: str, term: str, nonnegative: bool, positive: bool) -> None:
    found = known(premise)
    for _ in range(2):  # the second answer is remembered
        assert found.sign(READ.term(term), NONNEGATIVE) is nonnegative
        assert found.sign(READ.term(term), POSITIVE) is positive
    assert not known().sign(READ.term(term), NONNEGATIVE)


def test_what_is_positive_is_not_zero() -> None:
    assert known("1 < x").sign(READ.term("x"), NONZERO) and not known("0 <= x").sign(READ.term("x"), NONZERO)


def test_premises_that_ask_for_too_much_work_say_nothing() -> None:
    found = known("(w + x + y + z)**60 * (w - x + y - z)**60 <= 1")
    assert not found.sign(READ.term("x"), NONNEGATIVE) and found.sign(READ.term("2"), POSITIVE)


@pytest.mark.parametrize(
    "formula, difference, strict",
    [("x <= y", "y - x", False), ("x < y", "y - x", True), ("not x <= y", "x - y", True), ("not x < y", "x - y", False)],
)
def test_relations(formula: str, difference: str, strict: bool) -> None:
    found = relation_of(READ.formula(formula))
    assert found is not None and (show(found[0]), found[1]) == (difference, strict)
    assert inequalities_of(READ.formula(formula)) == [found]


@pytest.mark.parametrize("formula", ["x == y", "not x == y", "x <= y and y <= z", "not (x <= y and y <= z)", "x <= y or y <= z"])
def test_what_is_no_relation(formula: str) -> None:
    assert relation_of(READ.formula(formula)) is None


def test_inequalities_of_conditions() -> None:
    assert [(show(e), strict) for e, strict in inequalities_of(READ.formula("x == y"))] == [("x - y", False), ("y - x", False)]
    assert [(show(e), strict) for e, strict in inequalities_of(READ.formula("x <= y and y < z"))] == [("y - x", False), ("z - y", True)]
    assert inequalities_of(READ.formula("x <= y or y < z")) == inequalities_of(READ.formula("not x == y")) == []


@pytest.mark.parametrize(
    "term, conditions", [("x**(1/2)", ["0 <= x"]), ("x**(-1/2)", ["0 < x"]), ("x**y", ["0 <= x"]), ("1/x", ["x != 0"]), ("x + y", [])]
)
def test_what_holds_where_a_term_has_a_value(term: str, conditions: list[str]) -> None:
    assert [show(found) for found in operations_of(READ.term(term))] == conditions


def test_powers_of_numbers() -> None:
    assert power(ZERO, 2) == ZERO and power(ZERO, -1).tag == "^"
    assert power(number(2), -1) == number("1/2") and power(number(2), 0) == number(1)


@pytest.mark.parametrize("term, opaque", [("x + y", False), ("f(x, y)", True), ("x + exp(f(x, y))", True), ("1", False)])
def test_a_function_of_which_nothing_is_known_is_found(term: str, opaque: bool) -> None:
    assert is_opaque(reader_of(["x", "y"], ["f"]).term(term)) is opaque
