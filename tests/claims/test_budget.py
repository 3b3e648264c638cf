"""A budget is processor seconds, and one step that asks no clock does not overrun it."""

import contextlib
import importlib
import subprocess
import sys
import threading
import time

import flint
import pytest
from sympy import Rational, exp, symbols

from dpbounds import Claim, Verdict, settle
from dpbounds.claims import clock
from dpbounds.claims.boxes.cases import cases_of
from dpbounds.claims.boxes.certify import cover
from dpbounds.claims.boxes.judge import judge_chunk
from dpbounds.claims.boxes.writings import tidied
from dpbounds.claims.evidence import descents, sealing
from dpbounds.claims.plans import Boxes
from dpbounds.claims.settling import _decide, _from_boxes, _Means
from dpbounds.language.symbols import real
from dpbounds.numbers import balls

e, q, x = real("e q x")
SUM = q * x + e * x**2 + q * e
CUBE = [q >= 0, q <= 1, x >= 0, x <= 1, e >= 0, e <= 1]
HARD = Claim(id="hard", text="", given=CUBE, then=(1 + SUM) ** 40 * exp(q * x) >= 1 + 40 * SUM)


def burn(seconds):
    limit = time.process_time() + seconds
    while time.process_time() < limit:
        sum(range(1000))
    return "done"


def test_a_claim_with_a_power_of_a_sum_keeps_its_budget():
    start = time.process_time()
    found = settle(HARD, budget=2)
    assert found.verdict is Verdict.UNDECIDED and "time is up" in found.detail and found.next_step
    assert time.process_time() - start <= 4
    assert found.seconds <= 4


def test_a_step_that_asks_no_clock_is_interrupted(monkeypatch):
    monkeypatch.setattr(sys.modules[_decide.__module__], "search", lambda *_, **__: burn(60))
    start = time.process_time()
    found = settle(HARD, budget=0.5)
    assert found.verdict is Verdict.UNDECIDED and "within 0.5 s of processor time" in found.detail
    assert time.process_time() - start <= 3


def test_the_document_of_a_cover_is_written_within_the_budget(monkeypatch):
    monkeypatch.setattr(sealing, "of_cover", lambda *_: burn(20))
    claim = Claim(id="short", text="", given=[x >= 0, x <= 1], then=x * (1 - x) <= Rational(1, 3))
    start = time.process_time()
    found = _from_boxes(claim, Boxes(), clock.now() + 1, _Means())
    assert found.verdict is Verdict.UNDECIDED and "before the cover was written down" in found.detail
    assert time.process_time() - start <= 5


def test_time_that_others_use_does_not_count():
    start, deadline = time.monotonic(), clock.now() + 0.5
    assert clock.within(deadline, lambda: time.sleep(1.0) or "slept") == "slept"
    assert time.monotonic() - start >= 1.0


def test_within_interrupts_and_leaves_nothing_behind():
    bits = balls.working_bits()

    def work():
        with balls.precision(bits + 100):
            return burn(60)

    start = time.process_time()
    with pytest.raises(clock.TimeIsUp):
        clock.within(clock.now() + 0.2, work)
    assert time.process_time() - start <= 2 and balls.working_bits() == bits
    assert burn(1.5) == "done"  # no exception comes late
    assert clock.within(None, lambda: 7) == clock.within(clock.now() + 9, lambda: 7) == 7


@pytest.mark.parametrize("deadline", [0.05, 9])
def test_a_tracer_works_after_a_deadline(deadline):
    """In a process of its own: a thread whose flag stays set would hang at the first call under the tracer."""
    code = f"""
import sys, time
from dpbounds.claims import clock
def burn():
    limit = time.process_time() + 0.2
    while time.process_time() < limit:
        pass
try:
    clock.within(clock.now() + {deadline}, burn)
except clock.TimeIsUp:
    pass
sys.settrace(lambda *_: None)
burn()
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0


def test_compiled_code_that_is_interrupted_in_a_callback_ends_with_the_time():
    def slow(z, _):
        burn(0.02)
        return z

    for _ in range(5):
        with pytest.raises(clock.TimeIsUp):
            clock.within(clock.now() + 0.1, lambda: [flint.acb.integral(slow, 0, 1) for _ in range(1000)])


def test_an_import_is_not_interrupted(tmp_path, monkeypatch):
    (tmp_path / "slow_to_import.py").write_text(
        "import time\nlimit = time.process_time() + 0.5\nwhile time.process_time() < limit: pass\nwhole = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(clock.TimeIsUp):
        clock.within(clock.now() + 0.1, lambda: (importlib.import_module("slow_to_import"), burn(60)))
    assert sys.modules.pop("slow_to_import").whole


def test_a_failure_after_the_end_of_an_inner_deadline_was_caught_is_a_failure():
    def work():
        try:
            clock.within(clock.now() + 0.05, lambda: burn(5))
        except clock.TimeIsUp:
            raise ZeroDivisionError("of the step itself") from None

    with pytest.raises(ZeroDivisionError):
        clock.within(clock.now() + 60, work)


def test_deadlines_within_deadlines():
    """The exception of one deadline hits the thread that it is for, not one that is being started, and each step is interrupted."""

    def inner():
        for _ in range(10):
            with contextlib.suppress(clock.TimeIsUp):
                clock.within(clock.now() + 0.01, lambda: burn(0.1))
        burn(60)

    before = threading.active_count()
    with pytest.raises(clock.TimeIsUp):
        clock.within(clock.now() + 0.3, inner)
    assert threading.active_count() <= before + 1


def test_no_failure_of_a_step_hides_that_time_is_up():
    def swallows():
        while True:
            try:
                burn(1)
            except Exception:
                return "hidden"

    with pytest.raises(clock.TimeIsUp):
        clock.within(clock.now() + 0.1, swallows)


def test_what_helpers_spend_counts():
    before = clock.now()
    clock.charge(5.0)
    try:
        assert clock.now() - before >= 5.0
    finally:
        clock.charge(-5.0)


def test_a_cover_that_is_interrupted_within_a_box_says_what_is_left():
    found = cover(HARD, Boxes(), deadline=clock.now() + 1.0)
    assert not found.complete and found.tree == "" and found.leftovers and "time is up" in found.reason


def test_a_chunk_without_time_has_no_judgements():
    from dpbounds.claims.boxes.judge import BoxProblem

    problem = BoxProblem((q, x, e), HARD.then, tuple(CUBE), (), ((0, 1),) * 3, 80)
    box = tuple((balls.Fraction(0), balls.Fraction(1, 64)) for _ in range(3))
    found = judge_chunk(problem.as_terms(), {}, [(box, 12)] * 64, 0.2)
    assert found.found is None and 0.2 <= found.seconds <= 3 and found.process > 0


def test_only_what_is_small_when_expanded_is_factored():
    large = (1 + SUM) ** 40 * exp(q * x) - (1 + SUM) ** 39 * exp(q * x)
    start = time.process_time()
    assert tidied(large) == large and time.process_time() - start <= 1
    assert tidied(x * exp(-x) - exp(-x)) == (x - 1) * exp(-x)


def test_exponents_that_are_written_as_squares_are_not_factored_as_powers_of_high_degree():
    """sympy takes e^(-(x + 1.2817)^2/2) for a power of degree 164275489 of some exponential, and writes it with all its coefficients."""
    start = time.process_time()
    normal = exp(-((x + Rational(12817, 10000)) ** 2) / 2)
    assert tidied(x * normal - normal) == x * normal - normal and time.process_time() - start <= 1


def test_binders_keep_their_cases():
    from sympy import Abs, Integral, Max, Sum, Symbol

    i, u = Symbol("i", integer=True, positive=True), real("u")
    total, area = Sum(Max(x - 1 / (i + 1), 0), (i, 1, 5)), Integral(Abs(u - x), (u, 0, 1))
    assert cases_of(total) is None and cases_of(area + x) is None
    split = cases_of(total + Abs(x - Rational(1, 2)))
    assert len(split) == 2 and all(i not in condition.free_symbols for _, conditions in split for condition in conditions)
    for then in (total <= 5 * x, area <= Rational(1, 2)):
        found = settle(Claim(id="c", text="", given=[x >= 0, x <= 1], then=then, by=Boxes(budget=300)))
        assert "not part of the claim language" not in found.detail


def test_the_number_of_terms():
    from dpbounds.claims.boxes.writings import terms_of

    a, b = symbols("a b")
    for expression in ((a + b) ** 7, (1 + a) * (a - b) ** 3, a * b, a + 1):
        assert terms_of(expression) >= len(expression.expand().as_ordered_terms())


def test_the_descent_gets_a_second_and_longer_turn(monkeypatch):
    """A machine that is slow finds what a fast one finds, as long as there is time."""
    turns, whole = [], descents.certificate_of

    def short_of_breath(claim, seconds):
        turns.append(seconds)
        return whole(claim, seconds) if len(turns) > 1 else None

    monkeypatch.setattr(descents, "certificate_of", short_of_breath)
    monkeypatch.setattr(sys.modules[_decide.__module__], "_BOXES_TO_INFINITY", 20)
    bound = Claim(id="bound", text="", given=[x >= 0], then=exp(x) >= 1 + x + x**2 / 2 + x**3 / 6)
    assert settle(bound, budget=60).verdict is Verdict.CERTIFIED
    assert len(turns) == 2 and turns[1] > turns[0]
