"""Replay many certificates, by several processes where there are many.

A certificate is first checked by itself: it shows its own statement, which its hash names. Whether the claim states the same is asked
afterwards, in one process, so that the claim files are read once. The proof of a claim needs the claim itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dpbounds.claims import certificate, workers
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import collect
from dpbounds.claims.replay import replay, require_claim
from dpbounds.errors import CertificateError

_FEW = 20
"""Files that one process replays sooner than others begin."""
_OF_CLAIMS = ("derivation", "citation")
"""Methods whose steps run again for the claim."""


def replay_files(files: Sequence[Path], folders: Sequence[str], processes: int) -> Iterator[tuple[Path, str, bool]]:
    """Each file, in order, with what became of it in one line, and whether its certificate survived.

    Args:
        files: certificates.
        folders: claim files or folders that state the claims; where one does not exist, no claim is known.
        processes: how many may work at once.
    """
    folders = tuple(folders)
    if processes == 1 or len(files) <= _FEW:
        for file in files:
            yield file, *_compared(file, _alone(file, folders), _claims_in(folders))
        return
    # Points take the least time, and a large file most; so no process is left alone with a long one.
    order = sorted(files, key=lambda file: (_is_point(file), -file.stat().st_size))
    with workers.pool(processes, workers.AtWork(processes)) as executor:
        jobs = {file: executor.submit(_alone, file, folders) for file in order}
        known = _claims_in(folders)
        for file in files:
            yield file, *_compared(file, jobs[file].result(), known)


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
    known = {entry.claim.id: entry.claim for entry in collect(list(folders))}
    return known | {twin.id: twin for claim in known.values() if claim.mutant is not None for twin in [claim.twin(claim.mutant)]}
