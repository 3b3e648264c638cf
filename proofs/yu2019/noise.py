"""Yu et al. 2019, Section II-D: noise of the Gaussian mechanism, and the ρ that an (ε, δ) allows."""

from sympy import And, Eq, Le, Max, Piecewise, Rational, exp, log, sqrt

from dpbounds import FAILS, HOLDS, Boxes, Claim, Counterexample, Mutant, Proof, Search
from dpbounds.language.functions import GaussianDelta
from dpbounds.language.symbols import nonnegative, positive
from dpbounds.prover import derive, rules

epsilon, c, ell = positive("epsilon c ell")
p, q, loss = nonnegative("p q epsilon")

# δ = (5/4) e^{−c²/2} says c² = 2 log(1.25/δ): c is the noise multiplier times ε.
NOISE = [c >= Rational(2, 3), c <= 12]
within = GaussianDelta(epsilon, c / epsilon) <= Rational(5, 4) * exp(-(c**2) / 2)


def up_to(largest, name: str, text: str, mutant) -> Claim:
    """σ = √(2 log(1.25/δ))/ε is enough noise for ε up to `largest`, δ from 7e-32 to 1."""
    return Claim(
        id=f"yu2019.gaussian-noise{name}",
        source=("yu2019", "Section II-B, the Gaussian mechanism"),
        text=text,
        given=[*NOISE, epsilon <= largest],
        then=within,
        expect=HOLDS,
        by=Boxes(budget=20_000),
        mutant=Mutant(GaussianDelta(epsilon, c / epsilon) <= mutant * exp(-(c**2) / 2)),
        note="c = sigma epsilon, delta = (5/4) exp(-c^2/2): the range of c is delta from 7e-32 to 1.",
    )


stated = up_to(
    1,
    "",
    "Noise sqrt(2 log(1.25/delta))/epsilon gives (epsilon, delta)-differential privacy for epsilon <= 1.",
    Rational(3, 10),
)
further = up_to(
    Rational(7, 2),
    ".further",
    "The same noise is enough for epsilon up to 7/2; epsilon <= 1 is not tight.",
    Rational(11, 10),
)
everywhere = Claim(
    id="yu2019.gaussian-noise.everywhere",
    source=("yu2019", "Section II-B, the Gaussian mechanism"),
    text="The same noise is enough for every epsilon.",
    given=[*NOISE],
    then=within,
    expect=FAILS,
    by=Search(),
    note="It fails from somewhere between 7/2 and 4 on.",
)

# r = √ρ; ℓ = log(1/δ).
root = sqrt(ell + epsilon) - sqrt(ell)
exact_budget = Claim(
    id="yu2019.budget.exact",
    source=("yu2019", "Section II-C, rho for a given (epsilon, delta)"),
    text="rho = (sqrt(l + epsilon) - sqrt(l))^2 with l = log(1/delta) is exactly what Proposition 1 turns into (epsilon, delta).",
    then=Eq(root**2 + 2 * root * sqrt(ell), epsilon),
    expect=HOLDS,
    by=Proof(
        lambda: derive(
            "exact-budget",
            "The zCDP budget of an (ε, δ)",
            lambda proof: proof("multiply out", rules.equality(root**2 + 2 * root * sqrt(ell), epsilon)),
            "Yu et al. 2019, Proposition 1 solved for ρ",
        )
    ),
    mutant=Mutant(Eq(root**2 + 2 * root * sqrt(ell), epsilon + epsilon**2 / (4 * ell)), by=Counterexample({epsilon: 3, ell: 1})),
)
printed_root = epsilon / (2 * sqrt(ell))
printed_budget = Claim(
    id="yu2019.budget",
    source=("yu2019", "Section II-C, rho for a given (epsilon, delta)"),
    text="rho = epsilon^2/(4 log(1/delta)) gives (epsilon, delta) by Proposition 1.",
    then=Le(printed_root**2 + 2 * printed_root * sqrt(ell), epsilon, evaluate=False),
    expect=FAILS,
    by=Counterexample({epsilon: 1, ell: 1}),
    note="Too much by rho itself: the approximation is on the wrong side for every epsilon.",
)
safe_root = epsilon / (2 * sqrt(ell + epsilon))
safe_budget = Claim(
    id="yu2019.budget.corrected",
    source=("yu2019", "Section II-C, rho for a given (epsilon, delta)"),
    text="rho = epsilon^2/(4 (log(1/delta) + epsilon)) does, for epsilon up to 10 and delta down to e^-100.",
    given=[epsilon <= 10, ell >= 1, ell <= 100],
    then=safe_root**2 + 2 * safe_root * sqrt(ell) <= epsilon,
    expect=HOLDS,
    by=Boxes(budget=5000),
    corrects="yu2019.budget",
    mutant=Mutant(safe_root**2 + 2 * safe_root * sqrt(ell) <= Rational(99, 100) * epsilon),
)

# ρ = k/(2σ²) for k steps with noise σ; Proposition 1 turns it into ρ + 2√(ρ log(1/δ)).
steps = positive("k")


def epsilon_of(deviation):
    """ε of k steps by Proposition 1."""
    root_of_rho = sqrt(steps) / (sqrt(2) * deviation)
    return root_of_rho**2 + 2 * root_of_rho * sqrt(ell)


printed_noise = sqrt(steps) / epsilon * sqrt(2 * ell)
composed_printed = Claim(
    id="yu2019.composed-noise",
    source=("yu2019", "Section II-D, the noise of k steps under zCDP"),
    text="sigma = sqrt(k)/epsilon sqrt(2 log(1/delta)) gives (epsilon, delta) for k steps by Proposition 1.",
    then=Le(epsilon_of(printed_noise), epsilon, evaluate=False),
    expect=FAILS,
    by=Counterexample({steps: 10_000, epsilon: 1, ell: "11.512925464970229"}),
    note="k = 10^4, epsilon = 1, delta = 10^-5: sigma = 479.85 gives 1.0217.",
)
needed_noise = sqrt(steps) / (sqrt(2) * root)
composed_corrected = Claim(
    id="yu2019.composed-noise.corrected",
    source=("yu2019", "Section II-D, the noise of k steps under zCDP"),
    text="sigma = sqrt(k/2)/(sqrt(l + epsilon) - sqrt(l)) with l = log(1/delta) gives exactly epsilon.",
    then=Eq(epsilon_of(needed_noise), epsilon, evaluate=False),
    expect=HOLDS,
    by=Proof(
        lambda: derive(
            "composed-noise",
            "The noise of k steps under zCDP",
            lambda proof: proof("multiply out", rules.equality(epsilon_of(needed_noise), epsilon)),
            "Yu et al. 2019, Proposition 1 solved for sigma",
        )
    ),
    corrects="yu2019.composed-noise",
    mutant=Mutant(Eq(epsilon_of(printed_noise), epsilon, evaluate=False), by=Counterexample({steps: 10_000, epsilon: 1, ell: 12})),
)
at_the_example = needed_noise.subs({steps: 10_000, epsilon: 1, ell: log(10**5)})
composed_example = Claim(
    id="yu2019.composed-noise.example",
    source=("yu2019", "Section II-D, the noise of k steps under zCDP"),
    text="For k = 10^4, epsilon = 1, delta = 10^-5 that is between 490.05 and 490.07; the printed formula gives less than 479.86.",
    then=And(
        Le(Rational(49_005, 100), at_the_example, evaluate=False),
        Le(at_the_example, Rational(49_007, 100), evaluate=False),
        Le(100 * sqrt(2 * log(10**5)), Rational(47_986, 100), evaluate=False),
    ),
    expect=HOLDS,
    by=Boxes(budget=100),
    mutant=Mutant(Le(at_the_example, Rational(49_005, 100), evaluate=False)),
)

# δ(ε) is a sum over outcomes, and so is the tail: it is enough to compare one outcome, of masses p and q.
outcome = Max(p - exp(loss) * q, 0) <= Piecewise((p, p > exp(loss) * q), (0, True))
tail_to_delta = Claim(
    id="yu2019.tail-to-dp",
    source=("yu2019", "Section II, equivalence of (epsilon, delta)-DP and a tail bound"),
    text="The converse holds: Pr(L > epsilon) <= delta gives (epsilon, delta)-indistinguishability, outcome by outcome.",
    given=[p <= 1, q <= 1, loss <= 20],
    then=outcome,
    expect=HOLDS,
    by=Boxes(budget=20_000),
    mutant=Mutant(Piecewise((p, p > exp(loss) * q), (0, True)) <= Max(p - exp(loss) * q, 0)),
)
