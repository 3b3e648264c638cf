"""Yu et al. 2019, Appendix -G repaired: four bounds that hold, by how much the printed one fails, and the reverse divergence.

All ranges are unbounded: σ and 1/q grow without limit, and the orders with them. docs/order-ranges.md proves what the covers rest on.
The file begins with three facts from the literature about f(α) = (α−1)·D_α: it is convex in α, nondecreasing in q, nonincreasing in σ.
"""

from dpbounds.notation import *

source = Source("yu2019", "Appendix -G")

alpha, sigma, q = positive("alpha sigma q")

RENYI = "van Erven & Harremoës 2014, Rényi divergence and Kullback-Leibler divergence"

# --- structure -----------------------------------------------------------------------------------------------------

middle, beta, other = positive("mu beta tau")

def scaled(order):
    """f(order) = (order−1)·D_order."""
    return (order - 1) * SampledGaussianRenyi(order, sigma, q)

convex = (beta - alpha) * scaled(middle) <= (beta - middle) * scaled(alpha) + (middle - alpha) * scaled(beta)
orders = [alpha > 1, middle > 1, beta > 1, alpha < middle, middle < beta, q < 1]
three_orders = {alpha: 2, middle: 3, beta: 4, sigma: 1, q: "1/10"}
sampled_gaussian__convex_in_order = source.claim(
    "(alpha-1) times the Rényi divergence of the sampled Gaussian is convex in the order.",
    orders, convex, Citation(f"{RENYI}, Corollary 2 (Hölder's inequality)"),
    mutant=(convex.rhs <= convex.lhs, three_orders),
    example=three_orders)

more_noise = SampledGaussianRenyi(alpha, sigma, q) <= SampledGaussianRenyi(alpha, other, q)
sampled_gaussian__decreasing_in_noise = source.claim(
    "More noise means less divergence of the sampled Gaussian.",
    [alpha > 1, q < 1, other <= sigma], more_noise,
    Citation(f"{RENYI}, Theorem 9 (data processing), for the convolution with N(0, sigma^2 - tau^2)"),
    mutant=(SampledGaussianRenyi(alpha, other, q)
        <= SampledGaussianRenyi(alpha, sigma, q), {alpha: 2, sigma: 2, other: 1, q: "1/10"}))

rate = positive("p")
more_sampling = SampledGaussianRenyi(alpha, sigma, q) <= SampledGaussianRenyi(alpha, sigma, rate)
sampled_gaussian__increasing_in_rate = source.claim(
    "The Rényi divergence of the sampled Gaussian does not decrease with the sampling rate.",
    [alpha > 1, rate < 1, q <= rate], more_sampling,
    Citation("Csiszár 1967, Information-type measures of difference (joint convexity of f-divergences)"),
    mutant=(SampledGaussianRenyi(alpha, sigma, rate)
        <= SampledGaussianRenyi(alpha, sigma, q), {alpha: 2, sigma: 1, q: "1/20", rate: "1/10"}))

# --- the bound -----------------------------------------------------------------------------------------------------

def bound(factor=1, direction="remove"):
    """D_α ≤ factor·αq²/σ²."""
    return SampledGaussianRenyi(alpha, sigma, q, direction) <= factor * alpha * q**2 / sigma**2

def orders_up_to(least_sigma, least_inverse, slack):
    """σ ≥ σ₀, q ≤ 1/(mσ), 1 < α ≤ σ² log(1/(qσ)) + c."""
    return [sigma >= least_sigma, q <= 1 / (least_inverse * sigma), alpha > 1, alpha <= sigma**2 * log(1 / (q * sigma)) + slack]

def at(order, noise, sampling_rate):
    """A point that refutes."""
    return Counterexample({alpha: order, sigma: noise, q: sampling_rate})

appendix_g__repaired_sigma = source.claim(
    "The bound holds for sigma >= 1.12 and all orders of the printed range.",
    orders_up_to(Rational(28, 25), 16, 1), bound(), OrderRange(),
    mutant=(bound(Rational(98, 100)), at("4.47", "1.12", "25/448")),
    corrects="yu2019.appendix-g")

appendix_g__repaired_rate = source.claim(
    "The bound holds for sigma >= 1 and q <= 1/(70 sigma), all orders of the printed range.",
    orders_up_to(1, 70, 1), bound(), OrderRange(),
    mutant=(bound(Rational(98, 100)), at("5.24", 1, "1/70")),
    corrects="yu2019.appendix-g")

appendix_g__repaired_orders = source.claim(
    "The bound holds on the printed range of sigma and q for the orders up to sigma^2 log(1/(q sigma)), "
    "without the + 1.",
    orders_up_to(1, 16, 0), bound(), OrderRange(),
    mutant=(bound(Rational(97, 100)), at("3.29", 1, "1/27")),
    corrects="yu2019.appendix-g")

appendix_g__repaired_factor = source.claim(
    "On the whole printed range the divergence is at most 1.16 alpha q^2/sigma^2.",
    orders_up_to(1, 16, 1), bound(Rational(116, 100)), OrderRange(),
    mutant=(bound(Rational(115, 100)), at("3.77", 1, "1/16")),
    corrects="yu2019.appendix-g")

# sup of the ratio: the corner σ = 1, q = 1/16, α = 1 + log 16 = 3.77258872…
appendix_g__supremum_above = source.claim(
    "The supremum of D_alpha sigma^2/(alpha q^2) over the printed range is at most 1.156882.",
    orders_up_to(1, 16, 1), bound(Rational(1156882, 10**6)), OrderRange(),
    mutant=(bound(Rational(1156881, 10**6)), at("3.7725887", 1, "1/16")),
    note="With the mutant: by how much the printed bound fails, between 15.6881 and 15.6882 percent.")

appendix_g__supremum_below = source.claim(
    "D_alpha is at most 1.156881 alpha q^2/sigma^2 on the printed range.",
    orders_up_to(1, 16, 1), bound(Rational(1156881, 10**6)), at("3.7725887", 1, "1/16"))

appendix_g__reverse = source.claim(
    "The reverse divergence D_alpha(N(0, sigma^2) || mixture) obeys the bound on the whole printed range.",
    orders_up_to(1, 16, 1), bound(1, "add"), OrderRange(),
    mutant=(bound(Rational(5, 6), "add"), at("1.01", 1, "1/200")))
