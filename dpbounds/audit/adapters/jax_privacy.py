"""jax-privacy (Google DeepMind): training accountants over dp_accounting."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import UPPER, Adapter, Selftest, Spec, steps

_EPSILON = "DpsgdTrainingAccountant.compute_epsilon (accounting/analysis.py), for DpParams.delta, the 'delta-value of DP guarantee'"


class FixedPld(Adapter):
    """`DpsgdTrainingAccountant` with PLD accounting for batches of fixed size."""

    name = "jax_privacy.fixed-batch-pld"
    package = "jax-privacy"
    imports = ("jax_privacy.accounting",)
    tested = ("2.0.0",)
    config = "PldAccountantConfig"
    guarantee = {"epsilon": UPPER}
    source = {
        "epsilon": f"{_EPSILON}; 'The reported DP guarantee is also valid for add-or-remove adjacency' (SamplingMethod.FIXED_BATCH_SIZE)"
    }
    selftest = (
        Selftest(
            "epsilon",
            ({"sigma": 2.0, "sampling": "without-replacement", "population": 100, "batch-size": 100, "steps": 1},),
            1e-5,
            4.3771780956811,
            1e-2,
            "the whole data set at σ = 2 under substitution is Gaussian noise at σ = 1 (Balle & Wang 2018, Theorem 8)",
        ),
    )

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """`compute_epsilon`."""
        from jax_privacy import accounting

        if len(spec) != 1 or "population" not in spec[0]:
            return None
        (part,) = spec
        params = accounting.DpParams(
            noise_multipliers=part["sigma"],
            num_samples=part["population"],
            delta=delta,
            batch_size=part["batch-size"],
            sampling_method=accounting.SamplingMethod.FIXED_BATCH_SIZE,
        )
        return accounting.DpsgdTrainingAccountant(getattr(accounting, self.config)()).compute_epsilon(steps(part), params)

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """Four lines."""
        (part,) = spec
        values = (
            f"noise_multipliers={part['sigma']!r}, num_samples={part['population']}, delta={argument!r}, batch_size={part['batch-size']}"
        )
        return (
            "from jax_privacy import accounting as a\n"
            f"params = a.DpParams({values},\n"
            "    sampling_method=a.SamplingMethod.FIXED_BATCH_SIZE)\n"
            f"print(a.DpsgdTrainingAccountant(a.{self.config}()).compute_epsilon({steps(part)}, params))"
        )


class FixedRdp(FixedPld):
    """The same with Rényi accounting."""

    name = "jax_privacy.fixed-batch-rdp"
    config = "RdpAccountantConfig"
    selftest = (
        Selftest(
            "epsilon",
            ({"sigma": 2.0, "sampling": "without-replacement", "population": 100, "batch-size": 100, "steps": 1},),
            1e-5,
            4.7284,
            2e-2,
            "the sharp conversion of Gaussian noise at σ = 1 (Canonne, Kamath & Steinke 2020)",
        ),
    )


ADAPTERS = (FixedPld, FixedRdp)
