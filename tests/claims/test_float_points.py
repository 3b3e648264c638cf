"""Points found in floats: they are exact, they refute false claims about families and about corners of premises, and no true one."""

import itertools
import random

import pytest
import sympy

from dpbounds import notation
from dpbounds.claims.claim import Claim
from dpbounds.claims.counterexamples.float_gaps import float_gaps
from dpbounds.claims.counterexamples.float_points import float_points
from dpbounds.claims.counterexamples.refute import Refutation, refute_at
from dpbounds.claims.counterexamples.search import find_point, search
from dpbounds.claims.domain import Domain
from dpbounds.claims.plans import Search
from dpbounds.claims.settling import settle
from dpbounds.claims.statement import instance
from dpbounds.notation import *

e, d, q = nonnegative("e d q")
s, t = positive("s t")
n, k = positive_integer("n k")
i = index("i")
over = (i, 1, n)
p, o = laws("p o", over, "positive")
g = family("g", "real")
close = [p, o, for_each(over, p[i] <= exp(e) * o[i]), for_each(over, o[i] <= exp(e) * p[i])]


def claim_of(given, then):
    return Claim(id="c", text="", given=given, then=then)


PAIRS = [
    ("families that agree within a factor", close,
     lambda c: Sum(p[i] * log(p[i] / o[i]), over) <= c * e * (exp(e) - 1) / (exp(e) + 1), 1, 0.95),
    ("their order two", close, lambda c: RenyiDivergence(2, p, o) <= c * e**2, 1, 0.95),
    ("a sum of differences", close, lambda c: Sum(Abs(p[i] - o[i]), over) / 2 <= (exp(e) - 1) / (exp(e) + c), 1, 1.05),
    ("a least mass", [p, o, d > 0, for_each(over, o[i] >= d)], lambda c: Sum(p[i] ** 2 / o[i], over) <= c / d, 1, 0.95),
    ("a sampled law", [p, o, q <= 1], lambda c: HockeyStick(0, q * p + (1 - q) * o, o) <= c * q * HockeyStick(0, p, o), 1, 0.95),
    ("a mean of 0", [p, for_each(over, g[i] <= 1), for_each(over, g[i] >= -1), Eq(Sum(p[i] * g[i], over), 0)],
     lambda c: Sum(p[i] * exp(g[i]), over) <= c * (exp(1) + exp(-1)) / 2, 1, 0.95),
    ("a corner of a premise", [s <= t, t <= (1 + d) * s], lambda c: log(t / s) + s**2 / (2 * t**2) - Rational(1, 2) <= c * d**2, 1, 0.95),
    ("a premise with a whole number", [q > 0, q < 1, k * (q**2 / 2 - q**3 / 3) >= 4 * log(n)],
     lambda c: n**2 * exp(c * k * (log(1 + q) - q) / 2) <= 1, 1, 0.95),
    ("far out", [e > 0, e <= 1, d > 0, d < 1, s >= sqrt(2 * log(5 / (4 * d))) / e], lambda c: GaussianDelta(e, c * s, 1) <= d, 1, 0.85),
]  # fmt: skip


@pytest.mark.parametrize(("given", "then", "true", "false"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS])
def test_the_false_twin_alone_is_refuted(given, then, true, false):
    wrong, right = (claim_of(given, then(Rational(str(c)))) for c in (false, true))
    points = itertools.islice(float_points(wrong, Domain.of_claim(wrong), 0, 30), 4)
    found = next(point for point in points if isinstance(refute_at(wrong, point), Refutation))
    assert not isinstance(refute_at(right, found), Refutation)


def test_floats_and_exact_numbers_say_the_same():
    """At random points the sign of the gap in floats is that of the statement, and premises hold in both or in neither."""
    rng, seen = random.Random(5), set()
    claim = claim_of([*close, e <= 2], Sum(p[i] * Max(log(p[i] / o[i]), 0), over) <= e / 2)
    domain = Domain.of_claim(claim)
    gaps = float_gaps(claim, domain, 3)
    for _ in range(40):
        weights = [sympy.Rational(rng.randrange(1, 9), 4) for _ in gaps.symbols]
        value = gaps.value([float(weight) for weight in weights])
        point = gaps.point([*weights])
        if value > 1:
            assert domain.contains(point) is False
        else:
            assert domain.contains(point) is True and instance.truth_at(claim.then, point) is (value >= 0)
            seen.add(value >= 0)
    assert seen == {True, False}


def test_a_domain_with_an_equation_between_families_has_a_point():
    claim = claim_of([p, for_each(over, g[i] <= 1), for_each(over, g[i] >= -1), Eq(Sum(p[i] * g[i], over), 0)], Sum(p[i] * g[i], over) <= s)
    assert Domain.of_claim(claim).contains(find_point(claim)) is True


def test_what_floats_do_not_evaluate_has_no_points():
    claim = claim_of([], Eq(s, t))
    assert float_gaps(claim, Domain.of_claim(claim), 2) is None
    assert list(float_points(claim, Domain.of_claim(claim), 0, 5)) == []


def test_a_series_is_looked_at_in_floats():
    sigma, ell = notation.real("sigma"), index("ell")
    total = 1 + 2 * Sum(exp(-(ell**2) / (2 * sigma**2)), (ell, 1, oo))
    claim = Claim(id="a", text="", given=[sigma > 0], then=total <= Rational(3, 5) + sqrt(2 * notation.pi) * sigma)
    assert isinstance(search(claim, Search(tries=60)), Refutation)


def test_a_hockey_stick_of_laplace_densities_has_a_closed_form_under_premises():
    b, eps, x = notation.real("b eps x")
    densities = [notation.laplace_density(x, mean, b) for mean in (1, 0)]
    stick, given = HockeyStick(eps, *densities, (x, -oo, oo)), [b > 0, eps >= 0, eps <= 1 / b]
    true, false = (Claim(id="a", text="", given=given, then=stick <= 1 - exp((eps - 1 / b) / k)) for k in (2, 3))
    assert settle(true, budget=5).verdict.holds
    assert settle(false, budget=5).verdict.holds is False


@pytest.mark.parametrize("side", [2 ** ceiling(s / t), Sum(1 / i, (i, 1, floor(s / t)))], ids=str)
def test_a_large_rounding_is_no_exact_power_and_no_number_of_terms(side):
    """Exactly, the power has 10^7 bits, and the sum as many terms: no search in time ends with them."""
    claim = claim_of([], side <= s)
    gaps = float_gaps(claim, Domain.of_claim(claim), 2)
    for ratio, found in ((2.0, False), (1e7, True)):
        assert (gaps.value([1.0 if x.name == "t" else ratio for x in gaps.symbols]) == float("inf")) is found
