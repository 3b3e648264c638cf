"""Sums of powers and of exponentials, Σ w_i·b_i^k and Σ w_i·e^{z_j·g_i}, for many k or z at the price of few multiplications a term.

With k = α + Aβ, Σ w_i·b_i^k is an entry of a product of two small matrices, (b_i^α) and (w_i·b_i^{Aβ}).

Exponentials at points z_j that lie close to each other come from an expansion around a centre c: with W_i = w_i·e^{c·g_i} and
x_i = r·|g_i|, r ≥ |z_j − c| for all j,

    Σ w_i·e^{z_j·g_i} = Σ_{k<K} (z_j − c)^k/k! · Σ_i W_i·g_i^k + ρ_j,    |ρ_j| ≤ Σ_i |W_i|·t_K(x_i),

t_K(x) = Σ_{k≥K} x^k/k!, which is at most e^x, and at most x^K/K! · 1/(1 − x/(K+1)) if x < K + 1 (each term is at most x/(K+1) times the
one before it).

Terms of similar size share an expansion, Σ_i being the sum over the shares and so Σ_i |W_i|·t_{K}(x_i) with the K of each: small terms need
fewer bits and a shorter one. All of it is in balls, and a ball of few bits is an enclosure too.

The polynomial is in powers of (z − c)/d, with g_i·d for g_i: any d ≠ 0 will do. Along the line from the first point to the last these are
nearly real. Else every product of two complex balls, which are rectangles, could make the radius √2 times as large as need be.

The expansion rounds numbers as large as |W_i|·e^{x_i}. Where that is far above |w_i·e^{z_j·g_i}|, as for points along the imaginary axis
with a large x_i, the digits would cancel: the points are then halved, and sums for a few points that still lie too far apart are taken
directly.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass

from flint import acb, acb_mat, acb_poly, arb

from dpbounds.numbers.balls import precision, working_bits
from dpbounds.numbers.discs import ball_around_zero

_BITS = 53
_FEWEST_POINTS = 12
_FEWEST_TERMS = 4
_MOST_TERMS = 3000
_BAND = 32
"""Terms whose bits differ by less than this share an expansion."""
_LENGTHS = (0.5, 30.0)
"""Sizes x_i between which terms share an expansion: a small one needs a short expansion, however few bits it has."""
_FEWEST_BITS = 32
_GUARD = 6
"""Bits beyond those of the size of a term, for the sum over the shares; what powers cost is the same in all of them."""
_MOST_CANCELLED = 16
"""So many bits may cancel in an expansion."""
_EXPONENTIAL = 10.0
"""Multiplications in Python that take as long as one exponential."""
_PRODUCT = 0.7
"""The same for one multiplication within a product of matrices."""


def power_sums(weights: Sequence[arb | acb], bases: Sequence[acb], count: int) -> list[acb]:
    """Σ_i w_i·b_i^k for k = 0 … count−1, enclosed at the current precision.

    >>> [int(total.real.unique_fmpz()) for total in power_sums([acb(1), acb(2)], [acb(2), acb(3)], 4)]
    [3, 8, 22, 62]
    """
    inner = max(1, round(count**0.5))
    outer = -(-count // inner)
    size = len(weights)
    small = powers_of(list(bases), inner + 1)
    large = powers_of(small[inner], outer)
    left = acb_mat(inner, size, [entry for row in small[:inner] for entry in row])
    right = acb_mat(outer, size, [entry * weight for row in large for entry, weight in zip(row, weights, strict=True)])
    table = (left * right.transpose()).tolist()
    return [table[k % inner][k // inner] for k in range(count)]


def powers_of(base: list[acb], count: int) -> list[list[acb]]:
    """Rows base^0 … base^(count−1); each by halving, so that the rounding errors grow like the exponent and not exponentially."""
    rows = [[acb(1)] * len(base), base]
    for n in range(2, count):
        rows.append([p * r for p, r in zip(rows[n // 2], rows[n - n // 2], strict=True)])
    return rows[:count]


@dataclass(frozen=True)
class Share:
    """Terms of a sum whose expansions need about as many bits: which of them, the length of the expansion, the precision."""

    indices: list[int]
    terms: int
    bits: int


def exponential_sums(weights: Sequence[acb], exponents: Sequence[acb], points: Sequence[acb]) -> list[acb]:
    """Σ_i w_i·e^{z_j·g_i} for all j, enclosed at the current precision; by expansions where that looks cheaper.

    Args:
        weights: w_i.
        exponents: g_i.
        points: z_j.

    >>> [bool((total - 2 * (z * 3).exp()).contains(0)) for z in [acb(1), acb(2)] for total in exponential_sums([acb(2)], [acb(3)], [z])]
    [True, True]
    """
    shares = approx_shares(weights, exponents, points) if len(points) >= _FEWEST_POINTS else None
    if shares is None and len(points) >= 2 * _FEWEST_POINTS:  # digits would cancel: points closer to each other may do
        half = len(points) // 2
        return [total for part in (points[:half], points[half:]) for total in exponential_sums(weights, exponents, part)]
    if shares is None:
        return [sum(((z * g).exp() * weight for weight, g in zip(weights, exponents, strict=True)), acb(0)) for z in points]
    return expanded_sums(weights, exponents, points, shares)


def expanded_sums(weights: Sequence[acb], exponents: Sequence[acb], points: Sequence[acb], shares: Sequence[Share]) -> list[acb]:
    """The same by one expansion for each share; any lengths and precisions are sound if each i is in exactly one share.

    >>> totals = expanded_sums([acb(1)], [acb(1)], [acb(1), acb("1.5")], [Share([0], 30, 53)])
    >>> bool(abs(totals[1] - acb("1.5").exp()) < 1e-12)
    True
    """
    if sorted(index for share in shares for index in share.indices) != list(range(len(weights))):
        raise ValueError("every term belongs to exactly one share")
    centre, turn = _centre(points), _direction(points)
    offsets = [(z - centre) / turn for z in points]
    series, rest = acb_poly(), arb(0)
    for share in shares:
        shared = [weights[i] for i in share.indices], [exponents[i] for i in share.indices]
        coefficients, left_out = expansion(*shared, centre, turn, offsets, share)
        series, rest = series + acb_poly(coefficients), rest + left_out
    spread = ball_around_zero(rest)
    return [series(offset) + spread for offset in offsets]


def expansion(
    weights: Sequence[acb], exponents: Sequence[acb], centre: acb, turn: acb, offsets: Sequence[acb], share: Share
) -> tuple[list[acb], arb]:
    """Coefficients of a share in powers of (z − c)/d, d = `turn`, and a bound on what its expansion leaves out at those offsets."""
    with precision(share.bits):
        rounded = [g * 1 for g in exponents]  # balls of so few bits around the exponents
        turned = [weight * (centre * g).exp() for weight, g in zip(weights, rounded, strict=True)]
        bases, coefficients, factorial = [g * turn for g in rounded], [], arb(1)
        for k, total in enumerate(power_sums(turned, bases, share.terms)):
            factorial = factorial * k if k else factorial
            coefficients.append(total / factorial)
        return coefficients, remainder(turned, bases, offsets, share.terms)


def remainder(turned: Sequence[acb], exponents: Sequence[acb], offsets: Sequence[acb], terms: int) -> arb:
    """An upper bound on Σ |W_i|·t_K(x_i)."""
    with precision(_BITS):
        radius = arb(0)
        for offset in offsets:
            radius = radius.max(arb(offset.abs_upper()))
        factorial = arb(terms).fac()
        total = arb(0)
        for weight, g in zip(turned, exponents, strict=True):
            x = radius * arb(g.abs_upper())
            tail = x**terms / factorial / (1 - x / (terms + 1)) if 2 * x < terms else x.exp()
            total += arb(weight.abs_upper()) * tail
        return arb(total.upper())


def approx_shares(weights: Sequence[acb], exponents: Sequence[acb], points: Sequence[acb]) -> list[Share] | None:
    """Shares whose remainders look smaller than the rounding errors; None where that looks no cheaper than the exponentials.

    The expansion of one term rounds numbers up to |W_i|·e^{x_i}: the smaller that is, the fewer bits it needs.
    None also where digits would cancel.
    Floats: nothing rests on it.
    """
    centre = complex(_centre(points))
    offsets = [complex(z) - centre for z in (points[0], points[-1])]
    radius = max(math.hypot(offset.real, offset.imag) for offset in offsets)
    if radius == 0:
        return None
    sizes: dict[int, tuple[float, float, float]] = {}
    heights = []
    with precision(_BITS):
        for index, (weight, g) in enumerate(zip(weights, exponents, strict=True)):
            size, exponent = float(arb(weight.abs_upper()).log().mid()), complex(g)
            modulus = math.hypot(exponent.real, exponent.imag)
            if not (math.isfinite(size) and 0 < modulus < math.inf):
                continue
            log_size = size + (centre * exponent).real
            heights.append([log_size + (offset * exponent).real for offset in offsets])
            sizes[index] = log_size, radius * modulus, math.log(radius) + math.log(modulus)
    if not sizes:
        return None
    lowest, bits = min(map(max, zip(*heights, strict=True))), working_bits()
    if not all(log_size + x <= lowest + _MOST_CANCELLED * math.log(2) for log_size, x, _ in sizes.values()):
        return None
    goal = lowest - bits * math.log(2)
    groups: dict[tuple[int, int], list[int]] = {}
    for index in range(len(weights)):
        excess = math.inf if index not in sizes else (sizes[index][0] + sizes[index][1] - goal) / math.log(2) + _GUARD
        wanted = bits if excess >= bits else max(_FEWEST_BITS, int(excess))
        length = bisect.bisect(_LENGTHS, sizes[index][1]) if index in sizes else 0
        groups.setdefault((-((bits - wanted) // _BAND), length), []).append(index)
    shares = []
    for (band, _), indices in groups.items():
        terms = _approx_terms([sizes[index] for index in indices if index in sizes], goal)
        shares.append(Share(indices, terms, bits + _BAND * band))
    longest = max(share.terms for share in shares)
    affordable = len(points) * _EXPONENTIAL
    return shares if longest < _MOST_TERMS and _EXPONENTIAL + 2 * math.sqrt(longest) + _PRODUCT * longest < affordable else None


def _approx_terms(sizes: Sequence[tuple[float, float, float]], goal: float) -> int:
    """About the fewest terms that leave less than e^{goal} of each; `_MOST_TERMS` if more."""
    terms = _FEWEST_TERMS
    for log_size, x, log_x in sizes:
        while terms < _MOST_TERMS and log_size + (terms * log_x + math.log(2) - math.lgamma(terms + 1) if 2 * x < terms else x) >= goal:
            terms += 1 + terms // 24
    return min(terms, _MOST_TERMS)


def _centre(points: Sequence[acb]) -> acb:
    """A point between the first and the last, exactly a pair of floats."""
    return acb((complex(points[0]) + complex(points[-1])) / 2)


def _direction(points: Sequence[acb]) -> acb:
    """The direction from the first point to the last, exactly a pair of floats; 1 where they are the same."""
    line = complex(points[-1]) - complex(points[0])
    size = math.hypot(line.real, line.imag)
    return acb(line / size) if 0 < size < math.inf else acb(1)
