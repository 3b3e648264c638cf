"""Rows for every law: what the accountants in use are asked beside the sampled Gaussian, cheap questions first.

Rows of a published pair that is no guarantee of the mechanism, such as batches of fixed size, have the guarantee "pair".
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dpbounds.reference.grid import (
    BINARY_DELTAS,
    DECIMAL_DELTAS,
    FRACTIONAL_ORDERS,
    INTEGER_ORDERS,
    RowQuestion,
    asked,
    both_quantities,
    composition,
    specification,
)

BINARY_TINY = tuple(f"1/{2**power}" for power in (34, 37, 40, 44, 47, 50, 54, 57, 60, 64))
DECIMAL_TINY = tuple(f"1e-{power}" for power in range(10, 21))
"""δ from 1e-10 to 1e-20: below what a sum of float64 probabilities resolves."""
BINARY_EPSILONS, DECIMAL_EPSILONS = ("0.125", "0.5", "2"), ("0.1", "0.7", "3")
ORDERS = (*FRACTIONAL_ORDERS, *INTEGER_ORDERS)
DIRECTIONS = ("remove", "add")
SETTINGS = (
    (("1", "2", "4"), ("1", "2", "4", "8"), BINARY_DELTAS, BINARY_TINY, BINARY_EPSILONS),
    (("0.8", "1.1", "5.1"), ("0.7", "1.5", "3", "10", "30"), DECIMAL_DELTAS, DECIMAL_TINY, DECIMAL_EPSILONS),
)
"""σ, scales, δ, small δ, ε: exactly float64, then decimal."""


def questions_of_laws() -> Iterator[RowQuestion]:
    """All of them.

    >>> next(questions_of_laws()).quantity
    'epsilon'
    """
    for sigmas, scales, deltas, tiny, epsilons in SETTINGS:
        yield from _bounded_losses(scales, epsilons, deltas)
        yield from _epsilon_delta(epsilons, deltas)
        yield from _tables(deltas)
        yield from _small_rates_orders(sigmas)
        yield from _on_integers("discrete_gaussian", sigmas, deltas)
        yield from _sampled_laplace(scales[:3], deltas)
        yield from _fixed_size(sigmas, deltas, epsilons)
        yield from _small_deltas(sigmas[:2], tiny)
        yield from _small_rates(sigmas, tiny)
    for sigmas, _, deltas, tiny, epsilons in SETTINGS:
        yield from _products(deltas, tiny)
        yield from _random_allocation(sigmas, deltas, epsilons)
        yield from _mixtures(sigmas, epsilons)
        yield from _groups(sigmas, epsilons)
        yield from _truncated(sigmas, epsilons)
        yield from _on_integers("skellam", scales[:3], deltas)
        yield from _shuffled(epsilons, deltas)
        yield from _formulas(sigmas[1:], epsilons[:2], deltas)


def _bounded(part: dict[str, Any], counts: tuple[int, ...], deltas: tuple[str, ...], regime: str) -> Iterator[RowQuestion]:
    """A law with a largest loss: at one use ε(δ) only, since δ at an ε close to it is mostly 0."""
    for steps in counts:
        spec = specification(**part, steps=steps)
        yield from (asked("epsilon", spec, deltas, regime) if steps == 1 else both_quantities(spec, deltas, regime))
    yield from asked("rdp", specification(**part, steps=1), ORDERS, regime)


def _bounded_losses(scales: tuple[str, ...], levels: tuple[str, ...], deltas: tuple[str, ...]) -> Iterator[RowQuestion]:
    for scale in scales:
        yield from _bounded({"laplace_scale": scale}, (1, 2, 5, 10, 30, 100), deltas, "laplace")
    for scale, sensitivity in itertools.product(scales, (None, 3)):
        yield from _bounded({"discrete_laplace": scale, "sensitivity": sensitivity}, (1, 10, 100), deltas, "discrete laplace")
    for level, answers in itertools.product(levels, (3, 4, 10)):
        part = {"randomized_response": level, "answers": answers}
        yield from _bounded(part, (1, 5, 30), deltas, "randomized response, many answers")


def _epsilon_delta(levels: tuple[str, ...], deltas: tuple[str, ...]) -> Iterator[RowQuestion]:
    for level in levels[:2]:
        for steps in (1, 10, 50):
            spec = specification(epsilon_delta=level, failure=deltas[2], steps=steps)
            reach = [Fraction(level) * steps * Fraction(share) for share in ("1/8", "1/2", "3/4", "1")]
            yield from asked("delta", spec, tuple(str(float(epsilon)) for epsilon in reach), "(epsilon, delta)-event")
            yield from asked("epsilon", spec, deltas[:2], "(epsilon, delta)-event")


def _tables(deltas: tuple[str, ...]) -> Iterator[RowQuestion]:
    for p, q in ((("0.5", "0.25", "0.25"), ("0.25", "0.25", "0.5")), (("0.75", "0.125", "0.125"), ("0.5", "0.375", "0.125"))):
        for steps in (1, 5, 20):
            yield from asked("epsilon", specification(table={"p": p, "q": q}, steps=steps), deltas[:3], "table", DIRECTIONS)


def _on_integers(noise: str, scales: tuple[str, ...], deltas: tuple[str, ...]) -> Iterator[RowQuestion]:
    for scale in scales:
        for sensitivity in (None, 2):
            for steps in (1, 10):
                spec = specification(**{noise: scale}, sensitivity=sensitivity, steps=steps)
                yield from both_quantities(spec, deltas, noise.replace("_", " "))
            spec = specification(**{noise: scale}, sensitivity=sensitivity, steps=1)
            yield from asked("rdp", spec, ORDERS, noise.replace("_", " "))


def _shuffled(levels: tuple[str, ...], deltas: tuple[str, ...]) -> Iterator[RowQuestion]:
    """Exact for the data that a row names; of a blanket, which is for any data, the value of the bound."""
    for level, users, answers, others in itertools.product(levels[1:], (10, 1000), (2, 4), ("0", "third", "any")):
        if others != "third" or answers > 2:
            spec = specification(shuffle=users, local_epsilon=level, answers=answers, others=others)
            guarantee = "mechanism" if others == "any" else "pair"
            yield from both_quantities(spec, deltas[1:3], "shuffled messages", relation="substitute", guarantee=guarantee)
    for sigma in ("0.5", "1", "2"):
        spec = specification(shuffle=1000, local_sigma=sigma, randomizer="gaussian", others="any")
        yield RowQuestion("delta", spec, "", "substitute", "worst", "mechanism", "shuffled messages", near=deltas[1])


def _formulas(sigmas: tuple[str, ...], levels: tuple[str, ...], deltas: tuple[str, ...]) -> Iterator[RowQuestion]:
    """Where the formula is the value: runs without projection, matrices with signs, one use of a selection or several that are fixed."""
    runs = [{"hidden_state": True, "contraction": c, "gradient_change": 1, "steps": 50} for c in ("0.5", "0.99", "1")]
    runs += [{"matrix": matrix, "steps": 8, "min_sep": 2} for matrix in ("1,1/2,1/4", "1,0,3/4,1/4,0,2/3", "tree")]
    specs = [specification(**run, sigma=sigma) for run in runs for sigma in sigmas]
    chosen = [specification(exponential_mechanism=level, steps=steps) for level in levels for steps in (1, 10)]
    flips = [specification(permute_and_flip=level, steps=1) for level in levels]
    for spec in (*specs, *chosen, *flips):
        yield from both_quantities(spec, deltas[1:3], "formula of its own")
    for spec in (*specs, *chosen, *flips):
        yield from asked("rdp", spec, ORDERS[::4], "formula of its own")
    for spec in flips:
        yield from asked("rho", spec, ("1",), "formula of its own")


def _sampled_laplace(scales: tuple[str, ...], deltas: tuple[str, ...]) -> Iterator[RowQuestion]:
    rates = ("0.5", "0.125", "0.0078125") if deltas is BINARY_DELTAS else ("0.3", "0.1", "0.01")
    for scale in scales:
        for q in rates:
            for steps in (1, 2):
                spec = specification(laplace_scale=scale, sampling="poisson", q=q, steps=steps)
                yield from asked("epsilon", spec, deltas, "poisson-sampled laplace", DIRECTIONS)
            spec = specification(laplace_scale=scale, sampling="poisson", q=q, steps=1)
            yield from asked("rdp", spec, ORDERS[::2], "poisson-sampled laplace", DIRECTIONS)
    spec = specification(laplace_scale=scales[0], sampling="poisson", q=rates[2], steps=1000)
    yield from asked("epsilon", spec, deltas, "poisson-sampled laplace", DIRECTIONS)


def _fixed_size(sigmas: tuple[str, ...], deltas: tuple[str, ...], epsilons: tuple[str, ...]) -> Iterator[RowQuestion]:
    sizes = ((1024, 32), (65536, 256)) if deltas is BINARY_DELTAS else ((10_000, 100), (50_000, 500))
    for sigma in sigmas:
        for population, batch in sizes:
            for steps in (100, 1000):
                spec = specification(sigma=sigma, sampling="without-replacement", population=population, batch_size=batch, steps=steps)
                for quantity, arguments in (("epsilon", deltas[1:3]), ("delta", epsilons), ("rdp", ORDERS[1::4])):
                    yield from asked(quantity, spec, arguments, "fixed size, the pair", relation="substitute", guarantee="pair")


def _small_rates_orders(sigmas: tuple[str, ...]) -> Iterator[RowQuestion]:
    for sigma, q in _small(sigmas):
        spec = specification(sigma=sigma, sampling="poisson", q=q, steps=1)
        yield from asked("rdp", spec, ORDERS[::2], "poisson-sampled gaussian, small rates", DIRECTIONS)


def _small_rates(sigmas: tuple[str, ...], tiny: tuple[str, ...]) -> Iterator[RowQuestion]:
    for sigma, q in _small(sigmas):
        spec = specification(sigma=sigma, sampling="poisson", q=q, steps=round(100 / Fraction(q)))
        yield from asked("epsilon", spec, tiny[::3], "poisson-sampled gaussian, small rates", DIRECTIONS)


def _small(sigmas: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """σ up to 20 beside q down to 1e-6."""
    binary = all(Fraction(sigma).denominator == 1 for sigma in sigmas)
    for sigma in (*sigmas, "16" if binary else "20"):
        for q in ("0.0001220703125", "0.0000152587890625", "0.00000095367431640625") if binary else ("1e-4", "1e-5", "1e-6"):
            yield sigma, q


def _small_deltas(sigmas: tuple[str, ...], tiny: tuple[str, ...]) -> Iterator[RowQuestion]:
    for sigma in sigmas:
        for q, steps in (("0.0078125", 10_000), ("0.03125", 1000)) if tiny is BINARY_TINY else (("0.01", 10_000), ("0.05", 1000)):
            spec = specification(sigma=sigma, sampling="poisson", q=q, steps=steps)
            yield from asked("epsilon", spec, tiny, "poisson-sampled gaussian, small deltas", DIRECTIONS)


def _products(deltas: tuple[str, ...], tiny: tuple[str, ...]) -> Iterator[RowQuestion]:
    if deltas is BINARY_DELTAS:
        many: dict[str, Any] = {"sigma": "2", "sampling": "poisson", "q": "0.0078125", "steps": 1000}
        other: dict[str, Any] = {"sigma": "1", "sampling": "poisson", "q": "0.0009765625", "steps": 4000}
        noise, answers, laplace = (
            {"sigma": "8", "steps": 4},
            {"randomized_response": "0.25", "steps": 3},
            {"laplace_scale": "8", "steps": 2},
        )
        counts = {"discrete_laplace": "8", "steps": 3}
    else:
        many = {"sigma": "1.5", "sampling": "poisson", "q": "0.01", "steps": 2000}
        other = {"sigma": "0.9", "sampling": "poisson", "q": "0.001", "steps": 10_000}
        noise, answers, laplace = (
            {"sigma": "7.5", "steps": 5},
            {"randomized_response": "0.1", "steps": 4},
            {"laplace_scale": "10", "steps": 3},
        )
        counts = {"discrete_laplace": "9", "steps": 2}
    pairs = ((many, other), (many, noise), (noise, answers), (counts, answers), (many, answers), (noise, laplace), (many, laplace))
    for parts in pairs:
        spec = composition(*parts)
        yield from asked("epsilon", spec, (*deltas[1:3], *tiny[1::4]), "unlike products", DIRECTIONS)
        yield from asked("rdp", spec, ORDERS[::2], "unlike products", DIRECTIONS)


def _random_allocation(sigmas: tuple[str, ...], deltas: tuple[str, ...], epsilons: tuple[str, ...]) -> Iterator[RowQuestion]:
    regime = "random allocation"
    for sigma in sigmas:
        for bins in (16, 256) if deltas is BINARY_DELTAS else (100, 1000):
            for epochs in (1, 10):
                spec = specification(sigma=sigma, sampling="random-allocation", bins=bins, epochs=epochs)
                yield from asked("rdp", spec, ORDERS[::4], regime, DIRECTIONS)
                yield from asked("delta", spec, epsilons[:2], regime, DIRECTIONS)
        spec = specification(sigma=sigma, sampling="random-allocation", bins=128, epochs=4)
        yield from asked("epsilon", spec, deltas[1:3], regime)


def _mixtures(sigmas: tuple[str, ...], epsilons: tuple[str, ...]) -> Iterator[RowQuestion]:
    for sigma in sigmas:
        for centres, weights in ((("0", "1", "2"), ("0.5", "0.25", "0.25")), (("0", "1", "3"), ("0.875", "0.0625", "0.0625"))):
            spec = specification(mixture_of_gaussians=sigma, centres=centres, weights=weights, steps=1)
            yield from asked("rdp", spec, ORDERS[::2], "mixture of gaussians", DIRECTIONS)
            yield from asked("delta", spec, epsilons, "mixture of gaussians", DIRECTIONS)


def _groups(sigmas: tuple[str, ...], epsilons: tuple[str, ...]) -> Iterator[RowQuestion]:
    for sigma in sigmas:
        for group in (2, 8):
            spec = specification(sigma=sigma, sampling="poisson", q="0.0078125", group=group, steps=1)
            yield from asked("rdp", spec, ORDERS[::2], "groups", DIRECTIONS)
            yield from asked("delta", spec, epsilons[:2], "groups", DIRECTIONS)


def _truncated(sigmas: tuple[str, ...], epsilons: tuple[str, ...]) -> Iterator[RowQuestion]:
    for sigma in sigmas:
        part = {"sigma": sigma, "sampling": "truncated-poisson", "q": "0.0078125", "population": 1024, "batch_limit": 16}
        regime = "truncated poisson, the pair"
        yield from asked("rdp", specification(**part, steps=1), ORDERS[::4], regime, DIRECTIONS, guarantee="pair")
        yield from asked("delta", specification(**part, steps=100), epsilons[:2], regime, guarantee="pair")
