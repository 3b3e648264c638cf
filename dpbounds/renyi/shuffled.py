"""Rényi divergence of shuffled randomized responses: a sum over the counts of each kind of message, in balls.

With p_0/r, p_1/r and the probability under r of each kind (`shuffle.response.rows`), S_x = Σ p_x/r over the n messages, and n messages
from r, P and Q have the likelihoods S_0/n and S_1/n, so that

    t·D_{1+t} = log E[(S_0/n)·(S_0/S_1)^t].

The counts follow each other as binomials, at distances d_g from their means. With p̄_g the mean of p_0/r over the kinds after g we have
S_0/n = 1 + Σ (p_g − p̄_g)d_g/n, and S_1/n likewise. Outside of the windows some |d_g| is s_g(ρ) or more; by Bernstein this has about the
probability e^{−ρ}. Where all are less than s_g(5ρ/4) both quotients are near 1, which bounds (S_0/n)(S_0/S_1)^t; so on for 5ρ/4 and the
next ones. For what is left, S_0/n and S_0/S_1 are at most e^{ε₀}.

The pair of the blanket dominates for every data of the others, so its divergence is an upper bound.
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
_GUARD, _SPARE, _TRIES = 60, 20, 6


@divergence.register(ShuffledPair)
def _(pair: ShuffledPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    run, users = pair.mechanism, pair.mechanism.users
    if run.randomizer != "response":
        raise InputError(f"the Rényi divergence of a shuffle is known for randomized response, not for the {run.randomizer} randomizer")
    with precision(bits + _GUARD + 2 * users.bit_length()):
        order, local = as_ball(t), exact_ball(pair.epsilon)
        kinds = [(q, p, w) if reversed else (p, q, w) for p, q, w in rows(run.answers, local, pair.others)]
        kinds.sort(key=lambda row: float(row[2].mid()))
        rest = [sum((row[2] for row in kinds[index:]), arb(0)) for index in range(len(kinds))]
        shares = tuple((p, q, w / among) for (p, q, w), among in zip(kinds, rest, strict=True))
        reach = goal = (bits + _SPARE) * math.log(2)
        for _ in range(_TRIES):
            missed = _missed(shares, users, order, local, reach)
            excess = goal + float(missed.log().mid()) if missed > 0 else 0.0
            if excess <= 1:
                break
            reach += excess
        terms = math.prod(min(users, 2 * bernstein(users, w, reach)[0]) + 1 for _, _, w in kinds[:-1])
        if terms > _MOST_TERMS:
            kind = f"{users} users, {run.answers} answers and others {pair.others}"
            raise InputError(f"the Rényi divergence of a shuffle of {kind} has too many terms; ask for fewer users, or for --others 0")
        power = order if (whole := order.unique_fmpz()) is None else int(whole)  # a whole power is quicker
        total = _expected(shares, users, arb(0), arb(0), power, reach)
        return (total / users + between_zero_and(missed)).log() / order


def _missed(kinds: tuple[Row, ...], users: int, order: arb, local: arb, reach: float) -> arb:
    """What lies outside of the windows for ρ = `reach`."""
    spreads, later_p, later_q = list[tuple[arb, arb, arb]](), kinds[-1][0], kinds[-1][1]
    for p, q, share in reversed(kinds[:-1]):
        spreads.append((abs(p - later_p), abs(q - later_q), share))
        later_p, later_q = share * p + (1 - share) * later_p, share * q + (1 - share) * later_q
    total, largest = arb(0), local * (1 + order)
    end = reach + float(largest.mid())
    while True:
        outside = sum((bernstein(users, share, reach)[1] for _, _, share in spreads), arb(0))
        if reach >= end:
            return total + outside * largest.exp()
        reach *= 1.25
        far = [(p, q, bernstein(users, share, reach)[0] + 1) for p, q, share in spreads]
        above = 1 + sum((p * distance for p, _, distance in far), arb(0)) / users
        below = 1 - sum((q * distance for _, q, distance in far), arb(0)) / users
        total += outside * above.min(local.exp()) ** (1 + order) * below.max((-local).exp()) ** -order


def _expected(kinds: tuple[Row, ...], left: int, first: arb, second: arb, order: arb | int, reach: float) -> arb:
    """E[S_0 (S_0/S_1)^t] over the counts in the windows.

    Args:
        kinds: p_0/r, p_1/r and the share of each kind among those that are left.
        left: messages of these kinds; first, second: what the others give to S_0 and S_1.
    """
    (p, q, share), *later = kinds
    start, end = window(left, share, bernstein(left, share, reach)[0])
    mass, odds, total = log_mass(left, start, share, 1 - share).exp(), share / (1 - share), arb(0)
    if len(later) > 1:
        for hits in range(start, end + 1):
            total += mass * _expected(tuple(later), left - hits, first + p * hits, second + q * hits, order, reach)
            mass *= odds * (left - hits) / (hits + 1)
        return total
    ((other_p, other_q, _),) = later
    above, below = first + p * start + other_p * (left - start), second + q * start + other_q * (left - start)
    higher, lower = p - other_p, q - other_q
    for hits in range(start, end + 1):
        total += arb(0) if above == 0 else mass * above * (above / below) ** order
        above, below, mass = above + higher, below + lower, mass * odds * (left - hits) / (hits + 1)
    return total
