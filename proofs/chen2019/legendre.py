"""Yuchen 2019: Legendre transforms and the δ bounds that they give (scaling, Claim 23, Examples 2 and 3)."""

from dpbounds.notation import *

source = Source("chen2019", "Example 3")

k, sigma, t, delta, order = positive("k sigma t delta lambda")
steps, n, i = positive_integer("k"), positive_integer("n"), index("i")
x, y, epsilon, ceiling = real("x y epsilon c")
target = positive("epsilon")
over, half_line = (i, 1, n), (t, 0, oo)
p, q = laws("p", over), laws("q", over, "positive")
f, kappa = Function("f", real=True), Function("kappa", real=True)
log_moment = log(Sum(p[i] ** (t + 1) / q[i] ** t, over))

legendre_scaling = source.at("before Claim 23").claim(
    "(k f)*(x) = k f*(x/k) for every function f and k > 0, wherever f*(x/k) is finite.",
    [ForAll(t, true, t * x / k - f(t) <= ceiling)],
    Eq(Supremum(-k * f(t) + t * x, half_line), k * Supremum(-f(t) + t * x / k, half_line)),
    Proof("legendre-scaling"),
    mutant=([], x * t - k * t**2 <= x**2 / (4 * k**2), {x: 4, t: 1, k: 2}),
    note="The mutant reads f(t) = t^2, where f*(x) = x^2/4, with k too much below. The premise says that f*(x/k) "
    "is at most some c; where it is infinite, so is the left side, term by term.")

example_2__transform = source.at("Example 2").claim(
    "The Legendre transform of t(t+1)/(2 sigma^2) is (epsilon sigma - 1/(2 sigma))^2/2 from epsilon = 1/(2 "
    "sigma^2) on, and 0 below.",
    Eq(Supremum(epsilon * t - t * (t + 1) / (2 * sigma**2), half_line),
        Piecewise(((epsilon * sigma - 1 / (2 * sigma)) ** 2 / 2, epsilon >= 1 / (2 * sigma**2)), (0, True))),
    Proof("gaussian-legendre"),
    mutant=([epsilon > 1 / (2 * sigma**2)], epsilon * t - t * (t + 1) / (2 * sigma**2)
        <= (epsilon * sigma - 1 / (2 * sigma)) ** 2 / 4))

def exponent(at):
    """(λ−1)(λ/(2σ²) − ε), what Example 2 minimises."""
    return (at - 1) * (at / (2 * sigma**2) - epsilon)

example_2__order = source.at("Example 2").claim(
    "The infimum over lambda > 1 is reached at lambda = (1 + 2 epsilon/sigma^2)/2, if sigma^2 > 1/(2 "
    "epsilon).",
    [order > 1, epsilon > 0, sigma**2 > 1 / (2 * epsilon)],
    exponent((1 + 2 * epsilon / sigma**2) / 2) <= exponent(order), {sigma: 2, epsilon: 1, order: "9/2"},
    note="It is reached at 1/2 + epsilon sigma^2.")

densities = (normal_density(y, 1, sigma), normal_density(y, 0, sigma), (y, -oo, oo))
bound_2 = exp(-((-epsilon * sigma + 1 / (2 * sigma)) ** 2) / 2)

example_2 = source.at("Example 2").claim(
    "delta(epsilon) of the Gaussian mechanism is at most exp(-(1/(2 sigma) - epsilon sigma)^2/2), for "
    "epsilon > 1/(2 sigma^2).",
    [epsilon > 1 / (2 * sigma**2)], HockeyStick(epsilon, *densities) <= bound_2, Proof("example-2"),
    mutant=(GaussianDelta(epsilon, sigma) <= exp(-10 * (-epsilon * sigma + 1 / (2 * sigma)) ** 2),
        {sigma: 1, epsilon: 1}),
    corrects=example_2__order)

cumulants = ForAll(t, true, log_moment <= steps * t * (t + 1) / (2 * sigma**2))

claim_23 = source.at("Claim 23").claim(
    "if the cumulants of a composition are at most k kappa(t), then delta(epsilon) <= exp(-k "
    "kappa*(epsilon/k)), wherever kappa*(epsilon/k) is finite.",
    [p, q, ForAll(t, true, log_moment <= k * kappa(t)), ForAll(t, true, epsilon * t / k - kappa(t) <= ceiling)],
    HockeyStick(epsilon, p, q) <= exp(-k * Supremum(epsilon * t / k - kappa(t), half_line)),
    Proof("claim-23"),
    mutant=([target > steps / 2],
        GaussianDelta(target, 1 / sqrt(steps))
        <= exp(-(steps**2) * (target / steps - Rational(1, 2)) ** 2 / 2), {steps: 4, target: 6}),
    note="Claim 22 gives the premise for k adaptive steps. The mutant reads Gaussian noise of sigma = 1 with "
    "k^2 for k. The last premise says that kappa*(epsilon/k) is at most some c. Where it is infinite, "
    "chen2019.claim-21.2.every-t with k kappa for kappa says that delta(epsilon) = 0.")

example_3 = source.claim("cumulants at most those of k Gaussian mechanisms, for epsilon > k/(2 sigma^2).",
    [p, q, cumulants, epsilon > steps / (2 * sigma**2)],
    HockeyStick(epsilon, p, q)
        <= exp(-((-epsilon * sigma / sqrt(steps) + sqrt(steps) / (2 * sigma)) ** 2) / 2), Proof("example-3"),
    mutant=([epsilon > steps / (2 * sigma**2)],
        GaussianDelta(epsilon, sigma / sqrt(steps))
        <= exp(-10 * (-epsilon * sigma / sqrt(steps) + sqrt(steps) / (2 * sigma)) ** 2),
        {sigma: 1, steps: 1, epsilon: 1}),
    note="The printed text has no condition; without it the bound is false for small epsilon.")

example_3__condition = source.claim(
    "The same without the condition sigma^2 > k/(2 epsilon) (k = 1, epsilon = 0, close to where the exponent "
    "vanishes).",
    [epsilon > 0], GaussianDelta(epsilon, sigma) <= exp(-((1 / (2 * sigma) - epsilon * sigma) ** 2) / 2),
    {epsilon: "1/100", sigma: "1/10"})

example_3__noise = source.claim(
    "The noise that gives (epsilon, delta), if the cumulants are at most those of k Gaussian mechanisms.",
    [p, q, cumulants, delta < 1,
        sqrt(steps) * (sqrt(2) * sqrt(log(1 / delta)) / target + sqrt(2) / (2 * sqrt(target))) < sigma],
    HockeyStick(target, p, q) <= delta, Proof("example-3-noise"),
    mutant=([delta < 1, sqrt(steps) * sqrt(log(1 / delta)) / target < sigma],
        GaussianDelta(target, sigma / sqrt(steps)) <= delta),
    example={n: 1, p: [1], q: [1], steps: 1, sigma: 10, target: 1, delta: "1/2"})

depth, budget = positive("l epsilon")
root = (sqrt(2 * depth) + sqrt(2 * depth + 2 * budget)) / (2 * budget)

def exponent_at(noise):
    """(εs − 1/(2s))²/2 at s = σ/√k."""
    return (budget * noise - 1 / (2 * noise)) ** 2 / 2

def exact_root(proof):
    """The quadratic equation of Example 3."""
    return proof("rationalise", rules.equality(exponent_at(root), depth))

example_3__root = source.claim("The noise at which the bound is exactly delta, l = log(1/delta).",
    Eq(exponent_at(root), depth), Proof(exact_root),
    mutant=(Eq(exponent_at(sqrt(2 * depth) / budget + 1 / sqrt(2 * budget)), depth), {depth: 1, budget: 1}),
    note="The printed condition on sigma, the mutant, asks for more than that.")

# Advanced composition of k Gaussian mechanisms: δ' = δ/2, each step with δ/(2k) and ε₀ = ε/√(2k log(2/δ)), which forgets the term
# kε₀(e^{ε₀}−1) and is too generous; each needs √(2 log(1.25/(δ/2k)))/ε₀. Divided by √k, l = log(1/δ):
times = positive("k")
advanced = 2 * sqrt(depth + log(Rational(5, 2) * times)) * sqrt(depth + log(2)) / budget
RANGE = [depth >= 1, depth <= 100, budget >= Rational(1, 100), budget <= 10, times >= 1, times <= 10**6]
example_3__advanced_composition = source.claim(
    "The noise of Example 3 is at most 17/20 of what advanced composition asks for.",
    RANGE, budget * root <= Rational(17, 20) * budget * advanced, Boxes(budget=20_000),
    mutant=budget * root <= Rational(4, 5) * budget * advanced,
    note="Advanced composition is read generously, without its second term; the true ratio is smaller, and "
    "at large k much smaller.")
