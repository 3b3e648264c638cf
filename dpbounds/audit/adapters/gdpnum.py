"""gdpnum: the Connect-the-Dots accountant that it offers in the form of Opacus."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import UPPER, ScriptedAdapter, Spec, closed_form, gaussian_only, history


class Ctd(ScriptedAdapter):
    """`dpsgd.CTDAccountant.get_epsilon`, with the history that its steps would leave."""

    name = "gdpnum.ctd"
    package = "gdpnum"
    imports = ("gdpnum",)
    tested = ("0.1.2",)
    guarantee = {"epsilon": UPPER}
    source = {"epsilon": "'Opacus-compatible Connect the Dots accountant' (dpsgd.CTDAccountant); Connect the Dots gives upper bounds"}
    selftest = (closed_form(1e-3),)

    head = "from gdpnum import CTDAccountant"

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """ε(δ) of plain and Poisson-sampled Gaussian noise."""
        if not gaussian_only(spec):
            return None
        return f"a = CTDAccountant()\na.history = {history(spec)!r}\na.get_epsilon(delta={argument!r})"


ADAPTERS = (Ctd,)
