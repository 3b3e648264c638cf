"""dpbounds: verified bounds in differential privacy.

Public names are imported when they are first used, so that `import dpbounds` is cheap.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what type checkers read; the table below is what runs
    from dpbounds.claims import (
        ASSUMED as ASSUMED,
        Boxes as Boxes,
        Bracket as Bracket,
        Citation as Citation,
        Claim as Claim,
        Concave as Concave,
        Convex as Convex,
        Counterexample as Counterexample,
        Decreasing as Decreasing,
        Expectation as Expectation,
        FAILS as FAILS,
        HOLDS as HOLDS,
        Identity as Identity,
        Increasing as Increasing,
        Mutant as Mutant,
        OPEN as OPEN,
        OrderRange as OrderRange,
        Outcome as Outcome,
        Proof as Proof,
        Search as Search,
        Source as Source,
        Verdict as Verdict,
        mechanism_delta as mechanism_delta,
        mechanism_renyi as mechanism_renyi,
        settle as settle,
        tighten as tighten,
    )
    from dpbounds.errors import (
        CertificateError as CertificateError,
        ClaimError as ClaimError,
        DPBoundsError as DPBoundsError,
        DerivationError as DerivationError,
        EmptyDomainError as EmptyDomainError,
        InputError as InputError,
        LanguageError as LanguageError,
        PrecisionError as PrecisionError,
        Undecidable as Undecidable,
    )
    from dpbounds.laws.discrete_gaussian import DiscreteGaussian as DiscreteGaussian
    from dpbounds.laws.discrete_laplace import DiscreteLaplace as DiscreteLaplace
    from dpbounds.laws.epsilon_delta import EpsilonDelta as EpsilonDelta
    from dpbounds.laws.loss_pmf import LossPmf as LossPmf
    from dpbounds.laws.mixture_of_gaussians import MixtureOfGaussians as MixtureOfGaussians
    from dpbounds.mechanisms import (
        Composed as Composed,
        DensityPair as DensityPair,
        Direction as Direction,
        FiniteTable as FiniteTable,
        FixedSizeSampling as FixedSizeSampling,
        Gaussian as Gaussian,
        GroupPoissonSampling as GroupPoissonSampling,
        Guarantee as Guarantee,
        Laplace as Laplace,
        PoissonSampling as PoissonSampling,
        RandomAllocation as RandomAllocation,
        RandomizedResponse as RandomizedResponse,
        Relation as Relation,
        Repeated as Repeated,
        Sampled as Sampled,
        TruncatedPoissonSampling as TruncatedPoissonSampling,
        WithReplacementSampling as WithReplacementSampling,
    )
    from dpbounds.numbers.balls import Enclosure as Enclosure
    from dpbounds.sweeps import sweep as sweep

__version__ = "0.2.0"

_HOMES = {
    "dpbounds.claims": (
        "ASSUMED Boxes Bracket Citation Claim Concave Convex Counterexample Decreasing Expectation FAILS HOLDS Identity Increasing Mutant "
        "OPEN OrderRange Outcome Proof Search Source Verdict mechanism_delta mechanism_renyi settle tighten"
    ),
    "dpbounds.errors": (
        "CertificateError ClaimError DPBoundsError DerivationError EmptyDomainError InputError LanguageError PrecisionError Undecidable"
    ),
    "dpbounds.mechanisms": (
        "Composed DensityPair Direction FiniteTable FixedSizeSampling Gaussian GroupPoissonSampling Guarantee Laplace PoissonSampling "
        "RandomAllocation RandomizedResponse Relation Repeated Sampled TruncatedPoissonSampling WithReplacementSampling"
    ),
    "dpbounds.laws.discrete_gaussian": "DiscreteGaussian",
    "dpbounds.laws.discrete_laplace": "DiscreteLaplace",
    "dpbounds.laws.epsilon_delta": "EpsilonDelta",
    "dpbounds.laws.loss_pmf": "LossPmf",
    "dpbounds.laws.mixture_of_gaussians": "MixtureOfGaussians",
    "dpbounds.numbers.balls": "Enclosure",
    "dpbounds.sweeps": "sweep",
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
