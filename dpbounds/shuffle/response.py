"""k-ary randomized response among n users: δ of the shuffled messages as E(S)₊/n (docs/shuffle.md derives it).

With p_x the law of a message, x = 0 for P and 1 for Q, r that of the other users' messages, ω = inf_x p_x = γ·uniform,
γ = k/(e^{ε₀} + k − 1),

    δ(ε) = (1/n)·E(Σ_i X_i)₊,    X = (p_0(Y) − e^ε p_1(Y))/r(Y),  Y ~ r;
    of the privacy blanket the same with X = (p_0(W) − e^ε p_1(W))/ω(W),  W ~ ω/γ,  with probability γ, else X = 0.

Source: Balle, Bell, Gascón & Nissim 2019, arXiv 1903.02837, Lemma 5.3 for the second formula.
"""

from __future__ import annotations

from flint import arb

from dpbounds.shuffle.mechanism import ANY
from dpbounds.shuffle.positive_part import Values

Row = tuple[arb, arb, arb]


def rows(answers: int, local: arb, others: str) -> tuple[Row, ...]:
    """p_0/r and p_1/r of a message, and its probability under r, for each kind of message; those of no probability are left out."""
    grow, shrink, one = local.exp(), (-local).exp(), arb(1)
    rare = 1 / (grow + answers - 1)
    often = grow * rare
    found = {
        "0": [(one, shrink, often), (one, one, (answers - 2) * rare), (one, grow, rare)],
        "1": [(grow, one, rare), (one, one, (answers - 2) * rare), (shrink, one, often)],
        "third": [(grow, one, rare), (shrink, shrink, often), (one, one, (answers - 3) * rare), (one, grow, rare)],
        ANY: [(grow, one, rare), (arb(0), arb(0), often - rare), (one, one, (answers - 2) * rare), (one, grow, rare)],
    }[others]
    without = {"third": (2, 3), ANY: (2, 2)}.get(others, (1, 2))
    return tuple(row for index, row in enumerate(found) if (index, answers) != without)


def summand(answers: int, local: arb, epsilon: arb, others: str) -> Values:
    """The law of one summand, values in decreasing order; ε < ε₀.

    >>> from dpbounds.numbers.balls import precision
    >>> from dpbounds.shuffle.positive_part import positive_part
    >>> with precision(120):
    ...     print(positive_part(summand(10, arb(2), arb("0.1"), "0"), 100_000).str(6, radius=False))
    3.10549e-80
    """
    level = epsilon.exp()
    first, second, weights = zip(*rows(answers, local, others), strict=True)
    return Values(tuple(p - level * q for p, q in zip(first, second, strict=True)), weights, second)
