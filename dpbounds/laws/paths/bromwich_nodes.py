"""The moment function M(x + iy) of a Gaussian mixture pair on a vertical line, by the trapezoid rule in s with certified bounds.

With f_y(s) = φ u^{1+x+iy} v^{−x−iy} and nodes nη, n integer, the rule satisfies |Σ η f_y(nη) − M| ≤ (B₊ + B₋)/(e^{2πa/η} − 1),
B± ≥ ∫|f_y(s ± ia)|ds: by Poisson summation the difference is Σ_{m≠0} f̂_y(2πm/η), and moving the line of the m-th Fourier integral to
Im s = ∓a gives |f̂_y(2πm/η)| ≤ e^{−2π|m|a/η}·B. For y ≥ 0, |f_y(s+ia)| = |f_0(s+ia)|·e^{−y·turn} with 0 ≤ turn ≤ `shift_turn(a)`, and on
the
other side e^{+y·turn}; |f_0(s ± ia)| ≤ `shift_modulus(a)`·f_0(s), whose integral is M(x).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from flint import acb, arb

from dpbounds.errors import PrecisionError
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.paths.phase_sums import phase_sums
from dpbounds.laws.paths.truncated_noise import real_rule_end
from dpbounds.numbers.balls import precision, working_bits
from dpbounds.numbers.discs import ball_around_zero

_BLOCKS, _LONGEST_BLOCK = 16, 8
_MOST_NODES = 1_000_000
_RATIO = 0.86
_SHIFTS = tuple(0.999 * _RATIO**n for n in range(30))
"""Shifts, in widths of the strip, of which the best is taken."""
_WIDEST = 100.0
"""A wider strip gains nothing below a thousand digits."""
_LONGEST_STEP = 8.0
_SECTIONS = 3
_ERROR_BITS = 96
"""Of bounds on errors, whatever the precision of what they are bounds for."""


@dataclass(frozen=True)
class Grid:
    """Nodes n·step for first ≤ n ≤ last, or cut − step/2 + n·step, last = 0, where the noise is cut; binary floats, hence exact."""

    step: float
    first: int
    last: int
    cut: float | None = None

    def node(self, n: int) -> arb:
        """The n-th node, exactly as far as the working precision goes."""
        return arb(self.step) * n if self.cut is None else arb(self.cut) + arb(self.step) * (2 * n - 1) / 2

    def nodes(self) -> list[arb]:
        """The nodes, exactly.

        Raises:
            PrecisionError: more nodes than fit into memory in reasonable time.
        """
        if self.size > _MOST_NODES:
            raise PrecisionError(f"an integral over the noise would need {self.size} nodes; no digit was reached; ask for fewer digits")
        return [self.node(n) for n in range(self.first, self.last + 1)]

    @property
    def size(self) -> int:
        """How many nodes, which may be more than `len` can tell."""
        return self.last - self.first + 1


def moment_line(mixture: Mixture, grid: Grid, x: arb, h: arb, count: int, slack: Callable[[float], float] | None = None) -> list[acb]:
    """Enclosures of M(x + ijh), j = 0 … count−1, for real x; at height y they may be e^{slack(y)} times as wide as at 0.

    The sums are those of the powers of e^{ihL}.
    """
    sums = _sums(mixture, grid, x, h, count, slack)
    with precision(min(working_bits(), _ERROR_BITS)):
        truncation, relative = s_truncation_error(mixture, grid, x, arb(0)), s_discretisation_error(mixture, grid, x, arb(0))
        upper = moment_upper_bound(sums[0].real, relative, truncation)
    found: list[acb] = []
    width = min(max(1, -(-count // _BLOCKS)), _LONGEST_BLOCK)
    for start in range(0, count, width):
        stop = min(start + width, count)
        with precision(min(working_bits(), _ERROR_BITS)):
            if stop > 1 and grid.cut is not None:  # both parts of the error with one shift
                truncation = s_truncation_error(mixture, grid, x, h * (stop - 1))
            if stop > 1:
                relative = s_discretisation_error(mixture, grid, x, h * (stop - 1))
            spread = ball_around_zero(upper * relative + truncation)
        found.extend(value + spread for value in sums[start:stop])
    return found


def real_moment(mixture: Mixture, grid: Grid, x: arb) -> arb:
    """An enclosure of M(x) for real x."""
    return moment_line(mixture, grid, x, arb(0), 1)[0].real


def s_discretisation_error(mixture: Mixture, grid: Grid, x: arb, y: arb) -> arb:
    """The trapezoid error at x ± iy', 0 ≤ y' ≤ y, as a multiple of M(x): any shift a in (0, πσ) is valid, a good one is searched."""
    shift = best_shift(mixture, grid.step, float(x), float(y.upper()))
    a = arb(shift)
    sides = 1 + (y * mixture.shift_turn(a)).exp()
    return mixture.shift_modulus(a, x) * sides / (2 * arb.pi() * a / arb(grid.step)).expm1()


def s_truncation_error(mixture: Mixture, grid: Grid, x: arb, y: arb) -> arb:
    """The omitted nodes, for every y: |f_y| = f_0 on the real line. Where the noise is cut, the price of the end at heights up to y."""
    step = arb(grid.step)
    left = mixture.left_tail(grid.node(grid.first), x, step)
    if grid.cut is None:
        return mixture.right_tail(grid.node(grid.last), x, step) + left
    shift = best_shift(mixture, grid.step, float(x), float(y.upper()))
    return real_rule_end(mixture, grid.cut, x, y, arb(shift), step) + left


def moment_upper_bound(total: arb, discretisation: arb, truncation: arb) -> arb:
    """M(x) ≤ (sum + truncation)/(1 − η) from |sum over all nodes − M(x)| ≤ η·M(x); infinite when η ≥ 1."""
    if not discretisation < 1:
        return arb.pos_inf()
    return arb((total + truncation).upper() / (1 - discretisation))


def best_shift(mixture: Mixture, step: float, x: float, y: float) -> float:
    """The shift a that makes `s_discretisation_error` small: where 2πa/η − modulus(a) − y·turn(a) is largest.

    The best of a list first, then its neighbourhood: where a bound of the modulus ends, the function drops.
    """
    highest = min(mixture.strip, 6.283 / step)
    if mixture.plain_shift(x):
        return min(max(6.283185307179586 / step - y / float(mixture.sigma), 1e-3 * highest), highest)
    rate = 6.283185307179586 / step
    found, a = max(
        ((rate * a - modulus - y * turn, a) for a, modulus, turn in _shifts(mixture, x) if a <= highest), default=(-math.inf, highest)
    )
    low, high = _RATIO * a, min(a / _RATIO, highest)
    for _ in range(_SECTIONS):
        for near in ((low + a) / 2, (a + high) / 2):
            modulus, turn = mixture.approx_shift(near, x)
            found, a = max((found, a), (rate * near - modulus - y * turn, near))
        low, high = a - (high - low) / 4, min(a + (high - low) / 4, highest)
    return a


@lru_cache(maxsize=1024)
def _shifts(mixture: Mixture, x: float) -> list[tuple[float, float, float]]:
    """Shifts a with modulus(a) and turn(a)."""
    return [(a, *mixture.approx_shift(a, x)) for a in (min(mixture.strip, _WIDEST) * fraction for fraction in _SHIFTS)]


def longest_step(mixture: Mixture, x: float, goals: Sequence[tuple[float, float]]) -> float:
    """About the longest step with a discretisation error of e^{−tolerance} at height y for every (y, tolerance) of the goals.

    At one height it is the largest 2πa/(tolerance + modulus(a) + y·turn(a)).
    """
    if mixture.plain_shift(x):
        sigma = float(mixture.sigma)
        return min(_LONGEST_STEP, *(_plain_step(min(math.sqrt(2 * goal), mixture.strip), y / sigma, goal) for y, goal in goals))
    shifts = _shifts(mixture, x)
    steps = [max([a / (goal + modulus + y * turn) for a, modulus, turn in shifts]) for y, goal in goals]
    return min(_LONGEST_STEP, 6.283185307179586 * min(steps))


def _plain_step(a: float, turn: float, goal: float) -> float:
    return 6.283185307179586 * a / (goal + a * a / 2 + turn * a)


def plan_range(
    mixture: Mixture, x: float, step: float, tolerance: float, log_moment: float, cut: float | None = None, real: bool = False
) -> Grid:
    """A short grid of this step whose `s_truncation_error` is at most about e^{−tolerance}·M(x).

    Args:
        real: for M(x) alone: what is left at other heights may lie near 0, and so may what is left of noise that is cut.
    """
    low, high = mixture.approx_range(x, tolerance)
    low, high = (low, high) if real and cut is None else (min(low, 0.0), max(high, 0.0))
    goal = log_moment - tolerance
    first = mixture.approx_tail_start(x, low, goal, step, right=False)
    if cut is not None:
        return Grid(step, -max(math.ceil((cut - step / 2 - first) / step), 1), 0, cut)
    return Grid(step, math.floor(first / step), math.ceil(mixture.approx_tail_start(x, high, goal, step, right=True) / step))


def _sums(mixture: Mixture, grid: Grid, x: arb, h: arb, count: int, slack: Callable[[float], float] | None) -> list[acb]:
    nodes = grid.nodes()
    scale = arb(grid.step) / (2 * arb.pi()).sqrt()
    weights, losses = [], []
    for node, (log_u, log_v) in zip(nodes, mixture.logs(nodes), strict=True):
        loss = log_u - log_v
        weights.append(scale * (x * loss + log_u - node * node / 2).exp())
        losses.append(loss)
    if count == 1:
        return [acb(sum(weights, arb(0)))]
    step = float(h)
    return phase_sums(weights, losses, h, count, slack and (lambda j: slack(j * step) / math.log(2)))
