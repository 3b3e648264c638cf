"""Re-check the certificate of an order range: its numbers are those of the statement, and `recheck.order_range` accepts its tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpbounds.claims.statement.checked import CheckedParts
from dpbounds.claims.statement.orders import bound_on_orders
from dpbounds.errors import CertificateError
from dpbounds.recheck.numbers import Refused
from dpbounds.recheck.order_range import BoundOnOrders


def check_range(claim: str, then: Any, constraints: Sequence[Any], evidence: Mapping[str, Any]) -> CheckedParts:
    """Check the evidence against a statement; by what it was checked.

    Raises:
        CertificateError: the numbers are not those of the statement, the tree is malformed, or a leaf is not shown.
        LanguageError: a statement of another form.
    """
    try:
        shown, leaves = BoundOnOrders.shown(evidence)
    except Refused as reason:
        raise CertificateError(f"{claim}: {reason}") from reason
    stated = bound_on_orders(then, constraints)
    different = [name for name, number in stated.items() if number != getattr(shown, name)]
    if different:
        raise CertificateError(f"{claim}: the statement has another {', '.join(different)} than the certificate")
    return CheckedParts(leaves)
