"""Yuchen 2019, Conjecture 1: which further hypotheses save it, and the smallest counterexample for each that does not."""

from dpbounds.notation import *

source = Source("chen2019.conjecture-1", "Conjecture 1")

order = real("lam")
EVERY = p1, q1, p2, q2, m1, n1, m2, n2 = real("p_1 q_1 p_2 q_2 m_1 n_1 m_2 n_2")

def coin(first, second):
    """D_λ of two coins."""
    return RenyiDivergence(order, bernoulli(first), bernoulli(second))

INSIDE = [order > 1, *(condition for x in EVERY for condition in (x > 0, x < 1))]
CLOSER = [coin(p1, q1) <= coin(m1, n1), coin(p2, q2) <= coin(m2, n2)]
CONCLUSION = coin((p1 + p2) / 2, (q1 + q2) / 2) <= coin((m1 + m2) / 2, (n1 + n2) / 2)

def attempt(name, text, hypotheses, point, note=""):
    """Conjecture 1 for coins of full support under further hypotheses, and a point where it fails all the same."""
    return source.claim(
        text, [*INSIDE, *CLOSER, *hypotheses], CONCLUSION, dict(zip((order, *EVERY), point, strict=True)),
        id=name,
        note=note)

rise, twins = ("2/3", "1/3"), ("21/40", "19/40")
attempts = [
    attempt("same-second-laws", "Conjecture 1 if all second laws q_i = nu_i are one law.",
        [Eq(q1, q2), Eq(n1, q1), Eq(n2, q1)],
        (2, "3/4", "1/2", "3/4", "1/2", "3/4", "1/2", "1/4", "1/2"),
        "The likelihood ratios mu_i/nu must also be ordered alike (comonotone): here one rises and one falls."),
    attempt("equal-pairs", "Conjecture 1 if (p_i, q_i) is the same pair for both i.",
        [Eq(p1, p2), Eq(q1, q2)], (2, *rise, *rise, *rise, *rise[::-1])),
    attempt("same-divergences", "Conjecture 1 if the divergences are equal, not only ordered, and all four are equal.",
        [Eq(p1, p2), Eq(q1, q2), Eq(p1, m1), Eq(q1, n1), Eq(m2, 1 - m1), Eq(n2, 1 - n1)],
        (2, *rise, *rise, *rise, *rise[::-1]), "A pair and its flip have one divergence, and average to the fair coin."),
    attempt("small-divergences", "Conjecture 1 if all divergences are at most 1/50.",
        [coin(m1, n1) <= Rational(1, 50), coin(m2, n2) <= Rational(1, 50)],
        (2, *twins, *twins, *twins, *twins[::-1])),
    attempt("nearly-equal-second-pair", "Conjecture 1 if p_2 = q_2 and mu_2 = nu_2: the shape that subsampling needs.",
        [Eq(p2, q2), Eq(m2, n2)], (2, *rise, "1/100", "1/100", *rise, "1/2", "1/2"),
        "With p_2 = q_2 at an end and mu_2 = nu_2 in the middle: what is added for free hides more in the middle."),
]

# --- flips, at every order -----------------------------------------------------------------------------------------

lam = positive("lambda")
third, fair = Rational(1, 3), Tuple(Rational(1, 2), Rational(1, 2))
upper, lower = Tuple(1 - third, third), Tuple(third, 1 - third)
value = log((2**lam + 2 ** (1 - lam)) / 3) / (lam - 1)

def one_divergence(proof):
    """A pair of full support and its flip: one divergence, and averages that coincide."""
    given = [lam > 1]
    quantities = [RenyiDivergence(lam, *pair) for pair in ((upper, lower), (lower, upper))]
    closed = [
        rules.chain(rules.definition(quantity, given), rules.equality(to_sympy(quantity).definition(), value, given))
        for quantity in quantities
    ]
    return proof("one divergence", rules.chain(closed[0], rules.restate(Eq(value, quantities[1], evaluate=False), closed[1], given)))

flips = source.claim(
    "For every lambda > 1 the pair B(2/3), B(1/3) and its flip have one divergence; their averages are two "
    "fair coins.",
    [lam > 1], Eq(RenyiDivergence(lam, upper, lower), RenyiDivergence(lam, lower, upper)),
    Proof(one_divergence),
    mutant=(Eq(RenyiDivergence(lam, upper, fair), RenyiDivergence(lam, fair, upper)), {lam: 2}),
    note="So Conjecture 1 fails for (p_i, q_i) the pair twice and (mu_i, nu_i) the pair and its flip, with "
    "full support, at every order.")

# --- Gaussian pairs ------------------------------------------------------------------------------------------------

# Against N(0, 1) at λ = 2 the moment of (N(a,1) + N(b,1))/2 is (e^{a²} + 2e^{ab} + e^{b²})/4, as ∫ N(a,1)N(b,1)/N(0,1) = e^{ab}.
a, b, c = real("a b c")

def moment_of_average(first, second):
    """∫ ((N(first,1) + N(second,1))/2)²/N(0,1)."""
    return (exp(first**2) + 2 * exp(first * second) + exp(second**2)) / 4

def product(proof):
    """∫ N(a,1) N(b,1)/N(0,1) = e^{ab}: complete the square."""
    from dpbounds.theory.noise.gaussian import OUTPUT, SIGMA, gaussian_integral

    y = OUTPUT
    centre = a + b
    integrand = normal_density(y, a, 1) * normal_density(y, b, 1) / normal_density(y, 0, 1)
    square = rules.equality(integrand, exp(a * b) * normal_density(y, centre, 1))
    mass = rules.instance(gaussian_integral(centre), {SIGMA: S.One})
    inside = rules.integrate_termwise(square, (y, -oo, oo))
    return proof("complete the square", rules.chain(inside, rules.equality(inside.rhs, exp(a * b), using=[mass])))

y = real("y")
gaussian_product = source.claim("The integral of N(a,1) N(b,1)/N(0,1) is exp(a b).",
    Eq(Integral(normal_density(y, a, 1) * normal_density(y, b, 1) / normal_density(y, 0, 1), (y, -oo, oo)),
        exp(a * b)), Proof(product),
    mutant=(Eq(moment_of_average(a, b), (exp(a**2) + exp(b**2)) / 2), {a: 1, b: 2}))

gaussian = source.claim(
    "Conjecture 1 at lambda = 2 for Gaussians against N(0,1): means c, c on the left, a, b of modulus at "
    "least c on the right.",
    [c > 0, a**2 >= c**2, b**2 >= c**2], moment_of_average(c, c) <= moment_of_average(a, b),
    {c: 1, a: 1, b: -1},
    uses=[gaussian_product],
    note="N(1,1) twice against N(1,1), N(-1,1): the second average is closer to N(0,1).")

# --- true cases ----------------------------------------------------------------------------------------------------

h, out = index("h"), index("y")
m, n = positive_integer("m"), positive_integer("n")
states, outputs = (h, 1, m), (out, 1, n)
mu, nu, kernel = laws("mu", states, "positive"), laws("nu", states, "positive"), family("K", "positive")

one_kernel = source.claim(
    "a kernel does not increase D_lambda; so Conjecture 1 holds for pairs that come through one kernel.",
    [lam > 1, for_each(states, Eq(Sum(kernel[h, out], outputs), 1))],
    RenyiDivergence(lam, *(Sum(x[h] * kernel[h, out], states) for x in (mu, nu)), outputs)
        <= RenyiDivergence(lam, mu, nu), Proof("renyi-data-processing"),
    mutant=(attempts[1].given, CONCLUSION, attempts[1].by),
    corrects="chen2019.conjecture-1",
    note="The averages go through the same kernel. In the mutant the second pair goes through another one, "
    "the flip.")

# --- the reduction to two pairs ------------------------------------------------------------------------------------

size, term = positive_integer("n"), index("i")
x = family("x", "real")

def recombined(proof):
    """The average of n + 1 as a weighted average of two."""
    total = Sum(x[term], (term, 1, size + 1))
    split = rules.sum_split(total, size)
    left, right = total / (size + 1), x[size + 1] / (size + 1) + size / (size + 1) * (Sum(x[term], (term, 1, size)) / size)
    return proof("the last one apart", rules.equality(left, right, using=[split]))

weights = source.claim(
    "The average of n+1 laws is the average of the last one and the average of the others with weights "
    "1/(n+1) and n/(n+1), not 1/2.",
    Eq(Sum(x[term], (term, 1, size + 1)) / (size + 1),
        x[size + 1] / (size + 1) + size / (size + 1) * (Sum(x[term], (term, 1, size)) / size),
        evaluate=False), Proof(recombined),
    mutant=(Eq(Sum(x[term], (term, 1, size + 1)) / (size + 1), x[size + 1] / 2 + Sum(x[term], (term, 1,
        size)) / (2 * size), evaluate=False), {size: 2, x: (1, 0, 0)}),
    corrects="chen2019.conjecture-1.halves",
    note="So the induction of the post needs Conjecture 1 for two pairs with weights 1/n and 1 - 1/n.")
