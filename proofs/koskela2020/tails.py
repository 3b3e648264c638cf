"""Koskela, Jälkö & Honkela 2020, §7: the bound of Lemma 7 and the conditions of Theorem 8."""

from sympy import Lambda, Rational, log

from dpbounds import FAILS, HOLDS, Boxes, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import SampledGaussianMoment
from dpbounds.language.symbols import integer, positive, positive_integer
from dpbounds.prover import derive, rules
from dpbounds.theory.sampling import moment_growth

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

order = integer("lambda")


def theorem_8(deviation: int, rate: Rational, name: str, largest: int) -> Claim:
    """The moment behind Theorem 8, at one noise and rate, wherever its printed conditions hold."""
    at = f"At sigma = {deviation}, q = {rate}"
    c = log(1 + 1 / (rate * (order - 1)))
    room = Rational(deviation**2, 2) * c - 2 * log(deviation)
    moment = SampledGaussianMoment(order + 1, deviation, rate)
    bound = 1 + 2 * rate**2 * (order + 1) * order / deviation**2
    return Claim(
        id=f"koskela2020.theorem-8.{name}",
        source=("koskela2020", "§7.2.1, Theorem 8"),
        text=f"{at} the moment of order lambda + 1 is at most 1 + 2 q^2 (lambda+1) lambda/sigma^2 under the printed conditions.",
        given=[
            order >= 2,
            order <= largest,
            order <= room,
            order * (c + log(rate * order) + Rational(1, 2 * deviation**2)) <= room - log(5),
        ],
        then=moment <= bound,
        expect=HOLDS,
        by=Boxes(budget=500),
        mutant=Mutant(moment <= 1 + rate**2 * (order + 1) * order / (3 * deviation**2)),
        uses=("chen2019.equation-7.7",),
        note="Chernoff's bound at lambda = L/2 gives the theorem. Its conditions are those of Mironov et al. for the order lambda, not"
        " lambda + 1; they are narrow enough here. All sigma >= 4 and q <= 1/5 at once are not settled.",
    )


theorem_8_claims = [theorem_8(4, Rational(1, 100), "sigma-4", 60), theorem_8(4, Rational(1, 5), "rate-1-5", 60)]
