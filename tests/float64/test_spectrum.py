"""Transforms of lattice masses: direct sums and FFT agree within their errors, what is left out is bounded and has to be counted."""

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from dpbounds import mechanisms as m
from dpbounds.errors import PrecisionError
from dpbounds.float64 import grid as lattice
from dpbounds.float64 import spectrum
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laws import loss_law
from dpbounds.float64.saddle import Moments
from dpbounds.float64.spacing import places_of
from dpbounds.mechanisms import pairs

RNG = np.random.default_rng(20201120)
DELTA = 0.01927003546049834  # certified: q = 0.1, σ = 1, k = 100, ε = 3, remove


def example(points=4096, count=400):
    """A spiky and a wide part of mass, some places twice."""
    places = np.concatenate((np.arange(200), RNG.integers(0, 3 * points, 60), [5, 5]))
    upper = RNG.exponential(size=len(places)) * np.exp(-np.arange(len(places)) / 50)
    upper /= upper.sum()
    return spectrum.SpectrumFactor(places, np.stack((upper, 0.97 * upper)), count)


def composed(steps=100, epsilon=3.0, cost=None):
    """A lattice; by FFT where the cost of one is 0."""
    before, spectrum.FFT_COST = spectrum.FFT_COST, spectrum.FFT_COST if cost is None else cost
    try:
        return _composed(steps, epsilon)
    finally:
        spectrum.FFT_COST = before


def _composed(steps, epsilon):
    product = pairs.dominating_pairs(m.Repeated(m.Sampled(m.Gaussian(1), m.PoissonSampling("0.1")), steps), direction="remove")[0]
    laws = tuple(loss_law(factor) for factor in product.factors)
    moments = Moments(laws, (float(steps),))
    plan = lattice._plan(laws, (steps,), moments, epsilon, 1e-3)
    return lattice.compose(laws, (steps,), moments, plan, epsilon)


@pytest.mark.parametrize("count", [40, 400, 40_000])
@pytest.mark.parametrize("cut", [2.0, 20.0])
def test_products_beyond_the_first_negligible_frequency_are_negligible(count, cut):
    part = example(count=count)
    totals = part.masses.sum(axis=1)
    first = spectrum.first_negligible([part], totals[None, :], 4096, cut)
    sizes = np.abs(np.fft.rfft(np.bincount(part.places % 4096, part.masses[0], 4096))) / totals[0]
    assert np.all(count * np.log(sizes[first:]) <= -cut + 1e-9)
    if count == 40_000:
        assert first < 1000


def test_the_blocks_bound_every_frequency_they_are_made_for():
    part = example()
    single = spectrum.Blocks.of_factor(part)
    for factors in ((2,), (3,), (2, 2), (3, 2), (2, 2, 2, 2), (3, 2, 2, 2, 2, 2)):
        blocks = single
        for factor in factors:
            blocks = blocks.joined(factor)
        assert blocks.size == math.prod(factors)
        for theta in math.pi / (blocks.size - 1) * RNG.uniform(0, 1, 40):
            exact = np.abs(part.masses @ np.exp(-1j * theta * part.places))
            assert np.all(exact <= blocks.bound(float(theta)))
        assert blocks.bound(math.pi / (blocks.size - 1))[0] < single.bound(0.0)[0] * 0.99


def test_direct_sums_are_within_their_errors():
    part = example()
    totals = part.masses.sum(axis=1)[None, :]
    upper, _ = spectrum.by_direct_sums([replace(part, count=1)], totals, 4096, 40, np.zeros(2))
    with mpmath.workdps(40):
        for frequency in (0, 1, 7, 8, 23, 39):
            turns = [mpmath.mpf(int(place * frequency) % 4096) / 4096 for place in part.places]
            exact = mpmath.fsum(mpmath.mpf(float(w)) * mpmath.expjpi(-2 * turn) for w, turn in zip(part.masses[0], turns, strict=True))
            found = mpmath.exp(mpmath.mpc(float(upper.log_size[frequency]), float(upper.phase[frequency])))
            assert abs(found - exact) <= upper.relative_error[frequency] * abs(found)
    assert 0 < float(upper.relative_error.max()) < 1e-11


def test_fft_and_direct_sums_agree():
    part = example(count=7)
    totals = part.masses.sum(axis=1)
    direct = spectrum.by_direct_sums([part], totals[None, :], 4096, 2049, np.zeros(2))
    for row in (0, 1):
        whole = spectrum.by_fft([part], row, 4096, 7 * math.log(totals[row]))
        at = direct[row].log_size[whole.frequencies], direct[row].phase[whole.frequencies]
        gap = np.abs(np.exp(at[0] + 1j * at[1]) - np.exp(whole.log_size + 1j * whole.phase)) / np.exp(whole.log_size)
        sizes = np.exp(whole.log_size)
        allowed = whole.relative_error + whole.spread_error / sizes + direct[row].relative_error[whole.frequencies]
        assert np.all(gap <= 1.01 * allowed)


def test_errors_of_the_fft_that_add_up_have_to_be_counted(monkeypatch):
    """An FFT that errs as much as its model allows, with all errors turned the way that raises, or lowers, δ the most."""
    exact = composed(cost=0)
    assert exact.bounds(3.0).lower <= DELTA <= exact.bounds(3.0).upper
    plain = spectrum.fft.rfft
    for sign in (1, -1):

        def erring(values, sign=sign):
            found = plain(values)
            points, c, step = len(values), exact.c, exact.step
            first = math.floor((3.0 - exact.start) / step) + 1
            m = np.arange(len(found))
            angle = 2 * math.pi / points * m
            gamma = 1 / -np.expm1(-c * step + 1j * angle) - 1 / -np.expm1(-(c + 1) * step + 1j * angle)
            total = found[0].real
            worst = np.conj((found / total) ** 99 * gamma * np.exp(1j * angle * first))
            size = spectrum.fft_error(points) * math.sqrt(points * float(np.square(values).sum()))
            return found + sign * size * worst / math.sqrt(2 * float(np.square(np.abs(worst)).sum()))

        monkeypatch.setattr(spectrum.fft, "rfft", erring)
        monkeypatch.setattr(spectrum, "fft_error", lambda points: 1e-6)
        found = composed(cost=0)
        assert found.bounds(3.0).lower <= DELTA <= found.bounds(3.0).upper
        bare = replace(
            found,
            upper=replace(found.upper, spread_error=0 * found.upper.spread_error),
            lower=replace(found.lower, spread_error=0 * found.lower.spread_error),
        )
        assert not bare.bounds(3.0).lower <= DELTA <= bare.bounds(3.0).upper
        monkeypatch.undo()


def test_errors_of_the_transforms_of_several_factors_are_bounded():
    """Σ |d_m g_m| for errors of the stated size in two factors at once, against √(Σ |e_m g_m|²)."""
    parts = [example(count=7), example(count=3)]
    totals = np.array([part.masses.sum(axis=1) for part in parts])
    size = 1e-6
    whole = spectrum.by_fft(parts, 0, 4096, float(np.array([7.0, 3.0]) @ np.log(totals[:, 0])))
    values = [np.fft.fft(np.bincount(part.places % 4096, part.masses[0], 4096)) for part in parts]
    error = math.sqrt(2 * 4096) * spectrum.fft_error(4096)
    for _ in range(20):
        weights = RNG.normal(size=4096) * np.exp(-RNG.uniform(0, 9) * np.arange(4096) / 4096)
        noise = RNG.normal(size=(2, 4096)) + 1j * RNG.normal(size=(2, 4096))
        off = []
        for part, exact, turn in zip(parts, values, noise, strict=True):
            norm = error * math.sqrt(float(np.square(np.bincount(part.places % 4096, part.masses[0], 4096)).sum()))
            off.append(exact + size * norm * turn / math.sqrt(float(np.square(np.abs(turn)).sum())))
        kept = whole.frequencies
        change = np.abs(off[0] ** 7 * off[1] ** 3 - values[0] ** 7 * values[1] ** 3)[kept] / size
        bound = math.sqrt(float(np.square(whole.spread_error * weights[kept]).sum()))
        assert float((change * np.abs(weights[kept])).sum()) <= bound * (1 + 1e-6) + 1e-8


def test_sums_over_many_factors_round_at_the_size_of_the_sum():
    """Factors so close to 1 that each is rounded away beside the first: what they lack adds up."""
    gap, factors = 3e-15, 100
    log_size, phase, exponent = np.zeros(1), np.zeros(1), np.zeros(1)
    spectrum._multiply(np.array([math.exp(-40) + 0j]), 0.0, 1, log_size, phase, exponent)
    first = float(log_size[0])
    for _ in range(factors):
        spectrum._multiply(np.array([1 - gap + 0j]), 0.0, 1, log_size, phase, exponent)
    assert abs(float(log_size[0]) - first - factors * math.log(1 - gap)) <= float(exponent[0])


def test_what_is_left_out_has_to_be_counted():
    """With two frequencies only, the interval without the bound on the others misses the truth; with it, it does not."""
    whole = composed()
    kept = 2

    def short(part, left_out):
        return replace(
            part,
            frequencies=part.frequencies[:kept],
            log_size=part.log_size[:kept],
            phase=part.phase[:kept],
            relative_error=part.relative_error[:kept],
            spread_error=part.spread_error[:kept],
            left_out=left_out,
        )

    def at(spectra_left_out):
        return replace(whole, upper=short(whole.upper, spectra_left_out[0]), lower=short(whole.lower, spectra_left_out[1])).bounds(3.0)

    beyond = [math.exp(float(part.log_size[kept:].max())) for part in (whole.upper, whole.lower)]
    assert at(beyond).lower <= DELTA <= at(beyond).upper
    bare = at((0.0, 0.0))
    assert not bare.lower <= DELTA <= bare.upper


def test_frequencies_below_the_error_of_the_fft_are_not_taken_for_zero(monkeypatch):
    """An FFT within its model may return 0 where the truth is as large as its error: one step, so nothing is small by a high power."""
    points = 64
    masses = np.where(np.arange(points) % 2 == 0, 1.0, 1 + 2e-16) / points
    part = spectrum.SpectrumFactor(np.arange(points), np.stack((masses, masses)), 1)
    truth = abs(float(masses[::2].sum() - masses[1::2].sum()))
    plain = spectrum.fft.rfft

    def coarse(values):
        found = plain(values)
        return np.where(np.abs(found) < 1e-12, 0.0, found)

    monkeypatch.setattr(spectrum.fft, "rfft", coarse)
    found = spectrum.by_fft([part], 0, points, 0.0)
    assert truth > 0 and points // 2 not in found.frequencies
    assert found.left_out >= truth


def test_nothing_is_left_over_where_the_lower_masses_vanish():
    part = example()
    part = replace(part, masses=np.stack((part.masses[0], np.zeros(len(part.places)))))
    upper, lower = spectrum.spectra([part], 4096, 1e-4)
    assert np.isfinite(upper.log_size).all() and lower.log_size[0] == -math.inf


def test_too_many_points_are_refused():
    part = spectrum.SpectrumFactor(np.arange(3) * 10**9, np.full((2, 3), 1 / 3), 2)
    with pytest.raises(PrecisionError, match="points"):
        spectrum.spectra([part], 2**33, 1e-4)


MIXTURES = [((0.99, 0.01), (1.0,)), ((1.0,), (0.99, 0.01)), ((0.9, 0.1), (0.9, 0.1)), ((0.0, 1.0), (1.0,))]


@pytest.mark.parametrize("cost", [0, 10**9])
@pytest.mark.parametrize("points", [675, 676, 1024])
def test_all_frequencies_are_used_once(monkeypatch, points, cost):
    """Two atoms, where nothing is negligible: the inverse transform is the binomial law, by FFT and by direct sums."""
    monkeypatch.setattr(spectrum, "FFT_COST", cost)
    part = spectrum.SpectrumFactor(np.array([0, 7]), np.array([[0.25, 0.75], [0.25, 0.75]]), 30)
    upper, _ = spectrum.spectra([part], points, 1e-4)
    assert len(upper.frequencies) == points // 2 + 1
    for turns in (0, 20, 30):
        weights = np.where(upper.frequencies == 0, 1.0, np.where(2 * upper.frequencies == points, 1.0, 2.0))
        angle = 2 * math.pi / points * (upper.frequencies * 7 * turns) + upper.phase
        found = float((weights * np.exp(upper.log_size) * np.cos(angle)).sum()) / points
        assert abs(found - math.comb(30, turns) * 0.75**turns * 0.25 ** (30 - turns)) <= 1e-13


@pytest.mark.parametrize(("upper", "lower"), MIXTURES)
def test_places_reach_the_end_and_widen_by_at_most_two(upper, lower):
    law = GaussianMixture(1.5, upper, lower)
    c, step = 3.0, 1e-4
    nodes = Moments((law,), (1.0,)).nodes(c)[0]
    shift = nodes.cumulants(c)[0]
    tilted = np.exp(nodes.log_weights + c * nodes.losses - shift)
    low = float(nodes.losses[0])
    last = math.ceil((float(nodes.losses[-1]) - low) / step)
    places = places_of(law, nodes, tilted, low, step, last, c, 3 * step**2, 0.1)
    widths = np.diff(places)
    assert places[0] == 0 and places[-2] < last <= places[-1]
    assert widths.min() >= 1 and np.all(widths[1:] <= 2 * widths[:-1]) and np.all(widths[:-1] <= 2 * widths[1:])
    assert len(places) < 0.5 * last


def test_more_cells_than_the_limit_are_refused():
    law = GaussianMixture(1.0, (0.0, 1.0), (1.0,))
    nodes = Moments((law,), (1.0,)).nodes(1.0)[0]
    with pytest.raises(PrecisionError, match="cells"):
        places_of(law, nodes, np.exp(nodes.log_weights), float(nodes.losses[0]), 1e-9, 10**10, 1.0, 3e-18, 0.0)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("value", [0.0, 1e-25])
def test_the_error_of_a_value_that_vanishes_is_kept(count, value):
    log_size, phase, exponent = np.zeros(1), np.zeros(1), np.zeros(1)
    spectrum._multiply(np.array([value + 0j]), 1e-15, count, log_size, phase, exponent)
    error = np.exp(log_size) * np.expm1(np.minimum(exponent, 600.0))
    assert (1e-15) ** count <= error[0] <= 1e5**count * (1e-15) ** count
