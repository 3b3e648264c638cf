"""μ and regret against curves in closed form, on grids of floats, and the term of each bound."""

import json
import math
from fractions import Fraction
from statistics import NormalDist

import mpmath
import pytest

from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.gdp.mu import _Polygon, fpr_floor, mu_of_curve
from dpbounds.mechanisms import Direction, Gaussian, Guarantee, Laplace, PoissonSampling, RandomizedResponse, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.numbers.balls import ball, precision

NORMAL = NormalDist()


def laplace_fnr(alpha: float) -> float:
    if alpha < math.exp(-1) / 2:
        return 1 - math.e * alpha
    return math.exp(-1) / (4 * alpha) if alpha < 0.5 else math.exp(-1) * (1 - alpha)


def grid_mu(curve, floor: float) -> float:
    rates = [floor * (0.5 / floor) ** (j / 4000) for j in range(4001)]
    return max(NORMAL.inv_cdf(1 - a) - NORMAL.inv_cdf(curve(a)) for a in rates if curve(a) >= a)


def test_laplace_on_a_grid():
    found = mu_of_curve(Laplace(1), digits=5).mu
    assert found.lower_float - 1e-9 <= grid_mu(laplace_fnr, 1e-6) * (1 + 1e-5) and grid_mu(laplace_fnr, 1e-6) <= found.upper_float
    assert found.lower_float <= -2 * NORMAL.inv_cdf(math.exp(-0.5) / 2) <= found.upper_float
    assert found.upper_float - found.lower_float < 1e-4


@pytest.mark.parametrize("sigma", ["1", "2", "5"])
def test_gaussian_noise_has_its_own_mu_and_no_regret(sigma):
    found = mu_of_curve(Gaussian(sigma), digits=3)
    assert found.mu.contains(1 / Fraction(sigma)) and found.regret.high < 0.004


@pytest.mark.parametrize("floor", ["1e-6", "0.01"])
def test_randomized_response_by_its_corner(floor):
    """f = max(1 − eα, (1 − α)/e): the corner 1/(1 + e) is the worst point."""
    found = mu_of_curve(RandomizedResponse(1, 2), floor=floor).mu
    expected = -2 * NORMAL.inv_cdf(1 / (1 + math.e))
    assert found.lower_float - 1e-12 <= expected <= found.upper_float + 1e-12


def test_the_floor_counts_for_sampled_noise():
    """Far out one use of sampled noise is as bad as the noise itself; mu rises as the floor falls. By the exact curve on a grid."""
    q = 0.1

    def curve(alpha: float) -> float:  # thresholds: Q = N(0, 1), P = (1 − q)Q + q N(1, 1)
        x = NORMAL.inv_cdf(1 - alpha)
        return (1 - q) * NORMAL.cdf(x) + q * NORMAL.cdf(x - 1)

    mechanism = Sampled(Gaussian(1), PoissonSampling("0.1"))
    some, more = (mu_of_curve(mechanism, floor=floor).mu for floor in ("1e-2", "1e-6"))
    assert some.upper_float < more.lower_float < 1
    for floor, found in ((1e-2, some), (1e-6, more)):
        assert grid_mu(curve, floor) <= found.upper_float
        assert found.lower_float <= grid_mu(curve, floor) * (1 + 2e-3)


def test_regret_of_laplace_on_a_grid():
    """From its definition: the least κ with f(α + κ) − κ ≤ G_μ(α), by bisection at each α."""
    found = mu_of_curve(Laplace(1))
    mu, worst = float(found.reported), 0.0
    for j in range(1, 2000):
        alpha = j / 2000
        gaussian, low, high = NORMAL.cdf(NORMAL.inv_cdf(1 - alpha) - mu), 0.0, 0.5
        for _ in range(40):
            middle = (low + high) / 2
            holds = alpha + middle >= 1 or laplace_fnr(alpha + middle) - middle <= gaussian
            low, high = (low, middle) if holds else (middle, high)
        worst = max(worst, high)
    assert found.regret.lower_float - 1e-9 <= worst * (1 + 1e-4) and worst <= found.regret.upper_float + 1e-9


def test_the_ratio_down_to_its_floor_and_not_below():
    with mpmath.workdps(30):
        z = mpmath.findroot(lambda z: mpmath.npdf(z) / mpmath.ncdf(-z) - 5, 4.8)
        found = fpr_floor(12)
        assert abs(mpmath.ncdf(-z) / mpmath.mpf(found.lower_decimal(20)) - 1) < 1e-12
    assert found.lower_decimal(3) == "7.66e-7"
    for mu in (0.001, 0.1, 1, 3):
        assert NORMAL.cdf(NORMAL.inv_cdf(7.6615e-7) + mu) <= 7.6615e-7 * math.exp(5 * mu)
    assert NORMAL.cdf(NORMAL.inv_cdf(7.5e-7) + 0.001) > 7.5e-7 * math.exp(0.005)


def test_command(capsys):
    assert main(["tradeoff", "--laplace-scale", "1", "--gdp", "--fpr", "0.1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["kind"] == "symmetric" and Fraction(document["gdp"]["mu"]["lower"]) <= Fraction("1.0301") <= Fraction(
        document["gdp"]["mu"]["upper"]
    )
    assert main(["tradeoff", "--sigma", "1", "--q", "0.1", "--direction", "add", "--fpr", "0.1"]) == 0
    assert "one-sided" in capsys.readouterr().out
    assert main(["tradeoff", "--sigma", "1", "--floor", "0.1"]) == 2


@pytest.mark.parametrize("given", [{"floor": "0.3"}, {"floor": 0}, {"digits": 0}])
def test_bad_input_has_one_line(given):
    with pytest.raises(InputError):
        mu_of_curve(Gaussian(1), **given)


@pytest.mark.parametrize(("mechanism", "mu", "count"), [(Laplace(1), "1.1", 3), (Gaussian(1), "1.1", 3), (Laplace(1), "1.1", 1)])
def test_the_bound_on_the_regret_of_few_lines(mechanism, mu, count):
    """In x = e^ε on a grid of floats: the chord of δ_μ over the lines on both sides of each pair, and δ_μ beyond the last one."""
    with precision(100):
        polygon = _Polygon(dominating_pairs(mechanism, None, Direction.WORST, Guarantee.MECHANISM), Fraction(1, 1000))
        polygon.lines = polygon.lines[:count]
        _, high, _ = polygon._regret(ball(Fraction(mu)))
    rows = [(0.0, 1.0, 1.0), *((float(x.mid()), 1 - float(rest.mid()), float(low.mid())) for _, x, rest, low in polygon.lines)]
    own = [
        NORMAL.cdf(float(mu) / 2 - math.log(x) / float(mu)) - x * NORMAL.cdf(-float(mu) / 2 - math.log(x) / float(mu)) for x, *_ in rows[1:]
    ]
    worst = own[-1] / (1 + rows[-1][0])
    for i in range(1, len(rows) - 1):
        (start, _, first), (end, _, second) = rows[i], rows[i + 1]
        ahead = (first - rows[i - 1][1]) / (start - rows[i - 1][0])
        back = (rows[i + 2][1] - second) / (rows[i + 2][0] - end) if i + 2 < len(rows) else 0.0
        for k in range(1001):
            x = start + (end - start) * k / 1000
            chord = own[i - 1] + (own[i] - own[i - 1]) * k / 1000
            worst = max(worst, (chord - max(first + ahead * (x - start), second + back * (x - end))) / (1 + x))
    assert worst - 1e-12 <= float(high.mid()) <= worst + 1e-4
