"""The hard corner: few steps or tiny kq, where |M(c+iy)| decays so slowly that equal steps along the contour are hopeless.

δ(ε) = (1/π)∫_0^∞ Re F(c+iy)dy is cut into panels whose length grows with y, each taken by Gauss–Legendre quadrature. If |F| ≤ B in the
ellipse
with foci at the ends of a panel of length ℓ and semi-axes (ℓ/2)(ρ ± 1/ρ)/2, its error is at most 8(ℓ/2)Bρ^{−2N}/(1 − ρ^{−2}) (proof in
`sampled_laplace`). B comes from the corners of a box around the ellipse: `tilt.shifted_decay` bounds |M(x+iy′)| for all y′ ≥ y, and for
fixed
shift a it is log-convex in x, being an integral of exponentials in x; so the larger of the values at the two lower corners, taken with
the same
shift, bounds the box. Where the box reaches below the real axis, |M(x+iy)| ≤ M(x), which is log-convex too.

M itself is integrated along s + ia, a > 0, where the integrand has the factor e^{−y·turn} with turn ≥ 0: moving on by b ≤ a to either
side keeps
turn ≥ 0, so the trapezoid error has no factor that grows with y:

    |Σ − M| ≤ (e^{(a+b)²/2}·loss(a+b) + e^{(a−b)²/2}·loss(a−b))·M(x)/(e^{2πb/η} − 1), here with b = a, loss as in
    `Mixture.denominator_loss`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from flint import acb, acb_mat, arb

from dpbounds.contour.factors import Factor, MixtureFactor
from dpbounds.contour.line import powers_of
from dpbounds.contour.planning import Model, Target
from dpbounds.contour.shifted_line import ShiftedLine, shifted_rule
from dpbounds.contour.truncation import contour_truncation_bound
from dpbounds.errors import PrecisionError

LARGEST_PANELS = 25_000
_CHUNK = 64
_MOST_ENTRIES = 20_000_000
_RHO = 2.4
_FRACTIONS = (1.0, 0.4, 0.15, 0.05, 0.015, 0.004)
_LARGEST_AMPLITUDE = 1000.0


@dataclass(frozen=True)
class Stretch:
    """Equal panels between the heights `low` and `high`; `hints` are the decay hints at the left and right end of their boxes."""

    low: float
    high: float
    panels: int
    hints: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class PanelPlan:
    """Abscissa, Gauss order, stretches from the real axis up, and the hints for what lies above them."""

    c: float
    order: int
    stretches: tuple[Stretch, ...]
    last_hints: tuple[tuple[float, float], ...]
    log_value: float
    amplitude: float
    tolerance: float

    @property
    def panels(self) -> int:
        """Their number."""
        return sum(stretch.panels for stretch in self.stretches)


def plan_panels(factors: Sequence[Factor], epsilon: float, tolerance: float, target: Target | None = None) -> PanelPlan:
    """Panels for a relative error of about e^{−tolerance}.

    Raises:
        PrecisionError: more than `LARGEST_PANELS` would be needed.
    """
    model = Model(factors, epsilon)
    saddle = model.saddle() if target is None else target.saddle
    log_value = model.log_delta(saddle) if target is None else target.log_value
    best: PanelPlan | None = None
    failure = PrecisionError("delta: no abscissa is fit for panels; no digit was reached")
    for fraction in _FRACTIONS:
        c = saddle * fraction
        if model.exponent(c) - math.log(c) - math.log1p(c) - log_value > _LARGEST_AMPLITUDE:
            continue
        try:
            found = _plan_at(model, c, log_value, tolerance, LARGEST_PANELS if best is None else best.panels)
        except PrecisionError as error:
            failure = error
            continue
        if best is None or found.panels * found.order < best.panels * best.order:
            best = found
        elif best is not None:
            break
    if best is None:
        raise failure
    return best


def _plan_at(model: Model, c: float, log_value: float, tolerance: float, most: int) -> PanelPlan:
    goal = log_value - tolerance - 8
    amplitude = model.exponent(c) - math.log(c) - math.log1p(c) - log_value
    order = int((tolerance + max(0.0, amplitude) + 12) / (2 * math.log(_RHO))) + 4
    stretches = [_first(model, c, order, goal)]
    while True:
        low = stretches[-1].high
        decay, hints = model.decay(c, low)
        if model.exponent(c) + decay - math.log(math.pi * low) <= goal:
            break
        stretches.append(_next(model, c, low, order, goal, stretches[-1], most))
        if sum(stretch.panels for stretch in stretches) > most or len(stretches) > 200:
            raise PrecisionError(
                f"delta: the contour would need more than {most} panels; no digit was reached; "
                "few steps with a tiny sampling rate and a small epsilon are out of reach"
            )
    return PanelPlan(c, order, tuple(stretches), hints, log_value, amplitude, tolerance)


def _widths(length: float) -> tuple[float, float]:
    """How far the ellipse of a vertical panel reaches to the side, and beyond its ends."""
    return length / 2 * (_RHO - 1 / _RHO) / 2, length / 2 * ((_RHO + 1 / _RHO) / 2 - 1)


def _first(model: Model, c: float, order: int, goal: float) -> Stretch:
    """From the real axis to a height of about c."""
    high = 0.7 * c
    for power in range(40):
        panels = 2**power
        side, _ = _widths(high / panels)
        if side < 0.9 * c:
            size = max(model.exponent(x) - 2 * math.log(c - side) for x in (c - side, c + side))
            if size + math.log(8 * high) - 2 * order * math.log(_RHO) <= goal:
                return Stretch(0.0, high, panels, ())
    raise PrecisionError("delta: no panel is short enough near the real axis; no digit was reached")


def _next(model: Model, c: float, low: float, order: int, goal: float, before: Stretch, most: int) -> Stretch:
    """Twice the height, in as few panels as the bound allows."""
    high = 2 * low
    guess = (before.high - before.low) / before.panels
    panels = max(1, int((high - low) / (guess * 2.5)))
    _, shifts = model.decay(c, low)
    while panels <= most:
        side, end = _widths((high - low) / panels)
        base = low - end
        if base > 0:
            size, hints = _box(model, c, side, base, shifts)
            if size + math.log(8 * (high - low)) - 2 * order * math.log(_RHO) <= goal:
                return Stretch(low, high, panels, hints)
        panels = int(panels * 1.5) + 1
    raise PrecisionError(
        f"delta: the contour would need more than {most} panels; no digit was reached; few steps with a tiny sampling rate "
        "and a small epsilon are out of reach"
    )


def _box(
    model: Model, c: float, side: float, base: float, hints: Sequence[tuple[float, float]]
) -> tuple[float, tuple[tuple[float, float], ...]]:
    """About the logarithm of the bound on F in a box, with the hints (the same shift at both corners, that of `hints`)."""
    sizes, expected = [], []
    for x in (c - side, c + side):
        total, own = -model.epsilon * x - 2 * math.log(base), []
        for factor, hint in zip(model.factors, hints, strict=True):
            assert isinstance(factor, MixtureFactor)
            value = max(factor.approx_shifted_decay(x, base, hint[0]), -450.0)  # `shifted_decay` is not asked for more
            own.append(value)
            total += factor.steps * (value + factor.approx_log_moments(x)[0])
        sizes.append(total)
        expected.append(own)
    return max(sizes), tuple((hint[0], min(a, b)) for hint, a, b in zip(hints, *expected, strict=True))


def evaluate_panels(factors: Sequence[MixtureFactor], epsilon: arb, chosen: PanelPlan) -> arb:
    """The ball of the planned panels at the current precision."""
    c = arb(chosen.c)
    total, error = arb(0), arb(0)
    rule = [arb.legendre_p_root(chosen.order, k, weight=True) for k in range(chosen.order)]
    lines = [_shifted_line(factor, chosen) for factor in factors]
    for stretch in chosen.stretches:
        total += _stretch_sum(lines, [factor.steps for factor in factors], epsilon, c, stretch, rule)
        error += stretch_error(factors, epsilon, c, stretch, chosen.order)
    last = arb(chosen.stretches[-1].high)
    decay = arb(1)
    for factor, hint in zip(factors, chosen.last_hints, strict=True):
        decay *= factor.decay(c, last, hint) ** factor.steps
    error += contour_truncation_bound(decay, c, epsilon, last)
    side = arb(0, error.upper())
    return (total + side).nonnegative_part()


def stretch_error(factors: Sequence[MixtureFactor], epsilon: arb, c: arb, stretch: Stretch, order: int) -> arb:
    """The Gauss–Legendre errors of a stretch, divided by π."""
    rho, length = arb(_RHO), (arb(stretch.high) - arb(stretch.low)) / stretch.panels
    side, end = length / 2 * (rho - 1 / rho) / 2, length / 2 * ((rho + 1 / rho) / 2 - 1)
    base = arb(stretch.low) - end
    corners = [arb((c - side).lower()), arb((c + side).upper())]
    sizes = []
    for x in corners:
        size = (-epsilon * x).exp()
        for index, factor in enumerate(factors):
            if stretch.hints:
                size *= factor.decay(x, arb(base.lower()), stretch.hints[index]) ** factor.steps
            else:
                size *= factor.moment(x).upper() ** factor.steps
        sizes.append(size)
    # |z(z+1)| is at least base², or (c−side)² where the box touches the real axis
    nearest = base if stretch.hints else corners[0]
    if not nearest > 0:
        return arb.pos_inf()
    bound = sizes[0].max(sizes[1]) / nearest**2
    return stretch.panels * 8 * length / 2 * bound * rho ** (-2 * order) / (1 - 1 / rho**2) / arb.pi()


def _shifted_line(factor: MixtureFactor, chosen: PanelPlan) -> ShiftedLine:
    tolerance = chosen.tolerance + max(0.0, chosen.amplitude) + math.log(factor.steps) + 10
    rule = shifted_rule(factor.mixture, chosen.c, tolerance, factor.approx_log_moments(chosen.c)[0], factor.cut)
    if len(rule.grid) * chosen.panels > _MOST_ENTRIES:
        raise PrecisionError(
            f"the contour would need {chosen.panels} panels of moments of {len(rule.grid)} nodes each; no digit was reached; "
            "few steps with a tiny sampling rate can be out of reach; ask for fewer digits"
        )
    c = arb(chosen.c)
    return ShiftedLine.of(factor.mixture, rule, c, factor.moment(c))


def _stretch_sum(lines: list[ShiftedLine], steps: list[int], epsilon: arb, c: arb, stretch: Stretch, rule: list[tuple[arb, arb]]) -> arb:
    """(1/π)∫Re F over a stretch: M at all nodes as products of two matrices, offsets within a panel × panels."""
    length = (arb(stretch.high) - arb(stretch.low)) / stretch.panels
    offsets = [length * (node + 1) / 2 for node, _ in rule]
    total = arb(0)
    inside = [[[(acb(0, offset) * loss).exp() for loss in line.losses] for offset in offsets] for line in lines]
    jumps = [[(acb(0, length) * loss).exp() for loss in line.losses] for line in lines]
    for start in range(0, stretch.panels, _CHUNK):
        count = min(_CHUNK, stretch.panels - start)
        tables = []
        for line, rows, jump in zip(lines, inside, jumps, strict=True):
            origin = acb(0, arb(stretch.low) + length * start)
            first = [w * (origin * loss).exp() for w, loss in zip(line.weights, line.losses, strict=True)]
            powers = powers_of(jump, count)
            left = acb_mat(len(rule), len(first), [entry for row in rows for entry in row])
            right = acb_mat(count, len(first), [p * f for row in powers for p, f in zip(row, first, strict=True)])
            tables.append((left * right.transpose()).tolist())
        for panel in range(count):
            base = arb(stretch.low) + length * (start + panel)
            for j, (_, weight) in enumerate(rule):
                z = acb(c, base + offsets[j])
                value = (-epsilon * z).exp() / (z * (z + 1))
                for line, table, count_of in zip(lines, tables, steps, strict=True):
                    side = arb(0, line.radius.upper())
                    value *= (table[j][panel] + acb(side, side)) ** count_of
                total += value.real * weight
    return total * length / 2 / arb.pi()
