"""autodp: mechanisms with Rényi divergences and analytical conversions."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import UPPER, Adapter, Selftest, Spec, rate, steps

_CORE = "'Approximate DP: epsilon as a function of delta' (autodp_core.Mechanism, get_approxDP)"
_CLOSED = "closed form of the Gaussian mechanism (Balle & Wang 2018, Theorem 8)"


class Mechanism(Adapter):
    """Mechanisms of `autodp.mechanism_zoo`, composed by `transformer_zoo.Composition`."""

    name = "autodp.mechanism"
    package = "autodp"
    imports = ("autodp.mechanism_zoo",)
    tested = ("0.2.3.1",)
    guarantee = {"epsilon": UPPER, "rdp": UPPER}
    source = {"epsilon": _CORE, "rdp": "'Renyi DP: RDP epsilon as a function of alpha' (autodp_core.Mechanism, get_RDP)"}
    selftest = (
        Selftest("epsilon", ({"sigma": 1.0, "steps": 1},), 1e-5, 4.3771780956811, 1e-6, _CLOSED),
        Selftest("epsilon", ({"laplace-scale": 2.0, "steps": 1},), 1e-5, 0.49998, 1e-8, "1/b + 2 log(1 − δ)"),
        Selftest("rdp", ({"sigma": 2.0, "steps": 8},), 4.0, 4.0, 1e-12, "α k/(2 σ²)"),
    )

    def _mechanism(self, spec: Spec) -> Any:
        from autodp import mechanism_zoo as zoo
        from autodp import transformer_zoo

        parts, counts = [], []
        for part in spec:
            if "population" in part or "randomized-response" in part or ("laplace-scale" in part and "q" in part):
                return None
            if "laplace-scale" in part:
                one: Any = zoo.LaplaceMechanism(b=part["laplace-scale"])
            elif "q" in part:
                one = zoo.SubsampleGaussianMechanism({"prob": rate(part), "sigma": part["sigma"], "coeff": 1})
            else:
                one = zoo.GaussianMechanism(sigma=part["sigma"])
            parts.append(one)
            counts.append(steps(part))
        if len(parts) == 1 and counts == [1]:
            return parts[0]
        return transformer_zoo.Composition()(parts, counts)

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """`get_approxDP`."""
        mechanism = self._mechanism(spec)
        return None if mechanism is None else mechanism.get_approxDP(delta)

    def rdp(self, spec: Spec, alpha: float) -> Any:
        """`get_RDP`."""
        mechanism = self._mechanism(spec)
        return None if mechanism is None else mechanism.get_RDP(alpha)

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """At most four lines."""
        texts = []
        for part in spec:
            if "laplace-scale" in part:
                texts.append(f"zoo.LaplaceMechanism(b={part['laplace-scale']!r})")
            elif "q" in part:
                texts.append(f"zoo.SubsampleGaussianMechanism({{'prob': {rate(part)!r}, 'sigma': {part['sigma']!r}, 'coeff': 1}})")
            else:
                texts.append(f"zoo.GaussianMechanism(sigma={part['sigma']!r})")
        counts = [steps(part) for part in spec]
        composed = texts[0] if len(texts) == 1 and counts == [1] else f"Composition()([{', '.join(texts)}], {counts})"
        call = f"get_RDP({argument!r})" if quantity == "rdp" else f"get_approxDP({argument!r})"
        return f"from autodp import mechanism_zoo as zoo\nfrom autodp.transformer_zoo import Composition\nprint({composed}.{call})"


ADAPTERS = (Mechanism,)
