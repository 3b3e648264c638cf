"""Rényi curves of continuous noise: Gaussian, Gaussians of unequal variance, Laplace, logistic.

Closed forms: Gil, Alajaji & Linder 2013 (Gaussian, Laplace); the logistic one is derived in its class.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball
from dpbounds.numbers.domains import positive
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.renyi import generalized_normal
from dpbounds.renyi.curves.curve import RenyiCurve


@dataclass(frozen=True)
class GaussianCurve(RenyiCurve):
    """N(Δ, σ²) against N(0, σ²): D_α = α·Δ²/(2σ²). The sensitivity is squared (the slides' αΔ/(2σ²) is wrong).

    >>> GaussianCurve(2).certified_divergence(4).contains(exact.number("0.5"))
    True
    """

    sigma: Exact
    sensitivity: Exact

    def __init__(self, sigma: exact.Number, sensitivity: exact.Number = 1) -> None:
        object.__setattr__(self, "sigma", positive(sigma, "sigma (the noise multiplier)"))
        object.__setattr__(self, "sensitivity", positive(sensitivity, "sensitivity"))

    def divergence(self, order: Ball) -> Ball:
        """α·Δ²/(2σ²)."""
        return order * (as_ball(self.sensitivity) / as_ball(self.sigma)) ** 2 / 2


@dataclass(frozen=True)
class UnequalGaussiansCurve(RenyiCurve):
    """N(m, σ_p²) against N(0, σ_q²).

    With s_α² = α·σ_q² + (1−α)·σ_p²,  D_α = log(σ_q/σ_p) + log(σ_q²/s_α²)/(2(α−1)) + α·m²/(2s_α²), and +∞ where s_α² ≤ 0
    (Gil, Alajaji & Linder 2013, Table 2).

    Args:
        shift: difference m of the means.
        sigma_p: standard deviation of the first distribution.
        sigma_q: standard deviation of the second one.

    >>> UnequalGaussiansCurve(1, 2, 2).certified_divergence(3).contains(exact.number("3/8"))
    True
    """

    shift: Exact
    sigma_p: Exact
    sigma_q: Exact

    def __init__(self, shift: exact.Number, sigma_p: exact.Number, sigma_q: exact.Number) -> None:
        object.__setattr__(self, "shift", exact.number(shift, "shift"))
        object.__setattr__(self, "sigma_p", positive(sigma_p, "sigma_p"))
        object.__setattr__(self, "sigma_q", positive(sigma_q, "sigma_q"))

    def divergence(self, order: Ball) -> Ball:
        """The closed form of the class; +∞ from `greatest_order` on."""
        p, q, m = as_ball(self.sigma_p), as_ball(self.sigma_q), as_ball(self.shift)
        mixed = order * q**2 + (1 - order) * p**2
        if not mixed > 0:
            return Ball.pos_inf() if mixed <= 0 else Ball.nan()
        return (q / p).log() + (q**2 / mixed).log() / (2 * (order - 1)) + order * m**2 / (2 * mixed)

    def largest_loss(self) -> Ball | None:
        """log(σ_q/σ_p) + m²/(2(σ_q²−σ_p²)) where the second is the wider one."""
        if not self.sigma_q > self.sigma_p:
            return None
        p, q = as_ball(self.sigma_p), as_ball(self.sigma_q)
        return (q / p).log() + as_ball(self.shift) ** 2 / (2 * (q**2 - p**2))

    def greatest_order(self) -> Ball | None:
        """σ_p²/(σ_p² − σ_q²) where the first is the wider one: there the divergence becomes infinite."""
        if not self.sigma_p > self.sigma_q:
            return None
        p, q = as_ball(self.sigma_p), as_ball(self.sigma_q)
        return p**2 / (p**2 - q**2)


@dataclass(frozen=True)
class PureNoiseCurve(RenyiCurve):
    """Additive noise of bounded loss, by its scale: the largest loss is ε = Δ/scale."""

    scale: Exact
    sensitivity: Exact

    def _set(self, scale: exact.Number, sensitivity: exact.Number, name: str) -> None:
        object.__setattr__(self, "scale", positive(scale, name))
        object.__setattr__(self, "sensitivity", positive(sensitivity, "sensitivity"))

    def exact_largest_loss(self) -> Exact:
        """ε = Δ/scale."""
        return self.sensitivity / self.scale


@dataclass(frozen=True)
class LaplaceCurve(PureNoiseCurve):
    """Laplace(Δ, b) against Laplace(0, b), with ε = Δ/b: D_α = log(α/(2α−1)·e^{(α−1)ε} + (α−1)/(2α−1)·e^{−αε})/(α−1).

    Source: Mironov 2017, Proposition 6; Gil, Alajaji & Linder 2013.

    >>> LaplaceCurve(2).certified_divergence("1e6").upper < exact.number("0.5")
    True
    """

    def __init__(self, scale: exact.Number, sensitivity: exact.Number = 1) -> None:
        self._set(scale, sensitivity, "laplace scale")

    def divergence(self, order: Ball) -> Ball:
        """The closed form, with the larger exponential taken out so that large orders do not overflow."""
        epsilon = as_ball(self.exact_largest_loss())
        rest = (order + (order - 1) * (-(2 * order - 1) * epsilon).exp()) / (2 * order - 1)
        return epsilon + rest.log() / (order - 1)


@dataclass(frozen=True)
class LogisticCurve(PureNoiseCurve):
    """Logistic noise of scale s shifted by Δ, with ε = Δ/s: D_α = log[ sinh((2α−1)ε/2) / ((2α−1)·sinh(ε/2)) ]/(α−1).

    Derivation: with y = F(x) the unshifted distribution function, y is uniform under Q and dP/dQ = c/(c−(c−1)y)², c = e^ε. So
    E_Q[(dP/dQ)^α] = c^α ∫₀¹ (c−(c−1)y)^{−2α} dy = (c^α − c^{1−α})/((2α−1)(c−1)). The noise is ε-DP, and
    δ(ε') = (e^{ε/2} − e^{ε'/2})²/(e^ε − 1) for ε' ≤ ε.

    >>> LogisticCurve(1).certified_divergence(2).contains(LogisticCurve(1).certified_divergence(2, 30))
    True
    """

    def __init__(self, scale: exact.Number, sensitivity: exact.Number = 1) -> None:
        self._set(scale, sensitivity, "logistic scale")

    def divergence(self, order: Ball) -> Ball:
        """The closed form, with e^{(α−1)ε} taken out."""
        epsilon, odd = as_ball(self.exact_largest_loss()), 2 * order - 1
        rest = -(-odd * epsilon).expm1() / (odd * -(-epsilon).expm1())
        return epsilon + rest.log() / (order - 1)


@dataclass(frozen=True)
class GeneralizedNormalCurve(RenyiCurve):
    """Noise of density ∝ e^{−|x/a|^β}, β ≥ 1, shifted by Δ: β = 1 is Laplace, β = 2 Gaussian of standard deviation a/√2.

    The divergence has no closed form; it is a certified integral (`renyi.generalized_normal`). The variance is a²Γ(3/β)/Γ(1/β).

    Args:
        shape: β ≥ 1.
        scale: a > 0.
        sensitivity: Δ > 0.

    >>> GeneralizedNormalCurve(1, 2).certified_divergence(3, 8).overlaps(LaplaceCurve(2).certified_divergence(3, 8))
    True
    """

    shape: Exact
    scale: Exact
    sensitivity: Exact

    def __init__(self, shape: exact.Number, scale: exact.Number, sensitivity: exact.Number = 1) -> None:
        value = positive(shape, "shape")
        if not value >= 1:
            raise InputError(f"shape must be >= 1, got {exact.text(value)}")
        object.__setattr__(self, "shape", value)
        object.__setattr__(self, "scale", positive(scale, "scale"))
        object.__setattr__(self, "sensitivity", positive(sensitivity, "sensitivity"))

    def divergence(self, order: Ball) -> Ball:
        """The certified integral."""
        return generalized_normal.divergence(order - 1, self.shape, self.scale / self.sensitivity)

    def exact_largest_loss(self) -> Exact | None:
        """Δ/a for β = 1, infinite otherwise."""
        return self.sensitivity / self.scale if self.shape == 1 else None
