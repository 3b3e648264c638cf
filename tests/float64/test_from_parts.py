"""Bounds of a product from its parts: each inequality against an independent value, and each of its terms needed."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath as mp
import pytest

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.errors import PrecisionError
from dpbounds.float64 import delta_bounds, epsilon_bounds, from_parts
from dpbounds.float64.from_parts import Chernoff, without_allocation
from dpbounds.float64.front_door import _log_below
from dpbounds.float64.laws import loss_law
from dpbounds.float64.result import Bounds
from dpbounds.mechanisms import pairs
from dpbounds.mechanisms.parts import METHOD, SHARES
from dpbounds.noise.epsilon_delta import EpsilonDelta
from dpbounds.noise.skellam import Skellam
from tests.truths import gaussian_delta


def product_of(mechanism, direction="remove"):
    return pairs.dominating_pairs(mechanism, direction=direction)[0]


def sampled(noise, q):
    return m.Sampled(noise, m.PoissonSampling(q))


ANSWERED = [
    (m.Composed((m.Repeated(m.RandomizedResponse("0.3"), 4), sampled(m.Gaussian(2), "1e-3"))), "0.605"),
    (m.Repeated(sampled(m.Laplace("0.4"), "0.2"), 3), "0.4"),
    (m.Repeated(sampled(m.Gaussian("1.5"), "0.1"), 40), "0.8"),
    (m.Composed((m.Gaussian(2), m.RandomizedResponse("1"), m.Laplace(3))), "0.9"),
]


@pytest.mark.parametrize("mechanism, at", ANSWERED)
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_delta_and_epsilon_are_inside(mechanism, at, direction):
    truth = accounting.delta(mechanism, at, digits=6, direction=direction).enclosure
    product = product_of(mechanism, direction)
    found = from_parts.delta_bounds(product, float(Fraction(at)), delta_bounds)
    assert found.lower <= truth.upper_float and truth.lower_float <= found.upper and found.method == METHOD
    delta = Fraction(truth.lower)
    epsilon = from_parts.epsilon_bounds(product, delta, _log_below, epsilon_bounds)
    assert epsilon.lower <= float(Fraction(at)) * (1 + 1e-4) and float(Fraction(at)) * (1 - 1e-4) <= epsilon.upper


def test_the_share_of_the_narrower_part_is_needed():
    """δ of the wider part alone, at all of ε, is too little; so is its ε."""
    mechanism = m.Composed((m.Gaussian(1), m.Gaussian("1.2")))
    truth = accounting.delta(mechanism, 1, digits=8).enclosure
    assert delta_bounds(m.Gaussian(1), 1).upper < truth.lower_float

    def alone(product, epsilon):
        return delta_bounds(product, epsilon, method="closed form")

    wide, narrow = product_of(m.Gaussian(1)), product_of(m.Gaussian("1.2"))
    both = alone(wide, 0.5).upper + alone(narrow, 0.5).upper
    assert truth.upper_float <= both
    assert (
        alone(narrow, 0.5).upper < truth.lower_float and alone(wide, 0.5).upper < truth.lower_float * 1.2
    )  # neither term alone is far from it


def test_moments_bound_delta_and_each_term_is_needed():
    """κ(c)M(c)e^{−cε} + λ against mpmath; without λ an event of infinite loss is missing."""
    chernoff = Chernoff.of_product(product_of(m.Repeated(m.Gaussian(1), 3)))
    mp.mp.dps = 30
    truth = gaussian_delta(mp.sqrt(3), 4)
    assert mp.log(truth) <= chernoff.log_delta(4.0) < mp.log(truth) + 2.5
    rates = [mp.mpf(k) / 1000 for k in range(300, 2000)]
    assert min(3 * c * (c + 1) / 2 + c * mp.log(c) - (1 + c) * mp.log(1 + c) - 4 * c for c in rates) < chernoff.log_delta(4.0) + 1e-6
    c = 1.3
    exact = 3 * c * (c + 1) / 2 + c * math.log(c) - (1 + c) * math.log(1 + c)
    assert exact <= chernoff.log_moment(c)[0] < exact + 1e-12
    assert chernoff.epsilon(float(mp.log(truth))) >= 4
    event = Chernoff.of_product(product_of(m.Repeated(EpsilonDelta("0.1", "1e-3"), 5)))
    assert event.lost >= 1 - 0.999**5 and replace(event, lost=0.0).log_delta(1.0) < math.log(1 - 0.999**5) <= event.log_delta(1.0)
    assert event.epsilon(math.log(4e-3)) == math.inf and event.epsilon(math.log(0.01)) < 1


@pytest.mark.parametrize("scale, q", [("0.5", 1), ("0.5", "0.1"), ("4", "0.3"), ("1", "1e-9")])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("c", [0.5, 3.0])
def test_two_outcomes_bound_the_moment_of_laplace_noise(scale, q, direction, c):
    """Against the density in mpmath; one outcome alone has too little."""
    mechanism = m.Laplace(scale) if q == 1 else sampled(m.Laplace(scale), q)
    (factor,) = product_of(mechanism, direction).factors
    law = loss_law(factor)
    ends = from_parts._two_ends(law)
    mp.mp.dps = 30
    b, rate = mp.mpf(scale), mp.mpf(str(q))

    def term(x):
        one, zero = mp.e ** (-abs(x - 1) / b) / (2 * b), mp.e ** (-abs(x) / b) / (2 * b)
        top, bottom = (1 - rate) * zero + rate * one, zero
        top, bottom = (top, bottom) if direction == "remove" else (bottom, top)
        return (top / bottom) ** c * top

    truth = mp.quad(term, [-mp.inf, -5 * b, 0, 0.5, 1, 1 + 5 * b, mp.inf])
    bound = Chernoff(((law, 1),), 0.0).log_moment(c)[0] - c * math.log(c) + (1 + c) * math.log(1 + c)
    assert mp.log(truth) <= bound + 1e-15
    assert abs(math.fsum(mass for _, mass in ends.atoms) - 1) < 1e-12
    assert abs(math.fsum(mass * math.exp(-loss) for loss, mass in ends.atoms) - 1) < 1e-12
    (low, low_mass), (high, _) = ends.atoms
    assert low < law.lowest_loss and law.highest_loss < high and low_mass * math.exp(c * low) < truth


def test_an_epoch_is_below_plain_noise():
    epoch = m.Sampled(m.Gaussian(1), m.RandomAllocation(4))
    for direction in ("remove", "add"):
        product = product_of(epoch, direction)
        assert accounting.delta(epoch, 1, digits=6, direction=direction).enclosure.upper_float < delta_bounds(m.Gaussian(1), 1).lower
        assert [type(factor.pair) for factor in without_allocation(product).factors] == [pairs.GaussianPair]


def test_an_epoch_beside_laplace_noise():
    mechanism = m.Composed((m.Sampled(m.Gaussian("12.7"), m.RandomAllocation(2)), m.Laplace("4.4")))
    truth = accounting.delta(mechanism, "0.1", digits=4, direction="remove").enclosure
    found = delta_bounds(mechanism, "0.1", direction="remove")
    assert 0 < found.lower <= truth.upper_float and truth.lower_float <= found.upper < 0.2


def test_how_products_are_taken_apart():
    three = product_of(m.Composed((m.Gaussian(2), m.RandomizedResponse("1"), m.Repeated(m.Laplace(3), 2))))
    assert [(len(part.factors), len(rest.factors)) for part, rest in three.splits()] == [(1, 2)] * 3
    assert len(list(replace(three, factors=three.factors[:2]).splits())) == 1
    assert three.one_of_many() is None and replace(three, factors=three.factors[:1]).one_of_many() is None
    assert product_of(m.Repeated(m.Gaussian(1), 7)).one_of_many().factors[0].steps == 1


def test_what_was_refused_has_both_sides_now():
    """Corners: noise that is narrow beside the rest, and δ far below the floats."""
    found = delta_bounds(m.Repeated(sampled(m.Gaussian(184), "0.208"), 100), "10.7", direction="add")
    assert found.lower == 0 and found.upper < 1e-300
    found = epsilon_bounds(m.Repeated(sampled(Skellam("3.18"), "1.77e-9"), 575_000_000_000), "4.55e-8")
    assert 0 <= found.lower < found.upper < 10


def test_nothing_known_is_a_refusal():
    def refuse(*_):
        raise PrecisionError("declined")

    product = replace(product_of(m.Gaussian(1)), factors=(pairs.Factor(pairs.FixedSizePair(Fraction(1, 5), Fraction(1))),) * 2)
    with pytest.raises(PrecisionError, match="no part"):
        from_parts.delta_bounds(product, 1.0, refuse)
    with pytest.raises(PrecisionError, match="no part"):
        from_parts.epsilon_bounds(product, Fraction(1, 100), _log_below, refuse)
    assert isinstance(from_parts.delta_bounds(product_of(m.Gaussian(1)), 1.0, refuse), Bounds)  # by its moments


def test_an_event_that_is_certain_beside_others():
    """No finite loss has a moment; and an ε that is infinite in one direction ends the search in the other."""
    event = m.FiniteTable((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
    epoch = m.Composed((m.Sampled(m.Gaussian(1), m.RandomAllocation(10)), event))
    assert delta_bounds(epoch, 1).lower == 1
    assert accounting.delta(epoch, 1, digits=5).enclosure.contains(1)
    assert Chernoff.of_product(product_of(event)).log_delta(1.0) == 0
    sometimes = m.Composed((m.Gaussian(1), sampled(event, "0.1")))
    assert epsilon_bounds(sometimes, "0.01").lower == math.inf


def test_shares_of_epsilon_are_rounded_down():
    """At a smaller ε the bound is larger, so that it holds at the share itself."""
    asked = []

    def whole(part, at):
        asked.append(Fraction(at))
        if len(part.factors) > 1:
            raise PrecisionError("refused")
        return delta_bounds(part, at)

    from_parts.delta_bounds(product_of(m.Composed((m.Gaussian(1), m.Gaussian("1.2")))), 0.7, whole)
    shares = [Fraction(0.7) * share for own in SHARES for share in (own, 1 - own, 1)]
    assert len(set(asked)) > 3 and all(any(at <= share <= at * (1 + Fraction(1, 2**52)) for share in shares) for at in asked)


def test_what_moments_leave_out_is_part_of_both_bounds():
    """Tails that a law drops, and the share of δ that an event has."""
    (factor,) = product_of(m.Repeated(Skellam(3), 5)).factors
    assert Chernoff.of_product(product_of(m.Repeated(Skellam(3), 5))).lost >= 5 * loss_law(factor).dropped > 0
    event = Chernoff.of_product(product_of(m.Repeated(EpsilonDelta("0.1", "1e-3"), 5)))
    for target in (0.0057, 0.0062, 0.02):
        epsilon = event.epsilon(math.log(target))
        assert 0 < epsilon < 1 and event.log_delta(epsilon) <= math.log(target) + 1e-6


def test_upper_ends_and_the_asked_shares_of_delta(monkeypatch):
    """Of Gaussian noise in place of an epoch the upper end counts; ε of parts add up; moments are asked for the share itself."""
    target, asked = Fraction(1, 10**5), []

    def whole(part, at):
        if len(part.factors) > 1:
            raise PrecisionError("refused")
        return epsilon_bounds(part, at)

    def log_least(delta):
        asked.append(delta)
        return _log_below(delta)

    both = product_of(m.Composed((m.Gaussian(1), m.Gaussian("1.2"))))
    from_parts.epsilon_bounds(both, target, log_least, whole)
    assert set(asked) <= {target * share for own in SHARES for share in (own, 1 - own, 1)} and asked
    monkeypatch.setattr(Chernoff, "epsilon", lambda *_: math.inf)
    monkeypatch.setattr(Chernoff, "log_delta", lambda *_: 0.0)
    assert (
        from_parts.epsilon_bounds(both, target, _log_below, whole).upper
        > accounting.epsilon(m.Composed((m.Gaussian(1), m.Gaussian("1.2"))), target).enclosure.upper_float
    )

    def of_plain(part, at):
        if any(isinstance(factor.pair, pairs.AllocationPair) for factor in part.factors):
            raise PrecisionError("refused")
        return Bounds.of_logs(-5.0, -1.0, "fake")

    epoch = product_of(m.Sampled(m.Gaussian(1), m.RandomAllocation(10)))
    found = from_parts.delta_bounds(epoch, 1.0, of_plain)
    assert found.log_lower == -math.inf and found.log_upper == -1.0
