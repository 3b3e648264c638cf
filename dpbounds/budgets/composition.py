"""Composition of (ε, δ) guarantees: basic, advanced, optimal, parallel, group.

Rényi curves compose by `renyi.curves.composed`, zCDP by `budgets.zcdp.Filter`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.domains import at_least_one, delta_between, nonnegative, probability
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import bisect, certified, decide, log_inverse, surely_at_most

Constant = Literal["printed", "sharp"]


class ApproximateGuarantee(NamedTuple):
    """An (ε, δ) guarantee: both components are upper bounds of what holds, enclosed as numbers."""

    epsilon: Enclosure
    delta: Enclosure


def basic_composition_of(guarantees: Sequence[tuple[exact.Number, exact.Number]], digits: int = 15) -> ApproximateGuarantee:
    """(Σ ε_i, Σ δ_i): the adaptive composition of (ε_i, δ_i)-DP mechanisms.

    Args:
        guarantees: pairs (ε_i ≥ 0, 0 ≤ δ_i ≤ 1).

    Source: Dwork & Roth 2014, Theorem 3.16.

    >>> basic_composition_of([("0.5", "1e-6"), (1, "1e-6")]).epsilon.contains(exact.rational("1.5"))
    True
    """
    read = _guarantees(guarantees)
    return ApproximateGuarantee(
        certified(lambda: sum((as_ball(loss) for loss, _ in read), ball(0)), digits),
        certified(lambda: sum((as_ball(chance) for _, chance in read), ball(0)), digits),
    )


def advanced_composition_of(
    epsilon: exact.Number,
    delta: exact.Number,
    steps: exact.Number,
    slack: exact.Number,
    constant: Constant = "printed",
    digits: int = 15,
) -> ApproximateGuarantee:
    """(ε√(2k log(1/δ′)) + k·a, kδ + δ′) with a = ε(e^ε−1) as printed, or a = ε(e^ε−1)/(e^ε+1), the sharp mean.

    Args:
        epsilon, delta: each mechanism is (ε, δ)-DP; ε ≥ 0, 0 ≤ δ ≤ 1.
        steps: k ≥ 1 adaptive uses.
        slack: δ′, 0 < δ′ < 1.
        constant: "printed" (Dwork, Rothblum & Vadhan 2010; the slides; Yu et al. II-D) or "sharp" (Dwork & Rothblum 2016, Proposition
            on the KL divergence of ε-DP; Kairouz, Oh & Viswanath 2017, Theorem 3.4).

    Returns:
        An (ε, δ) guarantee of the composition; both constants hold, sharp ≤ printed.

    >>> one, two = (advanced_composition_of("0.1", 0, 100, "1e-5", constant).epsilon for constant in ("sharp", "printed"))
    >>> one < two
    True
    """
    loss, chance = nonnegative(epsilon, "epsilon"), probability(delta, "delta")
    count, extra = at_least_one(steps, "steps"), delta_between(slack, "slack (the additional delta)")
    if constant not in ("printed", "sharp"):
        raise InputError(f"constant must be printed or sharp, got {constant!r}")
    return ApproximateGuarantee(
        certified(lambda: advanced_epsilon(as_ball(loss), ball(count), log_inverse(extra), constant), digits),
        certified(lambda: count * as_ball(chance) + as_ball(extra), digits),
    )


def advanced_epsilon(epsilon: Ball, steps: Ball, log: Ball, constant: Constant = "printed") -> Ball:
    """ε√(2k·log) + k·a at the precision that is set; `log` is log(1/δ′)."""
    return epsilon * (2 * steps * log).sqrt() + steps * mean_loss(epsilon, constant)


def mean_loss(epsilon: Ball, constant: Constant = "printed") -> Ball:
    """A bound on the expected loss of an ε-DP mechanism: ε(e^ε−1), or the largest possible one, ε·tanh(ε/2)."""
    return epsilon * epsilon.expm1() if constant == "printed" else epsilon * (epsilon / 2).tanh()


def optimal_delta_of(epsilon: exact.Number, delta: exact.Number, steps: exact.Number, total: exact.Number, digits: int = 15) -> Enclosure:
    """The smallest δ at which k uses of any (ε, δ)-DP mechanisms are (total, δ)-DP.

        1 − (1−δ)^k (1 − Δ),    Δ = Σ_{l : (k−2l)ε > total} C(k,l) (e^{(k−l)ε} − e^{total + lε})/(1+e^ε)^k

    Args:
        epsilon, delta: each mechanism is (ε, δ)-DP; ε ≥ 0, 0 ≤ δ ≤ 1.
        steps: k ≥ 1.
        total: the ε of the composition, ≥ 0; any real number, where the published theorem lists (k−2i)ε only.

    Returns:
        The exact worst case: no smaller δ holds for all such mechanisms. Source: Kairouz, Oh & Viswanath 2017, Theorem 3.3. It is the
        hockey-stick divergence of k-fold randomized response, which is where the sum comes from.

    >>> optimal_delta_of(1, 0, 1, 0).overlaps(certified(lambda: (ball(1) / 2).tanh()))
    True
    """
    loss, chance, count = nonnegative(epsilon, "epsilon"), probability(delta, "delta"), at_least_one(steps, "steps")
    target = nonnegative(total, "total epsilon")
    return certified(lambda: optimal_delta(loss, chance, count, target), digits)


def optimal_delta(loss: Exact, chance: Exact, count: int, target: Exact) -> Ball:
    """The sum of `optimal_delta_of` at the precision that is set."""
    epsilon, level = as_ball(loss), as_ball(target)
    log_unit = -(epsilon.exp().log1p())
    total, weight = ball(0), ball(1)
    for wins in range(count, -1, -1):  # l = count − wins
        gain = 1 - (level + (count - 2 * wins) * epsilon).exp()
        if gain <= 0:
            break
        total += weight * (wins * epsilon + count * log_unit).exp() * gain.max(ball(0))
        weight = weight * wins / (count - wins + 1)
    return 1 - (1 - as_ball(chance)) ** count * (1 - total)


def optimal_epsilon_of(
    epsilon: exact.Number, delta: exact.Number, steps: exact.Number, total_delta: exact.Number, digits: int = 10
) -> Enclosure:
    """The smallest ε of the k-fold composition of (ε, δ)-DP mechanisms at `total_delta`.

    Args:
        epsilon, delta, steps: as in `optimal_delta_of`.
        total_delta: more than 1−(1−δ)^k, less than 1.

    Returns:
        An enclosure of the exact worst case (0 where already ε = 0 suffices). Source: Kairouz, Oh & Viswanath 2017, Theorem 3.3.

    Raises:
        InputError: no finite ε reaches `total_delta`.

    >>> optimal_epsilon_of("0.1", 0, 100, "1e-5").upper < advanced_composition_of("0.1", 0, 100, "1e-5", "sharp").epsilon.lower
    True
    """
    loss, chance, count = exact.rational(epsilon, "epsilon"), probability(delta, "delta"), at_least_one(steps, "steps")
    goal = delta_between(total_delta, "total delta")
    if loss < 0:
        raise InputError(f"epsilon must be >= 0, got {exact.text(loss)}")

    def fails(candidate: Exact) -> bool:
        def compare() -> bool | None:
            return surely_at_most(optimal_delta(loss, chance, count, candidate), as_ball(goal))

        return not decide(compare, f"delta at epsilon {candidate} against its target")

    if fails(count * loss):
        raise InputError(f"total delta must be at least 1-(1-delta)^steps, got {exact.text(goal)}; no epsilon reaches it")
    if not fails(exact.number(0)):
        return Enclosure.exactly(0)
    return bisect(fails, exact.rational(0), count * loss, digits)


def parallel_composition_of(guarantees: Sequence[tuple[exact.Number, exact.Number]], digits: int = 15) -> ApproximateGuarantee:
    """(max ε_i, max δ_i), for mechanisms on disjoint parts of the data.

    Assumptions: the parts come from a partition of the domain of records that does not depend on the data, and neighbours differ by adding
    or removing one record. Under substitution the record may leave one part and enter another, and the two guarantees add.

    Source: McSherry 2009, Theorem 4; Yu et al. 2019, Theorem 2 (for zCDP).

    >>> parallel_composition_of([(1, "1e-6"), (2, 0)]).epsilon.contains(2)
    True
    """
    read = _guarantees(guarantees)

    def largest(index: int) -> Ball:
        result = as_ball(read[0][index])
        for pair in read[1:]:
            result = result.max(as_ball(pair[index]))
        return result

    return ApproximateGuarantee(certified(lambda: largest(0), digits), certified(lambda: largest(1), digits))


def group_privacy_of(epsilon: exact.Number, delta: exact.Number, size: exact.Number, digits: int = 15) -> ApproximateGuarantee:
    """(tε, δ(e^{tε}−1)/(e^ε−1)) for data sets that differ in t records.

    Args:
        epsilon, delta: the mechanism is (ε, δ)-DP.
        size: t ≥ 1.

    Returns:
        A guarantee below the slides' (tε, t·e^{tε}δ), which holds too: chaining t inequalities gives Σ_{i<t} e^{iε}.

    Source: Vadhan 2017, Lemma 2.2.

    >>> group_privacy_of(0, "1e-6", 3).delta.contains(exact.rational("3e-6"))
    True
    """
    loss, chance, count = nonnegative(epsilon, "epsilon"), probability(delta, "delta"), at_least_one(size, "group size")

    def total() -> Ball:
        if loss == 0:
            return count * as_ball(chance)
        return as_ball(chance) * (count * as_ball(loss)).expm1() / as_ball(loss).expm1()

    return ApproximateGuarantee(certified(lambda: count * as_ball(loss), digits), certified(lambda: total().min(ball(1)), digits))


def _guarantees(guarantees: Sequence[tuple[exact.Number, exact.Number]]) -> list[tuple[Exact, Exact]]:
    read = [(nonnegative(loss, "epsilon"), probability(chance, "delta")) for loss, chance in guarantees]
    if not read:
        raise InputError("a composition needs at least one guarantee")
    return read
