"""The stored certificates of the catalogue: one packed file for each claim and each mutant that points or boxes settle, in
`proofs/certificates`.

The certificate of a proof is checked by running its steps, which costs what proving costs, and a cover of very many boxes takes longer to
replay than to find; so neither is stored.

    python -m dpbounds.claims.stored              settle the whole catalogue from nothing and store what comes out
    python -m dpbounds.claims.stored --missing    only what has no certificate of its present statement

`dpbounds replay proofs/certificates` checks them again. A certificate is kept as it is where the new one says the same.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dpbounds.claims import run
from dpbounds.claims.catalogue import catalogue_folder, certificates_folder
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import collect
from dpbounds.claims.covers.cover_replay import NUMBERS
from dpbounds.claims.evidence import certificate
from dpbounds.claims.outcome import Outcome
from dpbounds.claims.plans import Boxes, Counterexample, OrderRange, Proof, Search
from dpbounds.errors import CertificateError, DPBoundsError


def parts_of(claim: Claim) -> list[Claim]:
    """What has a stored certificate: the claim and its mutant, but no proof."""
    return [part for part in claim.with_twin if not isinstance(part.by, Proof)]


MOST_LEAVES = 5000
"""Boxes of the largest cover that is stored."""
_KEPT = {"cover", "point"}
_METHODS: dict[type, set[str]] = {
    OrderRange: {"order range"},
    Boxes: {"boxes", "counterexample"},
    Counterexample: {"counterexample"},
    Search: {"counterexample"},
}
"""What the evidence that a claim names may leave."""


def is_current(claim: Claim, stored: Path) -> bool:
    """Whether a folder holds a certificate of a claim's present statement, by the evidence that the claim names now."""
    path = certificate.find(stored, claim.id)
    if path is None or isinstance(claim.by, Proof):
        return False
    try:
        document = certificate.read(path)
    except CertificateError:
        return False
    named = claim.by is None or document["method"] in _METHODS[type(claim.by)]
    return bool(named and document["claim"] == claim.id and document["statement_hash"] == claim.statement_hash)


def certificate_of(claim: Claim) -> Path | None:
    """Where the certificate of a claim's present statement is stored; None where there is none."""
    return certificate.find(certificates_folder(), claim.id) if is_current(claim, certificates_folder()) else None


def store(options: run.Options, stored: Path, *, missing: bool) -> list[run.Row]:
    """Settle the catalogue and store its certificates; those of claims that are no more are removed.

    Args:
        options: how to settle; its folder of certificates is only passed through.
        stored: where packed certificates go.
        missing: leave alone what has a certificate of its present statement.

    Raises:
        InputError: a claim file that cannot be read or run.
    """
    claims = [entry.claim for entry in collect([catalogue_folder()])]
    wanted = [c for c in claims if not missing or not all(is_current(part, stored) for part in parts_of(c))]
    rows: list[run.Row] = []
    if wanted:
        options = run.Options(options.workers, options.budget, tuple(c.id for c in wanted) if missing else (), options.certificates)
        rows = run.check([catalogue_folder()], options, on_row=_tell)
    for path in sorted(options.certificates.glob("[!_]*.json")):
        document = certificate.read(path)
        wanted_here = document["method"] not in ("derivation", "citation") and certificate.leaves_of(document["evidence"]) <= MOST_LEAVES
        if wanted_here and not _has_numbers(document, stored):
            certificate.pack(document, stored)
    known = {part.id for claim in claims for part in parts_of(claim)}
    for path in stored.glob("*.json.gz"):
        if path.name.removesuffix(".json.gz") not in known:
            path.unlink()
    return rows


def _has_numbers(document: Mapping[str, Any], stored: Path) -> bool:
    """Whether the stored certificate has the same cover or point, and certificates of numbers for it."""
    path = certificate.find(stored, document["claim"])
    if path is None:
        return False
    known, found = certificate.read(path), document["evidence"]
    same = known["statement_hash"] == document["statement_hash"] and any(
        known["evidence"].get(key) == found[key] for key in _KEPT & set(found)
    )
    return same and NUMBERS in known["evidence"]


def _tell(done: int, total: int, outcome: Outcome) -> None:
    print(f"{done}/{total}  {outcome.id}", file=sys.stderr, flush=True)


def main(words: Sequence[str]) -> int:
    """Store the certificates of the catalogue; the exit code is that of `dpbounds check`."""
    if [word for word in words if word != "--missing"]:
        print("usage: python -m dpbounds.claims.stored [--missing]", file=sys.stderr)
        return 2
    try:
        with tempfile.TemporaryDirectory() as scratch:
            options = run.Options(workers=os.cpu_count() or 1, certificates=Path(scratch))
            rows = store(options, certificates_folder(), missing="--missing" in words)
    except DPBoundsError as error:
        print(error, file=sys.stderr)
        return 2
    where = certificates_folder()
    files = list(where.glob("*.json.gz"))
    print(f"{len(rows)} claims settled; {len(files)} certificates, {sum(f.stat().st_size for f in files) // 1000} kB, in {where}")
    return run.exit_code_of(rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
