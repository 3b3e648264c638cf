"""`dpbounds plan`: the smallest certified noise for an (ε, δ) target, or a noise schedule for a budget ρ."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from dpbounds.cli.families import with_families
from dpbounds.cli.patience import patience
from dpbounds.errors import InputError

if TYPE_CHECKING:
    from dpbounds.budgets.schedules import Schedule

_NOISE = (
    "epsilon",
    "delta",
    "sampling",
    "q",
    "group",
    "population",
    "batch_size",
    "batch_limit",
    "bins",
    "participations",
    "steps",
    "relation",
    "guarantee",
    "digits",
)
_SCHEDULE = ("rho", "schedule", "initial", "rate", "period", "end", "rates")
FAMILIES = ("constant", "time", "exponential", "step", "polynomial")


@click.command(name="plan")
@click.option("--epsilon", metavar="E", help="Noise plan: the privacy target, with --delta.")
@click.option("--delta", metavar="D", help="Noise plan: 0 < D < 1.")
@click.option(
    "--sampling", metavar="SCHEME", help="none, poisson, truncated-poisson, without-replacement, with-replacement or random-allocation."
)
@click.option("--q", metavar="Q", help="Sampling rate in (0, 1].")
@click.option("--group", metavar="G", help="Poisson sampling: G records are added or removed at once.")
@click.option("--population", metavar="N", help="Number of records (fixed batch sizes, truncated batches).")
@click.option("--batch-size", metavar="M", help="Records in a batch (schemes with a fixed batch size).")
@click.option("--batch-limit", metavar="B", help="Truncated Poisson sampling: a batch is cut to B of the --population (an upper bound).")
@click.option("--bins", metavar="T", help="Random allocation: steps of an epoch; --epochs says how many epochs.")
@click.option("--participations", metavar="K", help="Random allocation: a record takes part in K of the T steps (an upper bound).")
@click.option("--steps", metavar="K", help="Number of adaptive uses; default 1.")
@click.option("--epochs", metavar="N", help="Passes over the data: N/q steps of a noise plan, or N epochs of a schedule with --rates.")
@click.option("--relation", metavar="R", help="add-or-remove or substitute; the default depends on the scheme.")
@click.option("--guarantee", metavar="G", help="mechanism (default) or pair.")
@click.option("--digits", metavar="D", help="Significant digits of sigma; default 4.")
@click.option("--rho", metavar="R", help="Schedule plan: the zCDP budget.")
@click.option("--schedule", metavar="NAME", help="constant, time, exponential, step or polynomial decay of sigma; epochs count from 0.")
@click.option("--initial", metavar="S", help="The noise multiplier of epoch 0.")
@click.option("--rate", metavar="K", help="Decay rate (time, exponential), factor in (0, 1) (step) or power (polynomial).")
@click.option("--period", metavar="P", help="Epochs of a step, or of the polynomial decay.")
@click.option("--end", metavar="S", help="Noise multiplier at the end of the polynomial decay.")
@click.option("--rates", is_flag=True, help="Instead of --rate: the rates with which the budget lasts exactly --epochs epochs.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@with_families
def command(as_json: bool, **options: Any) -> int:
    """Find the smallest sigma for (epsilon, delta), with the sigma just below it that fails; or what a schedule gets from a zCDP budget."""
    given = {name: value for name, value in options.items() if value not in (None, False)}
    if "rho" in given:
        _refuse(given, _NOISE, "a schedule plan (--rho)")
        with patience("plan"):
            document, text = _schedule_plan(given)
    else:
        _refuse(given, _SCHEDULE, "a noise plan; add --rho for a schedule")
        if "epsilon" not in given or "delta" not in given:
            raise InputError("a noise plan needs --epsilon and --delta, a schedule plan needs --rho")
        with patience("plan"):
            document, text = _noise_plan(given)
    click.echo(json.dumps(document, ensure_ascii=False) if as_json else text)
    return 0


def _refuse(given: dict[str, Any], names: tuple[str, ...], where: str) -> None:
    for name in names:
        if name in given:
            raise InputError(f"--{name.replace('_', '-')} has no meaning in {where}; drop it")


def _noise_plan(given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    from dpbounds.mechanisms import RandomAllocation, Sampled, specs
    from dpbounds.numbers import exact
    from dpbounds.planning import planner

    named = ("sampling", "q", "group", "population", "batch_size", "batch_limit", "bins", "participations")
    part = {key: given[key] for key in named if key in given}
    fields: dict[str, Any] = {"sigma": 1}
    noise = specs.part_to_mechanism(fields | part, "the plan", prefix="--")
    sampling = noise.sampling if isinstance(noise, Sampled) else None
    if "steps" in given and isinstance(sampling, RandomAllocation):
        raise InputError("--steps has no meaning with --sampling random-allocation; give --epochs")
    if "steps" in given and "epochs" in given:
        raise InputError("give either --steps or --epochs, got both")
    steps = planner.steps_of(given["epochs"], sampling) if "epochs" in given else given.get("steps", 1)
    digits = exact.integer(given.get("digits", 4), "digits")
    if not 1 <= digits <= 30:
        raise InputError(f"digits must be between 1 and 30, got {digits}")
    plan = planner.smallest_sigma_of(
        given["epsilon"], given["delta"], sampling, steps, digits, given.get("relation"), given.get("guarantee", "mechanism")
    )
    return plan.document(), plan.text()


def _schedule_plan(given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    from dpbounds.budgets import schedules
    from dpbounds.numbers import exact

    if "schedule" not in given or "initial" not in given:
        raise InputError("a schedule plan needs --schedule and --initial")
    if given["schedule"] not in FAMILIES:
        raise InputError(f"--schedule must be one of {', '.join(FAMILIES)}, got {given['schedule']!r}")
    budget = exact.rational(given["rho"], "rho (the budget)")
    head = {"schema": "dpbounds/1", "rho": exact.text(budget), "schedule": given["schedule"]}
    if given.get("rates"):
        if "epochs" not in given or "rate" in given or given["schedule"] == "constant":
            raise InputError("--rates needs --epochs and a decaying schedule, and takes no --rate")
        bracket = ("1e-6", "0.999999") if given["schedule"] == "step" else ("1e-6", 100)
        found = schedules.rates_for(lambda rate: _family(given, rate), given["epochs"], budget, bracket, 8)
        low, high = sorted((found.longest, found.shorter), key=lambda end: end.lower)
        document = head | {
            "quantity": "rates",
            "epochs": found.epochs,
            "from": {"lower": low.lower_decimal(10), "upper": low.upper_decimal(10)},
            "to": {"lower": high.lower_decimal(10), "upper": high.upper_decimal(10)},
        }
        return (
            document,
            f"rates from {low.upper_decimal(10)} to {high.lower_decimal(10)} make the budget last exactly {found.epochs} epochs",
        )
    if "epochs" in given:
        raise InputError("--epochs of a schedule plan needs --rates; without it the budget decides how many epochs there are")
    if "rate" not in given and given["schedule"] != "constant":
        raise InputError("a decaying schedule needs --rate, or --rates with --epochs")
    rows = list(schedules.allocation_of(_family(given, given.get("rate", 1)), budget, 8))
    document = head | {
        "quantity": "schedule",
        "epochs": len(rows),
        "rows": [{"epoch": row.number, "sigma": row.sigma.upper_decimal(9), "spent": row.spent.upper_decimal(9)} for row in rows],
    }
    lines = [f"{len(rows)} epochs", "epoch  sigma         spent rho (both rounded up)"]
    lines += [f"{row.number:5d}  {row.sigma.upper_decimal(9):<12}  {row.spent.upper_decimal(9)}" for row in rows]
    return document, "\n".join(lines)


def _family(given: dict[str, Any], rate: Any) -> Schedule:
    from dpbounds.budgets import schedules

    name, initial = given["schedule"], given["initial"]
    if name in ("step", "polynomial") and "period" not in given or name == "polynomial" and "end" not in given:
        raise InputError(f"--schedule {name} needs --period" + (" and --end" if name == "polynomial" else ""))
    if name == "constant":
        return schedules.ConstantNoise(initial)
    if name == "time":
        return schedules.TimeDecay(initial, rate, given.get("period", 1))
    if name == "exponential":
        return schedules.ExponentialDecay(initial, rate, given.get("period", 1))
    if name == "step":
        return schedules.StepDecay(initial, rate, given["period"])
    return schedules.PolynomialDecay(initial, rate, given["end"], given["period"])
