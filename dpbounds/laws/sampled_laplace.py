"""Poisson-sampled Laplace noise.

Under Q (without the record) the base loss l lies in [−ε₀, ε₀] with atoms ½ at −ε₀ and e^{−ε₀}/2 at ε₀ and density e^{−(l+ε₀)/2}/4
between, and
with U = 1 + q(e^l − 1)

    M(z) = E[U^{1+z}] (remove),    M(z) = E[U^{−z}] (add).

The integral over l is taken with Gauss–Legendre nodes. If |f| ≤ B in the ellipse with foci ±1 and semi-axes (ρ ± 1/ρ)/2, its Chebyshev
coefficients are at most 2Bρ^{−m}; the rule with N nodes is exact to degree 2N−1, both the integral and the (positive, total 2) weights
give at
most 2 for each T_m, and odd m vanish: the error is at most Σ_{m ≥ 2N even} 8Bρ^{−m} = 8Bρ^{−2N}/(1 − ρ^{−2}).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.laws.law import ClosedForm, Law, Uses, only_use, rational, registered_sampled_law
from dpbounds.laws.nodes_factor import NodesFactor
from dpbounds.laws.paths.endpoint_expansion import ExpandedEnds, laplace_part
from dpbounds.laws.top_end import TopEnd, laplace_top
from dpbounds.mechanisms.pairs import LaplacePair
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.gauss_legendre import panel_error
from dpbounds.numbers.inputs import exact_ball

_LARGE = 500.0
_THREE = ((-math.sqrt(0.6), 5 / 9), (0.0, 8 / 9), (math.sqrt(0.6), 5 / 9))
"""Gauss-Legendre nodes and weights on [−1, 1]."""
_MOST_NODES = 20_000


@dataclass
class SampledLaplaceFactor(NodesFactor):
    """Poisson-sampled Laplace noise of pure ε₀ = `largest`, rate q; `add` swaps P and Q."""

    largest: arb
    q: Fraction
    add: bool
    steps: int = 1
    absolutely_continuous: bool = True
    between_poles = True  # type: ignore[assignment]
    has_atoms = True  # type: ignore[assignment]
    _law: list[list[float]] = field(default_factory=list, repr=False)

    @property
    def largest_loss(self) -> float:  # type: ignore[override]
        """The largest loss in float64."""
        return float(self.loss_bound())

    def mixed(self, loss: arb) -> arb:
        """log U = log(1 + q(e^l − 1)) at a base loss."""
        return (exact_ball(self.q, "q") * loss.expm1()).log1p()

    def loss_bound(self) -> arb:
        """log U(ε₀) for remove, −log U(−ε₀) for add."""
        return -self.mixed(-self.largest) if self.add else self.mixed(self.largest)

    def approx_decay(self, x: float, y: float) -> tuple[float, tuple[float, float]]:
        """About log(decay/M), at most 0."""
        atoms, density = self._bounds(arb(x), arb(y))
        return min(0.0, float((atoms + density).log().mid()) - self.approx_log_moments(x)[0]), (0.0, 0.0)

    def decay(self, x: arb, y: arb, hint: tuple[float, float]) -> arb:
        """The atoms do not decay; the density part is at most C/y, and at most its value at y = 0: see `_bounds`."""
        atoms, density = self._bounds(x, y)
        return (atoms + density).min(self.moment(x).upper() + 0 * atoms)

    def atoms_at(self, x: arb) -> list[tuple[arb, arb]]:
        """Both ends of the loss."""
        power, low, high = -x if self.add else 1 + x, self.mixed(-self.largest), self.mixed(self.largest)
        sign = -1 if self.add else 1
        return [((power * low).exp() / 2, sign * low), ((power * high - self.largest).exp() / 2, sign * high)]

    def _bounds(self, x: arb, y: arb) -> tuple[arb, arb]:
        """The atoms' share of M(x), and the bound on the density's share at height y.

        ∫g(l)e^{iy log U}dl by parts, with (log U)′ = qe^l/U: at most (1/y)(|g/φ′| at the ends + the variation of g/φ′), φ = log U. Here
        g/φ′ = const·e^{−3l/2}U^{p+1}, whose logarithmic derivative −3/2 + (p+1)·qe^l/U is monotone in l: it is falling–rising or falling
        (rising–
        falling cannot be, as the derivative is negative throughout for p+1 < 0), so its variation is at most the sum of its end values.
        """
        power = -x if self.add else 1 + x
        low, high, e = self.mixed(-self.largest), self.mixed(self.largest), self.largest
        atoms = (power * low).exp() / 2 + (power * high - e).exp() / 2
        ends = (3 * e / 2 + (power + 1) * low).exp() + (-3 * e / 2 + (power + 1) * high).exp()
        return atoms, (-e / 2).exp() / 4 * 2 * ends / (exact_ball(self.q, "q") * y)

    def approx_rows(self, x: float) -> tuple[list[float], list[float]]:
        """The atoms and a rule of three nodes a cell; M(0) = 1 must hold for very many uses."""
        if not self._law:
            e, q, cells = float(self.largest), float(self.q), 70
            rows = [(math.log(0.5), -e), (math.log(0.5) - e, e)]
            for i in range(cells):
                for node, weight in _THREE:
                    loss = -e + (2 * i + 1 + node) * e / cells
                    rows.append((math.log(weight * e / cells / 4) - (loss + e) / 2, loss))
            mixed = [approx_mixed(q, loss) for _, loss in rows]
            self._law.extend(
                ([weight for weight, _ in rows], [-log_u for log_u in mixed])
                if self.add
                else ([weight + log_u for (weight, _), log_u in zip(rows, mixed, strict=True)], mixed)
            )
        weights, losses = self._law
        return weights, losses

    def nodes(self, x: arb, height: arb, tolerance: float, top: float) -> tuple[list[arb], list[arb], arb]:
        """The atoms and one Gauss–Legendre rule."""
        power = -x if self.add else 1 + x
        order, rho = self._order(float(power), tolerance, top)
        weights, losses = [], []
        e = self.largest
        rows = [(arb(1) / 2, -e), ((-e).exp() / 2, e)]
        for k in range(order):
            node, weight = arb.legendre_p_root(order, k, weight=True)
            rows.append((weight * e * (-(node + 1) * e / 2).exp() / 4, e * node))
        for weight, loss in rows:
            log_u = self.mixed(loss)
            weights.append(weight * (power * log_u).exp())
            losses.append(-log_u if self.add else log_u)
        return weights, losses, quadrature_error(self, power, height, order, rho)

    def _order(self, power: float, tolerance: float, top: float) -> tuple[int, float]:
        """Number of nodes and the ellipse for an error of about e^{−tolerance}·M."""
        e, q = float(self.largest), float(self.q)
        log_moment = self.approx_log_moments(-power if self.add else power - 1)[0]
        best = (10**9, 1.5)
        for index in range(1, 120):
            rho = math.exp(0.03 * index)
            reach, turn = e * (rho + 1 / rho) / 2, e * (rho - 1 / rho) / 2
            if turn >= 3.1:
                break
            least = approx_mixed(q, -reach) + math.log(math.cos(turn / 2))
            least = max(least, math.log1p(-q)) if turn <= math.pi / 2 and q < 1 else least
            size = power * (approx_mixed(q, reach) if power >= 0 else least)
            weight = q * math.exp(min(reach, _LARGE))
            argument = math.atan2(weight * math.sin(turn), 1 - q + weight * math.cos(turn)) if turn <= math.pi / 2 else turn
            needed = (tolerance + max(0.0, size) + reach / 2 + top * argument - log_moment + 6) / (2 * math.log(rho))
            best = min(best, (math.ceil(needed), rho))
        if best[0] > _MOST_NODES:
            raise PrecisionError("the privacy loss of the Laplace noise has too wide a range for the contour; no digit was reached")
        return max(best[0], 4), best[1]


def approx_mixed(q: float, loss: float) -> float:
    """log(1 + q(e^l − 1)) in float64, also where e^l has no float.

    >>> approx_mixed(0.5, 1000.0) == 1000 + math.log(0.5)
    True
    """
    if loss > _LARGE:
        return loss + math.log(q)
    return math.log1p(q * math.expm1(loss))


def quadrature_error(factor: SampledLaplaceFactor, power: arb, height: arb, order: int, rho: float) -> arb:
    """The Gauss–Legendre error for every y up to `height`."""
    return panel_error(factor.largest, largest_integrand(factor, power, height, rho), order, rho)


def largest_integrand(factor: SampledLaplaceFactor, power: arb, height: arb, rho: float) -> arb:
    """A bound on |e^{−(l+ε₀)/2}·U^{power+iy}|/4 in the ellipse, for every |y| up to `height`; infinite where U may vanish.

    In the ellipse |Im l| ≤ β = ε₀(ρ−1/ρ)/2 < π and |Re l| ≤ A = ε₀(ρ+1/ρ)/2, so U(−A)cos(β/2) ≤ |U| ≤ U(A). U = 1−q + qe^l is a sum of
    numbers of arguments 0 and Im l, so |arg U| ≤ β; for β ≤ π/2 its argument increases in Im l and in Re l, up to that of 1−q + qe^{A+iβ},
    and |U| ≥ Re U = 1−q + qe^{Re l}·cos(Im l) ≥ 1−q.
    """
    r, e = arb(rho), factor.largest
    reach, turn = e * (r + 1 / r) / 2, e * (r - 1 / r) / 2
    if not turn < arb.pi():
        return arb.pos_inf()
    least, argument = factor.mixed(-reach).exp() * (turn / 2).cos(), turn
    if turn <= arb.pi() / 2:
        q, (sine, cosine) = exact_ball(factor.q, "q"), turn.sin_cos()
        least = least.max(1 - q)
        argument = arb.atan2(q * reach.exp() * sine, 1 - q + q * reach.exp() * cosine)
    size = (power * factor.mixed(reach)).exp() if power >= 0 else least**power
    return ((reach - e) / 2).exp() / 4 * size * (height * argument).exp()


def sampled_laplace_delta(largest: arb, q: arb, epsilon: arb, add: bool) -> arb:
    """δ(ε) of one use, 0 < q < 1, ε below the largest loss: E(U − e^ε)₊ (remove) or E(1 − e^ε U)₊ (add), integrated in closed form."""
    scale = (-largest / 2).exp() / 2
    if add:
        cut = ((-epsilon).expm1() / q).log1p()
        constant, slope = 1 - epsilon.exp() * (1 - q), -epsilon.exp() * q
        atom = (constant + slope * (-largest).exp()) / 2
        return atom + scale * (constant * ((largest / 2).exp() - (-cut / 2).exp()) + slope * ((cut / 2).exp() - (-largest / 2).exp()))
    cut = (epsilon.expm1() / q).log1p()
    constant = 1 - q - epsilon.exp()
    atom = (-largest).exp() / 2 * (constant + q * largest.exp())
    return atom + scale * (constant * ((-cut / 2).exp() - (-largest / 2).exp()) + q * ((largest / 2).exp() - (cut / 2).exp()))


@dataclass(frozen=True)
class SampledLaplaceLaw(Law):
    """Laplace noise of the given scale, Poisson-sampled at rate q; `reversed` is the add direction."""

    scale: Exact
    q: Fraction
    reversed: bool

    def largest(self) -> arb:
        """ε₀ = 1/b of the noise without sampling."""
        return 1 / exact_ball(self.scale, "laplace scale")

    def factor(self, steps: int = 1, most: float = 0.0) -> SampledLaplaceFactor:
        """By a Gauss–Legendre rule over the loss."""
        return SampledLaplaceFactor(self.largest(), self.q, self.reversed, steps)

    def swapped(self) -> SampledLaplaceLaw:
        """The other direction."""
        return SampledLaplaceLaw(self.scale, self.q, not self.reversed)

    def largest_loss(self) -> arb:
        """log(1 − q + q·e^{ε₀}) or −log(1 − q + q·e^{−ε₀})."""
        return self.factor().loss_bound()

    def closed_form(self, uses: Uses) -> ClosedForm | None:
        """For one use."""
        if not only_use(uses):
            return None
        return ClosedForm(lambda epsilon: sampled_laplace_delta(self.largest(), exact_ball(self.q), epsilon, self.reversed))

    def top(self) -> TopEnd:
        """An atom and a density that is analytic there."""
        return laplace_top(self.largest(), exact_ball(self.q), self.reversed)

    def expanded_ends(self, steps: int) -> ExpandedEnds:
        """Both ends of the loss."""
        return laplace_part(self.largest(), exact_ball(self.q), self.reversed, steps)


@registered_sampled_law.register(LaplacePair)
def _(base: LaplacePair, q: Exact, reversed: bool) -> Law:
    return SampledLaplaceLaw(base.scale, rational(q, "q"), reversed)
