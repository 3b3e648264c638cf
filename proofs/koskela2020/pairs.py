"""Koskela, Jälkö & Honkela 2020, §6: the pairs of distributions that stand for sampling schemes."""

from sympy import Eq, Lambda, exp, log, oo

from dpbounds import FAILS, HOLDS, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import HockeyStick, SampledGaussianDelta, SubstituteGaussianDelta, normal_density
from dpbounds.language.symbols import positive, real
from dpbounds.prover import derive, rules
from dpbounds.theory.conversion import loss_distribution as theory

epsilon, sigma, q = positive("epsilon sigma q")
t = real("t")

upper = q * normal_density(t, 1, sigma) + (1 - q) * normal_density(t, 0, sigma)
lower = q * normal_density(t, -1, sigma) + (1 - q) * normal_density(t, 0, sigma)
printed_denominator = q * exp(-(2 * t - 1) / (2 * sigma**2)) + 1 - q
numerator = q * exp((2 * t - 1) / (2 * sigma**2)) + 1 - q

loss_printed = Claim(
    id="koskela2020.loss-without-replacement",
    source=("koskela2020", "§6.2, the privacy loss function"),
    text="The privacy loss of the pair of §6.2 is log of (q e^((2t-1)/2s^2) + 1-q) over (q e^(-(2t-1)/2s^2) + 1-q).",
    given=[q < 1],
    then=Eq(log(numerator / printed_denominator), log(upper / lower)),
    expect=FAILS,
    by=Counterexample({q: "1/2", sigma: 1, t: 0}),
    note="A sign slip: the exponent below is (-2t-1)/(2 s^2).",
)

right_denominator = q * exp((-2 * t - 1) / (2 * sigma**2)) + 1 - q


def loss_of_the_pair():
    """Both densities divided by the density of N(0, σ²)."""

    def build(proof):
        given = [q < 1]
        rest = rules.sign(rules.lt(0, 1 - q), given)
        signs = [
            rules.restate(rules.lt(0, part), rules.add(rest, rules.positive(part - (1 - q)))) for part in (numerator, right_denominator)
        ]
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

    return derive("loss-without-replacement", "The privacy loss of the pair of §6.2", build, "Koskela et al. 2020, §6.2")


loss_corrected = Claim(
    id="koskela2020.loss-without-replacement.corrected",
    source=("koskela2020", "§6.2, the privacy loss function"),
    text="The same with (-2t-1)/(2 s^2) in the exponent below.",
    given=[q < 1],
    then=Eq(log(numerator / right_denominator), log(upper / lower)),
    expect=HOLDS,
    by=Proof(loss_of_the_pair),
    corrects="koskela2020.loss-without-replacement",
    mutant=Mutant(Eq(log(numerator / printed_denominator), log(upper / lower)), by=Counterexample({q: "1/2", sigma: 1, t: 0})),
)

fixed_size = Claim(
    id="koskela2020.fixed-size-sampling",
    source=("koskela2020", "§6.2"),
    text="The pair of §6.2 bounds the delta of sampling a fixed number of records under substitution, after one step.",
    given=[epsilon > 0, q < 1],
    # All other records are −1; +1 takes the place of −1: q N(2, σ²) + (1−q) N(0, σ²) against N(0, σ²), a shift of 2 or of 1 at σ/2.
    then=SampledGaussianDelta(epsilon, sigma / 2, q) <= SubstituteGaussianDelta(epsilon, sigma, q),
    expect=FAILS,
    by=Counterexample({epsilon: 1, sigma: 1, q: "1/100"}),
    note="Another record fills the slot that the differing record leaves. The same pair also stands for Poisson sampling under"
    " substitution, where it is right; so the two schemes are not equivalent.",
)

same_schemes = Claim(
    id="koskela2020.poisson-and-fixed-size",
    source=("koskela2020", "§6.2, last remark"),
    text="Under substitution Poisson sampling is equivalent to sampling without replacement: one step has the same delta.",
    given=[epsilon > 0, q < 1],
    # As above: the other records fill the batch, which under Poisson sampling they do in both cases alike.
    then=Eq(SubstituteGaussianDelta(epsilon, sigma, q), SampledGaussianDelta(epsilon, sigma / 2, q), evaluate=False),
    expect=FAILS,
    by=Counterexample({epsilon: 1, sigma: 1, q: "1/100"}),
    note="The batches of fixed size hold +1 or -1 and otherwise another -1; Poisson batches hold +1, -1, or nothing in that place.",
)

# --- the inverses, and the two directions of §6.2 ------------------------------------------------------------------

printed_inverse = Claim(
    id="koskela2020.inverse-without-replacement",
    source=("koskela2020", "§6.2, the inverse of the privacy loss"),
    text="At sigma^2 log((-(1-q)(1-e^s) + sqrt((1-q)^2 (1-e^s)^2 + 4c^2 e^s))/(2c)), c = q e^(-1/(2 sigma^2)), the (corrected) loss is s.",
    given=[theory.RATE < 1],
    then=Eq(theory.loss_at(theory.INVERSE), theory.LOSS, evaluate=False),
    expect=HOLDS,
    by=Proof("substitution-inverse"),
    uses=("koskela2020.loss-without-replacement.corrected",),
    mutant=Mutant(
        Eq(theory.loss_at(theory.INVERSE + 1), theory.LOSS, evaluate=False),
        by=Counterexample({theory.RATE: "1/2", theory.SIGMA: 1, theory.LOSS: 1}),
    ),
    note="The printed inverse is that of the right loss: the slip of sign is in the formula above it only.",
)

sticks = [HockeyStick(theory.EPSILON, *laws, (theory.OUTPUT, -oo, oo)) for laws in (theory.pair(), theory.pair()[::-1])]
symmetric = Claim(
    id="koskela2020.pair-without-replacement.symmetric",
    source=("koskela2020", "§6.2, after the inverse"),
    text="The pair of §6.2 has one delta in both directions, at every epsilon.",
    given=[theory.RATE < 1],
    then=Eq(*sticks, evaluate=False),
    expect=HOLDS,
    by=Proof("substitution-symmetric"),
    mutant=Mutant(
        Eq(*(SampledGaussianDelta(epsilon, sigma, q, 1, direction) for direction in ("remove", "add")), evaluate=False),
        given=[q < 1],
        by=Counterexample({epsilon: 1, sigma: 1, q: "1/2"}),
    ),
    note="The mutant says it of the pair of §6.1.",
)
