"""Maxima and absolute values in statements of one place: bounds where they suffice, cases where they do not."""

import sympy

from dpbounds.compile.families.as_written import sums_as_written
from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.steps import Steps
from dpbounds.kernel.notation import Reader
from dpbounds.kernel.terms import ZERO, at_most, variable

x, y, c = sympy.symbols("x y c", real=True)


def shown(h, *relations):
    """Whether 0 ≤ h is shown under relations."""
    steps = Steps()
    symbols = {s: variable(s.name, "R") for s in (x, y, c)}
    reader = OneTerm(steps, symbols, ()).read
    facts = [(relation, steps.assume(reader.formula(relation))) for relation in relations]
    found = OneTerm(steps, symbols, facts).shown(h)
    assert found is None or steps.formula(found) == at_most(ZERO, OneTerm(steps, symbols, ()).term(h))
    return found is not None


def test_bounds_in_the_place_of_cases():
    assert shown(c * sympy.Max(x, y) - c * x, c >= 0)
    assert shown(sympy.Max(0, x) + sympy.Max(0, y) - sympy.Max(0, x + y))
    assert shown(sympy.Abs(x) - x) and shown(x - sympy.Min(x, y))
    assert not shown(c * sympy.Max(x, y) - c * x)
    assert not shown(sympy.Max(0, x + y) - sympy.Max(0, x))


def test_cases_where_no_bound_suffices():
    assert shown(2 * sympy.Abs(x) - sympy.Abs(x) - sympy.Max(x, -x))


def test_an_affine_term_between_its_ends():
    assert shown(1 + y - x * y, x >= 0, x <= 1, y >= -1, y <= 3)
    assert not shown(1 + y - 2 * x * y, x >= 0, x <= 1, y >= -1, y <= 3)


def test_cases_that_are_written_in_another_order():
    steps, at = Steps(), variable("at", "Z")
    names = {n: variable(n, "R") for n in "pqr"} | {"n": variable("n", "Z")}
    read = Reader(names, {"P": "Z>R"})
    claimed = read("sum(i, 1, n, ite(P(i) <= 0, 0, P(i) * log(r * P(i) + (1 - r) * q)))")
    ours = read("sum(i, 1, n, ite(P(i) <= 0, 0, log(P(i) * r + q * (1 - r)) * P(i)))")
    wrong = read("sum(i, 1, n, ite(P(i) <= 0, 0, log(P(i) * r + q * (2 - r)) * P(i)))")
    (step,) = sums_as_written(steps, at_most(ZERO, claimed), [wrong, ours], at)
    assert steps.formula(step).parts == (claimed, ours)
