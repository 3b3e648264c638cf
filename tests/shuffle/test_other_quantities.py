"""Rényi divergence, trade-off curves and monotonicity of shuffled responses, each from the definition."""

import itertools
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds import Shuffled, accounting
from dpbounds.accounting.tradeoff import trade_off
from dpbounds.errors import InputError
from dpbounds.numbers.balls import precision
from dpbounds.renyi import shuffled as rules
from dpbounds.renyi.solve import renyi_divergence
from dpbounds.shuffle.response import rows


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


def all_outputs(users, answers, local, others):
    """P and Q of the sorted messages, over all k^n outputs."""
    truth = mpmath.exp(local) / (mpmath.exp(local) + answers - 1)
    rare, found = truth / mpmath.exp(local), ({}, {})
    for messages in itertools.product(range(answers), repeat=users):
        beside = mpmath.fprod(truth if message == others else rare for message in messages[1:])
        for own, law in enumerate(found):
            seen = tuple(sorted(messages))
            law[seen] = law.get(seen, 0) + beside * (truth if messages[0] == own else rare)
    return found


@pytest.mark.parametrize(("users", "answers", "others"), [(5, 3, "0"), (5, 3, "1"), (5, 3, "third"), (4, 4, "third"), (4, 4, "1")])
@pytest.mark.parametrize("alpha", ["2", "5/2"])
def test_renyi_of_all_outputs(users, answers, others, alpha):
    found = renyi_divergence(Shuffled(users, 1, answers, others), alpha, digits=14)
    with mpmath.workdps(30):
        p, q = all_outputs(users, answers, 1, 2 if others == "third" else int(others))
        order = mpmath.mpf(Fraction(alpha).numerator) / Fraction(alpha).denominator
        truth = mpmath.log(mpmath.fsum(p[seen] ** order * q[seen] ** (1 - order) for seen in p)) / (order - 1)
        assert mpmath.mpf(found.lower) <= truth <= mpmath.mpf(found.upper)


@pytest.mark.parametrize(("users", "answers"), [(3, 2), (3, 4)])
def test_the_renyi_divergence_of_the_blanket(users, answers):
    """From its definition: N other messages are random, the one user's is among them; it bounds every data of the others."""
    found = renyi_divergence(Shuffled(users, 1, answers, "any"), 3, digits=14)
    with mpmath.workdps(30):
        grown = mpmath.e
        gamma = answers / (grown + answers - 1)
        total = mpmath.mpf(0)
        for random in range(users):
            chance = mpmath.binomial(users - 1, random) * gamma**random * (1 - gamma) ** (users - 1 - random)
            laws = ({}, {})
            for messages in itertools.product(range(answers), repeat=random + 1):
                for own, law in enumerate(laws):
                    seen = tuple(sorted(messages))
                    mass = (grown if messages[0] == own else 1) / (grown + answers - 1) / mpmath.mpf(answers) ** random
                    law[seen] = law.get(seen, 0) + mass
            total += chance * mpmath.fsum(laws[0][seen] ** 3 / laws[1][seen] ** 2 for seen in laws[0])
        truth = mpmath.log(total) / 2
        assert mpmath.mpf(found.lower) <= truth <= mpmath.mpf(found.upper)
    data = ("0", "1") if answers == 2 else ("0", "1", "third")
    assert all(renyi_divergence(Shuffled(users, 1, answers, others), 3).enclosure.upper < found.enclosure.lower for others in data)


def test_renyi_needs_what_lies_outside_of_each_kind(monkeypatch):
    truth = renyi_divergence(Shuffled(120, 1, 3, "0"), 2).enclosure
    monkeypatch.setattr(rules, "bernstein", lambda count, p, reach: (26, arb("1e-5")))
    assert renyi_divergence(Shuffled(120, 1, 3, "0"), 2, digits=1).enclosure.overlaps(truth)
    monkeypatch.setattr(rules, "bernstein", lambda count, p, reach: (26, arb(0)))
    assert not renyi_divergence(Shuffled(120, 1, 3, "0"), 2, digits=1).enclosure.overlaps(truth)


@pytest.mark.parametrize("reach", [1.0, 3.0, 8.0])
@pytest.mark.parametrize(("users", "order"), [(40, 15), (400, 4)])
def test_what_lies_outside_of_the_windows_counts_with_its_likelihood(users, order, reach, monkeypatch):
    with precision(150):
        local = arb(2)
        kinds = sorted(rows(10, local, "0"), key=lambda row: float(row[2].mid()))
        shares = tuple((p, q, w / sum((row[2] for row in kinds[index:]), arb(0))) for index, (p, q, w) in enumerate(kinds))
        inside, all_counts = (rules._expected(shares, users, arb(0), arb(0), order, far) / users for far in (reach, 150.0))
        missed = rules._missed(shares, users, arb(order), local, reach)
        assert 0 < all_counts - inside < missed
        monkeypatch.setattr(rules, "bernstein", lambda count, p, reach: (1, arb((-reach) * 1.0).exp()))  # as if nothing were far
        if reach == 8.0 and order == 15:
            assert not all_counts - inside < rules._missed(shares, users, arb(order), local, reach)


def test_the_distances_give_both_likelihoods():
    """S_0/n and S_1/n from the distances alone, as the docstring has them."""
    shares, users, counts = ((3.0, 0.5, 0.2), (1.0, 2.0, 0.5), (0.25, 0.75, 1.0)), 30, (9, 8, 13)
    for side in (0, 1):
        after, weight = shares[-1][side], []
        for row in reversed(shares[:-1]):
            weight.insert(0, row[side] - after)
            after = row[2] * row[side] + (1 - row[2]) * after
        distances = [counts[0] - 30 * 0.2, counts[1] - 21 * 0.5]
        direct = sum(row[side] * count for row, count in zip(shares, counts, strict=True))
        assert abs(users * after + sum(w * d for w, d in zip(weight, distances, strict=True)) - direct) < 1e-9


def test_what_renyi_refuses():
    with pytest.raises(InputError, match="too many terms"):
        renyi_divergence(Shuffled(10**4, 1, 10, "third"), 2)
    with pytest.raises(InputError, match="not for the laplace randomizer"):
        renyi_divergence(Shuffled(10, 1, 2, "any", "laplace"), 2)
