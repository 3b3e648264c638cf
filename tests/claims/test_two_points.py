"""Moments of laws on two points at every order: Hoeffding's bound with its constant, and no smaller one."""

import pytest

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence import ways
from dpbounds.claims.evidence.judged import judged
from dpbounds.claims.evidence.two_points import two_points
from dpbounds.kernel import checker
from dpbounds.notation import Rational, exp, log, nonnegative, real, sinh

alpha, eps, eta = real("alpha eps eta")
t = nonnegative("t")
share = (exp(-t) - exp(-eta)) / (1 - exp(-eta))
RANGE = share * exp(alpha * t) + (1 - share) * exp(alpha * (t - eta))
RESPONSE = (sinh(alpha * eps) - sinh((alpha - 1) * eps)) / sinh(eps)


def claim_of(moment: object, cap: object, *given: object) -> Claim:
    """In moments."""
    return Claim(id="a", given=[alpha > 1, *given], then=moment <= exp(alpha * (alpha - 1) * cap))


CLAIMS = {
    "range": claim_of(RANGE, eta**2 / 8, eta > 0, t <= eta),
    "response": claim_of(RESPONSE, eps**2 / 2, eps > 0),
    "masses-with-a-factor": Claim(
        id="a",
        given=[alpha > 1, eta > 0, t <= eta],
        then=exp(alpha * t) * (1 - exp(t - eta)) + exp(alpha * (t - eta)) * (exp(t) - 1)
        <= (exp(t) - exp(t - eta)) * exp(alpha * (alpha - 1) * eta**2 / 8),
    ),
    "divergence": Claim(id="a", given=[alpha > 1, eta > 0, t <= eta], then=log(RANGE) / (alpha - 1) <= alpha * eta**2 / 8),
}


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_the_bound_holds_with_hoeffdings_constant(claim: Claim) -> None:
    found = ways.by_two_points(claim, None)
    assert found is not None
    assert judged(claim, found.text) == found.statement


def test_a_smaller_constant_another_order_and_other_totals_are_not_shown() -> None:
    for claim in (
        claim_of(RESPONSE, Rational(9, 20) * eps**2, eps > 0),
        claim_of(RESPONSE + 1, eps**2 / 2, eps > 0),
        Claim(id="a", given=[alpha > Rational(1, 2), eps > 0], then=exp(alpha * (alpha - 1) * eps**2 / 2) >= RESPONSE),
    ):
        assert ways.by_two_points(claim, None) is None
    assert not list(two_points(Claim(id="a", given=[alpha > 1], then=exp(alpha) <= exp(alpha * (alpha - 1)))))


def test_the_lemma_says_no_more_than_it_assumes() -> None:
    from dpbounds.compile.joining.two_points import two_point_lemma

    found = checker.check(checker.parse(two_point_lemma()), {})
    assert len(found.given) == 6
    assert not found.citations
