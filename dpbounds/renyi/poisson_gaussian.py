"""Rényi divergence of sampled Gaussian noise at any real order, to any number of digits: Poisson sampling and its substitute pair.

M(t) is one integral of `laws.mixture` on the real line, in balls, with t exactly as it is; more digits make up for M − 1 being small.
At order 1, K convex and K(0) = 0 give −K(−s)/s ≤ K′(0) ≤ K(s)/s, and a small s gives the digits.

The pair and its moment: Mironov, Talwar & Zhang 2019 (arXiv 1908.10530) §3; Koskela, Jälkö & Honkela 2020 §6.2 (substitution).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.laws.contour_factor import Need
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.mechanisms.pairs import GaussianMixturePair, GaussianPair, SubstitutePair
from dpbounds.numbers.balls import ball, precision, to_fraction
from dpbounds.numbers.divergence import divergence_from_moment
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.excess import divergence_from_excess
from dpbounds.numbers.precise import Parameter, as_ball, relative
from dpbounds.renyi import gaussian_mixture, one_pair
from dpbounds.renyi.counts import ListedCounts
from dpbounds.renyi.limits import large_order, small_rate

BINOMIAL_MOST = 48
"""Integer orders 1+t with t below this are summed exactly in direction remove."""
_FAR = 10**9
"""t·q beyond which planning in floats is too rough."""
_WHAT = "sampled Gaussian noise"


def divergence(t: Parameter, sigma: Parameter, q: Parameter, bits: int, *, add: bool = False, substitute: bool = False) -> arb:
    """D_{1+t} of the Poisson-sampled Gaussian, with `bits` relative bits.

    Args:
        t: order minus one, t ≥ 0; t = 0 gives the Kullback–Leibler divergence.
        sigma: noise multiplier σ > 0.
        q: sampling rate, 0 ≤ q ≤ 1.
        bits: relative accuracy.
        add: direction add (without ‖ with) instead of remove (with ‖ without).
        substitute: q·N(1, σ²) + (1−q)·N(0, σ²) against q·N(−1, σ²) + (1−q)·N(0, σ²) instead.

    Returns:
        A ball that contains the divergence; q = 0 gives 0, q = 1 gives (1+t)/(2σ²), or four times that for substitution.

    Raises:
        PrecisionError: the accuracy was not reached.

    >>> divergence(Fraction(5, 2), Fraction(3, 2), Fraction(1, 100), 60).str(15, radius=False)
    '9.89033869717323e-5'
    >>> divergence(Fraction(1), Fraction(1), Fraction(1, 100), 60, substitute=True).str(12, radius=False)
    '0.000457554382538'
    """
    if q == 0:
        return arb(0)
    if q == 1:
        return relative(lambda: (1 + as_ball(t)) * (4 if substitute else 1) / (2 * as_ball(sigma) ** 2), bits)
    if not (add or substitute) and t in range(1, BINOMIAL_MOST):
        order = round(float(t))
        return relative(lambda: divergence_from_excess(arb(order), binomial_excess(order + 1, as_ball(sigma), as_ball(q))), bits)
    sides = substitute or not add, substitute or add
    if isinstance(sigma, Fraction) and isinstance(q, Fraction):
        return _at(t, sigma, q, bits, *sides)

    def between() -> arb:
        """Rational neighbours of irrational parameters: D falls in σ and rises in q (docs/monotonicity.md, Lemmas 3 and 4)."""
        (less, more), (low, high) = _ends(sigma), _ends(q)
        return _at(t, more, low, bits + 2, *sides).union(_at(t, less, high, bits + 2, *sides))

    return relative(between, bits)


def _at(t: Parameter, sigma: Fraction, q: Fraction, bits: int, numerator: bool, denominator: bool) -> arb:
    """At rational σ > 0 and 0 < q < 1, for P and Q that are mixtures or N(0, σ²)."""
    with precision(bits + 64):
        noise, rate, order, found = *map(as_ball, (sigma, q, t)), arb.nan()
        if order > 0:
            found = small_rate(rate, noise, order, (numerator, denominator))
            if numerator and not found.rel_accuracy_bits() >= bits:
                found = large_order(ListedCounts([1 - rate, rate], noise), noise, order, both=denominator)
        if found.rel_accuracy_bits() >= bits:
            return found
    if not numerator and as_ball(t) * rate > _FAR:
        return gaussian_mixture.divergence(GaussianMixturePair((1 - q, q), sigma), t, bits, reversed=True)
    factor = MixtureFactor(Mixture(q, sigma, numerator, denominator))

    def moment(order: arb, tolerance: float) -> arb:
        return factor.line(order, arb(0), 1, Need(tolerance, lambda y: 0.0, 0.0))[0].real

    try:
        if t == 0:
            near = Fraction(1, 2 ** (bits + 8)) * min(Fraction(1), sigma**2)
            both = moment, lambda order, tolerance: 1 / moment(-order, tolerance)
            above, below = (divergence_from_moment(_WHAT, each, near, bits + 2, _lost(near, sigma, q)) for each in both)
            with precision(bits + 40):
                return below.union(above)
        return divergence_from_moment(_WHAT, moment, t, bits, _lost(t, sigma, q))
    except (OverflowError, ValueError, ZeroDivisionError):
        raise PrecisionError("the parameters are too extreme to place the nodes; take sigma, q and alpha within 1e-100 and 1e100") from None


def binomial_excess(alpha: int, sigma: arb, q: arb) -> arb:
    """J = (M − 1)/(α−1) for direction remove and integer α ≥ 2, as a finite sum of terms ≥ 0.

    M = Σ_j C(α,j) q^j (1−q)^{α−j} e^{j(j−1)/2σ²} (Mironov, Talwar & Zhang 2019 §3.3); subtracting Σ_j C(α,j) q^j (1−q)^{α−j} = 1
    turns each exponential into e^{j(j−1)/2σ²} − 1, and the terms j = 0 and 1 vanish.

    >>> binomial_excess(2, arb(1), arb("0.5")).overlaps(arb("0.25") * (arb(1).exp() - 1))
    True
    """
    half_v, total, odds = 1 / (2 * sigma * sigma), arb(0), q / (1 - q)
    weight = (1 - q) ** alpha
    for j in range(1, alpha + 1):
        weight = weight * odds * (alpha - j + 1) / j
        if j >= 2:
            total += weight * (j * (j - 1) * half_v).expm1()
    return total / (alpha - 1)


def renyi_ball(alpha: arb, sigma: arb, q: arb, *, add: bool = False, bits: int = 40) -> arb:
    """An enclosure of D_α over a box of orders, noise multipliers and sampling rates.

    Both directions are nondecreasing in α and q and nonincreasing in σ, so the two extreme corners bound D_α. The proofs are in
    docs/monotonicity.md:

    * α: log E_P[e^{tL}] is convex in t and 0 at t = 0 (Hölder), so D_{1+t}, its chord from 0, does not decrease (Lemma 1).
    * σ: for σ' > σ, adding N(0, σ'²−σ²) to the output turns the pair at σ into the pair at σ' (Lemma 3, data processing).
    * q: for s = q/q' ≤ 1, drawing the output anew from N(0, σ²) with probability 1−s turns the pair at q' into the pair at q (Lemma 4).

    Args:
        alpha: orders ≥ 0; the part below 1 is bounded by 0 ≤ D_α ≤ D at the largest order.
        sigma: noise multipliers; a ball that reaches 0 gets the upper bound +∞.
        q: sampling rates; clipped to [0, 1], where the quantity is defined.
        add: direction add instead of remove.
        bits: relative accuracy of each corner.

    Returns:
        A ball containing D_α at every point of the box with σ > 0; NaN if no point has σ > 0 and 0 ≤ q ≤ 1, or some order is below 0.

    >>> wide = renyi_ball(arb(3, 1), arb(2, 1), arb("0.01"))
    >>> wide.contains(divergence(Fraction(2), Fraction(2), Fraction(1, 100), 60))
    True
    """
    if not (alpha.is_finite() and q.is_finite() and not sigma.is_nan()) or not (sigma.upper() > 0 and alpha.lower() >= 0):
        return arb.nan()
    low_q, high_q = max(_end(q.lower()), Fraction(0)), min(_end(q.upper()), Fraction(1))
    if low_q > high_q:
        return arb.nan()
    low_alpha, high_alpha = _end(alpha.lower()), max(_end(alpha.upper()), Fraction(1))
    lower, upper = arb(0), arb.pos_inf()
    if low_alpha >= 1 and sigma.is_finite():
        lower = _corner(low_alpha, _end(sigma.upper()), low_q, add, bits)[0]
    if sigma.is_finite() and sigma.lower() > 0:
        upper = _corner(high_alpha, _end(sigma.lower()), high_q, add, bits)[1]
    with precision(max(bits, 53)):
        return lower.union(upper)


@lru_cache(maxsize=65536)
def _corner(alpha: Fraction, sigma: Fraction, q: Fraction, add: bool, bits: int) -> tuple[arb, arb]:
    """Lower and upper bound at one point; where precision runs out, 0 and the value at q = 1."""
    try:
        value = divergence(alpha - 1, sigma, q, bits, add=add)
    except PrecisionError:
        with precision(bits + 20):
            return arb(0), ball(alpha / (2 * sigma * sigma)).upper()
    return value.lower().max(arb(0)), value.upper()


def _end(endpoint: arb) -> Fraction:
    exact = to_fraction(endpoint)
    assert isinstance(exact, Fraction)
    return exact


def _lost(t: Parameter, sigma: Fraction, q: Fraction) -> float:
    """About how many nats M − 1 is below 1."""
    with precision(53):
        order, noise, rate = as_ball(t), as_ball(sigma), as_ball(q)
        return max(0.0, -float((order * (1 + order) * (rate / noise) ** 2).log().mid()))


def _ends(value: Parameter) -> tuple[Fraction, Fraction]:
    """The ends of the ball of a parameter."""
    found = as_ball(value)
    return _end(found.lower()), _end(found.upper())


@one_pair.sampled_divergence.register(GaussianPair)
def _(base: GaussianPair, q: Exact, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    return divergence(t, base.sigma, q, bits, add=reversed)


@one_pair.divergence.register(SubstitutePair)
def _(pair: SubstitutePair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    return divergence(t, pair.sigma, pair.q, bits, substitute=True)
