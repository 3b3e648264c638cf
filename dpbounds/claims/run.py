"""Check many claims: in parallel, with certificates left as they are found, and resumed after an interruption.

`check` recomputes. With `replay=True`, and for certificates of a run that was interrupted, a stored certificate is accepted, but only
after it was replayed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from dpbounds.claims import clock, undecided, workers
from dpbounds.claims.boxes.journal import CoverJournal
from dpbounds.claims.catalogue import catalogue_folder
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import Located, claims_in, collect
from dpbounds.claims.evidence import certificate
from dpbounds.claims.evidence.documents import document_of as document_of_derivation
from dpbounds.claims.evidence.replay import replay as replay_certificate
from dpbounds.claims.outcome import Outcome
from dpbounds.claims.plans import Boxes, OrderRange
from dpbounds.claims.settling import Progress, settle
from dpbounds.claims.statement import failures
from dpbounds.claims.statement.checked import CheckedParts
from dpbounds.claims.support import Evidence, citations_of, union, used_by
from dpbounds.claims.verdict import Verdict
from dpbounds.claims.workers import AtWork
from dpbounds.errors import CertificateError, ClaimError, DPBoundsError, InputError, did_you_mean

DEFAULT_CERTIFICATES = Path(".dpbounds/certificates")
_MARKER = "_run.json"  # no claim is called so: ids start with a letter or a digit


@dataclass(frozen=True)
class Row:
    """One claim of a report.

    Attributes:
        claim: the record.
        file: where it is stated.
        outcome: what was established.
        evidence: what the verdict rests on: methods and citations over the claim and everything that it uses.
        unsettled: what it uses, at whatever remove, that is neither established nor cited.
        replayed: who checked the stored certificate, empty if the claim was recomputed.
        problem: why a stored certificate was not accepted.
    """

    claim: Claim
    file: Path
    outcome: Outcome
    evidence: tuple[Evidence, ...] = ()
    unsettled: tuple[str, ...] = ()
    replayed: str = ""
    problem: str = ""

    @property
    def rests_on(self) -> str:
        """The evidence in words: methods, citations, and what is used though nothing settles it."""
        words = [str(entry) for entry in self.evidence]
        return "; ".join([*words, f"unsettled: {', '.join(self.unsettled)}"] if self.unsettled else words)

    @property
    def findings(self) -> str:
        """What was found, and what it rests on where that is more than a method of its own."""
        derived = any(entry.method in ("derivation", "document") for entry in self.evidence)
        more = self.unsettled or self.evidence != self.outcome.evidence or citations_of(self.evidence) or derived
        return f"{self.outcome.detail}; rests on {self.rests_on}" if more else self.outcome.detail

    @property
    def as_expected(self) -> bool | None:
        """True or False where something was expected of the claim; None where nothing was."""
        if self.claim.expect is None:
            return None if self.mutant_refuted is not False else False
        return self.claim.expect.agrees_with(self.outcome.verdict) and self.mutant_refuted is not False and not self.problem

    @property
    def mutant_refuted(self) -> bool | None:
        """Whether the mutant came out REFUTED; None without a mutant."""
        mutant = self.outcome.mutant
        return None if mutant is None else mutant.verdict is Verdict.REFUTED

    @property
    def exit_code(self) -> int:
        """1 contradicted, 2 bad input, 3 undecided or just cited though not expected to be, 0 otherwise."""
        verdict, expect = self.outcome.verdict, self.claim.expect
        mutant = self.outcome.mutant
        if self.outcome.bad_input or (mutant is not None and mutant.bad_input):
            return 2
        if self.problem or (mutant is not None and mutant.verdict.holds):
            return 1
        if verdict.holds is None:
            return 0 if expect is not None and self.as_expected else 3
        if expect is None:
            return 1 if verdict is Verdict.REFUTED else (3 if self.mutant_refuted is False else 0)
        if self.as_expected:
            return 0
        return 3 if expect.agrees_with(verdict) and self.mutant_refuted is False else 1


@dataclass(frozen=True)
class Options:
    """How `check` works.

    Attributes:
        workers: processes.
        budget: seconds of processor time for each claim that does not say how it is settled, and for its mutant.
        only: ids to check (with what they use); empty for all.
        certificates: folder for certificates.
        replay: accept stored certificates that survive replay.
        elsewhere: where the certificate of a claim lies that the folder does not have, None where there is none; with `replay` only.
            A function of a module, because it travels to the workers.
    """

    workers: int = 1
    budget: float = 60.0
    only: tuple[str, ...] = ()
    certificates: Path = DEFAULT_CERTIFICATES
    replay: bool = False
    elsewhere: Callable[[Claim], Path | None] | None = None


@dataclass(frozen=True)
class Conclusion:
    """What became of a claim.

    Attributes:
        outcome: what was established.
        replayed: who checked the stored certificate, empty if the claim was recomputed.
        problem: why a stored certificate was not accepted.
    """

    outcome: Outcome
    replayed: str = ""
    problem: str = ""


class Interrupted(KeyboardInterrupt):
    """A run that ended early.

    Attributes:
        rows: the claims that are settled.
        total: how many there are.
    """

    def __init__(self, rows: Sequence[Row], total: int) -> None:
        super().__init__()
        self.rows, self.total = rows, total


OnRow = Callable[[int, int, Outcome], None]


def check(
    paths: Sequence[str | Path], options: Options | None = None, *, on_row: OnRow | None = None, at_work: AtWork | None = None
) -> list[Row]:
    """Decide all claims in files and folders.

    Args:
        paths: claim files and folders.
        options: see `Options`.
        on_row: called with (settled, total, outcome) after each claim.
        at_work: told which claims are being settled, and how far they are.

    Returns:
        One row for each claim, in the order of the files.

    Raises:
        InputError: files that cannot be read or run, unknown ids. What is wrong inside of a claim is the outcome of that claim.
        Interrupted: Ctrl-C or SIGTERM came; certificates are written, and the next run goes on from there.
    """
    options = options or Options()
    located = _selected(collect(paths), options.only)
    resume = _interrupted(options.certificates)
    _mark(options.certificates, complete=False)
    outcomes: dict[str, Conclusion] = {}
    claims = {entry.claim.id: entry.claim for entry in located}
    try:
        for identifier, settled in _settled(located, options, resume, at_work or AtWork(options.workers)):
            outcomes[identifier] = settled
            _keep(claims[identifier], settled, options)
            if on_row is not None:
                on_row(len(outcomes), len(located), settled.outcome)
    except KeyboardInterrupt as stop:
        done = [entry for entry in located if entry.claim.id in outcomes]
        raise Interrupted(rows_of(done, outcomes), len(located)) from stop
    except DPBoundsError:
        _mark(options.certificates, complete=True)  # bad input is no interruption: the next run starts afresh
        raise
    _mark(options.certificates, complete=True)
    return rows_of(located, outcomes)


def _selected(located: list[Located], only: tuple[str, ...]) -> list[Located]:
    """The claims asked for, together with everything that they use."""
    known = {entry.claim.id: entry for entry in located}
    carried: dict[str, Located] = {}
    # What a carried claim uses is carried too, so the list grows while it is walked.
    waiting = [(entry, identifier) for entry in located for identifier in entry.claim.uses]
    for user, identifier in waiting:
        if identifier in known:
            continue
        if not carried and catalogue_folder().is_dir():
            carried = {entry.claim.id: entry for entry in collect([catalogue_folder()])}
        if identifier not in carried:
            raise ClaimError(f"{user.claim.id} uses {identifier}, and no such claim is known")
        known[identifier] = carried[identifier]
        waiting += [(carried[identifier], further) for further in carried[identifier].claim.uses]
    located = list(known.values())
    if not only:
        return located
    for identifier in only:
        if identifier not in known:
            raise InputError(f"no claim is called {identifier!r}{did_you_mean(identifier, known)}; `dpbounds show` lists them")
    wanted: dict[str, None] = {}
    stack = list(only)
    while stack:
        identifier = stack.pop()
        if identifier not in wanted:
            wanted[identifier] = None
            stack += known[identifier].claim.uses
    return [entry for entry in located if entry.claim.id in wanted]


def _stored(claim: Claim, options: Options, resume: bool) -> Conclusion | None:
    """What is stored and survives replay, a certificate or a proof document, as an outcome; None to recompute."""
    if not (options.replay or resume):
        return None
    twin = None if claim.mutant is None else claim.twin(claim.mutant)
    path, twin_path = (None if part is None else _certificate_of(part, options) for part in (claim, twin))
    if twin is not None and twin_path is None:
        return None
    shown = document_of_derivation(claim) if options.replay and path is None else None
    proof = None if shown is None else shown.name
    if path is None and proof is None:
        return None
    try:
        mutant = None if twin is None or twin_path is None else _replayed_mutant(twin, twin_path)
        if path is None:
            evidence = (Evidence("derivation"),)
            detail = f"the proof checker accepts the document {proof}"
            return Conclusion(
                Outcome(claim.id, Verdict.PROVED, "derivation", detail, evidence=evidence, mutant=mutant), "the proof checker"
            )
        document = certificate.read(path)
        found = replay_certificate(document, claim)
    except CertificateError as error:
        if resume and not options.replay:
            return None
        undecided = Outcome(claim.id, Verdict.UNDECIDED, "replay", f"the stored certificate fails: {error}")
        return Conclusion(undecided, problem=str(error))
    evidence = (_evidence_of(document, found.checked),)
    detail = "cited, not checked" if found.verdict is Verdict.ASSUMED else f"replayed by {found.checked_by}"
    outcome = Outcome(claim.id, found.verdict, document["method"], detail, evidence=evidence, mutant=mutant)
    return Conclusion(outcome, replayed=found.checked_by)


def _replayed_mutant(twin: Claim, path: Path) -> Outcome:
    if replay_certificate(certificate.read(path), twin).verdict is not Verdict.REFUTED:
        raise CertificateError(f"{twin.id}: its certificate does not refute it")
    return Outcome(twin.id, Verdict.REFUTED, "counterexample", "replayed", evidence=(Evidence("counterexample"),))


def _certificate_of(claim: Claim, options: Options) -> Path | None:
    """Where a certificate of a claim lies."""
    found = certificate.find(options.certificates, claim.id)
    return options.elsewhere(claim) if found is None and options.replay and options.elsewhere is not None else found


def _evidence_of(document: Mapping[str, Any], checked: CheckedParts | None) -> Evidence:
    """What a certificate says, with the boxes counted by who settled them again."""
    read = evidence_of(document)
    if checked is None or not read.checked + read.engine:  # steps that were run again, conditions at a point
        return read
    return replace(read, checked=checked.parts - checked.by_engine, engine=checked.by_engine)


def evidence_of(document: Mapping[str, Any]) -> Evidence:
    """What a certificate says that was not replayed: leaves that were checked when it was written, and those that rest on the engine."""
    found = document["evidence"]
    citations = tuple(item["citation"] for item in found.get("assumed", []))
    engine = certificate.resting_on_engine(found)
    return Evidence(document["method"], citations, certificate.leaves_of(found) - engine, engine)


def _settled(waiting: list[Located], options: Options, resume: bool, at_work: AtWork) -> Iterator[tuple[str, Conclusion]]:
    """Whole claims go to workers; covers that are fewer than the workers share out their boxes."""
    if options.workers <= 1 or not waiting:
        for entry in waiting:
            with _busy(at_work, entry) as slot:
                settled = _settle(entry.claim, options, resume, at_work.counter(slot))
            yield entry.claim.id, settled
        return
    few = len(waiting) < options.workers and not options.replay
    shared = [entry for entry in waiting if few and isinstance(entry.claim.by, (OrderRange, Boxes, type(None)))]
    whole = [entry for entry in waiting if entry not in shared]
    suspects: list[Located] = []
    while whole or shared:
        with workers.pool(options.workers, at_work) as executor:
            yield from _settled_together(whole, shared, suspects, options, resume, at_work, executor)
        # A worker died, and nobody knows of which claim: each of those that were at work gets a process of its own.
        for entry in suspects:
            yield entry.claim.id, _settle_alone(entry, options, resume, at_work)
        suspects.clear()


def _settled_together(
    whole: list[Located],
    shared: list[Located],
    suspects: list[Located],
    options: Options,
    resume: bool,
    at_work: AtWork,
    executor: Executor,
) -> Iterator[tuple[str, Conclusion]]:
    """What workers settle until all is done, or until one of them dies: then the claims that were at work are moved to `suspects`."""
    # Claims hold functions, which do not travel between processes: a worker collects the file again.
    jobs: dict[Future[Conclusion], Located] = {}
    try:
        while jobs or whole or shared:
            while whole and len(jobs) < options.workers:
                entry = whole.pop(0)
                suspects.append(entry)
                slot = at_work.begin(entry.claim.id)
                jobs[executor.submit(_settle_in_file, str(entry.file), entry.claim.id, options, resume, slot)] = entry
            if shared and len(jobs) < options.workers:
                entry = shared.pop(0)
                suspects.append(entry)
                with _busy(at_work, entry) as slot:
                    settled = _settle(entry.claim, options, resume, at_work.counter(slot), executor)
                suspects.remove(entry)
                yield entry.claim.id, settled
            for job in wait(jobs, timeout=0 if shared and len(jobs) < options.workers else None, return_when=FIRST_COMPLETED).done:
                found = _outcome_of(job, jobs[job].claim)
                entry = jobs.pop(job)
                suspects.remove(entry)
                at_work.end(entry.claim.id)
                yield entry.claim.id, found
    except BrokenExecutor:
        for entry in suspects:
            at_work.end(entry.claim.id)


def _settle_alone(entry: Located, options: Options, resume: bool, at_work: AtWork) -> Conclusion:
    """Settle a claim in a process of its own, whose death is the claim's."""
    try:
        with _busy(at_work, entry) as slot, workers.pool(1, at_work) as executor:
            job = executor.submit(_settle_in_file, str(entry.file), entry.claim.id, options, resume, slot)
            return _outcome_of(job, entry.claim)
    except BrokenExecutor:
        reason = "the process that worked on it died: killed, or out of memory; make the domain or the expression smaller"
        return Conclusion(Outcome(entry.claim.id, Verdict.UNDECIDED, "error", reason))


def _outcome_of(job: Future[Conclusion], claim: Claim) -> Conclusion:
    """The result of a worker; what keeps it from arriving is the claim's error, the death of a worker is not."""
    try:
        return job.result()
    except BrokenExecutor:
        raise
    except Exception as error:
        reason, bad = failures.reason_of(error, claim.id), failures.is_bad_input(error)
        return Conclusion(Outcome(claim.id, Verdict.UNDECIDED, "error", reason, bad_input=bad))


@contextmanager
def _busy(at_work: AtWork, entry: Located) -> Iterator[int]:
    slot = at_work.begin(entry.claim.id)
    try:
        yield slot
    finally:
        at_work.end(entry.claim.id)


def _settle(claim: Claim, options: Options, resume: bool, progress: Progress, executor: Executor | None = None) -> Conclusion:
    """By a stored certificate if there is one to accept, else anew."""
    started = clock.now()
    stored = _stored(claim, options, resume)
    if stored is not None:
        return replace(stored, outcome=replace(stored.outcome, seconds=clock.now() - started))
    if resume and not options.replay and (left := _left(claim, options)) is not None:
        return Conclusion(left)
    journal = CoverJournal(options.certificates, claim, resume=resume)
    outcome = settle(claim, budget=options.budget, progress=progress, executor=executor, journal=journal, contained=True)
    journal.close()
    return Conclusion(outcome)


def _left(claim: Claim, options: Options) -> Outcome | None:
    """What an interrupted run left UNDECIDED, if there is no mutant that would have to be settled with it."""
    return undecided.recall(claim, options.budget, options.certificates) if claim.mutant is None else None


def _settle_in_file(file: str, identifier: str, options: Options, resume: bool, slot: int) -> Conclusion:
    return _settle(_claims_of(file)[identifier], options, resume, lambda boxes, _: workers.count(slot, boxes))


@lru_cache
def _claims_of(file: str) -> dict[str, Claim]:
    """A worker runs each file once."""
    return {claim.id: claim for claim in claims_in(Path(file))}


def rows_of(located: Sequence[Located], outcomes: Mapping[str, Conclusion]) -> list[Row]:
    """The rows of a report from what became of each claim."""
    claims = {entry.claim.id: entry.claim for entry in located}

    rows = []
    for entry in located:
        found = outcomes[entry.claim.id]
        outcome = found.outcome
        used = {identifier: outcomes[identifier].outcome for identifier in used_by(entry.claim, claims) if identifier in outcomes}
        # What does not hold supports nothing, however well it was refuted.
        support = {identifier: below for identifier, below in used.items() if below.verdict not in (Verdict.REFUTED, Verdict.UNDECIDED)}
        evidence = union(part for below in (outcome, *support.values()) for part in below.evidence)
        unsettled = tuple(identifier for identifier in used if identifier not in support)
        rows.append(Row(entry.claim, entry.file, outcome, evidence, unsettled, found.replayed, found.problem))
    return rows


def exit_code_of(rows: Iterable[Row]) -> int:
    """The exit code of a run: 2 outranks 1 outranks 3 outranks 0."""
    codes = {row.exit_code for row in rows}
    return next((code for code in (2, 1, 3) if code in codes), 0)


def document_of(rows: Sequence[Row]) -> dict[str, Any]:
    """The JSON document of a run."""
    claims = []
    for row in rows:
        outcome = row.outcome
        document: dict[str, Any] = {
            "id": row.claim.id,
            "verdict": outcome.verdict.value,
            "expected": None if row.claim.expect is None else row.claim.expect.value,
            "as_expected": row.as_expected,
            "evidence": [entry.to_json() for entry in row.evidence],
            "unsettled": list(row.unsettled),
            "seconds": f"{outcome.seconds:.3f}",
            "file": str(row.file),
            "method": outcome.method,
            "detail": outcome.detail,
            "bad_input": outcome.bad_input,
            "left": list(outcome.left),
            "next": outcome.next_step or None,
            "assumed": list(outcome.assumed),
            "uses": list(row.claim.uses),
            "statement_hash": row.claim.statement_hash,
            "replayed_by": row.replayed or None,
            "mutant": None if outcome.mutant is None else {"verdict": outcome.mutant.verdict.value, "detail": outcome.mutant.detail},
        }
        claims.append(document)
    return {"schema": "dpbounds/1", "claims": claims, "counts": counts_of(rows)}


def counts_of(rows: Sequence[Row]) -> dict[str, int]:
    """How many claims got each verdict, and how many were not as expected."""
    counts = {verdict.value: sum(row.outcome.verdict is verdict for row in rows) for verdict in Verdict}
    counts["citing"] = sum(bool(citations_of(row.evidence)) for row in rows)
    counts["mutants"] = sum(row.outcome.mutant is not None for row in rows)
    counts["mutants_refuted"] = sum(row.mutant_refuted is True for row in rows)
    counts["unexpected"] = sum(row.exit_code != 0 for row in rows if row.claim.expect is not None)
    counts["total"] = len(rows)
    return counts


# --- interrupted runs ----------------------------------------------------------------------------------------------


def _interrupted(folder: Path) -> bool:
    try:
        return json.loads((folder / _MARKER).read_text(encoding="utf-8")).get("complete") is False
    except (OSError, ValueError, AttributeError):
        return False


def _keep(claim: Claim, settled: Conclusion, options: Options) -> None:
    """Write the certificates of a claim and its mutant, or what is left of them."""
    mutant, folder = settled.outcome.mutant, options.certificates
    for part, found in ((claim, settled.outcome), (claim if mutant is None else claim.twin(claim.mutant), mutant)):
        if found is None:
            continue
        if not settled.problem and not settled.replayed:
            undecided.keep(part, found, options.budget, folder)
        if found.certificate is not None:
            try:
                certificate.write(found.certificate, folder)
            except OSError as error:
                where = f"cannot write certificates to {folder}: {error.strerror}"
                raise InputError(f"{where}; choose another folder with --certificates") from error


def _mark(folder: Path, *, complete: bool) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _MARKER).write_text(json.dumps({"complete": complete}) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write certificates to {folder}: {error.strerror}; choose another folder with --certificates") from error
