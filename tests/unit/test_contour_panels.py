"""Few steps and tiny rates: panels that grow with y, their error terms, and closed forms that they must hold."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import acb, arb

from dpbounds import contour
from dpbounds.balls import ball, precision
from dpbounds.contour import panels, shifted_line
from dpbounds.contour.closed_forms import mixture_delta
from dpbounds.contour.factors import MixtureFactor
from dpbounds.contour.line import Grid
from dpbounds.contour.mixture import Mixture
from dpbounds.contour.panels import evaluate_panels, plan_panels
from dpbounds.contour.shifted_line import ShiftedLine, ShiftedRule, shifted_error, shifted_rule
from dpbounds.errors import PrecisionError
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled

REMOVE = Mixture(Fraction(1, 10), Fraction(3), numerator=True, denominator=False)
BOTH = Mixture(Fraction(1, 10), Fraction(2), numerator=True, denominator=True)


@pytest.mark.parametrize(("mixture", "epsilon"), [(REMOVE, "0.1"), (BOTH, "0.3")])
def test_one_step_holds_the_closed_form(mixture, epsilon):
    value = Fraction(epsilon)
    with precision(200):
        factors = [MixtureFactor(mixture, 1)]
        found = evaluate_panels(factors, ball(value), plan_panels(factors, float(value), 40.0))
        assert found.overlaps(mixture_delta(mixture, ball(value)))
        assert found.rel_accuracy_bits() > 45


@pytest.mark.parametrize("name", ["stretch_error", "contour_truncation_bound", "shifted_error"])
def test_error_terms_are_needed(monkeypatch, name):
    with precision(200):
        factors, value = [MixtureFactor(REMOVE, 1)], Fraction(1, 10)
        exact = mixture_delta(REMOVE, ball(value))
        chosen = plan_panels(factors, 0.1, 40.0)
        if name == "stretch_error":
            chosen = panels.PanelPlan(**{**chosen.__dict__, "order": 3})
        elif name == "contour_truncation_bound":
            shorter = chosen.stretches[:2]
            hint = factors[0].approx_decay(chosen.c, shorter[-1].high)[1]
            chosen = panels.PanelPlan(**{**chosen.__dict__, "stretches": shorter, "last_hints": (hint,)})
        else:
            monkeypatch.setattr(shifted_line, "shifted_step", lambda *_: (0.5, 0.9))
        assert evaluate_panels(factors, ball(value), chosen).overlaps(exact)
        monkeypatch.setattr(shifted_line if name == "shifted_error" else panels, name, lambda *_: arb(0))
        assert not evaluate_panels(factors, ball(value), chosen).overlaps(exact)


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


def test_out_of_reach_is_said():
    with pytest.raises(PrecisionError, match="digit"):
        contour.delta(Repeated(Sampled(Gaussian("0.3"), PoissonSampling("1e-8")), 12), 0, digits=30, direction="remove")
