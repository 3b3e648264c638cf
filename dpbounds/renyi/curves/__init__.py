"""Rényi curves of noise families: order ↦ D_order, with certified values at any real order."""

from dpbounds.renyi.curves.continuous import GaussianCurve, GeneralizedNormalCurve, LaplaceCurve, LogisticCurve
from dpbounds.renyi.curves.curve import Composition, LinearCurve, RenyiCurve, composed
from dpbounds.renyi.curves.sampled import PoissonGaussianCurve

__all__ = [
    "Composition",
    "GaussianCurve",
    "GeneralizedNormalCurve",
    "LaplaceCurve",
    "LinearCurve",
    "LogisticCurve",
    "PoissonGaussianCurve",
    "RenyiCurve",
    "composed",
]
