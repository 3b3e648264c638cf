"""Statements of sympy as formulas of the checker, for the programs that write documents."""

import mpmath
import pytest
import sympy
from sympy import Eq, Integral, Max, Piecewise, Sum, exp, log, oo

from dpbounds.kernel.notation import show
from dpbounds.language.functions import HockeyStick, NormalCDF, RenyiDivergence, RenyiMoment
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, index, nonnegative, positive, positive_integer, real
from dpbounds.language.typed.read_sympy import NotRead, Statements

x, y, s, lam = real("x"), nonnegative("y"), positive("s"), positive("lambda")
i, n, p, q = index("i"), positive_integer("n"), family("p"), family("q", "positive")
CASES = [
    (x <= y, "x <= y"),
    (x > y, "y < x"),
    (Eq(x, y), "x == y"),
    (sympy.Ne(x, y), "x != y"),
    (x / s <= sympy.Rational(2, 3), "x / s <= 2/3"),
    (x - y <= -1, "x - y <= -1"),
    (x**2 + x ** (-2) < exp(-x), "x**2 + 1 / x**2 < exp(-x)"),
    (sympy.sqrt(y) <= log(s), "y**(1/2) <= log(s)"),
    (NormalCDF(x) <= 1, "Phi(x) <= 1"),
    (sympy.erf(x) <= 1, "2 * Phi(2**(1/2) * x) - 1 <= 1"),
    (sympy.erfc(x) <= 1, "2 * Phi(-(2**(1/2) * x)) <= 1"),
    (sympy.cosh(x) <= 1, "1/2 * (exp(x) + exp(-x)) <= 1"),
    (sympy.sinh(x) <= 1, "1/2 * (exp(x) - exp(-x)) <= 1"),
    (sympy.tanh(x) <= 1, "(exp(x) - exp(-x)) / (exp(x) + exp(-x)) <= 1"),
    (Max(x, 0) <= abs(x), "max(0, x) <= abs(x)"),
    (Sum(p[i], (i, 1, n)) <= n, "sum(_0, 1, n, p(_0)) <= n"),
    (Eq(Integral(exp(-(x**2)), (x, -oo, oo)), 1, evaluate=False), "line(_0, exp(-_0**2)) == 1"),
    (Integral(x, (x, 0, s)) <= 1, "line(_0, ite(0 < _0 and _0 <= s, _0, 0)) <= 1"),
    (Integral(x, (x, y, oo)) <= 1, "line(_0, ite(y < _0, _0, 0)) <= 1"),
    (Integral(x, (x, -oo, y)) <= 1, "line(_0, ite(_0 <= y, _0, 0)) <= 1"),
    (Piecewise((x, x > 0), (0, True)) <= y, "ite(0 < x, x, 0) <= y"),
    (RenyiMoment(lam, p[i], q[i], (i, 1, n)) <= 1, "sum(_0, 1, n, p(_0)**lam * q(_0)**(1 - lam)) <= 1"),
    (RenyiDivergence(lam, p[i], q[i], (i, 1, n)) <= 1, "log(sum(_0, 1, n, p(_0)**lam * q(_0)**(1 - lam))) / (lam - 1) <= 1"),
    (HockeyStick(x, p[i], q[i], (i, 1, n)) <= 1, "sum(_0, 1, n, max(p(_0) - (exp(x) * q(_0)), 0)) <= 1"),
    (sympy.Function("kappa", real=True)(s) <= 1, "kappa(s) <= 1"),
    (ForAll(i, (i <= n) & (i > 2), p[i] <= 1), "allZ(_0, imp(_0 <= n, imp(2 < _0, p(_0) <= 1)))"),
    (ForAll(i, i <= n, p[i] <= 1), "allZ(_0, imp(1 <= _0, imp(_0 <= n, p(_0) <= 1)))"),
]


@pytest.mark.parametrize(("statement", "text"), CASES)
def test_formulas(statement: object, text: str) -> None:
    assert show(Statements().formula(statement)) == text


@pytest.mark.parametrize("value", [-2.5, -0.3, 0.0, 0.7, 3.0])
def test_the_functions_of_the_normal_law_and_of_hyperbolas_are_what_they_are_read_as(value: float) -> None:
    t, phi = mpmath.mpf(value), mpmath.ncdf
    root = mpmath.sqrt(2)
    assert mpmath.almosteq(mpmath.erf(t), 2 * phi(root * t) - 1, abs_eps=1e-14)
    assert mpmath.almosteq(mpmath.erfc(t), 2 * phi(-(root * t)), abs_eps=1e-14)
    up, down = mpmath.exp(t), mpmath.exp(-t)
    assert mpmath.almosteq(mpmath.cosh(t), (up + down) / 2) and mpmath.almosteq(mpmath.sinh(t), (up - down) / 2, abs_eps=1e-14)
    assert mpmath.almosteq(mpmath.tanh(t), (up - down) / (up + down), abs_eps=1e-14)


def test_what_symbols_assume_becomes_a_condition() -> None:
    read = Statements()
    read.formula(x + y + s + n + p[1] + q[1] < 0)
    found = map(show, read.signs())
    family_signs = ["allZ(_0, imp(1 <= _0, 0 <= p(_0)))", "allZ(_0, imp(1 <= _0, 0 < q(_0)))"]
    assert sorted(found) == sorted(["0 <= y", "0 < s", "1 <= n", *family_signs])


def test_an_unknown_function_assumes_nothing_but_real_values() -> None:
    read = Statements()
    kappa = sympy.Function("kappa", real=True)
    read.formula(kappa(x) + sympy.Function("kappa_", real=True)(x, y) <= 0)
    assert sorted(signature for _, signature in read.typed.families.values()) == ["R>R", "RR>R"]
    assert len({name for name, _ in read.typed.families.values()}) == 2
    assert list(map(show, read.signs())) == ["0 <= y"]
    for traits in ({"positive": True}, {"integer": True}):
        with pytest.raises(NotRead):
            Statements().formula(sympy.Eq(sympy.Function("f", **traits)(x), 0))


def test_symbols_of_one_name_are_kept_apart() -> None:
    read = Statements()
    assert show(read.formula(real("x") <= positive("x"))) == "x <= x1"


@pytest.mark.parametrize("statement", [sympy.zeta(x) <= 1, sympy.erfi(x) <= 1])
def test_what_has_no_formula_is_said(statement: object) -> None:
    with pytest.raises(NotRead):
        Statements().formula(statement)


HALF = sympy.Symbol("h", rational=True)
OTHER_RANGES = [
    ForAll(HALF, True, sympy.Ne(HALF**2, 2)),
    ForAll(sympy.Symbol("e", even=True), True, x < 0),
    ForAll(sympy.Symbol("o", zero=True), True, x < 0),
    Eq(Integral(x, x), y),
    Eq(Integral(x, (x, oo, -oo)), y),
]


@pytest.mark.parametrize("statement", OTHER_RANGES)
def test_a_symbol_that_ranges_over_other_numbers_has_no_formula(statement: object) -> None:
    with pytest.raises(NotRead):
        Statements().formula(statement)
