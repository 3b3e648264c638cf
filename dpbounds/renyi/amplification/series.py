"""The exact series for the moment of the Poisson-sampled Gaussian at a real order (Mironov, Talwar & Zhang 2019, §3.3).

With x(z) = q/(1−q)·e^{(2z−1)/2σ²} and x(z₀) = 1 at z₀ = ½ + σ²log(1/q−1), the binomial series of (1−q)^α(1+x)^α converges for z ≤ z₀ and
that of q^α e^{α(2z−1)/2σ²}(1+1/x)^α for z ≥ z₀. Integrated against N(0, σ²) term by term,

    M = Σ_k C(α,k) [ (1−q)^{α−k} q^k e^{k(k−1)/2σ²}·½erfc((k−z₀)/√2σ) + (1−q)^k q^{α−k} e^{(α−k)(α−k−1)/2σ²}·½erfc((z₀−α+k)/√2σ) ].

Truncation: for k > α the coefficients C(α,k) alternate in sign and fall in size, at every z, so what is left out after n > α terms lies
between 0 and the first term left out. (TensorFlow Privacy's `_compute_log_a_frac` sums this series in float64.)
"""

from __future__ import annotations

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball, working_bits
from dpbounds.numbers.domains import order_above_one, positive, probability
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified

MOST_TERMS = 20_000


def log_moment_series_of(
    alpha: exact.Number, sigma: exact.Number, q: exact.Number, digits: int = 12, most_terms: int = MOST_TERMS
) -> Enclosure:
    """log E_Q[(dP/dQ)^α] = (α−1)·D_α of the Poisson-sampled Gaussian, direction remove, by the series.

    Args:
        alpha: real order > 1.
        sigma: noise multiplier > 0.
        q: sampling rate, 0 < q < 1.
        digits: certified digits. Terms fall like k^{−α−2} times e^{−z₀²/2σ²}, so the series is slow where z₀/σ is small;
            `renyi.curves.PoissonGaussianCurve` does not mind.
        most_terms: give up beyond that many terms.

    Raises:
        PrecisionError: the digits need more terms.

    >>> from dpbounds.renyi.curves import PoissonGaussianCurve
    >>> log_moment_series_of("2.5", 2, "0.01").contains(certified(lambda: PoissonGaussianCurve(2, "0.01").cumulant(ball(3) / 2), 20))
    True
    """
    order, noise, rate = order_above_one(alpha), positive(sigma, "sigma (the noise multiplier)"), probability(q, "q (the sampling rate)")
    if not 0 < rate < 1:
        raise InputError(f"q (the sampling rate) must lie strictly between 0 and 1 for the series, got {exact.text(rate)}")
    return certified(lambda: _moment(as_ball(order), as_ball(noise), as_ball(rate), most_terms).log(), digits)


def _moment(alpha: Ball, sigma: Ball, q: Ball, most_terms: int) -> Ball:
    scale, root = 2 * sigma * sigma, ball(2).sqrt() * sigma
    meeting = ball(1) / 2 + sigma * sigma * (1 / q - 1).log()
    coefficient, total = ball(1), ball(0)
    goal = ball(2) ** (8 - working_bits())
    for k in range(most_terms + 1):
        back = alpha - k
        left = (1 - q) ** back * q**k * (k * (ball(k) - 1) / scale).exp() * ((k - meeting) / root).erfc() / 2
        right = (1 - q) ** k * q**back * (back * (back - 1) / scale).exp() * ((meeting - back) / root).erfc() / 2
        term = coefficient * (left + right)
        if k > alpha and (k == most_terms or abs(term) < goal):
            return total + ball(0).union(term)
        total += term
        coefficient = coefficient * back / (k + 1)
    return Ball.nan()  # fewer terms than the order: no remainder is known
