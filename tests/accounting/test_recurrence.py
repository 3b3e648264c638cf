"""Atoms in step again: the bound on the nodes left out against their sum, and δ by a line that it ends."""

import math
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.accounting import delta
from dpbounds.accounting.bromwich import integrate
from dpbounds.accounting.bromwich_planning import Model, highest_node, target_of
from dpbounds.accounting.evaluate import evaluate
from dpbounds.accounting.few_uses.counts import tails_of_two
from dpbounds.accounting.left_out.recurrence import RecurrentLine, approx_recurrence_end
from dpbounds.laws.contour_factor import TwoAtoms
from dpbounds.laws.factors import AtomicFactor
from dpbounds.laws.laplace import LaplaceFactor
from dpbounds.laws.normal_form import elements_of
from dpbounds.laws.sampled_laplace import SampledLaplaceFactor
from dpbounds.mechanisms import Composed, Direction, Gaussian, Laplace, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.numbers.balls import precision

CASES = [  # a, b, u, m, k, Y in periods, h; the last two have nothing but what comes back, and nothing but the first valley
    (0.5, 0.5, 0.01, 1.0, 3000, 0.1, 0.3),
    (0.5, 0.3, 0.01, 1.0, 3000, 2.2, 0.7),
    (0.2, 0.1, 0.05, 1.1, 400, 1.4, 11.0),
    (0.45, 0.55, 0.01, 1.0, 30_000, 0.4, 0.3),
    (0.45, 0.55, 0.01, 1.0, 400, 0.03, 0.3),
]


def sum_of_nodes(a, b, u, m, k, last, step):
    """(1/π)·h·Σ g^k/y² beyond the last node, as far as many periods go."""
    total, j = 0.0, 1
    while (y := last + j * step) < 30 * 2 * math.pi / u:
        g = m - a - b + math.sqrt((a + b) ** 2 - 2 * a * b * (1 - math.cos(u * y)))
        total += g**k / y**2
        j += 1
    return total * step / math.pi


@pytest.mark.parametrize("case", CASES)
def test_the_bound_is_above_the_sum(case):
    a, b, u, m, k, share, step = case
    last = share * 2 * math.pi / u
    line = RecurrentLine(arb(0), arb(last), arb(step), arb(1))
    bound = line.bound(TwoAtoms(arb(a), arb(b), arb(u), arb(m)), k, arb(0))
    true = sum_of_nodes(a, b, u, m, k, last, step)
    assert true <= bound
    assert bound <= 40 * true
    # what comes back is nearly all of it in one case, and the valley in the other
    near = (m - a - b + math.sqrt((a + b) ** 2 - 2 * a * b * (1 - math.cos(u * last)))) ** k / last / math.pi
    if case == CASES[3]:
        assert near < true
    if case == CASES[4]:
        assert float(bound) - near < true


@pytest.mark.parametrize(
    ("atoms", "last"),
    [
        (TwoAtoms(arb(0.5), arb(0.5), arb(1), arb(1)), arb(4)),  # in the second half of a period, where g rises
        (TwoAtoms(arb(0.5), arb(0.5), arb(0), arb(1)), arb(1)),
        (TwoAtoms(arb(0), arb(0.5), arb(1), arb(1)), arb(1)),
        (TwoAtoms(arb(0.5), arb(0.5), arb(1, 2), arb(1)), arb(1)),
    ],
)
def test_no_bound_where_none_is_known(atoms, last):
    assert not RecurrentLine(arb(0), last, arb(0.1), arb(1)).bound(atoms, 10, arb(0)).is_finite()


@pytest.mark.parametrize("add", [False, True])
def test_two_atoms_bound_the_modulus(add):
    """Sampled Laplace noise and a table: |M(c+iy)| is below the two that turn and the rest."""
    with precision(100):
        laplace = SampledLaplaceFactor(arb(2), Fraction(1, 7), add)
        table = AtomicFactor([arb(1) / 5, arb(1) / 2, arb(3) / 10], [arb(1), -arb("0.3"), arb("0.4")])

        class Wanted:
            tolerance, top = 40.0, 40.0

        plain = LaplaceFactor(arb(2))
        for factor in (laplace, table, plain):
            values = factor.line(arb("1.5"), arb("0.37"), 100, Wanted())
            for each in factor.two_atoms(arb("1.5")):
                assert each.moment >= factor.moment(arb("1.5")).mid()
                for j, value in enumerate(values):
                    turned = (each.first**2 + each.second**2 + 2 * each.first * each.second * (each.apart * j * arb("0.37")).cos()).sqrt()
                    assert not abs(value) > each.moment - each.first - each.second + turned + arb(10) ** -12


def test_the_line_against_binomial_sums():
    """Two lattices that do not fit: 10^6 uses, summed by their own binomial for each outcome of the other use."""
    rare, other = RandomizedResponse("0.00003"), RandomizedResponse("0.0129")
    (product,) = dominating_pairs(Composed((Repeated(rare, 10**6), other)), direction=Direction.REMOVE)
    factors = elements_of(product).factors()
    line, how = integrate(elements_of(product).factors, lambda: arb(1) / 50, 5, lambda: arb(0))
    assert line.meets(4) and "Bromwich line" in how
    assert line.overlaps(evaluate(product, Fraction(1, 50), 5)[0])
    (alone,) = dominating_pairs(Repeated(rare, 10**6), direction=Direction.REMOVE)
    with precision(100):
        law, loss = elements_of(alone).finite_laws()[0], arb("0.0129")
        masses = [loss.exp() / (1 + loss.exp()), 1 / (1 + loss.exp())]
        parts = [mass * tails_of_two(law, arb("0.02") - own) for mass, own in zip(masses, (loss, -loss), strict=True)]
        assert line.ball().overlaps(sum(parts, arb(0)))
    target = target_of(factors, 0.02, 13.0)
    model = Model(factors, 0.02)
    plain = highest_node(model, target.saddle / 2, target.log_value - 13)[0]
    assert approx_recurrence_end(factors, target.saddle / 2, model.exponent(target.saddle / 2) - target.log_value + 13, 1.0) < plain / 10


def test_rare_laplace_noise_many_times():
    """Both ends of the loss of one use are close to each other, so the line is short: without that, a million nodes."""
    found = delta(Repeated(Sampled(Laplace("0.7"), PoissonSampling("1e-6")), 10**9), "0.05", digits=4, direction="remove")
    assert found.enclosure.meets(4)
    assert int(found.method.split(", ")[1].split()[0]) < 3000


def test_what_has_fallen_besides_the_atoms():
    """|M| ≤ B from E on: the smaller of both bounds, and neither is lost."""
    atoms, line = TwoAtoms(arb(0.2), arb(0.2), arb(0.01), arb(1)), RecurrentLine(arb(0), arb(60), arb(0.3), arb(1))
    alone, far = line.bound(atoms, 1000, arb(0)), 2 * arb.pi() / arb(0.01) - 60
    near = line.bound(atoms, 1000, arb(0), lambda height: arb(0))
    assert 0 < near < alone
    both = line.bound(atoms, 1000, arb(0), lambda height: arb("0.99") if abs(height - far) < 1e-6 else arb(0))
    assert abs(both - near - arb("0.99") ** 1000 * (1 / far + arb(0.3) / far**2) / arb.pi()) < 1e-12
    assert line.bound(atoms, 1000, arb(0), lambda height: arb(2)).overlaps(alone)
    # the first node beyond Y is at E itself
    step = float(far.mid()) - 60
    bound = RecurrentLine(arb(0), arb(60), arb(step), arb(1)).bound(atoms, 1000, arb(0), lambda height: arb("0.99"))
    assert 0.99**1000 * step * sum(1 / (60 + j * step) ** 2 for j in range(1, 10_000)) / math.pi <= bound


def test_wide_laplace_noise_many_times_beside_others():
    """Between its atoms the loss has a density, which is gone when the atoms come back: 38 nodes where there were half a million."""
    part = Repeated(Sampled(Laplace("35.6"), PoissonSampling("0.000691")), 794_075_186)
    found = delta(Composed((part, RandomizedResponse("0.5"))), "0.5", digits=10, direction="remove")
    assert found.enclosure.meets(10)
    assert int(found.method.split(", ")[1].split()[0]) < 200


def test_laplace_noise_a_great_many_times():
    """Nearly Gaussian with mean k·K′(0) and variance k·K″(0): 168,000 nodes where no atoms are compared."""
    found = delta(Repeated(Laplace("16.9"), 453 * 10**9), 777_874_000, digits=6)
    assert found.enclosure.meets(6)
    assert int(found.method.split(", ")[1].split()[0]) < 200
    with mpmath.workdps(40):
        e = 1 / mpmath.mpf("16.9")

        def log_moment(z):
            return mpmath.log((mpmath.exp(z * e) * (z + 1) + mpmath.exp(-(1 + z) * e) * z) / (2 * z + 1))

        def integrand(y):
            z = mpmath.mpc("1e-4", y)
            return (mpmath.exp(453 * 10**9 * log_moment(z) - z * 777_874_000) / (z * (z + 1))).real

        truth = mpmath.quad(integrand, [0, "5e-5", "1e-4", "2e-4", "4e-4"]) / mpmath.pi
        assert abs(truth / mpmath.mpf(found.lower) - 1) < 1e-5


def test_rare_laplace_noise_does_not_hide_how_others_fall():
    """The bound on its density is far above M at low heights, where M itself is the bound: 19 nodes, which were half a million."""
    part = Repeated(Sampled(Laplace("0.371"), PoissonSampling("1.5e-9")), 2_530_000_000)
    found = delta(Composed((Repeated(Gaussian("6.95"), 1_690_000), part)), 18_780, digits=4, direction="add")
    assert found.enclosure.meets(4)
    assert int(found.method.split(", ")[1].split()[0]) < 100
    alone = delta(Repeated(Gaussian("6.95"), 1_690_000), 18_780, digits=4)  # 4 uses of a loss of 2e-8
    assert abs(float(found.lower) / float(alone.lower) - 1) < 1e-3
