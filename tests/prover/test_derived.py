"""Facts that documents derive: each says what its name says, under no more than its premises, for terms of every kind."""

import pytest

from dpbounds.kernel.notation import Reader, show
from dpbounds.kernel.sequents import Sequent
from dpbounds.kernel.terms import Refused, variable
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
    cases["power_of_zero"] = [f"0 < {a}"], f"0**({a}) == 0"
    for order in ("<=", "<", "=="):
        both = [f"{a} {order} {b}"]
        cases |= {f"exp_monotone {order}": (both, f"exp({a}) {order} exp({b})")}
        cases |= {f"log_monotone {order}": ([*both, f"0 < {a}"], f"log({a}) {order} log({b})")}
    for name, (given, wanted) in cases.items():
        write = StepWriter(10**6)
        premises = write.hypotheses(map(READ, given))
        said = write.steps[write(name.split()[0], *premises)]
        assert show(said.formula) == show(READ(wanted)) and said.hypotheses <= set(map(READ, given)), name


def test_hypotheses_are_cut_by_what_shows_them() -> None:
    write = StepWriter()
    first, second, third = write.hypotheses(map(READ, ("a < b", "b < c", "c < x")))
    whole = write("linear", first, second, formula=READ("a < c"), multipliers=[READ("1")] * 2)
    shown = write("linear", third, second, formula=READ("b < c"), multipliers=[READ("0"), READ("1")])
    said = write.steps[write("cut", whole, shown, third)]
    assert show(said.formula) == "a < c" and said.hypotheses == set(map(READ, ("a < b", "b < c", "c < x")))
    assert write("cut", whole, third) == whole


TERMS = ["f(a) + a**2", "sum(i, 0, n, a**i)", "sum(i, k, n, exp(a)) * log(a)", "max(same0, a)", "ite(a < x, a, x)", "n"]


@pytest.mark.parametrize("term", TERMS)
def test_equal_terms_may_be_exchanged_in_a_term(term: str) -> None:
    write = StepWriter()
    read = Reader({**NAMES, "same0": variable("same0", "R")}, {"f": "R>R"})
    same = write("ring", *write.hypotheses([read("a == y")]), formula=read("a == y"))
    said = write.steps[write("congruence", same, term=read(term))]
    moved = term.replace("max(same0, a)", "max(same0, y)").replace("a**", "y**").replace("(a)", "(y)").replace("(a < x, a,", "(y < x, y,")
    assert show(said.formula) == show(read(f"{term} == {moved}")) and said.hypotheses == {read("a == y")}


@pytest.mark.parametrize("total", ["sum(i, n, n, f(i) * i)", "sum(i, 3, 3, f(i))", "sum(i, n + k, n + k, sum(j, 0, i, x**j))"])
def test_a_sum_of_one_term_is_that_term(total: str) -> None:
    write = StepWriter()
    said = write.steps[write("sum_single", total=READ(total))]
    term = {"sum(i, n, n, f(i) * i)": "f(n) * n", "sum(i, 3, 3, f(i))": "f(3)"}.get(total, "sum(j, 0, n + k, x**j)")
    assert show(said.formula) == show(READ(f"{total} == {term}")) and not said.hypotheses
    with pytest.raises(Refused):
        write("sum_single", total=READ("sum(i, n, n + 1, f(i))"))


IN, INSIDE = ["a <= x", "x <= b"], ["a < x", "x < b"]
POINTS = ["a <= c", "c <= b", "a <= y", "y <= b"]
VALLEY = [(IN, "deriv(_0, x, g(x), f(_0))"), (IN + INSIDE, "0 <= g(x) * (x - c)"), *(([], end) for end in POINTS)]
OTHER = [
    (0, IN + INSIDE, "deriv(_0, x, g(x), f(_0))"),
    (0, IN, "deriv(_0, y, g(x), f(_0))"),
    (1, IN, "0 <= g(x) * (x - y)"),
    (1, IN, "r <= g(x) * (x - c)"),
    (1, [*IN, "r <= x"], "0 <= g(x) * (x - c)"),
    (2, [], "r <= c"),
    (5, [], "y <= r"),
]


def valley_of(given: list[tuple[list[str], str]]) -> tuple[StepWriter, int]:
    """The step that a minimum at c gives from premises under hypotheses."""
    read = Reader(NAMES, {"f": "R>R", "g": "R>R"})
    write = StepWriter()
    for under, text in given:
        write.rows.append({"rule": "hypothesis"})
        write.steps.append(Sequent(frozenset(map(read, under)), read(text)))
        write._used.append(set())
    at = {"variable": read("x"), "low": read("a"), "high": read("b"), "at": read("c"), "to": read("y")}
    return write, write("valley", *range(len(given)), **at)


def test_a_function_is_least_where_its_slope_changes_sign() -> None:
    write, step = valley_of(VALLEY)
    assert show(write.formula(step)) == "f(c) <= f(y)" and not write.steps[step].hypotheses


@pytest.mark.parametrize("k, under, text", OTHER)
def test_other_premises_do_not_show_a_minimum(k: int, under: list[str], text: str) -> None:
    with pytest.raises(Refused):
        valley_of([*VALLEY[:k], (under, text), *VALLEY[k + 1 :]])


def test_a_maximum_is_bounded_by_cases_and_its_parts_are_steps() -> None:
    write = StepWriter()
    both = write("maximum", left=READ("f(a)"), right=READ("b"))
    first = write("part", both, number=0)
    assert show(write.formula(first)) == "f(a) <= max(f(a), b)" and write.rows[first]["rule"] == "cases"
    assert not write.steps[both].hypotheses and len(write.formula(both).parts) == 5
