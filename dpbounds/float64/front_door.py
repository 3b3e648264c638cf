"""One door to the float64 accountants: it picks the method and says which it used.

Order: a closed form or finite sum where there is one; the contour where it accepts; else the lattice, or the contour after all where that
is narrower; else what the parts of a product say of it. All results are two-sided bounds under the rounding model of `rounding`, or
estimates named `approx_`. They never enter a verdict; certified values come from `dpbounds.accounting`.

Inputs are exact (`dpbounds.numbers.exact`): ε and δ are read as the numbers they print as. Rounding ε to a float moves it by at
most u·ε; every method allows for a shift of at least that size.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64 import allocation_contour, closed_form, from_parts, many_uses
from dpbounds.float64 import contour as fast_contour
from dpbounds.float64 import grid as lattice
from dpbounds.float64.inverse.along import LATTICE_TOLERANCE, Along
from dpbounds.float64.inverse.search import NARROW, BoundsSearch, first_guess, log_slack, tilted_guess
from dpbounds.float64.laplace_mixture import LaplaceMixture
from dpbounds.float64.laws import AtomsOnly, LossLaw, dropped_mass, loss_law
from dpbounds.float64.logarithms import log_fraction
from dpbounds.float64.result import Bounds, ComposedLaw
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation, events, pairs
from dpbounds.mechanisms.atomic import AtomicLaw, AtomicPair
from dpbounds.numbers import exact

DEFAULT_TOLERANCE = 1e-8
_MANY = 100_000
"""Uses from which the normal approximation is asked before a lattice."""
_FEW = 1000
"""Uses whose masses are multiplied as fractions."""
METHODS = ("auto", "closed form", "contour", "lattice")


def delta_bounds(
    mechanism: Any,
    epsilon: exact.Number,
    *,
    tolerance: float = DEFAULT_TOLERANCE,
    method: str = "auto",
    relation: Relation | None = None,
    direction: Direction = Direction.WORST,
    guarantee: Guarantee = Guarantee.MECHANISM,
) -> Bounds:
    """Lower and upper bounds of δ(ε) in float64.

    Args:
        mechanism: a dpbounds mechanism, or a dp_accounting.DpEvent tree.
        epsilon: ε ≥ 0.
        tolerance: relative width aimed at; the lattice aims at 1e-4 at best when it has to take over in "auto". The width reached is in
        the result.
        method: "auto", "closed form", "contour" or "lattice".
        relation, direction, guarantee: as in `pairs.dominating_pairs`.

    Returns:
        `Bounds` with lower, upper, log_lower, log_upper and the method.

    Raises:
        InputError: bad input. PrecisionError: the method declines.

    >>> from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
    >>> found = delta_bounds(Repeated(Sampled(Gaussian(2), PoissonSampling("0.01")), 1000), 5, direction="remove")
    >>> found.method, -163.3110 < found.log_lower <= found.log_upper < -163.3108
    ('contour', True)
    """
    return delta_bounds_at(
        mechanism, [epsilon], tolerance=tolerance, method=method, relation=relation, direction=direction, guarantee=guarantee
    )[0]


def delta_bounds_at(
    mechanism: Any,
    epsilons: Sequence[exact.Number],
    *,
    tolerance: float = DEFAULT_TOLERANCE,
    method: str = "auto",
    relation: Relation | None = None,
    direction: Direction = Direction.WORST,
    guarantee: Guarantee = Guarantee.MECHANISM,
) -> list[Bounds]:
    """Lower and upper bounds of δ(ε) in float64 at several ε, from one evaluation of the moments.

    Args:
        epsilons: values of ε ≥ 0.
        mechanism, tolerance, method, relation, direction, guarantee: as in `delta_bounds`.

    Returns:
        One `Bounds` for each ε, in the order given.

    Raises:
        InputError: bad input. PrecisionError: the method declines.

    >>> from dpbounds.mechanisms import Gaussian
    >>> [round(bounds.upper, 6) for bounds in delta_bounds_at(Gaussian(1), [0, 1])]
    [0.382925, 0.126937]
    """
    values = [_epsilon(epsilon) for epsilon in epsilons]
    rows = [_answers(product, values, tolerance, method) for product in _products(mechanism, relation, direction, guarantee)]
    return [_largest(column) for column in zip(*rows, strict=True)]


def delta_bounds_over_steps(
    mechanism: Any,
    epsilon: exact.Number,
    steps: Sequence[int],
    *,
    tolerance: float = DEFAULT_TOLERANCE,
    relation: Relation | None = None,
    direction: Direction = Direction.WORST,
    guarantee: Guarantee = Guarantee.MECHANISM,
) -> list[Bounds]:
    """`delta_bounds` of the mechanism repeated k times, for several k at one ε; one contour serves many k where it accepts.

    >>> from dpbounds.mechanisms import Gaussian, PoissonSampling, Sampled
    >>> few, many = delta_bounds_over_steps(Sampled(Gaussian(1), PoissonSampling("0.01")), 1, [1000, 2000])
    >>> few.upper < many.lower
    True
    """
    value = _epsilon(epsilon)
    counts = [exact.integer(count, "steps") for count in steps]
    if any(count < 1 for count in counts):
        raise InputError(f"steps must be at least 1, got {min(counts)}")
    rows: list[list[Bounds]] = []
    for product in _products(mechanism, relation, direction, guarantee):
        served: dict[int, Bounds] = {}
        plain = not allocation_contour.holds_allocation(product)
        with contextlib.suppress(PrecisionError):
            if plain:
                repeats = [float(count) for count in counts]
                served = fast_contour.served_bounds(product, [value] * len(counts), repeats, tolerance, LATTICE_TOLERANCE)
        for index in [index for index in range(len(counts)) if index not in served]:
            least = max((row[index].log_lower for row in rows), default=-math.inf)
            below = fast_contour.tail_bounds(product, value, counts[index], least) if plain else None
            served[index] = below or _served_alone(_repeated(product, counts[index]), value, tolerance)
        rows.append([served[index] for index in range(len(counts))])
    return [_largest(column) for column in zip(*rows, strict=True)]


def _served_alone(product: pairs.Product, epsilon: float, tolerance: float) -> Bounds:
    """Bounds where the contour has declined: without it if that is possible."""
    try:
        return _product_bounds(product, [epsilon], tolerance, "auto", contour=False)[0]
    except PrecisionError:
        return _answers(product, [epsilon], tolerance, "auto")[0]


def epsilon_bounds(
    mechanism: Any,
    delta: exact.Number,
    *,
    tolerance: float = DEFAULT_TOLERANCE,
    method: str = "auto",
    relation: Relation | None = None,
    direction: Direction = Direction.WORST,
    guarantee: Guarantee = Guarantee.MECHANISM,
) -> Bounds:
    """Bounds of ε(δ) = min{ε ≥ 0 : δ(ε) ≤ δ}, by Newton on log δ and two bounds that bracket the target.

    Args:
        delta: δ in (0, 1). The others as in `delta_bounds`.

    Raises:
        InputError: bad input. PrecisionError: no bracket within the accuracy of the method.

    >>> from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
    >>> found = epsilon_bounds(Repeated(Sampled(Gaussian("1.5"), PoissonSampling("0.01")), 10000), "1e-6")
    >>> found.upper - found.lower < 1e-6
    True
    """
    target = exact.number(delta, "delta")
    if not (target > 0 and target < 1):
        raise InputError(f"delta must lie in (0, 1), got {exact.text(target)}")
    products = _products(mechanism, relation, direction, guarantee)
    best = _epsilon_of(products[0], target, tolerance, method)
    for product in products[1:]:
        if best.lower < math.inf and not _surely_below(product, best.lower, target, tolerance, method):
            best = best.larger(_epsilon_of(product, target, tolerance, method))
    return best


def _surely_below(product: pairs.Product, epsilon: float, target: exact.Exact, tolerance: float, method: str) -> bool:
    """Whether δ of a product is at most the target at ε, so that its own ε cannot be larger."""
    log_delta = _log_of(target)
    try:
        found = _product_bounds(product, [epsilon], tolerance, method)[0]
    except PrecisionError:
        return False
    return found.log_upper <= log_delta - log_slack(log_delta)


def approx_delta(mechanism: Any, epsilon: exact.Number, **options: Any) -> float:
    """An estimate of δ(ε), neither an upper nor a lower bound: the middle of `delta_bounds`, whose arguments it takes.

    >>> from dpbounds.mechanisms import Gaussian
    >>> round(approx_delta(Gaussian(1), 1), 4)
    0.1269
    """
    return delta_bounds(mechanism, epsilon, **options).middle


def approx_log_delta(mechanism: Any, epsilon: exact.Number, **options: Any) -> float:
    """An estimate of log δ(ε) that also works where δ is below the smallest float; arguments as in `delta_bounds`.

    >>> from dpbounds.mechanisms import Gaussian
    >>> round(approx_log_delta(Gaussian(1), 100))
    -4960
    """
    return delta_bounds(mechanism, epsilon, **options).log_middle


def approx_epsilon(mechanism: Any, delta: exact.Number, **options: Any) -> float:
    """An estimate of ε(δ), neither an upper nor a lower bound: the middle of `epsilon_bounds`, whose arguments it takes.

    >>> from dpbounds.mechanisms import Gaussian
    >>> round(approx_epsilon(Gaussian(1), "1e-5"), 3)
    4.377
    """
    found = epsilon_bounds(mechanism, delta, **options)
    return 0.5 * (found.lower + found.upper)


def _epsilon(value: exact.Number) -> float:
    number = exact.number(value, "epsilon")
    if not number >= 0:
        raise InputError(f"epsilon must be >= 0, got {exact.text(number)}")
    return float(number)


def _log_of(value: exact.Exact) -> float:
    return log_fraction(value) if isinstance(value, Fraction) else math.log(float(value))


def _products(mechanism: Any, relation: Relation | None, direction: Direction, guarantee: Guarantee) -> tuple[pairs.Product, ...]:
    if isinstance(mechanism, pairs.Product):
        return (mechanism,)
    if events.is_event(mechanism) and (notes := events.notes_of(mechanism)):
        raise InputError(
            f"the float64 accountants bound from both sides, and an event has no lower bound ({notes[0]}); use dpbounds.accounting"
        )
    tree: Mechanism = events.mechanism_of(mechanism) if events.is_event(mechanism) else mechanism
    return tuple(_one_batch(product) for product in pairs.dominating_pairs(tree, relation, direction, guarantee, upper_bounds=True))


def _one_batch(product: pairs.Product) -> pairs.Product:
    """One use of sampling without replacement has, for ε ≥ 0, the profile of q·N(2) + (1−q)·N(0) against N(0).

    See `pairs.FixedSizePair`.
    """
    (factor, *others) = product.factors
    if others or factor.steps > 1 or not isinstance(factor.pair, pairs.FixedSizePair):
        return product
    sampled = pairs.PoissonPair(factor.pair.q, pairs.GaussianPair(factor.pair.sigma / 2))
    return pairs.Product((pairs.Factor(sampled),), product.relation, product.direction, product.guarantee)


def _repeated(product: pairs.Product, count: int) -> pairs.Product:
    factors = tuple(pairs.Factor(factor.pair, factor.steps * count, factor.reversed) for factor in product.factors)
    return pairs.Product(factors, product.relation, product.direction, product.guarantee)


def _largest(column: Sequence[Bounds]) -> Bounds:
    result = column[0]
    for other in column[1:]:
        result = result.larger(other)
    return result


def _product_bounds(
    product: pairs.Product,
    epsilons: list[float],
    tolerance: float,
    method: str,
    kept: list[ComposedLaw] | None = None,
    *,
    contour: bool = True,
    accept: float = LATTICE_TOLERANCE,
    known: tuple[float, float, float] | None = None,
) -> list[Bounds]:
    """Bounds for one product; contours and lattices that serve are added to `kept`.

    Args:
        contour: whether method "auto" tries the contour first. accept: the width that is enough from the lattice there.
        known: estimates for the lattice, as it takes them.
    """
    if method not in METHODS:
        raise InputError(f"method must be one of {', '.join(METHODS)}, got {method}")
    if not 0 < tolerance < 1:
        raise InputError(f"tolerance must lie in (0, 1), got {tolerance}")
    if allocation_contour.holds_allocation(product):
        if method not in ("auto", "contour"):
            raise PrecisionError(f"random allocation has no {method} here; use method contour")
        accountant = allocation_contour.Accountant(product)
        return [accountant.bounds(epsilon, tolerance) for epsilon in epsilons]
    product = _significant(product)
    accept = max(tolerance, accept) if method == "auto" else tolerance
    found: dict[int, Bounds] = {}
    if method in ("auto", "closed form"):
        found = {index: simple for index, simple in enumerate(_simple(product, epsilons)) if simple is not None}
    if method == "auto" and all(isinstance(loss_law(factor), LaplaceMixture) for factor in product.factors):
        for index in found.keys() ^ range(len(epsilons)):
            if near := closed_form.near_largest_loss(product, epsilons[index], accept):
                found[index] = near
    rest = [index for index in range(len(epsilons)) if index not in found]
    if rest and method == "closed form":
        raise PrecisionError("there is no closed form for this composition; use method contour or lattice")
    if rest and (method == "contour" or (method == "auto" and contour)):
        found |= _by_contour(product, {index: epsilons[index] for index in rest}, tolerance, accept, method, kept)
        rest = [index for index in rest if index not in found or (method == "auto" and found[index].relative_width > accept)]
    if rest and method == "auto" and sum(factor.steps for factor in product.factors) >= _MANY:
        found |= _narrower(found, _by_normal_limit(product, {index: epsilons[index] for index in rest}, quick=True))
        rest = [index for index in rest if index not in found or found[index].relative_width > accept]
    if rest:
        composed: list[ComposedLaw] = []
        try:
            own = lattice.bounds_at(product, [epsilons[i] for i in rest], accept, composed, known)
        except PrecisionError:
            if method == "auto":
                found |= _narrower(found, _by_normal_limit(product, {index: epsilons[index] for index in rest if index not in found}))
            if method != "auto" or any(index not in found for index in rest):
                raise
        else:
            found |= _narrower(found, dict(zip(rest, own, strict=True)))
        if kept is not None and not (kept and len(rest) == 1 and found[rest[0]].method == "contour"):
            kept += composed
    dropped = dropped_mass(product)
    return [found[index].with_more(dropped) for index in range(len(epsilons))]


def _answers(product: pairs.Product, epsilons: list[float], tolerance: float, method: str) -> list[Bounds]:
    """Bounds for one product, with method "auto" by its parts where there is no other."""
    try:
        return _product_bounds(product, epsilons, tolerance, method)
    except PrecisionError as refused:
        if method != "auto":
            raise
        if len(epsilons) > 1:
            return [_answers(product, [epsilon], tolerance, method)[0] for epsilon in epsilons]
        error = refused

        def whole(part: pairs.Product, at: float) -> Bounds:
            if part is product:
                raise error
            return _product_bounds(part, [at], tolerance, method)[0]

        try:
            return [from_parts.delta_bounds(product, epsilons[0], whole)]
        except PrecisionError:
            raise refused from None


def _narrower(found: dict[int, Bounds], others: dict[int, Bounds]) -> dict[int, Bounds]:
    """Those of the others that are narrower than what was found."""
    return {index: own for index, own in others.items() if index not in found or own.relative_width < found[index].relative_width}


def _by_normal_limit(product: pairs.Product, epsilons: dict[int, float], *, quick: bool = False) -> dict[int, Bounds]:
    """Bounds for very many uses, where there are any."""
    found: dict[int, Bounds] = {}
    for index, epsilon in epsilons.items():
        with contextlib.suppress(PrecisionError):
            found[index] = many_uses.delta_bounds(product, epsilon, quick=quick)
    return found


def _by_contour(
    product: pairs.Product, epsilons: dict[int, float], tolerance: float, accept: float, method: str, kept: list[ComposedLaw] | None
) -> dict[int, Bounds]:
    """Bounds by the contour: what it has within the tolerance with method "contour", else even where it is wider than `accept`."""
    limit = max(accept, NARROW) if method == "auto" else accept
    try:
        return dict(zip(epsilons, fast_contour.bounds_at(product, list(epsilons.values()), None, tolerance, limit, kept), strict=True))
    except PrecisionError:
        if method == "contour":
            raise
    found: dict[int, Bounds] = {}
    if len(epsilons) > 1:
        for index, epsilon in epsilons.items():
            with contextlib.suppress(PrecisionError):
                found[index] = fast_contour.bounds_at(product, [epsilon], None, tolerance, limit, kept)[0]
    return found


def _significant(product: pairs.Product) -> pairs.Product:
    """Without factors that release nothing (loss 0 with certainty), unless nothing else is left."""
    kept = tuple(factor for factor in product.factors if not _is_nothing(loss_law(factor)))
    return pairs.Product(kept or product.factors[:1], product.relation, product.direction, product.guarantee)


def _is_nothing(law: LossLaw) -> bool:
    return law.infinite_mass == 0 and len(law.atoms) == 1 and law.atoms[0][0] == 0 and law.degree == 0


def _largest_loss(product: pairs.Product) -> float:
    """The largest total loss."""
    return math.fsum(factor.steps * loss_law(factor).highest_loss for factor in product.factors)


def _infinite_mass(product: pairs.Product) -> Fraction:
    """The probability of an infinite loss, exactly; 1 where it may be positive at a rate that is no fraction."""
    kept = Fraction(1)
    for factor in product.factors:
        pair, rate = factor.pair.unsampled()
        if isinstance(pair, AtomicPair) and any(pair.singular()):
            if not isinstance(rate, Fraction):
                return Fraction(1)
            kept *= (1 - AtomicLaw(pair, rate, factor.reversed).lost_mass()) ** factor.steps
    return 1 - kept


def _largest_finite_losses(product: pairs.Product) -> list[float]:
    """Of each factor: at their sum δ(ε) has come down to the mass of infinite loss."""
    laws = [(factor.steps, loss_law(factor)) for factor in product.factors]
    return [steps * (law.highest_finite_loss if isinstance(law, AtomsOnly) else law.highest_loss) for steps, law in laws]


def _disjoint(pair: object) -> bool:
    """One use tells the two sides apart."""
    return isinstance(pair, AtomicPair) and pair.singular()[0] == 1


def _simple(product: pairs.Product, epsilons: Sequence[float]) -> list[Bounds | None]:
    if any(_disjoint(factor.pair) for factor in product.factors):
        return [Bounds(1.0, 1.0, 0.0, 0.0, closed_form.METHOD)] * len(epsilons)
    ceiling, form = _largest_loss(product), closed_form.form_of(product)
    beyond = ceiling + 1e-12 * (1 + abs(ceiling))
    nothing = Bounds(0.0, 0.0, -math.inf, -math.inf, closed_form.METHOD)
    return [nothing if epsilon > beyond else form and form(epsilon) for epsilon in epsilons]


def _product_epsilon(product: pairs.Product, target: exact.Exact, tolerance: float, method: str) -> Bounds:
    log_delta = _log_of(target)
    if allocation_contour.holds_allocation(product):
        return _allocation_epsilon(product, log_delta, tolerance)
    product = _significant(product)
    laws = tuple(loss_law(factor) for factor in product.factors)
    along = Along(product, _product_bounds, tolerance, method, log_delta)
    bounds_at = along.bounds_at
    log_finite = math.fsum(
        factor.steps * math.log1p(-min(law.infinite_mass, 1 - 1e-16)) for factor, law in zip(product.factors, laws, strict=True)
    )
    if log_finite < 0 and math.log(-math.expm1(log_finite)) > log_delta + 1e-12:
        return Bounds.of_values(math.inf, math.inf, closed_form.METHOD)
    ceiling = _largest_loss(product)
    few = sum(factor.steps for factor in product.factors) <= _FEW
    if log_finite < 0 and few and isinstance(target, Fraction) and _infinite_mass(product) <= target:
        tops = _largest_finite_losses(product)
        if all(top <= 0 for top in tops):
            return Bounds.of_values(0.0, 0.0, bounds_at(0.0, 1.0).method)
        ceiling = max(0.0, math.fsum(tops)) + 1e-13 * math.fsum(abs(top) for top in tops)
    epsilon, c = first_guess(laws, tuple(float(factor.steps) for factor in product.factors), log_delta, ceiling)
    return BoundsSearch(bounds_at, log_delta, ceiling, c, along.slope).bounds(epsilon)


def _epsilon_of(product: pairs.Product, target: exact.Exact, tolerance: float, method: str) -> Bounds:
    """ε of one product, with method "auto" by its parts where there is no other way."""
    try:
        return _product_epsilon(product, target, tolerance, method)
    except PrecisionError as refused:
        if method != "auto":
            raise
        error = refused

        def whole(part: pairs.Product, delta: exact.Exact) -> Bounds:
            if part is product:
                raise error
            return _product_epsilon(part, delta, tolerance, method)

        try:
            return from_parts.epsilon_bounds(product, target, _log_below, whole)
        except PrecisionError:
            raise refused from None


def _log_below(value: exact.Exact) -> float:
    """At most the logarithm."""
    found = _log_of(value)
    return found - log_slack(found)


def _allocation_epsilon(product: pairs.Product, log_delta: float, tolerance: float) -> Bounds:
    """ε of a product with random allocation; a direction remove starts from the ε of the direction add."""
    accountant = allocation_contour.Accountant(product)
    if accountant.remove and log_delta < -allocation_contour.PARITY_DEPTH:
        raise PrecisionError("random allocation: delta is below what float64 has in direction remove; use dpbounds.accounting")
    certain = _infinite_mass(product)
    if certain > 0 and log_fraction(certain) > log_delta + 1e-12:
        return Bounds.of_values(math.inf, math.inf, allocation_contour.METHOD)

    def bounds_at(epsilon: float, _: float) -> Bounds:
        return accountant.bounds(epsilon, tolerance)

    epsilon, c = tilted_guess(accountant, log_delta, math.inf)
    return BoundsSearch(bounds_at, log_delta, math.inf, c).bounds(epsilon)
