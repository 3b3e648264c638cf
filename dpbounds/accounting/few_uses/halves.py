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

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpbounds.accounting.bromwich_planning import Model
from dpbounds.accounting.left_out.aliases import sharp_constant
from dpbounds.errors import PrecisionError
from dpbounds.laws.convolve import OrderedUse, Outcomes, positive_sum
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.inputs import exact_ball

METHOD = "two halves of the uses, outcome by outcome"
_MOST_USES, _MOST_WORK, _MOST_KEPT = 2_000, 4_000, 50_000
"""Uses of all laws, these times the atoms of the law that has most, and chains of one half."""
_BELOW, _ROUNDS, _LOWER = 9.0, 6, 7.0
"""Nats by which an outcome that ends a chain lies below what may be left out, attempts, and by how much the next one is below."""
_MOST_BITS, _GUARD = 1200, 30
_LN10 = math.log(10)


@dataclass(frozen=True)
class Half:
    """Outcomes that are kept, their Σ w, and M of all."""

    kept: Outcomes
    weight: arb
    moment: arb


def delta_by_halves(elements: Elements, epsilon: Fraction, digits: int) -> Enclosure | None:
    """δ(ε) of laws with atoms alone; None where outcomes of a half that matter are many."""

    def attempt(uses: Sequence[OrderedUse], at: arb, c: arb, small: float) -> tuple[arb, arb] | None:
        left, right = (half_of(own, c, small) for own in halved(uses))
        if left is None or right is None:
            return None
        return positive_sum([left.kept], right.kept, at), left.moment * right.moment - left.weight * right.weight

    return best_of(attempt, elements, epsilon, digits) if are_few(elements) else None


Attempt = Callable[[Sequence[OrderedUse], arb, arb, float], tuple[arb, arb] | None]
"""Of laws, ε, c and s: what outcomes add to δ(ε), and the Σ w of those left out, each below e^{−s} of M(c); None where they are many."""


def are_few(elements: Elements) -> bool:
    """Whether there are atoms alone, in uses that can be followed one by one."""
    atoms = max((len(law.p) for law in elements.finite_laws()), default=0)
    return not elements.noise and elements.steps <= _MOST_USES and elements.steps * atoms <= _MOST_WORK


def best_of(attempt: Attempt, elements: Elements, epsilon: Fraction, digits: int, guard: int = 0) -> Enclosure | None:
    """δ(ε) by some attempts, less and less being left out; None where none succeeds. `guard` is of bits that powers lose.

    Raises:
        PrecisionError: no saddle point.
    """
    best, bits, more = None, bits_for(digits, 80 + guard), 0.0
    for _ in range(_ROUNDS):
        saddle = saddle_with_tails(elements, epsilon, digits, bits)
        small = digits * _LN10 + max(0.0, saddle.above) + _BELOW + more
        with precision(saddle.bits):
            c, at = arb(saddle.c), exact_ball(epsilon)
            found = attempt(elements.listed(), at, c, small)
            if found is None:
                break
            total, left = found
            rest = arb((sharp_constant(c) * (-at * c).exp() * left).upper()).max(arb(0))
            own = Enclosure.of_ball(elements.unlisted_mass() + total + arb(0).union(rest))
            best = own if best is None or own.digits() > best.digits() else best
            if best.meets(digits):
                break
            size = float(total.log().mid()) if total > 0 else -_MOST_BITS * math.log(2)
            over = float((rest / total).log().mid()) if total > 0 and rest > 0 else 0.0
        wanted = bits_for(digits, _GUARD) - math.floor(size / math.log(2))
        if wanted > saddle.bits and (over <= -_LOWER or not left > 0):  # it is rounding errors alone that are left, or too many of them
            bits, more = min(_MOST_BITS, wanted), more if over > -_LOWER else 0.0
        else:  # what was left out may be all there is
            bits, more = saddle.bits, more + max(_LOWER, over + digits * _LN10 + _BELOW)
    return best


@dataclass(frozen=True)
class TailSaddle:
    """c, about log δ(ε), about log(κ(c)·M(c)·e^{−cε}/δ(ε)), and the bits at which all of it holds: tails end at 2^−bits."""

    c: float
    log_value: float
    above: float
    bits: int


def saddle_with_tails(elements: Elements, epsilon: Fraction, digits: int, bits: int) -> TailSaddle:
    """The saddle point with tails that go as far as δ(ε) needs, from so many bits on: farther ones may rule M and hardly add to δ.

    Raises:
        PrecisionError: there is none, or δ is negligible.
    """
    while bits <= _MOST_BITS:
        with precision(bits), contextlib.suppress(PrecisionError):
            model = Model(elements.factors(), float(exact_ball(epsilon)))
            if model.largest_loss > model.epsilon:
                c = model.saddle()
                value = model.log_delta(c)
                if bits >= bits_for(digits, _GUARD) - value / math.log(2):
                    return TailSaddle(c, value, model.exponent(c) + float(sharp_constant(arb(c)).log().mid()) - value, bits)
        bits += bits // 4
    raise PrecisionError("no saddle point was found; no digit was reached")


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
    visited = 0
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
                        if index == last:  # one of its kind more weighs less than the first of the next kind may
                            continue
                        break
                    longer.append((weight, index, many, p * own_p * place / many, q * own_q * place / many, loss + own_loss))
                if visited + len(longer) > _MOST_KEPT:
                    return None
            chains, visited = longer, visited + len(longer)
        states = [(share, p, q, loss) for share, _, _, p, q, loss in chains]
    kept = Outcomes([loss for *_, loss in states], [p for _, p, _, _ in states], [q for _, _, q, _ in states])
    whole = sum((p * (c * loss).exp() for _, p, _, loss in states), arb(0))
    return Half(kept, whole, moment)


def _tails(shares: Sequence[float]) -> list[float]:
    """The logarithms of the sums from each place on."""
    found, total = [], 0.0
    for share in reversed(shares):
        total += math.exp(share)
        found.append(math.log(total) if total > 0 else -math.inf)
    return found[::-1]
