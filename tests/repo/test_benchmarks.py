"""The table of the README is the one that the benchmarks wrote."""

from pathlib import Path

from benchmarks import further, mined, practice
from dpbounds.mechanisms.specs import spec_to_mechanism
from dpbounds.notation import Claim, Rational, real
from dpbounds.numbers.balls import Enclosure

OURS_AND_OTHERS = ("| accountant ", "| dpbounds ", "| dp_accounting ", "| prv_accountant ")


def table(page: Path) -> list[str]:
    return [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith(OURS_AND_OTHERS)]


def test_the_table_of_the_readme_was_measured(root):
    shown = table(root / "README.md")
    assert len(shown) >= 3
    assert set(shown) <= set(table(root / "benchmarks" / "RESULTS.md"))


def test_the_questions_of_practice_are_mechanisms_and_different():
    asked = list(practice.questions())
    assert len({name for name, _, _ in asked}) == len(asked) == 696
    for _, parts, delta in asked[::20]:
        spec_to_mechanism(parts)
        assert 0 < float(delta) < 1


def test_a_summary_counts_refusals_wide_answers_and_contradictions():
    good = {"lower": 1.0, "upper": 1.0, "seconds": 0.1}
    wide, refused = {"lower": 0.5, "upper": 1.5, "seconds": 3.0}, {"refused": "why", "seconds": 9.0}
    wrong = {"lower": 1.1, "upper": 1.2, "seconds": 0.1}
    rows = [{"question": str(k), "certified": good, "float64": answer} for k, answer in enumerate([good, wide, refused, wrong])]
    assert practice.summary_of(rows, "float64").startswith("float64: 3 of 4 answered, 2 wider than 1e-3; CPU seconds: median 1.55")
    assert practice.contradictions(rows) == ["3"]


def test_an_answer_that_takes_too_long_is_stopped():
    asker = practice.Asker(limit=30.0)
    parts = [{"sigma": "1", "q": "0.01", "steps": 100}]
    found = asker.ask("certified", parts, "1e-5")
    assert found["lower"] <= found["upper"] and found["seconds"] < 30
    asker.limit = 0.0
    assert asker.ask("certified", parts, "1e-6")["refused"] == "no answer in 0 s"
    asker.process.kill()


def test_an_answer_beside_certified_values_has_its_side():
    def missing():
        raise ImportError("no package", name="opendp")

    one = Enclosure.exactly(1)
    lines = [
        further.Row("q", one, "peer", answer, lower).text()
        for answer, lower in ((lambda: 0.9, False), (lambda: 0.9, True), (missing, True))
    ]
    assert [("wrong side by 0.1" in line, "not installed (opendp)" in line) for line in lines] == [
        (True, False),
        (False, False),
        (False, True),
    ]


def test_the_claims_that_are_mined(root):
    claims = mined.catalogue(root / "proofs/gomez2026")
    assert [claim.id for claim in mined.mined_claims(claims)] == [
        "gomez2026.linear",
        "gomez2026.bounded-range.convex",
        "gomez2026.sampled.tail",
        "gomez2026.laplace",
        "gomez2026.randomized-response",
    ]


def test_what_the_catalogue_has_of_what_is_mined():
    x = real("x")
    claim = Claim(id="parabola", given=[x <= 1], then=x - x**2 <= Rational(1, 4))
    without = Claim(id="everywhere", then=x - x**2 <= Rational(1, 4))
    found = mined.row(claim, 1.0, 0.5, {without.statement_hash: without.id})["findings"]
    (premise,) = [finding for finding in found if finding["kind"] == "premise"]
    assert premise["words"] == "the premise x <= 1 is not needed" and premise["known"] == "everywhere"
