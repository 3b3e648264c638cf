"""What steps, epochs and selections cost in ρ-zCDP: D_α ≤ αρ for every order (Bun & Steinke 2016)."""

from __future__ import annotations

from collections.abc import Sequence

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.domains import at_least_one, delta_between, nonnegative, positive, probability
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified
from dpbounds.renyi.conversions.single_order import zcdp_epsilon_of


def gaussian_rho_of(sigma: exact.Number, sensitivity: exact.Number = 1, digits: int = 15) -> Enclosure:
    """ρ = Δ²/(2σ²), exact for Gaussian noise of standard deviation σ. Source: Bun & Steinke 2016, Proposition 1.6.

    >>> gaussian_rho_of(6).lower_decimal(3)
    '0.0138'
    """
    noise, shift = positive(sigma, "sigma (the noise multiplier)"), nonnegative(sensitivity, "sensitivity")
    return certified(lambda: (as_ball(shift) / as_ball(noise)) ** 2 / 2, digits)


def pure_rho_of(epsilon: exact.Number, digits: int = 15) -> Enclosure:
    """ρ = ε²/2 for an ε-DP mechanism. Source: Bun & Steinke 2016, Proposition 1.4.

    >>> pure_rho_of(1).contains(exact.rational("1/2"))
    True
    """
    loss = nonnegative(epsilon, "epsilon")
    return certified(lambda: as_ball(loss) ** 2 / 2, digits)


def bounded_range_rho_of(epsilon: exact.Number, digits: int = 15) -> Enclosure:
    """ρ = ε²/8 for a mechanism of ε-bounded range, the exponential mechanism above all.

    Yu et al. 2019, IV-A3, charge ε²/2 for it, which holds and is four times as much. Source: Cesar & Rogers 2021, Lemma 3.2.

    >>> bounded_range_rho_of(1).contains(exact.rational("1/8"))
    True
    """
    loss = nonnegative(epsilon, "epsilon")
    return certified(lambda: as_ball(loss) ** 2 / 8, digits)


def group_rho_of(rho: exact.Number, size: exact.Number, digits: int = 15) -> Enclosure:
    """t²ρ for data sets that differ in t records. Source: Bun & Steinke 2016, Proposition 1.9.

    >>> group_rho_of("0.5", 3).contains(exact.rational("4.5"))
    True
    """
    slope, count = nonnegative(rho, "rho"), at_least_one(size, "group size")
    return certified(lambda: count**2 * as_ball(slope), digits)


def epoch_rho_of(rhos: Sequence[exact.Number], digits: int = 15) -> Enclosure:
    """max ρ_i for adaptive steps on disjoint batches.

    Assumptions: the batches come from a partition of the domain of records that does not depend on the data (a random one is fine), and
    neighbours differ by adding or removing one record. The average of the ρ_i is not enough, and one epoch of reshuffling into batches
    of equal size is not such a partition: adding a record moves the others.

    Source: Yu et al. 2019, Theorem 2.

    >>> epoch_rho_of(["0.1", "0.3"]).contains(exact.rational("0.3"))
    True
    """
    read = [nonnegative(rho, "rho") for rho in rhos]
    if not read:
        raise InputError("an epoch needs at least one step")

    return certified(lambda: largest_of(read), digits)


def reshuffled_epsilon_of(sigma: exact.Number, epochs: exact.Number, delta: exact.Number, digits: int = 15) -> Enclosure:
    """ε of E epochs at noise σ, each costing 1/(2σ²): Yu et al.'s zCDP(RF) accounting, E/(2σ²) converted by Proposition 1.

    Assumptions: those of `epoch_rho_of`.

    >>> reshuffled_epsilon_of(6, 400, "1e-5").lower_decimal(4)
    '21.55'
    """
    noise, count = positive(sigma, "sigma (the noise multiplier)"), at_least_one(epochs, "epochs")
    chance = delta_between(delta)
    return zcdp_epsilon_of(count / (2 * noise**2), chance, digits)


def sampled_rho_of(rho: exact.Number, q: exact.Number, digits: int = 15) -> Enclosure:
    """ρ itself for a ρ-zCDP mechanism on a random sample of rate q > 0: the sampled mechanism is ρ-zCDP, and no smaller ρ holds.

    The upper side is joint quasi-convexity of D_α (Yu et al. 2019, Appendix C); nothing is gained by (12)–(13) there, for mechanisms with
    D_α = αρ at large orders, such as the Gaussian.

    >>> sampled_rho_of("0.5", "0.01").contains(exact.rational("1/2"))
    True
    """
    slope, rate = nonnegative(rho, "rho"), probability(q, "q (the sampling rate)")
    return Enclosure.exactly(0) if rate == 0 else certified(lambda: as_ball(slope), digits)


def selection_probabilities_of(errors: Sequence[exact.Number], epsilon: exact.Number, digits: int = 15) -> tuple[Enclosure, ...]:
    """The exponential mechanism on error counts: candidate i is chosen with probability ∝ e^{−ε·z_i/2}.

    Args:
        errors: z_i, counts that one record changes by at most 1.
        epsilon: ε ≥ 0; the selection is ε-DP and has ε-bounded range.

    Source: McSherry & Talwar 2007; Yu et al. 2019, IV-A3.

    >>> selection_probabilities_of([3, 3], 1)[0].contains(exact.rational("1/2"))
    True
    """
    counts, loss = [exact.number(value, "an error count") for value in errors], nonnegative(epsilon, "epsilon")
    if not counts:
        raise InputError("a selection needs at least one candidate")

    def share(index: int) -> Ball:
        return 1 / sum((((as_ball(counts[index]) - as_ball(other)) * as_ball(loss) / 2).exp() for other in counts), ball(0))

    return tuple(certified(lambda i=index: share(i), digits) for index in range(len(counts)))  # type: ignore[misc]


def selection_rho_of(epsilon: exact.Number, training: Sequence[exact.Number], digits: int = 15) -> Enclosure:
    """max ρ_i + ε²/8: k models trained on disjoint parts of the data, the best one selected on a further part.

    Args:
        epsilon: of the exponential mechanism.
        training: ρ_i of each model's training; the ε²/2 that Yu et al. 2019, IV-A3, state covers the selection only.

    Assumptions: a partition as in `epoch_rho_of`. A record lies in one part, so the two costs could even be replaced by their maximum; the
    sum needs no such care when the parts are reused.

    >>> selection_rho_of(1, ["0.5", "0.25"]).contains(exact.rational("5/8"))
    True
    """
    loss, rhos = nonnegative(epsilon, "epsilon"), [nonnegative(rho, "rho") for rho in training]
    if not rhos:
        raise InputError("a selection needs at least one trained model")
    return certified(lambda: largest_of(rhos) + as_ball(loss) ** 2 / 8, digits)


def largest_of(values: Sequence[Exact]) -> Ball:
    """The maximum of exact numbers, as a ball at the precision that is set.

    >>> largest_of([exact.rational("1/2"), exact.rational(2)]) == 2
    True
    """
    result = as_ball(values[0])
    for value in values[1:]:
        result = result.max(as_ball(value))
    return result
