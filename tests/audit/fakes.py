"""Accountants for Gaussian noise that are right, or wrong in one way each."""

import math
import os
import random
import re
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
    changes = {}
    """What it says instead of its own answer, by quantity."""

    def said(self, quantity, spec, found):
        """What it answers where it has found something."""
        return found if found is None or quantity not in self.changes else self.changes[quantity](spec, found)

    def mu(self, spec):
        """√(Σ k/σ²), or None where something else than plain Gaussian noise is asked."""
        if any("sigma" not in part or part.get("sampling", "none") != "none" for part in spec):
            return None
        return math.sqrt(sum(part.get("steps", 1) / part["sigma"] ** 2 for part in spec))

    def epsilon(self, spec, delta):
        mu = self.mu(spec)
        found = None if mu is None or delta < 1e-9 or mu > 20 else epsilon_of(mu, delta) * (1 + 1e-7) + 1e-7
        return self.said("epsilon", spec, found)

    def delta(self, spec, epsilon):
        mu = self.mu(spec)
        return self.said("delta", spec, None if mu is None or mu > 20 else min(1.0, delta_of(mu, epsilon) * (1 + 1e-7) + 1e-12))

    def rdp(self, spec, alpha):
        mu = self.mu(spec)
        return self.said("rdp", spec, None if mu is None else alpha * mu**2 / 2 * (1 + 1e-12))

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


ANY_EPSILON = (Selftest("rdp", ({"sigma": 1.0},), 2.0, 1.0, 1e-9, "α/2"),)
"""A selftest that asks for no ε."""


def altered(name, words, change, quantity="epsilon", **attributes):
    """`Sound` with another answer to one quantity, in words."""
    dashed = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
    return type(name, (Sound,), {"__doc__": words, "name": f"fake.{dashed}", "changes": {quantity: change}, **attributes})


def below(found):
    """A lower bound, from an upper one of `Sound`."""
    return (found - 1e-7) / (1 + 2e-7) * (1 - 1e-6)


def at_many_steps(happens):
    """What happens where a part has more than one step, before the answer of `Sound` is given."""
    return lambda spec, found: happens() if spec[0].get("steps", 1) > 1 else found


def raise_after_chatter(spec, found):
    """Talk on standard output, too."""
    print("chatter", flush=True)
    os.write(1, b'{"value": 0}\n')
    if spec[0].get("steps", 1) > 1:
        raise RuntimeError("no such thing")
    return found


def leave_a_child():
    """A child that sleeps and holds the channel of answers; the process ends itself."""
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)


Sign = altered("Sign", "A sign is wrong.", lambda spec, found: -found, selftest=ANY_EPSILON)
Factor = altered("Factor", "δ lacks a factor.", lambda spec, found: found / 2, "delta")
Rounded = altered("Rounded", "Below the truth by what float64 rounds.", lambda spec, found: found * (1 - 1e-11), "rdp")
Loose = altered("Loose", "Three times the truth.", lambda spec, found: 3 * found, selftest=ANY_EPSILON)
Lower = altered("Lower", "A lower bound, right.", lambda spec, found: below(found), guarantee={"epsilon": LOWER})
LowerTooHigh = altered(
    "LowerTooHigh", "Above the truth.", lambda spec, found: below(found) * 1.01, guarantee={"epsilon": LOWER}, selftest=ANY_EPSILON
)
Interval = altered(
    "Interval",
    "Both ends, the upper one wrong by a hair from σ = 4 on.",
    lambda spec, found: (found * 0.99, found * (0.9999 if any(part.get("sigma", 0) >= 4 for part in spec) else 1.0)),
    guarantee={"epsilon": INTERVAL},
)
Swapped = altered("Swapped", "Ends in the wrong order.", lambda spec, found: (found * 1.01, found * 0.99), guarantee={"epsilon": INTERVAL})
Estimate = altered(
    "Estimate",
    "An estimate with a stated error, which it keeps.",
    lambda spec, found: found - 0.04,
    guarantee={"epsilon": estimate(error=0.05)},
    selftest=ANY_EPSILON,
)
Unstated = altered(
    "Unstated",
    "The same without a stated error: listed, not judged.",
    lambda spec, found: found - 0.04,
    guarantee={"epsilon": estimate()},
    selftest=ANY_EPSILON,
)
Unstable = altered(
    "Unstable",
    "Sound, and larger for more noise: a breach of a law that no single value shows.",
    lambda spec, found: found + 1e9 * spec[0]["sigma"],
    "rdp",
)
Restless = altered(
    "Restless",
    "Another answer at every call: now and then too small, and no two processes say the same.",
    lambda spec, found: found * random.uniform(0.9, 1.2),
    selftest=ANY_EPSILON,
)
Hang = altered("Hang", "Never answers at many steps.", at_many_steps(lambda: time.sleep(60)))
Crash = altered("Crash", "Takes the process with it.", at_many_steps(lambda: os._exit(3)))
Raise = altered("Raise", "Raises, and talks on standard output as well.", raise_after_chatter)
Hungry = altered("Hungry", "Takes all memory it can get.", at_many_steps(lambda: len(bytearray(2**40))))
Forks = altered("Forks", "Leaves a child behind, and ends itself.", at_many_steps(leave_a_child))
NoSelftest = altered("NoSelftest", "Wrong, and without a selftest.", lambda spec, found: found / 2, "delta", selftest=())
FailedSelftest = altered(
    "FailedSelftest",
    "Wrong already in its selftest.",
    lambda spec, found: found / 2,
    "delta",
    selftest=(Selftest("delta", ({"sigma": 1.0},), 0.0, 0.3829249225, 1e-6, "total variation"),),
)


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


class Nan(Sound):
    """Not a number."""

    name = "fake.nan"
    selftest = ANY_EPSILON

    def epsilon(self, spec, delta):
        return math.nan


class Missing(Sound):
    """A package that is not installed."""

    name = "fake.missing"

    def epsilon(self, spec, delta):
        import a_package_that_nobody_has

        return a_package_that_nobody_has.epsilon(spec, delta)


class Substitute(Sound):
    """The noise of add-or-remove for neighbours that differ in one record."""

    name = "fake.substitute"
    relation = "substitute"


class Argument(Sound):
    """ε and δ in the wrong order: sound for large δ, and below the truth elsewhere."""

    name = "fake.argument"
    selftest = ANY_EPSILON

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
