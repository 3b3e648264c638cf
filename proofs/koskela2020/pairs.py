"""Koskela, Jälkö & Honkela 2020, §6: the pairs of distributions that stand for sampling schemes."""

from dpbounds.notation import *
from dpbounds.theory.conversion import loss_distribution as theory

source = Source("koskela2020", "§6.2, the privacy loss function")

epsilon, sigma, q = positive("epsilon sigma q")
t = real("t")

upper = q * normal_density(t, 1, sigma) + (1 - q) * normal_density(t, 0, sigma)
lower = q * normal_density(t, -1, sigma) + (1 - q) * normal_density(t, 0, sigma)
printed_denominator = q * exp(-(2 * t - 1) / (2 * sigma**2)) + 1 - q
numerator = q * exp((2 * t - 1) / (2 * sigma**2)) + 1 - q

loss_without_replacement = source.claim(
    "The privacy loss of the pair of §6.2 is log of (q e^((2t-1)/2s^2) + 1-q) over (q e^(-(2t-1)/2s^2) + "
    "1-q).",
    [q < 1], Eq(log(numerator / printed_denominator), log(upper / lower)), {q: "1/2", sigma: 1, t: 0},
    note="A sign slip: the exponent below is (-2t-1)/(2 s^2).")

right_denominator = q * exp((-2 * t - 1) / (2 * sigma**2)) + 1 - q

def loss_of_the_pair(proof):
    """Both densities divided by the density of N(0, σ²)."""
    given = [q < 1]
    rest = rules.sign(rules.lt(0, 1 - q), given)
    signs = [rules.restate(rules.lt(0, part), rules.add(rest, rules.positive(part - (1 - q)))) for part in (numerator, right_denominator)]
    weight = normal_density(t, 0, sigma)
    signs += [
        rules.restate(rules.lt(0, part), rules.add(rules.scale(rest, weight), rules.positive(part - (1 - q) * weight)))
        for part in (upper, lower)
    ]
    ratios = [
        proof(name, rules.equality(density / normal_density(t, 0, sigma), form, given))
        for name, density, form in (("upper density", upper, numerator), ("lower density", lower, right_denominator))
    ]
    quotient = proof("their quotient", rules.equality(numerator / right_denominator, upper / lower, given, using=[*ratios, *signs]))
    y = positive("y")
    return proof("take the logarithm", rules.apply(Lambda(y, log(y)), quotient, given, using=signs))

loss_without_replacement__corrected = source.claim("The same with (-2t-1)/(2 s^2) in the exponent below.",
    [q < 1], Eq(log(numerator / right_denominator), log(upper / lower)), Proof(loss_of_the_pair),
    mutant=(Eq(log(numerator / printed_denominator), log(upper / lower)), {q: "1/2", sigma: 1, t: 0}),
    corrects=loss_without_replacement)

fixed_size_sampling = source.at("§6.2").claim(
    "The pair of §6.2 bounds the delta of sampling a fixed number of records under substitution, after one "
    "step.",
    [epsilon > 0, q < 1],
    SampledGaussianDelta(epsilon, sigma / 2, q) <= SubstituteGaussianDelta(epsilon, sigma, q),
    {epsilon: 1, sigma: 1, q: "1/100"},
    note="Another record fills the slot that the differing record leaves. The same pair also stands for "
    "Poisson sampling under substitution, where it is right; so the two schemes are not equivalent.")

poisson_and_fixed_size = source.at("§6.2, last remark").claim(
    "Under substitution Poisson sampling is equivalent to sampling without replacement (one step).",
    [epsilon > 0, q < 1],
    Eq(SubstituteGaussianDelta(epsilon, sigma, q), SampledGaussianDelta(epsilon, sigma / 2, q),
        evaluate=False), {epsilon: 1, sigma: 1, q: "1/100"},
    note="The batches of fixed size hold +1 or -1 and otherwise another -1; Poisson batches hold +1, -1, or "
    "nothing in that place.")

# --- the inverses, and the two directions of §6.2 ------------------------------------------------------------------

inverse_without_replacement = source.at("§6.2, the inverse of the privacy loss").claim(
    "The inverse of the (corrected) loss, with c = q e^(-1/(2 sigma^2)).",
    [theory.RATE < 1], Eq(theory.loss_at(theory.INVERSE), theory.LOSS, evaluate=False),
    Proof("substitution-inverse"),
    mutant=(Eq(theory.loss_at(theory.INVERSE + 1), theory.LOSS, evaluate=False),
        {theory.RATE: "1/2", theory.SIGMA: 1, theory.LOSS: 1}),
    uses=[loss_without_replacement__corrected],
    note="The printed inverse is that of the right loss: the slip of sign is in the formula above it only.")

sticks = [HockeyStick(theory.EPSILON, *laws, (theory.OUTPUT, -oo, oo)) for laws in (theory.pair(), theory.pair()[::-1])]
pair_without_replacement__symmetric = source.at("§6.2, after the inverse").claim(
    "The pair of §6.2 has one delta in both directions, at every epsilon.",
    [theory.RATE < 1], Eq(*sticks, evaluate=False), Proof("substitution-symmetric"),
    mutant=([q < 1],
        Eq(*(SampledGaussianDelta(epsilon, sigma, q, 1, direction) for direction in ("remove", "add")),
        evaluate=False), {epsilon: 1, sigma: 1, q: "1/2"}),
    note="The mutant says it of the pair of §6.1.")
