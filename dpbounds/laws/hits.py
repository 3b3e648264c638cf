"""A mixture of Gaussians on ℓ = 0 … K against N(0, σ²) or its mirror image: the integrand f_z of M(z), its loss and its tails.

The notation is that of `with_replacement`.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import acb, arb


@dataclass(frozen=True)
class Hits:
    """σ and w_0 … w_K at some precision; u or v is 1 where that side is N(0, σ²)."""

    sigma: arb
    weights: list[arb]
    above: bool = True
    below: bool = True

    def sums(self, s: acb, sign: int) -> tuple[acb, acb]:
        """u(s) for sign 1, v(s) = u(−s) for −1, and the derivative of that in s, by Horner."""
        if not (self.above if sign == 1 else self.below):
            return acb(1), acb(0)
        base = (sign * s / self.sigma).exp()
        total, slope = acb(0), acb(0)
        for hits in range(len(self.weights) - 1, -1, -1):
            total = total * base + self.weights[hits]
            slope = slope * base + hits * self.weights[hits]
        return total, slope * sign / self.sigma

    def slope(self, s: acb, z: acb) -> acb:
        """(log f_z)′."""
        (u, du), (v, dv) = self.sums(s, 1), self.sums(s, -1)
        return -s + (1 + z) * du / u - z * dv / v

    def log_size(self, s: acb, z: acb) -> arb:
        """log|f_z(s)|, |Im s| < πσ/K."""
        u, v = self.sums(s, 1)[0], self.sums(s, -1)[0]
        return (-s * s / 2 + (1 + z) * u.log() - z * v.log()).real - (2 * arb.pi()).log() / 2

    def loss(self, s: arb) -> arb:
        """log u − log v at a real s."""
        return (self.sums(acb(s), 1)[0].log() - self.sums(acb(s), -1)[0].log()).real

    def tails(self, x: arb, left: arb, right: arb | None) -> arb:
        """∫f_x below −left and above right, where there is something, x ≥ −1."""
        widest = (len(self.weights) - 1) / self.sigma
        rate, back = (1 + x) * self.above * widest, arb(0)
        if x < 0:
            back = -x * self.below * widest
        elif right is not None:
            v, dv = self.sums(acb(right), -1)
            rate -= x * (dv / v).real
        if not (x >= -1 and (right is None or right > rate) and left > back):
            return arb.pos_inf()
        behind = self.log_size(acb(-left), acb(x)).exp() / (left - back)
        ahead = arb(0) if right is None else self.log_size(acb(right), acb(x)).exp() / (right - rate)
        return arb((ahead + behind).upper())


@dataclass(frozen=True)
class ModulusDensity:
    """|f_z(s + ia)| as an analytic function of s = x + start, z = x + iy."""

    hits: Hits
    z: acb
    a: arb
    start: arb

    def value(self, x: acb) -> acb:
        """At a real s."""
        return acb(self.hits.log_size(acb((x + self.start).real, self.a), self.z).exp())

    def slope(self, x: acb) -> acb:
        """The logarithmic derivative, also on boxes."""
        s, side = x + self.start, acb(0, self.a)
        return (self.hits.slope(s + side, self.z) + self.hits.slope(s - side, self.z.conjugate())) / 2
