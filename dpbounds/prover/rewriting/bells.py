"""Bells, the Gaussians below what is integrated: found in an expression and kept with the steps that show their integrals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, binder, instantiate, node, substitute
from dpbounds.language.functions import Divergence

if TYPE_CHECKING:
    from dpbounds.prover.rewriting.documents import Emission


def gaussian_parts(f: Any, x: Any) -> tuple[Any, Any, Any] | None:
    """(C, m, s) with f = C·e^{−(x−m)²/(2s²)}, or None."""
    found = collected(f, x)
    if found is None:
        return None
    outside, exponent = found
    try:
        a, b, c = sympy.Poly(sympy.expand(exponent), x).all_coeffs()
    except (sympy.PolynomialError, ValueError):
        return None
    s = sympy.sqrt(sympy.simplify(-1 / (2 * a)))
    m = sympy.simplify(-b / (2 * a))
    return outside * sympy.exp(sympy.simplify(c - b**2 / (4 * a))), m, s


def collected(f: Any, x: Any) -> tuple[Any, Any] | None:
    """(C, E) with f = C·e^E and C without x, through products and powers."""
    if not f.has(x):
        return f, sympy.S.Zero
    if isinstance(f, sympy.exp):
        return sympy.S.One, f.args[0]
    if isinstance(f, sympy.Pow) and not f.exp.has(x):
        inner = collected(f.base, x)
        return None if inner is None else (inner[0] ** f.exp, inner[1] * f.exp)
    if isinstance(f, sympy.Mul):
        parts = [collected(factor, x) for factor in f.args]
        if None in parts:
            return None
        return sympy.Mul(*[p[0] for p in parts if p]), sympy.Add(*[p[1] for p in parts if p])
    return None


def register(e: Emission, f: Any, x: Any, known: Sequence[int]) -> None:
    """Bells below the terms of a function, powers of sums apart, for what is integrable."""
    for term in [t for part in (f.args if isinstance(f, sympy.Max) else (f,)) for t in sympy.Add.make_args(part)]:
        split = _powers_of_sums(term, x)
        others = sympy.Mul(*(t for t in sympy.Mul.make_args(term) if t != split[0])) if split else term
        parts = [others * part ** split[0].exp for part in split[0].base.args] if split else []
        if parts and all(len(_powers_of_sums(part, x)) < len(split) for part in parts):
            for part in parts:
                register(e, part, x, known)
        elif gaussian(e, term, x, known) is None:
            for part in sympy.Add.make_args(sympy.expand(term)):
                gaussian(e, part, x, known)


def _powers_of_sums(term: Any, x: Any) -> list[Any]:
    """The factors (u + v)^r that depend on x, r being no whole number."""
    powers = [t for t in sympy.Mul.make_args(term) if isinstance(t, sympy.Pow) and isinstance(t.base, sympy.Add)]
    return [t for t in powers if t.base.has(x) and not t.exp.is_Integer]


def register_read(e: Emission, known: Sequence[int]) -> None:
    """Bells below the integrands of all statements that were read."""
    for f, x in dict.fromkeys(pair for whole in e.read.seen for pair in _integrands(whole)):
        if (f, x) not in e.registered:
            before = len(e.bells)
            register(e, f, x, known)
            if len(e.bells) > before:
                e.registered.add((f, x))


@lru_cache(maxsize=4096)
def _integrands(whole: Any) -> tuple[tuple[Any, Any], ...]:
    """What is integrated in an expression, and over which variable: of a divergence its densities, and p^α q^(1−α)."""
    found = [(part.function, part.limits[0][0]) for part in whole.atoms(sympy.Integral)]
    for order, p, q, (x, *_) in (d.args for d in whole.atoms(Divergence)):
        found += [(f, x) for f in (p, q, p**order * q ** (1 - order)) if not x.is_integer]
    return tuple(found)


def gaussian(e: Emission, f: Any, x: Any, known: Sequence[int]) -> tuple[int, int, Term] | None:
    """Steps for integrability and value of the bell below f, and the factor between them."""
    found = gaussian_parts(f, x)
    if found is None:
        return None
    c, m, s = found
    positive = e.search.prove(below(ZERO, e.read.term(s)), [*known, *e.signs_of([e.read.term(s)])])
    if positive is None:
        return None
    integrable, value = e.search.opened(e.write("gaussian_integral", positive, mean=e.read.term(m)))
    factor = e.read.term(c)
    e.bells.append((integrable, value, factor))
    return integrable, value, factor


def fitting(e: Emission, step: int, factor: Term, body: Term) -> tuple[int, Term]:
    """A bell and its factor with the index of the body for an index of its own."""
    own, there = e.write.formula(step).free | factor.free, body.free
    mine = [v for v in own - there if isinstance(v, Term) and v.sort == "Z"]
    others = [v for v in there - own if isinstance(v, Term) and v.sort == "Z"]
    others = others if len(others) == 1 else [v for v in others if v not in e.read.symbols.values()]  # an index is no symbol
    if len(mine) != 1 or len(others) != 1:
        return step, factor
    terms = {mine[0]: others[0]}
    return e.write("substitution", step, terms=terms, functions={}), substitute(factor, terms)


def each_integrable(e: Emission, x: Term, body: Term, known: Sequence[int]) -> int | None:
    """∀i (l ≤ i → i ≤ h → fᵢ integrable)."""
    low, high, inner = body.parts
    i = e.read.fresh("i", "Z")
    ends = [node("<=", low, i), node("<=", i, high)]
    step = _from_two(e, x, instantiate(inner, i), i, low, [*known, *e.write.hypotheses(ends)])
    if step is None:
        return None
    for end in reversed(ends):
        step = e.write("discharge", step, formula=end)
    return e.write("generalize", step, variable=i)


def _from_two(e: Emission, x: Term, body: Term, i: Term, low: Term, known: Sequence[int]) -> int | None:
    """f is integrable, for i = 0, i = 1 and i ≥ 2 apart where i starts at 0 and nothing shows it for all."""
    goal = binder("integrable", x, body)
    step = e.search.integrable(goal, known)
    if step is not None or low != ZERO:
        return step
    starts, branches = list[int](), list[int]()
    for least in (ZERO, ONE):  # i ≤ 0 or 0 < i, and then the same with 1
        start = e.write("total_order", left=i, right=least)
        small, large = e.write.hypotheses(e.write.formula(start).parts)
        same = e.write("antisymmetric", small, e.write.hypothesis(at_most(least, i)))
        starts.append(start)
        found = e.search.integrable(goal, [*known, small, same])
        if found is None:
            return None
        branches.append(found)
        known = [*known, large, e.write("next_integer", large)]
    last = e.search.integrable(goal, known)
    if last is None:
        return None
    next_one = e.write("next_integer", e.write.hypothesis(below(ZERO, i)))
    one = e.write("cut", branches[1], e.write("linear", next_one, formula=at_most(ONE, i), multipliers=[ONE]))
    return e.write("cases", starts[0], branches[0], e.write("cases", starts[1], one, last))
