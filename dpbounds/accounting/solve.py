"""Certified δ(ε) of a mechanism."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from flint import arb

from dpbounds.accounting import halves, near_top, rare_atoms, smoothed
from dpbounds.accounting.allocation_delta import product_delta
from dpbounds.accounting.bromwich import LARGEST_COUNT, Nearby, integrate
from dpbounds.accounting.bromwich_planning import lost_mass
from dpbounds.accounting.conditioning import conditioned_delta, mean_over_outcomes, noise_beside_tables
from dpbounds.accounting.descent_rays import DESCENT_RAYS, can_turn, integrate_turned
from dpbounds.accounting.halves import delta_by_halves
from dpbounds.accounting.irrational import evaluate_between, is_largest_loss, is_rational
from dpbounds.accounting.lattice_line import SHORTEST, are_one_lattice, lattice_delta
from dpbounds.accounting.near_one import METHOD as NEAR_ONE
from dpbounds.accounting.near_one import near_one
from dpbounds.accounting.near_top import near_top_delta
from dpbounds.accounting.rare_atoms import delta_by_rare_atoms
from dpbounds.accounting.smoothed import smoothed_delta
from dpbounds.accounting.tail_bound import NEGLIGIBLE, next_to_certain, tail_bound
from dpbounds.accounting.truncated import is_truncated, truncated_delta
from dpbounds.accounting.upper_bounds import LEFT_OUT, bounded, left_out, surely_below, surely_below_at_saddle
from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.convolve import convolution_method, convolved_delta, groups_of, require_few
from dpbounds.laws.factors import ContourFactor as ContourFactor
from dpbounds.laws.finite_sums import binomial_delta
from dpbounds.laws.normal_form import Elements, elements_of
from dpbounds.laws.with_replacement import with_lost_mass
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.pairs import Factor, Product, dominating_pairs
from dpbounds.mechanisms.results import PrivacyResult, read_digits, require_digits
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.domains import at_least
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.refine import refine

_FORCED_DIGITS = 6
_MANY_DIGITS = 40
"""From so many on, one direction is first compared with the other at a few digits, which costs a small part of the time."""
_FEW_DIGITS = 6
"""Up to so many digits both sides are looked for by a little Gaussian noise."""
_SHORT = 2000
"""Nodes up to which a contour is not turned."""
_REST = 60_000
"""The same, times the outcomes, where a contour is one of many."""
_MEDIUM = 20_000
"""Nodes up to which a contour is no longer than many for a mean over outcomes."""
_LONG_SUM = 10_000_000
"""Uses from which a sum over one binomial count takes longer than a line."""
_SHORT_SUM, _TERMS = 100_000, 1_000_000
"""Nodes of a contour of tables alone, or outcomes of a sum, and nodes times outcomes."""
CONDITIONED = "sum over the outcomes of the tables, noise in closed form"
CONDITIONED_CONTOURS = "sum over the outcomes of the tables, a contour of the noise for each"
TAIL_BOUND = "tail bound"
NEXT_TO_CERTAIN = "probability of an infinite loss, and a tail bound"
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
            and has no closed form. A δ below 1e-300 whose digits are out of reach is bounded, whatever was asked for.
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
    return delta_at(mechanism, [epsilon], digits=digits, relation=relation, direction=direction, guarantee=guarantee)[0]


def delta_at(
    mechanism: Mechanism,
    epsilons: Sequence[exact.Number],
    *,
    digits: int | None = None,
    relation: Relation | str | None = None,
    direction: Direction | str = Direction.WORST,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> list[PrivacyResult]:
    """Certified δ(ε) at many ε: a contour that was made for one of them serves its neighbours as long as it has the digits there.

    Args:
        epsilons: values of ε ≥ 0; the others as for `delta`.

    Returns:
        One result for each ε, in the order given, each as certified as that of `delta`.

    Raises:
        InputError, PrecisionError: as `delta` does, for the first ε that has no answer.

    >>> from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
    >>> found = delta_at(Repeated(Sampled(Gaussian("1.5"), PoissonSampling("0.01")), 10_000), ["1", "1.1"], digits=6)
    >>> [result.lower for result in found]
    ['0.04960141', '0.038882662']
    """
    values, wanted = [read_epsilon(epsilon) for epsilon in epsilons], read_digits(15 if digits is None else digits)
    products = dominating_pairs(mechanism, read_relation(relation), direction, guarantee, upper_bounds=True)
    kept = [Nearby(hoped=wanted + 1) if len(values) > 1 else None for _ in products]
    found: dict[int, PrivacyResult] = {}
    for place in sorted(range(len(values)), key=values.__getitem__):
        enclosure, method, tail = _largest(products, values[place], wanted, digits is None, kept)
        found[place] = PrivacyResult(
            quantity="delta",
            enclosure=enclosure if tail else require_digits(enclosure, wanted, "delta"),
            mechanism=mechanism,
            argument=("epsilon", values[place]),
            relation=products[0].relation,
            direction=reported_direction(products[0], Direction(direction)),
            guarantee=products[0].guarantee,
            method=method,
            notes=bound_notes(products, lambda product, value=values[place]: evaluate(product, value, _FORCED_DIGITS + 1)[0]),  # type: ignore[misc]
            digits=wanted,
        )
    return [found[place] for place in range(len(values))]


def _largest(
    products: tuple[Product, ...], value: Exact, wanted: int, tail: bool, kept: Sequence[Nearby | None]
) -> tuple[Enclosure, str, bool]:
    """The largest δ(ε) of the products, how it was found, and whether it is so small that an upper bound is enough."""
    nearby = dict(zip(products, kept, strict=True))
    rivals = possibly_largest(products, value) if wanted > _MANY_DIGITS else products
    found: list[tuple[Enclosure, str]] = []
    for product in rivals:
        if found and surely_below_at_saddle(product, value, found[0][0].low):
            continue
        try:
            found.append(evaluate(product, value, wanted + 1, tail=tail, nearby=nearby[product]))
        except PrecisionError as error:
            if not found or not surely_below(product, value, found[0][0].low):
                raise bounded(error, product, value) from error
    enclosure, method = found[0]
    for other, how in found[1:]:
        enclosure, method = enclosure.maximum(other), method if how == method else f"{method}; {how}"
    return enclosure, method, bool(enclosure.high <= arb(10) ** NEGLIGIBLE)


def possibly_largest(products: tuple[Product, ...], epsilon: Exact) -> tuple[Product, ...]:
    """The products whose δ(ε), enclosed to a few digits, may be the largest: the others need no more digits."""
    if len(products) == 1:
        return products
    try:
        rough = [evaluate(product, epsilon, _FORCED_DIGITS)[0] for product in products]
    except PrecisionError:
        return products
    return tuple(product for product, own in zip(products, rough, strict=True) if not any(own.high < other.low for other in rough))


def is_upper_bound(product: Product) -> bool:
    """Whether some pair dominates the mechanism without being known to be attained.

    >>> from dpbounds.mechanisms import Gaussian
    >>> is_upper_bound(dominating_pairs(Gaussian(1))[0])
    False
    """
    return not all(factor.pair.attained for factor in product.factors)


def bound_notes(products: tuple[Product, ...], forced: Callable[[Product], Enclosure] | None = None) -> tuple[str, ...]:
    """What to say where the dominating pair is an upper bound on the mechanism and not known to be attained.

    Args:
        forced: the quantity of a product, to a few digits; where it is given, what known data sets force is said as well.
    """
    factors = products[0].factors
    notes = list(products[0].notes)
    fixed = [factor for factor in factors if factor.pair.forced is not None]
    if not fixed or (len(factors) == 1 and fixed[0].steps == 1):
        return tuple(notes)
    notes.append("both ends enclose the value of a dominating pair: an upper bound on the mechanism, attained for one step")
    if (least := None if forced is None else forced_value(products[0], forced)) is not None:
        notes.append(f"neighbouring data sets are known that force at least {least.lower_decimal(_FORCED_DIGITS)}")
    return tuple(notes)


def forced_value(product: Product, quantity: Callable[[Product], Enclosure]) -> Enclosure | None:
    """What known data sets force where every pair names one, in either order, in every step alike.

    None where other mechanisms take part, or where the value cannot be had.
    """
    best = Enclosure.exactly(0)
    for swapped in (False, True):
        factors = tuple(Factor(pair, factor.steps, swapped) for factor in product.factors if (pair := factor.pair.forced) is not None)
        if len(factors) < len(product.factors):
            return None
        try:
            best = best.maximum(quantity(replace(product, factors=factors)))
        except PrecisionError:
            continue
    return best if best.low > 0 else None


def delta_of(product: Product, epsilon: exact.Number, digits: int = 15) -> Enclosure:
    """Certified δ(ε) = E_P[max(0, 1 − e^{ε−L})] of one product of dominating pairs, P(L = ∞) included.

    Args:
        product: the pairs with their numbers of uses, as `dominating_pairs` returns them; one direction, where `delta` takes the worse.
        epsilon: ε ≥ 0, in nats.
        digits: significant decimal digits.

    Returns:
        An enclosure of the true value, with upper − lower ≤ 10^(1−digits)·upper.

    Raises:
        InputError: ε < 0.
        PrecisionError: the digits cannot be reached; the message says how many were.

    >>> from dpbounds.mechanisms import Direction, Gaussian
    >>> from dpbounds.mechanisms.pairs import dominating_pairs
    >>> (product,) = dominating_pairs(Gaussian(1), direction=Direction.REMOVE)
    >>> delta_of(product, 1, digits=4).lower_decimal(4)
    '0.1269'
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
    elements = elements_of(product)
    if elements.in_epochs and not is_truncated(product):
        return product_delta(elements, epsilon, digits)
    contour = partial(_evaluate, elements, epsilon, digits, tail, nearby)
    found, method = truncated_delta(product, epsilon, digits, evaluate, contour) if is_truncated(product) else contour()
    unit = Enclosure.between(arb(0), arb(1))
    return found.intersection(unit) if found.overlaps(unit) else found, method


def _evaluate(
    elements: Elements, epsilon: Fraction, digits: int, tail: bool, nearby: Nearby | None, most: int = LARGEST_COUNT
) -> tuple[Enclosure, str]:
    if beyond_largest_loss(elements, epsilon):
        return refine(elements.certain_loss, digits), AT_LARGEST_LOSS
    if (form := elements.closed_form()) is not None:
        if form.long:
            with contextlib.suppress(PrecisionError):
                short, method = integrate(elements.factors, lambda: exact_ball(epsilon), digits, elements.unlisted_mass, nearby, _SHORT)
                if short.meets(digits):
                    return short, method + elements.note()
        found = refine(lambda: form.value(exact_ball(epsilon, spare=form.spare)), digits, form.rounds)
        if nearby is not None:
            nearby.below = form.below()
        return found, form.method + elements.note()
    if elements.truncated:
        try:
            return truncated_laws_delta(elements, epsilon, digits)
        except PrecisionError:
            if (mean := _mean(elements, epsilon, digits, nearby)) is not None:
                return mean, CONDITIONED_CONTOURS
            raise
    if not elements.noise:
        return finite_delta(elements, epsilon, digits, nearby, tail=tail)
    if (noise := noise_beside_tables(elements)) is not None:
        conditioned = partial(conditioned_delta, noise=noise, epsilon=epsilon)
        return refine(lambda: elements.unlisted_mass() + conditioned(groups_of(elements.listed())), digits, rounds=5), CONDITIONED
    if (near := near_top_delta(elements, epsilon, digits)) is not None:
        return near, near_top.METHOD + elements.note()
    if (bound := _next_to_an_end(elements, epsilon, digits, tail)) is not None:
        return bound
    return _contour_delta(elements, epsilon, digits, nearby, most)


def _contour_delta(elements: Elements, epsilon: Fraction, digits: int, nearby: Nearby | None, most: int) -> tuple[Enclosure, str]:
    """δ(ε) by a line of at most so many nodes, rays, a mean over the outcomes of tables, or from both sides.

    Raises:
        PrecisionError: none of them has the digits.
    """
    rays = partial(integrate_turned, elements, epsilon, digits, nearby)
    if nearby is not None and nearby.turned and (found := rays()).meets(digits):
        return found, DESCENT_RAYS + elements.note()
    line = partial(integrate, elements.factors, lambda: exact_ball(epsilon), digits, elements.unlisted_mass, nearby)
    turns = can_turn(elements)
    if turns or elements.atoms:
        with contextlib.suppress(PrecisionError):
            found, method = line(_SHORT if turns else min(_MEDIUM, most))
            return found, method + elements.note()
    if turns:
        with contextlib.suppress(PrecisionError):
            return rays(), DESCENT_RAYS + elements.note()
    if (mean := _mean(elements, epsilon, digits, nearby)) is not None and mean.meets(digits):
        return mean, CONDITIONED_CONTOURS
    try:
        found, method = line(most)
    except PrecisionError:
        if (below := tail_bound(elements.factors, epsilon, elements.unlisted_mass)) is not None:
            return below, TAIL_BOUND
        if (sides := _smoothed(elements, epsilon, digits)) is not None:
            return sides, smoothed.METHOD + elements.note()
        if mean is not None:
            return mean, CONDITIONED_CONTOURS
        raise
    return found, method + elements.note()


def _smoothed(elements: Elements, epsilon: Fraction, digits: int) -> Enclosure | None:
    """Both sides of δ(ε) with the digits, or one fewer, where they are few."""
    if digits > _FEW_DIGITS:
        return None
    with contextlib.suppress(PrecisionError):
        return found if (found := smoothed_delta(elements, epsilon, digits - 1)).meets(digits - 1) else None
    return None


def evaluate_elements(elements: Elements, epsilon: Fraction, digits: int, nearby: Nearby | None = None) -> Enclosure:
    """The best enclosure found of δ(ε) of some laws, by contours that are not long.

    >>> from dpbounds.mechanisms import Direction, Gaussian
    >>> (product,) = dominating_pairs(Gaussian(1), direction=Direction.REMOVE)
    >>> evaluate_elements(elements_of(product), Fraction(1), 4).lower_decimal(4)
    '0.1269'
    """
    atoms = sum(len(law.p) for law in elements.finite_laws())
    return _evaluate(elements, epsilon, digits, False, nearby, max(_SHORT, _REST // (1 + atoms)))[0]


def _mean(elements: Elements, epsilon: Fraction, digits: int, nearby: Nearby | None) -> Enclosure | None:
    """The mean over the outcomes of some of the tables, where there are some and the others' δ can be had."""
    with contextlib.suppress(PrecisionError):
        return mean_over_outcomes(elements, epsilon, digits, evaluate_elements, nearby)
    return None


def _next_to_an_end(elements: Elements, epsilon: Fraction, digits: int, tail: bool) -> tuple[Enclosure, str] | None:
    """A bound that will do because δ is next to 1, or next to 0 and an upper bound is enough."""
    if (near := near_one(elements.factors, epsilon, digits, elements.dropped)) is not None:
        return near, NEAR_ONE
    if elements.may_lose() and (found := next_to_certain(elements.factors, epsilon, elements.unlisted_mass, digits)):
        return found, NEXT_TO_CERTAIN
    if tail and (below := tail_bound(elements.factors, epsilon, elements.unlisted_mass)) is not None:
        return below, TAIL_BOUND
    return None


def finite_delta(
    elements: Elements, epsilon: Fraction, digits: int, nearby: Nearby | None = None, *, tail: bool = False
) -> tuple[Enclosure, str]:
    """δ(ε) of a product of laws with atoms only; where they have many values, bounds next to 0 and 1 come first.

    Args:
        tail: an upper bound is enough where δ is negligible.

    Raises:
        PrecisionError: the sum would have too many terms.
    """
    laws = elements.finite_laws()
    groups = groups_of(elements.listed())
    if len(laws) == 1 and len(laws[0].p) == 2 and laws[0].dropped == 0:
        if laws[0].steps >= _LONG_SUM:
            with contextlib.suppress(PrecisionError):
                found, method = _next_to_an_end(elements, epsilon, digits, tail) or lattice_delta(elements, epsilon, digits, nearby)
                if tail or found.meets(digits):
                    return found, method
        return refine(
            lambda: elements.certain_loss() + binomial_delta(elements.finite_laws()[0], exact_ball(epsilon)), digits, rounds=4
        ), "binomial sum"
    points = math.prod(group.points for group in groups)
    many = points >= SHORTEST
    if many and (bound := _next_to_an_end(elements, epsilon, digits, tail)) is not None:
        return bound
    if are_one_lattice(groups):
        return lattice_delta(elements, epsilon, digits, nearby)
    if many:
        if (mean := _mean(elements, epsilon, digits, nearby)) is not None and mean.meets(digits):
            return mean, CONDITIONED_CONTOURS
        for few, how in ((delta_by_rare_atoms, rare_atoms.METHOD), (delta_by_halves, halves.METHOD)):
            with contextlib.suppress(PrecisionError):
                if (sums := few(elements, epsilon, digits)) is not None and sums.meets(digits):
                    return sums, how
        if points > _SHORT_SUM and (bound := _next_to_an_end(elements, epsilon, digits, tail=True)) is not None:
            return bound
    try:
        require_few(groups)
    except PrecisionError as too_many:
        try:
            most = max(_SHORT_SUM, _TERMS // sum(len(law.p) for law in laws))
            return integrate(elements.factors, lambda: exact_ball(epsilon), digits, elements.unlisted_mass, nearby, most)
        except PrecisionError:
            if (sides := _smoothed(elements, epsilon, digits)) is not None:
                return sides, smoothed.METHOD
            raise too_many from None

    def value() -> arb:
        return elements.unlisted_mass() + convolved_delta(groups_of(elements.listed()), exact_ball(epsilon))

    return refine(value, digits, rounds=5), convolution_method(groups)


def truncated_laws_delta(elements: Elements, epsilon: Fraction, digits: int) -> tuple[Enclosure, str]:
    """δ(ε) of a product with laws that are followed only as far as what is left out does not matter.

    Raises:
        PrecisionError: the contour would be too long, or a law is out of its reach.
    """
    steps = sum(steps for law, steps in elements.uses.items() if law.truncated)
    most = 10.0 ** -(digits + 12) / steps
    best: Enclosure | None = None
    method = ""
    for _ in range(4):
        factors = partial(elements.factors, most)
        cut = factors()
        if (nothing := _beyond_loss_of(cut, elements, epsilon)) is not None:
            return nothing, AT_LARGEST_LOSS
        with precision(bits_for(digits, 80)):
            lost = sum((factor.lost() for factor in factors()), arb(0))

        def either() -> arb:
            return sum((factor.lost() for factor in factors()), arb(0)) * (1 + exact_ball(epsilon).exp())  # noqa: B023

        if (near := near_one(factors, epsilon, digits, either)) is not None:
            return near, NEAR_ONE
        try:
            found, how = integrate(factors, lambda: exact_ball(epsilon), digits + 1, elements.unlisted_mass)
        except PrecisionError:
            whole = partial(elements.factors, LEFT_OUT / steps)
            below = tail_bound(whole, epsilon, partial(left_out, elements, whole))
            if below is None or not below.high <= arb(10) ** NEGLIGIBLE:
                raise
            return below, TAIL_BOUND
        with precision(bits_for(digits, 80)):
            found = with_lost_mass(found, lost, exact_ball(epsilon))
        if best is None or found.digits() > best.digits():
            best, method = found, how
        if best.meets(digits):
            break
        most = max(1e-300, min(most * 1e-3, found.upper_float * 10.0 ** -(digits + 3) / steps * math.exp(-min(600.0, float(epsilon)))))
    assert best is not None
    return best, method + elements.note()


def _beyond_loss_of(factors: list[ContourFactor], elements: Elements, epsilon: Fraction) -> Enclosure | None:
    """δ(ε) where ε is at least the largest loss as far as the laws were followed: the mass of infinite loss, and what is left out."""
    with precision(200):
        if not exact_ball(epsilon) >= sum((factor.steps * factor.loss_bound() for factor in factors), arb(0)):
            return None
        beside = elements.unlisted_mass()
        return Enclosure.of_ball(beside.union(beside + lost_mass(factors)))


def beyond_largest_loss(elements: Elements, epsilon: Fraction) -> bool:
    """True when ε is at least the largest finite value of the loss, so that δ(ε) is exactly the mass of the infinite one.

    Exact for rational losses (randomized response); otherwise decided with balls, and False while 4000 bits leave it open.
    """
    if elements.nothing_finite():
        return True
    for bits in (64, 500, 4000):
        with precision(bits):
            largest = elements.largest_loss()
            if largest is None:
                return False
            if isinstance(largest, Fraction):
                return epsilon >= largest
            if exact_ball(epsilon) >= largest:
                return True
            if exact_ball(epsilon) < largest:
                return False
    return False


def read_epsilon(epsilon: exact.Number) -> Exact:
    """ε as an exact number ≥ 0.

    >>> read_epsilon("1/2")
    Fraction(1, 2)
    """
    return at_least(epsilon, 0, "epsilon")


def reported_direction(product: Product, asked: Direction) -> Direction:
    """SYMMETRIC under substitution, otherwise what was asked for.

    >>> from dpbounds.mechanisms import Gaussian
    >>> (product,) = dominating_pairs(Gaussian(1), Relation.SUBSTITUTE)
    >>> reported_direction(product, Direction.WORST).value
    'symmetric'
    """
    return product.direction if product.direction is Direction.SYMMETRIC else asked


def read_relation(relation: Relation | str | None) -> Relation | None:
    """A relation by its name; None stays None.

    >>> read_relation("substitute").value
    'substitute'
    """
    if relation is None or isinstance(relation, Relation):
        return relation
    names = [member.value for member in Relation]
    if relation not in names:
        raise InputError(f"relation must be one of {', '.join(names)}, got {relation!r}")
    return Relation(relation)
