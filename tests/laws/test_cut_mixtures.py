"""Mixtures of Gaussians with their noise cut, and N(0, σ²) above them at large tilts: against quadrature and another engine."""

import math
from collections import Counter
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.accounting.cut_laws import truncated_laws_delta
from dpbounds.accounting.solve import delta
from dpbounds.laws.contour_factor import Need
from dpbounds.laws.normal_form import Elements
from dpbounds.laws.with_replacement import DrawsFactor, DrawsLaw
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.mechanisms.pairs import GaussianMixturePair
from dpbounds.numbers.balls import precision

WEIGHTS = (Fraction(9, 10), Fraction(3, 40), Fraction(1, 40))
PAIR, SIGMA = GaussianMixturePair(WEIGHTS, Fraction(2)), 2


def u(s):
    return sum(
        mpmath.mpf(w.numerator) / w.denominator * mpmath.exp(i * s / SIGMA - mpmath.mpf(i * i) / (2 * SIGMA**2))
        for i, w in enumerate(WEIGHTS)
    )


@pytest.mark.parametrize("x", [0, 3])
def test_moments_and_mass_of_the_cut_law(x):
    factor, cut = DrawsFactor(PAIR, 0.0, 100, cut=2.5), mpmath.mpf("2.5")
    with mpmath.workdps(25):
        true = mpmath.quad(lambda s: mpmath.npdf(s) * u(s) ** (1 + x), [-14, -3, 0, cut])
        beyond = mpmath.quad(lambda s: mpmath.npdf(s) * u(s), [cut, 6, 16])
    assert abs(float(factor.moment(arb(x))) - float(true)) <= 1e-11 * float(true)
    assert float(true) < 0.995 * float(factor.with_cut(None).moment(arb(x)))
    assert abs(float(factor.cut_mass()) - float(beyond)) <= 1e-12  # the larger of both, and that of Q is less
    assert float(arb(-2.5 / math.sqrt(2)).erf() / 2 + 0.5) < float(beyond)
    assert abs(float(factor.loss_bound()) - float(mpmath.log(u(cut)))) <= 1e-12 and factor.largest_loss < math.inf
    assert abs(factor.approx_log_moments(float(x))[0] - float(mpmath.log(true))) <= 0.05


@pytest.mark.parametrize("y", ["0.5", "4", "30"])
def test_decay_of_the_cut_law(y):
    factor, need = DrawsFactor(PAIR, 0.0, 100, cut=2.5), Need(40.0, lambda _: 0.0, 12 * float(y))
    bound = factor.decay(arb(1), arb(y), factor.approx_decay(1.0, float(y))[1])
    assert max(abs(complex(value)) for value in factor.line(arb(1), arb(y), 12, need)[1:]) <= float(bound) < float(factor.moment(arb(1)))


def test_moments_at_large_tilts_where_the_loss_is_bounded():
    """φ·v^{−x}, x = 40,000: on the right where s = −x(log v)′(s)."""
    factor = DrawsFactor(GaussianMixturePair((1 - Fraction(1, 10**5), Fraction(1, 10**5)), Fraction(2)), 0.0, 100, True)
    q, x = mpmath.mpf(10) ** -5, 200_000
    with mpmath.workdps(30):
        true = mpmath.quad(lambda s: mpmath.npdf(s) * (1 - q + q * mpmath.exp(-s / 2 - mpmath.mpf(1) / 8)) ** -x, [-14, -4, 0, 4, 8, 14])
    found = factor.moment(arb(x))
    assert found.rad() < 1e-8 * found and abs(float(found) / float(true) - 1) <= 1e-9
    assert abs(factor.approx_log_moments(float(x))[0] - float(mpmath.log(true))) <= 1e-6
    assert abs(factor.largest_loss + math.log1p(-1e-5)) <= 1e-15
    assert factor.loss_bound().overlaps(-(-(arb(10) ** -5)).log1p())


@pytest.mark.parametrize("reversed", [False, True])
@pytest.mark.parametrize(("sigma", "rate", "steps", "epsilon"), [("6", "1e-6", 1000, "1.5e-5"), ("8", "1e-5", 400, "6e-5")])
def test_rare_mixtures_against_the_engine_of_sampled_noise(reversed, sigma, rate, steps, epsilon):
    """Two centres are sampled Gaussian noise, for which there is a quadrature, a cut and a decay of its own."""
    q = Fraction(rate)
    law = DrawsLaw(GaussianMixturePair((1 - q, q), Fraction(sigma)), reversed)
    found, _ = truncated_laws_delta(Elements(Counter({law: steps})), Fraction(epsilon), 7)
    mechanism = Repeated(Sampled(Gaussian(sigma), PoissonSampling(rate)), steps)
    other = delta(mechanism, epsilon, digits=7, direction="add" if reversed else "remove").enclosure
    assert found.meets(6) and found.overlaps(other)
    assert other.high < arb(1) and other.low > 0


def test_no_cell_passes_the_cut():
    """A place of the grid is the cut but for rounding, and the tilted law is largest there."""
    factor = DrawsFactor(GaussianMixturePair(WEIGHTS, Fraction("0.063")), 0.0, 100, cut=11.8125)
    with precision(128):
        assert not factor.least_density(arb(3)).ends[-1] > factor.loss_bound()


def test_rare_first_centres_are_looked_for_where_they_matter():
    """N(0, σ²) above centres from 1 on: f_x falls beyond s = x(−log v)′(s) < 3·2/20, not where e^{−s/20} is no float."""
    for first in (Fraction(0), Fraction(1, 10**30)):
        factor = DrawsFactor(GaussianMixturePair((first, Fraction(1, 2), Fraction(1, 2) - first), Fraction(20)), 0.0, 10, True)
        assert factor._far(3.0) <= 10
        with mpmath.workdps(20):
            true = mpmath.quad(
                lambda s: mpmath.npdf(s) * (sum(mpmath.exp(-i * s / 20 - i * i / 800) / 2 for i in (1, 2))) ** -3, [-12, 0, 12]
            )
        assert abs(float(factor.moment(arb(3))) - float(true)) <= 1e-10 * float(true)
