"""Few uses of noise with atoms: closed forms, mpmath, lattice bounds, and a test that fails for each error term that is dropped."""

from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb

from dpbounds.accounting import delta
from dpbounds.accounting import epsilon as epsilon_at
from dpbounds.accounting.evaluate import evaluate
from dpbounds.accounting.rays import descent_rays as turned
from dpbounds.accounting.rays.descent_rays import RayContour, can_turn, integrate_turned
from dpbounds.errors import PrecisionError
from dpbounds.float64 import delta_bounds
from dpbounds.laws.laplace import laplace_delta
from dpbounds.laws.normal_form import elements_of
from dpbounds.laws.paths.descent_transforms import Patch, Ray, RayPlan
from dpbounds.laws.paths.endpoint_expansion import LaplaceDensity
from dpbounds.laws.sampled_laplace import SampledLaplaceLaw
from dpbounds.mechanisms import (
    Composed,
    Direction,
    FiniteTable,
    FixedSizeSampling,
    Gaussian,
    Guarantee,
    Laplace,
    PoissonSampling,
    RandomizedResponse,
    Repeated,
    Sampled,
)
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.numbers import gauss_legendre
from dpbounds.numbers.balls import precision
from dpbounds.numbers.gauss_legendre import ACROSS, ALONG, cover

RATE = Fraction(1, 10)


def elements(mechanism, direction="worst"):
    products = dominating_pairs(mechanism, None, Direction(direction), Guarantee.MECHANISM, upper_bounds=True)
    return elements_of(products[0])


def turned_of(mechanism, epsilon, digits, direction="worst"):
    found = elements(mechanism, direction)
    return integrate_turned(found, Fraction(epsilon), digits)


def sampled(scale, rate=RATE):
    return Sampled(Laplace(scale), PoissonSampling(rate))


def without(sigma, population, batch):
    return Sampled(Gaussian(sigma), FixedSizeSampling(population, batch))


# panels -----------------------------------------------------------------------------------------------------------------


def _exponential(left, right):
    half = (arb(right) - arb(left)) / 2
    return (8 * ((arb(left) + arb(right)) / 2 + half * ALONG)).exp()


def test_panels_enclose_an_integral_and_need_their_error(monkeypatch):
    with precision(100):
        exact = (arb(8).exp() - 1) / 8
        panels = cover(0.0, 4.0, _exponential, arb(1), 1.0)
        total = sum((weight * (8 * node).exp() for panel in panels for node, weight in panel.nodes()), arb(0))
        error = sum((panel.error for panel in panels), arb(0))
        assert error <= len(panels)
        assert (total + arb(0, error.upper())).contains(exact)
        assert not total.overlaps(exact)


def test_an_integrand_that_is_nowhere_bounded_is_refused():
    with pytest.raises(PrecisionError):
        cover(0.0, 1.0, lambda *_: arb.pos_inf(), arb(1), 1.0)


def test_the_ellipse_of_a_patch():
    with precision(60):
        patch = Patch(acb(3, 2), acb(0, 1), arb(ALONG), arb(ACROSS))
        for k in range(12):
            sine, cosine = (arb(k) * arb.pi() / 6).sin_cos()
            z = patch.middle + patch.turn * acb(patch.along * cosine, patch.across * sine)
            assert (z * acb(1, 2)).real <= patch.reach(acb(1, 2)) + 1e-12
            assert abs(z - 1) >= patch.distance(arb(1)) - 1e-12
        assert patch.distance(arb(1)) > 0.5


# rays -------------------------------------------------------------------------------------------------------------------

DENSITY = (Fraction(1, 3), Fraction(1, 5))


def _ray():
    room = arb(1) / 5
    density = LaplaceDensity(arb(1), arb(1) / 3, room, 1)
    largest = abs(density.value(acb(0)))
    return Ray(density, acb(0, 1), 1, 0.2, tail=lambda start, kappa: largest * (kappa * start).exp() / -kappa)


def _transform(z):
    def density(r):
        x = 1j * r
        return mpmath.exp((x + mpmath.mpf(1) / 3) / 2) * (1 - mpmath.exp(-x - mpmath.mpf(1) / 5)) ** -1.5 * mpmath.exp(z * x) * 1j

    return mpmath.quad(density, [0, 0.1, 0.5, 1, 2, 4, 8])


def test_a_ray_against_mpmath_and_its_error_terms():
    points = [complex(1, 9), complex(-2, 10)]
    with precision(120), mpmath.workdps(30):
        ray, zs = _ray(), [acb(z.real, z.imag) for z in points]
        middle, half = (zs[0] + zs[1]) / 2, (zs[1] - zs[0]) / 2
        segment = Patch(middle, half / abs(half), abs(half) + 1e-30, arb(0))
        exact = [_transform(z) for z in points]
        for goal in (arb("1e-20"), arb("1e-3")):
            plan = ray.plan(segment, goal)
            for value, truth in zip(ray.values(zs, plan), exact, strict=True):
                near = acb(arb(str(truth.real), 1e-24), arb(str(truth.imag), 1e-24))
                assert value.overlaps(near)
                assert abs(value) <= ray.bound(segment)
        bare = ray.values(zs, RayPlan(plan.panels, arb(0)))[0]
        assert not bare.overlaps(acb(arb(str(exact[0].real), 1e-24), arb(str(exact[0].imag), 1e-24)))


@pytest.mark.parametrize(
    ("mechanism", "direction"),
    [(sampled(1), "remove"), (sampled(Fraction(1, 5), Fraction(1, 2)), "add"), (Laplace(1), "worst"), (without(2, 10, 1), "worst")],
)
def test_the_ends_add_up_to_the_moment_function(mechanism, direction):
    """Two ways to M that share no path: along the real axis, and along the rays."""
    with precision(120):
        (part,) = turned.parts_of(elements(mechanism, direction))
        for z in (acb(2, 8), acb(5, 30)):
            point = Patch(z, acb(1), arb(0), arb(0))
            goal = arb("1e-25")
            whole = sum((end.atom * (z * end.loss).exp() for end in part.ends), acb(0))
            whole += sum(((z * shift).exp() * ray.values([z], ray.plan(point, goal))[0] for shift, ray in part.real), acb(0))
            split = acb(0)
            for end in part.ends:
                value = sum((sign * ray.values([z], ray.plan(point, goal))[0] for sign, ray in end.rays), acb(end.atom))
                assert abs(value) <= end.bound(point)
                split += value * (z * end.loss).exp()
            assert split.overlaps(whole)
            assert whole.rel_accuracy_bits() > 50
            assert abs(whole) <= part.bound(point)


class Squares:
    """e^{rate·(x − middle)²}."""

    def __init__(self, rate, middle):
        self.rate, self.middle = rate, middle

    def value(self, x):
        return (self.rate * (x - self.middle) ** 2).exp()

    def slope(self, x):
        return 2 * self.rate * (x - self.middle)


NOWHERE = Patch(acb(0), acb(1), arb(0), arb(0))


def _falling(scale=1.0):
    """∫_0^∞ e^{−x/2}dx = 2, whose cells are exact."""
    density = LaplaceDensity(arb(1), arb(0), None, -1)
    return Ray(density, acb(1), 1, scale, tail=lambda start, kappa: (-arb(start) / 2).exp() * 2)


def test_what_is_left_of_a_ray_counts_in_its_bound():
    with precision(80):
        assert 2 <= _falling().bound(NOWHERE) <= 2.1


def test_what_is_left_of_a_ray_counts_in_its_value():
    with precision(80):
        ray = _falling()
        plan = ray.plan(NOWHERE, arb("0.1"))
        assert plan.panels
        assert ray.values([acb(0)], plan)[0].real.contains(2)
        assert 2 * (-arb(plan.panels[-1][1]) / 2).exp() > arb("1e-3")  # the panels alone cannot know of this


def test_the_slopes_in_a_cell_count():
    """log g is convex: the slope in the middle alone gives too little."""
    with precision(80):
        found = Ray(Squares(1, 0), acb(1), 1, 1.0, length=1.0).bound(NOWHERE)
        assert mpmath.quad(lambda x: mpmath.exp(x * x), [0, 1]) <= float(found) <= 1.6


def test_the_slopes_on_the_ellipse_of_a_panel_count():
    """At the middle of a narrow bell the slope is 0, and four nodes miss the bell."""
    with precision(80):
        ray = Ray(Squares(-400, arb(0.5)), acb(1), 1, 1.0, length=1.0)
        value = ray.values([acb(0)], ray.plan(NOWHERE, arb("0.01")))[0].real
        assert value.overlaps((arb.pi() / 400).sqrt() + arb(0, "1e-30"))
        assert value.rad() < 0.05


@pytest.mark.parametrize(("far", "kappa"), [(0.0, -3), (0.0, -40), (0.5, -8), (2.0, -1), (2.0, 1), (5.0, 0)])
@pytest.mark.parametrize("mechanism", [sampled(1), sampled(Fraction(1, 5), Fraction(1, 2)), without(2, 10, 1), without(1, 10, 9)])
def test_the_bounds_of_what_is_left_hold(mechanism, far, kappa):
    with precision(80):
        (part,) = turned.parts_of(elements(mechanism, "remove" if isinstance(mechanism.base, Laplace) else "worst"))
        for _, ray in [*part.ends[0].rays, *((0, ray) for _, ray in part.real if ray.length is None)]:
            found = ray.tail(far, arb(kappa))
            if not found.is_finite():
                continue
            step, total = arb(1) / 64, arb(0)
            for k in range(600):
                r = far + step * (k + arb(0.5))
                total += abs(ray.density.value(ray.direction * r)) * (kappa * r).exp() * step
            assert total * (1 - arb("1e-2")) <= found


# δ ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 20)])
def test_one_use_of_sampled_laplace_noise(epsilon, direction):
    found = turned_of(sampled(1), epsilon, 16, direction)
    closed = delta(sampled(1), epsilon, digits=30, direction=direction).enclosure
    assert found.meets(16)
    assert found.contains(closed)


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1)])
def test_one_step_of_sampling_without_replacement(epsilon):
    found = turned_of(without(2, 10, 1), epsilon, 16)
    assert found.meets(16)
    assert found.contains(delta(without(2, 10, 1), epsilon, digits=25).enclosure)


def test_plain_laplace_noise_of_two_scales():
    """Three uses of plain Laplace noise, taken as two and one, against the finite sum."""
    found = turned_of(Composed((Repeated(Laplace(2), 2), Laplace(Fraction("2.0000000000000001")))), Fraction(1, 2), 12)
    with precision(200):
        exact = laplace_delta([(arb(1) / 2, 3)], arb(1) / 2)
        assert found.meets(12)
        assert (found.ball() + arb(0, 1e-15)).contains(exact)  # the scales differ in the 17th digit


def test_mass_of_infinite_loss_beside_noise():
    """A table with an outcome that only P shows, and one use of sampled Laplace noise, as a mean over the table."""
    table = FiniteTable((Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)), (Fraction(0), Fraction(1, 4), Fraction(3, 4)))
    mechanism = Composed((sampled(1), table))
    found = turned_of(mechanism, Fraction(1, 20), 10, "remove")
    assert found.meets(10)
    assert found.contains(delta(mechanism, Fraction(1, 20), digits=25, direction="remove").enclosure)


@pytest.mark.parametrize("epsilon", [Fraction(1, 6), Fraction(1, 6) + Fraction(1, 10**12), Fraction(1, 2)])
def test_two_scales_where_a_state_ties_with_epsilon(epsilon):
    """1/2 − 1/3 = 1/6: the term with s_n = 0 falls like 1/|z|² only."""
    with mpmath.workdps(30):
        e, at = mpmath.mpf(1) / 3, mpmath.mpf(epsilon.numerator) / epsilon.denominator

        def given(loss):
            return _sampled_profile(at - loss, mpmath.mpf(1) / 2, mpmath.mpf(1))

        kinks = [kink for kink in (at - mpmath.mpf(1) / 2, at + mpmath.mpf(1) / 2) if -e < kink < e]
        dense = mpmath.quad(lambda loss: given(loss) * mpmath.exp((loss - e) / 2) / 4, [-e, *kinks, e])
        exact = given(e) / 2 + given(-e) * mpmath.exp(-e) / 2 + dense
        found = delta(Composed((Laplace(2), Laplace(3))), epsilon).enclosure
        written, unit = Fraction(mpmath.nstr(exact, 25)), Fraction(1, 10**25)
        assert found.lower - unit <= written <= found.upper + unit  # the quadrature has 25 digits, the finite sum more


def _sampled_profile(s, e, q):
    """δ(s) of one use of sampled Laplace noise (remove) for any real s, from its definition."""
    level = mpmath.exp(s)
    atoms = sum(mass * max(0, 1 - q + q * mpmath.exp(loss) - level) for loss, mass in ((-e, mpmath.mpf(1) / 2), (e, mpmath.exp(-e) / 2)))
    least = (level - 1) / q + 1
    cut = min(max(mpmath.log(least), -e), e) if least > 0 else -e
    plain, tilted = (mpmath.exp(-(cut + e) / 2) - mpmath.exp(-e)) / 2, (1 - mpmath.exp((cut - e) / 2)) / 2
    return atoms + (1 - q - level) * plain + q * tilted


def _twice_sampled(epsilon, e, q):
    """δ(ε) of two uses: the profile of one averaged over the loss of the other."""

    def mixed(loss):
        return 1 - q + q * mpmath.exp(loss)

    def given(loss):
        return mixed(loss) * _sampled_profile(epsilon - mpmath.log(mixed(loss)), e, q)

    ends = [-e, e]
    for end in (-e, e):  # where the profile has its kinks
        level = mpmath.exp(epsilon) / mixed(end)
        if (level - 1) / q + 1 > 0:
            ends.append(min(max(mpmath.log((level - 1) / q + 1), -e), e))
    dense = mpmath.quad(lambda loss: given(loss) * mpmath.exp(-(loss + e) / 2) / 4, sorted(ends))
    return given(-e) / 2 + given(e) * mpmath.exp(-e) / 2 + dense


def test_two_uses_of_sampled_laplace_noise_against_mpmath():
    with mpmath.workdps(30):
        exact = _twice_sampled(mpmath.mpf(1) / 10, mpmath.mpf(1), mpmath.mpf(1) / 10)
        found = delta(Repeated(sampled(1), 2), Fraction(1, 10), direction="remove").enclosure
        assert found.contains(Fraction(mpmath.nstr(exact, 25)))


def _fixed_profile(s, q, half):
    """δ(s) of one step of the symmetrised pair, for any real s."""
    if s < 0:
        return 1 - mpmath.exp(s) + mpmath.exp(s) * _fixed_profile(-s, q, half)
    cut = half * mpmath.log((mpmath.exp(s) - 1) / q + 1) + 1 / (2 * half)
    tail = mpmath.ncdf(-cut)
    return q * mpmath.ncdf(1 / half - cut) + (1 - q - mpmath.exp(s)) * tail


def _twice_fixed(epsilon, q, half):
    start = 1 / (2 * half)

    def u(s):
        return 1 - q + q * mpmath.exp((s - start) / half)

    def gain(s):
        loss = mpmath.log(u(s))
        return mpmath.npdf(s) * (u(s) * _fixed_profile(epsilon - loss, q, half) + _fixed_profile(epsilon + loss, q, half))

    kink = half * mpmath.log((mpmath.exp(epsilon) - 1) / q + 1) + start
    above = mpmath.quad(gain, [start, kink, kink + 2, kink + 6, kink + 14])
    rest = 1 - mpmath.quad(lambda s: mpmath.npdf(s) * (u(s) + 1), [start, start + 2, start + 6, start + 14])
    return rest * _fixed_profile(epsilon, q, half) + above


def test_two_steps_without_replacement_against_mpmath():
    with mpmath.workdps(30):
        exact = _twice_fixed(mpmath.mpf(1) / 2, mpmath.mpf(1) / 10, mpmath.mpf(1))
        found = delta(Repeated(without(2, 10, 1), 2), Fraction(1, 2)).enclosure
        assert found.contains(Fraction(mpmath.nstr(exact, 22)))


@pytest.mark.parametrize(
    ("mechanism", "epsilon", "direction"),
    [
        (Repeated(sampled(3), 100), Fraction(1), "remove"),
        (Repeated(sampled(Fraction(1, 2), Fraction(1, 50)), 3), Fraction(1, 100), "add"),
        (Composed((sampled(2, Fraction(1, 2)), sampled(1), RandomizedResponse(1))), Fraction(1, 2), "remove"),
        (
            Composed(
                (Repeated(sampled(1, Fraction(1, 2)), 2), FiniteTable((Fraction(1, 3), Fraction(2, 3)), (Fraction(9, 10), Fraction(1, 10))))
            ),
            Fraction(1),
            "add",
        ),
    ],
)
def test_fifteen_digits_that_lattice_bounds_confirm(mechanism, epsilon, direction):
    found = delta(mechanism, epsilon, direction=direction)
    bounds = delta_bounds(mechanism, epsilon, direction=direction)
    assert float(found.enclosure.upper) * (1 + 1e-12) >= bounds.lower
    assert float(found.enclosure.lower) * (1 - 1e-12) <= bounds.upper


def test_noise_that_is_sampled_both_ways():
    """Sampling without replacement beside sampled Laplace noise: steep rays; more digits nest."""
    mechanism = Composed((without(3, 4, 1), RandomizedResponse("0.2")))
    short, long = turned_of(mechanism, Fraction(1, 3), 8), turned_of(mechanism, Fraction(1, 3), 20)
    assert long.meets(20)
    assert short.contains(long)


@pytest.fixture(scope="module")
def case():
    found = elements(Repeated(sampled(1, Fraction(1, 2)), 2), "remove")
    return found, Fraction(1, 2), turned_of(Repeated(sampled(1, Fraction(1, 2)), 2), Fraction(1, 2), 25, "remove")


def test_a_rough_contour_encloses(case):
    found, epsilon, truth = case
    assert RayContour(found, epsilon, 3.0, 6.0, -2.3).enclosure(epsilon).contains(truth)


def scaled(bounds, factor):
    return replace(bounds, sizes=tuple(size * factor for size in bounds.sizes))


def test_the_error_of_the_panels_is_needed(case, monkeypatch):
    found, epsilon, truth = case
    for module in (gauss_legendre, turned):
        monkeypatch.setattr(module, "panel_error", lambda *_: arb(0))
    rest = RayContour.beyond
    monkeypatch.setattr(RayContour, "beyond", lambda self, leg, t: scaled(rest(self, leg, t), arb(10) ** -12))
    assert not RayContour(found, epsilon, 3.0, 6.0, -2.3).enclosure(epsilon).overlaps(truth)


def test_what_is_left_past_the_last_panel_is_needed(case, monkeypatch):
    found, epsilon, truth = case
    one = turned.StateBounds((arb(1),), (arb(0),), arb(0), arb(0))
    monkeypatch.setattr(RayContour, "beyond", lambda self, leg, t: scaled(one, 0 if t > 1 else 1))
    assert not RayContour(found, epsilon, 3.0, 30.0, -2.3).enclosure(epsilon).overlaps(truth)


@pytest.fixture(scope="module")
def elsewhere(case):
    """ε and δ(ε) beside the ε of the case."""
    return [(other, integrate_turned(case[0], other, 10)) for other in (Fraction(1, 10**6), Fraction(501, 1000), Fraction(4, 5))]


@pytest.mark.parametrize("tolerance", [6.0, 20.0, 50.0])
def test_a_contour_planned_for_one_epsilon_encloses_delta_at_others(case, elsewhere, tolerance):
    contour = RayContour(case[0], case[1], 3.0, tolerance, -2.3)
    assert all(contour.enclosure(other).overlaps(truth) for other, truth in elsewhere)


def test_the_bounds_are_those_of_the_epsilon_asked_for(case, elsewhere, monkeypatch):
    """With the errors of the ε that the contour was planned for, it misses δ elsewhere."""
    contour = RayContour(case[0], case[1], 3.0, 12.0, -2.3)
    assert all(contour.enclosure(other).overlaps(truth) for other, truth in elsewhere)
    at = turned.StateBounds.with_damping
    monkeypatch.setattr(turned.StateBounds, "with_damping", lambda self, _: at(self, arb(1) / 2))
    assert not all(contour.enclosure(other).overlaps(truth) for other, truth in elsewhere)


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_one_contour_serves_a_search_for_epsilon(direction, monkeypatch):
    asked = []
    plan = RayContour.__init__
    monkeypatch.setattr(RayContour, "__init__", lambda self, *given: asked.append(given[1]) or plan(self, *given))
    mechanism = Repeated(sampled(2), 5)
    found = epsilon_at(mechanism, "1e-5", digits=12, direction=direction).enclosure
    assert len(asked) <= 5
    (product,) = dominating_pairs(mechanism, direction=direction)
    target = Fraction(1, 10**5)
    ends = [evaluate(product, end, 20)[0] for end in (found.lower, found.upper)]
    assert ends[0].upper >= target >= ends[1].lower


def test_what_can_turn():
    assert not can_turn(elements(Composed((Laplace(1), Gaussian(1)))))
    assert not can_turn(elements(Repeated(RandomizedResponse(1), 3)))
    assert can_turn(elements(Repeated(sampled(1), 3), "add"))
    assert elements(sampled(1), "add").uses == {SampledLaplaceLaw(Fraction(1), RATE, True): 1}
