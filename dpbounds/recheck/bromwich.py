"""δ(ε) of a product as one contour integral: the trapezoid sum on Re z = c, and what it can differ from δ(ε).

    δ(ε) = (1/2πi) ∫_{Re z = c} M(z)e^{−εz}/(z(z+1)) dz + P(L = ∞),    M = Π M_i^{k_i} over the finite losses.

Docs: error-bounds.md, "The trapezoid rule on the Bromwich line".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.recheck.numbers import Complex, Disc, Numbers, Points, Real, Refused, geometric_line
from dpbounds.recheck.reading import entries, entry, only, positive, whole

Use = tuple["Law", int]


class Law(ABC):
    """The privacy loss of one use; where nothing else is said, P and Q show the same outcomes, and all of them are counted."""

    @property
    def absolutely_continuous(self) -> bool:
        """P and Q are so with respect to each other."""
        return True

    @property
    def lost(self) -> Fraction:
        """P(L = ∞)."""
        return Fraction(0)

    @property
    def dropped(self) -> Real | None:
        """A bound on the mass of finite losses that P, or Q, has and M leaves out."""
        return None

    @abstractmethod
    def swapped(self) -> Law:
        """P and Q exchanged."""

    def largest_loss(self, numbers: Numbers) -> Real | None:
        """A bound on the finite losses, None where there is none."""
        return None

    @abstractmethod
    def line(self, at: Points, own: Mapping[str, object], numbers: Numbers) -> list[Disc]:
        """M at the points."""

    @abstractmethod
    def moment(self, x: Fraction, own: object, numbers: Numbers) -> Real:
        """M(x), x > 0."""

    @abstractmethod
    def decay(self, c: Fraction, y: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
        """A bound on |M(c + iy')| for every y' >= y."""


def bromwich(uses: Sequence[Use], epsilon: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
    """The enclosure that the contour of a certificate gives."""
    only(own, "name", "bits", "abscissa", "step", "nodes", "right", "left", "factors", "terms")
    at = Points(positive(own, "abscissa"), positive(own, "step"), whole(own, "nodes"))
    rules = entries(own, "factors")
    if not 2 <= at.count <= 100_000 or len(rules) != len(uses):
        raise Refused("a contour needs 2 to 100000 nodes and one rule for each factor")
    orders = [None if entry(own, key) is None else positive(own, key) for key in ("right", "left")]
    contour = Contour([(law, steps, _rule(rule)) for (law, steps), rule in zip(uses, rules, strict=True)], epsilon, at, numbers)
    found, beyond = contour.sum(), contour.beyond()
    right, (left, known) = contour.right_aliases(orders[0]), contour.left_aliases(orders[1])
    for name, term in (("nodes beyond the line", beyond), ("aliases on the right", right), ("aliases on the left", left)):
        numbers.state(name, term)
    # The sum over all nodes is δ + known + [0, left + right].
    return (found - known).plus_minus(beyond).down_by(right + left).positive_part() + unlisted_mass(uses, numbers)


def tail_bound(uses: Sequence[Use], epsilon: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
    """[0, bound]: δ(ε) <= κ(x)·M(x)·e^{−xε} + P(L = ∞) at the order x > 0 of the certificate."""
    only(own, "name", "bits", "order", "moments")
    order, rules, bound = positive(own, "order"), entries(own, "moments"), numbers.number(-positive(own, "order") * epsilon).exp()
    if len(rules) != len(uses):
        raise Refused("one rule for each factor is needed")
    for (law, steps), rule in zip(uses, rules, strict=True):
        bound = bound * law.moment(order, rule, numbers) ** steps
    bound = bound * largest_product(order, numbers) + unlisted_mass(uses, numbers)
    return bound.down_by(bound)


def unlisted_mass(uses: Sequence[Use], numbers: Numbers) -> Real:
    """P(L = ∞) = 1 − Π(1 − p_i)^{k_i}, and what dropped outcomes can add to δ: from 0 to their mass in any of the uses."""
    kept, dropped = numbers.number(1), numbers.number(0)
    for law, steps in uses:
        kept = kept * numbers.number(1 - law.lost) ** steps
        if law.dropped is not None:
            dropped = dropped + law.dropped * steps
    return (1 - kept + dropped).down_by(dropped)


@dataclass(frozen=True)
class Contour:
    """A product of laws, each with its number of uses and its rules, and the nodes of the line."""

    factors: list[tuple[Law, int, Mapping[str, object]]]
    epsilon: Fraction
    at: Points
    numbers: Numbers

    def sum(self) -> Real:
        """(h/2π)·Σ_{|j| < count} F(c + ijh) for F = M(z)e^{−εz}/(z(z+1)): F takes conjugate values at conjugate points."""
        at, numbers, total = self.at, self.numbers, self.numbers.number(0)
        bits = numbers.at.bits
        numbers.spend(at.count * 40 * (1 + len(self.factors)))
        lines = [[m.power(steps, bits) for m in law.line(at, rule, numbers)] for law, steps, rule in self.factors]
        turn = numbers.number(-at.h * self.epsilon).cis()
        phases = geometric_line([Complex(numbers.number(1), numbers.number(0))], [turn], at.count, numbers)
        for j, values in enumerate(zip(phases, *lines, strict=True)):
            value = at.kernel(j, bits)
            for factor in values:
                value = value.times(factor, bits)
            total = total + (value.real(numbers) if j else value.real(numbers) / 2)
        return total * self._damping(at.c) * at.h / numbers.pi

    def beyond(self) -> Real:
        """What the nodes |j| >= count add: |M| <= B there, and h·Σ 1/(jh)² is below the integral of 1/y² from the last node on."""
        at = self.at
        found = self._damping(at.c) / (self.numbers.pi * (at.h * (at.count - 1)))
        for law, steps, rule in self.factors:
            found = found * law.decay(at.c, at.h * at.count, rule, self.numbers) ** steps
        return found

    def right_aliases(self, order: Fraction | None) -> Real:
        """Σ_{n >= 1} e^{nTc}δ(ε + nT): by Chernoff's bound at an order above c, or 0 where ε + T is at least the largest loss."""
        numbers = self.numbers
        if order is None:
            largest = numbers.number(0)
            for law, steps, _ in self.factors:
                loss = law.largest_loss(numbers)
                if loss is None:
                    raise Refused("the losses have no upper bound, so aliases on the right need an order")
                largest = largest + loss * steps
            if not largest.surely_at_most(self._period() + self.epsilon):
                raise Refused("the period does not reach the largest loss")
            return numbers.number(0)
        if order <= self.at.c:
            raise Refused("the order of the aliases on the right must be above the abscissa")
        moment = self._product(order, "right")
        return largest_product(order, numbers) * moment * self._damping(order) * geometric(self._period() * (order - self.at.c))

    def left_aliases(self, order: Fraction | None) -> tuple[Real, Real]:
        """A bound on the part of Σ_{m >= 1} e^{−mTc}δ(ε − mT) that is not known exactly, and the part that is.

        Plain: δ <= 1. With an order w: δ(s) = 1 − e^s + e^s·δ'(−s), δ' of the pairs exchanged, and Chernoff's bound for δ'.
        """
        c, period, numbers = self.at.c, self._period(), self.numbers
        if order is None:
            return geometric(period * c), numbers.number(0)
        if not all(law.absolutely_continuous for law, _, _ in self.factors):
            raise Refused("an infinite loss allows only the plain bound of the aliases on the left")
        known = geometric(period * c) - self._damping(Fraction(-1)) * geometric(period * (1 + c))
        bound = largest_product(order, numbers) * self._product(order, "left") * self._damping(-1 - order)
        return bound * geometric(period * (1 + c + order)), known

    def _period(self) -> Real:
        return self.numbers.pi * 2 / self.at.h

    def _damping(self, x: Fraction) -> Real:
        """e^{−xε}."""
        return self.numbers.number(-x * self.epsilon).exp()

    def _product(self, x: Fraction, key: str) -> Real:
        """Π M_i(x)^{k_i}; `left`: of the pairs exchanged."""
        moment = self.numbers.number(1)
        for law, steps, rule in self.factors:
            moment = moment * (law.swapped() if key == "left" else law).moment(x, entry(rule, key), self.numbers) ** steps
        return moment


def largest_product(t: Fraction, numbers: Numbers) -> Real:
    """κ(t) = t^t/(1+t)^{1+t}, the largest value of (1−y)y^t on [0, 1]."""
    return (numbers.number(t).log() * t - numbers.number(1 + t).log() * (1 + t)).exp()


def geometric(rate: Real) -> Real:
    """Σ_{n >= 1} e^{−nλ} = 1/(e^λ − 1), λ > 0."""
    if not (-rate).surely_below(0):
        raise Refused("aliases do not decay")
    return 1 / (rate.exp() - 1)


def _rule(value: object) -> Mapping[str, object]:
    only(value, "line", "moment", "decay", "right", "left")
    assert isinstance(value, Mapping)
    return value
