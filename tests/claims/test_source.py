"""Claims of a source: parts by their kinds, ids from variables, expectations from evidence, mutants as what changes."""

import pytest
from sympy import Eq, Rational

from dpbounds import ASSUMED, FAILS, HOLDS, OPEN, Boxes, Citation, Claim, Counterexample, Identity, Mutant, Proof, Search, Source, notation
from dpbounds.claims.collect import claims_in
from dpbounds.claims.settling import settle
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import ClaimError, InputError, LanguageError
from dpbounds.language.symbols import real
from dpbounds.language.typed.bridge import to_sympy
from dpbounds.logic.terms import TermError
from dpbounds.notation import HockeyStick, KLDivergence, RenyiDivergence, index, laws, positive_integer
from dpbounds.prover import rules

x, y = real("x y")
source = Source("mill1843.chapter-2", "page 7")
HEAD = "from dpbounds.notation import *\nsource = Source('mill1843.logic', 'page 7')\nx = real('x')\n"


def test_the_parts_of_a_claim_are_known_by_their_kinds():
    claim = source.claim("words", [x >= 0], x <= 1, Boxes(), note="more")
    assert (claim.text, claim.given, claim.then, claim.by, claim.note) == ("words", (x >= 0,), x <= 1, Boxes(), "more")
    assert claim.source == ("mill1843", "page 7")
    assert source.at("page 8").claim(x <= 1).source == ("mill1843", "page 8")
    assert Source("mine").claim(x <= 1).source is None


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ((), HOLDS),
        ((Boxes(),), HOLDS),
        ((Proof("proposition-2"),), HOLDS),
        (({x: 2},), FAILS),
        ((Counterexample({x: 2}),), FAILS),
        ((Search(),), FAILS),
        ((Citation("Mill 1843"),), ASSUMED),
    ],
)
def test_the_evidence_says_what_is_expected(evidence, expected):
    assert source.claim(x <= 1, *evidence).expect is expected
    assert source.claim(x <= 1, *evidence, expect=OPEN).expect is OPEN


def test_a_tight_constant_gives_the_claim_and_its_mutant():
    claim = source.claim(x - x**2 <= y, Boxes(), tight=(y, "1/4", "0.249"))
    assert claim.then == (x - x**2 <= Rational(1, 4)) and claim.mutant == Mutant(x - x**2 <= Rational(249, 1000))
    at = source.claim(x - x**2 <= y, tight=(y, "1/4", 0, {x: "1/2"}))
    assert at.mutant == Mutant(x - x**2 <= 0, by=Counterexample({x: "1/2"}))
    assert settle(at).verdict.holds and settle(at).mutant.verdict is Verdict.REFUTED


@pytest.mark.parametrize("tight", [(), (y,), (y, 1), (x + 1, 1, 2), (real("z"), 1, 2), (1, 1, 2)])
def test_a_tight_constant_is_a_symbol_with_two_values(tight):
    with pytest.raises(ClaimError, match="names a symbol of the conclusion and two numbers"):
        source.claim(x - x**2 <= y, tight=tight)


def test_a_tight_constant_leaves_no_room_for_a_mutant():
    with pytest.raises(ClaimError, match="has its mutant"):
        source.claim(x - x**2 <= y, mutant=x <= 0, tight=(y, 1, 0))


def test_where_a_function_is_least_is_no_number(tmp_path):
    for name, relation in (("argmin", "<="), ("argmax", ">=")):
        with pytest.raises(LanguageError, match=rf"{name} is not part of the claim language.*f\(t\) {relation} f\(s\)"):
            getattr(notation, name)(x**2, (x, 0, 1))


def test_a_claim_of_ones_own_just_wants_a_verdict(tmp_path):
    own = ids(tmp_path, "first = claim(x**2 >= 0)\nsecond = claim(x**2 >= 0, Boxes())\n")
    assert [(name, c.expect, c.source) for name, c in own.items()] == [("first", None, None), ("second", HOLDS, None)]


@pytest.mark.parametrize(
    ("mutant", "twin"),
    [
        (x <= 0, Mutant(x <= 0)),
        ((x <= 0, {x: "1/2"}), Mutant(x <= 0, by=Counterexample({x: "1/2"}))),
        ([x >= -1], Mutant(x**2 <= x, [x >= -1])),
        (([x >= -1], {x: -1}), Mutant(x**2 <= x, [x >= -1], Counterexample({x: -1}))),
        (([x >= -1], x <= 0, Search()), Mutant(x <= 0, [x >= -1], Search())),
        (Mutant(x <= 0), Mutant(x <= 0)),
    ],
)
def test_a_mutant_is_what_changes(mutant, twin):
    assert source.claim([x >= 0, x <= 1], x**2 <= x, mutant=mutant).mutant == twin


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (([x >= 0],), "the conclusion is missing"),
        ((x <= 1, x <= 2), "one conclusion"),
        ((x <= 1, [x >= 0], [x >= 1]), "one list of premises"),
        ((x <= 1, 7), "takes caption, list of premises, conclusion, evidence"),
        ((1 < 2,), "contains the Python value True"),
    ],
)
def test_what_is_no_claim_is_refused(parts, said):
    with pytest.raises(ClaimError, match=said):
        source.claim(*parts)


def test_a_mutant_that_changes_nothing_is_refused():
    with pytest.raises(ClaimError, match="a mutant changes"):
        source.claim(x <= 1, mutant=({x: 2},))


def ids(tmp_path, text):
    file = tmp_path / "page.py"
    file.write_text(HEAD + text)
    return {claim.id: claim for claim in claims_in(file)}


def test_a_claim_has_the_name_of_its_variable(tmp_path):
    claims = ids(
        tmp_path,
        "logic = source.claim(x**2 <= 0, {x: 1})\n"
        "page_7__corrected = source.claim(x**2 >= 0, corrects=logic)\n"
        "other = source.claim(x**2 >= -1, uses=[page_7__corrected, 'elsewhere'], id='last.one')\n"
        "table = {f'row~{k}': source.claim(x**2 >= -k) for k in (1, 2)}\n",
    )
    assert list(claims) == [
        "mill1843.logic",
        "mill1843.logic.page-7.corrected",
        "mill1843.logic.last.one",
        "mill1843.logic.row~1",
        "mill1843.logic.row~2",
    ]
    assert claims["mill1843.logic.page-7.corrected"].corrects == "mill1843.logic"
    assert claims["mill1843.logic.last.one"].uses == ("mill1843.logic.page-7.corrected", "elsewhere")


def test_a_claim_without_a_name_cannot_be_used(tmp_path):
    with pytest.raises(InputError, match="assign it to a variable"):
        ids(tmp_path, "named = source.claim(x**2 >= 0, uses=[source.claim(x**2 >= -1)])\n")


def test_claims_in_the_old_words_still_work(tmp_path):
    claims = ids(tmp_path, "a = Claim(id='a', text='', given=[x >= 0], then=x >= 0, by=Boxes(), expect=HOLDS, mutant=Mutant(x > 0))\n")
    assert claims["a"].expect is HOLDS


def test_a_cited_statement_is_assumed():
    outcome = settle(source.claim("words", [x >= 0], x**3 >= 0, Citation("Mill 1843, page 9"), id="cited"))
    assert outcome.verdict is Verdict.ASSUMED and "Mill 1843, page 9" in str(outcome.evidence)


def test_an_identity_is_proved_by_its_normal_form():
    assert settle(source.claim((x + 1) ** 2 - x**2 <= 0, Identity(), id="no-equation")).verdict is not Verdict.PROVED
    assert settle(source.claim(Eq((x + 1) ** 2, x**2 + 2 * x + 1), Identity(), id="square")).verdict is Verdict.PROVED
    assert settle(source.claim(Eq((x + 1) ** 2, x**2 + 2 * x), Identity(), id="wrong")).verdict is Verdict.UNDECIDED


def test_steps_are_a_proof():
    def a_square(proof):
        """A square is nonnegative."""
        return proof("expand", rules.restate(rules.le(0, x**2 - 2 * x + 1), proof("a square", rules.nonnegative((x - 1) ** 2))))

    proof = Proof(a_square)
    assert (proof.build().name, proof.build().title) == ("a-square", "A square is nonnegative.")
    assert [step.name for step in proof.build().steps] == ["a square", "expand"]
    assert settle(source.claim(rules.le(0, x**2 - 2 * x + 1), proof, id="steps")).verdict is Verdict.PROVED
    assert settle(source.claim(rules.le(0, x**2 - 2 * x), proof, id="others")).verdict is Verdict.UNDECIDED


# --- laws ------------------------------------------------------------------------------------------------------------

i, j, n = index("i"), index("j"), positive_integer("n")
p, q = laws("p q", (i, 1, n))
t = notation.real("t")


def test_a_law_stands_for_its_masses_and_its_range():
    assert RenyiDivergence(2, p, q) == RenyiDivergence(2, p[i], q[i], (i, 1, n))
    assert KLDivergence(p, q) == KLDivergence(p[i], q[i], (i, 1, n))
    assert HockeyStick(0, t * p + (1 - t) * q, q) == HockeyStick(0, t * p[i] + (1 - t) * q[i], q[i], (i, 1, n))
    assert HockeyStick(0, (p + q) / 2, p * 2) == HockeyStick(0, (p[i] + q[i]) / 2, 2 * p[i], (i, 1, n))


def test_a_law_among_the_premises_sums_to_one():
    claim = source.claim([p, t >= 0], HockeyStick(t, p, q) <= 1, mutant=([p, q], HockeyStick(t, p, q) <= 0, {t: 0, n: 1, p: [1], q: [1]}))
    assert claim.given == (to_sympy(p.premise), to_sympy(t >= 0))
    assert Claim(id="a", given=[q], then=t <= 1).given == (to_sympy(q.premise),)
    assert set(claim.mutant.by.point) == {*map(to_sympy, (t, n, p.base, q.base))}


def test_a_claim_about_laws_says_that_outcomes_are_finitely_many():
    assert source.claim("words", HockeyStick(t, p, q) <= 1).text == "On finitely many outcomes: words"
    assert source.claim("For finitely many secrets: words", [p], t <= 1).text == "For finitely many secrets: words"
    assert source.claim("words", HockeyStick(t, (1, 0), (0, 1)) <= 1).text == "words"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: HockeyStick(0, p, q[i]),
        lambda: HockeyStick(0, p, laws("r", (j, 1, n))),
        lambda: HockeyStick(0, p, q, (i, 1, n)),
        lambda: source.claim([(p + q) / 2], t <= 1),
    ],
    ids=["a law and a number", "two ranges", "a second range", "a combination among the premises"],
)
def test_laws_that_do_not_fit_are_refused(wrong):
    with pytest.raises((InputError, TermError)):
        wrong()


def test_laws_on_other_outcomes_are_not_added():
    with pytest.raises(TypeError):
        p + laws("r", (j, 1, n))
