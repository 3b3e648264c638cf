"""The summand of the privacy blanket for Laplace and Gaussian noise on an input in [0, 1], for the inputs 0 and 1.

With v a message, ω = min(p_0, p_1) (inputs in between only raise p_x where it is least), γ = ∫ω and t = |1 − 2v|·slope ≥ 0 the loss that a
message shows, X = (p_0 − e^ε p_1)/ω is e^t − e^ε on the side of 0 and 1 − e^{ε+t} on the other, and t has one density ρ on both sides:

    Laplace, scale 1/ε₀:  0 ≤ t < ε₀ with ρ = γe^{−t/2}/4, and at t = ε₀ the mass e^{−ε₀}/2;  γ = e^{−ε₀/2}
    Gaussian, σ:          t = (1 − 2v)/(2σ²), ρ = σφ(1/(2σ) + σt);                         γ = 2Φ(−1/(2σ))

and X = 0 with probability 1 − γ. E(ΣX)₊/n is the bound. The Gaussian law is cut at t = T, that is at the distance a·σ from the nearer
input: what is cut moves to X = 0. The positive part of what is cut away adds at most Φ(−a), the negative part at most e^ε·Φ(−a).

Source: Balle, Bell, Gascón & Nissim 2019, arXiv 1903.02837, Lemma 5.3 and Section 5.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from flint import arb

from dpbounds.numbers.gauss_legendre import ACROSS, ALONG
from dpbounds.numbers.to_digits import normal_cdf

_CELLS, _ORDER = 40, 8
"""Cells of the model in floats, and the nodes of each."""


@dataclass(frozen=True)
class NoiseSummand:
    """The law of the summand, balls at the current precision.

    Args:
        level: e^ε. end: T. density: ρ. size: a bound on |ρ| for Re t ≥ the first and |Im t| ≤ the second argument.
        atom: the mass at t = T on each side. kept: the mass of X ≠ 0. mean: E X.
        raised, lowered: by how much the bound may be above and below that of the cut law.
    """

    level: arb
    end: arb
    density: Callable[[arb], arb]
    size: Callable[[arb, arb], arb]
    atom: arb
    kept: arb
    mean: arb
    raised: arb
    lowered: arb

    @property
    def stretch(self) -> arb:
        """T over the float nearest to it: panels have float ends and are stretched to [0, T]."""
        return self.end / arb(float(self.end.mid()))

    def panel_size(self, left: float, right: float, real: arb, height: arb) -> arb:
        """A bound on |ρ(t)|·(|e^{z(e^t − level)}| + |e^{z(1 − level·e^t)}|) on the ellipse of a panel, |Im z| ≤ height, Re z = real."""
        half, middle = self.stretch * (arb(right) - arb(left)) / 2, self.stretch * (arb(right) + arb(left)) / 2
        along, across = half * arb(ALONG), half * arb(ACROSS)
        if not across < 1:
            return arb.pos_inf()
        high, low = (middle + along).exp(), (middle - along).exp() * across.cos()
        swing = height * high * across.sin()
        top = real * (high if real > 0 else low) + swing - real * self.level
        bottom = real - real * self.level * (low if real > 0 else high) + self.level * swing
        return self.size(middle - along, across) * (top.exp() + bottom.exp())

    def model(self) -> tuple[list[float], list[float]]:
        """Values and probabilities in floats, by short Gauss–Legendre rules."""
        end, level = float(self.end.mid()), float(self.level.mid())
        width = end / _CELLS
        values, weights = [0.0], [1 - float(self.kept.mid())]
        rule = [tuple(float(part.mid()) for part in arb.legendre_p_root(_ORDER, index, weight=True)) for index in range(_ORDER)]
        places = [(width * (index + (1 + node) / 2), width * weight / 2) for index in range(_CELLS) for node, weight in rule]
        rows = [(t, weight * float(self.density(arb(t)).mid())) for t, weight in places]
        for t, mass in [*rows, (end, float(self.atom.mid()))]:
            if mass > 0:
                values += [math.exp(t) - level, 1 - level * math.exp(t)]
                weights += [mass, mass]
        return values, weights


def summand(randomizer: str, parameter: arb, epsilon: arb, cut: arb) -> NoiseSummand:
    """Of Laplace (parameter ε₀) or Gaussian noise (parameter σ), the latter cut."""
    return laplace(parameter, epsilon) if randomizer == "laplace" else gaussian(parameter, epsilon, cut)


def laplace(local: arb, epsilon: arb) -> NoiseSummand:
    """Laplace noise of scale 1/ε₀."""
    level = epsilon.exp()
    return NoiseSummand(
        level=level,
        end=local,
        density=lambda t: (-(t + local) / 2).exp() / 4,
        size=lambda real, height: (-(real + local) / 2).exp() / 4,
        atom=(-local).exp() / 2,
        kept=(-local / 2).exp(),
        mean=1 - level,
        raised=arb(0),
        lowered=arb(0),
    )


def gaussian(sigma: arb, epsilon: arb, cut: arb) -> NoiseSummand:
    """Gaussian noise of standard deviation σ, cut at `cut` standard deviations beyond both inputs."""
    level, root = epsilon.exp(), (2 * arb.pi()).sqrt()
    beyond = normal_cdf(-cut)

    def size(real: arb, height: arb) -> arb:
        near = (1 / (2 * sigma) + sigma * real).nonnegative_part()
        return sigma / root * (((sigma * height) ** 2 - near**2) / 2).exp()

    kept_inside = 1 - beyond - normal_cdf(-cut - 1 / sigma)
    return NoiseSummand(
        level=level,
        end=(sigma * cut + arb("0.5")) / sigma**2,
        density=lambda t: sigma / root * (-((1 / (2 * sigma) + sigma * t) ** 2) / 2).exp(),
        size=size,
        atom=arb(0),
        kept=2 * (normal_cdf(-1 / (2 * sigma)) - normal_cdf(-cut - 1 / sigma)),
        mean=(1 - level) * kept_inside,
        raised=beyond,
        lowered=level * beyond,
    )
