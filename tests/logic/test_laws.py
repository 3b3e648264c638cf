"""Laws: masses that are nonnegative, with total one."""

import pytest

from dpbounds.claims import Claim
from dpbounds.language.symbols import sums_to_one
from dpbounds.language.typed.bridge import to_sympy
from dpbounds.logic.terms import TermError
from dpbounds.notation import index, laws, positive_integer, real

i, n = index("i"), positive_integer("n")


@pytest.mark.parametrize("sign", ["nonnegative", "positive"])
def test_a_premise_says_that_masses_are_not_negative_and_sum_to_one(sign):
    p = laws("p", (i, 1, n), sign)
    total = sums_to_one(to_sympy(p.base), to_sympy((i, 1, n)))
    assert to_sympy(p[3]).is_nonnegative and Claim(then=real("x") <= 1, given=[p]).given == (total,)


@pytest.mark.parametrize("sign", ["negative", "zero", "nonpositive", "real", "integer", "any"])
def test_masses_of_another_sign_are_no_law(sign):
    with pytest.raises(TermError, match="masses"):
        laws("p", (i, 1, n), sign)


def test_the_outcomes_of_a_law_are_not_run_through():
    with pytest.raises(TypeError):
        iter(laws("p", (i, 1, n)))
