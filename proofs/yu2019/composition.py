"""Yu et al. 2019, Sections IV-A to IV-C: batches, selection of parameters, composition with different noise."""

from dpbounds.notation import *

source = Source("yu2019", "Section IV-A3, private selection of parameters")

sigma, tau, q, r, alpha, epsilon = positive("sigma tau q r alpha epsilon")
n, i = positive_integer("n"), index("i")
over = (i, 1, n)

# Records 1, 1 in one batch of size 2 give the sums (2, 0). With a third record −1, one epoch puts it beside a 1 with probability 2/3, sums
# (0, 1), and alone with probability 1/3, sums (2, −1). The second moment of a mixture against N(μ, σ²I) is Σ wᵢwⱼ exp(⟨μᵢ−μ, μⱼ−μ⟩/σ²).
MEANS = [(Rational(2, 3), (-2, 1)), (Rational(1, 3), (0, -1))]
second_moment = sum(a * b * exp((x[0] * y[0] + x[1] * y[1]) / sigma**2) for a, x in MEANS for b, y in MEANS)

reshuffling = source.at("Section IV-B1, Theorem 2 for random reshuffling").claim(
    "One epoch of equal-size reshuffling is 1/(2 sigma^2)-zCDP (read at order 2, records 1, 1 and a third "
    "record -1).",
    log(second_moment) <= 2 / (2 * sigma**2), Search(),
    note="The record that comes in moves others between the batches. A partition of the domain that does not "
    "depend on the data is fine.")

# The same with two equal batches: records 1, 1, 1 in batches of sizes 2 and 1 give the sums (2, 1). With a fourth record -1 both batches
# have size 2; it comes into one of them by a fair draw, sums (0, 2) or (2, 0).
EQUAL = [(Rational(1, 2), (-2, 1)), (Rational(1, 2), (0, -1))]
equal_moment = sum(a * b * exp((x[0] * y[0] + x[1] * y[1]) / sigma**2) for a, x in EQUAL for b, y in EQUAL)

reshuffling__equal_batches = source.at("Section IV-B1, Theorem 2 for random reshuffling").claim(
    "The same with two equal batches (read at order 2, records 1, 1, 1 and a fourth record -1).",
    log(equal_moment) <= 2 / (2 * sigma**2), Search(),
    note="Equal batches do not help: a record moves from one batch to the other.")

# --- selection -----------------------------------------------------------------------------------------------------

e = exp(epsilon)
response = (bernoulli(e / (1 + e)), bernoulli(1 / (1 + e)))
order, width, start = *positive("lambda eta"), real("c")
P, Q = laws("p q", over, "positive")
loss, moment = log(P[i] / Q[i]), Sum(P[i] ** order * Q[i] ** (1 - order), over)

def between(low, high):
    """The loss of every outcome lies between two numbers."""
    return for_each(over, And(rules.le(low, loss), rules.le(loss, high)))

def within(low, high):
    """The loss of two outcomes does."""
    return [And(low <= loss.subs(i, k), loss.subs(i, k) <= high) for k in (1, 2)]

coins = {n: 2, P: ("21/40", "19/40"), Q: ("19/40", "21/40")}

selection = source.claim("epsilon-differential privacy gives epsilon^2/2-zCDP, for every mechanism.",
    [order > 1, P, Q, between(-epsilon, epsilon)], moment <= exp(order * (order - 1) * epsilon**2 / 2),
    Proof("pure-to-concentrated"),
    mutant=([order > 1, P, Q, *within(-epsilon, epsilon)],
        moment <= exp(order * (order - 1) * epsilon**2 / 3), {order: 2, epsilon: "101/1000", **coins}),
    note="It covers the selection only; the training of the candidates has costs of its own.")

selection__exponential = source.claim(
    "a privacy loss within an interval of length epsilon is epsilon^2/8-zCDP.",
    [order > 1, P, Q, between(start, start + width)], moment <= exp(order * (order - 1) * width**2 / 8),
    Proof("bounded-range"),
    mutant=([order > 1, P, Q, *within(start, start + width)],
        moment <= exp(order * (order - 1) * width**2 / 9),
        {order: 2, start: "-101/1000", width: "202/1000", **coins}),
    corrects="yu2019.selection.bounded-range")

selection__bounded_range = source.claim(
    "Every epsilon-differentially private selection is epsilon^2/8-zCDP, as the exponential mechanism is.",
    [epsilon <= 4], RenyiMoment(2, *response) <= exp(epsilon**2 / 4), Search(),
    note="epsilon^2/8 needs losses within an interval of length epsilon: the exponential mechanism has that, "
    "randomized response has not.")

# u: the divergence of training one candidate, v: that of the selection, both at order alpha.
training, selecting, spent = nonnegative("u"), nonnegative("v"), positive("rho")
CANDIDATES = [alpha > 1, training <= alpha * spent, selecting <= alpha * epsilon**2 / 8]
candidates = positive_integer("N")
three = {alpha: 2, spent: "1/10", epsilon: 1, training: "1/5", selecting: "1/4", candidates: 3}

def end_to_end_proof(proof):
    """Selection among trained candidates: N trainings and one selection."""
    bounds = [rules.hypothesis(training <= alpha * spent), rules.hypothesis(selecting <= alpha * epsilon**2 / 8)]
    target = rules.le(candidates * training + selecting, alpha * (candidates * spent + epsilon**2 / 8))
    return proof("add the bounds", rules.restate(target, rules.add(rules.scale(bounds[0], candidates), bounds[1])))

selection__end_to_end = source.claim(
    "N candidates trained with rho each, and one selected by the exponential mechanism.",
    CANDIDATES, candidates * training + selecting <= alpha * (candidates * spent + epsilon**2 / 8),
    Proof(end_to_end_proof),
    mutant=(candidates * training + selecting <= alpha * (spent + epsilon**2 / 8), three),
    example=three,
    note="The mutant charges the candidate that was selected and none of the others.")

# One outcome y of a training: p and q are its probabilities, u and w those of a better one, on two data sets. The best of K
# trainings, P(K = k) = gamma (1-gamma)^(k-1), is y with probability gamma p/((gamma + (1-gamma) u)(gamma + (1-gamma)(u + p))).
one, other_one, better, other_better = nonnegative("p q u w")
stop = positive("gamma")

def reached(tail):
    """γ + (1−γ)·tail."""
    return stop + (1 - stop) * tail

def best(mass, tail):
    """The probability that the best training has the outcome."""
    return stop * mass / (reached(tail) * reached(tail + mass))

PRIVATE_TRAINING = [stop <= 1, one <= e * other_one, other_better <= e * better, other_better + other_one <= e * (better + one)]
rare = {stop: "1/1000", epsilon: log(2), one: "2/1000", other_one: "1/1000", better: "1/10", other_better: "1/5"}

def best_proof(proof):
    """Each of three factors changes by e^ε."""
    def tails(high, low):
        near = rules.scale(rules.hypothesis(high <= e * low), 1 - stop, PRIVATE_TRAINING[:1])
        both = rules.add(near, rules.nonnegative(stop * (e - 1)))
        return rules.restate(rules.le(reached(high), e * reached(low)), both, PRIVATE_TRAINING[:1])

    two = [tails(other_better, better), tails(other_better + other_one, better + one)]
    given = PRIVATE_TRAINING[:1]
    product = rules.multiply(rules.multiply(rules.hypothesis(PRIVATE_TRAINING[1]), two[0], given), two[1], given)
    down = stop / (reached(better) * reached(better + one) * reached(other_better) * reached(other_better + other_one))
    target = rules.le(best(one, better), e**3 * best(other_one, other_better))
    return proof("by the tails", rules.restate(target, rules.scale(product, down, given), given))

selection__random_stopping = source.claim(
    "The best of a geometric number of epsilon-private trainings is 3 epsilon-private (Liu & Talwar 2019).",
    PRIVATE_TRAINING, best(one, better) <= e**3 * best(other_one, other_better), Proof(best_proof),
    mutant=(best(one, better) <= e**2 * best(other_one, other_better), rare), example=rare,
    note="For every outcome that a training can have, ordered by the score that it releases. The number of "
    "trainings must not depend on the data.")

# --- different noise in every step ---------------------------------------------------------------------------------

# d and e stand for the divergences of two steps at one order alpha, to which (14) applies.
first, second, times = nonnegative("d"), nonnegative("e"), positive_integer("k")
own, other = q**2 / sigma**2, r**2 / tau**2
STEPS = [alpha > 1, q <= 1, r <= 1, first <= alpha * own, second <= alpha * other]
two_steps = {alpha: 2, sigma: 2, tau: 4, q: "1/100", r: "1/10", first: "1/20000", second: "1/800"}

composition__case_2 = source.at("Section IV-B2, composition, case 2").claim(
    "Two mechanisms with different q and sigma: put the q and sigma of the smaller range of orders into (15) "
    "and (16), P included.",
    STEPS, first + second <= alpha * own, two_steps,
    note="The divergences of the steps add: only the range of orders may be taken from one of them.")

def adding(proof):
    """The divergences of the two steps add."""
    bounds = [rules.hypothesis(first <= alpha * own), rules.hypothesis(second <= alpha * other)]
    target = rules.le(first + second, alpha * (own + other))
    return proof("add the two bounds", rules.restate(target, rules.add(*bounds)))

composition__case_2__corrected = source.at("Section IV-B2, composition, case 2").claim(
    "At every order that both ranges contain, the composition is bounded with the sum of both P.",
    STEPS, first + second <= alpha * (own + other), Proof(adding),
    mutant=(first + second <= alpha * own, two_steps),
    corrects=composition__case_2, example=two_steps)

composition__case_1 = source.at("Section IV-B2, composition, case 1").claim(
    "k mechanisms with the same q and sigma: k times the bound, on the same range of orders.",
    [alpha > 1, q <= 1, first <= alpha * own], times * first <= times * alpha * own,
    Proof(lambda proof: proof("k times", rules.scale(rules.hypothesis(first <= alpha * own), times))),
    mutant=(times * first <= alpha * own, {alpha: 2, sigma: 2, q: "1/100", times: 3, first: "1/20000"}),
    example={alpha: 2, sigma: 2, q: "1/100", times: 3, first: "1/20000"})

# --- Appendix -C ---------------------------------------------------------------------------------------------------

u, v = laws("u v", over, "positive")
mixed = r * u + (1 - r) * v
drawn = [RenyiDivergence(alpha, *pair) for pair in ((mixed, v), (v, mixed))]
base = [RenyiDivergence(alpha, *pair) for pair in ((u, v), (v, u))]

appendix_c = source.at("Appendix -C, (27) and (28)").claim(
    "sampling does not increase the Rényi divergence, in both directions.",
    [alpha > 1, r <= 1, u, v], And(*(rules.le(left, right) for left, right in zip(drawn, base, strict=True))),
    Proof("sampling-quasi-convex"),
    mutant=(rules.le(drawn[0], r * base[0]),
        {alpha: 4, r: "1/2", n: 2, u: ("9/10", "1/10"), v: ("1/10", "9/10")}),
    note="The mutant asks for a factor q, as in the amplification of epsilon.")
