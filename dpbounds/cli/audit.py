"""`dpbounds audit`: is an accountant sound?"""

from __future__ import annotations

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpbounds.cli.shared.interruption import exit_code_of
from dpbounds.errors import InputError
from dpbounds.files import read_text, write_output

if TYPE_CHECKING:
    from dpbounds.audit.adapter import Description
    from dpbounds.audit.run import Settings


@click.command("audit", epilog="Example: dpbounds audit dp_accounting --grid practice --budget 60 --seed 7")
@click.argument("target", required=False)
@click.option(
    "--list", "list_adapters", is_flag=True, help="List the adapters: quantities, promises, tested versions, whether installed here."
)
@click.option("--all", "everything", is_flag=True, help="Audit every shipped adapter whose package is found, each within the budget.")
@click.option("--only", metavar="NAME", help="One accountant of the target, such as dp_accounting.pld.")
@click.option("--quantity", metavar="Q", help="epsilon, delta, rdp or sigma; several with commas. Default: all that are promised.")
@click.option(
    "--grid",
    default="practice,stress,calibrate,allocation,noises",
    show_default=True,
    metavar="G",
    help="practice, stress, calibrate, allocation, noises or table; several with commas.",
)
@click.option("--budget", default=100.0, show_default=True, type=float, metavar="S", help="Processor seconds for each accountant.")
@click.option("--limit", default=5.0, show_default=True, type=float, metavar="S", help="Processor seconds of one question.")
@click.option(
    "--questions", type=int, metavar="N", help="The most answers to take, the same on every machine. Default: no limit but the budget."
)
@click.option("--seed", default=1, show_default=True, type=int, metavar="N", help="Seed of the questions.")
@click.option(
    "--python",
    "pythons",
    multiple=True,
    metavar="[TARGET=]PATH",
    help="Run accountants in this interpreter, which needs no dpbounds; with --all one for each target, or one for all others.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write one page that needs no network.")
@click.option("--badge", type=click.Path(path_type=Path), metavar="FILE", help="Write an SVG badge.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML.")
@click.option("--journal", type=click.Path(path_type=Path), metavar="FILE", help="Append each UNSOUND answer at once, as a JSON line.")
@click.option(
    "--baseline", type=click.Path(path_type=Path), metavar="FILE", help="A JSON document of an earlier run: fail on new findings only."
)
@click.option("--strict", is_flag=True, help="Fail on LOOSE, NO ANSWER, UNDECIDED and contradictions too.")
def command(
    target: str | None,
    list_adapters: bool,
    everything: bool,
    only: str | None,
    quantity: str | None,
    grid: str,
    budget: float,
    limit: float,
    questions: int | None,
    seed: int,
    pythons: tuple[str, ...],
    as_json: bool,
    html: Path | None,
    badge: Path | None,
    junit: Path | None,
    journal: Path | None,
    baseline: Path | None,
    strict: bool,
) -> int:
    """Compare the answers of an accountant with certified values: SOUND, LOOSE, UNSOUND with a counterexample, NO ANSWER or UNDECIDED.

    TARGET: a package with a shipped adapter (see --list), or file.py:Class. The accountant runs in a process of its own, under limits of
    time and memory. Adapter files are Python and are executed.
    """
    from dpbounds.audit import documents, pages
    from dpbounds.audit.adapter import QUANTITIES
    from dpbounds.audit.adapters import module_of, names, shipped
    from dpbounds.audit.grids import GRIDS
    from dpbounds.audit.judge import AnswerOutcome
    from dpbounds.audit.run import Audit, AuditInterrupted, Settings, audit_of, truth_worker

    if list_adapters:
        click.echo(shipped())
        return 0
    if everything and (target or only):
        raise InputError("--all audits every shipped adapter; leave out the target and --only")
    if target is None and not everything:
        raise InputError("give a target, such as dp_accounting or my_adapter.py:Mine; dpbounds audit --list has the shipped ones")
    for option, seconds in (("--budget", budget), ("--limit", limit)):
        if not seconds > 0:
            raise InputError(f"{option} must be > 0 seconds, got {seconds:g}")
    grids, quantities = _words(grid), _words(quantity)
    for name, allowed, given in (("--grid", GRIDS, grids), ("--quantity", QUANTITIES, quantities)):
        if wrong := [word for word in given if word not in allowed]:
            raise InputError(f"{name} must be among {', '.join(allowed)}, got {wrong[0]!r}")
    if questions is not None and questions < 1:
        raise InputError(f"--questions must be at least 1, got {questions}")
    known = documents.known_keys(read_text(baseline, "the baseline")) if baseline else set()
    interpreters = {target: path for word in pythons for target, _, path in [word.rpartition("=")]}
    if unknown := set(interpreters) - {"", *names()}:
        raise InputError(f"--python TARGET=PATH names a target of dpbounds audit --list, got {sorted(unknown)[0]!r}")
    settings = Settings(grids or Settings().grid, quantities, budget, seed, None, limit, questions=questions)
    chosen = names() if everything or target is None else [target]
    others = {one: None if one == "dpbounds" else interpreters.get("") for one in chosen}  # dpbounds runs here, where its modules are
    jobs = [(one, replace(settings, python=interpreters.get(one, others[one]))) for one in chosen]
    if not everything:
        _offered(*jobs[0], only)  # bad input is said before anything starts
    keep = documents.journal_at(journal)
    certified = truth_worker(settings)
    audits: list[Audit] = []
    stopped: AuditInterrupted | None = None
    try:
        for one, options in jobs:
            for adapter in _offered(one, options, only):
                audit = audit_of(module_of(one), adapter, options, _tell, certified, keep)
                missing = module_of(one) != one and audit.selftest and not audit.versions["package"]
                if missing and everything:
                    _tell(f"{adapter.package} is not installed; --python {one}=PATH names an interpreter that has it")
                    break
                if missing:
                    raise InputError(
                        f"{adapter.package} is not installed; install it, or name an interpreter that has it with --python PATH"
                    )
                audits.append(audit)
    except AuditInterrupted as stop:
        stopped = stop
        audits.append(stop.audit)
    finally:
        certified.close()
    click.echo(json.dumps(documents.document_of(audits), ensure_ascii=False, indent=1) if as_json else pages.text_of(audits))
    for option, path, text in (
        ("--html", html, pages.page_of),
        ("--badge", badge, documents.badge_of),
        ("--junit", junit, documents.junit_of),
    ):
        if path is not None:
            write_output(path, text(audits), option)
    if stopped is not None:
        answers = sum(len(audit.rows) for audit in audits)
        found = sum(audit.count(AnswerOutcome.UNSOUND) for audit in audits)
        _tell(f"dpbounds: interrupted; {answers} answers were judged, {found} of them UNSOUND")
        return exit_code_of(stopped)
    unsound = documents.new_findings(audits, known)
    if unsound or (strict and documents.is_blemished(audits)):
        return 1
    return 3 if any(audit.no_verdict for audit in audits) else 0


def _offered(target: str, settings: Settings, only: str | None) -> list[Description]:
    """The adapters of a target, or the one of that name.

    Raises:
        InputError: there is none.
    """
    from dpbounds.audit.adapters import module_of, names
    from dpbounds.audit.run import adapters_of

    module = module_of(target)
    if module == target and ".py" not in target and not _is_module(target):
        raise InputError(f"there is no adapter for {target}; give one of {', '.join(names())}, or a file.py:Class of your own")
    offered = adapters_of(module, settings.python)
    adapters = [adapter for adapter in offered if only in (None, adapter.name)]
    if not adapters:
        raise InputError(f"{target} has no accountant called {only!r}; it has {', '.join(adapter.name for adapter in offered)}")
    return adapters


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip()) if text else ()


def _is_module(target: str) -> bool:
    try:
        return importlib.util.find_spec(target) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
