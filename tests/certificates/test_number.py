"""Certificates of numbers: what is written is accepted with the digits asked for, and what has none is refused by name."""

import json
import random
from fractions import Fraction

import pytest

from benchmarks.number_certificates import answer, coverage_questions, question, random_questions, row_question, summary
from dpbounds import accounting
from dpbounds.certificates import number
from dpbounds.certificates.number import certificate_of
from dpbounds.cli import main
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import specs
from dpbounds.recheck.check import check
from dpbounds.recheck.numbers import Numbers
from dpbounds.recheck.reading import exact
from dpbounds.reference.table import load_table
from dpbounds.renyi import renyi_divergence

SOLVERS = {"delta": accounting.delta, "epsilon": accounting.epsilon, "rdp": renyi_divergence}
TABLE = {"p": ["1/2", "1/3", "1/6"], "q": ["1/6", "1/2", "1/3"]}


def certified(spec, quantity, at, digits=8, **more):
    return SOLVERS[quantity](specs.spec_to_mechanism(spec), at, digits=digits, **more)


def method_of(text):
    evidence = json.loads(text)["evidence"]
    return next(iter(evidence.values())).get("name")


MOVES = {"mixture-of-gaussians": "1", "centres": ["0", "1/2", "3/2"], "weights": ["7/8", "1/16", "1/16"]}
FIXED = {"sigma": "2", "population": 100, "batch-size": 3}

TRUNCATED = {"sigma": "2", "sampling": "truncated-poisson", "q": "1/20", "population": 100, "batch-limit": 9}

CASES = [
    ("closed form", [{"sigma": "3/2", "steps": 7}], "delta", "1"),
    ("closed form", [{"sigma": "3/2", "q": "1/10"}], "delta", "1/10"),
    ("closed form", [{"laplace-scale": "2", "q": "1/10"}], "delta", "1/50"),
    ("residues", [{"laplace-scale": "3", "steps": 6}, {"laplace-scale": "7/3", "steps": 2}], "delta", "1"),
    ("bromwich", [{"sigma": "3/2", "q": "1/100", "steps": 10_000}], "delta", "1"),
    ("bromwich", [{"sigma": "1", "q": "1/5", "steps": 30}, {"laplace-scale": "10", "steps": 2}], "delta", "2"),
    ("bromwich", [{"sigma": "1", "q": "1/10", "steps": 50}, {"randomized-response": "1/10", "steps": 3}], "delta", "1"),
    ("bromwich", [{"laplace-scale": "1", "q": "1/10", "steps": 300}], "delta", "4"),
    ("convolution", [{"randomized-response": "1/10", "answers": 3, "steps": 20}], "delta", "1"),
    ("convolution", [{"table": TABLE, "steps": 4, "q": "1/3"}, {"discrete-laplace": "5", "steps": 3}], "delta", "1/2"),
    ("convolution", [{"discrete-gaussian": "2", "steps": 4}], "delta", "1"),
    ("conditioning", [{"epsilon-delta": "1/10", "failure": "1e-6", "steps": 5}, {"sigma": "3"}], "delta", "1/2"),
    ("moments", [{"sigma": "3/2", "q": "1/100", "steps": 100}], "rdp", "7/2"),
    ("closed form", [MOVES], "delta", "1/2"),
    ("closed form", [{**FIXED, "sampling": "without-replacement"}], "delta", "1/2"),
    ("bromwich", [{**MOVES, "steps": 60}], "delta", "3"),
    ("moments", [{**MOVES, "steps": 3}], "rdp", "7/2"),
    ("moments", [{"sigma": "1", "q": "1/128", "group": 4}], "rdp", "3"),
    ("moments", [{"discrete-gaussian": "11/10", "sensitivity": 2}], "rdp", "9/2"),
    ("moments", [{"laplace-scale": "3", "q": "1/10"}, {"randomized-response": "1", "steps": 2}], "rdp", "5/4"),
    ("moments", [{"discrete-gaussian": "2", "q": "1/10", "steps": 3}], "rdp", "9/2"),
    ("closed form", [TRUNCATED], "delta", "1/2"),
    ("moments", [{**TRUNCATED, "steps": 5}], "rdp", "7/2"),
    ("bromwich", [{**TRUNCATED, "steps": 60}], "delta", "1"),
]


@pytest.mark.parametrize("method, spec, quantity, at", CASES)
def test_a_certificate_shows_its_number(method, spec, quantity, at):
    result = certified(spec, quantity, at)
    text = certificate_of(result)
    shown = check(text)
    assert method_of(text) == method and shown.digits >= result.digits and len(text) < 20_000
    assert shown.low <= Fraction(result.upper) and Fraction(result.lower) <= shown.high


def test_a_tiny_difference_next_to_the_largest_loss_takes_more_bits():
    """δ is about 1e-21 here, where the closed form subtracts numbers near 1."""
    result = certified([{"sigma": "2", "q": "1/128"}], "delta", "0.007720947265625", direction="add")
    assert method_of(certificate_of(result)) == "closed form" and check(certificate_of(result)).digits >= 8


def test_few_uses_of_sampled_noise_have_a_certificate_with_fewer_digits():
    """A grid of losses; the engine takes another contour."""
    result = certified([{"laplace-scale": "1", "q": "1/100", "steps": 2}], "delta", "1/100", direction="remove")
    shown = check(text := certificate_of(result))
    assert method_of(text) == "grid" and 2 <= shown.digits < 8
    assert shown.low <= Fraction(result.lower) and Fraction(result.upper) <= shown.high


def test_published_pairs_of_batches_have_certificates():
    for sampling in ("with-replacement", "without-replacement"):
        result = certified([{**FIXED, "sampling": sampling, "steps": 100}], "delta", "1", guarantee="pair")
        assert check(certificate_of(result)).digits >= 8


def test_substitution_and_both_ends_of_epsilon():
    result = certified([{"sigma": "2", "q": "1/20", "steps": 300}], "delta", "1", relation="substitute")
    assert check(certificate_of(result)).digits >= 8
    result = certified([{"sigma": "1", "q": "1/10", "steps": 100}], "epsilon", "1e-5", digits=6)
    shown = check(certificate_of(result))
    assert shown.digits >= 6 and shown.low <= Fraction(result.upper) and Fraction(result.lower) <= shown.high


@pytest.mark.parametrize(
    "spec, more, error, said",
    [
        ([{"sigma": "1", "sampling": "random-allocation", "bins": 10}], {}, InputError, "random-allocation"),
        ([{"discrete-laplace": "sqrt(2)"}], {}, InputError, "must be a rational number"),
    ],
)
def test_what_has_no_certificate_is_refused_in_one_line(spec, more, error, said):
    with pytest.raises(error, match="no certificate") as caught:
        certificate_of(certified(spec, "delta", "1", digits=4, **more))
    assert said in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "spec, quantity, at",
    [
        ([{"sigma": "sqrt(2)"}], "delta", "1/2"),
        ([{"sigma": "sqrt(2)", "q": "exp(-3)", "steps": 2}], "rdp", "E"),
        ([{"laplace-scale": "pi/2", "steps": 3}], "epsilon", "1e-3"),
        ([{"randomized-response": "log(3)/2", "steps": 3}, {"sigma": "2"}], "delta", "log(2)"),
    ],
)
def test_irrational_parameters_have_certificates(spec, quantity, at):
    result = certified(spec, quantity, at)
    shown = check(certificate_of(result))
    assert shown.digits >= 8 and shown.low <= Fraction(result.upper) and Fraction(result.lower) <= shown.high


def test_infinite_values_are_counted_apart():
    said = summary([{"none": "no certificate: the value is infinite"}, answer(question([{"sigma": "1"}], "delta", "1", 6))])
    assert said[0].startswith("1 of 1 numbers") and "1 questions more have an infinite value" in said[2]


def test_an_infinite_divergence_has_no_certificate():
    with pytest.raises(InputError, match="infinite"):
        certificate_of(certified([{"epsilon-delta": "1", "failure": "1/10"}], "rdp", "2"))


def test_the_command_writes_what_replay_accepts(tmp_path, capsys):
    file = tmp_path / "number.json"
    assert main(["delta", "--sigma", "1", "--epsilon", "1", "--certificate", str(file)]) == 0
    capsys.readouterr()
    assert main(["replay", str(file)]) == 0 and "delta in [0.126936737506643945" in capsys.readouterr().out
    file.write_text(file.read_text(encoding="utf-8").replace('"sigma": "1"', '"sigma": "2"'), encoding="utf-8")
    assert main(["replay", str(file)]) == 1 and "FAILED: the stated enclosure excludes" in capsys.readouterr().out


def questions(count, seed):
    """Random mechanisms of every law, and what is asked of them."""
    chosen = random.Random(seed)
    pick = chosen.choice
    for _ in range(count):
        parts = []
        for _ in range(pick((1, 1, 2))):
            kind = pick(("sampled", "sampled", "sampled", "sigma", "laplace-scale", "randomized-response", "table", "discrete-laplace"))
            if kind == "sampled":
                parts.append(
                    {"sigma": pick(("0.7", "1", "1.5", "4")), "q": pick(("0.003", "0.02", "0.1", "0.6")), "steps": pick((1, 60, 400, 5000))}
                )
            elif kind == "table":
                parts.append({"table": TABLE, "steps": pick((1, 4, 9))})
            else:
                parts.append({kind: pick(("0.5", "1", "3")), "steps": pick((1, 2, 6))})
        quantity = pick(("delta", "delta", "delta", "rdp", "epsilon"))
        yield parts, quantity, {"delta": pick(("0.1", "1", "2.5")), "rdp": pick(("1.5", "4")), "epsilon": pick(("1e-3", "1e-6"))}[quantity]


def judge(count, seed, digits=6, reference=40):
    """How many of some random questions have a certificate; what each shows contains the engine's value to many more digits."""
    written = 0
    for parts, quantity, at in questions(count, seed):
        try:
            text = certificate_of(certified(parts, quantity, at, digits=digits))
        except (InputError, PrecisionError):
            continue
        written += 1
        shown = check(text)
        owed = 2 if method_of(text) == "grid" else digits  # a grid of losses shows two to five digits, whatever was asked for
        assert shown.digits >= owed or shown.high == 0, (parts, quantity, at)
        try:
            truth = certified(parts, quantity, at, digits=reference + shown.digits)
        except PrecisionError:
            continue
        assert shown.low <= Fraction(truth.upper) and Fraction(truth.lower) <= shown.high, (parts, quantity, at)
    return written


@pytest.mark.parametrize("count, seed, least", [(8, 1, 5), pytest.param(300, 2, 200, marks=pytest.mark.slow)])
def test_random_certificates_are_accepted(count, seed, least):
    assert judge(count, seed) >= least


@pytest.mark.parametrize("place", [7, 907, 1807, 2707, 3307])
def test_rows_of_the_reference_table_are_certified(place):
    """The values of the table, which the checker must not contradict."""
    row = load_table()[place]
    found = answer(row_question(row, 10))
    assert found["digits"] >= 10 and not found["wrong"]


@pytest.mark.slow
def test_many_rows_of_the_reference_table_are_certified():
    found = [answer(row_question(row, 10)) for row in load_table()[3::40]]
    assert not any(each.get("wrong") or "refused" in each for each in found)
    assert sum("digits" in each for each in found) > 0.97 * len(found), summary(found)


def test_random_questions_of_every_law_are_answered():
    found = [answer(asked) for asked in list(random_questions(40, 5, 6))[::10]]
    assert not any(each.get("wrong") or "refused" in each for each in found) and any("digits" in each for each in found)


def test_the_coverage_has_every_law_and_names_what_has_none():
    asked = coverage_questions()
    assert answer(asked["sampled Gaussian", "100 uses", "delta"])["method"].startswith("bromwich")
    assert "random-allocation" in answer(asked["random allocation", "1 use", "delta"])["none"]
    assert summary([answer(asked["Gaussian", "1 use", "rdp"])])[0].startswith("1 of 1 numbers have a certificate; 0 contradict")


def test_a_million_uses_have_a_certificate():
    mechanism = specs.spec_to_mechanism([{"sigma": "2", "q": "1/8192", "steps": 819_200}])
    result = accounting.delta(mechanism, "1/3", digits=6, direction="add")
    assert check(certificate_of(result)).digits >= 6


def test_terms_too_small_for_an_exponent_of_four_digits_are_read():
    """A bound of 1e-40000 is written as one that is larger and can be read."""
    for power in (9980, 9989, 9995, 40_000):
        tiny = Numbers(60).number(Fraction(1, 10**power))
        assert Fraction(1, 10**power) <= exact(number._above(tiny), "term") <= Fraction(1, 10**9979)
