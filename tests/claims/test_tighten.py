"""The best constant of a claim: both ends are settled claims, and the known constant lies between them."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
from sympy import Rational, exp, log

from dpbounds import Claim, InputError, Verdict, settle, tighten
from dpbounds.claims.brackets import with_constant
from dpbounds.claims.evidence.replay import replay
from dpbounds.language.functions import NormalCDF
from dpbounds.language.symbols import integer, nonnegative, positive, real

C = real("C")
x, gamma, epsilon = nonnegative("x gamma epsilon")
AMPLIFICATION = Claim(
    id="amplification", text="", given=[gamma <= 1, epsilon <= 1], then=log(1 + gamma * (exp(epsilon) - 1)) <= C * gamma * epsilon
)
KNOWN = [
    (AMPLIFICATION, sympy.E - 1, "least"),
    (Claim(id="parabola", text="", given=[x <= 1], then=x * (1 - x) <= C), Rational(1, 4), "least"),
    (
        Claim(id="entropy", text="", given=[x > 0, x < 1], then=-x * log(x) - (1 - x) * log(1 - x) >= C * x * (1 - x)),
        4 * log(2),
        "greatest",
    ),
    (Claim(id="second-order", text="", then=exp(x) >= 1 + x + C * x**2), Rational(1, 2), "greatest"),
    (Claim(id="half", text="", then=sympy.And(NormalCDF(x) >= C, x >= 0, evaluate=False)), Rational(1, 2), "greatest"),
]


@pytest.mark.parametrize(("claim", "best", "side"), KNOWN, ids=[row[0].id for row in KNOWN])
def test_known_constants(claim, best, side):
    bracket = tighten(claim, C, digits=3, budget=5)
    low, high = bracket.ends
    assert bracket.side == side and bracket.monotone.verdict.holds is True
    assert low <= best <= high and high - low <= Fraction(1, 100)
    assert bracket.holds.outcome.verdict is Verdict.CERTIFIED and bracket.fails.outcome.verdict is Verdict.REFUTED


def test_both_ends_survive_replay_as_a_claim_and_its_mutant():
    bracket = tighten(AMPLIFICATION, "C", digits=4, budget=5)
    claim = bracket.as_claim
    assert claim.id == "amplification.tight" and bracket.ends == (Fraction("1.718"), Fraction("1.719"))
    good, far = bracket.certificates
    assert replay(good, claim).verdict is Verdict.CERTIFIED
    assert replay(far, claim.twin(claim.mutant)).verdict is Verdict.REFUTED
    assert settle(claim, budget=5).mutant.verdict is Verdict.REFUTED


def test_a_bound_that_no_constant_saves_has_one_end_only():
    bracket = tighten(replace(AMPLIFICATION, given=[gamma <= 1]), C, budget=2)
    assert bracket.holds is None and bracket.ends[1] is None and bracket.fails.outcome.verdict is Verdict.REFUTED
    with pytest.raises(InputError, match="only one end"):
        _ = bracket.as_claim


def test_a_side_that_is_not_clear_must_be_declared():
    claim = Claim(id="both", text="", given=[x <= 1], then=x + 1 >= (C - 1) ** 2)
    with pytest.raises(InputError, match="--least or --greatest"):
        tighten(claim, C, budget=1)
    bracket = tighten(claim, C, side="least", digits=2, budget=2)
    assert bracket.monotone is None


def test_a_constant_in_the_premises():
    claim = Claim(id="range", text="", given=[x <= C], then=x**2 <= 2)
    bracket = tighten(claim, C, side="greatest", digits=3, budget=3)
    assert bracket.ends[0] <= sympy.sqrt(2) <= bracket.ends[1] and bracket.ends[1] - bracket.ends[0] <= Fraction(1, 100)


@pytest.mark.parametrize(
    ("constant", "options", "words"),
    [("D", {}, "no constant 'D'"), ("n", {}, "integer"), ("C", {"digits": 0}, "digits"), ("C", {"side": "up"}, "side")],
)
def test_what_is_no_constant_is_refused(constant, options, words):
    claim = Claim(id="a", text="", then=x <= C + integer("n"))
    with pytest.raises(InputError, match=words):
        tighten(claim, constant, **options)


def test_strict_statements_have_the_same_ends():
    y = positive("y")
    bracket = tighten(Claim(id="strict", text="", then=log(1 + y) < C * y), C, digits=2, budget=3)
    low, high = bracket.ends
    assert low < 1 <= high and bracket.fails.outcome.verdict is Verdict.REFUTED


def test_a_pair_of_constants_is_a_claim_with_its_mutant():
    claim = with_constant(AMPLIFICATION, C, holds="1.8", fails="1.7")
    assert C not in claim.variables and settle(claim, budget=5).mutant.verdict is Verdict.REFUTED
