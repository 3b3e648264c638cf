"""Yuchen 2019, Claim 26, part 2: when does the moment of the sampled Gaussian stay bounded, and what is its limit?

With rate r = c₁/σ and order λ = c₂σ² the post finds the limit 0. It is not below exp(c₁²c₂²/2), because

    G_λ ≥ exp(λr(λr−1)/(2σ²))    for every σ > 0, 0 < r < 1, λ > 1,

and it is finite, with a constant that is doubly exponential in c₂. For r = c₁σ^{−d} and λ = c₂σ^e the moment stays bounded exactly when
e ≤ 2 and e ≤ 1+d.
"""

from dpbounds.notation import *
from dpbounds.theory.sampling import moment_growth as theory

source = Source("chen2019.claim-26", "Claim 26, part 2")

alpha, sigma, rate = positive("alpha sigma r")
c1, c2 = positive("c_1 c_2")
moment = SampledGaussianMoment(alpha, sigma, rate)
mean = alpha * rate

lower_bound = source.claim("The moment is at least exp(m(m-1)/(2 sigma^2)) with m = lambda r.",
    [alpha > 1, rate < 1], rules.le(exp(mean * (mean - 1) / (2 * sigma**2)), moment),
    Proof(theory.moment_lower_bound),
    mutant=(exp(mean * (mean + 1) / (2 * sigma**2)) <= moment, {alpha: 2, rate: "1/2", sigma: 1}))

top_term = source.claim(
    "The moment is at least its highest term, r^lambda exp(lambda(lambda-1)/(2 sigma^2)).",
    [alpha > 1, rate < 1], rules.le(rate**alpha * exp(alpha * (alpha - 1) / (2 * sigma**2)), moment),
    Proof(theory.moment_top_term),
    mutant=(rate**alpha * exp(alpha**2 / (2 * sigma**2)) <= moment, {alpha: 3, rate: "9/10", sigma: 1}))

def instance_of(recipe, order, share, statement, given):
    """A derivation with λ and r replaced, and the exponent tidied up."""
    values = {alpha: order, rate: share}
    return Proof(lambda proof: proof("replace", rules.restate(statement, rules.instance(recipe().result, values, given), given)))

path_order, path_rate = c2 * sigma**2, c1 / sigma
on_path = [path_order > 1, path_rate < 1]
path_bound = rules.le(exp(c1**2 * c2**2 / 2 - c1 * c2 / (2 * sigma)), SampledGaussianMoment(path_order, sigma, path_rate))

limit = source.claim("With r = c_1/sigma, lambda = c_2 sigma^2 no limit is below exp(c_1^2 c_2^2/2).",
    on_path, path_bound, instance_of(theory.moment_lower_bound, path_order, path_rate, path_bound, on_path),
    mutant=(exp(c1**2 * c2**2) <= SampledGaussianMoment(path_order, sigma, path_rate),
        {c1: 1, c2: 1, sigma: 10}),
    corrects="chen2019.claim-26.limit-zero", uses=[lower_bound], example={c1: 1, c2: 1, sigma: 2})

limit_zero = source.claim(
    "With r = 1/sigma and lambda = sigma^2 the moment tends to 0; so it is below 1/2 from some sigma on "
    "(read: from sigma = 10).",
    [sigma >= 10], SampledGaussianMoment(sigma**2, sigma, 1 / sigma) <= Rational(1, 2), {sigma: 10},
    note="Another reading of `from some sigma on` fares no better: the moment is never below 1, see the "
    "corrected claim.")

order, sampling, (noise_share, order_share) = positive_integer("lambda"), nonnegative("q"), positive("a c")
bounded_moment = SampledGaussianMoment(order, sigma, sampling)
bounded_domain = [order > 1, sampling <= 1, order <= order_share * sigma**2, order * sampling <= noise_share * sigma]
at_corner = {order: 4, sampling: "1/4", sigma: 1, noise_share: 1, order_share: 4}

bounded = source.claim(
    "At integer orders lambda <= c sigma^2 with lambda q <= a sigma the moment is at most 1 + exp(K^2/2), K "
    "= a(e^(1+c/2) - 1).",
    bounded_domain,
    rules.le(bounded_moment, 1 + exp(noise_share**2 * (exp(1 + order_share / 2) - 1) ** 2 / 2)),
    Proof(theory.moment_upper_bound),
    mutant=(bounded_moment <= exp(noise_share**2 / 2), at_corner),
    example=at_corner,
    note="The constant C(c_1, c_2) of the post, with a = c_1 c_2 and c = c_2; the mutant takes the limit for "
    "a bound.")

# --- other exponents -----------------------------------------------------------------------------------------------

slow_rate = c1 / sqrt(sigma)
on_slow_path = [path_order > 1, slow_rate < 1]
slow_moment = SampledGaussianMoment(path_order, sigma, slow_rate)
slow_bound = rules.le(exp(c1**2 * c2**2 * sigma / 2 - c1 * c2 / (2 * sqrt(sigma))), slow_moment)

any_rate__corrected = source.claim(
    "With r = c_1 sigma^(-1/2) and lambda = c_2 sigma^2 the moment is at least exp(c_1^2 c_2^2 sigma/2 - c_1 "
    "c_2/(2 sqrt(sigma))).",
    on_slow_path, slow_bound,
    instance_of(theory.moment_lower_bound, path_order, slow_rate, slow_bound, on_slow_path),
    mutant=(exp(c1**2 * c2**2 * sigma) <= slow_moment, {c1: "1/2", c2: 1, sigma: 4}),
    corrects="chen2019.claim-26.any-rate", uses=[lower_bound], example={c1: 1, c2: 1, sigma: 4},
    note="So it exceeds every constant; likewise for sigma^-d and sigma^e with e > 1 + d, and by the highest "
    "term for e > 2.")

any_rate = source.claim(
    "r = O(sigma^-d) with any d in (0, 1) keeps the moments bounded (read: r = sigma^(-1/2), lambda = "
    "sigma^2, at most 10^6).",
    [sigma >= 1], SampledGaussianMoment(sigma**2, sigma, 1 / sqrt(sigma)) <= 10**6, {sigma: 49},
    note="No other constant helps: the corrected claim grows without limit.")
