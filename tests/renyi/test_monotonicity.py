"""The lemmas of docs/monotonicity.md at points: every relation is strict here, so each test fails for the reversed statement."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb

from dpbounds.accounting import delta
from dpbounds.mechanisms import Direction, Gaussian, PoissonSampling, Relation, Repeated, Sampled
from dpbounds.renyi.poisson_gaussian import divergence, renyi_ball

BOTH = pytest.mark.parametrize("add", [False, True])
ORDERS = [Fraction(k, 4) for k in range(9)]  # order minus one
SETTINGS = [(Fraction(1), Fraction(1, 10)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(3), Fraction(1, 100))]


def rises(values: list[arb]) -> bool:
    """True when each value is certainly below the next."""
    return all(low.upper() < high.lower() for low, high in pairwise(values))


# --- Lemma 1 ----------------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(("sigma", "q"), SETTINGS)
def test_the_divergence_rises_with_the_order(sigma: Fraction, q: Fraction, add: bool) -> None:
    assert rises([divergence(t, sigma, q, 80, add=add) for t in ORDERS])


@BOTH
@pytest.mark.parametrize(("sigma", "q"), SETTINGS)
def test_chords_lie_above_the_scaled_divergence(sigma: Fraction, q: Fraction, add: bool) -> None:
    scaled = [arb(t.numerator) / t.denominator * divergence(t, sigma, q, 80, add=add) for t in ORDERS]
    slopes = [high - low for low, high in pairwise(scaled)]
    assert rises(slopes)


def test_below_order_one_the_divergence_is_between_0_and_its_value_above() -> None:
    p, q = (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 5), Fraction(4, 5))
    values = [divergence_of_tables(p, q, Fraction(k, 8)) for k in (-7, -4, -1, 1, 4, 8)]
    assert all(value > 0 for value in values) and rises(values)
    assert all(value < 0 for value in (divergence_of_tables(p, q, Fraction(k)) for k in (-2, -3)))


@BOTH
def test_no_enclosure_below_order_0(add: bool) -> None:
    assert renyi_ball(arb(-1), arb(1), arb("0.5"), add=add).is_nan()
    assert renyi_ball(arb(1, 2), arb(1), arb("0.5"), add=add).is_nan()
    assert renyi_ball(arb("0.5", "0.25"), arb(1), arb("0.5"), add=add).is_finite()


def divergence_of_tables(p: tuple[Fraction, ...], q: tuple[Fraction, ...], t: Fraction) -> arb:
    """D_{1+t} of two finite distributions."""
    exponent = ball_of(t)
    return sum((ball_of(a) * (ball_of(a) / ball_of(b)) ** exponent for a, b in zip(p, q, strict=True)), arb(0)).log() / exponent


def ball_of(value: Fraction) -> arb:
    return arb(value.numerator) / value.denominator


# --- Lemma 2 ----------------------------------------------------------------------------------------------------------

Table = list[Fraction]
CONVEX = {
    "moment of order 2": lambda x: x**2,
    "moment of order 5": lambda x: x**5,
    "hockey stick at 3/2": lambda x: max(x - Fraction(3, 2), Fraction(0)),
}


def table(rng: random.Random, size: int) -> Table:
    weights = [rng.randint(1, 20) for _ in range(size)]
    return [Fraction(weight, sum(weights)) for weight in weights]


def product(first: Table, second: Table) -> Table:
    return [a * c for a in first for c in second]


def of(convex, first: Table, second: Table) -> Fraction:
    """I_f, exactly."""
    return sum((b * convex(a / b) for a, b in zip(first, second, strict=True)), Fraction(0))


@pytest.mark.parametrize("name", CONVEX)
def test_post_processing_of_one_use_lowers_the_product(name: str) -> None:
    rng, strict = random.Random(3), 0
    for _ in range(40):
        a, b, noise, c, e = (table(rng, 3) for _ in range(5))
        kernel, s = [table(rng, 3) for _ in range(3)], Fraction(rng.randint(0, 4), 4)
        whole = of(CONVEX[name], product(a, c), product(b, e))
        processed = [[sum((kernel[x][y] * law[x] for x in range(3)), Fraction(0)) for y in range(3)] for law in (a, b)]
        replaced = [[s * value + (1 - s) * new for value, new in zip(law, noise, strict=True)] for law in (a, b)]
        for first, second in (processed, replaced):
            found = of(CONVEX[name], product(first, c), product(second, e))
            assert found <= whole
            strict += found < whole
        assert CONVEX[name](Fraction(1)) <= of(CONVEX[name], a, b)
    assert strict > 20


# --- Lemmas 3, 4 and 5 ------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("t", [Fraction(0), Fraction(1, 2), Fraction(3)])
def test_the_divergence_falls_with_the_noise_and_rises_with_the_rate(t: Fraction, add: bool) -> None:
    sigmas = [Fraction(k, 2) for k in (8, 6, 4, 3, 2, 1)]
    assert rises([divergence(t, sigma, Fraction(1, 10), 80, add=add) for sigma in sigmas])
    rates = [Fraction(k, 20) for k in (1, 2, 5, 10, 15, 20)]
    assert rises([divergence(t, Fraction(1), q, 80, add=add) for q in rates])


def delta_at(epsilon: Fraction, sigma: Fraction, q: Fraction, steps: int, relation: Relation, direction: Direction) -> arb:
    mechanism = Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)
    return delta(mechanism, epsilon, digits=8, relation=relation, direction=direction).enclosure.ball()


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize(
    ("relation", "direction"),
    [(Relation.ADD_OR_REMOVE, Direction.ADD), (Relation.ADD_OR_REMOVE, Direction.REMOVE), (Relation.SUBSTITUTE, Direction.WORST)],
)
def test_delta_falls_with_level_and_noise_and_rises_with_the_rate(relation: Relation, direction: Direction, steps: int) -> None:
    one, tenth = Fraction(1), Fraction(1, 10)
    assert rises([delta_at(level, one, tenth, steps, relation, direction) for level in (tenth, tenth / 2, Fraction(0))])
    assert rises([delta_at(tenth / 2, sigma, tenth, steps, relation, direction) for sigma in (Fraction(2), Fraction(3, 2), one)])
    assert rises([delta_at(tenth / 2, one, q, steps, relation, direction) for q in (tenth, Fraction(1, 5), Fraction(1, 2))])
