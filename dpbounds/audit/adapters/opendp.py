"""OpenDP: privacy profiles of Gaussian measurements and their compositions."""

from __future__ import annotations

from typing import Any

from dpbounds.audit.adapter import UPPER, Adapter, Selftest, Spec, plain_only, steps

_MOST = 40
"""Each use is a measurement of its own, so longer compositions are not asked."""
_PROFILE = "'Returns the {} that corresponds to this {}' (mod.PrivacyProfile); make_zCDP_to_approxDP casts to an approximate-DP measure"


class Profile(Adapter):
    """Gaussian measurements, composed under zCDP and cast to approximate DP."""

    name = "opendp.zcdp-profile"
    package = "opendp"
    imports = ("opendp.prelude",)
    tested = ("0.16.0",)
    guarantee = {"epsilon": UPPER, "delta": UPPER}
    source = {"epsilon": _PROFILE.format("epsilon", "delta"), "delta": _PROFILE.format("delta", "epsilon")}
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
        import opendp.prelude as dp

        if not plain_only(spec) or any("sigma" not in part for part in spec) or sum(steps(part) for part in spec) > _MOST:
            return None
        dp.enable_features("contrib", "idealized-numerics")
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

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """Four lines."""
        scales = [part["sigma"] for part in spec for _ in range(steps(part))]
        many = f"[{scales[0]!r}] * {len(scales)}" if len(set(scales)) == 1 else repr(scales)
        return (
            "import opendp.prelude as dp; dp.enable_features('contrib', 'idealized-numerics')\n"
            "space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)\n"
            f"whole = dp.c.make_composition([dp.m.make_gaussian(*space, scale=s) for s in {many}])\n"
            f"print(dp.c.make_zCDP_to_approxDP(whole).map(1.0).{quantity}({argument!r}))"
        )


ADAPTERS = (Profile,)
