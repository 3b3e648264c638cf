"""Laws: masses that are nonnegative, with total one."""

import pytest

from dpbounds.claims import Claim
from dpbounds.errors import InputError
from dpbounds.language.law import laws
from dpbounds.language.symbols import index, positive_integer, real, sums_to_one

i, n = index("i"), positive_integer("n")


@pytest.mark.parametrize("sign", ["nonnegative", "positive"])
def test_a_premise_says_that_masses_are_not_negative_and_sum_to_one(sign):
    p = laws("p", (i, 1, n), sign)
    assert p[3].is_nonnegative and Claim(then=real("x") <= 1, given=[p]).given == (sums_to_one(p.base, (i, 1, n)),)


@pytest.mark.parametrize("sign", ["negative", "zero", "nonpositive", "real", "integer", "any"])
def test_masses_of_another_sign_are_no_law(sign):
    with pytest.raises(InputError, match="masses"):
        laws("p", (i, 1, n), sign)


def test_the_outcomes_of_a_law_are_not_run_through():
    with pytest.raises(TypeError):
        iter(laws("p", (i, 1, n)))
