"""Replay many certificates and proof documents, by several processes where there are many.

A certificate is first checked by itself: it shows its own statement, which its hash names. Whether the claim states the same is asked
afterwards, in one process, so that the claim files are read once. The proof of a claim needs the claim itself. Proof documents may rest on
each other, so one process checks all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dpbounds.claims import workers
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import collect
from dpbounds.claims.evidence import certificate
from dpbounds.claims.evidence.documents import SUFFIX
from dpbounds.claims.evidence.replay import replay, require_claim
from dpbounds.errors import CertificateError
from dpbounds.kernel.checker import check_all
from dpbounds.kernel.terms import DEPTH, Refused

_FEW = 20
"""Files that one process replays sooner than others begin."""
_OF_CLAIMS = ("derivation", "citation")
"""Methods for which the claim itself is needed."""


def replay_files(files: Sequence[Path], folders: Sequence[str], processes: int) -> Iterator[tuple[Path, str, bool]]:
    """Each file, in order, with what became of it in one line, and whether its certificate or proof survived.

    Args:
        files: certificates and proof documents; a document that others rest on has to be among them.
        folders: claim files or folders that state the claims; where one does not exist, no claim is known.
        processes: how many may work at once.

    Raises:
        InputError: a claim file that cannot be read, before anything is replayed or at once when it is found.
    """
    folders = tuple(folders)
    documents = [file for file in files if file.suffix == SUFFIX]
    if processes == 1 or len(files) <= _FEW:
        known, accepted = _claims_in(folders) if len(documents) < len(files) else {}, _of_documents(documents)
        for file in files:
            yield file, *(accepted[file] if file in accepted else _compared(file, _alone(file, folders), known))
        return
    # Points take the least time, and a large file most; so no process is left alone with a long one.
    order = sorted((file for file in files if file not in documents), key=lambda file: (_is_point(file), -file.stat().st_size))
    with workers.pool(processes, workers.AtWork(processes)) as executor:
        of_documents = executor.submit(_of_documents, documents) if documents else None
        jobs = {file: executor.submit(_alone, file, folders) for file in order}
        known = _claims_in(folders)
        for file in order:
            if (claim := known.get(file.name.partition(".json")[0])) is not None:
                _ = claim.statement_hash  # made, and kept, while the others are at work
        for file in files:
            if file in jobs or of_documents is None:
                yield file, *_compared(file, jobs[file].result(), known)
            else:
                yield file, *of_documents.result()[file]


def _of_documents(files: Sequence[Path]) -> dict[Path, tuple[str, bool]]:
    """What the proof checker says of documents, in one line each, and whether it accepts them."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20 * DEPTH))
    texts, said = {}, {}
    for file in files:
        try:
            texts[str(file)] = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            said[file] = f"{file}: FAILED: cannot be read: {type(error).__name__}", False
    for name, found in check_all(texts).items():
        if isinstance(found, Refused):
            said[Path(name)] = f"{name}: FAILED: {found}", False
        else:
            cited = f", citing {'; '.join(sorted(found.citations))}" if found.citations else ""
            said[Path(name)] = f"{name}: accepted by the proof checker{cited}", True
    return said


def _is_point(file: Path) -> bool:
    try:
        return bool(certificate.read(file)["method"] == "counterexample")
    except CertificateError:
        return True


@dataclass(frozen=True)
class _Shown:
    """What a certificate shows of its own statement, in words."""

    claim: str
    statement_hash: str
    words: str


def _alone(file: Path, folders: tuple[str, ...]) -> _Shown | str:
    """What a certificate shows, or why it shows nothing."""
    try:
        document = certificate.read(file)
        claim = _claims_in(folders).get(document["claim"]) if document["method"] in _OF_CLAIMS else None
        found = replay(document, claim)
    except CertificateError as error:
        return str(error)
    return _Shown(found.claim, document["statement_hash"], f"{found.verdict.value}, checked by {found.checked_by}")


def _compared(file: Path, found: _Shown | str, known: Mapping[str, Claim]) -> tuple[str, bool]:
    """What became of a certificate, in one line, and whether it shows what the claim of its name states."""
    if isinstance(found, str):
        return f"{file}: FAILED: {found.removeprefix(f'{file}: ')}", False
    claim = known.get(found.claim)
    if claim is None:
        return f"{found.claim}: {found.words}; the statement is the certificate's own, no claim file states it", True
    try:
        require_claim(found.claim, found.statement_hash, claim)
    except CertificateError as error:
        return f"{file}: FAILED: {error}", False
    return f"{found.claim}: {found.words}", True


@lru_cache
def _claims_in(folders: tuple[str, ...]) -> dict[str, Claim]:
    if not all(Path(folder).exists() for folder in folders):
        return {}
    return {part.id: part for entry in collect(list(folders)) for part in entry.claim.with_twin}
