"""Documents of claims about the gamma function, read as the one function with its recursion whose logarithm is convex."""

import pytest
from sympy import Rational, gamma, log, sqrt

from dpbounds import Claim
from dpbounds.claims.evidence.judged import judged
from dpbounds.claims.evidence.ways import by_gammas
from dpbounds.compile.joining.gammas import gamma_document
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import Refused
from dpbounds.language.symbols import positive, positive_integer, real
from dpbounds.language.typed.gamma_function import axioms_of_gamma
from dpbounds.language.typed.read_sympy import Statements

t, p, n, half = positive("t"), positive("p"), positive_integer("n"), Rational(1, 2)
TWINS = {
    "wendel": ([], gamma(t + half) <= sqrt(t) * gamma(t), gamma(t + half) <= sqrt(t) * gamma(t) * Rational(9, 10)),
    "a quotient": ([], gamma(t + 1) / gamma(t + half) >= sqrt(t), gamma(t + 1) / gamma(t + half) >= sqrt(t + half)),
    "from above": ([], gamma(t + half) / gamma(t) >= t / sqrt(t + half), gamma(t + half) / gamma(t) >= sqrt(t - Rational(1, 3))),
    "squares": ([], gamma(t + half) ** 2 <= gamma(t) * gamma(t + 1), gamma(t + half) ** 2 <= gamma(t) * gamma(t + 1) * Rational(9, 10)),
    "logarithms": ([], 2 * log(gamma(t + 1)) <= log(gamma(t) * gamma(t + 2)), 2 * log(gamma(t + 1)) <= log(gamma(t) * gamma(t + 1))),
    "a share": ([p < 1], gamma(t + 1) >= t ** (1 - p) * gamma(t + p), gamma(t + 1) >= (t + 1) ** (1 - p) * gamma(t + p)),
    "a length": ([], sqrt(2) * gamma((n + 1) / 2) <= sqrt(n) * gamma(n / 2), sqrt(2) * gamma((n + 1) / 2) <= sqrt(n - half) * gamma(n / 2)),
    "watson": ([], gamma(t + 1) >= sqrt(t + half / 2) * gamma(t + half), gamma(t + 1) >= sqrt(t + Rational(1, 3)) * gamma(t + half)),
    "half": ([t > half], gamma(t + half) >= sqrt(t - half / 2) * gamma(t), gamma(t + half) >= sqrt(t - half / 3) * gamma(t)),
}  # fmt: skip


@pytest.mark.parametrize("name", TWINS)
def test_a_document_of_the_true_claim_and_none_of_its_twin(name):
    given, then, twin = TWINS[name]
    claim, wrong = (Claim(id="a", text="It holds.", given=given, then=statement) for statement in (then, twin))
    found = by_gammas(claim, None)
    assert found is not None and found.statement is not None
    assert by_gammas(wrong, None) is None
    with pytest.raises(Refused, match="something else"):
        judged(wrong, found.text)


def test_a_document_says_what_it_takes_of_the_function():
    """Γ(1) = 1, Γ > 0, Γ(x + 1) = x·Γ(x), and log Γ is convex: what holds of Γ on x > 0, and of no other function."""
    read = Statements()
    read.term(gamma(t))
    assert len(axioms_of_gamma(read.typed.gamma)) == 4
    claim = Claim(id="a", text="It holds.", given=[], then=gamma(t + half) <= sqrt(t) * gamma(t))
    assert "Gamma" in gamma_document("a", claim.then, claim.given)


def test_the_function_is_asked_to_have_a_value():
    stated = Statements().stated(gamma(real("u")) >= 0, [])
    assert list(map(show, stated.asked)) == ["0 < u"]
