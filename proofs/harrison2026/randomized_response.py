"""Harrison & Manurangsi 2026: for which k is k-ary randomized response as private as its Kullback–Leibler divergence says?

The true symbol has probability e^ε/(e^ε + k − 1) and each other one 1/(e^ε + k − 1). Then D_1 = ε(e^ε − 1)/(e^ε + k − 1), and the
mechanism is ρ-zCDP for no ρ below D_1. The paper shows that D_α ≤ α·D_1 for k ≤ 6, so that ρ = D_1 is exact there. For which k and ε
does it hold?

* For every k ≤ 6, whole or not, at every ε (`k-ary`), and for no k ≥ 7 at every ε: ε = 1/3, α = 4 (`k-ary.never`).
* At a given ε it holds at all α > 1 exactly where k ≤ k*(ε), with v = ε/2 and

      k*(ε) = 1 + e^v (2v sinh²v/(v cosh v − sinh v) − e^v),        k*(0) = 6.

  For larger k it holds from some ε on (`k-ary.from`): k = 7 from 0.4368, k = 10 from 1.3015, k = 100 from 5.1018.

  Proof. With u = (α − 1/2)ε and M = e^v + (k−1)e^{−v} the statement is φ(u²) − φ(v²) ≤ (M/2)(e^{S(u² − v²)/M} − 1) for φ(w) = cosh √w and
  S = sinh(v)/v. Both sides vanish at u = v with the same slope S/2. log φ′ is concave (`k-ary.concave`: (u coth u − 1)/u² falls), so
  φ′(w) ≤ φ′(v²) e^{(w − v²)r}, r = φ″(v²)/φ′(v²) = (v coth v − 1)/(2v²). Where r ≤ S/M this integrates to the statement. Where r is larger,
  the second derivatives at u = v have the wrong order, and the statement fails for α near 1. The condition r ≤ S/M is
  M(v cosh v − sinh v) ≤ 2v sinh²v, which is k ≤ k*(ε). These lines are on paper; the claims below do not use them.
* As ε → 0 with u = αε fixed, the least C with D_α ≤ C·α·D_1 tends to C_k = sup k·log(1 + (2 cosh u − 2)/k)/u². C_7 lies in
  [1.01839, 1.0184] (`k-ary.constant`).
"""

from dpbounds.notation import *

source = Source("harrison2026", "§1, Table 1: k-randomized response")

alpha, k = real("alpha k")
c, epsilon, u = positive("c epsilon u")

def renyi(answers, order, budget):
    """D_α of k-ary randomized response."""
    moment = (exp(order * budget) + exp((1 - order) * budget) + answers - 2) / (exp(budget) + answers - 1)
    return log(moment) / (order - 1)

def kullback_leibler(answers, budget):
    """D_1 of k-ary randomized response."""
    return budget * (exp(budget) - 1) / (exp(budget) + answers - 1)

k_ary = source.claim(
    "For k <= 6 k-ary randomized response has D_alpha <= alpha D_1 at every order alpha > 1 and every epsilon.",
    [k >= 1, k <= 6, alpha > 1], renyi(k, alpha, epsilon) <= alpha * kullback_leibler(k, epsilon),
    mutant=(renyi(k, alpha, epsilon) <= Rational(99, 100) * alpha * kullback_leibler(k, epsilon), {k: 2, alpha: "101/100", epsilon: 1}))

k_ary__seven = source.claim(
    "For k = 7 k-ary randomized response has D_alpha <= alpha D_1 too.",
    [alpha > 1], renyi(7, alpha, epsilon) <= alpha * kullback_leibler(7, epsilon), {alpha: 4, epsilon: "1/3"})

THIRD = Rational(1, 3)
k_ary__never = source.claim(
    "For no real k >= 7 does it hold at every epsilon: at epsilon = 1/3 and alpha = 4 it fails for all of them.",
    [k >= 7], renyi(k, 4, THIRD) > 4 * kullback_leibler(k, THIRD),
    mutant=([k >= 6], renyi(k, 4, THIRD) > 4 * kullback_leibler(k, THIRD), {k: 6}))

STARTS = {7: ("0.4368", "0.43", "5/4"), 8: ("0.7805", "0.77", "11/10"), 9: ("1.0627", "1.06", "51/50"),
          10: ("1.3015", "1.29", "51/50"), 16: ("2.2511", "2.24", "51/50"), 50: ("4.1191", "4.1", "51/50"),
          100: ("5.1018", "5.09", "1001/1000"), 1000: ("8.0123", "8", "1001/1000")}
k_ary__from = [
    source.claim(
        f"With {answers} answers it holds at every order from epsilon = {start} on.",
        [epsilon >= Rational(start), alpha > 1], renyi(answers, alpha, epsilon) <= alpha * kullback_leibler(answers, epsilon),
        mutant=([epsilon >= Rational(early), alpha > 1], renyi(answers, alpha, epsilon) <= alpha * kullback_leibler(answers, epsilon),
                {epsilon: early, alpha: order}), id=f"k-ary.from~{answers}")
    for answers, (start, early, order) in STARTS.items()]

k_ary__concave = source.claim(
    "(u coth u - 1)/u^2 falls in u > 0: its derivative, times u^3 sinh^2 u, is not positive.",
    2 * sinh(u) ** 2 <= u * cosh(u) * sinh(u) + u**2,
    mutant=(2 * sinh(u) ** 2 <= u * cosh(u) * sinh(u) + u**2 / 2, {u: 1}))

limit = 7 * log(1 + (2 * cosh(u) - 2) / 7)
k_ary__constant = [
    source.claim(
        f"In the limit of small epsilon C_7 = 1.0184 is enough for {words}.", premises, limit <= c * u**2, *by,
        tight=(c, "1.0184", failing, {u: point}), id=f"k-ary.constant~{name}")
    for name, words, premises, by, failing, point in (
        ("small", "alpha epsilon <= 1", [u <= 1], (), "1.005", 1),
        ("middle", "alpha epsilon between 1 and 8", [u >= 1, u <= 8], (Boxes(),), "1.01839", "373/200"),
        ("large", "alpha epsilon >= 8", [u >= 8], (), "0.6", 8))]
