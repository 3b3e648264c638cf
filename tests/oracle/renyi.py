"""Rényi divergence by mpmath quadrature, straight from the definition, for every pair and direction.

    D_α(P‖Q) = log ∫ p^α q^{1−α} / (α−1)

Nothing is subtracted beforehand: where the integral is close to 1 the working precision is raised until the digits asked for are left.
`approx_series` is a further check of another kind for the Poisson-sampled Gaussian.
"""

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any

import mpmath
from mpmath import mpf

from dpbounds.errors import InputError
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.atomic import AtomicPair
from dpbounds.mechanisms.pairs import ContinuousPair, LaplacePair, Pair, dominating_pairs
from dpbounds.numbers import exact
from dpbounds.oracle.mixtures import Mixtures, Weights, base_and_rate, mixtures_of
from dpbounds.oracle.numbers import MPMATH

Outcomes = Sequence[tuple[mpf, mpf]]
"""Probabilities (p, q) of the outcomes of a finite pair."""


_MOST_BITS = 3_000
"""Integers of a sum are listed to a precision that reaches them; a list takes time like its length."""


def approx_renyi_divergence(
    mechanism: Mechanism,
    alpha: exact.Number,
    digits: int = 30,
    *,
    relation: Relation | None = None,
    direction: Direction = Direction.WORST,
    guarantee: Guarantee = Guarantee.MECHANISM,
) -> mpf:
    """D_α of a mechanism to about `digits` digits; the arguments of `renyi.renyi_divergence`.

    >>> from dpbounds.mechanisms import Gaussian, PoissonSampling, Sampled
    >>> mpmath.nstr(approx_renyi_divergence(Sampled(Gaussian(2), PoissonSampling("0.1")), 2, 20), 15)
    '0.00283622826626362'
    """
    products = dominating_pairs(mechanism, relation, direction, guarantee)
    values = []
    for product in products:
        parts = [approx_divergence(f.pair, alpha, digits + 2, reversed=f.reversed) for f in product.factors]
        with mpmath.workdps(digits + 10):
            values.append(mpmath.fsum(f.steps * part for f, part in zip(product.factors, parts, strict=True)))
    return max(values)


def approx_divergence(pair: Pair, alpha: exact.Number, digits: int = 30, *, reversed: bool = False) -> mpf:
    """D_α(P ‖ Q) of one pair, or D_α(Q ‖ P) when `reversed`, to about `digits` digits.

    Args:
        pair: any pair of `dpbounds.mechanisms.pairs`.
        alpha: order, a real number > 1.
        digits: significant digits wanted.
        reversed: swap P and Q.

    >>> from fractions import Fraction
    >>> from dpbounds.mechanisms.pairs import GaussianPair
    >>> mpmath.nstr(approx_divergence(GaussianPair(Fraction(1)), 3, 20), 15)
    '1.5'
    """
    order = exact.number(alpha, "alpha")
    if not order > 1:
        raise InputError(f"alpha must be > 1, got {exact.text(order)}")
    lost = 0
    while True:
        with mpmath.workdps(digits + lost + 15):
            moment = _moment(pair, MPMATH.number(order), reversed)
            if mpmath.isinf(moment):
                return mpmath.inf
            gap = abs(moment - 1)
            needed = max(0, -int(mpmath.floor(mpmath.log10(gap)))) if gap else 2 * lost + 20
            if needed <= lost:
                return +(mpmath.log(moment) / (MPMATH.number(order) - 1))
        lost = needed + 2
        if lost > 5000:
            return mpf(0)


def _moment(pair: Pair, alpha: mpf, swap: bool) -> mpf:
    """∫ p^α q^{1−α} at the precision that is set."""
    mixtures = mixtures_of(pair)
    if mixtures is not None:
        return _gaussian_mixtures(mixtures.swapped(swap), alpha)
    base, q = base_and_rate(pair)
    return _of_base(base, alpha, swap, q)


@singledispatch
def _of_base(base: Pair, alpha: mpf, swap: bool, q: mpf) -> mpf:
    """The moment of qP₀ + (1−q)Q₀ against Q₀, or the other way round."""
    raise InputError(f"no moment is known for {type(base).__name__}")


@_of_base.register(AtomicPair)
def _atomic(base: AtomicPair, alpha: mpf, swap: bool, q: mpf) -> mpf:
    """The sum over the outcomes, which are cut where their own mass is negligible; that of the moment may lie farther out."""
    found = _finite(base.definition(MPMATH), alpha, swap, q)
    bits = mpmath.mp.prec
    while not base.bounded and bits < _MOST_BITS:
        before, bits = found, 2 * bits
        with mpmath.workprec(bits):
            found = _finite(base.definition(MPMATH), alpha, swap, q)
        if mpmath.isinf(found) or abs(found - before) <= mpmath.mp.eps * 8 * abs(found):
            return +found
    if not base.bounded:
        raise InputError("the order is too high for the sum over the integers; ask renyi.renyi_divergence")
    return found


def _finite(outcomes: Outcomes, alpha: mpf, swap: bool, q: mpf) -> mpf:
    total = mpf(0)
    for p0, q0 in outcomes:
        mixed = q * p0 + (1 - q) * q0
        upper, lower = (q0, mixed) if swap else (mixed, q0)
        if upper == 0:
            continue
        if lower == 0:
            return mpmath.inf
        total += upper**alpha * lower ** (1 - alpha)
    return total


@_of_base.register(LaplacePair)
def _laplace(base: LaplacePair, alpha: mpf, swap: bool, q: mpf) -> mpf:
    """Left of 0 and right of 1 the ratio is constant; between, pieces that shrink towards both ends, where large orders concentrate."""
    scale = MPMATH.number(base.scale)

    def integrand(x: mpf) -> mpf:
        mixed = q * mpmath.exp((2 * x - 1) / scale) + 1 - q
        return mpmath.exp(-x / scale) / (2 * scale) * mixed ** (1 - alpha if swap else alpha)

    def outside(loss: int) -> mpf:
        return (q * mpmath.exp(loss / scale) + 1 - q) ** (1 - alpha if swap else alpha)

    ends = [mpf(2) ** -k for k in range(1, 4 + max(0, int(mpmath.ceil(mpmath.log(alpha / scale, 2)))))]
    points = sorted({mpf(0), mpf(1), *ends, *(1 - end for end in ends)})
    between = mpmath.quad(integrand, points, method="gauss-legendre")
    return outside(-1) / 2 + mpmath.exp(-1 / scale) * outside(1) / 2 + between


def _gaussian_mixtures(mixtures: Mixtures, alpha: mpf) -> mpf:
    """∫ P^α Q^{1−α}."""
    upper, lower, sigma = mixtures.upper, mixtures.lower, mixtures.sigma

    def tilted(weights: Weights, x: mpf) -> tuple[mpf, mpf]:
        """log Σ b e^{(2sx−s²)/2σ²}, and the mean of s under these weights."""
        exponents = [mpmath.log(b) + (2 * s * x - s * s) / (2 * sigma**2) for b, s in weights if b > 0]
        shifts = [s for b, s in weights if b > 0]
        top = max(exponents)
        sizes = [mpmath.exp(e - top) for e in exponents]
        total = mpmath.fsum(sizes)
        return top + mpmath.log(total), mpmath.fsum(s * size for s, size in zip(shifts, sizes, strict=True)) / total

    def exponent(x: mpf) -> mpf:
        return -(x**2) / (2 * sigma**2) + alpha * tilted(upper, x)[0] + (1 - alpha) * tilted(lower, x)[0]

    points, top = _pieces(lambda x: alpha * tilted(upper, x)[1] + (1 - alpha) * tilted(lower, x)[1], exponent, sigma, alpha, upper, lower)
    total = mpmath.fsum(mpmath.quad(lambda x: mpmath.exp(exponent(x) - top), piece, method="gauss-legendre") for piece in points)
    return total * mpmath.exp(top) / (sigma * mpmath.sqrt(2 * mpmath.pi))


def _pieces(
    drift: Callable[[mpf], mpf], exponent: Callable[[mpf], mpf], sigma: mpf, alpha: mpf, upper: Weights, lower: Weights
) -> tuple[list[list[mpf]], mpf]:
    """Where the integrand lives: pieces around its modes, which solve x = drift(x), out to where it is negligible."""
    shift = max(abs(s) for _, s in [*upper, *lower])
    starts = [alpha * shift, -alpha * shift, mpf(0)]
    with mpmath.workdps(15):
        modes = sorted({_fixed_point(drift, start, sigma, alpha * shift) for start in starts})
    top = max(exponent(mode) for mode in modes)
    floor = top - (mpmath.mp.dps + 8) * mpmath.log(10)
    spans: list[list[mpf]] = []
    for mode in (mode for mode in modes if exponent(mode) > floor):
        low = high = mode
        while exponent(low) > floor:
            low -= 2 * sigma
        while exponent(high) > floor:
            high += 2 * sigma
        if spans and low <= spans[-1][1]:
            spans[-1][1] = max(high, spans[-1][1])
        else:
            spans.append([low, high])
    width = 2 * sigma
    pieces = []
    for low, high in spans:
        count = int(mpmath.ceil((high - low) / width))
        pieces += [[low + (high - low) * k / count, low + (high - low) * (k + 1) / count] for k in range(count)]
    return pieces, top


def _fixed_point(drift: Callable[[mpf], mpf], start: mpf, sigma: mpf, bound: mpf) -> mpf:
    """A stable solution of x = drift(x) near `start`: damped iteration, then bisection between the last two sides."""
    x = start
    for _ in range(400):
        following = (x + drift(x)) / 2
        if abs(following - x) < sigma / 100:
            break
        x = following
    else:
        low, high = -bound, bound
        for _ in range(80):
            x = (low + high) / 2
            low, high = (x, high) if drift(x) > x else (low, x)
    return x


@_of_base.register(ContinuousPair)
def _densities(pair: ContinuousPair, alpha: mpf, swap: bool, q: mpf) -> mpf:
    import sympy

    densities = pair.densities
    p0 = sympy.lambdify(densities.variable, densities.p, "mpmath")
    q0 = sympy.lambdify(densities.variable, densities.q, "mpmath")

    def integrand(x: mpf) -> mpf:
        without = q0(x)
        mixed = q * p0(x) + (1 - q) * without if q != 1 else p0(x)
        upper, lower = (without, mixed) if swap else (mixed, without)
        return upper**alpha * lower ** (1 - alpha) if upper and lower else mpf(0)

    low, high = (_limit(end) for end in densities.support)
    inner = [mpf(k) for k in (-20, -8, -3, -1, 0, 1, 3, 8, 20) if low < k < high]
    return mpmath.quad(integrand, [low, *inner, high])


def _limit(end: Any) -> mpf:
    text = str(end)
    return {"oo": mpmath.inf, "-oo": -mpmath.inf}.get(text) or mpf(end._to_mpmath(mpmath.mp.prec))


def approx_series(sigma: exact.Number, q: exact.Number, alpha: exact.Number, digits: int = 15) -> mpf:
    """D_α of the Poisson-sampled Gaussian, direction remove, by the double series of Mironov, Talwar & Zhang 2019 §3.3.

    Split E[U^α], U = 1−q+q·e^w, at z₀ = ½ + σ² log(1/q − 1), where both parts of U are equal, and expand binomially on each side:

        Σ_k C(α,k) (1−q)^{α−k} q^k e^{k(k−1)/2σ²} Φ((z₀−k)/σ)  +  Σ_k C(α,k) (1−q)^k q^{α−k} e^{j(j−1)/2σ²} Φ((j−z₀)/σ),  j = α−k.

    C(α,k) keeps its sign, which alternates for k > α (implementations that lose it are wrong for non-integer α). Terms shrink only
    like k^{−α−2}: the alternating tail is summed by convergence acceleration.

    >>> mpmath.nstr(approx_series("1.5", "0.01", "7/2", 15), 10)
    '9.890338697e-5'
    """
    with mpmath.workdps(2 * digits + 20):
        s, rate, a = (MPMATH.number(exact.number(value, name)) for value, name in ((sigma, "sigma"), (q, "q"), (alpha, "alpha")))
        split = mpf(1) / 2 + s**2 * mpmath.log(1 / rate - 1)

        def side(count: mpf, power: mpf, reach: mpf) -> mpf:
            """(1−q)^{α−power} q^power e^{power(power−1)/2σ²} Φ(reach), in logarithms: the factors are huge and tiny."""
            log_size = (a - power) * mpmath.log(1 - rate) + power * mpmath.log(rate) + power * (power - 1) / (2 * s**2)
            return mpmath.binomial(a, count) * mpmath.exp(log_size) * mpmath.erfc(-reach / mpmath.sqrt(2)) / 2

        def term(count: mpf) -> mpf:
            k = mpf(count)
            return side(k, k, (split - k) / s) + side(k, a - k, (a - k - split) / s)

        last = int(mpmath.ceil(a))
        head = mpmath.fsum(term(mpf(k)) for k in range(last + 1))
        tail = mpf(0) if a == last else mpmath.nsum(term, [last + 1, mpmath.inf], method="alternating")
        return mpmath.log(head + tail) / (a - 1)
