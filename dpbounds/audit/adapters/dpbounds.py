"""The float64 accountants of dpbounds itself, judged like any other."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpbounds.audit.adapter import INTERVAL, Adapter, Spec, closed_form

_BOUNDS = "two-sided bounds that count every error, rounding included (docs/accountants.md)"


class Bounds(Adapter):
    """`dpbounds.float64.epsilon_bounds` and `delta_bounds`."""

    name = "dpbounds.float64"
    package = "dpbounds"
    imports = ("dpbounds.float64",)
    tested = ("0.2.0",)
    guarantee = {"epsilon": INTERVAL, "delta": INTERVAL}
    source = {"epsilon": _BOUNDS, "delta": _BOUNDS}
    selftest = (closed_form(1e-9),)

    def _bounds(self, quantity: str, spec: Spec, argument: float) -> Any:
        from dpbounds import float64
        from dpbounds.audit.question import mechanism_of

        if any("population" in part for part in spec):
            return None
        bounds = {"epsilon": float64.epsilon_bounds, "delta": float64.delta_bounds}[quantity]
        found = bounds(mechanism_of(spec), Fraction(argument))
        return found.lower, found.upper

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """Lower and upper bound of ε(δ), at the exact value of the float."""
        return self._bounds("epsilon", spec, delta)

    def delta(self, spec: Spec, epsilon: float) -> Any:
        """Lower and upper bound of δ(ε), at the exact value of the float."""
        return self._bounds("delta", spec, epsilon)


ADAPTERS = (Bounds,)
