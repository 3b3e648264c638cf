"""Decay of |M(x + iy)| as y grows, by moving the line of integration in s.

For a in (0, πσ) and y ≥ 0, moving s to s + ia,

    |M(x+iy)| ≤ B_a(y) = e^{a²/2} ∫ φ(s) |u(s+ia)|^{1+x} |v(s+ia)|^{−x} e^{−y·turn(s)} ds,    turn(s) = arg u(s+ia) − arg v(s+ia) ≥ 0.

The integrand decreases in y at every s, so B_a(Y) bounds |M(x+iy)| for all y ≥ Y.

B_a is itself computed by the trapezoid rule. Its integrand is, for real s, the analytic function

    G(s) = φ(s) [u(s+ia)u(s−ia)]^{(1+x)/2} [v(s+ia)v(s−ia)]^{−x/2} exp(−(y/2i)(log u(s+ia) − log u(s−ia) − log v(s+ia) + log v(s−ia))).

At s ± ib the exponential has modulus exp(−(y/2)(turn(s; b+a) − turn(s; b−a))), turn being odd and, for angles up to π/2, increasing in the
shift; so it is at most 1 if b ≤ a (and a+b < πσ), or if a + b ≤ πσ/2. The moduli of u and v are bounded as in `mixture`, by their real
values, and below as in `Mixture.denominator_loss` with the angle (a+b)/σ, for the square root of the product of the two v.
"""

from __future__ import annotations

import math

from flint import arb

from dpbounds.laws.mixture import Mixture
from dpbounds.laws.paths.bromwich_nodes import Grid, plan_range
from dpbounds.laws.paths.truncated_noise import decay_end, decay_rule_end


def shifted_decay(mixture: Mixture, x: arb, y: arb, hint: tuple[float, float], moment: arb, steps: int, cut: float | None = None) -> arb:
    """An upper bound on B_a(y), a = hint[0]: valid for |M(x+iy')|, every y' ≥ y.

    Args:
        hint: the shift a, and an estimate of log(B_a(y)/M(x)).
        moment: a ball around M(x).
        steps: the power the bound will be raised to; its relative accuracy is about e^{−5}/steps.
        cut: where the noise is cut, if it is.
    """
    shift, expected = hint
    tolerance = 5 + math.log(steps) + shift * shift / 2 + min(500.0, max(0.0, -expected))
    a = arb(shift)
    inner, step = inner_shift(mixture, float(x), shift, tolerance)
    spare = mixture.approx_largest_loss(shift, float(x)) + 1
    grid = shifted_range(mixture, float(x), shift, step, tolerance + spare, float(moment.log()), cut)
    nodes = grid.nodes()
    scale = arb(step) / (2 * arb.pi()).sqrt()
    total = arb(0)
    for node, (log_u, log_v, turn) in zip(nodes, mixture.shifted(nodes, a), strict=True):
        total += ((1 + x) * log_u - x * log_v - y * turn - node * node / 2).exp()
    error = quadrature_error(mixture, grid, x, a, arb(inner), moment)
    end = arb(0) if cut is None else decay_end(mixture, cut, x, a)
    return ((a * a / 2).exp() * (scale * total + error) + end).upper()


def quadrature_error(mixture: Mixture, grid: Grid, x: arb, a: arb, b: arb, moment: arb) -> arb:
    """The trapezoid and truncation error of ∫G."""
    step = arb(grid.step)
    widest = mixture.denominator_loss(a + b, x, pointwise=False)
    discretisation = 2 * (b * b / 2).exp() * widest * moment.upper() / (2 * arb.pi() * b / step).expm1()
    end = arb(0) if grid.cut is None else decay_rule_end(mixture, grid.cut, x, b, step)
    return discretisation + shifted_tails(mixture, grid, x, a) + end


def shifted_tails(mixture: Mixture, grid: Grid, x: arb, a: arb) -> arb:
    """The omitted nodes of ∫G.

    Pointwise |G| ≤ f_x·cos(θ/2)^{−n}, f_x = φu^{1+x}v^{−x}. Or, as in `Mixture.denominator_loss`, with x′ = x·cos θ ≥ 0,
    |G| ≤ (1−q)^{−n(1−cos θ)}·φu^{1+x}v^{−x′} ≤ (1−q)^{−n(1−cos θ)}(f_x + f_{x′}): where v ≤ 1, v^{−x′} ≤ v^{−x}; where v > 1, that is
    s < −1/2σ, u ≤ 1 and u^{1+x} ≤ u^{1+x′}. Without u, |G| ≤ (1−q)^{−n(1−cos θ)}·f_{x′}.
    """
    step = arb(grid.step)
    left = grid.node(grid.first)
    if grid.cut is not None:
        return mixture.left_tail(left, x, step)  # a cut pair has u only, hence no negative exponent
    right = grid.node(grid.last)
    tails = mixture.right_tail(right, x, step) + mixture.left_tail(left, x, step)
    plain = tails * mixture.denominator_loss(a, x, pointwise=True)
    q, sigma = mixture.parameters()
    cosine = (a / sigma).cos()
    if not (cosine >= 0 and x >= 0):
        return plain
    loss = (-mixture.negative_power(x) * (1 - cosine) * (-q).log1p()).exp()
    less = x * cosine
    other = mixture.left_tail(left, less, step) + mixture.right_tail(right, less, step)
    return plain.min(loss * (tails + other if mixture.numerator else other))


def shifted_range(mixture: Mixture, x: float, a: float, step: float, tolerance: float, log_moment: float, cut: float | None = None) -> Grid:
    """The shortest grid of this step whose `shifted_tails` are about e^{−tolerance}·M(x), but for the common factor of theirs."""
    grid = plan_range(mixture, x, step, tolerance, log_moment, cut)
    less = x * math.cos(a / float(mixture.sigma))
    if not (mixture.denominator and 0 < less < x):
        return grid
    other = plan_range(mixture, less, step, tolerance, log_moment)
    if not mixture.numerator:
        return other
    return Grid(step, min(grid.first, other.first), max(grid.last, other.last))


def inner_shift(mixture: Mixture, x: float, a: float, tolerance: float) -> tuple[float, float]:
    """The shift b of the proof, and the longest step, for a relative quadrature error of about e^{−tolerance}."""
    allowed = max(min(a, mixture.strip - a) * 0.999, mixture.strip / 2 - a)
    best = (0.0, 0.0)
    for index in range(40):
        b = min(allowed, 3 * math.sqrt(tolerance)) * 0.9**index
        modulus, _ = mixture.approx_shift(a + b, x)
        best = max(best, (2 * math.pi * b / (tolerance + 2 + b * b / 2 + modulus - (a + b) ** 2 / 2), b))
    return best[1], min(best[0], 1.0)
