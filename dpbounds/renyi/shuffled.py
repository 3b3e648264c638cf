"""Rényi divergence of shuffled randomized responses: a sum over the counts of each kind of message, in balls.

With p_0/r, p_1/r and the probability under r of each kind (`shuffle.response.rows`), S_x = Σ p_x/r over the n messages, and n messages
from r, P and Q have the likelihoods S_0/n and S_1/n, so that

    t·D_{1+t} = log E[(S_0/n)·(S_0/S_1)^t].

The counts follow each other as binomials. S_0/n and S_0/S_1 are at most e^{ε₀}: what lies outside of the windows adds at most e^{ε₀(1+t)}
times its probability, by Bernstein. The pair of the blanket dominates for every data of the others, so its divergence is an upper bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb

from dpbounds.errors import InputError
from dpbounds.numbers.balls import precision, working_bits
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.precise import Parameter, as_ball
from dpbounds.numbers.trapezoid import between_zero_and
from dpbounds.renyi.one_pair import divergence
from dpbounds.shuffle.mechanism import ShuffledPair
from dpbounds.shuffle.positive_part import bernstein, log_mass, window
from dpbounds.shuffle.response import Row, rows

_MOST_TERMS = 2_000_000
_GUARD = 60


@dataclass(frozen=True)
class _Counts:
    """The rest of the messages, given the counts of the first kinds: how many, and what the others give."""

    kinds: Sequence[Row]
    left: int
    first: arb
    second: arb


@divergence.register(ShuffledPair)
def _(pair: ShuffledPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    if pair.randomizer != "response":
        raise InputError(f"the Rényi divergence of a shuffle is known for randomized response, not for the {pair.randomizer} randomizer")
    with precision(bits + _GUARD + 2 * pair.users.bit_length()):
        order, local = as_ball(t), exact_ball(pair.epsilon)
        reach = working_bits() * math.log(2) + float((local * (1 + order)).mid())
        kinds = [(q, p, w) if reversed else (p, q, w) for p, q, w in rows(pair.answers, local, pair.others)]
        kinds.sort(key=lambda row: float(row[2].mid()))
        terms = math.prod(min(pair.users, 2 * bernstein(pair.users, w, reach)[0]) + 1 for _, _, w in kinds[:-1])
        if terms > _MOST_TERMS:
            kind = f"{pair.users} users, {pair.answers} answers and others {pair.others}"
            raise InputError(f"the Rényi divergence of a shuffle of {kind} has too many terms; ask for fewer users, or for --others 0")
        total, missed = _expected(_Counts(kinds, pair.users, arb(0), arb(0)), order, reach)
        return (total / pair.users + between_zero_and(missed * (local * (1 + order)).exp())).log() / order


def _expected(counts: _Counts, order: arb, reach: float) -> tuple[arb, arb]:
    """E[S_0 (S_0/S_1)^t] over the counts in the windows, and the probability of the others."""
    (p, q, weight), *later = counts.kinds
    if not later:
        first, second = counts.first + p * counts.left, counts.second + q * counts.left
        return (arb(0) if first == 0 else first * (first / second) ** order), arb(0)
    share = weight / sum((row[2] for row in counts.kinds), arb(0))
    distance, missed = bernstein(counts.left, share, reach)
    start, end = window(counts.left, share, distance)
    mass, odds, total = log_mass(counts.left, start, share, 1 - share).exp(), share / (1 - share), arb(0)
    for hits in range(start, end + 1):
        inner, outside = _expected(_Counts(later, counts.left - hits, counts.first + p * hits, counts.second + q * hits), order, reach)
        total, missed = total + mass * inner, missed + mass * outside
        mass *= odds * (counts.left - hits) / (hits + 1)
    return total, arb(missed.upper())
