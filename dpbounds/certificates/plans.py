"""Parameters for the methods of `dpbounds.recheck`, from float64 estimates and the plans of the engine."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, cast

from dpbounds.accounting.bromwich import working_bits_of
from dpbounds.accounting.bromwich_planning import plan
from dpbounds.certificates.truncated_factor import TruncatedFactor
from dpbounds.covers.intervals import Undefined
from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.contour_factor import ContourFactor, GaussianFactor
from dpbounds.laws.factors import AtomicFactor, MixtureFactor
from dpbounds.laws.laplace import LaplaceFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.sampled_laplace import SampledLaplaceFactor
from dpbounds.laws.with_replacement import DrawsFactor
from dpbounds.mechanisms.exact_loss import ExactLoss, spacing_of
from dpbounds.mechanisms.pairs import GaussianMixturePair
from dpbounds.numbers.balls import BITS_PER_DIGIT, precision
from dpbounds.numbers.inputs import exact_ball
from dpbounds.recheck.atoms import Atoms, Loss
from dpbounds.recheck.bromwich import Law, Use
from dpbounds.recheck.convolution import LARGEST
from dpbounds.recheck.fixed_size import FixedSize
from dpbounds.recheck.gaussian_mixture import GaussianMixture
from dpbounds.recheck.noises import Gaussian, Laplace, SampledLaplace
from dpbounds.recheck.numbers import Numbers, Refused
from dpbounds.recheck.profiles import profile
from dpbounds.recheck.truncated_batch import TruncatedBatch

Document = dict[str, Any]


class _MirroredMixture(GaussianMixturePair):
    """A mixture against its mirror image."""

    symmetric = True


_LN10 = math.log(10)
_MARGIN = 6.0
"""Nats by which each error stays below what it may be: several of them add up."""
_LONGEST_LINE = 50_000
"""Nodes of a contour that the checker sums in half a minute."""
_LONGEST_RULE = 8_000
_GRIDS = (2_000, 10_000)
"""Points of the lattice of total losses."""
_GRID_USES = 100
"""More uses leave too few points for each, and have a contour."""


def short(value: float, up: bool = False) -> Fraction:
    """A positive number with five significant digits, rounded down or up."""
    exponent = math.floor(math.log10(value)) - 4
    scaled = Fraction(value) / Fraction(10) ** exponent
    return (math.ceil(scaled) if up else math.floor(scaled)) * Fraction(10) ** exponent


def methods(uses: Sequence[Use], epsilon: Fraction, digits: int) -> Iterator[Document]:
    """Methods that may show δ(ε) to so many digits, the simplest first, each with the bits it needs at first."""
    bits = int(digits * BITS_PER_DIGIT) + 64
    yield {"name": "beyond the largest loss", "bits": bits}
    tables = [(law, steps) for law, steps in uses if isinstance(law, Atoms)]
    units = [unit_of(law) for law, _ in tables]
    if len(tables) == len(uses):
        yield {"name": "convolution", "bits": bits, "units": units}
        if len(tables) == 1 and _is_short(*tables[0], units[0]):
            return
    elif tables:
        yield {"name": "conditioning", "bits": bits, "units": units}
    else:
        yield {"name": "closed form", "bits": bits}
    if all(isinstance(law, Laplace) for law, _ in uses):
        yield {"name": "residues", "bits": bits + 4 * sum(steps for _, steps in uses)}
    if not any(isinstance(law, FixedSize) for law, _ in uses):
        yield line(uses, epsilon, digits)


def tail_bounds(uses: Sequence[Use], epsilon: Fraction) -> Iterator[Document]:
    """Upper bounds on δ(ε), the best order first, then smaller ones."""
    if any(isinstance(law, FixedSize) for law, _ in uses):
        return
    with precision(128):
        factors = [factor_of(law, steps) for law, steps in uses]

    def exponent(x: float) -> float:
        return sum(factor.steps * factor.approx_log_moments(x)[0] for factor in factors) - x * float(epsilon)

    best = min((0.5 * 1.5**n for n in range(24)), key=exponent)
    rough = math.log(sum(steps for _, steps in uses)) + _MARGIN
    for share in (1.0, 0.4, 0.15):
        x = short(best * share)
        with contextlib.suppress(PrecisionError):
            yield {"name": "tail bound", "bits": 80, "order": str(x), "moments": [_moment(law, float(x), rough) for law, _ in uses]}


def grids(uses: Sequence[Use], epsilon: Fraction, size: Fraction) -> Iterator[Document]:
    """Grids of losses for δ(ε), which is about `size`: coarse ones first, which are checked in a second, then finer ones."""
    tables = [law for law, _ in uses if isinstance(law, Atoms)]
    others = [(law, steps) for law, steps in uses if not isinstance(law, Atoms)]
    if not 0 < sum(steps for _, steps in others) <= _GRID_USES or any(unit_of(law) is None and len(law.rows) > 3 for law in tables):
        return
    small = size / 10**9 / sum(steps for _, steps in others)
    with contextlib.suppress(Refused, Undefined):
        ends = [(_end(law, small), -_end(law.swapped(), small), steps) for law, steps in others]
        width = sum((high - low) * steps for high, low, steps in ends)
        for points in _GRIDS:
            step = short(float(width / points), up=True)
            rules = [{"first": math.floor(low / step) - 2, "last": math.ceil(high / step) + 1} for high, low, _ in ends]
            yield {"name": "grid", "bits": 110, "step": str(step), "grids": rules, "units": [unit_of(law) for law in tables]}


def _end(law: Law, small: Fraction) -> Fraction:
    """A loss s at which δ(s) of one use is at most so small."""
    numbers = Numbers(140)

    def is_small(s: Fraction) -> bool:
        return profile([(law, 1)], numbers.number(s), numbers).surely_at_most(small)

    low, high = Fraction(0), Fraction(1, 2**14)
    while not is_small(high):
        low, high = high, high * 2
        if high > 5000:
            raise Refused("the losses are too large for a grid")
    for _ in range(5):
        middle = (low + high) / 2
        low, high = (low, middle) if is_small(middle) else (middle, high)
    return high


def _moment(law: Law, x: float, error: float) -> Document | None:
    """The quadrature of M(x) for one law."""
    if isinstance(law, GaussianMixture):
        return mixture_rule(law, x, error, 0.0)
    if isinstance(law, TruncatedBatch):
        return {name: mixture_rule(part, x, error, 0.0) for name, _, part in law.parts()}
    if isinstance(law, SampledLaplace):
        return laplace_rule(law, x, 0.0, error)
    return None


def bits_beyond(law: Law, x: Fraction) -> int:
    """Bits that list discrete Gaussian noise beyond the largest terms of M(x)."""
    if not isinstance(law, Atoms) or law.beyond is None:
        return 0
    return math.ceil((x * law.beyond.shift / law.beyond.sigma) ** 2 / 2)


def _is_short(law: Atoms, steps: int, unit: Document | None) -> bool:
    """Whether a convolution is surely within what the checker adds up, so that no contour needs to be planned."""
    if unit is None:
        return math.comb(steps + len(law.rows) - 1, steps) <= LARGEST
    sizes = [float(loss.value(Numbers(64)).bounds()[0]) for _, loss in law.rows]
    size = float(Loss(Fraction(unit["plain"]), Fraction(unit["ratio"])).value(Numbers(64)).bounds()[0])
    return (max(sizes) - min(sizes)) * steps < 0.9 * LARGEST * abs(size)


def unit_of(law: Atoms) -> Document | None:
    """The lattice that carries the losses."""
    if any(loss.mixed for _, loss in law.rows):
        return None
    spacing = spacing_of([ExactLoss(loss.plain, loss.ratio) for _, loss in law.rows])
    return None if spacing is None else {"plain": str(spacing.unit.plain), "ratio": str(spacing.unit.ratio)}


def line(uses: Sequence[Use], epsilon: Fraction, digits: int) -> Document:
    """A Bromwich line.

    Raises:
        PrecisionError: none was found, or it would be too long for the checker.
    """
    with precision(128):
        factors = [factor_of(law, steps) for law, steps in uses]
        try:
            chosen = plan(factors, float(epsilon), (digits + 1) * _LN10 + 4, returns=False)  # the checker knows how M falls, no more
        except PrecisionError as reason:
            raise PrecisionError(f"no certificate: {reason}") from None
        if not all(factor.absolutely_continuous for factor in factors) and chosen.left:
            raise PrecisionError("no certificate: the loss can be infinite, and the checker's line would need too long a period for it")
        count = math.ceil(chosen.count * 1.05) + 1
        if count > _LONGEST_LINE:
            raise PrecisionError(
                f"no certificate: the line would need {count} nodes, more than {_LONGEST_LINE}; compositions of few steps are reached "
                "by contours that have no certificate"
            )
        bits = working_bits_of(factors, chosen) + 24
    c, h = short(chosen.c), short(chosen.step)
    right, left = (short(value) if value else None for value in (chosen.right, chosen.left))
    many = sum(steps for _, steps in uses)
    error = chosen.tolerance + max(0.0, chosen.amplitude) + math.log(many) + _MARGIN
    rough = math.log(many) + _MARGIN
    rules = []
    for (law, _), factor in zip(uses, factors, strict=True):
        rules.append(_rules(law, factor, float(c), float(h) * count, right, left, error, rough))
    return {
        "name": "bromwich",
        "bits": bits,
        "abscissa": str(c),
        "step": str(h),
        "nodes": count,
        "right": None if right is None else str(right),
        "left": None if left is None else str(left),
        "factors": rules,
    }


def _rules(
    law: Law, factor: ContourFactor, c: float, top: float, right: Fraction | None, left: Fraction | None, error: float, rough: float
) -> Document:
    """What the checker needs for one factor."""
    orders = {"right": right, "left": left}
    if isinstance(law, TruncatedBatch):
        inner = {name: part for name, _, part in cast(TruncatedFactor, factor).parts()}
        both = {name: _rules(part, inner[name], c, top, right, left, error, rough) for name, _, part in law.parts()}
        return {key: {name: rules[key] for name, rules in both.items()} for key in both["uncut"]}
    if isinstance(law, GaussianMixture):
        log_decay, hint = factor.approx_decay(c, top)
        shift = min(hint[0], 1.2 * float(law.sigma) / law.furthest)
        found = {
            "line": mixture_rule(law, c, error, None),
            "moment": mixture_rule(law, c, rough, 0.0),
            "decay": mixture_rule(law, c, rough - min(0.0, log_decay - factor.approx_log_moments(c)[0]), shift),
        }
        sides = {"right": law, "left": law.swapped()}
        return found | {key: mixture_rule(sides[key], float(x), rough, 0.0) for key, x in orders.items() if x is not None}
    if isinstance(law, SampledLaplace):
        found = {"line": laplace_rule(law, c, top, error)}
        ends = {"right": law, "left": law.swapped()}
        return found | {key: laplace_rule(ends[key], float(x), 0.0, rough) for key, x in orders.items() if x is not None}
    return {key: None for key, x in orders.items() if x is not None}


def mixture_rule(law: GaussianMixture, x: float, error: float, shift: float | None) -> Document:
    """A quadrature with errors of about e^{−error} of what is summed; `shift` None: that of a line, as wide as its strip."""
    if law.denominator and not law.weights[0]:
        raise PrecisionError("no certificate: the checker has no rule for a mixture without the weight of an unmoved query")
    furthest = law.furthest
    sigma = float(law.sigma) / furthest
    end = math.pi * sigma / 2 * 0.97 - (shift or 0.0)
    bounded = -x * math.log(float(law.weights[0])) if law.denominator else 0.0

    def penalty(reach: float) -> float:
        if not law.denominator:
            return 0.0
        plain = -x * math.log(math.cos(reach / (2 * sigma)))
        return plain if law.numerator or reach > 0.499 * math.pi * sigma else min(plain, bounded)

    best = (0.0, 0.0)
    for n in range(1, 41):
        strip = end * n / 40
        reach = strip + (strip if shift is None else shift)
        best = max(best, (2 * math.pi * strip / (error + reach**2 / 2 + penalty(reach) + 1), strip))
    step, strip = best
    above = strip if shift is None else shift
    level = error + above * above / 2 + bounded
    low = -math.sqrt(2 * level)
    high = -low
    if law.numerator:
        m = (1 + x) / sigma
        high = max(high, m + math.sqrt(2 * max(level + x * m / (2 * sigma) + math.log(float(law.weights[-1])), 0.0)))
    if (high - low) / step > _LONGEST_RULE:
        raise PrecisionError(
            "no certificate: the moments would need too many nodes: they are dominated by events of negligible probability, "
            "which the checker cannot cut off"
        )
    size = short(step)
    exact_strip = short(strip)
    exact_shift = exact_strip if shift is None else (short(shift) if shift else Fraction(0))
    return {
        "shift": str(exact_shift),
        "strip": str(exact_strip),
        "step": str(size),
        "first": math.floor(low / float(size)) - 1,
        "last": math.ceil(high / float(size)) + 1,
    }


def laplace_rule(law: SampledLaplace, x: float, y: float, error: float) -> Document:
    """A quadrature of sampled Laplace noise up to the height y."""
    largest = float(law.largest)
    p = -x if law.reversed else 1 + x
    top = math.log(1 - float(law.q) + float(law.q) * math.exp(min(largest, 700.0)))
    level = error + max(0.0, p * top if p > 0 else p * math.log1p(-float(law.q)))
    end = 0.97 * min(math.pi / 2, 2 * math.atan(math.pi / 2 / largest))
    best = (0.0, 0.0)
    for n in range(1, 41):
        strip = end * n / 40
        best = max(best, (2 * math.pi * strip / (level + y * largest * math.tan(strip / 2) + 3), strip))
    spacing, half = short(best[0]), short(best[1])
    last = math.ceil((level + 3) / float(spacing))
    if last > _LONGEST_RULE:
        raise PrecisionError("no certificate: the moments of Laplace noise would need too many nodes")
    return {"strip": str(half), "step": str(spacing), "last": last}


def factor_of(law: Law, steps: int) -> ContourFactor:
    """The engine's factor of a law, for its plans."""
    if isinstance(law, GaussianMixture):
        if law.furthest == 1:
            return MixtureFactor(Mixture(law.weights[1], law.sigma, numerator=law.numerator, denominator=law.denominator), steps)
        kind = _MirroredMixture if law.numerator and law.denominator else GaussianMixturePair
        return DrawsFactor(kind(law.weights, law.sigma), 0.0, steps, reversed=not law.numerator)
    if isinstance(law, TruncatedBatch):
        return cast(ContourFactor, TruncatedFactor(law, steps))
    if isinstance(law, Gaussian):
        return GaussianFactor(exact_ball(law.variance), steps)
    if isinstance(law, Laplace):
        return LaplaceFactor(exact_ball(law.largest), steps)
    if isinstance(law, SampledLaplace):
        return SampledLaplaceFactor(exact_ball(law.largest), law.q, law.reversed, steps)
    if isinstance(law, Atoms):
        rows = [(p.bounds()[0], loss.value(Numbers(128)).bounds()[0]) for p, loss in law.rows]
        return AtomicFactor(
            [exact_ball(p) for p, _ in rows], [exact_ball(loss) for _, loss in rows], steps, absolutely_continuous=law.absolutely_continuous
        )
    raise InputError(f"no plan is known for {type(law).__name__}")


def moment_rule(law: Law, x: float, digits: int, log_moment: float) -> Document | None:
    """The quadrature of M(x) for a divergence with so many digits."""
    return _moment(law, x, (digits + 1) * _LN10 + _MARGIN - min(0.0, math.log(max(log_moment, 1e-300))))
