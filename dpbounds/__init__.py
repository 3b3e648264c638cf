"""dpbounds: verified bounds in differential privacy.

Public names are imported when they are first used, so that `import dpbounds` is cheap.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "dpbounds.claims": (
        "ASSUMED Boxes Bracket Claim Concave Convex Counterexample Decreasing Expectation FAILS HOLDS Increasing Mutant OPEN OrderRange "
        "Outcome Proof Search Verdict mechanism_delta mechanism_renyi settle tighten"
    ),
    "dpbounds.errors": (
        "CertificateError ClaimError DPBoundsError DerivationError EmptyDomainError InputError LanguageError PrecisionError Undecidable"
    ),
    "dpbounds.mechanisms": (
        "Composed DensityPair Direction FiniteTable FixedSizeSampling Gaussian Guarantee Laplace PoissonSampling RandomAllocation "
        "RandomizedResponse Relation Repeated Sampled WithReplacementSampling"
    ),
    "dpbounds.laws.discrete_gaussian": "DiscreteGaussian",
    "dpbounds.laws.discrete_laplace": "DiscreteLaplace",
    "dpbounds.laws.epsilon_delta": "EpsilonDelta",
    "dpbounds.numbers.balls": "Enclosure",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}
__all__ = sorted([*_HOME_OF, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'dpbounds' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
