"""Untrusted: certificates of problems, by a portfolio of changes of variables and the search."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import sympy
from sympy.concrete.gosper import gosper_sum

from dpbounds.descent import brackets, induction
from dpbounds.descent import polynomials as poly
from dpbounds.descent.changes import Row, changed, root_of
from dpbounds.descent.check import Checker
from dpbounds.descent.closed import check_closed
from dpbounds.descent.closing import definition, rows_of
from dpbounds.descent.comparing import comparisons_of
from dpbounds.descent.factorials import has_factorials, with_factorials
from dpbounds.descent.induction import has_sums
from dpbounds.descent.limits import lower_limit
from dpbounds.descent.logarithms import bounded, exponential_of, logarithm_of
from dpbounds.descent.moving_ends import MovingEnd, limit_at_end, moving_end
from dpbounds.descent.parts import parts_at_ends
from dpbounds.descent.polynomials import Quotient
from dpbounds.descent.problem import Problem, check
from dpbounds.descent.ratio import COUNTED, counted, parts_of
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search import DescentSearch, Document, find
from dpbounds.descent.sums import nodes_of
from dpbounds.descent.tower import Tower
from dpbounds.descent.written import row_of

_FIRST = 0.4
"""The share of the time that the statement as written gets, when it can be changed."""
_CLOSED = 0.6
"""The share of the time in which sums and integrals have closed forms, or an induction."""
_CONDITION = 0.2
"""The share of the time for a condition of a comparison."""
_CANCELLED, _ALONG = 0.2, 0.7
"""The shares of the time in which factorials may cancel as they stand, and in which both sides are compared from n to n + 1."""
_MOST_TERMS = 8
"""How many terms of the binomial theorem are tried in the place of a binomial coefficient."""
_MOST_PROPORTIONAL, _ALIKE, _MANY = 6, 1e-9, 3
"""Among how many variables groups are looked for in which both sides are homogeneous, how near to it numbers are, and beyond how many
variables they and the chains of premises come first."""
LimitOf = Callable[[Tower, Quotient, Mapping[int, Quotient], int], tuple[Tower, Quotient | None]]
_PLAIN = (sympy.Add, sympy.Mul, sympy.Pow, sympy.exp, sympy.log)
_MOST_CHAINS = 8
"""How many choices of premises are tried as bounds of variables."""
_HIGHEST_ORDER = 12
"""The order of roots of one variable that become powers of another one."""


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
    if nodes_of(problem):
        return _of_sums(problem, deadline, integers)
    if counted(problem) or has_factorials(problem):
        return _of_factorials(problem, deadline, integers)
    return _of_integers(problem, deadline, integers) if integers & set(problem.box) else _solved(problem, deadline)


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
    until = now + _CLOSED * (deadline - now)
    for way in (_by_closed_forms, _after_changes, _by_moving_end, _by_step, _by_induction, _by_ends):
        if time.process_time() < until and (found := way(problem, until, integers)) is not None:
            return found
    return _by_comparison(problem, deadline, integers)


def _after_changes(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """Closed forms in variables in which a premise is the range of one of them."""
    if not problem.premises or problem.meanings:
        return None
    for rows in (*_overs(problem), _under(problem), _parts(problem), _bounds(problem), _below(problem)):
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
    """An integral to infinity is at most its term at the other end, or that times a multiple of the end."""
    t = sympy.Symbol(moving.variable)
    here = moving.bound.term.xreplace({moving.bound.node.args[1][0]: t})
    for bound in (here, 2 * here, 2 * t * here):
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


def _by_comparison(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """A simpler sum or integral less or more some number in the place of one, and a certificate of what is left."""

    def prove(condition: Problem) -> dict[str, Any] | None:
        now = time.process_time()
        return _solved(condition, now + _CONDITION * (deadline - now)) if now < deadline else None

    for rows in comparisons_of(problem, prove, integers):
        try:
            closed = check_closed(problem, rows, integers)
        except DescentRefused:
            continue
        now = time.process_time()
        then = _found(closed, now + _FIRST * (deadline - now), integers) if now < deadline else None
        if then is not None:
            return {"closed": rows, "then": then}
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


def steps_of(document: Any) -> int:
    """How many steps and claims a certificate has."""
    if isinstance(document, dict):
        return ("step" in document) + ("tower" in document) + sum(steps_of(part) for part in document.values())
    return sum(steps_of(part) for part in document) if isinstance(document, list) else 0


def solve(problem: Problem, seconds: float, before: Sequence[Row] = (), changes: Sequence[Row] = ()) -> Document | None:
    """Search a certificate of a problem within processor seconds.

    Args:
        problem: the problem.
        seconds: of processor time.
        before: changes of variables for all faces.
        changes: changes of variables for the open box.

    >>> from dpbounds.descent.interval import Interval
    >>> from dpbounds.descent.problem import check
    >>> x = sympy.Symbol("x", real=True)
    >>> positive = Problem(sympy.exp(x), 1 + x, False, {"x": Interval()})
    >>> certificate = solve(positive, 10)
    >>> check(positive, certificate)
    """
    for row in before:
        problem = changed(problem, row, before=True)

    def prove(search: DescentSearch, depth: int) -> Document | None:
        parts = []
        for i, fixed in enumerate(problem.faces()):
            here = problem.at(fixed)
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

    return find(prove, seconds, boxes=len(problem.box) == 1)[0]


def _solved(problem: Problem, deadline: float) -> dict[str, Any] | None:
    options = list(options_of(problem))
    for i, (before, rows) in enumerate(options):
        left = deadline - time.process_time()
        if left <= 0:
            return None
        try:
            found = solve(problem, left if i == len(options) - 1 else left * _FIRST, before, rows)
            if found is not None:
                check(problem, found)
                return found
        except DescentRefused:
            continue
    return None


def _by_terms(problem: Problem, deadline: float, integers: frozenset[str]) -> dict[str, Any] | None:
    """C(a, b) ≤ (x + y)^a/(x^b·y^(a − b)) for some x and y: 1, b and a − b, and what has powers in the statement."""
    coefficient = next((f for f in sympy.Mul.make_args(problem.small) if isinstance(f, sympy.binomial)), None)
    if coefficient is None:
        return None
    a, b = coefficient.args
    bases = {e.args[0] for side in (problem.small, problem.large) for e in sympy.Mul.make_args(side) if e.is_Pow and e.free_symbols}
    pairs = [(sympy.S.One, sympy.S.One), (b, a - b), *itertools.permutations(sorted(bases, key=str), 2)]
    for count, (x, y) in enumerate(pairs[:_MOST_TERMS]):
        now = time.process_time()
        try:
            row = [row_of(x), row_of(y)]
            whole = _solved(logarithm_of(bounded(problem, x, y, integers)), now + (deadline - now) / (len(pairs) - count))
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
        for row in _bounds(problem):
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
    found = _limit(start.at({}), deadline, partial(_limit_of_ratio, name))
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
    if not has_sums(problem):
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
    tower, images = Checker().translated(free, document)
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


# --- which changes to try


def options_of(problem: Problem) -> Iterator[tuple[list[Row], list[Row]]]:
    """Changes of variables that are worth trying, for the whole domain and for the open box."""
    if root_of(problem.large) is not None:
        try:
            squared = changed(problem, ["squared"], before=True)
        except DescentRefused:
            squared = None
        if squared is not None:
            yield from (([["squared"], *first], then) for first, then in options_of(squared))
    wide, rows = _sampled(problem)
    if rows:
        yield wide, rows
    many = len(problem.box) > _MANY
    chains = list(_overs(problem))
    if many:
        yield from ((rows, []) for rows in chains)
    if problem.premises:
        yield [["without"]], []
    before: list[Row] = []
    changed_here = problem
    for row in _bounds(problem):
        try:
            changed_here = changed(changed_here, row, before=True)
            before.append(row)
        except DescentRefused:
            break
    roots = _roots(changed_here)
    if roots:
        yield before, roots
        circles = [["circle", *row[1:]] if row[0] == "odds" else row for row in roots]
        if circles != roots:
            yield before, circles
    middle = _middle(changed_here)
    on_a_line = [row for row in middle if changed_here.box[row[1]].low is None]
    if on_a_line:
        yield before, middle
    shares = _proportions(changed_here)
    early = shares if many else []
    if early:
        yield before, early
    yield before, []
    for rows in (
        _logarithms(changed_here),
        _logarithms(changed_here, signed=True),
        _powers(changed_here),
        _shifts(changed_here),
        [] if on_a_line else middle,
        [] if early else shares,
    ):
        if rows:
            yield before, rows
    ordered = [(i, small) for i, (large, small, _) in enumerate(problem.premises) if large.is_Symbol and small.is_Symbol]
    of_shares: list[list[Row]] = [[["share", v.name, i, f"w_{v.name}"]] for i, v in ordered]
    yield from ((rows, []) for rows in (_parts(problem), *of_shares) if rows)
    if before:
        yield [], []
    yield from ((rows, []) for rows in (*([] if many else chains), _under(problem), _below(problem)) if rows)
    if changed_here.premises:
        yield [*before, *(["wide", name, "-oo", "oo"] for name in sorted(changed_here.box))], []


def _bounds(problem: Problem) -> list[Row]:
    """v = b + u for the first premise b ≤ v of each variable."""
    rows: list[Row] = []
    premises = list(problem.premises)
    for large, _, _ in problem.premises:
        name = large.name if isinstance(large, sympy.Symbol) else ""
        if name in problem.box and name not in [row[1] for row in rows]:
            index = next(i for i, p in enumerate(premises) if p[0] == large)
            premises.pop(index)
            rows.append(["above", name, index, f"u_{name}"])
    return rows


def _logarithms(problem: Problem, *, signed: bool = False) -> list[Row]:
    """v = log w for the variables of any size whose exponentials stand there; for those of one sign where they stand beside a logarithm."""
    inside = {s.name for side in (problem.large, problem.small) for e in side.atoms(sympy.exp) for s in e.free_symbols}
    if signed and not (problem.large.has(sympy.log) or problem.small.has(sympy.log) or _has_real_powers(problem)):
        return []
    ends = ((0, None), (None, 0)) if signed else ((None, None),)
    chosen = [name for name, interval in sorted(problem.box.items()) if (interval.low, interval.high) in ends]
    return [["logarithm", name, f"w_{name}"] for name in chosen if name in inside]


def _has_real_powers(problem: Problem) -> bool:
    """Whether a variable stands in an exponent of something other than e."""
    powers = (p for side in (problem.large, problem.small) for p in side.atoms(sympy.Pow))
    return any(p.exp.free_symbols and p.base is not sympy.E for p in powers)


def _powers(problem: Problem) -> list[Row]:
    """v = e^w for the variables v > 0 that stand in a logarithm of logarithms."""
    nested = [e for side in (problem.large, problem.small) for e in side.atoms(sympy.log) if e.args[0].has(sympy.log)]
    inside = {s.name for e in nested for part in e.args[0].atoms(sympy.log) for s in part.free_symbols}
    return [
        ["power", name, f"w_{name}"] for name, own in sorted(problem.box.items()) if name in inside and own.low is not None and own.low >= 0
    ]


def _parts(problem: Problem) -> list[Row]:
    """v = b·w for premises v ≤ b that are linear in a variable v ≥ 0, one after another."""
    rows: list[Row] = []
    while True:
        row = next(_part(problem), None)
        if row is None:
            return rows
        rows.append(row)
        problem = changed(problem, row, before=True)


def _overs(problem: Problem) -> Iterator[list[Row]]:
    """Chains of v = b + u for premises a·(v − b) ≥ 0; of premises on the same variables, such as −c ≤ v − w ≤ c, a chain uses one."""
    alike: dict[frozenset[str], list[Any]] = {}
    for premise in problem.premises:
        alike.setdefault(frozenset(s.name for part in premise[:2] for s in part.free_symbols), []).append(premise)
    groups = [group for _, group in sorted(alike.items(), key=lambda entry: len(entry[0]))]
    choices = [itertools.islice(itertools.product(*order), _MOST_CHAINS) for order in (alike.values(), groups)]
    for chosen in dict.fromkeys(itertools.chain(*choices)):
        here, rows = problem, []
        for premise in chosen:
            row = next(_over(here, premise, problem.premises), None)
            if row is not None:
                rows.append(row)
                here = changed(here, row, before=True)
        if rows:
            yield rows


def _over(problem: Problem, premise: Any, others: Sequence[Any]) -> Iterator[Row]:
    """v = b + u for one premise, with a variable of which few others speak."""
    speak = [{s.name for part in other[:2] for s in part.free_symbols} for other in others]
    gap = sympy.expand(premise[0] - premise[1])
    for v in sorted(gap.free_symbols, key=lambda s: (sum(s.name in names for names in speak), s.name)):
        a = sympy.factor(gap.coeff(v))
        if gap.coeff(v, 2) != 0 or a == 0 or a.has(v):
            continue
        try:
            row = ["over", v.name, problem.premises.index(premise), f"u_{v.name}", row_of(a), row_of(sympy.cancel(v - gap / a))]
            changed(problem, row, before=True)
        except DescentRefused:
            continue
        yield row


def _below(problem: Problem) -> list[Row]:
    """v = b − u for the first premise v ≤ b of each variable without a lower end."""
    rows: list[Row] = []
    premises = list(problem.premises)
    for premise in problem.premises:
        name = premise[1].name if isinstance(premise[1], sympy.Symbol) else ""
        if name in problem.box and problem.box[name].low is None and name not in [row[1] for row in rows]:
            rows.append(["below", name, premises.index(premise), f"u_{name}"])
            premises.remove(premise)
            try:
                problem = changed(problem, rows[-1], before=True)
            except DescentRefused:
                return rows[:-1]
    return rows


def _under(problem: Problem) -> list[Row]:
    """v = b·w for premises a·(b − v) ≥ 0, where b is a quotient."""
    for index, (large, small, _) in enumerate(problem.premises):
        gap = sympy.expand(large - small)
        for v in sorted(gap.free_symbols, key=lambda s: s.name):
            a = sympy.factor(-gap.coeff(v))
            if gap.coeff(v, 2) != 0 or a == 0 or a.has(v):
                continue
            bound = sympy.cancel(v + gap / a)
            if a.is_number and bound.is_polynomial():
                continue
            try:
                row = ["under", v.name, index, f"w_{v.name}", row_of(a), row_of(bound)]
                changed(problem, row, before=True)
            except DescentRefused:
                continue
            return [row]
    return []


def _part(problem: Problem) -> Iterator[Row]:
    for index, (large, small, _) in enumerate(problem.premises):
        gap = sympy.expand(large - small)
        ranges = ((problem.box.get(v.name), v) for v in sorted(gap.free_symbols, key=lambda s: s.name))
        # A lower end above 0 would be dropped.
        for own, v in sorted(ranges, key=lambda pair: bool(pair[0] is not None and pair[0].low)):
            if own is None or own.low is None or own.low < 0 or gap.coeff(v) != -1 or len(gap.free_symbols) < 2:
                continue
            try:
                row = ["within", v.name, index, f"w_{v.name}", row_of(gap + v)]
                changed(problem, row, before=True)
            except DescentRefused:
                continue
            yield row


def _middle(problem: Problem) -> list[Row]:
    """The mean and the distance of two variables, where a side speaks of the mean."""
    for v, w in itertools.combinations(sorted(problem.box), 2):
        row = ["middle", v, w, f"m_{v}_{w}", f"t_{v}_{w}"]
        sums = [e for side in (problem.large, problem.small) for e in side.atoms(sympy.Add)]
        if not any({s.name for s in e.free_symbols} >= {v, w} and _alike(e, v, w) for e in sums):
            continue
        try:
            changed(problem, row, before=False)
        except DescentRefused:
            continue
        return [row]
    return []


def _alike(e: sympy.Expr, v: str, w: str) -> bool:
    """Whether a sum has two variables with one coefficient."""
    first, second = (e.coeff(next(s for s in e.free_symbols if s.name == name)) for name in (v, w))
    return bool(first != 0 and first == second)


def _shifts(problem: Problem) -> list[Row]:
    """v = u + w for all variables of any size but the first: sums of exponentials lose a factor."""
    free = [name for name, interval in sorted(problem.box.items()) if interval.low is None and interval.high is None]
    return [["shifted", name, free[0], f"w_{name}"] for name in free[1:]]


def _sampled(problem: Problem) -> tuple[list[Row], list[Row]]:
    """q = (e^v − 1)/(e^(v + t) − 1) for the rate q at which a loss v + t is one of v, where its logarithm stands; for all v and q."""
    for node in sorted((e for side in (problem.large, problem.small) for e in side.atoms(sympy.log)), key=str):
        for v, q in itertools.permutations(sorted(node.free_symbols, key=str), 2):
            if sympy.expand(sympy.cancel(node.args[0] * q) - (sympy.exp(v) - 1 + q)) == 0:
                return [["wide", v.name, "0", "oo"], ["wide", q.name, "0", "1"]], [["sampled", q.name, v.name, f"t_{q.name}"]]
    return [], []


def _proportions(problem: Problem) -> list[Row]:
    """v = u·w for positive variables u and v with which both sides grow in proportion, as far as numbers show."""
    rows: list[Row] = []
    waiting = [name for name, own in sorted(problem.box.items()) if own.low == 0 and own.high is None]
    # Only what sympy evaluates at once: numerical integration may never end.
    plain = all(e.is_Atom or isinstance(e, _PLAIN) for side in (problem.large, problem.small) for e in sympy.preorder_traversal(side))
    if len(waiting) > _MOST_PROPORTIONAL or not plain:
        return []
    point = {name: 0.37 + 0.21 * i + (own.low or 0) for i, (name, own) in enumerate(sorted(problem.box.items()))}
    size = 2
    while size <= len(waiting):
        group = next((g for g in itertools.combinations(waiting, size) if _in_proportion(problem, point, g)), None)
        if group is None:
            size += 1
            continue
        rows += [["scaled", name, group[0], f"w_{name}"] for name in group[1:]]
        waiting = [name for name in waiting if name not in group]
    return rows


def _in_proportion(problem: Problem, point: Mapping[str, float], group: Sequence[str]) -> bool:
    """Whether both sides are multiplied by one number when some variables are doubled."""

    def sides(at: Mapping[str, float]) -> list[complex]:
        values = {s: sympy.Float(float(at[s.name])) for s in problem.large.free_symbols | problem.small.free_symbols}
        return [complex(side.xreplace(values)) for side in (problem.large, problem.small)]

    try:
        (a, b), (c, d) = sides(point), sides({name: value * (1 + (name in group)) for name, value in point.items()})
        return bool(abs(a * d - b * c) <= _ALIKE * abs(a * d)) and bool(a or b)
    except (TypeError, ValueError, OverflowError, KeyError):
        return False


def _roots(problem: Problem) -> list[Row]:
    """v = c·exp(−w²) where the root of log(c/v) stands, v = w² where the root of v times something stands."""
    rows: list[Row] = []
    whole = sympy.Tuple(problem.large, problem.small)
    powers = [p for p in whole.atoms(sympy.Pow) if isinstance(p.exp, sympy.Rational) and p.exp.q == 2]
    for name in sorted(problem.box):
        interval = problem.box[name]
        inside = [p for p in powers if any(s.name == name for s in p.free_symbols)]
        if interval.low is None or interval.low < 0:
            continue
        orders = {p.exp.q for p in whole.atoms(sympy.Pow) if p.base.is_Symbol and p.base.name == name and isinstance(p.exp, sympy.Rational)}
        if (order := math.lcm(*map(int, orders))) > 2 and order <= _HIGHEST_ORDER:
            ends = _root_down(interval.low, order), None if interval.high is None else _root_up(interval.high, order)
            rows.append(["rooted", name, f"w_{name}", order, str(ends[0]), "oo" if ends[1] is None else str(ends[1])])
            continue
        if not inside:
            continue
        v = next(s for p in inside for s in p.free_symbols if s.name == name)
        log = next((log for p in inside for log in p.base.atoms(sympy.log) if log.has(v)), None)
        if log is not None:
            c = sympy.cancel(log.args[0] * v)
            if isinstance(c, sympy.Rational) and interval.high is not None and interval.high <= Fraction(int(c.p), int(c.q)):
                top = Fraction(int(c.p), int(c.q))
                low = _root_down(brackets.logarithm(top / interval.high)[0]) if interval.high < top else Fraction(0)
                high = _root_up(brackets.logarithm(top / interval.low)[1]) if interval.low else None
                rows.append(["exponential", name, f"w_{name}", str(c), str(low), "oo" if high is None else str(high)])
            continue
        holds = [not (sympy.cancel(p.base / part).has(v) and sympy.cancel(p.base * part).has(v)) for part in (v, 1 - v) for p in inside]
        if all((any(holds[: len(inside)]), any(holds[len(inside) :]))) and interval.high is not None and interval.high <= 1:
            rows.append(["odds", name, f"w_{name}"])
        elif any(holds[: len(inside)]):
            low, high = interval.low, interval.high
            rows.append(["square", name, f"w_{name}", str(_root_down(low)), "oo" if high is None else str(_root_up(high))])
    return rows


def _root_down(value: Fraction, order: int = 2) -> Fraction:
    if value <= 0:
        return Fraction(0)
    exact = Fraction(int(sympy.integer_nthroot(value.numerator, order)[0]), int(sympy.integer_nthroot(value.denominator, order)[0]))
    return exact if exact**order == value else Fraction(int(brackets.root(value, order)[0] * 64), 64)


def _root_up(value: Fraction, order: int = 2) -> Fraction:
    low = _root_down(value, order)
    return low if low**order == value else low + Fraction(1, 64)
