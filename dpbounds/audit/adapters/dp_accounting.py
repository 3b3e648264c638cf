"""dp_accounting (Google): Rényi and privacy-loss-distribution accountants."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import LOWER, UPPER, Adapter, Selftest, Spec, rate, steps

_EVENTS = "'If the norms of the values are bounded ||v_i|| <= C, the noise_multiplier is defined as s / C' (dp_event.GaussianDpEvent)"
_RDP = f"'The current epsilon, accounting for all composed `DpEvent`s' (privacy_accountant.PrivacyAccountant.get_epsilon); {_EVENTS}"
_PLD = "'the resulting epsilon-hockey stick divergence computation gives an upper estimate to the real value' (pld, the default)"
_CLOSED = "closed form of the Gaussian mechanism (Balle & Wang 2018, Theorem 8)"


def _event(spec: Spec) -> Any:
    import dp_accounting as dp

    composed = []
    for part in spec:
        if "sigma" in part:
            event: Any = dp.GaussianDpEvent(part["sigma"])
        elif "laplace-scale" in part:
            event = dp.LaplaceDpEvent(part["laplace-scale"])
        else:
            return None
        if "population" in part:
            event = dp.SampledWithoutReplacementDpEvent(part["population"], part["batch-size"], event)
        elif part.get("sampling") == "poisson":
            event = dp.PoissonSampledDpEvent(rate(part), event)
        composed.append(dp.SelfComposedDpEvent(event, steps(part)))
    return composed[0] if len(composed) == 1 else dp.ComposedDpEvent(composed)


def _event_text(spec: Spec) -> str:
    texts = []
    for part in spec:
        text = f"dp.GaussianDpEvent({part['sigma']!r})" if "sigma" in part else f"dp.LaplaceDpEvent({part['laplace-scale']!r})"
        if "population" in part:
            text = f"dp.SampledWithoutReplacementDpEvent({part['population']}, {part['batch-size']}, {text})"
        elif part.get("sampling") == "poisson":
            text = f"dp.PoissonSampledDpEvent({rate(part)!r}, {text})"
        texts.append(text if steps(part) == 1 else f"dp.SelfComposedDpEvent({text}, {steps(part)})")
    return texts[0] if len(texts) == 1 else f"dp.ComposedDpEvent([{', '.join(texts)}])"


class _Accountant(Adapter):
    """An accountant of dp_accounting that composes events."""

    package = "dp-accounting"
    imports = (
        "dp_accounting.pld",
        "dp_accounting.rdp",
    )
    tested = ("0.6.0",)
    make = ""

    def _fresh(self) -> Any:
        return None

    def _composed(self, spec: Spec) -> Any:
        event = _event(spec)
        if event is None or any("population" in part for part in spec) and self.relation != "substitute":
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
        return (
            "import dp_accounting as dp, dp_accounting.pld, dp_accounting.rdp\n"
            f"event = {_event_text(spec)}\n"
            f"print({self.make}.compose(event).get_{quantity}({argument!r}))"
        )


class Pld(_Accountant):
    """`dp_accounting.pld.PLDAccountant`."""

    name = "dp_accounting.pld"
    make = "dp.pld.PLDAccountant()"

    def _fresh(self) -> Any:
        import dp_accounting.pld

        return dp_accounting.pld.PLDAccountant()

    guarantee = {"epsilon": UPPER, "delta": UPPER}
    source = {"epsilon": _PLD, "delta": _PLD}
    selftest = (
        Selftest("epsilon", ({"sigma": 1.0, "steps": 1},), 1e-5, 4.3771780956811, 2e-4, _CLOSED),
        Selftest("delta", ({"sigma": 1.0, "steps": 4},), 2.0, 0.33189799877, 2e-4, _CLOSED),
        Selftest("delta", ({"laplace-scale": 2.0, "steps": 1},), 0.0, 0.2211992169, 1e-4, "total variation 1 − exp(−1/(2b))"),
    )


class Rdp(_Accountant):
    """`dp_accounting.rdp.RdpAccountant` under add-or-remove."""

    name = "dp_accounting.rdp"
    make = "dp.rdp.RdpAccountant()"

    def _fresh(self) -> Any:
        import dp_accounting.rdp

        return dp_accounting.rdp.RdpAccountant()

    guarantee = {"epsilon": UPPER, "delta": UPPER, "rdp": UPPER}
    source = {
        "epsilon": _RDP,
        "delta": _RDP,
        "rdp": "the values from which get_epsilon is computed; Mironov, Talwar & Zhang 2019, section 3.3",
    }
    selftest = (Selftest("rdp", ({"sigma": 2.0, "steps": 8},), 4.0, 4.0, 1e-12, "α k/(2 σ²)"),)

    def rdp(self, spec: Spec, alpha: float) -> Any:
        """The divergence at one order."""
        import dp_accounting as dp
        import dp_accounting.rdp

        event = _event(spec)
        if event is None or any("population" in part for part in spec):
            return None
        accountant = dp.rdp.RdpAccountant(orders=[alpha])
        return accountant.compose(event)._rdp[0] if accountant.supports(event) else None

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """Three lines."""
        if quantity != "rdp":
            return super().reproduction(quantity, spec, argument)
        return (
            "import dp_accounting as dp, dp_accounting.rdp\n"
            f"event = {_event_text(spec)}\n"
            f"print(dp.rdp.RdpAccountant(orders=[{argument!r}]).compose(event)._rdp[0])"
        )


class RdpReplaceOne(_Accountant):
    """`dp_accounting.rdp.RdpAccountant` under replace-one, batches of fixed size included."""

    name = "dp_accounting.rdp-replace-one"
    make = "dp.rdp.RdpAccountant(neighboring_relation=dp.NeighboringRelation.REPLACE_ONE)"

    def _fresh(self) -> Any:
        import dp_accounting as dp
        import dp_accounting.rdp

        return dp.rdp.RdpAccountant(neighboring_relation=dp.NeighboringRelation.REPLACE_ONE)

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
        if any("sigma" not in part or part.get("sampling") == "poisson" for part in spec):
            return None
        return super()._composed(spec)


class PldOptimistic(Adapter):
    """The optimistic estimate of a privacy loss distribution: a lower bound."""

    name = "dp_accounting.pld-optimistic"
    package = "dp-accounting"
    imports = (
        "dp_accounting.pld",
        "dp_accounting.rdp",
    )
    tested = ("0.6.0",)
    guarantee = {"delta": LOWER, "epsilon": LOWER}
    source = dict.fromkeys(
        ("delta", "epsilon"),
        "no sentence promises a lower estimate; pessimistic_estimate=False is the counterpart of "
        "'gives an upper estimate to the real value'",
    )
    selftest = (Selftest("epsilon", ({"sigma": 1.0, "steps": 1},), 1e-5, 4.3771780956811, 2e-3, _CLOSED),)

    def _pld(self, spec: Spec) -> Any:
        from dp_accounting.pld import privacy_loss_distribution as pld

        found = None
        for part in spec:
            if "sigma" not in part or "population" in part:
                return None
            one = pld.from_gaussian_mechanism(part["sigma"], sampling_prob=rate(part), pessimistic_estimate=False, use_connect_dots=False)
            many = one.self_compose(steps(part))
            found = many if found is None else found.compose(many)
        return found

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """`get_epsilon_for_delta`."""
        found = self._pld(spec)
        return None if found is None else found.get_epsilon_for_delta(delta)

    def delta(self, spec: Spec, epsilon: float) -> Any:
        """`get_delta_for_epsilon`."""
        found = self._pld(spec)
        return None if found is None else found.get_delta_for_epsilon(epsilon)

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """At most four lines."""
        options = "pessimistic_estimate=False, use_connect_dots=False"
        parts = [
            f"pld.from_gaussian_mechanism({p['sigma']!r}, sampling_prob={rate(p)!r}, {options}).self_compose({steps(p)})" for p in spec
        ]
        text = parts[0] + "".join(f".compose({part})" for part in parts[1:])
        call = f"get_delta_for_epsilon({argument!r})" if quantity == "delta" else f"get_epsilon_for_delta({argument!r})"
        return f"from dp_accounting.pld import privacy_loss_distribution as pld\nprint({text}.{call})"


ADAPTERS = (Pld, Rdp, RdpReplaceOne, PldOptimistic)
