"""Rules of calculus: derivatives by a table, what their signs imply, integrals of Lebesgue, least upper bounds."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from dpbounds.kernel.definedness import inside as interval
from dpbounds.kernel.sequents import Premises, Sequent, Variable, above_zero, arbitrary, conclude, parts, real, rule, take
from dpbounds.kernel.terms import (
    EXTREMA,
    ONE,
    TWO,
    ZERO,
    Refused,
    Term,
    abstract,
    at_most,
    below,
    binder,
    equal,
    exponent_of,
    instantiate,
    minus,
    need,
    negative,
    node,
    number,
    over,
    plus,
    power,
    substitute,
    times,
    unequal,
    variable,
)

POINT = variable("%x", "R")
"""A name that no document can use."""


# derivatives


@rule
def derivative(premises: Premises, function: Term, variable: Variable) -> Sequent:
    """⊢ f has at x the derivative that the table gives; a ≠ 0, 0 < a or 1 ≤ r are premises where the table asks for them."""
    need(variable.tag == "v" and variable.sort == "R", "a real variable is wanted")
    slope = slope_of(function, variable, {p.formula for p in premises})
    return conclude(premises, node("deriv", variable, slope, abstract(function, variable)))


def slope_of(t: Term, x: Term, known: AbstractSet[Term]) -> Term:
    """∂t/∂x by the table; `known` holds the formulas that it may ask for."""

    def d(part: Term) -> Term:
        return slope_of(part, x, known)

    if t == x:
        return ONE
    if x not in t.free:
        return ZERO
    match t.tag, t.parts:
        case "+", (a, b):
            return plus(d(a), d(b))
        case "*", (a, b):
            return plus(times(d(a), b), times(a, d(b)))
        case "^", (a,):
            n = exponent_of(t)
            need(n >= 0 or unequal(a, ZERO) in known or below(ZERO, a) in known, "a negative power needs the premise a ≠ 0 or 0 < a")
            return times(times(number(n), power(a, n - 1)), d(a)) if n else ZERO
        case "exp", (a,):
            return times(t, d(a))
        case "Phi", (a,):
            return times(_normal_density(a), d(a))
        case "log", (a,):
            need(below(ZERO, a) in known, "a logarithm needs the premise 0 < a")
            return over(d(a), a)
        case "pow", (a, r) if x not in r.free:
            need(below(ZERO, a) in known or at_most(ONE, r) in known, "a power needs the premise 0 < a or 1 ≤ r")
            return times(times(r, node("pow", a, minus(r, ONE))), d(a))
        case "pow", (a, r):
            need(below(ZERO, a) in known, "a power needs the premise 0 < a")
            return times(t, plus(times(d(r), node("log", a)), times(r, over(d(a), a))))
        case "sum", (low, high, body) if x not in low.free | high.free:
            i = _index(t)
            return binder("sum", i, low, high, d(instantiate(body, i)))
    raise Refused(f"the table has no derivative of {t.tag} here")


def _normal_density(t: Term) -> Term:
    """e^{−t²/2}·(2π)^{−1/2}."""
    return times(node("exp", times(number("-1/2"), power(t, 2))), node("pow", times(TWO, node("pi")), number("-1/2")))


@rule
def normal_symmetry(premises: Premises, term: Term) -> Sequent:
    """⊢ Φ(t) + Φ(−t) = 1, where Φ(t) = (2π)^{−1/2} ∫_{−∞}^t e^{−u²/2} du is the distribution function of the standard normal.

    The density is even, continuous and > 0, and its integral over the line is 1 (`gaussian_integral`). So Φ has values in (0, 1), which
    `ring` uses as Φ > 0, and Φ' is the density, which the table of `derivative` has.
    In Mathlib Φ is `cdf (gaussianReal 0 1)`; see `gaussianReal_map_neg`, `lintegral_gaussianPDFReal_eq_one`,
    `gaussianPDFReal_pos`, `intervalIntegral.integral_hasDerivAt_right`.
    """
    take(premises, 0)
    return conclude(premises, equal(plus(node("Phi", term), node("Phi", negative(term))), ONE))


def _index(t: Term) -> Term:
    return variable(f"%d{t.depth}", "Z")


def _throughout(x: Term, low: Term, high: Term, closed: Premises, inner: Premises = ()) -> Sequent:
    """Nothing is assumed about x but a ≤ x and x ≤ b, in the second kind of premises also a < x and x < b."""
    need(x.sort == "R", "a real variable is wanted")
    ends = [at_most(low, x), at_most(x, high)]
    first = conclude(closed, closed[0].formula, without=ends)
    second = conclude(inner, first.formula, without=[*ends, below(low, x), below(x, high)])
    arbitrary(x, first.hypotheses | second.hypotheses, low, high)
    return conclude([first, second], first.formula)


def _derivative_at(f: Term, x: Term) -> tuple[Term, Term]:
    """Body and value of deriv(x, value, body)."""
    at, slope, body = parts(f, "deriv")
    need(at == x and x not in body.free, "not the derivative of one function at the variable")
    return body, slope


@rule
def monotone(premises: Premises, variable: Variable, low: Term, high: Term) -> Sequent:
    """f' = d on [a, b], 0 ≤ d inside, and a ≤ b, give f(a) ≤ f(b), and d ≤ 0 gives f(b) ≤ f(a); the same with < for each ≤.

    The first premise may assume a ≤ x and x ≤ b, the second also a < x and x < b. By the mean value theorem.
    """
    f, g, order = take(premises, 3)
    body, slope = _derivative_at(f, variable)
    signs, ends = real(g, "<=", "<"), [instantiate(body, low), instantiate(body, high)]
    need(signs in ((ZERO, slope), (slope, ZERO)), "the second premise is not 0 ≤ d or d ≤ 0")
    need(order == node(g.tag, low, high), "the third premise is not a ≤ b")
    inside = _throughout(variable, low, high, premises[:1], premises[1:2])
    return conclude([inside, premises[2]], node(g.tag, *(ends if signs[0] == ZERO else reversed(ends))))


@rule
def tangent(premises: Premises, variable: Variable, low: Term, high: Term, at: Term, to: Term) -> Sequent:
    """f' = d on [a, b], d' = e and 0 ≤ e inside, and u, v in [a, b], give f(u) + d(u)(v − u) ≤ f(v): f is convex.

    The first premise may assume a ≤ x and x ≤ b, the next two also a < x and x < b; the others are a ≤ u, u ≤ b, a ≤ v, v ≤ b.
    """
    f, g, s, *ends = take(premises, 7)
    (body, first), (inner, second) = _derivative_at(f, variable), _derivative_at(g, variable)
    need(inner == abstract(first, variable), "the second premise does not differentiate the first derivative")
    need(above_zero(s, "<=") == second, "the third premise is not 0 ≤ f''")
    need(ends == [end for u in (at, to) for end in (at_most(low, u), at_most(u, high))], "the points are not shown to lie in the interval")
    inside = _throughout(variable, low, high, premises[:1], premises[1:3])
    line = plus(instantiate(body, at), times(instantiate(inner, at), minus(to, at)))
    return conclude([inside, *premises[3:]], at_most(line, instantiate(body, to)))


def _area(x: Term, part: Term, body: Term, value: Term) -> Term:
    """The function that is the body on a part of the line and 0 elsewhere is integrable, with this integral."""
    cut = node("ite", part, body, ZERO)
    return node("and", binder("integrable", x, cut), equal(binder("line", x, cut), value))


@rule
def fundamental_theorem(premises: Premises, variable: Variable, low: Term, high: Term) -> Sequent:
    """F' = f and 0 ≤ f on [a, b], and a ≤ b: f on a < x ≤ b, and 0 elsewhere, is integrable, with the integral F(b) − F(a).

    The first two premises may assume a ≤ x and x ≤ b.
    """
    f, g, order = take(premises, 3)
    body, slope = _derivative_at(f, variable)
    need(above_zero(g, "<=") == slope, "the second premise is not 0 ≤ f")
    need(order == at_most(low, high), "the third premise is not a ≤ b")
    inside = _throughout(variable, low, high, premises[:2])
    part = node("and", below(low, variable), at_most(variable, high))
    total = minus(instantiate(body, high), instantiate(body, low))
    return conclude([inside, premises[2]], _area(variable, part, slope, total))


@rule
def fundamental_theorem_above(premises: Premises, variable: Variable, low: Term) -> Sequent:
    """F' = f, 0 ≤ f and F ≤ c on x ≥ a: f on a < x, and 0 elsewhere, is integrable, with the integral sup F − F(a) over a < x.

    All three premises may assume a ≤ x. F rises, so its least upper bound is its limit at infinity.
    """
    f, g, h = take(premises, 3)
    body, slope = _derivative_at(f, variable)
    need(above_zero(g, "<=") == slope, "the second premise is not 0 ≤ f")
    function, bound = real(h, "<=")
    need(abstract(function, variable) == body and variable not in bound.free, "the third premise is not F ≤ c for a constant c")
    inside = conclude(premises, f, without=[at_most(low, variable)])
    arbitrary(variable, inside.hypotheses, low)
    total = minus(binder("sup_above", variable, low, function), instantiate(body, low))
    return conclude([inside], _area(variable, below(low, variable), slope, total))


# integrals of Lebesgue; 0 where they do not exist


@rule
def equal_functions(premises: Premises, variable: Variable) -> Sequent:
    """a(x) = b(x) for every x gives ∫ a = ∫ b, and b is integrable if a is."""
    (f,) = take(premises, 1)
    sides = real(f, "=")
    arbitrary(variable, premises[0].hypotheses)
    integrals, integrable = ([binder(tag, variable, side) for side in sides] for tag in ("line", "integrable"))
    return conclude(premises, node("and", equal(*integrals), node("->", *integrable)))


@rule
def integral_monotone(premises: Premises, variable: Variable) -> Sequent:
    """a(x) ≤ b(x) for every x, both integrable: ∫ a ≤ ∫ b."""
    f, *integrable = take(premises, 3)
    a, b = real(f, "<=")
    arbitrary(variable, premises[0].hypotheses)
    need(integrable == [binder("integrable", variable, side) for side in (a, b)], "both sides are not shown to be integrable")
    return conclude(premises, at_most(binder("line", variable, a), binder("line", variable, b)))


@rule
def integral_nonnegative(premises: Premises, variable: Variable) -> Sequent:
    """0 ≤ a(x) for every x gives 0 ≤ ∫ a, be it integrable or not."""
    (f,) = take(premises, 1)
    arbitrary(variable, premises[0].hypotheses)
    return conclude(premises, at_most(ZERO, binder("line", variable, above_zero(f, "<="))))


@rule
def integral_positive(premises: Premises, variable: Variable) -> Sequent:
    """0 < a(x) for every x and a integrable over the line: 0 < ∫ a."""
    f, g = take(premises, 2)
    a = above_zero(f, "<")
    arbitrary(variable, premises[0].hypotheses)
    need(g == binder("integrable", variable, a), "the second premise does not say that a is integrable")
    return conclude(premises, below(ZERO, binder("line", variable, a)))


@rule
def integral_sum(premises: Premises) -> Sequent:
    """a and b integrable: a + b is, and ∫ (a + b) = ∫ a + ∫ b."""
    f, g = take(premises, 2)
    (a,), (b,) = parts(f, "integrable"), parts(g, "integrable")
    total = plus(a, b)
    split = plus(node("line", a), node("line", b))
    return conclude(premises, node("and", node("integrable", total), equal(node("line", total), split)))


@rule
def integrable_multiple(premises: Premises, factor: Term) -> Sequent:
    """a integrable: c·a is, for a constant c."""
    (f,) = take(premises, 1)
    (a,) = parts(f, "integrable")
    return conclude(premises, node("integrable", times(factor, a)))


@rule
def integrable_dominated(premises: Premises, variable: Variable) -> Sequent:
    """|a(x)| ≤ b(x) for every x, b integrable, and a measurable by its form: a is integrable."""
    f, g = take(premises, 2)
    size, b = real(f, "<=")
    (a,) = parts(size, "abs")
    arbitrary(variable, premises[0].hypotheses)
    need(g == binder("integrable", variable, b), "the second premise does not say that b is integrable")
    need(_measurable(a, variable), "the function is not measurable by its form")
    return conclude(premises, binder("integrable", variable, a))


def _measurable(t: Term, x: Term) -> bool:
    """Built from x and constants by measurable functions and case distinctions between them."""
    if x not in t.free or t == x:
        return True
    if t.tag in ("+", "*", "^", "exp", "log", "pow", "abs", "max", "min", "ite", "=", "<=", "<", "and", "or", "not"):
        return all(_measurable(part, x) for part in t.parts)
    if t.tag == "sum" and not any(x in end.free for end in t.parts[:2]):
        return _measurable(instantiate(t.parts[2], _index(t)), x)
    return False


@rule
def integral_affine(premises: Premises, integral: Term, scale: Term, offset: Term) -> Sequent:
    """c ≠ 0 gives ∫ f(c·x + d) dx = ∫ f(x) dx / |c| over the line, and one is integrable if the other is."""
    (f,) = take(premises, 1)
    need(f == unequal(scale, ZERO), "the premise is not c ≠ 0")
    (body,) = parts(integral, "line")
    moved = abstract(instantiate(body, plus(times(scale, POINT), offset)), POINT)
    both = [node("->", node("integrable", a), node("integrable", b)) for a, b in ((body, moved), (moved, body))]
    value = equal(node("line", moved), over(integral, node("abs", scale)))
    return conclude(premises, node("and", value, *both))


@rule
def gaussian_integral(premises: Premises, mean: Term) -> Sequent:
    """0 < s: e^{−(x−m)²/(2s²)} is integrable over the line, with the integral s·√(2π)."""
    (f,) = take(premises, 1)
    s = above_zero(f, "<")
    exponent = negative(over(power(minus(POINT, mean), 2), times(TWO, power(s, 2))))
    total = times(s, node("pow", times(TWO, node("pi")), number("1/2")))
    bell = node("exp", exponent)
    return conclude(premises, node("and", binder("integrable", POINT, bell), equal(binder("line", POINT, bell), total)))


@rule
def integral_of_sum(premises: Premises, total: Term) -> Sequent:
    """∀i (l ≤ i → i ≤ h → fᵢ integrable) gives: Σ fᵢ is integrable, and ∫ Σ fᵢ = Σ ∫ fᵢ; l and h do not depend on x."""
    (f,) = take(premises, 1)
    (inner,) = parts(total, "line")
    opened = instantiate(inner, POINT)
    low, high, body = parts(opened, "sum")
    need(POINT not in low.free | high.free, "the range depends on the variable")
    i = _index(total)
    each = instantiate(body, i)
    condition = node("->", at_most(low, i), node("->", at_most(i, high), binder("integrable", POINT, each)))
    need(f == binder("all", i, condition), "the premise does not say that every term is integrable")
    swapped = binder("sum", i, low, high, binder("line", POINT, each))
    return conclude(premises, node("and", node("integrable", inner), equal(total, swapped)))


# least upper and greatest lower bounds over low < t, and over low < t < high


def _extremum(premises: Premises, x: Term, ends: list[Term]) -> tuple[Sequent, Term, Term, str]:
    """From the premise f(t) ≤ c (then "sup") or c ≤ f(t) ("inf"), which may assume that t is in the interval: it, f, c, the sup or inf."""
    need(len(ends) in (1, 2), "expected one or two ends")
    a, b = real(premises[0].formula, "<=")
    need((x in a.free) != (x in b.free), "one side must be a constant")
    f, c, tag = (a, b, "sup") if x in a.free else (b, a, "inf")
    inside = conclude(premises[:1], premises[0].formula, without=interval(ends, x))
    arbitrary(x, inside.hypotheses, *ends)
    return inside, f, c, tag if len(ends) == 2 else f"{tag}_above"


def _ordered(tag: str, small: Term, large: Term) -> Term:
    """small ≤ large for a sup, large ≤ small for an inf."""
    return at_most(small, large) if tag.startswith("sup") else at_most(large, small)


@rule
def extremum_bound(premises: Premises, variable: Variable, ends: list[Term]) -> Sequent:
    """f(t) ≤ c for a < t < b, and a < b, give sup f ≤ c; c ≤ f(t) gives c ≤ inf f. Without b, the interval is a < t."""
    order = take(premises, len(ends))[1:]
    inside, f, c, tag = _extremum(premises, variable, ends)
    need(order == ([below(*ends)] if order else []), "the second premise is not a < b")
    return conclude([inside, *premises[1:]], _ordered(tag, binder(tag, variable, *ends, f), c))


@rule
def extremum_reached(premises: Premises, variable: Variable, ends: list[Term], at: Term) -> Sequent:
    """f(t) ≤ c for a < t < b, and a < u, u < b, give f(u) ≤ sup f; c ≤ f(t) gives inf f ≤ f(u). Without b, likewise.

    With a derivative of f at u for the second premise, f is continuous there, and a ≤ u, u ≤ b and a < b are enough.
    """
    need(premises, "expected a premise")
    inside, f, _, tag = _extremum(premises, variable, ends)
    order, wanted = [p.formula for p in premises[1:]], interval(ends, at)
    if order and order[0].tag == "deriv":
        point, _, body = order.pop(0).parts
        need(point == at and body == abstract(f, variable), "the second premise is no derivative of f at u")
        nonempty = [below(*ends)] if len(ends) == 2 else []
        wanted = [at_most(ends[0], at), *(at_most(at, b) for b in ends[1:]), *nonempty]
    need(order == wanted, "the other premises do not say that u lies in the interval")
    return conclude([inside, *premises[1:]], _ordered(tag, substitute(f, {variable: at}), binder(tag, variable, *ends, f)))


@rule
def extremum_multiple(premises: Premises, extremum: Term, factor: Term) -> Sequent:
    """0 < c gives sup (c·f) = c·sup f, and the same for inf; it holds where f is unbounded too, for both sides are 0 then."""
    (g,) = take(premises, 1)
    need(g == below(ZERO, factor) and extremum.tag in EXTREMA and not factor.loose, "the premise is not 0 < c")
    *ends, body = extremum.parts
    return conclude(premises, equal(node(extremum.tag, *ends, times(factor, body)), times(factor, extremum)))
