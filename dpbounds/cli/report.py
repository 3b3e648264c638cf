"""`dpbounds report`: the claims with verdicts, statements and evidence as one HTML page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpbounds.cli.shared.claim_options import chosen_paths, claim_options, run_options
from dpbounds.cli.shared.claim_progress import claim_progress
from dpbounds.errors import InputError
from dpbounds.files import write_output

if TYPE_CHECKING:
    from dpbounds.verify import Judgement


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
    certificates="Certificates of a finished run of check: what they settle is not settled again. "
    "New ones go there, and so does the finished page, which is used again while nothing has changed.",
    replay="Accept stored certificates only if they survive being checked again.",
)
@click.option(
    "--statements",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="A file or folder of printed guarantees, judged as by verify and shown in a table of their own; may be repeated.",
)
@click.option("--site", metavar="URL", help="Address of the site, for links to the same questions; default $DPBOUNDS_SITE_URL, or none.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document: the verdicts, and where the page is.")
def command(
    paths: tuple[str, ...],
    output: Path,
    certificates: Path | None,
    replay: bool,
    workers: int | None,
    budget: float,
    statements: tuple[Path, ...],
    site: str | None,
    as_json: bool,
) -> int:
    """Write one self-contained HTML page: statements, verdicts, counterexamples, certificates. It opens without a network.

    PATH: claim files or folders (default: proofs/, or the catalogue that dpbounds carries). Claim files are Python and are executed.
    """
    options = run_options(workers, budget, certificates, replay)
    if output.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"--output must be an HTML file, got {output}; end its name in .html")
    if not output.parent.is_dir():
        raise InputError(f"--output {output}: there is no folder {output.parent}; make it first")
    from dpbounds.claims.addresses import site_of
    from dpbounds.report.memo import Page, Request

    chosen = chosen_paths(paths)
    request = Request(chosen, statements, budget, options.certificates, site_of(site))
    page = request.recall() if certificates is not None and not replay else None
    if page is None:
        from dpbounds.claims.workers import AtWork
        from dpbounds.report import entries_of

        judgements = _judged(statements)
        at_work = AtWork(options.workers)
        with claim_progress(at_work) as on_row:
            entries = entries_of(chosen, options, reuse=certificates is not None, on_row=on_row, at_work=at_work)
        page = Page.of_entries(entries, judgements, request.site)
        if not replay:
            request.keep(page)
    write_output(output, page.text, "--output")
    if as_json:
        click.echo(json.dumps({**page.document, "page": str(output)}, indent=1))
    else:
        count = page.document["counts"]["total"]
        click.echo(f"{output}: {count} {'claim' if count == 1 else 'claims'}, {len(page.text.encode()) / 1000:.0f} kB")
    return page.exit_code


def _judged(paths: tuple[Path, ...]) -> list[Judgement]:
    from dpbounds.verify import judgement_of, read_statements

    missing = [path for path in paths if not path.exists()]
    if missing:
        raise InputError(f"--statements: there is no file or folder {missing[0]}")
    return [judgement_of(statement) for statement in read_statements(paths)]
