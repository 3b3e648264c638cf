"""Check certificates with the checkers alone, which import the standard library and nothing else of dpbounds."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping

from dpbounds.kernel.terms import DEPTH

sys.setrecursionlimit(max(sys.getrecursionlimit(), 20 * DEPTH))
WHOLE = "dpbounds-certificate/1"
"""Certificates of claims that need the library: their statements are sympy's."""


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
    kinds = {name: kind_of(text) for name, text in texts.items()}
    proofs = _proofs({name: text for name, text in texts.items() if kinds[name] == "proof"})
    rows = []
    for name, text in texts.items():
        kind = kinds[name]
        if kind == "proof":
            verdict, says = proofs[name]
        elif kind == "number":
            verdict, says = _number(text)
        elif kind == "cover":
            verdict, says = _covers(text)
        else:
            verdict, says = (kind, "") if kind == "whole" else ("unknown", NOT_ONE)
        rows.append({"name": name, "kind": kind, "verdict": verdict, "says": says})
    return rows


NOT_ONE = (
    "This file is no certificate of dpbounds: it is neither a certificate of a number (.json), nor a certificate of a claim (.json), "
    "nor a proof file (.jsonl)."
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
            return {SCHEMA: "number", WHOLE: "whole"}.get(str(found.get("schema")), "unknown")
    return "unknown"


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
