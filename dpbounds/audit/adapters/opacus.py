"""opacus (Meta): Rényi, PRV and Gaussian-DP accountants, and its search for a noise multiplier."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import (
    CENTRAL_LIMIT,
    UPPER,
    ScriptedAdapter,
    Selftest,
    Spec,
    closed_form,
    estimate,
    gaussian_only,
    history,
    rate,
    sharp_conversion,
    steps,
)


class _Opacus(ScriptedAdapter):
    """An accountant with a history of (noise multiplier, rate, steps)."""

    package = "opacus"
    imports = ("opacus.accountants",)
    tested = ("1.6.0",)
    kind = ""
    module = ""

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`get_epsilon` and `get_noise_multiplier`."""
        if quantity == "sigma":
            return self._noise(spec, argument)
        if not gaussian_only(spec):
            return None
        return (
            "from opacus.accountants import create_accountant\n"
            f"accountant = create_accountant(mechanism={self.kind!r})\n"
            f"accountant.history = {history(spec)!r}\n"
            f"accountant.get_epsilon({argument!r})"
        )

    def _noise(self, spec: Spec, target: Any) -> str:
        (part,) = spec
        values = f"target_epsilon={target[0]!r}, target_delta={target[1]!r}, sample_rate={rate(part)!r}, steps={steps(part)}"
        return f"from opacus.accountants.utils import get_noise_multiplier\nget_noise_multiplier({values}, accountant={self.kind!r})"


class Rdp(_Opacus):
    """`opacus.accountants.RDPAccountant`."""

    name = "opacus.rdp"
    kind = "rdp"
    guarantee = {"epsilon": UPPER, "rdp": UPPER, "sigma": UPPER}
    source = {
        "epsilon": "'Return privacy budget (epsilon) expended so far' (accountants/rdp.py, get_epsilon)",
        "rdp": "'The RDP guarantees at all orders' (accountants/analysis/rdp.py, compute_rdp)",
        "sigma": "'The noise level sigma to ensure privacy budget of (target_epsilon, target_delta)' (accountants/utils.py)",
    }
    selftest = (Selftest("rdp", ({"sigma": 2.0, "steps": 8},), 4.0, 4.0, 1e-12, "α k/(2 σ²)"), sharp_conversion(0.02))

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`compute_rdp` too, added over the parts."""
        if quantity != "rdp" or not gaussian_only(spec):
            return super().written(quantity, spec, argument)
        calls = [f"compute_rdp(q={rate(p)!r}, noise_multiplier={p['sigma']!r}, steps={steps(p)}, orders={argument!r})" for p in spec]
        return f"from opacus.accountants.analysis.rdp import compute_rdp\n{' + '.join(calls)}"


class Prv(_Opacus):
    """`opacus.accountants.PRVAccountant`, whose get_epsilon returns its upper bound."""

    name = "opacus.prv"
    kind = "prv"
    guarantee = {"epsilon": UPPER, "sigma": UPPER}
    source = {
        "epsilon": "'return upper bound as we want guarantee, not just estimate' (accountants/prv.py, PRVAccountant.get_epsilon)",
        "sigma": "'The noise level sigma to ensure privacy budget of (target_epsilon, target_delta)' (accountants/utils.py)",
    }
    selftest = (closed_form(0.03),)


class Gdp(_Opacus):
    """`opacus.accountants.GaussianAccountant`, a central limit theorem that says so itself."""

    name = "opacus.gdp"
    kind = "gdp"
    guarantee = {"epsilon": estimate(), "sigma": UPPER}
    source = {
        "epsilon": "'GDP accounting is experimental and can underestimate privacy expenditure' (a warning of accountants/gdp.py)",
        "sigma": "'The noise level sigma to ensure privacy budget of (target_epsilon, target_delta)' (accountants/utils.py); "
        "the accountant warns that it 'can underestimate privacy expenditure'",
    }
    selftest = (CENTRAL_LIMIT,)

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """ε of one part only."""
        return super().written(quantity, spec, argument) if quantity == "sigma" or len(spec) == 1 else None


ADAPTERS = (Rdp, Prv, Gdp)
