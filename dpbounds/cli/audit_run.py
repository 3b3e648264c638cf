"""`dpbounds audit-run`: a certified lower bound on ε from one run."""

from __future__ import annotations

import json

import click

from dpbounds.errors import InputError

_ASSUMED = "each example was put in or left out by a fair coin of its own, and neighbours differ by one of them"


@click.command("audit-run", epilog="Example: dpbounds audit-run --guesses 100 --correct 75 --confidence 0.95")
@click.option("--guesses", metavar="R", help="Guesses whether an example was in, abstentions left out.")
@click.option("--correct", metavar="V", help="The number of right guesses among them.")
@click.option("--confidence", metavar="C", default="0.95", help="Strictly between 0 and 1; default 0.95.")
@click.option("--delta", metavar="D", default="0", help="Of the guarantee that is tested; default 0.")
@click.option("--examples", metavar="M", help="Examples put in or out by fair coins, abstentions included; needed with --delta above 0.")
@click.option("--epsilon", metavar="E", help="Also the p-value of this epsilon.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    guesses: str | None, correct: str | None, confidence: str, delta: str, examples: str | None, epsilon: str | None, as_json: bool
) -> None:
    """Lower bound on epsilon from right guesses of one run, with certified arithmetic; it holds with the given confidence."""
    from dpbounds.mechanisms.formula import ends_of
    from dpbounds.numbers import exact
    from dpbounds.one_run.guesses import Guesses

    if missing := [name for name, value in (("--guesses", guesses), ("--correct", correct)) if value is None]:
        raise InputError(f"{' and '.join(missing)} missing; give {' '.join(f'{name} 75' for name in missing)}")
    if exact.rational(delta, "delta") > 0 and examples is None:
        raise InputError("--delta above 0 needs --examples, all that were put in or out by coins, guessed or not")
    assert guesses is not None and correct is not None
    run = Guesses(guesses, correct, delta, examples)
    found = run.lower_epsilon(confidence)
    ends, chance = ends_of(found, 10), {"epsilon": epsilon or "0"} | ends_of(run.p_value(epsilon or 0), 10)
    document = {
        "schema": "dpbounds/1",
        "quantity": "epsilon-lower-bound",
        "epsilon": ends,
        "lower": ends["lower"],
        "confidence": confidence,
        "p_value": chance,
        "assumes": _ASSUMED,
        "inputs": {"guesses": run.guesses, "correct": run.correct, "delta": exact.text(run.delta), "examples": run.examples},
    }
    if as_json:
        click.echo(json.dumps(document))
        return
    click.echo(f"epsilon >= {document['lower']} at delta = {exact.text(run.delta)}, with confidence {confidence}, if {_ASSUMED}")
    click.echo(f"  {run.correct} of {run.guesses} guesses right, {run.examples} examples; {ends['upper']} is not rejected")
    click.echo(f"  p-value of epsilon {chance['epsilon']}: [{chance['lower']}, {chance['upper']}]")
