"""Accountants for Gaussian noise that are right, or wrong in one way each."""

import math
import os
import random
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from broken import delta_of, epsilon_of

from dpbounds.audit.adapter import INTERVAL, LOWER, UPPER, Adapter, Selftest, estimate

CLOSED = (Selftest("epsilon", ({"sigma": 1.0, "steps": 1},), 1e-5, 4.3771780956811, 1e-3, "closed form"),)


class Sound(Adapter):
    """Right, up to a factor of 1 + 1e-7 for its rounding errors."""

    name = "fake.sound"
    guarantee = {"epsilon": UPPER, "delta": UPPER, "rdp": UPPER, "sigma": UPPER}
    source = {"epsilon": "an upper bound", "delta": "an upper bound"}
    selftest = CLOSED

    def mu(self, spec):
        """√(Σ k/σ²), or None where something else than plain Gaussian noise is asked."""
        if any("sigma" not in part or part.get("sampling", "none") != "none" for part in spec):
            return None
        return math.sqrt(sum(part.get("steps", 1) / part["sigma"] ** 2 for part in spec))

    def epsilon(self, spec, delta):
        mu = self.mu(spec)
        return None if mu is None or delta < 1e-9 or mu > 20 else epsilon_of(mu, delta) * (1 + 1e-7) + 1e-7

    def delta(self, spec, epsilon):
        mu = self.mu(spec)
        return None if mu is None or mu > 20 else min(1.0, delta_of(mu, epsilon) * (1 + 1e-7) + 1e-12)

    def rdp(self, spec, alpha):
        mu = self.mu(spec)
        return None if mu is None else alpha * mu**2 / 2 * (1 + 1e-12)

    def sigma(self, spec, target):
        if spec[0].get("sampling", "none") != "none":
            return None
        low, high = 1e-3, 1e6
        for _ in range(200):
            middle = math.sqrt(low * high)
            enough = delta_of(math.sqrt(spec[0]["steps"]) / middle, target[0]) <= target[1]
            low, high = (low, middle) if enough else (middle, high)
        return high * (1 + 1e-7)

    def reproduction(self, quantity, spec, argument):
        lines = f"import sys; sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})\nimport fakes\n"
        return f"{lines}print(fakes.{type(self).__name__}().{quantity}({spec!r}, {argument!r}))"


class Sign(Sound):
    """A sign is wrong."""

    name = "fake.sign"
    selftest = (Selftest("rdp", ({"sigma": 1.0},), 2.0, 1.0, 1e-9, "α/2"),)

    def epsilon(self, spec, delta):
        found = super().epsilon(spec, delta)
        return None if found is None else -found


class Factor(Sound):
    """δ lacks a factor."""

    name = "fake.factor"

    def delta(self, spec, epsilon):
        found = super().delta(spec, epsilon)
        return None if found is None else found / 2


class LostCount(Sound):
    """Forgets a use from the third on."""

    name = "fake.lost-count"

    def mu(self, spec):
        return super().mu([{**part, "steps": part.get("steps", 1) - (part.get("steps", 1) > 2)} for part in spec])


class SmallDelta(Sound):
    """Noise of 1e-9 under δ."""

    name = "fake.small-delta"

    def epsilon(self, spec, delta):
        mu = self.mu(spec)
        return None if mu is None or mu > 20 else epsilon_of(mu, delta + 1e-5 * (delta < 9e-6)) * (1 + 1e-7)


class Edge(Sound):
    """Refuses a small δ, and is wrong just above those that it refuses."""

    name = "fake.edge"

    def epsilon(self, spec, delta):
        mu = self.mu(spec)
        if mu is None or mu > 20:
            return None
        if delta < 3e-9:
            raise ValueError("δ is too small")
        return epsilon_of(mu, delta if delta >= 1e-8 else 2 * delta)


class Rounded(Sound):
    """Below the truth by what float64 rounds."""

    name = "fake.rounded"

    def rdp(self, spec, alpha):
        found = super().rdp(spec, alpha)
        return None if found is None else found * (1 - 1e-11)


class Nan(Sound):
    """Not a number."""

    name = "fake.nan"
    selftest = Sign.selftest

    def epsilon(self, spec, delta):
        return math.nan


class Loose(Sound):
    """Three times the truth."""

    name = "fake.loose"
    selftest = Sign.selftest

    def epsilon(self, spec, delta):
        found = super().epsilon(spec, delta)
        return None if found is None else 3 * found


class Lower(Sound):
    """A lower bound, right."""

    name = "fake.lower"
    guarantee = {"epsilon": LOWER}

    def epsilon(self, spec, delta):
        found = super().epsilon(spec, delta)
        return None if found is None else (found - 1e-7) / (1 + 2e-7) * (1 - 1e-6)


class LowerTooHigh(Lower):
    """A lower bound above the truth."""

    name = "fake.lower-too-high"
    selftest = Sign.selftest

    def epsilon(self, spec, delta):
        found = super().epsilon(spec, delta)
        return None if found is None else found * 1.01


class Interval(Sound):
    """Both ends, the upper one wrong by a hair from σ = 4 on."""

    name = "fake.interval"
    guarantee = {"epsilon": INTERVAL}

    def epsilon(self, spec, delta):
        found = super().epsilon(spec, delta)
        wrong = any(part.get("sigma", 0) >= 4 for part in spec)
        return None if found is None else (found * 0.99, found * (0.9999 if wrong else 1.0))


class Estimate(Sound):
    """An estimate with a stated error, which it keeps."""

    name = "fake.estimate"
    guarantee = {"epsilon": estimate(error=0.05)}
    selftest = Sign.selftest

    def epsilon(self, spec, delta):
        found = super().epsilon(spec, delta)
        return None if found is None else found - 0.04


class Unstated(Estimate):
    """The same without a stated error: listed, not judged."""

    name = "fake.unstated"
    guarantee = {"epsilon": estimate()}


class Hang(Sound):
    """Never answers at many steps."""

    name = "fake.hang"

    def epsilon(self, spec, delta):
        if spec[0].get("steps", 1) > 1:
            time.sleep(60)
        return super().epsilon(spec, delta)


class Crash(Hang):
    """Takes the process with it."""

    name = "fake.crash"

    def epsilon(self, spec, delta):
        if spec[0].get("steps", 1) > 1:
            os._exit(3)
        return Sound.epsilon(self, spec, delta)


class Raise(Hang):
    """Raises, and talks on standard output as well."""

    name = "fake.raise"

    def epsilon(self, spec, delta):
        print("chatter", flush=True)
        os.write(1, b'{"value": 0}\n')
        if spec[0].get("steps", 1) > 1:
            raise RuntimeError("no such thing")
        return Sound.epsilon(self, spec, delta)


class Hungry(Hang):
    """Takes all memory it can get."""

    name = "fake.hungry"

    def epsilon(self, spec, delta):
        if spec[0].get("steps", 1) > 1:
            return len(bytearray(2**40))
        return Sound.epsilon(self, spec, delta)


class NoSelftest(Factor):
    """Wrong, and without a selftest."""

    name = "fake.no-selftest"
    selftest = ()


class FailedSelftest(Factor):
    """Wrong already in its selftest."""

    name = "fake.failed-selftest"
    selftest = (Selftest("delta", ({"sigma": 1.0},), 0.0, 0.3829249225, 1e-6, "total variation"),)


class Unstable(Sound):
    """Sound, and larger for more noise: a breach of a law that no single value shows."""

    name = "fake.unstable"

    def rdp(self, spec, alpha):
        found = super().rdp(spec, alpha)
        return None if found is None else found + 1e9 * spec[0]["sigma"]


class Missing(Sound):
    """A package that is not installed."""

    name = "fake.missing"

    def epsilon(self, spec, delta):
        import a_package_that_nobody_has

        return a_package_that_nobody_has.epsilon(spec, delta)


class Forks(Hang):
    """Leaves a child behind that sleeps and holds the channel of answers, and ends itself."""

    name = "fake.forks"

    def epsilon(self, spec, delta):
        if spec[0].get("steps", 1) > 1:
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
        return Sound.epsilon(self, spec, delta)


class Swapped(Sound):
    """An interval with its ends in the wrong order."""

    name = "fake.swapped"
    guarantee = {"epsilon": INTERVAL}

    def epsilon(self, spec, delta):
        found = super().epsilon(spec, delta)
        return None if found is None else (found * 1.01, found * 0.99)


class Restless(Sound):
    """Another answer at every call: now and then too small, and no two processes say the same."""

    name = "fake.restless"
    selftest = Sign.selftest

    def epsilon(self, spec, delta):
        found = super().epsilon(spec, delta)
        return None if found is None else found * random.uniform(0.9, 1.2)


class Substitute(Sound):
    """The noise of add-or-remove for neighbours that differ in one record."""

    name = "fake.substitute"
    relation = "substitute"


class Argument(Sound):
    """ε and δ in the wrong order: sound for large δ, and below the truth elsewhere."""

    name = "fake.argument"
    selftest = Sign.selftest

    def delta(self, spec, epsilon):
        return super().epsilon(spec, min(0.9, max(epsilon, 1e-8)))


ADAPTERS = (
    tuple(
        value
        for value in list(vars(sys.modules[__name__]).values())
        if isinstance(value, type) and issubclass(value, Adapter) and value is not Adapter
    )
    if __name__ in sys.modules
    else ()
)
