"""Terms evaluate nothing, refuse what is not well formed, and substitute without capture."""

import copy
import pickle
from fractions import Fraction

import pytest

from dpbounds.logic import notation, terms
from dpbounds.logic.terms import (
    Family,
    Function,
    Term,
    TermError,
    binder,
    bound,
    conjuncts,
    instantiate,
    node,
    number,
    opened,
    premises_of,
    renamed,
    substitute,
    term,
    variable,
    walk,
)

X, Y, Z = (variable(name) for name in "xyz")
K, J, N = (variable(name, "Z") for name in "ijn")
P = Family("p", "R", ("nonnegative",))


ONE = number(1)


def total(body: Term, index: Term = K, low: Term = ONE, high: Term = N) -> Term:
    return binder("Sum", index, [low, high], body)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (X - X, "x - x"),
        (0 * X, "0*x"),
        (X / X, "x/x"),
        (X**0, "x**0"),
        (abs(variable("v", "R", ["positive"])), "Abs(v)"),
        (node("oo") - node("oo"), "oo - oo"),
        (node("log", node("exp", X)), "log(exp(x))"),
        (node("sqrt", X**2), "sqrt(x**2)"),
        (node("Max", X, X, number(0)), "Max(x, x, 0)"),
        (node("And", X < Y, X < Y), "And(x < y, x < y)"),
        (total(X, K, number(5), number(1)), "Sum(x, (i, 5, 1))"),
        (number(2) + number(3), "2 + 3"),
        (variable("s", "R", ["positive"]) > 0, "s > 0"),
        (X >= 5, "x >= 5"),
        (node("Piecewise", X, node("true"), Y, node("false")), "Piecewise((x, True), (y, False))"),
    ],
)
def test_nothing_is_evaluated(typed: Term, shown: str) -> None:
    assert str(typed) == shown


def test_sums_and_products_from_the_left_are_one_node() -> None:
    assert len((X + Y + Z).parts) == 3 and len((X * Y / Z).parts) == 3
    assert len((X + (Y + Z)).parts) == 2 and str(X + (Y + Z)) == "x + (y + z)"
    assert sum([X, Y, Z]) == X + Y + Z
    assert sum(X / k for k in range(1, 1001)).depth <= 4


def test_numerals_have_one_form() -> None:
    assert -number(2) == number(-2) and number(1) / number(3) == number(1, 3) and number(1) / 2 * X == number(1, 2) * X
    assert (1 / X).subs(X, 2) == number(1, 2)
    assert str(number(1) / number(0)) == "1/0"
    assert number(3) == 3 and hash(number(3)) == hash(3) and number(3) in {3: ""} and number(1, 2) == Fraction(1, 2)
    assert (number(1) == True) is False  # noqa: E712


class Rounded(float):
    """As numpy has its own."""


def test_floats_are_refused_with_the_fraction_that_is_meant() -> None:
    with pytest.raises(TermError, match=r"Rational\(1, 10\)"):
        X + 0.1
    with pytest.raises(TermError, match="exact"):
        term(float("nan"))
    with pytest.raises(TermError, match="exact"):
        X * Rounded(0.5)


def test_python_cannot_decide_a_relation() -> None:
    for ask in (lambda: 0 < X < 1, lambda: max(X, 1), lambda: bool(X <= 1), lambda: (X <= 1) and (X >= 0), lambda: sorted([X, Y])):
        with pytest.raises(TermError, match="no truth value"):
            ask()
    assert bool(number(1) <= number(2)) and not number(2) < 1
    assert X in [Y, X] and bool(X) and not number(0)


def test_numbers_of_python_are_not_made_of_terms() -> None:
    import math

    for ask in (lambda: math.exp(X), lambda: int(X), lambda: float(X), lambda: range(N), lambda: round(X)):
        with pytest.raises(TermError, match="float"):
            ask()


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: node("exp", X, Y), "exp does not take"),
        (lambda: node("exp", X <= 1), "exp does not take a condition"),
        (lambda: X + (X <= 1), "a condition"),
        (lambda: X <= True, "a condition"),
        (lambda: node("And", X, Y), "And does not take"),
        (lambda: node("Tuple", X) + 1, "a table"),
        (lambda: node("GaussianDelta", X), "GaussianDelta does not take"),
        (lambda: node("noise", X), "noise does not take"),
        (lambda: node("Piecewise", X), "Piecewise"),
        (lambda: binder("Sum", X, [number(1), N], X), "binds an integer"),
        (lambda: binder("Integral", K, [number(1), N], K), "binds a real"),
        (lambda: binder("Sum", X + 1, [number(1), N], X), "binds a variable"),
        (lambda: binder("Sum", K, [number(1)], K), "with a range"),
        (lambda: binder("ForAll", X, [], X, X <= 1), "ForAll"),
        (lambda: binder("HockeyStick", X, [number(0), number(1), Y], X), "HockeyStick"),
        (lambda: P[X <= 1], "a condition"),
        (lambda: term("1/2"), "not part of a statement"),
        (lambda: term(object()), "not part of a statement"),
        (lambda: X + None, "unsupported operand"),
        (lambda: variable(""), "has a name"),
        (lambda: variable("oo"), "a constant"),
        (lambda: list(P), "no end"),
        (lambda: list(X), "no table"),
    ],
)
def test_what_is_not_well_formed_is_refused(make: object, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        make()  # type: ignore[operator]


def test_limits_hold() -> None:
    deep = X
    with pytest.raises(TermError, match="too deeply"):
        for _ in range(10_000):
            deep = node("exp", deep)
    assert deep.depth == terms.DEPTH
    wide = X
    with pytest.raises(TermError, match="too large"):
        for _ in range(100):
            wide = wide * (wide + 1)
    with pytest.raises(TermError, match="3900 digits"):
        number(10**4000)


def test_a_bound_variable_has_no_name() -> None:
    assert total(P[K]) == total(P[J], J) and hash(total(P[K])) == hash(total(P[J], J))
    assert total(P[K]) != total(P[J]) and total(P[J]).free == {J, N, P}
    assert total(P[K]).free == {N, P}


def test_a_sign_is_no_part_of_what_a_variable_may_be() -> None:
    plain, signed = variable("x"), variable("x", "R", ["positive"])
    assert plain != signed and premises_of([signed <= 1]) == [signed > 0] and premises_of([plain <= 1]) == []
    bound_one = variable("t", "R", ["positive"])
    assert binder("Integral", bound_one, [number(0), number(1)], bound_one) == binder("Integral", X, [number(0), number(1)], X)


def test_substitution_captures_nothing() -> None:
    inside = total(X * P[K])
    found = inside.subs(X, K)  # the free i is another one
    assert found.free == {K, N, P} and found != total(K * P[K])
    assert str(found) == "Sum(i*p[i_1], (i_1, 1, n))"
    assert found == total(K * P[J], J)
    assert total(P[K]).subs(K, 7) == total(P[K])
    assert total(P[K]).subs({N: 3}) == total(P[K], high=number(3))
    assert (X + Y).subs({X: Y, Y: X}) == Y + X


def test_an_inner_variable_hides_an_outer_one() -> None:
    nested = total(P[K] + total(K, K, number(1), number(2)))
    assert nested == total(P[J] + total(K, K, number(1), number(2)), J)
    assert str(nested) == "Sum(p[i] + Sum(i, (i, 1, 2)), (i, 1, n))"
    both = total(total(P[K] * P[J], J), K)
    renamed_inner = both.subs(N, 2)
    assert str(renamed_inner) == "Sum(Sum(p[i]*p[j], (j, 1, 2)), (i, 1, 2))"
    same_name = binder("Sum", variable("i", "Z"), [number(1), N], instantiate(total(P[bound(0, "Z")] * P[J], J).parts[2], J))
    assert same_name.tag == "Sum"


def test_two_binders_of_one_name_are_told_apart_in_text() -> None:
    inner = Term("Sum", ("Z",), (number(1), N, P[bound(0, "Z")] * P[bound(1, "Z")]), "R", ("i", "Z", ()), 2)
    outer = Term("Sum", ("Z",), (number(1), N, inner), "R", ("i", "Z", ()), 2)
    assert str(outer) == "Sum(Sum(p[i_1]*p[i], (i_1, 1, n)), (i, 1, n))"


def test_only_an_integer_is_put_for_an_integer() -> None:
    with pytest.raises(TermError, match="integer"):
        (N + 1).subs(N, X)
    with pytest.raises(TermError, match="integer"):
        (N + 1).subs(N, Fraction(1, 2))
    assert (N + 1).subs(N, K * 2) == K * 2 + 1


def test_opening_a_binder_gives_a_new_variable() -> None:
    x, (body,) = opened(total(P[K] * K.subs(K, J)).subs(J, K))
    assert x.data[0] == "i_1" and body == P[x] * K
    assert opened(total(P[K]))[0] == K


@pytest.mark.parametrize("fact", ["positive", "nonnegative"])
def test_a_sum_of_both_signs_binds_no_other_variable_of_its_name(fact: str) -> None:
    other = variable("i", "Z", [fact])
    both = notation.Sum(other * K, (K, -J, J))
    assert all(other in part.free for part in both.parts) and K not in both.free
    assert both.subs(other, 2) == notation.Sum(2 * K, (K, -J, J))


def test_renaming_reaches_families_and_functions() -> None:
    f, g = Function("f"), Function("g")
    assert renamed(f(X) + P[K], {f: g, X: Y, P: Family("q")}) == g(Y) + Family("q")[K]


def test_terms_do_not_change_and_survive_other_processes() -> None:
    t = total(P[K] * X, K)
    with pytest.raises(AttributeError):
        t.tag = "Integral"
    with pytest.raises(AttributeError):
        del t.tag
    assert not hasattr(t, "__dict__")
    assert pickle.loads(pickle.dumps(t)) == t and pickle.loads(pickle.dumps(t)).hint == t.hint
    assert copy.deepcopy(t) is t


def test_conjunctions_open() -> None:
    assert conjuncts(node("And", X > 0, node("And", Y > 0, Z > 0))) == (X > 0, Y > 0, Z > 0)
    assert conjuncts(node("true")) == ()
    assert [s.tag for s in walk(X + 1)] == ["+", "variable", "number"]
    assert substitute(X, {}) is X
