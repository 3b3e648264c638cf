"""Accounting in zero-concentrated differential privacy: budgets, batches, parameter selection, and its range-limited relaxation."""

from dpbounds.budgets.zcdp.costs import (
    bounded_range_rho_of, epoch_rho_of, gaussian_rho_of, group_rho_of, pure_rho_of, reshuffled_epsilon_of, sampled_rho_of,
    selection_probabilities_of, selection_rho_of,
)  # fmt: skip
from dpbounds.budgets.zcdp.filter import Filter
from dpbounds.budgets.zcdp.range_limited import (
    RangeLimitedBound, RangeLimitedFilter, accounted_epsilon_of, certified_bound_of, composed_bound_of, holds_at, printed_bound_of,
    repaired_bound_of, slope_of,
)  # fmt: skip

__all__ = [
    "Filter", "RangeLimitedBound", "RangeLimitedFilter", "accounted_epsilon_of", "bounded_range_rho_of", "certified_bound_of",
    "composed_bound_of", "epoch_rho_of", "gaussian_rho_of", "group_rho_of", "holds_at", "printed_bound_of", "pure_rho_of",
    "repaired_bound_of", "reshuffled_epsilon_of", "sampled_rho_of", "selection_probabilities_of", "selection_rho_of", "slope_of",
]  # fmt: skip
