"""Rényi divergence of shuffled binary randomized response, the others alike: one sum over the number of messages that differ from theirs.

With W ~ Bin(n, 1/(e^{ε₀} + 1)) messages of the other symbol and s(W) = (e^{−ε₀}(n − W) + e^{ε₀}W)/n, the likelihood ratio of the
histogram is 1/s where the others hold the one user's first input and s where they hold its second, so that

    tD_{1+t} = log E s^{−t}   or   log E s^{1+t}.

What lies outside of a window adds at most e^{ε₀(1+t)} times its probability, by Bernstein.
"""

from __future__ import annotations

import math

from flint import arb

from dpbounds.errors import InputError
from dpbounds.numbers.balls import precision, working_bits
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.precise import Parameter, as_ball
from dpbounds.numbers.trapezoid import between_zero_and
from dpbounds.renyi.one_pair import divergence
from dpbounds.shuffle.mechanism import ShuffledPair
from dpbounds.shuffle.positive_part import bernstein, log_mass, window

_MOST_USERS = 10**6
_GUARD = 60


@divergence.register(ShuffledPair)
def _(pair: ShuffledPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    if pair.answers != 2 or pair.randomizer != "response" or pair.others not in ("0", "1") or pair.users > _MOST_USERS:
        raise InputError("the Rényi divergence of a shuffle is known for --answers 2, --others 0 or 1 and at most 10^6 users")
    same = (pair.others == "0") != reversed
    with precision(bits + _GUARD + 2 * pair.users.bit_length()):
        order = as_ball(t)
        local = exact_ball(pair.epsilon)
        grown, users = local.exp(), pair.users
        power = -order if same else 1 + order
        other = 1 / (grown + 1)
        reach = working_bits() * math.log(2) + float((local * (1 + order)).mid())
        distance, outside = bernstein(users, other, reach)
        first, last = window(users, other, distance)
        mass, odds, total = log_mass(users, first, other, grown * other).exp(), 1 / grown, arb(0)
        for count in range(first, last + 1):
            ratio = ((users - count) / grown + count * grown) / users
            total += mass * ratio**power
            mass *= odds * (users - count) / (count + 1)
        return (total + between_zero_and(outside * (local * (1 + order)).exp())).log() / order
