"""Poisson-sampled Gaussian: closed cases, an independent quadrature, corners, and each error term on its own."""

import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import Enclosure, ball, precision
from dpbounds.numbers.excess import excess
from dpbounds.numbers.trapezoid import lattice_sum
from dpbounds.renyi import poisson_gaussian as module
from dpbounds.renyi import poisson_gaussian_terms as terms
from dpbounds.renyi.poisson_gaussian import binomial_excess, divergence, integral, renyi_ball
from dpbounds.renyi.poisson_gaussian_plan import plan
from dpbounds.renyi.poisson_gaussian_terms import Integrand

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
            f = Integrand(arb(alpha - 1), noise, rate, False)
            exact = binomial_excess(alpha, noise, rate)
            value = integral(f, plan(f, 100))
            assert value.overlaps(exact) and value.rel_accuracy_bits() >= 90


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


# --- each error term: with it the enclosure contains the truth, without it the truth is missed ------------------------

CASES = {
    "left tail, remove": ("left_tail", "3", "0.5", "3/2", False, {"first": 0.35}),
    "left tail, remove, p >= 2": ("left_tail", "3", "0.5", "3", False, {"first": 0.35}),
    "left tail, add": ("left_tail", "3", "0.5", "3", True, {"first": 0.35}),
    "right tail, remove, p < 2": ("right_tail", "3", "0.5", "3/2", False, {"last": 0.5}),
    "right tail, remove, p >= 2": ("right_tail", "3", "0.5", "3", False, {"last": 0.6}),
    "right tail, add": ("right_tail", "3", "0.5", "3", True, {"last": 0.5}),
    "aliasing, narrow, remove": ("aliasing", "1", "0.5", "3", False, {"step": 6}),
    "aliasing, narrow, p < 2": ("aliasing", "1", "0.5", "3/2", False, {"step": 8}),
    "aliasing, narrow, add": ("aliasing", "1", "0.5", "3", True, {"step": 8}),
    "aliasing, shifted, add": ("aliasing", "1", "0.5", "200", True, {"step": 8}),
}


def coarse(f: Integrand, change: dict[str, float]) -> terms.SumPlan:
    """A plan that leaves much out: a shortened window, or a longer step over the same window."""
    fine = plan(f, 100)
    if "step" in change:
        factor = change["step"]
        return replace(fine, step=fine.step * factor, first=int(fine.first / factor) - 1, last=int(fine.last / factor) + 1)
    return replace(fine, **{name: int(getattr(fine, name) * factor) for name, factor in change.items()})


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_dropping_an_error_term_misses_the_truth(case: tuple, monkeypatch: pytest.MonkeyPatch) -> None:
    name, sigma, q, alpha, add, change = case
    with precision(400):
        f = Integrand(ball(Fraction(alpha) - 1), ball(Fraction(sigma)), ball(Fraction(q)), add)
        truth = integral(f, plan(f, 200))
        rough = integral(f, coarse(f, change))
        assert rough.contains(truth) and rough.rel_accuracy_bits() < 90
        where = module if name == "aliasing" else terms
        monkeypatch.setattr(where, name, lambda *_: arb(0))
        assert not integral(f, coarse(f, change)).overlaps(truth)


def test_the_shifted_edge_is_used_and_both_its_parts_matter() -> None:
    with precision(200):
        f = Integrand(arb(199), arb(1), ball(Fraction(1, 2)), True)
        chosen = plan(f, 80)
        assert chosen.split is not None
        relative, absolute = terms.edge(f, chosen)
        assert relative > 1 and absolute > 0


@BOTH
@pytest.mark.parametrize(("sigma", "q", "alpha"), [("1", "0.5", "3"), ("0.5", "0.1", "3/2"), ("2", "0.01", "40"), ("1", "0.3", "200")])
def test_edge_bounds_the_integral_on_the_edge(sigma: str, q: str, alpha: str, add: bool) -> None:
    """∫|f(x+ia)|dx by complex mpmath sums, against A·J + B."""
    with precision(200):
        f = Integrand(ball(Fraction(alpha) - 1), ball(Fraction(sigma)), ball(Fraction(q)), add)
        chosen = plan(f, 60)
        relative, absolute = terms.edge(f, chosen)
        bound = relative * integral(f, chosen) + absolute
    with mpmath.workdps(30):
        s, rate, t = mpmath.mpf(sigma), mpmath.mpf(q), a_text(alpha) - 1
        p = -t if add else 1 + t
        shift = mpmath.mpf(chosen.theta) * s * s

        def size(x: mpmath.mpf) -> mpmath.mpf:
            z = mpmath.mpc(x, shift)
            u = rate * mpmath.expm1((2 * z - 1) / (2 * s * s))
            excess = (mpmath.exp(p * mpmath.log(1 + u)) - 1 - p * u) / t
            return abs(mpmath.exp(-z * z / (2 * s * s)) * excess) / (s * mpmath.sqrt(2 * mpmath.pi))

        step = mpmath.mpf(chosen.step) / 2
        total = step * mpmath.fsum(size(step * j) for j in range(2 * chosen.first, min(2 * chosen.last, 4000)))
    assert arb(mpmath.nstr(total, 20)) <= bound


def test_the_shifted_edge_needs_what_lies_beyond_its_split() -> None:
    """With X = 0 the part A·J alone is below the integral on the edge (the mass sits far left of 0); A·J + B is not."""
    with precision(200):
        f = Integrand(arb(10**6 - 1), arb(10), ball(Fraction(1, 2)), True)
        fine = plan(f, 60)
        chosen = replace(fine, theta=0.3, split=0.0)
        relative, absolute = terms.edge(f, chosen)
        value = integral(f, fine)
        shift, step = arb(chosen.theta) / (2 * f.half_v), arb(fine.step) / 2
        total = step * sum((abs(on_the_edge(f, step * j, shift)) for j in range(2 * fine.first, 2 * fine.last)), arb(0))
        assert relative * value < total <= relative * value + absolute


def on_the_edge(f: Integrand, x: arb, shift: arb) -> acb:
    """f(x + ia)."""
    z = acb(x, shift)
    w = (2 * z - 1) * f.half_v
    u = f.q * w.expm1()
    return f.norm * (-z * z * f.half_v).exp() * excess(f.t, u, (f.rest + f.q * w.exp()).log(), f.add)


@BOTH
def test_tails_are_above_the_nodes_they_replace(add: bool) -> None:
    rng = random.Random(9)
    for _ in range(60):
        with precision(200):
            sigma, q, t = (arb(10 ** rng.uniform(*ends)) for ends in ((-0.5, 3), (-6, -0.01), (-3, 2.5)))
            f = Integrand(t, sigma, q, add)
            step = sigma / rng.randint(2, 8)
            left = -sigma * rng.uniform(1.5, 6)
            right = f.p.max(arb(2)) + sigma * rng.uniform(1.8, 6) + 1
            beyond_left = step * sum((f(left - step * k) for k in range(1, 120)), arb(0))
            beyond_right = step * sum((f(right + step * k) for k in range(1, 120)), arb(0))
            assert beyond_left <= terms.left_tail(f, left) and beyond_right <= terms.right_tail(f, right)


@BOTH
def test_block_majorant_is_above_the_integrand(add: bool) -> None:
    rng = random.Random(3)
    for _ in range(300):
        sigma, q = rng.choice(["0.3", "1", "20"]), rng.choice(["1e-9", "0.1", "0.99"])
        alpha = rng.choice(["1.001", "3/2", "2", "7", "5000"])
        with precision(200):
            f = Integrand(ball(Fraction(alpha) - 1), ball(Fraction(sigma)), ball(Fraction(q)), add)
            low = arb(rng.uniform(-20, 20)) * f.sigma
            high = low + arb(rng.uniform(0, 3)) * f.sigma
            bound = terms.block_majorant(f, low, high)
            for k in range(6):
                assert f(low + (high - low) * k / 5) <= bound * (1 + arb("1e-30"))


def test_skipped_blocks_stay_in_the_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    def exact() -> arb:
        return lattice_sum(lambda i, j: arb(2) ** (1 - i) - arb(2) ** -j, lambda i, j: arb(2) ** -i, 0, 2000, arb("1e-3"))

    with precision(80):
        assert exact().contains(arb(2)) or exact().contains(2 - arb(2) ** -2000)
        monkeypatch.setattr("dpbounds.numbers.trapezoid.skipped_block", lambda *_: arb(0))
        assert not exact().contains(2 - arb(2) ** -2000)


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


@BOTH
@pytest.mark.parametrize(("sigma", "alpha"), [("1e-6", "2.5"), ("1e300", "2.5"), ("1e-300", "1.5")])
def test_parameters_beyond_reach_fail_in_one_line_and_soon(sigma: str, alpha: str, add: bool) -> None:
    with pytest.raises(PrecisionError, match="nodes"):
        divergence(Fraction(alpha) - 1, Fraction(sigma), Fraction(1, 10), 60, add=add)


def test_a_box_beyond_reach_keeps_the_sure_bounds() -> None:
    wide = renyi_ball(arb("2.5"), arb("1e-6"), arb("0.1"))
    assert wide.contains(arb(0)) and wide.contains(arb("1.25e12"))


def test_orders_that_share_nodes_have_the_divergences_of_each_alone():
    """Both directions and precisions in turn: a table that were kept for other parameters or at fewer bits would show."""
    orders = [Fraction(n, 16) for n in (1, 40, 41, 200, 3)]
    shared = {}
    for bits in (50, 120):
        for sigma, q in ((Fraction(1), Fraction(1, 100)), (Fraction(1), Fraction(1, 99))):
            shared |= {(t, sigma, q, bits, add): divergence(t, sigma, q, bits, add=add) for t in orders for add in (False, True)}
    for (t, sigma, q, bits, add), value in shared.items():
        module._nodes.cache_clear()
        alone = divergence(t, sigma, q, bits, add=add)
        assert value.overlaps(alone)
        assert min(value.rel_accuracy_bits(), alone.rel_accuracy_bits()) >= bits
