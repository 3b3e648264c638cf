"""What is left of a claim that stays UNDECIDED, where the boxes got stuck and why, and the next thing to try.

Nothing here decides anything: values at a few points only choose the words.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.claims.boxes.narrower import narrower, smaller_first, tables
from dpbounds.claims.domain import Domain
from dpbounds.claims.plans import Counterexample, Proof, Search
from dpbounds.claims.statement import instance
from dpbounds.errors import DPBoundsError
from dpbounds.language import definedness, enclose, functions
from dpbounds.language.binders import conditions_of_range
from dpbounds.language.symbols import facts_of
from dpbounds.numbers import balls

if TYPE_CHECKING:
    from dpbounds.claims.boxes.tree import SearchedCover
    from dpbounds.claims.claim import Claim
    from dpbounds.claims.outcome import Outcome

_BITS = 160
_TIE = Fraction(1, 10**30)
_CLOSE = Fraction(1, 10**4)
"""A side so near to an end of its variable, relative to the range, is described by its distance to that end."""
_LARGE = 16
"""From here on a value counts as far out on an unbounded range."""
_SHOWN = 3
_NO_VALUE = "the statement has no value"
_INSIDE = (Fraction(1, 3), Fraction(5, 8), Fraction(1, 7), Fraction(11, 13))

Point = dict[sympy.Symbol, sympy.Rational]


def advised(claim: Claim, outcome: Outcome) -> Outcome:
    """The outcome with the next thing to try."""
    step = _in_its_place(claim) or _written_out(claim) or smaller_first(claim, outcome.next_step or _general(claim, outcome.detail))
    return replace(outcome, next_step=step)


_NOISES = {functions.GaussianDelta: 1, functions.GaussianRenyi: 1, functions.SampledGaussianRenyi: 1, functions.SampledGaussianDelta: 1}
"""Quantities that fall as their noise grows (docs/monotonicity.md), and where they have it."""


def _in_its_place(claim: Claim) -> str:
    """Where a noise is a variable with a least value among the premises, and what is bounded from above falls in it: that value decides."""
    if not isinstance(claim.then, (sympy.Le, sympy.Lt)) or claim.by is not None:
        return ""
    for node in claim.then.lhs.atoms(*_NOISES):
        noise = node.args[_NOISES[type(node)]]
        if not isinstance(noise, sympy.Symbol) or noise in claim.then.rhs.free_symbols:
            continue
        for premise in claim.given:
            if isinstance(premise, (sympy.Ge, sympy.Eq)) and premise.lhs == noise:
                least = premise.rhs
            elif isinstance(premise, (sympy.Le, sympy.Eq)) and premise.rhs == noise:
                least = premise.lhs
            else:
                continue
            if least.free_symbols and noise not in least.free_symbols:
                return f"state it for {noise} = {least}, the least that the premise allows: {type(node).__name__} falls as {noise} grows"
    return ""


def _written_out(claim: Claim) -> str:
    """A sum between two numbers is decided as the sum of its terms."""
    for node in claim.then.atoms(sympy.Sum):
        index, first, last = node.limits[0]
        if len(node.limits) == 1 and first.is_Integer and last.is_Integer:
            body = f"sum(f({index}) for {index} in range({first}, {int(last) + 1}))"
            return f"write the sum from {first} to {last} out, in Python as {body} with a function f of your own"
    return ""


def forgotten(claim: Claim) -> str:
    """What the author of a refuted claim may have forgotten: that the families of a divergence are laws. Empty where nothing is known."""
    used = {base for node in claim.then.atoms(functions.Divergence) for base in node.atoms(sympy.IndexedBase)}
    known = {base for premise in claim.given for base in premise.atoms(sympy.IndexedBase)}
    names = ", ".join(sorted(str(base.label) for base in used - known))
    return f"{names}: without a premise these masses need not sum to one; laws are put among the premises, [{names}]" if names else ""


def _general(claim: Claim, reason: str) -> str:
    """By what the claim asks for and by what stopped it."""
    if isinstance(claim.by, Proof) and ("does not build" in reason or "has no proof document" in reason):
        return "the step that is named needs more: help(dpbounds.prover.rules) says what each rule takes; without evidence boxes are tried"
    if isinstance(claim.by, Proof):
        return "compare the conclusion of the derivation (`dpbounds derive NAME`) with the statement; without evidence boxes are tried"
    if isinstance(claim.by, Counterexample):
        return "leave out the evidence, and a point is searched for; if the claim may be true, give the evidence Boxes()"
    if isinstance(claim.by, Search):
        return "if the claim may be true, give the evidence Boxes(); or search longer, Search(tries=...)"
    if claim.families and (base := _logarithm_of_0(claim)) is not None:
        return (
            f'log({base}[i]) has no value where a mass is 0: take family("{base}", "positive") with the premise sums_to_one({base}, ...), '
            "or a KLDivergence, in which 0 log 0 is 0"
        )
    if claim.families:
        first = f"state it for two outcomes first, {tables(claim)}"
        return f"boxes need a fixed number of entries: {first}, or give a derivation as evidence, Proof(...)"
    if (length := _length_without_end(claim)) is not None and claim.by is not None:
        return (
            f"a sum of {length} terms for every {length}: leave the evidence out, then an induction is tried; boxes need an end of {length}"
        )
    if length is not None:
        return (
            f"a sum of {length} terms for every {length}: the induction from {length} to {length} + 1 did not come out. "
            f"State a sharper bound whose room falls with {length}, such as 2 - 1/{length} for 2, or give the evidence Proof(...) "
            f"with rules.induction, as in docs/write-a-proof.md; boxes settle it up to a number, such as {length} <= 100"
        )
    if isinstance(claim.then, sympy.Eq):
        return "an equality takes a derivation: the evidence Proof(...); `dpbounds derive` lists what is known"
    if "evaluate" in reason:
        return "write the relation with evaluate=False, as in Le(a, b, evaluate=False), and its numbers as Rational(1, 2)"
    if "example=" in reason:
        return "give one exact point of the domain, example={...}"
    if "boxes work up to" in reason:
        less = f"{case}, " if (case := narrower(claim)) else ""
        return f"too many variables: {less}divide by one that scales out, or take the worst value of one in which the claim is monotone"
    if _NO_VALUE in reason:
        return "add the missing condition to the premises, or exclude the place by a strict premise"
    if "time is up" in reason:
        return f"{narrower(claim) or 'write smaller expressions, with a number in place of a constant'}; or a larger --budget"
    if reason.startswith("a step failed"):
        return "this is a defect of dpbounds, please report it with the claim; meanwhile write the statement in another form"
    other = "give the evidence Boxes(budget=...) or Proof(...), or a premise that makes the domain smaller"
    return f"{case}; or {other}" if (case := narrower(claim)) else other


def _logarithm_of_0(claim: Claim) -> Any:
    """The label of a family that may be 0 and whose logarithm occurs outside of a divergence."""
    entries = (node.args[0] for node in claim.then.atoms(sympy.log) if isinstance(node.args[0], sympy.Indexed))
    return next((entry.base.label for entry in entries if not entry.is_positive), None)


def _length_without_end(claim: Claim) -> sympy.Symbol | None:
    """A variable without a largest value that is the number of terms of a sum."""
    ends = {node.limits[0][2] for node in claim.then.atoms(sympy.Sum)}
    unbounded = [v for v, (_, high) in Domain.of_claim(claim).bounds().items() if high is None]
    return next((v for v in unbounded if any(v in end.free_symbols for end in ends)), None)


def lines_of(found: SearchedCover) -> list[str]:
    """How many boxes are left, and where: the distance to an end where boxes crowd there."""
    if not found.variables or not found.leftovers:
        return []
    hardest = sorted(found.leftovers, key=lambda b: [high - low for low, high in b])
    shown = dict.fromkeys("  " + _box_text(found, box) for box in hardest[: 20 * _SHOWN])
    return [f"{found.leaves} boxes settled, {len(found.leftovers)} left; the hardest:", *list(shown)[:_SHOWN]]


def _box_text(found: SearchedCover, box: Any) -> str:
    sides = zip(found.variables, box, found.root, strict=True)
    return ", ".join(_side_text(str(v), low, high, first, last) for v, (low, high), (first, last) in sides)


def _side_text(name: str, low: Any, high: Any, first: Any, last: Any) -> str:
    """A side in words: a point, a stretch, or its distance to the end of the range that it is close to."""
    if low == high:
        return f"{name} = {_short(low)}"
    if not any(isinstance(end, float) for end in (low, high)):
        span = 1 if isinstance(first, float) or isinstance(last, float) else last - first
        for end, near, far in ((first, low - first, high - first), (last, last - high, last - low)):
            if not isinstance(end, float) and far <= _CLOSE * span:
                way = "above" if end == first else "below"
                stretch = dict.fromkeys((_digits(near, 2), _digits(far, 2)))
                return f"{name} {' to '.join(stretch)} {way} {_short(end)}"
        if _digits(low, 6) == _digits(high, 6):
            return f"{name} within {_digits(high - low, 3)} of {_digits(low, 10)}"
    return f"{name} in [{_digits(low, 6)}, {_digits(high, 6)}]"


def _short(value: Fraction) -> str:
    return str(value) if len(str(value)) <= 12 else _digits(value, 10)


def _digits(value: Any, places: int) -> str:
    """The first digits of a number, also of one that no float holds."""
    try:
        return f"{float(value):.{places}g}"
    except OverflowError:
        return f"{Decimal(value.numerator) / value.denominator:.{places}g}"


# --- the diagnosis -------------------------------------------------------------------------------------------------


def diagnosis(claim: Claim, found: SearchedCover) -> tuple[str, str]:
    """Why the boxes got stuck (empty if it is not seen), and what to try."""
    try:
        with balls.precision(_BITS):
            return _diagnosis(claim, found)
    except (DPBoundsError, ArithmeticError, ValueError, TypeError, AttributeError, RecursionError):
        return "", _general(claim, found.reason)  # words only


def _diagnosis(claim: Claim, found: SearchedCover) -> tuple[str, str]:
    if _NO_VALUE in found.reason or not found.variables or not found.leftovers:
        return "", _general(claim, found.reason)
    inside = [point for share in _INSIDE if (point := _inner_point(found, share)) is not None]
    if len(inside) > 2 and all(_gap_state(claim, point) == "tie" for point in inside):
        text = f"the sides agree to 30 digits at {len(inside)} points inside of the domain"
        return text, "state it as an equality, Eq(left, right), with the evidence Proof(...)"
    if (pair := _diagonal(claim, found)) is not None:
        first, second = pair
        step = _letter(found)
        return f"a tie: the sides meet along {first} = {second}, inside of the domain", (
            f"put {second} = {first} + {step} with {step} >= 0, and {first} = {second} + {step} as a claim of its own; "
            f"then divide both sides by what vanishes at {step} = 0"
        )
    box = min(found.leftovers, key=lambda b: [math.inf if _is_infinite(side) else high - low for side in b for low, high in [side]])
    point = _corner(found, box)
    if point is not None:
        full = {**point, **{s: value.subs(point) for s, value in found.substitution.items()}}
        where = ", ".join(f"{v} = {_short(Fraction(int(value.p), int(value.q)))}" for v, value in point.items())
        outside = Domain.of_claim(claim).contains(full) is False
        if outside and (_broken(claim, full) is not None or _gap_state(claim, full) == "no value"):
            return f"towards {where}, outside of the domain, the statement is 0/0, infinite or undefined as it is written", (
                f"multiply by what vanishes there, or state it where {_away(point)} first, and the rest as a claim of its own"
            )
        if (needed := _broken(claim, full)) is not None:
            if needed is sympy.false:
                return f"a part has no value at {where}{_order(claim)}", f"exclude {where} by a strict premise"
            return f"the statement has no value at {where}: it needs {needed}", f"add the premise {needed}, or exclude {where}"
        state = _gap_state(claim, full)
        if state == "tie" and (far := _far(found, point)) is not None:
            return f"the sides approach each other as {far} grows: at {where} they agree to 30 digits", (
                f"divide both sides by what they tend to, or put {far} = 1/{(u := _letter(found))} and divide by a power of {u}; "
                f"{_up_to(far, point)} is a claim of its own"
            )
        if state == "tie":
            return f"a tie: the sides meet at {where}", (
                f"state the case {where} as a claim of its own; for the rest divide both sides by the factor that vanishes there"
            )
        if state == "no value":
            return f"at {where} the statement is 0/0 or infinite as it is written", (
                f"a singular end: multiply by what vanishes there, or keep away from {where} by a premise"
            )
    if _length_without_end(claim) is not None:
        return "", _general(claim, found.reason)
    if any(_is_infinite(side) for side in found.root):
        name = next(str(v) for v, side in zip(found.variables, found.root, strict=True) if _is_infinite(side))
        return f"the range of {name} is not bounded", (
            f"put {name} = 1/{(u := _letter(found))} or {name} = log({u}), or divide by the term that grows fastest; "
            f"or split the range of {name} at a number"
        )
    if "budget" in found.reason or "time is up" in found.reason:
        less = f"{case}; or " if (case := narrower(claim)) else ""
        return "", f"{less}more boxes, Boxes(budget={_rounded(found)})"
    return "", "more bits, Boxes(bits=200), or split the domain at the boxes named above"


def _letter(found: SearchedCover) -> str:
    """A name for a new variable."""
    return next(name for name in ("u", "d", "h", "s1") if name not in {str(v) for v in found.variables})


def _diagonal(claim: Claim, found: SearchedCover) -> tuple[str, str] | None:
    """Two variables such that the sides meet wherever the two are equal, and not everywhere."""
    inside = [point for share in _INSIDE if (point := _inner_point(found, share)) is not None]
    real = [v for v in found.variables if not v.is_integer]
    domain = Domain.of_claim(claim)
    for first, second in itertools.combinations(real, 2):
        equal = [{**point, second: point[first]} for point in inside]
        equal = [point for point in equal if domain.contains(point) is True]
        if len(equal) > 2 and all(_gap_state(claim, point) == "tie" for point in equal):
            return str(first), str(second)
    return None


def _far(found: SearchedCover, point: Point) -> str | None:
    """A variable without a largest value that is large at a point."""
    for v, (_, last) in zip(found.variables, found.root, strict=True):
        if isinstance(last, float) and point[v] >= _LARGE:
            return str(v)
    return None


def _up_to(name: str, point: Point) -> str:
    value = next(value for v, value in point.items() if str(v) == name)
    return f"{name} <= {int(value) // 2}"


def _away(point: Point) -> str:
    return " and ".join(f"{v} is at least 1/1000 from {value}" for v, value in point.items())


def _rounded(found: SearchedCover) -> int:
    boxes = 2 * found.leaves + 10 * len(found.leftovers)
    digits = max(5, len(str(boxes)))
    return int(math.ceil(boxes / 10 ** (digits - 1)) * 10 ** (digits - 1))


def _is_infinite(side: Any) -> bool:
    return any(isinstance(end, float) for end in side)


def _corner(found: SearchedCover, box: Any) -> Point | None:
    """The corner of a box that is nearest to ends of the ranges: where the sides meet, if they do."""
    point = {}
    for v, (low, high), (first, last) in zip(found.variables, box, found.root, strict=True):
        if isinstance(low, float) or isinstance(high, float):
            return None
        span = Fraction(1) if isinstance(first, float) or isinstance(last, float) else last - first
        ends = [end for end in (first, last) if not isinstance(end, float)]
        close = [end for end in ends if min(abs(low - end), abs(high - end)) <= _CLOSE * span]
        middle = low if v.is_integer else (low + high) / 2
        if not close:
            middle = middle.limit_denominator(1000) if abs(middle.limit_denominator(1000) - middle) <= high - low else middle
        point[v] = sympy.Rational(close[0] if close else middle)
    return point


def _inner_point(found: SearchedCover, share: Fraction) -> Point | None:
    point: dict[Any, Any] = {}
    for k, (v, (first, last)) in enumerate(zip(found.variables, found.root, strict=True)):
        low = first if not isinstance(first, float) else (last - 3 if not isinstance(last, float) else Fraction(-1))
        high = last if not isinstance(last, float) else low + 3
        value = low + (high - low) * ((share + Fraction(k, 17)) % 1)
        point[v] = sympy.Rational(Fraction(round(value)) if v.is_integer else value)
    return {**point, **{s: value.subs(point) for s, value in found.substitution.items()}}


def _relations(claim: Claim) -> Iterator[Any]:
    parts = claim.then.args if isinstance(claim.then, (sympy.And, sympy.Or)) else (claim.then,)
    yield from (part for part in parts if isinstance(part, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)))


def _gap_state(claim: Claim, point: Mapping[Any, Any]) -> str:
    """ "tie", "no value" or nothing, by balls at a point."""
    variables = claim.variables
    values = [enclose.ball_of(point[v], _BITS) for v in variables]
    for relation in _relations(claim):
        left, right = (enclose.compile_expression(instance.elementary(side), variables)(values) for side in relation.args)
        if not left.is_finite() or not right.is_finite():
            return "no value"
        size = abs(left).max(abs(right)).max(balls.ball(1) / 10**6)
        if abs(left - right) / size < balls.ball(_TIE):
            return "tie"
    return ""


def _broken(claim: Claim, point: Mapping[Any, Any]) -> Any:
    """A condition of the statement that surely fails at the point; None when there is none."""
    values = [enclose.ball_of(point[v], _BITS) for v in claim.variables]
    for condition in definedness.conditions_of(claim.then):
        if enclose.compile_expression(condition, claim.variables)(values) is False:
            return condition
    return None


def needed_text(then: Any, missing: str) -> str:
    """What a statement without a value needs, in words: a condition on numbers alone has become false.

    >>> needed_text(sympy.true, "x > 0")
    'it needs x > 0'
    """
    if missing != "False":
        bound = _variable_that_needs(then, missing)
        return f"it needs {missing}" + (
            f", as {bound} is declared {_traits(bound)}; declare it real to mean all of its range" if bound else ""
        )
    for part in sympy.preorder_traversal(then):
        conditions = [*map(sympy.sympify, part.conditions())] if hasattr(part, "conditions") else []
        if sympy.false not in conditions or len(part.args) < 2 or not part.args[0].is_Rational:
            continue
        if part.args[0] == 1:
            return f"{type(part).__name__} is undefined at order 1; use an order > 1, or KLDivergence"
        if part.args[0] < 1:
            return f"{type(part).__name__} has orders > 1; write order {part.args[0]} out, with the sum of p**a*q**(1 - a)"
    for part in sympy.preorder_traversal(then):
        if isinstance(part, functions.PrivacyQuantity) and any(own.is_infinite for own in part.args if isinstance(own, sympy.Expr)):
            return f"{type(part).__name__} has no value at infinity; its orders and parameters are finite"
        if any(condition is sympy.false for condition in definedness.conditions_of_node(type(part), part.args)):
            return f"{part} is undefined"
    return "a part of it is undefined for all values of the variables"


def _variable_that_needs(then: Any, missing: str) -> Any:
    """The bound variable of whose range this condition speaks, if it is one."""
    for part in sympy.preorder_traversal(then):
        for limit in definedness.limits_of(part):
            if missing in map(str, conditions_of_range(definedness.kind_of_range(part), *limit)):
                return limit[0]
    return None


def _traits(variable: Any) -> str:
    return ", ".join(name if value else f"not {name}" for name, value in facts_of(variable))


def _order(claim: Claim) -> str:
    words = needed_text(claim.then, "False")
    return "" if words.startswith("a part") else f" ({words})"
