"""A certified lower bound on ε from the guesses of one run.

m examples are put in or left out by fair coins. An auditor sees the output, guesses r of the coins, and is right v times. If the
training is (ε, δ)-DP,

    P(at least v right) ≤ β + 2mδ·α,   β = P(W ≥ v),   α = max_{1≤i≤v} P(v − i ≤ W < v)/i,   W ~ Bin(r, e^ε/(1 + e^ε)).

Source: Steinke, Nasr & Jagielski 2023 (arXiv 2305.08846), Theorem 5.2 (and 4.1 for δ = 0). m counts the examples that could be in
or out, guessed or not; v right guesses count themselves (P(W ≥ v), not P(W > v)). What is (ε, δ)-DP is (ε″, δ)-DP for ε″ > ε too:
where the p-value at some ε is at most 1 − confidence, all smaller ε are rejected with it. So each such ε is a lower bound,
without any monotonicity of the p-value.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.binomial import upper_tail
from dpbounds.numbers.domains import at_least_one, between, nonnegative, probability
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified, decide, least_epsilon, surely_at_most

MOST_GUESSES = 20_000
_LEAST = Fraction(1, 10**12)
"""An ε below which none is looked for."""


@dataclass(frozen=True)
class Guesses:
    """What an auditor did.

    Args:
        guesses: r ≥ 1, abstentions left out. correct: v ≤ r.
        delta: 0 ≤ δ ≤ 1. examples: m ≥ r, abstentions counted; None: r.

    >>> Guesses(100, 75).lower_epsilon("0.95").lower_decimal(3)
    '0.702'
    """

    guesses: int
    correct: int
    delta: Fraction
    examples: int

    def __init__(self, guesses: exact.Number, correct: exact.Number, delta: exact.Number = 0, examples: exact.Number | None = None) -> None:
        r, v = at_least_one(guesses, "guesses"), exact.integer(correct, "correct")
        m = r if examples is None else at_least_one(examples, "examples")
        if not 0 <= v <= r:
            raise InputError(f"correct must be between 0 and the {r} guesses, got {v}")
        if m < r:
            raise InputError(f"examples must be at least the {r} guesses: all examples count, guessed or not; got {m}")
        if r > MOST_GUESSES:
            raise InputError(f"guesses must be at most {MOST_GUESSES}, got {r}")
        vars(self).update(guesses=r, correct=v, delta=exact.rational(probability(delta, "delta")), examples=m)

    def p_value(self, epsilon: exact.Number, digits: int = 10) -> Enclosure:
        """The bound on the probability of as many right guesses under (ε, δ)-DP, at most 1.

        >>> Guesses(1, 1).p_value(0).contains(Fraction(1, 2))
        True
        """
        loss = nonnegative(epsilon, "epsilon")
        return certified(lambda: self.p_value_ball(as_ball(loss)), digits)

    def p_value_ball(self, epsilon: Ball) -> Ball:
        """The same at the precision that is set."""
        r, v = self.guesses, self.correct
        if v == 0:
            return ball(1)
        odds = epsilon.exp()
        above, term = upper_tail(r, v, 1 / (1 + 1 / odds), 1 / (1 + odds))  # the second is P(W = v − 1)
        if not self.delta:
            return above.min(ball(1))
        total, most = ball(0), ball(0)
        for i in range(1, v + 1):
            total += term
            most = most.max(total / i)
            term = term * (v - i) / (odds * (r - v + i + 1))
        return (above + most * ball(2 * self.examples * self.delta)).min(ball(1))

    def lower_epsilon(self, confidence: exact.Number = "0.95", digits: int = 10) -> Enclosure:
        """The ε up to which guarantees are rejected; its lower end is certified: there the p-value is at most 1 − confidence. 0: none is.

        Args:
            confidence: strictly between 0 and 1. digits: of the enclosure.
        """
        level = 1 - between(confidence, 0, 1, "confidence")
        rejected = lambda e: surely_at_most(self.p_value_ball(ball(max(e, _LEAST))), as_ball(level))  # noqa: E731
        return least_epsilon(lambda e: decide(lambda: rejected(e), f"the p-value at epsilon {e}"), digits)
