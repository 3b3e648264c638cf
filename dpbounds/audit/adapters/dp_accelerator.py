"""dp-accelerator: Rényi accounting of DP-SGD in Rust."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import SAMPLES, UPPER, Adapter, Selftest, Spec, gaussian_only, steps, whole_batch


class Dpsgd(Adapter):
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

    def _accountant(self, spec: Spec) -> Any:
        from dp_accelerator import DPSGDAccountant

        batch = whole_batch(spec[0]) if len(spec) == 1 and gaussian_only(spec) else None
        return None if batch is None else DPSGDAccountant(spec[0]["sigma"], batch, SAMPLES)

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """ε(δ) of one part whose rate is a whole number of samples."""
        accountant = self._accountant(spec)
        return None if accountant is None else accountant.get_epsilon(steps(spec[0]), delta)

    def rdp(self, spec: Spec, alpha: float) -> Any:
        """The curve, at the orders that it has."""
        accountant = self._accountant(spec)
        return None if accountant is None or alpha not in accountant.orders else accountant.get_rdp_curve(steps(spec[0]))[alpha]

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """The same call."""
        (part,) = spec
        call = f"get_epsilon({steps(part)}, {argument!r})" if quantity == "epsilon" else f"get_rdp_curve({steps(part)})[{argument!r}]"
        made = f"DPSGDAccountant({part['sigma']!r}, {whole_batch(part)}, {SAMPLES})"
        return f"from dp_accelerator import DPSGDAccountant\nprint({made}.{call})"


ADAPTERS = (Dpsgd,)
