"""`dpbounds delta`: certified δ(ε)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from dpbounds.cli.shared.mechanism_options import (
    MechanismQuery,
    certificate_option,
    mechanism_options,
    read_query,
    require_given,
    show,
    with_notes,
)
from dpbounds.cli.shared.patience import patience
from dpbounds.errors import InputError

if TYPE_CHECKING:
    from dpbounds.mechanisms.results import PrivacyResult

MOST_ORACLE_DIGITS = 20
"""A plain quadrature in mpmath takes minutes beyond that."""


@click.command("delta", epilog="Example: dpbounds delta --sigma 1.5 --q 0.01 --steps 10000 --epsilon 1")
@click.option("--epsilon", metavar="E", help="Privacy parameter E >= 0.")
@click.option("--oracle", is_flag=True, help="Also print a value computed with mpmath: slow, not certified.")
@mechanism_options
@certificate_option
def delta(epsilon: str | None, oracle: bool, as_json: bool, certificate: str | None, **options: str | None) -> None:
    """Certified delta(epsilon) of a mechanism, to any number of digits. Without --digits, a delta below 1e-300 gets only a bound,
    and one whose 15 digits are out of reach a wider interval."""
    from dpbounds import accounting

    require_given({"epsilon": (epsilon, "1")}, options)
    query = read_query(**options)
    digits = query.digits if query.digits_asked else None
    with patience("delta"):
        result = accounting.delta(query.mechanism, epsilon, digits=digits, **query.neighbours)
    if oracle and certificate is not None:
        raise InputError("--oracle and --certificate cannot be given together; ask for one of them")
    result = with_notes(result, query.notes)
    if not oracle:
        show(result, as_json, certificate)
        return
    with patience("the second opinion"):
        opinion = _second_opinion(query, result)
    if as_json:
        click.echo(json.dumps(result.document() | {"oracle": opinion}, ensure_ascii=False))
    else:
        said = f"no second opinion: {opinion['refused']}" if "refused" in opinion else _sentence(opinion)
        click.echo(f"{result.text()}\n  {said}")


def _second_opinion(query: MechanismQuery, result: PrivacyResult) -> dict[str, str]:
    """δ in mpmath, and how far outside the certified interval it lies, as a part of it: 0 inside."""
    import mpmath

    from dpbounds.errors import PrecisionError
    from dpbounds.oracle.delta import approx_delta

    digits = min(query.digits, MOST_ORACLE_DIGITS)
    try:
        found = approx_delta(query.mechanism, result.argument[1], digits + 3, **query.neighbours)
    except (InputError, PrecisionError) as error:
        return {"refused": str(error)}
    with mpmath.workdps(2 * digits + 20):
        low, high = (mpmath.mpf(end) for end in (result.lower, result.upper))
        away = max(low - found, found - high, mpmath.mpf(0))
        distance = away / high if high > 0 else away
        return {"value": mpmath.nstr(found, digits + 2), "outside": mpmath.nstr(distance, 2)}


def _sentence(opinion: dict[str, str]) -> str:
    where = "inside the interval" if opinion["outside"] == "0.0" else f"outside the interval by {opinion['outside']} of its value"
    return f"second opinion (mpmath, not certified): {opinion['value']}, {where}"
