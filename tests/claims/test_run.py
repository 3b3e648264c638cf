"""Runs of many claims: exit codes, evidence, resumed runs, accepted certificates."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest

from dpbounds import Claim, Mutant
from dpbounds.claims import run
from dpbounds.claims.collect import collect
from dpbounds.claims.evidence import certificate
from dpbounds.claims.outcome import Outcome
from dpbounds.claims.support import Evidence
from dpbounds.claims.verdict import Expectation, Verdict
from dpbounds.errors import ClaimError, InputError
from dpbounds.language.symbols import real

x = real("x")
ROOT = Path(__file__).parents[2]
HEAD = "from dpbounds import *\nfrom dpbounds.language.symbols import *\nfrom sympy import *\nx = real('x')\n"


def outcome(verdict, mutant=None):
    return Outcome("c", verdict, "m", "d", mutant=None if mutant is None else outcome(mutant))


def row(verdict, expect=None, mutant=None, problem=""):
    claim = Claim(id="c", text="", then=x <= 1, expect=expect, mutant=None if mutant is None else Mutant(x <= 0))
    return run.Row(claim, Path("f.py"), outcome(verdict, mutant), problem=problem)


def contract(verdict, expect, mutant):
    """The exit code by the words of the contract: 1 contradicted, 3 undecided and not expected to be, 0 otherwise."""
    if mutant is not None and mutant.holds:
        return 1  # a false twin was established
    contradicted = {
        None: verdict is Verdict.REFUTED,
        Expectation.HOLDS: verdict is Verdict.REFUTED,
        Expectation.FAILS: bool(verdict.holds),
        Expectation.OPEN: verdict.holds is not None,
        Expectation.ASSUMED: verdict.holds is not None,
    }[expect]
    if contradicted:
        return 1
    undecided = verdict.holds is None and (expect is None or expect.value != {Verdict.UNDECIDED: "OPEN"}.get(verdict, verdict.value))
    return 3 if undecided or mutant in (Verdict.UNDECIDED, Verdict.ASSUMED) else 0


@pytest.mark.parametrize(("verdict", "expect", "mutant"), list(itertools.product(Verdict, [None, *Expectation], [None, *Verdict])))
def test_exit_codes_of_every_combination(verdict, expect, mutant):
    assert row(verdict, expect, mutant).exit_code == contract(verdict, expect, mutant)


def test_a_certificate_that_fails_fails_the_run():
    for verdict, expect in itertools.product(Verdict, [None, *Expectation]):
        assert row(verdict, expect, problem="the digest does not fit").exit_code == 1


def test_the_worst_row_decides():
    good, bad, hard = row(Verdict.CERTIFIED), row(Verdict.REFUTED), row(Verdict.UNDECIDED)
    assert [run.exit_code_of(rows) for rows in ([good], [good, hard], [good, hard, bad], [])] == [0, 3, 1, 0]
    wrong = replace(hard, outcome=replace(hard.outcome, bad_input=True))
    assert wrong.exit_code == 2 and run.exit_code_of([good, hard, bad, wrong]) == 2


# --- whole runs ----------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "claims.py").write_text(
        HEAD
        + "a = Claim(id='a', text='', given=[x >= 0, x <= 1], then=x <= 1, by=Boxes(), expect=HOLDS, mutant=Mutant(2*x <= 1))\n"
        + "b = Claim(id='b', text='', given=[x >= 0, x <= 1], then=x**2 <= 1, by=Boxes(), expect=HOLDS, uses=['a'])\n"
        + "c = Claim(id='c', text='', given=[x >= 0, x <= 1], then=x**2 >= x, expect=FAILS)\n"
        + "d = Claim(id='d', text='', given=[x >= 0, x <= 1], then=x**3 <= 1, by=Boxes(), expect=HOLDS, uses=['c'])\n"
    )
    return tmp_path


def checked(folder, **options):
    return run.check([folder / "claims.py"], run.Options(certificates=folder / "certificates", **options))


def test_a_run_leaves_certificates_and_evidence(folder):
    rows = {r.claim.id: r for r in checked(folder)}
    assert {p.name for p in (folder / "certificates").glob("*.json")} == {
        "_run.json",
        "a.json",
        "a~mutant.json",
        "b.json",
        "c.json",
        "d.json",
    }
    boxes = sum(certificate.leaves_of(rows[name].outcome.certificate["evidence"]) for name in "ab")
    assert rows["b"].evidence == (Evidence("boxes", checked=boxes),) and boxes >= 2
    assert rows["d"].unsettled == ("c",)  # it rests on a claim that is false
    assert run.exit_code_of(rows.values()) == 0
    document = run.document_of(list(rows.values()))
    assert json.loads(json.dumps(document))["counts"]["mutants_refuted"] == 1


def test_what_is_used_is_checked_too(folder):
    assert [r.claim.id for r in checked(folder, only=("b",))] == ["a", "b"]
    with pytest.raises(InputError, match="no claim is called"):
        checked(folder, only=("z",))


def test_stored_certificates_are_accepted_only_after_replay(folder, monkeypatch):
    checked(folder)
    rows = checked(folder, replay=True)
    assert all(r.replayed for r in rows) and run.exit_code_of(rows) == 0
    file = folder / "certificates" / "c.json"
    document = json.loads(file.read_text())
    document["evidence"]["point"]["x"] = "Integer(2)"
    file.write_text(json.dumps(document))
    rows = {r.claim.id: r for r in checked(folder, replay=True)}
    assert rows["c"].exit_code == 1 and "digest" in rows["c"].problem
    assert rows["a"].exit_code == 0


def test_the_certificate_of_a_mutant_must_refute_it(folder):
    checked(folder)
    certificates = folder / "certificates"
    text = (folder / "claims.py").read_text().replace("Mutant(2*x <= 1)", "Mutant(x <= 2)")
    (folder / "other").mkdir()
    (folder / "other" / "claims.py").write_text(text)
    run.check([folder / "other" / "claims.py"], run.Options(certificates=certificates))
    assert not (certificates / "a~mutant.json").read_text().count("REFUTED")
    rows = {r.claim.id: r for r in run.check([folder / "other" / "claims.py"], run.Options(certificates=certificates, replay=True))}
    assert rows["a"].exit_code == 1


def test_an_interrupted_run_is_resumed(folder, monkeypatch):
    settle, seen = run.settle, []

    def stop_at_c(claim, **options):
        if claim.id == "c":
            raise KeyboardInterrupt
        return settle(claim, **options)

    monkeypatch.setattr(run, "settle", stop_at_c)
    with pytest.raises(KeyboardInterrupt):
        checked(folder)
    assert json.loads((folder / "certificates" / "_run.json").read_text()) == {"complete": False}

    def remember(claim, **options):
        seen.append(claim.id)
        return settle(claim, **options)

    monkeypatch.setattr(run, "settle", remember)
    rows = checked(folder)
    assert seen == ["c", "d"] and [bool(r.replayed) for r in rows] == [True, True, False, False]
    seen.clear()
    checked(folder)  # a finished run is not resumed: everything is computed again
    assert seen == ["a", "b", "c", "d"]


def test_a_resumed_run_recomputes_what_does_not_survive(folder):
    checked(folder)
    certificates = folder / "certificates"
    (certificates / "_run.json").write_text('{"complete": false}')
    (certificates / "b.json").write_text("{}")
    rows = {r.claim.id: r for r in checked(folder)}
    assert rows["a"].replayed and not rows["b"].replayed and not rows["b"].problem


def test_bad_input_is_no_interruption(folder):
    (folder / "claims.py").write_text(HEAD + "a = Claim(id='a', text='', given=[x >= 2, x <= 1], then=x <= 1)")
    (found,) = checked(folder)
    assert found.outcome.bad_input and found.exit_code == 2 and "the domain is empty" in found.outcome.detail
    assert json.loads((folder / "certificates" / "_run.json").read_text()) == {"complete": True}


def test_workers_find_the_same(folder):
    alone, together = checked(folder), checked(folder, workers=2)
    assert [(r.claim.id, r.outcome.verdict, r.evidence) for r in alone] == [(r.claim.id, r.outcome.verdict, r.evidence) for r in together]


def test_claims_may_not_use_each_other_in_a_circle(tmp_path):
    (tmp_path / "claims.py").write_text(
        HEAD
        + "a = Claim(id='a', text='', given=[x >= 0, x <= 1], then=x <= 1, uses=['b'])\n"
        + "b = Claim(id='b', text='', given=[x >= 0, x <= 1], then=x <= 2, uses=['a'])\n"
    )
    with pytest.raises(ClaimError, match="circle"):
        checked(tmp_path)


def test_what_a_carried_claim_uses_is_settled_too(tmp_path):
    """A claim of one's own may use one of the catalogue that uses others in its turn."""
    chain = next(e.claim for e in collect([ROOT / "proofs"]) if e.claim.uses)
    (tmp_path / "mine.py").write_text(HEAD + f"a = Claim(id='a', text='', given=[x >= 0, x <= 1], then=x <= 1, uses=['{chain.id}'])\n")
    located = run._selected(collect([tmp_path / "mine.py"]), ("a",))
    assert {entry.claim.id for entry in located} >= {"a", chain.id, *chain.uses}


CITING = (
    HEAD
    + "from dpbounds.prover import derive, rules\n"
    + "def cited(): return derive('k', '', lambda p: p('known', rules.assume(log(x) <= x - 1, 'Some Book, Theorem 1', [x > 0])))\n"
    + "cited_claim = Claim(id='k', text='', given=[x > 0], then=log(x) <= x - 1, by=Proof(cited){expect})\n"
    + "middle = Claim(id='m', text='', given=[x >= 1, x <= 2], then=x <= 2, by=Boxes(), uses=['k'])\n"
    + "last = Claim(id='l', text='', given=[x >= 1, x <= 2], then=x**2 <= 5, by=Boxes(), uses=['m'])\n"
)


@pytest.mark.parametrize(("expect", "code"), [(", expect=ASSUMED", 0), (", expect=HOLDS", 3), ("", 3), (", expect=OPEN", 3)])
def test_what_is_just_cited_is_assumed_and_shows_wherever_it_is_used(tmp_path, expect, code):
    (tmp_path / "claims.py").write_text(CITING.format(expect=expect))
    rows = {row.claim.id: row for row in checked(tmp_path)}
    assert rows["k"].outcome.verdict is Verdict.ASSUMED and rows["k"].exit_code == code
    for name in "ml":
        assert Evidence("citation", ("Some Book, Theorem 1",)) in rows[name].evidence and rows[name].unsettled == ()
        assert "Some Book, Theorem 1" in rows[name].findings
    document = json.loads(json.dumps(run.document_of(list(rows.values()))))
    assert document["counts"]["ASSUMED"] == 1 and document["counts"]["PROVED"] == 0 and document["counts"]["citing"] == 3
    last = next(claim for claim in document["claims"] if claim["id"] == "l")
    assert [entry["method"] for entry in last["evidence"]] == ["boxes", "citation"]
    assert last["evidence"][1] == {"method": "citation", "citations": ["Some Book, Theorem 1"], "leaves": {"checked": 0, "engine": 0}}
    assert last["evidence"][0]["leaves"]["checked"] > 0 == last["evidence"][0]["leaves"]["engine"]


def test_replay_finds_the_leaves_that_were_checked(tmp_path):
    (tmp_path / "claims.py").write_text(CITING.format(expect=", expect=ASSUMED"))
    found = {row.claim.id: row for row in checked(tmp_path)}
    again = {row.claim.id: row for row in checked(tmp_path, replay=True)}
    assert again["k"].outcome.verdict is Verdict.ASSUMED and all(row.replayed for row in again.values())
    (before, _), (after, cited) = found["l"].evidence, again["l"].evidence
    assert (after.checked, after.engine) == (before.checked, 0) and before.checked > 0 and cited.citations == ("Some Book, Theorem 1",)
