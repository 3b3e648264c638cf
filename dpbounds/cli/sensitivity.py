"""`dpbounds sensitivity`: certified sensitivity of a matrix mechanism."""

from __future__ import annotations

import json
from typing import Any

import click

from dpbounds.cli.shared.patience import patience
from dpbounds.errors import InputError

_DIGITS = 15
_ASSUMED = "in each of its steps, which are fixed beforehand, a record moves x by a vector of norm 1 at most"


@click.command("sensitivity", epilog="Example: dpbounds sensitivity 1,0,3/4,1/4,0,2/3 --steps 8 --min-sep 2 --participations 4")
@click.argument("matrix")
@click.option("--steps", metavar="N", help="Steps; needed for Toeplitz, BLT and tree.")
@click.option("--min-sep", metavar="B", default="1", help="Two uses of a record are at least B steps apart; default 1.")
@click.option("--participations", metavar="K", help="Steps in which a record takes part, at most; default: as many as fit.")
@click.option("--sigma", metavar="S", help="Standard deviation of the noise on each coordinate of Cx; gives mu.")
@click.option("--epsilon", metavar="E", help="With --sigma: delta at E.")
@click.option("--digits", metavar="D", help=f"Certified significant digits; default {_DIGITS}.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(as_json: bool, **given: Any) -> None:
    """Certified sensitivity of Cx + noise, where a record takes part in several steps; with prefix-sum errors.

    MATRIX: a .npy or .csv file (one row: Toeplitz), toeplitz:1,1/2 or 1,1/2 (first column), blt:THETA,...:OMEGA,..., or tree
    """
    from dpbounds.matrix.read import read_matrix
    from dpbounds.matrix.sensitivity import prefix_errors, sensitivity_of
    from dpbounds.mechanisms.formula import ends_of, gaussian_delta
    from dpbounds.numbers import exact
    from dpbounds.numbers.domains import at_least_one, nonnegative, positive
    from dpbounds.numbers.precise import as_ball

    digits = _DIGITS if given["digits"] is None else at_least_one(given["digits"], "digits")
    if given["epsilon"] is not None and given["sigma"] is None:
        raise InputError("--epsilon needs --sigma, the noise on each coordinate of Cx")
    with patience("sensitivity"):
        steps = None if given["steps"] is None else at_least_one(given["steps"], "steps")
        matrix = read_matrix(given["matrix"], steps)
        found = sensitivity_of(matrix, given["min_sep"], given["participations"])
        errors = prefix_errors(matrix, found)
        document: dict[str, Any] = {
            "schema": "dpbounds/1",
            "quantity": "sensitivity",
            "sensitivity": ends_of(found.value(digits + 1), digits),
            "sensitivity_squared": ends_of(found.squared(digits + 1), digits),
            "exact": found.is_exact,
            "pattern": list(found.pattern),
            "method": found.pattern_method,
            "assumes": _ASSUMED,
        }
        if found.is_exact:
            document["sensitivity_squared"]["exact"] = exact.text(found.lower_squared)
        if given["sigma"] is not None:
            noise = positive(given["sigma"], "sigma")
            document["mu"] = ends_of(found.between(lambda square: square.sqrt() / as_ball(noise), digits + 1), digits)
            if given["epsilon"] is not None:
                loss = nonnegative(given["epsilon"], "epsilon")
                delta = found.between(lambda square: gaussian_delta(square.sqrt() / as_ball(noise), as_ball(loss)), digits + 1)
                document["delta"] = ends_of(delta, digits)
        if errors is not None:
            document["prefix_sum_variance"] = {name: ends_of(value, 8) for name, value in zip(("mean", "max"), errors, strict=True)}
        document["inputs"] = {name: value for name, value in given.items() if value is not None} | {"participations": found.participations}
    click.echo(json.dumps(document, ensure_ascii=False) if as_json else _text(document, found))


def _text(document: dict[str, Any], found: Any) -> str:
    uses = f"at most {found.participations} steps of {found.steps}, at least {found.min_sep} apart"
    kind = "exact" if found.is_exact else "between bounds"
    lines = [f"sensitivity in [{document['sensitivity']['lower']}, {document['sensitivity']['upper']}], {kind}: a record is in {uses}"]
    square = document["sensitivity_squared"]
    lines.append(f"  squared: {square.get('exact') or '[' + square['lower'] + ', ' + square['upper'] + ']'}")
    lines.append(f"  largest sum at steps {', '.join(map(str, found.pattern))} (from 0): {found.pattern_method}")
    for name in ("mu", "delta"):
        if name in document:
            lines.append(f"  {name} of Gaussian noise in [{document[name]['lower']}, {document[name]['upper']}]")
    for name, value in document.get("prefix_sum_variance", {}).items():
        lines.append(f"  {name} variance of a prefix sum at noise multiplier 1: [{value['lower']}, {value['upper']}]")
    return "\n".join(f"{line}; {_ASSUMED}" for line in lines)
