"""δ(ε) of a few uses of any laws with a profile: each is replaced by one on a lattice of losses.

Docs: error-bounds.md, "A grid of losses".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.recheck.atoms import Atoms, Loss
from dpbounds.recheck.bromwich import Law, Use, unlisted_mass
from dpbounds.recheck.convolution import LARGEST, mean_excess, totals
from dpbounds.recheck.numbers import Numbers, Real, Refused
from dpbounds.recheck.profiles import profile, profile_work
from dpbounds.recheck.reading import entries, integer, only, positive


@dataclass(frozen=True)
class Replaced:
    """A law on the losses j·h, the P-mass that it puts at infinity, and a bound on the P-mass of losses below the grid."""

    atoms: Atoms
    infinite: Real
    below: Real


def grid(uses: Sequence[Use], epsilon: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
    """[listed − what losses L < ε + r list − P(below), listed + P(∞)], r the sum of the steps of the grid over all uses replaced."""
    only(own, "name", "bits", "step", "grids", "units", "terms")
    step, rules = positive(own, "step"), entries(own, "grids")
    tables = [(law, steps) for law, steps in uses if isinstance(law, Atoms)]
    others = [(law, steps) for law, steps in uses if not isinstance(law, Atoms)]
    if len(rules) != len(others):
        raise Refused("one grid for each law that is no table is needed")
    infinite, below, reach, replaced = numbers.number(0), numbers.number(0), Fraction(0), []
    for (law, steps), rule in zip(others, rules, strict=True):
        only(rule, "first", "last")
        found = replaced_law(law, step, integer(rule, "first"), integer(rule, "last"), numbers)
        infinite, below, reach = infinite + found.infinite * steps, below + found.below * steps, reach + step * steps
        replaced.append((found.atoms, steps))
    units = [*entries(own, "units"), *[{"plain": str(step), "ratio": "1"}] * len(replaced)]
    rows = totals([*tables, *replaced], {"units": units}, numbers)
    crossed = mean_excess([(p, loss) for p, loss in rows if not (-loss.value(numbers)).surely_below(-epsilon - reach)], epsilon, numbers)
    for name, term in (("crossed by the grid", crossed), ("below the grid", below), ("beyond the grid", infinite)):
        numbers.state(name, term)
    listed = mean_excess(rows, epsilon, numbers) + unlisted_mass(tables, numbers)
    return (listed.down_by(crossed + below) + infinite.down_by(infinite)).positive_part()


def replaced_law(law: Law, step: Fraction, first: int, last: int, numbers: Numbers) -> Replaced:
    """The law whose H(x) = δ(log x) is the chord of the law's between the points e^{jh}, first <= j <= last: at least as little private.

    Slopes fall from (1 − H(x_first))/x_first to 0 beyond the last point; the steps of the slope are the masses under Q.
    """
    if not 2 <= last - first <= LARGEST:
        raise Refused(f"a grid needs 3 to {LARGEST} points")
    numbers.spend((last - first + 1) * profile_work(law))
    places = [numbers.number(j * step).exp() for j in range(first, last + 1)]
    heights = [profile([(law, 1)], numbers.number(j * step), numbers) for j in range(first, last + 1)]
    slopes = [(1 - heights[0]) / places[0]]
    for index in range(last - first):
        slopes.append((heights[index] - heights[index + 1]) / (places[index + 1] - places[index]))
    slopes.append(numbers.number(0))
    rows = []
    for index, place in enumerate(places):
        mass = (slopes[index] - slopes[index + 1]).positive_part() * place
        rows.append((mass, Loss((first + index) * step)))
    # P(R < x) <= x·Q(R < x), and the slope beyond x is at most −H'(x) = Q(R > x)
    return Replaced(Atoms(tuple(rows)), heights[-1], places[0] * (1 - slopes[1]).positive_part())
