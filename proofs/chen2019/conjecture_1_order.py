"""Yuchen 2019, Conjecture 1: pairs in order at every hockey stick, the shape that subsampling needs, at every Rényi order."""

from dpbounds.notation import *

source = Source("chen2019", "Conjecture 1")

(order, rate), t = positive("lambda r"), real("t")
(n, m), i = positive_integer("n m"), index("i")
p, q = laws("p q", (i, 1, n), "positive")
mu, nu = laws("mu nu", (i, 1, m), "positive")
closer, further = (RenyiMoment(order, rate * x + (1 - rate) * y, y) for x, y in ((p, q), (mu, nu)))
sticks = [Sum(y[i] * Max(x[i] / y[i] - t, 0), y.over) for x, y in ((p, q), (mu, nu))]

conjecture_1__ordered_sticks = source.claim(
    "for the pairs (p, q), (q, q) with weights r, 1 - r, at every real order: true if all hockey-stick "
    "divergences are in order.",
    [order > 1, rate < 1, p, q, mu, nu, ForAll(t, t >= 0, rules.le(*sticks))], closer <= further,
    Proof("sampling-keeps-order"),
    mutant=([order > 1, rate < 1, p, q, mu, nu, HockeyStick(0, p, q) <= HockeyStick(0, mu, nu)],
        {order: 2, rate: "1/2", n: 2, m: 2, p: ("1/10", "9/10"), q: ("1/1000", "999/1000"), mu: ("3/5",
        "2/5"), nu: ("1/2", "1/2")}),
    corrects="chen2019.conjecture-1",
    note="The sum of q max(p/q - t, 0) is the hockey-stick divergence at e^epsilon = t. In the mutant one of "
    "them is in order, the total variation. That averages of comonotone pairs against one law stay in order "
    "is not settled here.")
