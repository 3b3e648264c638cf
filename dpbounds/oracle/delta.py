"""δ(ε) in mpmath: exact enumeration of finite pairs, direct integration of one step, a contour integral for compositions.

    δ(ε) = ∫ (p − e^ε q)₊ (one step),      δ(ε) = (1/2πi) ∫_{Re z = c} M(z) e^{−εz}/(z(z+1)) dz (compositions)

Errors are estimated by repeating the computation with finer parameters, not bounded.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import mpmath
from mpmath import mpc, mpf

from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.atomic import AtomicPair
from dpbounds.mechanisms.pairs import (
    Factor,
    GaussianMixturePair,
    GaussianPair,
    LaplacePair,
    PoissonPair,
    Product,
    SubstitutePair,
    WithReplacementPair,
    dominating_pairs,
)
from dpbounds.numbers import exact
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
    return max(approx_delta_of(product, epsilon, digits) for product in dominating_pairs(mechanism, relation, direction, guarantee))


def approx_delta_of(product: Product, epsilon: exact.Number, digits: int = 20) -> mpf:
    """δ(ε) of one product of pairs to about `digits` digits.

    Raises:
        InputError: ε < 0, or a pair without an evaluator here.
        PrecisionError: repeated computations do not agree.
    """
    value = exact.rational(epsilon, "epsilon")
    if value < 0:
        raise InputError(f"epsilon must be >= 0, got {exact.text(value)}")
    with mpmath.workdps(2 * digits + 20):
        finite = [_outcomes(factor) for factor in product.factors]
        if all(entry is not None for entry in finite):
            return _enumerate([entry for entry in finite if entry is not None], [f.steps for f in product.factors], _real(value))
        if len(product.factors) == 1 and product.factors[0].steps == 1:
            return _one_step(product.factors[0], _real(value))
        return _contour([_Line.of(factor) for factor in product.factors], _real(value), digits)


def _outcomes(factor: Factor) -> list[tuple[mpf, mpf]] | None:
    """(p, q) of every outcome of a finite pair, sampled and swapped as asked; None for the others."""
    pair, rate = (factor.pair.base, _real(factor.pair.q)) if isinstance(factor.pair, PoissonPair) else (factor.pair, mpf(1))
    if not isinstance(pair, AtomicPair):
        return None
    rows = merged(pair.definition(MPMATH))
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
    """∫ (p − e^ε q)₊ in pieces between the sign changes, which are found on a fine grid and polished."""
    upper, lower, points = _densities(factor)
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
    total = mpf(0)
    for a, b in itertools.pairwise(cuts):
        if gain((a + b) / 2) > 0:
            total += mpmath.quad(gain, [a, b])
    return total + _outside(factor, scale)


def _densities(factor: Factor) -> tuple[Callable[[mpf], mpf], Callable[[mpf], mpf], list[mpf]]:
    """Densities of P and Q and break points that cover what matters."""
    pair = factor.pair
    rate = _real(pair.q) if isinstance(pair, (PoissonPair, SubstitutePair)) else mpf(1)
    base = pair.base if isinstance(pair, PoissonPair) else pair
    if isinstance(base, LaplacePair):
        b = _real(base.scale)

        def laplace(centre: int) -> Callable[[mpf], mpf]:
            return lambda x: mpmath.exp(-abs(x - centre) / b) / (2 * b)

        upper, lower, points = laplace(1), laplace(0), [mpf(k) / 4 for k in range(5)]
    else:
        line = _Line.of(Factor(pair))
        reach = line.sigma * mpmath.sqrt(2 * mpmath.mp.dps * mpmath.log(10))
        top = max(shift for _, shift in line.upper)
        low, high = min(shift for _, shift in line.lower) - reach, top + reach
        pieces = int(mpmath.ceil((high - low) / line.sigma))
        upper, lower = line.density(line.upper), line.density(line.lower)
        points = [low + (high - low) * k / pieces for k in range(pieces + 1)]
        rate = mpf(1)
    mixed = (lambda x: rate * upper(x) + (1 - rate) * lower(x)) if rate != 1 else upper
    return (lower, mixed, points) if factor.reversed else (mixed, lower, points)


def _outside(factor: Factor, scale: mpf) -> mpf:
    """The parts of a Laplace pair left of 0 and right of 1, where the ratio is constant."""
    base = factor.pair.base if isinstance(factor.pair, PoissonPair) else factor.pair
    if not isinstance(base, LaplacePair):
        return mpf(0)
    rate = _real(factor.pair.q) if isinstance(factor.pair, PoissonPair) else mpf(1)
    small = mpmath.exp(-1 / _real(base.scale))
    total = mpf(0)
    for p, q in ((small / 2, mpf(1) / 2), (mpf(1) / 2, small / 2)):
        mixed = rate * p + (1 - rate) * q
        ahead, behind = (q, mixed) if factor.reversed else (mixed, q)
        total += max(mpf(0), ahead - scale * behind)
    return total


Weights = tuple[tuple[mpf, int], ...]
"""Masses and shifts of a mixture of Gaussians."""


@dataclass(frozen=True)
class _Line:
    """A pair of Gaussian mixtures (weights and shifts) for the contour: M(z) by the trapezoid rule."""

    upper: Weights
    lower: Weights
    sigma: mpf
    steps: int

    @classmethod
    def of(cls, factor: Factor) -> _Line:
        pair, one = factor.pair, mpf(1)
        upper: Weights
        lower: Weights
        if isinstance(pair, GaussianPair):
            upper, lower, sigma = ((one, 1),), ((one, 0),), pair.sigma
        elif isinstance(pair, PoissonPair) and isinstance(pair.base, GaussianPair):
            rate = _real(pair.q)
            upper, lower, sigma = ((1 - rate, 0), (rate, 1)), ((one, 0),), pair.base.sigma
        elif isinstance(pair, SubstitutePair):
            rate = _real(pair.q)
            upper, lower, sigma = ((1 - rate, 0), (rate, 1)), ((1 - rate, 0), (rate, -1)), pair.sigma
        elif isinstance(pair, WithReplacementPair):
            rate, m = one / pair.population, pair.batch
            masses = [mpmath.binomial(m, n) * rate**n * (1 - rate) ** (m - n) for n in range(m + 1)]
            upper = tuple((b, n) for n, b in enumerate(masses))
            lower, sigma = tuple((b, -n) for n, b in enumerate(masses)), pair.sigma
        elif isinstance(pair, GaussianMixturePair):
            upper, lower, sigma = tuple((_real(w), n) for n, w in enumerate(pair.weights) if w), ((one, 0),), pair.sigma
        else:
            raise InputError(f"the mpmath oracle has no composed delta for {type(pair).__name__}")
        return cls(lower, upper, _real(sigma), factor.steps) if factor.reversed else cls(upper, lower, _real(sigma), factor.steps)

    def density(self, weights: Sequence[tuple[mpf, int]]) -> Callable[[mpf], mpf]:
        """The mixture's density."""
        scale = self.sigma * mpmath.sqrt(2 * mpmath.pi)
        return lambda x: mpmath.fsum(b * mpmath.exp(-((x - s) ** 2) / (2 * self.sigma**2)) for b, s in weights) / scale

    def law(self, tilt: mpf, fineness: mpf) -> list[tuple[mpf, mpf]]:
        """Weights under P and losses at the nodes of a trapezoid rule that serves M(z) for 0 ≤ Re z ≤ tilt."""
        far = max(abs(s) for _, s in (*self.upper, *self.lower))
        reach = self.sigma * mpmath.sqrt(2 * mpmath.mp.dps * mpmath.log(10))
        step = self.sigma * min(mpf(1) / 4, self.sigma / 3) / fineness
        ahead, behind = self.density(self.upper), self.density(self.lower)
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


def _real(value: exact.Exact | int) -> mpf:
    """An exact number at the precision that is set."""
    if isinstance(value, Fraction):
        return mpf(value.numerator) / value.denominator
    if isinstance(value, int):
        return mpf(value)
    return mpf(value._to_mpmath(mpmath.mp.prec))
