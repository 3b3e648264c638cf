"""OpenDP declares the privacy of `make_noisy_top_k`, and of `make_noisy_max`, which is k = 1, by two maps. Do they hold?

Scores x and y of two neighbours have the range distance d = max |(x_i − y_i) − (x_j − y_j)|: at most 2Δ where no score moves by more than
Δ, and at most Δ where all of them move in one direction too (`monotonic`). With scale s and η = d/s the maps are

    MaxDivergence: ε = kη, with permute-and-flip,        ZeroConcentratedDivergence: ρ = kη²/8, with the exponential mechanism.

Permute-and-flip is the largest score with exponential noise (Ding et al. 2021). Given the noise of the others, candidate i wins with
probability min(1, e^{−m}), where m·s is how far the best of the others is above x_i. In the neighbouring data m moves by η at most. Take
the mean over the noise of the others: one pick is η-private (`pure`) for any number of candidates.

The exponential mechanism takes candidate i with probability e^{x_i/s}/Σ_j e^{x_j/s}. Its loss lies in an interval of length η
(`concentrated`). The k picks are an adaptive composition, each on the candidates that remain: their budgets add.

The reduction of permute-and-flip to `pure`, and the addition, are on paper.
"""

from dpbounds.notation import *
from dpbounds.theory.composition.bounded_range import LAMBDA, START, WIDTH, P, Q, bounded_range

place = "rust/src/measurements/noisy_top_k/mod.rs, {}, commit bc6e18b8"
source = Source("opendp2026.noisy-top-k", place.format("make_noisy_top_k"))

m, first, second = real("m delta_1 delta_2")
u = nonnegative("u")
eta, sensitivity = positive("eta Delta")

monotonic = source.claim(
    "Scores that move in one direction, by at most Delta, have a range distance of at most Delta.",
    [first >= 0, first <= sensitivity, second >= 0, second <= sensitivity], Abs(first - second) <= sensitivity,
    mutant=([first >= 0, first <= sensitivity, second >= -sensitivity / 100, second <= sensitivity], Abs(first - second) <= sensitivity,
            {sensitivity: 1, first: 1, second: "-1/100"}))

def wins(margin):
    return Min(1, exp(-margin))

pure = source.at(place.format("TopKMeasure for MaxDivergence")).claim(
    "One pick of permute-and-flip is private with epsilon = d/scale, for any number of candidates.",
    [u <= eta], wins(m) <= exp(eta) * wins(m + u),
    mutant=([u <= eta], wins(m) <= exp(Rational(99, 100) * eta) * wins(m + u), {m: 0, u: 1, eta: 1}))

n, i, k = positive_integer("n"), index("i"), index("k")
over = (i, 1, n)
x, y = family("x"), family("y")
alpha, scale, start, width = *positive("alpha s"), real("c"), positive("d")
step = width / scale

def chosen(scores, at):
    """The probability of one candidate under the exponential mechanism."""
    return exp(scores[at] / scale) / Sum(exp(scores[k] / scale), (k, 1, n))

moment = Sum(chosen(x, i) ** alpha * chosen(y, i) ** (1 - alpha), over)
near = for_each(over, And(rules.le(start, x[i] - y[i]), rules.le(x[i] - y[i], start + width)))

def concentrated_proof(proof):
    """The losses lie in an interval of length d/s."""
    totals = [Sum(exp(scores[k] / scale), (k, 1, n)) for scores in (x, y)]
    lowest = start / scale - log(totals[0] / totals[1])
    here = rules.specialize(rules.hypothesis(near), i, [i <= n])
    loss = log(chosen(x, i) / chosen(y, i))
    low, high = (rules.scale(rules.conjunct(here, part), 1 / scale) for part in here.statement.args)
    ends = [rules.restate(rules.le(lowest, loss), low), rules.restate(rules.le(loss, lowest + step), high)]
    within = rules.generalize(rules.conjunction(*ends), i, i <= n)
    sums = []
    for scores, total in zip((x, y), totals, strict=True):
        same = rules.equality(Sum(exp(scores[i] / scale), over), total)
        sums.append(rules.restate(rules.eq(Sum(chosen(scores, i), over), 1), rules.scale(same, 1 / total)))
    values = {P: Lambda(i, chosen(x, i)), Q: Lambda(i, chosen(y, i)), START: lowest, WIDTH: step, LAMBDA: alpha}
    known = rules.discharge(rules.instance(bounded_range().result, values, [alpha > 1]), within, *sums)
    target = rules.le(moment, exp(alpha * (alpha - 1) * step**2 / 8))
    return proof("bounded range", rules.restate(target, known, [alpha > 1]))

first_two = [And(start <= x[j] - y[j], x[j] - y[j] <= start + width) for j in (1, 2)]
concentrated = source.at(place.format("TopKMeasure for ZeroConcentratedDivergence")).claim(
    "One pick of the exponential mechanism among finitely many outcomes is (d/scale)^2/8-zCDP.",
    [alpha > 1, near], moment <= exp(alpha * (alpha - 1) * step**2 / 8), Proof(concentrated_proof),
    mutant=([alpha > 1, *first_two], moment <= exp(alpha * (alpha - 1) * step**2 / 9),
        {n: 2, alpha: 2, scale: 1, start: "-1/20", width: "1/10", x: ("1/20", 0), y: (0, "1/20")}),
    note="It uses the theorem on losses within an interval, `yu2019.selection.exponential`.")
