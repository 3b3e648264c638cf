"""Mechanisms as frozen data: noise, sampling, repetition, composition.

A mechanism says what is done; `pairs.dominating_pairs` says which two distributions decide its privacy under
a relation and a direction. Parameters are exact (`exact.number`), and bad ones are refused when the object is built.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, Union

from dpbounds.errors import InputError
from dpbounds.mechanisms.pair_kinds import ContinuousPair, FinitePair, GaussianPair, LaplacePair, RandomizedResponsePair
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least, positive, probability, whole_at_least
from dpbounds.numbers.exact import Exact

if TYPE_CHECKING:
    import sympy

    from dpbounds.mechanisms.pair import Pair
    from dpbounds.mechanisms.results import PrivacyResult


Choice = TypeVar("Choice", bound=StrEnum)


class Relation(StrEnum):
    """When two data sets are neighbours.

    >>> Relation("substitute").name
    'SUBSTITUTE'
    """

    ADD_OR_REMOVE = "add-or-remove"
    SUBSTITUTE = "substitute"


class Direction(StrEnum):
    """Which of the two distributions is the upper one; names as in dp_accounting.

    >>> [direction.value for direction in Direction]
    ['remove', 'add', 'worst', 'symmetric']
    """

    REMOVE = "remove"
    """(with the record ‖ without)"""
    ADD = "add"
    """(without the record ‖ with)"""
    WORST = "worst"
    """the larger of both"""
    SYMMETRIC = "symmetric"
    """substitution: the pair is its own mirror image, or both orders are covered"""


class Guarantee(StrEnum):
    """What a number speaks about.

    >>> Guarantee.PAIR == "pair"
    True
    """

    MECHANISM = "mechanism"
    """a privacy statement about the mechanism, for every pair of neighbouring data sets"""
    PAIR = "pair"
    """the published pair of distributions only"""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a mechanism as users give it.

    Args:
        key: its name in specifications; on the command line `--key`.
        attribute: its name in Python.
        metavar, help: for the command line.
        default: the value when it is not given; None: it must be.
        flag: whether it takes no value on the command line.
        bare: the value on the command line where the name stands alone; empty: it needs one.
    """

    key: str
    attribute: str
    metavar: str = ""
    help: str = ""
    default: int | None = None
    flag: bool = False
    bare: str = ""

    @property
    def on_command_line(self) -> bool:
        """Whether the command line takes it; tables and densities are given in files or in Python."""
        return bool(self.help)


SENSITIVITY = Parameter(
    "sensitivity", "sensitivity", "D", "Sensitivity of a count with discrete noise, an integer D >= 1; default 1.", default=1
)


class Noise:
    """Base of the mechanisms that answer one query; `dpbounds.mechanisms.registry` lists them all, and what each of them must have.

    The first of `parameters` names the mechanism in specifications and on the command line.
    """

    parameters: ClassVar[tuple[Parameter, ...]]
    readable: ClassVar[bool] = True
    """Whether specifications can be read back."""
    event_names: ClassVar[tuple[str, ...]] = ()
    """The classes of dp_accounting events that describe it."""
    no_certificate: ClassVar[str] = ""
    """Why its values have no certificate for the small checker; empty where they may have."""
    default_relation: ClassVar[Relation] = Relation.ADD_OR_REMOVE
    """The relation that is meant where none is given."""
    example: ClassVar[Mapping[str, Any]] = {}
    """A specification for tests and tables."""
    optional: ClassVar[frozenset[str]] = frozenset()
    """Parameters without a numeric default that need not be given."""
    takes: ClassVar[frozenset[str]] = frozenset()
    """Keys of other noises and of runs that are its own where it is named, such as the steps of a whole run; it takes no others then."""

    @property
    def noise(self) -> Noise:
        """The noise itself, as of a sampled mechanism its base."""
        return self

    def counted_parts(self, steps: int = 1) -> Iterator[tuple[Noise | Sampled, int]]:
        """Itself, `steps` times: see `Composed.counted_parts`."""
        yield self, steps

    def pair(self, relation: Relation) -> Pair:
        """The pair that dominates one use."""
        raise InputError(f"no dominating pair is known for {type(self).__name__}")

    def alternatives(self) -> tuple[tuple[Pair, ...], Guarantee] | None:
        """The pairs of which the largest value is meant, and what it guarantees; None where `pair` has the one pair."""
        return None

    @property
    def adjacency(self) -> str:
        """Which neighbours a value compares, where it is not a relation that is asked for."""
        return ""

    @property
    def beside(self) -> Noise | None:
        """A mechanism whose value stands beside that of a bound."""
        return None

    def described(self, result: PrivacyResult) -> dict[str, Any]:
        """What the JSON document of a result says besides."""
        return {}

    def lines(self, result: PrivacyResult) -> list[str]:
        """The text of a result where it is not the usual one."""
        return []

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The keys that name it in specifications."""
        return (cls.parameters[0].key,)

    @classmethod
    def from_spec(cls, given: Mapping[str, Any]) -> Self:
        """Read the parameters that are given."""
        return cls(**{parameter.attribute: given[parameter.key] for parameter in cls.parameters if parameter.key in given})

    def to_spec(self) -> dict[str, Any]:
        """Write the parameters, without those that have their default."""
        values = {parameter.key: (getattr(self, parameter.attribute), parameter.default) for parameter in self.parameters}
        return {key: value if isinstance(value, int) else exact.text(value) for key, (value, default) in values.items() if value != default}

    def event(self) -> tuple[str, dict[str, Any]] | None:
        """The class of dp_accounting and its fields that bound it, where `events` has no writer for it; None where none does."""
        return None

    @classmethod
    def from_event(cls, event: Any) -> Self:
        """Read a dp_accounting event named in `event_names`."""
        raise InputError(f"{type(event).__name__} does not describe {cls.__name__}")


@dataclass(frozen=True)
class Gaussian(Noise):
    """Gaussian noise of standard deviation `sigma` times the sensitivity.

    Args:
        sigma: noise multiplier σ > 0.

    >>> Gaussian("1.5")
    Gaussian(sigma=Fraction(3, 2))
    """

    sigma: Exact

    def __init__(self, sigma: exact.Number) -> None:
        object.__setattr__(self, "sigma", positive(sigma, "sigma (the noise multiplier)"))

    parameters = (Parameter("sigma", "sigma", "S", "Gaussian noise: noise multiplier S > 0."),)
    event_names = ("GaussianDpEvent",)

    def pair(self, relation: Relation) -> Pair:
        """N(1, σ²) against N(0, σ²); a substitution moves the query by up to two records of norm 1, so σ is halved."""
        return GaussianPair(self.sigma / 2 if relation is Relation.SUBSTITUTE else self.sigma)

    @classmethod
    def from_event(cls, event: Any) -> Self:
        """The noise multiplier is the standard deviation over the sensitivity."""
        return cls(event.noise_multiplier)


@dataclass(frozen=True)
class Laplace(Noise):
    """Laplace noise of scale `scale` times the sensitivity; pure ε = 1/scale.

    Args:
        scale: b > 0.

    >>> Laplace("0.5").to_spec()
    {'laplace-scale': '0.5'}
    """

    scale: Exact

    def __init__(self, scale: exact.Number) -> None:
        object.__setattr__(self, "scale", positive(scale, "laplace scale"))

    parameters = (Parameter("laplace-scale", "scale", "B", "Laplace noise of scale B > 0 (pure epsilon 1/B)."),)
    event_names = ("LaplaceDpEvent",)

    def pair(self, relation: Relation) -> Pair:
        """Laplace(1, b) against Laplace(0, b); a substitution moves the query twice as far."""
        return LaplacePair(self.scale / 2 if relation is Relation.SUBSTITUTE else self.scale)

    @classmethod
    def from_event(cls, event: Any) -> Self:
        """The noise multiplier is the scale over the sensitivity."""
        return cls(event.noise_multiplier)


@dataclass(frozen=True)
class RandomizedResponse(Noise):
    """One of n answers, the true one with probability e^ε/(n−1+e^ε), each other one with probability 1/(n−1+e^ε).

    Args:
        epsilon: ε ≥ 0.
        answers: n ≥ 2.

    >>> RandomizedResponse(1).answers
    2
    """

    epsilon: Exact
    answers: int = 2

    def __init__(self, epsilon: exact.Number, answers: exact.Number = 2) -> None:
        object.__setattr__(self, "epsilon", at_least(epsilon, 0, "randomized-response epsilon"))
        object.__setattr__(self, "answers", whole_at_least(answers, 2, "answers of randomized response"))

    parameters = (
        Parameter("randomized-response", "epsilon", "E", "Randomized response with pure epsilon E >= 0."),
        Parameter("answers", "answers", "N", "Possible answers of randomized response, N >= 2; default 2.", default=2),
    )
    event_names = ("RandomizedResponseDpEvent",)

    def pair(self, relation: Relation) -> Pair:
        """The true answer differs; others are answered alike."""
        return RandomizedResponsePair(self.epsilon, self.answers)

    @classmethod
    def from_event(cls, event: Any) -> Self:
        """Truth with probability 1 − p, else uniform over the n buckets: e^ε = (n − (n−1)p)/p."""
        p, buckets = exact.rational(event.noise_parameter, "noise_parameter"), exact.integer(event.num_buckets, "num_buckets")
        if not 0 < p <= 1:
            raise InputError(f"randomized response needs a noise parameter in (0, 1], got {exact.text(p)}")
        if buckets < 2:
            raise InputError(f"randomized response needs at least 2 buckets, got {buckets}")
        return cls(f"log({(buckets - (buckets - 1) * p) / p})" if p < 1 else 0, buckets)


@dataclass(frozen=True)
class FiniteTable(Noise):
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

    parameters = (Parameter("table", "p"),)

    def pair(self, relation: Relation) -> Pair:
        """The table itself."""
        return FinitePair(self.p, self.q)

    @classmethod
    def from_spec(cls, given: Mapping[str, Any]) -> Self:
        """An object {"p": [...], "q": [...]}."""
        value = given["table"]
        if not isinstance(value, Mapping) or set(value) != {"p", "q"} or not all(isinstance(row, Sequence) for row in value.values()):
            raise InputError('a table must be an object {"p": [...], "q": [...]} of two rows of probabilities')
        return cls(value["p"], value["q"])

    def to_spec(self) -> dict[str, Any]:
        """Both rows."""
        return {"table": {"p": [exact.text(value) for value in self.p], "q": [exact.text(value) for value in self.q]}}


@dataclass(frozen=True)
class DensityPair(Noise):
    """A mechanism given by two densities of the user's, as sympy expressions in one real variable.

    Args:
        p: density with the record, q: density without it, both ≥ 0 and of integral 1 on `support`.
        variable: the sympy symbol integrated over.
        support: (low, high), sympy numbers or ±oo.

    >>> import sympy
    >>> x = sympy.Symbol("x", real=True)
    >>> DensityPair(2 * x, sympy.Integer(1), x, (0, 1)).support
    (0, 1)
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

    parameters = (Parameter("densities", "p"),)
    readable = False

    def pair(self, relation: Relation) -> Pair:
        """The densities themselves."""
        return ContinuousPair(self)

    def to_spec(self) -> dict[str, Any]:
        """The expressions as text, for people; they are not read back."""
        low, high = self.support
        return {"densities": {"p": str(self.p), "q": str(self.q), "variable": str(self.variable), "support": [str(low), str(high)]}}


class Sampling(ABC):
    """Base of the ways to choose the records of a batch."""

    relation: ClassVar[Relation] = Relation.ADD_OR_REMOVE
    """The relation that is meant where none is given."""
    participations: int = 1
    """How often a record takes part in what counts as one use."""

    @abstractmethod
    def to_spec(self, steps: int) -> dict[str, Any]:
        """The keys of a specification that say so, with the number of uses."""


@dataclass(frozen=True)
class PoissonSampling(Sampling):
    """Every record takes part independently with probability `q`.

    Args:
        q: sampling rate, 0 ≤ q ≤ 1.

    >>> PoissonSampling("0.01").to_spec(500)
    {'sampling': 'poisson', 'q': '0.01', 'steps': 500}
    """

    q: Exact

    def __init__(self, q: exact.Number) -> None:
        object.__setattr__(self, "q", probability(q, "q (the sampling rate)"))

    def to_spec(self, steps: int) -> dict[str, Any]:
        """The rate."""
        return {"sampling": "poisson", "q": exact.text(self.q), "steps": steps}


@dataclass(frozen=True)
class GroupPoissonSampling(Sampling):
    """Poisson sampling seen by a group: `group` records, those of a user, say, are added or removed at once.

    Args:
        q: sampling rate of every record, 0 ≤ q ≤ 1.
        group: g ≥ 1.

    >>> GroupPoissonSampling("0.01", 5).group
    5
    """

    q: Exact
    group: int

    def __init__(self, q: exact.Number, group: exact.Number) -> None:
        object.__setattr__(self, "q", probability(q, "q (the sampling rate)"))
        object.__setattr__(self, "group", whole_at_least(group, 1, "group (records added or removed at once)"))

    def to_spec(self, steps: int) -> dict[str, Any]:
        """The rate and the group."""
        return {"sampling": "poisson", "q": exact.text(self.q), "group": self.group, "steps": steps}


@dataclass(frozen=True)
class TruncatedPoissonSampling(Sampling):
    """A Poisson sample that is cut to a uniform subset of `limit` records where it has more.

    Args:
        q: sampling rate, 0 ≤ q ≤ 1, rational.
        population: n ≥ 1, the records of the data set with the one that differs.
        limit: b ≥ 1.

    Source: arXiv 2508.15089 for the scheme.

    >>> TruncatedPoissonSampling("0.01", 1000, 20).to_spec(1)["batch-limit"]
    20
    """

    q: Fraction
    population: int
    limit: int

    def __init__(self, q: exact.Number, population: exact.Number, limit: exact.Number) -> None:
        rate = exact.rational(q, "q (the sampling rate)")
        probability(rate, "q (the sampling rate)")
        object.__setattr__(self, "q", rate)
        object.__setattr__(self, "population", whole_at_least(population, 1, "population"))
        object.__setattr__(self, "limit", whole_at_least(limit, 1, "batch-limit"))

    def to_spec(self, steps: int) -> dict[str, Any]:
        """The rate, the records and the limit."""
        numbers = {"q": exact.text(self.q), "population": self.population, "batch-limit": self.limit}
        return {"sampling": "truncated-poisson", **numbers, "steps": steps}


@dataclass(frozen=True)
class FixedSizeSampling(Sampling):
    """A uniform batch of fixed size, drawn without replacement; q = batch/population.

    Args:
        population: n ≥ 1, the number of records.
        batch: 1 ≤ m ≤ n, the records of a batch.

    Raises:
        InputError: numbers that are not whole, or out of range.

    >>> FixedSizeSampling(60000, 256).q
    Fraction(8, 1875)
    """

    population: int
    batch: int

    def __post_init__(self) -> None:
        _check_batch(self.population, self.batch, at_most_population=True)

    @property
    def q(self) -> Fraction:
        """The probability that a given record takes part."""
        return Fraction(self.batch, self.population)

    relation = Relation.SUBSTITUTE

    def to_spec(self, steps: int) -> dict[str, Any]:
        """The records and those of a batch."""
        return _batches("without-replacement", self, steps)


@dataclass(frozen=True)
class WithReplacementSampling(Sampling):
    """A batch of independent uniform draws: a record may occur in it several times.

    Args:
        population: n ≥ 1, the number of records.
        batch: m ≥ 1, the number of draws.

    Raises:
        InputError: numbers that are not whole, or out of range.

    >>> WithReplacementSampling(1000, 20).batch
    20
    """

    population: int
    batch: int

    def __post_init__(self) -> None:
        _check_batch(self.population, self.batch, at_most_population=False)

    relation = Relation.SUBSTITUTE

    def to_spec(self, steps: int) -> dict[str, Any]:
        """The records and the draws."""
        return _batches("with-replacement", self, steps)


def _batches(name: str, sampling: FixedSizeSampling | WithReplacementSampling, steps: int) -> dict[str, Any]:
    return {"sampling": name, "population": sampling.population, "batch-size": sampling.batch, "steps": steps}


@dataclass(frozen=True)
class RandomAllocation(Sampling):
    """One epoch of `bins` steps; every record takes part in `participations` of them, a uniform set drawn independently of other records.

    Args:
        bins: t ≥ 1, the steps of an epoch.
        participations: 1 ≤ k ≤ t; more than one has an upper bound only (`dpbounds.mechanisms.pairs.AllocationPair`).

    >>> RandomAllocation(1000)
    RandomAllocation(bins=1000, participations=1)
    """

    bins: int
    participations: int

    def __init__(self, bins: exact.Number, participations: exact.Number = 1) -> None:
        object.__setattr__(self, "bins", whole_at_least(bins, 1, "bins (the steps of an epoch)"))
        object.__setattr__(self, "participations", exact.integer(participations, "participations"))
        if not 1 <= self.participations <= self.bins:
            raise InputError(f"participations must be between 1 and bins = {self.bins}, got {self.participations}")

    def to_spec(self, steps: int) -> dict[str, Any]:
        """The bins, and how many epochs."""
        several = {"participations": self.participations} if self.participations > 1 else {}
        return {"sampling": "random-allocation", "bins": self.bins, "epochs": steps, **several}


@dataclass(frozen=True)
class Sampled:
    """A mechanism run on a random batch of the data.

    >>> Sampled(Gaussian(2), PoissonSampling("0.01")).sampling.q
    Fraction(1, 100)
    """

    base: Noise
    sampling: Sampling

    def __post_init__(self) -> None:
        if not isinstance(self.base, Noise):
            raise InputError(f"sampling applies to one noise mechanism, got {type(self.base).__name__}; sample it before composing")
        if not isinstance(self.sampling, Sampling):
            raise InputError(
                f"sampling must be one of the samplings of dpbounds.mechanisms, such as PoissonSampling, got {self.sampling!r}"
            )

    @property
    def noise(self) -> Noise:
        """The noise that is sampled."""
        return self.base

    @property
    def default_relation(self) -> Relation:
        """The relation that is meant where none is given: that of the sampling."""
        return self.sampling.relation

    def counted_parts(self, steps: int = 1) -> Iterator[tuple[Noise | Sampled, int]]:
        """Itself, `steps` times: see `Composed.counted_parts`."""
        yield self, steps


@dataclass(frozen=True)
class Repeated:
    """`steps` adaptive uses of one mechanism.

    Args:
        steps: k ≥ 1.

    >>> Repeated(Gaussian(2), 100).steps
    100
    """

    mechanism: Mechanism
    steps: int

    def __init__(self, mechanism: Mechanism, steps: exact.Number) -> None:
        object.__setattr__(self, "mechanism", _mechanism(mechanism))
        object.__setattr__(self, "steps", whole_at_least(steps, 1, "steps"))

    def counted_parts(self, steps: int = 1) -> Iterator[tuple[Noise | Sampled, int]]:
        """What is repeated, so many times: see `Composed.counted_parts`."""
        yield from self.mechanism.counted_parts(steps * self.steps)


def repeated(mechanism: Mechanism, steps: int) -> Mechanism:
    """Adaptive uses of a mechanism; one use is the mechanism itself.

    >>> repeated(Gaussian(1), 1) == Gaussian(1)
    True
    """
    return mechanism if steps == 1 else Repeated(mechanism, steps)


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

    def counted_parts(self, steps: int = 1) -> Iterator[tuple[Noise | Sampled, int]]:
        """Each noise or sampled noise of the parts, in order, with the number of its uses where the whole is used `steps` times.

        >>> [(type(part).__name__, count) for part, count in Composed((Gaussian(1), Repeated(Laplace(2), 3))).counted_parts(2)]
        [('Gaussian', 2), ('Laplace', 6)]
        """
        for part in self.parts:
            yield from part.counted_parts(steps)


Mechanism = Union[Noise, Sampled, Repeated, Composed]


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
    """Read a finite probability distribution exactly: rational entries ≥ 0 that sum to 1.

    Args:
        values: the probabilities; numbers as `numbers.exact.number` reads them.
        name: how error messages call the distribution.

    Raises:
        InputError: no list, an entry that is negative or not rational, or a sum other than 1.

    >>> distribution(["1/3", "2/3"])
    (Fraction(1, 3), Fraction(2, 3))
    """
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
    if not isinstance(value, (Noise, Sampled, Repeated, Composed)):
        raise InputError(f"only mechanisms can be repeated or composed, got {value!r}")
    return value


def _check_batch(population: int, batch: int, *, at_most_population: bool) -> None:
    for name, value in (("population", population), ("batch size", batch)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise InputError(f"{name} must be an integer >= 1, got {value!r}")
    if at_most_population and batch > population:
        raise InputError(f"batch size must be at most the population {population}, got {batch}")


def no_certificate(mechanism: Mechanism) -> str:
    """Why values of it have no certificate for the small checker, by the first of its noises that says so; empty where none does.

    >>> no_certificate(Gaussian(1))
    ''
    """
    return next(filter(None, (part.noise.no_certificate for part, _ in mechanism.counted_parts())), "")
