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

**Permute-and-flip** (the largest score with exponential noise of scale 2Δ/E). On the way from one data set to its neighbour, all
scores moving at once, the probability f of an event obeys |f′| ≤ min(f, 1 − f) per unit of E, for the mechanism is pure at every
sensitivity. The fastest way up is the cdf of a Laplace variable, so P(S) − e^ε Q(S) ≤ sup_a F(a) − e^ε F(a − E) = 1 −
e^{(ε−E)/2}, that of Laplace noise. Two candidates have exactly these probabilities: F(a) for a gap of a. Uses compose as those of
Laplace noise at most; k uses with one gap are a lower bound.

**Above threshold** (the first query above the threshold, Laplace noise of scale 2Δ/E and 4Δ/E: Dwork & Roth 2014, Algorithm 1):
the same upper bound, for the same reason. The lower bound is that of one query that moves by Δ, which is far below: no exact
value is known here.

**zCDP.** D_α rises with α, so that the least ρ = sup D_α/α is at least a Kullback–Leibler divergence. With a range of length E the largest
of a table, t − E(1 − p), is at e^{t−E} = (1 − e^{−E})/E, and ρ is at most E²/8 (Cesar & Rogers 2021, Lemma 3.2). For
the other two Laplace noise bounds D_α, and permute-and-flip has the pair F(a) and F(a − E) of each gap a.
"""

from __future__ import annotations

from math import comb

from dpbounds.numbers.balls import Ball, ball
from dpbounds.numbers.to_digits import exact_point

_GAPS, _PIECES = 64, 1000


def range_bounded(e: Ball, uses: int, epsilon: Ball) -> Ball:
    """max_l F_l(t_l).

    >>> range_bounded(ball(1), 1, ball(1)) == 0
    True
    """
    best = ball(0)
    for low in range(uses):
        t = ((epsilon + (low + 1) * e) / (uses + 1)).nonnegative_part()
        if t >= e:  # cut to E, where p = 0 and with it every term
            continue
        if not t < e:  # not told apart: every term is at most C(k, i)·p^{k−i}
            most = abs((e - t).expm1() / (-e).expm1()).upper()
            best = best.max(ball(0).union(sum((comb(uses, i) * most ** (uses - i) for i in range(low + 1)), ball(0))))
            continue
        p, r = -(t - e).expm1() / -(-e).expm1(), t.expm1() / e.expm1()
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


def one_query_delta(e: Ball, epsilon: Ball) -> Ball:
    """The best of some thresholds; each is a lower bound."""
    best = ball(0)
    for j in range(-16, 17):
        middle = e / 2 + j * (1 + e / 8) / 2
        best = best.max(noise_cdf(middle) - epsilon.exp() * noise_cdf(middle - e))
    return best


def noise_cdf(x: Ball) -> Ball:
    """P(L₂ + L₄ ≤ x) for Laplace variables of scale 2 and 4: 1 − (2e^{−x/4} − e^{−x/2}/2)/3 for x ≥ 0.

    Derivation: the characteristic function 1/((1 + 4s²)(1 + 16s²)) is (4/3)/(1 + 16s²) − (1/3)/(1 + 4s²).

    >>> noise_cdf(ball(0)) * 2 == 1
    True
    """
    tail = ((-abs(x) / 4).exp() * 2 - (-abs(x) / 2).exp() / 2) / 3
    return 1 - tail if x >= 0 else tail if x < 0 else tail.union(1 - tail)


def range_bounded_rho(e: Ball) -> tuple[Ball, Ball]:
    """Below and above the least ρ of one use whose loss has a range of length E.

    >>> range_bounded_rho(ball(1))[1] <= ball(1) / 8
    True
    """
    stretched = e / -(-e).expm1()
    return stretched - 1 - stretched.log(), (e**2 / 8).min(e)


def flipped_rho(e: Ball) -> tuple[Ball, Ball]:
    """Below and above the least ρ of permute-and-flip; the second also for above threshold.

    Below: the best of some gaps. Above: t·D_{1+t} is convex in t and 0 at 0, so D_{1+t} rises, and for a ≤ t ≤ b, D_{1+t}/(1 + t) is at
    most D_{1+b}/(1 + a); it is at most E/(1 + t) beyond.

    >>> flipped_rho(ball(1))[1] <= ball(1) / 2
    True
    """
    below = above = ball(0)
    for j in range(_GAPS + 1):
        rest, other = (-e * j / _GAPS).exp() / 2, (-e * (_GAPS - j) / _GAPS).exp() / 2  # 1 − F(a) and F(a − E)
        below = below.max((1 - rest) * ((1 - rest) / other).log() + rest * (rest / (1 - other)).log())
    start = ball(0)
    while not e <= above * (1 + start):
        end = start + (1 + start) / _PIECES
        above = above.max(laplace_renyi(e, end) / (1 + start))
        start = ball(exact_point(end))
    return below, above
