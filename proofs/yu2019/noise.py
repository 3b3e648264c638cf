"""Yu et al. 2019, Section II-D: noise of the Gaussian mechanism, and the ρ that an (ε, δ) allows."""

from dpbounds.notation import *

source = Source("yu2019", "Section II-C, rho for a given (epsilon, delta)")

epsilon, c, ell = positive("epsilon c ell")
p, q, loss = nonnegative("p q epsilon")

# δ = (5/4) e^{−c²/2} says c² = 2 log(1.25/δ): c is the noise multiplier times ε.
NOISE = [c >= Rational(2, 3), c <= 12]
within = GaussianDelta(epsilon, c / epsilon) <= Rational(5, 4) * exp(-(c**2) / 2)

def up_to(largest, name: str, text: str, mutant) -> Claim:
    """σ = √(2 log(1.25/δ))/ε is enough noise for ε up to `largest`, δ from 7e-32 to 1."""
    return source.at("Section II-B, the Gaussian mechanism").claim(
        text, [*NOISE, epsilon <= largest], within, Boxes(budget=20_000),
        mutant=GaussianDelta(epsilon, c / epsilon) <= mutant * exp(-(c**2) / 2),
        id=f"gaussian-noise{name}",
        note="c = sigma epsilon, delta = (5/4) exp(-c^2/2): the range of c is delta from 7e-32 to 1.")

stated = up_to(
    1,
    "",
    "Noise sqrt(2 log(1.25/delta))/epsilon gives (epsilon, delta)-differential privacy for epsilon <= 1.",
    Rational(3, 10),
)
further = up_to(
    Rational(7, 2),
    ".further",
    "Noise sqrt(2 log(1.25/delta))/epsilon is enough for epsilon up to 7/2; epsilon <= 1 is not tight.",
    Rational(11, 10),
)
gaussian_noise__everywhere = source.at("Section II-B, the Gaussian mechanism").claim(
    "Noise sqrt(2 log(1.25/delta))/epsilon is enough for every epsilon.",
    [*NOISE], within, Search(),
    note="It fails from somewhere between 7/2 and 4 on.")

# r = √ρ; ℓ = log(1/δ).
root = sqrt(ell + epsilon) - sqrt(ell)
budget__exact = source.claim(
    "The rho that Proposition 1 turns into exactly (epsilon, delta), l = log(1/delta).",
    Eq(root**2 + 2 * root * sqrt(ell), epsilon), Identity(),
    mutant=(Eq(root**2 + 2 * root * sqrt(ell), epsilon + epsilon**2 / (4 * ell)), {epsilon: 3, ell: 1}))
with as_written():  # epsilon is the second term, and the first is what is too much
    printed_root = epsilon / (2 * sqrt(ell))
    by_proposition_1 = printed_root**2 + 2 * printed_root * sqrt(ell)
budget = source.claim("rho = epsilon^2/(4 log(1/delta)) gives (epsilon, delta) by Proposition 1.",
    Le(by_proposition_1, epsilon, evaluate=False), {epsilon: 1, ell: 1},
    note="Too much by rho itself: the approximation is on the wrong side for every epsilon.")
safe_root = epsilon / (2 * sqrt(ell + epsilon))
budget__corrected = source.claim(
    "rho = epsilon^2/(4 (log(1/delta) + epsilon)) does, for every epsilon and delta.",
    safe_root**2 + 2 * safe_root * sqrt(ell) <= epsilon,
    mutant=safe_root**2 + 2 * safe_root * sqrt(ell) <= Rational(99, 100) * epsilon,
    corrects=budget)

# ρ = k/(2σ²) for k steps with noise σ; Proposition 1 turns it into ρ + 2√(ρ log(1/δ)).
steps = positive("k")

def epsilon_of(deviation):
    """ε of k steps by Proposition 1."""
    root_of_rho = sqrt(steps) / (sqrt(2) * deviation)
    return root_of_rho**2 + 2 * root_of_rho * sqrt(ell)

with as_written():  # k cancels, and with it what is claimed
    printed_noise = sqrt(steps) / epsilon * sqrt(2 * ell)
    with_printed_noise = epsilon_of(printed_noise)
    needed_noise = sqrt(steps) / (sqrt(2) * root)
    with_needed_noise = epsilon_of(needed_noise)

composed_noise = source.at("Section II-D, the noise of k steps under zCDP").claim(
    "sigma = sqrt(k)/epsilon sqrt(2 log(1/delta)) gives (epsilon, delta) for k steps by Proposition 1.",
    Le(with_printed_noise, epsilon, evaluate=False),
    {steps: 10_000, epsilon: 1, ell: "11.512925464970229"},
    note="k = 10^4, epsilon = 1, delta = 10^-5: sigma = 479.85 gives 1.0217.")

def at_that_noise(proof):
    """k cancels where it is not divided by 0, and √ρ is √(ℓ + ε) − √ℓ > 0."""
    x = positive("x")
    grows = rules.apply(Lambda(x, sqrt(x)), rules.restate(rules.lt(ell, ell + epsilon), rules.positive(epsilon)))
    above = proof("the root is positive", rules.restate(rules.lt(0, root), grows))
    return proof("k cancels", rules.equality(with_needed_noise, epsilon, using=[above]))

composed_noise__corrected = source.at("Section II-D, the noise of k steps under zCDP").claim(
    "sigma = sqrt(k/2)/(sqrt(l + epsilon) - sqrt(l)) with l = log(1/delta) gives exactly epsilon.",
    Eq(with_needed_noise, epsilon, evaluate=False), Proof(at_that_noise),
    mutant=(Eq(with_printed_noise, epsilon, evaluate=False), {steps: 10_000, epsilon: 1, ell: 12}),
    corrects=composed_noise)
at_the_example = (sqrt(steps) / (sqrt(2) * root)).subs({steps: 10_000, epsilon: 1, ell: log(10**5)})
composed_noise__example = source.at("Section II-D, the noise of k steps under zCDP").claim(
    "For k = 10^4, epsilon = 1, delta = 10^-5 that is about 490.06; the printed formula gives 479.85.",
    And(Le(Rational(49_005, 100), at_the_example, evaluate=False), Le(at_the_example, Rational(49_007, 100),
        evaluate=False), Le(100 * sqrt(2 * log(10**5)), Rational(47_986, 100), evaluate=False)),
    Boxes(budget=100),
    mutant=Le(at_the_example, Rational(49_005, 100), evaluate=False))

# δ(ε) is a sum over outcomes, and so is the tail: it is enough to compare one outcome, of masses p and q.
outcome = Max(p - exp(loss) * q, 0) <= Piecewise((p, p > exp(loss) * q), (0, True))
tail_to_dp = source.at("Section II, equivalence of (epsilon, delta)-DP and a tail bound").claim(
    "The converse holds: Pr(L > epsilon) <= delta gives (epsilon, delta), outcome by outcome.",
    [p <= 1, q <= 1, loss <= 20], outcome, Boxes(budget=20_000),
    mutant=Piecewise((p, p > exp(loss) * q), (0, True)) <= Max(p - exp(loss) * q, 0))
