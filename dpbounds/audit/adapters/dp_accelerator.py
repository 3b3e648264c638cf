"""dp-accelerator: Rényi accounting of DP-SGD in Rust."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import SAMPLES, UPPER, ScriptedAdapter, Selftest, Spec, gaussian_only, steps, whole_batch


class Dpsgd(ScriptedAdapter):
    """`DPSGDAccountant.get_epsilon` and `get_rdp_curve`, which know orders of their own."""

    name = "dp_accelerator.dpsgd"
    package = "dp-accelerator"
    imports = ("dp_accelerator",)
    tested = ("0.1.0",)
    guarantee = {"epsilon": UPPER, "rdp": UPPER}
    source = {
        "epsilon": "'The epsilon value that satisfies (epsilon, delta)-DP' (DPSGDAccountant.get_epsilon)",
        "rdp": "'Get the full RDP curve for analysis', 'Dictionary mapping RDP orders to RDP values' (DPSGDAccountant.get_rdp_curve)",
    }
    selftest = (
        Selftest(
            "epsilon",
            ({"sigma": 1.0, "steps": 1},),
            1e-5,
            4.7527,
            0.1,
            "closed form: the least over all orders of α/2 + log(1 − 1/α) − log(αδ)/(α − 1)",
        ),
        Selftest("rdp", ({"sigma": 2.0, "steps": 3},), 8.0, 3.0, 1e-9, "closed form α/(2σ²) of unsampled Gaussian noise, three times"),
    )

    head = "from dp_accelerator import DPSGDAccountant"

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """ε(δ) of one part whose rate is a whole number of samples, and its curve."""
        batch = whole_batch(spec[0]) if len(spec) == 1 and gaussian_only(spec) else None
        if batch is None:
            return None
        (part,) = spec
        call = f"get_epsilon({steps(part)}, {argument!r})" if quantity == "epsilon" else f"get_rdp_curve({steps(part)})[{argument!r}]"
        return f"DPSGDAccountant({part['sigma']!r}, {batch}, {SAMPLES}).{call}"

    def rdp(self, spec: Spec, alpha: float) -> Any:
        """The curve, at the orders that it has."""
        from dp_accelerator import DPSGDAccountant

        known = self.written("rdp", spec, alpha) is not None
        if known and alpha not in DPSGDAccountant(spec[0]["sigma"], whole_batch(spec[0]), SAMPLES).orders:
            return None
        return super().rdp(spec, alpha)


ADAPTERS = (Dpsgd,)
