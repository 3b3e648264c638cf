"""How much arithmetic one whole certificate may take: each step is bounded by itself, and a document may have many steps.

The unit is one product of two terms with short coefficients, about a microsecond.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from dpbounds.descent.refusal import need

_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


@contextmanager
def limited(work: int) -> Iterator[None]:
    """At most so much work inside; without it there is no limit, as in a search, which has a clock."""
    token = _left.set([work])
    try:
        yield
    finally:
        _left.reset(token)


def spend(work: int) -> None:
    """Count some work.

    Raises:
        Refused: the limit is passed.
    """
    left = _left.get()
    if left is not None:
        left[0] -= work
        need(left[0] >= 0, "a certificate that takes long to check")
