"""D_α ≤ καq²/σ² of the Poisson-sampled Gaussian for every order 1 < α ≤ σ²L + c, where L = log(1/(qσ)) ≥ log m and σ ≥ σ₀.

A document bisects the box of s = 1/σ and 1/L until one of two bounds holds on every part. Write v = s², x = (e^{sz−v/2}−1)/s, U = 1+qsx
with z standard normal, and R for the supremum of D_α/(αq²v) over the orders. docs/order-ranges.md proves the bounds.

* "c", direction remove: the excess H(α, q, v) = E[U^α−1]/(α(α−1)q²v) does not decrease in α ≥ 2, q or v, and D_α ≤ καq²v says that
  H ≤ κ(e^t−1)/t with t = κα(α−1)q²v. For orders in [a, b], H at b and at the corner of largest s and least L is compared with the
  right side at a and at the corner of least s and largest L. H is convex in α, so between two orders its chord is an upper bound.
* "i": R ≤ ½E[x²e^E], where E = min(Le^{−L}x, z+z²/4) for x > 0 and 0 elsewhere (remove), or E = β′|x| for x < 0 and 0 elsewhere (add), with
  β′ = (Le^{−L} + max(c+1, 0)s²e^{−L})/(1−q). Each cell of z takes the largest |x| and E in it; both tails are closed forms.
* Orders from 1 to 2, direction remove: R ≤ (e^v−1)/(2v(1−q)) (Lemma 2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from math import ceil, comb, floor
from typing import Any

from dpbounds.covers.intervals import INFINITY, ONE, ZERO, Arithmetic, Interval, Undefined
from dpbounds.recheck.numbers import Refused
from dpbounds.recheck.reading import entry, number, only

Side = tuple[Fraction, Fraction]
Box = tuple[Side, Side]

_MOST_ORDERS = 60
"""The corner is tried up to this order: a bound on the work for one leaf."""
_BISECTIONS = 40
"""How often a range of orders may be bisected."""
_PARTS = 4
"""How often a leaf may be bisected again, where the bounds of the finder were tighter than those here."""
_LEFT, _RIGHT = -8, 24
"""Where the cells of the integral begin and end."""


_MOST_TOKENS = 20_000
"""Of a tree."""


class NotShown(Refused):
    """A leaf where the bound is not shown, or a malformed tree."""


@dataclass(frozen=True)
class BoundOnOrders:
    """The statement: R ≤ `bound` for σ ≥ `least_sigma` and 1/(qσ) ≥ `least_inverse`, orders up to σ²L + `slack`.

    >>> BoundOnOrders(Fraction(1), Fraction(3), Fraction(70), Fraction(1), add=False).leaves("i", Fraction(1, 4))
    1
    """

    bound: Fraction
    least_sigma: Fraction
    least_inverse: Fraction
    slack: Fraction
    add: bool
    bits: int = 60

    @staticmethod
    def shown(evidence: Mapping[str, Any]) -> tuple[BoundOnOrders, int]:
        """What the evidence of a certificate shows, and by how many leaves.

        Raises:
            Refused: it is malformed, or does not show it.
        """
        only(evidence, "range", "tree", "leaves")
        stated, tree = entry(evidence, "range"), entry(evidence, "tree")
        only(stated, "bound", "least_sigma", "least_inverse", "slack", "most_inverse_log", "direction")
        direction = entry(stated, "direction")
        if direction not in ("remove", "add") or not isinstance(tree, str) or len(tree) > _MOST_TOKENS:
            raise NotShown("a range has the direction remove or add, and a tree of tokens, not too long")
        bound, sigma, inverse, slack = (number(stated, name) for name in ("bound", "least_sigma", "least_inverse", "slack"))
        try:
            found = BoundOnOrders(bound, sigma, inverse, slack, add=direction == "add")
            leaves = found.leaves(tree, number(stated, "most_inverse_log"))
        except (Undefined, ArithmeticError) as reason:
            raise NotShown(f"a bound has no value: {reason}") from None
        if leaves != entry(evidence, "leaves"):
            raise NotShown(f"the tree has {leaves} leaves, not {entry(evidence, 'leaves')}")
        return found, leaves

    def __str__(self) -> str:
        """The statement, in the notation of covers but for D."""
        given = f"{self.least_sigma} <= sigma", "0 < q", f"q <= 1 / ({self.least_inverse} * sigma)", "1 < alpha"
        premises = (*given, f"alpha <= sigma**2 * log(1 / (q * sigma)) + {self.slack}")
        name = f"the Renyi divergence D of order alpha of the Poisson-sampled Gaussian, direction {'add' if self.add else 'remove'}"
        return "".join(f"\n  given  {part}" for part in premises) + f"\n  claim  {name}: D <= {self.bound} * alpha * q**2 / sigma**2"

    def __post_init__(self) -> None:
        if self.least_inverse < 3 or self.slack > 2 or self.least_sigma <= 0 or self.bound <= 0:
            raise NotShown("the range is outside of what the bounds allow")

    def leaves(self, tree: str, most_inverse_log: Fraction) -> int:
        """The number of leaves of a tree that shows the statement; 0 and 1 bisect 1/σ and 1/L, i and c are leaves, in preorder.

        Raises:
            NotShown: the tree does not show it.
        """
        if self._number(most_inverse_log)[0] < self.arithmetic.reciprocal(self._floor)[1]:
            raise NotShown(f"the root box does not reach log(1/(q sigma)) = log {self.least_inverse}")
        tokens, leaves = iter(tree), 0
        stack: list[Box] = [((Fraction(0), 1 / self.least_sigma), (Fraction(0), most_inverse_log))]
        while stack:
            box, token = stack.pop(), next(tokens, "")
            if token in ("0", "1"):
                stack += reversed(_halves(box, int(token)))
            elif token and token in "ic":
                leaves += 1
                if not self._holds(token, box, 0):
                    sides = ["[{:.6g}, {:.6g}]".format(*map(float, side)) for side in box]
                    raise NotShown(f"the bound is not shown on 1/sigma in {sides[0]}, 1/L in {sides[1]}")
            else:
                raise NotShown(f"the tree is cut short or holds {token!r}")
        if next(tokens, None) is not None:
            raise NotShown("the tree goes on after its last leaf")
        return leaves

    # --- one leaf ---

    @cached_property
    def arithmetic(self) -> Arithmetic:
        """The intervals of this check."""
        return Arithmetic(self.bits)

    def _number(self, value: Fraction | int) -> Interval:
        return self.arithmetic.number(value)

    @cached_property
    def _floor(self) -> Interval:
        return self.arithmetic.log(self._number(self.least_inverse))

    @cached_property
    def _bound(self) -> Interval:
        return self._number(self.bound)

    def _holds(self, token: str, box: Box, depth: int) -> bool:
        return self._shown(token, box) or (depth < _PARTS and all(self._holds(token, part, depth + 1) for part in _halves(box, depth % 2)))

    def _shown(self, token: str, box: Box) -> bool:
        a = self.arithmetic
        s, inverse = box
        if inverse[1] == 0 or s[1] == 0:
            return False
        low = max(self._floor[0], a.reciprocal(self._number(inverse[1]))[0])
        least = (low, low)
        q = a.multiply(a.exp(a.negative(least)), self._number(s[1]))
        if q[1] >= 1:
            return False
        kept = self._difference((ONE, ONE), q)
        if not self.add and self._bound[0] < a.multiply(self._half(self._growth(self._number(s[1] ** 2))), a.reciprocal(kept))[1]:
            return False
        if token == "i":
            return self.expectation(s, least, q)[1] <= self._bound[0]
        return not self.add and s[0] > 0 and inverse[0] > 0 and self._corner(s, q, 1 / inverse[0])

    def _difference(self, x: Interval, y: Interval) -> Interval:
        return self.arithmetic.add(x, self.arithmetic.negative(y))

    def _half(self, x: Interval) -> Interval:
        """x/2."""
        return self.arithmetic.multiply(x, self._number(Fraction(1, 2)))

    def _growth(self, w: Interval) -> Interval:
        """g(w) = (e^w−1)/w for w ≠ 0; at least 1 for w > 0."""
        a = self.arithmetic
        low, high = a.multiply(self._difference(a.exp(w), (ONE, ONE)), a.reciprocal(w))
        return max(low, ONE) if w[0] > 0 else low, high

    # --- the corner ---

    def _corner(self, s: Side, q: Interval, most: Fraction) -> bool:
        end = most / s[0] ** 2 + self.slack
        if end <= 2:
            return True
        if end > _MOST_ORDERS:
            return False
        a = self.arithmetic
        scale = a.multiply(a.multiply(self._bound, a.exp(self._number(-2 * most))), self._number(s[0] ** 4))

        @cache
        def allowed(order: Fraction) -> Decimal:
            """κ(e^t−1)/t from below."""
            return a.multiply(self._bound, self._growth(a.multiply(scale, self._number(order * (order - 1)))))[0]

        @cache
        def excess(order: Fraction) -> Decimal:
            """H from above: itself at integers and at the last order, its chord elsewhere."""
            if order == end or order.denominator == 1:
                return self.excess(order, s[1], q)
            low, high = Fraction(floor(order)), min(Fraction(ceil(order)), end)
            share = (order - low) / (high - low)
            values = ((ZERO, excess(low)), (ZERO, excess(high)))
            return a.add(a.multiply(self._number(1 - share), values[0]), a.multiply(self._number(share), values[1]))[1]

        return _below(excess, allowed, Fraction(2), end, _BISECTIONS)

    def excess(self, order: Fraction, s: Fraction, q: Interval) -> Decimal:
        """An upper bound of H(α, q, s²), α ≥ 2."""
        return (self._excess_at_integer(order.numerator, s, q) if order.denominator == 1 else self._excess_at_real(order, s, q))[1]

    def _excess_at_integer(self, order: int, s: Fraction, q: Interval) -> Interval:
        """H = ½ Σ C(m,i) qⁱ (1−q)^{m−i} g((i+1)(i+2)v/2) for m = α − 2: the binomial expansion of E[U^α], less its first two terms."""
        a, m = self.arithmetic, order - 2
        kept, total = self._difference((ONE, ONE), q), (ZERO, ZERO)
        for i in range(m + 1):
            term = self._growth(self._number(Fraction((i + 1) * (i + 2), 2) * s * s))
            for factor, times in ((q, i), (kept, m - i)):
                term = a.multiply(term, a.integer_power(factor, times)) if times else term
            total = a.add(total, a.multiply(self._number(comb(m, i)), term))
        return self._half(total)

    def _excess_at_real(self, order: Fraction, s: Fraction, q: Interval) -> Interval:
        """H from J = E[U^α−1−α(U−1)] by the trapezoid rule in z with step h = 1/2.

        The integrand is analytic for |Im z| < π/s. On |Im z| = 2 it is at most A = e²(1 + 8 sin²(s)/s²) times itself on the real line,
        in the integral, so the sum over all nodes is at least J·(1 − 2A/(e^{8π}−1)) (docs/order-ranges.md, Lemma 4).
        """
        a, alpha = self.arithmetic, self._number(order)
        if 2 * s >= 3:
            return ONE, INFINITY
        last = ceil(8 + order * s)
        total: Interval = (ZERO, ZERO)
        for density, rise in self._nodes(s, last):
            u = a.multiply(q, rise)
            power = a.exp(a.multiply(alpha, a.log(a.add((ONE, ONE), u))))
            value = self._difference(self._difference(power, (ONE, ONE)), a.multiply(alpha, u))
            total = a.add(total, a.multiply(density, value))
        total = a.add(self._half(total), self._trapezoid_tails(order, s, q, Fraction(last)))
        scale = a.multiply(self._number(order * (order - 1) * s * s), a.integer_power(q, 2))
        return a.multiply(total, a.reciprocal(a.multiply(scale, self._trapezoid_share)))

    @cached_property
    def _nodes(self) -> Callable[[Fraction, int], list[tuple[Interval, Interval]]]:
        """e^{−z²/2}/√(2π) and e^{sz−s²/2} − 1 for z = −8, −15/2, …, `last`: leaves of one s share them."""

        def density_and_difference(s: Fraction, z: Fraction) -> tuple[Interval, Interval]:
            return self._density(self._number(z)), self._difference(self.arithmetic.exp(self._number(s * z - s * s / 2)), (ONE, ONE))

        return lru_cache(maxsize=1 << 8)(lambda s, last: [density_and_difference(s, Fraction(k, 2)) for k in range(-16, 2 * last + 1)])

    @cached_property
    def _trapezoid_share(self) -> Interval:
        """1 − 2A/(e^{8π}−1) with A ≤ 9e², as |sin s| ≤ s."""
        a = self.arithmetic
        aliases = a.reciprocal(self._difference(a.exp(a.multiply(self._number(8), a.pi)), (ONE, ONE)))
        return self._difference((ONE, ONE), a.multiply(self._number(18), a.multiply(a.exp(self._number(2)), aliases)))

    def _trapezoid_tails(self, order: Fraction, s: Fraction, q: Interval, last: Fraction) -> Interval:
        """What the sums beyond −8 and `last` add at most: 0 ≤ U^α−1−αu ≤ (α(α−1)/2)·u²·max(1, U)^{α−2}, and the majorants fall.

        Left |u| ≤ q, right u ≤ qe^w and U ≤ (1+qe^{w(T)})e^{s(z−T)}, w = sz−s²/2. A sum of a falling function is at most the integral from
        the node before.
        """
        a, w = self.arithmetic, s * last - s * s / 2
        fall = self._number(last - s * order)
        if fall[0] <= 0:
            return ZERO, INFINITY
        top = a.add((ONE, ONE), a.multiply(q, a.exp(self._number(w))))
        grown = a.exp(a.add(self._number(2 * w), a.multiply(self._number(order - 2), a.log(top))))
        left = a.multiply(self._density(self._number(_LEFT)), self._number(Fraction(1, 8)))
        right = a.multiply(a.multiply(self._density(self._number(last)), grown), a.reciprocal(fall))
        scale = a.multiply(self._number(order * (order - 1) / 2), a.integer_power(q, 2))
        return ZERO, a.multiply(scale, a.add(left, right))[1]

    def _density(self, z: Interval) -> Interval:
        """e^{−z²/2}/√(2π)."""
        a = self.arithmetic
        return a.multiply(a.exp(a.negative(self._half(a.multiply(z, z)))), self._front)

    @cached_property
    def _front(self) -> Interval:
        """1/√(2π)."""
        a = self.arithmetic
        return a.reciprocal(a.root(a.add(a.pi, a.pi)))

    # --- the integral ---

    @cached_property
    def _cells(self) -> list[tuple[Fraction, Fraction, Decimal]]:
        """(left, right, P(left < z < right) from above)."""
        edges = [Fraction(k, 16) for k in range(-8 * 16, 8 * 16)]
        edges += [Fraction(k, 8) for k in range(8 * 8, 16 * 8)] + [Fraction(k, 2) for k in range(16 * 2, 24 * 2 + 1)]
        tails = [self._upper_mass(self._number(abs(edge))) for edge in edges]
        pairs = zip(edges, edges[1:], tails, tails[1:], strict=False)
        return [(left, right, self.arithmetic.absolute(self._difference(p, q))[1]) for left, right, p, q in pairs]

    def _upper_mass(self, y: Interval) -> Interval:
        """P(z > y)."""
        return self.arithmetic.normal_cdf(self.arithmetic.negative(y))

    def expectation(self, s: Side, least: Interval, q: Interval) -> Interval:
        """½E[x²e^E] for every s in the side and L ≥ `least`, from above."""
        a = self.arithmetic
        high, beta = self._number(s[1]), self._rate(s[1], least, q)
        total: Interval = (ZERO, ZERO)
        for left, right, x, weight in self._weights(s):
            if (left < s[1] / 2) if self.add else (right > 0):
                exponent = a.multiply(beta, x)
                if not self.add:
                    exponent = a.minimum(exponent, self._number(right + right * right / 4))
                weight = a.multiply(weight, a.exp(exponent))
            total = a.add(total, weight)
        tails = a.add(self._left_tail(high, beta if self.add else (ZERO, ZERO)), self._right_tail(high))
        return self._half(a.add(total, tails))

    def _rate(self, s: Fraction, least: Interval, q: Interval) -> Interval:
        """Le^{−L}, or β′ in direction add, which rises with s."""
        a = self.arithmetic
        small = a.exp(a.negative(least))
        if not self.add:
            return a.multiply(least, small)
        more = a.multiply(self._number(max(self.slack + 1, Fraction(0)) * s**2), small)
        return a.multiply(a.add(a.multiply(least, small), more), a.reciprocal(self._difference((ONE, ONE), q)))

    @lru_cache(maxsize=64)  # noqa: B019  one checker lives as long as one document
    def _weights(self, s: Side) -> list[tuple[Fraction, Fraction, Interval, Interval]]:
        """For each cell its ends, the largest |x| for s in the side, and its mass times x²."""
        a, found = self.arithmetic, []
        for left, right, mass in self._cells:
            # w = sz − s²/2 increases in s up to s = z, and g(w) and z increase w.
            at = min(max(right, s[0]), s[1])
            reach = max(abs(right - s[0] / 2), abs(left - s[1] / 2))
            top = at * right - at * at / 2
            x = a.multiply(self._number(reach), self._growth(self._number(top)) if top else (ONE, ONE))
            found.append((left, right, x, a.multiply((mass, mass), a.multiply(x, x))))
        return found

    def _left_tail(self, high: Interval, beta: Interval) -> Interval:
        """E[(|z|+s/2)² e^{β(|z|+s/2)}; z < −8]: complete the square."""
        a = self.arithmetic
        y, shift = self._difference(self._number(-_LEFT), beta), self._half(high)
        if y[0] <= 0:
            return ZERO, INFINITY
        middle = a.add(beta, shift)
        masses = a.multiply(a.add(a.multiply(middle, middle), (ONE, ONE)), self._upper_mass(y))
        value = a.add(masses, a.multiply(a.add(a.add(middle, middle), y), self._density(y)))
        return a.multiply(a.exp(a.add(a.multiply(beta, shift), self._half(a.multiply(beta, beta)))), value)

    def _right_tail(self, high: Interval) -> Interval:
        """E[z² e^{2sz+z+z²/4}; z > 24]: complete the square, with mean 2 + 4s and variance 2."""
        a, root = self.arithmetic, self.arithmetic.root(self._number(2))
        mean = a.add(self._number(2), a.multiply(self._number(4), high))
        y = a.multiply(self._difference(self._number(_RIGHT), mean), a.reciprocal(root))
        if y[0] <= 0:
            return ZERO, INFINITY
        masses = a.multiply(a.add(a.multiply(mean, mean), self._number(2)), self._upper_mass(y))
        slopes = a.add(a.multiply(a.multiply(self._number(2), root), mean), a.add(y, y))
        value = a.add(masses, a.multiply(slopes, self._density(y)))
        return a.multiply(a.multiply(a.exp(self._half(self._half(a.multiply(mean, mean)))), root), value)


def _below(
    excess: Callable[[Fraction], Decimal], allowed: Callable[[Fraction], Decimal], start: Fraction, stop: Fraction, depth: int
) -> bool:
    """H ≤ κ(e^t−1)/t for the orders in [start, stop], both sides rising; H at the next integer is tried first, as it is a short sum."""
    above = Fraction(ceil(stop))
    enough, needed, at_next = allowed(start), allowed(stop), excess(above)
    if at_next <= enough or excess(stop) <= enough:
        return True
    if depth == 0 or (needed < at_next and needed < excess(stop)):
        return False
    middle = (start + stop) / 2
    if stop - start > 1:
        middle = Fraction(ceil(middle))
    return _below(excess, allowed, middle, stop, depth - 1) and _below(excess, allowed, start, middle, depth - 1)


def _halves(box: Box, axis: int) -> list[Box]:
    low, high = box[axis]
    middle = (low + high) / 2
    parts = ((low, middle), (middle, high))
    return [(part, box[1]) if axis == 0 else (box[0], part) for part in parts]
