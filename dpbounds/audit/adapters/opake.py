"""opake (JetBrains Research): privacy loss distributions in Rust.

`opake.dpsgd` imports torch; `opake.api.accounting.dpsgd`, which it passes on, does not, so that is what is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpbounds.audit.adapter import UPPER, ScriptedAdapter, Selftest, Spec, closed_form, rate, steps


def _text_of(spec: Spec) -> str | None:
    """The process of a spec as Python, None for what there is no process of."""
    texts = [_of_part(part) for part in spec]
    return None if None in texts else " | ".join(map(str, texts))


def _of_part(part: Mapping[str, Any]) -> str | None:
    sampling, times = part.get("sampling", "none"), f" * {steps(part)}" if steps(part) > 1 else ""
    if "parts" in part:
        inner = _text_of(part["parts"])
        return inner and f"({inner}){times}"
    if "randomized-response" in part and sampling == "none":
        return f"acc.eps_delta({part['randomized-response']!r}, 0.0){times}"
    if "sigma" not in part:
        return None
    gaussian = f"dpsgd.gaussian({part['sigma']!r})"
    return {"none": f"{gaussian}{times}", "poisson": f"dpsgd.poisson({gaussian}, sample_rate={rate(part)!r}){times}"}.get(sampling)


class Opake(ScriptedAdapter):
    """Processes with the default discretization, under add-or-remove."""

    name = "opake.pld"
    package = "opake-accounting"
    imports = ("opake.accounting", "opake.api.accounting.dpsgd")
    tested = ("0.16.1",)
    nests = True
    guarantee = {"epsilon": UPPER, "delta": UPPER, "sigma": UPPER}
    source = {
        "epsilon": "'Smallest ε achieving (ε, δ)-DP.' (Pld.epsilon_at)",
        "delta": "'Smallest δ achieving (ε, δ)-DP. Always returns at least infinity_mass; […] the true δ may be smaller' (Pld.delta_at)",
        "sigma": "'Successful results are one-sided and privacy-safe.' (calibrate)",
    }
    selftest = (
        Selftest("epsilon", ({"sigma": 1.1, "steps": 1},), 1e-5, 3.92, 5e-3, "opake_accounting.pyi, gaussian_pld, example"),
        closed_form(1e-4),
    )

    head = "import opake.accounting as acc, opake.api.accounting.dpsgd as dpsgd"

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`epsilon_at`, `delta_at`, and `calibrate` between 0.1 and 1000."""
        if quantity != "sigma":
            text = _text_of(spec)
            return None if text is None else f"({text}).{quantity}_at({argument!r})"
        text = _text_of([{**spec[0], "sigma": 0.0}])
        if text is None:
            return None
        process, budget = text.replace("gaussian(0.0)", "gaussian(sigma)"), f"acc.epsilon_budget({argument[0]!r}, delta={argument[1]!r})"
        return f"acc.calibrate({budget}, lambda sigma: {process}, 0.1, 1000.0).param"


ADAPTERS = (Opake,)
