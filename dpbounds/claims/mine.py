"""What is true near a claim: each finding is a claim that holds beside one that fails, or one of them, with its certificate.

Points and guesses only choose what is tried; the deciders settle it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpbounds.claims import clock
from dpbounds.claims.brackets import tighten
from dpbounds.claims.claim import Claim
from dpbounds.claims.outcome import Outcome
from dpbounds.claims.settling import settle
from dpbounds.errors import DPBoundsError, InputError
from dpbounds.logic.notation import Min, exp, log, tanh
from dpbounds.logic.signatures import RELATIONS
from dpbounds.logic.terms import Term, TermError, facts_of, node, number, variable

_SHARPER: dict[str, Callable[[Term], Term]] = {
    "log(1 + b)": lambda b: log(1 + b),
    "1 - exp(-b)": lambda b: 1 - exp(-b),
    "tanh(b)": tanh,
    "b/(1 + b)": lambda b: b / (1 + b),
    "min(b, 1)": lambda b: Min(b, 1),
}
"""Forms that are below b for b > 0."""
_LARGEST = 100
"""Integers beyond are not tried one by one."""
_HALVINGS = 8


@dataclass(frozen=True)
class Settling:
    """A claim near the one that is mined, and what became of it."""

    claim: Claim
    outcome: Outcome

    @property
    def line(self) -> str:
        """The verdict in one line."""
        return f"{self.outcome.verdict.value}  {self.outcome.detail}"

    @property
    def point(self) -> dict[str, Fraction]:
        """The coordinates of a counterexample that are rational numbers."""
        given = ((self.outcome.certificate or {}).get("evidence") or {}).get("point") or {}
        return {name: Fraction(text) for name, text in given.items() if re.fullmatch(r"-?\d+(/\d+)?", str(text))}


@dataclass(frozen=True)
class Mined:
    """One thing that is true near a claim.

    Attributes:
        kind: "claim", "premise", "range", "integer", "equality", "constant" or "sharper".
        words: what was found, in one line.
        holds: the claim that holds; None where none was found.
        fails: the claim next door that is refuted; None where none was found.
        also: others that hold and belong to the finding.
    """

    kind: str
    words: str
    holds: Settling | None = None
    fails: Settling | None = None
    also: tuple[Settling, ...] = ()

    @property
    def certificates(self) -> list[dict[str, Any]]:
        """Of all claims of the finding."""
        told = (self.holds, self.fails, *self.also)
        return [found.outcome.certificate for found in told if found is not None and found.outcome.certificate is not None]

    def as_dict(self) -> dict[str, Any]:
        """The finding for a JSON document."""
        shown = {
            name: None
            if found is None
            else {"claim": found.claim.id, "verdict": found.outcome.verdict.value, "detail": found.outcome.detail}
            for name, found in (("holds", self.holds), ("fails", self.fails))
        }
        return {"kind": self.kind, "words": self.words, **shown}


@dataclass
class _Miner:
    claim: Claim
    budget: float
    each: float
    ends: float = field(init=False)

    def __post_init__(self) -> None:
        if self.claim.conclusion is None or self.claim.premises is None:
            raise InputError(f"claim {self.claim.id}: what sympy wrote cannot be mined; state it with the names of dpbounds.notation")
        self.then: Term = self.claim.conclusion
        self.given: tuple[Term, ...] = self.claim.premises
        self.ends = clock.now() + self.budget

    def near(self, name: str, then: Term | None = None, given: tuple[Term, ...] | None = None) -> Settling | None:
        """A claim near this one, settled within what is left of the budget; None where it has no meaning, or no time is left."""
        left = min(self.each, self.ends - clock.now())
        if left <= 0:
            return None
        try:
            claim = Claim(
                id=f"{self.claim.id}.{name}",
                text=self.claim.text,
                given=list(self.given if given is None else given),
                then=self.then if then is None else then,
            )
            outcome = settle(claim, budget=left, contained=True)
        except (DPBoundsError, TermError):
            return None
        return None if outcome.bad_input else Settling(claim, outcome)


def mine(claim: Claim, *, budget: float = 60.0, each: float = 5.0) -> Iterator[Mined]:
    """What is true near a claim, as it is found.

    Which premises are not needed and how far the range of a variable reaches; the smallest integer for which the claim fails; where
    both sides are equal; the best factor of the larger side; sharper forms of it from a small list.

    Args:
        claim: a claim that is stated with the names of `dpbounds.notation`.
        budget: processor seconds for all of it.
        each: processor seconds for each claim that is tried.

    Raises:
        InputError: a claim without terms, or a budget that is no time.

    >>> from dpbounds.notation import real
    >>> x = real("x")
    >>> found = mine(Claim(id="tangent", given=[x >= 0], then=log(1 + x) <= x), budget=20)
    >>> print(*(finding.words for finding in found if finding.kind in ("claim", "equality")), sep="; ")
    the claim holds; both sides are equal at x = 0
    """
    if not (budget > 0 and each > 0):
        raise InputError(f"a budget is a number of seconds > 0, got {budget:g} and {each:g}")
    miner = _Miner(claim, budget, each)
    whole = miner.near("whole")
    if whole is None:
        return
    holds, words = whole.outcome.verdict.holds, {True: "the claim holds", False: "the claim fails", None: "the claim stays UNDECIDED"}
    yield Mined("claim", words[holds], whole if holds else None, whole if holds is False else None)
    for tried in (_integers, _premises, _equality, _constant, _sharper):
        yield from tried(miner, whole)


def _integers(m: _Miner, whole: Settling) -> Iterator[Mined]:
    """The smallest value of each integer variable, from its least one on, for which the claim fails."""
    for n in [x for x in m.then.free if isinstance(x, Term) and x.sort == "Z"]:
        start = _least(n, [*m.given, *facts_of(n, n.data[2])])
        held: list[Settling] = []
        for k in range(_LARGEST if start is None else start, _LARGEST):
            place = {n: number(k)}
            given = tuple(p for premise in m.given if not _is_true(p := premise.subs(place)))
            if any(not p.free for p in given):
                break  # a premise that k does not satisfy
            found = m.near(f"{n.data[0]}-{k}", m.then.subs(place), given)
            if found is None or found.outcome.verdict.holds is None:
                break
            if found.outcome.verdict.holds is False:
                before = f" and holds for {n} = {', '.join(map(str, range(k - len(held), k)))}" if held else ""
                yield Mined("integer", f"it fails for {n} = {k}{before}", held[-1] if held else None, found, tuple(held[:-1]))
                break
            held.append(found)


def _least(n: Term, given: list[Term]) -> int | None:
    """The least value of an integer that a premise states; None where there is none."""
    ends = [p.parts[1].data[0] + (p.tag == ">") for p in given if p.tag in (">", ">=") and p.parts[0] == n and p.parts[1].tag == "number"]
    return max(map(math.ceil, ends), default=None)


def _is_true(t: Term) -> bool:
    """Whether a relation of numbers holds."""
    return t.tag in RELATIONS and all(part.tag == "number" for part in t.parts) and bool(t)


def _premises(m: _Miner, whole: Settling) -> Iterator[Mined]:
    """Premises that are not needed; and of those that compare a variable with a number, how far they can be moved."""
    if whole.outcome.verdict.holds is not True:
        return
    for k, premise in enumerate(m.given):
        rest = m.given[:k] + m.given[k + 1 :]
        found = m.near(f"without-{k + 1}", given=rest)
        if found is None or found.outcome.verdict.holds is None:
            continue
        if found.outcome.verdict.holds:
            yield Mined("premise", f"the premise {premise} is not needed", found)
            continue
        yield Mined("premise", f"the premise {premise} is needed", None, found)
        yield from _range(m, premise, rest, found)


def _range(m: _Miner, premise: Term, rest: tuple[Term, ...], found: Settling) -> Iterator[Mined]:
    """How far a variable reaches: halfway between the bound of its premise and a point that refutes, and so on."""
    if premise.tag not in ("<", "<=", ">", ">=") or premise.parts[0].tag != "variable" or premise.parts[1].tag != "number":
        return
    x, bound = premise.parts
    if x.sort != "R" or (bad := found.point.get(x.data[0])) is None:
        return
    good, holds, fails = bound.data[0], None, None
    for _ in range(_HALVINGS):
        middle = ((good + bad) / 2).limit_denominator(64)
        if middle in (good, bad):
            break
        tried = m.near(f"{x.data[0]}-to-{_plain(middle)}", given=(*rest, node(premise.tag, x, number(middle))))
        if tried is None or tried.outcome.verdict.holds is None:
            break
        if tried.outcome.verdict.holds:
            good, holds = middle, tried
        else:
            bad, fails = middle, tried
    if holds is not None:
        yield Mined("range", f"it holds for {x} {premise.tag} {good}, and not for {x} {premise.tag} {bad}", holds, fails)


def _plain(q: Fraction) -> str:
    return str(q).replace("/", "-of-").replace("-", "minus", 1) if q < 0 else str(q).replace("/", "-of-")


def _equality(m: _Miner, whole: Settling) -> Iterator[Mined]:
    """A point where both sides are equal: it refutes the strict inequality."""
    if whole.outcome.verdict.holds is not True or m.then.tag not in ("<=", ">="):
        return
    strict = m.near("strict", node(m.then.tag[0], *m.then.parts))
    if strict is None or strict.outcome.verdict.holds is None:
        return
    if strict.outcome.verdict.holds:
        yield Mined("equality", "both sides are never equal: the inequality is strict", strict)
        return
    where = ", ".join(f"{name} = {value}" for name, value in strict.point.items())
    yield Mined("equality", f"both sides are equal at {where}" if where else "both sides are equal at a point", None, strict)


def _sides(then: Term) -> tuple[Term, Term] | None:
    """The smaller and the larger side."""
    if then.tag not in ("<", "<=", ">", ">="):
        return None
    a, b = then.parts if then.tag[0] == "<" else then.parts[::-1]
    return a, b


def _constant(m: _Miner, whole: Settling) -> Iterator[Mined]:
    """The best factor of the larger side."""
    sides = _sides(m.then)
    if sides is None or "C" in {x.data[0] for x in m.then.free if isinstance(x, Term)} or m.ends <= clock.now():
        return
    c = variable("C")
    claim = Claim(id=f"{m.claim.id}.factor", text=m.claim.text, given=list(m.given), then=sides[0] <= c * sides[1])
    try:
        bracket = tighten(claim, "C", digits=2, budget=min(m.each, m.ends - clock.now()))
    except DPBoundsError:
        return
    low, high = bracket.ends
    if low is None or high is None:
        return
    holds, fails = (None if p is None else Settling(p.claim, p.outcome) for p in (bracket.holds, bracket.fails))
    yield Mined("constant", f"the best C with {sides[0]} <= C*({sides[1]}) lies in [{low}, {high}]", holds, fails)


def _sharper(m: _Miner, whole: Settling) -> Iterator[Mined]:
    """Smaller forms of the larger side that are still enough."""
    sides = _sides(m.then)
    if sides is None or whole.outcome.verdict.holds is not True:
        return
    for form, change in _SHARPER.items():
        found = m.near(f"sharper-{list(_SHARPER).index(form) + 1}", sides[0] <= change(sides[1]))
        if found is not None and found.outcome.verdict.holds is not None:
            holds = found.outcome.verdict.holds
            words = f"{form} is enough in place of b = {sides[1]}" if holds else f"{form} is not enough in place of b = {sides[1]}"
            yield Mined("sharper", words, found if holds else None, None if holds else found)
