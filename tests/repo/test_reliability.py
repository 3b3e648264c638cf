"""Rough treatment: kills at random moments, full disks, shared and foreign folders, bad input. Figures: `-m slow`, `-s` prints them."""

import builtins
import errno
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from dpbounds.claims import run
from dpbounds.claims.evidence import certificate
from dpbounds.cli import COMMANDS, cli, main
from dpbounds.errors import CertificateError

FILE = """from dpbounds.notation import *
x, y = real("x"), real("y")
square = [x >= -2, x <= 2, y >= -2, y <= 2]
ring = x**2 + y**2 - 1
easy = [claim(f"Part {k}.", [x >= 0, x <= k], x * (k - x) <= Rational(k**2, 3), Boxes()) for k in range(1, 9)]
tight = claim("Many boxes.", square, x * ring / 50 - ring**2 <= Rational(1, 1000), Boxes(budget=3000))
"""
SLOW_50 = [3, pytest.param(50, marks=pytest.mark.slow)]
BAD = [
    "", " ", "abc", "nan", "1/0", "-1/", "0x10", "1e", "--", "1,5", "\u00bd", "\x1b[31m", "x" * 5000, "[1]", "{}", "1;2",
    "__import__('os')", "\n",
]  # fmt: skip
"""Words that are no number, no name and no file."""


@pytest.fixture
def claims(tmp_path):
    file = tmp_path / "claims.py"
    file.write_text(FILE)
    return file


def start(root, *words):
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, "-m", "dpbounds", *words], cwd=root, start_new_session=True, **quiet)


def alive(group):
    """Whether a process of a group is left that is not dead."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    states = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], capture_output=True, text=True, check=True).stdout.split("\n")
    return any(line.split()[0] == str(group) and "Z" not in line.split()[1] for line in states if line.strip())


def whole(folder):
    """The certificates of a folder, each read and its digest checked."""
    return {path.name: certificate.read(path)["digest"] for path in folder.glob("*.json") if not path.name.startswith("_")}


@pytest.mark.parametrize("kills", SLOW_50)
def test_check_is_killed_at_random_moments(root, tmp_path, claims, kills):
    """No finished certificate is lost or torn, no process is left after five seconds, and the next run is right."""
    folder, moments = tmp_path / "c", random.Random(kills)
    words = ("check", str(claims), "--workers", "2", "--certificates", str(folder))
    begun = time.monotonic()
    assert start(root, *words).wait(300) == 0
    usual, right = time.monotonic() - begun, whole(folder)
    for path in folder.iterdir():
        path.unlink()
    for _ in range(kills):
        before = whole(folder)
        process = start(root, *words)
        time.sleep(moments.uniform(0.2, 1.0) * usual)
        process.send_signal(signal.SIGKILL)
        process.wait()
        limit = time.monotonic() + 5
        while alive(process.pid) and time.monotonic() < limit:
            time.sleep(0.05)
        assert not alive(process.pid)
        found = whole(folder)
        assert before.items() <= found.items() <= right.items()
    assert start(root, *words).wait(300) == 0
    assert whole(folder) == right and not [p.name for p in folder.iterdir() if p.suffix == ".journal"]


def marked(mark):
    """The processes that have a mark in their environment; dead ones show none."""
    shown = subprocess.run(["ps", "axeww", "-o", "pid=,command="], capture_output=True, encoding="utf-8", errors="replace", check=True)
    return [line for line in shown.stdout.split("\n") if mark in line]


@pytest.mark.parametrize("kills", [1, *SLOW_50[1:]])
def test_audit_is_killed_at_random_moments(root, kills):
    """The accountant and the certified side are processes of their own: none is left after five seconds."""
    moments, most = random.Random(kills), 0
    for k in range(kills):
        mark = f"DPBOUNDS_TEST={os.getpid()}-{k}"
        name, _, value = mark.partition("=")
        words = ("audit", "dpbounds", "--only", "dpbounds.float64", "--budget", "60", "--json")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen([sys.executable, "-m", "dpbounds", *words], cwd=root, env=os.environ | {name: value}, **quiet)
        limit = time.monotonic() + 60
        while k == 0 and len(marked(mark)) < 2 and time.monotonic() < limit:
            time.sleep(0.05)
        time.sleep(moments.uniform(0.5, 6.0))
        most = max(most, len(marked(mark)))
        process.send_signal(signal.SIGKILL)
        process.wait()
        limit = time.monotonic() + 5
        while marked(mark) and time.monotonic() < limit:
            time.sleep(0.05)
        assert not marked(mark)
    assert most >= 2


def test_two_runs_on_one_folder(root, tmp_path, claims):
    words = ("check", str(claims), "--workers", "1", "--certificates", str(tmp_path / "c"))
    both = [start(root, *words) for _ in range(2)]
    assert [process.wait(300) for process in both] == [0, 0]
    assert len(whole(tmp_path / "c")) == 9
    assert start(root, "check", str(claims), "--replay", "--workers", "1", "--certificates", str(tmp_path / "c")).wait(300) == 0


def test_a_full_disk_is_one_line(tmp_path, monkeypatch, capsys, claims):
    def full(self, *_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))

    monkeypatch.setattr(Path, "write_text", full)
    for words in (
        ["check", str(claims), "--workers", "1", "--certificates", str(tmp_path / "c")],
        ["report", str(claims), "--workers", "1"],
    ):
        assert main(words) == 2
        said = capsys.readouterr().err.strip().split("\n")[-1]
        assert "No space left on device" in said and "a bug" not in said


@pytest.mark.parametrize("old", [None, "old"])
def test_a_full_disk_leaves_no_part_of_a_certificate(tmp_path, monkeypatch, capsys, old):
    """The disk is full after the first bytes: what stood there stays, and nothing new."""
    plain, target = Path.open, tmp_path / "c.json"
    if old is not None:
        target.write_text(old)

    class Full:
        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def write(self, data):
            self.file.write(data[:10])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def open_on_full_disk(path, mode="r", *rest, **named):
        file = plain(path, mode, *rest, **named)
        return Full(file) if "w" in mode and path.parent == tmp_path else file

    monkeypatch.setattr(Path, "open", open_on_full_disk)
    assert main(["delta", "--sigma", "1", "--epsilon", "1", "--certificate", str(target)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "No space left on device" in said and "choose another file" in said
    assert [path.read_text() for path in tmp_path.iterdir()] == ([] if old is None else [old])


def test_a_read_only_folder(tmp_path, monkeypatch, capsys, claims):
    """What needs no file works, what needs one says so in one line, and files elsewhere are written."""
    elsewhere = tmp_path.parent / f"{tmp_path.name}-elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)

    def unless_inside(function, writes):
        def guarded(path, *rest, **named):
            if writes(*rest, **named) and isinstance(path, (str, Path)) and Path(path).resolve().is_relative_to(tmp_path):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
            return function(path, *rest, **named)

        return guarded

    for module in (io, builtins):
        monkeypatch.setattr(module, "open", unless_inside(module.open, lambda mode="r", *_, **__: set(mode) & set("wax+")))
    monkeypatch.setattr(os, "open", unless_inside(os.open, lambda flags, *_, **__: flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)))
    monkeypatch.setattr(os, "mkdir", unless_inside(os.mkdir, lambda *_, **__: True))
    folder = ["--certificates", str(elsewhere / "c")]
    assert main(["delta", "--sigma", "2", "--epsilon", "1"]) == 0
    assert main(["check", str(claims), "--workers", "1", *folder]) == 0
    assert main(["check", str(claims), "--workers", "1", "--replay", *folder]) == 0
    assert main(["report", str(claims), "--workers", "1", *folder, "-o", str(elsewhere / "page.html")]) == 0
    capsys.readouterr()
    for words in (
        ["check", str(claims), "--workers", "1"],
        ["report", str(claims), "--workers", "1"],
        ["report", str(claims), "--workers", "1", *folder],
        ["delta", "--sigma", "2", "--epsilon", "1", "--certificate", "delta.json"],
        ["audit", "dpbounds", "--only", "dpbounds.float64", "--questions", "1", "--html", "page.html"],
    ):
        assert main(words) == 2, words
        said = capsys.readouterr().err.strip().split("\n")[-1]
        assert "Read-only file system" in said and "a bug" not in said, words


def test_a_certificate_of_another_version_is_refused_by_name(tmp_path, claims):
    folder = tmp_path / "c"
    run.check([claims], run.Options(certificates=folder, only=("easy-1",)))
    (file,) = folder.glob("easy-1.json")
    document = json.loads(file.read_text())
    document["schema"] = "dpbounds-certificate/99"
    document["digest"] = certificate.digest_of(document)
    file.write_text(json.dumps(document))
    with pytest.raises(CertificateError, match="not a certificate of schema"):
        certificate.read(file)
    (row,) = run.check([claims], run.Options(certificates=folder, only=("easy-1",)))  # made again
    assert row.as_expected and certificate.read(file)["schema"] == certificate.SCHEMA


def bad_words(chosen):
    """A command line with something in it that no command can use."""
    name = chosen.choice(list(COMMANDS))
    command = cli.get_command(click.Context(cli), name)
    options = [part for part in command.params if isinstance(part, click.Option) and not part.is_flag and not part.multiple]
    how = chosen.randrange(4)
    if how == 0 or (how == 3 and not options):
        return [name, "--" + chosen.choice(["nothing", "sigmaa", "x" * 300, "é", "=", "sigma-"])]
    if how == 1:
        return [name, chosen.choice(["/nowhere/at/all", "no-such-file.py", "\x00", "no such name"]), "--limit-that-is-none"]
    if how == 2:
        return [chosen.choice(["chek", "Delta", "", "x" * 1000, "-x", "δ"]), *chosen.choices(BAD, k=2)]
    option = chosen.choice(options)
    words = [name, option.opts[0]]
    if name in ("delta", "epsilon", "rdp", "tradeoff", "pmf"):
        number = {"delta": "--epsilon", "epsilon": "--delta", "rdp": "--alpha"}.get(name, "--sigma")
        return [name, chosen.choice(["--sigma", "--q", "--steps", number]), chosen.choice(BAD)]
    return [*words]  # its value is missing


@pytest.mark.parametrize("count", [150, pytest.param(10_000, marks=pytest.mark.slow)])
def test_bad_input_in_process(count, capsys):
    """Every command: exit code 2, one line, under a second of processor time."""
    chosen, slowest = random.Random(7), 0.0
    main(["check", "/nowhere"])  # what is imported once is not the input's
    capsys.readouterr()
    for _ in range(count):
        words = bad_words(chosen)
        cli.get_command(click.Context(cli), words[0]) if words[0] in COMMANDS else None
        begun = time.process_time()
        code = main(words)
        slowest = max(slowest, took := time.process_time() - begun)
        out, err = capsys.readouterr()
        assert (code, out, err.count("\n")) == (2, "", 1), (words, code, out[:200], err[:300])
        assert took < 1, (words, took)
    print(f"{count} bad command lines, the slowest {slowest:.2f} s of processor time")


@pytest.mark.parametrize("count", [4, pytest.param(200, marks=pytest.mark.slow)])
def test_bad_input_as_whole_processes(root, count):
    chosen = random.Random(8)
    for _ in range(count):
        words = [word for word in bad_words(chosen) if "\x00" not in word]
        done = subprocess.run([sys.executable, "-m", "dpbounds", *words], cwd=root, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), (words, done.stderr[:300])
