"""Certified ε(δ): the smallest ε ≥ 0 with δ(ε) ≤ δ, trapped between two certified values of δ(ε)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpbounds.accounting.asked import FORCED_DIGITS, WIDE, bound_notes, is_telling, read_delta, read_relation, reported_direction
from dpbounds.accounting.bounds.upper_bounds import surely_below_at_saddle
from dpbounds.accounting.evaluate import evaluate
from dpbounds.accounting.inverse.bracket import bracket
from dpbounds.accounting.inverse.search import full_digits
from dpbounds.accounting.irrational import rational_ends
from dpbounds.accounting.nearby import Nearby
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.pairs import Product, dominating_pairs
from dpbounds.mechanisms.results import PrivacyResult, read_digits, require_digits
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure, ball, bits_for

_COMPARED = (5, 12)
"""Digits with which another product is compared; a contour of the last ones serves many δ."""


def epsilon(
    mechanism: Mechanism,
    delta: exact.Number,
    *,
    digits: int | None = None,
    relation: Relation | str | None = None,
    direction: Direction | str = Direction.WORST,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> PrivacyResult:
    """Certified ε(δ): the smallest ε for which the mechanism's dominating pair is (ε, δ)-private.

    Args:
        mechanism: what is run, compositions included.
        delta: 0 < δ < 1, exact; it may be a closed irrational number, such as `"exp(-12)"`.
        digits: certified digits D: upper − lower ≤ 10^{1−D}·upper. None: 15, or a wider bracket, with a note, where they are out of reach.
        relation, direction, guarantee: as for `dpbounds.accounting.solve`.

    Returns:
        A bracket: δ(lower) ≥ δ ≥ δ(upper), both certified. 0 where δ(0) ≤ δ; infinite where no ε is enough.

    Raises:
        InputError: δ outside (0, 1), or a mechanism without a known dominating pair or evaluator.
        PrecisionError: the digits cannot be had; the message says what was reached.

    Source: Koskela, Jälkö & Honkela 2020, §5.4, for the iteration.

    >>> from dpbounds.mechanisms import Gaussian
    >>> epsilon(Gaussian(1), "1e-5", digits=12).lower
    '4.3771780956812'
    """
    return epsilon_at(mechanism, [delta], digits=digits, relation=relation, direction=direction, guarantee=guarantee)[0]


def epsilon_at(
    mechanism: Mechanism,
    deltas: Sequence[exact.Number],
    *,
    digits: int | None = None,
    relation: Relation | str | None = None,
    direction: Direction | str = Direction.WORST,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
    near: Sequence[tuple[float, float] | None] | None = None,
) -> list[PrivacyResult]:
    """Certified ε(δ) at many δ: a contour that was made for one of them serves its neighbours as long as it has the digits there.

    Args:
        deltas: values of δ in (0, 1); the others as for `epsilon`.
        near: for each δ two points between which ε(δ) is thought to lie, or None. Wrong ones cost time; no bracket rests on them.

    Returns:
        One bracket for each δ, in the order given, each as certified as that of `epsilon`.

    Raises:
        InputError, PrecisionError: as `epsilon` does, for the first δ that has no answer.

    >>> from dpbounds.mechanisms import Gaussian
    >>> [result.lower for result in epsilon_at(Gaussian(1), ["1e-5", "1e-6"], digits=6)]
    ['4.377178', '4.8865541']
    """
    targets, free = [read_delta(delta) for delta in deltas], digits is None
    digits = read_digits(15 if digits is None else digits)
    products = dominating_pairs(mechanism, read_relation(relation), direction, guarantee, upper_bounds=True)
    hints = [None] * len(targets) if near is None else near
    hoped = full_digits(digits + (1 if None in hints else 2))
    kept = [Nearby(hoped=hoped) for _ in products]
    compared = [Nearby(hoped=_COMPARED[-1]) if len(targets) > 1 else None for _ in products]
    found: dict[int, PrivacyResult] = {}
    for place in sorted(range(len(targets)), key=targets.__getitem__, reverse=True):
        target = targets[place]
        enclosure, method = bracket(products[0], target, digits + 1, kept[0], hints[place], wide=free)
        for product, nearby, other_line in zip(products[1:], kept[1:], compared[1:], strict=True):
            line = other_line if nearby.line is None else nearby
            if not _surely_below(product, enclosure, rational_ends(target, bits_for(digits))[0], line):
                other, how = bracket(product, target, digits + 1, nearby, wide=free)
                enclosure, method = enclosure.maximum(other), method if how == method else f"{method}; {how}"
        wide = free and is_telling(enclosure, digits)
        found[place] = PrivacyResult(
            quantity="epsilon",
            enclosure=enclosure if wide else require_digits(enclosure, digits, "epsilon"),
            mechanism=mechanism,
            argument=("delta", target),
            relation=products[0].relation,
            direction=reported_direction(products[0], Direction(direction)),
            guarantee=products[0].guarantee,
            method=method,
            notes=bound_notes(products, lambda product, target=target: bracket(product, target, FORCED_DIGITS + 1)[0])  # type: ignore[misc]
            + ((WIDE,) if wide else ()),
            digits=digits,
        )
    return [found[place] for place in range(len(targets))]


def epsilon_of(product: Product, delta: exact.Number, digits: int = 15) -> Enclosure:
    """Certified ε(δ) = min{ε ≥ 0 : δ(ε) ≤ δ} of one product of dominating pairs.

    Args:
        product: the pairs with their numbers of uses, as `dominating_pairs` returns them; one direction, where `epsilon` takes the worse.
        delta: 0 < δ < 1.
        digits: significant decimal digits.

    Returns:
        An enclosure of the true value, in nats; infinite where δ lies below P(L = ∞).

    Raises:
        InputError: δ outside of (0, 1).
        PrecisionError: the digits cannot be reached; the message says how many were.

    >>> from dpbounds.mechanisms import Direction, Gaussian
    >>> from dpbounds.mechanisms.pairs import dominating_pairs
    >>> (product,) = dominating_pairs(Gaussian(1), direction=Direction.REMOVE)
    >>> epsilon_of(product, "1e-5", digits=5).lower_decimal(5)
    '4.3771'
    """
    return require_digits(bracket(product, read_delta(delta), digits + 1)[0], digits, "epsilon")


def _surely_below(product: Product, found: Enclosure, target: Fraction, nearby: Nearby | None) -> bool:
    """True when δ of this product is certified at most `target` already at the lower end found, so its ε cannot be larger."""
    lower = found.lower
    if not isinstance(lower, Fraction):
        return True
    if (nearby is None or nearby.line is None) and surely_below_at_saddle(product, lower, ball(target)):
        return True
    for digits in _COMPARED:
        enclosure, _ = evaluate(product, lower, digits, nearby=nearby)
        if enclosure.upper <= target:
            return True
        if enclosure.lower > target:
            return False
    return False
