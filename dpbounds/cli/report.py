"""`dpbounds report`: the claims with verdicts, statements, evidence and figures as one HTML page."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from dpbounds.cli.claim_options import chosen_paths, claim_options, run_options, show_progress
from dpbounds.errors import InputError


@click.command(name="report")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("dpbounds-report.html"),
    show_default=True,
    metavar="FILE",
    help="Where the page goes.",
)
@claim_options(
    certificates="Certificates of a finished run of check: what they settle is not settled again. New ones go there too.",
    replay="Accept stored certificates only if they survive being checked again.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document: the verdicts, and where the page is.")
def command(
    paths: tuple[str, ...], output: Path, certificates: Path | None, replay: bool, workers: int | None, budget: float, as_json: bool
) -> int:
    """Write one self-contained HTML page: statements, verdicts, counterexamples, certificates, figures. It opens without a network.

    PATH: claim files or folders (default: proofs/, or the catalogue that dpbounds carries). Claim files are Python and are run as such.
    """
    options = run_options(workers, budget, certificates, replay)
    if output.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"--output must be an HTML file, got {output}; end its name in .html")
    if not output.parent.is_dir():
        raise InputError(f"--output {output}: there is no folder {output.parent}; make it first")
    os.environ.setdefault("MPLBACKEND", "svg")  # no display is needed
    from dpbounds import report
    from dpbounds.claims import run

    entries = report.entries_of(chosen_paths(paths), options, reuse=certificates is not None, on_row=show_progress)
    rows = [entry.row for entry in entries]
    figures = [report.verdicts_figure(rows), *([] if paths else [report.values_figure()])] if len(rows) > 1 else []
    page = report.page_of(entries, figures)
    try:
        output.write_text(page, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror}; choose another file with --output") from error
    if as_json:
        click.echo(json.dumps({**run.document_of(rows), "page": str(output)}, indent=1))
    else:
        click.echo(f"{output}: {len(rows)} {'claim' if len(rows) == 1 else 'claims'}, {len(page.encode()) / 1000:.0f} kB")
    return run.exit_code_of(rows)
