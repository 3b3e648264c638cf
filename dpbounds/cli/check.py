"""`dpbounds check`: settle the claims of files and folders."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpbounds.cli.shared.claim_options import chosen_paths, claim_options, run_options
from dpbounds.cli.shared.claim_progress import claim_progress
from dpbounds.cli.shared.interruption import exit_code_of
from dpbounds.errors import MissingExtra

if TYPE_CHECKING:
    from dpbounds.claims.run import Row

EXIT_CODES = """\b
Exit codes:
  0  every verdict as expected; without expectations, every claim holds
  1  a verdict contradicts its expectation, a claim without one is REFUTED,
     a mutant holds, or a stored certificate fails
  2  bad input; a claim with an empty domain, or outside of the claim
     language, leaves the verdicts of the others as they are
  3  something is UNDECIDED, or just ASSUMED, that was not expected to be
Each verdict goes to standard error when it is there. Ctrl-C and SIGTERM print
the table of what is settled (130, 143), and the next run goes on from there."""


@click.command(name="check", epilog=EXIT_CODES)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@claim_options(
    certificates="Where certificates go, with a page that report can use; default .dpbounds/certificates, without the page.",
    replay="Check the certificates of that folder and of the catalogue again, accept those that pass, and settle the other claims.",
)
@click.option("--no-threads", is_flag=True, help="Start no threads and no processes, as in a browser; budgets still hold.")
@click.option("--only", multiple=True, metavar="ID", help="Check this claim and what it uses; may be repeated.")
def command(
    paths: tuple[str, ...],
    as_json: bool,
    workers: int | None,
    budget: float,
    no_threads: bool,
    only: tuple[str, ...],
    certificates: Path | None,
    replay: bool,
) -> int:
    """Settle claims: PROVED, CERTIFIED, REFUTED with an exact counterexample, ASSUMED if only cited, or UNDECIDED with
    the part that is open.

    PATH: claim files or folders (default: proofs/, or the catalogue that dpbounds carries). Claim files are Python and are executed.
    """
    if no_threads:
        from dpbounds.claims import clock

        clock.use_no_threads()
    options = run_options(workers, budget, certificates, replay, only)
    from dpbounds.claims import run
    from dpbounds.claims.workers import AtWork

    chosen = chosen_paths(paths)

    at_work = AtWork(options.workers)
    try:
        with claim_progress(at_work) as on_row:
            rows = run.check(chosen, options, on_row=on_row, at_work=at_work)
    except run.Interrupted as stop:
        _print(stop.rows, as_json, stop.total)
        left = f"{len(stop.rows)} of {stop.total} claims are settled"
        where = f"their certificates are in {options.certificates}, and the next run goes on from there"
        click.echo(f"dpbounds: interrupted; {left}; {where}", err=True)
        return exit_code_of(stop)
    for row in rows:
        if row.outcome.bad_input:
            click.echo(f"dpbounds: claim {row.claim.id}: {row.outcome.detail}", err=True)
    _print(rows, as_json, len(rows))
    if certificates is not None and not only:
        with suppress(MissingExtra):
            from dpbounds.claims.addresses import site_of
            from dpbounds.report.memo import Request

            Request(chosen, (), budget, certificates, site_of()).keep_run(rows)
    return run.exit_code_of(rows)


def _print(rows: Sequence[Row], as_json: bool, total: int) -> None:
    """The table or the document; of a run that ended early it says how many claims there are."""
    from dpbounds.claims.run import document_of

    if as_json:
        early = {} if len(rows) == total else {"interrupted": {"settled": len(rows), "total": total}}
        click.echo(json.dumps(document_of(rows) | early, indent=1))
    elif rows:
        from dpbounds.cli.shared.claim_table import print_table

        print_table(rows)
