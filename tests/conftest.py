"""What every test must keep to."""

import signal

import pytest

from dpbounds.numbers import balls

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell ignores it in what it starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _the_precision_is_left_as_it_was():
    """The precision of balls is one for the process: what leaves it changed changes what others print."""
    before = balls.working_bits()
    yield
    assert balls.working_bits() == before
