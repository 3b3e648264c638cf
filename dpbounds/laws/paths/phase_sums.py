"""Σ w_i·e^{ijhL_i}, j = 0 … count−1: the moments M(x + ijh) of a law that is a sum over its losses L_i.

Many digits take many terms and many j, and most of that can be saved:

* a weight that is 2^{−m} of the largest needs m bits less, and so does a sum that is multiplied by something small;
* real losses have |e^{ihL}| = 1, so that the terms of ±α come from one product with the cosine and one with the sine of αhL;
* losses that lie near each other vary little over all j: their terms come from an expansion (`power_sums.expanded_sums`).

All of it is in balls: how the terms are shared out decides about widths and time alone.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Sequence
from functools import lru_cache

from flint import acb, arb, arb_mat, ctx

from dpbounds.errors import PrecisionError
from dpbounds.laws.paths.power_sums import Share, expanded_sums, power_sums, powers_of
from dpbounds.numbers.balls import precision, working_bits

_MOST_ENTRIES = 4_000_000
_KEPT = 100_000
_MOST_PRODUCTS = 5_000_000_000
_PLAIN_BITS = 300
"""Up to so many bits, all terms are taken alike."""
_FEW_POINTS = 100
_BAND = 128
"""Terms whose bits differ by less than this are taken together."""
_FEWEST_BITS = 64
_GUARD = 16
_REACHES = (128.0, 64.0, 32.0, 16.0, 8.0, 4.0, 2.0)
"""Largest phases of terms that are expanded, from the least loss and the centre of the points."""
_SMALLER = (0, 1, 2, 4, 8, 16, 32)
"""Terms whose phases are 2^{−this} of the largest share an expansion, which is the shorter the smaller they are."""
_EVALUATION = 2.0
"""A term of an expansion at one point costs as many products as this."""
_STRETCHES = 3
"""Parts of the j that are summed with bits of their own."""


def phase_sums(
    weights: Sequence[arb | acb], losses: Sequence[arb | acb], h: arb, count: int, spare: Callable[[int], float] | None = None
) -> list[acb]:
    """Σ_i w_i e^{ijhL_i} for j = 0 … count−1, Im L_i ≥ 0.

    Args:
        spare: bits that the j-th sum needs less than the first, growing with j.

    Raises:
        PrecisionError: it would take about ten minutes.

    >>> [int(total.real.unique_fmpz()) for total in phase_sums([arb(1), arb(2)], [arb(0), arb(0)], arb(1), 2)]
    [3, 3]
    """
    if count == 1:
        return [acb(sum(weights, arb(0)))]
    size = len(weights)
    require_affordable(count, size, size * 2 * math.isqrt(count))
    real = [loss for loss in losses if isinstance(loss, arb)]
    if working_bits() <= _PLAIN_BITS or count < _FEW_POINTS or len(real) < size or not real:
        return _plain_sums(weights, losses, h, count)
    wanted = _wanted_bits(weights)
    near = _near(real, h, count)
    sums = _near_sums(weights, real, h, count, near, wanted) if near else [acb(0)] * count
    bands: dict[int, list[int]] = {}
    for index in set(range(size)).difference(*near.values()):
        bands.setdefault(wanted[index], []).append(index)
    for bits, indices in bands.items():
        own = _band_sums([weights[i] for i in indices], [real[i] for i in indices], h, count, bits, spare or (lambda j: 0.0))
        sums = [total + part for total, part in zip(sums, own, strict=True)]
    return sums


def _wanted_bits(weights: Sequence[arb | acb]) -> list[int]:
    """The bits that each term needs against the largest."""
    sizes, bits = [], working_bits()
    with precision(53):
        for weight in weights:
            size = arb(abs(weight).upper())
            sizes.append(float(size.log().mid()) / math.log(2) if size > 0 and size.is_finite() else -math.inf if size == 0 else math.inf)
    most = max(sizes)
    below = [most - size if math.isfinite(size) and math.isfinite(most) else 0.0 for size in sizes]
    return [max(_FEWEST_BITS, bits + _GUARD - _BAND * int(down / _BAND)) for down in below]


def _near(losses: Sequence[arb], h: arb, count: int) -> dict[float, list[int]]:
    """The terms whose losses are so near the least that an expansion pays, by a bound on their phases."""
    places = [float(loss.mid()) for loss in losses]
    least, half, bits = min(places), float(h) * (count - 1) / 2, working_bits()
    phases = [(place - least + 1e-15 * abs(place)) * half for place in places]
    ordered = sorted(phases)
    best: tuple[float, list[float]] = (0.0, [])
    for reach in _REACHES:
        bounds = [reach * 2.0**-smaller for smaller in _SMALLER]
        within = [*(bisect.bisect_right(ordered, bound) for bound in bounds), 0]
        saved = sum((more - fewer) * (count - _terms(bound, bits)) for bound, more, fewer in zip(bounds, within, within[1:], strict=False))
        best = max(best, (saved - _EVALUATION * _terms(reach, bits) * count, bounds))
    bounds = sorted(best[1])
    near: dict[float, list[int]] = {}
    for index, phase in enumerate(phases if bounds else []):
        if phase <= bounds[-1]:
            near.setdefault(bounds[bisect.bisect_left(bounds, phase)], []).append(index)
    return near


@lru_cache(maxsize=4096)
def _terms(reach: float, bits: int) -> int:
    """The fewest K with reach^K/K! < 2^{−bits}."""
    terms, size = 0, 0.0
    while size > -bits * math.log(2):
        terms += 1
        size += math.log(reach / terms)
    return terms


def _near_sums(
    weights: Sequence[arb | acb], losses: Sequence[arb], h: arb, count: int, near: dict[float, list[int]], wanted: Sequence[int]
) -> list[acb]:
    """The sums of those terms by expansions around the middle of the points; the least of the losses is a phase apart."""
    indices = [index for some in near.values() for index in some]
    least = arb(min(float(losses[index].mid()) for index in indices))
    points = [acb(0, h * j) for j in range(count)]
    shares: dict[tuple[float, int], list[int]] = {}
    for place, (bound, index) in enumerate((bound, index) for bound, some in near.items() for index in some):
        shares.setdefault((bound, wanted[index]), []).append(place)
    sums = expanded_sums(
        [acb(weights[i]) for i in indices],
        [acb(losses[i] - least) for i in indices],
        points,
        [Share(places, _terms(bound, bits), bits) for (bound, bits), places in shares.items()],
    )
    return [total * (z * least).exp() for total, z in zip(sums, points, strict=True)]


def _band_sums(
    weights: Sequence[arb | acb], losses: Sequence[arb], h: arb, count: int, bits: int, spare: Callable[[int], float]
) -> list[acb]:
    """The sums of terms of like size: by stretches of j, each with the bits that it needs, and in blocks that fit into memory."""
    length = -(-count // _STRETCHES)
    chunk = max(1, _KEPT // (2 * math.isqrt(length) + 1))
    totals: list[acb] = []
    with precision(bits):
        bases = [acb(0, h * loss).exp() for loss in losses]
        ahead = [base**length for base in bases]
        turned = [acb(weight) for weight in weights]
    for start in range(0, count, length):
        with precision(max(_FEWEST_BITS, bits - int(spare(start)))):
            number = min(length, count - start)
            sums = [acb(0)] * number
            for first in range(0, len(weights), chunk):
                part = slice(first, first + chunk)
                sums = [total + own for total, own in zip(sums, turned_sums(turned[part], bases[part], number), strict=True)]
            totals += sums
            turned = [weight * base for weight, base in zip(turned, ahead, strict=True)]
    return totals


def turned_sums(weights: Sequence[acb], bases: Sequence[acb], count: int) -> list[acb]:
    """Σ w·b^j, b = e^{iθ}, θ real: with j = a + (2a+1)β ± α and W = w·b^{a+(2a+1)β}, ΣW·b^{±α} = ΣW·cos(αθ) ± i·ΣW·sin(αθ).

    >>> [total.real.str(5, radius=False) for total in turned_sums([acb(1)], [acb(0, 1).exp()], 3)]
    ['1.0000', '0.54030', '-0.41615']
    """
    half = round(math.sqrt(count))
    outer = -(-count // (2 * half + 1))
    small = powers_of(list(bases), half + 1)
    large = powers_of([power * power * base for power, base in zip(small[half], bases, strict=True)], outer)
    turned = [weight * power for weight, power in zip(weights, small[half], strict=True)]
    columns = [[entry * weight for entry, weight in zip(row, turned, strict=True)] for row in large]
    size, height = len(weights), half + 1
    cosines = arb_mat(height, size, [power.real for row in small[:height] for power in row])
    sines = arb_mat(height, size, [power.imag for row in small[:height] for power in row])
    real = arb_mat(outer, size, [entry.real for column in columns for entry in column]).transpose()
    imag = arb_mat(outer, size, [entry.imag for column in columns for entry in column]).transpose()
    tables = [(rows * part).tolist() for rows in (cosines, sines) for part in (real, imag)]
    found = [acb(0)] * (outer * (2 * half + 1))
    for beta in range(outer):
        centre = half + (2 * half + 1) * beta
        for alpha in range(height):
            cos_real, cos_imag, sin_real, sin_imag = (table[alpha][beta] for table in tables)
            found[centre + alpha] = acb(cos_real - sin_imag, cos_imag + sin_real)
            found[centre - alpha] = acb(cos_real + sin_imag, cos_imag - sin_real)
    return found[:count]


def _plain_sums(weights: Sequence[arb | acb], losses: Sequence[arb | acb], h: arb, count: int) -> list[acb]:
    """The sums of all terms alike, in blocks that fit into memory."""
    turn, chunk = acb(0, h), max(1, _KEPT // (2 * math.isqrt(count) + 1))
    parts = []
    for start in range(0, max(1, len(weights)), chunk):
        bases = [(turn * loss).exp() for loss in losses[start : start + chunk]]
        parts.append(power_sums(weights[start : start + chunk], bases, count))
    return parts[0] if len(parts) == 1 else [sum(column, acb(0)) for column in zip(*parts, strict=True)]


def require_affordable(count: int, size: int, entries: int = 0) -> None:
    """Let pass what takes about ten minutes at the current precision: `count` moments of `size` nodes each, by tables of so many entries.

    Raises:
        PrecisionError: it would take longer.
    """
    if entries > _MOST_ENTRIES or size * count > _MOST_PRODUCTS / max(1.0, ctx.prec / _PLAIN_BITS) ** 1.6:
        raise PrecisionError(
            f"the contour would need {count} moments of {size} nodes each; no digit was reached; "
            "few steps with a tiny sampling rate can be out of reach; ask for fewer digits"
        )
