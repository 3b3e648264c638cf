"""Yu et al. 2019, Section V: printed numbers of the accounting, and the epochs of Table II and their decay rates in Table III."""

from dpbounds.notation import *

source = Source("yu2019")

BUDGET = Rational("0.78125")
TEN = Integer(10)

def cost(noise, epochs):
    """Σ 1/(2σ_t²) over the epochs t = 0, 1, …"""
    return sum(1 / (2 * noise(Integer(t)) ** 2) for t in range(epochs))

def lasts(noise, epochs):
    """Training stops after exactly so many epochs, before it would exceed the budget."""
    return And(rules.le(cost(noise, epochs), BUDGET), rules.lt(BUDGET, cost(noise, epochs + 1)))

def time_decay(rate):
    """σ_t = σ₀/(1+kt)."""
    return lambda t: TEN / (1 + Rational(rate) * t)

def step_decay(rate):
    """σ_t = σ₀ k^⌊t/period⌋."""
    return lambda t: TEN * Rational(rate) ** floor(t / 10)

def exponential_decay(rate):
    """σ_t = σ₀ e^{−kt}."""
    return lambda t: TEN * exp(-Rational(rate) * t)

def polynomial_decay(power):
    """σ_t = (σ₀ − σ_end)(1 − t/period)^k + σ_end."""
    return lambda t: 8 * (1 - t / 100) ** Rational(power) + 2

TABLE_II = (
    ("uniform", "uniform noise 8", lambda t: Integer(8), 100),
    ("time", "time decay, k = 0.05", time_decay("0.05"), 38),
    ("step", "step decay, k = 0.6, period 10", step_decay("0.6"), 31),
    ("exponential", "exponential decay, k = 0.01", exponential_decay("0.01"), 71),
    ("polynomial", "polynomial decay, k = 3, end 2, period 100", polynomial_decay(3), 44),
)
table_2 = [
    source.at("Table II").claim(
        f"With {words}, the budget rho = 0.78125 lasts for {epochs} epochs and no longer.",
        lasts(noise, epochs), Boxes(budget=10),
        mutant=(lasts(noise, epochs + 1), {}),
        id=f"table-2.{name}",
        note="The noise starts at 10 (uniform: 8), t at 0, and training stops before the budget is exceeded. "
        "The mutant has one more.")
    for name, words, noise, epochs in TABLE_II
]

TABLE_III = (
    ("time", time_decay, ("0.076", "0.0441", "0.0281", "0.019", "0.0132", "0.0093", "0.0067", "0.0048")),
    ("step", step_decay, ("0.5459", "0.7008", "0.7922", "0.851", "0.891", "0.919", "0.94", "0.956")),
)
table_3 = [
    source.at("Table III").claim(
        f"With the eight printed rates of {name} decay the budget rho = 0.78125 lasts for exactly 30, 40, " f"..., 100 epochs.",
        And(*(part for rate, count in zip(rates, range(30, 101, 10),
            strict=True) for part in lasts(decay(rate), count).args)), Boxes(budget=10),
        mutant=(lasts(decay(rates[0]), 31), {}),
        id=f"table-3.{name}",
        note="The other parameters are those of Table II. The mutant has 31 epochs for the first rate.")
    for name, decay, rates in TABLE_III
]

delta, noise, epochs = Rational(1, 10**5), Integer(6), 400
classical = sqrt(2 * log(Rational(5, 4) / delta)) / noise
budget = Rational(epochs, 72)
reshuffled = budget + 2 * sqrt(budget * log(1 / delta))

def prints(value, low, high):
    """low ≤ value ≤ high."""
    return And(rules.le(Rational(low), value), rules.le(value, Rational(high)))

accounting = source.at("Section V-A").claim(
    "At sigma = 6, delta = 1e-5: epsilon is 0.808 (rounded up), rho 0.0139; 400 epochs of reshuffling have "
    "21.5 (rounded down).",
    And(*prints(classical, "0.807", "0.808").args, *prints(1 / (2 * noise**2), "0.01385", "0.01395").args,
        *prints(reshuffled, "21.5", "21.6").args), Boxes(budget=10),
    mutant=(rules.le(classical, Rational("0.807")), {}),
    note="By sqrt(2 log(1.25/delta))/sigma, 1/(2 sigma^2), and rho + 2 sqrt(rho log(1/delta)) at rho = "
    "400/72.")
