"""Numbers of shuffled messages and of matrix mechanisms that authors print with the code of their papers.

The tables inside the papers on buffered Toeplitz matrices could not be had in a form that can be read; the expected values of the tests
of the library that its authors released stand in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from dpbounds import accounting
from dpbounds.matrix.read import Matrix
from dpbounds.matrix.sensitivity import sensitivity_of
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.to_digits import certified, decide, least_epsilon, surely_at_most
from dpbounds.reference.reproduction.row import Computation, PrintedComparison, PrintedRelation, PrintedRow, Value
from dpbounds.shuffle.mechanism import Shuffled
from dpbounds.shuffle.published import CLOSED_FORMS, clone_delta

_DIGITS = 20
_CLONES = "feldman2021", "README of the authors' code (github.com/apple/ml-shuffling-amplification)"
_BLANKET = "balle2019", "notebook of the authors' code (github.com/BorjaBalle/amplification-by-shuffling)"
_MATRIX = "jaxprivacy", "tests of jax_privacy.matrix_factorization.sensitivity"


def rows() -> Iterator[PrintedRow]:
    """All rows of these sources.

    >>> next(iter(rows())).source
    'feldman2021'
    """
    yield from _clones()
    yield from _blanket()
    yield from _matrices()


def _row(
    source: tuple[str, str], name: str, quantity: str, printed: str, text: str, compute: Callable[[], Value], *more: Computation
) -> PrintedRow:
    key, where = source
    return PrintedRow(f"{key}.{name}", key, where, quantity, printed, Computation(text, compute), more)


def _clones() -> Iterator[PrintedRow]:
    users, local, delta = 100_000, Fraction(4), Fraction(1, 10**6)

    def epsilon() -> Enclosure:
        def fails(candidate: Fraction) -> bool:
            return not decide(lambda: surely_at_most(clone_delta(users, ball(local), ball(candidate)), ball(delta)), "delta of the clones")

        return least_epsilon(fails, 9)

    ends = (("lower", "0.1675385583317841", PrintedRelation.AT_LEAST), ("upper", "0.172790550755978", PrintedRelation.AT_MOST))
    for name, printed, relation in ends:
        yield _row(
            _CLONES,
            f"clones-{name}",
            f"the {name} end of epsilon of 100,000 messages, local epsilon 4, delta 1e-6",
            f"epsilon {relation} {printed}",
            "certified epsilon of the pair of clones",
            lambda relation=relation, printed=printed: PrintedComparison(epsilon(), relation, Fraction(printed)),  # type: ignore[misc]
        )
    yield _row(
        _CLONES,
        "closed-form",
        "the closed form at the same place",
        "0.5378040242374512",
        "Theorem 3.1",
        lambda: certified(lambda: CLOSED_FORMS[0].value(users, ball(local).exp(), ball(delta)), _DIGITS),
        Computation("the larger factor of the code", lambda: certified(lambda: _as_coded(users, ball(local), ball(delta)), _DIGITS)),
    )


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
        yield _row(_BLANKET, f"mass-{name}", quantity, printed, text, lambda value=value: certified(value, _DIGITS))  # type: ignore[misc]
    yield _row(
        _BLANKET,
        "erlingsson-epsilon",
        "the closed form of Erlingsson et al. (2019) at n = 5000, local epsilon 0.4, delta 1e-6",
        "0.2523130449483328",
        "12 e0 sqrt(log(1/delta)/n)",
        lambda: certified(lambda: 12 * ball(Fraction(2, 5)) * (ball(10**6).log() / 5000).sqrt(), _DIGITS),
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
        yield _row(
            _BLANKET,
            f"delta-{name}",
            "a numeric bound on delta at n = 5000, local epsilon 0.4, epsilon 0.005",
            f"{printed} is at least the blanket",
            "certified delta of the privacy blanket",
            lambda answers=answers, randomizer=randomizer, printed=printed: PrintedComparison(  # type: ignore[misc]
                accounting.delta(Shuffled(5000, "0.4", answers, "any", randomizer), "0.005", digits=6).enclosure,
                PrintedRelation.AT_MOST,
                Fraction(printed),
            ),
        )
    printed_epsilons = (
        ("hoeffding-response-2", "0.02397882347116631", 2),
        ("bennett-response-2", "0.02428301504607527", 2),
        ("hoeffding-response-100", "0.026881289729458715", 100),
        ("bennett-response-100", "0.0035207898339832183", 100),
    )
    for name, printed, answers in printed_epsilons:
        yield _row(
            _BLANKET,
            f"epsilon-{name}",
            "a numeric bound on epsilon at n = 5000, local epsilon 0.4, delta 1e-6",
            f"{printed} is at least the blanket",
            "certified epsilon of the privacy blanket",
            lambda answers=answers, printed=printed: PrintedComparison(  # type: ignore[misc]
                accounting.epsilon(Shuffled(5000, "0.4", answers, "any"), "1e-6", digits=5).enclosure,
                PrintedRelation.AT_MOST,
                Fraction(printed),
            ),
        )


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

        def compare(matrix: Matrix = matrix, apart: int = apart, uses: int | None = uses, square: int = square) -> PrintedComparison:
            found = sensitivity_of(matrix, apart, uses)
            return PrintedComparison(found.squared(), PrintedRelation.MEETS, Fraction(square))

        yield _row(_MATRIX, name, "the sensitivity of a matrix under patterns of participation", printed, "certified, squared", compare)
    for steps, uses in ((2, 1), (3, 3), (5, 4), (11, 4), (11, 11)):
        printed_square = sum(min(i, uses) ** 2 for i in range(1, steps + 1))
        yield _row(
            _MATRIX,
            f"ones-{steps}-{uses}",
            f"the sensitivity squared of the {steps} x {steps} triangle of ones, {uses} uses, 1 apart",
            "that of the first columns, added",
            "certified",
            lambda steps=steps, uses=uses, wanted=printed_square: PrintedComparison(  # type: ignore[misc]
                sensitivity_of(Matrix(coefficients=(Fraction(1),) * steps), 1, uses).squared(), PrintedRelation.MEETS, Fraction(wanted)
            ),
        )
