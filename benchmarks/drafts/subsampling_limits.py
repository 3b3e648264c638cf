"""Steinke 2025, Limits of privacy amplification by subsampling, and the proof of theorem 1 of its first part (DifferentialPrivacy.org)."""

from dpbounds.notation import *

draft = Source("steinke2025", "How good is the approximation?")
e, x, u = nonnegative("epsilon x u")
p, c = positive("p c")
rate = [p <= 1]
own = log(1 + (exp(e) - 1) / p)
"""ε of the mechanism that runs on the sample."""

lower = draft.claim(
    "Equation 6, first inequality.", rate, e / (p + e) <= log(1 + e / p), mutant=Rational(11, 10) * e / (p + e) <= log(1 + e / p)
)
middle = draft.claim("Equation 6, second inequality.", rate, log(1 + e / p) <= own, mutant=log(1 + Rational(11, 10) * e / p) <= own)
upper = draft.claim("Equation 6, third inequality.", rate, own <= e / p, mutant=own <= Rational(9, 10) * e / p)
jensen = draft.claim(
    "Footnote, by Jensen's inequality.", rate, log(1 - p + p * exp(e / p)) >= e, mutant=log(1 - p + p * exp(e / p)) >= Rational(11, 10) * e
)
logarithm = draft.claim(
    "Footnote: one integral above the other.",
    Integral(1 / (1 + u), (u, 0, x)) >= Integral(1 / (1 + u) ** 2, (u, 0, x)),
    mutant=Integral(1 / (1 + u), (u, 0, x)) >= Rational(11, 10) * Integral(1 / (1 + u) ** 2, (u, 0, x)),
)
series__two = draft.claim(
    "Equation 5: two terms of the series bound it from below, at every ε.",
    rate,
    own >= e / p - (1 - p) * e**2 / (2 * p**2),
    mutant=own >= e / p - (1 - p) * e**2 / (3 * p**2),
)
series__three = draft.claim(
    "Equation 5: three terms bound it from above, at every ε.",
    rate,
    own <= e / p - (1 - p) * e**2 / (2 * p**2) + (2 - p) * (1 - p) * e**3 / (6 * p**3),
    mutant=own <= e / p - (1 - p) * e**2 / (2 * p**2) + (2 - p) * (1 - p) * e**3 / (7 * p**3),
)
ratio__two = draft.claim(
    "ε ≤ 2p keeps the ratio above 1/2.", [*rate, e > 0, e <= 2 * p], p * own / e >= Rational(1, 2), mutant=p * own / e >= Rational(11, 20)
)
ratio__sharp = draft.claim(
    "Sharper: ε ≤ 2.512p is enough.",
    [*rate, e > 0, e <= Rational(2512, 1000) * p],
    p * own / e >= Rational(1, 2),
    mutant=([*rate, e > 0, e <= Rational(2513, 1000) * p], p * own / e >= Rational(1, 2)),
)
ratio__every_factor = draft.claim(
    "Equation 8: ε ≤ cp keeps it above log(1 + c)/c.",
    [*rate, e > 0, e <= c * p],
    p * own / e >= log(1 + c) / c,
    mutant=p * own / e >= Rational(11, 10) * log(1 + c) / c,
)
exercise__first = draft.claim(
    "Left to the reader in part 1.",
    rate,
    1 / (1 - p + p * exp(-e)) <= 1 - p + p * exp(e),
    mutant=1 / (1 - p + p * exp(-e)) <= 1 - p + p * exp(e / 2),
)
exercise__second = draft.claim(
    "Left to the reader in part 1.", rate, exp(-e) / (1 - p + p * exp(-e)) <= 1, mutant=exp(-e) / (1 - p + p * exp(-e)) <= Rational(9, 10)
)
