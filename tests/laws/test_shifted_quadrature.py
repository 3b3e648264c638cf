"""Moments along a shifted line: they agree with the real line, and every error term is needed."""

from fractions import Fraction

import pytest
from flint import acb, arb

from dpbounds.accounting.solve import delta
from dpbounds.errors import PrecisionError
from dpbounds.float64 import delta_bounds
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.paths import decay as tilt
from dpbounds.laws.paths import shifted_quadrature as shifted_line
from dpbounds.laws.paths.bromwich_nodes import Grid
from dpbounds.laws.paths.phase_sums import require_affordable
from dpbounds.laws.paths.shifted_quadrature import ShiftedLine, ShiftedRule, shifted_error, shifted_rule
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.numbers.balls import precision

REMOVE = Mixture(Fraction(1, 10), Fraction(3), numerator=True, denominator=False)
BOTH = Mixture(Fraction(1, 10), Fraction(2), numerator=True, denominator=True)


def test_shifted_line_agrees_with_the_real_line():
    with precision(150):
        factor = MixtureFactor(REMOVE, 1)
        c = arb(2)
        rule = shifted_rule(REMOVE, 2.0, 60.0, 0.0)
        line = ShiftedLine.of_mixture(REMOVE, rule, c, factor.moment(c))
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
            return ShiftedLine.of_mixture(mixture, ShiftedRule(rule.shift, grid), c, factor.moment(c)).equally_spaced(arb("0.5"), 3)[2]

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
            return ShiftedLine.of_mixture(mixture, rule, c, factor.moment(c)).equally_spaced(arb("0.5"), 3)[2]

        coarse = ShiftedRule(0.5, Grid(1.0, -15, 15))
        exact = value(shifted_rule(mixture, 2.0, 60.0, 0.0))
        assert value(coarse).overlaps(exact)
        monkeypatch.setattr(shifted_line, "shifted_error", lambda *_: arb(0))
        assert not value(coarse).overlaps(exact)


def test_nodes_where_the_negative_power_is_weaker_are_counted(monkeypatch):
    """Near v = 2 the modulus of v(s + ia)^{−x} is far above v^{−x}: the second tail of `tilt.shifted_tails`, at x·cos θ, holds it."""
    rare, x, a, grid = Mixture(Fraction(1, 100), Fraction(1), numerator=False, denominator=True), arb(40), arb(1), Grid(0.25, -20, 100)
    left_out = [arb(-5) - arb(n) / 4 for n in range(1, 60)]
    with precision(100):
        sizes = [(-x * log_v - s * s / 2).exp() for s, (_, log_v, _) in zip(left_out, rare.shifted(left_out, a), strict=True)]
        omitted = sum(sizes, arb(0)) / 4 / (2 * arb.pi()).sqrt()
        found = tilt.shifted_tails(rare, grid, x, a)
        assert omitted <= found
        monkeypatch.setattr(Mixture, "denominator_loss", lambda *_, **__: arb.pos_inf())  # the pointwise bound, which is as good here
        assert omitted <= tilt.shifted_tails(rare, grid, x, a)
        left, right = Mixture.left_tail, Mixture.right_tail
        monkeypatch.setattr(Mixture, "left_tail", lambda self, cut, order, step: left(self, cut, order, step) if order == x else arb(0))
        monkeypatch.setattr(Mixture, "right_tail", lambda self, cut, order, step: right(self, cut, order, step) if order == x else arb(0))
        assert not omitted <= tilt.shifted_tails(rare, grid, x, a)


def test_long_ranges_at_large_tilts_reach_their_accuracy():
    """What the rule was planned for is what its error bound says, within a factor, also for many uses at a tiny rate."""
    rare, x = Mixture(Fraction("1.74e-7"), Fraction("0.604"), numerator=False, denominator=True), 5e4
    with precision(100):
        factor = MixtureFactor(rare, 1)
        log_moment = factor.approx_log_moments(x)[0]
        rule = shifted_rule(rare, x, 30.0, log_moment)
        error = shifted_error(rare, rule.grid, arb(x), arb(rule.shift), factor.moment(arb(x)))
        assert error <= (arb(log_moment) - 27).exp()


def test_many_uses_at_a_tiny_rate_have_many_digits():
    """5045 uses at q = 1.74e-7 gave 4 digits once."""
    mechanism = Repeated(Sampled(Gaussian("0.604"), PoissonSampling("1.74e-7")), 5045)
    few, many = (delta(mechanism, "3.77e-5", digits=digits, direction="add").enclosure for digits in (5, 25))
    assert few.contains(many)
    assert many.meets(25)
    bounds = delta_bounds(mechanism, Fraction("3.77e-5"), direction="add")
    assert bounds.lower <= many.upper_float
    assert bounds.upper >= many.lower_float


@pytest.mark.parametrize("ask", [Grid(1.0, -(10**30), 10**30).nodes, lambda: require_affordable(10**200, 10**200)])
def test_more_nodes_than_a_list_or_a_float_can_count_are_refused(ask):
    with pytest.raises(PrecisionError, match="nodes"):
        ask()
