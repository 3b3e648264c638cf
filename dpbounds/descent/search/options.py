"""Untrusted: changes of variables that are worth trying on a problem."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.descent import brackets
from dpbounds.descent.changes import Row, changed, root_of
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.written import row_of

_MOST_PROPORTIONAL, _ALIKE, _MANY = 6, 1e-9, 3
"""Among how many variables groups are looked for in which both sides are homogeneous, how near to it numbers are, and beyond how many
variables they and the chains of premises come first."""
_PLAIN = (sympy.Add, sympy.Mul, sympy.Pow, sympy.exp, sympy.log)
_MOST_CHAINS = 8
"""How many choices of premises are tried as bounds of variables."""
_MOST_SQUARES = 4
"""How many chains of premises in squares are tried."""
_HIGHEST_ORDER = 12
"""The order of roots of one variable that become powers of another one."""


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
    chains = list(over_chains(problem))
    if many:
        yield from ((rows, []) for rows in chains)
    if problem.premises:
        yield [["without"]], []
    yield from ((rows, []) for rows in _in_squares(problem))
    before: list[Row] = []
    changed_here = problem
    for row in above_rows(problem):
        try:
            changed_here = changed(changed_here, row, before=True)
            before.append(row)
        except DescentRefused:
            break
    if before and changed_here.premises and _are_equations(problem):
        alone = changed(changed_here, ["without"], before=True)  # v ≥ b alone, where v = b: what falls in v needs no more
        yield [*before, ["without"]], _roots(alone)
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
        [] if on_a_line else middle,
        [] if early else shares,
    ):
        if rows:
            yield before, rows
    yield from ((rows, []) for rows in within_chains(problem) if rows)
    if before:
        yield [], []
    if caps := _caps(problem):
        yield caps, []
    yield from ((rows, []) for rows in (*([] if many else chains), under_rows(problem), below_rows(problem)) if rows)
    if changed_here.premises:
        yield [*before, *(["wide", name, "-oo", "oo"] for name in sorted(changed_here.box))], []


def _are_equations(problem: Problem) -> bool:
    """Whether each premise a ≥ b stands beside b ≥ a."""
    sides = {premise[:2] for premise in problem.premises}
    return all((small, large) in sides for large, small in sides)


def _caps(problem: Problem) -> list[Row]:
    """Without the upper ends that are no more than caps, such as α ≤ 50; 0 and 1 rarely are."""
    ends = {name: own for name, own in sorted(problem.box.items()) if own.high not in (None, own.low, 0, 1)}
    return [["wide", name, "-oo" if own.low is None else str(own.low), "oo"] for name, own in ends.items()]


def _in_squares(problem: Problem) -> Iterator[list[Row]]:
    """v = √w for the variables of which premises have even powers alone, and then chains of bounds by premises."""
    rows: list[Row] = []
    for name, own in sorted(problem.box.items()):
        if own.low is None or own.low < 0:
            continue
        gaps = [sympy.expand(large - small) for large, small, _ in problem.premises]
        inside = [(gap, v) for gap in gaps for v in gap.free_symbols if v.name == name]
        if inside and all(gap.is_polynomial(v) and not any(e % 2 for (e,) in sympy.Poly(gap, v).monoms()) for gap, v in inside):
            rows.append(["root", name, f"s_{name}"])
    if not rows:
        return
    here = problem
    for row in rows:
        here = changed(here, row, before=True)
    chains = itertools.chain(over_chains(here), within_chains(here), [under_rows(here)])
    yield from ([*rows, *chain] for chain in itertools.islice((chain for chain in chains if chain), _MOST_SQUARES))


def above_rows(problem: Problem) -> list[Row]:
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


def within_chains(problem: Problem) -> Iterator[list[Row]]:
    """v = b·w for premises v ≤ b that are linear in a variable v ≥ 0, one after another; each choice of the first variable."""
    for first in list(_part(problem)):
        here, rows = changed(problem, first, before=True), [first]
        while (row := next(_part(here), None)) is not None:
            here, rows = changed(here, row, before=True), [*rows, row]
        yield rows


def over_chains(problem: Problem) -> Iterator[list[Row]]:
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


def below_rows(problem: Problem) -> list[Row]:
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


def under_rows(problem: Problem) -> list[Row]:
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
    whole = sympy.Tuple(problem.large, problem.small, *problem.meanings.values())
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
