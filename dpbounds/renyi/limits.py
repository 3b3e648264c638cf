"""Rényi divergences of mixtures of Gaussians where they are nearly in closed form: at large orders, and at small rates.

u, v, b_ℓ and m as in `gaussian_mixture`, p = 1 + t, D_{1+t} = log M/t, M = ∫φu^pv^{−t}; u or v is 1 where that side is N(0, σ²).
"""

from __future__ import annotations

from flint import arb

from dpbounds.numbers.discs import ball_around_zero
from dpbounds.renyi.counts import Counts


def large_order(counts: Counts, sigma: arb, t: arb, *, both: bool) -> arb:
    """D_{1+t} of the mixture from its mirror image, or from N(0, σ²): between bounds that meet at large orders.

    With G(x) = Σ b_ℓ x^ℓ and v ≥ b₀, Minkowski's inequality says that, as e^{ℓs/σ − ℓ²/2σ²} has the norm e^{tℓ²/2σ²} in L^p,

        M ≤ b₀^{−t}·(Σ b_ℓ e^{tℓ²/2σ²})^p ≤ b₀^{−t}·G(e^{tm/2σ²})^p.

    The last term of u alone makes s normal about pm/σ; there E v = G(e^{−pm/σ²}), and by Jensen M ≥ (b_m e^{tm²/2σ²})^p·(E v)^{−t}.

    >>> from dpbounds.renyi.counts import ListedCounts
    >>> large_order(ListedCounts([arb(1) / 2, arb(1) / 2], arb(1)), arb(1), arb(200), both=False).str(4, radius=False)
    '99.80'
    """
    power, reach = 1 + t, counts.most / (2 * sigma * sigma)
    most = power * counts.log_generating(t * reach)
    least = power * (counts.ends[1] + t * counts.most * reach)
    if both:
        most, least = most - t * counts.ends[0], least - t * counts.log_generating(-2 * power * reach)
    return (least / t).union(most / t)


def small_rate(q: arb, sigma: arb, t: arb, sides: tuple[bool, bool]) -> arb:
    """D_{1+t} of sampled Gaussian noise, by the square of the rate q < 1; `sides`: whether u and v are mixtures.

    u = 1 + y and v = 1 + z with E y = E z = 0. Taylor's formula in λ for (1 + λy)^p(1 + λz)^{−t}, at λ = 1, has the mean second term

        pt/2·E(y − z)² = pt/2·q²·c,    c = e^{1/σ²} − 1 for one side, 2(e^{1/σ²} − e^{−1/σ²}) for both.

    As y, z ≥ −q, the third derivative is at most (p + 2)³(1 − q)^{−t−6}·Σ C(3, k)·|z|^{3−k}·|y|^k(1 + |y|)^{P−k}, P = max(p, 3). Of v alone
    |z|³ is left of the sum. Else |y|^k(1 + |y|)^{P−k} ≤ 2^P(|y|^k + |y|^P) makes it at most 2^P((|y| + |z|)³ + |y|^P(1 + |z|)³).

    |y| and |z| are at most q·max(1, e^w), w normal with E e^{jw} = e^{j(j−1)/2σ²}. So the means of both are at most 2q³e^{3/σ²} and
    2^P(16q³e^{3/σ²} + 32q^P e^{P(P−1)/2σ²}): the moments that mix y and z are not larger than E|y|^P, as their w add up to −1/σ².

    >>> small_rate(arb("1e-30"), arb(1), arb(1), (True, False)).str(10, radius=False)
    '1.718281828e-60'
    """
    power, scale = 1 + t, 1 / (sigma * sigma)
    spread = 2 * (scale.exp() - (-scale).exp()) if all(sides) else scale.expm1()
    third = 2 * q**3 * (3 * scale).exp()
    if sides[0]:
        larger = power.max(arb(3))
        third = arb(2) ** larger * (8 * third + 32 * q**larger * (larger * (larger - 1) * scale / 2).exp())
    rest = (power + 2) ** 3 / 6 * (1 - q) ** (-t - 6) * third
    return (power * t / 2 * q * q * spread + ball_around_zero(rest).real).log1p() / t
