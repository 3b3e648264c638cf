"""Floors and ceilings as the proof checker reads them: an integer next to a number that must have a value."""

from typing import Any

import pytest
from sympy import Rational, ceiling, floor, log

from dpbounds.claims.claim import Claim
from dpbounds.claims.settling import settle
from dpbounds.claims.verdict import Verdict
from dpbounds.language.symbols import nonnegative, positive, real
from tests.lemmas import assert_only_the_true_one_has_a_document_of_its_descent

e, t, x, y = positive("e"), positive("t"), nonnegative("x"), real("y")
leaves = 2 ** ceiling(log(t) / log(2))
TWINS: dict[str, tuple[list[Any], Any, Any]] = {
    "queries of a budget": ([e <= 1], e * floor(1 / e) > Rational(1, 2), e * floor(1 / e) > Rational(51, 100)),
    "leaves of a tree": ([t >= 1], leaves <= 2 * t, leaves <= Rational(19, 10) * t),
    "a floor": ([], floor(y) > y - 1, floor(y) >= y),
    "a ceiling": ([], ceiling(y) < y + 1, ceiling(y) <= y),
    "in a premise": ([floor(y) >= 5], y >= 5, y > 5),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_document_of_what_holds_for_the_integer_and_none_of_more(name: str) -> None:
    assert_only_the_true_one_has_a_document_of_its_descent(TWINS[name])


def test_what_is_rounded_must_have_a_value() -> None:
    """The checker has 1/0 = 0, so 0·⌊1/0⌋ is 0 there; where x > 0 the claim holds."""
    for given, verdict in (((), Verdict.UNDECIDED), ((x > 0,), Verdict.CERTIFIED)):
        outcome = settle(Claim(id="a", text="", then=x * floor(1 / x) <= 1, given=given), budget=1)
        assert outcome.verdict is verdict, outcome.detail
