"""Koskela, Jälkö & Honkela 2020, §6.3: the privacy loss of sampling with replacement."""

from dpbounds.notation import *

source = Source("koskela2020", "§6.3, after the privacy loss function")

m, ell = positive_integer("m"), index("ell", start=0)
weight = family("c", "positive")  # c[ℓ+1] for the printed c_ℓ
x, z = positive("x z")

def sums(at):
    """Σ c_ℓ x^ℓ and Σ c_ℓ x^{−ℓ} for ℓ = 0..m."""
    return tuple(Sum(weight[ell + 1] * at ** (sign * ell), (ell, 0, m)) for sign in (1, -1))

def increasing(proof):
    """x^ℓ rises with x and x^{−ℓ} falls, strictly for ℓ ≥ 1; so the quotient rises."""
    case = rules.hypothesis(x < z)
    w = positive("w")
    sides = []
    for sign, (small, large) in ((1, (x, z)), (-1, (z, x))):
        power = rules.apply(Lambda(w, w ** (sign * ell)), case, [ell >= 1])
        weighed = rules.scale(power, weight[ell + 1], [ell >= 1])
        later = rules.sum_termwise(weighed, (ell, 1, m))
        totals = [Sum(weight[ell + 1] * at ** (sign * ell), (ell, 0, m)) for at in (small, large)]
        heads = [rules.first_term(total) for total in totals]
        sides.append(proof("numerator" if sign == 1 else "denominator", rules.restate(rules.lt(*totals), later, using=heads)))
    down_x, (up_z, down_z) = sums(x)[1], sums(z)
    first = rules.scale(sides[0], 1 / down_x)
    second = rules.scale(sides[1], up_z / (down_x * down_z))
    return proof("the quotient", rules.chain(first, rules.restate(rules.lt(up_z / down_x, up_z / down_z), second)))

quotients = [up / down for up, down in (sums(x), sums(z))]
loss_with_replacement = source.claim(
    "The loss with replacement increases strictly (as a function of x = e^(t/sigma^2)).",
    [x < z], rules.lt(*quotients), Proof(increasing),
    mutant=([x < z], 2 * quotients[0] < quotients[1], {x: 1, z: "3/2", m: 1, weight: (1, 1)}),
    example={x: 1, z: 2, m: 1, weight: (1, 1)},
    note="c[l+1] is the printed c_l > 0. The mutant asks for a factor 2.")

# --- the pair and the mechanism ------------------------------------------------------------------------------------

epsilon, sigma, share = nonnegative("epsilon"), *positive("sigma q")
with_replacement__mechanism = source.at("§6.3, the tight delta of sampling with replacement").claim(
    "delta of the pair of §6.3 bounds sampling with replacement (read for one draw; other records -1).",
    [share < 1],
    SampledGaussianDelta(epsilon, sigma / 2, share) <= SubstituteGaussianDelta(epsilon, sigma, share),
    {epsilon: 1, sigma: 1, share: "1/100"},
    note="With one draw the pair is that of §6.2, and so is the slip: what is not drawn is not absent, "
    "another record takes its place.")

output = real("t")
given = [share < 1]
binomial_weights = ((1 - share) ** 2, 2 * share * (1 - share), share**2)
laws = [sum(w * normal_density(output, sign * drawn, sigma) for drawn, w in enumerate(binomial_weights)) for sign in (1, -1)]
both_ways = [HockeyStick(epsilon, *order, (output, -oo, oo)) for order in (laws, laws[::-1])]

def mirrored_pair(proof):
    """A reflection at 0 exchanges the two densities."""
    meaning = [rules.definition(stick, given) for stick in both_ways]
    integrands = [to_sympy(stick).definition().function for stick in both_ways]
    mirror = proof("reflect at 0", rules.reflect_integral(integrands[0], output, 0, given))
    same = rules.integrate_termwise(rules.equality(mirror.rhs.function, integrands[1], given), (output, -oo, oo))
    return proof("the two densities change places", rules.chain(meaning[0], mirror, same, meaning[1], given=given))

with_replacement__symmetric = source.claim(
    "The pair of §6.3 has one delta in both directions, at every epsilon (two draws).",
    given, Eq(*both_ways, evaluate=False), Proof(mirrored_pair),
    mutant=(given,
        Eq(*(SampledGaussianDelta(epsilon, sigma, share, 1, direction) for direction in ("remove", "add")),
        evaluate=False), {epsilon: 1, sigma: 1, share: "1/2"}),
    note="The mutant says it of the pair of §6.1. More draws are more terms, each of which is reflected "
    "alike.")

c_0, c_1, c_2, beyond = (*positive("c_0 c_1 c_2"), nonnegative("y"))
up, down, there = (c_0 + c_1 * (1 + beyond) ** k + c_2 * (1 + beyond) ** (2 * k) for k in (1, -1, 0))

def unbounded(proof):
    """The denominator is at most its value at x = 1, and the numerator at least its last term."""
    larger = rules.nonnegative(c_0 + c_1 * (1 + beyond))
    numerator = proof("the last term", rules.restate(rules.le(c_2 * (1 + beyond) ** 2, up), larger))
    gap = rules.nonnegative(c_1 * beyond * (1 + beyond) + c_2 * beyond * (2 + beyond))
    denominator = proof("below its value at 1", rules.restate(rules.le(down, there), rules.scale(gap, 1 / (1 + beyond) ** 2)))
    first = rules.scale(numerator, 1 / there)
    second = rules.restate(rules.le(up / there, up / down), rules.scale(denominator, up / (there * down)))
    return proof("the quotient", rules.chain(first, second))

with_replacement__range = source.claim(
    "The loss takes every value (two draws): its quotient from below, from x = 1 on.",
    rules.le(c_2 * (1 + beyond) ** 2 / there, up / down), Proof(unbounded),
    mutant=(rules.le(c_2 * (1 + beyond) ** 3 / there, up / down), {c_0: 1, c_1: 1, c_2: 1, beyond: 9}),
    note="x = 1 + y = e^(t/sigma^2); below 1 the same mirrored. The loss is continuous and increases: it "
    "takes every value once.")
