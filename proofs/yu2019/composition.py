"""Yu et al. 2019, Sections IV-A to IV-C: batches, selection of parameters, composition with different noise."""

from sympy import Rational, exp, log

from dpbounds import FAILS, HOLDS, Boxes, Claim, Counterexample, Mutant, Proof, Search
from dpbounds.derive import derive, rules
from dpbounds.functions import RenyiMoment
from dpbounds.symbols import bernoulli, nonnegative, positive, positive_integer

sigma, tau, q, r, alpha, epsilon = positive("sigma tau q r alpha epsilon")

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

# --- selection -----------------------------------------------------------------------------------------------------

e = exp(epsilon)
response = (bernoulli(e / (1 + e)), bernoulli(1 / (1 + e)))


def selection(order: int, share) -> Claim:
    """ε-DP against ρ-zCDP at one order, for the pair that attains it: randomized response."""
    moment = RenyiMoment(order, *response)
    bound = exp(Rational(order * (order - 1), 2) * epsilon**2)
    return Claim(
        id=f"yu2019.selection.order-{order}",
        source=("yu2019", "Section IV-A3, private selection of parameters"),
        text=f"epsilon-differential privacy gives epsilon^2/2-zCDP, at order {order} and for the extreme pair, epsilon <= 4.",
        given=[epsilon <= 4],
        then=moment <= bound,
        expect=HOLDS,
        by=Boxes(budget=20_000),
        mutant=Mutant(moment <= exp(share * order * (order - 1) * epsilon**2)),
        note="It covers the selection only; the training of the candidates has costs of its own.",
    )


selection_2, selection_3 = selection(2, Rational(1, 8)), selection(3, Rational(1, 8))

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

(a, b), (x, y) = nonnegative("a b"), positive("x y")
appendix_c = Claim(
    id="yu2019.appendix-c",
    source=("yu2019", "Appendix -C"),
    text="The divergence of two mixtures is at most that of the worse pair: at order 2, by outcome, (a+b)^2/(x+y) <= a^2/x + b^2/y.",
    given=[a <= 1, b <= 1, x <= 1, y <= 1],
    then=(a + b) ** 2 / (x + y) <= a**2 / x + b**2 / y,
    expect=HOLDS,
    by=Boxes(budget=2000),
    mutant=Mutant((a + b) ** 2 / (x + y) <= Rational(99, 100) * (a**2 / x + b**2 / y)),
    note="The weights of the mixtures are part of the masses a, b, x, y. A sum of such terms is at most its largest value.",
)
