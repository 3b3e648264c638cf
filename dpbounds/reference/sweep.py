"""Answer many independent questions so that nothing is lost: each answer is a file of its own, found again by what was asked.

An answer goes to FOLDER/<sha256 of what was asked>.json, whole or not at all. A run that was stopped, however it was stopped, goes
on where it was. Runs may share a folder; the worst that happens is that two of them find the same answer. `Shard(i, n)` is the i-th
of n parts of a sweep: an array of jobs needs nothing but its own number.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpbounds.errors import InputError
from dpbounds.files import write_whole


@dataclass(frozen=True)
class Shard:
    """One of several parts of a sweep; the part of a question depends on its text alone.

    Attributes:
        index: which part, from 1.
        count: how many parts there are.

    >>> [Shard.read(f"{i}/3").has("a question") for i in (1, 2, 3)].count(True)
    1
    """

    index: int = 1
    count: int = 1

    @classmethod
    def read(cls, text: str) -> Shard:
        """The shard that i/n names.

        Raises:
            InputError: no two whole numbers with 1 <= i <= n.
        """
        found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
        index, count = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= index <= count:
            raise InputError(f"a shard is i/n with 1 <= i <= n, as in 3/8, got {text!r}")
        return cls(index, count)

    def has(self, asked: str) -> bool:
        """Whether a question belongs to this part."""
        return int(_address(asked), 16) % self.count == self.index - 1


@dataclass(frozen=True)
class Answers:
    """A folder of answers.

    Attributes:
        folder: where they lie; it is made when it is missing.
    """

    folder: Path

    def known(self, asked: str) -> tuple[bool, Any]:
        """Whether there is an answer, and the answer. A file that is torn or about something else is none."""
        try:
            found = json.loads(self._path(asked).read_text(encoding="utf-8"))
            return (True, found["answer"]) if found["asked"] == asked else (False, None)
        except (OSError, ValueError, KeyError, TypeError):
            return False, None

    def keep(self, asked: str, answer: Any) -> None:
        """Write an answer, whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self._path(asked), json.dumps({"asked": asked, "answer": answer}, ensure_ascii=False, sort_keys=True))

    def _path(self, asked: str) -> Path:
        return self.folder / f"{_address(asked)}.json"


def sweep(
    asked: Iterable[str], work: Callable[[str], Any], answers: Answers, *, executor: Executor | None = None, at_once: int = 64
) -> Iterator[tuple[str, Any]]:
    """Answer each question that has no answer yet, and keep each answer as soon as it is there.

    Args:
        asked: questions as text; everything that the answer depends on is in it.
        work: a question to its answer, something that JSON can hold. With an executor of processes it must be a function of a module.
        answers: where answers are kept.
        executor: any executor of `concurrent.futures`, or another with its interface; without one, the work is done here.
        at_once: how many questions an executor is handed at once.

    Yields:
        What was asked and its answer, those that were known first within each batch.
    """
    waiting: list[str] = []
    for question in dict.fromkeys(asked):
        known, answer = answers.known(question)
        if known:
            yield question, answer
        elif executor is None:
            answer = work(question)
            answers.keep(question, answer)
            yield question, answer
        else:
            waiting.append(question)
    for start in range(0, len(waiting), at_once):
        jobs = {executor.submit(work, question): question for question in waiting[start : start + at_once]}  # type: ignore[union-attr]
        try:
            for job in as_completed(jobs):
                answer = job.result()
                answers.keep(jobs[job], answer)
                yield jobs[job], answer
        finally:
            for job in jobs:
                job.cancel()


def _address(asked: str) -> str:
    return hashlib.sha256(asked.encode()).hexdigest()
