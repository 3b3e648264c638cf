"""Claim files as tests, in runs of pytest of their own."""

import pytest

pytest_plugins = ["pytester"]

DRAFT = """
from dpbounds.notation import *

x = positive("x")
tangent = claim("The tangent lies below.", exp(x) >= 1 + x, mutant=exp(x) >= 1 + 2 * x)
too_good = claim("A false one.", exp(x) >= 1 + 2 * x)
refuted = claim("Known to fail.", exp(x) >= 1 + 2 * x, {x: Rational(1, 2)})
"""
ORDINARY = """
import dpbounds

def test_ordinary():
    assert dpbounds.__version__

def claim(text):
    return text

claim("no claim of dpbounds")
"""


@pytest.fixture
def plugin(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return lambda *words: pytester.runpytest_inprocess("-p", "dpbounds.pytest_plugin", *words)


def test_a_draft_shows_verdicts(pytester, plugin):
    draft = pytester.makepyfile(draft=DRAFT)
    done = plugin(str(draft), "-v")
    done.assert_outcomes(passed=2, failed=1)
    done.stdout.fnmatch_lines(
        [
            "draft.py::tangent CERTIFIED*",
            "draft.py::too-good REFUTED, not as expected*",
            "draft.py::refuted REFUTED *",
            "too-good is REFUTED*",
            "*counterexample*",
            "*= claims =*",
            "tangent   CERTIFIED  *",
        ]
    )
    assert "Traceback" not in done.stdout.str() and "runtest" not in done.stdout.str()


def test_one_claim_and_the_last_failed(pytester, plugin):
    draft = pytester.makepyfile(draft=DRAFT)
    plugin(str(draft), "-k", "too-good or tangent").assert_outcomes(passed=1, failed=1, deselected=1)
    again = plugin(str(draft), "--lf")
    again.assert_outcomes(failed=1)
    plugin(f"{draft}::tangent").assert_outcomes(passed=1)


def test_a_certificate_is_used_again_only_for_the_same_statement(pytester, plugin):
    draft = pytester.makepyfile(draft=DRAFT)
    plugin(f"{draft}::tangent").assert_outcomes(passed=1)
    assert list(pytester.path.glob(".pytest_cache/d/dpbounds/tangent*"))
    changed = pytester.makepyfile(later=DRAFT.replace("exp(x) >= 1 + x,", "exp(x) >= 1 + 3 * x,"))
    plugin(f"{changed}::tangent").assert_outcomes(failed=1)


@pytest.mark.parametrize(
    ("marks", "words", "seconds"), [("", (), 60), ("pytestmark = pytest.mark.claim_budget(7)", (), 7), ("", ("--claim-budget", "3"), 3)]
)
def test_budgets(pytester, plugin, marks, words, seconds):
    draft = pytester.makepyfile(draft=f"import pytest\n{DRAFT}\n{marks}\n")
    pytester.makeconftest("def pytest_collection_modifyitems(items):\n    print(*(f'{item.name}:{item.budget():g}' for item in items))\n")
    assert f"tangent:{seconds} " in plugin(str(draft), "--collect-only", "-s", *words).stdout.str()


def test_a_budget_that_is_none_is_said(pytester, plugin):
    draft = pytester.makepyfile(draft=DRAFT)
    done = plugin(f"{draft}::tangent", "--claim-budget", "0")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*claim_budget must be a number of seconds > 0, got 0*"])


def test_a_file_that_does_not_run_is_an_error_in_one_line(pytester, plugin):
    draft = pytester.makepyfile(draft="from dpbounds.notation import *\nclaim('None.', y >= 0)\n")
    done = plugin(str(draft))
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*draft.py, line 2: NameError*"])


def test_folders_are_collected_where_the_configuration_says_so(pytester, plugin):
    pytester.mkdir("proofs")
    (pytester.path / "proofs" / "draft.py").write_text(DRAFT)
    pytester.makepyfile(test_ordinary=ORDINARY)
    plugin().assert_outcomes(passed=1)
    pytester.makeini("[pytest]\nclaim_files = proofs/*.py\n")
    plugin("-k", "tangent or ordinary").assert_outcomes(passed=2, deselected=2)


def test_ordinary_tests_are_left_alone(pytester, plugin):
    named = pytester.makepyfile(test_ordinary=ORDINARY)
    plugin(str(named)).assert_outcomes(passed=1)


def test_an_ordinary_run_imports_nothing_of_it(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(
        "import sys\n\ndef test_light():\n"
        "    assert not {'sympy', 'flint', 'mpmath', 'hypothesis', 'dpbounds.claims', 'dpbounds.reference'} & set(sys.modules)\n"
    )
    pytester.runpytest_subprocess("-p", "dpbounds.pytest_plugin").assert_outcomes(passed=1)
