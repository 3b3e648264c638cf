"""The search for counterexamples: what it finds is exact and simple, and it finds nothing where there is nothing."""

import time

import pytest
from sympy import And, Eq, Max, Or, Rational, Sum, Symbol, exp, log, sqrt

from dpbounds import Claim
from dpbounds.claims import Search, clock
from dpbounds.claims.counterexamples.refute import Refutation
from dpbounds.claims.counterexamples.search import _optimise, find_point, search
from dpbounds.claims.domain import Domain
from dpbounds.language.functions import SampledGaussianRenyi
from dpbounds.language.symbols import family, index, integer, positive, positive_integer, real, sums_to_one

x, y = real("x y")
n = integer("n")
s, q, alpha = positive("s q alpha")
p, i, m = family("p"), index("i"), positive_integer("m")
j = index("j")


def found(then, *given, tries=600, seed=0):
    return search(Claim(id="c", text="", given=given, then=then), Search(tries=tries, seed=seed))


def test_a_sum_that_fails_far_out():
    """Σ 1/√k ≤ 1.9√n holds for n up to 213."""
    point = found(Sum(1 / sqrt(j), (j, 1, m)) <= Rational(19, 10) * sqrt(m))
    assert isinstance(point, Refutation) and 213 < point.point[m] <= 1000


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (x**2 >= x, []),
        (exp(x) >= 1 + x + Rational(1, 50), [x >= -1, x <= 1]),
        (x + y <= Rational(3, 2), [x >= 0, x <= 1, y >= 0, y <= 1]),
        (n**2 >= 4, [n >= 1]),
        (2**n <= 10**6, [n >= 0, n <= 60]),
        (Max(x, 1 - x) >= Rational(51, 100), [x >= 0, x <= 1]),
        (Or(x <= Rational(1, 3), x >= Rational(1, 2)), [x >= 0, x <= 1]),
        (And(x <= 1, y <= Rational(9, 10)), [x >= 0, x <= 1, y >= 0, y <= 1]),
        (sqrt(x) >= x, [x >= 0]),
        (log(x) <= x - 1 - Rational(1, 100), [x > 0]),
        (p[1] <= Rational(1, 2), [sums_to_one(p, (i, 1, m))]),
        (SampledGaussianRenyi(alpha, s, q) <= alpha * q**2 / s**2, [s >= 1, q <= 1 / (16 * s), alpha > 1, alpha <= 8]),
        (Symbol("e", even=True, positive=True) >= 4, [Symbol("e", even=True, positive=True) <= 10]),
    ],
)
def test_false_claims_are_refuted_at_simple_points(then, given):
    refutation = found(then, *given)
    assert isinstance(refutation, Refutation), refutation
    claim = Claim(id="c", text="", given=given, then=then)
    assert Domain.of_claim(claim).contains(refutation.point) is True
    for value in refutation.point.values():
        for entry in value if isinstance(value, tuple) else (value,):
            assert entry.is_Rational and abs(entry.q) <= 10**6


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (x**2 >= 2 * x - 1, []),
        (exp(x) >= 1 + x, []),
        (n**2 >= n, []),
        (log(x) <= x - 1, [x > 0]),
        (x <= 1, [Eq(x**2, 1)]),
        (p[1] <= 1, [sums_to_one(p, (i, 1, m))]),
        (Symbol("e", even=True, positive=True) ** 2 + x**2 >= 4, [Symbol("e", even=True, positive=True) <= 10]),
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_true_claims_are_not_refuted(then, given, seed):
    assert isinstance(found(then, *given, tries=150, seed=seed), str)


def test_the_search_ends_in_time():
    start = time.monotonic()
    assert "time is up" in search(Claim(id="c", text="", then=exp(x) >= 1 + x), Search(tries=10**6), deadline=clock.now())
    assert time.monotonic() - start < 30


def test_the_same_seed_finds_the_same_point():
    first, second = (found(x**3 + y**3 >= x * y, x >= 0, y >= 0, seed=5) for _ in range(2))
    assert first.point == second.point


def test_points_of_a_domain():
    assert find_point(Claim(id="c", text="", given=[x >= 2, x <= 3, y**2 <= x], then=x >= y))[x] >= 2
    assert find_point(Claim(id="c", text="", given=[x >= 0, x <= 1, x**2 >= 2], then=x >= 0), tries=100) is None
    assert len(find_point(Claim(id="c", text="", given=[sums_to_one(p, (i, 1, m))], then=p[1] <= 1))[p]) >= 1


def test_the_optimiser_gives_up_in_time():
    """Time that runs out inside of the optimiser ends the search, not the program."""
    claim = Claim(id="c", text="", given=[x >= 0, x <= 1, y >= 0, y <= 1], then=x + y <= 2)
    assert _optimise(claim, Domain.of_claim(claim), Search(), clock.now() - 1) is None


def test_a_bound_that_a_premise_states_is_tried():
    """They fail within 1 of that bound, or within 5 % of it, alone."""
    bound = 100 * exp(s) * log(2 / q)
    point = found(alpha >= 1 + bound, s >= 1, q <= 1, alpha >= bound)
    assert isinstance(point, Refutation) and point.point[alpha] > 188
    point = found(m >= Rational(21, 20) * exp(6) * log(2 / q), q <= 1, m >= exp(6) * log(2 / q))
    assert isinstance(point, Refutation) and point.point[m].is_integer
    assert isinstance(found(alpha >= bound - 1, s >= 1, q <= 1, alpha >= bound, tries=20), str)
