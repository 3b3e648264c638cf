"""Where δ(ε) is a closed form or a short finite sum, in float64 with an error bound.

* Gaussian pairs only: the composition is one Gaussian pair with μ² = Σ k_f/σ_f² (sensitivity 1), and
  δ = Φ(−a) − e^ε Φ(−b), a = ε/μ − μ/2, b = a + μ (Balle & Wang 2018, Thm 8), evaluated as ½e^{−a²/2}(erfcx(a/√2) − erfcx(b/√2)).
* One step of Poisson sampling, remove: δ_q(ε) = q·δ_G(log(1 + (e^ε−1)/q)) (Balle, Barthe & Gaboardi 2018, Thm 2 with equality for the
  dominating pair). Add: with t* where the loss is ε and w = (2t*+1)/2σ², δ = e^{ε−w}·q·(Φ(−t*/σ) − e^wΦ(−(t*+1)/σ)).
* One use of Laplace noise, sampled or not: `_laplace`.
* Several uses just below their largest total loss: `near_largest_loss`, two-sided bounds that meet there.
* Atoms only (randomized response, finite tables), sampled or not, in any product with few outcomes: with n the numbers of each atom,
  δ = P(infinite loss) + Σ_n P(n)·(1 − e^{ε−L(n)})₊, P(n) = k!/Π n_i!·Π p_i^{n_i}.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import special

from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laplace_mixture import LaplaceMixture
from dpbounds.float64.laws import AtomsOnly, loss_law
from dpbounds.float64.logarithms import Array, log_keep
from dpbounds.float64.result import Bounds
from dpbounds.float64.rounding import LIBM, SPECIAL, UNIT_ROUNDOFF, sum_error
from dpbounds.mechanisms import pairs

MAX_TERMS = 4_000_000
"""Outcomes of a binomial sum."""
MAX_STATES = 300_000
"""Outcomes of every other finite sum; beyond, the lattice is quicker."""
METHOD = "closed form"


def delta_bounds(product: pairs.Product, epsilon: float) -> Bounds | None:
    """Bounds of δ(ε) where a closed form is known, else None.

    >>> from dpbounds import mechanisms as m
    >>> product = pairs.dominating_pairs(m.Repeated(m.Gaussian(10), 100))[0]
    >>> delta_bounds(product, 1.0).relative_width < 1e-11
    True
    """
    form = form_of(product)
    return form and form(epsilon)


def form_of(product: pairs.Product) -> Callable[[float], Bounds | None] | None:
    """What gives δ(ε) in closed form at any ε where it can, else None."""
    laws = [loss_law(factor) for factor in product.factors]
    steps = [factor.steps for factor in product.factors]
    if all(isinstance(law, GaussianMixture) and law.is_gaussian for law in laws):
        mu = math.sqrt(math.fsum(count / law.sigma**2 for law, count in zip(laws, steps, strict=True)))  # type: ignore[union-attr]
        return partial(_gaussian, mu)
    atomic = [law for law in laws if isinstance(law, AtomsOnly)]
    if len(atomic) == len(laws):
        states = math.prod(math.comb(count + max(len(law.atoms), 1) - 1, count) for law, count in zip(atomic, steps, strict=True))
        simple = len(laws) == 1 and len(atomic[0].atoms) <= 2
        return partial(_finite_sum, atomic, steps) if states <= (MAX_TERMS if simple else MAX_STATES) else None
    if len(laws) == 1 and steps[0] == 1:
        law = laws[0]
        if isinstance(law, GaussianMixture):
            return partial(one_sampled_use, law)
        return partial(_laplace, law) if isinstance(law, LaplaceMixture) else None
    return None


def _difference(a: float, gap: float, lift: float) -> tuple[float, float]:
    """log of Φ(−a) − e^w Φ(−b), b = a + gap, w = a·gap + gap²/2 given as `lift`, and its absolute error at these floats.

    For a ≥ −8 it is ½e^{−a²/2}(erfcx(a/√2) − erfcx(b/√2)). erfcx at an argument of relative error r changes by at most r (argument ≥ 0), or
    (1 + 2|x| + 2x²)·r (any x).
    """
    root = math.sqrt(0.5)
    b = a + gap
    if a < -8.0:
        first, second = _far_parts(a, b, lift)
        value = first - second
        noise = 2 * SPECIAL * first + second * (2 * SPECIAL * (1 + b * b) + 32 * UNIT_ROUNDOFF * (1 + abs(lift)))
        return (math.log(value), noise / value + 4 * LIBM) if value > 0 else (-math.inf, math.inf)
    first, second = float(special.erfcx(a * root)), float(special.erfcx(b * root))
    value = first - second
    if not value > 0:
        return -math.inf, math.inf
    noise = (SPECIAL + 8 * UNIT_ROUNDOFF * _condition(a)) * first + (SPECIAL + 8 * UNIT_ROUNDOFF * _condition(b)) * second
    noise += 4 * UNIT_ROUNDOFF * (abs(a) + gap) * (1.2 + 2 * abs(b) * second)
    return math.log(0.5 * value) - 0.5 * a * a, noise / value + UNIT_ROUNDOFF * (8 + 8 * a * a) + 4 * LIBM


def _far_parts(a: float, b: float, lift: float) -> tuple[float, float]:
    return math.exp(float(special.log_ndtr(-a))), math.exp(min(lift + float(special.log_ndtr(-b)), 1.0))


def _condition(a: float) -> float:
    return 1.0 if a >= 0 else 1 + 2 * abs(a) + a * a


def _result(log_value: float, error: float) -> Bounds | None:
    if not error < 1e-3:
        return None
    slack = error * 1.01 + LIBM + 8 * UNIT_ROUNDOFF * (1 + abs(log_value))
    return Bounds.of_logs(log_value - slack, min(log_value + slack, 0.0), METHOD)


def _gaussian(mu: float, epsilon: float) -> Bounds | None:
    a = epsilon / mu - mu / 2
    moved = 16 * UNIT_ROUNDOFF * (abs(epsilon) / mu + mu)
    log_value, error = _difference(a, mu, epsilon)
    return _result(log_value, error + moved * _sensitivity(a, mu, epsilon))


def _sensitivity(a: float, gap: float, lift: float) -> float:
    """Bound on |∂ log δ/∂a| + |∂ log δ/∂gap| of δ = Φ(−a) − E, E = e^{a·gap+gap²/2}Φ(−b), b = a + gap, times 2.

    ∂δ/∂a = −gap·E and ∂δ/∂gap = φ(a) − b·E. With the Mills ratio m(x) = √(π/2)erfcx(x/√2): δ = φ(a)(m(a) − m(b)), E = φ(a)m(b).
    """
    root, b = math.sqrt(0.5), a + gap
    if a < -8.0:
        first, second = _far_parts(a, b, lift)
        return 2 * ((gap + abs(b)) * second + 0.4 * math.exp(-0.5 * a * a)) / (first - second) if first > second else math.inf
    first, second = float(special.erfcx(a * root)), float(special.erfcx(b * root))
    if not first > second:
        return math.inf
    return 2 * (gap * second + 0.8 + abs(b) * second) / (first - second)


def one_sampled_use(law: GaussianMixture, epsilon: float) -> Bounds | None:
    """One use of Poisson sampling, either direction."""
    if law.degree != 1:
        return None
    return _sampled_remove(law, epsilon) if len(law.lower) == 1 else _sampled_add(law, epsilon) if len(law.upper) == 1 else None


def _sampled_remove(law: GaussianMixture, epsilon: float) -> Bounds | None:
    """P = (1−q)N(0)+qN(1), Q = N(0): t* solves L = ε; δ = q(Φ̄((t*−1)/σ) − e^{(2t*−1)/2σ²}Φ̄(t*/σ))."""
    if epsilon <= law.lowest_loss:
        return None
    t = float(law.inverse_loss(np.array([epsilon]))[0])
    if not math.isfinite(t):
        return None
    q, sigma = law.upper[1], law.sigma
    a, gap, lift = (t - 1) / sigma, 1 / sigma, (2 * t - 1) / (2 * sigma**2)
    log_value, error = _difference(a, gap, lift)
    return _result(log_value + math.log(q), error + _moved(law, t, epsilon) * _sensitivity(a, gap, lift))


def _sampled_add(law: GaussianMixture, epsilon: float) -> Bounds | None:
    """P = N(0), Q = (1−q)N(0)+qN(−1): δ = e^ε q(e^{−(2t*+1)/2σ²}Φ̄(t*/σ) − Φ̄((t*+1)/σ)) = e^{ε−w}·q·(Φ̄(t*/σ) − e^wΦ̄((t*+1)/σ)), w =
    (2t*+1)/2σ²."""
    if epsilon >= law.highest_loss - 1e-12 * (1 + abs(law.highest_loss)):
        return None
    t = float(law.inverse_loss(np.array([epsilon]))[0])
    if not math.isfinite(t):
        return None
    q, sigma = law.lower[1], law.sigma
    w = (2 * t + 1) / (2 * sigma**2)
    log_value, error = _difference(t / sigma, 1 / sigma, w)
    moved = _moved(law, t, epsilon)
    extra = moved / sigma + 16 * UNIT_ROUNDOFF * (abs(epsilon) + abs(w))
    return _result(log_value + epsilon - w + math.log(q), error + moved * _sensitivity(t / sigma, 1 / sigma, w) + extra)


def _moved(law: GaussianMixture, t: float, epsilon: float) -> float:
    """How far, in units of σ, the computed t* can be from the true one: the loss misses ε by so much, over the slope of L near t*."""
    at = np.array([t])
    miss = abs(float(law.loss(at)[0]) - epsilon) + float(law.loss_error(at)[0]) + 2 * UNIT_ROUNDOFF * abs(epsilon)
    slope = float(law.loss_slope(at)[0])
    if not slope > 0:
        return math.inf
    return 2 * miss / slope / law.sigma + 16 * UNIT_ROUNDOFF * (1 + abs(t)) / law.sigma


def _laplace(law: LaplaceMixture, epsilon: float) -> Bounds | None:
    """One use of Laplace noise of scale b, sampled at rate q.

    E(s) = ∫(p₁ − e^s p₀)₊ = 1 − e^{x}, x = (s − 1/b)/2, for |s| ≤ 1/b: between 0 and 1 the loss is (2t−1)/b, and p₁ = e^s p₀
    where it is s. It is the same with p₀ and p₁ exchanged.

    Remove: q·E(s) with e^s = 1 + (e^ε−1)/q, as q p₁ + (1−q)p₀ − e^ε p₀ = q(p₁ − e^s p₀).
    Add: g·E(s) with g = 1 − (1−q)e^ε > 0 and e^s = q e^ε/g, as p₀ − e^ε(q p₁ + (1−q)p₀) = g(p₀ − e^s p₁).

    Errors: `weight` of log q or log g, `moved` of s and 1/b; d log(1 − e^x)/dx = −1/(e^{−x} − 1). The float ε is off by u·ε. The float
    nearest q says little of 1−q near 1, where q may be the float 1: 1−q is then taken from `keep`, which is off by u of itself.
    """
    q, u = law.q, UNIT_ROUNDOFF
    if not 0 <= epsilon < 600:
        return None
    log_q = math.log(q)
    if not law.swapped:
        s, log_weight, weight = math.log1p(math.expm1(epsilon) / q), log_q, u
        moved = LIBM * (1 + abs(s)) + u * (5 + 2 * epsilon)
    else:
        log_rest = log_keep(q, law.keep)
        exponent = epsilon + log_rest
        if not exponent < 0:
            return None
        log_weight = math.log(-math.expm1(exponent))
        if law.keep > 0:
            shift = u * (2 * epsilon + 2 * abs(exponent) + 2 * min(1.0, q / law.keep)) + 2 * LIBM * abs(log_rest)
            weight = 1.01 * shift / math.expm1(-exponent) + LIBM if shift < 1e-3 * -exponent else math.inf
        else:
            weight = 0.0
        s = epsilon + log_q - log_weight
        moved = weight + LIBM * (abs(log_q) + abs(log_weight)) + u * (4 * epsilon + 4 * abs(log_q) + 4 * abs(log_weight) + 2)
    x = 0.5 * (s - 1 / law.scale)
    moved = 0.5 * (moved + u * (abs(s) + 4 / law.scale))
    if not 1000 * moved < -x:
        return None
    log_value = log_weight + math.log(-math.expm1(x))
    error = weight + 1.01 * moved / math.expm1(min(-x, 700.0)) + LIBM * (2 + abs(log_weight) + abs(log_value - log_weight))
    return _result(log_value, error)


def near_largest_loss(product: pairs.Product, epsilon: float, accept: float) -> Bounds | None:
    """Bounds of δ(ε) for Laplace noise, sampled or not, where ε is less than the largest total loss by a small gap.

    None where they are wider than `accept`, but for a gap so small that its own error makes them wide: no lattice tells more there.

    The largest loss T of a use has a mass a > 0. If every use has it, the total loss is ε + gap; if the total loss is above ε, that of
    every use is above T − gap. So

        Π a·(1 − e^{−gap}) ≤ δ ≤ Π (a + m)·(1 − e^{−gap}),   m = P(T − gap < L < T).

    With d < 1 the length of the noise values in between, the density of P there is at most a/b·e^{d/b} (b the scale): m ≤ a·(d/b)e^{d/b}.
    (From d = 1 on the smallest loss, which has a mass of its own, is between as well: no bounds.)
    From e^T = 1 − q + q e^{1/b} follows 1 − e^{−2d/b} = (1 − e^{−gap})e^{T−1/b}/q; add: from e^{−T} = 1 − q + q e^{−1/b},
    e^{2d/b} − 1 = (e^{gap} − 1)e^{1/b−T}/q.
    """
    laws = [(loss_law(factor), factor.steps) for factor in product.factors]
    laplace = [(law, count) for law, count in laws if isinstance(law, LaplaceMixture) and law.scale > 0.01]
    if len(laplace) < len(laws):
        return None
    top = math.fsum(count * law.highest_loss for law, count in laplace)
    doubt = sum(count * (law.input_error + 64 * UNIT_ROUNDOFF * (1 + abs(law.highest_loss))) for law, count in laplace)
    doubt += 8 * UNIT_ROUNDOFF * (abs(epsilon) + abs(top))
    gap = top - epsilon
    if not -doubt < gap < 0.1:
        return None
    log_mass, more, error = 0.0, 0.0, 0.0
    for law, count in laplace:
        loss, mass = law.atoms[1]
        log_mass += count * math.log(mass)
        error += count * (64 * UNIT_ROUNDOFF + 2 * LIBM * (2 + abs(loss) + abs(math.log(mass))) + law.input_error)
        wide = gap + doubt
        if law.swapped:
            double = math.log1p(math.expm1(wide) * math.exp(1 / law.scale - loss) / law.q)
        else:
            ratio = -math.expm1(-wide) * math.exp(loss - 1 / law.scale) / law.q
            double = -math.log1p(-ratio) if ratio < 1 else math.inf
        if not double < min(0.1, 1.99 / law.scale):
            return None
        more += count * 0.5 * double * math.exp(0.5 * double) * (1 + 1e-9)
    low = log_mass + math.log(-math.expm1(doubt - gap)) if doubt < gap else -math.inf
    high = log_mass + more + math.log(-math.expm1(-gap - doubt))
    error += 4 * LIBM * (1 + abs(low if low > -math.inf else high))
    found = Bounds.of_logs(low - error, min(high + error, 0.0), "largest loss")
    return found if found.relative_width <= accept or gap < 1000 * doubt else None


def _finite_sum(laws: list[AtomsOnly], steps: list[int], epsilon: float) -> Bounds:
    """Σ over the numbers of each atom of probability times (1 − e^{ε−s})₊, plus the chance of an infinite loss.

    Errors: log P(n) is off by `error` (`_states`), s − ε by `shift`. With N terms w_n = e^{log P(n) − top}, each exponential costs LIBM and
    u·(top − log P(n)), whose mean under the weights w_n/Σw is at most log N (an entropy); expm1 costs LIBM; then the sum itself. Terms that
    underflow add at most N·5e-324.
    """
    log_finite = math.fsum(
        count * math.log1p(-law.infinite_mass) if law.infinite_mass < 1 else -math.inf for law, count in zip(laws, steps, strict=True)
    )
    infinite = -math.expm1(log_finite) if log_finite < 0 else 0.0
    if not all(law.atoms for law in laws):
        return Bounds.of_values(infinite * (1 - 1e-14), min(1.0, infinite * (1 + 1e-14)), METHOD)
    totals, log_weights, error, shift = np.zeros(1), np.zeros(1), 0.0, 8 * UNIT_ROUNDOFF * abs(epsilon)
    for law, count in zip(laws, steps, strict=True):
        own_totals, own_weights, own_error, own_shift = _states(law, count)
        totals = np.add.outer(totals, own_totals).ravel()
        log_weights = np.add.outer(log_weights, own_weights).ravel()
        error, shift = error + own_error, shift + own_shift
    error += (math.log(len(totals)) + 8) * UNIT_ROUNDOFF + sum_error(len(totals)) + 4 * LIBM

    def log_total(at: float, lost: float) -> float:
        above = totals > at
        if not above.any():
            return -math.inf
        top = float(log_weights[above].max())
        total = float((np.exp(log_weights[above] - top) * -np.expm1(at - totals[above])).sum()) + lost
        return top + math.log(total) if total > 0 else -math.inf

    low, high = log_total(epsilon + shift, 0.0) - error, log_total(epsilon - shift, len(totals) * 5e-324) + error
    log_infinite = math.log(infinite) if infinite > 0 else -math.inf
    low = float(np.logaddexp(low, log_infinite - 4 * LIBM)) if infinite > 0 else low
    high = min(0.0, float(np.logaddexp(high, log_infinite + 4 * LIBM)) if infinite > 0 else high)
    if high == -math.inf:
        return Bounds(0.0, 0.0, -math.inf, -math.inf, METHOD)
    low, high = (value + sign * 4 * LIBM * (1 + abs(value)) if value > -math.inf else value for value, sign in ((low, -1), (high, 1)))
    return Bounds.of_logs(min(low, high), min(high, 0.0), METHOD)


def _states(law: AtomsOnly, steps: int) -> tuple[Array, Array, float, float]:
    """Loss and log probability of every outcome of `steps` uses, a bound on the error of each logarithm, and one on that of each loss.

    With m atoms at most 3m operations make one number, whose parts sum to at most 2 log k! + k·max|log p| (Σ log n_i! ≤ log k!) and
    k·max|L|; a mass is off by 64 units at most besides `input_error`, a loss by 64 units of 1 + |L|.
    """
    losses, masses = np.array(law.atoms).T
    logs = np.log(masses)
    left = np.array([steps])
    totals, log_weights = np.zeros(1), np.full(1, float(special.gammaln(steps + 1.0)))
    for index in range(len(losses)):
        if index < len(losses) - 1:
            copies = left + 1
            source = np.repeat(np.arange(len(left)), copies)
            count = np.arange(len(source)) - np.repeat(np.cumsum(copies) - copies, copies)
            left, totals, log_weights = left[source] - count, totals[source], log_weights[source]
        else:
            count = left
        totals = totals + count * losses[index]
        log_weights = log_weights + (count * logs[index] - special.gammaln(count + 1.0))
    scale, size = float(np.max(np.abs(losses))), float(np.max(np.abs(logs)))
    operations = 3 * len(losses) * UNIT_ROUNDOFF
    error = (operations + LIBM + SPECIAL / 8) * (2 * float(special.gammaln(steps + 1.0)) + steps * size)
    error += steps * (64 * UNIT_ROUNDOFF + law.input_error)
    shift = steps * ((operations + 64 * UNIT_ROUNDOFF) * (scale + 1) + law.input_error) if scale > 0 else 0.0
    return totals, log_weights, error, shift
