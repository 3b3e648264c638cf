"""Rényi divergence, trade-off curves and monotonicity of shuffled responses, each from the definition."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from dpbounds import Shuffled, accounting
from dpbounds.accounting.tradeoff import trade_off
from dpbounds.errors import InputError
from dpbounds.renyi import shuffled as rules
from dpbounds.renyi.solve import renyi_divergence


def laws(users, local, others):
    """P and Q of the number of messages 0, from the definition: the one user on 0 and on 1, the others on one symbol."""
    truth = mpmath.exp(local) / (1 + mpmath.exp(local))
    share = truth if others == "0" else 1 - truth
    beside = [mpmath.binomial(users - 1, b) * share**b * (1 - share) ** (users - 1 - b) for b in range(users)]
    found = []
    for zero in (truth, 1 - truth):
        found.append([zero * (beside[b - 1] if b else 0) + (1 - zero) * (beside[b] if b < users else 0) for b in range(users + 1)])
    return found


@pytest.mark.parametrize("others", ["0", "1"])
@pytest.mark.parametrize("alpha", ["3/2", "8"])
def test_renyi_from_the_definition(others, alpha):
    found = renyi_divergence(Shuffled(60, 2, 2, others), alpha)
    with mpmath.workdps(40):
        p, q = laws(60, mpmath.mpf(2), others)
        order = mpmath.mpf(Fraction(alpha).numerator) / Fraction(alpha).denominator
        truth = mpmath.log(mpmath.fsum(one**order * other ** (1 - order) for one, other in zip(p, q, strict=True))) / (order - 1)
        assert mpmath.mpf(found.lower) <= truth <= mpmath.mpf(found.upper)


def test_renyi_needs_what_lies_outside(monkeypatch):
    from flint import arb

    truth = renyi_divergence(Shuffled(400, 1, 2, "0"), 2).enclosure
    monkeypatch.setattr(rules, "bernstein", lambda count, p, reach: (40, arb("1e-5")))
    assert renyi_divergence(Shuffled(400, 1, 2, "0"), 2, digits=1).enclosure.overlaps(truth)
    monkeypatch.setattr(rules, "bernstein", lambda count, p, reach: (40, arb(0)))
    assert not renyi_divergence(Shuffled(400, 1, 2, "0"), 2, digits=1).enclosure.overlaps(truth)


def test_the_trade_off_curve_by_neyman_and_pearson():
    found = trade_off(Shuffled(40, 1, 2, "0"), "0.05")
    with mpmath.workdps(30):
        p, q = laws(40, mpmath.mpf(1), "0")
        left, power = mpmath.mpf("0.05"), mpmath.mpf(0)
        for one, other in sorted(zip(p, q, strict=True), key=lambda row: row[0] / row[1], reverse=True):
            taken = min(mpmath.mpf(1), left / other) if left > 0 else 0
            power, left = power + taken * one, left - taken * other
        assert mpmath.mpf(found.lower) <= 1 - power <= mpmath.mpf(found.upper)


@pytest.mark.parametrize("others", ["0", "1", "third", "any"])
def test_more_users_and_a_smaller_local_epsilon_are_more_private(others):
    values = [accounting.delta(Shuffled(n, e, 4, others), "0.2", digits=8).enclosure for n, e in ((80, 1), (40, 1), (40, "3/2"))]
    assert values[0].upper <= values[1].lower and values[1].upper <= values[2].lower


def test_what_renyi_refuses():
    with pytest.raises(InputError, match="--answers 2"):
        renyi_divergence(Shuffled(10, 1, 3, "0"), 2)
