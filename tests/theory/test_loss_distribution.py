"""Sums of losses, orders of hockey sticks, steps with a δ, sums under Poisson sampling: what each conclusion needs."""

from fractions import Fraction

import pytest
from sympy import Rational

from dpbounds.language import enclose
from dpbounds.language.functions import SampledGaussianRenyi
from dpbounds.theory import get
from dpbounds.theory.averages import stop_loss
from dpbounds.theory.composition import advanced
from dpbounds.theory.conversion import loss_distribution
from dpbounds.theory.sampling import poisson_sum


@pytest.mark.parametrize(
    "name, count",
    [
        ("convolved-losses", 0),
        pytest.param("substitution-symmetric", 1, marks=pytest.mark.slow),
        pytest.param("substitution-inverse", 1, marks=pytest.mark.slow),
        pytest.param("sampling-keeps-order", 7, marks=pytest.mark.slow),
        pytest.param("advanced-composition-approximate", 7, marks=pytest.mark.slow),
    ],
)
def test_no_step_is_taken_on_trust(name, count):
    built = get(name)
    assert built.assumed == ()
    assert len(built.assumptions) == count


@pytest.mark.parametrize("loss", ["-3/10", "0", "2"])
def test_inverse_of_the_loss_at_points(loss):
    values = {loss_distribution.RATE: Rational(1, 3), loss_distribution.SIGMA: 2, loss_distribution.LOSS: Rational(loss)}
    back = enclose.enclose(loss_distribution.loss_at(loss_distribution.INVERSE).subs(values), {}, 120)
    slack = Fraction(1, 10**30)
    assert back.lower - slack <= Fraction(loss) <= back.upper + slack
    other = enclose.enclose(loss_distribution.loss_at(-loss_distribution.INVERSE - Rational(1, 10)).subs(values), {}, 120)
    assert other.upper < Fraction(loss) or other.lower > Fraction(loss)


def test_premises_name_every_level_and_every_outcome():
    assert stop_loss.ORDERED in get("sampling-keeps-order").assumptions
    assert set(advanced.LARGER) <= get("advanced-composition-approximate").assumptions


@pytest.mark.slow
def test_sum_is_exact_for_the_gaussian_mechanism():
    built = get("poisson-sum-gaussian")
    values = {poisson_sum.LAMBDA: 3, poisson_sum.SAMPLING: Rational(1, 10)}
    noise = next(s for s in built.conclusion.free_symbols if str(s) == "sigma")
    value = enclose.enclose(built.conclusion.rhs.subs({**values, noise: 2}).doit(), {}, 120)
    exact = enclose.enclose(SampledGaussianRenyi(3, 2, Rational(1, 10)), {}, 120)
    slack = Fraction(1, 10**30)
    assert value.lower - slack <= exact.upper and exact.lower - slack <= value.upper
