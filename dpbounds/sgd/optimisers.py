"""Steps on a noisy mean gradient. They see released values only, so they cost nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

Array = Any
State = Mapping[str, Any]


class Optimiser(Protocol):
    """A step of the user's: new parameters and new state, from the number of the step, which counts from 0."""

    def __call__(self, parameters: Array, gradient: Array, state: State, number: int) -> tuple[Array, State]: ...


@dataclass(frozen=True)
class Descent:
    """θ − η·g.

    >>> float(Descent(0.5)(np.array(1.0), np.array(2.0), {}, 0)[0])
    0.0
    """

    rate: float

    def __call__(self, parameters: Array, gradient: Array, state: State, number: int) -> tuple[Array, State]:
        return parameters - self.rate * gradient, state


@dataclass(frozen=True)
class Momentum:
    """SGD with momentum: v ← βv + g, θ ← θ − ηv.

    Args:
        rate: the learning rate η > 0.
        beta: 0 ≤ β < 1.
    """

    rate: float
    beta: float = 0.9

    def __call__(self, parameters: Array, gradient: Array, state: State, number: int) -> tuple[Array, State]:
        speed = self.beta * state.get("speed", np.zeros_like(parameters)) + gradient
        return parameters - self.rate * speed, {"speed": speed}


@dataclass(frozen=True)
class Adam:
    """Adam: steps scaled by running means of the gradient and of its square.

    Args:
        rate: the learning rate η > 0.
        beta1, beta2: decay of the two means, in [0, 1).
        small: added to the root of the second mean.

    Source: Kingma & Ba 2015, Algorithm 1.
    """

    rate: float = 1e-3
    beta1: float = 0.9
    beta2: float = 0.999
    small: float = 1e-8

    def __call__(self, parameters: Array, gradient: Array, state: State, number: int) -> tuple[Array, State]:
        zero = np.zeros_like(parameters)
        mean = self.beta1 * state.get("mean", zero) + (1 - self.beta1) * gradient
        square = self.beta2 * state.get("square", zero) + (1 - self.beta2) * gradient**2
        count = number + 1
        root = np.sqrt(square / (1 - self.beta2**count)) + self.small
        return parameters - self.rate * mean / (1 - self.beta1**count) / root, {"mean": mean, "square": square}
