"""How facts about functions are derived again: monotone functions, tangents of convex functions, minima."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import sympy

from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, equal, instantiate, minus, node, number, substitute, times, unequal
from dpbounds.prover.facts import Fact
from dpbounds.prover.rewriting.arithmetic import SHORT, attempt

if TYPE_CHECKING:
    from dpbounds.prover.rewriting.documents import Emission


def conditions_of(f: Term, x: Term) -> list[Term]:
    """What the table of derivatives may ask for: 0 < a, a ≠ 0 or 1 ≤ r for the operations of f that depend on x."""
    found: list[Term] = []
    for part in f.parts:
        found += conditions_of(part, x) if not part.loose else []
    if x not in f.free or not f.parts:
        return found
    a = f.parts[0]
    if f.tag == "log" and x in a.free:
        found.append(below(ZERO, a))
    if f.tag == "^" and isinstance(n := f.data[0], int) and n < 0:
        found += [below(ZERO, a), unequal(a, ZERO)]
    if f.tag == "pow":
        found += [below(ZERO, a), at_most(ONE, f.parts[1])]
    return found


def derivative(e: Emission, f: Term, x: Term, known: Sequence[int]) -> int | None:
    """The step deriv(x, f', f) under hypotheses among the known ones."""
    shown = [e.search.prove(c, known) for c in dict.fromkeys(conditions_of(f, x))]
    return attempt(e.write, "derivative", *[k for k in shown if k is not None], function=f, variable=x)


def _slope(e: Emission, step: int) -> Term:
    return e.write.formula(step).parts[1]


def visible_sign(
    e: Emission, t: Term, forms: Iterable[Any], known: Sequence[int], tag: str = "<=", inside: Mapping[Term, Term] | None = None
) -> int | None:
    """0 ≤ t, by way of other forms of t whose sign is visible; `inside` renames a variable of theirs."""
    goal = node(tag, ZERO, t)
    divisors: list[int] | None = None
    for form in forms:
        try:
            other = substitute(e.read.term(form), dict(inside or {}))  # not in the form: sympy orders terms by names
        except Exception:  # a form that the language lacks is one form less
            continue
        shown = e.search.prove(node(tag, ZERO, other), known)
        if shown is None:
            continue
        short = [k for k in known if e.write.formula(k).size <= SHORT]
        step = attempt(e.write, "linear", shown, formula=goal, multipliers=[ONE])
        if step is None and (same := attempt(e.write, "ring", *short, formula=equal(other, t))) is not None:
            step = attempt(e.write, "rewrite", shown, same)
        step = attempt(e.write, "linear", shown, *known, formula=goal, multipliers=[ONE]) if step is None else step
        if step is not None:
            return step
        divisors = e.conditions([goal], known) if divisors is None else divisors
        step = attempt(e.write, "linear", shown, *divisors, *known, formula=goal, multipliers=[ONE]) if divisors else None
        if step is not None:
            return step
    return e.search.prove(goal, known)


def forms_of(expression: Any) -> Iterator[Any]:
    """An expression in forms that may show its sign, those that cost least first."""
    found = [expression]
    yield expression
    for change in (sympy.factor_terms, sympy.powsimp, sympy.factor, lambda t: sympy.factor(sympy.powsimp(t)), sympy.simplify):
        try:
            form = change(expression)
        except Exception:  # sympy's own trouble with a form
            continue
        if form not in found:
            found.append(form)
            yield form


class _Segment(NamedTuple):
    """The interval between two places, a function there and its derivative."""

    at: Term
    to: Term
    x: Term
    ends: tuple[Term, Term]
    context: list[int]
    strictly: list[int]
    first: int

    def step(self, e: Emission, rule: str, *steps: int, goal: Term) -> int | None:
        """The step of a rule on the interval, from what is known inside; it stays under the hypotheses of the context."""
        low, high = self.ends
        here = {at_most(low, self.x), at_most(self.x, high), below(low, self.x), below(self.x, high)}
        inner = (_only(e, k, self.x, here) for k in steps)
        places = {"variable": self.x, "low": low, "high": high, "at": self.at, "to": self.to}
        return e.restated(e.write(rule, *inner, *_ends(e, low, high, self.at, self.to), **places), goal, self.context)


def _segment(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int]) -> _Segment | None:
    """Between `at` and the variable; None where the function has no derivative that is shown."""
    f, at, to = e.read.term(given["f"]), e.read.term(sympy.sympify(given["at"])), e.read.symbol(given["x"])
    context = e.context(fact, *premises)
    context = list(dict.fromkeys([*context, *e.signs_of([f, at, equal(to, to)])]))
    x = e.read.symbol(_inner(e, given["x"]))
    low, high = node("min", at, to), node("max", at, to)
    inside = between(e, x, low, high, at, to, context, given["x"])
    inside = [*inside, *_anywhere(e, x, to, context, inside)]
    closed = [*inside, *context]
    first = derivative(e, substitute(f, {to: x}), x, closed)
    if first is None:
        return None
    strictly = [*between(e, x, low, high, at, to, context, given["x"], strict=True), *closed]
    return _Segment(at, to, x, (low, high), context, strictly, first)


def convex_tangent(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """f(at) + f'(at)(x − at) ≤ f(x)."""
    if (segment := _segment(e, fact, given, premises)) is None:
        return None
    second = derivative(e, _slope(e, segment.first), segment.x, segment.strictly)
    if second is None:
        return None
    bend = sympy.diff(given["f"], given["x"], 2)
    curved = visible_sign(e, _slope(e, second), forms_of(bend), segment.strictly, inside={segment.to: segment.x})
    return None if curved is None else segment.step(e, "tangent", segment.first, second, curved, goal=goal)


def _inner(e: Emission, s: Any) -> Any:
    """A symbol like another, for the variable inside."""
    return sympy.Dummy(f"{s.name}_in", real=True)


def _only(e: Emission, step: int, x: Term, here: set[Term]) -> int:
    """The step with hypotheses about x only among those of the interval."""
    allowed = {h for h in e.write.steps[step].hypotheses if x not in h.free} | here
    return e.without(step, allowed)


def _ends(e: Emission, low: Term, high: Term, at: Term, to: Term) -> list[int]:
    """min ≤ u, u ≤ max for both points."""
    a, b, c, d, _ = e.search.opened(e.write("maximum", left=at, right=to))
    return [c, a, d, b]


def between(
    e: Emission, x: Term, low: Term, high: Term, at: Term, to: Term, known: Sequence[int], outer: Any, strict: bool = False
) -> list[int]:
    """What holds for x between two points: it lies above every lower bound, and below every upper bound, that both points have."""
    order = below if strict else at_most
    hyps = e.write.hypotheses([order(low, x), order(x, high)])
    found = list(hyps)
    bounds = e.search.opened(e.write("maximum", left=at, right=to))
    for k in known:
        f = e.write.formula(k)
        if f.tag not in ("<", "<="):
            continue
        a, b = f.parts
        if b == to and to not in a.free:  # a ≤ to; the other point too?
            other = e.search.prove(at_most(a, at), known)
            if other is not None:
                least = e.write("minimum_greatest", other, _weak(e, k))
                found += _push(e, node("<" if strict else "<=", a, x), [least, hyps[0]], f, at, to, known, x, lower=True)
        if a == to and to not in b.free:
            other = e.search.prove(at_most(at, b), known)
            if other is not None:
                most = e.write("maximum_least", other, _weak(e, k))
                found += _push(e, node("<" if strict else "<=", x, b), [most, hyps[1]], f, at, to, known, x, lower=False)
    return [*found, *bounds[4:]]


def _anywhere(e: Emission, x: Term, to: Term, known: Sequence[int], inside: Sequence[int]) -> list[int]:
    """What is known of one point and holds at every other of the interval, for x."""
    found = []
    for k in [k for k in known if to in e.write.formula(k).free and e.write.formula(k) not in e.write.steps[k].hypotheses]:
        step = e.write("substitution", k, terms={to: x}, functions={})
        proofs = [e.search.prove(h, inside) for h in sorted(e.write.steps[step].hypotheses, key=repr) if x in h.free]
        if None not in proofs:
            found.append(e.write("cut", step, *[p for p in proofs if p is not None]) if proofs else step)
    return found


def _weak(e: Emission, k: int) -> int:
    f = e.write.formula(k)
    return k if f.tag == "<=" else e.write("linear", k, formula=at_most(*f.parts), multipliers=[ONE])


def _push(
    e: Emission, goal: Term, steps: list[int], bound: Term, at: Term, to: Term, known: Sequence[int], x: Term, lower: bool
) -> list[int]:
    """a ≤ min(u, v) and min(u, v) ≤ x give a ≤ x; strictly when both points are strictly above a."""
    found = [e.write("linear", *steps, formula=goal, multipliers=[ONE, ONE])]
    if bound.tag == "<" and goal.tag == "<=":
        a = bound.parts[0] if lower else bound.parts[1]
        other = e.search.prove(below(a, at) if lower else below(at, a), known)
        if other is not None and (strictly := _strict_bound(e, a, at, to, other, bound, lower)) is not None:
            sides = goal.parts
            found.append(e.write("linear", strictly, steps[1], formula=below(*sides), multipliers=[ONE, ONE]))
    return found


def _strict_bound(e: Emission, a: Term, at: Term, to: Term, first: int, second: Term, lower: bool) -> int | None:
    """a < min(u, v) from a < u and a < v, by cases."""
    start = e.write("total_order", left=at, right=to)
    branches = []
    for f in e.write.formula(start).parts:
        h = e.write.hypothesis(f)
        ordered = _weak(e, h)
        equations = e.search.opened(e.write("larger", ordered))
        goal = below(a, node("min", at, to)) if lower else below(node("max", at, to), a)
        step = None
        for base in (first, e.write.hypothesis(second)):
            for equation in equations:
                for m in (ONE, number(-1)):
                    step = step or attempt(e.write, "linear", base, equation, formula=goal, multipliers=[ONE, m])
        if step is None:
            return None
        branches.append(step)
    return e.write("cases", start, *branches)


def minimum(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """f(at) ≤ f(x)."""
    if (segment := _segment(e, fact, given, premises)) is None:
        return None
    product = sympy.diff(given["f"], given["x"]) * (given["x"] - given["at"])
    forms = chain([] if given["factored"] is None else [given["factored"]], forms_of(product))
    slope = times(_slope(e, segment.first), minus(segment.x, segment.at))
    sign = visible_sign(e, slope, forms, segment.strictly, inside={segment.to: segment.x})
    return None if sign is None else segment.step(e, "valley", segment.first, sign, goal=goal)


def apply_function(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """g(a) ≤ g(b) from a ≤ b."""
    function, step = given["function"], premises[0]
    context = e.context(fact, *premises)
    f = e.write.formula(step)
    z = e.read.symbol(function.variables[0])
    body = e.read.term(function.expr)
    if f.tag == "=":
        image = e.write("congruence", step, term=substitute(body, {z: f.parts[0]}))
        return e.restated(image, goal, context)
    plain = _plain(e, body, z, step, context)
    if plain is not None:
        return e.restated(plain, goal, context)
    return _by_derivative(e, function, body, z, step, goal, context)


def _plain(e: Emission, body: Term, z: Term, step: int, context: Sequence[int]) -> int | None:
    """exp, log and powers of the variable itself."""
    a, b = e.write.formula(step).parts
    if body == node("exp", z):
        return e.write("exp_monotone", step)
    if body == node("log", z):
        positive = e.search.prove(below(ZERO, a), context)
        return None if positive is None else e.write("log_monotone", step, positive)
    if body.tag == "pow" and body.parts[0] == z and z not in body.parts[1].free:
        r, tag = body.parts[1], e.write.formula(step).tag
        start = e.search.prove(at_most(ZERO, a), context)
        rising = e.search.prove(node(tag, ZERO, r), context)
        if start is not None and rising is not None:
            return e.write("power_monotone", start, step, rising)
        positive, falling = e.search.prove(below(ZERO, a), context), e.search.prove(at_most(r, ZERO), context)
        if positive is not None and falling is not None and tag == "<=":
            return e.write("power_antitone", positive, step, falling)
    return None


def _by_derivative(e: Emission, function: Any, body: Term, z: Term, step: int, goal: Term, context: Sequence[int]) -> int | None:
    f = e.write.formula(step)
    low, high = f.parts
    symbol = _inner(e, function.variables[0])
    x = e.read.symbol(symbol)
    known = [*e.write.hypotheses([at_most(low, x), at_most(x, high)]), *context]
    known += _positions(e, x, low, high, known, context)
    slope = sympy.diff(function.expr, function.variables[0])
    for turn in (1, -1):
        inner = substitute(body, {z: x})
        inner = inner if turn == 1 else times(number(-1), inner)
        first = derivative(e, inner, x, known)
        if first is None:
            return None
        forms = (turn * form.subs(function.variables[0], symbol) for form in forms_of(slope))
        sign = visible_sign(e, _slope(e, first), forms, known, tag=f.tag)
        if sign is None:
            continue
        here = {at_most(low, x), at_most(x, high)}
        first, sign = (_only(e, k, x, here) for k in (first, sign))
        return e.restated(e.write("monotone", first, sign, step, variable=x, low=low, high=high), goal, context)
    return None


def _positions(e: Emission, x: Term, low: Term, high: Term, known: Sequence[int], context: Sequence[int]) -> list[int]:
    """The sign of x, where the ends show it."""
    found = []
    for goal, side in ((below(ZERO, low), below(ZERO, x)), (at_most(ZERO, low), at_most(ZERO, x)), (at_most(high, ZERO), at_most(x, ZERO))):
        end = e.search.prove(goal, context)
        if end is not None:
            step = e.search.prove(side, [end, *known[:2]])
            if step is not None:
                found.append(step)
    return found


__all__ = ["apply_function", "convex_tangent", "instantiate", "minimum", "visible_sign"]
