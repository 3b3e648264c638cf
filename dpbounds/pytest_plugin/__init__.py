"""The pytest plugin: claim files as tests, and certified values for the tests of an accountant.

It is loaded in every run of pytest where dpbounds is installed, so it imports nothing but pytest until something is asked of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import pytest

from dpbounds.pytest_plugin.properties import DETAIL, VERDICT

if TYPE_CHECKING:
    from dpbounds.pytest_plugin.accountants import Certified, CertifiedRow, Certifier
    from dpbounds.pytest_plugin.claim_files import ClaimFile

_HOLDS_CLAIMS = re.compile(r"^\s*(?:from|import)\s+dpbounds\b.*\n(?s:.*)\b(?:claim|Claim|theorem|lemma)\(", re.M)
_HOLDS_TESTS = re.compile(r"^\s*(?:async\s+)?(?:def test|class Test)", re.M)
_LETTERS = {"PROVED": "P", "CERTIFIED": "C", "REFUTED": "R", "ASSUMED": "A", "UNDECIDED": "U"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options and the lines of configuration."""
    group = parser.getgroup("dpbounds", "claim files and certified values of privacy loss")
    group.addoption("--claim-budget", type=float, default=None, metavar="S", help="processor seconds for each claim (default: 60)")
    group.addoption("--certified-rows", default=None, metavar="FILE", help="certified.jsonl of another version of the data set")
    parser.addini("claim_files", "globs of claim files that are collected from folders too", type="args", default=[])
    parser.addini("claim_budget", "processor seconds for each claim", default="60")


def pytest_configure(config: pytest.Config) -> None:
    """The markers."""
    config.addinivalue_line("markers", "claim_budget(seconds): processor seconds for a claim, in the pytestmark of its file")
    config.addinivalue_line(
        "markers",
        "certified(side, quantity=, noise=, sampling=, binary=True, most=, rtol=1e-9): rows for the fixtures certified and certified_row; "
        "side is upper, lower or interval",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ClaimFile | None:
    """Files that match `claim_files` and that pytest itself would pass over."""
    globs = parent.config.getini("claim_files")
    if not globs or file_path.suffix != ".py" or _is_module(file_path, parent) or not _matches(file_path, globs):
        return None
    return _claim_file(file_path, parent)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> ClaimFile | None:
    """A file that is named on the command line, or matches `claim_files`, holds claims and no tests."""
    named = parent.session.isinitpath(module_path)
    if not named and not _matches(module_path, parent.config.getini("claim_files")):
        return None
    text = module_path.read_text(encoding="utf-8", errors="replace")
    return _claim_file(module_path, parent) if _HOLDS_CLAIMS.search(text) and not _HOLDS_TESTS.search(text) else None


def _is_module(path: Path, parent: pytest.Collector) -> bool:
    return parent.session.isinitpath(path) or _matches(path, parent.config.getini("python_files"))


def _matches(path: PurePath, globs: list[str]) -> bool:
    return any(path.match(glob) for glob in globs)


def _claim_file(path: Path, parent: pytest.Collector) -> ClaimFile:
    from dpbounds.pytest_plugin.claim_files import ClaimFile

    return ClaimFile.from_parent(parent, path=path)


def pytest_report_teststatus(report: Any) -> tuple[str, str, str] | None:
    """The verdict in place of PASSED and FAILED."""
    verdict = dict(report.user_properties).get(VERDICT) if report.when == "call" else None
    if verdict is None:
        return None
    word = verdict if report.passed else f"{verdict}, not as expected" if verdict != "UNDECIDED" else verdict
    return report.outcome, _LETTERS.get(verdict, "U"), word


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Each claim with its verdict and its evidence, in the order in which they were settled."""
    reports = [report for name in ("passed", "failed") for report in terminalreporter.stats.get(name, ())]
    settled = [(report, dict(report.user_properties)) for report in reports if getattr(report, "user_properties", None)]
    rows = [(report, found) for report, found in settled if VERDICT in found and report.when == "call"]
    if not rows:
        return
    terminalreporter.section("claims")
    width = max(len(report.nodeid.rpartition("::")[2]) for report, _ in rows)
    for report, found in rows:
        name = report.nodeid.rpartition("::")[2]
        terminalreporter.write_line(f"{name:<{width}}  {found[VERDICT]:<9}  {found[DETAIL]}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each row, where a test asks for `certified_row`."""
    if "certified_row" in metafunc.fixturenames:
        from dpbounds.pytest_plugin.accountants import rows_of

        marker = metafunc.definition.get_closest_marker("certified")
        rows = rows_of(marker, metafunc.config.getoption("certified_rows"))
        metafunc.parametrize("certified_row", rows, ids=[row.row.id for row in rows])


@pytest.fixture
def certified_row(request: pytest.FixtureRequest) -> CertifiedRow:
    """A certified value; `certified_row.judge(answer)` fails when the answer is on the wrong side of it."""
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def certified(request: pytest.FixtureRequest) -> Certified:
    """All rows of the marker `certified`; `certified(accountant)` asks the accountant for each of them."""
    from dpbounds.pytest_plugin.accountants import Certified, rows_of

    return Certified(rows_of(request.node.get_closest_marker("certified"), request.config.getoption("certified_rows")))


@pytest.fixture(scope="session")
def certify() -> Iterator[Certifier]:
    """`certify(side, quantity, parts, argument, answer)` judges an answer to any question, such as one that Hypothesis made up."""
    from dpbounds.pytest_plugin.accountants import Certifier

    certifier = Certifier()
    yield certifier
    certifier.close()
