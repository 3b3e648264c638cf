"""From Rényi curves and zCDP to (ε, δ): one order, the exact optimum of one order, the whole curve."""

from dpbounds.renyi.conversions.joint_range import exact_delta_of, exact_epsilon_of
from dpbounds.renyi.conversions.single_order import (
    classical_gaussian_epsilon_of,
    classical_gaussian_sigma_of,
    mironov_delta_of,
    mironov_epsilon_of,
    range_limited_epsilon_of,
    range_limited_threshold_of,
    sharp_delta_of,
    sharp_epsilon_of,
    zcdp_delta_of,
    zcdp_epsilon_of,
    zcdp_rho_of,
)
from dpbounds.renyi.conversions.whole_curve import best_order_of, delta_of, epsilon_of

__all__ = [
    "best_order_of",
    "classical_gaussian_epsilon_of",
    "classical_gaussian_sigma_of",
    "delta_of",
    "epsilon_of",
    "exact_delta_of",
    "exact_epsilon_of",
    "mironov_delta_of",
    "mironov_epsilon_of",
    "range_limited_epsilon_of",
    "range_limited_threshold_of",
    "sharp_delta_of",
    "sharp_epsilon_of",
    "zcdp_delta_of",
    "zcdp_epsilon_of",
    "zcdp_rho_of",
]
