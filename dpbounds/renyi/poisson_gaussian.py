"""Rényi divergence of the Poisson-sampled Gaussian at any real order, to any number of digits.

With v = 1/σ², x ~ N(0, σ²), w = (2x−1)v/2, u = q(e^w − 1) and U = 1 + u,

    remove:  M(t) = E[U^{1+t}]        add:  M(t) = E[U^{−t}]        D_{1+t} = log M(t) / t.

E[u] = 0, so M(t) = 1 + t·J with J = E[G(u)] and, p = 1+t for remove, p = −t for add,

    G(u) = (U^p − 1 − p·u)/t = α·u²·∫₀¹ (1−s)(1+su)^{p−2} ds ≥ 0,        α = 1 + t            (*)

(Taylor's formula; p(p−1)/t = α in both directions). Nothing cancels: J, log1p(tJ) and D keep their relative digits as α → 1, q → 0 or
σ → ∞, and t = 0 is the Kullback–Leibler divergence. J is found by the trapezoid rule in x; `poisson_gaussian_terms` has the error bounds.

The pair and its moment: Mironov, Talwar & Zhang 2019 (arXiv 1908.10530) §3; the subtraction and the bounds are derived here.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from flint import arb, arb_mat

from dpbounds.errors import PrecisionError
from dpbounds.mechanisms.pairs import GaussianPair
from dpbounds.numbers.balls import ball, precision, to_fraction, working_bits
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.excess import divergence_from_excess
from dpbounds.numbers.precise import Parameter, as_ball, relative
from dpbounds.numbers.trapezoid import aliasing, between_zero_and, lattice_sum
from dpbounds.renyi import one_pair
from dpbounds.renyi import poisson_gaussian_terms as terms
from dpbounds.renyi.poisson_gaussian_plan import plan
from dpbounds.renyi.poisson_gaussian_terms import Integrand, SumPlan

BINOMIAL_MOST = 48
"""Integer orders 1+t with t below this are summed exactly in direction remove."""
_GUARD = 16
"""Working bits come in multiples of this, so that orders share their nodes."""


Node = tuple[arb, arb, arb, arb]
"""φ_σ(x), φ_σ(x)·u, φ_σ(x)·(1+u) and log(1+u): what f needs of a node at any order, in either direction."""


def integral(f: Integrand, chosen: SumPlan, known: dict[int, Node] | None = None) -> arb:
    """J = ∫ f for a plan: the lattice sum with tails, skipped blocks and aliasing in the ball.

    `known` are nodes of this step for these σ and q, at this precision or a higher one; new ones are added.

    If Σ is the whole lattice sum and η = 2/(e^{2πa/h}−1), then |Σ − J| ≤ η(A·J + B), so J = (Σ + ηB·[−1,1]) / (1 + ηA·[−1,1]).
    """
    step, nodes = arb(chosen.step), {} if known is None else known

    def node(j: int) -> Node:
        if j not in nodes:
            x = step * j
            density, moved = f.density(x), f.density(x) * f.u(x)
            nodes[j] = density, moved, density + moved, f.log_u1(x)
        return nodes[j]

    def block(i: int, j: int) -> arb:
        """Σ f over the nodes from i to j: each of its two parts, of the same size where they cancel, is summed by itself."""
        density, moved, shifted, logs = zip(*[node(n) for n in range(i, j + 1)], strict=True)
        scaled = arb_mat(1, j + 1 - i, f.scaled(logs)) * arb_mat(j + 1 - i, 1, density if f.add else shifted)
        return sum(moved, scaled[0, 0]) if f.add else scaled[0, 0] - sum(moved, arb(0))

    def majorant(i: int, j: int) -> arb:
        return terms.block_majorant(f, step * i, step * j)

    total = step * lattice_sum(block, majorant, chosen.first, chosen.last, chosen.negligible)
    total += between_zero_and(terms.left_tail(f, step * chosen.first)) + between_zero_and(terms.right_tail(f, step * chosen.last))
    factor = aliasing(arb(chosen.theta) / (2 * f.half_v), step)
    relative, absolute = terms.edge(f, chosen)
    either_sign = arb(0, 1)
    return (total + factor * absolute * either_sign) / (1 + factor * relative * either_sign)


def divergence(t: Parameter, sigma: Parameter, q: Parameter, bits: int, *, add: bool = False) -> arb:
    """D_{1+t} of the Poisson-sampled Gaussian, with `bits` relative bits.

    Args:
        t: order minus one, t ≥ 0; t = 0 gives the Kullback–Leibler divergence.
        sigma: noise multiplier σ > 0.
        q: sampling rate, 0 ≤ q ≤ 1.
        bits: relative accuracy.
        add: direction add (without ‖ with) instead of remove (with ‖ without).

    Returns:
        A ball that contains the divergence; q = 0 gives 0, q = 1 gives (1+t)/(2σ²).

    Raises:
        PrecisionError: the accuracy was not reached.

    >>> divergence(Fraction(5, 2), Fraction(3, 2), Fraction(1, 100), 60).str(15, radius=False)
    '9.89033869717323e-5'
    """
    if q == 0:
        return arb(0)

    def evaluate() -> arb:
        order, noise, rate = as_ball(t), as_ball(sigma), as_ball(q)
        if rate == 1:
            return (1 + order) / (2 * noise * noise)
        if not add and order < BINOMIAL_MOST and order.is_exact() and order.is_integer() and order > 0:
            value = binomial_excess(int(float(order)) + 1, noise, rate)
        else:
            f = Integrand(order, noise, rate, add)
            chosen = plan(f, bits + 4)
            shared = isinstance(sigma, Fraction) and isinstance(q, Fraction)
            value = integral(f, chosen, _nodes(sigma, q, chosen.step, working_bits()) if shared else None)
        return divergence_from_excess(order, value)

    return relative(evaluate, bits, guard=_guard(t, sigma, q))


@lru_cache(maxsize=64)
def _nodes(sigma: Fraction, q: Fraction, step: float, bits: int) -> dict[int, Node]:
    """The nodes that are known, shared by all orders."""
    return {}


def binomial_excess(alpha: int, sigma: arb, q: arb) -> arb:
    """J = (M − 1)/(α−1) for direction remove and integer α ≥ 2, as a finite sum of terms ≥ 0.

    M = Σ_j C(α,j) q^j (1−q)^{α−j} e^{j(j−1)/2σ²} (Mironov, Talwar & Zhang 2019 §3.3); subtracting Σ_j C(α,j) q^j (1−q)^{α−j} = 1
    turns each exponential into e^{j(j−1)/2σ²} − 1, and the terms j = 0 and 1 vanish.

    >>> binomial_excess(2, arb(1), arb("0.5")).overlaps(arb("0.25") * (arb(1).exp() - 1))
    True
    """
    half_v, total, odds = 1 / (2 * sigma * sigma), arb(0), q / (1 - q)
    weight = (1 - q) ** alpha
    for j in range(1, alpha + 1):
        weight = weight * odds * (alpha - j + 1) / j
        if j >= 2:
            total += weight * (j * (j - 1) * half_v).expm1()
    return total / (alpha - 1)


def renyi_ball(alpha: arb, sigma: arb, q: arb, *, add: bool = False, bits: int = 40) -> arb:
    """An enclosure of D_α over a box of orders, noise multipliers and sampling rates.

    Both directions are nondecreasing in α and q and nonincreasing in σ, so the two extreme corners bound D_α. The proofs are in
    docs/monotonicity.md:

    * α: log E_P[e^{tL}] is convex in t and 0 at t = 0 (Hölder), so D_{1+t}, its chord from 0, does not decrease (Lemma 1).
    * σ: for σ' > σ, adding N(0, σ'²−σ²) to the output turns the pair at σ into the pair at σ' (Lemma 3, data processing).
    * q: for s = q/q' ≤ 1, drawing the output anew from N(0, σ²) with probability 1−s turns the pair at q' into the pair at q (Lemma 4).

    Args:
        alpha: orders ≥ 0; the part below 1 is bounded by 0 ≤ D_α ≤ D at the largest order.
        sigma: noise multipliers; a ball that reaches 0 gets the upper bound +∞.
        q: sampling rates; clipped to [0, 1], where the quantity is defined.
        add: direction add instead of remove.
        bits: relative accuracy of each corner.

    Returns:
        A ball containing D_α at every point of the box with σ > 0; NaN if no point has σ > 0 and 0 ≤ q ≤ 1, or some order is below 0.

    >>> wide = renyi_ball(arb(3, 1), arb(2, 1), arb("0.01"))
    >>> wide.contains(divergence(Fraction(2), Fraction(2), Fraction(1, 100), 60))
    True
    """
    if not (alpha.is_finite() and q.is_finite() and not sigma.is_nan()) or not (sigma.upper() > 0 and alpha.lower() >= 0):
        return arb.nan()
    low_q, high_q = max(_end(q.lower()), Fraction(0)), min(_end(q.upper()), Fraction(1))
    if low_q > high_q:
        return arb.nan()
    low_alpha, high_alpha = _end(alpha.lower()), max(_end(alpha.upper()), Fraction(1))
    lower, upper = arb(0), arb.pos_inf()
    if low_alpha >= 1 and sigma.is_finite():
        lower = _corner(low_alpha, _end(sigma.upper()), low_q, add, bits)[0]
    if sigma.is_finite() and sigma.lower() > 0:
        upper = _corner(high_alpha, _end(sigma.lower()), high_q, add, bits)[1]
    with precision(max(bits, 53)):
        return lower.union(upper)


@lru_cache(maxsize=65536)
def _corner(alpha: Fraction, sigma: Fraction, q: Fraction, add: bool, bits: int) -> tuple[arb, arb]:
    """Lower and upper bound at one point; where precision runs out, 0 and the value at q = 1."""
    try:
        value = divergence(alpha - 1, sigma, q, bits, add=add)
    except PrecisionError:
        with precision(bits + 20):
            return arb(0), ball(alpha / (2 * sigma * sigma)).upper()
    return value.lower().max(arb(0)), value.upper()


def _end(endpoint: arb) -> Fraction:
    exact = to_fraction(endpoint)
    assert isinstance(exact, Fraction)
    return exact


def _guard(t: Parameter, sigma: Parameter, q: Parameter) -> int:
    """Working bits above the target: what cancels in G at |u| ~ q/σ, and the size of the exponents."""
    with precision(53):
        order, noise, rate = (float(as_ball(value).mid()) for value in (t, sigma, q))
    if not (order < math.inf and noise < math.inf):
        raise PrecisionError("the parameters are too extreme to place the nodes; take sigma, q and alpha within 1e-100 and 1e100")
    small = math.log2(max(noise, 1.0)) - math.log2(max(rate, 1e-300))
    return _GUARD * math.ceil((40 + small + 2 * math.log2(1 + order)) / _GUARD)


@one_pair.sampled_divergence.register(GaussianPair)
def _(base: GaussianPair, q: Exact, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    return divergence(t, base.sigma, q, bits, add=reversed)
