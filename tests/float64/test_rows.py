"""Many rows at once: the bounds hold the certified value, and each term of them is needed."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpbounds.accounting import delta, epsilon
from dpbounds.float64.rounding import UNIT_ROUNDOFF
from dpbounds.float64.rows import answers, quadrature, worst
from dpbounds.float64.rows import contours as of_contours
from dpbounds.float64.rows.contours import Plans, contours, plans
from dpbounds.float64.rows.estimates import saddles
from dpbounds.float64.rows.questions import Rows, short
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled

DIRECTIONS = pytest.mark.parametrize("direction", ["remove", "add"])


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(all="ignore"):
        yield


def table(q, sigma, steps, remove, cut=9.0):
    columns = [np.array([value], dtype=float) for value in (q, sigma, steps, cut)]
    return Rows(*columns, remove)


def moment(q, sigma, c, y, remove, cut):
    """M_S(c+iy) by mpmath, from the densities."""
    with mpmath.workdps(18):
        q, sigma, z = mpmath.mpf(q), mpmath.mpf(sigma), mpmath.mpc(c, y)
        power = 1 + z if remove else -z

        def integrand(s):
            return mpmath.npdf(s) * (1 - q + q * mpmath.exp(s / sigma - 1 / (2 * sigma**2))) ** power

        return mpmath.quad(integrand, mpmath.linspace(-13, cut, 12))


def line_of(direction, c=3.0, step=0.25, first=-40, cut=9.0, sigma=1.0, q=0.05):
    """A quadrature at given nodes, and its cut."""
    last = round(cut / step - 0.5)
    nodes = (np.arange(first, last + 1) * step)[None, :]
    found = quadrature.filled(table(q, sigma, 1, direction == "remove", cut), np.array([c]), np.array([step]), nodes)
    return found, (last + 0.5) * step


def gaps(found, cut, direction, heights, sigma=1.0, q=0.05):
    """How far χ is off at each height, and the bounds on that."""
    step = heights[1]
    values, errors = quadrature.characteristic(found, np.array([step]), len(heights))
    off = []
    for place, y in enumerate(heights):
        with mpmath.workdps(30):
            true = moment(q, sigma, float(found.c[0]), y, direction == "remove", cut)
            true *= mpmath.exp(-mpmath.mpf(float(found.scale[0])) - 1j * y * mpmath.mpf(float(found.mean[0])))
            off.append(float(abs(mpmath.mpmathify(complex(values[0, place])) - true)))
    return np.array(off), errors[0]


def needs(monkeypatch, name, replacement, compute):
    """The bound holds, and does not with a term replaced."""
    off, errors = compute()
    assert np.all(off <= errors)
    monkeypatch.setattr(quadrature, name, replacement)
    off, errors = compute()
    assert np.any(off > errors)


@DIRECTIONS
def test_the_step_of_the_quadrature(monkeypatch, direction):
    def compute():
        return gaps(*line_of(direction, step=0.5, first=-20), direction, [0.0, 8.0, 16.0])

    needs(monkeypatch, "discretisation", lambda of, y: np.zeros_like(y), compute)


@DIRECTIONS
def test_nodes_left_out(monkeypatch, direction):
    needs(
        monkeypatch,
        "omitted_nodes",
        lambda rows, c, first, scale: np.zeros_like(c),
        lambda: gaps(*line_of(direction, first=-12), direction, [0.0, 1.0]),
    )


@DIRECTIONS
def test_the_end_of_cut_noise(monkeypatch, direction):
    whole = quadrature.cut_end
    needs(
        monkeypatch,
        "cut_end",
        lambda *given: (np.zeros(1), *whole(*given)[1:]),
        lambda: gaps(*line_of(direction, cut=3.125), direction, [0.0, 4.0]),
    )


def truth(q, sigma, steps, at, direction):
    mechanism = Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)
    found = delta(mechanism, at, digits=25, direction=direction).enclosure
    return float(mpmath.log(mpmath.mpf(found.upper_decimal(25))))


def planned(q, sigma, steps, at, direction, **changes) -> Plans:
    row = table(q, sigma, steps, direction == "remove")
    epsilon_ = np.array([float(at)])
    row = row.with_cut(np.array([-45.0]))
    saddle, _, log_delta = saddles(row, None, epsilon_)
    return replace(plans(row, saddle, epsilon_, log_delta, 1e-8), **changes)


def encloses(of, exact):
    low, high, _ = contours(of).evaluate(of.epsilon)
    return low[0] <= exact + 1e-13 * abs(exact) and exact - 1e-13 * abs(exact) <= high[0]


@DIRECTIONS
def test_aliases(monkeypatch, direction):
    exact = truth("0.01", "1", 1000, "1", direction)
    base = planned(0.01, 1, 1000, 1, direction)
    of = replace(base, step=short(2 * base.step), count=np.ceil(base.count / 2))
    assert encloses(of, exact)
    monkeypatch.setattr(of_contours.Contours, "aliases", lambda self, epsilon, scale, log_scale: np.zeros(1))
    assert not encloses(of, exact)


@DIRECTIONS
def test_heights_beyond_the_last(monkeypatch, direction):
    exact = truth("0.01", "1", 1000, "1", direction)
    base = planned(0.01, 1, 1000, 1, direction)
    of = replace(base, count=np.ceil(0.5 * base.count))
    assert encloses(of, exact)
    monkeypatch.setattr(of_contours, "far_bound", lambda of, reach: np.full(1, -1e6))
    assert not encloses(of, exact)


def test_what_large_powers_make_of_a_small_turn():
    """|1 + λ(e^{iθ} − 1)|² is 1 less a few units: as a sum of squares it would be off by one, and its power by p of them."""
    power, off = np.array([[1e6]]), np.array([32 * UNIT_ROUNDOFF])
    for share in (0.01, 0.0137, 0.021, 0.4):
        for turn in (3e-7, 2.1e-7, 1.3e-7):
            found = quadrature.log_turned(np.array([[share]]), np.ones((1, 1)), power, np.array([turn]), np.array([1.0]), off)[0]
            with mpmath.workdps(40):
                value = mpmath.log(1 + share * (mpmath.exp(1j * mpmath.mpf(turn)) - 1))
                exact = mpmath.mpf(1e6) * value.real - value.imag
                assert exact <= found <= exact + 1e-13


@DIRECTIONS
def test_the_mass_that_is_cut_off(monkeypatch, direction):
    of = planned(0.2, 1, 40, 3, direction)
    of = replace(of, rows=replace(of.rows, cut=np.array([4.0])))
    cut = (math.ceil(4.0 / of.tau[0] - 0.5) + 0.5) * of.tau[0]
    beyond = mpmath.ncdf(-cut)
    beyond = 0.8 * beyond + 0.2 * mpmath.ncdf(1 - cut) if direction == "remove" else beyond
    found = contours(of).evaluate(of.epsilon)[1][0]
    whole = quadrature.cut_end
    monkeypatch.setattr(quadrature, "cut_end", lambda *given: (*whole(*given)[:2], np.full(1, -1e6)))
    without = contours(of).evaluate(of.epsilon)[1][0]
    assert math.exp(found) >= math.exp(without) + 40 * float(beyond) * (1 - 1e-12)


def test_powers_multiply_rounding(monkeypatch):
    # 10^11 uses: what is rounded in one of them is seen in the product
    exact = truth("0.01", "3000", 10**11, "1", "remove")
    of = planned(0.01, 3000, 10**11, 1, "remove")
    assert encloses(of, exact)
    for module in (quadrature, of_contours):
        monkeypatch.setattr(module, "U", 0.0)
        monkeypatch.setattr(module, "LIBM", 0.0)
    assert not encloses(of, exact)


@DIRECTIONS
def test_moments_from_above(direction):
    for q, sigma, order in ((0.01, 1.0, 5.0), (0.3, 0.7, 3.0), (0.001, 2.0, 40.0)):
        row = table(q, sigma, 1, direction == "remove", 9.0)
        above = quadrature.log_moment_above(row, np.array([order]))[0]
        exact = float(mpmath.log(moment(q, sigma, order, 0, direction == "remove", 9.0).real))
        assert exact - 1e-13 <= above <= exact + 0.1


def test_random_rows_hold_the_certified_value():
    draw = np.random.default_rng(5)
    size = 24
    sigma = np.round(np.exp(draw.uniform(math.log(0.4), math.log(10), size)), 4)
    q = np.array([float(f"{value:.3g}") for value in 10 ** draw.uniform(-4, -0.4, size)])
    steps = np.round(10 ** draw.uniform(1.5, 6, size))
    for direction in ("remove", "add", "worst"):
        low, high = worst.worst_epsilon(q, sigma, steps, np.full(size, math.log(1e-6)), direction)
        answered = np.flatnonzero(np.isfinite(high))
        assert len(answered) > size / 2
        for i in answered[:5]:
            mechanism = Repeated(Sampled(Gaussian(str(sigma[i])), PoissonSampling(str(q[i]))), int(steps[i]))
            found = epsilon(mechanism, "1e-6", digits=13, direction=direction).enclosure
            assert low[i] <= found.upper_float
            assert found.lower_float <= high[i]


def test_delta_of_rows():
    low, high = worst.worst_delta(*np.array([[0.01, 0.02], [1.5, 1.0], [1e4, 2e3], [1.0, 4.0]]))
    for i, (q, sigma, steps, at) in enumerate((("0.01", "1.5", 10_000, "1"), ("0.02", "1", 2000, "4"))):
        found = delta(Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps), at).enclosure
        assert low[i] <= math.log(found.upper_float)
        assert math.log(found.lower_float) <= high[i]
        assert high[i] - low[i] < 1e-7


def test_what_is_declined_is_nan():
    low, high = worst.worst_epsilon(*np.array([[0.01, 0.9, 0.3], [1.0, 1.0, 50.0], [1000.0, 10.0, 1.0], [math.log(1e-6)] * 2 + [-0.01]]))
    assert np.isfinite(low[0]) and np.isfinite(high[0])
    assert np.isnan(high[1]) and np.isnan(high[2])


def test_short_numbers_are_multiples_of_their_last_digit():
    found = short(np.array([1 / 3, 1e-5, 12345.678]))
    assert all(Fraction(float(value)).numerator < 2**24 for value in found)


def test_rows_of_one_run_share_contours(monkeypatch):
    """Three runs, shuffled; each row's bounds meet those that it has alone, and there are as many contours as intervals of log δ."""
    made = []
    monkeypatch.setattr(answers, "contours", lambda of: made.append(len(of.c)) or contours(of))
    run, target = np.arange(90) % 3, -np.arange(90.0)[::-1] / 10 - 5
    q, sigma, steps = (np.array(column)[run] for column in ([0.01, 0.02, 0.01], [1.5, 1.0, 1.5], [1e4, 2e3, 3e3]))
    low, high = worst.worst_epsilon(q, sigma, steps, target, "remove")
    assert 27 <= sum(made) <= 33
    for n in range(0, 90, 7):
        own = worst.worst_epsilon(q[n : n + 1], sigma[n : n + 1], steps[n : n + 1], target[n : n + 1], "remove")
        assert max(low[n], own[0][0]) <= min(high[n], own[1][0])
        assert high[n] - low[n] < 1e-7 * high[n]
