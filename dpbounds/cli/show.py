"""`dpbounds show`: one claim with its statement, source, verdict and dependencies; without an id, the list of claims."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from dpbounds.cli.shared.claim_options import chosen_paths


@click.command(name="show")
@click.argument("identifier", required=False, metavar="[ID]")
@click.option(
    "--path", "paths", multiple=True, metavar="PATH", help="Claim files or folders (default: proofs/, or the catalogue carried along)."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--budget", type=float, default=60.0, show_default=True, metavar="S", help="Seconds of processor time for the claim.")
def command(identifier: str | None, paths: tuple[str, ...], as_json: bool, budget: float) -> int:
    """Show a claim: statement, source, verdict (established now), dependencies, BibTeX. Without ID: list the claims."""
    from dpbounds.claims.collect import collect

    chosen = chosen_paths(paths)
    if identifier is None:
        located = collect(chosen)
        if as_json:
            click.echo(
                json.dumps(
                    {"schema": "dpbounds/1", "claims": [{"id": e.claim.id, "text": e.claim.text, "file": str(e.file)} for e in located]},
                    indent=1,
                )
            )
        else:
            width = max(len(e.claim.id) for e in located)
            for entry in located:
                click.echo(f"{entry.claim.id:<{width}}  {entry.claim.text}")
        return 0
    return _show(identifier, chosen, as_json, budget)


def _show(identifier: str, chosen: list[str], as_json: bool, budget: float) -> int:
    import tempfile

    from dpbounds.claims import bibliography, run

    with tempfile.TemporaryDirectory() as scratch:
        rows = run.check(chosen, run.Options(budget=budget, only=(identifier,), certificates=Path(scratch)))
    row = next(r for r in rows if r.claim.id == identifier)
    claim = row.claim
    if as_json:
        document = next(entry for entry in run.document_of(rows)["claims"] if entry["id"] == identifier)
        extra = {
            "text": claim.text,
            "statement": claim.statement,
            "source": list(claim.source) if claim.source else None,
            "corrects": claim.corrects,
            "bibtex": bibliography.BIBLIOGRAPHY.get(claim.source[0]) if claim.source else None,
        }
        click.echo(json.dumps({"schema": "dpbounds/1", **document, **extra}, indent=1))
        return row.exit_code
    lines = [claim.id, f"  {claim.text}", ""]
    lines += [f"  given  {premise}" for premise in claim.premises or claim.given]
    lines += [f"  where  {v}: {_kind(v)}" for v in (*claim.variables, *claim.families)]
    lines += [f"  then   {claim.then if claim.conclusion is None else claim.conclusion}", ""]
    lines.append(f"  verdict   {row.outcome.verdict.value}: {row.outcome.detail}")
    lines.append(f"  promise   {row.outcome.verdict.promise}")
    if claim.expect is not None:
        lines.append(f"  expected  {claim.expect.value}")
    lines += [f"  left      {line}" for line in row.outcome.left]
    lines += [f"  next      {row.outcome.next_step}"] if row.outcome.next_step else []
    lines += [f"  rests on  {entry}" for entry in row.evidence]
    lines += [f"  unsettled {identifier}" for identifier in row.unsettled]
    if row.outcome.mutant is not None:
        lines.append(f"  mutant    {row.outcome.mutant.verdict.value}: {row.outcome.mutant.detail}")
    if claim.uses:
        lines.append(f"  uses      {', '.join(claim.uses)}")
    if claim.corrects:
        lines.append(f"  corrects  {claim.corrects}")
    if claim.note:
        lines.append(f"  note      {claim.note}")
    here = Path.cwd()
    lines.append(f"  file      {row.file.relative_to(here) if row.file.is_relative_to(here) else row.file}")
    if claim.source:
        known = claim.source[0] in bibliography.BIBLIOGRAPHY
        entry = [f"    {line}" for line in bibliography.bibtex_of(claim.source).splitlines()] if known else [f"    {claim.source[0]}"]
        lines += ["", f"  source    {claim.source[1]} of", *entry]
    click.echo("\n".join(lines))
    return row.exit_code


def _kind(variable: Any) -> str:
    """What a symbol assumes, without what follows from the rest."""
    from dpbounds.language.symbols import facts_of

    return ", ".join(name for name, value in facts_of(variable) if value) or "real"
