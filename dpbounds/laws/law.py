"""The privacy loss of one use of a pair: what a solver may ask of it.

A solver names no mechanism. It takes a product apart into laws (`normal_form`), asks them what they are, and chooses. A new law
is one file: a subclass of `Law`, registered with `registered_law` for its pair (and with `registered_sampled_law` for the pair under
Poisson sampling), and a name in `FILES`. A file is imported when a pair of its kind is asked for.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, singledispatch
from typing import TYPE_CHECKING, Any

from flint import arb

from dpbounds.errors import InputError
from dpbounds.mechanisms.atomic import AtomicLaw
from dpbounds.mechanisms.pairs import PoissonPair
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball

if TYPE_CHECKING:
    from dpbounds.laws.contour_factor import ContourFactor
    from dpbounds.laws.convolve import OrderedUse
    from dpbounds.laws.paths.endpoint_expansion import ExpandedEnds
    from dpbounds.laws.top_end import TopEnd


@dataclass(frozen=True)
class ClosedForm:
    """δ(ε) at the current precision, what to call it, and how often the precision may be doubled.

    Args:
        long: whether a short contour is quicker.
        below: a line in u = e^ε below δ, as height at the last ε and fall; None where none is known.
        spare: bits by which ε has to be finer than the precision, where digits cancel.
    """

    value: Callable[[arb], arb]
    method: str = "closed form"
    rounds: int = 10
    long: bool = False
    below: Callable[[], tuple[arb, arb] | None] = lambda: None
    spare: int = 0


Uses = Mapping["Law", int]
"""Laws, each with the number of its uses."""


class Law(ABC):
    """The loss L = log(dP/dQ) of one use under P, for a fixed order of P and Q; hashable. Balls are at the current precision."""

    decays: bool = False
    """Whether |M(c + iy)| falls like a normal density, so that the Bromwich line is short for every number of uses."""
    truncated: bool = False
    """Whether M is known for a law without its tails only: `factor` is told how much mass it may leave out."""
    by_parity: bool = False
    """Whether M is known for the swapped pair only."""
    epoch: bool = False
    """Whether one use is an epoch of random allocation."""
    whole: bool = True
    """Whether P and Q show the same outcomes, and `factor` has all of them."""
    atoms: AtomicLaw | None = None
    """The law in exact numbers, where it has atoms alone."""
    note: str = ""
    """What the description of a method adds: which pair it speaks about."""

    @abstractmethod
    def factor(self, steps: int, most: float = 0.0) -> ContourFactor:
        """M and its bounds, for so many uses; `most`: the mass that one use may leave out."""

    @abstractmethod
    def swapped(self) -> Law:
        """The law of (Q ‖ P)."""

    def largest_loss(self) -> Fraction | arb | None:
        """The largest finite loss: exactly where it is rational; None where there is none."""
        return None

    def lost_mass(self) -> Fraction | None:
        """P(L = ∞) exactly; None where only a ball is known."""
        return Fraction(0)

    def finite_mass(self) -> arb:
        """P(L < ∞)."""
        lost = self.lost_mass()
        assert lost is not None
        return exact_ball(1 - lost)

    def closed_form(self, uses: Uses) -> ClosedForm | None:
        """δ of a product in which this law occurs, where there is an expression for it."""
        return None

    def variance(self) -> arb | None:
        """v, where M(z) = e^{z(z+1)v/2}."""
        return None

    def expanded_ends(self, steps: int) -> ExpandedEnds | None:
        """M as a sum over the ends of the loss; None where there is no such expansion."""
        return None

    def top(self) -> TopEnd | None:
        """The law just below its largest loss; None where it is not known."""
        return None

    def approx_epsilon(self, log_target: float) -> tuple[float | Fraction, float] | None:
        """About ε(δ) for log δ = `log_target` and how fast log δ falls there; None where the saddle of M says so."""
        return None

    def listed(self, steps: int) -> OrderedUse | None:
        """The outcomes that both show and their exact losses, where `atoms` is not None."""
        return None


def only_use(uses: Uses) -> bool:
    """Whether a product is one use of one law."""
    return sum(uses.values()) == 1


FILES: Mapping[str, tuple[str, ...]] = {
    "AllocationPair": ("allocation.random_allocation",),
    "AtomicPair": ("atoms",),
    "ContinuousPair": ("density.user_densities",),
    "FixedSizePair": ("fixed_size",),
    "FormulaPair": ("formula",),
    "GaussianMixturePair": ("with_replacement",),
    "GaussianPair": ("gaussian",),
    "sampled GaussianPair": ("sampled_gaussian",),
    "LaplacePair": ("laplace",),
    "sampled LaplacePair": ("sampled_laplace",),
    "ShuffledPair": ("shuffled",),
    "SubstitutePair": ("sampled_gaussian",),
    "TruncatedPair": ("full_batches",),
    "WithReplacementPair": ("with_replacement",),
}
"""Each kind of pair that has a law, plain or sampled, and the files of this package that register its laws."""


@cache
def _import_laws(kinds: tuple[type, ...], how: str = "") -> None:
    """Import what registers laws for a kind of pair and for those that it is derived from."""
    for kind in kinds:
        for name in FILES.get(how + kind.__name__, ()):
            importlib.import_module(f"dpbounds.laws.{name}")


def law_of(pair: Any, reversed: bool) -> Law | None:
    """The law of a pair (P ‖ Q), or of (Q ‖ P) where `reversed`; None where P = Q.

    Raises:
        InputError: no law is known.
    """
    _import_laws(type(pair).__mro__)
    return registered_law(pair, reversed)


def sampled_law_of(base: Any, q: Exact, reversed: bool) -> Law | None:
    """The law of q·P₀ + (1−q)·Q₀ against Q₀, 0 < q < 1, for a base pair (P₀, Q₀); or the other way round.

    Raises:
        InputError: no law is known.
    """
    for how in ("", "sampled "):
        _import_laws(type(base).__mro__, how)
    return registered_sampled_law(base, q, reversed)


@singledispatch
def registered_law(pair: Any, reversed: bool) -> Law | None:
    """`law_of`, for kinds of pairs whose files are imported."""
    raise InputError(f"no certified delta is known for {type(pair).__name__}")


@singledispatch
def registered_sampled_law(base: Any, q: Exact, reversed: bool) -> Law | None:
    """`sampled_law_of`, for kinds of pairs whose files are imported."""
    raise InputError(f"no certified delta is known for a sampled {type(base).__name__}")


@registered_law.register(PoissonPair)
def _(pair: PoissonPair, reversed: bool) -> Law | None:
    return None if pair.q == 0 else sampled_law_of(pair.base, pair.q, reversed)


def rational(value: Exact, name: str = "value") -> Fraction:
    """The number as a Fraction, or an InputError."""
    if not isinstance(value, Fraction):
        raise InputError(f"{name} must be rational, got {value}; write it as a decimal or a fraction")
    return value
