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
from typing import Any

from flint import acb, arb

from dpbounds.mechanisms.formula import gaussian_delta
from dpbounds.numbers.gauss_legendre import ACROSS, ALONG
from dpbounds.numbers.to_digits import normal_cdf

_RIGHT, _TURN = 1.5, 2.0
"""Of θ: the largest, and the largest in multiples of 1/σ, for |ρ(t + iθ)| = e^{(σθ)²/2}·ρ(t)."""
_CELLS, _ORDER = 40, 8
"""Cells of the model in floats, and the nodes of each."""


@dataclass(frozen=True)
class PathSegment:
    """A straight piece of a way in the complex plane, in the direction 1 or i: t = start + direction·stretch·s, 0 ≤ s ≤ `end`, a float."""

    start: acb
    direction: acb
    length: arb
    sign: int = 1

    @property
    def end(self) -> float:
        """The float nearest to the length."""
        return float(self.length.mid())

    @property
    def pace(self) -> acb:
        """±dt/ds."""
        return self.sign * self.direction * self.length / arb(self.end)

    def place(self, s: arb) -> acb:
        """t."""
        return self.start + self.sign * self.pace * s

    def box(self, low: float, high: float) -> tuple[tuple[arb, arb], tuple[arb, arb]]:
        """Ends of Re t and of Im t around the ellipse of a panel."""
        stretch = self.length / arb(self.end)
        half, middle = stretch * (arb(high) - arb(low)) / 2, self.start + self.direction * stretch * (arb(low) + arb(high)) / 2
        along, across = half * arb(ALONG), half * arb(ACROSS)
        wide, tall = (along, across) if self.direction.imag == 0 else (across, along)
        return (middle.real - wide, middle.real + wide), (middle.imag - tall, middle.imag + tall)


@dataclass(frozen=True)
class NoiseSummand:
    """The law of the summand, balls at the current precision.

    Args:
        level: e^ε. end: T. density: ρ, entire. size: a bound on |ρ| for Re t ≥ the first and |Im t| ≤ the second argument.
        atom: the mass at t = T on each side. kept: the mass of X ≠ 0. mean: E X. alone: E X₊ before anything is cut. turn: θ of `way`.
        raised, lowered: by how much the bound may be above and below that of the cut law.
    """

    level: arb
    end: arb
    density: Callable[[Any], Any]
    size: Callable[[arb, arb], arb]
    atom: arb
    kept: arb
    mean: arb
    alone: arb
    turn: float
    raised: arb
    lowered: arb

    @property
    def negative(self) -> arb:
        """E(−X)₊ before anything is cut."""
        return self.alone - (1 - self.level)

    @property
    def way(self) -> tuple[PathSegment, PathSegment, PathSegment]:
        """From 0 to iθ, on to T + iθ, and back to T."""
        corner, up = arb(self.turn), acb(0, 1)
        there = PathSegment(acb(0), up, corner), PathSegment(acb(0, corner), acb(1), self.end)
        return *there, PathSegment(acb(self.end), up, corner, -1)

    def largest(self, real: tuple[arb, arb], turn: tuple[arb, arb], rate: arb, height: arb) -> arb:
        """A bound on |ρ(t)|·(|e^{z(e^t − level)}| + |e^{z(1 − level·e^t)}|), the last with the conjugate of t, in a box.

        Re(z·e^t) = e^{Re t}(Re z·cos(Im t) − Im z·sin(Im t)) where 0 ≤ Im z ≤ `height` and Re z = `rate`. With −level in front and the
        conjugate of t the sign of Re z changes, and that of Im z does not.
        """
        low, high = turn
        if not (low > -1.5 and high < 3):
            return arb.pos_inf()
        most, against = abs(rate) * low.max(arb(0)).cos().nonnegative_part(), abs(rate) * (-high.cos()).nonnegative_part()
        ahead, behind = (most, against) if rate > 0 else (against, most)
        swing = height * (-low).nonnegative_part().sin()
        top = real[1].exp() * (ahead + swing) - rate * self.level
        bottom = real[1].exp() * self.level * (behind + swing) + rate
        return self.size(real[0], high.max(-low)) * (top.exp() + bottom.exp())

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
        alone=(-((epsilon - local) / 2).expm1()).nonnegative_part(),
        turn=min(_RIGHT, float(local.mid())),
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
        alone=gaussian_delta(1 / sigma, epsilon),
        turn=min(_RIGHT, _TURN / float(sigma.mid())),
        raised=beyond,
        lowered=level * beyond,
    )
