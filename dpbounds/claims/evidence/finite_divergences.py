"""Divergences of families whose masses may be 0, in finite terms: what the proof checker shows of these, the claim says.

D(p ‖ q) = Σ_i d_i over i = 1, …, n has d_i = 0 where p_i = 0, d_i = ∞ where q_i = 0 < p_i, and a number elsewhere. So D is the sum F of
`Piecewise((0, p_i ≤ 0), (d_i, True))` wherever q_i > 0 for every i with p_i > 0.

* Where q_i > 0 for every i by what q is, D = F without a condition, wherever D stands.
* Else for a conclusion a ≤ b without such a divergence in b: F is shown to have a value wherever the premises hold. It has one only where
  q_i > 0 for every i with p_i > 0, so it is D there, and nothing is asked of what stands beside it.
* Else for a conclusion a ≤ b in which each divergence of b stands as c·D with c > 0, or b has one divergence D alone, as c·f(D),
  where f is D^r with a number r > 0 or e^{rD}. Where q_i = 0 < p_i for a divergence of b, b is ∞: nothing in b is −∞. And ∞ ≥ a if a has a
  value. So it is enough to show a ≤ b where q_i > 0 for every i with p_i > 0, for all divergences of b. That those of a are finite there is
  shown too, for F asks for q_i > 0. What else stands in a and b must have a value in either case: it has no partial operation, and ranges
  run from 1 to a whole number ≥ 0, for a sum that ends more than one below its start has no value. The logarithm in a Rényi divergence
  needs some mass of p, which a premise must say: Σ p_i = 1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy
from sympy import Sum

from dpbounds.claims.claim import Claim
from dpbounds.language import functions
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import parts_of_and

_DIVIDING = (functions.KLDivergence, functions.RenyiMoment, functions.RenyiDivergence)


def in_finite_terms(claim: Claim) -> Claim:
    """The claim with sums for its divergences of families; the claim itself where that says less or nothing.

    >>> from dpbounds.language.symbols import family, index, positive_integer
    >>> i, n, p, q = index("i"), positive_integer("n"), family("p"), family("q", "positive")
    >>> said = Claim(id="a", text="", then=functions.KLDivergence(p[i], q[i], (i, 1, n)) >= -1)
    >>> in_finite_terms(said).then.lhs.function.args[0]
    (0, p[i] <= 0)
    """
    parts = (claim.then, *claim.given)
    found = sorted({d for part in parts for d in part.atoms(*_DIVIDING) if not d.is_table and d.args[3][0].is_integer}, key=str)
    if not found or not all(_is_measure(side, claim) for d in found for side in d.args[1:3]):
        return claim
    if not all(isinstance(d, functions.KLDivergence) or _is_order(d.args[0], claim) for d in found):
        return claim
    sure = [d for d in found if _is_sure(d.args[2])]
    rest = [d for d in found if d not in sure]
    then, given = claim.then, list(claim.given)
    if rest:
        if any(part.has(*rest) for part in given) or (premises := _premises(claim, rest)) is None:
            return claim
        given += premises
    values = {d: _finite(d) for d in found if d in rest or not _is_sure(d.args[1])}
    return replace(claim, then=_put(then, values), given=tuple(_put(g, values) for g in given), by=None, mutant=None, uses=(), witness={})


def _put(part: Any, values: dict[Any, Any]) -> Any:
    if not part.has(*values) if values else True:
        return part
    return functions.with_replaced(part, values)


def _finite(d: functions.Divergence) -> Any:
    """F, or log F/(α − 1)."""
    order, p, q, over = d.args
    if isinstance(d, functions.KLDivergence):
        term = sympy.Mul(p, sympy.Add(sympy.log(p), sympy.Mul(-1, sympy.log(q), evaluate=False), evaluate=False), evaluate=False)
    else:
        term = sympy.Mul(sympy.Pow(p, order, evaluate=False), sympy.Pow(q, 1 - order, evaluate=False), evaluate=False)
    absent = sympy.Le(p, 0, evaluate=False)
    total = Sum(term if _is_sure(p) else sympy.Piecewise((sympy.S.Zero, absent), (term, True), evaluate=False), over)
    return sympy.log(total) / (order - 1) if isinstance(d, functions.RenyiDivergence) else total


def _is_sure(mass: Any) -> bool:
    """Whether a mass is positive by what its family is."""
    return isinstance(mass, sympy.Indexed) and bool(mass.is_positive)


def _is_measure(mass: Any, claim: Claim) -> bool:
    """Whether a mass is not negative at sight: entries with coefficients that are not."""
    for part in sympy.Add.make_args(mass):
        factors = sympy.Mul.make_args(part)
        entries = [f for f in factors if isinstance(f, sympy.Indexed)]
        others = [f for f in factors if not isinstance(f, sympy.Indexed)]
        if len(entries) != 1 or not entries[0].is_nonnegative or not all(_is_nonnegative(f, claim) for f in others):
            return False
    return True


def is_mass(part: Any, claim: Claim) -> bool:
    """Whether a part is not negative at sight wherever it has a value: by what its symbols assume, as a sum or a product of such parts,
    as 1 − r with r ≤ 1, as an exponential, or as a power that only bases ≥ 0 have."""
    if part.is_nonnegative or isinstance(part, sympy.exp) or part.is_Pow and part.exp.is_Rational and not part.exp.is_Integer:
        return True
    if part.is_Symbol or isinstance(part, (sympy.Add, sympy.Mul)):
        return _is_nonnegative(part, claim) or bool(part.args) and all(is_mass(own, claim) for own in part.args)
    return isinstance(part, Sum) and is_mass(part.function, claim)


def _is_nonnegative(factor: Any, claim: Claim) -> bool:
    """A number or a variable that is not negative, by what it is or by a premise, or 1 − r with the premise r ≤ 1."""
    if factor.is_Rational or factor.is_Symbol:
        return bool(factor.is_nonnegative) or any(_says(g, factor, weak=True, low=0) for g in claim.given)
    r = 1 - factor
    return bool(r.is_Symbol) and any(_says(g, r, weak=True) for g in claim.given)


def _is_positive(factor: Any, claim: Claim) -> bool:
    """A number, a root of one or a variable that is positive, by what it is or by a premise, or 1 − r with the premise r < 1."""
    if factor.is_Rational or factor.is_Symbol:
        return bool(factor.is_positive) or any(_says(g, factor, weak=False, low=0) for g in claim.given)
    if factor.is_Pow and factor.base.is_Rational and factor.exp.is_Rational:
        return bool(factor.base > 0)
    r = 1 - factor
    return bool(r.is_Symbol) and any(_says(g, r, weak=False) for g in claim.given)


def _says(premise: Any, r: Any, *, weak: bool, low: int | None = None) -> bool:
    """Whether a premise says r ≤ 1, or low ≤ r; strictly unless that is enough."""
    kinds = (sympy.Lt, sympy.Gt, sympy.Le, sympy.Ge) if weak else (sympy.Lt, sympy.Gt)
    wanted = (r, sympy.S.One) if low is None else (sympy.Integer(low), r)
    return any(isinstance(p, kinds) and (p.lts, p.gts) == wanted for p in parts_of_and(premise))


def _premises(claim: Claim, rest: list[Any]) -> list[Any] | None:
    """q_i > 0 where p_i > 0, for the divergences of the larger side; None where the second case of the module does not apply."""
    if not isinstance(claim.then, (sympy.Le, sympy.Ge)):
        return None
    small, large = claim.then.lts, claim.then.gts
    for d in rest:
        if isinstance(d, functions.RenyiDivergence) and not any(_is_one(g, d) for g in claim.given):
            return None
    if not large.has(*rest):
        return []
    alone = sum(large.has(d) for d in rest) == 1
    for side, upper in ((small, False), (large, True)):
        for part in sympy.Add.make_args(side):
            if part.has(*rest):
                inner = [f for f in sympy.Mul.make_args(part) if f.has(*rest)]
                others = [f for f in sympy.Mul.make_args(part) if not f.has(*rest)]
                if len(inner) != 1 or not all(_is_positive(f, claim) for f in others):
                    return None
                if inner[0] not in rest and not (upper and alone and _grows(inner[0], rest)):
                    return None
            elif not _is_total(part):
                return None
    if not all(_is_forward(d.args[3]) for d in rest):
        return None
    found = []
    for d in (d for d in rest if large.has(d)):
        _, p, q, (i, _, high) = d.args
        condition = sympy.And(sympy.Le(i, high, evaluate=False), sympy.Gt(p, 0, evaluate=False), evaluate=False)
        found.append(ForAll(i, condition, sympy.Gt(q, 0, evaluate=False)))
    return found


def _is_order(order: Any, claim: Claim) -> bool:
    """Whether the order is above 1 by its value or by a premise."""
    if order.is_Rational:
        return bool(order > 1)
    said = (p for g in claim.given for p in parts_of_and(g) if isinstance(p, (sympy.Gt, sympy.Lt)))
    return bool(order.is_Symbol) and any(p.gts == order and p.lts == 1 for p in said)


def _grows(f: Any, rest: list[Any]) -> bool:
    """D^r or (cD)^r with numbers r, c > 0, or e^{rD}: ∞ where D is, and never −∞."""
    inside = f.base if f.is_Pow and f.exp.is_Rational and f.exp > 0 else f.args[0] if isinstance(f, sympy.exp) else None
    if inside is None:
        return False
    factors = sympy.Mul.make_args(inside)
    return sum(x in rest for x in factors) == 1 and all(x in rest or bool(x.is_Rational and x > 0) for x in factors)


def _is_forward(over: Any) -> bool:
    """Whether a range is 1, …, n with a whole number n ≥ 0 by what its symbols are."""
    i, low, high = over
    return bool(
        i.is_integer and i.is_positive and low == 1 and (high.is_Symbol or high.is_Integer) and high.is_integer and high.is_nonnegative
    )


def _is_total(part: Any) -> bool:
    """Whether a part has a value for all values of its variables: sums, products, |·|, max, min, exp, powers with natural exponents."""
    if part.is_Rational or part.is_Symbol or isinstance(part, sympy.Indexed):
        return bool(part.is_finite is not False)
    if isinstance(part, functions.HockeyStick) and not part.is_table:
        return _is_forward(part.args[3]) and all(map(_is_total, part.args[:3]))
    if isinstance(part, Sum):
        return len(part.limits) == 1 and _is_forward(part.limits[0]) and _is_total(part.function)
    if part.is_Pow:
        return bool(
            part.exp.is_Integer and part.exp > 0 or part.exp == sympy.S.Half and part.base.is_Indexed and part.base.is_nonnegative
        ) and (_is_total(part.base))
    return isinstance(part, (sympy.Add, sympy.Mul, sympy.exp, sympy.Abs, sympy.Max, sympy.Min)) and all(map(_is_total, part.args))


def _is_one(premise: Any, d: Any) -> bool:
    """Σ p_i = 1, or another sum of masses of p with a number > 0."""
    _, p, _, over = d.args
    return (
        isinstance(premise, sympy.Eq) and Sum(p, over) in premise.args and any(bool(side.is_Rational and side > 0) for side in premise.args)
    )
