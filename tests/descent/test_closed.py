"""Closed forms of sums and integrals, and ratios with several variables, and false twins."""

from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy import E, Integral, Rational, Sum, binomial, exp, factorial, log, oo, pi, sqrt

from dpbounds import Verdict, settle
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.evidence.replay import replay
from dpbounds.descent import ratio
from dpbounds.descent.changes import changed
from dpbounds.descent.integrals.closed import check_closed
from dpbounds.descent.integrals.sums import lies_inside
from dpbounds.descent.interval import Interval
from dpbounds.descent.polynomials import ONE
from dpbounds.descent.problem import Problem
from dpbounds.descent.search.closing import rows_of
from dpbounds.descent.search.solve import solve
from dpbounds.language.symbols import index, nonnegative, positive, positive_integer, real
from tests.descent.statements import claim, problem_of

n, m = positive_integer("n m")
k, j = index("k"), index("j", start=0)
a, q, t = positive("a q t")
u, v = nonnegative("u v")
x = real("x")
INTEGERS = frozenset({"n", "m"})
row_sum = Sum(binomial(n, j) * q**j * (1 - q) ** (n - j), (j, 0, n))
half = Rational(1, 2)


def rows(problem: Problem) -> list[Any]:
    """Closed forms that the search finds."""
    found = rows_of(problem, INTEGERS, lambda condition: solve(condition, 2))
    assert found is not None
    check_closed(problem, found, INTEGERS)
    return found


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (Integral(exp(-a * t), (t, 0, u)) <= 1 / a, []),
        (Integral(exp(-(t**2) / 2), (t, 0, u)) <= sqrt(pi / 2), []),
        (Integral(1 / (1 + t), (t, 0, u)) <= u, []),
        (Integral(exp(-a * t), (t, 1, oo)) <= 1 / a, []),
        (row_sum <= 1, [q < 1]),
        (Sum(binomial(n, j) * exp(-a * j), (j, 0, n)) <= 2**n, []),
        (Sum(q ** (n - k), (k, 1, n)) <= 1 / (1 - q), [q < 1]),
        (binomial(n, m) <= (E * n / m) ** m, [m <= n]),
        (binomial(n, m) >= (n / m) ** m, [m <= n]),
    ],
    ids=str,
)
def test_a_closed_form_settles_a_lemma(then: Any, given: Any) -> None:
    own = claim(then, *given)
    found = certificate_of(own, 3)
    assert found is not None
    assert found is not None


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (Integral(exp(-a * t), (t, 0, u)) <= Rational(9, 10) / a, []),
        (row_sum <= Rational(99, 100), [q < 1]),
        (Sum(q ** (n - k), (k, 1, n)) <= Rational(99, 100) / (1 - q), [q < 1]),
        (binomial(n, m) >= (Rational(11, 10) * n / m) ** m, [m <= n]),
        (binomial(n, m) <= (2 * n / m) ** m, []),
    ],
    ids=str,
)
def test_a_false_twin_is_not_settled(then: Any, given: Any) -> None:
    assert certificate_of(claim(then, *given), 0.2) is None


def test_a_closed_form_is_replayed_from_its_certificate() -> None:
    own = claim(Sum(exp(-a * j), (j, 0, oo)) <= 1 + 1 / a)
    outcome = settle(own, budget=10)
    assert outcome.verdict is Verdict.CERTIFIED and outcome.certificate is not None
    assert replay(outcome.certificate, own).verdict is Verdict.CERTIFIED


# --- antiderivatives


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (Integral(-log(u), (u, 0, a)) <= 1, [a <= 1]),
        (Integral(u ** (-a), (u, 0, 1)) <= 1 / (1 - a), [a < 1]),
        (Integral(u**a, (u, 0, 1)) >= 1 / (1 + a), []),
        (Integral(u ** (-a), (u, q, oo)) <= q ** (1 - a) / (a - 1), [a > 1]),
        (Integral((1 + u) ** (-a), (u, 0, oo)) <= 1 / (a - 1), [a > 1]),
        (Integral(1 / sqrt(u), (u, 0, v)) <= 2 * sqrt(v), []),
        (Integral(1 / sqrt(1 - u), (u, v, 1)) <= 2 * sqrt(1 - v), [v <= 1]),
        (Integral(u**a * (1 - u), (u, 0, 1)) <= 1 / ((a + 1) * (a + 2)), []),
        (Integral(a * log(u) ** 2, (u, 0, 1)) <= 2 * a, []),
    ],
    ids=str,
)
def test_powers_and_logarithms_have_antiderivatives_up_to_an_end_where_they_have_no_value(then: Any, given: Any) -> None:
    own = claim(then, *given)
    found = certificate_of(own, 5)
    assert found is not None
    assert found is not None
    left, right = then.args
    twin = claim(type(then)(left, Rational(99, 100) * right if isinstance(then, sympy.Le) else Rational(101, 100) * right), *given)
    assert certificate_of(twin, 0.1) is None
    assert settle(twin, budget=10).verdict is Verdict.REFUTED


def test_an_end_lies_inside_of_an_open_range_that_it_never_leaves() -> None:
    box = {"a": Interval(Fraction(0), Fraction(1)), "v": Interval(Fraction(0), Fraction(1), low_closed=True, high_closed=True)}
    problem = Problem(sympy.S.Zero, sympy.S.Zero, False, box)
    unit = Fraction(0), Fraction(1)
    for end, inside in ((a, True), (v, False), (1 - a, True), (1 - v, False), (a + v, False), (a / 2 + v / 2, True), (v / 2, False)):
        assert lies_inside(problem, end, unit) is inside
        assert lies_inside(problem, end, unit, (True, True)) is (end != a + v)
    assert lies_inside(problem, v, unit, (True, False)) is lies_inside(problem, v, unit, (False, True)) is False
    assert lies_inside(problem, sympy.S.Zero, unit) is lies_inside(problem, sympy.S.One, unit) is False
    assert lies_inside(problem, v, (Fraction(-1), None)) is True and lies_inside(problem, v, (None, Fraction(1))) is False


# --- telescopes


def value_of(problem: Problem, found: list[Any], **point: Any) -> Any:
    """The closed form at a point."""
    (value,) = check_closed(problem, found, INTEGERS).nodes.values()
    return sympy.simplify(value.subs({sympy.Symbol(name): number for name, number in point.items()}))


def test_a_sum_to_an_integer_telescopes() -> None:
    """It ends after its last term, wherever it begins, and one that is empty is 0."""
    for first in (0, 1, 2):
        index_ = sympy.Symbol("i", integer=True)
        total = Sum(q ** (n - index_), (index_, first, n))
        problem = problem_of(total <= 100 / (1 - q), q < 1)
        found = rows(problem)
        assert found[0]["by"] == "telescope"
        for count in (1, 4):
            direct = sum(half ** (count - i) for i in range(first, count + 1))
            assert value_of(problem, found, n=count, q=half) == direct


# --- ratios with several variables


def test_a_ratio_with_several_variables_rises_along_an_integer() -> None:
    own = claim(binomial(n, m) >= (n / m) ** m, m <= n)
    found = certificate_of(own, 3)
    assert found is not None
    (part,) = found["problems"]
    assert part["in"] == "m" and part["way"] == "rises"


def test_a_ratio_starts_at_its_least_integer() -> None:
    """C(n, m)·2 ≥ (n/m)^m·3 rises, and fails at m = 1."""
    own = claim(2 * binomial(n, m) >= 3 * (n / m) ** m, m <= n)
    assert certificate_of(own, 0.2) is None


def test_log_factorials_below_one_that_is_known() -> None:
    """log (n)! from log (n + 2)!: n ≥ 0 is needed, and the logarithms of n + 1 and n + 2 are taken off."""
    assert certificate_of(claim(factorial(n + 2) >= 6 * factorial(n)), 2) is not None
    assert certificate_of(claim(factorial(n + 2) >= 7 * factorial(n)), 0.2) is None
    assert certificate_of(claim(log(factorial(n + 2)) >= log(7 * factorial(n))), 0.2) is None


def test_other_variables_stay_where_they_are_in_a_step_of_a_ratio() -> None:
    """After the change x = n·w the step from n to n + 1 still speaks of one x: e^x does not grow with n. What is n + u grows with n."""
    z = sympy.Symbol("z")
    box = {"n": Interval(Fraction(1), None, True, False), "z": Interval(Fraction(0), None)}
    step, _ = ratio.parts_of(Problem(sympy.exp(z), sympy.S.One, False, box), "n")
    step = step.with_fixed({})
    for own in (step, changed(step, ["scaled", "z", "n", "w"], before=False)):
        assert not own.free()[1][0]
    moving = Problem(sympy.exp(z), sympy.S.One, False, {"n": box["n"], "u": box["z"]}, (), {"z": sympy.Symbol("n") + sympy.Symbol("u")})
    tower, (above, below), _ = ratio.parts_of(moving, "n")[0].with_fixed({}).free()
    assert tower.equal((above, below), (ONE, ONE))


# --- a bound that is a quotient

UNDER = {"u": Interval(Fraction(0), Fraction(1), True, True), "v": Interval(Fraction(0), None)}


def under(a: Any, b: Any, strict: bool = True, **changes: Any) -> Problem:
    """v < 1/(1 + u) as v = b·w, after 1 > v·(1 + u)."""
    su, sv = sympy.symbols("u v")
    own = Problem(sympy.S.One, sv, False, {**UNDER, **changes}, ((sympy.S.One, sv * (1 + su), strict),))
    return changed(own, ["under", "v", 0, "w", a, b], before=True)


def test_no_limit_is_taken_of_what_is_still_an_integral(monkeypatch: pytest.MonkeyPatch) -> None:
    """sympy's limit of t·∫ e^(−x)/(x − 2)² took forever; no document can say what it is."""

    def limit(*_: Any) -> None:
        raise AssertionError("a limit that nothing needs")

    monkeypatch.setattr(sympy, "integrate", Integral)
    monkeypatch.setattr(sympy, "limit", limit)
    problem = problem_of(Integral(exp(-a) / (a + 2) ** 2, (a, t, oo)) <= 1)
    assert rows_of(problem, INTEGERS, lambda condition: None) is None
