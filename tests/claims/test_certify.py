"""Branch and bound: what it certifies, and everything it must not certify."""

from fractions import Fraction

import pytest
import sympy
from sympy import (
    And,
    Eq,
    Implies,
    Integral,
    Le,
    Max,
    Min,
    Ne,
    Or,
    Piecewise,
    Rational,
    Sum,
    Symbol,
    binomial,
    erf,
    exp,
    gamma,
    log,
    sinh,
    sqrt,
    tan,
)

from dpbounds import Claim
from dpbounds.claims import Boxes
from dpbounds.claims.boxes.certify import cover
from dpbounds.claims.boxes.gap import Gap
from dpbounds.claims.boxes.judge import split
from dpbounds.claims.domain import solve_equalities
from dpbounds.claims.evidence import replay
from dpbounds.claims.evidence.sealing import of_cover
from dpbounds.claims.settling import settle
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import ClaimError, EmptyDomainError, LanguageError
from dpbounds.language.functions import (
    GaussianRenyi,
    HockeyStick,
    LossTail,
    RenyiDivergence,
    RenyiMoment,
    SampledGaussianDelta,
    SampledGaussianMoment,
    SampledGaussianRenyi,
    SubstituteGaussianDelta,
)
from dpbounds.language.symbols import bernoulli, family, integer, nonnegative, positive, real

x, y, z = real("x y z")
n = Symbol("n", integer=True, nonnegative=True)
UNIT = [x >= -1, x <= 1]
BUDGET = 1500


def certified(then, *given, budget=BUDGET):
    """Whether boxes cover the domain; a cover must also survive replay."""
    claim = Claim(id="c", text="", given=given, then=then)
    found = cover(claim, Boxes(budget=budget))
    if found.complete and found.leaves:
        assert replay.replay(of_cover(claim, found, 80), claim).verdict is Verdict.CERTIFIED
        return True
    return False


# --- true statements -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (exp(x) >= 1 + x, UNIT),
        (exp(x) > x, UNIT),
        (x**2 - x + Rational(1, 4) + Rational(1, 1000) > 0, [x >= -4, x <= 4]),
        (x * (1 - x) <= Rational(2501, 10000), [x >= 0, x <= 1]),
        (log(1 + x) <= x, [x >= 0, x <= 1]),
        (sqrt(1 + x) <= 1 + x / 2, [x >= 0, x <= 1]),
        (x**n >= -1, [*UNIT, n >= 1, n <= 3]),
        (Max(x, y) >= (x + y) / 2 - Rational(1, 100), [x >= 0, x <= 1, y >= 0, y <= 1]),
        (Min(x, 1 - x) <= Rational(51, 100), [x >= 0, x <= 1]),
        (Piecewise((x, x > 0), (-x, True)) >= -Rational(1, 100), UNIT),
        (erf(x) <= Rational(113, 100) * x, [x >= Rational(1, 10), x <= 2]),
        (gamma(x) <= Rational(101, 100), [x >= 1, x <= 2]),
        (sinh(x) >= x, [x >= 0, x <= 1]),
        (Integral(exp(-(y**2)), (y, 0, x)) <= x + Rational(1, 100), [x >= 0, x <= 1]),
        (x * y <= Rational(26, 100), [Eq(x + y, 1), x >= 0, y >= 0]),
        (And(x <= 1, x**2 <= 1), UNIT),
        (Or(x >= Rational(1, 4), x**2 <= Rational(1, 4)), [x >= -Rational(1, 2), x <= 1]),
        (Implies(x >= 0, exp(x) >= Rational(99, 100)), UNIT),
    ],
)
def test_true_statements_are_certified(then, given):
    assert certified(then, *given)


def test_tables_and_integer_variables():
    half = Rational(1, 2)
    assert certified(
        RenyiDivergence(2, bernoulli(x), bernoulli(half)) <= log(2) + Rational(1, 100), x >= Rational(1, 100), x <= Rational(99, 100)
    )
    assert certified(2**n >= n + 1, n <= 40)
    k = integer("k")
    assert certified(binomial(k, 2) >= k - 1, k >= 2, k <= 30)
    assert certified(k**2 >= 2 * k - 1, k > 0, k < 7)


# --- statements that fail ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (x**n >= 0, [*UNIT, n >= 1, n <= 3]),
        (x**n >= -Rational(1, 2), [*UNIT, n >= 1, n <= 3]),
        (exp(x) >= 1 + x + x**2 / 2, UNIT),
        (x**2 > 0, UNIT),
        (x * (1 - x) < Rational(1, 4), [x >= 0, x <= 1]),
        (Max(x, 1 - x) >= Rational(51, 100), [x >= 0, x <= 1]),
        (Or(x < 0, x > 0), UNIT),
        (Implies(x >= 0, x > 0), UNIT),
        (And(x <= 1, x < 1), UNIT),
    ],
)
def test_false_statements_are_not(then, given):
    assert not certified(then, *given, budget=400)


def test_an_equality_point_is_not_certified_by_rounding_luck():
    third, little = Rational(1, 3), Rational(1, 10**15)
    for large, small in ((x**2, 2 * x / 3 - third**2), (exp(x - third), 1 + (x - third)), (-log(x), log(3) - 3 * (x - third))):
        assert not certified(large >= small + little, x >= Rational(1, 10), x <= 1, budget=300)
        assert not certified(large > small, x >= Rational(1, 10), x <= 1, budget=300)


# --- undefined somewhere: never certified ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (log(x) + y <= log(x) + 2, [*UNIT, y >= 0, y <= 1]),
        (sqrt(x) + y <= sqrt(x) + 2, [*UNIT, y >= 0, y <= 1]),
        (1 / x + y <= 1 / x + 2, [*UNIT, y >= 0, y <= 1]),
        (Piecewise((x, x > 2)) + y <= Piecewise((x, x > 2)) + 2, [*UNIT, y >= 0, y <= 1]),
        (Piecewise((log(x), x > -2), (0, True)) + y <= Piecewise((log(x), x > -2), (0, True)) + 2, [*UNIT, y >= 0, y <= 1]),
        ((x + y - 1) * log(x) <= 0, [Eq(x + y, 1), *UNIT]),
        (x * log(x) <= 0, [x >= 0, x <= 1]),
        ((x**2 - 1) / (x - 1) <= 2, [x >= 0, x <= 1]),
        (GaussianRenyi(x, 1) <= 1, [x >= Rational(1, 2), x <= 2]),
        (And(GaussianRenyi(x, 1) <= 1, x <= 2), [x >= Rational(1, 2), x <= 2]),
        (SampledGaussianRenyi(2, 1, x) <= 2, UNIT),
        (And(RenyiDivergence(2, bernoulli(x), bernoulli(x**2)) <= 10, x <= 2), [x >= 0, x <= Rational(1, 2)]),
        (RenyiMoment(2, bernoulli(x), bernoulli(x**2)) >= Rational(7, 5), [x >= 0, x <= Rational(1, 10)]),
        (sqrt(x) * sqrt(x - 1) >= -2, UNIT),
        (x ** Rational(1, 3) <= 2, UNIT),
        (x**y <= 2, [x >= -1, x <= 1, y >= 1, y <= 2]),
        (Sum(1, (Symbol("k", integer=True), 1, n - 5)) >= -10, [n <= 2]),
        (Implies(x > 0, log(x) <= x), UNIT),
    ],
)
def test_statements_without_a_value_somewhere(then, given):
    assert not certified(then, *given, budget=300)


def test_open_faces_keep_what_is_undefined_outside():
    q = positive("q")
    assert certified(log(q) <= q - 1 + Rational(1, 100), q >= Rational(1, 4), q <= 2)
    assert certified(q + 1 / (1 + q) >= 1, q <= 1)


def test_the_report_names_the_condition_that_fails():
    outcome = settle(Claim(id="c", text="", given=UNIT, then=log(x + Rational(1, 3)) <= 2, by=Boxes(budget=500)))
    assert outcome.verdict is Verdict.UNDECIDED
    assert "no value on a part of the domain" in outcome.detail and "x + 1/3 > 0" in outcome.detail


def test_slopes_need_the_statement_defined_on_the_whole_box():
    # Between its two components the gap is undefined, and its slope there, clipped to the real part, is finite.
    gap = Gap(((x - 1) * (x + 1)) ** Rational(5, 2) >= -1, (x,), ((Fraction(-2), Fraction(2)),))
    assert gap.bound_on(((Fraction(-2), Fraction(2)),)).method not in ("monotone", "mean-value", "taylor-face")


# --- the language --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "then",
    [tan(x) + y <= tan(x) + 2, sympy.zeta(x) + y <= sympy.zeta(x) + 2, sympy.sign(x) <= 2, Eq(x, y), Ne(x, y), sympy.Xor(x > 0, y > 0)],
)
def test_what_is_outside_the_language_is_named(then):
    with pytest.raises(LanguageError):
        certified(then, x >= 0, x <= 3, y >= 0, y <= 1)


def test_families_and_many_variables_are_reported():
    p = family("p")
    a, b = real("a b")
    assert "symbolic length" in cover(Claim(id="c", text="", then=p[1] <= x)).reason
    sides = [bound for v in (a, b, x, y, z) for bound in (v >= 0, v <= 1)]
    assert "5 variables" in cover(Claim(id="c", text="", given=sides, then=a + b + x + y + z <= 6)).reason


@pytest.mark.parametrize(
    "given", [[x >= 2, x <= 1], [x > 1, x < 1], [x >= 0, x <= 1, x**2 >= 2], [n >= 3, n <= 2], [2 * n > 4, 2 * n < 6], [Eq(x, 2), x <= 1]]
)
def test_empty_domains_are_errors(given):
    with pytest.raises(EmptyDomainError):
        settle(Claim(id="c", text="", given=given, then=x + n <= 1, by=None))


def test_an_example_must_lie_in_the_domain():
    good = Claim(id="c", text="", given=[x >= 0, x <= 1], then=x <= 1, example={x: Rational(1, 2)}, by=Boxes())
    assert settle(good).verdict is Verdict.CERTIFIED
    with pytest.raises(ClaimError, match="example"):
        settle(Claim(id="c", text="", given=[x >= 0, x <= 1], then=x <= 1, example={x: 5}, by=Boxes()))


def test_a_budget_in_boxes_ends_the_search():
    found = cover(
        Claim(id="c", text="", given=UNIT, then=exp(x - sqrt(2) / 3) >= 1 + x - Rational(471404520791031682933896, 10**24)),
        Boxes(budget=37),
    )
    assert not found.complete and "37 boxes" in found.reason and found.leftovers


# --- parts ---------------------------------------------------------------------------------------------------------


def test_equalities_are_solved_only_where_they_are_linear():
    _, kept, solved = solve_equalities(x * y <= 1, (Eq(x + y, 1), x >= 0, y >= 0))
    assert set(solved) == {y} and sympy.expand(solved[y] - (1 - x)) == 0 and len(kept) == 2
    assert solve_equalities(x <= 1, (Eq(x**2 + y**2, 1),))[2] == {}
    assert solve_equalities(x <= 1, (Eq(n, 2 * integer("m")),))[2] == {}
    chained = solve_equalities(x <= 1, (Eq(x + y, 1), Eq(y + z, 1)))[2]
    assert all(not (value.free_symbols & set(chained)) for value in chained.values())


def test_substitution_does_not_let_sympy_decide():
    spike = Integral(exp(-(10**8) * (y - x) ** 2), (y, 0, 1))
    then, _, solved = solve_equalities(spike >= Rational(1, 10**4), (Eq(x, Rational(1, 3)),))
    assert solved == {x: Rational(1, 3)}
    assert then not in (sympy.true, sympy.false)


def test_statements_that_sympy_decides_are_not_decided_here():
    q = positive("q")
    for then in (q > 0, q < 0, Rational(1, 2) < 1, Integral(x, (x, 0, 1)) <= 1):
        outcome = settle(Claim(id="c", text="", given=[q <= 1], then=then))
        assert outcome.verdict is Verdict.UNDECIDED and "evaluate=False" in outcome.detail


def test_integer_sides_split_between_integers():
    box = ((Fraction(0), Fraction(5)), (Fraction(0), Fraction(1)))
    assert split(box, 0, whole=True) == (((Fraction(0), Fraction(2)), box[1]), ((Fraction(3), Fraction(5)), box[1]))
    assert split(box, 1, whole=False)[0][1] == (Fraction(0), Fraction(1, 2))


# --- Taylor forms at a face ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "low", "high", "holds"),
    [
        (sympy.Ge(x**2, 0, evaluate=False), 0, 1, True),
        (x**3 >= 0, 0, 1, True),
        (x**3 >= 0, -1, 0, False),
        (x**3 <= 0, -1, 0, True),
        (x**2 <= 0, -1, 0, False),
        (exp(x) - 1 - x >= 0, 0, 1, True),
        (exp(x) - 1 - x - x**2 / 2 >= 0, 0, 1, True),
        (exp(x) - 1 - x - x**2 / 2 >= 0, -1, 0, False),
        (exp(x) - 1 - x - x**2 / 2 <= 0, -1, 0, True),
        (x**2 > 0, 0, 1, False),
        (x ** Rational(3, 2) >= 0, 0, 1, True),
        (x ** Rational(3, 2) * (x - Rational(1, 100)) >= 0, 0, 1, False),
        ((1 - x) ** 3 * (1 + x) >= 0, 0, 1, True),
    ],
)
def test_taylor_forms_at_faces(then, low, high, holds):
    assert certified(then, x >= low, x <= high, budget=300) is holds


@pytest.mark.slow
def test_a_face_that_touches_along_an_edge():
    q, s = nonnegative("q"), positive("s")
    gap = q**2 * (exp(1 / s**2) - 1) - log(1 + q**2 * (exp(1 / s**2) - 1))
    assert certified(gap >= 0, s >= 1, s <= 3, q <= Rational(1, 4))
    assert not certified(gap <= q**4 / 10**9, s >= 1, s <= 3, q <= Rational(1, 4), budget=300)


# --- hostile statements: what they say is false or undefined in a place that is hard to see ------------------------

HIDDEN = Rational(1, 10**30)  # too short a piece of the domain for any search of boxes to land on


@pytest.mark.parametrize(
    "small",
    [sqrt(Symbol("w") ** 2), sympy.Pow(x**2, Rational(1, 2), evaluate=False), sympy.Pow(x**4, Rational(1, 4), evaluate=False)],
    ids=str,
)
def test_a_root_of_a_square_has_a_kink(small):
    """√(w²) is |w|, also for a symbol without assumptions and where sympy was told not to evaluate: no Taylor form reaches over 0."""
    (v,) = small.free_symbols
    false = Claim(id="c", text="", given=[v >= -HIDDEN, v <= 1], then=Le(small, v, evaluate=False), by=Boxes(budget=500))
    assert settle(false).verdict is not Verdict.CERTIFIED
    true = Claim(id="c", text="", given=[v >= 0, v <= 1], then=Le(small, v, evaluate=False), by=Boxes(budget=500))
    assert settle(true).verdict.holds is not False


@pytest.mark.parametrize("integrand", [sqrt(y), sqrt(y) * sqrt(y - 1), log(y) - log(y - 1)], ids=str)
def test_an_integrand_needs_a_value_whichever_way_the_integral_runs(integrand):
    backwards = Claim(
        id="c", text="", given=[x >= -2, x <= Rational(-3, 2)], then=Integral(integrand, (y, -1, x)) >= -100, by=Boxes(budget=50)
    )
    assert settle(backwards).verdict is Verdict.UNDECIDED
    forwards = Claim(id="c", text="", given=[x >= -1, x <= 0], then=Integral(exp(y), (y, 0, x)) <= 1, by=Boxes(budget=50))
    assert settle(forwards).verdict is Verdict.CERTIFIED


@pytest.mark.parametrize("facts", [{"nonzero": True}, {"even": True}, {"odd": True}], ids=str)
def test_an_index_that_skips_a_part_of_its_range_gives_no_sum(facts):
    k = Symbol("k", integer=True, **facts)
    last = 2 if k.is_even else 3
    with pytest.raises(ClaimError, match="which not all values from"):
        Claim(id="c", text="", given=[x >= 0, x <= 1], then=x + Sum(k**2, (k, -last, last)) >= 0, by=Boxes(budget=50))


def test_divergences_have_finite_orders_and_whole_steps():
    """At order oo the binomial formula would give 0 for a divergence that is infinite, and a step and a half would count as one."""
    q = nonnegative("q")
    for quantity in (
        SampledGaussianRenyi(sympy.oo, 1, q),
        SampledGaussianMoment(sympy.oo, 1, q),
        RenyiDivergence(sympy.oo, bernoulli(q), bernoulli(Rational(1, 2))),
        SampledGaussianDelta(1, 1, q, Rational(3, 2)),
        SubstituteGaussianDelta(1, 1, q, Rational(3, 2)),
    ):
        claim = Claim(id="c", text="", given=[q >= Rational(1, 4), q <= Rational(1, 2)], then=quantity <= 10**9, by=Boxes(budget=50))
        assert settle(claim).verdict is Verdict.UNDECIDED, quantity


def test_divergences_are_of_measures():
    """No negative entry, no negative density, no interval that runs backwards."""
    half, u = bernoulli(Rational(1, 2)), real("u")
    for quantity in (
        RenyiDivergence(3, bernoulli(x), half),
        RenyiMoment(3, half, bernoulli(x)),
        HockeyStick(0, bernoulli(x), half),
        LossTail(0, bernoulli(x), half),
        HockeyStick(0, u - x, sympy.Integer(1), (u, 0, 1)),
        HockeyStick(0, 1 + x * u, sympy.Integer(1), (u, 1, 0)),
    ):
        claim = Claim(id="c", text="", given=[x >= Rational(-1, 2), x <= Rational(1, 2)], then=quantity >= -10, by=Boxes(budget=300))
        assert settle(claim).verdict is Verdict.UNDECIDED, quantity
    inside = Claim(id="c", text="", given=[x >= 0, x <= 1], then=HockeyStick(0, bernoulli(x), half) >= 0, by=Boxes(budget=300))
    assert settle(inside).verdict is Verdict.CERTIFIED


def test_integrals_over_boxes_are_only_as_fine_as_the_box():
    """Exp(1) against Exp(2) in u = exp(-x): δ(ε) = e^{-ε}/4. With the precision of a point for a goal a single box takes seconds."""
    u, epsilon = Symbol("u", nonnegative=True), Symbol("epsilon", nonnegative=True)
    delta = HockeyStick(epsilon, 1, 2 * u, over=(u, 0, 1))
    domain = [epsilon <= 1]
    found = settle(Claim(id="c", text="", given=domain, then=delta <= exp(-epsilon) / 4 + Rational(1, 100), by=Boxes(budget=200)))
    assert found.verdict is Verdict.CERTIFIED
    found = settle(Claim(id="c", text="", given=domain, then=delta <= exp(-epsilon) / 4 - Rational(1, 1000), by=Boxes(budget=40)))
    assert not found.verdict.holds


def test_an_equality_premise_does_not_cancel_what_a_divergence_needs():
    """x + y - 1 is 0 on the domain, and the divergence of order 1/2 has no value all the same."""
    alpha, tables = real("alpha"), ((Rational(1, 2), Rational(1, 2)), (Rational(1, 3), Rational(2, 3)))
    given = [Eq(x + y, 1), x >= 0, y >= 0, alpha >= Rational(1, 4), alpha <= Rational(1, 2)]
    claim = Claim(id="order", text="", given=given, then=RenyiDivergence(alpha, *tables) * (x + y - 1) <= 1)
    assert not cover(claim, Boxes(budget=100)).complete


def test_the_root_of_a_negative_symbol_is_one_clear_answer():
    minus = sympy.Symbol("minus", negative=True)
    claim = Claim(id="root", text="", given=[minus > -2], then=sympy.gamma(log(sqrt(minus) + 2)) >= 0)
    assert not cover(claim, Boxes(budget=20)).complete
