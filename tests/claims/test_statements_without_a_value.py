"""What has no value somewhere in its domain, or another one than sympy's, is never certified there."""

from typing import Any

import pytest
import sympy
from sympy import Abs, Integral, Piecewise, Rational, log, oo

from dpbounds import Claim
from dpbounds.claims import Boxes
from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.settling import settle
from dpbounds.claims.verdict import Verdict
from dpbounds.descent.integrals.closed import check_closed
from dpbounds.descent.integrals.pieces import parts_of
from dpbounds.descent.integrals.sums import bound_of, nodes_of
from dpbounds.descent.problem import Problem
from dpbounds.descent.search.solve import solve
from dpbounds.language.functions import (
    HockeyStick,
    Infimum,
    KLDivergence,
    LossTail,
    NormalCDF,
    NormalQuantile,
    RenyiMoment,
    Supremum,
    normal_density,
)
from dpbounds.language.symbols import index, nonnegative, positive, real

x, z = real("x z")
p, s, y = positive("p s y")
rate = nonnegative("q")
i = index("i")
away = sympy.Symbol("away", real=True, nonzero=True)
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
        ([], Supremum(-(x**2), (x, log(z), oo)) <= y),
        ([], Supremum(-(x**2), (x, -oo, 1 / z)) <= y),
        ([], Supremum(Supremum(-(x**2) - z**2, (z, log(x), oo)), (x, -oo, 2)) <= y),
        ([], Infimum(x**2, (x, oo * away, oo)) >= -y),  # from ∞ where `away` is positive
        ([], Supremum(-(x**2), (x, sympy.Add(oo, 1, evaluate=False), oo)) <= y),
        ([], Supremum(-(x**2), (x, sympy.nan, oo)) <= y),
    ],
)
def test_a_descent_shows_nothing(given: list[Any], then: Any) -> None:
    assert certificate_of(Claim(id="a", text="", given=given, then=then), 0.5) is None


@pytest.mark.parametrize(
    "quantity",
    [
        KLDivergence(-s, -s, (i, 1, 1)),
        HockeyStick(0, -s, s, (i, 1, 3)),
        HockeyStick(0, s / 3, -s / 3, (i, 1, 3)),
        LossTail(0, -s, s, (i, 1, 3)),
        RenyiMoment(2, (i - 2) * s / 3, s / 3, (i, 1, 3)),
    ],
)
def test_no_mass_is_negative(quantity: Any) -> None:
    claim = Claim(id="a", text="", given=[s >= 1, s <= 2], then=quantity <= 2 * s + 9, by=Boxes(budget=200))
    assert settle(claim).verdict is not Verdict.CERTIFIED


def test_a_part_is_integrated_as_it_is() -> None:
    """sympy writes an integrand with a Piecewise anew, and makes 0 of (y·P − y·P)·log(1 − y), which has no value beyond 1."""
    t, d = real("t"), positive("d")
    branch = Piecewise((1, z > 0), (2, True))
    then = Integral((Abs(t) * branch - t * branch) * log(1 - t), (t, 0, 3)) <= d
    (problem, *_) = problems_of(Claim(id="a", text="", given=[], then=then))
    part = {"ends": solve(Problem(sympy.Integer(3), sympy.S.Zero, False, problem.box), 1)}
    node = parts_of(problem, bound_of(problem, nodes_of(problem)[0]), [])[0]
    sign = solve(node.sign(problem, node.absolute_values[0], 1), 1)
    closed = check_closed(problem, [{"by": "pieces", "cuts": [], "parts": [{**part, "signs": [[1, sign]]}]}], frozenset())
    (left,) = nodes_of(closed)
    assert left.args[0].has(log)


@pytest.mark.parametrize("over", [LINE, (x, 0, 1), (i, 1, 3)])
def test_boxes_do_not_certify_a_moment_of_nothing(over: Any) -> None:
    """At q = 0 both measures are 0, and so is the moment; sympy makes 1 of q²/q²."""
    mass = bell if over == LINE else Rational(1, 2) if over[0] == x else Rational(1, 3)
    then = sympy.Ge(RenyiMoment(2, rate * mass, rate**2 * mass, over) + s / 100, Rational(1, 3), evaluate=False)
    claim = Claim(id="a", text="", given=[rate <= 1, s >= 1, s <= 2], then=then, by=Boxes(budget=300))
    assert settle(claim).verdict is not Verdict.CERTIFIED
