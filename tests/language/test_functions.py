"""Privacy quantities: definitions against direct sums and integrals, conventions at zero, and names that do not clash."""

from fractions import Fraction

import mpmath
import pytest
import sympy
from sympy import Rational, Symbol, Tuple, exp, log, oo

from dpbounds.language import enclose
from dpbounds.language import functions as F
from dpbounds.language.symbols import bernoulli, real

x, y = real("x y")
P, Q = (Rational(1, 2), Rational(1, 3), Rational(1, 6)), (Rational(1, 4), Rational(1, 4), Rational(1, 2))


def value_of(expression):
    """sympy does not compare closed numbers here; the ball engine does."""
    return enclose.enclose(expression, {}).lower


def table(values):
    return Tuple(*values)


def test_tables_against_direct_sums():
    for order in (2, 3, Rational(3, 2)):
        direct = sum(p**order * q ** (1 - order) for p, q in zip(P, Q, strict=True))
        assert sympy.simplify(F.RenyiMoment(order, table(P), table(Q)).definition() - direct) == 0
        divergence = F.RenyiDivergence(order, table(P), table(Q)).definition()
        assert abs(float(divergence - log(direct) / (order - 1))) < 1e-14
    for epsilon in (0, Rational(1, 3), 2):
        direct = sum(max(float(p - exp(epsilon) * q), 0) for p, q in zip(P, Q, strict=True))
        assert abs(float(F.HockeyStick(epsilon, table(P), table(Q)).definition()) - direct) < 1e-14
        tail = sum(float(p) for p, q in zip(P, Q, strict=True) if float(p) > float(exp(epsilon) * q))
        assert abs(float(value_of(F.LossTail(epsilon, table(P), table(Q)).definition())) - tail) < 1e-14


def test_conventions_at_zero():
    sure, fair, never = bernoulli(1), bernoulli(Rational(1, 2)), bernoulli(0)
    assert F.RenyiMoment(2, sure, fair).definition() == 2
    assert F.RenyiMoment(2, fair, sure).definition() is oo
    assert F.RenyiDivergence(2, fair, sure).definition() is oo
    assert F.RenyiMoment(2, sure, sure).definition() == 1
    assert F.RenyiDivergence(2, sure, never).definition() is oo
    assert value_of(F.HockeyStick(1, fair, sure).definition()) == Fraction(1, 2)
    assert value_of(F.LossTail(1, never, never).definition()) == 0


def test_a_formula_that_forgets_a_zero_is_conditional():
    # p²/q with p = x, q = x² simplifies to 1, but at x = 0 the term is 0.
    moment = F.RenyiMoment(2, bernoulli(x), bernoulli(x**2))
    assert (x**2 > 0) in moment.conditions()
    # what is left where no denominator can be 0: x is real, and its entries must be probabilities
    plain = F.RenyiMoment(2, bernoulli(x), bernoulli(Rational(1, 2))).conditions()
    assert {condition for condition in plain if condition != sympy.true} == {x >= 0, 1 - x >= 0}


@pytest.mark.parametrize(
    "quantity",
    [
        F.GaussianRenyi(2, 1, y),
        F.GaussianDelta(1, 2, y),
        F.SampledGaussianRenyi(Rational(5, 2), y, Rational(1, 2)),
        F.SampledGaussianMoment(Rational(5, 2), 1, y, "add"),
        F.SampledGaussianDelta(1, y, Rational(1, 2)),
        F.SubstituteGaussianDelta(1, y, Rational(1, 2)),
    ],
)
def test_the_output_of_the_mechanism_is_no_variable_of_the_user(quantity):
    assert quantity.free_symbols == {y}
    meaning = quantity.definition()
    assert meaning.free_symbols == {y}
    for integral in meaning.atoms(sympy.Integral):
        assert integral.limits[0][0] != y


def test_the_gaussian_formula_is_its_integral():
    t = Symbol("t")
    for alpha, sigma, shift in ((sympy.Integer(2), 1, 1), (Rational(7, 2), 2, 3)):
        density = F.normal_density(t, shift, sigma) ** alpha * F.normal_density(t, 0, sigma) ** (1 - alpha)
        with mpmath.workdps(25):
            moment = mpmath.quad(sympy.lambdify(t, density, "mpmath"), [-80, -20, 0, 20, 80])
            divergence = mpmath.log(moment) * int(alpha.q) / (int(alpha.p) - int(alpha.q))
            formula = F.GaussianRenyi(alpha, sigma, shift).elementary()
            assert abs(divergence * int(formula.q) - int(formula.p)) < mpmath.mpf(10) ** -14


def test_binomial_sums_stop_at_a_moderate_order():
    assert F.SampledGaussianRenyi(3, 1, x).binomial_excess() is not None
    for order in (1, Rational(5, 2), 10**6, Symbol("n", integer=True)):
        assert F.SampledGaussianRenyi(order, 1, x).binomial_excess() is None
    assert F.SampledGaussianRenyi(3, 1, x, "add").binomial_excess() is None


def test_the_binomial_form_is_the_moment():
    excess = F.SampledGaussianMoment(2, 1, x).binomial_excess()
    assert sympy.expand(excess - x**2 * (exp(1) - 1)) == 0


def test_the_normal_distribution_function_knows_its_sign_only_where_it_is_defined():
    assert F.NormalCDF(x).is_positive is True
    assert F.NormalCDF(log(x)).is_positive is None
    value = enclose.enclose(F.NormalCDF(x), {x: (Rational(-1), Rational(1))})
    assert value.lower <= Fraction(1586552539, 10**10) and Fraction(8413447460, 10**10) <= value.upper


@pytest.mark.parametrize("bad", ["both", "", "REMOVE", 3])
def test_directions(bad):
    for kind in (F.SampledGaussianRenyi, F.SampledGaussianMoment):
        with pytest.raises(ValueError, match="direction"):
            kind(2, 1, x, bad)
    with pytest.raises(ValueError, match="direction"):
        F.SampledGaussianDelta(1, 1, x, 1, bad)


def test_tables_of_unequal_length_are_refused():
    for p, q in ((table(P), table(Q[:2])), (x, y), (Tuple(), Tuple())):
        with pytest.raises(ValueError, match="tables of one length"):
            F.RenyiDivergence(2, p, q)
    for over in ((x, 0, 1), (x, 0)):
        with pytest.raises(ValueError, match="two densities"):
            F.RenyiDivergence(2, table(P) if len(over) == 3 else x, x, over=over)


def test_lists_are_tables():
    assert F.HockeyStick(1, list(P), tuple(Q)) == F.HockeyStick(1, table(P), table(Q))


def test_the_range_of_a_divergence_may_be_named():
    x = sympy.Symbol("x", positive=True)
    p, q = sympy.exp(-x), 2 * sympy.exp(-2 * x)
    over = (x, 0, sympy.oo)
    assert F.KLDivergence(p, q, over=over) == F.KLDivergence(p, q, over)
    assert F.RenyiDivergence(2, q, p, over=over) == F.RenyiDivergence(2, q, p, over)
