"""δ of private selection by two-point tables with a free parameter.

**Range bounded by E** (the exponential mechanism e^{E·u/2Δ}, the same as the largest score with Gumbel noise of scale 2Δ/E): the
loss takes values in an interval of length E. The worst use is one of the tables

    loss t with P(t) = p, Q = e^{−t}p,    loss t − E with P = 1 − p,    p = (1 − e^{t−E})/(1 − e^{−E}),    0 ≤ t ≤ E,

and two candidates attain each of them. Of k uses that are fixed beforehand the worst have one t, and for "at most l uses with the
low loss"

    F_l(t) = Σ_{i≤l} C(k, i) p^{k−i} (1−p)^i (1 − e^{ε−kt+iE}),      δ(ε) = max_l F_l(t_l),   t_l = (ε + (l+1)E)/(k+1) cut to [0, E].

Derivation: d/dr P(Bin(k, r) ≤ l) = −k C(k−1, l) r^l (1−r)^{k−1−l}, and 1−p = r_Q e^{t−E}, p = q e^t. So the two terms of F_l′
have the quotient e^{(k+1)t − (l+1)E − ε}: F_l rises to t_l and falls from there. Source: Dong, Durfee & Rogers 2020 (arXiv
1909.13830), Theorem 3. Uses that are chosen after earlier answers can be worse for k ≥ 2.

**Permute-and-flip** (the largest score with exponential noise of scale 2Δ/E). For any test, and in any divergence, no neighbours of
any number of candidates show more than the worst pair of two candidates (docs/permute-and-flip.md). Two candidates with a gap g, 0 ≤ g
≤ E, are chosen with the probabilities

    p, 1 − p = e^{−g}/2    and, in the neighbouring data,    q = e^{g−E}/2, 1 − q.

So P(S) − e^ε Q(S) ≤ 1 − e^{(ε−E)/2}, that of Laplace noise, at g = (E − ε)/2. With the odds o = p/(1 − p) ≥ 1 ≥ o′ = q/(1 − q) the
moment of order 1 + t rises in g while o^t (1 + t − to) > o′^t (1 + t − to′), and falls from there: both sides are monotone. So a
bracket of this gap encloses the largest moment; for t → 0 the condition is log o − o > log o′ − o′. Uses compose as those of Laplace
noise at most.

**Above threshold** (the first query above the threshold, Laplace noise of scale 2Δ/E and 4Δ/E: Dwork & Roth 2014, Algorithm 1). On the
way from one data set to its neighbour, all queries moving at once, the probability f of an event obeys |f′| ≤ min(f, 1 − f) per unit of
E, for the mechanism is pure at every sensitivity. The fastest way up is the cdf of a Laplace variable, whose δ is the upper bound. The
lower bound is that of one query that moves by Δ, which is far below: no exact value is known here.

**zCDP.** D_α rises with α, so that the least ρ = sup D_α/α is at least a Kullback–Leibler divergence. With a range of length E that of a
table, t − E(1 − p), is largest at e^{t−E} = (1 − e^{−E})/E, and it is the least ρ. For Euler's product of sinh makes t·D_{1+t} the sum of
k(1 + t) − k(t) − k(1) over n ≥ 1, k(x) = x·log(1 + ax²), a = (E/2πn)². Here k′(x) = G(ax²), and G(v) = log(1 + v) + 2v/(1 + v) is concave
and 0 at 0. So k′(1 + s) − k′(s) ≤ G(a(1 + 2s)) ≤ (1 + 2s)·k′(1): over s ≤ t at most t(1 + t)·k′(1), with equality for t → 0. Laplace noise
has ρ = E + e^{−E} − 1: with y = e^{−E} and m = 2t + 1 the derivatives of log M and of t(1 + t)ρ in E compare as 2(1 − y^m) with (1 −
y)(m + 1 + (m − 1)y^m), and their difference and its slope are 0 at y = 1, its second derivative m(m² − 1)y^{m−2}(1 − y) is not
negative.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from math import comb

from dpbounds.numbers.balls import Ball, ball, working_bits


def range_bounded(e: Ball, uses: int, epsilon: Ball) -> Ball:
    """max_l F_l(t_l).

    >>> range_bounded(ball(1), 1, ball(1)) == 0
    True
    """
    best = ball(0)
    for low in range(uses):
        t = ((epsilon + (low + 1) * e) / (uses + 1)).nonnegative_part()
        p, r = ((t - e).expm1() / (-e).expm1()).nonnegative_part(), t.expm1() / e.expm1()  # p = 0 where t is cut
        total = ball(0)
        for i in range(low + 1):
            total += comb(uses, i) * p ** (uses - i) * r**i * -(epsilon - uses * t + i * e).expm1()
        best = best.max(total)
    return best


def range_bounded_renyi(e: Ball, t: Ball) -> Ball:
    """D_{1+t} of the worst table, for one use; uses add, adaptive ones included.

    With u = e^{loss}, A = 1 − e^{−(1+t)E} and B = e^{−E} − e^{−(1+t)E} the moment of a table is u^t (A − Bu)/(1 − e^{−E}), 1 ≤ u ≤ e^E:
    largest at u = tA/((1+t)B), where its derivative changes sign. That lies inside: the moment is 1 at both ends and more between.

    >>> 0 < range_bounded_renyi(ball(1), ball(1)) < 1
    True
    """
    a, b = -(-(1 + t) * e).expm1(), (-e).exp() * -(-t * e).expm1()
    u = t * a / ((1 + t) * b)
    return ((a - b * u) * u**t / -(-e).expm1()).log() / t


def laplace_renyi(e: Ball, t: Ball) -> Ball:
    """D_{1+t} of Laplace noise of scale 1/E (Mironov 2017, Proposition 6): it bounds that of every profile below.

    >>> laplace_renyi(ball(1), ball(1)) < 1
    True
    """
    return (((1 + t) * (t * e).exp() + t * (-(1 + t) * e).exp()) / (1 + 2 * t)).log() / t


def flipped_renyi(e: Ball, t: Ball) -> Ball:
    """D_{1+t} of permute-and-flip, that of the worst gap of two candidates.

    >>> 0.576 < flipped_renyi(ball(1), ball(1)) < 0.577
    True
    """
    slope = lambda odds: odds**t * (1 + t - t * odds)  # noqa: E731
    moment = lambda r, q: (1 - r) * ((1 - r) / q) ** t + r * (r / (1 - q)) ** t  # noqa: E731
    return _largest(e, lambda r, q: slope(1 / r - 1) - slope(q / (1 - q)), moment).log() / t


def _largest(e: Ball, rising: Callable[[Ball, Ball], Ball], value: Callable[[Ball, Ball], Ball]) -> Ball:
    """The largest value over gaps, at 1 − p and q of a bracket that holds the place where `rising` turns negative."""
    low, high = ball(0), e
    for _ in range(working_bits()):
        middle = ((low + high) / 2).mid()
        sign = rising((-middle).exp() / 2, (middle - e).exp() / 2)
        if not (sign > 0 or sign < 0):
            break
        low, high = (middle, high) if sign > 0 else (low, middle)
    gap = low.union(high)
    return value((-gap).exp() / 2, (gap - e).exp() / 2)


def _one_query(e: Ball) -> list[tuple[Ball, Ball]]:
    """Probabilities that one query is above some thresholds, in both data sets."""
    middles = [e / 2 + j * (1 + e / 8) / 2 for j in range(-16, 17)]
    return [(_noise_cdf(x), _noise_cdf(x - e)) for x in middles]


def _divergence(r: Ball, q: Ball) -> Ball:
    """The Kullback–Leibler divergence of two coins with the chances 1 − r and q."""
    return (1 - r) * ((1 - r) / q).log() + r * (r / (1 - q)).log()


def one_query_delta(e: Ball, epsilon: Ball) -> Ball:
    """The best of some thresholds; each is a lower bound."""
    return reduce(lambda best, pair: best.max(pair[0] - epsilon.exp() * pair[1]), _one_query(e), ball(0))


def _noise_cdf(x: Ball) -> Ball:
    """P(L₂ + L₄ ≤ x) for Laplace variables of scale 2 and 4: 1 − (2e^{−x/4} − e^{−x/2}/2)/3 for x ≥ 0.

    Derivation: the characteristic function 1/((1 + 4s²)(1 + 16s²)) is (4/3)/(1 + 16s²) − (1/3)/(1 + 4s²).
    """
    tail = ((-abs(x) / 4).exp() * 2 - (-abs(x) / 2).exp() / 2) / 3
    return 1 - tail if x >= 0 else tail if x < 0 else tail.union(1 - tail)


def range_bounded_rho(e: Ball) -> tuple[Ball, Ball]:
    """Below and above the least ρ of one use whose loss has a range of length E, both the same.

    >>> 0.12330156 < range_bounded_rho(ball(1))[0] < 0.12330157
    True
    """
    stretched = e / -(-e).expm1()
    return (stretched - 1 - stretched.log(),) * 2


def threshold_rho(e: Ball) -> tuple[Ball, Ball]:
    """Below and above the least ρ of above threshold: the best of some thresholds, and that of Laplace noise.

    >>> threshold_rho(ball(1))[1] <= ball(1) / 2
    True
    """
    shown = [_divergence(1 - p, q) for p, q in _one_query(e)]
    return reduce(Ball.max, (value for value in shown if value.is_finite()), ball(0)), e + (-e).expm1()


def flipped_rho(e: Ball) -> tuple[Ball, Ball]:
    """Below and above the least ρ of permute-and-flip, from the largest Kullback–Leibler divergence and the largest variance.

    For one gap t·D_{1+t} has the second derivative π(1 − π)Δ², with Δ = log(o/o′) and the odds o·e^{tΔ} of π. It falls, for o ≥ 1. So
    D_{1+t} is at most the divergence plus tV, V = p(1 − p)Δ²/2. V rises in g while (2p − 1)Δ < 2(1 − p − q)/(1 − q): the left side rises
    and the right side falls where p + q ≤ 1, and the right side is negative beyond. Where V is above the divergence K, (K + tV)/(1 + t)
    rises up to where E ≥ D is less, to EV/(V + E − K) there; ρ of Laplace noise is a bound too.

    >>> low, high = flipped_rho(ball(1))
    >>> 0.32965 < low and high < 0.32967
    True
    """
    spread = lambda r, q: (1 / r - 1).log() - (q / (1 - q)).log()  # noqa: E731
    least = _largest(e, lambda r, q: spread(r, q) - 1 / r + 1 / (1 - q), _divergence)
    variance = lambda r, q: r * (1 - r) * spread(r, q) ** 2 / 2  # noqa: E731
    most = _largest(e, lambda r, q: 2 * (r - q) / (1 - q) - (1 - 2 * r) * spread(r, q), variance)
    return least, least if most <= least else (e * most / (most + e - least)).min(e + (-e).expm1())
