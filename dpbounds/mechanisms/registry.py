"""Every kind of noise. A new one is a file in `dpbounds/noise` with a subclass of `mechanisms.Noise` and its pair: docs/add-a-noise.md.

A class has its parameters with their names in specifications and on the command line (`parameters`), how it is read and
written (`from_spec`, `to_spec`), the pair that dominates it (`pair`) and the events that describe it (`event_names`,
`from_event`). Its pair has its real parameters with the direction of more privacy (`parameters`). A pair with atoms
(`mechanisms.atomic.AtomicPair`) also has its law once for balls and floats (`shared`, `losses`, `singular`, `dropped`)
and again from the definition for the independent check (`definition`).
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from dpbounds.mechanisms.mechanism import Noise, Parameter

_HERE, _PACKAGE = Path(__file__).parent.parent / "noise", "dpbounds.noise"
FILES = tuple(sorted(found.name for found in pkgutil.iter_modules([str(_HERE)]) if not found.name.startswith("_")))
"""The files of `dpbounds.noise`; each has the class of its own name in capitals."""
NOISES = {
    "Gaussian": "dpbounds.mechanisms.mechanism",
    "Laplace": "dpbounds.mechanisms.mechanism",
    "RandomizedResponse": "dpbounds.mechanisms.mechanism",
    **{"".join(word.capitalize() for word in name.split("_")): f"{_PACKAGE}.{name}" for name in FILES},
    "Shuffled": "dpbounds.shuffle.mechanism",
    "HiddenState": "dpbounds.hidden_state.bounds",
    "Selection": "dpbounds.selection.mechanisms",
    "MatrixMechanism": "dpbounds.matrix.mechanism",
    "FiniteTable": "dpbounds.mechanisms.mechanism",
    "DensityPair": "dpbounds.mechanisms.mechanism",
}
"""Each class and the module that has it; modules are imported when the registry is first asked."""


@cache
def noises() -> tuple[type[Noise], ...]:
    """Every class, in the order of the table.

    >>> "Gaussian" in [noise.__name__ for noise in noises()]
    True
    """
    return tuple(getattr(importlib.import_module(module), name) for name, module in NOISES.items())


@cache
def readable_noises() -> dict[str, type[Noise]]:
    """The classes that specifications can name, by that name.

    >>> readable_noises()["sigma"].__name__
    'Gaussian'
    """
    return {name: noise for noise in noises() if noise.readable for name in noise.names()}


@cache
def readable_parameters() -> dict[str, Parameter]:
    """Their parameters by name, each once.

    >>> "sigma" in readable_parameters()
    True
    """
    return {parameter.key: parameter for noise in readable_noises().values() for parameter in noise.parameters}


def noise_of_event(name: str) -> type[Noise] | None:
    """The class that a dp_accounting event of this name describes.

    >>> noise_of_event("GaussianDpEvent").__name__
    'Gaussian'
    """
    return next((noise for noise in noises() if name in noise.event_names), None)


def plain_noises() -> dict[str, type[Noise]]:
    """The classes of `dpbounds.noise` that the command line takes, by their name: what a statement may name beside its own list.

    >>> plain_noises()["skellam"].__name__
    'Skellam'
    """
    names = {f"{_PACKAGE}.{name}" for name in FILES}
    return {noise.parameters[0].key: noise for noise in noises() if noise.__module__ in names and noise.parameters[0].on_command_line}
