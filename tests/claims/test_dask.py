"""Covers on dask.distributed, where it is installed: the same certificate, also when a worker is killed, and little is lost."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import cloudpickle
import distributed
import pytest
from sympy import Rational

from dpbounds import Boxes, Claim, settle
from dpbounds.language.symbols import real
from dpbounds.reference.sweep import Answers, sweep

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers cannot import a test

x, y = real("x y")
SQUARE = [x >= -2, x <= 2, y >= -2, y <= 2]
MADE = Claim(
    id="c", text="", given=SQUARE, then=x * (x**2 + y**2 - 1) / 50 - (x**2 + y**2 - 1) ** 2 <= Rational(1, 1000), by=Boxes(budget=3000)
)


class Noting:
    """Hands work on to another executor; whoever does it notes begin and end of each job in a file."""

    def __init__(self, executor, notes):
        self.executor, self.notes, self.given = executor, notes, 0

    def submit(self, work, /, *args):
        self.given += 1
        return self.executor.submit(_noted, str(self.notes), self.given, work, *args)


def _noted(notes, number, work, *args):
    _note(notes, f"begin {number} {os.getpid()}")
    found = work(*args)
    _note(notes, f"end {number} {os.getpid()}")
    return found


def _note(notes, line):
    with open(notes, "a") as file:
        file.write(line + "\n")


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_certificates_are_the_same_and_a_killed_worker_costs_less_than_a_chunk(client, tmp_path):
    alone = settle(MADE)
    with client.get_executor() as executor:
        assert settle(MADE, executor=executor).certificate == alone.certificate
        notes = tmp_path / "notes"
        noting, killed = Noting(executor, notes), []

        def kill():
            while not killed:
                lines = notes.read_text().splitlines() if notes.exists() else []
                if sum(line.startswith("end") for line in lines) >= 3 and lines[-1].startswith("begin"):
                    killed.append(int(lines[-1].split()[2]))
                    os.kill(killed[0], signal.SIGKILL)
                time.sleep(0.001)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        together = settle(MADE, executor=noting)
        killer.join(5)
    assert together.certificate == alone.certificate
    words = [line.split() for line in notes.read_text().splitlines()]
    ended = [number for kind, number, _ in words if kind == "end"]
    assert killed and set(ended) == {str(number) for number in range(1, noting.given + 1)}
    begun_twice = sum(kind == "begin" for kind, _, _ in words) - noting.given
    assert begun_twice <= 2  # the chunk at work, and one whose result was on its way


def test_a_sweep_takes_dask(client, tmp_path):
    asked = [str(n) for n in range(20)]
    with client.get_executor() as executor:
        assert dict(sweep(asked, len, Answers(Path(tmp_path)), executor=executor)) == {text: len(text) for text in asked}
