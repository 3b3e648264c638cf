"""An audit from beginning to end: selftests, questions, verdicts, related questions, small counterexamples."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from dpbounds.audit import truth
from dpbounds.audit.adapter import Adapter, Promise, Selftest
from dpbounds.audit.grids import questions_of
from dpbounds.audit.judge import Judged, Outcome, judged
from dpbounds.audit.metamorphic import LAWS, Breach, breach_of
from dpbounds.audit.process import Answer, Worker
from dpbounds.audit.question import Question, grid_hash
from dpbounds.audit.shrink import shrunk
from dpbounds.audit.worker import load

PEER_SHARE = 0.9
"""The accountant may take this share of the budget; what is left is enough to judge."""
_IDLE = 400
"""So many questions in a row that nobody supports or answers end the audit."""
_SHRUNK = 4
"""Counterexamples of each quantity and family that are made small; more of them say nothing new."""


@dataclass(frozen=True)
class Settings:
    """How an audit is run.

    Args:
        grid: "practice", "stress", "calibrate" or "table"; several in turn.
        quantities: which quantities are asked; empty for all that are promised.
        budget: processor seconds for each accountant.
        seed: of the draws.
        python: another interpreter for the accountant.
        seconds: processor seconds of a question to the accountant.
        truth_seconds: the same for the certified side; what takes longer is UNDECIDED.
        memory: limit of the accountant's address space in bytes, 0 for none.
        related: whether related questions are asked too.
        questions: at most so many questions, answered or not; None for no limit but the budget.
    """

    grid: tuple[str, ...] = ("practice",)
    quantities: tuple[str, ...] = ()
    budget: float = 120.0
    seed: int = 1
    python: str | None = None
    seconds: float = 10.0
    truth_seconds: float = 6.0
    memory: int = 8 * 2**30
    related: bool = True
    questions: int | None = None


@dataclass
class Audit:
    """What an audit of one accountant found.

    Args:
        name, package, relation: of the adapter.
        guarantee, source: what is promised, and the sentence that promises it.
        versions: of the package, of Python and numpy.
        selftest: "" when all passed, else what failed; then there are no verdicts.
        rows: every question with its outcome; findings replaced by their smallest form are kept in `findings`.
        findings: UNSOUND answers, made small, with reproductions.
        breaches: laws between answers that do not hold.
        threads: upstream reports.
        grid: hash of the questions. seed, peer_seconds, truth_seconds: of the run.
    """

    name: str
    package: str
    relation: str
    guarantee: dict[str, str]
    source: dict[str, str]
    versions: dict[str, str] = field(default_factory=dict)
    selftest: str = ""
    rows: list[Judged] = field(default_factory=list)
    findings: list[tuple[Judged, str]] = field(default_factory=list)
    breaches: list[Breach] = field(default_factory=list)
    threads: tuple[str, ...] = ()
    grid: str = ""
    seed: int = 0
    peer_seconds: float = 0.0
    truth_seconds: float = 0.0

    def count(self, outcome: Outcome, quantity: str | None = None) -> int:
        """How many answers have an outcome."""
        return sum(row.outcome is outcome and quantity in (None, row.question.quantity) for row in self.rows)


Progress = Callable[[str], None]


def adapters_of(target: str) -> list[Adapter]:
    """The adapters of a target: a shipped name, a module, or `file.py:Class`.

    Raises:
        InputError: there is none.
    """
    from dpbounds.errors import InputError

    try:
        return list(load(target))
    except (ValueError, ImportError, SyntaxError) as error:
        raise InputError(f"no adapter in {target}: {' '.join(str(error).split())}; see dpbounds audit --list") from None


def audit_of(target: str, adapter: Adapter, settings: Settings, progress: Progress = lambda line: None) -> Audit:
    """Audit one accountant.

    Args:
        target: module or file of the adapter, as the worker loads it.
        adapter: the adapter itself, for its name, its promises and its reproductions; its methods are called in the worker only.
        settings: grid, budget, limits.
        progress: is told a line now and then.

    Raises:
        InputError: the worker does not start.
    """
    found = Audit(
        adapter.name,
        adapter.package,
        adapter.relation,
        {quantity: _promised(promise) for quantity, promise in adapter.guarantee.items()},
        dict(adapter.source),
        threads=tuple(adapter.threads),
        seed=settings.seed,
    )
    peer = Worker(target, settings.python, settings.seconds, settings.memory)
    certified = Worker(truth.__name__, None, settings.truth_seconds)
    try:
        about = peer.about(adapter.name)
        found.versions = {"package": str(about["value"]), "python": about["python"], **about["versions"]}
        found.selftest = _selftest(peer, adapter)
        if not found.selftest:
            _Run(found, adapter, settings, peer, certified, progress).go()
    finally:
        peer.close()
        certified.close()
    return found


def _promised(promise: Promise) -> str:
    if promise.side != "estimate":
        return promise.side
    stated = [f"{value:g} {kind}" for value, kind in ((promise.error, "absolute"), (promise.relative, "relative")) if value is not None]
    return f"estimate, error {' and '.join(stated)}" if stated else "estimate, no error stated"


def _selftest(peer: Worker, adapter: Adapter) -> str:
    """Why there can be no verdicts, or "" when every selftest passes."""
    if not adapter.selftest:
        return "the adapter has no selftest, and without one a wrong adapter would accuse a sound package"
    return next((reason for test in adapter.selftest if (reason := _failed(peer, adapter, test))), "")


def _failed(peer: Worker, adapter: Adapter, test: Selftest) -> str:
    answer = peer.ask(adapter.name, test.quantity, list(test.spec), test.argument, patient=True)
    where = f"{test.quantity} of {list(test.spec)} at {test.argument} ({test.place})"
    if answer.kind:
        return f"selftest: {where}: {answer.error}"
    values = [answer.value] if isinstance(answer.value, str) else list(answer.value or ())
    if not values or not min(map(float, values)) - test.within <= test.value <= max(map(float, values)) + test.within:
        return f"selftest: {where}: {' … '.join(values) or 'no answer'}, not {test.value!r} within {test.within:g}"
    return ""


@dataclass
class _Run:
    audit: Audit
    adapter: Adapter
    settings: Settings
    peer: Worker
    certified: Worker
    progress: Progress

    def go(self) -> None:
        asked: list[Question] = []
        idle = 0
        streams = [questions_of(name, self.settings.seed) for name in self.settings.grid]
        for question in itertools.islice(
            filter(None, itertools.chain.from_iterable(itertools.zip_longest(*streams))), self.settings.questions
        ):
            if self.spent() >= self.settings.budget or self.audit.peer_seconds >= PEER_SHARE * self.settings.budget or idle >= _IDLE:
                break
            if question.quantity not in self.adapter.guarantee or (
                self.settings.quantities and question.quantity not in self.settings.quantities
            ):
                idle += 1
                continue
            row = self.row(question)
            idle = idle + 1 if row.outcome in (Outcome.UNSUPPORTED, Outcome.NO_ANSWER, Outcome.LISTED) else 0
            if row.outcome is Outcome.UNSUPPORTED:
                continue
            asked.append(question)
            self.audit.rows.append(row)
            if self.settings.related and row.outcome not in (Outcome.NO_ANSWER,) and len(self.audit.rows) % 2 == 0:
                self.relate(row)
            if len(self.audit.rows) % 20 == 0:
                unsound = self.audit.count(Outcome.UNSOUND)
                spent = f"{self.spent():.0f} s"
                self.progress(f"{self.adapter.name}: {len(self.audit.rows)} answers, {spent}, {unsound} unsound")
        self.audit.grid = grid_hash(asked)
        self.shrink()

    def spent(self) -> float:
        return self.audit.peer_seconds + self.audit.truth_seconds

    def row(self, question: Question) -> Judged:
        answer = self.peer.ask(self.adapter.name, question.quantity, list(question.spec), question.argument)
        self.audit.peer_seconds += answer.seconds
        return judged(question, self.adapter.guarantee[question.quantity], self.adapter.relation, answer, self.ask_truth)

    def ask_truth(self, quantity: str, spec: Any, argument: Any) -> Answer:
        answer = self.certified.ask(truth.Truth.name, quantity, spec, argument)
        self.audit.truth_seconds += answer.seconds
        return answer

    def relate(self, row: Judged) -> None:
        """Ask one related question, in turn, and compare the two answers."""
        law = LAWS[len(self.audit.rows) // 2 % len(LAWS)]
        if row.question.quantity not in ("epsilon", "delta", "rdp") or " " in row.answer or (other := law.change(row.question)) is None:
            return
        answer = self.peer.ask(self.adapter.name, other.quantity, list(other.spec), other.argument)
        self.audit.peer_seconds += answer.seconds
        if answer.kind or not isinstance(answer.value, str) or answer.value == "nan":
            return
        promise = self.adapter.guarantee[row.question.quantity]
        slack = 2 * (promise.error or 0.0)
        breach = breach_of(law, row.question, float(row.answer), other, float(answer.value), slack)
        if breach is not None:
            self.audit.breaches.append(breach)

    def shrink(self) -> None:
        """Make a few counterexamples of each kind small and write their reproductions."""
        seen: dict[tuple[str, str], int] = {}
        keys: set[str] = set()
        for row in [row for row in self.audit.rows if row.outcome is Outcome.UNSOUND]:
            kind = (row.question.quantity, row.question.family)
            if seen.get(kind, 0) >= _SHRUNK:
                continue
            seen[kind] = seen.get(kind, 0) + 1
            small = shrunk(row, self.row, tries=25)
            if small.question.key not in keys:
                keys.add(small.question.key)
                question = small.question
                text = self.adapter.reproduction(question.quantity, list(question.spec), question.argument)
                self.audit.findings.append((replace(small), text))
