"""Each limit on the work of the checker, at the last value that is allowed and at the first that is not."""

import sys
from fractions import Fraction

import pytest

from dpbounds.kernel import definedness
from dpbounds.kernel.definedness import obligations
from dpbounds.kernel.notation import Reader, show
from dpbounds.kernel.polynomials import Budget, add, atom, constant, multiply, power
from dpbounds.kernel.terms import Refused, bound, node, number, variable
from dpbounds.kernel.terms import power as power_of

X = variable("x", "R")
READ = Reader({"x": X, "a": variable("a", "R"), "n": variable("n", "Z")}, {"p": "Z>R"})
SUM = add(atom("x"), constant(1))


def refused(told: str, what: object, *given: object) -> None:
    """A call is refused with this message."""
    with pytest.raises(Refused) as why:
        what(*given)  # type: ignore[operator]
    assert str(why.value) == told


def test_work() -> None:
    budget = Budget(3)
    budget.spend(3)
    refused("too much work", budget.spend, 1)


def test_numbers_that_grow() -> None:
    long = "a number is too long"
    assert multiply(constant(2**10_000), constant(2**9_999), Budget())
    refused(long, multiply, constant(2**10_000), constant(2**10_000), Budget())
    assert power(constant(7), 6_666, Budget())  # at three bits each
    refused(long, power, constant(7), 6_667, Budget())
    assert power(constant(1), 10_000, Budget())  # at least two bits
    refused(long, power, constant(1), 10_001, Budget())


def test_powers_of_sums() -> None:
    assert len(power(SUM, 64, Budget())) == 65
    refused("a sum is raised to too large a power", power, SUM, 65, Budget())


@pytest.mark.parametrize(
    ("statement", "nodes"), [("allR(_0, 1/_0 <= a)", 4), ("allR(_0, allR(_1, 1/_0 <= a))", 5), ("sum(_0, 1, n, p(_0)) <= a", 5)]
)
def test_formulas_that_say_what_is_defined(statement: str, nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definedness, "NODES", nodes)
    assert obligations(READ(statement))
    monkeypatch.setattr(definedness, "NODES", nodes - 1)
    refused("too much must be shown to be defined", obligations, READ(statement))


def test_texts() -> None:
    assert READ("x" + " " * 39_999) == X
    refused("a term is a text of ASCII characters", READ, "x" + " " * 100_000)
    refused("a term is a text of ASCII characters", READ, "é")
    refused("a term is a text of ASCII characters", READ, 5)
    assert READ("-" * 150 + "1") == number(1)
    refused("nested too deeply", READ, "-" * 151 + "1")
    assert READ(str(2**4096 - 1)) == number(2**4096 - 1)
    refused("not in the notation: Constant", READ, str(2**4096))
    refused("not in the notation: Constant", READ, "True")


def test_terms() -> None:
    large = "a term is too large or nested too deeply"
    deep = X
    for _ in range(149):
        deep = node("exp", deep)
    refused(large, node, "exp", deep)
    trees = [X] * 10_000
    while len(trees) > 1:
        trees = [node("+", *pair) if len(pair) == 2 else pair[0] for pair in (trees[k : k + 2] for k in range(0, len(trees), 2))]
    whole = node("exp", trees[0])
    assert whole.size == 20_000
    refused(large, node, "exp", whole)


@pytest.mark.parametrize(("text", "told"), [
    ("exp(x, x)", "exp takes 1 arguments"), ("max(x)", "max takes 2 arguments"), ("imp(x < a)", "imp takes 2 arguments"),
    ("sum(_0, 1, n)", "sum takes 4 arguments"), ("allR(_0)", "allR takes 2 arguments"), ("allQ(_0, x < a)", "unknown function allQ"),
    ("all(_0, x < a)", "unknown function all"), ("q(x)", "unknown function q"), ("line(5, x)", "a bound variable is a name"),
    ("line(x, x)", "x is bound and already has a meaning"), ("b", "the name b is not declared"),
])  # fmt: skip
def test_calls(text: str, told: str) -> None:
    refused(told, READ, text)


@pytest.mark.parametrize("text", [
    "x - a", "x + 2 * a", "x + -1", "-x", "-1 * 2", "-(-2)", "-1 * (2 * x)", "x / a", "2 * 3**(-1)", "2 / x", "x * (2/3)", "2/3 / x",
    "x / 3", "-2/3", "x**2", "x**(-2)", "x**0", "x**a", "x**(1/2)", "x**(-1/2)", "x - -2",
])  # fmt: skip
def test_a_term_is_shown_as_it_is_read(text: str) -> None:
    assert READ(show(READ(text))) == READ(text)


def test_how_terms_are_shown() -> None:
    minus_one, two = number(-1), number(2)
    shown = {
        node("+", X, node("*", minus_one, X)): "x - x",
        node("+", X, node("*", two, X)): "x + 2 * x",
        node("*", minus_one, X): "-x",
        node("*", minus_one, two): "(-1) * 2",
        node("*", two, X): "2 * x",
        node("*", X, power_of(X, -1)): "x / x",
        node("*", X, power_of(X, -2)): "x * x**(-2)",
        node("*", two, power_of(number(3), -1)): "2 * 3**(-1)",
        node("*", two, power_of(number(0), -1)): "2 / 0",
        node("*", X, power_of(number(3), -1)): "x / 3",
        power_of(X, 0): "x**0",
        number("2/3"): "2/3",
        node("+", X, number("2/3")): "x + 2/3",
        node("+", X, number(-2)): "x + (-2)",
        node("*", X, number("2/3")): "x * (2/3)",
        node("pow", X, number("1/2")): "x**(1/2)",
        node("pow", X, number(2)): "pow(x, 2)",
    }
    for term, text in shown.items():
        assert show(term) == text
    assert show(READ("p(n)")) == "p(n)" and show(bound(0, "R")) == "?0" and show(READ("imp(x < a, a < x)")) == "imp(x < a, a < x)"
    assert READ("x > a") == READ("a < x") and READ("x >= a") == READ("a <= x")


def test_terms_that_cancel_leave_nothing() -> None:
    x, y = atom("x"), atom("y")
    product = multiply(add(x, y), add(x, y, -1), Budget())
    assert product == add(power(x, 2, Budget()), power(y, 2, Budget()), -1) and len(product) == 2
    assert power(x, 0, Budget()) == constant(1) and not add(x, x, -1)


def test_numbers_with_one_hash_are_not_compared_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    compared, equal = [], Fraction.__eq__
    read = Reader({"x": variable("x", "R")}, {})
    monkeypatch.setattr(Fraction, "__eq__", lambda a, b: (compared.append(a), equal(a, b))[1])
    terms = {read(f"x + {7 + k * sys.hash_info.modulus}") for k in range(300)}
    assert len(terms) == 300 and len(compared) < 3000
