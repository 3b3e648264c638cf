"""Leaves that rest on certificates of numbers: what is edited is refused, and each corner asks for the right number."""

import copy
import functools
import itertools
import json
import re
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy

from dpbounds import Verdict, accounting, settle
from dpbounds.claims import number_leaves
from dpbounds.claims.boxes.certify import cover
from dpbounds.claims.boxes.mechanism_quantities import mechanism_delta
from dpbounds.claims.claim import Claim
from dpbounds.claims.covers import number_search
from dpbounds.claims.covers.cover_replay import checked_cover
from dpbounds.claims.evidence import certificate, sealing
from dpbounds.claims.evidence.replay import replay
from dpbounds.claims.plans import Boxes, Counterexample
from dpbounds.claims.stated import Stated
from dpbounds.claims.statement.cover_text import statements_of
from dpbounds.covers.check import Leaf
from dpbounds.covers.cover import Boxes as Root
from dpbounds.covers.cover import Cover
from dpbounds.covers.document import read
from dpbounds.errors import CertificateError, DPBoundsError
from dpbounds.kernel.terms import Refused as CoverRefused
from dpbounds.language.functions import SampledGaussianDelta, SampledGaussianMoment, SampledGaussianRenyi, SubstituteGaussianDelta
from dpbounds.logic.evidence import rows_of
from dpbounds.mechanisms.specs import spec_to_mechanism
from dpbounds.recheck import numbers
from dpbounds.recheck.check import check as check_number
from dpbounds.recheck.leaves import MOST_NUMBERS, MissingNumber, NumberLeaves, check_with_numbers
from dpbounds.recheck.numbers import Refused
from dpbounds.renyi import renyi_divergence

e, s, q, a = (sympy.Symbol(name, real=True) for name in ("e", "s", "q", "a"))
TENTH = sympy.Rational(1, 10)
RANGES = [e >= 1, e <= sympy.Rational(6, 5), s >= 1, s <= sympy.Rational(6, 5), q >= TENTH, q <= sympy.Rational(3, 20)]
SIDES = {
    "a": (Fraction(2), Fraction(5, 2)),
    "e": (Fraction(1), Fraction(6, 5)),
    "q": (Fraction(1, 10), Fraction(3, 20)),
    "s": (Fraction(1), Fraction(6, 5)),
}
BOUND = SampledGaussianRenyi(a, s, q, "remove") <= sympy.Rational(1, 4)
ORDERS = [a >= 2, a <= sympy.Rational(5, 2), *RANGES[2:]]


def questions_of(judge, leaf):
    """The numbers that a leaf may need, one after the other."""
    return [question for corners in judge.corners(leaf) for question in (corners.least, corners.most)]


def made(then, *given):
    claim = Claim(id="a.b", text="", given=list(given), then=then)
    return sealing.of_cover(claim, cover(claim, Boxes()), 80)


def sealed(document):
    return {**document, "digest": certificate.digest_of(document)}


@pytest.fixture(scope="module")
def document():
    return number_leaves.with_numbers(made(BOUND, *ORDERS), 60)


def judged(then, given=(), certificates=()):
    """The judge of a statement, whose cover is one leaf."""
    claim = Claim(id="a.b", text="", given=list(given), then=then)
    stated = Stated.read(claim.id, claim.statement, claim.statement_hash)
    ((_, statement),) = statements_of(claim.id, stated.names, stated.then, stated.constraints)
    root = tuple(SIDES[name] for name in statement.variables)
    boxes = Root((), root, (), 80, "?")
    return NumberLeaves(Cover(statement, boxes), certificates), Leaf(root, False)


def test_leaves_are_checked_by_the_checker_of_numbers_alone(document, monkeypatch):
    monkeypatch.setattr("dpbounds.claims.evidence.replay.engine_of", lambda *asked: lambda leaf: False)
    found = replay(document).checked
    assert document["evidence"]["engine"] == found.by_engine == 0 < found.by_numbers == found.parts
    assert str(found).endswith(f"checked by the checker of numbers: {found.parts} of {found.parts} leaves")


EDITS = {
    "a number dropped": lambda found: found["numbers"].pop(),
    "a number twice": lambda found: found["numbers"].append(found["numbers"][0]),
    "no numbers": lambda found: found["numbers"].clear(),
    "numbers left out": lambda found: found.pop("numbers"),
    "a number of more noise": lambda found: found["numbers"][0]["query"]["mechanism"][0].update(sigma="3"),
    "the other direction": lambda found: found["numbers"][0]["query"].update(direction="add"),
    "another order": lambda found: found["numbers"][0]["query"].update(alpha="9/4"),
    "another method": lambda found: found["numbers"][0]["evidence"].update(remove={"name": "moments", "bits": 90, "moments": [None]}),
    "numbers that are no list": lambda found: found.update(numbers=7),
    "numbers that are nothing": lambda found: found.update(numbers=None),
    "leaves given back": lambda found: found.update(engine=1),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_certificate_is_refused(document, edit):
    changed = copy.deepcopy(document)
    EDITS[edit](changed["evidence"])
    with pytest.raises(CertificateError):
        replay(sealed(changed))


def value_at(node, place):
    """The quantity at a point, by the engine."""
    point = {symbol: sympy.Rational(*place[symbol.name].as_integer_ratio()) for symbol in node.free_symbols}
    order, sigma, rate = (Fraction(str(x.subs(point))) for x in node.args[:3])
    steps = int(node.args[3]) if isinstance(node, (SampledGaussianDelta, SubstituteGaussianDelta)) else 1
    mechanism = spec_to_mechanism([{"sigma": str(sigma), "q": str(rate), "steps": steps}])
    if isinstance(node, SubstituteGaussianDelta):
        return float(accounting.delta(mechanism, order, digits=8, relation="substitute").lower)
    if isinstance(node, SampledGaussianDelta):
        return float(accounting.delta(mechanism, order, digits=8, direction=node.direction).lower)
    found = float(renyi_divergence(mechanism, order, digits=8, direction=str(node.args[3])).lower)
    return float(sympy.exp((order - 1) * found)) if isinstance(node, SampledGaussianMoment) else found


QUANTITIES = [
    SampledGaussianDelta(e, s, q, 60, "remove"),
    SampledGaussianDelta(e, s, q, 60, "add"),
    SubstituteGaussianDelta(e, s, q, 60),
    SampledGaussianRenyi(a, s, q, "remove"),
    SampledGaussianRenyi(a, s, q, "add"),
    SampledGaussianMoment(a, s, q, "remove"),
]


@pytest.mark.parametrize("node", QUANTITIES, ids=str)
def test_each_corner_is_an_end_of_the_quantity_on_the_box(node):
    """A statement with a bound just outside of the values at the corners of the box holds, with one just inside it does not."""
    names = sorted(symbol.name for symbol in node.free_symbols)
    values = [value_at(node, dict(zip(names, ends, strict=True))) for ends in itertools.product(*(SIDES[name] for name in names))]
    given = [node.args[0] > 1] if "a" in names else []
    for bound, wanted in ((max(values) * 1.001, True), (max(values) * 0.999, False)):
        assert shown(node <= sympy.Rational(str(bound)), given) is wanted
    for bound, wanted in ((min(values) * 0.999, True), (min(values) * 1.001, False)):
        assert shown(node >= sympy.Rational(str(bound)), given) is wanted


@pytest.mark.parametrize("node", QUANTITIES, ids=str)
def test_only_the_least_value_may_be_left_out(node):
    """Then the quantity is at least 0, a moment at least 1, and no more is known; without the largest value nothing is shown."""
    names = sorted(symbol.name for symbol in node.free_symbols)
    values = [value_at(node, dict(zip(names, ends, strict=True))) for ends in itertools.product(*(SIDES[name] for name in names))]
    given = [node.args[0] > 1] if "a" in names else []
    floor = 1 if isinstance(node, SampledGaussianMoment) else 0
    below, above, least = node <= sympy.Rational(str(max(values) * 1.001)), node >= floor, node >= floor + sympy.Rational(1, 10**9)
    assert shown(below, given, "most") and shown(above, given, "most")
    assert shown(least, given) and not shown(least, given, "most")
    assert not shown(below, given, "least") and not shown(above, given, "least")


SHIFTED = [
    SampledGaussianDelta(e, s, q - sympy.Rational(1, 8), 2, "add"),
    SampledGaussianRenyi(a, s, q - sympy.Rational(1, 8), "remove"),
    SampledGaussianMoment(a, s, q - sympy.Rational(1, 8), "remove"),
]


@pytest.mark.parametrize("node", SHIFTED, ids=str)
def test_a_largest_value_shows_nothing_where_the_rate_falls_below_0(node, monkeypatch):
    """No least value is asked for at the rate −1/40; that the quantity has a value on the whole leaf is part of what is shown."""
    given = [node.args[0] > 1] if isinstance(node, (SampledGaussianRenyi, SampledGaussianMoment)) else []
    assert not shown(node <= 9, given, "most")
    monkeypatch.setattr(type(node), "conditions", lambda self: [])
    assert shown(node <= 9, given, "most")


@functools.cache
def number(question):
    return number_search.certificate_for_question(json.loads(question), 8)


def shown(then, given, ends=("least", "most")):
    sides = {x: [sympy.Rational(str(end)) for end in SIDES[x.name]] for x in then.free_symbols}
    ranges = [c for x, (low, high) in sides.items() for c in (x >= low, x <= high)]
    empty, leaf = judged(then, [*ranges, *given])
    questions = [getattr(corners, end) for corners in empty.corners(leaf) for end in ("least", "most") if end in ends]
    judge, leaf = judged(then, [*ranges, *given], [number(question) for question in dict.fromkeys(map(json.dumps, questions))])
    return judge.holds(leaf)


def test_what_has_no_corners_is_left_to_the_engine():
    for then in (
        sympy.gamma(e) <= 2,
        SampledGaussianRenyi(e - sympy.Rational(1, 8), s, q, "remove") <= 9,  # orders from 7/8 on
        mechanism_delta(e, [{"sigma": 2, "sampling": "random-allocation", "bins": 3}]) <= 1,
        mechanism_delta(e, [{"sigma": "2", "population": 9, "batch-size": 2, "sampling": "without-replacement"}], guarantee="pair") <= 1,
        mechanism_delta(e, [{"randomized_response": s, "steps": 3}]) <= 1,
    ):
        judge, leaf = judged(then, RANGES)
        with pytest.raises(MissingNumber):
            questions_of(judge, leaf)
        assert not judge.holds(leaf)


def test_a_corner_that_no_certificate_can_write_is_left_to_the_engine():
    for then in (
        SampledGaussianDelta(sympy.exp(100_000 * e), s, q, 3, "remove") <= 1,
        SampledGaussianDelta(e, s, q * sympy.exp(-20_000), 3, "remove") <= 1,
        mechanism_delta(sympy.exp(100_000 * e), [{"sigma": "2"}]) <= 1,
    ):
        judge, leaf = judged(then, RANGES)
        assert not judge.holds(leaf)


def test_leaves_outside_of_the_domain_and_solved_equations_are_left_to_the_engine():
    """That a leaf lies outside is another statement, and where a variable was solved for, the box has no side for it."""
    then = mechanism_delta(e, [{"sigma": "2"}]) <= TENTH * 3
    empty, leaf = judged(then, RANGES[:2])
    questions = dict.fromkeys(json.dumps(question) for question in questions_of(empty, leaf))
    judge, leaf = judged(then, RANGES[:2], [number(question) for question in questions])
    assert judge.holds(leaf) and not judge.holds(replace(leaf, outside=True))
    judge.boxes = replace(judge.boxes, solve=(("s", judge.cover.statement.then, ()),))
    assert not judge.holds(leaf)


def test_the_relation_that_is_asked_for_is_the_one_of_the_quantity():
    """Without one, add-or-remove; a substitution has no direction."""
    sampled = [{"sigma": 1, "q": "1/10"}]
    for words, asked in (({"direction": "remove"}, ("add-or-remove", "remove")), ({"relation": "substitute"}, ("substitute", "symmetric"))):
        judge, leaf = judged(mechanism_delta(e, sampled, **words) <= 1, RANGES[:2])
        assert {(question["relation"], question["direction"]) for question in questions_of(judge, leaf)} == {asked}


def test_there_is_an_end_to_the_numbers_that_are_checked(monkeypatch):
    """Too many are refused before the first of them is checked."""
    monkeypatch.setattr("dpbounds.recheck.leaves.check", lambda text: pytest.fail("a certificate is checked"))
    with pytest.raises(Refused, match="at most"):
        judged(BOUND, ORDERS, [{}] * (MOST_NUMBERS + 1))


def test_there_is_an_end_to_the_work_on_all_numbers_of_a_cover(document, monkeypatch):
    """What one certificate may ask for, no two may ask for together; laws that they share are made once, and the work counts for each."""
    asked, wanted = [], document["evidence"]["numbers"]
    spend = numbers.Numbers.spend
    monkeypatch.setattr(numbers.Numbers, "spend", lambda self, work: (asked.append(work), spend(self, work)))
    assert check_number(json.dumps(wanted[0]))
    alone = sum(asked)
    together = numbers.Together()
    together.left = 2 * alone
    for _ in range(2):
        assert check_number(json.dumps(wanted[0]), together)
    with pytest.raises(Refused, match="more work"):
        check_number(json.dumps(wanted[0]), together)
    two = number_leaves.with_numbers(made(sympy.And(BOUND, BOUND.lhs >= sympy.Rational(1, 1000)), *ORDERS), 60)
    assert len(two["evidence"]["numbers"]) == 2 and replay(two)
    monkeypatch.setattr(numbers, "MOST_TOGETHER", alone)
    with pytest.raises(CertificateError, match="more work"):
        replay(two)


def test_a_mechanism_without_parameters_has_corners_in_epsilon():
    then = mechanism_delta(e, [{"laplace_scale": 2}, {"randomized_response": "1/4", "steps": 2}]) <= sympy.Rational(1, 20)
    document = number_leaves.with_numbers(made(then, *RANGES[:2]), 60)
    assert replay(document).checked.by_engine == 0


IRRATIONAL = [{"sigma": "sqrt(2)", "steps": 3}, {"sigma": "sqrt(2)", "q": "1/10"}, {"laplace_scale": "sqrt(2)/2"}]


@pytest.mark.parametrize("part", IRRATIONAL)
def test_a_mechanism_with_an_irrational_parameter_has_corners_too(part):
    given = [e >= 1, e <= sympy.Rational(6, 5)]
    value = float(accounting.delta(spec_to_mechanism([part]), 1, direction="remove").upper)
    assert shown(mechanism_delta(e, [part], "remove") <= sympy.Rational(str(value * 1.001)), given)
    assert not shown(mechanism_delta(e, [part], "remove") <= sympy.Rational(str(value * 0.999)), given)


def test_a_statement_about_more_than_the_numbers_show_is_not_shown(document):
    """The certificates of one cover do not show the same cover of a stronger statement."""
    other = made(SampledGaussianRenyi(a, s, q, "remove") <= sympy.Rational(1, 5), *ORDERS)
    stated = Stated.read(other["claim"], other["statement"], other["statement_hash"])
    asked = other["claim"], stated.names, stated.then, stated.constraints
    with pytest.raises(CertificateError):
        checked_cover(*asked, {**document["evidence"]["cover"]}, None, document["evidence"]["numbers"])
    assert read(document["evidence"]["cover"]).statement != read(other["evidence"]["cover"]).statement


QUERY = {
    "quantity": "delta",
    "epsilon": "x",
    "mechanism": [{"sigma": "@1", "sampling": "poisson", "q": "@q", "steps": 1}],
    "relation": "add-or-remove",
    "direction": "remove",
    "guarantee": "mechanism",
}


def cover_about(query, then, *, names=("q", "x"), root=(("1/20", "1/10"), ("1", "2"))):
    """A cover of one leaf that rests on numbers; "D" in its conclusion is the quantity of a query."""
    boxes = {"solve": [], "root": [list(side) for side in root], "places": [], "bits": 80, "tree": "?"}
    given = [condition for name, (low, high) in zip(names, root, strict=True) for condition in (f"{low} <= {name}", f"{name} <= {high}")]
    text = json.dumps(query) if isinstance(query, dict) else query
    stated = {
        "claim": "a.b",
        "variables": list(names),
        "integers": [],
        "given": given,
        "then": re.sub(r"D(?!\()", f"D({', '.join(sorted(names))})", then),
        "engine": {"D": text},
    }
    return read(stated | boxes)


def settles(cover):
    """Whether a cover is shown by certificates of all numbers that it asks for."""
    leaf = Leaf(cover.boxes.root, False)
    try:
        asked = dict.fromkeys(map(json.dumps, questions_of(NumberLeaves(cover), leaf)))
        return not check_with_numbers(cover, [number(question) for question in asked]).by_engine
    except (MissingNumber, CoverRefused, DPBoundsError):  # or such a number does not exist
        return False


def test_a_statement_in_the_notation_of_covers_is_shown_without_its_claim():
    assert settles(cover_about(QUERY, "D <= 1/50")) and not settles(cover_about(QUERY, "D <= 1/100000"))


FORGED = {
    "a variable by the name of a number": ({}, {"names": ("q", "number0__")}),
    "a part moves that no lemma speaks of": ({"mechanism": [{"sigma": "@1", "sampling": "poisson", "q": "@q", "steps": "@x"}]}, {}),
    "noise moves without sampling": ({"mechanism": [{"sigma": "@1", "steps": 1, "sampling": "none"}]}, {}),
    "a second part": ({"mechanism": [*QUERY["mechanism"], {"sigma": "1/2", "sampling": "poisson", "q": "1/10", "steps": 1}]}, {}),
    "one entry more": ({"mechanism": [{**QUERY["mechanism"][0], "group": 2}]}, {}),
    "another kind of sampling": ({"mechanism": [{"sigma": "@1", "sampling": "truncated-poisson", "q": "@q", "steps": 1}]}, {}),
    "an expression without its mark": ({"mechanism": [{"sigma": "1", "sampling": "poisson", "q": "q", "steps": 1}]}, {}),
    "an unknown variable": ({"epsilon": "z"}, {}),
    "an expression without a value": ({"epsilon": "log(x - 3)"}, {}),
    "an expression with a quantity": ({"epsilon": "D(q, x)"}, {}),
    "the divergence of orders below 1": ({"quantity": "rdp", "alpha": "x - 1/8"}, {}),
    "the quantity epsilon": ({"quantity": "epsilon", "delta": "x"}, {}),
    "one field more": ({"more": "1"}, {}),
    "no mechanism": ({"mechanism": "none"}, {}),
    "parts that are none": ({"mechanism": [1]}, {}),
}


@pytest.mark.parametrize("case", FORGED)
def test_a_forged_quantity_is_not_settled(case):
    changes, more = FORGED[case]
    query = {**QUERY, **changes}
    if "alpha" in changes or "delta" in changes:
        query.pop("epsilon")
    if "names" in more:
        query["epsilon"] = more["names"][1]
        assert settles(cover_about(query, "D <= 1/50", **more))
        assert not settles(cover_about(query, "D <= 1/50 and number0__ <= 1", **more))
        return
    assert not settles(cover_about(query, "D <= 10", **more))


def test_a_quantity_is_settled_at_the_variables_alone():
    """Its query says what the function is at them; D(q, x - x) is another number."""
    for then in ("D(q, x - x) <= 1/50", "D(x, q) <= 1/50", "D <= D(q, x + 1)"):
        assert not settles(cover_about(QUERY, then))


def test_a_query_that_names_a_field_twice_is_none():
    text = json.dumps(QUERY)
    assert settles(cover_about(text, "D <= 1/50")) and not settles(cover_about(text[:-1] + ', "guarantee": "pair"}', "D <= 1/50"))
    for other in ("7", "[]", "{}", '{"quantity": ["delta"]}', "{", "D" * 9):
        assert not settles(cover_about(other, "D <= 1/50"))


def test_a_condition_that_is_written_as_a_quantity_is_about_its_number():
    for then in ("D == 1", "D == 1 or 1 < 0"):
        assert not settles(cover_about(QUERY, then))
    assert settles(cover_about(QUERY, "not D == 1"))


def point_with_numbers(then, *given):
    claim = Claim(id="a.b", text="", given=list(given), then=then)
    settled = settle(replace(claim, by=Counterexample({e: 1})))
    assert settled.verdict is Verdict.REFUTED
    return settled.certificate


@pytest.fixture(scope="module")
def point():
    return point_with_numbers(mechanism_delta(e, [{"sigma": "1/2", "q": "1/10"}]) <= sympy.Rational(1, 10**4), e >= 1)


def test_a_point_rests_on_numbers_and_needs_no_engine(point, monkeypatch):
    monkeypatch.setattr("dpbounds.claims.statement.instance.decide", lambda *asked: pytest.fail("the engine is asked"))
    (row,) = rows_of({"point.json": json.dumps(point).encode()})
    assert row.verdict == "accepted" and "1 of them by" in row.says
    found = replay(point).checked
    assert found.by_engine == 0 and found.by_numbers == found.parts


POINT_EDITS = {
    "no numbers": lambda found: found["numbers"].clear(),
    "numbers left out": lambda found: found.pop("numbers"),
    "numbers that are no list": lambda found: found.update(numbers=7),
    "a number twice": lambda found: found["numbers"].append(found["numbers"][0]),
    "more noise": lambda found: found["numbers"][0]["query"]["mechanism"][0].update(sigma="3"),
    "another point": lambda found: found["point"].update(e="Rational(9, 8)"),
    "another document": lambda found: found["cover"].update(then=found["cover"]["then"].replace("1/10000", "1/20000")),
    "a document turned around": lambda found: found["cover"].update(then=f"not ({found['cover']['then']})"),
}


@pytest.mark.parametrize("edit", POINT_EDITS)
def test_an_edited_point_with_numbers_is_refused(point, edit):
    changed = copy.deepcopy(point)
    POINT_EDITS[edit](changed["evidence"])
    with pytest.raises(CertificateError):
        replay(sealed(changed))
    (row,) = rows_of({"point.json": json.dumps(changed).encode()})
    assert (row.verdict == "accepted") is (edit in ("another point", "another document"))  # which still are true statements
