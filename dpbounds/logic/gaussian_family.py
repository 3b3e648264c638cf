"""Shorthands for the Gaussian family and private selection in claims: each is written out where it is used, so nothing new is trusted."""

from __future__ import annotations

from typing import Any

from dpbounds.logic.definitions import Definition
from dpbounds.logic.notation import GaussianDelta, NormalCDF, NormalQuantile, exp, sqrt
from dpbounds.logic.terms import Term, term

_BOK = "Bok, Su & Altschuler 2024, arXiv 2403.00278"


def gaussian_tradeoff(alpha: Any, mu: Any) -> Term:
    """G_μ(α) = Φ(Φ⁻¹(1 − α) − μ): the least false-negative rate of a μ-GDP mechanism at the false-positive rate α.

    >>> from dpbounds.logic.notation import positive
    >>> gaussian_tradeoff(positive("alpha"), 1)
    NormalCDF(NormalQuantile(1 - alpha) - 1)
    """
    return NormalCDF(NormalQuantile(1 - term(alpha)) - term(mu))


def gaussian_dp_delta(epsilon: Any, mu: Any) -> Term:
    """The least δ for ε of all that is μ-GDP.

    >>> gaussian_dp_delta(1, 2)
    GaussianDelta(1, 1/2, 1)
    """
    return GaussianDelta(epsilon, 1 / term(mu), 1)


def hidden_state_mu(contraction: Any, gradient_change: Any, sigma: Any, steps: Any) -> Term:
    """μ of the last iterate after t full-batch steps, convex losses, contraction 0 < c < 1, common start, no projection: attained."""
    c, s, noise = term(contraction), term(gradient_change), term(sigma)
    power = c ** term(steps)
    return s / noise * sqrt((1 + c) * (1 - power) / ((1 - c) * (1 + power)))


def projected_mu(distance: Any, gradient_change: Any, sigma: Any, steps: Any) -> Term:
    """μ of the last iterate for convex losses, projected to diameter D, by the last m ≤ t steps: an upper bound; `distance` is D/η."""
    d, s, noise, m = term(distance), term(gradient_change), term(sigma), term(steps)
    return (d + m * s) / (sqrt(m) * noise)


def contracted_mu(distance: Any, gradient_change: Any, sigma: Any, contraction: Any, steps: Any) -> Term:
    """`projected_mu` where a gradient step contracts by 0 < c < 1: an upper bound."""
    d, s, noise, c, m = term(distance), term(gradient_change), term(sigma), term(contraction), term(steps)
    return (c**m * d + s * (1 - c**m) / (1 - c)) / (noise * sqrt((1 - c ** (2 * m)) / (1 - c**2)))


def range_bounded_delta(epsilon: Any, eta: Any) -> Term:
    """The δ of one use whose losses have a range of η, as of the exponential mechanism and noisy max with Gumbel noise; ε ≤ η."""
    return (exp((term(epsilon) - term(eta)) / 2) - 1) ** 2 / (1 - exp(-term(eta)))


def permute_and_flip_delta(epsilon: Any, eta: Any) -> Term:
    """The δ of one use of permute-and-flip of pure ε = η, for ε ≤ η: that of Laplace noise."""
    return 1 - exp((term(epsilon) - term(eta)) / 2)


SHORTHANDS: tuple[Definition, ...] = (
    Definition(
        "gaussian_tradeoff", "the least false-negative rate of μ-GDP at the false-positive rate α", "gaussian_tradeoff(alpha, mu)",
        "NormalCDF(NormalQuantile(1 - alpha) - mu)", ("alpha > 0", "alpha < 1"), "Dong, Roth & Su 2022, (4)",
    ),
    Definition(
        "gaussian_dp_delta", "the least δ for ε of all that is μ-GDP", "gaussian_dp_delta(epsilon, mu)",
        "GaussianDelta(epsilon, 1/mu, 1)", ("mu > 0",), "Dong, Roth & Su 2022, Corollary 2.13",
    ),
    Definition(
        "hidden_state_mu", "the μ of the last iterate of noisy gradient descent from a common start, without projection",
        "hidden_state_mu(c, s, sigma, t)", "s/sigma*sqrt((1 + c)*(1 - c**t)/((1 - c)*(1 + c**t)))",
        ("c > 0", "c < 1", "s > 0", "sigma > 0", "t >= 1"), f"{_BOK}, Theorem 4.2",
        "Convex losses, full batch; a gradient step shrinks distances by the factor c or more, a neighbour moves a gradient by s at most. "
        "Some such losses have exactly this μ.",
    ),
    Definition(
        "projected_mu", "the bound on the μ of the last iterate of noisy gradient descent, projected to a diameter, by its last m steps",
        "projected_mu(d, s, sigma, m)", "(d + m*s)/(sqrt(m)*sigma)", ("d > 0", "s > 0", "sigma > 0", "m >= 1"), f"{_BOK}, Theorem 4.6",
        "Convex losses, full batch; d is the diameter over the step size, a neighbour moves a gradient by s at most, and m is at most the "
        "number of steps.",
    ),
    Definition(
        "contracted_mu",
        "the bound on the μ of the last iterate, projected to a diameter, where a gradient step contracts, by the last m steps",
        "contracted_mu(d, s, sigma, c, m)", "(c**m*d + s*(1 - c**m)/(1 - c))/(sigma*sqrt((1 - c**(2*m))/(1 - c**2)))",
        ("d > 0", "s > 0", "sigma > 0", "c > 0", "c < 1", "m >= 1"), f"{_BOK}, Theorem 4.6",
        "Strongly convex losses, full batch; d is the diameter over the step size, a gradient step shrinks distances by the factor c or "
        "more, a neighbour moves a gradient by s at most, and m is at most the number of steps.",
    ),
    Definition(
        "range_bounded_delta",
        "the δ of one use of the exponential mechanism, or of noisy max with Gumbel noise, whose losses have a range of η",
        "range_bounded_delta(epsilon, eta)", "(exp((epsilon - eta)/2) - 1)**2/(1 - exp(-eta))",
        ("eta > 0", "epsilon >= 0", "epsilon <= eta"), "Dong, Durfee & Rogers 2020, arXiv 1909.13830, Theorem 3",
        "Two candidates have exactly this δ; beyond η it is 0.",
    ),
    Definition(
        "permute_and_flip_delta", "the δ of one use of permute-and-flip, the largest score with exponential noise, of pure ε = η",
        "permute_and_flip_delta(epsilon, eta)", "1 - exp((epsilon - eta)/2)",
        ("eta > 0", "epsilon >= 0", "epsilon <= eta"), "docs/permute-and-flip.md",
        "A neighbour moves each score by at most the sensitivity. Two candidates have exactly this δ; beyond η it is 0.",
    ),
)  # fmt: skip
"""What `dpbounds define` says of them; statements are not unfolded by these, they are written out already."""
