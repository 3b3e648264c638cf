"""Plots as functions that return a matplotlib figure: one look, readable labels, colours that colour-blind readers can tell apart.

Curves of certified quantities are drawn through enclosures: where an interval is wider than a line it shows as a band.
"""

from __future__ import annotations

from dpbounds.errors import require

require("plots", "matplotlib", "numpy")

from dpbounds.plots.averages import average_divergences
from dpbounds.plots.comparison import beside_certified
from dpbounds.plots.constant import constants, moment_along_path
from dpbounds.plots.convergence import digits_over_nodes
from dpbounds.plots.conversions import conversion_losses, legendre_picture, limited_orders
from dpbounds.plots.curves import certified_band, delta_curves, epsilon_over_delta, epsilon_over_steps, renyi_curves
from dpbounds.plots.neighbours import neighbouring_outputs
from dpbounds.plots.range_limited import divergence_and_bound, largest_order, ratio_over_orders, ratio_region
from dpbounds.plots.routes import route_deltas, route_map
from dpbounds.plots.saddle import saddle_landscape, saddle_section
from dpbounds.plots.schedules import budget_spent, noise_schedules
from dpbounds.plots.schemes import scheme_curves
from dpbounds.plots.style import styled_figure
from dpbounds.plots.subsampling import cost_of_three, phase_change, sampled_epsilon_over_steps, sampling_regimes
from dpbounds.plots.tests_of_membership import trade_off_curve
from dpbounds.plots.training import accuracies_by_schedule, learning_curves

__all__ = [
    "accuracies_by_schedule", "average_divergences", "beside_certified", "budget_spent", "certified_band", "constants",
    "conversion_losses", "cost_of_three", "delta_curves", "digits_over_nodes", "divergence_and_bound", "epsilon_over_delta",
    "epsilon_over_steps", "largest_order", "learning_curves", "legendre_picture", "limited_orders", "moment_along_path",
    "neighbouring_outputs", "noise_schedules", "phase_change", "ratio_over_orders", "ratio_region", "renyi_curves", "route_deltas",
    "route_map", "saddle_landscape", "saddle_section", "sampled_epsilon_over_steps", "sampling_regimes", "scheme_curves",
    "styled_figure", "trade_off_curve",
]  # fmt: skip
