"""`python -m dpbounds.kernel FILE…`: print what each document proves, or why it is refused.

A file is a document, or a certificate of a claim that carries one.

`--rules` prints every rule with its statement, `--lines` the length of each file of the checker.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from dpbounds.kernel.checker import check_all
from dpbounds.kernel.notation import show
from dpbounds.kernel.sequents import RULES
from dpbounds.kernel.terms import DEPTH, Refused


def rules() -> str:
    """Every rule with its statement, one a line."""
    return "\n".join(f"{name}: {(function.__doc__ or '').splitlines()[0]}" for name, function in RULES.items())


def lines() -> str:
    """The length of each file of the checker, and of all."""
    sizes = {file.name: len(file.read_text(encoding="utf-8").splitlines()) for file in sorted(Path(__file__).parent.glob("*.py"))}
    return "\n".join(f"{size:5} {name}" for name, size in [*sizes.items(), ("in all", sum(sizes.values()))])


def document_in(text: str) -> str:
    """The text of a document, which a certificate of a claim may carry."""
    try:
        return str(json.loads(text)["evidence"]["text"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return text


def main(files: list[str]) -> int:
    """Check the files; 0 if all are accepted, 1 if one is refused, 2 if one cannot be read."""
    if files in (["--rules"], ["--lines"]):
        print(rules() if files == ["--rules"] else lines())
        return 0
    sys.setrecursionlimit(20 * DEPTH)
    texts = {}
    for file in files:
        try:
            texts[file] = document_in(Path(file).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            print(f"{file}: cannot be read: {type(error).__name__}", file=sys.stderr)
            return 2
    if not files:
        print("usage: python -m dpbounds.kernel FILE...", file=sys.stderr)
        return 2
    refused = 0
    for file, found in check_all(texts).items():
        if isinstance(found, Refused):
            refused += 1
            print(f"{file}: REFUSED: {found}")
            continue
        print(f"{file}: {'ACCEPTED, CITING ' + '; '.join(sorted(found.citations)) if found.citations else 'ACCEPTED'}")
        for text in map(show, found.given):
            print(f"  given  {text}")
        print(f"  claim  {show(found.claim)}")
    print(f"{len(texts) - refused} accepted, {refused} refused")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
