"""From a product of dominating pairs to its laws, each with the number of its uses."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from dpbounds.laws.contour_factor import ContourFactor, GaussianFactor
from dpbounds.laws.law import ClosedForm, Law, law_of
from dpbounds.mechanisms.pairs import Product
from dpbounds.numbers.inputs import exact_ball

if TYPE_CHECKING:
    from dpbounds.laws.convolve import OrderedUse
    from dpbounds.laws.finite_sums import FiniteLaw
    from dpbounds.laws.paths.endpoint_expansion import ExpandedEnds


@dataclass(frozen=True)
class Elements:
    """A product taken apart, equal laws counted: what holds of all of them. Balls are at the current precision."""

    uses: Counter[Law]

    @property
    def steps(self) -> int:
        """The number of all uses."""
        return sum(self.uses.values())

    @property
    def atoms(self) -> Counter[Law]:
        """The laws with atoms alone."""
        return Counter({law: steps for law, steps in self.uses.items() if law.atoms is not None})

    @property
    def noise(self) -> Counter[Law]:
        """The others."""
        return Counter({law: steps for law, steps in self.uses.items() if law.atoms is None})

    @property
    def truncated(self) -> bool:
        """Whether some law is followed only as far as is asked for."""
        return any(law.truncated for law in self.uses)

    @property
    def by_parity(self) -> bool:
        """Whether δ must be found from that of the swapped product."""
        return any(law.by_parity for law in self.uses)

    @property
    def in_epochs(self) -> bool:
        """Whether one use of some law is an epoch of random allocation: its contours are planned by what they cost."""
        return any(law.epoch for law in self.uses)

    def swapped(self) -> Elements:
        """P and Q exchanged."""
        found: Counter[Law] = Counter()
        for law, steps in self.uses.items():
            found[law.swapped()] += steps
        return Elements(found)

    def certain_loss(self) -> arb:
        """P(L = ∞)."""
        kept = arb(1)
        for law, steps in self.uses.items():
            kept *= law.finite_mass() ** steps
        return 1 - kept

    def exact_certain_loss(self) -> Fraction | None:
        """The same as a fraction; None where some law knows a ball only."""
        masses = [(law.lost_mass(), steps) for law, steps in self.uses.items()]
        if any(lost is None for lost, _ in masses):
            return None
        return 1 - math.prod(((1 - lost) ** steps for lost, steps in masses if lost), start=Fraction(1))

    def may_lose(self) -> bool:
        """Whether some law has an infinite loss of positive probability, or one that only a ball knows."""
        return any(law.lost_mass() != 0 for law in self.uses)

    def nothing_finite(self) -> bool:
        """Whether some law has no finite loss."""
        return any(law.lost_mass() == 1 for law in self.uses)

    def dropped(self) -> arb:
        """A ball around 0 and the mass of finite losses that laws with tails leave out: it adds to δ at most."""
        return arb(0).union(sum((use.law.steps * use.law.dropped for use in self.listed()), arb(0)).upper())

    def unlisted_mass(self) -> arb:
        """What sums over listed outcomes leave out: the mass of infinite loss, and a ball around that of the tails."""
        return self.certain_loss() + self.dropped()

    def largest_loss(self) -> Fraction | arb | None:
        """The largest finite value of the loss: exactly where it is rational, or None where there is none."""
        plain, rest, exact = Fraction(0), arb(0), True
        for law, steps in self.uses.items():
            own = law.largest_loss()
            if own is None:
                return None
            if isinstance(own, Fraction):
                plain += steps * own
            else:
                rest, exact = rest + steps * own, False
        return plain if exact else exact_ball(plain) + rest

    def closed_form(self) -> ClosedForm | None:
        """δ, where there is an expression for it."""
        return next((form for law in self.uses if (form := law.closed_form(self.uses)) is not None), None)

    def approx_epsilon(self, target: Fraction) -> tuple[float | Fraction, float] | None:
        """About ε(target) and how fast log δ falls there, where a law has an estimate of its own."""
        found = [law.approx_epsilon(math.log(target.numerator) - math.log(target.denominator)) for law in self.uses]
        return found[0] if len(found) == 1 else None

    def listed(self) -> list[OrderedUse]:
        """The laws with atoms and their exact losses."""
        return [use for law, steps in self.uses.items() if (use := law.listed(steps)) is not None]

    def finite_laws(self) -> list[FiniteLaw]:
        """The laws with atoms."""
        return [use.law for use in self.listed()]

    def factors(self, most: float = 0.0) -> list[ContourFactor]:
        """M, law by law, Gaussian noise in one; what is truncated may leave out `most` in one use."""
        found = [law.factor(steps, most) for law, steps in self.uses.items() if law.variance() is None]
        variances = [steps * own for law, steps in self.uses.items() if (own := law.variance()) is not None]
        return [*found, GaussianFactor(sum(variances, arb(0)))] if variances else found

    def parts(self) -> list[ExpandedEnds] | None:
        """The endpoint expansion of every law; None where some law has none."""
        found = [law.expanded_ends(steps) for law, steps in self.uses.items()]
        return None if None in found else [part for part in found if part is not None]

    def note(self) -> str:
        """What the laws add to the description of a method."""
        return "".join(f" {said}" for said in dict.fromkeys(law.note for law in self.uses) if said)


def elements_of(product: Product) -> Elements:
    """Take a product apart.

    Raises:
        InputError: a pair that has no law.
    """
    found: Counter[Law] = Counter()
    for factor in product.factors:
        law = law_of(factor.pair, factor.reversed)
        if law is not None:
            found[law] += factor.steps
    return Elements(found)
