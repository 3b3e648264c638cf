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
β′ = (β+max(c+1, 0)s²e^{−L})/(1−q). So R ≤ ½E[x²e^{β′|x|·1{x<0}}].

**Corner**, remove, α ≥ 2: the excess H(α, q, v) = E[U^α − 1]/(α(α−1)q²v) does not decrease in α, q or v, and it is convex in α
(docs/order-ranges.md, Lemma 1). With t = κα(α−1)q²v, the bound D_α ≤ καq²v is E[U^α] ≤ e^t, that is H ≤ κ(e^t−1)/t, and the right side
increases with t. So for the orders in [a, b] it is enough that H at b and at the corner of least σ and L is at most the right side at a and
at the corner of largest σ and L. At integer orders H is a finite sum of positive terms; between two orders its chord is an upper bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import Enclosure, ball, working_bits
from dpbounds.renyi.poisson_gaussian import divergence

MOST_ORDERS = 60
"""The corner is tried up to this order: the sum at an integer order has as many terms."""
_DEPTH = 40
"""How often a range of orders may be bisected; the check at its end stops the bisection long before where the bound fails."""
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
        inverse = Enclosure.of_ball(1 / ball(self.least_inverse).log()).upper
        assert isinstance(inverse, Fraction)
        return (Fraction(0), 1 / self.least_sigma), (Fraction(0), inverse)


def method_for(wanted: Range, box: tuple[Side, Side]) -> str | None:
    """How R ≤ κ was shown on a box of (1/σ, 1/L): "integral" or "corner"; None when neither shows it.

    Args:
        wanted: the range and κ.
        box: (low, high) of 1/σ and of 1/L, both ≥ 0; the part with L below log m is left out.

    >>> wanted = Range(Fraction(1), Fraction(2), Fraction(70), Fraction(1))
    >>> method_for(wanted, ((Fraction(0), Fraction(1, 2)), (Fraction(0), Fraction(1, 4)))) is None  # too wide to be settled
    True
    """
    s, least = box[0], _least(wanted, box[1])
    if wanted.add:
        return "integral" if integral_bound(s, least, add=True, slack=wanted.slack) <= ball(wanted.bound) else None
    if not low_order_bound(s[1], least) <= ball(wanted.bound):
        return None
    if s[0] > 0 and box[1][0] > 0 and _corner_holds(wanted, s, least, 1 / box[1][0]):
        return "corner"
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
        beta = (beta + ball(max(slack + 1, Fraction(0))) * high * high * (-least).exp()) / (1 - q)
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


def excess(order: Fraction, s: Fraction, q: arb) -> arb:
    """An upper bound of H(α, q, s²) at an order α ≥ 2; +∞ where none is found.

    At an integer α = m + 2 it is ½ Σ C(m,i) qⁱ (1−q)^{m−i} g((i+1)(i+2)s²/2).

    >>> abs(excess(Fraction(2), Fraction(1), arb("0.1")) - (arb(1).exp() - 1) / 2) < 1e-12
    True
    """
    if order.denominator == 1:
        m, v, total, rest = order.numerator - 2, ball(s) ** 2, arb(0), 1 - q
        for i in range(m + 1):
            total += math.comb(m, i) * q**i * rest ** (m - i) * _growth((i + 1) * (i + 2) * v / 2)
        return (total / 2).upper()
    rate = Enclosure.of_ball(q).upper
    assert isinstance(rate, Fraction)
    try:
        log_moment = ball(order - 1) * divergence(order - 1, 1 / s, rate, 40)
    except PrecisionError:
        return arb.pos_inf()
    return (log_moment.expm1() / (ball(order * (order - 1)) * (ball(rate) * ball(s)) ** 2)).upper()


def _corner_holds(wanted: Range, s: Side, least: arb, most: Fraction) -> bool:
    """H at the corner of least σ and L against κ(e^t−1)/t at the other, for the orders from 2 on."""
    end = most / s[0] ** 2 + wanted.slack
    if end <= 2:
        return True
    if end > MOST_ORDERS:
        return False
    bound, q = ball(wanted.bound), (-least).exp() * ball(s[1])
    scale = bound * (-2 * ball(most)).exp() * ball(s[0]) ** 4

    def allowed(order: Fraction) -> arb:
        t = scale * ball(order * (order - 1))
        return bound * t.expm1() / t

    @cache
    def largest(order: Fraction) -> arb:
        """H itself at integers and at the last order, its chord elsewhere."""
        if order == end or order.denominator == 1:
            return excess(order, s[1], q)
        low, high = Fraction(math.floor(order)), min(Fraction(math.ceil(order)), end)
        share = ball((order - low) / (high - low))
        return (1 - share) * largest(low) + share * largest(high)

    def below(start: Fraction, stop: Fraction, depth: int) -> bool:
        """H ≤ κ(e^t−1)/t for the orders in [start, stop]."""
        above = Fraction(math.ceil(stop))
        if largest(above) <= allowed(start) or (above > stop and largest(stop) <= allowed(start)):
            return True
        if depth == 0 or not min(largest(above), largest(stop)) <= allowed(stop):
            return False
        middle = (start + stop) / 2
        if stop - start > 1:
            middle = Fraction(math.ceil(middle))
        return below(middle, stop, depth - 1) and below(start, middle, depth - 1)

    return below(Fraction(2), end, _DEPTH)
