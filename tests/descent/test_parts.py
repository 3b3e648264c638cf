"""Changes of variables ahead of closed forms, ends by themselves, reversed and late sums, curves of equal densities: each condition."""

import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy import Integral, Max, Rational, exp, log, oo

from dpbounds import Claim
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.changes import changed
from dpbounds.descent.integrals.sums import at_any_end, bound_of, nodes_of
from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.descent.search.antiderivatives import exponential_antiderivative
from dpbounds.descent.tower import Tower
from dpbounds.language.functions import GaussianDelta, NormalCDF
from dpbounds.language.symbols import index, nonnegative, positive, positive_integer, real
from tests.descent.statements import claim, problem_of

n = positive_integer("n")
i, j = index("i"), index("j", start=0)
b, q, t, mu = positive("b q t mu")
u, epsilon = nonnegative("u epsilon")
x, y, z = real("x y z")
INTEGERS = frozenset({"n"})
moment = Integral(exp(t * x) * exp(-x / b) / b, (x, 0, oo))
uniform = Integral(exp(u * x) / 2, (x, -1, 1))
trade_off = NormalCDF(-x - mu) + exp(epsilon) * NormalCDF(x) + GaussianDelta(epsilon, 1 / mu)


def found_of(own: Claim) -> Any:
    """What the search finds, which the checker accepts."""
    found = certificate_of(own, 4)
    assert found is not None
    return copy.deepcopy(found)


@pytest.mark.parametrize(
    ("then", "twin", "given"),
    [
        (moment <= exp(t * b / (1 - t * b)), moment <= exp(t * b), [t * b < 1]),
        (uniform <= exp(u**2 / 6), uniform <= exp(u**2 / 7), []),
        (Integral(exp(-x), (x, log(1 / u), oo)) <= u, Integral(exp(-x), (x, log(1 / u), oo)) <= u / 2, [u > 0]),
        (log(exp(x) + exp(y) + exp(z)) <= Max(x, y, z) + log(3), log(exp(x) + exp(y) + exp(z)) <= Max(x, y, z) + 1, []),
        (trade_off >= 1, trade_off >= Rational(11, 10), []),
    ],
    ids=["moment", "uniform", "end", "scores", "trade-off"],
)
def test_each_way_settles_a_lemma_and_not_its_twin(then: Any, twin: Any, given: Any) -> None:
    own = claim(then, *given)
    assert found_of(own) is not None
    assert certificate_of(claim(twin, *given), 0.3) is None


# --- changes of variables ahead of closed forms


def test_below_a_bound() -> None:
    problem = Problem(x, y, False, {"x": Interval(), "y": Interval()}, ((x, y, True),))
    here = changed(problem, ["below", "y", 0, "d"], before=True)
    assert here.box == {"x": Interval(), "d": Interval(Fraction(0), None, False, False)}
    assert sympy.expand(here.meanings["y"] - (sympy.Symbol("x", real=True) - sympy.Symbol("d"))) == 0 and not here.premises
    closed = changed(replace(problem, premises=((x, y, False),)), ["below", "y", 0, "d"], before=True)
    assert closed.box["d"].low_closed


# --- ends by themselves


# --- ends of any form


def test_an_end_of_any_form_must_have_a_value() -> None:
    problem = problem_of(Integral(exp(-x), (x, log(1 / u), oo)) <= u, u > 0)
    bound = bound_of(problem, nodes_of(problem)[0])
    value = at_any_end("5", bound, bound.low, problem)
    assert value.has(log)  # though the antiderivative does not speak of it
    assert (
        certificate_of(claim(Integral(sympy.S.Zero * x + exp(-x), (x, log(y), oo)) <= exp(-log(Max(y, 1))) + 100, y > -1, y < 1), 0.3)
        is None
    )


# --- a curve on which two densities are equal


def test_powers_have_the_sign_of_the_line() -> None:
    own = claim(trade_off >= 1)
    found = found_of(own)
    steps: list[Any] = []

    def walk(part: Any) -> None:
        if isinstance(part, dict):
            steps.extend([part] if "powers" in part else [])
            part = list(part.values())
        if isinstance(part, list):
            for inner in part:
                walk(inner)

    walk(found)
    assert steps


def test_the_product_that_grows_faster_is_written_first() -> None:
    delta = GaussianDelta(epsilon, 1 / mu)
    for small, large in ((NormalCDF(-x - mu), NormalCDF(x)), (NormalCDF(x - mu), NormalCDF(-x))):
        found_of(claim(small + exp(epsilon) * large >= 1 - delta))
        assert certificate_of(claim(small + exp(epsilon) * large >= 1 - Rational(9, 10) * delta), 0.1) is None


# --- a premise that no point of the box satisfies


def test_a_premise_on_an_empty_part_shows_what_it_says() -> None:
    distance = Integral(sympy.Abs(x - u), (x, 0, 1))
    own = claim(distance <= Rational(1, 2), u <= 1)
    assert found_of(own) is not None
    assert certificate_of(claim(distance <= Rational(9, 20), u <= 1), 0.3) is None


# --- squares


@pytest.mark.parametrize(
    ("p", "sign"),
    [
        ({(): 1, (2,): 1, (1, 1): 2, (0, 2): 1}, (1, True)),
        ({(): -1, (2,): -1, (1, 1): -2, (0, 2): -1}, (-1, True)),
        ({(2,): 1, (1, 1): 2, (0, 2): 1}, (1, False)),
        ({(): 1, (2,): 1, (1, 1): 3, (0, 2): 1}, (None, False)),
        ({(): -1, (2,): 1, (1, 1): 2, (0, 2): 1}, (None, False)),
        ({(): 1, (2,): 1, (2, 1): -1, (1, 1): 1, (0, 2): 1}, (None, False)),
        ({(): 1, (4,): 1, (1, 1): 1, (0, 2): 1}, (None, False)),
    ],
)
def test_a_square_is_completed(p: Any, sign: Any) -> None:
    tower = Tower()
    tower.variable("x", (None, None))
    tower.variable("s", (Fraction(0), None))
    assert tower.signs(p) == sign
    for a, c in [(Fraction(k, 3), Fraction(m, 3)) for k in range(-30, 31) for m in range(1, 31)]:
        value = sum(number * a ** (m[0] if m else 0) * c ** (m[1] if len(m) > 1 else 0) for m, number in p.items())
        assert sign[0] is None or value * sign[0] > 0 or not sign[1] and value == 0


@pytest.mark.parametrize("term", [NormalCDF(-x), x * NormalCDF(1 - 2 * x), NormalCDF(x) + exp(-x)], ids=str)
def test_the_normal_distribution_function_has_an_antiderivative(term: Any) -> None:
    own = exponential_antiderivative(term, x)
    assert own is not None
    slope = sympy.diff(own.replace(NormalCDF, lambda w: (1 + sympy.erf(w / sympy.sqrt(2))) / 2), x)
    other = term.replace(NormalCDF, lambda w: (1 + sympy.erf(w / sympy.sqrt(2))) / 2)
    assert all(abs(sympy.N((slope - other).subs(x, at), 30)) < 1e-20 for at in (-1, Rational(1, 3), 2))
