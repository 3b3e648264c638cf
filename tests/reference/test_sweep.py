"""Sweeps: nothing is asked twice, nothing found is lost, shards are a partition, a torn answer is none."""

import json
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from dpbounds.errors import InputError
from dpbounds.reference import generate
from dpbounds.reference.sweep import Answers, Shard, sweep

ASKED = [f"question {n}" for n in range(30)]


def test_what_is_known_is_not_asked_again(tmp_path):
    done, answers = [], Answers(tmp_path / "a")

    def work(asked):
        done.append(asked)
        return len(asked)

    first = dict(sweep(ASKED[:20] + ASKED[:3], work, answers))
    assert (done, first["question 7"]) == (ASKED[:20], 10)
    with ThreadPoolExecutor(3) as pool:
        assert dict(sweep(ASKED, work, answers, executor=pool, at_once=4)) == {asked: len(asked) for asked in ASKED}
    assert sorted(done) == sorted(ASKED)


def test_the_same_files_whoever_works(tmp_path):
    with ThreadPoolExecutor(3) as pool:
        for name, executor in (("alone", None), ("pool", pool)):
            list(sweep(ASKED, str.upper, Answers(tmp_path / name), executor=executor))
    contents = [{file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("alone", "pool")]
    assert contents[0] == contents[1] and len(contents[0]) == len(ASKED)


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"asked": "another", "answer": 1}', '{"asked": "question 1"}', "\ud800"])
def test_a_torn_answer_is_none(tmp_path, text):
    answers = Answers(tmp_path)
    answers.keep("question 1", 3)
    (file,) = tmp_path.iterdir()
    file.write_bytes(text.encode(errors="surrogatepass"))
    assert answers.known("question 1") == (False, None)
    assert dict(sweep(["question 1"], len, answers)) == {"question 1": 10} and answers.known("question 1") == (True, 10)


def test_an_error_keeps_the_answers_before_it(tmp_path):
    def work(asked):
        if asked == "question 5":
            raise OSError("no space left on device")
        return asked

    with pytest.raises(OSError, match="no space"):
        list(sweep(ASKED, work, Answers(tmp_path)))
    assert len(list(tmp_path.iterdir())) == 5


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_shards_are_a_partition(count):
    parts = [{asked for asked in ASKED if Shard.read(f"{index}/{count}").has(asked)} for index in range(1, count + 1)]
    assert sorted(asked for part in parts for asked in part) == sorted(ASKED)
    assert all(parts)


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/0", "-1/3", "a/b", "1/3/5", "1.0/2", "", "1 /2", "１/2"])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(InputError, match="1 <= i <= n"):
        Shard.read(text)


def test_shards_together_make_the_table(tmp_path, monkeypatch):
    quick = [question for question in generate.all_questions() if question.quantity == "delta" and not question.near][:6]
    monkeypatch.setattr(generate, "all_questions", lambda: iter(quick))
    shared, alone = str(tmp_path / "shared"), str(tmp_path / "alone")
    for shard in ("2/2", "1/2"):
        assert generate.main(["--answers", shared, "--shard", shard]) == 0
    assert generate.main([str(tmp_path / "1.csv.gz"), "--answers", shared]) == 0
    assert generate.main([str(tmp_path / "2.csv.gz"), "--answers", alone]) == 0
    assert (tmp_path / "1.csv.gz").read_bytes() == (tmp_path / "2.csv.gz").read_bytes()
    assert sorted(file.name for file in (tmp_path / "shared").iterdir()) == sorted(file.name for file in (tmp_path / "alone").iterdir())


SLEEPY = """
import sys, time
from pathlib import Path
from dpbounds.reference.sweep import Answers, sweep
for _ in sweep(map(str, range(10_000)), lambda asked: time.sleep(0.001) or asked * 3000, Answers(Path(sys.argv[1]))):
    pass
"""


@pytest.mark.parametrize("kills", [5, pytest.param(50, marks=pytest.mark.slow)])
def test_a_killed_sweep_loses_nothing(tmp_path, kills):
    """SIGKILL at random moments: each answer is whole, each run goes on where the one before it was, no process is left."""
    moments, folder, before = random.Random(20), tmp_path / "answers", 0
    for _ in range(kills):
        process = subprocess.Popen([sys.executable, "-c", SLEEPY, str(folder)])
        deadline = time.monotonic() + 60
        while len(list(folder.glob("*.json"))) <= before and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.01)
        time.sleep(moments.uniform(0, 0.1))
        process.send_signal(signal.SIGKILL)
        assert process.wait(5) == -signal.SIGKILL
        files = list(folder.glob("*.json"))
        for file in files:
            document = json.loads(file.read_text())
            assert document["answer"] == document["asked"] * 3000
        assert len(files) > before
        before = len(files)
