"""Lemmas about rows of binomial coefficients beside positive parts and sizes: accepted, true in numbers, and of use for claims."""

import math
import random

import pytest
import sympy

from dpbounds.claims import clock
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.binomial_rows import at_one_place, binomial_rows
from dpbounds.claims.evidence.ways import by_rows, texts_of
from dpbounds.claims.signs import with_signs
from dpbounds.compile.joining.binomial_rows import moment_lemma, moments, tilted_lemma
from dpbounds.compile.steps import Steps
from dpbounds.kernel import checker
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import ZERO, at_most, below, variable
from dpbounds.notation import Abs, Max, Rational, Sum, binomial, exp, index, positive_integer, real, sqrt

n, j = positive_integer("n"), index("j", start=0)
q, eps, g = real("q eps g")
mean_size = Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) * Abs(j - n * q), (j, 0, n))


def _sides(text, values):
    """Both sides of a relation between a sum and a term without sums, in floating point: show writes such terms as Python reads them."""
    words = {"exp": math.exp, "max": max, "abs": abs, "binom": math.comb, **values}
    low, high = text.replace("==", "<=").split(" <= ")
    inside = low.removeprefix("sum(_0, 0, n_, ").removesuffix(")")
    total = sum(eval(inside, {**words, "_0": k}) for k in range(values["n_"] + 1))  # noqa: S307
    return total, eval(high, words)  # noqa: S307


@pytest.mark.parametrize("kink", ["tilt", "max", "abs"])
def test_a_lemma_is_accepted_and_true_in_numbers(kink):
    text = tilted_lemma() if kink == "tilt" else moment_lemma(*texts_of([at_one_place(kink)], None), kink)
    shown = checker.check(checker.parse(text), {})
    assert not shown.citations and len(shown.given) == 2
    draw = random.Random(1)
    for _ in range(50):
        values = {name: draw.uniform(-1, 1) for name in ("u_", "v_", "y_", "z_")} | {"w_": draw.uniform(0.05, 2), "n_": draw.randrange(6)}
        small, large = _sides(show(shown.claim), values)
        assert small <= large * (1 + 1e-12)


def test_the_moments_of_a_row():
    steps = Steps(("n_", "r_", "j_", "m_"))
    length, r = variable("n_", "Z"), variable("r_", "R")
    given = [steps.assume(at_most(ZERO, length)), steps.assume(below(ZERO, r))]
    said = [show(steps.formula(k)) for k in moments(steps, length, r, *given)]
    for order, text in enumerate(said):
        for size in range(5):
            total, closed = _sides(text, {"n_": size, "r_": 0.7})
            assert abs(total - closed) <= 1e-9 * max(1.0, abs(closed)), order


def test_what_is_read_and_what_is_not():
    (found,) = binomial_rows(with_signs(Claim(id="a", then=mean_size <= sqrt(n) / 2, given=[q > 0, q < 1])))
    assert found.kink == "abs" and sympy.simplify(found.values["z_"]) == 1
    for body in (binomial(n, j) * Abs(j**2 - n), Abs(j - n / 2), binomial(n, j) * Abs(j - 1) * Max(0, j - 2)):
        assert not list(binomial_rows(with_signs(Claim(id="a", then=Sum(body, (j, 0, n)) <= 4**n))))


@pytest.mark.parametrize(("factor", "holds"), [(1, True), (Rational(9, 10), False)])
def test_the_mean_distance_from_half(factor, holds):
    claim = with_signs(Claim(id="a", then=Sum(binomial(n, j) * Abs(2 * j - n), (j, 0, n)) <= factor * 2**n * sqrt(n)))
    found = by_rows(claim, clock.now() + 3)
    assert (found is not None and found.statement is not None) == holds


@pytest.mark.slow
@pytest.mark.parametrize(("constant", "holds"), [(Rational(1, 2), True), (Rational(1, 4), False)])
def test_the_distance_of_a_composition(constant, holds):
    stick = Sum(binomial(n, j) * Max(0, exp(eps * (n - j)) - exp(eps * j)), (j, 0, n))
    claim = with_signs(Claim(id="a", then=stick <= (exp(eps) + 1) ** n * eps * sqrt(n) * constant, given=[eps > 0]))
    found = by_rows(claim, clock.now() + 8)
    assert (found is not None and found.statement is not None) == holds


@pytest.mark.slow
@pytest.mark.parametrize(("variance", "holds"), [(1, True), (Rational(1, 2), False)])
def test_the_tail_of_a_composition(variance, holds):
    stick = Sum(binomial(n, j) * Max(0, exp(eps * (n - j)) - exp(eps * j + g)), (j, 0, n)) / (1 + exp(eps)) ** n
    bound = exp(-((g - eps**2 * n / 2) ** 2) / (2 * variance * eps**2 * n))
    claim = with_signs(Claim(id="a", then=stick <= bound, given=[eps > 0, g >= eps**2 * n / 2]))
    found = by_rows(claim, clock.now() + 8)
    assert (found is not None and found.statement is not None) == holds
