"""Asking a worker: one process that is started when needed, ended when a question takes too long, and started again."""

from __future__ import annotations

import contextlib
import json
import math
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpbounds.audit import adapter, worker
from dpbounds.audit.adapter import Description, read_description
from dpbounds.errors import InputError

START_SECONDS = 60.0
"""Importing torch or jax alone can take most of a minute on a slow disk."""
_WALL = 8.0
"""Limits are processor seconds, so that a busy machine changes no outcome; so many times as long on the clock ends whatever it does."""
_ASLEEP = 1.0
"""A process that used no processor time for this long on the clock, or for its limit where that is longer, is asleep for good."""
_POLL = 0.2
_PUBLIC = ("INTERVAL", "LOWER", "UPPER", "Adapter", "Selftest", "estimate")
"""What an adapter file may import from `dpbounds.audit`, in another interpreter too."""


@dataclass(frozen=True)
class Answer:
    """What a worker said, or how it failed.

    Args:
        value: None where the question is not supported, a text that `float` reads, or two of them.
        kind: "" for an answer, else "exception", "memory", "time", "exit" or "missing".
        error: one line.
        seconds: processor time; of a process that was ended or died, all that it had not yet reported.
    """

    value: str | tuple[str, str] | None
    kind: str = ""
    error: str = ""
    seconds: float = 0.0


class BudgetSpent(Exception):
    """Nothing is known of a question: the budget ended while it was worked on."""


@dataclass
class Worker:
    """A process that serves the adapters of a target.

    Args:
        target: module name or file of the adapters.
        python: an interpreter; None for this one.
        seconds: processor seconds that a question may take; a few times as long on the clock.
        memory: limit of the address space in bytes, 0 for none.
    """

    target: str
    python: str | None = None
    seconds: float = 20.0
    memory: int = 0
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    _folder: str | None = field(default=None, repr=False)
    _pending: bytes = field(default=b"", repr=False)
    _reported: float = field(default=0.0, repr=False)
    _lost: float = field(default=0.0, repr=False)

    def ask(self, name: str, quantity: str, spec: Any, argument: Any, seconds: float = 0.0, left: float = math.inf) -> Answer:
        """Ask one question; a process that dies or is late is replaced before the next one.

        Args:
            name, quantity, spec, argument: the question.
            seconds: processor seconds that it may take, where these are more than the limit of the worker.
            left: what is left of a budget: a question that takes longer is no longer waited for.

        Raises:
            BudgetSpent: the question took more than was left, and less than it may take.
        """
        request = {"adapter": name, "quantity": quantity, "spec": spec, "argument": argument}
        whole = max(self.seconds, seconds)
        limit = max(min(whole, left), _POLL)
        reply = self._exchange(request, limit)
        if reply == "time" and limit < whole:
            raise BudgetSpent
        if isinstance(reply, str):
            error = {"time": f"no answer in {limit:.3g} s", "exit": "the process ended"}[reply]
            return Answer(None, reply, error, max(self._lost, limit) if reply == "time" else self._lost)
        seconds = float(reply.get("seconds", 0.0))
        self._reported += seconds
        if "error" in reply:
            return Answer(None, str(reply["kind"]), str(reply["error"]), seconds)
        value = reply["value"]
        return Answer((value[0], value[1]) if isinstance(value, list) else value, "", "", seconds)

    def about(self, name: str) -> dict[str, Any]:
        """Versions of the package and of the interpreter.

        Raises:
            InputError: the worker does not start.
        """
        reply = self._exchange({"about": name}, START_SECONDS)
        if isinstance(reply, str) or "error" in reply:
            reason = reply if isinstance(reply, str) else reply["error"]
            raise InputError(f"the adapter {self.target} does not start ({reason}); check --python and the file")
        return reply

    def describe(self) -> list[Description]:
        """The descriptions of all adapters of the target.

        Raises:
            InputError: the interpreter does not run, or there is no adapter.
        """
        reply = self._exchange({"list": True}, START_SECONDS)
        if isinstance(reply, str) or "error" in reply:
            late = f"it did not load in {START_SECONDS:g} s"
            text = {"time": late, "exit": "the process ended"}[reply] if isinstance(reply, str) else str(reply["error"])
            raise InputError(f"no adapter in {self.target}: {text.removeprefix('ValueError: ')}; see dpbounds audit --list")
        return [read_description(fields) for fields in reply["value"]]

    def show(self, name: str, quantity: str, spec: Any, argument: Any) -> str:
        """The reproduction of a question, "" where the adapter writes none."""
        reply = self._exchange({"adapter": name, "show": True, "quantity": quantity, "spec": spec, "argument": argument}, self.seconds)
        return "" if isinstance(reply, str) or "error" in reply else str(reply["value"])

    def used(self) -> float:
        """Processor seconds of the process that is running now, those of its start included."""
        return 0.0 if self._process is None else _used(self._process.pid)

    def close(self) -> None:
        """End the process and remove what it needed."""
        process, self._process, self._pending = self._process, None, b""
        if process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            self._lost, self._reported = max(0.0, _processor_seconds(process) - self._reported), 0.0
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _exchange(self, request: dict[str, Any], seconds: float) -> dict[str, Any] | str:
        if self._process is None:
            self._start()
            if "adapter" in request:  # so that importing the accountant is not counted as a question
                warm = self._exchange({"about": request["adapter"]}, START_SECONDS)
                if isinstance(warm, str):
                    return warm
        process = self._process
        assert process is not None and process.stdin is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except OSError:
            self.close()
            return "exit"
        line = self._line(seconds)
        if isinstance(line, str):
            self.close()
            return line
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _line(self, seconds: float) -> bytes | str:
        process = self._process
        assert process is not None and process.stdout is not None
        before = last = _used(process.pid)
        start = moved = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._pending:
                if not selector.select(_POLL):
                    used, now = _used(process.pid), time.monotonic()
                    last, moved = (used, now) if used > last else (last, moved)
                    if used - before > seconds or now - start > _WALL * seconds or now - moved > max(_ASLEEP, seconds):
                        return "time"
                    continue
                chunk = os.read(process.stdout.fileno(), 65536)
                if not chunk:
                    return "exit"
                self._pending += chunk
        line, _, self._pending = self._pending.partition(b"\n")
        return line

    def _start(self) -> None:
        environment = dict(os.environ)
        if self.python is None:
            interpreter, folder = sys.executable, _parent_of(worker)
        else:
            interpreter = str(Path(self.python).absolute()) if os.sep in self.python else self.python
            folder = self._folder = _skeleton(self.target)
        environment["PYTHONPATH"] = folder
        path, colon, kind = self.target.partition(".py:")
        target = f"{Path(path + '.py').absolute()}{colon[3:]}{kind}" if colon else self.target
        target = str(Path(target).absolute()) if target.endswith(".py") else target
        words = [interpreter, "-W", "ignore", "-m", worker.__name__, target, str(self.memory)]
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                cwd=self._folder,
                start_new_session=True,
            )
        except OSError as error:
            raise InputError(f"--python {interpreter} cannot be run: {error.strerror}") from None


def _processor_seconds(process: subprocess.Popen[bytes]) -> float:
    """Wait for the end of a process; the processor time of its whole life."""
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except ChildProcessError:  # somebody else has waited for it
        process.wait()
        return 0.0
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def _used(pid: int) -> float:
    """Processor seconds of a running process, 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _parent_of(module: Any) -> str:
    return str(Path(module.__file__).resolve().parents[module.__name__.count(".")])


def _skeleton(target: str) -> str:
    """A folder with the few modules that the other interpreter needs, under their own names and with empty packages around them."""
    folder = Path(tempfile.mkdtemp(prefix="dpbounds-audit-"))
    root = Path(_parent_of(worker))
    names = [adapter.__name__, worker.__name__]
    if not target.endswith(".py") and ".py:" not in target:
        names.append(target)
    for name in names:
        inside = Path(*name.split(".")).with_suffix(".py")
        (folder / inside).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / inside, folder / inside)
        for package in list(inside.parents)[:-1]:
            (folder / package / "__init__.py").touch()
    public = ", ".join(_PUBLIC)
    (folder / "dpbounds" / "audit" / "__init__.py").write_text(f"from {adapter.__name__} import {public}\n")
    return str(folder)
