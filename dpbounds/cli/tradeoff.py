"""`dpbounds tradeoff`: certified trade-off curves."""

from __future__ import annotations

import json
from typing import Any

import click

from dpbounds.cli.mechanism_options import mechanism_options, read_query, with_notes
from dpbounds.cli.patience import patience

_RATES = ("0.001", "0.01", "0.1", "0.5")
_DIGITS = 6


@click.command("tradeoff", epilog="Example: dpbounds tradeoff --sigma 1 --q 0.01 --steps 1000 --fpr 0.01 --fpr 0.1")
@click.option(
    "--fpr", "rates", metavar="A", multiple=True, help=f"False-positive rate, 0 < A < 1; may be given again. Default {', '.join(_RATES)}."
)
@click.option("--plot", metavar="FILE", help="Draw the curve into a .png, .svg or .pdf file.")
@mechanism_options
def command(rates: tuple[str, ...], plot: str | None, as_json: bool, **options: str | None) -> None:
    """Certified error rates of the best membership test: its false-negative rate at each false-positive rate, and the advantage."""
    from dpbounds import accounting

    query = read_query(**options)
    digits = query.digits if query.digits_asked else _DIGITS
    asked: dict[str, Any] = {"relation": query.relation, "direction": query.direction, "guarantee": query.guarantee}
    if plot is not None:
        from dpbounds.plots.files import require_writable

        require_writable(plot)
    with patience("tradeoff"):
        found = [accounting.trade_off(query.mechanism, rate, digits=digits, **asked) for rate in rates or _RATES]
        found = [with_notes(row, query.notes) for row in found]
        largest = accounting.advantage(query.mechanism, digits=digits, **asked)
    if as_json:
        common = largest.document()
        document = {key: common[key] for key in ("schema", "relation", "direction", "guarantee", "inputs")} | {"quantity": "tradeoff"}
        document["inputs"] = {key: value for key, value in common["inputs"].items() if key != "epsilon"}
        document["advantage"] = {"lower": largest.lower, "upper": largest.upper}
        document["curve"] = [
            {
                "false_positive_rate": row.document()["inputs"]["false-positive rate"],
                "false_negative_rate": {"lower": row.lower, "upper": row.upper},
                "true_positive_rate": dict(zip(("lower", "upper"), _power(row.enclosure, digits), strict=True)),
            }
            for row in found
        ]
        click.echo(json.dumps(document | ({"notes": list(found[0].notes)} if found[0].notes else {}), ensure_ascii=False))
    else:
        lines = [f"relation {found[0].relation.value}, direction {found[0].direction.value}, guarantee {found[0].guarantee.value}"]
        lines.append(f"  advantage, the largest TPR - FPR: [{largest.lower}, {largest.upper}]")
        for row in found:
            low, high = _power(row.enclosure, digits)
            rate = row.document()["inputs"]["false-positive rate"]
            lines.append(f"  at FPR {rate}: FNR in [{row.lower}, {row.upper}], TPR in [{low}, {high}]")
        click.echo("\n".join([*lines, *(f"  note: {note}" for note in found[0].notes)]))
    if plot is not None:
        from dpbounds.plots import trade_off_curve

        with patience("the picture"):
            trade_off_curve(query.mechanism, **asked).savefig(plot)


def _power(rate: Any, digits: int) -> tuple[str, str]:
    """1 − f as decimals rounded outward."""
    from dpbounds.numbers.balls import Enclosure, bits_for, precision

    with precision(bits_for(digits, 200)):
        power = Enclosure.between(1 - rate.high, 1 - rate.low)
    return power.lower_decimal(digits + 2), power.upper_decimal(digits + 2)
