"""Mechanisms with a formula of their own, in every command: against tables on a grid, closed forms of Gaussians, and integrals."""

import json
import math
from fractions import Fraction
from statistics import NormalDist

import pytest

from dpbounds import accounting
from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.hidden_state.bounds import HiddenState, LastIterate
from dpbounds.hidden_state.formulas import _atoms
from dpbounds.matrix.mechanism import MatrixMechanism
from dpbounds.mechanisms import Composed, Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.mechanisms.events import event_of, mechanism_of
from dpbounds.mechanisms.specs import mechanism_to_spec, spec_to_mechanism
from dpbounds.renyi.solve import renyi_divergence
from dpbounds.selection.mechanisms import Selection
from dpbounds.shuffle.mechanism import Shuffled
from dpbounds.sweeps import sweep

RUN = HiddenState("0.9", 1, 5, 20)
SEVERAL = MatrixMechanism("1,0,3/4,1/4,0,2/3", 2, 8, 2, 4)
SAMPLED = LastIterate(HiddenState("0.9", 1, 5, 6), "0.5")
NORMAL = NormalDist()


def table(e: float, t: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Two outcomes (P, Q) with the losses t and t − E."""
    p = math.expm1(t - e) / math.expm1(-e)
    return (p, p * math.exp(-t)), (1 - p, 1 - p * math.exp(-t))


def renyi_of_table(rows, alpha: float) -> float:
    return math.log(sum(p**alpha * q ** (1 - alpha) for p, q in rows if p and q)) / (alpha - 1)


def fnr_of_table(rows, rate: float) -> float:
    """1 − P(S) of the best randomized test with Q(S) = rate: outcomes by their ratio."""
    power = 0.0
    for p, q in sorted(rows, key=lambda row: row[0] / row[1], reverse=True):
        taken = min(1.0, rate / q)
        power, rate = power + taken * p, rate - taken * q
    return 1 - power


@pytest.mark.parametrize("mechanism", [RUN, SAMPLED, SEVERAL, Selection("noisy-max", "1/3", 3), Selection("above-threshold", 2)])
def test_specifications_go_both_ways(mechanism):
    spec = mechanism_to_spec(mechanism)
    assert spec_to_mechanism(json.loads(json.dumps(spec))) == mechanism
    twice = spec_to_mechanism(mechanism_to_spec(Repeated(mechanism, 2)))
    assert isinstance(twice, Composed) and twice.parts == (mechanism, mechanism)


@pytest.mark.parametrize("alpha", ["1.25", "3", "40"])
@pytest.mark.parametrize("e", ["0.3", "2"])
def test_renyi_divergence_of_a_bounded_range_is_the_largest_over_tables(e, alpha):
    found = renyi_divergence(Selection("exponential-mechanism", e, 3), alpha).enclosure
    length, order = float(e), float(alpha)
    wanted = 3 * max(renyi_of_table(table(length, length * j / 2000), order) for j in range(1, 2000))
    assert wanted * (1 - 1e-5) <= found.lower_float and wanted <= found.upper_float * (1 + 1e-12)


def test_renyi_divergence_of_permute_and_flip_is_between_two_candidates_and_laplace_noise():
    """Two candidates whose gap goes from g to g − E: their best answer has 1 − e^{−g}/2, or e^{−|g|}/2 behind."""
    e, order = 1.0, 3.0

    def first(gap):
        return 1 - math.exp(-gap) / 2 if gap >= 0 else math.exp(gap) / 2

    known = max(
        renyi_of_table([(first(g), first(g - e)), (1 - first(g), 1 - first(g - e))], order) for g in (j / 50 for j in range(-100, 150))
    )
    value, bound = (renyi_divergence(Selection(kind, 1), 3) for kind in ("permute-and-flip", "above-threshold"))
    assert value.enclosure.lower_float * (1 - 1e-4) <= known <= value.enclosure.upper_float < bound.enclosure.lower_float
    assert value.document()["attained"] is True and bound.document()["attained"] is False
    moment = (order * math.exp((order - 1) * e) + (order - 1) * math.exp(-order * e)) / (2 * order - 1)
    assert abs(bound.enclosure.upper_float - math.log(moment) / (order - 1)) < 1e-12


def test_the_curve_of_several_uses_is_a_lower_bound():
    """Where the worst table changes, the curve is a line between rates of two tables; the value of one use is attained."""
    for uses, noted in ((1, False), (3, True)):
        found = accounting.trade_off(Selection("noisy-max", 1, uses), "0.1")
        assert any("lower bound" in note for note in found.notes) is noted


@pytest.mark.parametrize("rate", ["0.01", "0.3", "0.8"])
def test_the_curve_of_one_use_is_the_lowest_over_tables(rate):
    found = accounting.trade_off(Selection("noisy-max", 2), rate).enclosure
    lowest = min(fnr_of_table(table(2, 2 * j / 4000), float(rate)) for j in range(1, 4000))
    assert found.lower_float <= lowest * (1 + 1e-9) and lowest <= found.upper_float * (1 + 1e-3)


def test_gaussian_formulas_have_the_values_of_gaussian_noise():
    """μ² of a run from its means and variances, of a matrix from its pattern; those of a composition add up."""
    mean = sum(Fraction(9, 10) ** j for j in range(20)) / 5
    square = float(mean**2 / sum(Fraction(9, 10) ** (2 * j) for j in range(20))) + 2045 / 144 / 4
    both = Composed((RUN, SEVERAL, Gaussian(2)))
    for mechanism, sigma in ((Composed((RUN, SEVERAL)), square**-0.5), (both, (square + 0.25) ** -0.5)):
        assert abs(renyi_divergence(mechanism, 3).enclosure.upper_float - 1.5 / sigma**2) < 1e-12
        expected = accounting.delta(Gaussian(str(sigma)), "0.7").enclosure.upper_float
        assert abs(accounting.delta(mechanism, "0.7").enclosure.upper_float - expected) < 1e-12
    found = accounting.trade_off(HiddenState("0.9", 1, 5, 1), "0.05").enclosure
    assert found.overlaps(accounting.trade_off(Gaussian(5), "0.05").enclosure)
    sampled = Composed((Sampled(Gaussian(2), PoissonSampling("0.1")), HiddenState(1, 1, 4, 1)))
    expected = accounting.delta(Composed((Sampled(Gaussian(2), PoissonSampling("0.1")), Gaussian(4))), "0.5")
    assert accounting.delta(sampled, "0.5").enclosure.overlaps(expected.enclosure)


def test_the_curve_of_a_sampled_run_is_that_of_its_better_order():
    """Thresholds of the mixture in floats: with the record first, and without it first."""
    last = LastIterate(HiddenState(1, 1, 1, 2), "0.3")
    rows = [(float(a) / math.sqrt(2), float(w)) for a, w in _atoms(last.run.contraction, last.rate, last.run.steps)]

    def above(x):
        return sum(w * NORMAL.cdf(a - x) for a, w in rows)

    for rate in (0.02, 0.4):
        x = NORMAL.inv_cdf(1 - rate)
        low, high = -10.0, 10.0
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if 1 - above(middle) < rate else (low, middle)
        wanted = min(1 - above(x), NORMAL.cdf(-low))
        assert abs(accounting.trade_off(last, str(rate)).enclosure.upper_float - wanted) < 1e-6


def test_what_is_evaluated_alone_says_so():
    for several in (Composed((Selection("noisy-max", 1), Gaussian(1))), Repeated(SAMPLED, 2)):
        with pytest.raises(InputError, match="evaluated alone"):
            accounting.delta(several, 1)
    with pytest.raises(InputError, match="Rényi"):
        renyi_divergence(SAMPLED, 2)
    with pytest.raises(InputError, match="evaluated alone"):
        accounting.delta(Sampled(Selection("noisy-max", 1), PoissonSampling("0.5")), 1)


OPTIONS = {
    "hidden-state": "--hidden-state --contraction 0.9 --gradient-change 1 --sigma 5 --steps 9 --diameter 3 --step-size 1/2",
    "selection": "--exponential-mechanism 1",
    "matrix": "--matrix 1,0,3/4,1/4,0,2/3 --steps 8 --min-sep 2 --participations 4 --sigma 2",
}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_command_has_both_ends(name, capsys):
    words = OPTIONS[name].split()
    for command, asked, key in (("delta", "--epsilon", "delta"), ("epsilon", "--delta", "epsilon"), ("rdp", "--alpha", "rdp")):
        assert main([command, *words, asked, "3/2" if command == "rdp" else "1/8", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert Fraction(found[key]["lower"]) <= Fraction(found[key]["upper"]) and found["attained"] in (True, False)
        assert found["assumes"] and found["adjacency"] and found["relation"] is None and ("mu" in found) == (name != "selection")
    assert main(["tradeoff", *words, "--fpr", "0.1"]) == 0
    assert all(found["assumes"] in line for line in capsys.readouterr().out.splitlines()[:3])
    claim = [*words, "--epsilon", "1/8", "--delta"]
    assert main(["verify", *claim, "0.9"]) == 0 and main(["verify", *claim, "1e-9"]) == 1
    assert main(["delta", *claim[:-1], "--certificate", "none.json"]) == 2


def test_rows_of_a_table_name_them():
    rows = [
        {"hidden-state": "yes", "contraction": "0.9", "gradient-change": 1, "sigma": 5, "steps": 9, "delta": "1e-5"},
        {"permute-and-flip": 1, "epsilon": "0.5"},
        {"matrix": "1,1/2", "steps": 4, "sigma": 2, "alpha": 2},
    ]
    found = sweep(rows)
    assert found.failed == 0 and [answer["quantity"] for answer in found.answers] == ["epsilon", "delta", "rdp"]
    assert all(answer["note"] for answer in found.answers)


def test_a_matrix_without_signs_is_between_two_values(tmp_path, capsys):
    """G = 1.5·I − 0.5·J: C by Cholesky in floats; the largest sum is 6, vectors reach 4.5."""
    rows = [["1", "-1/2", "-1/2"], ["0", "0.8660254", "-0.8660254"], ["0", "0", "0"]]
    (tmp_path / "c.csv").write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
    words = ["--matrix", str(tmp_path / "c.csv"), "--sigma", "2"]
    assert main(["delta", *words, "--epsilon", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["attained"] is False and Fraction(found["known"]["upper"]) < Fraction(found["delta"]["lower"])
    assert main(["verify", *words, "--claim-mu", "1.1"]) == 3 and main(["verify", *words, "--claim-mu", "1"]) == 1
    assert main(["verify", *words, "--claim-mu", "1.23"]) == 0


def test_events():
    run = HiddenState("0.9", 1, 3, 7)
    noise = mechanism_of(event_of(run))
    assert run.mu(15).lower * (1 - Fraction(1, 10**12)) < 1 / noise.sigma and 1 / noise.sigma >= run.mu(25).lower
    for kind, name in (("noisy-max", "ExponentialMechanismDpEvent"), ("permute-and-flip", "PermuteAndFlipDpEvent")):
        assert event_of(Selection(kind, "1/2")).class_name == name and event_of(Selection(kind, "1/2")).epsilon == 0.5
    for none in (Shuffled(9, 1), Selection("above-threshold", 1), Selection("noisy-max", 1, 2), LastIterate(run, "1/2")):
        with pytest.raises(InputError, match="no event of dp_accounting"):
            event_of(none)


SPECS = {
    "shuffle": {"shuffle": 300, "local-epsilon": "1", "answers": 4, "others": "third"},
    "hidden-state": {"hidden-state": True, "contraction": "0.9", "gradient-change": "1", "sigma": "5", "steps": 9},
    "matrix": {"matrix": "1,1/2", "steps": 4, "sigma": "2"},
    "selection": {"above-threshold": "1"},
}


@pytest.mark.parametrize("name", SPECS)
def test_specifications_in_every_command(name, tmp_path, capsys):
    (tmp_path / "run.json").write_text(json.dumps([SPECS[name]]), encoding="utf-8")
    for command, asked, key in (("delta", "--epsilon", "1/8"), ("epsilon", "--delta", "1/8"), ("tradeoff", "--fpr", "1/8")):
        assert main([command, "--spec", str(tmp_path / "run.json"), asked, key, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["inputs"]["mechanism"]
