"""Rényi divergence of the Poisson-sampled Gaussian against αq²/σ², for a whole range of orders at once, σ and 1/q unbounded.

With s = 1/σ, L = log(1/(qσ)), so q = s·e^{−L}, and a number c ≤ 2, the ratio is

    R(σ, L) = sup of D_α·σ²/(αq²) over 1 < α ≤ σ²L + c.

`method_for` shows R ≤ κ on a box of (s, 1/L), which may reach 0 in both. Notation: v = s², w = sz − s²/2 with z standard normal under Q,
u = q(e^w−1) ≥ −q, x = (e^w−1)/s, g(w) = (e^w−1)/w (increasing), so x = (z−s/2)·g(w) and u = e^{−L}s²x. E[u] = 0, hence in either
direction D ≤ E[G]/(α−1), and Taylor's formula with p = α (remove) or p = 1−α (add) gives

    G = U^p − 1 − pu = α(α−1)u²·∫₀¹ (1−τ)(1+τu)^{p−2} dτ,        U = 1+u.

**Low orders**, remove, 1 < α ≤ 2: (1+τu)^{α−2} ≤ 1/(1−q), so R ≤ (e^v−1)/(2v(1−q)), which increases in v and q.

**Integral**, remove, α ≥ 2: (1+τu)^{α−2} ≤ (1+u₊)^{L/s²}, so R ≤ ½E[x²e^E], E = (L/s²)·log(1+e^{−L}s²x₊), and E = 0 for z ≤ 0. For z > 0

* E ≤ βx₊ with β = Le^{−L}, which decreases for L ≥ 1;
* E ≤ z + z²/4. Put y = sz ≥ w. If y ≤ L, E ≤ (L/s)e^{−L}(e^y−1) = z·Le^{−L}·(e^y−1)/y ≤ z, since (e^y−1)/y ≤ (e^L−1)/L. If y > L,
  1+se^{y−L} ≤ (1+s)e^{y−L} gives E ≤ (L/s²)(y−L+s) ≤ y²/(4s²) + y/s.

The expectation is a sum over cells of z, each with the largest x and E in it, and the two tails are closed forms: |x| ≤ |z|+s/2 on the
left, x ≤ ze^{sz} on the right.

**Integral**, add, any α > 1: (1+τu)^{−α−1} ≤ 1 for u ≥ 0; for u < 0 it is at most (1+u)^{−α−1} ≤ exp((α+1)|u|/(1−q)) ≤ exp(β′|x|) with
β′ = (β+(c+1)s²e^{−L})/(1−q). So R ≤ ½E[x²e^{β′|x|·1{x<0}}].

**Chords**, remove, α ≥ 2: f(α) = log E_Q U^α = (α−1)D_α is convex in α (Hölder), nondecreasing in q and nonincreasing in σ at fixed q
(docs/monotonicity.md). At fixed L it is therefore largest at the corner of least σ and L, and between two orders
it lies below the chord. R ≤ κ on the box if the chord lies below κα(α−1)e^{−2L}/σ⁴ at the corner of largest σ and L. At integer orders f is
a finite sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb, arb_poly

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import Enclosure, ball, working_bits
from dpbounds.renyi.poisson_gaussian import divergence

MOST_ORDERS = 60
"""Chords are tried up to this order."""
CELL = Fraction(1, 16)
_LEFT, _RIGHT = -8, 24

Side = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Range:
    """R ≤ bound for σ ≥ least_sigma and qσ ≤ 1/least_inverse.

    Attributes:
        bound: κ > 0.
        least_sigma: σ₀ > 0.
        least_inverse: m ≥ 3, so that L ≥ log m ≥ 1.
        slack: c ≤ 2, what is added to σ²L in the range of orders.
        add: direction add instead of remove.
    """

    bound: Fraction
    least_sigma: Fraction
    least_inverse: Fraction
    slack: Fraction
    add: bool = False

    def __post_init__(self) -> None:
        if not (self.bound > 0 and self.least_sigma > 0 and self.least_inverse >= 3 and self.slack <= 2):
            raise ValueError(f"a range needs bound > 0, sigma > 0, 1/(q sigma) >= 3 and slack <= 2, got {self}")

    @property
    def root(self) -> tuple[Side, Side]:
        """The box of (1/σ, 1/L) that covers the range."""
        inverse = Enclosure.of(1 / ball(self.least_inverse).log()).upper
        assert isinstance(inverse, Fraction)
        return (Fraction(0), 1 / self.least_sigma), (Fraction(0), inverse)


def method_for(wanted: Range, box: tuple[Side, Side], *, depth: int = 3) -> str | None:
    """How R ≤ κ was shown on a box of (1/σ, 1/L): "integral" or "chords"; None when neither shows it.

    Args:
        wanted: the range and κ.
        box: (low, high) of 1/σ and of 1/L, both ≥ 0; the part with L below log m is left out.
        depth: how often a chord may be divided at an order that is not an integer.

    >>> wanted = Range(Fraction(1), Fraction(2), Fraction(70), Fraction(1))
    >>> method_for(wanted, ((Fraction(0), Fraction(1, 2)), (Fraction(0), Fraction(1, 4)))) is None  # too wide to be settled
    True
    """
    s, least = box[0], _least(wanted, box[1])
    if wanted.add:
        return "integral" if integral_bound(s, least, add=True, slack=wanted.slack) <= ball(wanted.bound) else None
    if not low_order_bound(s[1], least) <= ball(wanted.bound):
        return None
    if s[0] > 0 and box[1][0] > 0 and _chords_hold(wanted, s, least, 1 / box[1][0], depth):
        return "chords"
    if _approx_integral(float(s[1]), float(least.mid())) > wanted.bound:
        return None
    return "integral" if integral_bound(s, least) <= ball(wanted.bound) else None


def _least(wanted: Range, inverse: Side) -> arb:
    """A lower bound of L on the box."""
    floor = ball(wanted.least_inverse).log()
    if inverse[1] == 0:
        raise ValueError("a box of 1/L must contain positive numbers")
    return floor.max(1 / ball(inverse[1])).lower()


def low_order_bound(s: Fraction, least: arb) -> arb:
    """(e^v−1)/(2v(1−q)) at the largest s and q of the box."""
    v = ball(s) ** 2
    q = (-least).exp() * ball(s)
    return (v.expm1() / (2 * v * (1 - q))).upper() if q < 1 else arb.pos_inf()


def integral_bound(s: Side, least: arb, *, add: bool = False, slack: Fraction = Fraction(1)) -> arb:
    """½E[x²e^E], bounded over s in [s₀, s₁] and L ≥ `least` ≥ 1.

    >>> integral_bound((Fraction(0), Fraction(1, 100)), arb(3)) < arb("0.61")
    True
    """
    low, high = ball(s[0]), ball(s[1])
    beta = least * (-least).exp()
    if add:
        q = (-least).exp() * high
        if not q < 1:
            return arb.pos_inf()
        beta = (beta + (ball(slack) + 1) * high * high * (-least).exp()) / (1 - q)
    total = arb(0)
    for left, right, mass in _cells(working_bits()):
        reach = abs(right - low / 2).max(abs(left - high / 2))
        x = reach * _growth(_largest_w(right, low, high))
        exponent = arb(0)
        if add:
            exponent = arb(0) if left >= high / 2 else beta * x
        elif right > 0:
            exponent = (beta * x).min(right + right * right / 4)
        total += mass * x * x * exponent.exp()
    return ((total + _left_tail(high, beta if add else arb(0)) + _right_tail(high, add)) / 2).upper()


def _approx_integral(s: float, least: float) -> float:
    """About ½E[x²e^E] at one point: only to see whether the bound is worth computing."""
    beta, total = least * math.exp(-least), 0.0
    for k in range(-32, 96):
        z = (k + 0.5) / 8
        x = math.expm1(s * z - s * s / 2) / s if s else z
        total += x * x * math.exp(min(beta * max(x, 0.0), z + z * z / 4 if z > 0 else 0.0) - z * z / 2)
    return total / 16 / math.sqrt(2 * math.pi)


@lru_cache(maxsize=4)
def _cells(bits: int) -> list[tuple[arb, arb, arb]]:
    """(left, right, P(left < z < right)) of the cells, at the precision that is set."""
    edges = [ball(CELL * k) for k in range(int(_LEFT / CELL), int(_RIGHT / CELL) + 1)]
    # P(z > |edge|) on either side of 0, so that the masses keep their relative digits.
    tails = [(abs(edge) / arb(2).sqrt()).erfc() / 2 for edge in edges]
    return [(a, b, abs(p - q)) for a, b, p, q in zip(edges, edges[1:], tails, tails[1:], strict=False)]


def _largest_w(z: arb, low: arb, high: arb) -> arb:
    """The maximum of sz − s²/2 over s in [low, high]."""
    if z <= low:
        return low * z - low * low / 2
    if z >= high:
        return high * z - high * high / 2
    return z * z / 2


def _growth(w: arb) -> arb:
    """An upper bound of g(w) = (e^w−1)/w, which increases and is 1 at 0: its value at the upper end."""
    top = w.upper()
    return arb(1) if top == 0 else top.expm1() / top


def _left_tail(high: arb, beta: arb) -> arb:
    """E[(|z|+s/2)²·e^{β(|z|+s/2)}; z < −8]: with y = |z| the weight is a Gaussian of mean β."""
    start, shift = arb(-_LEFT), high / 2
    y = start - beta
    mass, density = _upper_mass(y), _density(y)
    middle = beta + shift
    scale = (beta * shift + beta * beta / 2).exp()
    return scale * ((middle * middle + 1) * mass + (2 * middle + y) * density)


def _right_tail(high: arb, add: bool) -> arb:
    """E[z²e^{2sz}·e^{z+z²/4}; z > 24] (without the last factor for add, where it only helps)."""
    mean = 2 * (1 + 2 * high)
    y = (arb(_RIGHT) - mean) / arb(2).sqrt()
    mass, density = _upper_mass(y), _density(y)
    root = arb(2).sqrt()
    return (mean * mean / 4).exp() * root * ((mean * mean + 2) * mass + (2 * root * mean + 2 * y) * density)


def _upper_mass(y: arb) -> arb:
    return (y / arb(2).sqrt()).erfc() / 2


def _density(y: arb) -> arb:
    return (-y * y / 2).exp() / (2 * arb.pi()).sqrt()


def log_moments(orders: int, sigma: arb, q: arb) -> list[arb]:
    """f(n) = log E_Q U^n for n = 0 … `orders`, from Σ_j C(n,j)q^j(1−q)^{n−j}(e^{j(j−1)v/2}−1) as one product of polynomials.

    >>> values = log_moments(4, arb(1), arb("0.5"))
    >>> values[2].overlaps((1 + (arb(1).exp() - 1) / 4).log())
    True
    """
    half_v, rest = 1 / (2 * sigma * sigma), 1 - q
    grow, decay = [arb(0), arb(0)], [arb(1)]
    weight, other = q, arb(1)
    for j in range(1, orders + 1):
        if j >= 2:
            weight = weight * q / j
            grow.append(weight * (j * (j - 1) * half_v).expm1())
        other = other * rest / j
        decay.append(other)
    product = arb_poly(grow) * arb_poly(decay)
    factorial, values = arb(1), []
    for n in range(orders + 1):
        factorial = factorial * max(n, 1)
        values.append((product[n] * factorial).log1p())
    return values


def _chords_hold(wanted: Range, s: Side, least: arb, most: Fraction, depth: int) -> bool:
    """The chord test on a compact box, orders from 2 on."""
    sigma = (1 / s[1], 1 / s[0])
    end = sigma[1] ** 2 * most + wanted.slack
    if end <= 2:
        return True
    if end > MOST_ORDERS:
        return False
    scale = ball(wanted.bound) * (-2 * ball(most)).exp() / ball(sigma[1]) ** 4
    q = (-least).exp() / ball(sigma[0])
    last = math.ceil(end)
    values = log_moments(last, ball(sigma[0]), q)

    def below(start: Fraction, left: arb, stop: Fraction, right: arb, depth: int) -> bool:
        if _below(left, right, start, stop, min(stop, end), scale):
            return True
        if depth == 0:
            return False
        middle = end if start < end < stop else (start + stop) / 2
        value = _real_log_moment(middle, sigma[0], q)
        if value is None or not below(start, left, middle, value, depth - 1):
            return False
        return middle >= end or below(middle, value, stop, right, depth - 1)

    return all(below(Fraction(n), values[n], Fraction(n + 1), values[n + 1], depth) for n in range(2, last))


def _below(left: arb, right: arb, start: Fraction, stop: Fraction, until: Fraction, scale: arb) -> bool:
    """True when the chord from (start, left) to (stop, right) lies below scale·α(α−1) for start ≤ α ≤ until ≤ stop.

    The difference is convex in α, so it lies above its tangent at any order; the tangent is taken close to the minimum.
    """
    slope = (right - left) / ball(stop - start)
    steep = slope / scale
    if not steep.is_finite():
        return False
    guess = Fraction((1 + float(steep.mid())) / 2)
    at = min(max(guess, start), until)
    order = ball(at)
    value = scale * order * (order - 1) - left - slope * ball(at - start)
    rise = scale * (2 * order - 1) - slope
    return all(bool(value + rise * ball(end - at) >= 0) for end in (start, until))


def _real_log_moment(order: Fraction, sigma: Fraction, q: arb) -> arb | None:
    """An upper bound of f at a real order, at the least rational rate that is surely not below q."""
    rate = Enclosure.of(q).upper
    assert isinstance(rate, Fraction)
    try:
        return ball(order - 1) * divergence(order - 1, sigma, rate, 40)
    except PrecisionError:
        return None
