"""Räisä, Jälkö & Honkela 2024, §6: does the effective noise σ(q)/q fall as the sampling rate q grows, under composition?

σ(q) is the noise that a target (ε, δ) needs. As δ falls in σ, σ(q)/q falls from q to q′ at this target exactly if δ(ε) at rate q′ and
noise sq′ is below δ(ε) at rate q and noise sq, s = σ(q)/q. Kalinin 2024 (arXiv 2409.04636) proved it for one step, under a condition that
makes δ small beside ε. Under composition it fails where δ is large, also with 4δ ≤ ε. In the table s is fixed: each rate is compared
with the next at the target that s meets at the first of the two.
"""

from dpbounds.notation import *

source = Source("raisa2024.effective-noise", "§6, Theorem 6.2 and Conjecture 6.3, read for k steps")

epsilon = nonnegative("epsilon")

def delta(value, effective, rate, steps):
    """δ(ε) of removing a record at noise s·q and rate q."""
    return SampledGaussianDelta(value, effective * rate, rate, steps)

ONE, HALF, MOST = Rational(1), Rational(1, 2), Rational(3, 4)
one_step = source.claim(
    "One step, no condition on delta: at s = 20 the effective noise falls from q = 1/40 to q = 1/20.",
    delta(epsilon, 20, Rational(1, 20), 1) <= delta(epsilon, 20, Rational(1, 40), 1), {epsilon: "1/100"},
    note="delta is 0.0163... > 0.0156...: larger than epsilon.")

many_steps = source.claim(
    "100 steps: at s = 2 it falls from q = 3/4 to q = 1, at the target of every epsilon >= 4.",
    [epsilon >= 4], delta(epsilon, 2, ONE, 100) <= delta(epsilon, 2, MOST, 100), {epsilon: 4},
    note="delta is 0.92904... > 0.92597...; 4 delta <= epsilon.")

RATES = (Rational(1, 20), Rational(1, 10), Rational(1, 5), HALF, ONE)
# k, s, epsilon
TARGETS = (
    (10, 20, Rational(1, 2)),
    (10, 20, ONE),
    (100, 20, HALF),
    (100, 20, Rational(2)),
    (1000, 60, HALF),
    (1000, 60, Rational(2)),
    (10_000, 200, HALF),
    (10_000, 200, Rational(2)),
)

def falls(steps: int, effective: int, value: Rational) -> Claim:
    """The effective noise falls along the rates of the table."""
    found = [delta(value, effective, rate, steps) for rate in RATES]
    name = "~".join(str(part).replace("/", "-") for part in (steps, effective, value))
    return source.claim(
        f"{steps} steps, s = {effective}, epsilon = {value}: it falls along q = 1/20, 1/10, 1/5, 1/2, 1.",
        And(*(later < earlier for earlier, later in zip(found, found[1:], strict=False))), Boxes(),
        mutant=(found[-2] < found[-1], {}),
        id=f"table~{name}")

table = [falls(*target) for target in TARGETS]
