"""jax-privacy (Google DeepMind): training accountants over dp_accounting."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import SAMPLES, UPPER, ScriptedAdapter, Spec, closed_form, sharp_conversion, steps, whole_batch

_EPSILON = "DpsgdTrainingAccountant.compute_epsilon (accounting/analysis.py), for DpParams.delta, the 'delta-value of DP guarantee'"

_WHOLE: Spec = ({"sigma": 2.0, "sampling": "without-replacement", "population": 100, "batch-size": 100, "steps": 1},)
_ALWAYS: Spec = ({"sigma": 1.0, "sampling": "poisson", "q": 1.0, "steps": 1},)


class _Training(ScriptedAdapter):
    """`DpsgdTrainingAccountant` with one of its configurations."""

    package = "jax-privacy"
    imports = ("jax_privacy.accounting",)
    tested = ("2.0.0",)
    config = ""
    head = "from jax_privacy import accounting as a"

    def _account(self) -> str:
        return f"a.DpsgdTrainingAccountant(a.{self.config}())"


class FixedPld(_Training):
    """`DpsgdTrainingAccountant` with PLD accounting for batches of fixed size."""

    name = "jax_privacy.fixed-batch-pld"
    config = "PldAccountantConfig"
    guarantee = {"epsilon": UPPER}
    source = {
        "epsilon": f"{_EPSILON}; 'The reported DP guarantee is also valid for add-or-remove adjacency' (SamplingMethod.FIXED_BATCH_SIZE)"
    }
    selftest = (closed_form(1e-2, _WHOLE, "the whole data set at σ = 2 under substitution is Gaussian noise at σ = 1"),)

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`compute_epsilon`."""
        if len(spec) != 1 or "population" not in spec[0]:
            return None
        (part,) = spec
        values = (
            f"noise_multipliers={part['sigma']!r}, num_samples={part['population']}, delta={argument!r}, batch_size={part['batch-size']}"
        )
        return (
            f"params = a.DpParams({values},\n"
            "    sampling_method=a.SamplingMethod.FIXED_BATCH_SIZE)\n"
            f"{self._account()}.compute_epsilon({steps(part)}, params)"
        )


class FixedRdp(FixedPld):
    """The same with Rényi accounting."""

    name = "jax_privacy.fixed-batch-rdp"
    config = "RdpAccountantConfig"
    selftest = (sharp_conversion(2e-2, _WHOLE),)


class PoissonRdp(_Training):
    """`DpsgdTrainingAccountant` for Poisson sampling with Rényi accounting, and `calibrate_noise_multiplier`."""

    name = "jax_privacy.poisson-rdp"
    config = "RdpAccountantConfig"
    guarantee = {"epsilon": UPPER, "sigma": UPPER}
    source = {
        "epsilon": _EPSILON,
        "sigma": "'Computes the noise multiplier to achieve `target_epsilon`' (accounting/calibrate.py, calibrate_noise_multiplier)",
    }
    selftest = (sharp_conversion(2e-2, _ALWAYS),)

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`compute_epsilon` and `calibrate_noise_multiplier`."""
        if quantity == "sigma":
            return self._sigma(spec, argument)
        return self._epsilon(spec, argument) if len(spec) == 1 and "sigma" in spec[0] else None

    def _epsilon(self, spec: Spec, delta: float) -> str | None:
        (part,) = spec
        if (drawn := _batch(part)) is None:
            return None
        values = f"noise_multipliers={part['sigma']!r}, num_samples={SAMPLES}, delta={delta!r}, batch_size={drawn}"
        params = f"a.DpParams({values}, sampling_method=a.SamplingMethod.POISSON)"
        return f"{self._account()}.compute_epsilon({steps(part)}, {params})"

    def _sigma(self, spec: Spec, target: Any) -> str | None:
        (part,) = spec
        if (drawn := _batch(part)) is None:
            return None
        values = f"batch_sizes={drawn}, num_updates={steps(part)}, num_samples={SAMPLES}, target_delta={target[1]!r}"
        return f"a.calibrate_noise_multiplier(target_epsilon={target[0]!r}, accountant={self._account()}, {values})"


class PoissonPld(PoissonRdp):
    """The same with PLD accounting."""

    name = "jax_privacy.poisson-pld"
    config = "PldAccountantConfig"
    selftest = (closed_form(1e-2, _ALWAYS),)


def _batch(part: Any) -> int | None:
    """The batch size of a Poisson sample, None where there is none."""
    return whole_batch(part) if part.get("sampling") == "poisson" else None


ADAPTERS = (FixedPld, FixedRdp, PoissonPld, PoissonRdp)
