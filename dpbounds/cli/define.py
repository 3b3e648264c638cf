"""`dpbounds define`: what a quantity of the claim language means; without a name, the page of definitions."""

from __future__ import annotations

import json

import click

from dpbounds.errors import InputError, did_you_mean
from dpbounds.logic.definitions import DEFINITIONS, Definition, as_markdown
from dpbounds.logic.gaussian_family import SHORTHANDS


@click.command(name="define")
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--markdown", is_flag=True, help="Print the whole page as Markdown, with formulas in LaTeX.")
def command(name: str | None, as_json: bool, markdown: bool) -> int:
    """Say what a quantity of the claim language means: its definition, when it is defined, its source.

    Without NAME: list the quantities.
    """
    if markdown:
        click.echo(as_markdown(SHORTHANDS), nl=False)
        return 0
    known = DEFINITIONS + SHORTHANDS
    entries = tuple(entry for entry in known if name in (None, entry.name))
    if not entries:
        from dpbounds.language.outside import way_round_name

        names = sorted({entry.name for entry in known})
        if instead := way_round_name(name or ""):
            raise InputError(f"there is no definition of {name!r}{instead}")
        raise InputError(f"there is no definition of {name!r}{did_you_mean(name or '', names) or '; the names are ' + ', '.join(names)}")
    if as_json:
        click.echo(
            json.dumps({"schema": "dpbounds/1", "definitions": [entry.as_dict() for entry in entries]}, indent=1, ensure_ascii=False)
        )
    elif name is None:
        width = max(len(entry.name) for entry in entries)
        click.echo("\n".join(f"{entry.name:<{width}}  {entry.words}" for entry in entries))
    else:
        click.echo("\n\n".join(map(_shown, entries)))
    return 0


def _shown(entry: Definition) -> str:
    lines = [entry.name, f"  {entry.words}", "", f"  defines  {entry.left}"]
    lines += [f"  as       {entry.right}"] if entry.right is not None else []
    lines += [f"  given    {premise}" for premise in entry.premises]
    lines += [f"  note     {entry.note}"] if entry.note else []
    lines += [f"  tables   {entry.table}, added over the entries p, m of both"] if entry.table else []
    return "\n".join([*lines, f"  source   {entry.source}"])
