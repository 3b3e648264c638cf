"""Closed forms and finite sums against mpmath and exact rational sums."""

import math
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import mpmath
import pytest

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.errors import PrecisionError
from dpbounds.float64 import closed_form, delta_bounds
from dpbounds.float64.laplace_mixture import LaplaceMixture
from dpbounds.float64.laws import loss_law
from dpbounds.mechanisms import pairs
from dpbounds.numbers import exact


def product(mechanism, direction="remove"):
    return pairs.dominating_pairs(mechanism, direction=direction)[0]


@pytest.mark.parametrize(
    ("sigma", "steps", "epsilon"), [(1, 1, 0), (1, 1, 9), (10, 100, 1), (3, 7, 40), (100, 1, 0.001), (0.5, 400, 3), (1, 10**6, 10)]
)
def test_gaussian(sigma, steps, epsilon):
    found = closed_form.delta_bounds(product(m.Repeated(m.Gaussian(sigma), steps)), float(epsilon))
    with mpmath.workdps(80):
        mu, at = mpmath.sqrt(steps) / mpmath.mpf(str(sigma)), mpmath.mpf(float(epsilon))
        a, b = at / mu - mu / 2, at / mu + mu / 2
        truth = mpmath.log(mpmath.erfc(a / mpmath.sqrt(2)) / 2 - mpmath.exp(at) * mpmath.erfc(b / mpmath.sqrt(2)) / 2)
        assert found.log_lower <= truth <= found.log_upper
    assert found.log_upper - found.log_lower <= 1e-9 * (1 + abs(float(truth)))


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(
    ("q", "sigma", "epsilon"), [("0.25", "1", 0.125), ("0.001", "0.5", 0.0005), ("0.5", "2", 0.5), ("0.9", "0.5", 2.0)]
)
def test_one_sampled_step(direction, q, sigma, epsilon):
    found = closed_form.delta_bounds(product(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), direction), epsilon)
    with mpmath.workdps(60):
        rate, s, x = mpmath.mpf(q), mpmath.mpf(sigma), mpmath.exp(mpmath.mpf(epsilon))
        if direction == "remove":
            t = s**2 * mpmath.log((x - (1 - rate)) / rate) + mpmath.mpf(1) / 2
            truth = rate * mpmath.erfc((t - 1) / s / mpmath.sqrt(2)) / 2 + (1 - rate - x) * mpmath.erfc(t / s / mpmath.sqrt(2)) / 2
        else:
            t = -(s**2 * mpmath.log((1 / x - (1 - rate)) / rate) + mpmath.mpf(1) / 2)
            truth = (1 - x * (1 - rate)) * mpmath.erfc(t / s / mpmath.sqrt(2)) / 2 - x * rate * mpmath.erfc(
                (t + 1) / s / mpmath.sqrt(2)
            ) / 2
        assert found.log_lower <= mpmath.log(truth) <= found.log_upper
    assert found.relative_width <= 1e-9


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(
    ("q", "scale", "epsilon"), [("1", "0.5", 1.5), ("1/4", "2", 0.0), ("1/4", "2", 0.0625), ("0.001", "0.5", 0.0005), ("0.9", "0.25", 1.75)]
)
def test_one_use_of_laplace_noise(direction, q, scale, epsilon):
    """Against the integral of (p − e^ε q)₊, cut where the integrand has a kink."""
    found = closed_form.delta_bounds(product(m.Sampled(m.Laplace(scale), m.PoissonSampling(q)), direction), epsilon)
    with mpmath.workdps(40):
        rate, b, x = mpmath.mpf(Fraction(q).numerator) / Fraction(q).denominator, mpmath.mpf(scale), mpmath.exp(mpmath.mpf(epsilon))

        def noise(t, at):
            return mpmath.exp(-abs(t - at) / b) / (2 * b)

        def gap(t):
            mixed, plain = rate * noise(t, 1) + (1 - rate) * noise(t, 0), noise(t, 0)
            return mixed - x * plain if direction == "remove" else plain - x * mixed

        low, high = mpmath.mpf(0), mpmath.mpf(1)
        for _ in range(140):
            middle = (low + high) / 2
            low, high = (middle, high) if (gap(middle) > 0) == (gap(0) > 0) else (low, middle)
        truth = mpmath.quad(lambda t: max(gap(t), 0), [-40 * b, -5 * b, 0, low, 1, 1 + 5 * b, 1 + 40 * b])
        assert abs(mpmath.exp((found.log_lower + found.log_upper) / 2) - truth) <= 1e-14 * truth + mpmath.exp(-39)
        assert found.log_lower - 1e-13 <= mpmath.log(truth) <= found.log_upper + 1e-13
    assert found.relative_width <= 1e-12


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_one_use_of_laplace_noise_near_the_largest_loss(direction):
    """There δ is a small difference: the error of the loss is needed, and is enough."""
    worst = 0.0
    for index in range(200):
        scale, q = Fraction(5 + 7 * index, 64), Fraction(1 + 37 * index % 1021, 1024)
        pair = product(m.Sampled(m.Laplace(scale), m.PoissonSampling(q)), direction)
        epsilon = loss_law(pair.factors[0]).highest_loss * (1 - 2.0 ** (-5 - index % 25))
        found = closed_form.delta_bounds(pair, epsilon)
        with mpmath.workdps(60):
            rate, reach, at = mpmath.mpf(q.numerator) / q.denominator, mpmath.mpf(scale.denominator) / scale.numerator, mpmath.mpf(epsilon)
            if direction == "remove":
                truth = rate * (1 - mpmath.exp((mpmath.log1p(mpmath.expm1(at) / rate) - reach) / 2))
            else:
                left = 1 - (1 - rate) * mpmath.exp(at)
                truth = left * (1 - mpmath.exp((mpmath.log(rate * mpmath.exp(at) / left) - reach) / 2))
            assert found.log_lower <= mpmath.log(truth) <= found.log_upper
            worst = max(worst, float(abs(mpmath.log(truth) - (found.log_lower + found.log_upper) / 2)))
    assert worst > 1e-11


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(
    ("scale", "q", "steps", "gap"), [("2", "1", 3, 1e-3), ("1/2", "1/8", 2, 1e-4), ("10", "1/16", 3, 1e-5), ("1", "1/4", 20, 1e-9)]
)
def test_just_below_the_largest_loss(scale, q, steps, gap, direction):
    """Certified δ lies between the bounds, away from both: what is between T − gap and T counts, and not for all that is allowed."""
    mechanism = m.Repeated(m.Sampled(m.Laplace(scale), m.PoissonSampling(q)), steps)
    pair = product(mechanism, direction)
    epsilon = steps * loss_law(pair.factors[0]).highest_loss - gap
    found = closed_form.near_largest_loss(pair, epsilon, 1.0)
    truth = accounting.delta(mechanism, exact.number(Fraction(epsilon)), digits=12, direction=direction).enclosure
    assert found.lower <= truth.lower_float
    assert truth.upper_float <= found.upper
    assert found.relative_width <= 1e-2
    if gap > 1e-8:
        assert found.log_lower + 0.1 * gap < math.log(truth.lower_float)
        assert math.log(truth.upper_float) < found.log_upper


def test_the_largest_loss_is_known_to_rounding_only():
    """At a gap of a few thousand units in the last place of ε the bounds allow for it."""
    pair = product(m.Repeated(m.Laplace("1/3"), 7))
    epsilon = 21.0 * (1 - 1e-10)
    found = closed_form.near_largest_loss(pair, epsilon, 1.0)
    with mpmath.workdps(40):
        truth = -7 * mpmath.log(2) + mpmath.log(-mpmath.expm1(mpmath.mpf(epsilon) - 21))
        assert found.log_lower + 1e-8 <= truth <= found.log_upper - 1e-8
    assert closed_form.near_largest_loss(pair, 20.95, 1e-3) is None
    assert closed_form.near_largest_loss(pair, 20.0, 1.0) is None


@pytest.mark.parametrize("by", [-40, -3, -1, 0, 1])
@pytest.mark.parametrize(("scale", "q"), [("1/3", "1"), ("2", "1"), ("1/2", "1/8"), ("10", "1/10")])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_at_the_largest_loss_itself(scale, q, direction, by):
    """A few units in the last place of ε from the largest loss, on either side: nothing but rounding tells them apart."""
    mechanism = m.Repeated(m.Sampled(m.Laplace(scale), m.PoissonSampling(q)), 3)
    pair = product(mechanism, direction)
    epsilon = 3 * loss_law(pair.factors[0]).highest_loss
    epsilon += by * math.ulp(epsilon)
    found = closed_form.near_largest_loss(pair, epsilon, 1e-8)
    truth = accounting.delta(mechanism, exact.number(Fraction(epsilon)), digits=5, direction=direction).enclosure
    assert found.lower <= truth.lower_float
    assert truth.upper_float <= found.upper


@pytest.mark.parametrize(("scale", "q"), [(100_000, "1"), (30, "1"), (100_000, "1/2")])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_no_bounds_where_the_smallest_loss_is_near_the_largest(scale, q, direction):
    """The mass of the smallest loss then counts as well: ε = 0 is less than 0.1 below the largest loss of 3 uses."""
    mechanism = m.Repeated(m.Sampled(m.Laplace(scale), m.PoissonSampling(q)), 3)
    assert closed_form.near_largest_loss(product(mechanism, direction), 0.0, 1.0) is None
    found = delta_bounds(mechanism, 0, direction=direction)
    truth = accounting.delta(mechanism, 0, digits=12, direction=direction).enclosure
    assert found.lower <= truth.lower_float <= truth.upper_float <= found.upper


def laplace_truth(q, scale, epsilon, direction):
    """log δ of one use by the closed form in mpmath, from exact parameters."""
    rate, reach, at = mpmath.mpf(q.numerator) / q.denominator, mpmath.mpf(scale.denominator) / scale.numerator, mpmath.mpf(epsilon)
    if direction == "remove":
        return mpmath.log(rate * (1 - mpmath.exp((mpmath.log1p(mpmath.expm1(at) / rate) - reach) / 2)))
    left = 1 - (1 - rate) * mpmath.exp(at)
    return mpmath.log(left * (1 - mpmath.exp((mpmath.log(rate * mpmath.exp(at) / left) - reach) / 2)))


@pytest.mark.parametrize("lack", [Fraction(1, 10**17), Fraction(1, 10**16), Fraction(3, 10**15)])
@pytest.mark.parametrize("short", [0.125, 1.0, 20.0])
def test_laplace_noise_sampled_at_a_rate_near_one(lack, short):
    """The float nearest q may be 1 and says nothing of 1−q, which bounds ε by −log(1−q)."""
    scale = Fraction(1, 60)
    epsilon = -math.log(lack) - short
    found = closed_form.delta_bounds(product(m.Sampled(m.Laplace(scale), m.PoissonSampling(1 - lack)), "add"), epsilon)
    with mpmath.workdps(60):
        assert found.log_lower <= laplace_truth(1 - lack, scale, epsilon, "add") <= found.log_upper
    assert found.relative_width <= 1e-10


def test_what_the_rounding_of_the_rate_does_to_the_last_factor():
    """ε is near −log(1−q), and g nearly 0: its error is needed by itself, and in s where s is near 1/b."""
    q, epsilon = Fraction(1, 3), -math.log1p(-1 / 3) * (1 - 1e-8)
    with mpmath.workdps(60):
        x = mpmath.exp(epsilon)
        s = mpmath.log(x * q.numerator / q.denominator / (1 - (1 - mpmath.mpf(1) / 3) * x))
        for scale in (Fraction(1, 100), 1 / (Fraction(float(s)) + Fraction(1, 1000))):
            found = closed_form.delta_bounds(product(m.Sampled(m.Laplace(scale), m.PoissonSampling(q)), "add"), epsilon)
            truth = laplace_truth(q, scale, epsilon, "add")
            assert found.log_lower <= truth <= found.log_upper
            assert abs(truth - (found.log_lower + found.log_upper) / 2) > 1e-10


def worse_functions(by):
    """`math` with logarithms and exponentials that are off by a relative error."""
    whole = {name: getattr(math, name) for name in dir(math)}
    return SimpleNamespace(**whole | {name: lambda x, f=whole[name]: f(x) * (1 + by) for name in ("exp", "expm1", "log", "log1p")})


def worsen(monkeypatch, by):
    """Library functions that are off by this, and a model of them that says so."""
    monkeypatch.setattr(closed_form, "LIBM", 1e-7)
    monkeypatch.setattr(closed_form, "math", worse_functions(by))


@pytest.mark.parametrize("by", [9e-8, -9e-8])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("scale", "epsilon"), [("1/2", 0.25), ("1/30", 0.25), ("10", 0.01)])
def test_library_functions_may_be_as_bad_as_the_model_says(direction, scale, epsilon, by, monkeypatch):
    """With worse functions and a model that says so the truth still lies inside."""
    q, epsilon = (Fraction(1, 1000), epsilon / 1000) if direction == "remove" else (Fraction(1, 3), epsilon)
    one = product(m.Sampled(m.Laplace(scale), m.PoissonSampling(q)), direction)
    with mpmath.workdps(40):
        truth = laplace_truth(q, Fraction(scale), epsilon, direction)
    worsen(monkeypatch, by)
    monkeypatch.setattr(closed_form, "_result", lambda value, error: (value, error))
    value, error = closed_form.delta_bounds(one, epsilon)
    assert abs(truth - value) <= error <= 1e-4


@pytest.mark.parametrize("by", [9e-8, -9e-8])
@pytest.mark.parametrize(("q", "direction"), [("1/2", "remove"), ("1/2", "add"), ("999/1000", "add")])
def test_library_functions_where_the_loss_is_near_the_largest(q, direction, by, monkeypatch):
    """There what s is off by counts most; at a rate near 1 all of it is from the exponential in g."""
    rate, epsilon = Fraction(q), 0.5
    s = math.log1p(math.expm1(epsilon) / rate) if direction == "remove" else epsilon + math.log(rate / (1 - (1 - rate) * math.exp(epsilon)))
    scale = 1 / Fraction(s + 0.002)
    pair = product(m.Sampled(m.Laplace(scale), m.PoissonSampling(rate)), direction)
    with mpmath.workdps(40):
        truth = laplace_truth(rate, scale, epsilon, direction)
    worsen(monkeypatch, by)
    monkeypatch.setattr(closed_form, "_result", lambda value, error: (value, error))
    value, error = closed_form.delta_bounds(pair, epsilon)
    assert abs(truth - value) <= error <= 1e-3


@pytest.mark.parametrize("by", [9e-8, -9e-8])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("scale", ["1/2", "10"])
def test_near_the_largest_loss_too(direction, scale, by, monkeypatch):
    """Bounds from worse functions contain those from good ones."""
    law = m.Sampled(m.Laplace(scale), m.PoissonSampling("1/3"))
    several = product(m.Repeated(law, 4), direction)
    epsilon = 4 * loss_law(several.factors[0]).highest_loss - 1e-3
    good = closed_form.near_largest_loss(several, epsilon, 1.0)
    worsen(monkeypatch, by)
    found = closed_form.near_largest_loss(several, epsilon, 1.0)
    assert found.log_lower <= good.log_lower <= good.log_upper <= found.log_upper
    assert found.log_upper - found.log_lower < good.log_upper - good.log_lower + 1e-4


@pytest.mark.parametrize("by", [9e-8, -9e-8])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("scale", ["1/2", "1/30", "10"])
def test_the_rate_and_the_scale_are_known_to_rounding_only(direction, scale, by, monkeypatch):
    q, epsilon = Fraction(1, 3), 0.25 * min(1.0, 0.3 / float(Fraction(scale)))
    law = loss_law(product(m.Sampled(m.Laplace(scale), m.PoissonSampling(q)), direction).factors[0])
    with mpmath.workdps(40):
        truth = laplace_truth(q, Fraction(scale), epsilon, direction)
    monkeypatch.setattr(closed_form, "UNIT_ROUNDOFF", 1e-7)
    monkeypatch.setattr(closed_form, "_result", lambda value, error: (value, error))
    for change in ({"q": law.q * (1 + by)}, {"scale": law.scale * (1 + by)}):
        value, error = closed_form._laplace(replace(law, **change), epsilon)
        assert abs(truth - value) <= error <= 1e-4


@pytest.mark.parametrize("by", [9e-6, -9e-6])
@pytest.mark.parametrize(("steps", "gap", "more"), [(2, 1e-9, 0.0), (40, 1e-2, 5.0)])
def test_what_functions_and_masses_may_be_off_near_the_largest_loss(steps, gap, more, by, monkeypatch):
    """A tiny gap, where its logarithm is large, and many masses, each off by a few library functions."""
    pair = product(m.Repeated(m.Laplace(2), steps))
    epsilon = steps * 0.5 - gap
    with mpmath.workdps(40):
        least = -steps * mpmath.log(2) + mpmath.log(-mpmath.expm1(mpmath.mpf(epsilon) - steps * 0.5))
    good = closed_form.near_largest_loss(pair, epsilon, 1.0)
    atoms = loss_law(pair.factors[0]).atoms
    monkeypatch.setattr(LaplaceMixture, "atoms", (atoms[0], (atoms[1][0], atoms[1][1] * (1 - more * by))))
    monkeypatch.setattr(closed_form, "LIBM", 1e-5)
    monkeypatch.setattr(closed_form, "math", worse_functions(by))
    found = closed_form.near_largest_loss(pair, epsilon, 1.0)
    assert found.log_lower <= least
    assert good.log_upper <= found.log_upper + 1e-12


@pytest.mark.parametrize(("steps", "epsilon"), [(1, 0.5), (10, 2.25), (40, 0.0), (40, 33.0)])
def test_two_atoms_by_exact_sums(steps, epsilon):
    table = m.FiniteTable(["3/4", "1/4"], ["1/4", "3/4"])
    found = closed_form.delta_bounds(product(m.Repeated(table, steps)), epsilon)
    with mpmath.workdps(60):
        truth = mpmath.mpf(0)
        for j in range(steps + 1):
            p = math.comb(steps, j) * Fraction(3, 4) ** j * Fraction(1, 4) ** (steps - j)
            q = math.comb(steps, j) * Fraction(1, 4) ** j * Fraction(3, 4) ** (steps - j)
            gap = mpmath.mpf(p.numerator) / p.denominator - mpmath.exp(mpmath.mpf(epsilon)) * q.numerator / q.denominator
            truth += max(gap, mpmath.mpf(0))
        assert found.log_lower <= mpmath.log(truth) <= found.log_upper
    assert found.relative_width <= 1e-10


def exact_counts(tables, epsilon):
    """log δ of a product of (p, q, steps) by exact probabilities of all outcomes."""
    states = [(Fraction(1), Fraction(1))]
    for p, q, steps in tables:
        for _ in range(steps):
            states = [(a * x, b * y) for a, b in states for x, y in zip(p, q, strict=True)]
    with mpmath.workdps(60):
        scale = mpmath.exp(mpmath.mpf(epsilon))
        gaps = (mpmath.mpf(a.numerator) / a.denominator - scale * mpmath.mpf(b.numerator) / b.denominator for a, b in states)
        return mpmath.log(mpmath.fsum(max(gap, mpmath.mpf(0)) for gap in gaps))


THREE = [Fraction(1, 10), Fraction(9, 20), Fraction(9, 20)], [Fraction(20, 39), Fraction(3, 13), Fraction(10, 39)]
LOST = [Fraction(1, 100), Fraction(39, 100), Fraction(6, 10)], [Fraction(0), Fraction(6, 10), Fraction(4, 10)]


@pytest.mark.parametrize("epsilon", [0.0, 0.7, 2.75, 3.9])
@pytest.mark.parametrize("tables", [[(*THREE, 6)], [(*THREE, 3), (*LOST, 4)], [(*LOST, 1)]])
def test_several_atoms_and_products_by_exact_sums(tables, epsilon):
    """Three atoms whose losses have no common measure: no lattice has all of them on its nodes."""
    mechanism = m.Composed(tuple(m.Repeated(m.FiniteTable(p, q), steps) for p, q, steps in tables))
    found = closed_form.delta_bounds(product(mechanism), epsilon)
    assert found.log_lower <= exact_counts(tables, epsilon) <= found.log_upper
    assert found.relative_width <= 1e-10


def test_losses_of_long_fractions():
    """The logarithms of numerator and denominator, each near 690, lose what their difference needs."""
    p, q = Fraction(10**300 + 7, 10**301), Fraction(10**300 // 3 + 1, 10**301)
    tables = [([p, 1 - p], [q, 1 - q], 1)]
    for epsilon in (1.0986122886, 1.09861228866):
        found = closed_form.delta_bounds(product(m.FiniteTable(*tables[0][:2])), epsilon)
        assert found.log_lower <= exact_counts(tables, epsilon) <= found.log_upper


@pytest.mark.parametrize("epsilon", [0.25, 0.5])
def test_sampled_response_far_beyond_the_floats_own_range(epsilon):
    """e^{ε₀} above and q below what the shortcut for large exponents held for."""
    base, rate = 643, Fraction(1, 2**927)
    found = closed_form.delta_bounds(product(m.Sampled(m.RandomizedResponse(base), m.PoissonSampling(rate))), epsilon)
    with mpmath.workdps(700):
        high = 1 / (1 + mpmath.exp(-base))
        q = mpmath.mpf(2) ** -927
        truth = mpmath.log(q * high + (1 - q) * (1 - high) - mpmath.exp(mpmath.mpf(epsilon)) * (1 - high))
        assert found.log_lower <= truth <= found.log_upper


def test_probabilities_that_floats_lose_are_declined():
    with pytest.raises(PrecisionError, match="below 1e-290"):
        closed_form.delta_bounds(product(m.Sampled(m.Gaussian(1), m.PoissonSampling(Fraction(1, 10**400)))), 0.0)
    with pytest.raises(PrecisionError, match="below 1e-290"):
        closed_form.delta_bounds(product(m.FiniteTable([Fraction(1, 10**400), 1 - Fraction(1, 10**400)], [0, 1])), 0.0)


def test_no_closed_form_for_what_has_none():
    sampled = m.Sampled(m.Gaussian(1), m.PoissonSampling("0.1"))
    assert closed_form.delta_bounds(product(m.Repeated(sampled, 2)), 1.0) is None
    assert closed_form.delta_bounds(product(m.Composed((m.Gaussian(1), m.Laplace(1)))), 1.0) is None
