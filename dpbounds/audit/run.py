"""An audit from beginning to end: selftests, questions, verdicts, related questions, small counterexamples."""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dpbounds.audit import truth
from dpbounds.audit.adapter import Description, Promise, Selftest
from dpbounds.audit.again import is_reproduced, merged, printed_by
from dpbounds.audit.causes import hints_for
from dpbounds.audit.judge import AnswerOutcome, Judged, judged
from dpbounds.audit.metamorphic import METAMORPHIC_RELATIONS, Breach, breach_of
from dpbounds.audit.process import START_SECONDS, Answer, BudgetSpent, Worker
from dpbounds.audit.question import Question, flat, grid_hash
from dpbounds.audit.schedule import QuestionSchedule
from dpbounds.audit.shrink import shrunk, size_of

PEER_SHARE = 0.9
"""The accountant may take this share of the budget; what is left is enough to judge."""
_ASKING = 0.7
"""Share of the budget for questions."""
_ASKING_AGAIN = 0.85
"""Share of it when the questions that ran out of time have been asked again; the rest is for making counterexamples small."""
_TRIES = 40
"""Simpler questions that are tried for each counterexample."""
_SHRUNK = 2
"""Counterexamples of each quantity and family that are made small; more of them say nothing new."""
_EARLIER = 3
"""So many earlier questions about a mechanism are tried when the lines of a finding alone do not show it."""
_PATIENCE = 10
"""A question that ran out of time is asked again with so many times the limit at most: what is slow has an answer, what hangs has none."""
_HALVINGS = 3
"""So many values between a δ that was refused and one that was answered are asked: accountants err next to what they refuse."""
_FARTHER = 1000.0
"""Where a δ is refused, one so many times larger may be answered."""
_TOLD = 5.0
"""Seconds on the clock between two lines of progress."""


@dataclass(frozen=True)
class Settings:
    """How an audit is run.

    Args:
        grid: "practice", "stress", "calibrate", "allocation", "noises" or "table"; several in turn.
        quantities: which quantities are asked; empty for all that are promised.
        budget: processor seconds for each accountant.
        seed: of the draws.
        python: another interpreter for the accountant.
        seconds: processor seconds of a question to the accountant.
        truth_seconds: the same for the certified side; what takes longer is UNDECIDED.
        memory: limit of the accountant's address space in bytes, 0 for none.
        related: whether related questions are asked too.
        findings: counterexamples that are made small and run again; all UNSOUND answers are among the rows.
        questions: at most so many answers, asked for in turn from every kind of question, which a run on any machine repeats;
            None for no limit but the budget, with the time shared among the kinds.
    """

    grid: tuple[str, ...] = ("practice", "stress", "calibrate", "allocation", "noises")
    quantities: tuple[str, ...] = ()
    budget: float = 100.0
    seed: int = 1
    python: str | None = None
    seconds: float = 5.0
    truth_seconds: float = 4.0
    memory: int = 8 * 2**30
    related: bool = True
    findings: int = 12
    questions: int | None = None


@dataclass(frozen=True)
class Finding:
    """An UNSOUND answer in its smallest form.

    Args:
        row: question, answer, certificate.
        reproduction: at most four lines that need the accountant alone.
        printed: what they printed when they were run again.
        cut: why it was not made small and run again, "" where it was.
        worst: the answer from which the row was made small, one of the two that are most on the wrong side of its quantity and family;
            where it was the smallest already, the worst one of its quantity.
        hints: what the answer does when one thing in the question changes (`causes`).
    """

    row: Judged
    reproduction: str
    printed: str = ""
    cut: str = ""
    worst: Judged | None = None
    hints: tuple[str, ...] = ()

    @property
    def reproduced(self) -> bool:
        """Whether the lines printed the answer once more."""
        return is_reproduced({"answer": self.row.answer, "printed": self.printed, "reproduction": self.reproduction})


@dataclass(frozen=True)
class Silence:
    """A question that had no answer, the one with fewest uses of its kind of failure, and lines that show it."""

    row: Judged
    reproduction: str

    @property
    def name(self) -> str:
        """What it is called: a calibration that does not end is a fault of its own."""
        endless = self.row.question.quantity == "sigma" and self.row.detail.startswith("time") and "an answer after" not in self.row.detail
        return "CALIBRATION WITHOUT END" if endless else "NO ANSWER"


@dataclass
class Audit:
    """What an audit of one accountant found.

    Args:
        name, package, relation: of the adapter.
        guarantee, source: what is promised, and the sentence that promises it.
        versions: of the package, of Python and numpy.
        selftest: "" when all passed, else what failed; then there are no verdicts.
        rows: every question with its outcome; findings replaced by their smallest form are kept in `findings`.
        findings: UNSOUND answers, made small, with reproductions that were run again.
        silences: for each quantity and kind of failure one question that had no answer.
        breaches: relations between answers that do not hold.
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
    findings: list[Finding] = field(default_factory=list)
    silences: list[Silence] = field(default_factory=list)
    breaches: list[Breach] = field(default_factory=list)
    threads: tuple[str, ...] = ()
    grid: str = ""
    seed: int = 0
    peer_seconds: float = 0.0
    truth_seconds: float = 0.0

    @property
    def no_verdict(self) -> str:
        """Why nothing was judged, "" where something was."""
        return self.selftest or ("" if self.rows else "no question was supported or answered in time; see --grid, --budget and the adapter")

    def count(self, outcome: AnswerOutcome, quantity: str | None = None) -> int:
        """How many answers have an outcome."""
        return sum(row.outcome is outcome and quantity in (None, row.question.quantity) for row in self.rows)


class AuditInterrupted(KeyboardInterrupt):
    """An audit that ended early, with what it had found."""

    def __init__(self, audit: Audit) -> None:
        super().__init__()
        self.audit = audit


Progress = Callable[[str], None]
Keep = Callable[[str, Judged], None]
"""Is told the name of the accountant and each answer on the wrong side, at once."""


def adapters_of(target: str, python: str | None = None) -> list[Description]:
    """The adapters of a target, a module or `file.py:Class`, described by the interpreter that will run them.

    Raises:
        InputError: there is none, or the interpreter does not run.
    """
    worker = Worker(target, python)
    try:
        return worker.describe()
    finally:
        worker.close()


def audit_of(
    target: str,
    adapter: Description,
    settings: Settings,
    progress: Progress = lambda line: None,
    certified: Worker | None = None,
    keep: Keep = lambda name, row: None,
) -> Audit:
    """Audit one accountant.

    Args:
        target: module or file of the adapter, as the worker loads it.
        adapter: its description.
        settings: grid, budget, limits.
        progress: is told a line now and then, and each of the first findings when it is there.
        certified: a worker of the certified side (`truth_worker`) that several audits share; it is left open.
        keep: is told every answer on the wrong side when it is there, for a journal.

    Raises:
        InputError: the worker does not start.
        AuditInterrupted: Ctrl-C or SIGTERM came.
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
    truthful = certified or truth_worker(settings)
    try:
        about = peer.about(adapter.name)
        begun = peer.used()
        if not truthful.used():
            truthful.about(truth.Truth.name)
            begun += truthful.used()
        found.versions = {"package": str(about["value"]), "python": about["python"], **about["versions"]}
        found.selftest = _selftest(peer, adapter)
        if not found.selftest:
            _Run(found, adapter, settings, peer, truthful, progress, target, begun, keep).run_all()
    except KeyboardInterrupt as stop:
        found.findings = found.findings or [Finding(row, "", cut="the audit was interrupted") for row in _worst(found.rows)]
        raise AuditInterrupted(found) from stop
    finally:
        peer.close()
        if certified is None:
            truthful.close()
    return found


def _worst(rows: Sequence[Judged]) -> list[Judged]:
    """The counterexamples that are shown: of each quantity and family the few that are most wrong."""
    seen: dict[tuple[str, str], int] = {}
    kept = []
    for row in sorted((row for row in rows if row.outcome is AnswerOutcome.UNSOUND), key=lambda row: -row.excess):
        kind = (row.question.quantity, row.question.family)
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= _SHRUNK:
            kept.append(row)
    return kept


def truth_worker(settings: Settings) -> Worker:
    """A process that answers with certified values."""
    return Worker(truth.__name__, None, settings.truth_seconds)


def _promised(promise: Promise) -> str:
    if promise.side != "estimate":
        errors = [f"{value:g} in {what}" for value, what in ((promise.error, "ε"), (promise.noise, "σ")) if value is not None]
        return f"{promise.side}, error {' and '.join(errors)}" if errors else promise.side
    stated = [f"{value:g} {kind}" for value, kind in ((promise.error, "absolute"), (promise.relative, "relative")) if value is not None]
    return f"estimate, error {' and '.join(stated)}" if stated else "estimate, no error stated"


def _selftest(peer: Worker, adapter: Description) -> str:
    """Why there can be no verdicts, or "" when every selftest passes."""
    if not adapter.selftest:
        return "the adapter has no selftest, and without one a wrong adapter would accuse a sound package"
    return next((reason for test in adapter.selftest if (reason := _failed(peer, adapter, test))), "")


def _failed(peer: Worker, adapter: Description, test: Selftest) -> str:
    answer = peer.ask(adapter.name, test.quantity, list(test.spec), test.argument, seconds=START_SECONDS)
    where = f"{test.quantity} of {list(test.spec)} at {test.argument} ({test.place})"
    if answer.kind:
        return f"selftest: {where}: {answer.error}"
    values = [answer.value] if isinstance(answer.value, str) else list(answer.value or ())
    if not values or not min(map(float, values)) - test.within <= test.value <= max(map(float, values)) + test.within:
        return f"selftest: {where}: {' … '.join(values) or 'no answer'}, not {test.value!r} within {test.within:g}"
    return ""


def _children_seconds() -> float:
    """Processor seconds of all processes that this one has waited for."""
    found = os.times()
    return found.children_user + found.children_system


def _is_refusal(row: Judged) -> bool:
    return row.outcome is AnswerOutcome.NO_ANSWER and row.detail.startswith("exception")


@dataclass
class _Run:
    audit: Audit
    adapter: Description
    settings: Settings
    peer: Worker
    certified: Worker
    progress: Progress
    target: str
    started: float = 0.0
    """Processor seconds of starting the accountant and the certified side."""
    keep: Keep = lambda name, row: None
    _shown: dict[tuple[str, str], int] = field(default_factory=dict)
    _begun: float = field(default_factory=time.process_time)
    _told: float = field(default_factory=time.monotonic)
    _known: dict[str, Answer] = field(default_factory=dict)
    _asked: dict[str, list[Question]] = field(default_factory=dict)

    def run_all(self) -> None:
        for test in self.adapter.selftest:
            self._remember(Question(test.quantity, tuple(test.spec), test.argument))
        wanted = [quantity for quantity in self.adapter.guarantee if quantity in (self.settings.quantities or self.adapter.guarantee)]
        with contextlib.suppress(BudgetSpent):
            self.ask_all(wanted)
        self.audit.grid = grid_hash(row.question for row in self.audit.rows)
        with contextlib.suppress(BudgetSpent):
            self.silences()
        self.shrink()

    def ask_all(self, wanted: list[str]) -> None:
        """Draw questions while there is time; each answer is judged, and some have a related question asked after them."""
        schedule = QuestionSchedule(self.settings.grid, self.settings.seed, wanted, self.adapter)
        while self._may_go_on(_ASKING) and (drawn := schedule.next()) is not None:
            kind, question = drawn
            before = self.spent()
            row = self.row(question)
            missed = row.outcome in (AnswerOutcome.UNSUPPORTED, AnswerOutcome.NO_ANSWER, AnswerOutcome.LISTED)
            kind.missed = kind.missed + 1 if missed else 0
            if row.outcome is AnswerOutcome.UNSUPPORTED:
                continue
            self.audit.rows.append(row)
            if self.settings.related and kind.missed == 1 and _is_refusal(row) and question.quantity == "epsilon":
                larger = self.row(replace(question, argument=min(0.5, question.argument * _FARTHER)))
                self.audit.rows.append(larger)
                self.edge(row, larger)
            if self.settings.related and not missed and kind.asked % 2:
                self.relate(row, kind.asked // 2)
            kind.cost += 1 if self.settings.questions is not None else self.spent() - before
            self._tell()

    def silences(self) -> None:
        """Of each quantity and kind of failure the simplest question; one that ran out of time is asked once more while time is left."""
        silent = sorted((row for row in self.audit.rows if row.outcome is AnswerOutcome.NO_ANSWER), key=lambda row: size_of(row.question))
        for row in {(row.question.quantity, row.detail.split(":")[0]): row for row in reversed(silent)}.values():
            left = min(_PATIENCE * self.settings.seconds, self.left() - (1 - _ASKING_AGAIN) * self.settings.budget)
            if row.detail.startswith("time") and left >= 2 * self.settings.seconds:
                again = self.row(row.question, left)
                late = f"{row.detail}, an answer after {again.seconds:.3g} s"
                row = again if again.outcome is AnswerOutcome.NO_ANSWER else replace(row, detail=late)
            self.audit.silences.append(Silence(row, self._lines(row.question)))

    def spent(self) -> float:
        """Processor seconds of the accountant, the certified side and this process since the beginning, without those of their start."""
        return self.audit.peer_seconds + self.audit.truth_seconds + time.process_time() - self._begun

    def left(self) -> float:
        """Processor seconds that are left of the budget; starting counts for at most half of it, so that something is asked."""
        return self.settings.budget - min(self.started, self.settings.budget / 2) - self.spent()

    def _may_go_on(self, share: float) -> bool:
        """Whether processor time is left, and the number of answers is not reached while questions are asked."""
        enough = share < 1 and self.settings.questions is not None and len(self.audit.rows) >= self.settings.questions
        budget = self.left() + self.spent()
        return not enough and self.spent() < share * budget and self.audit.peer_seconds < PEER_SHARE * budget

    def _tell(self) -> None:
        if time.monotonic() - self._told >= _TOLD:
            self._told = time.monotonic()
            unsound = self.audit.count(AnswerOutcome.UNSOUND)
            self.progress(f"{self.adapter.name}: {len(self.audit.rows)} answers, {self.spent():.0f} s, {unsound} unsound")

    def row(self, question: Question, seconds: float = 0.0) -> Judged:
        self._remember(question)
        answer = self.peer.ask(self.adapter.name, question.quantity, list(question.spec), question.argument, seconds, self.left())
        self.audit.peer_seconds += answer.seconds
        row = judged(question, self.adapter.guarantee[question.quantity], self.adapter.relation, answer, self.ask_truth)
        if row.outcome is AnswerOutcome.UNSOUND:
            self.keep(self.adapter.name, row)
            self._show(row)
        return row

    def _show(self, row: Judged) -> None:
        """Tell the first findings of each kind when they are there."""
        question = row.question
        kind = (question.quantity, question.family)
        self._shown[kind] = self._shown.get(kind, 0) + 1
        if self._shown[kind] <= _SHRUNK:
            what = f"{question.quantity} of {list(question.spec)} at {question.argument}"
            returned = f"returned {row.answer}, {row.severity}: {row.detail}"
            self.progress(f"UNSOUND  {self.adapter.name}, {what}: {returned}; certified: {row.certified}")

    def _remember(self, question: Question) -> None:
        """Keep the first questions about each mechanism, nested or flat: an accountant may remember them too."""
        asked = self._asked.setdefault(repr(flat(question.spec)), [])
        if len(asked) < _EARLIER:
            asked.append(question)

    def ask_truth(self, quantity: str, spec: Any, argument: Any) -> Answer:
        key = f"{quantity} {spec} {argument}"
        if key not in self._known:
            self._known[key] = self.certified.ask(truth.Truth.name, quantity, spec, argument, left=self.left())
            self.audit.truth_seconds += self._known[key].seconds
        return self._known[key]

    def relate(self, row: Judged, turn: int) -> None:
        """Ask one related question, by the relations in turn, judge its answer as any other, and compare the two."""
        changed = [(relation, other) for relation in METAMORPHIC_RELATIONS if (other := relation.change(row.question)) is not None]
        if row.question.quantity not in ("epsilon", "delta", "rdp") or " " in row.answer or not changed:
            return
        relation, other = changed[turn % len(changed)]
        found = self.row(other)
        if found.outcome is AnswerOutcome.UNSUPPORTED:
            return
        self.audit.rows.append(found)
        if found.question.argument != row.question.argument:
            self.edge(found, row)
        if found.outcome is AnswerOutcome.NO_ANSWER or " " in found.answer:
            return
        slack = 2 * (self.adapter.guarantee[row.question.quantity].error or 0.0)
        breach = breach_of(relation, row.question, float(row.answer), other, float(found.answer), slack)
        if breach is not None:
            self.audit.breaches.append(breach)

    def edge(self, refused: Judged, answered: Judged) -> None:
        """Where the smaller of two δ is refused with an exception, ask closer and closer to the smallest that is answered."""
        if refused.question.quantity != "epsilon" or not _is_refusal(refused) or answered.outcome is AnswerOutcome.NO_ANSWER:
            return
        for _ in range(_HALVINGS):
            middle = float(f"{math.sqrt(refused.question.argument * answered.question.argument):.2g}")
            row = self.row(replace(answered.question, argument=middle))
            self.audit.rows.append(row)
            refused, answered = (row, answered) if _is_refusal(row) else (refused, row)

    def shrink(self) -> None:
        """Make a few counterexamples of each kind small, and run their reproductions again."""
        keys: set[str] = set()
        for row in _worst(self.audit.rows)[: self.settings.findings]:
            try:
                small = shrunk(row, self.row, _TRIES, lambda: self._may_go_on(1.0))
            except BudgetSpent:
                small = row
            if small.question.key not in keys:
                keys.add(small.question.key)
                worst = row if row.question != small.question else self._worst_of(small.question.quantity)
                self.audit.findings.append(replace(self._finding(small), worst=worst, hints=self._hints(small)))
                self._tell()

    def _worst_of(self, quantity: str) -> Judged:
        """The answer about a quantity that is most on the wrong side."""
        return next(row for row in _worst(self.audit.rows) if row.question.quantity == quantity)

    def _hints(self, row: Judged) -> tuple[str, ...]:
        """What the accountant's answers to changed questions say of the cause, while time is left."""

        def asked(question: Question) -> float | None:
            if not self._may_go_on(1.0):
                return None
            answer = self.peer.ask(self.adapter.name, question.quantity, list(question.spec), question.argument, left=self.left())
            self.audit.peer_seconds += answer.seconds
            return float(answer.value) if isinstance(answer.value, str) else None

        if " " in row.answer or row.question.quantity == "sigma":
            return ()
        try:
            return hints_for(row.question, float(row.answer), asked)
        except BudgetSpent:
            return ()

    def _finding(self, row: Judged) -> Finding:
        """The finding with its lines run again; where they alone do not show it, after an earlier question about the same mechanism."""
        if self.audit.findings and self.left() < self.started:
            return Finding(row, self._lines(row.question), cut="the budget was used up")
        found = self._run_again(row, self._lines(row.question))
        earlier = [one for one in self._asked[repr(flat(row.question.spec))] if one != row.question]
        for first in () if found.reproduced or self.left() < self.started else earlier:
            both = self._run_again(row, merged(self._lines(first), self._lines(row.question)))
            if both.reproduced:
                return both
        return found

    def _run_again(self, row: Judged, text: str) -> Finding:
        folder = Path(self.target.partition(".py:")[0]).absolute().parent if ".py" in self.target else None
        before = _children_seconds()
        printed = printed_by(text, self.settings.python, START_SECONDS + self.settings.seconds, folder) if text else ""
        self.audit.peer_seconds += _children_seconds() - before
        return Finding(row, text, printed)

    def _lines(self, question: Question) -> str:
        return self.peer.show(self.adapter.name, question.quantity, list(question.spec), question.argument)
