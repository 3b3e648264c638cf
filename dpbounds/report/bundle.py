"""A claim as a bundle for a referee: its file, its statement as LaTeX, its certificates, and the checkers that need Python alone.

`checkers.pyz` holds `dpbounds.logic` and the checkers that it calls as they are here. It checks the files of `evidence/`: proof files, and
covers. A certificate that these cannot read is checked by `dpbounds replay`, and the README says so.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from dpbounds import __version__
from dpbounds.claims import stored
from dpbounds.claims.covers.cover_replay import NUMBERS
from dpbounds.claims.evidence import certificate, documents
from dpbounds.claims.run import Row
from dpbounds.claims.statement.typeset import domain_latex, latex
from dpbounds.errors import InputError
from dpbounds.kernel.checker import lemmas, parse
from dpbounds.logic.evidence import ACCEPTED, rows_of
from dpbounds.logic.terms import conjuncts

CHECKERS = ("logic", "kernel", "covers", "recheck")
_STAMP = (1980, 1, 1, 0, 0, 0)
_WHOSE_CHECKERS = (
    f"`checkers.pyz` is `dpbounds/{{{','.join(CHECKERS)}}}` of dpbounds {__version__}; a referee who does not trust this copy takes "
    "theirs from there."
)
_MAIN = '''"""Check the evidence beside this file: python3 checkers.pyz"""
import sys
from pathlib import Path

from dpbounds.logic.__main__ import main

evidence = sorted(map(str, (Path(sys.argv[0]).resolve().parent / "evidence").glob("*")))
sys.exit(main(evidence) if evidence else "no evidence for these checkers: see the README")
'''


def bundle_of(rows: Sequence[Row], identifier: str, folder: Path) -> bytes:
    """The bundle as a ZIP archive, with the same bytes whenever it is made from the same things.

    Args:
        rows: the claim and those that it uses, as `run.check` returns them.
        identifier: of the claim.
        folder: where that run left its certificates.

    Raises:
        InputError: the claim has no certificate, because it is UNDECIDED.
    """
    row = next(row for row in rows if row.claim.id == identifier)
    found = dict(_certificates(rows, folder))
    if identifier not in found:
        raise InputError(f"{identifier} is {row.outcome.verdict.value} and has no certificate to pack: {row.outcome.detail}")
    content = {f"certificates/{name}.json": _text(document) for name, document in found.items()}
    for name, document in found.items():
        content |= _evidence(name, document)
    for file in {each.file for each in rows}:
        content[f"claims/{file.name}"] = file.read_text(encoding="utf-8")
    content["statement.tex"] = _statement_tex(row)
    content["README.md"] = _readme(row, found, content)
    packed = {name: text.encode() for name, text in content.items()}
    return _archive(packed | ({"checkers.pyz": _checkers()} if _has_evidence(content) else {}))


def _has_evidence(content: Mapping[str, str]) -> bool:
    return any(name.startswith("evidence/") for name in content)


def _statement_tex(row: Row) -> str:
    """A LaTeX document that states the claim: compile it, or copy its theorem."""
    claim = row.claim
    domain = ",\\; ".join(domain_latex(claim))
    parts = [claim.then] if claim.conclusion is None else conjuncts(claim.conclusion)
    return "\n".join(
        [
            "\\documentclass{article}",
            "\\usepackage{amsmath,amssymb,amsthm}",
            "\\newtheorem{lemma}{Lemma}",
            "\\begin{document}",
            f"\\begin{{lemma}}[\\texttt{{{claim.id.replace('_', chr(92) + '_')}}}]",
            *([f"For $\\displaystyle {domain}$:"] if domain else []),
            *(f"\\[ {latex(part)} \\]" for part in parts),
            "\\end{lemma}",
            "\\end{document}",
            "",
        ]
    )


def _certificates(rows: Sequence[Row], folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for row in rows:
        for claim in row.claim.with_twin:
            for path in (certificate.find(folder, claim.id), stored.certificate_of(claim)):
                if path is not None and (document := certificate.read(path))["statement_hash"] == claim.statement_hash:
                    yield claim.id, document
                    break


def _evidence(name: str, document: Mapping[str, Any]) -> dict[str, str]:
    """What the checkers read of a certificate."""
    evidence = document["evidence"]
    if "cover" in evidence:
        if rows_of({f"{name}.json": _text(document).encode()})[0].verdict != ACCEPTED:
            return {}  # a part of it rests on the engine
        if NUMBERS in evidence:
            return {f"evidence/{name}.json": _text(document)}
        return {f"evidence/{name}.cover": json.dumps(evidence["cover"], sort_keys=True) + "\n"}
    if "text" in evidence:
        return {f"evidence/{name}.jsonl": str(evidence["text"])}
    return {f"evidence/{other}.jsonl": text for other, text in _stored_documents(evidence.get("document"))}


def _stored_documents(name: str | None) -> Iterator[tuple[str, str]]:
    """A proof file of the catalogue and those that it rests on."""
    path = documents.folder() / f"{name}{documents.SUFFIX}"
    if name is not None and path.is_file():
        text = path.read_text(encoding="utf-8")
        for lemma in sorted(lemmas(parse(text))):
            yield from _stored_documents(lemma)
        yield name, text


def _readme(row: Row, found: Mapping[str, Mapping[str, Any]], content: Mapping[str, str]) -> str:
    claim, document = row.claim, found[row.claim.id]
    own = f"certificates/{claim.id}.json"
    digest = hashlib.sha256(content[own].encode()).hexdigest()
    has_evidence = _has_evidence(content)
    bare = (
        "`python3 checkers.pyz` checks the files of `evidence/`. It needs Python 3.11 or newer and no package. It prints what each file "
        "proves; compare that with `statement.tex`."
    )
    cited = [f"* {citation}" for entry in row.evidence for citation in entry.citations]
    lines = [
        f"# {claim.id}: {document['verdict']}",
        "",
        claim.text,
        "",
        "## Check it",
        "",
        bare if has_evidence else "The checkers that need no package cannot read this kind of certificate. Use the library:",
        "",
        f"`dpbounds replay {own} --path claims` checks the certificate, and that it is of the claim as `claims/` states it. It needs "
        f"dpbounds {__version__}.",
        "",
        *(["Cited, not checked:", "", *cited, ""] if cited else []),
        "## For the paper",
        "",
        f"> Verified with dpbounds {__version__}: {document['verdict']}, by {document['method']}; certificate sha256 {digest}.",
        "",
        "## Files",
        "",
        "| file | sha256 |",
        "|---|---|",
        *(f"| `{name}` | `{hashlib.sha256(text.encode()).hexdigest()}` |" for name, text in sorted(content.items())),
        *([f"| `checkers.pyz` | `{hashlib.sha256(_checkers()).hexdigest()}` |"] if has_evidence else []),
        "",
        f"The statement has the hash `{document['statement_hash']}`, whatever its variables are called.",
        *([_WHOSE_CHECKERS] if has_evidence else []),
        "",
    ]
    return "\n".join(lines)


def _checkers() -> bytes:
    """The checkers as an archive that Python runs."""
    root = files("dpbounds")
    content = {"__main__.py": _MAIN.encode(), "dpbounds/__init__.py": f"# dpbounds {__version__}\n".encode()}
    for name in CHECKERS:
        content |= {f"dpbounds/{name}/{path}": data for path, data in _sources(root.joinpath(name))}
    return _archive(content)


def _sources(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.name.endswith(".py"):
            yield entry.name, entry.read_bytes()
        elif entry.is_dir() and entry.name != "__pycache__":
            yield from ((f"{entry.name}/{path}", data) for path, data in _sources(entry))


def _archive(content: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, data in sorted(content.items()):
            entry = zipfile.ZipInfo(name, _STAMP)
            entry.external_attr = 0o644 << 16
            made.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def _text(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=1, sort_keys=True) + "\n"
