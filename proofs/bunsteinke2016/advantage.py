"""Bun & Steinke 2016: what advantage has the best attack on a ρ-zCDP mechanism, where ρ bounds both directions?

The advantage TPR − FPR of the best test is δ at ε = 0, the total variation. By Pinsker's inequality it is at most √(ρ/2). The exact
answer is tanh(ε/2) where ρ = ε tanh(ε/2): randomized response with e^ε : 1 has that ρ = D_1 and that advantage, and it is ρ-zCDP
(`harrison2026.k-ary` at k = 2). No mechanism has more (`advantage`), and only D_1 in both directions is used.

Proof. With a = ε, the tangent of the convex (r − 1)log r at r = e^a, times z, is (x − z)log(x/z) ≥ (a + sinh a)(x − z) − (cosh a − 1)(x +
z) at r = x/z. With x and z exchanged the left side is the same, so |x − z| may stand on the right. Summed over x = p_i, z = q_i the left
side is D_1 forth and back, at most 2a tanh(a/2), and (cosh a − 1)/sinh a = tanh(a/2).

Finite tables are enough: the events {P > Q} and its complement are a table with two entries, and D_1 does not grow when outcomes are
merged. Where an entry is 0 both directions together are infinite, or it is 0 in both tables.
"""

from dpbounds.notation import *

source = Source("bunsteinke2016", "Definition 1.1, both directions")

n = positive_integer("n")
i = index("i")
epsilon, r, w, x, z = positive("epsilon r w x z")
loss, offset = real("loss offset")
over = (i, 1, n)
p, q = family("p", "positive"), family("q", "positive")
masses = [sums_to_one(p, over), sums_to_one(q, over)]
advantage_of_p = Sum(Max(p[i] - q[i], 0), over)

tangens = (exp(epsilon) - 1) / (exp(epsilon) + 1)
sine, cosine = (exp(epsilon) - exp(-epsilon)) / 2, (exp(epsilon) + exp(-epsilon)) / 2

def divergences(bound):
    """D_1 is at most this, in both directions."""
    return [Sum(first[i] * log(first[i] / second[i]), over) <= bound for first, second in ((p, q), (q, p))]

limits = divergences(epsilon * tangens)

def tangents(proof):
    """(x − z)log(x/z) lies above two lines, at every x = p_i and z = q_i; added up."""
    slope = epsilon + sine
    steep = rules.restate(slope > 0, rules.add(rules.positive(epsilon), rules.positive(sine)))
    tangent = proof("the tangent", rules.convex_tangent((r - 1) * log(r), r, exp(epsilon)))
    up, down = (rules.hypothesis(sign * w * (x - z) - offset <= loss) for sign in (1, -1))
    share = (loss + offset + w * (x - z)) / (2 * w)
    either = proof("the positive part of x - z", rules.maximum(
        rules.restate(rules.le(x - z, share), rules.scale(up, 1 / (2 * w))),
        rules.restate(rules.le(0, share), rules.scale(down, 1 / (2 * w)))))
    there = (x - z) * log(x / z)

    def line(first, second):
        above = rules.scale(rules.instance(tangent, {r: first / second}), second)
        return rules.restate(rules.le(slope * (first - second) - (cosine - 1) * (first + second), there), above)

    wide = rules.instance(either, {w: slope, offset: (cosine - 1) * (x + z), loss: there}, using=[steep])
    each = proof("at one outcome", rules.discharge(wide, line(x, z), line(z, x)))
    summed = proof("over all outcomes", rules.sum_termwise(rules.instance(each, {x: p[i], z: q[i]}), over))
    known = rules.scale(rules.add(*(rules.hypothesis(limit) for limit in limits)), 1 / (2 * slope), using=[steep])
    return proof("the advantage", rules.restate(
        rules.le(advantage_of_p, tangens), rules.add(summed, known), using=[rules.hypothesis(mass) for mass in masses]))

less = Rational(99, 100)
advantage = source.claim(
    "Two laws on finitely many outcomes with D_1 <= epsilon tanh(epsilon/2) in both directions have a total variation of at most "
    "tanh(epsilon/2).",
    [*masses, *limits], rules.le(advantage_of_p, tangens), Proof(tangents),
    mutant=(rules.le(advantage_of_p, less * tangens), {n: 2, epsilon: log(3), p: ("3/4", "1/4"), q: ("1/4", "3/4")}),
    example={n: 2, epsilon: log(3), p: ("3/4", "1/4"), q: ("1/4", "3/4")})

advantage__attained = source.claim(
    "Randomized response has D_1 = epsilon tanh(epsilon/2).",
    Eq((exp(epsilon) * log(exp(epsilon)) + log(exp(-epsilon))) / (1 + exp(epsilon)), epsilon * tangens),
    mutant=(Eq((exp(epsilon) * log(exp(epsilon)) + log(exp(-epsilon))) / (1 + exp(epsilon)), epsilon * tangens / 2), {epsilon: 1}))

advantage__pinsker = source.claim(
    "That is less than Pinsker's inequality gives: tanh(epsilon/2)^2 <= rho/2.",
    tangens**2 <= epsilon * tangens / 2,
    mutant=(tangens**2 <= less * epsilon * tangens / 2, {epsilon: "1/10"}))
