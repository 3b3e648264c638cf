"""What a question asks, read, and what is said beside its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Direction, Relation
from dpbounds.mechanisms.pairs import Factor, Product
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.domains import at_least, between
from dpbounds.numbers.exact import Exact

WIDE = "wider than 15 digits, which are out of reach or would take long; both ends are certified; give digits to have a refusal instead"
NEGLIGIBLE = -300
"""log₁₀ of what counts as too small: floats end there."""
FORCED_DIGITS = 6
"""Of what known data sets force, and of a first comparison."""


def is_telling(enclosure: Enclosure, digits: int) -> bool:
    """Whether an enclosure lacks the digits and still says something: an end that is neither 0 nor infinite nor 1.

    >>> from flint import arb
    >>> is_telling(Enclosure.between(arb(1), arb(2)), 15), is_telling(Enclosure.exactly(1), 15)
    (True, False)
    """
    return not enclosure.meets(digits + 1) and bool(enclosure.low > 0 or enclosure.high < 1)


def read_epsilon(epsilon: exact.Number) -> Exact:
    """ε as an exact number ≥ 0.

    >>> read_epsilon("1/2")
    Fraction(1, 2)
    """
    return at_least(epsilon, 0, "epsilon")


def read_delta(delta: exact.Number) -> Exact:
    """δ as an exact number strictly between 0 and 1.

    >>> read_delta("1e-5")
    Fraction(1, 100000)
    """
    return between(delta, 0, 1, "delta")


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


def reported_direction(product: Product, asked: Direction) -> Direction:
    """SYMMETRIC under substitution, otherwise what was asked for.

    >>> from dpbounds.mechanisms import Gaussian
    >>> from dpbounds.mechanisms.pairs import dominating_pairs
    >>> (product,) = dominating_pairs(Gaussian(1), Relation.SUBSTITUTE)
    >>> reported_direction(product, Direction.WORST).value
    'symmetric'
    """
    return product.direction if product.direction is Direction.SYMMETRIC else asked


def is_upper_bound(product: Product) -> bool:
    """Whether some pair dominates the mechanism without being known to be attained.

    >>> from dpbounds.mechanisms import Gaussian
    >>> from dpbounds.mechanisms.pairs import dominating_pairs
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
        notes.append(f"neighbouring data sets are known that force at least {least.lower_decimal(FORCED_DIGITS)}")
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
