"""Certified trade-off curves against closed forms, tables by hand, and mutants of the bounds."""

import itertools
import json
import random
from fractions import Fraction

import mpmath
import pytest

from dpbounds.accounting import advantage, tradeoff
from dpbounds.accounting.tradeoff import trade_off
from dpbounds.cli import main
from dpbounds.mechanisms import FiniteTable, FixedSizeSampling, Gaussian, Laplace, PoissonSampling, RandomAllocation, Repeated, Sampled


@pytest.mark.parametrize("alpha", ["1e-9", "0.01", "0.5", "0.99"])
@pytest.mark.parametrize(("sigma", "steps"), [("1", 1), ("0.5", 3), ("7", 2)])
def test_gaussian_noise_has_the_normal_curve(sigma, steps, alpha):
    """f(α) = Φ(Φ⁻¹(1 − α) − √k/σ), in mpmath."""
    found = trade_off(Repeated(Gaussian(sigma), steps), alpha, digits=8).enclosure
    with mpmath.workdps(40):
        quantile = mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * mpmath.mpf(alpha))
        value = mpmath.ncdf(quantile - mpmath.sqrt(steps) / mpmath.mpf(sigma))
        assert mpmath.mpf(found.lower_decimal(20)) <= value <= mpmath.mpf(found.upper_decimal(20))


def neyman_pearson(p, q, alpha):
    """The best test on a table, in fractions: outcomes in falling order of p/q, the last one at random."""
    power = Fraction(0)
    for own_p, own_q in sorted(zip(p, q, strict=True), key=lambda row: -row[0] / row[1] if row[1] else float("-inf")):
        if own_q <= alpha:
            alpha, power = alpha - own_q, power + own_p
        else:
            return 1 - power - own_p * alpha / own_q
    return 1 - power


def test_tables_have_the_curve_of_neyman_and_pearson():
    draw = random.Random(7)
    for _ in range(15):
        rows = []
        for _ in range(2):
            weights = [draw.randrange(0, 9) for _ in range(4)] + [1]
            rows.append([Fraction(weight, sum(weights)) for weight in weights])
        p, q = rows
        alpha, steps = Fraction(draw.randrange(1, 50), 50), draw.choice([1, 2])
        one, two = ([a * b for a, b in itertools.product(row, row)] if steps == 2 else row for row in (p, q))
        truth = min(neyman_pearson(one, two, alpha), neyman_pearson(two, one, alpha))
        found = trade_off(Repeated(FiniteTable(p, q), steps), alpha).enclosure
        assert found.lower <= truth <= found.upper


def test_laplace_noise_has_the_curve_of_its_kink():
    """b = 1: f(α) = 1 − eα for α ≤ 1/(2e)."""
    found = trade_off(Laplace(1), "0.1", digits=10).enclosure
    with mpmath.workdps(30):
        assert mpmath.mpf(found.lower_decimal(20)) <= 1 - mpmath.e / 10 <= mpmath.mpf(found.upper_decimal(20))


def test_the_curve_and_the_profile_agree():
    """1 − f(α) − α is at most the advantage, and equal to it somewhere."""
    mechanism = Repeated(Sampled(Gaussian("0.8"), PoissonSampling("0.1")), 3)
    most = advantage(mechanism, direction="remove").enclosure
    gaps = [
        1 - trade_off(mechanism, Fraction(i, 20), direction="remove", digits=4).enclosure.lower - Fraction(i, 20) for i in (1, 4, 7, 13)
    ]
    assert max(gaps) >= most.lower - Fraction(1, 100)
    assert all(gap <= most.upper + Fraction(1, 10**3) for gap in gaps)


def test_the_worse_direction_counts():
    mechanism = Sampled(Gaussian("0.5"), PoissonSampling("0.2"))
    each = [trade_off(mechanism, "0.1", direction=direction).enclosure for direction in ("add", "remove")]
    assert trade_off(mechanism, "0.1").enclosure.overlaps(min(each, key=lambda value: value.lower))
    assert not each[0].overlaps(each[1])


def with_wide_deltas(monkeypatch, seed):
    """f of σ = 1 at 0.05 from enclosures of δ that are wide, the truth anywhere inside."""
    draw, honest = random.Random(seed), tradeoff.evaluate

    def wide(product, epsilon, digits):
        found, method = honest(product, epsilon, digits)
        below, above = (tradeoff.arb(draw.choice([0, 1]) * draw.random() / 50) for _ in range(2))
        return tradeoff.Enclosure.between((found.low - below).lower(), (found.high + above).upper()), method

    monkeypatch.setattr(tradeoff, "evaluate", wide)
    monkeypatch.setattr(tradeoff, "_POINTS", 12)
    return tradeoff.rate_of(tradeoff.dominating_pairs(Gaussian(1))[0], Fraction(1, 20), 6)


@pytest.mark.parametrize("seed", range(4))
def test_wide_deltas_give_a_wide_rate_that_holds(monkeypatch, seed):
    truth = trade_off(Gaussian(1), "0.05", digits=12).enclosure
    assert with_wide_deltas(monkeypatch, seed).contains(truth)


def test_a_chord_without_the_errors_of_its_ends_is_seen(monkeypatch):
    """The mutant takes the lower end of δ for δ itself in the slopes and in the values."""
    truth = trade_off(Gaussian(1), "0.05", digits=12).enclosure
    point = tradeoff._Point
    for drop in (lambda e, x, low, high: point(e, x, low, low), lambda e, x, low, high: point(e, x, high, high)):
        missed = False
        for seed in range(8):
            with monkeypatch.context() as patch:
                patch.setattr(tradeoff, "_Point", drop)
                try:
                    missed = missed or not with_wide_deltas(patch, seed).contains(truth)
                except ValueError:  # the two ends have changed places
                    missed = True
        assert missed


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_any_weight_of_two_lines_is_sound(monkeypatch, weight):
    """A poor choice of the weight gives a wider interval that still holds the truth."""
    truth = trade_off(Gaussian(1), "0.05", digits=12).enclosure

    def poor(lines, start, end):
        best = tradeoff.arb.neg_inf()
        for one, two in itertools.permutations(lines, 2):
            ends = [(weight * one(x) + (1 - weight) * two(x)).lower() for x in (start, end)]
            best = best.max(ends[0].min(ends[1]))
        return best, float((start + end).mid()) / 2

    monkeypatch.setattr(tradeoff, "lowest_of_two", poor)
    monkeypatch.setattr(tradeoff, "_POINTS", 15)
    found = tradeoff.rate_of(tradeoff.dominating_pairs(Gaussian(1))[0], Fraction(1, 20), 4)
    assert found.contains(truth)


def test_disjoint_distributions_are_told_apart():
    assert trade_off(FiniteTable([1, 0], [0, 1]), "0.01").enclosure.upper < Fraction(1, 10**20)


def test_random_allocation_is_attained():
    result = trade_off(Sampled(Gaussian(2), RandomAllocation(3)), "0.1", digits=2, direction="remove")
    assert result.notes == ()


@pytest.mark.slow
def test_an_upper_bound_on_delta_gives_a_lower_bound_on_the_rate():
    result = trade_off(Repeated(Sampled(Gaussian(2), FixedSizeSampling(10, 1)), 2), "0.1", digits=3)
    assert "lower bound" in result.notes[0]


def test_the_command(capsys):
    assert main(["tradeoff", "--sigma", "1", "--fpr", "0.05", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (row,) = document["curve"]
    assert row["false_positive_rate"] == "0.05"
    assert Fraction(row["true_positive_rate"]["lower"]) <= 1 - Fraction(row["false_negative_rate"]["lower"])
    assert document["advantage"]["lower"].startswith("0.38292")
    assert main(["tradeoff", "--sigma", "1", "--fpr", "0.05"]) == 0
    assert "at FPR 0.05: FNR in [0.7404" in capsys.readouterr().out


def test_the_picture(tmp_path, monkeypatch, capsys):
    from dpbounds import plots

    whole = plots.trade_off_curve
    monkeypatch.setattr(plots, "trade_off_curve", lambda *args, **words: whole(*args, **words, points=5))
    path = tmp_path / "curve.svg"
    assert main(["tradeoff", "--randomized-response", "1", "--plot", str(path)]) == 0
    assert "<svg" in path.read_text(encoding="utf-8")
