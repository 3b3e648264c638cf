"""Domains: closed faces, strict statements, premises, changes of variables, integers, and what a claim says besides its inequality."""

from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy import Abs, Max, Piecewise, Rational, exp, floor, log, sqrt

from dpbounds import Claim
from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.settling import settle
from dpbounds.claims.verdict import Verdict
from dpbounds.descent.changes import changed
from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.language.functions import GaussianDelta, NormalQuantile
from dpbounds.language.symbols import integer, positive_integer, real

x, y, p, q = real("x y p q")
n, k = positive_integer("n"), integer("k")


def settled(then: Any, *given: Any) -> bool:
    """Whether a descent of a claim is found."""
    claim = Claim(id="a", text="", given=given, then=then)
    return certificate_of(claim, 4) is not None


# --- strictness and closed ends


def test_strict_statements_are_strict() -> None:
    assert settled(exp(x) > 1 + x, x > 0)
    assert settled(exp(x) > 1 + x, x > 0, x <= 1)
    assert settled(exp(x) > x)
    assert not settled(exp(x) > 1 + x)
    assert not settled(exp(x) > 1 + x, x >= 0)
    assert not settled(exp(x) > 1 + x, x >= -1, x <= 0)
    assert not settled(x**2 > 0)
    assert settled(x**2 > 0, x > 0)
    assert not settled((x - 1) ** 2 * exp(x) > 0, x > 0)
    assert not settled(x * (1 - x) > 0, x > 0, x <= 1)


def test_a_closed_end_where_something_is_undefined() -> None:
    assert settled(x * log(x) <= 0, x > 0, x <= 1)
    assert not settled(x * log(x) <= 0, x >= 0, x <= 1)
    assert settled(sqrt(x) <= 1, x >= 0, x <= 1)
    assert not settled(sqrt(x) <= 1, x >= -1, x <= 1)
    assert not settled(1 / x <= 1 / x + 1, x >= 0)
    assert not settled(log(x) <= log(x) + y, x >= 0, y >= 0)
    assert not settled((x**2 - 1) / (x - 1) <= x + 1, x >= 0)


def test_something_undefined_inside() -> None:
    assert not settled(1 / x**2 >= 0)
    assert settled(1 / x**2 >= 0, x > 0)
    assert not settled(log(x**2) >= -1 / x**2)
    assert not settled(sqrt(x**3) >= 0)


def test_a_side_that_cancels_is_still_read() -> None:
    """log(x) ≤ log(x) + 1 says that log x is defined."""
    undefined = sympy.Le(log(x), sympy.Add(log(x), 1, evaluate=False), evaluate=False)
    assert settled(undefined, x > 0)
    assert not settled(undefined)


def test_each_part_of_a_conjunction_counts() -> None:
    assert settled(sympy.And(exp(x) >= 1 + x, exp(x) >= 0))
    assert not settled(sympy.And(exp(x) >= 1 + x, exp(x) >= 1))
    assert not settled(sympy.Or(exp(x) >= 1 + x, x > 0))
    assert not settled(sympy.Ne(exp(x), 0))


def test_cases() -> None:
    assert settled(Abs(x) >= x)
    assert not settled(Abs(x) <= x)
    assert settled(Max(x, 1) >= 1)
    assert not settled(Max(x, 1) >= x + Rational(1, 100))
    assert not settled(Piecewise((0, log(x) > 0), (0, True)) >= 0)
    assert not settled(Max(log(x), 1) >= 0, x > -1)


def test_a_branch_does_not_cancel_what_is_undefined() -> None:
    """|x|/x is undefined at 0, though it is x/x and −x/x on both sides."""
    assert not settled(Abs(x) / x <= 1)
    assert settled(Abs(x) / x <= 1, x > 0)
    assert not settled(Max(x, 0) / x <= 1, x >= 0)
    assert not settled(x / Abs(x) <= 2)
    assert settled(Abs(Abs(x) - 1) >= Abs(x) - 1)


def test_what_a_quantity_needs() -> None:
    """δ of the Gaussian mechanism is defined for σ > 0 only."""
    assert settled(GaussianDelta(0, x) >= 0, x > 0)
    assert not settled(GaussianDelta(0, x) ** 2 >= 0)


def test_functions_without_a_tower() -> None:
    assert not settled(floor(x) <= x)
    assert not settled(sympy.sin(x) <= 1)


# --- premises


def test_premises_about_two_variables() -> None:
    assert settled(exp(x) <= exp(y), x <= y)
    assert not settled(exp(x) <= exp(y))
    assert not settled(exp(x) <= exp(y), y <= x)
    assert settled(exp(x) < exp(y), x < y)
    assert not settled(exp(x) < exp(y), x <= y)
    assert settled(log(y - x) <= y - x - 1, x < y)
    assert not settled(log(y - x) <= y - x - 1, x <= y)
    assert settled(x * y >= 1, x > 0, y >= 1 / x)
    assert not settled(x * y > 1, x > 0, y >= 1 / x)


# --- integers


def test_integers() -> None:
    assert settled(2**k >= k + 1, k >= 1)
    assert not settled(2**k >= k + 1)  # false between 0 and 1, so not shown for reals
    assert settled(2**k >= 2 * k, k > 1)
    assert settled(sympy.factorial(n) >= (n / sympy.E) ** n)
    assert not settled(sympy.factorial(n) >= 2 ** (n - 1) + Rational(1, 2))
    assert settled(sympy.factorial(n) >= 2 ** (n - 1))
    assert not settled(sympy.factorial(n) > 2 ** (n - 1))
    assert not settled(sympy.gamma(x + 1) >= Rational(9, 10), x >= 0)  # 0.8856 at 0.46


# --- changes of variables


BOX = {"v": Interval(Fraction(0), Fraction(1)), "u": Interval(Fraction(0), None)}
V, U = sympy.symbols("v u")


def problem(box: Any = None, premises: Any = ()) -> Problem:
    return Problem(V, sympy.Integer(0), False, box or BOX, premises)


def test_good_changes_keep_every_value() -> None:
    low = {"v": Interval(Fraction(1, 3), Fraction(1))}
    assert changed(problem(low), ["exponential", "v", "w", "1", "0", "21/20"], before=False).box["w"].high == Fraction(21, 20)
    assert changed(problem(), ["square", "v", "w", "0", "1"], before=False).box["w"] == Interval(Fraction(0), Fraction(1))
    eighth = {"v": Interval(Fraction(1, 8), Fraction(27))}
    assert changed(problem(eighth), ["rooted", "v", "w", 3, "1/2", "3"], before=False).box["w"] == Interval(Fraction(1, 2), Fraction(3))
    above = changed(problem(premises=((V, U, True),)), ["above", "v", 0, "w"], before=True)
    assert above.box == {"u": Interval(Fraction(0), Fraction(1)), "w": Interval(Fraction(0), Fraction(1), False, True)}
    m, t = sympy.symbols("m t")
    line = changed(problem({"v": Interval(), "u": Interval()}), ["middle", "v", "u", "m", "t"], before=False)
    assert line.box == {"m": Interval(), "t": Interval()} and [e.doit() for e in line.meanings.values()] == [m + t, m - t]
    ray = {"v": Interval(Fraction(0), None), "u": Interval(Fraction(0), None)}
    half = changed(problem(ray), ["middle", "v", "u", "m", "t"], before=False)
    assert half.box == {"m": Interval(Fraction(0), None), "t": Interval(Fraction(-1), Fraction(1))}
    assert [e.doit() for e in half.meanings.values()] == [m * (1 + t), m * (1 - t)]
    assert not changed(problem(premises=((V, U, True),)), ["without"], before=True).premises


def test_a_part_leaves_its_bound_not_negative() -> None:
    """v ≤ 1 − u with v ≥ 0: u ≤ 1; u < 1 where v > 0, as here, or where v < 1 − u."""
    closed = {"v": Interval(Fraction(0), None, True), "u": Interval(Fraction(0), None)}
    row = ["within", "v", 0, "w", ["+", "1", ["*", "-1", "u"]]]
    for own, strict, at_end in ((BOX, False, False), (closed, False, True), (closed, True, False)):
        found = changed(problem(own, premises=((sympy.S.One, U + V, strict),)), row, before=True)
        assert found.box["u"] == Interval(Fraction(0), Fraction(1), False, at_end)
        assert found.box["w"] == Interval(Fraction(0), Fraction(1), own is closed, not strict)
    two = changed(
        problem(closed, premises=((U - U**2, V, False),)), ["within", "v", 0, "w", ["+", "u", ["*", "-1", ["^", "u", "2"]]]], before=True
    )
    assert [(sympy.expand(large), small) for large, small, _ in two.premises] == [(U - U**2, 0)]


OVER = {
    "v": Interval(Fraction(0), Fraction(9), True, True),
    "u": Interval(Fraction(0), Fraction(1)),
    "t": Interval(Fraction(0), None, True),
}
FROM_0, UP_TO_1 = {**OVER, "u": Interval(Fraction(0), Fraction(1), True)}, {**OVER, "u": Interval(None, Fraction(1), False, True)}
T = sympy.Symbol("t")


def test_a_variable_above_a_quotient_keeps_every_value() -> None:
    """u·v ≥ 1 + t with u > 0: v = (1 + t)/u + w with w ≥ 0, and w > 0 where the premise is strict."""
    bound = ["*", ["+", "1", "t"], ["^", "u", "-1"]]
    for strict in (False, True):
        found = changed(problem(OVER, premises=((U * V, 1 + T, strict),)), ["over", "v", 0, "w", "u", bound], before=True)
        assert found.box["w"] == Interval(Fraction(0), None, not strict, False) and "v" not in found.box
        assert not found.premises and sympy.simplify(found.meanings["v"] - (1 + T) / U - sympy.Symbol("w")) == 0
    half = changed(problem(OVER, premises=((2 * V, T, False),)), ["over", "v", 0, "w", "2", ["*", "1/2", "t"]], before=True)
    assert sympy.expand(half.meanings["v"] - T / 2) == sympy.Symbol("w")


def test_a_premise_over_what_may_vanish_says_nothing_there() -> None:
    """y·(x − 1) ≥ 0 puts x above 1 where y > 0 only; and y·x ≥ 1 + y says x > 1, but not x ≥ 2."""
    assert settled(exp(x) >= sympy.E, y * (x - 1) >= 0, y > 0)
    assert not settled(exp(x) >= sympy.E, y * (x - 1) >= 0, y >= 0)
    assert not settled(exp(x) >= sympy.E, y * (x - 1) >= 0, y > -1, y < 1)
    assert not settled(exp(x) > sympy.E, y * (x - 1) >= 0, y > 0)
    assert settled(exp(x) > sympy.E, y * x >= 1 + y, y > 0)
    assert not settled(exp(x) >= exp(2), y * x >= 1 + y, y > 0)


def test_changes_by_exponentials_and_circles_keep_every_value() -> None:
    line = {"v": Interval(), "u": Interval()}
    assert changed(problem(line), ["logarithm", "v", "w"], before=False).box["w"] == Interval(Fraction(0), None)
    assert changed(problem(), ["logarithm", "v", "w"], before=False).box["w"] == Interval(Fraction(1), None)
    below = {"v": Interval(None, Fraction(0))}
    assert changed(problem(below), ["logarithm", "v", "w"], before=False).box["w"] == Interval(Fraction(0), Fraction(1))
    assert changed(problem(), ["power", "v", "w"], before=False).box["w"] == Interval(None, Fraction(0))
    above = {"v": Interval(Fraction(1), None)}
    assert changed(problem(above), ["power", "v", "w"], before=False).box["w"] == Interval(Fraction(0), None)
    assert changed(problem({"v": Interval(Fraction(1, 2), None)}), ["power", "v", "w"], before=False).box["w"] == Interval()
    circle = changed(problem(), ["circle", "v", "w"], before=False)
    assert circle.box["w"] == Interval(Fraction(0), Fraction(1))
    values = [circle.meanings["v"].subs(sympy.Symbol("w"), Rational(k, 8)) for k in range(9)]
    assert values == sorted(values) and (values[0], values[-1]) == (0, 1)


def test_every_rate_is_one_of_a_larger_loss() -> None:
    rate = changed(
        problem({"v": Interval(Fraction(0), Fraction(1)), "u": Interval(Fraction(0), None)}), ["sampled", "v", "u", "w"], before=False
    )
    assert rate.box == {"u": Interval(Fraction(0), None), "w": Interval(Fraction(0), None)}
    for q in (Rational(1, 10**6), Rational(1, 3), Rational(999, 1000)):
        for left in (Rational(1, 10**3), Rational(2), Rational(30)):
            before = log(1 + (exp(left) - 1) / q)  # the loss that sampling at the rate q leaves this much of
            assert before > left
            value = rate.meanings["v"].subs({sympy.Symbol("u"): left, sympy.Symbol("w"): before - left})
            assert abs((value - q).evalf(40)) < 1e-30
    assert settled(log(1 + p * (exp(x) - 1)) <= x, x > 0, p > 0, p <= 1)
    amplified = log((exp(x) - 1 + p) / p)
    assert settled(amplified >= x, x > 0, p > 0, p < 1)
    assert not settled(amplified <= 2 * x, x > 0, p > 0, p < 1)


def test_cases_that_only_meet_at_a_border() -> None:
    """|x − y| with Max(x, y): where x ≥ y and x ≤ y, both are those of x = y."""
    small = Claim(id="a", text="", then=Abs(exp(x) - exp(y)) <= Abs(x - y) * exp(Max(x, y)))
    assert 2 <= len(problems_of(small)) <= 4
    assert settled(small.then)
    assert not settled(Abs(exp(x) - exp(y)) <= Abs(x - y) * exp(Max(x, y)) * Rational(99, 100))
    assert not settled(Max(x, y) <= x + Abs(x - y) / 2)
    assert not settled(Max(x, -x) <= Abs(x) - x)
    assert settled(Max(x, y) + sympy.Min(x, y) <= x + y)


def test_a_piecewise_may_jump_at_a_border() -> None:
    """Both branches hold at one place, where the sum of both is 2; a maximum has one value wherever its arguments meet."""
    place = Rational(12345, 6789)
    up, down = sympy.Piecewise((1, x >= place), (0, True)), sympy.Piecewise((1, x <= place), (0, True))
    assert not settled(up + down <= 1)
    assert settled(up + down <= 2)
    assert settled(up * Max(x, place) + down * sympy.Min(x, place) <= Max(x, place) + Abs(place) + Abs(x))
    assert not settled(up * (place - Max(x, place)) + down + up <= 1)


def test_a_quantile_with_a_factor() -> None:
    assert settled(2 * NormalQuantile(p) <= 0, p > 0, p <= Rational(1, 2))
    assert settled(-NormalQuantile(p) / 3 >= 0, p > 0, p <= Rational(1, 2))
    assert not settled(-NormalQuantile(p) <= 0, p > 0, p <= Rational(1, 2))
    assert not settled(2 * NormalQuantile(p) <= 0, p > 0, p <= Rational(3, 5))
    assert settled(p * NormalQuantile(p) <= 0, p > 0, p <= Rational(1, 2))
    assert not settled(p * NormalQuantile(p) < 0, p > 0, p <= Rational(1, 2))
    assert settled(p * NormalQuantile(p) < 0, p > 0, p < Rational(1, 2))


def test_two_quantiles_are_compared_by_what_they_are_quantiles_of() -> None:
    """Only where both have a value: 0 < 2p < 1."""
    twice = NormalQuantile(2 * p)
    assert settled(NormalQuantile(p) <= twice, p > 0, p <= Rational(1, 4))
    assert settled(-2 * twice <= -2 * NormalQuantile(p), p > 0, p <= Rational(1, 4))
    assert settled(NormalQuantile(p) <= -twice, p > 0, p <= Rational(1, 3))
    assert not settled(NormalQuantile(p) <= -twice, p > 0, p < Rational(1, 2))
    assert not settled(NormalQuantile(p) <= twice, p > 0, p <= Rational(1, 2))
    assert not settled(NormalQuantile(p) <= twice, p >= 0, p <= Rational(1, 4))
    assert not settled(-NormalQuantile(p) <= -twice, p > 0, p <= Rational(1, 4))
    assert not settled(2 * NormalQuantile(p) <= 3 * NormalQuantile(p), p > 0, p < 1)


def test_the_quantile_of_the_other_tail() -> None:
    """Φ⁻¹(1 − p) = −Φ⁻¹(p)."""
    q_, other = NormalQuantile(p), NormalQuantile(1 - p)
    assert settled(sympy.Eq(p * q_, -p * other), p > 0, p < 1)
    assert not settled(p * q_ >= p * other, p > 0, p < 1)
    assert settled(p * q_ >= p * other, p >= Rational(1, 2), p < 1)
    assert not settled(p * q_ > p * other, p >= Rational(1, 2), p < 1)
    assert settled(p * q_ > p * other, p > Rational(1, 2), p < 1)
    assert settled(p * other <= 0, p >= Rational(1, 2), p < 1)
    assert not settled(p * other <= 0, p >= Rational(12, 25), p < 1)
    assert not settled(p * other <= 0, p >= Rational(1, 2), p <= 1)
    assert not settled(p * other >= -10, p >= Rational(1, 2), p < 1)
    assert not settled(p * other <= 10, p >= -1, p < 1)


def test_a_premise_that_is_linear_in_one_variable_is_an_end() -> None:
    assert settled(x <= Rational(1, 2), x <= 1 - x)
    assert not settled(x < Rational(1, 2), x <= 1 - x)
    assert not settled(x >= Rational(1, 2), x <= 1 - x)
    assert settled(x >= 2, 3 * x - 1 >= x + 3)


# --- certificates


def test_a_false_statement_is_still_refuted() -> None:
    assert settle(Claim(id="a", text="", then=exp(x) >= 1 + Rational(101, 100) * x), budget=10).verdict is Verdict.REFUTED


def test_problems_of_a_claim() -> None:
    claim = Claim(id="a", text="", given=[k > 1, k <= 9], then=k >= 2)
    (only,) = problems_of(claim)
    assert only.box == {"k": Interval(Fraction(2), Fraction(9), True, True)}


# --- division


def test_a_divisor_that_vanishes_inside_a_face() -> None:
    """On x = 0 the divisor x + y² is y², which is 0 at y = 0 only."""
    assert not settled(1 / (x + y**2) >= 0, x >= 0)
    assert not settled(1 + x**2 / (x + y**2) >= 1, x >= 0, x <= 1, y >= -1, y <= 1)
    assert settled(1 / (x + y**2) >= 0, x >= 0, y > 0)
    assert settled(1 / (x + y**2) >= 0, x > 0)


def test_a_divisor_inside_a_divisor() -> None:
    """1/(1 + 1/x²) is x²/(1 + x²), but not at 0."""
    assert not settled(1 / (1 + 1 / x**2) >= 0)
    assert not settled(1 / (1 + 1 / x**2) > -1)
    assert not settled(1 / (1 + 1 / x) >= 0, x >= 0)
    assert settled(1 / (1 + 1 / x**2) >= 0, x < 0)
    assert settled(1 / (1 + 1 / x) >= 0, x > 0)


def test_a_power_0_is_still_read() -> None:
    nothing = sympy.Ge(sympy.Pow(1 / x, 0, evaluate=False), 1, evaluate=False)
    assert not settled(nothing)
    assert settled(nothing, x > 0)


def test_a_divisor_needs_a_proof_that_fits() -> None:
    """Factors of another divisor prove nothing."""
    claim = Claim(id="a", text="", then=1 / (1 + x**2) <= 1)
    found = certificate_of(claim, 4)
    assert found is not None
    assert found is not None
    part = found["problems"][0]["parts"][0]
    part["divisors"] = [{"num": [["1 + 1*g0^4", 1, None]], "den": []}]


def test_a_power_of_0_with_an_exponent_that_may_be_0() -> None:
    """√(cosh² x − sinh² x − 1) is 0, and 0^0 = 1; as a root it looks positive."""
    zero = sqrt(sympy.cosh(x) ** 2 - sympy.sinh(x) ** 2 - 1)
    assert not settled(sympy.Le(sympy.Pow(0, zero, evaluate=False), 0, evaluate=False))
    assert not settled(sympy.Pow(0, x, evaluate=False) <= 0, x >= 0)
    assert settled(sympy.Pow(0, x, evaluate=False) <= 0, x > 0)
    assert settled(sympy.Pow(0, x, evaluate=False) <= 0, x > 1)


def test_the_case_of_a_larger_logarithm() -> None:
    """log a ≥ log b says a ≥ b, where both logarithms have a value on the whole domain."""
    ratio, other = log(p / q), log((1 - p) / (1 - q))
    inside = (p > 0, p < 1, q > 0, q < 1)
    found = problems_of(Claim(id="a", text="", given=inside, then=Max(ratio, other) >= 0))
    assert {(str(large), str(small)) for part in found for large, small, _ in part.premises} == {("p", "q"), ("q", "p")}
    assert settled(Max(ratio, other) >= 0, *inside)
    assert not settled(Max(ratio, other) >= Rational(1, 1000), *inside)
    assert settled(sympy.Min(ratio, other) <= 0, *inside)
    assert not settled(sympy.Min(ratio, other) <= -Rational(1, 1000), *inside)


@pytest.mark.parametrize("given", [(x > 0, x < 3), (x >= 1, x < 3), (x > 1, x < 3)], ids=str)
def test_a_smaller_logarithm_has_a_value_too(given: Any) -> None:
    """log(x − 1) has no value for x ≤ 1, where log 3 would be the larger one."""
    assert settled(Max(log(x - 1), log(3 - x)) <= 1, *given) == (given[0] == (x > 1))


def test_a_logarithm_with_a_base_may_fall() -> None:
    """log x to the base 1/2 lies between 2 and 3 for 1/8 < x < 1/4, where log 2 is larger than x."""
    other = log(x, Rational(1, 2), evaluate=False)
    false = Claim(id="a", text="", given=(x > Rational(1, 8), x < Rational(1, 4)), then=Max(other, log(2), evaluate=False) <= 1)
    assert certificate_of(false, 0.5) is None
    assert settled(Max(log(x), log(2)) <= 1, x > Rational(1, 8), x < Rational(1, 4))
