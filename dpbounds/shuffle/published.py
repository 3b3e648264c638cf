"""Published upper bounds for n shuffled messages of ε₀-private randomizers, beside the certified values.

The closed forms hold for every ε₀-private randomizer and all data. They are stated from memory; the first was compared with the authors'
code (github.com/apple/ml-shuffling-amplification), which asks for a little more (log(4/δ) in the condition).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb

from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball
from dpbounds.shuffle.positive_part import Values, positive_part

_BITS = 80


@dataclass(frozen=True)
class Published:
    """A bound on ε(δ): where it is printed, when it holds, and its value, from n, ε₀ and δ."""

    source: str
    holds: Callable[[int, arb, arb], bool]
    value: Callable[[int, arb, arb], arb]


def _clones(users: int, local: arb, delta: arb) -> arb:
    growth = local.exp()
    inner = 8 * (growth * (4 / delta).log() / users).sqrt() + 8 * growth / users
    return (1 + (growth - 1) / (growth + 1) * inner).log()


def _stronger(users: int, local: arb, delta: arb) -> arb:
    growth = local.exp()
    return (1 + (growth - 1) * (4 * (2 * (4 / delta).log() / ((growth + 1) * users)).sqrt() + arb(4) / users)).log()


CLOSED_FORMS = (
    Published(
        "Feldman, McMillan & Talwar 2021, arXiv 2012.12803, Theorem 3.1",
        lambda users, local, delta: bool(local.exp() <= users / (16 * (2 / delta).log())),
        _clones,
    ),
    Published(
        "Feldman, McMillan & Talwar 2023, arXiv 2208.04591, Theorem 3.2",
        lambda users, local, delta: bool(local.exp() <= users / (8 * (2 / delta).log()) - 1),
        _stronger,
    ),
)


def clone_delta(users: int, local: arb, epsilon: arb, *, stronger: bool = False) -> arb:
    """δ(ε) of the pair of clones, for every ε₀-private randomizer: an upper bound, at the current precision.

    Another user's message is a clone with probability γ, of either kind alike: γ = e^{−ε₀}, or 2/(e^{ε₀} + 1) (`stronger`, the blanket of
    binary randomized response); the one user's is of the first kind with probability e^{ε₀}/(e^{ε₀} + 1). So δ = E(Σ X_i)₊/n with
    X = 2(α − e^ε(1−α))/γ or 2(1−α − e^ε α)/γ, each with probability γ/2, else 0.

    Source: Feldman, McMillan & Talwar 2021, Theorem 3.1 and Section 3; 2023 for the stronger pair.

    >>> from dpbounds.numbers.balls import precision
    >>> with precision(120):
    ...     print(clone_delta(10_000, arb(1), arb("0.1")).str(6, radius=False))
    6.41616e-14
    """
    growth, level = local.exp(), epsilon.exp()
    likely = growth / (growth + 1)
    share = 2 / (growth + 1) if stronger else 1 / growth
    first, second = 2 * (likely - level * (1 - likely)) / share, 2 * (1 - likely - level * likely) / share
    return positive_part(Values((first, arb(0), second), (share / 2, 1 - share, share / 2)), users)


def published_epsilons(users: int, local: Exact, delta: Exact) -> list[dict[str, str]]:
    """The closed forms whose conditions hold: where they are printed, and the ε they print, rounded up.

    >>> from fractions import Fraction
    >>> [found["epsilon"] for found in published_epsilons(10_000, Fraction(1), Fraction(1, 10**6))]
    ['0.21403', '0.18001']
    """
    with precision(_BITS):
        own, chance = exact_ball(local), exact_ball(delta)
        holding = [bound for bound in CLOSED_FORMS if bound.holds(users, own, chance)]
        return [{"source": bound.source, "epsilon": Enclosure.of(bound.value(users, own, chance)).upper_decimal(5)} for bound in holding]
