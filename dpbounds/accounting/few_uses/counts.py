"""Any number of uses of a law with few outcomes: counts of all but two of them, and binomial tails of these two.

Let a and b be two of the outcomes, l_a > l_b their losses, n_i how many of k uses show each of the others and m = k − Σn_i. Given n the
number j of a among the m uses is binomial, and the loss j·l_a + (m − j)·l_b + Σn_i·l_i rises with j. With j_n the least j at which it is
above ε,

    δ(ε) = P(infinite loss) + Σ_n C_n·(Πp_i^{n_i}·(p_a + p_b)^m·P(J ≥ j_n) − e^ε·Πq_i^{n_i}·(q_a + q_b)^m·Q(J ≥ j_n)),

C_n = k!/(m!·Πn_i!), J ~ Bin(m, p_a/(p_a + p_b)) under P and Bin(m, q_a/(q_a + q_b)) under Q. Where balls leave open whether the loss at
some j is above ε, its positive part is added. Most n hardly ever happen. For c > 0 and w = p·e^{cL}, all n together have w^k summed
M(c)^k, and (1 − e^{ε−L})₊ ≤ κ(c)·e^{c(L−ε)} (`tail_bound`); so those left out add at most

    κ(c)·e^{−cε}·(M(c)^k − Σ_{n kept} C_n·Πw_i^{n_i}·(w_a + w_b)^m),

whichever they are. They are chosen in floats.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpbounds.accounting.few_uses.halves import best_of
from dpbounds.laws.convolve import OrderedUse
from dpbounds.laws.finite_sums import FiniteLaw
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.binomial import Tails, log_mass
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.refine import refine

METHOD, OF_TWO = "counts of the outcomes, binomial tails of two", "binomial tails"
_MOST_OUTCOMES, _MOST_COUNTS, _MOST_TAILS = 5, 20_000, 200
"""Outcomes, vectors of counts, and tails that are found anew."""
_MOST_DOUBTS = 4


@dataclass(frozen=True)
class TiltedOutcome:
    """One outcome of a use: its loss, its probabilities under P and Q, and w."""

    loss: arb
    p: arb
    q: arb
    w: arb


def delta_by_counts(elements: Elements, epsilon: Fraction, digits: int) -> Enclosure | None:
    """δ(ε) of one law with a few atoms; None where the counts that matter are many.

    Raises:
        PrecisionError: no saddle point.
    """

    def attempt(uses: Sequence[OrderedUse], at: arb, c: arb, small: float) -> tuple[arb, arb] | None:
        (law,) = (use.law for use in uses)
        rows = [((p / q).log(), p, q) for p, q in zip(law.p, law.q, strict=True)]
        return sum_over_counts([TiltedOutcome(loss, p, q, p * (c * loss).exp()) for loss, p, q in rows], law.steps, at, small)

    laws = elements.finite_laws()
    if elements.noise or len(laws) != 1 or not 2 < len(laws[0].p) <= _MOST_OUTCOMES:
        return None
    return best_of(attempt, elements, epsilon, digits, 2 * elements.steps.bit_length())


def binomial_delta(elements: Elements, epsilon: Fraction, digits: int) -> Enclosure | None:
    """δ(ε) of one law with two atoms; None where balls do not tell their losses apart."""
    (law,) = elements.finite_laws()
    (p, q), (other_p, other_q) = zip(law.p, law.q, strict=True)
    if (p * other_q).overlaps(other_p * q):
        return None

    def value() -> arb:
        return elements.certain_loss() + tails_of_two(elements.finite_laws()[0], exact_ball(epsilon))

    return refine(value, digits, rounds=4)


def tails_of_two(law: FiniteLaw, epsilon: arb) -> arb:
    """Σ_n (P(n) − e^ε Q(n))₊ of two outcomes, at the current precision.

    >>> law = FiniteLaw([arb(1) / 4, arb(3) / 4], [arb(3) / 4, arb(1) / 4], arb(0), 2)
    >>> bool(abs(tails_of_two(law, arb(1)) - (arb(9) - arb(1).exp()) / 16) < 1e-12)
    True
    """
    found = sum_over_counts([TiltedOutcome((p / q).log(), p, q, p) for p, q in zip(law.p, law.q, strict=True)], law.steps, epsilon, 0.0)
    return arb(0).union(arb(1)) if found is None else found[0]


def sum_over_counts(outcomes: Sequence[TiltedOutcome], steps: int, epsilon: arb, small: float) -> tuple[arb, arb] | None:
    """What the counts that are kept add to δ(ε), and Σ w of the others; None where they are many."""
    *others, first, second = sorted(outcomes, key=_log_weight)
    high, low = (first, second) if first.loss > second.loss else (second, first)
    if not high.loss > low.loss:
        return None
    both = TiltedOutcome(arb(0), high.p + low.p, high.q + low.q, high.w + low.w)
    counts = []
    for found in _counts([_log_weight(own) - _log_weight(both) for own in others], steps, small):
        counts.append(found)
        if len(counts) > _MOST_COUNTS:
            return None
    if len({own[1:] for own in counts}) > _MOST_TAILS:
        return None
    tails = [Tails(part / whole, rest / whole) for part, rest, whole in ((high.p, low.p, both.p), (high.q, low.q, both.q))]
    logs = [(own.p.log(), own.q.log(), own.w.log()) for own in (*others, both)]
    total, kept, scale, last = arb(0), arb(0), epsilon.exp(), arb(steps + 1).lgamma()
    for own in counts:
        left = steps - sum(own)
        ways = last - sum((arb(n + 1).lgamma() for n in (*own, left)), arb(0)) if own else arb(0)
        p, q, w = (sum((n * row[i] for n, row in zip((*own, left), logs, strict=True)), ways).exp() for i in range(3))
        level = epsilon - left * low.loss - sum((n * other.loss for n, other in zip(own, others, strict=True)), arb(0))
        place = level / (high.loss - low.loss)
        below, sure = _floor(place.lower()), _floor(place.upper()) + 1
        if sure - below - 1 > _MOST_DOUBTS:
            return None
        key = hash(own[1:])
        total += p * _tail(tails[0], key, left, sure) - scale * q * _tail(tails[1], key, left, sure)
        for doubt in range(max(0, below + 1), min(sure, left + 1)):
            masses = [log_mass(left, doubt, tail.probability, tail.other).exp() for tail in tails]
            total += (p * masses[0] - scale * q * masses[1]).nonnegative_part()
        kept += w
    return total, sum((own.w for own in outcomes), arb(0)) ** steps - kept


def _log_weight(own: TiltedOutcome) -> float:
    """About log w, which may be far from 0 where c is large: w itself need not be a float."""
    return float(own.w.log().mid()) if own.w > 0 else -math.inf


def _tail(tails: Tails, key: int, count: int, least: int) -> arb:
    """P(J ≥ least) for every least."""
    if least <= 0 or least > count:
        return arb(least <= 0)
    return tails.tail_and_edge(key, count, least)[0]


def _floor(value: arb) -> int:
    whole = value.floor().unique_fmpz()
    assert whole is not None
    return int(whole)


def _counts(logs: Sequence[float], steps: int, small: float) -> Iterator[tuple[int, ...]]:
    """Count vectors whose share of all is above e^{−small}, those that differ in the first alone one after the other.

    Args:
        logs: of w of each outcome, against that of those not counted together.
    """
    if not logs:
        yield ()
        return
    total = math.fsum(math.exp(own) for own in logs)
    own = logs[-1] - math.log1p(total)  # the last is chosen first: all others are what it is compared with
    rest = math.log1p(total - math.exp(logs[-1])) - math.log1p(total)
    ways = math.lgamma(steps + 1)

    def share(n: int) -> float:
        return ways - math.lgamma(n + 1) - math.lgamma(steps - n + 1) + (n * own if n else 0.0) + (steps - n) * rest

    mode = min(steps, math.floor((steps + 1) * math.exp(own)))
    start = mode
    while start > 0 and share(start - 1) >= -small:
        start -= 1
    n = start
    while n <= steps and (n <= mode or share(n) >= -small):
        for before in _counts(logs[:-1], steps - n, small + min(0.0, share(n))):
            yield (*before, n)
        n += 1
