"""A density that is bounded below makes |M| fall: the bound holds, is nearly sharp, and every part of it is needed."""

import math
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb

from dpbounds import accounting
from dpbounds.laws.contour_factor import Need
from dpbounds.laws.fixed_size import FixedSizeFactor, cut_error
from dpbounds.laws.paths.uniform_parts import LeastDensity, approx_uniform_decay, largest_beyond, layers
from dpbounds.laws.with_replacement import DrawsFactor
from dpbounds.mechanisms import FixedSizeSampling, Gaussian, Repeated, Sampled
from dpbounds.mechanisms.pairs import GaussianMixturePair
from dpbounds.numbers.balls import precision

FACTORS = [FixedSizeFactor(Fraction(1, 10), Fraction(2)), FixedSizeFactor(Fraction(1, 145), Fraction("1.06"))]


def sine_ratio(t):
    return abs(math.sin(t) / t)


@pytest.mark.parametrize("t", [0.01, 1.0, 2.9, 3.0, 3.5, 4.49, 4.6, 7.0, 20.0])
def test_the_largest_ratio_beyond_a_point(t):
    true = max(sine_ratio(t + i * 0.001) for i in range(7000))
    found = float(largest_beyond(arb(t)))
    assert true <= found * (1 + 1e-12)
    assert found <= max(1.001 * true, 0.2174 if t < 4.7 else 1 / t * 1.001)


def test_layers_add_up_to_the_densities():
    densities = [0.0, 2.0, 1.0, 3.0, 3.0, 0.5, 0.0, 4.0]
    total = [0.0] * len(densities)
    for layer in layers(densities):
        for cell in range(layer.first, layer.last):
            total[cell] += layer.high - layer.low
    assert total == densities


@pytest.mark.parametrize("y", [0.05, 1.0, 5.0, 30.0])
def test_a_uniform_law(y):
    cells = [arb(0), arb("0.25"), arb(1)]
    bound = float(LeastDensity(cells, [1.0, 1.0], arb(1)).decay(arb(1), arb(y)))
    true = max(sine_ratio((y + i * 0.01) / 2) for i in range(3000))
    assert true <= bound + 1e-12
    assert 1 - bound >= 0.98 * (1 - max(true, 0.2174))  # half of the length alone would be a quarter of that
    rough = approx_uniform_decay([(1.0, 1.0)], y)
    assert abs(math.exp(rough) - bound) <= 0.02 * (1 - bound) + 1e-9


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("x", [0.1, 3.0])
def test_the_density_of_the_loss_is_bounded_below(factor, x):
    """Against the density by its definition: the derivative of the loss in floats."""
    found = factor.least_density(arb(x))
    ends, size = found.ends, found.size
    q, half = float(factor.q), float(factor.sigma) / 2
    start, sharp = 1 / (2 * half), 0.0

    def noise_of(loss):
        return half * math.log1p(math.expm1(loss) / q)

    for cell, bound in enumerate(found.densities):
        low, high = float(ends[cell]), float(ends[cell + 1])
        for share in (0.001, 0.5, 0.999):
            loss = low + share * (high - low)
            s, size_of_loss = start + noise_of(abs(loss)), abs(loss)
            step = 1e-6 * size_of_loss
            speed = (noise_of(size_of_loss + step) - noise_of(size_of_loss - step)) / (2 * step)
            density = math.exp(-s * s / 2 + (size_of_loss if loss > 0 else 0.0) + x * loss) / math.sqrt(2 * math.pi) * speed
            assert bound * float(size) <= density * (1 + 1e-5)
            sharp = max(sharp, bound * float(size) / density)
    assert sharp >= 0.9


@pytest.mark.parametrize("reversed", [False, True])
@pytest.mark.parametrize("x", [0.0, 2.0])
def test_the_density_of_a_mixture_is_bounded_below(reversed, x):
    pair = GaussianMixturePair((Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)), Fraction(2))
    factor = DrawsFactor(pair, 0.0, 10**6, reversed)
    found, sharp = factor.least_density(arb(x)), 0.0
    ends, size = [float(end) for end in found.ends], float(found.size)

    def u(s):
        return sum(w * math.exp(i * s / 2 - i * i / 8) for i, w in enumerate((0.6, 0.3, 0.1)))

    def loss(s):
        return -math.log(u(-s)) if reversed else math.log(u(s))

    places = [-12 + i * 1e-3 for i in range(24000)]
    for s in places[::7]:
        value = loss(s)
        cell = sum(end <= value for end in ends) - 1
        if 0 <= cell < len(found.densities):
            weight = math.exp(-s * s / 2) / math.sqrt(2 * math.pi) * (1.0 if reversed else u(s)) * math.exp(x * value)
            density = weight / ((loss(s + 1e-5) - loss(s - 1e-5)) / 2e-5)
            assert found.densities[cell] * size <= density * (1 + 1e-6)
            sharp = max(sharp, found.densities[cell] * size / density)
    assert sharp >= 0.9
    need, y = Need(40.0, lambda _: 0.0, 40.0), arb("0.2")
    bound = float(factor.decay(arb(x), y, factor.approx_decay(x, float(y))[1]))
    assert max(abs(complex(value)) for value in factor.line(arb(x), y, 12, need)[1:]) <= bound < float(factor.moment(arb(x)))


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("y", [0.3, 2.0, 9.0])
def test_decay_against_the_values_on_the_line(factor, y):
    x, need = arb("0.1"), Need(40.0, lambda _: 0.0, 12 * y)
    bound = float(factor.decay(x, arb(y), (0.0, 0.0)))
    values = [abs(complex(value)) for value in factor.line(x, arb(y), 12, need)[1:]]
    assert max(values) <= bound < float(factor.moment(x))
    assert float(factor.moment(x)) - bound >= 0.3 * (float(factor.moment(x)) - max(values))
    rough = factor.approx_decay(0.1, y)[0] + factor.approx_log_moments(0.1)[0]
    assert abs(rough - math.log(bound)) <= 0.1 * abs(math.log(bound)) + 0.02


@pytest.mark.parametrize("x", ["-0.3", "-0.9"])
def test_moments_between_the_poles(x):
    factor = FACTORS[0]
    with mpmath.workdps(20):
        q, half = mpmath.mpf(1) / 10, mpmath.mpf(1)
        start, power = 1 / (2 * half), mpmath.mpf(x)

        def u(s):
            return 1 - q + q * mpmath.exp((s - start) / half)

        def density(s):
            return mpmath.npdf(s) * (u(s) ** (1 + power) + u(s) ** -power)

        atom = 1 - mpmath.quad(lambda s: mpmath.npdf(s) * (u(s) + 1), [start, 3, 8, 20])
        true = atom + mpmath.quad(density, [start, 3, 8, 20])
        rest = mpmath.quad(density, [4, 8, 20])
    found = factor.moment(arb(x))
    assert abs(float(found) - float(true)) <= float(found.rad()) + 1e-13
    assert float(found.rad()) <= 1e-9
    assert float(rest) <= float(cut_error(factor, arb(x), arb(4))) <= 2 * float(rest)


def many_uses_delta(q, sigma, steps, epsilon):
    """δ by the trapezoid rule on Re z = 8, far beyond where the integrand falls below its rounding; M by an integral of FLINT's."""
    with precision(160):
        half, start = arb(sigma) / 2, 1 / arb(sigma)

        def moment(z):
            def value(s, _):
                u = 1 - arb(q) + arb(q) * ((s - start) / half).exp()
                return (-s * s / 2).exp() * (((1 + z) * u.log()).exp() + (-z * u.log()).exp() - u - 1)

            return 1 + acb.integral(value, start, start + 22, rel_tol=arb(10) ** -40, abs_tol=arb(10) ** -40) / (2 * arb.pi()).sqrt()

        total, step = arb(0), arb("0.11")
        for j in range(400):
            z = acb(arb(8), step * j)
            term = (moment(z) ** steps * (-arb(epsilon) * z).exp() / (z * (z + 1))).real
            total += term if j else term / 2
            if j > 10 and abs(term) < arb(10) ** -14 * total:
                break
        return total * step / arb.pi()


def test_many_batches_take_no_time():
    """Millions of nodes without the bound, and a delta next to 1 that only moments between the poles show."""
    many = Repeated(Sampled(Gaussian("70.6"), FixedSizeSampling(1000, 7)), 60_000_000)
    found = accounting.delta(many, "14", digits=8, relation="substitute")
    other = float(many_uses_delta(arb("0.007"), "70.6", 60_000_000, "14"))
    assert found.enclosure.lower_float * (1 - 1e-9) <= other <= found.enclosure.upper_float * (1 + 1e-9)
    assert int(found.method.split(", ")[1].split()[0]) < 200
    certain = accounting.delta(Repeated(Sampled(Gaussian("2.85"), FixedSizeSampling(33200, 361)), 5_560_000), "1", relation="substitute")
    assert certain.enclosure.lower_float >= 1 - 1e-15
    assert "Chernoff" in certain.method
