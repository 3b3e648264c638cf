"""Tran, Koskela, Räisä & Honkela 2026: may a filter stop by the composed privacy curve of the mechanisms on the path that was taken?

No; a case of two steps with exact numbers. The budget is (log 3, 1/20). The first step is randomized response that is right with
probability 3/4. After "yes" the second one is randomized response that is right with probability 8/15, after "no" it publishes the
record with probability 1/20. Composed with the first step, either one meets the budget exactly; the filter lets both pass.
"""

from dpbounds.notation import *

source = Source("tran2026.filters", "Abstract: the natural filter is invalid")

slack = nonnegative("s")
EPSILON, DELTA = log(3), Rational(1, 20)
FIRST = (Rational(3, 4), Rational(1, 4))
NOISY = (Rational(8, 15), Rational(7, 15), Rational(0))
SHOWN = ((1 - DELTA, DELTA, Rational(0)), (1 - DELTA, Rational(0), DELTA))
SECONDS = {"noisy": (NOISY, (NOISY[1], NOISY[0], NOISY[2])), "shown": SHOWN}

def delta(after_yes: str, after_no: str) -> HockeyStick:
    """δ(log 3 + s) when the second step depends on the answer of the first."""
    chosen = (SECONDS[after_yes], SECONDS[after_no])
    with_record = [FIRST[i] * part for i in (0, 1) for part in chosen[i][0]]
    without = [FIRST[1 - i] * part for i in (0, 1) for part in chosen[i][1]]
    return HockeyStick(EPSILON + slack, with_record, without)

paths = [
    source.claim(
        f"The path with the {words} second step meets the budget: delta(log 3 + s) <= 1/20 for s >= 0.",
        delta(name, name) <= DELTA,
        mutant=(delta(name, name) <= Rational(49, 1000), {slack: 0}),
        id=f"path-{name}")
    for name, words in (("noisy", "noisy"), ("shown", "publishing"))
]

adaptive = source.claim("The adaptive composition that the filter lets pass meets the budget.",
    delta("noisy", "shown") <= DELTA, {slack: 0},
    uses=tuple(claim.id for claim in paths),
    note="delta(log 3) = 1/16.")
