"""What every test must keep to."""

import gc
import signal

import pytest

from dpbounds.numbers import balls

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell ignores it in what it starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A session holds millions of trees and terms: Python would go through all of them too often.
gc.set_threshold(100_000, 20, 50)


@pytest.fixture(autouse=True)
def _the_precision_is_left_as_it_was():
    """The precision of balls is one for the process: what leaves it changed changes what others print."""
    before = balls.working_bits()
    yield
    assert balls.working_bits() == before


def pytest_sessionfinish() -> None:
    """What a process holds at its end is given back as a whole: to look for garbage in it five times takes seconds."""
    gc.freeze()
