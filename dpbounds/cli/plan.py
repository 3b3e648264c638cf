"""`dpbounds plan`: the smallest certified noise for an (ε, δ) target, what a given noise allows, or a noise schedule for a budget ρ."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from dpbounds.cli.shared.families import with_families
from dpbounds.cli.shared.mechanism_options import QUERY, RUN, SHUFFLED, Option, require_given, text_options
from dpbounds.cli.shared.patience import patience
from dpbounds.cli.shared.shuffled import shuffle_plan
from dpbounds.errors import InputError
from dpbounds.mechanisms.libraries import RELATION

if TYPE_CHECKING:
    from dpbounds.budgets.schedules import Schedule

_TARGET = {
    "epsilon": Option("E", "Noise plan: the privacy target, with --delta."),
    "delta": Option("D", "Noise plan: 0 < D < 1."),
    "find": Option("WHAT", "sigma (default); or, with --sigma given: the most steps, the largest q or batch, or the smallest delta."),
    "sigma": Option("S", "With --find steps, q, batch or delta: the noise multiplier."),
}
_ASKED = {name: QUERY[name] for name in ("relation", "guarantee")} | {
    "digits": Option("D", "Significant digits of sigma, q or delta; default 4.")
}
_NOISE = tuple(name.replace("-", "_") for name in (*_TARGET, *RUN, *_ASKED) if name != "epochs")
_FOUND = {"steps": ("steps", "epochs"), "q": ("q", "batch", "records", "epochs"), "batch": ("batch", "q", "epochs"), "delta": ("delta",)}
"""What --find finds, beside sigma, and the options that it takes the place of."""
_SCHEDULE = {
    "rho": Option("R", "Schedule plan: the zCDP budget."),
    "schedule": Option("NAME", "constant, time, exponential, step or polynomial decay of sigma; epochs count from 0."),
    "initial": Option("S", "The noise multiplier of epoch 0."),
    "rate": Option("K", "Decay rate (time, exponential), factor in (0, 1) (step) or power (polynomial)."),
    "period": Option("P", "Epochs of a step, or of the polynomial decay."),
    "end": Option("S", "Noise multiplier at the end of the polynomial decay."),
    "rates": Option("", "Instead of --rate: the rates with which the budget lasts exactly --epochs epochs."),
}
FAMILIES = ("constant", "time", "exponential", "step", "polynomial")


@click.command(name="plan")
@text_options(_TARGET, RUN, _ASKED, _SCHEDULE, SHUFFLED)
@click.option("--others", metavar="WHO", help="Shuffled: any (default) plans by the privacy blanket; else 0, 1 or third alone.")
@click.option("--blanket", "others", flag_value="any", help="Shuffled: the same as --others any.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@with_families
def command(as_json: bool, **options: Any) -> int:
    """Find the smallest sigma for (epsilon, delta), with the sigma just below it that fails; by --find, the most steps, the largest rate or
    batch or the smallest delta of a given sigma, with the neighbour that fails; or what a schedule gets from a zCDP budget."""
    given = {name: value for name, value in options.items() if value not in (None, False)}
    shuffled = bool({"shuffle", "local_epsilon"} & set(given))
    _refuse(given, () if shuffled else ("others", "answers"), "a plan without --shuffle or --local-epsilon")
    if shuffled:
        with patience("plan"):
            document, text = shuffle_plan(given)
    elif "rho" in given:
        _refuse(given, _NOISE, "a schedule plan (--rho)")
        with patience("plan"):
            document, text = _schedule_plan(given)
    else:
        _refuse(given, _SCHEDULE, "a noise plan; add --rho for a schedule")
        if not {"epsilon", "delta"} & set(given):
            raise InputError("--epsilon and --delta are missing, such as --epsilon 1 --delta 1e-5; a schedule plan needs --rho instead")
        found = given.pop("find", "sigma")
        if found not in ("sigma", *_FOUND):
            raise InputError(f"--find must be one of sigma, {', '.join(_FOUND)}, got {found!r}")
        needed = {name: example for name, example in (("epsilon", "1"), ("delta", "1e-5"), ("sigma", "1.1")) if name != found}
        if found == "sigma":
            _refuse(given, ("sigma",), "a plan of sigma; --find steps, q, batch or delta takes it")
        require_given({name: (given.get(name), example) for name, example in needed.items()})
        with patience("plan"):
            document, text = _noise_plan(given) if found == "sigma" else _limit_plan(found, given)
    click.echo(json.dumps(document, ensure_ascii=False) if as_json else text)
    return 0


def _refuse(given: dict[str, Any], names: Iterable[str], where: str) -> None:
    for name in names:
        if name in given:
            raise InputError(f"--{name.replace('_', '-')} has no meaning in {where}; drop it")


def _digits(given: dict[str, Any]) -> int:
    from dpbounds.numbers import exact

    digits = exact.integer(given.get("digits", 4), "digits")
    if not 1 <= digits <= 30:
        raise InputError(f"digits must be between 1 and 30, got {digits}")
    return digits


def _with_notes(plan: Any, notes: tuple[str, ...]) -> tuple[dict[str, Any], str]:
    """The document and the text of a plan."""
    told = {"notes": list(notes)} if notes else {}
    return plan.document() | told, "\n".join([plan.text(), *(f"  note: {note}" for note in notes)])


def _noise_plan(given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    from dpbounds.mechanisms import Repeated, Sampled, specs
    from dpbounds.mechanisms.training import run_in_steps
    from dpbounds.planning import planner

    part = {"sigma": 1} | {name: given[key] for name in RUN if (key := name.replace("-", "_")) in given}
    noise = specs.part_to_mechanism(part, "the plan", prefix="--")
    notes = run_in_steps(part, "the plan", prefix="--")[1]
    steps = noise.steps if isinstance(noise, Repeated) else 1
    once = noise.mechanism if isinstance(noise, Repeated) else noise
    sampling = once.sampling if isinstance(once, Sampled) else None
    digits = _digits(given)
    relation = given.get("relation", RELATION if "library" in given else None)
    if "library" in given and relation != RELATION:
        raise InputError(f"{given['library']} accounts for --relation {RELATION}, got {relation}; leave it out")
    plan = planner.smallest_sigma_of(
        given["epsilon"], given["delta"], sampling, steps, digits, relation, given.get("guarantee", "mechanism")
    )
    return _with_notes(plan, notes)


def _limit_plan(found: str, given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    from dpbounds.mechanisms import specs
    from dpbounds.mechanisms.training import run_in_steps
    from dpbounds.planning import limits

    _refuse(given, _FOUND[found], f"--find {found}")
    digits = _digits(given)
    part = {name: given[key] for name in ("sigma", *RUN) if (key := name.replace("-", "_")) in given}
    relation, guarantee = given.get("relation"), given.get("guarantee", "mechanism")
    notes: tuple[str, ...] = ()
    if found in ("steps", "delta"):
        mechanism = specs.part_to_mechanism(part, "the plan", prefix="--")
        notes = run_in_steps(part, "the plan", prefix="--")[1]
        if found == "steps":
            plan = limits.largest_steps_of(mechanism, given["epsilon"], given["delta"], relation, guarantee)
        else:
            plan = limits.smallest_delta_of(mechanism, given["epsilon"], digits, relation, guarantee)
    else:
        known = {"sigma", "steps", "sampling", *(("records",) if found == "batch" else ())}
        if extra := sorted(set(part) - known):
            raise InputError(f"--{extra[0]} has no meaning in --find {found}; drop it")
        if part.get("sampling", "poisson") != "poisson" or guarantee != "mechanism":
            raise InputError(f"--find {found} is for Poisson sampling and the guarantee mechanism")
        target, steps = (given["epsilon"], given["delta"]), part.get("steps", 1)
        if found == "q":
            plan = limits.largest_rate_of(part["sigma"], *target, steps, digits, relation)
        else:
            require_given({"records": (part.get("records"), "60000")})
            plan = limits.largest_batch_of(part["sigma"], part["records"], *target, steps, relation)
    return _with_notes(plan, notes)


def _schedule_plan(given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    from dpbounds.budgets import schedules
    from dpbounds.numbers import exact

    require_given({"schedule": (given.get("schedule"), "step"), "initial": (given.get("initial"), "10")})
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
