"""δ(s) = P(L > s) − e^s·Q(L > s) in closed form, for one use and any real s. Docs: error-bounds.md, "Closed forms"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from dpbounds.recheck.bromwich import Law, Use
from dpbounds.recheck.gaussian_mixture import GaussianMixture
from dpbounds.recheck.noises import Gaussian, Laplace, SampledLaplace
from dpbounds.recheck.numbers import Numbers, Real, Refused


def profile(uses: Sequence[Use], s: Real, numbers: Numbers) -> Real:
    """δ(s) of Gaussian noise used any number of times, or of one use of a noise, sampled or not."""
    if all(isinstance(law, Gaussian) for law, _ in uses):
        return _gaussian(sum((law.variance * steps for law, steps in uses if isinstance(law, Gaussian)), Fraction(0)), s, numbers)
    if len(uses) != 1 or uses[0][1] != 1:
        raise Refused("a closed form is for Gaussian noise, or for one use of one noise")
    law = uses[0][0]
    if isinstance(law, Laplace):
        return _laplace(law.largest, s)
    if isinstance(law, SampledLaplace):
        return _exchanged(law, s, numbers) if law.reversed else _sampled(law.q, s, lambda t: _laplace(law.largest, t))
    if isinstance(law, GaussianMixture):
        if law.numerator and law.denominator:
            return _substitution(law, s, numbers)
        if law.denominator:
            return _exchanged(law, s, numbers)
        return _sampled(law.q, s, lambda t: _gaussian(1 / law.sigma**2, t, numbers))
    raise Refused("this law has no closed form")


def _gaussian(variance: Fraction, s: Real, numbers: Numbers) -> Real:
    """Φ̄(s/μ − μ/2) − e^s·Φ̄(s/μ + μ/2), μ² the sum of k/σ²."""
    mu = numbers.of(variance).root()
    return ((s / mu - mu / 2).upper_normal() - s.exp() * (s / mu + mu / 2).upper_normal()).positive_part()


def _laplace(largest: Fraction, s: Real) -> Real:
    """The largest of 0, 1 − e^s and 1 − e^{(s − ε₀)/2}."""
    return (1 - ((s - largest) / 2).exp()).maximum(1 - s.exp()).positive_part()


def _sampled(q: Fraction, s: Real, base: Callable[[Real], Real]) -> Real:
    """P − e^s·Q = q·(P₀ − e^t·Q) for e^t = (e^s − 1 + q)/q; 1 − e^s where that is not positive."""
    ratio = (s.exp() - (1 - q)) / q
    if ratio.surely_at_most(0):
        return 1 - s.exp()
    if not (-ratio).surely_below(0):
        raise Refused("a loss at the end of its range is not decided; more bits are needed")
    return base(ratio.log()) * q


def _exchanged(law: Law, s: Real, numbers: Numbers) -> Real:
    """δ of (Q, P) is 1 − e^s + e^s·δ(−s)."""
    return (1 - s.exp() + s.exp() * profile([(law.swapped(), 1)], -s, numbers)).positive_part()


def _substitution(law: GaussianMixture, s: Real, numbers: Numbers) -> Real:
    """The loss rises; with A = 1 − q, B = q·e^{−1/2σ²} and x = e^{t/σ} it is s where Bx² + A(1 − e^s)x − Be^s = 0."""
    b, factor = numbers.of(-1 / (2 * law.sigma**2)).exp() * law.q, s.exp()
    linear = (factor - 1) * (1 - law.q)
    t = ((linear + (linear**2 + b**2 * factor * 4).root()) / (b * 2)).log() * law.sigma
    away = 1 / law.sigma
    plain = t.upper_normal() * (1 - law.q)
    return (plain + (t - away).upper_normal() * law.q - factor * (plain + (t + away).upper_normal() * law.q)).positive_part()
