"""Where δ(ε) is a closed form or a short finite sum, in float64 with an error bound.

* Gaussian pairs only: the composition is one Gaussian pair with μ² = Σ k_f/σ_f² (sensitivity 1), and
  δ = Φ(−a) − e^ε Φ(−b), a = ε/μ − μ/2, b = a + μ (Balle & Wang 2018, Thm 8), evaluated as ½e^{−a²/2}(erfcx(a/√2) − erfcx(b/√2)).
* One step of Poisson sampling, remove: δ_q(ε) = q·δ_G(log(1 + (e^ε−1)/q)) (Balle, Barthe & Gaboardi 2018, Thm 2 with equality for the
  dominating pair). Add: with t* where the loss is ε and w = (2t*+1)/2σ², δ = e^{ε−w}·q·(Φ(−t*/σ) − e^wΦ(−(t*+1)/σ)).
* Two atoms (randomized response, two-point tables), k steps: a binomial sum. One step of any finite table: the sum itself.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from dpbounds import pairs
from dpbounds.accountants.losses import AtomsOnly, GaussianMixture, loss_law
from dpbounds.accountants.result import Bounds
from dpbounds.accountants.rounding import LIBM, SPECIAL, UNIT_ROUNDOFF, sum_error

MAX_TERMS = 4_000_000
METHOD = "closed form"


def delta_bounds(product: pairs.Product, epsilon: float) -> Bounds | None:
    """Bounds of δ(ε) where a closed form is known, else None.

    >>> from dpbounds import mechanisms as m
    >>> product = pairs.dominating_pairs(m.Repeated(m.Gaussian(10), 100))[0]
    >>> delta_bounds(product, 1.0).relative_width < 1e-11
    True
    """
    laws = [loss_law(factor) for factor in product.factors]
    steps = [factor.steps for factor in product.factors]
    if all(isinstance(law, GaussianMixture) and law.is_gaussian for law in laws):
        mu = math.sqrt(math.fsum(count / law.sigma**2 for law, count in zip(laws, steps, strict=True)))  # type: ignore[union-attr]
        return _gaussian(mu, epsilon)
    if len(laws) != 1:
        return None
    law, count = laws[0], steps[0]
    if isinstance(law, AtomsOnly):
        return _binomial(law, count, epsilon) if len(law.atoms) <= 2 or count == 1 else None
    if count == 1 and isinstance(law, GaussianMixture) and law.degree == 1:
        if len(law.lower) == 1:
            return _sampled_remove(law, epsilon)
        if len(law.upper) == 1:
            return _sampled_add(law, epsilon)
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


def _binomial(law: AtomsOnly, steps: int, epsilon: float) -> Bounds | None:
    """Σ over the numbers of each atom of probability times (1 − e^{ε−s})₊, plus the chance of an infinite loss."""
    infinite = -math.expm1(steps * math.log1p(-law.infinite_mass)) if law.infinite_mass < 1 else 1.0
    if not law.atoms or steps + 1 > MAX_TERMS:
        return Bounds.of_values(infinite * (1 - 1e-14), min(1.0, infinite * (1 + 1e-14)), METHOD) if not law.atoms else None
    losses, masses = np.array([loss for loss, _ in law.atoms]), np.array([mass for _, mass in law.atoms])
    scale = float(np.max(np.abs(losses)))
    shift = steps * UNIT_ROUNDOFF * 64 * (scale + (scale > 0)) + 8 * UNIT_ROUNDOFF * abs(epsilon) if scale > 0 else 0.0
    if steps == 1:
        totals, log_weights, error = losses, np.log(masses), 32 * UNIT_ROUNDOFF
    elif len(law.atoms) == 1:
        totals, log_weights, error = steps * losses, steps * np.log(masses), 64 * UNIT_ROUNDOFF * steps
    else:
        count = np.arange(steps + 1, dtype=float)
        choose = special.gammaln(steps + 1.0) - special.gammaln(count + 1) - special.gammaln(steps - count + 1)
        log_weights = choose + count * math.log(masses[1]) + (steps - count) * math.log(masses[0])
        totals = count * losses[1] + (steps - count) * losses[0]
        size = 3 * float(special.gammaln(steps + 1.0)) + steps * (abs(math.log(masses[0])) + abs(math.log(masses[1])) + 4)
        error = (LIBM + SPECIAL / 8) * size + sum_error(steps + 1)

    def total(at: float) -> float:
        above = totals > at
        if not above.any():
            return -math.inf
        with np.errstate(divide="ignore"):
            logs = log_weights[above] + np.log(-np.expm1(at - totals[above]))
        return float(special.logsumexp(logs)) if np.isfinite(logs).any() else -math.inf

    low, high = total(epsilon + shift) - error - 8 * LIBM, total(epsilon - shift) + error + 8 * LIBM
    log_infinite = math.log(infinite) if infinite > 0 else -math.inf
    low, high = float(np.logaddexp(low, log_infinite - 4 * LIBM)), min(0.0, float(np.logaddexp(high, log_infinite + 4 * LIBM)))
    if high == -math.inf:
        return Bounds(0.0, 0.0, -math.inf, -math.inf, METHOD)
    return Bounds.of_logs(min(low - 4 * LIBM * (1 + abs(low)), high) if low > -math.inf else low, high, METHOD)
