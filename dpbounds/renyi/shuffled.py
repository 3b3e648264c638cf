"""Rényi divergence of shuffled randomized responses: a sum over the counts of each kind of message, in balls.

With p_0/r, p_1/r and the probability under r of each kind (`shuffle.response.rows`), S_x = Σ p_x/r over the n messages, and n messages
from r, P and Q have the likelihoods S_0/n and S_1/n, so that

    t·D_{1+t} = log E[(S_0/n)·(S_0/S_1)^t].

The counts follow each other as binomials. S_0/n and S_0/S_1 are at most e^{ε₀}: what lies outside of the windows adds at most e^{ε₀(1+t)}
times its probability, by Bernstein. The pair of the blanket dominates for every data of the others, so its divergence is an upper bound.
"""

from __future__ import annotations

import math

from flint import arb

from dpbounds.errors import InputError
from dpbounds.numbers.balls import precision
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.precise import Parameter, as_ball
from dpbounds.numbers.trapezoid import between_zero_and
from dpbounds.renyi.one_pair import divergence
from dpbounds.shuffle.mechanism import ShuffledPair
from dpbounds.shuffle.positive_part import bernstein, log_mass, window
from dpbounds.shuffle.response import Row, rows

_MOST_TERMS = 2_000_000
_GUARD, _SPARE = 60, 20


@divergence.register(ShuffledPair)
def _(pair: ShuffledPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    if pair.randomizer != "response":
        raise InputError(f"the Rényi divergence of a shuffle is known for randomized response, not for the {pair.randomizer} randomizer")
    with precision(bits + _GUARD + 2 * pair.users.bit_length()):
        order, local = as_ball(t), exact_ball(pair.epsilon)
        reach = (bits + _SPARE) * math.log(2) + float((local * (1 + order)).mid())
        kinds = [(q, p, w) if reversed else (p, q, w) for p, q, w in rows(pair.answers, local, pair.others)]
        kinds.sort(key=lambda row: float(row[2].mid()))
        terms = math.prod(min(pair.users, 2 * bernstein(pair.users, w, reach)[0]) + 1 for _, _, w in kinds[:-1])
        if terms > _MOST_TERMS:
            kind = f"{pair.users} users, {pair.answers} answers and others {pair.others}"
            raise InputError(f"the Rényi divergence of a shuffle of {kind} has too many terms; ask for fewer users, or for --others 0")
        rest = [sum((row[2] for row in kinds[index:]), arb(0)) for index in range(len(kinds))]
        shares = tuple((p, q, w / among) for (p, q, w), among in zip(kinds, rest, strict=True))
        power = order if (whole := order.unique_fmpz()) is None else int(whole)  # a whole power is quicker
        total, missed = _expected(shares, pair.users, arb(0), arb(0), power, reach)
        return (total / pair.users + between_zero_and(missed * (local * (1 + order)).exp())).log() / order


def _expected(kinds: tuple[Row, ...], left: int, first: arb, second: arb, order: arb | int, reach: float) -> tuple[arb, arb]:
    """E[S_0 (S_0/S_1)^t] over the counts in the windows, and the probability of the others.

    Args:
        kinds: p_0/r, p_1/r and the share of each kind among those that are left.
        left: messages of these kinds; first, second: what the others give to S_0 and S_1.
    """
    (p, q, share), *later = kinds
    distance, missed = bernstein(left, share, reach)
    start, end = window(left, share, distance)
    mass, odds, total = log_mass(left, start, share, 1 - share).exp(), share / (1 - share), arb(0)
    if len(later) == 1:
        ((other_p, other_q, _),) = later
        above, below = first + p * start + other_p * (left - start), second + q * start + other_q * (left - start)
        higher, lower = p - other_p, q - other_q
        for hits in range(start, end + 1):
            total += arb(0) if above == 0 else mass * above * (above / below) ** order
            above, below, mass = above + higher, below + lower, mass * odds * (left - hits) / (hits + 1)
        return total, missed
    for hits in range(start, end + 1):
        inner, outside = _expected(tuple(later), left - hits, first + p * hits, second + q * hits, order, reach)
        total, missed = total + mass * inner, missed + mass * outside
        mass *= odds * (left - hits) / (hits + 1)
    return total, arb(missed.upper())
