"""What is said of a document that is not well formed: each condition of the checker has a document that fails it alone."""

from typing import Any

import pytest

from dpbounds.kernel import checker
from dpbounds.kernel.checker import Statement, lemmas
from dpbounds.kernel.terms import Refused
from tests.kernel.test_documents import document, hyp, step, verdict

ONE = document("x == x", [step("ring", formula="x == x")])


def with_step(**row: Any) -> list[Any]:
    """A document whose first step is this row."""
    return [ONE[0], row, *ONE[1:]]


def with_header(**keys: Any) -> list[Any]:
    """A document with other entries in its header."""
    return [ONE[0] | keys, *ONE[1:]]


def substituting(values: Any) -> list[Any]:
    """A document that instantiates f and p as given."""
    return document("x == x", [step("ring", formula="f(x) == f(x)"), step("substitution", 0, terms={}, functions=values)])


NAMES = "names must be identifiers, declared once and not reserved"
LET = "line 2: let: the name of a let must be new"
EARLIER = "line 2: irreflexive: premises are earlier steps"
TEXT = "line 2: lemma: a text of one line is wanted"
ENDS = "the end names steps"
SIGNATURE = "a signature must look like RZ>R"
SMALL = "line 3: part: a number from 0 to 999 is wanted"
PAIR = "line 3: substitution: a lambda is [names, term]"
WRONG = "line 3: substitution: the lambda for f has the wrong parameters"
KEY = "line 3: substitution: 'f:R' is not a name with its sort"
TOLD: list[tuple[list[Any], str]] = [
    (with_header(format="dpbounds-proof/2"), "the format must be dpbounds-proof/1"),
    (with_header(more=1), "the header has not the right keys"),
    (with_header(name=5), "the name must be lower case"),
    (with_header(name="A"), "the name must be lower case"),
    (with_header(functions=[]), "functions must be an object"),
    (with_header(integer="n"), "real, integer and given must be lists"),
    (with_header(real=["x", "x"]), NAMES),
    (with_header(real=["x", 5]), NAMES),
    (with_header(real=["x", "exp"]), NAMES),
    (with_header(real=["x", "y" * 41]), NAMES),
    (with_header(real=["x", "a b"]), NAMES),
    (with_header(functions={"f": 5}), SIGNATURE),
    (with_header(functions={"f": "R>F"}), SIGNATURE),
    (with_header(claim="x"), "a formula is wanted, not a term"),
    (with_step(let="b"), "line 2: neither a let nor a step"),
    (with_step(let="x", be="x"), LET),
    (with_step(let="f", be="x"), LET),
    (with_step(let="b c", be="x"), LET),
    (with_step(let=5, be="x"), LET),
    (with_step(rule=5), "line 2: step: no such rule"),
    (with_step(rule="none"), "line 2: step: no such rule"),
    (with_step(rule=["irreflexive"]), "line 2: step: no such rule"),
    (with_step(rule="irreflexive", by=5), EARLIER),
    (with_step(rule="irreflexive", by=[0]), EARLIER),
    (with_step(rule="irreflexive", by=[-1]), EARLIER),
    (with_step(rule="irreflexive", by=["0"]), EARLIER),
    (with_step(rule="irreflexive", **{"with": 5}), "line 2: irreflexive: arguments must be an object"),
    (with_step(rule="irreflexive"), "line 2: irreflexive: irreflexive takes term"),
    (with_step(rule="conjunction", **{"with": {"term": "x"}}), "line 2: conjunction: conjunction takes no arguments"),
    (with_step(rule="irreflexive", **{"with": {"term": "x < y"}}), "line 2: irreflexive: a term is wanted, not a formula"),
    (with_step(rule="hypothesis", **{"with": {"formula": "x"}}), "line 2: hypothesis: a formula is wanted, not a term"),
    (with_step(rule="cases"), "line 2: cases: expected a premise"),
    (with_step(rule="lemma", **{"with": {"name": "none"}}), "line 2: lemma: no such document has been accepted"),
    (with_step(rule="lemma", **{"with": {"name": "none", "more": 1}}), "line 2: lemma: lemma takes a name and no premises"),
    (document("x == x", [step("ring", formula="x == x"), step("lemma", 0, name="a")]), "line 3: lemma: lemma takes a name and no premises"),
    (with_step(rule="lemma", **{"with": {"name": 5}}), TEXT),
    (with_step(rule="lemma", **{"with": {"name": "a\nb"}}), TEXT),
    (with_step(rule="lemma", **{"with": {"name": "a" * 1001}}), TEXT),
    (document("x == x", [hyp("x < y"), step("generalize", 0, variable="x + y")]), "line 3: generalize: a declared variable is wanted"),
    (document("x == x", [hyp("x < y and y < a"), step("part", 0, number=1000)]), SMALL),
    (document("x == x", [hyp("x < y and y < a"), step("part", 0, number=-1)]), SMALL),
    (document("x == x", [hyp("x < y and y < a"), step("part", 0, number=True)]), SMALL),
    (document("x == x", [hyp("x < y"), step("linear", 0, formula="x <= y", multipliers="1")]), "line 3: linear: a list of terms is wanted"),
    (substituting([]), "line 3: substitution: an object is wanted"),
    (substituting({"f:R": [["x"], "x"]}), KEY),
    (substituting({"5:R>R": [["x"], "x"]}), "line 3: substitution: '5:R>R' is not a name with its sort"),
    (substituting({"f:R>R": 5}), PAIR),
    (substituting({"f:R>R": [["b"], "b", "b"]}), PAIR),
    (substituting({"f:R>R": ["b", "b"]}), PAIR),
    (substituting({"f:R>R": [["b", "c"], "b"]}), WRONG),
    (substituting({"f:R>R": [["exp"], "b"]}), WRONG),
    (substituting({"p:RZ>R": [["b", 5], "b"]}), WRONG.replace("for f", "for p")),
    (substituting({"f:R>R": [["x"], "x"]}), "line 3: substitution: a parameter has a meaning"),
    (substituting({"p:RZ>R": [["x", "b"], "b"]}), "line 3: substitution: a parameter has a meaning"),
    (substituting({"p:RZ>R": [["b", "b"], "b"]}), "line 3: substitution: a parameter has a meaning"),
    ([*ONE[:-1], {"end": 0, "more": 1}], "the last line has other keys than end and defined"),
    ([*ONE[:-1], {"end": 0, "defined": 0}], "defined must be a list of steps"),
    ([*ONE[:-1], {"end": 1}], ENDS),
    ([*ONE[:-1], {"end": -1}], ENDS),
    ([*ONE[:-1], {"end": True}], ENDS),
    ([*ONE[:-1], {"end": 0, "defined": [1]}], ENDS),
    ([*ONE[:-1], {"end": 0, "defined": ["0"]}], ENDS),
    (ONE[:1], "a document has a header and an end, and is not too long"),
    ([ONE[0], *["[]"] * 19_999, ONE[-1]], "a document has a header and an end, and is not too long"),
    ([ONE[0], " " * 200_001, ONE[-1]], "a document has a header and an end, and is not too long"),
    ([ONE[0], " " * 200_000, ONE[-1]], "line 2 is not JSON"),
    ([ONE[0], "[]", ONE[-1]], "line 2 is not an object"),
    (["{}", ONE[-1]], "a document starts with a header and ends with an end"),
    ([ONE[0], "{}"], "a document starts with a header and ends with an end"),
    ([ONE[0], '{"rule": 1, "rule": 2}', ONE[-1]], "a key occurs twice"),
    ([ONE[0], '{"rule": NaN}', ONE[-1]], "NaN is no number"),
    (document("x < y", [step("ring", formula="x == x")]), "the last step proves x == x, which is not the claim"),
    (document("x < y", [hyp("x < y")]), "the claim is proved under more than is given: x < y"),
    (document("1/x == 1/x", [step("ring", formula="1/x == 1/x")]), "not shown to be defined: x != 0"),
]


@pytest.mark.parametrize("number", range(len(TOLD)))
def test_what_is_said(number: int) -> None:
    rows, said = TOLD[number]
    found = verdict(rows)
    assert isinstance(found, Refused) and str(found) == said


def test_what_is_just_within_the_limits_is_accepted() -> None:
    long = document("x == x", [step("ring", formula="x == x")] * 19_998)
    assert len(long) == 20_000 and isinstance(verdict(long), Statement)
    named = document("z == z", [step("ring", formula="z == z")], real=["z", "y" * 40])
    assert isinstance(verdict(named), Statement)
    source = document("x == x", [step("cite", formula="x == x", source="a" * 1000)])
    assert isinstance(verdict(source), Statement)


def test_conclusions_are_paid_for_to_the_last_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "FOLLOWED", 3)
    assert isinstance(verdict(ONE), Statement)
    monkeypatch.setattr(checker, "FOLLOWED", 2)
    assert str(verdict(ONE)) == "line 2: ring: the conclusions are too large"


def test_only_lemmas_are_waited_for() -> None:
    assert lemmas(
        [{"rule": "lemma", "with": {"name": "a"}}, {"rule": "lemma", "with": 5}, {"rule": "lemma"}, {"rule": "lemma", "with": {}}]
    ) == {"a"}
    assert lemmas([{"rule": "irreflexive", "with": {"name": "a"}}]) == set()


def ended(claim: str, given: list[str], steps: list[dict[str, Any]], end: int, defined: list[int]) -> Statement | Refused:
    """What is said of a document with these conditions and this end."""
    return verdict([*document(claim, steps, given)[:-1], {"end": end, "defined": defined}])


SUM = "sum(_0, 1, n, x) + 1 <= sum(_0, 1, n, x) + n + 1"
FROM_SUM = [step("ring", formula="x == x"), hyp(SUM), step("linear", 1, formula="1 <= n + 1", multipliers=["1"])]
ALL = "allZ(_0, imp(0 <= _0, 1 <= n + _0))"
FROM_ALL = [step("ring", formula="x == x"), hyp(ALL), step("specialize", 1, at="1"), step("ring", formula="0 <= 1"), step("detach", 2, 3)]


def test_the_range_of_a_sum_in_a_condition_follows_from_conditions_without_sums() -> None:
    bare = "not shown to be defined without other sums: 1 <= n + 1"
    assert str(ended("x == x", [SUM], FROM_SUM, 0, [2])) == bare
    assert isinstance(ended("x == x", [SUM, "1 <= n"], FROM_SUM, 0, [2]), Statement)  # the ring sees it
    assert isinstance(ended("x == x", [SUM, ALL], FROM_ALL, 0, [4]), Statement)  # a step shows it
    assert str(ended("x == x", [SUM, ALL], FROM_SUM, 0, [2])) == bare


def test_what_is_defined_is_shown_from_what_is_given() -> None:
    steps = [step("ring", formula="1/x == 1/x"), hyp("x != 0")]
    assert str(ended("1/x == 1/x", [], steps, 0, [1])) == "not shown to be defined: x != 0"
    assert isinstance(ended("1/x == 1/x", ["x != 0"], steps, 0, [1]), Statement)
