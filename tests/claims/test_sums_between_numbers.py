"""Sums between two numbers: the proof checker takes the statement as it was typed, from one with the terms written out."""

import pytest
from sympy import Eq, Rational, Sum, Symbol, binomial, factorial

from dpbounds import Claim, Verdict, settle
from dpbounds.claims.evidence.compiled import written
from dpbounds.claims.evidence.judged import judged
from dpbounds.compile.steps import Steps
from dpbounds.compile.written_out import binomials_of, pieces_of, sums_between_numbers, written_out
from dpbounds.kernel.terms import Refused, binder, equal, node, number, variable
from dpbounds.language.symbols import index, real

q, x, i, z = real("q"), real("x"), index("i"), Symbol("z", integer=True)
UNIT = [q >= 0, q <= 1]


def row(k):
    return binomial(20, k) * q**k * (1 - q) ** (20 - k)


def tail(bound, over=i, given=UNIT):
    return Claim(id="tail", text="", given=given, then=Sum(row(over), (over, 15, 20)) <= bound)


@pytest.mark.parametrize("over", [i, z])
def test_a_binomial_tail_is_at_most_its_first_coefficient(over):
    outcome = settle(tail(binomial(20, 15) * q**15, over), budget=10)
    assert (outcome.verdict, outcome.method) == (Verdict.CERTIFIED, "document")


def test_a_binomial_tail_is_at_most_a_number_under_a_premise():
    assert settle(tail(Rational(3, 100), given=[*UNIT, 2 * q <= 1])).verdict is Verdict.CERTIFIED
    assert settle(tail(Rational(2, 100), given=[*UNIT, 2 * q <= 1])).verdict is Verdict.REFUTED


def test_a_false_bound_of_a_tail_is_refuted():
    assert settle(tail(Rational(99, 100) * binomial(20, 15) * q**15)).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("given", "then"),
    [
        pytest.param(UNIT, Sum(row(z), (z, 0, 20)) <= 1, id="a row of more terms than the checker writes out at once"),
        pytest.param([], Eq(Sum(x**z, (z, 0, 3)), 1 + x + x**2 + x**3), id="an equality"),
        pytest.param([x >= 0, Sum(x**z, (z, 1, 20)) <= 20], x <= 1, id="a premise"),
        pytest.param([x >= 1], Sum(x**z / z, (z, 1, 4)) >= x, id="from below"),
    ],
)
def test_documents_of_statements_with_sums(given, then):
    claim = Claim(id="a", text="", given=given, then=then)
    document = written(claim)
    assert document.statement is not None, document
    with pytest.raises(Refused, match="does not follow"):
        judged(Claim(id="a", text="", given=given, then=then.func(then.lhs, then.rhs + (1 if then.rel_op == ">=" else -1))), document.text)


def test_the_document_says_what_was_typed():
    claim = tail(binomial(20, 15) * q**15)
    text = written(claim).text
    assert "sum(_0, 15, 20," in text.splitlines()[0]
    with pytest.raises(Refused, match="does not follow"):
        judged(Claim(id="b", text="", given=UNIT, then=written_out(claim.then)), text)


def test_pieces_are_as_long_as_the_checker_writes_out():
    steps, j = Steps([]), variable("j", "Z")
    total = binder("sum", j, number(-3), number(40), node("pow", variable("x", "R"), j))
    split = steps.formula(pieces_of(steps, total))
    assert split.parts[0] == total and not steps.write.steps[-1].hypotheses
    assert steps.formula(pieces_of(steps, total)).parts[1].tag == "+"
    assert pieces_of(steps, binder("sum", j, number(0), number(15), node("pow", variable("x", "R"), j))) is None


def test_values_of_binomial_coefficients():
    steps, j = Steps([]), variable("j", "Z")
    total = binder("sum", j, number(0), number(6), node("binom", number(6), j))
    values = [steps.formula(k) for k in binomials_of(steps, [total])]
    expected = (1, 6, 15, 20, 15, 6, 1)
    assert values == [equal(node("binom", number(6), number(k)), number(v)) for k, v in enumerate(expected)]


def test_which_sums_are_written_out():
    kept = [Sum(x**z, (z, 1, Symbol("n", integer=True))), Sum(x**z, (z, 1, 100)), Sum(x**z, (z, 3, 1))]
    assert not sums_between_numbers(*kept)
    assert sums_between_numbers(Sum(x**z, (z, 1, 64))) and written_out(Sum(x**z, (z, 1, 2)) <= 3) == (x + x**2 <= 3)


def test_values_of_factorials_are_known_to_the_checker():
    for factor, found in ((Rational(5, 3), True), (Rational(7, 4), False)):
        claim = Claim(id="a", text="", given=[x >= 1], then=Sum(x**z / factorial(z), (z, 1, 3)) >= factor * x)
        assert (written(claim).statement is not None) is found
