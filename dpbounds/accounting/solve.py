"""Certified δ(ε) of a mechanism."""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb

from dpbounds.accounting.asked import (
    FORCED_DIGITS,
    NEGLIGIBLE,
    WIDE,
    bound_notes,
    is_telling,
    read_epsilon,
    read_relation,
    reported_direction,
)
from dpbounds.accounting.closed import enclosed_delta, file_called
from dpbounds.accounting.nearby import Nearby
from dpbounds.errors import PrecisionError
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.pairs import Product, dominating_pairs
from dpbounds.mechanisms.results import PrivacyResult, read_digits, require_digits
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.exact import Exact

_MANY_DIGITS = 40
"""From so many on, one direction is first compared with the other at a few digits, which costs a small part of the time."""


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
            and has no closed form, or a wider enclosure, with a note, where 15 are out of reach. A δ below 1e-300 whose digits are out of
            reach is bounded, whatever was asked for.
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
        wide = digits is None and not tail and is_telling(enclosure, wanted)
        found[place] = PrivacyResult(
            quantity="delta",
            enclosure=enclosure if tail or wide else require_digits(enclosure, wanted, "delta"),
            mechanism=mechanism,
            argument=("epsilon", values[place]),
            relation=products[0].relation,
            direction=reported_direction(products[0], Direction(direction)),
            guarantee=products[0].guarantee,
            method=method,
            notes=bound_notes(products, lambda product, value=values[place]: enclosed_delta(product, value, FORCED_DIGITS + 1)[0])  # type: ignore[misc]
            + ((WIDE,) if wide else ()),
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
        if found and file_called("bounds.upper_bounds").surely_below_at_saddle(product, value, found[0][0].low):
            continue
        try:
            found.append(enclosed_delta(product, value, wanted + 1, tail=tail, nearby=nearby[product]))
        except PrecisionError as error:
            bounds, wide = file_called("bounds.upper_bounds"), file_called("bounds.wide")
            if found and bounds.surely_below(product, value, found[0][0].low):
                continue
            known = bounds.known_end(product, value)
            if known is not None and known.high <= arb(10) ** NEGLIGIBLE:
                found.append((known, file_called("bounds.ends").TAIL_BOUND))
                continue
            between = wide.delta_by_parts(product, value, known)
            if between is None or not (tail or between[0].meets(wanted)):
                raise bounds.with_ends(error, product, "delta", known if between is None else between[0], 3) from error
            found.append(between)
    enclosure, method = found[0]
    for other, how in found[1:]:
        enclosure, method = enclosure.maximum(other), method if how == method else f"{method}; {how}"
    return enclosure, method, bool(enclosure.high <= arb(10) ** NEGLIGIBLE)


def possibly_largest(products: tuple[Product, ...], epsilon: Exact) -> tuple[Product, ...]:
    """The products whose δ(ε), enclosed to a few digits, may be the largest: the others need no more digits."""
    if len(products) == 1:
        return products
    try:
        rough = [enclosed_delta(product, epsilon, FORCED_DIGITS)[0] for product in products]
    except PrecisionError:
        return products
    return tuple(product for product, own in zip(products, rough, strict=True) if not any(own.high < other.low for other in rough))


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
    return require_digits(enclosed_delta(product, read_epsilon(epsilon), digits + 1)[0], digits, "delta")
