"""What the page reports of each claim, and how the verdict came about: settled now, or from a certificate of an earlier run.

A stored certificate is used only if its digest fits and its statement is the claim's. The counterexample of a claim is then decided again
at its point; a proof, a cover or the counterexample of a mutant is taken as it was found, unless a replay is asked for. The page says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from dpbounds.claims import run, undecided
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import Located, collect
from dpbounds.claims.counterexamples.refute import Refutation, refute_at
from dpbounds.claims.evidence import certificate
from dpbounds.claims.outcome import Outcome
from dpbounds.claims.statement.expression_text import read_expression
from dpbounds.claims.support import Evidence
from dpbounds.claims.verdict import Verdict
from dpbounds.claims.workers import AtWork
from dpbounds.errors import CertificateError


class Origin(Enum):
    """How a verdict came onto the page."""

    SETTLED = "settled for this page"
    DECIDED_AGAIN = "its counterexample, from a stored certificate, was decided again for this page"
    REPLAYED = "its stored certificate was replayed for this page"
    READ = "read from a stored certificate of this very statement, which was not replayed for this page"
    READ_WITH_MUTANT = "read, with its mutant, from stored certificates of these very statements, which were not replayed for this page"
    KEPT = "left open by an earlier run with the same statement, at least this budget and the same code"


@dataclass(frozen=True)
class Entry:
    """One claim of the page.

    Attributes:
        row: claim, file, outcome, evidence.
        certificate: the JSON document behind the verdict, None for UNDECIDED.
        origin: how the verdict came about.
    """

    row: run.Row
    certificate: Mapping[str, Any] | None
    origin: Origin


def entries_of(
    paths: Sequence[str | Path],
    options: run.Options,
    *,
    reuse: bool = False,
    on_row: run.OnRow | None = None,
    at_work: AtWork | None = None,
) -> tuple[Entry, ...]:
    """The claims of files and folders with their verdicts.

    Args:
        paths: claim files and folders.
        options: as for `run.check`; certificates are read from and written to `options.certificates`.
        reuse: take what the stored certificates say; settle only the claims that have none.
        on_row: called with (settled, total, outcome) after each claim that had to be settled.
        at_work: told which claims are being settled.

    Raises:
        InputError: files that cannot be read or run, malformed claims, empty domains.
    """
    if options.replay or not reuse:
        return entries_of_rows(run.check(paths, options, on_row=on_row, at_work=at_work), options.certificates)
    located = collect(paths)
    known = {entry.claim.id: outcome_of(entry.claim, options.certificates, options.budget) for entry in located}
    missing = tuple(identifier for identifier, outcome in known.items() if outcome is None)
    fresh: dict[str, run.Row] = {}
    if missing:
        fresh = {row.claim.id: row for row in run.check(paths, replace(options, only=missing), on_row=on_row, at_work=at_work)}
    known |= {identifier: row.outcome for identifier, row in fresh.items()}
    rows = run.rows_of(
        _with_used(located, fresh), {identifier: run.Conclusion(outcome) for identifier, outcome in known.items() if outcome}
    )
    return tuple(Entry(row, _stored(row.claim, options.certificates), _origin_of_stored(row, fresh)) for row in rows)


def entries_of_rows(rows: Sequence[run.Row], folder: Path) -> tuple[Entry, ...]:
    """The claims of a run that has just ended.

    Args:
        rows: what `run.check` returned.
        folder: where it left its certificates.
    """
    return tuple(Entry(row, _stored(row.claim, folder), _origin(row)) for row in rows)


def outcome_of(claim: Claim, folder: Path, budget: float) -> Outcome | None:
    """What is stored of a claim and of its mutant, a certificate or what is left; None where there is nothing that fits.

    Args:
        claim: the claim.
        folder: where `check` left its certificates.
        budget: seconds; what a smaller budget left UNDECIDED is tried again.
    """
    document = _stored(claim, folder)
    outcome = undecided.recall(claim, budget, folder) if document is None else _read(claim, document)
    if outcome is None or claim.mutant is None:
        return outcome
    twin = claim.twin(claim.mutant)
    found = _stored(twin, folder)
    mutant = undecided.recall(twin, budget, folder) if found is None else _read_mutant(twin, found)
    return None if mutant is None else replace(outcome, mutant=mutant)


def _stored(claim: Claim, folder: Path) -> Mapping[str, Any] | None:
    path = certificate.find(folder, claim.id)
    if path is None:
        return None
    try:
        document = certificate.read(path)
    except CertificateError:
        return None
    same = document["claim"] == claim.id and document["statement_hash"] == claim.statement_hash
    return document if same else None


def _read(claim: Claim, document: Mapping[str, Any]) -> Outcome | None:
    evidence, method = document["evidence"], document["method"]
    if (method, document["verdict"]) == ("counterexample", "REFUTED"):
        return _decided_again(claim, evidence["point"])
    verdict = document["verdict"]
    if (method, verdict) == ("derivation", "PROVED"):
        named = sum(bool(step["name"]) for step in evidence["steps"])
        detail = f"{evidence['derivation']}: {named} steps"
    elif (method, verdict) == ("citation", "ASSUMED"):
        detail = f"{evidence['derivation']}: cited, not checked"
    elif verdict == "CERTIFIED" and method in ("boxes", "order range"):
        detail = f"{certificate.leaves_of(evidence)} boxes"
    elif (method, verdict) == ("document", "CERTIFIED"):
        detail = "a document, accepted by the proof checker"
    else:
        return None
    return Outcome(claim.id, Verdict(verdict), method, detail, evidence=(run.evidence_of(document),))


def _read_mutant(twin: Claim, document: Mapping[str, Any]) -> Outcome | None:
    if (document["method"], document["verdict"]) != ("counterexample", "REFUTED"):
        return _read(twin, document)
    values = {name: value if isinstance(value, list) else [value] for name, value in document["evidence"]["point"].items()}
    point = ", ".join(f"{name} = {', '.join(str(read_expression(text)) for text in texts)}" for name, texts in values.items())
    detail = f"counterexample {point}" if point else "false as it stands"
    return Outcome(twin.id, Verdict.REFUTED, "counterexample", detail, evidence=(Evidence("counterexample"),))


def _decided_again(claim: Claim, point: Mapping[str, Any]) -> Outcome | None:
    names = {str(part): part for part in (*claim.variables, *claim.families)}
    if set(point) != set(names):
        return None
    values = {
        names[name]: [read_expression(entry) for entry in value] if isinstance(value, list) else read_expression(value)
        for name, value in point.items()
    }
    found = refute_at(claim, values)
    if not isinstance(found, Refutation):
        return None
    detail = (
        f"counterexample {found.as_text()}: {'; '.join(found.sides)}" if found.point else f"false as it stands: {'; '.join(found.sides)}"
    )
    return Outcome(claim.id, Verdict.REFUTED, "counterexample", detail, evidence=(Evidence("counterexample"),))


def _with_used(located: Sequence[Located], fresh: Mapping[str, run.Row]) -> list[Located]:
    """The claims of the files, and those of the catalogue that they use."""
    named = {entry.claim.id for entry in located}
    return [*located, *(Located(row.claim, row.file) for identifier, row in fresh.items() if identifier not in named)]


def _origin(row: run.Row) -> Origin:
    return Origin.REPLAYED if row.replayed else Origin.SETTLED


def _origin_of_stored(row: run.Row, fresh: Mapping[str, run.Row]) -> Origin:
    if row.claim.id in fresh:
        return _origin(fresh[row.claim.id])
    if row.outcome.verdict is Verdict.UNDECIDED:
        return Origin.KEPT
    if row.outcome.verdict is Verdict.REFUTED:
        return Origin.DECIDED_AGAIN
    return Origin.READ if row.claim.mutant is None else Origin.READ_WITH_MUTANT
