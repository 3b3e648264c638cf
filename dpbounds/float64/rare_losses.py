"""Spectra of what rare large losses add: Π(A_f + B_f)^{k_f} − ΠA_f^{k_f}, A_f the transform of the losses of one use up to a level and B_f
that of the rare ones above it.

Where δ(ε) comes from the rare losses alone, the tilted bulk ΠA_f^{k_f} is larger than δ by so much that its rounding hides δ. It need not
be summed: without a rare loss the part of δ is at least 0 and at most ΠM_{A_f}(x)^{k_f}e^{−xε} for any x > 0 (Chernoff). What remains,

    D = ΠA_f^{k_f}·(e^w − 1),    w = Σ k_f·log(1 + B_f/A_f),

is the transform of masses ≥ 0 again, at most those of the whole, so that all bounds on aliases hold as they do for the whole.

*Errors of the transforms.* D is a polynomial in the A_f and B_f with coefficients ≥ 0. With computed values a_f, b_f, errors e_A, e_B and
X_f = |a_f| + e_A, Y_f = |b_f| + e_B, T = Π(X_f + Y_f)^{k_f} and D⁺ = T − ΠX_f^{k_f} = T(1 − e^{−Σ k_f log(1 + Y_f/X_f)}), its derivative in
B_f is at most k_f·T/(X_f + Y_f) and that in A_f at most k_f·D⁺/X_f, as no term of T − ΠX^k has a power of X_f above k_f; so D is off by

    Σ k_f·(e_B·T/(X_f + Y_f) + e_A·D⁺/X_f) at most.

*Rounding.* r_f = b_f/a_f, |r_f| ≤ 1/2, is off by at most 8u|r_f|, hence its logarithm by 16u|r_f|. Re log(1+r) = ½·log1p(2x + x² + y²),
whose argument is at least −3/4 and off by 7.5u|r|: 15u|r|, and LIBM of 1.4|r|; arg(1+r) ≤ 1.05|r| is off by LIBM and u of itself. That is
less than 10·LIBM·|r|, and w is off by 11·LIBM·W, W = Σ k_f|r_f|, sums included; |w| ≤ 1.4W.
e^w − 1 = expm1(x)cos y − 2sin²(y/2) + i·e^x sin y is then off by 1.01·11·LIBM·W·e^{1.4W}, and by 4·LIBM of its three terms, which are at
most |w|e^{|x|} each: 30·LIBM·W·e^{1.4W} in all. The powers of a_f cost what they do in `spectrum`; the exponential, the modulus and the
angle, at most π, with its remainder mod 2π, cost 8·LIBM, and the logarithm LIBM of itself. Where some |r_f| > 1/2, |a_f| ≤ e_A or W > 3,
0 stands for D, which is at most T + ΠX^k ≤ 2T.

*Other frequencies.* |D| ≤ |Π(A_f+B_f)^{k_f}| + |ΠA_f^{k_f}|, both at most e^{−cut} of what they are at 0.
"""

from __future__ import annotations

import math

import numpy as np

from dpbounds.errors import PrecisionError
from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import HYPOT, LIBM, UNIT_ROUNDOFF
from dpbounds.float64.spectrum import NOTHING, OVERHEAD, Spectrum, SpectrumFactor, first_negligible, transforms

MOST = 1.0
"""The mean number of rare losses, tilted, up to which they are taken apart."""
MOST_TERMS = 4_000_000
_WIDEST = 3.0
_LEAST = 1e-280
"""More than underflow loses; far below what matters."""


def parted(parts: list[SpectrumFactor], levels: list[float]) -> tuple[list[SpectrumFactor], list[SpectrumFactor]]:
    """The masses at places up to a level, for each factor, and those above."""
    bulk, rare = [], []
    for part, level in zip(parts, levels, strict=True):
        inside = part.places <= level
        bulk.append(SpectrumFactor(part.places[inside], part.masses[:, inside], part.count))
        rare.append(SpectrumFactor(part.places[~inside], part.masses[:, ~inside], part.count))
    return bulk, rare


def rare_spectra(
    parts: list[SpectrumFactor], bulk: list[SpectrumFactor], rare: list[SpectrumFactor], points: int, tolerance: float
) -> tuple[Spectrum, Spectrum]:
    """The spectra of D above and below the truth.

    Raises:
        PrecisionError: large losses are not rare, or too many frequencies matter.
    """
    counts = np.array([part.count for part in parts], dtype=float)
    totals, own, more = (np.array([part.masses.sum(axis=1) for part in group]) for group in (parts, bulk, rare))
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = counts @ (more / own)
        log_zero = counts @ np.log(totals)
    if not (0 < expected[0] <= MOST and np.all(own > 0) and log_zero[0] < 200.0):
        raise PrecisionError("large losses are not rare enough to be taken apart")
    cut = math.log(points) + math.log(1e4 / tolerance) - math.log(max(min(expected[expected > 0]), 1e-300)) + 1.0
    first = max(first_negligible(group, sums, points, cut) for group, sums in ((parts, totals), (bulk, own)))
    first = min(first, points // 2 + 1)
    if first * sum(len(part.places) + OVERHEAD for part in parts) > MOST_TERMS:
        raise PrecisionError("the lattice needs too many frequencies")
    a, a_errors = transforms(bulk, own, points, first)
    b, b_errors = transforms([part if len(part.places) else _NONE for part in rare], more, points, first)
    found = []
    for row in (0, 1):
        if not expected[row] > 0:
            found.append(NOTHING)
            continue
        log_size, phase, relative = _difference(a[row], b[row], a_errors[row], b_errors[row], counts)
        left_out = 2 * math.exp(min(float(log_zero[row]) - cut, 600.0)) * (1 + 1e-6) if first <= points // 2 else 0.0
        found.append(Spectrum(np.arange(first), log_size, phase, relative, np.zeros(first), left_out))
    return found[0], found[1]


_NONE = SpectrumFactor(np.zeros(1, dtype=np.int64), np.zeros((2, 1)), 1)


def _difference(a: Array, b: Array, a_errors: Array, b_errors: Array, counts: Array) -> tuple[Array, Array, Array]:
    """log|D|, its phase and its relative error at each frequency, from a row of values for each factor."""
    k = counts[:, None]
    size, angle, e_a, e_b = np.abs(a), np.angle(a), a_errors[:, None] * (1 + 1e-12), b_errors[:, None] * (1 + 1e-12)
    x, y = size * (1 + HYPOT) + e_a, np.abs(b) * (1 + HYPOT) + e_b
    log_both = np.log(x + y)
    log_most = counts @ log_both + counts @ (2 * LIBM * (np.abs(log_both) + 1))
    most = np.exp(np.minimum(log_most, 600.0)) * 1.001
    added = most * -np.expm1(-(counts @ np.log1p(y / x))) * 1.001
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = b / a
        spread = counts @ np.abs(ratio)
        good = np.all((np.abs(ratio) <= 0.5) & (size > e_a), axis=0) & (spread <= _WIDEST)
    ratio, spread = np.where(good, ratio, 0.0), np.where(good, spread, 0.0)
    logs = np.log(np.maximum(size, _LEAST))
    real = counts @ (0.5 * np.log1p(2 * ratio.real + np.square(ratio.real) + np.square(ratio.imag)))
    imaginary = counts @ np.arctan2(ratio.imag, 1 + ratio.real)
    gain = np.empty(len(real), dtype=complex)
    gain.real = np.expm1(real) * np.cos(imaginary) - 2 * np.square(np.sin(0.5 * imaginary))
    gain.imag = np.exp(real) * np.sin(imaginary)
    log_bulk, turn = counts @ logs, (np.mod(k * angle, 2 * math.pi)).sum(axis=0)
    powers = counts @ (HYPOT + 4 * UNIT_ROUNDOFF + 2 * LIBM * (np.abs(logs) + np.abs(angle)))
    powers += 2 * len(counts) * UNIT_ROUNDOFF * (np.abs(log_bulk) + turn + counts @ np.abs(logs))
    whole = np.exp(np.minimum(log_bulk, 600.0))
    value = np.where(good, whole * np.abs(gain), 0.0)
    transformed = (k * (e_b * most / (x + y) + e_a * added / x)).sum(axis=0)
    rounded = value * (np.expm1(np.minimum(powers, 600.0)) + 8 * LIBM) + whole * np.exp(
        np.minimum(powers, 600.0)
    ) * 30 * LIBM * spread * np.exp(1.4 * spread)
    error = 1.01 * np.where(good, transformed + rounded, 2 * most) + _LEAST
    kept = np.maximum(value, 1e-3 * error)
    log_kept = np.log(kept)
    return log_kept, np.mod(turn + np.angle(gain), 2 * math.pi), 1.01 * (error / kept + LIBM * np.abs(log_kept))
