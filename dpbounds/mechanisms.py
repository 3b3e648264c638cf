"""Mechanisms as frozen data: noise, sampling, repetition, composition.

A mechanism says what is done; `pairs.dominating_pairs` says which two distributions decide its privacy under
a relation and a direction. Parameters are exact (`exact.number`), and bad ones are refused when the object is built.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar, Union

from dpbounds import exact
from dpbounds.errors import InputError
from dpbounds.exact import Exact

if TYPE_CHECKING:
    import sympy


Choice = TypeVar("Choice", bound=StrEnum)


class Relation(StrEnum):
    """When two data sets are neighbours."""

    ADD_OR_REMOVE = "add-or-remove"
    SUBSTITUTE = "substitute"


class Direction(StrEnum):
    """Which of the two distributions is the upper one; names as in dp_accounting."""

    REMOVE = "remove"
    """(with the record ‖ without)"""
    ADD = "add"
    """(without the record ‖ with)"""
    WORST = "worst"
    """the larger of both"""
    SYMMETRIC = "symmetric"
    """substitution: the pair is its own mirror image, or both orders are covered"""


class Guarantee(StrEnum):
    """What a number speaks about."""

    MECHANISM = "mechanism"
    """a privacy statement about the mechanism, for every pair of neighbouring data sets"""
    PAIR = "pair"
    """the published pair of distributions only"""


@dataclass(frozen=True)
class Gaussian:
    """Gaussian noise of standard deviation `sigma` times the sensitivity.

    Args:
        sigma: noise multiplier σ > 0.

    >>> Gaussian("1.5")
    Gaussian(sigma=Fraction(3, 2))
    """

    sigma: Exact

    def __init__(self, sigma: exact.Number) -> None:
        object.__setattr__(self, "sigma", positive(sigma, "sigma (the noise multiplier)"))


@dataclass(frozen=True)
class Laplace:
    """Laplace noise of scale `scale` times the sensitivity; pure ε = 1/scale.

    Args:
        scale: b > 0.
    """

    scale: Exact

    def __init__(self, scale: exact.Number) -> None:
        object.__setattr__(self, "scale", positive(scale, "laplace scale"))


@dataclass(frozen=True)
class RandomizedResponse:
    """A bit reported truthfully with probability e^ε/(1+e^ε).

    Args:
        epsilon: ε ≥ 0.
    """

    epsilon: Exact

    def __init__(self, epsilon: exact.Number) -> None:
        object.__setattr__(self, "epsilon", at_least(epsilon, 0, "randomized-response epsilon"))


@dataclass(frozen=True)
class FiniteTable:
    """A mechanism given by its two output distributions on finitely many outcomes.

    Args:
        p: probabilities of the outcomes with the record (rational, ≥ 0, sum 1).
        q: probabilities without it, same length.

    >>> FiniteTable(["2/3", "1/3"], ["1/3", "2/3"]).p
    (Fraction(2, 3), Fraction(1, 3))
    """

    p: tuple[Fraction, ...]
    q: tuple[Fraction, ...]

    def __init__(self, p: object, q: object) -> None:
        for name, values in (("p", p), ("q", q)):
            object.__setattr__(self, name, distribution(values, f"finite table, {name}"))
        if len(self.p) != len(self.q):
            raise InputError(f"the two rows of a finite table must have one length, got {len(self.p)} and {len(self.q)}")


@dataclass(frozen=True)
class DensityPair:
    """A mechanism given by two densities of the user's, as sympy expressions in one real variable.

    Args:
        p: density with the record, q: density without it, both ≥ 0 and of integral 1 on `support`.
        variable: the sympy symbol integrated over.
        support: (low, high), sympy numbers or ±oo.
    """

    p: sympy.Expr
    q: sympy.Expr
    variable: sympy.Symbol
    support: tuple[sympy.Expr, sympy.Expr]

    def __init__(self, p: sympy.Expr, q: sympy.Expr, variable: sympy.Symbol, support: tuple[object, object] | None = None) -> None:
        import sympy

        if not isinstance(variable, sympy.Symbol):
            raise InputError(f"the variable of a density pair must be a sympy Symbol, got {variable!r}")
        low, high = (_expression(end, "an end of the support") for end in ((-sympy.oo, sympy.oo) if support is None else support))
        if low.free_symbols or high.free_symbols or (low < high) is not sympy.true:
            raise InputError(f"the support of a density pair must be an interval with closed ends, got ({low}, {high})")
        for name, value in (("p", p), ("q", q)):
            density = _expression(value, f"density {name}")
            extra = sorted(map(str, density.free_symbols - {variable}))
            if extra:
                raise InputError(f"density {name} contains {', '.join(extra)} besides its variable {variable}")
            object.__setattr__(self, name, density)
        object.__setattr__(self, "variable", variable)
        object.__setattr__(self, "support", (low, high))


@dataclass(frozen=True)
class PoissonSampling:
    """Every record takes part independently with probability `q`.

    Args:
        q: sampling rate, 0 ≤ q ≤ 1.
    """

    q: Exact

    def __init__(self, q: exact.Number) -> None:
        object.__setattr__(self, "q", probability(q, "q (the sampling rate)"))


@dataclass(frozen=True)
class FixedSizeSampling:
    """A uniform batch of `batch` out of `population` records, without replacement; q = batch/population."""

    population: int
    batch: int

    def __post_init__(self) -> None:
        _check_batch(self.population, self.batch, at_most_population=True)

    @property
    def q(self) -> Fraction:
        """The probability that a given record takes part."""
        return Fraction(self.batch, self.population)


@dataclass(frozen=True)
class WithReplacementSampling:
    """`batch` independent uniform draws from `population` records."""

    population: int
    batch: int

    def __post_init__(self) -> None:
        _check_batch(self.population, self.batch, at_most_population=False)


@dataclass(frozen=True)
class RandomAllocation:
    """One epoch of `bins` steps; every record takes part in `participations` of them, a uniform set drawn independently of other records.

    Args:
        bins: t ≥ 1, the steps of an epoch.
        participations: 1 ≤ k ≤ t; more than one has an upper bound only (`dpbounds.pairs.AllocationPair`).

    >>> RandomAllocation(1000)
    RandomAllocation(bins=1000, participations=1)
    """

    bins: int
    participations: int

    def __init__(self, bins: exact.Number, participations: exact.Number = 1) -> None:
        object.__setattr__(self, "bins", exact.integer(bins, "bins (the steps of an epoch)"))
        object.__setattr__(self, "participations", exact.integer(participations, "participations"))
        if self.bins < 1:
            raise InputError(f"bins (the steps of an epoch) must be at least 1, got {self.bins}")
        if not 1 <= self.participations <= self.bins:
            raise InputError(f"participations must be between 1 and bins = {self.bins}, got {self.participations}")


Sampling = Union[PoissonSampling, FixedSizeSampling, WithReplacementSampling, RandomAllocation]
Noise = Union[Gaussian, Laplace, RandomizedResponse, FiniteTable, DensityPair]


@dataclass(frozen=True)
class Sampled:
    """A mechanism run on a random batch of the data.

    >>> Sampled(Gaussian(2), PoissonSampling("0.01")).sampling.q
    Fraction(1, 100)
    """

    base: Noise
    sampling: Sampling

    def __post_init__(self) -> None:
        if not isinstance(self.base, (Gaussian, Laplace, RandomizedResponse, FiniteTable, DensityPair)):
            raise InputError(f"sampling applies to one noise mechanism, got {type(self.base).__name__}; sample it before composing")
        if not isinstance(self.sampling, (PoissonSampling, FixedSizeSampling, WithReplacementSampling, RandomAllocation)):
            raise InputError(
                f"sampling must be PoissonSampling, FixedSizeSampling, WithReplacementSampling or RandomAllocation, got {self.sampling!r}"
            )


@dataclass(frozen=True)
class Repeated:
    """`steps` adaptive uses of one mechanism.

    Args:
        steps: k ≥ 1.
    """

    mechanism: Mechanism
    steps: int

    def __init__(self, mechanism: Mechanism, steps: exact.Number) -> None:
        count = exact.integer(steps, "steps")
        if count < 1:
            raise InputError(f"steps must be at least 1, got {count}")
        object.__setattr__(self, "mechanism", _mechanism(mechanism))
        object.__setattr__(self, "steps", count)


@dataclass(frozen=True)
class Composed:
    """The adaptive composition of several mechanisms.

    >>> Composed((Gaussian(1), Repeated(Laplace(2), 3))).parts[1].steps
    3
    """

    parts: tuple[Mechanism, ...]

    def __init__(self, parts: object) -> None:
        if not isinstance(parts, Iterable):
            raise InputError(f"a composition needs a sequence of mechanisms, got {type(parts).__name__}")
        collected = tuple(_mechanism(part) for part in parts)
        if not collected:
            raise InputError("a composition needs at least one mechanism")
        object.__setattr__(self, "parts", collected)


Mechanism = Union[Gaussian, Laplace, RandomizedResponse, FiniteTable, DensityPair, Sampled, Repeated, Composed]


def member(kind: type[Choice], value: Choice | str, name: str) -> Choice:
    """Read a member of an enumeration, or its value.

    >>> member(Direction, "add", "direction")
    <Direction.ADD: 'add'>
    """
    try:
        return kind(value)
    except ValueError:
        raise InputError(f"{name} must be one of {', '.join(kind)}, got {value!r}") from None


def distribution(values: object, name: str = "distribution") -> tuple[Fraction, ...]:
    """Read a finite probability distribution exactly: rational entries ≥ 0 that sum to 1."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{name} must be a list of probabilities, got {values!r}")
    entries = tuple(exact.rational(value, name) for value in values)
    if not entries:
        raise InputError(f"{name} must have at least one outcome")
    if any(entry < 0 for entry in entries):
        raise InputError(f"{name} must have entries >= 0, got {exact.text(min(entries))}")
    if sum(entries) != 1:
        raise InputError(f"{name} must sum to 1, got {exact.text(Fraction(sum(entries)))}; write thirds as '1/3', not 0.333")
    return entries


def positive(value: exact.Number, name: str) -> Exact:
    """Read an exact number > 0."""
    result = exact.number(value, name)
    if not _is_true(result > 0):
        raise InputError(f"{name} must be > 0, got {exact.text(result)}")
    return result


def at_least(value: exact.Number, least: int, name: str) -> Exact:
    """Read an exact number ≥ `least`."""
    result = exact.number(value, name)
    if not _is_true(result >= least):
        raise InputError(f"{name} must be >= {least}, got {exact.text(result)}")
    return result


def between(value: exact.Number, low: int, high: int, name: str) -> Exact:
    """Read an exact number strictly between two integers."""
    result = exact.number(value, name)
    if not (_is_true(result > low) and _is_true(result < high)):
        raise InputError(f"{name} must lie strictly between {low} and {high}, got {exact.text(result)}")
    return result


def probability(value: exact.Number, name: str) -> Exact:
    """Read an exact number in [0, 1]."""
    result = exact.number(value, name)
    if not (_is_true(result >= 0) and _is_true(result <= 1)):
        raise InputError(f"{name} must lie in [0, 1], got {exact.text(result)}")
    return result


def _expression(value: object, name: str) -> sympy.Expr:
    import sympy

    try:
        expression = sympy.sympify(value)
    except (sympy.SympifyError, TypeError):
        expression = None
    if not isinstance(expression, sympy.Expr):
        raise InputError(f"{name} must be a sympy expression, got {value!r}")
    return expression


def _mechanism(value: object) -> Mechanism:
    if not isinstance(value, (Gaussian, Laplace, RandomizedResponse, FiniteTable, DensityPair, Sampled, Repeated, Composed)):
        raise InputError(f"only mechanisms can be repeated or composed, got {value!r}")
    return value


def _is_true(comparison: object) -> bool:
    """The truth of a comparison of exact numbers; sympy leaves it open when it cannot tell two numbers apart."""
    if comparison not in (True, False):
        raise InputError(f"cannot decide whether {comparison}; pass a rational number")
    return bool(comparison)


def _check_batch(population: int, batch: int, *, at_most_population: bool) -> None:
    for name, value in (("population", population), ("batch size", batch)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise InputError(f"{name} must be an integer >= 1, got {value!r}")
    if at_most_population and batch > population:
        raise InputError(f"batch size must be at most the population {population}, got {batch}")
