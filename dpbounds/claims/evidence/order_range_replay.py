"""Re-check the certificate of an order range: its numbers are those of the statement, and `recheck.order_range` accepts its tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from dpbounds.claims.checked import CheckedParts
from dpbounds.errors import CertificateError
from dpbounds.language.functions import SampledGaussianRenyi
from dpbounds.recheck.numbers import Refused
from dpbounds.recheck.order_range import BoundOnOrders


def check_range(claim: str, then: Any, constraints: Sequence[Any], evidence: Mapping[str, Any]) -> CheckedParts:
    """Check the evidence against a statement; by what it was checked.

    Raises:
        CertificateError: the numbers are not those of the statement, the tree is malformed, or a leaf is not shown.
    """
    try:
        shown, leaves = BoundOnOrders.shown(evidence)
    except Refused as reason:
        raise CertificateError(f"{claim}: {reason}") from reason
    _check_statement(claim, then, constraints, shown)
    return CheckedParts(leaves)


def _check_statement(claim: str, then: Any, constraints: Sequence[Any], shown: BoundOnOrders) -> None:
    """The statement is the bound that is shown."""
    bound, floor, inverse, slack = map(sympy.Rational, (shown.bound, shown.least_sigma, shown.least_inverse, shown.slack))
    if not isinstance(then, (sympy.Le, sympy.Ge)):
        raise CertificateError(f"{claim}: an order range shows a bound with <=")
    small, large = (then.lhs, then.rhs) if isinstance(then, sympy.Le) else (then.rhs, then.lhs)
    if not isinstance(small, SampledGaussianRenyi) or not all(isinstance(a, sympy.Symbol) and a.is_positive for a in small.args[:3]):
        raise CertificateError(f"{claim}: the small side is not a divergence of three positive symbols")
    alpha, sigma, q = small.args[:3]
    logs = sigma**2 * sympy.log(1 / (q * sigma))
    wanted = [(floor, sigma), (q, 1 / (inverse * sigma)), (1, alpha), (alpha, logs + slack)]
    found = [
        (c.lhs, c.rhs) if isinstance(c, (sympy.Le, sympy.Lt)) else (c.rhs, c.lhs)
        for c in constraints
        if isinstance(c, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt))
    ]
    for low, high in wanted:
        if not any(a == low and _same(b, high) for a, b in found):
            raise CertificateError(f"{claim}: the premise {low} <= {high} is missing")
    if sympy.Gt(alpha, 1) not in constraints and sympy.Lt(1, alpha) not in constraints:
        raise CertificateError(f"{claim}: the premise {alpha} > 1 is missing")
    if not _same(large, bound * alpha * q**2 / sigma**2):
        raise CertificateError(f"{claim}: the bound is not {bound} alpha q^2/sigma^2")
    if shown.add != (small.direction == "add"):
        raise CertificateError(f"{claim}: the direction is another one")


def _same(left: Any, right: Any) -> bool:
    return bool(sympy.expand(sympy.expand_log(left - right)) == 0)
