"""Adapters for the small accountants of `broken`; their reproductions need that file alone."""

import os
import sys

from dpbounds.audit.adapter import UPPER, Adapter, Selftest, gaussian_only, rate, samplings_of, steps

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {
    "epsilon": "Closed Renyi RoundsDown Float32 Interpolates CachedWithoutDelta FewOrders WrongConversion Capped Central NotMonotone "
    "NotANumber Sleeps InC Odd Unlike LargestOnly FlooredOrders",
    "rdp": "OneStepLess RateClamped RateIgnored WrapsAround VarianceForDeviation Merged OnlyFirst Coarse ManySteps InnerCountLost "
    "EqualPartsOnce",
    "delta": "AddOnly Underflows",
    "sigma": "TooLittle OneUse NeverEnds",
}


class Broken(Adapter):
    selftest = (Selftest("epsilon", ({"sigma": 1.0, "steps": 1},), 1e-5, 4.37717809, 5.0, "closed form"),)
    nests = True

    def __init__(self):
        sys.path.insert(0, HERE)
        import broken

        self.accountant = getattr(broken, type(self).__name__)()

    def _parts(self, spec):
        found = []
        for part in spec:
            if "parts" not in part:
                found.append((part["sigma"], rate(part), steps(part)))
            elif hasattr(self.accountant, "nested"):
                found += self.accountant.nested(self._parts(part["parts"]), steps(part))
            else:
                found += [(sigma, q, steps(part) * count) for sigma, q, count in self._parts(part["parts"])]
        return found

    def _asked(self, quantity, spec, argument):
        flat = [inner for part in spec for inner in part.get("parts", [part])]
        return getattr(self.accountant, quantity)(self._parts(spec), argument) if gaussian_only(flat) else None

    def epsilon(self, spec, delta):
        return self._asked("epsilon", spec, delta)

    def delta(self, spec, epsilon):
        return self._asked("delta", spec, epsilon)

    def rdp(self, spec, alpha):
        return self._asked("rdp", spec, alpha)

    def sigma(self, spec, target):
        return self.accountant.sigma(steps(spec[0]), *target) if samplings_of(spec) == {"none"} else None

    def reproduction(self, quantity, spec, argument):
        values = f"{steps(spec[0])}, *{argument!r}" if quantity == "sigma" else f"{self._parts(spec)!r}, {argument!r}"
        name = type(self).__name__
        return f"import sys; sys.path.insert(0, {HERE!r})\nimport broken\nprint(broken.{name}().{quantity}({values}))"


TESTS = {
    "rdp": (Selftest("rdp", ({"sigma": 1.0, "steps": 1},), 2.0, 1.0, 1.0, "α/2"),),
    "delta": (Selftest("delta", ({"sigma": 1.0, "steps": 1},), 0.0, 0.38, 1.0, "any value"),),
    "sigma": (Selftest("sigma", ({"steps": 1},), [1.0, 1e-5], 3.7306316, 1e-2, "Balle & Wang 2018, Algorithm 1"),),
    "epsilon": Broken.selftest,
}
ADAPTERS = tuple(
    type(name, (Broken,), {"name": f"broken.{name}", "guarantee": {q: UPPER}, "source": {q: "an upper bound"}, "selftest": TESTS[q]})
    for q, names in KINDS.items()
    for name in names.split()
)
