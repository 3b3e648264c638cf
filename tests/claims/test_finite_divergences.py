"""Divergences of laws with zeros: when a statement in finite terms says what the claim says."""

import itertools
from fractions import Fraction

import pytest
import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.compiled import written
from dpbounds.claims.evidence.documents import proves
from dpbounds.claims.evidence.finite_divergences import in_finite_terms
from dpbounds.claims.statement import instance
from dpbounds.claims.statement.infinite_divergences import where_finite
from dpbounds.kernel.checker import Statement
from dpbounds.kernel.definedness import obligations
from dpbounds.kernel.notation import show
from dpbounds.kernel.sequents import Sequent
from dpbounds.language.typed.checker_terms import TypedReading, reading
from dpbounds.notation import *

n, i = positive_integer("n"), index("i")
P, Q = laws("P Q", (i, 1, n))
W = laws("W", (i, 1, n), "positive")
alpha, c = positive("alpha c")
r = nonnegative("r")
m, j, x, u = integer("m"), index("j"), real("x"), family("u")
absent = (P[1] > 0, Q[1] <= 0)  # then kl is ∞, and what asks for masses of q has premises that contradict each other
kl = KLDivergence(P, Q)


def proves_nothing_more(claim):
    """Whether a document that has what may be assumed of finite divergences as a premise does not show a claim."""
    finite = in_finite_terms(claim)
    if len(finite.given) == len(claim.given):
        return True
    found = reading(TypedReading(absent=True), *finite.terms)
    shown = tuple(Sequent(frozenset(found.given), o) for part in (*found.given, found.claim) for o in obligations(part))
    return not proves(Statement("a", tuple(found.given), found.claim, frozenset(), 1, shown), claim)


def said(then, *given):
    """A claim about two laws."""
    return Claim(id="said", text="", given=[P, Q, *given], then=then)


@pytest.mark.parametrize("then", [kl >= 0, c * kl + 1 >= 0, sqrt(2 * kl) >= 0, exp(kl) >= 1, kl <= RenyiMoment(2, P, Q)])
def test_larger_sides_ask_for_masses_of_q(then):
    claim = said(then)
    finite = in_finite_terms(claim)
    assert len(finite.given) == len(claim.given) + 1
    assert finite.then.has(sympy.Piecewise)
    assumed, _ = where_finite(TypedReading(absent=True), claim.conclusion)
    assert {show(f) for f in assumed} == {"allZ(_0, imp(1 <= _0, imp(_0 <= n, imp(0 < P(_0), 0 < Q(_0)))))"}


@pytest.mark.parametrize(
    "claim",
    [
        said(kl > 0),  # strict: ∞ < ∞ is false
        said(1 - kl >= 0),  # a negative factor
        said(1 - exp(-kl) >= 0),  # finite where the divergence is not
        said(r * kl >= 0),  # 0·∞
        said(kl + log(r) >= log(r)),  # what may have no value beside it
        said(sqrt(kl) + KLDivergence(Q, P) >= 0),  # a root beside another divergence
        said(kl >= Sum(u[j], (j, 1, m)), *absent),  # a sum that has no value at m = −5
        said(kl >= HockeyStick(0, u[j], u[j], (j, 1, m)), *absent),
        said(kl >= KLDivergence(P[j], u[j], (j, 1, m)), *absent),
        said(kl + KLDivergence(P[j], u[j], (j, 1, m)) >= 0, *absent),
        said(kl - HockeyStick(0, exp(x), exp(-x), (x, -oo, oo)) >= 0, *absent),  # ∞ − ∞
        said(RenyiMoment(alpha, P, Q) >= 1),  # an order that may be below 1
        Claim(id="free", text="", given=[], then=RenyiDivergence(2, P, Q) >= -1),  # a law that may have no mass
        Claim(id="given", text="", given=[P, Q, kl <= 1], then=kl <= 2),  # a premise that may be infinite
    ],
)
def test_nothing_is_assumed_of_others(claim):
    """Whatever a document proves of the sums, the claim does not follow."""
    assert proves_nothing_more(claim)
    assert written(claim, 0.5).statement is None


NOT_ASSUMED = [
    *(kl < c, c > kl, kl > 0, Eq(kl, 1), Ne(kl, 1), Not(kl <= 0), And(kl >= 0, kl <= c), Or(kl >= 0, c <= 0)),  # ∞ < ∞ is false
    *(
        kl ** (-1) >= 0,
        1 / kl >= 0,
        kl**x >= 0,
        x**kl >= 0,
        2**kl >= 1,
        log(kl) >= -1,
        Min(kl, c) >= 0,
        tanh(kl) >= 0,
    ),  # finite where kl is not
    *(
        kl + sqrt(kl) >= 0,
        sqrt(kl + c) >= 0,
        kl * kl >= 0,
        sqrt(sqrt(kl)) >= 0,
        Sum(kl * j, (j, 1, m)) >= 0,
        sqrt(kl) <= RenyiMoment(2, P, Q),
    ),
]


@pytest.mark.parametrize("then", NOT_ASSUMED, ids=str)
def test_nothing_is_assumed_where_an_infinite_divergence_may_be_compared_otherwise(then):
    """Whatever is proposed: the larger side must be ∞ where one of its divergences is."""
    assert where_finite(TypedReading(absent=True), said(then).conclusion) is None


@pytest.mark.parametrize("then", [kl <= 1, -kl <= 0, kl <= 1 / (1 + r), log(r) + kl <= 1, exp(-kl) <= 1])
def test_divergences_of_smaller_sides_must_be_finite(then):
    """Nothing is assumed of the masses, so no document shows that there is a value."""
    claim = said(then)
    assert in_finite_terms(claim).given == claim.given and in_finite_terms(claim).then.has(sympy.Piecewise)
    assert written(claim, 0.4).statement is None


def test_a_smaller_side_that_is_finite_by_a_premise():
    claim = said(kl <= log(2), for_each((i, 1, n), Q[i] >= P[i] / 2))
    assert written(claim, 2.0).statement is not None
    assert written(said(kl <= log(2), for_each((i, 2, n), Q[i] >= P[i] / 2)), 0.4).statement is None


def test_no_premise_where_q_is_positive():
    claim = Claim(id="sure", text="", given=[P, W], then=1 - exp(-KLDivergence(P, W)) <= 1)
    finite = in_finite_terms(claim)
    assert len(finite.given) == len(claim.given) and finite.then.has(sympy.Piecewise)


def test_finite_terms_have_the_value_of_the_divergence():
    laws_of_two = [(Fraction(a, 4), 1 - Fraction(a, 4)) for a in range(5)]
    for then in (kl >= 0, RenyiMoment(2, P, Q) >= 1):
        claim, finite = said(then), in_finite_terms(said(then))
        bases = {str(base.label): base for base in claim.families}
        size = next(v for v in claim.variables if str(v) == "n")
        for p, q in itertools.product(laws_of_two, repeat=2):
            point = {size: sympy.Integer(2)} | {bases[name]: tuple(map(sympy.Rational, values)) for name, values in (("P", p), ("Q", q))}
            if all(b > 0 for a, b in zip(p, q, strict=True) if a > 0):
                sides = [instance.instantiate(part.then.gts, point) for part in (claim, finite)]
                assert sympy.simplify(sides[0].doit() - sides[1].doit()) == 0 or instance.exactly_equal(*sides)


v, w = family("v", "real"), family("w", "real")


@pytest.mark.parametrize(
    "then",
    [
        HockeyStick(0, v[i], w[i], (i, 1, n)) <= Sum(Abs(v[i] - w[i]), (i, 1, n)),
        LossTail(1, v[i], v[i], (i, 1, n)) <= Sum(Max(v[i], 0), (i, 1, n)),
        HockeyStick(0, x * u[i], u[i], (i, 1, n)) <= Sum(Abs(x * u[i] - u[i]), (i, 1, n)),
        HockeyStick(0, u[i] - P[i], P[i], (i, 1, n)) <= Sum(u[i], (i, 1, n)),
    ],
)
def test_what_may_be_negative_has_no_divergence(then):
    """The sum that defines it has a value, and a document that the proof checker accepts."""
    assert written(Claim(id="negative", text="", then=then), 0.5).statement is None


def test_only_what_is_larger_may_be_infinite():
    """Of D(P ‖ Q) ≤ D(Q ‖ P) it may be assumed that P > 0 where Q > 0, and no more: the left side may be infinite alone."""
    read = TypedReading(absent=True)
    assumed, _ = where_finite(read, KLDivergence(P, Q) <= KLDivergence(Q, P))
    assert list(map(show, assumed)) == ["allZ(_0, imp(1 <= _0, imp(_0 <= n, imp(0 < Q(_0), 0 < P(_0)))))"]
