"""Feldman & Shenfeld 2026: is random allocation to one of t steps at least as private as Poisson sampling at rate 1/t?

One epoch of Gaussian noise. The pair is P = (1/t) Σ N(e_i, σ²I) against Q = N(0, σ²I); Poisson sampling has the product of t pairs at
rate 1/t. With Y_i = e^{(2x_i − 1)/(2σ²)}, of mean 1 under Q, the density ratios are S = Σ Y_i/t and Z = Π (1 + (Y_i − 1)/t).

* δ, small noise. The event {max x_i > 1/2} has P-probability ≥ 1 − Φ(−1/(2σ)) and Q-probability ≤ tΦ(−1/(2σ)), so that δ of removing a
  record is at least 1 − (1 + te^ε)Φ(−1/(2σ)). Under Poisson sampling the record is in no batch with probability (1 − 1/t)^t, so that
  δ(ε) ≤ 1 − (1 − 1/t)^t ≤ 3/4 for t ≥ 2. As Φ(−x) ≤ e^{−x²/2}/2, random allocation is worse wherever 2(1 + te^ε) < e^{1/(8σ²)}.
* Moments. Let w_k = E(Y−1)^k; w_k ≥ 0, since for odd k the reflection at x = 1/2 makes it E(Y−1)^k (1 − Y^{1−k})/2. The term
  w_{k_1}…w_{k_r} over r distinct steps has the coefficient m!/((m−Σk_i)! Πk_i!) in E S^m and Π C(m, k_i) in E Z^m, which is no smaller:
  at whole orders random allocation has the smaller Rényi divergence, a record removed.
"""

from dpbounds.notation import *

source = Source("feldman2026", "Abstract: the privacy-utility trade-off is at least as good as that of Poisson subsampling")

epsilon = nonnegative("epsilon")
alpha, sigma, t, x, y = positive("alpha sigma t x y")

def allocation(value, noise, steps, direction="remove", epochs=1):
    """δ of random allocation to one of `steps` steps."""
    return mechanism_delta(value, sigma=noise, sampling="random-allocation", bins=steps, epochs=epochs, direction=direction)

def poisson(value, noise, steps, direction="remove", epochs=1):
    """δ of Poisson sampling at rate 1/steps."""
    return mechanism_delta(value, sigma=noise, q=Rational(1, steps), steps=steps * epochs, direction=direction)

HALF = Rational(1, 2)
pointwise = [
    source.claim(
        f"At sigma = 1/2 and t = 10 random allocation has at most the delta of Poisson sampling at every "
        f"epsilon >= 0, {words}.",
        allocation(epsilon, HALF, 10, direction) <= poisson(epsilon, HALF, 10, direction), {epsilon: 1},
        id=f"pointwise.{direction}",
        note=note)
    for direction, words, note in (
        ("remove", "a record removed", "0.18744... > 0.17292..."),
        ("add", "a record added", "0.1167... > 9.5e-6: log of 1/density ratio is bounded under Poisson sampling, and not here."),
    )
]

# --- small noise: worse, for every t and epsilon -------------------------------------------------------------------

small_noise__skipped = source.claim(
    "A record misses every batch of Poisson sampling at rate 1/t with probability at least 1/4.",
    [t >= 2], (1 - 1 / t) ** t >= Rational(1, 4),
    mutant=(1 - 1 / t) ** t >= Rational(2501, 10000))

small_noise__tail = source.claim(
    "2 Phi(-x) < exp(-x^2/2) for x > 0: with x = 1/(2 sigma), delta of random allocation is above that of "
    "Poisson sampling, a record removed, if 2 (1 + t e^epsilon) <= exp(1/(8 sigma^2)), for every t >= 2 and "
    "epsilon >= 0; and it tends to 1 as sigma -> 0.",
    2 * NormalCDF(-x) < exp(-(x**2) / 2),
    mutant=Rational(201, 100) * NormalCDF(-x) < exp(-(x**2) / 2),
    uses=[small_noise__skipped],
    note="delta of random allocation is at least 1 - (1 + t e^epsilon) Phi(-1/(2 sigma)), of Poisson "
    "sampling at most 1 - (1 - 1/t)^t.")

SIXTH = Rational(1, 6)
small_noise__instance = source.claim(
    "At sigma = 1/6, t = 10 and epsilon = 1 delta of random allocation is above 98/100; under Poisson "
    "sampling it is at most 1 - (9/10)^10 = 0.651... at every sigma and epsilon.",
    allocation(1, SIXTH, 10) > Rational(98, 100), Boxes(),
    mutant=(allocation(1, SIXTH, 10) <= 1 - Rational(9, 10) ** 10, {}),
    uses=[small_noise__tail])

# t, epsilon: where the condition above ends, up to where delta is above 1 - (1 - 1/t)^t, and the sigma between which the order changes.
ENDS = {
    (2, "3/10"): ("0.249", "0.35", "1.3", "1.34"),
    (10, "1"): ("0.176", "0.3", "0.55", "0.56"),
}

def end(steps: int, value: str, start: str, middle: str, low: str, high: str) -> tuple[Claim, Claim]:
    """Random allocation is worse on an interval of σ that begins where `small-noise` ends; behind it, it is better at one σ."""
    place, name = Rational(value), f"{steps}~{value.replace('/', '-')}"
    first, half, last, better = (Rational(each) for each in (start, middle, low, high))
    larger = poisson(place, sigma, steps) < allocation(place, sigma, steps)
    begin = source.claim(
        f"At t = {steps} and epsilon = {value} random allocation has a larger delta of removing a record than Poisson sampling has at any "
        f"sigma, at every sigma from {start} to {middle}.",
        [sigma >= first, sigma <= half], allocation(place, sigma, steps) > 1 - (1 - Rational(1, steps)) ** steps, Boxes(),
        mutant=([sigma >= first, sigma <= last], allocation(place, sigma, steps) > 1 - (1 - Rational(1, steps)) ** steps, {sigma: last}),
        uses=[small_noise__tail], id=f"small-noise.begin~{name}")
    return begin, source.claim(
        f"At t = {steps} and epsilon = {value} random allocation has the larger delta at every sigma from {middle} to {low}, "
        f"and so at every sigma up to {low}.",
        [sigma >= half, sigma <= last], larger, Boxes(),
        mutant=([sigma >= half, sigma <= better], larger, {sigma: better}), uses=[begin], id=f"small-noise.end~{name}",
        note=f"At sigma = {high} it has the smaller one, by the mutant.")

ends = [each for place, numbers in ENDS.items() for each in end(*place, *numbers)]

# --- what holds ----------------------------------------------------------------------------------------------------

renyi__orders_2_and_3 = source.claim(
    "At orders 2 and 3 random allocation has at most the Rényi divergence of Poisson sampling, for all sigma "
    "and t >= 1, a record removed: y = w_2 at order 2, y = 3 w_2 + w_3/t at order 3.",
    [t >= 1], 1 + y / t <= (1 + y / t**2) ** t,
    mutant=1 + y / t <= (1 + Rational(99, 100) * y / t**2) ** t,
    note="E S^2 = 1 + w_2/t and E S^3 = 1 + 3 w_2/t + w_3/t^2; w_2 = x - 1 and w_3 = (x-1)^2 (x+2), x = "
    "exp(1/sigma^2).")

renyi__every_order = source.claim(
    "At sigma = 1/2, t = 10 it has at most the Rényi divergence of Poisson sampling at every order > 1.",
    [alpha > 1],
    mechanism_renyi(alpha, sigma=HALF, sampling="random-allocation", bins=10, direction="remove")
        <= mechanism_renyi(alpha, sigma=HALF, q=Rational(1, 10), steps=10, direction="remove"),
    {alpha: "11/10"},
    note="0.747003... > 0.695358...; it holds at every whole order.")

box = source.claim("At epsilon = 1, t = 10 random allocation has at most the delta of Poisson sampling.",
    [sigma >= 1, sigma <= Rational(3, 2)],
    allocation(1, sigma, 10, "worst") <= poisson(1, sigma, 10, "worst"), Boxes(budget=100),
    mutant=(allocation(Rational(1, 10), sigma, 10, "worst")
        <= poisson(Rational(1, 10), sigma, 10, "worst"), {sigma: 1}))

# --- where the two cross -------------------------------------------------------------------------------------------

# sigma, t, epochs: the least epsilon from which on random allocation is better lies between the two.
CROSSINGS = {
    (Rational(1, 2), 10, 1): ("133/100", "135/100"),
    (Rational(1, 2), 100, 1): ("44/100", "47/100"),
    (Rational(1), 10, 1): ("20/100", "21/100"),
    (Rational(1), 100, 1): ("3/100", "4/100"),
    (Rational(2), 10, 1): ("4/100", "5/100"),
    (Rational(1), 10, 10): ("150/100", "160/100"),
}

def crossing(place: tuple[Rational, int, int], low: str, high: str) -> Claim:
    """Random allocation is worse at one ε and better at the other, a record removed."""
    noise, steps, epochs = place
    worse, better = Rational(low), Rational(high)
    sides = {
        value: (allocation(value, noise, steps, epochs=epochs), poisson(value, noise, steps, epochs=epochs)) for value in (worse, better)
    }
    name = "~".join(str(part).replace("/", "-") for part in place)
    return source.claim(
        f"At sigma = {noise}, t = {steps} and {epochs} epochs random allocation has the larger delta at epsilon = {worse}, "
        f"and the smaller one at {better}, a record removed.",
        And(sides[worse][1] < sides[worse][0], sides[better][0] < sides[better][1]), Boxes(),
        mutant=(sides[better][1] < sides[better][0], {}),
        id=f"crossing.{name}")

crossings = [crossing(place, *ends) for place, ends in CROSSINGS.items()]
