"""What has no value somewhere in its domain, or another one than sympy's, is never certified there."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from sympy import Abs, Rational, log, oo

from dpbounds import Claim
from dpbounds.claims import Boxes
from dpbounds.claims.descents import certificate_of
from dpbounds.claims.settling import settle
from dpbounds.claims.verdict import Verdict
from dpbounds.language.functions import HockeyStick, NormalCDF, NormalQuantile, RenyiMoment, Supremum, normal_density
from dpbounds.language.symbols import index, nonnegative, positive, real

x, z = real("x z")
p, s, y = positive("p s y")
rate = nonnegative("q")
i = index("i")
LINE = (x, -oo, oo)
bell = normal_density(x, 0, s)


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ([p < 1], NormalQuantile(p) / NormalQuantile(1 - p) <= y - 1),  # 0/0 at p = 1/2
        ([p < 1], (NormalQuantile(p) + NormalQuantile(1 - p)) * log(z) + NormalQuantile(p) <= NormalQuantile(p) + y),  # log z
        ([p < 1], (p - NormalCDF(NormalQuantile(p))) * log(z) + NormalQuantile(p) <= NormalQuantile(p) + y),
        ([], HockeyStick(0, [Abs(log(z)) + y], [Abs(log(z))]) <= y + 1),
        ([], Supremum(-(x**2), (x, oo, oo)) <= y),
        ([], Supremum(-(x**2), (x, oo, 0)) <= y),
        ([], Supremum(-(x**2), (x, 0, -oo)) <= y),
    ],
)
def test_a_descent_shows_nothing(given: list[Any], then: Any) -> None:
    assert certificate_of(Claim(id="a", text="", given=given, then=then), 2) is None


@pytest.mark.parametrize("over", [LINE, (x, 0, 1), (i, 1, 3)])
def test_boxes_do_not_certify_a_moment_of_nothing(over: Any) -> None:
    """At q = 0 both measures are 0, and so is the moment; sympy makes 1 of q²/q²."""
    mass = bell if over == LINE else Rational(1, 2) if over[0] == x else Rational(1, 3)
    then = sympy.Ge(RenyiMoment(2, rate * mass, rate**2 * mass, over) + s / 100, Rational(1, 3), evaluate=False)
    claim = Claim(id="a", text="", given=[rate <= 1, s >= 1, s <= 2], then=then, by=Boxes(budget=300))
    assert settle(claim).verdict is not Verdict.CERTIFIED
