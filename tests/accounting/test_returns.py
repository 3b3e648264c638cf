"""Atoms that are hardly ever in step again: the forms by brute force, the bound against the sum, and δ by conditioning."""

import itertools
import math
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from scipy.special import gammaln
from scipy.stats import binom, norm

from dpbounds.accounting import delta, epsilon
from dpbounds.accounting.bromwich import integrate
from dpbounds.accounting.few_uses.counts import OF_TWO
from dpbounds.accounting.inverse.first_points import surely_zero
from dpbounds.accounting.lattice_line import lattice_delta
from dpbounds.accounting.left_out.returns import Level, approx_returns_end, in_basis, near_returns, reduced_basis, returns_of, short_vectors
from dpbounds.laws.contour_factor import GaussianFactor
from dpbounds.laws.factors import AtomicFactor
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms import Composed, FiniteTable, Gaussian, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.noise.discrete_laplace import DiscreteLaplace
from dpbounds.noise.skellam import Skellam
from dpbounds.numbers.balls import precision

LOSSES = (0.0, 1.0, -math.sqrt(2), 0.3183)
MASSES = (0.4, 0.3, 0.2, 0.1)


def factor(steps, losses=LOSSES, masses=MASSES):
    return AtomicFactor([arb(mass) for mass in masses], [arb(loss) for loss in losses], steps)


def test_short_vectors_are_listed():
    """Against all n with entries up to 4; LLL changes the basis alone."""
    draw = random.Random(7)
    for _ in range(15):
        rows = [[draw.uniform(-1, 1) for _ in range(3)] for _ in range(3)]
        form = [[sum(a * b for a, b in zip(one, other, strict=True)) + (0.02 if one is other else 0) for other in rows] for one in rows]
        least = min(
            sum(n[i] * form[i][j] * n[j] for i in range(3) for j in range(3)) for n in itertools.product(range(-4, 5), repeat=3) if any(n)
        )
        balls = [[arb(entry) for entry in row] for row in form]
        for own in (balls, in_basis(balls, reduced_basis(balls))):
            assert short_vectors(own, arb(0.999 * least)) == []
            (short,) = short_vectors(own, arb(1.001 * least))
            value = sum(short[i] * own[i][j] * short[j] for i in range(3) for j in range(3))
            assert abs(float(value) - least) < 1e-9
    assert short_vectors([[arb(1), arb(2)], [arb(2), arb(1)]], arb(0.1)) is None  # not positive definite
    with precision(200):  # (n + 2⁵⁴m + m)² + m²/1000: whole numbers that no float is
        far = arb(2**54 + 1)
        assert short_vectors([[arb(1), far], [far, far**2 + 0.001]], arb(0.01)) == [[-m * (2**54 + 1), m] for m in (1, 2, 3)]


def test_forms_of_any_size():
    """Floats of the entries would be 0 or infinite."""
    for scale in (arb(10) ** -5000, arb(1), arb(10) ** 5000):
        form = [[2 * scale, scale], [scale, 2 * scale]]
        assert short_vectors(in_basis(form, reduced_basis(form)), 1.9 * scale) == []
        assert short_vectors(in_basis(form, reduced_basis(form)), 2.1 * scale)
    assert reduced_basis([[arb(0)]]) == [[1]]
    assert reduced_basis([[arb.pos_inf()]]) == [[1]]


def fallen(steps, heights, losses=LOSSES, masses=MASSES):
    """|M|^k over m^k."""
    total = sum(mass * np.exp(1j * heights * loss) for mass, loss in zip(masses, losses, strict=True))
    return (np.abs(total) / sum(masses)) ** steps


@pytest.mark.parametrize(("steps", "top", "step"), [(4000, 9.0, 0.004), (40_000, 14.0, 0.001)])
def test_the_bound_is_above_the_sum_and_levels_are_apart(steps, top, step):
    """Returns are looked for by brute force: each level's first one, and the sum of all nodes as far as they are affordable."""
    factors = [factor(steps)]
    end, levels = approx_returns_end(factors, 0.0, top, step)
    assert math.isfinite(end) and len(levels) >= 3
    known = returns_of(factors, arb(0))
    assert all(known.returns(level) is not None for level in levels)
    last = step * math.ceil(end / step)
    bound = float(known.bound(levels, arb(last), arb(step), lambda height: arb(1)))
    assert bound <= 3 * math.exp(-top)
    heights = last + step * np.arange(1, 400_000)
    kept = fallen(steps, heights)
    assert step * np.sum(kept / heights**2) / math.pi <= bound
    for level in levels:
        inside = heights[kept**1.0 > math.exp(-level.fall)]
        listed = known.returns(level)[0]
        inside = inside[[not any(abs(height - float(own.middle)) <= float(own.half) + step for own in listed) for height in inside]]
        assert not len(inside) or inside[0] >= level.first
        jumps = np.diff(inside)
        assert not np.any((jumps > 1.5 * step) & (jumps < level.gap) & (inside[:-1] > level.first) & (jumps > 2 * end))


def test_no_term_of_the_bound_can_be_dropped():
    """Nodes on what comes back alone, and nodes in the valley alone: each is more than the other term."""
    losses, masses, steps = (0.0, 1.0, 1 + 1e-9), (0.4, 0.3, 0.3), 4000  # back in step at 2π
    known = returns_of([factor(steps, losses, masses)], arb(0))
    level = next(Level(20.0, first, 0.9) for first in (5.9, 5.5, 5.0, 4.0) if known.returns(Level(20.0, first, 0.9)) == ([], 1))
    last, step = 0.4, 0.01
    bound = float(known.bound([level], arb(last), arb(step), lambda height: arb(1)))
    heights = last + step * np.arange(1, 200_000)
    true = step * np.sum(fallen(steps, heights, losses, masses) / heights**2) / math.pi
    assert math.exp(-20) / last / math.pi < true <= bound
    # one level more: what is between the two is e^{−τ} of the lower one
    lower = Level(2.0, level.first, level.gap)
    both = float(known.bound([lower, level], arb(last), arb(step), lambda height: arb(1)))
    narrow = float(known.bound([lower], arb(last), arb(step), lambda height: arb(1)))
    assert true <= both < bound
    assert both > narrow - math.exp(-2) / last / math.pi
    # a valley without anything that comes back: the first term is needed
    wide = known.bound([replace(level, fall=1.0, first=1e-9, gap=1e-9)], arb(last), arb(step), lambda height: arb(0))
    assert not wide.is_finite() or float(wide) == 0


def test_a_return_that_is_not_passed_is_counted():
    """Nearly a lattice: the nodes on the first returns are more than all other terms, and the bound with them is above the sum."""
    losses, masses, steps = (0.0, 1.0, 2.0005, -1.0003), (0.4, 0.3, 0.2, 0.1), 5000
    known, level, last, step = returns_of([factor(steps, losses, masses)], arb(0)), Level(20.0, 200.0, 0.9), 1.0, 0.004
    listed, _ = known.returns(level)
    assert len(listed) > 10
    bound = float(known.bound([level], arb(last), arb(step), lambda height: arb(1)))
    heights = last + step * np.arange(1, 1_000_000)
    kept = fallen(steps, heights, losses, masses)
    true = step * np.sum(kept / heights**2) / math.pi
    assert true <= bound
    counted = sum(float((-own.fall).exp() * (2 * own.half + step) / (own.middle - own.half) ** 2) for own in listed) / math.pi
    assert counted > 0.5 * bound  # without the sum over the returns the bound would be below
    assert bound - counted < true


def test_what_is_refused():
    known = returns_of([factor(4000)], arb(0))
    assert known.returns(Level(5.0, 1e9, 1.0)) is None or known.returns(Level(5.0, 1e9, 1.0))[0]
    assert known.returns(Level(5.0, 1.0, 1e30)) is None
    assert known.returns(Level(1e9, 1.0, 1.0)) is None
    assert not known.bound([Level(5.0, 6.0, 6.0)], arb(1e-3), arb(0.1), lambda height: arb(1)).is_finite()  # Y in the stretch of 0
    assert not known.bound([], arb(1), arb(0.1), lambda height: arb(1)).is_finite()
    assert approx_returns_end([GaussianFactor(arb(1))], 0.5, 20.0, 0.1) == (math.inf, ())
    near = AtomicFactor([arb(1) / 2, arb(1) / 4, arb(1) / 4], [arb(0), arb(10) ** -300, -(arb(10) ** -300)], 10**6)
    assert approx_returns_end([near], 0.5, 20.0, 0.1) == (math.inf, ())  # the speeds are no floats when squared
    lattice = factor(10**6, (0.0, 1.0, 2.0), (0.4, 0.3, 0.3))
    assert approx_returns_end([lattice], 0.0, 40.0, 0.01) == (math.inf, ())


def by_conditioning(p, q, steps, epsilon):
    """δ of a law of three outcomes: binomial tails of the second for every count of the first, in floats."""
    first = np.arange(steps + 1)
    mean = p[0] * steps
    near = np.abs(first - mean) < 12 * math.sqrt(mean)
    first = first[near]
    losses = [math.log(a / b) for a, b in zip(p, q, strict=True)]
    rest = steps - first
    need = (epsilon - first * losses[0] - rest * losses[2]) / (losses[1] - losses[2])  # the second more often than this
    assert losses[1] > losses[2]
    above = []
    for law in (p, q):
        weight = gammaln(steps + 1) - gammaln(first + 1) - gammaln(rest + 1) + first * math.log(law[0]) + rest * math.log(1 - law[0])
        above.append(np.sum(np.exp(weight) * binom.sf(np.floor(need), rest, law[1] / (1 - law[0]))))
    return above[0] - math.exp(epsilon) * above[1]


def test_many_uses_of_three_outcomes():
    p, q = (0.5, 0.303, 0.197), (0.5001, 0.3025, 0.1974)
    table = FiniteTable([Fraction(str(x)) for x in p], [Fraction(str(x)) for x in q])
    (product,) = dominating_pairs(Repeated(table, 10**6), direction="remove")
    found, how = integrate(elements_of(product).factors, lambda: arb("0.9"), 5, lambda: arb(0))
    assert "Bromwich line" in how and found.overlaps(delta(Repeated(table, 10**6), "0.9", digits=5, direction="remove").enclosure)
    truth = by_conditioning(p, q, 10**6, 0.9)
    assert abs(truth / found.lower_float - 1) < 3e-5


def test_unlike_laws_turn_together():
    """Two laws of two outcomes, each more than half of the fall: the sum of all nodes as far as they are affordable."""
    laws = [((0.0, 1.0), (0.5, 0.5), 10**6), ((0.0, math.sqrt(2) / 3), (0.6, 0.4), 10**6)]
    factors = [factor(steps, losses, masses) for losses, masses, steps in laws]
    end, levels = approx_returns_end(factors, 0.0, 9.0, 0.0005)
    assert all(approx_returns_end([each], 0.0, 9.0, 0.0005)[0] > 1.2 * end for each in factors)
    last = 0.0005 * math.ceil(end / 0.0005)
    bound = float(returns_of(factors, arb(0)).bound(levels, arb(last), arb(0.0005), lambda height: arb(1)))
    heights = last + 0.0005 * np.arange(1, 400_000)
    kept = math.prod(fallen(steps, heights, losses, masses) for losses, masses, steps in laws)
    assert 0.0005 * np.sum(kept / heights**2) / math.pi <= bound <= 3 * math.exp(-9)


def test_rare_skellam_noise_many_times():
    """Refused before: the exact sum would have 10^150 terms. The float64 lattice gives 0.3309564… too."""
    found = delta(Repeated(Sampled(Skellam("0.198"), PoissonSampling("0.000418")), 2_260_000), "1.78", digits=8, direction="add")
    assert found.enclosure.meets(8)
    assert found.lower.startswith("0.330956439")


def test_tails_are_small_against_a_tiny_delta():
    """What a law with tails leaves out, about one unit in the last place, was far above a δ of 1e-254."""
    mechanism = Repeated(Sampled(Skellam("8.21"), PoissonSampling("0.000986")), 69_500_000_000)
    assert delta(mechanism, "7529.759018091", digits=6, direction="remove").enclosure.meets(6)


def test_a_lattice_beside_noise_that_has_fallen_when_it_returns():
    """All losses of the one are in step again at y = 14.3, where |M| of the other is e^-22; float64 has 45498732506 ± 10.4."""
    noise = Repeated(Sampled(Gaussian("3.09"), PoissonSampling("0.813")), 3)
    mechanism = Composed((Repeated(DiscreteLaplace("4.55", 5), 104_000_000_000), noise))
    found = delta(mechanism, 45_498_732_506, digits=4, direction="add")
    assert found.enclosure.meets(4)
    assert abs(float(found.lower) / 5.6e-6 - 1) < 1e-2


def test_two_outcomes_very_many_times():
    """The binomial sum took a second a million terms; 1.38e11 uses, against the normal law."""
    found = delta(Repeated(DiscreteLaplace("1.43"), 138_000_000_000), 32_432_764_978, digits=8)
    loss = 1 / 1.43
    up = 1 / (1 + math.exp(-loss))
    mean, deviation = 138e9 * loss * (2 * up - 1), math.sqrt(138e9 * 4 * up * (1 - up)) * loss
    assert abs(float(found.lower) / norm.sf((32_432_764_978 - mean) / deviation) - 1) < 1e-3
    short = Repeated(DiscreteLaplace("1.43"), 10**5)
    assert delta(short, 24_000, digits=8).method == OF_TWO
    (product,) = dominating_pairs(short, direction="remove")
    line, _ = lattice_delta(elements_of(product), Fraction(24_000), 9)
    assert line.overlaps(delta(short, 24_000, digits=8).enclosure)


def test_epsilon_is_zero_where_total_variation_adds_up_to_less():
    found = epsilon(Repeated(Sampled(Skellam("81"), PoissonSampling("7.76e-8")), 10), "0.000181", direction="add")
    assert found.upper == "0"
    (product,) = dominating_pairs(Repeated(RandomizedResponse("0.01"), 10), direction="remove")  # 10·tanh(0.005) < 0.05
    assert surely_zero(elements_of(product), Fraction("0.05"))
    assert not surely_zero(elements_of(product), Fraction("0.0499"))


def test_returns_are_where_they_are():
    """Losses with nearly a common measure: all heights below 300 where A < τ, by brute force, are in the stretches that are listed."""
    losses, masses, steps, fall = (0.0, 1.0, 2.0005, -1.0003), (0.4, 0.3, 0.2, 0.1), 5000, 12.0
    found = returns_of([factor(steps, losses, masses)], arb(0)).form(arb(fall))
    ends = near_returns(found, arb(fall), arb(300))
    assert ends is not None and 3 < len(ends) < 60
    heights = 0.001 * np.arange(3000, 300_000)
    seen = heights[fallen(steps, heights, losses, masses) > math.exp(-fall)]
    assert len(seen) > 10
    stretches = sorted(own.end for own in ends)
    for own in ends:  # φ is the least of A there, as far as A is what the atoms show of it
        heights = float(own.middle) + float(own.half) * np.linspace(-1, 1, 201)
        assert np.max(fallen(steps, heights, losses, masses)) <= math.exp(-float(own.fall)) * (1 + 1e-9)
    assert seen[-1] <= stretches[-1]
    assert all(any(0 <= end - height < 1 for end in stretches) for height in seen)


def test_a_table_of_four_a_million_times():
    """Three speeds: a return that is not passed is bounded where it is. A normal limit of the tilted law has the same ε to six digits."""
    p, q = ("3/16", "7/16", "2/16", "4/16"), ("8/23", "5/23", "7/23", "3/23")
    found = epsilon(Repeated(FiniteTable(p, q), 1_290_000), "1.13e-271", digits=8)
    assert found.enclosure.meets(8)
    masses = [Fraction(entry) for entry in q]
    losses = [math.log(Fraction(own) / Fraction(other)) for own, other in zip(q, p, strict=True)]

    def moments(c):
        weights = [float(mass) * math.exp(c * loss) for mass, loss in zip(masses, losses, strict=True)]
        mean = sum(w * loss for w, loss in zip(weights, losses, strict=True)) / sum(weights)
        return math.log(sum(weights)), mean, sum(w * (loss - mean) ** 2 for w, loss in zip(weights, losses, strict=True)) / sum(weights)

    low, high = 1e-3, 1.0
    for _ in range(60):  # the tilt at which Laplace's approximation of δ is the target
        c = math.sqrt(low * high)
        value, mean, spread = moments(c)
        log_delta = 1_290_000 * (value - c * mean) - math.log(c * (c + 1)) - 0.5 * math.log(2 * math.pi * 1_290_000 * spread)
        low, high = (c, high) if log_delta > math.log(1.13) - 271 * math.log(10) else (low, c)
    assert abs(1_290_000 * moments(c)[1] / found.enclosure.lower_float - 1) < 1e-3


def test_skellam_noise_very_many_times():
    """Nearly a lattice; the normal approximation of float64 has the same ε: 643535.1 ± 4.6."""
    found = epsilon(Repeated(Skellam("13.2", 2), 4_200_000), "3.27e-12", direction="add")
    assert found.enclosure.meets(15)
    assert 643530.5 < found.enclosure.lower_float < 643539.7
