"""Every number printed in the sources that follows from formulas: recipe, value, verdict."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from typing import Any

from dpbounds.errors import InputError
from dpbounds.reference.reproduction.row import (
    Computation, PrintedComparison, PrintedRelation, PrintedRow, Rounding, RowOutcome, RowVerdict, error_of, settle, shown,
)  # fmt: skip

__all__ = [
    "SOURCES", "TITLES", "PrintedComparison", "RowOutcome", "Computation", "PrintedRelation", "Rounding", "PrintedRow", "RowVerdict",
    "error_of", "outcomes", "rows", "settle", "shown",
]  # fmt: skip

TITLES = {
    "yu2019": "Yu, Liu, Pu, Gursoy, Truex: Differentially Private Model Publishing for Deep Learning (2019)",
    "koskela2020": "Koskela, Jälkö, Honkela: Computing Tight Differential Privacy Guarantees Using FFT (2020)",
    "chen2019": "Yuchen: Great (but manageable) expectations, a blog on differential privacy (2019)",
    "trustworthy2022": "Slides on trustworthy machine learning (2022)",
    "feldman2021": "Feldman, McMillan, Talwar: Hiding among the clones, numbers printed with its code (2021)",
    "balle2019": "Balle, Bell, Gascón, Nissim: The privacy blanket of the shuffle model, numbers printed with its code (2019)",
    "koskela2023": "Koskela, Heikkilä, Honkela: Numerical Accounting in the Shuffle Model, numbers stored with its code (2023)",
    "kairouz2021": "Kairouz et al.: Practical and Private (Deep) Learning without Sampling or Shuffling, tests and release (2021)",
    "jaxprivacy": "JAX Privacy: expected values of its tests of matrix mechanisms (2026)",
    "zhuwang2019": "Zhu, Wang: slides on Poisson subsampled Rényi differential privacy (2019)",
}
SOURCES = tuple(TITLES)


def __getattr__(name: str) -> Any:
    """The modules of the sources, which are imported on first use."""
    if name in ("further", "koskela", "others", "shuffler", "trees", "yu"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def rows(only: Sequence[str] = ()) -> tuple[PrintedRow, ...]:
    """The rows of all sources, or those whose id is given or starts with a given source or table.

    >>> [row.printed for row in rows(["yu2019.accounting.gaussian-rho"])]
    ['0.0139']
    """
    from dpbounds.reference.reproduction import further, koskela, others, shuffler, trees, yu

    found = (*yu.rows(), *koskela.rows(), *others.rows(), *further.rows(), *shuffler.rows(), *trees.rows())
    if not only:
        return found
    kept = tuple(row for row in found if any(row.id == name or row.id.startswith(f"{name}.") for name in only))
    for name in only:
        if not any(row.id == name or row.id.startswith(f"{name}.") for row in kept):
            raise InputError(f"no row is called {name}; the sources are {', '.join(SOURCES)}")
    return kept


def outcomes(only: Sequence[str] = ()) -> Iterator[RowOutcome]:
    """Settle rows one after the other.

    >>> [outcome.verdict.value for outcome in outcomes(["yu2019.accounting.gaussian-rho"])]
    ['reproduced']
    """
    for row in rows(only):
        yield settle(row)
