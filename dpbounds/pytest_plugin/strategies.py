"""Hypothesis strategies for the tests of an accountant: mechanisms, compositions, ε, δ and orders, in floats.

    @given(compositions(), deltas())
    def test_epsilon(certify, parts, delta):
        certify("upper", "epsilon", parts, delta, my_epsilon(parts, delta))

Examples shrink to round numbers, one part and one use.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dpbounds.errors import require

require("pytest", "hypothesis")

from hypothesis import strategies as st

Part = dict[str, Any]
NOISES = ("sigma", "laplace-scale", "randomized-response", "discrete-laplace", "discrete-gaussian")
_RANGES = {
    "sigma": (0.3, 100.0),
    "laplace-scale": (0.5, 100.0),
    "randomized-response": (0.1, 5.0),
    "discrete-laplace": (0.5, 4.0),
    "discrete-gaussian": (0.5, 4.0),
}
_ROUND = (1.0, 0.5, 2.0, 0.75, 4.0, 1.1, 20.0)
_SAMPLED = ("sigma", "laplace-scale")


def _between(low: float, high: float, digits: int = 3) -> st.SearchStrategy[float]:
    """Numbers of a few digits, as many in each decade."""
    exponents = st.floats(math.log(low), math.log(high), allow_nan=False)
    return exponents.map(lambda x: min(high, max(low, float(f"{math.exp(x):.{digits}g}"))))


def epsilons(low: float = 1e-3, high: float = 20.0) -> st.SearchStrategy[float]:
    """ε between two positive numbers.

    >>> type(epsilons()).__name__
    'OneOfStrategy'
    """
    return st.sampled_from([value for value in (1.0, 0.5, 2.0, 4.0, 0.1, 8.0) if low <= value <= high] or [low]) | _between(low, high)


def deltas(low: float = 1e-14, high: float = 0.1) -> st.SearchStrategy[float]:
    """δ between two positive numbers."""
    common = [value for value in (1e-5, 1e-6, 1e-3, 1e-8, 1e-10, 1e-12) if low <= value <= high]
    return st.sampled_from(common or [low]) | _between(low, high)


def alphas(low: float = 1.01, high: float = 128.0) -> st.SearchStrategy[float]:
    """Orders of Rényi divergences above 1, whole ones and others."""
    return st.sampled_from([value for value in (2.0, 4.0, 1.5, 8.0, 32.0) if low <= value <= high] or [low]) | _between(low, high)


@st.composite
def mechanisms(
    draw: st.DrawFn, noises: Sequence[str] = ("sigma",), samplings: Sequence[str] = ("none", "poisson"), most_steps: int = 10_000
) -> Part:
    """One mechanism, used a number of times: a part of a specification.

    Args:
        noises: some of `NOISES`.
        samplings: "none", "poisson" or both; other noise than Gaussian and Laplace is never sampled.
        most_steps: the largest number of uses.

    >>> type(mechanisms(noises=["laplace-scale"])).__name__
    'LazyStrategy'
    """
    noise = draw(st.sampled_from(list(noises)))
    low, high = _RANGES[noise]
    part: Part = {noise: draw(st.sampled_from([value for value in _ROUND if low <= value <= high]) | _between(low, high))}
    sampling = draw(st.sampled_from(list(samplings))) if noise in _SAMPLED else "none"
    if sampling == "poisson":
        part |= {"sampling": "poisson", "q": draw(st.sampled_from([0.5, 0.01, 0.1, 0.001]) | _between(1e-4, 1.0))}
    return part | {"steps": draw(st.sampled_from([1, 2, 10, 100]).filter(lambda n: n <= most_steps) | st.integers(1, most_steps))}


def compositions(
    most_parts: int = 3, noises: Sequence[str] = ("sigma",), samplings: Sequence[str] = ("none", "poisson"), most_steps: int = 1000
) -> st.SearchStrategy[tuple[Part, ...]]:
    """Compositions of one to a few mechanisms, as `mechanisms` makes them."""
    parts = mechanisms(noises=noises, samplings=samplings, most_steps=most_steps)
    return st.lists(parts, min_size=1, max_size=most_parts).map(tuple)
