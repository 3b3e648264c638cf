"""Yuchen, remarks on TensorFlow Privacy: what `_compute_log_a_frac` sums at an order that is not whole, and where its loop may stop."""

from fractions import Fraction

from dpbounds.notation import *

source = Source("chen2019.fractional-orders", "Further questions, _compute_log_a_frac of TensorFlow Privacy")

def term(k, order, sigma, rate):
    """C(α,k) times the two halves of the integral, below and above z₀ = ½ + σ²log(1/q − 1)."""
    meeting, back = Rational(1, 2) + sigma**2 * log(1 / rate - 1), order - k
    left = (1 - rate) ** back * rate**k * exp(k * (k - 1) / (2 * sigma**2)) * erfc((k - meeting) / (sqrt(2) * sigma)) / 2
    right = (1 - rate) ** k * rate**back * exp(back * (back - 1) / (2 * sigma**2)) * erfc((meeting - back) / (sqrt(2) * sigma)) / 2
    return binomial(order, k) * (left + right)

def terms(count, *parameters):
    """The first terms of the series."""
    return sum(term(k, *parameters) for k in range(count))

def between(order, sigma, rate, count):
    """The moment lies between the first `count` terms and one more: what is left out is between 0 and its first term."""
    parameters = (Rational(order), Rational(sigma), Rational(rate))
    moment, first, following = SampledGaussianMoment(*parameters), terms(count, *parameters), term(count, *parameters)
    positive_binomial = sum(Fraction(order) < k for k in range(count)) % 2 == 0
    ends = (first, first + following) if positive_binomial else (first + following, first)
    return And(rules.le(ends[0], moment), rules.le(moment, ends[1]))

alpha, sigma, q = positive("alpha sigma q")
small = exp(-30)
stop = source.claim(
    "The sum may stop at the first term with both halves below e^-30 (read: G is at most twice that).",
    [alpha > 1, q < 1, term(0, alpha, sigma, q) <= small],
    SampledGaussianMoment(alpha, sigma, q) <= 2 * term(0, alpha, sigma, q),
    {alpha: "121/2", sigma: 20, q: "2/5"},
    note="The loop of the code stops there. Terms grow before they fall: the first one has the factor "
    "(1-q)^alpha.")

def series(name, parameters):
    """The series with its remainder at some orders, noises and rates, and a mutant that stops before the order."""
    shown = "; ".join(f"{order}, {sigma}, {rate}" for order, sigma, rate, _ in parameters)
    order, noise, rate, _ = parameters[0]
    return source.claim(
        f"After n > alpha terms of the double erfc series the rest lies between 0 and its first term (alpha, " f"sigma, q: {shown}).",
        And(*(part for point in parameters for part in between(*point).args)), Boxes(budget=10),
        mutant=(between(order, noise, rate, 1).args[1], {}),
        id=f"{name}", corrects=stop,
        note="n is the least whole number above alpha, plus 5. The mutant stops after the first term, before "
        "the signs alternate.")

ORDERS = (("5/2", 8), ("7/2", 9), ("21/2", 16))
three_noises = [series(f"noise-{noise}", [(order, noise, "1/10", count) for order, count in ORDERS]) for noise in (1, 2, 4)]
large_order = series("large-order", [("121/2", 20, "2/5", 66)])
