"""Random allocation: moments on a ray, their error terms one by one, both directions, against methods that share no code."""

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import acb, arb
from scipy import integrate, special, stats

from dpbounds import DiscreteGaussian, DiscreteLaplace, EpsilonDelta
from dpbounds.accounting import bromwich as integral
from dpbounds.accounting import delta
from dpbounds.accounting import epsilon as epsilon_of
from dpbounds.accounting.allocation.allocation_delta import Route, refined, routes_of
from dpbounds.accounting.allocation.allocation_planning import plan_product
from dpbounds.errors import InputError
from dpbounds.laws.allocation import lognormal, mean_of_lognormals
from dpbounds.laws.allocation.lognormal import InnerRule, approx_inner_rule, transform_on_ray
from dpbounds.laws.allocation.mean_of_lognormals import MeanOfLognormals, last_of_power
from dpbounds.laws.allocation.random_allocation import AllocationFactor
from dpbounds.laws.contour_factor import Need
from dpbounds.laws.normal_form import elements_of
from dpbounds.laws.paths.ray_planning import best_ray
from dpbounds.mechanisms import Composed, Direction, Gaussian, Laplace, PoissonSampling, RandomAllocation, Repeated, Sampled
from dpbounds.mechanisms.pairs import AllocationPair, Factor, dominating_pairs
from dpbounds.numbers.balls import ball, precision

ZERO = "the bound without this term"


def epoch(sigma: str, bins: int, epochs: int = 1) -> Repeated:
    return Repeated(Sampled(Gaussian(sigma), RandomAllocation(bins)), epochs)


# ---- the transform of one lognormal variable


def true_transform(sigma: float, s: complex) -> mpmath.mpc:
    """E e^{−sY} by Gauss–Legendre panels of mpmath, on the real line."""
    with mpmath.workdps(40):
        s, width = mpmath.mpc(s), mpmath.mpf(sigma)

        def density(u: mpmath.mpf) -> mpmath.mpc:
            return mpmath.npdf(u) * mpmath.exp(-s * mpmath.exp(u / width - 1 / (2 * width**2)))

        return mpmath.quad(density, [mpmath.mpf(n) for n in range(-13, 14)])


def holds(found: acb, value: mpmath.mpc, slack: str = "1e-30") -> bool:
    """Whether the ball, widened by the error of the other method, holds its value."""
    with precision(200):
        other = acb(arb(mpmath.nstr(value.real, 38)), arb(mpmath.nstr(value.imag, 38)))
        return bool((found - other).real.overlaps(arb(0, slack)) and (found - other).imag.overlaps(arb(0, slack)))


RAYS = [(0.5, 0.9), (1.0, 0.0), (1.0, 1.2), (3.0, 1.5)]


@pytest.mark.parametrize(
    ("sigma", "theta"), [RAYS[2], *(pytest.param(*ray, marks=pytest.mark.slow) for ray in (RAYS[0], RAYS[1], RAYS[3]))]
)
def test_the_transform_holds_the_truth_to_many_digits(sigma, theta):
    with precision(200):
        h = arb(0.25)
        rule = approx_inner_rule(sigma, theta, 0.25, 8, 60.0)[1]
        found = transform_on_ray(arb(sigma), arb(theta), arb(-1), h, 8, rule)
    for j, value in enumerate(found):
        s = complex(math.exp(-1 + 0.25 * j)) * complex(math.cos(theta), math.sin(theta))
        with mpmath.workdps(40):
            s = mpmath.exp(mpmath.mpc(-1 + mpmath.mpf(j) / 4, theta))
        assert holds(value, true_transform(sigma, s))
        assert float(value.real.rad()) <= 1e-24


INNER = {
    "step_error": lambda rule: replace(rule, fine=8 * rule.fine, last=max(1, rule.last // 8)),
    "ends_error": lambda rule: replace(rule, last=rule.last // 4),
    "underflow_error": lambda rule: replace(rule, cut=4.0),
}


@pytest.mark.parametrize("term", INNER)
def test_each_error_term_of_the_transform_is_needed(term, monkeypatch):
    sigma, theta = 1.0, 0.7
    with mpmath.workdps(40):
        truth = true_transform(sigma, mpmath.exp(mpmath.mpc(1.5, theta)))

    def found() -> acb:
        with precision(200):
            rule = INNER[term](approx_inner_rule(sigma, theta, 0.125, 1, 60.0)[1])
            if term == "underflow_error":
                with precision(260):  # the working precision of a rule comes from its cut-off
                    return transform_on_ray(arb(sigma), arb(theta), arb(1.5), arb(0.125), 1, rule)[0]
            return transform_on_ray(arb(sigma), arb(theta), arb(1.5), arb(0.125), 1, rule)[0]

    assert holds(found(), truth)
    monkeypatch.setattr(lognormal, term, lambda *_: arb(0))
    assert not holds(found(), truth)


@pytest.mark.parametrize("change", [{"eta": 5.0}, {"up": 3.0}, {"down": 9.0}, {"up": -1.0}, {"eta": -0.5}])
def test_a_shift_that_leaves_the_half_plane_bounds_nothing(change):
    rule = replace(InnerRule(0.5, 1, 1, 40, 0.5, 0.5, 60.0), **change)
    assert not transform_on_ray(arb(1), arb(0.7), arb(0), arb(0.25), 1, rule)[0].is_finite()


@pytest.mark.parametrize(
    ("fine", "coarse"),
    [
        pytest.param(1, 1, marks=pytest.mark.slow),
        (3, 1),
        (1, 3),
        pytest.param(7, 1, marks=pytest.mark.slow),
        pytest.param(1, 4, marks=pytest.mark.slow),
    ],
)
def test_all_ratios_of_the_two_steps_agree(fine, coarse):
    step = 0.15 * coarse / fine
    rule = InnerRule(0.3, fine, coarse, 90, 0.6, 1.5, 60.0)
    with precision(200):
        found = transform_on_ray(arb(1), arb(0.7), arb(0), arb(step), 9, rule)
        for j, value in enumerate(found):
            with mpmath.workdps(40):
                assert holds(value, true_transform(1.0, mpmath.exp(mpmath.mpc(j * mpmath.mpf(step), 0.7))))


# ---- the moments of S


def exact_moment(sigma: Fraction, w: acb) -> acb:
    """t = 1: E S^{−w} = e^{w(w+1)/(2σ²)}."""
    return (w * (w + 1) / (2 * ball(sigma) ** 2)).exp()


def needed(tolerance: float, top: float) -> Need:
    return Need(tolerance, lambda y: 0.0, top)


@pytest.mark.parametrize("sigma", ["0.3", "1", "4"])
def test_one_bin_is_the_gaussian_at_complex_orders(sigma):
    factor = AllocationFactor(1, Fraction(sigma))
    with precision(300):
        line = factor.line(arb(2), arb(0.5), 9, needed(60.0, 4.0))
        for k, value in enumerate(line):
            truth = exact_moment(Fraction(sigma), acb(2, arb(0.5) * k))
            assert value.overlaps(truth)
            assert abs(value - truth) <= exact_moment(Fraction(sigma), acb(2)).real * arb(10) ** -25


def gaussian_moment(sigma: Fraction, weight: int, w: acb) -> acb:
    """t = 1: E S^p = e^{p(p−1)/(2σ²)}, p = n − w."""
    p = weight - w
    return (p * (p - 1) / (2 * ball(sigma) ** 2)).exp()


@pytest.mark.parametrize("sigma", ["0.3", "1", "4"])
@pytest.mark.parametrize("weight", [1, 2, 5])
def test_one_bin_is_the_gaussian_with_any_weight(sigma, weight):
    mean = MeanOfLognormals(1, Fraction(sigma), weight)
    with precision(300):
        size = gaussian_moment(Fraction(sigma), weight, acb(0.75)).real
        for k, value in enumerate(mean.line(arb(0.75), arb(0.5), 9, 60.0, size)):
            truth = gaussian_moment(Fraction(sigma), weight, acb(0.75, arb(0.5) * k))
            assert value.overlaps(truth) and abs(value - truth) <= size * arb(10) ** -25


@pytest.mark.parametrize("bins", [2, 7, 100])
def test_all_weights_give_the_same_moments(bins):
    """E S^{−3/4−ij/2} with weights 0 to 4: nothing that the sums of two weights share depends on the weight."""
    with precision(250):
        lines = []
        for weight in range(5):
            mean, x = MeanOfLognormals(bins, Fraction(1), weight), weight + arb(0.75)
            lines.append(mean.line(x, arb(0.5), 6, 60.0, mean.moment(x, 30.0)))
        for values in zip(*lines, strict=True):
            assert all(value.overlaps(values[0]) and abs(value - values[0]) <= arb(10) ** -15 for value in values)


RAY_TERMS = {
    "step_error": lambda ray: replace(ray, step=9 * ray.step, first=ray.first // 9, last=ray.last // 9 + 1),
    "left_end": lambda ray: replace(ray, first=ray.first // 8),
    "right_end": lambda ray: replace(ray, last=ray.last // 2),
}


@pytest.mark.parametrize("weight", [0, 3])
def test_what_is_too_long_for_a_transform_is_added_as_it_stands(weight, monkeypatch):
    mean, c, h, count = MeanOfLognormals(1, Fraction(1), weight), arb(3), arb(0.5), 9
    with precision(300):
        ray = best_ray(mean.model, 3.0, 4.0, 60.0)[1]
        truths = [gaussian_moment(Fraction(1), weight, acb(c, h * k)) for k in range(count)]
        monkeypatch.setattr(mean_of_lognormals, "_LONGEST_TRANSFORM", 0)
        found = mean.line_on(ray, c, h, count, truths[0].real)
        assert all(v.overlaps(t) and v.rad() < 1e-20 for v, t in zip(found, truths, strict=True))


@pytest.mark.parametrize("weight", [0, 3])
@pytest.mark.parametrize("term", RAY_TERMS)
def test_each_error_term_of_the_mellin_sum_is_needed(term, weight, monkeypatch):
    sigma = Fraction(1)
    mean = MeanOfLognormals(1, sigma, weight)
    c, h, count = arb(3), arb(0.5), 9
    with precision(300):
        ray = RAY_TERMS[term](best_ray(mean.model, 3.0, 4.0, 60.0)[1])
        truths = [gaussian_moment(sigma, weight, acb(c, h * k)) for k in range(count)]
        size = truths[0].real
        assert all(v.overlaps(t) for v, t in zip(mean.line_on(ray, c, h, count, size), truths, strict=True))
        monkeypatch.setattr(mean_of_lognormals if term == "step_error" else MeanOfLognormals, term, lambda *_: arb(0))
        assert not all(v.overlaps(t) for v, t in zip(mean.line_on(ray, c, h, count, size), truths, strict=True))


@pytest.mark.parametrize("term", RAY_TERMS)
def test_each_error_term_of_a_real_moment_is_needed(term, monkeypatch):
    """E S^{5/2} with weight 4."""
    mean, p = MeanOfLognormals(1, Fraction(1), 4), arb("2.5")
    with precision(200):
        truth = (p * (p - 1) / 2).exp()
        good = best_ray(mean.model, 1.5, 0.0, 60.0)[1]
        ray = RAY_TERMS[term](good)
        assert mean.moment_on(good, 4 - p).overlaps(truth) and mean.moment_on(ray, 4 - p).overlaps(truth)
        monkeypatch.setattr(mean_of_lognormals if term == "step_error" else MeanOfLognormals, term, lambda *_: arb(0))
        assert not mean.moment_on(ray, 4 - p).overlaps(truth)


def test_the_last_coefficient_of_a_power():
    """By squaring, by the logarithm, and around 0, against the multinomial sum for three coefficients."""
    a, b, c = acb(0.5, 0.25), acb(1, -2), acb(0.125, 3)
    with precision(200):
        for t in (1, 2, 63, 64, 500):
            truth = c * a ** (t - 1) * t + (b * b * a ** (t - 2) * (t * (t - 1)) / 2 if t > 1 else 0)
            assert last_of_power([a, b, c], t).overlaps(truth)
            assert abs(last_of_power([a, b, c], t) - truth) <= abs(truth) * arb(10) ** -40
            wide = acb(arb(0.5, 0.75), arb(0.25, 0.5))  # holds a, and 0
            assert last_of_power([wide, b, c], t).contains(truth) if t < 64 else last_of_power([wide, b, c], t).overlaps(truth)


POOR = [
    {"theta": 0.05},
    {"theta": 1.5},
    {"step": 0.5},
    {"first": -3},
    {"last": 10},
    {"up": 0.01},
    {"down": 0.01},
    {"power": 3.1},
    {"power": 40.0},
    {"tolerance": 20.0},
]


@pytest.mark.parametrize("change", POOR)
@pytest.mark.parametrize("bins", [1, 3])
def test_a_poor_ray_widens_the_balls_and_never_falsifies_them(change, bins):
    factor = AllocationFactor(bins, Fraction(1))
    c, h, count = arb(3), arb(0.5), 9
    with precision(300):
        good = factor.line(c, h, count, needed(60.0, 4.0))
        ray = replace(best_ray(factor.mean(0).model, 3.0, 4.0, 60.0)[1], **change)
        poor = factor.mean(0).line_on(ray, c, h, count, factor.moment(c))
        for wide, narrow in zip(poor, good, strict=True):
            assert not wide.is_finite() or wide.overlaps(narrow)


@pytest.mark.parametrize("change", POOR)
@pytest.mark.parametrize("bins", [1, 3])
def test_a_poor_ray_widens_the_balls_of_the_direction_remove(change, bins):
    """E S^{5/4 + ij/2} with weight 4."""
    mean = MeanOfLognormals(bins, Fraction(1), 4)
    c, h, count = arb(2.75), arb(0.5), 9
    with precision(300):
        size = mean.moment(c, 30.0)
        good = mean.line(c, h, count, 60.0, size)
        poor = mean.line_on(replace(best_ray(mean.model, 2.75, 4.0, 60.0)[1], **change), c, h, count, size)
        for wide, narrow in zip(poor, good, strict=True):
            assert not wide.is_finite() or wide.overlaps(narrow)


def test_a_power_below_the_weight_bounds_nothing():
    mean = MeanOfLognormals(1, Fraction(1), 4)
    with precision(200):
        ray = replace(best_ray(mean.model, 1.5, 0.0, 60.0)[1], power=3.5)
        assert not mean.moment_on(ray, arb(1.5)).is_finite()


@pytest.mark.parametrize("change", [{"up": 1.6}, {"down": 4.0}, {"power": 3.0}, {"power": 2.0}])
def test_a_ray_outside_its_conditions_bounds_nothing(change):
    factor = AllocationFactor(1, Fraction(1))
    ray = replace(best_ray(factor.mean(0).model, 3.0, 4.0, 60.0)[1], **change)
    with precision(300):
        assert not any(value.is_finite() for value in factor.mean(0).line_on(ray, arb(3), arb(0.5), 9, factor.moment(arb(3))))


def grid_moment(sigma: float, w: complex) -> complex:
    """t = 2: E S^{−w} by the trapezoid rule in two dimensions, numpy."""
    u = np.arange(-1200, 1201) / 100.0
    weight = np.exp(-u * u / 2) / math.sqrt(2 * math.pi) / 100
    y = np.exp(u / sigma - 0.5 / sigma**2)
    s = (y[:, None] + y[None, :]) / 2
    return complex((weight[:, None] * weight[None, :] * s ** (-w)).sum())


@pytest.mark.parametrize("sigma", ["0.7", "2"])
def test_two_bins_by_quadrature_in_two_dimensions(sigma):
    factor = AllocationFactor(2, Fraction(sigma))
    with precision(200):
        line = factor.line(arb(1.5), arb(1), 4, needed(50.0, 3.0))
        for k, value in enumerate(line):
            other = grid_moment(float(sigma), complex(1.5, k))
            difference = complex(value) - other
            assert abs(difference) <= 1e-11 * abs(complex(line[0]))


def test_positive_moments_by_hand():
    """E S² = 1 + (e^{1/σ²} − 1)/t and the third moment from the cumulants of a mean."""
    factor = AllocationFactor(7, Fraction(1))
    with precision(128):
        grown = arb(1).exp()
        second, third = factor.mean(0).power_moment(2, 128), factor.mean(0).power_moment(3, 128)
        variance = (grown - 1) / 7
        skew = (grown**3 - 3 * grown + 2) / 49
        assert factor.mean(0).power_moment(1).overlaps(arb(1))
        assert second.overlaps(1 + variance) and float(second.rad()) <= 1e-25
        assert third.overlaps(1 + 3 * variance + skew) and float(third.rad()) <= 1e-25


def test_moments_between_whole_orders_lie_between_their_bounds():
    factor = AllocationFactor(1, Fraction(1))  # E S^p = e^{p(p−1)/2}
    with precision(128):
        for power in (1.0, 1.25, 2.5, 4.75, 9.0):
            assert factor.moment(arb(-power)).overlaps((arb(power) * (arb(power) - 1) / 2).exp())
        for power in (0.5, 12.5, 20.75):  # above the highest order of a sum an interval
            assert factor.moment(arb(-power)).overlaps((arb(power) * (arb(power) - 1) / 2).exp())
        assert not factor.moment(arb(-5000)).is_finite()


@pytest.mark.parametrize("order", [arb(2, 0.25), arb(2.5, 0.75), arb(13, 0.25), arb(12.5, 0.125)])
def test_a_moment_of_an_uncertain_order_holds_those_of_all_its_orders(order):
    """t = 1: E S^p = e^{p(p−1)/2} at both ends and in the middle, a whole number among them."""
    factor = AllocationFactor(1, Fraction(1), remove=True)
    with precision(128):
        found = factor.moment(order - 1)
        assert all(found.overlaps((p * (p - 1) / 2).exp()) for p in (order.lower(), order.mid(), order.upper()))


def test_an_abscissa_that_may_be_0_bounds_nothing():
    mean = MeanOfLognormals(1, Fraction(1), 2)
    with precision(200):
        ray = best_ray(mean.model, 0.5, 0.0, 40.0)[1]
        assert mean.moment_on(ray, arb(0.5)).is_finite()
        assert not any(mean.moment_on(ray, x).is_finite() for x in (arb(-0.5), arb(0), arb(0.5, 0.75)))


def test_moments_of_high_orders_with_much_noise():
    """σ = 100, t = 10: E S^n lies between (E S²)^{n/2} and E Y^n; the terms are positive, so no digits are lost."""
    mean = MeanOfLognormals(10, Fraction(100))
    with precision(128):
        for n in (20, 200, 500):
            found = mean.power_moment(n)
            assert mean.power_moment(2) ** (arb(n) / 2) <= found <= (arb(n) * (n - 1) / 20000).exp() and found.rel_accuracy_bits() >= 50


def test_a_delta_beyond_all_digits_has_an_upper_bound():
    for direction in ("remove", "add"):
        found = delta(epoch("100", 10), 5, digits=3, direction=direction).enclosure
        assert found.lower == 0 and 0 < found.upper <= Fraction(1, 10**1000)


# ---- the decay bound


def test_the_decay_bound_is_attained_by_one_bin_and_a_faster_decay_is_false():
    """t = 1, σ = 2: |F(c+iy)| = F(c)e^{−y²/(2σ²)}."""
    factor = AllocationFactor(1, Fraction(2))
    with precision(128):
        for c in (0.5, 1.0, 4.0):
            for y in (0.5, 3.0, 12.0):
                bound = factor.decay(arb(c), arb(y), (0.0, 0.0)).upper()
                truth = abs(exact_moment(Fraction(2), acb(c, y)))
                assert bound >= truth * (1 - arb(10) ** -20) and bound * (-(arb(y) ** 2) / 1000).exp() < truth
                for more in (1.1, 2.0, 5.0):
                    assert bound >= abs(exact_moment(Fraction(2), acb(c, y * more)))


@pytest.mark.parametrize(("sigma", "bins"), [(0.3, 2), (0.5, 3), (1.0, 2), (1.0, 40), (3.0, 10), (20.0, 1000)])
def test_the_decay_bound_holds_for_simulated_means(sigma, bins):
    """|E S^{−c−iy}| from draws, within six standard errors."""
    draws = np.random.default_rng(5).standard_normal((4000, bins))
    loss = np.log(np.mean(np.exp(draws / sigma - 1 / (2 * sigma**2)), axis=1))
    factor = AllocationFactor(bins, Fraction(str(sigma)))
    for c in (0.5, 2.0):
        for scale in (0.3, 1.0, 2.0, 3.0):
            y = scale * math.sqrt(bins) * sigma
            terms = np.exp(-(c + 1j * y) * loss)
            error = 6 * float(np.std(terms)) / math.sqrt(len(terms))
            with precision(128):
                assert float(factor.decay(arb(c), arb(y), (0.0, 0.0))) >= abs(complex(np.mean(terms))) - error


# ---- δ: the outer contour


def outer(factor: AllocationFactor, epsilon: Fraction, **change: object) -> arb:
    with precision(200):
        plan = plan_product([factor], float(epsilon), -2.0, 30.0)[1]
        return integral.evaluate([factor], ball(epsilon), replace(plan, **change))


@pytest.mark.parametrize(
    "change",
    [{}, {"step": 2.5}, {"count": 6}, {"c": 0.5}, {"c": 3.0, "step": 1.0}, {"right": 9.0}, {"left": 2.0}, {"left": 2.5}, {"left": 0.0}],
)
def test_a_poor_contour_widens_the_enclosure_and_never_falsifies_it(change):
    truth = delta(Gaussian(1), 1, digits=25).enclosure.ball()
    assert outer(AllocationFactor(1, Fraction(1)), Fraction(1), **change).overlaps(truth)


OUTER = {"right_alias_bound": {"step": 1.5}, "contour_truncation_bound": {"count": 6}, "left_alias_rest": {"step": 1.5, "left": 2.0}}


@pytest.mark.parametrize("term", OUTER)
def test_each_error_term_of_the_contour_is_needed(term, monkeypatch):
    truth = delta(Gaussian(1), 1, digits=25).enclosure.ball()
    for other in OUTER:  # the right and left aliases of a coarse step come together
        if {term, other} == {"right_alias_bound", "left_alias_rest"}:
            monkeypatch.setattr(integral, other, lambda *_: arb(0))
    monkeypatch.setattr(integral, term, lambda *_: arb(0))
    assert not outer(AllocationFactor(1, Fraction(1)), Fraction(1), **OUTER[term]).overlaps(truth)


@pytest.mark.parametrize(("sigma", "bins", "epsilon", "remove", "add"), [
    ("0.5", 10, "1", ("0.187448", "0.187450"), ("0.116785", "0.116795")),
    ("1", 10, "0.5", ("0.0268495", "0.0268505"), ("0.0190635", "0.0190645")),
])  # fmt: skip
def test_printed_values(sigma, bins, epsilon, remove, add):
    for direction, (low, high) in (("remove", remove), ("add", add)):
        found = delta(epoch(sigma, bins), epsilon, direction=direction).enclosure
        assert Fraction(low) <= found.lower and found.upper <= Fraction(high)


def test_parity_takes_the_digits_that_cancel():
    found = delta(epoch("2", 100), 2, digits=15, direction="remove").enclosure
    assert Fraction("1.6107694e-38") <= found.lower and found.upper <= Fraction("1.6107695e-38")


@pytest.mark.parametrize(("sigma", "epochs", "epsilon"), [("1", 1, "1"), ("2", 9, "0.5"), ("3", 4, "0")])
def test_one_bin_is_the_gaussian(sigma, epochs, epsilon):
    truth = delta(Repeated(Gaussian(sigma), epochs), epsilon, digits=20).enclosure
    add = Route(lambda: [AllocationFactor(1, Fraction(sigma), epochs)])
    remove = Route(lambda: [AllocationFactor(1, Fraction(sigma), epochs, remove=True)])
    for route in (add, replace(add, parity=True), remove):
        found = refined([route], Fraction(epsilon), 15, -2.0)[0]
        assert found.meets(15) and found.overlaps(truth)
    # and the mechanism goes to the closed form
    assert delta(epoch(sigma, 1, epochs), epsilon, digits=15).method == "closed form"


def two_bins(sigma: str, epsilon: str) -> tuple[mpmath.mpf, mpmath.mpf]:
    """t = 2, one epoch: E(S − e^ε)₊ and E(1 − e^ε S)₊; the inner integral in closed form, the outer one by mpmath."""
    with mpmath.workdps(30):
        width, level = mpmath.mpf(sigma), mpmath.exp(mpmath.mpf(epsilon))
        shift = 1 / (2 * width**2)

        def call(strike: mpmath.mpf) -> mpmath.mpf:
            """E(Y − strike)₊."""
            if strike <= 0:
                return 1 - strike
            cut = width * (mpmath.log(strike) + shift)
            return mpmath.ncdf(1 / width - cut) - strike * mpmath.ncdf(-cut)

        def over(value) -> mpmath.mpf:
            ends = [mpmath.mpf(n) / 2 for n in range(-26, 27)]
            for strike in (2 * level, 2 / level):  # where the inner strike changes its sign
                ends.append(width * (mpmath.log(strike) + shift))
            return mpmath.quad(lambda u: mpmath.npdf(u) * value(mpmath.exp(u / width - shift)), sorted(ends))

        remove = over(lambda y: call(2 * level - y)) / 2
        put = over(lambda y: call(2 / level - y) - 1 + (2 / level - y)) / 2
        return remove, level * put


@pytest.mark.parametrize(
    ("sigma", "epsilon"),
    [("0.5", "1"), ("1", "1"), pytest.param("2", "0.25", marks=pytest.mark.slow), pytest.param("5", "0.3", marks=pytest.mark.slow)],
)
def test_two_bins_by_quadrature(sigma, epsilon):
    for direction, value in zip(("remove", "add"), two_bins(sigma, epsilon), strict=True):
        found = delta(epoch(sigma, 2), epsilon, direction=direction).enclosure
        with mpmath.workdps(30):
            slack = mpmath.mpf("1e-17")
            low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
            assert low - slack <= value <= high + slack


def by_quadrature(sigma: float, epsilon: float) -> tuple[float, float]:
    """`two_bins` by Gauss–Kronrod panels of scipy, for many cases; panels end where the inner strike changes its sign."""
    level, shift = math.exp(epsilon), 1 / (2 * sigma**2)

    def call(strike: float) -> float:
        """E(Y − strike)₊."""
        if strike <= 0:
            return 1 - strike
        cut = sigma * (math.log(strike) + shift)
        return float(special.ndtr(1 / sigma - cut) - strike * special.ndtr(-cut))

    def over(value: Callable[[float], float], strike: float) -> float:
        turn = sigma * (math.log(strike) + shift)
        ends = sorted({-13.0, -6.0, -2.0, 0.0, 2.0, 6.0, 13.0 + 1 / sigma, turn, turn - 1e-3, turn - 0.1})

        def integrand(u: float) -> float:
            return math.exp(-u * u / 2) / math.sqrt(2 * math.pi) * value(math.exp(u / sigma - shift))

        return math.fsum(integrate.quad(integrand, *panel, epsabs=1e-14, epsrel=1e-12, limit=200)[0] for panel in itertools.pairwise(ends))

    remove = over(lambda y: call(2 * level - y), 2 * level) / 2
    return remove, level * over(lambda y: call(2 / level - y) - 1 + (2 / level - y), 2 / level) / 2


@pytest.mark.parametrize("count", [4, pytest.param(200, marks=pytest.mark.slow)])
def test_one_epoch_of_two_bins_by_quadrature_in_random_cases(count):
    source = np.random.default_rng(20261123)
    for _ in range(count):
        sigma, epsilon = round(float(source.uniform(0.4, 4)), 2), round(float(source.uniform(0.01, 3)), 2)
        for direction, value in zip(("remove", "add"), by_quadrature(sigma, epsilon), strict=True):
            found = delta(epoch(str(sigma), 2), str(epsilon), direction=direction, digits=12).enclosure
            assert found.lower_float - 1e-12 <= value <= found.upper_float + 1e-12, (sigma, epsilon, direction)


@pytest.mark.parametrize(
    ("sigma", "bins", "epochs", "epsilon"),
    [("0.5", 10, 1, 1.0), ("0.8", 20, 3, 1.0), pytest.param("1", 50, 10, 0.5, marks=pytest.mark.slow)],
)
def test_monte_carlo(sigma, bins, epochs, epsilon):
    """P(V < (1 − e^ε/S)₊), V uniform, is the mean: exact binomial (Clopper & Pearson) intervals, wrong once in 10⁶ runs."""
    generator, width, draws = np.random.default_rng(20261122), float(sigma), 200_000
    for direction in ("remove", "add"):
        loss = np.zeros(draws)
        for _ in range(epochs):
            u = generator.standard_normal((draws, bins))
            if direction == "remove":
                u[:, 0] += 1 / width
            loss += np.log(np.exp(u / width - 0.5 / width**2).mean(axis=1))
        sign = 1 if direction == "remove" else -1
        hits = int((generator.random(draws) < 1 - np.exp(epsilon - sign * loss)).sum())
        interval = stats.binomtest(hits, draws).proportion_ci(1 - 1e-6, method="exact")
        found = delta(epoch(sigma, bins, epochs), str(epsilon), direction=direction, digits=6).enclosure
        assert interval.low <= found.upper_float and found.lower_float <= interval.high


# ---- what it is wired into


def test_products_with_other_factors():
    """Two epochs of two halves are one product; a Gaussian beside one bin adds its variance."""
    both = Composed((epoch("1", 1, 2), Gaussian(2)))
    assert delta(both, 1, digits=12).enclosure.overlaps(delta(Composed((Repeated(Gaussian(1), 2), Gaussian(2))), 1).enclosure)
    split = Composed((epoch("1", 10, 2), epoch("1", 10, 3)))
    assert delta(split, 1).enclosure.overlaps(delta(epoch("1", 10, 5), 1).enclosure)


def test_poisson_and_laplace_beside_it_by_parity_and_directly():
    """δ of (1 bin)·X by the parity of this law, against the contour of the Gaussian and X, for X sampled noise and Laplace noise."""
    others = (Repeated(Sampled(Gaussian(1), PoissonSampling("0.1")), 5), Laplace(3))
    for direction in (Direction.REMOVE, Direction.ADD):
        (plain,) = dominating_pairs(Composed((Gaussian(2), *others)), direction=direction)
        factors = tuple(factor for factor in plain.factors if factor.pair.__class__.__name__ != "GaussianPair")
        own = Factor(AllocationPair(1, Fraction(2)), 1, direction is Direction.ADD)
        routes = routes_of(elements_of(replace(plain, factors=(own, *factors))))
        assert [route.parity for route in routes] == [False, True][: 1 + (direction is Direction.REMOVE)]
        for route in routes:
            found = refined([route], Fraction(1, 2), 12, -2.0)[0]
            assert found.meets(12)
            assert found.overlaps(delta(Composed((Gaussian(2), *others)), "0.5", direction=direction).enclosure)


@pytest.mark.parametrize(
    ("sigma", "bins", "epochs", "epsilon"), [("0.5", 10, 20, 40), ("0.4", 3, 30, 130), ("1", 100, 50, 8), ("3", 2, 100, 8)]
)
def test_the_two_ways_to_remove_agree(sigma, bins, epochs, epsilon):
    """The contour of the direction remove, and the parity of that of add."""
    (product,) = dominating_pairs(epoch(sigma, bins, epochs), direction=Direction.REMOVE)
    found = [refined([route], Fraction(epsilon), 10, -9.0)[0] for route in routes_of(elements_of(product))]
    assert all(value.meets(10) for value in found) and found[0].overlaps(found[1])


def test_large_epsilons():
    """σ = 0.3, two bins, 10,000 epochs, against the saddle point of moments by quadrature in two dimensions."""
    epochs, epsilon = 10_000, 50_500
    u = np.arange(-160, 161) / 10.0
    weight = np.exp(-u * u / 2) / math.sqrt(2 * math.pi) / 10
    y = np.exp(u / 0.3 - 0.5 / 0.09)
    s = (y[:, None] + y[None, :]) / 2
    mass, loss = weight[:, None] * weight[None, :] * s, np.log(s)

    def moments(x: float) -> tuple[float, float, float]:
        tilted = mass * np.exp(x * loss)
        total, first, second = ((tilted * loss**k).sum() for k in range(3))
        return math.log(total), first / total, second / total - (first / total) ** 2

    low, high = 1e-4, 1.0
    for _ in range(60):
        c = math.sqrt(low * high)
        low, high = (c, high) if epochs * moments(c)[1] < epsilon + 1 / c + 1 / (c + 1) else (low, c)
    value, _, bend = moments(c)
    curvature = epochs * bend + 1 / c**2 + 1 / (1 + c) ** 2
    about = math.exp(epochs * value - c * epsilon) / (c * (1 + c) * math.sqrt(2 * math.pi * curvature))
    found = delta(epoch("0.3", 2, epochs), epsilon, digits=8, direction="remove")
    assert abs(found.enclosure.upper_float / about - 1) <= 0.02


def test_epsilon_is_the_inverse():
    found = epsilon_of(epoch("0.8", 100, 10), "1e-6", digits=10)
    low, high = found.enclosure.lower, found.enclosure.upper
    assert delta(epoch("0.8", 100, 10), low, digits=12).enclosure >= Fraction(1, 10**6)
    assert delta(epoch("0.8", 100, 10), high, digits=12).enclosure <= Fraction(1, 10**6)


def test_it_is_not_always_more_private_than_poisson_sampling():
    """σ = 0.5, t = 10, ε = 1."""
    own = delta(epoch("0.5", 10), 1, digits=8).enclosure
    poisson = delta(Repeated(Sampled(Gaussian("0.5"), PoissonSampling("0.1")), 10), 1, digits=8).enclosure
    assert own > poisson


def test_participations_are_an_upper_bound_and_say_so():
    mechanism = Sampled(Gaussian(1), RandomAllocation(10, 3))
    found = delta(mechanism, 1)
    assert any(note.startswith("upper bound") for note in found.notes)
    assert found.enclosure.overlaps(delta(epoch("1", 3, 3), 1).enclosure)
    assert not any(note.startswith("upper bound") for note in delta(epoch("1", 3, 3), 1).notes)
    assert delta(Sampled(Gaussian(1), RandomAllocation(4, 4)), 1).enclosure.overlaps(delta(Repeated(Gaussian(1), 4), 1).enclosure)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: RandomAllocation(0), "at least 1"),
        (lambda: RandomAllocation(5, 6), "between 1 and bins"),
        (lambda: delta(Sampled(Laplace(1), RandomAllocation(5)), 1), "Gaussian noise only"),
        (lambda: delta(epoch("1", 5), 1, relation="substitute"), "add-or-remove"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(InputError, match=words):
        make()


@pytest.mark.parametrize("beside", [DiscreteGaussian(2), EpsilonDelta(1, "1/100")])
def test_laws_with_tails_or_infinite_losses_are_refused_beside_it(beside):
    """What a law leaves out, a tail or an infinite loss, is in no error term of the parity: it must not be lost silently."""
    with pytest.raises(InputError, match="random allocation composes with"):
        delta(Composed((Sampled(Gaussian(1), RandomAllocation(10)), beside)), 1)


def test_discrete_laplace_noise_composes_with_it():
    """All its losses are kept: two noises beside the epoch reveal more than the epoch alone."""
    epoch = Sampled(Gaussian(1), RandomAllocation(10))
    assert delta(Composed((epoch, DiscreteLaplace(20))), 1, digits=5).lower > delta(epoch, 1, digits=5).upper
