"""Rényi curves under Poisson sampling: bounds for every mechanism."""

from dpbounds.renyi.amplification.renyi import zhu_wang_lower_of, zhu_wang_upper_of

__all__ = ["zhu_wang_lower_of", "zhu_wang_upper_of"]
