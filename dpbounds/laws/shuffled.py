"""Shuffled messages: δ of one shuffle as the positive part of a sum, without a moment function of the loss."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpbounds.errors import InputError
from dpbounds.laws.factors import ContourFactor
from dpbounds.laws.law import ClosedForm, Law, Uses, law_of, only_use
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball
from dpbounds.shuffle.mechanism import ANY, ShuffledPair
from dpbounds.shuffle.response import response_delta

EXACT = "exact sum over histograms"
BLANKET = "privacy blanket, exact sum"
_ALONE = "a shuffle is evaluated alone, not as a part of a composition; ask for each shuffle by itself"


@dataclass(frozen=True)
class ShuffledLaw(Law):
    """The loss of the histogram, the one user on 0 against 1."""

    users: int
    epsilon: Exact
    answers: int
    others: str
    truncated = False

    def factor(self, steps: int, most: float = 0.0) -> ContourFactor:
        """Refused."""
        raise InputError(_ALONE)

    def swapped(self) -> Law:
        """0 and 1 renamed."""
        return ShuffledLaw(self.users, self.epsilon, self.answers, {"0": "1", "1": "0"}.get(self.others, self.others))

    def largest_loss(self) -> Fraction | arb | None:
        """ε₀."""
        return self.epsilon if isinstance(self.epsilon, Fraction) else exact_ball(self.epsilon)

    def closed_form(self, uses: Uses) -> ClosedForm | None:
        """The sum."""
        if not only_use(uses):
            raise InputError(_ALONE)

        def value(epsilon: arb) -> arb:
            return response_delta(self.users, self.answers, exact_ball(self.epsilon), epsilon, self.others)

        return ClosedForm(value, BLANKET if self.others == ANY else EXACT, 6)


@law_of.register(ShuffledPair)
def _(pair: ShuffledPair, reversed: bool) -> Law | None:
    return ShuffledLaw(pair.users, pair.epsilon, pair.answers, pair.seen_backwards() if reversed else pair.others)
