"""Finite pairs used k times, and their count vectors.

A pair on m outcomes used k times is decided by the counts (n_1, …, n_m): the loss is Σ n_i log(p_i/q_i) and the probability under P the
multinomial one, so δ(ε) = Σ_n (P(n) − e^ε Q(n))₊.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from flint import arb


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
