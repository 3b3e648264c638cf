"""One-run audits against sums from the definition, mechanisms that reach or keep the bound, and mistakes of other packages."""

import json
from fractions import Fraction
from math import comb

import mpmath
import pytest

from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.one_run.guesses import Guesses

CASES = [
    (100, 75, 0, 100, "0.5"), (100, 75, "1e-5", 1000, "0.7"), (40, 40, "1e-4", 60, "2"), (30, 3, "0.01", 30, "0"), (7, 0, "0.1", 9, "1"),
]  # fmt: skip


def p_value(r, v, delta, m, epsilon, *, strict=False, only_one=False, factor=2):
    """Term by term; the switches are mistakes."""
    q = 1 / (1 + mpmath.exp(-mpmath.mpf(epsilon)))
    mass = [comb(r, j) * q**j * (1 - q) ** (r - j) for j in range(r + 1)]
    alpha = max((mpmath.fsum(mass[v - i : v]) / i for i in range(1, (1 if only_one else v) + 1)), default=mpmath.mpf(0))
    return min(mpmath.mpf(1), mpmath.fsum(mass[v + strict :]) + factor * m * mpmath.mpf(delta) * alpha)


def least_rejected(p, level=0.05):
    low, high = mpmath.mpf(0), mpmath.mpf(20)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if p(middle) <= level else (low, middle)
    return float(low)


@pytest.mark.parametrize(("r", "v", "delta", "m", "epsilon"), CASES)
def test_p_values_from_the_definition(r, v, delta, m, epsilon):
    with mpmath.workdps(40):
        found, expected = Guesses(r, v, delta, m).p_value(epsilon, 15), p_value(r, v, delta, m, epsilon)
        assert abs(mpmath.mpf(found.lower_decimal(20)) / expected - 1) < mpmath.mpf("1e-14")


def test_the_bound_on_epsilon_has_the_level_at_its_end():
    for run in (Guesses(100, 75), Guesses(100, 75, "1e-5", 1000), Guesses(60, 58, "1e-3", 80)):
        found = run.lower_epsilon("0.95")
        assert run.p_value(found.lower).upper <= Fraction(1, 20) < run.p_value(found.upper).lower


@pytest.mark.parametrize("mistake", [{"strict": True}, {"only_one": True}, {"factor": 1}, {"m": 100}, {"delta": 0}])
def test_mistakes_of_other_packages_claim_too_much(mistake):
    """P(W > v); the term i = 1 alone; mδα without the 2; guesses in place of examples; no δ."""
    case = {"r": 100, "v": 75, "delta": "1e-4", "m": 5000} | {name: value for name, value in mistake.items() if name in ("m", "delta")}
    switches = {name: value for name, value in mistake.items() if name not in ("m", "delta")}
    wrong = least_rejected(lambda epsilon: p_value(**case, epsilon=epsilon, **switches))
    certified = Guesses(100, 75, "1e-4", 5000).lower_epsilon("0.95").upper_float
    assert wrong > certified + 1e-5


def test_randomized_response_reaches_the_bound():
    found, right = Guesses(12, 9).p_value("1", 12), 1 / (1 + mpmath.exp(-1))
    wanted = float(sum(comb(12, j) * right**j * (1 - right) ** (12 - j) for j in range(9, 13)))
    assert abs(float(found.lower_float) - wanted) <= 1e-6 * abs(wanted)


@pytest.mark.parametrize("v", [6, 9, 12])
@pytest.mark.parametrize("delta", ["0.001", "0.05"])
def test_mechanisms_with_delta_keep_the_bound(v, delta):
    """All coins shown with probability δ, else randomized response; and each coin shown with probability δ."""
    m, right, chance = 12, 1 / (1 + mpmath.exp(-1)), mpmath.mpf(delta)
    tail = lambda p: mpmath.fsum(comb(m, j) * p**j * (1 - p) ** (m - j) for j in range(v, m + 1))  # noqa: E731
    bound = Guesses(m, v, delta).p_value("1").upper_float
    assert chance + (1 - chance) * tail(right) <= bound
    assert tail(chance + (1 - chance) * right) <= bound


def test_chance_shows_nothing():
    assert Guesses(100, 50).lower_epsilon().upper == 0 and Guesses(3, 0).lower_epsilon().upper == 0


def test_command(capsys):
    assert main(["audit-run", "--guesses", "100", "--correct", "75", "--confidence", "0.95", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["epsilon"]["lower"] <= "0.70221393095" <= document["epsilon"]["upper"]
    assert main(["audit-run", "--guesses", "100", "--correct", "75", "--delta", "1e-5"]) == 2  # examples are needed
    assert main(["audit-run", "--guesses", "100"]) == 2
    assert main(["audit-run", "--guesses", "100", "--correct", "75", "--delta", "1e-5", "--examples", "1000", "--epsilon", "1"]) == 0
    assert "confidence 0.95" in capsys.readouterr().out


@pytest.mark.parametrize("given", [(0, 0), (5, 6), (5, 5, 2), (5, 5, 0, 4)])
def test_bad_input_has_one_line(given):
    with pytest.raises(InputError):
        Guesses(*given)
