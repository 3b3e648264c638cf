"""Bounds on the smallest ρ for which a reading is ρ-zCDP; μ-GDP claims are decided by ρ = μ²/2.

Gaussian noise at distance d has D_α = αd²/(2σ²), and k uses that see a record make ρ = k·d²/(2σ²). Sampling does not lower it: the Rényi
divergence of a mixture is at most that of its components (quasi-convexity), and a mixture that holds N(d, σ²) with a fixed weight q has
D_α ≥ αd²/(2σ²) − log(1/q)·α/(α−1), so sup_α D_α/α is at least d²/(2σ²). μ-GDP implies μ²/2-zCDP, and k Gaussian uses are
√(2ρ)-GDP, so the same ρ decides both. A pure ε is at most ε²/2-zCDP (Bun & Steinke 2016, Proposition 3.3). Of g records of a user all
are drawn with probability q^g, so the same argument gives the distance g; g²ρ bounds every ρ-zCDP mechanism (their Proposition 1.9),
and Gaussian noise attains it.
"""

from __future__ import annotations

from fractions import Fraction

from dpbounds.mechanisms.formula import FormulaNoise
from dpbounds.verify.sides import Missing, count_of, require, steps_of
from dpbounds.verify.statement import NOISES, PREMISES, MechanismUse, Statement


def rho_ends(statement: Statement, sampling: str, relation: str, *, worst: bool) -> tuple[Fraction, Fraction | None]:
    """Certified ends of the smallest ρ at one end of the printed intervals; None where there is no upper one.

    Args:
        statement: what is printed.
        sampling, relation: the reading.
        worst: True takes the ends where the privacy loss is largest, False those where it is smallest.

    Raises:
        Missing: what the text does not say, or what has no bound here.
    """
    if statement.formula is not None:
        mechanism, ends_of_mu = statement.formula.mechanism, statement.formula.ends().mu
        if statement.promise.kind == "rho" and isinstance(mechanism, FormulaNoise) and (known := mechanism.rho_ends()) is not None:
            return known
        if ends_of_mu is None:
            raise Missing(f"a certified {statement.promise.kind} of a statement of the kind {statement.formula.kind}")
        low, high = ends_of_mu
        return low**2 / 2, high**2 / 2
    ends = [_of_part(part, sampling, relation, worst) for part in statement.parts]
    most = [high for _, high in ends if high is not None]
    return sum((low for low, _ in ends), Fraction(0)), sum(most, Fraction(0)) if len(most) == len(ends) else None


def _of_part(part: MechanismUse, sampling: str, relation: str, worst: bool) -> tuple[Fraction, Fraction | None]:
    if part.amount is None or part.noise is None:
        raise Missing("the noise: the text gives a target and no noise multiplier, so nothing can be checked")
    uses = count_of(part, worst)
    if part.noise in (*PREMISES, "randomized-response"):
        if part.noise == "randomized-response" and part.group > 1:
            raise Missing(f"a certified bound for {part.group} records of one user with randomized-response")
        amount = part.amount.high if worst else part.amount.low
        rho = uses * part.group**2 * (amount if part.noise == "rho" else amount**2 / 2)
        return (rho if part.noise in ("rho", "mu") else Fraction(0)), rho
    if part.noise not in NOISES:
        raise Missing(f"a certified rho of {part.noise}")
    amount = part.amount.low if worst else part.amount.high
    if part.group > 1 and sampling not in ("none", "poisson"):
        raise Missing(f"a certified bound for {part.group} records of one user with {sampling} sampling")
    distance = part.group * (2 if relation == "substitute" else 1)
    if part.noise == "laplace-scale":
        if sampling not in ("none", "poisson"):
            raise Missing(f"a certified bound for Laplace noise with {sampling} sampling")
        uses = uses if sampling == "none" else steps_of(part, worst)
        return Fraction(0), uses * (distance / amount) ** 2 / 2
    if sampling in ("with-replacement", "truncated-poisson"):
        raise Missing(f"a certified bound for {sampling} sampling")
    near, far = distance, distance
    if sampling in ("poisson", "without-replacement"):
        uses = steps_of(part, worst)
        if sampling == "without-replacement":
            near, far = (1, 2) if relation == "zero-out" else (2, 2)
        else:
            near = part.group
    elif sampling in ("shuffled", "random-allocation"):
        require(part.passes(), "the number of epochs")
        near = 1
    unit = uses / (2 * amount**2)
    unbounded = sampling == "shuffled" and relation == "add-or-remove"
    return near**2 * unit, None if unbounded else far**2 * unit
