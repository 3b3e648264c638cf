"""What is run: noise, sampling, composition, and the pairs that dominate it."""

from dpbounds.mechanisms.mechanism import (
    SENSITIVITY, Composed, DensityPair, Direction, FiniteTable, FixedSizeSampling, Gaussian, GroupPoissonSampling, Guarantee, Laplace,
    Mechanism, Noise, Parameter, PoissonSampling, RandomAllocation, RandomizedResponse, Relation, Repeated, Sampled, Sampling,
    TruncatedPoissonSampling, WithReplacementSampling, distribution, member, repeated,
)  # fmt: skip

__all__ = [
    "Composed", "DensityPair", "Direction", "FiniteTable", "FixedSizeSampling", "Gaussian", "GroupPoissonSampling", "Guarantee",
    "Laplace", "Mechanism", "Noise", "Parameter", "PoissonSampling", "RandomAllocation", "RandomizedResponse", "Relation", "Repeated",
    "SENSITIVITY", "Sampled", "Sampling", "TruncatedPoissonSampling", "WithReplacementSampling", "distribution", "member", "repeated",
]  # fmt: skip
