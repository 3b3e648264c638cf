"""`dpbounds bundle`: a claim with its evidence and the checkers in one file, for a referee."""

from __future__ import annotations

import json
from pathlib import Path

import click

from dpbounds.cli.shared.claim_options import chosen_paths, run_options
from dpbounds.cli.shared.claim_progress import claim_progress
from dpbounds.errors import InputError
from dpbounds.files import write_output


@click.command("bundle", epilog="Example: dpbounds bundle two --path my_claim.py -o lemma.zip")
@click.argument("identifier", metavar="CLAIM")
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="The bundle, a .zip file.")
@click.option("--path", "paths", multiple=True, metavar="PATH", help="Claim files or folders (default: proofs/, or the catalogue).")
@click.option("--budget", type=float, default=60.0, show_default=True, metavar="S", help="Seconds for each claim without a certificate.")
@click.option("--certificates", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Certificates of an earlier check.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(identifier: str, output: Path | None, paths: tuple[str, ...], budget: float, certificates: Path | None, as_json: bool) -> int:
    """Pack a claim for a referee: its file, its statement as LaTeX, its certificates, the checkers, and a README with one command.

    CLAIM: the id of a claim. Claim files are Python and are executed.
    """
    if output is None or output.suffix.lower() != ".zip":
        raise InputError("--output must name a .zip file, such as -o lemma.zip")
    if identifier.endswith(".py"):
        raise InputError(f"{identifier} is a file: name a claim of it, as in dpbounds bundle CLAIM --path {identifier} -o {output}")
    from dpbounds.claims import run
    from dpbounds.claims.workers import AtWork
    from dpbounds.report.bundle import bundle_of

    options = run_options(1, budget, certificates, True, (identifier,))
    at_work = AtWork(options.workers)
    with claim_progress(at_work) as on_row:
        rows = run.check(chosen_paths(paths), options, on_row=on_row, at_work=at_work)
    content = bundle_of(rows, identifier, options.certificates)
    write_output(output, content, "--output")
    verdict = next(row.outcome.verdict.value for row in rows if row.claim.id == identifier)
    if as_json:
        click.echo(json.dumps({"schema": "dpbounds/1", "claim": identifier, "verdict": verdict, "bundle": str(output)}))
    else:
        click.echo(f"{output}: {identifier} {verdict}, {len(content) / 1000:.0f} kB")
    return 0
