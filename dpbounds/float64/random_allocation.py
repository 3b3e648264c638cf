"""Random allocation in float64: the moments E S^{−w} of one epoch on a vertical line, every error bounded.

S, Φ(s) = φ(s/t)^t and φ(s) = E e^{−sY} as in `dpbounds.laws.allocation.random_allocation`, whose bounds are used; nothing of it is
imported. The direction add has M(z) = F(z) = E S^{−z}. With Binet's μ, w^w e^{−w}/Γ(w) = √(w/2π)e^{−μ(w)}, so on the ray arg s = θ

    F(w) = √(w/2π)·e^{−μ(w)}·∫ exp(w(1 + x + iθ − log w))·Φ(e^{x+iθ}) dx,     w = c + iy,

which has no large factors that cancel where θ is near arg w: the nodes y are cut into blocks with a θ each. The sum h·Σ_j
over x = jh misses, with λ = log(Γ(c)/|Γ(w)|), at most

    step    F(c)·(e^{λ−y(θ+a)}cos(θ+a)^{−c}/(e^{2πa/h}−1) + e^{λ−y(θ−b)}cos(θ−b)^{−c}/(e^{2πb/h}−1))
    left    e^{−yθ}/|Γ(w)|·h·e^{cx}/(e^{ch}−1) at the first node x, from |Φ| ≤ 1
    right   e^{−yθ}/|Γ(w)|·C_p cos(θ)^{−p}·h·e^{(c−p)x}/(e^{(p−c)h}−1) at the last node x, for p > c,
            C_p = (p/e)^p·exp((p + p²/t)/(2σ²))

and |F(c+iy)| ≤ F(c)e^{−y²/(2tσ²)} ends the contour.

*φ − 1* = E(e^{−sY}−1) by a trapezoid sum over u of step k on the path u − iη, −U ≤ u ≤ U, with |e^{−v}−1| ≤ 2 for Re v ≥ 0:

    step    2e^{(a−η)²/2}/(e^{2πa/k}−1) + 2e^{(b+η)²/2}/(e^{2πb/k}−1),   a ≤ η + σ(π/2−θ),  b ≤ σ(π/2+θ) − η
    ends    2e^{η²/2}erfc(U/√2).

The step of x is a float of 20 bits and that of u/σ a multiple or a fraction of it, so the nodes of both are exact where Y is computed.
Rounding: a term of the sum over u is off by u times what its exponent is made of; log φ by that over |φ|; both are summed along with the
terms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from dpbounds.errors import PrecisionError
from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import LIBM, UNIT_ROUNDOFF, sum_error

DEPTH = 37.5
"""Errors of about e^{−DEPTH}, half a rounding, are aimed at."""
MAX_CELLS = 2_000_000
"""Pairs of nodes (x, u) of one ray: 100 MB."""
MAX_BLOCK = 256
"""Nodes y of one ray, so that their pairs with x fit into memory."""
LARGEST_SHIFT = 2.0
"""Of η: the sum of u grows by e^{η²/2} and its rounding with it."""
FURTHEST = math.pi / 2 - 0.04
"""The largest θ: the steps of x shrink with π/2 − θ."""
SPREAD = 1.0
"""Nats that may cancel in a block, besides what no ray avoids."""
UNDERFLOW = 1e-300
"""A bound on what the sums lose to underflow."""
LIFT = 12
"""Modulus from which Stirling's series is used as it is."""
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)
_SHARES = np.arange(1, 32) / 32


def coarse(value: float) -> float:
    """The largest float of 20 bits that is at most `value` > 0; its multiples up to 2³³ are floats.

    >>> coarse(1 / 3) * 2**21 == int(coarse(1 / 3) * 2**21)
    True
    """
    mantissa, exponent = math.frexp(value)
    return math.ldexp(math.floor(math.ldexp(mantissa, 20)), exponent - 20)


def binet(w: Array) -> Array:
    """μ(w) = log Γ(w) − (w−½)log w + w − ½log 2π, Re w > 0: μ(w) = μ(w+n) + Σ_{i<n}((w+i+½)log(1+1/(w+i)) − 1), Stirling's series there.

    >>> bool(abs(binet(np.array([1.0 + 0j]))[0] - (1 - 0.5 * math.log(2 * math.pi))) < 1e-14)
    True
    """
    total = np.zeros_like(w)
    near = np.abs(w) < LIFT
    low = w[near]
    for _ in range(LIFT):
        inverse = 1 / low
        log = 0.5 * np.log1p(2 * inverse.real + np.abs(inverse) ** 2) + 1j * np.arctan2(inverse.imag, 1 + inverse.real)
        total[near] += (low + 0.5) * log - 1
        low = low + 1
    w = np.where(near, w + LIFT, w)
    inverse = 1 / w
    square, power = inverse * inverse, inverse
    for coefficient in _STIRLING:
        total += coefficient * power
        power = power * square
    return total


def binet_error(w: Array) -> Array:
    """A bound on the error of `binet`, Re w ≥ 0.4.

    The series stops before a term of at most 0.18·2⁹/12¹⁷ < 5e-17 (the factor for Re w > 0); each of the LIFT terms has a modulus
    of 1.25 at most before 1 is taken off, and a relative error of 2 LIBM + 8u.

    >>> import numpy as np
    >>> bool(binet_error(np.array([5.0 + 0j]))[0] < 1e-10)
    True
    """
    return np.where(np.abs(w) < LIFT, LIFT * 1.25 * (2 * LIBM + 8 * UNIT_ROUNDOFF) + 1e-15, 1e-16)


@dataclass(frozen=True)
class PathSum:
    """The sum over u: the path u − iη, step k = σ·fine/coarse·h, last node K, and a bound on what the sum misses of φ − 1."""

    eta: float
    step: float
    fine: int
    coarse: int
    last: int
    error: float

    @classmethod
    def of_tolerance(cls, sigma: float, theta: float, tolerance: float, h: float) -> PathSum:
        """The shift with the fewest nodes for errors of about e^{−tolerance}."""
        best: PathSum | None = None
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            eta = min(sigma * theta, LARGEST_SHIFT) * share
            room_up, room_down = (eta + sigma * (math.pi / 2 - theta)) * (1 - 1e-9), (sigma * (math.pi / 2 + theta) - eta) * (1 - 1e-9)
            root = math.sqrt(eta * eta + 2 * tolerance)
            above = root - eta if room_up >= root else (tolerance + (room_up - eta) ** 2 / 2) / room_up
            below = root + eta if room_down >= root else (tolerance + (room_down + eta) ** 2 / 2) / room_down
            ratio = 2 * math.pi / max(above, below) / (sigma * h)
            fine = max(1, math.floor(ratio))
            coarse = 1 if ratio >= 1 else 1 << math.ceil(-math.log2(ratio))
            step = sigma * h * fine / coarse
            last = math.ceil(math.sqrt(2 * tolerance + eta * eta) / step)
            if best is None or last < best.last:
                best = cls(eta, step, fine, coarse, last, path_error(sigma, theta, eta, step, last))
        assert best is not None
        return best


def path_error(sigma: float, theta: float, eta: float, step: float, last: int) -> float:
    """What the sum over u misses; infinite where the path does not stay where |e^{−sY}| ≤ 1."""
    if not (eta >= 0 and theta >= 0 and abs(theta - eta / sigma) <= math.pi / 2 * (1 - 1e-12)):
        return math.inf
    frequency = 2 * math.pi / step
    up = min((eta + sigma * (math.pi / 2 - theta)) * (1 - 1e-9), eta + frequency)
    down = min((sigma * (math.pi / 2 + theta) - eta) * (1 - 1e-9), max(frequency - eta, 1e-3))
    if not (up > 0 and down > 0):
        return math.inf
    total = 2 * float(special.erfcx(step * last / math.sqrt(2))) * math.exp((eta * eta - (step * last) ** 2) / 2)
    for shift, size in ((up, up - eta), (down, down + eta)):
        turns = frequency * shift
        total += 2 * math.exp(min(size * size / 2 - turns, 600.0)) / -math.expm1(-turns)
    return total * (1 + 1e-9) + UNDERFLOW


def log_transform(
    sigma: float, bins: int, step: float, first: int, count: int, theta: float, tolerance: float
) -> tuple[Array, Array, Array]:
    """(log Φ(e^{x+iθ}), bounds on its error, log of bounds on |Φ|) at x = jh, first ≤ j < first + count; Φ up to whole turns.

    With k = σqh, or σh/p, all e^{−sY} lie on one arithmetic progression in log s.

    Args:
        step: h, a float of 20 bits. tolerance: D, errors of φ of about e^{−D} are aimed at.

    Raises:
        PrecisionError: more than MAX_CELLS pairs of nodes.
    """
    rule = PathSum.of_tolerance(sigma, theta, tolerance, step)
    u = rule.step * np.arange(-rule.last, rule.last + 1)
    margin = rule.fine * rule.last
    length = rule.coarse * (count - 1) + 2 * margin + 1
    if len(u) * count > MAX_CELLS or length > MAX_CELLS:
        raise PrecisionError("random allocation: the float64 sums would be too long; use dpbounds.accounting")
    start = rule.coarse * first - margin
    place = step / rule.coarse * np.arange(start, start + length)
    psi = theta - rule.eta / sigma
    size = np.exp(np.minimum(place - (math.log(bins) + 1 / (2 * sigma * sigma)), 690.0))
    real = np.minimum(size * math.cos(psi), 745.0)
    shrink, less = np.exp(-real), np.expm1(-real)
    angle = np.where(real < 745.0, size * math.sin(psi), 0.0)
    half, sine = np.sin(0.5 * angle), np.sin(angle)
    value = (less * np.cos(angle) - 2 * half * half) - 1j * (shrink * sine)
    height = rule.step / math.sqrt(2 * math.pi) * np.exp(0.5 * (rule.eta * rule.eta - u * u))
    weight = height * (np.cos(u * rule.eta) + 1j * np.sin(u * rule.eta))

    def summed(values: Array, weights: Array) -> Array:
        windows = np.lib.stride_tricks.sliding_window_view(values, 2 * margin + 1)
        return np.asarray((windows[:: rule.coarse, :: rule.fine] * weights).sum(axis=1))

    less_one = summed(value, weight)
    scale = float(np.abs(place[[0, -1]]).max()) + math.log(bins) + 1 / sigma**2
    moved = 4 * UNIT_ROUNDOFF * (scale + theta + rule.eta / sigma + 2) + 3 * LIBM
    plain = UNIT_ROUNDOFF * (4 * u * u + rule.eta**2 + 4 * rule.eta * np.abs(u) + 12) + 6 * LIBM + 1.5 * sum_error(len(u))
    turned = moved * summed(size * shrink, height)
    doubt = 1.01 * (summed(2 * half * half - less + shrink * np.abs(sine), height * plain) + turned) + rule.error
    value = 1 + less_one
    logs, away, lost = np.empty(count, dtype=complex), np.abs(value), (12 * UNIT_ROUNDOFF + 8 * LIBM) * np.abs(less_one)
    logs.real = 0.5 * np.log1p(np.maximum(2 * less_one.real + (less_one.real**2 + less_one.imag**2), -0.9))
    small = away < 0.5
    if small.any():  # e^{−sY} itself, where 1 + (φ − 1) cancels
        direct = summed(shrink * (np.cos(angle) - 1j * sine), weight)
        own = 1.01 * (summed(shrink, 1.5 * height * plain) + turned) + rule.error
        value, doubt, away = np.where(small, direct, value), np.where(small, own, doubt), np.where(small, np.abs(direct), away)
        lost = np.where(small, 8 * LIBM * away, lost)
        logs.real[small] = np.log(np.maximum(away[small], 1e-300))
    logs.imag = np.arctan2(value.imag, value.real)
    inside = away > 2 * doubt
    off = np.where(inside, (doubt + lost) / np.where(inside, away, 1.0), 0.0)
    error = -bins * np.log1p(-off) + (4 * UNIT_ROUNDOFF + 2 * LIBM) * bins * np.abs(logs)
    top = bins * np.log(np.minimum(away + doubt, 1.0)) * (1 - 2 * LIBM) + 1e-9
    return bins * logs, np.where(inside, error, np.inf), np.minimum(top, 0.0)


@dataclass(frozen=True, eq=False)
class Peak:
    """About log F(c), −(log F)′(c)… of one epoch: K, K′, K″ at c."""

    value: float
    slope: float
    second: float


class EpochEstimates:
    """One epoch: estimates of K(c) = log F(c), for planning; each is remembered."""

    def __init__(self, sigma: float, bins: int) -> None:
        self.sigma, self.bins = sigma, bins
        self._known: dict[float, Peak] = {}

    def cumulants(self, c: float) -> Peak:
        """K, K′, K″ (estimates)."""
        if c not in self._known:
            self._known[c] = self._cumulants(c)
        return self._known[c]

    def _cumulants(self, c: float) -> Peak:
        low, high = math.log(c) - 2 - 40 / c, math.log(c) + 4 + (0.5 + 1.5 * (c + 1) / self.bins) / self.sigma**2
        for _ in range(8):
            step = coarse((high - low) / 96)
            first = math.floor(low / step)
            x = step * np.arange(first, first + 97)
            logs = (
                c * x + log_transform(self.sigma, self.bins, step, first, len(x), 0.0, 20.0 + math.log(self.bins) + 40 / self.bins)[0].real
            )
            top = int(np.argmax(logs))
            inside = np.flatnonzero(logs > logs[top] - 36.0)
            left, right = x[max(inside[0] - 1, 0)], x[min(inside[-1] + 1, len(x) - 1)]
            if len(inside) >= 40:
                break
            low, high = float(left), float(right)
        weights = np.exp(logs - logs[top])
        total = float(weights.sum())
        mean = float(weights @ x) / total
        variance = float(weights @ (x - mean) ** 2) / total
        value = float(logs[top]) + math.log(total * float(x[1] - x[0])) - float(special.gammaln(c))
        slope = mean - float(special.digamma(c))
        second = variance - float(special.polygamma(1, c))
        return Peak(value, slope, max(second, 1 / (4 * self.bins * self.sigma**2)))


class AllocationLine:
    """χ(y) = F(c+iy)e^{−κ−iyμ} with error bounds: what `characteristic.Characteristic` is for Gaussian pairs.

    Args:
        epoch: σ and t. c: real part, > 0.
    """

    scale_error = 0.0

    def __init__(self, epoch: EpochEstimates, c: float) -> None:
        self.sigma, self.bins, self.c = epoch.sigma, epoch.bins, c
        peak = epoch.cumulants(c)
        self.shift, self.mean = peak.value, peak.slope
        self.log_top = 0.0
        value, error = self._block(np.zeros(1), 0.0, from_above=True)
        top = float(np.abs(value[0]) + error[0])
        if not 0.5 < top < 2:
            raise PrecisionError("random allocation: the moments did not converge in float64; use dpbounds.accounting")
        self.log_top = math.log(top) + 1e-12

    def far(self, y: float) -> float:
        """log of a bound on |χ| beyond y."""
        return self.log_top - y * y / (2 * self.bins * self.sigma**2) * (1 - 1e-12)

    def values(self, y: Array) -> tuple[Array, Array]:
        """(χ(y), error bounds) at exact nodes y ≥ 0 in increasing order: 0 ± the bound of `far` where no ray is that accurate."""
        result, errors = np.zeros(len(y), dtype=complex), np.exp([self.far(float(at)) for at in y])
        first = 0
        while first < len(y):
            near = y[first : first + MAX_BLOCK]
            theta = self._angle(float(near[0]))
            amplified = self._amplified(near, theta)
            steepest = theta == FURTHEST  # no other ray does better, and this one gets worse as y grows
            if steepest and amplified[0] - DEPTH > self.far(float(near[0])):
                break
            fits = amplified <= 0.5 * np.log(np.hypot(1.0, near / self.c)) + SPREAD + 0.3
            count = len(near) if steepest or fits.all() else max(1, int(np.argmin(fits)))
            block = slice(first, first + count)
            values, doubts = self._block(y[block], theta)
            better = doubts < errors[block]
            result[block], errors[block] = np.where(better, values, 0), np.where(better, doubts, errors[block])
            first += count
        return result, errors

    def _log_ratio(self, y: Array) -> Array:
        """λ = log(Γ(c)/|Γ(c+iy)|)."""
        w = self.c + 1j * y
        difference = binet(np.array([self.c + 0j]))[0].real - binet(w).real
        return np.asarray((0.5 - self.c) * np.log(np.hypot(1.0, y / self.c)) + y * np.arctan2(y, self.c) + difference)

    def _amplified(self, y: Array, theta: float) -> Array:
        """log of a bound on the sum of the terms over F(c)."""
        return self._log_ratio(y) - y * theta - self.c * math.log(math.cos(theta))

    def _angle(self, y: float) -> float:
        """The largest θ that costs y no more than SPREAD."""
        natural = math.atan2(y, self.c)
        goal = 0.5 * math.log(math.hypot(1.0, y / self.c)) + SPREAD
        low, high = min(natural, FURTHEST), FURTHEST
        for _ in range(12):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if float(self._amplified(np.array([y]), middle)[0]) <= goal else (low, middle)
        return low

    def _block(self, y: Array, theta: float, from_above: bool = False) -> tuple[Array, Array]:
        c, sigma, bins = self.c, self.sigma, self.bins
        ratio = self._log_ratio(y)
        log_gamma = float(special.gammaln(c)) - ratio
        allowance = log_gamma + y * theta + self.shift  # errors of the integral over this are errors of χ
        least = float(allowance.min()) - DEPTH
        slack = 1e-9 + 64 * UNIT_ROUNDOFF * (np.abs(log_gamma) + abs(self.shift) + y + c * (1 + abs(math.log(c))))
        step = coarse(self._step(y, theta, ratio))
        first = math.floor((least + math.log(c)) / c / step)
        right, power = math.inf, c + 1
        for index in range(60):
            p = c + 0.25 * 1.3**index
            end = (self._log_markov(p, theta) - math.log(p - c) - least) / (p - c)
            if end < right:
                right, power = end, p
        last = math.ceil(right / step)
        if not 0 < last - first < MAX_CELLS:
            raise PrecisionError("random allocation: the float64 sums would be too long; use dpbounds.accounting")
        x = step * np.arange(first, last + 1)
        smallest = (c * step * last - self.shift - float(special.gammaln(c)) + DEPTH) / bins  # −log φ where Φ ends to matter
        logs, log_errors, tops = log_transform(sigma, bins, step, first, len(x), theta, max(DEPTH + math.log(bins), smallest + 5))
        modulus, turn = np.hypot(c, y), np.arctan2(y, c)
        away = np.subtract.outer(-np.log(modulus), -x) + 1
        offset = theta - turn
        front = 0.5 * (np.log(modulus) - math.log(2 * math.pi)) + math.log(step)
        mu = binet(c + 1j * y)
        real = c * away - (y * offset)[:, None] + (front - mu.real - self.shift)[:, None]
        imaginary = y[:, None] * away + (c * offset + 0.5 * turn - mu.imag - y * self.mean)[:, None]
        sizes = np.exp(np.minimum(real + np.where(log_errors < 0.5, logs.real, -np.inf), 100.0))
        phase = imaginary + logs.imag
        terms = sizes * (np.cos(phase) + 1j * np.sin(phase))
        total = terms.sum(axis=1)
        parts = (
            modulus[:, None] * (np.abs(away) + np.abs(offset)[:, None] + 2)
            + (np.abs(front) + np.abs(mu) + y * abs(self.mean) + abs(self.shift))[:, None]
        )
        own = modulus * LIBM * (1.25 * np.abs(np.log(modulus)) + 1) + 1.5 * binet_error(c + 1j * y) + 6 * LIBM + 2 * sum_error(len(x))
        doubt = np.expm1(np.where(log_errors < 0.5, log_errors, 0.0)) + 8 * UNIT_ROUNDOFF * (parts + np.abs(logs)) + own[:, None]
        rest = (sizes * doubt).sum(axis=1)
        lost = np.exp(np.minimum(real + np.where(log_errors < 0.5, -np.inf, tops), 100.0)).sum(axis=1)
        ends = np.exp(self._log_ends(float(x[0]), float(x[-1]), step, power, theta) - allowance + slack)
        relative = self._step_error(y, theta, ratio, step) * (1 + 1e-6)
        error = 1.01 * (rest + lost + ends)
        if from_above:
            if not float(relative[0]) < 0.1:
                raise PrecisionError("random allocation: the moments did not converge in float64; use dpbounds.accounting")
            return total, (np.abs(total) + error) / (1 - relative) * (1 + 1e-12) - np.abs(total)
        return total, error + math.exp(self.log_top) * relative

    def _log_ends(self, first: float, last: float, step: float, power: float, theta: float) -> float:
        """log of what the nodes beyond both ends add to the integral, without the factor e^{−yθ}."""
        c, more = self.c, (power - self.c) * step
        left = c * first - math.log(math.expm1(c * step))
        right = self._log_markov(power, theta) + (c - power) * last - (math.log(math.expm1(more)) if more < 600 else more - 1e-9)
        return float(np.logaddexp(left, right)) + math.log(step)

    def _log_markov(self, p: float, theta: float) -> float:
        """log(C_p cos(θ)^{−p}), rounded up."""
        parts = p * abs(math.log(p)) + p + (p + p * p / self.bins) / (2 * self.sigma**2)
        return p * math.log(p) - p + (p + p * p / self.bins) / (2 * self.sigma**2) - p * math.log(math.cos(theta)) + 1e-9 + 1e-14 * parts

    def _shifts(self, y: Array, theta: float, ratio: Array) -> tuple[Array, Array, Array]:
        """Shifts a of both signs, and the log of what each multiplies F(c) by at each y: rows for y."""
        quarter = math.pi / 2
        shifts = np.concatenate(((quarter - theta) * _SHARES, -(quarter + theta) * _SHARES))
        cosine = np.log(np.cos(theta + shifts))
        return shifts, cosine, ratio[:, None] - np.multiply.outer(y, theta + shifts) - self.c * cosine

    def _step(self, y: Array, theta: float, ratio: Array) -> float:
        """The largest step of x with errors of about e^{−DEPTH}F(c) at both ends of the block."""
        ends = [0, -1]
        shifts, _, grown = self._shifts(y[ends], theta, ratio[ends])
        inverse = (DEPTH + 1 + grown.max(axis=0)) / (2 * math.pi * np.abs(shifts))
        half = len(_SHARES)
        return 1 / max(float(inverse[:half].min()), float(inverse[half:].min()), 0.05)

    def _step_error(self, y: Array, theta: float, ratio: Array, step: float) -> Array:
        """The error of the step over F(c)."""
        shifts, cosine, grown = self._shifts(y, theta, ratio)
        turns = 2 * math.pi * np.abs(shifts) / step
        slack = 1e-9 + 64 * UNIT_ROUNDOFF * (np.abs(ratio)[:, None] + np.abs(y)[:, None] * 4 + self.c * np.abs(cosine))
        sizes = np.exp(np.minimum(grown + slack - turns, 600.0)) / -np.expm1(-turns)
        half = len(_SHARES)
        return np.asarray(sizes[:, :half].min(axis=1) + sizes[:, half:].min(axis=1))


def log_moment_above(epoch: EpochEstimates, order: float) -> float:
    """An upper bound of log F(order) at a real order > 0."""
    line = AllocationLine(epoch, order)
    return line.shift + line.log_top + 4 * UNIT_ROUNDOFF * abs(line.shift)
