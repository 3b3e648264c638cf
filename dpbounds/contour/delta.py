"""Certified δ(ε) of a mechanism."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

from flint import arb

from dpbounds import exact
from dpbounds.balls import Enclosure, bits_for, precision
from dpbounds.contour.closed_forms import gaussian_delta, mixture_delta
from dpbounds.contour.conditioning import conditioned_delta, noise_beside_tables
from dpbounds.contour.draws import DrawsFactor, with_lost_mass
from dpbounds.contour.elements import Elements, elements_of, rational
from dpbounds.contour.factors import AtomicFactor, Factor, GaussianFactor, MixtureFactor
from dpbounds.contour.finite import finite_delta
from dpbounds.contour.fixed_size import FixedSizeFactor
from dpbounds.contour.inputs import exact_ball
from dpbounds.contour.integral import integrate
from dpbounds.contour.irrational import evaluate_between, is_largest_loss, is_rational
from dpbounds.contour.laplace import LARGEST_POWER, LaplaceFactor, laplace_delta
from dpbounds.contour.mixture import Mixture
from dpbounds.contour.one_step import is_density, one_step_delta
from dpbounds.contour.planning import lost_mass
from dpbounds.contour.refine import refine
from dpbounds.contour.sampled_laplace import SampledLaplaceFactor, sampled_laplace_delta
from dpbounds.contour.turned import can_turn, integrate_turned
from dpbounds.errors import InputError, PrecisionError
from dpbounds.exact import Exact
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation, at_least
from dpbounds.pairs import AllocationPair, FixedSizePair, Product, WithReplacementPair, dominating_pairs
from dpbounds.results import PrivacyResult, read_digits, require_digits

FIXED_SIZE = "on the dominating pair of sampling without replacement"
AT_LARGEST_LOSS = "exact: epsilon is at least the largest privacy loss"


def delta(
    mechanism: Mechanism,
    epsilon: exact.Number,
    *,
    digits: int = 15,
    relation: Relation | str | None = None,
    direction: Direction | str = Direction.WORST,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> PrivacyResult:
    """Certified δ(ε): the smallest δ for which the mechanism's dominating pair is (ε, δ)-private.

        δ(ε) = E_P(1 − e^{ε−L})₊ = (1/2πi) ∫_{Re z=c} M(z) e^{−εz}/(z(z+1)) dz

    Args:
        mechanism: what is run, compositions included.
        epsilon: ε ≥ 0, exact; like the mechanism's parameters it may be a closed irrational number, such as `"log(3)"`.
        digits: certified digits D: upper − lower ≤ 10^{1−D}·upper.
        relation: neighbouring relation; None for the mechanism's default.
        direction: REMOVE, ADD, or WORST for the larger of both.
        guarantee: PAIR computes a published pair that is no guarantee of the mechanism.

    Returns:
        The enclosure (both sides guaranteed) and what it speaks about.

    Raises:
        InputError: ε < 0, or a mechanism without a known dominating pair or evaluator.
        PrecisionError: the digits cannot be had; the message says what was reached.

    Source: Koskela, Jälkö & Honkela 2020, Theorem 6, for the definition; the contour form is `dpbounds.contour.integral`.

    >>> from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
    >>> result = delta(Repeated(Sampled(Gaussian("1.5"), PoissonSampling("0.01")), 10_000), 1, digits=20)
    >>> result.lower
    '0.04960141031482577560694'
    """
    value, digits = read_epsilon(epsilon), read_digits(digits)
    products = dominating_pairs(mechanism, read_relation(relation), direction, guarantee, upper_bounds=True)
    found = [evaluate(product, value, digits + 1) for product in products]
    enclosure, method = found[0]
    for other, how in found[1:]:
        enclosure, method = enclosure.maximum(other), method if how == method else f"{method}; {how}"
    return PrivacyResult(
        quantity="delta",
        enclosure=require_digits(enclosure, digits, "delta"),
        mechanism=mechanism,
        argument=("epsilon", value),
        relation=products[0].relation,
        direction=reported_direction(products[0], Direction(direction)),
        guarantee=Guarantee(guarantee),
        method=method,
        notes=bound_notes(products),
        digits=digits,
    )


def bound_notes(products: tuple[Product, ...]) -> tuple[str, ...]:
    """What to say where the dominating pair is an upper bound on the mechanism and not known to be attained."""
    if any(isinstance(factor.pair, AllocationPair) for factor in products[0].factors):
        from dpbounds.laws.allocation_delta import allocation_notes

        return allocation_notes(products[0])
    fixed = [factor for product in products for factor in product.factors if isinstance(factor.pair, FixedSizePair)]
    if not fixed or (len(fixed) == 1 and fixed[0].steps == 1 and len(products[0].factors) == 1):
        return ()
    return ("both ends enclose the value of a dominating pair: an upper bound on the mechanism, attained for one step",)


def delta_of(product: Product, epsilon: exact.Number, digits: int = 15) -> Enclosure:
    """Certified δ(ε) of one product of dominating pairs.

    Returns:
        An enclosure with the digits.

    Raises:
        PrecisionError: the digits cannot be had.
    """
    return require_digits(evaluate(product, read_epsilon(epsilon), digits + 1)[0], digits, "delta")


def evaluate(product: Product, epsilon: Exact, digits: int) -> tuple[Enclosure, str]:
    """The best enclosure found, inside [0, 1] where δ is, and how: zero, a closed form, a finite sum or the contour."""
    if not (isinstance(epsilon, Fraction) and is_rational(product)):
        if is_largest_loss(product, epsilon):
            return Enclosure.exactly(0), AT_LARGEST_LOSS
        return evaluate_between(evaluate, product, epsilon, digits)
    elements = elements_of(product)
    if elements.allocations:
        from dpbounds.laws.allocation_delta import product_delta  # which needs `factors_of`

        return product_delta(product, epsilon, digits)
    found, method = _evaluate(elements, epsilon, digits)
    unit = Enclosure.between(arb(0), arb(1))
    return found.intersection(unit) if found.overlaps(unit) else found, method


def _evaluate(elements: Elements, epsilon: Fraction, digits: int) -> tuple[Enclosure, str]:
    mixtures = sum(elements.mixtures.values())
    if elements.single and not elements.nothing_finite():
        others = mixtures or elements.variances or elements.finite or elements.laplace or elements.fixed_size
        factor = elements.single[0]
        if factor.steps == 1 and len(elements.single) == 1 and not others:
            return refine(
                lambda: one_step_delta(factor, exact_ball(epsilon)), digits, rounds=3 if is_density(factor) else 8
            ), "one integral"
        return single_delta(elements, epsilon, digits), "contour integral"
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
    if len(elements.laplace) == 1 and not (mixtures or elements.variances or elements.finite):
        (source,) = elements.laplace
        if source.q == 1 and laplace <= LARGEST_POWER:
            return refine(lambda: laplace_delta(source.largest(), laplace, exact_ball(epsilon)), digits), "finite sum"
        if laplace == 1:
            return refine(
                lambda: sampled_laplace_delta(source.largest(), exact_ball(source.q), exact_ball(epsilon), source.reversed), digits
            ), "closed form"
    noise = noise_beside_tables(elements)
    if noise is not None:
        conditioned = partial(conditioned_delta, noise=noise, epsilon=epsilon)
        return refine(lambda: elements.certain_loss() + conditioned(elements.finite_laws()), digits, rounds=5), "finite sum"
    if not (mixtures or elements.variances or laplace or elements.fixed_size):
        return refine(lambda: finite_delta(elements.finite_laws(), exact_ball(epsilon)), digits, rounds=4), "finite sum"
    method = f"contour integral {FIXED_SIZE}" if elements.fixed_size else "contour integral"
    try:
        return integrate(lambda: factors_of(elements), lambda: exact_ball(epsilon), digits, elements.certain_loss), method
    except PrecisionError:
        if not can_turn(elements):
            raise
        return integrate_turned(elements, lambda: factors_of(elements), epsilon, digits), method


def single_delta(elements: Elements, epsilon: Fraction, digits: int) -> Enclosure:
    """δ(ε) of a product with densities or pairs of sampling with replacement, cut where what is left out does not matter.

    Raises:
        PrecisionError: the contour would be too long, or the densities are out of its reach.
    """
    steps = sum(factor.steps for factor in elements.single)
    most = 10.0 ** -(digits + 12) / steps
    best: Enclosure | None = None
    for _ in range(4):
        singles = single_factors(elements, most)
        draws = [factor for factor in singles if isinstance(factor, DrawsFactor)]
        if (nothing := _beyond_loss_of(singles, elements, epsilon)) is not None:
            return nothing
        found = integrate(
            lambda singles=singles: [*singles, *factors_of(elements)],  # type: ignore[misc]
            lambda: exact_ball(epsilon),
            digits + 1,
            elements.certain_loss,
        )
        with precision(bits_for(digits, 80)):
            lost = sum((factor.lost() for factor in draws), arb(0))
            found = with_lost_mass(found, lost, exact_ball(epsilon))
        best = found if best is None or found.digits() > best.digits() else best
        if best.meets(digits):
            break
        most = max(1e-300, min(most * 1e-3, found.upper_float * 10.0 ** -(digits + 3) / steps * math.exp(-min(600.0, float(epsilon)))))
    assert best is not None
    return best


def _beyond_loss_of(singles: list[Factor], elements: Elements, epsilon: Fraction) -> Enclosure | None:
    """δ(ε) where ε is at least the largest loss of densities alone, as far as they were followed: the mass of infinite loss."""
    if factors_of(elements) or any(isinstance(factor, DrawsFactor) for factor in singles):
        return None
    with precision(200):
        if not exact_ball(epsilon) >= sum((factor.steps * factor.loss_bound() for factor in singles), arb(0)):
            return None
        certain = elements.certain_loss()
        return Enclosure.of(certain.union(certain + lost_mass(singles)))


def single_factors(elements: Elements, most: float) -> list[Factor]:
    """Densities and pairs of sampling with replacement as factors that leave out at most about `most` in one step."""
    found: list[Factor] = []
    for factor in elements.single:
        if isinstance(factor.pair, WithReplacementPair):
            found.append(DrawsFactor(factor.pair, most, factor.steps))
        else:
            from dpbounds.contour.densities import DensityFactor  # imports sympy, which only densities need

            found.append(DensityFactor(factor, 10.0 ** (10 * math.floor(math.log10(most) / 10))))  # few different ones: each law is kept
    return found


def factors_of(elements: Elements) -> list[Factor]:
    """The factors of the contour engine, at the current precision."""
    found: list[Factor] = [MixtureFactor(mixture, steps) for mixture, steps in elements.mixtures.items()]
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
    if elements.single or elements.allocations:
        return False
    if elements.variances or elements.fixed_size or any(mixture.numerator for mixture in elements.mixtures):
        return False
    plain = Fraction(0)
    rest, sampled = [], []
    for source, steps in elements.finite.items():
        if source.rows is None and source.q == 1 and isinstance(source.epsilon, Fraction):
            plain += steps * source.epsilon
        else:
            rest.append((source, steps))
    for laplace, steps in elements.laplace.items():
        if laplace.q == 1 and isinstance(laplace.scale, Fraction):
            plain += steps / laplace.scale
        else:
            sampled.append((laplace, steps))
    if not rest and not sampled and not elements.mixtures:
        return epsilon >= plain
    for bits in (64, 500, 4000):
        with precision(bits):
            largest = exact_ball(plain)
            for mixture, steps in elements.mixtures.items():
                largest -= steps * (-exact_ball(mixture.q)).log1p()
            for laplace, steps in sampled:
                largest += steps * SampledLaplaceFactor(laplace.largest(), laplace.q, laplace.reversed).loss_bound()
            for source, steps in rest:
                law = source.law(steps)
                top = arb.neg_inf()
                for p, q in zip(law.p, law.q, strict=True):
                    top = top.max((p / q).log())
                largest += steps * top
            if exact_ball(epsilon) >= largest:
                return True
            if exact_ball(epsilon) < largest:
                return False
    return False


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
