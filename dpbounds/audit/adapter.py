"""What an accountant must offer to be audited: a few methods and what its authors promise.

This module and the adapters import nothing but the standard library and, when a question is asked, the accountant itself, so that they
run in an interpreter in which dpbounds is not installed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

Spec = Sequence[Mapping[str, Any]]
"""Parts of a composition, each with `sigma`, `laplace-scale`, `randomized-response`, `discrete-laplace`, `discrete-gaussian` or `table`,
`steps`, and for sampled ones `sampling` and `q`, or `population` and `batch-size`. Adapters that nest also get parts with `parts` and
`steps`. Numbers are floats and ints: exactly these are certified."""
_BESIDE = frozenset((
    "steps", "parts", "unknown", "sampling", "q", "population", "batch-size", "batch-limit", "group", "bins", "epochs", "participations",
    "sensitivity", "answers", "failure", "centres", "weights",
))  # fmt: skip
"""The keys of a part that do not say which noise it has."""


class Promise(NamedTuple):
    """What a returned number is meant to be.

    Args:
        side: "upper", "lower", "interval" (a pair of bounds) or "estimate".
        error: of an estimate, the absolute error that its documentation states; None where it states none. Of a calibration, that in ε.
        relative: of an estimate, the relative error that its documentation states.
        noise: of a calibration, the absolute error in the noise multiplier that its documentation states.
    """

    side: str
    error: float | None = None
    relative: float | None = None
    noise: float | None = None


SIDES = ("upper", "lower", "interval", "estimate")
QUANTITIES = ("epsilon", "delta", "rdp", "sigma")
RELATIONS = ("add-or-remove", "add", "remove", "substitute")
"""Of "add" and "remove" only that direction is promised: a record added, or one removed."""
UPPER = Promise("upper")
LOWER = Promise("lower")
INTERVAL = Promise("interval")


def estimate(error: float | None = None, relative: float | None = None) -> Promise:
    """A promise of an estimate. Without a stated error, answers are listed and not judged.

    Args:
        error: the largest absolute error that the documentation states.
        relative: the largest relative error that it states.

    >>> estimate(error=0.01).side
    'estimate'
    """
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
        calibrates: which parameters `sigma` finds; questions about others than "sigma" name theirs as `unknown` in the part.
        nests: whether it can compose compositions; then a part may have `parts`, a composition that is used `steps` times.
        allocates: whether it knows random allocation; then a part may have `bins` and `epochs` beside the noise.
        noises: names of further noises that it knows, such as "skellam"; then a part may have one of them.
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
    calibrates: ClassVar[Sequence[str]] = ("sigma",)
    nests: ClassVar[bool] = False
    allocates: ClassVar[bool] = False
    noises: ClassVar[Sequence[str]] = ()

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
        """The noise multiplier for the target (ε, δ), or the parameter that the part calls `unknown`; the one part has no noise yet."""
        return None

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """At most four lines of Python that need the package alone and print the value."""
        return ""


class ScriptedAdapter(Adapter):
    """An adapter that writes each question as Python, so that a reproduction is what was asked.

    Attributes:
        head: the lines before each question, such as imports.
    """

    head: ClassVar[str] = ""

    def written(self, quantity: str, spec: Spec, argument: Any) -> str | None:
        """Lines of Python of which the last is the answer, an expression; None where the question is not supported."""
        return None

    def _answer(self, quantity: str, spec: Spec, argument: Any) -> Any:
        text = self.written(quantity, spec, argument)
        if text is None:
            return None
        before, _, answer = f"{self.head}\n{text}".rpartition("\n")
        names: dict[str, Any] = {}
        exec(before, names)  # noqa: S102, lines of the adapter, in the process of the accountant
        return eval(answer, names)  # noqa: S307

    def epsilon(self, spec: Spec, delta: float) -> Any:
        """What the lines for ε(δ) give."""
        return self._answer("epsilon", spec, delta)

    def delta(self, spec: Spec, epsilon: float) -> Any:
        """What the lines for δ(ε) give."""
        return self._answer("delta", spec, epsilon)

    def rdp(self, spec: Spec, alpha: float) -> Any:
        """What the lines for the Rényi divergence give."""
        return self._answer("rdp", spec, alpha)

    def sigma(self, spec: Spec, target: Sequence[float]) -> Any:
        """What the lines for the noise multiplier give."""
        return self._answer("sigma", spec, target)

    def reproduction(self, quantity: str, spec: Spec, argument: Any) -> str:
        """The same lines; the last one prints the answer."""
        before, _, answer = f"{self.head}\n{self.written(quantity, spec, argument)}".rpartition("\n")
        return f"{before}\nprint({answer})".lstrip("\n")


class Description(NamedTuple):
    """What the auditing side knows of an adapter, which may live in another interpreter; fields as in `Adapter`."""

    name: str
    package: str
    relation: str
    guarantee: Mapping[str, Promise]
    source: Mapping[str, str]
    selftest: Sequence[Selftest]
    tested: Sequence[str]
    threads: Sequence[str]
    calibrates: Sequence[str]
    nests: bool
    allocates: bool
    noises: Sequence[str]


def description_of(adapter: Any) -> Description:
    """The description of an adapter.

    Raises:
        ValueError: it says what has no meaning.
    """
    found = Description(*(getattr(adapter, name) for name in Description._fields))
    if reason := _misstated(found):
        raise ValueError(f"{adapter.name}: {reason}")
    return found


def _misstated(found: Description) -> str:
    """What is wrong with a description, "" where nothing is."""
    if not found.guarantee:
        return "it promises nothing; guarantee is missing"
    for quantity, promise in found.guarantee.items():
        if quantity not in QUANTITIES:
            return f"guarantee must be for {', '.join(QUANTITIES)}, got {quantity!r}"
        if not isinstance(promise, Promise) or promise.side not in SIDES:
            return f"the promise of {quantity} must be UPPER, LOWER, INTERVAL or estimate(...), got {promise!r}"
    if found.relation not in RELATIONS:
        return f"relation must be one of {', '.join(RELATIONS)}, got {found.relation!r}"
    for test in found.selftest:
        if not isinstance(test, Selftest) or test.quantity not in QUANTITIES:
            return f"a selftest is Selftest(quantity, spec, argument, value, within, place), got {test!r}"
    return ""


def read_description(fields: Mapping[str, Any]) -> Description:
    """A description after a passage through JSON."""
    promises = {quantity: Promise(*promise) for quantity, promise in fields["guarantee"].items()}
    tests = [Selftest(*test) for test in fields["selftest"]]
    return Description(**{**fields, "guarantee": promises, "selftest": tests})


GAUSSIAN: Spec = ({"sigma": 1.0, "steps": 1},)
_CLOSED = "closed form of the Gaussian mechanism (Balle & Wang 2018, Theorem 8)"
_SHARP = "the sharp conversion of Gaussian noise at σ = 1 (Canonne, Kamath & Steinke 2020)"


def closed_form(within: float, spec: Spec = GAUSSIAN, place: str = _CLOSED) -> Selftest:
    """ε at δ = 1e-5 of Gaussian noise with μ = 1, as an accountant of loss distributions returns it."""
    return Selftest("epsilon", spec, 1e-5, 4.3771780956811, within, place)


def sharp_conversion(within: float, spec: Spec = GAUSSIAN, place: str = _SHARP) -> Selftest:
    """The same by the sharp conversion of its Rényi divergences, as a Rényi accountant returns it."""
    return Selftest("epsilon", spec, 1e-5, 4.7284, within, place)


CENTRAL_LIMIT = Selftest(
    "epsilon", ({"sigma": 8.0, "sampling": "poisson", "q": 0.01, "steps": 1000},), 1e-5, 0.1424, 0.02, "the limit μ = q√(k(e^{1/σ²}−1))"
)
"""ε of many sampled uses, as an accountant by a central limit theorem returns it."""


def noises_of(spec: Spec) -> set[str]:
    """The kinds of noise in a spec, by their keys; of nested parts too.

    >>> sorted(noises_of([{"sigma": 1.0}, {"parts": [{"laplace-scale": 2.0}], "steps": 3}]))
    ['laplace-scale', 'sigma']
    """
    found: set[str] = set()
    for part in spec:
        found |= noises_of(part["parts"]) if "parts" in part else set(part) - _BESIDE
    return found


def samplings_of(spec: Spec) -> set[str]:
    """The kinds of sampling in a spec, "none" for what is not sampled."""
    return {kind for part in spec for kind in (samplings_of(part["parts"]) if "parts" in part else {part.get("sampling", "none")})}


def gaussian_only(spec: Spec) -> bool:
    """Whether every part is Gaussian noise, plain or Poisson-sampled, and none is nested."""
    return all("sigma" in part and part.get("sampling", "none") in ("none", "poisson") for part in spec)


def rate(part: Mapping[str, Any]) -> float:
    """The sampling rate of a part; 1 without sampling."""
    return float(part.get("q", 1.0))


SAMPLES = 100_000
"""Every rate of the grids is a whole number of so many samples: for accountants that ask for sizes instead of rates."""


def whole_batch(part: Mapping[str, Any]) -> int | None:
    """The batch size whose share of `SAMPLES` is exactly the sampling rate, None where there is none."""
    batch = round(rate(part) * SAMPLES)
    return batch if batch >= 1 and batch / SAMPLES == rate(part) else None


def steps(part: Mapping[str, Any]) -> int:
    """The number of uses of a part."""
    return int(part.get("steps", 1))


def history(spec: Spec) -> list[tuple[float, float, int]]:
    """(noise multiplier, rate, steps) of each part, as Opacus and those who follow it keep them."""
    return [(float(part["sigma"]), rate(part), steps(part)) for part in spec]


def composed_text(parts: Sequence[str], quantity: str, argument: Any) -> str:
    """ε or δ of the composition of privacy loss distributions that are written as Python.

    >>> composed_text(["one", "two"], "delta", 0.5)
    'one.compose(two).get_delta_for_epsilon(0.5)'
    """
    whole = parts[0] + "".join(f".compose({part})" for part in parts[1:])
    return f"{whole}.get_delta_for_epsilon({argument!r})" if quantity == "delta" else f"{whole}.get_epsilon_for_delta({argument!r})"
