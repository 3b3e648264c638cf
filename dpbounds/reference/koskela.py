"""Tables 1 and 2 of Koskela, Jälkö & Honkela 2020: printed values, kept beside certified ones."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True)
class PrintedValue:
    """One line of a table: the grid parameters, the printed δ, and the certified enclosure of the true δ.

    Args:
        table: 1 or 2. points: n, number of grid points. window: L, half width of the window.
        printed: δ as printed. estimate: the error estimate as printed.
        lower, upper: certified ends.
    """

    table: int
    points: str
    window: str
    printed: str
    estimate: str
    lower: str
    upper: str


def load_koskela() -> tuple[PrintedValue, ...]:
    """The printed lines of Tables 1 and 2 with the certified value of δ_R(1), q = 0.01, σ = 1.5, k = 10⁴.

    >>> {line.table for line in load_koskela()}
    {1, 2}
    """
    data = json.loads(resources.files("dpbounds.reference").joinpath("data/koskela2020.json").read_text(encoding="utf-8"))
    return tuple(
        PrintedValue(line["table"], line["n"], line["L"], line["printed"], line["estimate"], data["lower"], data["upper"])
        for line in data["lines"]
    )
