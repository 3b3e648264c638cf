"""The page of printed guarantees: every verdict, and in words what does not hold.

python -m dpbounds.verify.survey FOLDER PAGE
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from dpbounds.verify.judge import Judgement, judgement_of
from dpbounds.verify.reading import read_statements
from dpbounds.verify.verdict import StatementVerdict

_MEANING = {
    StatementVerdict.REFUTED: "certified to be false",
    StatementVerdict.DEPENDS: "true in one reading of the text and false in another",
    StatementVerdict.UNDECIDED: "left open by the certified bounds",
    StatementVerdict.NOT_EXPRESSIBLE: "not checkable: something is missing from the text",
}


def page_of(found: Sequence[Judgement]) -> str:
    """The page: counts, what does not hold, how far the others are from the truth, then one row a statement.

    >>> from dpbounds.verify.reading import read_statement
    >>> entry = {"name": "half", "source": "a page", "link": "https://example.org", "pure-epsilon": "1", "claim": {"epsilon": "1/2"}}
    >>> "certified to be false" in page_of([judgement_of(read_statement(entry))])
    True
    """
    held = sum(entry.verdict is StatementVerdict.HOLDS for entry in found)
    lines = [
        "# Printed guarantees, checked",
        "",
        f"Of {len(found)} printed guarantees, {held} hold. `python -m dpbounds.verify.survey statements docs/statements.md` writes",
        "this page from the files in [statements](../statements), which say where each is printed. [The page on verify](verify.md) says",
        "what the verdicts mean. Papers, tutorials and outputs of libraries, official statistics and data releases are among them.",
        "A statement is judged as it is printed: no code was run, and no claim is made about code.",
        *_slack(found),
        *_read(found),
    ]
    for verdict, meaning in _MEANING.items():
        chosen = [entry for entry in found if entry.verdict is verdict]
        if chosen:
            lines += ["", f"## {verdict.value}: {meaning}", ""]
            lines += [f"* {_sentence(entry)}" for entry in chosen]
    lines += ["", "## All of them", "", "| statement | claim | verdict | certified ε |", "|---|---|---|---|"]
    for entry in found:
        name = f"[{entry.statement.name}]({entry.statement.link})"
        lines.append(f"| {name} | {entry.statement.promise.text()} | {entry.verdict.value} | {_needed(entry)} |")
    return "\n".join(lines) + "\n"


def _slack(found: Sequence[Judgement]) -> list[str]:
    """How much larger the printed ε is than the certified one, where both are known and the statement holds."""
    factors = [
        float(entry.statement.promise.value) / float(entry.readings[0].needed_upper or 0)
        for entry in found
        if entry.verdict is StatementVerdict.HOLDS and float(entry.readings[0].needed_upper or 0) > 0
    ]
    if not factors:
        return []
    return [
        f"Where one holds and ε is known on both sides, the printed ε is {statistics.median(factors):.2f} times the certified one in the",
        f"median of {len(factors)}, and {max(factors):.2g} times at most.",
    ]


_READ = {
    "twice": "{count} of the statements were compared twice with the text that prints them, at the commit or the page that is named.",
    "looked up": "{count} were compared once, and a program found their numbers in the text again.",
    "as quoted": "For {count} the quotation was compared only with the OpenDP deployments registry, which agrees.",
    "once": "{count} were compared once, because the text could not be had again: {names}.",
}
"""What the files say of each statement under `read`."""


def _read(found: Sequence[Judgement]) -> list[str]:
    """How often the numbers were compared with their source."""
    lines = []
    for word, text in _READ.items():
        names = [entry.statement.name for entry in found if entry.statement.read == word]
        lines += [text.format(count=len(names), names=", ".join(names))] if names else []
    return ["", *lines] if lines else []


def _sentence(entry: Judgement) -> str:
    statement, first = entry.statement, entry.readings[0]
    said = f"**{statement.name}** ({statement.source}) prints {statement.promise.text()}."
    if len(entry.readings) > 1:
        words = [f"{reading.sampling}, {reading.relation}: {reading.verdict.value}" for reading in entry.readings]
        return f"{said} By reading: {'; '.join(words)}." + _note(entry)
    if first.verdict is StatementVerdict.REFUTED and first.rounds_to_printed:
        right = f"{first.needed_upper} holds, and rounded up it is {first.print_instead}"
        return f"{said} The truth rounds to it and is larger: {right}." + _note(entry)
    if first.needed_upper:
        said += f" At the printed δ, ε = {first.needed_upper} holds."
    elif first.verdict is StatementVerdict.REFUTED:
        said += f" The certified {first.quantity} is at least {first.lower}."
    return said + (f" {first.reason[0].upper()}{first.reason[1:]}." if first.reason else "") + _note(entry)


def _note(entry: Judgement) -> str:
    return f" Note: {entry.statement.note}." if entry.statement.note else ""


def _needed(entry: Judgement) -> str:
    values = [reading.needed_upper for reading in entry.readings if reading.needed_upper]
    return " or ".join(dict.fromkeys(values)) if values else "-"


def main(words: Sequence[str]) -> int:
    """Judge every statement of a folder and write the page."""
    if len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = [judgement_of(statement) for statement in read_statements([Path(words[0])])]
    Path(words[1]).write_text(page_of(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
