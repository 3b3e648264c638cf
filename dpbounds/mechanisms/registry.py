"""Every kind of noise. A new mechanism is one file with a subclass of `mechanisms.Noise` and its pair, and a line here.

A class has its parameters with their names in specifications and on the command line (`parameters`), how it is read and
written (`from_spec`, `to_spec`), the pair that dominates it (`pair`) and the events that describe it (`event_names`,
`from_event`). Its pair has its real parameters with the direction of more privacy (`parameters`). A pair with atoms
(`mechanisms.atomic.AtomicPair`) also has its law once for balls and floats (`shared`, `losses`, `singular`, `dropped`)
and again from the definition for the independent check (`definition`).
"""

from __future__ import annotations

import importlib
from functools import cache

from dpbounds.mechanisms.mechanism import Noise, Parameter

NOISES = {
    "Gaussian": "dpbounds.mechanisms.mechanism",
    "Laplace": "dpbounds.mechanisms.mechanism",
    "RandomizedResponse": "dpbounds.mechanisms.mechanism",
    "DiscreteLaplace": "dpbounds.laws.discrete_laplace",
    "DiscreteGaussian": "dpbounds.laws.discrete_gaussian",
    "EpsilonDelta": "dpbounds.laws.epsilon_delta",
    "MixtureOfGaussians": "dpbounds.laws.mixture_of_gaussians",
    "LossPmf": "dpbounds.laws.loss_pmf",
    "Shuffled": "dpbounds.shuffle.mechanism",
    "FiniteTable": "dpbounds.mechanisms.mechanism",
    "DensityPair": "dpbounds.mechanisms.mechanism",
}
"""Each class and the module that has it; modules are imported when the registry is first asked."""


@cache
def noises() -> tuple[type[Noise], ...]:
    """Every class, in the order of the table."""
    return tuple(getattr(importlib.import_module(module), name) for name, module in NOISES.items())


def readable_noises() -> dict[str, type[Noise]]:
    """The classes that specifications can name, by that name.

    >>> readable_noises()["sigma"].__name__
    'Gaussian'
    """
    return {noise.parameters[0].key: noise for noise in noises() if noise.readable}


def readable_parameters() -> dict[str, Parameter]:
    """Their parameters by name, each once."""
    return {parameter.key: parameter for noise in readable_noises().values() for parameter in noise.parameters}


def noise_of_event(name: str) -> type[Noise] | None:
    """The class that a dp_accounting event of this name describes."""
    return next((noise for noise in noises() if name in noise.event_names), None)
