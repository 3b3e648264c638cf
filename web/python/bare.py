"""Check certificates with the checkers alone, which import the standard library and nothing else of dpbounds."""

from __future__ import annotations

import base64
import io
import json
import sys
import time
import zipfile
import zlib
from collections.abc import Mapping

from dpbounds.kernel.__main__ import document_in
from dpbounds.kernel.terms import DEPTH

sys.setrecursionlimit(max(sys.getrecursionlimit(), 20 * DEPTH))
MOST = 30_000_000
"""Characters of all files of a bundle."""
WHOLE = "dpbounds-certificate/1"
"""Certificates of claims. What they carry for the small checkers is checked by these; the others need the library."""


def answer(name: str, arguments: str, say: object = None) -> str:
    """What became of each file; JSON in, JSON out.

    Args:
        name: "check", the only thing that is asked.
        arguments: a JSON list with one object: the text of each file by its name.
        say: not used.
    """
    begun = time.perf_counter()
    (texts,) = json.loads(arguments)
    rows = check(texts)
    return json.dumps({"rows": rows, "ms": round(1000 * (time.perf_counter() - begun))}, ensure_ascii=False)


def check(texts: Mapping[str, str]) -> list[dict[str, str]]:
    """One row a file: "accepted", "refused", "whole" (for the library to check) or "unknown", with a sentence.

    Args:
        texts: each file's text by its name.
    """
    texts = {name: text for packed, given in texts.items() for name, text in _unpacked(packed, given).items()}
    kinds = {name: kind_of(text) for name, text in texts.items()}
    proofs = _proofs({name: document_in(text) for name, text in texts.items() if kinds[name] == "proof"})
    rows = []
    for name, text in texts.items():
        kind = kinds[name]
        if kind == "proof":
            verdict, says = proofs[name]
        elif kind == "number":
            verdict, says = _number(text)
        elif kind == "cover":
            verdict, says = _covers(_cover_in(text))
        else:
            verdict, says = (kind, "") if kind == "whole" else ("unknown", NOT_ONE)
        rows.append({"name": name, "kind": kind, "verdict": verdict, "says": says, "text": text if kind == "whole" else ""})
    return rows


NOT_ONE = (
    "This file is no certificate of dpbounds: it is neither a certificate of a number (.json), nor a certificate of a claim (.json), "
    "nor a proof file (.jsonl), nor a bundle (.zip)."
)


def kind_of(text: str) -> str:
    """What a file holds: "number", "proof", "cover", "whole" or "unknown".

    >>> kind_of("hello")
    'unknown'
    """
    from dpbounds.kernel.checker import FORMAT
    from dpbounds.recheck.check import SCHEMA

    for part in (text, text.lstrip().partition("\n")[0]):
        try:
            found = json.loads(part)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            if found.get("format") == FORMAT:
                return "proof"
            if "tree" in found or "shape" in found:
                return "cover"
            evidence = found.get("evidence")
            if found.get("schema") == WHOLE and isinstance(evidence, dict) and {"text", "cover"} & set(evidence):
                return "proof" if "text" in evidence else "cover"
            return {SCHEMA: "number", WHOLE: "whole"}.get(str(found.get("schema")), "unknown")
    return "unknown"


def _unpacked(name: str, text: str) -> dict[str, str]:
    """The evidence of a bundle, which comes as base64, and what else it takes a library to check; another file as it is."""
    if not name.endswith(".zip"):
        return {name: text}
    try:
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(text))) as packed:
            infos = [info for info in packed.infolist() if info.filename.endswith((".jsonl", ".json", ".cover"))]
            if sum(info.file_size for info in infos) > MOST:
                return {name: ""}
            found = {info.filename: packed.read(info).decode() for info in infos}
    except (ValueError, zipfile.BadZipFile, RuntimeError, zlib.error, EOFError):
        return {name: ""}
    evidence = {file: content for file, content in found.items() if file.startswith("evidence/")}
    return evidence or {file: content for file, content in found.items() if file.startswith("certificates/")} or {name: ""}


def _cover_in(text: str) -> str:
    """The cover that a certificate of a claim carries; a file of covers as it is."""
    try:
        return json.dumps(json.loads(text)["evidence"]["cover"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return text


def _proofs(texts: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    from dpbounds.kernel.checker import check_all
    from dpbounds.kernel.notation import show
    from dpbounds.kernel.terms import Refused

    said = {}
    for name, found in check_all(dict(texts)).items():
        if isinstance(found, Refused):
            said[name] = "refused", str(found)
        else:
            given = "".join(f"\n  given  {show(part)}" for part in found.given)
            cited = f"\n  citing {'; '.join(sorted(found.citations))}" if found.citations else ""
            said[name] = "accepted", f"proved{given}\n  claim  {show(found.claim)}{cited}"
    return said


def _number(text: str) -> tuple[str, str]:
    from dpbounds.recheck.__main__ import sentence
    from dpbounds.recheck.check import check as recheck
    from dpbounds.recheck.numbers import Refused

    try:
        return "accepted", sentence(recheck(text))
    except Refused as reason:
        return "refused", str(reason)


def _covers(text: str) -> tuple[str, str]:
    from dpbounds.covers.check import check as check_cover
    from dpbounds.covers.document import read_line
    from dpbounds.covers.terms import Refused

    says = []
    for line in text.splitlines():
        try:
            cover = read_line(line)
            found = check_cover(cover)
        except Refused as reason:
            return "refused", str(reason)
        rest = f", of which {found.by_engine} rest on the engine" if found.by_engine else ""
        says.append(f"{cover.statement.claim}: {found.leaves} boxes{rest}")
    return "accepted", "; ".join(says)
