"""Sums of phases with few multiplications: every way of sharing the terms out encloses the plain sum."""

import random

import pytest
from flint import acb, arb

from dpbounds.laws.paths import phase_sums as sums
from dpbounds.numbers.balls import precision

BITS, COUNT = 700, 150


def law(seed=1):
    """Weights that fall by 2^{−600} and losses that are close to each other on one side."""
    draw = random.Random(seed)
    places = [-12 + 24 * i / 240 for i in range(241)]
    weights = [(-arb(s) * s * 2.5).exp() * arb(draw.uniform(0.5, 1)) for s in places]
    losses = [(arb(s - 2).exp() / 5 + 1).log() for s in places]
    return weights, losses


def plain(weights, losses, h, j):
    with precision(BITS + 200):
        return sum(((acb(0, 1) * h * j * loss).exp() * weight for weight, loss in zip(weights, losses, strict=True)), acb(0))


@pytest.mark.parametrize("reaches", [(), (16.0,), (4.0, 1.0)])
def test_sums_enclose_the_plain_ones(monkeypatch, reaches):
    monkeypatch.setattr(sums, "_REACHES", reaches)
    with precision(BITS):
        weights, losses = law()
        h = arb("0.05")
        found = sums.phase_sums(weights, losses, h, COUNT)
        for j in (0, 1, 2, 37, 74, 75, 76, 149):
            exact = plain(weights, losses, h, j)
            assert found[j].overlaps(exact)
            assert abs(found[j] - exact) < arb(2) ** (40 - BITS)
    assert len(found) == COUNT


def test_fewer_bits_are_wider_and_still_enclose():
    with precision(BITS):
        weights, losses = law(2)
        h = arb("0.2")
        found = sums.phase_sums(weights, losses, h, COUNT, lambda j: 3.0 * j)
        for j in (0, 49, 50, 51, 99, 100, 149):
            exact = plain(weights, losses, h, j)
            assert found[j].overlaps(exact)
            assert abs(found[j] - exact) < arb(2) ** (40 - BITS + 3 * j)
        assert found[149].rad() > found[0].rad()


def test_an_expansion_that_is_cut_off_has_its_remainder(monkeypatch):
    """Without the bound on what the expansion leaves out, the balls miss."""
    from dpbounds.laws.paths import power_sums

    monkeypatch.setattr(sums, "_terms", lambda reach, bits: 8)
    with precision(BITS):
        weights, losses = law()
        h = arb("0.05")
        exact = plain(weights, losses, h, 149)
        assert sums.phase_sums(weights, losses, h, COUNT)[149].overlaps(exact)
        monkeypatch.setattr(power_sums, "remainder", lambda *_: arb(0))
        assert not sums.phase_sums(weights, losses, h, COUNT)[149].overlaps(exact)


def test_complex_losses_and_few_points_are_taken_alike():
    with precision(BITS):
        found = sums.phase_sums([arb(1)], [acb(1, 1)], arb("0.1"), COUNT)
        assert found[10].overlaps((acb(0, 1) * acb(1, 1)).exp())
        few = sums.phase_sums(*law(), arb("0.1"), 3)
        assert few[2].overlaps(plain(*law(), arb("0.1"), 2))


def test_weights_that_are_zero_or_unknown():
    with precision(BITS):
        weights, losses = law()
        weights[0], weights[1] = arb(0), arb(0, 1e-300)
        found = sums.phase_sums(weights, losses, arb("0.1"), COUNT)
        assert found[50].overlaps(plain(weights, losses, arb("0.1"), 50))
