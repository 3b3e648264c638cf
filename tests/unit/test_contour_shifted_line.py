"""Moments along a shifted line: they agree with the real line, and every error term is needed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import acb, arb

from dpbounds.balls import precision
from dpbounds.contour import shifted_line
from dpbounds.contour.factors import MixtureFactor
from dpbounds.contour.line import Grid
from dpbounds.contour.mixture import Mixture
from dpbounds.contour.shifted_line import ShiftedLine, ShiftedRule, shifted_error, shifted_rule

REMOVE = Mixture(Fraction(1, 10), Fraction(3), numerator=True, denominator=False)
BOTH = Mixture(Fraction(1, 10), Fraction(2), numerator=True, denominator=True)


def test_shifted_line_agrees_with_the_real_line():
    with precision(150):
        factor = MixtureFactor(REMOVE, 1)
        c = arb(2)
        rule = shifted_rule(REMOVE, 2.0, 60.0, 0.0)
        line = ShiftedLine.of(REMOVE, rule, c, factor.moment(c))
        z = acb(c, 5)
        total = sum((w * (acb(0, 5) * loss).exp() for w, loss in zip(line.weights, line.losses, strict=True)), acb(0))
        assert abs(total - factor.mixture_value(z)) <= line.radius + arb("1e-15")
        assert line.radius.overlaps(shifted_error(REMOVE, rule.grid, c, arb(rule.shift), factor.moment(c)))


@pytest.mark.parametrize(("mixture", "first", "last"), [(REMOVE, -6, 60), (REMOVE, -40, 8), (BOTH, -5, 60), (BOTH, -40, 7)])
def test_nodes_left_out_of_a_shifted_line_are_needed(monkeypatch, mixture, first, last):
    """A line cut short on one side, against a long one."""
    with precision(150):
        factor, c, rule = MixtureFactor(mixture, 1), arb(2), shifted_rule(mixture, 2.0, 60.0, 0.0)

        def value(grid):
            return ShiftedLine.of(mixture, ShiftedRule(rule.shift, grid), c, factor.moment(c)).equally_spaced(arb("0.5"), 3)[2]

        step = rule.grid.step
        scale = 0.5 / step
        short = Grid(step, round(first * scale), round(last * scale))
        exact = value(rule.grid)
        assert value(short).overlaps(exact)
        monkeypatch.setattr(shifted_line, "shifted_tails", lambda *_: arb(0))
        assert not value(short).overlaps(exact)


@pytest.mark.parametrize("mixture", [REMOVE, BOTH])
def test_the_error_of_a_coarse_rule_is_needed(monkeypatch, mixture):
    with precision(150):
        factor, c = MixtureFactor(mixture, 1), arb(2)

        def value(rule):
            return ShiftedLine.of(mixture, rule, c, factor.moment(c)).equally_spaced(arb("0.5"), 3)[2]

        coarse = ShiftedRule(0.5, Grid(1.0, -15, 15))
        exact = value(shifted_rule(mixture, 2.0, 60.0, 0.0))
        assert value(coarse).overlaps(exact)
        monkeypatch.setattr(shifted_line, "shifted_error", lambda *_: arb(0))
        assert not value(coarse).overlaps(exact)
