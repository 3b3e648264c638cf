"""A proof document with fewer and lighter steps: the same claim from what is given, under no more hypotheses.

A search offers each step of arithmetic everything that may help, and reading what did not would take most of the checker's time. Each step
is taken again here by the checker's own rule, without the premises that it does not need; a step that says what an earlier one says is that
one, and a step that nothing rests on is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpbounds.kernel import checker
from dpbounds.kernel.notation import NAME
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.sequents import RULES, Sequent
from dpbounds.kernel.terms import Refused, Term

WORK = 1_000_000
"""Work for one step."""
ARITHMETIC = ("ring", "linear")


@dataclass(frozen=True)
class Taken:
    """A step that has been taken: its row and what it says."""

    row: dict[str, Any]
    by: tuple[int, ...]
    says: Sequent


def pruned(text: str, accepted: Mapping[str, checker.Statement]) -> str:
    """The document without what it does not need.

    Args:
        text: a document.
        accepted: what the documents that it rests on prove, by name.

    Raises:
        Refused: one of its steps is not accepted.
    """
    header, *rows, end = checker.parse(text)
    document = _Document(header, accepted)
    for row in rows:
        document.take(row)
    ends = [document.now[k] for k in (end["end"], *end.get("defined", []))]
    return document.written(header, ends[0], list(dict.fromkeys(ends[1:])))


class _Document:
    def __init__(self, header: Mapping[str, Any], accepted: Mapping[str, checker.Statement]) -> None:
        self.accepted, self.arguments = accepted, checker.Document(header, accepted).arguments
        self.lets: list[dict[str, Any]] = []
        self.steps: list[Taken] = []
        self.now: list[int] = []  # the step that says what each step of the text says
        self.saying: dict[Term, list[int]] = {}

    def take(self, row: dict[str, Any]) -> None:
        """Read one line between the header and the end."""
        if "let" in row:
            self.arguments.reader.names[row["let"]] = self.arguments.reader(row["be"])
            self.lets.append(row)
            return
        step = self._light(row, [self.now[k] for k in row.get("by", [])])
        same = (k for k in self.saying.get(step.says.formula, []) if self._says_more(k, step.says))
        number = next(same, len(self.steps))
        if number == len(self.steps):
            self.steps.append(step)
            self.saying.setdefault(step.says.formula, []).append(number)
        self.now.append(number)

    def _says_more(self, k: int, other: Sequent) -> bool:
        """Whether a step has the formula of another sequent under no more hypotheses and citations."""
        says = self.steps[k].says
        return says.hypotheses <= other.hypotheses and says.citations <= other.citations

    def _light(self, row: dict[str, Any], by: list[int]) -> Taken:
        """The step without premises that it does not need."""
        if row["rule"] == "lemma":
            return Taken(row, (), self.accepted[row["with"]["name"]].sequent)
        if row["rule"] == "detach" and (first := self.steps[by[0]]).row["rule"] == "discharge":
            inside = self.steps[first.by[0]]
            if self.steps[by[1]].says.formula not in inside.says.hypotheses:  # it was discharged and is not needed any more
                return inside
        given = row.get("with", {})
        found, work = self._said(row["rule"], by, given, WORK)
        if row["rule"] in ARITHMETIC:
            return self._without_idle_premises(row, by, found, work)
        return Taken(row, tuple(by), found)

    def _said(self, rule: str, by: Sequence[int], given: Mapping[str, Any], work: int) -> tuple[Sequent, int]:
        """What a rule concludes, and the work that it took."""
        self.arguments.budget = Budget(work)
        found = RULES[rule]([self.steps[k].says for k in by], **self.arguments.of_rule(rule, given))
        return found, work - self.arguments.budget.left

    def _without_idle_premises(self, row: dict[str, Any], by: list[int], found: Sequent, work: int) -> Taken:
        """A step of arithmetic with as few premises as can be: halves of them are dropped, then quarters, to single ones."""
        given, multipliers = row.get("with", {}), row.get("with", {}).get("multipliers", [])
        kept = [*zip(by, [*multipliers, *[None] * len(by)], strict=False)]
        size = len(kept)
        while size:
            for at in range(0, len(kept), size)[::-1]:
                fewer = kept[:at] + kept[at + size :]
                given_now = given | ({"multipliers": [m for _, m in fewer if m is not None]} if "multipliers" in given else {})
                try:
                    found, work = self._said(row["rule"], [k for k, _ in fewer], given_now, work)
                except Refused:
                    continue
                kept, given = fewer, given_now
            size //= 2
        by = [k for k, _ in kept]
        return Taken({"rule": row["rule"]} | ({"by": by} if by else {}) | {"with": given}, tuple(by), found)

    def written(self, header: Mapping[str, Any], end: int, defined: Sequence[int]) -> str:
        """The text with the steps that the end rests on, renumbered."""
        needed, todo = set[int](), [end, *defined]
        while todo:
            if (k := todo.pop()) not in needed:
                needed.add(k)
                todo += self.steps[k].by
        new = {k: n for n, k in enumerate(sorted(needed))}
        rows = [self.steps[k].row | ({"by": [new[j] for j in self.steps[k].by]} if self.steps[k].by else {}) for k in new]
        last = {"end": new[end]} | ({"defined": [new[k] for k in defined]} if defined else {})
        named = _named(header, [*self.lets, *rows])
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (named, *self.lets, *rows, last))


def _named(header: Mapping[str, Any], rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The header without names that are not written anywhere."""
    said = set(NAME.findall(json.dumps([header["given"], header["claim"], *rows])))
    found = {kind: [name for name in header[kind] if name in said] for kind in ("real", "integer")}
    return {**header, **found, "functions": {name: sort for name, sort in header["functions"].items() if name in said}}
