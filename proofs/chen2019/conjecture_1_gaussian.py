"""Yuchen 2019, Conjecture 1 for Gaussians of one variance against N(0, 1): from which mean on does it hold?

Both first pairs are N(1,1) against N(0,1); the others are N(1,1) and N(−x,1), x ≥ 1, against N(0,1), so the second divergence is larger.
∫ N(a_1,1)…N(a_λ,1)/N(0,1)^{λ−1} = e^{Σ_{i<j} a_i a_j}, so the moment of the average of N(1,1) and N(−x,1) is a finite sum. For a mean x ≥ 1
on the same side the conjecture holds at every order (comonotone ratios, chen2019.conjecture-1.comonotone).
"""

from dpbounds.notation import *

source = Source("chen2019.conjecture-1", "Conjecture 1")

x = positive("x")

def moment(order):
    """2^{−λ} Σ C(λ,k) e^{C(k,2) + C(λ−k,2) x² − k(λ−k)x}, k of the factors N(1,1)."""
    terms = (
        binomial(order, k) * exp(Rational(k * (k - 1), 2) + Rational((order - k) * (order - k - 1), 2) * x**2 - k * (order - k) * x)
        for k in range(order + 1)
    )
    return sum(terms) / 2**order

# order: the conjecture fails for x in [1, the first number] and holds from the second one on.
THRESHOLDS = {2: ("1427/1000", "1428/1000"), 3: ("1282/1000", "1283/1000"), 4: ("1204/1000", "1205/1000"), 6: ("1129/1000", "1130/1000")}

def below(order, end):
    """The average is closer to N(0,1) than N(1,1) is."""
    left = exp(Rational(order * (order - 1), 2))
    return source.claim(
        f"At order {order} Conjecture 1 fails for the means 1 and -x, 1 <= x <= {end[0]}: the average is closer.",
        [x >= 1, x <= Rational(end[0])], moment(order) < left, Boxes(budget=2000),
        mutant=([x >= 1, x <= Rational(end[1])], {x: end[1]}),
        id=f"gaussian-fails-at~{order}")

def above(order, end):
    """It is farther."""
    left = exp(Rational(order * (order - 1), 2))
    return source.claim(
        f"At order {order} it holds for the means 1 and -x, x >= {end[1]}.",
        [x >= Rational(end[1])], left <= moment(order), Boxes(budget=2000),
        mutant=([x >= Rational(end[0])], {x: end[0]}),
        id=f"gaussian-holds-at~{order}")

thresholds = [make(order, end) for order, end in THRESHOLDS.items() for make in (below, above)]
