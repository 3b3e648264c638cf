"""Claims from two simpler ones, where a premise bounds a variable by an expression: documents, points of such domains."""

import pytest

from dpbounds.claims import clock
from dpbounds.claims.claim import Claim
from dpbounds.claims.counterexamples.search import find_point
from dpbounds.claims.evidence import ways
from dpbounds.claims.evidence.judged import judged
from dpbounds.claims.signs import with_signs
from dpbounds.notation import Rational, exp, log, positive, real, sqrt

x, y = real("x y")
AT_MOST = Claim(id="most", given=[x > 0, y >= 0, x <= exp(-y) / 4], then=sqrt(x) + x <= 1)
AT_LEAST = Claim(id="least", given=[y > 0, x >= 2 + log(1 + y)], then=exp(-x) + 1 / x <= 1)


@pytest.mark.parametrize("claim", [AT_MOST, AT_LEAST], ids=lambda claim: claim.id)
def test_a_claim_follows_from_its_value_at_the_bound(claim: Claim) -> None:
    found = ways.at_a_bound(claim, None)
    assert found is not None
    assert judged(claim, found.text) == found.statement


@pytest.mark.parametrize("then", [sqrt(x) + x <= Rational(1, 2), sqrt(x) - x <= Rational(1, 5), 1 / x <= 100], ids=str)
def test_what_fails_there_or_falls_elsewhere_is_not_shown(then: object) -> None:
    assert ways.at_a_bound(Claim(id="a", given=[x > 0, y >= 0, x <= exp(-y) / 4], then=then), None) is None


def test_a_small_number_below_a_bound_is_found() -> None:
    """The bound excludes the ends of the range, 0 as well as 1."""
    d = real("d")
    assert find_point(Claim(id="a", given=[d > 0, d <= 1, x > 0, x <= 1 / (16 * log(2 / d))], then=x <= 1)) is not None


@pytest.mark.parametrize(("factor", "holds"), [(1, True), (Rational(9, 10), False)])
def test_a_premise_that_bounds_a_variable_in_other_words(factor: object, holds: bool) -> None:
    s, t = positive("s t")
    h = real("h")
    loss = s**2 / (2 * t**2) + log(t / s) - Rational(1, 2)
    claim = with_signs(Claim(id="scales", then=loss <= factor * h**2, given=[s <= t, t <= s * (h + 1)]))
    found = ways.at_a_bound(claim, clock.now() + 4)
    assert (found is not None and found.statement is not None) == holds
