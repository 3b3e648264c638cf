"""Statements about families, settled term by term."""

import pytest
import sympy
from sympy import Abs, Max, Rational, Sum, exp, log, sqrt

from dpbounds import Claim, Mutant, Search, Verdict, settle
from dpbounds.claims.boxes.terms import claims_of_terms
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.evidence.replay import replay
from dpbounds.descent.refusal import DescentRefused
from dpbounds.language.functions import HockeyStick, KLDivergence, RenyiMoment, Supremum
from dpbounds.language.symbols import family, index, nonnegative, positive, positive_integer, real, sums_to_one

i, n = index("i"), positive_integer("n")
p, q = family("p", "positive"), family("q", "positive")
a, b = family("a"), family("b")
epsilon = nonnegative("epsilon")
over = (i, 1, n)
laws, weak = [sums_to_one(p, over), sums_to_one(q, over)], [sums_to_one(a, over), sums_to_one(b, over)]
delta = HockeyStick(epsilon, a[i], b[i], over)
affinity = Sum(sqrt(p[i] * q[i]), over)
kl, chi, moment = KLDivergence(a[i], b[i], over), RenyiMoment(2, a[i], b[i], over), RenyiMoment(real("alpha"), a[i], b[i], over)

CASES = [
    ("positive-parts", [], Sum(Max(a[i] - 1, 0), over) <= Sum(a[i], over), Sum(Max(2 * a[i] - 1, 0), over) <= Sum(a[i], over)),
    ("delta-at-most-one", weak, delta <= 1, delta <= Rational(1, 2)),
    ("gibbs", laws, KLDivergence(p[i], q[i], over) >= 0, KLDivergence(p[i], q[i], over) >= Rational(1, 100)),
    ("chi-square", laws, Sum(p[i] ** 2 / q[i], over) >= 1, Sum(p[i] ** 2 / q[i], over) >= 1 + Rational(1, 100)),
    ("distance", weak, Sum(Abs(a[i] - b[i]), over) <= 2, Sum(Abs(a[i] - b[i]), over) <= 1),
    ("affinity", laws, affinity <= 1, affinity <= Rational(9, 10)),
    ("divergence-affinity", laws, KLDivergence(p[i], q[i], over) >= 2 - 2 * affinity, KLDivergence(p[i], q[i], over) >= 5 - 5 * affinity),
    ("gibbs-with-masses-0", weak, kl >= 0, kl >= Rational(1, 1000)),
    ("both-infinite", weak, kl <= chi - 1, kl <= (chi - 1) / 2),
    ("a-quarter-of-the-moment", weak, delta <= chi / 4, delta <= chi / 5),
    ("every-order", [*weak, real("alpha") > 1], moment >= 1, moment >= Rational(101, 100)),
    ("collisions", [weak[0]], Sum(a[i] ** 2, over) >= 1 / n, Sum(a[i] ** 2, over) >= Rational(101, 100) / n),
    ("roots", [weak[0]], Sum(sqrt(a[i]), over) <= sqrt(n), Sum(sqrt(a[i]), over) <= Rational(99, 100) * sqrt(n)),
    ("entropy", [laws[0]], Sum(p[i] * log(p[i]), over) >= -log(n), Sum(p[i] * log(p[i]), over) >= -Rational(99, 100) * log(n)),
    ("far-from-uniform", [weak[0]], KLDivergence(a[i], 1 / n, over) <= log(n), KLDivergence(a[i], 1 / n, over) <= log(n) / 2),
]


@pytest.mark.parametrize(("name", "given", "then", "false"), CASES, ids=[row[0] for row in CASES])
def test_a_statement_and_its_false_twin(name, given, then, false):
    claim = Claim(id=name, text="", given=given, then=then, mutant=Mutant(false, by=Search(tries=300)))
    outcome = settle(claim, budget=10)
    assert (outcome.verdict, outcome.mutant.verdict) == (Verdict.CERTIFIED, Verdict.REFUTED), outcome.detail
    assert replay(outcome.certificate, claim).verdict is Verdict.CERTIFIED
    with pytest.raises(Exception, match="statement"):
        replay({**outcome.certificate, "claim": f"{name}~mutant"}, claim.twin(claim.mutant))


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ([], delta <= 1),
        ([sums_to_one(a, (i, 1, 3)), sums_to_one(b, over)], Sum(a[i], over) <= 1),
        ([sums_to_one(a, over)], Sum(a[i] ** 2, over) <= Rational(1, 2)),
        ([sums_to_one(a, over)], KLDivergence(a[i], b[i], over) >= -10),
        ([], Sum(log(p[i]), over) <= Sum(p[i], over) - n - 1),
    ],
    ids=str,
)
def test_what_the_terms_do_not_show_is_not_certified(given, then):
    assert certificate_of(Claim(id="a", text="", given=given, then=then), 0.5) is None


@pytest.mark.parametrize(
    "then",
    [
        Sum(i * a[i], over) >= 0,
        Sum(a[i], over) >= Sum(a[i], (i, 1, 2)),
        Sum(a[i], over) * Sum(b[i], over) >= 0,
        exp(Sum(a[i], over)) >= 1,
        sympy.Eq(Sum(a[i], over), 1),
        Sum(a[i], (i, 2, n)) >= 0,
        HockeyStick(0, family("r", "real")[i], a[i], over) >= 0,
    ],
    ids=str,
)
def test_statements_that_are_not_term_by_term_are_refused(then):
    with pytest.raises(DescentRefused):
        list(claims_of_terms(Claim(id="a", text="", then=then)))


y, rate = real("y"), nonnegative("w")
unwritten = Sum(sympy.Mul(a[i], 1 / a[i], b[i], evaluate=False), over)  # no value where a[i] = 0
size = Abs(log(y))


@pytest.mark.parametrize(
    ("given", "then"),
    [
        (weak, HockeyStick(log(rate), a[i], b[i], over) <= 1),  # log 0; e^{log w} is w
        (weak, HockeyStick(log(y), a[i], b[i], over) <= 2 + y**2),
        (weak, HockeyStick(-sympy.oo, a[i], b[i], over) <= 1),
        (weak, HockeyStick(0, a[i] + size, b[i] + size, over) <= 1),  # gone from a − b
        (weak, KLDivergence(size * a[i], size * a[i], over) <= 1),
        ([rate <= 1], log(rate) * KLDivergence(rate * p[i], p[i], over) >= 0),  # log 0 times a divergence that is 0
        ([], unwritten <= Sum(2 * b[i], over)),
        ([], Sum(sympy.Mul(b[i], sympy.Add(log(a[i]), -log(a[i]), evaluate=False), evaluate=False), over) <= Sum(b[i], over)),
    ],
    ids=str,
)
def test_no_value_is_lost_with_what_cancels(given, then):
    assert certificate_of(Claim(id="a", text="", given=given, then=then), 0.5) is None


def test_an_entry_has_no_name_that_is_bound_within_a_term():
    """sup over t of t − a[i] is 1 − a[i]; were t called as the entry is, it would be 0."""
    t = sympy.Symbol("a_term", nonnegative=True)
    then = Sum(Supremum(t - a[i], (t, 0, 1)), over) <= Sum(b[i], over)
    with pytest.raises(DescentRefused, match="taken"):
        list(claims_of_terms(Claim(id="a", text="", then=then)))


room = Sum(1 + b[i], over)


@pytest.mark.parametrize(
    ("given", "then", "holds"),
    [
        (weak, kl <= chi + room, True),
        (weak, kl < chi + room, False),  # not ∞ < ∞
        (weak, kl >= Sum(-(a[i] ** 2) / b[i], over), False),  # has no value where b[i] = 0
        (weak, kl + Sum(a[i] ** 2 / b[i], over) >= 0, False),
        (weak, kl - KLDivergence(b[i], a[i], over) >= -chi - 1, False),  # ∞ − ∞
        (weak, positive("r") * kl >= Sum(positive("r") * (a[i] - b[i]), over), True),
        (weak, nonnegative("r") * kl >= Sum(nonnegative("r") * (a[i] - b[i]), over), False),  # 0·∞
        ([*weak, real("alpha") >= 1], moment >= 1, False),
        ([weak[0]], kl >= 0, False),
    ],
    ids=["weak", "strict", "smaller-side", "beside", "difference", "positive-factor", "factor-0", "order-1", "one-law"],
)
def test_a_divergence_that_may_be_infinite_counts_on_the_larger_side_only(given, then, holds):
    assert (certificate_of(Claim(id="a", text="", given=given, then=then), 2) is not None) is holds


def test_masses_that_are_mixtures_are_shown_to_be_masses():
    then = HockeyStick(epsilon, (a[i] + b[i]) / 2, b[i], over) <= 1
    assert certificate_of(Claim(id="a", text="", given=weak, then=then), 3) is not None
