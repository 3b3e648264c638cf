"""OpenDP issue 2911: is permute-and-flip ε²/8-zCDP, as the exponential mechanism is?

No. Two candidates whose scores differ by the sensitivity, and change places in the neighbouring data, are chosen with the probabilities
1 − e^{−ε/2}/2 and e^{−ε/2}/2. Their divergence is near ε²/2 for small ε, four times as much.

The issue says that `make_noisy_max` of 0.15.1 draws from permute-and-flip under `ZeroConcentratedDivergence`. In the source (commit
bc6e18b8, `REPLACEMENT = true` for that measure) it is the exponential mechanism, for which ε²/8 holds
(`opendp2026.noisy-top-k.concentrated`). The release agrees: of scores 1 and −1 at scale 1 it took the first in 17656 of 20000 draws; the
exponential mechanism expects 17616, permute-and-flip 18647.

What rho does hold? Some two candidates are the worst of any number (docs/permute-and-flip.md; `slope` is the last step of its proof). At
pure epsilon 1 the least rho is between 0.32965 and 0.32966, by `least_rho`, `variance` and `tangent`.
"""

from dpbounds.notation import *

source = Source("opendp2026.permute-and-flip", "Issue 2911")

alpha, epsilon, gap, p, s, nu, mu, b = positive("alpha epsilon gap p s nu mu b")

other = exp(-epsilon / 2) / 2
first, second = [1 - other, other], [other, 1 - other]

permute_and_flip = source.claim(
    "Permute-and-flip with pure privacy epsilon is epsilon^2/8-zCDP.",
    [alpha > 1], RenyiDivergence(alpha, first, second) <= alpha * epsilon**2 / 8, {alpha: 2, epsilon: 1},
    note="At alpha = 2 and epsilon = 1 two candidates have 0.55, and 0.25 is allowed.")

never = source.claim(
    "Two candidates exceed epsilon^2/8 already in their Kullback-Leibler divergence, for every epsilon up to 4.59, and not up to 4.63.",
    [epsilon <= Rational(459, 100)], KLDivergence(first, second) > epsilon**2 / 8,
    mutant=([epsilon <= Rational(463, 100)], {epsilon: "463/100"}),
    note="So the statement fails for every epsilon up to 4.59. What holds is pure privacy epsilon, and with it epsilon^2/2-zCDP.")

here, there = exp(-gap) / 2, exp(gap - 1) / 2
apart = log((1 - here) / here) - log(there / (1 - there))

least_rho = source.claim(
    "At pure epsilon 1 the Kullback-Leibler divergence of two candidates, whatever their gap, is at most 0.32966.",
    [gap <= 1], KLDivergence([1 - here, here], [there, 1 - there]) <= Rational("0.32966"),
    mutant=KLDivergence([1 - here, here], [there, 1 - there]) <= Rational("0.32965"),
    note="The least rho is at least each of these, so above 0.32965. As `variance` is below, `tangent` makes it at most 0.32966.")

variance = source.claim(
    "At pure epsilon 1 half of the variance of the loss of two candidates is at most 0.3135, whatever their gap.",
    [gap <= 1], here * (1 - here) * apart**2 / 2 <= Rational("0.3135"),
    mutant=here * (1 - here) * apart**2 / 2 <= Rational("0.3134"))

tangent = source.claim(
    "The cumulant generating function of a coin that is heads at least half of the time is at most its parabola at 0.",
    [p >= Rational(1, 2), p <= 1], log(1 - p + p * exp(s)) <= p * s + p * (1 - p) * s**2 / 2,
    mutant=([p >= Rational(49, 100), p <= 1], {p: "49/100", s: "1/20"}),
    note="With s = t*Delta, for two losses at the distance Delta: D_{1+t} <= KL + t*p(1 - p)Delta^2/2.")

kappa, beta = 1 - mu, b * mu
root = sqrt(4 * nu**2 * kappa + beta**2)

slope = source.claim(
    "What keeps an integral above the smaller root of a quadratic, in the proof that two candidates are the worst for permute-and-flip.",
    [nu >= 2, mu < 1], root * (2 * (nu - 1) * kappa - beta) + beta**2 + nu * kappa * (4 * (nu - 1) + 2 * mu) > 0,
    mutant=([nu >= 1, mu < 1], {nu: 1, b: 10, mu: "1/2"}),
    note="(4) of docs/permute-and-flip.md. One candidate beside those of the third kind is a case of its own there, for the mutant fails.")
