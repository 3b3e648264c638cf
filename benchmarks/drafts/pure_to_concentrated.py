"""Steinke 2024, Sharp RDP and zCDP bounds from pure DP (DifferentialPrivacy.org): the two sections on conversions."""

from dpbounds.notation import *

draft = Source("steinke2024", "Converting pure DP to Rényi DP, and to zCDP")
e, y = nonnegative("epsilon y")
a, s, g, z = positive("alpha s g z")
t, v = real("t v")
p = positive("p")
i, n = index("i"), positive_integer("n")
P, Q = laws("P Q", (i, 1, n), "positive")
close = [P, Q, for_each((i, 1, n), P[i] <= exp(e) * Q[i]), for_each((i, 1, n), Q[i] <= exp(e) * P[i])]
moment = exp(a * e) / (exp(e) + 1) + exp(e) / (exp(e) + 1) * exp(-a * e)
order = log(moment) / (a - 1)
rho = (exp(e) - 1) / (exp(e) + 1) * e
laplace = log(a / (2 * a - 1) * exp((a - 1) * e) + (a - 1) / (2 * a - 1) * exp(-a * e)) / (a - 1)

trivial = draft.claim("Footnote 2: the order is at most ε.", [a > 1], order <= e, mutant=order <= Rational(9, 10) * e)
forms = draft.claim(
    "Theorem 4: the two printed forms agree.",
    [a > 1],
    Eq(moment, exp((a - 1) * e) * (1 + exp(-(2 * a - 1) * e)) / (1 + exp(-e))),
    mutant=Eq(moment, exp((a - 1) * e) * (1 + exp(-2 * a * e)) / (1 + exp(-e))),
)
chord = draft.claim(
    "Proof of theorem 4: a power lies below its chord, as it is printed.",
    [a > 1, e > 0, z >= exp(-e), z <= exp(e)],
    z**a <= (z - exp(-e)) / (exp(e) - exp(-e)) * exp(e * a) + (exp(e) - z) / (exp(e) - exp(-e)) * exp(-a * e),
    expect=OPEN,
)
chord__scaled = draft.claim(
    "The same with z for z*exp(ε) and g for exp(2ε).",
    [a > 1, g > 1, z >= 1, z <= g],
    z**a * (g - 1) <= (z - 1) * g**a + (g - z),
    mutant=z**a * (g - 1) <= (z - 1) * g**a + Rational(9, 10) * (g - z),
)
laws__every_order = draft.claim(
    "Theorem 4, for laws on any number of outcomes.", [*close, a > 1], RenyiMoment(a, P, Q) <= moment, expect=OPEN
)
hyperbolic = (sinh(a * e) - sinh((a - 1) * e)) / sinh(e)
laws__every_order__sinh = draft.claim(
    "Theorem 4, for laws on any number of outcomes, with its bound written with sinh.",
    [*close, a > 1, e > 0],
    RenyiMoment(a, P, Q) <= hyperbolic,
    mutant=RenyiMoment(a, P, Q) <= Rational(9, 10) * hyperbolic,
)
forms__sinh = draft.claim("Both are one number.", [a > 1, e > 0], Eq(hyperbolic, moment), mutant=Eq(hyperbolic, moment + Rational(1, 10)))
two = exp(2 * e) / (exp(e) + 1) + exp(e) / (exp(e) + 1) * exp(-2 * e)
laws__order_two = draft.claim(
    "Theorem 4 at order 2.", close, RenyiMoment(2, P, Q) <= two, mutant=RenyiMoment(2, P, Q) <= Rational(9, 10) * two
)
laws__order_one = draft.claim(
    "Theorem 5 as α tends to 1: KL.",
    close,
    KLDivergence(P, Q) <= e * tanh(e / 2),
    mutant=KLDivergence(P, Q) <= Rational(9, 10) * e * tanh(e / 2),
)
half = draft.claim("Theorem 5: ρ is at most ε²/2.", rho <= e**2 / 2, mutant=rho <= Rational(49, 100) * e**2)
concentrated = draft.claim(
    "Theorem 5: randomized response is ρ-zCDP.", [a > 1], order <= a * rho, mutant=order <= Rational(99, 100) * a * rho
)
kearns_saul = draft.claim(
    "Proposition 6 for p < 1/2, as it is printed.",
    [p < Rational(1, 2)],
    1 - p + p * exp(t) <= exp(t * p + t**2 * (1 - 2 * p) / (4 * log((1 - p) / p))),
    expect=OPEN,
)
kearns_saul__centred = draft.claim(
    "Proposition 6 with p = 1/(1 + exp(2s)) and t = 2(v + s), where y = |v|.",
    log(cosh(y)) - log(cosh(s)) <= (y**2 - s**2) * tanh(s) / (2 * s),
    mutant=log(cosh(y)) - log(cosh(s)) <= (y**2 - s**2) * tanh(s) / (3 * s),
)
laplace__better = draft.claim(
    "Conclusion: Laplace noise is below the bound.", [a > 1], laplace <= order, mutant=laplace <= Rational(9, 10) * order
)
laplace__not_concentrated_less = draft.claim(
    "Not in the draft: Laplace noise is (ε²/2)-zCDP, and no factor below 1 is enough.",
    [a > 1],
    laplace <= a * e**2 / 2,
    mutant=laplace <= Rational(99, 100) * a * e**2 / 2,
)
