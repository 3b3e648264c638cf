"""The power series at the largest loss against closed forms, binomial sums and mpmath; every error term is needed."""

from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb, arb_poly

from dpbounds.accounting import delta, epsilon
from dpbounds.accounting.bounds import near_top
from dpbounds.laws import top_end
from dpbounds.laws.convolve import convolved_delta, groups_of
from dpbounds.laws.laplace import laplace_delta
from dpbounds.laws.normal_form import elements_of
from dpbounds.laws.paths.endpoint_expansion import laplace_part
from dpbounds.laws.sampled_laplace import sampled_laplace_delta
from dpbounds.mechanisms import Composed, Laplace, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.noise.epsilon_delta import EpsilonDelta
from dpbounds.numbers.balls import Enclosure, precision

NOISE = Sampled(Laplace("1/2"), PoissonSampling("1/10"))


def elements(mechanism, direction="remove"):
    return elements_of(dominating_pairs(mechanism, direction=direction)[0])


def top_of(parts):
    return sum((steps * law.top().loss for law, steps in parts.uses.items()), arb(0))


@pytest.fixture(autouse=True)
def _bits():
    with precision(150):
        yield


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_one_use_is_the_closed_form(direction):
    parts = elements(NOISE, direction)
    level = top_of(parts) - arb("0.002")
    found = near_top.near_top_value(parts, level, 70.0)
    assert found.rad() < 1e-25 and found.overlaps(sampled_laplace_delta(arb(2), arb(1) / 10, level, direction == "add"))


def test_laplace_noise_alone_has_its_finite_sum():
    parts = elements(Composed((Repeated(Laplace(1), 3), Repeated(Laplace(2), 2))))
    level = arb(4) - arb("0.25")
    found = near_top.near_top_value(parts, level, 70.0)
    assert found.rad() < 1e-25 and found.overlaps(laplace_delta([(arb(1), 3), (arb(1) / 2, 2)], level))


def test_atoms_alone_have_one_term():
    parts = elements(Repeated(RandomizedResponse("1/2"), 4))
    found = near_top.near_top_value(parts, arb("1.25"), 70.0)
    assert found.rad() < 1e-25 and found.overlaps(convolved_delta(groups_of(parts.listed()), arb("1.25")))
    assert near_top.near_top_value(parts, arb("0.75"), 70.0) is None  # the next outcome is nearer


def test_two_uses_against_the_definition():
    tau = mpmath.mpf("0.01")
    with mpmath.workdps(18):
        rate = mpmath.mpf(1) / 10
        top = mpmath.log(1 - rate + rate * mpmath.exp(2))
        atom = mpmath.exp(-2) / 2 * mpmath.exp(top)

        def density(x):
            ratio = mpmath.exp(top - x)
            base = mpmath.log((ratio - 1 + rate) / rate)
            return mpmath.exp(-(base + 2) / 2) / 4 * ratio / (ratio - 1 + rate) * ratio

        def kernel(x):
            return -mpmath.expm1(-(tau - x))

        truth = atom**2 * kernel(0) + 2 * atom * mpmath.quad(lambda x: density(x) * kernel(x), [0, tau])
        inner = lambda x: mpmath.quad(lambda y: density(y) * kernel(x + y), [0, tau - x], maxdegree=4)  # noqa: E731
        truth += mpmath.quad(lambda x: density(x) * inner(x), [0, tau], maxdegree=4)
    parts = elements(Repeated(NOISE, 2))
    found = near_top.near_top_value(parts, top_of(parts) - arb("0.01"), 50.0)
    assert found.rad() < 1e-18 and abs(found - arb(str(truth))) < 1e-15


@pytest.mark.parametrize("rate", ["1/100", "1/2", "99/100", None])
@pytest.mark.parametrize("reversed", [False, True])
def test_the_density_is_bounded_on_the_circle(rate, reversed):
    """The density comes from the formula of the descent rays, an offset from the end of the base loss."""
    q = None if rate is None else arb(Fraction(rate).numerator) / Fraction(rate).denominator
    top, part = top_end.laplace_top(arb(2), q, reversed), laplace_part(arb(2), q, reversed, 1)
    density = part.ends[0 if reversed else 1].rays[0][1].density
    size = top.largest(top.radius)
    for angle in range(24):
        assert abs(density.value(acb(0, arb.pi() * angle / 12).exp() * top.radius)) <= size * (1 + arb("1e-30"))


def test_the_remainder_is_a_geometric_series():
    assert top_end.remainder(arb(3), arb("0.25"), 5).upper() >= 3 * sum(arb("0.25") ** n for n in range(5, 40))


def test_the_remainder_of_the_density_is_needed(monkeypatch):
    parts = elements(NOISE)
    level = top_of(parts) - arb("0.1")
    truth = sampled_laplace_delta(arb(2), arb(1) / 10, level, False)
    monkeypatch.setattr(near_top, "kernel", lambda tau, _, whole=near_top.kernel: whole(tau, 60.0))
    assert near_top.near_top_value(parts, level, 3.0).contains(truth)
    monkeypatch.setattr(top_end, "remainder", lambda *_: arb(0))
    assert not near_top.near_top_value(parts, level, 3.0).overlaps(truth)


def test_the_remainder_of_the_kernel_is_needed(monkeypatch):
    parts = elements(Repeated(Laplace(1), 3))
    level, whole = arb("2.6"), near_top.kernel
    truth = laplace_delta([(arb(1), 3)], level)
    monkeypatch.setattr(top_end.TopEnd, "coefficients", lambda self, d, _, own=top_end.TopEnd.coefficients: own(self, d, 60.0))
    monkeypatch.setattr(near_top, "kernel", lambda tau, _: whole(tau, 0.0))
    assert near_top.near_top_value(parts, level, 1.0).contains(truth)
    monkeypatch.setattr(near_top, "kernel", lambda tau, _: arb_poly(whole(tau, 0.0).coeffs()[:-1]))
    assert not near_top.near_top_value(parts, level, 1.0).overlaps(truth)


def test_the_mass_elsewhere_keeps_its_distance():
    """Beyond the width of the loss, and where the series of the density does not converge, there is no answer."""
    parts = elements(NOISE)
    assert near_top.near_top_value(parts, top_of(parts) - arb("0.2"), 30.0) is None
    assert near_top.near_top_value(elements(Laplace(4)), arb(1) / 4 - arb("0.6"), 30.0) is None
    assert near_top.near_top_value(parts, top_of(parts) + arb("0.2"), 30.0) is None


def test_infinite_losses_are_added():
    """Noise beside two uses of an (ε₀, δ₀)-private mechanism, near the largest finite loss: only the outcome ε₀ twice counts."""
    parts = elements(Composed((NOISE, Repeated(EpsilonDelta("1/2", "1/1000"), 2))))
    level = Fraction(float((top_of(parts) - arb("0.01")).mid()))
    found = near_top.near_top_delta(parts, level, 12)
    with precision(200):
        kept, ball = (1 - arb("0.001")) ** 2, arb(level.numerator) / level.denominator
        likely = 1 / (1 + (-arb(1) / 2).exp())
        noise = sampled_laplace_delta(arb(2), arb(1) / 10, ball - 1, False)
        assert found.meets(12) and found.overlaps(Enclosure.of_ball(1 - kept + kept * likely**2 * noise))


def test_a_density_that_may_be_negative_has_no_answer(monkeypatch):
    """Both ends of the remainder enclose δ only for densities ≥ 0."""
    parts = elements(NOISE)
    monkeypatch.setattr(top_end, "remainder", lambda *_: arb(0, 1))
    assert near_top.near_top_value(parts, top_of(parts) - arb("0.01"), 30.0) is None


def test_epsilon_close_to_the_largest_loss():
    found = epsilon(Repeated(NOISE, 3), "1e-12", digits=15, direction="remove").enclosure
    assert found.meets(15)
    with precision(200):
        ends = [delta(Repeated(NOISE, 3), end, digits=5, direction="remove") for end in (found.lower, found.upper)]
    assert ends[0].method == near_top.METHOD and ends[0].enclosure.upper >= Fraction(1, 10**12) >= ends[1].enclosure.lower
    assert isinstance(ends[0].enclosure, Enclosure)
