"""Untrusted: a claim as inequalities on boxes, for the search of descents; all of them together say what the claim says, that it is
defined included.

Each relation of the conclusion, in each of its cases (`Abs`, `Max`, `Min`, `Piecewise`), is a problem; so is each condition of a privacy
quantity, whose closed form is put in its place. Integer variables are treated as real ones from their least value on: what holds for
all reals holds for the integers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy
from sympy.core.relational import Relational

from dpbounds.claims.boxes.cases import CASED, branches_of
from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.descent import polynomials as poly
from dpbounds.descent.interval import Interval
from dpbounds.descent.point import extrema_of, over_range
from dpbounds.descent.problem import Problem
from dpbounds.descent.ratio import counted
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import DescentRefused, need
from dpbounds.descent.tower import Tower
from dpbounds.language import functions
from dpbounds.language.definedness import conditions_of_node, limits_of
from dpbounds.language.substitution import parts_of_and

_MOST_CASES = 256
_BY_INTEGRALS = (functions.Divergence, functions.SampledGaussianMoment, functions.SampledGaussianRenyi)
"""Quantities that are read as the sums and integrals that define them."""


def problems_of(claim: Claim, *, named: bool = False) -> list[Problem]:
    """The problems that together are the claim.

    Args:
        claim: the claim.
        named: whether p = Φ(w) also where the quantile of p is a whole side.

    Raises:
        Refused: the claim is not a conjunction of inequalities over real variables, or speaks of what towers do not hold.
    """
    need(not claim.families, "a family has no tower")
    domain = Domain.of_claim(claim)
    box, premises = _box(domain)
    found: list[Problem] = []
    statement, inner, known = _without_quantiles(claim.then, box, premises, named=named)
    for relation in _relations(statement):
        for large, small, strict in _sides(relation):
            for part in _without_extrema(Problem(large, small, strict, inner, known)):
                for rounded in without_roundings(part):
                    found += _cases(rounded)
    for condition in dict.fromkeys(_conditions(claim.then)):
        need(isinstance(condition, Relational), "a condition that is no inequality")
        found += [Problem(large, small, strict, box, premises) for large, small, strict in _sides(condition)]
    for part in dict.fromkeys(_counts(claim.then)):
        found += _cases(Problem(part, sympy.S.Zero, False, box, premises))
    for argument in dict.fromkeys(_arguments(claim.then)):
        found += _cases(Problem(argument, argument, False, box, premises))
    for density, over, strict in dict.fromkeys(_densities(claim.then)):
        found += _cases(_nowhere_negative(density, over, box, premises, strict=strict))
    return found


def _relations(statement: Any) -> Iterator[Any]:
    for part in parts_of_and(statement):
        need(isinstance(part, Relational), "a conclusion that is no inequality")
        yield part


def _sides(relation: Any) -> list[tuple[Any, Any, bool]]:
    """(large, small, strict); an equation is two inequalities."""
    if isinstance(relation, (sympy.Ge, sympy.Gt, sympy.Le, sympy.Lt)):
        return [(relation.gts, relation.lts, isinstance(relation, (sympy.Gt, sympy.Lt)))]
    if isinstance(relation, sympy.Eq):
        return [(relation.lhs, relation.rhs, False), (relation.rhs, relation.lhs, False)]
    raise DescentRefused(f"{type(relation).__name__} is no inequality")


def _without_quantiles(
    statement: Any, box: dict[str, Interval], premises: tuple[tuple[Any, Any, bool], ...], *, named: bool
) -> tuple[Any, dict[str, Interval], tuple[tuple[Any, Any, bool], ...]]:
    """p = Φ(w) for a variable p in (0, 1) whose quantile occurs: w is any number, and the ends of p that are others are premises.

    The quantile of 1 − p is −w. Quantiles in premises count too, where p lies in (0, 1) by its range: a premise may hold at 0 or 1, where
    its quantile has no value, as a case or a term that is not there.

    A quantile that is a whole side is left to `_without_extrema`, which needs no new variable, or named as well.
    """
    inner = [side for r in _relations(statement) for side in r.args if named or _of_quantile(side) is None]
    found = {node.args[0] for side in inner for node in side.atoms(functions.NormalQuantile)}
    unit, half = (Fraction(0), Fraction(1)), Fraction(1, 2)
    known = {
        arg for premise in premises for side in premise[:2] for node in side.atoms(functions.NormalQuantile) for arg in (node.args[0],)
    }
    found |= {s for arg in known for s in arg.free_symbols if arg in (s, 1 - s) and s.name in box and _is_inside(box[s.name], *unit)}
    found |= {1 - arg for arg in found}
    for p in sorted((arg for arg in found if arg.is_Symbol), key=str):
        own, w = box[p.name], sympy.Symbol(f"quantile_{p.name}", real=True)
        need(w.name not in box and own.low is not None and own.high is not None, "a quantile outside of (0, 1)")
        assert own.low is not None and own.high is not None
        need(unit[0] <= own.low and own.high <= unit[1], "a quantile outside of (0, 1)")
        values = {functions.NormalQuantile(p): w, functions.NormalQuantile(1 - p): -w, p: functions.NormalCDF(w)}
        ends = [(p, sympy.Rational(own.low), not own.low_closed)] * (own.low > 0) + [(sympy.Rational(own.high), p, not own.high_closed)] * (
            own.high < 1
        )
        statement = functions.with_replaced(statement, values)
        premises = tuple(
            (functions.with_replaced(large, values), functions.with_replaced(small, values), strict)
            for large, small, strict in (*premises, *ends)
        )
        # w ≥ 0 where p ≥ 1/2, and w ≤ 0 where p ≤ 1/2.
        above, below = own.low >= half, own.high <= half
        sign = Interval(
            Fraction(0) if above else None,
            Fraction(0) if below else None,
            above and (own.low > half or own.low_closed),
            below and (own.high < half or own.high_closed),
        )
        box = {**{name: interval for name, interval in box.items() if name != p.name}, w.name: sign}
    return statement, box, premises


def _is_inside(own: Interval, low: Fraction, high: Fraction) -> bool:
    """Whether all numbers of a range lie between two, which are none of them."""
    above = own.low is not None and (own.low > low or own.low == low and not own.low_closed)
    return above and own.high is not None and (own.high < high or own.high == high and not own.high_closed)


def _of_quantile(side: Any) -> tuple[Any, Any] | None:
    """k and p of a side k·Φ⁻¹(p) with a rational number k ≠ 0."""
    factor, node = side.args if isinstance(side, sympy.Mul) and len(side.args) == 2 else (sympy.S.One, side)
    return (factor, node.args[0]) if isinstance(node, functions.NormalQuantile) and factor.is_Rational and factor != 0 else None


def _cdf_of_multiple(side: Any, factor: Any) -> Any:
    """Φ(side/factor); of a quantile of p in (0, 1), a condition of the quantity, p itself, and 1 − p of minus it."""
    ratio, p = _of_quantile(side) or (sympy.S.Zero, None)
    if p is not None and abs(ratio) == abs(factor):
        return p if ratio == factor else sympy.Add(1, sympy.Mul(-1, p, evaluate=False), evaluate=False)
    return functions.NormalCDF(sympy.Mul(1 / factor, side, evaluate=False) if factor != 1 else side)


def _without_extrema(problem: Problem) -> Iterator[Problem]:
    """sup f ≤ c is f ≤ c for every t of a range that is not empty, and inf f ≥ c likewise; kΦ⁻¹(p) ≤ c is p ≤ Φ(c/k) for 0 < p < 1, k > 0.

    Where c/k is a quantile, Φ(c/k) is what it is a quantile of. That the range is not empty is a problem of its own; that 0 < p < 1, a
    condition of the quantity. inf f ≤ c and sup f ≥ c are left as they are, for `descent.point`; that f has a value at every t is a problem
    of its own.
    """
    large, small = problem.large, problem.small
    for side, other in ((small, large), (large, small)):
        if (found := _of_quantile(side)) is not None:
            factor, p = found
            value = _cdf_of_multiple(other, factor)
            below = (side is small) == (factor > 0)  # whether p ≤ Φ(other/factor)
            sides = {"large": value, "small": p} if below else {"large": p, "small": value}
            yield from _without_extrema(replace(problem, **sides))
            return
    node = small if isinstance(small, functions.Supremum) else large if isinstance(large, functions.Infimum) else None
    if node is None or problem.strict:
        for attained in extrema_of(problem):  # one value of f is enough, but f needs a value at every t
            f = attained.args[0]
            yield over_range(replace(problem, large=f, small=f, strict=False), attained)
        yield problem
        return
    _, low, high = node.args[1]
    finite = [end for end, open_end in ((low, sympy.S.NegativeInfinity), (high, sympy.oo)) if end is not open_end]
    if len(finite) == 2:
        yield replace(problem, large=finite[1], small=finite[0], strict=True)
    else:  # the range is not empty if its end is a number; a certificate may do without the premise that speaks of it
        yield from (replace(problem, large=end, small=end) for end in finite if not _is_plain(end))
    sides = {"small": node.args[0]} if node is small else {"large": node.args[0]}
    yield from _without_extrema(over_range(replace(problem, **sides), node))


def without_roundings(problem: Problem) -> Iterator[Problem]:
    """A real variable w in the place of each floor and ceiling: z − 1 < w ≤ z for ⌊z⌋, and z ≤ w < z + 1 for ⌈z⌉.

    What holds for every such w holds for the integer. That each z has a value is a problem of its own, as a certificate may do without the
    premises that speak of it. A rounding that speaks of the variable of a sum or an integral stays, and has no tower.
    """
    box, premises, large, small = dict(problem.box), list(problem.premises), problem.large, problem.small
    shown: list[Problem] = []
    while (node := _rounding_in(large, small, *(side for premise in premises for side in premise[:2]))) is not None:
        (z,) = node.args
        need({s.name for s in node.free_symbols} <= set(box), "a rounding that depends on the variable of a sum or an integral")
        w = sympy.Symbol(f"rounded_{len(shown)}", real=True)
        need(w.name not in box, "a name that is taken")
        shown.append(replace(problem, large=z, small=z, strict=False, box=dict(box), premises=tuple(premises)))
        other = sympy.Add(z, -1 if isinstance(node, sympy.floor) else 1, evaluate=False)
        low, high = (other, z) if isinstance(node, sympy.floor) else (z, other)
        box[w.name] = Interval(*_whole_low(z, box))
        large, small = (functions.with_replaced(side, {node: w}) for side in (large, small))
        premises = [(*(functions.with_replaced(side, {node: w}) for side in premise[:2]), premise[2]) for premise in premises]
        premises += [(w, low, low is other), (high, w, high is other)]
    yield from shown
    yield replace(problem, large=large, small=small, box=box, premises=tuple(premises))


def _whole_low(z: Any, box: Mapping[str, Interval]) -> tuple[Fraction | None, Fraction | None, bool]:
    """The ends of ⌊z⌋ and ⌈z⌉, where z ≥ 1 or z ≥ 0 by a sign test: no whole number lies between. By continuity also at closed ends."""
    tower = Tower()
    try:
        n, d = TowerReader(tower, {name: (own.low, own.high) for name, own in box.items()}, {}).read(z)
    except DescentRefused:
        return None, None, False
    defined = all(g.kind == "variable" for g in tower.generators) and tower.sign(d) == 1
    least = (k for k in (1, 0) if defined and tower.weak_sign(poly.minus(n, poly.scaled(d, k))) in (0, 1))
    low = next(least, None)
    return (None, None, False) if low is None else (Fraction(low), None, True)


def _rounding_in(*expressions: Any) -> Any:
    """A floor or a ceiling of something without others: those are named first."""
    nodes = itertools.chain.from_iterable(map(sympy.preorder_traversal, expressions))
    kinds = (sympy.floor, sympy.ceiling)
    return next((node for node in nodes if isinstance(node, kinds) and not node.args[0].has(*kinds)), None)


def _is_plain(end: Any) -> bool:
    """Whether it is a number in digits or a variable, which have a value wherever they stand."""
    return bool(end.is_Rational or end.is_Symbol)


def _conditions(statement: Any) -> Iterator[Any]:
    """What the quantities of a statement need besides what their closed forms show: σ > 0, α > 1; and that a bound variable has the sign
    that it assumes all over its range. A claim has decided those of ranges between numbers."""
    for node in sympy.preorder_traversal(statement):
        if isinstance(node, functions.PrivacyQuantity):
            bound = set(getattr(node, "bound_symbols", ()))
            yield from (c for c in map(sympy.sympify, node.conditions()) if c is not sympy.true and not bound & c.free_symbols)
        elif isinstance(node, (sympy.Sum, sympy.Integral)):
            yield from (c for c in conditions_of_node(type(node), node.args) if c is sympy.false or c.free_symbols)


def _counts(statement: Any) -> Iterator[Any]:
    """What must be ≥ 0 in factorials and binomial coefficients. A tower shows that it is > −1, which says the same of whole numbers."""
    for node in sympy.preorder_traversal(statement):
        if isinstance(node, sympy.factorial) or isinstance(node, sympy.binomial) and not node.args[1].is_Integer:
            yield from (part for part in node.args if not part.is_integer and not part.is_nonnegative)


def _arguments(statement: Any) -> Iterator[Any]:
    """What the quantities of a statement speak of besides laws: it must have a value, though a closed form may not speak of it."""
    for node in sympy.preorder_traversal(statement):
        if _has_form(node) and not isinstance(node, functions.Extremum):
            plain = [part for part in _spoken_of(node) if isinstance(part, sympy.Expr)]
            need(not any(part.is_infinite for part in plain), "a quantity at infinity")
            yield from (part for part in plain if part.args)


def _spoken_of(quantity: Any) -> tuple[Any, ...]:
    """The arguments of a quantity; of a divergence its order, and the entries of its tables."""
    if not isinstance(quantity, functions.Divergence):
        return tuple(quantity.args)
    entries = (part for pair in quantity.terms for part in pair) if quantity.is_table else ()
    return quantity.args[0], *entries


def _densities(statement: Any) -> Iterator[tuple[Any, Any, bool]]:
    """The densities of divergences, with the range of their variable, and whether they must be positive there.

    Where the definition divides by q, sympy may have cancelled what is 0 in p and in q.
    """
    for node in sympy.preorder_traversal(statement):
        if isinstance(node, functions.Divergence) and not node.is_table:
            p, q, over = node.args[1:]
            yield from ((p, over, False), (q, over, node.divides))


def _nowhere_negative(density: Any, over: Any, box: Mapping[str, Interval], premises: Iterable[Any], *, strict: bool) -> Problem:
    """A divergence has a value for measures only. What is ≥ 0 for all real values of the variable is for all integers."""
    v, low, high = over
    need(v.name not in box, "a bound variable has the name of another one")
    ends, known = {**box, v.name: Interval()}, list(premises)
    for large, small in ((v, low), (high, v)):
        if not (large.is_infinite or small.is_infinite):
            _narrow(ends, known, large, small, strict=False)
    return Problem(density, sympy.S.Zero, strict, ends, tuple(known))


def _cases(problem: Problem) -> Iterable[Problem]:
    """Each case of a problem, with its premises.

    What stands for a node (the closed form of a quantity, a branch) is read in its place; sympy rebuilds nothing, so that nothing
    cancels which may be undefined. Each argument of a Max is a branch, so that all of them are shown to be defined.
    """
    forms: dict[sympy.Basic, sympy.Basic] = {}
    nodes: dict[sympy.Basic, None] = {}
    waiting: list[Any] = [side for side in (problem.large, problem.small) if side not in extrema_of(problem)]
    while waiting:
        for node in _parts_of(waiting.pop()):
            if _has_form(node) and node not in forms:
                forms[node] = _form_of(node)
                waiting.append(forms[node])
            elif isinstance(node, CASED):
                need({s.name for s in node.free_symbols} <= set(problem.box), "a case that depends on the variable of a sum or an integral")
                nodes[node] = None
            if isinstance(node, sympy.Piecewise):
                plain = all(_is_defined(side) for branch in node.args for side in getattr(branch.cond, "args", ()))
                need(plain and node.args[-1].cond is sympy.true, "a Piecewise whose conditions may be undefined")
    options = [list(branches_of(node)) for node in nodes]
    need(math.prod(map(len, options)) <= _MOST_CASES, "too many cases")
    for chosen in itertools.product(*options):
        if _is_border(nodes, chosen):
            continue
        meanings = {node: branch for node, (branch, _) in zip(nodes, chosen, strict=True)}
        conditions = [c for _, known in chosen for c in known if isinstance(c, Relational) and not isinstance(c, sympy.Ne)]
        box, premises = dict(problem.box), list(problem.premises)
        for large, small, strict in (side for condition in conditions for side in _sides(condition)):
            sides = (functions.with_replaced(side, meanings) for side in (large, small))  # a node in a condition is its branch, too
            _narrow(box, premises, *_without_logarithms(problem, *sides), strict=strict)
        if any(_is_empty(interval) for interval in box.values()):
            continue
        case = replace(problem, box=box, premises=tuple(premises), nodes={**forms, **meanings})
        yield _written_out(case) if counted(case) else case


def _written_out(case: Problem) -> Problem:
    """With what stands for a node in its place: a ratio of factorials and its logarithm are made of the sides themselves."""
    sides = [case.large, case.small]
    while any(side.has(*case.nodes) for side in sides):
        sides = [functions.with_replaced(side, case.nodes) for side in sides]
    return replace(case, large=sides[0], small=sides[1], nodes={})


def _is_defined(side: Any) -> bool:
    """Whether an expression has a value everywhere: made of polynomials and exponentials by sums and products."""
    if side.is_polynomial():
        return True
    return isinstance(side, (sympy.Add, sympy.Mul, sympy.exp)) and all(map(_is_defined, side.args))


def _parts_of(expression: Any, bound: frozenset[Any] = frozenset()) -> Iterator[Any]:
    """The parts of an expression that speak of no variable of a sum or an integral around them; of a quantity, its form is read instead."""
    if not bound or not bound & expression.free_symbols:
        yield expression
        if _has_form(expression):
            return
    inner = bound | {limit[0] for limit in limits_of(expression)}
    for part in expression.args:
        yield from _parts_of(part, inner)


def _has_form(node: Any) -> bool:
    return isinstance(node, functions.PrivacyQuantity) and not isinstance(node, functions.NormalCDF)


def _form_of(quantity: Any) -> Any:
    """The closed form of a quantity, or the integral that defines it."""
    form = functions.expand_quantities(quantity)
    if form == quantity and isinstance(quantity, _BY_INTEGRALS):
        form = quantity.definition()
    need(form != quantity, "a quantity without a closed form")
    return form


def _without_logarithms(problem: Problem, large: Any, small: Any) -> tuple[Any, Any]:
    """The sides of a polynomial inequality that says the same as log a ≥ log b, where a, b are quotients of polynomials; or these sides.

    a > 0 and b > 0 is shown on the box, and no variable in them has a closed end, so that both logarithms have a value on the whole domain:
    a case in which one of them is not read leaves nothing out. a = n/d and b = m/e have a ≥ b where n·e − m·d has the sign of d·e, which is
    positive. A logarithm with a base may fall, and is left as it is.
    """
    if not all(isinstance(side, sympy.log) and len(side.args) == 1 for side in (large, small)) or problem.meanings:
        return large, small
    tower = Tower()
    reader = TowerReader(tower, problem.ranges, {})
    try:
        (n, d), (m, e) = (reader.read(side.args[0]) for side in (large, small))
    except DescentRefused:
        return large, small
    names = [g.name for g in tower.generators]
    if any(g.kind != "variable" or problem.box[g.name].low_closed or problem.box[g.name].high_closed for g in tower.generators):
        return large, small
    if any(tower.sign(part) != 1 for part in (n, d, m, e)) or not all(map(tower.sign, tower.divisors)):
        return large, small
    gap = poly.minus(poly.times(n, e), poly.times(m, d))
    parts = [(Fraction(c), sympy.Mul(*(sympy.Symbol(names[i]) ** power for i, power in enumerate(powers)))) for powers, c in gap.items()]
    if len(parts) == 2 and parts[0][0] == -parts[1][0]:
        up, down = parts if parts[0][0] > 0 else parts[::-1]
        return up[1], down[1]
    return sympy.Add(*(sympy.Rational(c) * part for c, part in parts)), sympy.S.Zero


def _is_border(nodes: Iterable[Any], chosen: Iterable[tuple[Any, Any]]) -> bool:
    """Whether a case says both g ≥ 0 and g ≤ 0, of two nodes with two branches each (Abs; Max and Min of two).

    A point of such a case has g = 0. It also lies in the case that differs by taking g ≥ 0 for all nodes with that g, where every node has
    the same value; that case is among the others, and this one may be left out. A Piecewise may jump at g = 0, so it does not count.
    """
    seen: set[Any] = set()
    for node, (_, conditions) in zip(nodes, chosen, strict=True):
        if isinstance(node, sympy.Piecewise) or len(conditions) != 1 or not isinstance(conditions[0], (sympy.Ge, sympy.Le)):
            continue
        ((large, small, _),) = _sides(conditions[0])
        g = _difference(large, small)
        if g is None:
            continue
        if sympy.expand(-g) in seen and g != 0:
            return True
        seen.add(g)
    return False


def _difference(large: Any, small: Any) -> Any:
    """A polynomial with the sign of large − small; exp grows, so e^a − e^b has the sign of a − b."""
    g = large - small if small != 0 else large
    if isinstance(g, sympy.Add) and len(g.args) == 2:
        first, second = (part.as_coeff_Mul() for part in g.args)
        if first[0] == -second[0] and all(isinstance(part[1], sympy.exp) for part in (first, second)):
            up, down = (first, second) if first[0] > 0 else (second, first)
            g = up[1].args[0] - down[1].args[0]
    return sympy.expand(g) if g.is_polynomial() else None


def _box(domain: Domain) -> tuple[dict[str, Interval], tuple[tuple[Any, Any, bool], ...]]:
    """The range of each variable, and the premises that are no ranges; other premises are left out, which only makes a claim harder."""
    ends: dict[str, Interval] = {v.name: Interval() for v in domain.variables}
    premises: list[tuple[Any, Any, bool]] = []
    for constraint in domain.constraints:
        if not isinstance(constraint, Relational) or isinstance(constraint, sympy.Ne):
            continue
        for large, small, strict in _sides(constraint):
            for part in _without_corners(large, small):
                _narrow(ends, premises, *part, strict=strict)
    for v in domain.variables:
        if v.is_integer:
            ends[v.name] = _whole(ends[v.name])
    _carry(ends, premises)
    return ends, tuple(premises)


def _without_corners(large: Any, small: Any) -> Iterator[tuple[Any, Any]]:
    """What |z| ≤ c, max(a, b) ≤ c and c ≤ min(a, b) say of each part."""
    if isinstance(small, (sympy.Abs, sympy.Max)):
        (z, *others) = small.args
        parts = (z, *others) if isinstance(small, sympy.Max) else (z, sympy.Mul(-1, z))
        for part in parts:
            yield from _without_corners(large, part)
    elif isinstance(large, sympy.Min):
        for part in large.args:
            yield from _without_corners(part, small)
    else:
        yield large, small


def _carry(ends: dict[str, Interval], premises: Iterable[tuple[Any, Any, bool]]) -> None:
    """u ≤ v: u has no larger end than v, and v no smaller one than u."""
    ordered = [(large.name, small.name, strict) for large, small, strict in premises if large.is_Symbol and small.is_Symbol]
    for _ in ordered:
        for large, small, strict in ordered:
            high, low = ends[large].high, ends[small].low
            if high is not None:
                _lower(ends, small, high, closed=ends[large].high_closed and not strict)
            if low is not None:
                _raise(ends, large, low, closed=ends[small].low_closed and not strict)


def _narrow(ends: dict[str, Interval], premises: list[tuple[Any, Any, bool]], large: Any, small: Any, *, strict: bool) -> None:
    """A premise that is an end of a range narrows it; another one is kept."""
    if isinstance(large, sympy.Symbol) and isinstance(small, sympy.Rational):
        _raise(ends, large.name, Fraction(int(small.p), int(small.q)), closed=not strict)
    elif isinstance(small, sympy.Symbol) and isinstance(large, sympy.Rational):
        _lower(ends, small.name, Fraction(int(large.p), int(large.q)), closed=not strict)
    elif (found := _linear(large, small)) is not None:
        symbol, value, upper = found
        (_lower if upper else _raise)(ends, symbol.name, value, closed=not strict)
    else:
        premises.append((large, small, strict))


def _linear(large: Any, small: Any) -> tuple[Any, Fraction, bool] | None:
    """The variable, its end, and whether that is an upper one, of a premise c + a·v ≥ 0 with numbers c and a."""
    if not (large.is_polynomial() and small.is_polynomial()) or len(large.free_symbols | small.free_symbols) != 1:
        return None
    (v,) = large.free_symbols | small.free_symbols
    gap = sympy.expand(large - small)
    slope, rest = gap.coeff(v, 1), gap.coeff(v, 0)
    if not (slope.is_Rational and rest.is_Rational and slope != 0 and sympy.expand(gap - slope * v - rest) == 0):
        return None
    end = -rest / slope
    return v, Fraction(int(end.p), int(end.q)), bool(slope < 0)


def _is_empty(own: Interval) -> bool:
    """Whether no number lies in a range: then its case never happens."""
    if own.low is None or own.high is None:
        return False
    return own.low > own.high or (own.low == own.high and not (own.low_closed and own.high_closed))


def _raise(ends: dict[str, Interval], name: str, low: Fraction, *, closed: bool) -> None:
    own = ends[name]
    if own.low is None or low > own.low or (low == own.low and not closed):
        ends[name] = replace(own, low=low, low_closed=closed)


def _lower(ends: dict[str, Interval], name: str, high: Fraction, *, closed: bool) -> None:
    own = ends[name]
    if own.high is None or high < own.high or (high == own.high and not closed):
        ends[name] = replace(own, high=high, high_closed=closed)


def _whole(own: Interval) -> Interval:
    """The smallest closed interval with the same integers."""
    low = None if own.low is None else -((-own.low) // 1)
    high = None if own.high is None else own.high // 1
    if low is not None and low == own.low and not own.low_closed:
        low += 1
    if high is not None and high == own.high and not own.high_closed:
        high -= 1
    return Interval(None if low is None else Fraction(low), None if high is None else Fraction(high), low is not None, high is not None)
