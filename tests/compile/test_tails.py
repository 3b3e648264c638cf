"""Sums that one of their ends bounds, as documents of the proof checker: true ones, and false twins."""

import random
from fractions import Fraction
from math import comb

import pytest

from dpbounds.claims.evidence.compiled import written
from dpbounds.notation import Rational, Sum, binomial, claim, index, positive_integer

n, m = positive_integer("n m")
j = index("j", start=0)
PREFIX = Sum(binomial(n, j), (j, 0, m))


def test_the_first_binomial_coefficients():
    """At most C(n, m)(n − m + 1)/(n − 2m + 1) for 2m ≤ n; not with + 2 in the divisor, which fails at n = 3, m = 1."""
    bound = binomial(n, m) * (n - m + 1) / (n - 2 * m + 1)
    twin = binomial(n, m) * (n - m + 1) / (n - 2 * m + 2)
    assert written(claim("A prefix.", [2 * m <= n], bound >= PREFIX, id="prefix"), 20).statement is not None
    assert written(claim("Not.", [2 * m <= n], twin >= PREFIX, id="twin"), 0.2).statement is None


def test_twice_the_last_coefficient():
    """Enough where 3m ≤ n; 8/5 of it is too little at n = 12, m = 4, and one coefficient everywhere."""
    for factor, found in ((2, True), (Rational(8, 5), False), (1, False)):
        claim_ = claim("A prefix.", [3 * m <= n], factor * binomial(n, m) >= PREFIX, id="prefix")
        assert (written(claim_, 20 if found else 0.2).statement is not None) is found


def documents(number):
    """How many of so many random statements have a document; each of these holds at all small integers."""
    rng, found = random.Random(0), 0
    for k in range(number):
        a, b, c = rng.choice([2, 2, 3]), rng.choice([0, 1]), rng.choice([Fraction(1), Fraction(1), Fraction(11, 10), Fraction(9, 10)])
        s, t = rng.choice([(1, 1), (1, 1), (2, 1), (1, 2), (0, 1), (1, 0)])
        large = Rational(c.numerator, c.denominator) * binomial(n, m) * (n - m + s) / (n - 2 * m + t)
        if written(claim("A prefix.", [a * m + b <= n], large >= PREFIX, id=f"prefix-{k}"), 0.5).statement is None:
            continue
        found += 1
        for u in range(1, 8):
            for v in range(a * u + b, 30):
                assert v - 2 * u + t > 0
                assert sum(comb(v, i) for i in range(u + 1)) <= c * comb(v, u) * Fraction(v - u + s, v - 2 * u + t)
    return found


@pytest.mark.slow
def test_three_hundred_random_statements():
    """Random factors and premises, against the sums themselves: 147 of them have a document."""
    assert documents(300) >= 100
