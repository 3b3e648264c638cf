"""Identities: a table, a second implementation that shares no code, and a fuzz of one against the other."""

import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

from dpbounds.kernel.notation import Reader, show
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.ring import NONNEGATIVE, NONZERO, POSITIVE, Ring
from dpbounds.kernel.terms import Refused, Term, bound, minus, variable

NAMES = {n: variable(n, "R") for n in ["a", "b", "c", "x", "y", "z", "s", "m", "lam"]} | {n: variable(n, "Z") for n in ["i", "j", "k", "n"]}
FOLDER = Path(__file__).parents[2]
READ = Reader(NAMES, {"p": "Z>R", "q": "Z>R", "w": "ZZ>R", "f": "R>R"})


def holds(goal: str, *premises: str) -> bool:
    """Whether ring accepts an equation under premises."""
    return Ring([READ(p) for p in premises], Budget()).zero(minus(*READ(goal).parts))


FAMILY = "allZ(_0, imp(1 <= _0, 0 < q(_0)))"
ROWS = "allZ(_0, imp(1 <= _0, allZ(_1, imp(1 <= _1, 0 < w(_0, _1)))))"
SUMS = "allZ(_0, imp(1 <= _0, 0 < sum(_1,1,_0,p(_1))))"
EMPTY = ["k <= n + 1", "allZ(_0, imp(k <= _0, imp(_0 <= n, 0 < c)))"]
"""c is positive if there is a number from k to n, and there may be none."""
ROWS_IF_ANY = "allZ(_0, imp(k <= _0, imp(_0 <= n, allZ(_1, imp(1 <= _1, 0 < q(_1))))))"
TRUE = [
    ("(a + b)**2 == a**2 + 2*a*b + b**2",),
    ("x / x == 1", "x != 0"),
    ("(a + b) / (a + b) == 1", "a + b != 0"),
    ("1 / (a*b) == 1/a * (1/b)",),
    ("1 / (1 / x) == x",),
    ("1 / (a + 1) - 1 / (a + 2) == 1 / ((a + 1) * (a + 2))", "0 < a"),
    ("x**lam * x**(1 - lam) == x", "0 < x"),
    ("(x*y)**lam == x**lam * y**lam", "0 <= x", "0 <= y"),
    ("exp(log(x) * 2) == x**2", "0 < x"),
    ("log(x**2 * y) == 2*log(x) + log(y)", "0 < x", "0 < y"),
    ("log(1 / (x + 1)) == -log(x + 1)", "0 < x"),
    ("exp((lam - 1) * (a + b)) == exp(lam*a) * exp(lam*b) / exp(a) / exp(b)",),
    ("2**(1/2) * 2**(1/2) == 2",),
    ("(a + b)**(1/2) * (a + b)**(1/2) == a + b", "0 < a + b"),
    ("(1 / (a + 1))**(1/2) * (1 / (a + 1))**(1/2) == 1 / (a + 1)", "0 < a"),
    ("(x**2)**(1/2) == x", "0 <= x"),
    ("1 / (x*y)**(1/2) == 1 / x**(1/2) * (1 / y**(1/2))", "0 <= x", "0 <= y"),
    ("(x**6)**(1/3) == x**2", "0 <= x"),
    ("(x**2 * y**4)**(1/2) == x * y**2", "0 <= x", "0 <= y"),
    ("log(6) == log(2) + log(3)",),
    ("log(2*a + 2*b) == log(2) + log(a + b)", "0 < a", "0 < b"),
    ("sum(_0,1,n,a*p(_0) + b*q(_0)) == a*sum(_0,1,n,p(_0)) + b*sum(_0,1,n,q(_0))",),
    ("sum(_0,1,n,q(_0) / q(_0)) == sum(_0,1,n,1)", FAMILY),
    ("sum(_0,2,n,q(_0) / q(_0)) == sum(_0,2,n,1)", FAMILY),
    ("sum(_0,1,n,sum(_1,1,k,w(_0,_1) / w(_0,_1))) == sum(_0,1,n,sum(_1,1,k,1))", ROWS),
    ("sum(_0,1,n,sum(_1,1,k,w(_1,_0) / w(_1,_0))) == sum(_0,1,n,sum(_1,1,k,1))", ROWS),
    ("sum(_0,1,n,p(_0)**lam * q(_0)**(1 - lam)) == sum(_0,1,n,q(_0))", "allZ(_0, imp(_0 <= n, p(_0) == q(_0)))", FAMILY),
    ("line(_0, 3*exp(-_0**2)) == 3*line(_0, exp(-_0**2))",),
    ("sum(_0,1,n,p(_0)) * y == y", "sum(_0,1,n,p(_0)) == 1"),
    ("sum(_0,1,n,sum(_1,1,_0,w(_1,_0))) == sum(_1,1,n,sum(_0,1,_1,w(_0,_1)))",),
    ("abs(x - y) * 2 == abs(x + 0 - y) + abs(-y + x)",),
    ("sum(_0,1,n,p(_0)) == 3/2/x", "x != 0", "2*x*sum(_0,1,n,p(_0)) == 3"),
    ("y == 2", "3*y == 6"),
    ("(sum(_0,1,n,q(_0))*x)**lam == sum(_0,1,n,q(_0))**lam * x**lam", "0 < x", FAMILY),
    ("sum(_0,1,n,q(_0)) / sum(_0,1,n,q(_0)) == 1", "1 <= n", FAMILY),
    ("max(x*a, x*b) == x*max(b, a)", "0 < x"),
    ("max(1, 1/x) == max(x, 1)/x", "0 < x"),
    ("max(x, y) == y", "x <= y"),
    ("min(x, y) == x", "x <= y"),
    ("max(a - y, 0) == 0", "a <= y"),
    ("max(exp(x), 1) == exp(x)", "0 <= x"),
    ("abs(x) == x", "0 <= x"),
    ("abs(x) == -x", "x <= 0"),
    ("max(x, x) == x",),
    ("log(1 + 1/x) == log(x + 1) - log(x)", "0 < x"),
    ("(1 + 1/x)**lam == (x + 1)**lam / x**lam", "0 < x"),
    ("exp((x*y - y)/(x - 1)) == exp(y)", "x != 1"),
    ("exp((x**2 - 1)*y/(x - 1)) == exp(y)*exp(x*y)", "x != 1"),
    ("exp(log(1/x)**(1/2) * log(1/x)**(1/2)) == 1/x", "0 < x", "x < 1"),
    ("line(_0, 1) == line(_0, 1/2 + 1/2)",),
    ("sum(_0,1,n,1) == n", "0 <= n"),
    ("sum(_0,k,n,a + p(_0)) == a*(n - k + 1) + sum(_0,k,n,p(_0))", "k <= n + 1"),
    ("sum(_0,1,n,sum(_1,1,_0,1)) == sum(_0,1,n,_0)",),
    ("sum(_0,1,3,p(_0)) == p(1) + p(2) + p(3)",),
    ("sum(_0,2,1,p(_0)) == 0",),
    ("sum(_0,3,1,p(_0)) == 0",),
    ("min(x*a, x*b)/x == min(a, b)", "0 < x"),
    ("abs(x*a) == x*abs(a)", "0 < x"),
    ("((1 - a)*x)**lam == (1 - a)**lam * x**lam", "0 < x", "a <= 1"),
    ("x == 2", "y == 2", "x == y"),
    ("sum(_0,1,n,p(_0)) == 3/2/x", "2*x*sum(_0,1,n,p(_0)) == 3", "x != 0"),
    ("sum(_0,1,n,c*q(_0)) == c*sum(_0,1,n,q(_0))", "allZ(_0, imp(1 <= _0, c == p(_0)))"),
    ("1 / ((a + b)*c) == 1/(a + b) * (1/c)",),
    ("1 / (a + b)**2 == (1/(a + b))**2",),
    ("1 / (x - x) == 0",),
    ("ite(x < y, a, b) + 1 == 1 + ite(x < y, a, b)",),
    ("y*exp(100*log(1 + exp(x))) == exp(100*log(1 + exp(x)))*y",),
    ("exp(64*log(1 + exp(x))) == (1 + exp(x))**64",),
    ("exp(100*log(x)) == x**100", "0 < x"),
    ("x**(y - y) == 1",),
    ("x**(k - k + 2) == x*x",),
    ("x**(k - k + 20000)*y == y*x**(k - k + 20000)",),
    (f"sum(_0,1,16,p(_0)) == {' + '.join(f'p({i})' for i in range(1, 17))}",),
    ("sum(_0,1,n,sum(_1,1,_0,p(_1))/sum(_1,1,_0,p(_1))) == n", "0 <= n", SUMS),
    ("sum(_0,1,n,sum(_1,1,k,w(_0,_1) / w(_0,_1))) == sum(_0,1,n,sum(_1,1,k,1))", "allZ(_0, allZ(_1, 0 < w(_0, _1)))"),
    ("sum(_0,1,n,2*ite(p(_0) <= a, b, 0)) == 2*sum(_0,1,n,ite(p(_0) <= a, b, 0))",),
    ("x / x == 1", "x != 0 and y != 0"),
    ("1 / z == x + y", "z == 1 / (x + y)"),
    ("x**(k - k - 2) == 1 / x**2",),
    ("sum(_0,1,n,p(_0)) == 3/f(y)", "f(y) != 0", "sum(_0,1,n,p(_0))*f(y) == 3"),
    ("sum(_0,1,n,p(_0)*sum(_1,1,n,p(_1))) == sum(_0,1,n,p(_0))**2",),
    ("sup(_0,0,1,inf(_1,0,a,f(_0)*f(_1))) == sup(_1,0,1,inf(_0,0,a,f(_1)*f(_0)))",),
]
FALSE = [
    ("x / x == 1",),
    ("x / x == 1", "0 <= x"),
    ("x**lam * x**(1 - lam) == x", "0 <= x"),
    ("(x*y)**lam == x**lam * y**lam", "0 < x*y"),
    ("log(x*y) == log(x) + log(y)", "0 < x*y"),
    ("log(x**2) == 2*log(x)", "x != 0"),
    ("exp(log(x)) == x", "0 <= x"),
    ("(x**2)**(1/2) == x",),
    ("(x**2)**(1/2) == x", "x != 0"),
    ("x**(1/2) * x**(1/2) == x",),
    ("(x**2)**(1/2) == x**2", "0 <= x"),
    ("(x**2)**(3/4) == x", "0 <= x"),
    ("(x**2)**(-1/2) * x == 1", "0 <= x"),
    ("sum(_0,0,n,q(_0) / q(_0)) == sum(_0,0,n,1)", FAMILY),
    ("sum(_0,1,n,q(_0))**2 == sum(_0,1,n,q(_0)**2)",),
    ("sum(_0,1,n,sum(_1,1,k,w(_0,_1))) == sum(_0,1,n,sum(_1,1,k,w(_1,_0)))",),
    ("sum(_0,1,n,sum(_1,1,k,p(_0))) == sum(_0,1,n,sum(_1,1,k,p(_1)))",),
    ("sum(_0,0,n,sum(_1,1,k,w(_1,_0) / w(_1,_0))) == sum(_0,0,n,sum(_1,1,k,1))", ROWS),
    ("sum(_0,1,n,sum(_1,0,k,w(_1,_0) / w(_1,_0))) == sum(_0,1,n,sum(_1,0,k,1))", ROWS),
    ("c / c == 1", "allZ(_0, imp(1 <= _0, imp(_0 <= n, c != 0)))"),
    ("sum(_0,1,n,1) * c / c == sum(_0,1,n,1) * c * (1/c) * c / c + 1", "allZ(_0, imp(1 <= _0, imp(_0 <= n, c != 0)))"),
    ("line(_0, exp(-_0**2) + f(_0)) == line(_0, exp(-_0**2)) + line(_0, f(_0))",),
    ("2**(1/2) * 3**(1/2) == 5**(1/2)",),
    ("1 / (a + 1) == 1 / (a + 2)", "0 < a"),
    ("a*a**(-1) + 1 == 2",),
    ("f(x) == f(y)",),
    ("x == 2", "x <= 2"),
    ("sum(_0,1,n,q(_0)) / sum(_0,1,n,q(_0)) == 1", FAMILY),
    ("sum(_0,0,n,q(_0)) / sum(_0,0,n,q(_0)) == 1", "1 <= n", FAMILY),
    ("line(_0,exp(_0)) / line(_0,exp(_0)) == 1",),
    ("(sum(_0,1,n,p(_0))*x)**lam == sum(_0,1,n,p(_0))**lam * x**lam", "0 < x"),
    ("sum(_0,1,n,p(_0)) == 3/x", "x*sum(_0,1,n,p(_0)) == 3*x/x"),
    ("x == 2", "0*x == 0"),
    ("x == 2", "x*y == 2*y"),
    ("sum(_0,1,n,1) == n",),
    ("sum(_0,1,n,1) == n", "0 <= n + 1"),
    ("sum(_0,-1,n,sum(_1,1,_0,1)) == sum(_0,-1,n,_0)",),
    ("sum(_0,3,1,p(_0)) == -p(2)",),
    ("sum(_0,1,3,p(_0)) == p(1) + p(2)",),
    ("max(x, y) == y",),
    ("max(x, y) == y", "y <= x"),
    ("min(x, y) == x", "y <= x"),
    ("abs(x) == x", "x <= 0"),
    ("abs(x) == x",),
    ("exp((x*y - y)/(x - 1)) == exp(y)", "x - 2 != 0"),
    ("exp((x*y - z)/(x - 1)) == exp(y)", "x != 1"),
    ("log(1 + 1/x) == log(x + 1) - log(x)", "0 <= x"),
    ("log(1 + 1/x) == log(x + 1) - log(x)", "x < 0"),
    ("(1 + 1/x)**lam == (x + 1)**lam / x**lam",),
    ("max(x*a, x*b) == x*max(b, a)", "x != 0"),
    ("max(x, y) == min(x, y)",),
    ("max(x, x*y) == x*max(1, y)", "x <= 0"),
    ("abs(x*a) == x*abs(a)", "x <= 0"),
    ("((1 - a)*x)**lam == (1 - a)**lam * x**lam", "x < 0", "a <= 1"),
    ("((1 - a)*x)**lam == (1 - a)**lam * x**lam", "0 < (1 - a)*x"),
    ("sup(_0,0,1,inf(_1,0,1,f(_0))) == sup(_0,0,1,inf(_1,0,1,f(_1)))",),
    ("sup(_0,0,1,sup(_1,0,2,f(_0))) == sup(_0,0,1,sup(_1,0,2,f(_1)))",),
    ("sup(_0,0,1,y*f(_0)) == sup(_0,0,1,sup(_1,0,1,f(_0))*f(_0))", "y == sup(_0,0,1,f(_0))"),
    ("sup(_0,0,1,-f(_0)) == -sup(_0,0,1,f(_0))",),
    ("x == 4", "x**2 == 4"),
    ("x == 1", "x**(-1) == 2", "x != 0"),
    ("x / x == 1", "imp(x == y, a < b)", "y == 0"),
    ("x / x == 1", "not 0 < x"),
    ("x / x == 1", "x != 0 or y != 0"),
    ("(x + y)**lam == 1", "0 <= x", "0 <= y"),
    ("x**lam == 1", "x == 0"),
    ("x**lam == 1", "0 <= x"),
    ("x**(k - k - 2) == x**2",),
    ("exp(log(x)**2) == x", "0 < x"),
    ("exp(log(x**2)) == x", "x != 0"),
    ("exp(2*log(x)) == 2*x", "0 < x"),
    ("n*sum(_0,1,n,ite(p(_0) <= a, b, 0)**2) == sum(_0,1,n,ite(p(_0) <= a, b, 0))**2", "0 <= n"),
    (f"sum(_0,1,17,p(_0)) == {' + '.join(f'p({i})' for i in range(1, 18))}",),
]


@pytest.mark.parametrize("case", TRUE)
def test_identities(case: tuple[str, ...]) -> None:
    assert holds(*case)


@pytest.mark.parametrize("case", [case for case in TRUE if len(case) > 1 and "==" not in case[1]])
def test_identities_need_their_premises(case: tuple[str, ...]) -> None:
    for k in range(1, len(case)):
        assert not holds(*case[:k], *case[k + 1 :])


@pytest.mark.parametrize("case", FALSE)
def test_no_identities(case: tuple[str, ...]) -> None:
    assert not holds(*case)


@pytest.mark.parametrize(
    ("term", "kind", "premises", "wanted"),
    [
        ("x*y + 1", POSITIVE, ["0 <= x", "0 <= y"], True),
        ("x*y", POSITIVE, ["0 <= x", "0 < y"], False),
        ("x*y", POSITIVE, ["0 < x*y"], True),
        ("x", POSITIVE, ["0 < x*y"], False),
        ("x", NONZERO, ["0 < x*y"], True),
        ("x", NONZERO, ["0 <= x*y"], False),
        ("x**2", NONNEGATIVE, [], True),
        ("x**3", NONNEGATIVE, [], False),
        ("x**2", POSITIVE, ["x != 0"], True),
        ("1/x", POSITIVE, ["0 < x"], True),
        ("1/(x + 1)", POSITIVE, ["0 <= x"], True),
        ("1/x", NONNEGATIVE, ["x != 0"], False),
        ("-x", NONNEGATIVE, ["0 <= x"], False),
        ("x - y", NONZERO, ["x < y"], True),
        ("x - y", NONNEGATIVE, ["x < y"], False),
        ("2*y - 2*x", POSITIVE, ["x < y"], True),
        ("0*x", NONNEGATIVE, [], True),
        ("0*x", NONZERO, [], False),
        ("x", POSITIVE, ["1 <= x"], True),
        ("x", POSITIVE, ["y**2 < x"], True),
        ("x", POSITIVE, ["y**2 <= x"], False),
        ("x", NONNEGATIVE, ["y**2 <= x"], True),
        ("x", NONNEGATIVE, ["y <= x"], False),
        ("x", NONNEGATIVE, ["y < x"], False),
        ("x", NONNEGATIVE, ["x <= y**2"], False),
        ("sum(_0,1,n,q(_0))", POSITIVE, [FAMILY, "1 <= n"], True),
        ("sum(_0,1,n,q(_0))", POSITIVE, [FAMILY], False),
        ("sum(_0,1,n,q(_0))", NONNEGATIVE, [FAMILY], True),
        ("sum(_0,0,n,q(_0))", NONNEGATIVE, [FAMILY], False),
        ("sum(_0,1,n,p(_0))", NONNEGATIVE, [FAMILY], False),
        ("line(_0,exp(_0))", NONNEGATIVE, [], True),
        ("line(_0,exp(_0))", POSITIVE, [], False),
        ("abs(x)", POSITIVE, [], False),
        ("exp(x) + x**2", POSITIVE, [], True),
        ("x**lam", NONNEGATIVE, ["0 <= x"], True),
        ("x**lam", NONNEGATIVE, [], False),
        ("1/x - 1", POSITIVE, ["0 < x", "x < 1"], True),
        ("1/x - 1", POSITIVE, ["0 < x"], False),
        ("1/x - 1", POSITIVE, ["x < 1"], False),
        ("1/x - 1", POSITIVE, ["0 < x", "x <= 1"], False),
        ("1/x - 1", NONNEGATIVE, ["0 < x", "x <= 1"], True),
        ("y*x - y", POSITIVE, ["0 < y", "1 < x"], True),
        ("y*x - y", POSITIVE, ["0 <= y", "1 < x"], False),
        ("log(x)", POSITIVE, ["1 < x"], True),
        ("log(x)", POSITIVE, ["1 <= x"], False),
        ("log(x)", NONNEGATIVE, ["1 <= x"], True),
        ("log(x)", NONNEGATIVE, ["0 < x"], False),
        ("-log(x)", POSITIVE, ["0 < x", "x < 1"], True),
        ("-log(x)", POSITIVE, ["x < 1"], False),
        ("-log(x)", POSITIVE, ["0 < x", "x <= 1"], False),
        ("log(1/x)", POSITIVE, ["0 < x", "x < 1"], True),
        ("log(2)", POSITIVE, [], True),
        ("log(1/2)", NONNEGATIVE, [], False),
        ("log(x)*log(y)", POSITIVE, ["0 < x", "x < 1", "0 < y", "y < 1"], True),
        ("log(x)*log(y)", NONNEGATIVE, ["0 < x", "x < 1", "1 < y"], False),
        ("-log(x)**2*log(y)", POSITIVE, ["0 < x", "x < 1", "0 < y", "y < 1"], True),
        ("-x*y", NONNEGATIVE, ["x <= 0", "0 <= y"], True),
        ("-x*y", POSITIVE, ["x <= 0", "0 < y"], False),
        ("-x*y", POSITIVE, ["x < 0", "0 < y"], True),
        ("x*y", POSITIVE, ["x < 0", "y < 0"], True),
        ("x*y", POSITIVE, ["x < 0", "0 < y"], False),
        ("-1/x", POSITIVE, ["x < 0"], True),
        ("exp(x) - 1", POSITIVE, ["0 < x"], True),
        ("exp(x) - 1", POSITIVE, ["0 <= x"], False),
        ("exp(x) - 1", NONNEGATIVE, ["0 <= x"], True),
        ("exp(x) - 1", NONNEGATIVE, [], False),
        ("exp(x) - 1", NONZERO, ["x < 0"], True),
        ("exp(x) - 1", NONZERO, ["x <= 0"], False),
        ("exp(x) - exp(y)", POSITIVE, ["y < x"], True),
        ("exp(x) - exp(y)", POSITIVE, ["x < y"], False),
        ("(1 + x)**a - 1", POSITIVE, ["0 < x", "0 < a"], True),
        ("(1 + x)**a - 1", POSITIVE, ["0 <= x", "0 < a"], False),
        ("(1 + x)**a - 1", POSITIVE, ["0 < x"], False),
        ("3 - 2*exp(x)", NONNEGATIVE, ["x <= 0"], False),
        ("x*y - z", POSITIVE, ["0 < x", "0 < y", "0 < z"], False),
        ("log(2) - log(3)", NONNEGATIVE, [], False),
        ("x**a - x", POSITIVE, ["1 < x", "1 < a"], True),
        ("x**a - x", POSITIVE, ["0 < x", "1 < a"], False),
        ("x", POSITIVE, ["0 < x", "x == x**2*y"], True),
        ("sum(_0,1,n,p(_0))", POSITIVE, ["0 < sum(_0,1,n,p(_0))", "sum(_0,1,n,p(_0)) == sum(_0,1,n,p(_0))**2*y"], True),
        ("y", NONNEGATIVE, ["x <= x", "0 <= y"], True),
        ("pi()", POSITIVE, [], True),
        ("line(_0,f(_0))", NONNEGATIVE, ["allR(_0, 0 < f(_0))"], True),
        ("line(_0,f(_0))", NONNEGATIVE, ["allZ(_0, 0 < f(_0))"], False),
        ("1/(x - y)", POSITIVE, ["x != y"], False),
        ("1/(x - y)", NONNEGATIVE, ["x != y"], False),
        ("x*y", NONZERO, ["x != 0", "y != 0"], True),
        ("x*y", NONZERO, ["x != 0"], False),
        ("x - y", NONZERO, ["y - x != 0"], True),
        ("x - y", NONZERO, ["imp(x == y, a < b)"], False),
        ("x - y", NONZERO, ["not x < y"], False),
        ("x", NONZERO, ["0 < x + y"], False),
        ("y", NONZERO, ["0 < x + y"], False),
        ("sum(_0,1,n,p(_0)**2)", POSITIVE, ["1 <= n"], False),
        ("sum(_0,1,n,p(_0)**2)", NONNEGATIVE, [], True),
        ("line(_0,exp(_0))", NONNEGATIVE, [FAMILY], True),
        ("sum(_0,2,n,log(_0))", NONNEGATIVE, [], True),
        ("sum(_0,1,n,log(_0))", NONNEGATIVE, [], True),
        ("sum(_0,1,n,log(_0))", POSITIVE, ["1 <= n"], False),
        ("sum(_0,1,n,_0)", POSITIVE, ["1 <= n"], True),
        ("sum(_0,0,n,_0)", POSITIVE, ["1 <= n"], False),
        ("sum(_0,0,n,_0)", NONNEGATIVE, [], True),
        ("sum(_0,-1,n,_0)", NONNEGATIVE, [], False),
        ("exp(-sum(_0,k,n,log(c)))", POSITIVE, EMPTY, True),
        ("c*exp(-sum(_0,k,n,log(c)))", POSITIVE, EMPTY, False),
        ("sum(_1,1,j,q(_1))*exp(-sum(_0,k,n,log(sum(_1,1,j,q(_1)))))", POSITIVE, ["1 <= j", "k <= n + 1", ROWS_IF_ANY], False),
    ],
)
def test_signs(term: str, kind: str, premises: list[str], wanted: bool) -> None:
    assert Ring([READ(p) for p in premises], Budget()).sign(READ(term), kind) is wanted


@pytest.mark.parametrize(("relation", "premises", "wanted"), [
    ("x <= y and y <= z", ["x <= y", "y <= z"], True), ("x <= y and y <= z", ["x <= y"], False),
    ("x <= y and y <= z", ["y <= z"], False), ("x == y", ["x == y"], True), ("x == y", ["x <= y"], False), ("x <= y", ["x < y"], True),
    ("y <= x", ["x < y"], False), ("x < y", ["x < y"], True), ("x < y", ["x <= y"], False), ("x != y", ["x < y"], True),
    ("x != y", ["x <= y"], False), ("not x < y", ["x != y"], False), ("not x < y", ["y < x"], False),
    ("x <= y or y <= x", ["x <= y"], False), ("imp(x == y, a < b)", ["a < b"], False), ("allR(_0, _0 == y)", ["x != y"], False),
    ("allR(_0, x == y)", ["x != y"], False),
])  # fmt: skip
def test_relations(relation: str, premises: list[str], wanted: bool) -> None:
    assert Ring([READ(p) for p in premises], Budget()).holds(READ(relation)) is wanted


@pytest.mark.parametrize("term", [READ("x < y"), bound(0, "R")])
def test_only_numbers_have_normal_forms(term: Term) -> None:
    with pytest.raises(Refused, match="real numbers"):
        Ring([], Budget()).value(term)


def test_long_sums_are_not_written_out() -> None:
    assert len(Ring([], Budget(1000)).value(READ("sum(_0,1,1000000,p(_0))"))) == 1


@pytest.mark.parametrize(
    "text", ["(a+b+c+x+y+z+s+m)**60", "((((a+b)**30+c)**30+x)**30+y)**30", "(((a**999)**999)**999+2)**2*(2**999)**999"]
)
def test_too_much_work_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        Ring([], Budget()).zero(READ(text))


# A twin: rational functions as values modulo a prime at random points. Nothing of the kernel's arithmetic is used. An inverse of 0 is 0,
# as in the kernel, so that the twin is about total functions too. e^t and t^r are values of a random homomorphism: e^t = g^t, and
# a^b = g^(b·log a) for a that are powers of g, exponents modulo the order of g.

PRIME, ROOT = 1_000_000_007, 5


class Twin:
    """Values of terms modulo a prime; variables in `units` are powers of the generator, whose logarithms are known."""

    def __init__(self, seed: int, exponents: dict[str, int], zero: frozenset[str]) -> None:
        self.random, self.exponents, self.zero, self.seen = random.Random(seed), exponents, zero, dict[object, int]()

    def value(self, t: Term) -> int:
        """The value of a term of +, ·, inverses, powers and variables."""
        if t.tag == "q":
            q = t.data[0]
            assert isinstance(q, Fraction)
            return q.numerator * pow(q.denominator, -1, PRIME) % PRIME
        if t.tag == "v":
            name = str(t.data[0])
            if name in self.zero:
                return 0
            if name in self.exponents:
                return pow(ROOT, self.exponents[name], PRIME)
            return self.seen.setdefault(name, self.random.randrange(PRIME))
        values = [self.value(part) for part in t.parts]
        if t.tag == "+":
            return sum(values) % PRIME
        if t.tag == "*":
            return values[0] * values[1] % PRIME
        assert t.tag == "^"
        n = t.data[0]
        assert isinstance(n, int)
        return pow(values[0], n, PRIME) if values[0] or n >= 0 else 0


def expression(rng: random.Random, depth: int) -> str:
    """A random rational function."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(["a", "b", "x", "y", "2", "3", "1/2", "-1"])
    u, v = expression(rng, depth - 1), expression(rng, depth - 1)
    return rng.choice([f"({u}) + ({v})", f"({u}) * ({v})", f"({u}) - ({v})", f"({u}) / ({v})", f"({u})**2", f"({u})**(-1)", f"({u})**(-2)"])


def rearranged(rng: random.Random, text: str) -> str:
    """Something that is often equal."""
    other = expression(rng, 1)
    return rng.choice(
        [
            f"({text}) + ({other}) - ({other})",
            f"(({text}) * ({other})) / ({other})",
            f"1 / (1 / ({text}))",
            f"(({text}) * 2) / 2",
            f"(({text}) + 1)**2 - ({text})**2 - ({text}) - 1",
            text,
            f"({text}) * ({text}) / ({text})",
            f"({text}) + 1",
        ]
    )


@pytest.mark.parametrize("seed", range(40))
def test_twin(seed: int) -> None:
    """What ring accepts holds at every point, zeros included; what holds without division is accepted."""
    rng = random.Random(seed)
    for _ in range(25):
        text = expression(rng, 3)
        goal = READ(f"{text} == {rearranged(rng, text)}")
        premises = rng.choice([[], ["a != 0"], ["a != 0", "x + y != 0"], ["0 < a", "0 < b", "0 < x", "0 < y"]])
        try:
            accepted = Ring([READ(p) for p in premises], Budget(20_000)).zero(minus(*goal.parts))
        except Refused:
            continue
        zeros = [frozenset(z) for z in ([], ["b"], ["y"], ["b", "y"], ["a"], ["x"], ["a", "b", "x", "y"])]
        nonzero = {"a"} if premises and len(premises) < 4 else {"a", "b", "x", "y"} if premises else set()
        values = [Twin(seed * 100 + k, {}, z).value(minus(*goal.parts)) for k, z in enumerate(zeros) if not z & nonzero]
        if "x + y != 0" in premises:
            values = [v for v, z in zip(values, [z for z in zeros if not z & nonzero], strict=True) if not {"x", "y"} <= z]
        if accepted:
            assert not any(values), (show(goal), premises)
        elif "/" not in text and "**(-" not in text and "/" not in show(goal) and "**(-" not in show(goal):
            assert any(values), (show(goal), "is an identity")


def power_expression(rng: random.Random, depth: int) -> tuple[str, int]:
    """A product of powers of positive a, b, x and the exponent that its value has to the base of the twin."""
    exponents = {"a": 7, "b": 11, "x": 13}
    if depth == 0:
        name = rng.choice("abx")
        return name, exponents[name]
    (u, e), (v, f) = power_expression(rng, depth - 1), power_expression(rng, depth - 1)
    n = rng.choice([-3, -2, 2, 3])
    return rng.choice(
        [
            (f"({u}) * ({v})", e + f),
            (f"({u}) / ({v})", e - f),
            (f"({u})**({n})", e * n),
            (f"(({u})**({n}/5))**5", e * n),
            (f"exp({n} * log({u}))", e * n),
            (f"exp(log({u}) + log({v}))", e + f),
            (f"({u})**lam * ({v})**lam / (({u}) * ({v}))**(lam - 1)", e + f),
        ]
    )


@pytest.mark.parametrize("seed", range(20))
def test_powers_against_exponents(seed: int) -> None:
    """Products of powers of positive numbers are equal exactly when the exponents say so at a = g^7, b = g^11, x = g^13."""
    rng = random.Random(seed)
    for _ in range(10):
        (u, e), (v, f) = power_expression(rng, 2), power_expression(rng, 2)
        accepted = holds(f"{u} == {v}", "0 < a", "0 < b", "0 < x")
        assert not accepted or e == f, (u, v)
        assert holds(f"({u}) / ({u}) == 1", "0 < a", "0 < b", "0 < x")


# Signs against numbers: whatever is certain under premises holds at exact points that satisfy them, ends and zeros included.

POINTS = [Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(2), Fraction(-1, 3), Fraction(7, 5)]
ABOUT = ["0 < x", "0 <= x", "x <= 0", "x < 0", "x < 1", "x <= 1", "1 < x", "1 <= x", "x != 0", "x != 1"]


def number_expression(rng: random.Random, depth: int) -> str:
    """A random real term in x and y with what the laws of signs are about."""
    if depth == 0:
        return rng.choice(["x", "y", "1", "2", "1/2"])
    a, b = number_expression(rng, depth - 1), number_expression(rng, depth - 1)
    shapes = ["{a} - {b}", "{a} + {b}", "({a})*({b})", "1/({a})", "exp({a})", "log({a})", "({a})**2", "exp({a}) - exp({b})"]
    shapes += ["max({a}, {b})", "log({a}) - log({b})", "abs({a})", "min({a}, {b})", "({a})**(1/2)", "1/({a}) - 1", "({a})**({b}) - 1"]
    return rng.choice(shapes).format(a=a, b=b)


def amount(t: Term, at: dict[str, Fraction]) -> mpmath.mpf:
    """The value of a total term; KeyError stands for what is not worth a convention."""
    parts = [amount(part, at) for part in t.parts]
    match t.tag:
        case "q":
            return mpmath.mpf(t.data[0].numerator) / t.data[0].denominator  # type: ignore[attr-defined]
        case "v":
            return mpmath.mpf(at[str(t.data[0])].numerator) / at[str(t.data[0])].denominator
        case "+":
            return parts[0] + parts[1]
        case "*":
            return parts[0] * parts[1]
        case "^":
            n = int(t.data[0])  # type: ignore[call-overload]
            return mpmath.mpf(0) if n < 0 and parts[0] == 0 else parts[0] ** n
        case "exp":
            return mpmath.exp(parts[0])
        case "log":
            return mpmath.log(abs(parts[0])) if parts[0] else mpmath.mpf(0)
        case "pow":
            if parts[0] < 0:
                raise KeyError("a power of a negative number")
            return mpmath.mpf(parts[1] == 0) if not parts[0] else parts[0] ** parts[1]
        case "abs" | "max" | "min":
            return max(*parts, *([-parts[0]] if t.tag == "abs" else [])) if t.tag != "min" else min(parts)
    raise KeyError(t.tag)


@pytest.mark.parametrize("seed", range(3))
def test_signs_against_numbers(seed: int) -> None:
    rng, certain = random.Random(seed), 0
    for _ in range(150):
        premises = [text.replace("x", name) for name in "xy" for text in rng.sample(ABOUT, 2)]
        term = READ(number_expression(rng, rng.choice([1, 2, 2, 3])))
        try:
            found = [k for k in (POSITIVE, NONNEGATIVE, NONZERO) if Ring(map(READ, premises), Budget()).sign(term, k)]
        except Refused:
            continue
        points = [{"x": u, "y": v} for u in POINTS for v in POINTS if found]
        points = [at for at in points if all(true_at(READ(text), at) for text in premises)]
        for at in points:
            try:
                here = amount(term, at)
            except (KeyError, OverflowError):
                continue
            certain += 1
            assert POSITIVE not in found or here > -TINY, (premises, show(term), at)
            assert NONNEGATIVE not in found or here >= -TINY, (premises, show(term), at)
            assert not {POSITIVE, NONZERO} & set(found) or abs(here) > TINY, (premises, show(term), at)
    assert certain > 50


TINY = mpmath.mpf(10) ** -12


def true_at(f: Term, at: dict[str, Fraction]) -> bool:
    """A relation between a number and a variable at a point."""
    if f.tag == "not":
        return not true_at(f.parts[0], at)
    a, b = (amount(part, at) for part in f.parts)
    return bool({"=": a == b, "<=": a <= b, "<": a < b}[f.tag])


def test_the_normal_distribution_function_is_positive_and_else_unknown() -> None:
    assert holds("Phi(x + y) == Phi(y + x)") and holds("Phi(x) / Phi(x) == 1")
    assert not holds("Phi(x) == Phi(-x)") and not holds("Phi(0) == 1/2") and not holds("Phi(x) == x")
    ring = Ring([], Budget())
    assert ring.sign(READ("Phi(x)"), POSITIVE) and ring.sign(READ("1/Phi(-x)"), POSITIVE)
    assert not ring.sign(READ("1 - Phi(x)"), NONNEGATIVE) and ring.sign(READ("-Phi(x)"), NONZERO)
    assert not ring.sign(READ("Phi(x) - Phi(y)"), NONZERO)


@pytest.mark.parametrize("t", ["0", "1/3", "1", "3", "8"])
def test_what_the_rules_say_of_the_normal_distribution_function(t: str) -> None:
    x = mpmath.mpf(Fraction(t).numerator) / Fraction(t).denominator
    with mpmath.workdps(40):
        tail = mpmath.quad(lambda u: mpmath.exp(-u * u / 2), [x, x + 1, x + 4, mpmath.inf]) / mpmath.sqrt(2 * mpmath.pi)
        assert abs(mpmath.ncdf(x) + tail - 1) < mpmath.mpf(10) ** -30 and 0 < tail < 1
        assert tail <= mpmath.exp(-x * x / 2)
        slope = (mpmath.ncdf(x + mpmath.mpf(10) ** -12) - mpmath.ncdf(x - mpmath.mpf(10) ** -12)) / (2 * mpmath.mpf(10) ** -12)
        assert abs(slope - mpmath.exp(-x * x / 2) / mpmath.sqrt(2 * mpmath.pi)) < mpmath.mpf(10) ** -20


SEVERAL = """
import random, sys
from dpbounds.kernel.notation import Reader
from dpbounds.kernel.polynomials import Budget, key, ordered, _digest
from dpbounds.kernel.ring import POSITIVE, Ring
from dpbounds.kernel.terms import variable

read = Reader({n: variable(n, "R") for n in "abcxyz"}, {})
known, rng = [read(f"0 < {n}") for n in "abcxyz"], random.Random(1)
for _ in range(40):
    d, e, f = (f"({' + '.join(rng.sample('abcxyz', 2))})" for _ in range(3))
    ring = Ring(known, Budget())
    for text in (f"1/{d} + 1/{e} - {f}/({d}*{e})", f"exp({d}*{e}/({d}*{f}) - {d}/{f} + 1/{e})"):
        found = ring.cleared(ring.value(read(text)), POSITIVE)
        places = {a for m in found for a, _ in m}
        print(_digest(key(found), {}, Budget()).hex(), [_digest(a, {}, Budget()).hex() for a in ordered(places, Budget())])
"""


def test_normal_forms_do_not_depend_on_the_order_of_hashing() -> None:
    def printed(seed: str) -> str:
        run = [sys.executable, "-S", "-c", SEVERAL]
        return subprocess.run(run, env={"PYTHONHASHSEED": seed}, cwd=FOLDER, capture_output=True, text=True, check=True).stdout

    assert printed("0") == printed("1") == printed("2") != ""
