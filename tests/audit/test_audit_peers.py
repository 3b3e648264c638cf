"""The page of packages: only what was run again, and nothing that the stored documents do not say."""

import sys
from pathlib import Path

from dpbounds.audit import peers

ROOT = Path(__file__).parents[2]


def document(reproduction, answer="0.5"):
    finding = {"quantity": "delta", "spec": [{"sigma": 1.0}], "argument": 1.0, "answer": answer, "certified": "0.6 ≤ delta(1) ≤ 0.7"}
    finding |= {"side": "upper bound below the truth", "reproduction": reproduction}
    accountant = {"name": "fake.one", "package": "fake", "version": "1.2", "relation": "add-or-remove", "python": "3"}
    accountant |= {"numpy": "2", "seed": 1}
    accountant |= {"grid": "00", "threads": [], "selftest": "passed", "guarantee": {"delta": "upper"}, "source": {"delta": "'a bound'"}}
    return {"date": "2026-11-27", "accountants": [accountant | {"counts": {"delta": {"UNSOUND": 1}}, "findings": [finding]}]}


def test_a_finding_is_shown_after_it_was_run_again():
    found = document("print(0.5)")
    assert "**delta of" not in peers.page_of([found])
    peers.again(found, {"fake": sys.executable})
    page = peers.page_of([found])
    assert "**delta of" in page and "returned 0.5; certified 0.6 ≤ delta(1) ≤ 0.7" in page
    assert "not reported" in page and "'a bound'" in page


def test_a_finding_that_is_not_seen_again_is_left_out():
    for text in ("print(0.50001)", "raise SystemExit(1)", "print('nothing')", "a = 1\nb = 1\nc = 1\nd = 1\nprint(0.5)"):
        found = document(text)
        peers.again(found, {"fake": sys.executable})
        assert "**delta of" not in peers.page_of([found])


def test_a_finding_of_an_earlier_run_stays_until_its_quantity_has_another(tmp_path):
    old, new = document("print(0.5)"), document("print(0.5)")
    new["accountants"][0] |= {"findings": [], "counts": {"delta": {"SOUND": 3}}}
    for found in (old, new):
        peers.again(found, {"fake": sys.executable})
    path = tmp_path / "fake-1.2.json"
    stored = {path: old}
    peers.added(stored, tmp_path, new)
    (finding,) = stored[path]["accountants"][0]["findings"]
    page = peers.page_of(list(stored.values()))
    assert finding["earlier"] and "found in an earlier run" in page and "Sound in every judged answer" not in page
    peers.added(stored, tmp_path, document("print(0.5)"))
    assert [one.get("earlier") for one in stored[path]["accountants"][0]["findings"]] == [None]


def test_a_document_of_many_packages_is_stored_in_a_file_for_each(tmp_path):
    one = document("print(0.5)")
    other = one["accountants"][0] | {"name": "another.one", "package": "an-other", "version": "2"}
    stored = {}
    peers.added(stored, tmp_path, one | {"accountants": [*one["accountants"], other]})
    found = {path.name: [accountant["name"] for accountant in document["accountants"]] for path, document in stored.items()}
    assert found == {"fake-1.2.json": ["fake.one"], "an_other-2.json": ["another.one"]}


def test_both_ends_of_an_interval_must_be_printed():
    found = document("print((1.5, 1.6, 1.7))", "1.5 … 1.7")
    peers.again(found, {"fake": sys.executable})
    assert "**delta of" in peers.page_of([found])


def test_the_page_is_what_the_documents_say():
    documents = peers.load(ROOT / "audits")
    assert documents
    assert (ROOT / "docs/peers.md").read_text(encoding="utf-8") == peers.page_of(list(documents.values()))


def test_every_stored_finding_was_reproduced():
    for path, found in peers.load(ROOT / "audits").items():
        for accountant in found["accountants"]:
            for finding in accountant["findings"]:
                assert peers.is_reproduced(finding), f"{path.name}: {accountant['name']}: {finding['key']}"
                assert finding["certified"] and accountant["source"][finding["quantity"]]
