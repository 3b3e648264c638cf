"""δ and ε of shuffles over the grid that is promised: 15 digits, in seconds, on the right side of each other."""

import contextlib
import itertools
import time
from fractions import Fraction

import pytest

from dpbounds import Shuffled, accounting
from dpbounds.errors import PrecisionError
from dpbounds.numbers import exact

PROMISED, LONGEST = 15, 8.0
"""Digits, and seconds of the processor: two on a free machine."""
MOST = {"0": 10**6, "1": 10**6, "third": 10**4, "any": 10**6}
QUICK = [(10**9, 2, "0"), (10**6, 3, "1"), (10**4, 10, "third"), (10**4, 10, "any")]
GRID = [
    (users, answers, others)
    for users, answers, others in itertools.product((1, 2, 100, 10**4, 10**6, 10**9), (2, 3, 4, 10, 100), ("0", "1", "third", "any"))
    if users <= (10**9 if answers == 2 and others in ("0", "1") else MOST[others]) and (others, answers) != ("third", 2)
]
NOISES = [
    ("laplace", "1", 10**3),
    ("laplace", "2", 10**6),
    *(("gaussian", sigma, n) for sigma in ("0.5", "1", "5") for n in (2, 100, 10**6, 10**9)),
]


def checked(mechanism: Shuffled, target: str) -> None:
    """ε(target) and δ there have their digits in time, and each is the other's inverse."""
    if mechanism.randomizer == "response":
        top = exact.rational(mechanism.parameter) * (1 - Fraction(1, 10**9))
        if accounting.delta(mechanism, top, digits=3).enclosure.upper_float > float(target):
            return  # ε differs from the local ε by less than a billionth of it
    start = time.process_time()
    found = accounting.epsilon(mechanism, target)
    there = accounting.delta(mechanism, found.enclosure.upper)
    assert time.process_time() - start < LONGEST
    assert there.enclosure.lower <= Fraction(target) and there.enclosure.meets(PROMISED)
    if found.enclosure.upper > 0:
        assert found.enclosure.meets(PROMISED)
        assert accounting.delta(mechanism, found.enclosure.lower, digits=17).enclosure.upper >= Fraction(target)


@pytest.mark.parametrize(("users", "answers", "others"), QUICK)
@pytest.mark.parametrize("target", ["1e-6"])
def test_epsilon_and_delta(users, answers, others, target):
    checked(Shuffled(users, 2, answers, others), target)


@pytest.mark.slow
@pytest.mark.parametrize(("users", "answers", "others"), GRID)
@pytest.mark.parametrize("local", ["1/2", "2", "5"])
@pytest.mark.parametrize("target", ["1e-3", "1e-20", "1e-80"])
def test_epsilon_and_delta_over_the_grid(users, answers, others, local, target):
    far = users == 10**6 and (others, local) == ("any", "1/2")  # a double sum of minutes is refused
    with contextlib.suppress(PrecisionError) if far else contextlib.nullcontext():
        checked(Shuffled(users, local, answers, others), target)


@pytest.mark.slow
@pytest.mark.parametrize(("randomizer", "parameter", "users"), NOISES)
@pytest.mark.parametrize("target", ["1e-3", "1e-20", "1e-80"])
def test_epsilon_and_delta_of_noise(randomizer, parameter, users, target):
    checked(Shuffled(users, parameter, others="any", randomizer=randomizer), target)


@pytest.mark.slow
@pytest.mark.parametrize("users", [100, 10**4])
@pytest.mark.parametrize("answers", [3, 10, 100])
@pytest.mark.parametrize("epsilon", ["0", "0.05", "0.3"])
def test_known_data_lie_below_the_blanket_and_more_digits_inside_of_fewer(users, answers, epsilon):
    bound = accounting.delta(Shuffled(users, 1, answers, "any"), epsilon, digits=25).enclosure
    for others in ("0", "1", "third"):
        few, many = (accounting.delta(Shuffled(users, 1, answers, others), epsilon, digits=digits).enclosure for digits in (15, 25))
        assert few.lower <= many.lower and many.upper <= few.upper and few.lower <= bound.upper
