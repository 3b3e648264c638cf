"""`dpbounds pmf`: a certified privacy-loss distribution on a grid."""

from __future__ import annotations

import json

import click

from dpbounds.cli.shared.mechanism_options import mechanism_options, read_query, require_given
from dpbounds.cli.shared.patience import patience


@click.command("pmf", epilog="Example: dpbounds pmf --sigma 2 --q 0.01 --spacing 0.1 --low -2 --high 2 --direction remove > pmf.json")
@click.option("--spacing", metavar="H", help="Distance of two losses on the grid, H > 0.")
@click.option("--low", metavar="A", help="Smallest loss of the grid.")
@click.option("--high", metavar="B", help="Largest finite loss of the grid.")
@click.option(
    "--side", metavar="S", default="pessimistic", help="pessimistic (default): delta is at least the true one; or optimistic: at most."
)
@mechanism_options
def command(spacing: str | None, low: str | None, high: str | None, side: str, as_json: bool, **options: str | None) -> None:
    """Certified pmf of the privacy loss, as a specification for --spec. Compositions of it stay pessimistic, or optimistic."""
    require_given({"spacing": (spacing, "0.1"), "low": (low, "-5"), "high": (high, "5")}, options)
    from dpbounds.accounting.pmf import loss_pmf
    from dpbounds.mechanisms.specs import mechanism_to_spec

    query = read_query(**options)
    with patience("pmf"):
        found = loss_pmf(query.mechanism, spacing, low, high, side, **query.neighbours)  # type: ignore[arg-type]
    click.echo(json.dumps(mechanism_to_spec(found)))
