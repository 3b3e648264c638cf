"""Certificates of numbers: what they show, and every edit of them is refused or shows a true enclosure all the same."""

import copy
import json
import random
import time
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

from dpbounds.recheck.check import SCHEMA, check
from dpbounds.recheck.numbers import Refused
from dpbounds.recheck.sentence import decimal, sentence
from tests.truths import gaussian_delta

ROOT = Path(__file__).parents[2]
RULE = {"shift": "0", "strip": "1", "step": "1/2", "first": -18, "last": 30}
LINE = {"shift": "3/2", "strip": "3/2", "step": "1/4", "first": -40, "last": 60}
DECAY = {"shift": "1/4", "strip": "3/2", "step": "1/2", "first": -18, "last": 30}
TERMS = {
    "quadrature": "1e-8", "tail": "1e-8", "nodes beyond the line": "1e-8", "aliases on the right": "1e-6", "aliases on the left": "1e-6",
}  # fmt: skip


def sampled(**more):
    """100 uses of sampled Gaussian noise, in the remove direction."""
    factor = {"line": LINE, "moment": RULE, "decay": DECAY, "right": {**RULE, "last": 60}, "left": {**RULE, "last": 60}}
    line = {"name": "bromwich", "bits": 80, "abscissa": "3/2", "step": "1/2", "nodes": 30, "right": "8", "left": "5", "factors": [factor]}
    return document({"sigma": "3/2", "sampling": "poisson", "q": "1/10", "steps": 100}, {"remove": line | {"terms": TERMS}}, **more)


def document(part, evidence, quantity="delta", direction="remove", relation="add-or-remove", at=("epsilon", "1")):
    return {
        "schema": SCHEMA,
        "query": {
            "quantity": quantity,
            at[0]: at[1],
            "mechanism": [part],
            "relation": relation,
            "direction": direction,
            "guarantee": "mechanism",
        },
        "enclosure": {"lower": "0", "upper": "2"},
        "evidence": evidence,
    }


def found(made):
    return check(json.dumps(made))


def closed(part, **more):
    return document(part, {more.get("direction", "remove"): {"name": "closed form", "bits": 80}}, **more)


def encloses(shown, truth):
    return mpmath.mpf(shown.low.numerator) / shown.low.denominator <= truth <= mpmath.mpf(shown.high.numerator) / shown.high.denominator


DOCUMENTS = {
    "line": sampled(),
    "closed form": closed({"sigma": "1", "steps": 1}),
    "convolution": document({"randomized-response": "1/10", "steps": 20},
                            {"remove": {"name": "convolution", "bits": 80, "units": [{"plain": "1/5", "ratio": "1"}]}}),
    "residues": document({"laplace-scale": "2", "steps": 3}, {"remove": {"name": "residues", "bits": 80}}),
    "moments": document({"sigma": "1", "sampling": "poisson", "q": "1/10", "steps": 10},
                        {"remove": {"name": "moments", "bits": 80, "moments": [RULE]}}, quantity="rdp", at=("alpha", "3")),
    "grid": document(
        {"sigma": "1", "sampling": "poisson", "q": "1/10", "steps": 2},
        {
            "remove": {
                "name": "grid",
                "bits": 80,
                "step": "1/30",
                "grids": [{"first": -8, "last": 90}],
                "units": [],
                "terms": {"crossed by the grid": "1e-2", "below the grid": "1e-9", "beyond the grid": "1e-3"},
            }
        },
    ),
    "conditioning": document({"randomized-response": "1/10", "steps": 3},
                             {"remove": {"name": "conditioning", "bits": 80, "units": [{"plain": "1/5", "ratio": "1"}]}}),
    "several units": document({"mixture-of-gaussians": "1", "centres": ["0", "1", "2"], "weights": ["3/4", "1/8", "1/8"], "steps": 2},
                              {"add": {"name": "moments", "bits": 80, "moments": [RULE | {"step": "1/4", "last": 40}]}}, quantity="rdp",
                              at=("alpha", "3"), direction="add"),
}  # fmt: skip
DOCUMENTS["conditioning"]["query"]["mechanism"].append({"sigma": "2", "steps": 2})
BATCH = {"sigma": "2", "sampling": "truncated-poisson", "q": "1/20", "population": 100, "batch-limit": 7, "steps": 1}
DOCUMENTS["truncated"] = document(
    BATCH | {"steps": 5},
    {"remove": {"name": "moments", "bits": 80, "moments": [{"uncut": RULE, "full": RULE | {"step": "1/4", "last": 60}}]}},
    quantity="rdp",
    at=("alpha", "3"),
)


def irrational(part, lower, upper, quantity="delta", at=("epsilon", "1"), sides=None):
    """A query with a formula, and the rational queries on both sides: parts, or arguments, that differ in one entry."""
    evidence = DOCUMENTS["moments"]["evidence"] if quantity == "rdp" else {"remove": {"name": "closed form", "bits": 80}}
    made = document(part, {}, quantity=quantity, at=at)
    ends = {}
    for side, changed in (("lower", lower), ("upper", upper)):
        query = document(part | changed.get("part", {}), {}, quantity=quantity, at=(at[0], changed.get("at", at[1])))["query"]
        ends[side] = {"query": query, "evidence": evidence}
    return made | {"evidence": {"bits": 100, **ends}}


DOCUMENTS["irrational noise"] = irrational({"sigma": "sqrt(2)", "steps": 1}, {"part": {"sigma": "1.4143"}}, {"part": {"sigma": "1.4142"}})
DOCUMENTS["irrational argument"] = irrational({"sigma": "1", "steps": 1}, {"at": "1.0987"}, {"at": "1.0986"}, at=("epsilon", "log(3)"))


@pytest.mark.parametrize(
    ("part", "quantity", "at", "lower", "upper"),
    [
        ({"sigma": "sqrt(2)"}, "delta", ("epsilon", "1"), {"part": {"sigma": "1.4143"}}, {"part": {"sigma": "1.4142"}}),
        (
            {"laplace-scale": "pi"},
            "delta",
            ("epsilon", "1/10"),
            {"part": {"laplace-scale": "3.1416"}},
            {"part": {"laplace-scale": "3.1415"}},
        ),
        ({"sigma": "1"}, "delta", ("epsilon", "log(3)"), {"at": "1.0987"}, {"at": "1.0986"}),
        (
            {"sigma": "1", "sampling": "poisson", "q": "exp(-2)"},
            "delta",
            ("epsilon", "1/2"),
            {"part": {"q": "0.135335"}},
            {"part": {"q": "0.135336"}},
        ),
        ({"sigma": "1", "sampling": "poisson", "q": "1/10"}, "rdp", ("alpha", "E"), {"at": "2.71828"}, {"at": "2.71829"}),
    ],
)
def test_irrational_numbers_need_a_rational_one_on_each_side(part, quantity, at, lower, upper):
    """Both sides exchanged are refused, and so is one that is the same on both; what is shown holds the value at the number itself."""
    made = irrational(part | {"steps": 1}, lower, upper, quantity, at)
    shown = found(made)
    assert 0 < shown.low < shown.high < shown.low * Fraction(1001, 1000)
    for wrong in ((upper, lower), (lower, lower), (upper, upper)):
        with pytest.raises(Refused, match="not surely on its side"):
            found(irrational(part | {"steps": 1}, *wrong, quantity, at))


def test_rational_sides_differ_from_the_query_in_formulas_alone():
    made = DOCUMENTS["irrational noise"]
    others = {
        ("evidence", "lower", "query", "mechanism", 0, "steps"): 2,
        ("evidence", "lower", "query", "epsilon"): "2",
        ("evidence", "lower", "query", "direction"): "add",
        ("evidence", "lower", "query", "mechanism", 0, "sigma"): "sqrt(2)",
        ("evidence", "lower", "query", "mechanism"): [],
        ("query", "mechanism", 0, "sigma"): "sqrt(",
        ("evidence", "bits"): 10,
    }
    for path, value in others.items():
        with pytest.raises(Refused):
            found(edited(made, path, value))


@pytest.mark.parametrize(
    ("part", "key", "text", "near"),
    [
        ({"sigma": "1", "sampling": "poisson", "q": "1/10", "group": 3}, "q", "exp(-2)", ("0.135335", "0.135336")),
        (BATCH, "q", "exp(-2)", ("0.135335", "0.135336")),
        ({"discrete-gaussian": "1"}, "discrete-gaussian", "sqrt(2)", ("1.4143", "1.4142")),
        ({"discrete-laplace": "1"}, "discrete-laplace", "sqrt(2)", ("1.4143", "1.4142")),
        ({"epsilon-delta": "1", "failure": "1/10"}, "failure", "exp(-2)", ("0.135335", "0.135336")),
    ],
)
def test_parameters_without_a_proof_of_monotonicity_must_be_rational(part, key, text, near):
    made = irrational(part | {key: text, "steps": 1}, {"part": {key: near[0]}}, {"part": {key: near[1]}})
    with pytest.raises(Refused):
        found(made)


def test_the_documents_show_their_numbers():
    with mpmath.workdps(40):
        _compare_with_closed_forms({name: found(made) for name, made in DOCUMENTS.items()})


def _compare_with_closed_forms(shown):
    assert all(number.low <= number.high for number in shown.values())
    assert shown["closed form"].digits > 15 and encloses(shown["closed form"], gaussian_delta(mpmath.mpf(1), 1))
    assert shown["line"].digits >= 3
    # Mironov, Talwar & Zhang 2019: the moment at an integer order is a binomial sum
    rate = mpmath.mpf(1) / 10
    moment = sum(mpmath.binomial(3, k) * (1 - rate) ** (3 - k) * rate**k * mpmath.exp(mpmath.mpf(k * k - k) / 2) for k in range(4))
    assert encloses(shown["moments"], 10 * mpmath.log(moment) / 2)
    assert encloses(shown["irrational noise"], gaussian_delta(1 / mpmath.sqrt(2), mpmath.mpf(1)))
    assert encloses(shown["irrational argument"], gaussian_delta(mpmath.mpf(1), mpmath.log(3)))


def edits(value, path=()):
    """Every place of a document with other values for it."""
    if isinstance(value, dict):
        for key in value:
            yield path + (key,), None
            yield from edits(value[key], (*path, key))
        yield (*path, "another"), "1"
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from edits(part, (*path, index))
        yield path, []
        yield path, [*value, *value]
    elif isinstance(value, bool) or value is None:
        yield path, "1"
    elif isinstance(value, int):
        yield from ((path, other) for other in (0, -value, value * 2, value // 2, value + 1, 1.5, True, str(value)))
    else:
        try:
            number = Fraction(value)
        except ValueError:
            yield path, value + "x"
            return
        for other in (0, -number, number * 2, number / 2, number + Fraction(1, 7), number * 1000, number / 30):
            yield path, str(Fraction(other))
        yield from ((path, other) for other in ("1e9999", "nan", "1/0", "x", 0.5, ""))


def edited(made, path, value):
    made = copy.deepcopy(made)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return made


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("most", [20, pytest.param(1000, marks=pytest.mark.slow)])
def test_no_edit_of_the_evidence_shows_a_wrong_enclosure(most, name):
    """The query stays, so the truth stays: an edit of a parameter is refused, or what is shown meets what was shown before."""
    made = DOCUMENTS[name]
    before, refused, count = found(made), 0, 0
    places = list(edits(made["evidence"], ("evidence",)))
    for path, value in random.Random(7).sample(places, min(most, len(places))):
        count += 1
        try:
            after = found(edited(made, path, value))
        except Refused:
            refused += 1
            continue
        assert after.low <= before.high and before.low <= after.high, (path, value)
    assert refused > count / 4


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_rest_of_a_document_is_read_strictly(name):
    """An edit of the query is refused, or what is shown speaks about the query as edited."""
    made = DOCUMENTS[name]
    places = list(edits(made["query"], ("query",)))
    for path, value in random.Random(3).sample(places, min(20, len(places))):
        try:
            shown = found(edited(made, path, value))
        except Refused:
            continue
        assert shown.asked == edited(made, path, value)["query"]


def test_a_stated_term_or_enclosure_that_is_too_small_is_refused():
    made = sampled()
    for name in TERMS:
        smaller = edited(made, ("evidence", "remove", "terms", name), "1e-300")
        with pytest.raises(Refused, match="larger than stated"):
            found(smaller)
    with pytest.raises(Refused, match="excludes"):
        found(made | {"enclosure": {"lower": "1", "upper": "1"}})


def test_another_direction_needs_its_own_evidence():
    made = sampled()
    made["query"]["direction"] = "worst"
    with pytest.raises(Refused, match="'add'"):
        found(made)
    made["query"]["direction"] = "add"
    with pytest.raises(Refused):
        found(made)


def test_ends_of_epsilon_must_be_shown():
    part = {"sigma": "1", "steps": 1}
    ends = {
        key: {"epsilon": at, "evidence": {"remove": {"name": "closed form", "bits": 80}}}
        for key, at in (("lower", "0.99"), ("upper", "1.01"))
    }
    made = document(part, ends, quantity="epsilon", at=("delta", "0.1269367375066439"))
    assert found(made).low == Fraction(99, 100) and found(made).high == Fraction(101, 100)
    for key, at in (("lower", "1.001"), ("upper", "0.999")):
        with pytest.raises(Refused, match=f"the {key} end"):
            found(edited(made, ("evidence", key, "epsilon"), at))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"schema": 1}',
        '{"schema": "dpbounds-number/1", "schema": "dpbounds-number/1"}',
        "[" * 100_000,
        '{"a": 1.5}',
        '{"a": NaN}',
        "9" * 9999,
    ],
)
def test_hostile_text_ends_in_a_refusal(text):
    with pytest.raises(Refused):
        check(text)


@pytest.mark.parametrize("value, places, up, shown", [
    (Fraction(1, 3), 4, False, "0.3333"), (Fraction(1, 3), 4, True, "0.3334"), (Fraction(9999, 10), 2, True, "1.00e3"),
    (Fraction(1234567), 9, False, "1234567.00"), (Fraction(1, 10**9), 3, True, "1.00e-9"), (Fraction(0), 3, True, "0"),
])  # fmt: skip
def test_decimals_round_outward(value, places, up, shown):
    assert decimal(value, places, up) == shown
    assert (Fraction(shown) >= value) if up else (Fraction(shown) <= value)


@pytest.mark.parametrize("rule, value", [("moment", "5"), ("right", "4.8"), ("left", "4.8"), ("decay", "2.2"), ("line", "1.6")])
def test_a_strip_where_the_integrand_is_not_analytic_is_refused(rule, value):
    """The moment has a branch point at a height of pi times sigma, here 4.71; a decay bound needs half of that."""
    made = sampled()
    if rule == "line":
        made = edited(made, ("evidence", "remove", "factors", 0, "line", "shift"), "3.2")
    with pytest.raises(Refused, match="strip|quarter turn"):
        found(edited(made, ("evidence", "remove", "factors", 0, rule, "strip"), value))


@pytest.mark.parametrize(
    "more", [{"q": "1/10"}, {"answers": 3}, {"sampling": "poisson"}, {"sampling": "random-allocation"}, {"sampling": []}]
)
def test_a_part_says_nothing_that_is_not_read(more):
    with pytest.raises(Refused):
        found(closed({"sigma": "1", "steps": 1} | more))


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"epsilon-delta": "1", "failure": "1", "steps": 1}, "no lattice"),
        ({"table": {"p": ["1", "0"], "q": ["0", "1"]}, "steps": 1}, "no lattice"),
        ({"table": {"p": ["1/2", "1/2"], "q": ["1/4", "3/4"], "x": 1}, "steps": 1}, "'x' is not known"),
        ({"discrete-laplace": "1", "sensitivity": 10**9, "steps": 1}, "more work"),
    ],
)
def test_parts_that_no_check_can_read_are_refused_at_once(part, words):
    evidence = {"name": "convolution", "bits": 80, "units": [{"plain": "1", "ratio": "1"}]}
    with pytest.raises(Refused, match=words):
        found(document(part, {"remove": evidence}))


@pytest.mark.parametrize(
    "noise", [{"sigma": "-1"}, {"table": {"p": ["2"], "q": ["1"]}}, {"mixture-of-gaussians": "1", "centres": [], "weights": []}]
)
def test_noise_that_is_never_used_must_exist(noise):
    with pytest.raises(Refused):
        found(closed({**noise, "sampling": "poisson", "q": "0", "steps": 1}))
    assert found(closed({"sigma": "1", "sampling": "poisson", "q": "0", "steps": 1})).high == 0


def test_the_sentence_says_where_the_pair_is_above_the_mechanism():
    part = {"sigma": "2", "sampling": "without-replacement", "population": 100, "batch-size": 3, "steps": 1}
    options = {"relation": "substitute", "direction": "symmetric"}
    assert "dominates the mechanism" in sentence(found(closed(part, **options)))
    assert "dominates" not in sentence(found(closed(part, **options) | {"query": closed(part, **options)["query"] | {"guarantee": "pair"}}))


def test_numbers_of_very_many_digits_are_printed():
    assert decimal(Fraction(1, 2**30_000), 3, up=True) == "1.26e-9031" and decimal(Fraction(2**30_000), 3, up=False) == "7.94e9030"


def table(rows, steps=1, **more):
    return {"table": {key: [row[index] for row in rows] for index, key in enumerate(("p", "q"))}, "steps": steps, **more}


def primes_of(digits, count):
    """Numbers of so many digits without a common factor, one in each pair of neighbours."""
    return [10 ** (digits - 1) + 2 * n + 1 for n in range(count)]


LOSSES = [("1/2", "1/3"), ("1/2", "1/9"), ("0", "5/9")]
MANY = [f"1/{p}" for p in primes_of(900, 100)]
CONVOLVED = {"name": "convolution", "bits": 80, "units": [None]}
HOSTILE = {
    "a line of 10^9 nodes": edited(sampled(), ("evidence", "remove", "nodes"), 10**9),
    "a line of 10^5 nodes, each a sum of 40,000": edited(edited(sampled(), ("evidence", "remove", "nodes"), 10**5),
                                                         ("evidence", "remove", "factors", 0, "line"),
                                                         {**LINE, "first": -20_000, "last": 20_000}),
    "sums of 40,000 at 20,000 bits": edited(edited(sampled(), ("evidence", "remove", "bits"), 20_000),
                                            ("evidence", "remove", "factors", 0, "line"), {**LINE, "first": -20_000, "last": 20_000}),
    "a billion uses of one exact ratio": document(table([LOSSES[0], LOSSES[2], ("1/2", "1/9")], 10**9), {"remove": CONVOLVED}),
    "50,000 uses of two exact ratios": document(table([("1/3", f"1/{10**600 + 1}"), ("2/3", f"{10**600}/{10**600 + 1}")], 49_000),
                                                {"remove": CONVOLVED}),
    "a lattice of ratios with many digits": document(
        table([(f"{10**600}/{10**600 + 1}", f"1/{10**600 + 1}"), (f"1/{10**600 + 1}", f"{10**600}/{10**600 + 1}")], 40_000),
        {"remove": CONVOLVED | {"units": [{"plain": "0", "ratio": str(10**600)}]}},
    ),
    "many denominators": document(table([(p, p) for p in MANY]), {"remove": CONVOLVED}),
    "many parts": sampled() | {"query": sampled()["query"] | {"mechanism": [{"discrete-gaussian": "50", "steps": 1}] * 3000}},
    "parts with many outcomes": sampled() | {"query": sampled()["query"] | {"mechanism": [{"discrete-gaussian": "900", "steps": 1}] * 90}},
    "a number of 10^5 digits": edited(sampled(), ("evidence", "remove", "abscissa"), "1" * 10**5),
    "an integer of 10^5 digits": json.dumps(sampled()).replace("30", "9" * 10**5, 1),
    "a group of a million records": closed({"sigma": "1", "sampling": "poisson", "q": "1/9", "group": 10**6, "steps": 1}),
    "a grid of 50,000 points": document(
        {"sigma": "1", "sampling": "poisson", "q": "1/9", "group": 90, "steps": 2},
        {"remove": {"name": "grid", "bits": 110, "step": "1/9999", "grids": [{"first": 0, "last": 49_000}], "units": []}},
    ),
    "residues of 10^9 uses": document({"laplace-scale": "2", "steps": 10**9}, {"remove": {"name": "residues", "bits": 80}}),
    "deep nesting": '{"schema":' + "[" * 90_000,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_asks_for_too_much_work_is_refused_at_once(name):
    made = HOSTILE[name]
    start = time.process_time()
    with pytest.raises(Refused) as caught:
        check(made if isinstance(made, str) else json.dumps(made))
    assert time.process_time() - start < 15 and "\n" not in str(caught.value)
