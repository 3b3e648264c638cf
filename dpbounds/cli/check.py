"""`dpbounds check`: settle the claims of files and folders."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import click

from dpbounds.errors import InputError


@click.command(name="check")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--workers", type=click.IntRange(min=1), default=None, metavar="N", help="Processes (default: one for each core).")
@click.option(
    "--budget",
    type=float,
    default=60.0,
    show_default=True,
    metavar="S",
    help="Seconds for each claim that does not set a budget of its own.",
)
@click.option("--only", multiple=True, metavar="ID", help="Check this claim and what it uses; may be repeated.")
@click.option(
    "--certificates", type=click.Path(file_okay=False, path_type=Path), default=None, metavar="DIR", help="Where certificates go."
)
@click.option("--replay", is_flag=True, help="Accept stored certificates that survive being checked again.")
def command(
    paths: tuple[str, ...],
    as_json: bool,
    workers: int | None,
    budget: float,
    only: tuple[str, ...],
    certificates: Path | None,
    replay: bool,
) -> int:
    """Settle claims: PROVED, CERTIFIED, REFUTED with an exact counterexample, or UNDECIDED with what is left.

    PATH: claim files or folders (default: proofs/, or the catalogue that dpbounds carries). Claim files are Python and are run as such.
    """
    if not budget > 0 or budget == float("inf"):
        raise InputError(f"--budget must be a number of seconds > 0, got {budget}")
    from dpbounds.claims import run
    from dpbounds.claims.collect import catalogue_folder

    chosen = list(paths) or [str(Path("proofs") if Path("proofs").is_dir() else catalogue_folder())]
    options = run.Options(
        workers=workers or os.cpu_count() or 1,
        budget=budget,
        only=only,
        certificates=certificates or run.DEFAULT_CERTIFICATES,
        replay=replay,
    )
    rows = run.check(chosen, options, on_row=_progress)
    if as_json:
        click.echo(json.dumps(run.document_of(rows), indent=1))
    else:
        from dpbounds.cli.claim_table import print_table

        print_table(rows)
    return run.exit_code_of(rows)


def _progress(done: int, total: int, identifier: str) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == total else ""
        print(f"\r\033[K{done}/{total}  {identifier}", end=end, file=sys.stderr, flush=True)
