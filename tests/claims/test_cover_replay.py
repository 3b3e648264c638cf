"""Certificates that carry a cover document: made from covers, checked by another program, and refused when edited."""

import copy
import time
from dataclasses import replace

import pytest
import sympy

from dpbounds import notation
from dpbounds.claims import clock
from dpbounds.claims.boxes.certify import cover
from dpbounds.claims.claim import Claim
from dpbounds.claims.covers import cover_engine, cover_replay
from dpbounds.claims.evidence import certificate, sealing
from dpbounds.claims.evidence.replay import replay
from dpbounds.claims.plans import Boxes
from dpbounds.claims.settling import settle
from dpbounds.claims.statement.cover_text import statements_of
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import CertificateError
from dpbounds.kernel.notation import show
from dpbounds.language.functions import GaussianRenyi, HockeyStick, NormalCDF, SampledGaussianRenyi

x, y = sympy.symbols("x y", real=True)
n = sympy.Symbol("n", integer=True, positive=True)


def made(then, *given):
    claim = Claim(id="a.b", text="", given=list(given), then=then)
    return sealing.of_cover(claim, cover(claim, Boxes()), 80)


STATEMENTS = [
    (x * (1 - x) <= sympy.Rational(1, 4), x >= 0, x <= 1),
    (sympy.exp(x) >= 1 + x, x >= -1, x <= 2),
    (x * y <= sympy.Rational(1, 4), sympy.Eq(x + y, 1), x >= 0, y >= 0),
    (sympy.Max(x, y) >= (x + y) / 2, x >= 0, x <= 1, y >= 0, y <= 1),
    (1 / n <= 1, n <= 100),
    (sympy.exp(-x) <= 1, x >= 0),
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=str)
def test_a_cover_is_checked_without_the_engine(statement):
    document = made(*statement)
    assert set(document["evidence"]) == {"cover", "leaves", "engine"}
    found = replay(document)
    assert found.verdict is Verdict.CERTIFIED and found.checked.by_engine == 0


EDITS = {
    "another conclusion": lambda c: c.update(then="x <= 1/4"),
    "a premise dropped": lambda c: c["given"].pop(),
    "a premise more": lambda c: c["given"].append("x <= 1/8"),
    "another name": lambda c: c.update(claim="a.c"),
    "every leaf left to the engine": lambda c: c.update(tree="?"),
    "an integer more": lambda c: c.update(integers=["x"]),
    "a bound moved": lambda c: c.update(root=[["0", "1/2"]]),
    "a split dropped": lambda c: c.update(tree=c["tree"][1:]),
    "a leaf left to the engine": lambda c: c.update(tree=c["tree"] + "?"),
    "too few bits": lambda c: c.update(bits=10),
    "another kind of cover": lambda c: c.update(shape={}),
    "a field more": lambda c: c.update(more=1),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_document_is_refused(edit):
    document = copy.deepcopy(made(*STATEMENTS[0]))
    EDITS[edit](document["evidence"]["cover"])
    document["digest"] = certificate.digest_of(document)
    with pytest.raises(CertificateError):
        replay(document)


def test_a_document_does_not_serve_another_statement():
    mine, other = made(*STATEMENTS[0]), made(x * (1 - x) <= sympy.Rational(1, 5), x >= 0, x <= sympy.Rational(1, 8))
    document = {**other, "evidence": mine["evidence"]}
    document["digest"] = certificate.digest_of(document)
    with pytest.raises(CertificateError, match="another statement"):
        replay(document)


def resting_on_the_engine(tree):
    """A certificate with a quantity, the tree of whose cover is this one."""
    document = made(SampledGaussianRenyi(sympy.Rational(5, 2), x, sympy.Rational(1, 10), "remove") <= sympy.Rational(1, 4), x >= 1, x <= 2)
    leaves = tree.count("?")
    document["evidence"]["cover"]["tree"] = tree
    document["evidence"] |= {"leaves": leaves, "engine": leaves}
    return {**document, "digest": certificate.digest_of(document)}


def spent(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return True


def test_few_bits_are_tried_first_and_those_of_the_document_after_them(monkeypatch):
    tried = []
    monkeypatch.setattr(cover_engine, "_holds", lambda leaves, leaf, box, bits: bool(tried.append(bits)) or bits > 34)
    document = resting_on_the_engine("?")
    assert replay(document).checked.by_engine == 1
    assert tried == [34, document["evidence"]["cover"]["bits"]]
    monkeypatch.setattr(cover_engine, "_holds", lambda *asked: False)
    with pytest.raises(CertificateError, match="not shown by the engine"):
        replay(resting_on_the_engine("?"))


def test_there_is_an_end_to_the_work_on_all_leaves_that_rest_on_the_engine(monkeypatch):
    """What every leaf may take, they may not take together."""
    monkeypatch.setattr(clock, "_HELPERS", clock._Helpers())
    monkeypatch.setattr(cover_engine, "MOST_SECONDS", 150.0)
    monkeypatch.setattr(cover_engine, "_holds", lambda *asked: clock.charge(60) is None)
    assert replay(resting_on_the_engine("0??")).checked.by_engine == 2
    with pytest.raises(CertificateError, match=r"a\.b: the leaves that rest on the engine ask for more than 150 s of processor time"):
        replay(resting_on_the_engine("00??0??"))


def test_one_leaf_is_not_waited_for_beyond_the_limit(monkeypatch):
    monkeypatch.setattr(cover_engine, "MOST_SECONDS", 0.05)
    monkeypatch.setattr(cover_engine, "_holds", lambda *asked: spent(60))
    start = time.process_time()
    with pytest.raises(CertificateError, match="ask for more"):
        replay(resting_on_the_engine("?"))
    assert time.process_time() - start < 30


def test_the_deadline_of_somebody_else_is_not_taken_for_that_of_the_leaves(monkeypatch):
    monkeypatch.setattr(cover_engine, "_holds", lambda *asked: spent(60))
    document = resting_on_the_engine("?")
    with pytest.raises(clock.TimeIsUp):
        clock.within(clock.now() + 0.1, lambda: replay(document))


_UNWRITTEN = sympy.Add(NormalCDF(y), -NormalCDF(y), evaluate=False)  # 0, as sympy has it
s = sympy.Symbol("s", positive=True)


@pytest.mark.parametrize(
    ("side", "kept"),
    [
        (HockeyStick(0, [sympy.Abs(sympy.log(x)) + s], [sympy.Abs(sympy.log(x))]), "abs(log(x))"),  # its formula is s
        (sympy.Add(s, sympy.Mul(_UNWRITTEN, sympy.log(x), evaluate=False), evaluate=False), "log(x)"),
        (sympy.Mul(s, NormalCDF(y), 1 / NormalCDF(y), x, 1 / x, evaluate=False), "x / x"),
        (GaussianRenyi(2, sympy.Add(s, sympy.Mul(_UNWRITTEN, sympy.log(x), evaluate=False), evaluate=False)), "log(x)"),
        (sympy.Sum(sympy.Mul(x, 1 / x, n, evaluate=False), (n, 1, 3)), "x / x"),
        (sympy.Pow(sympy.log(x), 0, evaluate=False), "log(x)"),
    ],
    ids=["table", "sum", "product", "argument", "terms", "power"],
)
def test_what_has_no_value_stays_in_the_statement_of_a_cover(side, kept):
    """A formula need not speak of the entries of a table; and sympy would evaluate what stands around one, as Φ(y) − Φ(y), and terms."""
    claim = Claim(id="a.b", text="", given=[s >= 1], then=sympy.Le(side, 2 * s + x**2, evaluate=False))
    for _, statement in statements_of(claim.id, {v.name: v for v in claim.variables}, claim.then, ()):
        assert kept in show(statement.then)


def test_a_term_of_a_sum_whose_exponent_is_a_difference_of_equal_numbers() -> None:
    """(1 - p)**(10 - k) at k = 10: the exponent is written 10 - 10, and the term is 1 where 1 - p has a value."""
    k, p = notation.integer("k"), notation.real("p")
    tail = notation.Sum(notation.binomial(10, k) * p**k * (1 - p) ** (10 - k), (k, 5, 10))
    given = [p >= 0, p <= notation.Rational(1, 4)]
    bound = notation.exp(-20 * (notation.Rational(1, 2) - p) ** 2)
    assert settle(Claim(id="tail", given=given, then=tail <= bound)).verdict is Verdict.CERTIFIED
    assert settle(Claim(id="tail", given=given, then=tail <= bound / 4)).verdict is Verdict.REFUTED


def test_what_the_engine_evaluates_may_stand_in_any_order() -> None:
    """A file has its names in the order of the alphabet, engine10_ before engine1_."""
    total = sum(SampledGaussianRenyi(n + x, 2, sympy.Rational(1, 9)) for n in range(2, 14))
    (_, statement), *_ = statements_of("order", {"x": x}, total > 0, [x > 0])
    assert len(statement.engine) == 12
    assert cover_replay._is_same(replace(statement, engine=tuple(sorted(statement.engine))), statement)
    assert not cover_replay._is_same(replace(statement, engine=statement.engine[1:]), statement)
    changed = (*statement.engine[1:], (statement.engine[0][0], "something else"))
    assert not cover_replay._is_same(replace(statement, engine=changed), statement)
