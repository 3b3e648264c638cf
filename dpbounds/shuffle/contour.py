"""E(S)₊ for a sum of n copies of a variable with a density, by the contour (1/2πi) ∫ M(z)ⁿ z^{−2} dz, Re z = c > 0.

With G(v) = E(S − v)₊ Poisson summation over z_j = c + ijh, T = 2π/h, gives exactly

    (h/2π)·Σ_j M(z_j)ⁿ/z_j² = Σ_m e^{cmT}·G(mT).

* **m ≥ 1.** G(v) ≤ e^{−λv}Mⁿ(λ)/(eλ) for every λ > 0 (x₊ ≤ e^{λx−1}/λ); with λ > c a geometric series.
* **m ≤ −1.** G(−v) = E S + v + E(−S − v)₊; the first two are summed, the last is at most e^{−μv}Mⁿ(−μ)/(eμ), μ > 0.
* **Ends.** |M(c + iy)| ≤ K₀ + K₁/y: atoms and the mass at 0 count with their size, and integration by parts gives the density g of
  either side |∫ g(t)e^{±iye^t·ℓ}dt| ≤ (|g e^{−t}| at both ends + its variation)/(ℓy). log(g e^{−t}) has a convex derivative which is
  negative at 0 for c < 1, so g e^{−t} falls and then perhaps rises: its variation is at most its values at the ends. Nodes beyond Y on
  both sides add at most (K₀ + K₁/Y)ⁿ(Y + h)/(πY²): of the first one y ≥ Y is all that is known, and the others are below an integral.
* **Between** the last node and Y blocks of width w from y on: |M| ≤ |M(c + iy)| + w·E|X|e^{cX}. M is convex and e^{cX} ≤ 1 for X < 0, so
  that E|X|e^{cX} = M′(c) + 2E(−X)₊e^{cX} ≤ (M(c + η) − M(c))/η + 2E(−X)₊ for every η > 0.
* **M** is an integral of ρ(t)e^{z(e^t − level)} and ρ(t)e^{z(1 − level·e^t)} over [0, T], both entire in t. The first goes from 0 over iθ
  and T + iθ to T, the second along the conjugates. For z = iy, y ≥ 0, |exp(iy·e^t)| = exp(−y·e^{Re t}·sin(Im t)) ≤ 1: what turns on the
  axis decays there. So few Gauss–Legendre panels serve all nodes at once, however high these are. The errors are bounded on ellipses. As
  |e^{xX}| is monotone in x, the sum of the bounds at several rates holds between them.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, replace
from functools import cached_property

from flint import acb, acb_mat, arb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import precision, working_bits
from dpbounds.numbers.gauss_legendre import Panel, cover
from dpbounds.numbers.trapezoid import between_zero_and
from dpbounds.shuffle.hankel import approx_log_blanket, gaussian_blanket
from dpbounds.shuffle.noise import NoiseSummand, StraightPath, laplace, summand
from dpbounds.shuffle.positive_part import approx_moments, saddle

_MOST_NODES, _MOST_LOST = 20_000, 2000
"""Nodes, and what may cancel, in logarithms."""
_BISECTIONS = 40
_CHUNK = 500
"""Values of X whose turns are kept at a time."""
_BLOCK_BITS, _DEEPER = 64, 8
"""Of the bounds after the last node: bits, and how far below the goal, in logarithms, the widest blocks may lie."""
_FRESH = 16
"""Turns after which terms are computed anew: each multiplication of complex balls may widen them by the factor √2."""
_RATES = 25
_SLOWER = (1.0, 0.7, 0.5, 0.35, 0.25, 0.18, 0.12, 0.07)
"""Abscissas that are tried, as multiples of the saddle: smaller ones cancel more digits, and their aliases end sooner."""
_MOST_TURNS, _TURN_BITS, _DEAR = 16_000_000, 128, 20
"""Products of a node and a value of X: a second or two at so many bits, fewer at more; one alone counts as twenty."""
_SPARE = 56
"""Bits of the working precision that the plan does not aim at."""


@dataclass(frozen=True)
class NodeLine:
    """Where to sum: Re z = c, nodes c + ijh, 0 ≤ j < count; λ and μ of the aliases; bits that cancel; the goal is e^{−reach} relative."""

    c: float
    step: float
    count: int
    right: float
    left: float
    lost: int
    reach: float


@dataclass(frozen=True)
class SummandModel:
    """The law in floats, values as multiples of `scale`."""

    values: list[float]
    weights: list[float]
    users: int
    scale: float

    @classmethod
    def of_noise(cls, noise: NoiseSummand, users: int) -> SummandModel:
        """By midpoints."""
        values, weights = noise.model()
        scale = max(map(abs, values))
        return cls([value / scale for value in values], weights, users, scale)

    @cached_property
    def saddle(self) -> float:
        """Where Mⁿ/c² is smallest."""
        return saddle(self.values, self.weights, self.users, 2)

    @cached_property
    def log_size(self) -> float:
        """About log E(S)₊, from the saddle."""
        log_moment, mean, square = approx_moments(self.values, self.weights, self.saddle)
        curvature = self.users * (square - mean * mean) + 2 / self.saddle**2
        return self.users * log_moment - 2 * math.log(self.saddle) - 0.5 * math.log(2 * math.pi * curvature) + math.log(self.scale)

    def log_power(self, rate: float) -> float:
        """n·log M."""
        return self.users * approx_moments(self.values, self.weights, rate)[0]

    def period(self, c: float, goal: float, sign: int) -> tuple[float, float]:
        """A distance T after which aliases on one side are below e^{goal}, and the rate that shows it."""
        first, growth = (1.3 * c, 1.3) if sign > 0 else (0.1 * c, 1.4)
        best = math.inf, first
        for k in range(_RATES):
            rate = first * growth**k
            found = (self.log_power(sign * rate) - math.log(rate) - 1 - goal) / (rate - sign * c)
            if found > best[0]:
                break
            best = found, rate
        return best

    def line(self, size: float, reach: float) -> tuple[float, float, float, float, float]:
        """c, the rates of the aliases ahead and behind, how much cancels in logarithms, and the period, of a short sum."""
        tries = []
        for factor in _SLOWER:
            c = factor * self.saddle
            (ahead, right), (behind, left) = self.period(c, size - reach, 1), self.period(c, size - reach, -1)
            lost = max(0.0, self.log_power(c) - 2 * math.log(c) - size)
            tries.append((max(ahead, behind) * (1 + lost / 100), c, right, left, lost, max(ahead, behind, 1e-3)))
        return min(tries)[1:]


def plan(noise: NoiseSummand, users: int) -> NodeLine:
    """A line in floats; a poor one costs digits only.

    Raises:
        PrecisionError: the line would be too long.
    """
    model = SummandModel.of_noise(noise, users)
    size = model.log_size - math.log(model.scale)
    reach = max(15.0, (working_bits() - _SPARE) * math.log(2))
    c, right, left, lost, length = model.line(size, reach)
    step = 2 * math.pi / length
    tilted = [(w * math.exp(c * a), a) for w, a in zip(model.weights, model.values, strict=True)]
    whole, lipschitz = (sum(w * abs(a) ** k for w, a in tilted) for k in (0, 1))
    low, high = step, step * _MOST_NODES
    for _ in range(_BISECTIONS):
        middle = math.sqrt(low * high)
        ratio = abs(sum(w * cmath.exp(1j * middle * a) for w, a in tilted)) / whole
        decayed = users * math.log((1 + ratio) / 2) < -reach - lost - 3 and 1 - ratio > 2 * step * lipschitz / whole
        low, high = (low, middle) if decayed else (middle, high)
    if not (high < step * (_MOST_NODES - 2) and lost < _MOST_LOST):  # nor are they numbers where the law is too steep for floats
        raise _unreached(users)
    count = math.ceil(high / step) + 2
    return NodeLine(
        c / model.scale, step / model.scale, count, right / model.scale, left / model.scale, math.ceil(lost / math.log(2)), reach
    )


@dataclass(frozen=True)
class Sum:
    """The law on the nodes of its panels, for one line: for the nodes of the sum, or for all that is bounded (`wide`)."""

    noise: NoiseSummand
    users: int
    line: NodeLine
    wide: bool = False

    @cached_property
    def height(self) -> float:
        """Im z up to which the rules are good: the last node; or where `ends` is small enough, if that is higher."""
        last = self.line.step * self.line.count
        if not self.wide or not last:
            return last
        constant, decay = (float(end.upper()) for end in self.ends())
        below = self.line.reach + self.line.lost * math.log(2) + _DEEPER + math.log(self.users)
        room = math.exp(self.line.c * float(self.noise.mean.mid()) - below / self.users) - constant  # M(c) ≥ e^{c·E X}
        if not room > 0:
            raise _unreached(self.users)
        return max(last, 1.01 * decay / room)

    @cached_property
    def legs(self) -> list[tuple[StraightPath, list[Panel]]]:
        """The way around [0, T], with panels whose rules are good at every z that is asked for."""
        rates = [arb(x) for x in (self.line.c, *((self.line.right, -self.line.left) if self.wide else ()))]
        goal, found = arb(2) ** -(working_bits() + 4) / self.users, []
        for leg in self.noise.way:

            def bound(low: float, high: float, leg: StraightPath = leg) -> arb:
                box = leg.box(low, high)
                return sum((self.noise.largest(*box, rate, arb(self.height)) for rate in rates), arb(0))

            found.append((leg, cover(0.0, 0.25, bound, goal, leg.end, growth=4)))
        return found

    @cached_property
    def points(self) -> list[tuple[acb, acb]]:
        """X and its mass: for each node on both sides, then the atoms."""
        level, found = self.noise.level, list[tuple[acb, acb]]()
        for leg, panels in self.legs:
            for node, weight in (each for panel in panels for each in panel.nodes()):
                t = leg.place(node)
                mass, turned = leg.pace * weight * self.noise.density(t), t.exp()
                found += [(turned - level, mass), (1 - level * turned.conjugate(), mass.conjugate())]
        if self.noise.atom > 0:
            grown, atom = self.noise.end.exp(), acb(self.noise.atom)
            found += [(acb(grown - level), atom), (acb(1 - level * grown), atom)]
        return found

    @cached_property
    def error(self) -> arb:
        """What the rules miss."""
        return arb(sum((panel.error * abs(leg.pace) for leg, panels in self.legs for panel in panels), arb(0)).upper())

    def moment(self, x: arb) -> arb:
        """M(x) for x = c, and for −μ ≤ x ≤ λ where the rules are wide."""
        return sum((mass * (x * value).exp() for value, mass in self.points), acb(1 - self.noise.kept)).real + arb(0, self.error)

    @property
    def most_heights(self) -> float:
        """How often M may be evaluated."""
        points = 2 * sum(panel.order for _, panels in self.legs for panel in panels) + 2
        return _MOST_TURNS * min(1.0, _TURN_BITS / working_bits()) / points

    @cached_property
    def turned(self) -> list[acb]:
        """The masses times e^{cX}."""
        c = arb(self.line.c)
        return [mass * (c * value).exp() for value, mass in self.points]

    @cached_property
    def moments(self) -> list[acb]:
        """M(c + ijh) for every node: with j = bk + l, b² about the number of nodes, products of matrices over X."""
        step, width = arb(self.line.step), math.isqrt(self.line.count - 1) + 1
        strides = math.ceil(self.line.count / width)
        total = acb_mat(strides, width, [acb(1 - self.noise.kept)] * (strides * width))
        values = [acb(0, step) * value for value, _ in self.points]
        for start in range(0, len(values), _CHUNK):
            chunk = values[start : start + _CHUNK]
            outer = self.turned[start : start + _CHUNK]
            total += acb_mat(_turns(outer, chunk, width, strides)) * acb_mat(_turns([acb(1)] * len(chunk), chunk, 1, width)).transpose()
        error = acb(arb(0, self.error), arb(0, self.error))
        return [moment + error for moment in total.entries()][: self.line.count]

    def value(self) -> arb:
        """E(S)₊.

        Raises:
            PrecisionError: too many products.
        """
        if self.line.count > self.most_heights:
            raise _unreached(self.users)
        c, step, users, total = arb(self.line.c), arb(self.line.step), self.users, arb(0)
        period = 2 * arb.pi() / step
        with precision(_BLOCK_BITS):
            bounds = replace(self, wide=True)
            above, cut = bounds.aliases(period, 1) + bounds.aliases(period, -1), bounds.between()
        for j, moment in enumerate(self.moments):
            z = acb(c, step * j)
            term = (moment**users / (z * z)).real
            total += term if j else term / 2
        total *= step / arb.pi()
        ratio = (-c * period).exp()
        total -= users * self.noise.mean * ratio / (1 - ratio) + period * ratio / (1 - ratio) ** 2
        return total - between_zero_and(above) + arb(0, cut.upper())

    def aliases(self, period: arb, sign: int) -> arb:
        """All m ≥ 1 (`sign` 1); the part of m ≤ −1 that is not summed (−1)."""
        rate = arb(self.line.right if sign > 0 else self.line.left)
        decay = (rate - sign * arb(self.line.c)) * period
        geometric = 1 / (decay.exp() - 1) if decay > 0 else arb.pos_inf()  # Σ_{m≥1} e^{−m·decay}
        return self.moment(sign * rate) ** self.users / (rate * arb(1).exp()) * geometric

    def between(self) -> arb:
        """All nodes after the last."""
        c, step = arb(self.line.c), arb(self.line.step)
        if not c < 1:
            raise _unreached(self.users)
        constant, decay = self.ends()
        moment, lipschitz = self.moment(c), self.lipschitz()
        below = arb(self.line.reach + self.line.lost * math.log(2) + _DEEPER)
        enough, small = (-below).exp() / self.users, moment * (-below / self.users).exp()
        y, total = step * (self.line.count - 1), arb(0)
        for _ in range(math.floor(self.most_heights / _DEAR)):
            tail = self.beyond(y)
            if constant + decay / y < moment and tail < enough * moment**self.users:
                return total + tail
            near = self.size_at(y)
            width = arb(((moment - near) / (2 * lipschitz)).lower()).max(arb(((small - near) / lipschitz).lower()))
            if not width > 0:
                return arb.pos_inf()
            bound = near + width * lipschitz
            total += (width + step) * bound**self.users / (arb.pi() * y * y)
            y += width
        raise _unreached(self.users)

    def beyond(self, y: arb) -> arb:
        """All nodes above y, which may lie between two of them."""
        constant, decay = self.ends()
        return (constant + decay / y) ** self.users * (y + arb(self.line.step)) / (arb.pi() * y * y)

    def lipschitz(self) -> arb:
        """A bound on E|X|e^{cX}, by wide rules."""
        c, right = arb(self.line.c), arb(self.line.right)
        eta = (right - c) / 8
        return (self.moment(c + eta) - self.moment(c)) / eta + 2 * self.noise.negative

    def size_at(self, y: arb) -> arb:
        """A bound on |M(c + iy)|, 0 ≤ y ≤ `height`."""
        if not y <= self.height:
            raise _unreached(self.users)
        turned = (size * (acb(0, y) * value).exp() for size, (value, _) in zip(self.turned, self.points, strict=True))
        return arb((abs(sum(turned, acb(1 - self.noise.kept))) + self.error).upper())

    def ends(self) -> tuple[arb, arb]:
        """K₀ and K₁."""
        c, noise = arb(self.line.c), self.noise
        grown = noise.end.exp()
        constant = 1 - noise.kept + noise.atom * ((c * (grown - noise.level)).exp() + (c * (1 - noise.level * grown)).exp())
        start = noise.density(arb(0))
        top = start * (c * (1 - noise.level)).exp() + noise.density(noise.end) * (c * (grown - noise.level)).exp() / grown
        bottom = start * (c * (1 - noise.level)).exp() / noise.level
        return constant, 2 * (top + bottom)


def _turns(first: list[acb], values: list[acb], stride: int, count: int) -> list[list[acb]]:
    """e^{stride·k·value} times the first, 0 ≤ k < count."""
    steps, rows = [(stride * value).exp() for value in values], [first]
    for k in range(1, count):
        if k % _FRESH:
            rows.append([turned * step for turned, step in zip(rows[-1], steps, strict=True)])
        else:
            rows.append([size * (stride * k * value).exp() for size, value in zip(first, values, strict=True)])
    return rows


def _unreached(users: int) -> PrecisionError:
    return PrecisionError(f"the blanket for {users} users needs too long a contour; no digit was reached; take fewer digits or more users")


def noise_delta(users: int, randomizer: str, parameter: arb, epsilon: arb) -> arb:
    """The blanket bound of Laplace (parameter ε₀) or Gaussian noise (parameter σ) for the inputs 0 and 1; of one user the δ of the noise.

    Raises:
        PrecisionError: so few users that the contour does not decay, or no path around the branch cut.

    >>> from dpbounds.numbers.balls import precision
    >>> with precision(120):
    ...     print(noise_delta(100_000, "laplace", arb(1), arb("0.01")).str(6, radius=False))
    2.37307e-6
    """
    if users == 1:  # E X₊, the hockey-stick divergence of p_0 and p_1
        return summand(randomizer, parameter, epsilon, arb(0)).alone
    if randomizer == "gaussian":
        return gaussian_blanket(users, parameter, epsilon)
    line = plan(laplace(parameter, epsilon), users)
    with precision(working_bits() + line.lost):
        return Sum(laplace(parameter, epsilon), users, line).value() / users


def approx_log_noise_delta(users: int, randomizer: str, parameter: arb, epsilon: arb) -> float:
    """About log of the bound, in floats."""
    if randomizer == "gaussian":
        return approx_log_blanket(users, parameter, epsilon)
    return SummandModel.of_noise(laplace(parameter, epsilon), users).log_size - math.log(users)
