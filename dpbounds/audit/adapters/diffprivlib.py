"""diffprivlib (IBM): the budget accountant for pure and approximate spends."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import UPPER, Adapter, Selftest, Spec, steps


class Budget(Adapter):
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

    def _spends(self, spec: Spec) -> Any:
        spends = []
        for part in spec:
            if "sampling" in part or "sigma" in part or part.get("laplace-scale", 1.0) not in (0.5, 1.0, 2.0):
                return None
            pure = part["randomized-response"] if "randomized-response" in part else 1.0 / part["laplace-scale"]
            spends += [(pure, 0)] * steps(part)
        return spends

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """The total ε."""
        from diffprivlib import BudgetAccountant

        spends = self._spends(spec)
        return None if spends is None else BudgetAccountant().total(spends, delta)[0]

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """Two lines."""
        counts: dict[float, int] = {}
        for pure, _ in self._spends(spec):
            counts[pure] = counts.get(pure, 0) + 1
        spends = " + ".join(f"[({pure!r}, 0)] * {count}" for pure, count in counts.items())
        return f"from diffprivlib import BudgetAccountant\nprint(BudgetAccountant().total({spends}, {argument!r})[0])"


ADAPTERS = (Budget,)
