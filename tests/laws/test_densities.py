"""Compositions with densities of the user's: the built-in engines, mpmath, exact values, and every error term dropped."""

from dataclasses import replace
from fractions import Fraction
from functools import cache, partial

import mpmath
import pytest
import sympy
from flint import acb, arb

from dpbounds import accounting
from dpbounds.accounting.bromwich import evaluate
from dpbounds.accounting.bromwich_planning import lost_mass, plan
from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64 import delta_bounds
from dpbounds.laws.contour_factor import Need
from dpbounds.laws.density import densities, density_law
from dpbounds.laws.density.densities import DensityFactor, size_of
from dpbounds.mechanisms import Composed, DensityPair, Gaussian, Laplace, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.numbers.balls import Enclosure, precision

X = sympy.Symbol("x")
NORMAL = sympy.exp(-(X**2) / 2) / sympy.sqrt(2 * sympy.pi)
SHARP = sympy.exp(-abs(X)) / 2
CAUCHY = 1 / (sympy.pi * (1 + X**2))
LOGISTIC = sympy.sech(X / 2) ** 2 / 4


def shifted(density, by=1):
    return DensityPair(density.subs(X, X - sympy.Rational(by)), density, X)


@cache
def factor(density, by=1, rate=None, steps=1, add=False, most=1e-30):
    return DensityFactor(shifted(density, by), Fraction(1 if rate is None else rate), add, most, steps)


@pytest.fixture(autouse=True)
def _bits():
    with precision(120):
        yield


def same(mine, theirs, at, **options):
    found = accounting.delta(mine, at, **options).enclosure
    assert found.overlaps(accounting.delta(theirs, at, **{**options, "digits": 20}).enclosure)
    return found


# against the built-in engines -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("steps", "at"), [pytest.param(2, "0.3", marks=pytest.mark.slow), (10, "1"), (300, "5")])
def test_normal_densities(steps, at):
    assert same(Repeated(shifted(NORMAL, "1/4"), steps), Repeated(Gaussian(4), steps), at).meets(15)


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_sampled_normal_densities(direction):
    sampling = PoissonSampling("0.1")
    mine, theirs = Repeated(Sampled(shifted(NORMAL), sampling), 300), Repeated(Sampled(Gaussian(1), sampling), 300)
    assert same(mine, theirs, 1, direction=direction).meets(15)


def test_densities_with_kinks():
    assert same(Repeated(shifted(SHARP, "1/10"), 1000), Repeated(Laplace(10), 1000), "0.5").meets(15)


def test_beside_other_mechanisms():
    others = (Gaussian(2), RandomizedResponse("0.3"))
    mine, theirs = Composed((Repeated(shifted(NORMAL, "1/4"), 5), *others)), Composed((Repeated(Gaussian(4), 5), *others))
    assert same(mine, theirs, 1, digits=12).meets(12)


@pytest.mark.slow
def test_epsilon_of_a_composition():
    found = accounting.epsilon(Repeated(shifted(NORMAL, "1/4"), 10), "1e-6", digits=6).enclosure
    assert found.overlaps(accounting.epsilon(Repeated(Gaussian(4), 10), "1e-6", digits=20).enclosure)


# against definitions ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_logistic_noise_against_a_convolution():
    """Two uses: ∫ a(x)·δ₁(ε − L(x)) dx in mpmath, with δ₁ in closed form through the tails of the noise."""
    with mpmath.workdps(25):
        shift = mpmath.mpf(1) / 2

        def loss(x):
            return 2 * mpmath.log(mpmath.cosh(x / 2) / mpmath.cosh((x - shift) / 2))

        def profile(level):  # L increases from −1/2 to 1/2
            if level >= shift:
                return mpmath.mpf(0)
            if level <= -shift:
                return 1 - mpmath.exp(level)
            grown = mpmath.exp(level / 2)
            # cosh(x/2) = g·cosh((x − s)/2) for e^x = (g·e^{s/2} − 1)/(1 − g·e^{−s/2})
            x = mpmath.log((grown * mpmath.exp(shift / 2) - 1) / (1 - grown * mpmath.exp(-shift / 2)))
            return 1 / (1 + mpmath.exp(x - shift)) - mpmath.exp(level) / (1 + mpmath.exp(x))

        at = mpmath.mpf("0.4")
        edge = mpmath.findroot(lambda x: loss(x) - (at - shift), mpmath.mpf(0))
        exact = mpmath.quad(
            lambda x: mpmath.sech((x - shift) / 2) ** 2 / 4 * profile(at - loss(x)), [edge, edge + 1, edge + 4, edge + 12, edge + 90]
        )
        text = mpmath.nstr(exact, 20)
    found = accounting.delta(Repeated(shifted(LOGISTIC, "1/2"), 2), "0.4", digits=6).enclosure
    assert found.meets(6)
    assert found.overlaps(Enclosure.of_ball(arb(text) + arb(0, "1e-10")))


@pytest.mark.slow
def test_heavy_tails_against_moments_in_mpmath():
    """M(x + iy) of Cauchy noise, whose loss has a largest and a smallest value inside."""
    with mpmath.workdps(25):

        def value(z):
            def integrand(x):
                loss = mpmath.log((1 + x**2) / (1 + (x - mpmath.mpf(1) / 4) ** 2))
                return mpmath.exp(z * loss) / (mpmath.pi * (1 + (x - mpmath.mpf(1) / 4) ** 2))

            return mpmath.quad(integrand, [-mpmath.inf, -5, -1, 0, 1, 2, 6, mpmath.inf])

        exact = value(mpmath.mpc(1, 6))
    found = factor(CAUCHY, "1/4").line(arb(1), arb(6), 2, Need(50.0, lambda y: 0.0, 6.0))[1]
    assert found.rel_accuracy_bits() > 50
    assert found.overlaps(acb(mpmath.nstr(exact.real, 18), mpmath.nstr(exact.imag, 18)) + acb(arb(0, "1e-14"), arb(0, "1e-14")))


def test_outcomes_that_one_side_never_shows():
    half = sympy.Rational(1, 2)
    pair = DensityPair(sympy.Piecewise((half, X < 2), (0, True)), sympy.Piecewise((half, X > 1), (0, True)), X, (0, 3))
    # the loss is 0 or infinite, and finite twice with probability 1/4
    assert accounting.delta(Repeated(pair, 2), 1).enclosure.contains(Fraction(3, 4))
    assert accounting.epsilon(Repeated(pair, 2), "0.5").enclosure.lower == float("inf")


@pytest.mark.slow
def test_lattice_bounds_agree():
    found = accounting.delta(Repeated(Sampled(shifted(NORMAL), PoissonSampling("0.05")), 200), "0.5").enclosure
    bounds = delta_bounds(Repeated(Sampled(Gaussian(1), PoissonSampling("0.05")), 200), "0.5")
    assert float(found.upper) * (1 + 1e-12) >= bounds.lower
    assert float(found.lower) * (1 - 1e-12) <= bounds.upper


@pytest.mark.slow
def test_two_steps_are_two_parts():
    pair = shifted(LOGISTIC, "1/2")
    once, twice = Composed((Repeated(pair, 4), Repeated(pair, 6))), Repeated(pair, 10)
    assert accounting.delta(once, 1, digits=10).enclosure.overlaps(accounting.delta(twice, 1, digits=10).enclosure)


# what has no answer -----------------------------------------------------------------------------------------------------


def test_what_cannot_be_had_says_so():
    with pytest.raises(PrecisionError, match="reached"):
        accounting.delta(Repeated(shifted(SHARP, "1/10"), 3), "0.1", digits=15)


def test_bad_densities_are_refused():
    with pytest.raises(InputError, match="integrate to 1"):
        accounting.delta(Repeated(DensityPair(NORMAL, 2 * NORMAL, X), 3), 1)
    with pytest.raises(InputError, match="negative"):
        accounting.delta(Repeated(DensityPair(X, sympy.Rational(1, 2) + 0 * X, X, (sympy.Rational(-1, 2), sympy.Rational(3, 2))), 3), 1)


def test_masses_are_read_beyond_the_digits_of_the_answer():
    nearly = NORMAL * (1 + sympy.Rational(1, 10**14))
    with pytest.raises(InputError, match="integrate to 1"):
        accounting.delta(Repeated(DensityPair(nearly.subs(X, X - 1), NORMAL, X), 3), 1)


def test_a_negative_density_does_not_hide_behind_sampling():
    # (x + 1/2)/2 + 1/2 > 0 on all of the support, but x is not a density
    pair = DensityPair(X, sympy.Rational(1, 2) + 0 * X, X, (sympy.Rational(-1, 2), sympy.Rational(3, 2)))
    with pytest.raises(InputError, match="negative"):
        density_law.density_law_of(pair, False, Fraction(1, 5), 1e-20)


def test_the_work_of_the_cells_is_capped(monkeypatch):
    ramps = DensityPair(2 * X, 2 * (1 - X), X, (0, 1))
    tried = []
    cell = density_law._cell
    monkeypatch.setattr(density_law, "_cell", lambda *args: tried.append(args) or cell(*args))
    monkeypatch.setattr(density_law, "_MOST_TRIES", 2500)
    law = density_law.density_law_of(ramps, False, Fraction(1), 1e-11)  # no path is needed for a bound
    assert len(tried) <= 5000
    assert law.decay(acb(1, 9)).is_finite()
    monkeypatch.setattr(density_law, "_MOST_TRIES", 100)
    with pytest.raises(PrecisionError, match="more than 3000 cells on a piece, or 100 tries"):
        density_law.density_law_of(ramps, False, Fraction(1), 1e-12)


# error terms ------------------------------------------------------------------------------------------------------------


CASES = [
    *((partial(factor, NORMAL, rate="1/10", add=add), y) for add in (False, True) for y in (0.7, 6.0)),
    *((partial(factor, NORMAL), y) for y in (0.7, 6.0)),
    *((partial(factor, SHARP), y) for y in (0.7, 6.0, 40.0)),
    *(pytest.param(partial(factor, CAUCHY, "1/4"), y, marks=pytest.mark.slow) for y in (0.7, 6.0, 40.0)),
]


@pytest.mark.parametrize(("own", "y"), CASES)
def test_the_decay_bound_holds(own, y):
    own = own()
    bound = own.decay(arb(1), arb(y), (0.0, 0.0))
    assert bound <= own.moment(arb(1)) * 1.5
    for further in (1.0, 1.2, 5.0):
        value = own.line(arb(1), arb(y * further), 2, Need(60.0, lambda height: 0.0, y * further))[1]
        assert abs(value).lower() <= bound


def test_paths_make_the_bound_fall():
    # e^{−y²/2}, where a bound along the real axis would stay at M
    assert factor(NORMAL).decay(arb(1), arb(8), (0.0, 0.0)) < arb("1e-9") * factor(NORMAL).moment(arb(1))


def test_paths_stay_on_the_branch_of_the_real_axis():
    # far out arg p passes −π, where the principal logarithm of the sum jumps; L = log((1 + e^{x/10 − 1/200})/2) does not
    mixed = DensityPair((NORMAL + NORMAL.subs(X, X - sympy.Rational(1, 10))) / 2, NORMAL, X)
    for rate in (Fraction(1), Fraction(1, 3)):
        ((side, _),) = density_law._sides(*density_law.cut((mixed.p, mixed.q), X, mixed.support), False, rate, arb("1e-20"))
        seen = 0
        for left in (0.5, 3.0, 7.0):
            cell = density_law._cell(side, (left, 0.5), (left + 0.01, 0.5))
            if cell is not None:
                seen += 1
                grown = (cell.centre / 10 - arb(1) / 200).expm1() / 2
                assert cell.loss.overlaps((1 + grown * rate.numerator / rate.denominator).log())
        assert seen


def test_a_density_that_vanishes_at_an_end_loses_little():
    law = density_law.density_law_of(DensityPair(2 * X, 1 + 0 * X, X, (0, 1)), True, Fraction(1), 1e-8)
    assert law.lost <= arb("1e-7")


def test_the_boxes_of_the_slopes_are_needed():
    # log f is convex in the tail of Cauchy noise, so a tangent lies below it
    (side,) = factor(CAUCHY, "1/4").law.sides
    cell = density_law._cell(side, (3.0, 0.0), (3.5, 0.0))
    # ∫_3^{3.5} a dx, a the density shifted by 1/4
    exact = (arb("3.25").atan() - arb("2.75").atan()) / arb.pi()
    assert cell.bound(acb(0)) >= exact
    tangent = replace(cell, slope=acb(cell.slope.real.mid()), loss_slope=acb(cell.loss_slope.real.mid()))
    tangent = replace(tangent, slope=side.slopes(cell.centre)[0])
    assert tangent.bound(acb(0)) < exact


def test_the_errors_of_the_panels_are_needed(monkeypatch):
    own = factor(NORMAL, rate="1/10", most=1e-6)
    exact = own.line(arb(1), arb(6), 2, Need(60.0, lambda y: 0.0, 6.0))[1]
    rough = Need(1.0, lambda y: 0.0, 6.0)
    assert own.line(arb(1), arb(6), 2, rough)[1].overlaps(exact)
    monkeypatch.setattr(densities, "panels_error", lambda panels: arb(0))
    assert not own.line(arb(1), arb(6), 2, rough)[1].overlaps(exact)


@pytest.mark.parametrize("rate", [None, "1/10"])
def test_the_bound_on_an_ellipse_holds(rate):
    (side,) = factor(NORMAL, rate=rate).law.sides
    z = acb(2, 9)
    bound = size_of(side, 0.4, 1.2, [acb(2), z])
    for turn in range(24):
        cosine, sine = (arb(turn) * arb.pi() / 12).cos(), (arb(turn) * arb.pi() / 12).sin()
        size, loss = side.logs(acb(arb("0.8") + cosine * 2 / 3, sine * 8 / 15))
        assert (size + z * loss).real.exp() <= bound


def test_what_is_left_out_is_needed():
    whole = accounting.delta(Repeated(Gaussian(1), 3), 1, digits=12).enclosure
    rough = factor(NORMAL, steps=3, most=1e-3)
    chosen = plan([rough], 1.0, 15.0)
    cut = Enclosure.of_ball(evaluate([rough], arb(1), chosen))
    assert cut.upper < whole.lower
    assert Enclosure.of_ball(cut.ball() + lost_mass([rough])).upper >= whole.upper
    assert rough.cut_mass() >= arb("1e-4")


def test_floats_for_planning_are_close():
    own = factor(NORMAL, "1/2")
    assert abs(own.approx_log_moments(3.0)[0] - 3 * 4 / 8) <= 1e-9
    assert own.loss_bound() >= arb(5) / 2
