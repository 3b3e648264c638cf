"""Numbers printed by Koskela, Jälkö & Honkela 2020: Tables 1 and 2, and the examples of §7 and §8.

The Fourier accountant is an estimate in float64; the certified δ stands beside it as `truth`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from dpbounds import accounting
from dpbounds.mechanisms import Direction, Gaussian, Mechanism, PoissonSampling, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.numbers.balls import Enclosure, ball
from dpbounds.numbers.to_digits import certified
from dpbounds.reference.reproduction.row import AT_LEAST, PrintedComparison, PrintedRow, Value, printed_row

FA_BY_POINTS = (
    (50_000, "0.0491228786423", "2.01e-2"),
    (200_000, "0.0496013846114", "1.06e-6"),
    (800_000, "0.0496014103252", "2.66e-11"),
    (3_200_000, "0.0496014103163", "2.22e-12"),
)
FA_BY_RADIUS = (
    (2, "0.0422160172923", "3.32e-1"),
    (6, "0.0496014103158", "3.32e-6"),
    (10, "0.0496014103134", "1.36e-16"),
    (12, "0.0496014103163", "8.30e-24"),
)


def rows() -> Iterator[PrintedRow]:
    """All rows of this source.

    >>> next(iter(rows())).source
    'koskela2020'
    """
    for points, printed, error in FA_BY_POINTS:
        yield _accountant(f"table-1.delta-{points}", "Table 1", 12, points, printed)
        yield printed_row(
            f"koskela2020.table-1.error-{points}",
            "Table 1",
            f"err(12, {points})",
            error,
            ("(7.4): 2 |I_n - I_2n| of delta(1)", _difference, points, "delta"),
            ("2 |m_n - m_2n| of the total mass instead of delta", _difference, points, "mass"),
            note="from n = 8e5 on the column is rounding noise" if points >= 800_000 else "",
        )
    for radius, printed, tail in FA_BY_RADIUS:
        yield _accountant(f"table-2.delta-{radius}", "Table 2", radius, 3_200_000, printed)
        recipe = ("(7.3)", _tail_estimate, Fraction(3, 2), radius)
        yield printed_row(f"koskela2020.table-2.tail-{radius}", "Table 2", f"estimate (7.3) at L = {radius}", tail, recipe)
    yield from _examples()


def _examples() -> Iterator[PrintedRow]:
    order, again = "largest lambda of Lemma 9, q 0.01, sigma 2", "the same at sigma 1.5"
    recipes = [(text, _lemma_9, sigma) for text, sigma in (("sigma^2 log(1/(q sigma))", Fraction(2)), (again, Fraction(3, 2)))]
    yield printed_row("koskela2020.lemma-9.order", "7.2.2", order, "9.5", *recipes)
    radius = "(7.3) holds for L up to 2 lambda, q 0.01, sigma 2"
    recipes = [(text, _lemma_9_radius, sigma) for text, sigma in (("2 sigma^2 log(1/(q sigma))", Fraction(2)), (again, Fraction(3, 2)))]
    yield printed_row("koskela2020.lemma-9.radius", "7.2.2", radius, "19", *recipes)
    tails = (("figure-1", Fraction(1), "1", "at most O(1e-13)", "-13"), ("table-1", Fraction(3, 2), "1.5", "O(1e-24)", "-24"))
    for name, sigma, written, printed, expected in tails:
        quantity, recipe = f"(7.3) at sigma {written}, L = 12, k = 1e4", ("order of magnitude of (7.3)", _magnitude, sigma)
        yield printed_row(f"koskela2020.{name}.tail", "8", quantity, printed, recipe, expected=expected)
    yield printed_row(
        "koskela2020.lemma-9.covers-figure-1",
        "8",
        "Lemma 9 covers sigma 1, L = 12, where Figure 1 uses (7.3)",
        "6 <= largest lambda",
        ("sigma^2 log(1/(q sigma)) at sigma 1 against L/2", lambda: PrintedComparison(_lemma_9(Fraction(1)), AT_LEAST, Fraction(6))),
    )


def _mechanism(sigma: Fraction = Fraction(3, 2), steps: int = 10_000) -> Mechanism:
    return Repeated(Sampled(Gaussian(sigma), PoissonSampling("0.01")), steps)


def _accountant(name: str, where: str, radius: int, points: int, printed: str) -> PrintedRow:
    quantity, recipe = (
        f"delta(1) of the Fourier accountant, L = {radius}, n = {points}",
        ("Algorithm 1 in float64", _estimate, radius, points),
    )
    return printed_row(f"koskela2020.{name}", where, quantity, printed, recipe, tolerance="1e-11", truth=_certified_delta)


@functools.lru_cache(maxsize=1)
def _certified_delta() -> Enclosure:
    return accounting.delta(_mechanism(), 1, digits=16, direction=Direction.REMOVE).enclosure


@functools.lru_cache(maxsize=16)
def _delta_and_mass(radius: int, points: int) -> tuple[float, float]:
    from dpbounds.float64.published import fourier

    found = fourier.convolved_loss(dominating_pairs(_mechanism(), direction=Direction.REMOVE)[0], radius=radius, points=points)
    return found.approx_delta(1.0), float(found.step * found.density.sum())


def _estimate(radius: int, points: int) -> Value:
    return _delta_and_mass(radius, points)[0]


def _difference(points: int, what: str) -> Value:
    index = 0 if what == "delta" else 1
    return 2 * abs(_delta_and_mass(12, points)[index] - _delta_and_mass(12, 2 * points)[index])


def _tail_estimate(sigma: Fraction, radius: int, steps: int = 10_000) -> Enclosure:
    """(7.3): exp(k·q²(L/2+1)(L/2)/((1−q)σ²))·e^{−L²/2} at q = 0.01."""
    order, q = Fraction(radius, 2), Fraction(1, 100)
    exponent = steps * q**2 * (order + 1) * order / ((1 - q) * sigma**2) - Fraction(radius**2, 2)
    return certified(lambda: ball(exponent).exp())


def _lemma_9(sigma: Fraction) -> Enclosure:
    return certified(lambda: ball(sigma) ** 2 * -ball(sigma / 100).log())


def _lemma_9_radius(sigma: Fraction) -> Enclosure:
    return certified(lambda: 2 * _lemma_9(sigma).ball(), 8)


def _magnitude(sigma: Fraction) -> Fraction:
    """⌊log₁₀⌋ of (7.3) at L = 12."""
    value, power = _tail_estimate(sigma, 12), 0
    while value < Fraction(10) ** power:
        power -= 1
    return Fraction(power)
