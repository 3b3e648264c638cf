"""δ(ε) of a product of laws with finitely many losses, by adding up every total loss.

Docs: error-bounds.md, "Convolution".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from dpbounds.recheck.atoms import Atoms, Loss
from dpbounds.recheck.numbers import Numbers, Real, Refused
from dpbounds.recheck.reading import entries, entry, exact, only

LARGEST = 50_000
"""The most total losses that are added up: half a minute in pure Python."""


def totals(uses: Sequence[tuple[Atoms, int]], own: Mapping[str, object], numbers: Numbers) -> list[tuple[Real, Loss]]:
    """The distribution of the total loss under P, over its finite values."""
    units = entries(own, "units")
    if len(units) != len(uses):
        raise Refused("one unit for each law, or null, is needed")
    found: dict[Loss, Real] = {Loss(): numbers.of(1)}
    for (law, steps), unit in zip(uses, units, strict=True):
        own_rows = list(_powers(law, steps, numbers) if unit is None else _lattice_power(law, steps, _loss(unit), numbers))
        if len(found) * len(own_rows) > LARGEST:
            raise Refused(f"the total loss has more than {LARGEST} values")
        merged: dict[Loss, Real] = {}
        for before, p in found.items():
            for weight, loss in own_rows:
                key = before.plus(loss)
                merged[key] = merged[key] + p * weight if key in merged else p * weight
        found = merged
    return [(p, loss) for loss, p in found.items()]


def _loss(document: object) -> Loss:
    """A number, or the logarithm of one."""
    only(document, "plain", "ratio")
    found = Loss(exact(entry(document, "plain"), "plain"), exact(entry(document, "ratio"), "ratio"))
    if found.ratio <= 0:
        raise Refused("the ratio of a unit must be > 0")
    return found


def _powers(law: Atoms, steps: int, numbers: Numbers) -> Iterator[tuple[Real, Loss]]:
    """Every way to share `steps` uses among the losses, with its multinomial probability."""
    kinds = len(law.rows)
    if kinds == 0 or math.comb(steps + kinds - 1, kinds - 1) > LARGEST:
        raise Refused(f"the total loss has more than {LARGEST} values")

    def shares(index: int, left: int, ways: int, weight: Real, loss: Loss) -> Iterator[tuple[Real, Loss]]:
        p, own = law.rows[index]
        if index == kinds - 1:
            yield weight * p**left * ways, loss.plus(own.times(left))
            return
        for n in range(left + 1):
            yield from shares(index + 1, left - n, ways * math.comb(left, n), weight * p**n, loss.plus(own.times(n)))

    yield from shares(0, steps, 1, numbers.of(1), Loss())


def _lattice_power(law: Atoms, steps: int, unit: Loss, numbers: Numbers) -> Iterator[tuple[Real, Loss]]:
    """Losses L₀ + n·unit: the coefficients of (Σ p_n x^n)^k, from below and from above, in integers."""
    if not law.rows:
        raise Refused("a law without finite losses has no lattice")
    start = law.rows[0][1]
    places: dict[int, Real] = {}
    for p, loss in law.rows:
        n = _index(loss.plus(start.times(-1)), unit)
        places[n] = places[n] + p if n in places else p
    least, degree = min(places), max(places) - min(places)
    if degree * steps > LARGEST:
        raise Refused(f"the total loss has more than {LARGEST} values")
    bits = numbers.at.bits + 8
    ends = [[0] * (degree + 1), [0] * (degree + 1)]
    for n, p in places.items():
        bottom, top = (end * (1 << bits) for end in p.bounds())
        ends[0][n - least], ends[1][n - least] = max(0, math.floor(bottom)), math.ceil(top)
    low_row, high_row = _power(ends[0], steps, bits, False), _power(ends[1], steps, bits, True)
    origin = start.plus(unit.times(least)).times(steps)
    zero = numbers.of(0)
    for n, (low, high) in enumerate(zip(low_row, high_row, strict=True)):
        middle, radius = Fraction(low + high, 2 << bits), Fraction(high - low, 2 << bits)
        yield zero.about(middle, radius), origin.plus(unit.times(n))


def _index(loss: Loss, unit: Loss) -> int:
    """n with loss = n·unit, exactly."""
    found: int | None = None
    if unit.plain:
        quotient = loss.plain / unit.plain
        found = quotient.numerator if quotient.denominator == 1 else None
    elif unit.ratio != 1:
        size, other = (math.log(ratio.numerator) - math.log(ratio.denominator) for ratio in (unit.ratio, loss.ratio))
        found = round(other / size) if size and abs(other) < LARGEST * abs(size) else None
    if found is None or loss.mixed or unit.times(found) != loss:
        raise Refused("a loss is not on the lattice of the certificate")
    return found


def _power(row: list[int], steps: int, bits: int, up: bool) -> list[int]:
    """(Σ row_n·2^−bits·x^n)^steps, every coefficient rounded down, or up."""
    found = row
    for digit in bin(steps)[3:]:
        found = _times(found, found, bits, up)
        if digit == "1":
            found = _times(found, row, bits, up)
    return found


def _times(a: list[int], b: list[int], bits: int, up: bool) -> list[int]:
    """The product of two polynomials with coefficients >= 0, at a power of 2 that no coefficient of the product reaches."""
    width = (max(a).bit_length() + max(b).bit_length() + min(len(a), len(b)).bit_length()) // 8 + 1
    product = _packed(a, width) * _packed(b, width)
    count = len(a) + len(b) - 1
    data = product.to_bytes(width * count + 1, "little")
    values = (int.from_bytes(data[n * width : (n + 1) * width], "little") for n in range(count))
    return [-(-value >> bits) if up else value >> bits for value in values]


def _packed(row: list[int], width: int) -> int:
    return int.from_bytes(b"".join(value.to_bytes(width, "little") for value in row), "little")


def mean_excess(rows: Sequence[tuple[Real, Loss]], epsilon: Fraction, numbers: Numbers) -> Real:
    """Σ p·(1 − e^{ε−L})₊."""
    total = numbers.of(0)
    for p, loss in rows:
        if loss == Loss(epsilon):
            continue
        gap = epsilon - loss.value(numbers)
        if not (-gap).surely_at_most(0):
            total = total + p * (1 - gap.exp()).positive_part()
    return total
