"""Advanced composition of ε-DP mechanisms, as it is printed.

The best constant that holds for all (ε, δ)-DP mechanisms is the δ of `Repeated(EpsilonDelta(ε, δ), k)` (Kairouz, Oh & Viswanath 2017).
Rényi curves compose by `renyi.curves.composed`, zCDP by `budgets.zcdp.Filter`.
"""

from __future__ import annotations

from dpbounds.numbers.balls import Ball


def advanced_epsilon(epsilon: Ball, steps: Ball, log: Ball) -> Ball:
    """ε√(2k·log) + k·ε(e^ε−1), an upper bound on ε of k adaptive ε-DP uses at δ′, at the precision that is set; `log` is log(1/δ′).

    Source: Dwork, Rothblum & Vadhan 2010; the slides; Yu et al. 2019, II-D.

    >>> from dpbounds.numbers.balls import ball
    >>> advanced_epsilon(ball(1) / 10, ball(100), ball(10).log()) < 4
    True
    """
    return epsilon * (2 * steps * log).sqrt() + steps * mean_loss(epsilon)


def mean_loss(epsilon: Ball) -> Ball:
    """ε(e^ε−1), a bound on the expected loss of an ε-DP mechanism.

    >>> from dpbounds.numbers.balls import ball
    >>> float(mean_loss(ball(0)))
    0.0
    """
    return epsilon * epsilon.expm1()
