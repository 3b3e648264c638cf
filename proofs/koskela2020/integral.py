"""Koskela, Jälkö & Honkela 2020, §4 to §7: the integral for δ, the pairs' inverses, tail bounds and the error estimate."""

from dpbounds.notation import *
from dpbounds.theory.conversion import approximate
from dpbounds.theory.conversion import loss_distribution as theory

source = Source("koskela2020", "(7.3), the example q = 0.01, sigma = 2")

sigma, q, p, r, s = positive("sigma q p r s")
epsilon = nonnegative("epsilon")
order = integer("lambda")
value, slope, step = real("I K h")

# --- Lemma 5 -------------------------------------------------------------------------------------------------------

excess, plain_share = p - exp(epsilon) * r, 1 - exp(epsilon) * r / p
with as_written():  # exp and log meet, and the loss is gone
    share = 1 - exp(epsilon - log(p / r))
    through_loss = p * Max(share, 0)
stick = Max(excess, 0)

def at_an_outcome(proof):
    """p − e^ε r = p(1 − e^{ε−s}) for s = log(p/r), and p is positive."""
    same = proof("the loss is s", rules.equality(share, plain_share))
    up = rules.restate(rules.le(excess, through_loss), rules.scale(approximate.above(share), p), using=[same])
    one = proof("one way", rules.maximum(up, rules.nonnegative(through_loss)))
    down = rules.restate(rules.le(share, stick / p), rules.scale(approximate.above(excess), 1 / p), using=[same])
    two = rules.scale(rules.maximum(down, rules.nonnegative(stick / p)), p)
    return proof("both", rules.conjunction(one, rules.restate(rules.le(through_loss, stick), two)))

lemma_5 = source.at("Lemma 5").claim(
    "On finitely many outcomes, one by one: delta(epsilon) is the average of (1 - e^(epsilon - s))_+ over the loss s.",
    And(rules.le(stick, through_loss), rules.le(through_loss, stick)), Proof(at_an_outcome),
    mutant=(through_loss <= Rational(9, 10) * stick, {p: 1, r: "1/2", epsilon: 0}),
    note="A change of variables to s = log(p/r) turns the average into the integral of Lemma 5; it is not formal here.")

# --- §6.1 ----------------------------------------------------------------------------------------------------------

inverse = sigma**2 * log((exp(s) - (1 - q)) / q) + Rational(1, 2)

def numerator_is_positive():
    """e^s > 1 − q."""
    x = real("x")
    above = rules.apply(Lambda(x, exp(x)), rules.positive(s))
    return rules.restate(rules.lt(0, exp(s) - (1 - q)), rules.add(above, rules.positive(q)), [q < 1])

def derivative_of_inverse(proof):
    """sympy differentiates; the kernel compares."""
    return proof("compare", rules.equality(diff(inverse, s), claimed, [q < 1], using=[numerator_is_positive()]))

with as_written():  # as sympy writes it, the derivative is the claimed form, and nothing is left to compare
    claimed = sigma**2 * exp(s) / (exp(s) - (1 - q))
inverse_poisson__derivative = source.at("§6.1, the derivative of the inverse").claim(
    "The derivative of sigma^2 log((e^s - (1-q))/q) + 1/2 is sigma^2 e^s/(e^s - (1-q)).",
    [q < 1], Eq(diff(inverse, s), claimed, evaluate=False), Proof(derivative_of_inverse),
    mutant=(Eq(diff(inverse, s), sigma**2 * exp(s) / (exp(s) + (1 - q))), {q: "1/2", sigma: 1, s: 1}))

# --- §7.2 ----------------------------------------------------------------------------------------------------------

moment = SampledGaussianMoment(order + 1, sigma, q)
neglected = exp(q**2 * order * (order + 1) / ((1 - q) * sigma**2))
lemma_9 = source.at("Lemma 9 as it is used in (7.3), without the term O(q^3 lambda^3/sigma^3)").claim(
    "The moment for q < 1/(16 sigma) and integers lambda <= sigma^2 log(1/(q sigma)).",
    [sigma >= 1, q < 1 / (16 * sigma), order >= 1, order <= sigma**2 * log(1 / (q * sigma))],
    moment <= neglected, {sigma: 1, q: "1/21", order: 3},
    note="The neglected term matters at the end of the range.")

def lemma_9_at(largest: int) -> Claim:
    """Without the term, at σ = 2 and q = 1/100."""
    at = {sigma: 2, q: Rational(1, 100)}
    return source.claim(
        f"At q = 1/100, sigma = 2 the bound behind (7.3) holds at all integers lambda up to {largest}, L up " f"to {2 * largest}.",
        [order >= 1, order <= largest], moment.subs(at) <= neglected.subs(at), Boxes(budget=500),
        mutant=moment.subs(at) <= sqrt(neglected.subs(at)))

equation_7__3 = lemma_9_at(15)
equation_7__3__range = source.claim(
    "The conditions of Lemma 9 hold for lambda up to about 9.5 there: sigma^2 log(1/(q sigma)) <= 10.",
    [sigma >= 1, sigma <= 2], sigma**2 * log(100 / sigma) <= 10, {sigma: 2},
    note="The limit is 4 log 50 = 15.6.")
figure_1 = source.at("§8, Figure 1, sigma = 1 and L = 12").claim(
    "The bound behind (7.3) holds at q = 1/100, sigma = 1, L = 12, where it is used: lambda = 6.",
    [order >= 1, order <= 6],
    moment.subs({sigma: 1, q: Rational(1, 100)}) <= neglected.subs({sigma: 1, q: Rational(1, 100)}), Search(),
    note="Lemma 9 stops at lambda = log 100 = 4.6 there.")

# --- §7.3.1 --------------------------------------------------------------------------------------------------------

error = slope * step
with as_written():  # the integral cancels, and with it what is claimed
    coarse, fine = value - slope * step, value - slope * step / 2
    backward, forward = 2 * (coarse - fine), 2 * (fine - coarse)
discretisation_sign = source.at("§7.3.1").claim(
    "With I_n = I - K dx the leading term of the error E_n is 2 (I_n - I_2n).",
    Eq(backward, error, evaluate=False), {value: 0, slope: 1, step: 1},
    note="(7.4) takes the absolute value, so the estimate itself is not affected.")
discretisation_sign__corrected = source.at("§7.3.1").claim("With I_n = I - K dx the leading term of the error E_n is 2 (I_2n - I_n).",
    Eq(forward, error, evaluate=False), Identity(),
    mutant=(Eq(backward, error, evaluate=False), {value: 0, slope: 1, step: 1}),
    corrects=discretisation_sign)

# --- (7.2) ---------------------------------------------------------------------------------------------------------

count, point, exponent_at = positive_integer("m"), index("i"), positive("t")
outcomes = (point, 1, count)
masses_p, masses_q = laws("p", outcomes, "positive"), laws("q", outcomes, "positive")

generating = Sum(masses_p[point] * exp(exponent_at * log(masses_p[point] / masses_q[point])), outcomes)
of_moment = RenyiMoment(exponent_at + 1, masses_p, masses_q)

def generating_function(proof):
    """p·(p/q)^λ = p^{λ+1}q^{−λ}, outcome by outcome."""
    meaning = rules.definition(of_moment)
    each = rules.equality(generating.function, meaning.rhs.function)
    return proof("term by term", rules.chain(rules.sum_termwise(each, outcomes), rules.restate(rules.eq(meaning.rhs, of_moment), meaning)))

equation_7__2 = source.at("(7.2)").claim(
    "the mean of e^(t s) over the privacy loss s is the Rényi moment of order t + 1.",
    rules.eq(generating, of_moment), Proof(generating_function),
    mutant=(rules.eq(generating, RenyiMoment(exponent_at, masses_p, masses_q)), {count: 2, exponent_at: 2,
        masses_p: ("2/3", "1/3"), masses_q: ("1/3", "2/3")}))

# --- Theorem 6 -----------------------------------------------------------------------------------------------------

h, y = approximate.h, approximate.y
first, last = approximate.FIRST_OVER, approximate.OVER
upper, lower = theory.P[h] * theory.K[h, y], theory.Q[h] * theory.L[h, y]
masses, together = upper - exp(theory.EPSILON) * lower, upper * Max(1 - exp(theory.EPSILON - theory.LOSSES), 0)
sides = Sum(Max(masses, 0), last, first), Sum(together, last, first)
coins = [Tuple(x**2, x * (1 - x), x * (1 - x), (1 - x) ** 2) for x in (p, r)]

theorem_6 = source.at("Theorem 6").claim(
    "On finitely many outcomes: delta(epsilon) of a composition from the sum of the losses of its steps.",
    And(rules.le(sides[0], sides[1]), rules.le(sides[1], sides[0])), Proof("convolved-losses"),
    mutant=([p < 1, r < 1], HockeyStick(epsilon, *coins) <= HockeyStick(epsilon, bernoulli(p), bernoulli(r)),
        {epsilon: log(2), p: "2/3", r: "1/3"}),
    note="Two steps, the second of which may depend on the output of the first; repeat it for k. For steps "
    "that do not, the law of s + t is the convolution of the two. The mutant forgets the second step.")

# --- §6.1, the inverse ---------------------------------------------------------------------------------------------

place, loss = real("t s")
inverse_at = inverse.subs(s, loss)
loss_there = Eq(loss, log(q * exp((2 * place - 1) / (2 * sigma**2)) + 1 - q))
at_a_half = {q: "1/2", sigma: 1, loss: 0, place: "1/2"}

def back_again(proof):
    """s = log(q e^{(2t−1)/2σ²} + 1 − q), solved for t."""
    x, z = real("x"), positive("z")
    given = [q < 1]
    density = rules.apply(Lambda(x, exp(x)), rules.hypothesis(loss_there, given), given)
    growth = rules.positive(q * exp((2 * place - 1) / (2 * sigma**2)))
    above = rules.restate(rules.lt(0, exp(loss) - (1 - q)), growth, given, using=[density])
    shifted = rules.restate(rules.eq((exp(loss) - (1 - q)) / q, exp((2 * place - 1) / (2 * sigma**2))), rules.scale(density, 1 / q), given)
    ratio = proof("the ratio of the densities", shifted)
    logs = rules.apply(Lambda(z, log(z)), ratio, given, using=[above])
    return proof("take the logarithm", rules.restate(rules.eq(inverse_at, place), rules.scale(logs, sigma**2), given, using=[above]))

inverse_poisson = source.at("§6.1, the inverse of the privacy loss").claim(
    "If the privacy loss at t is s, then t is sigma^2 log((e^s - (1-q))/q) + 1/2.",
    [q < 1, loss_there], rules.eq(inverse_at, place), Proof(back_again),
    mutant=(rules.eq(inverse_at, place + Rational(1, 2)), at_a_half),
    example=at_a_half)
