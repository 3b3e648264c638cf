"""Certified δ(ε) and ε(δ) of composed mechanisms, to any number of digits."""

from dpbounds.accounting.invert import epsilon, epsilon_at, epsilon_of
from dpbounds.accounting.solve import delta, delta_at, delta_of
from dpbounds.accounting.tradeoff import advantage, trade_off

__all__ = ["advantage", "delta", "delta_at", "delta_of", "epsilon", "epsilon_at", "epsilon_of", "trade_off"]
