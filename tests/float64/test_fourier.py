"""The Fourier accountant reproduces the tables of its paper; Newton inverts it; its estimates are the printed ones."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.errors import InputError
from dpbounds.float64.laws import loss_law
from dpbounds.float64.published import fourier, fourier_errors
from dpbounds.mechanisms import Guarantee
from dpbounds.mechanisms.pairs import dominating_pairs

# Koskela, Jälkö & Honkela 2020, Tables 1 and 2: q = 0.01, σ = 1.5, k = 10⁴, ε = 1, remove direction. (L, n, printed FA)
TABLES = [
    (12, 50_000, 0.0491228786423), (12, 200_000, 0.0496013846114), (12, 800_000, 0.0496014103252), (12, 3_200_000, 0.0496014103163),
    (2, 3_200_000, 0.0422160172923), (6, 3_200_000, 0.0496014103158), (10, 3_200_000, 0.0496014103134),
]  # fmt: skip
# Table 2, the estimate (7.3) as printed, three digits.
TAIL_ESTIMATES = [(2.0, 3.32e-1), (6.0, 3.32e-6), (10.0, 1.36e-16), (12.0, 8.30e-24)]


def product(mechanism, direction="remove", guarantee=Guarantee.MECHANISM):
    return dominating_pairs(mechanism, direction=direction, guarantee=guarantee)[0]


def poisson(sigma, q, steps):
    return m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps)


@pytest.mark.parametrize(("radius", "points", "printed"), TABLES)
def test_the_tables_of_the_paper_within_1e_11(radius, points, printed):
    found = fourier.approx_fourier_delta(product(poisson("1.5", "0.01", 10**4)), 1.0, radius, points)
    assert abs(found - printed) <= 1e-11


@pytest.mark.parametrize(("radius", "printed"), TAIL_ESTIMATES)
def test_the_tail_estimate_of_table_2(radius, printed):
    found = fourier_errors.approx_tail_estimate(0.01, 1.5, 10**4, radius)
    assert abs(found - printed) <= 0.005 * printed


def test_newton_inverts_delta():
    pair = product(poisson("1.5", "0.01", 10**4))
    convolved = fourier.convolved_loss(pair, 12, 2**18)
    assert fourier.approx_fourier_epsilon(pair, 1e-6, 12, 2**18) == convolved.approx_epsilon(1e-6)
    for delta in (1e-2, 1e-6, 1e-9):
        epsilon = convolved.approx_epsilon(delta)
        assert abs(convolved.approx_delta(epsilon) - delta) <= 1e-9 * delta
    assert convolved.approx_epsilon(0.9) == 0.0


def test_the_slope_is_the_derivative():
    convolved = fourier.convolved_loss(product(poisson("1.5", "0.01", 1000)), 8, 2**20)
    width = 1e-3
    quotient = (convolved.approx_delta(0.5 + width) - convolved.approx_delta(0.5 - width)) / (2 * width)
    assert abs(quotient - convolved.approx_slope(0.5)) <= 1e-4 * abs(quotient)


def test_different_mechanisms_compose_as_one_list_or_another():
    parts = m.Composed((poisson("1.5", "0.01", 50), poisson(2, "0.02", 70)))
    swapped = m.Composed((poisson(2, "0.02", 70), poisson("1.5", "0.01", 50)))
    first = fourier.approx_fourier_delta(product(parts), 0.3, 6, 2**18)
    second = fourier.approx_fourier_delta(product(swapped), 0.3, 6, 2**18)
    assert abs(first - second) <= 1e-13


UNLIKE = {
    "two sampled": m.Composed((poisson("1.5", "0.1", 20), poisson(2, "0.2", 30))),
    "sampled and not": m.Composed((poisson("1.5", "0.1", 20), m.Repeated(m.Gaussian(4), 3))),
    "three": m.Composed((m.Gaussian(2), m.Gaussian(3), poisson("1.5", "0.1", 20))),
}


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("name", UNLIKE)
def test_different_mechanisms_have_the_certified_delta(name, direction):
    """§5.5: the transforms are multiplied. The certified value lies within 1e-8 of the estimate, on both sides."""
    convolved = fourier.convolved_loss(product(UNLIKE[name], direction), 12, 2**17)
    for epsilon in ("1/2", "3/2"):
        certified = accounting.delta(UNLIKE[name], epsilon, digits=8, direction=direction).enclosure
        found = convolved.approx_delta(float(Fraction(epsilon)))
        assert found <= certified.upper_float + 1e-8 and certified.lower_float - 1e-8 <= found
        assert certified.lower_float >= 1e-4, "far above the tolerance"


def test_a_grid_that_does_not_hold_the_mass_is_refused():
    """50,000 steps at σ = 1, q = 0.01: on [−40, 40] 2^18 points gave δ(2) = 255, where the truth is 0.653."""
    pair = product(poisson(1, "0.01", 50_000))
    with pytest.raises(InputError, match=r"262144 points on \[-40, 40\] give the loss a mass of 394 instead of 1; use more points"):
        fourier.convolved_loss(pair, 40, 2**18)
    assert abs(fourier.convolved_loss(pair, 24, 2**20).mass - 1) <= 1e-2


def test_the_curve_of_figure_3_is_the_certified_one():
    """Notebook 05 draws it on this grid."""
    pair = product(poisson(1, "0.01", 50_000))
    convolved = fourier.convolved_loss(pair, 32, 2**21)
    for epsilon in (2, 5, 8, 12, 16, 20):
        certified = accounting.delta(poisson(1, "0.01", 50_000), epsilon, digits=6, direction="remove").enclosure
        found = convolved.approx_delta(float(epsilon))
        assert abs(found - certified.upper_float) <= 1e-3 * certified.upper_float + 1e-13


@pytest.mark.parametrize(
    "mechanism", [m.Sampled(m.Gaussian(2), m.FixedSizeSampling(100, 10)), m.Sampled(m.Gaussian(2), m.WithReplacementSampling(100, 10))]
)
def test_the_pairs_of_section_6_against_direct_integration(mechanism):
    """One step: δ(ε) = ∫ (p − e^ε q)₊ dt on a fine grid in t."""
    pair = product(mechanism, "worst", Guarantee.PAIR)
    law = loss_law(pair.factors[0])
    t = np.linspace(-30, 45, 750_001)
    gap = np.exp(law.log_density(t)) * -np.expm1(np.minimum(0.2 - law.loss(t), 0.0))
    direct = float(gap.sum() * (t[1] - t[0]))
    assert abs(fourier.approx_fourier_delta(pair, 0.2, 6, 2**20) - direct) <= 1e-8


def test_add_and_remove_differ_and_the_density_has_mass_one():
    for direction in ("remove", "add"):
        pair = product(poisson("1.5", "0.1", 1), direction)
        law = loss_law(pair.factors[0])
        grid = np.linspace(-4, 4, 400_001)
        assert abs(fourier.loss_density(law, grid).sum() * (grid[1] - grid[0]) - 1) <= 1e-6


def test_theorem_8_refuses_where_its_conditions_fail():
    assert fourier_errors.tail_bound(0.01, 5.0, 100, 6.0) <= 2 * math.exp(-18)
    for arguments in ((0.3, 5.0, 10, 6.0), (0.01, 2.0, 10, 6.0), (0.01, 5.0, 10, 1.0), (0.01, 4.0, 10, 400.0)):
        with pytest.raises(InputError, match="Theorem 8"):
            fourier_errors.tail_bound(*arguments)


def test_the_periodisation_bound_is_finite_only_while_k_is_at_most_four_sigma_squared():
    """α(λ) grows like λ²/2σ², so the terms e^{kα(nL)−2(nL)²} of Lemma 7 grow without limit once k > 4σ²."""
    assert fourier_errors.approx_periodisation_bound(0.01, 4.0, 30, 4.0) < 1e-3
    assert fourier_errors.approx_periodisation_bound(0.01, 1.5, 10**4, 12.0) == math.inf
    with pytest.raises(InputError, match="Lemma 7"):
        fourier_errors.approx_periodisation_bound(0.6, 1.5, 10, 12.0)


def test_lemma_9_does_not_cover_figure_1():
    assert not fourier_errors.tail_estimate_applies(0.01, 1.0, 12.0)
    assert fourier_errors.tail_estimate_applies(0.01, 2.0, 12.0)


def test_the_published_estimate_covers_its_own_error_on_the_example_of_table_1():
    """(7.4) against the certified value 0.04960141031482577."""
    pair = product(poisson("1.5", "0.01", 10**4))
    for points in (50_000, 200_000, 800_000):
        error = abs(fourier.approx_fourier_delta(pair, 1.0, 12, points) - 0.04960141031482577)
        assert error <= fourier_errors.approx_discretisation_estimate(pair, 1.0, 12, points)


def test_bad_grids_and_targets_are_refused():
    pair = product(poisson("1.5", "0.01", 10))
    with pytest.raises(InputError, match="even"):
        fourier.convolved_loss(pair, 12, 101)
    with pytest.raises(InputError, match="radius"):
        fourier.convolved_loss(pair, -1, 100)
    with pytest.raises(InputError, match="delta"):
        fourier.convolved_loss(pair, 12, 2**16).approx_epsilon(1.5)
