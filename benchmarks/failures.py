"""Cases where other accountants return wrong values: what they return here, our float64 interval, and the certified one."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy
import sympy

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.float64 import delta_bounds, epsilon_bounds
from dpbounds.numbers.balls import Enclosure
from dpbounds.reference import tensorflow_accountant

PLD = "dp_accounting.pld.privacy_loss_distribution"
RDP = "dp_accounting.rdp.rdp_privacy_accountant"
SERIES = "prv_accountant.privacy_random_variables.poisson_subsampled_gaussian_mechanism"


@dataclass(frozen=True)
class Failure:
    """One case.

    Attributes:
        name: the quantity. peer: the accountant. call: its value as text. interval: ours in float64, or None where the certified engine
            alone answers. enclosure: the certified value.
    """

    name: str
    peer: str
    call: Callable[[], str]
    interval: Callable[[], tuple[float, float]] | None
    enclosure: Callable[[], Enclosure]

    def returned(self) -> str:
        """What the peer returns, or that it is not installed, or how it fails."""
        try:
            return self.call()
        except ImportError:
            return "not installed"
        except Exception as error:  # another package may fail in any way; the table says how
            return f"fails: {type(error).__name__}"

    def ours(self) -> str:
        """Our float64 interval."""
        return "the certified value" if self.interval is None else "[{:.6g}, {:.6g}]".format(*self.interval())

    def certified(self) -> str:
        """The certified value."""
        enclosure = self.enclosure()
        return f"{float((enclosure.lower + enclosure.upper) / 2):.6g}"


def poisson(q: str, sigma: Any, steps: int) -> m.Mechanism:
    """k steps of Poisson-sampled Gaussian noise."""
    return m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps)


def of_epsilon(name: str, peer: str, call: Callable[[], str], mechanism: m.Mechanism, delta: str) -> Failure:
    """ε(δ) of a mechanism."""

    def interval() -> tuple[float, float]:
        found = epsilon_bounds(mechanism, delta)
        return found.lower, found.upper

    return Failure(name, peer, call, interval, lambda: accounting.epsilon(mechanism, delta, digits=9).enclosure)


def of_delta(
    name: str, peer: str, call: Callable[[], str], mechanism: m.Mechanism, epsilon: str, same: m.Mechanism | None = None
) -> Failure:
    """δ(ε) of a mechanism, certified for one with `same` δ where the engine does not read the first."""

    def interval() -> tuple[float, float]:
        found = delta_bounds(mechanism, epsilon)
        return found.lower, found.upper

    return Failure(name, peer, call, interval, lambda: accounting.delta(same or mechanism, epsilon, digits=9).enclosure)


def pld(sigma: float, q: float, steps: int, *, pessimistic: bool = True) -> Any:
    """dp_accounting's composed privacy loss distribution at its defaults."""
    module = importlib.import_module(PLD)
    single = module.from_gaussian_mechanism(sigma, sampling_prob=q, pessimistic_estimate=pessimistic)
    return single.self_compose(steps)


def pure_dp() -> str:
    """prv_accountant on 100 times randomized response with ε = 1."""
    module = importlib.import_module("prv_accountant")
    accountant = module.PRVAccountant(prvs=[module.PureDPMechanism(1.0)], max_self_compositions=[100], eps_error=0.1, delta_error=1e-10)
    lower, _, upper = accountant.compute_epsilon(1e-6, [100])
    return f"[{lower:.2f}, {upper:.2f}]"


def prv_delta() -> str:
    """prv_accountant where δ is far below its accuracy."""
    module = importlib.import_module("prv_accountant")
    mechanism = module.PoissonSubsampledGaussianMechanism(noise_multiplier=2, sampling_probability=0.01)
    accountant = module.PRVAccountant(prvs=[mechanism], max_self_compositions=[1000], eps_error=1e-2, delta_error=1e-15)
    lower, _, upper = accountant.compute_delta(5, [1000])
    return f"[{lower:.3g}, {upper:.3g}]"


def opacus_prv() -> str:
    """opacus' PRV accountant."""
    module = importlib.import_module("opacus.accountants")
    accountant = module.PRVAccountant()
    accountant.history = [(2.0, 0.01, 20_000)]
    return f"{accountant.get_epsilon(delta=1e-12):.4g}"


def central_limit() -> str:
    """The Gaussian of the central limit theorem, μ = q√(k(e^{1/σ²} − 1)), as opacus' GDP accountant takes it; by our own enclosure."""
    mu = 0.01 * math.sqrt(math.expm1(4))
    return f"{float(accounting.epsilon(m.Gaussian(str(1 / mu)), '1e-5').enclosure.lower):.3g}"


FAILURES = (
    of_epsilon(
        "ε at δ=1e-11, q=0.5, σ=50, k=10⁴",
        "dp_accounting PLD",
        lambda: f"{pld(50, 0.5, 10**4).get_epsilon_for_delta(1e-11):.6g}",
        poisson("0.5", 50, 10**4),
        "1e-11",
    ),
    of_delta(
        "δ at ε=7.5, σ=√k, k=10⁵",
        "dp_accounting PLD",
        lambda: f"{pld(math.sqrt(1e5), 1.0, 10**5).get_delta_for_epsilon(7.5):.3g}",
        m.Repeated(m.Gaussian(sympy.sqrt(10**5)), 10**5),
        "7.5",
        m.Gaussian(1),
    ),
    Failure(
        "k·D_α, α=1.5, q=0.01, σ=2.5, k=50",
        "dp_accounting RDP",
        lambda: (
            f"{50 * float(importlib.import_module(RDP)._compute_rdp_poisson_subsampled_gaussian(0.01, 2.5, numpy.array([1.5]))[0]):.7g}"
        ),
        None,
        lambda: tensorflow_accountant.rdp_of("0.01", "2.5", 50, ["1.5"])[0],
    ),
    of_delta(
        "δ at ε=9, σ=10, k=100",
        "dp_accounting PLD, optimistic",
        lambda: f"{pld(10, 1.0, 100, pessimistic=False).get_delta_for_epsilon(9):.3g}",
        m.Repeated(m.Gaussian(10), 100),
        "9",
    ),
    Failure(
        "D_α, α=60.5, q=0.4, σ=20",
        "prv_accountant `_compute_log_a_frac`",
        lambda: f"{importlib.import_module(SERIES)._compute_log_a_frac(0.4, 20, 60.5) / 59.5:.4g}",
        None,
        lambda: tensorflow_accountant.rdp_of("0.4", 20, 1, ["60.5"])[0],
    ),
    of_epsilon("ε at δ=1e-12, q=0.01, σ=2, k=2·10⁴", "opacus PRV", opacus_prv, poisson("0.01", 2, 2 * 10**4), "1e-12"),
    of_epsilon("ε at δ=1e-6, randomized response ε=1, k=100", "prv_accountant", pure_dp, m.Repeated(m.RandomizedResponse(1), 100), "1e-6"),
    of_epsilon("ε at δ=1e-5, q=0.01, σ=0.5, k=1", "central limit theorem", central_limit, poisson("0.01", "0.5", 1), "1e-5"),
    of_delta(
        "δ at ε=5, q=0.01, σ=2, k=1000",
        "dp_accounting PLD",
        lambda: f"{pld(2, 0.01, 1000).get_delta_for_epsilon(5):.3g}",
        poisson("0.01", 2, 1000),
        "5",
    ),
    of_delta("δ at ε=5, q=0.01, σ=2, k=1000", "prv_accountant", prv_delta, poisson("0.01", 2, 1000), "5"),
)
