"""Gatica-Perez, Sajadmanesh & Shahin Shamsabadi 2022: the definition of differential privacy and its first example."""

from dpbounds.notation import *

source = Source("trustworthy2022", "slide Differential privacy: definition")

n = positive_integer("n")
# The outcomes: the record of this data set, the record that replaces it in the other one, any of the n - 1 common records.
here, there = Tuple(1 / n, 0, 1 - 1 / n), Tuple(0, 1 / n, 1 - 1 / n)
privacy = HockeyStick(0, here, there)

def reveal_one(proof):
    """δ(0) by its definition: only the first outcome counts."""
    defined = proof("definition", rules.definition(privacy))
    return proof("one outcome counts", rules.chain(defined, rules.equality(to_sympy(privacy).definition(), 1 / n)))

reveal_one_record = source.claim(
    "Publishing one uniformly chosen record of n is (0, 1/n)-private under substitution, and no better.",
    Eq(privacy, 1 / n), Proof(reveal_one),
    mutant=privacy <= 1 / (n + 1))
