"""δ and D_α of Laplace noise and randomized response, read as divergences of two laws: the true claim has a document, its twin has none."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest
import sympy
from sympy import Expr, Max, Rational, exp

from dpbounds import Claim
from dpbounds.claims.boxes.mechanism_quantities import mechanism_delta, mechanism_renyi
from dpbounds.claims.evidence.compiled import compiled
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.evidence.judged import judged
from dpbounds.claims.evidence.ways import from_descent
from dpbounds.kernel.terms import Refused
from dpbounds.language.enclose import enclose
from dpbounds.language.symbols import nonnegative, positive
from dpbounds.language.typed.read_sympy import Statements

e, b, a = nonnegative("e"), positive("b"), positive("a")


def _laplace(order: Any) -> Any:
    return mechanism_delta(order, laplace_scale=b)


TWINS: dict[str, tuple[list[Any], Any, Any]] = {
    "a line": ([], _laplace(e) <= Max(0, (1 / b - e) / 2), _laplace(e) <= Max(0, (1 / b - e) / 3)),
    "variation": ([], _laplace(e) <= 1 - exp(-1 / (2 * b)), _laplace(e) <= (1 - exp(-1 / (2 * b))) / 2),
    "from below": ([e <= 1 / b], _laplace(e) >= 1 - exp((e - 1 / b) / 2), _laplace(e) >= 1 - exp(e - 1 / b)),
    "order 2": (
        [b >= 1, b <= 4], mechanism_renyi(2, laplace_scale=b) <= 1 / b**2,
        mechanism_renyi(2, laplace_scale=b) <= Rational(9, 10) / b**2),
    "order 1": ([], mechanism_renyi(1, laplace_scale=b) <= 1 / (2 * b**2), mechanism_renyi(1, laplace_scale=b) <= 1 / (3 * b**2)),
    "response": (
        [e <= a], mechanism_delta(e, randomized_response=a) <= (exp(a) - exp(e)) / (1 + exp(a)),
        mechanism_delta(e, randomized_response=a) <= Rational(9, 10) * (exp(a) - exp(e)) / (1 + exp(a))),
}  # fmt: skip


@pytest.mark.parametrize("name", TWINS)
def test_a_document_of_the_true_claim_and_none_of_its_twin(name: str) -> None:
    given, then, twin = TWINS[name]
    claim, wrong = (Claim(id="a", text="It holds.", given=given, then=statement) for statement in (then, twin))
    certificate = certificate_of(claim, 5.0)
    assert certificate is not None
    found = compiled(claim, certificate)
    assert found.statement is not None and found.text is not None, found.detail
    assert from_descent(wrong, certificate).statement is None
    with pytest.raises(Refused, match="something else"):
        judged(wrong, found.text)


@pytest.mark.parametrize("direction", ["remove", "add", "worst"])
@pytest.mark.parametrize("noise", ["laplace_scale", "randomized_response"])
def test_the_definition_is_what_the_accountant_computes_in_both_directions(noise: str, direction: str) -> None:
    part = {noise: a}
    for at in (0, Rational(1, 4), Rational(3, 2)):
        _agree(mechanism_delta(at, direction=direction, **part))
    for order in (1, Rational(5, 2)):
        _agree(mechanism_renyi(order, direction=direction, **part))


def _agree(quantity: Any) -> None:
    assert abs(_value(quantity) - float(enclose(quantity.subs(a, 2), {}).upper)) <= 1e-8


def _value(quantity: Any) -> float:
    """At a = 2, by quadrature in pieces that have no kinks."""
    form: Expr = quantity.definition().subs(a, 2)
    for integral in form.atoms(sympy.Integral):
        y = integral.args[1][0]
        f = sympy.lambdify(y, integral.function, "mpmath")
        cuts = [-mpmath.inf, -40, -5, 0, *(mpmath.mpf(k) / 4 for k in range(1, 5)), 5, 40, mpmath.inf]
        form = form.subs(integral, sympy.Float(mpmath.quad(f, cuts), 15))
    return float(form)


@pytest.mark.parametrize("more", [{"q": Rational(1, 2)}, {"steps": 3}, {"relation": "substitute"}, {"guarantee": "pair"}])
def test_what_is_no_single_use_has_no_definition(more: Any) -> None:
    quantity = mechanism_delta(e, laplace_scale=b, **more)
    assert quantity.definition() == quantity


def test_a_number_for_the_scale_is_left_to_the_evaluators() -> None:
    quantity = mechanism_delta(e, laplace_scale=2)
    assert quantity.definition() == quantity
    assert Statements().term(mechanism_delta(e, laplace_scale=b)).tag == "line"
