"""Chen 2019, Conjecture 1: pairs in order at every hockey stick, the shape that subsampling needs, at every Rényi order."""

from sympy import Rational

from dpbounds import HOLDS, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import HockeyStick, RenyiMoment
from dpbounds.language.symbols import sums_to_one
from dpbounds.theory.averages import stop_loss as theory

order, rate, i = theory.LAMBDA, theory.RATE, theory.INDEX
pairs = ((theory.P, theory.Q, theory.OVER), (theory.MU, theory.NU, theory.OTHER))
LAWS = [sums_to_one(weights, over) for *laws, over in pairs for weights in laws]
closer, further = (RenyiMoment(order, rate * p[i] + (1 - rate) * q[i], q[i], over) for p, q, over in pairs)
total_variation = [HockeyStick(0, p[i], q[i], over) for p, q, over in pairs]

ordered_sticks = Claim(
    id="chen2019.conjecture-1.ordered-sticks",
    source=("chen2019", "Conjecture 1"),
    text="On finitely many outcomes: for the pairs (p, q), (q, q) with weights r, 1 - r, at every real "
    "order: true if all hockey-stick divergences are in order.",
    given=[order > 1, rate < 1, *LAWS, theory.ORDERED],
    then=closer <= further,
    expect=HOLDS,
    by=Proof("sampling-keeps-order"),
    corrects="chen2019.conjecture-1",
    mutant=Mutant(
        closer <= further,
        given=[order > 1, rate < 1, *LAWS, total_variation[0] <= total_variation[1]],
        by=Counterexample(
            {
                order: 2,
                rate: Rational(1, 2),
                theory.SIZE: 2,
                theory.OTHER_SIZE: 2,
                theory.P: ("1/10", "9/10"),
                theory.Q: ("1/1000", "999/1000"),
                theory.MU: ("3/5", "2/5"),
                theory.NU: ("1/2", "1/2"),
            }
        ),
    ),
    note="The sum of q max(p/q - t, 0) is the hockey-stick divergence at e^epsilon = t. In the mutant one of them is in order, the total"
    " variation. That averages of comonotone pairs against one law stay in order is not settled here.",
)
