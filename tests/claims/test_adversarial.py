"""Near misses: a true claim and a false twin that differ by a relative gap of 1e-3 to 1e-9. None may be settled wrongly.

Each case is an inequality `small <= large` that is true and tight somewhere: inside the domain, on an edge, in a corner, or at infinity.
The true claim relaxes it by the gap (or leaves it tight), the false twin tightens it by the gap. Both go through boxes and through the
search with small budgets, so that the suite is fast; what is left UNDECIDED is counted, printed and bounded. The claim about any
distribution needs a proof, and stays UNDECIDED; so does the tie of a quantity without a formula at real orders.
"""

from collections import Counter
from dataclasses import dataclass

import pytest
import sympy
from sympy import Abs, Eq, Max, Min, Piecewise, Rational, erf, exp, log, sqrt, tanh

from dpbounds import Claim
from dpbounds.claims import Boxes, Search
from dpbounds.claims.evidence import replay
from dpbounds.claims.settling import settle
from dpbounds.claims.verdict import Verdict
from dpbounds.language.functions import GaussianRenyi, HockeyStick, RenyiDivergence, SampledGaussianRenyi
from dpbounds.language.symbols import bernoulli, family, index, integer, nonnegative, positive, positive_integer, real, sums_to_one

GAPS = [Rational(1, 10**3), Rational(1, 10**6), Rational(1, 10**9)]
BUDGET, TRIES = 120, 120

x, y, z, alpha = real("x y z alpha")
s, a = positive("s a")
q = nonnegative("q")
n, k = integer("n k")
third, half = Rational(1, 3), Rational(1, 2)


@dataclass(frozen=True)
class Case:
    """`small <= large` on the domain `given`, with equality (or a limit) where `place` says; `size` is the scale of the gap."""

    name: str
    place: str
    small: sympy.Expr
    large: sympy.Expr
    given: tuple
    size: sympy.Expr = sympy.S.One


def box(*sides):
    return tuple(bound for v, low, high in sides for bound in (v >= low, v <= high))


p, i, m = family("p"), index("i"), positive_integer("m")

CASES = [
    # interior
    Case("square", "interior", sympy.S.Zero, (x - third) ** 2, box((x, 0, 1))),
    Case("parabola", "interior", x * (1 - x), Rational(1, 4), box((x, 0, 1))),
    Case("tangent of exp", "interior", 1 + x - third, exp(x - third), box((x, -1, 1))),
    Case("tangent of log", "interior", log(x), log(third) + 3 * x - 1, box((x, Rational(1, 10), 1))),
    Case("entropy", "interior", -x * log(x) - (1 - x) * log(1 - x), log(2), box((x, Rational(1, 10), Rational(9, 10)))),
    Case("arithmetic and geometric mean", "interior", sqrt(x * y), (x + y) / 2, box((x, half, 2), (y, half, 2))),
    Case("Cauchy", "interior", 2 * x * y, x**2 + y**2, box((x, -1, 1), (y, -1, 1))),
    Case("saddle", "interior", x * y - x**2 - y**2, sympy.S.Zero, box((x, -1, 1), (y, -1, 1))),
    Case("bump", "interior", exp(-((x - third) ** 2)), sympy.S.One, box((x, -1, 1))),
    # edges
    Case("exp above its tangent", "edge", 1 + x, exp(x), box((x, 0, 1))),
    Case("log below its tangent", "edge", log(1 + x), x, box((x, 0, 1))),
    Case("square root", "edge", sqrt(1 + x), 1 + x / 2, box((x, 0, 1))),
    Case("third order", "edge", 1 + x + x**2 / 2, exp(x), box((x, 0, 1))),
    Case("odd from the left", "edge", exp(x), 1 + x + x**2 / 2, box((x, -1, 0))),
    Case("error function", "edge", erf(x), 2 * x / sqrt(sympy.pi), box((x, 0, 1))),
    Case("tanh", "edge", tanh(x), x, box((x, 0, 2))),
    Case("sampled Gaussian at q = 0", "edge", SampledGaussianRenyi(2, s, q), 2 * q**2 / s**2, (s >= 1, s <= 3, q <= 1 / (16 * s))),
    Case("sampled Gaussian at q = 1", "edge", SampledGaussianRenyi(3, 1, q), Rational(3, 2), (q <= 1,)),
    # corners
    Case("corner of a square", "corner", x + y, sympy.Integer(2), box((x, 0, 1), (y, 0, 1))),
    Case("corner of a simplex", "corner", x**2 + y**2 + z**2, sympy.S.One, (Eq(x + y + z, 1), x >= 0, y >= 0, z >= 0)),
    Case("Bernoulli", "corner", 1 + n * x, (1 + x) ** n, (x >= 0, x <= 1, n >= 1, n <= 5)),
    Case("product", "corner", x * y, x, box((x, 0, 1), (y, 0, 1))),
    Case("hockey stick", "corner", HockeyStick(x, bernoulli(y), bernoulli(half)), half, box((x, 0, 1), (y, 0, 1)), half),
    # unbounded
    Case("exponential decay", "unbounded", x * exp(-x), exp(-1), (x >= 0,), exp(-1)),
    Case("rational at infinity", "unbounded", x / (1 + x), sympy.S.One, (x >= 0,)),
    Case("Gaussian mechanism", "unbounded", GaussianRenyi(alpha, s), alpha / 2, (alpha > 1, s >= 1)),
    Case("two unbounded", "unbounded", 2 * x * y / (1 + x**2) / (1 + y**2), half, (x >= 0, y >= 0), half),
    # removable singularities and open ends
    Case("log over its argument", "removable", log(1 + a) / a, sympy.S.One, (a <= 1,)),
    Case("exp quotient", "removable", a, exp(a) - 1, (a <= 1,)),
    Case("alpha to 1", "removable", log(alpha) / (alpha - 1), sympy.S.One, (alpha > 1, alpha <= 2)),
    Case("difference quotient", "removable", (exp(alpha - 1) - 1) / (alpha - 1), exp(1) - 1, (alpha > 1, alpha <= 2)),
    Case("order to 1", "removable", half, SampledGaussianRenyi(alpha, 1, 1), (alpha > 1, alpha <= 2)),
    # min, max, absolute values, branches
    Case("maximum", "min/max", half, Max(x, 1 - x), box((x, 0, 1))),
    Case("minimum", "min/max", Min(x, 1 - x), half, box((x, 0, 1))),
    Case("modulus", "min/max", x, Abs(x), box((x, -1, 1))),
    Case("hinge", "min/max", Max(x, 0) * Max(-x, 0), sympy.S.Zero, box((x, -1, 1))),
    Case("branches", "min/max", Piecewise((x, x < third), (2 * third - x, True)), third, box((x, 0, 1))),
    # integers
    Case("powers of two", "integers", n + 1, 2**n, (n >= 1, n <= 30)),
    Case("triangular", "integers", n * (9 - n), sympy.Integer(20), (n >= 0, n <= 9)),
    Case("two integers", "integers", n * k, sympy.Integer(12), (n + k <= 7, n >= 0, k >= 0)),
    Case("integer and real", "integers", n * x - x**2, sympy.Rational(9, 4), (n >= 0, n <= 3, x >= 0, x <= 3)),
    # finite distributions
    Case("two points", "tables", RenyiDivergence(2, bernoulli(x), bernoulli(half)), log(2), box((x, 0, 1))),
    Case("same table", "tables", sympy.S.Zero, RenyiDivergence(2, bernoulli(x), bernoulli(third)), box((x, Rational(1, 10), 1))),
    Case("any distribution", "tables", sympy.Sum(p[i] ** 2, (i, 1, m)), sympy.S.One, (sums_to_one(p, (i, 1, m)),)),
]

SECONDS = 3
UNDECIDED_AT_MOST = {"true": 0.05, "false": 0.05}
_SEEN = Counter()


def claim_of(case, relaxed):
    return Claim(id="c", text="", given=case.given, then=sympy.Le(case.small, case.large + case.size * relaxed, evaluate=False))


def verdict_of(claim):
    """Boxes first, then the search, and all ways where neither says anything; certificates must survive replay."""
    verdicts = []
    for plan in (Boxes(budget=BUDGET), Search(tries=TRIES), None):
        if plan is None and verdicts:
            break
        outcome = settle(Claim(id="c", text="", given=claim.given, then=claim.then, by=plan), budget=None if plan else SECONDS)
        if outcome.verdict is not Verdict.UNDECIDED:
            assert replay.replay(outcome.certificate).verdict is outcome.verdict
            verdicts.append(outcome.verdict)
    assert len(set(verdicts)) <= 1, "boxes and search disagree"
    return verdicts[0] if verdicts else Verdict.UNDECIDED


LONG = {"two unbounded", "sampled Gaussian at q = 0"}


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name, marks=[pytest.mark.slow] if c.name in LONG else []) for c in CASES])
def test_near_misses_are_never_settled_wrongly(case):
    for gap in [sympy.S.Zero, *GAPS]:
        found = verdict_of(claim_of(case, gap))
        assert found.holds is not False, f"{case.name} relaxed by {gap} is true"
        _SEEN["true", found] += 1
    for gap in GAPS:
        found = verdict_of(claim_of(case, -gap))
        assert found.holds is not True, f"{case.name} tightened by {gap} is false"
        _SEEN["false", found] += 1


def test_strict_twins_of_tight_claims_are_not_certified():
    for case in CASES:
        if case.place not in ("unbounded", "removable"):
            strict = Claim(id="c", text="", given=case.given, then=sympy.Lt(case.small, case.large, evaluate=False), by=Boxes(budget=60))
            assert settle(strict).verdict.holds is not True, case.name


def test_the_suite_is_large_enough_and_few_are_left():
    assert len(CASES) * len(GAPS) >= 60
    assert {case.place for case in CASES} == {"interior", "edge", "corner", "unbounded", "removable", "min/max", "integers", "tables"}
    if not _SEEN:
        pytest.fail("run this file as a whole: the pairs above are counted here")
    for side, most in UNDECIDED_AT_MOST.items():
        total = sum(count for (kind, _), count in _SEEN.items() if kind == side)
        left = _SEEN[side, Verdict.UNDECIDED]
        print(f"{side} claims: {left} of {total} UNDECIDED ({100 * left / total:.0f} %)")
        assert left <= most * total
