"""The sum of clipped gradients, in integers: one record changes it by at most the clipping norm, exactly.

A float64 sum depends on its order, and one record can change it by more than C in the last places. Here each gradient
is clipped in float64 with room for every rounding, truncated towards zero to multiples of C/2³², and summed in integers:

    n_i = trunc(2³² · g_i · min(1/C, (1 − m)/‖g_i‖)),    ‖n_i‖ ≤ 2³²,    m = (d + 16)/2⁵²,    d coordinates.

Room for rounding: with u = 2⁻⁵³, quotient by the largest entry (u), its square (2u and u), a sum of d terms in any order
((d−1)u), square root (half of that and u), products and quotients by the norm and C (5u) stay below (d + 16)·2u to first
order, and the rest is below that for d ≤ 2²⁶. Truncation makes entries smaller. So the norm is at most 2³² in the reals.

A gradient with NaN or an infinity counts as zero, so a bad record changes the sum no more than a good one: it
is not refused, because an error that one record can cause would tell that the record is there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpbounds.errors import InputError

Array = Any

GRID_BITS = 32
"""Truncation costs at most C/2³² per coordinate and record, far below any noise that protects."""
MOST_COORDINATES = 2**26
"""Above it the room for rounding errors is not proved."""
MOST_ROWS = 2**20
"""Whole numbers below 2³² of so many rows add without rounding in float64, in any order."""
MOST_RECORDS = 2**30
"""2³⁰ records of norm 2³² stay below the largest int64."""


def clipped_rows(gradients: Array, shape: tuple[int, ...], clip: float) -> Array:
    """Gradients of single records, clipped to norm C and truncated to integer multiples of C/2³².

    Args:
        gradients: records × shape, real numbers.
        shape: of the parameters.
        clip: C > 0.

    Returns:
        records × coordinates, whole numbers in float64; each row has Euclidean norm at most 2³², in exact arithmetic.

    Raises:
        InputError: not real numbers, or another shape.

    >>> rows = clipped_rows(np.array([[3.0, 4.0], [np.nan, 1.0]]), (2,), 1.0)
    >>> sum(int(n) ** 2 for n in rows[0]) <= 2**64, rows[1].tolist()
    (True, [0.0, 0.0])
    """
    rows = np.asarray(gradients)
    if rows.dtype.kind not in "fiu" or rows.ndim != 1 + len(shape) or rows.shape[1:] != shape:
        raise InputError(
            f"gradients must be real numbers, one row of shape {shape} for each record, "
            f"got {rows.dtype} of shape {rows.shape}; do not sum or average over the records"
        )
    size = int(np.prod(shape, dtype=np.int64))
    if size > MOST_COORDINATES:
        raise InputError(f"a model must have at most {MOST_COORDINATES} parameters here, got {size}")
    flat = rows.reshape(len(rows), size).astype(np.float64)
    largest = np.maximum(flat.max(axis=1, initial=0.0), -flat.min(axis=1, initial=0.0))  # NaN stays NaN
    bad = ~np.isfinite(largest)
    flat[bad], largest[bad] = 0.0, 0.0
    flat /= np.where(largest > 0, largest, 1.0)[:, None]
    norms = np.sqrt(np.einsum("ij,ij->i", flat, flat))
    room = 1.0 - (size + 16) * 2.0**-52
    with np.errstate(over="ignore"):  # an infinite length is clipped as any other that is too long
        lengths = np.minimum(largest / clip, room / np.where(norms > 0, norms, 1.0))
    flat *= (lengths * 2.0**GRID_BITS)[:, None]
    return np.trunc(flat, out=flat)


def clipped_sum(gradients: Array, shape: tuple[int, ...], clip: float) -> Array:
    """The sum of `clipped_rows` over the records, as int64 of the parameters' shape: exact, whatever their order.

    Adding or removing a record moves it by at most 2³² in Euclidean norm, replacing one by at most 2³³.

    >>> clipped_sum(np.zeros((0, 3)), (3,), 1.0).tolist()
    [0, 0, 0]
    """
    rows = clipped_rows(gradients, shape, clip)
    if len(rows) > MOST_ROWS:
        raise InputError(f"gradients must come in chunks of at most {MOST_ROWS} records, got {len(rows)}")
    return rows.sum(axis=0).astype(np.int64).reshape(shape)
