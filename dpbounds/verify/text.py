"""Judgements as text for people and as documents for programs."""

from __future__ import annotations

from typing import Any

from dpbounds.verify.judge import Judgement, Reading
from dpbounds.verify.statement import MechanismUse, Statement
from dpbounds.verify.verdict import StatementVerdict


def text_of(judgement: Judgement) -> str:
    """The verdict, the number that decides, and what was assumed, so that a reader sees it at once.

    A statement with one reading takes a few lines; one with several ends in a table of them.
    """
    statement = judgement.statement
    lines = [f"{judgement.verdict}  {_headline(statement)}"]
    if statement.link:
        lines.append(f"  {statement.link}")
    lines.append(f"  says: {_says(statement)}")
    lines += [f"  {line}" for line in lines_of(judgement)]
    if statement.formula is not None and (assumed := judgement.readings[0].assumed):
        lines = [line if assumed in line else f"{line}; for {assumed}" for line in lines]
    return "\n".join(lines)


def lines_of(judgement: Judgement) -> list[str]:
    """What decides and what was assumed, line by line."""
    statement = judgement.statement
    lines = [f"unit: {statement.unit}"] if statement.unit else []
    if len(judgement.readings) == 1:
        lines += _lines(judgement.readings[0], statement)
    else:
        if statement.unstated:
            lines.append(f"the text does not state: {', '.join(statement.unstated)}")
        lines += _table(judgement)
    return [*lines, *(f"note: {text}" for text in (statement.library, statement.note) if text)]


def document_of(judgement: Judgement) -> dict[str, Any]:
    """One JSON object; numbers are decimal strings, rounded outward."""
    statement = judgement.statement
    return {
        "name": statement.name,
        "source": statement.source,
        "link": statement.link,
        "unit": statement.unit,
        "says": _says(statement),
        "claim": statement.promise.text(),
        "library": statement.library,
        "verdict": judgement.verdict.value,
        "readings": [{**vars(reading), "verdict": reading.verdict.value} for reading in judgement.readings],
    }


def _headline(statement: Statement) -> str:
    return ": ".join(part for part in (statement.name, statement.source) if part) or "the statement"


def _says(statement: Statement) -> str:
    parts = statement.formula.text() if statement.formula else " + ".join(_part(part) for part in statement.parts)
    readings = [text for text in (" or ".join(statement.samplings), " or ".join(statement.relations)) if text]
    return "; ".join([parts, *readings, f"hence {statement.promise.text()}"])


def _part(part: MechanismUse) -> str:
    noise = "no noise multiplier" if part.noise is None or part.amount is None else f"{part.noise} {part.amount.text}"
    words = [noise, *(f"{key} {value if isinstance(value, str | int) else ', '.join(map(str, value))}" for key, value in part.further)]
    for key in ("q", "batch", "batch limit", "records", "epochs", "steps"):
        span = getattr(part, key.replace(" ", "_"))
        if span is not None:
            words.append(f"{key} {span.text}")
    if part.group > 1:
        words.append(f"{part.group} records of one user")
    if part.epochs is not None and (uses := part.uses()) is not None:
        words.append(f"which is {uses.text.split(' (')[0]} steps" + ("" if part.rounding else ", rounding not stated"))
    return ", ".join(words)


def _lines(reading: Reading, statement: Statement) -> list[str]:
    found = [_decisive(reading, statement)]
    if reading.needed_lower or reading.needed_upper:
        found.append(_needed(reading, statement))
    if reading.rounds_to_printed:
        found.append(f"the printed number is the truth rounded to the nearest; rounded up it is {reading.print_instead}")
    if reading.assumed:
        found.append(f"assumed: {reading.assumed}")
    return [line for line in found if line]


def _decisive(reading: Reading, statement: Statement) -> str:
    promise = statement.promise
    if reading.verdict is StatementVerdict.NOT_EXPRESSIBLE or (reading.lower is None and reading.upper is None):
        return reading.reason
    ends = _interval(reading.lower, reading.upper)
    what = f"certified {reading.quantity}"
    if promise.kind == "epsilon":
        what += f" at epsilon = {promise.printed}"
        compared = f"printed {promise.printed_delta}"
    else:
        compared = f"printed {promise.text()}"
    return f"{what}: {ends}; {compared}" + (f"; {reading.reason}" if reading.reason else "")


def _needed(reading: Reading, statement: Statement) -> str:
    ends = _interval(reading.needed_lower, reading.needed_upper)
    slack = ""
    if reading.verdict is StatementVerdict.HOLDS and reading.needed_upper and float(reading.needed_upper) > 0:
        slack = f"; the printed value is {float(statement.promise.value) / float(reading.needed_upper):.2f} times that"
    return f"certified epsilon at delta = {statement.promise.printed_delta}: {ends}{slack}"


def _interval(lower: str | None, upper: str | None) -> str:
    if lower is not None and upper is not None:
        return f"[{lower}, {upper}]"
    return f"at least {lower}" if upper is None else f"at most {upper}"


def _table(judgement: Judgement) -> list[str]:
    rows = [("sampling", "relation", "verdict", judgement.readings[0].quantity, "epsilon that holds")]
    for reading in judgement.readings:
        decided = "-" if reading.lower is None and reading.upper is None else _interval(reading.lower, reading.upper)
        needed = "-" if not reading.needed_upper else f"at most {reading.needed_upper}"
        rows.append((reading.sampling, reading.relation, reading.verdict.value, decided, needed))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]]).rstrip() for row in rows]
    reasons = dict.fromkeys(f"{r.sampling}: {r.reason}" for r in judgement.readings if r.reason)
    assumed = dict.fromkeys(f"{r.sampling}, {r.relation}: {r.assumed}" for r in judgement.readings if r.assumed)
    return [*lines, *(f"  {line}" for line in [*reasons, *(f"assumed for {line}" for line in assumed)])]
