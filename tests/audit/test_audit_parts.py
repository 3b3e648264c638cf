"""Grids, relations and the shrinker on their own; recorded answers of real releases."""

import importlib
import itertools
from dataclasses import replace
from fractions import Fraction

import pytest

from dpbounds.audit import truth
from dpbounds.audit.adapter import INTERVAL, UPPER, description_of
from dpbounds.audit.adapters import module_of, names
from dpbounds.audit.grids import GRIDS, questions_of
from dpbounds.audit.judge import AnswerOutcome, Judged, judged
from dpbounds.audit.metamorphic import METAMORPHIC_RELATIONS, breach_of
from dpbounds.audit.process import Answer
from dpbounds.audit.question import Question, filled, flat, grid_hash, mechanism_of
from dpbounds.audit.run import adapters_of
from dpbounds.audit.shrink import shrunk, size_of


def certified(quantity, spec, argument):
    return Answer(tuple(getattr(truth.Truth(), quantity)(spec, argument)))


@pytest.mark.parametrize("grid", GRIDS)
def test_every_question_of_a_grid_has_a_mechanism(grid):
    asked = list(itertools.islice(questions_of(grid, 3), 120))
    assert len({question.key for question in asked}) == len(asked) >= 100
    for question in asked:
        spec = [filled(question.spec[0], 1.0)] if question.quantity == "sigma" else question.spec
        assert mechanism_of(spec)
    assert grid_hash(asked) == grid_hash(itertools.islice(questions_of(grid, 3), 120)) != grid_hash(asked[1:])


def test_seeds_differ():
    first, second = (list(itertools.islice(questions_of("practice", seed), 20)) for seed in (1, 2))
    assert first != second


@pytest.mark.parametrize("relation", METAMORPHIC_RELATIONS, ids=lambda relation: relation.name)
def test_relations_hold_for_the_truth(relation):
    """Certified δ obeys every relation, so a breach is the accountant's."""
    question = Question("delta", ({"sigma": 1.5, "sampling": "poisson", "q": 0.25, "steps": 3}, {"sigma": 4.0, "steps": 1}), 0.5)
    if relation.name == "uses one by one":
        question = replace(question, spec=question.spec[:1])
    if relation.name == "nested uses written flat":
        question = replace(question, spec=({"parts": list(question.spec), "steps": 2},))
    other = relation.change(question)
    values = [
        float(Fraction(certified("delta", [dict(part) for part in flat(q.spec)], str(Fraction(q.argument))).value[0]))
        for q in (question, other)
    ]
    assert breach_of(relation, question, values[0], other, values[1], 0.0) is None
    lie = {"rises": values[0] / 2, "falls": values[0] * 2, "stays": values[0] * 2}[relation.effect]
    assert breach_of(relation, question, values[0], other, lie, 0.0) is not None


def test_the_shrinker_keeps_what_is_needed():
    """A planted fault: wrong exactly when there are at least 17 uses at a rate above 0.1."""

    def judge(question):
        wrong = any(part.get("steps", 1) >= 17 and part.get("q", 0) > 0.1 for part in question.spec)
        return Judged(question, "0", AnswerOutcome.UNSOUND if wrong else AnswerOutcome.SOUND)

    start = Question("epsilon", ({"sigma": 3.0}, {"sigma": 1.375, "q": 0.31, "steps": 1000}), 1.2345e-7)
    small = shrunk(judge(start), judge, tries=200)
    assert small.outcome is AnswerOutcome.UNSOUND and len(small.question.spec) == 1
    assert 17 <= small.question.steps <= 34 and size_of(small.question) < size_of(start)
    assert small.question.argument in (1e-7, 1.0, 0.5, 0.1, 0.01)
    assert shrunk(judge(start), lambda question: replace(judge(question), outcome=AnswerOutcome.SOUND)).question == start


def test_the_shrinker_takes_fewer_epochs_and_batches():
    """A planted fault: wrong with two epochs or more."""

    def judge(question):
        return Judged(question, "0", AnswerOutcome.UNSOUND if question.spec[0]["epochs"] > 1 else AnswerOutcome.SOUND)

    start = Question("delta", ({"sigma": 1.0, "sampling": "random-allocation", "bins": 1000, "epochs": 10},), 0.5)
    (small,) = shrunk(judge(start), judge).question.spec
    assert (small["bins"], small["epochs"]) == (1, 2)


def test_one_direction_is_certified_alone():
    """A quadrature of E[(1 − e^ε R)₊] and of E[(R − e^ε)₊], with R the likelihood ratio of two epochs, gives the two numbers."""
    part = {"sigma": 1.0, "sampling": "random-allocation", "bins": 2, "epochs": 2}
    low, high = (
        [float(end) for end in certified("delta", [part | {"relation": relation, "digits": 6}], "1").value]
        for relation in ("add", "remove")
    )
    assert 0.152923464 <= low[0] <= low[1] <= 0.152923465 and 0.162120571 <= high[0] <= high[1] <= 0.162120572
    table = {"table": {"p": ["1/2", "1/2"], "q": ["1/4", "3/4"]}, "relation": "remove"}
    assert 0.25 - 1e-14 <= float(certified("delta", [table], "0").value[0]) <= 0.25
    fixed = {"sigma": 1.0, "sampling": "without-replacement", "population": 10, "batch-size": 2, "relation": "add"}
    assert truth.Truth().delta([fixed], "1") is None


def test_shipped_adapters_promise_what_they_say():
    for name in names():
        for adapter in map(description_of, importlib.import_module(module_of(name)).ADAPTERS):
            assert adapter.name and adapter.package and adapter.selftest and adapter.tested
            assert set(adapter.source) == set(adapter.guarantee) and all(len(text) >= 15 for text in adapter.source.values())
            assert set(adapter.guarantee) <= {"epsilon", "delta", "rdp", "sigma"}
    assert [adapter.name for adapter in adapters_of(module_of("riskcal"))] == ["riskcal.ctd"]


RECORDED = [
    ("dp_accounting 0.6.0 PLD", Question("epsilon", ({"sigma": 50.0, "sampling": "poisson", "q": 0.5, "steps": 10_000},), 1e-11), UPPER,
     ["6.90236"], AnswerOutcome.UNSOUND),
    ("opacus 1.6.0 PRV", Question("epsilon", ({"sigma": 2.0, "sampling": "poisson", "q": 0.01, "steps": 20_000},), 1e-12), UPPER, ["5.376"],
     AnswerOutcome.UNSOUND),
    ("opacus 1.6.0 RDP", Question("rdp", ({"sigma": 20.0, "sampling": "poisson", "q": 0.4, "steps": 1},), 60.5), UPPER, ["-0.519"],
     AnswerOutcome.UNSOUND),
    ("opacus 1.6.0 gdp", Question("sigma", ({"sampling": "poisson", "q": 0.001, "steps": 1000},), [1.0, 1e-6]), UPPER, ["0.498"],
     AnswerOutcome.UNSOUND),
    ("prv_accountant 0.2.0", Question("epsilon", ({"randomized-response": 1.0, "steps": 100},), 1e-6), INTERVAL, ["71.9", "72.1"],
     AnswerOutcome.UNSOUND),
    ("dp_accounting 0.6.0 RDP", Question("rdp", ({"sigma": 2.5, "sampling": "poisson", "q": 0.01, "steps": 50},), 1.5), UPPER,
     ["6.70579741e-4"], AnswerOutcome.SOUND),
]  # fmt: skip


@pytest.mark.parametrize(("question", "promise", "values", "expected"), [row[1:] for row in RECORDED], ids=[row[0] for row in RECORDED])
def test_recorded_answers_of_releases(question, promise, values, expected, monkeypatch):
    monkeypatch.setattr(truth, "DIGITS", 6)
    answer = Answer(values[0] if len(values) == 1 else tuple(values))
    assert judged(question, promise, "add-or-remove", answer, certified).outcome is expected


def test_replace_one_of_a_release():
    """dp_accounting 0.6.0, RdpAccountant under REPLACE_ONE, Gaussian(4) at ε = 1: 1.233e-5, where data sets have 0.00682959."""
    question = Question("delta", ({"sigma": 4.0, "steps": 1},), 1.0)
    found = judged(question, UPPER, "substitute", Answer("1.233e-05"), certified)
    assert found.outcome is AnswerOutcome.UNSOUND and found.certified.startswith("0.0068295949831")
