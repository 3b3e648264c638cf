"""Whether the next step that an UNDECIDED names helps, if it is taken literally.

    python -m benchmarks.lemmas.advised [--seconds S] [ID ...]

The statements are the true lemmas of the lists that stay UNDECIDED; the lists were written before the advice. The first step that the
advice names is taken as it is worded: a value or a range for a variable, a premise, another variable. It helps if that statement is
settled in the same time. Where the words name nothing that can be stated, they do not help.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import sympy

from benchmarks.lemmas import FRESH, LISTS, OPEN, lemmas_of
from dpbounds import Claim, Verdict, settle
from dpbounds.claims.statement.instance import instantiate
from dpbounds.language.quantifiers import ForAll

Step = Callable[[Claim, "re.Match[str]"], Claim]


def read(claim: Claim, text: str) -> Any:
    """An expression of the advice, in the variables of the claim."""
    return sympy.sympify(text, locals={str(v): v for v in claim.variables} | {"E": sympy.E})


def at_value(claim: Claim, variable: str, text: str) -> Claim:
    """The claim with a value for one variable."""
    at = {read(claim, variable): read(claim, text)}
    given = [premise for g in claim.given if (premise := g.subs(at)) is not sympy.true]
    return replace(claim, then=claim.then.subs(at), given=tuple(given), example=None)


def with_premises(claim: Claim, texts: Sequence[str]) -> Claim:
    """The claim on a smaller domain."""
    return replace(claim, given=(*claim.given, *(read(claim, text) for text in texts)), example=None)


def away(claim: Claim, text: str) -> Claim:
    """The claim where each variable keeps its distance from a place."""
    found = re.findall(r"(\w+) is at least (\S+) from (\S+?)(?: and|$)", text)
    low = [f"{v} >= {place} + {room}" for v, room, place in found]
    return with_premises(claim, low)


def two_outcomes(claim: Claim) -> Claim:
    """The claim about tables of two entries: a law has one variable, another family two."""
    totals = [g.args[0] for g in claim.given if isinstance(g, sympy.Eq) and isinstance(g.args[0], sympy.Sum)]
    laws = {t.function.base for t in totals if isinstance(t.function, sympy.Indexed)}
    lengths = {t.limits[0][2] for t in (*totals, *claim.then.atoms(sympy.Sum)) if t.limits[0][2].is_Symbol}
    at: dict[Any, Any] = dict.fromkeys(lengths, sympy.Integer(2))
    given: list[Any] = []
    for base in claim.families:
        x, y = (sympy.Symbol(f"{base}{k}", positive=True) for k in (1, 2))
        at[base] = (x, 1 - x) if base in laws else (x, y)
        given += [x < 1] if base in laws else []
    for premise in claim.given:
        parts = [premise.args[2].subs(premise.args[0], k) for k in (1, 2)] if isinstance(premise, ForAll) else [premise]
        given += [instantiate(part, at) for part in parts]
    return replace(claim, then=instantiate(claim.then, at), given=tuple(g for g in given if g is not sympy.true), example=None)


STEPS: tuple[tuple[str, Step], ...] = (
    (r"state it for (\w+) = ([^,;]+?)(?:,| first)", lambda c, m: at_value(c, m[1], m[2])),
    (r"state it for (\S+) <= (\w+) <= (\S+)", lambda c, m: with_premises(c, [f"{m[2]} >= {m[1]}", f"{m[2]} <= {m[3]}"])),
    (r"state it for (\w+ <= \S+)", lambda c, m: with_premises(c, [m[1]])),
    (r"state it where (.+?) first", lambda c, m: away(c, m[1])),
    (r"such as (\w+ <= \d+)", lambda c, m: with_premises(c, [m[1]])),
    (r"state it for two outcomes first", lambda c, m: two_outcomes(c)),
    (r"add the premise ([^,;]+)", lambda c, m: with_premises(c, [m[1]])),
)


def followed(claim: Claim, advice: str) -> Claim | None:
    """The statement that the advice names first, None where it names none."""
    found = [(match.start(), step, match) for words, step in STEPS if (match := re.search(words, advice))]
    if not found:
        return None
    _, step, match = min(found, key=lambda row: row[0])
    ranges = re.search(r", and where ([^;]+);", advice)
    sides = re.findall(r"(\S+) <= (\w+) <= (\S+)", ranges[1]) if ranges else []
    return with_premises(step(claim, match), [text for low, v, high in sides for text in (f"{v} >= {low}", f"{v} <= {high}")])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lemmas.advised", description="Whether advice helps.")
    parser.add_argument("ids", nargs="*", help="lemmas (default: all that stay open)")
    parser.add_argument("--seconds", type=float, default=3.0, help="processor seconds for each statement")
    options = parser.parse_args(arguments)
    claims = [lemma.true for name in (*LISTS, *FRESH) for lemma in lemmas_of(name)]
    left = helped = 0
    for claim in claims:
        if claim.id not in (options.ids or OPEN):
            continue
        outcome = settle(claim, budget=options.seconds, contained=True)
        if outcome.verdict is not Verdict.UNDECIDED:
            continue
        left += 1
        step = followed(claim, outcome.next_step)
        verdict = None if step is None else settle(step, budget=options.seconds, contained=True).verdict
        helped += verdict is not None and verdict.holds is True
        print(f"{claim.id:36} {'names nothing' if verdict is None else verdict.value:14} {outcome.next_step}", flush=True)
    print(f"the next step helps {helped} of {left}")


if __name__ == "__main__":
    main()
