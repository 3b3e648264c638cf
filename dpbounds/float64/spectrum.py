"""Transforms of composed lattice distributions: log|Π F_f^{k_f}|, its phase and its error at the frequencies that matter.

F(θ) = Σ_j w_j e^{−iθj}, w_j ≥ 0, at θ = 2πm/N, m = 0 … N/2. Two ways, for the same result:

*By FFT* of the masses wrapped modulo N; frequencies whose product is below e^{−CUT} of the largest are left out.

*By direct sums* over the few places that carry mass, for m ≤ m₀ only. For the others: cut the places into blocks with distances at most ℓ.
As 1 − cos x ≥ 2x²/π² for |x| ≤ π, for θ ≤ π/ℓ

    |F_b(θ)|² = Σ_{j,l} w_j w_l cos θ(j−l) ≤ W_b² − (4/π²)θ²X_b,   X_b = W_b Σ w_j j² − (Σ w_j j)²   (block b),

so |F(θ)| ≤ Σ_b √(W_b² − (4/π²)θ²X_b), decreasing in θ. With blocks of 2, 3, 4, 6, 8, … nodes (ℓ one less) this covers [θ(m₀), π] piece by
piece, and N need not fit into memory. Sums and moments of distances carry rounding far below what the bound leaves (10⁻⁹ of each term).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import fft

from dpbounds.errors import PrecisionError
from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import HYPOT, LIBM, UNIT_ROUNDOFF, fft_error, sum_error

MAX_POINTS = 2**22
CUT = 45.0
MAX_TERMS = 20_000_000
FFT_COST = 7
"""Terms of direct sums that take as long as one point of an FFT."""
OVERHEAD = 1000
"""Terms that take as long as what one frequency costs apart from its terms."""
FRESH = 8


@dataclass(frozen=True, eq=False)
class SpectrumFactor:
    """One factor: tilted masses of both distributions (two rows: upper, lower) at places (integers, any order, repetitions add up), and
    how often it is repeated."""

    places: Array
    masses: Array
    count: int

    @classmethod
    def of_masses(cls, upper: tuple[Array, Array], lower: tuple[Array, Array], count: int) -> SpectrumFactor:
        """From (places, masses) above and below the truth, which usually begin with the same places."""
        shared = len(lower[0])
        if shared <= len(upper[0]) and np.array_equal(upper[0][:shared], lower[0]):
            masses = np.zeros((2, len(upper[0])))
            masses[0], masses[1, :shared] = upper[1], lower[1]
            return cls(upper[0], masses, count)
        masses = np.zeros((2, len(upper[0]) + shared))
        masses[0, : len(upper[0])], masses[1, len(upper[0]) :] = upper[1], lower[1]
        return cls(np.concatenate((upper[0], lower[0])), masses, count)


@dataclass(frozen=True, eq=False)
class Spectrum:
    """log|Π F_f^{k_f}| and its phase at the frequencies kept, and bounds on its errors.

    Attributes:
        relative_error: at each frequency. spread_error: e_m, such that errors d_m of the transforms obey Σ |d_m/e_m|² ≤ 1 over all N
        frequencies: with weights g_m they add up to √(Σ |e_m g_m|²) at most. left_out: a bound on the product at all other frequencies.
    """

    frequencies: Array
    log_size: Array
    phase: Array
    relative_error: Array
    spread_error: Array
    left_out: float


NOTHING = Spectrum(np.zeros(1, dtype=np.int64), np.full(1, -np.inf), np.zeros(1), np.zeros(1), np.zeros(1), 0.0)


def spectra(parts: list[SpectrumFactor], points: int, tolerance: float) -> tuple[Spectrum, Spectrum]:
    """The spectra of both products, by direct sums where few frequencies matter, else by FFT.

    Raises:
        PrecisionError: more than MAX_POINTS points where the FFT is needed; an overflow of the tilted masses.
    """
    totals = np.array([part.masses.sum(axis=1) for part in parts])
    counts = np.array([part.count for part in parts], dtype=float)
    with np.errstate(divide="ignore"):
        log_zero = counts @ np.log(totals)
    if not log_zero[0] < 200.0 or log_zero[0] == -np.inf:
        raise PrecisionError("the tilt of the lattice overflows: its log-moment estimate is off")
    cut = math.log(points) + math.log(1e4 / tolerance)
    first = min(first_negligible(parts, totals, points, cut), points // 2 + 1)
    terms = first * sum(len(part.places) + OVERHEAD for part in parts)
    if points <= MAX_POINTS and terms > FFT_COST * points:
        return by_fft(parts, 0, points, float(log_zero[0])), by_fft(parts, 1, points, float(log_zero[1]))
    if terms > MAX_TERMS:
        raise PrecisionError(f"the lattice needs {points} points, the limit is {MAX_POINTS}")
    return by_direct_sums(parts, totals, points, first, log_zero - cut)


def core_share(count: int) -> float:
    """The share of mass on neighbouring nodes with which `first_negligible` succeeds for so many repetitions; 0 where the FFT will do it.

    Blocks bound |F| by 1 − 0.09·share at least, and cuts are near 30.
    """
    share = 350 / count
    return share if share < 0.5 else 0.0


@dataclass(frozen=True, eq=False)
class Blocks:
    """Sorted places of one factor in blocks of `size` neighbouring nodes: block numbers, W_b, Σ w·d and Σ w·d², d the distance from the
    start of the block; a row for each of the two distributions."""

    size: int
    numbers: Array
    mass: Array
    first: Array
    second: Array

    @classmethod
    def of_factor(cls, part: SpectrumFactor) -> Blocks:
        """Blocks of one node."""
        order = np.argsort(part.places, kind="stable")
        nothing = np.zeros((2, len(order)))
        return cls(1, part.places[order] - int(part.places.min()), part.masses[:, order], nothing, nothing)

    def joined(self, factor: int) -> Blocks:
        """`factor` neighbouring blocks made one."""
        numbers = self.numbers // factor
        distance = self.size * (self.numbers - factor * numbers).astype(float)
        moved = distance * self.mass
        second = self.second + distance * (2 * self.first + moved)
        starts = np.flatnonzero(np.diff(numbers, prepend=-1))
        mass, first, second = (np.add.reduceat(values, starts, axis=1) for values in (self.mass, self.first + moved, second))
        return Blocks(self.size * factor, numbers[starts], mass, first, second)

    def bound(self, theta: float) -> Array:
        """Σ_b √(W_b² − (4/π²)θ²X_b) for θ ≤ π/(size − 1), of both distributions."""
        square = self.mass * self.mass
        spread = np.maximum(self.mass * self.second - self.first * self.first - 1e-9 * self.size**2 * square, 0.0)
        return np.asarray(np.sqrt(np.maximum(square - (4 / math.pi**2 * theta * theta) * spread, 0.0)).sum(axis=1)) * (1 + 1e-9)


def first_negligible(parts: list[SpectrumFactor], totals: Array, points: int, cut: float) -> int:
    """m₀: at all m₀ ≤ m ≤ N/2 both products are at most e^{−cut} of theirs at m = 0."""
    single = [Blocks.of_factor(part) for part in parts]
    counts = [part.count for part in parts]

    def far(blocks: list[Blocks], theta: float) -> bool:
        logs = np.zeros(2)
        for each, total, count in zip(blocks, totals, counts, strict=True):
            logs += count * np.log(np.clip(each.bound(theta) / np.maximum(total, 1e-300), 1e-300, 1.0))
        return bool(np.all((logs <= -cut) | ~np.all(totals > 0, axis=0)))

    current, following = [each.joined(2) for each in single], [each.joined(3) for each in single]
    upper = math.pi
    while True:
        lower = math.pi / (following[0].size - 1)
        if not far(current, lower):
            if far(current, upper):
                for _ in range(8):
                    middle = math.sqrt(lower * upper)
                    lower, upper = (lower, middle) if far(current, middle) else (middle, upper)
            return math.ceil(upper * points / (2 * math.pi)) + 1
        if following[0].size > points:
            return 1
        upper = lower
        current, following = following, [each.joined(2) for each in current]


def by_direct_sums(parts: list[SpectrumFactor], totals: Array, points: int, first: int, log_far: Array) -> tuple[Spectrum, Spectrum]:
    """The spectra for m < first."""
    values, errors = transforms(parts, totals, points, first)
    found = []
    for row in (0, 1):
        if not np.all(totals[:, row] > 0):
            found.append(NOTHING)
            continue
        log_size, phase, exponent = np.zeros(first), np.zeros(first), np.zeros(first)
        for index, part in enumerate(parts):
            _multiply(values[row, index], float(errors[row, index]), part.count, log_size, phase, exponent)
        left_out = math.exp(min(float(log_far[row]), 600.0)) if first <= points // 2 else 0.0
        relative = np.expm1(np.minimum(exponent, 600.0))
        found.append(Spectrum(np.arange(first), log_size, np.mod(phase, 2 * math.pi), relative, np.zeros(first), left_out))
    return found[0], found[1]


def transforms(parts: list[SpectrumFactor], totals: Array, points: int, first: int) -> tuple[Array, Array]:
    """F_f(m) of both distributions for m < first, and bounds on their errors: e^{−2πijm/N} is turned by e^{−2πij/N} from one m to the next
    and starts afresh every FRESH frequencies.

    A fresh start is off by √2·LIBM and by the rounding of its angle, at most π·3u; each turn adds as much, and 3u for the product.
    """
    values = np.empty((2, len(parts), first), dtype=complex)
    errors = np.empty((2, len(parts)))
    for index, part in enumerate(parts):
        places = part.places % points
        upper, lower = part.masses
        once = _unit(places, points)
        turned = once
        for m in range(first):
            turned = _unit(places * m % points, points) if m % FRESH == 0 else turned * once
            values[0, index, m] = (upper * turned).sum()
            values[1, index, m] = (lower * turned).sum()
        errors[:, index] = totals[index] * (FRESH * (1.5 * LIBM + 13 * UNIT_ROUNDOFF) + 2 * sum_error(len(places)))
    return values, errors


def _unit(places: Array, points: int) -> Array:
    """e^{−2πi j/N} for 0 ≤ j < N, from an angle in [−π, π]."""
    angle = (2 * math.pi / points) * np.where(2 * places > points, places - points, places)
    result = np.empty(len(places), dtype=complex)
    result.real, result.imag = np.cos(angle), -np.sin(angle)
    return result


def _multiply(values: Array, error: float, count: int, log_size: Array, phase: Array, exponent: Array) -> None:
    """Multiply a product by values^count, in place; |v^k| and its phase are off by at most |v|^k((1+e/|v|)^k − 1) and rounding: k times
    the errors of |v| (HYPOT), of its logarithm and of the angle, each with the product by k and, for the angle, the remainder mod 2π.
    Adding to what was there rounds once more, at the size of the sums. A size far below e says nothing: e/1000 in its place is off by
    less than 1.002 e, which (1+e/|v|)^1.5 covers, and keeps an e that multiplies a size of 0 from being lost."""
    size = np.maximum(np.abs(values), 1e-3 * error)
    angle = np.angle(values)
    with np.errstate(divide="ignore"):
        logs = np.log(size)
        log_size += count * logs
        phase += np.mod(count * angle, 2 * math.pi)
        rounding = HYPOT + 4 * UNIT_ROUNDOFF + 2 * LIBM * (np.abs(logs) + np.abs(angle))
        exponent += count * (np.log1p(error / size) * 1.5 + rounding) + UNIT_ROUNDOFF * (np.abs(log_size) + phase)


def by_fft(parts: list[SpectrumFactor], row: int, points: int, log_zero: float) -> Spectrum:
    """All frequencies by one real FFT for each factor; the powers only where the product is not negligible.

    Wrapping adds at most n masses to one bin: n·u·Σw at every frequency. The error of the FFT is small as a vector: its 2-norm over all N
    frequencies is at most E_f, √2 times the relative 2-norm error of the model times √N‖w‖₂ (√2, as a real FFT has every frequency but
    two once, and they are twice among the N). As |Π a_i − Π b_i| ≤ Σ_i |a_i − b_i|·Π_{j≠i} max(|a_j|, |b_j|), errors d_f of the values
    change the product by at most Σ_f |d_f|·D_f, D_f = k_f·Π_g (|F_g| + E_g)^{k_g}/(|F_f| + E_f); for r factors Cauchy–Schwarz gives
    e = √r·Σ_f E_f D_f. A product left out is at most Π(|F_f| + E_f)^{k_f}.
    """
    if log_zero == -math.inf:
        return NOTHING
    transforms = []
    log_sizes = np.zeros(points // 2 + 1)
    with np.errstate(divide="ignore"):
        for part in parts:
            places = part.places % points
            masses = np.bincount(places, part.masses[row], points)
            values = fft.rfft(masses)
            norm = math.sqrt(float(np.square(masses).sum()))
            added = float(np.bincount(places).max()) * UNIT_ROUNDOFF * float(masses.sum())
            transforms.append((values, math.sqrt(2 * points) * fft_error(points) * norm, added, part.count))
            log_sizes += (0.5 * part.count) * np.log(values.real**2 + values.imag**2)
    kept = log_sizes > log_zero - CUT
    keep, rest = np.flatnonzero(kept), np.flatnonzero(~kept)
    log_size, phase, exponent, log_rest = np.zeros(len(keep)), np.zeros(len(keep)), np.zeros(len(keep)), np.zeros(len(rest))
    log_most, share = np.zeros(len(keep)), np.zeros(len(keep))
    for values, error, added, count in transforms:
        _multiply(values[keep], added, count, log_size, phase, exponent)
        most = np.abs(values[keep]) + error + added
        log_most += count * np.log(most)
        share += count * error / most
        if len(rest):
            largest = np.max(np.abs(values[rest]), keepdims=True) if len(transforms) == 1 else np.abs(values[rest])
            log_rest = log_rest[: len(largest)] + count * np.log(largest + error + added)
    left_out = math.exp(min(float(log_rest.max()), 600.0)) * (1 + 1e-9) if len(rest) else 0.0
    spread = math.sqrt(len(parts)) * (1 + 1e-6) * share * np.exp(np.minimum(log_most, 600.0))
    return Spectrum(keep, log_size, np.mod(phase, 2 * math.pi), np.expm1(np.minimum(exponent, 600.0)), spread, left_out)
