"""Mechanisms are exact, frozen data, and refuse bad parameters when they are built."""

import dataclasses
from fractions import Fraction

import pytest
import sympy

from dpbounds import mechanisms as m
from dpbounds.errors import InputError

X = sympy.Symbol("x", real=True)
NORMAL = sympy.exp(-(X**2) / 2) / sympy.sqrt(2 * sympy.pi)
HIDDEN_ZERO = sympy.sqrt(3 + 2 * sympy.sqrt(2)) - 1 - sympy.sqrt(2)


def test_parameters_are_exact():
    assert m.Gaussian(0.1) == m.Gaussian("1/10") == m.Gaussian(Fraction(1, 10))
    assert m.Laplace("2.5").scale == Fraction(5, 2)
    assert m.RandomizedResponse(0).epsilon == 0
    assert m.Gaussian(sympy.sqrt(2)).sigma == sympy.sqrt(2)
    assert m.Repeated(m.Gaussian(1), "1e4").steps == 10_000
    assert m.FixedSizeSampling(100, 4).q == Fraction(1, 25)


def test_mechanisms_are_frozen_and_hashable():
    mechanism = m.Repeated(m.Sampled(m.Gaussian(1), m.PoissonSampling("0.5")), 3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        mechanism.steps = 4
    assert len({mechanism, m.Repeated(m.Sampled(m.Gaussian("1.0"), m.PoissonSampling(0.5)), 3)}) == 1


@pytest.mark.parametrize("q", [0, 1, "1e-9", sympy.log(2)])
def test_sampling_rates_include_both_ends(q):
    assert m.PoissonSampling(q).q == q if not isinstance(q, str) else Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: m.Gaussian(0), "sigma (the noise multiplier) must be > 0, got 0"),
        (lambda: m.Gaussian("-1.5"), "sigma (the noise multiplier) must be > 0, got -1.5"),
        (lambda: m.Gaussian("nan"), "sigma (the noise multiplier) must be a finite number such as 0.01, 1e-9 or 7/2, got 'nan'"),
        (lambda: m.Gaussian(float("inf")), "sigma (the noise multiplier) must be a finite number such as 0.01, 1e-9 or 7/2, got 'inf'"),
        (lambda: m.Gaussian("two"), "sigma (the noise multiplier) must be a finite number such as 0.01, 1e-9 or 7/2, got 'two'"),
        (lambda: m.Gaussian(-sympy.sqrt(2)), "sigma (the noise multiplier) must be > 0, got -sqrt(2)"),
        (lambda: m.Gaussian(HIDDEN_ZERO), f"sigma (the noise multiplier) must be > 0, got {HIDDEN_ZERO}"),
        (lambda: m.Laplace(0), "laplace scale must be > 0, got 0"),
        (lambda: m.RandomizedResponse("-1e-9"), "randomized-response epsilon must be >= 0, got -1e-9"),
        (lambda: m.PoissonSampling("1.01"), "q (the sampling rate) must lie in [0, 1], got 1.01"),
        (lambda: m.PoissonSampling("-1/3"), "q (the sampling rate) must lie in [0, 1], got -1/3"),
        (lambda: m.PoissonSampling(sympy.sqrt(2)), "q (the sampling rate) must lie in [0, 1], got sqrt(2)"),
        (lambda: m.FixedSizeSampling(0, 1), "population must be an integer >= 1, got 0"),
        (lambda: m.FixedSizeSampling(10, 0), "batch size must be an integer >= 1, got 0"),
        (lambda: m.FixedSizeSampling(10, True), "batch size must be an integer >= 1, got True"),
        (lambda: m.FixedSizeSampling(10, 2.5), "batch size must be an integer >= 1, got 2.5"),
        (lambda: m.FixedSizeSampling(10, 11), "batch size must be at most the population 10, got 11"),
        (lambda: m.WithReplacementSampling("10", 11), "population must be an integer >= 1, got '10'"),
        (lambda: m.FiniteTable(["1/2", "1/2"], ["1"]), "the two rows of a finite table must have one length, got 2 and 1"),
        (lambda: m.FiniteTable([], []), "finite table, p must have at least one outcome"),
        (lambda: m.FiniteTable([1], ["3/2", "-1/2"]), "finite table, q must have entries >= 0, got -0.5"),
        (lambda: m.FiniteTable(["0.333"] * 3, [1, 0, 0]), "finite table, p must sum to 1, got 0.999; write thirds as '1/3', not 0.333"),
        (
            lambda: m.FiniteTable([sympy.log(2), 1 - sympy.log(2)], [1, 0]),
            "finite table, p must be rational, got log(2); write it as a decimal or a fraction",
        ),
        (lambda: m.FiniteTable("1", [1]), "finite table, p must be a list of probabilities, got '1'"),
        (lambda: m.FiniteTable([1], 1), "finite table, q must be a list of probabilities, got 1"),
        (lambda: m.Repeated(m.Gaussian(1), 0), "steps must be at least 1, got 0"),
        (lambda: m.Repeated(m.Gaussian(1), "2.5"), "steps must be an integer, got 2.5"),
        (lambda: m.Repeated(m.PoissonSampling(1), 2), "only mechanisms can be repeated or composed, got PoissonSampling(q=Fraction(1, 1))"),
        (lambda: m.Composed([]), "a composition needs at least one mechanism"),
        (lambda: m.Composed([m.Gaussian(1), 2]), "only mechanisms can be repeated or composed, got 2"),
        (lambda: m.Composed(m.Gaussian(1)), "a composition needs a sequence of mechanisms, got Gaussian"),
        (
            lambda: m.Sampled(m.Repeated(m.Gaussian(1), 2), m.PoissonSampling(1)),
            "sampling applies to one noise mechanism, got Repeated; sample it before composing",
        ),
        (
            lambda: m.Sampled(m.Gaussian(1), "0.01"),
            "sampling must be one of the samplings of dpbounds.mechanisms, such as PoissonSampling, got '0.01'",
        ),
        (lambda: m.DensityPair(NORMAL, sympy.Symbol("s") * NORMAL, X), "density q contains s besides its variable x"),
        (lambda: m.DensityPair("((", NORMAL, X), "density p must be a sympy expression, got '(('"),
        (lambda: m.DensityPair(NORMAL, None, X), "density q must be a sympy expression, got None"),
        (lambda: m.DensityPair(NORMAL, NORMAL, "x"), "the variable of a density pair must be a sympy Symbol, got 'x'"),
        (
            lambda: m.DensityPair(NORMAL, NORMAL, X, (1, 0)),
            "the support of a density pair must be an interval with closed ends, got (1, 0)",
        ),
        (
            lambda: m.DensityPair(NORMAL, NORMAL, X, (0, X)),
            "the support of a density pair must be an interval with closed ends, got (0, x)",
        ),
        (lambda: m.member(m.Relation, "swap", "relation"), "relation must be one of add-or-remove, substitute, got 'swap'"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(build, message):
    with pytest.raises(InputError) as caught:
        build()
    assert str(caught.value) == message


def test_density_pairs():
    pair = m.DensityPair(NORMAL, NORMAL.subs(X, X - 1), X)
    assert pair.support == (-sympy.oo, sympy.oo)
    assert m.DensityPair(sympy.exp(-X), 2 * sympy.exp(-2 * X), X, (0, sympy.oo)).support == (0, sympy.oo)
    assert hash(pair) == hash(m.DensityPair(NORMAL, NORMAL.subs(X, X - 1), X))


def test_enumerations_are_their_names_on_the_command_line():
    assert [str(direction) for direction in m.Direction] == ["remove", "add", "worst", "symmetric"]
    assert m.member(m.Guarantee, "pair", "guarantee") is m.Guarantee.PAIR is m.member(m.Guarantee, m.Guarantee.PAIR, "guarantee")
