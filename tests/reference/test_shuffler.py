"""Numbers that are stored with the code of a paper on shuffled messages, by sums of their own in float64."""

from fractions import Fraction
from math import exp, log

import numpy

from dpbounds import accounting
from dpbounds.numbers.balls import ball
from dpbounds.numbers.to_digits import certified
from dpbounds.reference.reproduction.shuffler import STRONG, WEAK, strong_delta
from dpbounds.shuffle.mechanism import Shuffled

_USERS, _SYMBOLS, _BLANKET = 1000, 4, 0.25
_FACTORIALS = numpy.append(0, numpy.cumsum(numpy.log(numpy.arange(1, _USERS + 1))))


def masses(count: int, share: float):
    logs, up = _FACTORIALS[: count + 1], numpy.arange(count + 1)
    return numpy.exp(_FACTORIALS[count] - logs - logs[::-1] + up * log(share) + up[::-1] * log(1 - share))


def weak_delta(epsilon: float, counted: int) -> float:
    """δ of the blanket, conditional on the number B of random symbols of the others; `counted` is what the code adds to B."""
    gamma, k, level, total = _BLANKET, _SYMBOLS, exp(epsilon), 0.0
    others = masses(_USERS - 1, gamma)
    for b in range(185, 316):
        first = masses(b, 1 / k)
        own = numpy.append((gamma - gamma / k) * first, 0) + numpy.append(0, (1 - gamma + gamma / k) * first)
        for i in numpy.flatnonzero(others[b] * own > 1e-11):
            rest = masses(b + 1 - i, 1 / (k - 1))
            common = gamma / k * (b + counted)
            ratio = ((1 - gamma) * numpy.arange(b + 2 - i) + common) / ((1 - gamma) * i + common)
            total += others[b] * own[i] * float(rest @ numpy.maximum(1 - level * ratio, 0))
    return total


def test_what_the_code_counts_gives_its_digits():
    printed = float(WEAK[0])
    assert abs(weak_delta(printed, 0) / 1e-4 - 1) <= 1e-4
    certified_delta = accounting.delta(Shuffled(_USERS, "log(13)", _SYMBOLS, "any"), WEAK[0], digits=6).enclosure
    assert abs(weak_delta(printed, 1) / certified_delta.upper_float - 1) <= 1e-4
    assert certified_delta.upper_float <= 0.9899e-4


def test_the_adversary_who_knows_all_but_the_one_user():
    epsilon, share, total = float(STRONG[0]), _BLANKET / _SYMBOLS, 0.0
    random = masses(_USERS - 1, 2 * share)
    for c in range(40, 240):
        first = numpy.arange(c + 1)
        total += random[c] * float(masses(c, 0.5) @ numpy.maximum(1 - exp(epsilon) * (c - first) / (first + 1), 0))
    # P puts the one user's message on the first symbol: of c + 1 messages of the two symbols first + 1 are of it.
    found = certified(lambda: strong_delta(ball(Fraction(STRONG[0]))), 12)
    assert abs(found.upper_float / total - 1) <= 1e-6
