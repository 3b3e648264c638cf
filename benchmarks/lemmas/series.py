"""Twenty-two lemmas about sums with integers and about series, each with a false twin, written before the means for them.

They are everyday steps of proofs in the field: geometric, binomial, Poisson and zeta sums, sums of fractions, discrete Gaussian noise.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

epsilon, lam, x, v = positive("epsilon lam x v")
q, r, s, a = real("q r s a")
n, m = positive_integer("n m")
i = index("i")
k = index("k", start=0)

LEMMAS = lemmas_in(
    globals(),
    """
waiting-time: q > 0, q <= 1
     => Sum(q * (1 - q) ** (i - 1) * i, (i, 1, oo)) <= 1 / q
    =/> Sum(q * (1 - q) ** (i - 1) * i, (i, 1, oo)) <= Rational(99, 100) / q
discounted-miss: r > 0, r < 1, s >= 0, s < 1
     => Sum((1 - r) * r**k * (1 - s**k), (k, 0, oo)) >= r * (1 - s)
    =/> Sum((1 - r) * r**k * (1 - s**k), (k, 0, oo)) >= Rational(21, 20) * r * (1 - s)
discounted-hit: r > 0, r < 1, s > 0, s < 1
     => Sum(r**i * s**i, (i, m, oo)) <= r**m * s**m / ((1 - r) * (1 - s))
    =/> Sum(r**i * s**i, (i, m, oo)) <= Rational(9, 10) * r**m * s**m / ((1 - r) * (1 - s))
geometric-tail: r > 0, r < 1
     => Sum(r**i, (i, m, oo)) <= r**m / (1 - r)
    =/> Sum(r**i, (i, m, oo)) <= Rational(9, 10) * r**m / (1 - r)
weighted-geometric-tail: r > 0, r < 1
     => Sum(i * r**i, (i, m, oo)) <= m * r**m / (1 - r) ** 2
    =/> Sum(i * r**i, (i, m, oo)) <= Rational(19, 20) * m * r**m / (1 - r) ** 2
logarithmic-tail: r > 0, r < 1
     => Sum(r**i / i, (i, n, oo)) <= r**n / (n * (1 - r))
    =/> Sum(r**i / i, (i, n, oo)) <= r**n / ((n + 1) * (1 - r))
tilted-binomial-mean: q >= 0, q <= 1
     => Sum(k * binomial(n, k) * q**k * (1 - q) ** (n - k) * exp(-epsilon * k), (k, 0, n)) <= n * q * exp(-epsilon)
    =/> Sum(k * binomial(n, k) * q**k * (1 - q) ** (n - k) * exp(-epsilon * k), (k, 0, n)) <= Rational(9, 10) * n * q * exp(-epsilon)
one-exponent-less: q >= 0, q <= 1
     => Sum(binomial(n, k) * q**k * (1 - q) ** (n - k) * exp((k - 1) * epsilon), (k, 1, n)) <= n * q * (1 - q + q * exp(epsilon)) ** (n - 1)
    =/> Sum(binomial(n, k) * q**k * (1 - q) ** (n - k) * exp((k - 1) * epsilon), (k, 1, n)) <= Rational(19, 20) * n * q
            * (1 - q + q * exp(epsilon)) ** (n - 1)
binomial-deviation: q > 0, q < 1
     => Sum(binomial(n, k) * q**k * (1 - q) ** (n - k) * Abs(k - n * q), (k, 0, n)) <= sqrt(n * q * (1 - q))
    =/> Sum(binomial(n, k) * q**k * (1 - q) ** (n - k) * Abs(k - n * q), (k, 0, n)) <= Rational(9, 10) * sqrt(n * q * (1 - q))
poisson-chernoff: lam <= m
     => Sum(lam**i / factorial(i), (i, m, oo)) <= (exp(1) * lam / m) ** m
    =/> Sum(lam**i / factorial(i), (i, m, oo)) <= (2 * lam / m) ** m
poisson-half: 2 * lam <= m
     => Sum(lam**i / factorial(i), (i, m, oo)) <= 2 * lam**m / factorial(m)
    =/> Sum(lam**i / factorial(i), (i, m, oo)) <= Rational(9, 5) * lam**m / factorial(m)
half-row-of-fractions:
     => Sum(1 / (i * (2 * n + 1 - i)), (i, 1, n)) <= (1 + log(2 * n)) / (2 * n + 1)
    =/> Sum(1 / (i * (2 * n + 1 - i)), (i, 1, n)) <= (Rational(3, 4) + log(2 * n)) / (2 * n + 1)
fractions-with-a-shift:
     => Sum(1 / (i * (i + n)), (i, 1, n)) <= (1 + log(n)) / n
    =/> Sum(1 / (i * (i + n)), (i, 1, n)) <= (Rational(2, 5) + log(n)) / n
squares-from-a-half:
     => Sum(1 / i**2, (i, m, oo)) <= 1 / (m - Rational(1, 2))
    =/> Sum(1 / i**2, (i, m, oo)) <= 1 / (m - Rational(2, 5))
cubes:
     => Sum(1 / i**3, (i, 1, oo)) <= Rational(5, 4)
    =/> Sum(1 / i**3, (i, 1, oo)) <= Rational(6, 5)
squared-logarithms: m >= 2
     => Sum(1 / (i * log(i) ** 2), (i, m, oo)) <= 1 / log(m) + 1 / (m * log(m) ** 2)
    =/> Sum(1 / (i * log(i) ** 2), (i, m, oo)) <= 1 / log(m)
powers-three-halves:
     => Sum(i ** Rational(-3, 2), (i, m, oo)) <= 2 / sqrt(m - Rational(1, 2))
    =/> Sum(i ** Rational(-3, 2), (i, m, oo)) <= 2 / sqrt(m - Rational(1, 3))
theta-by-geometric:
     => Sum(exp(-(i**2) / (2 * v)), (i, 1, oo)) <= exp(-1 / (2 * v)) / (1 - exp(-3 / (2 * v)))
    =/> Sum(exp(-(i**2) / (2 * v)), (i, 1, oo)) <= exp(-1 / (2 * v)) / (1 - exp(-2 / v))
narrow-second-moment: v <= Rational(1, 2)
     => Sum(i**2 * exp(-(i**2) / (2 * v)), (i, 1, oo)) <= exp(-1 / (2 * v)) * (1 + 5 * exp(-1 / v))
    =/> Sum(i**2 * exp(-(i**2) / (2 * v)), (i, 1, oo)) <= exp(-1 / (2 * v)) * (1 + exp(-1 / v))
central-series: a >= 0, a < 1
     => Sum(binomial(2 * k, k) / 4**k * a**k, (k, 0, oo)) <= 1 / (1 - a)
    =/> Sum(binomial(2 * k, k) / 4**k * a**k, (k, 0, oo)) <= (1 - a) ** Rational(-1, 3)
factorial-telescope:
     => Sum(i * factorial(i), (i, 1, n)) <= factorial(n + 1) - 1
    =/> Sum(i * factorial(i), (i, 1, n)) <= factorial(n + 1) - 2
gamma-two-steps:
     => gamma(x + 2) <= (x + 1) ** 2 * gamma(x)
    =/> gamma(x + 2) <= (x + Rational(2, 5)) ** 2 * gamma(x)
""",
)
