"""Certified rows, the judge and the strategies, on small accountants that are sound and that are not."""

import math
from types import SimpleNamespace

import pytest
from hypothesis import given, settings

from dpbounds.audit.judge import AnswerOutcome
from dpbounds.errors import InputError
from dpbounds.mechanisms.specs import spec_to_mechanism
from dpbounds.pytest_plugin.accountants import Certifier, rows_of
from dpbounds.pytest_plugin.strategies import NOISES, alphas, compositions, deltas, epsilons, mechanisms

pytest_plugins = ["pytester"]

MINE = """
import math

def epsilon(sigma, steps, delta, forgotten=0.0):
    rho = steps / (2 * sigma**2)
    return rho * (1 - forgotten) + 2 * math.sqrt(rho * math.log(1 / delta))
"""
SUITE = """
import pytest
from mine import epsilon

FORGOTTEN = 0.0

@pytest.mark.certified("upper", noise="sigma", sampling="none", single=True)
def test_all(certified):
    assert certified(lambda row: epsilon(row.part["sigma"], row.part["steps"], row.number, FORGOTTEN)) > 100

@pytest.mark.certified("upper", noise="sigma", sampling="none", single=True, most=20)
def test_each(certified_row):
    part = certified_row.row.part
    certified_row.judge(epsilon(part["sigma"], part["steps"], certified_row.row.number, FORGOTTEN))

@pytest.mark.certified("interval", noise="sigma", sampling="none", single=True, most=20)
def test_ends(certified):
    certified(lambda row: (0.0, epsilon(row.part["sigma"], row.part["steps"], row.number, FORGOTTEN)))
"""


@pytest.fixture
def plugin(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.syspathinsert()
    return lambda *words: pytester.runpytest_inprocess("-p", "dpbounds.pytest_plugin", *words)


def test_a_sound_accountant_passes(pytester, plugin):
    pytester.makepyfile(mine=MINE, test_mine=SUITE)
    done = plugin("--strict-markers")
    done.assert_outcomes(passed=1 + 19 + 1)


def test_a_broken_accountant_fails_with_the_worst_and_the_simplest_row(pytester, plugin):
    pytester.makepyfile(mine=MINE, test_mine=SUITE.replace("FORGOTTEN = 0.0", "FORGOTTEN = 1.0"))
    done = plugin("-v")
    assert done.parseoutcomes()["failed"] >= 4
    done.stdout.fnmatch_lines(
        ["test_mine.py::test_all FAILED*", "test_mine.py::test_each[[]epsilon-sigma*FAILED*", "*upper bounds lie below the truth:*"]
    )
    assert "the simplest: epsilon of" in done.stdout.str()


def test_a_test_without_a_marker_says_what_is_missing(pytester, plugin):
    pytester.makepyfile("def test_it(certified):\n    certified(lambda row: 0)\n")
    done = plugin()
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*give the test a marker, such as @pytest.mark.certified(*"])


def rows(*args, **kwargs):
    return rows_of(SimpleNamespace(args=args, kwargs=kwargs))


@pytest.mark.parametrize(
    ("args", "kwargs"), [(("above",), {}), ((), {}), (("upper",), {"noise": "uniform"}), (("upper",), {"nose": "sigma"})]
)
def test_markers_that_ask_for_nothing(args, kwargs):
    with pytest.raises(InputError):
        rows(*args, **kwargs)


def test_two_thousand_rows_for_upper_bounds():
    found = [row for quantity in ("epsilon", "delta", "rdp") for row in rows("upper", quantity=quantity)]
    assert len(found) >= 2000
    assert all(row.row.guarantee == "mechanism" and row.row.relation == "add-or-remove" and row.row.binary for row in found)
    lower = rows("lower")
    assert {row.row.direction for row in lower} <= {"worst", "symmetric"}  # a lower bound of the worst is none of the others


@pytest.fixture(scope="module")
def judge():
    certifier = Certifier()
    yield certifier
    certifier.close()


def test_any_question_is_judged(judge):
    part = ({"sigma": 1.0, "steps": 1},)
    assert judge("upper", "epsilon", part, 1e-5, 4.4) is AnswerOutcome.SOUND
    assert judge("interval", "delta", part, 1.0, (0.1, 0.13)) is AnswerOutcome.SOUND
    assert judge("lower", "rdp", part, 2.0, 0.9) is AnswerOutcome.SOUND
    for side, quantity, argument, answer in (
        ("upper", "epsilon", 1e-5, 4.3),
        ("upper", "delta", 1.0, 0.1),
        ("lower", "rdp", 2.0, 1.1),
        ("interval", "delta", 1.0, (0.13, 0.2)),
        ("upper", "epsilon", 1e-5, math.nan),
    ):
        with pytest.raises(AssertionError, match="returned"):
            judge(side, quantity, part, argument, answer)


@settings(max_examples=60, deadline=None, database=None)
@given(compositions(noises=NOISES), deltas(), epsilons(), alphas())
def test_examples_are_mechanisms(parts, delta, epsilon, alpha):
    assert 1 <= len(parts) <= 3 and 1e-14 <= delta <= 0.1 and 1e-3 <= epsilon <= 20 and 1 < alpha <= 128
    spec_to_mechanism([{key: str(value) if isinstance(value, float) else value for key, value in part.items()} for part in parts])


def test_hypothesis_finds_a_fault_and_makes_it_small(pytester, plugin):
    pytester.makepyfile(
        mine=MINE,
        test_mine="""
        from hypothesis import HealthCheck, given, settings
        from dpbounds.pytest_plugin.strategies import deltas, mechanisms
        from mine import epsilon

        @settings(max_examples=20, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(mechanisms(samplings=["none"]), deltas())
        def test_sound(certify, part, delta):
            certify("upper", "epsilon", [part], delta, epsilon(part["sigma"], part["steps"], delta))

        @settings(max_examples=20, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(mechanisms(samplings=["none"]), deltas())
        def test_broken(certify, part, delta):
            certify("upper", "epsilon", [part], delta, epsilon(part["sigma"], part["steps"], delta) / 2)
        """,
    )
    done = plugin("-p", "hypothesispytest")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["*AssertionError: epsilon of *'sigma': 1.0, 'steps': 1*upper bound below the truth*"])


@settings(max_examples=60, deadline=None, database=None)
@given(mechanisms(noises=["laplace-scale", "randomized-response"], most_steps=7))
def test_mechanisms_stay_within_what_was_asked(part):
    assert part["steps"] <= 7 and ("laplace-scale" in part or "sampling" not in part)
