"""Options of mechanisms with a formula of their own, hidden states, matrix mechanisms and private selection, and plans for them."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dpbounds.errors import InputError
from dpbounds.mechanisms import Parameter
from dpbounds.mechanisms.registry import noises

if TYPE_CHECKING:
    from dpbounds.mechanisms.formula import FormulaNoise

Command = TypeVar("Command", bound=Callable[..., Any])
SCHEMA = "dpbounds/1"
_WHOLE = tuple(noise for noise in noises() if noise.takes and noise.readable)
"""The classes whose options are answered here."""
_BEFORE = 6
"""Digits of a plan."""


def with_families(function: Command) -> Command:
    """Add the options of these mechanisms to a command, and answer where one of them is named; its module's name says which command."""
    parameters = {parameter.key: parameter for noise in _WHOLE for parameter in noise.parameters}
    command = function.__module__.rpartition(".")[2]
    if command == "verify":
        parameters["participations"] = Parameter(
            "participations", "", "K", "Matrix mechanism: steps in which a record takes part, at most."
        )
    named = {name.replace("-", "_") for noise in _WHOLE for name in noise.names()}

    @functools.wraps(function)
    def wrapped(**options: Any) -> Any:
        given = {name: value for name, value in options.items() if value not in (None, False, ())}
        is_named = bool(named & set(given))
        if not is_named and (alone := [name for name in parameters if name.replace("-", "_") in given]):
            raise InputError(f"--{alone[0]} needs one of {', '.join('--' + name.replace('_', '-') for name in sorted(named))}")
        if command == "plan" and is_named:
            return _answer(given)
        dropped = set() if is_named else set(parameters)
        return function(**{name: value for name, value in options.items() if name.replace("_", "-") not in dropped})

    for key, parameter in reversed(parameters.items()):
        extra: dict[str, Any] = {"is_flag": False, "flag_value": parameter.bare} if parameter.bare else {"is_flag": parameter.flag}
        extra |= {} if parameter.flag else {"metavar": parameter.metavar}
        wrapped = click.option(f"--{key}", key.replace("-", "_"), help=parameter.help, **extra)(wrapped)
    return wrapped  # type: ignore[return-value]


def family_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Of the options of a statement those that describe such a mechanism, or shuffled messages; none where they name another."""
    kinds = [
        noise for noise in noises() if noise.readable and (noise.takes or "shuffle" in noise.names()) and set(noise.names()) & set(given)
    ]
    keys = {parameter.key for noise in kinds for parameter in noise.parameters}.union(*(noise.takes for noise in kinds))
    return {key: value for key, value in given.items() if key in keys}


def _answer(given: dict[str, Any]) -> int:
    as_json = given.pop("as_json", False)
    asked = {name: given.pop(name, None) for name in ("epsilon", "delta", "digits")}
    document, text, code = _plan({name.replace("_", "-"): value for name, value in given.items()}, asked)
    click.echo(json.dumps(document, ensure_ascii=False) if as_json else text)
    return code


def read_formula(part: Mapping[str, Any]) -> FormulaNoise:
    """The mechanism that the options describe.

    Raises:
        InputError: what is missing or does not belong there, in one line.
    """
    from dpbounds.mechanisms.formula import FormulaNoise
    from dpbounds.mechanisms.specs import part_to_mechanism

    found = part_to_mechanism(part, "the mechanism", prefix="--")
    assert isinstance(found, FormulaNoise)
    return found


def _digits(asked: Mapping[str, Any]) -> int:
    from dpbounds.numbers.domains import at_least_one

    digits = at_least_one(asked["digits"], "digits") if asked["digits"] is not None else _BEFORE
    if digits > 1000:
        raise InputError(f"digits must be at most 1000, got {digits}")
    return digits


def _plan(part: dict[str, Any], asked: dict[str, Any]) -> tuple[dict[str, Any], str, int]:
    from dpbounds.mechanisms.formula import ends_of
    from dpbounds.mechanisms.specs import part_to_mechanism
    from dpbounds.mechanisms.training import cyclic_groups
    from dpbounds.numbers.domains import delta_between, nonnegative
    from dpbounds.numbers.precise import as_ball
    from dpbounds.numbers.to_digits import bisect, decide, surely_at_most
    from dpbounds.planning.edge import PlanTarget
    from dpbounds.selection.mechanisms import KINDS

    if asked["epsilon"] is None or asked["delta"] is None:
        raise InputError("this plan needs --epsilon and --delta, such as --epsilon 1 --delta 1e-5")
    sampled = "q" in part
    if sampled and "matrix" not in part:
        raise InputError("the last iterate with --q is a lower bound, and nothing is planned by it; leave --q out")
    loss, chance, digits = nonnegative(asked["epsilon"], "epsilon"), delta_between(asked["delta"]), _digits(asked)
    kinds = [kind for kind in KINDS if kind in part]
    name = kinds[0] if kinds else "sigma"
    if kinds and part[name] != "given" or not kinds and name in part:
        raise InputError(f"--{name} is what the plan finds; {'give it without a value' if kinds else 'drop it'}")

    def private(value: Fraction) -> bool:
        if sampled:
            return PlanTarget.read(loss, chance).decision(part_to_mechanism(part | {name: value}, "the mechanism", prefix="--"))[0]
        mechanism = read_formula(part | {name: value})
        return decide(
            lambda: surely_at_most(mechanism.delta_ball(as_ball(loss)), as_ball(chance)), f"delta at {name} {value} against its target"
        )

    def weak(value: Fraction) -> bool:
        return private(value) == bool(kinds)  # what is kept below the edge

    low = high = Fraction(1)
    while not weak(low):
        low /= 2
    while weak(high):
        high *= 2
    ends = ends_of(bisect(weak, low, high, digits + 1), digits)
    value = ends["lower" if kinds else "upper"]
    said = "; ".join((*cyclic_groups(part), "it is added or removed")) if sampled else read_formula(part | {name: value}).assumes
    document = {"schema": SCHEMA, "quantity": name, name: ends, **ends, "assumes": said}
    document["inputs"] = {**part, "epsilon": asked["epsilon"], "delta": asked["delta"]}
    return document, f"{name} {value} is private enough for epsilon {asked['epsilon']}, delta {asked['delta']}: {said}", 0
