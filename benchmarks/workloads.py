"""The workloads: one list for all accountants."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpbounds import mechanisms as m
from dpbounds.mechanisms import pairs


@dataclass(frozen=True)
class Workload:
    """δ(ε) of k steps of Poisson-sampled Gaussian noise in the remove direction; q = 1 means no sampling."""

    sigma: str
    q: str
    steps: int
    epsilon: str

    @property
    def name(self) -> str:
        """A short name for tables."""
        return f"q={self.q}, σ={self.sigma}, k={self.steps:g}, ε={self.epsilon}"

    @property
    def product(self) -> pairs.Product:
        """The dominating pairs of the remove direction."""
        sampled = m.Sampled(m.Gaussian(self.sigma), m.PoissonSampling(self.q))
        return pairs.dominating_pairs(m.Repeated(sampled, self.steps), direction=m.Direction.REMOVE)[0]

    @property
    def floats(self) -> tuple[float, float, int, float]:
        """(σ, q, k, ε) as other accountants take them."""
        return float(Fraction(self.sigma)), float(Fraction(self.q)), self.steps, float(Fraction(self.epsilon))


WORKLOADS = (
    Workload("2.5", "0.05", 40, "0.3"),
    Workload("1", "0.1", 100, "3"),
    Workload("1", "0.01", 1000, "1.5"),
    Workload("2", "0.01", 1000, "1"),
    Workload("1", "0.02", 4096, "8"),
    Workload("1.5", "0.01", 10_000, "1"),
    Workload("1.5", "0.01", 10_000, "4"),
    Workload("2", "0.01", 1000, "5"),
    Workload("1", "0.001", 100_000, "1"),
    Workload("1", "0.001", 1_000_000, "6"),
)
