"""Published upper bounds for n shuffled messages of ε₀-private randomizers, beside the certified values.

* 2021: every ε₀-private randomizer, all data. The pair of clones and both terms of the closed form are those of the authors' code
  (github.com/apple/ml-shuffling-amplification), which asks for a little more (log(4/δ) in the condition, and a larger factor in front).
* 2023: printed for every ε₀-private randomizer; the erratum of the paper (arXiv 2208.04591) takes that back, and keeps it for a class
  with less likely clones. For k-ary randomized response it is shown here. In the binary pair, erase each message with probability
  (k − 2)/(e^{ε₀} + k − 1) and send a uniform third symbol in its place. The one user's message becomes that of k-ary response, and the
  others' become those of its blanket, where an erased clone and an erased revealed input look alike. So the binary pair dominates the
  blanket, and with it all data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb

from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball
from dpbounds.shuffle.positive_part import Values, positive_part


@dataclass(frozen=True)
class Published:
    """A bound on ε(δ): where it is printed, for which randomizers it is shown, when it holds, and its value, from n, e^{ε₀} and δ."""

    source: str
    randomizers: tuple[str, ...]
    holds: Callable[[int, arb, arb], bool]
    value: Callable[[int, arb, arb], arb]


CLOSED_FORMS = (
    Published(
        "Feldman, McMillan & Talwar 2021, arXiv 2012.12803, Theorem 3.1",
        ("response", "laplace"),
        lambda users, growth, delta: bool(growth <= users / (16 * (2 / delta).log())),
        lambda n, g, delta: (1 + (g - 1) / (g + 1) * (8 * (g * (4 / delta).log() / n).sqrt() + 8 * g / n)).log(),
    ),
    Published(
        "Feldman, McMillan & Talwar 2023, arXiv 2208.04591, Theorem 3.2",
        ("response",),
        lambda users, growth, delta: bool(growth <= users / (8 * (2 / delta).log()) - 1),
        lambda n, g, delta: (1 + (g - 1) * (4 * (2 * (4 / delta).log() / ((g + 1) * n)).sqrt() + arb(4) / n)).log(),
    ),
)


def clone_delta(users: int, local: arb, epsilon: arb, *, stronger: bool = False) -> arb:
    """δ(ε) of the pair of clones, at the current precision: an upper bound for every ε₀-private randomizer; `stronger`: for k-ary response.

    Another user's message is a clone with probability γ, of either kind alike: γ = e^{−ε₀}, or 2/(e^{ε₀} + 1) (`stronger`, the blanket of
    binary randomized response); the one user's is of the first kind with probability e^{ε₀}/(e^{ε₀} + 1). So δ = E(Σ X_i)₊/n with
    X = 2(α − e^ε(1−α))/γ or 2(1−α − e^ε α)/γ, each with probability γ/2, else 0.

    Source: Feldman, McMillan & Talwar 2021, Theorem 3.1 and Section 3; 2023, with its erratum, for the stronger pair.

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


def published_epsilons(users: int, local: Exact, delta: Exact, randomizer: str = "response") -> list[dict[str, str]]:
    """The closed forms that are shown for the randomizer and whose conditions hold: where they are printed, and the ε, rounded up.

    >>> from fractions import Fraction
    >>> [found["epsilon"] for found in published_epsilons(10_000, Fraction(1), Fraction(1, 10**6))]
    ['0.21403', '0.18001']
    """
    with precision(80):
        given = users, exact_ball(local).exp(), exact_ball(delta)
        holding = [form for form in CLOSED_FORMS if randomizer in form.randomizers and form.holds(*given)]
        return [{"source": f.source, "epsilon": Enclosure.of_ball(f.value(*given)).upper_decimal(5)} for f in holding]
