"""An audit as text for a terminal and as one HTML page that needs no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from dpbounds import __version__
from dpbounds.audit.judge import AnswerOutcome, Judged
from dpbounds.audit.run import Audit, Finding

_SHOWN = 8


def text_of(audits: Sequence[Audit]) -> str:
    """A table of outcomes, then every finding with what was returned, what is certified and how to see it again."""
    lines = [f"{'accountant':<34} {'quantity':<8} {'promise':<10} verdict"]
    for audit in audits:
        if audit.no_verdict:
            lines.append(f"{_named(audit):<34} no verdict: {audit.no_verdict}")
            continue
        for quantity, promise in audit.guarantee.items():
            if any(row.question.quantity == quantity for row in audit.rows):
                lines.append(f"{_named(audit):<34} {quantity:<8} {promise.split(',')[0]:<10} {summary_of(audit, quantity)}")
    for audit in audits:
        lines += _findings(audit)
    return "\n".join(lines)


def summary_of(audit: Audit, quantity: str) -> str:
    """The outcomes of one quantity in a line, worst first."""
    rows = [row for row in audit.rows if row.question.quantity == quantity]
    sound = sum(row.outcome in (AnswerOutcome.SOUND, AnswerOutcome.LOOSE) for row in rows)
    judged = sum(row.outcome in (AnswerOutcome.SOUND, AnswerOutcome.LOOSE, AnswerOutcome.ROUNDING, AnswerOutcome.UNSOUND) for row in rows)
    words = []
    if unsound := audit.count(AnswerOutcome.UNSOUND, quantity):
        words.append(f"UNSOUND {unsound}/{judged}")
    words.append(f"SOUND {sound}/{judged}")
    if loose := [row.detail for row in rows if row.outcome is AnswerOutcome.LOOSE]:
        words.append(f"LOOSE {len(loose)} ({_looseness(loose)})")
    for outcome in (AnswerOutcome.ROUNDING, AnswerOutcome.UNDECIDED, AnswerOutcome.LISTED):
        if number := audit.count(outcome, quantity):
            words.append(f"{outcome} {number}")
    if number := audit.count(AnswerOutcome.NO_ANSWER, quantity):
        kinds = [row.detail.split(":")[0] for row in rows if row.outcome is AnswerOutcome.NO_ANSWER]
        words.append(f"NO ANSWER {number} ({', '.join(f'{kinds.count(kind)} {kind}' for kind in dict.fromkeys(kinds))})")
    return " · ".join(words)


def _looseness(details: Sequence[str]) -> str:
    factors = sorted(float(detail) for detail in details if detail != "infinite")
    infinite = len(details) - len(factors)
    words = [f"median at least {factors[len(factors) // 2]:g}, worst {factors[-1]:g} times the truth"] if factors else []
    return "; ".join(words + ([f"{infinite} infinite"] if infinite else []))


def _named(audit: Audit) -> str:
    return f"{audit.name} {audit.versions.get('package', '')}".strip()


def _findings(audit: Audit) -> list[str]:
    lines: list[str] = []
    for finding in audit.findings:
        row = finding.row
        lines += ["", f"UNSOUND  {_named(audit)}, {row.question.quantity}: {_call_of(row)}"]
        lines += [f"  returned {row.answer}, {row.severity}: {row.detail}", f"  certified: {row.certified}"]
        lines += [f"  {line}" for line in _more_of(finding)]
        if sentence := audit.source.get(row.question.quantity):
            lines.append(f"  promised: {sentence}")
        lines += [f"  {_again_of(finding)}", *(f"    {line}" for line in finding.reproduction.splitlines())]
    more = audit.count(AnswerOutcome.UNSOUND) - len(audit.findings)
    if audit.findings and more > 0:
        lines += ["", f"{_named(audit)}: {more} more UNSOUND answers; --json lists them all"]
    for silence in audit.silences:
        lines += ["", f"{silence.name}  {_named(audit)}, {silence.row.question.quantity}: {_call_of(silence.row)}: {silence.row.detail}"]
        lines += [f"    {line}" for line in silence.reproduction.splitlines()]
    if audit.breaches:
        lines += ["", f"{_named(audit)}: {len(audit.breaches)} related answers contradict each other"]
        for breach in audit.breaches[:_SHOWN]:
            first, second = breach.answers
            spec = list(breach.first.spec)
            lines.append(f"  {breach.relation}: {breach.first.quantity} of {spec} at {breach.first.argument}: {first!r}, then {second!r}")
    return lines


def _more_of(finding: Finding) -> list[str]:
    """The worst case where the one that is shown was made small from it, and the hints at the cause."""
    worst = finding.worst
    lines = [] if worst is None or worst.question == finding.row.question else [f"worst: {_call_of(worst)}: {worst.answer}: {worst.detail}"]
    return lines + [f"hint: {hint}" for hint in finding.hints]


def _again_of(finding: Finding) -> str:
    """What came of running the reproduction again."""
    if finding.cut:
        return f"not run again: {finding.cut}" + (":" if finding.reproduction else "")
    if finding.reproduced:
        return "run again from these lines, with the same value:"
    if not finding.reproduction:
        return "the adapter writes no reproduction"
    printed = f"it printed {finding.printed.splitlines()[-1]}" if finding.printed else "it printed nothing"
    return f"run again from these lines, {printed}; check the adapter, and whether earlier calls matter:"


def _call_of(row: Judged) -> str:
    """The question in words."""
    return f"{list(row.question.spec)} at {row.question.argument}"


def page_of(audits: Sequence[Audit]) -> str:
    """One HTML page, with nothing to load."""
    rows, sections = [], []
    for audit in audits:
        if audit.no_verdict:
            rows.append(f"<tr><td>{escape(_named(audit))}<td colspan=3>no verdict: {escape(audit.no_verdict)}")
        for quantity, promise in audit.guarantee.items():
            if any(row.question.quantity == quantity for row in audit.rows):
                colour = "bad" if audit.count(AnswerOutcome.UNSOUND, quantity) else "good"
                cells = [_named(audit), quantity, promise, summary_of(audit, quantity)]
                rows.append(f"<tr class={colour}>" + "".join(f"<td>{escape(cell)}" for cell in cells))
        for finding in audit.findings:
            row = finding.row
            sections.append(
                f"<section><h2>{escape(_named(audit))}: {escape(row.question.quantity)}</h2>"
                f"<p>{escape(_call_of(row))}</p>"
                f"<p>Returned <b>{escape(row.answer)}</b>, {row.severity}: {escape(row.detail)}. "
                f"Certified: <b>{escape(row.certified)}</b>.</p>"
                + "".join(f"<p>{escape(line)}</p>" for line in _more_of(finding))
                + f"<p>Promised: {escape(audit.source.get(row.question.quantity, 'see the adapter'))}</p>"
                f"<p>{escape(_again_of(finding))}</p><pre>{escape(finding.reproduction)}</pre></section>"
            )
        for silence in audit.silences:
            sections.append(
                f"<section><h2>{escape(_named(audit))}: {escape(silence.row.question.quantity)}, {silence.name.lower()}</h2>"
                f"<p>{escape(_call_of(silence.row))}: {escape(silence.row.detail)}.</p><pre>{escape(silence.reproduction)}</pre></section>"
            )
    meta = "; ".join(
        f"{_named(audit)}: Python {audit.versions.get('python', '')}, numpy {audit.versions.get('numpy', '')}, "
        f"seed {audit.seed}, grid {audit.grid}"
        for audit in audits
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Audit</title><style>"
        "body{font:16px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
        "td,th{text-align:left;padding:.2em 1em .2em 0;vertical-align:top}"
        ".bad td:last-child{color:#b00020}pre{background:#f4f4f4;padding:.6em;overflow:auto}section{border-top:1px solid #ccc}</style>"
        f"<h1>Audit of privacy accountants</h1><p>dpbounds {__version__}. {escape(meta)}.</p>"
        "<table><tr><th>accountant<th>quantity<th>promise<th>verdict" + "".join(rows) + "</table>" + "".join(sections) + "</html>\n"
    )
