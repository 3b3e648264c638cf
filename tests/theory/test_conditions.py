"""What each conclusion needs: premises, conditions of a step, constants. What is derived itself is in documents that the kernel checks."""

from fractions import Fraction

import pytest
import sympy
from sympy import Rational, Sum, exp, log

from dpbounds.language import enclose
from dpbounds.language.functions import RenyiMoment, SampledGaussianDelta, SampledGaussianRenyi
from dpbounds.language.symbols import bernoulli, index, positive_integer
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps
from dpbounds.theory import get
from dpbounds.theory.averages import stop_loss
from dpbounds.theory.composition import advanced, bounded_range, filters
from dpbounds.theory.conversion import loss_distribution
from dpbounds.theory.sampling import directions, moment_growth, moment_order, poisson_sum, reverse_sampling
from tests.prover.wrong import without_document

PREMISES = {
    "bounded-range": 4, "pure-to-concentrated": 4, "adaptive-budgets": 7, "blocks-of-data": 6, "convolved-losses": 0,
    "substitution-symmetric": 1, "substitution-inverse": 1, "sampling-keeps-order": 7, "advanced-composition-approximate": 7,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", PREMISES)
def test_no_step_is_taken_on_trust(name):
    assert get(name).assumed == () and len(get(name).assumptions) == PREMISES[name]


@pytest.mark.slow
def test_premises_speak_of_every_history_step_level_and_outcome():
    budgets = get("adaptive-budgets").assumptions
    assert "rho[j, h]" in str(budgets) and "S[j, h]" in str(budgets) and filters.WITHIN in budgets
    assert bounded_range.WITHIN in get("bounded-range").assumptions
    assert stop_loss.ORDERED in get("sampling-keeps-order").assumptions
    assert set(advanced.LARGER) <= get("advanced-composition-approximate").assumptions


@pytest.mark.slow
def test_conclusions_are_stated_for_every_order_and_every_epsilon():
    every_order, one_step = get("remove-above-add"), get("remove-above-add-delta")
    alpha, sigma, q, epsilon = directions.ALPHA, directions.SIGMA, directions.RATE, directions.EPSILON
    assert every_order.conclusion == (SampledGaussianRenyi(alpha, sigma, q, "add") <= SampledGaussianRenyi(alpha, sigma, q, "remove"))
    assert every_order.assumptions == {alpha > 1, q < 1}
    assert one_step.conclusion.lhs == SampledGaussianDelta(epsilon, sigma, q, 1, "add")
    assert one_step.assumptions == {q < 1}
    assert every_order.assumed == one_step.assumed == ()


@pytest.mark.slow
def test_the_conclusion_on_the_reverse_names_the_three_moments():
    fact = reverse_sampling.reverse_of_sampling().result
    sums = {f"Eq(Sum({name}[i], (i, 1, n)), 1)" for name in "pq"}
    assert fact.assumed == () and {str(a) for a in fact.assumptions} == {"alpha > 1", "gamma < 1", *sums}


@pytest.mark.slow
def test_the_upper_bound_of_the_moment_needs_both_limits(monkeypatch):
    result = moment_growth.moment_upper_bound().result
    assert result.assumed == ()
    assert {str(a) for a in result.assumptions} == {"lambda > 1", "q <= 1", "lambda <= c*sigma**2", "lambda*q <= a*sigma"}
    monkeypatch.setattr(moment_growth, "EXPONENT", moment_growth.ORDER_SHARE / 4)
    assert without_document(moment_growth.one_growth(ProofSteps()))


def test_half_of_the_second_order_bound_has_no_proof():
    x, exponent = moment_order.X, moment_order.EXPONENT
    at = rules.instance(rules.convex_tangent(exp(x), x, exponent), {x: sympy.S.Zero})
    assert without_document(rules.restate(rules.le(exp(exponent), 1 + exponent * exp(exponent) / 2), at))


class Halves(reverse_sampling.Place):
    """Another theta: 1/2."""

    @property
    def weights(self):
        return Rational(1, 2), Rational(1, 2)


@pytest.mark.slow
def test_another_weight_of_the_forward_moments_has_no_proof():
    assert without_document(reverse_sampling._curvature(ProofSteps(), Halves())[0])


def test_first_term_needs_a_range_that_is_not_empty():
    n, i = positive_integer("n"), index("i")
    split = rules.first_term(Sum(1 / i, (i, 1, n)))
    assert split.rhs == 1 + Sum(1 / i, (i, 2, n))
    assert without_document(rules.first_term(Sum(1 / i, (i, 2, n))))


def test_eighth_is_the_least_constant_of_a_bounded_range():
    """Coins of masses (1/2 ± h)/1 against their flips: G_2 − 1 is 16h²/(1 − 4h²), and the range is η = 2 log((1+2h)/(1−2h)) = 8h + …"""
    h = Rational(1, 1000)
    width = 2 * log((1 + 2 * h) / (1 - 2 * h))
    inside, below = (enclose.enclose(exp(2 * width**2 / share), {}, 200) for share in (8, Rational(8001, 1000)))
    value = enclose.enclose(RenyiMoment(2, bernoulli(Rational(1, 2) + h), bernoulli(Rational(1, 2) - h)), {}, 200)
    assert below.upper <= value.lower and value.upper <= inside.lower


@pytest.mark.parametrize("loss", ["-3/10", "0", "2"])
def test_inverse_of_the_loss_at_points(loss):
    values = {loss_distribution.RATE: Rational(1, 3), loss_distribution.SIGMA: 2, loss_distribution.LOSS: Rational(loss)}
    back = enclose.enclose(loss_distribution.loss_at(loss_distribution.INVERSE).subs(values), {}, 120)
    slack = Fraction(1, 10**30)
    assert back.lower - slack <= Fraction(loss) <= back.upper + slack
    other = enclose.enclose(loss_distribution.loss_at(-loss_distribution.INVERSE - Rational(1, 10)).subs(values), {}, 120)
    assert other.upper < Fraction(loss) or other.lower > Fraction(loss)


@pytest.mark.slow
def test_the_sum_under_sampling_is_exact_for_the_gaussian_mechanism():
    built = get("poisson-sum-gaussian")
    values = {poisson_sum.LAMBDA: 3, poisson_sum.SAMPLING: Rational(1, 10)}
    noise = next(s for s in built.conclusion.free_symbols if str(s) == "sigma")
    value = enclose.enclose(built.conclusion.rhs.subs({**values, noise: 2}).doit(), {}, 120)
    exact = enclose.enclose(SampledGaussianRenyi(3, 2, Rational(1, 10)), {}, 120)
    slack = Fraction(1, 10**30)
    assert value.lower - slack <= exact.upper and exact.lower - slack <= value.upper
