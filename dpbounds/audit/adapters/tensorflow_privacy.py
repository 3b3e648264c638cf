"""tensorflow-privacy (Google): its helpers for DP-SGD, read from their files, so that TensorFlow itself is not needed."""

from __future__ import annotations

import math
from typing import Any

from dpbounds.audit.adapter import CENTRAL_LIMIT, SAMPLES, UPPER, ScriptedAdapter, Spec, estimate, sharp_conversion, steps, whole_batch

_FOLDER = (
    "import sys, importlib.util as u; from pathlib import Path\n"
    "sys.path.append(str(Path(u.find_spec('tensorflow_privacy').origin).parent / 'privacy' / 'analysis'))"
)


class _Helper(ScriptedAdapter):
    """A module of `tensorflow_privacy.privacy.analysis`."""

    package = "tensorflow-privacy"
    tested = ("0.9.0",)
    module = ""

    def _call(self, quantity: str, part: Any, argument: Any) -> str:
        return ""

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """A call that needs neither TensorFlow nor dpbounds."""
        if len(spec) != 1 or spec[0].get("sampling") != "poisson" or (quantity != "sigma" and "sigma" not in spec[0]):
            return None
        if _numbers(spec[0]) is None:
            return None
        return f"{_FOLDER}\nimport {self.module}\n{self._call(quantity, spec[0], argument)}"


class Sgd(_Helper):
    """`compute_dp_sgd_privacy`, and `compute_noise` of compute_noise_from_budget_lib."""

    name = "tensorflow_privacy.compute-dp-sgd-privacy"
    module = "compute_dp_sgd_privacy_lib, compute_noise_from_budget_lib"
    guarantee = {"epsilon": UPPER, "sigma": UPPER}
    source = {
        "epsilon": "'Compute epsilon based on the given hyperparameters', which "
        "'assumes Poisson subsampling' (compute_dp_sgd_privacy_lib.py)",
        "sigma": "'Compute noise based on the given hyperparameters' (compute_noise_from_budget_lib.py)",
    }
    selftest = (sharp_conversion(4e-2, ({"sigma": 1.0, "sampling": "poisson", "q": 1.0, "steps": 1},)),)

    def _call(self, quantity: str, part: Any, argument: Any) -> str:
        batch, epochs = _numbers(part) or (0, 0.0)
        if quantity == "epsilon":
            return f"compute_dp_sgd_privacy_lib.compute_dp_sgd_privacy({SAMPLES}, {batch}, {part['sigma']!r}, {epochs!r}, {argument!r})[0]"
        return f"compute_noise_from_budget_lib.compute_noise({SAMPLES}, {batch}, {argument[0]!r}, {epochs!r}, {argument[1]!r}, 0.01)"

    def sigma(self, spec: Spec, target: Any) -> Any:
        """`compute_noise` from a noise of 0.01 upward."""
        found = super().sigma(spec, target)
        if found == 0:
            raise ValueError("noise_lbd too large for target epsilon")
        return found


class Gdp(_Helper):
    """`gdp_accountant.compute_eps_poisson`, a central limit theorem."""

    name = "tensorflow_privacy.gdp"
    module = "gdp_accountant"
    guarantee = {"epsilon": estimate()}
    source = {"epsilon": "'Applies the Dual and Central Limit Theorem (CLT) to estimate privacy budget' (gdp_accountant.py)"}
    selftest = (CENTRAL_LIMIT,)

    def _call(self, quantity: str, part: Any, argument: Any) -> str:
        batch, epochs = _numbers(part) or (0, 0.0)
        return f"gdp_accountant.compute_eps_poisson({epochs!r}, {part['sigma']!r}, {SAMPLES}, {batch}, {argument!r})"


def _numbers(part: Any) -> tuple[int, float] | None:
    """Batch size and epochs that stand for a rate and a number of steps, exactly; None where there are none."""
    batch = whole_batch(part)
    if batch is None:
        return None
    epochs = steps(part) * batch / SAMPLES
    return (batch, epochs) if math.ceil(epochs * SAMPLES / batch) == steps(part) else None


ADAPTERS = (Sgd, Gdp)
