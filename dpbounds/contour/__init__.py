"""Certified δ(ε) and ε(δ) of composed mechanisms, to any number of digits."""

from dpbounds.contour.delta import delta, delta_of
from dpbounds.contour.epsilon import epsilon, epsilon_of

__all__ = ["delta", "delta_of", "epsilon", "epsilon_of"]
