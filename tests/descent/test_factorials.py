"""Factorials as any positive numbers, tails of series, ratios that fall along a real variable: each condition, and close false twins."""

import copy
from typing import Any

import pytest
from sympy import Rational, Sum, binomial, exp, factorial, gamma, oo, sqrt

from dpbounds import Claim
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.language.functions import HockeyStick, LossTail
from dpbounds.language.symbols import bernoulli, family, index, nonnegative, positive, positive_integer, real, sums_to_one
from tests.descent.statements import claim

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
    (sqrt(2) * gamma((n + 1) / 2) <= sqrt(n) * gamma(n / 2), sqrt(2) * gamma((n + 1) / 2) <= Rational(99, 100) * sqrt(n) * gamma(n / 2),
     []),
    (late <= a**n / factorial(n), late <= Rational(99, 100) * a**n / factorial(n), []),
    (early >= 1 - a ** (n + 1) / factorial(n + 1), early >= 1 - Rational(99, 100) * a ** (n + 1) / factorial(n + 1), []),
    (shifted <= 1 / a, shifted <= Rational(99, 100) / a, []),
    (logarithmic <= 1 - q / 2, logarithmic <= 1 - Rational(11, 20) * q, [q < 1]),
    (LossTail(2 * epsilon, bernoulli(p), bernoulli(q)) <= HockeyStick(epsilon, bernoulli(p), bernoulli(q)) / (1 - exp(-epsilon)),
     LossTail(2 * epsilon, bernoulli(p), bernoulli(q)) <= HockeyStick(epsilon, bernoulli(p), bernoulli(q)) / (1 - exp(-2 * epsilon)),
     [epsilon > 0, p < 1, q < 1]),
]  # fmt: skip


@pytest.mark.parametrize(("then", "twin", "given"), LEMMAS, ids=[str(then) for then, *_ in LEMMAS])
def test_a_lemma_is_settled_and_its_twin_is_not(then: Any, twin: Any, given: Any) -> None:
    assert found_of(claim(then, *given)) is not None
    assert certificate_of(claim(twin, *given), 0.3) is None


@pytest.mark.parametrize(
    ("then", "largest"),
    [
        (2 * factorial(x) >= factorial(x), x),
        (2 * factorial(x + 1) >= (x + 1) * factorial(x), x),
        (3 * binomial(1 + a + x, x) >= 2 * binomial(1 + a + x, x), x),
        (3 * binomial(x, a / 2) >= 2 * binomial(x, a / 2), x - a),
    ],
)
@pytest.mark.parametrize(
    ("total", "then"), [(late, late <= a**n / factorial(n)), (early, early >= 1 - a ** (n + 1) / factorial(n + 1))], ids=["late", "early"]
)
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


