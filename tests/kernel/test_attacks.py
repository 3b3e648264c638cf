"""Documents that were accepted though false, or that kept the checker busy: each is refused, at once."""

import time
from fractions import Fraction
from typing import Any

import pytest

from dpbounds.kernel.polynomials import Budget, atom
from dpbounds.kernel.ring import Ring
from dpbounds.kernel.terms import Refused, variable
from tests.kernel.test_documents import document, hyp, step, verdict

SIGNS = "allZ(i, imp(1 <= i, imp(i <= m, 0 < i*y)))"
INDICES = "allZ(i, imp(1 <= i, imp(i <= m, 0 < i)))"
SECONDS = 15
"""Without the limits these take from half a minute to for ever; with them, five seconds on a busy machine."""


def root_of_sum(left: str, right: str) -> list[Any]:
    """With y = 4 and m = 1 the sums are 2 and 1; y is known to be positive only within them."""
    given = [SIGNS, INDICES, f"{left} != 0", f"{right} != 0"]
    claim = f"1/{left} == 1/{right}"
    return document(claim, [hyp(SIGNS), step("ring", 0, formula=claim)], given=given, integer=["n", "m"])


def test_a_factor_does_not_leave_a_sum_whose_range_gives_its_sign() -> None:
    found = verdict(root_of_sum("sum(i, 1, m, exp(log(i*y)/2))", "sum(i, 1, m, exp(log(i)/2))"))
    assert isinstance(found, Refused) and "normal form" in str(found)


def test_a_root_of_what_may_be_zero_is_not_inverted() -> None:
    ring = Ring([], Budget())
    with pytest.raises(Refused):
        ring.inverted(atom(variable("y", "R"), Fraction(1, 2)))


def equations(count: int, right: str) -> list[dict[str, Any]]:
    """y₁ = right(y₀), y₂ = right(y₁), …: written out, the last is exponentially long."""
    names = [f"y{k}" for k in range(count + 1)]
    steps = [hyp(f"y{k + 1} == {right.replace('Y', f'y{k}')}") for k in range(count)] + [hyp("0 < y0")]
    last = step("ring", *range(count + 1), formula="x == x + 1")
    return document("x == x + 1", [*steps, last], real=["x", *names], functions={"f": "RR>R"})


def squares(count: int) -> str:
    """((x²)²)²…"""
    return "(" * count + "x" + ")**2" * count


def nested_sums(count: int) -> list[dict[str, Any]]:
    """Many quotients under many binders: each has a condition that grows with the binders above it."""
    claim = "1/(k0 + k1)"
    for _ in range(11):
        claim = f"({claim} + {claim})"
    for k in reversed(range(count)):
        claim = f"sum(k{k}, 0, {f'k{k - 1}' if k else '1'}, {claim})"
    return document(f"{claim} == 0", [hyp(f"{claim} == 0")], given=[f"{claim} == 0"])


BUSY = {
    "conditions under many binders": nested_sums(60),
    "shared parts": equations(45, "f(Y, Y)"),
    "signs of shared denominators": equations(45, "1/(1 + Y) + 1/(2 + Y)"),
    "squares of squares": document(squares(70) + " != 0", [step("ring", formula=squares(70) + " != 0")]),
}


@pytest.mark.parametrize("name", BUSY)
def test_no_document_keeps_the_checker_busy(name: str) -> None:
    start = time.process_time()
    assert isinstance(verdict(BUSY[name]), Refused)
    assert time.process_time() - start < SECONDS


def test_hypotheses_that_a_substitution_makes_large_are_paid_for() -> None:
    count = 60
    steps = [hyp(f"x <= a + {k}") for k in range(count)] + [step("conjunction", *range(count)), step("part", count, number=0)]
    large = "y"
    for _ in range(12):
        large = f"({large} + {large})"
    moved = step("substitution", count + 1, terms={"a:R": large}, functions={})
    found = verdict(document("x <= x", [*steps, moved]))
    assert isinstance(found, Refused) and "conclusions are too large" in str(found)


def test_a_refusal_is_one_line() -> None:
    rows = document("x == x", [])
    forged = [rows[0], {"rule": "ring\nfile: ACCEPTED", "by": [], "with": {}}, {"end": 0}]
    found = verdict(forged)
    assert isinstance(found, Refused) and "\n" not in str(found)


EMPTY = "allZ(i, imp(1<=i, imp(i<=m, {inner})))"
"""What it says about other things than i holds only if m ≥ 1."""
POWERS = {
    "the sign of an inner sum": (EMPTY.format(inner="allZ(j, imp(1<=j, imp(j<=n, 0<g(j))))"), ["1 <= n", "0 <= sum(j,1,n,g(j))"],
                                 "sum(i,1,m,exp(1/sum(j,1,n,g(j))))**sum(j,1,n,g(j)) == exp(1)*m**sum(j,1,n,g(j))"),
    "a counted sum": (EMPTY.format(inner="allZ(j, imp(1<=j, imp(j<=n, 0<g(j))))"), ["1 <= n", "0 <= sum(j,1,n,g(j))"],
                      "sum(i,1,m,exp(1/sum(j,1,n,g(j))))**sum(j,1,n,g(j)) == exp(1)*sum(i,1,m,1)**sum(j,1,n,g(j))"),
    "an equation about another variable": (EMPTY.format(inner="log(y) == 1"), ["1 <= y"],
                                           "sum(i,1,m,exp(1/(y-1)))**(y-1) == exp(1)*m**(y-1)"),
}  # fmt: skip


@pytest.mark.parametrize("name", POWERS)
def test_what_is_known_in_an_empty_range_does_not_leave_it(name: str) -> None:
    """At m = 0 and an exponent 0 the left side is 0^0 = 1 and the right side is e: both sides were one normal form, and 1 ≤ 0 followed."""
    universal, others, claim = POWERS[name]
    given = [universal, "0 <= m", *others]
    steps = [*map(hyp, given), step("ring", *range(len(given)), formula=claim)]
    rows = document(claim, steps, given=given, real=["x"], integer=["m", "n", "y"], functions={"g": "Z>Z"})
    found = verdict(rows)
    assert isinstance(found, Refused) and "normal form" in str(found)
