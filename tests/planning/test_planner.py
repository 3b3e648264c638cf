"""Plans: the noise is certified on both sides, and one last digit less fails."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.cli import main
from dpbounds.errors import InputError, PrecisionError
from dpbounds.numbers.balls import Enclosure
from dpbounds.planning.edge import PlanTarget
from dpbounds.planning.planner import _Noise, smallest_sigma_of


@pytest.mark.parametrize(
    ("epsilon", "delta", "q", "steps", "digits"), [("1", "1e-5", "0.01", 500, 3), ("3", "1e-6", "0.1", 20, 4), ("0.5", "1e-4", "0.3", 1, 5)]
)
def test_one_last_digit_less_fails(epsilon, delta, q, steps, digits):
    plan = smallest_sigma_of(epsilon, delta, m.PoissonSampling(q), steps, digits)
    unit = plan.sigma - plan.below
    assert plan.reached <= Fraction(delta) and plan.missed > Fraction(delta)
    assert Fraction(10) ** (digits - 1) <= plan.sigma / unit <= Fraction(10) ** digits
    for sigma, holds in ((plan.sigma, True), (plan.below, False)):
        found = accounting.delta(m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps), epsilon, digits=8).enclosure
        assert (found <= Fraction(delta)) is holds


def test_without_sampling_the_closed_form_agrees():
    plan = smallest_sigma_of(1, "1e-5", steps=9, digits=8)
    enough, less = (accounting.delta(m.Gaussian(sigma / 3), 1).enclosure for sigma in (plan.sigma, plan.below))
    assert enough <= Fraction("1e-5") < less.lower


def test_substitution_and_published_pairs():
    plan = smallest_sigma_of(1, "1e-5", steps=4, relation="substitute")
    assert plan.result.relation is m.Relation.SUBSTITUTE
    with pytest.raises(InputError, match="guarantee pair"):
        smallest_sigma_of(1, "1e-5", m.WithReplacementSampling(100, 1), 10)
    pair = smallest_sigma_of(1, "1e-3", m.FixedSizeSampling(5, 1), 50, 2, guarantee="pair")
    assert pair.document()["guarantee"] == "pair"


def test_a_delta_that_cannot_be_had_is_an_error_unless_the_renyi_bound_decides(monkeypatch):
    def nothing(*_, **__):
        raise PrecisionError("no digits")

    target = _Noise(PlanTarget.read(1, "1e-5"), m.PoissonSampling("0.01"), 100)
    bounds = [target.bound(Fraction(sigma)) for sigma in (1, 2, 4)]
    assert bounds[0].lower > bounds[1].upper > bounds[2].upper
    monkeypatch.setattr(accounting, "delta", nothing)
    assert target.met(Fraction(4)) is True
    with pytest.raises(PrecisionError, match="no digits"):
        target.met(Fraction(1, 2))
    unknown = _Noise(PlanTarget.read(1, "1e-5", None, "pair"), m.FixedSizeSampling(100, 1), 100)
    assert unknown.bound(Fraction(4)) >= Enclosure.exactly(1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: smallest_sigma_of(-1, "1e-5"),
        lambda: smallest_sigma_of(1, 0),
        lambda: smallest_sigma_of(1, "1e-5", steps=0),
        lambda: smallest_sigma_of(1, "1e-5", sampling=0.1),
        lambda: smallest_sigma_of(1, "1e-5", digits=0),
        lambda: smallest_sigma_of(1, "1e-5", m.PoissonSampling(0)),
        lambda: smallest_sigma_of(0, "1e-9", steps=10**9),
        lambda: smallest_sigma_of(1, "1e-5", guarantee="both"),
    ],
)
def test_bad_input(call):
    with pytest.raises(InputError):
        call()


def test_the_command_prints_a_noise_plan(capsys):
    assert main(["plan", "--epsilon", "1", "--delta", "1e-5", "--steps", "9", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "dpbounds/1" and document["quantity"] == "sigma"
    assert Fraction(document["delta_at_sigma"]["upper"]) <= Fraction("1e-5") < Fraction(document["delta_below"]["lower"])
    assert main(["plan", "--epsilon", "1", "--delta", "1e-5", "--q", "0.5", "--epochs", "2", "--digits", "3"]) == 0
    assert "is enough for epsilon 1" in capsys.readouterr().out


def test_the_command_prints_a_schedule(capsys):
    words = ["plan", "--rho", "0.78125", "--schedule", "step", "--initial", "10", "--period", "10"]
    assert main([*words, "--rate", "0.6", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["epochs"] == 31 and Fraction(document["rows"][-1]["spent"]) <= Fraction("0.78125")
    assert main([*words, "--rates", "--epochs", "50"]) == 0
    assert "exactly 50 epochs" in capsys.readouterr().out
    for family, extra in (("time", ["--rate", "0.05"]), ("constant", []), ("polynomial", ["--rate", "3", "--end", "2", "--period", "100"])):
        assert main(["plan", "--rho", "0.78125", "--schedule", family, "--initial", "10", *extra]) == 0
        assert "epochs" in capsys.readouterr().out


def group_delta(sigma: float, q: float, group: int, epsilon: float) -> float:
    """δ of one step for a group, the larger of both directions, by a trapezoid sum."""
    x = np.arange(-9 * sigma, 9 * sigma + group, sigma / 500)
    far = stats.norm.pdf(x, 0, sigma)
    near = sum(stats.binom.pmf(hits, group, q) * stats.norm.pdf(x, hits, sigma) for hits in range(group + 1))
    both = (near - math.exp(epsilon) * far, far - math.exp(epsilon) * near)
    return max(float(np.maximum(part, 0).sum() * sigma / 500) for part in both)


def test_groups_of_records_by_a_sum():
    plan = smallest_sigma_of(1, "1e-3", m.GroupPoissonSampling("0.1", 2), 1, 3)
    assert group_delta(float(plan.sigma), 0.1, 2, 1) <= 1e-3 < group_delta(float(plan.below), 0.1, 2, 1)
    assert plan.sigma > smallest_sigma_of(1, "1e-3", m.PoissonSampling("0.1"), 1, 3).sigma


def test_truncated_batches_are_planned_by_their_upper_bound(capsys):
    command = ["plan", "--epsilon", "1", "--delta", "1e-3", "--q", "0.1", "--digits", "2"]
    assert main([*command, "--sampling", "truncated-poisson", "--population", "100", "--batch-limit", "20"]) == 0
    assert "sigma 0.86 is enough" in (shown := capsys.readouterr().out) and "note: upper bound" in shown
    assert main([*command, "--group", "2"]) == 0
    assert "sigma 1.3 is enough" in capsys.readouterr().out


def test_a_plan_below_a_power_of_ten_has_all_its_digits():
    # the bracket of the search ends at 1
    plan = smallest_sigma_of("1.3", "0.1", digits=3)
    assert Fraction(4, 5) < plan.sigma < 1 and plan.sigma - plan.below == Fraction(1, 1000)
    plan = smallest_sigma_of(1, "0.1", digits=3)
    assert plan.sigma > 1 and plan.sigma - plan.below == Fraction(1, 100)
