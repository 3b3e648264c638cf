"""Numbers printed by Yu et al. 2019 (Differentially Private Model Publishing): accounting, Figures 1, 4 and 16, Tables I to V."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from dpbounds.budgets import composition, schedules, zcdp
from dpbounds.budgets.schedules import ConstantNoise, ExponentialDecay, PolynomialDecay, Schedule, StepDecay, TimeDecay
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.to_digits import certified
from dpbounds.reference import tensorflow_accountant
from dpbounds.reference.reproduction.row import ABOVE, AT_MOST, PrintedComparison, PrintedRow, Value, closest, printed_row
from dpbounds.renyi import conversions

SIGMA, RATE, EPOCHS, STEPS, DELTA = Fraction(6), Fraction(1, 100), 400, 40_000, Fraction(1, 10**5)
RHO = Fraction("0.78125")
TABLE_II: tuple[tuple[str, Schedule, int], ...] = (
    ("uniform, sigma 8", ConstantNoise(8), 100),
    ("time, k 0.05", TimeDecay(10, "0.05"), 38),
    ("step, k 0.6, period 10", StepDecay(10, "0.6", 10), 31),
    ("exponential, k 0.01", ExponentialDecay(10, "0.01"), 71),
    ("polynomial, k 3, end 2, period 100", PolynomialDecay(10, 3, 2, 100), 44),
)
TABLE_III: tuple[tuple[str, Callable[[Fraction], Schedule], tuple[str, ...]], ...] = (
    ("time", lambda k: TimeDecay(10, k), ("0.076", "0.0441", "0.0281", "0.019", "0.0132", "0.0093", "0.0067", "0.0048")),
    ("step", lambda k: StepDecay(10, k, 10), ("0.5459", "0.7008", "0.7922", "0.851", "0.891", "0.919", "0.94", "0.956")),
    ("exponential", lambda k: ExponentialDecay(10, k), ("0.0442", "0.0282", "0.0193", "0.0138", "0.0101", "0.0075", "0.0056", "0.0041")),
    (
        "polynomial",
        lambda k: PolynomialDecay(10, k, 2, 100),
        ("6.2077", "3.5277", "2.1948", "1.4317", "0.9549", "0.6382", "0.4167", "0.1626"),
    ),
)


def rows() -> Iterator[PrintedRow]:
    """All rows of this source.

    >>> next(iter(rows())).source
    'yu2019'
    """
    yield from _accounting()
    yield from _figures()
    yield from _tables()


def _accounting() -> Iterator[PrintedRow]:
    def row(name: str, quantity: str, printed: str, recipe: tuple[Any, ...], *corrections: tuple[Any, ...], note: str = "") -> PrintedRow:
        return printed_row(f"yu2019.accounting.{name}", "V-A", quantity, printed, recipe, *corrections, note=note)

    yield row(
        "gaussian-epsilon",
        "epsilon of Gaussian noise, sigma 6, delta 1e-5",
        "0.808",
        ("sqrt(2 log(1.25/delta))/sigma", conversions.classical_gaussian_epsilon_of, SIGMA, DELTA),
        note="rounded up, which is the safe side; the exact epsilon is 0.5944",
    )
    yield row("gaussian-rho", "rho of Gaussian noise, sigma 6", "0.0139", ("1/(2 sigma^2)", zcdp.gaussian_rho_of, SIGMA))
    reshuffled = ("rho + 2 sqrt(rho log(1/delta)) at rho = 400/72", zcdp.reshuffled_epsilon_of, SIGMA, EPOCHS, DELTA)
    yield row("reshuffling", "zCDP(RF): epsilon after 400 epochs", "21.5", reshuffled)
    yield row(
        "strong-composition",
        "strong composition with sampling: epsilon after 400 epochs",
        "34.3",
        (
            "eps' sqrt(2T log(1/d')) + T eps'(e^eps' - 1), eps' = log(1 + q(e^eps - 1)), d' = delta/2, T q d0 = delta/2",
            lambda: certified(lambda: _strong(EPOCHS, linear=True)),
        ),
        ("II-D's form 2 eps' sqrt(2T log(1/d')) with the same eps', d', d0", strong_composition_epsilon_of, EPOCHS),
        note="the paper does not say how it splits delta; of many recipes tried, this one uses its own form and equal halves. "
        "The form is valid here, because T eps'(e^eps' - 1) is the smaller of the two terms",
    )
    sampled = ("Theorem 3 with P = q^2/sigma^2 as printed, which holds at this sigma and q", _sampled)
    yield row("sampling", "zCDP(RS): epsilon after 400 epochs", "2.37", sampled)
    accounted = ("best of the orders 2, ..., 33 of the exact Rényi divergence by Mironov's conversion", _moments_accountant)
    yield row("moments-accountant", "MA: epsilon after 400 epochs", "1.67", accounted)


def strong_composition_epsilon_of(epochs: int) -> Enclosure:
    """ε of so many epochs at σ = 6, q = 0.01, δ = 10⁻⁵ by strong composition with sampling, in the form that gives the printed 34.3.

    >>> strong_composition_epsilon_of(400).upper_decimal(3)
    '34.3'
    """
    return certified(lambda: _strong(epochs, linear=False))


def _strong(epochs: int, *, linear: bool) -> Ball:
    steps = STEPS * epochs // EPOCHS
    each = DELTA / (2 * RATE * steps)
    epsilon = (2 * (ball(Fraction(5, 4)) / ball(each)).log()).sqrt() / ball(SIGMA)
    sampled, log = (ball(RATE) * epsilon.expm1()).log1p(), (2 / ball(DELTA)).log()
    if linear:
        return composition.advanced_epsilon(sampled, ball(steps), log)
    root = sampled * (2 * ball(steps) * log).sqrt()
    if not steps * composition.mean_loss(sampled) <= root:
        return Ball.nan()
    return 2 * root


def _sampled() -> Enclosure:
    bound = zcdp.repaired_bound_of(SIGMA, RATE)
    return zcdp.accounted_epsilon_of(zcdp.composed_bound_of([(bound, STEPS)]), DELTA)


def _moments_accountant() -> Enclosure:
    orders = tensorflow_accountant.MOMENTS_ACCOUNTANT_ORDERS
    return tensorflow_accountant.epsilon_of_orders(orders, tensorflow_accountant.rdp_of(RATE, SIGMA, STEPS, orders), DELTA).value


def _figures() -> Iterator[PrintedRow]:
    yield printed_row(
        "yu2019.figure-1.changing-point",
        "Figure 1",
        "order where the sampled divergence leaves zero, q 0.01, sigma 4",
        "147",
        ("the zero of (13)'s bound: alpha/(2 sigma^2) + log q = 0", certified, lambda: 32 * ball(100).log()),
        note="the largest second difference of the exact divergence lies at 148, the zero of (12)'s bound at 148.4",
    )
    quantity = "epochs of the validation schedule: 29 at sigma 10, 20 at 7, 10 at 4.9, the rest at 3.43"
    stopped = ("stop before exceeding rho = 0.78125", _validation_epochs)
    yield printed_row("yu2019.figure-4.validation-epochs", "Table II", quantity, "64", stopped)
    yield printed_row(
        "yu2019.figure-13.budget",
        "Figure 13",
        "every schedule of Table II spends its budget to within one epoch and never more",
        "cost of E <= rho < cost of E + 1",
        ("E epochs cost at most rho, E + 1 cost more", _budgets_spent),
    )
    for sigma in (1, 4):
        yield printed_row(
            f"yu2019.figure-16.sigma-{sigma}",
            "Figure 16",
            f"alpha q^2/sigma^2 lies above the divergence up to U, sigma {sigma}, q 0.01",
            "D/alpha <= q^2/sigma^2",
            ("certified sup of D/alpha over (1, U] against q^2/sigma^2", _below_the_bound, sigma, RATE),
        )
    yield printed_row(
        "yu2019.appendix-g.always",
        "Appendix G",
        "on the paper's grid the bound is always higher: sigma 1, q 0.047",
        "D/alpha <= q^2/sigma^2",
        ("certified sup of D/alpha over (1, sigma^2 log(1/(q sigma)) + 1]", _below_the_bound, 1, Fraction("0.047")),
        ("the same range without its +1", _below_the_bound, 1, Fraction("0.047"), 0),
        note="the grid's own point alpha = 4, q = 0.047 is a counterexample",
    )


def _validation_epochs() -> Value:
    spent = sum((Fraction(n) / (2 * Fraction(s) ** 2) for n, s in ((29, "10"), (20, "7"), (10, "4.9"))), Fraction(0))
    return Fraction(59 + schedules.epochs_within(ConstantNoise("3.43"), RHO - spent))


def _budgets_spent() -> Value:
    spent = []
    for name, plan, epochs in TABLE_II:
        spent.append(PrintedComparison(plan.cost_of(epochs), AT_MOST, RHO, f"{epochs} epochs of {name}"))
        spent.append(PrintedComparison(plan.cost_of(epochs + 1), ABOVE, RHO, f"{epochs + 1} epochs of {name}"))
    return closest(spent)


def _below_the_bound(sigma: int, q: Fraction, extra: int = 1) -> Value:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the printed bound is what is being tested
        printed = zcdp.printed_bound_of(sigma, q)
    limit = printed.limit.upper - (1 - extra)
    return PrintedComparison(zcdp.slope_of(sigma, q, Fraction(limit), 3), AT_MOST, printed.slope)


def _tables() -> Iterator[PrintedRow]:
    for name, plan, epochs in TABLE_II:
        quantity = f"epochs of {name} under rho 0.78125"
        recipe = ("sigma_t from t = 0, stop before exceeding", _epochs_of, plan)
        yield printed_row(f"yu2019.table-ii.{name.split(',')[0]}", "Table II", quantity, str(epochs), recipe)
    for name, family, rates in TABLE_III:
        for epochs, printed in zip(range(30, 101, 10), rates, strict=True):
            text = "the smallest multiple of 1e-4 with which rho = 0.78125 lasts exactly that many epochs"
            yield printed_row(
                f"yu2019.table-iii.{name}-{epochs}",
                "Table III",
                f"rate of {name} decay for {epochs} epochs, initial sigma 10, found in steps of 1e-4",
                printed,
                (text, schedules.smallest_grid_rate_for, family, epochs, RHO, Fraction(1) if name == "step" else Fraction(10)),
                tolerance="0",
                note=f"the printed rate gives {schedules.epochs_within(family(Fraction(printed)), RHO)} epochs",
            )


def _epochs_of(plan: Schedule) -> Value:
    return Fraction(schedules.epochs_within(plan, RHO))
