"""OpenDP: privacy profiles of Gaussian measurements and their compositions."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import UPPER, Adapter, Selftest, Spec, noises_of, samplings_of, steps

_MOST = 40
"""Each use is a measurement of its own, so longer compositions are not asked."""
_PROFILE = "'Returns the {} that corresponds to this {}' (mod.PrivacyProfile); make_zCDP_to_approxDP casts to an approximate-DP measure"


class Profile(Adapter):
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

    def _profile(self, spec: Spec) -> Any:
        if samplings_of(spec) != {"none"} or noises_of(spec) != {"sigma"} or sum(steps(part) for part in spec) > _MOST:
            return None
        dp = self._prelude()
        space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
        uses = [dp.m.make_gaussian(*space, scale=part["sigma"]) for part in spec for _ in range(steps(part))]
        whole = uses[0] if len(uses) == 1 else dp.c.make_composition(uses)
        return dp.c.make_zCDP_to_approxDP(whole).map(1.0)

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """`PrivacyProfile.epsilon`."""
        profile = self._profile(spec)
        return None if profile is None else profile.epsilon(delta)

    def delta(self, spec: Spec, epsilon: float) -> Any:
        """`PrivacyProfile.delta`."""
        profile = self._profile(spec)
        return None if profile is None else profile.delta(epsilon)

    def sigma(self, spec: Spec, target: Any) -> Any:
        """`binary_search_param` for one use."""
        if samplings_of(spec) != {"none"} or steps(spec[0]) > 1:
            return None
        return eval(self._search(target), {"dp": self._prelude()})  # our own text, so that reproductions say what was asked

    def _prelude(self) -> Any:
        import opendp.prelude as dp

        dp.enable_features("contrib", "idealized-numerics")
        return dp

    def _search(self, target: Any) -> str:
        space = "dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)"
        chain = f"dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian({space}, scale=s)), {target[1]!r})"
        return f"dp.binary_search_param(lambda s: {chain}, d_in=1.0, d_out={tuple(target)!r})"

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """At most four lines."""
        if quantity == "sigma":
            return f"import opendp.prelude as dp; dp.enable_features('contrib', 'idealized-numerics')\nprint({self._search(argument)})"
        scales = [part["sigma"] for part in spec for _ in range(steps(part))]
        many = f"[{scales[0]!r}] * {len(scales)}" if len(set(scales)) == 1 else repr(scales)
        return (
            "import opendp.prelude as dp; dp.enable_features('contrib', 'idealized-numerics')\n"
            "space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)\n"
            f"whole = dp.c.make_composition([dp.m.make_gaussian(*space, scale=s) for s in {many}])\n"
            f"print(dp.c.make_zCDP_to_approxDP(whole).map(1.0).{quantity}({argument!r}))"
        )


class Pure(Adapter):
    """Laplace measurements and randomized response, composed under pure differential privacy."""

    name = "opendp.pure"
    package = "opendp"
    imports = ("opendp.prelude",)
    tested = ("0.16.0",)
    guarantee = {"epsilon": UPPER}
    source = {"epsilon": "'Map the distance between inputs to the privacy loss' of a composed measurement (Measurement.map)"}
    selftest = (Selftest("epsilon", ({"laplace-scale": 2.0, "steps": 3},), 1e-9, 1.5, 1e-9, "k/b"),)

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """`map` of the composition; it holds for every δ."""
        text = self._text(spec)
        return None if text is None else eval(text, {"dp": Profile()._prelude()})  # our own text, so that reproductions say what was asked

    def _text(self, spec: Spec) -> str | None:
        noises, count = noises_of(spec), sum(steps(part) for part in spec)
        if samplings_of(spec) != {"none"} or count > _MOST or len(spec) != 1 or not noises <= {"laplace-scale", "table"}:
            return None
        if noises == {"table"}:
            return f"dp.c.make_composition([dp.m.make_randomized_response_bool(prob={spec[0]['table']['p'][0]!r})] * {count}).map(1)"
        space = "dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)"
        return f"dp.c.make_composition([dp.m.make_laplace({space}, scale={spec[0]['laplace-scale']!r})] * {count}).map(1.0)"

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """Two lines."""
        return f"import opendp.prelude as dp; dp.enable_features('contrib', 'idealized-numerics')\nprint({self._text(spec)})"


ADAPTERS = (Profile, Pure)
