"""The front door of Rényi divergence: every pair against the mpmath oracle at twice the digits, zeros, reflection, composition."""

import math
from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import arb

from dpbounds.errors import InputError
from dpbounds.mechanisms import (
    Composed,
    Direction,
    FiniteTable,
    FixedSizeSampling,
    Gaussian,
    Guarantee,
    Laplace,
    PoissonSampling,
    RandomizedResponse,
    Relation,
    Repeated,
    Sampled,
    WithReplacementSampling,
)
from dpbounds.mechanisms.pairs import (
    FinitePair,
    GaussianPair,
    LaplacePair,
    Pair,
    PoissonPair,
    RandomizedResponsePair,
    SubstitutePair,
    WithReplacementPair,
    dominating_pairs,
)
from dpbounds.noise.discrete_laplace import DiscreteLaplace
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.renyi import divergence, log_moment, renyi_divergence, renyi_of
from dpbounds.renyi.solve import removing_is_larger
from tests.oracle.renyi import approx_divergence, approx_renyi_divergence

F = Fraction
SKEW = FinitePair((F(1, 2), F(1, 3), F(1, 6)), (F(1, 4), F(1, 4), F(1, 2)))
PAIRS: dict[str, Pair] = {
    "gaussian": GaussianPair(F(3, 2)),
    "laplace": LaplacePair(F(2)),
    "laplace, sharp": LaplacePair(F(1, 20)),
    "randomized response": RandomizedResponsePair(F(1)),
    "finite": SKEW,
    "sampled gaussian": PoissonPair(F(1, 100), GaussianPair(F(3, 2))),
    "sampled laplace": PoissonPair(F(1, 100), LaplacePair(F(2))),
    "sampled laplace, sharp": PoissonPair(F(1, 2), LaplacePair(F(1, 20))),
    "sampled randomized response": PoissonPair(F(1, 100), RandomizedResponsePair(F(2))),
    "sampled finite": PoissonPair(F(1, 3), SKEW),
    "substitute": SubstitutePair(F(1, 10), F(1)),
    "substitute, large q": SubstitutePair(F(97, 100), F(4)),
    "with replacement": WithReplacementPair(20, 5, F(2)),
}


def contains(value: arb, expected: mpmath.mpf, digits: int) -> bool:
    """The ball, widened by what the oracle is good for, contains the oracle's value."""
    with precision(800):
        return (value * arb(1, arb(10) ** -digits)).contains(arb(mpmath.nstr(expected, digits + 20)))


LONG = {"laplace, sharp", "sampled laplace, sharp", "sampled laplace"}


@pytest.mark.parametrize(
    ("alpha", "pair"),
    [
        pytest.param(alpha, pair, id=f"{name}-{alpha}", marks=pytest.mark.slow if name in LONG and alpha != "40" else [])
        for name, pair in PAIRS.items()
        for alpha in ("1.0001", "7/2", "40")
    ],
)
def test_contains_the_oracle_at_twice_the_digits(pair: Pair, alpha: str) -> None:
    for swap in (False,) if pair.symmetric else (False, True):
        value = divergence(pair, F(alpha) - 1, 50, reversed=swap)
        assert value.rel_accuracy_bits() >= 50
        assert contains(value, approx_divergence(pair, alpha, 32, reversed=swap), 30)


@pytest.mark.parametrize("sampling", [None, PoissonSampling("1e-9"), PoissonSampling("0.01"), PoissonSampling("0.5")])
@pytest.mark.parametrize("noise", [Laplace("1e8"), Laplace("0.3"), RandomizedResponse("1e-8"), RandomizedResponse(50)])
def test_full_relative_digits_for_pure_mechanisms(noise, sampling) -> None:
    mechanism = noise if sampling is None else Sampled(noise, sampling)
    for alpha in ("1.000001", "1000", "1e6"):
        result = renyi_divergence(mechanism, alpha, digits=30)
        assert result.enclosure.meets(30) and result.enclosure.lower > 0


TINY = [Laplace("1e6"), Sampled(Laplace("1e6"), PoissonSampling("1e-7")), Sampled(RandomizedResponse("1e-6"), PoissonSampling("1e-7"))]


@pytest.mark.parametrize("mechanism", TINY)
@pytest.mark.parametrize("direction", [Direction.REMOVE, Direction.ADD])
def test_tiny_divergences_contain_the_oracle(mechanism, direction) -> None:
    result = renyi_divergence(mechanism, "1.0001", digits=15, direction=direction)
    with precision(200):
        assert contains(result.enclosure.ball(), approx_renyi_divergence(mechanism, "1.0001", 30, direction=direction), 28)


# --- zeros --------------------------------------------------------------------------------------------------------------


def table(p: str, q: str) -> FinitePair:
    return FinitePair(tuple(F(x) for x in p.split()), tuple(F(x) for x in q.split()))


def test_mass_of_p_where_q_vanishes_is_infinite() -> None:
    pair = table("1/2 1/2", "1 0")
    assert divergence(pair, F(1), 60) == arb.pos_inf()
    assert divergence(PoissonPair(F(1, 10), pair), F(1), 60) == arb.pos_inf()
    result = renyi_divergence(FiniteTable(["1/2", "1/2"], [1, 0]), 2)
    assert result.enclosure.upper == math.inf and (result.lower, result.upper) == ("inf", "inf")


def test_mass_of_q_where_p_vanishes_counts_nothing() -> None:
    pair = table("1/2 1/2", "1 0")
    with precision(100):
        assert divergence(pair, F(5, 2), 60, reversed=True).overlaps(arb(2).log())
    assert divergence(table("1 0", "1/2 1/2"), F(5, 2), 60, reversed=True) == arb.pos_inf()


def test_outcomes_that_never_happen_count_nothing() -> None:
    with_zero, without = table("1/2 0 1/2", "1/4 0 3/4"), table("1/2 1/2", "1/4 3/4")
    for swap in (False, True):
        assert divergence(with_zero, F(3, 2), 80, reversed=swap).overlaps(divergence(without, F(3, 2), 80, reversed=swap))


def test_singular_part_of_a_sampled_table_in_direction_add() -> None:
    """Q ‖ γP + (1−γ)Q with P and Q disjoint: D_α = −log(1−γ) for every α."""
    pair = PoissonPair(F(1, 4), table("0 1", "1 0"))
    with precision(120):
        assert divergence(pair, F(7, 3), 60, reversed=True).overlaps(-(arb(3) / 4).log())
        assert divergence(PoissonPair(F(1, 10**30), table("0 1", "1 0")), F(1), 90, reversed=True).rel_accuracy_bits() >= 90


def test_equal_distributions_have_divergence_zero() -> None:
    assert divergence(table("1/3 2/3", "1/3 2/3"), F(1), 60) == 0
    assert divergence(RandomizedResponsePair(F(0)), F(1), 60) == 0
    assert renyi_divergence(Sampled(Laplace(1), PoissonSampling(0)), 2).enclosure.upper == 0


def test_rational_table_at_integer_order_is_the_log_of_a_rational() -> None:
    p, q = SKEW.p, SKEW.q
    moment = sum((a**3 / b**2 for a, b in zip(p, q, strict=True)), F(0))
    with precision(120):
        assert divergence(SKEW, F(2), 90).overlaps((arb(moment.numerator) / moment.denominator).log() / 2)


# --- K, reflection, composition ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", [pair for pair in PAIRS.values() if not pair.symmetric])
def test_reflection(pair: Pair) -> None:
    """M_{Q‖P}(t) = M_{P‖Q}(−1−t)."""
    t = F(7, 5)
    with precision(100):
        assert log_moment(pair, -1 - t, 60).overlaps(divergence(pair, t, 60, reversed=True) * 7 / 5)
        assert log_moment(pair, t, 60).overlaps(divergence(pair, t, 60) * 7 / 5)


def test_symmetric_pairs_reflect_to_themselves() -> None:
    pair = SubstitutePair(F(1, 10), F(2))
    assert log_moment(pair, F(-3), 60).overlaps(log_moment(pair, F(2), 60))


def test_log_moment_accepts_balls_products_and_factors() -> None:
    product = dominating_pairs(Repeated(Gaussian(2), 4))[0]
    assert log_moment(product, arb(2), 60).contains(arb(3))
    assert log_moment(product.factors[0], F(2), 60).contains(arb(3))


@pytest.mark.parametrize("t", [F(0), F(-1), F(-1, 2)])
def test_log_moment_refuses_the_gap(t: Fraction) -> None:
    with pytest.raises(InputError, match="t > 0 or t < -1"):
        log_moment(GaussianPair(F(1)), t)


def test_composition_adds() -> None:
    parts = [Repeated(Sampled(Gaussian("1.5"), PoissonSampling("0.01")), 500), Laplace(3), Repeated(RandomizedResponse("0.1"), 7)]
    for direction in (Direction.REMOVE, Direction.ADD):
        whole = renyi_divergence(Composed(parts), "5/2", digits=25, direction=direction).enclosure
        with precision(200):
            total = sum((renyi_divergence(part, "5/2", digits=30, direction=direction).enclosure.ball() for part in parts), arb(0))
        assert whole.overlaps(Enclosure.of_ball(total))


def test_worst_is_the_larger_direction() -> None:
    mechanism = Sampled(Gaussian("1.5"), PoissonSampling("0.01"))
    remove, add, worst = (renyi_divergence(mechanism, 3, direction=d).enclosure for d in (Direction.REMOVE, Direction.ADD, Direction.WORST))
    assert remove > add and worst.overlaps(remove)


MIRRORED = [Gaussian("1.5"), Gaussian("0.4"), Laplace("0.7"), RandomizedResponse("2", 3), DiscreteLaplace("1.5", 2)]


@pytest.mark.parametrize("q", ["0.001", "0.3", "0.97"])
@pytest.mark.parametrize("noise", MIRRORED, ids=str)
def test_removing_is_larger_where_the_pair_is_its_own_mirror_image(noise, q) -> None:
    products = dominating_pairs(Repeated(Sampled(noise, PoissonSampling(q)), 3))
    assert removing_is_larger(products[0]) and not removing_is_larger(products[1])
    for alpha in ("1.001", "3/2", 2, 17):
        assert renyi_of(products[0], alpha).high >= renyi_of(products[1], alpha).low


def test_adding_is_looked_at_where_the_pair_is_not_its_own_mirror_image() -> None:
    """A sampled table whose reverse has the larger divergence."""
    mechanism = Sampled(FiniteTable(["1/2", "1/2"], ["1/100", "99/100"]), PoissonSampling("1/2"))
    flipped = Sampled(FiniteTable(["1/100", "99/100"], ["1/2", "1/2"]), PoissonSampling("1/2"))
    for asked in (mechanism, flipped):
        removal, addition = dominating_pairs(asked)
        assert not removing_is_larger(removal)
        assert renyi_divergence(asked, 2).enclosure.overlaps(renyi_of(removal, 2).maximum(renyi_of(addition, 2)))
    assert renyi_of(dominating_pairs(flipped)[1], 40) > renyi_of(dominating_pairs(flipped)[0], 40)


def test_the_integrand_of_the_order_of_both_directions() -> None:
    """√a·sinh(s log a) + r√b·sinh(s log b) ≥ 0 from s = 1/2 on, and not below."""
    with mpmath.workdps(40):
        for q, r in [(0.001, 1.5), (0.2, 30), (0.5, 1.01), (0.9, 1e6)]:
            a, b = 1 - q + q * mpmath.mpf(r), 1 - q + q / mpmath.mpf(r)

            def value(s: float, a: mpmath.mpf = a, b: mpmath.mpf = b, r: float = r) -> mpmath.mpf:
                return mpmath.sqrt(a) * mpmath.sinh(s * mpmath.log(a)) + r * mpmath.sqrt(b) * mpmath.sinh(s * mpmath.log(b))

            assert abs(value(0.5)) < mpmath.mpf(10) ** -15 * r and value(0.6) > 0 and value(5) > 0 and value(0.4) < 0


def test_what_a_result_says() -> None:
    fixed = Sampled(Gaussian(1), FixedSizeSampling(100, 1))
    result = renyi_divergence(fixed, 2, guarantee=Guarantee.PAIR)
    assert (result.relation, result.direction, result.guarantee) == (Relation.SUBSTITUTE, Direction.SYMMETRIC, Guarantee.PAIR)
    document = renyi_divergence(Gaussian(2), "7/2", digits=20).document()
    assert (document["quantity"], document["lower"], document["upper"], document["direction"]) == ("rdp", "0.4375", "0.4375", "worst")
    assert document["inputs"]["alpha"] == "3.5"


def test_with_replacement_of_one_record_is_a_plain_shift() -> None:
    result = renyi_divergence(Sampled(Gaussian(2), WithReplacementSampling(1, 3)), 2, guarantee=Guarantee.PAIR)
    assert result.enclosure.contains(F(2 * 36, 8))


@pytest.mark.parametrize("alpha", [1, "0.5", 0, -3, "1/2"])
def test_orders_at_most_one_are_refused(alpha: object) -> None:
    with pytest.raises(InputError, match="alpha must be > 1"):
        renyi_divergence(Gaussian(1), alpha)


def test_digits_are_a_whole_number() -> None:
    for digits in (0, "many", 2.5):
        with pytest.raises(InputError, match="digits must be"):
            renyi_divergence(Gaussian(1), 2, digits=digits)


def test_fixed_size_sampling_is_no_guarantee() -> None:
    with pytest.raises(InputError, match="guarantee"):
        renyi_divergence(Sampled(Gaussian(1), FixedSizeSampling(100, 1)), 2)


def test_irrational_parameters() -> None:
    result = renyi_divergence(Sampled(Gaussian(sympy.sqrt(2)), PoissonSampling(1 / sympy.pi)), sympy.E, digits=20)
    rounded = Sampled(Gaussian("1.41421356237309504880"), PoissonSampling("0.31830988618379067154"))
    close = renyi_divergence(rounded, "2.71828182845904523536")
    assert result.enclosure.meets(20) and abs(result.enclosure.lower - close.enclosure.lower) < F(1, 10**13)


def test_products_are_certified_to_the_digits_asked_for() -> None:
    product = dominating_pairs(Repeated(Sampled(Gaussian(1), PoissonSampling("1e-9")), 10**9), direction=Direction.ADD)[0]
    for digits in (5, 15, 60):
        assert renyi_of(product, "1.0001", digits).meets(digits + 1)
