"""dp_accounting.DpEvent trees as mechanisms of dpbounds, without importing dp_accounting.

Understood: NoOp, the events that the registry names, and Poisson-sampled, composed and self-composed events.
An event is recognised by the name of its class, so the package is needed only by whoever builds the tree.
Source of the names: dp_accounting (Google), dp_event.py.
"""

from __future__ import annotations

from typing import Any

from dpbounds.errors import InputError
from dpbounds.mechanisms import Composed, FiniteTable, Mechanism, Noise, PoissonSampling, Repeated, Sampled
from dpbounds.mechanisms.registry import noise_of_event, noises

_NOTHING = FiniteTable(("1",), ("1",))


def is_event(value: object) -> bool:
    """True for an object whose class comes from dp_accounting.

    >>> is_event(_NOTHING)
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
    if (noise := noise_of_event(name)) is not None:
        return noise.from_event(event)
    if name == "PoissonSampledDpEvent":
        return _sampled(event)
    if name == "SelfComposedDpEvent":
        return _NOTHING if event.count == 0 else Repeated(mechanism_of(event.event), event.count)
    if name == "ComposedDpEvent":
        parts = tuple(mechanism_of(part) for part in event.events)
        return Composed(parts) if parts else _NOTHING
    known = [event_name.removesuffix("DpEvent") for noise in noises() for event_name in noise.event_names]
    raise InputError(f"no accountant for the event {name}; use {', '.join(known)}, PoissonSampled, Composed, SelfComposed or NoOp")


def _sampled(event: Any) -> Mechanism:
    inner = mechanism_of(event.event)
    if inner is _NOTHING:
        return _NOTHING
    if not isinstance(inner, Noise):
        raise InputError(
            f"a PoissonSampledDpEvent must hold one mechanism, got {type(event.event).__name__}; sample each part, then compose"
        )
    return Sampled(inner, PoissonSampling(event.sampling_probability))
