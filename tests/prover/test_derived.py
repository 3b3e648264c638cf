"""Facts that documents derive: each says what its name says, under no more than its premises, for terms of every kind."""

from __future__ import annotations

import pytest

from dpbounds.kernel.notation import Reader, show
from dpbounds.kernel.terms import variable
from dpbounds.prover.rewriting.building import StepWriter

NAMES = {n: variable(n, "R") for n in "abcxyr"} | {n: variable(n, "Z") for n in "kn"}
READ = Reader(NAMES, {"f": "R>R"})
PAIRS = [
    ("a", "b"),
    ("1 + x", "2 + y**2"),
    ("f(a)", "b + f(b)"),
    ("exp(x)", "exp(y) + 1"),
    ("log(x)", "1"),
    ("x / y", "sum(i, 0, n, x**i)"),
]


@pytest.mark.parametrize("a, b", PAIRS)
def test_what_is_derived_has_its_formula_and_no_more_hypotheses(a: str, b: str) -> None:
    cases = {
        "larger": ([f"{a} <= {b}"], f"max({a}, {b}) == {b} and max({b}, {a}) == {b} and min({a}, {b}) == {a} and min({b}, {a}) == {a}"),
        "absolute": ([f"0 <= {a}"], f"abs({a}) == {a} and abs(-({a})) == {a}"),
        "maximum_least": ([f"{a} <= c", f"{b} <= c"], f"max({a}, {b}) <= c"),
        "minimum_greatest": ([f"c <= {a}", f"c <= {b}"], f"c <= min({a}, {b})"),
        "power_antitone": ([f"0 < {a}", f"{a} <= {b}", "r <= 0"], f"({b})**r <= ({a})**r"),
    }
    for order in ("<=", "<", "=="):
        both = [f"{a} {order} {b}"]
        cases |= {f"exp_monotone {order}": (both, f"exp({a}) {order} exp({b})")}
        cases |= {f"log_monotone {order}": ([*both, f"0 < {a}"], f"log({a}) {order} log({b})")}
    for name, (given, wanted) in cases.items():
        write = StepWriter(10**6)
        premises = write.hypotheses(map(READ, given))
        said = write.steps[write(name.split()[0], *premises)]
        assert show(said.formula) == show(READ(wanted)) and said.hypotheses <= set(map(READ, given)), name


def test_a_maximum_is_bounded_by_cases_and_its_parts_are_steps() -> None:
    write = StepWriter()
    both = write("maximum", left=READ("f(a)"), right=READ("b"))
    first = write("part", both, number=0)
    assert show(write.formula(first)) == "f(a) <= max(f(a), b)" and write.rows[first]["rule"] == "cases"
    assert not write.steps[both].hypotheses and len(write.formula(both).parts) == 5
