"""`dpbounds read`: a lemma as papers print it, as a claim file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from dpbounds.errors import InputError
from dpbounds.files import read_text, write_output

EXIT_CODES = """\b
Exit codes:
  0  every lemma was read
  2  a lemma has no reading, or two; the others are read all the same"""


@click.command(name="read", epilog=EXIT_CODES)
@click.argument("path", metavar="FILE")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.py", help="Write the claim file there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(path: str, output: Path | None, as_json: bool) -> int:
    """Read lemmas as papers print them, in LaTeX or Markdown, and write them as a claim file for `dpbounds check`.

    FILE: a .tex or .md file, or - for the standard input. Its lemma environments or bold headings are read; without any, the whole file
    is one lemma. The output says how each lemma was read: compare that with what you meant.
    A text with two readings is refused, with the reason.
    """
    from dpbounds.reading.lemma import claim_file, parts_of, read_part

    text = sys.stdin.read() if path == "-" else read_text(Path(path), "the file of lemmas")
    lemmas, rows, failed = [], [], False
    for title, body in parts_of(text):
        row: dict[str, Any] = {"title": title}
        try:
            lemma = read_part(title, body)
        except InputError as error:
            failed = True
            rows.append(row | {"refused": str(error)})
            print(f"dpbounds: {title + ': ' if title else ''}{error}", file=sys.stderr)
            continue
        lemmas.append(lemma)
        rows.append(row | lemma.as_dict())
    if output is not None and lemmas:
        write_output(output, claim_file(lemmas), "--output")
    if as_json:
        click.echo(json.dumps({"schema": "dpbounds/1", "lemmas": rows}, indent=1, ensure_ascii=False))
    elif output is not None:
        click.echo("\n".join([*(lemma.echo for lemma in lemmas), f"{output}: {len(lemmas)} claim{'s' * (len(lemmas) != 1)}"]))
    elif lemmas:
        click.echo(claim_file(lemmas), nl=False)
    return 2 if failed else 0
