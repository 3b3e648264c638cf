"""Laplace noise, plain and Poisson-sampled: closed forms, finite sums, contour, and an independent convolution."""

import cmath
import math
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds import accounting
from dpbounds.accounting.bromwich import integrate
from dpbounds.errors import PrecisionError
from dpbounds.laws import sampled_laplace as module
from dpbounds.laws.contour_factor import GaussianFactor, Need
from dpbounds.laws.laplace import LaplaceFactor, laplace_delta
from dpbounds.laws.sampled_laplace import SampledLaplaceFactor
from dpbounds.mechanisms import Composed, Gaussian, Laplace, PoissonSampling, Repeated, Sampled
from dpbounds.numbers.balls import ball, precision


def approx_atoms(scale, q, add, cells=4000):
    """A fine discretisation of one use: (probability under P, loss), by midpoints."""
    e = 1 / scale
    rows = [(0.5, -e), (0.5 * math.exp(-e), e)]
    rows += [(0.25 * math.exp(-(loss + e) / 2) * 2 * e / cells, loss) for loss in (-e + (2 * i + 1) * e / cells for i in range(cells))]
    found = []
    for weight, loss in rows:
        log_u = math.log1p(q * math.expm1(loss))
        found.append((weight, -log_u) if add else (weight * math.exp(log_u), log_u))
    return found


def approx_delta(law, epsilon):
    return math.fsum(p * -math.expm1(epsilon - loss) for p, loss in law if loss > epsilon)


@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize(("scale", "q", "epsilon"), [(1, 0.3, 0.05), (0.5, 0.1, 0.1), (2, 0.9, 0.2)])
def test_one_sampled_use(add, scale, q, epsilon):
    direction = "add" if add else "remove"
    found = accounting.delta(Sampled(Laplace(scale), PoissonSampling(q)), epsilon, direction=direction).enclosure
    assert abs(found.lower_float - approx_delta(approx_atoms(scale, q, add), epsilon)) <= 1e-3


@pytest.mark.parametrize(("scale", "epsilon"), [(1, 0.5), (2, 0), (0.5, 3)])
def test_two_uses_against_a_convolution(scale, epsilon):
    law = approx_atoms(scale, 1.0, False, cells=300)
    pairs = [(p * r, a + b) for p, a in law for r, b in law]
    found = accounting.delta(Repeated(Laplace(scale), 2), epsilon).enclosure
    assert abs(found.lower_float - approx_delta(pairs, epsilon)) <= 2e-3


@pytest.mark.parametrize("epsilon", ["1", "40", "141/2", "120"])
def test_finite_sum_and_contour_agree(epsilon):
    value = Fraction(epsilon)
    with precision(300):
        exact = laplace_delta([(arb(1) / 2, 400)], ball(value))
    found, _ = integrate(lambda: [LaplaceFactor(arb(1) / 2, 400)], lambda: ball(value), 9)
    assert found.overlaps(type(found).of_ball(exact))
    assert found.meets(9)


@pytest.mark.parametrize("add", [False, True])
def test_sampling_almost_everything_is_almost_no_sampling(add):
    rate = 1 - Fraction(1, 10**40)
    sampled, _ = integrate(lambda: [SampledLaplaceFactor(arb(1), rate, add, 200)], lambda: arb(70), 12)
    with precision(300):
        plain = laplace_delta([(arb(1), 200)], arb(70))
    assert abs(sampled.ball() - plain) < 1e-12


@pytest.mark.parametrize("power", [3, -2])
def test_gauss_legendre_error_holds(power):
    factor = SampledLaplaceFactor(arb(3), Fraction(1, 3), power < 0, 1)
    x = arb(power - 1) if power > 0 else arb(-power)
    with precision(200):
        exact = factor.sums(x, arb(1), 2, 80.0, 1.0)
        rough = factor.sums(x, arb(1), 2, 3.0, 1.0)
        assert all(a.overlaps(b) for a, b in zip(exact, rough, strict=True))
        assert rough[1].real.rad() > 1e-6


def test_gauss_legendre_error_is_needed(monkeypatch):
    factor = SampledLaplaceFactor(arb(3), Fraction(1, 3), False, 1)
    with precision(200):
        exact = factor.sums(arb(2), arb(1), 2, 80.0, 1.0)[1]
        monkeypatch.setattr(module, "quadrature_error", lambda *_: arb(0))
        assert not factor.sums(arb(2), arb(1), 2, 1.0, 1.0)[1].overlaps(exact)


@pytest.mark.parametrize("y", [0.1, 1.0, 7.0, 100.0])
def test_decay_bounds_hold(y):
    sampled = [SampledLaplaceFactor(arb(1), Fraction(1, 3), add) for add in (False, True)]
    for factor in (LaplaceFactor(arb(1)), *sampled):
        for x in (0.5, 3.0):
            bound = factor.decay(arb(x), arb(y), (0.0, 0.0))
            for further in (1.0, 1.3, 4.0):
                need = Need(40.0, lambda height: 0.0, y * further)
                value = factor.line(arb(x), arb(y * further), 2, need)[1]
                assert abs(value).lower() <= bound


def test_mixed_composition():
    # Laplace and Gaussian noise together: the contour, against the Gaussian alone from below
    gaussian = accounting.delta(Gaussian(1), 1).enclosure
    both = accounting.delta(Composed([Gaussian(1), Laplace(2)]), 1).enclosure
    assert both.lower > gaussian.upper
    assert integrate(lambda: [GaussianFactor(arb(1))], lambda: arb(1), 12)[0].overlaps(gaussian)


def test_past_the_largest_loss():
    assert accounting.delta(Repeated(Laplace(1), 2), 2).enclosure.upper == 0
    assert accounting.delta(Repeated(Sampled(Laplace(1), PoissonSampling("0.5")), 3), 2).enclosure.upper == 0


def test_the_model_stays_in_floats_at_any_tilt():
    """Bounded losses allow any tilt, and the search for one doubles it until floats end."""
    with precision(64):
        assert all(abs(value) < math.inf for value in LaplaceFactor(arb(1) / 4).approx_log_moments(-1e200))


@pytest.mark.parametrize("largest", [250, 1000])
def test_sampled_noise_of_a_wide_range_is_refused(largest):
    """250: no ellipse fits; 1000: e^1000 has no float."""
    factor = SampledLaplaceFactor(arb(largest), Fraction(1, 2), False)
    assert abs(factor.approx_log_moments(1.0)[0] - (largest - 2 * math.log(2) - math.log(2))) < 1
    with pytest.raises(PrecisionError, match="wide a range"):
        factor.line(arb(1), arb(1), 2, Need(40.0, lambda y: 0.0, 1.0))
    with pytest.raises(PrecisionError):
        accounting.delta(Composed((Sampled(Laplace(Fraction(1, largest)), PoissonSampling("0.5")), Gaussian(1))), 1, digits=15)


@pytest.mark.parametrize("at", ["0", "1/2", "2", "39/10"])
def test_products_of_scales_against_the_mean_over_the_other_noise(at):
    """Two uses with b = 1 beside one with b = 2, by quadrature over the loss of the latter: atoms at ±½ and the density e^{(l−½)/2}/4."""
    value = Fraction(at)
    with mpmath.workdps(30):
        level = mpmath.mpf(value.numerator) / value.denominator

        def two(s):  # δ of two uses with ε₀ = 1, from the finite sum of one scale
            if s < 0:
                return 1 - mpmath.exp(s) + mpmath.exp(s) * two(-s)
            with precision(120):
                exact = laplace_delta([(arb(1), 2)], arb(mpmath.nstr(s, 28)))
            return mpmath.mpf(exact.mid().str(28, radius=False)) if exact.mid() != 0 else mpmath.mpf(0)

        half = mpmath.mpf(1) / 2
        kinks = sorted({-half, half, *(level - j for j in (-2, 0, 2) if -half < level - j < half)})
        truth = half * two(level - half) + half * mpmath.exp(-half) * two(level + half)
        truth += mpmath.quad(lambda loss: mpmath.exp((loss - half) / 2) / 4 * two(level - loss), kinks)
        with precision(200):
            found = laplace_delta([(arb(1), 2), (arb(1) / 2, 1)], ball(value))
        assert abs(mpmath.mpf(found.mid().str(25, radius=False) if found.mid() != 0 else 0) - truth) < mpmath.mpf(10) ** -18


def test_equal_scales_apart_are_the_same_as_together():
    with precision(150):
        for value in (arb(0), arb(1), arb("2.5")):
            assert laplace_delta([(arb(1), 2), (arb(1), 1)], value).overlaps(laplace_delta([(arb(1), 3)], value))


def test_products_of_laplace_noise_are_a_finite_sum():
    found = accounting.delta(Composed((Repeated(Laplace(1), 3), Repeated(Laplace(2), 2))), 1, digits=30)
    assert found.method == "finite sum"
    assert accounting.delta(Composed((Repeated(Laplace(1), 3), Repeated(Laplace(2), 2))), 4).upper == "0"


LARGE = {
    "power above 0": (3, "1/3", 40, 1, 1.4),
    "weight": (3, "1/3", 0, 0, 1.8),
    "weight and height": (1, "1/3", 0, 30, 2.0),
    "power below 0": (3, "1/3", -40, 0, 1.4),
    "power below 0, nearly up to the zero": (1, "1/2", -9, 0, 6.1),
    "height, nearly up to the zero": (1, "1/2", 0, 9, 6.1),
}


@pytest.mark.parametrize(("largest", "rate", "power", "height", "rho"), LARGE.values(), ids=LARGE)
def test_the_integrand_in_the_ellipse(largest, rate, power, height, rho):
    """At many points of its border, by floats; each case needs another factor of the bound."""
    factor, q = SampledLaplaceFactor(arb(largest), Fraction(rate), False), float(Fraction(rate))
    bound = float(module.largest_integrand(factor, arb(power), arb(height), rho).log())
    found = []
    for turn in range(720):
        w = rho * cmath.exp(1j * math.pi * turn / 360)
        loss = largest * (w + 1 / w) / 2
        mixed = cmath.log(1 - q + q * cmath.exp(loss))
        found.append(-(loss.real + largest) / 2 - math.log(4) + power * mixed.real + height * abs(mixed.imag))
    assert max(found) <= bound + 1e-9
    assert not module.largest_integrand(factor, arb(power), arb(height), 2 * math.pi / largest + 1).is_finite()


@pytest.mark.parametrize("steps", [(500,), (250, 2)])
def test_long_sums_and_short_contours_agree(steps):
    """A sum that takes seconds is left to the contour; where none is short the sum remains."""
    uses = [("3", steps[0]), *(("5", count) for count in steps[1:])]
    mechanism = Composed(tuple(Repeated(Laplace(scale), count) for scale, count in uses))
    found = accounting.delta(mechanism, steps[0] // 20, digits=12)
    assert "Bromwich" in found.method
    with precision(900):
        value = laplace_delta([(1 / arb(scale), count) for scale, count in uses], arb(steps[0] // 20))
    assert found.enclosure.ball().overlaps(value)
    assert value.rad() < 1e-20


@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize(("scale", "q"), [("8.12", "0.0151"), ("0.3", "0.001"), ("1", "0.5")])
def test_the_model_of_sampled_laplace_noise_is_normalised(scale, q, add):
    """Planning multiplies K by up to 10^12 uses: K(0) = K(−1) = 0 to 12 places, and K elsewhere as the ball."""
    factor = SampledLaplaceFactor(1 / arb(scale), Fraction(q), add)
    assert abs(factor.approx_log_moments(0.0)[0]) < 1e-12
    assert abs(factor.approx_log_moments(-1.0)[0]) < 1e-12
    for x in (0.3, 2.0):
        assert abs(factor.approx_log_moments(x)[0] - float(factor.moment(arb(x)).log())) < 1e-9


@pytest.mark.parametrize("x", ["0", "0.4", "3"])
def test_the_decay_of_laplace_noise_is_at_most_the_moment(x):
    """Near the real line the bound on both exponentials is above M(x), which counts beside many uses of something else."""
    factor = LaplaceFactor(1 / arb("7.29"))
    found = factor.decay(arb(x), arb("1e-6"), (0.0, 0.0))
    assert abs(found - factor.moment(arb(x))) < 1e-12
    for y in (0.1, 2.0, 50.0):
        height = arb(y)
        assert abs(factor.line(arb(x), height, 2, None)[1]) <= factor.decay(arb(x), height, (0.0, 0.0))
