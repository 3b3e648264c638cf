"""`dpbounds check`: settle the claims of files and folders."""

from __future__ import annotations

import json
from pathlib import Path

import click

from dpbounds.cli.claim_options import chosen_paths, claim_options, run_options, show_progress


@click.command(name="check")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@claim_options(certificates="Where certificates go.", replay="Accept stored certificates that survive being checked again.")
@click.option("--only", multiple=True, metavar="ID", help="Check this claim and what it uses; may be repeated.")
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
    options = run_options(workers, budget, certificates, replay, only)
    from dpbounds.claims import run

    rows = run.check(chosen_paths(paths), options, on_row=show_progress)
    if as_json:
        click.echo(json.dumps(run.document_of(rows), indent=1))
    else:
        from dpbounds.cli.claim_table import print_table

        print_table(rows)
    return run.exit_code_of(rows)
