"""Claims in other variables: what they are, that the joined documents are accepted, and that a false claim has none."""

import math

import pytest
import sympy

from dpbounds.claims import clock
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.in_other_variables import in_other_variables, inverse_of
from dpbounds.claims.evidence.ways import renamed
from dpbounds.claims.signs import with_signs
from dpbounds.compile.joining.quadratic_ranges import range_document
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel import checker
from dpbounds.notation import NormalCDF, Rational, exp, log, real, sqrt

x, y, q, lam = real("x y q lam")
START = (1 - exp(-x / lam) / 2) / (1 - exp((1 - x) / lam) / 2)


def _ways(given, then):
    return list(in_other_variables(with_signs(Claim(id="a", then=then, given=given))))


def test_a_variable_from_its_end_over_another_one():
    (way,) = _ways([x >= 2, y > 0], exp((2 - x) / y) * (1 + y) >= exp(-x / y))
    w = sympy.Symbol("w_x", real=True)
    assert way.values == {"w_x": (sympy.Symbol("x", real=True) - 2) / sympy.Symbol("y", real=True)}
    assert sympy.exp(-w) in way.claim.then.atoms(sympy.exp)


def test_no_quotient_of_an_integer_or_of_a_variable_that_others_bound():
    assert not _ways([x >= 1, y > 0, x <= y], exp(x / y) >= 1)


@pytest.mark.parametrize(
    ("e", "point"),
    [("log(4*v*(1 - v))", "1/4"), ("exp(-3*v)", "2"), ("exp(v)/(1 + exp(v))", "1/3"), ("log(1 + 2*exp(v))", "-1"), ("v**2 + 2*v", "3")],
)
def test_the_inverse_of_a_function(e, point):
    v, w = sympy.symbols("v w")
    e, point = sympy.sympify(e), sympy.Rational(point)
    assert sympy.simplify(inverse_of(e, v, w, [point]).subs(w, e.subs(v, point)) - point) == 0


@pytest.mark.parametrize("e", ["v + log(v)", "v**3 + v", "v*exp(v)"])
def test_a_function_without_an_inverse_in_these_terms(e):
    v, w = sympy.symbols("v w")
    assert inverse_of(sympy.sympify(e), v, w, [sympy.Rational(1, 3)]) is None


def test_the_range_of_the_new_variable_and_what_is_added():
    (way, *_) = _ways([q > 0, q < Rational(1, 2)], NormalCDF(-sqrt(-2 * log(4 * q * (1 - q)))) <= q / 3)
    w = sympy.Symbol("w_q", real=True)
    assert way.claim.given[0] == sympy.Lt(0, w, evaluate=False) and way.added[0][1] == sympy.Rational(1, 3)


@pytest.mark.parametrize(("factor", "holds"), [(1, True), (Rational(9, 10), False)])
def test_a_true_claim_has_a_document_and_a_false_one_has_none(factor, holds):
    claim = with_signs(Claim(id="a", then=log(START) <= factor * exp((1 - x) / lam) / lam, given=[x >= 1, lam > 0]))
    found = renamed(claim, clock.now() + 2)
    assert (found is not None and found.statement is not None) == holds


@pytest.mark.parametrize(
    ("premise", "ends"), [(x**2 <= 4, ("-2", "2")), (x**2 - x < 2, ("-1", "2")), (3 * x**2 <= 1, ("-37/64", "37/64"))], ids=str
)
def test_the_range_that_a_quadratic_premise_says(premise, ends):
    (way,) = _ways([y > 0, premise], exp(x * y) <= exp(2 * y))
    shown = {(part.lts, part.gts) for part, _ in way.ranges}
    own = sympy.Symbol("x", real=True)
    assert shown == {(sympy.Rational(ends[0]), own), (own, sympy.Rational(ends[1]))}
    for entry in way.ranges:
        assert not checker.check(checker.parse(range_document(*entry)), {}).citations


@pytest.mark.parametrize("end", [2 * x / 2 <= 1, x <= Rational(17, 10), x - 1 >= -2], ids=str)
def test_an_end_that_does_not_follow_has_no_document(end):
    (way, *_) = _ways([x**2 <= 3], end)
    with pytest.raises(NotWritten):
        range_document(way.claim.then, way.ranges[0][1])


@pytest.mark.parametrize(("end", "holds"), [(Rational(7, 4), True), (Rational(17, 10), False)])
def test_a_claim_by_the_range_of_a_quadratic_premise(end, holds):
    claim = with_signs(Claim(id="a", then=exp(x * y) <= exp(end * y), given=[y > 0, x**2 <= 3]))
    found = renamed(claim, clock.now() + 2)
    assert (found is not None and found.statement is not None) == holds


def test_no_range_of_a_premise_that_says_another_thing():
    for premise in (x**2 >= 4, x**2 <= y, x**3 <= 8, -(x**2) <= 1):
        assert not _ways([y > 0, premise], exp(x * y) <= exp(2 * y))


coin = q * exp((1 - q) * x) + (1 - q) * exp(-q * x)


@pytest.mark.slow
def test_a_sum_of_exponentials_by_its_logarithm():
    """Kearns and Saul's inequality, as papers write it; with a factor 5 in the place of 4 it is false."""
    given, room = [q > 0, 2 * q < 1], (1 - 2 * q) * x**2 / log((1 - q) / q)
    found = renamed(with_signs(Claim(id="a", then=coin <= exp(room / 4), given=given)), None)
    assert found is not None and found.statement is not None
    assert renamed(with_signs(Claim(id="b", then=coin <= exp(room / 5), given=given)), clock.now() + 1.0) is None


def test_the_logarithm_says_the_same():
    """At some points, by numbers: e^u is the smaller side."""
    (way,) = (way for way in _ways([q > 0, 2 * q < 1], coin <= exp(x**2 / log((1 - q) / q))) if way.raised is not None)
    for rate, at in ((0.3, -2.0), (0.1, 5.0)):
        small = way.raised[0].subs({s: {"q": rate, "x": at}[s.name] for s in way.raised[0].free_symbols})
        assert abs(sympy.exp(small) - (rate * math.exp((1 - rate) * at) + (1 - rate) * math.exp(-rate * at))) < 1e-12
