"""Lebeda, Regehr, Kamath & Steinke 2024: does the worst pair of one step stay the worst pair under composition?

No, and an exact small case shows it. Randomized response that answers truthfully with probability 3/4, Poisson-sampled at rate 1/2:
P = (1/2, 1/2) with the record, Q = (3/4, 1/4) without it. It is also sampling one of two records, (x, 0) against (0, 0); the other
direction is (x, x) against (0, x) read backwards.
"""

from dpbounds.notation import *

source = Source("lebeda2024.composition", "Abstract: the worst-case datasets of the uncomposed mechanism")

epsilon = nonnegative("epsilon")
WITH, WITHOUT = (Rational(1, 2), Rational(1, 2)), (Rational(3, 4), Rational(1, 4))

def uses(law, steps):
    """The law of independent uses."""
    laws = [Rational(1)]
    for _ in range(steps):
        laws = [first * second for first in laws for second in law]
    return laws

def removed(steps):
    """δ(ε) of removing the record."""
    return HockeyStick(epsilon, uses(WITH, steps), uses(WITHOUT, steps))

def added(steps):
    """δ(ε) of adding the record."""
    return HockeyStick(epsilon, uses(WITHOUT, steps), uses(WITH, steps))

one_step = source.claim(
    "One step of sampled randomized response: removing the record shows at least as much as adding it.",
    added(1) <= removed(1), Boxes(budget=200),
    mutant=(added(1) <= Rational(99, 100) * removed(1), {epsilon: 0}))

two_steps = source.claim(
    "Two steps of it: removing the record shows at least as much as adding it, at every epsilon >= 0.",
    added(2) <= removed(2), {epsilon: log(Rational(4, 3))},
    uses=[one_step],
    note="11/48 > 1/6: the pair that dominates one step does not dominate two.")
