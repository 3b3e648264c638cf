"""Exact convolution: against enumeration in exact arithmetic and mpmath, ties, lattices that do not fit together, and what is refused."""

import itertools
import math
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.accounting import delta, epsilon
from dpbounds.laws.convolve import OrderedUse, Outcomes, convolved_delta, groups_of
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms import Composed, FiniteTable, Laplace, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.mechanisms.exact_loss import ExactLoss, common_unit, spacing_of
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.numbers.balls import precision
from dpbounds.numbers.inputs import exact_ball
from dpbounds.oracle.delta import approx_delta

POWERS_OF_TWO = FiniteTable(["4/7", "2/7", "1/7"], ["1/7", "2/7", "4/7"])
MIXED = FiniteTable(["1/2", "3/10", "1/5"], ["1/5", "3/10", "1/2"])
HIDDEN = FiniteTable(["1/2", "1/4", "1/4", "0"], ["1/4", "1/2", "0", "1/4"])


def fraction_delta(tables, at):
    """Σ (P − e^ε Q)₊ over all sequences of outcomes, e^ε being the only number that is not exact."""
    total, scale = mpmath.mpf(0), mpmath.exp(mpmath.mpf(at.numerator) / at.denominator)
    for rows in itertools.product(*(list(zip(table.p, table.q, strict=True)) for table in tables)):
        p, q = math.prod(p for p, _ in rows), math.prod(q for _, q in rows)
        total += max(mpmath.mpf(0), mpmath.mpf(p.numerator) / p.denominator - scale * q.numerator / q.denominator)
    return total


def inside(found, truth):
    return mpmath.mpf(found.lower) <= truth <= mpmath.mpf(found.upper)


@pytest.mark.parametrize(
    "tables", [[POWERS_OF_TWO] * 4, [POWERS_OF_TWO, MIXED, MIXED], [HIDDEN, HIDDEN, POWERS_OF_TWO], [MIXED, HIDDEN] * 2]
)
@pytest.mark.parametrize("at", ["0", "1/3", "2"])
def test_few_uses_against_all_sequences(tables, at):
    found = delta(Composed(tables), at, digits=25, direction="remove")
    with mpmath.workdps(60):
        assert inside(found, fraction_delta(tables, Fraction(at)))


def test_many_uses_of_two_lattices_that_fit_together():
    mechanism = Composed((Repeated(RandomizedResponse("0.01"), 3000), Repeated(RandomizedResponse("0.02"), 3000)))
    found = delta(mechanism, 5, digits=20)
    assert found.method.startswith("Bromwich line over one period")
    assert Fraction(found.lower) <= Fraction("6.1757261684771754568721e-5") <= Fraction(found.upper) + Fraction(1, 10**27)


@pytest.mark.parametrize("at", ["0.2", "1", "3"])
def test_lattices_that_do_not_fit_together_are_searched(at):
    """Powers of 2 and multiples of 1/4 have no common lattice: one is listed, the other summed from above."""
    mechanism = Composed((Repeated(POWERS_OF_TWO, 5), Repeated(RandomizedResponse("1/4"), 6)))
    found = delta(mechanism, at, digits=20)
    with mpmath.workdps(40):
        assert abs(approx_delta(mechanism, at, 25) - mpmath.mpf(found.lower)) < mpmath.mpf(10) ** -20


def test_sampled_tables_stay_tables():
    mechanism = Repeated(Sampled(HIDDEN, PoissonSampling("1/3")), 4)
    for direction in ("remove", "add"):
        found = delta(mechanism, "1/10", digits=20, direction=direction)
        with mpmath.workdps(40):
            assert abs(approx_delta(mechanism, "1/10", 25, direction=direction) - mpmath.mpf(found.lower)) < mpmath.mpf(10) ** -20


def test_ties_are_not_decided_by_rounding():
    """P(L = ε) counts nothing: at 60, 200 and 500 bits the ball around ε overlaps that of the loss."""
    law = OrderedUse(elements_of(dominating_pairs(Repeated(POWERS_OF_TWO, 3), direction="remove")[0]).finite_laws()[0], None)
    for bits in (60, 200, 500):
        with precision(bits):
            rows = elements_of(dominating_pairs(Repeated(POWERS_OF_TWO, 3), direction="remove")[0]).listed()
            listed = convolved_delta(groups_of([OrderedUse(rows[0].law, None)]), arb(4).log())
            on_a_lattice = convolved_delta(groups_of(rows), arb(4).log())
            assert listed.overlaps(on_a_lattice)
            assert abs(on_a_lattice - listed) < arb(2) ** (30 - bits)
    assert law.losses is None


def test_what_lies_within_the_margin_of_the_floats_is_not_taken_for_sure():
    """Two losses that agree as floats lie on both sides of ε: only the upper one counts."""
    with precision(200):
        tiny = arb(2) ** -80
        losses = [arb(1) + tiny, arb(1) - tiny]
        p = [arb("0.5"), arb("0.25")]
        rows = Outcomes(losses, p, [mass * (-loss).exp() for mass, loss in zip(p, losses, strict=True)])

        class One:
            points, spacings = 2, ()

            def outcomes(self):
                return rows

        found = convolved_delta([One()], arb(1))
        truth = arb("0.5") * -(-tiny).expm1()
        assert found.overlaps(truth)
        assert abs(found - truth) < arb(2) ** -190


def test_the_least_bracket_of_epsilon_at_a_lattice_point():
    found = epsilon(Repeated(POWERS_OF_TWO, 40), "1e-9", digits=15)
    below, above = delta(Repeated(POWERS_OF_TWO, 40), found.lower, digits=15), delta(Repeated(POWERS_OF_TWO, 40), found.upper, digits=15)
    assert Fraction(below.upper) >= Fraction(1, 10**9) >= Fraction(above.lower)


def test_three_outcomes_off_every_lattice_beside_a_law_with_two_atoms():
    """The value is the sum over all counts in float64, the record being removed from q."""
    table = FiniteTable(["1/2", "3/10", "1/5"], ["1/3", "1/3", "1/3"])
    found = delta(Composed((Repeated(table, 3000), RandomizedResponse(1))), 180, digits=15)
    assert abs(float(found.upper) - 0.9287083065060822) < 1e-10


def test_tables_on_a_lattice_beside_noise_take_few_values():
    """30 uses of three outcomes have 496 count vectors and 61 losses; the mean over both is the same."""
    mechanism = Composed((Repeated(POWERS_OF_TWO, 2), Laplace(1)))
    found = delta(mechanism, 1, digits=15)
    with mpmath.workdps(40):
        total = mpmath.mpf(0)
        for (p, q), (r, s) in itertools.product(zip(POWERS_OF_TWO.p, POWERS_OF_TWO.q, strict=True), repeat=2):
            mass, loss = p * r, mpmath.log(mpmath.mpf((p * r / (q * s)).numerator) / (p * r / (q * s)).denominator)
            level = 1 - loss
            profile = 1 - mpmath.exp((level - 1) / 2) if -1 < level < 1 else (0 if level >= 1 else 1 - mpmath.exp(level))
            total += mpmath.mpf(mass.numerator) / mass.denominator * profile
        assert inside(found, total)


@pytest.mark.parametrize(("left", "right", "unit"), [
    ("8", "4", "2"), ("27/8", "9/4", "3/2"), ("4/9", "27/8", "3/2"), ("2", "3", None), ("1000000001/1000000000", "3", None),
    ("3", "3", "3"), ("1/5", "125", "5"),
])  # fmt: skip
def test_common_roots(left, right, unit):
    found = common_unit(ExactLoss(ratio=Fraction(left)), ExactLoss(ratio=Fraction(right)))
    assert (None if found is None else found.ratio) == (None if unit is None else Fraction(unit))


def test_rational_losses_and_logarithms_share_no_lattice():
    assert common_unit(ExactLoss(Fraction(1)), ExactLoss(ratio=Fraction(2))) is None
    assert spacing_of([ExactLoss(), ExactLoss(Fraction(1)), ExactLoss(ratio=Fraction(2))]) is None


def test_spacings_hold_every_loss():
    losses = [ExactLoss(Fraction(n, 12)) for n in (-9, 6, 2, 0)]
    found = spacing_of(losses)
    assert found.unit.plain == Fraction(1, 12)
    for loss, index in zip(losses, found.indices, strict=True):
        assert loss == ExactLoss(found.start.plain + index * found.unit.plain)


@pytest.mark.parametrize("ratio", ["2/3", "1/3"])
def test_exactly_the_largest_loss(ratio):
    table = FiniteTable([ratio, 1 - Fraction(ratio)], [1 - Fraction(ratio), ratio])
    assert delta(table, "log(2)").upper == "0"
    assert delta(Repeated(table, 3), "3*log(2)").upper == "0"
    assert Fraction(delta(Repeated(table, 3), "log(2)").lower) > 0


def test_a_ball_that_is_wide_decides_nothing():
    with precision(64):
        uses = elements_of(dominating_pairs(Repeated(POWERS_OF_TWO, 3), direction="remove")[0]).listed()
        sharp = convolved_delta(groups_of(uses), exact_ball(Fraction(1)))
        wide = convolved_delta(groups_of(uses), arb(1, 0.1))
    assert wide.contains(sharp)


def pushed(table, size):
    """A table with p moved by so much from its second outcome to its first."""
    rest = [Fraction(x) for x in table]
    return FiniteTable([rest[0] + size, rest[1] - size, *rest[2:]], rest)


@pytest.mark.parametrize("size", [Fraction(1, 10**330), Fraction(1, 10**400)])
def test_losses_below_every_float_count(size):
    """Floats take all of them for 0: nothing is above another for sure, nor left out."""
    mechanism = Composed((pushed(["1/6", "1/2", "1/3"], size), pushed(["1/7", "1/4", "17/28"], size)))
    found = delta(mechanism, 0, digits=60, direction="remove")
    with mpmath.workdps(900):
        assert inside(found, fraction_delta(mechanism.parts, Fraction(0)))


@pytest.mark.parametrize("size", [Fraction(1, 10**310), Fraction(1, 10**400)])
def test_lattices_of_losses_below_every_float(size):
    unit = ExactLoss(ratio=1 + size)
    found = spacing_of([unit.times(3), ExactLoss(), unit.times(-2)])
    assert found is not None and found.unit == unit and found.indices == (5, 2, 0)
    assert spacing_of([ExactLoss(), ExactLoss(ratio=1 - size)]).unit == ExactLoss(ratio=1 / (1 - size))
