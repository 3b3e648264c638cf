"""Pairs of Gaussian mixtures, and what is known of their moment integrand off the real line.

In units of the noise, s = t/σ, with φ the standard normal density and w(s) = s/σ − 1/(2σ²),

    u(s) = 1 − q + q·e^{w(s)},    v(s) = u(−s),    M(z) = ∫ φ(s) u(s)^{1+z} v(s)^{−z} ds,

where u or v may be absent (then it is 1): (u, 1) is Poisson sampling in the remove direction, (1, v) the add direction after
t → −t, and (u, v) the substitute pair. The loss L = log u − log v increases in s in all three.

Off the real line, with θ = a/σ in (0, π) and x = e^{s/σ} > 0: u(s+ia) = 1 − q + q'·x·e^{iθ} is a sum of two complex numbers of arguments
0 and θ, so for a > 0

    |u(s+ia)| ≤ u(s),   |u(s+ia)| ≥ u(s)·cos(θ/2),   0 ≤ arg u(s+ia) ≤ θ.

The second is |A + Be^{iθ}|² − (A+B)²cos²(θ/2) = (A−B)²·sin²(θ/2) ≥ 0. For v the argument has the other sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import acb, arb

from dpbounds.numbers.balls import precision, working_bits
from dpbounds.numbers.inputs import exact_ball

_NEGLIGIBLE = 200.0
_CLOSE = 0.01
_SHOULDER, _UNSEEN = 20.0, 60.0
_TAIL_STEPS, _TAIL_CLOSE = 60, 0.05
_SAFE = 36
"""Exponents that neither overflow nor make all else vanish."""
_KEPT = 16
"""Precisions at which the parameters are kept."""


@dataclass(frozen=True)
class Mixture:
    """The pair with density ratio u/v to φ; `numerator` says that u is present, `denominator` that v is.

    Args:
        q: weight of the shifted component, 0 < q < 1.
        sigma: σ > 0.

    >>> Mixture(Fraction(1, 100), Fraction(2), numerator=True, denominator=False).strip > 6
    True
    """

    q: Fraction
    sigma: Fraction
    numerator: bool
    denominator: bool

    @cached_property
    def strip(self) -> float:
        """Half the width πσ of the strip where the integrand is analytic (a float slightly below it)."""
        return math.pi * float(self.sigma) * (1 - 1e-12)

    @cached_property
    def _floats(self) -> tuple[float, float]:
        return float(self.q), float(self.sigma)

    # exact balls ------------------------------------------------------------------------------------------------------

    @cached_property
    def _balls(self) -> dict[int, tuple[arb, arb]]:
        return {}

    def parameters(self) -> tuple[arb, arb]:
        """q and σ at the current precision."""
        bits = working_bits()
        if bits not in self._balls:
            if len(self._balls) >= _KEPT:
                self._balls.clear()
            self._balls[bits] = exact_ball(self.q, "q"), exact_ball(self.sigma, "sigma")
        return self._balls[bits]

    def logs(self, nodes: list[arb]) -> list[tuple[arb, arb]]:
        """log u and log v at real nodes."""
        q, sigma = self.parameters()
        shift, zero = 1 / (2 * sigma**2), arb(0)
        found = []
        for node in nodes:
            scaled = node / sigma
            log_u = (q * (scaled - shift).expm1()).log1p() if self.numerator else zero
            log_v = (q * (-scaled - shift).expm1()).log1p() if self.denominator else zero
            found.append((log_u, log_v))
        return found

    def shifted(self, nodes: list[arb], a: arb) -> list[tuple[arb, arb, arb]]:
        """log|u|, log|v| and arg u − arg v at s + ia, for 0 < a < πσ: the principal argument is the continuous one."""
        q, sigma = self.parameters()
        shift, rest = 1 / (2 * sigma**2), 1 - q
        sine, cosine = (a / sigma).sin_cos()
        found = []
        for node in nodes:
            turn, logs = arb(0), [arb(0), arb(0)]
            for index, sign in ((0, 1), (1, -1)):
                if not (self.numerator, self.denominator)[index]:
                    continue
                weight = q * (sign * node / sigma - shift).exp()
                real, imaginary = rest + weight * cosine, weight * sine
                logs[index] = (real**2 + imaginary**2).log() / 2
                turn += arb.atan2(imaginary, real)
            found.append((logs[0], logs[1], turn))
        return found

    def complex_logs(self, point: acb) -> tuple[acb, acb]:
        """log u and log v at a complex point with |Im s| < πσ."""
        q, sigma = self.parameters()
        shift, zero = 1 / (2 * sigma**2), acb(0)
        scaled = point / sigma
        log_u = (q * (scaled - shift).expm1()).log1p() if self.numerator else zero
        log_v = (q * (-scaled - shift).expm1()).log1p() if self.denominator else zero
        return log_u, log_v

    def shift_modulus(self, a: arb, x: arb) -> arb:
        """A bound on ∫|f(s±ia)|ds/M(x) for f = φ u^{1+x} v^{−x}: e^{a²/2} times `denominator_loss`."""
        return (a**2 / 2).exp() * self.denominator_loss(a, x, pointwise=False)

    def negative_power(self, x: arb) -> arb:
        """n, the absolute value of the negative exponent in u^{1+x} v^{−x}: at most one of the two is negative, none for −1 < x < 0."""
        if self.denominator and x > 0:
            return x
        return -(1 + x) if self.numerator and x < -1 else arb(0)

    def denominator_loss(self, a: arb, x: arb, *, pointwise: bool) -> arb:
        """What the negative exponent −n of v (x ≥ 0; of u for x ≤ −1) can cost when s moves to s ± ia.

        Pointwise |v(s+ia)|^{−n} ≤ v^{−n} cos(θ/2)^{−n}. With v = (1−q)(1+ρ) and θ ≤ 2π/3 also log|1+ρe^{iθ}| ≥ cos θ·log(1+ρ), because the
        derivatives in ρ satisfy (cos θ + ρ)(1+ρ) − cos θ·|1+ρe^{iθ}|² = ρ(1−cos θ)(1+2cos θ) + ρ²(1−cos θ) ≥ 0: so

            |v(s+ia)|^{−n} ≤ (1−q)^{−n(1−cos θ)} v^{−n cos θ}.

        Let cos θ ≥ 0 and m ≤ ∫φv^{−n}. By Jensen ∫φv^{−n cos θ} ≤ (∫φv^{−n})^{cos θ} ≤ m^{−(1−cos θ)}·∫φv^{−n}. The same holds with
        the factor u^{1+x} in both integrals: it rises in s and v^{n(1−cos θ)} falls, so that its mean under φv^{−n} falls when this weighs
        it (Chebyshev's sum inequality). So the loss is at most ((1−q)^{−n}/m)^{1−cos θ}: far up, ∫φv^{−n} is nearly (1−q)^{−n}, and
        nothing is lost. For x ≤ −1 exchange u and v.
        """
        q, sigma = self.parameters()
        n = self.negative_power(x)
        if not n > 0:
            return arb(1)
        plain = (a / sigma / 2).cos() ** (-n)
        cosine = (a / sigma).cos()
        if pointwise or not cosine >= 0:
            return plain
        return plain.min(((1 - cosine) * (-n * (-q).log1p() - self.least_log_moment(n))).exp())

    def least_log_moment(self, n: arb) -> arb:
        """A lower bound on log ∫φv^{−n}: v falls in s, so that log Φ̄(S) − n·log v(S) is one for every S; and so is 0, as ∫φv = 1."""
        q, sigma = self.parameters()
        place = arb(self._far_place(float(n)))
        log_v = (q * (-place / sigma - 1 / (2 * sigma**2)).expm1()).log1p()
        return (((place / arb(2).sqrt()).erfc() / 2).log() - n * log_v).max(arb(0))

    def _far_place(self, n: float) -> float:
        """A good S: a little before the bulk of φv^{−n}, where less of φ is left out."""
        low, high = 0.0, n / self._floats[1]
        while high - low > _CLOSE * max(1.0, low):
            middle = (low + high) / 2
            low, high = (middle, high) if middle * self._floats[1] < n * self._approx_weight(-middle) else (low, middle)
        return low - 1 / max(low, 1.0)

    def shift_turn(self, a: arb) -> arb:
        """A bound on |arg u − arg v| at s ± ia, for every real s.

        One factor: θ. Both: with r = q·e^{−1/2σ²}/(1−q) and X = x + 1/x ≥ 2 the argument is that of
        1 + rXe^{iθ} + r²e^{2iθ} = e^{iθ}·((1+r²)cos θ + rX + i(r²−1)sin θ), which is monotone in X: it runs between 2·arg(1+re^{iθ}) at
        X = 2 and θ at X → ∞.
        """
        q, sigma = self.parameters()
        theta = a / sigma
        if not (self.numerator and self.denominator):
            return theta
        r = q * (-1 / (2 * sigma**2)).exp() / (1 - q)
        sine, cosine = theta.sin_cos()
        return theta.max(2 * arb.atan2(r * sine, 1 + r * cosine))

    def right_tail(self, cut: arb, x: arb, step: arb) -> arb:
        """A bound on Σ step·f(s_n) over nodes s_n > cut, for f = φ u^{1+x} v^{−x}.

        s > cut is cut into cells [S₀, S₁], the last one unbounded. On each, log u is convex with slope at most 1/σ: a positive power of u
        lies below the chord (below the line of slope 1/σ in the last cell), and so does one of v (there below its value at S₀);
        negative powers are concave and lie below their tangents at S₀. So with a slope m, f ≤ (f/φ)(S₀)·φ(s)e^{m(s−S₀)}
        = (f/φ)(S₀)·e^{m²/2−mS₀}·φ(s − m),
        and the integral of φ(s − m) over the cell is at most Φ̄(d), d = max(S₀ − m, m − S₁); for the sum see `gaussian_tail`.
        """
        _, sigma = self.parameters()
        steepest = (1 + x + (x.nonnegative_part() if self.denominator else 0)) / sigma
        last = float(steepest.upper()) if self.numerator and x > -1 else 0.0
        total, start, first = arb(0), cut, float(cut.mid())
        while True:
            place = float(start.mid())
            end = None if place >= last else start + cell_width(place, first)
            total += self._cell_tail(start, end, x, step)
            if end is None:
                return total
            start = end

    def _cell_tail(self, start: arb, end: arb | None, x: arb, step: arb) -> arb:
        """The part of `right_tail` on one cell."""
        _, sigma = self.parameters()
        points = [start] if end is None else [start, end]
        logs = self.logs(points)
        slope = arb(0)
        for index, power, steepest in ((0, 1 + x, 1 / sigma), (1, -x, arb(0))):
            if not (self.numerator, self.denominator)[index] or power == 0:
                continue
            if power > 0:
                slope += power * (steepest.min((logs[1][index] - logs[0][index]) / (points[1] - start)) if end is not None else steepest)
            else:  # (−1)^index·(1 − (1−q)/u)/σ is the slope of the logarithm at S₀: the weight of the shifted component
                slope += (-1) ** index * power / sigma * (1 - (1 - self.parameters()[0]) / logs[0][index].exp())
        size = ((1 + x) * logs[0][0] - x * logs[0][1] + slope * (slope / 2 - start)).exp()
        distance = start - slope if end is None else (start - slope).max(slope - end)
        return size * gaussian_tail(distance, step)

    def left_tail(self, cut: arb, x: arb, step: arb) -> arb:
        """The same over nodes s_n < cut, by the mirror image s → −s, which exchanges (u, 1+x) and (v, −x)."""
        mirrored = Mixture(self.q, self.sigma, numerator=self.denominator, denominator=self.numerator)
        return mirrored.right_tail(-cut, -1 - x, step)

    # floats, for planning only ----------------------------------------------------------------------------------------

    def approx_logs(self, s: float) -> tuple[float, float]:
        """log u and log v in float64."""
        q, sigma = self._floats
        shift = 1 / (2 * sigma**2)
        return (
            _approx_log_mix(q, s / sigma - shift) if self.numerator else 0.0,
            _approx_log_mix(q, -s / sigma - shift) if self.denominator else 0.0,
        )

    def approx_log_columns(self, places: Sequence[float]) -> tuple[list[float], list[float]]:
        """The same at many s."""
        q, sigma = self._floats
        shift = 1 / (2 * sigma**2)

        def column(present: bool, ratios: Iterable[float]) -> list[float]:
            if not present:
                return [0.0] * len(places)
            return [math.log1p(q * math.expm1(w)) if w <= _SAFE else _approx_log_mix(q, w) for w in [ratio - shift for ratio in ratios]]

        return column(self.numerator, [s / sigma for s in places]), column(self.denominator, [-s / sigma for s in places])

    def approx_range(self, x: float, tolerance: float = 0.0) -> tuple[float, float]:
        """Where the integrand of M(x) has its bulk, without margin: x ≥ 0 tilts to the right, x ≤ −1 to the left.

        What is smaller by more than e^{−tolerance}, and by much, is passed over.

        Stationary points of −s²/2 + (1+p)·log u − p·log v solve s = ((1+p)λ(s) + pλ(−s))/σ, λ the weight of the shifted component.
        """
        if -1 < x < 0:
            ends = self.approx_range(-1.0) + self.approx_range(0.0)
            return min(ends), max(ends)
        forward, backward = (self.numerator, self.denominator) if x >= 0 else (self.denominator, self.numerator)
        p = x if x >= 0 else -1 - x
        if not forward:
            low, high = 0.0, p / self._floats[1]
            while high - low > _CLOSE:
                middle = (low + high) / 2
                low, high = (middle, high) if middle * self._floats[1] < p * self._approx_weight(-middle) else (low, middle)
            return (0.0, high) if x >= 0 else (-high, 0.0)
        near, far = self._approx_peaks(p, backward, max(_NEGLIGIBLE, tolerance + 20))
        return (near, far) if x >= 0 else (-far, -near)

    def _approx_peaks(self, p: float, backward: bool, negligible: float) -> tuple[float, float]:
        """The first and the last stationary point (or bounds on them); only one of them where the other carries nothing."""
        sigma = self._floats[1]

        def height(s: float) -> float:
            log_u = _approx_log_mix(self._floats[0], s / sigma - 1 / (2 * sigma**2))
            log_v = _approx_log_mix(self._floats[0], -s / sigma - 1 / (2 * sigma**2)) if backward else 0.0
            return (1 + p) * log_u - p * log_v - s * s / 2

        low, high = 0.0, (1 + 2 * p if backward else 1 + p) / sigma
        for _ in range(40):
            # lower and upper bounds of the right-hand side on [low, high], λ(s) increasing and λ(−s) decreasing
            above = ((1 + p) * self._approx_weight(low) + (p * self._approx_weight(-high) if backward else 0.0)) / sigma
            below = ((1 + p) * self._approx_weight(high) + (p * self._approx_weight(-low) if backward else 0.0)) / sigma
            before = low, high
            low, high = max(low, above), min(high, below)
            if low - before[0] < _CLOSE and before[1] - high < _CLOSE:
                break
        if high - low < 20:
            return low, high
        for _ in range(40 if backward else 0):  # bounds alone until now, as each end looked at the other
            low, high = (((1 + p) * self._approx_weight(s) + p * self._approx_weight(-s)) / sigma for s in (low, high))
        top_low, top_high = height(low), height(high)
        if top_low > top_high + negligible:
            return low, low
        return (high, high) if top_high > top_low + negligible else (low, high)

    def approx_shoulder(self, x: float, low: float) -> float:
        """Where the shifted component of u has its part in M(x) if that is near `low` and not too small to matter in many steps.

        It need not be a stationary point: where q is small it is a shoulder of what lies around 0.
        """
        q, sigma = self._floats
        place = (1 + x) / sigma
        if not self.numerator or self.denominator or x < 0 or place > low + _SHOULDER or q == 0:
            return low
        return place if (1 + x) * (math.log(q) + 0.5 * x / sigma**2) > -_UNSEEN else low

    def approx_tail_start(self, x: float, start: float, goal: float, step: float, *, right: bool) -> float:
        """The s nearest to `start`, a stationary point, to the right or the left of it, beyond which nodes of this step add about e^{goal}.

        Beyond the last stationary point log f falls at the rate s − m, m the slope of log(f/φ), at which it stands there.
        """
        way = 1.0 if right else -1.0

        def excess(s: float) -> tuple[float, float]:
            log_u, log_v = self.approx_logs(s)
            slope = s
            if self.numerator:
                slope -= (1 + x) * self._approx_weight(s) / self._floats[1]
            if self.denominator:
                slope -= x * self._approx_weight(-s) / self._floats[1]
            rate = max(way * slope, 0.3)
            return (1 + x) * log_u - x * log_v - s * s / 2 - 0.92 + math.log(1 / rate + step) - goal, rate

        low, high, s = 0.0, math.inf, 1.0
        for _ in range(_TAIL_STEPS):
            value, rate = excess(start + way * s)
            low, high = (s, high) if value > 0 else (low, s)
            if high - low <= _TAIL_CLOSE:
                break
            # of a parabola with curvature 1 from here: the root of value − rate·t − t²/2
            if value > 0:
                moved = s + math.sqrt(rate * rate + 2 * value) - rate + _TAIL_CLOSE / 2
            else:
                moved = s - min(rate, -value / rate) - _TAIL_CLOSE / 2 if rate > 0.3 else s - 1.0
            s = moved if low < moved < high else (low + high) / 2 if math.isfinite(high) else 2 * s
        return start + way * (high if math.isfinite(high) else s)

    def approx_range_below(self, x: float, cut: float) -> tuple[float, float]:
        """`approx_range` of (u, 1) for s ≤ cut, x ≥ 0."""
        if x < 0:
            return self.approx_range(x)
        sigma, low, high = self._floats[1], 0.0, (1 + x) / self._floats[1]
        for _ in range(40):
            before = low, high
            low, high = max(low, (1 + x) * self._approx_weight(low) / sigma), min(high, (1 + x) * self._approx_weight(high) / sigma)
            if low - before[0] < _CLOSE and before[1] - high < _CLOSE:
                break
        return min(low, cut), min(high, cut)

    def _approx_weight(self, s: float) -> float:
        """The weight λ of the shifted component of u at s."""
        q, sigma = self._floats
        w = s / sigma - 1 / (2 * sigma**2)
        if w > 0 and q:  # a rate below the smallest float counts as 0
            return q / (q + (1 - q) * math.exp(-w))
        return q * math.exp(w) / (1 - q + q * math.exp(w))

    def plain_shift(self, x: float) -> bool:
        """Whether a shift by a costs e^{a²/2} and the angle a/σ alone."""
        return not ((self.denominator and x > 0) or (self.numerator and (self.denominator or x < -1)))

    def _approx_negative(self, x: float) -> float:
        """`negative_power` in float64."""
        return (max(0.0, -1 - x) if self.numerator else 0.0) + (max(0.0, x) if self.denominator else 0.0)

    def approx_largest_loss(self, a: float, x: float) -> float:
        """What the negative exponent can cost anywhere, in float64: far out it does, where the mean of `shift_modulus` does not see it."""
        theta, negative = a / self._floats[1], self._approx_negative(x)
        if theta >= math.pi or not negative:
            return math.inf if theta >= math.pi else 0.0
        loss = -negative * math.log(math.cos(theta / 2))
        if theta <= math.pi / 2 and self._floats[0] < 1:
            loss = min(loss, -negative * (1 - math.cos(theta)) * math.log1p(-self._floats[0]))
        return loss

    def approx_shift(self, a: float, x: float) -> tuple[float, float]:
        """Logarithm of `shift_modulus`, and `shift_turn`, in float64."""
        q, sigma = self._floats
        theta = a / sigma
        if theta >= math.pi:
            return math.inf, math.inf
        negative, loss = self._approx_negative(x), self.approx_largest_loss(a, x)
        if negative and theta <= math.pi / 2 and q < 1:
            loss = min(loss, (1 - math.cos(theta)) * self._approx_excess(negative))
        modulus = a * a / 2 + (loss if negative else 0.0)
        if not (self.numerator and self.denominator):
            return modulus, theta
        r = q * math.exp(-1 / (2 * sigma**2)) / (1 - q)
        return modulus, max(theta, 2 * math.atan2(r * math.sin(theta), 1 + r * math.cos(theta)))

    @cached_property
    def _excesses(self) -> dict[float, float]:
        return {}

    def _approx_excess(self, n: float) -> float:
        """−n·log(1−q) less `least_log_moment`, remembered."""
        if n not in self._excesses:
            with precision(64):
                self._excesses[n] = float((-arb(n) * (-self.parameters()[0]).log1p() - self.least_log_moment(arb(n))).mid())
        return self._excesses[n]

    def approx_shifted(self, nodes: Iterable[float], a: float) -> list[tuple[float, float, float]]:
        """`shifted` in float64."""
        q, sigma = self._floats
        sine, cosine, offset = math.sin(a / sigma), math.cos(a / sigma), 1 / (2 * sigma**2)
        sides = [(index, sign) for index, sign in ((0, 1.0), (1, -1.0)) if (self.numerator, self.denominator)[index]]
        found = []
        for s in nodes:
            logs, turn = [0.0, 0.0], 0.0
            for index, sign in sides:
                exponent = sign * s / sigma - offset
                if exponent > 0:
                    weight, rest, scale = q, (1 - q) * math.exp(-exponent), exponent
                else:
                    weight, rest, scale = q * math.exp(exponent), 1 - q, 0.0
                real, imaginary = rest + weight * cosine, weight * sine
                logs[index] = scale + math.log(max(math.hypot(real, imaginary), 1e-300))
                turn += math.atan2(imaginary, real)
            found.append((logs[0], logs[1], turn))
        return found


def gaussian_tail(cut: arb, step: arb) -> arb:
    """A bound on Σ step·φ(s_n) over nodes s_n > cut: the integral plus step times the largest value, φ being unimodal."""
    tail = (cut / arb(2).sqrt()).erfc() / 2
    peak = (-(cut.nonnegative_part() ** 2) / 2).exp() / (2 * arb.pi()).sqrt()
    return tail + step * peak


def cell_width(place: float, first: float) -> float:
    """How wide the cell of a tail is at `place`, for a tail that begins at `first`: enough to move a float."""
    return max(1.0, 0.3 * (place - first), 1e-15 * abs(place))


def _approx_log_mix(q: float, w: float) -> float:
    if w > _SAFE:
        return w + math.log(q) + math.log1p((1 - q) / q * math.exp(-w))
    return math.log1p(q * math.expm1(w))
