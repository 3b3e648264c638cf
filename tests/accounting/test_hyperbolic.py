"""The bent contour: it holds closed forms, every error term is needed, and unfit paths and hyperbolas are refused.

The drop tests drive one part into a corner where one error term dominates (coarse step, short range), compare with a value from elsewhere,
and then drop that term.
"""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb
from numpy.polynomial.hermite_e import hermegauss

from dpbounds.accounting.bromwich_planning import target_of
from dpbounds.accounting.rays import hyperbolic as bent
from dpbounds.accounting.rays.hyperbola import Hyperbola, displaced
from dpbounds.accounting.rays.hyperbolic import BentLine, bent_integrand, growth, truncation
from dpbounds.accounting.rays.hyperbolic_planning import approx_triangle, plan_bent
from dpbounds.accounting.solve import delta
from dpbounds.errors import PrecisionError
from dpbounds.float64 import delta_bounds
from dpbounds.laws.closed_forms import mixture_delta
from dpbounds.laws.contour_factor import GaussianFactor
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.paths import deformed_path_moment
from dpbounds.laws.paths.deformed_path import PathEnd, RisingPath, Stretch, softplus
from dpbounds.laws.paths.deformed_path_moment import PathCell, PathRule, RotatedMixture, edges, mean_exponential
from dpbounds.laws.paths.deformed_path_planning import PathPlanner
from dpbounds.mechanisms import Composed, Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.numbers.balls import ball, precision
from dpbounds.numbers.discs import ball_around_zero

REMOVE = Mixture(Fraction(1, 2), Fraction(1), numerator=True, denominator=False)
ADD = Mixture(Fraction(1, 2), Fraction(1), numerator=False, denominator=True)
BOTH = Mixture(Fraction(1, 2), Fraction(1), numerator=True, denominator=True)
SHAPES = pytest.mark.parametrize("mixture", [REMOVE, ADD, BOTH], ids=["remove", "add", "substitute"])
EPSILON = Fraction(1, 2)
DEPTH = 10.0


@pytest.fixture(autouse=True)
def _bits():
    with precision(128):
        yield


def factors_of(mixture, steps=1, variance=None):
    found = [MixtureFactor(mixture, steps)]
    return found if variance is None else [*found, GaussianFactor(arb(variance))]


def plan_of(factors, epsilon=EPSILON, tolerance=12.0):
    return plan_bent(factors, float(epsilon), tolerance, target_of(factors, float(epsilon), tolerance))


def value(factors, chosen, epsilon=EPSILON):
    return BentLine(bent_integrand(factors, ball(epsilon)), chosen).delta(ball(epsilon))


def coarse(chosen, times):
    """The plan with a step that many times as long; it still divides the pieces."""
    assert round(chosen.main[0].high / chosen.step) % times == 0
    step = times * chosen.step
    return replace(chosen, step=step, count=round(chosen.main[-1].high / step) + 1)


def short(chosen, pieces):
    """The plan with the sum ended after that many pieces, and an empty one whose paths are known to fall from there on."""
    end = chosen.main[pieces - 1].high
    main = (*chosen.main[:pieces], replace(chosen.main[-1], low=end, high=end))
    return replace(chosen, main=main, count=round(end / chosen.step) + 1)


def mean(mixture, function, step=1 / 24):
    """E_P[function(loss)] by the trapezoid rule on the real line: relative error below 1e-12 for the smooth functions used here."""
    q, sigma = mixture.parameters()
    half = 1 / (2 * sigma**2)
    total = arb(0)
    for n in range(int(-9 / step), int(11 / step)):
        s = arb(step) * n
        log_u, log_v = ((q * (sign * s / sigma - half).expm1()).log1p() for sign in (1, -1))
        density = (-s * s / 2).exp() * (log_u.exp() if mixture.numerator else 1)
        # the add direction in the turned variable: P has the density φ, the loss is −log v
        loss = (log_u if mixture.numerator else 0) - (log_v if mixture.denominator else 0)
        total += density * function(loss)
    return total * step / (2 * arb.pi()).sqrt()


def gaussian_delta(variance, epsilon):
    """δ(ε) of plain Gaussian noise, v = `variance`: Φ((v/2−ε)/√v) − e^ε·Φ((−v/2−ε)/√v)."""
    below, above = (((epsilon - sign * arb(variance) / 2) / (2 * arb(variance)).sqrt()).erfc() / 2 for sign in (1, -1))
    return below - epsilon.exp() * above


def one_step(mixture, epsilon):
    """δ₁(ε), also where every loss exceeds ε or none does."""
    q, _ = mixture.parameters()
    one_way = not (mixture.numerator and mixture.denominator)
    if one_way and mixture.numerator and epsilon <= (-q).log1p():
        return -epsilon.expm1()
    return mixture_delta(mixture, epsilon)


def with_slack(exact, relative=1e-11):
    assert exact.is_finite()
    return exact * (1 + arb(0, relative))


def check(monkeypatch, owner, name, compute, exact, replacement):
    """The ball overlaps the truth; with the term replaced it does not."""
    found = compute()
    assert exact.is_finite() and found.is_finite() and found.overlaps(exact)
    monkeypatch.setattr(owner, name, replacement)
    assert not compute().overlaps(exact)


def zero(*_):
    return arb(0)


# whole values ----------------------------------------------------------------------------------------------------------------


@SHAPES
def test_one_step_holds_the_closed_form(mixture):
    factors = factors_of(mixture)
    found = value(factors, plan_of(factors))
    exact = mixture_delta(mixture, ball(EPSILON))
    assert found.overlaps(exact)
    assert found.rad() <= 1e-5 * exact


@pytest.mark.parametrize("mixture", [REMOVE, BOTH], ids=["remove", "substitute"])
def test_one_step_of_rare_sampling_holds_the_closed_form(mixture):
    pair, budget = replace(mixture, q=Fraction(1, 100)), Fraction(3, 1000)
    factors = factors_of(pair)
    found = value(factors, plan_of(factors, budget, 8.0), budget)
    exact = mixture_delta(pair, ball(budget))
    assert found.overlaps(exact)
    assert found.rad() <= 1e-3 * exact


@SHAPES
def test_two_steps_hold_the_nested_mean(mixture):
    """δ₂(ε) = E[δ₁(ε − L)], δ₁ in closed form also at negative arguments."""
    factors = factors_of(mixture, 2)
    found = value(factors, plan_of(factors))
    exact = with_slack(mean(mixture, lambda loss: one_step(mixture, ball(EPSILON) - loss)))
    assert found.overlaps(exact)
    assert found.rad() <= 1e-5 * exact


@SHAPES
def test_one_step_and_plain_noise_hold_the_nested_mean(mixture):
    """E[δ of the plain noise at ε − L]."""
    factors = factors_of(mixture, 1, 0.25)
    found = value(factors, plan_of(factors))
    exact = with_slack(mean(mixture, lambda loss: gaussian_delta(0.25, ball(EPSILON) - loss)))
    assert found.overlaps(exact)
    assert found.rad() <= 1e-5 * exact


# error terms along the hyperbola ------------------------------------------------------------------------------------------------


@SHAPES
def test_aliases_of_a_coarse_step_are_counted(monkeypatch, mixture):
    factors = factors_of(mixture)
    chosen = plan_of(factors)
    chosen = coarse(chosen, round(chosen.main[0].high / chosen.step))
    check(monkeypatch, bent, "discretisation", lambda: value(factors, chosen), mixture_delta(mixture, ball(EPSILON)), zero)


@SHAPES
def test_what_lies_beyond_the_last_node_is_counted(monkeypatch, mixture):
    factors = factors_of(mixture)
    chosen = short(plan_of(factors), 5)
    check(monkeypatch, bent, "truncation", lambda: value(factors, chosen), mixture_delta(mixture, ball(EPSILON)), zero)


def test_plain_noise_counts_in_the_aliases(monkeypatch):
    """Where the saddle point is far from the poles e^{z(z+1)v/2} is the largest factor."""
    variance, budget = 4.0, Fraction(16)
    factors = factors_of(REMOVE, 1, variance)
    chosen = plan_of(factors, budget)
    chosen = coarse(chosen, round(chosen.main[0].high / chosen.step))
    exact = mean(REMOVE, lambda loss: gaussian_delta(variance, ball(budget) - loss))
    usual = bent._plain_integral

    def without(integrand, curve, piece):
        return usual(replace(integrand, variance=arb(0)), curve, piece)

    check(monkeypatch, bent, "_plain_integral", lambda: value(factors, chosen, budget), with_slack(exact), without)


def test_errors_of_the_moments_are_counted(monkeypatch):
    """Path rules with steps four times as long."""
    factors = factors_of(REMOVE)
    chosen = plan_of(factors)
    main = tuple(replace(piece, rules=tuple(replace(rule, step=4 * rule.step) for rule in piece.rules)) for piece in chosen.main)
    chosen = replace(chosen, main=main)
    check(monkeypatch, RotatedMixture, "rule_error", lambda: value(factors, chosen), mixture_delta(REMOVE, ball(EPSILON)), zero)


# error terms along the path over the noise ----------------------------------------------------------------------------------------

Z = acb(1, 4)
RAISED = RisingPath(0.8, 0.0, 0.0, 1.0)


def exact_moment(rotated, z):
    """N(z) along the real line, by sums over s = n/16: the integrand is analytic for |Im s| < πσ = π, the error below 1e-30."""
    sigma, constant, rest = rotated.constants()
    total = acb(0)
    for n in range(-16 * 14, 16 * 18):
        s = arb(n) / 16
        own = (s / sigma + constant).exp().log1p()
        excess = own - (constant - s / sigma).exp().log1p() if rotated.both else own
        total += (-s * s / 2 + (own + rest if rotated.power else 0) + z * excess).exp()
    return total / 16 / (2 * arb.pi()).sqrt()


def overlap(left, right):
    return left.real.overlaps(right.real) and left.imag.overlaps(right.imag)


def check_moment(monkeypatch, mixture, rule, name):
    rotated = RotatedMixture(mixture, 1)
    exact = exact_moment(rotated, Z) + ball_around_zero(arb(1e-12))
    found = rotated.moments(rule, [Z], [Z], DEPTH)[0]
    assert found.is_finite() and overlap(found, exact)
    monkeypatch.setattr(RotatedMixture, name, zero)
    assert not overlap(rotated.moments(rule, [Z], [Z], DEPTH)[0], exact)


@SHAPES
def test_aliases_in_t_are_counted(monkeypatch, mixture):
    check_moment(monkeypatch, mixture, PathRule(RAISED, -12.0, 16.0, 1.0, 1.6), "bound")


@SHAPES
def test_nodes_omitted_in_t_are_counted(monkeypatch, mixture):
    check_moment(monkeypatch, mixture, PathRule(RAISED, -2.5, 4.0, 1.0, 0.125), "tail")


SLANTED = PathRule(RisingPath(0.8, 0.6, -1.0, 0.5), -7.0, 7.0, 0.4, 0.125)
STRETCH = Stretch(-3.0, 3.5, 0.5, 2.0)
STRETCHED = PathRule(RisingPath(0.8, 0.6, -1.0, 0.5, STRETCH), -5.0, 5.5, 0.4, 0.1)
RULES = pytest.mark.parametrize("rule", [PathRule(RAISED, -3.0, 3.0, 0.5, 0.1), SLANTED, STRETCHED], ids=["level", "slanted", "stretched"])


@SHAPES
@pytest.mark.parametrize(("slope", "rate", "name"), [(0.0, 3.0, "bound"), (0.6, 2.0, "bound"), (0.0, 3.0, "tail"), (0.6, 2.0, "tail")])
def test_errors_of_stretched_rules_are_counted(monkeypatch, mixture, slope, rate, name):
    path = RisingPath(0.8, slope, -1.0, 0.5, Stretch(-2.0, 2.0, 0.4, rate))
    coarse, short = PathRule(path, -7.0, 7.5, 0.4, 0.55), PathRule(path, -3.0 - slope / 3, 3.2 + slope / 3, 0.4, 0.03125)
    check_moment(monkeypatch, mixture, coarse if name == "bound" else short, name)


def test_a_hundred_digits_take_few_nodes_over_little_noise():
    """The first piece of the contour for q = 0.001, σ = 0.3, 100 steps at ε = 28.7: 4,046 nodes in t, and about 650 in x."""
    rotated = RotatedMixture(Mixture(Fraction("0.001"), Fraction("0.3"), numerator=True, denominator=False), 100)
    planner = PathPlanner(rotated, 302.0, 12.0, 7.0)
    corners = approx_triangle(Hyperbola(-0.5, 8.0, 1.24), 0.0, 0.35)
    rule = planner.ranged(planner.best_path(corners), corners, -10.0)
    counts = [
        (found.high - found.low) / found.step for found in (planner.fewest_nodes(rule, corners, 282.0, choose=c) for c in (False, True))
    ]
    assert counts[0] >= 3500 and counts[1] <= 800


@pytest.mark.parametrize("stretch", [STRETCH, Stretch(), Stretch(1.0, 1.0, 2.0, 9.0)])
def test_a_stretch_grows_as_its_derivative_says_and_is_inverted(stretch):
    small = arb(2) ** -30
    for x in (-9.0, -3.0, 0.25, 3.5, 4.0, 20.0):
        for y in (0.0, 0.7):
            (before, _), (after, _) = (stretch.value_and_slope(acb(x, y) + side * small) for side in (-1, 1))
            value, derivative = stretch.value_and_slope(acb(x, y))
            assert abs((after - before) / (2 * small) - derivative) < 1e-8
            rough, slope = stretch.approx_at(complex(x, y))
            assert abs(value - rough) < 1e-12 * (1 + abs(rough)) and abs(derivative - slope) < 1e-12 * abs(slope)
        assert abs(stretch.approx_inverse(float(stretch.value_and_slope(acb(x))[0].real)) - x) < 1e-9
        assert stretch.value_and_slope(acb(x))[1].real >= 1


@SHAPES
@RULES
@pytest.mark.parametrize("z", [Z, acb(-2, 5), acb(3, 9)], ids=str)
def test_bounds_hold_the_integrals_of_the_modulus(mixture, rule, z):
    rotated = RotatedMixture(mixture, 1)
    for y in (0.0, rule.shift, -rule.shift):
        inside, beyond = arb(0), arb(0)
        for n in range(-8 * 20, 8 * 20):
            t = (n + 0.5) / 8
            s, derivative = rule.path.value_and_slope(acb(t, y))
            weight, excess = rotated.integrand(s)
            size = abs(derivative) * (weight + z * excess).real.exp() / 8 / (2 * arb.pi()).sqrt()
            inside += size
            beyond += size if t - 1 / 16 >= rule.high or t + 1 / 16 <= rule.low else 0
        # the modulus is analytic in t: midpoint sums of it are exact to better than one part in a hundred
        assert inside * 0.99 <= rotated.bound(rule, y, z, DEPTH)
        assert beyond * 0.99 <= rotated.tail(rule, y, z)


@pytest.mark.parametrize(("least", "most"), [(0.7, 0.7), (-2.0, 3.0), (-1e-4, 1e-3), (1.0, 2.5), (-3.0, -0.5), (0.0, 0.0)])
def test_a_cell_holds_the_integral_of_the_steepest_exponent_that_its_slopes_allow(least, most):
    """ψ(t) = most·u right of the middle and least·u left of it: nothing is to spare, so that no slope may be left out."""
    whole = sum(((most if u > 0 else least) * arb(u)).exp() for u in (-1 + (n + 0.5) / 1000 for n in range(2000))) / 2000
    zero = acb(0)
    found = PathCell(arb(0), zero, arb(least).union(arb(most)), zero).size(acb(3, 4))
    assert whole * (1 - 1e-9) <= found <= whole * (1 + 1e-5)
    turned = PathCell(arb(0), zero, arb(0), acb(0, -arb(least).union(arb(most)))).size(acb(0, 1))
    assert whole * (1 - 1e-9) <= turned <= whole * (1 + 1e-5)
    moved = PathCell(arb(1), acb(2, 5), arb(least).union(arb(most)), zero).size(acb(1, 1))
    assert moved.overlaps(found * (arb(1) + 2 - 5).exp())


@pytest.mark.parametrize("z", [acb(2), acb(0, 3), acb(2, 3), acb(-2, 1)], ids=str)
def test_the_slope_of_a_cell_is_that_of_the_weight_and_of_both_parts_of_the_loss(z):
    rise = arb("0.5") + z.real * arb("0.3") - z.imag * arb("0.2")
    found = PathCell(arb(0), acb(0), arb("0.5"), acb("0.3", "0.2")).size(z)
    exact = rise.sinh() / rise
    assert exact * (1 - 1e-12) <= found <= exact * (1 + 1e-6)


@SHAPES
@pytest.mark.parametrize("y", [0.0, 0.4])
@RULES
def test_cells_hold_the_slopes_and_the_length_of_the_path(mixture, rule, y):
    """Against differences along the path, at both ends of a cell, where the slopes differ most from those in the middle."""
    rotated, small = RotatedMixture(mixture, 1), arb(2) ** -30

    def at(t):
        s, _ = rule.path.value_and_slope(acb(t, y))
        return s, *rotated.integrand(s)

    cells = rotated.cells(rule, y, DEPTH)
    cuts = edges(rule.low, rule.high, mixture, DEPTH, rule.path.stretch)
    for cell, start, end in list(zip(cells, cuts, cuts[1:], strict=False))[::4]:
        half, middle = (arb(end) - arb(start)) / 2, (arb(end) + arb(start)) / 2
        for t in (arb(start), middle, arb(end)):
            s, weight, excess = ((after - before) / (2 * small) for before, after in zip(at(t - small), at(t + small), strict=True))
            for rise, slope in (
                (cell.weight_rise, weight.real),
                (cell.excess_rise.real, excess.real),
                (cell.excess_rise.imag, excess.imag),
            ):
                assert (rise + arb(0, 1e-8)).overlaps(slope * half)  # half widths are rounded up
            length = abs(s) * 2 * half / (2 * arb.pi()).sqrt()
            assert at(middle)[1].real + length.log() <= cell.weight + 1e-12


@pytest.mark.parametrize("x", [0.0, 1e-12, 9e-4, 1.1e-3, 0.5, 3.0, 50.0])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_mean_of_an_exponential_is_bounded_and_nearly_attained(x, sign):
    with precision(400):
        exact = sum((arb(sign * x) ** k / arb(k + 1).fac() for k in range(300)), arb(0))
    with precision(53):
        found = mean_exponential(arb(sign * x))
    assert exact <= arb(found.upper()) <= exact * (1 + 1e-6)


@SHAPES
def test_moments_of_few_bits_are_enclosed(mixture):
    """The bits of a piece are the planner's choice, and any are sound."""
    factors = factors_of(mixture)
    chosen = plan_of(factors)
    found = value(factors, replace(chosen, main=tuple(replace(piece, bits=25) for piece in chosen.main)))
    exact = mixture_delta(mixture, ball(EPSILON))
    assert found.overlaps(exact) and 1e-8 * exact < found.rad() < 1e-3 * exact


@pytest.mark.parametrize(
    ("q", "sigma", "steps", "budget"), [("0.001", "0.5", 1000, 6), ("0.001", "1", 3000, 1), ("1e-4", "0.3", 10_000, 29)]
)
def test_many_steps_agree_with_the_straight_line(q, sigma, steps, budget):
    factors = factors_of(Mixture(Fraction(q), Fraction(sigma), numerator=True, denominator=False), steps)
    chosen = plan_of(factors, Fraction(budget), 30.0)
    with precision(200):
        found = value(factors, chosen, Fraction(budget))
    mechanism = Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)
    straight = delta(mechanism, budget, digits=7, direction="remove").enclosure.ball()
    assert found.rel_accuracy_bits() > 25 and found.overlaps(straight)


def end_is_sound(path, right):
    """Whether the fall, the slope and the position hold at and beyond cuts of the path, some of them close to where it turns."""
    sigma, stretch = arb(2), path.stretch
    for away in (0.3, 0.6, 1.0, 2.0, 4.0):
        for y in (0.0, 0.6, -0.6):
            start = max(path.bend, stretch.high) if right else min(path.bend - 2, stretch.low)
            cut = start + away if right else start - away
            end = PathEnd(path, right, arb(cut), arb(abs(y)))
            for further in (0.0, 0.1, 0.5, 1.0, 3.0, 10.0):
                s, derivative = path.value_and_slope(acb(cut + further if right else cut - further, y))
                fall = (s * derivative).real if right else -(s * derivative).real
                if fall < end.gaussian_slope() or not end.derivative.overlaps(derivative):
                    return False
                if s.real / sigma < end.position(sigma) if right else s.real / sigma > end.position(sigma):
                    return False
    return True


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("stretch", [Stretch(), Stretch(-1.0, 1.0, 0.5, 3.0), Stretch(-1.0, 1.0, 1.0, 0.5)])
def test_the_end_of_a_path_holds_what_lies_beyond(right, stretch):
    assert end_is_sound(RisingPath(0.8, 0.7, 1.0, 0.5, stretch), right)
    assert end_is_sound(RisingPath(0.8, 0.0, 1.0, 0.5, stretch), right)


@pytest.mark.parametrize(
    ("name", "right"), [("looseness", True), ("looseness", False), ("_stretch_radius", True), ("_stretch_radius", False), ("breadth", True)]
)
def test_what_a_stretch_leaves_open_is_counted(monkeypatch, name, right):
    path = RisingPath(0.8, 0.7, 1.0, 0.5, Stretch(-1.0, 1.0, 1.0, 6.0))
    assert end_is_sound(path, right)
    monkeypatch.setattr(PathEnd, name, property(lambda end: arb(0)))
    assert not end_is_sound(path, right)


def near(found, expected):
    return found.is_finite() and abs(found - arb(expected)) <= 1e-7 * abs(arb(expected))


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_the_end_of_a_path_counts_every_term(right, slope):
    """The bounds once more, term by term in floats: T and its derivative are off by two logarithms, each at most 1/(e^X − 1)."""
    rate, width, turn, bend, height, side, sigma = 3.0, 0.7, 6.0, 0.4, -0.8, 0.25, 2.0
    stretch = Stretch(-1.0, 2.0, width, rate)
    cut = 4.0 if right else -4.0
    end = PathEnd(RisingPath(height, slope, bend, turn, stretch), right, arb(cut), arb(side))
    corner = stretch.high if right else stretch.low
    share = 1 / math.expm1(abs(cut - corner) / width)
    logarithms = rate * width * share + rate * width * share
    nearest = abs((1 + rate) * cut - rate * corner) - logarithms
    tallest = side + rate * side + logarithms
    loose = (rate * share + rate * share) / (1 + rate)
    outset = nearest if right else -nearest
    assert near(end.outset, outset) and near(end.breadth, tallest) and near(end.looseness, loose)
    bent_by = 1 / math.expm1(abs(outset - bend) / turn) if slope else 0.0
    risen = bent_by * slope * turn
    assert near(end.position(arb(sigma)), (outset - slope * tallest - risen if right else outset + risen) / sigma)
    straight = complex(1, slope if right else 0)
    offset = abs(height - slope * bend) if right else abs(height)
    far, steepest = abs(straight) * (nearest + tallest) + offset, abs(straight) + slope * bent_by
    fall = (straight * straight).real * nearest - (slope * (2 * tallest + height - slope * bend) if right else 0)
    fall -= slope * bent_by * far  # ds/dt is off
    fall -= risen * (steepest if right else 1)  # s is off; at the left the product of both is counted with the next
    fall -= 0 if right else slope * bent_by * risen
    fall -= loose * (far + risen) * steepest  # dt/dx is off
    assert near(end.gaussian_slope(), (1 + rate) * fall)


@pytest.mark.parametrize("z", [acb(0), acb(0, 5), acb(2, -3)], ids=str)
def test_the_growth_at_an_end_has_all_densities(z):
    """On a level path, at s = 9: u^{a₀+z} grows with the rate Re(a₀+z), v^{−z} with |z|·e^{w(−s)} at least."""
    end, cut = PathEnd(RisingPath(0.5, 0.0, 0.0, 1.0), True, arb(9), arb(0)), arb(9)
    remove, add, both = (RotatedMixture(mixture, 1)._growth(end, z) for mixture in (REMOVE, ADD, BOTH))
    assert remove.upper() >= 1 + z.real and add.upper() >= z.real
    other = (RotatedMixture(BOTH, 1).constants()[1] - cut).exp()
    assert both.upper() - remove.upper() >= abs(z) * other * (1 - arb(2) ** -30)


def test_ends_are_asked_for_with_the_displacement(monkeypatch):
    sides, usual = [], PathEnd

    def noted(path, right, cut, side):
        sides.append(side)
        return usual(path, right, cut, side)

    monkeypatch.setattr(deformed_path_moment, "PathEnd", noted)
    rotated, rule = RotatedMixture(REMOVE, 1), PathRule(RAISED, -8.0, 9.0, 0.5, 0.1)
    assert rotated.is_admissible(rule, DEPTH) and all(rotated.tail(rule, y, Z).is_finite() for y in (0.5, -0.5))
    assert len(sides) >= 6 and all(side >= 0.5 for side in sides)


@pytest.mark.parametrize("height", [0.8, -0.8])
def test_both_displacements_are_in_the_error_of_a_rule(height):
    rotated, rule = RotatedMixture(REMOVE, 1), PathRule(RisingPath(height, 0.0, 0.0, 1.0), -12.0, 16.0, 1.0, 1.6)
    damping = (2 * arb.pi() * arb(rule.shift) / rule.step).expm1()
    both = sum((rotated.bound(rule, y, Z, DEPTH) for y in (rule.shift, -rule.shift)), arb(0))
    assert rotated.rule_error(rule, [Z], DEPTH) >= (both / damping + rotated.tail(rule, 0.0, Z)) * (1 - 1e-9)


def test_what_is_remembered_is_asked_for_by_all_that_it_depends_on():
    rotated, rule = RotatedMixture(REMOVE, 1), PathRule(RAISED, -8.0, 9.0, 0.5, 0.1)
    other = RisingPath(1.2, 0.0, 0.0, 1.0)
    rules = [rule, *(replace(rule, **part) for part in ({"path": other}, {"low": -7.0}, {"high": 8.0}, {"shift": 0.4}))]
    for asked in rules:
        for y in (0.0, asked.shift, -asked.shift):
            known, fresh = (one.bound(asked, y, Z, DEPTH) for one in (rotated, RotatedMixture(REMOVE, 1)))
            assert known.lower() == fresh.lower()
    rules = [
        rule,
        *(replace(rule, **part) for part in ({"shift": 2.15}, {"low": 1.5}, {"high": -4.0}, {"path": RisingPath(3.2, 0.0, 0.0, 1.0)})),
    ]
    assert [rotated.is_admissible(asked, DEPTH) for asked in rules] == [True, False, False, False, False]


@pytest.mark.parametrize("right", [True, False])
def test_between_the_corners_of_a_stretch_no_end_is_known(right):
    path = RisingPath(0.8, 0.0, 0.0, 1.0, STRETCH)
    end = PathEnd(path, right, arb(STRETCH.high - 0.1 if right else STRETCH.low + 0.1), arb(0))
    assert not end.gaussian_slope() > -1e9
    assert not (end.position(arb(1)) > -1e9 if right else end.position(arb(1)) < 1e9)


# what is refused -----------------------------------------------------------------------------------------------------------------


@SHAPES
@pytest.mark.parametrize("height", [2.0, -2.0])
def test_a_path_past_a_zero_is_refused(mixture, height):
    """u vanishes at s = 1/2 + iπ for q = 1/2, σ = 1: the path may be raised by 2, not by 3.2, nor by 2 and displaced by 1.2."""
    rotated = RotatedMixture(mixture, 1)
    rule = PathRule(RisingPath(height, 0.0, 0.0, 1.0), -12.0, 12.0, 0.5, 0.125)
    assert rotated.is_admissible(rule, DEPTH)
    past = replace(rule, path=replace(rule.path, height=1.6 * height))
    for unfit in (replace(rule, shift=1.2), past):
        assert not rotated.is_admissible(unfit, DEPTH)
        assert rotated.rule_error(unfit, [Z], DEPTH) == arb.pos_inf()


@SHAPES
def test_a_path_that_rises_past_the_zero_is_admissible_and_one_that_rises_before_it_is_not(mixture):
    rotated = RotatedMixture(mixture, 1)
    late, early = RisingPath(0.5, 0.9, 1.0, 0.2), RisingPath(0.5, 0.9, -4.0, 0.2)
    assert rotated.is_admissible(PathRule(late, -12.0, 12.0, 0.2), DEPTH)
    assert not rotated.is_admissible(PathRule(early, -12.0, 12.0, 0.2), DEPTH)


def test_a_path_whose_displacement_meets_its_own_singularity_is_refused():
    path = RisingPath(0.1, 0.5, 0.0, 0.1)
    assert RotatedMixture(REMOVE, 1).is_admissible(PathRule(path, -12.0, 12.0, 0.2), DEPTH)
    assert not RotatedMixture(REMOVE, 1).is_admissible(PathRule(path, -12.0, 12.0, 0.33), DEPTH)


def test_a_displacement_that_the_stretch_enlarges_is_refused_where_it_meets_a_singularity():
    """The bend, then the zero of u at s = 1/2 + iπ, outside of the corners, where displacements are five times as large."""
    rotated, stretch = RotatedMixture(REMOVE, 1), Stretch(-2.0, 2.0, 0.5, 4.0)
    bends = [RisingPath(0.1, 0.5, bend, 0.3, stretch) for bend in (0.0, 8.0)]
    assert [rotated.is_admissible(PathRule(path, -8.0, 8.0, 0.3), DEPTH) for path in bends] == [True, False]
    zeros = [RisingPath(0.1, 0.0, 0.0, 1.0, replace(stretch, low=low, high=low + 4)) for low in (-2.0, -6.0)]
    assert [rotated.is_admissible(PathRule(path, -9.0, 8.0, 0.9), DEPTH) for path in zeros] == [True, False]
    for height in (1.5, -1.5):  # one of the two displacements alone
        assert not rotated.is_admissible(PathRule(replace(zeros[1], height=height), -9.0, 8.0, 0.5), DEPTH)
        assert rotated.is_admissible(PathRule(replace(zeros[1], height=height), -9.0, 8.0, 0.1), DEPTH)


@pytest.mark.parametrize(
    "parts",
    [
        {"slope": -0.1},
        {"slope": 1.0},
        {"width": 0.0},
        {"width": -1.0},
        {"stretch": Stretch(2.0, -2.0, 0.5, 4.0)},
        {"stretch": Stretch(-2.0, 2.0, -0.5, 4.0)},
        {"stretch": Stretch(-2.0, 2.0, 0.5, -0.5)},
    ],
    ids=str,
)
def test_paths_outside_of_what_the_bounds_allow_are_refused(parts):
    rotated, path = RotatedMixture(REMOVE, 1), RisingPath(0.1, 0.5, 0.0, 1.0, Stretch(-2.0, 2.0, 0.5, 4.0))
    assert path.is_sound() and rotated.is_admissible(PathRule(path, -8.0, 8.0, 0.1), DEPTH)
    assert not replace(path, **parts).is_sound()
    assert not rotated.is_admissible(PathRule(replace(path, **parts), -8.0, 8.0, 0.1), DEPTH)


def test_shifts_and_steps_below_zero_give_no_bound():
    """The formula for the error would be negative."""
    rotated = RotatedMixture(REMOVE, 1)
    for rule in (PathRule(RAISED, -12.0, 16.0, -1.0, 1.6), PathRule(RAISED, -12.0, 16.0, 1.0, -1.6), PathRule(RAISED, -12.0, 16.0, 1.0)):
        assert not rotated.rule_error(rule, [Z], DEPTH).is_finite()


def test_a_logarithm_that_may_lie_on_either_side_of_its_cut_is_not_known():
    """Right of the middle v + log(1 + e^{−v}) would be taken for all of the ball, and left of 0 it is 2πi off."""
    high, low = arb("3.4"), arb(3)
    for middle in (-0.1, 0.1):
        across = [acb(arb(middle, 0.2), y) for y in (high, -high)]
        assert not any(softplus(v)[0].is_finite() for v in across) and all(softplus(v)[1].is_finite() for v in across)
        within = softplus(acb(arb(middle, 0.2), low))[0]
        assert within.is_finite() and all(overlap(within, softplus(acb(x, low))[0]) for x in (-0.05, 0.0, 0.05))
    assert softplus(acb(arb(0.3, 0.2), high))[0].is_finite()


def test_left_of_zero_only_is_a_fall_known_at_the_left():
    """Right of 0 the square of the noise grows outward, by more than the formula for its absolute value says."""
    path = RisingPath(0.8, 0.7, 5.0, 1.0)
    assert PathEnd(path, False, arb(-1), arb(0)).gaussian_slope().is_finite()
    assert not PathEnd(path, False, arb(1), arb(0)).gaussian_slope().is_finite()


@SHAPES
def test_a_mixture_is_known_again_by_all_its_parts(mixture):
    """What is known of it serves for it alone: with other steps, weight, noise or shape the integrand is another one."""
    factors = factors_of(mixture, 3)
    same = RotatedMixture(mixture, 3)
    others = [RotatedMixture(mixture, 2)]
    others += [RotatedMixture(replace(mixture, **part), 3) for part in ({"q": Fraction(1, 3)}, {"sigma": Fraction(2)})]
    others += [RotatedMixture(other, 3) for other in (REMOVE, ADD, BOTH) if other != mixture]
    assert bent_integrand(factors, arb(1), [*others, same]).mixtures[0] is same
    (found,) = bent_integrand(factors, arb(1), others).mixtures
    assert not any(found is other for other in others) and (found.mixture, found.steps) == (mixture, 3)


@SHAPES
def test_a_range_that_ends_before_the_zero_is_refused(mixture):
    """The zero at Re s = 1/2 would lie beyond the cells."""
    assert not RotatedMixture(mixture, 1).is_admissible(PathRule(RAISED, -12.0, 0.4, 0.1), DEPTH)


@SHAPES
def test_directions_that_grow_are_refused(mixture):
    """On the right log|e^{zg}| grows like Re z·s, so a level path never falls there and a slope κ does if arg z > π/2 − arctan κ."""
    rotated = RotatedMixture(mixture, 1)
    level, rising = (PathRule(RisingPath(0.8, slope, -0.5, 0.5), -8.0, 8.0) for slope in (0.0, 0.7))
    steep, flat = (acb(math.cos(angle), math.sin(angle)) for angle in (1.3, 0.6))
    assert rotated.rise_along(rising, steep) == 0
    assert not rotated.rise_along(rising, flat).is_finite()
    assert not rotated.rise_along(level, steep).is_finite()
    assert rotated.rise_along(rising, acb(0, -1)) > 0


def test_a_direction_that_grows_between_the_ends_only_is_refused():
    """A bend late: both ends fall, and the level part between them does not."""
    rotated = RotatedMixture(REMOVE, 1)
    steep = acb(math.cos(1.3), math.sin(1.3))
    late = PathRule(RisingPath(0.8, 0.9, 8.0, 0.5), -8.0, 40.0)
    sigma, constant, _ = rotated.constants()
    assert all(rise(late, steep, sigma, constant) <= 0 for rise in (rotated._right_rise, rotated._left_rise))
    assert 0 < rotated.rise_along(late, steep) < 4


@SHAPES
@pytest.mark.parametrize("angle", [0.9, 1.2, 1.5])
def test_a_bound_in_one_direction_holds_all_along_the_path(mixture, angle):
    """Re(d·g) at many points of the path in mpmath-free floats, and B(z + t·d) ≤ e^{tS}·B(z) by cells."""
    rotated, direction = RotatedMixture(mixture, 1), acb(math.cos(angle), math.sin(angle))
    rule = PathRule(RisingPath(0.3, 0.9, -0.5, 0.5), -8.0, 12.0)
    rise = rotated.rise_along(rule, direction)
    if not rise.is_finite():
        assert angle < 1.0
        return
    for n in range(-400, 400):
        s, _ = rule.path.value_and_slope(acb(n / 10))
        assert (direction * rotated.integrand(s)[1]).real <= rise + 1e-9
    z, t = acb(5, 40), 3
    assert rotated.bound(rule, 0.0, z + t * direction, DEPTH) <= rotated.bound(rule, 0.0, z, DEPTH) * (rise * t).exp() * 1.05


def test_two_unlike_rare_uses_by_nested_quadrature():
    """E δ₁(ε − L₂), δ₁ of one use in closed form and the mean over the other by Gauss–Hermite nodes, in mpmath."""
    epsilon, (q1, sigma1), (q2, sigma2) = mpmath.mpf("0.732"), (mpmath.mpf("7.98e-8"), mpmath.mpf("0.325")), (mpmath.mpf("6.82e-8"), 16)

    def one(at):
        threshold = sigma1 * mpmath.log((mpmath.exp(at) - 1 + q1) / q1) + 1 / (2 * sigma1)
        q_side = mpmath.ncdf(-threshold)
        return (1 - q1) * q_side + q1 * mpmath.ncdf(1 / sigma1 - threshold) - mpmath.exp(at) * q_side

    nodes, weights = hermegauss(24)
    likelihood = [1 + q2 * mpmath.expm1(mpmath.mpf(s) / sigma2 - mpmath.mpf(1) / (2 * sigma2**2)) for s in nodes]
    mean = sum(w * u * one(epsilon - mpmath.log(u)) for w, u in zip(weights, likelihood, strict=True)) / mpmath.sqrt(2 * mpmath.pi)
    parts = [Sampled(Gaussian(sigma), PoissonSampling(q)) for sigma, q in (("0.325", "7.98e-8"), ("16", "6.82e-8"))]
    found = delta(Composed(tuple(parts)), "0.732", digits=6, direction="remove")
    assert found.method.startswith("hyperbolic")
    assert abs(found.enclosure.upper_float / float(mean) - 1) < 1e-5


def test_moments_that_grow_are_outweighed_or_refused():
    """Two unlike uses: at the end of the hyperbola the moment of the wide noise may grow, by less than e^{−ρz} falls; not by more."""
    wide, narrow = (Mixture(Fraction(1, 10**7), Fraction(s), numerator=True, denominator=False) for s in ("16.3", "0.325"))
    factors = [MixtureFactor(wide, 2), MixtureFactor(narrow, 1)]
    chosen = plan_bent(factors, 0.732, 20.0, target_of(factors, 0.732, 20.0))
    integrand = bent_integrand(factors, arb("0.732"), chosen.mixtures)
    last = chosen.main[-1]
    directions = chosen.hyperbola.direction(arb(last.high))
    rises = [growth(chosen.mixtures, last.rules, d) for d in directions]
    assert all(0 < rise <= integrand.rate() * d.real for rise, d in zip(rises, directions, strict=True))
    assert truncation(integrand, chosen.hyperbola, last, chosen.depths).is_finite()
    more = bent_integrand([MixtureFactor(wide, 2000), MixtureFactor(narrow, 1)], arb("0.732"))
    assert not truncation(more, chosen.hyperbola, last, chosen.depths).is_finite()


def crossing_at(chosen, x):
    """The plan with its hyperbola moved to cross the real axis at x."""
    curve = chosen.hyperbola
    return replace(chosen, hyperbola=replace(curve, centre=curve.centre + x - curve.approx_point(0.0).real))


@SHAPES
def test_a_hyperbola_on_the_wrong_side_of_a_pole_gives_nothing(mixture):
    factors = factors_of(mixture)
    chosen = plan_of(factors)
    integrand = bent_integrand(factors, ball(EPSILON))
    assert bent._passes_the_poles(integrand, chosen)
    sign = integrand.sign
    for beyond in (-0.5 * sign, -1.5 * sign):
        moved = crossing_at(chosen, beyond)
        assert not bent._passes_the_poles(integrand, moved)
        assert not value(factors, moved).is_finite()
    # the curve itself on the right side, one of the displaced ones not
    barely = crossing_at(chosen, 0.02 * sign)
    assert bent._passes_the_poles(integrand, replace(barely, turn=1e-4))
    assert not bent._passes_the_poles(integrand, barely)
    assert not value(factors, barely).is_finite()


def test_the_contour_is_not_bent_where_the_integrand_grows():
    """add, ε above the largest loss −log(1−q): e^{−ρz} grows to the right."""
    factors = factors_of(ADD)
    chosen = plan_of(factors)
    with pytest.raises(PrecisionError):
        plan_of(factors, Fraction(7, 10))
    assert not value(factors, chosen, Fraction(7, 10)).is_finite()


def test_the_triangle_holds_its_piece():
    curve = displaced(Hyperbola(0.5, 2.0, 1.2), -0.3)
    for low, high in ((0.0, 0.35), (0.35, 0.7), (2.0, 4.0)):
        corners = curve.triangle(low, high)
        for part in range(1, 20):
            point = curve.point(arb(low) + (arb(high) - low) * part / 20)
            sides = [(point - start) * (end - start).conjugate() for start, end in zip(corners, corners[1:] + corners[:1], strict=True)]
            assert all(side.imag > 0 for side in sides) or all(side.imag < 0 for side in sides)


@SHAPES
def test_the_bound_at_a_point_is_below_that_at_a_corner(mixture):
    rotated = RotatedMixture(mixture, 1)
    corners = Hyperbola(0.5, 2.0, 1.2).triangle(0.7, 1.4)
    largest = max(float(rotated.bound(SLANTED, 0.0, z, DEPTH)) for z in corners)
    for part in range(8):
        point = Hyperbola(0.5, 2.0, 1.2).point(arb(0.7) + arb(0.1) * part)
        assert abs(rotated.moments(SLANTED, [point], [point], DEPTH)[0]) <= largest


@pytest.mark.parametrize(
    "change",
    [
        lambda plan: {"count": plan.count - 10},
        lambda plan: {"step": plan.step / 2},
        lambda plan: {"main": plan.main[1:]},
        lambda plan: {"outer": plan.outer[1:]},
        lambda plan: {"inner": (replace(plan.inner[0], high=plan.inner[0].high / 2), *plan.inner[1:])},
        lambda plan: {"hyperbola": replace(plan.hyperbola, turn=0.01)},
        lambda plan: {"turn": -plan.turn},
    ],
)
def test_a_plan_whose_parts_do_not_fit_gives_nothing(change):
    factors = factors_of(REMOVE)
    chosen = plan_of(factors)
    assert value(factors, chosen).is_finite()
    assert not value(factors, replace(chosen, **change(chosen))).is_finite()


def test_an_ascent_left_of_zero_has_no_known_fall():
    path = RisingPath(-30.0, 0.5, -40.0, 1.0)
    assert PathEnd(path, True, arb(1), arb(0)).gaussian_slope().is_finite()
    assert PathEnd(path, True, arb(-1), arb(0)).gaussian_slope() == -arb.pos_inf()


def test_a_straight_contour_that_falls_short_is_bent():
    mechanism = Repeated(Sampled(Gaussian("0.493"), PoissonSampling("5.11e-6")), 27)
    found = delta(mechanism, "3.28e-5", digits=12, direction="add").enclosure
    bounds = delta_bounds(mechanism, "3.28e-5", direction="add")
    assert found.digits() >= 12
    assert math.exp(bounds.log_lower) <= found.upper_float
    assert math.exp(bounds.log_upper) >= found.lower_float


@pytest.mark.parametrize(("rate", "sigma", "steps", "epsilon"), [("0.019", "0.22", 50, "0.096"), ("0.29", "0.27", 9, "0.16")])
def test_paths_with_as_many_nodes_are_no_error(rate: str, sigma: str, steps: int, epsilon: str) -> None:
    """Two paths may need equally many nodes with equal steps; the float64 bounds say where δ lies."""
    mechanism = Repeated(Sampled(Gaussian(sigma), PoissonSampling(rate)), steps)
    found = delta(mechanism, epsilon=epsilon, direction="remove", digits=12)
    bounds = delta_bounds(mechanism, epsilon=epsilon, direction="remove")
    assert bounds.lower <= float(found.upper) and float(found.lower) <= bounds.upper
