"""Accountants in float64: fast, two-sided, independent of the certified engine.

`delta_bounds`, `epsilon_bounds`, `approx_delta`, `approx_epsilon` pick a method and say which; see `front_door`. The published Fourier
accountant is `fourier`, the methods it was compared with are `berry_esseen`, `privacy_buckets` and `moments_accountant`.

Bounds here rest on a stated model of libm and FFT rounding (`rounding`). They never enter a verdict.
"""

from dpbounds.errors import require

require("float64", "numpy", "scipy")

from dpbounds.float64.front_door import (
    approx_delta, approx_epsilon, approx_log_delta, delta_bounds, delta_bounds_at, delta_bounds_over_steps, epsilon_bounds,
)  # fmt: skip
from dpbounds.float64.result import Bounds

__all__ = [
    "Bounds", "approx_delta", "approx_epsilon", "approx_log_delta", "delta_bounds", "delta_bounds_at", "delta_bounds_over_steps",
    "epsilon_bounds",
]  # fmt: skip
