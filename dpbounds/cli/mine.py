"""`dpbounds mine`: what is true near a claim."""

from __future__ import annotations

import json
from pathlib import Path

import click

from dpbounds.errors import InputError, did_you_mean

EXIT_CODES = """\b
Exit codes:
  0  what was found is printed
  2  bad input"""


@click.command(name="mine", epilog=EXIT_CODES)
@click.argument("path", metavar="PATH")
@click.option("--only", metavar="ID", help="The claim; needed if the file has several.")
@click.option("--budget", type=float, default=60.0, show_default=True, metavar="S", help="Processor seconds for everything.")
@click.option("--each", type=float, default=5.0, show_default=True, metavar="S", help="Processor seconds for each claim that is tried.")
@click.option(
    "--certificates",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".dpbounds/certificates"),
    metavar="DIR",
    help="Where certificates go; default .dpbounds/certificates.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(path: str, only: str | None, budget: float, each: float, certificates: Path, as_json: bool) -> int:
    """Find true statements near a claim, each with its evidence and with a false neighbour that is refuted.

    It tries the smallest integer for which the claim fails, claims without one premise, larger ranges of variables,
    points where both sides are equal, the best factor of the larger side, and smaller forms of that side.
    PATH: a claim file. It is Python and is executed.
    """
    from dpbounds.claims.collect import collect
    from dpbounds.claims.evidence import certificate
    from dpbounds.claims.mine import mine

    claims = {entry.claim.id: entry.claim for entry in collect([path])}
    if only is not None and only not in claims:
        raise InputError(f"no claim is called {only!r}{did_you_mean(only, claims)}")
    if only is None and len(claims) > 1:
        raise InputError(f"{path} has {len(claims)} claims; choose one with --only: {', '.join(claims)}")
    claim = claims[only or next(iter(claims))]
    found = []
    for finding in mine(claim, budget=budget, each=each):
        found.append(finding)
        for document in finding.certificates:
            certificate.write(document, certificates)
        if not as_json:
            click.echo(f"{finding.kind:<9} {finding.words}")
            for settled in (finding.holds, finding.fails):
                if settled is not None:
                    click.echo(f"{'':<9} {settled.claim.id}  {settled.line}")
    if as_json:
        click.echo(json.dumps({"schema": "dpbounds/1", "claim": claim.id, "findings": [f.as_dict() for f in found]}, indent=1))
    return 0
