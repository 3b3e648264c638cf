"""One self-contained HTML page about a catalogue: statements, verdicts, evidence, certificates, figures. It opens without a network."""

from __future__ import annotations

from dpbounds.errors import require

require("report", "latex2mathml", "matplotlib")

from dpbounds.report.entries import Entry, Origin, entries_of
from dpbounds.report.figures import Figure, svg_of, values_figure, verdicts_figure
from dpbounds.report.page import page_of

__all__ = ["Entry", "Figure", "Origin", "entries_of", "page_of", "svg_of", "values_figure", "verdicts_figure"]
