"""The model of float64 rounding that the bounds of this package rest on: named assumptions, each with a test.

Everything here speaks about IEEE double precision with unit roundoff u = 2^-53.

* `ARITHMETIC`: +, −, ×, ÷ and sqrt return the exact result times 1 + e, |e| ≤ u (IEEE 754).
* `LIBM_ULPS`: numpy's exp, expm1, log, log1p, arctan2, cos, sin are within this many units in the last place
  (of the result; cos and sin: of 1, but sin of an angle of at most 1 in size: of the result).
  No libm proves it; vendors state 4 or less, and the test samples it in mpmath (found: 1.2).
* `HYPOT_ULPS`: the same for numpy's absolute value of a complex number (found: 2.3 u); max·√(1 + (min/max)²) is within 3.3 u.
* `SPECIAL_ULPS`: the same for scipy's erfcx, log_ndtr and gammaln, as functions of the float argument (found: 17, 123 and 3 in units of u).
* `FFT_FACTOR`: the computed real FFT of x with N points differs from the exact one in the 2-norm by at most
  FFT_FACTOR·u·log2(N) times the norm of the exact one. Higham (Accuracy and Stability of Numerical Algorithms, 2nd ed., Thm 24.2)
  proves a bound of this form for the Cooley–Tukey scheme with accurate twiddles; measured: a factor below 0.2.
* Matrix products of real numbers add n products in some order, each fused or not: n·u of the sum of sizes (Higham, §3.1 and §3.5).
* `sum_error`: numpy's `sum` along a contiguous axis is pairwise over blocks of 128 terms.

Bounds that rest on these assumptions are float64 bounds. They never enter a verdict: only `balls` arithmetic does.
"""

from __future__ import annotations

import math

UNIT_ROUNDOFF = 2.0**-53
LIBM_ULPS = 4.0
LIBM = 2.0 * LIBM_ULPS * UNIT_ROUNDOFF
"""Relative error of one library function: k ulps are at most 2·k·u."""
HYPOT_ULPS = 2.0
HYPOT = 2.0 * HYPOT_ULPS * UNIT_ROUNDOFF
"""Relative error of the absolute value of a complex number."""
SPECIAL_ULPS = 128.0
SPECIAL = 2.0 * SPECIAL_ULPS * UNIT_ROUNDOFF
"""Relative error of one of scipy's special functions."""
FFT_FACTOR = 6.0


def fft_error(points: int) -> float:
    """Relative 2-norm error of one FFT of `points` points under the model FFT_FACTOR·u·log2(N).

    >>> 0 < fft_error(1024) < 1e-14
    True
    """
    return FFT_FACTOR * UNIT_ROUNDOFF * max(1.0, math.log2(points))


def sum_error(terms: int) -> float:
    """Relative error (to Σ|x|) of numpy's pairwise sum along the contiguous axis: blocks of at most 128 terms, then a binary tree.

    Inside a block 8 interleaved runs (16 additions deep) are joined in 3 levels, up to 7 left-over terms follow: 26 deep, plus the tree.

    >>> sum_error(10**6) < 1e-14
    True
    """
    return (27.0 + math.log2(1 + terms / 64)) * UNIT_ROUNDOFF
