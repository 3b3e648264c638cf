"""`dpbounds sweep`: a table of questions in, a table of bounds out."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from dpbounds.errors import InputError
from dpbounds.files import write_output

_EVERY = 1.0
"""Seconds between two lines of progress."""
_UNANSWERED = 3


@click.command("sweep", epilog="Example: dpbounds sweep rows.csv -o bounds.csv --workers 2")
@click.argument("table", metavar="ROWS")
@click.option("-o", "--output", metavar="OUT", help="Where the table of bounds goes: .csv, .jsonl or .ndjson.")
@click.option("--method", metavar="M", default="auto", help="auto (default): float64 where it has the digits; certified; or float64.")
@click.option("--digits", metavar="D", help="Significant digits of a row without its own; default 8.")
@click.option("--workers", metavar="N", help="Processes for certified rows; default 1.")
@click.option("--executor", metavar="ADDRESS", help="Instead: the address of a dask scheduler, such as tcp://host:8786.")
@click.option("--journal", metavar="FILE", help="Where answers are kept until the sweep is complete; default OUT.journal.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document: how many rows, and how they were answered.")
def command(
    table: str,
    output: str | None,
    method: str,
    digits: str | None,
    workers: str | None,
    executor: str | None,
    journal: str | None,
    as_json: bool,
) -> int:
    """Bounds for every row of a table.

    The columns of ROWS are the options of the command line: a noise, such as sigma; q and steps, or records, batch and epochs; one of
    delta, epsilon and alpha. If a row has no answer, its column error has the reason. A sweep that was stopped
    continues where it was. Exit code 3: some rows have no bounds.
    """
    from dpbounds.numbers import exact
    from dpbounds.sweeps import run, tables
    from dpbounds.sweeps.journal import SweepJournal

    if output is None:
        raise InputError("--output is missing; give the table of bounds a name, such as -o bounds.csv")
    rows = tables.read_table(table)
    tables.table_text([], output)  # a name that will do, before the work
    if os.path.exists(output) and os.path.samefile(table, output):
        raise InputError(f"--output is the table of questions, {table}; give the bounds another name, such as -o bounds.csv")
    kept = Path(journal or f"{output}.journal")
    with _executor_at(executor) as chosen:
        found = run.sweep(
            rows,
            method=method,
            digits=8 if digits is None else exact.integer(digits, "digits"),
            workers=1 if workers is None else exact.integer(workers, "workers"),
            executor=chosen,
            journal=kept,
            progress=_Lines(),
        )
    write_output(Path(output), found.text(output), "--output")
    SweepJournal(kept).close(remove=True)
    routes = Counter(answer["route"] for answer in found.answers if not answer["error"])
    wide = sum(1 for answer in found.answers if answer["note"].startswith("wide"))
    document = {
        "rows": len(found.answers),
        **{name: routes[name] for name in ("float64", "certified")},
        "wide": wide,
        "without-bounds": found.failed,
    }
    if as_json:
        click.echo(json.dumps({**document, "output": output}))
    else:
        said = f", {wide} of them wide" if wide else ""
        first = next(((row, str(answer["error"])) for row, answer in enumerate(found.answers, 1) if answer["error"]), None)
        why = "" if first is None else f" (row {first[0]}: {first[1].partition(': ')[2]})"
        click.echo(
            f"{document['rows']} rows: {routes['float64']} by float64 bounds{said}, {routes['certified']} certified, "
            f"{found.failed} without bounds{why}; written to {output}"
        )
    return _UNANSWERED if found.failed else 0


class _Lines:
    """Progress on stderr, one line a second at most."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, done: int, of: int) -> None:
        if time.monotonic() - self._last >= _EVERY:
            self._last = time.monotonic()
            print(f"dpbounds: {done} of {of} rows", file=sys.stderr)


@contextmanager
def _executor_at(address: str | None) -> Iterator[Executor | None]:
    """The executor of a dask cluster."""
    if address is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--executor needs dask.distributed; install dpbounds[dask]") from None
    try:
        client: Any = Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise InputError(f"no dask scheduler at {address}: {error}") from None
    with client, client.get_executor() as executor:
        yield executor
