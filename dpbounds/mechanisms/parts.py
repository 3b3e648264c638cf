"""δ(ε) or ε(δ) of a product between what its parts have: one plan for every kind of number.

Who sees some of the uses sees less than all of them, so δ_A(ε) ≤ δ(ε) for the uses A alone. With B the other uses and ε = s + t, from
p_A ≤ (p_A − e^s·q_A)₊ + min(p_A, e^s·q_A) and p_B ≤ (p_B − e^t·q_B)₊ + e^t·q_B,

    p_A·p_B − e^ε·q_A·q_B ≤ (p_A − e^s·q_A)₊·p_B + p_A·(p_B − e^t·q_B)₊.

So max(δ_A(ε), δ_B(ε)) ≤ δ(ε) ≤ δ_A(s) + δ_B(t). Where δ_A(s) ≤ δ − η and δ_B(t) ≤ η this says ε(δ) ≤ s + t, so
max(ε_A(δ), ε_B(δ)) ≤ ε(δ) ≤ ε_A(δ − η) + ε_B(η) for 0 < η < δ. Both have one form: what is asked, ε or δ, is shared between A and B.

A search of this kind may ask very many parts, and each may take long. It ends where both ends are near to each other, or after
`MOST_ASKED` answers: what it has then holds, as every bound does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic, TypeVar

from dpbounds.mechanisms.pairs import Product
from dpbounds.numbers.exact import Exact

METHOD = "bounds of its parts"
MOST_ASKED = 24
"""Parts that are asked for one product."""
SHARES = (Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 2))
"""Shares of ε, or of δ, that the smaller part has."""
End = TypeVar("End")


@dataclass
class Parts(Generic[End]):
    """One question about one product, and what was found of its parts; each is asked once.

    Attributes:
        ask: both ends of the value of a part, which hold; those that say nothing where there is no answer.
        plus: the sum of two ends, rounded up. is_near: whether two ends are so near to each other that no more is asked.
        least: the least value there is.

    >>> from dpbounds.mechanisms import Composed, Gaussian, Laplace
    >>> from dpbounds.mechanisms.pairs import dominating_pairs
    >>> (product,) = dominating_pairs(Composed((Gaussian(3), Laplace(2))))
    >>> found = Parts(lambda part, share: (0, 1 if len(part.factors) > 1 else share), lambda a, b: a + b, lambda a, b: False, 0)
    >>> found.ends(product, Fraction(1, 3))
    (0, Fraction(1, 3))
    """

    ask: Callable[[Product, Exact], tuple[End, End]]
    plus: Callable[[End, End], End]
    is_near: Callable[[End, End], bool]
    least: Any
    left: int = MOST_ASKED
    known: dict[tuple[Product, Exact], tuple[End, End]] = field(default_factory=dict)

    def ends(self, product: Product, at: Exact) -> tuple[End, End] | None:
        """Both ends of the value of a product at this ε or δ; None where it was not asked before the search ended."""
        key = product, at
        if key not in self.known and self.left:
            self.left -= 1
            self.known[key] = self.ask(product, at)
            self.known[key] = self._narrowed(product, at, *self.known[key])
        return self.known.get(key)

    def _narrowed(self, product: Product, at: Exact, low: Any, high: Any) -> tuple[End, End]:
        """The ends of a product, and what its parts say of them."""
        if not self.is_near(low, high) and (once := product.one_of_many()) is not None:
            low = max(low, self._low(once, at))
        for parts in product.splits():
            if self.is_near(low, high):
                break
            (own, wider), (other, rest) = sorted(((self._low(part, at), part) for part in parts), key=lambda row: row[0], reverse=True)
            low = max(low, own, other)
            for share in SHARES:
                less = self.ends(rest, at * share)
                if less is not None and less[1] < high and (more := self.ends(wider, at * (1 - share))) is not None:
                    high = min(high, self.plus(more[1], less[1]))
                if self.is_near(low, high):
                    break
        return min(low, high), high

    def _low(self, product: Product, at: Exact) -> Any:
        found = self.ends(product, at)
        return self.least if found is None else found[0]
