"""Claims about families: gaps spread over places, moved by t − S·u, compared by logarithms. True ones, false twins, random ones."""

import random

import pytest

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.claim import Claim
from dpbounds.claims.counterexamples.refute import Refutation
from dpbounds.claims.counterexamples.search import search
from dpbounds.claims.evidence.compiled import written
from dpbounds.claims.plans import Search
from dpbounds.notation import *

n, i = positive_integer("n"), index("i")
over = (i, 1, n)
P, Q = laws("p q", over)
U, V, W = laws("u v w", over, "positive")
c, d = family("c", "positive"), family("d", "positive")
x, y, z = family("x", "real"), family("y"), family("z")
low, high = real("low high")
epsilon = nonnegative("epsilon")
alpha, delta, eta, rate, t = positive("alpha delta eta rate t")
less, more = Rational(9, 10), Rational(11, 10)


def total(term):
    """Σ over the places."""
    return Sum(term, over)


near = [U, V, for_each(over, U[i] <= exp(epsilon) * V[i]), for_each(over, V[i] <= exp(epsilon) * U[i])]
inside = [P, low > 0, high >= low, for_each(over, c[i] >= low), for_each(over, c[i] <= high)]
apart = [for_each(over, Abs(y[i] - z[i]) <= delta)]
power = (sinh(alpha * epsilon) - sinh((alpha - 1) * epsilon)) / sinh(epsilon)
weights, others = (total(exp(epsilon * s[i] / (2 * delta))) for s in (y, z))
symmetric = total((U[i] - V[i]) * log(U[i] / V[i]))
mixed = KLDivergence(rate * U + (1 - rate) * V, W)

QUICK = [
    lemma("smaller-norm", [], total(d[i] ** 2) <= total(d[i]) ** 2, total(d[i] ** 2) <= less * total(d[i]) ** 2),
    lemma("root-of-a-sum", [], sqrt(total(d[i])) <= total(sqrt(d[i])), sqrt(total(d[i])) <= less * total(sqrt(d[i]))),
    lemma("collisions", [P], total(P[i] ** 2) <= 1, total(P[i] ** 2) <= less),
    lemma("entropy", [U], -total(U[i] * log(U[i])) >= 0, -total(U[i] * log(U[i])) >= total(U[i] ** 2) / 10),
    lemma(
        "one-randomized-response",
        [P],
        total((P[i] * (exp(epsilon) - 1) + 1) ** 2) <= exp(2 * epsilon) + n - 1,
        total((P[i] * (exp(epsilon) - 1) + 1) ** 2) <= exp(2 * epsilon) + n - more,
    ),
    lemma("exponential-weights", apart, weights <= exp(epsilon / 2) * others, weights <= exp(epsilon / 3) * others),
    lemma("symmetric-divergence", near, symmetric <= 2 * epsilon * tanh(epsilon / 2), symmetric <= epsilon * tanh(epsilon / 2)),
    lemma(
        "divergence-of-a-mixture",
        [U, V, W, rate <= 1],
        mixed <= rate * KLDivergence(U, W) + (1 - rate) * KLDivergence(V, W),
        mixed <= rate * KLDivergence(U, W) + (less - rate) * KLDivergence(V, W),
    ),
    lemma(
        "weierstrass",
        [for_each(over, d[i] < 1)],
        exp(total(log(1 - d[i]))) >= 1 - total(d[i]),
        exp(total(log(1 - d[i]))) >= 1 - less * total(d[i]),
    ),
]
markov = RenyiMoment(alpha, U, V)
SLOW = [
    lemma(
        "markov",
        [U, V, alpha > 1],
        HockeyStick(epsilon, U, V) <= markov * exp(-(alpha - 1) * epsilon),
        HockeyStick(epsilon, U, V) <= markov * exp(-alpha * epsilon),
    ),
    lemma(
        "values-of-mean-zero",
        [U, for_each(over, x[i] <= 1), for_each(over, x[i] >= -1), Eq(total(U[i] * x[i]), 0)],
        total(U[i] * exp(low * x[i])) <= exp(low**2 / 2),
        total(U[i] * exp(low * x[i])) <= exp(low**2 / 3),
    ),
    lemma(
        "minkowski",
        [],
        sqrt(total((c[i] + d[i]) ** 2)) <= sqrt(total(c[i] ** 2)) + sqrt(total(d[i] ** 2)),
        sqrt(total((c[i] + d[i]) ** 2)) <= sqrt(total(c[i] ** 2)) + less * sqrt(total(d[i] ** 2)),
    ),
    lemma("moment", [*near, alpha > 1, epsilon > 0], RenyiMoment(alpha, U, V) <= power, RenyiMoment(alpha, U, V) <= power * less),
    lemma(
        "kantorovich",
        inside,
        total(P[i] * c[i]) * total(P[i] / c[i]) <= (low + high) ** 2 / (4 * low * high),
        total(P[i] * c[i]) * total(P[i] / c[i]) <= (low + high) ** 2 / (5 * low * high),
    ),
    lemma(
        "popoviciu",
        [P, for_each(over, x[i] >= low), for_each(over, x[i] <= high)],
        total(P[i] * x[i] ** 2) - total(P[i] * x[i]) ** 2 <= (high - low) ** 2 / 4,
        total(P[i] * x[i] ** 2) - total(P[i] * x[i]) ** 2 <= (high - low) ** 2 / 5,
    ),
    lemma(
        "chebyshev",
        [eta > 0],
        total(y[i]) * total(exp(eta * y[i])) <= n * total(y[i] * exp(eta * y[i])),
        total(y[i]) * total(exp(eta * y[i])) <= less * n * total(y[i] * exp(eta * y[i])),
    ),
    lemma(
        "mean-shift",
        [P, Q, for_each(over, y[i] >= 0), for_each(over, y[i] <= t)],
        total(P[i] * y[i]) - total(Q[i] * y[i]) <= t * total(Abs(P[i] - Q[i])) / 2,
        total(P[i] * y[i]) - total(Q[i] * y[i]) <= t * total(Abs(P[i] - Q[i])) / 3,
    ),
    lemma("products", [], exp(total(log(1 + d[i]))) >= 1 + total(d[i]), exp(total(log(1 + d[i]))) >= 1 + more * total(d[i])),
    lemma("compose-and-convert", [], sqrt(t * total(d[i])) <= total(sqrt(t * d[i])), sqrt(t * total(d[i])) <= less * total(sqrt(t * d[i]))),
]
CASES = [*(pytest.param(e, id=e.true.id) for e in QUICK), *(pytest.param(e, id=e.true.id, marks=pytest.mark.slow) for e in SLOW)]


@pytest.mark.parametrize("entry", CASES)
def test_true_ones_have_documents_and_twins_none(entry):
    found = written(entry.true, 20.0)
    assert found.statement is not None, (found.reason, found.detail)
    assert written(entry.twin, 0.3).statement is None


@pytest.mark.slow
@pytest.mark.parametrize("entry", [pytest.param(e, id=e.true.id) for e in (*QUICK, *SLOW)])
def test_twins_are_false(entry):
    assert isinstance(search(entry.twin, Search(tries=4000)), Refutation)


def _random_statement(rng):
    """A norm, a moment of a law or a spread of bounded values, with random numbers."""
    factor = Rational(rng.randint(1, 12), 6)
    r, s = (Rational(rng.randint(1, 9), 3) for _ in "rs")
    kind = rng.randrange(4)
    if kind == 0:
        return [], total(d[i] ** r) <= factor * total(d[i] ** s) ** (r / s)
    if kind == 1:
        return [P], total(P[i] ** (1 + r)) <= factor * total(P[i] ** (1 + s))
    if kind == 2:
        return [P, for_each(over, y[i] >= 0), for_each(over, y[i] <= 1)], total(P[i] * y[i] ** 2) <= factor * total(P[i] * y[i]) ** s
    return near, total(abs(U[i] - V[i]) ** (1 + r)) <= factor * (exp(epsilon) - 1) ** s


def documents(seed, number, seconds):
    """How many of so many random statements have a document; each of these holds wherever a search looks."""
    rng, found = random.Random(seed), 0
    for k in range(number):
        given, then = _random_statement(rng)
        claim = Claim(id=f"random-{k}", text="", given=given, then=then)
        if written(claim, seconds).statement is not None:
            found += 1
            assert not isinstance(search(claim, Search(tries=120, seed=k)), Refutation), claim
    return found


def test_random_statements():
    """One of three has a document, and it holds."""
    assert documents(6, 3, 0.2) >= 1


@pytest.mark.slow
def test_three_hundred_random_statements():
    """The same for more of them, some of which have one."""
    assert documents(1, 300, 1.0) >= 20
