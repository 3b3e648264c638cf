"""Every rule of the kernel, in one place to import from."""

from dpbounds.derive.rules_algebra import branch, definition, equality, restate
from dpbounds.derive.rules_calculus import convex_tangent, integral, integral_of_sum, integral_split, integrate_termwise, minimum
from dpbounds.derive.rules_logic import assume, cases, conjunction, discharge, generalize, hypothesis, instance, part, specialize
from dpbounds.derive.rules_order import add, apply, below_maximum, chain, eq, le, lt, maximum, multiply, nonnegative, positive, scale, sign
from dpbounds.derive.rules_sums import (
    binomial_theorem,
    bound_extremum,
    induction,
    infimum,
    rewrite_extremum,
    scale_extremum,
    sum_termwise,
    supremum,
)

__all__ = [
    "add",
    "apply",
    "assume",
    "below_maximum",
    "binomial_theorem",
    "bound_extremum",
    "branch",
    "cases",
    "chain",
    "conjunction",
    "convex_tangent",
    "definition",
    "discharge",
    "eq",
    "equality",
    "generalize",
    "hypothesis",
    "induction",
    "infimum",
    "instance",
    "integral",
    "integral_of_sum",
    "integral_split",
    "integrate_termwise",
    "le",
    "lt",
    "maximum",
    "minimum",
    "multiply",
    "nonnegative",
    "part",
    "positive",
    "restate",
    "rewrite_extremum",
    "scale",
    "scale_extremum",
    "sign",
    "specialize",
    "sum_termwise",
    "supremum",
]
