"""Poisson-sampled Gaussian: closed cases, an independent quadrature, corners, and each error term on its own."""

import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.paths.bromwich_nodes import moment_upper_bound, real_moment
from dpbounds.numbers.balls import Enclosure, ball, precision
from dpbounds.numbers.excess import divergence_from_excess
from dpbounds.numbers.trapezoid import aliasing
from dpbounds.renyi import poisson_gaussian as module
from dpbounds.renyi.poisson_gaussian import binomial_excess, divergence, renyi_ball

BOTH = pytest.mark.parametrize("add", [False, True], ids=["remove", "add"])


def quadrature(sigma: str, q: str, alpha: str, add: bool, digits: int = 45) -> mpmath.mpf:
    """log E[U^p]/(α−1) by plain mpmath quadrature; fine where M − 1 is not tiny."""
    with mpmath.workdps(digits):
        s, rate, a = mpmath.mpf(sigma), mpmath.mpf(q), mpmath.mpf(a_text(alpha))
        power = 1 - a if add else a
        points = [-40 * s, -12 * s, -3 * s, 0, 3 * s, *([] if add else [a]), 12 * s + (0 if add else a), 40 * s + (0 if add else a)]
        moment = mpmath.quad(
            lambda x: mpmath.npdf(x, 0, s) * (1 - rate + rate * mpmath.exp((2 * x - 1) / (2 * s * s))) ** power, sorted(set(points))
        )
        return mpmath.log(moment) / (a - 1)


def a_text(alpha: str) -> mpmath.mpf:
    top, _, bottom = alpha.partition("/")
    return mpmath.mpf(top) / mpmath.mpf(bottom or 1)


def near(value: arb, expected: mpmath.mpf, digits: int) -> bool:
    """The ball, widened by what the quadrature is good for, contains the quadrature."""
    with precision(400):
        return (value * arb(1, arb(10) ** -digits)).contains(arb(mpmath.nstr(expected, 45)))


@BOTH
@pytest.mark.parametrize(
    ("sigma", "q", "alpha"),
    [("1.5", "0.01", "7/2"), ("0.5", "0.1", "2.5"), ("1", "0.5", "1.25"), ("2", "0.9", "11"), ("7", "0.1", "60.5"), ("1", "0.1", "20")],
)
def test_agrees_with_quadrature(sigma: str, q: str, alpha: str, add: bool) -> None:
    value = divergence(Fraction(alpha) - 1, Fraction(sigma), Fraction(q), 100, add=add)
    assert value.rel_accuracy_bits() >= 100
    assert near(value, quadrature(sigma, q, alpha, add), 32)


@BOTH
@pytest.mark.parametrize(
    ("sigma", "q", "alpha"),
    [
        ("1e8", "1e-9", "1.000001"),
        ("1e8", "1e-9", "1e6"),
        ("0.3", "1e-9", "1e6"),
        ("0.3", "0.999", "1e6"),
        ("0.3", "0.01", "1.000001"),
        ("1", "1e-9", "1000"),
        ("1000", "1e-9", "1e6"),
        ("150", "1e-9", "1e6"),
        ("700", "0.5", "1e6"),
        ("1", "0.999999999", "1.5"),
        ("1e8", "0.01", "1.0001"),
    ],
)
def test_full_relative_digits_at_the_ends_of_the_range(sigma: str, q: str, alpha: str, add: bool) -> None:
    t, s, rate = Fraction(alpha) - 1, Fraction(sigma), Fraction(q)
    value = divergence(t, s, rate, 100, add=add)
    assert value.rel_accuracy_bits() >= 100
    assert value <= ball((1 + t) / (2 * s * s)), "post-processing of the unsampled Gaussian"
    finer = divergence(t, s, rate, 160, add=add)
    assert value.overlaps(finer) and finer.rel_accuracy_bits() >= 160


def test_first_order_at_tiny_rate_and_large_sigma() -> None:
    value = divergence(Fraction(1, 10**4), Fraction(10**8), Fraction(1, 10**9), 100)
    leading = Fraction(10001, 10000) * Fraction(1, 10**18) / (2 * Fraction(10**16))
    with precision(200):
        assert abs(value / ball(leading) - 1) < arb("1e-8")


@pytest.mark.parametrize("alpha", [2, 3, 8, 40])
def test_trapezoid_contains_the_binomial_sum(alpha: int) -> None:
    for sigma, q in [("0.5", "0.1"), ("3", "0.001"), ("40", "0.7")]:
        with precision(300):
            noise, rate = ball(Fraction(sigma)), ball(Fraction(q))
            exact = divergence_from_excess(arb(alpha - 1), binomial_excess(alpha, noise, rate))
            value = module._at(Fraction(alpha - 1), Fraction(sigma), Fraction(q), 100, True, False)
            assert value.overlaps(exact) and value.rel_accuracy_bits() >= 100


@BOTH
def test_degenerate_rates(add: bool) -> None:
    assert divergence(Fraction(3), Fraction(2), Fraction(0), 60, add=add) == 0
    assert divergence(Fraction(3), Fraction(2), Fraction(1), 60, add=add).contains(arb("0.5"))


@BOTH
def test_order_one_is_the_kullback_leibler_divergence(add: bool) -> None:
    value = divergence(Fraction(0), Fraction(1), Fraction(1, 2), 80, add=add)
    near_one = divergence(Fraction(1, 10**30), Fraction(1), Fraction(1, 2), 80, add=add)
    with precision(200):
        assert abs(value / near_one - 1) < arb("1e-23")
        assert value.lower() <= near_one.upper()


@BOTH
def test_box_contains_the_points_of_the_box(add: bool) -> None:
    rng = random.Random(7)
    box = (arb(3, 1), arb(2, 1), arb("0.02", "0.02"))
    wide = renyi_ball(*box, add=add)
    for _ in range(25):
        alpha, sigma = Fraction(rng.randint(200, 400), 100), Fraction(rng.randint(100, 300), 100)
        rate = Fraction(rng.randint(0, 400), 10**4)
        assert wide.contains(divergence(alpha - 1, sigma, rate, 30, add=add))


@BOTH
def test_box_at_the_edges_of_the_domain(add: bool) -> None:
    assert renyi_ball(arb(2), arb(-1), arb("0.5"), add=add).is_nan()
    assert renyi_ball(arb(2), arb(1), arb(2), add=add).is_nan()
    assert renyi_ball(arb.nan(), arb(1), arb("0.5"), add=add).is_nan()
    reaching_zero = renyi_ball(arb(2), arb(1, 1), arb("0.5"), add=add)
    assert not reaching_zero.is_finite() and reaching_zero.contains(arb(5))
    below_one = renyi_ball(arb(1, "0.1"), arb(1), arb("0.5"), add=add)
    assert below_one.contains(arb(0)) and below_one.contains(divergence(Fraction(1, 10), Fraction(1), Fraction(1, 2), 40, add=add))
    beyond_one = renyi_ball(arb(2), arb(1), arb(1, "0.5"), add=add)
    assert beyond_one.contains(arb(1))
    assert renyi_ball(arb(2), arb(1), arb(0, "1e-30"), add=add).contains(arb(0))


# --- the two errors of the real line, and what they are bounds of ------------------------------------------------------

SIDES = pytest.mark.parametrize("sides", [(True, False), (False, True), (True, True)], ids=["remove", "add", "substitute"])


@SIDES
@pytest.mark.parametrize("name", ["s_truncation_error", "s_discretisation_error"])
def test_dropping_an_error_term_misses_the_truth(name: str, sides: tuple, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a grid that leaves much out, far from 0 at both ends where the moment is that of a large order."""
    mixture, x = Mixture(Fraction(1, 2), Fraction(1), *sides), arb(60 if sides == (True, False) else 3)
    with precision(200):
        factor = MixtureFactor(mixture)
        grid = factor._grid(float(x), 100.0, lambda y: 0.0, 0.0)
        truth = real_moment(mixture, grid, x)
        short = replace(grid, first=grid.first + 6, last=grid.last - 6)
        rough = short if name == "s_truncation_error" else replace(grid, step=3 * grid.step, first=grid.first // 3, last=grid.last // 3 + 1)
        assert real_moment(mixture, rough, x).contains(truth)
        monkeypatch.setattr(f"dpbounds.laws.paths.bromwich_nodes.{name}", lambda *_: arb(0))
        assert not real_moment(mixture, rough, x).overlaps(truth)


@SIDES
def test_tails_are_above_the_nodes_they_replace(sides: tuple) -> None:
    """Left tails that begin right of 0 among them, where a positive power falls and a negative one is below its tangent."""
    rng, right_of_zero = random.Random(9), 0
    for _ in range(60):
        q, sigma = (Fraction(10 ** rng.uniform(*ends)) for ends in ((-6, -0.01), (-0.5, 1)))
        mixture, x = Mixture(q, sigma, *sides), arb(rng.choice([-1, 1]) * 10 ** rng.uniform(0.1, 2.5))
        low, high = mixture.approx_range(float(x))
        step, left, right = 0.0625, low - rng.uniform(0.1, 4), high + rng.uniform(0.1, 4)
        right_of_zero += left > 0 or right < 0
        with precision(200):
            for cut, way, bound in ((left, -1, mixture.left_tail), (right, 1, mixture.right_tail)):
                nodes = [arb(cut) + way * step * k for k in range(1, 120)]
                logs = zip(nodes, mixture.logs(nodes), strict=True)
                total = sum((((1 + x) * u - x * v - s * s / 2).exp() for s, (u, v) in logs), arb(0)) * step / (2 * arb.pi()).sqrt()
                assert total <= bound(arb(cut), x, arb(step))
    assert right_of_zero > 5


def test_a_tail_far_from_zero_is_small() -> None:
    """Without the chord of the falling power, or the tangent of the negative one, it would be far above the moment."""
    with precision(200):
        for sides in ((True, False), (True, True)):
            factor = MixtureFactor(Mixture(Fraction(1, 2), Fraction(1, 4), *sides))
            grid = factor._grid(200.0, 60.0, lambda y: 0.0, 0.0)
            left = factor.mixture.left_tail(grid.node(grid.first), arb(200), arb(grid.step))
            assert grid.first > 0 and left < factor.moment(arb(200)) * arb("1e-24")


def test_precision_is_restored() -> None:
    from flint import ctx

    before = ctx.prec
    divergence(Fraction(5, 2), Fraction(3, 2), Fraction(1, 100), 200)
    renyi_ball(arb(2), arb(1), arb("0.1"))
    assert ctx.prec == before


def test_enclosures_nest_as_digits_grow() -> None:
    with precision(500):
        values = [Enclosure.of_ball(divergence(Fraction(5, 2), Fraction(3, 2), Fraction(1, 100), bits)) for bits in (20, 50, 100, 200, 400)]
        for wide, narrow in zip(values, values[1:], strict=False):
            assert wide.contains(narrow)


@pytest.mark.parametrize(
    ("sigma", "alpha", "add"), [("1e-6", "2.5", True), ("1e300", "2.5", True), ("1e300", "2.5", False), ("1e-300", "1.5", True)]
)
def test_parameters_beyond_reach_fail_in_one_line_and_soon(sigma: str, alpha: str, add: bool) -> None:
    with pytest.raises(PrecisionError, match="nodes|no digit"):
        divergence(Fraction(alpha) - 1, Fraction(sigma), Fraction(1, 10), 60, add=add)


def test_a_box_beyond_reach_keeps_the_sure_bounds() -> None:
    wide = renyi_ball(arb("2.5"), arb("1e-6"), arb("0.1"), add=True)
    assert wide.contains(arb(0)) and wide.contains(arb("1.25e12"))


@pytest.mark.parametrize("order", ["1e60", "1e90"])
def test_orders_out_of_reach_end_soon(order: str) -> None:
    with pytest.raises(PrecisionError):
        divergence(Fraction(order), Fraction(1, 10), Fraction(1, 10), 53, add=True)


def test_the_loss_of_the_shift_of_a_negative_power_is_a_bound() -> None:
    """∫|f(s + ia)| by sums against `shift_modulus`·M, in the add direction: at small q, at a zero, and where next to nothing is lost."""
    cases = (Fraction(1, 20), 10, 60, 0.4), (Fraction(13, 20), 4, 5, 0.9), (Fraction(1, 2), 1, 3, 0.45), (Fraction(1, 2), 10, 3, 0.98)
    for q, sigma, n, share in (*cases, (Fraction(1, 2), 1, 60, 0.4), (Fraction(1, 2), 1, 10, 0.4)):
        with precision(120):
            mixture, order, a = Mixture(q, Fraction(sigma), False, True), arb(n), arb(share * 3.14 * sigma)
            nodes = [arb(k) / 8 for k in range(-400, 400)]
            shifted = sum(
                (((a * a - s * s) / 2 - n * v).exp() for s, (_, v, _) in zip(nodes, mixture.shifted(nodes, a), strict=True)), arb(0)
            )
            plain = sum(((-s * s / 2 - n * v).exp() for s, (_, v) in zip(nodes, mixture.logs(nodes), strict=True)), arb(0))
            assert plain <= shifted <= mixture.shift_modulus(a, order) * plain * (1 + arb("1e-9"))


def test_errors_of_a_sum_that_is_far_off() -> None:
    """M ≤ (sum + tails)/(1 − η), and no bound from η = 1 on."""
    assert moment_upper_bound(arb(3), arb("0.75"), arb(1)) >= arb("15.99") and not moment_upper_bound(arb(3), arb(1), arb(1)).is_finite()


def test_the_least_moment_of_a_negative_power_is_below_it() -> None:
    for q, sigma, n in ((Fraction(1, 20), 10, 60), (Fraction(1, 2), 1, 40), (Fraction(9, 10), 3, 200), (Fraction(1, 2), 2, 1)):
        with precision(120):
            mixture, nodes = Mixture(q, Fraction(sigma), False, True), [arb(k) / 8 for k in range(-400, 900)]
            logs = zip(nodes, mixture.logs(nodes), strict=True)
            moment = sum(((-s * s / 2 - n * v).exp() for s, (_, v) in logs), arb(0)) / 8 / (2 * arb.pi()).sqrt()
            assert 0 <= mixture.least_log_moment(arb(n)) <= moment.log()


@SIDES
def test_tails_that_begin_anywhere_are_above_their_nodes(sides: tuple) -> None:
    """In the bulk too, and with both powers positive."""
    for q, sigma, x in ((Fraction(1, 10), 1, 15), (Fraction(1, 2), 3, 40), (Fraction(1, 1000), 2, -8), (Fraction(1, 3), 1, -0.5)):
        with precision(120):
            mixture, order, step = Mixture(q, Fraction(sigma), *sides), arb(x), arb(1) / 16
            for cut, way in ((arb(k), way) for k in range(-12, 28, 2) for way in (-1, 1)):
                nodes = [cut + way * step * k for k in range(1, 160)]
                logs = zip(nodes, mixture.logs(nodes), strict=True)
                total = sum((((1 + order) * u - order * v - s * s / 2).exp() for s, (u, v) in logs), arb(0)) * step / (2 * arb.pi()).sqrt()
                assert total <= (mixture.right_tail if way == 1 else mixture.left_tail)(cut, order, step)


def test_the_trapezoid_rule_of_a_gaussian_is_as_far_off_as_its_bound() -> None:
    """The error is 2·Σ e^{−2π²m²/h²}, and the bound at a = 2π/h, e^{a²/2}·2/(e^{a²} − 1)."""
    with precision(200):
        error = sum(((-(arb(k) ** 2) / 2).exp() for k in range(-30, 31)), arb(0)) / (2 * arb.pi()).sqrt() - 1
        bound = (2 * arb.pi() ** 2).exp() * aliasing(2 * arb.pi(), arb(1))
        assert 0.999 * bound < error < bound
