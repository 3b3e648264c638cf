"""Rényi divergence of any mechanism: one front door for every pair, both directions and compositions."""

from __future__ import annotations

from flint import arb

from dpbounds.errors import InputError
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation, member
from dpbounds.mechanisms.pairs import Factor, Pair, Product, dominating_pairs
from dpbounds.mechanisms.results import PrivacyResult, read_digits, require_digits
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.domains import order_above_one
from dpbounds.numbers.precise import Parameter, as_ball
from dpbounds.renyi import (
    discrete_gaussian,
    finite,
    formula,
    gaussian,
    gaussian_mixture,
    laplace,
    poisson_gaussian,
    shuffled,
    slow,
    truncated,
)  # each registers its pairs
from dpbounds.renyi.one_pair import divergence

FAMILIES = (discrete_gaussian, finite, formula, gaussian, gaussian_mixture, laplace, poisson_gaussian, shuffled, slow, truncated)
"""A new family is a module here."""
METHOD = "moment function on the real line, ball arithmetic"
_FEW_DIGITS = 4
"""Digits with which another direction is compared first."""


def renyi_divergence(
    mechanism: Mechanism,
    alpha: exact.Number,
    *,
    digits: int = 15,
    relation: Relation | str | None = None,
    direction: Direction | str = Direction.WORST,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> PrivacyResult:
    """The Rényi divergence of order α of a mechanism, D_α = log E_P[e^{(α−1)L}]/(α−1), to certified digits.

    Args:
        mechanism: what is run; compositions add.
        alpha: order, a real number > 1.
        digits: upper − lower ≤ 10^{1−digits}·upper.
        relation: neighbouring relation; None means the mechanism's default.
        direction: REMOVE = (with ‖ without), ADD = (without ‖ with), WORST the larger of both.
        guarantee: MECHANISM, or PAIR for a published pair that is no guarantee of the mechanism.

    Returns:
        An enclosure of the divergence (both ends certified), ∞ where the upper distribution is not absolutely continuous.

    Raises:
        InputError: α ≤ 1, or a mechanism, relation and direction without a known pair.
        PrecisionError: the digits were not reached.

    >>> from dpbounds.mechanisms import Gaussian, PoissonSampling, Sampled
    >>> renyi_divergence(Sampled(Gaussian("1.5"), PoissonSampling("0.01")), "7/2", digits=20).lower
    '0.0000989033869717322505186'
    """
    order, digits = order_above_one(alpha, "alpha"), read_digits(digits)
    asked = member(Direction, direction, "direction")
    neighbours = None if relation is None else member(Relation, relation, "relation")
    products = dominating_pairs(mechanism, neighbours, asked, member(Guarantee, guarantee, "guarantee"), upper_bounds=True)
    enclosure = renyi_of(products[0], order, digits)
    for product in () if removing_is_larger(products[0]) else products[1:]:
        if digits <= _FEW_DIGITS or not renyi_of(product, order, _FEW_DIGITS).high <= enclosure.low:  # a few digits tell most apart
            enclosure = enclosure.maximum(renyi_of(product, order, digits))
    symmetric = products[0].direction is Direction.SYMMETRIC
    return PrivacyResult(
        quantity="rdp",
        enclosure=require_digits(enclosure, digits, "rdp"),
        mechanism=mechanism,
        argument=("alpha", order),
        relation=products[0].relation,
        direction=Direction.SYMMETRIC if symmetric else asked,
        guarantee=products[0].guarantee,
        method=METHOD,
        notes=products[0].notes,
        digits=digits,
    )


def removing_is_larger(product: Product) -> bool:
    """Whether D_α(P‖Q) ≥ D_α(Q‖P) at every α > 1 because each factor is Poisson sampling of a pair that is its own mirror image.

    Proof. Let r = dP₀/dQ₀, U(r) = 1 − q + qr, and let the law of r under Q₀ be that of 1/r under P₀, so that for every g ≥ 0
    E_{Q₀} g(r) = E_{P₀} g(1/r) = E_{Q₀} r·g(1/r). With a = U(r), b = U(1/r), the moments are means of E_{Q₀} ½(a^p + r·b^p) with
    p = ½ + s of P‖Q and p = ½ − s of Q‖P, s = α − ½ ≥ ½. The integrands differ by

        √a·sinh(s log a) + r√b·sinh(s log b).

    It does not change but for a factor r when r → 1/r, so let r ≥ 1, A = log a ≥ 0 and B = −log b ≥ 0. At s = ½ it is
    ½(a − 1 + r(b − 1)) = 0, that is √a·sinh(A/2) = r√b·sinh(B/2). Now ab = q² + (1−q)² + q(1−q)(r + 1/r) ≥ 1, so A ≥ B, and
    sinh(sA)/sinh(sB) does not fall in s. So it is ≥ 0 for every s ≥ ½. Where r can be 0 or ∞, D_α(P‖Q) is infinite. ∎

    Mironov, Talwar & Zhang 2019, Theorem 5, for Gaussian noise.

    >>> from dpbounds.mechanisms import FiniteTable, Gaussian, PoissonSampling, Sampled
    >>> removing_is_larger(dominating_pairs(Sampled(Gaussian(1), PoissonSampling("0.1")))[0])
    True
    >>> removing_is_larger(dominating_pairs(FiniteTable(["0.9", "0.1"], ["0.5", "0.5"]))[0])
    False
    """
    return product.direction is Direction.REMOVE and all(factor.pair.unsampled()[0].symmetric for factor in product.factors)


def renyi_of(product: Product, alpha: exact.Number, digits: int = 15) -> Enclosure:
    """D_α of a product of pairs: the sum over its factors, α > 1, with upper − lower ≤ 10^{−digits}·upper.

    >>> from fractions import Fraction
    >>> from dpbounds.mechanisms import Gaussian, Repeated
    >>> renyi_of(dominating_pairs(Repeated(Gaussian(2), 8))[0], 2).contains(Fraction(2))
    True
    """
    order = order_above_one(alpha, "alpha")
    bits = bits_for(digits + 1, 10)
    with precision(bits + 64):
        total = arb(0)
        for factor in product.factors:
            total += factor.steps * divergence(factor.pair, order - 1, bits, reversed=factor.reversed)
        return Enclosure.of_ball(total)


def log_moment(source: Product | Factor | Pair, t: Parameter, prec: int = 53) -> arb:
    """K(t) = log E_P[e^{tL}] for real t > 0 or t < −1, with about `prec` relative bits.

    t > 0: K(t) = t·D_{1+t}(P‖Q). t < −1: the reflection K_{P‖Q}(t) = K_{Q‖P}(−1−t). K(0) = K(−1) = 0 where P and Q are mutually
    absolutely continuous; orders between −1 and 0 are not offered.

    Args:
        source: a product (its factors add), a factor, or one pair.
        t: exact number or ball.
        prec: relative accuracy in bits.

    Raises:
        InputError: −1 ≤ t ≤ 0.

    >>> from fractions import Fraction
    >>> from dpbounds.mechanisms.pairs import GaussianPair
    >>> log_moment(GaussianPair(Fraction(1)), Fraction(2)).contains(3), log_moment(GaussianPair(Fraction(1)), Fraction(-3)).contains(3)
    (True, True)
    """
    if isinstance(source, Product):
        factors = source.factors
    else:
        factors = (source if isinstance(source, Factor) else Factor(source),)
    with precision(prec + 64):
        swap = not t > 0
        positive = -1 - as_ball(t) if swap else as_ball(t)
        if not positive > 0:
            raise InputError(f"log_moment needs t > 0 or t < -1, got {t}")
        order = (-1 - t if swap else t) if not isinstance(t, arb) else positive
        total = arb(0)
        for factor in factors:
            reverse = factor.reversed != (swap and not factor.pair.symmetric)
            total += factor.steps * divergence(factor.pair, order, prec, reversed=reverse)
        return positive * total
