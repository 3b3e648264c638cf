"""The moment function of a Gaussian mixture pair at heights y ≥ 0, integrated along s + ia, a > 0.

There the integrand of M(x+iy) has the factor e^{−y·turn} with turn = arg u − arg v ≥ 0: nothing grows with y, and nodes that the rule of
`line` would need for the oscillation at large y are not there. Moving on by b, 0 < b ≤ a, to either side keeps turn ≥ 0, so the rule
with step η has, for every y ≥ 0,

    |Σ − M| ≤ (e^{(a+b)²/2}·loss(a+b) + e^{(a−b)²/2}·loss(a−b))·M(x)/(e^{2πb/η} − 1),

here with b = a and loss as in `Mixture.denominator_loss`,
and the omitted nodes are those of the real line, larger by at most e^{a²/2} and what `tilt.shifted_tails` says of the negative exponent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from flint import acb, arb

from dpbounds.laws.mixture import Mixture
from dpbounds.laws.paths.bromwich_nodes import Grid
from dpbounds.laws.paths.decay import shifted_range, shifted_tails
from dpbounds.laws.paths.phase_sums import phase_sums
from dpbounds.laws.paths.truncated_noise import shifted_rule_end
from dpbounds.numbers.balls import precision, working_bits
from dpbounds.numbers.discs import ball_around_zero


@dataclass(frozen=True)
class ShiftedRule:
    """The shift a and the nodes along Im s = a."""

    shift: float
    grid: Grid


def shifted_rule(mixture: Mixture, x: float, tolerance: float, log_moment: float, cut: float | None = None) -> ShiftedRule:
    """The rule for errors of about e^{−tolerance}·M(x) at every height."""
    shift, step = shifted_step(mixture, x, tolerance)
    spare = shift * shift / 2 + mixture.approx_largest_loss(shift, x) + 1
    grid = shifted_range(mixture, x, shift, step, tolerance + spare, log_moment, cut)
    return ShiftedRule(shift, grid)


def shifted_step(mixture: Mixture, x: float, tolerance: float) -> tuple[float, float]:
    """The shift a and the longest step for a trapezoid error of about e^{−tolerance}·M."""
    best = (0.0, 0.0)
    for index in range(60):
        a = min(0.48 * mixture.strip, 8.0) * 0.92**index
        modulus = mixture.approx_shift(2 * a, x)[0]
        best = max(best, (2 * math.pi * a / (tolerance + modulus + 1), a))
    return best[1], best[0]


def shifted_error(mixture: Mixture, grid: Grid, x: arb, a: arb, moment: arb) -> arb:
    """The trapezoid error along s + ia and the omitted nodes, for every y ≥ 0; `moment` is a ball around M(x)."""
    sides = mixture.shift_modulus(2 * a, x) + 1
    discretisation = sides * moment.upper() / (2 * arb.pi() * a / arb(grid.step)).expm1()
    end = arb(0) if grid.cut is None else shifted_rule_end(mixture, grid.cut, x, a, arb(grid.step))
    return discretisation + (a * a / 2).exp() * shifted_tails(mixture, grid, x, a) + end


@dataclass
class ShiftedLine:
    """Weights and complex losses at the nodes s + ia, Re z = x: M(x+iy) = Σ weight·e^{iy·loss}, give or take `radius`, for y ≥ 0."""

    weights: list[acb]
    losses: list[acb]
    radius: arb
    spare: int = 40
    """Bits beyond the precision: terms may be that much larger than M."""

    @classmethod
    def of_mixture(cls, mixture: Mixture, rule: ShiftedRule, x: arb, moment: arb) -> ShiftedLine:
        """Evaluate at the nodes, with the bits that e^{a²/2} costs."""
        a = arb(rule.shift)
        weights, losses = [], []
        spare = int(0.73 * rule.shift**2) + 2
        with precision(working_bits() + spare):
            scale = arb(rule.grid.step) / (2 * arb.pi()).sqrt()
            for node in rule.grid.nodes():
                point = acb(node, a)
                log_u, log_v = mixture.complex_logs(point)
                losses.append(log_u - log_v)
                weights.append(scale * ((1 + x) * log_u - x * log_v - point * point / 2).exp())
        return cls(weights, losses, shifted_error(mixture, rule.grid, x, a, moment), spare)

    def equally_spaced(self, h: arb, count: int, start: int = 0) -> list[acb]:
        """Balls around M(x + ijh), j = start … start+count−1."""
        with precision(working_bits() + self.spare):
            weights = self.weights
            if start:
                turn = acb(0, h * start)
                weights = [weight * (turn * loss).exp() for weight, loss in zip(weights, self.losses, strict=True)]
            sums = phase_sums(weights, self.losses, h, count)
        spread = ball_around_zero(self.radius)
        return [value + spread for value in sums]
