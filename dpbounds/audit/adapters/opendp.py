"""OpenDP: privacy profiles of Gaussian measurements and their compositions."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import UPPER, ScriptedAdapter, Selftest, Spec, noises_of, samplings_of, steps

_MOST = 40
"""Each use is a measurement of its own, so longer compositions are not asked."""
_PRELUDE = "import opendp.prelude as dp; dp.enable_features('contrib', 'idealized-numerics')"
_SPACE = "dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)"
_PROFILE = "'Returns the {} that corresponds to this {}' (mod.PrivacyProfile); make_zCDP_to_approxDP casts to an approximate-DP measure"


class Profile(ScriptedAdapter):
    """Gaussian measurements, composed under zCDP and cast to approximate DP."""

    name = "opendp.zcdp-profile"
    package = "opendp"
    imports = ("opendp.prelude",)
    tested = ("0.16.0",)
    guarantee = {"epsilon": UPPER, "delta": UPPER, "sigma": UPPER}
    source = {
        "epsilon": _PROFILE.format("epsilon", "delta"),
        "delta": _PROFILE.format("delta", "epsilon"),
        "sigma": "'Solve for the ideal constructor argument to make_chain', the closest that satisfies d_out (mod.binary_search_param)",
    }
    selftest = (
        Selftest(
            "epsilon",
            ({"sigma": 1.0, "steps": 1},),
            1e-5,
            4.728386984943315,
            1e-9,
            "the sharp zCDP conversion (Canonne, Kamath & Steinke 2020)",
        ),
    )

    head = _PRELUDE

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`PrivacyProfile.epsilon` and `.delta`, and `binary_search_param` for one use."""
        if samplings_of(spec) != {"none"}:
            return None
        if quantity == "sigma":
            return None if steps(spec[0]) > 1 else self._search(argument)
        scales = [part["sigma"] for part in spec for _ in range(steps(part))] if noises_of(spec) == {"sigma"} else []
        if not 0 < len(scales) <= _MOST:
            return None
        many = f"[{scales[0]!r}] * {len(scales)}" if len(set(scales)) == 1 else repr(scales)
        return (
            f"space = {_SPACE}\n"
            f"whole = dp.c.make_composition([dp.m.make_gaussian(*space, scale=s) for s in {many}])\n"
            f"dp.c.make_zCDP_to_approxDP(whole).map(1.0).{quantity}({argument!r})"
        )

    def _search(self, target: Any) -> str:
        chain = f"dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian({_SPACE}, scale=s)), {target[1]!r})"
        return f"dp.binary_search_param(lambda s: {chain}, d_in=1.0, d_out={tuple(target)!r})"


class Pure(ScriptedAdapter):
    """Laplace measurements and randomized response, composed under pure differential privacy."""

    name = "opendp.pure"
    package = "opendp"
    imports = ("opendp.prelude",)
    tested = ("0.16.0",)
    guarantee = {"epsilon": UPPER}
    source = {"epsilon": "'Map the distance between inputs to the privacy loss' of a composed measurement (Measurement.map)"}
    selftest = (Selftest("epsilon", ({"laplace-scale": 2.0, "steps": 3},), 1e-9, 1.5, 1e-9, "k/b"),)

    head = _PRELUDE

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """`map` of the composition; it holds for every δ."""
        noises, count = noises_of(spec), sum(steps(part) for part in spec)
        if samplings_of(spec) != {"none"} or count > _MOST or len(spec) != 1 or not noises <= {"laplace-scale", "table"}:
            return None
        if noises == {"table"}:
            return f"dp.c.make_composition([dp.m.make_randomized_response_bool(prob={spec[0]['table']['p'][0]!r})] * {count}).map(1)"
        return f"dp.c.make_composition([dp.m.make_laplace({_SPACE}, scale={spec[0]['laplace-scale']!r})] * {count}).map(1.0)"


ADAPTERS = (Profile, Pure)
