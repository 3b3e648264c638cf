"""δ(s) = P(L > s) − e^s·Q(L > s) in closed form, for one use and any real s. Docs: error-bounds.md, "Closed forms"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from dpbounds.recheck.bromwich import Law, Use
from dpbounds.recheck.fixed_size import FixedSize
from dpbounds.recheck.gaussian_mixture import GaussianMixture
from dpbounds.recheck.noises import Gaussian, Laplace, SampledLaplace
from dpbounds.recheck.numbers import Numbers, Real, Refused
from dpbounds.recheck.truncated_batch import TruncatedBatch


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
    if isinstance(law, FixedSize):
        if (-s).surely_at_most(0):
            return profile([(law.above, 1)], s, numbers)
        if s.surely_at_most(0):
            return _exchanged(law, s, numbers)
        raise Refused("the sign of a loss is not decided; more bits are needed")
    if isinstance(law, TruncatedBatch):
        return numbers.total([profile([(part, 1)], s, numbers) * weight for _, weight, part in law.parts()])
    if isinstance(law, GaussianMixture):
        if law.furthest > 1:
            return _mixture(law, s, numbers)
        if law.numerator and law.denominator:
            return _substitution(law, s, numbers)
        if law.denominator:
            return _exchanged(law, s, numbers)
        return _sampled(law.weights[1], s, lambda t: _gaussian(1 / law.sigma**2, t, numbers))
    raise Refused("this law has no closed form")


def profile_work(law: Law) -> int:
    """About how many operations one value takes."""
    return 5000 * law.furthest if isinstance(law, GaussianMixture) and law.furthest > 1 else 1000


def _gaussian(variance: Fraction, s: Real, numbers: Numbers) -> Real:
    """Φ̄(s/μ − μ/2) − e^s·Φ̄(s/μ + μ/2), μ² the sum of k/σ²."""
    mu = numbers.number(variance).root()
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
    q = law.weights[1]
    b, factor = numbers.number(-1 / (2 * law.sigma**2)).exp() * q, s.exp()
    linear = (factor - 1) * (1 - q)
    t = ((linear + (linear**2 + b**2 * factor * 4).root()) / (b * 2)).log() * law.sigma
    return _beyond(law, t, factor)


def _mixture(law: GaussianMixture, s: Real, numbers: Numbers) -> Real:
    """The loss rises from log w₀ where V = 1, and to −log w₀ where U = 1."""
    if law.weights[0] and law.numerator != law.denominator:
        end = numbers.number(law.weights[0]).log() * (1 if law.numerator else -1)
        if law.numerator and s.surely_at_most(end):
            return 1 - s.exp()
        if law.denominator and end.surely_at_most(s):
            return s * 0
    return _beyond(law, _level(law, s, numbers), s.exp())


def _beyond(law: GaussianMixture, t: Real, factor: Real) -> Real:
    """P(X > t) − e^s·Q(X > t), where t holds the point at which the loss is s."""
    masses = []
    for sign, present in ((-1, law.numerator), (1, law.denominator)):
        mass = t * 0
        for hits, weight in enumerate(law.weights if present else (Fraction(1),)):
            mass = mass + (t + sign * hits / law.sigma).upper_normal() * weight
        masses.append(mass)
    return (masses[0] - factor * masses[1]).positive_part()


def _level(law: GaussianMixture, s: Real, numbers: Numbers) -> Real:
    """An interval at whose ends the loss, which rises, is at most s and at least s."""
    t, bits = _approx_level(law, s, numbers), numbers.at.bits
    for n in range(4, bits, 6):
        away = Fraction(1 << n, 1 << bits)
        ends = [law.loss(numbers.number(end)) for end in (t - away, t + away)]
        if ends[0].surely_at_most(s) and s.surely_at_most(ends[1]):
            return s.about(t, away)
    raise Refused("the point where the loss is reached is not found; more bits are needed")


def _approx_level(law: GaussianMixture, s: Real, numbers: Numbers) -> Fraction:
    """About where the loss is s. How it is found does not matter."""
    bits, goal, loss = numbers.at.bits, float(sum(s.bounds()) / 2), law.approx_loss
    low, high = -1.0, 1.0
    while low > -1e5 and loss(low) > goal:
        low *= 2
    while high < 1e5 and loss(high) < goal:
        high *= 2
    while high - low > 1e-9 * (1 + abs(low)):
        low, high = ((low + high) / 2, high) if loss((low + high) / 2) < goal else (low, (low + high) / 2)
    slope = Fraction((loss(high + 1e-3) - loss(low - 1e-3)) / (high - low + 2e-3) or 1e-9)
    t = Fraction(low)
    for _ in range(3 + bits // 8):
        step = sum((law.loss(numbers.number(t)) - s).bounds(), Fraction(0)) / 2 / slope
        t = Fraction(round((t - step) * (1 << bits)), 1 << bits)
        if abs(step) < Fraction(1 << 10, 1 << bits):
            break
    return t
