"""Rényi curves under subsampling: bounds, and the exact series of Mironov, Talwar & Zhang."""

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
    "averaged_renyi_of",
    "log_moment_series_of",
    "without_replacement_renyi_of",
    "zhu_wang_lower_of",
    "zhu_wang_upper_of",
]
