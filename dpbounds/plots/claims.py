"""Verdicts at a glance: how many claims of each source came out how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from dpbounds.claims.run import Row
from dpbounds.claims.verdict import Verdict
from dpbounds.plots.style import styled_figure

_COLOURS = {Verdict.PROVED: "#009E73", Verdict.CERTIFIED: "#56B4E9", Verdict.REFUTED: "#D55E00", Verdict.UNDECIDED: "#BBBBBB"}


def verdict_counts(rows: Sequence[Row], *, title: str = "Verdicts by source") -> Any:
    """Stacked bars: one for each source, one colour for each verdict."""
    sources = sorted({row.claim.source[0] if row.claim.source else "own" for row in rows}, reverse=True)
    counts = Counter((row.claim.source[0] if row.claim.source else "own", row.outcome.verdict) for row in rows)
    with styled_figure(title, "claims", "") as (figure, axes):
        start = [0] * len(sources)
        least = max(1, 0.025 * max(Counter(source for source, _ in counts.elements()).values(), default=0))  # narrower bars hold no number
        for verdict, colour in _COLOURS.items():
            widths = [counts[source, verdict] for source in sources]
            if any(widths):
                bars = axes.barh(sources, widths, left=start, color=colour, label=verdict.value)
                axes.bar_label(bars, labels=[str(w) if w >= least else "" for w in widths], label_type="center", fontsize=9)
            start = [a + b for a, b in zip(start, widths, strict=True)]
        axes.grid(False)
    return figure
