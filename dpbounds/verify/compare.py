"""One training run under every way of drawing its batches: certified ε of each, and where two of them change places.

An epoch passes once over n records in t = ⌈n/b⌉ steps. The schemes and their bounds are those of `dpbounds.verify.sides`. Where a scheme
has no bound under the relation that is asked for, the bound under zero-out stands in its place and says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

from dpbounds.errors import DPBoundsError, InputError, PrecisionError
from dpbounds.mechanisms.results import SCHEMA
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.domains import at_least_one, between, positive
from dpbounds.verify.sides import Coins, SideBound, Sides, sides_of_part
from dpbounds.verify.span import Span
from dpbounds.verify.statement import RELATIONS, MechanismUse

SCHEMES = ("poisson", "random-allocation", "without-replacement", "shuffled", "none")
_DIGITS = 6
_FEWER = 3
"""Certified digits of the upper bound of sampling without replacement, whose sums are long."""
_TIE_DIGITS = 15
"""Digits to which two values of δ are told apart before a point is left out."""
_GRID = 8
"""Values of ε at which two schemes are compared; two crossings between neighbours would be missed, and the text says so."""
_BEYOND = 2
"""The grid ends at so many times the smallest ε that is known exactly."""
_WIDTH = Fraction(1, 10**4)
"""Relative width of the bracket of a crossing."""
_ROUNDS = 8
"""Choices of a threshold for the test of shuffled epochs; each is certified, and two or three reach the best one."""


@dataclass(frozen=True)
class Training:
    """A training run: noise multiplier, records, batch size and epochs.

    Args:
        sigma: σ > 0.
        records: n ≥ 1.
        batch: 1 ≤ b ≤ n.
        epochs: ≥ 1.

    >>> Training("1.12", 60000, 256, 60).steps
    235
    """

    sigma: Fraction
    records: int
    batch: int
    epochs: int

    def __init__(self, sigma: exact.Number, records: exact.Number, batch: exact.Number, epochs: exact.Number) -> None:
        noise = positive(sigma, "sigma (the noise multiplier)")
        if not isinstance(noise, Fraction):
            raise InputError(f"sigma must be rational here, got {noise}; write it as a decimal or a fraction")
        object.__setattr__(self, "sigma", noise)
        for name, value in (("records", records), ("batch", batch), ("epochs", epochs)):
            object.__setattr__(self, name, at_least_one(value, name))
        if self.batch > self.records:
            raise InputError(f"batch must be at most the number of records, {self.records}, got {self.batch}")

    @property
    def steps(self) -> int:
        """Steps of an epoch; the last batch holds what is left."""
        return -(-self.records // self.batch)

    def sides(self, scheme: str, relation: str) -> Sides:
        """Bounds on its δ."""
        amount, records, batch, epochs = (_span(value) for value in (self.sigma, self.records, self.batch, self.epochs))
        part = MechanismUse("sigma", amount, records, batch, epochs=epochs, rounding="ceil-epoch")
        return sides_of_part(part, scheme, relation, worst=True)


@dataclass(frozen=True)
class SchemeRow:
    """What is certified of one scheme.

    Args:
        scheme: one of `SCHEMES`.
        side: "value", "lower bound" or "upper bound".
        relation: the relation under which it holds.
        bounds, coins: their δ are all lower bounds; of a value or an upper bound there is one.
        epsilon: ε(δ): of a value both ends count, of a lower bound the lower one, of an upper bound the upper one.
        declined: why there is no ε.
    """

    scheme: str
    side: str
    relation: str
    bounds: tuple[SideBound, ...]
    coins: tuple[Coins, ...] = ()
    epsilon: Enclosure | None = None
    declined: str = ""

    def delta_at(self, epsilon: Fraction, digits: int = _DIGITS) -> Enclosure | None:
        """Certified δ(ε), None where the engine declines."""
        found: Enclosure | None = None
        for bound in (*self.bounds, *(coins.bound(epsilon) for coins in self.coins)):
            value = None if bound is None else _delta(bound, epsilon, digits)
            if value is not None:
                found = value if found is None else found.maximum(value)
        return found

    def words(self) -> str:
        """The certified side or sides of ε as text."""
        if self.epsilon is None:
            return f"none: {self.declined}"
        if self.side == "value":
            return f"epsilon in {_outward(self.epsilon)}"
        if self.side == "lower bound":
            return f"epsilon >= {self.epsilon.lower_decimal(_DIGITS)}"
        return f"epsilon <= {self.epsilon.upper_decimal(_DIGITS)}"

    def document(self) -> dict[str, Any]:
        """For JSON."""
        ends: dict[str, str | None] = {"lower": None, "upper": None}
        if self.epsilon is not None and self.side != "upper bound":
            ends["lower"] = self.epsilon.lower_decimal(_DIGITS + 2)
        if self.epsilon is not None and self.side != "lower bound":
            ends["upper"] = self.epsilon.upper_decimal(_DIGITS + 2)
        found: dict[str, Any] = {"scheme": self.scheme, "side": self.side, "relation": self.relation} | ends
        return found | ({"reason": self.declined} if self.declined else {})

    def settled(self, delta: Fraction) -> SchemeRow:
        """With its ε(δ)."""
        found: Enclosure | None = None
        declined = ""
        try:
            for bound in self.bounds:
                digits = _FEWER if (self.scheme, self.side) == ("without-replacement", "upper bound") else _DIGITS
                value = bound.epsilon(delta, digits)
                found = value if found is None else found.maximum(value)
        except DPBoundsError as error:
            declined = str(error)
        for coins in self.coins:
            found = _best_test(coins, delta, found)
        return replace(self, epsilon=found, declined="" if found is not None else declined or "no test tells the data sets apart")


@dataclass(frozen=True)
class Crossing:
    """Certified: `first` has the smaller δ at `low`, `second` at `high`, so that δ(ε) of both agree in between.

    Args:
        first, second: schemes.
        low, high: values of ε.
        delta: encloses δ of `first` over [low, high].
    """

    first: str
    second: str
    low: Fraction
    high: Fraction
    delta: Enclosure

    def document(self) -> dict[str, Any]:
        """For JSON."""
        ends = {"lower": self.delta.lower_decimal(_DIGITS), "upper": self.delta.upper_decimal(_DIGITS)}
        ordered = {"smaller_below": self.first, "smaller_above": self.second}
        return ordered | {"epsilon": {"lower": exact.text(self.low), "upper": exact.text(self.high)}, "delta": ends}


@dataclass(frozen=True)
class SchemeComparison:
    """Every scheme, and where two exact ones change places."""

    training: Training
    delta: Fraction
    relation: str
    rows: tuple[SchemeRow, ...]
    crossings: tuple[Crossing, ...]

    @property
    def top(self) -> Fraction:
        """The largest ε at which schemes were compared."""
        return _top(self.rows)

    def document(self) -> dict[str, Any]:
        """The JSON document: decimal strings rounded outward; null where nothing is certified on that side."""
        run = self.training
        return {
            "schema": SCHEMA,
            "quantity": "epsilon",
            "inputs": {
                "sigma": exact.text(run.sigma),
                "records": run.records,
                "batch": run.batch,
                "epochs": run.epochs,
                "delta": exact.text(self.delta),
                "relation": self.relation,
            },
            "steps": run.steps,
            "schemes": [row.document() for row in self.rows],
            "crossings": [crossing.document() for crossing in self.crossings],
            "compared_up_to": exact.text(self.top),
        }

    def text(self) -> str:
        """A table for people."""
        run = self.training
        steps = "1 step" if run.steps == 1 else f"{run.steps} steps"
        epochs = "1 epoch" if run.epochs == 1 else f"{run.epochs} epochs"
        head = (
            f"{epochs} of {steps}: {run.records} records in batches of {run.batch}, sigma = {exact.text(run.sigma)}; "
            f"epsilon at delta = {exact.text(self.delta)}, relation {self.relation}"
        )
        lines = [head, ""]
        for row in self.rows:
            label = "" if row.relation == self.relation else f"  ({row.relation} only)"
            lines.append(f"  {row.scheme:20}{row.side:14}{row.words()}{label}")
        lines.append("")
        for crossing in self.crossings:
            lines.append(
                f"  {crossing.first} has the smaller delta at epsilon = {_short(crossing.low)}, "
                f"{crossing.second} at {_short(crossing.high)}; delta in between lies in {_outward(crossing.delta)}"
            )
        if not self.crossings:
            lines.append(
                f"  no two exact schemes change places between neighbours of {_GRID + 1} values of epsilon up to {_short(self.top)}"
            )
        return "\n".join(lines)


def comparison(training: Training, delta: exact.Number, relation: str = "zero-out") -> SchemeComparison:
    """Certified ε(δ) of a training run under every scheme, and the certified crossings of those that are known exactly.

    Args:
        training: the run.
        delta: 0 < δ < 1, rational.
        relation: "add-or-remove", "substitute" or "zero-out".

    Returns:
        Rows of which every value is a certified enclosure, and every bound a certified bound on its side.

    Raises:
        InputError: δ outside (0, 1), or an unknown relation.

    Source: `dpbounds.verify.sides` has the theorem of each bound.

    >>> found = comparison(Training(1, 10, 10, 3), "1e-5")  # one batch holds all records
    >>> found.rows[0].epsilon.overlaps(found.rows[-1].epsilon), found.crossings
    (True, ())
    """
    target = between(delta, 0, 1, "delta")
    if not isinstance(target, Fraction):
        raise InputError(f"delta must be rational here, got {target}")
    if relation not in RELATIONS:
        raise InputError(f"relation must be one of {', '.join(RELATIONS)}, got {relation!r}")
    rows = tuple(row.settled(target) for scheme in SCHEMES for row in rows_of(training, scheme, relation))
    values = [row for row in rows if row.side == "value" and row.epsilon is not None and row.scheme != "none"]
    points = [_top(rows) * index / _GRID for index in range(_GRID + 1)]
    crossings = tuple(found for pair in combinations(values, 2) for found in crossings_of(*pair, points))
    return SchemeComparison(training, target, relation, rows, crossings)


def rows_of(training: Training, scheme: str, relation: str) -> tuple[SchemeRow, ...]:
    """One row where the value is known, one for each side otherwise; without ε."""
    sides = training.sides(scheme, relation)
    if sides.exact:
        assert sides.upper is not None
        return (SchemeRow(scheme, "value", relation, (sides.upper,)),)
    lower = SchemeRow(scheme, "lower bound", relation, () if sides.lower is None else (sides.lower,), sides.coins)
    held = relation
    if sides.upper is None:
        held, sides = "zero-out", training.sides(scheme, "zero-out")
    assert sides.upper is not None
    return lower, SchemeRow(scheme, "upper bound", held, (sides.upper,))


def crossings_of(first: SchemeRow, second: SchemeRow, points: Sequence[Fraction]) -> tuple[Crossing, ...]:
    """Certified changes of sign of the difference of two δ(ε) between neighbouring points."""
    found = []
    signs = [(point, sign) for point in points if (sign := _order(first, second, point))]
    for (low, sign), (high, other) in pairwise(signs):
        if sign != other:
            found.append(_crossing(*((first, second) if sign < 0 else (second, first)), low, high))
    return tuple(found)


def _crossing(first: SchemeRow, second: SchemeRow, low: Fraction, high: Fraction) -> Crossing:
    """Close the bracket on both sides of a float64 root; `first` is the smaller one at `low`."""
    width = _WIDTH
    root = _approx_root(first, second, float(low), float(high))
    while high - low > _WIDTH * high and width < 1:
        for point in (Fraction(root) * (1 - width / 3), Fraction(root) * (1 + width / 3)):
            point = Fraction(round(point * 10**9), 10**9)
            sign = _order(first, second, point) if low < point < high else 0
            low, high = (point if sign < 0 else low), (point if sign > 0 else high)
        width *= 8
    ends = [first.delta_at(point) for point in (high, low)]
    assert ends[0] is not None and ends[1] is not None
    return Crossing(first.scheme, second.scheme, low, high, Enclosure(ends[0].low, ends[1].high))


def _approx_root(first: SchemeRow, second: SchemeRow, low: float, high: float) -> float:
    """Where log δ_first = log δ_second, about: regula falsi with the Illinois weights."""

    def gap(point: float) -> float:
        at = Fraction(round(point * 10**9), 10**9)
        left, right = first.delta_at(at), second.delta_at(at)
        if left is None or right is None or not (left.lower > 0 and right.lower > 0):
            return 0.0
        return math.log(left.upper_float) - math.log(right.upper_float)

    below, above = gap(low), gap(high)
    point = (low + high) / 2
    for _ in range(12):
        if not below < 0 < above:
            break
        moved = (low * above - high * below) / (above - below)
        done = abs(moved - point) <= 1e-6 * high
        point, value = moved, gap(moved)
        if done or value == 0:
            break
        if value < 0:
            low, below, above = point, value, above / 2
        else:
            high, above, below = point, value, below / 2
    return point


def _order(first: SchemeRow, second: SchemeRow, epsilon: Fraction) -> int:
    """The certified sign of δ_first − δ_second, 0 where it is open."""
    for digits in (_DIGITS, _TIE_DIGITS):
        left, right = first.delta_at(epsilon, digits), second.delta_at(epsilon, digits)
        if left is None or right is None:
            return 0
        if left.upper < right.lower:
            return -1
        if left.lower > right.upper:
            return 1
    return 0


def _best_test(coins: Coins, delta: Fraction, found: Enclosure | None) -> Enclosure | None:
    """The largest ε(δ) among thresholds, each chosen for the ε of the one before."""
    at = Fraction(1) if found is None else Fraction(found.lower)
    best = found
    for _ in range(_ROUNDS):
        bound = coins.bound(at)
        if bound is None:
            at /= 2
            continue
        try:
            value = bound.epsilon(delta, _DIGITS)
        except PrecisionError:
            break
        best = value if best is None else best.maximum(value)
        if not isinstance(value.lower, Fraction) or abs(value.lower - at) <= at / 1000:
            break
        at = Fraction(round(value.lower * 10**6), 10**6)
    return best


def _top(rows: Sequence[SchemeRow]) -> Fraction:
    ends = [row.epsilon.upper for row in rows if row.side == "value" and row.epsilon is not None]
    least = min((Fraction(end) for end in ends if isinstance(end, Fraction) and end > 0), default=Fraction(1))
    return max(Fraction(1, 10), Fraction(-(-_BEYOND * least * 10 // 1), 10))


@lru_cache(maxsize=4096)
def _delta(bound: SideBound, epsilon: Fraction, digits: int) -> Enclosure | None:
    try:
        return bound.delta(epsilon, digits)
    except DPBoundsError:
        return None


def _span(value: Fraction | int) -> Span:
    return Span(Fraction(value), Fraction(value), str(value))


def _outward(value: Enclosure) -> str:
    return f"[{value.lower_decimal(_DIGITS)}, {value.upper_decimal(_DIGITS)}]"


def _short(value: Fraction) -> str:
    return f"{float(value):.6g}"
