"""Few uses of laws with many atoms: every outcome of one half of the uses beside every outcome of the other.

With a and b the outcomes of the two halves, counts of the atoms of each law,

    δ(ε) = P(infinite loss) + Σ_a Σ_b (p_a·p_b − e^ε·q_a·q_b)₊,

the inner sum by running sums over the b in the order of their losses (`convolve`). Most outcomes hardly ever happen. For c > 0, with
w_a = p_a·e^{cL(a)}, the w of all outcomes of a half add up to its moment, Σ_a w_a = M_A(c), and (1 − e^{ε−L})₊ ≤ κ(c)·e^{c(L−ε)}
(`tail_bound`). So where A′ and B′ are the outcomes that are kept, the others add at most

    κ(c)·e^{−cε}·(M_A(c)·M_B(c) − Σ_{A′} w_a·Σ_{B′} w_b),

whichever they are. They are chosen in floats: atoms of each law in the order of w, the largest first, a chain of atoms that does not rise
again, and a chain ends where all that could follow weighs little.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpbounds.accounting.bromwich_planning import Model
from dpbounds.accounting.left_out.aliases import sharp_constant
from dpbounds.laws.convolve import OrderedUse, Outcomes, positive_sum
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.inputs import exact_ball

METHOD = "two halves of the uses, outcome by outcome"
_MOST_USES, _MOST_KEPT = 400, 150_000
"""Uses of all laws, and outcomes of one half."""
_BELOW, _ROUNDS, _LOWER = 9.0, 3, 7.0
"""Nats by which an outcome that ends a chain lies below what may be left out, attempts, and by how much the next one is below."""
_LN10 = math.log(10)


@dataclass(frozen=True)
class Half:
    """Outcomes that are kept, their Σ w, and M of all."""

    kept: Outcomes
    weight: arb
    moment: arb


def delta_by_halves(elements: Elements, epsilon: Fraction, digits: int) -> Enclosure | None:
    """δ(ε) of laws with atoms alone; None where outcomes of a half that matter are many."""
    if elements.noise or elements.steps > _MOST_USES:
        return None
    with precision(128):
        model = Model(elements.factors(), float(exact_ball(epsilon)))
        c = model.saddle()
        value = model.log_delta(c)
        most = model.exponent(c) + float(sharp_constant(arb(c)).log().mid()) - value
    small, best = digits * _LN10 + max(0.0, most) + _BELOW, None
    with precision(bits_for(digits, 80) + math.ceil(max(0.0, -value) / math.log(2))):
        uses, at = elements.listed(), exact_ball(epsilon)
        for _ in range(_ROUNDS):
            halves = [half_of(own, arb(c), small) for own in halved(uses)]
            if None in halves:
                return best
            (left, right) = (half for half in halves if half is not None)
            rest = sharp_constant(arb(c)) * (-at * c).exp() * (left.moment * right.moment - left.weight * right.weight)
            found = Enclosure.of_ball(
                elements.unlisted_mass() + positive_sum([left.kept], right.kept, at) + arb(0).union(arb(rest.upper()).max(arb(0)))
            )
            if best is None or found.digits() > best.digits():
                best = found
            if best.meets(digits):
                break
            small += _LOWER
    return best


def halved(uses: Sequence[OrderedUse]) -> tuple[list[tuple[OrderedUse, int]], list[tuple[OrderedUse, int]]]:
    """About half of the uses of each law, and the others: a use that is left over goes where there are fewer outcomes."""
    first: list[tuple[OrderedUse, int]] = []
    second: list[tuple[OrderedUse, int]] = []
    sizes = [0.0, 0.0]
    for use in sorted(uses, key=lambda own: -len(own.law.p)):
        more, less = -(-use.law.steps // 2), use.law.steps // 2
        own = (more, less) if sizes[0] <= sizes[1] else (less, more)
        for index, (half, count) in enumerate(zip((first, second), own, strict=True)):
            half.append((use, count))
            sizes[index] += count * math.log(len(use.law.p))
    return first, second


def half_of(uses: Sequence[tuple[OrderedUse, int]], c: arb, small: float) -> Half | None:
    """The outcomes of so many uses of each law, but for chains of less than e^{−small} of M; None where they are many."""
    moment, states = arb(1), [(0.0, arb(1), arb(1), arb(0))]  # log of the share of M, p, q, loss
    for use, count in uses:
        rows = [((p / q).log(), p, q) for p, q in zip(use.law.p, use.law.q, strict=True)]
        own = sum((p * (c * loss).exp() for loss, p, _ in rows), arb(0))
        moment *= own**count
        atoms = sorted(((float((p.log() + c * loss - own.log()).mid()), p, q, loss) for loss, p, q in rows), key=lambda row: -row[0])
        tails = _tails([share for share, *_ in atoms])
        chains = [(share, 0, 0, p, q, loss) for share, p, q, loss in states]
        for place in range(1, count + 1):
            left, longer = count - place, []
            for share, last, times, p, q, loss in chains:
                for index in range(last, len(atoms)):
                    size, own_p, own_q, own_loss = atoms[index]
                    many = times + 1 if index == last else 1
                    weight = share + size + math.log(place / many)
                    # at most, of all uses of the law: place further atoms of `left` in some order, none of them before this one
                    if weight + math.log(math.comb(count, place)) + left * tails[index] < -small:
                        break
                    longer.append((weight, index, many, p * own_p * place / many, q * own_q * place / many, loss + own_loss))
                if len(longer) > _MOST_KEPT:
                    return None
            chains = longer
        states = [(share, p, q, loss) for share, _, _, p, q, loss in chains]
    kept = Outcomes([loss for *_, loss in states], [p for _, p, _, _ in states], [q for _, _, q, _ in states])
    weight = sum((p * (c * loss).exp() for _, p, _, loss in states), arb(0))
    return Half(kept, weight, moment)


def _tails(shares: Sequence[float]) -> list[float]:
    """The logarithms of the sums from each place on."""
    found, total = [], 0.0
    for share in reversed(shares):
        total += math.exp(share)
        found.append(math.log(total) if total > 0 else -math.inf)
    return found[::-1]
