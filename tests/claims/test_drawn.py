"""Random statements of every kind against their values at points; and the values themselves, and that a wrong verdict is noticed."""

from dataclasses import replace
from fractions import Fraction
from math import exp as exponential
from math import log as logarithm
from pathlib import Path

import pytest

from benchmarks.drawn.__main__ import RECORD, main, recorded, verdict_of
from benchmarks.drawn.judge import complaint, violation
from benchmarks.drawn.kinds import KINDS, Drawn, drawn
from benchmarks.drawn.values import Undefined, truth, value
from dpbounds import Verdict, settle
from dpbounds.notation import *

x, e = real("x"), nonnegative("e")
i, n = index("i"), positive_integer("n")
p, o = laws("p o", (i, 1, n))
AT = {"n": 3, "p": (Fraction(1, 2), Fraction(1, 2), 0), "o": (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)), "e": Fraction(1, 2)}


@pytest.mark.parametrize(
    ("term", "number"),
    [
        (HockeyStick(e, p, o), 0.5 - exponential(0.5) / 4),
        (KLDivergence(p, o), logarithm(2) / 2),
        (RenyiDivergence(2, p, o), logarithm(1.5)),
        (LossTail(e, p, o), 0.5),
        (Sum(Abs(p[i] - o[i]), (i, 1, n)), 0.5),
        (Sum(1 / i**2, (i, 1, oo)), 3.141592653589793**2 / 6),
        (Integral(exp(-x * x), (x, 0, oo)), 3.141592653589793**0.5 / 2),
        (Supremum(x * exp(-x), (x, 0, oo)), exponential(-1)),
        (GaussianDelta(e, 1), 0.5 - 0.1586553 * exponential(0.5)),
        (Piecewise((e, e > 1), (2, e <= 1)), 2),
    ],
)
def test_values_are_those_of_the_definitions(term, number):
    assert number * 0.999 <= float(value(term, AT)) <= number * 1.001


@pytest.mark.parametrize("term", [log(x), 1 / x, sqrt(x - 1), NormalQuantile(x), Sum(i, (i, 1, x - 2))])
def test_what_has_no_value_says_so(term):
    with pytest.raises(Undefined):
        value(term, {"x": 0})


def test_a_tie_is_neither_true_nor_false():
    assert truth(exp(x) >= 1 + x, {"x": 0}) is None
    assert truth(exp(x) >= 1 + x, {"x": Fraction(1, 10**9)}) is True
    assert truth(exp(x) <= 1 + x, {"x": Fraction(1, 10**9)}) is False
    assert truth(NormalCDF(-2 * x) <= 1 - NormalCDF(x) ** 2, {"x": 63}) is None  # 0 to 864 digits


def test_a_wrong_verdict_is_noticed():
    """A false statement that is said to hold, a counterexample outside of the domain, and one where the statement holds."""
    false = Drawn(
        "scalars", Claim(id="f", text="", given=[x >= 0, x <= 1], then=exp(x) <= 1 + x + x**2 / 2), lambda rng: {"x": rng.random()}
    )
    refuted = settle(false.claim)
    assert refuted.verdict is Verdict.REFUTED and complaint(false, refuted) == ""
    assert "fails at" in complaint(false, replace(refuted, verdict=Verdict.CERTIFIED))
    for point, said in (("Integer(2)", "outside of the domain"), ("Integer(0)", ""), ("Rational(-1, 2)", "outside of the domain")):
        assert said in complaint(false, replace(refuted, certificate={"evidence": {"point": {"x": point}}}))
    true = replace(false, claim=Claim(id="t", text="", given=[x >= 0], then=exp(x) >= 1 + x))
    moved = replace(refuted, certificate={"evidence": {"point": {"x": "Integer(2)"}}})
    assert "holds at the counterexample" in complaint(true, moved)
    hole = replace(false, claim=Claim(id="h", text="", given=[x >= 0], then=log(x) <= x), points=lambda rng: {"x": Fraction(0)})
    assert "no value" in violation(hole)


@pytest.mark.parametrize("kind", ["scalars", "k-ary"])
def test_a_few_statements(kind):
    for number in range(2):
        assert not verdict_of(kind, number, 0.1)[1]


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(KINDS))
def test_forty_statements_of_each_kind(kind):
    found = [verdict_of(kind, number, 0.5) for number in range(100_000, 100_040)]
    assert [said for _, said, _ in found if said] == []
    assert sum(verdict != "UNDECIDED" for verdict, _, _ in found) >= 10


def test_the_same_number_gives_the_same_statement():
    assert drawn("families", 7).claim.statement_hash == drawn("families", 7).claim.statement_hash


def test_what_was_recorded(capsys):
    """None was settled wrongly, and the page prints how many there were."""
    counts, wrong = recorded(RECORD)
    assert not wrong and set(counts) == set(KINDS)
    assert main([]) == 0 and "0 wrong" in capsys.readouterr().out
    total = sum(found.total() - found["shown"] for found in counts.values())
    assert f"{total:,} random statements" in (Path(__file__).parents[2] / "docs" / "trust.md").read_text(encoding="utf-8")
