"""Documents of the divergences of logistic and generalized normal noise: what they say, and that nothing near it is accepted."""

import pytest

from dpbounds.claims.evidence import documents
from dpbounds.claims.evidence.documents import accepted, folder
from dpbounds.kernel import checker
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import Refused

LOGISTIC, GENERAL = "logistic-renyi", "generalized-normal-renyi"
MOMENT = "(1 - exp(Delta * (1 - (2 * alpha)))) * exp(Delta * alpha) / (2 * alpha - 1) / (exp(Delta) - 1)"
"""c^α (1 − c^{1−2α})/((2α−1)(c−1)) with c = e^Δ."""
RATE = "alpha * s_1**(-beta) + s_2**(-beta) * (1 - alpha)"
MUTANTS = [
    (LOGISTIC, "(1 - exp(Delta * (1 - (2 * alpha))))", "(1 - exp(Delta * (1 - (3 * alpha))))"),
    (LOGISTIC, "* exp(Delta * alpha) / (2 * alpha - 1)", "* exp(Delta * alpha) / (2 * alpha + 1)"),
    (LOGISTIC, "exp(-_0) / (1 + exp(-_0))**2", "exp(-_0) / (1 + exp(-_0))**3"),
    (LOGISTIC, "1 < alpha", "0 <= alpha"),
    (LOGISTIC, "0 < Delta", "0 <= Delta"),
    (GENERAL, "**(-(1 / beta))", "**(-(2 / beta))"),
    (GENERAL, "abs(_0)**beta", "abs(_0)**(2 * beta)"),
    (GENERAL, "line(_1, exp(-abs(_1)**beta))", "line(_1, exp(-(2 * abs(_1)**beta)))"),
    (GENERAL, f"0 < {RATE}", f"0 <= {RATE}"),
    (GENERAL, "0 < beta", "0 <= beta"),
]


def text_of(name: str) -> str:
    """The stored document."""
    return (folder() / f"{name}{documents.SUFFIX}").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [LOGISTIC, GENERAL])
def test_the_document_is_accepted_without_a_citation(name):
    found = accepted(name, folder())
    assert not found.citations
    assert [show(g) for g in found.given if len(show(g)) > 12] == ([f"0 < {RATE}"] if name == GENERAL else [])
    right = f"log(s_1**(-alpha) * s_2**(alpha - 1) * ({RATE})**(-(1 / beta)))" if name == GENERAL else f"log({MOMENT})"
    assert show(found.claim.parts[1]) == f"{right} / (alpha - 1)"


@pytest.mark.parametrize("name, old, new", MUTANTS)
def test_a_document_with_another_statement_is_refused(name, old, new):
    text = text_of(name)
    assert old in text.splitlines()[0]
    with pytest.raises(Refused):
        checker.check(checker.parse(text.replace(old, new)), {})


@pytest.mark.parametrize("name, old, new", [MUTANTS[0], MUTANTS[-1]])
def test_a_document_that_shows_something_else_is_refused(name, old, new):
    header, *steps = text_of(name).splitlines()
    with pytest.raises(Refused):
        checker.check(checker.parse("\n".join([header.replace(old, new), *steps])), {})


@pytest.mark.parametrize(
    "name, rule", [(LOGISTIC, "extremum_reached"), (LOGISTIC, "fundamental_theorem_above"), (GENERAL, "integral_affine")]
)
def test_a_document_that_lacks_a_premise_is_refused(name, rule):
    """The limit, the antiderivative, the change of scale: each rests on all that the rule asks for."""
    lines = text_of(name).splitlines()
    at = next(k for k, line in enumerate(lines) if f'"rule": "{rule}"' in line)
    start = lines[at].index('"by": [') + len('"by": [')
    cut = lines[at].index("]", start)
    lines[at] = lines[at][:start] + ", ".join(lines[at][start:cut].split(", ")[:-1]) + lines[at][cut:]
    with pytest.raises(Refused):
        checker.check(checker.parse("\n".join(lines)), {})
