"""Gatica-Perez, Sajadmanesh & Shahin Shamsabadi 2022: the sensitivity of the queries that the slides ask about."""

from dpbounds.notation import *

source = Source("trustworthy2022.queries", "slide Global sensitivity, the queries")

total, entry, most = nonnegative("S x B")
records = positive_integer("n")
male, blond, other_male, other_blond = nonnegative("a b c d")
ONE = [value <= 1 for value in (male, blond, other_male, other_blond)]

two_counts = source.claim(
    "How many males, how many people with blond hair: replacing a record moves the two counts by at most 2 "
    "in the l1 norm.",
    ONE, Abs(male - other_male) + Abs(blond - other_blond) <= 2, Boxes(budget=5000),
    mutant=(Abs(male - other_male) + Abs(blond - other_blond) <= Rational(19, 10),
        {male: 1, blond: 1, other_male: 0, other_blond: 0}),
    note="One record may be in both counts. With one of four colours a record the l1 distance is 2 as well, "
    "and 1 when a record is added.")

# The mean of n salaries in [0, B] with sum S, and with one more of size x.
added = (total + entry) / (records + 1) - total / records

def mean_moves(proof):
    """n x − S is at most nB, and its negative as well."""
    given = [entry <= most, total <= records * most]
    up = rules.scale(rules.hypothesis(entry <= most), records)
    gap = rules.add(up, rules.nonnegative(total))
    return proof("by n(n+1)", rules.restate(rules.le(added, most / (records + 1)), rules.scale(gap, 1 / (records * (records + 1))), given))

average = source.claim(
    "Average salary: one more record of at most B raises the mean of n by at most B/(n+1).",
    [entry <= most, total <= records * most], added <= most / (records + 1), Proof(mean_moves),
    mutant=(added <= most / (records + 2), {entry: 1, most: 1, total: 0, records: 1}),
    corrects="trustworthy2022.queries.average-without-bound",
    example={entry: 1, most: 1, total: 1, records: 1},
    note="Salaries must be clipped to [0, B]; n is public only when a record is replaced.")

average_without_bound = source.claim("Without a bound on salaries the average moves by at most 1000/(n+1).",
    added <= 1000 / (records + 1), {entry: 1001, total: 0, records: 1},
    note="Whatever number stands there: the sensitivity of an average without a bound on its terms is "
    "infinite.")
