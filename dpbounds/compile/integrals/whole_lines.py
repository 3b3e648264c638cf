"""Integrals in pieces: ∫_a^b f = Σ ∫_{c_i}^{c_{i+1}} f with w or −w for |w|, the piece from −∞ to c read from right to left.

Each piece is integrable with a value of its own. What they are on the line, 0 elsewhere, adds up to f: a piece from −∞ ends before c, and
the next one begins after it, so f(c) on the point c is added, which carries no mass.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy

from dpbounds.compile.integrals.antiderivatives import BothSigns, ClosedIntegral, one_sided_integral
from dpbounds.compile.steps import NotWritten, sum_of_terms
from dpbounds.compile.towers.descents import Descents
from dpbounds.compile.towers.places import WritingPlace
from dpbounds.compile.towers.problems import Problems
from dpbounds.descent.integrals.pieces import parts_of
from dpbounds.descent.integrals.sums import bound_of
from dpbounds.descent.problem import Problem
from dpbounds.descent.written import expression_of
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Term, at_most, below, binder, equal, instantiate, node, number, plus, substitute, times
from dpbounds.language.functions import unevaluated, with_replaced
from dpbounds.prover.rewriting.case_distinctions import by_cases, order_shown
from dpbounds.prover.rewriting.half_lines import point, reflected

Shown = Callable[[Problem, Mapping[str, Any], Sequence[Term]], int]
"""The step of a problem in the terms of the claim, under hypotheses."""
Extreme = Callable[[Term, int], int]
"""What |a| is where a step says 0 ≤ a or a ≤ 0."""


@dataclass(frozen=True)
class PieceOfIntegral:
    """A piece of an integral.

    Attributes:
        area: its integral, from 0 to ∞ where it is read from right to left.
        edge: c of a piece from −∞ to c.
        signs: steps |w| = ±w, under hypotheses about x on the piece.
    """

    area: Term
    edge: Term | None
    signs: tuple[int, ...]


@dataclass(frozen=True)
class Whole:
    """An integral and its pieces.

    Attributes:
        total: the integral.
        x: its variable in the steps of the pieces.
        pieces: from left to right.
        ends: the ends of the pieces, as terms.
        orders: steps that say that no piece runs backwards.
    """

    total: Term
    x: Term
    pieces: tuple[PieceOfIntegral, ...]
    ends: tuple[Term, ...]
    orders: tuple[int, ...]


def whole_of(
    problems: Problems, problem: Problem, integral: Any, row: Mapping[str, Any], names: Mapping[str, Term], shown: Shown, extreme: Extreme
) -> Whole:
    """An integral and its pieces as a certificate names them; that they add up is shown by `summed`, once each has a value."""
    bound, write = bound_of(problem, integral), problems.c.write
    x = names[bound.name]
    pieces, orders, edges = list[PieceOfIntegral](), list[int](), dict[Term, None]()
    for part, own in zip(parts_of(problem, bound, [expression_of(c, problem.box) for c in row["cuts"]]), row["parts"], strict=True):
        from_below = bound.low == -sympy.oo and not pieces
        low = problems.term(part.bound.low, names)
        high = None if part.bound.high is sympy.oo else problems.term(part.bound.high, names)
        here = [at_most(low, x), *([] if high is None else [at_most(x, high)])]
        if part.ends is not None:
            orders.append(shown(part.ends, own["ends"], []))
        edge = None
        if from_below:
            edge = problems.term(expression_of(row["cuts"][0], problem.box) if row["cuts"] else bound.high, names)
            back = {x: plus(times(MINUS, x), times(number(2), times(number("1/2"), edge)))}
        signs = []
        values = {}
        for w, (side, proof) in zip(part.absolute_values, own["signs"], strict=True):
            equation = extreme(problems.term(w, names), shown(part.sign(problem, w, side), proof, here))
            signs.append(write("substitution", equation, terms=back, functions={}) if from_below else equation)
            values[w] = sympy.Mul(side, w.args[0], evaluate=False) if side == -1 else w.args[0]
        body = part_of(problems, part, values, names, x)
        pieces.append(PieceOfIntegral(binder("line", x, body), edge, tuple(signs)))
        edges.update(dict.fromkeys([edge] if edge is not None else [low] if high is None else [low, high]))
    return Whole(problems.term(integral, names), x, tuple(pieces), tuple(edges), tuple(orders))


def part_of(problems: Problems, part: Any, values: Mapping[Any, Any], names: Mapping[str, Term], x: Term) -> Term:
    """What is integrated over a piece, 0 elsewhere, at x."""
    ends = (sympy.Symbol(part.bound.name), part.bound.low, part.bound.high)
    whole = problems.term(unevaluated(sympy.Integral, with_replaced(part.term, values), ends), names)
    return instantiate(whole.parts[0], x)


def summed(problems: Problems, whole: Whole, integrable: Callable[[Term], int | None], known: Sequence[int]) -> ClosedIntegral | None:
    """That the integral is the sum of its pieces, and exists; None where a piece is not known to exist."""
    c, write, x = problems.c, problems.c.write, whole.x
    body = instantiate(whole.total.parts[0], x)
    inner = body.parts[1] if body.tag == "ite" else body
    exists, values = list[int](), list[int]()
    for piece in whole.pieces:
        own = integrable(node("integrable", *piece.area.parts))
        if own is None:
            return None
        if piece.edge is not None:
            own, same = reflected(c, own, write("reflexive", term=piece.area), times(number("1/2"), piece.edge))
            height = substitute(inner, {x: piece.edge})
            nothing, zero = _nothing(c, piece.edge, height, x)
            exists += [own, nothing]
            values += [same, zero]
        else:
            exists.append(own)
    bodies = [instantiate(write.formula(k).parts[0], x) for k in exists]
    goal = equal(reduce(plus, bodies), body)
    both, split = exists[0], list[int]()
    for k in exists[1:]:
        both, more = c.search.opened(write("integral_sum", both, k))
        split.append(more)
    pointwise = by_cases(c, goal, [pair for e in whole.ends for pair in ((x, e), (e, x))], [*whole.orders, *known], _leaf(c, whole, goal))
    if pointwise is None:
        raise NotWritten("an integral in pieces")
    moved = write("integral_congruence", pointwise, variable=x)
    total = reduce(plus, (piece.area for piece in whole.pieces))
    rows = [moved, *split, *values]
    equation = c.steps.attempt("linear", *rows, formula=equal(whole.total, total), multipliers=[MINUS, *[ONE] * len(rows[1:])])
    if equation is None:
        raise NotWritten("an integral in pieces")
    return ClosedIntegral(equation, write("integrable_congruence", pointwise, both, variable=x))


def closed_integral(
    problems: Problems, problem: Problem, integral: Any, row: Mapping[str, Any], names: Mapping[str, Term], place: WritingPlace
) -> ClosedIntegral:
    """An integral by the antiderivative that a certificate names, on both sides of a place where what is integrated changes its sign."""
    try:
        return one_sided_integral(problems, problem, integral, row, names, place)
    except BothSigns:
        v, low, high = integral.args[1]
        for at in _changes_of_sign(expression_of(row["of"], (*problem.box, v.name)), sympy.Symbol(v.name)):
            ends = [problems.term(e, names) for e in (low, at, high) if e is not sympy.oo]
            orders = [problems.relation(at_most(*pair), place) for pair in itertools.pairwise(ends)]
            areas = [unevaluated(sympy.Integral, integral.args[0], (v, *pair)) for pair in ((low, at), (at, high))]
            closed = [one_sided_integral(problems, problem, area, row, names, place) for area in areas]
            pieces = tuple(PieceOfIntegral(problems.term(area, names), None, ()) for area in areas)
            whole = Whole(problems.term(integral, names), problems.c.steps.fresh("x"), pieces, tuple(ends), tuple(orders))
            exist = {problems.c.steps.formula(own.integrable): own.integrable for own in closed}
            found = summed(problems, whole, exist.get, place.known)
            rows = () if found is None else (found.equation, *(own.equation for own in closed))
            value_ = sum_of_terms(problems.c.steps.formula(own.equation).parts[1] for own in closed)
            step = problems.c.steps.sum_of(equal(whole.total, value_), rows)
            if found is not None and step is not None:
                return ClosedIntegral(step, found.integrable)
        raise


def _changes_of_sign(primitive: Any, v: Any) -> list[Any]:
    """Where a factor of the derivative that is linear in the variable is 0."""
    factors = sympy.Mul.make_args(sympy.factor(sympy.powsimp(sympy.expand(sympy.diff(primitive, v)))))
    lines = [f for f in factors if f.is_polynomial(v) and sympy.degree(f, v) == 1]
    return [-f.coeff(v, 0) / f.coeff(v, 1) for f in map(sympy.expand, lines)]


def _nothing(c: Descents, edge: Term, height: Term, x: Term) -> tuple[int, int]:
    """(that it is integrable, that its integral is 0): a height on one point; shown for a variable, and so for every height."""
    nothing, zero, spot = point(c, edge, x)
    any_height = c.steps.fresh("c")
    line = binder("line", x, times(any_height, spot))
    scaled = c.write("linear", zero, formula=equal(line, ZERO), multipliers=[any_height])
    value = c.write("substitution", scaled, terms={any_height: height}, functions={})
    return c.write("integrable_multiple", nothing, factor=height), value


def _leaf(c: Descents, whole: Whole, goal: Term) -> Callable[[list[int]], int | None]:
    """The pieces add up at x, where its order to every end is known."""
    write, x = c.write, whole.x

    def leaf(shown: list[int]) -> int | None:
        signs = []
        for k in (k for piece in whole.pieces for k in piece.signs):
            about = [h for h in write.steps[k].hypotheses if x in h.free]
            held = [own for h in about if (own := order_shown(c, h, shown)) is not None]
            if len(held) == len(about):
                signs.append(write("cut", k, *held) if held else k)
        found = c.steps.attempt("ring", *signs, *shown, formula=goal)
        here = {write.formula(k): k for k in shown}
        for e in whole.ends if found is None else ():
            if at_most(x, e) in here and at_most(e, x) in here:
                at = write("antisymmetric", here[at_most(x, e)], here[at_most(e, x)])
                found = c.steps.attempt("ring", at, *signs, *shown, formula=goal)
        if found is None:
            found = _nowhere(c, goal, shown, whole.orders)
        return found

    return leaf


def _nowhere(c: Descents, goal: Term, shown: Sequence[int], orders: Sequence[int]) -> int | None:
    """The goal from orders that do not hold together."""
    own = [k for k in shown if c.write.formula(k).tag in ("<", "<=")]
    for by in (*itertools.combinations(own, 2), *((*pair, k) for pair in itertools.combinations(own, 2) for k in orders)):
        if any(c.write.formula(k).tag == "<" for k in by):
            wrong = c.steps.attempt("linear", *by, formula=below(ZERO, ZERO), multipliers=[ONE] * len(by))
            if wrong is not None:
                return c.write("absurd", wrong, c.write("irreflexive", term=ZERO), formula=goal)
    return None
