"""δ(ε) of a product of laws with finitely many losses, by adding up every total loss.

Docs: error-bounds.md, "Convolution".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    lattices: dict[Loss, Lattice] = {}
    found: dict[Loss, Real] = {Loss(): numbers.number(1)}
    for (law, steps), unit in zip(uses, units, strict=True):
        if unit is None:
            found = _joined(found, _powers(law, steps, numbers), numbers)
            continue
        key = _loss(unit)
        power = _lattice_power(law, steps, key, numbers)
        lattices[key] = lattices[key].times(power, numbers) if key in lattices else power
    for key, lattice in lattices.items():
        found = _joined(found, lattice.rows(key, numbers), numbers)
    return [(p, loss) for loss, p in found.items()]


def _joined(found: Mapping[Loss, Real], rows: Iterator[tuple[Real, Loss]], numbers: Numbers) -> dict[Loss, Real]:
    """The law of the sum of two losses."""
    own_rows = list(rows)
    if len(found) * len(own_rows) > LARGEST:
        raise Refused(f"the total loss has more than {LARGEST} values")
    spend(len(found) * len(own_rows), 1, (loss for _, loss in own_rows), numbers)
    merged: dict[Loss, Real] = {}
    for before, p in found.items():
        for weight, loss in own_rows:
            key = before.plus(loss)
            merged[key] = merged[key] + p * weight if key in merged else p * weight
    return merged


@dataclass(frozen=True)
class Lattice:
    """Masses of the losses origin + n·unit between two rows of coefficients, in units of 2^−(bits + 8)."""

    origin: Loss
    low: list[int]
    high: list[int]

    def times(self, other: Lattice, numbers: Numbers) -> Lattice:
        """The law of the sum of two losses on one lattice."""
        bits = numbers.at.bits + 8
        if len(self.low) + len(other.low) > LARGEST:
            raise Refused(f"the total loss has more than {LARGEST} values")
        rows = _times(self.low, other.low, bits, False), _times(self.high, other.high, bits, True)
        return Lattice(self.origin.plus(other.origin), *rows)

    def rows(self, unit: Loss, numbers: Numbers) -> Iterator[tuple[Real, Loss]]:
        """Each loss with its mass."""
        zero, bits = numbers.number(0), numbers.at.bits + 8
        for n, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
            middle, radius = Fraction(low + high, 2 << bits), Fraction(high - low, 2 << bits)
            yield zero.about(middle, radius), self.origin.plus(unit.times(n))


def spend(count: int, uses: int, losses: Iterable[Loss], numbers: Numbers) -> None:
    """So many sums of losses, each with up to `uses` terms: exact ratios grow with them."""
    bits = max((loss.ratio.numerator.bit_length() + loss.ratio.denominator.bit_length() for loss in losses), default=0)
    numbers.spend(count * (100 + uses * bits // 300))


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

    spend(math.comb(steps + kinds - 1, kinds - 1), steps, (loss for _, loss in law.rows), numbers)

    begun = [(steps, 1, numbers.number(1), Loss())]
    for p, own in law.rows[:-1]:
        further = []
        for left, ways, weight, loss in begun:
            yield weight * p**left * ways, loss.plus(own.times(left))
            for n in range(left):
                further.append((left - n, ways * math.comb(left, n), weight * p**n, loss.plus(own.times(n))))
        begun = further
    p, own = law.rows[-1]
    for left, ways, weight, loss in begun:
        yield weight * p**left * ways, loss.plus(own.times(left))


def _lattice_power(law: Atoms, steps: int, unit: Loss, numbers: Numbers) -> Lattice:
    """The coefficients of (Σ p_n x^n)^k, from below and from above, in integers."""
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
    spend(1 + degree * steps, steps, (loss for _, loss in law.rows), numbers)
    bits = numbers.at.bits + 8
    ends = [[0] * (degree + 1), [0] * (degree + 1)]
    for n, p in places.items():
        bottom, top = (end * (1 << bits) for end in p.bounds())
        ends[0][n - least], ends[1][n - least] = max(0, math.floor(bottom)), math.ceil(top)
    origin = start.plus(unit.times(least)).times(steps)
    return Lattice(origin, _power(ends[0], steps, bits, False), _power(ends[1], steps, bits, True))


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
    return Excess.of_losses(rows, numbers).delta(epsilon, numbers)


@dataclass(frozen=True)
class Excess:
    """Σ p·(1 − e^{ε−L})₊ as a function of ε: the losses L_1, L_2, … with their masses, and two sums over the losses up to each.

    W_k = Σ_{i<=k} p_i·e^{L_k−L_i} and S_k = Σ_{i<=k} p_i·(1 − e^{L_k−L_i}) give Σ_{i<=k} p_i·(1 − e^{ε−L_i}) = S_k + W_k·(1 − e^{ε−L_k}).
    """

    losses: list[tuple[Real, Loss, Real]]
    sums: list[tuple[Real, Real]]

    @staticmethod
    def of_losses(rows: Sequence[tuple[Real, Loss]], numbers: Numbers) -> Excess:
        """The largest lower ends of losses come first, so that fall = e^{L_k−L_(k−1)} is at most about 1."""
        spend(len(rows), 1, (loss for _, loss in rows), numbers)
        losses = sorted(((loss.value(numbers), loss, p) for p, loss in rows), key=lambda row: row[0].bounds()[0], reverse=True)
        sums, weighted, excess, before = [], numbers.number(0), numbers.number(0), None
        for value, _, p in losses:
            fall = numbers.number(1) if before is None else (value - before).exp()
            excess, weighted, before = excess + weighted * (1 - fall), weighted * fall + p, value
            sums.append((weighted, excess))
        return Excess(losses, sums)

    def delta(self, epsilon: Fraction, numbers: Numbers) -> Real:
        """The losses that surely exceed ε by their sums, others one by one."""
        numbers.spend(len(self.losses))
        own, total = numbers.number(epsilon), numbers.number(0)
        above = sum(own.surely_below(value) for value, _, _ in self.losses)
        for value, loss, p in self.losses[above:]:
            if loss != Loss(epsilon) and not value.surely_at_most(own):
                total = total + p * (1 - (own - value).exp()).positive_part()
        if above:
            value, (weighted, excess) = self.losses[above - 1][0], self.sums[above - 1]
            total = total + excess + weighted * (1 - (own - value).exp())
        return total
