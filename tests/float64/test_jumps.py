"""Rows with rare large losses: against certified values and mpmath, and a test for each part of the bound."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb

from dpbounds.accounting import delta, epsilon
from dpbounds.float64.rounding import UNIT_ROUNDOFF
from dpbounds.float64.rows import jumps, panels, quadrature, worst
from dpbounds.float64.rows.questions import Rows
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.numbers.balls import precision

RARE = [("1.3364", "0.001847", 122), ("0.8522", "0.0005292", 1396), ("0.733", "0.000166", 39674), ("3.0458", "0.03341", 221)]


def columns(*given):
    sigma, q, steps = given
    return Rows(np.array([float(q)]), np.array([float(sigma)]), np.array([float(steps)]), np.zeros(1), True)


def mechanism(sigma, q, steps):
    return Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)


def moment(sigma, q, power, cut):
    """∫ φ·u^power over s ≤ cut."""
    s1, rate = mpmath.mpf(sigma), mpmath.mpf(q)

    def f(s):
        u = 1 - rate + rate * mpmath.exp(s / s1 - 1 / (2 * s1**2))
        return mpmath.npdf(s) * mpmath.exp(power * mpmath.log(u))

    return mpmath.quad(f, [-14, -6, -3, 0, 2, *[x for x in (3, 4, 5, 6) if x < cut], cut])


@pytest.mark.parametrize("row", RARE)
def test_bounds_hold_the_certified_epsilon_and_delta(row):
    target = np.array([math.log(1e-6)])
    low, high = jumps.epsilon_rows(columns(*row), target, 1e-6)
    true = epsilon(mechanism(*row), "1e-6", digits=6, direction="remove").enclosure
    assert low[0] <= float(true.upper)
    assert float(true.lower) <= high[0] < low[0] * (1 + 1e-5)
    at = Fraction(float(true.lower)).limit_denominator(10**6)
    least, most = jumps.delta_rows(columns(*row), np.array([float(at)]), 1e-6)
    known = delta(mechanism(*row), at, digits=10, direction="remove").enclosure
    assert math.exp(least[0]) <= float(known.upper) * (1 + 1e-13)
    assert float(known.lower) <= math.exp(most[0]) * (1 + 1e-13)
    assert most[0] - least[0] < 1e-4


def test_the_worse_direction_of_rows_with_and_without_jumps():
    sigma, q, steps = (np.array([float(row[n]) for row in [*RARE[:2], ("1.5", "0.01", 10000)]]) for n in range(3))
    low, high = worst.worst_epsilon(q, sigma, steps, np.full(3, math.log(1e-6)), tolerance=1e-6)
    for place, row in enumerate([*RARE[:2], ("1.5", "0.01", 10000)]):
        true = epsilon(mechanism(*row), "1e-6", digits=6).enclosure
        assert low[place] <= float(true.upper)
        assert float(true.lower) <= high[place] < low[place] * (1 + 1e-5)


def contour_at(row, at, room):
    """The contour with w(S) = ε + room."""
    plans, tilt = jumps.planned_for_epsilon(columns(*row), np.array([at]), 1e-8)
    s = float(row[0]) * math.log1p(math.expm1(at + room) / float(row[1])) + 1 / (2 * float(row[0]))
    return jumps.contours(replace(plans, rows=replace(plans.rows, cut=np.array([s])), count=plans.count * 2), np.minimum(tilt, 30.0))


def test_jumps_and_what_is_left_of_them_are_both_needed(monkeypatch):
    """S so near to ε that a jump leaves a loss below it now and then; there the lower bound has jumps, and the upper one the rest."""
    row, at = RARE[1], 0.18
    true = float(delta(mechanism(*row), "0.18", digits=10, direction="remove").enclosure.lower)
    found = contour_at(row, at, 0.01)
    low, high, _ = found.evaluate(np.array([at]))
    assert math.exp(low[0]) <= true <= math.exp(high[0])
    bulk = found.contours.evaluate(np.array([at]))
    above, middle, _ = jumps.jumps(found.contours.rows, np.array([at]))
    assert math.exp(bulk[1][0]) + middle[0] + above[0] < true * (1 - 1e-6)  # without the rest
    assert math.exp(bulk[1][0]) < true * (1 - 1e-3)  # without jumps
    assert middle[0] > 1e-3 * true
    monkeypatch.setattr(jumps, "log_back_moment", lambda rows, t: np.zeros_like(t))
    assert contour_at(row, at, 0.01).evaluate(np.array([at]))[1][0] < high[0]


def test_the_probabilities_of_jumps_against_mpmath():
    row, at = RARE[0], 0.1
    part = replace(columns(*row), cut=np.array([4.0]))
    above, middle, charge = jumps.jumps(part, np.array([at]))
    with mpmath.workdps(40):
        sigma, q, k = mpmath.mpf(float(row[0])), mpmath.mpf(float(row[1])), row[2]
        p = (1 - q) * mpmath.ncdf(-4) + q * mpmath.ncdf(1 / sigma - 4)
        cost = mpmath.exp(mpmath.mpf(at)) * (1 - (1 - mpmath.ncdf(-4)) ** k)
        exact = 1 - (1 - p) ** k - cost
        assert abs(exact - mpmath.mpf(middle[0])) <= mpmath.mpf(above[0])
        assert abs(cost - mpmath.mpf(charge[0])) <= mpmath.mpf(above[0])
    assert above[0] < 1e-11 * charge[0]


def test_the_least_loss_of_a_jump_counts_what_rounds_its_exponent():
    """S/σ and 1/2σ² are 50 and cancel: the loss is small against what they are off by."""
    for sigma, cut, q in ((0.1, 5.00001, 0.5), (0.1, 5.001, 0.01), (0.13, 3.85, 0.3), (0.9, 5.0, 1e-4)):
        found = jumps.least_loss(replace(columns(sigma, q, 10), cut=np.array([cut])))[0]
        with mpmath.workdps(40):
            for ulp in (-1, 0, 1):
                read = mpmath.mpf(sigma) * (1 + ulp * mpmath.mpf(UNIT_ROUNDOFF))
                assert found <= mpmath.log1p(mpmath.mpf(q) * mpmath.expm1(mpmath.mpf(cut) / read - 1 / (2 * read**2)))


@pytest.mark.parametrize("half", [1.0, 0.35])
def test_moments_of_cut_noise_are_within_their_bounds(half):
    """With long panels the rule misses more than rounding, and the bound of it is needed; with short ones it is not."""
    sigma, q, c, cut = 0.8, 0.002, 30.0, 5.0
    part = replace(columns(sigma, q, 100), cut=np.array([cut]))
    count = math.ceil(15 / (2 * half))
    middles = np.array([[cut - (2 * n + 1) * half for n in range(count)]])
    line = panels.filled(panels.Panels(part, middles, np.full((1, count), half)), np.array([1 + c]))
    step = np.array([40.0])
    values, rounded = quadrature.transformed(line.weights, line.losses, line.total, step, 4)
    y = step[:, None] * np.arange(4)
    error = rounded + (line.weight_error + line.omitted)[:, None] + line.phase_error[:, None] * y
    missed, needed = line.missed(y), False
    for m in range(4):
        with mpmath.workdps(30):
            true = moment(sigma, q, 1 + c + 1j * y[0, m], cut) * mpmath.exp(-line.scale[0] - 1j * y[0, m] * line.mean[0])
        off = abs(complex(true) - values[0, m])
        assert off <= error[0, m] + missed[0, m]
        needed = needed or off > error[0, m]
    assert needed == (half == 1.0)
    assert np.exp(line.above()[0]) >= float(moment(sigma, q, 1 + c, cut))


def test_moments_far_up_and_backwards_against_mpmath():
    sigma, q, c, cut = 0.8, 0.002, 10.0, 4.0
    part = replace(columns(sigma, q, 100), cut=np.array([cut]))
    reach = np.array([2000.0])
    line = panels.filled(panels.panels(part, np.array([1 + c]), reach), np.array([1 + c]))
    end = quadrature.cut_end(part, np.array([c]), part.cut, line.scale)[0]
    bound = panels.far_bound(line, end, reach)[0]
    assert bound < -1e-3
    for y in (2000.0, 2600.0):
        with mpmath.workdps(20):
            s1, rate = mpmath.mpf(sigma), mpmath.mpf(q)

            def f(s, y=y, s1=s1, rate=rate):
                u = 1 - rate + rate * mpmath.exp(s / s1 - 1 / (2 * s1**2))
                return mpmath.npdf(s) * mpmath.exp((1 + c + 1j * y) * mpmath.log(u))

            size = abs(mpmath.quad(f, [-10, -4, *[n / 4 for n in range(-8, 17)]]))
        assert float(mpmath.log(size)) - line.scale[0] <= bound
    for t in (1.0, 40.0, 400.0):
        found = panels.log_back_moment(part, np.array([t]))[0]
        true = float(mpmath.log(moment(sigma, q, 1 - t, 14)))
        assert true <= found <= true + 1e-6 + 1e-6 * t


def test_the_rule_is_that_of_gauss_and_legendre():
    nodes, weights = panels.legendre_rule()
    with precision(100):
        exact = [arb.legendre_p_root(panels.NODES, n, weight=True) for n in range(panels.NODES)]
        for node, weight in exact:
            near = int(np.argmin(np.abs(nodes - float(node.mid()))))
            assert abs(arb(float(nodes[near])) - node) <= UNIT_ROUNDOFF
            assert abs(arb(float(weights[near])) / weight - 1) <= 2 * UNIT_ROUNDOFF


def test_what_is_out_of_reach_is_declined():
    given = Rows(np.array([0.9, 0.01]), np.array([1.0, 1.0]), np.array([10.0, 1000.0]), np.zeros(2), True)
    low, high = jumps.epsilon_rows(given, np.array([-13.0, -100.0]), 1e-6)
    assert np.isnan(low).all()
    assert np.isnan(high).all()
    assert np.isnan(jumps.epsilon_rows(replace(given, remove=False), np.array([-13.0, -13.0]), 1e-6)[0]).all()


@pytest.mark.parametrize(("at", "target", "below"), [(0.01077018, 1e-6, True), (0.0125, 1e-300, True), (0.003, 1e-6, False)])
def test_added_records_near_and_beyond_the_largest_loss(at, target, below):
    """k·log(1/(1−q)) is 0.01245: a saddle point near it is out of reach, and beyond it δ is 0."""
    given = replace(columns("0.883", "0.0001122", 111), remove=False)
    found = worst.surely_below(given, np.array([at]), np.array([math.log(target)]))
    assert found[0] == below
    if target == 1e-6:
        known = delta(mechanism("0.883", "0.0001122", 111), Fraction(str(at)), digits=4, direction="add").enclosure
        assert (known.upper <= Fraction(1, 10**6)) == below


@pytest.mark.slow
def test_random_rows_against_certified_delta():
    """Any end that is given is on its side: δ(lower) ≥ δ ≥ δ(upper), and δ of a row lies within its bounds."""
    draw, size = random.Random(11), 80
    sigma = [f"{math.exp(draw.uniform(-1, 1.5)):.3f}" for _ in range(size)]
    q = [f"{10 ** draw.uniform(-5, -0.31):.3g}" for _ in range(size)]
    steps = [round(10 ** draw.uniform(1, 5)) for _ in range(size)]
    target = np.array([10 ** draw.uniform(-10, -3) for _ in range(size)])
    given = Rows(*(np.array([float(x) for x in column]) for column in (q, sigma, steps)), np.zeros(size), True)
    low, high = jumps.epsilon_rows(given, np.log(target), 1e-7)
    both = np.isfinite(low) & np.isfinite(high)
    assert both.sum() >= 0.5 * size
    middle = np.where(both, 0.5 * (low + high), 1.0)
    least, most = jumps.delta_rows(given, middle, 1e-7)
    for i in np.flatnonzero(both):
        run = mechanism(sigma[i], q[i], steps[i])
        ends = [delta(run, Fraction(float(at)), digits=8, direction="remove").enclosure for at in (low[i], high[i], middle[i])]
        assert float(ends[0].upper) >= target[i] * (1 - 1e-12)
        assert float(ends[1].lower) <= target[i] * (1 + 1e-12)
        if np.isfinite(least[i]):
            assert math.exp(least[i]) <= float(ends[2].upper) * (1 + 1e-12)
            assert float(ends[2].lower) <= math.exp(most[i]) * (1 + 1e-12)
