"""Accountants in this process, for tests of which another process is not the subject, and one process of the certified side for all."""

import contextlib
import functools
import io
import itertools
import json
import time

import pytest

from dpbounds.audit import run, schedule, worker
from dpbounds.audit.adapter import description_of
from dpbounds.audit.grids import questions_of
from dpbounds.audit.process import Answer
from dpbounds.audit.run import Settings, truth_worker


class Inside:
    """What `Worker` offers, by the code that answers in a worker, without a process and without limits."""

    def __init__(self, target, *_):
        self._adapters = {adapter.name: adapter for adapter in worker.load(target)}

    def _found(self, **request):
        return worker._found(self._adapters, json.loads(json.dumps(request)))

    def ask(self, name, quantity, spec, argument, seconds=0.0, left=0.0):
        before = time.process_time()
        try:
            value, kind, error = self._found(adapter=name, quantity=quantity, spec=spec, argument=argument)["value"], "", ""
        except Exception as failure:
            value, kind, error = None, "exception", f"{type(failure).__name__}: {failure}"
        return Answer(tuple(value) if isinstance(value, list) else value, kind, error, time.process_time() - before)

    def about(self, name):
        return self._found(about=name)

    def show(self, name, quantity, spec, argument):
        return self._found(adapter=name, show=True, quantity=quantity, spec=spec, argument=argument)["value"]

    def describe(self):
        return [description_of(adapter) for adapter in self._adapters.values()]

    def used(self):
        return 1e-3

    def close(self):
        pass


def printed_inside(text, *_):
    """What the lines print when they are run here."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(text, {})
    return out.getvalue().strip()


@functools.cache
def first_questions(grid, seed):
    return tuple(itertools.islice(questions_of(grid, seed), 1000))


@pytest.fixture(scope="session")
def certified():
    """One process of the certified side, which gives up soon and stays open."""
    shared = truth_worker(Settings(truth_seconds=0.4))
    yield shared
    shared.close()


@pytest.fixture(autouse=True)
def drawn_once(monkeypatch):
    """The same questions, drawn once for each grid and seed."""
    monkeypatch.setattr(schedule, "questions_of", lambda grid, seed: iter(first_questions(grid, seed)))


@pytest.fixture
def inside(monkeypatch):
    """Adapters and reproductions run in this process."""
    monkeypatch.setattr(run, "Worker", Inside)
    monkeypatch.setattr(run, "printed_by", printed_inside)
