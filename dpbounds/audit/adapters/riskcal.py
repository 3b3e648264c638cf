"""riskcal: an accountant on privacy loss distributions, and its search for a noise multiplier."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import UPPER, Promise, ScriptedAdapter, Spec, closed_form, gaussian_only, history, rate, steps


class Ctd(ScriptedAdapter):
    """`riskcal.accountants.CTDAccountant` and `calibration.blackbox.find_noise_multiplier_for_epsilon_delta`."""

    name = "riskcal.ctd"
    package = "riskcal"
    imports = ("riskcal.accountants.ctd",)
    tested = ("1.5.1",)
    guarantee = {"epsilon": UPPER, "sigma": Promise("upper", 0.001)}
    source = {
        "epsilon": "'Get epsilon for given delta' (accountants/ctd.py, CTDAccountant.get_epsilon), from a pessimistic loss distribution",
        "sigma": "'Find a noise multiplier that satisfies a given target epsilon', eps_error=0.001 (calibration/blackbox.py)",
    }
    selftest = (closed_form(2e-4),)

    head = "from riskcal.accountants.ctd import CTDAccountant"

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`get_epsilon`, and `find_noise_multiplier_for_epsilon_delta`."""
        if quantity == "sigma":
            (part,) = spec
            values = f"{rate(part)!r}, {steps(part)}, {argument[0]!r}, {argument[1]!r}"
            search = "from riskcal.calibration.blackbox import find_noise_multiplier_for_epsilon_delta as find"
            return f"{search}\nfind(CTDAccountant, {values})"
        if not gaussian_only(spec):
            return None
        return f"accountant = CTDAccountant()\naccountant.history = {history(spec)!r}\naccountant.get_epsilon(delta={argument!r})"


ADAPTERS = (Ctd,)
