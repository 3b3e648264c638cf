"""Divergences of families that may be infinite on the larger side of a ≤ b, where a ≤ b then holds whatever else is there.

D(p ‖ q) = Σ_i d_i has d_i = 0 where p_i = 0, d_i = ∞ where q_i = 0 < p_i, and a number elsewhere. Let each divergence stand in a sum as
c·D with c > 0, or b have one divergence D alone, as c·f(D), where f is D^r with a number r > 0 or e^{rD}. Where q_i = 0 < p_i for a
divergence of b, b is ∞: nothing in b is −∞, for masses are not negative, and the logarithm in a Rényi divergence has some mass of p. And
∞ ≥ a if a has a value. So it is enough to show a ≤ b where q_i > 0 for every i with p_i > 0, for all divergences of b. What else stands in
a and b must have a value in either case.
"""

from __future__ import annotations

from collections.abc import Iterable

from dpbounds.kernel import terms as kernel
from dpbounds.kernel.definedness import obligations
from dpbounds.kernel.terms import ZERO, below, implies, plus
from dpbounds.language.typed.checker_terms import DIVIDING, TypedReading
from dpbounds.logic.terms import Term, number, walk


def where_finite(read: TypedReading, then: Term) -> tuple[list[kernel.Term], list[kernel.Term]] | None:
    """q_i > 0 where p_i > 0, which may be assumed, and what must follow without that; None where nothing may be assumed."""
    if then.tag not in ("<=", ">="):
        return None
    small, large = then.parts if then.tag == "<=" else then.parts[::-1]
    alone = sum(map(_is_of_family, walk(large))) == 1
    assumed, asked = list[kernel.Term](), list[kernel.Term]()
    for side in (small, large):
        for part in _summands(side):
            if not _has_divergence(part):
                asked += obligations(read.term(part))
                continue
            found = _divergence_in(part, deep=alone and side is large)
            if found is None:
                return None
            divergence, factors = found
            asked += [o for c in factors for o in (below(ZERO, read.term(c)), *obligations(read.term(c)))]
            finite, needs = _laws(read, divergence)
            assumed += [finite] if side is large else []
            asked += needs
    return (assumed, asked) if assumed else None


def _laws(read: TypedReading, divergence: Term) -> tuple[kernel.Term, list[kernel.Term]]:
    """That q > 0 where p > 0, and what both laws must be."""
    low, high = map(read.term, divergence.parts[:2])
    with read.opened(divergence) as (i, parts):
        p, q = map(read.term, parts)
        finite = read.throughout(implies([below(ZERO, p)], below(ZERO, q)))
        both, mass = (kernel.binder("sum", i, low, high, body) for body in (plus(p, q), p))
    return finite, [*obligations(both), *([below(ZERO, mass)] if divergence.tag == "RenyiDivergence" else [])]


def _is_of_family(t: Term) -> bool:
    return t.tag in DIVIDING and t.hint is not None and t.hint[1] == "Z"


def _has_divergence(t: Term) -> bool:
    return any(map(_is_of_family, walk(t)))


def _summands(t: Term) -> list[Term]:
    return [found for part in t.parts for found in _summands(part)] if t.tag == "+" else [t]


def _factors(t: Term) -> list[Term]:
    return [number(-1), *_factors(t.parts[0])] if t.tag == "neg" else list(t.parts) if t.tag == "*" else [t]


def _divergence_in(part: Term, *, deep: bool) -> tuple[Term, list[Term]] | None:
    """D and the factors of c·D, or of c·f(c'·D) where that is enough; they must all be positive."""
    inner = [f for f in _factors(part) if _has_divergence(f)]
    others = [f for f in _factors(part) if not _has_divergence(f)]
    if len(inner) != 1 or _is_of_family(inner[0]):
        return (inner[0], others) if len(inner) == 1 else None
    found = _divergence_in(inside, deep=False) if deep and (inside := _grown(inner[0])) is not None else None
    return None if found is None else (found[0], [*others, *found[1]])


def _grown(f: Term) -> Term | None:
    """x of √x, of x^r with a number r > 0, and of e^x: ∞ where x is, and never −∞."""
    if f.tag in ("sqrt", "exp"):
        return f.parts[0]
    if f.tag != "**":
        return None
    base, exponent = f.parts
    return exponent if base.tag == "E" else base if exponent.tag == "number" and exponent.data[0] > 0 else None


def laws_that_divide(parts: Iterable[Term]) -> bool:
    """Whether there is a divergence in them whose summand is 0 where its mass of p is, and no number where its mass of q is."""
    return any(node.tag in DIVIDING for part in parts for node in walk(part))
