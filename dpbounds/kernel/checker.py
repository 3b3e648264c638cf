"""The checker: documents in, sequents out, or a refusal of one line.

A document is JSON lines: a header, steps, an end. Conclusions are computed from rules, premises and arguments; none is read.

    {"format": "dpbounds-proof/1", "name": …, "real": […], "integer": […], "functions": {"p": "Z>R"}, "given": […], "claim": …}
    {"let": "W", "be": …}                                  an abbreviation
    {"rule": …, "by": [numbers of steps], "with": {…}}     a step; steps are numbered from 0
    {"end": step, "defined": [steps]}                      the claim, and that everything in it is defined
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dpbounds.kernel import rules_calculus, rules_logic, rules_order, rules_sums
from dpbounds.kernel.definedness import obligations, ranges
from dpbounds.kernel.notation import NAME, RESERVED, Reader, show
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.ring import Ring
from dpbounds.kernel.sequents import RULES, Sequent
from dpbounds.kernel.terms import Function, Refused, Term, need, variable

FORMAT = "dpbounds-proof/1"
LINES, LENGTH = 20_000, 200_000
"""Lines of a document, and characters of one; the longest of the catalogue has fewer than a tenth."""
FOLLOWED = 400_000
"""Nodes of all conclusions of a document."""
_SIGNATURE = re.compile(r"[RZ]{1,6}>[RZ]")
_RULE_FILES = (rules_calculus, rules_logic, rules_order, rules_sums)


@dataclass(frozen=True)
class Statement:
    """What an accepted document proves: the claim under what is given, for all values of the variables and all functions.

    `defined` is what it showed to say that everything in both is defined, each from some of what is given.
    """

    name: str
    given: tuple[Term, ...]
    claim: Term
    citations: frozenset[str]
    steps: int
    defined: tuple[Sequent, ...] = ()

    @property
    def sequent(self) -> Sequent:
        """The statement as a sequent."""
        return Sequent(frozenset(self.given), self.claim, self.citations)


class Arguments:
    """Reads the arguments of a rule from what a step says, by the annotations of the rule's parameters."""

    def __init__(self, reader: Reader, budget: Budget) -> None:
        self.reader, self.budget = reader, budget

    def term(self, text: object) -> Term:
        """A term of sort R or Z."""
        t = self.reader(text)
        need(t.sort != "F", "a term is wanted, not a formula")
        return t

    def formula(self, text: object) -> Term:
        """A formula."""
        t = self.reader(text)
        need(t.sort == "F", "a formula is wanted, not a term")
        return t

    def variable(self, text: object) -> Term:
        """A declared variable by its name."""
        t = self.reader(text)
        need(t.tag == "v", "a declared variable is wanted")
        return t

    def integer(self, given: object) -> int:
        """A small natural number."""
        if type(given) is int and 0 <= given < 1000:
            return given
        raise Refused("a number from 0 to 999 is wanted")

    def string(self, given: object) -> str:
        """A short text."""
        need(isinstance(given, str) and len(given) <= 1000 and given.isprintable(), "a text of one line is wanted")
        return str(given)

    def terms(self, given: object) -> list[Term]:
        """A list of terms."""
        need(isinstance(given, list), "a list of terms is wanted")
        return [self.term(text) for text in given]  # type: ignore[attr-defined]

    def substitution(self, given: object) -> dict[Term, Term]:
        """{"x:R": term}"""
        return {variable(name, sort): self.term(t) for name, sort, t in _keyed(given, re.compile("[RZ]"))}

    def lambdas(self, given: object) -> dict[tuple[str, str], Function]:
        """{"p:Z>R": [[names], term]}"""
        found = {}
        for name, signature, pair in _keyed(given, _SIGNATURE):
            need(isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], list), "a lambda is [names, term]")
            names, wanted = pair[0], signature.partition(">")[0]
            need(len(names) == len(wanted) and all(map(_is_name, names)), f"the lambda for {name} has the wrong parameters")
            need(not any(n in self.reader.names for n in names) and len(set(names)) == len(names), "a parameter has a meaning")
            marks = {n: variable(f"%p{k}", s) for k, (n, s) in enumerate(zip(names, wanted, strict=True))}
            body = Arguments(Reader({**self.reader.names, **marks}, self.reader.functions), self.budget).term(pair[1])
            found[name, signature] = tuple(marks.values()), body
        return found

    def of_rule(self, rule: str, given: Mapping[str, object]) -> dict[str, Any]:
        """All arguments that a rule takes after the premises."""
        kinds = {
            "Term": self.term,
            "Formula": self.formula,
            "Variable": self.variable,
            "int": self.integer,
            "str": self.string,
            "list[Term]": self.terms,
            "Substitution": self.substitution,
            "Lambdas": self.lambdas,
        }
        wanted = {n: k for n, k in RULES[rule].__annotations__.items() if k in kinds}
        need(set(given) == set(wanted), f"{rule} takes {', '.join(wanted) or 'no arguments'}")
        supplied = {"budget": self.budget} if "budget" in RULES[rule].__annotations__ else {}
        return {n: kinds[k](given[n]) for n, k in wanted.items()} | supplied


def _keyed(given: object, kind: re.Pattern[str]) -> Iterable[tuple[str, str, Any]]:
    need(isinstance(given, dict), "an object is wanted")
    for key, item in given.items():  # type: ignore[attr-defined]
        name, _, sort = key.partition(":")
        need(_is_name(name) and kind.fullmatch(sort), f"{key[:40]!r} is not a name with its sort")
        yield name, sort, item


def _is_name(name: object) -> bool:
    return isinstance(name, str) and bool(NAME.fullmatch(name)) and name not in RESERVED and len(name) <= 40


class Document:
    """One document while it is checked.

    Args:
        header: its first line.
        accepted: what has been proved before, by name.
    """

    def __init__(self, header: Mapping[str, Any], accepted: Mapping[str, Statement]) -> None:
        need(set(header) == {"format", "name", "real", "integer", "functions", "given", "claim"}, "the header has not the right keys")
        need(header["format"] == FORMAT, f"the format must be {FORMAT}")
        need(isinstance(header["name"], str) and re.fullmatch(r"[a-z0-9-]{1,60}", header["name"]), "the name must be lower case")
        need(isinstance(header["functions"], dict), "functions must be an object")
        lists = [header["real"], header["integer"], header["given"]]
        need(all(isinstance(part, list) for part in lists), "real, integer and given must be lists")
        self.name, self.accepted, self.steps, self.left = header["name"], accepted, list[Sequent](), FOLLOWED
        names = [*header["real"], *header["integer"], *header["functions"]]
        need(all(map(_is_name, names)) and len(set(names)) == len(names), "names must be identifiers, declared once and not reserved")
        signatures = header["functions"].values()
        need(all(isinstance(s, str) and _SIGNATURE.fullmatch(s) for s in signatures), "a signature must look like RZ>R")
        variables = {n: variable(n, "R") for n in header["real"]} | {n: variable(n, "Z") for n in header["integer"]}
        self.arguments = Arguments(Reader(variables, header["functions"]), Budget())
        self.given = tuple(map(self.arguments.formula, header["given"]))
        self.claim = self.arguments.formula(header["claim"])

    def let(self, name: object, text: object) -> None:
        """Give a term a name."""
        reader = self.arguments.reader
        need(_is_name(name) and name not in reader.names and name not in reader.functions, "the name of a let must be new")
        reader.names[str(name)] = reader(text)

    def step(self, rule: object, by: object, given: object) -> Sequent:
        """Apply a rule to earlier steps."""
        need(isinstance(by, list) and all(type(k) is int and 0 <= k < len(self.steps) for k in by), "premises are earlier steps")
        need(isinstance(given, dict), "arguments must be an object")
        premises = [self.steps[k] for k in by]  # type: ignore[attr-defined]
        if rule == "lemma":
            need(not premises and set(given) == {"name"}, "lemma takes a name and no premises")  # type: ignore[call-overload]
            name = self.arguments.string(given["name"])  # type: ignore[index]
            need(name in self.accepted, "no such document has been accepted")
            found = self.accepted[name].sequent
        else:
            need(isinstance(rule, str) and rule in RULES, "no such rule")
            found = RULES[str(rule)](premises, **self.arguments.of_rule(str(rule), given))  # type: ignore[arg-type]
        new = found.hypotheses.difference(*(p.hypotheses for p in premises))  # substitution can make them large
        self.left -= found.formula.size + len(found.hypotheses) + sum(h.size for h in new)
        need(self.left >= 0, "the conclusions are too large")
        self.steps.append(found)
        return found

    def end(self, step: object, defined: object) -> Statement:
        """The claim has been proved from what is given, and everything in both is defined.

        A condition that is given may be used when it is shown that a later one, or the claim, is defined.
        """
        count = len(self.steps)
        need(isinstance(defined, list), "defined must be a list of steps")
        need(all(type(k) is int and 0 <= k < count for k in (step, *defined)), "the end names steps")  # type: ignore[misc]
        last, given = self.steps[step], frozenset(self.given)  # type: ignore[call-overload]
        need(last.formula == self.claim, f"the last step proves {show(last.formula)[:200]}, which is not the claim")
        extra = [show(h)[:200] for h in last.hypotheses - given]
        need(not extra, f"the claim is proved under more than is given: {'; '.join(sorted(extra))[:400]}")
        helpers = [s for s in (self.steps[k] for k in defined) if s.hypotheses <= given]  # type: ignore[attr-defined]
        shown = {s.formula for s in helpers} | given
        for wanted in (o for f in (*self.given, self.claim) for o in obligations(f)):
            need(wanted in shown, f"not shown to be defined: {show(wanted)[:300]}")
        plain = {f for f in given if not ranges(f)}  # a condition that holds by one convention alone shows no other to be clear
        clear = {s.formula for s in helpers if s.hypotheses <= plain} | plain
        left = [o for f in self.given for o in ranges(f) if o not in clear]
        known = Ring(plain if left else (), self.arguments.budget)
        for wanted in left:
            need(known.holds(wanted), f"not shown to be defined without other sums: {show(wanted)[:200]}")
        cited = last.citations.union(*(s.citations for s in helpers))
        return Statement(self.name, self.given, self.claim, cited, count, tuple(helpers))


def object_of(text: str, what: str) -> dict[str, Any]:
    """A JSON object, in which no key occurs twice.

    Raises:
        Refused: it is none.
    """
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused(f"{what} is not JSON") from None
    need(isinstance(found, dict), f"{what} is not an object")
    return dict(found)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    need(len({k for k, _ in pairs}) == len(pairs), "a key occurs twice")
    return dict(pairs)


def _no_constant(name: str) -> None:
    raise Refused(f"{name} is no number")


def parse(text: str) -> list[dict[str, Any]]:
    """The lines of a document.

    Raises:
        Refused: they are not JSON objects of the known shapes.
    """
    lines = text.splitlines()
    need(2 <= len(lines) <= LINES and max(map(len, lines)) <= LENGTH, "a document has a header and an end, and is not too long")
    rows = [object_of(line, f"line {number}") for number, line in enumerate(lines, 1)]
    need("format" in rows[0] and "end" in rows[-1], "a document starts with a header and ends with an end")
    return rows


_SHAPES = ({"let", "be"}, {"rule", "by", "with"}, {"rule", "by"}, {"rule", "with"}, {"rule"})


def check(rows: list[dict[str, Any]], accepted: Mapping[str, Statement]) -> Statement:
    """What a document proves, given what has been accepted before.

    Raises:
        Refused: with the line where, and why.
    """
    document = Document(rows[0], accepted)
    for number, row in enumerate(rows[1:-1], 2):
        need(set(row) in _SHAPES, f"line {number}: neither a let nor a step")
        try:
            if "let" in row:
                document.let(row["let"], row["be"])
            else:
                document.step(row["rule"], row.get("by", []), row.get("with", {}))
        except (Refused, RecursionError) as why:
            reason = why if isinstance(why, Refused) else "nested too deeply"
            name = row["rule"] if row.get("rule") in (*RULES, "lemma") else "let" if "let" in row else "step"
            raise Refused(f"line {number}: {name}: {reason}"[:1000]) from None
    need(set(rows[-1]) <= {"end", "defined"}, "the last line has other keys than end and defined")
    return document.end(rows[-1]["end"], rows[-1].get("defined", []))


def lemmas(rows: list[dict[str, Any]]) -> set[str]:
    """The names of the documents that a document rests on."""
    given = [row["with"] for row in rows if row.get("rule") == "lemma" and isinstance(row.get("with"), dict)]
    return {str(w["name"]) for w in given if "name" in w}


def check_all(texts: Mapping[str, str]) -> dict[str, Statement | Refused]:
    """Check documents, each after those that it rests on; the result by the key of each text."""
    results: dict[str, Statement | Refused] = {}
    rows: dict[str, list[dict[str, Any]]] = {}
    accepted: dict[str, Statement] = {}
    for file, text in texts.items():
        try:
            rows[file] = parse(text)
        except Refused as why:
            results[file] = why
    while rows:
        ready = [file for file, found in rows.items() if lemmas(found) <= accepted.keys()]
        for file in ready or list(rows):
            try:
                statement = check(rows.pop(file), accepted)
                need(statement.name not in accepted, "another document has this name")
                results[file] = accepted[statement.name] = statement
            except Refused as why:
                results[file] = why
    return {file: results[file] for file in texts}
