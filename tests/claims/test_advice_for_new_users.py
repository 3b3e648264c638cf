"""What an UNDECIDED or refused claim is told: sentences that are true, and do not change what is claimed."""

import pytest
from sympy import Ge, exp, log, sqrt

from dpbounds import Claim, Verdict, settle
from dpbounds.errors import ClaimError
from dpbounds.language.functions import GaussianDelta, HockeyStick
from dpbounds.language.symbols import family, index, nonnegative, positive, positive_integer, sums_to_one


def test_a_noise_with_a_least_value_is_to_be_replaced_by_it():
    sigma, epsilon, delta = positive("sigma"), positive("epsilon"), positive("delta")
    least = sqrt(2 * log(5 / (4 * delta))) / epsilon
    given = [epsilon <= 1, delta < 1, Ge(sigma, least)]
    outcome = settle(Claim(id="a", text="", given=given, then=GaussianDelta(epsilon, sigma, 1) <= delta), budget=1)
    assert outcome.verdict is Verdict.CERTIFIED or "the least that the premise allows" in outcome.next_step
    assert "seems to fail" not in outcome.detail


def test_a_premise_about_every_member_is_a_for_all():
    epsilon, n, i = nonnegative("epsilon"), positive_integer("n"), index("i")
    p, q = family("P"), family("Q")
    given = [*(sums_to_one(law, (i, 1, n)) for law in (p, q)), p[i] <= exp(epsilon) * q[i]]
    with pytest.raises(ClaimError, match=r"if every member is meant, write ForAll\(i, And\(i >= 1, i <= n\), P\[i\] <= "):
        Claim(id="a", text="", given=given, then=HockeyStick(epsilon, p[i], q[i], (i, 1, n)) <= 0)
