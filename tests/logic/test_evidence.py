"""The one command of all checkers: what it accepts, refuses, and leaves to the library, in a bare interpreter."""

import gzip
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from dpbounds.kernel.checker import lemmas, parse
from dpbounds.logic.__main__ import main
from dpbounds.logic.evidence import rows_of
from dpbounds.logic.listing import READ, sizes_of
from tests.covers.test_documents import FALSE as FALSE_COVERS
from tests.covers.test_documents import RULES as COVERS
from tests.covers.test_documents import document
from tests.kernel.test_documents import HOLES, YOUNG, text
from tests.recheck.test_documents import DOCUMENTS

ROOT = Path(__file__).resolve().parents[2]
NUMBER = DOCUMENTS["closed form"]
OTHER_ENDS = NUMBER | {"enclosure": {"lower": "0.2", "upper": "0.3"}}


def stored(name: str) -> bytes:
    return gzip.decompress((ROOT / "proofs" / "certificates" / f"{name}.json.gz").read_bytes())


FILES = {
    "young.jsonl": (text(YOUNG).encode(), "accepted", "claim  2 * x <= x**2 / y + y"),
    "bad.jsonl": (text(HOLES["assuming the claim"]).encode(), "refused", ""),
    "number.json": (json.dumps(NUMBER).encode(), "accepted", "delta in [0.1269367375066439"),
    "edited.json": (
        json.dumps(NUMBER | {"enclosure": {"lower": "0.2", "upper": "0.3"}}).encode(),
        "refused",
        "the stated enclosure excludes",
    ),
    "all.cover": ("".join(json.dumps(fields) + "\n" for fields, _ in COVERS.values()).encode(), "accepted", "boxes"),
    "false.cover": ((json.dumps(FALSE_COVERS[0]) + "\n").encode(), "refused", ""),
    "point.json": (stored("chen2019.example-4.large-orders~mutant"), "accepted", "claim  "),
    "document.json": (stored("canonne2020.total-variation.theta"), "accepted", "claim  "),
    "range.json": (stored("yu2019.appendix-g.repaired-rate"), "accepted", "claim  the Renyi divergence D"),
    "numbers.json": (stored("koskela2020.directions.composed.at~1-2~1"), "accepted", "1 of them by 4 certificates of numbers"),
    "library.json": (stored("yu2019.theorem-3~mutant"), "library", "dpbounds replay library.json"),
    "other.json": (b'{"schema": "else"}', "unknown", "no certificate of dpbounds"),
    "bytes.json": (b"\xff\xfe\x00", "unknown", "no certificate of dpbounds"),
}


@pytest.mark.parametrize("name", FILES)
def test_each_kind_of_evidence_goes_to_its_checker(name: str) -> None:
    content, verdict, says = FILES[name]
    (row,) = rows_of({name: content})
    assert (row.name, row.verdict) == (name, verdict) and says in row.says, row.says


@pytest.mark.parametrize(("verdict", "code"), [("accepted", 0), ("refused", 1), ("unknown", 2), ("library", 3)])
def test_a_bare_interpreter_checks_them(tmp_path: Path, verdict: str, code: int) -> None:
    """Only the folders of the checkers are there: no package, no rest of dpbounds."""
    (tmp_path / "dpbounds").mkdir()
    for folder in ("logic", "kernel", "covers", "recheck"):
        (tmp_path / "dpbounds" / folder).symlink_to(ROOT / "dpbounds" / folder)
    chosen = [name for name, (_, found, _) in FILES.items() if found == verdict]
    for name in chosen:
        (tmp_path / name).write_bytes(FILES[name][0])
    done = subprocess.run(
        [sys.executable, "-S", "-m", "dpbounds.logic", *chosen], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert done.stdout.count(f": {verdict.upper()}: ") == len(chosen) and f"{len(chosen)} {verdict}" in done.stdout.splitlines()[-1]
    modules = "import sys; import dpbounds.logic.__main__; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-S", "-c", modules], capture_output=True, text=True, cwd=tmp_path, check=True).stdout.split()
    own = {name.split(".")[1] for name in loaded if name.startswith("dpbounds.")}
    assert own == {"logic", "kernel", "covers", "recheck"} and len([name for name in loaded if name.startswith("dpbounds.")]) <= 60


def test_an_edited_point_is_refused() -> None:
    document = json.loads(stored("chen2019.example-4.large-orders~mutant"))
    stated = document["evidence"]["cover"]["then"]
    document["evidence"]["cover"]["then"] = f"not ({stated})"
    (row,) = rows_of({"point.json": json.dumps(document).encode()})
    assert row.verdict == "refused"


EDITED = {
    "another direction": ("yu2019.appendix-g.repaired-rate", lambda e: e["range"].update(direction="both")),
    "more orders": ("yu2019.appendix-g.repaired-rate", lambda e: e["range"].update(slack="2", bound="1/2")),
    "a cut tree": ("yu2019.appendix-g.repaired-rate", lambda e: e.update(tree=e["tree"][:-1])),
    "a tree that is none": ("yu2019.appendix-g.repaired-rate", lambda e: e.update(tree=7)),
    "a long tree": ("yu2019.appendix-g.repaired-rate", lambda e: e.update(tree="0" * 10**6)),
    "no numbers": ("yu2019.appendix-g.repaired-rate", lambda e: e.update(range=None)),
    "noise beyond numbers": ("yu2019.appendix-g.repaired-rate", lambda e: e["range"].update(least_sigma="1e-9999")),
    "numbers left out": ("koskela2020.directions.composed.at~1-2~1", lambda e: e.pop("numbers")),
    "another number": ("koskela2020.directions.composed.at~1-2~1", lambda e: e["numbers"][0]["query"].update(epsilon="1/2")),
    "numbers that are no list": ("koskela2020.directions.composed.at~1-2~1", lambda e: e.update(numbers={"a": 1})),
    "numbers that are none": ("koskela2020.directions.composed.at~1-2~1", lambda e: e.update(numbers=[None])),
}


@pytest.mark.parametrize("edit", EDITED)
def test_edited_evidence_is_not_accepted(edit: str) -> None:
    name, change = EDITED[edit]
    document = json.loads(stored(name))
    change(document["evidence"])
    (row,) = rows_of({"a.json": json.dumps(document).encode()})
    assert row.verdict in ("refused", "library"), row.says


def test_what_a_cover_shows_is_printed_as_it_was_read() -> None:
    """A comment in its text, which a terminal may show in place of the text, is not printed; which variables are integers is."""
    cover = document(
        "x*x >= x # \x1b[2K\x1b[1G  claim  2 < 1", "00nnm", ["0 <= x"], [["0", "inf"]], integers=["x"], engine={"f": "\x1b[2K"}
    )
    (row,) = rows_of({"a.cover": json.dumps(cover).encode()})
    said = '\n  integer  x\n  given  0 <= x\n  claim  x <= x * x\n  where  f is "\\u001b[2K"'
    assert row.verdict == "accepted" and row.says.endswith(f"boxes{said}"), row.says


def test_the_evidence_of_a_bundle_is_checked_file_by_file() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("README.md", "not read")
        made.writestr("certificates/a.json", "{}")
        made.writestr("evidence/young.jsonl", text(YOUNG))
        made.writestr("evidence/false.cover", json.dumps(FALSE_COVERS[0]))
    rows = rows_of({"lemma.zip": out.getvalue()})
    assert [(row.name, row.verdict) for row in rows] == [("evidence/young.jsonl", "accepted"), ("evidence/false.cover", "refused")]
    (cut,) = rows_of({"lemma.zip": out.getvalue()[:200]})
    assert cut.verdict == "unknown"


def test_a_name_in_a_bundle_fakes_no_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = tmp_path / "lemma.zip"
    with zipfile.ZipFile(bundle, "w") as made:
        made.writestr("evidence/a.cover\nb.jsonl: ACCEPTED: 1 < 0.cover", json.dumps(FALSE_COVERS[0]))
    assert main([str(bundle)]) == 1
    assert not any(line.startswith("b.jsonl") for line in capsys.readouterr().out.splitlines())


def test_documents_may_rest_on_each_other() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "proofs" / "documents").glob("*.jsonl")}
    rests = {name: lemmas(parse(content)) for name, content in texts.items() if '"rule": "lemma"' in content}
    user = min((name for name in rests if not rests[name] & set(rests)), key=lambda name: sum(len(texts[each]) for each in rests[name]))
    needed = {f"{name}.jsonl": texts[name].encode() for name in (user, *sorted(rests[user]))}
    assert [row.verdict for row in rows_of(needed)] == ["accepted"] * len(needed)
    assert [row.verdict for row in rows_of({f"{user}.jsonl": texts[user].encode()})] == ["refused"]


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.json")]) == 2 and "cannot be read" in capsys.readouterr().err
    assert main([]) == 2 and main(["--help"]) == 0 and "exit code" in capsys.readouterr().out
    assert main(["--rules"]) == 0 and "ring: " in capsys.readouterr().out
    assert main(["--lines"]) == 0 and "in all: " in capsys.readouterr().out


def test_the_pages_say_how_much_there_is_to_read() -> None:
    """docs/trust.md has the figures of --lines, to the next hundred, and what the stored counterexamples rest on."""
    page = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    for kind in READ:
        shown = re.search(rf"\| (?:the )?{kind}[^|]* \| ([0-9,]+)", page)
        assert shown is not None and abs(int(shown[1].replace(",", "")) - sum(sizes_of(kind).values())) <= 50, kind
    points = [json.loads(gzip.decompress(file.read_bytes())) for file in (ROOT / "proofs" / "certificates").glob("*.json.gz")]
    points = [found["evidence"] for found in points if found["method"] == "counterexample"]
    assert f"{sum('cover' in found for found in points)} of the {len(points)} stored counterexamples" in page
