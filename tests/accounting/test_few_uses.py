"""Few uses of many atoms, by halves and by rare atoms, and both sides by a little noise: against sums over all outcomes."""

import itertools
from fractions import Fraction

import mpmath
import pytest
from flint import arb
from mpmath import mpf

from dpbounds.accounting import delta, smoothed
from dpbounds.accounting.conditioning import reach_of
from dpbounds.accounting.few_uses import halves, rare_atoms
from dpbounds.accounting.few_uses.counts import OF_TWO
from dpbounds.accounting.few_uses.halves import delta_by_halves
from dpbounds.accounting.few_uses.rare_atoms import delta_by_rare_atoms
from dpbounds.accounting.lattice_line import lattice_delta
from dpbounds.accounting.smoothed import lower_side, smoothed_delta
from dpbounds.laws.convolve import Outcomes, lattice_power, positive_sum
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms import Composed, Direction, FiniteTable, Gaussian, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.noise.discrete_gaussian import DiscreteGaussian
from dpbounds.noise.discrete_laplace import DiscreteLaplace
from dpbounds.numbers.balls import Enclosure, precision
from tests.truths import gaussian_delta


def elements(mechanism, direction="remove"):
    return elements_of(dominating_pairs(mechanism, direction=direction)[0])


def masses(weight, shift, rate, reach):
    """Probabilities under P and Q of noise with these weights, straight from the definition."""
    total = mpmath.fsum(weight(x) for x in range(-reach, reach + 1))
    rows = [(weight(x - shift) / total, weight(x) / total) for x in range(-reach, reach + shift + 1)]
    return [(rate * p + (1 - rate) * q, q) for p, q in rows]


def brute_delta(laws, at, swap=False):
    """Σ (p − e^ε·q)₊ over every outcome."""
    states = [(mpf(1), mpf(1))]
    for rows in laws:
        states = [(p * a, q * b) for p, q in states for a, b in ([(b, a) for a, b in rows] if swap else rows)]
    return mpmath.fsum(max(p - mpmath.exp(at) * q, mpf(0)) for p, q in states)


def contains(found: Enclosure, truth):
    return mpf(found.lower_decimal(25)) <= truth <= mpf(found.upper_decimal(25))


GAUSSIAN = masses(lambda x: mpmath.exp(-mpf(x * x) / 2 / mpf("0.49")), 1, mpf("0.3"), 6)
LAPLACE = [(mpf("0.2") * p + mpf("0.8") * q, q) for p, q in masses(lambda x: mpmath.exp(-abs(mpf(x)) / 2), 2, mpf(1), 160)]
THREE = Repeated(Sampled(DiscreteGaussian("0.7"), PoissonSampling("0.3")), 3)


@pytest.mark.parametrize("method", [delta_by_halves, delta_by_rare_atoms])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("at", ["0.5", "0.9"])
def test_three_uses(method, direction, at):
    with mpmath.workdps(30):
        truth = brute_delta([GAUSSIAN] * 3, mpf(at), direction == "add")
        found = method(elements(THREE, direction), Fraction(at), 10)
        assert found.meets(10)
        assert abs(mpf(found.lower_decimal(25)) / truth - 1) < mpf("1e-9")  # what the sum above cuts off is smaller
        assert abs(mpf(found.upper_decimal(25)) / truth - 1) < mpf("1e-9")


@pytest.mark.parametrize("method", [delta_by_halves, delta_by_rare_atoms])
def test_unlike_laws(method):
    mechanism = Composed((Repeated(Sampled(DiscreteGaussian("0.7"), PoissonSampling("0.3")), 2), RandomizedResponse("0.9")))
    answer = mpmath.exp("0.9") / (1 + mpmath.exp("0.9"))
    truth = brute_delta([GAUSSIAN, GAUSSIAN, [(answer, 1 - answer), (1 - answer, answer)]], mpf("0.8"))
    found = method(elements(mechanism), Fraction("0.8"), 9)
    assert found.meets(9) and abs(found.upper_float / float(truth) - 1) < 1e-9


@pytest.mark.parametrize("method", [delta_by_halves, delta_by_rare_atoms])
def test_what_is_left_out_is_in_the_ball(monkeypatch, method):
    """Outcomes of a few hundredths of the whole are left out: without κ(c)·e^{−cε}·w the upper end is too low."""
    monkeypatch.setattr(halves, "_BELOW", -18.0)
    monkeypatch.setattr(halves, "_ROUNDS", 1)
    truth = delta(THREE, "0.5", digits=12, direction="remove").enclosure
    found = method(elements(THREE), Fraction("0.5"), 10)
    assert not found.meets(5) and found.lower <= truth.lower and truth.upper <= found.upper
    monkeypatch.setattr(halves, "sharp_constant", lambda c: c * 0 + 1e-30)
    assert method(elements(THREE), Fraction("0.5"), 10).upper < truth.lower


def test_rare_atoms_decide():
    """Four uses at a tiny rate have 10⁶ outcomes; few branches do. Two uses against the sum over all."""
    mechanism = Sampled(DiscreteGaussian(2), PoissonSampling("1e-7"))
    with mpmath.workdps(60):
        rows = masses(lambda x: mpmath.exp(-mpf(x * x) / 8), 1, mpf("1e-7"), 60)
        truth = brute_delta([rows] * 2, mpf("1e-6"))
        found = delta_by_rare_atoms(elements(Repeated(mechanism, 2)), Fraction("1e-6"), 10)
        assert found.meets(10) and abs(mpf(found.upper_decimal(20)) / truth - 1) < mpf("1e-9")
    many = delta(Repeated(mechanism, 4), "1e-6", digits=8, direction="remove")
    assert many.method == rare_atoms.METHOD
    other = delta_by_halves(elements(Repeated(mechanism, 4)), Fraction("1e-6"), 8)
    assert other.meets(8) and other.overlaps(many.enclosure)


def test_no_loss_is_above_that_of_no_record():
    """Sampled and swapped, −log(1−q+q·p/q) < −log(1−q) for every outcome, though the list of them has no end."""
    mechanism = Repeated(Sampled(DiscreteGaussian(3), PoissonSampling("0.01")), 3)
    assert delta(mechanism, "0.0301511", direction="add").enclosure.upper == 0
    assert delta(mechanism, "0.03", digits=4, direction="add").enclosure.lower > 0


@pytest.mark.parametrize("row", [[1, 2], [3, 1, 2], [1, 0, 2], [1, 0, 0, 5], [2, 3, 1, 4], [0, 1, 2]])
def test_powers_on_a_lattice(row):
    with precision(100):
        found = lattice_power([arb(m) for m in row], 7)
    truth = [1]
    for _ in range(7):
        truth = [sum(truth[i - j] * row[j] for j in range(len(row)) if 0 <= i - j < len(truth)) for i in range(len(truth) + len(row) - 1)]
    assert [int(value.unique_fmpz()) for value in found.coeffs()] == truth


def test_two_outcomes_without_exact_losses():
    """Sampled randomized response many times, by tails, and by a lattice whose unit is a ball."""
    mechanism = Repeated(Sampled(DiscreteLaplace(5), PoissonSampling("0.01")), 20_000_000)
    found = delta(mechanism, "35.5", digits=8, direction="remove")
    assert found.method == OF_TWO
    assert lattice_delta(elements(mechanism), Fraction("35.5"), 8)[0].overlaps(found.enclosure)
    with mpmath.workdps(30):
        up = 1 / (1 + mpmath.exp("-0.2"))
        p, q = mpf("0.01") * up + mpf("0.99") * (1 - up), 1 - up
        k, mean, spread = 20_000_000, 20_000_000 * p, mpmath.sqrt(20_000_000 * p * (1 - p))
        gain, loss = mpmath.log(p / q), mpmath.log((1 - p) / (1 - q))
        first = int(mpmath.ceil((mpf("35.5") - k * loss) / (gain - loss)))
        top = max(first, int(mean - 9 * spread))
        limit = mpmath.quad(
            lambda n: mpmath.npdf(n, mean, spread) * (1 - mpmath.exp(mpf("35.5") - n * gain - (k - n) * loss)),
            [top, mean, mean + 9 * spread],
        )
    assert abs(found.enclosure.upper_float / float(limit) - 1) < 1e-3  # the normal limit


@pytest.mark.parametrize("at", ["0.5", "0.9", "2"])
def test_both_sides(at):
    """Losses that lie on a lattice, where M does not fall at all; 0.9 is one of them."""
    mechanism = Repeated(RandomizedResponse("0.3"), 7)
    truth = delta(mechanism, at, digits=12).enclosure
    found = smoothed_delta(elements(mechanism), Fraction(at), 3)
    assert found.meets(3) and found.lower <= truth.lower and truth.upper <= found.upper


def test_the_ratio_of_two_widths():
    """g_{2s} ≥ C·g_s for every t; at t = 0 it is below 2·g_s, so that the factor of C is needed."""

    def g(t, s):
        return gaussian_delta(s, t) - max(1 - mpmath.exp(t), mpf(0))

    with mpmath.workdps(40):
        for s in (mpf("0.02"), mpf("0.2"), mpf("0.5")):
            grown = 2 * mpmath.exp(-3 * s**2 / 8)
            assert all(g(2 * s, s_) >= 0 for s_ in (s,))
            assert all(g(t * s, 2 * s) >= grown * g(t * s, s) for t in [mpf(k) / 4 for k in range(-24, 25)])
            near, far = g(mpf(0), s), g(mpf(0), 2 * s)
            assert far < 2 * near and near - (far - near) / (2 - 1) > 0  # δ = 0 there
            with precision(100):
                assert not lower_side(arb(str(near)), arb(str(far)), arb(str(s))) > 0


def test_a_little_noise_is_an_upper_bound():
    """A_s alone: the lower end must be below it by what the second contour says."""
    mechanism = Repeated(Gaussian(2), 3)
    truth = delta(mechanism, 1, digits=12, direction="remove").enclosure
    found = smoothed_delta(elements(mechanism), Fraction(1), 4)
    assert found.meets(4) and found.lower <= truth.lower and truth.upper < found.upper
    assert smoothed.METHOD


@pytest.mark.parametrize("method", [delta_by_halves, delta_by_rare_atoms])
@pytest.mark.parametrize("first", [0, 1])
def test_losses_that_floats_take_for_equal(method, first):
    """ε is between two sums of losses that differ by 10⁻¹⁷: one of them is below it, whichever comes first in the table."""
    near = [Fraction(45, 100), Fraction(441, 1000) * (1 + Fraction(1, 10**17))]
    p, q = [1 - sum(near), *near], [Fraction(1, 100), Fraction(1, 2), Fraction(49, 100)]
    if first:
        p[1:], q[1:] = p[:0:-1], q[:0:-1]
    with mpmath.workdps(60):
        rows = [(mpf(a.numerator) / a.denominator, mpf(b.numerator) / b.denominator) for a, b in zip(p, q, strict=True)]
        losses = [mpmath.log(a / b) for a, b in rows]
        at = Fraction(int((losses[0] + (losses[1] + losses[2]) / 2) * 10**50), 10**50)
        truth = brute_delta([rows, rows], mpf(at.numerator) / at.denominator)
        found = method(elements(Repeated(FiniteTable(p, q), 2)), at, 20)
        assert found.meets(20)
        assert mpf(found.lower_decimal(50)) <= truth <= mpf(found.upper_decimal(50))


def test_a_sum_over_no_outcomes_is_nothing():
    own, rest = Outcomes([], [], []), Outcomes([arb(0)], [arb(1)], [arb(1)])
    assert positive_sum([own], rest, arb(1)) == 0


def test_beyond_the_reach_there_is_the_mass_of_infinite_loss_and_a_tail():
    with mpmath.workdps(30):
        rows, table = [(mpf("0.5"), mpf("0.2")), (mpf("0.4"), mpf("0.8"))], FiniteTable(["0.1", "0.5", "0.4"], [0, "0.2", "0.8"])
        with precision(100):
            reach = reach_of(elements(Repeated(table, 3)), -3.0)
        truth = 1 - mpf("0.9") ** 3 + brute_delta([rows] * 3, mpf(reach.distance))
        assert truth > 1 - mpf("0.9") ** 3
        assert truth <= mpf(float(reach.beyond.upper()))


def test_rare_atoms_far_below_the_estimate_have_their_digits():
    """δ is 10⁻¹¹ of what the saddle point says, so that more bits are needed; against all pairs of outcomes."""
    law = Sampled(DiscreteGaussian("1.06"), PoissonSampling("1.11e-5"))
    (one,) = dominating_pairs(law, direction=Direction.REMOVE)
    with precision(400):
        (own,) = elements_of(one).finite_laws()
        factor = arb("0.168").exp()
        pairs = itertools.product(zip(own.p, own.q, strict=True), repeat=2)
        truth = sum(((p * r - factor * q * s).nonnegative_part() for (p, q), (r, s) in pairs), arb(0))
    (two,) = dominating_pairs(Repeated(law, 2), direction=Direction.REMOVE)
    found = delta_by_rare_atoms(elements_of(two), Fraction("0.168"), 8)
    assert found is not None and found.meets(8)
    with precision(400):
        assert abs(found.ball() / truth - 1) < 1e-8
    many = delta(Repeated(law, 10), "0.168", digits=4, direction="remove").enclosure
    assert many.meets(4) and 4.9 * found.high < many.low < 50 * found.high
