"""prv_accountant (Microsoft): bounds from numerical composition of privacy random variables."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import INTERVAL, UPPER, Promise, ScriptedAdapter, Selftest, Spec, closed_form, gaussian_only, rate, steps

_BOUNDS = "'Return lower bound for ε, estimate for ε and upper bound for ε' (accountant.py, PRVAccountant.compute_epsilon)"

_DELTA_ERROR = 1e-9
"""The error in δ that is asked for with δ(ε)."""


class Prv(ScriptedAdapter):
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
    selftest = (closed_form(0.0), Selftest("rdp", ({"sigma": 2.0, "steps": 8},), 4.0, 4.0, 1e-12, "α k/(2 σ²)"))

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

    head = "import prv_accountant as prv"

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """The lower and the upper bound of a method, the divergence that the variables state, or `find_noise_multiplier`."""
        if quantity == "sigma":
            values = f"{rate(spec[0])!r}, {steps(spec[0])}, *{argument!r}"
            search = f"from prv_accountant.dpsgd import find_noise_multiplier\nfind_noise_multiplier({values})"
            return search if "q" in spec[0] else None
        texts, counts = self._texts(spec), [steps(part) for part in spec]
        inexact = any(part.get("laplace-scale", 1.0) not in (0.5, 1.0, 2.0) for part in spec)  # 1/scale must be exact
        if texts is None or (inexact if quantity != "rdp" else not gaussian_only(spec)):
            return None
        if quantity == "rdp":
            return " + ".join(f"{count} * {text}.rdp({argument!r})" for count, text in zip(counts, texts))  # noqa: B905
        error = _DELTA_ERROR if quantity == "delta" else argument / 1000
        return (
            f"accountant = prv.PRVAccountant([{', '.join(texts)}], max_self_compositions={counts}, eps_error=0.01, delta_error={error!r})\n"
            f"accountant.compute_{quantity}({argument!r}, {counts})[::2]"
        )


ADAPTERS = (Prv,)
