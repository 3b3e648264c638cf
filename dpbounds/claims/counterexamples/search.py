"""Search for counterexamples: simple exact points first, then a global optimiser, then smaller denominators.

Nothing found here counts until `refute.refute_at` has decided it exactly.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from dpbounds.claims import clock
from dpbounds.claims.claim import Claim
from dpbounds.claims.counterexamples import extremes
from dpbounds.claims.counterexamples.differential_evolution import DeadlinePassed, Vector, least
from dpbounds.claims.counterexamples.float_points import float_points, premise_points
from dpbounds.claims.counterexamples.points import solved_points
from dpbounds.claims.counterexamples.recursive_points import recursive_points
from dpbounds.claims.counterexamples.refute import Refutation, refute_at
from dpbounds.claims.domain import Domain
from dpbounds.claims.plans import Search
from dpbounds.claims.statement import instance
from dpbounds.errors import LanguageError
from dpbounds.language import enclose, functions
from dpbounds.numbers import balls
from dpbounds.numbers.balls import Ball

Point = dict[Any, Any]
_BITS = 64
_FAMILY_SIZES = (2, 3)
_MOST_CORNERS = 1000
_MOST_UNCLEAR, _MOST_DECIDED = 24, 60
"""Points at which an integral is evaluated to more digits, and at which a statement without an enclosure is decided."""
_MOST_PLACES = 300
"""Points at which an extremum without an enclosure is looked at."""
_MOST_TERMS = 1000
"""Of a sum at a point: 10,000 roots take minutes."""
_NEAR = (Fraction(1, 10), Fraction(-1, 10), Fraction(1, 100), Fraction(-1, 100), Fraction(1, 1000), Fraction(-1, 1000))
_UNEVEN = (1, 1, 3, 10, 30, 100)
_FEW_POINTS, _FEW_FAMILIES = 100, 20
"""Simple points before others, and fewer where each takes long."""
_GENERATIONS = 60
"""Of a search in floats, at most."""
_IN_FLOATS = 0.5
"""The share of the time for points that floats find."""
_FEW_VALUES, _MOST_AT_PREMISES = 12, 200
"""Of the bounds that premises state: values of each other variable, and points."""
_TIES = 25
"""Values of a variable to which another one is nearly equal."""
_DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 50, 64, 100, 128, 256, 500, 1000, 10_000, 10**6)


_NAMED = 60
"""Points that are tried with the values that premises name, which are no simple numbers."""


def find_point(claim: Claim, seed: int = 0, tries: int = 2000) -> Point | None:
    """An exact point of the claim's domain, or None: evidence that the claim is not vacuous.

    >>> from dpbounds.language.symbols import positive
    >>> q = positive("q")
    >>> find_point(Claim(id="a", text="", then=q < 2, given=[q <= 1], expect=None))[q] <= 1
    True
    """
    domain = Domain.of_claim(claim)
    simple = itertools.islice(simple_points(domain, random.Random(seed)), tries)
    first = itertools.islice(simple, _FEW_FAMILIES if domain.families else _FEW_POINTS)
    solved = itertools.islice(premise_points(claim, domain, seed), _FEW_FAMILIES) if domain.families else solved_points(domain, seed)
    for point in itertools.chain(first, solved, simple):
        if domain.contains(point) is True:
            return point
    named = _named_by_premises(claim)
    for point in itertools.islice(simple_points(domain, random.Random(seed)), _NAMED if named else 0):
        for v, value in named.items():
            point[v] = value.subs(point)
        if all(point[v].is_real for v in named) and domain.contains(point) is True:
            return point
    return None


def _named_by_premises(claim: Claim) -> dict[Any, Any]:
    """The variables v of premises v = e, for e without v, with e."""
    sides = (premise.args for premise in claim.given if isinstance(premise, sympy.Eq))
    return {v: e for v, e in sides if isinstance(v, sympy.Symbol) and not e.has(v)}


def search(claim: Claim, plan: Search | None = None, *, deadline: float | None = None) -> Refutation | str:
    """Look for a counterexample of the claim.

    Args:
        claim: the claim.
        plan: how many points, and the seed.
        deadline: `clock.now()` at which to give up.

    Returns:
        A certified refutation at a point with small numerators and denominators, or what was tried.

    >>> from dpbounds.language.symbols import real
    >>> x = real("x")
    >>> search(Claim(id="a", text="", then=x**2 >= x)).as_text()
    'x = 1/2'
    """
    plan = plan or Search()
    domain = Domain.of_claim(claim)
    rng = random.Random(plan.seed)
    try:
        violated = _violation(claim, domain)
    except LanguageError as error:
        decided = _by_extremum(claim, domain, rng, deadline) or _one_by_one(claim, domain, rng, deadline)
        return decided or f"no search: {error}"
    tried = unclear = 0
    lengths = {v for node in claim.then.atoms(sympy.Sum) for end in node.limits[0][1:] for v in end.free_symbols}
    simple = itertools.islice(simple_points(domain, rng), plan.tries)
    until = None if deadline is None else clock.now() + _IN_FLOATS * (deadline - clock.now())
    floats = float_points(claim, domain, plan.seed, min(_GENERATIONS, 10 + plan.tries // 30), until)
    first = itertools.islice(simple, _FEW_FAMILIES if domain.families else _FEW_POINTS)
    ways = ((first, False), (floats, True), (simple, False), (corner_points(domain, rng), False))
    for point, fails in ((point, fails) for points, fails in ways for point in points):
        if any(point.get(v, 0) > _MOST_TERMS for v in lengths):
            continue
        if deadline is not None and clock.now() > deadline:
            return f"no counterexample in {tried} points (time is up)"
        tried += 1
        value = violated(point)
        unclear += value is None and not fails
        looked_at = value or value is None and (fails or unclear <= _MOST_UNCLEAR)
        if looked_at and isinstance(refutation := refute_at(claim, point), Refutation):
            return simplified(claim, refutation)
    best = _optimise(claim, domain, plan, deadline)
    if best:
        for point in _rounded(domain, best):
            if violated(point) and isinstance(refutation := refute_at(claim, point), Refutation):
                return simplified(claim, refutation)
    farther = "" if best is None else " and one global search"
    return _by_extremum(claim, domain, rng, deadline) or f"no counterexample in {tried} simple points{farther}"


def _one_by_one(claim: Claim, domain: Domain, rng: random.Random, deadline: float | None) -> Refutation | None:
    """A statement that has no enclosure for all values of its variables, at a few points where it has one."""
    points = itertools.islice(simple_points(domain, rng), 0 if domain.families else _MOST_DECIDED)
    try:
        return _first_false(claim, domain, points, deadline, _MOST_DECIDED)
    except LanguageError:
        return None


def _by_extremum(claim: Claim, domain: Domain, rng: random.Random, deadline: float | None) -> Refutation | None:
    """A statement about an extremum that has no enclosure, at a few points where it looks false by numbers."""
    if domain.families or extremes.parts_of(claim.then) is None:
        return None
    points = itertools.islice(itertools.chain(simple_points(domain, rng), corner_points(domain, rng)), _MOST_PLACES)
    return _first_false(claim, domain, points, deadline, _MOST_UNCLEAR, partial(extremes.seems_false, claim.then))


def _first_false(
    claim: Claim,
    domain: Domain,
    points: Iterable[Point],
    deadline: float | None,
    most: int,
    seems_false: Callable[[Point], bool] = lambda point: True,
) -> Refutation | None:
    """The first of some points of the domain at which the statement is surely false; at most so many are decided."""
    for point in points:
        if most <= 0 or deadline is not None and clock.now() > deadline:
            return None
        if domain.contains(point) is True and seems_false(point):
            most -= 1
            if isinstance(found := refute_at(claim, point), Refutation):
                return found
    return None


def _violation(claim: Claim, domain: Domain) -> Callable[[Point], bool | None]:
    """A fast test in low precision: no premise surely false, the statement surely false; None of an integral or a series too wide."""
    if domain.families:

        def slow(point: Point) -> bool:
            return domain.contains(point) is not False and instance.truth_at(claim.then, point) is False

        return slow
    variables = domain.variables
    premises = [enclose.compile_expression(instance.elementary(c), variables) for c in domain.constraints if not c.has(sympy.Mod)]
    elementary = instance.elementary(claim.then)
    statement = enclose.compile_expression(elementary, variables)
    is_unclear = elementary.has(sympy.Integral) or any(end.is_infinite for s in elementary.atoms(sympy.Sum) for end in s.limits[0][1:])

    def fast(point: Point) -> bool | None:
        with balls.precision(_BITS):
            values = [_ball(point[v]) for v in variables]
            if any(premise(values) is False for premise in premises):
                return False
            truth = statement(values)
            return None if truth is None and is_unclear else truth is False

    return fast


def _ball(value: sympy.Expr) -> Ball:
    if value.is_Rational:
        return balls.ball(Fraction(int(value.p), int(value.q)))
    return enclose.ball_of(value, _BITS)


# --- simple points -------------------------------------------------------------------------------------------------


def simple_points(domain: Domain, rng: random.Random) -> Iterator[Point]:
    """Points with small numerators and denominators, in growing complexity and shuffled."""
    if domain.families:
        yield from _family_points(domain, rng)
        return
    bounds = domain.bounds()
    ladders = [_ladder(bounds[v], bool(v.is_integer)) for v in domain.variables]
    if not ladders:
        yield {}
        return
    for reach in itertools.count(3, 3):
        shells = [ladder[: reach + 1] for ladder in ladders]
        size = 1
        for shell in shells:
            size *= len(shell)
        if size <= 600:
            points = list(itertools.product(*shells))
            rng.shuffle(points)
        else:
            points = [tuple(rng.choice(shell) for shell in shells) for _ in range(600)]
        for point in points:
            yield dict(zip(domain.variables, (sympy.Rational(x) for x in point), strict=True))
        if all(len(shell) == len(ladder) for shell, ladder in zip(shells, ladders, strict=True)) and size <= 600:
            return
        if reach > 600:
            return


def _ladder(ends: tuple[Fraction | None, Fraction | None], whole: bool) -> list[Fraction]:
    """Candidate values of one variable, simplest first, ends of the range included."""
    low, high = ends
    values: dict[Fraction, None] = {}

    def offer(value: Fraction) -> None:
        if (low is None or value >= low) and (high is None or value <= high) and (not whole or value.denominator == 1):
            values[value] = None

    for end in (low, high):
        if end is not None:
            offer(end)
    for n in (1, 2, 3, 4, 5, 0, -1, -2, 6, 7, 8, 10, 20, 50, 100, -5, -10):
        offer(Fraction(n))
    for denominator in (2, 3, 4, 5, 8, 10, 16, 20, 21, 25, 32, 50, 64, 100, 1000, 10**6):
        offer(Fraction(1, denominator))
        offer(1 - Fraction(1, denominator))
        offer(1 + Fraction(1, denominator))
        for end in (low, high):
            if end is not None:
                offer(end + Fraction(1, denominator))
                offer(end - Fraction(1, denominator))
        if low is not None and high is not None:
            for numerator in range(1, min(denominator, 8)):
                offer((low + (high - low) * Fraction(numerator, denominator)).limit_denominator(10_000))
    for n in range(9, 40):
        offer(Fraction(n))
        offer(Fraction(1, n))
        offer(Fraction(2 * n + 1, 2))
    for n in (100, 200, 500, 1000, 10**4, 10**6):
        offer(Fraction(n))
        offer(Fraction(-n))
    return list(values)


def corner_points(domain: Domain, rng: random.Random) -> Iterator[Point]:
    """Points near the ends of all ranges at once: a bound that is tight in a corner fails there first."""
    if domain.families or not domain.variables:
        return
    bounds = domain.bounds()
    ladders = [_near_ends(bounds[v], bool(v.is_integer)) for v in domain.variables]
    near_ties = _near_ties(bounds, list(domain.variables), rng)
    for point in itertools.chain(_shuffled(ladders, rng), near_ties, _at_premises(domain, rng)):
        yield dict(zip(domain.variables, (sympy.Rational(x) for x in point), strict=True))


def _at_premises(domain: Domain, rng: random.Random) -> Iterator[tuple[Fraction, ...]]:
    """Points near a bound of a variable that a premise states in the others, as in n ≥ log(1/δ)/ε²: there a bound is tight.

    They are rounded into the range, to whole numbers and to thousandths.
    """
    bounds, variables = domain.bounds(), list(domain.variables)
    ladders = [_ladder(bounds[v], bool(v.is_integer))[:_FEW_VALUES] for v in variables]
    for premise in domain.constraints:
        if not isinstance(premise, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
            continue
        for v, other in ((premise.gts, premise.lts), (premise.lts, premise.gts)):
            if v not in variables or v in other.free_symbols or not other.free_symbols:
                continue
            way, i = 1 if v is premise.gts else -1, variables.index(v)
            program = enclose.compile_expression(instance.elementary(other), domain.variables)
            shells = [[Fraction(1)] if ladder is ladders[i] else ladder for ladder in ladders]
            for point in itertools.islice(_shuffled(shells, rng), _MOST_AT_PREMISES):
                with balls.precision(_BITS):
                    value = program([balls.ball(x) for x in point])
                    near = float(value.mid())
                if not math.isfinite(near):
                    continue
                for step in (1,) if v.is_integer else (1, 1000):
                    end = Fraction(way * math.ceil(way * Fraction(near) * step), step)
                    yield (*point[:i], end, *point[i + 1 :])


def _shuffled(ladders: list[list[Fraction]], rng: random.Random) -> Iterator[tuple[Fraction, ...]]:
    points = list(itertools.product(*ladders)) if math.prod(map(len, ladders)) <= _MOST_CORNERS else []
    rng.shuffle(points)
    return iter(points) if points or not all(ladders) else (tuple(rng.choice(ladder) for ladder in ladders) for _ in range(_MOST_CORNERS))


def _near_ties(
    bounds: dict[sympy.Symbol, tuple[Fraction | None, Fraction | None]], variables: list[sympy.Symbol], rng: random.Random
) -> Iterator[tuple[Fraction, ...]]:
    """Points at which two variables nearly agree: sides that meet where they are equal differ there by a second order term."""
    ladders = [
        [value for value in _ladder(bounds[v], bool(v.is_integer)) if value != 0] + _near_ends(bounds[v], bool(v.is_integer))
        for v in variables
    ]
    for first, second in itertools.permutations(range(len(variables)), 2):
        if variables[first].is_integer or variables[second].is_integer:
            continue
        for share in _NEAR:
            for value in rng.sample(ladders[first], min(_TIES, len(ladders[first]))):
                point = [rng.choice(ladder) for ladder in ladders]
                point[first], point[second] = value, value * (1 + share)
                yield tuple(point)


def _near_ends(ends: tuple[Fraction | None, Fraction | None], whole: bool) -> list[Fraction]:
    """Values at growing distance from the ends of a range, on a logarithmic scale."""
    low, high = ends
    if whole:
        start = low if low is not None else Fraction(0)
        return [start + n for n in (0, 1, 10, 100) if high is None or start + n <= high]
    width = high - low if low is not None and high is not None else Fraction(1)
    steps = [width * Fraction(1, 10**k) for k in (1, 2, 3, 5, 7)]
    near = [low + step for step in steps] if low is not None else []
    near += [high - step for step in steps] if high is not None else []
    if low is None or high is None:
        base, sign = (low, 1) if low is not None else (high or Fraction(0), -1 if high is not None else 1)
        near += [base + sign * n for n in (1, 10, 1000)] if base is not None else []
    return near


def _family_points(domain: Domain, rng: random.Random) -> Iterator[Point]:
    """Small families: probability vectors where a premise says so, small nonnegative rationals otherwise."""
    normalised = {base for c in domain.constraints if isinstance(c, sympy.Eq) and c.has(sympy.Sum) for base in c.atoms(sympy.IndexedBase)}
    bounds = domain.bounds()
    ladders = {v: _ladder(bounds[v], bool(v.is_integer)) for v in domain.variables}
    yield from recursive_points(domain, lambda v: rng.choice(ladders[v][:_FEW_VALUES]), rng)
    lengths = {limit for c in (*domain.constraints,) for total in c.atoms(sympy.Sum) for limit in total.limits[0][2].free_symbols}
    for turn in itertools.count():
        # First the families that agree with each other: they satisfy premises about closeness.
        alike, size = turn < len(_FAMILY_SIZES) + 1, (1, *_FAMILY_SIZES)[turn] if turn <= len(_FAMILY_SIZES) else rng.choice(_FAMILY_SIZES)
        point: Point = {}
        for variable in domain.variables:
            short = ladders[variable][: 8 + rng.randrange(12)]
            counts = variable in lengths or bool(variable.is_integer and variable.is_positive)
            value = Fraction(size) if counts else rng.choice(short)
            if counts and lengths and variable not in lengths and turn % 2:  # a smaller length, as of an event
                value = Fraction(rng.randrange(1, size + 1))
            point[variable] = sympy.Rational(value)
        for base in domain.families:
            positive = bool(base[1].is_positive)
            low = 1 if positive else 0
            uneven = turn % 4 == 3  # some masses far smaller than others
            weights = [1] * size if alike else [rng.choice(_UNEVEN) if uneven else rng.randrange(low, 5) for _ in range(size)]
            total = sum(weights)
            if base in normalised:
                if total == 0:
                    weights, total = [1] * size, size
                point[base] = tuple(sympy.Rational(w, total) for w in weights)
            else:
                point[base] = tuple(sympy.Rational(w, rng.choice((1, 1, 2, 3))) for w in weights)
        yield point


# --- global search -------------------------------------------------------------------------------------------------


def _optimise(claim: Claim, domain: Domain, plan: Search, deadline: float | None) -> Vector | None:
    """Minimise the least gap of the statement over the domain in low precision.

    Returns:
        A point that looks like a counterexample, an empty one where there is none, None where nothing was minimised to the end.
    """
    if domain.families or not domain.variables:
        return None
    gaps = _float_gaps(claim.then, domain.variables)
    if gaps is None:
        return None
    bounds = domain.bounds()
    try:
        ranges = [_finite(bounds[v]) for v in domain.variables]
    except OverflowError:
        return None  # an end beyond the numbers that an optimiser has
    if any(low >= high for low, high in ranges):
        return None
    premises = [enclose.compile_expression(instance.elementary(c), domain.variables) for c in domain.constraints if not c.has(sympy.Mod)]
    whole = [bool(v.is_integer) for v in domain.variables]

    def objective(x: Vector) -> float:
        with balls.precision(_BITS):
            values = [Ball(round(c) if integral else c) for c, integral in zip(x, whole, strict=True)]
            broken = sum(premise(values) is False for premise in premises)
            return 1e6 * broken if broken else gaps(values)

    generations = max(10, plan.tries // (15 * len(ranges)))
    try:
        point, value = least(objective, ranges, seed=plan.seed, generations=generations, deadline=deadline)
    except DeadlinePassed:
        return None
    return point if value < 0 else ()


def _float_gaps(then: Any, variables: tuple[sympy.Symbol, ...]) -> Callable[[list[Ball]], float] | None:
    relations = [then] if isinstance(then, sympy.core.relational.Relational) else list(then.args) if isinstance(then, sympy.And) else []
    programs = []
    for relation in relations:
        if not isinstance(relation, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
            return None
        sign = 1 if isinstance(relation, (sympy.Le, sympy.Lt)) else -1
        left, right = (enclose.compile_expression(functions.expand_quantities(side), variables) for side in relation.args)
        programs.append((sign, left, right))
    if not programs:
        return None

    def smallest(values: list[Ball]) -> float:
        worst = float("inf")
        for sign, left, right in programs:
            a, b = left(values), right(values)
            scale = abs(a).max(abs(b))
            gap = sign * (b - a) / scale if scale > 0 else sign * (b - a)
            worst = min(worst, 1e3 if gap.is_nan() else float(gap.mid()))
        return worst

    return smallest


def _finite(ends: tuple[Fraction | None, Fraction | None]) -> tuple[float, float]:
    low, high = ends
    if low is None and high is None:
        return -100.0, 100.0
    if low is None:
        return float(high) - 100.0, float(high)  # type: ignore[arg-type]
    if high is None:
        return float(low), float(low) + 100.0
    return float(low), float(high)


def _rounded(domain: Domain, x: Vector) -> Iterator[Point]:
    for denominator in _DENOMINATORS:
        point: Point = {}
        for variable, value in zip(domain.variables, x, strict=True):
            exact = Fraction(round(value)) if variable.is_integer else Fraction(value).limit_denominator(denominator)
            point[variable] = sympy.Rational(exact)
        yield point


def simplified(claim: Claim, found: Refutation) -> Refutation:
    """The same refutation with coordinates replaced by the simplest nearby numbers that still refute."""
    best, domain = found, Domain.of_claim(claim)
    if domain.families:
        return best
    violated = _violation(claim, domain)
    for variable in domain.variables:
        value = best.point[variable]
        if not value.is_Rational or value.q == 1:
            continue
        exact = Fraction(int(value.p), int(value.q))
        for denominator in _DENOMINATORS:
            if denominator >= exact.denominator:
                break
            simpler = exact.limit_denominator(denominator)
            point = {**best.point, variable: sympy.Rational(simpler)}
            if violated(point):
                candidate = refute_at(claim, point)
                if isinstance(candidate, Refutation):
                    best = candidate
                    break
    return best
