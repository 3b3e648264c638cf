"""Finite pairs used k times: their count vectors, and δ(ε) for two outcomes.

A pair on m outcomes used k times is decided by the counts (n_1, …, n_m): the loss is Σ n_i log(p_i/q_i) and the probability under P the
multinomial one, so δ(ε) = Σ_n (P(n) − e^ε Q(n))₊. Two outcomes need one binomial sum, cut where the rest is certified to be negligible;
`convolve` has the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from flint import arb, ctx

from dpbounds.errors import PrecisionError

LARGEST_SUM = 2_000_000
"""The number of terms that a finite sum may have."""


@dataclass
class FiniteLaw:
    """A pair on finitely many outcomes, used `steps` times: probabilities under P and Q as balls, all positive.

    Outcomes that P never shows add nothing to δ and are left out.

    `lost` is the mass of P on outcomes that Q never shows; it is missing from `p`. So are outcomes of finite loss with a mass of at most
    `dropped` in one use.
    """

    p: list[arb]
    q: list[arb]
    lost: arb
    steps: int
    dropped: arb = field(default_factory=arb)

    @property
    def terms(self) -> int:
        """Number of count vectors."""
        return math.comb(self.steps + len(self.p) - 1, len(self.p) - 1)


def count_states(laws: Sequence[FiniteLaw]) -> list[tuple[arb, arb]]:
    """The probabilities under P and Q of every outcome of the product, an outcome being the counts of each law."""
    states = [(arb(1), arb(1))]
    for law in laws:
        own = _count_terms(law)
        states = [(p * own_p, q * own_q) for p, q in states for own_p, own_q in own]
    return states


def _count_terms(law: FiniteLaw) -> list[tuple[arb, arb]]:
    """Multinomial probabilities under P and Q of every count vector: outcome by outcome, as long as uses are left for it."""
    powers = [(_powers(p, law.steps), _powers(q, law.steps)) for p, q in zip(law.p, law.q, strict=True)]
    counted, begun = [], [(law.steps, arb(1), arb(1))]
    for own_p, own_q in powers[:-1]:
        further = []
        for left, p, q in begun:
            counted.append((p * own_p[left], q * own_q[left]))
            for n in range(left):
                ways = math.comb(left, n)
                further.append((left - n, p * own_p[n] * ways, q * own_q[n] * ways))
        begun = further
    return counted + [(p * powers[-1][0][left], q * powers[-1][1][left]) for left, p, q in begun]


def _powers(base: arb, top: int) -> list[arb]:
    found = [arb(1)]
    for _ in range(top):
        found.append(found[-1] * base)
    return found


def binomial_delta(law: FiniteLaw, epsilon: arb) -> arb:
    """Σ_n (P(n) − e^ε Q(n))₊ for two outcomes; n counts the outcome with the larger loss, so the positive terms are the large n.

    The sum runs upward from the threshold and stops at an n where P(n) is tiny: the rest is at most P(n)·r/(1−r), r the ratio
    P(n+1)/P(n) < 1, which decreases in n. If the threshold lies below the bulk, the sum runs from the mode outward in both directions and
    the terms left out below are bounded in the same way.
    """
    steps, scale = law.steps, epsilon.exp()
    (p_low, q_low), (p_high, q_high) = zip(law.p, law.q, strict=True)
    if p_low * q_high > p_high * q_low:
        p_low, q_low, p_high, q_high = p_high, q_high, p_low, q_low
    odds_p, odds_q = p_high / p_low, q_high / q_low
    first = _first_positive(epsilon, steps, (p_high / q_high).log(), (p_low / q_low).log())
    if first > steps:
        return arb(0)
    mode = math.floor(float(p_high / (p_high + p_low)) * (steps + 1))
    start = min(max(first, mode), steps)
    p_start, q_start = _binomial(steps, start, p_high, p_low), _binomial(steps, start, q_high, q_low)
    total = arb(0)
    goal = arb(2) ** (-_target_bits())
    p, q, n = p_start, q_start, start
    while True:
        total += (p - scale * q).nonnegative_part()
        if n == steps:
            break
        ratio = odds_p * (steps - n) / (n + 1)
        if n > mode and ratio < 1:
            rest = p * ratio / (1 - ratio)
            if rest <= goal * total.abs_lower():
                total += _below(rest)
                break
        p, q, n = p * ratio, q * (odds_q * (steps - n) / (n + 1)), n + 1
        if n - start > LARGEST_SUM:
            raise PrecisionError(f"the binomial sum needs more than {LARGEST_SUM} terms; no digit was reached; use fewer steps")
    p, q, n = p_start, q_start, start
    while n > first:
        back_p, back_q = arb(n) / ((steps - n + 1) * odds_p), arb(n) / ((steps - n + 1) * odds_q)
        if n < mode and back_p < 1:
            rest = p * back_p / (1 - back_p)
            if rest <= goal * total.abs_lower():
                total += _below(rest)
                break
        p, q, n = p * back_p, q * back_q, n - 1
        total += (p - scale * q).nonnegative_part()
        if start - n > LARGEST_SUM:
            raise PrecisionError(f"the binomial sum needs more than {LARGEST_SUM} terms; no digit was reached; use fewer steps")
    return total


def _first_positive(epsilon: arb, steps: int, high: arb, low: arb) -> int:
    """A count n below which no term is positive: n·high + (steps − n)·low ≤ ε. It is 0 if the two losses cannot be told apart."""
    if not high > low:
        return 0
    return max(0, math.floor(float(((epsilon - steps * low) / (high - low)).lower())) - 1)


def _below(bound: arb) -> arb:
    """A ball around [0, bound]."""
    return arb(0).union(bound.upper())


def _binomial(steps: int, n: int, success: arb, failure: arb) -> arb:
    """binom(steps, n)·success^n·failure^{steps−n}, through log Γ for large arguments."""
    ways = (arb(steps + 1).lgamma() - arb(n + 1).lgamma() - arb(steps - n + 1).lgamma()).exp()
    return ways * success**n * failure ** (steps - n)


def _target_bits() -> int:
    return int(ctx.prec)
