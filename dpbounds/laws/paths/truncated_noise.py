"""Cutting the noise: the law without its far right end, for tails so heavy that the moments are ruled by what never happens.

In the remove direction E_Q[u^{1+x}] has, besides the bulk, a part near s = (1+x)/σ of size about q^{1+x}e^{x(x+1)/2σ²}; for a tiny rate
it dwarfs the bulk at tilts x that the bulk needs, though it says nothing about δ. So the event that some s_i > S is taken out:

    0 ≤ δ(ε) − δ_S(ε) ≤ Σ k·P(s > S),    P(s > S) = (1−q)Φ̄(S) + qΦ̄(S − 1/σ),    M_S(z) = ∫_{−∞}^S φ u^{1+z} ds,

and δ_S is the contour integral of Π M_S^k, because that formula holds for every sub-probability. Nodes are S − (n+½)η, n ≥ 0. With the
kernel 1/(1+χ), χ = e^{2πi(s−S)/η} = −1 at the nodes, the residue theorem on {Re s < S, |Im s| < b} gives for analytic g

    |Σ η g(s_n) − ∫_{−∞}^S g| ≤ (∫_{−∞}^S |g(s+ib)| + |g(s−ib)| ds)/(e^{2πb/η} − 1) + ∫_0^b (|g(S+it)| + |g(S−it)|)/(1 + e^{2πt/η}) dt:

the first part is that of the whole line with M_S for M, the second is the price of the end. There |f_z(S+it)| ≤ e^{t²/2 + y·|t|/σ·[t<0]}
·f(S), f = φu^{1+x}, y ≥ 0; the exponents t²/2 + ct are convex, hence largest at the ends of an interval.
"""

from __future__ import annotations

from flint import arb

from dpbounds.laws.mixture import Mixture
from dpbounds.numbers.mixture_thresholds import normal_tail


def cut_mass(mixture: Mixture, cut: float) -> arb:
    """The larger of P(s > S) and Q(s > S) = Φ̄(S), for (u, 1)."""
    q, sigma = mixture.parameters()
    plain = normal_tail(arb(cut))
    return plain.max((1 - q) * plain + q * normal_tail(arb(cut) - 1 / sigma))


def end_value(mixture: Mixture, cut: float, x: arb) -> arb:
    """f(S) = φ(S)u(S)^{1+x}."""
    end = arb(cut)
    log_u = mixture.logs([end])[0][0]
    return ((1 + x) * log_u - end * end / 2).exp() / (2 * arb.pi()).sqrt()


def real_rule_end(mixture: Mixture, cut: float, x: arb, y: arb, b: arb, step: arb) -> arb:
    """The end's price for the rule on the real line at heights up to y: at most 2b·f(S)·max(1, e^{b²/2 + yb/σ − 2πb/η})."""
    _, sigma = mixture.parameters()
    growth = (b * b / 2 + y * b / sigma - 2 * arb.pi() * b / step).exp()
    return 2 * b * growth.max(arb(1)) * end_value(mixture, cut, x)


def shifted_rule_end(mixture: Mixture, cut: float, x: arb, a: arb, step: arb) -> arb:
    """The end's price for the rule along s + ia with b = a, y ≥ 0.

    ∫_{−∞}^S f = ∫_{−∞+ia}^{S+ia} f − i∫_0^a f(S+it)dt, the last at most a·e^{a²/2}f(S). The rule's own price, with g(s) = f(s+ia), is at
    most 2a times the largest of e^{t²/2 − 2π|t−a|/η}·f(S) over 0 ≤ t ≤ 2a: at t = 0, a or 2a.
    """
    along = (a * a / 2).exp()
    corner = (2 * a * a - 2 * arb.pi() * a / step).exp()
    return (a * along + 2 * a * along.max(corner)) * end_value(mixture, cut, x)


def decay_end(mixture: Mixture, cut: float, x: arb, a: arb) -> arb:
    """What moving ∫_{−∞}^S f to s + ia leaves at the end, for every y ≥ 0: at most a·e^{a²/2}·f(S); it does not decay."""
    return a * (a * a / 2).exp() * end_value(mixture, cut, x)


def decay_rule_end(mixture: Mixture, cut: float, x: arb, b: arb, step: arb) -> arb:
    """The end's price for the quadrature of `tilt`, whose integrand is at most e^{t²/2}f(S) at S ± it."""
    growth = (b * b / 2 - 2 * arb.pi() * b / step).exp()
    return 2 * b * growth.max(arb(1)) * end_value(mixture, cut, x)
