"""Koskela, Jälkö & Honkela 2020, §6.1: does removing a record show more than adding it after k steps?

One step is proved (`directions`), and so are all Rényi orders; for δ after k steps it is open. Accountants that compute one direction
rest on it. That it holds for one step is not enough (`lebeda2024.composition.two-steps`). Here are certified points at 24 settings
of practice, on one interval of ε and in one region of (σ, q).
"""

from dpbounds.notation import *

source = Source("koskela2020.directions.composed", "§6.1, last sentence, after k steps")

epsilon = nonnegative("epsilon")

def removed(value, noise, rate, steps):
    """δ(ε) of removing a record."""
    return SampledGaussianDelta(value, noise, rate, steps, "remove")

def added(value, noise, rate, steps):
    """δ(ε) of adding a record."""
    return SampledGaussianDelta(value, noise, rate, steps, "add")

VALUES = (Rational(1, 10), Rational(2))
"""Those of ε at which the two are compared."""
# q, sigma: numbers of steps.
SETTINGS = {
    ("1/1000", "7/10"): (10_000,),
    ("1/1000", "1"): (1000,),
    ("1/256", "11/10"): (15_360,),
    ("1/100", "8/10"): (100, 1000),
    ("1/100", "1"): (100, 1000, 10_000),
    ("1/100", "2"): (1000, 10_000),
    ("1/20", "1"): (20, 400),
    ("1/20", "4"): (1000, 10_000),
    ("1/10", "1"): (10, 100),
    ("1/10", "5"): (1000,),
    ("1/4", "2"): (10, 100),
    ("1/2", "1"): (10,),
    ("1/2", "10"): (100, 1000),
    ("9/10", "3"): (2, 30),
}

def ordered(rate: str, noise: str, counts: tuple[int, ...]) -> Claim:
    """The two directions at one setting, at every ε of the list."""
    at = (Rational(noise), Rational(rate))
    pairs = [(added(value, *at, steps), removed(value, *at, steps)) for steps in counts for value in VALUES]
    name = f"{rate}~{noise}".replace("/", "-")
    return source.claim(
        f"At q = {rate}, sigma = {noise}, k = {', '.join(map(str, counts))} and epsilon = 1/10, 2 delta of "
        f"the remove direction is larger than delta of the add direction.",
        And(*(low < high for low, high in pairs)), Boxes(),
        mutant=(pairs[0][1] <= pairs[0][0], {}),
        id=f"at~{name}")

settings = [ordered(*place, counts) for place, counts in SETTINGS.items()]

PLACE = (1, Rational(1, 100), 1000)
interval = source.claim("Delta of the remove direction is larger at q = 1/100, sigma = 1, k = 1000 for every epsilon in [1, 4].",
    [epsilon >= 1, epsilon <= 4], added(epsilon, *PLACE) < removed(epsilon, *PLACE), Boxes(budget=100),
    mutant=(5 * added(epsilon, *PLACE) < removed(epsilon, *PLACE), {epsilon: 1}))

sigma, q = positive("sigma q")
region = source.claim(
    "Delta of the remove direction is larger at epsilon = 2 and k = 1000 for all sigma in [9/10, 11/10] and q in [9/1000, 11/1000].",
    [sigma >= Rational(9, 10), sigma <= Rational(11, 10), q >= Rational(9, 1000), q <= Rational(11, 1000)],
    added(2, sigma, q, 1000) < removed(2, sigma, q, 1000), Boxes(budget=100),
    mutant=(3000 * added(2, sigma, q, 1000) < removed(2, sigma, q, 1000), {sigma: 1, q: "1/100"}))
