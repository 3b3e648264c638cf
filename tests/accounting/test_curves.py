"""Curves: many ε or δ of one mechanism give what each gives alone."""

from fractions import Fraction

import pytest

from dpbounds.accounting import delta, delta_at, epsilon, epsilon_at
from dpbounds.accounting.bromwich import Line
from dpbounds.errors import InputError
from dpbounds.mechanisms import Gaussian, Laplace, PoissonSampling, RandomizedResponse, Repeated, Sampled

MECHANISMS = pytest.mark.parametrize(
    "mechanism",
    [
        Repeated(Sampled(Gaussian("1.5"), PoissonSampling("0.01")), 1000),
        Repeated(Sampled(Gaussian("0.8"), PoissonSampling("0.05")), 20),
        Repeated(Laplace(3), 10),
        Repeated(RandomizedResponse("0.5"), 30),
    ],
    ids=["sampled", "few steps", "laplace", "randomized response"],
)


@MECHANISMS
def test_delta_at_many_epsilons(mechanism):
    points = ["2", "0.1", "0", "0.5", "1"]
    together = delta_at(mechanism, points, digits=10)
    for point, found in zip(points, together, strict=True):
        alone = delta(mechanism, point, digits=14)
        assert found.argument == ("epsilon", Fraction(point))
        assert found.enclosure.overlaps(alone.enclosure)
        assert found.enclosure.meets(10)


@MECHANISMS
def test_epsilon_at_many_deltas(mechanism):
    points = ["1e-3", "1e-9", "1e-5"]
    together = epsilon_at(mechanism, points, digits=9)
    for point, found in zip(points, together, strict=True):
        assert found.argument == ("delta", Fraction(point))
        assert found.enclosure.overlaps(epsilon(mechanism, point, digits=12).enclosure)
        assert found.enclosure.meets(9)


def test_contours_are_shared(monkeypatch):
    made, whole = [], Line.__init__
    monkeypatch.setattr(Line, "__init__", lambda self, *given: made.append(1) or whole(self, *given))
    mechanism = Repeated(Sampled(Gaussian("1.5"), PoissonSampling("0.01")), 1000)
    delta_at(mechanism, [Fraction(n, 50) for n in range(10, 60)], digits=8, direction="remove")
    assert len(made) <= 15


def test_the_first_bad_point_is_refused():
    with pytest.raises(InputError):
        delta_at(Gaussian(1), ["1", "-1"])
    with pytest.raises(InputError):
        epsilon_at(Gaussian(1), ["1e-5", "1"])
    assert delta_at(Gaussian(1), []) == []


def test_epsilons_that_no_float_holds():
    first, last = delta_at(RandomizedResponse("1"), ["1e400", "0"])
    assert first.enclosure.upper == 0
    assert last.enclosure.lower > 0
