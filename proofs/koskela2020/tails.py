"""Koskela, Jälkö & Honkela 2020, §7: the bound of Lemma 7 and the conditions of Theorem 8."""

from dpbounds.notation import *
from dpbounds.theory.sampling import moment_growth, moment_tail

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

order, rate = positive("lambda q")
cut = log(1 + 1 / (rate * (order - 1)))
room = sigma**2 * cut / 2 - 2 * log(sigma)
few = order * (cut + log(rate * order) + 1 / (2 * sigma**2)) <= room - log(5)
printed = [order > 1, rate <= Rational(1, 5), sigma >= 4, order <= room, few]
moment = SampledGaussianMoment(order + 1, sigma, rate)
corner = {order: "4.119", sigma: 4, rate: "1/5"}

def at_most(constant):
    """G_{λ+1} ≤ 1 + constant·q²(λ+1)λ/σ²."""
    return moment <= 1 + constant * rate**2 * (order + 1) * order / sigma**2

def printed_constant(proof):
    """23/25 is at most 2."""
    known = proof("with the constant 23/25", moment_tail.moment_tail_constant().result)
    given = tuple(known.assumptions)
    more = rules.sign(rules.le(known.rhs, at_most(2).rhs), given)
    return proof("and so with 2", rules.chain(known, more, given=given))

section = source.at("§7.2.1, Theorem 8")

theorem_8 = section.claim(
    "Under the printed conditions the moment of order lambda + 1 is at most 1 + 2 q^2 (lambda+1) lambda/sigma^2.",
    printed, at_most(2), Proof(printed_constant),
    mutant=(at_most(Rational(27, 50)), corner),
    uses=["chen2019.equation-7.7"],
    note="Chernoff's bound at lambda = L/2 gives the theorem. Its conditions are those of Mironov et al. "
    "for the order lambda, not lambda + 1; the second one is not used here.")

theorem_8__constant = section.claim(
    "The constant 2 can be 23/25, and the second printed condition can go.",
    printed[:4], at_most(Rational(23, 25)), Proof("moment-tail-constant"),
    mutant=(printed, at_most(Rational(27, 50)), corner),
    note="The mutant keeps both printed conditions: the best constant lies between 27/50 and 23/25.")

theorem_8__range = section.claim(
    "With the constant 2 it is enough that sigma >= 4 and lambda + 1/2 <= sigma^2 c, at every sampling rate.",
    [order > 1, rate <= 1, sigma >= 4, order + Rational(1, 2) <= sigma**2 * cut], at_most(2), Proof("moment-tail"),
    mutant=(at_most(Rational(17, 25)), {order: "4.04", sigma: 4, rate: "999/1000"}),
    note="About twice as many orders as the first printed condition allows.")

corner_cut = log(1 + 5 / (order - 1))
corner_moment = SampledGaussianMoment(order + 1, 4, Rational(1, 5))
corner_bound = Rational(1, 400) * (order + 1) * order
theorem_8__corner = section.claim(
    "At sigma = 4, q = 1/5, where the printed range needs the largest constant that was found, it is 0.5403.",
    [order > 1, order <= 8 * corner_cut - 4 * log(2),
        order * (corner_cut + log(order / 5) + Rational(1, 32)) <= 8 * corner_cut - 4 * log(2) - log(5)],
    corner_moment <= 1 + Rational(5403, 10**4) * corner_bound, Boxes(budget=2000),
    mutant=(corner_moment <= 1 + Rational(5402, 10**4) * corner_bound, {order: "4.119"}))
