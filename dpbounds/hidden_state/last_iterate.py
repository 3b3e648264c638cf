"""δ of the last iterate of scalar linear noisy SGD with Poisson sampling: a mixture of Gaussians, exact.

x ← c·x − η(s·B + Z), B = 1 with probability q, Z ~ N(0, σ²): the last iterate with the record is a mixture of N(a_i, 1) with the
weights w_i, and N(0, 1) without it, in units of its noise: a = (s/σ) Σ_j B_j c^j / √Σ_j c^{2j}. All a_i ≥ 0, so dP/dQ = Σ w_i
exp(a_i x − a_i²/2) rises in x and the best tests are thresholds x*, where dP/dQ(x*) = e^{±ε}:

    remove: δ = Σ w_i Φ(a_i − x*) − e^ε Φ(−x*)         add: δ = Φ(x*) − e^ε Σ w_i Φ(x* − a_i), and 0 where e^{−ε} ≤ (1 − q)^t.

The losses are convex, so what holds for all convex losses is at least this: a lower bound for every guarantee of the class.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, ClassVar

from dpbounds.errors import InputError, PrecisionError
from dpbounds.hidden_state.bounds import HiddenState
from dpbounds.mechanisms import Guarantee
from dpbounds.mechanisms.formula import FormulaNoise
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, ball, working_bits
from dpbounds.numbers.to_digits import exact_point, normal_cdf

MOST_STEPS, MOST_CONTRACTED = 20_000, 12
_NEWTON = 12


@dataclass(frozen=True)
class LastIterate(FormulaNoise):
    """The linear loss under Poisson sampling at the rate q.

    Args:
        run: contraction, gradient change, noise and steps; without a diameter.
        rate: 0 < q ≤ 1.

    >>> from dpbounds.numbers.to_digits import certified
    >>> certified(lambda: LastIterate(HiddenState(1, 1, 1, 1), "1/100").delta_ball(ball(1)), 5).lower_decimal(3)
    '2.73e-9'
    """

    run: HiddenState
    rate: Fraction

    def __init__(self, run: HiddenState, rate: exact.Number) -> None:
        q = exact.rational(rate, "q")
        if not 0 < q <= 1:
            raise InputError(f"q must lie in (0, 1], got {exact.text(q)}")
        if run.diameter is not None:
            raise InputError("the last iterate of a sampled run has no exact value with a projection; leave --diameter out")
        most = MOST_STEPS if run.contraction in (0, 1) else MOST_CONTRACTED
        if run.steps > most:
            raise InputError(f"the last iterate of a sampled run takes at most {most} steps at this contraction, got {run.steps}")
        object.__setattr__(self, "run", run)
        object.__setattr__(self, "rate", q)

    parameters, takes, readable = HiddenState.parameters, HiddenState.takes, False
    guarantee: ClassVar[Guarantee] = Guarantee.PAIR
    gaussian, one_sided = False, True

    @property
    def attained(self) -> bool:
        """Whether convex losses have no more: they may."""
        return False

    @property
    def beside(self) -> None:
        """It is a lower bound itself."""

    @property
    def instead(self) -> str:
        """Nothing."""
        return "and nothing that has one bounds the last iterate from below; --json prints both ends"

    @property
    def adjacency(self) -> str:
        """Which neighbours."""
        return f"one record is added or removed; {self.run.adjacency}"

    def to_spec(self) -> dict[str, Any]:
        """The run and the rate."""
        return self.run.to_spec() | {"q": exact.text(self.rate)}

    @property
    def assumes(self) -> str:
        """Of which loss the number speaks."""
        return (
            f"the linear loss, Poisson sampling at rate {exact.text(self.rate)}, contraction {exact.text(self.run.contraction)}: "
            "a lower bound for every guarantee of convex losses"
        )

    def atoms(self) -> list[tuple[Fraction, Fraction]]:
        """Σ_j B_j c^j and its probability, exact, in rising order."""
        c, q, t = self.run.contraction, self.rate, self.run.steps
        if c == 1:
            return [(Fraction(k), comb(t, k) * q**k * (1 - q) ** (t - k)) for k in range(t + 1) if q < 1 or k == t]
        found = {Fraction(0): Fraction(1)}
        for j in range(t if c else 1):
            following: dict[Fraction, Fraction] = {}
            for centre, weight in found.items():
                for moved, chance in ((centre, 1 - q), (centre + c**j, q)):
                    following[moved] = following.get(moved, Fraction(0)) + weight * chance
            found = following
        return sorted((centre, weight) for centre, weight in found.items() if weight)

    def delta_ball(self, epsilon: Ball) -> Ball:
        """The larger of both directions, at the precision that is set."""
        return self.delta_remove(epsilon).max(self.delta_add(epsilon))

    def delta_in(self, backwards: bool) -> Callable[[Ball], Ball]:
        """One of them."""
        return self.delta_add if backwards else self.delta_remove

    def delta_remove(self, epsilon: Ball) -> Ball:
        """δ of (with ‖ without) the record."""
        mixture = self._mixture()
        x = _threshold(mixture, epsilon)
        return sum((w * normal_cdf(a - x) for a, w in mixture), ball(0)) - epsilon.exp() * normal_cdf(-x)

    def delta_add(self, epsilon: Ball) -> Ball:
        """δ of (without ‖ with) the record."""
        mixture = self._mixture()
        a, w = mixture[0]
        if a == 0 and (-epsilon).exp() <= w:
            return ball(0)
        x = _threshold(mixture, -epsilon)
        return normal_cdf(x) - epsilon.exp() * sum((w * normal_cdf(x - a) for a, w in mixture), ball(0))

    def renyi_ball(self, t: Ball) -> Ball:
        """Refused."""
        raise InputError("the last iterate with --q has no Rényi divergence here; ask for delta or epsilon, or leave --q out")

    def said(self, digits: int) -> dict[str, Any]:
        """That it is a lower bound."""
        return {"attained": self.attained, "assumes": self.assumes, "bound": "lower"}

    def _mixture(self) -> list[tuple[Ball, Ball]]:
        c, t = self.run.contraction, self.run.steps
        squares = ball(t) if c == 1 else (1 - ball(c) ** (2 * t)) / ball(1 - c**2)
        unit = ball(self.run.gradient_change / self.run.sigma) / squares.sqrt()
        return [(ball(centre) * unit, ball(weight)) for centre, weight in self.atoms()]


def _threshold(mixture: list[tuple[Ball, Ball]], level: Ball) -> Ball:
    """A ball around the x with log Σ w exp(a x − a²/2) = level, by a sign on each side of it."""

    def excess(x: Ball) -> tuple[Ball, Ball]:
        terms = [(w * (a * x - a * a / 2).exp(), a) for a, w in mixture]
        total = sum((term for term, _ in terms), ball(0))
        return total.log() - level, sum((term * a for term, a in terms), ball(0)) / total

    x = ball(Fraction(_approx_threshold([(float(a.mid()), float(w.log().mid())) for a, w in mixture], float(level.mid()))))
    for _ in range(_NEWTON):
        value, slope = excess(x)
        moved = ball(exact_point(x - value / slope))
        close = abs(moved - x) < ball(Fraction(1, 2 ** (working_bits() // 2)))
        x = moved
        if close:
            break
    for lost in (8, 16, 32, 64):
        reach = (1 + abs(x)) * ball(Fraction(2 ** max(0, lost), 2 ** working_bits()))
        low, high = (x - reach).lower(), (x + reach).upper()
        if excess(low)[0] < 0 and excess(high)[0] > 0:
            return low.union(high)
    raise PrecisionError("the threshold of the last iterate could not be enclosed; ask for fewer digits")


def _approx_threshold(mixture: list[tuple[float, float]], level: float) -> float:
    low, high = -1.0, 1.0

    def excess(x: float) -> float:
        powers = [log_w + a * x - a * a / 2 for a, log_w in mixture]
        top = max(powers)
        return top + math.log(sum(math.exp(p - top) for p in powers)) - level

    while excess(low) > 0:
        low *= 2
        if low < -1e9:
            raise PrecisionError("the threshold of the last iterate is too far out; take an epsilon away from the smallest loss")
    while excess(high) < 0:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) > 0 else (middle, high)
    return (low + high) / 2
