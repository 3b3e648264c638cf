"""Lemmas of the field, each with a false twin: how much the engine settles of what people write down.

Each list is a module. All but `everyday` were written down before anything was tried on them.
"""

from __future__ import annotations

from importlib import import_module

from benchmarks.lemmas.lemma import Lemma

LISTS = (
    "everyday",
    "held_out",
    "literature",
    "folklore",
    "textbook",
    "lectures",
    "seminar",
    "preprints",
    "workshop",
    "colloquium",
    "symposium",
    "survey",
    "lexicon",
    "glossary",
    "digest",
    "almanac",
)

FRESH = (
    "casebook",
    "yearbook",
    "quarterly",
    "assembly",
    "series",
    "congress",
    "transactions",
    "proceedings",
    "journals",
    "unseen",
    "later",
    "fresh",
    "places",
    "ratios",
)
"""Lists that are run when they are named: the newest; `places` and `ratios` were written while their kinds were worked on."""

OPEN = frozenset(
    [
        "alternating-harmonic",
        "amplification-by-a-third",
        "basel-tail",
        "beta-integral",
        "dawson",
        "discrete-gaussian-far",
        "discrete-gaussian-variance",
        "entropy-below-power",
        "entropy-root",
        "exponential-mean-jensen",
        "gaussian-composed",
        "gaussian-divergence-as-integral",
        "gdp-advantage-composed",
        "hoeffding-tail",
        "hoeffding-unsymmetric",
        "huber-quadratic",
        "laplace-kl",
        "laplace-moment",
        "laplace-sums-subgaussian",
        "laplace-transform",
        "larger-noise-smaller-delta",
        "largest-of-n-normals",
        "mills-boyd",
        "normal-cdf-log-concave-midpoint",
        "normal-log-concave-pair",
        "pinsker-fourth-order",
        "probability-preserved",
        "renyi-pinsker",
        "root-of-n",
        "sampled-count-inverse-mean",
        "sampled-gaussian-order-3",
        "sampled-laplace-order-2",
        "sampled-laplace-variation",
        "sampled-minimum",
        "sampled-order-three",
        "sampled-slope",
        "sampling-never-hurts",
        "scarf",
        "shuffling-never-hurts",
        "softplus-geometric",
        "square-of-log-weighted",
        "staircase-variance",
        "table-orders",
        "table-pinsker",
        "tail-chiani",
        "total-variation-hellinger",
        "two-sided-geometric",
        "unbounded-stream",
        "vajda",
        "zcdp-to-dp-factor",
    ]
)
"""True lemmas that no document settles yet, or only in most of ten seconds. Boxes settle some of them."""

OPEN_TWINS: frozenset[str] = frozenset()
"""False twins that are not refuted."""


def lemmas_of(name: str) -> tuple[Lemma, ...]:
    """The lemmas of one list."""
    found: tuple[Lemma, ...] = import_module(f"benchmarks.lemmas.{name}").LEMMAS
    return found
