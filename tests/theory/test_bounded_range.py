"""Losses of bounded range and budgets chosen along the way: the constants cannot be smaller."""

import pytest

from dpbounds.language import enclose
from dpbounds.language.functions import RenyiMoment
from dpbounds.language.symbols import bernoulli
from dpbounds.theory import get
from dpbounds.theory.composition import bounded_range, filters


@pytest.mark.parametrize(
    "name, count",
    [pytest.param("bounded-range", 4, marks=pytest.mark.slow), ("pure-to-concentrated", 4), ("adaptive-budgets", 7), ("blocks-of-data", 6)],
)
def test_no_step_is_taken_on_trust(name, count):
    built = get(name)
    assert built.assumed == ()
    assert len(built.assumptions) == count


def test_eighth_is_the_least_constant():
    """Coins of masses (1/2 ± h)/1 against their flips: G_2 − 1 is 16h²/(1 − 4h²), and the range is η = 2 log((1+2h)/(1−2h)) = 8h + …"""
    from sympy import Rational, exp, log

    h = Rational(1, 1000)
    moment = RenyiMoment(2, bernoulli(Rational(1, 2) + h), bernoulli(Rational(1, 2) - h))
    width = 2 * log((1 + 2 * h) / (1 - 2 * h))
    inside, below = (enclose.enclose(exp(2 * width**2 / share), {}, 200) for share in (8, Rational(8001, 1000)))
    value = enclose.enclose(moment, {}, 200)
    assert value.upper <= inside.lower
    assert value.lower >= below.upper


def test_premises_speak_of_every_history_and_step():
    text = str(get("adaptive-budgets").assumptions)
    assert "rho[j, h]" in text and "S[j, h]" in text
    assert filters.WITHIN in get("adaptive-budgets").assumptions
    assert bounded_range.WITHIN in get("bounded-range").assumptions
