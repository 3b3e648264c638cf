"""One step of the pair with replacement, one use of user densities: closed forms, mpmath, lattice bounds, and every error term dropped."""

from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import arb

from dpbounds.accountants import delta_bounds
from dpbounds.balls import Enclosure, precision
from dpbounds.contour import delta, epsilon, with_replacement
from dpbounds.contour.with_replacement import hit_counts, slope_error, threshold, value_at
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import (
    Composed,
    DensityPair,
    FixedSizeSampling,
    Gaussian,
    Laplace,
    PoissonSampling,
    Repeated,
    Sampled,
    WithReplacementSampling,
)
from dpbounds.moments import hockey_stick
from dpbounds.pairs import WithReplacementPair

X = sympy.Symbol("x")
NORMAL = sympy.exp(-(X**2) / 2) / sympy.sqrt(2 * sympy.pi)
SHARP = sympy.exp(-abs(X)) / 2
CAUCHY = 1 / (sympy.pi * (1 + X**2))


def shifted(density):
    return DensityPair(density.subs(X, X - 1), density, X)


def _near(value):
    """What mpmath found, with room for its own rounding."""
    with precision(120):
        return Enclosure.of(arb(mpmath.nstr(value, 26)) + arb(0, "1e-23"))


def with_draws(population, batch, sigma):
    return Sampled(Gaussian(sigma), WithReplacementSampling(population, batch))


# with replacement -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["0", "0.1", "1", "4"])
def test_one_draw_is_the_pair_of_sampling_without_replacement(at):
    found = delta(with_draws(10, 1, 2), at, guarantee="pair", digits=25).enclosure
    assert found.overlaps(delta(Sampled(Gaussian(2), FixedSizeSampling(10, 1)), at, guarantee="pair", digits=25).enclosure)


def test_a_population_of_one_is_gaussian_noise():
    found = delta(with_draws(1, 3, 9), "0.5", guarantee="pair", digits=25).enclosure
    assert found.overlaps(delta(Gaussian(Fraction(3, 2)), "0.5", digits=25).enclosure)  # P and Q lie 6 apart


def _by_definition(population, batch, sigma, epsilon):
    """∫(p − e^ε q)₊ dx in mpmath."""
    hits = [
        mpmath.binomial(batch, i) * mpmath.mpf(population - 1) ** (batch - i) / mpmath.mpf(population) ** batch for i in range(batch + 1)
    ]

    def density(x, sign):
        return sum(weight * mpmath.npdf(x, sign * i, sigma) for i, weight in enumerate(hits))

    def surplus(x):
        return density(x, 1) - mpmath.exp(epsilon) * density(x, -1)

    cut = mpmath.findroot(surplus, (mpmath.mpf("0.5"), mpmath.mpf(6)), solver="anderson")
    return mpmath.quad(surplus, [cut, cut + 2, cut + 6, cut + 20, cut + 60])


def test_against_the_definition():
    with mpmath.workdps(30):
        exact = _by_definition(20, 5, mpmath.mpf(2), mpmath.mpf(1))
    assert delta(with_draws(20, 5, 2), 1, guarantee="pair", digits=18).enclosure.overlaps(_near(exact))


def test_lattice_bounds_agree():
    mechanism = with_draws(1000, 20, 1)
    found = delta(mechanism, "0.5", guarantee="pair").enclosure
    bounds = delta_bounds(mechanism, "0.5", guarantee="pair")
    assert float(found.upper) * (1 + 1e-12) >= bounds.lower
    assert float(found.lower) * (1 - 1e-12) <= bounds.upper


def test_epsilon_inverts_delta():
    found = epsilon(with_draws(1000, 20, 1), "1e-5", guarantee="pair", digits=10).enclosure
    assert delta(with_draws(1000, 20, 1), found.lower, guarantee="pair").enclosure.lower > Fraction("1e-5")
    assert delta(with_draws(1000, 20, 1), found.upper, guarantee="pair").enclosure.upper <= Fraction("1e-5")


def test_the_mass_of_the_counts_left_out_is_needed(monkeypatch):
    pair = WithReplacementPair(10, 8, Fraction(2))
    with precision(100):
        exact = with_replacement.with_replacement_delta(pair, arb(1))
        assert exact.rel_accuracy_bits() > 40
        monkeypatch.setattr(with_replacement, "hit_counts", lambda n, m, goal: hit_counts(n, m, arb("0.01")))
        assert with_replacement.with_replacement_delta(pair, arb(1)).contains(exact)
        monkeypatch.setattr(with_replacement, "_with_lost_mass", lambda value, *_: value)
        assert not with_replacement.with_replacement_delta(pair, arb(1)).overlaps(exact)


def test_the_distance_from_the_threshold_is_needed():
    with precision(100):
        masses, sigma, at = hit_counts(10, 3, arb(0)).masses, arb(2), arb(1)
        exact_point, _ = threshold(masses, sigma, at)
        exact, near = value_at(masses, sigma, at, exact_point), exact_point + arb("0.01")
        assert (value_at(masses, sigma, at, near) + slope_error(masses, sigma, at, near, arb("0.02"))).contains(exact)
        assert not value_at(masses, sigma, at, near).overlaps(exact)
        assert not slope_error(masses, sigma, at, near, arb("0.001")).is_finite()  # does not hold the threshold


def test_what_cannot_be_composed_says_so():
    with pytest.raises(InputError, match="one step only"):
        delta(Repeated(with_draws(10, 2, 1), 2), 1, guarantee="pair")
    with pytest.raises(InputError, match="one use only"):
        delta(Composed((shifted(NORMAL), Gaussian(1))), 1)


# user densities ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["0", "1", "8"])
def test_normal_densities(at):
    assert delta(shifted(NORMAL), at).enclosure.overlaps(delta(Gaussian(1), at, digits=20).enclosure)


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_densities_with_kinks_sampled(direction):
    sampling = PoissonSampling("0.1")
    found = delta(Sampled(shifted(SHARP), sampling), "0.05", direction=direction).enclosure
    assert found.overlaps(delta(Sampled(Laplace(1), sampling), "0.05", direction=direction, digits=20).enclosure)


def test_heavy_tails():
    """The loss of Cauchy noise: log((1 + x²)/(1 + (x − 1)²)), in closed form between its two solutions."""
    with mpmath.workdps(30):
        scale = mpmath.exp(mpmath.mpf(1) / 2)
        low, high = sorted(mpmath.polyroots([1 - scale, 2 * scale, 1 - 2 * scale]))
        plain = (mpmath.atan(high) - mpmath.atan(low)) / mpmath.pi
        exact = (mpmath.atan(high - 1) - mpmath.atan(low - 1)) / mpmath.pi - scale * plain
        assert delta(shifted(CAUCHY), "0.5").enclosure.overlaps(_near(exact))


def test_outcomes_that_one_side_never_shows():
    uniform = sympy.Rational(1, 2)
    pair = DensityPair(sympy.Piecewise((uniform, X < 2), (0, True)), sympy.Piecewise((uniform, X > 1), (0, True)), X, (0, 3))
    assert delta(pair, 2).enclosure.contains(Fraction(1, 2))
    assert epsilon(pair, "0.25").enclosure.lower == float("inf")


def test_epsilon_of_densities():
    pair = DensityPair(sympy.Rational(1, 2), X / 2, X, (0, 2))
    # δ = ∫ (1 − e^ε x)₊/2 = e^{−ε}/4 for the upper uniform density
    assert delta(pair, 3, direction="remove").enclosure.ball().overlaps((-arb(3)).exp() / 4)
    with precision(100):
        assert epsilon(pair, "0.01", direction="remove").enclosure.ball().overlaps(arb(25).log())


def test_bad_densities_are_refused():
    with pytest.raises(InputError, match="integrate to 1"):
        delta(DensityPair(NORMAL, 2 * NORMAL, X), 1)
    with pytest.raises(InputError, match="negative"):
        delta(DensityPair(X, sympy.Rational(1, 2) + 0 * X, X, (sympy.Rational(-1, 2), sympy.Rational(3, 2))), 1)


def test_a_loss_that_stays_at_epsilon_is_not_guessed(monkeypatch):
    monkeypatch.setattr(hockey_stick, "_MOST_PARTS", 100)
    with pytest.raises(PrecisionError):
        delta(shifted(SHARP), 1, digits=5)


def _profile(density, at):
    with precision(80):
        return hockey_stick.hockey_stick(hockey_stick.pieces_of(shifted(density), add=False, rate=Fraction(1)), arb(at))


def test_open_parts_are_needed(monkeypatch):
    exact = _profile(NORMAL, 1)
    monkeypatch.setattr(hockey_stick, "_MOST_PARTS", 40)
    assert _profile(NORMAL, 1).contains(exact)
    monkeypatch.setattr(hockey_stick, "open_part", lambda most: arb(0))
    assert not _profile(NORMAL, 1).overlaps(exact)


def test_tails_are_needed(monkeypatch):
    exact, whole = _profile(CAUCHY, -2), hockey_stick._cut_off
    monkeypatch.setattr(hockey_stick, "_cut_off", lambda part, side, goal: whole(part, side, arb("1e-4")))
    assert _profile(CAUCHY, -2).overlaps(exact)
    monkeypatch.setattr(hockey_stick, "_cut_off", lambda part, side, goal: (whole(part, side, arb("1e-4"))[0], arb(0)))
    assert not _profile(CAUCHY, -2).overlaps(exact)
