"""Integrals over half lines by an antiderivative that has a limit, as they are derived again.

The fundamental theorem gives ∫ over m < x as sup F − F(m). Where F(x) = G(w) for w = e^{−x}, or for w = 1/x, and G falls for w ≥ 0, the
least upper bound is G(0): each F(x) is at most G(0), and the values G(w) near w = 0 are values of F.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.kernel.terms import ONE, ZERO, Refused, Term, at_most, below, binder, equal, minus, negative, node, power, substitute
from dpbounds.prover.rewriting.arithmetic import attempt
from dpbounds.prover.rewriting.calculus import derivative, forms_of, visible_sign
from dpbounds.prover.rewriting.case_distinctions import MINUS, on_part
from dpbounds.prover.rewriting.half_lines import mirrored

if TYPE_CHECKING:
    from dpbounds.prover.rewriting.documents import Emission


@dataclass(frozen=True)
class _Inner:
    """F(x) = G(w).

    Attributes:
        w: a symbol that is not negative.
        outer: G(w).
        exponential: whether w is e^{−x}, and not 1/x.
        top: the value of w at the lower end.
    """

    w: Any
    outer: Any
    exponential: bool
    top: Any


def on_half_line(e: Emission, f: Any, over: tuple[Any, Any, Any], antiderivative: Any, known: Sequence[int]) -> tuple[int, int] | None:
    """(integrable, value) of f ≥ 0 on low < x, or on x ≤ high, from an antiderivative."""
    x, low, high = over
    try:
        if high == sympy.oo:
            return _above(e, f, x, low, antiderivative, known)
        turned = {x: -x}
        found = _above(e, f.xreplace(turned), x, -high, -antiderivative.xreplace(turned), known)
        total = e.write.formula(found[1]).parts[1]
        return mirrored(e, *found, e.read.term(f), total, e.read.symbol(x), e.read.term(high), known)
    except Refused:
        return None


def _needed(step: int | None, what: str) -> int:
    if step is None:
        raise Refused(what)
    return step


def _inner(antiderivative: Any, x: Any, low: Any) -> _Inner:
    w = sympy.Dummy("w", nonnegative=True)
    outer = antiderivative.replace(
        sympy.exp, lambda exponent: sympy.exp(exponent + x) * w if exponent.diff(x) == -1 else sympy.exp(exponent)
    )
    if x not in outer.free_symbols:
        return _Inner(w, outer, True, sympy.exp(-low))
    outer = antiderivative.xreplace({1 / x: w})
    if x not in outer.free_symbols and low.is_positive:
        return _Inner(w, outer, False, 1 / low)
    raise Refused("no function of e^(-x) or 1/x")


def _above(e: Emission, f: Any, symbol: Any, end: Any, antiderivative: Any, known: Sequence[int]) -> tuple[int, int]:
    x, low, inner = e.read.symbol(symbol), e.read.term(end), _inner(antiderivative, symbol, end)
    primitive, body = e.read.term(antiderivative), e.read.term(f)
    inside = [*e.write.hypotheses([at_most(low, x)]), *known]
    if not inner.exponential:
        inside.append(_needed(e.search.prove(below(ZERO, x), inside), "the sign of the variable"))
    first = _needed(derivative(e, primitive, x, inside), "a derivative")
    slope = e.write.formula(first).parts[1]
    same = attempt(e.write, "ring", *inside, formula=equal(slope, body)) or e.search.prove(equal(slope, body), inside)
    same = _needed(same, "the antiderivative")
    least = _needed(visible_sign(e, body, forms_of(f), inside), "the sign of the integrand")
    least = e.write("linear", least, same, formula=at_most(ZERO, slope), multipliers=[ONE, MINUS])
    limit, most = _falls(e, inner, known)
    z = e.read.symbol(inner.w)
    image = node("exp", negative(x)) if inner.exponential else power(x, -1)
    moved = e.write("substitution", most, terms={z: image}, functions={})
    moved = e.write("cut", moved, _needed(e.search.prove(at_most(ZERO, image), inside), "the sign of the inner function"))
    bound = _needed(e.restated(moved, at_most(primitive, limit), inside), "the antiderivative by its inner function")
    first, least, bound = (_about(e, k, x, low) for k in (first, least, bound))
    integrable, area = e.search.opened(e.write("fundamental_theorem_above", first, least, bound, variable=x, low=low))
    top = _reached(e, inner, bound, x, low, known)
    pointwise = _needed(on_part(e, same, x, below(low, x)), "the integrand on the half line")
    renamed = e.write("integral_congruence", pointwise, variable=x)
    total = equal(e.write.formula(renamed).parts[1], minus(limit, substitute(primitive, {x: low})))
    value = e.write("linear", renamed, area, top, formula=total, multipliers=[MINUS, ONE, ONE])
    return e.write("integrable_congruence", pointwise, integrable, variable=x), value


def _about(e: Emission, step: int, x: Term, low: Term) -> int:
    """The step with no hypothesis about x but low ≤ x."""
    return _assuming(e, step, x, at_most(low, x))


def _assuming(e: Emission, step: int, x: Term, only: Term) -> int:
    """The step with no other hypothesis about x."""
    return e.without(step, {h for h in e.write.steps[step].hypotheses if x not in h.free} | {only})


def _falls(e: Emission, inner: _Inner, known: Sequence[int]) -> tuple[Term, int]:
    """G(0), and G(w) ≤ G(0) for w ≥ 0, because −G rises."""
    w, g, u = e.read.symbol(inner.w), e.read.term(inner.outer), e.read.fresh("u", "R")
    here = [*e.write.hypotheses([at_most(ZERO, w)]), *known]
    first = _needed(derivative(e, negative(g), w, here), "a derivative by the inner function")
    forms = forms_of(-sympy.diff(inner.outer, inner.w))
    rising = _needed(visible_sign(e, e.write.formula(first).parts[1], forms, here), "a function that falls")
    first, rising = (_about(e, k, w, ZERO) for k in (first, rising))
    order = e.write.hypothesis(at_most(ZERO, u))
    step = e.write("monotone", first, rising, order, variable=w, low=ZERO, high=u)
    step = e.write("substitution", step, terms={u: w}, functions={})
    limit = substitute(g, {w: ZERO})
    return limit, e.write("linear", step, formula=at_most(g, limit), multipliers=[ONE])


def _reached(e: Emission, inner: _Inner, bound: int, x: Term, low: Term, known: Sequence[int]) -> int:
    """sup F = G(0) over low < x, from F ≤ G(0)."""
    w, g, top = e.read.symbol(inner.w), e.read.term(inner.outer), e.read.term(inner.top)
    primitive, limit = e.write.formula(bound).parts
    bound = _assuming(e, bound, x, below(low, x))
    whole = binder("sup_above", x, low, primitive)
    positive, short = e.write.hypotheses([below(ZERO, w), below(w, top)])
    if inner.exponential:
        at = negative(node("log", w))
        rises = e.write("log_monotone", short, positive)
        beyond = e.write("linear", rises, formula=below(low, at), multipliers=[ONE])
    else:
        at = power(w, -1)
        beyond = _needed(e.search.prove(below(low, at), [positive, short, *known]), "a point beyond the end")
    reached = e.write("extremum_reached", bound, beyond, variable=x, ends=[low], at=at)
    level = _needed(e.restated(reached, at_most(g, whole), [positive, *known]), "the values by the inner function")
    zero, room = e.write("sign", formula=at_most(ZERO, ZERO)), _needed(e.search.prove(below(ZERO, top), known), "the upper end")
    first = _needed(derivative(e, g, w, [*e.write.hypotheses([at_most(ZERO, w)]), *known]), "a derivative by the inner function")
    first = e.write("substitution", _about(e, first, w, ZERO), terms={w: ZERO}, functions={})
    first = e.write("cut", first, zero)
    weak = e.write("linear", room, formula=at_most(ZERO, top), multipliers=[ONE])
    near = e.write("extremum_reached", level, first, zero, weak, room, variable=w, ends=[ZERO, top], at=ZERO)
    below_whole = e.write("extremum_bound", level, room, variable=w, ends=[ZERO, top])
    least = e.write("linear", near, below_whole, formula=at_most(limit, whole), multipliers=[ONE, ONE])
    return e.write("antisymmetric", e.write("extremum_bound", bound, variable=x, ends=[low]), least)
