"""Gatica-Perez, Sajadmanesh & Shahin Shamsabadi 2022: group privacy."""

from dpbounds.notation import *

source = Source("trustworthy2022.group-privacy", "slide Fundamental properties")

epsilon, delta = positive("epsilon"), nonnegative("delta")
k, n, i, j = positive_integer("k"), positive_integer("n"), index("i"), index("j", start=0)
law = family("P")
over = (i, 1, n)
neighbours = ForAll(j, j < k, HockeyStick(epsilon, law[j, i], law[j + 1, i], over) <= delta)
whole_group = HockeyStick(epsilon * k, law[0, i], law[k, i], over)

first, second, third = (family(name) for name in ("P0", "P1", "P2"))
# Without the factor: delta itself, at distance 2.
two_steps = Mutant(
    HockeyStick(2 * epsilon, first[i], third[i], over) <= delta,
    given=[
        *(sums_to_one(one, over) for one in (first, second, third)),
        *(HockeyStick(epsilon, one[i], other[i], over) <= delta for one, other in ((first, second), (second, third))),
    ],
    by=Counterexample(
        {
            epsilon: log(Rational(101, 100)),
            delta: "99/1000",
            n: 2,
            first: ("3/10", "7/10"),
            second: ("1/5", "4/5"),
            third: ("1/10", "9/10"),
        }
    ),
)

group_privacy = source.claim(
    "(epsilon, delta) between neighbours gives (k epsilon, k e^(k epsilon) delta) at distance k.",
    [neighbours], whole_group <= delta * k * exp(epsilon * k), Proof("group-privacy"),
    mutant=two_steps,
    note="True, and loose: see the sharp form.")

sharp = source.claim("the same with delta (e^(k epsilon) - 1)/(e^epsilon - 1).",
    [neighbours], whole_group <= delta * (exp(epsilon * k) - 1) / (exp(epsilon) - 1),
    Proof("group-privacy-sharp"),
    mutant=two_steps)
