"""Van Dijk & Ertan 2026: how many rounds bring DP-SGD with random shuffling within 1/100 of random guessing?

The trade-off curve of one epoch with M rounds is that of P = (1/M) Σ N(e_i, σ²I) against Q = N(0, σ²I): one record takes part in one
random round, and the others add nothing. "δ below the diagonal", f(a) ≥ 1 − a − δ for all a, is δ(ε) ≤ δ at ε = 0, where removing and
adding a record agree. This is random allocation, for which the pair is the worst case. For batches of fixed size from a shuffled list it
is the case of others that add nothing; other data can be worse.

* More rounds never hurt: an insertion of N(0, σ²) at a random place turns M rounds into M + 1, under P and under Q.
* A closed form for every σ, M, number E of epochs and ε, a record removed. With Y_i = e^{(2x_i − 1)/(2σ²)} the density ratio of an epoch is
  L = Σ Y_i/M. Under Q the Y_i are independent, of mean 1 and second moment e^{1/σ²}, so that E L² = 1 + (e^{1/σ²} − 1)/M
  (`rounds.moment`) and, for E epochs, the second moment of the product is 1 + v with v = (1 + (e^{1/σ²} − 1)/M)^E − 1. Then

      δ(ε) ≤ (√(v + (e^ε − 1)²) − (e^ε − 1))/2,        δ(0) ≤ √v/2,

  by `rounds.second-moment`, which is proved for finite tables; for densities integrate its parabola.
  This is Scarf's bound of E(L − c)₊ by mean and variance. At ε = 0 it is √(π/2) = 1.2533… times the true value as M → ∞ for a fixed σ.
  It is not so for every small v: let A be Y where x ≤ 3/2 and 0 elsewhere, and B = Y − A. Then E A² = e^{1/σ²}Φ(−1/(2σ)) and
  E B = Φ(−1/(2σ)), so that δ(0) = E|L − 1|/2 ≤ √(E A²/M)/2 + E B for one epoch. With v fixed and σ → 0 this tends to 0, and √v/2 does not.
* So δ(0) ≤ √(e^{E(e^{1/σ²} − 1)/M} − 1)/2, an explicit rate in √(E/M).
"""

from dpbounds.notation import *

source = Source("vandijk2026", "Abstract: M = 1.14e6 rounds for delta = 1/100 and sigma = 1; linear in the number of epochs")

epsilon = nonnegative("epsilon")
n, M = positive_integer("n M")
i = index("i")
c, s, sigma, z = positive("c s sigma z")
x = real("x")
over = (i, 1, n)
p, q = laws("p", over), laws("q", over, "positive")
HUNDREDTH = Rational(1, 100)

def delta(value, noise, rounds, epochs=1):
    return mechanism_delta(value, sigma=noise, sampling="random-allocation", bins=rounds, epochs=epochs, direction="remove")

ROUNDS = {"1/2": 78_268, "3/4": 7_763, "1": 2_730, "2": 452, "4": 103}

rounds = [
    source.claim(
        f"At sigma = {noise} one epoch of {least:,} rounds has f(a) >= 1 - a - 1/100 for all a, and one of {least - 1:,} has not.",
        And(delta(0, Rational(noise), least) <= HUNDREDTH, delta(0, Rational(noise), least - 1) > HUNDREDTH), Boxes(),
        mutant=(delta(0, Rational(noise), least - 1) <= HUNDREDTH, {}),
        id=f"rounds.at~{noise.replace('/', '-')}")
    for noise, least in ROUNDS.items()]

rounds__epochs = source.claim(
    "At sigma = 1 and 1,140,000 rounds an epoch, 416 epochs have f(a) >= 1 - a - 1/100 for all a, and 417 have not.",
    And(delta(0, 1, 1_140_000, 416) <= HUNDREDTH, delta(0, 1, 1_140_000, 417) > HUNDREDTH), Boxes(),
    mutant=(delta(0, 1, 1_140_000, 417) <= HUNDREDTH, {}))

# --- a closed form --------------------------------------------------------------------------------------------------

laws_of_mass_1 = [sums_to_one(p, over), sums_to_one(q, over)]
second_moment = rules.le(Sum(p[i] ** 2 / q[i], over), 1 + s**2 - (c - 1) ** 2)
positive_parts = Sum(Max(p[i] - c * q[i], 0), over)

def parabola(proof):
    """(x − cz)₊ ≤ (x − cz + sz)²/(4sz), at x = p_i and z = q_i, added up."""
    square = (x - c * z + s * z) ** 2 / (4 * s * z)
    above = rules.restate(rules.le(x - c * z, square), rules.nonnegative((x - c * z - s * z) ** 2 / (4 * s * z)))
    each = rules.maximum(above, rules.restate(rules.le(0, square), rules.nonnegative(square)))
    summed = rules.sum_termwise(rules.instance(each, {x: p[i], z: q[i]}), over)
    first, second = (rules.hypothesis(mass) for mass in laws_of_mass_1)
    known = rules.add(summed, rules.scale(rules.hypothesis(second_moment), 1 / (4 * s)),
        rules.scale(first, (s - c) / (2 * s)), rules.scale(second, (s - c) ** 2 / (4 * s)))
    return proof("the parabola", rules.restate(rules.le(positive_parts, (s - c + 1) / 2), known))

rounds__second_moment = source.claim(
    "Two laws on finitely many outcomes whose ratio has the second moment 1 + v have delta <= (s - c + 1)/2, c = e^epsilon, "
    "s^2 = v + (c - 1)^2.",
    [*laws_of_mass_1, second_moment], rules.le(positive_parts, (s - c + 1) / 2), Proof(parabola),
    mutant=(rules.le(positive_parts, Rational(99, 100) * (s - c + 1) / 2), {n: 2, c: 1, s: 1, p: (1, 0), q: ("1/2", "1/2")}),
    example={n: 2, c: 1, s: 1, p: (1, 0), q: ("1/2", "1/2")})

rounds__moment = source.claim(
    "The density ratio of one epoch has the second moment 1 + (e^(1/sigma^2) - 1)/M: M squares and M(M - 1) products of mean 1.",
    Eq((M * exp(GaussianRenyi(2, sigma)) + M * (M - 1)) / M**2, 1 + (exp(1 / sigma**2) - 1) / M),
    mutant=(Eq((M * exp(GaussianRenyi(2, sigma)) + M**2) / M**2, 1 + (exp(1 / sigma**2) - 1) / M), {M: 2, sigma: 1}))

rounds__closed_form = source.claim(
    "By the closed form 4,296 rounds suffice at sigma = 1.",
    sqrt((E - 1) / 4296) / 2 <= HUNDREDTH,
    mutant=(sqrt((E - 1) / 4295) / 2 <= HUNDREDTH, {}),
    uses=[rounds__second_moment, rounds__moment])

def closed_form(noise, number, epochs):
    """(√(v + (e^ε − 1)²) − (e^ε − 1))/2, written so that boxes enclose it well."""
    v, c = (1 + (exp(1 / noise**2) - 1) / number) ** epochs - 1, exp(epsilon)
    return v / (sqrt(v + (c - 1) ** 2) + c - 1) / 2

rounds__closed_form__epochs = source.claim(
    "Ten epochs of 1,000 rounds keep to the closed form at sigma = 1 and every epsilon up to 2.",
    [epsilon <= 2], delta(epsilon, 1, 1000, 10) <= closed_form(Integer(1), 1000, 10), Boxes(),
    mutant=(delta(epsilon, 1, 1000, 10) <= Rational(3, 4) * closed_form(Integer(1), 1000, 10), {epsilon: 0}))
