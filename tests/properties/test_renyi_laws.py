"""Laws of the Rényi divergence over the whole range of parameters: order, rate, noise, reflection, processing, nesting."""

from fractions import Fraction

from flint import arb
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpbounds.mechanisms import Composed, Direction, FiniteTable, Gaussian, Laplace, PoissonSampling, RandomizedResponse, Sampled
from dpbounds.mechanisms.pairs import (
    FinitePair,
    GaussianPair,
    LaplacePair,
    PoissonPair,
    RandomizedResponsePair,
    SubstitutePair,
    WithReplacementPair,
)
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.renyi import divergence, log_moment, renyi_ball, renyi_divergence

LAW = settings(derandomize=True, deadline=None, max_examples=60)
FEW = settings(derandomize=True, deadline=None, max_examples=25)
BITS = 60


def spread(low: float, high: float) -> st.SearchStrategy[Fraction]:
    """Rational numbers between 10^low and 10^high, evenly on the logarithmic scale."""
    return st.floats(low, high, allow_nan=False).map(lambda power: Fraction(f"{10**power:.12g}"))


ORDERS = spread(-6, 6)
SIGMAS = spread(-0.5228, 8)
RATES = st.one_of(spread(-9, -0.001), spread(-9, -0.3).map(lambda gap: 1 - gap))
SCALES = spread(-1.5, 8)
SWAPS = st.booleans()


@st.composite
def sampled_pairs(draw):
    """Elementary pairs that have a direction."""
    rate = draw(RATES)
    base = draw(st.sampled_from(["gaussian", "laplace", "response"]))
    if base == "gaussian":
        return PoissonPair(rate, GaussianPair(draw(SIGMAS)))
    if base == "laplace":
        return PoissonPair(rate, LaplacePair(draw(SCALES)))
    return PoissonPair(rate, RandomizedResponsePair(1 / draw(SCALES)))


@st.composite
def pairs(draw):
    kind = draw(st.sampled_from(["sampled", "sampled", "substitute", "replacement", "laplace", "response", "finite"]))
    if kind == "substitute":
        return SubstitutePair(draw(RATES), draw(SIGMAS))
    if kind == "replacement":
        return WithReplacementPair(draw(st.integers(2, 10**6)), draw(st.integers(1, 300)), draw(SIGMAS))
    if kind == "laplace":
        return LaplacePair(draw(SCALES))
    if kind == "response":
        return RandomizedResponsePair(1 / draw(SCALES))
    return draw(tables()) if kind == "finite" else draw(sampled_pairs())


@st.composite
def tables(draw, size: int = 4):
    rows = [draw(st.lists(st.integers(1, 1000), min_size=size, max_size=size)) for _ in range(2)]
    p, q = (tuple(Fraction(entry, sum(row)) for entry in row) for row in rows)
    return FinitePair(p, q)


def not_above(smaller: arb, larger: arb) -> bool:
    """The enclosures do not contradict smaller ≤ larger."""
    return not smaller > larger


@LAW
@given(pairs(), ORDERS, ORDERS, SWAPS)
def test_nondecreasing_in_the_order(pair, first, second, swap):
    low, high = sorted((first, second))
    assert not_above(divergence(pair, low, BITS, reversed=swap), divergence(pair, high, BITS, reversed=swap))


@LAW
@given(pairs(), ORDERS, ORDERS, SWAPS)
def test_t_times_divergence_is_convex(pair, first, second, swap):
    """K(t) = log M(t) is convex: K at the middle is at most the mean of K at the ends."""
    middle = (first + second) / 2
    with precision(120):
        k = [log_moment(pair, t if not swap else -1 - t, BITS) for t in (first, middle, second)]
        assert not_above(k[1], (k[0] + k[2]) / 2)


@LAW
@given(sampled_pairs(), ORDERS, st.integers(1, 10**6), SWAPS)
def test_nondecreasing_in_the_rate(pair, t, part, swap):
    fewer = PoissonPair(pair.q * Fraction(part, 10**6), pair.base)
    assert not_above(divergence(fewer, t, BITS, reversed=swap), divergence(pair, t, BITS, reversed=swap))
    assert not_above(divergence(pair, t, BITS, reversed=swap), divergence(pair.base, t, BITS))


@LAW
@given(RATES, SIGMAS, st.integers(1, 10**6), ORDERS, SWAPS)
@example(Fraction(1, 10**9), Fraction(3, 10), 10**6, Fraction(10**6), True)
def test_nonincreasing_in_sigma(rate, sigma, more, t, swap):
    wide = sigma * (1 + Fraction(more, 10**6))
    for narrow_pair, wide_pair in (
        (PoissonPair(rate, GaussianPair(sigma)), PoissonPair(rate, GaussianPair(wide))),
        (SubstitutePair(rate, sigma), SubstitutePair(rate, wide)),
    ):
        assert not_above(divergence(wide_pair, t, BITS, reversed=swap), divergence(narrow_pair, t, BITS, reversed=swap))


@LAW
@given(sampled_pairs(), ORDERS)
def test_reflection(pair, t):
    with precision(120):
        forward, backward = log_moment(pair, t, BITS), log_moment(pair, -1 - t, BITS)
        assert forward.overlaps(divergence(pair, t, BITS) * (arb(t.numerator) / t.denominator))
        assert backward.overlaps(divergence(pair, t, BITS, reversed=True) * (arb(t.numerator) / t.denominator))


@LAW
@given(tables(), ORDERS, st.lists(st.integers(0, 5), min_size=12, max_size=12))
def test_data_processing(pair, t, entries):
    """A channel with rows of rationals does not raise the divergence."""
    rows = [[entry + (column == 0) for column, entry in enumerate(entries[3 * i : 3 * i + 3])] for i in range(4)]
    channel = [[Fraction(entry, sum(row)) for entry in row] for row in rows]
    images = [tuple(sum(mass * channel[i][j] for i, mass in enumerate(side)) for j in range(3)) for side in (pair.p, pair.q)]
    assert not_above(divergence(FinitePair(*images), t, BITS), divergence(pair, t, BITS))


@LAW
@given(SIGMAS, RATES, ORDERS)
def test_poisson_substitution_is_below_distance_two(sigma, rate, t):
    """M is jointly convex and both laws mix with the same N(0, σ²), so M at rate q is at most q·M₁ + 1 − q ≤ M₁, rate 1: distance 2."""
    assert not_above(divergence(SubstitutePair(rate, sigma), t, BITS), divergence(GaussianPair(sigma / 2), t, BITS))


@FEW
@given(pairs(), ORDERS, SWAPS)
def test_enclosures_overlap_and_shrink_as_digits_grow(pair, t, swap):
    with precision(600):
        values = [Enclosure.of_ball(divergence(pair, t, bits, reversed=swap)) for bits in (30, 80, 200)]
        for wide, narrow, bits in zip(values, values[1:], (80, 200), strict=False):
            assert wide.overlaps(narrow)
            assert (narrow.high - narrow.low) <= narrow.high * arb(2) ** (-bits + 1)


@FEW
@given(ORDERS, RATES, SIGMAS, SWAPS, st.floats(1e-6, 0.3), st.integers(0, 1000))
def test_boxes_contain_their_points(t, rate, sigma, add, width, place):
    spread_out = Fraction(f"{width:.6g}")
    with precision(80):
        box = [arb(value.numerator) / value.denominator * arb(1, width) for value in (1 + t, sigma, rate)]
        inside = [value * (1 + spread_out * (Fraction(place, 500) - 1)) for value in (1 + t, sigma, rate)]
        wide = renyi_ball(*box, add=add)
        if inside[0] > 1 and inside[2] <= 1:
            pair = PoissonPair(inside[2], GaussianPair(inside[1]))
            assert wide.overlaps(divergence(pair, inside[0] - 1, BITS, reversed=add))
            assert not wide.lower() > divergence(pair, inside[0] - 1, BITS, reversed=add)


@FEW
@given(spread(-3, 3), RATES, spread(-0.5, 2), SCALES)
def test_composition_adds_and_worst_is_the_maximum(t, rate, sigma, scale):
    table = FiniteTable(["1/3", "2/3"], ["1/2", "1/2"])
    parts = (Sampled(Gaussian(sigma), PoissonSampling(rate)), Laplace(scale), RandomizedResponse(1 / scale), table)
    whole = {d: renyi_divergence(Composed(parts), 1 + t, direction=d).enclosure for d in (Direction.REMOVE, Direction.ADD, Direction.WORST)}
    for direction in (Direction.REMOVE, Direction.ADD):
        with precision(120):
            total = sum((renyi_divergence(part, 1 + t, direction=direction).enclosure.ball() for part in parts), arb(0))
            assert Enclosure.of_ball(total).overlaps(whole[direction])
    assert whole[Direction.WORST].overlaps(whole[Direction.REMOVE].maximum(whole[Direction.ADD]))
