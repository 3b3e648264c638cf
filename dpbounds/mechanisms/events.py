"""dp_accounting.DpEvent trees as mechanisms of dpbounds, without importing dp_accounting.

An event is recognised by the name of its class, so the package is needed only by whoever builds the tree. `FIELDS` lists the classes:
each is read, bounded with a note that says so (`notes_of`), or refused with the reason. Source of names and fields: dp_accounting
(Google), dp_event.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import singledispatch
from importlib import import_module
from typing import Any

from dpbounds.errors import InputError, did_you_mean
from dpbounds.mechanisms import (
    Composed,
    FiniteTable,
    FixedSizeSampling,
    Gaussian,
    Mechanism,
    Noise,
    PoissonSampling,
    RandomAllocation,
    RandomizedResponse,
    Repeated,
    Sampled,
    Sampling,
    TruncatedPoissonSampling,
    WithReplacementSampling,
)
from dpbounds.mechanisms.registry import noise_of_event
from dpbounds.numbers import exact

FIELDS: Mapping[str, tuple[str, ...]] = {
    "NoOpDpEvent": (),
    "NonPrivateDpEvent": (),
    "UnsupportedDpEvent": (),
    "GaussianDpEvent": ("noise_multiplier",),
    "LaplaceDpEvent": ("noise_multiplier",),
    "DiscreteLaplaceDpEvent": ("noise_parameter", "sensitivity"),
    "DiscreteGaussianDpEvent": ("sigma", "sensitivity", "dimension"),
    "RandomizedResponseDpEvent": ("noise_parameter", "num_buckets"),
    "EpsilonDeltaDpEvent": ("epsilon", "delta"),
    "ExponentialMechanismDpEvent": ("epsilon",),
    "PermuteAndFlipDpEvent": ("epsilon",),
    "ZCDpEvent": ("rho", "xi"),
    "ComposedDpEvent": ("events",),
    "SelfComposedDpEvent": ("event", "count"),
    "PoissonSampledDpEvent": ("sampling_probability", "event"),
    "SampledWithReplacementDpEvent": ("source_dataset_size", "sample_size", "event"),
    "SampledWithoutReplacementDpEvent": ("source_dataset_size", "sample_size", "event"),
    "TruncatedSubsampledGaussianDpEvent": ("dataset_size", "sampling_probability", "truncated_batch_size", "noise_multiplier"),
    "RandomAllocationDpEvent": ("event", "num_selected", "num_steps"),
    "MixtureOfGaussiansDpEvent": ("standard_deviation", "sensitivities", "sampling_probs"),
    "RepeatAndSelectDpEvent": ("event", "mean", "shape"),
    "SingleEpochTreeAggregationDpEvent": ("noise_multiplier", "step_counts"),
}
"""The classes that are known, and their fields in order."""

_NOTHING = FiniteTable(("1",), ("1",))
_EVERYTHING = FiniteTable(("1", "0"), ("0", "1"))

_REFUSED = {
    "UnsupportedDpEvent": "it says that the operation has no description",
    "ZCDpEvent": "a bound on Rényi divergences is no pair of distributions; `dpbounds verify` judges claims of zCDP",
    "RepeatAndSelectDpEvent": "for a random number of runs only bounds on Rényi divergences are known",
}
_BOUNDED = {
    "ExponentialMechanismDpEvent": "upper bound: of the exponential mechanism nothing but its epsilon is used",
    "PermuteAndFlipDpEvent": "upper bound: of permute-and-flip nothing but its epsilon is used",
    "SingleEpochTreeAggregationDpEvent": "tree aggregation: the value is that of the zero-out relation",
}


def is_event(value: object) -> bool:
    """True for an object whose class comes from dp_accounting.

    >>> is_event(_NOTHING)
    False
    """
    return any(base.__name__ == "DpEvent" for base in type(value).__mro__)


def name_of(event: Any) -> str:
    """The class of an event: what it says of itself, or its type's name.

    >>> name_of(event_of(Gaussian(2)))
    'GaussianDpEvent'
    """
    return str(getattr(event, "class_name", type(event).__name__))


def mechanism_of(event: Any) -> Mechanism:
    """The mechanism that a DpEvent tree describes.

    Args:
        event: a dp_accounting DpEvent, or a tree read by `dpbounds.mechanisms.foreign`.

    Raises:
        InputError: an event that is refused; the message names it and says why.

    >>> mechanism_of(event_of(Gaussian(2)))
    Gaussian(sigma=Fraction(2, 1))
    """
    name = name_of(event)
    try:
        if (noise := noise_of_event(name)) is not None:
            return noise.from_event(event)
        if name in _READERS:
            return _READERS[name](event)
    except AttributeError as error:
        raise InputError(f"{name} needs the fields {', '.join(FIELDS.get(name, ())) or 'of its class'}: {error}") from None
    if name in _REFUSED:
        raise InputError(f"no accountant for the event {name}: {_REFUSED[name]}")
    raise InputError(f"no accountant for the event {name}{did_you_mean(name, FIELDS)}; known are {', '.join(FIELDS)}")


def notes_of(event: Any) -> tuple[str, ...]:
    """What must be said beside a value: which parts of a tree are bounded, not described.

    >>> notes_of(_NOTHING)
    ()
    """
    return tuple(dict.fromkeys(_BOUNDED[name_of(part)] for part in _parts(event) if name_of(part) in _BOUNDED))


def _parts(event: Any) -> Iterator[Any]:
    yield event
    for inner in (*getattr(event, "events", ()), *([event.event] if hasattr(event, "event") else [])):
        yield from _parts(inner)


def _composed(event: Any) -> Mechanism:
    parts = tuple(mechanism_of(part) for part in event.events)
    return Composed(parts) if parts else _NOTHING


def _self_composed(event: Any) -> Mechanism:
    inner, count = mechanism_of(event.event), exact.integer(event.count, "count")
    return _NOTHING if count == 0 else Repeated(inner, count)


def _sampled(event: Any, sampling: Sampling) -> Mechanism:
    inner = mechanism_of(event.event)
    if inner is _NOTHING:
        return _NOTHING
    if not isinstance(inner, Noise):
        raise InputError(f"{name_of(event)} must hold one mechanism, got {name_of(event.event)}; sample each part, then compose")
    return Sampled(inner, sampling)


def _exponential(event: Any) -> Mechanism:
    return RandomizedResponse(event.epsilon)  # the worst mechanism of pure ε


def _tree(event: Any) -> Mechanism:
    """A leaf of a tree with s leaves is in ⌈log₂(s+1)⌉ released sums at most, each with its own noise: as many Gaussian steps."""
    counts = event.step_counts if isinstance(event.step_counts, (list, tuple)) else [event.step_counts]
    leaves = max((exact.integer(count, "step_counts") for count in counts), default=0)
    if leaves < 1 or min(counts) < 1:
        raise InputError(f"step_counts must be at least 1, got {event.step_counts}")
    return Repeated(Gaussian(event.noise_multiplier), leaves.bit_length())


def _size(event: Any, name: str) -> int:
    return exact.integer(getattr(event, name), name)


_READERS: Mapping[str, Callable[[Any], Mechanism]] = {
    "NoOpDpEvent": lambda event: _NOTHING,
    "NonPrivateDpEvent": lambda event: _EVERYTHING,
    "ComposedDpEvent": _composed,
    "SelfComposedDpEvent": _self_composed,
    "ExponentialMechanismDpEvent": _exponential,
    "PermuteAndFlipDpEvent": _exponential,
    "SingleEpochTreeAggregationDpEvent": _tree,
    "PoissonSampledDpEvent": lambda event: _sampled(event, PoissonSampling(event.sampling_probability)),
    "SampledWithReplacementDpEvent": lambda event: _sampled(
        event, WithReplacementSampling(_size(event, "source_dataset_size"), _size(event, "sample_size"))
    ),
    "SampledWithoutReplacementDpEvent": lambda event: _sampled(
        event, FixedSizeSampling(_size(event, "source_dataset_size"), _size(event, "sample_size"))
    ),
    "TruncatedSubsampledGaussianDpEvent": lambda event: Sampled(
        Gaussian(event.noise_multiplier),
        TruncatedPoissonSampling(event.sampling_probability, event.dataset_size, event.truncated_batch_size),
    ),
    "RandomAllocationDpEvent": lambda event: _sampled(event, RandomAllocation(event.num_steps, event.num_selected)),
}


@dataclass(frozen=True)
class Event:
    """A class of dp_accounting by its name, with its fields."""

    class_name: str
    fields: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(f"{name} is missing") from None

    def built(self) -> Any:
        """The event itself, by the installed dp_accounting.

        Raises:
            InputError: dp_accounting is not installed, or its version has no such event.
        """
        try:
            home = import_module("dp_accounting")
        except ImportError:
            raise InputError("dp_accounting is not installed; install the package dp-accounting to build its events") from None
        kind = getattr(home, self.class_name, None) or getattr(home.dp_event, self.class_name, None)
        if kind is None:
            raise InputError(f"the installed dp_accounting has no event {self.class_name}")
        return kind(**{name: _built(value) for name, value in self.fields.items()})


def _built(value: Any) -> Any:
    if isinstance(value, list):
        return [_built(part) for part in value]
    return value.built() if isinstance(value, Event) else value


def event_of(mechanism: Mechanism) -> Event:
    """The event that describes a mechanism; numbers become floats.

    Raises:
        InputError: a mechanism that no event describes.

    >>> event_of(Repeated(Gaussian(2), 3)).event.noise_multiplier
    2.0
    """
    return _event(mechanism)


@singledispatch
def _event(mechanism: Mechanism) -> Event:
    kind = type(mechanism).__name__
    if isinstance(mechanism, Noise) and (found := mechanism.event()):
        return Event(*found)
    if kind not in _WRITERS:
        raise InputError(f"no event of dp_accounting describes {kind}")
    return Event(f"{kind}DpEvent", _WRITERS[kind](mechanism))


@_event.register(Repeated)
def _(mechanism: Repeated) -> Event:
    return Event("SelfComposedDpEvent", {"event": event_of(mechanism.mechanism), "count": mechanism.steps})


@_event.register(Composed)
def _(mechanism: Composed) -> Event:
    return Event("ComposedDpEvent", {"events": [event_of(part) for part in mechanism.parts]})


@_event.register(Sampled)
def _(mechanism: Sampled) -> Event:
    return _event_of_sampling(mechanism.sampling, event_of(mechanism.base))


@singledispatch
def _event_of_sampling(sampling: Sampling, inner: Event) -> Event:
    raise InputError(f"no event of dp_accounting describes {type(sampling).__name__}")


@_event_of_sampling.register(PoissonSampling)
def _(sampling: PoissonSampling, inner: Event) -> Event:
    return Event("PoissonSampledDpEvent", {"sampling_probability": float(sampling.q), "event": inner})


@_event_of_sampling.register(RandomAllocation)
def _(sampling: RandomAllocation, inner: Event) -> Event:
    return Event("RandomAllocationDpEvent", {"event": inner, "num_selected": sampling.participations, "num_steps": sampling.bins})


@_event_of_sampling.register(FixedSizeSampling)
def _(sampling: FixedSizeSampling, inner: Event) -> Event:
    return _event_of_batches("SampledWithoutReplacementDpEvent", sampling, inner)


@_event_of_sampling.register(WithReplacementSampling)
def _(sampling: WithReplacementSampling, inner: Event) -> Event:
    return _event_of_batches("SampledWithReplacementDpEvent", sampling, inner)


def _event_of_batches(name: str, sampling: FixedSizeSampling | WithReplacementSampling, inner: Event) -> Event:
    return Event(name, {"source_dataset_size": sampling.population, "sample_size": sampling.batch, "event": inner})


_WRITERS: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "Gaussian": lambda noise: {"noise_multiplier": float(noise.sigma)},
    "Laplace": lambda noise: {"noise_multiplier": float(noise.scale)},
    "RandomizedResponse": lambda noise: {
        "noise_parameter": noise.answers / (noise.answers + math.expm1(float(noise.epsilon))),
        "num_buckets": noise.answers,
    },
    "DiscreteLaplace": lambda noise: {"noise_parameter": float(1 / noise.scale), "sensitivity": noise.sensitivity},
    "DiscreteGaussian": lambda noise: {"sigma": float(noise.sigma), "sensitivity": noise.sensitivity, "dimension": 1},
    "EpsilonDelta": lambda noise: {"epsilon": float(noise.epsilon), "delta": float(noise.failure)},
    "MixtureOfGaussians": lambda noise: {
        "standard_deviation": float(noise.sigma),
        "sensitivities": [float(value) for value in noise.centres],
        "sampling_probs": [float(value) for value in noise.weights],
    },
}
