"""Replay many certificates, by several processes where there are many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from dpbounds.claims import certificate, workers
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import collect
from dpbounds.claims.replay import replay
from dpbounds.errors import CertificateError

_FEW = 20
"""Files that one process replays sooner than others begin."""


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
            yield file, *_replayed(file, folders)
        return
    # Points take the least time, and a large file most; so no process is left alone with a long one.
    order = sorted(files, key=lambda file: (_is_point(file), -file.stat().st_size))
    with workers.pool(processes, workers.AtWork(processes)) as executor:
        jobs = {file: executor.submit(_replayed, file, folders) for file in order}
        for file in files:
            yield file, *jobs[file].result()


def _is_point(file: Path) -> bool:
    try:
        return bool(certificate.read(file)["method"] == "counterexample")
    except CertificateError:
        return True


def _replayed(file: Path, folders: tuple[str, ...]) -> tuple[str, bool]:
    known = _claims_in(folders)
    try:
        document = certificate.read(file)
        found = replay(document, known.get(document["claim"]))
    except CertificateError as error:
        return f"{file}: FAILED: {str(error).removeprefix(f'{file}: ')}", False
    unknown = "" if document["claim"] in known else "; the statement is the certificate's own, no claim file states it"
    return f"{found.claim}: {found.verdict.value}, checked by {found.checked_by}{unknown}", True


@lru_cache
def _claims_in(folders: tuple[str, ...]) -> dict[str, Claim]:
    if not all(Path(folder).exists() for folder in folders):
        return {}
    known = {entry.claim.id: entry.claim for entry in collect(list(folders))}
    return known | {twin.id: twin for claim in known.values() if claim.mutant is not None for twin in [claim.twin(claim.mutant)]}
