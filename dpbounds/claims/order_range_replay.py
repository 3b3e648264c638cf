"""Re-check the certificate of an order range on mpmath intervals: the bounds of `renyi.order_range`, written a second time.

For a box of s = 1/σ and L = log(1/(qσ)) ≥ log m, and R = sup of D_α·σ²/(αq²) over 1 < α ≤ σ²L + c, the checker shows R ≤ κ by

* orders up to 2 (remove): R ≤ (e^{s²}−1)/(2s²(1−q)) at the largest s and q;
* "i": R ≤ ½E[x²e^E], with x = (e^{sz−s²/2}−1)/s and, for remove, E = min(Le^{−L}x, z+z²/4) where x > 0 and 0 elsewhere; for add,
  E = β′|x| where x < 0 and 0 elsewhere. Each cell of z takes the largest |x| and E; both tails are closed forms;
* "c": f(α) = (α−1)D_α is largest at the corner of least σ and L, where e^f is bounded between integers n and n+1 by the moments of
  u = U − 1 (`_moments_hold`), or f by its chords, as it is convex; where both are too coarse, f at an order in between is bounded by the
  trapezoid rule with its aliasing error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, comb
from typing import Any

import sympy
from mpmath.ctx_iv import MPIntervalContext
from mpmath.libmp import (
    fone,
    fzero,
    mpf_abs,
    mpf_add,
    mpf_div,
    mpf_exp,
    mpf_ge,
    mpf_gt,
    mpf_le,
    mpf_lt,
    mpf_mul,
    mpf_neg,
    mpf_shift,
    mpf_sub,
)

from dpbounds.claims.checked import Checked
from dpbounds.errors import CertificateError
from dpbounds.language.functions import SampledGaussianRenyi

Side = tuple[Fraction, Fraction]
_BITS = 80
_MOST_ORDERS = 100
_MOST_MOMENTS = 12
_DEPTH = 4
_EXTRA_DEPTH = 4


def check_range(claim: str, then: Any, constraints: Sequence[Any], evidence: Mapping[str, Any]) -> Checked:
    """Check the evidence against a statement; by what it was checked.

    Raises:
        CertificateError: the numbers are not those of the statement, the tree is malformed, or a leaf is not shown.
    """
    if set(evidence) != {"range", "tree", "leaves", "bits"} or not isinstance(evidence["tree"], str):
        raise CertificateError(f"{claim}: an order range needs range, tree, leaves and bits")
    numbers = {name: Fraction(text) for name, text in evidence["range"].items()}
    if set(numbers) != {"bound", "least_sigma", "least_inverse", "slack", "most_inverse_log"}:
        raise CertificateError(f"{claim}: the range needs bound, least_sigma, least_inverse, slack and most_inverse_log")
    add = _check_statement(claim, then, constraints, numbers)
    checker = _Checker(numbers["bound"], numbers["least_inverse"], numbers["slack"], add)
    if not (1 / checker.floor).b <= checker.number(numbers["most_inverse_log"]).a:
        raise CertificateError(f"{claim}: the root box does not reach log(1/(q sigma)) = log {numbers['least_inverse']}")
    root: tuple[Side, Side] = ((Fraction(0), 1 / numbers["least_sigma"]), (Fraction(0), numbers["most_inverse_log"]))
    tree, leaves, stack = iter(evidence["tree"]), 0, [root]
    while stack:
        box, token = stack.pop(), next(tree, "")
        if token in ("0", "1"):
            axis = int(token)
            low, high = box[axis]
            middle = (low + high) / 2
            parts = [(low, middle), (middle, high)]
            stack += [(part, box[1]) if axis == 0 else (box[0], part) for part in reversed(parts)]
        elif token and token in "ic":
            leaves += 1
            if not checker.holds(token, box):
                raise CertificateError(f"{claim}: the bound is not shown on 1/sigma in {_text(box[0])}, 1/L in {_text(box[1])}")
        else:
            raise CertificateError(f"{claim}: the tree is cut short or holds {token!r}")
    if next(tree, None) is not None or leaves != evidence["leaves"]:
        raise CertificateError(f"{claim}: the tree does not have the stated leaves")
    return Checked(leaves)


def _text(side: Side) -> str:
    return f"[{float(side[0]):.6g}, {float(side[1]):.6g}]"


def _check_statement(claim: str, then: Any, constraints: Sequence[Any], numbers: Mapping[str, Fraction]) -> bool:
    """The statement is the bound with these numbers; True for direction add."""
    bound, floor, inverse, slack = (
        sympy.Rational(numbers[n].numerator, numbers[n].denominator) for n in ("bound", "least_sigma", "least_inverse", "slack")
    )
    if not isinstance(then, (sympy.Le, sympy.Ge)):
        raise CertificateError(f"{claim}: an order range shows a bound with <=")
    small, large = (then.lhs, then.rhs) if isinstance(then, sympy.Le) else (then.rhs, then.lhs)
    if not isinstance(small, SampledGaussianRenyi) or not all(isinstance(a, sympy.Symbol) and a.is_positive for a in small.args[:3]):
        raise CertificateError(f"{claim}: the small side is not a divergence of three positive symbols")
    alpha, sigma, q = small.args[:3]
    logs = sigma**2 * sympy.log(1 / (q * sigma))
    wanted = [(floor, sigma), (q, 1 / (inverse * sigma)), (1, alpha), (alpha, logs + slack)]
    found = [
        (c.lhs, c.rhs) if isinstance(c, (sympy.Le, sympy.Lt)) else (c.rhs, c.lhs)
        for c in constraints
        if isinstance(c, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt))
    ]
    for low, high in wanted:
        if not any(a == low and _same(b, high) for a, b in found):
            raise CertificateError(f"{claim}: the premise {low} <= {high} is missing")
    if sympy.Gt(alpha, 1) not in constraints and sympy.Lt(1, alpha) not in constraints:
        raise CertificateError(f"{claim}: the premise {alpha} > 1 is missing")
    if not _same(large, bound * alpha * q**2 / sigma**2):
        raise CertificateError(f"{claim}: the bound is not {bound} alpha q^2/sigma^2")
    if inverse < 3 or slack > 2 or floor <= 0 or bound <= 0:
        raise CertificateError(f"{claim}: the range is outside of what the bounds allow")
    return str(small.direction) == "add"


def _same(left: Any, right: Any) -> bool:
    return bool(sympy.expand(sympy.expand_log(left - right)) == 0)


class _Checker:
    def __init__(self, bound: Fraction, least_inverse: Fraction, slack: Fraction, add: bool) -> None:
        self.iv = MPIntervalContext()
        self.iv.prec = _BITS
        self.bound, self.slack, self.add = bound, slack, add
        self.kappa = self.number(bound)
        self.floor = self.iv.log(self.number(least_inverse))

    def number(self, value: Fraction) -> Any:
        return self.iv.mpf(value.numerator) / value.denominator

    def holds(self, token: str, box: tuple[Side, Side], depth: int = 0) -> bool:
        """True when R ≤ κ is shown on the box, or on the parts of it; the cells here are a little coarser than the finder's."""
        if self._shown(token, box):
            return True
        if depth == _EXTRA_DEPTH:
            return False
        axis = depth % 2
        low, high = box[axis]
        middle = (low + high) / 2
        sides = ((low, middle), (middle, high))
        return all(self.holds(token, (side, box[1]) if axis == 0 else (box[0], side), depth + 1) for side in sides)

    def _shown(self, token: str, box: tuple[Side, Side]) -> bool:
        s, inverse = box
        least = self.iv.mpf(max(self.floor.a, (1 / self.number(inverse[1])).a))
        q = self.iv.exp(-least) * self.number(s[1])
        if not q.b < 1:
            return False
        if not self.add:
            v = self.number(s[1]) ** 2
            if not (((self.iv.exp(v) - 1) / (2 * v * (1 - q))).b <= self.kappa.a):
                return False
        if token == "i":
            return bool(self.expectation(s, least, q).b <= self.kappa.a)
        return not self.add and s[0] > 0 and inverse[0] > 0 and self.chords(s, least, 1 / inverse[0])

    # the integral

    @cached_property
    def _cells(self) -> list[tuple[Any, Any, Any]]:
        fine, coarse = Fraction(1, 16), Fraction(1, 4)
        places = [fine * k for k in range(-8 * 16, 16 * 16)] + [coarse * k for k in range(16 * 4, 24 * 4 + 1)]
        edges = [self.number(place) for place in places]
        return [(a, b, self._mass(a, b)) for a, b in zip(edges, edges[1:], strict=False)]

    def _density(self, z: Any) -> Any:
        return self.iv.exp(-z * z / 2) / self.iv.sqrt(2 * self.iv.pi)

    def _mass(self, a: Any, b: Any) -> Any:
        """P(a < z < b): the density lies below its chord where it is convex, |z| ≥ 1, and below its tangent at the middle elsewhere."""
        if b.b <= -1 or a.a >= 1:
            return (b - a) * (self._density(a) + self._density(b)) / 2
        if a.a >= -1 and b.b <= 1:
            return (b - a) * self._density((a + b) / 2)
        raise ValueError("a cell crosses |z| = 1")

    def expectation(self, s: Side, least: Any, q: Any) -> Any:
        """½E[x²e^E] for s in the side and L ≥ least."""
        iv = self.iv
        low, high = self.number(s[0]), self.number(s[1])
        beta = least * iv.exp(-least)
        if self.add:
            beta = (beta + (self.number(self.slack) + 1) * high**2 * iv.exp(-least)) / (1 - q)
        total = iv.make_mpf((fzero, self._cell_sum(low, high, beta)))
        return (total + self._left(high, beta if self.add else iv.mpf(0)) + self._right(high)) / 2

    def _cell_sum(self, low: Any, high: Any, beta: Any) -> Any:
        """An upper bound of Σ mass·x²·e^E over the cells, for s between two intervals: numbers of mpmath, every step rounded up."""
        (low_down, low_up), (high_down, high_up), (_, rate) = low._mpi_, high._mpi_, beta._mpi_
        half_low, half_high = (mpf_shift(mpf_mul(end, end, _BITS, "f"), -1) for end in (low_down, high_down))  # s²/2 from below
        middles = [(mpf_shift(low_down, -1), mpf_shift(low_up, -1)), (mpf_shift(high_down, -1), mpf_shift(high_up, -1))]
        total = fzero
        for left, right, mass, most in self._raw_cells:
            # w = sz − s²/2 is at most z²/2, and increases in s up to s = z.
            if mpf_le(right, low_down):
                end = low_up if mpf_gt(right, fzero) else low_down
                top = mpf_sub(mpf_mul(end, right, _BITS, "c"), half_low, _BITS, "c")
            elif mpf_ge(right, high_up):
                top = mpf_sub(mpf_mul(high_up, right, _BITS, "c"), half_high, _BITS, "c")
            else:
                top = mpf_shift(mpf_mul(right, right, _BITS, "c"), -1)
            x = mpf_mul(_largest_distance(right, middles[0], left, middles[1]), _growth(top), _BITS, "c")
            value = mpf_mul(mass, mpf_mul(x, x, _BITS, "c"), _BITS, "c")
            exponent = fzero
            if self.add and not mpf_ge(left, middles[1][1]):
                exponent = mpf_mul(rate, x, _BITS, "c")
            elif not self.add and mpf_gt(right, fzero):
                exponent = mpf_mul(rate, x, _BITS, "c")
                exponent = most if mpf_lt(most, exponent) else exponent
            if exponent is not fzero:
                value = mpf_mul(value, mpf_exp(exponent, _BITS, "c"), _BITS, "c")
            total = mpf_add(total, value, _BITS, "c")
        return total

    @cached_property
    def _raw_cells(self) -> list[tuple[Any, Any, Any, Any]]:
        """(left, right, mass rounded up, z + z²/4 at the right rounded up) of the cells; the edges are exact."""
        found = []
        for left, right, mass in self._cells:
            (left_end, right_end), most = (left._mpi_[0], right._mpi_[0]), right + right**2 / 4
            assert left._mpi_ == (left_end, left_end) and right._mpi_ == (right_end, right_end)
            found.append((left_end, right_end, mass._mpi_[1], most._mpi_[1]))
        return found

    def _upper_mass(self, y: Any) -> Any:
        """P(z > y) ≤ φ(y)/y for y > 0."""
        return self._density(y) / y

    def _left(self, high: Any, beta: Any) -> Any:
        """E[(|z|+s/2)² e^{β(|z|+s/2)}; z < −8]: complete the square."""
        y, shift = 8 - beta, high / 2
        if not y.a > 0:
            return self.iv.mpf("inf")
        middle = beta + shift
        value = (middle**2 + 1) * self._upper_mass(y) + (2 * middle + y) * self._density(y)
        return self.iv.exp(beta * shift + beta**2 / 2) * value

    def _right(self, high: Any) -> Any:
        """E[z² e^{2sz+z+z²/4}; z > 24]: complete the square."""
        iv = self.iv
        root, mean = iv.sqrt(iv.mpf(2)), 2 + 4 * high
        y = (24 - mean) / root
        if not y.a > 0:
            return iv.mpf("inf")
        value = (mean**2 + 2) * self._upper_mass(y) + (2 * root * mean + 2 * y) * self._density(y)
        return iv.exp(mean**2 / 4) * root * value

    # chords

    def chords(self, s: Side, least: Any, most: Fraction) -> bool:
        """The chords of f at the corner (least σ, least L) lie below κα(α−1)e^{−2L}/σ⁴ at the other corner."""
        iv = self.iv
        end = most / s[0] ** 2 + self.slack
        if end <= 2:
            return True
        if end > _MOST_ORDERS:
            return False
        scale = self.kappa * iv.exp(-2 * self.number(most)) * self.number(s[0]) ** 4
        rate, noise = iv.mpf((iv.exp(-least) * self.number(s[1])).b), self.number(s[1])
        last = ceil(end)
        moments = self._moments(min(last, _MOST_MOMENTS), noise, rate)
        values: list[Any] = []  # at integers: only where the moments are not enough
        for n in range(2, last):
            start, stop = Fraction(n), Fraction(n + 1)
            if self._moments_hold(start, min(stop, end), scale, moments, rate):
                continue
            values = values or self._at_integers(last, noise, rate)
            if not self._between(start, values[n - 2], stop, values[n - 1], end, scale, noise, rate, _DEPTH):
                return False
        return True

    @cached_property
    def _whole(self) -> list[Any]:
        """0, 1, 2, … as intervals: made once, as that takes longer than a product."""
        return [self.iv.mpf(n) for n in range(_MOST_MOMENTS + 3)]

    @cached_property
    def _signed_binomials(self) -> list[list[Any]]:
        """C(j,i)(−1)^{j−i} for i = 0, …, j."""
        return [[self.iv.mpf((-1) ** (j - i) * comb(j, i)) for i in range(j + 1)] for j in range(_MOST_MOMENTS + 1)]

    def _moments(self, last: int, noise: Any, rate: Any) -> list[Any]:
        """E[u^j] = q^j Σ_i C(j,i)(−1)^{j−i} e^{i(i−1)s²/2} for j = 0, …, last."""
        # g = e^{s²}; e^{i(i−1)s²/2} is the product of g⁰, g¹, …, g^{i−1}.
        growth = self.iv.exp(noise**2)
        step, powers, rates = self._whole[1], [self._whole[1]], [self._whole[1]]
        for _ in range(last):
            powers.append(powers[-1] * step)
            step = step * growth
            rates.append(rates[-1] * rate)
        return [
            rates[j] * sum((c * power for c, power in zip(self._signed_binomials[j], powers, strict=False)), self._whole[0])
            for j in range(last + 1)
        ]

    def _moments_hold(self, start: Fraction, stop: Fraction, scale: Any, moments: list[Any], rate: Any, depth: int = 0) -> bool:
        """f(α) ≤ scale·α(α−1) =: g for n ≤ start ≤ α ≤ stop ≤ n+1.

        Taylor's formula in u > −q with the remainder C(α,n+1)(1+ξ)^{α−n−1}u^{n+1} gives E[U^α] − 1 ≤ Σ_{j=2}^{n+1} C(α,j)E[u^j], the last
        term times 1/(1−q) where n+1 is even: for u ≥ 0 the power of 1+ξ is at most 1; for u < 0 it is at least 1, which helps odd powers of
        u, and at most 1/(1−q). Divided by α(α−1), each term with a moment ≥ 0 grows with α, and so does (e^g−1)/(α(α−1)): the largest value
        of the one, at the stop, is compared with the least of the other, at the start.
        """
        order = int(start) + 1
        if order >= len(moments):
            return False
        whole, point, first = self._whole, self.number(stop), self.number(start)
        factor, total = whole[1] / whole[2], whole[0]
        for j in range(2, order + 1):
            largest = self.iv.mpf(max(moments[j].b, 0))
            total = total + factor * (largest / (whole[1] - rate) if j == order and order % 2 == 0 else largest)
            factor = factor * (point - whole[j]) / whole[j + 1]
        square = first * (first - whole[1])
        if (total * square).b <= (self.iv.exp(scale * square) - whole[1]).a:
            return True
        if depth == _DEPTH:
            return False
        middle = (start + stop) / 2
        parts = ((middle, stop), (start, middle))
        return all(self._moments_hold(low, high, scale, moments, rate, depth + 1) for low, high in parts)

    def _at_integers(self, last: int, noise: Any, rate: Any) -> list[Any]:
        """f(n) = log(1 + Σ_j C(n,j)q^j(1−q)^{n−j}(e^{j(j−1)s²/2}−1)) for n = 2, …, last, with noise = s."""
        iv = self.iv
        half = noise**2 / 2
        kept, taken, growth = [iv.mpf(1)], [iv.mpf(1)], [iv.mpf(0)] * 2
        for j in range(1, last + 1):
            kept.append(kept[-1] * (1 - rate))
            taken.append(taken[-1] * rate)
            if j >= 2:
                growth.append(taken[j] * (iv.exp(j * (j - 1) * half) - 1))
        return [iv.log(1 + sum((comb(n, j) * kept[n - j] * growth[j] for j in range(2, n + 1)), iv.mpf(0))) for n in range(2, last + 1)]

    def _between(
        self, start: Fraction, left: Any, stop: Fraction, right: Any, end: Fraction, scale: Any, noise: Any, rate: Any, depth: int
    ) -> bool:
        if self._below(start, left, stop, right, min(stop, end), scale):
            return True
        if depth == 0:
            return False
        middle = end if start < end < stop else (start + stop) / 2
        value = self._at_real(middle, noise, rate)
        if not self._between(start, left, middle, value, end, scale, noise, rate, depth - 1):
            return False
        return middle >= end or self._between(middle, value, stop, right, end, scale, noise, rate, depth - 1)

    def _below(self, start: Fraction, left: Any, stop: Fraction, right: Any, until: Fraction, scale: Any) -> bool:
        """scale·α(α−1) − chord is convex: its tangent at one order is nonnegative at both ends of [start, until]."""
        slope = (right - left) / self.number(stop - start)
        guess = Fraction(float(((1 + slope / scale) / 2).a))
        at = min(max(guess, start), until)
        order = self.number(at)
        value = scale * order * (order - 1) - left - slope * self.number(at - start)
        rise = scale * (2 * order - 1) - slope
        return all((value + rise * self.number(point - at)).a >= 0 for point in (start, until))

    def _at_real(self, order: Fraction, s: Any, rate: Any) -> Any:
        """An upper bound of f(α) for real α ≥ 2, by the trapezoid rule for J = E[U^α − 1 − αu] in z.

        The integrand is analytic in z for |Im z| < π/s; on |Im z| = a it is at most e^{a²/2}(1 + 8 sin²(sa/2)/s²) times itself on the real
        line in the integral (`renyi.poisson_gaussian_terms`, narrow edges), so Σ ≥ J·(1 − 2A/(e^{2πa/h}−1)).
        """
        iv, alpha = self.iv, self.number(order)
        step, a = iv.mpf(1) / 4, iv.mpf(2)
        if not (a * s).b < 3:
            return iv.mpf("inf")
        first, last = -40, 4 * ceil(14 + 1.5 * float(order))
        total = iv.mpf(0)
        for k in range(first, last + 1):
            z = step * k
            u = rate * (iv.exp(s * z - s**2 / 2) - 1)
            total += self._density(z) * (iv.exp(alpha * iv.log(1 + u)) - 1 - alpha * u)
        total *= step
        total += self._trapezoid_tails(alpha, s, rate, step * first, step * last)
        edge = iv.exp(a**2 / 2) * (1 + 8 * iv.sin(s * a / 2) ** 2 / s**2)
        share = 1 - 2 * edge / (iv.exp(2 * iv.pi * a / step) - 1)
        return iv.log(1 + total / share)

    def _trapezoid_tails(self, alpha: Any, s: Any, rate: Any, first: Any, last: Any) -> Any:
        """Bounds of the sums beyond the nodes: 0 ≤ G ≤ (α(α−1)/2)·u²·max(1, U)^{α−2}, both majorants log-concave and falling."""
        iv = self.iv
        scale = alpha * (alpha - 1) / 2 * rate**2
        # Left: |u| ≤ q, the density falls by e^{zh} from node to node.
        left = scale * self._density(first) / -first
        # Right: u ≤ q e^{sz}, U ≤ U(T)·e^{s(z−T)}.
        log_top = iv.log(1 + rate * iv.exp(s * last))
        fall = last - s * alpha
        if not fall.a > 0:
            return iv.mpf("inf")
        right = scale * self._density(last) * iv.exp(2 * s * last + (alpha - 2) * log_top) / fall
        return left + right


def _growth(top: Any) -> Any:
    """An upper bound of (e^w − 1)/w, which increases, at a number of mpmath."""
    if top == fzero:
        return fone
    if mpf_gt(top, fzero):
        return mpf_div(mpf_sub(mpf_exp(top, _BITS, "c"), fone, _BITS, "c"), top, _BITS, "c")
    return mpf_div(mpf_sub(fone, mpf_exp(top, _BITS, "f"), _BITS, "c"), mpf_neg(top), _BITS, "c")


def _largest_distance(first: Any, one: tuple[Any, Any], second: Any, other: tuple[Any, Any]) -> Any:
    """An upper bound of |first − a| and |second − b| for a in one interval and b in the other."""
    distances = [mpf_abs(mpf_sub(number, end, _BITS, "u"), _BITS, "u") for number, ends in ((first, one), (second, other)) for end in ends]
    largest = distances[0]
    for distance in distances[1:]:
        largest = distance if mpf_gt(distance, largest) else largest
    return largest
