"""Tumult Core: privacy relations of measurements, exact in sympy; an answer is the least ε that a relation accepts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from dpbounds.audit.adapter import UPPER, Adapter, Selftest, Spec, noises_of, samplings_of, steps

_PURE = {"laplace-scale", "discrete-laplace"}
_ZCDP = {"sigma", "discrete-gaussian"}
_MOST = 1000
"""Measurements are composed as a list, one entry a use."""
_HALVINGS = 6


def _part(part: Mapping[str, Any]) -> str:
    """The measurement of a part as Python; σ and scales are decimals, which is shorter than the floats and faster by far."""
    if "sigma" in part:
        return f"AddGaussianNoise(NumpyFloatDomain(), Rational('{part['sigma']!r}')**2)"
    if "discrete-gaussian" in part:
        return f"AddDiscreteGaussianNoise(Rational('{part['discrete-gaussian']!r}')**2)"
    if "laplace-scale" in part:
        return f"AddLaplaceNoise(NumpyFloatDomain(), Rational('{part['laplace-scale']!r}'))"
    return f"AddGeometricNoise(Rational('{part['discrete-laplace']!r}'))"


def _text_of(spec: Spec) -> str | None:
    """The composition of a spec, of one kind of input; None for what there is none of."""
    known = noises_of(spec) <= _PURE | _ZCDP and samplings_of(spec) == {"none"} and not any("parts" in part for part in spec)
    if not known or sum(map(steps, spec)) > _MOST or len({_integers(part) for part in spec}) > 1:
        return None
    pure = noises_of(spec) <= _PURE
    texts = [_part(part) if pure or "sigma" in part or "discrete-gaussian" in part else f"PureDPToRhoZCDP({_part(part)})" for part in spec]
    return f"Composition({' + '.join(f'[{text}] * {steps(part)}' for text, part in zip(texts, spec, strict=True))})"


def _rho(part: Mapping[str, Any]) -> float:
    scale = next(float(part[key]) for key in part if key in _PURE | _ZCDP)
    return 1 / (2 * scale**2)


def _integers(part: Mapping[str, Any]) -> bool:
    return "discrete-gaussian" in part or "discrete-laplace" in part


_IMPORTS = (
    "from sympy import Rational; from tmlt.core.measurements.noise_mechanisms import *; "
    "from tmlt.core.measurements.composition import Composition\n"
    "from tmlt.core.measurements.converters import *; from tmlt.core.domains.numpy_domains import NumpyFloatDomain\n"
)


class Core(Adapter):
    """Compositions of noise on one number, under a change of the number by 1."""

    name = "tmlt_core.relations"
    package = "tmlt-core"
    imports = ("tmlt.core.measurements.converters",)
    tested = ("0.20.0",)
    guarantee = {"epsilon": UPPER, "rdp": UPPER}
    source = {
        "epsilon": "'Return True if close inputs produce close outputs' (Measurement.privacy_relation)",
        "rdp": "'Returns the smallest d_out satisfied by the measurement' (privacy_function), for ρ-zCDP, whose divergence is at most αρ",
    }
    selftest = (
        Selftest("epsilon", ({"laplace-scale": 2.0, "steps": 3},), 1e-5, 1.5, 1e-12, "'The returned d_out is d_in/b' (AddLaplaceNoise)"),
        Selftest("rdp", ({"sigma": 2.0, "steps": 3},), 2.0, 0.75, 1e-12, "'The returned d_out is d_in²/(2σ²)' (AddGaussianNoise)"),
    )

    def _measurement(self, spec: Spec) -> Any:
        text = _text_of(spec)
        if text is None:
            return None
        names: dict[str, Any] = {}
        exec(_IMPORTS, names)
        return eval(text, names)  # our own text, so that reproductions say what was asked

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """The function of a pure composition; of another, the least ε that its relation accepts, by halving."""
        found = self._measurement(spec)
        if found is None:
            return None
        if noises_of(spec) <= _PURE:
            return float(found.privacy_function(1).to_float(round_up=True))
        from sympy import Rational
        from tmlt.core.measurements.converters import RhoZCDPToApproxDP

        relation, exact = RhoZCDPToApproxDP(found), Rational(repr(delta))
        rho = float(found.privacy_function(1).to_float(round_up=True))
        expected = rho + 2 * math.sqrt(rho * math.log(1 / delta))

        def accepts(epsilon: float) -> bool:
            return bool(relation.privacy_relation(1, (Rational(f"{epsilon:.4g}"), exact)))

        low, high = expected * 0.98, expected * 1.002
        while accepts(low):
            low, high = low / 2, low
        while not accepts(high):
            low, high = high, high * 2
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if accepts(middle) else (middle, high)
        return float(f"{high:.4g}")

    def rdp(self, spec: Spec, alpha: float) -> Any:
        """αρ."""
        found = None if noises_of(spec) <= _PURE else self._measurement(spec)
        return None if found is None else alpha * float(found.privacy_function(1).to_float(round_up=True))

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """Four lines; of an ε of zCDP, what the relation says of the one that its documentation names."""
        value = "m.privacy_function(1).to_float(round_up=True)"
        if quantity == "rdp":
            return f"{_IMPORTS}m = {_text_of(spec)}\nprint({argument!r} * {value})"
        if noises_of(spec) <= _PURE:
            return f"{_IMPORTS}m = {_text_of(spec)}\nprint({value})"
        rho = sum(steps(part) * _rho(part) for part in spec)
        epsilon = f"{rho + 2 * math.sqrt(rho * math.log(1 / argument)):.4g}"
        asked = f"(Rational('{epsilon}'), Rational('{argument!r}'))"
        return f"{_IMPORTS}m = {_text_of(spec)}\nprint(RhoZCDPToApproxDP(m).privacy_relation(1, {asked}))"


ADAPTERS = (Core,)
