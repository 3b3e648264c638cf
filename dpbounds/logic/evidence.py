"""What a file of evidence shows, by the small checkers alone: proof documents, covers, certificates of numbers, bundles of them.

The checkers are `dpbounds.kernel`, `dpbounds.covers` and `dpbounds.recheck`. Nothing else of dpbounds and no package is imported. What a
certificate says of itself counts for nothing: what is printed is what a checker derived.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpbounds.covers.document import read_line
from dpbounds.kernel.checker import FORMAT, Statement, check_all
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import Refused
from dpbounds.recheck.check import SCHEMA
from dpbounds.recheck.check import check as check_number
from dpbounds.recheck.leaves import check_with_numbers
from dpbounds.recheck.numbers import Refused as NumberRefused
from dpbounds.recheck.order_range import BoundOnOrders
from dpbounds.recheck.sentence import sentence

CLAIM = "dpbounds-certificate/2"
"""Certificates of claims. Those that carry evidence for the small checkers are checked by these; the others need the library."""
_CARRIED = {"text": "proof", "cover": "cover", "range": "range"}
"""What a certificate carries under a name."""
MOST = 30_000_000
"""Characters of all files of a bundle."""
ACCEPTED, REFUSED, LIBRARY, UNKNOWN = "accepted", "refused", "library", "unknown"
NOT_ONE = (
    "This file is no certificate of dpbounds: it is neither a certificate of a number (.json), nor a certificate of a claim (.json), "
    "nor a proof file (.jsonl), nor a cover (.cover), nor a bundle (.zip)."
)
_LIBRARY = "Its evidence is none that these checkers read. The library checks it: dpbounds replay"


@dataclass(frozen=True)
class Shown:
    """What became of one file.

    Attributes:
        name: of the file; of one in a bundle, its name there.
        kind: "proof", "number", "cover", "range", "library" or "unknown".
        verdict: `ACCEPTED`, `REFUSED`, `LIBRARY` (the small checkers do not read this evidence, or leave a part of it to the library)
            or `UNKNOWN` (no certificate).
        says: what the file shows, or why not.
        text: the file.
    """

    name: str
    kind: str
    verdict: str
    says: str
    text: str


def rows_of(files: Mapping[str, bytes]) -> list[Shown]:
    """One row a file, in their order; a bundle has a row for each file of its evidence.

    Proof documents may rest on each other, whatever their order.

    Args:
        files: the content of each file by its name.
    """
    texts = {name: text for file, content in files.items() for name, text in _unpacked(file, content)}
    kinds = {name: kind_of(text) for name, text in texts.items()}
    proofs = check_all({name: str(_carried(text, "text") or text) for name, text in texts.items() if kinds[name] == "proof"})
    return [Shown(name, kinds[name], *_judged(name, text, kinds[name], proofs), text) for name, text in texts.items()]


def _judged(name: str, text: str, kind: str, proofs: Mapping[str, Statement | Refused]) -> tuple[str, str]:
    """The verdict, and what it says."""
    try:
        match kind:
            case "proof":
                return ACCEPTED, _proved(proofs[name])
            case "number":
                return ACCEPTED, sentence(check_number(text))
            case "cover":
                carried = _carried(text, "cover")
                lines = text.splitlines() if carried is None else [json.dumps(carried)]
                found = [_covered(line, _carried(text, "numbers") or ()) for line in lines]
                return (ACCEPTED if all(whole for whole, _ in found) else LIBRARY), "\n".join(says for _, says in found)
            case "range":
                bound, leaves = BoundOnOrders.shown({field: _carried(text, field) for field in ("range", "tree", "leaves")})
                return ACCEPTED, f"{leaves} boxes{bound}"
    except (Refused, NumberRefused) as reason:
        return REFUSED, str(reason)
    return (LIBRARY, f"{_LIBRARY} {name}") if kind == LIBRARY else (UNKNOWN, NOT_ONE)


def kind_of(text: str) -> str:
    """What a file holds: "number", "proof", "cover", "range", "library" or "unknown".

    >>> kind_of("hello")
    'unknown'
    """
    for part in (text, text.lstrip().partition("\n")[0]):
        try:
            found = json.loads(part)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            if found.get("format") == FORMAT:
                return "proof"
            if "tree" in found:
                return "cover"
            evidence = found.get("evidence")
            carried = [kind for field, kind in _CARRIED.items() if isinstance(evidence, dict) and field in evidence]
            if found.get("schema") == CLAIM and carried:
                return carried[0]
            return {SCHEMA: "number", CLAIM: LIBRARY}.get(str(found.get("schema")), UNKNOWN)
    return UNKNOWN


def _carried(text: str, field: str) -> Any:
    """What a certificate of a claim carries as evidence under a name; None where it carries nothing, or is none."""
    try:
        return json.loads(text)["evidence"][field]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _unpacked(name: str, content: bytes) -> Iterator[tuple[str, str]]:
    """The evidence of a bundle, and where it has none its certificates; another file as it is. What cannot be read is empty."""
    if not name.endswith(".zip"):
        try:
            yield name, content.decode("utf-8")
        except UnicodeDecodeError:
            yield name, ""
        return
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            infos = [info for info in packed.infolist() if info.filename.endswith((".jsonl", ".json", ".cover"))]
            if sum(info.file_size for info in infos) > MOST:
                raise zipfile.BadZipFile("too large")
            found = {info.filename: packed.read(info).decode() for info in infos}
    except (ValueError, zipfile.BadZipFile, RuntimeError, zlib.error, EOFError):
        found = {}
    folder = next((each for each in ("evidence/", "certificates/") if any(file.startswith(each) for file in found)), None)
    if folder is None:
        yield name, ""
        return
    yield from ((file, text) for file, text in found.items() if file.startswith(folder))


def _proved(found: Statement | Refused) -> str:
    """What a proof document shows: its premises, its conclusion, and what it cites.

    Raises:
        Refused: it was refused.
    """
    if isinstance(found, Refused):
        raise found
    given = "".join(f"\n  given  {show(part)}" for part in found.given)
    cited = f"\n  citing {'; '.join(sorted(found.citations))}" if found.citations else ""
    return f"proved{given}\n  claim  {show(found.claim)}{cited}"


def _covered(line: str, numbers: Sequence[Mapping[str, Any]]) -> tuple[bool, str]:
    """Whether a line of a file of covers shows its statement here, with certificates of numbers, and what it shows."""
    cover = read_line(line)
    found, stated = check_with_numbers(cover, numbers), cover.statement
    engine = f"; {found.by_engine} of them rest on the engine, which dpbounds replay checks" if found.by_engine else ""
    engine = (f"; {found.by_numbers} of them by {len(numbers)} certificates of numbers" if found.by_numbers else "") + engine
    whole = f"\n  integer  {', '.join(sorted(stated.integers))}" if stated.integers else ""
    given = "".join(f"\n  given  {show(part)}" for part in stated.given)
    where = "".join(f"\n  where  {name} is {json.dumps(text)}" for name, text in stated.engine)
    return not found.by_engine, f"{stated.claim}: {found.leaves} boxes{engine}{whole}{given}\n  claim  {show(stated.then)}{where}"
