"""Numbers of shuffled messages and of matrix mechanisms that authors print with the code of their papers.

The tables inside the papers on buffered Toeplitz matrices could not be had in a form that can be read; the expected values of the tests
of the library that its authors released stand in their place.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpbounds import accounting
from dpbounds.matrix.read import Matrix
from dpbounds.matrix.sensitivity import sensitivity_of
from dpbounds.numbers.balls import Ball, ball
from dpbounds.numbers.to_digits import certified, decide, least_epsilon, surely_at_most
from dpbounds.reference.reproduction.row import AT_LEAST, AT_MOST, MEETS, PrintedComparison, PrintedRelation, PrintedRow, printed_row
from dpbounds.shuffle.mechanism import Shuffled
from dpbounds.shuffle.published import CLOSED_FORMS, clone_delta

_DIGITS = 20
_USERS, _LOCAL, _DELTA = 100_000, Fraction(4), Fraction(1, 10**6)
_CLONES = "README of the authors' code (github.com/apple/ml-shuffling-amplification)"
_BLANKET = "notebook of the authors' code (github.com/BorjaBalle/amplification-by-shuffling)"
_MATRIX = "tests of jax_privacy.matrix_factorization.sensitivity"


def rows() -> Iterator[PrintedRow]:
    """All rows of these sources.

    >>> next(iter(rows())).source
    'feldman2021'
    """
    yield from _clones()
    yield from _blanket()
    yield from _matrices()


def _clones() -> Iterator[PrintedRow]:
    ends = (("lower", "0.1675385583317841", AT_LEAST), ("upper", "0.172790550755978", AT_MOST))
    for name, printed, relation in ends:
        quantity = f"the {name} end of epsilon of 100,000 messages, local epsilon 4, delta 1e-6"
        recipe = ("certified epsilon of the pair of clones", _compared_with_clones, relation, printed)
        yield printed_row(f"feldman2021.clones-{name}", _CLONES, quantity, f"epsilon {relation} {printed}", recipe)
    yield printed_row(
        "feldman2021.closed-form",
        _CLONES,
        "the closed form at the same place",
        "0.5378040242374512",
        ("Theorem 3.1", lambda: certified(lambda: CLOSED_FORMS[0].value(_USERS, ball(_LOCAL).exp(), ball(_DELTA)), _DIGITS)),
        ("the larger factor of the code", lambda: certified(lambda: _as_coded(_USERS, ball(_LOCAL), ball(_DELTA)), _DIGITS)),
    )


def _compared_with_clones(relation: PrintedRelation, printed: str) -> PrintedComparison:
    def fails(candidate: Fraction) -> bool:
        return not decide(lambda: surely_at_most(clone_delta(_USERS, ball(_LOCAL), ball(candidate)), ball(_DELTA)), "delta of the clones")

    return PrintedComparison(least_epsilon(fails, 9), relation, Fraction(printed))


def _as_coded(users: int, local: Ball, delta: Ball) -> Ball:
    """log(1 + (1 − e^{−ε₀})/(1 + e^{−ε₀}/(1 + s))·s), s = 8√(e^{ε₀} log(4/δ)/n) + 8e^{ε₀}/n."""
    growth = local.exp()
    s = 8 * (growth * (4 / delta).log() / users).sqrt() + 8 * growth / users
    return (1 + (1 - 1 / growth) / (1 + 1 / (growth * (1 + s))) * s).log()


def _blanket() -> Iterator[PrintedRow]:
    masses = (
        ("generic", "0.01831563888873418", "e^-4", lambda: (-ball(4)).exp()),
        ("laplace", "0.1353352832366127", "e^(-4/2)", lambda: (-ball(2)).exp()),
        ("response-2", "0.03597241992418312", "k/(e^4 + k - 1)", lambda: 2 / (ball(4).exp() + 1)),
        ("response-100", "0.6510495079427809", "k/(e^4 + k - 1)", lambda: 100 / (ball(4).exp() + 99)),
    )
    for name, printed, text, value in masses:
        quantity = f"mass of the blanket of {name}, local epsilon 4"
        yield printed_row(f"balle2019.mass-{name}", _BLANKET, quantity, printed, (text, certified, value, _DIGITS))
    yield printed_row(
        "balle2019.erlingsson-epsilon",
        _BLANKET,
        "the closed form of Erlingsson et al. (2019) at n = 5000, local epsilon 0.4, delta 1e-6",
        "0.2523130449483328",
        ("12 e0 sqrt(log(1/delta)/n)", certified, lambda: 12 * ball(Fraction(2, 5)) * (ball(10**6).log() / 5000).sqrt(), _DIGITS),
    )
    printed_deltas = (
        ("hoeffding-laplace", "0.005792337614227242", 2, "laplace"),
        ("bennett-laplace", "0.004853541355460176", 2, "laplace"),
        ("hoeffding-response-2", "0.005642546362741425", 2, "response"),
        ("bennett-response-2", "0.005686529997978448", 2, "response"),
        ("hoeffding-response-100", "0.007445148952583604", 100, "response"),
        ("bennett-response-100", "3.360217120217285e-09", 100, "response"),
    )
    for name, printed, answers, randomizer in printed_deltas:
        quantity = "a numeric bound on delta at n = 5000, local epsilon 0.4, epsilon 0.005"
        recipe = ("certified delta of the privacy blanket", _blanket_below, printed, answers, randomizer, "0.005")
        yield printed_row(f"balle2019.delta-{name}", _BLANKET, quantity, f"{printed} is at least the blanket", recipe)
    printed_epsilons = (
        ("hoeffding-response-2", "0.02397882347116631", 2),
        ("bennett-response-2", "0.02428301504607527", 2),
        ("hoeffding-response-100", "0.026881289729458715", 100),
        ("bennett-response-100", "0.0035207898339832183", 100),
    )
    for name, printed, answers in printed_epsilons:
        quantity = "a numeric bound on epsilon at n = 5000, local epsilon 0.4, delta 1e-6"
        least = ("certified epsilon of the privacy blanket", _blanket_below, printed, answers, "response", None)
        yield printed_row(f"balle2019.epsilon-{name}", _BLANKET, quantity, f"{printed} is at least the blanket", least)


def _blanket_below(printed: str, answers: int, randomizer: str, epsilon: str | None) -> PrintedComparison:
    """δ at an ε, or ε at δ = 10⁻⁶."""
    blanket = Shuffled(5000, "0.4", answers, "any", randomizer)
    found = accounting.epsilon(blanket, "1e-6", digits=5) if epsilon is None else accounting.delta(blanket, epsilon, digits=6)
    return PrintedComparison(found.enclosure, AT_MOST, Fraction(printed))


def _matrices() -> Iterator[PrintedRow]:
    single = ((1, 0, 0, 0), (2, 1, 0, 0), (0, 1, 1, 0), (0, 0, 3, -6))
    corner = ((1, 0, 0), (2, 1, 0), (0, 1, 1))
    banded = ((1, 0, 0, 0), (2, 1, 0, 0), (0, 1, 1, 0), (0, 0, 1, -6))
    diagonal = tuple(tuple(entry if i == j else 0 for j in range(5)) for i, entry in enumerate((0, 3, 0, 1, 2)))
    cases = (
        ("one-use", single, 4, 1, "6", 36),
        ("one-use-corner", corner, 3, 1, "sqrt(5)", 5),
        ("diagonal", diagonal, 2, None, "sqrt(13)", 13),
        ("diagonal-one-use", diagonal, 2, 1, "3", 9),
        ("banded-one-use", banded, 2, 1, "6", 36),
        ("banded-2-apart", banded, 2, None, "sqrt(41)", 41),
        ("banded-3-apart", banded, 3, None, "sqrt(41)", 41),
    )
    for name, entries, apart, uses, printed, square in cases:
        matrix = Matrix(rows=tuple(tuple(map(Fraction, row)) for row in entries))
        quantity = "the sensitivity of a matrix under patterns of participation"
        recipe = ("certified, squared", _squared_meets, matrix, apart, uses, square)
        yield printed_row(f"jaxprivacy.{name}", _MATRIX, quantity, printed, recipe)
    for steps, most in ((2, 1), (3, 3), (5, 4), (11, 4), (11, 11)):
        quantity = f"the sensitivity squared of the {steps} x {steps} triangle of ones, {most} uses, 1 apart"
        ones, square = Matrix(coefficients=(Fraction(1),) * steps), sum(min(i, most) ** 2 for i in range(1, steps + 1))
        recipe = ("certified", _squared_meets, ones, 1, most, square)
        yield printed_row(f"jaxprivacy.ones-{steps}-{most}", _MATRIX, quantity, "that of the first columns, added", recipe)


def _squared_meets(matrix: Matrix, apart: int, uses: int | None, square: int) -> PrintedComparison:
    return PrintedComparison(sensitivity_of(matrix, apart, uses).squared(), MEETS, Fraction(square))
