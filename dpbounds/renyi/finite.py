"""Rényi divergence of two distributions on finitely many outcomes, sampled or not, with every zero in its place."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpbounds.errors import InputError
from dpbounds.laws.ball_numbers import BALLS
from dpbounds.mechanisms.pairs import AtomicPair
from dpbounds.numbers.balls import ball
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.excess import divergence_from_excess, excess
from dpbounds.numbers.precise import Parameter, as_ball, relative
from dpbounds.renyi import one_pair


@dataclass(frozen=True)
class RatioAtoms:
    """Outcomes of Q with their likelihood ratios: (Q, r−1, r), r = P/Q, and the mass of P where Q = 0."""

    outcomes: tuple[tuple[arb, arb, arb], ...]
    singular: Fraction


def atoms(pair: AtomicPair) -> RatioAtoms:
    """The atoms of a pair at the precision that is set.

    Outcomes with P = Q = 0 do not exist; outcomes with Q = 0 < P are the singular part.

    >>> from dpbounds.mechanisms.pairs import FinitePair
    >>> atoms(FinitePair((Fraction(1), Fraction(0)), (Fraction(1, 2), Fraction(1, 2)))).outcomes[0][2] == 2
    True
    """
    found = []
    rows, losses = pair.shared(BALLS), pair.losses(BALLS.bits)
    for (p, q), loss in zip(rows, losses or [None] * len(rows), strict=True):
        if loss is None:
            found.append((q, (p - q) / q, p / q))
        elif loss.plain == 0:
            found.append((q, ball(loss.ratio - 1), ball(loss.ratio)))
        else:
            found.append((q, loss.value(BALLS).expm1(), loss.value(BALLS).exp()))
    ahead, behind = pair.singular()
    if behind:
        found.append((ball(behind), ball(-1), ball(0)))
    return RatioAtoms(tuple(found), ahead)


def divergence(pair: AtomicPair, t: Parameter, bits: int, *, add: bool = False, rate: Parameter = Fraction(1)) -> arb:
    """D_{1+t} of γP + (1−γ)Q against Q, or the other way round, with `bits` relative bits.

    Conventions of van Erven & Harremoës 2014: an outcome with both probabilities 0 counts nothing; mass of the upper distribution where
    the lower one is 0 makes the divergence ∞; mass of the lower one where the upper one is 0 counts nothing.

    Args:
        pair: the two distributions.
        t: order minus one, t ≥ 0.
        bits: relative accuracy.
        add: swap the two.
        rate: Poisson sampling rate γ, 1 for none.

    >>> from dpbounds.mechanisms.pairs import FinitePair
    >>> half, skew = (Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(0))
    >>> divergence(FinitePair(half, skew), Fraction(1), 60), divergence(FinitePair(skew, half), Fraction(1), 60).str(5)
    ([+/- inf], '[0.69315 +/- 2.82e-6]')
    """
    if rate == 0:
        return arb(0)
    if rate != 1 and not pair.bounded:
        raise InputError(f"{type(pair).__name__} has no Rényi divergence here when it is sampled; ask for delta or epsilon")

    def evaluate() -> arb:
        order, gamma = as_ball(t), as_ball(rate)
        if gamma == 1 and (found := pair.divergence(order, BALLS)) is not None:
            return found
        table = atoms(pair)
        if table.singular and not add:
            return arb.pos_inf()
        total = gamma * ball(table.singular)
        for mass, ratio_less_one, ratio in table.outcomes:
            if gamma == 1 and ratio == 0:  # U = 0: G(−1) = 1 for remove, ∞ for add
                if add:
                    return arb.pos_inf()
                total += mass
                continue
            u = gamma * ratio_less_one
            log_u1 = u.log1p() if u > -0.5 else ((1 - gamma) + gamma * ratio).log()
            total += mass * excess(order, u, log_u1, add)
        return divergence_from_excess(order, total)

    return relative(evaluate, bits)


@one_pair.divergence.register(AtomicPair)
def _(pair: AtomicPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    if pair.formal:
        raise InputError(f"{pair.title} has no Rényi divergence here; ask for delta or epsilon")
    return divergence(pair, t, bits, add=reversed)


@one_pair.sampled_divergence.register(AtomicPair)
def _(base: AtomicPair, q: Exact, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    return divergence(base, t, bits, add=reversed, rate=q)
