"""The figures of the page, as SVG that goes into it."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpbounds import plots
from dpbounds.claims.run import Row
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled


@dataclass(frozen=True)
class Figure:
    """A picture with what one should see in it.

    Attributes:
        caption: one or two sentences; also the text that stands for the picture.
        svg: the picture as an SVG element.
    """

    caption: str
    svg: str


def verdicts_figure(rows: Sequence[Row]) -> Figure:
    """How many claims of each source came out how.

    Args:
        rows: what is reported.
    """
    return Figure("How the claims of each source came out.", svg_of(plots.verdict_counts(rows)))


def values_figure() -> Figure:
    """Certified privacy profiles of DP-SGD: the values that the verdicts rest on."""
    step = Sampled(Gaussian("1.5"), PoissonSampling("0.01"))
    family = {f"{k:,} steps": Repeated(step, k) for k in (1_000, 10_000, 100_000)}
    profiles = plots.delta_curves(family, [f"{n}/5" for n in range(1, 41, 2)], title="DP-SGD, σ = 1.5, q = 0.01: certified δ(ε)")
    profiles.axes[0].set_ylim(bottom=1e-40)
    caption = (
        "True values, which the verdicts about mechanisms rest on: every point of these curves lies in an interval of six digits that "
        "contains it, down to 10⁻⁴⁰, far below the rounding errors of floating point."
    )
    return Figure(caption, svg_of(profiles))


def svg_of(figure: Any) -> str:
    """A matplotlib figure as one SVG element: transparent, text as shapes, the same bytes on every run.

    Args:
        figure: the figure.
    """
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "dpbounds", "svg.fonttype": "path"}):
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = re.sub(r"<metadata>.*?</metadata>", "", buffer.getvalue(), flags=re.S)
    return text[text.index("<svg") :].strip()
