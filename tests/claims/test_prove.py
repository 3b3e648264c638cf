"""Proofs: a derivation establishes exactly what it concludes, under no more than the claim assumes, and nothing else proves anything."""

import dataclasses
import sys
from types import SimpleNamespace

import pytest
import sympy
from sympy import And, Eq, Integral, Or, Rational, Sum, Symbol, exp, log, oo

from dpbounds import Claim
from dpbounds.claims import Proof
from dpbounds.claims.evidence.prove import Proved, prove
from dpbounds.claims.evidence.replay import replay
from dpbounds.claims.settling import settle
from dpbounds.claims.support import Evidence
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import CertificateError, ClaimError, InputError
from dpbounds.kernel.terms import DEPTH
from dpbounds.language.functions import Supremum
from dpbounds.language.symbols import index, positive, positive_integer, real
from dpbounds.prover import rules
from dpbounds.prover.derivation import Derivation, derive
from dpbounds.prover.facts import Assumed, Fact

x, y = real("x y")
s = positive("s")


def square():
    return derive("square", "A square is nonnegative", lambda proof: proof("sign", rules.nonnegative(x**2)))


def claim(then, *given, by=None):
    return Claim(id="c", text="", given=given, then=then, by=by)


SQUARE = sympy.Le(0, x**2, evaluate=False)


def test_the_conclusion_is_what_is_proved():
    found = prove(claim(SQUARE), Proof(square))
    assert isinstance(found, Proved) and found.assumed == ()
    assert settle(claim(SQUARE, by=Proof(square))).verdict is Verdict.PROVED


def test_writing_a_document_gives_its_room_for_recursion_back():
    before = sys.getrecursionlimit()
    prove(claim(SQUARE), Proof(square))
    assert sys.getrecursionlimit() <= max(before, 20 * DEPTH)


@pytest.mark.parametrize(
    "then",
    [
        sympy.Lt(0, x**2, evaluate=False),
        sympy.Le(x**2, 0, evaluate=False),
        sympy.Le(0, x**2 - 1, evaluate=False),
        And(sympy.Le(0, x**2, evaluate=False), x <= 1),
        Eq(x**2, 0, evaluate=False),
    ],
)
def test_another_statement_is_not_proved(then):
    outcome = settle(claim(then, by=Proof(square)))
    assert outcome.verdict is Verdict.UNDECIDED


def test_a_special_case_is_proved():
    """x² ≥ 0 of an integer follows from that of a real number by rules of the checker."""
    whole = sympy.Le(0, Symbol("x", integer=True) ** 2, evaluate=False)
    assert settle(claim(whole, by=Proof(square))).verdict is Verdict.PROVED


def forgery(**changes):
    parts = {"name": "f", "conclusion": x <= 1, "assumptions": frozenset(), "assumed": (), "steps": (), "to_json": lambda: {"steps": []}}
    return SimpleNamespace(**(parts | changes))


class Lookalike(Derivation):
    """A derivation whose conclusion is whatever one likes."""

    @property
    def conclusion(self):
        return x <= 1


@pytest.mark.parametrize("fake", [lambda: forgery(), lambda: None, lambda: x <= 1])
def test_what_only_looks_like_a_derivation_proves_nothing(fake):
    with pytest.raises(ClaimError, match="Derivation"):
        prove(claim(x <= 1), Proof(fake))


def test_a_subclass_or_a_false_result_proves_nothing():
    real_one = square()
    fields = {
        name: getattr(real_one, name) for name in ("name", "title", "source", "steps", "result", "closed_form", "variables", "builder")
    }
    with pytest.raises(ClaimError, match="Derivation"):
        prove(claim(x <= 1), Proof(lambda: Lookalike(**fields)))
    false = SimpleNamespace(statement=x <= 1, assumptions=frozenset(), assumed=())
    with pytest.raises(ClaimError, match="Derivation"):
        prove(claim(x <= 1), Proof(lambda: dataclasses.replace(real_one, result=false)))


@pytest.mark.parametrize("rule", ["trust me", "sign", "part"])
def test_a_fact_that_is_made_by_hand_proves_nothing(rule):
    by_hand = Fact(sympy.Le(x, 1), frozenset(), (), rule, ())
    found = prove(claim(x <= 1), Proof(lambda: derive("by-hand", "", lambda proof: proof("so it is", by_hand))))
    assert "has no proof document" in str(found)


def test_what_a_cited_statement_rests_on_stays_with_it():
    """A condition of a citation does not fall away because somebody says so."""
    cited = rules.assume(x <= 1, "Some Book, Theorem 1", given=[x <= 0])
    carried = dataclasses.replace(cited, rule="restate", assumptions=frozenset(), premises=(cited,))
    assert isinstance(prove(claim(x <= 1), Proof(lambda: derive("carried", "", lambda proof: proof("so", carried)))), str)


def test_a_step_that_fails_is_reported():
    def wrong():
        return derive("wrong", "", lambda proof: proof("sign", rules.nonnegative(x)))

    assert "has no proof document" in str(prove(claim(x >= 0), Proof(wrong)))
    assert "does not build" in str(prove(claim(x >= 0), Proof(lambda: derive("none", "", lambda proof: rules.sign(x)))))


def test_a_builder_that_raises_is_bad_input():
    def broken():
        raise TypeError("no")

    with pytest.raises(ClaimError, match="TypeError"):
        prove(claim(x <= 1), Proof(broken))
    with pytest.raises(InputError):
        prove(claim(x <= 1), Proof("no-such-derivation"))


def test_assumptions_of_a_derivation_must_be_premises():
    def positive_product():
        return derive("product", "", lambda proof: proof("sign", rules.positive(x * y, given=[x > 0, y > 0])))

    conclusion = positive_product().conclusion
    assert isinstance(prove(claim(conclusion, x > 0, y > 0), Proof(positive_product)), Proved)
    assert isinstance(prove(claim(conclusion, x > 1, y >= Rational(1, 2)), Proof(positive_product)), Proved)
    for given in ((), (x > 0,), (x > 0, y >= 0), (x > 0, y > -1), (x > 0, Or(y > 0, x < 1))):
        found = prove(claim(conclusion, *given), Proof(positive_product))
        assert isinstance(found, str) and "also assumes" in found, given


def test_cited_steps_are_counted_apart():
    statement = sympy.Le(log(x), x - 1, evaluate=False)

    def cited():
        return derive("cited", "", lambda proof: proof("known", rules.assume(statement, "Some Book, Theorem 1", given=[x > 0])))

    outcome = settle(claim(statement, x > 0, by=Proof(cited)))
    assert outcome.verdict is Verdict.ASSUMED and outcome.method == "citation"
    assert outcome.evidence == (Evidence("citation", ("Some Book, Theorem 1",)),)
    assert isinstance(cited().assumed[0], Assumed)
    again = replay(outcome.certificate, claim(statement, x > 0, by=Proof(cited)))
    assert again.verdict is Verdict.ASSUMED
    forged = dict(outcome.certificate, verdict="PROVED", method="derivation")
    with pytest.raises(CertificateError):
        replay(forged, claim(statement, x > 0, by=Proof(cited)))


def test_a_proof_that_cites_is_proved_and_its_evidence_says_so():
    known = sympy.Le(log(x), x - 1, evaluate=False)

    def partly(proof):
        fact = proof("known", rules.assume(known, "Some Book, Theorem 1", given=[x > 0]))
        return proof("room", rules.add(fact, rules.nonnegative(exp(x))))

    outcome = settle(claim(log(x) <= x - 1 + exp(x), x > 0, by=Proof(lambda: derive("partly", "", partly))))
    assert outcome.verdict is Verdict.PROVED
    assert outcome.evidence == (Evidence("derivation", ("Some Book, Theorem 1",)),)
    assert outcome.certificate is not None
    again = Claim(id="c", text="", given=[x > 0], then=log(x) <= x - 1 + exp(x), by=Proof(lambda: derive("partly", "", partly)))
    assert replay(outcome.certificate, again).verdict is Verdict.PROVED
    forged = dict(outcome.certificate, evidence=outcome.certificate["evidence"] | {"assumed": []})
    with pytest.raises(CertificateError):  # what is cited stays in sight
        replay(forged, again)


@pytest.mark.parametrize("rewritten", [False, True])
def test_carrying_a_cited_statement_on_proves_nothing(rewritten):
    known = sympy.Le(log(x), x - 1, evaluate=False)
    wanted = log(x) + 1 <= x if rewritten else known

    def carried(proof):
        first = rules.assume(known, "Some Book, Theorem 1", given=[x > 0])
        second = rules.assume(log(x) <= x, "Some Book, Theorem 2", given=[x > 0])
        one = proof("one of two", rules.conjunct(rules.conjunction(first, second), known))
        return proof("rewritten", rules.restate(wanted, one)) if rewritten else one

    outcome = settle(claim(wanted, x > 0, by=Proof(lambda: derive("carried", "", carried))))
    assert outcome.verdict is Verdict.ASSUMED


# --- nothing is cancelled that may have no value -------------------------------------------------------------------

p, n, k, t = positive("p"), positive_integer("n"), index("k"), real("t")


def half_square(proof):
    return proof("a square", rules.nonnegative((p - Rational(1, 2)) ** 2))


def plus(*parts):
    return sympy.Ge(sympy.Add((p - Rational(1, 2)) ** 2, *parts, evaluate=False), 0, evaluate=False)


WITHOUT_A_VALUE = {
    "a sum that diverges": Sum(1 / k, (k, 1, oo)),
    "an integral that diverges": Integral(1, (t, 0, oo)),
    "a sum that ends before it starts": Sum(1 / k, (k, 1, n - 5)),
    "a supremum over nothing": Supremum(t, (t, 1, 0)),
    "a logarithm of what may be 0": log(t - 3),
    "a quotient of what may be 0": 1 / (t - 3),
}


@pytest.mark.parametrize("part", WITHOUT_A_VALUE.values(), ids=WITHOUT_A_VALUE.keys())
def test_what_sympy_cancels_is_not_proved_where_it_may_have_no_value(part):
    """sympy.expand makes 0 of S - S and of 0*S, so that a proof of (p - 1/2)² ≥ 0 passed for one of a statement without a value."""
    for parts in ((part, sympy.Mul(-1, part, evaluate=False)), (sympy.Mul(0, part, evaluate=False),)):
        outcome = settle(Claim(id="c", text="", then=plus(*parts), by=Proof(half_square)))
        assert outcome.verdict is Verdict.UNDECIDED, parts


def test_what_cancels_and_has_a_value_is_proved():
    logarithm = log(p)
    outcome = settle(Claim(id="c", text="", then=plus(logarithm, -logarithm), by=Proof(half_square)))
    assert outcome.verdict is Verdict.PROVED


def test_a_claim_that_writes_what_has_no_value_is_not_proved():
    """The sides are those of the derivation once sympy cancels, and without a value where y <= 0."""
    y = real("y")

    def squares():
        return derive("squares", "x² >= 0", lambda proof: proof("sign", rules.nonnegative(x**2)))

    written = sympy.Add(x**2, sympy.log(y), -sympy.log(y), evaluate=False)
    claim = Claim(id="cancels", text="", given=[y <= 5], then=sympy.Le(0, written, evaluate=False), by=Proof(squares))
    assert "which needs y > 0" in prove(claim, claim.by)
    vanishing = sympy.Mul(0, 1 / y, evaluate=False)
    claim = Claim(id="vanishes", text="", given=[y <= 5], then=sympy.Le(vanishing, x**2, evaluate=False), by=Proof(squares))
    assert "which needs Ne(y, 0)" in prove(claim, claim.by)
    positive_y = Claim(id="defined", text="", given=[y > 0], then=sympy.Le(0, written, evaluate=False), by=Proof(squares))
    assert not isinstance(prove(positive_y, positive_y.by), str)


def test_a_derivation_with_functions_of_the_notation_gets_its_document():
    """A Lambda of the notation reached the writer of documents as it was typed, and every such proof failed with an AttributeError."""
    from dpbounds import notation as n

    s, t = n.positive("s"), n.real("t")

    def above(proof):
        return proof("exp is increasing", rules.apply(n.Lambda(t, n.exp(t)), rules.positive(s)))

    assert isinstance(prove(Claim(id="test", text="", then=n.exp(s) > 1, given=()), Proof(above)), Proved)
