"""Every rule: calls that it accepts with their conclusions, and calls that differ from one of them in one respect and are refused.

A premise is written "H1; H2 |- F". f, g, p, q, w are
opaque functions.
"""

from typing import Any

import pytest

from dpbounds.kernel.checker import Arguments
from dpbounds.kernel.notation import Reader, show
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.sequents import RULES, Sequent
from dpbounds.kernel.terms import Refused, variable

NAMES = {n: variable(n, "R") for n in ["a", "b", "c", "d", "r", "s", "x", "y", "z", "u", "v"]} | {
    n: variable(n, "Z") for n in ["i", "j", "k", "m", "n"]
}
FUNCTIONS = {"f": "R>R", "g": "R>R", "h": "R>Z", "p": "Z>R", "q": "Z>R", "w": "ZZ>R"}


def arguments() -> Arguments:
    """A reader of arguments over the names above."""
    return Arguments(Reader(NAMES, FUNCTIONS), Budget())


def sequent(text: str) -> Sequent:
    """The sequent "H1; H2 |- F"."""
    read = arguments()
    hypotheses, _, formula = text.rpartition("|-")
    return Sequent(frozenset(read.formula(h.strip()) for h in hypotheses.split(";") if h.strip()), read.formula(formula.strip()))


def call(rule: str, premises: list[str], given: dict[str, Any]) -> Sequent:
    """Apply a rule to written premises and arguments."""
    read = arguments()
    return RULES[rule]([sequent(p) for p in premises], **read.of_rule(rule, given))


BOUNDS = {"variable": "x", "low": "a", "high": "b"}
ENDS = {"variable": "x", "ends": ["a", "b"]}
HALF = {"variable": "x", "ends": ["a"]}
ABOVE = {"variable": "x", "low": "a"}
AT_INTEGERS = "a <= i; i <= b |- "
IN = "a <= x; x <= b |- "
INSIDE = "a < x; x < b |- "


ACCEPTED: dict[str, list[tuple[list[str], dict[str, Any], str]]] = {
    "hypothesis": [([], {"formula": "f(x) <= a"}, "f(x) <= a |- f(x) <= a")],
    "cite": [([], {"formula": "f(x) <= a", "source": "Someone 2000, Theorem 1"}, "|- f(x) <= a")],
    "discharge": [(["f(x) <= a; b < c |- x < a"], {"formula": "f(x) <= a"}, "b < c |- imp(f(x) <= a, x < a)")],
    "detach": [(["b < c |- imp(a < b, f(a) < b)", "c < d |- a < b"], {}, "b < c; c < d |- f(a) < b")],
    "generalize": [
        (["a < b |- f(x) <= a"], {"variable": "x"}, "a < b |- allR(_0, f(_0) <= a)"),
        (["|- p(i) <= a"], {"variable": "i"}, "|- allZ(_0, p(_0) <= a)"),
    ],
    "specialize": [
        (["|- allR(_0, f(_0) <= a)"], {"at": "a + i"}, "|- f(a + i) <= a"),
        (["|- allZ(_0, p(_0) <= a)"], {"at": "i + 1"}, "|- p(i + 1) <= a"),
    ],
    "substitution": [
        (["f(x) < y |- x < g(y)"], {"terms": {"x:R": "y", "y:R": "x"}, "functions": {}}, "f(y) < x |- y < g(x)"),
        (["|- p(i) < x"], {"terms": {"x:R": "j"}, "functions": {"p:Z>R": [["t"], "t"]}}, "|- i < j"),
        (["|- p(i) < i"], {"terms": {"i:Z": "2 * j"}, "functions": {"p:Z>R": [["t"], "t * a"]}}, "|- 2 * j * a < 2 * j"),
        (["|- allR(_0, f(_0) < a)"], {"terms": {}, "functions": {"f:R>R": [["t"], "t + x"]}}, "|- allR(_0, _0 + x < a)"),
    ],
    "conjunction": [(["a < b |- b < c", "|- f(a) < b"], {}, "a < b |- b < c and f(a) < b")],
    "part": [(["|- b < c and f(a) < b"], {"number": 1}, "|- f(a) < b")],
    "alternative": [(["|- f(a) < b"], {"formula": "b < c or f(a) < b"}, "|- b < c or f(a) < b")],
    "cases": [(["|- a < b or b < c", "a < b; x < y |- f(a) < b", "b < c |- f(a) < b"], {}, "x < y |- f(a) < b")],
    "excluded_middle": [([], {"formula": "f(a) < b"}, "|- f(a) < b or not f(a) < b")],
    "absurd": [(["x < y |- f(a) < b", "|- not f(a) < b"], {"formula": "g(a) == b"}, "x < y |- g(a) == b")],
    "total_order": [([], {"left": "f(a)", "right": "b"}, "|- f(a) <= b or b < f(a)")],
    "irreflexive": [([], {"term": "f(a)"}, "|- not f(a) < f(a)")],
    "rewrite": [(["x < y |- f(a) < g(a)", "|- a == b"], {}, "x < y |- f(b) < g(b)")],
    "induction": [
        (["x < y |- p(0) <= a", "0 <= k; p(k) <= a; b < c |- p(k + 1) <= a"], {"variable": "k", "start": "0", "formula": "p(k) <= a"},
         "x < y; b < c |- allZ(_0, imp(0 <= _0, p(_0) <= a))"),
    ],
    "ring": [
        (["|- f(a) != 0"], {"formula": "f(a)**2 / f(a) == f(a)"}, "|- f(a)**2 / f(a) == f(a)"),
        (["|- 0 <= f(a)"], {"formula": "b - f(a) <= b"}, "|- b - f(a) <= b"),
        (["|- 0 < f(a)"], {"formula": "b - f(a) < b"}, "|- b - f(a) < b"),
        (["|- f(a) != 0"], {"formula": "b - f(a) != b"}, "|- b - f(a) != b"),
        (["|- 0 < f(a)"], {"formula": "0**f(a) == 0"}, "|- 0**f(a) == 0"),
        (["|- 0 <= x - y"], {"formula": "0 <= (x - y)**f(a)"}, "|- 0 <= (x - y)**f(a)"),
    ],
    "linear": [
        (["|- a <= f(a)", "|- b < c"], {"formula": "2*a + b < 2*f(a) + c", "multipliers": ["2", "1"]}, "|- 2*a + b < 2*f(a) + c"),
        (["|- a == f(a)"], {"formula": "-2*a == -2*f(a)", "multipliers": ["-2"]}, "|- -2*a == -2*f(a)"),
        (["|- a <= f(a)", "|- 0 <= x"], {"formula": "x*a <= x*f(a)", "multipliers": ["x"]}, "|- x*a <= x*f(a)"),
        (["|- a < f(a)", "|- 0 < x"], {"formula": "x*a < x*f(a)", "multipliers": ["x"]}, "|- x*a < x*f(a)"),
        (["|- 0 < x", "|- 0 < x"], {"formula": "0 < x*x", "multipliers": ["x"]}, "|- 0 < x*x"),
        (["|- a <= f(a)"], {"formula": "a < f(a) + 1", "multipliers": ["1"]}, "|- a < f(a) + 1"),
        (["|- a < f(a)", "|- b <= c"], {"formula": "a + b < f(a) + c", "multipliers": ["1", "1"]}, "|- a + b < f(a) + c"),
    ],
    "antisymmetric": [(["|- f(a) <= b", "x < y |- b <= f(a)"], {}, "x < y |- f(a) == b")],
    "next_integer": [(["x < y |- i < j"], {}, "x < y |- i + 1 <= j")],
    "branch": [
        (["x < y |- a < b"], {"then": "f(a)", "other": "c"}, "x < y |- ite(a < b, f(a), c) == f(a)"),
        (["|- not a < b"], {"then": "f(a)", "other": "c"}, "|- ite(a < b, f(a), c) == c"),
    ],
    "normal_symmetry": [([], {"term": "f(a)"}, "|- Phi(f(a)) + Phi(-f(a)) == 1")],
    "exp_above": [([], {"term": "f(a)"}, "|- 1 + f(a) <= exp(f(a))")],
    "power_monotone": [
        (["|- 0 <= f(a)", "|- f(a) <= b", "x < y |- 0 <= r"], {}, "x < y |- f(a)**r <= b**r"),
        (["|- 0 <= f(a)", "|- f(a) < b", "|- 0 < r"], {}, "|- f(a)**r < b**r"),
    ],
    "integer_power": [(["x < y |- 0 <= n"], {"base": "f(a)"}, "x < y |- f(a)**(n + 1) == f(a)**n * f(a)")],
    "absorption": [(["x < y |- 1 <= n", "|- 1 <= k"], {}, "x < y |- k * binom(n, k) == n * binom(n - 1, k - 1)")],
    "binomial_positive": [(["x < y |- 0 <= k", "|- k <= n"], {}, "x < y |- 0 < binom(n, k) and binom(n, 0) == 1 and binom(n, n) == 1")],
    "bounds_of_pi": [([], {}, "|- 3 < pi() and pi() < 22/7")],
    "sum_termwise": [
        (["1 <= i; i <= n; x < y |- p(i) <= q(i)"], {"variable": "i", "low": "1", "high": "n"},
         "x < y |- sum(_0,1,n,p(_0)) <= sum(_0,1,n,q(_0))"),
        (["1 <= i; i <= n; x < y |- p(i) < q(i)", "a < b |- 1 <= n"], {"variable": "i", "low": "1", "high": "n"},
         "x < y; a < b |- sum(_0,1,n,p(_0)) < sum(_0,1,n,q(_0))"),
    ],
    "sum_split": [
        (["x < y |- 1 <= m + 1", "|- m <= n"], {"total": "sum(_0,1,n,p(_0))"},
         "x < y |- sum(_0,1,n,p(_0)) == sum(_0,1,m,p(_0)) + sum(_0,m + 1,n,p(_0))"),
    ],
    "sum_shift": [([], {"total": "sum(_0,m,n,p(_0))", "by": "k"}, "|- sum(_0,m,n,p(_0)) == sum(_0,m + k,n + k,p(_0 - k))")],
    "sum_exchange": [
        ([], {"total": "sum(_0,1,m,sum(_1,2,n,w(_0,_1)))"}, "|- sum(_0,1,m,sum(_1,2,n,w(_0,_1))) == sum(_0,2,n,sum(_1,1,m,w(_1,_0)))"),
    ],
    "binomial_theorem": [
        (["x < y |- 0 <= n"], {"left": "f(a)", "right": "b"}, "x < y |- sum(_0,0,n,binom(n,_0) * f(a)**_0 * b**(n - _0)) == (f(a) + b)**n"),
    ],
    "derivative": [
        (["|- 0 < x"], {"function": "log(x)", "variable": "x"}, "|- deriv(_0, x, 1 / x, log(_0))"),
        (["|- x != 0"], {"function": "x**(-1)", "variable": "x"}, "|- deriv(_0, x, (-1) * x**(-2) * 1, _0**(-1))"),
        (["|- 0 < x"], {"function": "x**r", "variable": "x"}, "|- deriv(_0, x, r * x**(r - 1) * 1, _0**r)"),
        (["|- 0 < x"], {"function": "x**(-1)", "variable": "x"}, "|- deriv(_0, x, (-1) * x**(-2) * 1, _0**(-1))"),
        ([], {"function": "x**2", "variable": "x"}, "|- deriv(_0, x, 2 * x**1 * 1, _0**2)"),
        (["|- 1 <= r"], {"function": "x**r", "variable": "x"}, "|- deriv(_0, x, r * x**(r - 1) * 1, _0**r)"),
        ([], {"function": "Phi(x**2)", "variable": "x"},
         "|- deriv(_0, x, exp((-1/2) * (x**2)**2) * (2 * pi())**(-1/2) * (2 * x**1 * 1), Phi(_0**2))"),
        ([], {"function": "a * exp(x)", "variable": "x"}, "|- deriv(_0, x, 0 * exp(x) + a * (exp(x) * 1), a * exp(_0))"),
        (["|- 0 < a"], {"function": "a**x", "variable": "x"}, "|- deriv(_0, x, a**x * (1 * log(a) + x * (0 / a)), a**_0)"),
        ([], {"function": "sum(_0,1,n,p(_0) + x)", "variable": "x"}, "|- deriv(_0, x, sum(_1,1,n,0 + 1), sum(_1,1,n,p(_1) + _0))"),
    ],
    "monotone": [
        ([IN + "deriv(_0, x, g(x), f(_0))", IN + "0 <= g(x)", "c < d |- a <= b"], BOUNDS, "c < d |- f(a) <= f(b)"),
        (["c < d |- deriv(_0, x, g(x), f(_0))", IN + "0 < g(x)", "|- a < b"], BOUNDS, "c < d |- f(a) < f(b)"),
        ([IN + "deriv(_0, x, g(x), f(_0))", IN + "g(x) <= 0", "c < d |- a <= b"], BOUNDS, "c < d |- f(b) <= f(a)"),
        (["c < d |- deriv(_0, x, g(x), f(_0))", IN + "g(x) < 0", "|- a < b"], BOUNDS, "c < d |- f(b) < f(a)"),
    ],
    "tangent": [
        (
            [IN + "deriv(_0, x, g(x), f(_0))", IN + "deriv(_0, x, exp(x), g(_0))", "a < x; c < d |- 0 <= exp(x)", "|- a <= u", "|- u <= b",
             "|- a <= v", "|- v <= b"],
            {**BOUNDS, "at": "u", "to": "v"},
            "c < d |- f(u) + g(u) * (v - u) <= f(v)",
        ),
    ],
    "fundamental_theorem": [
        ([IN + "deriv(_0, x, g(x), f(_0))", IN + "0 <= g(x)", "c < d |- a <= b"], BOUNDS,
         "c < d |- integrable(_0, ite(a < _0 and _0 <= b, g(_0), 0)) and line(_0, ite(a < _0 and _0 <= b, g(_0), 0)) == f(b) - f(a)"),
    ],
    "fundamental_theorem_above": [
        (["a <= x |- deriv(_0, x, g(x), f(_0))", "a <= x |- 0 <= g(x)", "a <= x; c < d |- f(x) <= b"], ABOVE,
         "c < d |- integrable(_0, ite(a < _0, g(_0), 0)) and line(_0, ite(a < _0, g(_0), 0)) == sup_above(_0, a, f(_0)) - f(a)"),
    ],
    "equal_functions": [
        (["c < d |- f(x) == g(x)"], {"variable": "x"},
         "c < d |- line(_0, f(_0)) == line(_0, g(_0)) and imp(integrable(_0, f(_0)), integrable(_0, g(_0)))"),
    ],
    "integral_monotone": [
        (["c < d |- f(x) <= g(x)", "|- integrable(_0, f(_0))", "|- integrable(_0, g(_0))"], {"variable": "x"},
         "c < d |- line(_0, f(_0)) <= line(_0, g(_0))"),
    ],
    "integral_nonnegative": [(["c < d |- 0 <= f(x)"], {"variable": "x"}, "c < d |- 0 <= line(_0, f(_0))")],
    "integral_sum": [
        (["c < d |- integrable(_0, f(_0))", "|- integrable(_0, g(_0))"], {},
         "c < d |- integrable(_0, f(_0) + g(_0)) and line(_0, f(_0) + g(_0)) == line(_0, f(_0)) + line(_0, g(_0))"),
    ],
    "integrable_multiple": [(["c < d |- integrable(_0, f(_0))"], {"factor": "a"}, "c < d |- integrable(_0, a * f(_0))")],
    "integrable_dominated": [
        (["c < d |- abs(exp(x) * x) <= g(x)", "|- integrable(_0, g(_0))"], {"variable": "x"}, "c < d |- integrable(_0, exp(_0) * _0)"),
        (["|- abs(sum(_0, 1, n, x * p(_0) + a)) <= g(x)", "|- integrable(_0, g(_0))"], {"variable": "x"},
         "|- integrable(_0, sum(_1, 1, n, _0 * p(_1) + a))"),
    ],
    "integral_affine": [
        (
            ["c < d |- a != 0"],
            {"integral": "line(_0, f(_0))", "scale": "a", "offset": "b"},
            "c < d |- line(_0, f(a * _0 + b)) == line(_0, f(_0)) / abs(a)"
            " and imp(integrable(_0, f(_0)), integrable(_0, f(a * _0 + b)))"
            " and imp(integrable(_0, f(a * _0 + b)), integrable(_0, f(_0)))",
        ),
    ],
    "gaussian_integral": [
        (
            ["c < d |- 0 < s"],
            {"mean": "a"},
            "c < d |- integrable(_0, exp(-((_0 - a)**2 / (2 * s**2))))"
            " and line(_0, exp(-((_0 - a)**2 / (2 * s**2)))) == s * (2 * pi())**(1/2)",
        ),
    ],
    "integral_of_sum": [
        (
            ["c < d |- allZ(_0, imp(1 <= _0, imp(_0 <= n, integrable(_1, p(_0) * f(_1)))))"],
            {"total": "line(_0, sum(_1, 1, n, p(_1) * f(_0)))"},
            "c < d |- integrable(_0, sum(_1, 1, n, p(_1) * f(_0)))"
            " and line(_0, sum(_1, 1, n, p(_1) * f(_0))) == sum(_0, 1, n, line(_1, p(_0) * f(_1)))",
        ),
    ],
    "integral_positive": [(["c < d |- 0 < f(x)", "|- integrable(_0, f(_0))"], {"variable": "x"}, "c < d |- 0 < line(_0, f(_0))")],
    "extremum_bound": [
        ([INSIDE + "f(x) <= c", "c < d |- a < b"], ENDS, "c < d |- sup(_0, a, b, f(_0)) <= c"),
        ([INSIDE + "c <= f(x)", "|- a < b"], ENDS, "|- c <= inf(_0, a, b, f(_0))"),
        (["a < x; c < d |- f(x) <= c"], HALF, "c < d |- sup_above(_0, a, f(_0)) <= c"),
        (["a < x |- c <= f(x)"], HALF, "|- c <= inf_above(_0, a, f(_0))"),
    ],
    "extremum_reached": [
        ([INSIDE + "f(x) <= c", "|- a < u", "c < d |- u < b"], {**ENDS, "at": "u"}, "c < d |- f(u) <= sup(_0, a, b, f(_0))"),
        ([INSIDE + "c <= f(x)", "|- a < u", "|- u < b"], {**ENDS, "at": "u"}, "|- inf(_0, a, b, f(_0)) <= f(u)"),
        (["a < x |- f(x) <= c", "c < d |- a < u"], {**HALF, "at": "u"}, "c < d |- f(u) <= sup_above(_0, a, f(_0))"),
        (["a < x |- c <= f(x)", "|- a < u"], {**HALF, "at": "u"}, "|- inf_above(_0, a, f(_0)) <= f(u)"),
        ([INSIDE + "f(x) <= c", "c < d |- deriv(_0, u, s, f(_0))", "|- a <= u", "|- u <= b", "|- a < b"], {**ENDS, "at": "u"},
         "c < d |- f(u) <= sup(_0, a, b, f(_0))"),
        (["a < x |- c <= f(x)", "|- deriv(_0, a, s, f(_0))", "|- a <= a"], {**HALF, "at": "a"}, "|- inf_above(_0, a, f(_0)) <= f(a)"),
    ],
    "extremum_multiple": [
        (["c < d |- 0 < c"], {"extremum": "sup(_0, a, b, f(_0))", "factor": "c"},
         "c < d |- sup(_0, a, b, c*f(_0)) == c*sup(_0, a, b, f(_0))"),
        (["|- 0 < c"], {"extremum": "inf_above(_0, a, f(_0))", "factor": "c"}, "|- inf_above(_0, a, c*f(_0)) == c*inf_above(_0, a, f(_0))"),
    ],
}  # fmt: skip

POINTS = ["|- a <= u", "|- u <= b", "|- a <= v", "|- v <= b"]
RISING = ["a <= x |- deriv(_0, x, g(x), f(_0))", "a <= x |- 0 <= g(x)", "a <= x |- f(x) <= b"]
RISING_WRONG = [
    (0, "a < x |- deriv(_0, x, g(x), f(_0))"), (0, "a <= x; x <= b |- deriv(_0, x, g(x), f(_0))"),
    (0, "a <= x |- deriv(_0, y, g(x), f(_0))"), (0, "a <= x |- deriv(_0, x, g(x), f(_0) * x)"), (0, "a <= x |- 0 <= g(x)"),
    (1, "a <= x |- 0 <= f(x)"), (1, "a <= x |- g(x) <= 0"), (1, "a <= x |- c <= g(x)"), (1, "c <= x |- 0 <= g(x)"),
    (2, "a <= x |- f(x) <= x"), (2, "a <= x |- f(x) <= g(x)"), (2, "a <= x |- g(x) <= b"), (2, "a <= x |- f(x) < b"),
    (2, "a <= x |- b <= f(x)"), (2, "c <= x |- f(x) <= b"),
]  # fmt: skip
TANGENT = [IN + "deriv(_0, x, g(x), f(_0))", IN + "deriv(_0, x, exp(x), g(_0))", IN + "0 <= exp(x)", *POINTS]
TANGENT_WRONG = [
    (0, INSIDE + "deriv(_0, x, g(x), f(_0))"), (0, "x <= d |- deriv(_0, x, g(x), f(_0))"), (0, IN + "deriv(_0, x, f(x), f(_0))"),
    (0, IN + "deriv(_0, x, g(x) * x, f(_0) * x)"), (1, IN + "deriv(_0, y, exp(x), g(_0))"), (1, "c < x |- deriv(_0, x, exp(x), g(_0))"),
    (2, IN + "0 <= g(x)"), (2, IN + "a <= exp(x)"), (2, "c < x |- 0 <= exp(x)"), (3, "|- c <= u"), (4, "|- u <= c"), (5, "|- c <= v"),
    (6, "|- v <= c"),
]  # fmt: skip


END = [INSIDE + "f(x) <= c", "|- deriv(_0, u, s, f(_0))", "|- a <= u", "|- u <= b", "|- a < b"]
END_WRONG = [
    (0, INSIDE + "f(x) <= g(x)"), (0, IN + "f(x) <= c"), (1, "|- deriv(_0, v, s, f(_0))"), (1, "|- deriv(_0, u, s, g(_0))"),
    (1, "|- f(u) <= s"), (2, "|- c <= u"), (3, "|- u <= c"), (4, "|- a <= b"),
]  # fmt: skip


def change(premises: list[str], k: int, text: str) -> list[str]:
    """The premises with another one in place k."""
    return [*premises[:k], text, *premises[k + 1 :]]


REFUSED: list[tuple[str, list[str], dict[str, Any]]] = [
    ("hypothesis", ["|- a < b"], {"formula": "f(x) <= a"}),
    ("cite", [], {"formula": "f(x) <= a", "source": " "}),
    ("detach", ["|- imp(a < b, f(a) < b)", "|- a <= b"], {}),
    ("detach", ["|- a < b", "|- a < b"], {}),
    ("generalize", ["x < b |- f(x) <= a"], {"variable": "x"}),
    ("specialize", ["|- allZ(_0, p(_0) <= a)"], {"at": "x"}),
    ("specialize", ["|- a < b"], {"at": "x"}),
    ("substitution", ["|- p(i) < i"], {"terms": {"i:Z": "x"}, "functions": {}}),
    ("substitution", ["|- p(i) < i"], {"terms": {}, "functions": {"p:Z>Z": [["t"], "a"]}}),
    ("substitution", ["|- i <= j"], {"terms": {"i:Z": "x"}, "functions": {}}),
    ("part", ["|- b < c and f(a) < b"], {"number": 2}),
    ("part", ["|- b < c or f(a) < b"], {"number": 1}),
    ("alternative", ["|- f(a) < b"], {"formula": "b < c or f(a) <= b"}),
    ("alternative", ["|- f(a) < b"], {"formula": "b < c and f(a) < b"}),
    ("cases", ["|- a < b or b < c", "a < b |- f(a) < b"], {}),
    ("cases", ["|- a < b or b < c or c < d", "a < b |- f(a) < b", "b < c |- f(a) < b"], {}),
    ("cases", ["|- a < b or b < c", "a < b |- f(a) < b", "b < c |- f(a) <= b"], {}),
    ("cases", ["|- a < b and b < c", "a < b |- f(a) < b", "b < c |- f(a) < b"], {}),
    ("absurd", ["|- f(a) < b", "|- not f(a) <= b"], {"formula": "g(a) == b"}),
    ("rewrite", ["|- f(a) < b", "|- a <= b"], {}),
    ("induction", ["|- p(1) <= a", "p(k) <= a |- p(k + 1) <= a"], {"variable": "k", "start": "0", "formula": "p(k) <= a"}),
    ("induction", ["|- p(0) <= a", "p(k) <= a |- p(k + 2) <= a"], {"variable": "k", "start": "0", "formula": "p(k) <= a"}),
    ("induction", ["|- p(0) <= a", "k <= n; p(k) <= a |- p(k + 1) <= a"], {"variable": "k", "start": "0", "formula": "p(k) <= a"}),
    ("induction", ["k <= n |- p(0) <= a", "p(k) <= a |- p(k + 1) <= a"], {"variable": "k", "start": "0", "formula": "p(k) <= a"}),
    ("induction", ["|- p(k) <= a", "p(k) <= a |- p(k + 1) <= a"], {"variable": "k", "start": "k", "formula": "p(k) <= a"}),
    ("induction", ["|- f(0) <= a", "f(x) <= a |- f(x + 1) <= a"], {"variable": "x", "start": "0", "formula": "f(x) <= a"}),
    ("induction", ["|- f(x) <= a", "f(k) <= a |- f(k + 1) <= a"], {"variable": "k", "start": "x", "formula": "f(k) <= a"}),
    ("induction", ["|- p(k) <= a", "|- p(k) <= a"], {"variable": "k", "start": "x", "formula": "p(k) <= a"}),
    ("ring", [], {"formula": "f(a)**2 / f(a) == f(a)"}),
    ("ring", ["|- f(a) != 0"], {"formula": "f(a)**2 / f(a) < f(a)"}),
    ("ring", ["|- f(a) <= b"], {"formula": "imp(f(a) <= b, f(a) <= b)"}),
    ("ring", ["|- f(a) < b"], {"formula": "not f(a) <= b"}),
    ("ring", [], {"formula": "f(a)**2 == f(a)"}),
    ("ring", [], {"formula": "0**f(a) == 0"}),
    ("ring", ["|- 0 <= f(a)"], {"formula": "0**f(a) == 0"}),
    ("ring", ["|- f(a) != 0"], {"formula": "0**f(a) == 0"}),
    ("ring", ["|- y - x <= 0"], {"formula": "0 < (x - y)**f(a)"}),
    ("ring", ["|- 0 <= f(a)"], {"formula": "0 <= (x - y)**f(a)"}),
    ("linear", ["|- a <= f(a)"], {"formula": "-2*a <= -2*f(a)", "multipliers": ["-2"]}),
    ("linear", ["|- a <= f(a)"], {"formula": "x*a <= x*f(a)", "multipliers": ["x"]}),
    ("linear", ["|- a < f(a)", "|- 0 <= x"], {"formula": "x*a < x*f(a)", "multipliers": ["x"]}),
    ("linear", ["|- a <= f(a)", "|- 0 < x"], {"formula": "x*a < x*f(a)", "multipliers": ["x"]}),
    ("linear", ["|- a <= f(a)"], {"formula": "a == f(a)", "multipliers": ["1"]}),
    ("linear", ["|- a <= f(a)"], {"formula": "a <= f(a) - 1", "multipliers": ["1"]}),
    ("linear", ["|- a < f(a)"], {"formula": "a < f(a) - 1", "multipliers": ["1"]}),
    ("linear", ["|- a == f(a)"], {"formula": "a == f(a) + 1", "multipliers": ["1"]}),
    ("linear", ["|- a < f(a)"], {"formula": "a < f(a) + b", "multipliers": ["1"]}),
    ("linear", ["|- 0 < x"], {"formula": "0 < x * x", "multipliers": ["x"]}),
    ("linear", ["|- a <= f(a)"], {"formula": "2*a <= 2*f(a)", "multipliers": ["1", "1"]}),
    ("linear", ["|- a <= f(a)"], {"formula": "a <= f(a)", "multipliers": ["1", "1"]}),
    ("linear", ["|- a**2 * x <= 5 * a**2"], {"formula": "x <= 5", "multipliers": ["1 / a**2"]}),
    ("linear", ["|- not a <= f(a)"], {"formula": "a <= f(a)", "multipliers": ["1"]}),
    ("ring", ["|- 0 <= f(a)"], {"formula": "0 < f(a)"}),
    ("ring", ["|- 0 < f(a)"], {"formula": "1 < f(a)"}),
    ("ring", [], {"formula": "0 < f(a)**2"}),
    ("ring", [], {"formula": "0 <= f(a)**3"}),
    ("ring", ["|- 0 <= f(a)"], {"formula": "0 < f(a)**x"}),
    ("ring", [], {"formula": "0 <= f(a)**x"}),
    ("ring", ["|- f(a) != 0"], {"formula": "f(a) * x != 0"}),
    ("ring", ["|- 0 < f(a)"], {"formula": "0 < min(x, f(a))"}),
    ("ring", ["|- x != 0"], {"formula": "max(x, f(a)) != 0"}),
    ("ring", [], {"formula": "0 < abs(f(a))"}),
    ("ring", ["|- 0 < f(a)"], {"formula": "0 < ite(y < a, x, f(a))"}),
    ("ring", ["|- 0 < f(a)"], {"formula": "0 < f(a) + x"}),
    ("ring", ["|- 0 <= f(a)", "|- 0 <= x"], {"formula": "0 < f(a) + x"}),
    ("ring", ["|- 0 < f(a)"], {"formula": "0 <= f(a) * x"}),
    ("ring", ["|- 0 < f(a) * x"], {"formula": "0 < f(a)"}),
    ("ring", ["|- 0 < f(a)", "|- x != 0"], {"formula": "f(a) + x != 0"}),
    ("antisymmetric", ["|- f(a) <= b", "|- c <= f(a)"], {}),
    ("antisymmetric", ["|- f(a) <= b", "|- b <= c"], {}),
    ("antisymmetric", ["|- f(a) <= b", "|- b < f(a)"], {}),
    ("next_integer", ["|- x < j"], {}),
    ("next_integer", ["|- i < y"], {}),
    ("next_integer", ["|- i <= j"], {}),
    ("normal_symmetry", ["|- 0 <= f(a)"], {"term": "f(a)"}),
    ("power_monotone", ["|- 0 <= b", "|- f(a) <= b", "|- 0 <= r"], {}),
    ("power_monotone", ["|- c <= f(a)", "|- f(a) <= b", "|- 0 <= r"], {}),
    ("power_monotone", ["|- c**0 <= f(a)", "|- f(a) <= b", "|- 0 <= r"], {}),
    ("power_monotone", ["|- 0 <= f(a)", "|- f(a) <= b", "|- c <= r"], {}),
    ("power_monotone", ["|- 0 <= f(a)", "|- f(a) < b", "|- 0 <= r"], {}),
    ("power_monotone", ["|- 0 <= f(a)", "|- f(a) == b", "|- 0 <= r"], {}),
    ("integer_power", ["|- 0 <= r"], {"base": "f(a)"}),
    ("integer_power", ["|- 0 < n"], {"base": "f(a)"}),
    ("absorption", ["|- 0 <= n", "|- 1 <= k"], {}),
    ("absorption", ["|- 1 <= n", "|- 0 <= k"], {}),
    ("absorption", ["|- 1 <= x", "|- 1 <= k"], {}),
    ("absorption", ["|- 1 <= n", "|- 1 <= x"], {}),
    ("binomial_positive", ["|- 0 <= j", "|- k <= n"], {}),
    ("binomial_positive", ["|- 0 <= k", "|- k < n"], {}),
    ("binomial_positive", ["|- 0 <= k", "|- k <= x"], {}),
    ("sum_termwise", ["i <= m |- p(i) <= q(i)"], {"variable": "i", "low": "1", "high": "n"}),
    ("sum_termwise", ["|- p(i) < q(i)"], {"variable": "i", "low": "1", "high": "n"}),
    ("sum_termwise", ["|- p(i) < q(i)", "|- 1 <= m"], {"variable": "i", "low": "1", "high": "n"}),
    ("sum_termwise", ["|- p(i) <= q(i)", "|- 1 <= n"], {"variable": "i", "low": "1", "high": "n"}),
    ("sum_termwise", ["|- p(i) <= q(i)"], {"variable": "i", "low": "1", "high": "i"}),
    ("sum_termwise", ["|- p(i) <= q(i)"], {"variable": "i", "low": "i", "high": "n"}),
    ("sum_termwise", ["|- p(i) != q(i)"], {"variable": "i", "low": "1", "high": "n"}),
    ("sum_termwise", ["|- f(x) <= g(x)"], {"variable": "x", "low": "1", "high": "n"}),
    ("sum_split", ["|- 1 <= m", "|- m <= n"], {"total": "sum(_0,1,n,p(_0))"}),
    ("sum_split", ["|- 2 <= m + 1", "|- m <= n"], {"total": "sum(_0,1,n,p(_0))"}),
    ("sum_split", ["|- 1 <= m + 1", "|- m <= k"], {"total": "sum(_0,1,n,p(_0))"}),
    ("sum_split", ["|- 1 <= x + 1", "|- x <= n"], {"total": "sum(_0,1,n,p(_0))"}),
    ("sum_split", ["|- 1 <= m + 1", "|- k <= n"], {"total": "sum(_0,1,n,p(_0))"}),
    ("sum_shift", [], {"total": "sum(_0,m,n,p(_0))", "by": "x"}),
    ("sum_exchange", [], {"total": "sum(_0,1,m,sum(_1,_0,n,w(_0,_1)))"}),
    ("sum_exchange", [], {"total": "sum(_0,1,m,sum(_1,1,_0,w(_0,_1)))"}),
    ("sum_exchange", [], {"total": "sum(_0,1,m,p(_0))"}),
    ("binomial_theorem", ["|- 0 <= x"], {"left": "f(a)", "right": "b"}),
    ("binomial_theorem", ["|- 0 < n"], {"left": "f(a)", "right": "b"}),
    ("derivative", ["|- 0 <= x"], {"function": "log(x)", "variable": "x"}),
    ("derivative", [], {"function": "x**(-1)", "variable": "x"}),
    ("derivative", ["|- 0 <= r"], {"function": "x**r", "variable": "x"}),
    ("derivative", ["|- 1 <= a"], {"function": "a**x", "variable": "x"}),
    ("derivative", ["|- 1 <= x"], {"function": "x**x", "variable": "x"}),
    ("derivative", [], {"function": "abs(x)", "variable": "x"}),
    ("derivative", [], {"function": "f(x)", "variable": "x"}),
    ("derivative", [], {"function": "n + 1", "variable": "n"}),
    ("derivative", [], {"function": "line(_0, x * exp(-_0**2))", "variable": "x"}),
    ("monotone", [IN + "deriv(_0, x, g(x), f(_0))", IN + "0 <= g(x)", "|- b <= a"], BOUNDS),
    ("monotone", [IN + "deriv(_0, x, g(x), f(_0))", IN + "0 < g(x)", "|- a <= b"], BOUNDS),
    ("monotone", [IN + "deriv(_0, x, g(x), f(_0))", IN + "0 <= f(x)", "|- a <= b"], BOUNDS),
    ("monotone", [IN + "deriv(_0, x, g(x), f(_0))", IN + "a <= g(x)", "|- a <= b"], BOUNDS),
    ("monotone", [IN + "deriv(_0, x, g(x), f(_0))", IN + "g(x) <= a", "|- a <= b"], BOUNDS),
    ("monotone", [IN + "deriv(_0, x, g(x), f(_0))", IN + "f(x) <= 0", "|- a <= b"], BOUNDS),
    ("monotone", [IN + "deriv(_0, x, g(x), f(_0))", IN + "g(x) <= 0", "|- b <= a"], BOUNDS),
    ("monotone", [IN + "deriv(_0, x, g(x), f(_0))", IN + "g(x) < 0", "|- a <= b"], BOUNDS),
    ("monotone", ["x <= c |- deriv(_0, x, g(x), f(_0))", IN + "0 <= g(x)", "|- a <= b"], BOUNDS),
    ("monotone", [IN + "deriv(_0, x, g(x), f(_0))", "c <= x |- 0 <= g(x)", "|- a <= b"], BOUNDS),
    ("monotone", [IN + "deriv(_0, y, g(x), f(_0))", IN + "0 <= g(x)", "|- a <= b"], BOUNDS),
    ("monotone", [IN + "deriv(_0, x, g(x), f(_0) * x)", IN + "0 <= g(x)", "|- a <= b"], BOUNDS),
    ("monotone", ["|- deriv(_0, x, g(x), f(_0))", "|- 0 <= g(x)", "|- a <= x"], {**BOUNDS, "high": "x"}),
    ("monotone", [AT_INTEGERS + "deriv(_0, i, g(i), f(_0))", AT_INTEGERS + "0 <= g(i)", "|- a <= b"], {**BOUNDS, "variable": "i"}),
    ("monotone", [INSIDE + "deriv(_0, x, g(x), f(_0))", IN + "0 <= g(x)", "|- a <= b"], BOUNDS),
    *(("tangent", change(TANGENT, k, text), {**BOUNDS, "at": "u", "to": "v"}) for k, text in TANGENT_WRONG),
    *(("fundamental_theorem_above", change(RISING, k, text), ABOVE) for k, text in RISING_WRONG),
    ("fundamental_theorem_above", RISING[:2], ABOVE),
    ("fundamental_theorem_above", ["|- deriv(_0, x, g(x), f(_0))", "|- 0 <= g(x)", "|- f(x) <= b"], {**ABOVE, "low": "x"}),
    ("fundamental_theorem", [IN + "deriv(_0, x, g(x), f(_0))", IN + "0 <= g(x)", "|- b <= a"], BOUNDS),
    ("fundamental_theorem", [IN + "deriv(_0, x, g(x), f(_0))", INSIDE + "0 <= g(x)", "|- a <= b"], BOUNDS),
    ("fundamental_theorem", [IN + "deriv(_0, x, g(x), f(_0))", IN + "0 <= f(x)", "|- a <= b"], BOUNDS),
    ("fundamental_theorem", [IN + "deriv(_0, x, g(x), f(_0))", "x <= c |- 0 <= g(x)", "|- a <= b"], BOUNDS),
    ("equal_functions", ["a <= x |- f(x) == g(x)"], {"variable": "x"}),
    ("equal_functions", ["|- f(x) <= g(x)"], {"variable": "x"}),
    ("equal_functions", ["|- p(i) == q(i)"], {"variable": "i"}),
    ("equal_functions", ["a <= x; x <= b |- f(x) == g(x)"], {"variable": "x"}),
    ("integral_monotone", ["|- f(x) <= g(x)", "|- integrable(_0, f(_0))", "|- integrable(_0, f(_0))"], {"variable": "x"}),
    ("integral_monotone", ["|- f(x) <= g(x)", "|- integrable(_0, g(_0))", "|- integrable(_0, g(_0))"], {"variable": "x"}),
    ("integral_monotone", ["a < x |- f(x) <= g(x)", "|- integrable(_0, f(_0))", "|- integrable(_0, g(_0))"], {"variable": "x"}),
    ("integral_nonnegative", ["a < x |- 0 <= f(x)"], {"variable": "x"}),
    ("integral_nonnegative", ["|- a <= f(x)"], {"variable": "x"}),
    ("integral_sum", ["|- a < b", "|- integrable(_0, f(_0))"], {}),
    ("integral_sum", ["|- integrable(_0, f(_0))", "|- a < b"], {}),
    ("integrable_dominated", ["|- abs(f(x)) <= g(x)", "|- integrable(_0, g(_0))"], {"variable": "x"}),
    ("integrable_dominated", ["|- abs(x + f(x)) <= g(x)", "|- integrable(_0, g(_0))"], {"variable": "x"}),
    ("integrable_dominated", ["|- abs(sup(_0, 0, 1, x * _0)) <= g(x)", "|- integrable(_0, g(_0))"], {"variable": "x"}),
    ("integrable_dominated", ["|- x <= g(x)", "|- integrable(_0, g(_0))"], {"variable": "x"}),
    ("integrable_dominated", ["|- abs(x) <= g(x)", "|- integrable(_0, f(_0))"], {"variable": "x"}),
    ("integrable_dominated", ["a < x |- abs(x) <= g(x)", "|- integrable(_0, g(_0))"], {"variable": "x"}),
    ("integrable_dominated", ["|- abs(sum(_0, 1, h(x), p(_0))) <= g(x)", "|- integrable(_0, g(_0))"], {"variable": "x"}),
    ("integral_affine", ["|- b != 0"], {"integral": "line(_0, f(_0))", "scale": "a", "offset": "b"}),
    ("integral_affine", ["|- a != 0"], {"integral": "sum(_0, 0, 1, f(_0))", "scale": "a", "offset": "b"}),
    ("gaussian_integral", ["|- 0 <= s"], {"mean": "a"}),
    ("integral_of_sum", ["|- allZ(_0, imp(2 <= _0, imp(_0 <= n, integrable(_1, p(_0) * f(_1)))))"],
     {"total": "line(_0, sum(_1, 1, n, p(_1) * f(_0)))"}),
    ("integral_of_sum", ["|- allZ(_0, imp(1 <= _0, imp(_0 <= n, integrable(_1, p(_0) * g(_1)))))"],
     {"total": "line(_0, sum(_1, 1, n, p(_1) * f(_0)))"}),
    ("integral_of_sum", ["|- allZ(_0, imp(1 <= _0, imp(_0 <= h(x), integrable(_1, p(_0) * f(_1)))))"],
     {"total": "line(_0, sum(_1, 1, h(_0), p(_1) * f(_0)))"}),
    ("integral_positive", ["|- 0 <= f(x)", "|- integrable(_0, f(_0))"], {"variable": "x"}),
    ("integral_positive", ["|- a < f(x)", "|- integrable(_0, f(_0))"], {"variable": "x"}),
    ("integral_positive", ["c < x |- 0 < f(x)", "|- integrable(_0, f(_0))"], {"variable": "x"}),
    ("integral_positive", ["|- 0 < f(x)", "|- integrable(_0, g(_0))"], {"variable": "x"}),
    ("integral_positive", ["|- 0 < p(i)", "|- integrable(_0, f(_0))"], {"variable": "i"}),
    ("extremum_bound", [INSIDE + "f(x) <= c", "|- a <= b"], ENDS),
    ("extremum_bound", [INSIDE + "f(x) <= g(x)", "|- a < b"], ENDS),
    ("extremum_bound", ["c < x |- f(x) <= c", "|- a < b"], ENDS),
    ("extremum_bound", [INSIDE + "a <= c", "|- a < b"], ENDS),
    ("extremum_bound", [INSIDE + "f(x) < c", "|- a < b"], ENDS),
    ("extremum_bound", [INSIDE + "f(x) <= c"], HALF),  # only a < x may be assumed
    ("extremum_bound", ["a <= x |- f(x) <= c"], HALF),
    ("extremum_bound", [], {"variable": "x", "ends": []}),
    ("extremum_bound", ["|- f(x) <= c"], {"variable": "x", "ends": []}),
    ("extremum_bound", ["|- f(i) <= c", "|- a < b"], {**ENDS, "variable": "i"}),
    ("extremum_bound", ["|- f(x) <= c", "|- a < b", "|- b < c"], {**ENDS, "ends": ["a", "b", "c"]}),
    ("extremum_bound", ["|- f(x) <= c"], {"variable": "x", "ends": ["x"]}),
    ("extremum_reached", [INSIDE + "f(x) <= c", "|- a <= u", "|- u < b"], {**ENDS, "at": "u"}),
    ("extremum_reached", [INSIDE + "f(x) <= c", "|- a < u", "|- u < d"], {**ENDS, "at": "u"}),
    ("extremum_reached", [INSIDE + "f(x) <= g(x)", "|- a < u", "|- u < b"], {**ENDS, "at": "u"}),
    ("extremum_reached", ["x < d |- f(x) <= c", "|- a < u", "|- u < b"], {**ENDS, "at": "u"}),
    ("extremum_reached", ["a < x |- f(x) <= c", "|- a <= u"], {**HALF, "at": "u"}),
    ("extremum_reached", ["a < x |- f(x) <= c", "|- c < u"], {**HALF, "at": "u"}),
    ("extremum_reached", [], {**HALF, "at": "u"}),
    *(("extremum_reached", change(END, k, text), {**ENDS, "at": "u"}) for k, text in END_WRONG),
    ("extremum_reached", ["a < x |- f(x) <= c", "|- deriv(_0, u, s, f(_0))", "|- c <= u"], {**HALF, "at": "u"}),
    ("extremum_multiple", ["|- 0 <= c"], {"extremum": "sup(_0, a, b, f(_0))", "factor": "c"}),
    ("extremum_multiple", ["|- 0 < d"], {"extremum": "sup(_0, a, b, f(_0))", "factor": "c"}),
    ("extremum_multiple", ["|- 0 < c"], {"extremum": "sum(_0, 1, n, p(_0))", "factor": "c"}),
]  # fmt: skip


CALLS = [(rule, *entry) for rule, entries in ACCEPTED.items() for entry in entries]


def test_every_rule_has_an_example_and_a_refusal() -> None:
    assert set(ACCEPTED) == set(RULES)


@pytest.mark.parametrize(("rule", "premises", "given", "conclusion"), CALLS)
def test_conclusion(rule: str, premises: list[str], given: dict[str, Any], conclusion: str) -> None:
    found = call(rule, premises, given)
    assert show(found.formula) == show(sequent(conclusion).formula)
    assert found.formula == sequent(conclusion).formula
    assert found.hypotheses == sequent(conclusion).hypotheses


@pytest.mark.parametrize(("rule", "premises", "given"), REFUSED)
def test_refused(rule: str, premises: list[str], given: dict[str, Any]) -> None:
    sequents, read = [sequent(p) for p in premises], arguments().of_rule(rule, given)
    with pytest.raises(Refused):
        RULES[rule](sequents, **read)


@pytest.mark.parametrize(("rule", "premises", "given", "_"), CALLS)
def test_a_premise_more_or_less_is_refused_or_proves_no_more(rule: str, premises: list[str], given: dict[str, Any], _: str) -> None:
    whole = call(rule, premises, given)
    for k in range(len(premises)):
        fewer = premises[:k] + premises[k + 1 :]
        try:
            found = call(rule, fewer, given)
        except Refused:
            continue
        assert found.formula != whole.formula


@pytest.mark.parametrize("given", [[["t", "t"], "a"], [[], "a"], [["a"], "a"], [["exp"], "1"], ["t", "a"], [["t"]], "t"])
def test_lambdas_with_other_parameters_are_refused(given: Any) -> None:
    with pytest.raises(Refused):
        arguments().lambdas({"p:Z>R": given})


@pytest.mark.parametrize("parameters", [("R",), (), ("Z", "Z")])
def test_lambdas_of_other_sorts_are_refused_by_the_rule(parameters: tuple[str, ...]) -> None:
    marks = tuple(variable("t", sort) for sort in parameters)
    with pytest.raises(Refused):
        RULES["substitution"]([sequent("|- 0 < a")], terms={}, functions={("p", "Z>R"): (marks, NAMES["a"])})


FALSE_AREAS = {
    "1 from 1 to 0 is −1": ("fundamental_theorem", ["|- deriv(_0, x, 1, _0)", "|- 0 <= 1", "|- 0 <= 1"],
                            {"variable": "x", "low": "1", "high": "0"}),
    "1/x² above 0 is 0": ("fundamental_theorem_above",
                          ["0 < x |- deriv(_0, x, x**(-2), -(1/_0))", "0 <= x |- 0 <= x**(-2)", "0 <= x |- -(1/x) <= 0"],
                          {"variable": "x", "low": "0"}),
    "what falls beyond 1 is 1 − 1/e above 0": (
        "fundamental_theorem_above",
        ["|- deriv(_0, x, -2*(x - 1)*exp(-(x - 1)**2), exp(-(_0 - 1)**2))", "0 <= x; x <= 1 |- 0 <= -2*(x - 1)*exp(-(x - 1)**2)"]
        + ["|- exp(-(x - 1)**2) <= 1"],
        {"variable": "x", "low": "0"},
    ),
    "1 above −1 is 1, for x ≤ x": ("fundamental_theorem_above", ["|- deriv(_0, x, 1, _0)", "|- 0 <= 1", "|- x <= x"],
                                   {"variable": "x", "low": "-1"}),
    "1 above −1 is 1, for x ≤ c below c": ("fundamental_theorem_above", ["|- deriv(_0, x, 1, _0)", "|- 0 <= 1", "x <= c |- x <= c"],
                                           {"variable": "x", "low": "-1"}),
}  # fmt: skip


@pytest.mark.parametrize("what", FALSE_AREAS)
def test_a_condition_of_the_fundamental_theorems_keeps_out_a_false_integral(what: str) -> None:
    """The premises hold, or would if a condition were dropped; the integral that would follow is wrong."""
    rule, premises, given = FALSE_AREAS[what]
    with pytest.raises(Refused):
        call(rule, premises, given)
