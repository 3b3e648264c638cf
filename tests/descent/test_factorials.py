"""Factorials as any positive numbers, tails of series, ratios that fall along a real variable: each condition, and close false twins."""

import copy
from dataclasses import replace
from typing import Any

import mpmath
import pytest
import sympy
from sympy import Rational, Sum, binomial, exp, factorial, gamma, oo, sqrt

from dpbounds import Claim
from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.factorials import with_factorials
from dpbounds.descent.induction import parts_of_step
from dpbounds.descent.integrals.closed import check_closed
from dpbounds.descent.parts import parts_at_ends
from dpbounds.descent.problem import Problem
from dpbounds.descent.ratio import parts_of
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.closing import rows_of as rows_of_problem
from dpbounds.descent.search.solve import solve
from dpbounds.language.functions import HockeyStick, LossTail
from dpbounds.language.symbols import bernoulli, family, index, nonnegative, positive, positive_integer, real, sums_to_one
from tests.descent.statements import claim, problem_of

n, m = positive_integer("n m")
i, j = index("i"), index("j", start=0)
a, b, p, q = positive("a b p q")
P, Q, S = map(family, "PQS")
epsilon, x = nonnegative("epsilon"), real("x")
half = Rational(1, 2)
INTEGERS = frozenset({"n", "m"})
term = exp(-a) * a**j / factorial(j)
late = Sum(term, (j, n, oo))
early = Sum(term, (j, 0, n))
shifted = Sum(term / (j + 1), (j, 0, oo))
logarithmic = Sum((1 - q) * q**j / (j + 1), (j, 0, oo))


def found_of(own: Claim) -> Any:
    found = certificate_of(own, 4)
    assert found is not None
    assert found is not None
    return copy.deepcopy(found)


LEMMAS = [
    (gamma(a + half) <= sqrt(a) * gamma(a), gamma(a + half) <= Rational(99, 100) * sqrt(a) * gamma(a), []),
    (
        sqrt(2) * gamma((n + 1) / 2) <= sqrt(n) * gamma(n / 2),
        sqrt(2) * gamma((n + 1) / 2) <= Rational(99, 100) * sqrt(n) * gamma(n / 2),
        [],
    ),
    (late <= a**n / factorial(n), late <= Rational(99, 100) * a**n / factorial(n), []),
    (early >= 1 - a ** (n + 1) / factorial(n + 1), early >= 1 - Rational(99, 100) * a ** (n + 1) / factorial(n + 1), []),
    (shifted <= 1 / a, shifted <= Rational(99, 100) / a, []),
    (logarithmic <= 1 - q / 2, logarithmic <= 1 - Rational(11, 20) * q, [q < 1]),
    (
        LossTail(2 * epsilon, bernoulli(p), bernoulli(q)) <= HockeyStick(epsilon, bernoulli(p), bernoulli(q)) / (1 - exp(-epsilon)),
        LossTail(2 * epsilon, bernoulli(p), bernoulli(q)) <= HockeyStick(epsilon, bernoulli(p), bernoulli(q)) / (1 - exp(-2 * epsilon)),
        [epsilon > 0, p < 1, q < 1],
    ),
]


@pytest.mark.parametrize(("then", "twin", "given"), LEMMAS, ids=[str(then) for then, *_ in LEMMAS])
def test_a_lemma_is_settled_and_its_twin_is_not(then: Any, twin: Any, given: Any) -> None:
    assert found_of(claim(then, *given)) is not None
    assert certificate_of(claim(twin, *given), 0.3) is None


@pytest.mark.parametrize("length", [0, -1, 5, 1.0, True, "1"])
def test_a_step_of_a_ratio_has_a_small_whole_length(length: Any) -> None:
    (problem,) = problems_of(claim(gamma(a + half) <= sqrt(a) * gamma(a)))
    with pytest.raises(DescentRefused, match="another length"):
        parts_of(problem, "a", "falls", length)


def test_only_a_ratio_that_falls_has_long_steps() -> None:
    """From n to n + 2 alone a ratio that rises says nothing of the even n."""
    (problem,) = problems_of(claim(factorial(n) >= 2 ** (n - 1)))
    parts_of(problem, "n", "rises")
    with pytest.raises(DescentRefused, match="another length"):
        parts_of(problem, "n", "rises", 2)


def test_steps_of_two_are_needed_for_halves() -> None:
    (part,) = found_of(claim(sqrt(2) * gamma((n + 1) / 2) <= sqrt(n) * gamma(n / 2)))["problems"]
    (problem,) = problems_of(claim(sqrt(2) * gamma((n + 1) / 2) <= sqrt(n) * gamma(n / 2)))
    assert part["length"] == 2


@pytest.mark.parametrize(
    ("then", "largest"),
    [
        (2 * factorial(x) >= factorial(x), x),
        (2 * factorial(x + 1) >= (x + 1) * factorial(x), x),
        (3 * binomial(1 + a + x, x) >= 2 * binomial(1 + a + x, x), x),
        (3 * binomial(x, a / 2) >= 2 * binomial(x, a / 2), x - a),
    ],
)
def test_a_factorial_of_what_may_be_negative_has_no_value(then: Any, largest: Any) -> None:
    """z! needs z ≥ 0, though Γ(z + 1) > 0 for z > −1; for whole numbers that is the same."""
    assert certificate_of(claim(then, largest > -half), 0.3) is None
    found_of(claim(then, largest >= 0))


def test_a_factorial_may_be_any_positive_number_and_no_other() -> None:
    """2·n! ≥ n! holds of every positive number; n! ≥ 1 does not, and (n + 1)! = (n + 1)·n!."""
    for large, small, holds in (
        (2 * factorial(n), factorial(n), True),
        (factorial(n + 1), 2 * factorial(n), True),
        (factorial(n + 1), 3 * factorial(n), False),
        (factorial(n), sympy.S.One, False),
    ):
        own = with_factorials(problem_of(sympy.Ge(large, small, evaluate=False)))
        assert (solve(own, 0.5) is not None) is holds
    with pytest.raises(DescentRefused, match="not an inequality with factorials"):
        with_factorials(with_factorials(problem_of(2 * factorial(n) >= a)))


def rows_of(then: Any, *given: Any) -> tuple[Problem, Any]:
    own = claim(then, *given)
    found = next(part for part in found_of(own)["problems"] if "closed" in part)
    problem = next(problem for problem in problems_of(own) if problem.large.has(Sum) or problem.small.has(Sum))
    return problem, found["closed"]


@pytest.mark.parametrize(
    ("total", "then"),
    [(late, late <= a**n / factorial(n)), (early, early >= 1 - a ** (n + 1) / factorial(n + 1))],
    ids=["late", "early"],
)
def test_a_tail_is_at_most_its_bound(total: Any, then: Any) -> None:
    """The bound less w at w = 0, by numbers: at least the tail, and e^a/a! times too large at most."""
    problem, rows = rows_of(then)
    assert rows[0]["by"] == "tail"
    closed = check_closed(problem, rows, INTEGERS)
    (value,) = closed.nodes.values()
    (rest,) = set(closed.box) - set(problem.box)
    for number, rate in ((1, 2), (3, 1), (4, 9), (7, 3)):
        at = {"n": number, "a": rate, rest: 0}
        bound = mpmath.mpf(sympy.N(value.subs({sympy.Symbol(name): v for name, v in at.items()}), 30))
        last = 60 if total is late else number
        truth = mpmath.fsum(
            mpmath.exp(-rate) * mpmath.mpf(rate) ** k / mpmath.factorial(k) for k in range(number if total is late else 0, last + 1)
        )
        assert bound >= truth if total is late else bound <= truth


def test_a_tail_has_its_ratio_its_signs_and_a_first_index() -> None:
    problem, rows = rows_of(late <= a**n / factorial(n))

    def refused(own: Problem, why: str, integers: frozenset[str] = INTEGERS, **changes: Any) -> None:
        with pytest.raises(DescentRefused, match=why):
            check_closed(own, [{**rows[0], **changes}], integers)

    refused(problem, "not that ratio", ratio=["*", "2", "a"])
    refused(problem, "not the first term", first="1")
    refused(problem, "begin at an integer", integers=frozenset())
    alternating = problem_of(Sum(exp(-a) * (-a) ** j / factorial(j), (j, n, oo)) <= a**n / factorial(n))
    refused(alternating, ".", ratio=["*", "-1", "a"])
    below = replace(problem, box={**problem.box, "n": replace(problem.box["n"], low=problem.box["n"].low - 3)})  # type: ignore[operator]
    refused(below, "begins below 0")


@pytest.mark.parametrize(
    ("then", "total", "given"),
    [(shifted <= 1 / a, shifted, []), (logarithmic <= 1, logarithmic, [q < 1])],
    ids=["exponential", "logarithm"],
)
def test_a_series_divided_by_its_index_and_one(then: Any, total: Any, given: Any) -> None:
    problem, rows = rows_of(then, *given)
    assert rows[0]["by"] == "absorbed"
    (value,) = check_closed(problem, rows, INTEGERS).nodes.values()
    for at in (Rational(1, 3), Rational(9, 10)):
        own = mpmath.mpf(sympy.N(value.subs({sympy.Symbol(name): at for name in "aq"}), 30))
        terms = sympy.lambdify((j, *sorted(total.free_symbols, key=str)), total.args[0], "mpmath")
        with mpmath.workdps(30):
            direct = mpmath.nsum(lambda k, terms=terms, at=at: terms(k, mpmath.mpf(at.p) / at.q), [0, mpmath.inf])
        assert abs(own - direct) <= mpmath.mpf(10) ** -12

    def refused(own: Problem, why: str, **changes: Any) -> None:
        with pytest.raises(DescentRefused, match=why):
            check_closed(own, [{**rows[0], **changes}], INTEGERS)

    refused(problem, "not that ratio", ratio=["*", "2", rows[0]["ratio"]])
    other = total.func(total.args[0] * (j + 1) / (j + 2), total.args[1])
    refused(problem_of(other <= 1, *given), "not one such factor")
    late_start = total.func(total.args[0], (j, 1, oo))
    refused(problem_of(late_start <= 1, *given), "begin at 0")
    if total is logarithmic:
        refused(problem, "not one such factor", by="exponential")
    else:  # without the factorial it would be a logarithm
        refused(problem, ".", signs=[rows[0]])


def test_what_tends_to_one_has_no_logarithmic_series() -> None:
    """Σ q^k/(k + 1) has no closed form where q may be 1, or more."""
    total = Sum(q**j / (j + 1), (j, 0, oo))
    found_of(claim(Sum((1 - q) * q**j / (j + 1), (j, 0, oo)) <= 1, q < 1))
    assert certificate_of(claim(total >= 1, q <= 1), 0.3) is None
    assert certificate_of(claim(total >= 1), 0.3) is None


def test_premises_times_positive_monomials_settle_a_table() -> None:
    """The triangle inequality of hockey-stick divergences of any finite laws, term by term."""
    over = (i, 1, n)
    near, far, whole = HockeyStick(a, P[i], Q[i], over), HockeyStick(b, Q[i], S[i], over), HockeyStick(a + b, P[i], S[i], over)
    given = [sums_to_one(law, over) for law in (P, Q, S)]
    found_of(claim(whole <= near + exp(a) * far, *given))
    assert certificate_of(claim(whole <= near + exp(a - Rational(1, 10)) * far, *given), 0.5) is None


roots = Sum(binomial(2 * j, j) / 4**j, (j, 0, n))


@pytest.mark.parametrize(
    "then",
    [
        roots <= Rational(28, 25) * sqrt(n + 1),  # the limit of the ratio is below 1
        roots <= Rational(6, 5) * sqrt(n + 1) - Rational(1, 4),  # the step holds, the start does not
        roots <= sqrt(n + 3),  # the start holds, the step does not
        roots >= Rational(6, 5) * sqrt(n + 1),
    ],
    ids=str,
)
def test_a_start_and_every_step_are_needed(then: Any) -> None:
    (part,) = found_of(claim(roots <= Rational(6, 5) * sqrt(n + 1)))["problems"]
    assert certificate_of(claim(then), 0.5) is None


@pytest.mark.parametrize(
    "then", [2 * roots <= 3 * sqrt(n + 1), roots + n <= 3 * n + 3, Sum(binomial(n, j), (j, 0, n)) <= 3**n, roots <= n + roots / 2], ids=str
)
def test_a_step_is_that_of_a_whole_side(then: Any) -> None:
    with pytest.raises((DescentRefused, IndexError)):
        parts_of_step(problem_of(sympy.Le(then.lhs, then.rhs, evaluate=False)), "n")


def test_only_the_first_term_of_a_series_at_zero() -> None:
    """Σ u^k/k! is 1 at u = 0, for any last index that is not below the first."""
    u = nonnegative("u")
    whole = Sum(u**j / factorial(j), (j, 0, n))
    found_of(claim(whole <= exp(u)))
    assert certificate_of(claim(whole <= exp(u) - Rational(1, 100)), 0.3) is None
    (problem,) = problems_of(claim(whole <= exp(u)))
    at_zero = parts_at_ends(problem, "u")[1]
    rows = rows_by(at_zero)
    assert rows[0]["by"] == "first"
    (value,) = check_closed(at_zero, rows, INTEGERS).nodes.values()
    assert sympy.simplify(value.subs(u, 0)) == 1
    with pytest.raises(DescentRefused, match="not run to an integer"):
        check_closed(at_zero, rows, frozenset())
    (late_first,) = problems_of(claim(Sum(u**j / factorial(j), (j, 3, n)) <= 1))
    with pytest.raises(DescentRefused, match="may be empty"):
        check_closed(parts_at_ends(late_first, "u")[1], rows, INTEGERS)
    (two,) = problems_of(claim(Sum((u**j + u ** (j + 1) + u) / factorial(j), (j, 0, n)) <= 1))
    check_closed(parts_at_ends(two, "u")[1], rows_by(parts_at_ends(two, "u")[1]), INTEGERS)
    for other in (Sum((u**j + j) / factorial(j), (j, 0, n)), Sum(u ** (j - 1) / factorial(j), (j, 0, n))):
        (twin,) = problems_of(claim(other <= 1))
        with pytest.raises(DescentRefused):
            check_closed(parts_at_ends(twin, "u")[1], rows, INTEGERS)


def rows_by(problem: Problem) -> Any:
    found = rows_of_problem(problem, INTEGERS, lambda condition: solve(condition, 1))
    assert found is not None
    return found


@pytest.mark.parametrize("even", [sympy.Symbol("e", even=True), sympy.Mul(2, sympy.Symbol("k", integer=True), evaluate=False)])
def test_what_is_no_whole_number_is_not_taken_for_one(even: Any) -> None:
    """e·(e − 4)/6 is −2/3 at e = 2, and (−2/3)! has no value."""
    third = sympy.Mul(even, even - 4, Rational(1, 6), evaluate=False)
    (v,) = even.free_symbols
    own = claim(2 * factorial(third) >= factorial(third), v >= 0)
    assert certificate_of(own, 0.3) is None
    known = claim(2 * factorial(even / 2) >= factorial(even / 2), v >= 0)
    assert certificate_of(known, 4) is not None
