"""∞ − ∞ and 0·∞ have no value: what sympy collects of a divergence or a series is kept as it was typed where that may be infinite."""

from typing import Any

import pytest

from dpbounds import notation as n
from dpbounds.claims import Claim
from dpbounds.claims.counterexamples.refute import Refutation, refute_at
from dpbounds.language.losses import infinite_parts
from dpbounds.language.symbols import family, positive_integer

i, size = n.index("i"), n.positive_integer("n")
p, q = n.laws("p q", (i, 1, size))
D = n.KLDivergence(p, q)
SERIES = n.Sum(p.mass, (i, 1, n.oo))
POINT = {positive_integer("n"): 2, family("p"): (1, 0), family("q"): (0, 1)}


@pytest.mark.parametrize(
    "then",
    [
        2 * D - D >= 0,
        D + 1 - D / 2 >= 0,
        n.exp(2 * D) * n.exp(-D) >= 1,
        2 * n.RenyiMoment(2, p, q) - n.RenyiMoment(2, p, q) >= 0,
        2 * SERIES - SERIES <= 2 * SERIES,
    ],
)
def test_what_may_be_infinite_stays_as_often_as_it_was_typed(then: Any) -> None:
    assert infinite_parts(Claim(id="a", then=then, given=[p, q]).then.lhs) == 2


def test_a_premise_without_a_value_holds_at_no_point() -> None:
    disjoint = Claim(id="a", then=n.HockeyStick(0, p, q) < 1, given=[p, q, 2 * D - D >= 0])
    assert not isinstance(refute_at(disjoint, POINT), Refutation)
    assert isinstance(refute_at(Claim(id="a", then=n.HockeyStick(0, p, q) < 1, given=[p, q, D >= 0]), POINT), Refutation)
