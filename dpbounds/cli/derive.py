"""`dpbounds derive`: the list of derivations, or one of them built now, step by step, whose proof file the proof checker accepts."""

from __future__ import annotations

import json

import click


@click.command(name="derive")
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--latex", is_flag=True, help="Print the derivation as LaTeX.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(name: str | None, latex: bool, as_json: bool) -> int:
    """Build a derivation, check its proof file, and show its steps. Without NAME: list the derivations."""
    from dpbounds.errors import InputError

    if latex and as_json:
        raise InputError("choose one of --latex and --json")
    if name is None:
        if latex:
            raise InputError("--latex needs the name of a derivation; `dpbounds derive` lists the names")
        _list(as_json)
        return 0
    from dpbounds.claims.evidence import documents
    from dpbounds.theory import get

    built = get(name)
    documents.require_document(built)
    if as_json:
        closed = None if built.closed_form is None else str(built.closed_form)
        document = {"schema": "dpbounds/1", "title": built.title, "source": built.source, "closed_form": closed, **built.to_json()}
        click.echo(json.dumps(document, indent=1))
    else:
        click.echo(built.latex() if latex else str(built))
    return 0


def _list(as_json: bool) -> None:
    from dpbounds.theory import recipes

    entries = recipes()
    if as_json:
        rows = [{"name": entry.name, "title": entry.title, "source": entry.source} for entry in entries]
        click.echo(json.dumps({"schema": "dpbounds/1", "derivations": rows}, indent=1))
        return
    width = max(len(entry.name) for entry in entries)
    for entry in entries:
        click.echo(f"{entry.name:<{width}}  {entry.title}")
