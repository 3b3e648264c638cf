"""The three routes of the blog to a guarantee for DP-SGD with Gaussian noise, with δ as the common scale, and the constant C(c₁, c₂)."""

from dpbounds.budgets.routes.constant import Constant, constant_limit_of, constant_of, subsampled_moment_of
from dpbounds.budgets.routes.deltas import Routes, azuma_delta_of, route_1_of, route_2_of, route_3_of, routes_of
from dpbounds.budgets.routes.partition import Partition, RouteCell, partition_of

__all__ = [
    "RouteCell", "Constant", "Partition", "Routes", "azuma_delta_of", "constant_limit_of", "constant_of", "partition_of", "route_1_of",
    "route_2_of", "route_3_of", "routes_of", "subsampled_moment_of",
]  # fmt: skip
