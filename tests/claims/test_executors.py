"""Boxes handed to executors, and searches that resume: the certificate is the same whoever judges, and a journal is believed in nothing."""

import json
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from multiprocessing import get_context
from threading import Event
from time import sleep

import pytest
from sympy import Eq, Max, Rational, exp, expand, log, pi, sin

from dpbounds import Boxes, Claim, OrderRange, Verdict, settle
from dpbounds.claims import run
from dpbounds.claims.boxes.certify import cover
from dpbounds.claims.boxes.gap import Gap
from dpbounds.claims.boxes.journal import CoverJournal
from dpbounds.claims.boxes.judge import BoxProblem, abandon
from dpbounds.claims.boxes.tree import Node, preorder, resumed
from dpbounds.claims.collect import collect
from dpbounds.claims.evidence.replay import replay
from dpbounds.language.functions import SampledGaussianRenyi
from dpbounds.language.symbols import integer, nonnegative, positive, real
from dpbounds.numbers import balls

x, y, z = real("x y z")
q, s, alpha, n = nonnegative("q"), positive("s"), positive("alpha"), integer("n")
third = Rational(1, 3)
SQUARE = [x >= -2, x <= 2, y >= -2, y <= 2]


class Backwards(Executor):
    """Runs what it is given when the first result is asked for, the last job first."""

    def __init__(self):
        self.jobs, self.given = [], 0

    def submit(self, work, /, *args, **kwargs):
        job = Later(self)
        self.jobs.append((job, work, args))
        self.given += 1
        return job

    def run(self):
        while self.jobs:
            job, work, args = self.jobs.pop()
            if job.set_running_or_notify_cancel():
                job.set_result(work(*args))


class Later(Future):
    def __init__(self, owner):
        super().__init__()
        self.owner = owner

    def result(self, timeout=None):
        self.owner.run()
        return super().result(timeout)


def claim(then, *given, budget=3000, **changes):
    return Claim(id="c", text="", given=given, then=then, by=Boxes(budget=budget), **changes)


BOWL = (exp(x) - 1 - x) * (1 + y**2) + (y**2 - x**2) ** 2
RING = (x**2 + y**2 - 1) ** 2
FLAT = exp(x - third) - x - 2 * third
CLAIMS = {
    "slopes": claim(x * (x**2 + y**2 - 1) / 50 - RING <= Rational(1, 1000), *SQUARE),
    "a tie inside": claim(
        expand((x - third) ** 2) * exp(y) + expand((y - third) ** 2) * exp(x) >= expand((x - third) * (y - third)) / 20, *SQUARE
    ),
    "a tie on a line": claim(FLAT + expand((y - third) ** 2) * (1 + x**2) + ((x - 1) ** 2 + y**2 - 1) ** 2 * FLAT.subs(x, y) >= 0, *SQUARE),
    "cases": claim(Max(BOWL, x - 1) >= -Rational(1, 1000), *SQUARE),
    "a premise": claim(x * y * z <= third**3, Eq(x + y + z, 1), x >= 0, y >= 0, z >= 0),
    "integers": claim((n - 7) ** 2 + (x - 1) ** 2 * n >= x * exp(n / 10) / 1000 - Rational(1, 100), n >= 0, n <= 40, x >= 0, x <= 3),
    "false": claim(exp(x) / 1000 <= RING, *SQUARE),
    "too hard": claim(exp(x - pi / 10) * (1 + y**2) >= (1 + x - pi / 10) * (1 + y**2), *SQUARE, budget=400),
}
SHARED = {"slopes", "a tie on a line", "cases", "false", "too hard"}
"""Claims with levels of more than one chunk."""


def facts_of(found):
    """Everything that a cover says."""
    return dict(vars(found))


@pytest.mark.parametrize("name", CLAIMS)
def test_the_cover_does_not_depend_on_who_judges(name):
    alone = cover(CLAIMS[name], CLAIMS[name].by)
    backwards = Backwards()
    assert facts_of(cover(CLAIMS[name], CLAIMS[name].by, executor=backwards)) == facts_of(alone)
    assert (backwards.given > 0) is (name in SHARED)
    with ThreadPoolExecutor(3) as pool:
        assert facts_of(cover(CLAIMS[name], CLAIMS[name].by, executor=pool)) == facts_of(alone)


def test_processes_find_the_same_certificates():
    ranges = Claim(
        id="range",
        text="",
        given=[s >= 2, alpha > 1, alpha <= s**2 * log(1 / (positive("r") * s)) + 1, positive("r") <= 1 / (40 * s)],
        then=SampledGaussianRenyi(alpha, s, positive("r")) <= alpha * positive("r") ** 2 / s**2,
        by=OrderRange(),
    )
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for made in (ranges, CLAIMS["a tie on a line"], CLAIMS["cases"], CLAIMS["too hard"]):
            alone, together = settle(made), settle(made, executor=pool)
            assert (alone.verdict, alone.detail, alone.left) == (together.verdict, together.detail, together.left)
            assert alone.certificate == together.certificate


def test_what_is_learned_in_a_chunk_reaches_the_next_level_only():
    """Two chunks of one level start from the same knowledge: a search that let it leak would depend on who judges first."""
    gap = Gap(CLAIMS["a tie inside"].then, (x, y), ((-2, 2), (-2, 2)))
    memory, box = gap.memory, ((Fraction(-1), Fraction(2)),) * 2
    for _ in range(3):
        gap.expansions.bound(box, [balls.interval(*side) for side in box], frozenset())
    news = memory.news()
    assert news and memory.news() == news
    memory.recall({})
    assert memory.news() == {} and memory.places == {}
    memory.recall(memory.merged({}, [news, news]))
    (told,) = memory.known.values()
    assert told.asked == 2 * next(iter(news.values())).asked and told.tried == next(iter(news.values())).tried


def test_a_problem_that_text_would_change_stays_at_home():
    home = BoxProblem((x,), sin(x) <= 2, (x >= 0,), (), ((0, 1),), 80)
    assert home.as_terms() is None
    kept = BoxProblem((q,), q <= 2, (q >= 0,), (), ((0, 1),), 80)
    assert BoxProblem.of_terms(kept.as_terms()) == kept


def test_budget_and_progress_are_kept():
    hard, seen = CLAIMS["too hard"], []
    for executor in (None, Backwards()):
        found = cover(hard, Boxes(budget=300), executor=executor, progress=lambda done, waiting: seen.append((done, waiting)))
        assert not found.complete and "budget of 300 boxes" in found.reason
    assert seen[: len(seen) // 2] == seen[len(seen) // 2 :] and [done for done, _ in seen] == 2 * [*range(16, 301, 16)]


def test_an_error_of_a_worker_is_the_error_of_the_search():
    class Failing(Backwards):
        def run(self):
            for job, _, _ in self.jobs:
                job.set_exception(OSError("lost"))
            self.jobs = []

    with pytest.raises(OSError, match="lost"):
        cover(CLAIMS["slopes"], Boxes(), executor=Failing())


# --- journals --------------------------------------------------------------------------------------------------------


@pytest.fixture
def interrupted(tmp_path, monkeypatch):
    """The journal of a search that was stopped half way, and the claim."""
    made = CLAIMS["slopes"]
    monkeypatch.setattr("dpbounds.claims.boxes.journal._SECONDS", 0.0)
    boxes = 2 * cover(made, made.by).leaves - 1

    def stop(done, waiting):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cover(made, made.by, progress=stop, journal=CoverJournal(tmp_path, made, resume=False))
    assert boxes > 512
    return made, tmp_path


def test_an_interrupted_search_is_resumed(interrupted, monkeypatch):
    made, folder = interrupted
    whole = cover(made, made.by)
    journal = CoverJournal(folder, made, resume=True)
    assert journal.tree and len(journal.tree) < len(whole.tree)
    found = cover(made, made.by, journal=journal)
    assert (found.complete, found.tree, found.leaves) == (True, whole.tree, whole.leaves)
    journal.close()
    assert list(folder.iterdir()) == []


def test_the_boxes_of_the_interrupted_run_count(interrupted):
    made, folder = interrupted
    journal = CoverJournal(folder, made, resume=True)
    split = sum(map(str.isdigit, journal.tree))
    found = cover(made, Boxes(budget=split + 5), journal=journal)
    assert not found.complete and f"budget of {split + 5} boxes" in found.reason


def test_a_journal_is_believed_in_nothing(tmp_path):
    false = claim(x * y <= 3 + x / 10, *SQUARE)
    for tree in ("+", "0++", "1+0++", "-", "0-+", "9++", "0+", "x", "0" * 900):
        journal = CoverJournal(tmp_path, false, resume=False)
        journal.record(tree, now=True)
        found = cover(false, false.by, journal=CoverJournal(tmp_path, false, resume=True))
        assert not found.complete
    true = CLAIMS["slopes"]
    for tree in ("+", "0+1++", "9++", "0+", "x"):
        journal = CoverJournal(tmp_path, true, resume=False)
        journal.record(tree, now=True)
        outcome = settle(true, journal=CoverJournal(tmp_path, true, resume=True))
        assert replay(outcome.certificate, true).verdict is Verdict.CERTIFIED


def test_a_journal_of_something_else_is_passed_over(tmp_path):
    made, other = CLAIMS["slopes"], claim(x <= 3, *SQUARE)
    CoverJournal(tmp_path, made, resume=False).record("0++", now=True)
    assert CoverJournal(tmp_path, made, resume=True).tree == "0++"
    assert CoverJournal(tmp_path, made, resume=False).tree == ""
    assert CoverJournal(tmp_path, other, resume=True).tree == ""
    file = next(tmp_path.iterdir())
    file.write_text(json.dumps({**json.loads(file.read_text()), "tree": "0+0++"}))
    assert CoverJournal(tmp_path, made, resume=True).tree == ""
    file.write_text("[")
    assert CoverJournal(tmp_path, made, resume=True).tree == ""


def test_a_tree_comes_back_from_its_text():
    halves = lambda box, axis: ((box[0], sum(box) / 2), (sum(box) / 2, box[1]))  # noqa: E731
    top, leaves = resumed("00+-0+?", (0, 8), halves)
    assert [node.box for node in leaves] == [(0, 2), (2, 4), (4, 6), (6, 8)] and preorder(top) == "00??0??"
    for bad in ("", "0+", "00+"):
        top, leaves = resumed(bad, (0, 8), halves)
        assert leaves == [top] and top.children is None
    assert isinstance(top, Node)


# --- runs ------------------------------------------------------------------------------------------------------------

FILE = """from dpbounds import *
from dpbounds.language.symbols import *
from sympy import *
x, y = real("x y")
square = [x >= -2, x <= 2, y >= -2, y <= 2]
ring = x**2 + y**2 - 1
tight = Claim(id="tight", text="", given=square, then=x * ring / 50 - ring**2 <= Rational(1, 1000), by=Boxes())
"""


def test_one_claim_has_all_workers(tmp_path, monkeypatch):
    file = tmp_path / "claims.py"
    file.write_text(FILE)
    alone = run.check([file], run.Options(certificates=tmp_path / "alone"))
    asked = []
    settle_here = run.settle

    def remember(claim, **options):
        asked.append(options["executor"])
        return settle_here(claim, **options)

    monkeypatch.setattr(run, "settle", remember)
    together = run.check([file], run.Options(workers=2, certificates=tmp_path / "together"))
    assert [r.outcome.verdict for r in together] == [r.outcome.verdict for r in alone] == [Verdict.CERTIFIED]
    assert isinstance(asked[0], ProcessPoolExecutor)
    written = [(tmp_path / name / "tight.json").read_text() for name in ("alone", "together")]
    assert written[0] == written[1]
    assert not list(tmp_path.rglob("*.journal"))


def test_a_stopped_run_keeps_its_journal(tmp_path, monkeypatch):
    file = tmp_path / "claims.py"
    file.write_text(FILE)
    monkeypatch.setattr("dpbounds.claims.boxes.journal._SECONDS", 0.0)
    judge, count = Gap.bound_on, iter(range(10**9))

    def stop(self, *args, **kwargs):
        if next(count) == 250:
            raise KeyboardInterrupt
        return judge(self, *args, **kwargs)

    monkeypatch.setattr(Gap, "bound_on", stop)
    with pytest.raises(KeyboardInterrupt):
        run.check([file], run.Options(certificates=tmp_path / "c"))
    (journal,) = (tmp_path / "c").glob("*.journal")
    (made,) = (entry.claim for entry in collect([file]))
    assert CoverJournal(tmp_path / "c", made, resume=True).tree
    (row,) = run.check([file], run.Options(certificates=tmp_path / "c"))
    assert row.outcome.verdict is Verdict.CERTIFIED and not journal.exists()


def test_threads_leave_the_precision_as_it_was():
    """A search that stops while threads judge waits for them: each sets the precision that it found when it ends."""
    before = balls.working_bits()
    made = CLAIMS["too hard"]
    for budget in (40, 70, 100):
        with ThreadPoolExecutor(3) as pool:
            cover(made, replace(made.by, budget=budget), executor=pool)
            assert balls.working_bits() == before
        assert balls.working_bits() == before


def test_what_has_begun_is_waited_for():
    begun, ended = Event(), []

    def work():
        begun.set()
        sleep(0.2)
        ended.append(True)

    with ThreadPoolExecutor(1) as pool:
        jobs = [pool.submit(work), pool.submit(work)]
        begun.wait()
        abandon(jobs)
        assert ended == [True] and jobs[1].cancelled()
