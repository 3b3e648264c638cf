"""Claims settled on the spot, and claims typeset."""

import pytest
from sympy import And, Symbol, exp

from dpbounds import Claim, Counterexample
from dpbounds.claims.settled import claim_called, settled
from dpbounds.claims.statement.typeset import domain_latex, latex, markdown_of
from dpbounds.errors import InputError
from dpbounds.language.symbols import family, positive, positive_integer, real

x, n, sigma = real("x"), positive_integer("n"), positive("sigma")


def test_claims_of_the_catalogue_and_of_ones_own():
    wrong = Claim("mine.wrong", "A square | is at least twice its root.", x**2 >= 2 * x, by=Counterexample({x: 1}))
    found = settled("chen2019.claim-25", wrong)
    assert str(found) == "chen2019.claim-25  PROVED, mutant REFUTED\nmine.wrong         REFUTED"
    assert not found.as_expected
    assert found["mine.wrong"].outcome.verdict.holds is False
    assert "| `mine.wrong` | A square \\| is" in found._repr_markdown_()


def test_what_a_claim_uses_is_settled_with_it_and_citations_are_shown():
    found = settled("yu2019.sampled-gaussian.convex-in-order")
    assert "ASSUMED" in str(found) and "cited, not checked: van Erven" in found._repr_markdown_()
    assert found.as_expected


def test_unknown_ids_are_input_errors():
    found = settled("chen2019.claim-25")
    for ask in (lambda: settled("no.such"), lambda: claim_called("no.such"), lambda: found["no.such"]):
        with pytest.raises(InputError):
            ask()


def test_the_typeset_statement_has_the_whole_domain():
    claim = Claim("a.b", "Words.", And(exp(x) >= n * sigma, x >= sigma), given=[x <= 3], source=("chen2019", "Claim 0"))
    assert domain_latex(claim) == [r"n \in \mathbb{Z}", "n > 0", r"\sigma > 0", r"x \leq 3"]
    shown = claim._repr_markdown_()
    assert shown == markdown_of(claim)
    assert shown.count("displaystyle") == 2 and "*(Claim 0)* Words." in shown
    assert markdown_of(Claim("a.c", "", x**2 >= 2 * x)).endswith(r"$\displaystyle x^{2} \geq 2 x$")


def test_reserved_names_are_written_as_letters():
    assert latex(Symbol("lam") + Symbol("m")) == r"\lambda + m"


def test_a_member_of_a_family_with_a_number_in_its_name_has_one_subscript():
    assert latex(family("p_1")[1] ** 2 <= 1) == r"p_{1,\; 1}^{2} \leq 1"


def test_a_claim_object_that_uses_others_is_left_to_check():
    with pytest.raises(InputError, match=r"claim a.d uses a.c; put them into one file and run `dpbounds check` on it"):
        settled(Claim("a.d", "", x**2 >= 2 * x - 1, uses=["a.c"]))
