"""Densities of the user's: closed cases, the mpmath oracle, tails, kinks, singular ends, and what is refused."""

from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import arb

from dpbounds.errors import InputError, LanguageError
from dpbounds.language import tails
from dpbounds.laws.density import density_moments as density
from dpbounds.mechanisms import DensityPair, Direction, PoissonSampling, Sampled
from dpbounds.mechanisms.pairs import ContinuousPair, GaussianPair, LaplacePair, PoissonPair
from dpbounds.numbers.balls import precision
from dpbounds.renyi import divergence as divergence_of_pair
from dpbounds.renyi import renyi_divergence
from tests.oracle.renyi import approx_divergence

F = Fraction
X = sympy.Symbol("x")
OO = sympy.oo


def normal(mean: object, sigma: object = 1) -> sympy.Expr:
    s = sympy.sympify(sigma)
    return sympy.exp(-((X - sympy.sympify(mean)) ** 2) / (2 * s**2)) / (s * sympy.sqrt(2 * sympy.pi))


def laplace(mean: object, scale: object = 1) -> sympy.Expr:
    return sympy.exp(-sympy.Abs(X - sympy.sympify(mean)) / sympy.sympify(scale)) / (2 * sympy.sympify(scale))


def logistic(mean: int) -> sympy.Expr:
    return sympy.exp(-(X - mean)) / (1 + sympy.exp(-(X - mean))) ** 2


def cauchy(mean: int) -> sympy.Expr:
    return 1 / (sympy.pi * (1 + (X - mean) ** 2))


ONE = sympy.Integer(1)
HALF = sympy.Rational(1, 2)
PAIRS = {
    "normal, unequal variances": DensityPair(normal(0), normal(0, sympy.Rational(11, 10)), X),
    "logistic": DensityPair(logistic(1), logistic(0), X),
    "sech": DensityPair(sympy.sech((X - 1) / 2) ** 2 / 4, sympy.sech(X / 2) ** 2 / 4, X),
    "mixture": DensityPair((normal(0) + normal(2)) / 2, (3 * normal(0) + normal(1)) / 4, X),
    "normal against laplace": DensityPair(normal(0), laplace(0), X),
    "exponential": DensityPair(2 * sympy.exp(-2 * X), sympy.exp(-X), X, (0, OO)),
    "beta": DensityPair(6 * X * (1 - X), ONE, X, (0, 1)),
    "generalized normal": DensityPair(
        2 * sympy.exp(-((X - HALF) ** 4)) / sympy.gamma(sympy.Rational(1, 4)), 2 * sympy.exp(-(X**4)) / sympy.gamma(sympy.Rational(1, 4)), X
    ),
}


QUICK = {("plain", "normal, unequal variances"), ("plain", "exponential"), ("plain", "beta"), ("sampled", "normal against laplace")}


@pytest.mark.parametrize(
    ("rate", "pair"),
    [
        pytest.param(rate, pair, id=f"{name}-{kind}", marks=[] if (kind, name) in QUICK else pytest.mark.slow)
        for name, pair in PAIRS.items()
        for kind, rate in (("plain", F(1)), ("sampled", F(1, 100)))
    ],
)
def test_contains_the_oracle(pair: DensityPair, rate: Fraction) -> None:
    whole = ContinuousPair(pair) if rate == 1 else PoissonPair(rate, ContinuousPair(pair))
    for add in (False, True):
        value = density.divergence(pair, F(1, 2), 60, add=add, rate=rate)
        if not value.is_finite():
            continue
        with precision(300):
            expected = arb(mpmath.nstr(approx_divergence(whole, "3/2", 20, reversed=add), 30)) * arb(1, "1e-15")
            assert value.rel_accuracy_bits() >= 60 and value.overlaps(expected)


@pytest.mark.parametrize("alpha", ["1.0001", "15/2"])
def test_gaussian_and_laplace_densities_agree_with_their_own_engines(alpha: str) -> None:
    t = F(alpha) - 1
    gauss, lap = DensityPair(normal(1, 2), normal(0, 2), X), DensityPair(laplace(1, 3), laplace(0, 3), X)
    for pair, own in ((gauss, GaussianPair(F(2))), (lap, LaplacePair(F(3)))):
        for rate in (F(1), F(1, 10)):
            for add in (False, True):
                base = own if rate == 1 else PoissonPair(rate, own)
                value = density.divergence(pair, t, 70, add=add, rate=rate)
                assert value.overlaps(divergence_of_pair(base, t, 70, reversed=add)) and value.rel_accuracy_bits() >= 70


@pytest.mark.parametrize("alpha", [1000, 10**6])
def test_large_orders(alpha: int) -> None:
    """The peak of the integrand lies far out and is found; wide balls are centred there."""
    pair = DensityPair(normal(1), normal(0), X)
    assert density.divergence(pair, F(alpha - 1), 60).contains(arb(alpha) / 2)


def test_heavy_tails() -> None:
    """Cauchy laws at distance 1: D_2 = log(3/2), as ∫ p²/q = 1 + a²/2 for location a."""
    with precision(120):
        assert density.divergence(DensityPair(cauchy(1), cauchy(0), X), F(1), 60).overlaps((arb(3) / 2).log())


def test_singular_ends() -> None:
    """1/(2√x) against 1 on (0,1): ∫ p^{3/2} = 2^{−1/2}·∫ x^{−3/4}/2 = √2, so D_{3/2} = log 2; ∞ from order 2 on."""
    pair = DensityPair(1 / (2 * sympy.sqrt(X)), ONE, X, (0, 1))
    with precision(120):
        assert density.divergence(pair, F(1, 2), 60).overlaps(arb(2).log())
    assert density.divergence(pair, F(1), 60) == arb.pos_inf()
    far = DensityPair(1 / (2 * sympy.sqrt(1 - X)), ONE, X, (0, 1))
    with precision(120):
        assert density.divergence(far, F(1, 2), 60).overlaps(arb(2).log())


@pytest.mark.parametrize(
    ("pair", "add"),
    [
        (DensityPair(normal(0, 2), normal(0), X), False),
        (DensityPair(normal(0), laplace(0), X), True),
        (DensityPair(cauchy(0), normal(0), X), False),
        (DensityPair(2 * sympy.exp(-2 * X), sympy.exp(-X), X, (0, OO)), True),
    ],
)
def test_divergent_integrals_are_infinite(pair: DensityPair, add: bool) -> None:
    assert density.divergence(pair, F(3), 60, add=add) == arb.pos_inf()


def test_supports_that_differ() -> None:
    left_half = sympy.Piecewise((ONE, X < 1), (0, True))
    pair = DensityPair(left_half, HALF, X, (0, 2))
    with precision(120):
        assert density.divergence(pair, F(2), 60).overlaps(arb(2).log())
        assert density.divergence(pair, F(2), 60, rate=F(1, 10)).is_finite()
    assert density.divergence(pair, F(2), 60, add=True) == arb.pos_inf()
    with precision(120):
        expected = ((arb("1.1") ** -2 + arb("0.9") ** -2) / 2).log() / 2
        assert density.divergence(pair, F(2), 60, add=True, rate=F(1, 10)).overlaps(expected)


def test_steps() -> None:
    pair = DensityPair(sympy.Piecewise((3 * HALF, X < HALF), (HALF, True)), ONE, X, (0, 1))
    with precision(120):
        expected = ((arb("1.5") ** 3 + arb("0.5") ** 3) / 2).log() / 2
        assert density.divergence(pair, F(2), 60).overlaps(expected)


def test_the_front_door_takes_densities() -> None:
    mechanism = Sampled(DensityPair(normal(1), normal(0), X), PoissonSampling("0.01"))
    result = renyi_divergence(mechanism, "3/2", digits=15, direction=Direction.ADD)
    own = divergence_of_pair(PoissonPair(F(1, 100), GaussianPair(F(1))), F(1, 2), 80, reversed=True)
    with precision(120):
        assert result.enclosure.meets(15) and result.enclosure.ball().overlaps(own)


# --- refused ------------------------------------------------------------------------------------------------------------


def test_densities_must_integrate_to_one() -> None:
    with pytest.raises(InputError, match="must integrate to 1 .* got 0.999"):
        density.divergence(DensityPair(normal(1) * sympy.Rational(999, 1000), normal(0), X), F(1), 40)
    nearly = normal(0) * (1 + sympy.Rational(1, 10**12))
    with pytest.raises(InputError, match="must integrate to 1"):
        density.divergence(DensityPair(normal(1), nearly, X), F(1), 60)


def test_negative_densities_are_refused() -> None:
    swinging = 1 + 2 * sympy.cos(2 * sympy.pi * X)
    with pytest.raises(InputError, match="negative"):
        density.divergence(DensityPair(swinging, ONE, X, (0, 1)), F(1), 40)


@pytest.mark.parametrize("p", [sympy.exp(-X - sympy.exp(-X)), sympy.exp(-(sympy.log(X**2 + 1) ** 2)) / 2])
def test_tails_outside_the_rules_are_refused(p: sympy.Expr) -> None:
    with pytest.raises(InputError, match="cannot be bounded"):
        density.divergence(DensityPair(p, p, X), F(1), 40)


def test_unknown_functions_are_named() -> None:
    with pytest.raises(LanguageError, match="besselk"):
        density.divergence(DensityPair(normal(0) * sympy.besselk(1, X**2 + 1), normal(0), X), F(1), 40)
    with pytest.raises(LanguageError, match="kink"):
        density.divergence(DensityPair(sympy.exp(-sympy.Abs(sympy.exp(X) - 2)), normal(0), X), F(1), 40)


def test_order_one_is_refused() -> None:
    with pytest.raises(InputError, match="order > 1"):
        density.divergence(DensityPair(normal(1), normal(0), X), F(0), 40)


# --- tails --------------------------------------------------------------------------------------------------------------

Y = sympy.Symbol("y", positive=True)
TAILS = [sympy.exp(-(Y**2) / 2 + 3 * Y), (sympy.exp(-(Y**2) / 2) + 3 * sympy.exp(-((Y - 1) ** 2))) / 7, 1 / (Y**2 - 2 * Y + 2),
         Y**3 * sympy.exp(-Y) / 6, sympy.exp(-Y) / (1 + sympy.exp(-Y)) ** 2, (1 - 1 / Y) ** 2 / Y**4, sympy.exp(-sympy.sqrt(1 + Y**2)),
         (Y**3 - Y) * sympy.exp(-2 * Y)]  # fmt: skip


@pytest.mark.parametrize("expression", TAILS, ids=str)
def test_monomials_bound_the_expression_and_its_integral(expression: sympy.Expr) -> None:
    function = sympy.lambdify(Y, expression, "mpmath")
    with precision(100), mpmath.workdps(40):
        start = arb(6)
        above, below = tails.upper(expression, Y, start), tails.lower(expression, Y, start)
        for k in range(40):
            y = 6 * mpmath.mpf(2) ** (mpmath.mpf(k) / 6)
            exact = arb(mpmath.nstr(function(y), 35)) * arb(1, "1e-25")
            here = arb(mpmath.nstr(y, 35))
            assert not exact > sum((m.value_at(here) for m in above), arb(0)) and not exact < below.value_at(here)
        total = arb(mpmath.nstr(mpmath.quad(function, [6, 10, 30, mpmath.inf]), 12))
        assert not total > sum((m.integral(start) for m in above), arb(0)) * (1 + arb("1e-9"))


def test_sums_whose_signs_are_not_clear_are_refused() -> None:
    with precision(80), pytest.raises(tails.TailError):
        tails.upper((sympy.sin(Y) + Y - 5) * sympy.exp(-Y), Y, arb(2))
    with precision(80), pytest.raises(tails.TailError):
        tails.lower(Y - 10, Y, arb(2))


@pytest.mark.parametrize("pair", [PAIRS["logistic"], PAIRS["exponential"], DensityPair(cauchy(1), cauchy(0), X)])
def test_dropping_the_tails_misses_the_truth(pair: DensityPair, monkeypatch) -> None:
    """With a coarse cut-off the ball contains the truth; without what lies beyond it does not."""
    pieces = density.cut((pair.p, pair.q), X, pair.support)
    cut_off = density._cut_off
    with precision(150):
        parts = [density._excess(piece, arb(1)) for piece in pieces]
        truth = density._total(parts)
        monkeypatch.setattr(density, "_cut_off", lambda part, side, goal: cut_off(part, side, arb("1e-6")))
        assert density._total(parts).contains(truth)
        monkeypatch.setattr(density, "between_zero_and", lambda bound: arb(0))
        assert not density._total(parts).overlaps(truth)
