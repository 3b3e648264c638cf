"""Every UNDECIDED ends with the next thing to try, chosen for the claim."""

from types import SimpleNamespace

import pytest
from sympy import Eq, Le, Max, Rational, Sum, Tuple, binomial, exp, log, oo, sqrt, symbols

from benchmarks.lemmas.advised import followed
from dpbounds import Boxes, Claim, Counterexample, Proof, Search, Verdict, notation, settle
from dpbounds.claims.boxes import advice
from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.claims.boxes.narrower import narrower, smaller_first
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.language.functions import GaussianDelta, HockeyStick, RenyiDivergence
from dpbounds.language.symbols import family, index, positive, positive_integer, real, sums_to_one
from dpbounds.prover import rules

j = index("j")
x, y, q = real("x y q")
k, alpha = positive_integer("k"), positive("alpha")
P, Q = Tuple(Rational(1, 2), Rational(1, 2)), Tuple(Rational(1, 3), Rational(2, 3))
UNIT = [x >= 0, x <= 1]
masses, others = family("p"), family("q")
TABLES = Tuple(Rational(1, 2), Rational(1, 2)), Tuple(Rational(1, 4), Rational(3, 4))
MANY = symbols("a1:6", real=True)
TIE = (1 - q) ** k >= 1 - k * q
SAME = Le(log(exp(x) + exp(2 * x)) * (1 + x**2), (x + log(1 + exp(x))) * (1 + x**2), evaluate=False)


@pytest.mark.parametrize(
    ("given", "then", "by", "stuck", "step"),
    [
        ([k <= 100, q >= 0, q <= 1], TIE, Boxes(budget=4000), "a tie: the sides meet at k = 1", "divide both sides by the factor"),
        (UNIT, SAME, Boxes(budget=20), "agree to 30 digits", "state it as an equality"),
        (
            [alpha >= 1, alpha <= 2],
            RenyiDivergence(alpha, P, Q) <= 1,
            Boxes(),
            "alpha = 1: it needs alpha > 1",
            "add the premise alpha > 1",
        ),
        (
            UNIT,
            RenyiDivergence(1, P, Q) <= 1 + x,
            Boxes(),
            "undefined at order 1; use an order > 1, or KLDivergence",
            "add the missing condition",
        ),
        (UNIT, x / (exp(x) - 1) <= 1, Boxes(budget=200), "no value at x = 0", "exclude x = 0"),
        ([], sum(MANY) ** 2 <= 5 * sum(a**2 for a in MANY), Boxes(), "5 variables", "too many variables"),
        ([], exp(x) + exp(-x) <= 2 * exp(x**2 / 2), Boxes(budget=300), "the range of x is not bounded", "put x = 1/u"),
        (UNIT, Eq(exp(x), exp(y), evaluate=False), Boxes(), "not Equality", "an equality takes a derivation"),
        (
            [],
            Sum(1 / j, (j, 1, k)) <= 1 + log(k),
            Boxes(budget=300),
            "the budget of 300 boxes",
            "leave the evidence out, then an induction is tried",
        ),
        ([x >= 0], exp(-x) <= exp(-x / 2) / (1 + x / 4), Boxes(budget=300), "the sides approach each other as x grows", "x = 1/u"),
        (
            [*UNIT, y >= 0, y <= 1],
            (x - y) * log((1 + x) / (1 + y)) >= (x - y) ** 2 / 2,
            Boxes(budget=60),
            "the sides meet along x = y",
            "put y = x + u",
        ),
        (UNIT, x <= 0, Proof(lambda proof: rules.nonnegative(-x)), "has no proof document", "help(dpbounds.prover.rules)"),
        (UNIT, x <= 1, Counterexample({x: 1}), "", "the evidence Boxes()"),
        (UNIT, x <= 1, Search(tries=5), "no counterexample", "Search(tries"),
        ([], HockeyStick(oo, masses[j], others[j], (j, 1, k)) <= 1, None, "HockeyStick has no value at infinity", ""),
        ([], HockeyStick(oo, *TABLES) <= 1, None, "HockeyStick has no value at infinity", ""),
        ([], GaussianDelta(-oo, x) <= 1, None, "GaussianDelta has no value at infinity", ""),
        ([], binomial(k, -1) <= 0, None, "binomial(n, -1)", "evaluate=False"),
        (UNIT, Le(Rational(1, 2), 1), None, "write numbers as Rational(1, 2)", "evaluate=False"),
    ],
)
def test_the_next_thing_to_try(given, then, by, stuck, step):
    found = settle(Claim(id="c", text="", given=given, then=then, by=by), budget=3, contained=True)
    assert found.verdict is Verdict.UNDECIDED
    if not found.bad_input:
        assert stuck in "\n".join([found.detail, *found.left]) and step in found.next_step
    else:
        assert stuck in found.detail


def test_boxes_at_an_end_show_their_distance_to_it():
    then = sqrt(1 - x) * exp(y) >= sqrt(1 - x) * (1 + y)
    found = settle(Claim(id="c", text="", given=[*UNIT, y >= 0, y <= 1], then=then, by=Boxes(budget=3000)))
    boxes = [line for line in found.left if line.startswith("  x")]
    assert len(boxes) == len(set(boxes)) > 0 and not any("[1, 1]" in line for line in boxes)
    assert any("below 1" in line and "above 0" in line for line in boxes)


def test_what_is_settled_needs_no_advice():
    assert settle(Claim(id="c", text="", given=UNIT, then=x <= 1)).next_step == ""


def test_order_1_is_named():
    found = settle(Claim(id="c", text="", given=UNIT, then=RenyiDivergence(1, P, Q) <= 1 + x))
    assert "False" not in found.detail and "order > 1" in found.detail


def test_an_order_below_1_is_bad_input():
    found = settle(Claim(id="c", text="", given=UNIT, then=RenyiDivergence(Rational(1, 2), P, Q) <= 1 + x))
    assert found.verdict is Verdict.UNDECIDED and found.bad_input and "write order 1/2 out" in found.detail


@pytest.mark.parametrize(
    "value", [notation.gamma(-1), notation.factorial(-1), notation.log(0), notation.NormalQuantile(2), notation.NormalQuantile(0)], ids=str
)
def test_a_number_without_a_value_is_named(value):
    found = settle(Claim(id="c", given=[notation.real("x") >= 0], then=value <= notation.real("x")), budget=5)
    assert found.verdict is Verdict.UNDECIDED and f"{value} is undefined" in found.detail


def test_a_place_without_a_value_is_found_before_a_cover():
    """At α = 1 the divergence has no value; that refutes nothing, and a counterexample elsewhere still does."""
    found = settle(Claim(id="c", text="", given=[alpha <= 2], then=RenyiDivergence(alpha, P, Q) <= 1), budget=10)
    assert found.verdict is Verdict.UNDECIDED and "no value at alpha" in found.detail and "it needs alpha > 1" in found.detail
    wrong = settle(Claim(id="c", text="", given=[alpha <= 2], then=RenyiDivergence(alpha, P, Q) <= Rational(1, 100)), budget=10)
    assert wrong.verdict is Verdict.REFUTED


def test_a_logarithm_with_a_base_is_bad_input():
    found = settle(Claim(id="c", text="", given=UNIT, then=log(1 + x, 2, evaluate=False) <= 2 * x), budget=5, contained=True)
    assert found.bad_input and "write log(x)/log(b)" in found.detail and len(found.detail.splitlines()) == 1


def test_a_maximum_inside_of_a_sum_is_no_error():
    """Max(j, 2) speaks of the index of the sum: there is no case for the whole statement."""
    own = Claim(id="c", text="", then=Sum(Max(j, 2), (j, 1, k)) <= k * (k + 1))
    assert len(problems_of(own)) == 1 and certificate_of(own, 0.5) is None


def test_masses_that_need_not_sum_to_one():
    then = HockeyStick(alpha, masses[j], others[j], (j, 1, k)) <= 1
    refuted = settle(Claim(id="a", text="", then=then), budget=5)
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.next_step.startswith("p, q: without a premise")
    known = Claim(id="a", text="", given=[sums_to_one(masses, (j, 1, k)), sums_to_one(others, (j, 1, k))], then=then)
    assert advice.forgotten(known) == ""
    assert advice.forgotten(Claim(id="a", text="", then=x <= 1)) == ""


def test_the_logarithm_of_a_mass_that_may_be_0():
    given = [sums_to_one(masses, (j, 1, k))]
    claim = Claim(id="a", text="", given=given, then=-Sum(masses[j] * log(masses[j]), (j, 1, k)) <= log(k))
    step = settle(claim, budget=1).next_step
    assert "log(p[i]) has no value" in step and 'family("p", "positive")' in step


def test_the_step_from_a_tie_has_a_name_of_its_own(monkeypatch):
    """It said "put v = u + u" of a claim with a variable u."""
    u, v = positive("u v")
    found = SimpleNamespace(reason="", variables=[u, v], leftovers=[None])
    monkeypatch.setattr(advice, "_inner_point", lambda *_: None)
    monkeypatch.setattr(advice, "_diagonal", lambda *_: ("u", "v"))
    _, step = advice.diagnosis(Claim(id="t", text="", given=(u >= v,), then=u >= v), found)
    assert step.startswith("put v = u + d with d >= 0")


@pytest.mark.parametrize(
    ("given", "then", "step"),
    [
        ([], (1 + x) ** 2 <= exp(y), "state it for y = 2 first"),
        ([x >= 0, y > 0, y <= 1], x**y <= 1 + x, "state it for y = 1/2 first"),
        ([k >= 3], (1 + Rational(1, 3)) ** k >= 1 + k * x, "state it for k = 5 first"),
        ([], log(1 + k) <= k, "state it for k <= 20 first"),
        (UNIT, exp(x) >= 1 + x, "state it for 1/8 <= x <= 3/8 first"),
        ([x >= 0, x <= Rational(1, 1000)], exp(x) >= 1 + x, ""),
    ],
)
def test_a_narrower_statement(given, then, step):
    """It is a claim of which the first is no more than a case: the value lies inside of the range."""
    found = narrower(Claim(id="n", text="", given=given, then=then))
    assert found.startswith(step) and bool(found) == bool(step)


def test_a_case_is_named_before_another_form_of_the_whole_claim():
    claim = Claim(id="c", text="", given=[x >= 0], then=exp(x) >= 1 + x)
    case = "state it for 1/2 <= x <= 2 first, away from the ends of its range"
    assert smaller_first(claim, "put x = 1/u") == f"{case}; for all of it put x = 1/u"
    assert smaller_first(claim, "add the premise x > 0") == "add the premise x > 0"
    two = Claim(id="c", text="", given=[x >= 0, q > 0, q < 1], then=exp(x * q) >= 1 + x * q)
    step = smaller_first(two, "put x = 1/u")
    assert step == "state it for x = 2 first, one variable less, and where 1/8 <= q <= 3/8; for all of it put x = 1/u"
    found = followed(two, step)
    assert found.then == (exp(2 * q) >= 1 + 2 * q) and {q >= Rational(1, 8), q <= Rational(3, 8)} <= set(found.given)
    laws = Claim(id="c", text="", given=[sums_to_one(masses, (j, 1, k))], then=Sum(masses[j] ** 2, (j, 1, k)) <= 1)
    assert smaller_first(laws, "a sum of k terms") == "a sum of k terms"
    assert "state it for two outcomes first, (p1, 1 - p1) for p" in advice._general(laws, "")


@pytest.mark.parametrize(
    ("step", "given", "then"),
    [
        ("state it for k = 2 first, one variable less; or more boxes", [q >= 0], 2 * q <= q + 2),
        ("state it for k <= 20 first", [q >= 0, k <= 20], k * q <= q + k),
        ("state it for 1/8 <= q <= 3/8 first, away from", [q >= 0, q >= Rational(1, 8), q <= Rational(3, 8)], k * q <= q + k),
        ("multiply by it, or state it where q is at least 1/1000 from 0 first", [q >= 0, q >= Rational(1, 1000)], k * q <= q + k),
        ("a sum; boxes settle it up to a number, such as k <= 100", [q >= 0, k <= 100], k * q <= q + k),
        ("add the premise q > 0, or exclude q = 0", [q >= 0, q > 0], k * q <= q + k),
    ],
)
def test_advice_that_is_taken_literally(step, given, then):
    """What `python -m benchmarks.lemmas.advised` states and settles."""
    found = followed(Claim(id="c", text="", given=[q >= 0], then=k * q <= q + k), step)
    assert (list(found.given), found.then) == (given, then)


def test_two_outcomes_are_taken_literally():
    claim = Claim(id="c", text="", given=[sums_to_one(masses, (j, 1, k))], then=Sum(masses[j] ** 2, (j, 1, k)) <= 1)
    found = followed(claim, advice._general(claim, ""))
    assert not found.families and settle(found, budget=5).verdict is Verdict.CERTIFIED
    assert followed(claim, "this is a defect of dpbounds") is None
