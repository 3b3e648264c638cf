"""Trade-off curves and Gaussian DP: definitions, inverses, and the duality between δ(ε) and the curve."""

from fractions import Fraction

import mpmath as mp
import pytest

from dpbounds.budgets import tradeoff as t
from dpbounds.errors import InputError
from dpbounds.numbers.balls import ball, precision
from dpbounds.numbers.to_digits import certified


@pytest.mark.parametrize("epsilon", ["0", "0.4", "1.7"])
def test_exact_deltas_are_the_integral_of_their_definition(epsilon):
    with mp.workdps(25):
        factor = mp.exp(mp.mpf(epsilon))
        cases = {
            "gaussian": (t.gaussian_delta_of("0.5", epsilon), lambda x, m: mp.npdf(x, m, mp.mpf("0.5")), [-mp.inf, 0, 1, mp.inf]),
            "laplace": (t.laplace_delta_of("0.5", epsilon), lambda x, m: mp.exp(-2 * abs(x - m)), [-mp.inf, 0, 1, mp.inf]),
            "logistic": (t.logistic_delta_of("0.5", epsilon), lambda x, m: mp.sech(x - m) ** 2 / 2, [-mp.inf, 0, 1, mp.inf]),
        }
        for found, density, points in cases.values():
            # p/q rises in x: the positive part starts where p = e^ε q
            start = mp.findroot(lambda x, d=density: mp.log(d(x, 1) / d(x, 0)) - mp.mpf(epsilon), mp.mpf("0.6"))
            value = mp.quad(lambda x, d=density: d(x, 1) - factor * d(x, 0), [start, *(p for p in points if p > start)])
            assert found.lower_float - 1e-12 <= float(value) <= found.upper_float + 1e-12


def test_no_loss_beyond_the_largest():
    assert t.laplace_delta_of(2, "0.5").upper == 0 and t.logistic_delta_of(2, "0.6").upper == 0
    assert t.laplace_delta_of(2, "0.4999").lower > 0


@pytest.mark.parametrize("x", ["0", "0.01", "0.2", "0.5", "0.9", "1"])
def test_tradeoff_and_delta_are_dual(x):
    """T(x) ≥ 1 − δ(ε) − e^ε x for every ε, with equality for some ε."""
    for curve, delta in (
        (t.gaussian_tradeoff_of(1, x), lambda e: t.gaussian_delta_of(1, e)),
        (t.laplace_tradeoff_of(1, x), lambda e: t.laplace_delta_of(1, e)),
    ):
        for epsilon in ("0", "0.5", "1", "3"):
            with precision(80):
                line = 1 - delta(epsilon).ball() - ball(Fraction(epsilon)).exp() * ball(Fraction(x))
                assert curve.high >= line.lower()
        assert curve >= 0 and curve <= 1


def test_touching_points():
    with precision(80):
        point = certified(lambda: (ball(1) / 2 + 1).erfc(), 10)
    assert point.lower > 0
    x = Fraction("0.1")  # the Gaussian line that touches at Φ^{-1}(1−x) = μ/2 + ε/μ
    epsilon = mp.sqrt(2) * mp.erfinv(1 - 2 * mp.mpf("0.1")) - mp.mpf("0.5")
    rational = Fraction(str(epsilon))
    with precision(80):
        line = 1 - t.gaussian_delta_of(1, rational).ball() - ball(rational).exp() * ball(x)
        assert abs(t.gaussian_tradeoff_of(1, x).ball() - line) < 1e-12


def test_gaussian_dp():
    assert t.composed_mu_of(["0.6", "0.8"]).contains(1)
    mu = t.mu_of(1, "1e-5", 10)
    assert t.gaussian_delta_of(1 / mu.lower, 1).lower <= Fraction("1e-5") <= t.gaussian_delta_of(1 / mu.upper, 1).upper
    assert t.gaussian_tradeoff_of(1, 0).contains(1) and t.gaussian_tradeoff_of(1, 1).contains(0)
    assert t.pure_tradeoff_of(1, "0.99", "0.5").upper == 0
    assert t.gaussian_epsilon_of(100, "0.1").upper == 0


def test_laplace_branches_meet():
    for x in (Fraction(1, 2),):
        assert t.laplace_tradeoff_of(1, x).overlaps(t.laplace_tradeoff_of(1, x - Fraction(1, 10**30)))


def test_bad_input():
    with pytest.raises(InputError):
        t.gaussian_tradeoff_of(1, 2)
    with pytest.raises(InputError):
        t.composed_mu_of([])
    with pytest.raises(InputError):
        t.gaussian_epsilon_of(0, "1e-5")
