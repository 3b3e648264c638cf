"""opacus (Meta): Rényi, PRV and Gaussian-DP accountants, and its search for a noise multiplier."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import (
    UPPER,
    Adapter,
    Selftest,
    Spec,
    closed_form,
    estimate,
    gaussian_only,
    history,
    rate,
    sharp_conversion,
    steps,
)


class _Opacus(Adapter):
    """An accountant with a history of (noise multiplier, rate, steps)."""

    package = "opacus"
    imports = ("opacus.accountants",)
    tested = ("1.6.0",)
    kind = ""
    module = ""

    def _accountant(self, spec: Spec) -> Any:
        from opacus.accountants import create_accountant

        accountant = create_accountant(mechanism=self.kind)
        accountant.history = history(spec)
        return accountant

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """`get_epsilon`."""
        return self._accountant(spec).get_epsilon(delta) if gaussian_only(spec) else None

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """Four lines."""
        return (
            "from opacus.accountants import create_accountant\n"
            f"accountant = create_accountant(mechanism={self.kind!r})\n"
            f"accountant.history = {history(spec)!r}\n"
            f"print(accountant.get_epsilon({argument!r}))"
        )


class Rdp(_Opacus):
    """`opacus.accountants.RDPAccountant`."""

    name = "opacus.rdp"
    kind = "rdp"
    guarantee = {"epsilon": UPPER, "rdp": UPPER, "sigma": UPPER}
    source = {
        "epsilon": "'Return privacy budget (epsilon) expended so far' (accountants/rdp.py, get_epsilon)",
        "rdp": "'The RDP guarantees at all orders' (accountants/analysis/rdp.py, compute_rdp)",
        "sigma": "'The noise level sigma to ensure privacy budget of (target_epsilon, target_delta)' (accountants/utils.py)",
    }
    selftest = (
        Selftest("rdp", ({"sigma": 2.0, "steps": 8},), 4.0, 4.0, 1e-12, "α k/(2 σ²)"),
        sharp_conversion(0.02),
    )

    def rdp(self, spec: Spec, alpha: float) -> Any:
        """`compute_rdp`, added over the parts."""
        from opacus.accountants.analysis import rdp as analysis

        if not gaussian_only(spec):
            return None
        return float(sum(analysis.compute_rdp(q=rate(p), noise_multiplier=p["sigma"], steps=steps(p), orders=alpha) for p in spec))

    def sigma(self, spec: Spec, target: Any) -> Any:
        """`get_noise_multiplier`."""
        from opacus.accountants.utils import get_noise_multiplier

        (part,) = spec
        epsilon, delta = target
        options = {"target_epsilon": epsilon, "target_delta": delta, "sample_rate": rate(part), "steps": steps(part)}
        return get_noise_multiplier(accountant=self.kind, **options)

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """At most four lines."""
        if quantity == "epsilon":
            return super().reproduction(quantity, spec, argument)
        if quantity == "sigma":
            return _noise(self.kind, spec, argument)
        calls = [f"compute_rdp(q={rate(p)!r}, noise_multiplier={p['sigma']!r}, steps={steps(p)}, orders={argument!r})" for p in spec]
        return f"from opacus.accountants.analysis.rdp import compute_rdp\nprint({' + '.join(calls)})"


class Prv(_Opacus):
    """`opacus.accountants.PRVAccountant`, whose get_epsilon returns its upper bound."""

    name = "opacus.prv"
    kind = "prv"
    guarantee = {"epsilon": UPPER, "sigma": UPPER}
    source = {
        "epsilon": "'return upper bound as we want guarantee, not just estimate' (accountants/prv.py, PRVAccountant.get_epsilon)",
        "sigma": "'The noise level sigma to ensure privacy budget of (target_epsilon, target_delta)' (accountants/utils.py)",
    }
    selftest = (closed_form(0.03),)
    sigma = Rdp.sigma

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """At most four lines."""
        return _noise(self.kind, spec, argument) if quantity == "sigma" else super().reproduction(quantity, spec, argument)


class Gdp(_Opacus):
    """`opacus.accountants.GaussianAccountant`, a central limit theorem that says so itself."""

    name = "opacus.gdp"
    kind = "gdp"
    guarantee = {"epsilon": estimate(), "sigma": UPPER}
    source = {
        "epsilon": "'GDP accounting is experimental and can underestimate privacy expenditure' (a warning of accountants/gdp.py)",
        "sigma": "'The noise level sigma to ensure privacy budget of (target_epsilon, target_delta)' (accountants/utils.py); "
        "the accountant warns that it 'can underestimate privacy expenditure'",
    }
    selftest = (
        Selftest(
            "epsilon",
            ({"sigma": 8.0, "sampling": "poisson", "q": 0.01, "steps": 1000},),
            1e-5,
            0.1424,
            0.02,
            "the limit μ = q√(k(e^{1/σ²}−1))",
        ),
    )
    sigma = Rdp.sigma

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """`get_epsilon`; one part only."""
        return super().epsilon(spec, delta) if len(spec) == 1 else None

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """At most four lines."""
        return _noise(self.kind, spec, argument) if quantity == "sigma" else super().reproduction(quantity, spec, argument)


def _noise(kind: str, spec: Spec, target: Any) -> str:
    (part,) = spec
    epsilon, delta = target
    return (
        "from opacus.accountants.utils import get_noise_multiplier\n"
        f"print(get_noise_multiplier(target_epsilon={epsilon!r}, target_delta={delta!r}, sample_rate={rate(part)!r},\n"
        f"    steps={steps(part)}, accountant={kind!r}))"
    )


ADAPTERS = (Rdp, Prv, Gdp)
