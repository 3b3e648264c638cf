"""M(c+iy)/e^κ of one Gaussian loss distribution in float64, with a bound on every error.

M(z) = ∫ φ u^{1+z} v^{−z} dt by the trapezoid rule in t with step τ on [T0, T1]; θ = a/σ², m_u and m_v the degrees, m their sum.

*Discretisation.* Shift the line to t ± ia. |φ(t+ia)| = φ(t)e^{a²/2σ²}; u and v are products of factors 1 + x/r with r > 0 in
x = e^{±t/σ²} (binomial weights times e^{−ℓ²/2σ²}, a multiplier sequence), so |u(t+ia)| ≤ u(t), |v(t+ia)| ≥ v(t)cos(θ/2)^{m_v}, arg u in
[0, m_uθ],
arg v in [−m_vθ, 0] for 0 ≤ θ < π. For y ≥ 0 the upper line pays C(a) = e^{a²/2σ²}cos(θ/2)^{−c·m_v}, the lower C(a)e^{y·m·θ}, each
times M(c)/(e^{2πa/τ}−1).

*Truncation.* Left of T0 ≤ 0: p increases there and L increases, so the missing nodes sum to at most e^{cL(T0)}P(T < T0). Right of T1 ≥ λσ²:
log u and −log v grow at most at rates m_u/σ², m_v/σ², so f ≤ u(T1)^{1+c}v(T1)^{−c}φ(t)e^{λ(t−T1)}, λσ² = (1+c)m_u + c·m_v, a decreasing
function with integral e^{λ²σ²/2−λT1}Φ((λσ²−T1)/σ). Where v ≥ d_0 > 0, v(T1)^{−c} may be replaced by d_0^{−c} and m_v by 0.
For T1 below λσ² a coarse grid steps up to it: |(log f)′| ≤ (|t| + λσ²)/σ², and the nodes in a cell of width w add at most (w + τ)·max f.

*Far away.* For fixed a the shifted integral B_a(y) = e^{a²/2σ²}∫ φ|u(t+ia)|^{1+c}|v(t+ia)|^{−c}e^{−y(arg u−arg v)} decreases in y ≥ 0,
so |M(c+iy)| ≤ B_a(Y) for
y ≥ Y. Its own trapezoid error: continued to t + iα, |α| + a < πσ², the integrand is at most φ(t)e^{(a²+α²)/2σ²}u^{1+c}v^{−c}·
cos((a+|α|)/2σ²)^{−c·m_v}, as long as arg u(t+i(α+a)) ≥ arg u(t+i(α−a)), which holds for |α| ≤ a (opposite signs) and for a+|α| ≤ πσ²/2
(arg(1+se^{iθ}) increases on [0, π/2]): error at most 2M(c)·that/(e^{2πα/τ}−1).

*Rounding.* A weight has relative error r_j, a loss absolute error l_j (both include the rounding of the node t_j, which moves it off the
equidistant grid); the sum at y is off by Σ w(r_j + y·l_j), plus phases, cos, sin, summation.

*Large tables.* For equidistant y_m, with m = aR + b, e^{iy_m x} = e^{iy_{aR}x}·e^{iy_b x}: a product of two small tables. Let D be at least
|y_{aR} + y_b − y_m|; that turns each term by at most D|x|, and the rounding of both phases by u(y_{aR} + y_b)|x| ≤ u(y_m + D)|x|. Either
exponential is off by √2·LIBM, the product by 3·LIBM. A real or imaginary part is a sum of 2n products (n = BLOCK nodes), added in any
order: 2nu of the sum of sizes, at most Σ w as |cos·cos| + |sin·sin| ≤ 1, with one rounding of w·cos or w·sin each; the N/n blocks
are then added one after the other.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from dpbounds.errors import PrecisionError
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import LIBM, SPECIAL, UNIT_ROUNDOFF, sum_error

MAX_NODES = 60_000
TABLE = 500_000
"""Entries of the table of phases that are in memory at a time."""
SMALL = 20_000
"""Entries of a table that is summed without splitting its phases."""
BLOCK = 64
"""Nodes of one inner product of split phases."""
DEPTH = 60.0
_FRACTIONS = np.array([0.05, 0.15, 0.3, 0.45, 0.6, 0.75, 0.88, 0.95])
_IN_SIGMAS = np.array([1.0, 2.0, 4.0, 6.0, 8.0, 11.0])
_FAR_FRACTIONS = (0.03, 0.08, 0.18, 0.32, 0.48)
_FAR_OF_BEST = (0.4, 0.7, 1.0, 1.4)


class Characteristic:
    """χ(y) = M(c+iy)e^{−κ−iyμ} for 0 ≤ y ≤ Y, with error bounds.

    Args:
        law: a Gaussian loss distribution. c: real part, > 0. reach: Y. goal: error of one χ to aim at.

    Raises:
        PrecisionError: the quadrature would need more than MAX_NODES nodes.
    """

    def __init__(self, law: GaussianMixture, c: float, reach: float, goal: float, refine: float = 1.0) -> None:
        self.law, self.c, self.reach = law, c, reach
        self.closed = law.is_gaussian
        if self.closed:
            self.shift, self.mean = c * (c + 1) / (2 * law.sigma**2), (2 * c + 1) / (2 * law.sigma**2)
            return
        self.step = self._choose_step(goal) * refine
        self._fill(self._choose_range(goal))

    def _angles(self) -> Array:
        """Candidates for θ = a/σ² in (0, π): fractions of the strip, and some near the best for the cost θ²(σ²/2 + c·m_v/8)."""
        few = _IN_SIGMAS / math.sqrt(self.law.sigma**2 + self.c * (len(self.law.lower) - 1) / 4)
        return np.concatenate((math.pi * _FRACTIONS, few[few < 0.95 * math.pi]))

    def _choose_step(self, goal: float) -> float:
        law, m_u, m_v = self.law, len(self.law.upper) - 1, len(self.law.lower) - 1
        theta = self._angles()
        a = theta * law.sigma**2
        cost = a**2 / (2 * law.sigma**2) - self.c * m_v * np.log(np.cos(theta / 2)) + self.reach * (m_u + m_v) * theta + math.log(4 / goal)
        return float(np.max(2 * math.pi * a / cost))

    def _choose_range(self, goal: float) -> Array:
        """Where the integrand is above e^{−DEPTH} of its peak on a coarse grid; on the left at least down to 0."""
        law, c = self.law, self.c
        m_u, m_v = len(law.upper) - 1, len(law.lower) - 1
        width = law.sigma * (math.sqrt(2 * math.log(1 / goal) + 2.0) + 1.0)
        coarse = np.linspace(-width, width + (1 + c) * m_u + c * m_v, int(min(200 + 3 * (1 + c) * (m_u + m_v) / law.sigma, 20_000)))
        exponents = law.log_density(coarse) + c * law.loss(coarse)
        inside = np.flatnonzero(exponents > float(exponents.max()) - max(DEPTH, math.log(1 / goal) + 8.0))
        if not len(inside):
            raise PrecisionError("the fast contour declines: its moment is beyond float64")
        low = min(float(coarse[max(inside[0] - 1, 0)]), 0.0)
        high = float(coarse[min(inside[-1] + 1, len(coarse) - 1)])
        count = int(math.ceil((high - low) / self.step))
        if count > MAX_NODES:
            raise PrecisionError(f"the fast contour declines: its moment integral needs {count} nodes, the limit is {MAX_NODES}")
        return low + self.step * np.arange(count + 1)

    def _fill(self, t: Array) -> None:
        law, c = self.law, self.c
        losses = law.loss(t)
        exponents = law.log_density(t) + c * losses
        top = float(exponents.max())
        raw = np.exp(exponents - top)
        total = float(raw.sum()) * self.step
        self.shift = top + math.log(total)
        weights = np.exp(exponents - self.shift) * self.step
        self.log_weights = exponents - self.shift + math.log(self.step)
        self.mean = float(weights @ losses)
        self.t, self.weights, self.centred = t, weights, losses - self.mean
        moved = 2 * UNIT_ROUNDOFF * (abs(float(t[0])) + np.abs(t)) / law.sigma**2
        top_rate = (1 + c) * (len(law.upper) - 1) + c * (len(law.lower) - 1)
        loss_errors = law.loss_error(t) + moved * 2 * law.degree
        density_errors = law.log_density_error(t) + moved * (np.abs(t) + top_rate)
        own = UNIT_ROUNDOFF * (2 * np.abs(exponents) + 2 * np.abs(exponents - self.shift) + 4) + LIBM
        self.weight_error = float(weights @ (density_errors + c * loss_errors + 2 * c * UNIT_ROUNDOFF * np.abs(losses) + own)) * 1.01
        self.phase_error = (
            float(weights @ (loss_errors + 4 * UNIT_ROUNDOFF * (np.abs(self.centred) + np.abs(losses) + abs(self.mean)))) * 1.01
        )
        self.truncation = self._truncation()

    def _truncation(self) -> float:
        """Bound on what lies outside the nodes, relative to e^κ."""
        law, c = self.law, self.c
        first, last = float(self.t[0]), float(self.t[-1])
        left = law.log_mass_below(first) + c * float(law.loss(np.array([first]))[0])
        right = self._right_tail(last)
        return sum(math.exp(min(value - self.shift, 600.0)) * (1 + 1e-6) + 5e-324 for value in (left, right))

    def _right_tail(self, last: float) -> float:
        """Logarithm of a bound on the nodes beyond T1 = last."""
        law, c = self.law, self.c
        m_u, m_v = len(law.upper) - 1, len(law.lower) - 1
        log_u, log_v = float(law.log_u(np.array([last]))[0]), float(law.log_v(np.array([last]))[0])
        floor = [(math.log(law.lower[0]), 0)] if law.lower[0] > 0 else []
        found = []
        for bottom, degree in [(log_v, m_v), *floor]:
            peak = (1 + c) * m_u + c * degree
            if last >= peak:
                tail = float(special.log_ndtr((peak - last) / law.sigma)) * (1 - SPECIAL - 8 * UNIT_ROUNDOFF)
                found.append((1 + c) * log_u - c * bottom + (peak**2 / 2 - peak * last) / law.sigma**2 + tail)
        return min(found) if found else self._stepping_stones(last)

    def _stepping_stones(self, last: float) -> float:
        """From T1 to the last possible peak by a coarse grid and the Lipschitz constant of log f; beyond it by `_right_tail`."""
        law, c = self.law, self.c
        rates = (1 + c) * (len(law.upper) - 1) + c * (len(law.lower) - 1)
        end = rates + 9.0 * law.sigma
        steepest = (end + rates) / law.sigma**2
        width = 3.0 / steepest
        count = math.ceil((end - last) / width)
        if count > MAX_NODES:
            raise PrecisionError("the fast contour declines: the tail of its moment integral is too long")
        middle = last + width * (np.arange(count) + 0.5)
        exponents = law.log_density(middle) + c * law.loss(middle)
        top = float(exponents.max())
        within = top + math.log(float(np.exp(exponents - top).sum()) * (width + self.step)) + 1.6
        return float(np.logaddexp(within, self._right_tail(last + width * count)))

    def _discretisation(self, y: Array) -> Array:
        """Bound on the trapezoid error in t at each y, relative to e^κ (M(c) ≤ 1.01·e^κ)."""
        law, m_u, m_v = self.law, len(self.law.upper) - 1, len(self.law.lower) - 1
        theta = self._angles()
        a = theta * law.sigma**2
        decay = 2 * math.pi * a / self.step
        log_line = a**2 / (2 * law.sigma**2) - self.c * m_v * np.log(np.cos(theta / 2)) - decay - np.log(-np.expm1(-decay))
        upper = np.min(log_line)
        lower = np.min(log_line[:, None] + (m_u + m_v) * theta[:, None] * np.atleast_1d(y), axis=0)
        return 1.01 * (np.exp(np.minimum(upper, 600.0)) + np.exp(np.minimum(lower, 600.0)))

    def values(self, y: Array) -> tuple[Array, Array]:
        """(χ(y), error bounds)."""
        if self.closed:
            size = np.exp(-(y**2) / (2 * self.law.sigma**2))
            return size.astype(complex), size * (
                UNIT_ROUNDOFF * 8 * (y**2 / (2 * self.law.sigma**2) + y * abs(self.mean)) + LIBM + 8 * UNIT_ROUNDOFF
            )
        if not self.truncation + self.weight_error + float(self._discretisation(np.zeros(1))[0]) < 5e-3:
            raise PrecisionError("the fast contour declines: the moment integral did not converge in float64")
        result, summation = self._split_sums(y) if len(y) * len(self.t) > SMALL else self._sums(y)
        error = self.weight_error + self.phase_error * y + summation + self.truncation + self._discretisation(y)
        return result, 1.001 * error

    def _sums(self, y: Array) -> tuple[Array, Array | float]:
        """Σ w e^{iyx} at each y, and what library functions and the summation may be off."""
        result = np.empty(len(y), dtype=complex)
        rows = max(1, TABLE // len(self.t))
        for first in range(0, len(y), rows):
            phase = np.multiply.outer(y[first : first + rows], self.centred)
            result.real[first : first + rows] = (np.cos(phase) * self.weights).sum(axis=1)
            result.imag[first : first + rows] = (np.sin(phase) * self.weights).sum(axis=1)
        return result, 1.5 * LIBM + 1.5 * sum_error(len(self.t))

    def _split_sums(self, y: Array) -> tuple[Array, Array | float]:
        """As `_sums`, for equidistant y: "Large tables" above."""
        rows = math.isqrt(len(y) - 1) + 1
        starts, within = y[::rows], y[:rows]
        apart = float(np.max(np.abs(np.add.outer(starts, within).ravel()[: len(y)] - y))) + 2 * UNIT_ROUNDOFF * float(y[-1])
        if not apart <= 16 * UNIT_ROUNDOFF * float(y[-1]):
            return self._sums(y)
        real, imaginary = np.zeros((2, len(starts), rows))
        for first in range(0, len(self.t), BLOCK):
            centred, weights = self.centred[first : first + BLOCK], self.weights[first : first + BLOCK]
            far, near = np.multiply.outer(starts, centred), np.multiply.outer(within, centred)
            left = np.concatenate((np.cos(far) * weights, np.sin(far) * weights), axis=1)
            cosines, sines = np.cos(near), np.sin(near)
            real += left @ np.concatenate((cosines, -sines), axis=1).T
            imaginary += left @ np.concatenate((sines, cosines), axis=1).T
        turned = float(self.weights @ np.abs(self.centred)) * (apart + UNIT_ROUNDOFF * (y + apart)) * 1.01
        added = 1.5 * (2 * BLOCK + 2 + len(self.t) / BLOCK) * UNIT_ROUNDOFF
        return (real + 1j * imaginary).ravel()[: len(y)], turned + 3.1 * LIBM + added

    @property
    def scale_error(self) -> float:
        """Absolute error of κ·1 as an exponent (the Gaussian closed form; for quadratures χ(0) carries it)."""
        return UNIT_ROUNDOFF * 8 * abs(self.shift) if self.closed else 0.0

    def far(self, y: float) -> float:
        """log of a bound on |χ| beyond y."""
        law, c = self.law, self.c
        if self.closed:
            return -(y**2) / (2 * law.sigma**2) + 1e-12
        m_v = len(law.lower) - 1
        fringe = self.truncation + self.weight_error + sum_error(len(self.t)) + 8 * LIBM
        mean_shift = float(self.weights @ law.loss_slope(self.t))
        best_angle = y * mean_shift / max(1, law.degree)
        limit = 0.48 * math.pi / max(1, law.degree)
        near = [min(best_angle * factor, limit) for factor in _FAR_OF_BEST if best_angle * factor < 0.9 * limit]
        theta = np.array([math.pi * fraction / max(1, law.degree) for fraction in _FAR_FRACTIONS] + near)
        a = theta * law.sigma**2
        alpha = np.minimum(np.maximum(a, 0.5 * math.pi * law.sigma**2 - a), 10 * law.sigma)
        usable = (a**2 / (2 * law.sigma**2) <= 60) & (a + alpha < 0.999 * math.pi * law.sigma**2)
        if not usable.any():
            return 1e-12
        theta, a, alpha = theta[usable], a[usable], alpha[usable]
        u, v = law.turned(self.t, theta)
        growth = (1 + c) * np.log(np.abs(u)) - y * np.angle(u)
        if m_v:
            growth += y * np.angle(v) - c * np.log(np.abs(v))
        growth += self.log_weights
        top = growth.max(axis=1)
        rise = a**2 / (2 * law.sigma**2)
        line = top + np.log(np.exp(growth - top[:, None]).sum(axis=1)) + rise
        line += 64 * UNIT_ROUNDOFF * (1 + c + y) + 8 * UNIT_ROUNDOFF * (np.abs(top) + abs(self.shift))
        decay = 2 * math.pi * alpha / self.step
        spread = rise + alpha**2 / (2 * law.sigma**2) - c * m_v * np.log(np.cos((a + alpha) / (2 * law.sigma**2))) - decay
        edge = rise - c * m_v * np.log(np.cos(theta / 2)) + math.log(fringe)
        found = np.logaddexp(np.logaddexp(line, spread - np.log(-np.expm1(-decay)) + 0.704), edge)
        return min(1e-12, float(found.min()) + 1e-14)
