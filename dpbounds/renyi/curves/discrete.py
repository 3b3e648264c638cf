"""Rényi curves of discrete mechanisms: randomized response, geometric noise, discrete Gaussian noise, the exponential mechanism."""

from __future__ import annotations

from dataclasses import dataclass

from dpbounds.laws.ball_numbers import BALLS
from dpbounds.noise._theta import theta
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, ball
from dpbounds.numbers.domains import at_least_one, nonnegative, positive
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.renyi.curves.curve import RenyiCurve


@dataclass(frozen=True)
class RandomizedResponseCurve(RenyiCurve):
    """A bit told truly with probability e^ε/(1+e^ε): D_α = log(cosh((2α−1)ε/2)/cosh(ε/2))/(α−1).

    It is the largest curve of any ε-DP mechanism (Kairouz, Oh & Viswanath 2017: every such mechanism is a post-processing of it).

    >>> RandomizedResponseCurve(1).certified_divergence(50).upper < 1
    True
    """

    epsilon: Exact

    def __init__(self, epsilon: exact.Number) -> None:
        object.__setattr__(self, "epsilon", nonnegative(epsilon, "randomized-response epsilon"))

    def exact_largest_loss(self) -> Exact:
        """ε."""
        return self.epsilon

    def divergence(self, order: Ball) -> Ball:
        """The closed form, with e^{(α−1)ε} taken out."""
        epsilon = as_ball(self.epsilon)
        return epsilon + ((-(2 * order - 1) * epsilon).exp().log1p() - (-epsilon).exp().log1p()) / (order - 1)


@dataclass(frozen=True)
class GeometricCurve(RenyiCurve):
    """Two-sided geometric noise P(x) ∝ e^{−|x|/b} on the integers, shifted by an integer Δ.

    The loss is Δ/b for x ≥ Δ, −Δ/b for x ≤ 0 and (2x−Δ)/b between, with Q(x) = (1−r)/(1+r)·r^{|x|}, r = e^{−1/b}, so

        E_Q[(dP/dQ)^α] = [ e^{αΔ/b} r^Δ + e^{−αΔ/b} + (1−r) Σ_{0<x<Δ} e^{α(2x−Δ)/b} r^x ] / (1+r).

    For Δ = 1 this is randomized response with ε = 1/b (Ghosh, Roughgarden & Sundararajan 2009 for the mechanism).

    >>> GeometricCurve(2).certified_divergence(3).overlaps(RandomizedResponseCurve("0.5").certified_divergence(3))
    True
    """

    scale: Exact
    sensitivity: int

    def __init__(self, scale: exact.Number, sensitivity: exact.Number = 1) -> None:
        object.__setattr__(self, "scale", positive(scale, "geometric scale"))
        object.__setattr__(self, "sensitivity", at_least_one(sensitivity, "sensitivity of a count"))

    def exact_largest_loss(self) -> Exact:
        """Δ/b."""
        return self.sensitivity / self.scale

    def divergence(self, order: Ball) -> Ball:
        """The finite sum of the class, divided by e^{(α−1)Δ/b}."""
        unit, shift = 1 / as_ball(self.scale), self.sensitivity
        total = 1 + (-(2 * order - 1) * shift * unit).exp()
        for x in range(1, shift):
            total += -(-unit).expm1() * ((2 * order - 1) * (x - shift) * unit).exp()
        total /= 1 + (-unit).exp()
        return shift * unit + total.log() / (order - 1)


@dataclass(frozen=True)
class DiscreteGaussianCurve(RenyiCurve):
    """P(x) ∝ e^{−(x−Δ)²/2σ²} against P(x) ∝ e^{−x²/2σ²} on the integers, Δ an integer.

    D_α = αΔ²/(2σ²) + log(θ(αΔ)/θ(0))/(α−1) with θ(a) = Σ_x e^{−(x−a)²/2σ²}; the second term is ≤ 0 and vanishes when αΔ is an integer
    (Canonne, Kamath & Steinke 2020, Proposition 5, has the bound).

    >>> DiscreteGaussianCurve(1).certified_divergence(2).contains(1)
    True
    >>> DiscreteGaussianCurve("0.3").certified_divergence("1.5").upper < exact.rational("150/18")
    True
    """

    sigma: Exact
    sensitivity: int

    def __init__(self, sigma: exact.Number, sensitivity: exact.Number = 1) -> None:
        object.__setattr__(self, "sigma", positive(sigma, "sigma (the discrete Gaussian parameter)"))
        object.__setattr__(self, "sensitivity", at_least_one(sensitivity, "sensitivity of a count"))

    def divergence(self, order: Ball) -> Ball:
        """The formula of the class."""
        sigma, shift = as_ball(self.sigma), order * self.sensitivity
        linear = shift * self.sensitivity / (2 * sigma**2)
        return linear + (theta(shift, sigma, BALLS) / theta(ball(0), sigma, BALLS)).log() / (order - 1)


@dataclass(frozen=True)
class BoundedRangeCurve(RenyiCurve):
    """The largest curve of an ε-bounded-range mechanism, of the exponential mechanism above all.

    A mechanism has ε-bounded range when its loss against any neighbour lies in some interval [s, s+ε]. The exponential mechanism that
    selects with weights exp(ε·u/(2Δ)), u of sensitivity Δ, has it (Durfee & Rogers 2019). The worst pairs are two-point ones with losses
    t and t−ε (Dong, Durfee & Rogers 2020); with c = e^{−ε} and y = e^t,

        E = [y^{α−1}(1−c^α) − y^α(c−c^α)]/(1−c),   largest at y* = (α−1)(1−c^α)/(α(c−c^α)) ∈ [1, 1/c],   E* = y*^{α−1}(1−c^α)/(α(1−c)).

    (y* ≥ 1 is Bernoulli's inequality for c^α, y* ≤ 1/c the weighted AM–GM inequality for 1 and c^α.) It lies below α·ε²/8
    (Cesar & Rogers 2021, Lemma 3.2), a quarter of the ε²/2 that pure DP gives.

    >>> BoundedRangeCurve(1).certified_divergence(2).upper < exact.rational("2/8")
    True
    """

    epsilon: Exact

    def __init__(self, epsilon: exact.Number) -> None:
        object.__setattr__(self, "epsilon", positive(epsilon, "bounded-range epsilon"))

    def exact_largest_loss(self) -> Exact:
        """ε."""
        return self.epsilon

    def divergence(self, order: Ball) -> Ball:
        """log E*/(α−1)."""
        epsilon = as_ball(self.epsilon)
        whole = -(-order * epsilon).expm1()  # 1 − c^α
        part = -(-(order - 1) * epsilon).expm1()  # (c − c^α)/c
        best = epsilon + ((order - 1) * whole / (order * part)).log()  # log y*
        return best + (whole / (order * -(-epsilon).expm1())).log() / (order - 1)
