"""The report: one page that needs no network, says what the certificates say, and escapes whatever comes from a claim file."""

import json
import re
import sys
import types
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser

import pytest
import sympy

from dpbounds.claims import Claim, run
from dpbounds.claims.bibliography import BIBLIOGRAPHY
from dpbounds.claims.catalogue import catalogue_folder
from dpbounds.claims.collect import collect
from dpbounds.claims.verdict import Verdict
from dpbounds.cli import main
from dpbounds.report import Origin, entries_of, page_of
from dpbounds.report.reference import citation_of
from dpbounds.report.statement import domain_of, math, quantified

CLAIMS = """from dpbounds import Claim, Mutant
from dpbounds.claims import Boxes, Counterexample
from dpbounds.language.symbols import real
from sympy import Rational, Symbol, exp
x = real("x")
low = Claim("mine.low", "<b>x & y</b>", given=[x >= 0, x <= 1], then=x * (1 - x) <= 1, mutant=Mutant(x * (1 - x) <= x / 9))
high = Claim("mine.high", "", given=[x >= 0, x <= 1], then=x**2 >= x, corrects="mine.low", source=("yu2019", "(<1>)"))
odd = Symbol("</math><script>", real=True)
named = Claim("mine.named", "", given=[odd >= 1], then=odd >= 2, by=Counterexample({odd: "3/2"}), note="a 'quoted' \\"note\\" <i>")
"""
HARD = "hard = Claim('mine.hard', '', given=[x >= 0, x <= 3], then=x * exp(-x) <= Rational(368, 1000), by=Boxes(budget=2))\n"
VOID = {"meta", "link", "input", "br", "img", "hr"}


class Reader(HTMLParser):
    """Checks that elements are balanced, and notes ids, links and addresses."""

    def __init__(self, page):
        super().__init__()
        self.open, self.ids, self.links, self.tags, self.words = [], [], [], [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            self.ids += [value] if name == "id" else []
            self.links += [value] if name in ("href", "src", "action", "data", "xlink:href", "srcset") else []

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "claims.py"
    path.write_text(CLAIMS)
    return path


@pytest.fixture
def options(tmp_path):
    return run.Options(certificates=tmp_path / "certificates")


def test_the_page_is_whole_and_needs_nothing_else(file, options):
    reader = Reader(page_of(entries_of([file], options)))
    assert len(set(reader.ids)) == len(reader.ids)
    assert reader.links and all(link.startswith("#") and link[1:] in reader.ids for link in reader.links)
    assert not {"link", "img", "iframe", "object", "base"} & set(reader.tags)
    assert {"mine.low", "mine.high", "mine.named"} <= set(reader.ids) and "math" in reader.tags


def test_nothing_is_fetched_by_style_script_or_policy(file, options):
    page = page_of(entries_of([file], options))
    addresses = set(re.findall(r"https?://[^\s\"'<>]+", page)) - {"http://www.w3.org/1998/Math/MathML"}
    assert not addresses and not re.search(r"@import|url\(|fetch\(|XMLHttpRequest", page)
    assert "default-src 'none'" in page


def test_what_a_claim_file_says_is_escaped(file, options):
    page = page_of(entries_of([file], options))
    reader = Reader(page)
    assert reader.tags.count("script") == 1 and not {"b>x", "i"} & set(reader.tags)
    assert "<b>x & y</b>" in "".join(reader.words) and "a 'quoted' \"note\" <i>" in "".join(reader.words)


def test_verdicts_counterexamples_and_mutants_are_shown(file, options):
    words = "".join(Reader(page_of(entries_of([file], options))).words)
    assert "1CERTIFIED" in words and "2REFUTED" in words
    assert "[0.25" not in words and "1/4 >= 1/2 is false" in words
    assert "REFUTED: counterexample x = " in words and "repaired by" in words


def test_certificates_of_a_finished_run_are_not_settled_again(file, options, monkeypatch):
    settled = entries_of([file], options)
    assert {entry.origin for entry in settled} == {Origin.SETTLED}

    def fail(*_, **__):
        raise AssertionError("a claim was settled again")

    monkeypatch.setattr(run, "check", fail)
    again = entries_of([file], options, reuse=True)
    assert [e.row.outcome.verdict for e in again] == [e.row.outcome.verdict for e in settled]
    assert [e.row.outcome.mutant and e.row.outcome.mutant.verdict for e in again] == [Verdict.REFUTED, None, None]
    assert [e.origin for e in again] == [Origin.READ_WITH_MUTANT, Origin.DECIDED_AGAIN, Origin.DECIDED_AGAIN]
    assert "not replayed for this page" in page_of(again)


def test_certificates_can_be_replayed(file, options):
    entries_of([file], options)
    replayed = entries_of([file], run.Options(certificates=options.certificates, replay=True))
    assert {entry.origin for entry in replayed} == {Origin.REPLAYED}


@pytest.mark.parametrize("field", ["evidence", "statement_hash", "verdict"])
def test_an_edited_certificate_is_not_used(file, options, field):
    entries_of([file], options)
    path = options.certificates / "mine.high.json"
    document = json.loads(path.read_text())
    document[field] = {"point": {"x": "0"}} if field == "evidence" else "PROVED"
    path.write_text(json.dumps(document))
    entries = {entry.row.claim.id: entry for entry in entries_of([file], options, reuse=True)}
    assert entries["mine.high"].origin is Origin.SETTLED and entries["mine.high"].row.outcome.verdict is Verdict.REFUTED


def test_a_certificate_whose_point_refutes_nothing_is_not_used(file, options):
    from dpbounds.claims.evidence import certificate

    entries_of([file], options)
    document = certificate.read(options.certificates / "mine.high.json")
    document["evidence"] = {"point": {"x": "0"}}
    document["digest"] = certificate.digest_of(document)
    certificate.write(document, options.certificates)
    entries = {entry.row.claim.id: entry for entry in entries_of([file], options, reuse=True)}
    assert entries["mine.high"].origin is Origin.SETTLED and entries["mine.high"].row.outcome.verdict is Verdict.REFUTED


def test_the_certificate_of_another_statement_is_not_used(file, tmp_path, options):
    entries_of([file], options)
    other = tmp_path / "other.py"
    other.write_text(CLAIMS.replace("then=x * (1 - x) <= 1,", "then=x * (1 - x) <= 2,"))
    entries = {entry.row.claim.id: entry for entry in entries_of([other], options, reuse=True)}
    assert entries["mine.low"].origin is Origin.SETTLED and entries["mine.high"].origin is Origin.DECIDED_AGAIN


def test_an_undecided_claim_is_not_settled_again_unless_more_could_settle_it(file, options, monkeypatch):
    file.write_text(CLAIMS + HARD)
    entries_of([file], options)

    def fail(*_, **__):
        raise AssertionError("a claim was settled again")

    with monkeypatch.context() as patch:
        patch.setattr(run, "check", fail)
        entry = {entry.row.claim.id: entry for entry in entries_of([file], options, reuse=True)}["mine.hard"]
        assert entry.origin is Origin.KEPT and entry.row.outcome.verdict is Verdict.UNDECIDED and entry.row.outcome.left
        assert not entry.row.evidence and entry.certificate is None
    for text, budget in ((HARD, 2 * options.budget), (HARD.replace("budget=2", "budget=3"), 60), (HARD.replace("368", "3681/10"), 60)):
        other = file.with_name(f"other_{len(list(file.parent.iterdir()))}.py")
        other.write_text(CLAIMS + text)
        entry = {e.row.claim.id: e for e in entries_of([other], replace(options, budget=budget), reuse=True)}["mine.hard"]
        assert entry.origin is Origin.SETTLED
    path = options.certificates / "_mine.hard.undecided"
    path.write_text(path.read_text().replace('"budget": ', '"budget": "'))
    assert {e.row.claim.id: e for e in entries_of([file], options, reuse=True)}["mine.hard"].origin is Origin.SETTLED
    easy = file.with_name("easy.py")
    easy.write_text(CLAIMS + HARD.replace("budget=2", "budget=10000"))
    assert {e.row.claim.id: e for e in entries_of([easy], options, reuse=True)}["mine.hard"].row.outcome.verdict is Verdict.CERTIFIED
    assert not path.exists()


def test_an_undecided_claim_comes_first(file, options):
    file.write_text(CLAIMS + HARD)
    page = page_of(entries_of([file], options))
    assert "mine.hard" in page[page.index('class="alarm"') : page.index("</header>")] and "left open" in page


@pytest.fixture
def run_in(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def call(*words):
        code = main(["report", *words])
        return code, *capsys.readouterr()

    return call


def test_the_command_writes_the_page(file, run_in, tmp_path):
    code, out, err = run_in(str(file), "--workers", "1")
    assert (code, err) == (1, "") and out.startswith("dpbounds-report.html: 3 claims")
    assert (tmp_path / "dpbounds-report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    code, out, _ = run_in(str(file), "--certificates", ".dpbounds/certificates", "-o", "a.html", "--json")
    document = json.loads(out)
    assert (code, document["schema"], document["page"], document["counts"]["REFUTED"]) == (1, "dpbounds/1", "a.html", 2)


def test_printed_guarantees_are_shown_with_their_verdicts(file, run_in, tmp_path):
    statement = 'name = "mine"\nsource = "<a> & b"\nsigma = 1\nsampling = "none"\nrelation = "add-or-remove"\n'
    claims = ('claim = { epsilon = "4.38", delta = "1e-5" }', 'claim = { epsilon = "4.37", delta = "1e-5" }')
    (tmp_path / "two.toml").write_text("".join(f"[[statement]]\n{statement}{claim}\n" for claim in claims))
    run_in(str(file), "--workers", "1", "--statements", "two.toml")
    page = (tmp_path / "dpbounds-report.html").read_text(encoding="utf-8")
    section = page[page.index('id="guarantees"') :]
    assert "&lt;a&gt; &amp; b" in section and "<br>assumed: " in section
    assert re.findall(r'<td class="verdict (\w+)">', section)[:2] == ["holds", "refuted"]


def test_sources_fold_and_one_source_is_open(file, options, tmp_path):
    two = page_of(entries_of([file], options))
    assert two.count('<details class="source">') == 2 and "<svg" not in two
    (tmp_path / "one.py").write_text(CLAIMS.split("high = ")[0])
    one = page_of(entries_of([tmp_path / "one.py"], options))
    assert one.count('<details class="source" open>') == 1 and '<span class="verdict certified">1 CERTIFIED</span>' in one


def test_letters_are_typeset_and_words_are_no_products():
    eps, lower, q = sympy.symbols("eps_1 lower q", positive=True)
    shown = math(q * eps * lower)
    assert "ε" in shown and shown.count("<mi>") == 2 and ">eps<" not in shown
    assert "lower" in "".join(ElementTree.fromstring(shown).itertext())


def test_a_finished_page_is_used_again_until_something_changes(file, run_in, tmp_path, monkeypatch):
    words = (str(file), "--workers", "1", "--certificates", "done")
    gone = types.ModuleType("gone")
    gone.__file__ = str(tmp_path / "no_such_file.py")
    monkeypatch.setitem(sys.modules, "gone", gone)
    first = run_in(*words), (tmp_path / "dpbounds-report.html").read_text(encoding="utf-8")

    def fail(*_, **__):
        raise AssertionError("the page was made again")

    monkeypatch.setattr("dpbounds.report.entries_of", fail)
    assert (run_in(*words), (tmp_path / "dpbounds-report.html").read_text(encoding="utf-8")) == first
    for change in (
        lambda: file.write_text(CLAIMS.replace("x / 9", "x / 8")),
        lambda: (file.write_text(CLAIMS), (tmp_path / "done" / "mine.high.json").unlink()),
    ):
        change()
        assert (
            run_in(*words)[2]
            == "dpbounds: a bug in dpbounds, AssertionError: the page was made again; set DPBOUNDS_TRACEBACK=1 to see where\n"
        )


def test_a_check_that_leaves_certificates_keeps_the_page_of_its_run(file, run_in, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    main(["check", str(file), "--workers", "1", "--certificates", "done", "--only", "mine.high"])
    assert not (tmp_path / "done" / "_page.json").exists()
    code = main(["check", str(file), "--workers", "1", "--certificates", "done"])
    capsys.readouterr()
    monkeypatch.setattr("dpbounds.report.entries_of", lambda *_, **__: pytest.fail("the page was made again"))
    assert run_in(str(file), "--workers", "1", "--certificates", "done")[0] == code
    page = (tmp_path / "dpbounds-report.html").read_text(encoding="utf-8")
    assert "settled for this page" in page and "mine.high" in page


def test_every_statement_of_the_catalogue_is_typeset():
    for located in collect([catalogue_folder()]):
        claim = located.claim
        assert claim.conclusion is not None and claim.premises is not None, claim.id
        for piece in (math(claim.conclusion, block=True), *map(math, claim.premises), *quantified(claim)):
            element = ElementTree.fromstring(f"<x>{piece}</x>")
            typeset = element.find("{http://www.w3.org/1998/Math/MathML}math") is not None
            assert typeset or len(piece) > 3_000, (claim.id, piece[:200])  # what is too long for a formula is text
            assert "\\" not in "".join(element.itertext()), (claim.id, piece[:200])


def test_a_formula_that_cannot_be_typeset_is_text():
    assert math(sympy.Add(*sympy.symbols("x:2000"))).startswith("<code>")


def test_the_domain_of_a_symbol_keeps_its_assumptions():
    shown = {name: domain_of(sympy.Symbol("n", **{name: True})) for name in ("real", "integer", "positive", "nonnegative")}
    assert [">&gt;<" in text for text in shown.values()] == [False, False, True, False]
    assert ["≥" in text for text in shown.values()] == [False, False, False, True]
    assert "ℤ" in shown["integer"] and "ℝ" in shown["real"]


def test_no_domain_is_true():
    """Of a variable that is renamed for the page, sympy would evaluate the sign."""
    eps, n = sympy.Symbol("eps", positive=True), sympy.Symbol("n", positive=True, integer=True)
    shown = quantified(Claim("a", "", then=eps * n <= 1, given=[n >= 1]))
    assert len(shown) == 2 and not any("rue" in text for text in shown)


def test_every_variable_and_function_is_quantified():
    f, x = sympy.Function("f"), sympy.Symbol("x", real=True)
    assert len(quantified(Claim("a", "", then=f(x) >= x))) == 2


@pytest.mark.parametrize("key", BIBLIOGRAPHY)
def test_every_source_is_one_line(key):
    text = citation_of(key)
    assert re.search(r"\(?(19|20)\d\d\)?: .+\.$", text) and not set(text) & set("{}\\\n")
