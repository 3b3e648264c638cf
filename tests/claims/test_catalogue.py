"""The catalogue: every claim in its place, its stored certificates current and replayed, and what is quick settled from nothing."""

import gzip
import io
import json
import re
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import pytest

from benchmarks import mined
from dpbounds.claims import FAILS, HOLDS, OrderRange, Proof, run
from dpbounds.claims.bibliography import BIBLIOGRAPHY
from dpbounds.claims.collect import collect
from dpbounds.claims.covers.cover_replay import NUMBERS
from dpbounds.claims.evidence import certificate, documents
from dpbounds.claims.evidence.write_documents import is_only_cited
from dpbounds.claims.page import entry_of, page_of
from dpbounds.claims.stored import is_current, parts_of, store
from dpbounds.claims.support import used_by
from dpbounds.claims.verdict import Verdict
from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.kernel import checker
from dpbounds.kernel.definedness import obligations
from dpbounds.language.symbols import real
from dpbounds.logic.terms import Family, free_in, walk

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def located():
    return collect([ROOT / "proofs"])


def test_a_claim_stands_in_the_folder_of_its_source(located):
    for entry in located:
        source = entry.file.parent.name
        assert source in BIBLIOGRAPHY, f"{entry.file}: dpbounds/claims/bibliography.py has no entry {source}"
        assert entry.claim.id.startswith(f"{source}.")
        assert entry.claim.source[0] == source
        assert entry.claim.expect is not None


def test_every_claim_that_holds_has_a_mutant(located):
    assert not [entry.claim.id for entry in located if entry.claim.expect is HOLDS and entry.claim.mutant is None]


def test_every_stored_certificate_has_the_digest_of_its_text():
    for file in sorted((ROOT / "proofs/certificates").glob("*.json.gz")):
        stored = json.loads(gzip.decompress(file.read_bytes()))
        assert stored["digest"] == certificate.digest_of(stored), f"{file.name}: {FRESH}"


def test_every_claim_with_one_inequality_was_mined_and_the_page_says_what_that_found(located):
    rows = [json.loads(line) for line in (ROOT / "benchmarks/mined.jsonl").read_text(encoding="utf-8").splitlines()]
    expected = {claim.id for claim in mined.mined_claims({entry.claim.id: entry.claim for entry in located})}
    hint = (
        "python -m benchmarks.mined mines claims that are new, and --page writes docs/mined.md; lines of claims that are gone are deleted"
    )
    assert {row["claim"] for row in rows} == expected and len(rows) == len(expected), hint
    assert (ROOT / "docs/mined.md").read_text(encoding="utf-8") == mined.page_of(rows)


def test_corrections_and_uses_name_claims(located):
    known = {entry.claim.id for entry in located}
    for entry in located:
        named = {*entry.claim.uses, *([entry.claim.corrects] if entry.claim.corrects else [])}
        assert named <= known, entry.claim.id


NO_OUTCOMES = {
    "chen2019.claim-25",  # numbers of any kind
    "chen2019.claim-25.equality",
    "chen2019.conjecture-1.halves",  # one coordinate of n + 1 laws
    "chen2019.conjecture-1.weights",
    "koskela2020.every-number.convex",  # weights of a sum of exponentials
    "koskela2020.loss-with-replacement",  # coefficients of a polynomial
    "trustworthy2022.laplace",  # coordinates of a query
    "trustworthy2022.output-perturbation",  # coordinates of a model
    "yu2019.decaying-noise.best",  # variances and weights of steps
    "yu2019.decaying-noise.attained",
    "yu2019.decaying-noise.one-curvature",
    "yu2019.decaying-noise.one-curvature.any-steps",
}
"""Claims whose families are no probabilities of outcomes."""


def test_a_claim_about_finite_families_of_probabilities_says_so(located):
    formulas = {entry.claim: (entry.claim.conclusion, *entry.claim.premises) for entry in located}
    families = {claim.id: claim.text for claim, parts in formulas.items() if any(isinstance(part, Family) for part in free_in(parts))}
    says_so = {name for name, text in families.items() if re.search(r"finitely many (outcomes|secrets)|three outcomes", text)}
    assert says_so == set(families) - NO_OUTCOMES and len(says_so) > 70
    assert not [name for name, text in families.items() if len(re.findall("finitely many|three outcomes", text)) > 1]


def test_the_constant_of_claim_26_is_about_integer_orders(located):
    texts = [entry.claim.text for entry in located if any(part.tag == "MomentConstant" for part in walk(entry.claim.conclusion))]
    assert len(texts) == 9 and all("integer orders" in text for text in texts)


# --- stored certificates ---------------------------------------------------------------------------------------------

STORED = ROOT / "proofs/certificates"
FRESH = "python3 make.py certificates (--missing for new claims only) stores them again"
# A cover of more boxes is checked by `make.py check`, `make.py certificates` and the slow suite.
_MOST_LEAVES = 300


@pytest.fixture(scope="module")
def parts(located):
    """Every claim, and every mutant as a claim, that has a stored certificate."""
    return {part.id: part for entry in located for part in parts_of(entry.claim)}


def leaves_of(claim):
    """How many boxes the stored certificate of a claim holds; 0 for points and claims without one."""
    path = certificate.find(STORED, claim.id)
    return 0 if path is None else certificate.leaves_of(certificate.read(path)["evidence"])


def test_every_stored_certificate_is_about_the_present_text_of_a_claim(parts):
    files = {path.name.removesuffix(".json.gz"): path for path in STORED.iterdir()}
    stale = [name for name in files if name not in parts or not is_current(parts[name], STORED)]
    assert stale == [], FRESH
    assert len(files) > 200 and sum(path.stat().st_size for path in files.values()) < 1_400_000


def is_quick(claim):
    """Whether what is stored can be checked again soon: a proof document, or a certificate of not too many boxes."""
    if isinstance(claim.by, Proof):
        return claim.by.name is not None and (documents.folder() / f"{claim.by.name}{documents.SUFFIX}").exists()
    return leaves_of(claim) <= _MOST_LEAVES


SHARE = 12
"""One claim in so many is checked, as its name falls; the slow suite and `make.py check` do all."""


@pytest.fixture(scope="module")
def checked(located, tmp_path_factory):
    """What `make.py check` does, for a share of the claims that is checked soon."""
    folder, claims = tmp_path_factory.mktemp("certificates"), {entry.claim.id: entry.claim for entry in located}
    share = [claim for claim in claims.values() if crc32(claim.id.encode()) % SHARE == 0]
    quick = [claim.id for claim in share if all(is_quick(claims[used]) for used in (claim.id, *used_by(claim, claims)))]
    only = [word for name in quick for word in ("--only", name)]
    command = ["check", str(ROOT / "proofs"), "--replay", "--workers", "1", "--certificates", str(folder), "--json"]
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([*command, *only])
    assert code == 0, err.getvalue() + FRESH
    return json.loads(out.getvalue())["claims"]


def test_every_verdict_is_the_expected_one(located, checked):
    assert len(checked) > 20 and {claim["id"] for claim in checked} <= {entry.claim.id for entry in located}
    assert [claim["id"] for claim in checked if not claim["as_expected"]] == []
    mutants = [claim["mutant"]["verdict"] for claim in checked if claim["mutant"]]
    assert set(mutants) == {"REFUTED"} and len(mutants) >= sum(claim["expected"] == "HOLDS" for claim in checked)


def test_what_is_stored_was_checked_again(parts, checked):
    """A claim is settled anew only where it or its mutant has no certificate, or its proof no document."""
    for claim in checked:
        both = [part for part in (claim["id"], f"{claim['id']}~mutant") if part in parts]
        if claim["id"] in both and all(certificate.find(STORED, part) is not None for part in both):
            assert claim["replayed_by"], claim["id"]
    assert sum(bool(claim["replayed_by"]) for claim in checked) > 20


def test_a_proof_names_its_document(checked):
    told = [claim["detail"] for claim in checked if claim["replayed_by"] == "the proof checker"]
    assert len(told) > 5
    assert [line for line in told if not re.fullmatch(r"the proof checker accepts the document [a-z0-9-]+", line)] == []


def is_stated(claim, longest):
    """Whether the document of a claim proves it; of one with more bytes than that, its header is enough if it states the claim.

    Such a document is taken to show that its formulas are defined; the slow suite and `make.py check` read what it shows.
    """
    file = documents.folder() / f"{documents.name_of(claim)}{documents.SUFFIX}"
    if longest is None or not file.exists() or file.stat().st_size <= longest:
        return documents.document_of(claim) is not None
    header = checker.Document(checker.parse(file.read_text(encoding="utf-8"))[0], {})
    asked = (o for formula in (header.claim, *header.given) for part in documents._parts(formula) for o in obligations(part))
    defined = tuple(documents.Sequent(frozenset(header.given), o, frozenset()) for o in dict.fromkeys(asked))
    stated = checker.Statement(header.name, header.given, header.claim, frozenset(), 0, defined)
    return documents.proves(stated, claim) or documents.document_of(claim) is not None


@pytest.mark.parametrize("longest", [5_000, pytest.param(None, marks=pytest.mark.slow)], ids=["short", "all"])
def test_every_derivation_has_a_document_that_proves_its_claim(located, longest):
    """Where this fails, a claim of the catalogue has lost its proof: the statement or the stored document has changed."""
    derived = {entry.claim.id: entry.claim for entry in located if isinstance(entry.claim.by, Proof)}
    lost = {name for name, claim in derived.items() if not is_stated(claim, longest)}
    assert {name for name in lost if not is_only_cited(derived[name])} == set() and len(derived) > 150


def test_verdicts_of_certificates_are_those_of_their_claims(located):
    expected = {entry.claim.id: entry.claim.expect for entry in located}
    for path in STORED.iterdir():
        document = certificate.read(path)
        assert expected.get(document["claim"], FAILS).agrees_with(Verdict[document["verdict"]]), path.name


SAMPLE = 12
"""Claims without a proof that are settled from nothing, their mutants too: those with the smallest certificates that hold boxes."""


def test_a_sample_is_settled_from_nothing(located, tmp_path):
    boxed = [e.claim for e in located if not isinstance(e.claim.by, Proof) and 0 < leaves_of(e.claim) <= _MOST_LEAVES]
    chosen = sorted(boxed, key=lambda claim: (leaves_of(claim), claim.id))[:SAMPLE]
    assert len(chosen) == SAMPLE
    options = run.Options(only=tuple(claim.id for claim in chosen), certificates=tmp_path)
    rows = run.check([ROOT / "proofs"], options)
    assert run.exit_code_of(rows) == 0
    for row in rows:
        kept = certificate.find(STORED, row.claim.id)
        if kept is not None:
            fresh = certificate.read(tmp_path / f"{row.claim.id}.json")
            assert (fresh["verdict"], fresh["statement"]) == tuple(certificate.read(kept)[key] for key in ("verdict", "statement"))


def test_the_page_lists_every_claim_with_its_verdict(located, checked):
    """The evidence of each entry is compared by the slow suite; `python -m dpbounds.claims.page` writes the page again."""
    page = (ROOT / "docs/catalogue.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^### `([^`]+)` (PROVED|CERTIFIED|REFUTED|ASSUMED|UNDECIDED)$", page, re.M))
    assert shown.keys() == {entry.claim.id for entry in located}, "CONTRIBUTING.md says how the page is written again"
    assert {claim["id"]: claim["verdict"] for claim in checked}.items() <= shown.items()


def test_the_page_shows_formulas_with_premises_and_links(located):
    claims = {entry.claim.id: entry for entry in located}
    entry = entry_of(claims["yu2019.equation-13"], dict.fromkeys(claims, {"verdict": "UNDECIDED"}), {k: e.claim for k, e in claims.items()})
    assert all(
        part in entry for part in (r"\alpha > 1", r"\log", "Corrects `yu2019.equation-13.bounded`", "](../proofs/yu2019/concentrated.py)")
    )


def test_no_page_of_a_folder_without_the_certificates(located, tmp_path):
    with pytest.raises(InputError, match=r"has no certificate of \d+ of the \d+ statements.*dpbounds check proofs/ --certificates"):
        page_of(located, tmp_path)


def rows_that_differ(located, folder):
    row = re.compile(r"^### `([^`]+)` .*?(?=^##|\Z)", re.M | re.S)
    wanted = {found[1]: found[0] for found in row.finditer(page_of(located, folder))}
    shown = {found[1]: found[0] for found in row.finditer((ROOT / "docs/catalogue.md").read_text(encoding="utf-8"))}
    assert len(shown) > 150
    return {name: text for name, text in shown.items() if wanted.get(name) != text}


def without_numbers(document):
    """A certificate without what may differ: the release, and certificates of numbers, which `claims.number_leaves` adds."""
    return {**document, "dpbounds": "", "digest": "", "evidence": {**document["evidence"], "engine": 0, NUMBERS: ()}}


@pytest.mark.slow
def test_everything_from_nothing(located, tmp_path):
    """What `make.py certificates` does: settle all claims and compare with what is stored."""
    rows = store(run.Options(workers=2, certificates=tmp_path / "scratch"), tmp_path / "packed", missing=False)
    assert run.exit_code_of(rows) == 0 and {row.claim.id for row in rows} == {entry.claim.id for entry in located}
    for kept in STORED.iterdir():
        fresh, stored = certificate.read(tmp_path / "packed" / kept.name), certificate.read(kept)
        assert (fresh["verdict"], fresh["method"]) == (stored["verdict"], stored["method"]), kept.name
        if fresh["method"] != "counterexample":  # a search may find another point elsewhere
            assert without_numbers(fresh) == without_numbers(stored), kept.name
    # A row that is out of date fails; `python -m dpbounds.claims.page` writes the page again.
    assert rows_that_differ(located, tmp_path / "scratch") == {}


def test_a_stale_certificate_is_noticed(parts, tmp_path):
    claim = next(part for part in parts.values() if "~" not in part.id and certificate.find(STORED, part.id) is not None)
    document = certificate.read(certificate.find(STORED, claim.id))
    assert not is_current(claim, tmp_path)
    certificate.pack(document, tmp_path)
    assert is_current(claim, tmp_path)
    other = replace(claim, given=(*claim.given, real("another_variable") >= 0))
    assert not is_current(other, tmp_path)
    assert not is_current(replace(claim, by=OrderRange()), tmp_path)
    (tmp_path / f"{claim.id}.json.gz").write_bytes(b"\x1f\x8b nothing")
    assert not is_current(claim, tmp_path)
