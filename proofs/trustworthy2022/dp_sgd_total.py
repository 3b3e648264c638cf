"""Gatica-Perez, Sajadmanesh & Shahin Shamsabadi 2022: the total of DP-SGD, with the terms that the slide leaves out."""

from dpbounds.notation import *
from dpbounds.theory.composition import advanced as theory
from dpbounds.theory.composition import bounded_loss

source = Source("trustworthy2022", "slide Privacy analysis of DP-SGD")

level, miss, delta, steps = bounded_loss.LEVEL, theory.MISS, theory.DELTA, bounded_loss.STEPS
i, over, sigma = bounded_loss.INDEX, bounded_loss.OVER, positive("sigma")

dp_sgd_total__corrected = source.claim(
    "The total of T steps with (e, d) each, e = O(q epsilon) and d = q delta.",
    [miss <= 1, delta < 1, sums_to_one(theory.UPPER, over), sums_to_one(bounded_loss.P, over), *theory.LARGER,
        bounded_loss.composed_premise()],
    HockeyStick(theory.TOTAL, theory.UPPER[i], theory.LOWER[i], over) <= steps * miss + delta,
    Proof("advanced-composition-approximate"),
    mutant=([delta < 1, GaussianDelta(level, sigma) <= miss],
        GaussianDelta(sqrt(2) * level * sqrt(steps) * sqrt(log(1 / delta)), sigma / sqrt(steps))
        <= steps * miss + delta, {level: 10, sigma: "43/100", miss: "1/1000", steps: 400, delta: "1/1000"}),
    corrects="trustworthy2022.dp-sgd-total", uses=["trustworthy2022.advanced-composition"],
    note="A step with (e, d) is e-private up to masses d of both laws (Dwork, Rothblum & Vadhan 2010), so "
    "that after T steps both laws are at least (1-d)^T times those of e-private steps: this is the premise. "
    "The mutant leaves T e (exp(e) - 1) out, as the slide does.")
