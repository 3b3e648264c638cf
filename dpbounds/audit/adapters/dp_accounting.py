"""dp_accounting (Google): Rényi and privacy-loss-distribution accountants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpbounds.audit.adapter import (
    LOWER,
    UPPER,
    Adapter,
    Promise,
    ScriptedAdapter,
    Selftest,
    Spec,
    closed_form,
    composed_text,
    estimate,
    noises_of,
    rate,
    samplings_of,
    steps,
)

_EVENTS = "'If the norms of the values are bounded ||v_i|| <= C, the noise_multiplier is defined as s / C' (dp_event.GaussianDpEvent)"
_RDP = f"'The current epsilon, accounting for all composed `DpEvent`s' (privacy_accountant.PrivacyAccountant.get_epsilon); {_EVENTS}"
_PLD = "'the resulting epsilon-hockey stick divergence computation gives an upper estimate to the real value' (pld, the default)"
_CALIBRATED = Promise("upper", noise=1e-6)
_CALIBRATE = "'A value of the parameter within tol of the optimum subject to the privacy constraint', tol = 1e-6 (calibrate_dp_mechanism)"
_CLOSED = "closed form of the Gaussian mechanism (Balle & Wang 2018, Theorem 8)"


def _text_of(spec: Spec) -> str | None:
    """The event of a spec as Python, None for what there is no event of."""
    texts = []
    for part in spec:
        text = _of_part(part)
        if text is None:
            return None
        if "population" in part:
            text = f"dp.SampledWithoutReplacementDpEvent({part['population']}, {part['batch-size']}, {text})"
        elif part.get("sampling") == "poisson":
            text = f"dp.PoissonSampledDpEvent({rate(part)!r}, {text})"
        texts.append(text if steps(part) == 1 else f"dp.SelfComposedDpEvent({text}, {steps(part)})")
    return texts[0] if len(texts) == 1 else f"dp.ComposedDpEvent([{', '.join(texts)}])"


def _of_part(part: Mapping[str, Any]) -> str | None:
    if "parts" in part:
        return _text_of(part["parts"])
    if "sigma" in part:
        return f"dp.GaussianDpEvent({part['sigma']!r})"
    if "laplace-scale" in part:
        return f"dp.LaplaceDpEvent({part['laplace-scale']!r})"
    if part.get("discrete-laplace") in (0.5, 1.0, 2.0, 4.0):
        return f"dp.dp_event.DiscreteLaplaceDpEvent({1 / part['discrete-laplace']!r}, 1)"
    if "discrete-gaussian" in part:
        return f"dp.dp_event.DiscreteGaussianDpEvent({part['discrete-gaussian']!r}, 1, 1)"
    if "table" in part and "sampling" not in part:
        return f"dp.RandomizedResponseDpEvent({2 * part['table']['q'][0]!r}, 2)"
    return None


def _event(spec: Spec) -> Any:
    import dp_accounting as dp

    text = _text_of(spec)
    try:
        return None if text is None else eval(text, {"dp": dp})  # our own text, so that reproductions say what was asked
    except AttributeError:  # an event of later versions
        return None


class _Accountant(Adapter):
    """An accountant of dp_accounting that composes events."""

    package = "dp-accounting"
    imports = ("dp_accounting.pld", "dp_accounting.rdp")
    tested = ("0.6.0", "0.6.0+1e2abd4")
    nests = True
    make = ""

    def _fresh(self) -> Any:
        import dp_accounting as dp
        import dp_accounting.pld
        import dp_accounting.rdp

        return eval(self.make, {"dp": dp})

    def sigma(self, spec: Spec, target: Any) -> Any:
        """`calibrate_dp_mechanism`, whose tolerance is 1e-6 in the noise."""
        import dp_accounting as dp

        (part,) = spec
        return dp.calibrate_dp_mechanism(self._fresh, lambda sigma: _event([{**part, "sigma": sigma}]), *target)

    def _composed(self, spec: Spec) -> Any:
        event = _event(spec)
        if event is None or "without-replacement" in samplings_of(spec) and self.relation != "substitute":
            return None
        accountant = self._fresh()
        return accountant.compose(event) if accountant.supports(event) else None

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """`get_epsilon`."""
        accountant = self._composed(spec)
        return None if accountant is None else accountant.get_epsilon(delta)

    def delta(self, spec: Spec, epsilon: float) -> Any:
        """`get_delta`."""
        accountant = self._composed(spec)
        return None if accountant is None else accountant.get_delta(epsilon)

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """Three lines."""
        imports = "import dp_accounting as dp, dp_accounting.pld, dp_accounting.rdp\n"
        if quantity == "sigma":
            event = str(_text_of([{**spec[0], "sigma": 0.0}])).replace("0.0)", "sigma)", 1)
            return f"{imports}print(dp.calibrate_dp_mechanism(lambda: {self.make}, lambda sigma: {event}, *{argument!r}))"
        return f"{imports}event = {_text_of(spec)}\nprint({self.make}.compose(event).get_{quantity}({argument!r}))"


class Pld(_Accountant):
    """`dp_accounting.pld.PLDAccountant`."""

    name = "dp_accounting.pld"
    make = "dp.pld.PLDAccountant()"

    guarantee = {"epsilon": UPPER, "delta": UPPER, "sigma": _CALIBRATED}
    source = {"epsilon": _PLD, "delta": _PLD, "sigma": _CALIBRATE}
    selftest = (
        closed_form(2e-4),
        Selftest("delta", ({"sigma": 1.0, "steps": 4},), 2.0, 0.33189799877, 2e-4, _CLOSED),
        Selftest("delta", ({"laplace-scale": 2.0, "steps": 1},), 0.0, 0.2211992169, 1e-4, "total variation 1 − exp(−1/(2b))"),
    )


class PldReplaceOne(_Accountant):
    """`dp_accounting.pld.PLDAccountant` under replace-one."""

    name = "dp_accounting.pld-replace-one"
    make = "dp.pld.PLDAccountant(neighboring_relation=dp.NeighboringRelation.REPLACE_ONE)"
    relation = "substitute"
    guarantee = {"epsilon": UPPER, "delta": UPPER}
    source = {"epsilon": _PLD, "delta": _PLD}
    selftest = (closed_form(2e-4, ({"sigma": 2.0, "steps": 1},)),)

    def _composed(self, spec: Spec) -> Any:
        if samplings_of(spec) != {"none"} or not noises_of(spec) <= {"sigma", "table"}:
            return None
        return super()._composed(spec)


class Rdp(_Accountant):
    """`dp_accounting.rdp.RdpAccountant` under add-or-remove."""

    name = "dp_accounting.rdp"
    make = "dp.rdp.RdpAccountant()"

    guarantee = {"epsilon": UPPER, "delta": UPPER, "rdp": UPPER, "sigma": _CALIBRATED}
    source = {
        "epsilon": _RDP,
        "delta": _RDP,
        "sigma": _CALIBRATE,
        "rdp": "the values from which get_epsilon is computed; Mironov, Talwar & Zhang 2019, section 3.3",
    }
    selftest = (Selftest("rdp", ({"sigma": 2.0, "steps": 8},), 4.0, 4.0, 1e-12, "α k/(2 σ²)"),)

    def rdp(self, spec: Spec, alpha: float) -> Any:
        """The divergence at one order."""
        import dp_accounting as dp
        import dp_accounting.rdp

        event = _event(spec)
        if event is None or "without-replacement" in samplings_of(spec):
            return None
        accountant = dp.rdp.RdpAccountant(orders=[alpha])
        return accountant.compose(event)._rdp[0] if accountant.supports(event) else None

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """Three lines."""
        if quantity != "rdp":
            return super().reproduction(quantity, spec, argument)
        return (
            "import dp_accounting as dp, dp_accounting.rdp\n"
            f"event = {_text_of(spec)}\n"
            f"print(dp.rdp.RdpAccountant(orders=[{argument!r}]).compose(event)._rdp[0])"
        )


class RdpReplaceOne(_Accountant):
    """`dp_accounting.rdp.RdpAccountant` under replace-one, batches of fixed size included."""

    name = "dp_accounting.rdp-replace-one"
    make = "dp.rdp.RdpAccountant(neighboring_relation=dp.NeighboringRelation.REPLACE_ONE)"

    relation = "substitute"
    guarantee = {"epsilon": UPPER, "delta": UPPER}
    source = {"epsilon": _RDP, "delta": _RDP}
    threads = ("delta of GaussianDpEvent: https://github.com/google/differential-privacy/issues/378",)
    selftest = (
        Selftest(
            "delta",
            ({"sigma": 4.0, "steps": 1},),
            1.0,
            1.233e-5,
            1e-8,
            "what release 0.6.0 returns: this selftest fixes the call, not its truth",
        ),
    )

    def _composed(self, spec: Spec) -> Any:
        if "poisson" in samplings_of(spec) or not noises_of(spec) <= {"sigma", "table"}:
            return None
        return super()._composed(spec)


class PldOptimistic(ScriptedAdapter):
    """The optimistic estimate of a privacy loss distribution: a lower bound."""

    name = "dp_accounting.pld-optimistic"
    package = "dp-accounting"
    imports = ("dp_accounting.pld", "dp_accounting.rdp")
    tested = ("0.6.0", "0.6.0+1e2abd4")
    guarantee = {"delta": LOWER, "epsilon": LOWER}
    source = dict.fromkeys(
        ("delta", "epsilon"),
        "no sentence promises a lower estimate; pessimistic_estimate=False is the counterpart of "
        "'gives an upper estimate to the real value'",
    )
    selftest = (closed_form(2e-3),)

    head = "from dp_accounting.pld import privacy_loss_distribution as pld"

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`get_epsilon_for_delta` and `get_delta_for_epsilon`."""
        if any("sigma" not in part or "population" in part or "parts" in part for part in spec):
            return None
        options = "pessimistic_estimate=False, use_connect_dots=False"
        parts = [
            f"pld.from_gaussian_mechanism({p['sigma']!r}, sampling_prob={rate(p)!r}, {options}).self_compose({steps(p)})" for p in spec
        ]
        return composed_text(parts, quantity, argument)


class Exact(ScriptedAdapter):
    """`get_epsilon_gaussian` and `get_sigma_gaussian`, for one use of Gaussian noise."""

    name = "dp_accounting.gaussian"
    package = "dp-accounting"
    imports = ("dp_accounting",)
    tested = ("0.6.0", "0.6.0+1e2abd4")
    guarantee = {"epsilon": estimate(error=1e-12, relative=1e-9), "sigma": UPPER}
    source = {
        "epsilon": "'functions for exact conversion between epsilon, delta, and sigma', "
        "'Error tolerance for search' 1e-12 (gaussian_mechanism.py)",
        "sigma": "'Compute the noise std for the Gaussian mechanism with the given DP params' (gaussian_mechanism.py)",
    }
    selftest = (closed_form(1e-9),)

    head = "import dp_accounting as dp"

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`get_epsilon_gaussian` and `get_sigma_gaussian`."""
        once = len(spec) == 1 and samplings_of(spec) == {"none"} and steps(spec[0]) == 1
        if not once or (quantity == "epsilon" and noises_of(spec) != {"sigma"}):
            return None
        values = f"{spec[0]['sigma']!r}, {argument!r}" if quantity == "epsilon" else f"*{argument!r}"
        return f"dp.get_{quantity}_gaussian({values})"


ADAPTERS = (Pld, PldReplaceOne, Rdp, RdpReplaceOne, PldOptimistic, Exact)
