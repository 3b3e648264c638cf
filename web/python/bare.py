"""Check certificates with the checkers alone, which import the standard library and nothing else of dpbounds."""

from __future__ import annotations

import base64
import binascii
import json
import sys
import time
from collections.abc import Mapping

from dpbounds.kernel.terms import DEPTH
from dpbounds.logic.evidence import rows_of

sys.setrecursionlimit(max(sys.getrecursionlimit(), 20 * DEPTH))


def answer(name: str, arguments: str, say: object = None) -> str:
    """What became of each file; JSON in, JSON out.

    Args:
        name: "check", the only thing that is asked.
        arguments: a JSON list with one object: the text of each file by its name; a bundle's is its content in base64.
        say: not used.
    """
    begun = time.perf_counter()
    (texts,) = json.loads(arguments)
    rows = check(texts)
    return json.dumps({"rows": rows, "ms": round(1000 * (time.perf_counter() - begun))}, ensure_ascii=False)


def check(texts: Mapping[str, str]) -> list[dict[str, str]]:
    """One row a file, with its text where the library is to check it.

    Args:
        texts: each file's text by its name.
    """
    contents = {name: _content(name, text) for name, text in texts.items()}
    return [
        {"name": row.name, "kind": row.kind, "verdict": row.verdict, "says": row.says, "text": row.text if row.verdict == "library" else ""}
        for row in rows_of(contents)
    ]


def _content(name: str, text: str) -> bytes:
    try:
        return base64.b64decode(text) if name.endswith(".zip") else text.encode()
    except (binascii.Error, ValueError):
        return b""
