"""Yu et al. 2019, Sections IV-A to IV-C: batches, selection of parameters, composition with different noise."""

from sympy import And, Rational, exp, log

from dpbounds import FAILS, HOLDS, Claim, Counterexample, Mutant, Proof, Search
from dpbounds.language.functions import RenyiDivergence, RenyiMoment
from dpbounds.language.symbols import bernoulli, family, nonnegative, positive, positive_integer, sums_to_one
from dpbounds.prover import derive, rules
from dpbounds.theory.composition import bounded_range as theory
from dpbounds.theory.composition import zcdp
from dpbounds.theory.composition.bounded_loss import BOUNDED
from dpbounds.theory.conversion import conversion

sigma, tau, q, r, alpha, epsilon = positive("sigma tau q r alpha epsilon")
n = theory.OVER[2]

# Records 1, 1 in one batch of size 2 give the sums (2, 0). With a third record −1, one epoch puts it beside a 1 with probability 2/3, sums
# (0, 1), and alone with probability 1/3, sums (2, −1). The second moment of a mixture against N(μ, σ²I) is Σ wᵢwⱼ exp(⟨μᵢ−μ, μⱼ−μ⟩/σ²).
MEANS = [(Rational(2, 3), (-2, 1)), (Rational(1, 3), (0, -1))]
second_moment = sum(a * b * exp((x[0] * y[0] + x[1] * y[1]) / sigma**2) for a, x in MEANS for b, y in MEANS)

reshuffling = Claim(
    id="yu2019.reshuffling",
    source=("yu2019", "Section IV-B1, Theorem 2 for random reshuffling"),
    text="One epoch of equal-size reshuffling is 1/(2 sigma^2)-zCDP (read at order 2, records 1, 1 and a third record -1).",
    then=log(second_moment) <= 2 / (2 * sigma**2),
    expect=FAILS,
    by=Search(),
    note="The record that comes in moves others between the batches. A partition of the domain that does not depend on the data is fine.",
)

# The same with two equal batches: records 1, 1, 1 in batches of sizes 2 and 1 give the sums (2, 1). With a fourth record -1 both batches
# have size 2; it comes into one of them by a fair draw, sums (0, 2) or (2, 0).
EQUAL = [(Rational(1, 2), (-2, 1)), (Rational(1, 2), (0, -1))]
equal_moment = sum(a * b * exp((x[0] * y[0] + x[1] * y[1]) / sigma**2) for a, x in EQUAL for b, y in EQUAL)

reshuffling_equal = Claim(
    id="yu2019.reshuffling.equal-batches",
    source=("yu2019", "Section IV-B1, Theorem 2 for random reshuffling"),
    text="The same where the larger data set fills two equal batches (read at order 2, records 1, 1, 1 and a fourth record -1).",
    then=log(equal_moment) <= 2 / (2 * sigma**2),
    expect=FAILS,
    by=Search(),
    note="Equal batches do not help: a record moves from one batch to the other.",
)

# --- selection -----------------------------------------------------------------------------------------------------

e = exp(epsilon)
response = (bernoulli(e / (1 + e)), bernoulli(1 / (1 + e)))
over = theory.OVER
LAWS = [sums_to_one(weights, over) for weights in (theory.P, theory.Q)]
order, width, start, moment = theory.LAMBDA, theory.WIDTH, theory.START, theory.MOMENT


def within(low, high):
    """The loss of two outcomes lies between two numbers."""
    return [And(low <= log(theory.P[k] / theory.Q[k]), log(theory.P[k] / theory.Q[k]) <= high) for k in (1, 2)]


coins = {n: 2, theory.P: ("21/40", "19/40"), theory.Q: ("19/40", "21/40")}

pure = Claim(
    id="yu2019.selection",
    source=("yu2019", "Section IV-A3, private selection of parameters"),
    text="On finitely many outcomes: epsilon-differential privacy gives epsilon^2/2-zCDP, for every "
    "mechanism, every epsilon and every order.",
    given=[order > 1, *LAWS, BOUNDED],
    then=moment <= exp(order * (order - 1) * epsilon**2 / 2),
    expect=HOLDS,
    by=Proof("pure-to-concentrated"),
    mutant=Mutant(
        moment <= exp(order * (order - 1) * epsilon**2 / 3),
        given=[order > 1, *LAWS, *within(-epsilon, epsilon)],
        by=Counterexample({order: 2, epsilon: "101/1000", **coins}),
    ),
    note="It covers the selection only; the training of the candidates has costs of its own.",
)

exponential = Claim(
    id="yu2019.selection.exponential",
    source=("yu2019", "Section IV-A3, private selection of parameters"),
    text="On finitely many outcomes: a privacy loss within an interval of length epsilon, as that of the "
    "exponential mechanism, is epsilon^2/8-zCDP.",
    given=[order > 1, *LAWS, theory.WITHIN],
    then=moment <= exp(order * (order - 1) * width**2 / 8),
    expect=HOLDS,
    by=Proof("bounded-range"),
    corrects="yu2019.selection.bounded-range",
    mutant=Mutant(
        moment <= exp(order * (order - 1) * width**2 / 9),
        given=[order > 1, *LAWS, *within(start, start + width)],
        by=Counterexample({order: 2, start: "-101/1000", width: "202/1000", **coins}),
    ),
)

bounded_range = Claim(
    id="yu2019.selection.bounded-range",
    source=("yu2019", "Section IV-A3, private selection of parameters"),
    text="Every epsilon-differentially private selection is epsilon^2/8-zCDP, as the exponential mechanism is.",
    given=[epsilon <= 4],
    then=RenyiMoment(2, *response) <= exp(epsilon**2 / 4),
    expect=FAILS,
    by=Search(),
    note="epsilon^2/8 needs losses within an interval of length epsilon: the exponential mechanism has that, randomized response has not.",
)

# u: the divergence of training one candidate, v: that of the selection, both at order alpha.
training, selecting, spent = nonnegative("u"), nonnegative("v"), positive("rho")
CANDIDATES = [alpha > 1, training <= alpha * spent, selecting <= alpha * epsilon**2 / 8]
candidates = positive_integer("N")
three = {alpha: 2, spent: "1/10", epsilon: 1, training: "1/5", selecting: "1/4", candidates: 3}


def end_to_end_proof():
    """N trainings and one selection."""
    bounds = [rules.hypothesis(training <= alpha * spent), rules.hypothesis(selecting <= alpha * epsilon**2 / 8)]
    target = rules.le(candidates * training + selecting, alpha * (candidates * spent + epsilon**2 / 8))
    return derive(
        "selection-end-to-end",
        "Selection among trained candidates",
        lambda proof: proof("add the bounds", rules.restate(target, rules.add(rules.scale(bounds[0], candidates), bounds[1]))),
        "Yu et al. 2019, Section IV-A3, with Theorem 1",
    )


end_to_end = Claim(
    id="yu2019.selection.end-to-end",
    source=("yu2019", "Section IV-A3, private selection of parameters"),
    text="N candidates trained with rho each, and one of them selected by the exponential mechanism: N rho + epsilon^2/8 in all.",
    given=CANDIDATES,
    then=candidates * training + selecting <= alpha * (candidates * spent + epsilon**2 / 8),
    expect=HOLDS,
    by=Proof(end_to_end_proof),
    example=three,
    mutant=Mutant(candidates * training + selecting <= alpha * (spent + epsilon**2 / 8), by=Counterexample(three)),
    note="The mutant charges the candidate that was selected and none of the others.",
)

# --- different noise in every step ---------------------------------------------------------------------------------

# d and e stand for the divergences of two steps at one order alpha, to which (14) applies.
first, second, times = nonnegative("d"), nonnegative("e"), positive_integer("k")
own, other = q**2 / sigma**2, r**2 / tau**2
STEPS = [alpha > 1, q <= 1, r <= 1, first <= alpha * own, second <= alpha * other]
two_steps = {alpha: 2, sigma: 2, tau: 4, q: "1/100", r: "1/10", first: "1/20000", second: "1/800"}

case_2_printed = Claim(
    id="yu2019.composition.case-2",
    source=("yu2019", "Section IV-B2, composition, case 2"),
    text="Two mechanisms with different q and sigma: put the q and sigma of the smaller range of orders into (15) and (16), P included.",
    given=STEPS,
    then=first + second <= alpha * own,
    expect=FAILS,
    by=Counterexample(two_steps),
    note="The divergences of the steps add: only the range of orders may be taken from one of them.",
)


def adding():
    """The divergences of the two steps add."""
    bounds = [rules.hypothesis(first <= alpha * own), rules.hypothesis(second <= alpha * other)]
    target = rules.le(first + second, alpha * (own + other))
    return derive(
        "composition-case-2",
        "Composition of mechanisms with different noise",
        lambda proof: proof("add the two bounds", rules.restate(target, rules.add(*bounds))),
        "Yu et al. 2019, Section IV-B2, case 2",
    )


case_2 = Claim(
    id="yu2019.composition.case-2.corrected",
    source=("yu2019", "Section IV-B2, composition, case 2"),
    text="At every order that both ranges contain, the composition is bounded with the sum of both P.",
    given=STEPS,
    then=first + second <= alpha * (own + other),
    expect=HOLDS,
    by=Proof(adding),
    corrects="yu2019.composition.case-2",
    example=two_steps,
    mutant=Mutant(first + second <= alpha * own, by=Counterexample(two_steps)),
)

case_1 = Claim(
    id="yu2019.composition.case-1",
    source=("yu2019", "Section IV-B2, composition, case 1"),
    text="k mechanisms with the same q and sigma: k times the bound, on the same range of orders.",
    given=[alpha > 1, q <= 1, first <= alpha * own],
    then=times * first <= times * alpha * own,
    expect=HOLDS,
    by=Proof(
        lambda: derive(
            "composition-case-1",
            "Composition of equal mechanisms",
            lambda proof: proof("k times", rules.scale(rules.hypothesis(first <= alpha * own), times)),
            "Yu et al. 2019, Section IV-B2, case 1",
        )
    ),
    example={alpha: 2, sigma: 2, q: "1/100", times: 3, first: "1/20000"},
    mutant=Mutant(times * first <= alpha * own, by=Counterexample({alpha: 2, sigma: 2, q: "1/100", times: 3, first: "1/20000"})),
)

# --- Appendix -C ---------------------------------------------------------------------------------------------------

alpha, share = conversion.ALPHA, zcdp.RATE
i, outcomes = conversion.INDEX, conversion.OVER
u, v = family("u", "positive"), family("v", "positive")
mixed = share * u[i] + (1 - share) * v[i]
drawn = [RenyiDivergence(alpha, *pair, outcomes) for pair in ((mixed, v[i]), (v[i], mixed))]
base = [RenyiDivergence(alpha, *pair, outcomes) for pair in ((u[i], v[i]), (v[i], u[i]))]

appendix_c = Claim(
    id="yu2019.appendix-c",
    source=("yu2019", "Appendix -C, (27) and (28)"),
    text="On finitely many outcomes: sampling does not increase the Rényi divergence, in both directions: a "
    "rho-zCDP mechanism stays rho-zCDP.",
    given=[alpha > 1, share <= 1, *(sums_to_one(weights, outcomes) for weights in (u, v))],
    then=And(*(rules.le(left, right) for left, right in zip(drawn, base, strict=True))),
    expect=HOLDS,
    by=Proof("sampling-quasi-convex"),
    mutant=Mutant(
        rules.le(drawn[0], share * base[0]),
        by=Counterexample({alpha: 4, share: "1/2", outcomes[2]: 2, u: ("9/10", "1/10"), v: ("1/10", "9/10")}),
    ),
    note="The mutant asks for a factor q, as in the amplification of epsilon.",
)
