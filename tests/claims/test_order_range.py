"""The decider for ranges of orders: what it reads, what it refuses, and its certificates under edits."""

import copy
from dataclasses import replace

import pytest
from sympy import Rational, Symbol, log

from dpbounds import HOLDS, Claim, OrderRange, Verdict, settle
from dpbounds.claims.boxes.order_range import range_of
from dpbounds.claims.evidence import certificate
from dpbounds.claims.evidence.replay import replay
from dpbounds.errors import CertificateError, LanguageError
from dpbounds.language.functions import SampledGaussianRenyi
from dpbounds.language.symbols import positive

alpha, sigma, q = positive("alpha sigma q")


def claim_on(least_sigma=3, least_inverse=70, slack=1, factor=1, **changes):
    claim = Claim(
        id="range",
        text="",
        given=[sigma >= least_sigma, q <= 1 / (least_inverse * sigma), alpha > 1, alpha <= sigma**2 * log(1 / (q * sigma)) + slack],
        then=SampledGaussianRenyi(alpha, sigma, q) <= factor * alpha * q**2 / sigma**2,
        expect=HOLDS,
        by=OrderRange(budget=200),
    )
    return replace(claim, **changes)


def test_the_numbers_are_read_off_the_statement():
    wanted = range_of(claim_on(Rational(28, 25), 16, 0, Rational(3, 2)))
    assert [str(n) for n in (wanted.least_sigma, wanted.least_inverse, wanted.slack, wanted.bound)] == ["28/25", "16", "0", "3/2"]


def test_another_spelling_of_the_orders_is_the_same_range():
    claim = claim_on()
    spelled = [sigma >= 3, 1 / (70 * sigma) >= q, alpha > 1, alpha <= 1 - sigma**2 * (log(q) + log(sigma))]
    assert range_of(replace(claim, given=spelled)) == range_of(claim)


@pytest.mark.parametrize("left_out", range(4))
def test_every_premise_is_needed(left_out):
    claim = claim_on()
    given = [premise for k, premise in enumerate(claim.given) if k != left_out]
    with pytest.raises(LanguageError, match="range of orders"):
        range_of(replace(claim, given=given))


@pytest.mark.parametrize(
    "then",
    [
        SampledGaussianRenyi(alpha, sigma, q) < alpha * q**2 / sigma**2,
        SampledGaussianRenyi(alpha, sigma, q) >= alpha * q**2 / sigma**2,
        SampledGaussianRenyi(alpha, sigma, q) <= alpha * q / sigma**2,
        SampledGaussianRenyi(alpha, sigma, q) <= alpha**2 * q**2 / sigma**2,
        SampledGaussianRenyi(alpha + 1, sigma, q) <= alpha * q**2 / sigma**2,
        SampledGaussianRenyi(alpha, sigma, Symbol("r", real=True)) <= alpha * q**2 / sigma**2,
    ],
)
def test_other_statements_are_refused(then):
    with pytest.raises(LanguageError, match="range of orders"):
        range_of(claim_on(then=then))


def test_a_false_bound_stays_undecided():
    outcome = settle(claim_on(1, 16, 1, by=OrderRange(budget=300)))
    assert outcome.verdict is Verdict.UNDECIDED
    assert "300 boxes" in outcome.detail
    assert outcome.left


@pytest.fixture(scope="module")
def settled():
    claim = claim_on(2, 70)
    outcome = settle(claim)
    assert outcome.verdict is Verdict.CERTIFIED
    return claim, outcome.certificate


def test_a_certificate_replays(settled):
    claim, document = settled
    assert replay(document, claim).checked_by == "intervals and rationals"


def edited(document, change):
    copied = copy.deepcopy(document)
    change(copied["evidence"])
    copied["digest"] = certificate.digest_of(copied)
    return copied


EDITS = {
    "smaller sigma": lambda e: e["range"].update(least_sigma="1"),
    "larger bound": lambda e: e["range"].update(bound="2"),
    "more orders": lambda e: e["range"].update(slack="2"),
    "larger rates": lambda e: e["range"].update(least_inverse="16"),
    "smaller root": lambda e: e["range"].update(most_inverse_log="1/10"),
    "cut tree": lambda e: e.update(tree=e["tree"][:-1]),
    "longer tree": lambda e: e.update(tree=e["tree"] + "i"),
    "unknown token": lambda e: e.update(tree=e["tree"][:-1] + "?"),
    "another count": lambda e: e.update(leaves=e["leaves"] + 1),
    "another method": lambda e: e.update(tree="c" + e["tree"][1:] if e["tree"][0] == "i" else e["tree"].replace("i", "c")),
    "another direction": lambda e: e["range"].update(direction="add"),
    "no direction": lambda e: e["range"].pop("direction"),
    "another field": lambda e: e.update(more=1),
    "no field": lambda e: e.pop("leaves"),
}


@pytest.mark.parametrize("name", EDITS)
def test_edits_are_found(settled, name):
    claim, document = settled
    with pytest.raises(CertificateError):
        replay(edited(document, EDITS[name]), claim)


def test_a_certificate_does_not_settle_a_wider_claim(settled):
    with pytest.raises(CertificateError):
        replay(settled[1], claim_on(1, 70))
