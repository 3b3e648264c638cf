"""Few uses of laws whose losses are next to 0 but for rare atoms: outcomes by their largest losses, as far as those decide the sign.

The atoms of a law are ordered by loss, the largest first, and outcomes are counted atom by atom. With r uses left for the atoms from the
i-th on and s what the others show, all outcomes of a branch have losses from s + r·(least loss) to s + r·l_i, with what other laws can
show added at both ends. Where the upper end is at most ε the branch adds nothing to δ(ε) = Σ(p − e^ε·q)₊; where the lower end is at least ε
it adds p·P_i^r − e^ε·q·Q_i^r, P_i and Q_i being sums over the atoms from the i-th on. Other branches are followed, and left out where they
weigh little: with w = p·e^{cL} in place of p, the w of all outcomes add up to M(c), c > 0, and those left out add to δ(ε) at most

    κ(c)·e^{−cε}·(M(c) − Σ w of the branches that were decided)

by (1 − e^{ε−L})₊ ≤ κ(c)·e^{c(L−ε)} (`tail_bound`), whichever they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb

from dpbounds.accounting.few_uses.halves import are_few, best_of
from dpbounds.laws.convolve import OrderedUse
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.balls import Enclosure

METHOD = "outcomes by their largest losses"
_MOST_BRANCHES = 10_000
_MARGIN = 1e-9


@dataclass(frozen=True)
class Sums:
    """Σp, Σq and Σw of some atoms, or a product of such sums."""

    p: arb
    q: arb
    w: arb

    def times(self, other: Sums, ways: int = 1) -> Sums:
        """The product, in so many ways."""
        return Sums(self.p * other.p * ways, self.q * other.q * ways, self.w * other.w * ways)

    def power(self, count: int) -> Sums:
        """The same of so many uses."""
        return Sums(self.p**count, self.q**count, self.w**count)


@dataclass(frozen=True)
class RareLaw:
    """A law used `steps` times: losses from the largest down, as far as floats tell, the least of them, the largest from each atom on,
    each atom, and the sums from each atom on."""

    steps: int
    losses: list[arb]
    least: arb
    tops: list[arb]
    atoms: list[Sums]
    rest: list[Sums]
    log_atoms: list[float]
    log_rest: list[float]


def law_by_loss(use: OrderedUse, c: arb) -> RareLaw:
    """At the current precision."""
    rows = [((p / q).log(), p, q) for p, q in zip(use.law.p, use.law.q, strict=True)]
    rows.sort(key=lambda row: -float(row[0].mid()))
    atoms = [Sums(p, q, p * (c * loss).exp()) for loss, p, q in rows]
    rest = [Sums(arb(0), arb(0), arb(0))]
    for own in reversed(atoms):
        rest.append(Sums(rest[-1].p + own.p, rest[-1].q + own.q, rest[-1].w + own.w))
    rest.reverse()
    whole, losses = rest[0].w, [loss for loss, _, _ in rows]
    least, tops = arb.pos_inf(), [arb.neg_inf()]
    for loss in reversed(losses):  # the order is that of floats, which takes some that differ for equal
        least, tops = least.min(loss), [*tops, tops[-1].max(loss)]
    tops.reverse()

    def share(own: Sums) -> float:
        return float((own.w / whole).log().mid()) if own.w > 0 else -math.inf

    return RareLaw(use.law.steps, losses, least, tops, atoms, rest, [share(own) for own in atoms], [share(own) for own in rest])


@dataclass
class RareBranches:
    """Laws, ε, and the share of M below which branches are left out; what was decided so far."""

    laws: list[RareLaw]
    epsilon: arb
    small: float
    total: arb = field(default_factory=arb)
    decided: arb = field(default_factory=arb)
    count: int = 0

    def follow(self, number: int, first: int, left: int, seen: Sums, loss: arb, share: float) -> bool:
        """All outcomes of a branch: `left` uses of a law from the atom `first` on, and all later laws; False where they are many."""
        self.count += 1
        if self.count > _MOST_BRANCHES:
            return False
        if left == 0:
            if number + 1 == len(self.laws):
                self._decide(seen, loss >= self.epsilon, loss)
                return True
            return self.follow(number + 1, 0, self.laws[number + 1].steps, seen, loss, share)
        law, later = self.laws[number], self.laws[number + 1 :]
        whole = seen.times(law.rest[first].power(left))
        for other in later:
            whole = whole.times(other.rest[0].power(other.steps))
        least = loss + left * law.least + sum((other.steps * other.least for other in later), arb(0))
        if least >= self.epsilon:
            self._decide(whole, True, least)
            return True
        above = self.epsilon - loss - sum((other.steps * other.tops[0] for other in later), arb(0))
        enough = float(above.mid()) / left
        for index in range(first, len(law.atoms)):
            if float(law.losses[index].mid()) < enough - _MARGIN * abs(enough) and left * law.tops[index] <= above:
                self.decided += whole.w / law.rest[first].w ** left * law.rest[index].w ** left if index > first else whole.w
                return True
            before = -math.inf
            for count in range(1, left + 1):
                ways = math.comb(left, count)
                own = share + math.log(ways) + count * law.log_atoms[index]
                size = own + (left - count) * law.log_rest[index + 1] if left > count else own
                if size < -self.small:
                    if -math.inf < size <= before:
                        break
                    before = size
                    continue
                before = size
                further = seen.times(law.atoms[index].power(count), ways)
                if not self.follow(number, index + 1, left - count, further, loss + count * law.losses[index], own):
                    return False
        return True

    def _decide(self, sums: Sums, above: bool, loss: arb) -> None:
        """Add what all outcomes of a branch do; a single one that balls cannot place has its positive part."""
        self.decided += sums.w
        value = sums.p - self.epsilon.exp() * sums.q
        if above:
            self.total += value
        elif not loss <= self.epsilon:
            self.total += value.nonnegative_part()


def delta_by_rare_atoms(elements: Elements, epsilon: Fraction, digits: int) -> Enclosure | None:
    """δ(ε) of laws with atoms alone; None where the branches are many.

    Raises:
        PrecisionError: no saddle point.
    """

    def attempt(uses: Sequence[OrderedUse], at: arb, c: arb, small: float) -> tuple[arb, arb] | None:
        laws = [law_by_loss(use, c) for use in uses]
        branches = RareBranches(laws, at, small)
        if not branches.follow(0, 0, laws[0].steps, Sums(arb(1), arb(1), arb(1)), arb(0), 0.0):
            return None
        return branches.total, math.prod((law.rest[0].w ** law.steps for law in laws), start=arb(1)) - branches.decided

    return best_of(attempt, elements, epsilon, digits) if are_few(elements) else None
