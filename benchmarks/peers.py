"""Other accountants, as they are meant to be used: a lower and an upper value of δ(ε), where the package is installed."""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.workloads import Workload

Interval = tuple[float, float]


@dataclass(frozen=True)
class Peer:
    """An accountant of another package: `interval` returns (lower, upper) of δ; beyond `most_steps` it takes minutes and is left out."""

    name: str
    package: str
    interval: Callable[[Workload], Interval]
    most_steps: int = 10**9

    @property
    def version(self) -> str | None:
        """The installed version, or None."""
        try:
            return importlib.metadata.version(self.package)
        except importlib.metadata.PackageNotFoundError:
            return None


def dp_accounting_interval(workload: Workload) -> Interval:
    """dp_accounting's PLD at its default discretisation of 1e-4: the optimistic and the pessimistic estimate."""
    module = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
    sigma, q, steps, epsilon = workload.floats
    values = []
    for pessimistic in (False, True):
        single = module.from_gaussian_mechanism(sigma, sampling_prob=q, pessimistic_estimate=pessimistic, use_connect_dots=pessimistic)
        loss = single._pmf_remove if hasattr(single, "_pmf_remove") else single
        composed = loss.self_compose(steps)
        values.append(float(composed.get_delta_for_epsilon(epsilon)))
    return values[0], values[1]


def prv_interval(workload: Workload) -> Interval:
    """prv_accountant with errors of 1e-2 in ε and 1e-10 in δ."""
    module = importlib.import_module("prv_accountant")
    sigma, q, steps, epsilon = workload.floats
    mechanism = module.PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=q)
    accountant = module.PRVAccountant(prvs=[mechanism], max_self_compositions=[steps], eps_error=1e-2, delta_error=1e-10)
    lower, _, upper = accountant.compute_delta(epsilon, [steps])
    return float(lower), float(upper)


PEERS = (Peer("dp_accounting PLD", "dp-accounting", dp_accounting_interval), Peer("prv_accountant", "prv-accountant", prv_interval, 10**5))


def quiet() -> None:
    """Silence the advice that other packages print while they are measured."""
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
