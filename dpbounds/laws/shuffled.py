"""Shuffled messages: δ of one shuffle as the positive part of a sum, without a moment function of the loss."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from dpbounds.errors import InputError
from dpbounds.laws.contour_factor import ContourFactor
from dpbounds.laws.law import ClosedForm, Law, Uses, only_use, registered_law
from dpbounds.numbers.balls import precision
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball
from dpbounds.shuffle.mechanism import ANY, ShuffledPair
from dpbounds.shuffle.noise import approx_log_noise_delta, noise_delta
from dpbounds.shuffle.positive_part import approx_saddle, value_and_fall
from dpbounds.shuffle.response import summand

_HALVINGS, _SECANTS, _NEAR, _HIGHEST = 12, 4, 0.02, 300
"""Of the search for ε in floats."""
EXACT = "exact sum over histograms"
BLANKET = "privacy blanket, exact sum"
CONTOUR = "privacy blanket, contour with the kernel z^-2"
_SPARE = 1000
"""Bits of ε and σ beyond the precision: a contour may cancel hundreds."""
_ALONE = "a shuffle is evaluated alone, not as a part of a composition; ask for each shuffle by itself"


@dataclass(frozen=True)
class ShuffledLaw(Law):
    """The loss of the histogram, the one user on 0 against 1."""

    users: int
    epsilon: Exact
    answers: int
    others: str
    randomizer: str

    def factor(self, steps: int, most: float = 0.0) -> ContourFactor:
        """Refused."""
        raise InputError(_ALONE)

    def swapped(self) -> Law:
        """0 and 1 renamed."""
        return replace(self, others={"0": "1", "1": "0"}.get(self.others, self.others))

    def largest_loss(self) -> Fraction | arb | None:
        """ε₀; Gaussian noise has none."""
        if self.randomizer == "gaussian":
            return None
        return self.epsilon if isinstance(self.epsilon, Fraction) else exact_ball(self.epsilon)

    def approx_epsilon(self, log_target: float) -> tuple[float | Fraction, float] | None:
        """By bisection on the saddle-point estimate."""
        parameter = exact_ball(self.epsilon)
        top = 5 / float(parameter.mid()) if self.randomizer == "gaussian" else float(parameter.mid())

        def log_delta(value: float) -> float:
            with precision(64):
                if self.randomizer != "response":
                    return approx_log_noise_delta(self.users, self.randomizer, parameter, arb(value))
                return approx_saddle(summand(self.answers, parameter, arb(value), self.others), self.users)[2] - math.log(self.users)

        while self.randomizer == "gaussian" and top < _HIGHEST and log_delta(top) > log_target:
            top *= 2
        low, high = top * 1e-7, top
        for _ in range(_HALVINGS):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if log_delta(middle) > log_target else (low, middle)
        if high == top:
            return low, 1.0
        here, value = high, log_delta(high) - log_target
        slope = max(1e-3, (log_delta((1 - _NEAR) * high) - log_target - value) / (_NEAR * high))
        for _ in range(_SECANTS):
            point = min(max(here + value / slope, here / 2), 2 * here)
            there = log_delta(point) - log_target
            if point == here or not (value - there) / (point - here) > 0:
                break
            slope, here, value = (value - there) / (point - here), point, there
        return here, slope

    def closed_form(self, uses: Uses) -> ClosedForm | None:
        """The sum."""
        if not only_use(uses):
            raise InputError(_ALONE)

        below: list[tuple[arb, arb] | None] = [None]

        def value(epsilon: arb) -> arb:
            if self.randomizer != "response":
                return noise_delta(self.users, self.randomizer, exact_ball(self.epsilon, spare=_SPARE), epsilon)
            found, below[0] = value_and_fall(summand(self.answers, exact_ball(self.epsilon), epsilon, self.others), self.users)
            return found

        if self.randomizer != "response":
            return ClosedForm(value, CONTOUR, 4, spare=_SPARE)
        return ClosedForm(value, BLANKET if self.others == ANY else EXACT, 6, below=lambda: below[0])


@registered_law.register(ShuffledPair)
def _(pair: ShuffledPair, reversed: bool) -> Law | None:
    run = pair.mechanism
    law = ShuffledLaw(run.users, pair.epsilon, run.answers, pair.others, run.randomizer)
    return law.swapped() if reversed else law
