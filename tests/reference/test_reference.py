"""The reference table: form, contents, agreement with the engine, and the two assertions."""

import json
import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest

from dpbounds import accounting, renyi
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms.registry import noises
from dpbounds.numbers.balls import Enclosure
from dpbounds.reference import assert_lower_bound, assert_upper_bound, load_table
from dpbounds.reference.generate import answer, least_rho, main, without
from dpbounds.reference.grid import RowQuestion, is_binary, questions
from dpbounds.reference.grid_of_laws import questions_of_laws
from dpbounds.reference.reproduction.koskela import FA_BY_POINTS, FA_BY_RADIUS
from dpbounds.reference.table import COLUMNS, SCHEMA, save_table

TABLE = load_table()


def test_size_and_balance():
    assert len(TABLE) >= 6000
    binary = sum(row.binary for row in TABLE)
    assert 2 * binary >= len(TABLE)
    assert {row.quantity for row in TABLE} == {"delta", "epsilon", "rdp", "rho"}
    assert {row.direction for row in TABLE} == {"remove", "add", "worst", "symmetric"}
    assert len({row.key for row in TABLE}) == len(TABLE)
    assert tuple(SCHEMA) == COLUMNS


def test_every_law_has_rows():
    keys = {key for row in TABLE for part in json.loads(row.spec) for key in part}
    certified = [noise for noise in noises() if noise.readable and not getattr(noise, "no_certificate", "")]
    assert {noise.parameters[0].key for noise in certified} - {"loss-pmf"} <= keys
    assert {"group", "bins", "population", "batch-limit", "answers", "sensitivity"} <= keys
    assert sum(len(json.loads(row.spec)) > 1 for row in TABLE) >= 50


def test_small_rates_large_noise_and_small_deltas():
    sampled = [(row, part) for row in TABLE for part in json.loads(row.spec) if part.get("sampling") == "poisson" and "sigma" in part]
    assert min(Fraction(part["q"]) for _, part in sampled) <= Fraction(1, 10**6)
    assert max(Fraction(part["sigma"]) for _, part in sampled) >= 20
    tiny = {row.argument for row in TABLE if row.quantity == "epsilon" and Fraction(1, 10**20) <= row.argument_value <= Fraction(1, 10**10)}
    assert len(tiny) >= 4


def test_numbers_in_lists_count():
    exact, rounded = ((f'[{{"mixture-of-gaussians": "1", "centres": ["0", "{c}"], "weights": ["0.5", "0.5"]}}]') for c in ("1", "0.1"))
    question = next(questions_of_laws())
    assert is_binary(replace(question, spec=exact), "1")
    assert not is_binary(replace(question, spec=rounded), "1")


def test_rows_that_are_there_are_not_asked_again():
    rows = [row for row in TABLE if row.quantity != "delta"]
    asked = {(q.quantity, q.spec, q.argument, q.relation, q.guarantee) for q in without(rows)}
    assert asked
    assert not asked & {
        (row.quantity, row.spec, row.argument, row.relation, row.guarantee) for row in rows if row.direction in ("worst", "symmetric")
    }


def test_an_infinite_value_is_no_row():
    question = RowQuestion(
        "epsilon", '[{"epsilon-delta": "1", "failure": "1/4", "steps": 1}]', "1/8", "add-or-remove", "worst", "mechanism", ""
    )
    with pytest.raises(PrecisionError, match="finite"):
        answer(question)


def test_every_row_has_twenty_digits():
    for row in TABLE:
        assert 0 <= row.lower_value <= row.upper_value
        assert row.upper_value - row.lower_value <= row.upper_value * Fraction(1, 10**19)


def test_binary_rows_are_exact_floats():
    for row in TABLE:
        assert row.argument_value == Fraction(row.argument)
        if row.binary:
            assert Fraction(float(row.argument_value)) == row.argument_value


def test_a_sample_is_computed_again():
    evaluate = {"delta": accounting.delta, "epsilon": accounting.epsilon, "rdp": renyi.renyi_divergence, "rho": least_rho}
    for row in random.Random(7).sample(TABLE, 25):
        direction = "worst" if row.direction == "symmetric" else row.direction
        found = evaluate[row.quantity](
            row.mechanism, row.argument, digits=8, relation=row.relation, direction=direction, guarantee=row.guarantee
        ).enclosure
        assert found.lower <= row.upper_value
        assert found.upper >= row.lower_value


def test_rho_of_permute_and_flip_is_the_largest_divergence_of_two_candidates():
    for row in (row for row in TABLE if row.quantity == "rho"):
        with mpmath.workdps(30):
            e = mpmath.mpf(row.mechanism.epsilon.numerator) / row.mechanism.epsilon.denominator

            def divergence(gap, e=e):
                p, q = mpmath.exp(-gap) / 2, mpmath.exp(gap - e) / 2
                return (1 - p) * mpmath.log((1 - p) / q) + p * mpmath.log(p / (1 - q))

            found = divergence(mpmath.findroot(lambda gap, f=divergence: mpmath.diff(f, gap), e / 2))
            assert mpmath.mpf(row.lower) - mpmath.mpf("1e-24") <= found <= mpmath.mpf(row.upper) + mpmath.mpf("1e-24")


def test_the_printed_values_of_koskela_stand_beside_the_certified_one():
    (row,) = [r for r in TABLE if r.regime == "koskela tables" and r.argument == "1" and r.direction == "remove"]
    assert row.lower_value <= Fraction("0.0496014103148257756069437717920834431101174")
    assert row.upper_value >= Fraction("0.0496014103148257756069437717920834431101173")
    best = min(abs(Fraction(printed) - row.lower_value) for _, printed, _ in (*FA_BY_POINTS, *FA_BY_RADIUS))
    assert 0 < best < Fraction(2, 10**11)  # the printed values stop agreeing after ten or eleven digits


def test_assertions():
    rows = TABLE[:50]
    assert assert_upper_bound(lambda row: float("inf"), rows) == 50
    assert assert_lower_bound(lambda row: row.lower_value, rows) == 50
    with pytest.raises(AssertionError, match="below the truth"):
        assert_upper_bound(lambda row: row.lower_value * Fraction(999, 1000), rows)
    with pytest.raises(AssertionError, match="above the truth"):
        assert_lower_bound(lambda row: row.upper_value * 2 + 1, rows)
    with pytest.raises(AssertionError):
        assert_upper_bound(lambda row: float("nan"), rows)
    with pytest.raises(AssertionError, match="no row"):
        assert_upper_bound(lambda row: None, rows)
    with pytest.raises(ZeroDivisionError) as raised:
        assert_upper_bound(lambda row: 1 / 0, rows)
    (note,) = raised.value.__notes__
    assert rows[0].spec in note and rows[0].argument in note


def test_save_and_load(tmp_path):
    path = tmp_path / "table.csv.gz"
    save_table(TABLE[:5], path)
    assert load_table(path) == TABLE[:5]
    first = path.read_bytes()
    save_table(TABLE[:5], path)
    assert path.read_bytes() == first
    path.write_bytes(b"x")
    with pytest.raises(InputError):
        load_table(path)


def test_generator_resumes(tmp_path):
    out, found = tmp_path / "table.csv.gz", tmp_path / "answers"
    assert main([str(out), "--answers", str(found), "--seconds", "2"]) == 0
    first = load_table(out)
    assert first
    assert main([str(out), "--answers", str(found), "--seconds", "1"]) == 0
    assert len(load_table(out)) >= len(first)


def test_an_answer_is_certified():
    question = next(question for question in questions() if question.quantity == "delta" and not question.near)
    row = answer(question)
    assert Enclosure.exactly(row.lower_value).lower <= row.upper_value
    assert is_binary(question, row.argument) == row.binary


def test_a_violation_has_a_size_and_a_tolerance():
    rows = [row for row in TABLE if row.lower_value > 0][:20]

    def low(row):
        return row.lower_value * Fraction(999, 1000)

    with pytest.raises(AssertionError, match="off by 0.001 of the truth"):
        assert_upper_bound(low, rows)
    assert assert_upper_bound(low, rows, rtol=0.002) == 20
    with pytest.raises(AssertionError, match="nan"):
        assert_lower_bound(lambda row: float("nan"), rows, rtol=0.5)
    with pytest.raises(InputError, match="rtol"):
        assert_upper_bound(low, rows, rtol=1)


def test_ids_are_unique():
    assert len({(row.id, row.relation, row.guarantee) for row in TABLE}) == len(TABLE)
