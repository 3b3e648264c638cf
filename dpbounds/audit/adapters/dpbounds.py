"""The float64 accountants of dpbounds itself, judged like any other."""

from __future__ import annotations

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

    def _mechanism(self, spec: Spec) -> Any:
        from dpbounds.audit.question import mechanism_of

        return None if any("population" in part for part in spec) else mechanism_of(spec)

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """Lower and upper bound of ε(δ), at the exact value of the float."""
        from fractions import Fraction

        from dpbounds.float64 import epsilon_bounds

        mechanism = self._mechanism(spec)
        if mechanism is None:
            return None
        found = epsilon_bounds(mechanism, Fraction(delta))
        return found.lower, found.upper

    def delta(self, spec: Spec, epsilon: float) -> Any:
        """Lower and upper bound of δ(ε), at the exact value of the float."""
        from fractions import Fraction

        from dpbounds.float64 import delta_bounds

        mechanism = self._mechanism(spec)
        if mechanism is None:
            return None
        found = delta_bounds(mechanism, Fraction(epsilon))
        return found.lower, found.upper


ADAPTERS = (Bounds,)
