"""A step of truncated batches as plans see it: the mean of two mixtures. Estimates alone; the checker computes all of it again."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpbounds.laws.contour_factor import NEVER, Hint
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.recheck.truncated_batch import TruncatedBatch


@dataclass(frozen=True)
class TruncatedFactor:
    """What `accounting.bromwich_planning.plan` asks of a factor."""

    law: TruncatedBatch
    steps: int
    absolutely_continuous: bool = True
    cut: float | None = None
    largest_tilt: float = 1e25
    largest_back_tilt: float = 1e25

    def parts(self) -> list[tuple[str, float, MixtureFactor]]:
        """Names, logarithms of the probabilities, and factors."""
        found = []
        for name, weight, law in self.law.parts():
            mixture = Mixture(law.weights[1], law.sigma, numerator=law.numerator, denominator=law.denominator)
            found.append((name, math.log(max(float(weight.bounds()[1]), 1e-300)), MixtureFactor(mixture, self.steps)))
        return found

    @property
    def largest_loss(self) -> float:
        """The larger one."""
        return max((factor.largest_loss for _, _, factor in self.parts()), default=NEVER)

    def room(self, x: float) -> float:
        """Nothing is cut."""
        return math.inf

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x) of the mean of both."""
        rows = [(log + moments[0], moments) for log, moments in ((log, f.approx_log_moments(x)) for _, log, f in self.parts())]
        top = max(log for log, _ in rows)
        shares = [math.exp(log - top) for log, _ in rows]
        first, second = (
            sum(share * value for share, value in zip(shares, values, strict=True)) / sum(shares)
            for values in ([m[1] for _, m in rows], [m[2] + m[1] ** 2 for _, m in rows])
        )
        return top + math.log(sum(shares)), first, second - first**2

    def approx_decay(self, x: float, y: float) -> tuple[float, Hint]:
        """About log(decay/M) of the mean of both."""
        whole = self.approx_log_moments(x)[0]
        logs = [log + f.approx_log_moments(x)[0] - whole + f.approx_decay(x, y)[0] for _, log, f in self.parts()]
        return max(logs) + math.log(sum(math.exp(log - max(logs)) for log in logs)), (0.0, 0.0)
