"""Private minimisers of an empirical risk: noise on the minimiser, or on the objective before it is minimised.

The objective is J(θ) = (1/n)·Σ ℓ(y_i θᵀx_i) + Λ·N(θ) over θ in R^d. Assumptions of every function here:

* neighbours replace one of n records; n is public;
* ‖x_i‖ ≤ 1, |y_i| ≤ 1, and ℓ is convex with |ℓ′| ≤ L;
* N is differentiable and 1-strongly convex, as ‖θ‖²/2 is;
* the minimiser is exact. A numerical one is another mechanism: what is left of the gradient must be charged too.

Source: Chaudhuri, Monteleoni & Sarwate 2011, "Differentially Private Empirical Risk Minimization", JMLR 12, Theorems 6 and 9 and
Corollary 8, which have L = 1. `trustworthy2022.output-perturbation` and `.objective-perturbation` in the catalogue prove the steps.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.domains import at_least_one, positive
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified, decide


def minimiser_sensitivity_of(records: int, strength: exact.Number, lipschitz: exact.Number = 1, digits: int = 15) -> Enclosure:
    """2L/(nΛ): how far the minimiser moves, in the Euclidean norm, when one record is replaced.

    Args:
        records: n ≥ 1.
        strength: Λ > 0.
        lipschitz: L > 0, a bound on |ℓ′|: 1 for the logistic and the hinge loss.

    Gaussian noise of σ times this in every coordinate is the Gaussian mechanism with noise multiplier σ.

    >>> minimiser_sensitivity_of(1000, "0.01").contains(exact.rational("1/5"))
    True
    """
    count, convexity, slope = at_least_one(records, "records"), positive(strength, "strength"), positive(lipschitz, "lipschitz")
    return certified(lambda: 2 * as_ball(slope) / (as_ball(count) * as_ball(convexity)), digits)


def minimiser_noise_rate_of(
    epsilon: exact.Number, records: int, strength: exact.Number, lipschitz: exact.Number = 1, digits: int = 15
) -> Enclosure:
    """β = εnΛ/(2L): noise with density ∝ e^{−β‖b‖} on the minimiser is ε-differentially private for every β up to this.

    The norm of such noise has the Gamma distribution of shape d and rate β, and its direction is uniform.

    >>> minimiser_noise_rate_of(1, 1000, "0.01").contains(5)
    True
    """
    count, convexity, slope = at_least_one(records, "records"), positive(strength, "strength"), positive(lipschitz, "lipschitz")
    loss = positive(epsilon, "epsilon")
    return certified(lambda: as_ball(loss) * as_ball(count) * as_ball(convexity) / (2 * as_ball(slope)), digits)


@dataclass(frozen=True)
class ObjectiveNoise:
    """What objective perturbation minimises: J(θ) + bᵀθ/n + Δ‖θ‖²/2, with density of b ∝ e^{−β‖b‖}.

    Attributes:
        extra: Δ ≥ 0; its upper end, or more, is safe.
        rate: β; its lower end, or less, is safe.
    """

    extra: Enclosure
    rate: Enclosure


def objective_noise_of(
    epsilon: exact.Number, records: int, strength: exact.Number, curvature: exact.Number, lipschitz: exact.Number = 1, digits: int = 15
) -> ObjectiveNoise:
    """Δ and β that make objective perturbation ε-differentially private.

    With t = c/(nΛ): where ε′ = ε − 2·log(1 + t) > 0, Δ = 0 and β = ε′/(2L). Else Δ = c/(n(e^{ε/4} − 1)) − Λ and β = ε/(4L).

    Args:
        epsilon: ε > 0.
        records, strength, lipschitz: as of `minimiser_sensitivity_of`.
        curvature: c > 0, a bound on |ℓ″|: 1/4 for the logistic loss. ℓ and N are twice differentiable.

    >>> found = objective_noise_of(1, 1000, "0.01", "1/4")
    >>> float(found.extra.upper), found.rate.lower_decimal(4)
    (0.0, '0.4753')
    """
    count, convexity, bend = at_least_one(records, "records"), positive(strength, "strength"), positive(curvature, "curvature")
    loss, slope = positive(epsilon, "epsilon"), positive(lipschitz, "lipschitz")
    if _is_left(loss, bend / (count * convexity)):
        rate = certified(
            lambda: (as_ball(loss) - 2 * (as_ball(bend) / (as_ball(count) * as_ball(convexity))).log1p()) / (2 * as_ball(slope)), digits
        )
        return ObjectiveNoise(Enclosure.exactly(0), rate)
    extra = certified(lambda: as_ball(bend) / (as_ball(count) * (as_ball(loss) / 4).expm1()) - as_ball(convexity), digits)
    return ObjectiveNoise(extra, certified(lambda: as_ball(loss) / (4 * as_ball(slope)), digits))


def _is_left(epsilon: Exact, share: Exact) -> bool:
    """Whether ε is more than what the Jacobian takes, 2·log(1 + t)."""

    def more() -> bool | None:
        gap = as_ball(epsilon) - 2 * as_ball(share).log1p()
        return True if gap > 0 else False if gap < 0 else None

    return decide(more, "epsilon > 2 log(1 + c/(n strength))")
