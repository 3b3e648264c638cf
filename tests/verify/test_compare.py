"""One training run under every way of drawing its batches."""

import json
import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest

from dpbounds import accounting
from dpbounds.cli import main
from dpbounds.mechanisms import Gaussian, Laplace, PoissonSampling, RandomAllocation, Repeated, Sampled
from dpbounds.verify import compare
from dpbounds.verify.compare import SchemeRow, Training, comparison, crossings_of, rows_of
from dpbounds.verify.sides import SideBound

SMALL = ["--sigma", "0.8", "--records", "18", "--batch", "4", "--epochs", "2", "--delta", "1e-3"]
SMALL_RUN = Training("0.8", 20, 4, 2)


def row(found, scheme, side="value"):
    return next(row for row in found.rows if (row.scheme, row.side) == (scheme, side))


@pytest.fixture(scope="module")
def small():
    """What is quick: no sampling without replacement, and 18 records, whose batches of 4 have no uniform place and so no slow lower bound.

    The crossing is one of two closed forms, Gaussian and Laplace noise.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compare, "SCHEMES", ("poisson", "shuffled", "none"))
        found = comparison(Training("0.8", 18, 4, 2), "1e-3")
    noises = [
        SchemeRow(name, "value", "zero-out", (SideBound(noise),)) for name, noise in (("gauss", Gaussian(2)), ("laplace", Laplace(2)))
    ]
    return replace(found, crossings=crossings_of(*noises, [Fraction(0), Fraction("0.2"), Fraction("0.4")]))


def test_values_are_those_of_the_mechanisms(small):
    for mechanism, scheme in (
        (Repeated(Sampled(Gaussian("0.8"), PoissonSampling(Fraction(4, 18))), 10), "poisson"),
        (Repeated(Gaussian("0.8"), 2), "none"),
    ):
        value = accounting.epsilon(mechanism, "1e-3", digits=10).enclosure
        assert row(small, scheme).epsilon.overlaps(value)
    (allocated,) = rows_of(SMALL_RUN, "random-allocation", "zero-out")
    assert allocated.bounds == (SideBound(Repeated(Sampled(Gaussian("0.8"), RandomAllocation(5)), 2)),)


def test_bounds_are_in_order(small):
    assert row(small, "shuffled", "lower bound").epsilon.lower <= row(small, "shuffled", "upper bound").epsilon.upper
    lower, upper = (side.delta_at(Fraction(4), 3) for side in rows_of(Training("0.8", 20, 4, 1), "without-replacement", "zero-out"))
    assert lower.lower < upper.upper
    assert row(small, "shuffled", "lower bound").epsilon.lower > row(small, "poisson").epsilon.upper


def test_a_bound_of_another_relation_says_so(small):
    rows = rows_of(SMALL_RUN, "shuffled", "add-or-remove")
    assert [row.relation for row in rows] == ["add-or-remove", "zero-out"]
    assert "(zero-out only)" in replace(small, relation="add-or-remove").text()
    assert "only)" not in small.text()


def test_a_crossing_is_certified_by_another_library(small):
    """Between both ends the δ of Gaussian and of Laplace noise change places, by the closed forms in mpmath."""
    (crossing,) = small.crossings
    assert (crossing.first, crossing.second) == ("gauss", "laplace")
    assert 0 < crossing.low < crossing.high < crossing.low * Fraction(1001, 1000)

    def deltas(epsilon):
        e = mpmath.mpf(epsilon.numerator) / epsilon.denominator
        gauss = mpmath.ncdf(mpmath.mpf(1) / 4 - 2 * e) - mpmath.exp(e) * mpmath.ncdf(-mpmath.mpf(1) / 4 - 2 * e)
        return 1 - mpmath.exp((e - mpmath.mpf(1) / 2) / 2), gauss

    with mpmath.workdps(30):
        (laplace, gauss), (later_laplace, later_gauss) = deltas(crossing.low), deltas(crossing.high)
    assert gauss < laplace and later_gauss > later_laplace
    assert crossing.delta.lower_float <= min(gauss, later_gauss) and max(gauss, later_gauss) <= crossing.delta.upper_float


def test_shuffling_is_at_least_as_bad_as_what_two_data_sets_show():
    """All others at 0 and one batch size: random allocation. All others at −1: the test of one epoch, from normal tails."""
    lower, upper = rows_of(SMALL_RUN, "shuffled", "zero-out")
    assert lower.bounds == rows_of(SMALL_RUN, "random-allocation", "zero-out")[0].bounds
    (below, _) = rows_of(replace(SMALL_RUN, epochs=1), "shuffled", "zero-out")

    def tail(x):
        return math.erfc(x / 0.8 / math.sqrt(2)) / 2

    def test(c):
        p, q = (1 - (1 - tail(c)) ** 4 * (1 - tail(c - shift)) for shift in (2, 1))
        return p - math.e**2 * q

    best = max(test(c / 100) for c in range(-100, 800))
    found = replace(below, bounds=(), coins=below.coins).delta_at(Fraction(2))
    assert 0.98 * best <= found.upper_float <= best * (1 + 1e-3)
    assert upper.delta_at(Fraction(2)).lower >= lower.delta_at(Fraction(2)).upper


def test_batches_that_do_not_divide_the_records_have_no_uniform_place():
    (uneven, _), (even, _) = (rows_of(Training(1, records, 4, 1), "shuffled", "zero-out") for records in (18, 20))
    assert uneven.bounds == ()
    assert uneven.coins
    assert even.bounds


def test_a_substitution_is_shown_by_records_at_both_ends():
    lower, _ = rows_of(SMALL_RUN, "shuffled", "substitute")
    assert lower.bounds[0].mechanism == Repeated(Sampled(Gaussian("0.4"), RandomAllocation(5)), 2)


def test_the_document(small, capsys, monkeypatch):
    monkeypatch.setattr(compare, "comparison", lambda *asked: small)
    assert main(["compare", *SMALL, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["steps"] == 5
    for entry in document["schemes"]:
        assert (entry["lower"] is None) == (entry["side"] == "upper bound")
        assert (entry["upper"] is None) == (entry["side"] == "lower bound")
        if entry["side"] == "value":
            assert Fraction(entry["lower"]) <= Fraction(entry["upper"]) <= Fraction(entry["lower"]) * Fraction(100001, 100000)
    (crossing,) = document["crossings"]
    assert {crossing["smaller_below"], crossing["smaller_above"]} == {"gauss", "laplace"}


def test_the_picture(small, tmp_path, monkeypatch):
    monkeypatch.setattr(compare, "comparison", lambda *asked: replace(small, rows=small.rows[-1:]))
    path = tmp_path / "schemes.svg"
    assert main(["compare", *SMALL, "--plot", str(path)]) == 0
    assert "<svg" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("missing", ["--sigma", "--records", "--batch", "--epochs", "--delta"])
def test_what_is_missing_is_named(missing, capsys):
    given = dict(zip(SMALL[::2], SMALL[1::2], strict=True))
    del given[missing]
    assert main(["compare", *(word for pair in given.items() for word in pair)]) == 2
    assert f"{missing} is missing" in capsys.readouterr().err


@pytest.mark.slow
def test_the_crossing_is_found_unaided(monkeypatch):
    monkeypatch.setattr(compare, "SCHEMES", ("poisson", "random-allocation"))
    found = comparison(SMALL_RUN, "1e-3")
    first, second = (row(found, scheme) for scheme in ("random-allocation", "poisson"))
    (crossing,) = found.crossings
    assert (crossing.first, crossing.second) == ("poisson", "random-allocation")
    assert Fraction("1.0026") < crossing.low < crossing.high < Fraction("1.0028")
    assert second.delta_at(crossing.low, 20).upper < first.delta_at(crossing.low, 20).lower
    assert second.delta_at(crossing.high, 20).lower > first.delta_at(crossing.high, 20).upper
    assert crossing.delta.contains(first.delta_at((crossing.low + crossing.high) / 2, 12))
