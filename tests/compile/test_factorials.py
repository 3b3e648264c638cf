"""Stirling's formula by doubling: the lemmas are accepted and true in numbers; claims have documents and false twins have none."""

from typing import Any

import mpmath
import pytest
from sympy import E, Rational, binomial, exp, factorial, pi, sqrt

from dpbounds import Claim
from dpbounds.claims.evidence.judged import judged
from dpbounds.claims.evidence.ways import by_factorials
from dpbounds.compile.factorials.stirling import remainder, stirling_bound
from dpbounds.compile.joining.factorial_claims import log_binomial
from dpbounds.compile.limits_of_sequences import INDEX
from dpbounds.compile.steps import Steps
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import Refused, at_most, number, over
from dpbounds.language.symbols import positive_integer

n = positive_integer("n")
TWINS: dict[str, tuple[Any, Any]] = {
    "above": (factorial(n) <= sqrt(2 * pi * n) * (n / E) ** n * exp(1 / (12 * n)), factorial(n) <= sqrt(2 * pi * n) * (n / E) ** n),
    "below": (factorial(n) >= sqrt(2 * pi * n) * (n / E) ** n, factorial(n) >= sqrt(7 * n) * (n / E) ** n),
    "thirds": (
        binomial(3 * n, n) <= Rational(27, 4) ** n * sqrt(3 / (4 * pi * n)),
        binomial(3 * n, n) <= Rational(27, 4) ** n * sqrt(3 / (13 * n)),
    ),
}


@pytest.mark.parametrize("name", ["above", "below", pytest.param("thirds", marks=pytest.mark.slow)])
def test_a_document_of_the_true_claim_and_none_of_its_twin(name: str) -> None:
    claim, wrong = (Claim(id="a", text="It holds.", given=[], then=statement) for statement in TWINS[name])
    found = by_factorials(claim, None)
    assert found is not None and found.statement is not None
    with pytest.raises(Refused, match="something else"):
        judged(wrong, found.text)


def test_a_false_claim_has_no_document() -> None:
    assert by_factorials(Claim(id="a", text="It fails.", given=[], then=TWINS["above"][1]), None) is None


@pytest.mark.parametrize("upper", [True, False])
def test_the_remainder(upper: bool) -> None:
    steps = Steps(("n_i", "m_i", "k_i", "v_i", "b_", "y_", "t_", "x_"))
    steps.write.work *= 20
    step = stirling_bound(steps, upper=upper)
    bound = over(number("1/12" if upper else "1/15"), INDEX)
    sides = (remainder(INDEX), bound) if upper else (bound, remainder(INDEX))
    assert steps.formula(step) == at_most(*sides) and {show(h) for h in steps.write.steps[step].hypotheses} == {"1 <= n_i"}
    for k in (1, 2, 3, 10, 1000):
        rho = mpmath.loggamma(k + 1) - k * mpmath.log(k) + k - mpmath.log(2 * mpmath.pi * k) / 2
        assert 1 / mpmath.mpf(15 * k) <= rho <= 1 / mpmath.mpf(12 * k)


def test_a_coefficient_by_factorials() -> None:
    steps = Steps(("l_i", "k_i", "v_i"))
    assert not steps.write.steps[log_binomial(steps)].hypotheses
