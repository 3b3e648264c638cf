"""A document while it is written: each step is taken by the checker's own rule, or by its arithmetic, so mistakes show at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from dpbounds.kernel import checker
from dpbounds.kernel.definedness import obligations
from dpbounds.kernel.notation import show
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.ring import Ring
from dpbounds.kernel.rules_order import combination
from dpbounds.kernel.sequents import RULES, Sequent, conclude
from dpbounds.kernel.terms import ONE, ZERO, Refused, Term, at_most, need, negative, node, power, substitute, variable
from dpbounds.prover.rewriting.derived import DERIVED
from dpbounds.prover.rewriting.signs import sign

WORK = 40_000
"""Work for one attempt: a search should fail soon."""


RINGS = 100
"""Sets of premises that are kept."""


_DERIVED = {**DERIVED, "sign": sign}


def _shown(check: Callable[[], None]) -> bool:
    try:
        check()
    except Refused:
        return False
    return True


def _frozen(value: Any) -> object:
    """An argument as a key."""
    if isinstance(value, dict):
        return tuple((name, _frozen(part)) for name, part in value.items())
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple)) else value


class StepWriter:
    """Steps, each taken once, with so much work for an attempt."""

    def __init__(self, work: int = WORK) -> None:
        self.work = work
        self.steps: list[Sequent] = []
        self.rows: list[dict[str, Any]] = []
        self._used: list[set[tuple[str, str]]] = []
        self._seen: dict[object, int] = {}
        self._refused: set[object] = set()
        self._rings: dict[tuple[int, ...], Ring] = {}

    def __call__(self, rule: str, *by: int, **given: Any) -> int:
        """Take a step; its number. Arguments are terms, numbers, texts, lists of terms, substitutions.

        What is derived takes several steps. A part of a conjunction that was put together here is one of its premises.

        Raises:
            Refused: by the rule.
        """
        if rule in _DERIVED:
            return _DERIVED[rule](self, *by, **given)
        if rule == "part" and self.rows[by[0]]["rule"] == "conjunction":
            return int(self.rows[by[0]]["by"][given["number"]])
        if rule == "linear" and given["multipliers"]:  # what is added up may say something about signs too
            with suppress(Refused):
                return self._taken(rule, by, given)
            by = (*by[: len(given["multipliers"])], *by)
        return self._taken(rule, by, given)

    def _taken(self, rule: str, by: tuple[int, ...], given: dict[str, Any]) -> int:
        """The step that a rule allows."""
        mark = rule, by, _frozen(given)
        need(mark not in self._refused, "refused before")
        if mark not in self._seen:
            try:
                sequent = self._asked(rule, by, given) if rule in ("ring", "linear") else self._said(rule, by, given)
            except Refused:
                self._refused.add(mark)
                raise
            texts = {name: _written(value) for name, value in given.items()}
            row = {"rule": rule} | ({"by": list(by)} if by else {}) | ({"with": texts} if texts else {})
            self._take(row, sequent, given)
            self._seen[mark] = len(self.steps) - 1
        return self._seen[mark]

    def _said(self, rule: str, by: tuple[int, ...], given: dict[str, Any]) -> Sequent:
        """What the rule concludes."""
        extra = {"budget": Budget(self.work)} if "budget" in RULES[rule].__annotations__ else {}
        return RULES[rule]([self.steps[k] for k in by], **given, **extra)

    def _asked(self, rule: str, by: tuple[int, ...], given: dict[str, Any]) -> Sequent:
        """What the rules of arithmetic conclude; each set of premises is learnt once, for a search tries much under few sets."""
        said = tuple(dict.fromkeys(by[len(given.get("multipliers", [])) :]))
        ring = self._rings.pop(said, None) or Ring(map(self.formula, said), Budget(self.work))
        ring.budget = Budget(self.work)
        if rule == "linear":
            terms = zip(given["multipliers"], map(self.formula, by), strict=False)
            found = _shown(lambda: combination(ring, given["formula"], list(terms)))
        else:
            found = _shown(lambda: need(ring.holds(given["formula"]), "not shown"))
        if len(self._rings) >= RINGS:
            del self._rings[next(iter(self._rings))]
        if not (ring.open or ring._used):  # a ring that was left in the middle of something is not used again
            self._rings[said] = ring
        need(found, "not shown")
        return conclude([self.steps[k] for k in by], given["formula"])

    def lemma(self, proved: checker.Statement) -> int:
        """The statement of a document that the checker has accepted."""
        if (mark := ("lemma", proved.name)) not in self._seen:
            self._take({"rule": "lemma", "with": {"name": proved.name}}, proved.sequent, {})
            self._seen[mark] = len(self.steps) - 1
        return self._seen[mark]

    def _take(self, row: dict[str, Any], sequent: Sequent, given: dict[str, Any]) -> None:
        self.rows.append(row)
        self.steps.append(sequent)
        self._used.append(set[tuple[str, str]]().union(*map(_variables, given.values())))

    def formula(self, step: int) -> Term:
        """What a step says."""
        return self.steps[step].formula

    def hypothesis(self, formula: Term) -> int:
        """F ⊢ F"""
        return self("hypothesis", formula=formula)

    def square(self, term: Term) -> int:
        """0 ≤ t²."""
        return self("sign", formula=at_most(ZERO, power(term, 2)))

    def absolute_bounds(self, term: Term) -> list[int]:
        """a ≤ |a| and −a ≤ |a|."""
        return [self._by_sign(term, at_most(side, node("abs", term)), [], []) for side in (term, negative(term))]

    def absolute_least(self, above: int, below: int) -> int:
        """|a| ≤ c from a ≤ c and −a ≤ c."""
        a, c = self.formula(above).parts
        return self._by_sign(a, at_most(node("abs", a), c), [above], [below])

    def _by_sign(self, a: Term, goal: Term, up: list[int], down: list[int]) -> int:
        """The goal by cases: 0 ≤ a, where |a| = a, and a < 0, where |a| = −a."""
        split = self("total_order", left=ZERO, right=a)
        cases = zip(self.hypotheses(self.formula(split).parts), (up, down), strict=True)
        return self("cases", split, *(self("linear", *by, sign, formula=goal, multipliers=[ONE] * len(by)) for sign, by in cases))

    def hypotheses(self, formulas: Iterable[Term]) -> list[int]:
        """Steps F ⊢ F."""
        return [self.hypothesis(f) for f in formulas]

    def document(self, name: str, given: Sequence[Term], end: int, defined: Sequence[int]) -> str:
        """The document whose last step is `end`: the steps that it rests on, renumbered; `pruning` makes it shorter."""
        needed = self._behind([end, *defined])
        new = {k: n for n, k in enumerate(sorted(needed))}
        rows = [self.rows[k] | ({"by": [new[j] for j in self.rows[k]["by"]]} if "by" in self.rows[k] else {}) for k in sorted(needed)]
        own = [k for k in needed if self.rows[k]["rule"] != "lemma"]  # what only a lemma speaks of is not written in this document
        free = frozenset[object]().union(*(f.free for k in own for f in (self.formula(k), *self.steps[k].hypotheses)))
        free = free.union(*(g.free for g in given))
        used = set[tuple[str, str]]().union(*(self._used[k] for k in needed))
        variables = sorted({(str(v.data[0]), str(v.data[1])) for v in free if isinstance(v, Term)} | {u for u in used if u[0][0] != "%"})
        header = {
            "format": checker.FORMAT,
            "name": name,
            "real": [n for n, sort in variables if sort == "R"],
            "integer": [n for n, sort in variables if sort == "Z"],
            "functions": {str(f[0]): str(f[1]) for f in sorted(f for f in free if isinstance(f, tuple))},
            "given": list(map(show, given)),
            "claim": show(self.formula(end)),
        }
        last = {"end": new[end]} | ({"defined": [new[k] for k in defined]} if defined else {})
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (header, *rows, last))

    def _behind(self, ends: Sequence[int]) -> set[int]:
        """The steps that these rest on, and these."""
        needed: set[int] = set()
        todo = list(ends)
        while todo:
            if (k := todo.pop()) not in needed:
                needed.add(k)
                todo += self.rows[k].get("by", [])
        return needed

    def obligations(self, given: Sequence[Term], claim: Term) -> list[Term]:
        """What must be shown to be defined, beyond what is given."""
        return [o for o in dict.fromkeys(o for f in (*given, claim) for o in obligations(f)) if o not in given]


def _variables(value: Any) -> set[tuple[str, str]]:
    """The variables in an argument."""
    if isinstance(value, Term):
        return {(str(v.data[0]), str(v.data[1])) for v in value.free if isinstance(v, Term)}
    if isinstance(value, dict):
        return set[tuple[str, str]]().union(*(_variables(item[1] if isinstance(item, tuple) else item) for item in value.values()))
    return set[tuple[str, str]]().union(*map(_variables, value)) if isinstance(value, list) else set()


def _written(value: Any) -> Any:
    if isinstance(value, Term):
        return show(value)
    if isinstance(value, list):
        return [_written(part) for part in value]
    if isinstance(value, dict):
        return dict(_entry(key, item) for key, item in value.items())
    need(isinstance(value, (int, str)), "an argument of another kind")
    return value


def _entry(key: Any, item: Any) -> tuple[str, Any]:
    if isinstance(key, Term):
        return f"{key.data[0]}:{key.data[1]}", show(item)
    parameters, body = item
    names = [f"t{k}_" for k in range(len(parameters))]
    return f"{key[0]}:{key[1]}", [names, show(_named(body, parameters, names))]


def _named(body: Term, parameters: Sequence[Term], names: Sequence[str]) -> Term:
    return substitute(body, {p: variable(n, p.sort) for p, n in zip(parameters, names, strict=True)})
