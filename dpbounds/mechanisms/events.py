"""dp_accounting.DpEvent trees as mechanisms of dpbounds, without importing dp_accounting.

Understood: NoOp, Gaussian, Laplace, randomized response with two buckets, Poisson-sampled, composed and self-composed events.
An event is recognised by the name of its class, so the package is needed only by whoever builds the tree.
Source of the names: dp_accounting (Google), dp_event.py.
"""

from __future__ import annotations

import math
from typing import Any

from dpbounds.errors import InputError
from dpbounds.mechanisms import Composed, FiniteTable, Gaussian, Laplace, Mechanism, PoissonSampling, RandomizedResponse, Repeated, Sampled

_NOTHING = FiniteTable(("1",), ("1",))


def is_event(value: object) -> bool:
    """True for an object whose class comes from dp_accounting.

    >>> is_event(Gaussian(1))
    False
    """
    return any(base.__name__ == "DpEvent" for base in type(value).__mro__)


def mechanism_of(event: Any) -> Mechanism:
    """The mechanism that a DpEvent tree describes.

    Args:
        event: a dp_accounting DpEvent.

    Raises:
        InputError: an event outside the list above; the message names it.
    """
    name = type(event).__name__
    if name == "NoOpDpEvent":
        return _NOTHING
    if name == "GaussianDpEvent":
        return Gaussian(event.noise_multiplier)
    if name == "LaplaceDpEvent":
        return Laplace(event.noise_multiplier)
    if name == "RandomizedResponseDpEvent":
        return _randomized_response(event)
    if name == "PoissonSampledDpEvent":
        return _sampled(event)
    if name == "SelfComposedDpEvent":
        return _NOTHING if event.count == 0 else Repeated(mechanism_of(event.event), event.count)
    if name == "ComposedDpEvent":
        parts = tuple(mechanism_of(part) for part in event.events)
        return Composed(parts) if parts else _NOTHING
    raise InputError(
        f"no accountant for the event {name}; use Gaussian, Laplace, RandomizedResponse, PoissonSampled, Composed, SelfComposed or NoOp"
    )


def _sampled(event: Any) -> Mechanism:
    inner = mechanism_of(event.event)
    if inner is _NOTHING:
        return _NOTHING
    if not isinstance(inner, (Gaussian, Laplace, RandomizedResponse, FiniteTable)):
        raise InputError(
            f"a PoissonSampledDpEvent must hold one mechanism, got {type(event.event).__name__}; sample each part, then compose"
        )
    return Sampled(inner, PoissonSampling(event.sampling_probability))


def _randomized_response(event: Any) -> Mechanism:
    """Truth with probability 1 − p, else uniform over the buckets: with two buckets ε = log((2−p)/p)."""
    if event.num_buckets != 2:
        raise InputError(f"randomized response is known for 2 buckets here, got {event.num_buckets}")
    p = event.noise_parameter
    if not 0 < p <= 1:
        raise InputError(f"randomized response needs a noise parameter in (0, 1], got {p}")
    return RandomizedResponse(math.log((2 - p) / p))
