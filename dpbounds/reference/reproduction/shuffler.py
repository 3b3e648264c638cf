"""Numbers of shuffled messages that Koskela, Heikkilä & Honkela (2023) store with their code, behind Figures 1 and 4 of their paper.

Their Fourier accountant puts each loss on the next point of a grid and sums in float64. One use of each is compared; the paper's
compositions have no certified value here.

* **Figure 1**: δ at 60 equidistant ε from 0.1 to 1, n = 10,000, ε₀ = 4, for the stronger pair of clones. Every fourth, and the last.
* **Figure 4**: ε at δ = 10^{−4}, 10^{−4.75}, …, 10^{−7}, n = 1000 (the script that draws it says 500), k = 4, γ = 1/4: ε₀ = log 13.
  The adversary A_s knows who sends a random symbol, and the one user does not: P = N + e_1, Q = N + e_2, N multinomial with
  (γ/k, γ/k, rest), so that δ = E(Σ X_i)₊/n with X = k/γ or −e^ε k/γ, each with probability γ/k. A_w knows the inputs of the others, and
  not who sends a random symbol: the privacy blanket. The authors' code has B where B + 1 messages are counted, and this gives their
  digits (`tests/reference/test_shuffler.py`); the numbers are 0.1 % too large, so that they are bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpbounds import accounting
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.to_digits import certified, decide, least_epsilon, surely_at_most
from dpbounds.reference.reproduction.row import AT_MOST, PrintedComparison, PrintedRow, printed_row
from dpbounds.shuffle.mechanism import Shuffled
from dpbounds.shuffle.positive_part import Values, positive_part
from dpbounds.shuffle.published import clone_delta

_CODE = "the authors' code (github.com/DPBayes/numerical-shuffler-experiments)"
DELTAS = (
    "0.00920948955229734", "0.00269148581533146", "0.0006008553825363343", "0.00010159327383260523", "1.29914987984078e-05",
    "1.2621309363156461e-06", "9.39859188885717e-08", "5.433428823973638e-09", "2.476675683867787e-10", "9.052016497917692e-12",
    "2.7118478781078514e-13", "6.778567830920228e-15", "1.4452498057868454e-16", "2.6852853895451035e-18", "4.442840003094447e-20",
    "1.923331926873077e-21",
)  # fmt: skip
"""Of Figure 1, at ε = 0.1 + 9i/590 for i = 0, 4, …, 56, and 59."""
STRONG = ("0.547325611114502", "0.6415009498596191", "0.7288217544555664", "0.8112907409667969", "0.8902907371520996")
WEAK = ("0.38951635360717773", "0.45746564865112305", "0.5191445350646973", "0.5761861801147461", "0.6296396255493164")
_USERS, _SHARE = 1000, Fraction(1, 16)


def rows() -> Iterator[PrintedRow]:
    """All rows of this source.

    >>> next(iter(rows())).source
    'koskela2023'
    """
    for index, printed in zip((*range(0, 60, 4), 59), DELTAS, strict=True):
        epsilon = Fraction(1, 10) + Fraction(9 * index, 590)
        yield printed_row(
            f"koskela2023.figure-1.delta-{index}",
            f"data of Figure 1, {_CODE}",
            f"delta of 10,000 messages, local epsilon 4, epsilon {float(epsilon):.6f}",
            f"{printed} is at least the value",
            ("certified delta of the stronger pair of clones", _clones_below, epsilon, printed),
            note="the authors' grid puts each loss up to 4e-6 too high",
        )
    for index, (strong, weak) in enumerate(zip(STRONG, WEAK, strict=True)):
        exponent, where = -4 - Fraction(3 * index, 4), f"data of Figure 4, {_CODE}"
        told = f"delta 10^({float(exponent)}), 1000 messages of 4 symbols, blanket 1/4"
        yield printed_row(
            f"koskela2023.figure-4.strong-{index}",
            where,
            f"epsilon of the adversary A_s at {told}",
            strong,
            ("certified epsilon", _strong_epsilon, exponent),
            tolerance="0.00002",
            note="below the certified value: the authors' bisection stops at a width of 2e-5 and returns its lower end",
        )
        yield printed_row(
            f"koskela2023.figure-4.weak-{index}",
            where,
            f"epsilon of the adversary A_w at {told}",
            f"delta({weak}) <= 10^({float(exponent)})",
            ("certified delta of the privacy blanket at the printed epsilon", _blanket_below, weak, exponent),
            note="0.1 % above the blanket's epsilon: the code has B where B + 1 messages are counted",
        )


def _clones_below(epsilon: Fraction, printed: str) -> PrintedComparison:
    delta = certified(lambda: clone_delta(10_000, ball(4), ball(epsilon), stronger=True), 10)
    return PrintedComparison(delta, AT_MOST, Fraction(printed))


def _blanket_below(weak: str, exponent: Fraction) -> PrintedComparison:
    delta = accounting.delta(Shuffled(_USERS, "log(13)", 4, "any"), weak, digits=6).enclosure
    return PrintedComparison(delta, AT_MOST, certified(lambda: _power_of_ten(exponent), 10))


def strong_delta(epsilon: Ball) -> Ball:
    """δ of the adversary A_s, at the precision that is set."""
    share = ball(_SHARE)
    return positive_part(Values((1 / share, ball(0), -epsilon.exp() / share), (share, 1 - 2 * share, share)), _USERS)


def _strong_epsilon(exponent: Fraction) -> Enclosure:
    def fails(candidate: Fraction) -> bool:
        return not decide(lambda: surely_at_most(strong_delta(ball(candidate)), _power_of_ten(exponent)), "delta of A_s")

    return least_epsilon(fails, 9)


def _power_of_ten(exponent: Fraction) -> Ball:
    return (ball(10).log() * ball(exponent)).exp()
