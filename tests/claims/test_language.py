"""What statements of the field contain: each kind of expression in a true claim, with a false twin close to it."""

from dataclasses import replace

import mpmath
import pytest
import sympy
from sympy import Abs, E, Ge, Integral, Le, Piecewise, Rational, Sum, exp, log, oo, sqrt

from dpbounds import Boxes, Claim, Mutant, Search, Verdict, settle
from dpbounds.claims.counterexamples.refute import Refutation, refute_at
from dpbounds.claims.evidence.replay import replay
from dpbounds.claims.statement.instance import truth_at
from dpbounds.errors import ClaimError, ForeignError, LanguageError
from dpbounds.language.enclose import enclose
from dpbounds.language.functions import (
    HockeyStick,
    Infimum,
    KLDivergence,
    LossTail,
    NormalCDF,
    NormalQuantile,
    RenyiDivergence,
    Supremum,
    laplace_density,
    normal_density,
)
from dpbounds.language.symbols import bernoulli, family, index, nonnegative, positive, positive_integer, real

x, mu = real("x mu")
epsilon, q = nonnegative("epsilon q")
b, sigma, p, r, t, delta = positive("b sigma p r t delta")
j = sympy.Symbol("j", integer=True)
k, n = index("k"), positive_integer("n")


def gaussian(mean):
    return normal_density(x, mean, sigma)


def laplace(mean):
    return laplace_density(x, mean, b)


def logistic(mean):
    return exp(-(x - mean)) / (1 + exp(-(x - mean))) ** 2


LINE = (x, -oo, oo)
coins = KLDivergence(bernoulli(p), bernoulli(r))
own = HockeyStick(epsilon, logistic(1), logistic(0), LINE)
distance = Integral(Abs(gaussian(1) - gaussian(0)), LINE) / 2
mixture = q * gaussian(1) + (1 - q) * gaussian(0)


def claim(name, given, then, false):
    return Claim(id=name, text="", given=given, then=then, mutant=Mutant(false, by=Search(tries=20)))


def boxed(name, given, then, false):
    return replace(claim(name, given, then, false), by=Boxes(budget=200))


CLAIMS = [
    claim("pinsker", [p < 1, r < 1], coins >= 2 * (p - r) ** 2, coins >= Rational(201, 100) * (p - r) ** 2),
    claim("chi-square", [p < 1, r < 1], coins <= (p - r) ** 2 / (r * (1 - r)), coins <= Rational(99, 100) * (p - r) ** 2 / (r * (1 - r))),
    boxed("own-density", [epsilon <= 1], own <= Rational(1, 4), own <= Rational(1, 5)),
    boxed("distance", [sigma >= 1, sigma <= Rational(5, 4)], distance <= Rational(45, 100) / sigma, distance <= Rational(37, 100) / sigma),
    boxed(
        "laplace-divergence",
        [b >= 1, b <= Rational(5, 4)],
        KLDivergence(laplace(1), laplace(0), LINE) <= Rational(1, 2) / b,
        KLDivergence(laplace(1), laplace(0), LINE) <= Rational(1, 3) / b,
    ),
    claim(
        "quantile",
        [delta <= Rational(1, 2)],
        NormalQuantile(1 - delta) <= sqrt(2 * log(1 / delta)),
        NormalQuantile(1 - delta) <= sqrt(log(1 / delta)),
    ),
    claim(
        "supremum",
        [],
        Supremum(t * exp(-b * t), (t, 0, oo)) <= 1 / (E * b),
        Supremum(t * exp(-b * t), (t, 0, 10)) <= Rational(99, 100) / (E * b),
    ),
    claim(
        "infimum",
        [],
        Infimum(t + p / t, (t, 0, oo)) >= 2 * sqrt(p),
        Infimum(t + p / t, (t, Rational(1, 10), 10)) >= 2 * sqrt(p) + Rational(1, 10),
    ),
    boxed(
        "supremum-below",
        [b >= 1, b <= 2],
        Supremum(t * exp(-b * t), (t, 0, 2)) >= Rational(36, 100) / b,
        Supremum(t * exp(-b * t), (t, 0, 2)) >= Rational(37, 100) / b,
    ),
    boxed("series", [b >= 1, b <= 3], Sum(exp(-b * k), (k, 1, oo)) <= 1 / b, Sum(exp(-b * k), (k, 1, oo)) <= Rational(1, 2) / b),
]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_and_their_false_twins(claim):
    outcome = settle(claim, budget=10)
    assert (outcome.verdict, outcome.mutant.verdict) == (Verdict.CERTIFIED, Verdict.REFUTED), outcome.detail
    assert replay(outcome.certificate, claim).verdict is Verdict.CERTIFIED
    assert replay(outcome.mutant.certificate, claim.twin(claim.mutant)).verdict is Verdict.REFUTED


def test_a_strict_bound_of_a_supremum_is_not_a_bound_of_its_values():
    """sup of t/(1+t) over t > 0 is 1, which no value reaches."""
    below = t / (1 + t)
    assert settle(Claim(id="a", text="", then=Supremum(below, (t, 0, oo)) <= 1), budget=3).verdict is Verdict.CERTIFIED
    assert settle(Claim(id="b", text="", then=Supremum(below, (t, 0, oo)) < 1), budget=3, contained=True).verdict is not Verdict.CERTIFIED


@pytest.mark.parametrize("then", [Supremum(-Abs(t) * b + 1, (t, -oo, 0)) <= 1, Integral(exp(-Abs(t)), (t, -oo, oo)) <= b + 1], ids=str)
def test_a_range_beyond_the_sign_of_its_variable_is_bad_input(then):
    """Written with a positive t, |t| is t; over all numbers it is another function."""
    with pytest.raises(ClaimError, match="t runs to -oo, which its own assumptions exclude"):
        Claim(id="a", text="", then=then)


@pytest.mark.parametrize("kind", [Supremum, Integral])
def test_the_end_of_a_range_has_the_sign_of_its_variable(kind):
    """√(1 − e^{−2000}) − 1 is negative, but not in the digits that are looked at; |t| − t is 0 for a positive t only."""
    least = sqrt(1 - exp(-2000)) - 1
    for end in (least, sympy.Mul(0, log(0, evaluate=False), evaluate=False)):
        with pytest.raises(ClaimError, match="its own assumptions exclude, or seem to"):
            Claim(id="a", text="", then=kind(Abs(t) - t + b, (t, end, 1)) <= 2 * b)
    assert Claim(id="a", text="", then=kind(Abs(x) - x + b, (x, least, 1)) <= 2 * b)
    assert Claim(id="a", text="", then=kind(t + b, (t, exp(-2000), oo)) <= 2 * b)


def test_an_empty_range_has_no_extremum():
    upper = Claim(id="a", text="", given=[b <= 2], then=Supremum(exp(-t), (t, 1, b)) <= 1)
    assert settle(replace(upper, by=Boxes(budget=20))).verdict is Verdict.UNDECIDED
    assert settle(Claim(id="a", text="", given=[b <= 2, b > 1], then=upper.then), budget=3).verdict is Verdict.CERTIFIED


@pytest.mark.parametrize(
    ("then", "point"),
    [
        (Ge(Supremum(sqrt(x), (x, -1, 1)), 2, evaluate=False), {}),
        (Le(Supremum(1 / t, (t, 0, 1)), 2, evaluate=False), {}),
        (HockeyStick(0, gaussian(0) - gaussian(1), gaussian(0), LINE) >= 2, {sigma: 1}),
        (Ge(Integral(1 / x, (x, -1, oo)), 100, evaluate=False), {}),
        (NormalQuantile(p) <= -100, {p: 1}),
        (Le(Sum(1 / k, (k, 1, oo)), 1, evaluate=False), {}),
        (KLDivergence(bernoulli(p), bernoulli(r)) >= 100, {p: 2, r: Rational(1, 2)}),
    ],
    ids=str,
)
def test_what_has_no_value_refutes_nothing(then, point):
    assert not isinstance(refute_at(Claim(id="a", text="", then=then), point), Refutation)


def test_what_is_built_of_a_divergent_integral_has_no_value():
    """0 times it is not 0."""
    u, a = nonnegative("u"), nonnegative("a")
    for term, high, has_value in ((1 / u, 1, False), (1 / (1 + u), sympy.oo, False), (1 / sympy.sqrt(u), 1, True)):
        found = truth_at(a * sympy.Integral(term, (u, 0, high)) >= 1, {a: sympy.S.Zero})
        assert found is (False if has_value else None)
    assert truth_at(a * Supremum(u, (u, 0, sympy.oo)) >= 1, {a: sympy.S.Zero}) is None


def test_tables_with_zeros_have_a_divergence():
    zero = Claim(id="a", text="", given=[p < 1], then=KLDivergence((p, 1 - p, 0), (p, 1 - p, 0)) <= 0)
    assert settle(zero, budget=3).verdict is Verdict.CERTIFIED
    assert KLDivergence((1, 0), (0, 1)).definition() is oo
    i, first, second = index("i"), family("u"), family("v")
    over = Claim(id="b", text="", then=KLDivergence(first[i], second[i], (i, 1, n)) <= 0)
    halves = (Rational(1, 2), Rational(1, 2))
    assert isinstance(refute_at(over, {n: 2, first: halves, second: (Rational(1, 4), Rational(3, 4))}), Refutation)


VALUES = [
    (RenyiDivergence(Rational(5, 2), mixture, gaussian(0), LINE), {sigma: 2, q: Rational(1, 10)}, lambda: _sampled(mpmath.mpf(5) / 2)),
    (KLDivergence(gaussian(1), gaussian(0), LINE), {sigma: 2}, lambda: mpmath.mpf(1) / 8),
    (KLDivergence(logistic(1), logistic(0), LINE), {}, lambda: mpmath.quad(_loss, [-150, -60, -20, -5, 0, 1, 5, 20, 60, 150])),
    (Integral(x**4 * gaussian(mu), LINE), {sigma: 2, mu: 1}, lambda: mpmath.mpf(1 + 6 * 4 + 3 * 16)),
    (Integral(1 / (sympy.pi * (1 + x**2)), LINE), {}, lambda: mpmath.mpf(1)),  # what is beyond the cut is seen
    (Integral(exp(-Abs(x - 30)), LINE), {}, lambda: mpmath.mpf(2)),
    (Integral(exp(-b * x), (x, 1, oo)), {b: 3}, lambda: mpmath.exp(-3) / 3),
    (Integral(log(1 + exp(-x)), (x, 0, oo)), {}, lambda: mpmath.pi**2 / 12),
    (Integral(2 * gaussian(0) * NormalCDF(mu * x), LINE), {sigma: 1, mu: 3}, lambda: mpmath.mpf(1)),
    (Sum(1 / k**2, (k, 1, oo)), {}, lambda: mpmath.pi**2 / 6),
    (Sum(k * exp(-b * k), (k, 2, oo)), {b: 1}, lambda: mpmath.nsum(lambda j: j * mpmath.exp(-j), [2, mpmath.inf])),
    (NormalQuantile(p), {p: Rational(1, 10**9)}, lambda: -mpmath.sqrt(2) * mpmath.erfinv(1 - mpmath.mpf(2) / 10**9)),
    (NormalQuantile(p), {p: Rational(99, 100)}, lambda: mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(98) / 100)),
    (Supremum(t * exp(-t), (t, 0, 5)), {}, lambda: mpmath.exp(-1)),
]


def _logistic(v):
    return mpmath.exp(-v) / (1 + mpmath.exp(-v)) ** 2


def _sampled(order):
    def term(v):
        left, right = mpmath.npdf(v, 1, 2) / 10 + mpmath.npdf(v, 0, 2) * 9 / 10, mpmath.npdf(v, 0, 2)
        return left**order * right ** (1 - order)

    return mpmath.log(mpmath.quad(term, [-40, -8, 0, 8, 40])) / (order - 1)


def _loss(v):
    return _logistic(v - 1) * mpmath.log(_logistic(v - 1) / _logistic(v))


@pytest.mark.parametrize(("expression", "point", "known"), VALUES, ids=lambda value: getattr(value, "__name__", str(value)))
def test_values_against_independent_ones(expression, point, known):
    with mpmath.workdps(40):
        value = known()
        found = enclose(expression, {v: sympy.Rational(c) for v, c in point.items()}, 100)
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        assert low - mpmath.mpf(10) ** -30 <= value <= high + mpmath.mpf(10) ** -30
        assert high - low <= abs(value) / 100


def test_a_box_holds_the_integrals_of_its_points():
    wide = enclose(distance, {sigma: (1, Rational(9, 8))})
    for at in (1, Rational(17, 16), Rational(9, 8)):
        value = enclose(distance, {sigma: at})
        assert wide.lower <= value.lower and value.upper <= wide.upper
    assert wide.upper - wide.lower < Rational(1, 2)


OUTSIDE = [
    (sympy.Function("f")(x) <= 1, "Python function"),
    (sympy.sin(x) <= 1, "put a variable in its place"),
    (sympy.erfinv(p) <= 1, "NormalQuantile"),
    (Le(sympy.Product(1 + p**k, (k, 1, 5)), 10, evaluate=False), "exp.Sum.log"),
    (Le(Integral(Piecewise((x, x > 0), (0, True)), (x, -1, 1)), p, evaluate=False), "split the integral"),
    (LossTail(epsilon, laplace(1), laplace(0), LINE) <= 1, "split the integral"),
    (Supremum(exp(-b * t) * t - b, (t, 0, oo)) + 1 <= 1, "with t as a variable"),
    (Supremum(b**n, (n, 1, 5)) <= 1, "runs over a real variable"),
    (Le(Sum(exp(j), (j, -oo, 0)), 2, evaluate=False), "a sum starts at a number"),
]


@pytest.mark.parametrize(("then", "words"), OUTSIDE, ids=str)
def test_what_is_outside_is_bad_input_with_the_way_round(then, words):
    outcome = settle(Claim(id="a", text="", then=then), budget=2, contained=True)
    assert outcome.bad_input and outcome.verdict is Verdict.UNDECIDED
    with pytest.raises((ForeignError, LanguageError), match=words):
        settle(Claim(id="a", text="", then=then), budget=2)


def test_the_inverse_and_its_function_agree_on_boxes():
    claim = Claim(
        id="a", text="", given=[p >= Rational(1, 4), p <= Rational(3, 4)], then=NormalCDF(NormalQuantile(p)) <= p + Rational(1, 10)
    )
    assert settle(claim, budget=10).verdict is Verdict.CERTIFIED
