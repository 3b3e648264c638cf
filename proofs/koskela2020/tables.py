"""Koskela, Jälkö & Honkela 2020, Tables 1 and 2: the printed values beside the certified one, and their error columns."""

from dpbounds.notation import *

source = Source("koskela2020", "Table 2")

delta = SampledGaussianDelta(Integer(1), Rational(3, 2), Rational(1, 100), Integer(10**4))
"""q = 0.01, σ = 1.5, ε = 1 and k = 10⁴ in both tables."""
BY_POINTS = (
    ("0.0491228786423", "2.01e-2"),
    ("0.0496013846114", "1.06e-6"),
    ("0.0496014103252", "2.66e-11"),
    ("0.0496014103163", "2.22e-12"),
)
BY_RANGE = (
    ("0.0422160172923", "3.32e-1"),
    ("0.0496014103158", "3.32e-6"),
    ("0.0496014103134", "1.36e-16"),
    ("0.0496014103163", "8.30e-24"),
)

def within(value, error):
    """|δ − value| ≤ error."""
    return rules.le(Abs(delta - Rational(value)), error)

table_1 = source.at("Table 1").claim("Each value of Table 1 is within its err(L, n) of the truth.",
    And(*(within(value, Rational(error)) for value, error in BY_POINTS)), Boxes(budget=10),
    mutant=(within(BY_POINTS[-1][0], Rational("1e-12")), {}),
    note="The truth is 0.04960141031482577...; the last value is 1.5e-12 away.")
table_2_printed = source.claim("Each value of Table 2 is within the estimate (7.3) of the truth.",
    And(*(within(value, Rational(error)) for value, error in BY_RANGE)), {},
    id="table-2",
    note="From L = 10 on the discretisation and the rounding are all that is left, and (7.3) does not speak "
    "of them.")
table_2__corrected = source.claim(
    "Each value of Table 2 is within the sum of the estimate (7.3) and err(L, n) = 2.22e-12 of the truth.",
    And(*(within(value, Rational(error) + Rational("2.22e-12")) for value, error in BY_RANGE)),
    Boxes(budget=10),
    mutant=(within(BY_RANGE[2][0], Rational("1.36e-16")), {}),
    corrects=table_2_printed)
