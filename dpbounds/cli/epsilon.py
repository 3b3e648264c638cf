"""`dpbounds epsilon`: a certified bracket of ε(δ)."""

from __future__ import annotations

import click

from dpbounds.cli.shared.mechanism_options import certificate_option, mechanism_options, read_query, require_given, show, with_notes
from dpbounds.cli.shared.patience import patience


@click.command("epsilon", epilog="Example: dpbounds epsilon --sigma 1.5 --q 0.01 --steps 10000 --delta 1e-6")
@click.option("--delta", metavar="D", help="Privacy parameter D in (0, 1).")
@mechanism_options
@certificate_option
def epsilon(delta: str | None, as_json: bool, certificate: str | None, **options: str | None) -> None:
    """Certified epsilon(delta) of a mechanism, to any number of digits. Without --digits, a wider bracket where 15 are out of reach."""
    from dpbounds import accounting

    require_given({"delta": (delta, "1e-5")}, options)
    query = read_query(**options)
    with patience("epsilon"):
        result = accounting.epsilon(query.mechanism, delta, digits=query.digits if query.digits_asked else None, **query.neighbours)
    show(with_notes(result, query.notes), as_json, certificate)
