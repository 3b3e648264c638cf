"""autodp: mechanisms with Rényi divergences and analytical conversions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpbounds.audit.adapter import UPPER, ScriptedAdapter, Selftest, Spec, closed_form, noises_of, rate, samplings_of, steps

_CORE = "'Approximate DP: epsilon as a function of delta' (autodp_core.Mechanism, get_approxDP)"


class Mechanism(ScriptedAdapter):
    """Mechanisms of `autodp.mechanism_zoo`, composed by `transformer_zoo.Composition`."""

    name = "autodp.mechanism"
    package = "autodp"
    imports = ("autodp.mechanism_zoo",)
    tested = ("0.2.3.1",)
    nests = True
    guarantee = {"epsilon": UPPER, "rdp": UPPER}
    source = {"epsilon": _CORE, "rdp": "'Renyi DP: RDP epsilon as a function of alpha' (autodp_core.Mechanism, get_RDP)"}
    selftest = (
        closed_form(1e-6),
        Selftest("epsilon", ({"laplace-scale": 2.0, "steps": 1},), 1e-5, 0.49998, 1e-8, "1/b + 2 log(1 − δ)"),
        Selftest("rdp", ({"sigma": 2.0, "steps": 8},), 4.0, 4.0, 1e-12, "α k/(2 σ²)"),
    )

    def _text(self, spec: Spec) -> str | None:
        """The mechanism as Python, None for what there is none of."""
        texts = []
        for part in spec:
            text = f"Composition()([{inner}], [1])" if "parts" in part and (inner := self._text(part["parts"])) else self._one(part)
            if text is None:
                return None
            texts.append(text)
        counts = [steps(part) for part in spec]
        return texts[0] if len(texts) == 1 and counts == [1] else f"Composition()([{', '.join(texts)}], {counts})"

    def _one(self, part: Mapping[str, Any]) -> str | None:
        sampled = part.get("sampling", "none")
        if sampled not in ("none", "poisson"):
            return None
        if "sigma" in part and sampled == "poisson":
            return f"zoo.SubsampleGaussianMechanism({{'prob': {rate(part)!r}, 'sigma': {part['sigma']!r}, 'coeff': 1}})"
        if "sigma" in part:
            return f"zoo.GaussianMechanism(sigma={part['sigma']!r})"
        if "laplace-scale" in part:
            text = f"zoo.LaplaceMechanism(b={part['laplace-scale']!r})"
            return f"AmplificationBySampling()({text}, {rate(part)!r})" if sampled == "poisson" else text
        if "discrete-gaussian" in part:
            return f"zoo.DiscreteGaussianMechanism({part['discrete-gaussian']!r})"
        if "table" in part:
            return f"zoo.RandresponseMechanism(p={part['table']['p'][0]!r})"
        return f"zoo.PureDP_Mechanism({part['randomized-response']!r})" if "randomized-response" in part else None

    head = "from autodp import mechanism_zoo as zoo\nfrom autodp.transformer_zoo import AmplificationBySampling, Composition"

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`get_approxDP` and `get_RDP`."""
        text = self._text(spec)
        call = f"get_RDP({argument!r})" if quantity == "rdp" else f"get_approxDP({argument!r})"
        return None if text is None else f"{text}.{call}"


class Exact(ScriptedAdapter):
    """`ExactGaussianMechanism` with `ComposeGaussian`, and the calibrators of Gaussian noise."""

    name = "autodp.exact-gaussian"
    package = "autodp"
    imports = ("autodp.mechanism_zoo", "autodp.calibrator_zoo")
    tested = ("0.2.3.1",)
    guarantee = {"epsilon": UPPER, "sigma": UPPER}
    source = {
        "epsilon": "'The Gaussian mechanism to use in practice with tight direct computation of everything' (ExactGaussianMechanism)",
        "sigma": "'the standard deviation of Gaussian noise needed to achieve (epsilon,delta)-DP', "
        "'tol : error tolerance for binary search', 1e-12 in δ (ana_gaussian_calibrator); "
        "'Calibrate the scale parameter b of the Gaussian mechanism using RDP' (privacy_calibrator.gaussian_mech)",
    }
    threads = ("sigma, for a large epsilon: https://github.com/yuxiangw/autodp/issues/39",)
    selftest = (
        closed_form(1e-6, ({"sigma": 2.0, "steps": 4},)),
        Selftest("sigma", ({"steps": 1},), [1.0, 1e-5], 3.7306316, 1e-4, "Balle & Wang 2018, Algorithm 1, solved with mpmath"),
    )

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`ComposeGaussian` of `ExactGaussianMechanism`s; `ana_gaussian_calibrator` for one use, `gaussian_mech` for several."""
        if samplings_of(spec) != {"none"} or (quantity == "epsilon" and noises_of(spec) != {"sigma"}):
            return None
        if quantity == "sigma" and steps(spec[0]) > 1:
            return f"from autodp.privacy_calibrator import gaussian_mech\ngaussian_mech(*{argument!r}, k={steps(spec[0])})['sigma']"
        head = "from autodp.mechanism_zoo import ExactGaussianMechanism as Exact\n"
        if quantity == "sigma":
            calibrate = "from autodp.calibrator_zoo import ana_gaussian_calibrator\n"
            return f"{head}{calibrate}ana_gaussian_calibrator()(Exact, *{argument!r}).params['sigma']"
        parts, counts = [f"Exact({part['sigma']!r})" for part in spec], [steps(part) for part in spec]
        compose = "from autodp.transformer_zoo import ComposeGaussian\n"
        return f"{head}{compose}ComposeGaussian()([{', '.join(parts)}], {counts}).get_approxDP({argument!r})"


ADAPTERS = (Mechanism, Exact)
