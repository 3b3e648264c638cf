"""Closed forms of sums and integrals, and ratios with several variables: each condition, with a certificate that only it refuses."""

import copy
from dataclasses import replace
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
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.closing import definition, rows_of
from dpbounds.descent.search.solve import solve
from dpbounds.descent.tower import Tower
from dpbounds.descent.written import expression_of, row_of
from dpbounds.language.functions import NormalCDF
from dpbounds.language.symbols import index, nonnegative, positive, positive_integer, real
from tests.descent.statements import claim, problem_of

n, m = positive_integer("n m")
k, j = index("k"), index("j", start=0)
a, q, t = positive("a q t")
u, v = nonnegative("u v")
x = real("x")
INTEGERS = frozenset({"n", "m"})
misses = Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) / (j + 1), (j, 0, n))
row_sum = Sum(binomial(n, j) * q**j * (1 - q) ** (n - j), (j, 0, n))
successes = Sum(j * binomial(n, j) * q**j * (1 - q) ** (n - j), (j, 0, n))
half = Rational(1, 2)


def rows(problem: Problem) -> list[Any]:
    """Closed forms that the search finds."""
    found = rows_of(problem, INTEGERS, lambda condition: solve(condition, 2))
    assert found is not None
    check_closed(problem, found, INTEGERS)
    return found


def refuses(problem: Problem, found: list[Any], why: str, integers: frozenset[str] = INTEGERS, **changes: Any) -> None:
    """A row with changes is refused for that reason."""
    forged = copy.deepcopy(found)
    forged[0].update(changes)
    with pytest.raises(DescentRefused, match=why):
        check_closed(problem, forged, integers)


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (Integral(exp(-a * t), (t, 0, u)) <= 1 / a, []),
        (Integral(exp(-(t**2) / 2), (t, 0, u)) <= sqrt(pi / 2), []),
        (Integral(1 / (1 + t), (t, 0, u)) <= u, []),
        (Integral(exp(-a * t), (t, 1, oo)) <= 1 / a, []),
        (Sum(exp(-a * j), (j, 0, oo)) <= 1 + 1 / a, []),
        (Sum(k * q**k, (k, 1, oo)) >= q, [q < 1]),
        (Sum(1 / (k * (k + 1)), (k, 1, oo)) <= 1, []),
        (row_sum <= 1, [q < 1]),
        (misses <= 1 / ((n + 1) * q), [q < 1]),
        (misses >= (1 - q) ** n, [q < 1]),
        (Sum(binomial(n, j) * exp(-a * j), (j, 0, n)) <= 2**n, []),
        (Sum(1 / factorial(k), (k, 1, n)) <= E - 1, []),
        (Sum(a**j / factorial(j), (j, 0, oo)) <= exp(a), []),
        (Sum(k * factorial(k), (k, 1, n)) <= factorial(n + 1) - 1, []),
        (successes <= n * q, [q < 1]),
        (Sum(j * (j - 1) * a**j / factorial(j), (j, 0, oo)) <= a**2 * exp(a), []),
        (Sum(q ** (n - k), (k, 1, n)) <= 1 / (1 - q), [q < 1]),
        (Sum(q * (1 - q) ** (k - 1), (k, n, oo)) <= exp(-q * (n - 1)), [q < 1]),
        (Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) * (exp(a * j) - 1), (j, 0, n)) <= exp(n * q * (exp(a) - 1)) - 1, [q < 1]),
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
        (Sum(exp(-a * j), (j, 0, oo)) <= Rational(99, 100) + 1 / a, []),
        (row_sum <= Rational(99, 100), [q < 1]),
        (misses <= Rational(99, 100) / ((n + 1) * q), [q < 1]),
        (Sum(1 / factorial(k), (k, 1, n)) <= Rational(171, 100), []),
        (Sum(k * factorial(k), (k, 1, n)) <= factorial(n + 1) - 2, []),
        (successes <= Rational(99, 100) * n * q, [q < 1]),
        (Sum(j * (j - 1) * a**j / factorial(j), (j, 0, oo)) <= Rational(99, 100) * a**2 * exp(a), []),
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


def test_an_antiderivative_has_the_integrand_as_its_slope() -> None:
    problem = problem_of(Integral(exp(-a * t), (t, 0, u)) <= 1 / a)
    found = rows(problem)
    own = found[0]["of"]
    refuses(problem, found, "not an antiderivative", of=["*", "9/10", own])
    refuses(problem, found, "not an antiderivative", of=["+", own, "t"])


def test_an_antiderivative_is_defined_on_a_range_that_holds_both_ends() -> None:
    """∫_{−1}^{1} 1/t² is not −2, nor is ∫_0^1 1/t²."""
    for low in (-1, 0):
        problem = problem_of(Integral(1 / x**2, (x, low, 1)) <= a)
        row = {"by": "antiderivative", "of": ["*", "-1", ["^", "x", "-1"]], "order": 1}
        for ends in (["0", "oo"], ["-oo", "oo"], ["-oo", "0"]):
            with pytest.raises((DescentRefused, KeyError)):  # no tower holds 1/x at 0
                check_closed(problem, [{**row, "range": ends, "places": _places(problem, row["of"], "x", ends)}], INTEGERS)
    problem = problem_of(Integral(1 / x**2, (x, half, 1)) <= 1 + a)
    check_closed(problem, [{**row, "range": ["0", "oo"], "places": _places(problem, row["of"], "x", ["0", "oo"])}], INTEGERS)


def _places(problem: Problem, of: Any, name: str, ends: list[str]) -> list[Any]:
    """Towers where the function of a row and the integrand or the term are defined, or none."""
    found = []
    for fixed in problem.faces():
        here = problem.with_fixed(fixed)
        low, high = (None if end in ("oo", "-oo") else sympy.Rational(end) for end in ends)
        reader = TowerReader(Tower(), {**here.ranges, name: (low, high)}, here.meanings)
        reader.read(expression_of(of, (*problem.box, name)))
        found.append(definition(reader.tower) or {})
    return found


def test_an_antiderivative_vanishes_at_infinity() -> None:
    problem = problem_of(Integral(exp(-a * t), (t, 1, oo)) <= 1 / a)
    found = rows(problem)
    refuses(problem, found, "what does not tend to 0", of=["+", found[0]["of"], "1"])
    refuses(problem, found, "what does not tend to 0", of=["+", found[0]["of"], "-1"])


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


def test_an_antiderivative_vanishes_at_an_open_end_of_its_range() -> None:
    problem = problem_of(Integral(-log(u), (u, 0, a)) <= 1, a <= 1)
    found = rows(problem)
    assert found[0]["range"][0] == "0" and "closed" not in found[0]
    for number in ("1", "-1"):
        refuses(problem, found, "what does not tend to 0", of=["+", found[0]["of"], number])
    refuses(problem, found, "the box of the proof is smaller than the domain", range=["-1", "oo"])
    refuses(problem, found, "the box of the proof|an end outside of the range", range=["0", "1/2"])


def test_a_divergent_integral_has_no_antiderivative_that_vanishes() -> None:
    problem = problem_of(Integral(1 / u, (u, 0, a)) <= 1)
    row = {"by": "antiderivative", "of": row_of(log(u)), "range": ["0", "oo"], "places": _places(problem, row_of(log(u)), "u", ["0", "oo"])}
    for order in (1, 2, 3):
        with pytest.raises(DescentRefused, match="a term that grows and may be negative"):
            check_closed(problem, [{**row, "order": order}], INTEGERS)


def test_an_end_belongs_to_a_range_only_if_the_antiderivative_is_defined_there() -> None:
    problem = problem_of(Integral(1 / sqrt(u), (u, 0, v)) <= 2 * sqrt(v))
    found = rows(problem)
    ends = found[0]["closed"]
    assert ends[0] is not None and ends[1] is None
    refuses(problem, found, "an end outside of the range", closed=[None, None])
    refuses(problem, found, "an infinite end that is closed", closed=[ends[0], ends[0]])
    refuses(problem, found, "one part for each face", closed=[ends[0][:1], None])
    # 1/u has a slope on the open range, and no value at 0.
    problem = problem_of(Integral(-1 / u**2, (u, 0, v)) <= 5)
    row = {"by": "antiderivative", "of": ["^", "u", "-1"], "range": ["0", "oo"], "order": 1, "closed": ends}
    with pytest.raises((DescentRefused, KeyError)):
        check_closed(problem, [{**row, "places": _places(problem, row["of"], "u", ["0", "oo"])}], INTEGERS)


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


def test_a_lower_limit_of_0_is_no_limit() -> None:
    """G = t² − t³·√(2π)·e^{t²/2}·Φ(−t) tends to 1, and Mills' bounds say 0 ≤ G ≤ 1 only: the integral of G' is 1 − G(1), not −G(1)."""
    own = t**2 - t**3 * sqrt(2 * pi) * exp(t**2 / 2) * NormalCDF(-t)
    slope = 2 * t + t**3 - (3 * t**2 + t**4) * sqrt(2 * pi) * exp(t**2 / 2) * NormalCDF(-t)
    for sign in (1, -1):
        problem = problem_of(Integral(sign * slope, (t, 1, oo)) <= 5)
        of = row_of(sign * own)
        row = {"by": "antiderivative", "of": of, "range": ["1/2", "oo"], "places": _places(problem, of, "t", ["1/2", "oo"])}
        for order in (1, 2, 3):
            with pytest.raises(DescentRefused, match="a remainder leads|what does not tend to 0"):
                check_closed(problem, [{**row, "order": order}], INTEGERS)


def test_a_variable_of_an_integral_has_a_name_of_its_own() -> None:
    problem = problem_of(Integral(exp(-a * t), (t, 0, u)) <= 1 / a)
    problem = replace(problem, box={**problem.box, "t": problem.box["u"]})
    with pytest.raises(DescentRefused, match="the name of another one"):
        check_closed(problem, [{"by": "antiderivative"}], INTEGERS)


# --- telescopes


def test_a_telescope_has_the_terms_as_differences_and_vanishes() -> None:
    problem = problem_of(Sum(exp(-a * j), (j, 0, oo)) <= 1 + 1 / a)
    found = rows(problem)
    own = found[0]["of"]
    refuses(problem, found, "not a telescope", of=["*", "9/10", own])
    refuses(problem, found, "not a telescope", of=["*", ["exp", "a"], own])
    refuses(problem, found, "what does not tend to 0", of=["+", own, "1"])
    refuses(problem, found, "what does not tend to 0", of=["+", own, "-1"])


def value_of(problem: Problem, found: list[Any], **point: Any) -> Any:
    """The closed form at a point."""
    (value,) = check_closed(problem, found, INTEGERS).nodes.values()
    return sympy.simplify(value.subs({sympy.Symbol(name): number for name, number in point.items()}))


def test_a_sum_to_an_integer_telescopes() -> None:
    """It ends after its last term, wherever it begins, and one that is empty is 0."""
    for first, shift in ((1, 0), (2, 0), (0, -1), (1, 3)):
        index_ = sympy.Symbol("i", integer=True)
        total = Sum(q ** (n - index_), (index_, first, n + shift))
        problem = problem_of(total <= 100 / (1 - q), q < 1)
        found = rows(problem)
        assert found[0]["by"] == "telescope"
        for count in (1, 4):
            direct = sum(half ** (count - i) for i in range(first, count + shift + 1))
            assert value_of(problem, found, n=count, q=half) == direct


def test_a_sum_that_telescopes_to_an_integer_has_the_terms_as_differences() -> None:
    problem = problem_of(Sum(q ** (n - k), (k, 1, n)) <= 1 / (1 - q), q < 1)
    found = rows(problem)
    refuses(problem, found, "not a telescope", of=["*", "9/10", found[0]["of"]])
    refuses(problem, found, "between integers", integers=frozenset())
    moved = rows(problem_of(Sum(q ** (n - k), (k, 1, n)) <= 100 / (1 - q), q < 1))
    backwards = problem_of(Sum(q ** (n - k), (k, 3, n)) <= 1 / (1 - q), q < 1)
    refuses(backwards, moved, "run backwards")
    assert certificate_of(claim(Sum(q ** (n - k), (k, 1, n)) <= 1 / (1 - q), q <= 1), 0.2) is None


def test_a_telescope_begins_at_the_least_first_index() -> None:
    problem = problem_of(Sum(q * (1 - q) ** (k - 1), (k, n, oo)) <= 1, q < 1)
    found = rows(problem)
    for count in (1, 5):
        assert value_of(problem, found, n=count, q=half) == half ** (count - 1)
    refuses(problem, found, "does not begin at an integer", integers=frozenset())
    without_end = replace(problem, box={**problem.box, "n": Interval()})
    refuses(without_end, found, "no least first index|without a least first index")
    early = problem_of(Sum(q * (1 - q) ** (j - 1), (j, n - 1, oo)) <= 2, q < 1)
    refuses(early, [{**found[0], "of": rows(early)[0]["of"]}], "the box of the proof is smaller|variable that the claim does not have")


def test_a_sum_of_sums_is_split_into_its_parts() -> None:
    """Only what is a sum, and all of its parts with everything that stands beside them."""
    total = Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) * (exp(a * j) - 1), (j, 0, n))
    problem = problem_of(total <= exp(n * q * (exp(a) - 1)), q < 1)
    found = rows(problem)
    assert found[0]["by"] == "split"
    value = next(iter(check_closed(problem, found, INTEGERS).nodes.values()))
    names = {s.name: s for s in value.free_symbols}
    point = {names["n"]: 3, names["q"]: half, names["a"]: 1}
    direct = sum(binomial(3, i) * Rational(1, 8) * (E**i - 1) for i in range(4))
    assert len(value.args) == 2 and abs((value.subs(point).doit() - direct).evalf(30)) < 1e-25
    for factor in (-1, 17, "0", True):
        refuses(problem, found, "no such factor", factor=factor)
    refuses(problem, found, "not a sum to split", factor=next(i for i, e in enumerate(total.args[0].args) if not isinstance(e, sympy.Add)))


@pytest.mark.parametrize(("power", "first"), [(2, 0), (2, 1), (3, 0), (4, 2)])
def test_a_power_of_a_sum_is_expanded_and_split(power: int, first: int) -> None:
    """Central moments of a binomial distribution, at numbers."""
    i = sympy.Symbol("i", integer=True, nonnegative=True)
    total = Sum(binomial(n, i) * q**i * (1 - q) ** (n - i) * (i - n * q) ** power, (i, first, n))
    problem = problem_of(total <= 1000 * n**4, q < 1)
    found = rows(problem)
    assert found[0]["by"] == "split"
    split = check_closed(problem, found, INTEGERS)
    (value,) = split.nodes.values()
    assert all(part.args[1] == total.args[1] for part in value.args)
    point = {s: {"n": 5, "q": Rational(1, 3)}[s.name] for s in value.free_symbols}
    direct = sum(binomial(5, c) * Rational(1, 3) ** c * Rational(2, 3) ** (5 - c) * (c - Rational(5, 3)) ** power for c in range(first, 6))
    assert value.subs(point).doit() == direct
    other = row_of(sympy.expand((i - n * q) ** power) + i)
    refuses(problem, found, "not another form", **{"as": other})
    refuses(problem, found, "not a sum to split", **{"as": row_of((i - n * q) ** power)})


def test_a_power_of_a_sum_in_an_integral_is_not_expanded() -> None:
    """The places of a row speak of k above a − 1, where an integral may not begin."""
    problem = problem_of(Integral((x + 1) ** 2 * exp(-(x**2)), (x, 0, 1)) <= 4 * a, a >= 1)
    row = {"by": "split", "factor": 0, "as": row_of(x**2 + 2 * x + 1), "places": []}
    with pytest.raises(DescentRefused, match="no sum"):
        check_closed(problem, [row], INTEGERS)


@pytest.mark.parametrize(
    ("then", "twin"),
    [
        ((j - n * q) ** 2, n * q * (1 - q)),
        ((j - n * q) ** 3, n * q * (1 - q) * (1 - 2 * q)),
    ],
    ids=["variance", "third"],
)
def test_central_moments_of_a_row_are_settled(then: Any, twin: Any) -> None:
    total = Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) * then, (j, 0, n))
    for relation in (total <= twin, total >= twin):
        assert certificate_of(claim(relation, q < 1), 10) is not None
    assert settle(claim(total <= twin - q / 1000, q < 1), budget=10).verdict is Verdict.REFUTED


def test_a_closed_face_has_a_closed_form_of_its_own() -> None:
    """At a = 0 the geometric series has no value."""
    open_box, closed_box = (problem_of(Sum(exp(-x * j), (j, 0, oo)) * x <= x + 1, given) for given in (x > 0, x >= 0))
    found = rows(open_box)
    with pytest.raises(DescentRefused, match="one part for each face"):
        check_closed(closed_box, found, INTEGERS)
    with pytest.raises(DescentRefused):
        check_closed(closed_box, [{**found[0], "places": found[0]["places"] * 2}], INTEGERS)
    assert certificate_of(claim(Sum(exp(-x * j), (j, 0, oo)) * x <= x + 1, x >= 0), 0.2) is None


# --- binomial theorem


def test_a_row_of_binomial_coefficients_has_a_geometric_factor() -> None:
    problem = problem_of(row_sum <= 1, q < 1)
    found = rows(problem)
    refuses(problem, found, "not the first term", first=["*", "1/2", found[0]["first"]])
    refuses(problem, found, "not that ratio", ratio=["*", "1/2", found[0]["ratio"]])
    refuses(problem, found, "run from 0 to an integer variable", integers=frozenset())


@pytest.mark.parametrize(
    "total",
    [
        Sum(binomial(n, k), (k, 1, n)),
        Sum(binomial(n, j), (j, 0, m)),
        Sum(binomial(m, j), (j, 0, n)),
        Sum(binomial(n, j), (j, 0, oo)),
        Sum(binomial(n, j) * binomial(n, j), (j, 0, n)),
        Sum(binomial(n, j) * binomial(n, m), (j, 0, n)),
    ],
    ids=str,
)
def test_only_a_whole_row_has_the_sum_of_the_binomial_theorem(total: Any) -> None:
    found = rows(problem_of(Sum(binomial(n, j), (j, 0, n)) <= 2**n))
    problem = problem_of(sympy.Le(total, 2**n, evaluate=False))
    places = found[0]["places"] * len(list(problem.faces()))
    with pytest.raises(DescentRefused):
        check_closed(problem, [{**found[0], "places": places}], INTEGERS)


def test_a_row_begins_at_an_integer_that_is_not_negative() -> None:
    i = sympy.Symbol("n", integer=True)
    then = sympy.Le(Sum(binomial(i, j), (j, 0, i)), 2**i, evaluate=False)
    found = rows(problem_of(then, i >= 0))
    problem = problem_of(then, i >= -2)
    with pytest.raises(DescentRefused, match="an integer that may be negative"):
        check_closed(problem, found, INTEGERS)


# --- the exponential series


def test_an_exponential_series_leaves_out_terms_that_are_not_negative() -> None:
    """Σ −1/k! is not at most 1 − e: the terms that it leaves out are negative."""
    problem = problem_of(Sum(1 / factorial(k), (k, 1, n)) <= E - 1)
    found = rows(problem)
    refuses(problem, found, "not the first term", first="2")
    refuses(problem, found, "not that ratio", ratio="2")
    negative = problem_of(sympy.Le(Sum(-1 / factorial(k), (k, 1, n)), 1 - E, evaluate=False))
    refuses(negative, found, ".", first="-1")
    assert certificate_of(claim(sympy.Le(Sum(-1 / factorial(k), (k, 1, n)), 1 - E, evaluate=False)), 0.2) is None


def test_a_row_divided_by_its_index_and_one() -> None:
    """Σ C(n, k)·r^k/(k + 1) at numbers, and what has another divisor or is no row."""
    problem = problem_of(misses <= 1 / ((n + 1) * q), q < 1)
    found = rows(problem)
    assert found[0]["by"] == "absorbed"
    (value,) = check_closed(problem, found, INTEGERS).nodes.values()
    point = {"n": 7, "q": Rational(1, 3)}
    at = sympy.nsimplify(value.subs({sympy.Symbol(name): number for name, number in point.items()}))
    assert sympy.simplify(at - misses.subs({n: 7, q: Rational(1, 3)}).doit()) == 0
    refuses(problem, found, "not these factors", by="binomial")
    refuses(problem, found, "not that ratio", ratio=["*", "2", found[0]["ratio"]])
    refuses(problem, found, "run from 0 to an integer", integers=frozenset())
    for term in (1 / (j + 2), 1 / (j + 1) ** 2, 1 / (2 * j + 1), j + 1):
        other = Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) * term, (j, 0, n))
        twin = problem_of(other <= 1 / ((n + 1) * q), q < 1)
        refuses(twin, found, "not one such factor")
    late = Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) / (j + 1), (j, 1, n))
    refuses(problem_of(late <= 1 / ((n + 1) * q), q < 1), found, "run from 0")


@pytest.mark.parametrize("power", [j, j**2, j * (j - 1) * (j - 2), 3 * j**3 / 2, (j + 1) ** 2], ids=str)
def test_moments_of_a_row(power: Any) -> None:
    """At numbers, n below the degree included."""
    total = Sum(power * binomial(n, j) * q**j * (1 - q) ** (n - j), (j, 0, n))
    problem = problem_of(total <= 100 * n**3, q < 1)
    found = rows(problem)
    assert found[0]["by"] == "moments"
    for count in (1, 2, 7):
        direct = sum(power.subs(j, i) * binomial(count, i) * Rational(1, 3) ** i * Rational(2, 3) ** (count - i) for i in range(count + 1))
        assert value_of(problem, found, n=count, q=Rational(1, 3)) == direct


@pytest.mark.parametrize("first", [1, 2, 5])
@pytest.mark.parametrize("power", [k, k**2, k * (k - 1) * (k - 2)], ids=str)
def test_moments_of_the_end_of_a_row(power: Any, first: int) -> None:
    """At numbers, from the n at which the sum is empty."""
    i = sympy.Symbol("i", integer=True, nonnegative=True)
    total = Sum(power.subs(k, i) * binomial(n, i) * q**i * (1 - q) ** (n - i), (i, first, n))
    problem = problem_of(total <= 100 * n**3, q < 1, n >= max(1, first - 1))
    found = rows(problem)
    assert found[0]["by"] == "moments"
    for count in (max(1, first - 1), first, 7):
        third = Rational(1, 3)
        terms = (power.subs(k, c) * binomial(count, c) * third**c * (1 - third) ** (count - c) for c in range(first, count + 1))
        assert value_of(problem, found, n=count, q=third) == sum(terms)


@pytest.mark.parametrize("first", [0, 1, 3])
@pytest.mark.parametrize("power", [k, k**2, k * (k - 1) * (k - 2)], ids=str)
def test_moments_of_an_exponential_series(power: Any, first: int) -> None:
    """Against the first sixty terms, which leave less than 10^−60; the terms before the first one do not count."""
    i = sympy.Symbol("i", integer=True, nonnegative=True)
    problem = problem_of(Sum(power.subs(k, i) * a**i / factorial(i), (i, first, oo)) <= 100 * (1 + a**3) * exp(a))
    found = rows(problem)
    assert found[0]["by"] == "moments"
    direct = sum(power.subs(k, number) * half**number / factorial(number) for number in range(first, 60))
    assert abs((value_of(problem, found, a=half) - direct).evalf(60)) < Rational(1, 10**50)


def test_moments_are_of_that_polynomial_and_that_ratio() -> None:
    problem = problem_of(successes <= n * q, q < 1)
    found = rows(problem)
    refuses(problem, found, "not that polynomial", coefficients=["1", "1"])
    refuses(problem, found, "not that polynomial", coefficients=["0", "2"])
    refuses(problem, found, "of high degree", coefficients=["0", "1", *["0"] * 8])
    refuses(problem, found, "not that ratio", ratio=["*", "2", found[0]["ratio"]])
    refuses(problem, found, "not the first term", first=["*", "2", found[0]["first"]])
    refuses(problem, found, "run from 0 to an integer", integers=frozenset())
    late = problem_of(Sum(j * binomial(n, j) * q**j * (1 - q) ** (n - j), (j, 4, n)) <= n * q, q < 1)
    refuses(late, found, "may be negative")
    twice = problem_of(Sum(j * binomial(n, j) ** 2 * q**j * (1 - q) ** (n - j), (j, 0, n)) <= n * q, q < 1)
    refuses(twice, found, "not one such factor")


def test_an_exponential_series_does_not_run_backwards() -> None:
    """Σ_{k=5}^1 is −(1/2! + 1/3! + 1/4!), below e − 1 − …"""
    found = rows(problem_of(Sum(1 / factorial(k), (k, 1, n)) <= E - 1))
    problem = problem_of(Sum(1 / factorial(k), (k, 5, n)) <= 1)
    refuses(problem, found, "run backwards")


def test_the_rest_of_a_series_has_a_name_of_its_own() -> None:
    rest, other = real("rest_0 rest_0_3")
    found = rows(problem_of(Sum(1 / factorial(k), (k, 1, n)) <= E - 1))
    problem = problem_of(Sum(1 / factorial(k), (k, 1, n)) <= E - 1 + rest**2)
    assert set(check_closed(problem, rows(problem), INTEGERS).box) == {"n", "rest_0", "rest_0_2"}
    problem = problem_of(Sum(1 / factorial(k), (k, 1, n)) <= E - 1 + rest**2 + other**2)
    with pytest.raises(DescentRefused, match="a name that is taken"):
        check_closed(problem, rows(problem), INTEGERS)
    with pytest.raises(DescentRefused):
        check_closed(problem, found, INTEGERS)


# --- factorials in a step


def test_factorials_at_n_and_at_the_next_n_are_multiples() -> None:
    """(n + 1)! is (n + 1)·n! and not n·n!: Σ k·k! = (n + 1)! − 1 is not below (n + 1)! − 1."""
    assert certificate_of(claim(Sum(k * factorial(k), (k, 1, n)) >= factorial(n + 1) - 1), 2) is not None
    assert certificate_of(claim(Sum(k * factorial(k), (k, 1, n)) <= factorial(n + 1) - Rational(11, 10)), 0.2) is None
    assert certificate_of(claim(Sum(k * factorial(k), (k, 1, n)) <= factorial(n) * n), 0.2) is None


def test_a_factorial_is_of_what_is_not_negative() -> None:
    """(n − 3)! has no value at n = 1."""
    assert certificate_of(claim(Sum(k, (k, 1, n)) >= 1 - factorial(n + 2)), 2) is not None
    assert certificate_of(claim(Sum(k, (k, 1, n)) >= 1 - factorial(n - 3)), 0.2) is None


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
    step, _ = ratio.parts_of(Problem(sympy.exp(z), sympy.S.One, False, box), "n", "rises")
    step = step.with_fixed({})
    for own in (step, changed(step, ["scaled", "z", "n", "w"], before=False)):
        assert not own.free()[1][0]
    moving = Problem(sympy.exp(z), sympy.S.One, False, {"n": box["n"], "u": box["z"]}, (), {"z": sympy.Symbol("n") + sympy.Symbol("u")})
    tower, (above, below), _ = ratio.parts_of(moving, "n", "rises")[0].with_fixed({}).free()
    assert tower.equal((above, below), (ONE, ONE))


# --- a bound that is a quotient

UNDER = {"u": Interval(Fraction(0), Fraction(1), True, True), "v": Interval(Fraction(0), None)}


def under(a: Any, b: Any, strict: bool = True, **changes: Any) -> Problem:
    """v < 1/(1 + u) as v = b·w, after 1 > v·(1 + u)."""
    su, sv = sympy.symbols("u v")
    own = Problem(sympy.S.One, sv, False, {**UNDER, **changes}, ((sympy.S.One, sv * (1 + su), strict),))
    return changed(own, ["under", "v", 0, "w", a, b], before=True)


def test_a_bound_may_be_a_quotient() -> None:
    one = ["+", "1", "u"]
    good = one, ["^", one, "-1"]
    assert under(*good).box["w"] == Interval(Fraction(0), Fraction(1))
    assert under(*good, strict=False).box["w"] == Interval(Fraction(0), Fraction(1), False, True)
    assert under(*good, v=Interval(Fraction(0), None, True)).box["w"] == Interval(Fraction(0), Fraction(1), True, False)
    assert not under(*good).premises and "v" not in under(*good).box
    for a, b, why in (
        (one, ["*", "2", good[1]], "not that bound"),
        (["*", "2", one], good[1], "not that bound"),
        (["*", "-1", one], ["*", "-1", good[1]], "may not be positive"),
        (["exp", "u"], good[1], "may be undefined"),
        (one, ["*", "v", good[1]], "a number is the text"),
    ):
        with pytest.raises(DescentRefused, match=why):
            under(a, b)
    with pytest.raises(DescentRefused, match="may be negative"):
        under(*good, v=Interval())
    with pytest.raises(DescentRefused, match="may not be positive"):
        under(*good, u=Interval(Fraction(-1), Fraction(1), True, True))


def test_a_variable_does_not_have_the_name_of_a_number() -> None:
    """∫_1^2 2t is 3. With a variable called 1 for the number at the lower end it would be 4 less the square of that variable."""
    one, two = positive("1"), positive("2")
    assert certificate_of(claim(Integral(2 * t, (t, 1, 2)) + a <= 4 - one**2 + a), 0.5) is None
    assert certificate_of(claim(Integral(2 * two, (two, 1, a)) <= a**2), 0.5) is None
    assert certificate_of(claim(Integral(2 * t, (t, 1, 2)) + a <= 3 + a), 1) is not None
    for name in ("1", "-1/2"):
        with pytest.raises(DescentRefused, match="the name of a number"):
            expression_of(["+", name, "3"], [name])
        with pytest.raises(DescentRefused, match="the name of a number"):
            row_of(sympy.Symbol(name))


def test_no_limit_is_taken_of_what_is_still_an_integral(monkeypatch: pytest.MonkeyPatch) -> None:
    """sympy's limit of t·∫ e^(−x)/(x − 2)² took forever; no document can say what it is."""

    def limit(*_: Any) -> None:
        raise AssertionError("a limit that nothing needs")

    monkeypatch.setattr(sympy, "integrate", Integral)
    monkeypatch.setattr(sympy, "limit", limit)
    problem = problem_of(Integral(exp(-a) / (a + 2) ** 2, (a, t, oo)) <= 1)
    assert rows_of(problem, INTEGERS, lambda condition: None) is None
