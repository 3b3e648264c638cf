"""Plans with the noise given: each number meets the target, its neighbour does not, and few evaluations find it."""

import json
import math
from fractions import Fraction

import mpmath
import pytest

from dpbounds import accounting
from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.mechanisms import Gaussian, Laplace, PoissonSampling, RandomAllocation, Repeated, Sampled
from dpbounds.planning import limits
from tests.truths import gaussian_delta

RUN = Sampled(Gaussian("1.1"), PoissonSampling("0.01"))
TARGET = Fraction(1, 10**5)


PLANS = {
    "steps": lambda: limits.largest_steps_of(RUN, 1, TARGET),
    "q": lambda: limits.largest_rate_of("1.1", 1, TARGET, steps=1000, digits=6),
    "batch": lambda: limits.largest_batch_of("1.1", 60_000, 1, TARGET, steps=1000),
}


@pytest.mark.parametrize("name", PLANS)
def test_both_sides_are_certified_with_few_evaluations(monkeypatch, name):
    asked, delta = [], accounting.delta
    monkeypatch.setattr(accounting, "delta", lambda *given, **options: asked.append(1) or delta(*given, **options))
    plan = PLANS[name]()
    assert plan.quantity == name and plan.value < plan.beyond
    assert plan.reached <= TARGET < plan.missed
    assert len(asked) <= 16
    assert plan.reached.overlaps(delta(plan.result.mechanism, 1, digits=10).enclosure)


@pytest.mark.parametrize("sigma, epsilon", [(5, 1), (30, 1), (100, "0.1")])
def test_steps_against_the_closed_form(sigma, epsilon):
    plan = limits.largest_steps_of(Gaussian(sigma), epsilon, TARGET)
    with mpmath.workdps(30):
        each = mpmath.mpf(1) / sigma**2
        assert gaussian_delta(mpmath.sqrt(int(plan.value) * each), str(epsilon)) <= mpmath.mpf("1e-5")
        assert gaussian_delta(mpmath.sqrt(int(plan.beyond) * each), str(epsilon)) > mpmath.mpf("1e-5")


def test_any_noise_and_scheme_has_a_number_of_steps():
    for once in (Laplace(20), Sampled(Gaussian(4), RandomAllocation(10))):
        plan = limits.largest_steps_of(once, 2, "1e-4")
        for steps, met in ((int(plan.value), True), (int(plan.beyond), False)):
            used = once if steps == 1 else Repeated(once, steps)
            assert (accounting.delta(used, 2, digits=6).enclosure <= Fraction(1, 10**4)) is met


def test_a_small_delta_is_rounded_up_by_less_than_one_digit():
    plan = limits.smallest_delta_of(Repeated(RUN, 1000), 1, 6)
    exact = accounting.delta(Repeated(RUN, 1000), 1, digits=12)
    assert Fraction(plan.beyond) < exact.enclosure.lower and exact.enclosure.upper <= plan.value
    assert plan.value - plan.beyond == Fraction(1, 10**9)


def test_the_rate_is_found_where_the_guess_is_in_another_decade(monkeypatch):
    for guess in (0.2, 0.005):
        monkeypatch.setattr(limits, "_approx_rate", lambda *_, guess=guess: guess)
        plan = limits.largest_rate_of("1.1", 1, TARGET, steps=100, digits=2)
        assert plan.reached <= TARGET < plan.missed and plan.beyond - plan.value == Fraction(1, 1000)


@pytest.mark.parametrize("guide", [lambda n: -30 + 3.0 * math.log(n) ** 1.2, lambda n: -math.inf, lambda n: 0.0])
@pytest.mark.parametrize("edge", (1, 2, 7, 64, 1000, 10**6))
@pytest.mark.parametrize("start", (1, 50, 10**9))
def test_the_walk_finds_the_last_number_that_meets_whatever_guides_it(edge, start, guide):
    asked = []

    def judge(n):
        asked.append(n)
        return n <= edge, guide(n)

    assert limits._last_met(judge, TARGET, 1, 10**10, start) == edge
    assert len(asked) <= 120 and len(set(asked)) == len(asked)


def test_the_ends_of_the_walk():
    assert limits._last_met(lambda n: (True, -20.0), TARGET, 1, 10, 3) == 10
    assert limits._last_met(lambda n: (False, -2.0), TARGET, 1, 10, 3) is None


@pytest.mark.parametrize(
    "call",
    [
        lambda: limits.largest_steps_of(Gaussian("0.1"), 1, TARGET),
        lambda: limits.largest_rate_of(100, 1, TARGET),
        lambda: limits.largest_batch_of(100, 10, 1, TARGET),
        lambda: limits.largest_batch_of("0.01", 10, "0.001", "1e-9", steps=1000),
        lambda: limits.largest_steps_of(Gaussian(1), 1, 0),
        lambda: limits.smallest_delta_of(Gaussian(1), 1, 0),
    ],
)
def test_bad_input(call):
    with pytest.raises(InputError):
        call()


@pytest.mark.parametrize(
    "line, quantity",
    [
        ("--find steps --sigma 1.1 --q 0.01 --epsilon 1 --delta 1e-5", "steps"),
        ("--find q --sigma 1.1 --steps 1000 --epsilon 1 --delta 1e-5", "q"),
        ("--find batch --sigma 1.1 --records 60000 --steps 1000 --epsilon 1 --delta 1e-5", "batch"),
        ("--find delta --sigma 1.1 --records 60000 --batch 600 --epochs 10 --epsilon 1", "delta"),
    ],
)
def test_the_command(capsys, line, quantity):
    assert main(["plan", *line.split(), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["quantity"] == quantity
    assert Fraction(document["delta_reached"]["upper"]) <= Fraction(document["inputs"]["delta"])
    assert main(["plan", *line.split()]) == 0
    assert document[quantity] in capsys.readouterr().out


@pytest.mark.parametrize(
    "line, error",
    [
        ("--find noise --epsilon 1 --delta 1e-5", "must be one of"),
        ("--sigma 1 --epsilon 1 --delta 1e-5", "--sigma has no meaning"),
        ("--find steps --epsilon 1 --delta 1e-5", "--sigma is missing"),
        ("--find steps --sigma 1 --steps 3 --epsilon 1 --delta 1e-5", "--steps has no meaning"),
        ("--find batch --sigma 1 --epsilon 1 --delta 1e-5", "--records is missing"),
        ("--find q --sigma 1 --epsilon 1 --delta 1e-5 --sampling without-replacement", "Poisson"),
    ],
)
def test_wrong_lines(capsys, line, error):
    assert main(["plan", *line.split()]) != 0
    assert error in capsys.readouterr().err
