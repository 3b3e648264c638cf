"""Points for a search: found where simple numbers or the premises show the way."""

from dpbounds.claims.claim import Claim
from dpbounds.claims.counterexamples.float_points import float_points
from dpbounds.claims.counterexamples.points import solved_points
from dpbounds.claims.counterexamples.refute import Refutation
from dpbounds.claims.counterexamples.search import find_point, search
from dpbounds.claims.domain import Domain
from dpbounds.notation import Rational, exp, log, nonnegative, positive, positive_integer, sqrt

epsilon, eta, gamma_, q_1, q_2 = nonnegative("epsilon eta gamma q_1 q_2")
delta, sigma = positive("delta sigma")
N = positive_integer("N")


def five(bound):
    """A statement in five variables that fails only in a corner of simple numbers."""
    given = [gamma_ <= 1, q_1 <= 1, q_2 <= 1, eta <= 1]
    left = (1 - gamma_) * q_1 * (1 - q_2) * exp(epsilon) / (1 + eta)
    right = bound * exp(epsilon) + (epsilon - 1) ** 2 + eta + q_2 + gamma_ * (1 - gamma_) * 3
    return Claim(id="five", text="", given=given, then=left <= right)


def test_five_variables():
    assert isinstance(search(five(Rational(1, 100))), Refutation)
    assert list(float_points(five(Rational(2)), Domain.of_claim(five(Rational(2))), 0, 10)) == []


def test_a_premise_that_asks_for_large_values():
    given = [16 * log(2 / delta) * exp(epsilon) <= N, delta <= Rational(1, 2), epsilon >= 1]
    claim = Claim(id="large", text="", given=given, then=N >= 2)
    point = find_point(claim)
    assert point is not None
    assert Domain.of_claim(claim).contains(point) is True


def test_premises_in_turn():
    given = [sigma >= sqrt(2 * log(Rational(5, 4) / delta)) / epsilon, epsilon <= Rational(1, 10), delta <= Rational(1, 1000), epsilon > 0]
    domain = Domain.of_claim(Claim(id="turn", text="", given=given, then=sigma >= 1))
    assert any(domain.contains(point) is True for point in solved_points(domain))
