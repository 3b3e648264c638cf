"""δ(ε) in mpmath: exact enumeration of finite pairs, direct integration of one step, a contour integral for compositions.

    δ(ε) = ∫ (p − e^ε q)₊ (one step),      δ(ε) = (1/2πi) ∫_{Re z = c} M(z) e^{−εz}/(z(z+1)) dz (compositions)

Errors are estimated by repeating the computation with finer parameters, not bounded.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import mpmath
from mpmath import mpc, mpf

from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.atomic import AtomicPair
from dpbounds.mechanisms.pairs import Factor, LaplacePair, Product, dominating_pairs
from dpbounds.numbers import exact
from dpbounds.numbers.domains import nonnegative
from dpbounds.oracle.mixtures import Mixtures, base_and_rate, mixtures_of
from dpbounds.oracle.numbers import MPMATH, merged

_LARGEST_SUM = 200_000


def approx_delta(
    mechanism: Mechanism,
    epsilon: exact.Number,
    digits: int = 20,
    *,
    relation: Relation | None = None,
    direction: Direction = Direction.WORST,
    guarantee: Guarantee = Guarantee.MECHANISM,
) -> mpf:
    """δ(ε) of a mechanism to about `digits` digits; the arguments of `accounting.delta`.

    >>> from dpbounds.mechanisms import Gaussian
    >>> mpmath.nstr(approx_delta(Gaussian(1), 0, 20), 15)
    '0.382924922548026'
    """
    return max(_approx_delta_of(product, epsilon, digits) for product in dominating_pairs(mechanism, relation, direction, guarantee))


def _approx_delta_of(product: Product, epsilon: exact.Number, digits: int = 20) -> mpf:
    """δ(ε) of one product of pairs to about `digits` digits.

    Raises:
        InputError: ε < 0, or a pair without an evaluator here.
        PrecisionError: repeated computations do not agree.
    """
    value = nonnegative(exact.rational(epsilon, "epsilon"), "epsilon")
    with mpmath.workdps(2 * digits + 20):
        finite = [_outcomes(factor) for factor in product.factors]
        if all(entry is not None for entry in finite):
            return _enumerate([entry for entry in finite if entry is not None], [f.steps for f in product.factors], MPMATH.number(value))
        if len(product.factors) == 1 and product.factors[0].steps == 1:
            return _one_step(product.factors[0], MPMATH.number(value))
        return _contour([_Line.of_factor(factor) for factor in product.factors], MPMATH.number(value), digits)


def _outcomes(factor: Factor) -> list[tuple[mpf, mpf]] | None:
    """(p, q) of every outcome of a finite pair, sampled and swapped as asked; None for the others."""
    base, rate = base_and_rate(factor.pair)
    if not isinstance(base, AtomicPair):
        return None
    rows = merged(base.definition(MPMATH))
    mixed = [(rate * p + (1 - rate) * q, q) for p, q in rows]
    return [(q, p) for p, q in mixed] if factor.reversed else mixed


def _enumerate(pairs: Sequence[list[tuple[mpf, mpf]]], steps: Sequence[int], epsilon: mpf) -> mpf:
    """Σ (P − e^ε Q)₊ over the count vectors of all factors."""
    states = [(mpf(1), mpf(1))]
    for rows, count in zip(pairs, steps, strict=True):
        own = []
        for bars in itertools.combinations(range(count + len(rows) - 1), len(rows) - 1):
            counts = [b - a - 1 for a, b in zip((-1, *bars), (*bars, count + len(rows) - 1), strict=True)]
            ways = mpmath.factorial(count) / mpmath.fprod(mpmath.factorial(n) for n in counts)
            own.append(tuple(ways * mpmath.fprod(row[side] ** n for row, n in zip(rows, counts, strict=True)) for side in (0, 1)))
        if len(own) * len(states) > _LARGEST_SUM:
            raise PrecisionError(f"the enumeration would have more than {_LARGEST_SUM} terms")
        states = [(p * a, q * b) for p, q in states for a, b in own]
    scale = mpmath.exp(epsilon)
    return mpmath.fsum(max(mpf(0), p - scale * q) for p, q in states)


def _one_step(factor: Factor, epsilon: mpf) -> mpf:
    """∫ (p − e^ε q)₊ of one use."""
    if (mixtures := mixtures_of(factor.pair)) is not None:
        return _one_step_of_mixtures(mixtures.swapped(factor.reversed), epsilon)
    base, rate = base_and_rate(factor.pair)
    if not isinstance(base, LaplacePair):
        raise InputError(f"the mpmath oracle has no delta for {base.title}")
    return _one_step_of_laplace(base, rate, factor.reversed, epsilon)


def _one_step_of_mixtures(mixtures: Mixtures, epsilon: mpf) -> mpf:
    reach = mixtures.sigma * mpmath.sqrt(2 * mpmath.mp.dps * mpmath.log(10))
    shifts = [shift for _, shift in (*mixtures.upper, *mixtures.lower)]
    low, high = min(shifts) - reach, max(shifts) + reach
    pieces = int(mpmath.ceil((high - low) / mixtures.sigma))
    points = [low + (high - low) * k / pieces for k in range(pieces + 1)]
    return _positive_part(mixtures.density(mixtures.upper), mixtures.density(mixtures.lower), points, epsilon)


def _one_step_of_laplace(base: LaplacePair, rate: mpf, swap: bool, epsilon: mpf) -> mpf:
    """An integral between 0 and 1, and what lies left of 0 and right of 1, where the ratio is constant."""
    b = MPMATH.number(base.scale)
    scale, small = mpmath.exp(epsilon), mpmath.exp(-1 / b)

    def ordered(p: mpf, q: mpf) -> tuple[mpf, mpf]:
        mixed = rate * p + (1 - rate) * q
        return (q, mixed) if swap else (mixed, q)

    def density(side: int) -> Callable[[mpf], mpf]:
        return lambda x: ordered(*(mpmath.exp(-abs(x - centre) / b) / (2 * b) for centre in (1, 0)))[side]

    outside = [ordered(p / 2, q / 2) for p, q in ((small, mpf(1)), (mpf(1), small))]
    beyond = mpmath.fsum(max(mpf(0), ahead - scale * behind) for ahead, behind in outside)
    return beyond + _positive_part(density(0), density(1), [mpf(k) / 4 for k in range(5)], epsilon)


def _positive_part(upper: Callable[[mpf], mpf], lower: Callable[[mpf], mpf], points: Sequence[mpf], epsilon: mpf) -> mpf:
    """∫ (p − e^ε q)₊ in pieces between the sign changes, which are found on a fine grid and polished."""
    scale = mpmath.exp(epsilon)

    def gain(x: mpf) -> mpf:
        return upper(x) - scale * lower(x)

    cuts = list(points)
    for left, right in itertools.pairwise(points):
        grid = [left + (right - left) * k / 8 for k in range(9)]
        for a, b in itertools.pairwise(grid):
            if gain(a) == 0:
                cuts.append(a)
            elif gain(a) * gain(b) < 0:
                cuts.append(mpmath.findroot(gain, (a, b), solver="anderson", tol=mpf(10) ** (-mpmath.mp.dps)))
    cuts.sort()
    return mpmath.fsum(mpmath.quad(gain, [a, b]) for a, b in itertools.pairwise(cuts) if gain((a + b) / 2) > 0)


@dataclass(frozen=True)
class _Line:
    """Mixtures of Gaussians, used `steps` times, for the contour: M(z) by the trapezoid rule."""

    mixtures: Mixtures
    steps: int

    @classmethod
    def of_factor(cls, factor: Factor) -> _Line:
        mixtures = mixtures_of(factor.pair)
        if mixtures is None:
            raise InputError(f"the mpmath oracle has no composed delta for {type(factor.pair).__name__}")
        return cls(mixtures.swapped(factor.reversed), factor.steps)

    def law(self, tilt: mpf, fineness: mpf) -> list[tuple[mpf, mpf]]:
        """Weights under P and losses at the nodes of a trapezoid rule that serves M(z) for 0 ≤ Re z ≤ tilt."""
        pair, sigma = self.mixtures, self.mixtures.sigma
        far = max(abs(s) for _, s in (*pair.upper, *pair.lower))
        reach = sigma * mpmath.sqrt(2 * mpmath.mp.dps * mpmath.log(10))
        step = sigma * min(mpf(1) / 4, sigma / 3) / fineness
        ahead, behind = pair.density(pair.upper), pair.density(pair.lower)
        found = []
        for n in range(int((-far * (1 + tilt) - reach) / step), int((far * (1 + 2 * tilt) + reach) / step) + 1):
            p, q = ahead(n * step), behind(n * step)
            if p > 0 and q > 0:
                found.append((step * p, mpmath.log(p / q)))
        return found


def _contour(lines: Sequence[_Line], epsilon: mpf, digits: int) -> mpf:
    """The contour integral, repeated with finer steps until two results agree."""
    c = _saddle(lines, epsilon)
    previous, fineness = None, mpf(1)
    for _ in range(6):
        value = _trapezoid(lines, epsilon, c, digits, fineness)
        if previous is not None and abs(value - previous) <= abs(value) * mpf(10) ** (-digits):
            return value
        previous, fineness = value, fineness * mpf("1.5")
    raise PrecisionError(f"the contour integral did not settle to {digits} digits; {mpmath.nstr(previous, 10)} was the last value")


def _saddle(lines: Sequence[_Line], epsilon: mpf) -> mpf:
    """About 0.6 times the minimiser of K(c) − εc − log c(c+1), by golden section on log c."""
    with mpmath.workdps(30):

        def height(c: mpf) -> mpf:
            moments = (line.steps * mpmath.log(mpmath.fsum(w * mpmath.exp(c * loss) for w, loss in line.law(c, mpf(1)))) for line in lines)
            return mpmath.fsum(moments) - epsilon * c - mpmath.log(c * (c + 1))

        grid = [mpf(2) ** k for k in range(-6, 9)]
        heights = [height(c) for c in grid]
        best = grid[heights.index(min(heights))]
        low, high = best / 2, best * 2
        for _ in range(12):
            left, right = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, right) if height(left) < height(right) else (left, high)
        return (low + high) / 2 * mpf("0.6")


def _trapezoid(lines: Sequence[_Line], epsilon: mpf, c: mpf, digits: int, fineness: mpf) -> mpf:
    laws = [(line.law(c, fineness), line.steps) for line in lines]
    h = 2 * mpmath.pi / ((2 * digits * mpmath.log(10) + 20) * fineness) * min(c, 2)
    factors = []
    for law, steps in laws:
        current = [mpc(w * mpmath.exp(c * loss)) for w, loss in law]
        turns = [mpmath.expj(h * loss) for _, loss in law]
        factors.append((current, turns, steps))
    total, quiet, j = mpf(0), 0, 0
    while quiet < 8:
        z = mpc(c, j * h)
        term = mpmath.exp(-epsilon * z) / (z * (z + 1))
        for current, turns, steps in factors:
            term *= mpmath.fsum(current) ** steps
            for i, turn in enumerate(turns):
                current[i] *= turn
        total += term.real if j else term.real / 2
        quiet = quiet + 1 if abs(term) < abs(total) * mpf(10) ** (-digits - 8) else 0
        j += 1
        if j > 200_000:
            raise PrecisionError("the contour integral needs more than 200000 nodes")
    return total * h / mpmath.pi
