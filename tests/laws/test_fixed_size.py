"""Sampling without replacement: the symmetrised dominating pair, its error terms and what it dominates."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import acb, arb

from dpbounds import accounting
from dpbounds.accounting.asked import forced_value
from dpbounds.accounting.bromwich import evaluate
from dpbounds.accounting.bromwich_planning import lost_mass, plan
from dpbounds.accounting.evaluate import evaluate as delta_of_product
from dpbounds.errors import InputError
from dpbounds.laws import fixed_size
from dpbounds.laws.contour_factor import Need
from dpbounds.laws.fixed_size import FixedSizeFactor
from dpbounds.mechanisms import Composed, FixedSizeSampling, Gaussian, Guarantee, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.numbers.balls import Enclosure, precision

FACTOR = FixedSizeFactor(Fraction(1, 10), Fraction(2))
CUT = FACTOR.with_cut(4.5)
END = arb(5)
"""S = s₁ + 4.5 of the cut law."""


def without(sigma, population, batch, steps=1):
    return Repeated(Sampled(Gaussian(sigma), FixedSizeSampling(population, batch)), steps)


def normal(x, mean=0.0):
    return math.exp(-((x - mean) ** 2) / 2) / math.sqrt(2 * math.pi)


@pytest.fixture(autouse=True)
def _bits():
    with precision(150):
        yield


def test_one_step_is_attained_by_a_data_set():
    # all other records −1, x = 1, x′ = −1: q·N(2) + (1−q)·N(0) against N(0), in units of σ = 1
    q, epsilon = 0.01, 1.0
    exact = accounting.delta(without(1, 100, 1), 1).enclosure
    step = 1e-3
    points = [i * step for i in range(-9000, 12000)]
    gains = (q * normal(x, 2.0) + (1 - q) * normal(x) - math.exp(epsilon) * normal(x) for x in points)
    total = math.fsum(step * max(0.0, gain) for gain in gains)
    assert abs(exact.lower_float - total) <= 1e-8
    pair = accounting.delta(without(1, 100, 1), 1, guarantee="pair").enclosure
    assert pair.upper < exact.lower / 10_000  # the published pair is no guarantee


@pytest.mark.parametrize("epsilon", ["0", "1", "4"])
def test_composition_against_a_convolution(epsilon):
    cells, width, steps = 2**15, 1 / 400, 32
    pmf = np.zeros(cells)
    for weight, loss in FixedSizeFactor(Fraction(1, 2), Fraction(4))._float_law(0.0):
        below = math.floor(loss / width)
        share = loss / width - below
        pmf[below % cells] += math.exp(weight) * (1 - share)
        pmf[(below + 1) % cells] += math.exp(weight) * share
    total = np.fft.irfft(np.fft.rfft(pmf) ** steps)
    losses = (np.arange(cells) + cells // 2) % cells - cells // 2
    gains = -np.expm1(np.minimum(float(epsilon) - losses * width, 0.0))
    rough = float(np.sum(total * gains))
    found = accounting.delta(without(4, 2, 1, steps), epsilon, digits=6).enclosure
    assert abs(found.lower_float - rough) <= 1e-3 * rough


def test_moments_of_the_pair():
    assert FACTOR.moment(arb(0)).contains(1)
    assert FACTOR.moment(arb(-3)).overlaps(FACTOR.moment(arb(2)))
    assert FACTOR.atom() > 0


@pytest.mark.parametrize(("epsilon", "steps"), [("0.3", 50), ("1", 400), ("2", 400)])
def test_dominates_each_data_set(epsilon, steps):
    # the data sets behind the proof give the Poisson pair of distance 2, in both orders
    bound = accounting.delta(without(2, 10, 1, steps), epsilon, digits=6)
    assert bound.notes
    from dpbounds.mechanisms import PoissonSampling

    instance = accounting.delta(Repeated(Sampled(Gaussian(1), PoissonSampling("0.1")), steps), epsilon, digits=6).enclosure
    assert bound.enclosure.upper >= instance.lower


def test_the_errors_of_the_panels_are_needed(monkeypatch):
    exact = CUT.line(arb(2), arb(3), 2, Need(90.0, lambda y: 0.0, 3.0))[1]
    assert CUT.line(arb(2), arb(3), 2, Need(1.0, lambda y: 0.0, 3.0))[1].overlaps(exact)
    monkeypatch.setattr(fixed_size, "panels_error", lambda *_: arb(0))
    assert not CUT.line(arb(2), arb(3), 2, Need(1.0, lambda y: 0.0, 3.0))[1].overlaps(exact)


def test_what_is_past_the_last_panel_is_needed(monkeypatch):
    need = Need(60.0, lambda y: 0.0, 3.0)
    exact, whole = FACTOR.line(arb(2), arb(3), 2, need)[1], FixedSizeFactor._panels
    monkeypatch.setattr(
        FixedSizeFactor, "_panels", lambda self, x, y, goal: (whole(CUT, x, y, goal)[0], fixed_size.cut_error(self, x, END))
    )
    assert FACTOR.line(arb(2), arb(3), 2, need)[1].overlaps(exact)
    monkeypatch.setattr(fixed_size, "cut_error", lambda *_: arb(0))
    assert not FACTOR.line(arb(2), arb(3), 2, need)[1].overlaps(exact)


def _by_definition(x, y, end):
    """∫ φ(u^{1+z} + u^{−z}) from s₁ to `end` and the mass at 0, in mpmath, q = 1/10, σ′ = 1."""
    import mpmath

    with mpmath.workdps(30):
        q, start, z = mpmath.mpf("0.1"), mpmath.mpf("0.5"), mpmath.mpc(x, y)

        def both(s, power):
            u = 1 + q * mpmath.expm1(s - start)
            return mpmath.npdf(s) * (u ** (1 + power) + u**-power)

        atom = 1 - mpmath.quad(lambda s: both(s, 0), [start, 2, 4, 8, 16, 30])
        value = atom + mpmath.quad(lambda s: both(s, z), [start, 1, 2, 3, 4, end])
        with precision(150):
            return acb(arb(mpmath.nstr(value.real, 25)), arb(mpmath.nstr(value.imag, 25))) + acb(arb(0, "1e-20"), arb(0, "1e-20"))


def test_moments_of_the_cut_law():
    found = CUT.line(arb(2), arb(3), 2, Need(60.0, lambda y: 0.0, 3.0))[1]
    assert found.overlaps(_by_definition(2, 3, 5))
    assert CUT.moment(arb(-3)).overlaps(CUT.moment(arb(2)))


@pytest.mark.parametrize("y", [0.5, 20.0, 300.0])
def test_decay_bound_of_the_cut_law_holds(y):
    # at x = 8 the end S has the largest value of all
    bound = CUT.decay(arb(8), arb(y), (0.0, 0.0))
    for further in (1.0, 1.1, 2.0):
        assert abs(CUT.line(arb(8), arb(y * further), 2, Need(40.0, lambda height: 0.0, y * further))[1]).lower() <= bound


def test_the_mass_cut_off_is_needed():
    whole = accounting.delta(without(2, 10, 1, 60), 1, digits=5).enclosure
    rough = FixedSizeFactor(Fraction(1, 10), Fraction(2), 60, cut=3.0)
    chosen = plan([rough], 1.0, 12.0)
    cut = Enclosure.of_ball(evaluate([rough], arb(1), chosen))
    assert cut.upper < whole.lower
    assert Enclosure.of_ball(cut.ball() + lost_mass([rough])).upper >= whole.upper
    assert FACTOR.cut_mass() == 0


def test_the_mass_cut_off_against_the_definition():
    # P(s > S) + Q(s > S) with u = 1 + q(e^{s − s₁} − 1), by a sum over cells
    step, total = arb(1) / 1024, arb(0)
    for i in range(12 * 1024):
        s = END + step * (i + arb(1) / 2)
        total += step * (-(s**2) / 2).exp() / (2 * arb.pi()).sqrt() * (2 + (s - arb(1) / 2).expm1() / 10)
    assert abs(CUT.cut_mass() / total - 1) < 1e-5


def test_a_tiny_rate_with_much_noise_and_a_small_delta():
    # its moments are ruled by what never happens in 100 steps
    found = accounting.delta(without(5, 1000, 5, 100), "0.29308990113100411").enclosure
    assert found.overlaps(Enclosure.between(arb("0.99999999999999e-25"), arb("1.00000000000001e-25")))


@pytest.mark.parametrize("y", [0.5, 5.0, 60.0])
@pytest.mark.parametrize("x", [0.2, 2.0])
def test_decay_bound_holds(x, y):
    bound = FACTOR.decay(arb(x), arb(y), (0.0, 0.0))
    for further in (1.0, 1.1, 2.0, 7.0):
        need = Need(40.0, lambda height: 0.0, y * further)
        assert abs(FACTOR.line(arb(x), arb(y * further), 2, need)[1]).lower() <= bound


def test_both_parts_of_the_decay_bound_are_needed():
    # at a small height the density counts, at a large one the atom is all that is left
    factor, x = FixedSizeFactor(Fraction(1, 2), Fraction(1)), arb("0.1")
    low, high = (abs(factor.line(x, arb(y), 2, Need(30.0, lambda height: 0.0, y))[1]) for y in (0.5, 60.0))
    assert factor.atom() < low <= factor.decay(x, arb(0.5), (0.0, 0.0))
    assert factor._variation(x) / 60 < high <= factor.decay(x, arb(60), (0.0, 0.0))


def test_only_where_a_bound_is_wanted():
    with pytest.raises(InputError):
        dominating_pairs(without(2, 10, 1))
    (product,) = dominating_pairs(without(2, 10, 1), guarantee=Guarantee.MECHANISM, upper_bounds=True)
    assert product.factors[0].pair.q == Fraction(1, 10)
    assert not accounting.delta(without(2, 10, 10, 3), 1).notes  # the whole data set: plain Gaussian noise


@pytest.mark.parametrize(("steps", "forced"), [(50, "0.0024943"), (200, "0.028033")])
def test_what_data_sets_force_is_said_beside_the_bound(steps, forced):
    """n = 50, m = 1, σ = 1.5, ε = 1: the bound is 1.3 to 2 times what x = 1 against −1 among records −1 forces."""
    found = accounting.delta(Repeated(Sampled(Gaussian("1.5"), FixedSizeSampling(50, 1)), steps), 1, digits=8)
    said = Fraction(found.notes[1].rsplit(" ", 1)[1])
    assert abs(said - Fraction(forced)) < Fraction(1, 10**6)
    assert said < Fraction(found.lower)


def test_what_is_forced_in_one_step_is_the_bound():
    """In one step the bound is attained, in the direction remove."""
    product = dominating_pairs(Sampled(Gaussian("1.5"), FixedSizeSampling(50, 1)), upper_bounds=True)[0]
    forced = forced_value(product, lambda each: delta_of_product(each, Fraction(1), 12)[0])
    assert forced.overlaps(delta_of_product(product, Fraction(1), 12)[0])


def test_nothing_is_said_to_be_forced_beside_other_noise():
    mechanism = Composed((Sampled(Gaussian(2), FixedSizeSampling(20, 1)), Gaussian(4)))
    assert forced_value(dominating_pairs(mechanism, upper_bounds=True)[0], lambda each: delta_of_product(each, Fraction(1), 5)[0]) is None
