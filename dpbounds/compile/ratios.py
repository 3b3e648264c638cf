"""0 ≤ h with fewer variables: cases in which a mass is 0, ratios of masses, and the chord of a concave function.

What families leave of a claim is often homogeneous in the entries at one place, and its premises bound their ratio.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Symbol

from dpbounds.compile.trials import gap_of, scales, vanishes
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, power, times

if TYPE_CHECKING:
    from dpbounds.compile.one_term import OneTerm


def by_vanishing(prover: OneTerm, h: Any, goal: Term, depth: int) -> int | None:
    """By whether a variable is 0 at which a logarithm, a power or a divisor of h is."""
    s = next(iter(vanishing(h)), None)
    if s is None:
        return None
    formula = below(ZERO, prover.term(s))
    above = [k for r, k in prover.facts if gap_of(r) is not None and r.gts == s and (r.lts.is_positive or r.lts == 0)]
    least = next((k for step in above if (k := prover.steps.sum_of(formula, [step], prover.known)) is not None), None)
    if least is not None:
        return prover.in_branch(h, sympy.Lt(0, s, evaluate=False), least, [], goal, depth)
    return split_at_zero(prover, h, s, goal, depth)


def split_at_zero(prover: OneTerm, h: Any, s: Symbol, goal: Term, depth: int) -> int | None:
    """By whether a variable that is ≥ 0 is 0."""
    steps, gone, equations = prover.steps, value_at_zero(h, s), []
    if gone is None:
        return None
    for exponent in exponents(h, s):
        least = prover.positive(exponent)
        if least is None:
            return None
        equations.append(steps.write("power_of_zero", least))
    split = steps.write("total_order", left=prover.term(s), right=ZERO)
    zero, some = steps.formula(split).parts
    second = prover.in_branch(h, sympy.Lt(0, s, evaluate=False), steps.assume(some), [], goal, depth)
    if second is None:
        return None
    first = prover.in_branch(gone, sympy.Le(s, 0, evaluate=False), steps.assume(zero), equations, goal, depth)
    return None if first is None else steps.attempt("cases", split, first, second)


def exponents(h: Any, s: Symbol) -> list[Any]:
    """The exponents, which are no integers, of a variable and of what is 0 where it is."""
    powers = (a for a in h.atoms(sympy.Pow) if not a.exp.is_Integer and a.base.has(s))
    return sorted({a.exp for a in powers if a.base == s or value_at_zero(a.base, s) == 0}, key=str)


def vanishing(h: Any) -> list[Symbol]:
    """Variables that may be 0, where h has a logarithm, a power with a real exponent or a divisor that is then one of 0."""
    found = set()
    for a in h.atoms(sympy.log, sympy.Pow):
        base = a.args[0]
        if isinstance(a, sympy.Pow) and (a.exp.is_Integer and a.exp.is_positive or base.is_Number):
            continue
        for s in base.free_symbols:
            if s.is_nonnegative and not s.is_positive and (base == s or value_at_zero(base, s) == 0):
                found.add(s)
    return sorted(found, key=str)


def value_at_zero(e: Any, s: Symbol) -> Any:
    """e where s = 0, with 1/0 = 0 and a logarithm of 0 that is multiplied by 0; None where that does not make sense."""
    marks: dict[Any, Any] = {}

    def value(t: Any) -> Any:
        if t == s:
            return sympy.S.Zero
        if not t.has(s):
            return t
        args = [value(a) for a in t.args]
        if isinstance(t, sympy.log) and args[0] == 0:
            return marks.setdefault(t, sympy.Dummy("log_of_zero"))
        if isinstance(t, sympy.Pow) and args[0] == 0:
            return sympy.S.Zero if args[1].is_positive or args[1].is_negative and args[1].is_Integer else sympy.nan
        return t.func(*args)

    found = value(e)
    if found.free_symbols & set(marks.values()):
        found = sympy.expand(found)
    return None if found.has(sympy.nan, sympy.zoo, sympy.oo) or found.free_symbols & set(marks.values()) else found


def by_ratio(prover: OneTerm, h: Any, goal: Term, depth: int) -> int | None:
    """h(p, q) = q·h(p/q, 1), where the premises speak of ratios too, if need be with parameters that scale likewise."""
    used = [s for s in prover.entries if s in h.free_symbols]
    pivot = next((s for s in reversed(used) if s.is_positive), None)
    if pivot is None or len(used) < 2 or h.has(sympy.Abs, sympy.Piecewise):  # |1 − x| is not |x − 1| to the checker, p/q ≤ 0 not p ≤ 0
        return None
    gaps = [gap for r, _ in prover.facts if (gap := gap_of(r)) is not None and gap.free_symbols & set(used) and len(gap.free_symbols) > 1]
    beside = {s for gap in gaps for s in gap.free_symbols if not s.is_integer} - set(prover.entries)
    for more in ([], sorted(beside, key=str)) if beside else ([],):
        images = {pivot: sympy.S.One} | {s: _ratio(s) for s in (*prover.entries, *more) if s != pivot}
        if scales(h, images, pivot, 1) and all(_degree(gap, images, pivot) is not None for gap in gaps):
            return _by_ratios(prover, h, pivot, images, goal, depth)
    return None


def _ratio(s: Symbol) -> Symbol:
    return Symbol(
        f"{s.name}_ratio", **{"positive": True} if s.is_positive else {"nonnegative": True} if s.is_nonnegative else {"real": True}
    )


def _degree(gap: Any, images: Mapping[Any, Any], pivot: Symbol) -> int | None:
    return next((d for d in (1, 0) if scales(gap, images, pivot, d)), None)


def _by_ratios(prover: OneTerm, h: Any, pivot: Symbol, images: Mapping[Any, Any], goal: Term, depth: int) -> int | None:
    steps, q, least = prover.steps, prover.term(pivot), prover.positive(pivot)
    if least is None:
        return None
    inner, terms, own = prover.inner(("ratios", tuple(images.items())), partial(_in_ratios, prover, pivot, images))
    shown = inner.shown(h.xreplace(images), depth)
    if shown is None:
        return None
    shown = steps.write("substitution", shown, terms=terms, functions={})
    shown = _discharged(prover, shown, own, least, q)
    return prover.total(goal, [shown], [pivot], [least])


def _in_ratios(prover: OneTerm, pivot: Symbol, images: Mapping[Any, Any]) -> tuple[OneTerm, Mapping[Term, Term], Sequence[tuple[int, int]]]:
    """What the premises say of ratios, what these are, and the premises with their degrees."""
    steps, q = prover.steps, prover.term(pivot)
    symbols = dict(prover.symbols) | {image: steps.fresh("ratio") for image in images.values() if image.is_Symbol}
    terms = {symbols[image]: times(prover.term(s), power(q, -1)) for s, image in images.items() if image.is_Symbol}
    facts, own = [], []
    reader = type(prover)(steps, symbols, ()).read
    for relation, step in prover.facts:
        if not relation.free_symbols & set(images):
            facts.append((relation, step))
            continue
        gap = gap_of(relation)
        degree = None if gap is None else _degree(gap, images, pivot)
        if degree is None or not relation.xreplace(images).free_symbols & set(images.values()):
            continue
        moved = type(relation)(*(a.xreplace(images) for a in relation.args), evaluate=False)
        facts.append((moved, steps.assume(reader.formula(moved))))
        own.append((step, degree))
    for s in images.values():
        if s.is_nonnegative and s.is_Symbol and not any(r.free_symbols == {s} and r.lts == 0 for r, _ in facts):
            relation = (sympy.Gt if s.is_positive else sympy.Ge)(s, 0, evaluate=False)
            facts.append((relation, steps.assume(reader.formula(relation))))
    inner = type(prover)(steps, symbols, facts, prover.patience)
    inner.equations = list(prover.equations)
    return inner, terms, own


def _discharged(prover: OneTerm, step: int, own: Sequence[tuple[int, int]], least: int, q: Term) -> int:
    """A step about ratios under the premises about masses."""
    steps, shown = prover.steps, []
    known = {steps.formula(k) for k in prover.known}
    for f in steps.write.steps[step].hypotheses:
        if f in known:
            continue
        tries = (steps.attempt("linear", k, *prover.known, formula=f, multipliers=[power(q, -d)]) for k, d in own)
        found = next((k for k in tries if k is not None), None)
        found = found if found is not None else steps.attempt("sign", least, *prover.known, formula=f)
        if found is not None:
            shown.append(found)
    return steps.write("cut", step, *shown) if shown else step


def by_chord(prover: OneTerm, h: Any, goal: Term, depth: int) -> int | None:
    """A concave h lies above its chord: h(x) is a mean of h(a) + G(a) and h(b) + G(b), where G(u) = h(x) + h'(x)(u − x) − h(u) ≥ 0."""
    if depth > 1:
        return None
    for x in sorted((s for s in h.free_symbols if not s.is_integer), key=lambda s: (not s.name.endswith("_ratio"), s.name)):
        lows, highs = ends_of(prover.facts, x)
        parts = _concave_parts(prover, h, x) if lows and highs else None
        pairs = list(itertools.product(lows, highs)) if parts is not None else []
        like = [(a, b) for a, b in pairs if a.free_symbols <= b.free_symbols or b.free_symbols <= a.free_symbols]
        for a, b in sorted(like, key=lambda p: (p[0] == 0, p[0].free_symbols != p[1].free_symbols)):  # ends of one kind first
            if parts is not None and (found := _between(prover, h, x, parts, a, b, goal, depth)) is not None:
                return found
    return None


def _concave_parts(prover: OneTerm, h: Any, x: Symbol) -> list[tuple[Any, Any, int]] | None:
    """h less an affine function as Σ c·ψ, with c ≥ 0 and a step that says so, where ψ is log u, −u log u, −e^u, −1/x or ±x^r, if any."""
    plain = sympy.expand(sympy.expand_log(sympy.expand(h), force=True))
    found, rest = [], plain
    for log in sorted((a for a in plain.atoms(sympy.log) if a.has(x)), key=str):
        u, c = log.args[0], plain.coeff(log)
        if not u.is_polynomial(x) or sympy.degree(u, x) != 1 or c.has(sympy.log):
            return None
        rest = sympy.expand(rest - sympy.expand(c * log))
        slope = sympy.cancel(sympy.diff(c, x) / sympy.diff(u, x))
        found += [(sympy.factor(k), part) for k, part in ((sympy.expand(c - slope * u), log), (-slope, -u * log)) if k != 0]
    for power_, part in ((sympy.sqrt(x), sympy.sqrt(x)), (1 / x, -1 / x)):
        c = rest.coeff(power_)
        rest = sympy.expand(rest - c * power_)
        if c != 0:
            found.append((c * power_ / part, part))
    rest = sympy.powsimp(rest, combine="exp")
    for grown in sorted((a for a in rest.atoms(sympy.exp) if a.has(x)), key=str):
        c = -rest.coeff(grown)
        if not grown.args[0].is_polynomial(x) or sympy.degree(grown.args[0], x) != 1 or c.has(x):
            return None
        rest = sympy.expand(rest + c * grown)
        found.append((c, -grown))
    for power_ in sorted((a for a in rest.atoms(sympy.Pow) if a.base == x and not a.exp.is_Integer or a == x**2), key=str):
        c = rest.coeff(power_)
        rest = sympy.expand(rest - c * power_)
        found.append((-c, -power_) if prover.refuted(c) else (c, power_))
    if not rest.is_polynomial(x) or sympy.degree(rest, x) > 1 or not found and not rest.has(x) or any(c.has(x) for c, _ in found):
        return None
    signs = [prover.shown(c, 2) for c, _ in found]
    return None if None in signs else [(c, part, k) for (c, part), k in zip(found, signs, strict=True) if k is not None]


def _below_tangent(prover: OneTerm, part: Any, x: Symbol, end: Any) -> tuple[int | None, Any]:
    """A step that says ψ(x) + ψ'(x)(u − x) − ψ(u) ≥ 0 at an end, and what it is multiplied by."""
    if part == -(x**2):
        return prover.steps.write.square(prover.term(x - end)), sympy.S.One
    if part == sympy.sqrt(x):
        return prover.steps.write.square(prover.term(1 - sympy.sqrt(end) / sympy.sqrt(x))), sympy.sqrt(x) / 2
    if part == -1 / x:
        return prover.steps.write.square(prover.term(end / x - 1)), 1 / end
    if isinstance(-part, sympy.exp):
        u = (-part).args[0]
        return prover.steps.write("exp_above", term=prover.term(u.subs(x, end) - u)), sympy.exp(u)
    log = next(iter(part.atoms(sympy.log)), None)
    if log is None:
        return prover.shown(_tidy(part + sympy.diff(part, x) * (end - x) - part.subs(x, end)), 2, descend=False), sympy.S.One
    u = log.args[0]
    exponent = sympy.log(u.subs(x, end)) - sympy.log(u)
    if part == log:
        return prover.steps.write("exp_above", term=prover.term(exponent)), sympy.S.One
    return prover.steps.write("exp_above", term=prover.term(-exponent)), u.subs(x, end)


def _between(
    prover: OneTerm, h: Any, x: Symbol, parts: Sequence[tuple[Any, Any, int]], a: Any, b: Any, goal: Term, depth: int
) -> int | None:
    """0 ≤ h between two ends at which it is ≥ 0."""
    at_ends = [value_at_zero(h, x) if end == 0 else _tidy(h.subs(x, end)) for end in (a, b)]
    at_ends = [sympy.factor(e.rewrite(sympy.exp)) if e is not None and e.has(sympy.sinh, sympy.cosh, sympy.tanh) else e for e in at_ends]
    if any(e is None or e.has(sympy.nan, sympy.zoo, sympy.oo) or prover.refuted(e) for e in at_ends):
        return None
    at_ends = [sympy.S.Zero if vanishes(e) else e for e in at_ends]
    if a == b:
        return _at_point(prover, x, a, at_ends[0], goal, depth)
    width = prover.strictly_positive(b - a)
    if width is None:
        s = next((s for s in sorted((b - a).free_symbols, key=str) if s.is_nonnegative and value_at_zero(b - a, s) == 0), None)
        return None if s is None or s.is_positive else split_at_zero(prover, h, s, goal, depth)
    steps, shown, weights, facts = prover.steps, [], [], [width]
    for end, value, share in zip((a, b), at_ends, (b - x, x - a), strict=True):
        least, distance = prover.shown(value, depth + 1), prover.shown(share, depth + 1)
        if least is None or distance is None:
            return None
        rows: list[tuple[int, list[Any], list[int]]] = [(least, [], [])]
        for c, part, sign in parts:
            if end != 0 or _is_smooth_at_zero(part, x):
                step, factor = _below_tangent(prover, part, x, end)
                if step is None:
                    return None
                rows.append((step, [c, factor], [sign]))
                inside = {u for log in part.atoms(sympy.log) for u in (log.args[0], log.args[0].subs(x, end))}
                facts += [k for u in sorted(inside, key=str) if not u.is_positive and (k := prover.strictly_positive(u)) is not None]
            elif part != -x * sympy.log(x):  # what it says at 0 is 0 ≤ x
                return None
        for step, factors, signs in rows:
            weight = sympy.Mul(share, *factors, sympy.Pow(b - a, -1, evaluate=False), evaluate=False)
            least = steps.attempt("sign", *signs, distance, width, *prover.known, formula=at_most(ZERO, prover.term(weight)))
            if least is None:
                return None
            shown.append(step)
            weights.append(weight)
            facts.append(least)
    return prover.total(goal, shown, weights, facts)


def _is_smooth_at_zero(part: Any, x: Symbol) -> bool:
    """Whether −e^u, −x² or a logarithm has a tangent at 0."""
    logs = part.atoms(sympy.log)
    return isinstance(-part, sympy.exp) or part == -(x**2) or bool(logs) and all(log.args[0].subs(x, 0) != 0 for log in logs)


def _at_point(prover: OneTerm, x: Symbol, a: Any, value: Any, goal: Term, depth: int) -> int | None:
    """0 ≤ h at the only point that the premises leave."""
    steps, orders = prover.steps, []
    for low, high in ((x, a), (a, x)):
        formula = at_most(prover.term(low), prover.term(high))
        tries = (steps.attempt("linear", k, *prover.known, formula=formula, multipliers=[ONE]) for k in prover.known)
        orders.append(next((k for k in tries if k is not None), None))
    shown = prover.shown(value, depth + 1)
    if shown is None or None in orders:
        return None
    same = steps.write("antisymmetric", *(k for k in orders if k is not None))
    return prover.total(goal, [shown], [1], [same])


def ends_of(facts: Sequence[tuple[Any, int]], x: Symbol) -> tuple[list[Any], list[Any]]:
    """What the premises say that x lies above and below, where its factor has a sign."""
    lows: dict[Any, None] = {}
    highs: dict[Any, None] = {}
    for relation, _ in facts:
        gap = gap_of(relation)
        gap = None if gap is None else sympy.expand(gap)
        if gap is None or not gap.is_polynomial(x) or sympy.degree(gap, x) != 1:
            continue
        factor = gap.coeff(x, 1)
        end = sympy.powsimp(sympy.expand(-gap.coeff(x, 0) / factor))
        if factor.is_positive:
            lows[end] = None
        elif (-factor).is_positive:
            highs[end] = None
    return sorted(lows, key=lambda e: e == 0), list(highs)


def _tidy(e: Any) -> Any:
    return sympy.powsimp(sympy.expand(sympy.expand_log(e, force=True)))
