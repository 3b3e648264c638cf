"""What letters run over: sets, quantifiers, and the ranges of sums, integrals and extrema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpbounds.logic.terms import Term, binder, free_in, node, substitute, variable
from dpbounds.reading.names import refuse
from dpbounds.reading.tokens import RELATIONS, Token

if TYPE_CHECKING:
    from dpbounds.reading.formulas import Reader

_SETS = {"mathbb R": False, "mathbb Z": True, "mathbb N": True}
"""Sets of numbers, and whether they are of integers."""


def for_all(r: Reader) -> Term:
    """A quantifier inside of a formula."""
    r.take()
    given = [r.chain()]
    while r.is_next(","):
        r.take()
        given.append(r.chain())
    r.expect(":")
    x = next((x for x in free_in(given[:1]) if isinstance(x, Term)), None)
    if x is None:
        raise refuse(f"\\forall introduces no variable {r.where()}")
    name, before = x.data[0], x.data[0] in r.names.integers
    with r.bound(name, "R"):
        body = r.formula()
    bound = variable(name, "Z" if name in r.names.integers else "R")
    if not before:
        r.names.integers.discard(name)
    r.names.declared.add(name)
    parts = [substitute(part, {x: bound}) for part in given if part.tag != "true"]
    condition = node("And", *parts) if len(parts) > 1 else parts[0] if parts else node("true")
    return binder("ForAll", bound, (), condition, substitute(body, {x: bound}))


def members(r: Reader, x: Term) -> list[Term]:
    """What membership of a number in a set says."""
    token = r.take()
    if token.kind == "set" and token.text in _SETS:
        return [_of_numbers(r, x, token), node("true")]
    if token.text == r"\{":
        return _of_list(r, x)
    if token.text not in ("(", "["):
        raise refuse(f"no set that is known: {token.source} {r.where()}")
    with r.inside():
        low = r.sum()
        r.expect(",")
        high = r.sum()
    closing = r.take().text
    if closing not in (")", "]"):
        raise refuse(f"the range has no end {r.where()}")
    ends = [] if low == -node("oo") else [x >= low if token.text == "[" else x > low]
    ends += [] if high == node("oo") else [x <= high if closing == "]" else x < high]
    if (low == -node("oo") and token.text == "[") or (high == node("oo") and closing == "]"):
        raise refuse("a range that contains infinity: a variable has finite values")
    return ends or [node("true")]


def _of_numbers(r: Reader, x: Term, token: Token) -> Term:
    """x in the reals or in the integers, perhaps from a number on."""
    letter = token.text[-1]
    if _SETS[token.text]:
        _is_integer(r, x)
    if r.is_next("^"):
        raise refuse(f"\\mathbb{{{letter}}} with a power: write the sign of the numbers, as in \\mathbb{{{letter}}}_{{>0}}")
    if not r.is_next("_"):
        if letter == "N":
            raise refuse("\\mathbb{N} begins with 0 for some and with 1 for others: write \\mathbb{Z}_{\\ge 0} or \\mathbb{Z}_{\\ge 1}")
        return node("true")
    r.take()
    braces = r.is_next("{")
    if braces:
        r.take()
    if not (r.now.text in RELATIONS or (letter == "N" and r.now.text == "0")):
        raise refuse(f"\\mathbb{{{letter}}}_{r.now.source}: with 0 or without it? Write _{{\\ge 0}} or _{{> 0}}")
    sign = r.take().text
    found = x >= 0 if sign == "0" else r.node(sign, x, r.sum())
    if braces:
        r.expect("}")
    return found


def _of_list(r: Reader, x: Term) -> list[Term]:
    """x in a finite set, or in a range of integers with dots."""
    entries: list[Term | None] = []
    with r.inside():
        while True:
            dots = r.is_next("...")
            entries.append(None if dots else r.sum())
            r.place += dots
            if not r.is_next(","):
                break
            r.take()
    r.expect(r"\}")
    if None not in entries:
        equal = [r.node("=", x, e) for e in entries if e is not None]
        return [equal[0] if len(equal) == 1 else node("Or", *equal)]
    place = entries.index(None)
    first, *more = (e for e in entries[:place] if e is not None)
    last = entries[place + 1 :]
    known = first.tag == "number" and first.sort == "Z"
    if not known or any(e != first.data[0] + k for k, e in enumerate(more, 1)) or len(last) > 1 or None in last:
        raise refuse("dots that do not go from an integer to the next: write the range")
    _is_integer(r, x)
    return [x >= first, *(x <= e for e in last if e is not None)]


def _is_integer(r: Reader, x: Term) -> None:
    if x.tag != "variable":
        raise refuse(f"{x} is said to be an integer: only a variable can be")
    r.names.integers.add(x.data[0])


def bound_by(r: Reader, text: str) -> Term:
    """Sums, integrals, suprema and infima."""
    if text == r"\int":
        return _integral(r)
    if not r.is_next("_"):
        raise refuse(f"{text} has no range {r.where()}")
    r.take()
    if text in (r"\sup", r"\inf"):
        return _supremum(r, "Supremum" if text == r"\sup" else "Infimum")
    if not (r.is_next("{") and r.ahead().kind == "letter" and r.ahead(2).text == "="):
        raise refuse(f"\\sum has no range from one number to another, as in \\sum_{{i=1}}^n {r.where()}")
    r.take()
    token = r.take()
    name = r.letter_name(token)
    r.take()
    low = r.sum()
    r.expect("}")
    if not r.is_next("^"):
        raise refuse(f"\\sum has no last term {r.where()}")
    r.take()
    high = r.script()
    with r.bound(name, "Z"):
        body = r.signed()
    r.names.declared.add(name)
    return binder("Sum", variable(name, "Z"), [low, high], body)


def _integral(r: Reader) -> Term:
    ends = {}
    while r.is_next("_", "^"):
        sign = r.take().text
        ends[sign] = r.script() if not r.is_next("-") else r.signed()
    if len(ends) != 2:
        raise refuse(f"\\int has no range {r.where()}")
    r.integrals += 1
    body = r.sum()
    r.integrals -= 1
    if not r.is_differential():
        raise refuse(f"\\int has no dx at its end {r.where()}")
    r.take()
    name = r.letter_name(r.take())
    r.names.declared.add(name)
    return binder("Integral", variable(name), [ends["_"], ends["^"]], body)


def _supremum(r: Reader, tag: str) -> Term:
    where = r.braced()
    parts = where.parts if where.tag == "And" else (where,)
    x = next((p for part in parts for p in part.parts if p.tag == "variable" and all(p in q.parts for q in parts)), where)
    if x.tag != "variable" or not all(part.tag in ("<", ">", "variable") for part in parts):
        raise refuse(
            "the range of an extremum is open, as in \\sup_{0 < x < 1}: at an end that belongs to it, state the value there as well"
        )
    low, high = -node("oo"), node("oo")
    for part in parts:
        if part.tag != "variable":
            a, b = part.parts if part.tag == "<" else part.parts[::-1]
            low, high = (low, b) if a == x else (a, high)
    r.names.declared.add(x.data[0])
    return binder(tag, x, [low, high], r.product())
