"""Statements whose conversion to sympy could lose what they say: ranges of bound variables, and what evaluation would cancel."""

import pytest
from sympy import Symbol

from dpbounds import Claim, Verdict, settle
from dpbounds.errors import ClaimError
from dpbounds.notation import Eq, Integral, Sum, exp, index, integer, log, positive, real, sqrt


def test_a_binder_inside_another_of_the_same_name_lends_it_no_range():
    """The inner range hid the outer one, so t passed for positive from K = −3 on, and 67 ≤ 7 was certified."""
    outer, k, t = integer("K"), index("k"), index("t")
    difference = Sum(abs(t), (t, outer, 3)) - Sum(t, (t, outer, 3))
    with pytest.raises(ClaimError, match="t is declared to be positive"):
        Claim(id="c", then=Sum(1 + Sum(difference, (k, 1, 3)), (outer, -3, 3)) <= 7)
    x, same, u = real("x"), positive("x"), positive("u")
    gap = Integral(abs(u), (u, x, 3)) - Integral(u, (u, x, 3))
    with pytest.raises(ClaimError, match="u is declared to be positive"):
        Claim(id="c", then=Integral(1 + Integral(gap, (same, 1, 2)), (x, -2, -1)) <= 1)


def test_a_name_with_a_space_is_another_variable():
    """At v = −1 the left side is 2; the range of x from 1 to 2 passed for that of a variable called "x "."""
    x, u, v = real("x"), positive("u"), Symbol("x ", real=True)
    gap = Integral(abs(u), (u, v, 3)) - Integral(u, (u, v, 3))
    with pytest.raises(ClaimError, match="u is declared to be positive"):
        Claim(id="c", then=Integral(1 + gap, (x, 1, 2)) <= 1)


def _emptied():
    x, z, k = real("x"), real("z"), index("k")
    yield from (x / x <= 1, 0 / x <= 0, sqrt(x) * sqrt(x) <= x, 1 / x - 1 / x <= 0, Eq(exp(log(x)), x), x / x >= 1)
    yield from (Sum(0 * log(k - 1), (k, 1, 3)) <= 0, Integral(0 / z, (z, -1, 1)) <= 2)


@pytest.mark.parametrize("then", list(_emptied()), ids=str)
def test_what_sympy_would_empty_is_not_settled_where_it_has_no_value(then):
    assert settle(Claim(id="c", then=then), budget=1).verdict is Verdict.UNDECIDED


def test_what_sympy_would_empty_is_settled_where_it_has_a_value():
    x = real("x")
    assert settle(Claim(id="c", then=x - x <= 0), budget=5).verdict is Verdict.CERTIFIED
