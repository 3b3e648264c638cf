"""Specifications: reading, writing back, and refusing."""

import json
from fractions import Fraction

import pytest

from dpbounds import mechanisms as m
from dpbounds.cli.shared.mechanism_options import read_described, read_digits, read_query
from dpbounds.errors import InputError
from dpbounds.mechanisms.specs import mechanism_to_spec, spec_to_mechanism, text_to_spec


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"sigma": "1.5"}, m.Gaussian("1.5")),
        ({"laplace_scale": "7/2", "steps": "3"}, m.Repeated(m.Laplace("3.5"), 3)),
        ({"randomized_response": "0"}, m.RandomizedResponse(0)),
        ({"sigma": "1", "q": "0.01", "steps": "1e4"}, m.Repeated(m.Sampled(m.Gaussian(1), m.PoissonSampling("0.01")), 10_000)),
        ({"sigma": "1", "q": "0", "sampling": "poisson"}, m.Sampled(m.Gaussian(1), m.PoissonSampling(0))),
        ({"laplace_scale": "1", "q": "1"}, m.Sampled(m.Laplace(1), m.PoissonSampling(1))),
        (
            {"sigma": "1", "sampling": "without-replacement", "population": "1000", "batch_size": "10"},
            m.Sampled(m.Gaussian(1), m.FixedSizeSampling(1000, 10)),
        ),
        ({"sigma": "1", "sampling": "without-replacement", "q": "0.02"}, m.Sampled(m.Gaussian(1), m.FixedSizeSampling(50, 1))),
        (
            {"sigma": "1", "sampling": "with-replacement", "population": "10", "batch_size": "20"},
            m.Sampled(m.Gaussian(1), m.WithReplacementSampling(10, 20)),
        ),
        (
            {"sigma": "1", "sampling": "random-allocation", "bins": "10", "epochs": "3", "participations": "2"},
            m.Repeated(m.Sampled(m.Gaussian(1), m.RandomAllocation(10, 2)), 3),
        ),
        ({"sigma": "1", "q": "0.4", "epochs": "1.5"}, m.Repeated(m.Sampled(m.Gaussian(1), m.PoissonSampling("0.4")), 4)),
        ({"sigma": "1", "epochs": "2"}, m.Repeated(m.Gaussian(1), 2)),
        (
            {"sigma": "1.1", "records": "60,000", "batch": "256", "epochs": "15"},
            m.Repeated(m.Sampled(m.Gaussian("1.1"), m.PoissonSampling("8/1875")), 3516),
        ),
        (
            {"sigma": "1", "records": "100", "batch": "7", "epochs": "1", "sampling": "without-replacement"},
            m.Repeated(m.Sampled(m.Gaussian(1), m.FixedSizeSampling(100, 7)), 15),
        ),
        (
            {"sigma": "1", "records": "100", "batch": "50", "epochs": "1", "sampling": "with-replacement", "rounding": "exact"},
            m.Repeated(m.Sampled(m.Gaussian(1), m.WithReplacementSampling(100, 50)), 2),
        ),
        (
            {"sigma": "1", "records": "100", "batch": "30", "epochs": "2", "sampling": "random-allocation"},
            m.Repeated(m.Sampled(m.Gaussian(1), m.RandomAllocation(4)), 2),
        ),
        (
            {"sigma": "1", "records": "100", "batch": "30", "epochs": "2", "rounding": "floor-epoch"},
            m.Repeated(m.Sampled(m.Gaussian(1), m.PoissonSampling("0.3")), 6),
        ),
        ({"sigma": "1", "sampling": "random-allocation", "bins": "1e3"}, m.Sampled(m.Gaussian(1), m.RandomAllocation(1000))),
    ],
)
def test_options_are_read(options, expected):
    assert read_described(**options)[0] == expected


def test_specification_file(tmp_path):
    path = tmp_path / "spec.json"
    path.write_text('[{"sigma": 1.10, "q": 1e-2, "steps": 500}, {"laplace-scale": "10"}]')
    mechanism = read_described(spec=str(path))[0]
    assert mechanism == m.Composed((m.Repeated(m.Sampled(m.Gaussian("1.1"), m.PoissonSampling("0.01")), 500), m.Laplace(10)))
    assert spec_to_mechanism(json.loads(json.dumps(mechanism_to_spec(mechanism)))) == mechanism


@pytest.mark.parametrize("text", [
    "", "{}", "[]", "[1]", '[{"sigma": 1, "colour": 2}]', '[{"sigma": NaN}]', '[{"sigma": Infinity}]', '[{"sigma": 1, "sigma": 2}]',
    '[{"sigma": [1]}]', '[{"sigma": {"p": 1}}]', '[{"sigma": true}]', '[{"sigma": 1, "steps": "x"}]',
    '[{"table": {"p": ["1/2", "1/2"], "q": ["1"]}}]', '[{"table": ["1"]}]', '[{"sigma": 1, "sampling": ["poisson"], "q": 0.1}]',
    '[{"sigma": 1, "steps": false}]', "[" * 100_000,
])  # fmt: skip
def test_bad_specifications_are_refused(text):
    with pytest.raises(InputError) as caught:
        spec_to_mechanism(text_to_spec(text))
    assert "\n" not in str(caught.value)


def test_tables_round_trip():
    table = m.Repeated(m.FiniteTable(["2/3", "1/3"], ["1/4", "3/4"]), 7)
    assert spec_to_mechanism(mechanism_to_spec(table)) == table


def test_digits():
    assert read_digits(None) == 15
    assert read_digits("30") == 30
    for bad in ("0", "-1", "1.5", "x", "100000"):
        with pytest.raises(InputError):
            read_digits(bad)


def test_query():
    query = read_query(sigma="1", direction=None, relation=None, guarantee=None, digits=None)
    assert (query.direction.value, query.guarantee.value, query.digits) == ("worst", "mechanism", 15)
    assert query.mechanism.sigma == Fraction(1)
    for bad in ({"direction": "up"}, {"relation": "swap"}, {"guarantee": "none"}, {"direction": "symmetric"}):
        with pytest.raises(InputError):
            read_query(sigma="1", **bad)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{}\n",
        '{"sigma": 1}\n',
        '{"relation": "next door"}\n',
        '{"relation": "substitute"}\n{"round": 1, "sigma": "2", "steps": 1}\n',
        '{"relation": "substitute"}\n{"round": 0, "sigma": "2", "steps": 7}\n',
        '{"relation": "substitute"}\n{"round": 0, "sigma": "2"}\n',
        '{"relation": "substitute"}\n3\n',
        '{"relation": "substitute"}\nround 0\n',
    ],
)
def test_a_journal_that_is_none_is_refused_in_one_line(text, tmp_path):
    path = tmp_path / "journal.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match="^the (journal|specification)[^\n]*$"):
        read_described(spec=str(path))
