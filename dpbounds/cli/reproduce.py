"""`dpbounds reproduce`: the table of printed numbers with recipe, value and verdict."""

from __future__ import annotations

import json

import click


@click.command(name="reproduce")
@click.argument("only", nargs=-1, metavar="[ROW|SOURCE]...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(only: tuple[str, ...], as_json: bool) -> int:
    """Recompute the numbers printed in the sources; ROW is an id or its beginning, such as yu2019 or koskela2020.table-1."""
    from collections import Counter

    from dpbounds.reference import reproduction

    found = []
    chosen = reproduction.rows(only)
    width = max(len(row.id) for row in chosen)
    for row in chosen:
        outcome = reproduction.settle(row)
        found.append(outcome)
        if as_json:
            click.echo(f"{row.id}: {outcome.verdict.value}", err=True)
            continue
        how = f", {outcome.rounding.value}" if outcome.rounding not in (None, reproduction.Rounding.EXACT) else ""
        click.echo(
            f"{row.id:<{width}}  printed {row.printed:<24} found {reproduction.shown(outcome.value):<28} {outcome.verdict.value}{how}"
        )
        if outcome.truth is not None:
            click.echo(f"{'':<{width}}  certified {reproduction.shown(outcome.truth, 16)}")
        if outcome.recipe is not row.recipe:
            click.echo(f"{'':<{width}}  as printed: {row.recipe.text}; corrected: {outcome.recipe.text}")
        if row.note:
            click.echo(f"{'':<{width}}  note: {row.note}")
    counts = Counter(outcome.verdict for outcome in found)
    if as_json:
        document = {
            "schema": "dpbounds/1",
            "rows": [outcome.document() for outcome in found],
            "counts": {verdict.value: counts[verdict] for verdict in reproduction.Verdict},
        }
        click.echo(json.dumps(document, ensure_ascii=False))
    else:
        click.echo(", ".join(f"{counts[verdict]} {verdict.value}" for verdict in reproduction.Verdict))
    return 0
