"""`dpbounds rdp`: certified Rényi divergence."""

from __future__ import annotations

import click

from dpbounds.cli.shared.mechanism_options import certificate_option, mechanism_options, read_query, require_given, show, with_notes
from dpbounds.cli.shared.patience import patience


@click.command("rdp", epilog="Example: dpbounds rdp --sigma 1.5 --q 0.01 --steps 10000 --alpha 7/2")
@click.option("--alpha", metavar="A", help="Order A > 1, any real number such as 7/2.")
@mechanism_options
@certificate_option
def rdp(alpha: str | None, as_json: bool, certificate: str | None, **options: str | None) -> None:
    """Certified Rényi divergence of a mechanism at any real order, to any number of digits."""
    from dpbounds.renyi import renyi_divergence

    require_given({"alpha": (alpha, "7/2")}, options)
    query = read_query(**options)
    with patience("rdp"):
        result = renyi_divergence(query.mechanism, alpha, digits=query.digits, **query.neighbours)
    show(with_notes(result, query.notes), as_json, certificate)
