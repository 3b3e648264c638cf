"""diffprivlib (IBM): the budget accountant for pure and approximate spends."""

from __future__ import annotations

import math
from typing import Any

from dpbounds.audit.adapter import UPPER, ScriptedAdapter, Selftest, Spec, steps


class Budget(ScriptedAdapter):
    """`diffprivlib.BudgetAccountant.total` with slack δ, for spends of pure ε."""

    name = "diffprivlib.budget"
    package = "diffprivlib"
    imports = ("diffprivlib",)
    tested = ("0.6.6",)
    guarantee = {"epsilon": UPPER}
    source = {"epsilon": "'Returns the total current privacy spend', with 'slack in delta for composition' (accountant.py, total)"}
    selftest = (
        Selftest(
            "epsilon", ({"randomized-response": 0.05, "steps": 20},), 1e-3, 0.7613352285668463, 1e-12, "docstring of BudgetAccountant, acc3"
        ),
    )

    head = "from diffprivlib import BudgetAccountant"

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """The total ε."""
        counts: dict[float, int] = {}
        for part in spec:
            if "sampling" in part or not {"randomized-response", "laplace-scale"} & part.keys():
                return None
            if part.get("laplace-scale", 1.0) not in (0.5, 1.0, 2.0):
                return None
            pure = part["randomized-response"] if "randomized-response" in part else 1.0 / part["laplace-scale"]
            counts[pure] = counts.get(pure, 0) + steps(part)
        spends = " + ".join(f"[({pure!r}, 0)] * {count}" for pure, count in counts.items())
        return f"BudgetAccountant().total({spends}, {argument!r})[0]"


class Analytic(ScriptedAdapter):
    """`mechanisms.GaussianAnalytic` and, for ε ≤ 1, `mechanisms.Gaussian`: the noise that they add."""

    name = "diffprivlib.gaussian-analytic"
    package = "diffprivlib"
    imports = ("diffprivlib.mechanisms",)
    tested = ("0.6.6",)
    kind = "GaussianAnalytic"
    largest = math.inf
    guarantee = {"sigma": UPPER}
    source = {"sigma": "'Analytical Calibration and Optimal Denoising', epsilon: 'Privacy parameter for the mechanism' (GaussianAnalytic)"}
    selftest = (Selftest("sigma", ({"steps": 1},), [1.0, 1e-5], 3.7306316, 1e-4, "Balle & Wang 2018, Algorithm 1, solved with mpmath"),)

    value = "variance(0) ** 0.5"

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """The root of `variance`, for one use."""
        if "sampling" in spec[0] or steps(spec[0]) > 1 or argument[0] > self.largest:
            return None
        values = f"epsilon={argument[0]!r}, delta={argument[1]!r}, sensitivity=1"
        return f"from diffprivlib.mechanisms import {self.kind}\n{self.kind}({values}).{self.value}"


class Classic(Analytic):
    """`mechanisms.Gaussian`, for ε ≤ 1."""

    name = "diffprivlib.gaussian"
    kind = "Gaussian"
    largest = 1.0
    source = {"sigma": "'The Gaussian mechanism in differential privacy', epsilon: 'Privacy parameter for the mechanism' (Gaussian)"}
    selftest = (Selftest("sigma", ({"steps": 1},), [1.0, 1e-5], 4.8448055, 1e-6, "√(2 log(1.25/δ))/ε"),)


class Discrete(Analytic):
    """`mechanisms.GaussianDiscrete`: the scale of its discrete Gaussian noise."""

    name = "diffprivlib.gaussian-discrete"
    calibrates = ("discrete-gaussian",)
    source = {"sigma": "'The Discrete Gaussian mechanism', epsilon: 'Privacy parameter for the mechanism' (GaussianDiscrete)"}
    selftest = (
        Selftest(
            "sigma", ({"unknown": "discrete-gaussian", "steps": 1},), [1.0, 1e-5], 3.73, 0.05, "close to continuous noise at this scale"
        ),
    )

    kind = "GaussianDiscrete"
    value = "_scale"  # which no public method returns


ADAPTERS = (Budget, Analytic, Classic, Discrete)
