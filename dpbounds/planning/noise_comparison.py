"""Is any noise better than Gaussian? The same variance, the same δ, one use and many: certified ε side by side.

The blog's third further question. For one use at small δ noise of bounded loss wins; under composition the total loss becomes normal with
mean k·I/2, I the Fisher information of the noise's location family, and I ≥ 1/variance with equality for Gaussian noise alone
(Cramér–Rao), so Gaussian noise wins in the end. The table shows where each of the two holds, by numbers certified on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from dpbounds import accounting
from dpbounds.errors import InputError
from dpbounds.mechanisms import Gaussian, Laplace, repeated
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball, precision
from dpbounds.numbers.domains import at_least_one, delta_between, positive
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified, exact_point, positive_part
from dpbounds.renyi import conversions
from dpbounds.renyi.curves import GaussianCurve, GeneralizedNormalCurve, LaplaceCurve, LogisticCurve, RenyiCurve, composed
from dpbounds.renyi.loss_cells import GeneralizedNormalNoise, LogisticNoise, epsilon_of_composed

FAMILIES = ("Laplace", "logistic", "generalized normal, shape 1.5", "generalized normal, shape 4")
CELL_DIGITS = 3
"""Digits of ε that are asked of the cells of the loss; they cost time."""
_SCALE_BITS = 300


class NoiseComparison(StrEnum):
    """What the certified numbers say against Gaussian noise of the same variance."""

    BETTER = "better than Gaussian"
    WORSE = "worse than Gaussian"
    OPEN = "not decided by these bounds"
    SAME = "Gaussian"


@dataclass(frozen=True)
class ComparedNoise:
    """One noise of a comparison.

    Attributes:
        name: the family.
        scale: its parameter; the variance is right to about 80 digits.
        upper: an upper bound on ε from the whole Rényi curve.
        epsilon: ε itself, enclosed: by a formula, by the contour, or by cells of the loss (three digits).
        verdict: against the ε of Gaussian noise.
    """

    name: str
    scale: Fraction
    upper: Enclosure
    epsilon: Enclosure
    verdict: NoiseComparison


def comparison_of(
    variance: exact.Number, delta: exact.Number, steps: exact.Number = 1, digits: int = 4, families: Sequence[str] = FAMILIES
) -> tuple[ComparedNoise, ...]:
    """Noise families of one variance, at one δ, used k times on a query of sensitivity 1.

    Args:
        variance: > 0.
        delta: 0 < δ < 1.
        steps: k ≥ 1.
        digits: certified digits of each number.
        families: names out of `FAMILIES`; the generalized normal ones take seconds.

    Returns:
        Gaussian first, then the families in their order. A row is BETTER when its ε lies surely below the Gaussian one, WORSE when it lies
        surely above.

    Raises:
        InputError: parameters out of range. PrecisionError: more cells than the engine takes (many uses of noise with large losses).

    >>> [noise.verdict.value for noise in comparison_of(4, "1e-9", families=["Laplace", "logistic"])]
    ['Gaussian', 'better than Gaussian', 'better than Gaussian']
    """
    spread, chance, count = positive(variance, "variance"), delta_between(delta), at_least_one(steps, "steps")
    sigma = _rational(lambda: as_ball(spread).sqrt())
    reference = accounting.epsilon(repeated(Gaussian(sigma), count), chance, digits=digits + 2).enclosure
    rows = [ComparedNoise("Gaussian", sigma, _upper(GaussianCurve(sigma), chance, count, digits), reference, NoiseComparison.SAME)]
    for name in families:
        scale, curve, epsilon = _family(name, spread, chance, count, digits + 2)
        if epsilon.high < reference.low:
            verdict = NoiseComparison.BETTER
        else:
            verdict = NoiseComparison.WORSE if epsilon.low > reference.high else NoiseComparison.OPEN
        rows.append(ComparedNoise(name, scale, _upper(curve, chance, count, digits), epsilon, verdict))
    return tuple(rows)


def laplace_epsilon_of(scale: exact.Number, delta: exact.Number, digits: int = 15) -> Enclosure:
    """The exact ε(δ) of one use of Laplace noise: max(0, 1/b + 2·log(1−δ)).

    >>> laplace_epsilon_of(1, "1e-5").upper < 1
    True
    """
    noise, chance = positive(scale, "laplace scale"), delta_between(delta)
    return certified(lambda: positive_part(1 / as_ball(noise) + 2 * (-as_ball(chance)).log1p()), digits)


def logistic_epsilon_of(scale: exact.Number, delta: exact.Number, digits: int = 15) -> Enclosure:
    """The exact ε(δ) of one use of logistic noise: max(0, 2·log(e^{ε₀/2} − √(δ(e^{ε₀}−1)))), ε₀ = 1/s.

    >>> logistic_epsilon_of(1, "1e-5").upper < 1
    True
    """
    noise, chance = positive(scale, "logistic scale"), delta_between(delta)

    def formula() -> Ball:
        largest = 1 / as_ball(noise)
        return positive_part(2 * ((largest / 2).exp() - (as_ball(chance) * largest.expm1()).sqrt()).max(ball(1)).log())

    return certified(formula, digits)


def _family(name: str, variance: Exact, delta: Exact, steps: int, digits: int) -> tuple[Fraction, RenyiCurve, Enclosure]:
    """The scale of that variance, the curve of one use, and ε."""
    if name == "Laplace":
        scale = _rational(lambda: (as_ball(variance) / 2).sqrt())
        if steps == 1:
            return scale, LaplaceCurve(scale), laplace_epsilon_of(scale, delta, digits)
        return scale, LaplaceCurve(scale), accounting.epsilon(repeated(Laplace(scale), steps), delta, digits=digits).enclosure
    if name == "logistic":
        scale = _rational(lambda: (3 * as_ball(variance)).sqrt() / Ball.pi())
        if steps == 1:
            return scale, LogisticCurve(scale), logistic_epsilon_of(scale, delta, digits)
        return scale, LogisticCurve(scale), epsilon_of_composed(lambda: LogisticNoise(as_ball(scale)), steps, delta, CELL_DIGITS)
    if name not in FAMILIES:
        raise InputError(f"families must be among {', '.join(FAMILIES)}, got {name!r}")
    shape = exact.rational(name.rpartition(" ")[2])
    scale = _rational(lambda: (as_ball(variance) * (1 / ball(shape)).gamma() / (3 / ball(shape)).gamma()).sqrt())
    epsilon = epsilon_of_composed(lambda: GeneralizedNormalNoise(ball(shape), as_ball(scale)), steps, delta, CELL_DIGITS)
    return scale, GeneralizedNormalCurve(shape, scale), epsilon


def _upper(curve: RenyiCurve, delta: Exact, steps: int, digits: int) -> Enclosure:
    return conversions.epsilon_of(composed((curve, steps)), delta, digits)


def _rational(value: Callable[[], Ball]) -> Fraction:
    """A scale as a rational number: exact parameters keep everything after it exact."""
    with precision(_SCALE_BITS):
        return exact_point(value())
