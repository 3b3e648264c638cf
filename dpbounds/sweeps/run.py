"""A table of questions to a table of answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, ProcessPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from dpbounds.errors import DPBoundsError, InputError
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least_one
from dpbounds.sweeps.answer import DIGITS, Near, SweepAnswer, certified_row, float64_answers, float64_ends, require_method
from dpbounds.sweeps.journal import SweepJournal, address_of
from dpbounds.sweeps.question import SweepQuestion, read_row
from dpbounds.sweeps.tables import Row, rows_of, table_text

_AT_ONCE = 2000
"""Rows of one float64 batch: the journal has them when it is done."""
_HINT_DIGITS = 2
"""Digits of the float64 bounds that certified rows start from, beyond those asked for."""
_WAITING = 4
"""Rows for each worker that wait in its queue."""
MAX_DIGITS = 10_000
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Sweep:
    """The table of answers, in the order of the rows.

    Attributes:
        questions: the rows as they were given.
        answers: for each row quantity, lower, upper, route, method, note and error.
    """

    questions: tuple[Row, ...]
    answers: tuple[dict[str, str], ...]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Columns of the questions, then of the answers; an answer has the name of its column after `answer-` where both have one."""
        taken = {name for row in self.questions for name in row}
        return [
            dict(row) | {(f"answer-{name}" if name in taken else name): value for name, value in answer.items()}
            for row, answer in zip(self.questions, self.answers, strict=True)
        ]

    @property
    def failed(self) -> int:
        """How many rows have no bounds."""
        return sum(1 for answer in self.answers if answer["error"])

    def text(self, path: str | Path) -> str:
        """The table as text, of the kind that the name of a file says."""
        return table_text(self.rows, path)

    def columns(self) -> dict[str, list[Any]]:
        """Column by column: what a frame of pandas or polars is made from."""
        rows = self.rows
        return {name: [row.get(name) for row in rows] for name in dict.fromkeys(name for row in rows for name in row)}


def sweep(
    rows: Any,
    *,
    method: str = "auto",
    digits: int = DIGITS,
    workers: int = 1,
    executor: Executor | None = None,
    journal: str | Path | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Bounds for every row of a table.

    A row has the columns of the command line: a noise (`sigma`, …), `q` and `steps` or `records`, `batch` and `epochs`, the other
    columns of a specification or a `spec`, one of `delta`, `epsilon` and `alpha`, and, where they are not the default, `relation`,
    `direction`, `guarantee` and `digits`.

    Args:
        rows: a list of mappings, or a frame of pandas or polars.
        method: "certified"; "float64", two-sided bounds under a model of rounding; or "auto": float64 where that has the digits, certified
            values for the other rows.
        digits: significant digits D of a row that does not ask for its own: upper − lower ≤ 10^{1−D}·upper. With "float64" a row has what
            it has, and says so where it is relatively wider than 1e-3.
        workers: processes for certified rows; 1 answers them here.
        executor: instead of processes of its own: any executor of `concurrent.futures`, or one of dask.
        journal: a file that keeps each answer as soon as it is there; a sweep with the same journal goes on where it was.
        progress: is told how many rows are done, and of how many.

    Returns:
        The answers. A row that cannot be answered has the reason in `error`; no row stops the others.

    Raises:
        InputError: rows that are no table, a bad method, or a journal that cannot be written.

    >>> found = sweep([{"sigma": "1.5", "q": "0.01", "steps": steps, "delta": "1e-6"} for steps in (1000, 10000)], method="certified")
    >>> [answer["lower"] for answer in found.answers]
    ['1.059750105', '3.584352852']
    """
    require_method(method)
    if not 1 <= exact.integer(digits, "digits") <= MAX_DIGITS:
        raise InputError(f"digits must be between 1 and {MAX_DIGITS}, got {digits}")
    at_least_one(workers, "workers")
    given = tuple(rows_of(rows))
    addresses = [address_of(row, method, digits) for row in given]
    kept = None if journal is None else SweepJournal(Path(journal))
    known: dict[str, dict[str, str]] = {} if kept is None else dict(kept.known)
    waiting = {address: row for address, row in zip(addresses, given, strict=True) if address not in known}
    done = len(known.keys() & set(addresses))
    try:
        for address, answer in _answered(waiting, method, digits, workers, executor):
            known[address] = answer
            if kept is not None:
                kept.keep(address, answer)
            done += 1
            if progress is not None:
                progress(done, done + len(waiting) - sum(1 for each in waiting if each in known))
    finally:
        if kept is not None:
            kept.close(remove=False)
    return Sweep(given, tuple(known[address] for address in addresses))


def _answered(
    waiting: Mapping[str, Row], method: str, digits: int, workers: int, executor: Executor | None
) -> Iterator[tuple[str, dict[str, str]]]:
    """The answers as they are found, float64 ones first."""
    exactly: dict[str, tuple[Row, Near]] = {}
    places = list(waiting)
    for start in range(0, len(places), _AT_ONCE):
        questions: dict[str, SweepQuestion] = {}
        for address in places[start : start + _AT_ONCE]:
            try:
                questions[address] = read_row(waiting[address])
            except DPBoundsError as error:
                yield address, SweepAnswer(error=f"{type(error).__name__}: {error}").row()
        asked = list(questions.values())
        ends = float64_ends(asked, digits + (_HINT_DIGITS if method == "certified" else 0))
        found = [None] * len(asked) if method == "certified" else float64_answers(asked, ends, digits, insist=method == "float64")
        for address, answer, near in zip(questions, found, ends, strict=True):
            if answer is None:
                exactly[address] = waiting[address], near
            else:
                yield address, answer.row()
    yield from _certified(exactly, digits, workers, executor)


def _certified(
    rows: Mapping[str, tuple[Row, Near]], digits: int, workers: int, executor: Executor | None
) -> Iterator[tuple[str, dict[str, str]]]:
    if executor is None and workers == 1:
        for address, (row, near) in rows.items():
            yield address, certified_row(row, digits, near)
        return
    with ExitStack() as stack:
        if executor is None:
            executor = stack.enter_context(ProcessPoolExecutor(workers, mp_context=get_context("spawn")))
        left, jobs = iter(rows.items()), dict[Any, str]()
        while True:
            for address, (row, near) in left:
                jobs[executor.submit(certified_row, _portable(row), digits, near)] = address
                if len(jobs) >= _WAITING * max(workers, 16):
                    break
            if not jobs:
                return
            ready, _ = wait(jobs, return_when=FIRST_COMPLETED)
            for job in ready:
                yield jobs.pop(job), job.result()


def _portable(row: Row) -> dict[str, Any]:
    """A row that another process can be given."""
    return {str(key): value if isinstance(value, (int, float, str, type(None))) else _text(value) for key, value in row.items()}


def _text(value: Any) -> str:
    return json.dumps(value, default=str) if isinstance(value, (dict, list)) else str(value)
