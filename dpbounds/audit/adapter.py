"""What an accountant must offer to be audited: a few methods and what its authors promise.

This module and the adapters import nothing but the standard library and, when a question is asked, the accountant itself, so that they
run in an interpreter in which dpbounds is not installed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

Spec = Sequence[Mapping[str, Any]]
"""Parts of a composition, each with `sigma`, `laplace-scale` or `randomized-response`, `steps`, and for sampled ones `sampling` and `q`,
or `population` and `batch-size`. Numbers are floats and ints: exactly these are certified."""


class Promise(NamedTuple):
    """What a returned number is meant to be.

    Args:
        side: "upper", "lower", "interval" (a pair of bounds) or "estimate".
        error: of an estimate, the absolute error that its documentation states; None where it states none.
        relative: of an estimate, the relative error that its documentation states.
    """

    side: str
    error: float | None = None
    relative: float | None = None


UPPER = Promise("upper")
LOWER = Promise("lower")
INTERVAL = Promise("interval")


def estimate(error: float | None = None, relative: float | None = None) -> Promise:
    """A promise of an estimate; without a stated error it is listed and not judged."""
    return Promise("estimate", error, relative)


class Selftest(NamedTuple):
    """A value that the accountant must return before any verdict on it: a wrong adapter would accuse a sound package.

    Args:
        quantity, spec, argument: the question.
        value: what its documentation, its tests or a closed form say.
        within: largest absolute difference, such as half a unit of the last printed place.
        place: where the value is printed.
    """

    quantity: str
    spec: Spec
    argument: Any
    value: float
    within: float
    place: str


class Adapter:
    """An accountant under audit. Override the methods that it supports; None means that a question is not supported.

    Attributes:
        name: "package.method", unique.
        package: name of the installed distribution, for its version.
        imports: modules that are imported before the first question, so that their time is not counted.
        relation: the neighbouring relation of its answers.
        guarantee: quantity to `Promise`; a quantity without one is not asked.
        source: quantity to the sentence of the documentation that promises it, with its place.
        selftest: must pass before any verdict.
        tested: versions of the package with which the adapter was run.
        threads: upstream reports, as "quantity: link".
    """

    name: ClassVar[str] = ""
    package: ClassVar[str] = ""
    imports: ClassVar[Sequence[str]] = ()
    relation: ClassVar[str] = "add-or-remove"
    guarantee: ClassVar[Mapping[str, Promise]] = {}
    source: ClassVar[Mapping[str, str]] = {}
    selftest: ClassVar[Sequence[Selftest]] = ()
    tested: ClassVar[Sequence[str]] = ()
    threads: ClassVar[Sequence[str]] = ()

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """ε(δ), or a pair of bounds."""
        return None

    def delta(self, spec: Spec, epsilon: float) -> Any:
        """δ(ε), or a pair of bounds."""
        return None

    def rdp(self, spec: Spec, alpha: float) -> Any:
        """The Rényi divergence of order α of the whole composition."""
        return None

    def sigma(self, spec: Spec, target: Sequence[float]) -> Any:
        """The noise multiplier for the target (ε, δ); the one part of `spec` has no sigma."""
        return None

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """At most four lines of Python that need the package alone and print the value."""
        return ""


def gaussian_only(spec: Spec) -> bool:
    """Whether every part is Gaussian noise, plain or Poisson-sampled."""
    return all("sigma" in part and part.get("sampling", "none") in ("none", "poisson") for part in spec)


def plain_only(spec: Spec) -> bool:
    """Whether no part is sampled."""
    return all(part.get("sampling", "none") == "none" for part in spec)


def rate(part: Mapping[str, Any]) -> float:
    """The sampling rate of a part; 1 without sampling."""
    return float(part.get("q", 1.0))


def steps(part: Mapping[str, Any]) -> int:
    """The number of uses of a part."""
    return int(part.get("steps", 1))
