"""pld-accounting: subsampling of privacy loss distributions."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import UPPER, ScriptedAdapter, Spec, closed_form, composed_text, rate, steps

_BOUND = "'Subsampled loss-space dominating (upper) bound' (subsample_pld.py, subsample_pld_realization)"


class Subsampled(ScriptedAdapter):
    """`PLD_accounting.subsample_pld` of dp_accounting's Gaussian loss distribution, then composed."""

    name = "pld_accounting.subsample"
    package = "pld-accounting"
    imports = ("PLD_accounting",)
    tested = ("2.0",)
    guarantee = {"epsilon": UPPER, "delta": UPPER}
    source = {"epsilon": _BOUND, "delta": _BOUND}
    selftest = (closed_form(2e-4, ({"sigma": 1.0, "sampling": "poisson", "q": 1.0, "steps": 1},)),)

    head = "from PLD_accounting import subsample_pld\nfrom dp_accounting.pld import privacy_loss_distribution as pld"

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`get_epsilon_for_delta` and `get_delta_for_epsilon`."""
        if any("sigma" not in part or part.get("sampling") != "poisson" for part in spec):
            return None
        parts = [
            f"subsample_pld(pld=pld.from_gaussian_mechanism({p['sigma']!r}), sampling_probability={rate(p)!r}).self_compose({steps(p)})"
            for p in spec
        ]
        return composed_text(parts, quantity, argument)


ADAPTERS = (Subsampled,)
