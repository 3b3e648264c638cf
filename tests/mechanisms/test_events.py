"""dp_accounting event trees become mechanisms; the classes are stood in for, so that the package need not be installed."""

from dataclasses import dataclass

import pytest

from dpbounds import mechanisms as m
from dpbounds.errors import InputError
from dpbounds.float64 import delta_bounds
from dpbounds.mechanisms import events


class DpEvent:
    """Stands for dp_accounting.DpEvent: events are recognised by the names of their classes."""


@dataclass(frozen=True)
class NoOpDpEvent(DpEvent):
    pass


@dataclass(frozen=True)
class GaussianDpEvent(DpEvent):
    noise_multiplier: float


@dataclass(frozen=True)
class LaplaceDpEvent(DpEvent):
    noise_multiplier: float


@dataclass(frozen=True)
class RandomizedResponseDpEvent(DpEvent):
    noise_parameter: float
    num_buckets: int


@dataclass(frozen=True)
class PoissonSampledDpEvent(DpEvent):
    sampling_probability: float
    event: DpEvent


@dataclass(frozen=True)
class SelfComposedDpEvent(DpEvent):
    event: DpEvent
    count: int


@dataclass(frozen=True)
class ComposedDpEvent(DpEvent):
    events: list


@dataclass(frozen=True)
class ZCDpEvent(DpEvent):
    rho: float


def test_a_tree_becomes_a_mechanism():
    tree = ComposedDpEvent(
        [SelfComposedDpEvent(PoissonSampledDpEvent(0.01, GaussianDpEvent(1.5)), 100), LaplaceDpEvent(4.0), NoOpDpEvent()]
    )
    expected = m.Composed(
        (m.Repeated(m.Sampled(m.Gaussian("1.5"), m.PoissonSampling("0.01")), 100), m.Laplace(4), m.FiniteTable(("1",), ("1",)))
    )
    assert events.is_event(tree)
    assert events.mechanism_of(tree) == expected


def test_the_front_door_takes_events():
    tree = SelfComposedDpEvent(PoissonSampledDpEvent(0.01, GaussianDpEvent(1.5)), 10_000)
    found = delta_bounds(tree, 1)
    assert found.lower <= 0.04960141031482577 <= found.upper


def test_randomized_response_has_the_stated_epsilon():
    found = events.mechanism_of(RandomizedResponseDpEvent(0.5, 2))
    assert isinstance(found, m.RandomizedResponse)
    assert abs(float(found.epsilon) - 1.0986122886681098) <= 1e-15


def test_nothing_released_is_delta_zero():
    for nothing in (NoOpDpEvent(), ComposedDpEvent([]), SelfComposedDpEvent(GaussianDpEvent(1.0), 0)):
        assert delta_bounds(nothing, 0).upper == 0.0


@pytest.mark.parametrize(
    "event",
    [
        ZCDpEvent(0.1),
        PoissonSampledDpEvent(0.1, ComposedDpEvent([GaussianDpEvent(1.0), GaussianDpEvent(2.0)])),
        RandomizedResponseDpEvent(0.5, 1),
        RandomizedResponseDpEvent(0.0, 2),
    ],
)
def test_what_is_not_understood_is_named(event):
    with pytest.raises(InputError):
        events.mechanism_of(event)
