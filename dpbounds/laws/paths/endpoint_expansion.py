"""Laws of the privacy loss with atoms and a density whose ends are sharp, split into what each end adds to the moment function.

If the loss has the density g on [a, b] and g is analytic to the right, for Im z > 0

    ∫_a^b g(x)e^{zx}dx = e^{za}·J_a(z) − e^{zb}·J_b(z),    J_y(z) = ∫_0^{∞·d} g(y + x)e^{zx}dx,

along a ray d on which e^{zx} decays: M(z) = Σ_j e^{zL_j}E_j(z), and e^{zL_j} alone says where a product of such terms is large.

Sampled Laplace noise: with y = log U, U = 1 − q + qe^l, the base loss l has the density e^{−(l+ε₀)/2}/4 under Q, so y has (√q/4)e^{−ε₀/2}·
e^{−y/2}(1 − (1−q)e^{−y})^{−3/2}, under P (remove) e^y times that; d = ±i, where |1 − (1−q)e^{−y}| is smallest at the start.
Sampling without replacement (`fixed_size`): with x = log u, s = s₁ + σ′(x − log q + log(1 − (1−q)e^{−x})),

    M(z) = m₀ + ∫ φ(s)σ′/(1 − (1−q)e^{−x})·(e^{(1+z)x} + e^{−zx})dx over x > 0,

on the rays d = e^{±iω}, ω = 35°, where φ(s) still decays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, fmpq

from dpbounds.laws.paths.descent_transforms import Patch, Ray

TURN = Fraction(35, 180)
"""ω/π."""


@dataclass
class End:
    """e^{zL}(m ± J ± …)."""

    loss: arb
    atom: arb
    rays: tuple[tuple[int, Ray], ...] = ()

    def bound(self, patch: Patch) -> arb:
        """A bound on |E| on a patch of the upper half-plane."""
        return sum((ray.bound(patch) for _, ray in self.rays), self.atom)


@dataclass
class ExpandedEnds:
    """One kind of noise or table, used `steps` times: its ends, and M itself as atoms and integrals along the real axis.

    `steep`: rays turned by ω must decay too.
    """

    steps: int
    ends: list[End]
    real: tuple[tuple[arb, Ray], ...] = ()
    steep: bool = False

    def bound(self, patch: Patch) -> arb:
        """A bound on |M| on a patch around a vertical line: M at the largest or the smallest real part, M being log-convex."""
        found = arb(0)
        for x in (patch.reach(acb(1)), -patch.reach(acb(-1))):
            here = Patch(acb(x), acb(1), arb(0), arb(0))
            total = sum((end.atom * (here.middle.real * end.loss).exp() for end in self.ends), arb(0))
            total += sum(((here.middle.real * shift).exp() * ray.bound(here) for shift, ray in self.real), arb(0))
            found = found.max(arb(total.upper()))
        return found


def laplace_part(largest: arb, rate: arb | None, reversed: bool, steps: int) -> ExpandedEnds:
    """Laplace noise of pure ε₀ = `largest`, Poisson-sampled at a rate or not, in either direction."""
    e, q, sign = largest, arb(1) if rate is None else rate, -1 if reversed else 1
    sampled = rate is not None
    scale = (-e / 2).exp() * q.sqrt() / 4
    ends, starts = [], []
    for base, mass in ((-e, arb(1) / 2), (e, (-e).exp() / 2)):
        y = (q * base.expm1()).log1p() if sampled else base
        room = (q * base.exp() / (1 - q)).log1p() if sampled else None
        density = LaplaceDensity(scale, y, room, sign)
        ray = Ray(density, acb(0, sign), sign, _scale(room), tail=_laplace_tail(abs(density.value(acb(0)))))
        ends.append(End(sign * y, mass if reversed else mass * y.exp(), ((1 if base < 0 else -1, ray),)))
        starts.append((y, room, density))
    (low, room, density), (high, _, _) = starts
    width = high - low
    whole = Ray(density, acb(width), sign, min(1.0, _scale(room) / float(width)), length=1.0)
    return ExpandedEnds(steps, ends, ((sign * low, whole),))


def _scale(room: arb | None) -> float:
    return 1.0 if room is None else min(1.0, float(room))


@dataclass(frozen=True)
class LaplaceDensity:
    """scale·e^{±(x+y)/2}(1 − e^{−(x+room)})^{−3/2} at an offset x from y; room = y − log(1−q), None for q = 1."""

    scale: arb
    y: arb
    room: arb | None
    sign: int

    def value(self, x: acb) -> acb:
        """The density."""
        plain = self.scale * (self.sign * (x + self.y) / 2).exp()
        if self.room is None:
            return plain
        gap = _gap(x, self.room)
        return plain / (gap * gap.sqrt())

    def slope(self, x: acb) -> acb:
        """Its logarithmic derivative."""
        plain = acb(arb(self.sign) / 2)
        return plain if self.room is None else plain - (1 / _gap(x, self.room) - 1) * 3 / 2


def _gap(x: acb, room: arb) -> acb:
    """1 − e^{−(x+room)}; not a number unless its real part is positive, where its root and logarithm are analytic."""
    gap = -(-(x + room)).expm1()
    return gap if gap.real > 0 else acb("nan")


def _laplace_tail(largest: arb) -> Callable[[float, arb], arb]:
    return lambda start, kappa: largest * (kappa * start).exp() / -kappa if kappa < 0 else arb.pos_inf()


def fixed_size_part(q: arb, half: arb, start: arb, atom: arb, steps: int) -> ExpandedEnds:
    """Sampling without replacement: q, σ′, s₁ and m₀ of `laws.fixed_size`."""
    room = -(-q).log1p()
    scale = min(1.0, float(room), float(q / half))

    def ray(forward: bool, turn: Fraction) -> Ray:
        turned = acb(fmpq(turn.numerator, turn.denominator)).exp_pi_i()
        sign = 1 if forward else -1
        cosine, sine = turned.real, abs(turned.imag)

        def tail(far: float, kappa: arb) -> arb:
            """|φ(s)| by |Im log(1−(1−q)e^{−x})| ≤ η = (π/2)e^{−R cos ω} and Re(log(1−(1−q)e^{−x}) − log q) ≥ 0; the exponent is concave."""
            eta = arb.pi() / 2 * (-far * cosine).exp()
            across, along = half * (far * sine + eta), start + half * far * cosine
            rate = kappa + (cosine if forward else 0)
            slope = -half * (along * cosine - across * sine) + rate
            if not slope < 0:
                return arb.pos_inf()
            return half / q / (2 * arb.pi()).sqrt() * ((across**2 - along**2) / 2 + rate * far).exp() / -slope

        return Ray(FixedSizeDensity(q, half, start, room, forward), turned if forward else turned.conjugate(), sign, scale, tail=tail)

    ends = [End(arb(0), atom, ((1, ray(True, TURN)), (1, ray(False, TURN))))]
    return ExpandedEnds(steps, ends, ((arb(0), ray(True, Fraction(0))), (arb(0), ray(False, Fraction(0)))), steep=True)


@dataclass(frozen=True)
class FixedSizeDensity:
    """φ(s)σ′/(1 − (1−q)e^{−x}), times e^x where `forward`; room = −log(1−q)."""

    q: arb
    half: arb
    start: arb
    room: arb
    forward: bool

    def _point(self, gap: acb, x: acb) -> acb:
        return self.start + self.half * (x - self.q.log() + gap.log())

    def value(self, x: acb) -> acb:
        """The density."""
        gap = _gap(x, self.room)
        s = self._point(gap, x)
        return (-s * s / 2 + (x if self.forward else 0)).exp() * self.half / (gap * (2 * arb.pi()).sqrt())

    def slope(self, x: acb) -> acb:
        """Its logarithmic derivative, with s′ = σ′/(1 − (1−q)e^{−x})."""
        gap = _gap(x, self.room)
        return -self._point(gap, x) * self.half / gap + (1 if self.forward else 0) - (1 / gap - 1)


def approx_states(parts: list[ExpandedEnds]) -> int:
    """The number of products of ends."""
    return math.prod(math.comb(part.steps + len(part.ends) - 1, len(part.ends) - 1) for part in parts)
