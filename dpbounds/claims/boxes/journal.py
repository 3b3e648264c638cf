"""The journal of a long cover: the boxes that were split so far, so that an interrupted search does not try to settle them once more.

A journal is no evidence. A search that resumes repeats its splits and judges every leaf again.
"""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

from dpbounds.claims.claim import Claim
from dpbounds.files import write_whole

_SECONDS = 5.0
_FORM = "dpbounds-journal/1"


class CoverJournal:
    """The journal of one claim in a folder of certificates.

    Args:
        folder: where it is kept.
        claim: the claim.
        resume: read what an interrupted run left; otherwise it is passed over.
    """

    def __init__(self, folder: Path, claim: Claim, *, resume: bool) -> None:
        self.path = folder / f"_{claim.id}.journal"  # no certificate begins so
        self._about = f"{_FORM} {claim.statement_hash} {claim.by}"
        self._written = time.monotonic()
        self.tree = self._read() if resume else ""

    def record(self, tree: str, *, now: bool = False) -> None:
        """Write down the tree so far, at most every few seconds; a folder that cannot be written has no journal."""
        if not now and time.monotonic() < self._written + _SECONDS:
            return
        try:
            write_whole(self.path, json.dumps({"about": self._about, "tree": tree, "digest": self._digest(tree)}))
        except OSError:
            return
        self._written = time.monotonic()

    def close(self) -> None:
        """Forget it: the claim is settled."""
        self.path.unlink(missing_ok=True)

    def _read(self) -> str:
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
            tree = found["tree"]
            return tree if found["about"] == self._about and found["digest"] == self._digest(tree) else ""
        except (OSError, ValueError, KeyError, TypeError):
            return ""

    def _digest(self, tree: str) -> str:
        return hashlib.sha256(f"{self._about} {tree}".encode()).hexdigest()
