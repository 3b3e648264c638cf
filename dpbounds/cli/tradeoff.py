"""`dpbounds tradeoff`: certified trade-off curves."""

from __future__ import annotations

import json
from typing import Any

import click

from dpbounds.cli.shared.mechanism_options import mechanism_options, read_query, with_notes
from dpbounds.cli.shared.patience import patience
from dpbounds.errors import InputError

_RATES = ("0.001", "0.01", "0.1", "0.5")
_DIGITS = 6


@click.command("tradeoff", epilog="Example: dpbounds tradeoff --sigma 1 --q 0.01 --steps 1000 --fpr 0.01 --fpr 0.1")
@click.option(
    "--fpr", "rates", metavar="A", multiple=True, help=f"False-positive rate, 0 < A < 1; may be given again. Default {', '.join(_RATES)}."
)
@click.option("--plot", metavar="FILE", help="Draw the curve into a .png, .svg or .pdf file.")
@click.option("--gdp", is_flag=True, help="Also print the smallest mu with f >= G_mu in both directions, and the regret of reporting it.")
@click.option("--floor", metavar="A", help="With --gdp: compare only where both error rates are at least A; default 1e-6.")
@mechanism_options
def command(rates: tuple[str, ...], plot: str | None, gdp: bool, floor: str | None, as_json: bool, **options: str | None) -> None:
    """Certified error rates of the best membership test: its false-negative rate at each false-positive rate, and the advantage."""
    from dpbounds import accounting
    from dpbounds.mechanisms.formula import FormulaNoise

    if floor is not None and not gdp:
        raise InputError("--floor needs --gdp")
    query = read_query(**options)
    digits = query.digits if query.digits_asked else _DIGITS
    if plot is not None:
        from dpbounds.plots.files import require_writable

        require_writable(plot)
    with patience("tradeoff"):
        found = [accounting.trade_off(query.mechanism, rate, digits=digits, **query.neighbours) for rate in rates or _RATES]
        found = [with_notes(row, query.notes) for row in found]
        largest = accounting.advantage(query.mechanism, digits=digits, **query.neighbours)
        gaussian = _gaussian(query, floor) if gdp else None
    formula = query.mechanism if isinstance(query.mechanism, FormulaNoise) else None
    assumed = f", for {formula.assumes}" if formula else ""
    curve = "symmetric: the lesser of both directions" if largest.direction.value in ("worst", "symmetric") else "one-sided"
    if as_json:
        common = largest.document()
        document = {key: common[key] for key in ("schema", "relation", "direction", "guarantee", "inputs")} | {"quantity": "tradeoff"}
        document["inputs"] = {key: value for key, value in common["inputs"].items() if key != "epsilon"}
        document["advantage"] = {"lower": largest.lower, "upper": largest.upper}
        document["kind"] = curve.partition(":")[0]
        document |= {"gdp": gaussian} if gaussian else {}
        document |= {"assumes": formula.assumes, "adjacency": formula.adjacency} if formula else {}
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
        neighbours = formula.adjacency if formula else f"relation {found[0].relation.value}"
        lines = [f"{neighbours}, direction {found[0].direction.value}, guarantee {found[0].guarantee.value}"]
        lines.append(f"  {curve}")
        lines.append(f"  advantage, the largest TPR - FPR: [{largest.lower}, {largest.upper}]")
        if gaussian:
            mu, regret = gaussian["mu"], gaussian["regret"]
            lines.append(f"  mu in [{mu['lower']}, {mu['upper']}] where both error rates are at least {gaussian['floor']}, both directions")
            lines.append(f"  reported as mu = {gaussian['reported']}: regret in [{regret['lower']}, {regret['upper']}]")
            lines.append(f"  TPR/FPR at most e^(5 mu) down to FPR {gaussian['ratio_floor']['upper']} for every mu")
        for row in found:
            low, high = _power(row.enclosure, digits)
            rate = row.document()["inputs"]["false-positive rate"]
            lines.append(f"  at FPR {rate}: FNR in [{row.lower}, {row.upper}], TPR in [{low}, {high}]")
        click.echo(
            "\n".join(
                f"{line}{assumed}" for line in [*lines, *(f"  note: {note}" for note in found[0].notes if f", for {note}" != assumed)]
            )
        )
    if plot is not None:
        from dpbounds.plots import trade_off_curve

        with patience("the picture"):
            trade_off_curve(query.mechanism, **query.neighbours).savefig(plot)


def _gaussian(query: Any, floor: str | None) -> dict[str, Any]:
    from dpbounds.gdp.mu import FLOOR, fpr_floor, mu_of_curve
    from dpbounds.numbers import exact

    found = mu_of_curve(query.mechanism, floor=floor or FLOOR, relation=query.relation, guarantee=query.guarantee)
    ratio = fpr_floor()
    return {
        "mu": {"lower": found.mu.lower_decimal(6), "upper": found.mu.upper_decimal(6)},
        "floor": exact.text(found.floor),
        "reported": exact.text(found.reported),
        "regret": {"lower": found.regret.lower_decimal(6), "upper": found.regret.upper_decimal(6)},
        "ratio_floor": {"lower": ratio.lower_decimal(6), "upper": ratio.upper_decimal(6)},
    }


def _power(rate: Any, digits: int) -> tuple[str, str]:
    """1 − f as decimals rounded outward."""
    from dpbounds.numbers.balls import Enclosure, bits_for, precision

    with precision(bits_for(digits, 200)):
        power = Enclosure.between(1 - rate.high, 1 - rate.low)
    return power.lower_decimal(digits + 2), power.upper_decimal(digits + 2)
