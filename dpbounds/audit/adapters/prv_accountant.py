"""prv_accountant (Microsoft): bounds from numerical composition of privacy random variables."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import INTERVAL, UPPER, Adapter, Promise, Selftest, Spec, closed_form, gaussian_only, rate, steps

_BOUNDS = "'Return lower bound for ε, estimate for ε and upper bound for ε' (accountant.py, PRVAccountant.compute_epsilon)"

_DELTA_ERROR = 1e-9
"""The error in δ that is asked for with δ(ε)."""


class Prv(Adapter):
    """`prv_accountant.PRVAccountant` with an error of 0.01 in ε and of δ/1000 in δ."""

    name = "prv_accountant.prv"
    package = "prv-accountant"
    imports = ("prv_accountant",)
    tested = ("0.2.0",)
    threads = ("epsilon at small delta: https://github.com/microsoft/prv_accountant/issues/17",)
    guarantee = {"epsilon": INTERVAL, "delta": INTERVAL, "rdp": UPPER, "sigma": Promise("upper", 0.1)}
    source = {
        "epsilon": _BOUNDS,
        "delta": "'Return lower bound for δ, estimate for δ and upper bound for δ' (accountant.py, PRVAccountant.compute_delta)",
        "rdp": "'rdp' of a privacy random variable (privacy_random_variables), which bounds its domain",
        "sigma": "'Find a noise multiplier that satisfies a given target epsilon', eps_error = 0.1 (dpsgd.find_noise_multiplier)",
    }
    selftest = (
        closed_form(0.0),
        Selftest("rdp", ({"sigma": 2.0, "steps": 8},), 4.0, 4.0, 1e-12, "α k/(2 σ²)"),
    )

    def _texts(self, spec: Spec) -> list[str] | None:
        """The variables of the parts as Python, None where one has none."""
        texts = []
        for part in spec:
            sampling = part.get("sampling", "none")
            if "sigma" in part and sampling == "poisson":
                texts.append(f"prv.PoissonSubsampledGaussianMechanism({rate(part)!r}, {part['sigma']!r})")
            elif sampling != "none" or not {"sigma", "laplace-scale", "randomized-response"} & part.keys():
                return None
            elif "sigma" in part:
                texts.append(f"prv.GaussianMechanism({part['sigma']!r})")
            elif "laplace-scale" in part:
                texts.append(f"prv.LaplaceMechanism({1.0 / part['laplace-scale']!r})")
            else:
                texts.append(f"prv.PureDPMechanism({part['randomized-response']!r})")
        return texts

    def _variables(self, spec: Spec) -> Any:
        import prv_accountant as prv

        texts = self._texts(spec)
        return (
            None if texts is None else [eval(text, {"prv": prv}) for text in texts]
        )  # our own text, so that reproductions say what was asked

    def _bounds(self, method: str, spec: Spec, argument: float, delta_error: float) -> tuple[Any, Any] | None:
        """Lower and upper bound of a method. 1/scale must be exact for Laplace noise."""
        import prv_accountant as prv

        if any(part.get("laplace-scale", 1.0) not in (0.5, 1.0, 2.0) for part in spec):
            return None
        variables = self._variables(spec)
        if variables is None:
            return None
        counts = [steps(part) for part in spec]
        accountant = prv.PRVAccountant(prvs=variables, max_self_compositions=counts, eps_error=0.01, delta_error=delta_error)
        low, _, high = getattr(accountant, method)(argument, counts)
        return low, high

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """`compute_epsilon`: its lower and upper bound."""
        return self._bounds("compute_epsilon", spec, delta, delta / 1000)

    def delta(self, spec: Spec, epsilon: float) -> Any:
        """`compute_delta`: its lower and upper bound."""
        return self._bounds("compute_delta", spec, epsilon, _DELTA_ERROR)

    def sigma(self, spec: Spec, target: Any) -> Any:
        """`find_noise_multiplier`."""
        from prv_accountant.dpsgd import find_noise_multiplier

        (part,) = spec
        return find_noise_multiplier(rate(part), steps(part), *target) if "q" in part else None

    def rdp(self, spec: Spec, alpha: float) -> Any:
        """The divergence that the variables state."""
        if not gaussian_only(spec):
            return None
        variables = self._variables(spec)
        return None if variables is None else float(sum(steps(part) * one.rdp(alpha) for part, one in zip(spec, variables)))  # noqa: B905

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """At most four lines."""
        if quantity == "sigma":
            values = f"{rate(spec[0])!r}, {steps(spec[0])}, *{argument!r}"
            return f"from prv_accountant.dpsgd import find_noise_multiplier\nprint(find_noise_multiplier({values}))"
        texts = self._texts(spec) or []
        counts = [steps(part) for part in spec]
        if quantity == "rdp":
            terms = " + ".join(f"{count} * {text}.rdp({argument!r})" for count, text in zip(counts, texts))  # noqa: B905
            return f"import prv_accountant as prv\nprint({terms})"
        error = _DELTA_ERROR if quantity == "delta" else argument / 1000
        return (
            "import prv_accountant as prv\n"
            f"accountant = prv.PRVAccountant([{', '.join(texts)}], max_self_compositions={counts}, eps_error=0.01, delta_error={error!r})\n"
            f"print(accountant.compute_{quantity}({argument!r}, {counts}))"
        )


ADAPTERS = (Prv,)
