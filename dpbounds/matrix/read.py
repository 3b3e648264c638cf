"""Matrices that come in exactly: a file, Toeplitz coefficients, a buffered linear Toeplitz (BLT) recursion, or the binary tree."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm
from operator import mul
from pathlib import Path

from dpbounds.errors import InputError
from dpbounds.numbers import exact

MOST_STEPS, MOST_DENSE = 4096, 300
_OF_NUMBERS = set("0123456789,./-+e ")
_EXACT_BITS, _FIXED_BITS = 60_000, 256


@dataclass(frozen=True)
class Matrix:
    """C, n × n; for the binary tree one row for each of its nodes.

    Args:
        rows: the entries of a dense matrix; empty for a Toeplitz one.
        coefficients: c_0, c_1, … of a lower triangular Toeplitz matrix, C_ij = c_{i−j}, n of them.
        error: a bound on the error of each entry: 0 where they are exact.
        leaves: n of the binary tree: the sums of the blocks a·2^h, …, (a + 1)·2^h − 1 that are complete in n steps.
    """

    rows: tuple[tuple[Fraction, ...], ...] = ()
    coefficients: tuple[Fraction, ...] = ()
    error: Fraction = Fraction(0)
    leaves: int = 0

    @property
    def steps(self) -> int:
        """n."""
        return len(self.rows) or len(self.coefficients) or self.leaves

    def bandwidth(self) -> int:
        """The least p with (CᵀC)_ij = 0 for |i − j| ≥ p, as far as the zeros of the entries show."""
        if self.leaves:
            return 1 << (self.leaves.bit_length() - 1)
        if self.coefficients:
            return max((j + 1 for j, c in enumerate(self.coefficients) if c), default=0)
        spans = ([j for j, c in enumerate(row) if c] for row in self.rows)
        return max((span[-1] - span[0] + 1 for span in spans if span), default=0)

    def gram(self, least_lag: int) -> tuple[list[list[int]], int]:
        """(CᵀC)_{i, i+d} as integers over one denominator: rows i, columns d; 0 for 0 < d < least_lag, where nobody asks.

        Toeplitz: G_{i,i+d} = Σ_{l < n−i−d} c_l c_{l+d}. The binary tree: the number of nodes that both steps are in.
        """
        n, bands = self.steps, self.bandwidth()
        if self.leaves:
            blocks = [[((i >> h) + 1) << h for h in range(bands.bit_length())] for i in range(n)]
            ends = [[end for end in row if end <= n] for row in blocks]
            return [[sum(i + d < end for end in ends[i]) for d in range(min(bands, n - i))] for i in range(n)], 1
        entries = self.coefficients or tuple(entry for row in self.rows for entry in row)
        unit = lcm(*{entry.denominator for entry in entries})
        found = [[0] * min(bands, n - i) for i in range(n)]
        c = [int(x * unit) for x in self.coefficients]
        columns = [[int(x * unit) for x in column] for column in zip(*self.rows, strict=True)]
        for d in (d for d in range(bands) if d == 0 or d >= least_lag):
            pairs = zip(columns, columns[d:], strict=False)
            sums = accumulate(map(mul, c, c[d:])) if c else (sum(map(mul, *pair)) for pair in pairs)
            for i, total in enumerate(sums):
                found[n - d - 1 - i if c else i][d] = total
        return found, unit * unit


def read_matrix(source: str, steps: int | None = None) -> Matrix:
    """A matrix from a file or a text.

    Args:
        source: a .npy file (floats are taken exactly as they are stored), a .csv file of decimals or fractions, `toeplitz:1,1/2,…`
            or `1,1/2,…` (first column), `blt:θ_1,θ_2:ω_1,ω_2` (c_0 = 1, c_j = Σ_i ω_i θ_i^{j−1}), or `tree`, the sums of a binary
            tree over the steps. One row or column of a file is a first column.
        steps: n; needed for Toeplitz, BLT and tree.

    Raises:
        InputError: what is wrong, in one line.

    >>> read_matrix("1,1/2", 3).coefficients
    (Fraction(1, 1), Fraction(1, 2), Fraction(0, 1))
    """
    kind, _, text = source.partition(":")
    if source == "tree":
        if steps is None:
            raise InputError("a tree needs --steps, such as --matrix tree --steps 2000")
        return Matrix(leaves=_within(steps))
    if kind == "blt":
        return _blt(text, steps)
    if kind == "toeplitz" or (set(source) <= _OF_NUMBERS and not Path(source).exists()):
        cells = (text if kind == "toeplitz" else source).split(",")
        return _toeplitz([exact.rational(cell.strip(), "a coefficient") for cell in cells], steps)
    path = Path(source)
    if not path.is_file():
        raise InputError(f"there is no file {source}; give a .npy or .csv file, or toeplitz:1,1/2")
    rows = _npy(path) if path.suffix == ".npy" else _csv(path)
    if len(rows) == 1 or all(len(row) == 1 for row in rows):
        return _toeplitz(rows[0] if len(rows) == 1 else [row[0] for row in rows], steps)
    n = len(rows)
    if any(len(row) != n for row in rows):
        raise InputError(f"the matrix must be square, got {n} rows and {sorted({len(row) for row in rows})} columns")
    if steps not in (None, n):
        raise InputError(f"the matrix has {n} steps, --steps says {steps}; drop --steps")
    if n > MOST_DENSE:
        raise InputError(f"a dense matrix may have {MOST_DENSE} steps, got {n}; give a Toeplitz one by its first column")
    return Matrix(rows=tuple(tuple(row) for row in rows))


def _within(steps: int) -> int:
    if not 1 <= steps <= MOST_STEPS:
        raise InputError(f"steps must be between 1 and {MOST_STEPS}, got {steps}")
    return steps


def _toeplitz(given: list[Fraction], steps: int | None) -> Matrix:
    n = _within(len(given) if steps is None else steps)
    return Matrix(coefficients=tuple(given[:n]) + (Fraction(0),) * (n - len(given)))


def _blt(text: str, steps: int | None) -> Matrix:
    decays, _, scales = text.partition(":")
    theta = [exact.rational(cell.strip(), "theta") for cell in decays.split(",")]
    omega = [exact.rational(cell.strip(), "omega") for cell in scales.split(",") if cell.strip()]
    if len(theta) != len(omega) or steps is None:
        raise InputError("a BLT needs as many omega as theta and --steps, such as blt:0.9,0.5:0.1,0.2 --steps 100")
    if not all(0 <= t <= 1 for t in theta):
        raise InputError("each theta of a BLT must lie in [0, 1]")
    short = _within(steps) * sum(t.denominator.bit_length() for t in theta) <= _EXACT_BITS // steps + 2000
    # Else in fixed point: each product is rounded down by less than one unit; with 0 ≤ θ ≤ 1 errors
    # add up to n units for each ω.
    unit = 1 if short else 1 << _FIXED_BITS
    powers, found = [w if short else Fraction(w * unit // 1) for w in omega], [Fraction(1)]
    for _ in range(steps - 1):
        found.append(sum(powers, Fraction(0)) / unit)
        powers = [p * t if short else Fraction(p * t // 1) for p, t in zip(powers, theta, strict=True)]
    return Matrix(coefficients=tuple(found), error=Fraction(0 if short else steps * len(theta), unit))


def _csv(path: Path) -> list[list[Fraction]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = [[cell.strip() for cell in row if cell.strip()] for row in csv.reader(file)]
    found = [[exact.rational(cell, f"an entry of {path.name}") for cell in row] for row in rows if row]
    if not found:
        raise InputError(f"{path.name} is empty")
    return found


def _npy(path: Path) -> list[list[Fraction]]:
    try:
        import numpy
    except ImportError as error:
        raise InputError("a .npy file needs numpy: pip install dpbounds[float64], or save it as .csv") from error
    try:
        given = numpy.load(path, allow_pickle=False)
        if given.ndim not in (1, 2) or given.dtype.kind not in "fiu" or not given.size:
            raise ValueError(f"numbers in one or two dimensions are needed, got {given.dtype} in {given.ndim}")
        return [[Fraction(entry) for entry in row] for row in numpy.atleast_2d(given).tolist()]
    except (ValueError, OverflowError, EOFError) as error:
        raise InputError(f"{path.name}: {error}") from error
