"""What was executed, as a mechanism, and its certified privacy loss."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbounds import accounting
from dpbounds.errors import InputError
from dpbounds.mechanisms import Composed, Mechanism, Repeated
from dpbounds.mechanisms.results import PrivacyResult
from dpbounds.mechanisms.specs import mechanism_to_spec
from dpbounds.numbers import exact
from dpbounds.sgd.batches import Batches


@dataclass(frozen=True)
class NoiseRounds:
    """So many rounds in a row with one noise multiplier, the exact value of the float that scaled the noise."""

    sigma: Fraction
    rounds: int


@dataclass(frozen=True)
class Account:
    """The rounds of a training, planned or executed.

    Where the noise was chosen in view of earlier outputs, the composition of what was executed is no guarantee by
    itself; the budget of the filter is. See `dpbounds.sgd.budgets`.

    >>> from dpbounds.sgd import PoissonBatches
    >>> Account(PoissonBatches("0.01", 10)).after(Fraction(3, 2)).spec()
    [{'sigma': '1.5', 'sampling': 'poisson', 'q': '0.01', 'steps': 1}]
    """

    batches: Batches
    uses: tuple[NoiseRounds, ...] = ()

    @property
    def rounds(self) -> int:
        """How many rounds."""
        return sum(use.rounds for use in self.uses)

    def after(self, sigma: Fraction, rounds: int = 1) -> Account:
        """The account with further rounds."""
        if self.uses and self.uses[-1].sigma == sigma:
            return Account(self.batches, (*self.uses[:-1], NoiseRounds(sigma, self.uses[-1].rounds + rounds)))
        return Account(self.batches, (*self.uses, NoiseRounds(sigma, rounds)))

    def mechanism(self) -> Mechanism:
        """The composition of all rounds.

        Raises:
            InputError: no round yet.
        """
        if not self.uses:
            raise InputError("nothing was executed yet, so there is nothing to account for")
        parts = [Repeated(self.batches.round_of(use.sigma), use.rounds) for use in self.uses]
        return parts[0] if len(parts) == 1 else Composed(parts)

    def spec(self) -> list[dict[str, Any]]:
        """What `dpbounds delta --spec` reads; `--relation` is the one of the batches."""
        return mechanism_to_spec(self.mechanism())

    def delta_at(self, epsilon: exact.Number, digits: int = 6) -> PrivacyResult:
        """Certified δ(ε) of the rounds."""
        return accounting.delta(self.mechanism(), epsilon, digits=digits, relation=self.batches.relation)

    def epsilon_at(self, delta: exact.Number, digits: int = 6) -> PrivacyResult:
        """Certified ε(δ) of the rounds.

        >>> from dpbounds.sgd import AllocatedBatches
        >>> Account(AllocatedBatches(4, 25)).after(Fraction(8), 100).epsilon_at("1e-5").lower[:6]
        '2.5685'
        """
        return accounting.epsilon(self.mechanism(), delta, digits=digits, relation=self.batches.relation)
