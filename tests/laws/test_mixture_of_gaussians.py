"""Finite mixtures of Gaussians, groups and truncated batches, against quadrature in mpmath, float64 laws and exact binomials."""

import math
import random
from fractions import Fraction

import mpmath
import pytest

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.cli import main
from dpbounds.errors import PrecisionError
from dpbounds.float64.front_door import delta_bounds
from dpbounds.laws import with_replacement_step as step
from dpbounds.mechanisms.pairs import GaussianMixturePair, GaussianPair, PoissonPair, dominating_pairs
from dpbounds.mechanisms.specs import mechanism_to_spec, spec_to_mechanism
from dpbounds.noise.mixture_of_gaussians import MixtureOfGaussians
from dpbounds.numbers.balls import precision
from dpbounds.numbers.binomial import chance_of_at_least, first_masses
from dpbounds.numbers.inputs import exact_ball

THREE = MixtureOfGaussians(1, ["0", "1", "2"], ["1/2", "1/4", "1/4"])


def quadrature(mixture, epsilon, direction):
    """∫(p − e^ε q)₊ from the definition, in pieces between the centres and at the threshold, which bisection finds."""
    with mpmath.workdps(30):
        sigma, scale = mpmath.mpf(mixture.sigma.numerator) / mixture.sigma.denominator, mpmath.exp(epsilon)
        rows = [
            (mpmath.mpf(w.numerator) / w.denominator, mpmath.mpf(c.numerator) / c.denominator)
            for c, w in zip(mixture.centres, mixture.weights, strict=True)
        ]

        def mixed(x):
            return mpmath.fsum(w * mpmath.npdf(x, c, sigma) for w, c in rows)

        def gap(x):
            p, q = mixed(x), mpmath.npdf(x, 0, sigma)
            return p - scale * q if direction == "remove" else q - scale * p

        far = 14 * sigma + max(c for _, c in rows)
        low, high = -far, far
        rising = direction == "remove"
        if gap(low if not rising else high) <= 0:
            return mpmath.mpf(0)
        for _ in range(110):
            middle = (low + high) / 2
            low, high = (middle, high) if (gap(middle) < 0) == rising else (low, middle)
        ends = [low, far] if rising else [-far, low]
        return mpmath.quad(gap, mpmath.linspace(*ends, 12))


def random_mixture(draw):
    count = draw.randrange(2, 5)
    weights = [draw.randrange(1, 20) for _ in range(count)]
    centres = [Fraction(draw.randrange(0, 9), 4) for _ in range(count)]
    if not any(centres):
        centres[0] = Fraction(1)
    return MixtureOfGaussians(Fraction(draw.randrange(3, 30), 10), centres, [Fraction(w, sum(weights)) for w in weights])


@pytest.mark.parametrize("seed", [*range(10), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(10, 200))])
def test_one_step_is_the_integral_of_the_definition(seed):
    draw = random.Random(seed)
    mixture, epsilon = random_mixture(draw), Fraction(draw.randrange(0, 12), 4)
    for direction in ("remove", "add"):
        found = accounting.delta(mixture, epsilon, digits=10, direction=direction).enclosure
        value = quadrature(mixture, float(epsilon), direction)
        slack = 1e-12 * abs(value) + mpmath.mpf(10) ** -20
        assert mpmath.mpf(found.lower_decimal(20)) - slack <= value <= mpmath.mpf(found.upper_decimal(20)) + slack


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(
    "mechanism",
    [
        m.Repeated(THREE, 4),
        m.Composed((THREE, m.Gaussian(3))),
        m.Repeated(m.Sampled(m.Gaussian(1), m.GroupPoissonSampling("0.01", 5)), 50),
        m.Repeated(m.Sampled(THREE, m.PoissonSampling("0.1")), 30),
    ],
)
def test_compositions_lie_in_the_float64_bounds(mechanism, direction):
    """The float64 laws share no code with the balls."""
    found = accounting.delta(mechanism, "0.4", digits=8, direction=direction).enclosure
    other = delta_bounds(mechanism, "0.4", direction=direction)
    assert other.lower <= found.upper_float
    assert found.lower_float <= other.upper
    assert other.upper - other.lower < 1e-3 * other.upper


def test_the_float64_lattice_takes_a_mixture_without_a_right_tail():
    """It ended in a traceback: no value of the loss was left to invert."""
    found = delta_bounds(m.Composed((THREE, m.Laplace(2), m.Gaussian(3))), 1, direction="add")
    assert 0 < found.lower <= found.upper < found.lower * 1.01


def test_special_cases_are_known_pairs():
    (product, _) = dominating_pairs(MixtureOfGaussians(3, ["0", "1.5"], ["0.9", "0.1"]))
    assert product.factors[0].pair == GaussianMixturePair((Fraction(9, 10), Fraction(1, 10)), Fraction(2))
    assert dominating_pairs(MixtureOfGaussians(3, ["2"], ["1"]))[0].factors[0].pair == GaussianPair(Fraction(3, 2))
    one = accounting.delta(m.Sampled(m.Gaussian(2), m.PoissonSampling("0.1")), "0.3", digits=20).enclosure
    same = accounting.delta(MixtureOfGaussians(2, ["0", "1"], ["0.9", "0.1"]), "0.3", digits=20).enclosure
    assert one.overlaps(same)
    whole = accounting.delta(m.Sampled(m.Gaussian(2), m.GroupPoissonSampling(1, 3)), 1, digits=20).enclosure
    assert whole.overlaps(accounting.delta(m.Gaussian("2/3"), 1, digits=20).enclosure)


def test_at_the_largest_loss_of_adding_nothing_is_left():
    assert accounting.delta(m.Repeated(THREE, 2), "1.4", direction="add").enclosure.upper == 0
    assert accounting.delta(m.Repeated(THREE, 2), "0.7", direction="add", digits=4).enclosure.lower > 0


def test_a_direction_near_its_largest_loss_does_not_stop_the_worse_one():
    """Adding loses at most 0.513 in 10 steps: the contour declines it at 0.4, and a Chernoff bound shows that it is the smaller one."""
    mechanism = m.Repeated(m.Sampled(THREE, m.PoissonSampling("0.1")), 10)
    with pytest.raises(PrecisionError):
        accounting.delta(mechanism, "0.4", direction="add", digits=4)
    worst, remove = (accounting.delta(mechanism, "0.4", direction=which, digits=4).enclosure for which in ("worst", "remove"))
    assert worst.overlaps(remove)


def test_epsilon_inverts_delta():
    mechanism = m.Repeated(m.Sampled(m.Gaussian(2), m.GroupPoissonSampling("0.05", 3)), 4)
    epsilon = accounting.epsilon(mechanism, "1e-3", digits=6, direction="remove").enclosure
    assert accounting.delta(mechanism, epsilon.lower, direction="remove", digits=9).enclosure.upper >= Fraction(1, 1000)
    assert accounting.delta(mechanism, epsilon.upper, direction="remove", digits=9).enclosure.lower <= Fraction(1, 1000)


def test_a_cut_mixture_loses_its_mass_on_both_sides(monkeypatch):
    """Forced to a rough cut, the enclosure widens and holds; without the term for the cut it misses."""
    pair = GaussianMixturePair(tuple(Fraction(math.comb(8, n), 256) for n in range(9)), Fraction(3, 2))
    with precision(100):
        whole = step.with_replacement_delta(pair, step.arb(1))
        rough = step.counts_of(pair, step.arb("0.01"))
        assert rough.beyond > 0
        monkeypatch.setattr(step, "counts_of", lambda *_: rough)
        assert step.with_replacement_delta(pair, step.arb(1)).contains(whole)
        monkeypatch.setattr(step, "_with_lost_mass", lambda value, *_: value)
        assert not step.with_replacement_delta(pair, step.arb(1)).overlaps(whole)


# truncated Poisson sampling --------------------------------------------------------------------------------------------


def binomial_tail(count, q, least):
    return sum(Fraction(math.comb(count, j)) * q**j * (1 - q) ** (count - j) for j in range(least, count + 1))


@pytest.mark.parametrize(
    ("count", "q", "least"),
    [(40, "0.1", 3), (40, "0.1", 4), (40, "0.1", 20), (40, "0.9", 36), (9, "1/3", 9), (9, "1/3", 1), (300, "0.02", 25)],
)
def test_the_probability_of_a_full_batch_is_enclosed(count, q, least):
    with precision(120):
        found = chance_of_at_least(count, Fraction(q), least)
        truth = exact_ball(binomial_tail(count, Fraction(q), least))
        assert found.overlaps(truth)
        assert found.rad() < truth * step.arb("1e-8")


def test_one_truncated_step_is_the_mixture_of_two():
    q, sigma, n, b = Fraction(1, 5), Fraction(3, 2), 12, 4
    full = binomial_tail(n - 1, q, b)
    for direction in ("remove", "add"):
        found = accounting.delta(m.Sampled(m.Gaussian(sigma), m.TruncatedPoissonSampling(q, n, b)), "0.2", direction=direction, digits=10)
        with mpmath.workdps(30):
            plain, pushed = (
                quadrature(MixtureOfGaussians(s, [0, 1], [1 - rate, rate]), 0.2, direction)
                for s, rate in ((sigma, q), (sigma / 2, q * Fraction(b, b + 1)))
            )
            weight = mpmath.mpf(full.numerator) / full.denominator
            value = (1 - weight) * plain + weight * pushed
            slack = mpmath.mpf("1e-14")
            assert mpmath.mpf(found.lower) - slack <= value <= mpmath.mpf(found.upper) + slack


def test_truncated_steps_compose_as_a_sum_over_full_batches():
    """Two steps by hand: none, one or both full."""
    q, sigma, n, b = Fraction(1, 5), Fraction(2), 12, 5
    full = binomial_tail(n - 1, q, b)
    plain, pushed = (
        m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)),
        m.Sampled(m.Gaussian(sigma / 2), m.PoissonSampling(q * Fraction(b, b + 1))),
    )
    total = [Fraction(0), Fraction(0)]
    for weight, parts in (((1 - full) ** 2, (plain, plain)), (2 * full * (1 - full), (plain, pushed)), (full**2, (pushed, pushed))):
        part = accounting.delta(m.Composed(parts), "0.3", direction="remove", digits=12).enclosure
        total = [total[0] + weight * part.lower, total[1] + weight * part.upper]
    found = accounting.delta(
        m.Repeated(m.Sampled(m.Gaussian(sigma), m.TruncatedPoissonSampling(q, n, b)), 2), "0.3", direction="remove", digits=8
    )
    assert found.enclosure.lower <= total[1]
    assert total[0] <= found.enclosure.upper
    assert "upper bound" in found.notes[0]


def test_the_rest_of_a_binomial_sum_counts():
    """Cut early, the sum over full batches widens and holds; without the rest it misses."""
    with precision(120):
        rate = step.arb(1) / 10
        whole = sum(first_masses(30, rate, 1 - rate, step.arb(0), 1, 100)[0], step.arb(0))
        masses, beyond = first_masses(30, rate, 1 - rate, step.arb("0.02"), 1, 100)
        assert len(masses) < 20
        kept = sum(masses, step.arb(0))
        assert not kept.overlaps(whole)
        assert (kept + beyond.union(step.arb(0))).contains(whole.mid())


def test_a_limit_that_is_never_reached_changes_nothing():
    plain = accounting.delta(m.Sampled(m.Gaussian(1), m.PoissonSampling("0.1")), 1, digits=12).enclosure
    never = accounting.delta(m.Sampled(m.Gaussian(1), m.TruncatedPoissonSampling("0.1", 50, 50)), 1, digits=12).enclosure
    assert plain.overlaps(never)


# text --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mechanism",
    [
        THREE,
        m.Repeated(m.Sampled(m.Gaussian(1), m.GroupPoissonSampling("0.01", 5)), 7),
        m.Sampled(m.Gaussian(1), m.TruncatedPoissonSampling("0.01", 100, 5)),
    ],
)
def test_specifications_are_read_back(mechanism):
    assert spec_to_mechanism(mechanism_to_spec(mechanism)) == mechanism


def test_the_command_line(capsys):
    assert main(["delta", "--mixture-of-gaussians", "1", "--centres", "0,1,2", "--weights", "1/2,1/4,1/4", "--epsilon", "2"]) == 0
    assert "[0.0510577584404330" in capsys.readouterr().out
    assert main(["delta", "--sigma", "1", "--q", "0.01", "--group", "5", "--epsilon", "2", "--digits", "5"]) == 0
    words = ["--sampling", "truncated-poisson", "--q", "0.1", "--population", "20", "--batch-limit", "5"]
    assert main(["delta", "--sigma", "1", *words, "--epsilon", "2", "--digits", "5"]) == 0
    assert "upper bound" in capsys.readouterr().out


def test_a_sampled_mixture_is_a_mixture():
    (product, _) = dominating_pairs(m.Sampled(THREE, m.PoissonSampling("0.1")))
    assert not isinstance(product.factors[0].pair, PoissonPair)
    assert sum(product.factors[0].pair.weights) == 1


def test_the_first_masses_say_what_they_leave_out():
    half = step.arb(1) / 2
    assert len(first_masses(50, half / 50, 1 - half / 50, step.arb(1), 4, 100)[0]) == 4
    masses, beyond = first_masses(50, half, half, step.arb(0), 1, 5)
    assert len(masses) == 6 and not beyond.is_finite()
