"""The published pair of sampling with replacement as a factor of the contour engine (Koskela, Jälkö & Honkela 2020, §6.3).

In units of the noise, with b_ℓ = Binomial(m, 1/n) cut at ℓ ≤ K and w_ℓ = b_ℓ e^{−ℓ²/2σ²},

    u(s) = Σ w_ℓ e^{ℓs/σ},   v(s) = u(−s),   M(z) = ∫ f_z ds,   f_z = φ·u^{1+z}·v^{−z},   (log f_z)′ = −s + (1+z)u′/u − z·v′/v.

Where one side is N(0, σ²), its u or v is 1 and the weights are those of any mixture on ℓ = 0 … K.

Cutting leaves P and Q without at most τ of their mass for each step, so δ of k steps lies between δ_K − e^ε·kτ and δ_K + kτ. For |Im s| = a
with θ = Ka/σ < π all terms of u lie in a sector of angle θ: u(s)·cos(θ/2) ≤ |u(s + ia)| ≤ u(s), and 0 ≤ arg u < π is the principal one;
for v the sign turns. So f_z is analytic there, and moving s to s + ia, for y′ ≥ y ≥ 0,

    |M(x + iy′)| ≤ ∫ |f_{x+iy}(s + ia)| ds,    |f_{x+iy}(s + ia)| falling in y.

The modulus is, for real s, the analytic function (f_z(s + ia)·f_z̄(s − ia))^{1/2}. Integrals are taken by Gauss–Legendre panels. Past S > r,
r = (1+x)K/σ − x·(log v)′(S), log u having slope at most K/σ and log v being convex, f_x ≤ f_x(S)e^{(S²−s²)/2 + r(s−S)}, so at most
f_x(S)/(S − r) is left; before −S, where u^{1+x} and v^{−x} increase in −s no more, at most f_x(−S)/S. For −1 ≤ x < 0 both powers are
positive: on the right log v falls, so r = (1+x)K/σ; on the left log u falls and log v has slope at least −K/σ: f_x(−S)/(S − |x|K/σ).

Or by `paths.uniform_parts`, where many uses need little decay and rare noise rules the shift: on a cell a < s < b the density of L under
the law tilted by x ≥ 0 is f_x/L′, where φ is least at an end, u and 1/v rise, and L′ ≤ (log u)′(b) − (log v)′(a), both logarithms being
convex.

*Cut.* For a mixture above N(0, σ²) the noise may be cut at s = S, as in `truncated_noise`: v = 1, both sides keep the outcomes s ≤ S, and
lose P(s > S) = Σ b_ℓΦ̄(S − ℓ/σ) and Φ̄(S). M is the integral up to S, and the density of L below log u(S) is what it was.
N(0, σ²) above a mixture has L < −log w₀, and f_x = φv^{−x} falls beyond the s where s = −x·(log v)′(s).
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, field
from fractions import Fraction

from flint import acb, arb

from dpbounds.laws.gaussian import GaussianLaw
from dpbounds.laws.hits import Hits, ModulusDensity
from dpbounds.laws.law import ClosedForm, Law, Uses, only_use, rational, registered_law
from dpbounds.laws.nodes_factor import NodesFactor
from dpbounds.laws.paths.descent_transforms import Patch, Ray
from dpbounds.laws.paths.uniform_parts import CELLS, LeastDensity, approx_uniform_decay, below, bulk
from dpbounds.laws.sampled_gaussian import both_sides
from dpbounds.laws.with_replacement_step import counts_of, sides_of, with_replacement_delta
from dpbounds.mechanisms.pairs import GaussianMixturePair, WithReplacementPair
from dpbounds.numbers.balls import precision
from dpbounds.numbers.gauss_legendre import ACROSS, ALONG, cover, panels_error
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.mixture_thresholds import normal_tail

_SHIFTS = (0.9, 0.6, 0.4, 0.25, 0.15, 0.08, 0.04, 0.02)
_GRID, _FAR = 0.25, 1e15


@dataclass
class DrawsFactor(NodesFactor):
    """The pair cut at the smallest K with τ ≤ `most`."""

    pair: WithReplacementPair | GaussianMixturePair
    most: float
    steps: int = 1
    reversed: bool = False
    absolutely_continuous: bool = False
    between_poles = True  # type: ignore[assignment]
    largest_back_tilt: float = 1.0
    cut: float | None = None
    nats = 25.0
    _rows: dict[tuple[float, float], list[tuple[float, float, float]]] = field(default_factory=dict, repr=False)
    _weights: list[float] = field(default_factory=list, repr=False)
    _reach: float = field(default=0.0, repr=False)
    _parts: dict[float, list[tuple[float, float]]] = field(default_factory=dict, repr=False)

    def hits(self) -> Hits:
        """At the current precision."""
        sigma = exact_ball(self.pair.sigma, "sigma")
        masses = counts_of(self.pair, arb(self.most)).masses
        return Hits(sigma, [mass * (-(arb(i) ** 2) / (2 * sigma**2)).exp() for i, mass in enumerate(masses)], *self.sides)

    @property
    def sides(self) -> tuple[bool, bool]:
        """Whether P and Q are mixtures."""
        return sides_of(self.pair, self.reversed)

    def lost(self) -> arb:
        """A bound on the mass that P or Q lose in all steps."""
        return self.steps * counts_of(self.pair, arb(self.most)).beyond

    @property
    def largest_tilt(self) -> float:  # type: ignore[override]
        """Larger x would need too many panels, but where the loss is bounded."""
        return 60 * float(self.pair.sigma) if self.sides[0] else _FAR

    @property
    def largest_loss(self) -> float:  # type: ignore[override]
        """Of N(0, σ²) above a mixture, and of noise that is cut."""
        return math.inf if self.cut is None and self.sides[0] else float(self.loss_bound())

    def loss_bound(self) -> arb:
        """−log w₀, or log u(S)."""
        if self.cut is not None:
            return self.hits().loss(arb(self.cut))
        return arb.pos_inf() if self.sides[0] else -self.hits().weights[0].log()

    def cut_at(self, level: float) -> float | None:
        """Where the densities have fallen to about e^{−level}; None for pairs that are not cut."""
        if self.sides != (True, False):
            return None
        sigma, end = float(self.pair.sigma), math.sqrt(2 * level)
        for i, mass in enumerate(counts_of(self.pair, arb(self.most)).masses):
            if mass > 0:
                end = max(end, i / sigma + math.sqrt(2 * max(1.0, level + float(mass.log()))))
        return math.ceil(16 * end) / 16

    def with_cut(self, cut: float | None) -> DrawsFactor:
        """The same with the noise cut, or whole."""
        return DrawsFactor(self.pair, self.most, self.steps, self.reversed, cut=cut)

    def cut_mass(self) -> arb:
        """The mass that P or Q lose in one step."""
        if self.cut is None:
            return arb(0)
        sigma, plain = exact_ball(self.pair.sigma, "sigma"), normal_tail(arb(self.cut))
        masses = counts_of(self.pair, arb(self.most)).masses
        return plain.max(sum((mass * normal_tail(arb(self.cut) - i / sigma) for i, mass in enumerate(masses)), arb(0)))

    def room(self, x: float) -> float:
        """How far the end of the cut noise lies below M(x), in logarithms and against the number of steps."""
        return math.inf if self.cut is None else self.approx_log_moments(x)[0] - self._end(x, self.cut) - math.log(self.steps)

    def ends_before(self, x: float, level: float, tolerance: float) -> bool:
        """Whether a cut at that level would leave M(x) as it is, but for about e^{−tolerance} of it."""
        cut = self.cut_at(level)
        return cut is None or self._end(x, cut) < self.approx_log_moments(x)[0] - tolerance - math.log(self.steps)

    def _end(self, x: float, place: float) -> float:
        """log f_x at a place, v = 1."""
        with precision(64):
            return float(self.hits().log_size(acb(place), acb(x)))

    # floats, for planning ---------------------------------------------------------------------------------------------

    def _law(self, x: float, shift: float) -> list[tuple[float, float, float]]:
        """log(weight·φ|u|), log|u/v| and arg u − arg v at s + ia on a grid that carries M(x)."""
        weights, sigma, top = self._float_weights(), float(self.pair.sigma), len(self._float_weights()) - 1
        reach = self._far(x)
        if reach > self._reach:
            self._reach = reach if self.cut is not None else 1.3 * reach
            self._rows.clear()
        key = (0.0, shift)
        if key not in self._rows:
            rows = []
            start, step = self._grid()
            sides = list(zip((1, -1), self.sides, strict=True))
            for i in range(math.floor((self._reach - start) / step) + 1):
                s = start + i * step
                logs = []
                for sign, mixed in sides:
                    if not mixed:
                        logs.append((0.0, 0.0))
                        continue
                    scale = max(0.0, sign * s * top / sigma)
                    turn = cmath.exp(complex(0, sign * shift / sigma))
                    value = sum(w * math.exp(ell * sign * s / sigma - scale) * turn**ell for ell, w in enumerate(weights))
                    logs.append((scale + math.log(max(abs(value), 1e-300)), cmath.phase(value)))
                (log_u, arg_u), (log_v, arg_v) = logs
                weight = math.log(step / math.sqrt(2 * math.pi)) - s * s / 2 + log_u
                rows.append((weight, log_u - log_v, arg_u - arg_v))
            self._rows[key] = rows
        return self._rows[key]

    def _far(self, x: float) -> float:
        """The place beyond which M(x) has nothing left, or the cut."""
        if self.cut is not None:
            return self.cut
        if self.sides[0]:
            return 9.0 + (1 + max(2 * x, x)) * self._widest()
        weights, sigma, place = self._float_weights(), float(self.pair.sigma), 0.0
        while place < _FAR:
            parts = [weight * math.exp(-i * place / sigma) for i, weight in enumerate(weights)]
            if x * sum(i * part for i, part in enumerate(parts)) <= place * sigma * sum(parts):
                break
            place = 1.05 * place + 0.25
        return 9.0 + place

    def _widest(self) -> float:
        """K/σ."""
        return (len(self._float_weights()) - 1) / float(self.pair.sigma)

    def _float_weights(self) -> list[float]:
        """w_0 … w_K."""
        if not self._weights:
            self._weights.extend(float(weight) for weight in self.hits().weights)
        return self._weights

    def _grid(self) -> tuple[float, float]:
        """First place and step of that grid: u changes on lengths of 1 and of σ."""
        step = min(_GRID, 0.3 * float(self.pair.sigma))
        return step * int(-9 / step), step

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x) in float64; infinite far beyond the largest x."""
        return (math.inf, math.inf, 1.0) if self.cut is None and x > 2 * self.largest_tilt else super().approx_log_moments(x)

    def approx_rows(self, x: float) -> tuple[list[float], list[float]]:
        """On that grid, without a shift."""
        law = self._law(x, 0.0)
        return [weight for weight, _, _ in law], [loss for _, loss, _ in law]

    def approx_decay(self, x: float, y: float) -> tuple[float, tuple[float, float]]:
        """About log(decay/M), and the shift that gives it."""
        if x not in self._parts:
            with precision(128):
                self._parts[x] = self.least_density(arb(x)).approx_parts() if x >= 0 else []
        parts = (approx_uniform_decay(self._parts[x], y), (0.0, 0.0))
        if self.cut is not None:
            return parts
        widest = math.pi * float(self.pair.sigma) / max(1, len(self.hits().weights) - 1)
        log_moment, _, spread = self.approx_log_moments(x)
        normal = y * math.sqrt(spread)  # the best shift where M falls like that of a Gaussian
        best = (math.inf, (0.0, 0.0))
        for shift in {min(shift, 14.0) for shift in (*(share * widest for share in _SHIFTS), normal, normal / 2) if shift <= 0.9 * widest}:
            exponents = [weight + x * loss - y * turn for weight, loss, turn in self._law(x, shift)]
            top = max(exponents)
            found = top + math.log(math.fsum(math.exp(exponent - top) for exponent in exponents)) + shift * shift / 2
            best = min(best, (found - log_moment, (shift, 0.0)))
        return min(best, (parts[0], best[1]))

    # balls ------------------------------------------------------------------------------------------------------------

    def moment(self, x: arb) -> arb:
        """M(x), x ≥ −1, to about 10 digits; between the poles, where it is a bound, of the whole noise."""
        return super().moment(x) if x >= 0 or self.cut is None else self.with_cut(None).moment(x)

    def _window(self, hits: Hits, x: arb, goal: arb) -> tuple[float, float, arb]:
        """left and right, and `tails`, at most the goal."""
        beyond = self.cut if self.cut is not None else math.ceil(self._far(float(x)) - 9.0)
        far = 2.0

        def left_out() -> arb:
            return hits.tails(x, arb(far), None if self.cut is not None else arb(far + beyond))

        while not (found := left_out()) <= goal and far < 400:
            far += 0.5
        return far, beyond if self.cut is not None else far + beyond, found

    def nodes(self, x: arb, height: arb, tolerance: float, top: float) -> tuple[list[arb], list[arb], arb]:
        """Panels over the noise, x ≥ −1."""
        hits, goal = self.hits(), (arb(self.approx_log_moments(float(x))[0]) - tolerance).exp()
        left, right, rest = self._window(hits, x, goal)
        ends = [acb(x), acb(x, height)]

        def bound(low: float, high: float) -> arb:
            half, middle = (arb(high) - arb(low)) / 2, (arb(low) + arb(high)) / 2
            along, across = half * ALONG, half * ACROSS
            box = acb(arb(middle, along.upper()), arb(0, across.upper()))
            growth = arb.neg_inf()
            for z in ends:
                slope, wide = hits.slope(acb(middle), z), hits.slope(box, z)
                if not wide.is_finite():
                    return arb.pos_inf()
                growth = growth.max(abs(acb(slope.real * along, slope.imag * across)) + abs(wide - slope) * along)
            return arb((hits.log_size(acb(middle), acb(x)) + growth).exp().upper())

        panels = cover(-left, 0.5, bound, goal / 64, right)
        weights, losses = [], []
        for panel in panels:
            for node, weight in panel.nodes():
                weights.append(weight * hits.log_size(acb(node), acb(x)).exp())
                losses.append(hits.loss(node))
        return weights, losses, panels_error(panels) + rest

    def decay(self, x: arb, y: arb, hint: tuple[float, float]) -> arb:
        """The lower of both bounds; the first needs x ≥ 0, the second noise that is whole."""
        uniform = self.least_density(x).decay(self.moment(x), y) if x >= 0 else arb.pos_inf()
        return uniform if self.cut is not None else uniform.min(self._shifted_decay(x, y, hint[0]))

    def least_density(self, x: arb) -> LeastDensity:
        """Of the tilted law, x ≥ 0, on equal cells of the noise."""
        rows = [(weight + float(x) * loss, 0.0) for weight, loss, _ in self._law(float(x), 0.0)]
        (first, last), (start, step) = bulk(rows), self._grid()
        most = math.inf if self.cut is None else self.cut  # which the last place may pass by its rounding
        places = [min(most, start + step * (first + (last - first) * i / CELLS)) for i in range(CELLS + 1)]
        hits, size = self.hits(), arb(self.approx_log_moments(float(x))[0])
        sides = [[hits.sums(acb(place), sign) for place in places] for sign in (1, -1)]
        logs = [[value.real.log() for value, _ in side] for side in sides]
        (rises, falls), ends = [[(slope / value).real for value, slope in side] for side in sides], [arb(place) for place in places]
        densities = []
        for i in range(CELLS):
            noise = -(ends[i].max(-ends[i]).max(ends[i + 1].max(-ends[i + 1])) ** 2) / 2 - (2 * arb.pi()).log() / 2
            least = (noise + (1 + x) * logs[0][i] - x * logs[1][i] - size).exp() / (rises[i + 1] - falls[i])
            densities.append(below(least))
        return LeastDensity([up - down for up, down in zip(*logs, strict=True)], densities, size.exp())

    def _shifted_decay(self, x: arb, y: arb, shift: float) -> arb:
        """∫|f_{x+iy}(s + ia)|ds, to about 2 digits more than the number of steps has."""
        hits, a = self.hits(), arb(shift)
        angle = (len(hits.weights) - 1) * a / hits.sigma
        if not angle < arb.pi():
            return arb.pos_inf()
        expected = self.approx_decay(float(x), float(y))[0] + self.approx_log_moments(float(x))[0]
        goal = (arb(expected) - 5 - math.log(self.steps)).exp()
        spread = (a * a / 2).exp() * (angle / 2).cos() ** (-x)
        left, right, rest = self._window(hits, x, goal / spread)
        density = ModulusDensity(hits, acb(x, y), a, arb(-left))
        ray = Ray(density, acb(1), 1, 0.5, length=right + left)
        nothing = Patch(acb(0), acb(1), arb(0), arb(0))
        value = ray.values([acb(0)], ray.plan(nothing, goal))[0].real
        return arb((value + spread * rest).upper())


@dataclass(frozen=True)
class DrawsLaw(Law):
    """A mixture of Gaussians on ℓ = 0 … K against N(0, σ²), in either order, or against its mirror image."""

    pair: WithReplacementPair | GaussianMixturePair
    reversed: bool
    truncated = True
    whole = False

    def factor(self, steps: int, most: float = 0.0) -> DrawsFactor:
        """The centres beyond a mass of `most` left out."""
        return DrawsFactor(self.pair, most, steps, self.reversed)

    def swapped(self) -> DrawsLaw:
        """The other order, where it is another pair."""
        return DrawsLaw(self.pair, not self.reversed and not self.pair.symmetric)

    def largest_loss(self) -> arb | None:
        """−log w₀ of N(0, σ²) against the mixture: far on one side nothing but its first centre is left."""
        weights = getattr(self.pair, "weights", ())
        return -exact_ball(weights[0]).log() if weights and self.reversed else None

    def closed_form(self, uses: Uses) -> ClosedForm | None:
        """For one use."""
        if not only_use(uses):
            return None
        return ClosedForm(lambda epsilon: with_replacement_delta(self.pair, epsilon, self.reversed), "one integral", rounds=8)


@registered_law.register(WithReplacementPair)
def _(pair: WithReplacementPair, reversed: bool) -> Law:
    if pair.population == 1:  # every draw hits: N(m, σ²) against N(−m, σ²)
        return GaussianLaw(rational(pair.sigma, "sigma") / (2 * pair.batch))
    return both_sides(Fraction(1, pair.population), pair.sigma) if pair.batch == 1 else DrawsLaw(pair, False)


@registered_law.register(GaussianMixturePair)
def _(pair: GaussianMixturePair, reversed: bool) -> Law:
    return DrawsLaw(pair, reversed)
