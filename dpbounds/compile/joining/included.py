"""The steps of one document within another."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dpbounds.compile.steps import Steps
from dpbounds.kernel import checker
from dpbounds.kernel.terms import Refused, Term, variable


def included(steps: Steps, text: str, names: Mapping[str, Term]) -> int | None:
    """The last step of a document, taken again in another one, as `all_included` has it; None where a rule refuses."""
    return next(iter(all_included(steps, text, names)), None)


Lambdas = Mapping[str, tuple[tuple[Term, ...], Term]]


def all_included(steps: Steps, text: str, names: Mapping[str, Term], functions: Lambdas = MappingProxyType({})) -> list[int]:
    """The last step of a document, and those that say what is defined, at terms for its variables; empty where a rule refuses.

    Args:
        steps: the document that grows.
        text: the other one, which rests on no lemma.
        names: a term for each of its variables that may have another name here.
        functions: what stands for its function symbols.
    """
    rows = checker.parse(text)
    other = checker.Document(rows[0], {})
    steps.reserve((*rows[0]["real"], *rows[0]["integer"]))
    places: list[int] = []
    try:
        for row in rows[1:-1]:
            if "let" in row:
                other.let(row["let"], row["be"])
                continue
            given = other.arguments.of_rule(row["rule"], row.get("with", {}))
            given.pop("budget", None)
            places.append(steps.write(row["rule"], *(places[k] for k in row.get("by", [])), **given))
        ends = [places[k] for k in (rows[-1]["end"], *rows[-1].get("defined", []))]
        values = {v: t for v, t in _values(rows[0], names) if v != t}
        own = {(name, sort): functions[name] for name, sort in rows[0]["functions"].items() if name in functions}
        return [steps.write("substitution", end, terms=values, functions=own) for end in ends] if values or own else ends
    except Refused:
        return []


def _values(header: Mapping[str, list[str]], names: Mapping[str, Term]) -> list[tuple[Term, Term]]:
    own = [(n, sort) for sort, kind in (("R", "real"), ("Z", "integer")) for n in header[kind]]
    return [(variable(n, sort), names[n]) for n, sort in own if n in names]
