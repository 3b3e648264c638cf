"""Terms evaluate nothing, refuse what is not well formed, and substitute without capture."""

import copy
import pickle
from fractions import Fraction

import pytest

from dpbounds.logic import notation, terms

X, Y, Z = (terms.variable(name) for name in "xyz")
K, J, N = (terms.variable(name, "Z") for name in "ijn")
P = terms.Family("p", "R", ("nonnegative",))


ONE = terms.number(1)


def total(body: terms.Term, index: terms.Term = K, low: terms.Term = ONE, high: terms.Term = N) -> terms.Term:
    return terms.binder("Sum", index, [low, high], body)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (X - X, "x - x"),
        (0 * X, "0*x"),
        (X / X, "x/x"),
        (X**0, "x**0"),
        (abs(terms.variable("v", "R", ["positive"])), "Abs(v)"),
        (terms.node("oo") - terms.node("oo"), "oo - oo"),
        (terms.node("log", terms.node("exp", X)), "log(exp(x))"),
        (terms.node("sqrt", X**2), "sqrt(x**2)"),
        (terms.node("Max", X, X, terms.number(0)), "Max(x, x, 0)"),
        (terms.node("And", X < Y, X < Y), "And(x < y, x < y)"),
        (total(X, K, terms.number(5), terms.number(1)), "Sum(x, (i, 5, 1))"),
        (terms.number(2) + terms.number(3), "2 + 3"),
        (terms.variable("s", "R", ["positive"]) > 0, "s > 0"),
        (X >= 5, "x >= 5"),
        (terms.node("Piecewise", X, terms.node("true"), Y, terms.node("false")), "Piecewise((x, True), (y, False))"),
    ],
)
def test_nothing_is_evaluated(typed: terms.Term, shown: str) -> None:
    assert str(typed) == shown


def test_sums_and_products_from_the_left_are_one_node() -> None:
    assert len((X + Y + Z).parts) == 3 and len((X * Y / Z).parts) == 3
    assert len((X + (Y + Z)).parts) == 2 and str(X + (Y + Z)) == "x + (y + z)"
    assert sum([X, Y, Z]) == X + Y + Z
    assert sum(X / k for k in range(1, 1001)).depth <= 4


def test_numerals_have_one_form() -> None:
    assert (
        -terms.number(2) == terms.number(-2)
        and terms.number(1) / terms.number(3) == terms.number(1, 3)
        and terms.number(1) / 2 * X == terms.number(1, 2) * X
    )
    assert (1 / X).subs(X, 2) == terms.number(1, 2)
    assert str(terms.number(1) / terms.number(0)) == "1/0"
    assert terms.number(3) == 3 and hash(terms.number(3)) == hash(3) and terms.number(3) in {3: ""} and terms.number(1, 2) == Fraction(1, 2)
    assert (terms.number(1) == True) is False  # noqa: E712


class Rounded(float):
    """As numpy has its own."""


def test_floats_are_refused_with_the_fraction_that_is_meant() -> None:
    with pytest.raises(terms.TermError, match=r"Rational\(1, 10\)"):
        X + 0.1
    with pytest.raises(terms.TermError, match="exact"):
        terms.term(float("nan"))
    with pytest.raises(terms.TermError, match="exact"):
        X * Rounded(0.5)


def test_python_cannot_decide_a_relation() -> None:
    for ask in (lambda: 0 < X < 1, lambda: max(X, 1), lambda: bool(X <= 1), lambda: (X <= 1) and (X >= 0), lambda: sorted([X, Y])):
        with pytest.raises(terms.TermError, match="no truth value"):
            ask()
    assert bool(terms.number(1) <= terms.number(2)) and not terms.number(2) < 1
    assert X in [Y, X] and bool(X) and not terms.number(0)


def test_numbers_of_python_are_not_made_of_terms() -> None:
    import math

    for ask in (lambda: math.exp(X), lambda: int(X), lambda: float(X), lambda: range(N), lambda: round(X)):
        with pytest.raises(terms.TermError, match="float"):
            ask()


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: terms.node("exp", X, Y), "exp does not take"),
        (lambda: terms.node("exp", X <= 1), "exp does not take a condition"),
        (lambda: X + (X <= 1), "a condition"),
        (lambda: X <= True, "a condition"),
        (lambda: terms.node("And", X, Y), "And does not take"),
        (lambda: terms.node("Tuple", X) + 1, "a table"),
        (lambda: terms.node("GaussianDelta", X), "GaussianDelta does not take"),
        (lambda: terms.node("noise", X), "noise does not take"),
        (lambda: terms.node("Piecewise", X), "Piecewise"),
        (lambda: terms.binder("Sum", X, [terms.number(1), N], X), "binds an integer"),
        (lambda: terms.binder("Integral", K, [terms.number(1), N], K), "binds a real"),
        (lambda: terms.binder("Sum", X + 1, [terms.number(1), N], X), "binds a variable"),
        (lambda: terms.binder("Sum", K, [terms.number(1)], K), "with a range"),
        (lambda: terms.binder("ForAll", X, [], X, X <= 1), "ForAll"),
        (lambda: terms.binder("HockeyStick", X, [terms.number(0), terms.number(1), Y], X), "HockeyStick"),
        (lambda: P[X <= 1], "a condition"),
        (lambda: terms.term("1/2"), "not part of a statement"),
        (lambda: terms.term(object()), "not part of a statement"),
        (lambda: X + None, "unsupported operand"),
        (lambda: terms.variable(""), "has a name"),
        (lambda: terms.variable("oo"), "a constant"),
        (lambda: list(P), "no end"),
        (lambda: list(X), "no table"),
    ],
)
def test_what_is_not_well_formed_is_refused(make: object, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        make()  # type: ignore[operator]


def test_limits_hold() -> None:
    deep = X
    with pytest.raises(terms.TermError, match="too deeply"):
        for _ in range(10_000):
            deep = terms.node("exp", deep)
    assert deep.depth == terms.DEPTH
    wide = X
    with pytest.raises(terms.TermError, match="too large"):
        for _ in range(100):
            wide = wide * (wide + 1)
    with pytest.raises(terms.TermError, match="3900 digits"):
        terms.number(10**4000)


def test_a_bound_variable_has_no_name() -> None:
    assert total(P[K]) == total(P[J], J) and hash(total(P[K])) == hash(total(P[J], J))
    assert total(P[K]) != total(P[J]) and total(P[J]).free == {J, N, P}
    assert total(P[K]).free == {N, P}


def test_a_sign_is_no_part_of_what_a_variable_may_be() -> None:
    plain, signed = terms.variable("x"), terms.variable("x", "R", ["positive"])
    assert plain != signed and terms.premises_of([signed <= 1]) == [signed > 0] and terms.premises_of([plain <= 1]) == []
    bound_one = terms.variable("t", "R", ["positive"])
    assert terms.binder("Integral", bound_one, [terms.number(0), terms.number(1)], bound_one) == terms.binder(
        "Integral", X, [terms.number(0), terms.number(1)], X
    )


def test_substitution_captures_nothing() -> None:
    inside = total(X * P[K])
    found = inside.subs(X, K)  # the free i is another one
    assert found.free == {K, N, P} and found != total(K * P[K])
    assert str(found) == "Sum(i*p[i_1], (i_1, 1, n))"
    assert found == total(K * P[J], J)
    assert total(P[K]).subs(K, 7) == total(P[K])
    assert total(P[K]).subs({N: 3}) == total(P[K], high=terms.number(3))
    assert (X + Y).subs({X: Y, Y: X}) == Y + X


def test_an_inner_variable_hides_an_outer_one() -> None:
    nested = total(P[K] + total(K, K, terms.number(1), terms.number(2)))
    assert nested == total(P[J] + total(K, K, terms.number(1), terms.number(2)), J)
    assert str(nested) == "Sum(p[i] + Sum(i, (i, 1, 2)), (i, 1, n))"
    both = total(total(P[K] * P[J], J), K)
    renamed_inner = both.subs(N, 2)
    assert str(renamed_inner) == "Sum(Sum(p[i]*p[j], (j, 1, 2)), (i, 1, 2))"
    same_name = terms.binder(
        "Sum", terms.variable("i", "Z"), [terms.number(1), N], terms.instantiate(total(P[terms.bound(0, "Z")] * P[J], J).parts[2], J)
    )
    assert same_name.tag == "Sum"


def test_two_binders_of_one_name_are_told_apart_in_text() -> None:
    inner = terms.Term("Sum", ("Z",), (terms.number(1), N, P[terms.bound(0, "Z")] * P[terms.bound(1, "Z")]), "R", ("i", "Z", ()), 2)
    outer = terms.Term("Sum", ("Z",), (terms.number(1), N, inner), "R", ("i", "Z", ()), 2)
    assert str(outer) == "Sum(Sum(p[i_1]*p[i], (i_1, 1, n)), (i, 1, n))"


def test_only_an_integer_is_put_for_an_integer() -> None:
    with pytest.raises(terms.TermError, match="integer"):
        (N + 1).subs(N, X)
    with pytest.raises(terms.TermError, match="integer"):
        (N + 1).subs(N, Fraction(1, 2))
    assert (N + 1).subs(N, K * 2) == K * 2 + 1


def test_opening_a_binder_gives_a_new_variable() -> None:
    x, (body,) = terms.opened(total(P[K] * K.subs(K, J)).subs(J, K))
    assert x.data[0] == "i_1" and body == P[x] * K
    assert terms.opened(total(P[K]))[0] == K


@pytest.mark.parametrize("fact", ["positive", "nonnegative"])
def test_a_sum_of_both_signs_binds_no_other_variable_of_its_name(fact: str) -> None:
    other = terms.variable("i", "Z", [fact])
    both = notation.Sum(other * K, (K, -J, J))
    assert all(other in part.free for part in both.parts) and K not in both.free
    assert both.subs(other, 2) == notation.Sum(2 * K, (K, -J, J))


def test_renaming_reaches_families_and_functions() -> None:
    f, g = terms.Function("f"), terms.Function("g")
    assert terms.renamed(f(X) + P[K], {f: g, X: Y, P: terms.Family("q")}) == g(Y) + terms.Family("q")[K]


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
    assert terms.conjuncts(terms.node("And", X > 0, terms.node("And", Y > 0, Z > 0))) == (X > 0, Y > 0, Z > 0)
    assert terms.conjuncts(terms.node("true")) == ()
    assert [s.tag for s in terms.walk(X + 1)] == ["+", "variable", "number"]
    assert terms.substitute(X, {}) is X
