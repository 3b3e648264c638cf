"""Few uses of noise whose loss has atoms: what does not decay along the contour is summed exactly, the rest is integrated.

Laplace noise, sampled or not, has two atoms and a density: M_i = A_i + B_i with A_i a sum of two exponentials and |B_i| ≤ C_i/y. In the
product of the M_i^{k_i} the terms with no B and with one B are finite sums over the outcomes of the atoms, with the profile π_i of the
density in closed form:

    T₀ = Σ_n (P(n) − e^ε Q(n))₊,    T₁ = Σ_i k_i Σ_n P_i(n)·π_i(ε − L_i(n)),    π_i(s) = ∫(1 − e^{s−u})₊ dB_i(u),

n the outcomes of all atoms, and in T₁ with one use of i taken away. The others are the contour integral of

    R(z) = Π M_i^{k_i} − Π A_i^{k_i} − Σ_i k_i B_i A_i^{k_i−1} Π_{j≠i} A_j^{k_j},

the transform of a positive measure below P, so the aliases are bounded as in `aliases`. With x_i = C_i/y and a_i = A_i(c) the function
φ(t) = Π(a_i + t x_i)^{k_i} has φ″ ≤ φ(1)·(Σ k_i x_i/a_i)², hence |R(c+iy)| ≤ ½Φ·(Σ k_i C_i/a_i)²/y² for y ≥ Y, Φ = Π(a_i + C_i/Y)^{k_i},
and beyond the last node Y the sum adds at most ½Φ(Σ k_i C_i/a_i)² e^{−cε}/(3πY³).
Tables are all atoms: C = 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import acb, arb

from dpbounds.balls import BITS_PER_DIGIT, Enclosure, precision
from dpbounds.contour.aliases import left_alias_bound, no_right_alias
from dpbounds.contour.elements import Elements, LaplaceSource
from dpbounds.contour.factors import AtomicFactor, Factor, Need
from dpbounds.contour.finite import FiniteLaw, count_states
from dpbounds.contour.inputs import exact_ball
from dpbounds.contour.integral import phases
from dpbounds.contour.laplace import LaplaceFactor
from dpbounds.contour.planning import Model
from dpbounds.contour.sampled_laplace import SampledLaplaceFactor
from dpbounds.errors import PrecisionError

MOST_STATES = 40_000
MOST_NODES = 40_000


@dataclass(frozen=True)
class Part:
    """One kind of noise or table of a product, at the current precision: its atoms, the whole of it, and its density if it has one."""

    atoms: FiniteLaw
    whole: Factor
    density: Density | None

    @property
    def atomic(self) -> AtomicFactor:
        """The atoms as a factor."""
        return _atomic(self.atoms)


@dataclass(frozen=True)
class Density:
    """The part of (sampled) Laplace noise between its atoms; e = ε₀, q = 1 for noise that is not sampled.

    Under Q the base loss l ∈ [−e, e] has the density e^{−(l+e)/2}/4; with U = 1 + q(e^l − 1) the loss is log U (remove) or −log U (add).
    """

    largest: arb
    q: arb
    add: bool

    def mixed(self, loss: arb) -> arb:
        """log U at a base loss."""
        return (self.q * loss.expm1()).log1p() if self.q < 1 else loss

    def profile(self, s: arb) -> arb:
        """π(s): ∫(U − e^s)₊ or ∫(1 − e^s U)₊ against the density, in closed form; the threshold in l is cut off at the ends."""
        e, ends = self.largest, (self.mixed(-self.largest), self.mixed(self.largest))
        scale, e_half, s_exp = (-e / 2).exp() / 2, (e / 2).exp(), s.exp()
        if self.add:
            cut = self._threshold(-s, ends)
            constant, slope = 1 - s_exp * (1 - self.q), -s_exp * self.q
            return scale * (constant * (e_half - (-cut / 2).exp()) + slope * ((cut / 2).exp() - 1 / e_half))
        cut = self._threshold(s, ends)
        return scale * ((1 - self.q - s_exp) * ((-cut / 2).exp() - 1 / e_half) + self.q * (e_half - (cut / 2).exp()))

    def _threshold(self, log_u: arb, ends: tuple[arb, arb]) -> arb:
        """The l with log U = log_u, in [−e, e]."""
        if log_u < ends[0]:
            return -self.largest
        if log_u > ends[1]:
            return self.largest
        plain = (log_u.expm1() / self.q).log1p() if self.q < 1 else log_u
        return plain.max(-self.largest).min(self.largest)

    def decay(self, c: arb) -> arb:
        """C with |B(c+iy)| ≤ C/y: by parts, the ends and the variation of g/φ′, as in `SampledLaplaceFactor`."""
        power = -c if self.add else 1 + c
        e = self.largest
        ends = (3 * e / 2 + (power + 1) * self.mixed(-e)).exp() + (-3 * e / 2 + (power + 1) * self.mixed(e)).exp()
        return (-e / 2).exp() / 2 * ends / self.q


def noise_with_atoms(elements: Elements) -> bool:
    """Whether a product is Laplace noise and tables only, with few outcomes of the atoms."""
    if not elements.laplace or elements.mixtures or elements.variances or elements.fixed_size:
        return False
    states = math.prod(steps + 1 for steps in elements.laplace.values())
    return states * math.prod(law.terms for law in elements.finite_laws()) <= MOST_STATES


def parts_of(elements: Elements) -> list[Part]:
    """The parts at the current precision."""
    found = [_laplace_part(source, steps) for source, steps in elements.laplace.items()]
    return found + [Part(law, _atomic(law), None) for law in elements.finite_laws()]


def _atomic(law: FiniteLaw) -> AtomicFactor:
    return AtomicFactor(list(law.p), [(p / q).log() for p, q in zip(law.p, law.q, strict=True)], law.steps)


def _laplace_part(source: LaplaceSource, steps: int) -> Part:
    e, q = source.largest(), exact_ball(source.q)
    density = Density(e, q, source.reversed)
    without = [arb(1) / 2, (-e).exp() / 2]
    mixed = [(1 + q * (-e).expm1()) * without[0], (1 + q * e.expm1()) * without[1]]
    p, r = (without, mixed) if source.reversed else (mixed, without)
    whole: Factor = LaplaceFactor(e, steps) if source.q == 1 else SampledLaplaceFactor(e, source.q, source.reversed, steps)
    return Part(FiniteLaw(p, r, arb(0), steps), whole, density)


def integrate_beside_atoms(elements: Elements, epsilon: Fraction, digits: int) -> Enclosure:
    """δ(ε), the mass of infinite loss included.

    Raises:
        PrecisionError: more than `MOST_NODES` nodes would be needed.
    """
    best: Enclosure | None = None
    extra = 0.0
    for _ in range(4):
        tolerance = digits * math.log(10) + 4 + extra
        with precision(128):
            contour = _plan(parts_of(elements), float(epsilon), tolerance)
        bits = int((tolerance + contour.lost) / math.log(10) * BITS_PER_DIGIT) + 80
        with precision(bits):
            parts, at = parts_of(elements), exact_ball(epsilon)
            value = elements.certain_loss() + sums_over_atoms(parts, at) + rest(parts, at, contour)
            found = Enclosure.of(value)
        best = found if best is None or found.digits() > best.digits() else best
        if best.meets(digits):
            return best
        reached = found.digits()
        extra += (digits - reached if math.isfinite(reached) else 5.0) * math.log(10) + 3
    assert best is not None
    return best


def sums_over_atoms(parts: Sequence[Part], epsilon: arb) -> arb:
    """T₀ + T₁."""
    laws = [part.atoms for part in parts]
    scale = epsilon.exp()
    total = sum(((p - scale * q).nonnegative_part() for p, q in count_states(laws)), arb(0))
    for index, part in enumerate(parts):
        if part.density is not None:
            fewer = [replace(law, steps=law.steps - (position == index)) for position, law in enumerate(laws)]
            one = sum((p * part.density.profile(epsilon - (p / q).log()) for p, q in count_states(fewer)), arb(0))
            total += part.atoms.steps * one
    return total


@dataclass(frozen=True)
class Contour:
    """Abscissa c, nodes c + ij·step for |j| < count, and log of how much larger than δ the integrand and what cancels in it are."""

    c: float
    step: float
    count: int
    tolerance: float
    lost: float


def rest(parts: Sequence[Part], epsilon: arb, contour: Contour) -> arb:
    """The contour integral of R: trapezoid sum, aliases and truncation in the ball."""
    c, h, count = arb(contour.c), arb(contour.step), contour.count
    last = h * (count - 1)
    need = Need(contour.tolerance + contour.lost, lambda y: 0.0, contour.step * (count - 1))
    product, atomic, single = [acb(1)] * count, [acb(1)] * count, [acb(0)] * count
    for part in parts:
        steps = part.atoms.steps
        atoms = part.atomic.line(c, h, count, need)
        whole = part.whole.line(c, h, count, need) if part.density is not None else atoms
        product = [value * entry**steps for value, entry in zip(product, whole, strict=True)]
        atomic = [value * entry**steps for value, entry in zip(atomic, atoms, strict=True)]
        if part.density is not None:
            single = [value + steps * (entry - atom) / atom for value, entry, atom in zip(single, whole, atoms, strict=True)]
    phase = phases(-h * epsilon, count)
    total = arb(0)
    for j in range(count):
        z = acb(c, h * j)
        term = ((product[j] - atomic[j] * (1 + single[j])) * phase[j] / (z * (z + 1))).real
        total += term if j else term / 2
    total *= (-c * epsilon).exp() * h / arb.pi()
    period = 2 * arb.pi() / h
    above = left_alias_bound(period, c) + no_right_alias(period, epsilon, [part.whole.loss_bound() * part.atoms.steps for part in parts])
    beyond = truncation(parts, c, epsilon, last)
    low, high = total - beyond.upper() - above.upper(), total + beyond.upper()
    return low.lower().max(arb(0)).union(high.upper())


def truncation(parts: Sequence[Part], c: arb, epsilon: arb, last: arb) -> arb:
    """½Φ(Σ k_i C_i/a_i)² e^{−cε}/(3πY³), Y = last."""
    size, weight = arb(1), arb(0)
    for part in parts:
        steps, atom = part.atoms.steps, part.atomic.moment(c)
        decay = part.density.decay(c) if part.density is not None else arb(0)
        size *= (atom + decay / last) ** steps
        weight += steps * decay / atom
    return size * weight**2 * (-c * epsilon).exp() / (6 * arb.pi() * last**3)


def _plan(parts: Sequence[Part], epsilon: float, tolerance: float) -> Contour:
    model = Model([part.whole for part in parts], epsilon)
    c = model.saddle()
    goal = model.log_delta(c) - tolerance
    period = 1.0001 * max(model.largest_loss - epsilon, -goal / c)
    step = 2 * math.pi / period
    height = 4 * step
    while float(truncation(parts, arb(c), arb(epsilon), arb(height)).log().mid()) > goal:
        height *= 1.1
        if height / step > 30 * MOST_NODES:
            break
    count = int(height / step) + 2
    if count > MOST_NODES:
        raise PrecisionError(
            f"the contour for {int(tolerance / math.log(10))} digits would need {count} nodes besides the sums over the atoms; "
            "no digit was reached; few uses of noise with atoms take up to about 8 digits; ask for fewer digits"
        )
    atoms = sum(part.atoms.steps * float(part.atomic.moment(arb(c)).log().mid()) for part in parts)
    dense = [(part, part.density) for part in parts if part.density is not None]
    weight = sum(part.atoms.steps * float(density.decay(arb(c)) / part.atomic.moment(arb(c))) for part, density in dense)
    amplitude = max(model.exponent(c), atoms - c * epsilon + math.log1p(weight)) - math.log(c) - math.log1p(c) - model.log_delta(c)
    return Contour(c, step, count, tolerance, max(0.0, amplitude) + math.log(sum(part.atoms.steps for part in parts)) + 5)
