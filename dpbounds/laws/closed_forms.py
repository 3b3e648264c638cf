"""δ(ε) where it has a closed form: compositions of Gaussians, and one use of a Gaussian mixture pair.

With Φ̄(x) = P(N(0,1) > x) and the threshold s₀ where L(s₀) = ε, L increasing in s, δ(ε) = P(s > s₀) − e^ε Q(s > s₀).
Source for the Gaussian: Balle & Wang 2018, Theorem 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb

from dpbounds.numbers.mixture_thresholds import normal_tail

if TYPE_CHECKING:
    from dpbounds.laws.mixture import Mixture


def gaussian_delta(variance: arb, epsilon: arb) -> arb:
    """δ(ε) of Gaussians with Σ 1/σ² = variance: Φ̄(ε/μ − μ/2) − e^ε Φ̄(ε/μ + μ/2), μ = √variance.

    >>> bool(abs(gaussian_delta(arb(1), arb(0)) - arb("0.3829249225480262")) < 1e-13)
    True
    """
    mu = variance.sqrt()
    return normal_tail(epsilon / mu - mu / 2) - epsilon.exp() * normal_tail(epsilon / mu + mu / 2)


def mixture_delta(mixture: Mixture, epsilon: arb) -> arb:
    """δ(ε) of one use of a mixture pair (u, v): see `dpbounds.laws.mixture`.

    The threshold x₀ = e^{s₀/σ} solves u = e^ε v, with κ = q·e^{−1/2σ²}: 1−q + κx = e^ε (remove); 1−q + κ/x = e^{−ε} (add), no solution
    and δ = 0 for e^{−ε} ≤ 1−q; κx² − (1−q)(e^ε−1)x − e^ε κ = 0 (substitute).
    """
    q, sigma = mixture.parameters()
    kappa = q * (-1 / (2 * sigma**2)).exp()
    if mixture.numerator and mixture.denominator:
        half = (1 - q) * epsilon.expm1() / 2
        ratio = (half + (half**2 + epsilon.exp() * kappa**2).sqrt()) / kappa
    elif mixture.numerator:
        ratio = (epsilon.expm1() + q) / kappa
    else:
        below = (-epsilon).expm1() + q
        if below <= 0:
            return arb(0)
        ratio = kappa / below
    cut = sigma * ratio.log()
    plain = normal_tail(cut)
    ahead = (1 - q) * plain + q * normal_tail(cut - 1 / sigma) if mixture.numerator else plain
    behind = (1 - q) * plain + q * normal_tail(cut + 1 / sigma) if mixture.denominator else plain
    return ahead - epsilon.exp() * behind
