"""ε of composed noise by cells of the loss: the truth is inside on coarse cells, and each part of the bounds is needed."""

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import pytest
from flint import arb

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.planning.noise_comparison import logistic_epsilon_of
from dpbounds.renyi import loss_cells
from dpbounds.renyi.loss_cells import GeneralizedNormalNoise, LogisticNoise, bounds, epsilon_of_composed

TENTH = Fraction(1, 10)


def normal(sigma):
    return GeneralizedNormalNoise(arb(2), arb(2).sqrt() * sigma)


def truth(mechanism, steps, delta):
    return accounting.epsilon(m.Repeated(mechanism, steps) if steps > 1 else mechanism, delta, digits=9).enclosure


class Ends(NamedTuple):
    lower: Fraction
    upper: Fraction


def interval(noise, steps, delta, cells):
    """Both ends; not an enclosure, because with a part left out they can cross."""
    with precision(160):
        low, high = bounds(noise, steps, arb(delta.numerator) / delta.denominator, cells)
        return Ends(Enclosure.of_ball(low).lower, Enclosure.of_ball(high).upper)


@pytest.mark.parametrize(("steps", "delta"), [(1, TENTH), (3, Fraction(1, 1000)), (10, Fraction(1, 10**5)), (7, Fraction(1, 10**30))])
def test_gaussian_and_laplace_noise_by_the_contour(steps, delta):
    for noise, mechanism in ((normal(3), m.Gaussian(3)), (GeneralizedNormalNoise(arb(1), arb(4)), m.Laplace(4))):
        exact = truth(mechanism, steps, delta)
        widths = []
        for cells in (8, 64):
            found = interval(noise, steps, delta, cells)
            assert found.lower <= exact.upper and exact.lower <= found.upper
            widths.append(float(found.upper) - float(found.lower))
        assert widths[1] <= widths[0] / 4


def test_one_use_of_logistic_noise_is_a_formula():
    for delta in (TENTH, Fraction(1, 10**6)):
        found = interval(LogisticNoise(arb(2)), 1, delta, 256)
        exact = logistic_epsilon_of(2, delta)
        assert found.lower <= exact.upper and exact.lower <= found.upper


def test_second_order():
    """Twice as many cells make the interval about four times as narrow."""
    widths = [float(found.upper - found.lower) for found in (interval(normal(3), 4, Fraction(1, 10**5), cells) for cells in (64, 128, 256))]
    assert widths[1] <= widths[0] / 3 and widths[2] <= widths[1] / 3


def test_refinement_meets_the_digits_or_says_so(monkeypatch):
    found = epsilon_of_composed(lambda: normal(3), 4, Fraction(1, 10**5), 4)
    assert found.meets(4) and found.overlaps(truth(m.Gaussian(3), 4, "1e-5"))
    monkeypatch.setattr(loss_cells, "MAX_CELLS", 64)
    with pytest.raises(PrecisionError, match="fewer digits"):
        epsilon_of_composed(lambda: normal(3), 4, Fraction(1, 10**5), 9)


def test_nothing_is_lost_where_delta_is_larger_than_all_there_is():
    assert interval(normal(10), 1, Fraction(1, 2), 64).upper == 0


EXACT = truth(m.Gaussian(1), 2, TENTH)


def test_the_chords_are_needed(monkeypatch):
    """All of a cell's mass at its lower edge instead of on the chord: below the truth."""
    assert interval(normal(1), 2, TENTH, 8).upper >= EXACT.lower

    def lower_edges(p, q, losses, tails, step):
        masses = [tails[1] + p[0], *p[1:], arb(0)]
        return loss_cells.LossLattice(arb(0), step, -len(p) // 2, masses, tails[0])

    monkeypatch.setattr(loss_cells, "above", lower_edges)
    assert interval(normal(1), 2, TENTH, 8).upper < EXACT.lower


def test_rounding_down_is_needed(monkeypatch):
    """A cell's loss one node higher: above the truth."""
    assert interval(normal(1), 2, TENTH, 8).lower <= EXACT.upper
    original = loss_cells.below
    monkeypatch.setattr(loss_cells, "below", lambda p, q, step: replace(original(p, q, step), offset=-len(p) // 2))
    assert interval(normal(1), 2, TENTH, 8).lower > EXACT.upper


def test_merging_is_needed(monkeypatch):
    """The cell's upper edge instead of its merged loss: above the truth."""
    original = loss_cells.below
    monkeypatch.setattr(loss_cells, "below", lambda p, q, step: replace(original(p, q, step), first=step))
    assert interval(normal(1), 2, TENTH, 8).lower > EXACT.upper


def shifted_edges(shift):
    original = loss_cells._edges

    def edges(noise, steps, delta, cells):
        found = original(noise, steps, delta, cells)
        return [found[0], *(x + shift for x in found[1:-1]), found[-1]]

    return edges


def test_the_miss_of_the_edges_is_needed(monkeypatch):
    """Edges whose losses lie above the nodes: the shift by η covers it, and without it the upper bound is too small."""
    monkeypatch.setattr(loss_cells, "_edges", shifted_edges(0.05))
    assert interval(normal(1), 2, TENTH, 64).upper >= EXACT.lower
    original = loss_cells.above
    monkeypatch.setattr(loss_cells, "above", lambda *parts: replace(original(*parts), first=arb(0)))
    assert interval(normal(1), 2, TENTH, 64).upper < EXACT.lower


def cut_short(monkeypatch, top):
    """Cells up to x_n = top only."""

    def edges(noise, steps, delta, cells):
        step = noise.approx_loss(top) / cells
        return [0.5, *(loss_cells._root(noise, i * step, 0.5, top) for i in range(1, cells)), top]

    monkeypatch.setattr(loss_cells, "_edges", edges)


def test_the_tail_above_is_needed(monkeypatch):
    cut_short(monkeypatch, 2.0)
    assert interval(normal(1), 2, TENTH, 128).upper >= EXACT.lower
    original = loss_cells.above
    monkeypatch.setattr(loss_cells, "above", lambda p, q, losses, tails, step: original(p, q, losses, (arb(0), tails[1]), step))
    assert interval(normal(1), 2, TENTH, 128).upper < EXACT.lower


def test_the_tail_below_is_needed(monkeypatch):
    """All of P is in the masses from above, and not without the tail; the masses from below hold no more than P."""
    cut_short(monkeypatch, 2.0)
    laws = {}
    for name in ("above", "below"):
        original = getattr(loss_cells, name)
        monkeypatch.setattr(loss_cells, name, lambda *parts, name=name, make=original: laws.setdefault(name, (parts, make(*parts)))[1])
    interval(normal(1), 1, TENTH, 16)
    with precision(160):
        (_, _, _, tails, _), upper = laws["above"]
        total = sum(upper.masses, upper.infinite)
        assert total >= 1 and total - tails[1] < 1
        assert sum(laws["below"][1].masses, arb(0)) <= 1 - tails[0] - tails[1] + arb("1e-30")


def test_trimmed_ends_are_counted(monkeypatch):
    """Trim a tenth of δ off each end: still a bound from above; not if the mass is dropped instead of moved up."""
    monkeypatch.setattr(loss_cells, "TRIMMED", 0.2)
    found = interval(normal(1), 2, TENTH, 64)
    assert found.lower <= EXACT.upper and EXACT.lower <= found.upper
    original = loss_cells.LossLattice.composed
    monkeypatch.setattr(loss_cells.LossLattice, "composed", lambda self, other, goal, *, up: original(self, other, goal, up=False))
    assert interval(normal(1), 2, TENTH, 64).upper < EXACT.lower


def test_where_balls_say_nothing_the_ends_are_trivial():
    """Equal edges give 0/0."""
    lost = loss_cells.LossLattice(arb(0), arb(1), 0, [arb(0.25), arb(0.25), arb.nan()], arb(0))
    assert lost.epsilon(arb(0.1), up=True) == arb.pos_inf() and lost.epsilon(arb(0.1), up=False) == 0


def test_epsilon_is_not_cut_at_a_node_where_the_remainder_may_vanish():
    """With a ball around 0 for A + infinite − δ the upper end must not fall to the node below."""
    lattice = loss_cells.LossLattice(arb(0), arb(1), 0, [arb(0), arb(0.5, 0.4)], arb(0))
    assert lattice.epsilon(arb(0.2), up=True) >= 1 + (1 - arb("0.2") / arb("0.9")).log()
