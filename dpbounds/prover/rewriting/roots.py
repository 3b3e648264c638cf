"""Square roots of squares: √(a²b²) = |a|·|b|, by cases on the signs of the factors."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, equal, exponent_of, negative, node, number, power, times, variable

if TYPE_CHECKING:
    from dpbounds.prover.rewriting.arithmetic import ProofSearch

HALF = number("1/2")


def roots(search: ProofSearch, t: Term) -> list[int]:
    """√(Π aᵢ²) = Π |aᵢ| and |−aᵢ| = |aᵢ| for a term √(Π aᵢ²); nothing for another."""
    if t.tag != "pow" or t.parts[1] != HALF:
        return []
    squares = _factors(t.parts[0])
    if any(f.tag != "^" or exponent_of(f) != 2 for f in squares):
        return []
    moduli = [node("abs", f.parts[0]) for f in squares]
    product = reduce(times, moduli)
    known = [sizes(search, f.parts[0]) for f in squares]
    others = [[power(a, 2) for a in moduli[:k]] + squares[k + 1 :] for k in range(len(squares))]
    multipliers = [reduce(times, rest, number(-1)) for rest in others]
    square = search.attempt("linear", *(k[0] for k in known), formula=equal(t.parts[0], power(product, 2)), multipliers=multipliers)
    inside = None if square is None else search.attempt("congruence", square, term=t)
    positive = search.attempt("sign", formula=at_most(ZERO, product))
    if inside is None or positive is None:
        return []
    y = variable(search.fresh(), "R")
    moved = search.write("substitution", _root_of_square(search, y), terms={y: product}, functions={})
    whole = search.write("linear", inside, search.write("cut", moved, positive), formula=equal(t, product), multipliers=[ONE, ONE])
    return [whole, *(k[1] for k in known)]


def _factors(t: Term) -> list[Term]:
    return [f for part in t.parts for f in _factors(part)] if t.tag == "*" else [t]


def _root_of_square(search: ProofSearch, y: Term) -> int:
    """0 ≤ y ⊢ √(y²) = y."""
    write, goal = search.write, equal(node("pow", power(y, 2), HALF), y)
    start = write("total_order", left=y, right=ZERO)
    low, high = write.hypotheses(write.formula(start).parts)
    zero = write("antisymmetric", low, write.hypothesis(at_most(ZERO, y)))
    nothing = write("power_of_zero", write("sign", formula=node("<", ZERO, HALF)))
    empty = write("ring", nothing, formula=equal(node("pow", power(ZERO, 2), HALF), ZERO))
    back = write("linear", zero, formula=equal(ZERO, y), multipliers=[number(-1)])
    return write("cases", start, write("rewrite", empty, back), write("ring", high, formula=goal))


def sizes(search: ProofSearch, a: Term) -> list[int]:
    """|a|² = a² and |−a| = |a|."""
    write, size, mirrored = search.write, node("abs", a), node("abs", negative(a))
    start = write("total_order", left=a, right=ZERO)
    goals = [equal(power(size, 2), power(a, 2)), equal(mirrored, size)]
    branches = []
    for k, side in zip(write.hypotheses(write.formula(start).parts), (negative(a), a), strict=True):
        sign = write("linear", k, formula=at_most(ZERO, side), multipliers=[ONE])
        same = search.opened(write("absolute", sign))
        plain, turned = same if side == a else same[::-1]
        plain = write("linear", plain, formula=equal(size, side), multipliers=[ONE])
        ends = [
            write("linear", plain, formula=goals[0], multipliers=[node("+", size, side)]),
            write("linear", turned, plain, formula=goals[1], multipliers=[ONE, number(-1)]),
        ]
        branches.append(write("conjunction", *ends))
    return search.opened(write("cases", start, *branches))
