"""δ(ε) of products with random allocation in float64: the contour of `contour`, the moments of `random_allocation`.

*Add* (without the record ‖ with): the contour as it is, at any real ε. *Remove*: P and Q have one support, so

    δ_remove(ε) = 1 − e^ε + e^ε·δ_add(−ε) = e^ε·(δ_add(−ε) − (1 − e^{−ε})),

and the interval of δ_add(−ε), about 10^{−14} wide at best, is what is left of the accuracy: where δ_remove is below that, its lower bound
is 0. The certified value has no such limit.

Beside the epochs there may be Gaussian noise and tables (`atoms`). The outcomes that only one side shows are in no moment: δ_add grows by
their probability λ = 1 − Π(1−λ_f)^{k_f} under the first side, and the equation above holds with them.
"""

from __future__ import annotations

import math

import numpy as np

from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64.atoms import AtomsCharacteristic, characteristic_of
from dpbounds.float64.contour import MAX_TABLE, Contour, log_moment_above
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laplace_mixture import LaplaceMixture
from dpbounds.float64.laws import AtomsOnly, loss_law, to_float
from dpbounds.float64.random_allocation import AllocationLine, EpochEstimates, coarse
from dpbounds.float64.random_allocation import log_moment_above as log_epoch_above
from dpbounds.float64.result import Bounds
from dpbounds.float64.rounding import LIBM, UNIT_ROUNDOFF
from dpbounds.float64.saddle import Moments
from dpbounds.mechanisms import pairs

METHOD = "contour"
MAX_NODES = 6000
MARGIN = 12.0
"""Each error is aimed at a MARGIN-th of the width asked for."""
PARITY_DEPTH = 36.0
"""Nats below 1 that errors of δ_add(−ε) are aimed at: float64 has no more."""
LEAST_TILT = 0.4
"""Smallest abscissa: the left end of a ray is as long as 40/c."""
_LOST = 1e-12
"""Relative error of λ, and of adding it in logarithms: far more than the rounding of either."""
_RATIO = 1.45
"""Between the abscissas that are compared."""
_BELOW, _ABOVE = 4, 4
"""How many of them are compared on each side of the saddle point."""


def _log_moment_above(law: GaussianMixture | AtomsOnly, order: float) -> float:
    if isinstance(law, GaussianMixture):
        return log_moment_above(law, order)
    part = AtomsCharacteristic(law, order)
    return part.shift + part.far(0.0) + 8 * UNIT_ROUNDOFF * (1 + abs(part.shift))


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


def holds_allocation(product: pairs.Product) -> bool:
    """Whether a factor is an epoch of random allocation.

    Raises:
        InputError: several participations, where only an upper bound is known.
    """
    found = [factor.pair for factor in product.factors if isinstance(factor.pair, pairs.AllocationPair)]
    if any(pair.bound for pair in found):
        raise InputError(
            "the float64 accountants bound from both sides, and several participations in random allocation have no lower bound; "
            "use dpbounds.accounting"
        )
    return bool(found)


class Accountant:
    """Bounds of δ(ε) of one product at many ε; a contour serves as many of them as its accuracy allows.

    Raises:
        PrecisionError: factors that are neither random allocation nor Gaussian noise nor tables.
    """

    def __init__(self, product: pairs.Product) -> None:
        self.remove = not next(factor for factor in product.factors if isinstance(factor.pair, pairs.AllocationPair)).reversed
        self.epochs: list[tuple[int, EpochEstimates]] = []
        others: list[tuple[int, GaussianMixture | AtomsOnly]] = []
        for factor in product.factors:
            if isinstance(factor.pair, pairs.AllocationPair):
                if factor.reversed == self.remove:
                    raise PrecisionError(
                        "the float64 accountants do not compose random allocation in the directions remove and add; use dpbounds.accounting"
                    )
                self.epochs.append((factor.steps, EpochEstimates(to_float(factor.pair.sigma), factor.pair.bins)))
                continue
            law = loss_law(pairs.Factor(factor.pair, factor.steps, factor.reversed != self.remove))
            if isinstance(law, LaplaceMixture):
                raise PrecisionError(
                    "beside random allocation the float64 accountants take Gaussian noise and tables only; use dpbounds.accounting"
                )
            if law.infinite_mass == 1:
                raise PrecisionError("random allocation: one other use tells the two sides apart; use dpbounds.accounting")
            others.append((factor.steps, law))
        self.others = others
        self.lost = -math.expm1(math.fsum(count * math.log1p(-law.infinite_mass) for count, law in others))
        self.dropped = math.fsum(count * getattr(law, "dropped", 0.0) for count, law in others)
        self.moments = Moments(tuple(law for _, law in others), tuple(float(count) for count, _ in others))
        self._contours: list[tuple[Contour, float]] = []

    def bounds(self, epsilon: float, tolerance: float) -> Bounds:
        """Lower and upper bounds of δ(ε).

        Raises:
            PrecisionError: no contour that float64 can carry.
        """
        argument = -epsilon if self.remove else epsilon
        for contour, width in reversed(self._contours):
            found = self._read(contour, epsilon)
            if found.relative_width <= tolerance or (self.remove and found.upper - found.lower <= 1.5 * width):
                return found
        log_delta: float | None = None
        best: Bounds | None = None
        for aim in (tolerance, 0.3 * tolerance, 0.05 * tolerance):
            contour = self._contour(argument, aim, log_delta)
            found = self._read(contour, epsilon)
            if best is None or found.relative_width < best.relative_width:
                best = found
            self._contours.append((contour, found.upper - found.lower))
            if self.remove or best.relative_width <= tolerance:
                break
            log_delta = found.log_upper - (0.0 if found.log_lower > -math.inf else 3.0)
        assert best is not None
        return best

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """K, K′, K″ of the product in the direction add (estimates)."""
        value, slope, second = self.moments.cumulants(c) if self.others else (0.0, 0.0, 0.0)
        for count, epoch in self.epochs:
            peak = epoch.cumulants(c)
            value, slope, second = value + count * peak.value, slope + count * peak.slope, second + count * peak.second
        return value, slope, second

    def log_delta_estimate(self, epsilon: float, c: float) -> float:
        """log of the saddle-point estimate of δ at the tilt c."""
        value, _, second = self.cumulants(c)
        curvature = second + 1 / c**2 + 1 / (c + 1) ** 2
        return min(0.0, value - c * epsilon - math.log(c) - math.log1p(c) - 0.5 * math.log(2 * math.pi * curvature))

    def _read(self, contour: Contour, epsilon: float) -> Bounds:
        low, high = contour.evaluate(np.array([-epsilon if self.remove else epsilon]), np.ones(1))
        if self.lost + self.dropped > 0:
            low, high = np.logaddexp(low, _log(self.lost * (1 - _LOST))), np.logaddexp(high, _log(self.lost * (1 + _LOST) + self.dropped))
            low, high = low - _LOST, np.minimum(high + _LOST, 0.0)
        if not self.remove:
            return Bounds.of_logs(float(low[0]), float(high[0]), METHOD)
        if epsilon > 700:
            raise PrecisionError("random allocation: epsilon is beyond float64; use dpbounds.accounting")
        rest = -math.expm1(-epsilon)
        inside = [math.exp(float(value)) - rest for value in (low[0], high[0])]
        doubt = (
            (2 * LIBM + 4 * UNIT_ROUNDOFF) * (1 + rest) * rest
            + 4 * UNIT_ROUNDOFF * epsilon
            + (LIBM + 2 * UNIT_ROUNDOFF) * math.exp(float(high[0]))
        )
        lower, upper = (math.exp(epsilon) * value for value in (inside[0] - doubt, inside[1] + doubt))
        slack = 4 * LIBM + 2 * UNIT_ROUNDOFF * epsilon
        return Bounds.of_values(max(0.0, lower * (1 - slack)), min(1.0, upper * (1 + slack)), METHOD)

    def _saddle(self, epsilon: float) -> float:
        """The tilt c with K′(c) = ε + 1/c + 1/(c+1), to a few per cent."""

        def gap(c: float) -> float:
            return self.cumulants(c)[1] - epsilon - 1 / c - 1 / (c + 1)

        low, high = 0.25, 1.0
        while gap(high) < 0 and high < 1e8:
            low, high = high, 2 * high
        if gap(low) > 0:
            return low
        for _ in range(4):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if gap(middle) < 0 else (low, middle)
        return math.sqrt(low * high)

    def _contour(self, epsilon: float, tolerance: float, log_delta: float | None) -> Contour:
        """A contour for δ_add(ε)."""
        if self.remove:
            log_delta, depth = 0.0, PARITY_DEPTH
            spread = math.sqrt(self.cumulants(1.0)[2])
            middle = max(0.5, 0.7 / spread)
        else:
            middle, depth = self._saddle(epsilon), math.log(MARGIN / tolerance)
            log_delta = self.log_delta_estimate(epsilon, middle) if log_delta is None else log_delta
        middle = max(middle, LEAST_TILT)
        tilts = [middle * _RATIO**index for index in range(-_BELOW, _ABOVE + 1) if middle * _RATIO**index >= LEAST_TILT]
        exponents = [self.cumulants(c)[0] - c * epsilon for c in tilts]
        sizes = [value - math.log(c) - math.log1p(c) for c, value in zip(tilts, exponents, strict=True)]
        allowed = min(sizes[:-1]) + (0.7 if self.remove else 2.0)
        best = (math.inf, 0.0, 0.0, 0.0, 0.0)
        for index, c in enumerate(tilts[:-1]):
            if sizes[index] > allowed:
                continue
            right = [((exponents[other] - log_delta + depth) / (tilts[other] - c), tilts[other]) for other in range(index + 1, len(tilts))]
            far, order = min((max(period, 0.0), tilt) for period, tilt in right)
            period = 1.02 * max(far, (depth - log_delta) / c)
            reach = self._reach(depth + sizes[index] + math.log(c) + math.log1p(c) - log_delta)
            if reach * period < best[0]:
                best = (reach * period, c, order, period, reach)
        nodes, c, order, period, reach = best
        if not nodes / (2 * math.pi) < MAX_NODES:
            raise PrecisionError("random allocation: the contour would be too long for float64; use dpbounds.accounting")
        step = coarse(2 * math.pi / period)
        y = step * np.arange(math.ceil(reach / step) + 1)
        reach = float(y[-1])
        goal = max(math.exp(-depth), 1e-16)
        noise = [characteristic_of(law, c, reach, goal) for _, law in self.others]
        if sum(len(part.t) for part in noise if not part.closed) * len(y) > MAX_TABLE:
            raise PrecisionError("random allocation: the moments of the noise beside it would take too long; use dpbounds.accounting")
        parts = [*(AllocationLine(epoch, c) for _, epoch in self.epochs), *noise]
        tables = [part.values(y) for part in parts]
        values, errors = np.array([table[0] for table in tables]), np.array([table[1] for table in tables])
        moduli = np.abs(values)
        with np.errstate(divide="ignore"):
            log_size, log_top = np.maximum(np.log(moduli), -1e6), np.maximum(np.log(moduli + errors), -1e6)
        return Contour(
            c,
            step,
            reach,
            y,
            log_size,
            np.angle(values),
            log_top,
            np.array([float(count) for count, _ in [*self.epochs, *self.others]]),
            np.array([part.shift for part in parts]),
            np.array([part.scale_error for part in parts]),
            np.array([part.mean for part in parts]),
            np.array([part.far(reach) for part in parts]),
            order,
            np.array(
                [log_epoch_above(epoch, order) for _, epoch in self.epochs] + [_log_moment_above(law, order) for _, law in self.others]
            ),
        )

    def _reach(self, depth: float) -> float:
        """The height at which the moments of the epochs have fallen by e^{−depth}."""
        rate = math.fsum(count / (2 * epoch.bins * epoch.sigma**2) for count, epoch in self.epochs)
        rate += math.fsum(count / (2 * law.sigma**2) for count, law in self.others if isinstance(law, GaussianMixture) and law.is_gaussian)
        return math.sqrt(max(1.0, depth) / rate)
