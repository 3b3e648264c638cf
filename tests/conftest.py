"""What every test must keep to."""

import pytest

from dpbounds.numbers import balls


@pytest.fixture(autouse=True)
def _the_precision_is_left_as_it_was():
    """The precision of balls is one for the process: what leaves it changed changes what others print."""
    before = balls.working_bits()
    yield
    assert balls.working_bits() == before
