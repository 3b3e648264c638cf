"""Both ends of the Gaussian blanket where one message can outweigh the mean of all, and neither a contour nor a lattice has a digit.

Call a message a *jump* if its loss t is above τ ≥ ε on the side of 0; X = e^t − e^ε is positive there. Let p = P(jump), m = E X.

* **Below.** E(S)₊ ≥ E[S; a jump] = E S − E[S; none], and with q = 1 − p the last is n·E[X; no jump]·q^{n−1}, so that

      E(S)₊/n ≥ m(1 − q^{n−1}) + E[X; jump]·q^{n−1}.

* **Above.** Let C be the sum with 0 in place of jumps. Then S = C where there is none; else, for each d ≤ 0 and the sum S′ of the others,
  S₊ ≤ (X + d)₊ + (S′ − d)₊ at each jump, and S′ is C′ and the jumps among the others. By x₊ ≤ e^{λx−1}/λ,

      E(S)₊/n ≤ M(λ)ⁿ/(eλn) + E[(X + d)₊; jump] + p·(e^{−μd}M(μ)^{n−1}/(eμ) + (n − 1)·E[X; jump]),

  M of the law that has X = 0 for jumps. With d near the mean of S′ the second term is the value, and the others are small.

With ω = min(p_0, p_1) the messages whose loss is above t have the mass Φ(−1/(2σ) − σt), and Φ(1/(2σ) − σt) under the input 0.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.mechanisms.formula import gaussian_delta
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.to_digits import normal_cdf
from dpbounds.shuffle.contour import NodeLine, Sum, SummandModel
from dpbounds.shuffle.noise import NoiseSummand, gaussian
from dpbounds.shuffle.positive_part import saddle

_BITS, _PLACES, _ROUNDS, _WIDEST = 96, 120, 3, 38.0
_BEFORE, _STEP = 9, 0.25
"""Cuts that are tried for the upper bound: so many before the best one for the lower bound."""
_SHARES = (0.99, 0.96, 0.88, 0.6)
"""Of the mean of S′, for d."""


@lru_cache(maxsize=64)
def jump_delta(users: int, sigma: Exact, epsilon: float) -> Enclosure:
    """Between both bounds, and not above the δ of the noise alone, n ≥ 2, for every ε that rounds to this float.

    >>> from fractions import Fraction
    >>> found = jump_delta(10_000, Fraction(4, 5), 1.0)
    >>> found.lower_decimal(3), found.upper_decimal(2)
    ('5.15e-14', '6.5e-14')
    """
    with precision(_BITS):
        loss, spread = arb(epsilon) * arb(1, 2.0**-51), exact_ball(sigma)
        least = least_cut(spread, loss)
        low, high = least, least + _WIDEST
        for _ in range(_ROUNDS):
            cuts = [low + (high - low) * place / _PLACES for place in range(_PLACES + 1)]
            bounds = [lower_bound(users, spread, loss, arb(cut)) for cut in cuts]
            best = max(range(_PLACES + 1), key=lambda place: float(bounds[place].mid()))
            low, high = cuts[max(0, best - 2)], cuts[min(_PLACES, best + 2)]
        above = gaussian_delta(1 / spread, loss)
        for back in range(_BEFORE):
            with suppress(OverflowError, ValueError, PrecisionError):  # from a law that is too steep for floats
                above = above.min(upper_bound(users, spread, loss, max(least, cuts[best] - _STEP * back)))
        return Enclosure.between(bounds[best].nonnegative_part(), above)


def least_cut(sigma: arb, epsilon: arb) -> float:
    """Standard deviations beyond the input from which on τ ≥ ε, for every ε of the ball."""
    return max(0.0, float((sigma * epsilon - 1 / (2 * sigma)).upper())) * (1 + 2.0**-40)


def lower_bound(users: int, sigma: arb, epsilon: arb, cut: arb) -> arb:
    """The first bound, jumps from `cut` standard deviations beyond the input on."""
    level, rare = epsilon.exp(), normal_cdf(-cut - 1 / sigma)
    some = -((users - 1) * (-rare).log1p()).expm1()
    return (1 - level) * some + (normal_cdf(-cut) - level * rare) * (1 - some)


def upper_bound(users: int, sigma: arb, epsilon: arb, cut: float) -> arb:
    """The second bound, with d, λ and μ that are good in floats."""
    noise = gaussian(sigma, epsilon, arb(cut))
    model = SummandModel.of_noise(noise, users)
    rate, found = saddle(model.values, model.weights, users, 1) / model.scale, arb.pos_inf()
    for share in _SHARES:
        d = share * (users - 1) * min(0.0, float((1 - noise.level).mid()))
        moved = [value - d / model.scale / (users - 1) for value in model.values]
        other = saddle(moved, model.weights, users - 1, 1) / model.scale
        found = found.min(sum(upper_terms(users, sigma, noise, arb(cut), (d, rate, other)), arb(0)))
    return found


def upper_terms(users: int, sigma: arb, noise: NoiseSummand, cut: arb, chosen: tuple[float, float, float]) -> tuple[arb, arb, arb]:
    """Its three terms, for d, λ and μ."""
    d, rate, other = (arb(value) for value in chosen)
    law = Sum(noise, users, NodeLine(chosen[2], 0.0, 0, chosen[1], 0.0, 0, 0.0), wide=True)
    alone = law.moment(rate) ** users / (rate * arb(1).exp() * users)
    beside = law.moment(other) ** (users - 1) * (-other * d).exp() / (other * arb(1).exp())
    half, level, rare = 1 / (2 * sigma), noise.level, normal_cdf(-cut - 1 / sigma)
    start = noise.end.max((level - d).log())
    outweighs = normal_cdf(half - sigma * start) - (level - d) * normal_cdf(-half - sigma * start)
    return alone, outweighs, rare * (beside + (users - 1) * (normal_cdf(-cut) - level * rare))
