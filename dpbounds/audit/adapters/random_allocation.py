"""random-allocation: random allocation, and the Poisson sampling beside which it sets it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpbounds.audit.adapter import UPPER, Promise, ScriptedAdapter, Spec, closed_form, gaussian_only, rate, steps


class Poisson(ScriptedAdapter):
    """`Poisson_epsilon_PLD` and `Poisson_delta_PLD` in both directions, with the default discretization."""

    name = "random_allocation.poisson-pld"
    package = "random-allocation"
    imports = ("random_allocation.other_schemes.poisson",)
    tested = ("1.0.5",)
    guarantee = {"epsilon": UPPER, "delta": UPPER}
    source = {
        "epsilon": "'Calculate the epsilon value for the Poisson scheme with the Gaussian mechanism based on pld' (Poisson_epsilon_PLD)",
        "delta": "'Calculate the delta value for the Poisson scheme with the Gaussian mechanism based on pld' (Poisson_delta_PLD)",
    }
    selftest = (closed_form(1e-2),)

    head = (
        "from random_allocation.comparisons.definitions import PrivacyParams, SchemeConfig\n"
        "from random_allocation.other_schemes.poisson import *"
    )

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """ε(δ) and δ(ε) of plain and Poisson-sampled Gaussian noise."""
        if len(spec) != 1 or not gaussian_only(spec):
            return None
        (part,) = spec
        run = f"sigma={part['sigma']!r}, num_steps={steps(part)}, num_selected=1, num_epochs=1, {_target(quantity, argument)}"
        return f"p = PrivacyParams({run})\nPoisson_{quantity}_PLD(p, SchemeConfig(), sampling_prob={rate(part)!r})"


class Allocation(Poisson):
    """`allocation_epsilon_combined` and `allocation_delta_combined`, with the orders of the package's README."""

    name = "random_allocation.combined"
    imports = ("random_allocation.random_allocation_scheme",)
    allocates = True
    guarantee = {"epsilon": Promise("upper", 1e-3), "delta": UPPER}
    source = dict.fromkeys(
        ("epsilon", "delta"),
        "'This method uses the minimum of the various allocation methods' (allocation_epsilon_combined), with 'the desired resolution of "
        "the epsilon estimation' 1e-3 (README)",
    )
    selftest = (closed_form(2e-3, ({"sigma": 1.0, "sampling": "random-allocation", "bins": 1, "epochs": 1},)),)
    scheme = "combined"
    options: Sequence[str] = ("SchemeConfig(allocation_direct_alpha_orders=list(range(2, 61)))",)

    head = (
        "from random_allocation.comparisons.definitions import Direction, PrivacyParams, SchemeConfig\n"
        "from random_allocation.random_allocation_scheme import *"
    )

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """ε(δ) and δ(ε) of random allocation."""
        if len(spec) != 1 or "bins" not in spec[0]:
            return None
        (part,) = spec
        run = f"sigma={part['sigma']!r}, num_steps={part['bins']}, num_selected=1, num_epochs={part['epochs']}"
        params = f"PrivacyParams({run}, {_target(quantity, argument)})"
        return f"allocation_{quantity}_{self.scheme}({params}, {', '.join(self.options)})"


class DirectAdd(Allocation):
    """`allocation_epsilon_direct` and `allocation_delta_direct` in the direction in which a record is added.

    By the concavity of the logarithm, the loss of one epoch of t batches is at most that of Gaussian noise √t·σ plus (1 − 1/t)/(2σ²),
    and that of E epochs at most that of E uses plus E·(1 − 1/t)/(2σ²). Release 1.0.5 adds this term once.
    """

    name = "random_allocation.direct-add"
    relation = "add"
    source = {
        "epsilon": "'Compute the epsilon value of the allocation scheme in the add direction' (allocation_epsilon_direct_add)",
        "delta": "'Compute the delta value of the allocation scheme in the add direction' (allocation_delta_direct_add)",
    }
    scheme = "direct"
    options = ("SchemeConfig()", "Direction.ADD")


def _target(quantity: str, argument: float) -> str:
    return f"epsilon=None, delta={argument!r}" if quantity == "epsilon" else f"epsilon={argument!r}, delta=None"


ADAPTERS = (Poisson, Allocation, DirectAdd)
