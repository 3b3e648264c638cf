"""Chen 2019, Conjecture 1: pairs in order at every hockey stick, the shape that subsampling needs, at every Rényi order."""

from dpbounds.notation import *
from dpbounds.theory.averages import stop_loss as theory

source = Source("chen2019", "Conjecture 1")

order, rate, i = theory.LAMBDA, theory.RATE, theory.INDEX
pairs = ((theory.P, theory.Q, theory.OVER), (theory.MU, theory.NU, theory.OTHER))
LAWS = [sums_to_one(weights, over) for *laws, over in pairs for weights in laws]
closer, further = (RenyiMoment(order, rate * p[i] + (1 - rate) * q[i], q[i], over) for p, q, over in pairs)
total_variation = [HockeyStick(0, p[i], q[i], over) for p, q, over in pairs]

conjecture_1__ordered_sticks = source.claim(
    "for the pairs (p, q), (q, q) with weights r, 1 - r, at every real order: true if all hockey-stick "
    "divergences are in order.",
    [order > 1, rate < 1, *LAWS, theory.ORDERED], closer <= further, Proof("sampling-keeps-order"),
    mutant=([order > 1, rate < 1, *LAWS, total_variation[0] <= total_variation[1]],
        {order: 2, rate: Rational(1, 2), theory.SIZE: 2, theory.OTHER_SIZE: 2, theory.P: ("1/10", "9/10"),
        theory.Q: ("1/1000", "999/1000"), theory.MU: ("3/5", "2/5"), theory.NU: ("1/2", "1/2")}),
    corrects="chen2019.conjecture-1",
    note="The sum of q max(p/q - t, 0) is the hockey-stick divergence at e^epsilon = t. In the mutant one of "
    "them is in order, the total variation. That averages of comonotone pairs against one law stay in order "
    "is not settled here.")
