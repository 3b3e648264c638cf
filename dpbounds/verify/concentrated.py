"""Bounds on the smallest ρ for which a reading is ρ-zCDP; μ-GDP claims are decided by ρ = μ²/2.

Gaussian noise at distance d has D_α = αd²/(2σ²), and k uses that see a record make ρ = k·d²/(2σ²). Sampling does not lower it: the Rényi
divergence of a mixture is at most that of its components (quasi-convexity), and a mixture that holds N(d, σ²) with a fixed weight q has
D_α ≥ αd²/(2σ²) − log(1/q)·α/(α−1), so sup_α D_α/α is at least d²/(2σ²). μ-GDP implies μ²/2-zCDP, and k Gaussian uses are
√(2ρ)-GDP, so the same ρ decides both. A pure ε is at most ε²/2-zCDP (Bun & Steinke 2016, Proposition 3.3).
"""

from __future__ import annotations

from fractions import Fraction

from dpbounds.verify.sides import Missing, count_of, require, steps_of
from dpbounds.verify.statement import Part, Statement


def rho_ends(statement: Statement, sampling: str, relation: str) -> tuple[Fraction, Fraction | None]:
    """Certified ends of the smallest ρ, over everything that the printed intervals may mean; None where there is no upper one.

    Raises:
        Missing: what the text does not say, or what has no bound here.
    """
    low, high = Fraction(0), Fraction(0)
    unknown = False
    for part in statement.parts:
        least, most = _of_part(part, sampling, relation)
        low += least
        unknown |= most is None
        high += most or 0
    return low, None if unknown else high


def _of_part(part: Part, sampling: str, relation: str) -> tuple[Fraction, Fraction | None]:
    if part.amount is None or part.noise is None:
        raise Missing("the noise: the text gives a target and no noise multiplier, so nothing can be checked")
    small, large = part.amount.low, part.amount.high
    few, many = count_of(part, worst=False), count_of(part, worst=True)
    if part.noise == "rho":
        return few * small, many * large
    if part.noise == "mu":
        return few * small**2 / 2, many * large**2 / 2
    if part.noise in ("pure-epsilon", "randomized-response"):
        return Fraction(0), many * large**2 / 2
    distance = 2 if relation == "substitute" else 1
    if part.noise == "laplace-scale":
        if sampling not in ("none", "poisson"):
            raise Missing(f"a certified bound for Laplace noise with {sampling} sampling")
        uses = many if sampling == "none" else steps_of(part, worst=True)
        return Fraction(0), uses * (Fraction(distance) / small) ** 2 / 2
    if sampling in ("with-replacement", "truncated-poisson"):
        raise Missing(f"a certified bound for {sampling} sampling")
    near, far = distance, distance
    if sampling in ("poisson", "without-replacement"):
        few, many = steps_of(part, worst=False), steps_of(part, worst=True)
        if sampling == "without-replacement":
            near, far = (1, 2) if relation == "zero-out" else (2, 2)
        else:
            near = 1
    elif sampling in ("shuffled", "random-allocation"):
        require(part.passes(), "the number of epochs")
        near = 1
    upper = many * Fraction(far) ** 2 / (2 * small**2)
    unbounded = sampling == "shuffled" and relation == "add-or-remove"
    return few * Fraction(near) ** 2 / (2 * large**2), None if unbounded else upper
