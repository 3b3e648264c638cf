"""Statements about families of any length as documents of the proof checker: true ones, and false twins."""

from __future__ import annotations

import pytest

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.compiled import written
from dpbounds.claims.replay import replay
from dpbounds.claims.settling import settle
from dpbounds.claims.verdict import Verdict
from dpbounds.notation import (
    Abs,
    HockeyStick,
    Rational,
    Sum,
    exp,
    family,
    for_each,
    index,
    laws,
    log,
    nonnegative,
    positive,
    positive_integer,
    sums_to_one,
)

R = Rational
n = positive_integer("n")
i = index("i")
P, Q, S = laws("P Q S", (i, 1, n))
p, q, a, b = (family(name, "positive") for name in "pqab")
x, y = family("x", "real"), family("y", "real")
u = family("u", "nonnegative")
epsilon, t = nonnegative("epsilon t")
alpha, beta, r = positive("alpha beta r")
more, less = R(11, 10), R(9, 10)


def total(term):
    """Σ over the places."""
    return Sum(term, (i, 1, n))


one_p, one_q = sums_to_one(p, (i, 1, n)), sums_to_one(q, (i, 1, n))
near = for_each((i, 1, n), p[i] <= exp(epsilon) * q[i])
close = (P, Q, for_each((i, 1, n), P[i] <= exp(epsilon) * Q[i]), for_each((i, 1, n), Q[i] <= exp(epsilon) * P[i]))
small = for_each((i, 1, n), u[i] <= epsilon)
kl = total(p[i] * log(p[i] / q[i]))
variation = total(Abs(p[i] - q[i]))
norms = total(a[i] ** r) ** (1 / r) * total(b[i] ** (r / (r - 1))) ** ((r - 1) / r)


def renyi(order):
    """The Rényi divergence of two laws without zeros."""
    return log(total(p[i] ** order * q[i] ** (1 - order))) / (order - 1)


LEMMAS = [
    lemma(
        "jensen-square",
        [one_p],
        total(p[i] * x[i]) ** 2 <= total(p[i] * x[i] ** 2),
        total(p[i] * x[i]) ** 2 <= less * total(p[i] * x[i] ** 2),
    ),
    lemma(
        "jensen-exp", [one_p], exp(total(p[i] * x[i])) <= total(p[i] * exp(x[i])), exp(more * total(p[i] * x[i])) <= total(p[i] * exp(x[i]))
    ),
    lemma(
        "jensen-log",
        [one_p],
        total(p[i] * log(a[i])) <= log(total(p[i] * a[i])),
        total(p[i] * log(a[i])) <= log(total(p[i] * a[i])) - R(1, 10),
    ),
    lemma(
        "jensen-power",
        [one_p, r >= 1],
        total(p[i] * a[i]) ** r <= total(p[i] * a[i] ** r),
        more * total(p[i] * a[i]) ** r <= total(p[i] * a[i] ** r),
    ),
    lemma(
        "log-sum",
        [],
        total(a[i]) * log(total(a[i]) / total(b[i])) <= total(a[i] * log(a[i] / b[i])),
        total(a[i]) * log(total(a[i]) / total(b[i])) <= less * total(a[i] * log(a[i] / b[i])),
    ),
    lemma("sum-squared", [], total(x[i]) ** 2 <= n * total(x[i] ** 2), total(x[i]) ** 2 <= (n - R(1, 2)) * total(x[i] ** 2)),
    lemma("hoelder", [r > 1], total(a[i] * b[i]) <= norms, total(a[i] * b[i]) <= less * norms),
    lemma("entropy", [one_p], -total(p[i] * log(p[i])) <= log(n), -total(p[i] * log(p[i])) <= log(n) - R(1, 10)),
    lemma("pinsker", [one_p, one_q], variation**2 / 2 <= kl, variation**2 <= kl),
    lemma("kl-chi-square", [one_p, one_q], kl <= log(total(p[i] ** 2 / q[i])), kl <= R(1, 2) * log(total(p[i] ** 2 / q[i]))),
    lemma("kl-near", [near, one_p, one_q], kl <= epsilon, kl <= epsilon / 3),
    lemma(
        "variation-close",
        [*close],
        total(Abs(P[i] - Q[i])) / 2 <= (exp(epsilon) - 1) / (exp(epsilon) + 1),
        total(Abs(P[i] - Q[i])) / 2 <= less * (exp(epsilon) - 1) / (exp(epsilon) + 1),
    ),
    lemma("hockey-stick-close", [*close], HockeyStick(epsilon, P, Q) <= 0, HockeyStick(epsilon / 2, P, Q) <= 0),
    lemma("renyi-monotone", [alpha > 1, beta >= alpha, one_p, one_q], renyi(alpha) <= renyi(beta), renyi(alpha) <= less * renyi(beta)),
    lemma(
        "log-sum-exp",
        [for_each((i, 1, n), x[i] <= y[i] + t)],
        log(total(exp(x[i]))) <= t + log(total(exp(y[i]))),
        log(total(exp(x[i]))) <= less * t + log(total(exp(y[i]))),
    ),
    lemma("squares-of-small", [small], total(u[i] ** 2) <= epsilon * total(u[i]), total(u[i] ** 2) <= less * epsilon * total(u[i])),
    lemma("many-small", [small], total(u[i]) <= n * epsilon, total(u[i]) <= (n - R(1, 2)) * epsilon),
    lemma(
        "power-mean",
        [r >= 1],
        total(a[i]) <= n ** (1 - 1 / r) * total(a[i] ** r) ** (1 / r),
        total(a[i]) <= less * n ** (1 - 1 / r) * total(a[i] ** r) ** (1 / r),
    ),
    lemma("harmonic-mean", [], n**2 <= total(a[i]) * total(1 / a[i]), more * n**2 <= total(a[i]) * total(1 / a[i])),
    lemma(
        "gibbs-variational",
        [one_p, one_q],
        total(p[i] * x[i]) <= kl + log(total(q[i] * exp(x[i]))),
        total(p[i] * x[i]) <= less * kl + log(total(q[i] * exp(x[i]))),
    ),
    lemma("chi-square-near", [near, one_p, one_q], total(p[i] ** 2 / q[i]) <= exp(epsilon), total(p[i] ** 2 / q[i]) <= exp(epsilon / 3)),
]


@pytest.mark.parametrize("entry", LEMMAS, ids=[entry.true.id for entry in LEMMAS])
def test_true_ones_have_documents(entry):
    found = written(entry.true, 20.0)
    assert found.statement is not None, (found.reason, found.detail)
    assert written(entry.twin, 3.0).statement is None


@pytest.mark.parametrize("entry", LEMMAS[::4], ids=[entry.true.id for entry in LEMMAS[::4]])
def test_verdicts(entry):
    outcome = settle(entry.true, budget=30.0)
    assert outcome.verdict is Verdict.CERTIFIED
    assert replay(outcome.certificate, entry.true).document == entry.true.id
    assert settle(entry.twin, budget=30.0).verdict is Verdict.REFUTED
