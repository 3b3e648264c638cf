"""Certified δ(ε) of a mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from flint import arb

from dpbounds.accounting.bromwich import Nearby, integrate
from dpbounds.accounting.bromwich_planning import lost_mass
from dpbounds.accounting.conditioning import conditioned_delta, noise_beside_tables
from dpbounds.accounting.descent_rays import can_turn, integrate_turned
from dpbounds.accounting.irrational import evaluate_between, is_largest_loss, is_rational
from dpbounds.accounting.tail_bound import NEGLIGIBLE, tail_bound
from dpbounds.accounting.truncated import is_truncated, truncated_delta
from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.closed_forms import gaussian_delta, mixture_delta
from dpbounds.laws.convolve import convolution_method, convolved_delta, groups_of, require_few
from dpbounds.laws.factors import AtomicFactor, GaussianFactor, MixtureFactor
from dpbounds.laws.factors import Factor as ContourFactor
from dpbounds.laws.finite_sums import binomial_delta
from dpbounds.laws.fixed_size import FixedSizeFactor
from dpbounds.laws.laplace import LaplaceFactor, is_affordable, laplace_delta
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.normal_form import Elements, elements_of, rational
from dpbounds.laws.one_step import is_density, one_step_delta
from dpbounds.laws.sampled_laplace import SampledLaplaceFactor, sampled_laplace_delta
from dpbounds.laws.with_replacement import DrawsFactor, with_lost_mass
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.pairs import (
    AllocationPair,
    Factor,
    FixedSizePair,
    GaussianMixturePair,
    GaussianPair,
    PoissonPair,
    Product,
    TruncatedPair,
    WithReplacementPair,
    dominating_pairs,
)
from dpbounds.mechanisms.results import PrivacyResult, read_digits, require_digits
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.domains import at_least
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.refine import refine

FIXED_SIZE = "on the dominating pair of sampling without replacement"
_FORCED_DIGITS = 6
_TILTS = (5, 20, 50)
"""Orders of the Chernoff bounds that are tried on a direction that the contour declines."""
CONDITIONED = "sum over the outcomes of the tables, noise in closed form"
TAIL_BOUND = "tail bound"
DESCENT_RAYS = "descent rays"
AT_LARGEST_LOSS = "exact: epsilon is at least the largest privacy loss"


def delta(
    mechanism: Mechanism,
    epsilon: exact.Number,
    *,
    digits: int | None = None,
    relation: Relation | str | None = None,
    direction: Direction | str = Direction.WORST,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> PrivacyResult:
    """Certified δ(ε): the smallest δ for which the mechanism's dominating pair is (ε, δ)-private.

        δ(ε) = E_P(1 − e^{ε−L})₊ = (1/2πi) ∫_{Re z=c} M(z) e^{−εz}/(z(z+1)) dz

    Args:
        mechanism: what is run, compositions included.
        epsilon: ε ≥ 0, exact; like the mechanism's parameters it may be a closed irrational number, such as `"log(3)"`.
        digits: certified digits D: upper − lower ≤ 10^{1−D}·upper. None: 15, or only an upper bound, found at once, where δ is below 1e-300
            and has no closed form.
        relation: neighbouring relation; None for the mechanism's default.
        direction: REMOVE, ADD, or WORST for the larger of both.
        guarantee: PAIR computes a published pair that is no guarantee of the mechanism.

    Returns:
        The enclosure (both sides guaranteed) and what it speaks about.

    Raises:
        InputError: ε < 0, or a mechanism without a known dominating pair or evaluator.
        PrecisionError: the digits cannot be had; the message says what was reached.

    Source: Koskela, Jälkö & Honkela 2020, Theorem 6, for the definition; the contour form is `dpbounds.accounting.bromwich`.

    >>> from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
    >>> result = delta(Repeated(Sampled(Gaussian("1.5"), PoissonSampling("0.01")), 10_000), 1, digits=20)
    >>> result.lower
    '0.04960141031482577560694'
    """
    value, wanted = read_epsilon(epsilon), read_digits(15 if digits is None else digits)
    products = dominating_pairs(mechanism, read_relation(relation), direction, guarantee, upper_bounds=True)
    found = [evaluate(products[0], value, wanted + 1, tail=digits is None)]
    for product in products[1:]:
        try:
            found.append(evaluate(product, value, wanted + 1, tail=digits is None))
        except PrecisionError:
            if not surely_below(product, value, found[0][0].low):
                raise
    enclosure, method = found[0]
    for other, how in found[1:]:
        enclosure, method = enclosure.maximum(other), method if how == method else f"{method}; {how}"
    return PrivacyResult(
        quantity="delta",
        enclosure=enclosure if is_tail_bound(enclosure, found) else require_digits(enclosure, wanted, "delta"),
        mechanism=mechanism,
        argument=("epsilon", value),
        relation=products[0].relation,
        direction=reported_direction(products[0], Direction(direction)),
        guarantee=Guarantee(guarantee),
        method=method,
        notes=bound_notes(products, lambda product: evaluate(product, value, _FORCED_DIGITS + 1)[0]),
        digits=wanted,
    )


def surely_below(product: Product, epsilon: Exact, least: arb) -> bool:
    """Whether δ(ε) of mixtures of Gaussians alone is certified at most `least` by a Chernoff bound, δ ≤ M(x)e^{−xε} + lost mass."""
    if not all(isinstance(factor.pair, GaussianMixturePair) for factor in product.factors) or not isinstance(epsilon, Fraction):
        return False
    with precision(128):
        factors = single_factors(elements_of(product), float(least.mid()) * 1e-6 / sum(factor.steps for factor in product.factors))
        for tilt in _TILTS:
            x = arb(tilt)
            bound = (-x * exact_ball(epsilon)).exp()
            for factor in factors:
                bound *= factor.moment(x) ** factor.steps
            if bound + sum((factor.lost() for factor in factors if isinstance(factor, DrawsFactor)), arb(0)) <= least:
                return True
    return False


def is_tail_bound(enclosure: Enclosure, found: list[tuple[Enclosure, str]]) -> bool:
    """Whether the largest of several values is one of which only a negligible bound was asked for."""
    return any(method == TAIL_BOUND for _, method in found) and bool(enclosure.high <= arb(10) ** NEGLIGIBLE)


def is_upper_bound(product: Product) -> bool:
    """Whether some pair dominates the mechanism without being known to be attained."""
    return any(
        isinstance(factor.pair, (FixedSizePair, TruncatedPair)) or (isinstance(factor.pair, AllocationPair) and factor.pair.bound)
        for factor in product.factors
    )


def bound_notes(products: tuple[Product, ...], forced: Callable[[Product], Enclosure] | None = None) -> tuple[str, ...]:
    """What to say where the dominating pair is an upper bound on the mechanism and not known to be attained.

    Args:
        forced: the quantity of a product, to a few digits; where it is given, what known data sets force is said as well.
    """
    if is_truncated(products[0]):
        return ("upper bound: the pair also tells which batches were full",)
    if any(isinstance(factor.pair, AllocationPair) for factor in products[0].factors):
        from dpbounds.accounting.allocation_delta import allocation_notes

        return allocation_notes(products[0])
    fixed = [factor for product in products for factor in product.factors if isinstance(factor.pair, FixedSizePair)]
    if not fixed or (len(fixed) == 1 and fixed[0].steps == 1 and len(products[0].factors) == 1):
        return ()
    said = "both ends enclose the value of a dominating pair: an upper bound on the mechanism, attained for one step"
    least = None if forced is None else forced_value(products[0], forced)
    return (
        (said,) if least is None else (said, f"neighbouring data sets are known that force at least {least.lower_decimal(_FORCED_DIGITS)}")
    )


def forced_value(product: Product, quantity: Callable[[Product], Enclosure]) -> Enclosure | None:
    """What two data sets force on sampling without replacement: x = 1 in one, −1 in the other, and all other records −1.

    A step then compares q·N(2) + (1−q)·N(0) with N(0), in either order, in every step alike: the pair of Poisson sampling with half the
    noise. None where other mechanisms take part, or where the value cannot be had.
    """
    if not all(isinstance(factor.pair, FixedSizePair) for factor in product.factors):
        return None
    best = Enclosure.exactly(0)
    for swapped in (False, True):
        factors = tuple(
            Factor(PoissonPair(factor.pair.q, GaussianPair(factor.pair.sigma / 2)), factor.steps, swapped)
            for factor in product.factors
            if isinstance(factor.pair, FixedSizePair)
        )
        try:
            best = best.maximum(quantity(replace(product, factors=factors)))
        except PrecisionError:
            continue
    return best if best.low > 0 else None


def delta_of(product: Product, epsilon: exact.Number, digits: int = 15) -> Enclosure:
    """Certified δ(ε) of one product of dominating pairs.

    Returns:
        An enclosure with the digits.

    Raises:
        PrecisionError: the digits cannot be had.
    """
    return require_digits(evaluate(product, read_epsilon(epsilon), digits + 1)[0], digits, "delta")


def evaluate(product: Product, epsilon: Exact, digits: int, *, tail: bool = False, nearby: Nearby | None = None) -> tuple[Enclosure, str]:
    """The best enclosure found, inside [0, 1] where δ is, and how: zero, a closed form, a finite sum or the contour.

    Args:
        tail: an upper bound is enough where δ is negligible and the contour would be needed.
        nearby: a contour of the same product for another ε, tried first and replaced.
    """
    if not (isinstance(epsilon, Fraction) and is_rational(product)):
        if is_largest_loss(product, epsilon):
            return Enclosure.exactly(0), AT_LARGEST_LOSS
        return evaluate_between(evaluate, product, epsilon, digits)
    if is_truncated(product):
        return truncated_delta(product, epsilon, digits, evaluate)
    elements = elements_of(product)
    if elements.allocations:
        from dpbounds.accounting.allocation_delta import product_delta  # which needs `factors_of`

        return product_delta(product, epsilon, digits)
    found, method = _evaluate(elements, epsilon, digits, tail, nearby)
    unit = Enclosure.between(arb(0), arb(1))
    return found.intersection(unit) if found.overlaps(unit) else found, method


def _evaluate(elements: Elements, epsilon: Fraction, digits: int, tail: bool, nearby: Nearby | None) -> tuple[Enclosure, str]:
    mixtures = sum(elements.mixtures.values())
    if elements.single and not elements.nothing_finite():
        if beyond_largest_loss(elements, epsilon):
            return refine(elements.certain_loss, digits), AT_LARGEST_LOSS
        others = mixtures or elements.variances or elements.finite or elements.laplace or elements.fixed_size
        factor = elements.single[0]
        if factor.steps == 1 and len(elements.single) == 1 and not others:
            return refine(
                lambda: one_step_delta(factor, exact_ball(epsilon)), digits, rounds=3 if is_density(factor) else 8
            ), "one integral"
        return single_delta(elements, epsilon, digits)
    if beyond_largest_loss(elements, epsilon):
        return refine(elements.certain_loss, digits), AT_LARGEST_LOSS
    others = elements.finite or elements.laplace or elements.fixed_size
    if not (mixtures or others):
        return refine(lambda: gaussian_delta(elements.gaussian_variance(), exact_ball(epsilon)), digits), "closed form"
    if mixtures == 1 and not (elements.variances or others):
        (mixture,) = elements.mixtures
        return refine(lambda: mixture_delta(mixture, exact_ball(epsilon)), digits), "closed form"
    if sum(elements.fixed_size.values()) == 1 and not (mixtures or elements.variances or elements.finite or elements.laplace):
        # one step: h(α) of the pair is the profile of (A, B) for α ≥ 1
        (pair,) = elements.fixed_size
        one = Mixture(rational(pair.q), rational(pair.sigma) / 2, numerator=True, denominator=False)
        return refine(lambda: mixture_delta(one, exact_ball(epsilon)), digits), f"closed form {FIXED_SIZE}"
    laplace = sum(elements.laplace.values())
    if laplace and not (mixtures or elements.variances or elements.finite or elements.fixed_size):
        if all(source.q == 1 for source in elements.laplace) and is_affordable(list(elements.laplace.values())):
            return refine(
                lambda: laplace_delta([(s.largest(), k) for s, k in elements.laplace.items()], exact_ball(epsilon)), digits
            ), "finite sum"
        if laplace == 1:
            (source,) = elements.laplace
            return refine(
                lambda: sampled_laplace_delta(source.largest(), exact_ball(source.q), exact_ball(epsilon), source.reversed), digits
            ), "closed form"
    noise = noise_beside_tables(elements)
    if noise is not None:
        conditioned = partial(conditioned_delta, noise=noise, epsilon=epsilon)
        return refine(lambda: unlisted_mass(elements) + conditioned(groups_of(elements.uses())), digits, rounds=5), CONDITIONED
    if not (mixtures or elements.variances or laplace or elements.fixed_size):
        return finite_delta(elements, epsilon, digits)
    if tail and (bound := tail_bound(lambda: factors_of(elements), epsilon, lambda: unlisted_mass(elements))) is not None:
        return bound, TAIL_BOUND
    try:
        factors, certain = lambda: factors_of(elements), lambda: unlisted_mass(elements)
        found, method = integrate(factors, lambda: exact_ball(epsilon), digits, certain, nearby)
    except PrecisionError:
        if not can_turn(elements):
            raise
        found, method = integrate_turned(elements, lambda: factors_of(elements), epsilon, digits), DESCENT_RAYS
    return found, f"{method} {FIXED_SIZE}" if elements.fixed_size else method


def finite_delta(elements: Elements, epsilon: Fraction, digits: int) -> tuple[Enclosure, str]:
    """δ(ε) of a product of laws with atoms only.

    Raises:
        PrecisionError: the sum would have too many terms.
    """
    laws = elements.finite_laws()
    if len(laws) == 1 and len(laws[0].p) == 2 and laws[0].dropped == 0:
        return refine(
            lambda: elements.certain_loss() + binomial_delta(elements.finite_laws()[0], exact_ball(epsilon)), digits, rounds=4
        ), "binomial sum"
    require_few(groups_of(elements.uses()))

    def value() -> arb:
        return unlisted_mass(elements) + convolved_delta(groups_of(elements.uses()), exact_ball(epsilon))

    return refine(value, digits, rounds=5), convolution_method(groups_of(elements.uses()))


def unlisted_mass(elements: Elements) -> arb:
    """What sums over listed outcomes leave out: the mass of infinite loss, and a ball around that of the tails."""
    return elements.certain_loss() + elements.dropped()


def single_delta(elements: Elements, epsilon: Fraction, digits: int) -> tuple[Enclosure, str]:
    """δ(ε) of a product with densities or pairs of sampling with replacement, cut where what is left out does not matter.

    Raises:
        PrecisionError: the contour would be too long, or the densities are out of its reach.
    """
    steps = sum(factor.steps for factor in elements.single)
    most = 10.0 ** -(digits + 12) / steps
    best: Enclosure | None = None
    method = ""
    for _ in range(4):
        singles = single_factors(elements, most)
        draws = [factor for factor in singles if isinstance(factor, DrawsFactor)]
        if (nothing := _beyond_loss_of(singles, elements, epsilon)) is not None:
            return nothing, AT_LARGEST_LOSS
        found, how = integrate(
            lambda singles=singles: [*singles, *factors_of(elements)],  # type: ignore[misc]
            lambda: exact_ball(epsilon),
            digits + 1,
            lambda: unlisted_mass(elements),
        )
        with precision(bits_for(digits, 80)):
            lost = sum((factor.lost() for factor in draws), arb(0))
            found = with_lost_mass(found, lost, exact_ball(epsilon))
        if best is None or found.digits() > best.digits():
            best, method = found, how
        if best.meets(digits):
            break
        most = max(1e-300, min(most * 1e-3, found.upper_float * 10.0 ** -(digits + 3) / steps * math.exp(-min(600.0, float(epsilon)))))
    assert best is not None
    return best, method


def _beyond_loss_of(singles: list[ContourFactor], elements: Elements, epsilon: Fraction) -> Enclosure | None:
    """δ(ε) where ε is at least the largest loss of densities alone, as far as they were followed: the mass of infinite loss."""
    if factors_of(elements) or any(isinstance(factor, DrawsFactor) for factor in singles):
        return None
    with precision(200):
        if not exact_ball(epsilon) >= sum((factor.steps * factor.loss_bound() for factor in singles), arb(0)):
            return None
        certain = elements.certain_loss()
        return Enclosure.of(certain.union(certain + lost_mass(singles)))


def single_factors(elements: Elements, most: float) -> list[ContourFactor]:
    """Densities and pairs of sampling with replacement as factors that leave out at most about `most` in one step."""
    found: list[ContourFactor] = []
    for factor in elements.single:
        if isinstance(factor.pair, (WithReplacementPair, GaussianMixturePair)):
            found.append(DrawsFactor(factor.pair, most, factor.steps, factor.reversed))
        else:
            from dpbounds.laws.densities import DensityFactor  # imports sympy, which only densities need

            found.append(DensityFactor(factor, 10.0 ** (10 * math.floor(math.log10(most) / 10))))  # few different ones: each law is kept
    return found


def factors_of(elements: Elements) -> list[ContourFactor]:
    """The factors of the contour engine, at the current precision."""
    found: list[ContourFactor] = [MixtureFactor(mixture, steps) for mixture, steps in elements.mixtures.items()]
    if elements.variances:
        found.append(GaussianFactor(elements.gaussian_variance()))
    for source, steps in elements.laplace.items():
        if source.q == 1:
            found.append(LaplaceFactor(source.largest(), steps))
        else:
            found.append(SampledLaplaceFactor(source.largest(), source.q, source.reversed, steps))
    for pair, steps in elements.fixed_size.items():
        found.append(FixedSizeFactor(rational(pair.q), rational(pair.sigma), steps))
    for table, steps in elements.finite.items():
        law = table.law(steps)
        losses = [(p / q).log() for p, q in zip(law.p, law.q, strict=True)]
        found.append(AtomicFactor(list(law.p), losses, steps, absolutely_continuous=table.absolutely_continuous()))
    return found


def beyond_largest_loss(elements: Elements, epsilon: Fraction) -> bool:
    """True when ε is at least the largest finite value of the loss, so that δ(ε) is exactly the mass of the infinite one.

    Exact for rational losses (randomized response); otherwise decided with balls, and False while 4000 bits leave it open.
    """
    if elements.nothing_finite():
        return True
    for bits in (64, 500, 4000):
        with precision(bits):
            largest = largest_loss(elements)
            if largest is None:
                return False
            if isinstance(largest, Fraction):
                return epsilon >= largest
            if exact_ball(epsilon) >= largest:
                return True
            if exact_ball(epsilon) < largest:
                return False
    return False


def largest_loss(elements: Elements) -> Fraction | arb | None:
    """The largest finite value of the loss: exactly where it is rational, at the current precision, or None where there is none."""
    unbounded = elements.variances or elements.fixed_size or elements.allocations or any(mixture.numerator for mixture in elements.mixtures)
    unbounded = unbounded or not all(isinstance(factor.pair, GaussianMixturePair) and factor.reversed for factor in elements.single)
    if unbounded or any(not source.pair.bounded for source in elements.finite):
        return None
    plain, rest = Fraction(0), arb(0)
    exact = not (elements.mixtures or elements.single)
    for factor in elements.single:  # the mixture holds N(0, σ²) with its first weight, and nothing else far on the other side
        assert isinstance(factor.pair, GaussianMixturePair)
        rest -= factor.steps * exact_ball(factor.pair.weights[0]).log()
    for mixture, steps in elements.mixtures.items():
        rest -= steps * (-exact_ball(mixture.q)).log1p()
    for source, steps in elements.finite.items():
        if (own := source.largest_exact_loss()) is not None:
            plain += steps * own
            continue
        law, top, exact = source.law(steps), arb.neg_inf(), False
        for p, q in zip(law.p, law.q, strict=True):
            top = top.max((p / q).log())
        rest += steps * top
    for laplace, steps in elements.laplace.items():
        if laplace.q == 1 and isinstance(laplace.scale, Fraction):
            plain += steps / laplace.scale
        else:
            exact = False
            rest += steps * SampledLaplaceFactor(laplace.largest(), laplace.q, laplace.reversed).loss_bound()
    return plain if exact else exact_ball(plain) + rest


def read_epsilon(epsilon: exact.Number) -> Exact:
    """ε as an exact number ≥ 0."""
    return at_least(epsilon, 0, "epsilon")


def reported_direction(product: Product, asked: Direction) -> Direction:
    """SYMMETRIC under substitution, otherwise what was asked for."""
    return product.direction if product.direction is Direction.SYMMETRIC else asked


def read_relation(relation: Relation | str | None) -> Relation | None:
    """A relation by its name; None stays None."""
    if relation is None or isinstance(relation, Relation):
        return relation
    names = [member.value for member in Relation]
    if relation not in names:
        raise InputError(f"relation must be one of {', '.join(names)}, got {relation!r}")
    return Relation(relation)
