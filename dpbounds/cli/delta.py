"""`dpbounds delta`: certified δ(ε)."""

from __future__ import annotations

import click

from dpbounds.cli.mechanism_options import mechanism_options, read_query, show
from dpbounds.cli.patience import patience
from dpbounds.errors import InputError


@click.command("delta", epilog="Example: dpbounds delta --sigma 1.5 --q 0.01 --steps 10000 --epsilon 1")
@click.option("--epsilon", metavar="E", help="Privacy parameter E >= 0.")
@mechanism_options
def delta(epsilon: str | None, as_json: bool, **options: str | None) -> None:
    """Certified delta(epsilon) of a mechanism, to any number of digits; without --digits only a bound where delta is below 1e-300."""
    from dpbounds import contour

    if epsilon is None:
        raise InputError("--epsilon is missing; give the privacy parameter, such as --epsilon 1")
    query = read_query(**options)
    digits = query.digits if query.digits_asked else None
    with patience("delta"):
        result = contour.delta(
            query.mechanism, epsilon, digits=digits, relation=query.relation, direction=query.direction, guarantee=query.guarantee
        )
    show(result, as_json)
