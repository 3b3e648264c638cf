"""gdpnum: the Connect-the-Dots accountant that it offers in the form of Opacus."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import UPPER, Adapter, Spec, closed_form, gaussian_only, history


class Ctd(Adapter):
    """`dpsgd.CTDAccountant.get_epsilon`, with the history that its steps would leave."""

    name = "gdpnum.ctd"
    package = "gdpnum"
    imports = ("gdpnum",)
    tested = ("0.1.2",)
    guarantee = {"epsilon": UPPER}
    source = {"epsilon": "'Opacus-compatible Connect the Dots accountant' (dpsgd.CTDAccountant); Connect the Dots gives upper bounds"}
    selftest = (closed_form(1e-3),)

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """ε(δ) of plain and Poisson-sampled Gaussian noise."""
        from gdpnum import CTDAccountant

        if not gaussian_only(spec):
            return None
        accountant = CTDAccountant()
        accountant.history = history(spec)
        return accountant.get_epsilon(delta=delta)

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """The same call."""
        return (
            f"from gdpnum import CTDAccountant\na = CTDAccountant()\na.history = {history(spec)!r}\n"
            f"print(a.get_epsilon(delta={argument!r}))"
        )


ADAPTERS = (Ctd,)
