"""Laws on finitely many outcomes, and on countably many that are cut where the rest is negligible: any pair with atoms."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpbounds.laws.ball_numbers import BALLS
from dpbounds.laws.convolve import OrderedUse
from dpbounds.laws.factors import AtomicFactor
from dpbounds.laws.finite_sums import FiniteLaw
from dpbounds.laws.law import Law, rational, registered_law, registered_sampled_law
from dpbounds.laws.paths.endpoint_expansion import End, ExpandedEnds
from dpbounds.laws.top_end import TopEnd
from dpbounds.mechanisms.atomic import AtomicLaw, AtomicPair
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball


@dataclass(frozen=True)
class AtomsLaw(Law):
    """A pair with atoms, sampled and swapped as `atoms` says."""

    atoms: AtomicLaw

    @property
    def whole(self) -> bool:  # type: ignore[override]
        """Whether P and Q show the same outcomes, none of them dropped."""
        return self.atoms.absolutely_continuous()

    def listed(self, steps: int) -> OrderedUse:
        """Outcomes of probability 0 under Q are the infinite losses."""
        rows = self.atoms.rows(BALLS)
        lost, dropped = exact_ball(self.atoms.lost_mass()), arb(0).max(self.atoms.pair.dropped(BALLS))
        law = FiniteLaw([p for p, _ in rows], [q for _, q in rows], lost, steps, dropped)
        return OrderedUse(law, self.atoms.losses(BALLS.bits))

    def factor(self, steps: int, most: float = 0.0) -> AtomicFactor:
        """A sum over the outcomes."""
        law = self.listed(steps).law
        losses = [(p / q).log() for p, q in zip(law.p, law.q, strict=True)]
        return AtomicFactor(list(law.p), losses, steps, absolutely_continuous=self.whole)

    def swapped(self) -> AtomsLaw:
        """The other orientation, where it is another law."""
        return _law(self.atoms.pair, self.atoms.rate, not self.atoms.reversed)

    def lost_mass(self) -> Fraction:
        """What P shows and Q never does."""
        return self.atoms.lost_mass()

    def largest_loss(self) -> Fraction | arb | None:
        """Exactly for losses that are rational; −log(1−q+q·p/q) of any pair that is sampled and swapped is below −log(1−q)."""
        if not self.atoms.pair.bounded:
            return -(-exact_ball(self.atoms.rate)).log1p() if self.atoms.reversed and self.atoms.rate < 1 else None
        if (own := self.atoms.largest_exact_loss()) is not None:
            return own
        law, top = self.listed(1).law, arb.neg_inf()
        for p, q in zip(law.p, law.q, strict=True):
            top = top.max((p / q).log())
        return top

    def top(self) -> TopEnd | None:
        """The outcome of the largest loss, as far as the next one."""
        if not self.atoms.pair.bounded:
            return None
        law = self.listed(1).law
        rows = [((p / q).log(), p) for p, q in zip(law.p, law.q, strict=True)]
        loss, mass = max(rows, key=lambda row: float(row[0].mid()))
        width = arb.pos_inf()
        for own, _ in rows:
            width = width if own is loss else width.min(loss - own)
        return TopEnd(loss, mass, width)

    def expanded_ends(self, steps: int) -> ExpandedEnds:
        """Every outcome is an end."""
        law = self.listed(steps).law
        return ExpandedEnds(steps, [End((p / q).log(), p) for p, q in zip(law.p, law.q, strict=True)])


def _law(pair: AtomicPair, rate: Fraction, reversed: bool) -> AtomsLaw:
    return AtomsLaw(AtomicLaw(pair, rate, reversed and not (rate == 1 and pair.symmetric)))


@registered_law.register(AtomicPair)
def _(pair: AtomicPair, reversed: bool) -> Law | None:
    found = _law(pair, Fraction(1), reversed)
    return None if found.atoms.is_trivial else found


@registered_sampled_law.register(AtomicPair)
def _(base: AtomicPair, q: Exact, reversed: bool) -> Law | None:
    found = _law(base, rational(q, "q"), reversed)
    return None if found.atoms.is_trivial else found
