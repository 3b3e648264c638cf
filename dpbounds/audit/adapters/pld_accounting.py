"""pld-accounting: subsampling of privacy loss distributions."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import UPPER, Adapter, Spec, closed_form, rate, steps

_BOUND = "'Subsampled loss-space dominating (upper) bound' (subsample_pld.py, subsample_pld_realization)"


class Subsampled(Adapter):
    """`PLD_accounting.subsample_pld` of dp_accounting's Gaussian loss distribution, then composed."""

    name = "pld_accounting.subsample"
    package = "pld-accounting"
    imports = ("PLD_accounting",)
    tested = ("2.0",)
    guarantee = {"epsilon": UPPER, "delta": UPPER}
    source = {"epsilon": _BOUND, "delta": _BOUND}
    selftest = (closed_form(2e-4, ({"sigma": 1.0, "sampling": "poisson", "q": 1.0, "steps": 1},)),)

    def _composed(self, spec: Spec) -> Any:
        from dp_accounting.pld import privacy_loss_distribution as pld
        from PLD_accounting import subsample_pld

        found = None
        for part in spec:
            if "sigma" not in part or part.get("sampling") != "poisson":
                return None
            one = subsample_pld(pld=pld.from_gaussian_mechanism(part["sigma"]), sampling_probability=rate(part))
            many = one.self_compose(steps(part))
            found = many if found is None else found.compose(many)
        return found

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """`get_epsilon_for_delta`."""
        found = self._composed(spec)
        return None if found is None else found.get_epsilon_for_delta(delta)

    def delta(self, spec: Spec, epsilon: float) -> Any:
        """`get_delta_for_epsilon`."""
        found = self._composed(spec)
        return None if found is None else found.get_delta_for_epsilon(epsilon)

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """At most four lines."""
        parts = [
            f"subsample_pld(pld=pld.from_gaussian_mechanism({p['sigma']!r}), sampling_probability={rate(p)!r}).self_compose({steps(p)})"
            for p in spec
        ]
        text = parts[0] + "".join(f".compose({part})" for part in parts[1:])
        call = f"get_delta_for_epsilon({argument!r})" if quantity == "delta" else f"get_epsilon_for_delta({argument!r})"
        return (
            "from PLD_accounting import subsample_pld\n"
            f"from dp_accounting.pld import privacy_loss_distribution as pld\nprint({text}.{call})"
        )


ADAPTERS = (Subsampled,)
