"""Certificates that carry a cover document: made from covers, checked by another program, and refused when edited."""

import copy

import pytest
import sympy

from dpbounds.claims import certificate
from dpbounds.claims.certify import cover
from dpbounds.claims.claim import Claim
from dpbounds.claims.plans import Boxes
from dpbounds.claims.replay import replay
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import CertificateError

x, y = sympy.symbols("x y", real=True)
n = sympy.Symbol("n", integer=True, positive=True)


def made(then, *given):
    claim = Claim(id="a.b", text="", given=list(given), then=then)
    return certificate.of_cover(claim, cover(claim, Boxes()), 80)


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
