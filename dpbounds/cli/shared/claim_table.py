"""The table that `dpbounds check` prints, and the lines below it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from dpbounds.claims.run import Row, counts_of
from dpbounds.claims.verdict import Verdict

_STYLES = {
    Verdict.PROVED: "bold green",
    Verdict.CERTIFIED: "green",
    Verdict.REFUTED: "bold magenta",
    Verdict.ASSUMED: "cyan",
    Verdict.UNDECIDED: "yellow",
}
_WIDTH_WITHOUT_TERMINAL = 160
_NARROWEST_EVIDENCE = 36


def print_table(rows: Sequence[Row]) -> None:
    """Print all rows, then what needs attention, then the counts."""
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDTH_WITHOUT_TERMINAL, highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("claim", "verdict", "expected", "s"):
        table.add_column(name, no_wrap=True, justify="right" if name == "s" else "left")
    cells = [(Text(row.claim.id), _verdict(row), _expected(row), Text(f"{row.outcome.seconds:.1f}")) for row in rows]
    if console.width - sum(max(map(len, column)) + 2 for column in zip(*cells, strict=True)) >= _NARROWEST_EVIDENCE:
        table.add_column("evidence", overflow="fold")
        for row, line in zip(rows, cells, strict=True):
            table.add_row(*line, Text(_evidence(row)))
        console.print(table)
    else:
        _print_evidence_below(console, table, rows, cells)
    for row in rows:
        _print_attention(console, row)
    console.print(_summary(rows), soft_wrap=True)


def _print_evidence_below(console: Console, table: Table, rows: Sequence[Row], cells: Sequence[tuple[Text, ...]]) -> None:
    """On a narrow terminal the evidence of a claim gets lines of its own."""
    for cell in cells:
        table.add_row(*cell)
    printed = console.render_lines(table, console.options.update(width=_WIDTH_WITHOUT_TERMINAL), pad=False)
    evidence = [None, *(Padding(Text(_evidence(row)), (0, 0, 0, 4)) for row in rows)]  # the head of the table has none
    for line, below in zip(printed, evidence, strict=True):
        console.print(Segments([*line, Segment.line()]), end="", crop=False)
        if below is not None:
            console.print(below)


def _verdict(row: Row) -> Text:
    return Text(row.outcome.verdict.value, style=_STYLES[row.outcome.verdict])


def _expected(row: Row) -> Text:
    if row.claim.expect is None:
        return Text("-")
    good = row.exit_code == 0
    return Text(f"{row.claim.expect.value} {'ok' if good else 'NOT AS EXPECTED'}", style="" if good else "bold red")


def _evidence(row: Row) -> str:
    mutant = row.outcome.mutant
    suffix = "" if mutant is None else f"; mutant {mutant.verdict.value}"
    return f"{'bad input: ' if row.outcome.bad_input else ''}{row.findings}{suffix}"


def _print_attention(console: Console, row: Row) -> None:
    lines = list(row.outcome.left)
    if row.outcome.next_step:
        lines.append(f"next: {row.outcome.next_step}")
    if row.outcome.mutant is not None and row.mutant_refuted is False:
        lines.append(f"its mutant should be REFUTED but is {row.outcome.mutant.verdict.value}: {row.outcome.mutant.detail}")
    if lines and (row.exit_code != 0 or row.outcome.verdict is Verdict.UNDECIDED):
        console.print(Text(f"{row.claim.id}:", style="bold"))
        for line in lines:
            console.print(Text(f"  {line}"), soft_wrap=True)


def _summary(rows: Sequence[Row]) -> str:
    counts = counts_of(rows)
    parts = [f"{counts[v.value]} {v.value}" for v in Verdict if counts[v.value]]
    if counts["citing"]:
        parts.append(f"{counts['citing']} resting on cited statements")
    if counts["mutants"]:
        parts.append(f"{counts['mutants_refuted']} of {counts['mutants']} mutants refuted")
    if any(row.claim.expect is not None for row in rows):
        parts.append("all as expected" if not counts["unexpected"] else f"{counts['unexpected']} NOT as expected")
    return f"{counts['total']} {'claim' if counts['total'] == 1 else 'claims'}: {', '.join(parts)}"
