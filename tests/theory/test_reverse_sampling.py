"""The factor 3 of Zhu & Wang: the derivation, and what would break it."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from sympy import Sum

from dpbounds.language.symbols import index, positive_integer
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps
from dpbounds.theory.sampling import reverse_sampling
from tests.prover.wrong import without_document


def moment(order, p, q):
    return sum(a**order * b ** (1 - order) for a, b in zip(p, q, strict=True))


PAIRS = [
    ((Fraction(1, 4), Fraction(3, 4)), (Fraction(1, 2), Fraction(1, 2))),
    ((Fraction(1, 100), Fraction(99, 100)), (Fraction(1, 3), Fraction(2, 3))),
    ((Fraction(1, 9), Fraction(7, 9), Fraction(1, 9)), (Fraction(3, 5), Fraction(1, 5), Fraction(1, 5))),
]


@pytest.mark.parametrize("p, q", [*PAIRS, *((q, p) for p, q in PAIRS)])
@pytest.mark.parametrize("order", [2, 3, 7, 40])
@pytest.mark.parametrize("gamma", [Fraction(1, 1000), Fraction(1, 3), Fraction(99, 100)])
def test_the_statement_holds_at_exact_points(p, q, order, gamma):
    s = tuple(gamma * a + (1 - gamma) * b for a, b in zip(p, q, strict=True))
    u = tuple(gamma * b + (1 - gamma) * a for a, b in zip(p, q, strict=True))
    theta = 3 * (1 - gamma) / (3 + 2 * (order - 2) * gamma)
    reverse = moment(order, q, s)
    assert reverse <= theta * moment(order, s, q) + (1 - theta) * moment(order, u, p)
    assert reverse > 1


@pytest.mark.slow
def test_the_conclusion_names_the_three_moments():
    fact = reverse_sampling.reverse_of_sampling().result
    assert fact.assumed == ()
    assert {str(a) for a in fact.assumptions} == {
        "alpha > 1",
        "gamma < 1",
        "Eq(Sum(p[i], (i, 1, n)), 1)",
        "Eq(Sum(q[i], (i, 1, n)), 1)",
    }


@pytest.mark.parametrize("p, q", PAIRS)
@pytest.mark.parametrize("order", [1.01, 1.5, 1.99])
@pytest.mark.parametrize("gamma", [0.001, 0.5, 0.75, 0.9, 0.999])
def test_between_the_orders_one_and_two_it_holds_as_well(p, q, order, gamma):
    p, q = (tuple(map(float, masses)) for masses in (p, q))
    s = tuple(gamma * a + (1 - gamma) * b for a, b in zip(p, q, strict=True))
    u = tuple(gamma * b + (1 - gamma) * a for a, b in zip(p, q, strict=True))
    theta = 3 * (1 - gamma) / (3 + 2 * (order - 2) * gamma)
    assert 0 <= theta <= 1
    assert moment(order, q, s) <= theta * moment(order, s, q) + (1 - theta) * moment(order, u, p)


class Halves(reverse_sampling.Place):
    """Another theta: 1/2."""

    @property
    def weights(self):
        return sympy.Rational(1, 2), sympy.Rational(1, 2)


def test_another_weight_has_no_proof():
    assert without_document(reverse_sampling._curvature(ProofSteps(), Halves())[0])


def test_the_bracket_is_nonnegative_at_every_order_and_rate():
    draw = np.random.default_rng(1)
    for a, r in zip(10 ** draw.uniform(-4, 1, 500), 10 ** draw.uniform(-4, 4, 500), strict=True):
        y = 10 ** draw.uniform(-2, 2, 100)
        m, b, n = (r + y) / (1 + r), (1 + r * y) / ((1 + r) * y), 1 + 2 * a
        terms = 3 * r * m**n, n * m ** (a + 2) * b ** (a - 1) * y**-3, -(3 * r + n)
        assert np.all(sum(terms) >= -1e-12 * sum(map(abs, terms)))


def test_first_term_needs_a_range_that_is_not_empty():
    n, i = positive_integer("n"), index("i")
    split = rules.first_term(Sum(1 / i, (i, 1, n)))
    assert split.rhs == 1 + Sum(1 / i, (i, 2, n))
    assert without_document(rules.first_term(Sum(1 / i, (i, 2, n))))
