"""What a run left UNDECIDED, kept beside the certificates, so that a report or a resumed run need not try it again.

It is evidence of nothing. It counts only for the same statement, the same plan, no larger a budget and unchanged code of dpbounds: any
of these could settle the claim.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from functools import cache
from pathlib import Path

from dpbounds.claims.claim import Claim
from dpbounds.claims.outcome import Outcome
from dpbounds.claims.plans import Proof
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import InputError
from dpbounds.files import read_text, write_whole

_FORM = "dpbounds-undecided/1"


def keep(claim: Claim, outcome: Outcome, budget: float, folder: Path) -> None:
    """Keep an outcome that is UNDECIDED, forget that of a claim that is settled; a folder that cannot be written keeps nothing."""
    path = _path(claim, folder)
    with suppress(OSError):
        if outcome.verdict is not Verdict.UNDECIDED or outcome.bad_input or isinstance(claim.by, Proof):
            path.unlink(missing_ok=True)
            return
        said = {"method": outcome.method, "detail": outcome.detail, "left": outcome.left, "next_step": outcome.next_step}
        document = {"about": _about(claim), "budget": budget, "seconds": outcome.seconds, "said": said}
        write_whole(path, json.dumps(document, indent=1) + "\n")


def recall(claim: Claim, budget: float, folder: Path) -> Outcome | None:
    """What was kept of this very claim; None where there is nothing, or where it might be settled now."""
    path = _path(claim, folder)
    if not path.is_file():
        return None
    try:
        found = json.loads(read_text(path, "the kept outcome"))
        if found["about"] != _about(claim) or not found["budget"] >= budget:
            return None
        said, seconds = found["said"], float(found["seconds"])
        method, detail, further = (str(said[key]) for key in ("method", "detail", "next_step"))
        return Outcome(claim.id, Verdict.UNDECIDED, method, detail, tuple(map(str, said["left"])), seconds, next_step=further)
    except (InputError, OSError, ValueError, KeyError, TypeError):
        return None


def is_kept(claim: Claim, folder: Path) -> bool:
    """Whether a run left this claim UNDECIDED there."""
    return _path(claim, folder).is_file()


def _path(claim: Claim, folder: Path) -> Path:
    return folder / f"_{claim.id}.undecided"  # no certificate begins so


def _about(claim: Claim) -> list[str]:
    return [_FORM, claim.statement_hash, str(claim.by), _code()]


@cache
def _code() -> str:
    """A digest of the names, sizes and times of the files of dpbounds."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        state = file.stat()
        digest.update(f"{file}\0{state.st_size}\0{state.st_mtime_ns}\0".encode())
    return digest.hexdigest()
