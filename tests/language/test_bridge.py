"""Terms to sympy and back: relations are never decided, nothing is lost, and sympy never gets hold of a term by itself."""

import pytest
import sympy

from dpbounds.errors import LanguageError
from dpbounds.language.functions import HockeyStick, NormalCDF, Supremum
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.typed.bridge import from_sympy, name_from_sympy, named_to_sympy, to_sympy
from dpbounds.logic.ranges import for_all
from dpbounds.logic.terms import Family, Function, Term, TermError, binder, node, number, variable

X, Y = variable("x"), variable("y")
POSITIVE = variable("t", "R", ["positive"])
K, N = variable("i", "Z", ["positive"]), variable("n", "Z")
x, y = sympy.symbols("x y", real=True)
i, n = sympy.Symbol("i", integer=True, positive=True), sympy.Symbol("n", integer=True)


def test_relations_are_not_decided() -> None:
    assert to_sympy(POSITIVE > 0).args == (sympy.Symbol("t", positive=True), 0)
    assert to_sympy(X <= X) == sympy.Le(x, x, evaluate=False)
    assert to_sympy(node("=", number(1), number(2))) == sympy.Eq(1, 2, evaluate=False)
    both = to_sympy(node("And", number(1) <= number(2), X < 0))
    assert isinstance(both, sympy.And) and len(both.args) == 2


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (X - Y / 2, x - y / 2),
        (number(1, 3) ** X, sympy.Rational(1, 3) ** x),
        (-X * Y / (X + 1), -x * y / (x + 1)),
        (node("sqrt", X**2), sympy.sqrt(x**2)),
        (node("NormalCDF", X), NormalCDF(x)),
        (
            binder("Sum", K, [number(1), N], K**2),
            sympy.Sum(
                sympy.Symbol("i", integer=True, positive=True) ** 2,
                (sympy.Symbol("i", integer=True, positive=True), 1, sympy.Symbol("n", integer=True)),
            ),
        ),
        (-node("oo"), -sympy.oo),
        (node("Piecewise", X, X > 0, number(0), node("true")), sympy.Piecewise((x, x > 0), (0, True))),
        (node("Tuple", X, 1 - X), sympy.Tuple(x, 1 - x)),
        (node("Max", X, number(0)), sympy.Max(x, 0)),
        (node("Mod", N, number(2)), sympy.Mod(n, 2)),
        (Family("p", "R", ("positive",))[N], sympy.IndexedBase("p", real=True, positive=True)[n]),
        (Function("kappa")(X), sympy.Function("kappa", real=True)(x)),
    ],
)
def test_expressions_are_what_sympy_would_have_built(typed: Term, expected: object) -> None:
    assert to_sympy(typed) == expected


def test_binders_keep_their_ranges_and_names() -> None:
    supremum = to_sympy(binder("Supremum", X, [number(0), Y], X * Y))
    assert supremum == Supremum(x * y, (x, 0, y))
    stick = to_sympy(binder("HockeyStick", X, [-node("oo"), node("oo"), Y], X, X**2))
    assert stick == HockeyStick(y, x, x**2, (x, -sympy.oo, sympy.oo))
    nested = to_sympy(binder("Sum", N, [number(1), number(3)], binder("Sum", K, [number(1), N], K)))
    assert len(nested.limits) == 2
    clash = to_sympy(binder("Sum", K, [number(1), N], X * K).subs(X, K))  # a free i beside a bound one
    assert {str(s) for s in clash.free_symbols} == {"i", "n"} and str(clash.limits[0][0]) == "i_1"


def test_the_declared_sign_of_a_variable_of_for_all_is_in_its_condition() -> None:
    found = for_all(POSITIVE, node("true"), POSITIVE <= X)
    assert str(found) == "ForAll(t, t > 0, t <= x)"
    assert to_sympy(found) == ForAll(sympy.Symbol("t", positive=True), sympy.true, sympy.Symbol("t", positive=True) <= x)
    assert for_all(POSITIVE, POSITIVE > 0, POSITIVE <= X) == found
    assert from_sympy(to_sympy(found)) == found


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        (x - 1, "x - 1"),
        (x / y, "x/y"),
        (-x / (2 * y), "-1/2*x/y"),
        (1 / sympy.sqrt(y), "1/sqrt(y)"),
        (x**-2, "1/x**2"),
        (sympy.Eq(x, y), "Eq(x, y)"),
        (sympy.Sum(x, (sympy.Symbol("k", integer=True), 0, sympy.oo)), "Sum(x, (k, 0, oo))"),
        (sympy.And(x < 1, y > 0), "And(y > 0, x < 1)"),
        (sympy.Lambda((x, y), x + y), "Lambda(x, Lambda(y, x + y))"),
        (sympy.Add(y, -y, evaluate=False), "-y + y"),
    ],
)
def test_what_is_read_is_said(expression: object, shown: str) -> None:
    said: list[str] = []
    found = from_sympy(expression, echo=said.append)
    assert said == [str(found)]
    assert shown == str(found)


def test_what_has_no_term_is_refused() -> None:
    own = type("log", (sympy.Function,), {"__module__": "claims_of_mine"})  # called as a function of the notation is
    for strange in (sympy.Symbol("p", prime=True), sympy.zeta(x), sympy.Integral(x, x), sympy.I * x, own(x)):
        with pytest.raises(TermError):
            from_sympy(strange)
    with pytest.raises(TermError, match=r"Rational\(1, 2\)"):
        from_sympy(x * 0.5)


def test_the_facts_of_symbols_are_kept() -> None:
    for facts in (
        {"positive": True},
        {"integer": True, "nonnegative": True},
        {"even": True},
        {"odd": True},
        {"odd": True, "positive": True},
    ):
        symbol = sympy.Symbol("n", **facts)
        assert to_sympy(from_sympy(symbol)) == symbol
    base = sympy.IndexedBase("N", integer=True, positive=True)
    assert named_to_sympy(name_from_sympy(base)).assumptions0 == base.assumptions0


def test_operators_of_terms_win_on_either_side() -> None:
    assert x * Y == X * Y and Y * x == Y * X and x - Y == X - Y
    assert (x <= Y) == (Y >= X) and (x >= Y) == (Y <= X)


def test_no_term_is_equal_to_an_expression() -> None:
    assert (x == X) is False and (x == X) is False and x != X and X not in {x: 1}


def test_sympy_does_not_take_terms_by_itself() -> None:
    with pytest.raises(sympy.SympifyError, match="to_sympy"):
        sympy.sympify(X)
    with pytest.raises(sympy.SympifyError, match="to_sympy"):
        sympy.exp(X)


def test_points_and_lists_are_read_part_by_part() -> None:
    assert to_sympy({X: (1, Y), Family("p"): [X]}) == {x: (1, y), sympy.IndexedBase("p", real=True): [x]}
    assert to_sympy("remove") == "remove" and to_sympy(None) is None


@pytest.mark.parametrize("huge", [
    number(3, 2) ** number(10**9), number(7) ** number(-(10**8)), node("factorial", number(10**8)), node("gamma", number(10**8)),
    number(10) ** number(3000) * number(10) ** number(3000),
])  # fmt: skip
def test_a_number_that_would_take_long_is_refused(huge: Term) -> None:
    """sympy computes it in one step, which no budget interrupts."""
    with pytest.raises(LanguageError, match="too long to compute"):
        to_sympy(huge >= X)


@pytest.mark.parametrize(
    "large", [number(3, 2) ** number(5000), number(1) ** number(10**9), number(2) ** number(1, 10**9), node("exp", number(10**5))]
)
def test_a_number_that_takes_a_moment_is_not_refused(large: Term) -> None:
    assert to_sympy(large >= X).rhs == sympy.Symbol("x", real=True)
