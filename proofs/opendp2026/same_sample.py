"""OpenDP issue 2933: do amplified measurements compose when they use one and the same sample?

No, for no rate and no ε₀. Two uses of randomized response with e^ε₀ : 1 on one sample of rate q give the outcome "yes, yes" the density
ratio 1 + q(e^{2ε₀} − 1), and the sum of the amplified budgets allows (1 + q(e^ε₀ − 1))².
"""

from dpbounds.notation import *

source = Source("opendp2026.same-sample", "Issue 2933")

q, scale = positive("q epsilon_0")

def shared_sample(rate, odds):
    """Two answers with the record in the sample of both, or of none."""
    yes, no = Rational(odds, 1 + odds), Rational(1, 1 + odds)
    there = [yes * yes, yes * no, no * yes, no * no]
    missing = [no * no, yes * no, no * yes, yes * yes]
    return [rate * a + (1 - rate) * b for a, b in zip(there, missing, strict=True)], missing

ODDS = 3
same_sample = source.claim(
    "Two answers with odds 3 : 1 on one sample of rate q are private with epsilon = 2 log(1 + 2q).",
    [q <= 1], HockeyStick(2 * log(1 + q * (ODDS - 1)), *shared_sample(q, ODDS)) <= 0, {q: "1/2"},
    note="At q = 1/2 the ratio 5 of (yes, yes) is above the 4 that is allowed: delta is 1/16.")

never = source.claim(
    "(yes, yes) exceeds what the amplified budgets allow at every rate in (0, 1) and every epsilon_0 > 0.",
    [q < 1], (1 + q * (exp(scale) - 1)) ** 2 < 1 + q * (exp(2 * scale) - 1),
    mutant=([q <= 1], {q: 1, scale: 1}),
    note="The difference is q(1-q)(e^epsilon_0 - 1)^2. What holds is one amplification of the whole: epsilon "
    "= log(1 + q(e^(2 epsilon_0) - 1)).")
