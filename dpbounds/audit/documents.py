"""An audit as a document: JSON, the baseline of known findings, JUnit, a badge."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from dpbounds import __version__
from dpbounds.audit.judge import AnswerOutcome, Judged
from dpbounds.audit.run import Audit, Finding
from dpbounds.errors import InputError

SCHEMA = "dpbounds-audit/1"


def document_of(audits: Sequence[Audit]) -> dict[str, Any]:
    """One JSON document for an audit run; numbers of answers are texts, exactly as they were returned."""
    day = date.today().isoformat()
    return {"schema": SCHEMA, "dpbounds": __version__, "date": day, "accountants": [_accountant(audit) for audit in audits]}


def _accountant(audit: Audit) -> dict[str, Any]:
    return {
        "name": audit.name,
        "package": audit.package,
        "version": audit.versions.get("package", ""),
        "python": audit.versions.get("python", ""),
        "numpy": audit.versions.get("numpy", ""),
        "relation": audit.relation,
        "guarantee": audit.guarantee,
        "source": audit.source,
        "threads": list(audit.threads),
        "seed": audit.seed,
        "grid": audit.grid,
        "seconds": {"accountant": round(audit.peer_seconds, 1), "certified": round(audit.truth_seconds, 1)},
        "selftest": audit.selftest or "passed",
        "counts": counts_of(audit),
        "findings": [_finding_of(finding) for finding in audit.findings],
        "silences": [
            {**_question(silence.row.question), "name": silence.name, "detail": silence.row.detail, "reproduction": silence.reproduction}
            for silence in audit.silences
        ],
        "breaches": [
            {
                "law": b.relation,
                "quantity": b.first.quantity,
                "questions": [_question(b.first), _question(b.second)],
                "answers": list(map(repr, b.answers)),
            }
            for b in audit.breaches
        ],
        "rows": [
            {**_question(row.question), "answer": row.answer, "outcome": row.outcome.value, "detail": row.detail} for row in audit.rows
        ],
    }


def counts_of(audit: Audit) -> dict[str, dict[str, int]]:
    """Outcomes of each quantity."""
    quantities = dict.fromkeys(row.question.quantity for row in audit.rows)
    return {q: {o.value: n for o in AnswerOutcome if (n := audit.count(o, q))} for q in quantities}


def _finding_of(finding: Finding) -> dict[str, Any]:
    """One finding: what was asked, what was returned, what is certified, and what its lines printed when they were run again."""
    row, worst = finding.row, finding.worst
    return {
        **_question(row.question),
        "answer": row.answer,
        "certified": row.certified,
        "side": row.detail,
        "severity": row.severity,
        "hints": list(finding.hints),
        "worst": None
        if worst is None
        else {**_question(worst.question), "answer": worst.answer, "certified": worst.certified, "side": worst.detail},
        "reproduction": finding.reproduction,
        "printed": finding.printed,
        "key": row.question.key,
    }


def journal_at(path: Path | None) -> Callable[[str, Judged], None]:
    """What appends each answer on the wrong side to a file of JSON lines at once, so that it is there whatever ends the audit.

    Raises:
        InputError: the file cannot be written.
    """
    if path is None:
        return lambda name, row: None
    try:
        file = path.open("a", encoding="utf-8", buffering=1)
    except OSError as error:
        raise InputError(f"--journal cannot be written: {error}") from None

    def keep(name: str, row: Judged) -> None:
        line = {"accountant": name, **_question(row.question), "answer": row.answer, "certified": row.certified, "side": row.detail}
        file.write(json.dumps(line, ensure_ascii=False) + "\n")

    return keep


def _question(question: Any) -> dict[str, Any]:
    return {"quantity": question.quantity, "spec": list(question.spec), "argument": question.argument, "family": question.family}


def known_keys(text: str) -> set[str]:
    """The UNSOUND answers of an earlier run: accountant and question of each, in its smallest form too.

    Raises:
        InputError: not the document of an audit.
    """
    try:
        document = json.loads(text)
        return {
            key
            for entry in document["accountants"]
            for row in [*(row for row in entry["rows"] if row["outcome"] == "UNSOUND"), *entry["findings"]]
            for key in [kind_of(entry["name"], row)]
        }
    except (ValueError, KeyError, TypeError):
        raise InputError("the baseline is not the JSON document of an audit; make one with --json") from None


def kind_of(name: str, row: dict[str, Any]) -> str:
    """What makes two findings the same for a baseline: accountant, quantity and the exact question."""
    return json.dumps([name, row["quantity"], row["spec"], row["argument"]])


def new_findings(audits: Sequence[Audit], known: set[str]) -> int:
    """How many UNSOUND answers a baseline does not list."""
    rows = [(audit.name, row) for audit in audits for row in audit.rows if row.outcome is AnswerOutcome.UNSOUND]
    return sum(kind_of(name, _question(row.question)) not in known for name, row in rows)


def junit_of(audits: Sequence[Audit]) -> str:
    """The rows as JUnit test cases: UNSOUND is a failure; NO ANSWER, UNDECIDED and unpassed selftests are errors or left out."""
    suites = []
    for audit in audits:
        cases = [_case(audit.name, row) for row in audit.rows]
        if audit.no_verdict:
            cases.append(
                f'<testcase classname={quoteattr(audit.name)} name="selftest"><error message={quoteattr(audit.no_verdict)}/></testcase>'
            )
        failures, errors = audit.count(AnswerOutcome.UNSOUND), audit.count(AnswerOutcome.NO_ANSWER) + bool(audit.no_verdict)
        head = f'<testsuite name={quoteattr(audit.name)} tests="{len(cases)}" failures="{failures}" errors="{errors}">'
        suites.append(head + "".join(cases) + "</testsuite>")
    return '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>' + "\n".join(suites) + "</testsuites>\n"


def _case(name: str, row: Judged) -> str:
    inside = {
        AnswerOutcome.UNSOUND: f"<failure message={quoteattr(f'{row.detail}: {row.answer}; certified {row.certified}')}/>",
        AnswerOutcome.NO_ANSWER: f"<error message={quoteattr(row.detail)}/>",
        AnswerOutcome.UNDECIDED: "<skipped/>",
        AnswerOutcome.LISTED: "<skipped/>",
    }.get(row.outcome, "")
    return f"<testcase classname={quoteattr(name)} name={quoteattr(row.question.key)}>{inside}</testcase>"


def badge_of(audits: Sequence[Audit]) -> str:
    """A static SVG badge; it fetches nothing."""
    unsound = sum(audit.count(AnswerOutcome.UNSOUND) for audit in audits)
    judged = sum(
        audit.count(o)
        for audit in audits
        for o in (AnswerOutcome.SOUND, AnswerOutcome.LOOSE, AnswerOutcome.ROUNDING, AnswerOutcome.UNSOUND)
    )
    if any(audit.no_verdict for audit in audits) or not judged:
        text, colour = "no verdict", "#777"
    else:
        text, colour = (f"{unsound} unsound of {judged}", "#b33") if unsound else (f"sound {judged}/{judged}", "#2a7d3f")
    left, right = 78, 8 + 7 * len(text)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="audit: {escape(text)}">'
        f'<rect width="{left}" height="20" fill="#444"/><rect x="{left}" width="{right}" height="20" fill="{colour}"/>'
        '<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">'
        f'<text x="6" y="14">audit</text><text x="{left + 4}" y="14">{escape(text)}</text></g></svg>\n'
    )


def is_blemished(audits: Sequence[Audit]) -> bool:
    """Whether a strict run fails: loose or missing answers, questions left open, contradictions, selftests that failed."""
    bad = (AnswerOutcome.LOOSE, AnswerOutcome.NO_ANSWER, AnswerOutcome.UNDECIDED)
    return any(audit.no_verdict or audit.breaches or any(audit.count(outcome) for outcome in bad) for audit in audits)
