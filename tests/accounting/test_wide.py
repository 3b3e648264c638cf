"""Enclosures where the digits are out of reach: both sides against values found otherwise, each term needed."""

from fractions import Fraction

import pytest
from flint import arb

from dpbounds import float64
from dpbounds.accounting import conditioning, delta, epsilon, evaluate, solve
from dpbounds.accounting.asked import WIDE, is_telling
from dpbounds.accounting.bounds import wide
from dpbounds.accounting.bounds.wide import by_parts
from dpbounds.accounting.inverse import search
from dpbounds.accounting.invert import epsilon_of
from dpbounds.accounting.solve import delta_of
from dpbounds.errors import PrecisionError
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms import (
    Composed,
    Direction,
    Gaussian,
    Laplace,
    PoissonSampling,
    RandomAllocation,
    RandomizedResponse,
    Repeated,
    Sampled,
)
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.mechanisms.parts import METHOD as PARTS
from dpbounds.noise.discrete_gaussian import DiscreteGaussian
from dpbounds.noise.skellam import Skellam
from dpbounds.numbers.balls import Enclosure, precision

UNIT = Enclosure.between(arb(0), arb(1))
PRODUCTS = [Composed((Gaussian(2), RandomizedResponse("1"))), Composed((Gaussian(3), Laplace(3), RandomizedResponse("0.4")))]


def product_of(mechanism, direction=Direction.REMOVE):
    return dominating_pairs(mechanism, direction=direction)[0]


def parts_alone(value, digits):
    """The value of products of one factor, and of no other."""

    def rough(part, at):
        if len(part.factors) > 1:
            raise PrecisionError("refused")
        return value(part, at, digits), "own"

    return rough


@pytest.mark.parametrize("mechanism", PRODUCTS)
def test_parts_enclose_delta_and_epsilon(mechanism):
    product = product_of(mechanism)
    truth = delta(mechanism, "0.9", digits=6, direction="remove").enclosure
    found, method = by_parts(product, Fraction(9, 10), parts_alone(delta_of, 5), UNIT, UNIT)
    assert found.low <= truth.high and truth.low <= found.high and found.high < 1 and method == PARTS
    unknown = Enclosure.between(arb(0), arb.pos_inf())
    root, _ = by_parts(product, Fraction(truth.lower), parts_alone(epsilon_of, 4), unknown, unknown)
    assert root.lower_float <= 0.9 + 1e-6 and 0.9 - 1e-6 <= root.upper_float < 10


def test_few_digits_of_the_whole_come_first():
    """Where there are atoms alone; noise goes to its parts at once."""
    tables = Composed((RandomizedResponse("0.3"), RandomizedResponse("0.7", 3)))
    for mechanism, own in ((tables, True), (PRODUCTS[0], False)):
        found, method = by_parts(product_of(mechanism), Fraction(1, 2), lambda part, at: (delta_of(part, at, 3), "own"), UNIT, UNIT)
        assert (method == "own") is own is found.meets(3)


def test_atoms_that_were_refused_have_few_digits():
    """Eight uses of a Skellam mechanism without a lattice: both ends were a factor of five apart."""
    mechanism = Repeated(Skellam(30), 8)
    found = delta(mechanism, "0.1", direction="remove")
    assert found.notes[-1] == WIDE and found.enclosure.meets(3)
    plain = float64.delta_bounds(mechanism, "0.1", direction="remove")
    assert plain.lower <= found.enclosure.upper_float and found.enclosure.lower_float <= plain.upper


def test_both_terms_are_needed():
    """δ of one part alone at all of ε, and each term at a share of it, are too little."""
    whole = delta(Composed((Gaussian(1), Gaussian("1.2"))), 1, digits=8).enclosure
    wide_part, narrow = (delta(Gaussian(sigma), at, digits=8).enclosure for sigma, at in ((1, 1), ("1.2", 1)))
    assert wide_part.high < whole.low and narrow.high < whole.low
    halves = [delta(Gaussian(sigma), "0.5", digits=8).enclosure.high for sigma in (1, "1.2")]
    assert whole.high <= halves[0] + halves[1] and halves[1] < whole.low


def test_without_digits_an_enclosure_and_a_note_with_digits_a_refusal(monkeypatch):
    """Whole products are refused here; their parts are not."""
    mechanism = PRODUCTS[0]
    truth, root = delta(mechanism, "0.9").enclosure, epsilon(mechanism, "0.01").enclosure

    def one_factor(product, at, digits, whole=evaluate.evaluate, **options):
        if len(product.factors) > 1:
            raise PrecisionError("refused")
        return whole(product, at, digits, **options)

    for module in (evaluate, wide, search):
        monkeypatch.setattr(module, "evaluate", one_factor)
    found = delta(mechanism, "0.9")
    assert found.notes[-1] == WIDE and PARTS in found.method
    assert found.enclosure.low <= truth.low and truth.high <= found.enclosure.high < 1
    with pytest.raises(PrecisionError, match="delta is at least .* and at most"):
        delta(mechanism, "0.9", digits=15)
    found = epsilon(mechanism, "0.01")
    assert found.notes[-1] == WIDE and found.enclosure.low <= root.low and root.high <= found.enclosure.high < 10
    with pytest.raises(PrecisionError, match="refused; in direction"):
        epsilon(mechanism, "0.01", digits=15)


def test_what_has_its_digits_has_no_note():
    assert delta(Gaussian(1), 1).notes == () and epsilon(Gaussian(1), "1e-5").notes == ()
    assert not is_telling(UNIT, 15) and is_telling(Enclosure.between(arb(0), arb("0.5")), 15)


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_few_outcomes_beside_a_long_lattice(direction, monkeypatch):
    """As a mean over the few outcomes, and by the convolution of all of them."""
    mechanism = Composed((Repeated(DiscreteGaussian(3), 20), Repeated(Sampled(RandomizedResponse("1"), PoissonSampling("0.2")), 3)))
    elements = elements_of(product_of(mechanism, Direction(direction)))
    truth = delta(mechanism, "0.5", digits=10, direction=direction).enclosure
    asked = []

    def profile(rest, at, digits, nearby):
        asked.append(len(rest.uses))
        return evaluate.evaluate_elements(rest, at, digits, nearby)

    monkeypatch.setattr(conditioning, "_MOST_OUTCOMES", 10)
    monkeypatch.setattr(conditioning, "reach_of", lambda *_: conditioning.Reach(1e9, arb(0)))
    found = conditioning.mean_over_outcomes(elements, Fraction(1, 2), 8, profile)
    assert found is not None and found.overlaps(truth) and found.meets(8) and asked == [1] * 4


def test_a_long_lattice_beside_a_table_is_quick():
    """460,000 values of the loss: the power of the polynomial took minutes."""
    mechanism = Composed(
        (Repeated(DiscreteGaussian("17.6", 2), 1000), Repeated(Sampled(RandomizedResponse("2.34"), PoissonSampling("0.132")), 3))
    )
    found = delta(mechanism, "0.414", digits=5, direction="remove").enclosure
    alone = delta(Repeated(DiscreteGaussian("17.6", 2), 1000), "0.414", digits=5, direction="remove").enclosure
    assert alone.high < found.low < found.high < 0.93


def test_an_epoch_beside_what_gives_all_away():
    mechanism = Composed((Sampled(Gaussian("12.7"), RandomAllocation(5)), Repeated(Laplace("4.4"), 28_800_000)))
    found = delta(mechanism, "0.0213", digits=12)
    assert found.enclosure.high == 1 and found.enclosure.low > 1 - arb(10) ** -12


def test_one_use_of_many_is_a_lower_bound():
    mechanism = Repeated(DiscreteGaussian(3), 5)
    truth, once = (delta(own, "0.3", digits=8, direction="remove").enclosure for own in (mechanism, DiscreteGaussian(3)))

    def once_alone(part, at):
        if part.factors[0].steps > 1:
            raise PrecisionError("refused")
        return delta_of(part, at, 5), "own"

    found, _ = by_parts(product_of(mechanism), Fraction(3, 10), once_alone, UNIT, UNIT)
    assert 0 < found.low <= once.high < truth.low and found.high == 1


def test_a_refused_delta_far_below_all_floats_is_bounded(monkeypatch):
    def refuse(*_, **__):
        raise PrecisionError("refused")

    monkeypatch.setattr(solve, "enclosed_delta", refuse)
    found = delta(Repeated(Gaussian(1), 2), 60, digits=5)
    assert found.enclosure.low == 0 and arb(10) ** -400 < found.enclosure.high < arb(10) ** -300


def test_a_part_that_several_splits_share_is_asked_once(monkeypatch):
    """Of three uses without digits, each pair is taken apart once for each share of ε, and no part is evaluated twice."""
    asked = []

    def one_use_only(product, at, digits):
        asked.append((product, at))
        if len(product.factors) > 1:
            raise PrecisionError("no digits")
        return evaluate.evaluate(product, at, digits)

    monkeypatch.setattr(wide, "evaluate", one_use_only)
    found, _ = wide.delta_by_parts(product_of(PRODUCTS[1]), Fraction(9, 10), None)
    truth = delta(PRODUCTS[1], "0.9", digits=6, direction="remove").enclosure
    assert found.low <= truth.high and truth.low <= found.high < 1
    assert len(asked) == len(set(asked))


def test_what_was_known_stays_and_sums_are_rounded_up():
    """2^-70 beside 1/4 is below the last bit that is kept."""
    product, known = product_of(PRODUCTS[0]), Enclosure.between(arb("0.125"), arb("0.75"))

    def refuse(part, at):
        raise PrecisionError("refused")

    tables = product_of(Composed((RandomizedResponse("0.3"), RandomizedResponse("0.7", 3))))
    found, _ = by_parts(tables, Fraction(1), refuse, known, UNIT)
    assert found.contains(known) and found.low > 0.12 and found.high < 0.76
    with precision(200):
        ends = [Enclosure.between(arb(0), arb(1) / 4), Enclosure.between(arb(0), arb(1) / 4 + arb(2) ** -70)]
        truth = arb(1) / 2 + arb(2) ** -70
    found, _ = by_parts(product, Fraction(1), lambda part, at: (ends[part == next(product.splits())[0]], "own"), UNIT, UNIT)
    assert truth <= found.high < 0.51
