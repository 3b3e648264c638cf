"""Rényi curves of noise families: order ↦ D_order, with certified values at any real order."""

from dpbounds.renyi.curves.continuous import GaussianCurve, GeneralizedNormalCurve, LaplaceCurve, LogisticCurve, UnequalGaussiansCurve
from dpbounds.renyi.curves.curve import Composition, LinearCurve, RangeLimitedCurve, RenyiCurve, composed
from dpbounds.renyi.curves.discrete import BoundedRangeCurve, DiscreteGaussianCurve, GeometricCurve, RandomizedResponseCurve
from dpbounds.renyi.curves.sampled import PoissonGaussianCurve

__all__ = [
    "BoundedRangeCurve",
    "Composition",
    "DiscreteGaussianCurve",
    "GaussianCurve",
    "GeneralizedNormalCurve",
    "GeometricCurve",
    "LaplaceCurve",
    "LinearCurve",
    "LogisticCurve",
    "PoissonGaussianCurve",
    "RandomizedResponseCurve",
    "RangeLimitedCurve",
    "RenyiCurve",
    "UnequalGaussiansCurve",
    "composed",
]
