"""Descents with long signs, limits with powers, valleys in two variables and roots that cancel: each is a document, its twin is not."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Abs, Eq, Max, Min, exp, log, sqrt

from benchmarks.lemmas import lemmas_of
from dpbounds import Claim
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.evidence.ways import from_descent
from dpbounds.language.functions import KLDivergence, NormalCDF, RenyiDivergence
from dpbounds.language.symbols import positive, real
from tests.lemmas import assert_only_the_true_one_has_a_document_of_its_descent

a, b, p, q, t, alpha, mu, y, x, z = *map(positive, ("a", "b", "p", "q", "t", "alpha", "mu", "y")), *map(real, ("x", "z"))
below_1 = [p < 1, q < 1]
middle = (p + q) / 2
coin, other, mean = ((s, 1 - s) for s in (p, q, middle))
affinity = sqrt(p * q) + sqrt((1 - p) * (1 - q))
triangular = (p - q) ** 2 / (p + q) + (p - q) ** 2 / (2 - p - q)
shannon = (KLDivergence(1, coin, mean) + KLDivergence(1, other, mean)) / 2
concentrated = NormalCDF((b - a) / sqrt(2 * b)) - exp(a) * NormalCDF(-(a + b) / sqrt(2 * b))
rate = alpha * b**2 + (1 - alpha) * a**2

LEMMAS: dict[str, tuple[list[Any], Any, Any]] = {
    "argument-of-a-logarithm-by-a-curve": (
        below_1, RenyiDivergence(2, coin, other) >= log(1 + 4 * (p - q) ** 2),
        RenyiDivergence(2, coin, other) >= log(1 + 5 * (p - q) ** 2)),
    "product-of-long-factors": (below_1, 2 - 2 * affinity <= triangular, 2 - 2 * affinity <= triangular / 2),
    "conjugates-of-four-roots": (below_1, (p - q) ** 2 <= 2 - 2 * affinity, (p - q) ** 2 <= 1 - affinity),
    "root-that-is-seen-before": (
        below_1, 2 - 2 * affinity <= p * log(p / q) + (1 - p) * log((1 - p) / (1 - q)),
        3 - 3 * affinity <= p * log(p / q) / 2 + (1 - p) * log((1 - p) / (1 - q)) / 2),
    "roots-that-cancel": (
        [alpha > 1, rate > 0], log(b / a) + log(b**2 / rate) / (2 * (alpha - 1)) >= 0,
        log(b / a) + log(b**2 / rate) / (2 * (alpha - 1)) >= 1),
    "power-of-a-quotient": ([a <= b], (1 - a / (b + 1)) ** b >= 0, (1 - a / (b + 1)) ** b >= 1),
    "name-in-a-logarithm": (below_1, shannon <= log(2) * Abs(p - q), shannon <= log(2) * Abs(p - q) / 2),
    "logarithm-of-a-long-product": (
        below_1, affinity >= exp(-KLDivergence(1, coin, other) / 2), affinity >= exp(-2 * KLDivergence(1, coin, other) / 5)),
    "valley-in-two-variables": (below_1, shannon >= (p - q) ** 2 / 2, shannon >= (p - q) ** 2),
    "cut-of-a-way": ([], exp(x) <= x + exp(x**2), exp(x) <= x / 2 + exp(x**2)),
    "logarithm-of-a-minimum": (
        below_1, KLDivergence(1, coin, other) <= log(1 + 2 * (p - q) ** 2 / Min(q, 1 - q)),
        KLDivergence(1, coin, other) <= log(1 + (p - q) ** 2 / (2 * Min(q, 1 - q)))),
    "below-a-maximum": (
        below_1, RenyiDivergence(2, coin, other) <= Max(log(p / q), log((1 - p) / (1 - q))),
        RenyiDivergence(2, coin, other) <= Max(log(p / q), log((1 - p) / (1 - q))) / 2),
    "power-above-1-of-what-vanishes": ([alpha >= 1], (a + b) ** alpha >= a**alpha + b**alpha, (a + b) ** alpha >= a**alpha + 2 * b**alpha),
    "power-below-1-of-what-vanishes": ([alpha <= 1], (a + b) ** alpha <= a**alpha + b**alpha, (a + b) ** alpha <= a**alpha + b**alpha / 2),
    "decay-with-a-constant": (
        [], NormalCDF(-t) - exp(mu * t + mu**2 / 2) * NormalCDF(-t - mu) <= exp(-(t**2) / 2) / (1 + t / mu),
        NormalCDF(-t) - exp(mu * t + mu**2 / 2) * NormalCDF(-t - mu) <= exp(-(t**2) / 2) / (9 + t / mu)),
    "ends-of-functions-beside-brackets-of-numbers": (
        [x < z], NormalCDF(x) * NormalCDF(z + t) <= NormalCDF(z) * NormalCDF(x + t),
        2 * NormalCDF(x) * NormalCDF(z + t) <= 3 * NormalCDF(z) * NormalCDF(x + t) / 2),
    "root-of-1-at-an-end": (
        [a >= b], concentrated <= exp(-((a - b) ** 2) / (4 * b)) / (1 + (a - b) / (2 * b)),
        concentrated <= 2 * exp(-((a - b) ** 2) / (4 * b)) / (5 + 5 * (a - b) / (2 * b))),
}  # fmt: skip


SLOW = ("name-in-a-logarithm", "conjugates-of-four-roots", "decay-with-a-constant", "root-of-1-at-an-end")


PLACES = {
    "lexicon": ("normal-third-moment",),  # 5·√2 < 4·√π; |x|³ under an integral
    "folklore": ("k-response-divergence",),  # an order 2 − 1 that divides a logarithm
    "colloquium": ("folded-mean", "drawn-with-replacement"),  # |x − u| for |u − x|; the argument of a logarithm in open ranges
    "symposium": ("amplified-delta", "truncated-laplace"),  # a multiple of an integral; e^{log a} in an integrand
    "survey": ("sampled-at-least-once",),  # (1 − q)^n at q = 1
    "workshop": ("exponential-mgf",),  # a closed form after a change of variables
}


@pytest.mark.parametrize(
    ("place", "name"),
    [
        pytest.param(place, name, marks=[pytest.mark.slow] if name == "drawn-with-replacement" else [])
        for place, names in PLACES.items()
        for name in names
    ],
)
def test_a_lemma_of_a_list_has_a_document_and_its_twin_has_none(place: str, name: str) -> None:
    pair = next(pair for pair in lemmas_of(place) if pair.true.id == name)
    certificate = certificate_of(pair.true, 5.0)
    assert certificate is not None
    found = from_descent(pair.true, certificate)
    assert found.statement is not None and not found.statement.citations, (found.reason, found.detail)
    assert from_descent(pair.twin, certificate).statement is None


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in LEMMAS])
def test_a_document_of_the_claim_and_none_of_its_twin(name: str) -> None:
    assert_only_the_true_one_has_a_document_of_its_descent(LEMMAS[name])


def test_an_equation_of_a_power_is_no_document() -> None:
    given, then, _ = LEMMAS["power-below-1-of-what-vanishes"]
    certificate = certificate_of(Claim(id="c", text="", given=tuple(given), then=then), 5.0)
    assert certificate is not None
    equal = Claim(id="c", text="", given=tuple(given), then=Eq((a + b) ** alpha, a**alpha + b**alpha, evaluate=False))
    assert from_descent(equal, certificate).statement is None
