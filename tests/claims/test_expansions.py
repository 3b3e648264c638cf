"""Taylor forms, case distinctions and infinite sides: what they settle, and what they must not."""

from fractions import Fraction

import pytest
import sympy
from sympy import Abs, Eq, Max, Min, Piecewise, Rational, Symbol, cos, erf, exp, log, sqrt

from dpbounds import Claim, settle
from dpbounds.claims import Boxes
from dpbounds.claims.boxes import rays
from dpbounds.claims.boxes.cases import cases_of
from dpbounds.claims.boxes.certify import cover
from dpbounds.claims.boxes.expansions import Graph, _FromGraph
from dpbounds.claims.boxes.gap import Gap, signs_of
from dpbounds.claims.boxes.ties import is_positive_definite, recognised
from dpbounds.claims.boxes.writings import smooth_conditions_of, tidied, vanishes
from dpbounds.claims.evidence import replay
from dpbounds.claims.evidence.sealing import of_cover
from dpbounds.claims.verdict import Verdict
from dpbounds.language.symbols import integer, nonnegative, positive, real
from dpbounds.numbers import balls

x, y, z = real("x y z")
s, t = positive("s t")
q = nonnegative("q")
n = integer("n")
bare = Symbol("bare")
third = Rational(1, 3)
UNIT = [x >= -1, x <= 1]
SQUARE = [*UNIT, y >= -1, y <= 1]


def certified(then, *given, budget=400):
    """Whether boxes cover the domain; a cover must also survive replay, on intervals alone."""
    claim = Claim(id="c", text="", given=given, then=then)
    found = cover(claim, Boxes(budget=budget))
    if found.complete and found.leaves:
        checked = replay.replay(of_cover(claim, found, 80), claim)
        assert checked.verdict is Verdict.CERTIFIED
        return True
    return False


TIES = [
    (exp(x) >= 1 + x, UNIT),
    (x * y <= Rational(1, 4), [Eq(x + y, 1), x >= 0, y >= 0]),
    (x**2 - 2 * third * x + third**2 >= 0, UNIT),
    (exp(x + y) >= 1 + x + y, SQUARE),
    (exp(x) + exp(y) + x * y / 4 >= 2 + x + y, SQUARE),
    (exp(x - third) + exp(y + third / 2) + (x - third) * (y + third / 2) / 4 >= 2 + x - third + y + third / 2, SQUARE),
    (x * log(x) >= -exp(-1), [x >= Rational(1, 10), x <= 1]),
    (x - log(x) / 2 >= Rational(1, 2) + log(2) / 2, [x >= Rational(1, 10), x <= 1]),
    (x**2 + y**2 + z**2 >= x * y + y * z + z * x, [*SQUARE, z >= -1, z <= 1]),
    (Max(x, 1 - x) >= Rational(1, 2), UNIT),
    (Min(exp(x), 1 + x) <= 1 + x, UNIT),
    (Abs(x - third) >= x - third, UNIT),
    (sympy.Ge(Max(exp(x) - 1, x), x, evaluate=False), UNIT),
    (Piecewise((x**2, x < third), (2 * third * x - third**2, True)) >= 2 * third * x - third**2, UNIT),
    ((1 + x) ** n >= 1 + n * x, [x >= 0, x <= 1, n >= 1, n <= 5]),
]


@pytest.mark.parametrize(("then", "given"), TIES)
def test_ties_are_settled(then, given):
    assert certified(then, *given)


@pytest.mark.parametrize(("then", "given"), TIES)
@pytest.mark.parametrize("gap", [Rational(1, 10**4), Rational(1, 10**12)])
def test_ties_that_are_missed_by_a_little_are_not(then, given, gap):
    assert not certified(then.func(then.lhs, then.rhs + (gap if isinstance(then, sympy.Ge) else -gap), evaluate=False), *given, budget=200)


@pytest.mark.parametrize(("then", "given"), TIES)
def test_ties_are_not_strict(then, given):
    strict = sympy.Gt if isinstance(then, sympy.Ge) else sympy.Lt
    assert not certified(strict(then.lhs, then.rhs, evaluate=False), *given, budget=150)


@pytest.mark.parametrize(
    ("then", "given"),
    [
        # The derivatives of √(x²) cancel to 0 where the root is not smooth.
        (bare >= sqrt(bare**2), [bare >= -1, bare <= 1]),
        (bare - sqrt(bare**2) >= 0, [bare >= -1, bare <= 2]),
        ((bare**2) ** Rational(3, 2) <= bare**3, [bare >= -1, bare <= 1]),
        (x * sqrt(y**2) <= x * y, [x >= 0, x <= 1, y >= -1, y <= 1]),
        # A saddle: both second derivatives are positive, the matrix is not.
        (x**2 + y**2 >= 3 * x * y, SQUARE),
        (exp(x) + exp(y) >= 2 + x + y + Rational(3, 2) * x * y, SQUARE),
        # Vanishing derivatives of odd order, seen from both sides.
        ((x - third) ** 3 >= 0, UNIT),
        (x**3 * (1 + y**2) >= 0, SQUARE),
        # A tie elsewhere: the critical point is no minimum of the whole.
        (x**2 * (x**2 - Rational(1, 4)) >= 0, UNIT),
        (x**4 - x**2 / 10 + Rational(1, 500) >= 0, UNIT),
        # The premise bounds x, and the gap falls towards it on one part only.
        (x * (1 - x - y) >= y**3 / 1000, [x >= 0, y >= 0, x + y <= 1]),
        # Premises about a variable that was moved say nothing.
        (2 * x - y >= 0, [x >= 0, x <= 1, y >= 0, y <= 1, x >= y - Rational(2, 3)]),
        (x - y + Rational(1, 3) >= 0, [x >= 0, x <= 1, y >= 0, y <= 1, x + y >= Rational(1, 2)]),
        # Cases whose premises leave something out.
        (Max(x, -x) <= x, UNIT),
        (Max(x, y) <= (x + y) / 2, SQUARE),
        (Min(x, y, x + y) >= -1, SQUARE),
        (Abs(x) >= Rational(1, 10**6), UNIT),
        (Piecewise((x, x < third), (1 - x, x > third + Rational(1, 10**9)), (-1, True)) >= -1 + Rational(1, 10**6), UNIT),
        (Piecewise((1, sympy.Or(x < 0, x > third)), (-x, True)) >= Rational(-33, 100), UNIT),
        # Removable singularities and faces at which something is undefined.
        (log(1 + s) / s <= 1 - s / 2 + s**2 / 4, [s <= 1]),
        (s * log(s) >= Rational(-36787, 100000), [s <= 1]),
    ],
)
def test_what_only_looks_like_a_tie(then, given):
    assert not certified(then, *given, budget=250)


UNBOUNDED = [
    (2 * x <= 1 + x**2, []),
    (exp(x) >= 1 + x, []),
    (exp(-(x**2)) <= 1, []),
    (log(1 + s) <= s, []),
    (2**n >= n + 1, [n >= 1]),
    (x / (1 + x) <= 1, [x >= 0]),
    (erf(x) <= 1, [x >= 0]),
    (x / s <= x, [s >= 1, x >= 0]),
    (sympy.Ge(Max(x, -x), x, evaluate=False), []),
    (sympy.Ge(exp(-(x**2)), 0, evaluate=False), []),
]


BY_DESCENT = [
    (x**4 + y**4 >= 4 * x * y - 2, [x >= Rational(1, 2), x <= 2, y >= Rational(1, 2), y <= 2]),
    (x * exp(-x) <= exp(-1), [x >= 0]),
    (x**2 * exp(-x) <= 4 * exp(-2), [x >= 0]),
    (x * exp(x) >= -exp(-1), [x <= 0]),
    (2 * x * y / (1 + x**2) / (1 + y**2) <= Rational(1, 2), [x >= 0, y >= 0]),
]


@pytest.mark.parametrize(("then", "given"), BY_DESCENT)
def test_ties_that_boxes_leave_are_settled_by_descents(then, given):
    assert settle(Claim(id="c", text="", given=given, then=then), budget=20).verdict is Verdict.CERTIFIED


@pytest.mark.parametrize(("then", "given"), UNBOUNDED)
def test_unbounded_domains(then, given):
    assert certified(then, *given, budget=800)


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (x * exp(-x) <= exp(-1) - Rational(1, 10**9), [x >= 0]),
        (x / (1 + x) <= 1 - Rational(1, 10**9), [x >= 0]),
        (x / (1 + x) < 1 - Rational(1, 10**30), [x >= 0]),
        (exp(-x) >= Rational(1, 10**100), [x >= 0]),
        (log(x) <= 10**6, [x >= 1]),
        (x - log(1 + x) * 10**6 <= 0, [x >= 10**8]),
        (1 / x >= Rational(1, 10**40), [x >= 1]),
        (x**3 <= 10**60, []),
        (2**n <= 10**9 * n, [n >= 1]),
        (x * y <= x + y + 10**9, [x >= 0, y >= 0]),
        (x - y <= 10**6, [x >= 0, y >= 0]),
        (sqrt(x) + x >= x - 1, []),
        (1 / (x - 5) + x >= 1 / (x - 5), [x >= 0]),
        (exp(x) * exp(-x) * x <= 5, [x >= 1]),
    ],
)
def test_false_or_undefined_on_unbounded_domains(then, given):
    assert not certified(then, *given, budget=250)


def test_moving_out_of_the_domain_switches_premises_off():
    # g = 2x − y rises in x; at the moved point x = 0 the premise x >= y − 2/3 is about another x.
    faces = ((Fraction(0), Fraction(1)), (Fraction(0), Fraction(1)))
    premise = x >= y - Rational(2, 3)
    gap = Gap(2 * x - y + Rational(1, 3) >= 0, (x, y), faces, (premise,))
    with balls.precision(80):
        bound = gap.bound_on(faces, touching=True)
    assert bound.truth is not True


def test_each_condition_of_a_graph_form_is_needed():
    faces = ((Fraction(-1), Fraction(1)),)
    box = ((Fraction(-1, 2), Fraction(1, 2)),)
    with balls.precision(80):
        values = [balls.interval(*box[0])]

        def settles(small, at, side=0):
            gap = Gap(sympy.Ge(small, 0, evaluate=False), (x,), faces)
            form = _FromGraph.of_gap(gap, Graph(x, at, side))
            return form is not None and form.bound(box, values, frozenset()) is not None

        zero = sympy.S.Zero
        assert settles(x**2 + x**3 / 10, zero)
        assert not settles(x**2 - Rational(1, 10**9), zero)  # below 0 at the place itself
        assert not settles(x**3, zero)  # odd order from both sides
        assert settles(x**3, zero, side=1)  # unless a premise says which
        assert not settles(x**3, zero, side=-1)
        assert not settles(x**2 - x**4 * 100, zero)  # the second derivative changes sign on the reach
        assert not settles(x + x**2, zero)  # the first derivative does not vanish


def test_interval_elimination_recognises_definite_matrices():
    one, half = balls.ball(1), balls.interval(Fraction(-1, 2), Fraction(1, 2))
    assert is_positive_definite([[one, half], [half, one]])
    assert not is_positive_definite([[one, one], [one, one]])
    assert not is_positive_definite([[one, 2 * one], [2 * one, one]])
    assert not is_positive_definite([[one, 3 * half], [3 * half, one]])
    assert not is_positive_definite([[balls.ball(0)]])


def test_coordinates_are_guessed_only_when_they_are_close():
    with balls.precision(120):
        assert recognised(balls.ball(2).sqrt()) == sqrt(2)
        assert recognised(balls.ball(3).log()) == log(3)
        assert recognised(balls.ball(1) / 3) == third
        assert recognised(balls.ball(1) / 3 + balls.ball(10) ** -9) is None


def test_what_vanishes_is_shown_and_not_guessed():
    assert vanishes(sympy.sin(x) - sympy.sin(x))
    assert not vanishes(x * Rational(1, 10**40))
    assert not vanishes(sympy.nan)
    assert not vanishes(cos(x) ** 2 + sympy.sin(x) ** 2 - 1 + Rational(1, 10**30))


def test_factored_forms_keep_the_value():
    assert tidied(x * exp(-x) - exp(-x)) == (x - 1) * exp(-x)
    assert tidied(x**2 - y**2) == (x - y) * (x + y)


def test_a_smooth_gap_keeps_away_from_branch_points():
    assert set(smooth_conditions_of(sqrt(x) * log(y))) == {x > 0, y > 0}
    assert smooth_conditions_of(exp(x) * erf(x)) == []


def test_signs_come_from_the_faces_only():
    assert signs_of((x,), ((Fraction(1), Fraction(2)),))[x].is_positive
    assert signs_of((x,), ((Fraction(0), Fraction(2)),))[x].is_nonnegative
    assert signs_of((x,), ((Fraction(-1), Fraction(2)),)) == {}
    assert signs_of((x,), ((float("-inf"), Fraction(2)),)) == {}
    assert signs_of((n,), ((Fraction(1), Fraction(2)),))[n].is_integer


def test_cases_cover_every_point():
    assert len(cases_of(Max(x, y, z) + Abs(x))) == 6
    assert cases_of(x + y) is None
    assert cases_of(sum(Abs(x - k) for k in range(8))) is None  # too many
    for point in ((1, 2, 3), (-1, 0, 0), (2, 2, -5)):
        numbers = dict(zip((x, y, z), map(sympy.Integer, point), strict=True))
        gap = Max(x, y, z) - Abs(x - y) + Piecewise((x, x < y), (z, y > 0), (1, True))
        applying = [e.subs(numbers) for e, conditions in cases_of(gap) if all(c.subs(numbers) == sympy.true for c in conditions)]
        assert applying and set(applying) == {gap.subs(numbers)}


# --- intervals with infinite ends ----------------------------------------------------------------------------------

INF = float("inf")


@pytest.mark.parametrize(
    ("expression", "low", "high", "least", "largest"),
    [
        (x, 2, INF, 2, INF),
        (1 / x, 2, INF, 0, Fraction(1, 2)),
        (1 / x, -INF, -2, Fraction(-1, 2), 0),
        (1 / s, 0, 4, Fraction(1, 4), INF),
        (x - x**2, 1, INF, -INF, INF),
        (x * (1 - x), 1, INF, -INF, 0),
        (exp(-x) * x, 0, INF, 0, INF),
        (exp(x), -INF, 0, 0, 1),
        (log(x), 1, INF, 0, INF),
        (sqrt(x), 4, INF, 2, INF),
        (x**3, -INF, -1, -INF, -1),
        (x**2, -INF, INF, 0, INF),
        (Abs(x), -INF, 1, 0, INF),
        (Max(x, 3), 0, INF, 3, INF),
        (Min(x, 3), 0, INF, 0, 3),
        (0 * x + x / (1 + x), 1, INF, 0, INF),
        (sympy.erfc(x), 0, INF, 0, 1),
        (x ** Rational(-3, 2), 4, INF, 0, Fraction(1, 8)),
    ],
)
def test_infinite_ends(expression, low, high, least, largest):
    box = dict.fromkeys((x, s), rays.ends_of(*(Fraction(e) if abs(e) != INF else e for e in (low, high))))
    first, last = rays.value(expression, box)
    tiny = Fraction(1, 10**9)
    for found, wanted, sign in ((first, least, 1), (last, largest, -1)):
        if abs(wanted) == INF:
            assert not found.is_finite() and (found > 0) == (wanted > 0)
        else:
            exact = balls.to_fraction(found)
            assert sign * exact <= sign * wanted <= sign * exact + tiny


@pytest.mark.parametrize("expression", [log(x), sqrt(x), 1 / x, x**x, sympy.gamma(x)])
def test_what_may_be_undefined_has_no_infinite_interval(expression):
    with pytest.raises(rays.Unknown):
        rays.value(expression, {x: rays.ends_of(Fraction(-1), INF)})


def test_products_at_infinity_contain_all_products():
    ray = rays.ends_of(Fraction(3), INF)
    low, high = rays.value(x * y, {x: rays.ends_of(Fraction(0), Fraction(1, 10**6)), y: ray})
    assert low == 0 and not high.is_finite()
    low, high = rays.value(x * y, {x: rays.ends_of(Fraction(0), Fraction(0)), y: ray})
    assert low == 0 and high == 0


def test_a_reach_beyond_the_domain_is_not_analytic_because_a_symbol_is_positive():
    """The face x >= 1 makes x a positive symbol; a reach stretched to -1 still leaves where x^(5/2) is analytic."""
    x = sympy.Symbol("x", real=True)
    gap = Gap(x ** sympy.Rational(5, 2) >= 0, (x,), ((Fraction(1), Fraction(2)),), (x >= 1, x <= 2))
    assert gap.is_smooth_on([balls.interval(Fraction(1), Fraction(2))])
    assert not gap.is_smooth_on([balls.interval(Fraction(-1), Fraction(2))])


def test_a_tie_at_zero_that_no_box_of_the_search_names():
    assert certified(exp(2 * x**2) * (1 - x**2) >= 1, x**2 <= Rational(1, 2))
    assert certified(1 / (1 - x**2) <= exp(2 * x**2), x**2 <= Rational(1, 2))
