"""Few steps: δ(ε) along a hyperbola, where the integrand falls exponentially though it hardly falls along a vertical line.

The privacy loss of one step of a sampled Gaussian has nearly an atom where the noise says nothing: at log(1−q) (remove), −log(1−q)
(add) or 0 (substitute). With few steps M(c+iy) therefore decays very slowly in y. With o = 1 (remove, substitute) or −1 (add) and the
turned variable z = o·(the variable of `integral`),

    δ(ε) = (1/2πi)∫ e^{−ρz} Π N_i(z)^{k_i} e^{z(z+o)v/2}/(z(z+o)) dz,    ρ = oε − Σ k_i·offset_i,

the near-atom is taken out as e^{−ρz}; if ρ ≥ 0 the contour may be bent to the right, where that factor falls exponentially and the N_i,
integrated along paths that rise (`rotated`), do not grow. The integrand is analytic but for the poles, of order 2, and bounded on the
vertical line and on the hyperbola, hence between them (Phragmén–Lindelöf, an angle below π/2): the two integrals are the same.
Bounds on the pieces of a hyperbola come from the corners of triangles, where Π B_i^{k_i}e^{−ρ·Re z} is log-convex.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from flint import acb, arb

from dpbounds.accounting.rays.hyperbola import Hyperbola, displaced
from dpbounds.errors import PrecisionError
from dpbounds.laws.contour_factor import ContourFactor
from dpbounds.laws.paths.deformed_path_moment import PathRule, RotatedMixture
from dpbounds.numbers.balls import precision, working_bits

_BITS = 53
SPARE_BITS = 60
"""Bits beyond those of the digits asked for and of the size of the terms."""


@dataclass(frozen=True)
class HyperbolaPiece:
    """A piece of a hyperbola, the rules used there, one for each mixture, and the bits in which moments are taken: terms that are small
    against the largest need fewer. Any number is sound, all of it being in balls."""

    low: float
    high: float
    rules: tuple[PathRule, ...]
    bits: int = SPARE_BITS


@dataclass(frozen=True)
class BentPlan:
    """A hyperbola, the trapezoid rule on it (nodes jh, 0 ≤ j < count, and their conjugates), its pieces and those of the displaced ones.

    Args:
        hyperbola: undisplaced. turn: β > 0. step: h. count: number of nodes; the pieces of the hyperbola end at (count−1)·h.
        main, outer, inner: pieces of the hyperbolas displaced by 0, β and −β.
        depths: depth of the cells in t, one for each mixture.
        log_value: estimate of log δ. amplitude: log of the largest term over δ. tolerance: errors of about e^{−tolerance}·δ were aimed at.
        work: exponentials needed.
        mixtures: those of the planner, with the cells that they remember.
    """

    hyperbola: Hyperbola
    turn: float
    step: float
    count: int
    main: tuple[HyperbolaPiece, ...]
    outer: tuple[HyperbolaPiece, ...]
    inner: tuple[HyperbolaPiece, ...]
    depths: tuple[float, ...]
    log_value: float
    amplitude: float
    tolerance: float
    work: float
    mixtures: tuple[RotatedMixture, ...] = ()


@dataclass
class BentIntegrand:
    """The integrand at the current precision. `sign` is o, `variance` v of plain Gaussian noise in the product."""

    mixtures: Sequence[RotatedMixture]
    epsilon: arb
    variance: arb
    sign: int
    known: dict[Hashable, tuple[HyperbolaPiece, arb]] = field(default_factory=dict, repr=False)
    """Bounds at corners, with the piece, whose identity is part of the key."""

    def with_epsilon(self, epsilon: arb) -> BentIntegrand:
        """The same at another ε."""
        return replace(self, epsilon=epsilon)

    def rate(self) -> arb:
        """ρ."""
        return self.sign * self.epsilon - sum((mixture.offset() * mixture.steps for mixture in self.mixtures), arb(0))

    def corner_bound(self, piece: HyperbolaPiece, z: acb, depths: Sequence[float]) -> arb:
        """Π B_i(z)^{k_i}·e^{−ρ·Re z}."""
        with precision(_BITS):
            value = (-self.rate() * z.real).exp() * self._moment_bound(piece, z, depths)
            return arb(value.upper()) if value.is_finite() else arb.pos_inf()

    def _moment_bound(self, piece: HyperbolaPiece, z: acb, depths: Sequence[float]) -> arb:
        """Π B_i(z)^{k_i}, remembered: it does not depend on ε."""
        key = (id(piece), tuple(depths), *(end.man_exp() for part in (z.real, z.imag) for end in (part.mid(), part.rad())))
        if key not in self.known:
            value = arb(1)
            for mixture, rule, depth in zip(self.mixtures, piece.rules, depths, strict=True):
                value *= mixture.bound(rule, 0.0, z, depth) ** mixture.steps
            self.known[key] = piece, value
        return self.known[key][1]

    def plain(self, z: acb) -> acb:
        """e^{z(z+o)v/2}/(z(z+o))."""
        product = z * (z + self.sign)
        return (product * self.variance / 2).exp() / product


def bent_integrand(factors: Sequence[ContourFactor], epsilon: arb, known: Sequence[RotatedMixture] = ()) -> BentIntegrand:
    """The integrand of a product of Gaussian mixtures and Gaussian noise; mixtures that are `known` keep what they remember.

    Raises:
        PrecisionError: other factors, or mixtures that ask for different turns.
    """
    mixtures, variance, signs = [], arb(0), set()
    for factor in factors:
        if (mixture := factor.deformed()) is not None:
            mixtures.append(next((other for other in known if other.is_same(mixture)), mixture))
            signs.add(1 if mixture.mixture.numerator else -1)
        elif factor.variance is not None:
            variance += factor.variance * factor.steps
        else:
            raise PrecisionError("the contour can be bent for Gaussian mixtures and Gaussian noise only; no digit was reached")
    if len(signs) != 1:
        raise PrecisionError("the contour can be bent for Gaussian mixtures of one direction only; no digit was reached")
    return BentIntegrand(mixtures, epsilon, variance, signs.pop())


class BentLine:
    """A planned hyperbola and the moments at its nodes, which do not depend on ε: it gives δ(ε) for any ε.

    A plan made for one ε serves its neighbours nearly as well; the bounds at each ε say how well.

    Args:
        integrand: at the current precision, at which every δ must be asked for too; its ε is not used.
        chosen: the plan.
    """

    def __init__(self, integrand: BentIntegrand, chosen: BentPlan) -> None:
        self.integrand, self.chosen = integrand, chosen
        self.lost, self.is_short = arb(0), True  # no noise is cut, and hyperbolas have few nodes
        self.is_sound = is_consistent(chosen) and _passes_the_poles(integrand, chosen)
        self._terms = self._moments() if self.is_sound else []

    def delta(self, epsilon: arb) -> arb:
        """The ball of δ(ε); NaN, which encloses nothing, where the bounds say nothing: ±∞ alone would be a value.

        S_h = (h/π)(Im G(0)/2 + Σ_{0<j<count} Im G(jh)), G = F z′, because G(−τ) = −conj G(τ).
        """
        integrand, chosen = self.integrand.with_epsilon(epsilon), self.chosen
        if not self.is_sound:
            return arb.nan()
        total = self._sum(integrand.rate())
        last = truncation(integrand, chosen.hyperbola, chosen.main[-1], chosen.depths)
        error = (last + discretisation(integrand, chosen)) / arb.pi()
        if not (error.is_finite() and total.is_finite()):
            return arb.nan()
        return (total + arb(0, error.upper())).nonnegative_part()

    def _sum(self, rate: arb) -> arb:
        """S_h."""
        total = arb(0)
        for j, (z, value) in enumerate(self._terms):
            term = ((-rate * z).exp() * value).imag
            total += term if j else term / 2
        return total * arb(self.chosen.step) / arb.pi()

    def _moments(self) -> list[tuple[acb, acb]]:
        """z and Π N_i(z)^{k_i}·e^{z(z+o)v/2}·z′/(z(z+o)) at the nodes, in balls."""
        integrand, chosen = self.integrand, self.chosen
        h, curve = arb(chosen.step), chosen.hyperbola
        found: list[tuple[acb, acb]] = []
        for piece in chosen.main:
            last = min(chosen.count - 1, round(piece.high / chosen.step))
            indices = range(len(found), last + 1)
            points = [curve.point(h * j) for j in indices]
            values = [integrand.plain(z) * curve.derivative(h * j) for j, z in zip(indices, points, strict=True)]
            corners = curve.triangle(piece.low, piece.high)
            for mixture, rule, depth in zip(integrand.mixtures, piece.rules, chosen.depths, strict=True):
                with precision(min(piece.bits, working_bits())):
                    moments = mixture.moments(rule, points, corners, depth)
                values = [value * moment**mixture.steps for value, moment in zip(values, moments, strict=True)]
            found += zip(points, values, strict=True)
        return found


def is_consistent(chosen: BentPlan) -> bool:
    """Whether the pieces follow each other from 0 on; those of the hyperbola end at nodes and the last at the last node, all exactly."""
    if not (chosen.hyperbola.scale > 0 and chosen.hyperbola.turn == 0 and chosen.turn > 0 and chosen.step > 0):
        return False
    for pieces in (chosen.main, chosen.outer, chosen.inner):
        starts = [0.0, *(piece.high for piece in pieces)]
        if not pieces or any(piece.low != start or piece.high < start for piece, start in zip(pieces, starts, strict=False)):
            return False
    step = Fraction(chosen.step)
    ends = [Fraction(piece.high) / step for piece in chosen.main]
    return all(end.denominator == 1 for end in ends) and ends[-1] == chosen.count - 1


def _passes_the_poles(integrand: BentIntegrand, chosen: BentPlan) -> bool:
    """Whether all displaced hyperbolas cross the real axis right of the poles 0 and −1 (o = 1), or left of 0 and 1 (o = −1)."""
    curves = [displaced(chosen.hyperbola, turn) for turn in (chosen.turn, -chosen.turn)]
    right_angles = [arb(0) < curve.whole_angle() and curve.whole_angle() < arb.pi() / 2 for curve in curves]
    return all(right_angles) and all(integrand.sign * curve.point(arb(0)).real > 0 for curve in curves)


def discretisation(integrand: BentIntegrand, chosen: BentPlan) -> arb:
    """π times the trapezoid error: (I₊ + I₋)/(e^{2πβ/h} − 1), I± over half of each displaced hyperbola."""
    total = arb(0)
    for turn, pieces in ((chosen.turn, chosen.outer), (-chosen.turn, chosen.inner)):
        curve = displaced(chosen.hyperbola, turn)
        total += path_integral(integrand, curve, pieces, chosen.depths)
    with precision(_BITS):
        return total / (2 * arb.pi() * arb(chosen.turn) / chosen.step).expm1()


def path_integral(integrand: BentIntegrand, curve: Hyperbola, pieces: Sequence[HyperbolaPiece], depths: Sequence[float]) -> arb:
    """An upper bound on ∫_0^∞ |F z′|dτ along a displaced hyperbola."""
    with precision(_BITS):
        total = truncation(integrand, curve, pieces[-1], depths)
        for piece in pieces:
            if not _admissible(integrand, piece, depths):
                return arb.pos_inf()
            largest = arb(0)
            for corner in curve.triangle(piece.low, piece.high):
                largest = largest.max(integrand.corner_bound(piece, corner, depths))
            total += largest * _plain_integral(integrand, curve, piece)
        return arb(total.upper()) if total.is_finite() else arb.pos_inf()


def _plain_integral(integrand: BentIntegrand, curve: Hyperbola, piece: HyperbolaPiece) -> arb:
    """An upper bound on ∫ |e^{z(z+o)v/2} z′/(z(z+o))| over a piece."""
    parts = 8
    low, length = arb(piece.low), (arb(piece.high) - arb(piece.low)) / parts
    total = arb(0)
    for index in range(parts):
        tau = (low + length * index).union(low + length * (index + 1))
        value = integrand.plain(curve.point(tau)).abs_upper() * curve.derivative(tau).abs_upper()
        total += arb(value) * length
    return total


def truncation(integrand: BentIntegrand, curve: Hyperbola, last: HyperbolaPiece, depths: Sequence[float]) -> arb:
    """π times what lies beyond the last piece, in the integral or in the sum; infinite where |F z(z+o)| may grow there."""
    with precision(_BITS):
        tau = arb(last.high)
        if not falls(integrand, curve, last) or not _admissible(integrand, last, depths):
            return arb.pos_inf()
        end = curve.point(tau)
        gaussian = (end * (end + integrand.sign) * integrand.variance / 2).real.exp()
        return arb((integrand.corner_bound(last, end, depths) * gaussian * curve.beyond(tau)).upper())


def falls(integrand: BentIntegrand, curve: Hyperbola, last: HyperbolaPiece) -> bool:
    """Whether the bound on |F z(z+o)| does not grow beyond the piece.

    Further out z moves in the directions between that of the asymptote and the tangent's; along both, d, Π B_i^{k_i} grows at most like
    e^{tΣk_iS_i} (`rise_along`), which must not outweigh e^{−tρ·Re d}; and e^{z(z+o)v/2}, of the rate Re((z + o/2)·d)·v, must fall.
    S_i is sublinear in d, being a supremum of linear functions, so what holds for two directions holds for all sums of their multiples.
    """
    with precision(_BITS):
        tau, rate = arb(last.high), integrand.rate()
        end, directions = curve.point(tau), curve.direction(tau)
        if not rate >= 0:
            return False
        for d in directions:
            if not (d.real >= 0 and growth(integrand.mixtures, last.rules, d) <= rate * d.real):
                return False
            if integrand.variance > 0:
                rates = [(end + arb(integrand.sign) / 2) * d] + [d * other for other in directions]
                if not all(value.real <= 0 for value in rates):
                    return False
        return True


def growth(mixtures: Sequence[RotatedMixture], rules: Sequence[PathRule], direction: acb) -> arb:
    """Σ k_i·S_i: log Π B_i^{k_i} grows at most by this for each unit of length in the direction."""
    return sum((mixture.steps * mixture.rise_along(rule, direction) for mixture, rule in zip(mixtures, rules, strict=True)), arb(0))


def _admissible(integrand: BentIntegrand, piece: HyperbolaPiece, depths: Sequence[float]) -> bool:
    return all(mixture.is_admissible(rule, depth) for mixture, rule, depth in zip(integrand.mixtures, piece.rules, depths, strict=True))
