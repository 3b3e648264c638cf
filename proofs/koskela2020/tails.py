"""Koskela, Jälkö & Honkela 2020, §7: the bound of Lemma 7 and the conditions of Theorem 8."""

from dpbounds.notation import *
from dpbounds.theory.sampling import moment_growth

source = Source("koskela2020")

sigma, q, steps = positive("sigma r k")
place = positive_integer("m")  # n·L for an integer L
top = SampledGaussianMoment(place + 1, sigma, q)

# --- Lemma 7 -------------------------------------------------------------------------------------------------------

n, noise, radius = integer("n"), positive("sigma"), 4
term = 20_000 * log(SampledGaussianMoment(radius * n + 1, noise, Rational(1, 100))) - 2 * (radius * n) ** 2
lemma_7 = source.at("§7.1, Lemma 7 and the example after it").claim(
    "At k = 2 10^4, q = 1/100, L = 4 the sum of Lemma 7 is small: no exponent is positive.",
    [n >= 1, noise >= 1, noise <= 50], term <= 0, {n: 10, noise: 2},
    note="The sum diverges, so that the bound says nothing there.")

exponent = steps * log(top) - 2 * place**2
growth = place**2 * (steps - 4 * sigma**2) / (2 * sigma**2) + steps * (place / (2 * sigma**2) + (place + 1) * log(q))

def terms_of_the_series(proof):
    """The moment is at least its highest term."""
    given = [q < 1]
    known = rules.instance(moment_growth.moment_top_term().result, {moment_growth.ALPHA: place + 1}, given)
    highest = proof("the highest term", known)
    z = positive("z")
    logs = rules.scale(rules.apply(Lambda(z, log(z)), highest, given), steps)
    return proof("k log of it", rules.restate(rules.le(growth, exponent), logs, given))

lemma_7__diverges = source.at("§7.1, Lemma 7").claim(
    "The exponent at m = nL from below: for k > 4 sigma^2 the sum diverges.",
    [q < 1], rules.le(growth, exponent), Proof(terms_of_the_series),
    mutant=(rules.le(growth + steps, exponent), {place: 40, sigma: 1, q: "9/10", steps: 5}),
    corrects=lemma_7,
    note="For integer L. Whether the bound holds for k up to 4 sigma^2, where it is finite, is not settled "
    "here.")

# --- Theorem 8 -----------------------------------------------------------------------------------------------------

order = integer("lambda")

def theorem_8(deviation: int, rate: Rational, name: str, largest: int) -> Claim:
    """The moment behind Theorem 8, at one noise and rate, wherever its printed conditions hold."""
    at = f"At sigma = {deviation}, q = {rate}"
    c = log(1 + 1 / (rate * (order - 1)))
    room = Rational(deviation**2, 2) * c - 2 * log(deviation)
    moment = SampledGaussianMoment(order + 1, deviation, rate)
    bound = 1 + 2 * rate**2 * (order + 1) * order / deviation**2
    return source.at("§7.2.1, Theorem 8").claim(
        f"{at} the moment of order lambda + 1 is at most 1 + 2 q^2 (lambda+1) lambda/sigma^2 under the " f"printed conditions.",
        [order >= 2, order <= largest, order <= room,
            order * (c + log(rate * order) + Rational(1, 2 * deviation**2)) <= room - log(5)],
        moment <= bound, Boxes(budget=500),
        mutant=moment <= 1 + rate**2 * (order + 1) * order / (3 * deviation**2),
        id=f"theorem-8.{name}", uses=["chen2019.equation-7.7"],
        note="Chernoff's bound at lambda = L/2 gives the theorem. Its conditions are those of Mironov et al. "
        "for the order lambda, not lambda + 1; they are narrow enough here. All sigma >= 4 and q <= 1/5 at "
        "once are not settled.")

theorem_8_claims = [theorem_8(4, Rational(1, 100), "sigma-4", 60), theorem_8(4, Rational(1, 5), "rate-1-5", 60)]
