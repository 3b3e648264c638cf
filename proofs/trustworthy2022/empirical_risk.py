"""Gatica-Perez, Sajadmanesh & Shahin Shamsabadi 2022: output and objective perturbation, with the bounds of Chaudhuri et al. 2011.

J is the mean of n convex losses with slopes at most L, records in the unit ball, plus Lambda times a 1-strongly convex function. u and v
minimise it on two data sets that differ in one record. The library's functions are in dpbounds.budgets.empirical_risk.
"""

from dpbounds.notation import *

source = Source("trustworthy2022", "slide Private empirical risk minimisation, Chaudhuri et al. 2011")

slope, strength, bend = positive("L Lambda c")
records, coordinates, k = positive_integer("n"), positive_integer("K"), index("k")
u, v, h = (family(name, "real") for name in "uvh")
over = (k, 1, coordinates)

# --- noise on the minimiser ----------------------------------------------------------------------------------------

moved, changed = Sum((u[k] - v[k]) ** 2, over), Sum(h[k] ** 2, over)
convex = strength * moved <= Sum((u[k] - v[k]) * h[k], over)
small = changed <= 4 * slope**2 / records**2
pair = {coordinates: 1, u: [2], v: [0], h: [2], slope: 1, strength: 1, records: 1}

def moves(proof):
    """2(u−v)h ≤ Λ(u−v)² + h²/Λ in every coordinate, so that ΛS ≤ H/Λ."""
    square = rules.nonnegative((strength * (u[k] - v[k]) - h[k]) ** 2 / strength)
    product = rules.le(2 * (u[k] - v[k]) * h[k], strength * (u[k] - v[k]) ** 2 + h[k] ** 2 / strength)
    total = rules.sum_termwise(proof("a square is not negative", rules.restate(product, square)), over)
    twice, near = rules.scale(rules.hypothesis(convex), 2), rules.scale(rules.hypothesis(small), 1 / strength)
    bound = rules.le(strength * moved, 4 * slope**2 / (records**2 * strength))
    added = proof("add the two premises", rules.restate(bound, rules.add(total, twice, near)))
    return proof("by Lambda", rules.restate(rules.le(moved, (2 * slope / (records * strength)) ** 2), rules.scale(added, 1 / strength)))

output_perturbation = source.claim(
    "Replacing a record moves the minimiser by at most 2L/(n Lambda) in the Euclidean norm.",
    [convex, small], moved <= (2 * slope / (records * strength)) ** 2, Proof(moves),
    mutant=(moved <= (slope / (records * strength)) ** 2, pair),
    example=pair,
    note="The first premise is strong convexity at two minimisers: h is the gradient at v of J on the data of "
    "u less that on the data of v, up to its sign; two records change it by at most 2L/n. The minimiser must "
    "be exact.")

# --- noise on the objective ----------------------------------------------------------------------------------------

epsilon, share = positive("epsilon t")
first, second = nonnegative("a b")

def jacobian(proof):
    """(1+a)(1+b) ≤ (1 + (a+b)/2)² ≤ (1+t)²."""
    x, middle = real("x"), 1 + (first + second) / 2
    means = rules.restate(rules.le((1 + first) * (1 + second), middle**2), rules.nonnegative((first - second) ** 2 / 4))
    proof("means", means)
    inside = rules.restate(rules.le(middle, 1 + share), rules.scale(rules.hypothesis(first + second <= 2 * share), Rational(1, 2)))
    return proof("squares", rules.chain(means, rules.apply(Lambda(x, x**2), inside)))

objective_perturbation = source.claim(
    "The Jacobian of the map from the noise to the minimiser changes by at most a factor (1 + c/(n Lambda))^2.",
    [first + second <= 2 * share], (1 + first) * (1 + second) <= (1 + share) ** 2, Proof(jacobian),
    mutant=((1 + first) * (1 + second) <= 1 + 2 * share, {first: 1, second: 1, share: 1}),
    example={first: 1, second: 1, share: 1},
    note="Two records change the Hessian by a matrix of rank 2; a and b are the sizes of its eigenvalues "
    "relative to the Hessian, t = c/(n Lambda) and c bounds the second derivative of the loss.")

left, extra = real("r"), nonnegative("Delta")
quarter = exp(epsilon / 4)

def with_noise(proof):
    """r + 2·log(1+t) ≤ ε, exponentiated."""
    x = real("x")
    near = rules.restate(rules.le(left + 2 * log(1 + share), epsilon), rules.hypothesis(left <= epsilon - 2 * log(1 + share)))
    powers = rules.apply(Lambda(x, exp(x)), near)
    return proof("powers", rules.restate(rules.le((1 + share) ** 2 * exp(left), exp(epsilon)), powers))

objective_perturbation__noise = source.claim(
    "Noise whose density changes by at most e^r and the Jacobian make epsilon, for r <= epsilon - 2 log(1 + t).",
    [left <= epsilon - 2 * log(1 + share)], (1 + share) ** 2 * exp(left) <= exp(epsilon), Proof(with_noise),
    mutant=([left <= epsilon - log(1 + share)], (1 + share) ** 2 * exp(left) <= exp(epsilon),
        {share: 1, epsilon: 1, left: "3/10"}),
    example={share: 1, epsilon: 2, left: "1/2"})

def more_convex(proof):
    """1 + c/(n(Λ+Δ)) ≤ e^{ε/4}, squared."""
    x, whole = real("x"), records * (strength + extra)
    enough = rules.hypothesis(bend / (records * (quarter - 1)) - strength <= extra)
    scaled = rules.restate(rules.le(bend, (quarter - 1) * whole), rules.scale(enough, records * (quarter - 1)))
    inside = rules.restate(rules.le(1 + bend / whole, quarter), rules.scale(scaled, 1 / whole))
    squared = proof("squares", rules.apply(Lambda(x, x**2), inside))
    target = rules.le((1 + bend / whole) ** 2 * exp(epsilon / 2), exp(epsilon))
    return proof("by e^(epsilon/2)", rules.restate(target, rules.scale(squared, exp(epsilon / 2))))

objective_perturbation__convexity = source.claim(
    "With Delta >= c/(n(e^(epsilon/4) - 1)) - Lambda more convexity, noise of parameter epsilon/2 and the "
    "Jacobian make at most epsilon.",
    [bend / (records * (quarter - 1)) - strength <= extra],
    (1 + bend / (records * (strength + extra))) ** 2 * exp(epsilon / 2) <= exp(epsilon), Proof(more_convex),
    mutant=([bend / (records * (exp(epsilon / 2) - 1)) - strength <= extra],
        (1 + bend / (records * (strength + extra))) ** 2 * exp(epsilon / 2) <= exp(epsilon),
        {bend: 1, records: 1, strength: 1, epsilon: 1, extra: "6/10"}),
    example={bend: 1, records: 1, strength: 1, epsilon: 1, extra: 3})
