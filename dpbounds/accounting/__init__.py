"""Certified δ(ε) and ε(δ) of composed mechanisms, to any number of digits."""

from dpbounds.accounting.invert import epsilon, epsilon_of
from dpbounds.accounting.solve import delta, delta_of
from dpbounds.accounting.tradeoff import advantage, trade_off

__all__ = ["advantage", "delta", "delta_of", "epsilon", "epsilon_of", "trade_off"]
