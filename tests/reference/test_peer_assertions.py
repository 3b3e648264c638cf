"""Values that other accountants' own tests assert, beside certified ones."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from dpbounds import accounting, renyi
from dpbounds.mechanisms.specs import spec_to_mechanism
from dpbounds.numbers.balls import Enclosure

DATA = json.loads((Path(__file__).parent / "peer_assertions.json").read_text(encoding="utf-8"))
ROWS = DATA["rows"]


def is_slow(row):
    """All but a few of the many values of one test."""
    return row["test"] == "test_values" and ROWS.index(row) % 6 > 0


def where(row):
    return f"{row['package']}-{row['test']}-{row['quantity']}-{row['argument']}-{row['value']}"


def options(row):
    return {"digits": 9, "relation": row.get("relation"), "guarantee": row.get("guarantee", "mechanism")}


def delta_at(row, value):
    """Certified δ where ε, or the noise, is what the test asserts."""
    text = json.dumps(row["spec"]).replace('"?"', f'"{value}"')
    epsilon = row["argument"] if row["quantity"] == "noise" else value
    return accounting.delta(spec_to_mechanism(json.loads(text)), epsilon, **options(row)).enclosure


def judged(row):
    """("above" or not, "below" or not): whether the truth is certified above value + within, or below value − within.

    δ falls as ε or the noise grows, so ε(δ) > e if and only if δ(e) > δ.
    """
    value, within = Fraction(row["value"]), Fraction(row["within"])
    if row["quantity"] in ("epsilon", "noise"):
        asked = Fraction(row["argument"] if row["quantity"] == "epsilon" else row["delta"])
        return delta_at(row, value + within).lower > asked, delta_at(row, value - within).upper < asked
    evaluate = accounting.delta if row["quantity"] == "delta" else renyi.renyi_divergence
    found: Enclosure = evaluate(spec_to_mechanism(row["spec"]), row["argument"], **options(row)).enclosure
    return found.lower > value + within, found.upper < value - within


@pytest.mark.parametrize("row", [pytest.param(row, id=where(row), marks=[pytest.mark.slow] * is_slow(row)) for row in ROWS])
def test_the_truth_is_where_the_row_says(row):
    above, below = judged(row)
    expected = {"estimate": (False, False), "upper": (False, below), "below": (True, False)}[row["side"]]
    assert (above, below) == expected


@pytest.mark.parametrize("place", [0, 12, 13, 20, 25])
def test_another_value_is_told_apart(place):
    """A value off by three tolerances is refused on either side."""
    row = [row for row in ROWS if row["side"] == "estimate"][place]
    value, within = Fraction(row["value"]), Fraction(row["within"])
    assert judged(row | {"value": str(value - 3 * within)})[0]
    assert judged(row | {"value": str(value + 3 * within)})[1]


def test_provenance():
    assert {row["package"] for row in ROWS} == {"dp_accounting", "opacus", "tensorflow_privacy"}
    assert all(row["file"] and row["test"].startswith("test_") for row in ROWS)
    assert {row["side"] for row in ROWS} == {"estimate", "upper", "below"} == set(DATA["side"])
