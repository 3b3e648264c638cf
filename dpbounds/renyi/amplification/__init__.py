"""Privacy amplification by subsampling: (ε, δ) theorems, bounds on Rényi curves, and the exact series of Mironov, Talwar & Zhang."""

from dpbounds.budgets.amplification import amplified_epsilon_delta_of, with_replacement_delta_of, with_replacement_gaussian_delta_of
from dpbounds.renyi.amplification.renyi import (
    PoissonBoundCurve,
    averaged_renyi_of,
    without_replacement_renyi_of,
    zhu_wang_lower_of,
    zhu_wang_upper_of,
)
from dpbounds.renyi.amplification.series import log_moment_series_of

__all__ = [
    "PoissonBoundCurve",
    "amplified_epsilon_delta_of",
    "averaged_renyi_of",
    "log_moment_series_of",
    "with_replacement_delta_of",
    "with_replacement_gaussian_delta_of",
    "without_replacement_renyi_of",
    "zhu_wang_lower_of",
    "zhu_wang_upper_of",
]
