"""Messages of n users in random order: the mechanism, and the pairs whose values are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from dpbounds.errors import InputError
from dpbounds.mechanisms import Guarantee, Noise, Parameter, RandomizedResponse, Relation
from dpbounds.mechanisms.exact_loss import ExactLoss
from dpbounds.mechanisms.pair import Pair
from dpbounds.numbers import exact
from dpbounds.numbers.domains import positive, whole_at_least
from dpbounds.numbers.exact import Exact

if TYPE_CHECKING:
    from dpbounds.mechanisms.results import PrivacyResult

WORST_KNOWN, ANY = "worst-known", "any"
OTHERS = {"0": "all others hold 0", "1": "all others hold 1", "third": "all others hold a third symbol"}
DATA = OTHERS | {ANY: "any data of the others: an upper bound, the privacy blanket"}
"""What the other users hold; the one user's input changes from 0 to 1, so that they hold its old symbol, its new one, or neither."""
RANDOMIZERS = {"response": "local-epsilon", "laplace": "local-epsilon", "gaussian": "local-sigma"}
"""k-ary randomized response; Laplace noise of scale 1/ε₀ or Gaussian noise on an input in [0, 1]; and the parameter of each."""
MOST_USERS = 10**9
MOST_FOR_THIRD = 1_000_000
"""Users up to which a third symbol of more than three is among the data that are known quickly."""
MOST_LOCAL_EPSILON = 100


@dataclass(frozen=True)
class Shuffled(Noise):
    """n users randomize their own inputs, a shuffler permutes the messages, and one user's input changes.

    Args:
        users: 1 ≤ n ≤ 10⁹.
        parameter: ε₀ > 0 of the local randomizer, at most 100; the standard deviation σ > 0 of a Gaussian one.
        answers: k ≥ 2, the symbols of randomized response.
        others: "0", "1" or "third": the exact value for those data of the others; "worst-known": the largest of these;
            "any": an upper bound for all data of the others, the privacy blanket. A third symbol of more than three counts among these
            up to 1,000,000 users; every result names its data.
        randomizer: "response", "laplace" or "gaussian"; the last two have the blanket only.

    Raises:
        InputError: a parameter out of its range, or data of the others for which no value is known.

    Source: Cheu, Smith, Ullman, Zeber & Zhilyaev 2019 for the model; Balle, Bell, Gascón & Nissim 2019, arXiv 1903.02837, for the blanket.

    >>> Shuffled(1000, 2, 4).others
    'worst-known'
    """

    users: int
    parameter: Exact
    answers: int
    others: str
    randomizer: str
    default_relation: ClassVar[Relation] = Relation.SUBSTITUTE
    no_certificate: ClassVar[str] = "the small checker does not know shuffled messages; their value rests on the ball engine alone"

    def __init__(
        self,
        users: exact.Number,
        parameter: exact.Number,
        answers: exact.Number = 2,
        others: str | int = WORST_KNOWN,
        randomizer: str = "response",
    ) -> None:
        if randomizer not in RANDOMIZERS:
            raise InputError(f"randomizer must be one of {', '.join(RANDOMIZERS)}, got {randomizer!r}")
        name = f"{RANDOMIZERS[randomizer]} (of the {'local randomizer' if randomizer != 'gaussian' else 'Gaussian noise of a user'})"
        count, symbols = whole_at_least(users, 1, "shuffle (the number of users)"), whole_at_least(answers, 2, "answers")
        value, known = positive(parameter, name), (*OTHERS, WORST_KNOWN, ANY)
        if count > MOST_USERS:
            raise InputError(f"shuffle (the number of users) must be at most 10^9, got {count}")
        if randomizer != "gaussian" and value > MOST_LOCAL_EPSILON:
            raise InputError(f"{name} must be at most {MOST_LOCAL_EPSILON}, got {exact.text(value)}")
        if str(others) not in known:
            raise InputError(f"others must be one of {', '.join(known)}, got {others!r}")
        if str(others) == "third" and symbols == 2:
            raise InputError("others cannot hold a third symbol where --answers is 2; give 0 or 1")
        if randomizer != "response" and str(others) != ANY:
            raise InputError(f"the {randomizer} randomizer has the blanket bound only; give --blanket (others: any)")
        vars(self).update(users=count, parameter=value, answers=symbols, others=str(others), randomizer=randomizer)

    parameters = (
        Parameter("shuffle", "users", "N", "Messages of N users in random order; one user's input changes."),
        Parameter("local-epsilon", "parameter", "E", "Shuffled: pure epsilon of each user's randomizer."),
        RandomizedResponse.parameters[1],
        Parameter("others", "others", "WHO", "Shuffled: others hold 0, 1 or third; worst-known (default) is the largest; any: a bound."),
        Parameter("blanket", "others", "", "Shuffled: the privacy blanket, an upper bound for all data of the others.", flag=True),
        Parameter("randomizer", "randomizer", "R", "Shuffled: response (default), laplace or gaussian (on an input in [0, 1])."),
        Parameter("local-sigma", "parameter", "S", "Shuffled: standard deviation of the gaussian randomizer."),
    )
    optional: ClassVar[frozenset[str]] = frozenset({"local-epsilon", "others", "blanket", "randomizer", "local-sigma"})

    @classmethod
    def from_spec(cls, given: Mapping[str, Any]) -> Self:
        """Read the keys of `parameters`; the randomizer says whether local-epsilon or local-sigma is needed."""
        randomizer = str(given.get("randomizer", "response"))
        needed = RANDOMIZERS.get(randomizer, "local-epsilon")
        for key in {"local-epsilon", "local-sigma"} - {needed}:
            if key in given:
                raise InputError(f"{key} has no meaning with the {randomizer} randomizer; give {needed}")
        if needed not in given:
            raise InputError(f"shuffle needs {needed}, the parameter of each user's randomizer")
        default = WORST_KNOWN if randomizer == "response" and not given.get("blanket") else ANY
        if given.get("blanket") and str(given.get("others", ANY)) != ANY:
            raise InputError("blanket is a bound for all data of the others; drop others")
        return cls(given["shuffle"], given[needed], given.get("answers", 2), given.get("others", default), randomizer)

    def to_spec(self) -> dict[str, Any]:
        """The keys that `from_spec` reads; the data of the others are always named."""
        found: dict[str, Any] = {"shuffle": self.users, RANDOMIZERS[self.randomizer]: exact.text(self.parameter)}
        if self.randomizer == "response":
            return found | {"answers": self.answers, "others": self.others}
        return found | {"randomizer": self.randomizer, "others": self.others}

    @property
    def known(self) -> tuple[str, ...]:
        """The data of the others that the value is the largest of."""
        if self.others != WORST_KNOWN:
            return (self.others,)
        third = self.answers == 3 or (self.answers > 3 and self.users <= MOST_FOR_THIRD)
        return ("third", "0", "1") if third else ("0", "1")

    @property
    def data(self) -> str:
        """For which data of the others the value is."""
        return ("the largest of: " if self.others == WORST_KNOWN else "") + "; ".join(DATA[case] for case in self.known)

    @property
    def adjacency(self) -> str:
        """Which neighbours the value compares."""
        return "one user's input changes" + ("" if self.others == WORST_KNOWN else " from 0 to 1")

    def pair(self, relation: Relation) -> Pair:
        """A shuffle in a composition is refused: its pair has no moment function here."""
        raise InputError("a shuffle is evaluated alone, not as a part of a composition or a sample; ask for each shuffle by itself")

    def alternatives(self) -> tuple[tuple[Pair, ...], Guarantee]:
        """One pair for each known data set of the others: exact for it, no guarantee of the mechanism; or the pair of the blanket."""
        found = tuple(ShuffledPair(self, case, self.parameter) for case in self.known)
        return found, Guarantee.MECHANISM if self.others == ANY else Guarantee.PAIR

    @property
    def beside(self) -> Noise | None:
        """The largest of known data, beside the blanket."""
        known = self.others == ANY and self.randomizer == "response"
        return Shuffled(self.users, self.parameter, self.answers) if known else None

    def described(self, result: PrivacyResult) -> dict[str, Any]:
        """What the JSON document of a result says besides: the value's name, its data, its neighbours, and the published bounds on ε."""
        found: dict[str, Any] = {result.quantity: None, "bound": None, "data": self.data, "adjacency": self.adjacency}
        found["bound" if self.others == ANY else result.quantity] = {"lower": result.lower, "upper": result.upper}
        if result.quantity != "epsilon" or self.randomizer == "gaussian":
            return found
        from dpbounds.shuffle.published import published_epsilons

        return found | {"published": published_epsilons(self.users, self.parameter, result.argument[1], self.randomizer)}


@dataclass(frozen=True)
class ShuffledPair(Pair):
    """The messages with the one user on 0 (P) and on 1 (Q), the others as `others` says; their histogram is sufficient.

    For "any" the pair of the privacy blanket: each other user reveals its input, but with probability γ sends a message that is independent
    of it; P and Q are the one user's message among those. It dominates the shuffled messages for every data of the others.
    """

    mechanism: Shuffled
    others: str
    epsilon: Exact
    title = "a shuffle"

    @property
    def attained(self) -> bool:
        """Whether the value is that of two data sets."""
        return self.others != ANY

    @property
    def parameters(self) -> Mapping[str, bool]:  # type: ignore[override]
        """ε₀ of randomized response: a smaller one is a channel that acts on each message, and adds messages to the blanket."""
        return {"epsilon": False} if self.mechanism.randomizer == "response" else {}

    def notes(self, alone: bool) -> tuple[str, ...]:
        """The data of the others and the neighbours."""
        said = "upper bound for every data of the others" if self.others == ANY else "exact for these data, and no claim about others"
        return (f"{self.mechanism.adjacency}; {self.mechanism.data}", said)

    def loss_ends(self) -> tuple[ExactLoss, ...] | None:
        """±ε₀: all messages are 0, or all are 1. Gaussian noise has no largest loss."""
        return () if self.mechanism.randomizer == "gaussian" else (ExactLoss(self.epsilon), ExactLoss(-self.epsilon))
