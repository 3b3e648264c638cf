"""A claim about families from one about their entries at all places but one. Nothing here is believed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dpbounds.compile.families.by_cases import AT, ByCases
from dpbounds.compile.families.search import Families
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import ONE, at_most, minus, node, plus

if TYPE_CHECKING:
    from dpbounds.claims.evidence.reductions.without_place import WithoutPlace


def place_document(name: str, claim: tuple[Any, Sequence[Any]], way: WithoutPlace, texts: Sequence[str], asked: Sequence[Any] = ()) -> str:
    """The document of a claim about families and one place of theirs.

    Args:
        name: of the document.
        claim: conclusion and premises.
        way: the claim about the other entries.
        texts: its document.
        asked: what its quantities ask for.

    Raises:
        NotWritten: it does not say the claim.
    """
    own = Families(*claim)
    own.given, own.goal = own.stated, own.claimed
    own.known = [k for g in own.given for k in own.search.opened(own.steps.assume(g))]
    cases, m = ByCases(own.steps, own.known), own.read.term(way.place)
    entry = {name: node("f", AT, data=(name, "Z>R")) for name in way.families.values()}
    later = {name: node("f", plus(AT, ONE), data=t.data) for name, t in entry.items()}
    condition = at_most(AT, minus(m, ONE))
    functions = {rest: node("ite", condition, entry[name], later[name]) for rest, name in way.families.items()}
    values = {s.name: v for s, v in own.read.symbols.items()} | {v: own.read.term(e) for v, e in way.values.items()}
    end, *defined = cases.taken(texts[0], values, functions)
    own.known += defined
    found = own.steps.sum_of(own.goal, [end], own.known)
    if found is None:
        raise NotWritten("a claim without a place says something else")
    return own.ended(name, found, asked)
