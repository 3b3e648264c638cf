"""What is typed is what is settled and printed: nothing is decided, cancelled or lost by sympy on the way."""

import sympy
from sympy import Eq, Le, Sum, exp, log, oo

from dpbounds.claims.claim import Claim
from dpbounds.claims.settling import settle
from dpbounds.claims.statement.typeset import domain_latex, latex, markdown_of
from dpbounds.claims.verdict import Verdict
from dpbounds.language.functions import RenyiDivergence
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import as_written, index, positive, real
from dpbounds.report.statement import math

eps, lam, t = positive("eps lam t")


def test_a_symbol_is_printed_under_another_name_and_stays_itself() -> None:
    """A symbol called epsilon was put for eps, and sympy decided the premise ε > 0: the page said "for all True"."""
    premise = sympy.Gt(eps, 0, evaluate=False)
    claim = Claim(id="a", text="", given=[premise], then=Le(exp(-eps), lam, evaluate=False))
    assert latex(premise) == r"\varepsilon > 0"
    assert not any("True" in part for part in (*domain_latex(claim), markdown_of(claim), math(premise)))
    assert r"\lambda" in markdown_of(claim)


def test_a_universal_premise_shows_the_sign_of_its_variable() -> None:
    assert latex(ForAll(t, True, Le(exp(-t), lam, evaluate=False))).startswith(r"\forall\, t > 0")


def test_a_sum_that_diverges_does_not_stop_the_reading_of_a_file() -> None:
    k = index("k", start=0)
    relation = Sum((-1) ** k, (k, 0, oo)) <= 1
    assert settle(Claim(id="a", text="", then=relation), budget=2).verdict is Verdict.UNDECIDED


def test_what_would_cancel_stays_and_is_settled_and_read_back() -> None:
    x = real("x")
    with as_written():
        kept = 2 * (x - (x - lam / 2))
    claim = Claim(id="a", text="", then=Eq(kept, lam, evaluate=False))
    assert claim.variables == (lam, x)
    with as_written():
        undefined = exp(log(x)) - exp(log(x))
    assert settle(Claim(id="a", text="", then=Le(undefined, 0, evaluate=False)), budget=2).verdict is Verdict.UNDECIDED


def test_a_divergence_of_disjoint_tables_is_infinite() -> None:
    apart = RenyiDivergence(2, sympy.Tuple(1, 0), sympy.Tuple(0, 1))
    assert settle(Claim(id="a", text="", then=Le(apart, 5, evaluate=False)), budget=2).verdict is Verdict.REFUTED
    massless = RenyiDivergence(2, sympy.Tuple(0, 0), sympy.Tuple(0, 1))
    assert settle(Claim(id="a", text="", then=Le(massless, 5, evaluate=False)), budget=2).verdict is Verdict.UNDECIDED
