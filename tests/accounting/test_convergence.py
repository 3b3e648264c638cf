"""Trapezoid sums of growing length: every one of them encloses δ, the mass of infinite loss included."""

import pytest

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.accounting.convergence import convergence_of
from dpbounds.errors import InputError

NOISE = m.Repeated(m.Sampled(m.Gaussian("1.5"), m.PoissonSampling("0.01")), 1000)
LOST = m.FiniteTable(["9/10", "1/10", 0], ["9/10", 0, "1/10"])


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("mechanism", [NOISE, m.Composed((NOISE, m.RandomizedResponse(1))), m.Composed((NOISE, LOST))])
def test_every_length_encloses_delta(mechanism, direction):
    exact = accounting.delta(mechanism, 1, digits=12, direction=direction).enclosure
    found = convergence_of(mechanism, 1, [3, 6, 9], direction)
    assert all(one.enclosure.overlaps(exact) for one in found)
    assert [one.nodes for one in found] == sorted({one.nodes for one in found})
    assert found[-1].digits >= 8


def test_where_there_is_no_contour():
    with pytest.raises(InputError, match="largest privacy loss"):
        convergence_of(m.FiniteTable([1, 0], [0, 1]), 1, [3])
    with pytest.raises(InputError, match="digits"):
        convergence_of(NOISE, 1, [0])
