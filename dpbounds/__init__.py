"""dpbounds: verified bounds in differential privacy.

Public names are imported when they are first used, so that `import dpbounds` is cheap.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what type checkers read; the table below is what runs
    from dpbounds.claims import (
        ASSUMED as ASSUMED, Boxes as Boxes, Bracket as Bracket, Citation as Citation, Claim as Claim, Counterexample as Counterexample,
        Expectation as Expectation, FAILS as FAILS, HOLDS as HOLDS, Identity as Identity, Mutant as Mutant, OPEN as OPEN,
        OrderRange as OrderRange, Outcome as Outcome, Proof as Proof, Search as Search, Source as Source, Verdict as Verdict,
        mechanism_delta as mechanism_delta, mechanism_renyi as mechanism_renyi, settle as settle, tighten as tighten,
    )  # fmt: skip
    from dpbounds.accounting.convergence import convergence_of as convergence_of
    from dpbounds.budgets.conversion_gaps import gaps_of as gaps_of
    from dpbounds.claims.evidence.replay import replay as replay
    from dpbounds.claims.mine import mine as mine
    from dpbounds.claims.settled import claim_called as claim_called, settled as settled
    from dpbounds.errors import (
        CertificateError as CertificateError, ClaimError as ClaimError, DPBoundsError as DPBoundsError,
        DerivationError as DerivationError, EmptyDomainError as EmptyDomainError, InputError as InputError,
        LanguageError as LanguageError, PrecisionError as PrecisionError, Undecidable as Undecidable,
    )  # fmt: skip
    from dpbounds.noise.discrete_gaussian import DiscreteGaussian as DiscreteGaussian
    from dpbounds.noise.discrete_laplace import DiscreteLaplace as DiscreteLaplace
    from dpbounds.noise.epsilon_delta import EpsilonDelta as EpsilonDelta
    from dpbounds.noise.loss_pmf import LossPmf as LossPmf
    from dpbounds.noise.mixture_of_gaussians import MixtureOfGaussians as MixtureOfGaussians
    from dpbounds.noise.skellam import Skellam as Skellam
    from dpbounds.noise.student_t import StudentT as StudentT
    from dpbounds.noise.truncated_laplace import TruncatedLaplace as TruncatedLaplace
    from dpbounds.language.functions import (
        GaussianDelta as GaussianDelta, RenyiDivergence as RenyiDivergence, SampledGaussianMoment as SampledGaussianMoment,
        SampledGaussianRenyi as SampledGaussianRenyi, normal_density as normal_density,
    )  # fmt: skip
    from dpbounds.language.symbols import index as index, nonnegative as nonnegative, positive as positive
    from dpbounds.mechanisms import (
        Composed as Composed, DensityPair as DensityPair, Direction as Direction, FiniteTable as FiniteTable,
        FixedSizeSampling as FixedSizeSampling, Gaussian as Gaussian, GroupPoissonSampling as GroupPoissonSampling,
        Guarantee as Guarantee, Laplace as Laplace, PoissonSampling as PoissonSampling, RandomAllocation as RandomAllocation,
        RandomizedResponse as RandomizedResponse, Relation as Relation, Repeated as Repeated, Sampled as Sampled,
        TruncatedPoissonSampling as TruncatedPoissonSampling, WithReplacementSampling as WithReplacementSampling,
    )  # fmt: skip
    from dpbounds.gdp.mu import mu_of_curve as mu_of_curve
    from dpbounds.hidden_state.bounds import HiddenState as HiddenState
    from dpbounds.matrix.mechanism import MatrixMechanism as MatrixMechanism
    from dpbounds.matrix.read import read_matrix as read_matrix
    from dpbounds.matrix.sensitivity import prefix_errors as prefix_errors
    from dpbounds.matrix.sensitivity import sensitivity_of as sensitivity_of
    from dpbounds.mechanisms.pairs import dominating_pairs as dominating_pairs
    from dpbounds.numbers.balls import Enclosure as Enclosure
    from dpbounds.one_run.guesses import Guesses as Guesses
    from dpbounds.planning.limits import largest_batch_of as largest_batch_of, largest_rate_of as largest_rate_of
    from dpbounds.planning.limits import largest_steps_of as largest_steps_of, smallest_delta_of as smallest_delta_of
    from dpbounds.planning.planner import smallest_sigma_of as smallest_sigma_of
    from dpbounds.prover import derive as derive
    from dpbounds.reading import read_lemma as read_lemma, read_lemmas as read_lemmas
    from dpbounds.renyi.solve import renyi_divergence as renyi_divergence
    from dpbounds.selection.mechanisms import Selection as Selection
    from dpbounds.shuffle.mechanism import Shuffled as Shuffled
    from dpbounds.sweeps import sweep as sweep

__version__ = "0.2.0"

_HOMES = {
    "dpbounds.claims": (
        "ASSUMED Boxes Bracket Citation Claim Counterexample Expectation FAILS HOLDS Identity Mutant OPEN "
        "OrderRange Outcome Proof Search Source Verdict mechanism_delta mechanism_renyi settle tighten"
    ),
    "dpbounds.claims.mine": "mine",
    "dpbounds.claims.evidence.replay": "replay",
    "dpbounds.claims.settled": "claim_called settled",
    "dpbounds.accounting.convergence": "convergence_of",
    "dpbounds.budgets.conversion_gaps": "gaps_of",
    "dpbounds.errors": (
        "CertificateError ClaimError DPBoundsError DerivationError EmptyDomainError InputError LanguageError PrecisionError Undecidable"
    ),
    "dpbounds.gdp.mu": "mu_of_curve",
    "dpbounds.hidden_state.bounds": "HiddenState",
    "dpbounds.language.functions": "GaussianDelta RenyiDivergence SampledGaussianMoment SampledGaussianRenyi normal_density",
    "dpbounds.language.symbols": "index nonnegative positive",
    "dpbounds.matrix.mechanism": "MatrixMechanism",
    "dpbounds.matrix.read": "read_matrix",
    "dpbounds.matrix.sensitivity": "prefix_errors sensitivity_of",
    "dpbounds.mechanisms": (
        "Composed DensityPair Direction FiniteTable FixedSizeSampling Gaussian GroupPoissonSampling Guarantee Laplace PoissonSampling "
        "RandomAllocation RandomizedResponse Relation Repeated Sampled TruncatedPoissonSampling WithReplacementSampling"
    ),
    "dpbounds.mechanisms.pairs": "dominating_pairs",
    "dpbounds.numbers.balls": "Enclosure",
    "dpbounds.planning.limits": "largest_batch_of largest_rate_of largest_steps_of smallest_delta_of",
    "dpbounds.planning.planner": "smallest_sigma_of",
    "dpbounds.prover": "derive",
    "dpbounds.reading": "read_lemma read_lemmas",
    "dpbounds.renyi.solve": "renyi_divergence",
    "dpbounds.one_run.guesses": "Guesses",
    "dpbounds.selection.mechanisms": "Selection",
    "dpbounds.shuffle.mechanism": "Shuffled",
    "dpbounds.sweeps": "sweep",
}
_NOISES = (name.removesuffix(".py") for name in os.listdir(f"{__path__[0]}/noise") if name.endswith(".py") and not name.startswith("_"))
_HOMES |= {f"dpbounds.noise.{name}": "".join(word.capitalize() for word in name.split("_")) for name in _NOISES}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}
__all__ = sorted([*_HOME_OF, "__version__"])

_PACKAGES = {
    "dpbounds.audit": "pages peers",
    "dpbounds.budgets": "composition empirical_risk random_stopping routes schedules zcdp",
    "dpbounds.float64.published": "berry_esseen fourier fourier_errors moments_accountant privacy_buckets",
    "dpbounds.prover": "rules",
    "dpbounds.reference": "carried reproduction",
    "dpbounds.renyi": "amplification conversions curves",
    "dpbounds.sgd": "softmax",
    "dpbounds.verify": "compare",
}
_MODULES = {name: f"{package}.{name}" for package, names in _PACKAGES.items() for name in names.split()}
"""Modules that `from dpbounds import` finds by their last name; some need an extra, so `import *` leaves them out."""


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(_MODULES[name])
    if name not in _HOME_OF:
        raise AttributeError(f"module 'dpbounds' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext dpbounds` in a notebook: the cell magic %%lemma."""
    importlib.import_module("dpbounds.reading.magic").load_ipython_extension(shell)


def __dir__() -> list[str]:
    return __all__
