"""Koskela, Jälkö & Honkela 2020, §6.1: is δ of removing a record larger than δ of adding it?

Not strictly, and never smaller: in one step at every ε ≥ 0, and as Rényi divergence at every order, so after any number of steps.
"""

from dpbounds.notation import *

source = Source("koskela2020.directions", "§6.1, last sentence")

epsilon, (q, sigma, alpha) = nonnegative("epsilon"), positive("q sigma alpha")

def deltas(noise, rate):
    """δ(ε) of one step, record removed and record added."""
    return [SampledGaussianDelta(epsilon, noise, rate, 1, direction) for direction in ("remove", "add")]

rate = positive("q")
remove, add = deltas(1, rate)
directions = source.claim(
    "delta of the remove direction exceeds delta of the add direction, at every epsilon >= 0.",
    [rate < 1], remove > add, {epsilon: 0, rate: "1/2"},
    note="At epsilon = 0 both are the total variation distance.")

half = deltas(1, Rational(1, 2))
strict = source.claim(
    "The remove direction has the larger delta for one step at sigma = 1 and q = 1/2, for epsilon in "
    "[1/10, 13/20]; from log 2 on the add direction is at 0.",
    [epsilon >= Rational(1, 10), epsilon <= Rational(13, 20)], half[0] > half[1], Boxes(budget=5000),
    mutant=half[0] > 2 * half[1])

removed, added = deltas(sigma, q)
corrected = source.claim(
    "delta of the remove direction is at least that of the add direction, after one step.",
    [q < 1], added <= removed, Proof("remove-above-add-delta"),
    mutant=(added <= Rational(999, 1000) * removed, {epsilon: 0, sigma: 1, q: "1/2"}),
    corrects=directions,
    note="Nothing is claimed about delta after several steps: there the order of delta at every epsilon of "
    "one step is not enough.")

divergences = {direction: SampledGaussianRenyi(alpha, sigma, q, direction) for direction in ("remove", "add")}
every_order = source.claim(
    "The Rényi divergence of the remove direction is at least that of the add direction.",
    [alpha > 1, q < 1], divergences["add"] <= divergences["remove"], Proof("remove-above-add"),
    mutant=(divergences["remove"] <= divergences["add"], {alpha: 2, sigma: 1, q: "1/2"}),
    note="Divergences add, so the order stays after any number of steps, and so do the budgets that they "
    "bound.")
