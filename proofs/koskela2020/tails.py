"""Koskela, Jälkö & Honkela 2020, §7: the bound of Lemma 7 and the conditions of Theorem 8."""

from sympy import Lambda, Rational, log

from dpbounds import FAILS, HOLDS, Boxes, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import SampledGaussianMoment
from dpbounds.language.symbols import integer, positive, positive_integer
from dpbounds.prover import derive, rules
from dpbounds.theory.sampling import moment_growth, moment_tail

sigma, q, steps = moment_growth.SIGMA, moment_growth.RATE, positive("k")
place = positive_integer("m")  # n·L for an integer L
top = SampledGaussianMoment(place + 1, sigma, q)

# --- Lemma 7 -------------------------------------------------------------------------------------------------------

n, noise, radius = integer("n"), positive("sigma"), 4
term = 20_000 * log(SampledGaussianMoment(radius * n + 1, noise, Rational(1, 100))) - 2 * (radius * n) ** 2
lemma_7_series = Claim(
    id="koskela2020.lemma-7",
    source=("koskela2020", "§7.1, Lemma 7 and the example after it"),
    text="At k = 2 10^4, q = 1/100, L = 4 the sum over e^(k alpha(nL)) e^(-2(nL)^2) is small: no exponent is positive (sigma up to 50).",
    given=[n >= 1, noise >= 1, noise <= 50],
    then=term <= 0,
    expect=FAILS,
    by=Counterexample({n: 10, noise: 2}),
    note="The sum diverges, so that the bound says nothing there.",
)

exponent = steps * log(top) - 2 * place**2
growth = place**2 * (steps - 4 * sigma**2) / (2 * sigma**2) + steps * (place / (2 * sigma**2) + (place + 1) * log(q))


def terms_of_the_series():
    """The moment is at least its highest term."""

    def build(proof):
        given = [q < 1]
        known = rules.instance(moment_growth.moment_top_term().result, {moment_growth.ALPHA: place + 1}, given)
        highest = proof("the highest term", known)
        z = positive("z")
        logs = rules.scale(rules.apply(Lambda(z, log(z)), highest, given), steps)
        return proof("k log of it", rules.restate(rules.le(growth, exponent), logs, given))

    return derive("lemma-7-terms", "The terms of the series of Lemma 7 from below", build, "Koskela et al. 2020, Lemma 7")


lemma_7_terms = Claim(
    id="koskela2020.lemma-7.diverges",
    source=("koskela2020", "§7.1, Lemma 7"),
    text="At m = nL the exponent is at least m^2 (k - 4 sigma^2)/(2 sigma^2) + k (m/(2 sigma^2) + (m+1) log q): k > 4 sigma^2 diverges.",
    given=[q < 1],
    then=rules.le(growth, exponent),
    expect=HOLDS,
    by=Proof(terms_of_the_series),
    corrects="koskela2020.lemma-7",
    mutant=Mutant(rules.le(growth + steps, exponent), by=Counterexample({place: 40, sigma: 1, q: "9/10", steps: 5})),
    note="For integer L. Whether the bound holds for k up to 4 sigma^2, where it is finite, is not settled here.",
)

# --- Theorem 8 -----------------------------------------------------------------------------------------------------

order, q = moment_tail.LAMBDA, moment_tail.RATE
cut = log(1 + 1 / (q * (order - 1)))
room = sigma**2 * cut / 2 - 2 * log(sigma)
few = order * (cut + log(q * order) + 1 / (2 * sigma**2)) <= room - log(5)
SOURCE = ("koskela2020", "§7.2.1, Theorem 8")
PRINTED = [order > 1, q <= Rational(1, 5), sigma >= 4, order <= room, few]
moment = SampledGaussianMoment(order + 1, sigma, q)
corner = Counterexample({order: "4.119", sigma: 4, q: "1/5"})


def at_most(constant):
    """G_{λ+1} ≤ 1 + constant·q²(λ+1)λ/σ²."""
    return moment <= 1 + constant * q**2 * (order + 1) * order / sigma**2


def printed_constant():
    """23/25 is at most 2."""

    def build(proof):
        known = proof("with the constant 23/25", moment_tail.moment_tail_constant().result)
        given = tuple(known.assumptions)
        more = rules.sign(rules.le(known.rhs, at_most(2).rhs), given)
        return proof("and so with 2", rules.chain(known, more, given=given))

    return derive("theorem-8", "The moment behind Theorem 8", build, "Koskela et al. 2020, Theorem 8; Mironov, Talwar & Zhang 2019")


theorem_8 = Claim(
    id="koskela2020.theorem-8",
    source=SOURCE,
    text="Under the printed conditions the moment of order lambda + 1 is at most 1 + 2 q^2 (lambda+1) lambda/sigma^2, "
    "at every real lambda.",
    given=PRINTED,
    then=at_most(2),
    expect=HOLDS,
    by=Proof(printed_constant),
    mutant=Mutant(at_most(Rational(27, 50)), by=corner),
    uses=("chen2019.equation-7.7",),
    note="Chernoff's bound at lambda = L/2 gives the theorem. Its conditions are those of Mironov et al. for the order lambda, not "
    "lambda + 1; the second one is not used here.",
)

theorem_8_constant = Claim(
    id="koskela2020.theorem-8.constant",
    source=SOURCE,
    text="The constant 2 can be 23/25, and the second printed condition can go.",
    given=PRINTED[:4],
    then=at_most(Rational(23, 25)),
    expect=HOLDS,
    by=Proof("moment-tail-constant"),
    mutant=Mutant(at_most(Rational(27, 50)), given=PRINTED, by=corner),
    note="The mutant keeps both printed conditions: the best constant lies between 27/50 and 23/25.",
)

theorem_8_range = Claim(
    id="koskela2020.theorem-8.range",
    source=SOURCE,
    text="With the constant 2 it is enough that sigma >= 4 and lambda + 1/2 <= sigma^2 c, at every sampling rate.",
    given=[order > 1, q <= 1, sigma >= 4, order + Rational(1, 2) <= sigma**2 * cut],
    then=at_most(2),
    expect=HOLDS,
    by=Proof("moment-tail"),
    mutant=Mutant(at_most(Rational(17, 25)), by=Counterexample({order: "4.04", sigma: 4, q: "999/1000"})),
    note="About twice as many orders as the first printed condition allows.",
)

line = positive("lambda")
corner_cut = log(1 + 5 / (line - 1))
corner_moment = SampledGaussianMoment(line + 1, 4, Rational(1, 5))
corner_bound = Rational(1, 400) * (line + 1) * line
theorem_8_corner = Claim(
    id="koskela2020.theorem-8.corner",
    source=SOURCE,
    text="At sigma = 4, q = 1/5, where the printed range needs the largest constant that was found, it is 0.5403.",
    given=[
        line > 1,
        line <= 8 * corner_cut - 4 * log(2),
        line * (corner_cut + log(line / 5) + Rational(1, 32)) <= 8 * corner_cut - 4 * log(2) - log(5),
    ],
    then=corner_moment <= 1 + Rational(5403, 10**4) * corner_bound,
    expect=HOLDS,
    by=Boxes(budget=2000),
    mutant=Mutant(corner_moment <= 1 + Rational(5402, 10**4) * corner_bound, by=Counterexample({line: "4.119"})),
)
