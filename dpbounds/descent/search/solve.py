"""Untrusted: certificates of problems, by a portfolio of changes of variables and the search."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any

import sympy
from sympy.concrete.gosper import gosper_sum

from dpbounds.descent import induction
from dpbounds.descent import polynomials as poly
from dpbounds.descent.changes import Row, changed
from dpbounds.descent.factorials import with_factorials
from dpbounds.descent.integrals.closed import check_closed
from dpbounds.descent.integrals.moving_ends import MovingEnd, limit_at_end, moving_end
from dpbounds.descent.integrals.sums import nodes_of
from dpbounds.descent.limits import lower_limit
from dpbounds.descent.logarithms import bounded, exponential_of, halved, logarithm_of
from dpbounds.descent.moments import gaussian_delta_of, moment_bound, order_above_one
from dpbounds.descent.parts import parts_at_ends
from dpbounds.descent.point import bounded as on_other_side
from dpbounds.descent.point import extrema_of
from dpbounds.descent.point import parts_of as parts_at_point
from dpbounds.descent.polynomials import Quotient
from dpbounds.descent.problem import Problem
from dpbounds.descent.ratio import COUNTED, counted, parts_of
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.closing import definition, mixtures_in, rows_of
from dpbounds.descent.search.comparing import comparisons_of, counted_comparisons_of, telescoped
from dpbounds.descent.search.deepening import DescentSearch, Document, find
from dpbounds.descent.search.options import above_rows, below_rows, options_of, over_chains, under_rows, within_chains
from dpbounds.descent.search.pointing import bounds_of, points_of
from dpbounds.descent.search.trying import fails_somewhere
from dpbounds.descent.subterms import least_value, named
from dpbounds.descent.tower import Tower
from dpbounds.descent.written import expression_of, row_of
from dpbounds.language import functions

_FIRST = 0.4
"""The share of the time that the statement as written gets, when it can be changed."""
_COUNTED = 0.6
"""The share of that time for bounds of sums with binomial coefficients or factorials."""
_LITTLE = 0.03
"""Seconds in which a first look at all depths shows that there is little to search."""
_CLOSED = 0.6
"""The share of the time in which sums and integrals have closed forms, or an induction."""
_LARGER = 0.8
"""The share of the time for what is left of a comparison with a power of a sum."""
_CONDITION = 0.2
"""The share of the time for a condition of a comparison."""
_CANCELLED, _ALONG = 0.2, 0.7
"""The shares of the time in which factorials may cancel as they stand, and in which both sides are compared from n to n + 1."""
_POWERS = 0.5
"""The share of the time for the logarithms of products of powers."""
_NAMED = 0.6
"""The share of the time in which a side of a premise that stands in the statement has a name."""
_MOMENT = 0.2
"""The share of the time for bounds of a delta by moments: they hold at once or not at all."""
_MOST_TERMS = 8
"""How many terms of the binomial theorem are tried in the place of a binomial coefficient."""
LimitOf = Callable[[Tower, Quotient, Mapping[int, Quotient], int], tuple[Tower, Quotient | None]]


def certificates_of(problems: Sequence[Problem], seconds: float, *, integers: frozenset[str] = frozenset()) -> dict[str, Any] | None:
    """A certificate for each problem, found within processor seconds; None when one was not found.

    Args:
        problems: the problems.
        seconds: of processor time, for all of them.
        integers: the variables that are integers, along which factorials and sums may be compared step by step.
    """
    deadline = time.process_time() + seconds
    found = []
    for problem in problems:
        part = _found(problem, deadline, integers)
        if part is None:
            return None
        found.append(part)
    return {"problems": found}


def _found(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """A certificate of one problem, by the ways that fit it."""
    now = time.process_time()
    if (found := _by_subterm(problem, now + _NAMED * (deadline - now), integers)) is not None:
        return found
    if extrema := extrema_of(problem):
        return _by_point(problem, extrema[0], deadline, integers)
    if nodes_of(problem):
        return _of_sums(problem, deadline, integers)
    if counted(problem) or has_factorials(problem):
        return _of_factorials(problem, deadline, integers)
    now = time.process_time()
    if (found := _by_moment(problem, now + _MOMENT * (deadline - now), integers)) is not None:
        return found
    now = time.process_time()
    if _has_powers(problem) and (found := _by_powers(problem, now + _POWERS * (deadline - now), integers)) is not None:
        return found
    if integers & set(problem.box):
        return _of_integers(problem, deadline, integers)
    return _solved(problem, deadline)


def _by_subterm(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """A name for a side of a premise that stands in the statement as it is."""
    whole = sympy.Tuple(problem.large, problem.small)
    parts = [(index, side, part) for index, premise in enumerate(problem.premises) for side, part in enumerate(premise[:2])]
    for index, side, part in sorted(parts, key=lambda entry: -int(sympy.count_ops(entry[2]))):
        if part.is_polynomial() or not whole.has(part):
            continue
        for low in ("1", "0", "-oo"):
            row = {"premise": index, "side": side, "low": low}
            now = time.process_time()
            try:
                then, least = named(problem, row), least_value(problem, part, row)
                shown = None if now >= deadline or fails_somewhere(least) else _solved(least, now + _CONDITION * (deadline - now))
            except DescentRefused:
                continue
            if shown is not None:
                found = _found(then, deadline, integers)
                if found is not None:
                    return {"subterm": {**row, "shown": shown}, "then": found}
                break
    return None


def _by_point(problem: Problem, node: functions.Extremum, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """A point where the function is at most, or at least, the bound."""
    for point in points_of(node):
        found: list[Any] = []
        try:
            row = row_of(point)
            for part in parts_at_point(problem, row):
                now = time.process_time()
                found.append(_found(part, now + _FIRST * (deadline - now), integers) if now < deadline else None)
                if found[-1] is None:
                    break
            else:
                return {"point": row, "parts": found, **_bounded(problem, node, point, deadline)}
        except DescentRefused:
            continue
    return None


def _bounded(problem: Problem, node: functions.Extremum, point: sympy.Expr, deadline: float) -> dict[str, Any]:
    """A bound of the function on the other side, all over the range; nothing where none is found."""
    for bound in bounds_of(node, problem.large if node is problem.small else problem.small, point):
        now = time.process_time()
        try:
            row = row_of(bound)
            part = on_other_side(problem, row)
            shown = None if now >= deadline or fails_somewhere(part) else _solved(part, now + _CONDITION * (deadline - now))
        except DescentRefused:
            continue
        if shown is not None:
            return {"bound": row, "bounded": shown}
    return {}


def _by_moment(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """δ(ε) of a Gaussian by its Rényi divergence of some order: variables, numbers, and the order at which that bound is least."""
    node = gaussian_delta_of(problem)
    if node is None or problem.large.has(functions.PrivacyQuantity):
        return None
    epsilon, sigma, sensitivity = node.args
    orders = [sympy.Symbol(name) for name, own in sorted(problem.box.items()) if own.low is not None and own.low >= 1]
    orders += [1 + sympy.Symbol(name) for name, own in sorted(problem.box.items()) if own.low == 0]
    orders += [sympy.Integer(2), sympy.Integer(3), sympy.Rational(3, 2), sympy.Integer(4)]
    orders.append(sympy.powdenest(epsilon * sigma**2 / sensitivity**2, force=True) + sympy.Rational(1, 2))
    for order, sharp in itertools.product(orders, (False, True)):
        now = time.process_time()
        try:
            row = row_of(order)
            condition = order_above_one(problem, expression_of(row, problem.box), sharp=sharp)
            bound = replace(
                problem, small=moment_bound(problem.small.as_coeff_Mul()[0], node, expression_of(row, problem.box), sharp=sharp)
            )
            if now >= deadline or fails_somewhere(condition) or fails_somewhere(replace(bound, nodes={})):
                continue
            shown = _solved(condition, now + _CONDITION * (deadline - now))
            then = None if shown is None else _found(bound, now + _FIRST * (deadline - now), integers)
        except DescentRefused:
            continue
        if then is not None:
            return {"moment": {"order": row, "sharp": sharp, "shown": shown}, "then": then}
    return None


def has_factorials(problem: Problem) -> bool:
    """Whether a factorial or a binomial coefficient is read, outside of sums and integrals or in what stands for them."""
    waiting = [problem.large, problem.small]
    while waiting:
        node = waiting.pop()
        if node in problem.nodes:
            waiting.append(problem.nodes[node])
        elif isinstance(node, (sympy.factorial, sympy.binomial)):
            return True
        elif not isinstance(node, (sympy.Sum, sympy.Integral)):
            waiting += node.args
    return False


def _has_powers(problem: Problem) -> bool:
    """Whether both sides are products in which some bases other than e have variables in their exponents, or sums of such powers stand
    beside an exponential."""
    factors = [*sympy.Mul.make_args(problem.small), *sympy.Mul.make_args(problem.large)]
    moving = [e for e in factors if _is_moving(e)]
    sums = any(isinstance(e, sympy.Add) and any(map(_is_moving, e.args)) for e in factors)
    return not problem.nodes and (len(moving) > 1 or sums and any(isinstance(e, sympy.exp) and e.free_symbols for e in factors))


def _is_moving(e: Any) -> bool:
    """Whether it is a power with variables in its exponent."""
    return isinstance(e, sympy.Pow) and bool(e.args[1].free_symbols) and e.args[0] is not sympy.E


def _by_powers(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """The logarithms of products of powers."""
    try:
        return _by_logarithm(problem, deadline, integers)
    except DescentRefused:
        return None


def _of_factorials(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """By the logarithm of both sides, their ratio, any positive numbers in the place of factorials, or terms of the binomial theorem."""
    if _has_logarithms_of_factorials(problem):
        inside = _of_factorials(exponential_of(problem), deadline, integers)
        return None if inside is None else {"exponential": inside}
    for share, way in ((_CANCELLED, _by_logarithm), (_ALONG, _by_ratio), (_CANCELLED, _by_any_factorials), (1.0, _by_terms)):
        now = time.process_time()
        try:
            found = way(problem, now + share * (deadline - now), integers) if now < deadline else None
        except DescentRefused:
            continue
        if found is not None:
            return found
    return _by_ends(problem, deadline, integers) if len(problem.box) > 1 else None


def _has_logarithms_of_factorials(problem: Problem) -> bool:
    """Whether one stands beside other terms of a side, which is no exponential itself."""
    sides = [side for side in (problem.large, problem.small) if not isinstance(side, sympy.exp)]
    return problem.compares and any(node.has(*COUNTED) for side in sides for node in side.atoms(sympy.log))


def _by_logarithm(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """The factorials cancel as they stand."""
    whole = _solved(logarithm_of(problem), deadline)
    return None if whole is None else {"logarithm": whole}


def _by_any_factorials(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """The statement holds whatever positive numbers the factorials are."""
    whatever = _solved(with_factorials(problem), deadline) if has_factorials(problem) else None
    return None if whatever is None else {"factorials": whatever}


def _of_sums(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """By closed forms, by induction or by a comparison of terms; the last one has a part of the time."""
    now = time.process_time()
    if any(mixtures_in(node.args[0], node.args[1][0]) for node in nodes_of(problem)):
        return _by_comparison(problem, deadline, integers)
    until = now + _CLOSED * (deadline - now)
    ways = [(1.0, _by_closed_forms), (_FIRST, _by_telescope), (1.0, _after_changes), (1.0, _by_moving_end)]
    ways += [(1.0, _by_step), (1.0, _by_induction), (1.0, _by_ends)]
    if any(node.args[0].has(sympy.binomial, sympy.factorial) for node in nodes_of(problem)):
        ways[1:1] = [(_COUNTED, _by_ends), (_COUNTED, _by_counted_terms)]
    for share, way in ways:
        now = time.process_time()
        if now < until and (found := way(problem, now + share * (until - now), integers)) is not None:
            return found
    return _by_comparison(problem, deadline, integers)


def _after_changes(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """Closed forms in variables in which a premise is the range of one of them."""
    if not problem.premises or problem.meanings:
        return None
    for rows in (*over_chains(problem), under_rows(problem), *within_chains(problem), above_rows(problem), below_rows(problem)):
        here = problem
        try:
            for row in rows:
                here = changed(here, row, before=True)
        except DescentRefused:
            continue
        now = time.process_time()
        if rows and (found := _by_closed_forms(here, now + _FIRST * (deadline - now), integers)) is not None:
            return {"before": rows, **found}
    return None


def _by_moving_end(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """The derivative of both sides in the end of an integral."""
    try:
        moving = moving_end(problem)
    except DescentRefused:
        return None
    parts = {"factor": moving.divided(), "defined": moving.defined(), "slope": moving.slope()}
    if moving.end is None:
        parts["positive"] = moving.positive()
    found: dict[str, Any] = {}
    if moving.end is None and moving.side == -1:
        finite = _finite(moving, deadline, integers)
        if finite is None:
            return None
        found["finite"] = finite
    for name, part in parts.items():
        now = time.process_time()
        own = _solved(part, now + _FIRST * (deadline - now)) if now < deadline else None
        if own is None:
            return None
        found[name] = own
    limits = [_limit(bound, deadline, partial(limit_at_end, moving)) for bound in moving.bounds()]
    return None if None in limits else {**found, "limits": [{**place, **limit} for place, limit in filter(None, limits)]}


def _finite(moving: MovingEnd, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """An integral to infinity is at most its term at the other end, or that times something simple."""
    t = sympy.Symbol(moving.variable)
    here = moving.bound.term.xreplace({moving.bound.node.args[1][0]: t})
    for bound in (here, 2 * here, 2 * t * here, (1 + 1 / t) * here):
        now = time.process_time()
        try:
            row = row_of(bound)
            own = _by_moving_end(moving.finite(row), now + _FIRST * (deadline - now), integers)
        except DescentRefused:
            continue
        if own is not None:
            return {"bound": row, **own}
    return None


def _by_ends(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """The closed end of a variable by itself, where closed forms are others."""
    for name in sorted(set(problem.box) - integers):
        try:
            parts = parts_at_ends(problem, name)
        except DescentRefused:
            continue
        found = []
        for part in reversed(parts):
            now = time.process_time()
            found.append(_found(part, now + _FIRST * (deadline - now), integers) if now < deadline else None)
            if found[-1] is None:
                break
        else:
            return {"ends": name, "parts": found[::-1]}
    return None


def _by_counted_terms(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """A bound of a sum with binomial coefficients or reciprocal factorials that holds at some points, and a certificate of what is left."""

    def prove(condition: Problem, *, along: bool = False) -> dict[str, Any] | None:
        now = time.process_time()
        if now >= deadline or fails_somewhere(condition):
            return None
        return (_within(condition, deadline) if along else None) or _solved(condition, now + _FIRST * (deadline - now))

    for rows in counted_comparisons_of(problem, prove, integers):
        try:
            closed = check_closed(problem, rows, integers)
        except DescentRefused:
            continue
        now = time.process_time()
        if now >= deadline:
            return None
        if fails_somewhere(closed):
            continue
        then = _found(closed, now + _CLOSED * (deadline - now), integers)
        if then is not None:
            return {"closed": rows, "then": then}
    return None


def _within(problem: Problem, deadline: float) -> dict[str, Any] | None:
    """In shares of the ends that premises name, such as t = w·n, for half of the time."""
    for rows in within_chains(problem):
        try:
            found = solve(problem, _POWERS * (deadline - time.process_time()), rows)
            if found is not None:
                return found
        except DescentRefused:
            continue
    return None


def _by_comparison(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """A simpler sum or integral less or more some number in the place of one, and a certificate of what is left."""

    def prove(condition: Problem) -> dict[str, Any] | None:
        now = time.process_time()
        return _solved(condition, now + _CONDITION * (deadline - now)) if now < deadline else None

    # Few functions are compared with a power of a sum, and mostly the first one that is larger is right.
    share = _LARGER if any(mixtures_in(node.args[0], node.args[1][0]) for node in nodes_of(problem)) else _FIRST
    for rows in comparisons_of(problem, prove, integers):
        try:
            closed = check_closed(problem, rows, integers)
        except DescentRefused:
            continue
        now = time.process_time()
        then = _found(closed, now + share * (deadline - now), integers) if now < deadline else None
        if then is not None:
            return {"closed": rows, "then": then}
    return None


def _by_telescope(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """A tail that is at most B(m), by f(t) ≤ B(t) − B(t + 1), and a certificate of what is left."""

    def prove(condition: Problem) -> dict[str, Any] | None:
        now = time.process_time()
        return None if now >= deadline or fails_somewhere(condition) else _solved(condition, now + _FIRST * (deadline - now))

    try:
        for rows in telescoped(problem, prove, integers):
            try:
                closed = problem
                for row in rows:
                    closed = check_closed(closed, row, integers)
            except DescentRefused:
                continue
            if (then := _found(closed, deadline, integers)) is not None:
                return reduce(lambda inner, row: {"closed": row, "then": inner}, reversed(rows), then)
    except DescentRefused:
        pass
    return None


def _by_closed_forms(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """Closed forms in the place of sums and integrals, and a certificate of what is left."""
    until = time.process_time() + _FIRST * (deadline - time.process_time())
    rows = rows_of(problem, integers, lambda condition: _solved(condition, until))
    if rows is None:
        return None
    try:
        closed = check_closed(problem, rows, integers)
    except DescentRefused:
        return None
    then = _found(closed, deadline if None not in rows else until, integers)
    return None if then is None else {"closed": rows, "then": then}


def solve(
    problem: Problem,
    seconds: float,
    before: Sequence[Row] = (),
    changes: Sequence[Row] = (),
    *,
    briefly: bool = False,
    memory: dict[Any, Any] | None = None,
) -> Document | None:
    """Search a certificate of a problem within processor seconds.

    Args:
        problem: the problem.
        seconds: of processor time.
        before: changes of variables for all faces.
        changes: changes of variables for the open box.
        briefly: only a first look at each depth of the search.
        memory: what a first, brief search of this problem with these changes learned; none by default.

    >>> from dpbounds.descent.interval import Interval
    >>> x = sympy.Symbol("x", real=True)
    >>> positive = Problem(sympy.exp(x), 1 + x, False, {"x": Interval()})
    >>> list(solve(positive, 10))
    ['before', 'parts']
    """
    for row in before:
        problem = changed(problem, row, before=True)

    def prove(search: DescentSearch, depth: int) -> Document | None:
        parts = []
        for i, fixed in enumerate(problem.faces()):
            here = problem.with_fixed(fixed)
            part = None
            if i and not problem.strict and not problem.premises:
                part = definition(here.free()[0])
            if part is None:
                rows = [] if i else [list(row) for row in changes]
                for row in rows:
                    here = changed(here, row, before=False)
                tower, gap, premises = here.free()
                search.differing = frozenset(i for i, (_, _, differ) in enumerate(here.premises) if differ)
                part = search.claim(tower, gap, depth, strict=problem.strict, premises=premises)
                if part is not None and rows:
                    part["changes"] = rows
            if part is None:
                return None
            parts.append(part)
        return {"before": [list(row) for row in before], "parts": parts}

    return find(prove, seconds, boxes=len(problem.box) == 1, briefly=briefly, memory=memory)[0]


def _solved(problem: Problem, deadline: float) -> dict[str, Any] | None:
    """By the changes of variables that are worth trying: a first look at all, then each for a share of the time, those with little to
    search before the others."""
    options: list[tuple[list[Row], list[Row], dict[Any, Any]]] = [(before, rows, {}) for before, rows in options_of(problem)]
    looked: list[float] = []
    for briefly in (True, False) if len(options) > 1 else (False,):
        if looked:
            options = [option for _, option in sorted(zip(looked, options, strict=True), key=lambda pair: pair[0] > _LITTLE)]
        for i, (before, rows, memory) in enumerate(options):
            now = time.process_time()
            left = deadline - now
            if left <= 0:
                return None
            last = not briefly and i == len(options) - 1
            try:
                found = solve(
                    problem, left if last else left * _FIRST, before, rows, briefly=briefly, memory=memory if len(options) > 1 else None
                )
                if found is not None:
                    return found
            except DescentRefused:
                pass
            looked.append(time.process_time() - now)
    return None


def _by_terms(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """C(a, b) ≤ (x + y)^a/(x^b·y^(a − b)) for some x and y: 1, b and a − b, and what has powers in the statement."""
    coefficient = next((f for f in sympy.Mul.make_args(problem.small) if isinstance(f, sympy.binomial)), None)
    if coefficient is None:
        return None
    a, b = coefficient.args
    now = time.process_time()
    try:
        less = halved(problem, integers)
        half = None if fails_somewhere(less) else _solved(logarithm_of(less), now + _CANCELLED * (deadline - now))
    except DescentRefused:
        half = None
    if half is not None:
        return {"terms": ["half"], "logarithm": half}
    bases = {e.args[0] for side in (problem.small, problem.large) for e in sympy.Mul.make_args(side) if e.is_Pow and e.free_symbols}
    pairs = [(sympy.S.One, sympy.S.One), (b, a - b), *itertools.permutations(sorted(bases, key=str), 2)]
    for count, (x, y) in enumerate(pairs[:_MOST_TERMS]):
        now = time.process_time()
        try:
            row = [row_of(x), row_of(y)]
            bound = bounded(problem, x, y, integers)
            if fails_somewhere(bound):
                continue
            whole = _solved(logarithm_of(bound), now + (deadline - now) / (len(pairs) - count))
        except DescentRefused:
            continue
        if whole is not None:
            return {"terms": [row], "logarithm": whole}
    return None


def _by_ratio(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """Along each integer, with larger ones as sums of it and something that is not negative; falling, along a real variable too."""
    for name in sorted(problem.box, key=lambda name: (name not in integers, name)):
        before: list[Row] = []
        here = problem
        for row in above_rows(problem):
            try:
                here, before = changed(here, row, before=True), [*before, row]
            except DescentRefused:
                break
        for way, length in (("falls", 1), ("rises", 1), ("falls", 2)):
            if way == "rises" and name not in integers:
                continue
            try:
                found = _along(here, name, way, length, deadline)
            except DescentRefused:
                continue
            if found is not None:
                steps = {"length": length} if length > 1 else {}
                return {"in": name, **({"before": before} if before else {}), "way": way, **steps, **found}
    return None


def _along(problem: Problem, name: str, way: str, length: int, deadline: float) -> dict[str, Any] | None:
    step, start = parts_of(problem, name, way, length)
    left = deadline - time.process_time()
    up = _solved(step, time.process_time() + left * _FIRST) if left > 0 else None
    if up is None:
        return None
    if way == "rises":
        first = _solved(start, deadline)
        return None if first is None else {"step": up, "start": first}
    found = _limit(start.with_fixed({}), deadline, partial(_limit_of_ratio, name))
    return None if found is None else {"step": up, "start": found[0], **found[1]}


def _by_step(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """An induction over a sum of terms with factorials, whose step is a statement of its own."""
    if not any(node.has(sympy.binomial, sympy.factorial) for node in nodes_of(problem)):
        return None
    for name, later in itertools.product(sorted(integers & set(problem.box)), (0, 2, 8)):
        try:
            *starts, step = induction.parts_of_step(problem, name, later)
            now = time.process_time()
            found = _found(step, now + _FIRST * (deadline - now), integers) if now < deadline else None
            own = [] if found is None else [_solved(part, deadline) for part in starts]
        except DescentRefused:
            continue
        if found is not None and None not in own:
            return {"in": name, "later": later, "starts": own, "step": found}
    return None


def _by_induction(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    for name in sorted(integers & set(problem.box)):
        for witness, later in _witnesses(problem, name):
            parts: list[Any] = []
            try:
                for part in induction.parts_of(problem, name, witness, later):
                    left = deadline - time.process_time()
                    found = _solved(part, time.process_time() + _FIRST * left) if left > 0 else None
                    if found is None:
                        break
                    parts.append(found)
                else:
                    row = {} if witness is None else {"witness": row_of(witness)}
                    return {"in": name, "later": later, **row, "induction": parts}
            except DescentRefused:
                continue
    return None


def _of_integers(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """By induction, as real numbers, or both after the first few integers; each has a part of the time."""
    ways: list[tuple[float, Callable[[float], dict[str, Any] | None]]] = [
        (0.1, lambda until: _by_induction(problem, until, integers)),
        (0.4, lambda until: _solved(problem, until)),
        (1.0, lambda until: _by_values(problem, until, integers)),
    ]
    for share, way in ways:
        now = time.process_time()
        if (found := way(now + share * (deadline - now))) is not None:
            return found
    return None


def _by_values(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """The first integers one by one, then all real numbers from there on."""
    for name in sorted(integers & set(problem.box)):
        for later in (1, 2, 4, 8, 16):
            try:
                parts = induction.from_values(problem, name, later)
            except DescentRefused:
                break
            found = []
            for part in reversed(parts):
                left = deadline - time.process_time()
                found.append(_solved(part, time.process_time() + _FIRST * left) if left > 0 else None)
                if found[-1] is None:
                    break
            else:
                return {"in": name, "values": found[::-1]}
    return None


def _witnesses(problem: Problem, variable: str) -> Iterator[tuple[sympy.Expr | None, int]]:
    """Witnesses, and how many n are shown one by one: none; the gap with closed forms in the place of the sums (Gosper's method); c/n."""
    yield None, 0
    if not (problem.large.has(sympy.Sum) or problem.small.has(sympy.Sum)):
        return
    yield from ((witness, 0) for witness in _closed_gaps(problem, variable))
    n = sympy.Symbol(variable)
    for later in (0, 1, 3, 7, 15):
        yield None, later
        yield from ((witness, later) for witness in (1 / n, 1 / (n + 1), 2 / sympy.sqrt(n), 1 / (2 * n), sympy.Rational(3, 5) / n))


def _closed_gaps(problem: Problem, variable: str) -> Iterator[sympy.Expr]:
    try:
        sums = induction.partial_sums(problem, variable)
        closed = {part.node: _closed(part.node) for part in sums}
    except (DescentRefused, ValueError, RuntimeError, TypeError, AttributeError, ZeroDivisionError):
        return
    if None not in closed.values():
        gap = (problem.large - problem.small).xreplace(closed)
        names = {s: sympy.Symbol(s.name) for s in gap.free_symbols}
        yield gap.xreplace(names)


def _closed(node: sympy.Sum) -> sympy.Expr | None:
    """The value of a sum up to n, where Gosper's method finds one."""
    k, low, high = node.args[1]
    bases = {e: sympy.Symbol(f"base_{i}", positive=True) for i, e in enumerate(sorted(_bases(node.args[0], k), key=str))}
    term = node.args[0].replace(lambda e: isinstance(e, sympy.exp) and e.has(k), lambda e: bases[sympy.exp(e.args[0].coeff(k))] ** k)
    if bases and sympy.simplify(term.subs({v: e for e, v in bases.items()}) - node.args[0]) != 0:
        return None
    found = gosper_sum(term, (k, low, high))
    return None if found is None else sympy.factor(found).subs({v: e for e, v in bases.items()})


def _bases(term: sympy.Expr, k: sympy.Symbol) -> set[sympy.Expr]:
    """The numbers whose k-th powers are exponentials of a term."""
    return {sympy.exp(e.args[0].coeff(k)) for e in term.atoms(sympy.exp) if e.has(k)}


def _limit(part: Problem, deadline: float, limit_of: LimitOf) -> tuple[Document, Document] | None:
    """The tower of a function, and the order of an expansion with the claim that its limit is ≥ 0."""
    free, value, _ = part.free()
    document = definition(free)
    if document is None:
        return None
    tower, images = document["made"]
    for order in (1, 2, 3, 4):
        try:
            target, limit = limit_of(tower, value, images, order)
        except DescentRefused:
            continue
        if limit is None or not limit[0]:
            return document, {"order": order}
        claim = find(partial(_claim, target, limit), deadline - time.process_time())[0]
        return None if claim is None else (document, {"order": order, "claim": claim})
    return None


def _limit_of_ratio(name: str, tower: Tower, value: Quotient, images: Mapping[int, Quotient], order: int) -> tuple[Tower, Quotient | None]:
    """The limit at infinity."""
    (n, d), (m, e) = (poly.substituted(part, images) for part in value)
    return lower_limit(tower, poly.times(n, e), poly.times(d, m), tower.index_of(name), None, 1, order)


def _claim(free: Tower, value: Quotient, search: DescentSearch, depth: int) -> Document | None:
    return search.claim(free, value, depth, strict=False)
