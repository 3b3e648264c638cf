"""A conclusion with a condition: the proof checker takes A → B from B under the premise A."""

import pytest
from sympy import And, Implies, Rational, Sum, Symbol, log

from dpbounds import Claim, Verdict, settle
from dpbounds.claims.evidence.compiled import written
from dpbounds.claims.evidence.judged import judged
from dpbounds.kernel.terms import Refused
from dpbounds.language.symbols import real

x, y, z = real("x"), real("y"), Symbol("z", integer=True)


def stated(then, *given):
    return Claim(id="a", text="", given=list(given), then=then)


@pytest.mark.parametrize(
    "claim",
    [
        pytest.param(stated(Implies(x > 0, log(x) <= x - 1)), id="B has no value where A fails"),
        pytest.param(stated(Implies(And(x >= 1, y >= x), y**2 >= x)), id="two conditions"),
        pytest.param(stated(Implies(x > 0, Implies(y > x, log(y) >= log(x)))), id="a condition in a condition"),
        pytest.param(stated(Implies(y > x, log(y) >= 0), x > 1), id="with a premise"),
        pytest.param(stated(Implies(x >= 0, Sum(x**z, (z, 1, 20)) >= x)), id="with a sum between numbers"),
    ],
)
def test_conclusions_with_a_condition(claim):
    document = written(claim)
    assert document.statement is not None, document
    with pytest.raises(Refused):  # without the condition the same steps show nothing
        judged(stated(claim.then.args[1], *claim.given), document.text)


def test_such_a_claim_is_settled():
    assert settle(stated(Implies(x > 0, log(x) <= x - 1)), budget=5).verdict is Verdict.CERTIFIED
    assert settle(stated(Implies(x > 0, log(x) <= x - Rational(101, 100))), budget=5).verdict is Verdict.REFUTED


@pytest.mark.parametrize("then", [Implies(log(x) > 0, x > 1), Implies(x > 0, log(y) <= y), Implies(x > 0, log(x - 1) <= x)])
def test_what_has_no_value_where_the_condition_holds_is_not_shown(then):
    assert written(stated(then)).statement is None
