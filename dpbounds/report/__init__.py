"""One self-contained HTML page about a catalogue: statements, verdicts, evidence, certificates. It opens without a network."""

from __future__ import annotations

from dpbounds.report.entries import Entry, Origin, entries_of
from dpbounds.report.page import page_of

__all__ = ["Entry", "Origin", "entries_of", "page_of"]
