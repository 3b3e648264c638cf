"""`dpbounds reproduce`: the table of printed numbers with recipe, value and verdict."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dpbounds.reference.reproduction import RowOutcome


@click.command(name="reproduce")
@click.argument("only", nargs=-1, metavar="[ROW|SOURCE]...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(only: tuple[str, ...], as_json: bool) -> int:
    """Recompute the numbers printed in the sources; ROW is an id or its beginning, such as yu2019 or koskela2020.table-1."""
    from dpbounds.reference import reproduction

    found: list[RowOutcome] = []
    rows = reproduction.rows(only)
    for source in reproduction.SOURCES:
        chosen = [row for row in rows if row.source == source]
        if chosen and not as_json:
            click.echo(("\n" if found else "") + click.style(reproduction.TITLES[source], bold=True))
        width = max((len(row.id) for row in chosen), default=0)
        for row in chosen:
            outcome = reproduction.settle(row)
            found.append(outcome)
            if as_json:
                click.echo(f"{row.id}: {outcome.verdict.value}", err=True)
            else:
                click.echo("\n".join(_lines(outcome, width)))
    if as_json:
        counts = Counter(outcome.verdict for outcome in found)
        document = {
            "schema": "dpbounds/1",
            "rows": [outcome.document() for outcome in found],
            "counts": {verdict.value: counts[verdict] for verdict in reproduction.RowVerdict},
        }
        click.echo(json.dumps(document, ensure_ascii=False))
    else:
        click.echo("\n".join(_summary(found)))
    return 0


def _lines(outcome: RowOutcome, width: int) -> list[str]:
    """A row for people: printed, found, verdict; below it what else there is to say."""
    from dpbounds.reference.reproduction import Rounding, RowVerdict, shown

    row, verdict = outcome.row, outcome.verdict
    how = f", {outcome.rounding.value}" if outcome.rounding not in (None, Rounding.EXACT) else ""
    colour = {RowVerdict.REPRODUCED: "green", RowVerdict.AFTER_CORRECTION: "yellow", RowVerdict.NOT_REPRODUCED: "red"}[verdict]
    word = click.style(verdict.value, fg=colour)
    lines = [f"{row.id:<{width}}  printed {row.printed:<16} found {shown(outcome.value):<28} {word}{how}"]
    below = []
    if outcome.truth is not None:
        below.append(f"certified {shown(outcome.truth, 16)}")
    if outcome.recipe is not row.recipe:
        below.append(f"as printed: {row.recipe.text}; corrected: {outcome.recipe.text}")
    elif verdict is RowVerdict.NOT_REPRODUCED:
        below.append(f"recipe: {row.recipe.text}")
    if row.note:
        below.append(f"note: {row.note}")
    return lines + [f"{'':<{width}}  {text}" for text in below]


def _summary(found: Sequence[RowOutcome]) -> list[str]:
    """How many of each verdict, by source and in all."""
    from dpbounds.reference.reproduction import SOURCES, RowVerdict

    def counted(outcomes: Sequence[RowOutcome]) -> str:
        counts = Counter(outcome.verdict for outcome in outcomes)
        return ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in RowVerdict)

    groups = {source: [outcome for outcome in found if outcome.row.source == source] for source in SOURCES}
    several = [f"{source:<15} {counted(outcomes)}" for source, outcomes in groups.items() if outcomes]
    return ["", *(several if len(several) > 1 else []), f"{'all':<15} {counted(found)}"]
