"""Skellam noise: the difference of two Poisson counts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dpbounds.errors import PrecisionError
from dpbounds.mechanisms import Noise, Parameter, Relation
from dpbounds.mechanisms.arithmetic import FLOATS, Number, RealArithmetic
from dpbounds.mechanisms.atomic import AtomicPair
from dpbounds.mechanisms.mechanism import SENSITIVITY
from dpbounds.numbers import exact
from dpbounds.numbers.domains import positive, whole_at_least
from dpbounds.numbers.exact import Exact

_MOST = 300_000
"""Outcomes on one side."""


@dataclass(frozen=True)
class Skellam(Noise):
    """A count plus the difference of two Poisson counts of mean v/2 each: P(x) = e^{−v}I_{|x|}(v) on the integers.

    Args:
        variance: v > 0.
        sensitivity: Δ, an integer ≥ 1: how much one record can change the count.

    Source: Agarwal, Kairouz & Liu 2021 for the mechanism.

    >>> Skellam("2.5").pair(Relation.SUBSTITUTE).sensitivity
    2
    """

    variance: Exact
    sensitivity: int = 1

    def __init__(self, variance: exact.Number, sensitivity: exact.Number = 1) -> None:
        object.__setattr__(self, "variance", positive(variance, "skellam variance"))
        object.__setattr__(self, "sensitivity", whole_at_least(sensitivity, 1, "sensitivity"))

    parameters = (
        Parameter("skellam", "variance", "V", "Skellam noise of variance V > 0, the difference of two Poisson counts."),
        SENSITIVITY,
    )
    example = {"skellam": "2.5", "sensitivity": 2}

    def pair(self, relation: Relation) -> SkellamPair:
        """Counts Δ apart, 2Δ for a substitution."""
        return SkellamPair(self.variance, self.sensitivity * (2 if relation is Relation.SUBSTITUTE else 1))


@dataclass(frozen=True)
class SkellamPair(AtomicPair):
    """P centred at Δ, Q at 0; the loss log I_{|x−Δ|}(v) − log I_{|x|}(v) rises with x without end.

    Counts less than Δ apart are no easier to tell apart, because the noise is log-concave (Turán: I_n² ≥ I_{n−1}I_{n+1}): see
    `DiscreteLaplacePair`. Noise of a larger variance is that of a smaller one plus independent noise.

    *Ratios.* r_n = I_{n+1}/I_n = 1/(2(n+1)/v + r_{n+1}) from the recurrence, and 0 ≤ r_n ≤ v/(2(n+1)) term by term from the series; so
    from any enclosure of r_N the recurrence downward encloses all r_n, and narrows.

    *Tails.* With w_n = I_n/I_0, Σ_{n>T} w_n ≤ w_{T+1}/(1 − ρ), ρ = v/(2(T+2)), and 1 + 2Σ w_n normalises. T is such that Chernoff's bound
    on the tail, e^{√(T²+v²) − v − T·arsinh(T/v)}, is below 2^−bits.
    """

    variance: Exact
    sensitivity: int
    bounded: ClassVar[bool] = False
    parameters: ClassVar[Mapping[str, bool]] = {"variance": True}

    def reach(self, bits: int) -> int:
        """T, at least v, so that ρ < 1/2.

        Raises:
            PrecisionError: T would be larger than `_MOST`.
        """
        v, wanted = float(self.variance), 0.7 * bits
        low, high = math.ceil(v) + 1, 2 * math.ceil(v) + 2 + bits
        while low < high:
            t = (low + high) // 2
            low, high = (low, t) if t * math.asinh(t / v) - math.hypot(t, v) + v >= wanted else (t + 1, high)
        if low > _MOST:
            raise PrecisionError(f"Skellam noise so wide has more than {_MOST} outcomes on one side; no digit was reached")
        return low

    def shared(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """From −T to Δ+T."""
        reach, shift = self.reach(numbers.bits), self.sensitivity
        sizes = self._sizes(numbers, reach + shift)
        total: Any = 1 + 2 * sum(sizes[1:], numbers.number(0)) + numbers.up_to(self._tails(numbers, sizes))
        return [(sizes[abs(x - shift)] / total, sizes[abs(x)] / total) for x in range(-reach, shift + reach + 1)]

    def losses(self, bits: int = 64) -> None:
        """Not known exactly."""
        return None

    def operations(self) -> int:
        """A ratio has two that the recurrence does not shrink, a size one for each ratio, the sum one for each size."""
        return 4 * (self.reach(FLOATS.bits) + self.sensitivity)

    def dropped(self, numbers: RealArithmetic[Number]) -> Number:
        """Both tails beyond T."""
        return self._tails(numbers, self._sizes(numbers, self.reach(numbers.bits)))

    def _sizes(self, numbers: RealArithmetic[Number], last: int) -> list[Any]:
        """w_0 to w_last."""
        double: Any = 2 / numbers.number(self.variance)
        start = last + 20 + numbers.bits // 8
        ratio: Any = numbers.up_to(1 / (double * (start + 1)))
        ratios = []
        for n in range(start - 1, -1, -1):
            ratio = 1 / (double * (n + 1) + ratio)
            ratios.append(ratio)
        found = [numbers.number(1)]
        for n in range(last):
            found.append(found[-1] * ratios[-1 - n])
        return found

    def _tails(self, numbers: RealArithmetic[Number], sizes: list[Any]) -> Number:
        """2·Σ w_n beyond the list at most: w_{T+1} ≤ w_T·v/(2(T+1))."""
        half, last = numbers.number(self.variance) / 2, len(sizes) - 1
        return 2 * sizes[-1] * half / (last + 1) / (1 - half / (last + 2))

    def definition(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """The sums over both counts."""
        mean: Any = numbers.number(self.variance) / 2
        reach = self.reach(numbers.bits) + self.sensitivity
        poisson = [numbers.exp(-mean)]
        for n in range(1, 2 * reach + 1):
            poisson.append(poisson[-1] * mean / n)
        masses = [sum((poisson[j] * poisson[j + n] for j in range(reach)), numbers.number(0)) for n in range(reach + 1)]
        far, shift = reach - self.sensitivity, self.sensitivity
        return [(masses[abs(x - shift)], masses[abs(x)]) for x in range(-far, far + 1)]

    def divergence(self, t: Number, numbers: RealArithmetic[Number]) -> Number:
        """log(Σ p·(p/q)^t)/t, t > 0, and Σ p·log(p/q) for t = 0, with what the list leaves out.

        Let T ≥ Δ + 2v and α = 1+t. To the right of Δ+T, from one x to the next, p^αq^{1−α} is multiplied by r_n(r_{n−Δ}/r_n)^α,
        n = x ≥ T+Δ, at most g = v/(2(n+1))·((2(n+1)+v)/(2(n−Δ+1)))^α because v/(2(n+1)+v) ≤ r_n ≤ v/(2(n+1)); g falls in n. T grows
        until g < 1/2, and by as many terms as there are bits: then what is left out there is at most the last term. To the left of −T,
        p^αq^{1−α} ≤ p, and p at x is q at Δ−x, at most p^αq^{1−α} there: again the last term. For t = 0 the terms at x and Δ−x are
        (p−q)·log(p/q) together, between 0 and p²q^{−1} on the right, the term for α = 2.

        Raises:
            PrecisionError: T would be larger than `_MOST`.
        """
        shift, alpha = self.sensitivity, float(1 + t) if t != 0 else 2.0
        reach = max(self.reach(numbers.bits), shift + 2 * math.ceil(float(self.variance)))
        while self._log_growth(reach + shift, alpha) >= -0.7:
            reach += reach // 4
            if reach > _MOST:
                raise PrecisionError(f"so large an order needs more than {_MOST} outcomes on one side; no digit was reached")
        reach += numbers.bits
        sizes = self._sizes(numbers, reach + shift)
        total: Any = 1 + 2 * sum(sizes[1:], numbers.number(0)) + numbers.up_to(self._tails(numbers, sizes))
        rows = [(sizes[abs(x - shift)], sizes[abs(x)]) for x in range(-reach, shift + reach + 1)]
        order: Any = t if t != 0 else numbers.number(1)

        def term(p: Any, q: Any) -> Any:
            return p * numbers.exp(order * numbers.ln(p / q))

        rest = numbers.up_to(2 * term(*rows[-1]))
        if t == 0:
            return (sum((p * numbers.ln(p / q) for p, q in rows), numbers.number(0)) + rest) / total
        return numbers.ln((sum((term(p, q) for p, q in rows), numbers.number(0)) + rest) / total) / t

    def _log_growth(self, n: int, alpha: float) -> float:
        """log g, in floats."""
        v = float(self.variance)
        return math.log(v / (2 * (n + 1))) + alpha * math.log((2 * (n + 1) + v) / (2 * (n - self.sensitivity + 1)))
