"""The summand of the privacy blanket for Laplace noise of scale 1/ε₀, and its moment function in closed form.

Here 0 ≤ t < ε₀ has the density ρ(t) = γe^{−t/2}/4 on both sides, and t = ε₀ the mass a = e^{−ε₀}/2;  γ = e^{−ε₀/2}. With u = e^t,

    M(z) = 1 − γ + (γ/4)·(e^{−zl}·I(−z) + e^z·I(zl)) + a·(e^{z(g − l)} + e^{z(1 − lg)}),    g = e^{ε₀},

where I(w) = ∫_1^g u^{−3/2}e^{−wu} du. M is entire, and |M(z) − (1 − γ)| ≤ M(Re z) − (1 − γ), which is convex in Re z.

**Ends.** With J(w) = ∫_0^∞ (1 + v)^{−3/2}e^{−wv}dv = 2 − 2√π·√w·e^w·erfc √w, by parts, we have I(w) = e^{−w}J(w) −
e^{−wg}J(wg)/√g. So, as γ/√g = 2a, M = 1 − γ + P + Q + R with

    P = a·e^{z(g − l)}·(1 − J(−zg)/2),    Q = a·e^{z(1 − lg)}·(1 − J(zlg)/2),    R = (γ/4)·e^{z(1 − l)}·(J(−z) + J(zl)),

each analytic for Im z > 0. There |J(w)| ≤ 1.83/|w|. For wJ(w) is analytic off w ≤ 0, tends to 0 at 0 and is bounded: by 2 for |arg w| ≤
π/2, by parts, else by 2^{3/4}·√2, as v = se^{∓3πi/4} makes |arg wv| ≤ π/4 and keeps |1 + v| ≥ 1/√2. So it is largest at w = −x ± 0i, by
Phragmén and Lindelöf. There J is 2 − 2√(πx)·e^{−x}(erfi √x ± i): x|J| is 1.8227 at x = 2.72, and less elsewhere.

So is |zJ(−z) + zJ(zl)|, l ≥ 1, largest on the real line. With e the value of wJ(w) at w = −x ± 0i and p = xJ(x), which rises from 0 to 1,
zJ(−z) is −e and zJ(zl) in [0, p] at z = x, as J falls; at z = −x/l they are −p(x/l), in [−p, 0], and e/l. Moduli of sums are convex: at
most the largest of |e|, p and |e − p|, which are below 1.83 too.

By parts, with g(t) = ρ(t)e^{cX}: |∫ g(t)e^{±iyℓe^t}dt| is at most the values of |g e^{−t}| at both ends and its variation, over ℓy. On the
side of 0 log(g e^{−t}) = const − 3t/2 + ce^t is convex, so that the variation is at most the values at the ends; on the other it falls.

**Few users**: the path is split at its upper end. Upwards |M| does not fall below what the atoms of X leave, so that M(z)ⁿ/z² of few users
falls as 1/z² alone. But above Y the terms of

    M(z)ⁿ = Σ n!/(i!j!k!h!)·(1 − γ)^h·P^i·Q^j·R^k,    i + j + k + h = n,

with P, Q, R of `LaplaceSummand.ends` are analytic apart, and |PⁱQʲRᵏ| is about e^{x·Re z} with x = i(g − l) + j(1 − lg) + k(1 − l). So the
path of the terms with x > 0 turns left at c + iY, and that of the others right: both fall. Where a path ends, at Z, it goes straight up:
|z| grows and Re z stays, so that every term is at most its bound at Z, and ∫dy/|z|² ≤ 1/Im Z times their sum is left, whatever the signs of
x. (Lines up from c + iY and from Z have the same integral: at height H what lies between them is of the order of 1/H².) A term is thus good
on either path, and a sign that rounding takes wrong costs digits only. On a region the sum of the bounds is convex in Re z. What windows
for i + j, k and i leave out is taken up the old path: at most the n-th power of the bound of M at c + iY, times a probability, over Y.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

from flint import acb, arb, arb_poly, fmpz_poly

from dpbounds.errors import PrecisionError
from dpbounds.numbers.binomial import bernstein, window
from dpbounds.shuffle.blanket import TOO_LONG, BlanketIntegral, BlanketLaw, ManyMessages, Plan, Region, Upwards, largest_of
from dpbounds.shuffle.positive_part import Values

Ends = tuple[Any, Any, Any]
"""Of balls, real or complex."""
_BOUND = arb("1.83")
"""Of |wJ(w)| and |zJ(−z) + zJ(zl)|."""
_CELLS = 320
"""Of the law in floats, by midpoints."""
_LONGEST = 12_000.0
"""Of a vertical ray, in widths of the integrand at c: some seconds."""
_LEAST, _SHARE, _WIDTHS = 8.0, 6, 60
"""Y over γ is at least the first and n over the second, and Y so many widths."""
_MOST_TERMS = 5_000_000
Step = tuple[int, int, arb_poly, arb_poly]


class LaplaceSummand(BlanketLaw):
    """The law of X for ε₀ and l = e^ε, at the current precision.

    `share` is γ; `atoms` are X at t = ε₀ and a; `turns`: where the continuous part of X ends on either side, and where it begins on both.
    """

    most_panels = 1500

    def __init__(self, local: arb, level: arb) -> None:
        self.local, self.level, self.growth, self.root_of_pi = local, level, local.exp(), arb.pi().sqrt()
        self.share, self.none, self.mass = (-local / 2).exp(), -(-local / 2).expm1(), (-local).exp() / 2
        self.turns = self.growth - level, 1 - level * self.growth, 1 - level
        self.atoms = [(value, self.mass) for value in self.turns[:2]]

    def side(self, z: acb) -> acb:
        """M(z) − (1 − γ)."""
        return sum(self.ends(z), acb(0))

    def ends(self, z: acb) -> Ends:
        """P, Q, R."""
        p, q, ahead, behind = map(self.remainder, (-z * self.growth, z * self.level * self.growth, -z, z * self.level))
        first, second, start = ((z * turn).exp() for turn in self.turns)
        return first * self.mass * (1 - p / 2), second * self.mass * (1 - q / 2), start * self.share / 4 * (ahead + behind)

    def remainder(self, w: acb) -> acb:
        """J(w)."""
        root = w.sqrt()
        return 2 - 2 * self.root_of_pi * root * w.exp() * root.erfc()

    def largest_ends(self, x: arb, size: arb) -> Ends:
        """Bounds on them for Re z = x and |z| ≥ `size`."""
        first, second, start = ((x * turn).exp() for turn in self.turns)
        p, q, r = (_BOUND / (size * factor) for factor in (self.growth, self.level * self.growth, 1))
        return first * self.mass * (1 + p / 2), second * self.mass * (1 + q / 2), start * self.share / 4 * r

    def around(self, region: Region, fine: arb) -> tuple[arb, Callable[[acb], acb]]:
        """By both ends of Re z."""
        return largest_of([self.side(acb(x)).real for x in region.real]), self.side

    def masses(self, low: arb, high: arb) -> list[arb]:
        """∫ e^{kt}ρ(t) dt for k = 0, 1, 2."""
        return [self.share / 4 * ((rate * high).exp() - (rate * low).exp()) / rate for rate in (arb(k) - arb("0.5") for k in range(3))]

    def upwards(self, c: arb, fine: arb) -> Upwards:
        """Nothing is turned."""
        share, (ahead, behind) = self.share / 4, [mass * (c * value).exp() for value, mass in self.atoms]
        start, end = share * (c * (1 - self.level)).exp(), share * (c * self.atoms[0][0] - 3 * self.local / 2).exp()
        variance = partial(self.variance, stops=(self.local, self.local), atoms=self.atoms)
        by_parts = 2 * (start + end) + 2 * start / self.level
        return self.none + self.side(acb(c)).real, ahead + behind, by_parts, (arb(0), arb(0)), variance

    def approx_values(self) -> Values:
        """Midpoints, to a few digits."""
        width = self.local / _CELLS
        rows = [(arb((width * (k + 0.5)).exp().mid()), self.masses(width * k, width * (k + 1))[0]) for k in range(_CELLS)]
        rows.append((self.growth, self.mass))
        values = [(u - self.level, mass) for u, mass in rows] + [(arb(0), self.none)] + [(1 - self.level * u, mass) for u, mass in rows]
        return Values(*zip(*values, strict=True))


class SplitMessages(BlanketIntegral):
    """Im ∫ from c + iY of the terms with x > 0, to the left, or of the others, to the right: aslant, so that ellipses stay in the upper
    half-plane."""

    law: LaplaceSummand

    def __init__(self, law: LaplaceSummand, users: int, plan: Plan, reach: float, top: float, positive: bool) -> None:
        super().__init__(law, users, plan, reach)
        self.top, self.positive, self.corner = top, positive, acb(self.c, top)
        self.direction = acb(-1 if positive else 1, 1) / arb(2).sqrt()

    @cached_property
    def windows(self) -> tuple[tuple[int, int], int, int, arb]:
        """Ends for i + j, the largest k and the largest i (j, to the right), and a bound on what they leave out."""
        p, q, r = self.law.largest_ends(self.c, arb(self.top))
        whole, n = self.law.none + p + q + r, self.users
        reach = max(1.0, self.reach + float((n * whole.log()).mid()) - self.plan.log_size - math.log(self.top))
        found, missed = list[tuple[int, int]](), arb(0)
        for share in ((p + q) / whole, r / whole, (p if self.positive else q) / whole):
            distance, outside = bernstein(n, share, reach)
            found.append(window(n, share, distance))
            missed += whole**n * outside / self.top
        return found[0], found[1][1], found[2][1], missed

    @cached_property
    def terms(self) -> list[tuple[int, int, list[Step]]]:
        """T = i + j, the choices of T from n, and from the top down: the least i (j, to the right) of some k, and the least k; the weights
        of these k as a polynomial, and the numbers of ways from this i up to the one before."""
        (low, high), most, farthest, _ = self.windows
        n, found, ones = self.users, list[tuple[int, int, list[Step]]](), fmpz_poly([1, 1])
        if (high - low) * min(high, farthest) > _MOST_TERMS:
            raise PrecisionError(TOO_LONG)
        first, second, start = (float(x.mid()) for x in self.law.turns)
        for count in range(low, high + 1):
            chosen, ways = (ones ** (n - count)).coeffs(), (ones**count).coeffs()
            starts: dict[int, list[int]] = {}
            for k in range(min(most, n - count) + 1):
                above = math.floor((-second * count - start * k) / (first - second)) + 1  # x > 0 from this i on
                starts.setdefault(max(0, above if self.positive else count + 1 - above), []).append(k)
            end, steps = min(count, farthest) + 1, list[Step]()
            for least in sorted((least for least in starts if least < end), reverse=True):
                weights = [chosen[k] * self.law.none ** (n - count - k) if count or k else arb(0) for k in starts[least]]
                steps.append((least, starts[least][0], arb_poly(weights), arb_poly(ways[least:end])))
                end = least
            found.append((count, math.comb(n, count), steps))
        return found

    def added(self, ends: Ends) -> Any:
        """The sum of the terms."""
        (p, q), r = (ends[:2] if self.positive else ends[1::-1]), ends[2]
        ratio, total = p / q, arb(0)
        for count, chosen, steps in self.terms:
            tail, here = arb(0), arb(0)
            for least, k, weights, ways in steps:
                tail += ratio**least * ways(ratio)
                here += tail * weights(r) * r**k
            total += chosen * q**count * here
        return total

    def around(self, low: float, high: float) -> tuple[arb, Callable[[arb], arb]]:
        """Of the terms times dz/z²."""
        middle, half = self.corner + self.direction * (arb(high) + arb(low)) / 2, (arb(high) - arb(low)) / 2
        region = Region.box(middle, self.direction, half)
        if not region.imaginary[0] > 0:
            raise PrecisionError(TOO_LONG)
        bound = largest_of([self.added(self.law.largest_ends(x, region.size[0])) for x in region.real])
        return bound / region.size[0] ** 2, self.value

    def value(self, node: arb) -> arb:
        """The integrand."""
        z = self.corner + self.direction * node
        return (self.added(self.law.ends(z)) / (z * z) * self.direction).imag

    def left(self, start: float) -> arb:
        """What is left from there upwards."""
        z = self.corner + self.direction * start
        return self.added(self.law.largest_ends(z.real, abs(z))) / z.imag

    def total(self) -> arb:
        """Until little is left, and what the windows leave out."""
        return self.integral(0.0, 2 * self.top / 3, None, self.left) + arb(0, self.windows[3].upper())


def laplace_sum(law: LaplaceSummand, users: int, plan: Plan, reach: float) -> arb:
    """Up to where little is left, or to Y and on both paths; M is real on the real line: no message counts alone."""
    many = ManyMessages(law, users, plan, reach)
    if many.beyond()(_LONGEST * plan.width) < many.goal / 4:
        return many.total()
    top = max(float(law.share.mid()) * (_LEAST + users / _SHARE), _WIDTHS * plan.width)
    if top > _LONGEST * plan.width:
        raise PrecisionError(TOO_LONG)
    return sum((SplitMessages(law, users, plan, reach, top, positive).total() for positive in (True, False)), many.total(top))
