"""The pair with replacement and one use of user densities: closed forms, mpmath, lattice bounds, and every error term dropped."""

from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import acb, arb

from dpbounds import mechanisms
from dpbounds.accounting import delta, epsilon
from dpbounds.accounting.bromwich import integrate
from dpbounds.accounting.cut_laws import with_lost_mass
from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64 import delta_bounds
from dpbounds.laws import with_replacement as draws
from dpbounds.laws import with_replacement_step as with_replacement
from dpbounds.laws.contour_factor import Need
from dpbounds.laws.density import density_hockey_stick as hockey_stick
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.with_replacement import DrawsFactor
from dpbounds.laws.with_replacement_step import hit_counts, mixtures
from dpbounds.mechanisms.pairs import WithReplacementPair
from dpbounds.numbers.balls import Enclosure, ball, precision

X = sympy.Symbol("x")
NORMAL = sympy.exp(-(X**2) / 2) / sympy.sqrt(2 * sympy.pi)
SHARP = sympy.exp(-abs(X)) / 2
CAUCHY = 1 / (sympy.pi * (1 + X**2))


def shifted(density):
    return mechanisms.DensityPair(density.subs(X, X - 1), density, X)


def _near(value):
    """What mpmath found, with room for its own rounding."""
    with precision(120):
        return Enclosure.of_ball(arb(mpmath.nstr(value, 26)) + arb(0, "1e-23"))


def with_draws(population, batch, sigma):
    return mechanisms.Sampled(mechanisms.Gaussian(sigma), mechanisms.WithReplacementSampling(population, batch))


# with replacement -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["0", "0.1", "1", "4"])
def test_one_draw_is_the_pair_of_sampling_without_replacement(at):
    with precision(120):
        found = Enclosure.of_ball(with_replacement.with_replacement_delta(WithReplacementPair(10, 1, Fraction(2)), ball(Fraction(at))))
    assert found.meets(25)
    assert found.overlaps(delta(with_draws(10, 1, 2), at, guarantee="pair", digits=25).enclosure)
    assert found.overlaps(
        delta(mechanisms.Sampled(mechanisms.Gaussian(2), mechanisms.FixedSizeSampling(10, 1)), at, guarantee="pair", digits=25).enclosure
    )


def test_a_population_of_one_is_gaussian_noise():
    with precision(120):
        found = Enclosure.of_ball(with_replacement.with_replacement_delta(WithReplacementPair(1, 3, Fraction(9)), arb(1) / 2))
    assert found.meets(25)
    assert found.overlaps(delta(with_draws(1, 3, 9), "0.5", guarantee="pair", digits=25).enclosure)
    assert found.overlaps(delta(mechanisms.Gaussian(Fraction(3, 2)), "0.5", digits=25).enclosure)  # P and Q lie 6 apart


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
        pair = mixtures(masses, sigma)
        exact_point, _ = pair.near(at)
        exact, near = pair.value(at, exact_point), exact_point + arb("0.01")
        assert (pair.value(at, near) + pair.missed(at, near, arb("0.02"))).contains(exact)
        assert not pair.value(at, near).overlaps(exact)
        assert not pair.missed(at, near, arb("0.001")).is_finite()  # does not hold the threshold


DRAWS = DrawsFactor(WithReplacementPair(10, 1, Fraction(2)), 1e-30, 100)
TWICE = DrawsFactor(WithReplacementPair(6, 4, Fraction(3, 2)), 1e-25, 50)


def _need(top):
    return Need(40.0, lambda y: 0.0, top)


def test_moments_of_one_draw_are_those_without_replacement():
    other = MixtureFactor(Mixture(Fraction(1, 10), Fraction(2), numerator=True, denominator=True), 100)
    with precision(128):
        assert DRAWS.moment(arb(2)).overlaps(other.moment(arb(2)))
        for mine, theirs in zip(DRAWS.line(arb(2), arb(3), 5, _need(12.0)), other.line(arb(2), arb(3), 5, _need(12.0)), strict=True):
            assert mine.overlaps(theirs)
            assert mine.rel_accuracy_bits() > 45


@pytest.mark.parametrize("y", [0.3, 3.0, 20.0])
def test_the_decay_bound_of_draws_holds(y):
    with precision(100):
        bound = TWICE.decay(arb(1), arb(y), TWICE.approx_decay(1.0, y)[1])
        for further in (1.0, 1.3, 4.0):
            assert abs(TWICE.line(arb(1), arb(y * further), 2, _need(y * further))[1]) <= bound


def test_the_errors_of_the_line_are_needed(monkeypatch):
    with precision(100):
        exact = TWICE.line(arb(1), arb(2), 2, _need(2.0))[1]
        rough, window = Need(3.0, lambda y: 0.0, 2.0), DrawsFactor._window
        monkeypatch.setattr(DrawsFactor, "_window", lambda self, hits, x, goal: window(self, hits, x, goal * 1e-20))
        assert TWICE.line(arb(1), arb(2), 2, rough)[1].overlaps(exact)
        monkeypatch.setattr(draws, "panels_error", lambda *_: arb(0))
        assert not TWICE.line(arb(1), arb(2), 2, rough)[1].overlaps(exact)


def test_the_tails_of_the_line_are_needed(monkeypatch):
    with precision(100):
        exact = TWICE.line(arb(1), arb(2), 2, _need(2.0))[1]
        monkeypatch.setattr(DrawsFactor, "_window", lambda _, hits, x, __: (1.5, 6.0, hits.tails(x, arb(1.5), arb(6.0))))
        assert TWICE.line(arb(1), arb(2), 2, _need(2.0))[1].overlaps(exact)
        monkeypatch.setattr(draws.Hits, "tails", lambda *_: arb(0))
        assert not TWICE.line(arb(1), arb(2), 2, _need(2.0))[1].overlaps(exact)


@pytest.mark.parametrize(("left", "right"), [(0.1, 12.0), (2.0, 12.0), (2.0, 14.0)])
def test_the_tails_of_draws_hold(left, right):
    hits, x, step = TWICE.hits(), arb(1), 1 / 32
    found = hits.tails(x, arb(left), arb(right))
    assert found.is_finite()
    outside = [-left - (k + 0.5) * step for k in range(400)] + [right + (k + 0.5) * step for k in range(400)]
    assert sum((hits.log_size(acb(s), acb(x)).exp() * step for s in outside), arb(0)) * (1 - arb("1e-2")) <= found


def test_the_tails_of_the_decay_bound_are_needed(monkeypatch):
    with precision(100):
        height, shift = arb("0.001"), (0.1, 0.0)
        least = abs(TWICE.line(arb(1), height, 2, _need(0.001))[1])
        monkeypatch.setattr(DrawsFactor, "_window", lambda _, hits, x, __: (0.5, 9.0, hits.tails(x, arb(0.5), arb(9.0))))
        assert TWICE.decay(arb(1), height, shift) >= least
        monkeypatch.setattr(draws.Hits, "tails", lambda *_: arb(0))
        assert TWICE.decay(arb(1), height, shift) < least


def test_steps_with_one_draw_are_those_without_replacement():
    found, _ = integrate(lambda: [DRAWS], lambda: arb(1), 16)
    assert found.meets(15)
    assert found.overlaps(delta(mechanisms.Repeated(with_draws(10, 1, 2), 100), 1, guarantee="pair").enclosure)
    assert found.overlaps(
        delta(
            mechanisms.Repeated(mechanisms.Sampled(mechanisms.Gaussian(2), mechanisms.FixedSizeSampling(10, 1)), 100),
            1,
            guarantee="pair",
            digits=20,
        ).enclosure
    )


def test_steps_with_several_draws():
    mechanism = mechanisms.Repeated(with_draws(100, 5, 3), 1000)
    found = delta(mechanism, 1, guarantee="pair").enclosure
    bounds = delta_bounds(mechanism, 1, guarantee="pair")
    assert bounds.lower <= float(found.upper) * (1 + 1e-12)
    assert float(found.lower) * (1 - 1e-12) <= bounds.upper


def test_the_mass_cut_off_all_steps_is_needed(monkeypatch):
    pair, at = WithReplacementPair(20, 6, Fraction(3)), arb(1) / 2
    exact = delta(mechanisms.Repeated(with_draws(20, 6, 3), 200), "0.5", guarantee="pair").enclosure
    factor = DrawsFactor(pair, 1e-4, 200)
    cut, _ = integrate(lambda: [factor], lambda: arb(1) / 2, 10)
    with precision(100):
        assert not cut.overlaps(exact)
        assert with_lost_mass(cut, factor.lost(), at).contains(exact)


# user densities ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["0", "1", "8"])
def test_normal_densities(at):
    assert delta(shifted(NORMAL), at).enclosure.overlaps(delta(mechanisms.Gaussian(1), at, digits=20).enclosure)


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_densities_with_kinks_sampled(direction):
    sampling = mechanisms.PoissonSampling("0.1")
    found = delta(mechanisms.Sampled(shifted(SHARP), sampling), "0.05", direction=direction).enclosure
    assert found.overlaps(delta(mechanisms.Sampled(mechanisms.Laplace(1), sampling), "0.05", direction=direction, digits=20).enclosure)


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
    pair = mechanisms.DensityPair(sympy.Piecewise((uniform, X < 2), (0, True)), sympy.Piecewise((uniform, X > 1), (0, True)), X, (0, 3))
    assert delta(pair, 2).enclosure.contains(Fraction(1, 2))
    assert epsilon(pair, "0.25").enclosure.lower == float("inf")


def test_densities_beside_a_table_without_a_common_outcome():
    mechanism = mechanisms.Composed((shifted(NORMAL), mechanisms.FiniteTable((1, 0), (0, 1))))
    assert delta(mechanism, 1).enclosure.contains(1)
    assert epsilon(mechanism, "0.5").enclosure.lower == float("inf")


def test_epsilon_of_densities():
    pair = mechanisms.DensityPair(sympy.Rational(1, 2), X / 2, X, (0, 2))
    # δ = ∫ (1 − e^ε x)₊/2 = e^{−ε}/4 for the upper uniform density
    assert delta(pair, 3, direction="remove").enclosure.ball().overlaps((-arb(3)).exp() / 4)
    with precision(100):
        assert epsilon(pair, "0.01", direction="remove").enclosure.ball().overlaps(arb(25).log())


def test_a_lower_density_without_bound():
    # for ε below log 2 the upper density 1 exceeds e^ε/(2√x) past x = e^{2ε}/4: δ = (1 − e^ε/2)²
    pair = mechanisms.DensityPair(sympy.Integer(1), 1 / (2 * sympy.sqrt(X)), X, (0, 1))
    with precision(100):
        assert delta(pair, "0.1", direction="remove").enclosure.ball().overlaps((1 - arb("0.1").exp() / 2) ** 2)


def test_bad_densities_are_refused():
    with pytest.raises(InputError, match="integrate to 1"):
        delta(mechanisms.DensityPair(NORMAL, 2 * NORMAL, X), 1)
    with pytest.raises(InputError, match="negative"):
        delta(mechanisms.DensityPair(X, sympy.Rational(1, 2) + 0 * X, X, (sympy.Rational(-1, 2), sympy.Rational(3, 2))), 1)


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
