"""Rényi divergence of the Laplace mechanism, plain and Poisson-sampled."""

from __future__ import annotations

from flint import acb, arb, ctx

from dpbounds.mechanisms.pairs import LaplacePair
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.excess import divergence_from_excess, excess
from dpbounds.numbers.precise import Parameter, as_ball, relative
from dpbounds.numbers.quadrature import integrate
from dpbounds.renyi import one_pair


def divergence(t: Parameter, scale: Parameter, bits: int) -> arb:
    """D_α(Laplace(1,b) ‖ Laplace(0,b)), α = 1+t ≥ 1, with `bits` relative bits.

    M = (α·e^{t/b} + t·e^{−α/b})/(2α−1) (Mironov 2017, Proposition 6). As α + t = 2α−1 and αt − tα = 0,
    M − 1 = (α·E(t/b) + t·E(−α/b))/(2α−1) with E(x) = e^x − 1 − x ≥ 0: no cancellation between the two terms.

    >>> from fractions import Fraction
    >>> divergence(Fraction(1), Fraction(1), 60).str(15, radius=False)
    '0.619123629998593'
    """

    def evaluate() -> arb:
        order, rate = as_ball(t), 1 / as_ball(scale)
        first = arb(0) if order == 0 else (1 + order) * _second_order(order * rate) / order
        return divergence_from_excess(order, (first + _second_order(-(1 + order) * rate)) / (1 + 2 * order))

    return relative(evaluate, bits)


def sampled_divergence(t: Parameter, scale: Parameter, q: Parameter, bits: int, *, add: bool = False) -> arb:
    """D_{1+t} of the Poisson-sampled Laplace mechanism, with `bits` relative bits.

    Under Q = Laplace(0,b) the loss is w = −1/b with probability ½ (x ≤ 0), 1/b with probability ½e^{−1/b} (x ≥ 1), and (2x−1)/b between,
    where the density is e^{−x/b}/(2b). So J is two atoms and one integral over [0, 1] of a function that is analytic around it.

    >>> from fractions import Fraction
    >>> sampled_divergence(Fraction(1), Fraction(1), Fraction(1, 2), 60).rel_accuracy_bits() >= 60
    True
    """
    if q == 0:
        return arb(0)
    if q == 1:
        return divergence(t, scale, bits)

    def evaluate() -> arb:
        order, inverse, rate = as_ball(t), 1 / as_ball(scale), as_ball(q)
        rest = 1 - rate

        def end_term(w: arb) -> arb:
            u = rate * w.expm1()
            return excess(order, u, u.log1p() if u > -0.5 else (rest + rate * w.exp()).log(), add)

        def between(x: acb, analytic: bool) -> acb:
            w = (2 * x - 1) * inverse
            u = rate * w.expm1()
            log_u1 = u.log1p() if abs(u) < 0.5 else (rest + rate * w.exp()).log(analytic=analytic)
            return (-x * inverse).exp() * inverse / 2 * excess(order, u, log_u1, add)

        ends = end_term(-inverse) / 2 + (-inverse).exp() * end_term(inverse) / 2
        return divergence_from_excess(order, ends + integrate(between, arb(0), arb(1), ctx.prec - 30, ends))

    return relative(evaluate, bits)


def _second_order(x: arb) -> arb:
    """e^x − 1 − x ≥ 0; for small x the working precision has to make up for the cancellation, and `relative` sees to it."""
    return x.expm1() - x


@one_pair.divergence.register(LaplacePair)
def _(pair: LaplacePair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    return divergence(t, pair.scale, bits)


@one_pair.sampled_divergence.register(LaplacePair)
def _(base: LaplacePair, q: Exact, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    return sampled_divergence(t, base.scale, q, bits, add=reversed)
