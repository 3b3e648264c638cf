"""Koskela, Jälkö & Honkela 2020, §6.1: is δ of removing a record larger than δ of adding it?

Not strictly, and never smaller: in one step at every ε ≥ 0, and as Rényi divergence at every order, so after any number of steps.
"""

from sympy import Rational

from dpbounds import FAILS, HOLDS, Boxes, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import SampledGaussianDelta, SampledGaussianRenyi
from dpbounds.language.symbols import nonnegative, positive
from dpbounds.theory.sampling import directions as theory

SOURCE = ("koskela2020", "§6.1, last sentence")
epsilon, q, sigma, alpha = nonnegative("epsilon"), theory.RATE, theory.SIGMA, theory.ALPHA


def deltas(noise, rate):
    """δ(ε) of one step, record removed and record added."""
    return [SampledGaussianDelta(epsilon, noise, rate, 1, direction) for direction in ("remove", "add")]


rate = positive("q")
remove, add = deltas(1, rate)
strictly = Claim(
    id="koskela2020.directions",
    source=SOURCE,
    text="delta of the remove direction exceeds delta of the add direction, at every epsilon >= 0.",
    given=[rate < 1],
    then=remove > add,
    expect=FAILS,
    by=Counterexample({epsilon: 0, rate: "1/2"}),
    note="At epsilon = 0 both are the total variation distance.",
)

half = deltas(1, Rational(1, 2))
at_one_half = Claim(
    id="koskela2020.directions.strict",
    source=SOURCE,
    text="It does for one step at sigma = 1 and q = 1/2, for epsilon in [1/10, 13/20]; from log 2 on the add direction is at 0.",
    given=[epsilon >= Rational(1, 10), epsilon <= Rational(13, 20)],
    then=half[0] > half[1],
    expect=HOLDS,
    by=Boxes(budget=5000),
    mutant=Mutant(half[0] > 2 * half[1]),
)

removed, added = deltas(sigma, q)
one_step = Claim(
    id="koskela2020.directions.corrected",
    source=SOURCE,
    text="delta of the remove direction is at least delta of the add direction: one step, every epsilon >= 0, sigma and q.",
    given=[q < 1],
    then=added <= removed,
    expect=HOLDS,
    by=Proof("remove-above-add-delta"),
    corrects="koskela2020.directions",
    mutant=Mutant(added <= Rational(999, 1000) * removed, by=Counterexample({epsilon: 0, sigma: 1, q: "1/2"})),
    note="Nothing is claimed about delta after several steps: there the order of delta at every epsilon of one step is not enough.",
)

divergences = {direction: SampledGaussianRenyi(alpha, sigma, q, direction) for direction in ("remove", "add")}
every_order = Claim(
    id="koskela2020.directions.every-order",
    source=SOURCE,
    text="The Rényi divergence of the remove direction is at least that of the add direction, at every real order alpha > 1.",
    given=[alpha > 1, q < 1],
    then=divergences["add"] <= divergences["remove"],
    expect=HOLDS,
    by=Proof("remove-above-add"),
    mutant=Mutant(divergences["remove"] <= divergences["add"], by=Counterexample({alpha: 2, sigma: 1, q: "1/2"})),
    note="Divergences add, so the order stays after any number of steps, and so do the budgets that they bound.",
)
