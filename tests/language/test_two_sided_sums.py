"""Sums on both sides of 0 as two sums: the same numbers, and a range that says more than its variable may is left as it is."""

import pytest
import sympy

from dpbounds.language.typed.bridge import to_sympy
from dpbounds.notation import Abs, Sum, exp, index, integer, oo, positive_integer

k, n = integer("k"), positive_integer("n")


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_sum_from_minus_n_to_n_has_its_terms(count: int) -> None:
    total = to_sympy(Sum(exp(-Abs(k)) * (k + 3) ** 2, (k, -n, n)))
    value = total.subs(dict.fromkeys(total.free_symbols, count)).doit()
    assert sympy.simplify(value - sum(sympy.exp(-abs(j)) * (j + 3) ** 2 for j in range(-count, count + 1))) == 0


def test_a_sum_to_an_end_from_minus_infinity_runs_the_other_way() -> None:
    assert Sum(exp(k), (k, -oo, 2)) == Sum(exp(-k), (k, -2, oo))
    assert Sum(k, (k, -3, 3)).tag == "Sum"


def test_an_index_that_is_positive_does_not_run_from_minus_infinity() -> None:
    i = index("i")
    assert Sum(exp(-i), (i, -oo, oo)).tag == "Sum"
